/* SPDX-License-Identifier: Apache-2.0 */
/* Composition of two topologies: attachment of the outer ports, layout of the header, the links,
 * and the number of VC classes of the inner links. */
#include "base/memory.h"
#include "net/topology.h"
#include "net/topology/common/grid.h"
#include "net/topology/common/hierarchy/hierarchy.h"
#include "net/topology/common/weftnet.h"

#include <assert.h>
#include <stdlib.h>

#define ROUTERS_MAX ((uint64_t)1 << 28)
#define HOPS_MAX    2047u /* a packet counts its hops in 11 bits */

static weft_status build_level(weft_topology *level, weft_kind_ref ref, weft_error *err)
{
    level->kind = (const weft_topology_kind *)(const void *)ref.kind;
    level->self = weft_alloc(ref.kind->instance_size + 1);
    weft_status status = weft_topology_build(level, ref.settings, err);
    if (status == WEFT_OK && level->kind->build_tables) {
        status = level->kind->build_tables(level, false, err);
        if (status != WEFT_OK && level->kind->done)
            level->kind->done(level);
    }
    if (status != WEFT_OK) {
        free(level->self);
        *level = (weft_topology){0};
    }
    return status;
}

static void end_level(weft_topology *level)
{
    if (level->kind && level->kind->done)
        level->kind->done(level);
    free(level->self);
    *level = (weft_topology){0};
}

void weft_hierarchy_done(weft_topology *topology)
{
    weft_hierarchy *self = topology->self;
    end_level(&self->outer);
    end_level(&self->inner);
}

/* Dimensions that the ways of a network may serve. */
static uint32_t count_dims(const weft_topology *level)
{
    bool nested = level->kind->minimal_ports == weft_hierarchy_ways;
    return nested ? ((const weft_hierarchy *)level->self)->dims : level->lattice.dims;
}

/* One of them, none of them, or no choice. */
static uint32_t choice_bits(const weft_topology *outer)
{
    uint32_t dims = count_dims(outer);
    return dims > 1 ? weft_grid_bits(dims + 2) : 0;
}

static bool is_known(weft_link_settings timing)
{
    return timing.rate.unit != WEFT_NO_RATE || timing.latency.unit != WEFT_NO_TIME;
}

/* What a file says of single links and of hosts has no place in a hierarchy. */
static weft_status check_file(const weft_topology *level, const char *name, weft_error *err)
{
    const weft_weftnet *net = weft_weftnet_of(level);
    bool timed = false;
    uint32_t host = 0;
    if (level->first)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.%s must be a network whose routers have the same number of "
                         "endpoints each, found different ones",
                         name);
    for (uint32_t c = 0; net && c < net->n_cables; c++)
        timed = timed || is_known(weft_weftnet_timing(net, c));
    for (uint32_t home = 0; net && home < net->homes; host += net->hosts[home++])
        timed = timed || is_known(weft_weftnet_host_timing(net, home, host));
    if (!timed)
        return WEFT_OK;
    return weft_fail(
        err, WEFT_BAD_INPUT,
        "topology.%s: the file has rates or latencies of links, which a hierarchy does "
        "not take: leave them out there and give them by links",
        name);
}

