/* SPDX-License-Identifier: Apache-2.0 */
/* Just enough UTF-8: one character at a time, which ones must not reach a terminal, a picture or a
 * page, and how wide they are. */
#ifndef WEFT_BASE_UTF8_H
#define WEFT_BASE_UTF8_H

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
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

/* Columns on a terminal: 2 for wide characters of East Asia and for pictures, 1 for all others,
 * also for marks that are drawn over a letter. */
static inline unsigned weft_utf8_columns(uint32_t code)
{
    static const uint32_t wide[][2] = {
        {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x2E80, 0x303E},
        {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},
        {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
        {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18DFF}, {0x1AFF0, 0x1B2FF},
        {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F7E0, 0x1F7EB}, {0x1F900, 0x1F9FF},
        {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD}};
    for (size_t i = 0; i < sizeof wide / sizeof *wide && code >= wide[i][0]; i++)
        if (code <= wide[i][1])
            return 2;
    return 1;
}

/* Replaces control characters, direction overrides and broken UTF-8 by '?', line ends and tabs by
 * spaces. */
void weft_make_harmless(char *text);
/* The same, but for the ends of lines, which stay. */
void weft_make_lines_harmless(char *text);

#endif
