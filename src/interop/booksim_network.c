/* SPDX-License-Identifier: Apache-2.0 */
/* Topologies and routing functions. BookSim numbers routers with the first coordinate as the
 * lowest digit and goes along it first; Interweft's first dimension is the highest digit. So a
 * network is the same with its coordinates in the other order, and so is every pattern that does
 * not mind (booksim_traffic.c). */
#include "interop/booksim.h"

#include <stdlib.h>
#include <assert.h>
#include <string.h>

#define ROUTERS_MOST 16777216

/* A size that cannot be is refused: no other network is near. */
static int64_t size(const weft_booksim *set, const char *key, int64_t least, int64_t most)
{
    bool refused = set->differences->refused;
    uint32_t before = set->differences->count;
    int64_t number = weft_booksim_int(set, key, least, most);
    set->differences->refused = refused || set->differences->count > before;
    return number;
}

static void size_of(const weft_booksim *set, weft_booksim_net *net, int64_t least_k,
                    int64_t least_n)
{
    net->k = size(set, "k", least_k, 1024);
    net->n = size(set, "n", least_n, 24);
    net->nodes = 1;
    for (int64_t i = 0; i < net->n && net->nodes <= ROUTERS_MOST; i++)
        net->nodes *= net->k;
    if (net->nodes > ROUTERS_MOST)
        weft_booksim_refuse(set, "n", "k^n routers are too many, at most %d", ROUTERS_MOST);
}

static void write_dims(const weft_booksim_net *net, const char *kind, int64_t hosts, weft_text *out)
{
    weft_text_add(out, "topology: {kind: %s, dims: [", kind);
    for (int64_t i = 0; i < net->n; i++)
        weft_text_add(out, "%s%lld", i ? ", " : "", (long long)net->k);
    if (hosts > 1)
        weft_text_add(out, "], hosts: %lld}\n", (long long)hosts);
    else
        weft_text_add(out, "]}\n");
}

static void write_links(const weft_booksim_net *net, weft_text *out)
{
    weft_text_add(out, "links:    {local: {latency: %lld cycle%s}, host: {latency: 1 cycle}}\n",
                  (long long)net->wire, net->wire == 1 ? "" : "s");
}

static void cube(const weft_booksim *set, weft_booksim_net *net, const char *kind, weft_text *out)
{
    size_of(set, net, 2, 1);
    net->lattice = net->same_numbers = true;
    write_dims(net, kind, 1, out);
    write_links(net, out);
}

static void mesh(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    net->wire = 1;
    cube(set, net, "mesh", out);
}

static void torus(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    net->wire = weft_booksim_is(set, "use_noc_latency", "1") ? 2 : 1;
    cube(set, net, "torus", out);
}

