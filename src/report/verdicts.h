/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison with published values in a terminal, and as rows for the HTML page. */
#ifndef WEFT_REPORT_VERDICTS_H
#define WEFT_REPORT_VERDICTS_H

#include "base/json.h"
#include "interweft/reproduce.h"
#include "report/html.h"

#include <stdio.h>

/* Prints ours beside theirs, a row for every point, then every claim with its verdict and its
 * reasons; `name` ("rexford-shin/fig7") is at the top and at the end. Of a long table only the
 * conspicuous rows are printed. */
void weft_report_verdicts(const weft_comparison *comparison, const char *name, FILE *out,
                          size_t width);

/* Writes the comparison as an object of a JSON list; results is its results file. */
void weft_report_verdicts_json(const weft_comparison *comparison, const char *name,
                               const char *results, weft_json *json);

/* Makes the rows of the page: one for every claim as a whole and for every cell. The caller frees
 * *rows; their texts belong to the comparison and `name`. */
size_t weft_report_verdict_rows(const weft_comparison *comparison, const char *name,
                                weft_report_verdict **rows);

#endif
