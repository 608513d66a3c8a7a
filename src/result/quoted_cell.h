/* SPDX-License-Identifier: Apache-2.0 */
/* A text as a cell of CSV (RFC 4180), wherever it comes from. */
#ifndef WEFT_RESULT_QUOTED_CELL_H
#define WEFT_RESULT_QUOTED_CELL_H

#include "base/text.h"

#include <stdio.h>

/* In quotes where it has a comma, a quote or an end of line. A text that a spreadsheet would run as
 * a formula (it starts with = + - @, also full-width ones, tab or an end of line) gets an
 * apostrophe in front; numbers never do. Control characters and bytes that are not UTF-8 become
 * '?'. */
void weft_quoted_cell(weft_text *to, const char *text, size_t length);
void weft_quoted_cell_print(FILE *out, const char *text);

#endif
