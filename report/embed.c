/* SPDX-License-Identifier: Apache-2.0 */
/* The report page's text inside the program: WEFT_PAGE_FOLDER, if defined, is where
 * report/assemble.mjs left head.html and tail.html. */
#include "report/page/parts.h"

#ifdef WEFT_PAGE_FOLDER

#define EMBED(name, file)                                                                        \
    __asm__(".section .rodata\n.globl " name "\n" name ":\n.incbin \"" WEFT_PAGE_FOLDER "/" file \
            "\"\n.globl " name "_end\n" name "_end:\n.byte 0\n.previous\n")

EMBED("weft_page_head", "head.html");
EMBED("weft_page_tail", "tail.html");
extern const char weft_page_head[], weft_page_head_end[], weft_page_tail[], weft_page_tail_end[];

bool weft_page_parts_get(weft_page_parts *parts)
{
    *parts = (weft_page_parts){.head = weft_page_head,
                               .tail = weft_page_tail,
                               .head_length = (size_t)(weft_page_head_end - weft_page_head),
                               .tail_length = (size_t)(weft_page_tail_end - weft_page_tail)};
    return true;
}

#else

bool weft_page_parts_get(weft_page_parts *parts)
{
    *parts = (weft_page_parts){0};
    return false;
}

#endif
