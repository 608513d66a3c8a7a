/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison with published values in a terminal, and as rows for the HTML page. */
#ifndef WEFT_REPORT_VERDICTS_H
#define WEFT_REPORT_VERDICTS_H

#include "base/json.h"
#include "interweft/reproduce.h"
#include "report/html.h"

#include <stdio.h>

/* Ours beside theirs, a row for every point; then every claim with its verdict and its reasons;
 * `name` ("rexford-shin/fig7") stands at the top and at the end. Of a long table only the rows
 * that stand out. */
void weft_report_verdicts(const weft_comparison *comparison, const char *name, FILE *out,
                          size_t width);

/* All of it as an object of a list; results is the file it was made from. */
void weft_report_verdicts_json(const weft_comparison *comparison, const char *name,
                               const char *results, weft_json *json);

/* The same for the page: a row for every claim as a whole and for every cell. The caller frees
 * *rows; their texts are the comparison's and `name`. */
size_t weft_report_verdict_rows(const weft_comparison *comparison, const char *name,
                                weft_report_verdict **rows);

#endif
