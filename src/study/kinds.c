/* SPDX-License-Identifier: Apache-2.0 */
/* One row per family. A kind enters by its line in a list.def; a name leaves `planned` when its
 * kind is built. */
#include "study/kinds.h"

#include "analytic/kinds.h"
#include "interweft/model.h"
#include "interweft/scheduler.h"
#include "net/kinds.h"
#include "net/traffic/common/scope.h"
#include "net/traffic/placement.h"
#include "net/marking.h"
#include "net/traffic/response.h"
#include "planning/design.h"
#include "planning/kinds.h"
#include "sched/kinds.h"
#include "sim/router.h"

#include <assert.h>

typedef struct row {
    weft_family family;
    const weft_component *const *kinds;
} row;

static const char *const lengths[] = {"mixed", NULL};

#define NEEDS_ONE(type, member, other)                         \
    {                                                          \
#member, offsetof(type, member), offsetof(type, other) \
    }
#define NEEDS(type, member)                \
    {                                      \
#member, offsetof(type, member), 0 \
    }
#define LIST(...) ((const weft_required[]){__VA_ARGS__, {NULL, 0, 0}})
static const weft_required nothing[] = {{NULL, 0, 0}};

static const row rows[] = {
    {{.name = "topology",
      .brief = "which routers there are and how they are joined",
      .required =
          LIST(NEEDS(weft_topology_kind, build), NEEDS(weft_topology_kind, peer),
               NEEDS(weft_topology_kind, distance), NEEDS(weft_topology_kind, mean_distance),
               NEEDS(weft_topology_kind, make_header), NEEDS(weft_topology_kind, minimal_ports)),
      .record_size = sizeof(weft_topology_kind)},
     weft_topology_kinds},
    {{.name = "router",
      .brief = "what a router does with a packet",
      .record_size = sizeof(weft_router_kind)},
     weft_router_kinds},
    {{.name = "scheduler",
      .brief = "who crosses a router's crossbar",
      .required = LIST(NEEDS(weft_scheduler_kind, build), NEEDS(weft_scheduler_kind, reset),
                       NEEDS(weft_scheduler_kind, match), NEEDS(weft_scheduler_kind, granted)),
      .record_size = sizeof(weft_scheduler_kind)},
     weft_scheduler_kinds},
    {{.name = "arbiter",
      .brief = "who of several goes first",
      .required = LIST(NEEDS(weft_arbiter_kind, bytes), NEEDS(weft_arbiter_kind, reset),
                       NEEDS(weft_arbiter_kind, pick), NEEDS(weft_arbiter_kind, granted)),
      .record_size = sizeof(weft_arbiter_kind)},
     weft_arbiter_kinds},
    {{.name = "routing",
      .brief = "which ports a packet may take",
      .required = LIST(NEEDS(weft_routing_kind, candidates)),
      .record_size = sizeof(weft_routing_kind)},
     weft_routing_kinds},
    {{.name = "selection",
      .brief = "which of the allowed ports a packet prefers",
      .required = nothing,
      .record_size = sizeof(weft_selection_kind)},
     weft_selection_kinds},
    {{.name = "pattern",
      .brief = "who talks to whom",
      .required = LIST(NEEDS(weft_pattern_kind, build), NEEDS(weft_pattern_kind, destination),
                       NEEDS(weft_pattern_kind, mean_hops), NEEDS(weft_pattern_kind, senders)),
      .record_size = sizeof(weft_pattern_kind)},
     weft_pattern_kinds},
    {{.name = "scope",
      .brief = "a part of the network as an endpoint sees it, for pattern locality",
      .record_size = sizeof(weft_component)},
     weft_scope_kinds},
    {{.name = "placement",
      .brief = "which task of a parallel program runs where, for pattern tasks",
      .record_size = sizeof(weft_placement_kind)},
     weft_placement_kinds},
    {{.name = "arrival",
      .brief = "when messages come",
      .required = LIST(NEEDS_ONE(weft_arrival_kind, interval, interval_with_memory)),
      .record_size = sizeof(weft_arrival_kind)},
     weft_arrival_kinds},
    {{.name = "marking",
      .brief = "which packets a router marks when it is congested",
      .record_size = sizeof(weft_marking_kind)},
     weft_marking_kinds},
    {{.name = "response",
      .brief = "how a source changes its rate when it is told of congestion",
      .record_size = sizeof(weft_response_kind)},
     weft_response_kinds},
    {{.name = "length",
      .brief = "how long packets are",
      .shorthand = "fixed",
      .planned = lengths,
      .required = LIST(NEEDS(weft_length_kind, flits), NEEDS(weft_length_kind, mean)),
      .record_size = sizeof(weft_length_kind)},
     weft_length_kinds},
    {{.name = "model",
      .brief = "what can be answered by formula or by solving a chain; run by weft model",
      .required = LIST(NEEDS(weft_model_kind, outputs), NEEDS(weft_model_kind, evaluate)),
      .record_size = sizeof(weft_model_kind)},
     weft_model_kinds},
    {{.name = "fabric",
      .brief = "families of fabrics that weft plan considers",
      .record_size = sizeof(weft_design_kind)},
     weft_design_kinds},
};

void weft_kinds_register(weft_registry *registry)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weft_registry_family(registry, &rows[i].family);
        for (const weft_component *const *kind = rows[i].kinds; *kind; kind++) {
            weft_error err;
            weft_status status = weft_registry_add(registry, rows[i].family.name, *kind, &err);
            assert(status == WEFT_OK);
            (void)status;
        }
    }
}
