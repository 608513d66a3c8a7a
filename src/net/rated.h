/* SPDX-License-Identifier: Apache-2.0 */
/* The flows whose rates are followed over time (measure.rates): what an endpoint sends in a
 * class. */
#ifndef WEFT_NET_RATED_H
#define WEFT_NET_RATED_H

#include "net/network.h"

/* Fills network->rated, once its classes are there. */
WEFT_MUST_USE weft_status weft_rated_build(weft_network *network, weft_arena *arena,
                                           weft_error *err);

#endif
