/* SPDX-License-Identifier: Apache-2.0 */
/* A plan for people: its table for a terminal, all of it as CSV. */
#ifndef WEFT_REPORT_PLAN_PLAN_H
#define WEFT_REPORT_PLAN_PLAN_H

#include "interweft/planning.h"

#include <stdio.h>

/* One row a fabric, by cost; below it what it rests on. Columns that do not fit into width
 * characters are left out. */
void weft_shortlist_table(const weft_planning *plan, FILE *out, size_t width, bool colour);
/* Every number of every fabric, refused ones included. */
void weft_shortlist_csv(const weft_planning *plan, FILE *out);

#endif
