/* SPDX-License-Identifier: Apache-2.0 */
#include "net/topology/common/hierarchy/hierarchy.h"

#include <assert.h>
#include <stdio.h>

static inline uint32_t join(const weft_hierarchy *self, weft_hierarchy_place at)
{
    return at.inner < self->n_edge
               ? at.outer * self->n_edge + at.inner
               : self->first_core + at.outer * self->n_core + at.inner - self->n_edge;
}

uint32_t weft_hierarchy_port_in(const weft_hierarchy *self, uint32_t inner, uint32_t slot)
{
    uint32_t low = 0, high = self->outer.ports;
    uint32_t even = (inner - self->attach[0]) * self->n_slots + slot;
    if (even < high && self->attach[even] == inner && self->slots[even] == slot)
        return even; /* the default */
    while (low < high) {
        uint32_t middle = (low + high) / 2, port = self->order[middle];
        bool before =
            self->attach[port] != inner ? self->attach[port] < inner : self->slots[port] < slot;
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t port = low < self->outer.ports ? self->order[low] : WEFT_NOWHERE;
    bool found = port != WEFT_NOWHERE && self->attach[port] == inner && self->slots[port] == slot;
    return found ? port : WEFT_NOWHERE;
}

/* Where an outer port leads from here. */
static weft_hierarchy_place behind(const weft_hierarchy *self, uint32_t outer, uint32_t port)
{
    weft_end end = self->outer.kind->peer(&self->outer, outer, port);
    assert(end.router != WEFT_NOWHERE);
    return (weft_hierarchy_place){end.router, self->attach[end.port]};
}

typedef weft_end question(const weft_topology *topology, uint32_t router, uint32_t port);

/* What is at the other end of a port, asked of the level it belongs to. */
static weft_end across(const weft_topology *topology, uint32_t router, uint32_t port,
                       question *of_inner, question *of_outer)
{
    const weft_hierarchy *self = topology->self;
    const weft_end nothing = {.router = WEFT_NOWHERE, .port = 0};
    weft_hierarchy_place at = weft_hierarchy_split(self, router);
    if (port < self->inner.ports) {
        weft_end end = of_inner(&self->inner, at.inner, port);
        if (end.router != WEFT_NOWHERE)
            end.router = join(self, (weft_hierarchy_place){at.outer, end.router});
        return end;
    }
    uint32_t outer = weft_hierarchy_port_in(self, at.inner, port - self->inner.ports);
    if (outer == WEFT_NOWHERE)
        return nothing;
    weft_end end = of_outer(&self->outer, at.outer, outer);
    if (end.router == WEFT_NOWHERE)
        return nothing;
    weft_hierarchy_place there = {end.router, self->attach[end.port]};
    return (weft_end){.router = join(self, there),
                      .port = self->inner.ports + self->slots[end.port]};
}

weft_end weft_hierarchy_peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    const weft_hierarchy *self = topology->self;
    return across(topology, router, port, self->inner.kind->peer, self->outer.kind->peer);
}

weft_end weft_hierarchy_feeder(const weft_topology *topology, uint32_t router, uint32_t in)
{
    return across(topology, router, in, weft_topology_upstream, weft_topology_upstream);
}

static uint32_t word_of(const weft_hierarchy *self, uint32_t outer, uint32_t inner, uint32_t end)
{
    return outer == 0 && inner == end ? 0 : outer << self->shift | (end + 1);
}

uint32_t weft_hierarchy_aim(const weft_topology *topology, uint32_t from, uint32_t to,
                            weft_random *tie)
{
    const weft_hierarchy *self = topology->self;
    weft_hierarchy_place a = weft_hierarchy_split(self, from), b = weft_hierarchy_split(self, to);
    uint32_t outer = self->outer.kind->make_header(&self->outer, a.outer, b.outer, tie);
    return word_of(self, outer, a.inner, b.inner);
}