static weft_status check_levels(const weft_topology *outer, const weft_topology *inner,
                                weft_error *err)
{
    if (outer->concentration != 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.outer must have hosts: 1, found %u (endpoints sit at the "
                         "routers of topology.inner: set its hosts)",
                         outer->concentration);
    WEFT_TRY(check_file(outer, "outer", err));
    WEFT_TRY(check_file(inner, "inner", err));
    bool core = inner->edge_routers != inner->routers;
    if ((core && !inner->reaches_core) || inner->egress_offset != 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.inner must be a network all of whose routers have endpoints, or "
                         "leaf-spine, found a %s of %u routers of which %u have some",
                         inner->kind->base.name, inner->routers, inner->edge_routers);
    if (core && outer->edge_routers != outer->routers)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.outer must be a network all of whose routers have endpoints "
                         "where those of topology.inner have not, found a %s of %u routers of "
                         "which %u have some",
                         outer->kind->base.name, outer->routers, outer->edge_routers);
    uint64_t routers = (uint64_t)outer->routers * inner->routers;
    if (routers > ROUTERS_MAX || routers * inner->concentration > UINT32_MAX - 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.outer of %u and topology.inner of %u routers with %u endpoints "
                         "each are too many: at most 2^28 routers and 2^32 endpoints",
                         outer->routers, inner->routers, inner->concentration);
    uint32_t own = weft_grid_bits(inner->routers + 1) + choice_bits(outer);
    if (outer->header_bits + own > 32)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.outer needs %u bits of a packet's route and topology.inner %u, "
                         "a packet has room for 32: use smaller networks",
                         outer->header_bits, own);
    uint64_t hops = (uint64_t)weft_topology_farthest(outer) * (weft_topology_farthest(inner) + 1) +
                    weft_topology_farthest(inner);
    if (hops > HOPS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the longest route may have %llu hops, a packet can count %u",
                         (unsigned long long)hops, HOPS_MAX);
    return WEFT_OK;
}

static weft_status set_attach(weft_hierarchy *self, const weft_ints *attach, weft_error *err)
{
    uint32_t ports = self->outer.ports, routers = self->inner.routers;
    uint32_t first = self->n_core ? self->n_edge : 0, some = routers - first;
    uint32_t each = (ports + some - 1) / some;
    for (uint32_t p = 0; p < ports && attach->count == 0; p++)
        self->attach[p] = first + p / each;
    if (attach->count == 0)
        return WEFT_OK;
    if ((uint32_t)attach->count != ports)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.attach must list the inner router of every outer port, %u "
                         "numbers, found %d",
                         ports, attach->count);
    for (uint32_t p = 0; p < ports; p++) {
        if (attach->at[p] < 0 || (uint32_t)attach->at[p] >= routers)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "topology.attach must list inner routers 0 … %u, found %d",
                             routers - 1, attach->at[p]);
        self->attach[p] = (uint32_t)attach->at[p];
    }
    return WEFT_OK;
}

/* Links of an outer port are global, unless the outer network tells its links apart: its local
 * ones are regional then. */
static uint8_t outer_class(const weft_topology *outer, uint32_t port)
{
    bool levels = false;
    for (uint32_t p = 0; p < outer->ports; p++)
        levels = levels || outer->port_class[p] == WEFT_LINK_GLOBAL;
    if (outer->port_class[port] == WEFT_LINK_REGIONAL)
        return WEFT_LINK_REGIONAL;
    return levels && outer->port_class[port] == WEFT_LINK_LOCAL ? WEFT_LINK_REGIONAL
                                                                : WEFT_LINK_GLOBAL;
}

/* The lowest free slot of its inner router for an outer port; a slot has links of one class at
 * all routers. */
static uint32_t find_slot(const weft_hierarchy *self, uint32_t port, const uint8_t *class)
{
    bool taken[WEFT_PORTS_MAX + 1] = {false};
    for (uint32_t p = 0; p < port; p++) {
        const weft_topology *outer = &self->outer;
        bool alike = class[p] == class[port] && outer->vc_classes[p] == outer->vc_classes[port];
        if (self->attach[p] == self->attach[port] || !alike)
            taken[self->slots[p]] = true;
    }
    uint32_t slot = 0;
    while (taken[slot])
        slot++;
    return slot;
}

