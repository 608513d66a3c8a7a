/* SPDX-License-Identifier: Apache-2.0 */
/* Results side by side, for people and for programs. */
#ifndef WEFT_REPORT_COMPARE_H
#define WEFT_REPORT_COMPARE_H

#include "base/arena.h"
#include "interweft/compare.h"

#include <stdio.h>

/* What was compared, the settings that differ, the table, and how many points differ. names are
 * the sides' as given; columns that do not fit into width characters are left out. */
void weft_report_compare(const weft_compare_sheet *sheet, const char *const *names, FILE *out,
                         size_t width);
/* The same as one JSON object. */
void weft_report_compare_json(const weft_compare_sheet *sheet, const char *const *names, FILE *out);
/* "higher", "A saturated" … of a row. */
const char *weft_report_compare_verdict(const weft_compare_row *row, weft_arena *arena);

#endif
