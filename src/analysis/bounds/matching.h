/* SPDX-License-Identifier: Apache-2.0 */
/* Assignment of maximum weight: each row gets a column of its own. */
#ifndef WEFT_ANALYSIS_BOUNDS_MATCHING_H
#define WEFT_ANALYSIS_BOUNDS_MATCHING_H

#include <stdint.h>

/* weight: n × n, none negative; to[row]: its column. Returns the sum. Takes n³ steps at most. */
double weft_matching_find(const double *weight, uint32_t n, uint32_t *to);

#endif
