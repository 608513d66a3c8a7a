/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a search for the saturation load, in a few lines. */
#ifndef WEFT_REPORT_SATURATION_H
#define WEFT_REPORT_SATURATION_H

#include "base/text.h"
#include "interweft/study.h"

void weft_report_saturation(const char *key, const weft_saturation *found, weft_text *to);
/* All searches of a results file; nothing is added if it holds none. */
WEFT_MUST_USE weft_status weft_report_searches(weft_result *result, weft_text *to, weft_error *err);

#endif
