/* SPDX-License-Identifier: Apache-2.0 */
/* Just enough UTF-8: one character at a time, and which ones must not reach a terminal. */
#ifndef WEFT_CONFIG_UTF8_H
#define WEFT_CONFIG_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at `at` (of `left` bytes) and its code; 0 if it is not UTF-8. */
static inline size_t weft_utf8_next(const char *at, size_t left, uint32_t *code)
{
    unsigned char first = left ? (unsigned char)at[0] : 0xFF;
    if (first < 0x80) {
        *code = first;
        return 1;
    }
    size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || bytes > left)
        return 0;
    *code = first & (0xFFu >> (bytes + 1));
    for (size_t i = 1; i < bytes; i++) {
        if (((unsigned char)at[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | ((unsigned char)at[i] & 0x3Fu);
    }
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    bool surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return *code < least[bytes] || *code > 0x10FFFF || surrogate ? 0 : bytes;
}

/* C0, DEL, C1, line separators, and the marks that turn the direction of text around. */
static inline bool weft_utf8_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xFEFF;
}

#endif
