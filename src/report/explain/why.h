/* SPDX-License-Identifier: Apache-2.0 */
/* Why points are slow, for people. */
#ifndef WEFT_REPORT_EXPLAIN_WHY_H
#define WEFT_REPORT_EXPLAIN_WHY_H

#include "interweft/traced.h"
#include "interweft/why.h"

#include <stdio.h>

void weft_explain_why(const weft_why *why, FILE *out);
/* trial: settings that were tried; NULL: none. */
void weft_explain_why_json(const weft_why *why, const weft_why_trial *trial, FILE *out);
void weft_explain_trial(const weft_why_trial *trial, FILE *out);
/* Where traced packets waited, and for whom. */
void weft_explain_traced(const weft_traced *traced, FILE *out);

#endif
