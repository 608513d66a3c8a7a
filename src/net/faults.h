/* SPDX-License-Identifier: Apache-2.0 */
/* Links and routers that are down: which ports that are, and whether a routing can do without
 * them. */
#ifndef WEFT_NET_FAULTS_H
#define WEFT_NET_FAULTS_H

#include "base/arena.h"
#include "config/scenario.h"
#include "interweft/routing.h"

/* The ports of a topology that the settings take down; *faults NULL if there are none. */
WEFT_MUST_USE weft_status weft_faults_find(const weft_topology *topology,
                                           const weft_fault_settings *set, weft_arena *arena,
                                           const weft_faults **faults, weft_error *err);
/* Does the routing have a way past them for every packet? Names a pair that is cut off if not. */
WEFT_MUST_USE weft_status weft_faults_check(const weft_routing *routing, weft_error *err);

#endif