unsigned weft_hierarchy_aims(const weft_topology *topology, uint32_t from, uint32_t to,
                             uint32_t *out)
{
    const weft_hierarchy *self = topology->self;
    const weft_topology *outer = &self->outer;
    weft_hierarchy_place a = weft_hierarchy_split(self, from), b = weft_hierarchy_split(self, to);
    if (!outer->kind->all_headers) {
        out[0] = weft_hierarchy_aim(topology, from, to, NULL);
        return 1;
    }
    unsigned count = outer->kind->all_headers(outer, a.outer, b.outer, out);
    for (unsigned i = 0; i < count; i++)
        out[i] = word_of(self, out[i], a.inner, b.inner);
    return count;
}

/* Hops from here through an outer port, and if that is the last one, on to the end. */
static uint32_t cost(const weft_hierarchy *self, weft_hierarchy_place at,
                     const weft_minimal_port *way, uint32_t end)
{
    const weft_topology *inner = &self->inner;
    uint32_t hops = inner->kind->distance(inner, at.inner, self->attach[way->port]) + 1;
    if (way->next_header == 0)
        hops += inner->kind->distance(inner, behind(self, at.outer, way->port).inner, end);
    return hops;
}

/* Which of so many equally short ways to another group comes first, where spines have the outer
 * ports: each leaf spreads its destinations evenly over the spines, each destination its sources.
 * Ways are in the order of spines; where they are more than leaves, the whole range is used. */
static unsigned choose_spine(const weft_hierarchy *self, uint32_t at, uint32_t end, unsigned count)
{
    uint64_t leaves = self->n_edge;
    if (count <= leaves)
        return (at + end) % count;
    return (unsigned)(((at + end) % leaves * leaves + at % leaves) * count / (leaves * leaves));
}

/* Which of so many equally short ways comes first: all of them for about as many pairs of inner
 * routers. */
static unsigned choose(const weft_hierarchy *self, weft_hierarchy_place at, uint32_t end,
                       unsigned count)
{
    if (self->n_core)
        return choose_spine(self, at.inner, end, count);
    uint32_t mixed = at.inner * 0x9e3779b1u + end * 0x85ebca77u;
    mixed = (mixed ^ mixed >> 15) * 0x2c1b3c6du;
    mixed ^= mixed >> 12;
    return (unsigned)((uint64_t)mixed * count >> 32);
}

/* Of outer ways of one dimension keeps those of the least cost; returns how many. */
static unsigned keep_shortest(const weft_hierarchy *self, weft_hierarchy_place at, uint32_t end,
                              unsigned count, const weft_minimal_port *ways, weft_minimal_port *out)
{
    weft_minimal_port best[WEFT_MINIMAL_PORTS_MAX];
    uint32_t least = UINT32_MAX;
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t hops = cost(self, at, &ways[i], end);
        if (hops < least)
            kept = 0;
        if (hops <= least)
            best[kept++] = ways[i];
        least = hops < least ? hops : least;
    }
    unsigned first = kept > 1 ? choose(self, at, end, kept) : 0;
    for (unsigned i = 0; i < kept; i++)
        out[i] = best[(first + i) % kept];
    return kept;
}

unsigned weft_hierarchy_outer_ways(const weft_hierarchy *self, weft_hierarchy_place at,
                                   uint32_t word, uint32_t end, weft_minimal_port *out)
{
    const weft_topology *outer = &self->outer;
    weft_minimal_port all[WEFT_MINIMAL_PORTS_MAX];
    if (self->single)
        return outer->kind->minimal_ports(outer, at.outer, word, WEFT_MINIMAL_PORTS_MAX, out);
    unsigned count = outer->kind->minimal_ports(outer, at.outer, word, WEFT_MINIMAL_PORTS_MAX, all),
             kept = 0;
    for (unsigned first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && all[next].dim == all[first].dim; next++)
            continue;
        kept += keep_shortest(self, at, end, next - first, all + first, out + kept);
    }
    return kept;
}

