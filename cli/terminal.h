/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal as a person sees it: how wide it is, and text that fits. */
#ifndef WEFT_CLI_TERMINAL_H
#define WEFT_CLI_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

#define WEFT_TERMINAL_NARROW 40 /* a table has no sense in less */

/* Columns of the terminal that a file is; 0: it is none, or narrower than that. */
size_t weft_terminal_width(int fd);
/* Prints a text of lines. On a terminal, lines wider than it go on below, in the column where the
 * text of the line begins. Elsewhere every line stays one line, for grep. */
void weft_terminal_print(const char *text, FILE *to);
/* Prints to stderr. Names of files may hold anything: control characters and what is not UTF-8
 * become '?'. */
void weft_terminal_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same of what is written to a file meanwhile. */
typedef struct weft_terminal_sheet {
    char *text;
    size_t length;
    FILE *file; /* write here */
} weft_terminal_sheet;

void weft_terminal_begin(weft_terminal_sheet *sheet);
/* Prints it to standard output. */
void weft_terminal_end(weft_terminal_sheet *sheet);

#endif
