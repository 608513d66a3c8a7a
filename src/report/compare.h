/* SPDX-License-Identifier: Apache-2.0 */
/* Results side by side, for people and for programs. */
#ifndef WEFT_REPORT_COMPARE_H
#define WEFT_REPORT_COMPARE_H

#include "base/arena.h"
#include "interweft/compare.h"

#include <stdio.h>

/* Prints the compared results, the settings that differ, the table, and the number of points that
 * differ. names: those of the sides, as given. Columns that do not fit into width characters are
 * left out. */
void weft_report_compare(const weft_compare_sheet *sheet, const char *const *names, FILE *out,
                         size_t width);
/* The same as one JSON object. */
void weft_report_compare_json(const weft_compare_sheet *sheet, const char *const *names, FILE *out);
/* The verdict of a row: "higher", "A saturated" … */
const char *weft_report_compare_verdict(const weft_compare_row *row, weft_arena *arena);

#endif