weft_minimal_port weft_hierarchy_first(const weft_hierarchy *self, weft_hierarchy_place at,
                                       uint32_t word, uint32_t end)
{
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    if (self->single)
        (void)self->outer.kind->minimal_ports(&self->outer, at.outer, word, 1, ways);
    else
        (void)weft_hierarchy_outer_ways(self, at, word, end, ways);
    return ways[0];
}

uint32_t weft_hierarchy_distance(const weft_topology *topology, uint32_t from, uint32_t to)
{
    const weft_hierarchy *self = topology->self;
    const weft_topology *inner = &self->inner;
    weft_hierarchy_place at = weft_hierarchy_split(self, from),
                         end = weft_hierarchy_split(self, to);
    uint32_t word = self->outer.kind->make_header(&self->outer, at.outer, end.outer, NULL),
             hops = 0;
    while (word) {
        weft_minimal_port way = weft_hierarchy_first(self, at, word, end.inner);
        hops += inner->kind->distance(inner, at.inner, self->attach[way.port]) + 1;
        at = behind(self, at.outer, way.port);
        word = way.next_header;
    }
    return hops + inner->kind->distance(inner, at.inner, end.inner);
}

unsigned weft_hierarchy_inner_ways(const weft_hierarchy *self, uint32_t from, uint32_t to,
                                   unsigned most, weft_minimal_port *out)
{
    const weft_topology *inner = &self->inner;
    uint32_t word = inner->kind->make_header(inner, from, to, NULL);
    return inner->kind->minimal_ports(inner, from, word, most, out);
}

/* The ways of a packet in the right place outside: inside to its end. */
static unsigned last_ways(const weft_hierarchy *self, weft_hierarchy_place at, uint32_t route,
                          unsigned most, weft_minimal_port *out)
{
    unsigned count = weft_hierarchy_inner_ways(self, at.inner, route - 1, most, out);
    for (unsigned i = 0; i < count; i++) {
        out[i].next_header = out[i].next_header ? route : 0;
        out[i].dim = WEFT_NO_DIM;
    }
    return count;
}

/* The number of an outer way's dimension in the route header, in its place. */
static uint32_t choice_of(const weft_hierarchy *self, const weft_minimal_port *way)
{
    uint32_t dim = way->dim < self->dims ? way->dim : self->dims;
    return self->dims > 1 ? (dim + 1) << self->choice : 0;
}

static uint32_t choice_in(const weft_hierarchy *self, uint32_t route)
{
    return route & (((uint32_t)1 << self->shift) - 1) & ~self->mask;
}

/* Ways towards an outer port and through it. */
static unsigned ways_towards(const weft_hierarchy *self, weft_hierarchy_place at, uint32_t route,
                             const weft_minimal_port *way, unsigned most, weft_minimal_port *out)
{
    uint32_t end = route & self->mask;
    unsigned count = 1;
    *out = (weft_minimal_port){.port = (uint16_t)(self->inner.ports + self->slots[way->port]),
                               .next_header = way->next_header << self->shift | end};
    if (self->attach[way->port] != at.inner) {
        count = weft_hierarchy_inner_ways(self, at.inner, self->attach[way->port], most, out);
        for (unsigned i = 0; i < count; i++)
            out[i].next_header = route >> self->shift << self->shift | choice_of(self, way) | end;
    } else if (way->next_header == 0 && behind(self, at.outer, way->port).inner + 1 == end) {
        out->next_header = 0;
    }
    for (unsigned i = 0; i < count; i++) {
        out[i].hops = way->hops;
        out[i].dim = way->dim;
    }
    return count;
}

static bool listed(const weft_minimal_port *ways, unsigned count, const weft_minimal_port *way)
{
    for (unsigned i = 0; i < count; i++)
        if (ways[i].port == way->port && ways[i].dim == way->dim)
            return true;
    return false;
}

