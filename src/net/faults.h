/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of links and routers: the failed ports, and whether a routing can avoid them. */
#ifndef WEFT_NET_FAULTS_H
#define WEFT_NET_FAULTS_H

#include "base/arena.h"
#include "config/scenario.h"
#include "interweft/routing.h"

/* Finds the ports of a topology that the settings take down; *faults: NULL if there are none. */
WEFT_MUST_USE weft_status weft_faults_find(const weft_topology *topology,
                                           const weft_fault_settings *set, weft_arena *arena,
                                           const weft_faults **faults, weft_error *err);
/* Fails unless the routing has a fault-free route for every packet; names a pair that is cut
 * off. */
WEFT_MUST_USE weft_status weft_faults_check(const weft_routing *routing, weft_error *err);

#endif
