/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a search for the saturation load, in a few lines. */
#ifndef WEFT_REPORT_SATURATION_H
#define WEFT_REPORT_SATURATION_H

#include "interweft/study.h"

#include <stdio.h>

void weft_report_saturation(const char *key, const weft_saturation *found, FILE *out);
/* Prints all searches of a results file; *are is false, and nothing is printed, if it holds
 * none. */
WEFT_MUST_USE weft_status weft_report_searches(weft_result *result, FILE *out, bool *are,
                                               weft_error *err);

#endif
