/* SPDX-License-Identifier: Apache-2.0 */
/* Which metrics are compared, and what they are called. */
#ifndef WEFT_COMPARE_METRICS_H
#define WEFT_COMPARE_METRICS_H

#include "base/arena.h"
#include "interweft/compare.h"

bool weft_compare_metric_same(const weft_metric *a, const weft_metric *b); /* but for the value */
/* Does it have an interval? */
bool weft_compare_metric_estimated(const weft_metric *m);
/* Does it have one, or is it exact? Else nothing can be said of a difference. */
bool weft_compare_metric_known(const weft_metric *m);
/* Those compared if nothing is said, one by one; NULL at the end. */
const weft_metric *weft_compare_metric_usual(size_t i);
bool weft_compare_metric_wanted(const weft_metric *m, const weft_compare_options *options);
/* "latency", "p99", "accepted, bulk", "packets by hops 3", "link utilisation mean" */
const char *weft_compare_metric_label(weft_arena *arena, const weft_metric *m);

#endif
