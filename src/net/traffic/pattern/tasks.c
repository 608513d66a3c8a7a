/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks of a parallel program, one at every endpoint, send to their partners in a graph: a
 * ring, a stencil, or a random graph. The placement maps tasks to endpoints. Graphs are not stored:
 * partner i of a task is computed. */
#include "net/traffic/pattern.h"
#include "net/traffic/placement.h"

#include <stddef.h>

enum { RING, STENCIL, RANDOM };
static const char *const graphs[] = {"ring", "stencil", "random", NULL};

enum { REACH_MAX = 32, STENCIL_PARTNERS = 4 };

typedef struct settings {
    int graph;
    int64_t reach, seed;
    weft_kind_ref placement;
} settings;

static const weft_param params[] = {
    {.name = "graph",
     .brief = "ring: to the next tasks in a circle and the ones before; stencil: to the four "
              "neighbours in a square grid that closes; random: to partners drawn at random",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, graph),
     .fallback = "ring",
     .choices = graphs},
    {.name = "reach",
     .brief = "how many partners: on either side of a ring, or in a random graph",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, reach),
     .fallback = "1",
     .min = 1,
     .max = REACH_MAX},
    {.name = "seed",
     .brief = "of a random graph, whatever the scenario's seed is",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, seed),
     .fallback = "1",
     .min = 0,
     .max = 1e18},
    {.name = "placement",
     .brief = "which task runs where",
     .type = WEFT_PARAM_KIND,
     .offset = offsetof(settings, placement),
     .fallback = "linear",
     .family = "placement"},
    {.name = NULL},
};

typedef struct instance {
    settings set;
    const weft_placement_kind *placement;
    uint32_t tasks, side; /* of the stencil's square */
    uint32_t partners;
    double mean_hops;
} instance;

static uint32_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u; /* SplitMix64 */
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)(x >> 32);
}

static uint32_t ring_partner(const instance *self, uint32_t task, uint32_t i)
{
    uint32_t away = i / 2 + 1, n = self->tasks;
    return i % 2 ? (task + n - away) % n : (task + away) % n;
}

static uint32_t stencil_partner(const instance *self, uint32_t task, uint32_t i)
{
    uint32_t k = self->side, row = task / k, column = task % k, back = i % 2 ? k - 1 : 1;
    return i < 2 ? (row + back) % k * k + column : row * k + (column + back) % k;
}

/* Distances to them are different for all i: partner i is drawn among those (tasks − 1) /
 * partners that are its own. */
static uint32_t random_partner(const instance *self, uint32_t task, uint32_t i)
{
    uint64_t all = self->tasks - 1;
    uint32_t first = (uint32_t)(all * i / self->partners);
    uint32_t behind = (uint32_t)(all * (i + 1) / self->partners);
    uint64_t word = (uint64_t)self->set.seed + ((uint64_t)task << 6 | i) * 0x9E3779B97F4A7C15u;
    uint32_t away = first + (uint32_t)((uint64_t)mix(word) * (behind - first) >> 32);
    return (task + 1 + away) % self->tasks;
}

static uint32_t partner(const instance *self, uint32_t source, const weft_pattern *pattern,
                        uint32_t i)
{
    static uint32_t (*const find[])(const instance *, uint32_t, uint32_t) = {
        [RING] = ring_partner, [STENCIL] = stencil_partner, [RANDOM] = random_partner};
    const void *where = self->set.placement.settings;
    uint32_t task = self->placement->task(pattern->topology, where, source);
    return self->placement->endpoint(pattern->topology, where,
                                     find[self->set.graph](self, task, i));
}

static weft_status count_partners(instance *self, weft_error *err)
{
    uint64_t most = self->tasks > 0 ? (self->tasks - 1u) / (self->set.graph == RING ? 2u : 1u) : 0;
    if (self->set.graph == STENCIL) {
        while ((self->side + 1) * (self->side + 1) <= self->tasks)
            self->side++;
        self->partners = STENCIL_PARTNERS;
        if (self->side * self->side != self->tasks || self->side < 3)
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "pattern tasks with graph stencil needs a square number of endpoints, 9 "
                "or more, found %u",
                self->tasks);
        return WEFT_OK;
    }
    if ((uint64_t)self->set.reach > most)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern tasks with %u endpoints has a reach of at most %u, found %d",
                         self->tasks, (unsigned)most, (int)self->set.reach);
    self->partners = (uint32_t)self->set.reach * (self->set.graph == RING ? 2 : 1);
    return WEFT_OK;
}

static weft_status build(weft_pattern *pattern, const void *given, weft_error *err)
{
    instance *self = pattern->self;
    const weft_topology *topology = pattern->topology;
    double hops = 0;
    self->set = *(const settings *)given;
    self->placement = (const weft_placement_kind *)self->set.placement.kind;
    if (!self->placement)
        self->placement = &weft_placement_linear;
    self->tasks = weft_topology_endpoints(topology);
    if (self->placement->check)
        WEFT_TRY(self->placement->check(topology, err));
    WEFT_TRY(count_partners(self, err));
    for (uint32_t source = 0; source < self->tasks; source++)
        for (uint32_t i = 0; i < self->partners; i++) {
            uint32_t to = partner(self, source, pattern, i);
            hops += topology->kind->distance(topology, weft_topology_home(topology, source),
                                             weft_topology_egress(topology, to));
        }
    self->mean_hops = hops / ((double)self->tasks * self->partners);
    return WEFT_OK;
}

static uint32_t destination(const weft_pattern *pattern, uint32_t source, weft_random *random)
{
    const instance *self = pattern->self;
    return partner(self, source, pattern, weft_random_below(random, self->partners));
}

static void odds(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each, void *user)
{
    const instance *self = pattern->self;
    for (uint32_t i = 0; i < self->partners; i++)
        each(user, partner(self, source, pattern, i), 1, 1.0 / self->partners);
}

static double mean_hops(const weft_pattern *pattern)
{
    return ((const instance *)pattern->self)->mean_hops;
}

static uint32_t senders(const weft_pattern *pattern)
{
    return ((const instance *)pattern->self)->tasks;
}

const weft_pattern_kind weft_pattern_tasks = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_pattern_kind),
             .name = "tasks",
             .brief = "the tasks of a parallel program to their partners in a graph",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(instance)},
    .build = build,
    .destination = destination,
    .mean_hops = mean_hops,
    .senders = senders,
    .odds = odds,
    .confines = WEFT_CONFINES_NOT,
};
