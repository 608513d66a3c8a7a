/* SPDX-License-Identifier: Apache-2.0 */
/* A plan for people: its table for a terminal, all of it as CSV. */
#ifndef WEFT_REPORT_PLAN_PLAN_H
#define WEFT_REPORT_PLAN_PLAN_H

#include "base/arena.h"
#include "base/text.h"
#include "interweft/planning.h"

#include <stdio.h>

/* One row a fabric, by cost; below it what it rests on. Columns that do not fit into width
 * characters are left out. */
void weft_shortlist_table(const weft_planning *plan, FILE *out, size_t width, bool colour);
/* Every number of every fabric, refused ones included. */
void weft_shortlist_csv(const weft_planning *plan, FILE *out);
/* "0.74±0.02", or "–" for what is not known. */
const char *weft_shortlist_value(const weft_simulated_value *value, int digits, weft_arena *arena);
/* One self-contained page without scripts: table, fronts, floor plans, curves, assumptions. */
void weft_shortlist_page(const weft_planning *plan, weft_text *html);
/* Pictures of the page, as SVG: cost against a bound; the racks of a fabric; latency over load. */
void weft_shortlist_front(const weft_planning *plan, weft_traffic_bound bound, weft_text *svg);
void weft_shortlist_floor(const weft_planned *planned, weft_text *svg);
void weft_shortlist_curves(const weft_planning *plan, weft_text *svg);

#endif
