/* SPDX-License-Identifier: Apache-2.0 */
#include "random/hints.h"

#include <stdio.h>
#include <string.h>

typedef struct hint {
    const char *owner, *param, *text;
} hint;

#define GRID "[#2-8]|[4, 4]|[3, 3]|[#2-5, #2-5]|[#2-5, #2-4]|[#2-3, #2-3, #2-4]|[2, 2, 2, 2]"

#define COLLECTIVES                                                                              \
    "allreduce/ring|allreduce/recursive-doubling|allreduce/rabenseifner|"                        \
    "allreduce/rabenseifner-near|allreduce/direct|allreduce/tree|allreduce/double-tree|"         \
    "allreduce/hierarchical|reduce-scatter/ring|allgather/ring|allgather/recursive-doubling|"    \
    "allgather/bruck|all-to-all/pairwise|all-to-all/bruck|all-to-all/linear|broadcast/binomial|" \
    "broadcast/scatter-allgather|broadcast/chain|reduce/binomial|gather/binomial|"               \
    "barrier/dissemination|barrier/recursive-doubling|halo/1d|halo/2d"

static const hint hints[] = {
    {"topology/torus", "dims", GRID "|[8]|[6, 4]|[5, 5]"},
    {"topology/mesh", "dims", GRID},
    {"topology/flattened-butterfly", "dims", "[#2-8]|[#2-4, #2-4]|[4, 4]|[#2-3, #2-3, 2]"},
    {"topology/hyperx", "dims", "[#2-8]|[#2-4, #2-4]|[4, 2]|[#2-3, #2-3, 2]"},
    {"topology/flattened-butterfly", "trunk", "-"},
    {"topology/hyperx", "trunk", "-"},
    {"topology/hypercube", "dimensions", "#1-5"},
    {"topology/random-regular", "routers", "6|8|10|12|16|20"},
    {"topology/random-regular", "degree", "#3-4|4|4"},
    {"topology/fat-tree", "form", "-"},
    {"topology/fat-tree", "arity", "#2-4"},
    {"topology/fat-tree", "levels", "2|2|3"},
    {"topology/fat-tree", "down", "-"},
    {"topology/fat-tree", "up", "-"},
    {"topology/butterfly", "arity", "#2-4"},
    {"topology/butterfly", "stages", "#2-3"},
    {"topology/file", "path", "$DATA/fabrics/small.weftnet|$DATA/fabrics/irregular.weftnet"},
    {"topology/full", "routers", "#2-8|8|4"},
    {"topology/full", "links", "-|-|#2-3"},
    {"topology/hierarchy", "outer",
     "{kind: torus, dims: [#2-5]}|{kind: torus, dims: [#2-4, #2-4]}|{kind: full, routers: #2-5}|"
     "{kind: mesh, dims: [#2-3, #2-3]}|{kind: hypercube, dimensions: #1-3}|"
     "{kind: hyperx, dims: [#2-3, #2-3]}|{kind: random-regular, routers: 6, degree: 3}|"
     "{kind: hierarchy, outer: {kind: torus, dims: [#3-5]}, inner: {kind: full, routers: #2-3}}"},
    {"topology/hierarchy", "inner",
     "{kind: full, routers: #1-4, hosts: #1-2}|{kind: mesh, dims: [#2-3]}|"
     "{kind: torus, dims: [#2-4]}|{kind: mesh, dims: [2, 2]}"},
    {"topology/hierarchy", "attach", "-"},
    {"topology/hierarchy", "inner-vcs", "-|-|-|-|-|-|-|-|-|#1-2"},
    {"topology/dragonfly", "groups", "#2-6"},
    {"topology/dragonfly", "routers", "#2-4"},
    {"topology/dragonfly", "global", "-|-|#2-3"},
    {"topology/dragonfly", "arrangement", "-|relative|absolute|palm-tree|circulant"},
    {"topology/dragonfly", "attach", "-"},
    {"topology/leaf-spine", "leaves", "#2-5"},
    {"topology/leaf-spine", "spines", "#1-4"},
    {"topology/megafly", "groups", "#2-5"},
    {"topology/megafly", "leaves", "#2-3"},
    {"topology/megafly", "spines", "-|-|#1-3"},
    {"topology/megafly", "global", "-|-|#2-5"},
    {"topology/megafly", "links", "-|-|-|#1-2"},
    {"topology/megafly", "arrangement", "-|relative|absolute|palm-tree|circulant"},
    {"topology/megafly", "attach", "-"},
    {"topology/megafly", "inner-vcs", "-|-|-|-|-|-|-|-|-|#1-2"},
    {"topology/slim-fly", "q", "3|3|4"},
    {"routing/*", "candidates", "-|-|#1-4"},
    {"routing/*", "information", "-|-|-|local"},
    {"topology/*", "hosts", "-|-|-|2|#1-3"},
    {"topology/fat-tree", "global", "-|true"},
    {"topology/*", "global", "-|-|[0]"},
    {"router/output-queued", "header", "-|#1-4 cycles"},
    {"router/input-queued", "vcs", "#1-4|4|#4-8|8|8|#6-16|12|12|16|16"},
    {"router/input-queued", "buffer",
     "-|#90-200 flits|#2-4 packets|#1-4 packets|#2-4 packets|#2-4 packets"},
    {"router/input-queued", "shared",
     "-|-|-|-|-|-|-|-|-|-|-|?packets #1-3 packets|!packets #1-20 flits"},
    {"router/input-queued", "flow-control", "-|-|-|-|-|-|-|-|-|-|-|credits|?+flits pause"},
    {"router/input-queued", "xoff", "-"},
    {"router/input-queued", "xon", "-"},
    {"router/input-queued", "sl2vl",
     "-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "
     "0, 0]|"
     "[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]"},
    {"router/input-queued", "queues", "-|-|-|-|voq"},
    {"router/input-queued", "vc-stage", "-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|true"},
    {"router/input-queued", "input-speedup", "-|-|-|-|#1-2"},
    {"router/input-queued", "credit", "-|-|-|#1-6 cycles"},
    {"router/input-queued", "output-speedup", "-"},
    {"router/input-queued", "speedup", "-"},
    {"router/input-queued", "output-buffer", "-|-|-|-|-|-|-|#30-60 flits"},
    {"router/shared-queue", "queue", "-|-|-|-|-|-|-|-|-|[#0-6]"},
    {"router/shared-queue", "full", "-"},
    {"router/shared-queue", "order", "-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|event-list"},
    {"router/queue", "service", "#1-8 cycles"},
    {"router/queue", "scv", "-|0|1|#1-4"},
    {"router/queue", "thresholds", "-"},
    {"router/queue", "rates", "-"},
    {"router/queue", "semantics", "-"},
    {"arbiter/priority", "order", "-|[#0-3]|[1, 0]"},
    {"arbiter/weighted", "weights", "[#1-4]|[#1-4, #1-4]"},
    {"routing/dimension-order", "dateline", "-|-|-|-|per-hop|per-hop|none|?torus shared"},
    {"routing/minimal-oblivious", "selection",
     "-|-|-|-|-|dimension-order|random|diagonal|proportional"},
    {"routing/minimal-adaptive", "escape", "-|-|-|-|#1-4"},
    {"routing/zone", "masks", "-|-|-|-|?[4,+4] AB|?[4,+4] AB/BA|?[3,+3] A>B/B>A|?[3,+3] AB"},
    {"routing/zone", "zones", "-|-|-|-|-|-|!masks #1-4"},
    {"routing/zone", "escape", "-|-|-|-|#1-4"},
    {"routing/up-down", "adaptive", "true|true|false"},
    {"routing/up-down", "selection",
     "-|?adaptive:+true random|?adaptive:+true diagonal|?adaptive:+true dimension-order"},
    {"routing/up-down", "root", "-|-|#0-3"},
    {"routing/hamiltonian", "detour", "-|-|#1-4"},
    {"routing/*", "via", "-|-|-|-|router"},
    {"routing/*", "threshold", "-|-|#0-40"},
    {"pattern/hop-uniform", "hops", "1|1|2|#1-4"},
    {"pattern/hot-spot", "node", "-|-|-|0|1"},
    {"pattern/locality", "shares",
     "[{hops: [1, 1], share: 60%}, {beyond: 0, share: 40%}]|[{beyond: 0, share: 100%}]|"
     "[{hops: [1, 2], share: 100%}]"},
    {"pattern/group-adversarial", "shift", "-|-|#1-3"},
    {"pattern/tasks", "reach", "-|-|-|1"},
    {"pattern/tasks", "placement",
     "-|linear|random|?[4,+4] hamiltonian|?[3,+3] hamiltonian|?[4,+4] diagonal"},
    {"pattern/tasks", "graph", "-|-|?[4,+4] stencil"},
    {"arrival/ge", "scv", "1|#1-6"},
    {"arrival/on-off", "peak", "-|1|#1-9"},
    {"arrival/on-off", "burst", "-|1|#1-30"},
    {"arrival/on-off", "on-shape", "-|-|1.2|1.#3-9"},
    {"arrival/on-off", "off-shape", "-|-|1.2|1.#3-9"},
    {"arrival/pareto", "shape", "-|1.2|1.#3-9|2.5"},
    {"length/fixed", "size", "1 flits|2 flits|#3-30 flits|#1-64 B"},
    {"length/exponential", "mean", "#1-3 flits|#1-3 flits|#1-12 flits|#4-6 B"},
    {"length/bimodal", "short", "#1-4 flits"},
    {"length/bimodal", "long", "#5-30 flits"},
    {"length/empirical", "scale", "0.000001|0.00001"},
    {"length/redraw", "of", "{kind: exponential, mean: #1-8 flits}|{kind: fixed, size: 4 flits}"},
    {"endpoint/input-queued", "injection", "-|-|-|-|one-port"},
    {"endpoint/input-queued", "reception", "-|-|-|-|one-port"},
    {"endpoint/input-queued", "ports", "-|-|-|!marking: #2-3"},
    {"endpoint/input-queued", "delay", "-|-|-|#1-4 cycles"},
    {"endpoint/input-queued", "bus-rate", "-|-|-|-|1 flits/cycle"},
    {"endpoint/input-queued", "bus-latency", "-|-|-|#1-4 cycles"},
    {"endpoint/input-queued", "dma", "-|-|-|#1-4 cycles"},
    {"endpoint/output-queued", "injection", "-|-|-|-|one-port"},
    {"endpoint/*", "reception", "-|-|-|one-port|unlimited"},
    {"endpoint/*", "mtu", "-|#4-30 flits|#8-30 flits"},
    {"endpoint/*", "backlog", "-|-|-|-|#1-3"},
    {"faults/*", "links", "-|-|-|-|-|-|-|-|-|[0, 1]"},
    {"faults/*", "routers", "-"},
    {"faults/*", "random", "1|1|2|#0-3"},
    {"faults/*", "seed", "#1-99"},
    {"faults/*", "at", "-|-|#1-400 cycles"},
    {"measure/output-queued", "by", "-|hops|hops|history"},
    {"measure/*", "by", "-|hops|hops"},
    {"measure/*", "half-width", "-|5%|20%"},
    {"measure/*", "early", "-|-|-|true"},
    {"measure/*", "warmup", "-|-|#0-400 cycles"},
    {"measure/*", "series", "-|#20-200 cycles|#20-200 cycles|#20-200 cycles"},
    {"measure/*", "link-series", "-|-|-|-|-|-|-|-|-|true"},
    {"measure/*", "links", "-|off|summary|all"},
    {"measure/*", "ideal-limit", "-|-|-|0|#10-1000"},
    {"quality", "sl", "-|-|-|?sl2vl: #0-15|?sl2vl: #0-3|?vl-arbitration #0-3"},
    {"quality", "service", "-|-|-|-|-|-|-|-|-|-|-|-|db|pbe|be"},
    {"quality", "deadline", "-|-|-|-|-|-|-|-|-|-|#20-400 cycles"},
    {"quality", "guarantee", "-|-|-|-|-|-|-|-|-|-|#10-99%"},
    {"quality", "window", "-|-|!cca !dcqcn #1-20"},
    {"quality", "min-rate", "-|-|!cca 1%|!cca 10%"},
    {"response/cca", "ccti-timer", "#20-400 cycles"},
    {"response/cca", "ccti-limit", "-|#1-20"},
    {"response/cca", "ccti-min", "-"},
    {"response/cca", "entries", "-"},
    {"response/dcqcn", "notification-interval", "#20-400 cycles"},
    {"response/dcqcn", "alpha-timer", "#20-400 cycles"},
    {"response/dcqcn", "timer", "#20-400 cycles"},
    {"response/dcqcn", "bytes", "#40-900 B"},
    {"response/dcqcn", "additive", "0.0#1-9 flits/cycle"},
    {"response/dcqcn", "hyper", "0.#1-9 flits/cycle"},
    {"response/*", "n", "2|4|1.5"},
    {"response/pipd", "reference", "0.0001"},
    {"marking/red", "min", "#0-3"},
    {"marking/red", "max", "#4-20"},
    {"scheduler/vl-arbitration", "low-vls", "-"},
    {"scheduler/vl-arbitration", "low-weights", "-"},
    {"scheduler/vl-arbitration", "high-vls", "-"},
    {"scheduler/vl-arbitration", "high-weights", "-"},
    {"jobs/collective", "collective", COLLECTIVES},
    {"jobs/phases", "collective", "-"},
    {"phases", "collective", COLLECTIVES},
    {"phases", "size", "#0-900 B|#1-40 B"},
    {"phases", "segments", "-|#1-4"},
    {"phases", "group", "-|2"},
    {"phases", "compute", "-"},
    {"jobs/*", "file", "-"},
    {"jobs/*", "ranks", "2|3|4|4|-"},
    {"jobs/collective", "size", "#0-2000 B|#1-40 B"},
    {"jobs/phases", "size", "-"},
    {"jobs/collective", "segments", "-|#1-4"},
    {"jobs/phases", "segments", "-"},
    {"jobs/collective", "sum", "-|#0-3"},
    {"jobs/phases", "sum", "-"},
    {"jobs/*", "repeat", "-|#1-6"},
    {"jobs/*", "start", "-|-|#1-300 cycles"},
    {"jobs/*", "on", "-"},
    {"jobs/*", "placement", "-|contiguous|random|round-robin|?dragonfly by-group|first-fit"},
    {"jobs/*", "after", "-|-|?j1: j0"},
    {"jobs/*", "background", "-"},
    {"jobs/*", "group", "-"},
    {"jobs/*", "steps", "-"},
    {"host/*", "eager", "-|-|#1-2000 B"},
    {"host/*", "overhead", "-|#1-30 cycles"},
    {"host/*", "overhead-per-byte", "-"},
    {"host/*", "gap", "-|-|#1-9 cycles"},
    {"host/*", "calc", "-"},
    {"host/*", "response", "-"},
    {"measure/input-queued", "devices", "-|-|-|ports|vcs"},
    {"measure/queue", "devices", "-"},
    {"measure/*", "devices", "-|-|-|-|?torus ports"},
    {"measure/input-queued", "rates", "-|-|?series: 0|?series: 0-1"},
    {"measure/*", "timeline", "-|?jobs: states|?jobs: operations"},
    {"measure/*", "alone", "-|-|-|-|?jobs: true"},
    {"measure/*", "rates", "-"},
    {"measure.limit", "time", "#2-3000 cycles|#1000-3000 cycles"},
    {"measure.limit", "packets", "#100-600|#600-1200"},
    {"measure.short", "time", "#2-200 cycles"}, /* where a window may be a picosecond */
    {"measure.short", "packets", "#50-200"},
    {"measure.light", "time", "-"},
    {"measure.light", "packets", "#150-400"},
};

