/* SPDX-License-Identifier: Apache-2.0 */
/* One row per family. A kind enters by its line in a list.def; a name leaves `planned` when its
 * kind is built. */
#include "study/kinds.h"

#include "analytic/kinds.h"
#include "net/kinds.h"
#include "net/traffic/common/scope.h"
#include "sched/kinds.h"
#include "sim/router.h"

#include <assert.h>

typedef struct family {
    const char *name, *brief, *shorthand;
    const weft_component *const *kinds;
    const char *const *planned;
} family;

static const char *const arrivals[] = {"on-off", "pareto", NULL};
static const char *const lengths[] = {"mixed", NULL};

static const family families[] = {
    {"topology", "which routers there are and how they are joined", NULL, weft_topology_kinds,
     NULL},
    {"router", "what a router does with a packet", NULL, weft_router_kinds, NULL},
    {"scheduler", "who crosses a router's crossbar", NULL, weft_scheduler_kinds, NULL},
    {"arbiter", "who of several goes first", NULL, weft_arbiter_kinds, NULL},
    {"routing", "which ports a packet may take", NULL, weft_routing_kinds, NULL},
    {"selection", "which of the allowed ports a packet prefers", NULL, weft_selection_kinds, NULL},
    {"pattern", "who talks to whom", NULL, weft_pattern_kinds, NULL},
    {"scope", "a part of the network as an endpoint sees it, for pattern locality", NULL,
     weft_scope_kinds, NULL},
    {"placement", "which task of a parallel program runs where, for pattern tasks", NULL,
     weft_placement_kinds, NULL},
    {"arrival", "when messages come", NULL, weft_arrival_kinds, arrivals},
    {"length", "how long packets are", "fixed", weft_length_kinds, lengths},
    {"model", "what can be answered by formula or by solving a chain; run by weft model", NULL,
     weft_model_kinds, NULL},
};

void weft_kinds_register(weft_registry *registry)
{
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        const family *row = &families[f];
        weft_registry_family(registry, row->name, row->brief, row->shorthand, row->planned);
        for (const weft_component *const *kind = row->kinds; *kind; kind++) {
            weft_error err;
            weft_status status = weft_registry_add(registry, row->name, *kind, &err);
            assert(status == WEFT_OK);
            (void)status;
        }
    }
}
