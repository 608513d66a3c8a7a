/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of lanes of a hierarchy. A way inside is known by its port, its dimension and the
 * word behind it; which outer way it serves, and what it is to the inner network, is found again
 * where a class depends on it. */
#include "net/topology/common/hierarchy/hierarchy.h"

#include <assert.h>

/* The inner way by a port to an inner router; false: the port does not lead there. */
static bool inner_way(const weft_hierarchy *self, uint32_t from, uint32_t to, uint32_t port,
                      weft_way *way)
{
    weft_way ways[WEFT_WAYS_MAX];
    unsigned count =
        from == to ? 0 : weft_hierarchy_inner_ways(self, from, to, WEFT_WAYS_MAX, ways);
    for (unsigned i = 0; i < count; i++)
        if (ways[i].port == port) {
            *way = ways[i];
            return true;
        }
    return false;
}

/* The class of lanes that the inner network wants. */
static uint32_t inner_lane(const weft_hierarchy *self, uint32_t from, const weft_way *way)
{
    const weft_topology *inner = &self->inner;
    return inner->kind->lane ? inner->kind->lane(inner, from, way) : 0;
}

/* The outer way that a way inside serves, and that way as the inner network sees it. */
static weft_way served(const weft_hierarchy *self, weft_hierarchy_place at, const weft_way *way,
                       weft_way *inside)
{
    weft_way outer[WEFT_WAYS_MAX];
    unsigned count = weft_hierarchy_outer_ways(self, at, way->after >> self->shift,
                                               (way->after & self->mask) - 1, outer);
    for (unsigned i = 0; i < count; i++)
        if (outer[i].dim == way->dim &&
            inner_way(self, at.inner, self->attach[outer[i].port], way->port, inside))
            return outer[i];
    assert(0 && "a way that nobody listed");
    return outer[0];
}

static uint32_t outer_lane(const weft_hierarchy *self, uint32_t router, const weft_way *way)
{
    const weft_topology *outer = &self->outer;
    return outer->kind->lane ? outer->kind->lane(outer, router, way) : 0;
}

/* Of a packet on an inner link that has outer hops before it. */
static uint32_t lane_on_the_way(const weft_hierarchy *self, weft_hierarchy_place at,
                                const weft_way *way)
{
    if (self->inner.classes == 1 && !self->by_class)
        return self->by_dim ? way->dim : 0;
    weft_way inside = *way, outer = served(self, at, way, &inside);
    uint32_t level = self->by_dim ? outer.dim : 0;
    if (self->by_class)
        level = level * self->outer.classes + outer_lane(self, at.outer, &outer);
    return level * self->inner.lanes[way->port] + inner_lane(self, at.inner, &inside);
}

/* Of one that is in the right place outside. */
static uint32_t lane_at_last(const weft_hierarchy *self, weft_hierarchy_place at,
                             const weft_way *way)
{
    const weft_topology *inner = &self->inner;
    uint32_t last = (self->levels - 1) * inner->lanes[way->port];
    if (inner->classes == 1)
        return last;
    weft_way inside = *way;
    uint32_t end =
        way->after ? way->after - 1 : inner->kind->peer(inner, at.inner, way->port).router;
    bool found = inner_way(self, at.inner, end, way->port, &inside);
    assert(found);
    (void)found;
    return last + inner_lane(self, at.inner, &inside);
}

uint32_t weft_hierarchy_lane(const weft_topology *topology, uint32_t router, const weft_way *way)
{
    const weft_hierarchy *self = topology->self;
    weft_hierarchy_place at = weft_hierarchy_split(self, router);
    if (way->port >= self->inner.ports) {
        weft_way outer = *way;
        if (self->outer.classes == 1)
            return 0;
        outer.port =
            (uint16_t)weft_hierarchy_port_in(self, at.inner, way->port - self->inner.ports);
        outer.after = way->after >> self->shift;
        return outer_lane(self, at.outer, &outer);
    }
    return way->after >> self->shift ? lane_on_the_way(self, at, way) : lane_at_last(self, at, way);
}
