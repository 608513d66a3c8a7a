/* SPDX-License-Identifier: Apache-2.0 */
/* Shows a knot (inside of net/deadlock). */
#ifndef WEFT_ANALYSIS_DEADLOCK_EXPLAIN_H
#define WEFT_ANALYSIS_DEADLOCK_EXPLAIN_H

#include "analysis/deadlock/examine.h"

/* Fills in the circle of what was examined and reduced, and of every packet in it where it may
 * come from and go to. all: sets have all candidates. */
void weft_deadlock_explain(const weft_examination *examination, bool all);

#endif