const char *hint_for(const char *owner, const char *param)
{
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        size_t length = strlen(hints[i].owner);
        bool any = hints[i].owner[length - 1] == '*';
        bool same = any ? strncmp(hints[i].owner, owner, length - 1) == 0
                        : strcmp(hints[i].owner, owner) == 0;
        if (same && strcmp(hints[i].param, param) == 0)
            return hints[i].text;
    }
    return NULL;
}

typedef struct rule { /* of a kind */
    const char *owner;
    unsigned weight;
    const char *topologies, *routers; /* it is meant for; NULL: any */
} rule;

#define LATTICES " torus mesh hypercube flattened-butterfly hyperx "
#define PLANES   " torus mesh hypercube "
#define POWERS   " hypercube "
#define GROUPED  " dragonfly hierarchy megafly "
#define TWO_WAY \
    LATTICES " random-regular fat-tree full file hierarchy dragonfly slim-fly leaf-spine megafly "

static const rule rules[] = {
    {"section/jobs", 0, TWO_WAY, " output-queued input-queued "},
    {"router/input-queued", 14, NULL, NULL},
    {"router/queue", 0, NULL, NULL}, /* an ensemble has it */
    {"topology/torus", 16, NULL, NULL},
    {"topology/file", 4, NULL, NULL},
    {"routing/minimal-adaptive", 16, NULL, NULL},
    {"routing/d-mod-k", 10, " fat-tree full ", NULL},
    {"routing/valiant", 14, TWO_WAY, NULL},
    {"routing/ugal", 18, TWO_WAY, " input-queued "},
    {"routing/par", 18, TWO_WAY, " input-queued "},
    {"routing/o1turn", 8, PLANES, NULL},
    {"routing/zone", 14, LATTICES " hierarchy ", NULL},
    {"routing/up-down", 14, TWO_WAY, NULL},
    {"routing/tables", 1, " file ", NULL},
    {"routing/infiniband", 0, NULL, NULL},
    {"routing/source", 0, NULL, NULL},
    {"routing/hamiltonian", 0, NULL, NULL},
    {"pattern/uniform", 30, NULL, NULL},
    {"pattern/hop-uniform", 6, " torus ", NULL},
    {"pattern/hot-spot", 14, NULL, NULL},
    {"pattern/random-permutation", 14, NULL, NULL},
    {"pattern/bit-reversal", 3, POWERS, NULL},
    {"pattern/transpose", 3, POWERS, NULL},
    {"pattern/complement", 3, POWERS, NULL},
    {"pattern/shuffle", 3, POWERS, NULL},
    {"pattern/rotate", 3, POWERS, NULL},
    {"pattern/tornado", 8, " torus ", NULL},
    {"pattern/neighbour", 8, LATTICES, NULL},
    {"pattern/group-adversarial", 10, GROUPED, NULL},
    {"pattern/locality", 4, NULL, NULL},
    {"pattern/matrix", 0, NULL, NULL},
    {"pattern/flows", 0, NULL, NULL},
    {"pattern/tasks", 4, NULL, NULL},
    {"arrival/bernoulli", 6, NULL, NULL},
    {"arrival/periodic", 6, NULL, NULL},
    {"length/fixed", 20, NULL, NULL},
    {"length/redraw", 3, NULL, " shared-queue "},
};

