/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of laws by reaction in ticks and in packets per unit of time. Times and rates fail if
 * the scenario does not say how long a flit takes and the setting needs it; `key` names the
 * setting. */
#ifndef WEFT_NET_TRAFFIC_RESPONSE_COMMON_CONVERT_H
#define WEFT_NET_TRAFFIC_RESPONSE_COMMON_CONVERT_H

#include "net/traffic/response.h"

/* At least one tick. */
WEFT_MUST_USE weft_status weft_convert_time(const weft_response_units *units, const char *key,
                                            weft_duration time, weft_time *ticks, weft_error *err);
WEFT_MUST_USE weft_status weft_convert_rate(const weft_response_units *units, const char *key,
                                            weft_rate rate, double *packets, weft_error *err);
/* In flits, at least one. */
int64_t weft_convert_size(const weft_response_units *units, weft_size size);

#endif