unsigned weft_hierarchy_ways(const weft_topology *topology, uint32_t router, uint32_t route,
                             unsigned most, weft_minimal_port *out)
{
    const weft_hierarchy *self = topology->self;
    weft_hierarchy_place at = weft_hierarchy_split(self, router);
    uint32_t word = route >> self->shift, end = (route & self->mask) - 1;
    uint32_t chosen = choice_in(self, route);
    if (route == 0)
        return 0;
    if (word == 0)
        return last_ways(self, at, route, most, out);
    if (most == 1) {
        weft_minimal_port way = weft_hierarchy_first(self, at, word, end);
        return ways_towards(self, at, route, &way, 1, out);
    }
    weft_minimal_port outer[WEFT_MINIMAL_PORTS_MAX], some[WEFT_MINIMAL_PORTS_MAX];
    unsigned all = weft_hierarchy_outer_ways(self, at, word, end, outer), count = 0;
    for (unsigned i = 0; i < all; i++) {
        if (chosen && outer[i].dim != outer[0].dim && choice_of(self, &outer[i]) != chosen)
            continue;
        unsigned more = ways_towards(self, at, route, &outer[i], WEFT_MINIMAL_PORTS_MAX, some);
        for (unsigned j = 0; j < more && count < most; j++)
            if (!listed(out, count, &some[j]))
                out[count++] = some[j];
    }
    return count;
}

/* Is the choice in a word that of an outer way it has here? */
static bool sound_choice(const weft_hierarchy *self, weft_hierarchy_place at, uint32_t route)
{
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    uint32_t chosen = choice_in(self, route), end = (route & self->mask) - 1;
    if (chosen == 0)
        return true;
    unsigned count = weft_hierarchy_outer_ways(self, at, route >> self->shift, end, ways);
    for (unsigned i = 0; i < count; i++)
        if (choice_of(self, &ways[i]) == chosen)
            return true;
    return false;
}

bool weft_hierarchy_sound(const weft_topology *topology, uint32_t router, uint32_t route)
{
    const weft_hierarchy *self = topology->self;
    const weft_topology *outer = &self->outer;
    weft_hierarchy_place at = weft_hierarchy_split(self, router);
    uint32_t word = route >> self->shift, end = route & self->mask;
    if (route == 0)
        return true;
    if (end == 0 || end > self->n_edge || (uint64_t)word >> outer->header_bits)
        return false;
    if (word == 0)
        return route == end && end - 1 != at.inner &&
               at.outer - outer->egress_offset < outer->edge_routers;
    if (outer->kind->header_valid && !outer->kind->header_valid(outer, at.outer, word))
        return false;
    return sound_choice(self, at, route);
}

/* "(3, 0)", or with a word before it "group 5". */
static void name_level(const weft_topology *level, uint32_t router, const char *word, char *text,
                       size_t size)
{
    const weft_lattice *lattice = &level->lattice;
    if (level->kind->name) {
        level->kind->name(level, router, text, size);
        return;
    }
    if (lattice->dims == 0) {
        (void)snprintf(text, size, "%s %u", word, router);
        return;
    }
    uint32_t stride = level->routers;
    size_t at = 0;
    for (uint32_t d = 0; d < lattice->dims && at < size; d++) {
        stride /= lattice->size[d];
        at +=
            (size_t)snprintf(text + at, size - at, "%s%u%s", d ? ", " : "(",
                             router / stride % lattice->size[d], d + 1 == lattice->dims ? ")" : "");
    }
}

void weft_hierarchy_name(const weft_topology *topology, uint32_t router, char *text, size_t size)
{
    const weft_hierarchy *self = topology->self;
    weft_hierarchy_place at = weft_hierarchy_split(self, router);
    char outer[160], inner[160];
    name_level(&self->outer, at.outer, "group", outer, sizeof outer);
    name_level(&self->inner, at.inner, "router", inner, sizeof inner);
    (void)snprintf(text, size, "%s %s", outer, inner);
}
