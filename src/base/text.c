/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include "base/digits.h"
#include "base/memory.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(weft_text *text, size_t more)
{
    if (text->length + more + 1 <= text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < text->length + more + 1)
        capacity *= 2;
    text->at = weft_realloc(text->at, capacity, 1);
    text->capacity = capacity;
}

void weft_text_init(weft_text *text)
{
    *text = (weft_text){0};
}

void weft_text_done(weft_text *text)
{
    free(text->at);
    *text = (weft_text){0};
}

void weft_text_append(weft_text *text, const char *bytes, size_t count)
{
    reserve(text, count);
    if (count)
        memcpy(text->at + text->length, bytes, count);
    text->length += count;
    assert(text->at);
    text->at[text->length] = '\0';
}

void weft_text_add(weft_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = weft_digits_vprint(NULL, 0, format, args);
    va_end(args);
    if (length > 0) {
        reserve(text, (size_t)length);
        weft_digits_vprint(text->at + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

char *weft_text_take(weft_text *text)
{
    if (!text->at)
        reserve(text, 0);
    assert(text->at);
    text->at[text->length] = '\0';
    char *taken = text->at;
    *text = (weft_text){0};
    return taken;
}

char *weft_text_copy(const char *text)
{
    return weft_text_copy_part(text, strlen(text));
}

char *weft_text_copy_part(const char *text, size_t length)
{
    char *copy = weft_alloc(length + 1);
    size_t used = strnlen(text, length);
    if (used)
        memcpy(copy, text, used);
    return copy;
}

char *weft_text_format(const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = weft_digits_vprint(NULL, 0, format, args);
    va_end(args);
    char *text = weft_alloc((size_t)(length > 0 ? length : 0) + 1);
    if (length > 0)
        (void)weft_digits_vprint(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

#define WORD_MAX 64

/* Row i has the distances of the first i characters of a to the beginnings of b; the least of a row
 * never falls. */
unsigned weft_text_distance(const char *a, const char *b, unsigned most)
{
    size_t n = strnlen(a, WORD_MAX), m = strnlen(b, WORD_MAX);
    unsigned row[WORD_MAX + 1], least = n > m ? (unsigned)(n - m) : (unsigned)(m - n);
    for (size_t j = 0; j <= m; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= n && least < most; i++) {
        unsigned diagonal = row[0];
        least = row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
            least = best < least ? best : least;
        }
    }
    return least < most && row[m] < most ? row[m] : most;
}

int weft_text_order(const char *a, const char *b)
{
    while (*a && *b) {
        size_t digits = strspn(a, "0123456789"), others = strspn(b, "0123456789");
        if (digits > 0 && others > 0) {
            unsigned long long x = strtoull(a, NULL, 10), y = strtoull(b, NULL, 10);
            if (x != y)
                return x < y ? -1 : 1;
            a += digits;
            b += others;
        } else if (*a != *b) {
            break;
        } else {
            a++;
            b++;
        }
    }
    return (unsigned char)*a - (unsigned char)*b;
}
