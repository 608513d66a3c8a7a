/* SPDX-License-Identifier: Apache-2.0 */
/* A butterfly (k-ary n-fly): n stages of k^(n−1) routers with k inputs and k outputs;
 * unidirectional links lead from stage to stage. Endpoints send to the routers of the first stage
 * and receive from those of the last.
 *
 * A router's number is its stage, then n − 1 digits of base k, the highest first. Output p of
 * stage s leads to the router of stage s + 1 whose digit s is p instead; there it is the input
 * of the number that digit had. The route header is the destination's number in the last stage, +
 * 1: its digit s is the output to take, so there is one route. */
#include "net/topology.h"
#include "net/topology/common/grid.h"

#include <assert.h>
#include <stdio.h>

#define STAGES_MAX  28
#define ROUTERS_MAX ((uint64_t)1 << 28)

typedef struct settings {
    int64_t arity, stages;
} settings;

static const weft_param params[] = {
    {.name = "arity",
     .brief = "k: endpoints of a router of the first stage, and its outputs",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, arity),
     .min = 2,
     .max = WEFT_PORTS_MAX},
    {.name = "stages",
     .brief = "n: a packet passes so many routers",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, stages),
     .min = 2,
     .max = STAGES_MAX},
    {.name = NULL},
};

typedef struct fly {
    uint32_t arity, stages;
    uint32_t width; /* routers of a stage */
    weft_reciprocal by_width, by_arity;
    uint32_t weight[STAGES_MAX]; /* of the digit that stage s changes */
    weft_reciprocal by_weight[STAGES_MAX];
} fly;

/* By the digits that the first stages change: from then on a packet stays in its part. */
static void declare_cut(weft_topology *topology, const fly *self)
{
    weft_topology_cut *cut = &topology->cut;
    for (uint32_t s = 0; s < self->stages && s < WEFT_DIMS_MAX; s++) {
        cut->row[cut->n_rows++] = s * self->width;
        if (self->weight[s] > 1)
            cut->unit[cut->n_units++] = self->weight[s];
    }
}

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    fly *self = topology->self;
    uint64_t width = 1;
    for (int64_t s = 1; s < set->stages; s++) {
        width *= (uint64_t)set->arity;
        if (width * (uint64_t)set->stages > ROUTERS_MAX)
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "topology.arity and topology.stages make more than %llu routers (2^28), "
                "the most there can be",
                (unsigned long long)ROUTERS_MAX);
    }
    self->arity = (uint32_t)set->arity;
    self->stages = (uint32_t)set->stages;
    self->width = (uint32_t)width;
    self->by_width = weft_reciprocal_of(self->width);
    self->by_arity = weft_reciprocal_of(self->arity);
    for (uint32_t s = 0, weight = self->width; s + 1 < self->stages; s++) {
        self->weight[s] = weight /= self->arity;
        self->by_weight[s] = weft_reciprocal_of(weight);
    }
    topology->routers = self->width * self->stages;
    topology->concentration = topology->ports = self->arity;
    topology->edge_routers = self->width;
    topology->egress_offset = topology->routers - self->width;
    topology->links = (uint64_t)topology->egress_offset * self->arity;
    topology->header_bits = weft_grid_bits(self->width + 1);
    topology->proof.acyclic = true;
    declare_cut(topology, self);
    return WEFT_OK;
}

/* The digit of a place in its stage that stage s changes. */
static uint32_t digit(const fly *self, uint32_t index, uint32_t s)
{
    uint32_t above = weft_divide(index, self->by_weight[s]);
    return above - weft_divide(above, self->by_arity) * self->arity;
}

static weft_end peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    const fly *self = topology->self;
    if (router >= topology->egress_offset)
        return (weft_end){.router = WEFT_NOWHERE};
    uint32_t s = weft_divide(router, self->by_width);
    uint32_t old = digit(self, router - s * self->width, s), weight = self->weight[s];
    return (weft_end){.router = router + self->width - old * weight + port * weight, .port = old};
}

