/* SPDX-License-Identifier: Apache-2.0 */
/* VC classes of a hierarchy. An inner minimal port is given by its port, its dimension and the next
 * header; the outer port that it leads to, and its description in the inner network, are found
 * again where a class depends on them. */
#include "net/topology/common/hierarchy/hierarchy.h"

#include <assert.h>

/* The inner way by a port to an inner router; false: the port does not lead there. */
static bool inner_way(const weft_hierarchy *self, uint32_t from, uint32_t to, uint32_t port,
                      weft_minimal_port *way)
{
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned count =
        from == to ? 0 : weft_hierarchy_inner_ways(self, from, to, WEFT_MINIMAL_PORTS_MAX, ways);
    for (unsigned i = 0; i < count; i++)
        if (ways[i].port == port) {
            *way = ways[i];
            return true;
        }
    return false;
}

/* The VC class that the inner network wants. */
static uint32_t inner_vc(const weft_hierarchy *self, uint32_t from, const weft_minimal_port *way)
{
    const weft_topology *inner = &self->inner;
    return inner->kind->vc_class ? inner->kind->vc_class(inner, from, way) : 0;
}

/* The outer way that a way inside serves, and that way as the inner network sees it. */
static weft_minimal_port served(const weft_hierarchy *self, weft_hierarchy_place at,
                                const weft_minimal_port *way, weft_minimal_port *inside)
{
    weft_minimal_port outer[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = weft_hierarchy_outer_ways(self, at, way->next_header >> self->shift,
                                               (way->next_header & self->mask) - 1, outer);
    unsigned seen = 0;
    bool found = false;
    for (; seen < count && !found; seen++)
        found = outer[seen].dim == way->dim &&
                inner_way(self, at.inner, self->attach[outer[seen].port], way->port, inside);
    assert(found);
    return outer[seen - 1];
}

static uint32_t outer_vc(const weft_hierarchy *self, uint32_t router, const weft_minimal_port *way)
{
    const weft_topology *outer = &self->outer;
    return outer->kind->vc_class ? outer->kind->vc_class(outer, router, way) : 0;
}

/* Of a packet on an inner link that has outer hops before it. */
static uint32_t vc_on_the_way(const weft_hierarchy *self, weft_hierarchy_place at,
                              const weft_minimal_port *way)
{
    if (self->inner.max_vc_classes == 1 && !self->by_class)
        return self->by_dim ? way->dim : 0;
    weft_minimal_port inside = *way, outer = served(self, at, way, &inside);
    uint32_t level = self->by_dim ? outer.dim : 0;
    if (self->by_class)
        level = level * self->outer.max_vc_classes + outer_vc(self, at.outer, &outer);
    return level * self->inner.vc_classes[way->port] + inner_vc(self, at.inner, &inside);
}

/* Of one that is in the right place outside. */
static uint32_t vc_at_last(const weft_hierarchy *self, weft_hierarchy_place at,
                           const weft_minimal_port *way)
{
    const weft_topology *inner = &self->inner;
    uint32_t last = (self->levels - 1) * inner->vc_classes[way->port];
    if (inner->max_vc_classes == 1)
        return last;
    weft_minimal_port inside = *way;
    uint32_t end = way->next_header ? way->next_header - 1
                                    : inner->kind->peer(inner, at.inner, way->port).router;
    bool found = inner_way(self, at.inner, end, way->port, &inside);
    assert(found);
    (void)found;
    return last + inner_vc(self, at.inner, &inside);
}

uint32_t weft_hierarchy_vc(const weft_topology *topology, uint32_t router,
                           const weft_minimal_port *way)
{
    const weft_hierarchy *self = topology->self;
    weft_hierarchy_place at = weft_hierarchy_split(self, router);
    if (way->port >= self->inner.ports) {
        weft_minimal_port outer = *way;
        if (self->outer.max_vc_classes == 1)
            return 0;
        outer.port =
            (uint16_t)weft_hierarchy_port_in(self, at.inner, way->port - self->inner.ports);
        outer.next_header = way->next_header >> self->shift;
        return outer_vc(self, at.outer, &outer);
    }
    return way->next_header >> self->shift ? vc_on_the_way(self, at, way)
                                           : vc_at_last(self, at, way);
}
