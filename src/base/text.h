/* SPDX-License-Identifier: Apache-2.0 */
/* A text that grows. */
#ifndef WEFT_BASE_TEXT_H
#define WEFT_BASE_TEXT_H

#include <stddef.h>

typedef struct weft_text {
    char *at; /* always \0-terminated once something was added */
    size_t length, capacity;
} weft_text;

void weft_text_init(weft_text *text);
void weft_text_done(weft_text *text);
void weft_text_add(weft_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void weft_text_append(weft_text *text, const char *bytes, size_t count);
/* Hands the malloc'ed string to the caller (never NULL) and empties the text. */
char *weft_text_take(weft_text *text);
/* Malloc'ed strings; abort when out of memory. Free with free(). */
char *weft_text_copy(const char *text);
char *weft_text_copy_part(const char *text, size_t length);
char *weft_text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Edit distance of two short words, for "did you mean", or `most` if it is no less; only the first
 * 64 characters count. */
unsigned weft_text_distance(const char *a, const char *b, unsigned most);

/* Like strcmp, but numbers in names count as numbers: node2 is before node10. */
int weft_text_order(const char *a, const char *b);

#endif
