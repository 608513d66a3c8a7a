/* SPDX-License-Identifier: Apache-2.0 */
/* What a search for the saturation load found, in a few lines. */
#ifndef WEFT_REPORT_SATURATION_H
#define WEFT_REPORT_SATURATION_H

#include "interweft/study.h"

#include <stdio.h>

void weft_report_saturation(const char *key, const weft_saturation *found, FILE *out);
/* All of a results file; *are: whether it holds searches, else nothing is printed. */
WEFT_MUST_USE weft_status weft_report_searches(weft_result *result, FILE *out, bool *are,
                                               weft_error *err);

#endif
