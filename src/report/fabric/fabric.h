/* SPDX-License-Identifier: Apache-2.0 */
/* A judgement of forwarding tables for people: a table, JSON, a picture of the fabric by levels
 * with its links in the colours of their loads, and a page with all of it. */
#ifndef WEFT_REPORT_FABRIC_FABRIC_H
#define WEFT_REPORT_FABRIC_FABRIC_H

#include "base/text.h"
#include "interweft/judge.h"

#include <stdio.h>

/* The table, in so many columns if that is possible. */
void weft_judged_table(const weft_judgement *judgement, FILE *out, size_t width);
/* What stands below it: lines "name  text" under a heading for every case. */
void weft_judged_below(const weft_judgement *judgement, weft_text *text);
void weft_judged_json(const weft_judgement *judgement, FILE *out);
/* The picture: one panel for every case. */
void weft_judged_svg(const weft_judgement *judgement, weft_text *svg);
WEFT_MUST_USE weft_status weft_judged_png(const weft_judgement *judgement, const char *path,
                                          weft_error *err);
/* One self-contained page without scripts. */
void weft_judged_page(const weft_judgement *judgement, weft_text *html);

#endif
