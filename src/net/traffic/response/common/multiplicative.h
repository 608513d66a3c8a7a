/* SPDX-License-Identifier: Apache-2.0 */
/* Multiplicative decrease, for the laws that have it: a marked ACK divides the rate by n. */
#ifndef WEFT_NET_TRAFFIC_RESPONSE_COMMON_MULTIPLICATIVE_H
#define WEFT_NET_TRAFFIC_RESPONSE_COMMON_MULTIPLICATIVE_H

#include "net/traffic/response.h"

/* The settings of such a law. */
typedef struct weft_multiplicative {
    double n;
} weft_multiplicative;

extern const weft_param weft_multiplicative_params[];

static inline double weft_multiplicative_factor(const weft_response *response)
{
    return ((const weft_multiplicative *)response->settings)->n;
}

double weft_multiplicative_decrease(const weft_response *response, double rate);
double weft_multiplicative_unclipped(const weft_response *response);

#endif