static const rule *rule_of(const char *owner)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].owner, owner) == 0)
            return &rules[i];
    return NULL;
}

/* Is a name in such a list? */
static bool lists(const char *names, const char *name)
{
    char word[80];
    (void)snprintf(word, sizeof word, " %s ", name);
    return !names || !*name || strstr(names, word);
}

unsigned hint_weight(const char *owner)
{
    const rule *found = rule_of(owner);
    return found ? found->weight : 10;
}

bool hint_suits(const char *owner, const char *topology, const char *router)
{
    const rule *found = rule_of(owner);
    return !found || (lists(found->topologies, topology) && lists(found->routers, router));
}

bool hint_goes_round(const char *routing, const char *router)
{
    return lists(" up-down valiant ugal par ", routing) &&
           lists(" output-queued input-queued ", router);
}

const ensemble hint_ensembles[] = {
    {"{kind: full, routers: 1, hosts: #1-6}",
     "{kind: queue, service: #1-8 cycles}|{kind: queue, service: #1-8 cycles, capacity: #2-9}|"
     "{kind: queue, service: 4 cycles, thresholds: [#2-4, 6], rates: [1, 2, 3]}|"
     "{kind: queue, service: 4 cycles, thresholds: [3], rates: [1, 2], semantics: frozen}|"
     "{kind: queue, service: 4 cycles, thresholds: [3], rates: [1, 2], semantics: borrow, "
     "channels: "
     "2}|"
     "{kind: queue, service: 4 cycles, capacity: 9, thresholds: [2, 5], rates: [1, 2, 3], "
     "semantics: share, channels: 4, shared: #1-3}",
     NULL, "all"},
    {"{kind: mesh, dims: [#2-6]}", "{kind: shared-queue, full: wait, queue: [#1-5]}", NULL, "0"},
    {"{kind: torus, dims: [3, 3]}|{kind: torus, dims: [4, 4]}|{kind: torus, dims: [5, 5], tie: "
     "wrap}",
     NULL, "{kind: hamiltonian}|{kind: hamiltonian, detour: #1-3}", NULL},
    {"{kind: mesh, dims: [3, 3]}", NULL, "{kind: source, file: $DATA/routes/mesh-3x3.source}",
     NULL},
    {"{kind: mesh, dims: [3, 3]}", NULL, "{kind: tables, file: $DATA/routes/mesh-3x3.tables}",
     NULL},
    {"{kind: file, path: $DATA/infiniband/torus-2QoS.weftnet}", NULL,
     "{kind: tables}|{kind: infiniband}", NULL},
    {"{kind: fat-tree, form: m-port, arity: 4, levels: #2-3}|"
     "{kind: fat-tree, form: xgft, down: [#1-3, #2-3, 2], up: [1, #1-3, #1-2]}",
     NULL, NULL, NULL},
    {"{kind: dragonfly, groups: 4, routers: 3, arrangement: given, attach: [2, 0, 1]}", NULL, NULL,
     NULL},
    {"{kind: hierarchy, outer: {kind: torus, dims: [#3-4, #2-4]}, inner: {kind: full, routers: 4}, "
     "attach: [0, 1, 2, 3]}",
     NULL, NULL, NULL},
};
const size_t hint_ensemble_count = sizeof hint_ensembles / sizeof *hint_ensembles;
