/* SPDX-License-Identifier: Apache-2.0 */
#include "net/bounds/cuts.h"

#include "base/memory.h"

#include <stdlib.h>

/* Is a router in the upper half of a dimension? */
static bool upper(const weft_lattice *lattice, uint32_t router, uint32_t dim)
{
    for (uint32_t d = lattice->dims; --d > dim;)
        router /= lattice->size[d];
    return router % lattice->size[dim] >= lattice->size[dim] / 2;
}

/* Counts an amount for all cuts between two routers. */
static void count(const weft_cuts *cuts, double *const *sums, uint32_t from, uint32_t to,
                  double amount)
{
    const weft_topology *topology = &cuts->network->topology;
    if (from == to)
        return;
    sums[WEFT_CUT_OUT_OF_ROUTER][from] += amount;
    sums[WEFT_CUT_INTO_ROUTER][to] += amount;
    uint32_t group = topology->group;
    if (group && from / group != to / group) {
        sums[WEFT_CUT_OUT_OF_GROUP][from / group] += amount;
        sums[WEFT_CUT_INTO_GROUP][to / group] += amount;
    }
    for (uint32_t d = 0; d < topology->lattice.dims; d++) {
        bool up = upper(&topology->lattice, from, d);
        if (up != upper(&topology->lattice, to, d))
            sums[up ? WEFT_CUT_UPPER_HALF : WEFT_CUT_LOWER_HALF][d] += amount;
    }
}

void weft_cuts_init(weft_cuts *cuts, const weft_network *network)
{
    const weft_topology *topology = &network->topology;
    uint32_t groups = topology->group ? (topology->routers - 1) / topology->group + 1 : 0;
    *cuts = (weft_cuts){.network = network,
                        .count = {topology->routers, topology->routers, groups, groups,
                                  topology->lattice.dims, topology->lattice.dims}};
    for (int k = 0; k < WEFT_CUT_KINDS; k++) {
        cuts->flits[k] = weft_alloc(sizeof(double) * (cuts->count[k] + 1));
        cuts->room[k] = weft_alloc(sizeof(double) * (cuts->count[k] + 1));
    }
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            uint32_t to = topology->kind->peer(topology, r, p).router;
            if (to != WEFT_NOWHERE && weft_topology_alive(topology, r, p))
                count(cuts, cuts->room, r, to,
                      1 / (double)network->timing.period[topology->port_class[p]]);
        }
}

void weft_cuts_done(weft_cuts *cuts)
{
    for (int k = 0; k < WEFT_CUT_KINDS; k++) {
        free(cuts->flits[k]);
        free(cuts->room[k]);
    }
}

void weft_cuts_add(weft_cuts *cuts, uint32_t from, uint32_t to, double flits)
{
    count(cuts, cuts->flits, from, to, flits);
}

weft_tightest_cut weft_cuts_find(const weft_cuts *cuts)
{
    weft_tightest_cut found = {0};
    for (int k = 0; k < WEFT_CUT_KINDS; k++)
        for (uint32_t i = 0; i < cuts->count[k]; i++)
            if (cuts->flits[k][i] > found.busy * cuts->room[k][i])
                found = (weft_tightest_cut){.busy = cuts->flits[k][i] / cuts->room[k][i],
                                            .kind = (weft_cut_kind)k,
                                            .which = i};
    return found;
}
