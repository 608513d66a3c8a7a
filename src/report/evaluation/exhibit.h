/* SPDX-License-Identifier: Apache-2.0 */
/* What a study file shows: its figures and tables, from the points that are there. */
#ifndef WEFT_REPORT_EVALUATION_EXHIBIT_H
#define WEFT_REPORT_EVALUATION_EXHIBIT_H

#include "base/text.h"
#include "interweft/evaluation.h"

#include <stdio.h>

/* Refuses figures and tables that name quantities or axes that there are not, or that hold no
 * point, before anything is run. */
WEFT_MUST_USE weft_status weft_exhibit_check(weft_evaluation *evaluation, weft_error *err);

/* The points of the study that are done, with those of several seeds as one, in memory; the caller
 * closes them. */
WEFT_MUST_USE weft_status weft_exhibit_combine(weft_evaluation *evaluation, weft_result **combined,
                                               weft_error *err);
/* Those that an exhibit shows; the caller closes them. */
WEFT_MUST_USE weft_status weft_exhibit_select(weft_result *from, const weft_exhibit *exhibit,
                                              weft_result **selected, weft_error *err);

/* Draws a figure as SVG; svg NULL: sees whether there is something to draw. */
WEFT_MUST_USE weft_status weft_exhibit_draw(weft_result *combined, const weft_exhibit *figure,
                                            const char *svg, weft_error *err);
/* What tells a study's page from a page of weft report, within its first 1,000 bytes. */
#define WEFT_EXHIBIT_GENERATOR "<meta name=\"generator\" content=\"weft study\">"

/* One self-contained page without scripts: figures, whose pictures are <folder>/NAME.svg, and
 * tables. A figure that cannot be drawn has the reason in its place, which goes to `notes` too. */
WEFT_MUST_USE weft_status weft_exhibit_page(weft_evaluation *evaluation, weft_result *combined,
                                            const char *folder, weft_text *html, FILE *notes,
                                            weft_error *err);

#endif
