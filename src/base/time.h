/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated time: a 64-bit count of ticks. */
#ifndef WEFT_BASE_TIME_H
#define WEFT_BASE_TIME_H

#include <stdint.h>

typedef int64_t weft_time;

#endif
