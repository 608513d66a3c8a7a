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

#endif