static bool power_of_two(int64_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

typedef struct floor_plan { /* of routers with several endpoints: BookSim numbers those by it */
    int64_t c, x, xr, yr;
} floor_plan;

/* c endpoints at a router, xr by yr; rows of x routers. */
static floor_plan plan_of(const weft_booksim *set, weft_booksim_net *net)
{
    floor_plan plan = {.c = weft_booksim_int(set, "c", 1, 256),
                       .x = weft_booksim_int(set, "x", 1, ROUTERS_MOST),
                       .xr = weft_booksim_int(set, "xr", 1, 256),
                       .yr = weft_booksim_int(set, "yr", 1, 256)};
    int64_t tiles = plan.xr * plan.yr;
    if (tiles != plan.c)
        weft_booksim_differ(set, "c", NULL, "it must be xr × yr = %lld", (long long)tiles);
    if (!weft_booksim_is(set, "y", weft_booksim_get(set, "x")->text))
        weft_booksim_differ(set, "y", NULL, "BookSim wants it to be x = %lld", (long long)plan.x);
    net->same_bits = power_of_two(net->nodes) && power_of_two(plan.x) && power_of_two(plan.xr) &&
                     power_of_two(plan.yr);
    return plan;
}

static void cmesh(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    size_of(set, net, 2, 2);
    if (net->n != 2)
        weft_booksim_refuse(set, "n", "it must be 2 … 2");
    floor_plan plan = plan_of(set, net);
    if (plan.x != net->k)
        weft_booksim_differ(set, "x", NULL, "it must be k = %lld", (long long)net->k);
    if (plan.c != 4)
        weft_booksim_differ(set, "c", NULL, "BookSim's cmesh has 4 endpoints at a router");
    net->wire = weft_booksim_is(set, "use_noc_latency", "1") ? 2 : 1;
    net->nodes *= plan.c;
    write_dims(net, "mesh", plan.c, out);
    write_links(net, out);
}

/* Cycles of the wires between a router and the others of its lines, on BookSim's floor plan. */
static void add_wires(const weft_booksim_net *net, const floor_plan *plan, int64_t node,
                      int64_t *sum, int64_t *shortest, int64_t *longest)
{
    int64_t step = 1;
    for (int64_t dim = 0; dim < net->n; dim++, step *= net->k)
        for (int64_t at = 0; at < net->k; at++) {
            int64_t other = node + (at - node / step % net->k) * step;
            int64_t across = llabs(node % plan->x - other % plan->x);
            int64_t along = llabs(node / plan->x - other / plan->x);
            int64_t wire = plan->xr * across + plan->yr * along;
            if (other == node)
                continue;
            *sum += wire;
            *shortest = wire < *shortest ? wire : *shortest;
            *longest = wire > *longest ? wire : *longest;
        }
}

/* The wires of a flatfly have lengths; the nearest is their mean, of the first thousand routers. */
static int64_t flatfly_wire(const weft_booksim *set, const weft_booksim_net *net,
                            const floor_plan *plan)
{
    int64_t sum = 0, shortest = INT64_MAX, longest = 0;
    int64_t routers = net->nodes < 1000 ? net->nodes : 1000;
    if (weft_booksim_is(set, "use_noc_latency", "0"))
        return 1;
    for (int64_t node = 0; node < routers; node++)
        add_wires(net, plan, node, &sum, &shortest, &longest);
    int64_t wires = routers * net->n * (net->k - 1);
    int64_t mean = wires > 0 ? (2 * sum + wires) / (2 * wires) : 0;
    if (shortest < longest || plan->xr > 3 || plan->yr > 3)
        weft_booksim_differ(set, "use_noc_latency", NULL,
                            "it gives the wires of a flatfly different lengths, %lld to %lld "
                            "cycles, %lld in the mean; 0 would be right",
                            (long long)shortest, (long long)longest, (long long)mean);
    return mean > 0 ? mean : 1;
}

static void flatfly(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    size_of(set, net, 2, 1);
    if (net->nodes > ROUTERS_MOST)
        return;
    floor_plan plan = plan_of(set, net);
    net->wire = flatfly_wire(set, net, &plan);
    net->nodes *= plan.c;
    net->lattice = net->same_numbers = plan.c == 1;
    write_dims(net, "flattened-butterfly", plan.c, out);
    write_links(net, out);
}

static void fly(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    size_of(set, net, 2, 1);
    if (net->n == 1 && net->k > 256)
        weft_booksim_refuse(set, "k", "a switch has at most 256 endpoints");
    if (net->n == 1)
        weft_text_add(out, "topology: {kind: full, routers: 1, hosts: %lld}\n", (long long)net->k);
    else
        weft_text_add(out, "topology: {kind: butterfly, arity: %lld, stages: %lld}\n",
                      (long long)net->k, (long long)net->n);
    net->wire = 1;
    net->same_numbers = net->n == 1;
    write_links(net, out);
}

static void fattree(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    size_of(set, net, 2, 2);
    weft_text_add(out, "topology: {kind: fat-tree, arity: %lld, levels: %lld}\n", (long long)net->k,
                  (long long)net->n);
    net->wire = 1;
    net->same_numbers = true;
    write_links(net, out);
}

static void qtree(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    net->k = size(set, "k", 4, 4);
    net->n = size(set, "n", 3, 3);
    net->nodes = 64;
    weft_text_add(out, "topology: {kind: fat-tree, form: xgft, down: [4, 4, 4], up: [1, 1, 1]}\n");
    net->wire = 1;
    net->same_numbers = true;
    write_links(net, out);
}

/* p endpoints and p global links at each of 2p routers of a group; every two groups joined. */
static void dragonfly(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    net->k = size(set, "k", 1, 22);
    net->n = size(set, "n", 1, 1);
    int64_t p = net->k, groups = 2 * p * p + 1;
    net->nodes = 2 * p * p * groups;
    net->wire = 10;
    net->same_numbers = true;
    weft_text_add(out,
                  "topology: {kind: dragonfly, groups: %lld, routers: %lld, hosts: %lld, "
                  "global: %lld, arrangement: absolute}\n",
                  (long long)groups, 2 * (long long)p, (long long)p, (long long)p);
    weft_text_add(out, "links:    {local: {latency: 10 cycles}, global: {latency: 100 cycles}, "
                       "host: {latency: 1 cycle}}\n");
}

static void anynet(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    (void)out;
    net->anynet = weft_booksim_get(set, "network_file")->text;
    net->wire = 1;
    if (*net->anynet == '\0')
        weft_booksim_refuse(set, "network_file", "an anynet needs the name of its file");
}

const weft_booksim_topology weft_booksim_topologies[] = {
    {"mesh", "`mesh`, n dimensions of k routers", mesh},
    {"torus", "`torus`, n dimensions of k routers", torus},
    {"cmesh", "`mesh`, k × k routers of 4 endpoints; express channels are never used", cmesh},
    {"fly", "`butterfly` of n stages; n = 1: `full`, one router", fly},
    {"fattree", "`fat-tree`, arity k, n levels", fattree},
    {"qtree", "`fat-tree`, form xgft, with single roots", qtree},
    {"flatfly", "`flattened-butterfly`, n dimensions of k routers, c endpoints each", flatfly},
    {"dragonflynew", "`dragonfly` of 2k² + 1 groups of 2k routers, k endpoints each", dragonfly},
    {"anynet", "`file`; the fabric is imported, its links must be of one latency", anynet},
    {"tree4", "its roots have two links to every subtree; write it as an anynet", NULL},
    {.name = NULL},
};

#define SEVERAL                                                                        \
    "it asks for channels of several outputs at once, Interweft's VC stage for those " \
    "of one; minimal-adaptive without vc-stage is the nearest"
#define TIED     "it ties channels to destinations"
#define EXPRESS  "it uses express channels, which a mesh has not"
#define QUEUES   "it weighs queues by its own constants; ugal is the nearest"
#define LOOKS    "it looks at queues; o1turn is the nearest"
#define CHAOS    "it belongs to router = chaos"
#define IN_ORDER "{kind: dimension-order}"
#define ADAPTIVE "{kind: minimal-adaptive}"

/* The first of a topology is the nearest of one that is not there. */
const weft_booksim_routing weft_booksim_routings[] = {
    {"dor", "mesh", IN_ORDER, NULL, 1, 0, 0, false, false},
    {"dim_order", "mesh", IN_ORDER, NULL, 1, 0, 0, false, false},
    {"dim_order", "torus", IN_ORDER, NULL, 2, 0, 0, false, false},
    {"xy_yx", "mesh", "{kind: o1turn}", NULL, 2, 0, 2, false, false},
    {"valiant", "mesh", "{kind: valiant, via: router}", NULL, 2, 0, 0, false, false},
    {"valiant", "torus", "{kind: valiant, via: router}", NULL, 4, 0, 0, false, false},
    {"dor_no_express", "cmesh", IN_ORDER, NULL, 1, 0, 0, false, false},
    {"xy_yx_no_express", "cmesh", "{kind: o1turn}", NULL, 2, 0, 2, false, false},
    {"dest_tag", "fly", IN_ORDER, NULL, 1, 0, 0, false, false},
    {"nca", "fattree", "{kind: minimal-oblivious, selection: random}", NULL, 1, 0, 0, false, false},
    {"nca", "qtree", "{kind: d-mod-k}", NULL, 1, 0, 0, false, false},
    {"ran_min", "flatfly", IN_ORDER, NULL, 1, 0, 0, false, false},
    {"xyyx", "flatfly", "{kind: o1turn}", NULL, 2, 0, 2, false, false},
    {"min", "dragonflynew", IN_ORDER,
     "packets on a global link share both channels, BookSim takes the second for all", 2, 2, 0,
     false, false},
    {"min", "anynet", "{kind: dimension-order, dateline: none}",
     "of several shortest ways it may be another one", 1, 0, 0, false, false},
    {"min_adapt", "mesh", ADAPTIVE, SEVERAL, 2, 0, 0, true, true},
    {"min_adapt", "torus", ADAPTIVE, SEVERAL, 3, 0, 0, true, true},
    {"adaptive_xy_yx", "mesh", "{kind: o1turn}", LOOKS, 2, 0, 2, true, false},
    {"planar_adapt", "mesh", ADAPTIVE, SEVERAL, 2, 0, 0, true, true},
    {"romm", "mesh", "{kind: valiant, via: router}",
     "its intermediate routers are minimal ones only; valiant is the nearest", 2, 0, 0, true,
     false},
    {"romm_ni", "mesh", "{kind: valiant, via: router}", TIED, 2, 0, 0, true, false},
    {"dim_order_ni", "mesh", IN_ORDER, TIED, 1, 0, 0, true, false},
    {"dim_order_pni", "mesh", IN_ORDER, TIED, 1, 0, 0, true, false},
    {"dim_order_ni", "torus", IN_ORDER, TIED, 2, 0, 0, true, false},
    {"valiant_ni", "torus", "{kind: valiant, via: router}", TIED, 4, 0, 0, true, false},
    {"dim_order_bal", "torus", IN_ORDER,
     "it balances channels by a second dateline; dim_order is the nearest", 2, 0, 0, true, false},
    {"chaos", "mesh", IN_ORDER, CHAOS, 1, 0, 0, true, false},
    {"chaos", "torus", IN_ORDER, CHAOS, 2, 0, 0, true, false},
    {"dor", "cmesh", IN_ORDER, EXPRESS "; dor_no_express is the nearest", 1, 0, 0, true, false},
    {"xy_yx", "cmesh", "{kind: o1turn}", EXPRESS "; xy_yx_no_express is the nearest", 2, 0, 2, true,
     false},
    {"anca", "fattree", ADAPTIVE, SEVERAL, 1, 0, 0, true, true},
    {"adaptive_xyyx", "flatfly", "{kind: o1turn}", LOOKS, 2, 0, 2, true, false},
    {"valiant", "flatfly", "{kind: valiant, via: router}",
     "its phases share channels in its own way", 2, 0, 0, true, false},
    {"ugal", "flatfly", "{kind: ugal, via: router}", QUEUES, 2, 0, 0, true, false},
    {"ugal_pni", "flatfly", "{kind: ugal, via: router}", QUEUES, 2, 0, 0, true, false},
    {"ugal_xyyx", "flatfly", "{kind: ugal, via: router}", QUEUES, 2, 0, 0, true, false},
    {"ugal", "dragonflynew", "{kind: ugal}", QUEUES, 3, 0, 0, true, false},
    {.name = NULL},
};

/* The names that are translated on a topology. */
static const char *known_on(const weft_booksim *set, const char *topology)
{
    const char *known = "";
    for (const weft_booksim_routing *row = weft_booksim_routings; row->name; row++)
        if (!row->nearest && strcmp(row->topology, topology) == 0)
            known = weft_arena_format(set->arena, "%s%s%s", known, *known ? ", " : "", row->name);
    return known;
}

/* The row of a routing function; of one that is not there the topology's first. */
static const weft_booksim_routing *find_routing(const weft_booksim *set, const char *topology)
{
    const weft_booksim_routing *first = NULL;
    for (const weft_booksim_routing *row = weft_booksim_routings; row->name; row++) {
        if (strcmp(row->topology, topology) != 0)
            continue;
        if (weft_booksim_is(set, "routing_function", row->name))
            return row;
        first = first ? first : row;
    }
    assert(first); /* every topology has a row */
    weft_booksim_differ(set, "routing_function", first->name, "on a %s these are translated: %s",
                        topology, known_on(set, topology));
    return first;
}

static void write_routing(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    const weft_booksim_routing *row = find_routing(set, weft_booksim_get(set, "topology")->text);
    bool noted = row->why && !row->nearest;
    if (row->nearest)
        weft_booksim_differ(set, "routing_function", NULL, "%s", row->why);
    if (row->n && net->n != row->n)
        weft_booksim_refuse(set, "n", "routing_function = %s needs %lld dimensions", row->name,
                            (long long)row->n);
    net->vcs = weft_booksim_int(set, "num_vcs", row->least, row->most ? row->most : 16);
    net->several = row->several;
    weft_text_add(out, "routing:  %s%s%s\n", row->becomes, noted ? " # " : "",
                  noted ? row->why : "");
}

void weft_booksim_network(const weft_booksim *set, weft_booksim_net *net, weft_text *out)
{
    const char *known = "";
    /* if it is refused, it is not to blame for anything else */
    *net = (weft_booksim_net){.vcs = 1, .same_numbers = true, .lattice = true};
    for (const weft_booksim_topology *row = weft_booksim_topologies; row->name; row++) {
        if (weft_booksim_is(set, "topology", row->name)) {
            if (!row->write)
                weft_booksim_refuse(set, "topology", "%s", row->becomes);
            if (!row->write)
                return;
            net->same_numbers = net->lattice = false;
            row->write(set, net, out);
            write_routing(set, net, out);
            return;
        }
        if (row->write)
            known = weft_arena_format(set->arena, "%s%s%s", known, *known ? ", " : "", row->name);
    }
    weft_booksim_refuse(set, "topology", "these are translated: %s", known);
}