static weft_status set_slots(weft_hierarchy *self, const uint8_t *class, weft_error *err)
{
    for (uint32_t p = 0; p < self->outer.ports; p++) {
        self->slots[p] = (uint16_t)find_slot(self, p, class);
        self->n_slots = self->slots[p] + 1u > self->n_slots ? self->slots[p] + 1u : self->n_slots;
        uint32_t at = p; /* in its place among those before it */
        for (; at > 0; at--) {
            uint16_t before = self->order[at - 1];
            if (self->attach[before] < self->attach[p] ||
                (self->attach[before] == self->attach[p] && self->slots[before] < self->slots[p]))
                break;
            self->order[at] = before;
        }
        self->order[at] = (uint16_t)p;
    }
    if (self->inner.ports + self->n_slots > WEFT_PORTS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.inner has %u ports and %u outer ones hang on one of its "
                         "routers, a router has at most %d ports: use smaller networks",
                         self->inner.ports, self->n_slots, WEFT_PORTS_MAX);
    return WEFT_OK;
}

/* Are any two routers joined? */
static bool complete(const weft_topology *level)
{
    bool all = level->ports >= level->routers - 1;
    for (uint32_t a = 0; a < level->routers && all; a++)
        for (uint32_t b = 0; b < level->routers && all; b++)
            all = level->kind->distance(level, a, b) <= 1;
    return all;
}

/* Do all ports of each dimension hang on one router? */
static bool together(const weft_hierarchy *self)
{
    uint32_t at[WEFT_DIMS_MAX];
    bool seen[WEFT_DIMS_MAX] = {false}, all = self->outer.lattice.dims > 0;
    for (uint32_t p = 0; p < self->outer.ports && all; p++) {
        uint32_t d = self->outer.lattice.port_dim[p];
        all = !seen[d] || at[d] == self->attach[p];
        seen[d] = true;
        at[d] = self->attach[p];
    }
    return all;
}

/* Does an inner link from the router of one outer dimension to that of a higher one never lead
 * to the same or a lower one too? For every pair of ports p and q with dim q > dim p that hang
 * on different routers, no port beside q is of a dimension up to that of p. */
static bool apart(const weft_hierarchy *self)
{
    uint32_t ports = self->outer.ports, lowest[WEFT_PORTS_MAX] = {0};
    const uint8_t *dim = self->outer.lattice.port_dim;
    for (uint32_t i = 0; i < ports; i++) { /* in the order of routers */
        uint32_t p = self->order[i], before = i ? self->order[i - 1] : p;
        lowest[i] = dim[p];
        if (i && self->attach[before] == self->attach[p] && lowest[i - 1] < lowest[i])
            lowest[i] = lowest[i - 1];
    }
    for (uint32_t i = ports - 1; i-- > 0;)
        if (self->attach[self->order[i]] == self->attach[self->order[i + 1]])
            lowest[i] = lowest[i + 1];
    for (uint32_t p = 0; p < ports; p++)
        for (uint32_t i = 0; i < ports; i++) {
            uint32_t q = self->order[i];
            if (self->attach[p] != self->attach[q] && dim[q] > dim[p] && lowest[i] <= dim[p])
                return false;
        }
    return true;
}

static uint32_t count_levels(const weft_hierarchy *self, bool by_class, bool by_dim)
{
    return (by_class ? self->outer.max_vc_classes : 1) * (by_dim ? self->outer.lattice.dims : 1) +
           1;
}

/* How many classes the level has: a safe number, or the given one if it means something. */
static weft_status set_levels(weft_hierarchy *self, int64_t given, weft_error *err)
{
    uint32_t dims = self->outer.lattice.dims;
    self->by_class = self->outer.max_vc_classes > 1 && !together(self);
    self->by_dim = dims > 1 && !(complete(&self->inner) && apart(self));
    self->levels = count_levels(self, self->by_class, self->by_dim);
    if (given == WEFT_NONE_INT || given == self->levels)
        return WEFT_OK;
    self->by_class = self->by_dim = false;
    self->levels = (uint32_t)given;
    if (given <= 2)
        return WEFT_OK;
    self->by_class = given == count_levels(self, true, false) ||
                     (dims && given == count_levels(self, true, true));
    self->by_dim = given != count_levels(self, true, false);
    if (self->by_class || (dims && given == count_levels(self, false, true)))
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "topology.inner-vcs must be 1 (none), 2 (before the last outer hop and after "
                     "it) or, to tell packets before it apart, %u (by the VC class of the "
                     "next outer hop), %u (by its dimension) or %u (by both), found %lld",
                     count_levels(self, true, false), count_levels(self, false, dims > 0),
                     count_levels(self, true, dims > 0), (long long)given);
}

