/* SPDX-License-Identifier: Apache-2.0 */
/* Example packets of a knot (internal to analysis/deadlock). */
#ifndef WEFT_ANALYSIS_DEADLOCK_EXPLAIN_H
#define WEFT_ANALYSIS_DEADLOCK_EXPLAIN_H

#include "analysis/deadlock/examine.h"

/* Fills in a cycle of the examined and reduced graph, with a possible source and destination for
 * every packet in it. all: sets have all candidates. */
void weft_deadlock_explain(const weft_examination *examination, bool all);

#endif
