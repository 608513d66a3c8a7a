/* SPDX-License-Identifier: Apache-2.0 */
#include "net/topology/common/spreading.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FAR UINT8_MAX

/* Hops from every router to the nearest edge router, those of the highest tier at most; returns
 * that. */
static uint32_t find_tiers(weft_spreading *spreading, const uint32_t *to, uint32_t routers,
                           uint32_t ports, uint32_t edge_routers)
{
    uint32_t *queue = weft_alloc(sizeof *queue * routers), found = edge_routers, highest = 0;
    memset(spreading->tier, FAR, routers);
    memset(spreading->tier, 0, edge_routers);
    for (uint32_t r = 0; r < edge_routers; r++)
        queue[r] = r;
    for (uint32_t at = 0; at < found; at++) {
        uint8_t next = (uint8_t)(spreading->tier[queue[at]] + 1);
        for (uint32_t p = 0; p < ports && next < WEFT_TIERS_MAX; p++) {
            uint32_t other = to[(size_t)queue[at] * ports + p];
            if (other == WEFT_NOWHERE || spreading->tier[other] != FAR)
                continue;
            spreading->tier[other] = next;
            highest = next;
            queue[found++] = other;
        }
    }
    free(queue);
    return highest;
}

/* Different routers of the next tier that a router is joined to. */
static uint32_t count_parents(const weft_spreading *spreading, uint32_t router, const uint32_t *to,
                              uint32_t ports)
{
    uint32_t seen[WEFT_PORTS_MAX], count = 0;
    for (uint32_t p = 0; p < ports; p++) {
        if (to[p] == WEFT_NOWHERE || spreading->tier[to[p]] != spreading->tier[router] + 1)
            continue;
        uint32_t k = 0;
        while (k < count && seen[k] != to[p])
            k++;
        if (k == count)
            seen[count++] = to[p];
    }
    return count;
}

void weft_spreading_init(weft_spreading *spreading, const uint32_t *to, uint32_t routers,
                         uint32_t ports, uint32_t edge_routers)
{
    assert(ports <= WEFT_PORTS_MAX);
    *spreading = (weft_spreading){.stride = {1}};
    for (uint32_t i = 1; i <= WEFT_TIERS_MAX; i++)
        spreading->stride[i] = 1;
    if (edge_routers == routers)
        return;
    uint32_t parents[WEFT_TIERS_MAX + 1] = {0};
    spreading->tier = weft_alloc(routers);
    uint32_t highest = find_tiers(spreading, to, routers, ports, edge_routers);
    for (uint32_t r = 0; r < routers; r++) {
        uint32_t tier = spreading->tier[r];
        uint32_t count =
            tier < highest ? count_parents(spreading, r, to + (size_t)r * ports, ports) : 0;
        if (tier < highest && count > parents[tier])
            parents[tier] = count;
    }
    for (uint32_t i = 0; i < WEFT_TIERS_MAX; i++) {
        uint64_t stride = (uint64_t)spreading->stride[i] * (parents[i] ? parents[i] : 1);
        spreading->stride[i + 1] = stride < UINT32_MAX ? (uint32_t)stride : UINT32_MAX;
    }
}

void weft_spreading_done(weft_spreading *spreading)
{
    free(spreading->tier);
    spreading->tier = NULL;
}

unsigned weft_spreading_choose(const weft_spreading *spreading, uint32_t router, uint32_t endpoint,
                               const uint32_t *behind, const uint16_t *port, unsigned count)
{
    unsigned first[WEFT_PORTS_MAX + 1], groups = 0; /* ports in a row that lead to one router */
    if (count == 1)
        return 0;
    assert(count > 0 && count <= WEFT_PORTS_MAX);
    for (unsigned i = 0; i < count; i++)
        if (i == 0 || behind[port[i]] != behind[port[i - 1]])
            first[groups++] = i;
    first[groups] = count;
    uint32_t of_router = router + endpoint, of_cable = of_router / groups;
    if (spreading->tier) {
        uint32_t tier = spreading->tier[router], next = spreading->tier[behind[port[0]]];
        tier = tier < WEFT_TIERS_MAX ? tier : 0;
        of_router = endpoint / spreading->stride[tier];
        of_cable = endpoint / spreading->stride[next < tier ? tier : tier + 1];
    }
    const unsigned *group = first + of_router % groups;
    return group[0] + of_cable % (group[1] - group[0]);
}