/* Is a route a few inner hops, one outer hop, and a few inner hops on VCs of another class? Inside,
 * one hop leads anywhere, or hops up come before hops down. */
static bool has_stages(const weft_hierarchy *self)
{
    const weft_topology *inner = &self->inner;
    bool up_down = inner->proof.acyclic && inner->reaches_core &&
                   inner->kind->closed_form.diameter &&
                   inner->kind->closed_form.diameter(inner) <= 2;
    return self->levels == 2 && inner->max_vc_classes == 1 && self->outer.max_vc_classes == 1 &&
           complete(&self->outer) && (up_down || complete(inner));
}

static weft_status fill_vcs(weft_topology *topology, const weft_hierarchy *self, weft_error *err)
{
    const weft_topology *inner = &self->inner;
    uint32_t most = self->levels * inner->max_vc_classes;
    if (most > UINT8_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the inner links of this hierarchy need %u VC classes, the most "
                         "there can be is %d: use %s",
                         most, UINT8_MAX,
                         2 * inner->max_vc_classes <= UINT8_MAX
                             ? "topology.inner-vcs: 2"
                             : "a topology.inner with shorter ways, which needs fewer");
    for (uint32_t p = 0; p < inner->ports; p++)
        topology->vc_classes[p] = (uint8_t)(self->levels * inner->vc_classes[p]);
    for (uint32_t p = 0; p < self->outer.ports; p++)
        topology->vc_classes[inner->ports + self->slots[p]] = self->outer.vc_classes[p];
    topology->max_vc_classes = 1;
    for (uint32_t p = 0; p < topology->ports; p++)
        if (topology->vc_classes[p] > topology->max_vc_classes)
            topology->max_vc_classes = topology->vc_classes[p];
    return WEFT_OK;
}

static void fill_links(weft_topology *topology, const weft_hierarchy *self, const uint8_t *class)
{
    const weft_topology *inner = &self->inner, *outer = &self->outer;
    for (uint32_t p = 0; p < inner->ports; p++) {
        topology->port_class[p] =
            inner->port_class[p] == WEFT_LINK_LOCAL ? WEFT_LINK_LOCAL : WEFT_LINK_REGIONAL;
        topology->peer_port[p] = inner->peer_port[p];
    }
    topology->uniform = inner->uniform && outer->uniform;
    uint16_t unset = UINT16_MAX, *back = topology->peer_port + inner->ports;
    for (uint32_t s = 0; s < self->n_slots; s++)
        back[s] = unset;
    for (uint32_t p = 0; p < outer->ports; p++) {
        uint32_t slot = self->slots[p];
        topology->port_class[inner->ports + slot] = class[p];
        uint16_t to = (uint16_t)(inner->ports + self->slots[outer->peer_port[p]]);
        topology->uniform = topology->uniform && (back[slot] == unset || back[slot] == to);
        back[slot] = to;
    }
}

/* Does a full lattice have several links between two routers? */
static bool has_trunks(const weft_topology *outer)
{
    const weft_lattice *lattice = &outer->lattice;
    uint32_t ports = 0;
    for (uint32_t d = 0; d < lattice->dims; d++)
        ports += lattice->size[d] - 1;
    return lattice->full && outer->ports > ports;
}

