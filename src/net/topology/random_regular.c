/* SPDX-License-Identifier: Apache-2.0 */
/* A random regular network (Jellyfish: Singla, Hong, Popa and Godfrey 2012): every router is joined
 * to `degree` others, and all such networks are almost equally likely.
 *
 * It starts as a ring with chords and is then shuffled: two random cables exchange an end each,
 * unless that would join a router to itself or two routers twice (the switch chain, rapidly mixing
 * on regular graphs: Cooper, Dyer and Greenhill 2007). So every intermediate network is regular and
 * simple; if the last one is not connected, shuffling goes on. The same seed gives the same
 * network. */
#include "net/topology.h"
#include "net/topology/common/adjacency.h"

#include <assert.h>

#define ROUNDS_MAX 1000 /* of shuffling, until it is in one piece */
#define EXCHANGES  10   /* per end of a cable and round */

typedef struct settings {
    int64_t routers, degree, hosts, seed;
} settings;

static const weft_param params[] = {
    {.name = "routers",
     .brief = "number of routers",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, routers),
     .min = 4,
     .max = 1 << 20},
    {.name = "degree",
     .brief = "routers that each router is joined to",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, degree),
     .min = 3,
     .max = WEFT_ADJACENCY_PORTS_MAX},
    {.name = "hosts",
     .brief = "endpoints at every router",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, hosts),
     .fallback = "1",
     .min = 1,
     .max = WEFT_PORTS_MAX},
    {.name = "seed",
     .brief = "the same seed draws the same network",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, seed),
     .fallback = "1",
     .min = 0,
     .max = 9007199254740992.0},
    {.name = NULL},
};

static weft_status check(const settings *set, weft_error *err)
{
    if (set->degree >= set->routers)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.degree must be less than topology.routers (%lld), found %lld",
                         (long long)set->routers, (long long)set->degree);
    if (set->routers * set->degree % 2)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.routers × topology.degree must be even (a cable has two ends), "
                         "found %lld × %lld",
                         (long long)set->routers, (long long)set->degree);
    return WEFT_OK;
}

/* A ring with chords: each router is joined to its next degree / 2 on both sides and, if that is
 * odd, to the one opposite. */
static void lay(weft_adjacency *table)
{
    uint32_t n = table->routers, d = table->ports;
    for (uint32_t r = 0; r < n; r++) {
        for (uint32_t step = 1; step <= d / 2; step++)
            weft_adjacency_join(table, (weft_end){r, 2 * step - 2},
                                (weft_end){(r + step) % n, 2 * step - 1});
        if (d % 2 && r < n / 2)
            weft_adjacency_join(table, (weft_end){r, d - 1}, (weft_end){r + n / 2, d - 1});
    }
}

static weft_end behind(const weft_adjacency *table, weft_end end)
{
    size_t at = (size_t)end.router * table->ports + end.port;
    return (weft_end){table->to[at], table->back[at]};
}

static weft_end draw_end(const weft_adjacency *table, weft_random *random)
{
    uint32_t router = weft_random_below(random, table->routers);
    return (weft_end){router, weft_random_below(random, table->ports)};
}

/* Cables a–b and c–d become a–c and b–d, if they may. */
static void exchange(weft_adjacency *table, weft_end a, weft_end c)
{
    weft_end b = behind(table, a), d = behind(table, c);
    if (a.router == c.router || b.router == d.router ||
        weft_adjacency_joined(table, a.router, c.router) ||
        weft_adjacency_joined(table, b.router, d.router))
        return;
    weft_adjacency_join(table, a, c);
    weft_adjacency_join(table, b, d);
}

static void shuffle(weft_adjacency *table, weft_random *random)
{
    uint64_t ends = (uint64_t)table->routers * table->ports;
    for (uint64_t i = 0; i < EXCHANGES * ends; i++) {
        weft_end a = draw_end(table, random);
        exchange(table, a, draw_end(table, random));
    }
}

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    weft_adjacency *table = topology->self;
    WEFT_TRY(check(set, err));
    weft_adjacency_init(table, (uint32_t)set->routers, (uint32_t)set->degree);
    lay(table);
    uint32_t cut, round = 0;
    do {
        weft_random random = weft_random_stream((uint64_t)set->seed, round, 0, WEFT_FOR_CABLES);
        shuffle(table, &random);
    } while (!weft_adjacency_connected(table, &cut) && ++round < ROUNDS_MAX);
    weft_status status = weft_adjacency_survey(table, table->routers, err);
    if (status != WEFT_OK) {
        weft_adjacency_done(table);
        return status;
    }
    weft_adjacency_fill(topology, (uint32_t)set->hosts);
    return WEFT_OK;
}

static void done(weft_topology *topology)
{
    weft_adjacency_done(topology->self);
}

const weft_topology_kind weft_topology_random_regular = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_topology_kind),
             .name = "random-regular",
             .brief =
                 "every router joined to the same number of others drawn at random (Jellyfish)",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(weft_adjacency)},
    .build = build,
    .done = done,
    WEFT_ADJACENCY_ANSWERS,
};
