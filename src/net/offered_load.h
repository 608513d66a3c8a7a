/* SPDX-License-Identifier: Apache-2.0 */
/* How many messages a class offers: load, rho and rate of its settings, and the arrivals. */
#ifndef WEFT_NET_OFFERED_LOAD_H
#define WEFT_NET_OFFERED_LOAD_H

#include "net/network.h"

/* Pattern, length and routing of the class are there already. */
WEFT_MUST_USE weft_status weft_offered_load_build(const weft_network *network,
                                                  const weft_class_settings *set,
                                                  weft_traffic_class *traffic_class,
                                                  weft_error *err);

#endif