static weft_end upstream(const weft_topology *topology, uint32_t router, uint32_t in)
{
    const fly *self = topology->self;
    if (router < self->width)
        return (weft_end){.router = WEFT_NOWHERE};
    uint32_t s = weft_divide(router, self->by_width) - 1;
    uint32_t now = digit(self, router - (s + 1) * self->width, s), weight = self->weight[s];
    return (weft_end){.router = router - self->width - now * weight + in * weight, .port = now};
}

/* Is router `to`, of the last stage, the one that the digits which will not change any more lead
 * to? */
static bool leads(const fly *self, uint32_t from, uint32_t to)
{
    uint32_t s = weft_divide(from, self->by_width), last = self->stages - 1;
    uint32_t here = from - s * self->width, there = to - last * self->width;
    uint32_t fixed = s ? self->weight[s - 1] : self->width;
    return here / fixed == there / fixed;
}

/* To a router of the last stage: no packet goes anywhere else. */
static uint32_t distance(const weft_topology *topology, uint32_t from, uint32_t to)
{
    const fly *self = topology->self;
    if (from == to)
        return 0;
    if (to < topology->egress_offset || !leads(self, from, to))
        return WEFT_NOWHERE;
    return self->stages - 1 - weft_divide(from, self->by_width);
}

static double mean_distance(const weft_topology *topology)
{
    return ((const fly *)topology->self)->stages - 1.0;
}

static uint32_t diameter(const weft_topology *topology)
{
    return ((const fly *)topology->self)->stages - 1;
}

static uint32_t make_header(const weft_topology *topology, uint32_t from, uint32_t to,
                            weft_random *tie)
{
    (void)tie; /* there is one way */
    assert(to >= topology->egress_offset);
    return from == to ? 0 : to - topology->egress_offset + 1;
}

static unsigned minimal_ports(const weft_topology *topology, uint32_t router, uint32_t route,
                              unsigned most, weft_minimal_port *out)
{
    const fly *self = topology->self;
    (void)most;
    if (route == 0)
        return 0;
    uint32_t s = weft_divide(router, self->by_width), left = self->stages - 1 - s;
    assert(left > 0);
    *out = (weft_minimal_port){.port = (uint16_t)digit(self, route - 1, s),
                               .hops = (uint16_t)left,
                               .next_header = left > 1 ? route : 0,
                               .dim = WEFT_NO_DIM};
    return 1;
}

static bool header_valid(const weft_topology *topology, uint32_t router, uint32_t route)
{
    const fly *self = topology->self;
    if (route == 0 || router >= topology->egress_offset)
        return route == 0 && router >= topology->egress_offset;
    return route <= self->width && leads(self, router, topology->egress_offset + route - 1);
}

/* Halves by the highest digit that is not the middle one (k odd). At stage s k^(n−2−s) groups of
 * routers differ in digit s alone, and links within a group lead from any to any; of an even k
 * all cross at the first stage. */
static uint64_t bisection(const weft_topology *topology)
{
    const fly *self = topology->self;
    uint64_t k = self->arity, across = 2 * (k / 2) * (k - k / 2), links = 0;
    for (uint32_t s = 0; s + 1 < self->stages && (s == 0 || k % 2); s++)
        links += self->weight[s] * across;
    return links;
}

static void name(const weft_topology *topology, uint32_t router, char *text, size_t size)
{
    const fly *self = topology->self;
    uint32_t s = weft_divide(router, self->by_width);
    (void)snprintf(text, size, "stage %u router %u", s, router - s * self->width);
}

const weft_topology_kind weft_topology_butterfly = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_topology_kind),
             .name = "butterfly",
             .brief = "stages of routers joined one way (k-ary n-fly)",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(fly)},
    .build = build,
    .peer = peer,
    .upstream = upstream,
    .distance = distance,
    .mean_distance = mean_distance,
    .make_header = make_header,
    .minimal_ports = minimal_ports,
    .header_valid = header_valid,
    .closed_form.bisection = bisection,
    .closed_form.diameter = diameter,
    .name = name,
    .minimal = "destination tag",
};