/* The groups of the inner network, each inner network, and the groups of the outer one. */
static void list_groups(weft_topology *topology, const weft_topology *outer,
                        const weft_topology *inner)
{
    uint32_t edge = inner->edge_routers, core = inner->routers - edge;
    topology->group = edge;
    topology->core_group = core;
    topology->first_core = core ? outer->routers * edge : 0;
    for (uint32_t i = 0; i < inner->n_nested && topology->n_nested < WEFT_DIMS_MAX; i++) {
        topology->nested_core[topology->n_nested] = inner->nested_core[i];
        topology->nested[topology->n_nested++] = inner->nested[i];
    }
    if (topology->n_nested < WEFT_DIMS_MAX) {
        topology->nested_core[topology->n_nested] = core;
        topology->nested[topology->n_nested++] = edge;
    }
    for (uint32_t i = 0; i < outer->n_nested && topology->n_nested < WEFT_DIMS_MAX; i++) {
        topology->nested_core[topology->n_nested] = outer->nested[i] * core;
        topology->nested[topology->n_nested++] = outer->nested[i] * edge;
    }
}

/* Leaves have the inner ports alone, unless an outer one hangs on them; spines no endpoints. */
static void fill_tiers(weft_topology *topology, weft_hierarchy *self)
{
    uint32_t ports = weft_topology_tier(&self->inner, 0).ports;
    for (uint32_t p = 0; p < self->outer.ports; p++)
        if (self->attach[p] < self->n_edge)
            ports = topology->ports;
    self->tiers[0] = (weft_tier){.ports = ports, .concentration = topology->concentration};
    self->tiers[1] = (weft_tier){.first = self->first_core, .ports = topology->ports};
    topology->n_tiers = 2;
    topology->tiers = self->tiers;
}

static weft_status fill(weft_topology *topology, const weft_hierarchy_plan *plan, weft_error *err)
{
    weft_hierarchy *self = topology->self;
    const weft_topology *outer = &self->outer, *inner = &self->inner;
    uint8_t class[WEFT_PORTS_MAX];
    WEFT_TRY(check_levels(outer, inner, err));
    self->n_edge = inner->edge_routers;
    self->n_core = inner->routers - inner->edge_routers;
    self->first_core = outer->routers * self->n_edge;
    WEFT_TRY(set_attach(self, plan->attach, err));
    for (uint32_t p = 0; p < outer->ports; p++)
        class[p] = outer_class(outer, p);
    WEFT_TRY(set_slots(self, class, err));
    WEFT_TRY(set_levels(self, plan->inner_vcs, err));
    self->by_edge = weft_reciprocal_of(self->n_edge);
    self->by_core = weft_reciprocal_of(self->n_core ? self->n_core : 1);
    self->choice = weft_grid_bits(inner->routers + 1);
    self->mask = ((uint32_t)1 << self->choice) - 1;
    self->shift = self->choice + choice_bits(outer);
    self->dims = count_dims(outer);
    self->single = outer->lattice.dims > 0 && !has_trunks(outer);
    topology->routers = outer->routers * inner->routers;
    topology->concentration = inner->concentration;
    topology->edge_routers = outer->edge_routers * self->n_edge;
    topology->egress_offset = outer->egress_offset * self->n_edge;
    topology->reaches_core = outer->edge_routers == outer->routers;
    topology->ports = inner->ports + self->n_slots;
    topology->links = outer->routers * inner->links + outer->links;
    topology->header_bits = outer->header_bits + self->shift;
    list_groups(topology, outer, inner);
    topology->outer = outer;
    topology->proof.hierarchical_minimal = true;
    topology->proof.untied = !weft_topology_has_ties(outer);
    topology->proof.stage_indexed_vcs = has_stages(self);
    fill_links(topology, self, class);
    if (self->n_core)
        fill_tiers(topology, self);
    return fill_vcs(topology, self, err);
}

weft_status weft_hierarchy_build(weft_topology *topology, const weft_hierarchy_plan *plan,
                                 weft_error *err)
{
    weft_hierarchy *self = topology->self;
    weft_status status = build_level(&self->outer, plan->outer, err);
    if (status == WEFT_OK)
        status = build_level(&self->inner, plan->inner, err);
    if (status == WEFT_OK)
        status = fill(topology, plan, err);
    if (status != WEFT_OK)
        weft_hierarchy_done(topology);
    return status;
}
