/* SPDX-License-Identifier: Apache-2.0 */
/* Theoretical values of a point, for people and beside its measurements: the throughput bound and
 * its cause, and the zero-load latency. */
#ifndef WEFT_STUDY_THEORY_H
#define WEFT_STUDY_THEORY_H

#include "base/text.h"
#include "interweft/result.h"
#include "net/network.h"

#define WEFT_THEORY_ROWS (2 + WEFT_CLASSES_MAX)

/* Writes at most WEFT_THEORY_ROWS metrics (by "bound"; by "model" what is only an estimate);
 * returns how many. They are a function of the network alone. */
size_t weft_theory_rows(const weft_network *network, weft_metric *rows);
/* No load above it can be carried whole, for certain; 0: no such bound is known. */
double weft_theory_bound(const weft_network *network);
/* The lines of `weft check`. */
void weft_theory_describe(const weft_network *network, weft_text *text);

#endif
