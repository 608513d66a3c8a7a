/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a search of the crossbar laboratory as a table in a terminal. */
#ifndef WEFT_REPORT_SEARCH_H
#define WEFT_REPORT_SEARCH_H

#include "interweft/result.h"

#include <stdio.h>

/* Prints a line per point: worst, mean, deviations, matrices, matrices whose state does not recur.
 * A single point is followed by its worst matrices. */
WEFT_MUST_USE weft_status weft_report_search(weft_result *result, FILE *out, weft_error *err);

/* *is: true for the results of a search. */
WEFT_MUST_USE weft_status weft_report_is_search(weft_result *result, bool *is, weft_error *err);

#endif
