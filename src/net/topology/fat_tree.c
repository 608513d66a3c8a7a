/* SPDX-License-Identifier: Apache-2.0 */
/* Fat trees: extended generalized fat trees XGFT(h; m1 … mh; w1 … wh) (Öhring et al. 1995).
 * Special cases are k-ary n-trees (Petrini and Vanneschi 1997) and m-port n-trees (Lin, Chung and
 * Huang 2004). Endpoints are level 0 and have one link (w1 = 1); a switch of level i has m_i
 * children and w_(i+1) parents. In a multi-rail tree (w1 > 1) the adapter of an endpoint is a
 * switch too, of one more level below the others.
 *
 * A switch of level i is a pair (subtree, twin): the subtree of that level of which it is a root,
 * and its number among the roots of the subtree, 0 … w1 … w_i − 1. The parent behind up port j of
 * twin t is twin j w1 … w_i + t of the enclosing subtree; the child behind down port c belongs to
 * inner subtree c. Switches are numbered level by level, leaf switches first, then by subtree and
 * twin.
 *
 * Ports of a switch: up ports first, then down ports. Links to the roots of the whole tree may be
 * of class global; then those ports come first and all others after them, because a port's class is
 * the same at all switches. Leaf switches have no down ports and the highest ones no up ports: each
 * level has only its own ports.
 *
 * The route header is the destination endpoint + 1. A packet may take any port up. The first is
 * that of d-mod-k (Zahavi 2012): ⌊endpoint / (w1 … w_i)⌋ mod w_(i+1); the others follow
 * cyclically. */
#include "net/topology.h"
#include "net/topology/common/grid.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define LEVELS_MAX    WEFT_DIMS_MAX
#define ENDPOINTS_MAX (UINT32_MAX - 1)
#define ROUTERS_MAX   ((uint64_t)1 << 28)

enum { K_ARY, M_PORT, XGFT };
static const char *const forms[] = {"k-ary", "m-port", "xgft", NULL};

typedef struct settings {
    int form;
    int64_t arity, levels;
    weft_ints down, up;
    bool global;
} settings;

static const weft_param params[] = {
    {.name = "form",
     .brief = "how the tree is described: arity and levels of a k-ary n-tree or m-port n-tree, or "
              "down and up of any XGFT",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, form),
     .fallback = "k-ary",
     .choices = forms},
    {.name = "arity",
     .brief = "k: endpoints of a leaf switch, parents and children of any switch; form m-port: m, "
              "all ports of a switch",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, arity),
     .fallback = "none",
     .min = 2,
     .max = WEFT_PORTS_MAX},
    {.name = "levels",
     .brief = "n: levels of switches; there are k^n endpoints, with form m-port 2 (m/2)^n",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, levels),
     .fallback = "none",
     .min = 2,
     .max = LEVELS_MAX},
    {.name = "down",
     .brief =
         "form xgft: endpoints of a leaf switch, then the children of a switch of level 2, 3, …; "
         "their product is the number of endpoints",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, down),
     .fallback = "none",
     .min = 1,
     .max = WEFT_PORTS_MAX},
    {.name = "up",
     .brief =
         "form xgft: links of an endpoint, then the parents of a switch of level 1, 2, …; with "
         "several links of an endpoint (multi-rail) its adapter is a switch of its own",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, up),
     .fallback = "none",
     .min = 1,
     .max = WEFT_PORTS_MAX},
    {.name = "global",
     .brief =
         "links to the switches of the highest level are of class global; they have port numbers "
         "of their own then",
     .type = WEFT_PARAM_FLAG,
     .offset = offsetof(settings, global),
     .fallback = "false"},
    {.name = NULL},
};

typedef struct level {
    uint32_t first; /* its first switch */
    uint32_t subtrees;
    uint32_t twins;    /* switches of a subtree that are its roots: w1 … w_i */
    uint32_t leaves;   /* leaf switches of a subtree */
    uint32_t down, up; /* children and parents of a switch; the highest level has no parents */
    uint32_t down_port, up_port; /* the first of each */
    weft_reciprocal by_twins, by_leaves, by_down, by_up;
} level;

typedef struct tree {
    uint32_t levels;
    uint32_t hosts;
    weft_reciprocal by_hosts;
    level at[LEVELS_MAX];
    weft_tier span[LEVELS_MAX];
    weft_tree_level declared[LEVELS_MAX];
} tree;

typedef struct place {
    uint32_t level, subtree, twin;
} place;

/* The lists of an XGFT, whatever the form. */
static weft_status list_sizes(const settings *set, weft_ints *down, weft_ints *up, weft_error *err)
{
    const char *form = forms[set->form];
    if (set->form == XGFT) {
        *down = set->down;
        *up = set->up;
        if (set->arity != WEFT_NONE_INT || set->levels != WEFT_NONE_INT)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "topology.arity and topology.levels do not go with form xgft: give "
                             "topology.down and topology.up");
        return WEFT_OK;
    }
    if (set->down.count || set->up.count)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.down and topology.up do not go with form %s: give form: xgft",
                         form);
    if (set->arity == WEFT_NONE_INT || set->levels == WEFT_NONE_INT)
        return weft_fail(err, WEFT_BAD_INPUT, "form %s needs topology.arity and topology.levels",
                         form);
    if (set->form == M_PORT && set->arity % 2)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "topology.arity must be even for form m-port (half of a switch's ports lead "
            "up), found %lld",
            (long long)set->arity);
    int32_t half = (int32_t)(set->form == M_PORT ? set->arity / 2 : set->arity);
    down->count = up->count = (int32_t)set->levels;
    for (int32_t i = 0; i < down->count; i++)
        down->at[i] = up->at[i] = half;
    up->at[0] = 1;
    if (set->form == M_PORT)
        down->at[down->count - 1] = (int32_t)set->arity;
    return WEFT_OK;
}

static weft_status check_lists(const weft_ints *down, const weft_ints *up, weft_error *err)
{
    if (down->count != up->count || down->count < 2 || down->count > LEVELS_MAX)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "topology.down and topology.up must list the same number of levels, 2 to %d, "
            "found %d and %d",
            LEVELS_MAX, down->count, up->count);
    if (up->at[0] > 1 && up->count == LEVELS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.up begins with %d, so that adapters are a level of their own: "
                         "at most %d others, found %d",
                         up->at[0], LEVELS_MAX - 1, up->count);
    for (int32_t i = 1; i < down->count; i++)
        if (down->at[i] < 2)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "a switch of level %d must have 2 children or more, found %d", i + 1,
                             down->at[i]);
    return WEFT_OK;
}

/* An endpoint with several links has a switch of its own, the adapter, which has them. */
static void add_adapters(weft_ints *down, weft_ints *up)
{
    if (up->at[0] == 1)
        return;
    memmove(down->at + 1, down->at, sizeof *down->at * (size_t)down->count++);
    memmove(up->at + 1, up->at, sizeof *up->at * (size_t)up->count++);
    down->at[0] = up->at[0] = 1;
}

/* Not more switches, endpoints and ports than there can be. */
static weft_status check_sizes(const weft_ints *down, const weft_ints *up, weft_error *err)
{
    uint64_t endpoints = 1, switches = 0, twins = 1;
    for (int32_t i = 0; i < down->count; i++) {
        endpoints *= (uint64_t)down->at[i];
        if (endpoints > ENDPOINTS_MAX)
            return weft_fail(err, WEFT_BAD_INPUT, "more than 2^32 endpoints");
        if (down->at[i] + (i + 1 < up->count ? up->at[i + 1] : 0) > WEFT_PORTS_MAX)
            return weft_fail(err, WEFT_BAD_INPUT, "a switch of level %d has more than %d ports",
                             i + 1, WEFT_PORTS_MAX);
    }
    uint64_t below = endpoints;
    for (int32_t i = 0; i < down->count; i++) {
        below /= (uint64_t)down->at[i];
        twins *= (uint64_t)up->at[i];
        if (twins <= ROUTERS_MAX)
            switches += below * twins;
        if (twins > ROUTERS_MAX || switches > ROUTERS_MAX)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "more than %llu switches (2^28), the most there can be",
                             (unsigned long long)ROUTERS_MAX);
    }
    return WEFT_OK;
}

static void fill_levels(weft_topology *topology, tree *self, const weft_ints *down,
                        const weft_ints *up)
{
    uint32_t subtrees = 1, twins = 1, leaves = 1;
    self->levels = (uint32_t)down->count;
    for (int32_t i = 1; i < down->count; i++)
        subtrees *= (uint32_t)down->at[i];
    for (uint32_t i = 0; i < self->levels; i++) {
        bool top = i + 1 == self->levels;
        if (i > 0) {
            subtrees /= (uint32_t)down->at[i];
            twins *= (uint32_t)up->at[i];
            leaves *= (uint32_t)down->at[i];
        }
        self->at[i] = (level){.first = topology->routers,
                              .subtrees = subtrees,
                              .twins = twins,
                              .leaves = leaves,
                              .down = (uint32_t)down->at[i],
                              .up = top ? 0 : (uint32_t)up->at[i + 1],
                              .by_twins = weft_reciprocal_of(twins),
                              .by_leaves = weft_reciprocal_of(leaves),
                              .by_down = weft_reciprocal_of((uint32_t)down->at[i]),
                              .by_up = weft_reciprocal_of(top ? 1 : (uint32_t)up->at[i + 1])};
        topology->routers += subtrees * twins;
        topology->links += 2 * (uint64_t)subtrees * twins * self->at[i].up;
    }
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The class of a link is told by its ports: those to the highest level are first, if they differ
 * from the rest. */
static weft_status number_ports(weft_topology *topology, tree *self, bool global, weft_error *err)
{
    uint32_t top = self->levels - 1;
    uint32_t apart = global ? greater(self->at[top].down, self->at[top - 1].up) : 0;
    for (uint32_t i = 0; i <= top; i++) {
        level *at = &self->at[i];
        bool under = i + 1 == top;
        at->up_port = under ? 0 : apart;
        at->down_port = i == top ? 0 : under && global ? apart : at->up_port + at->up;
        uint32_t end = greater(at->up_port + at->up, i ? at->down_port + at->down : 0);
        topology->ports = greater(topology->ports, end);
    }
    if (topology->ports > WEFT_PORTS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.global makes %u port numbers (those to the highest level differ "
                         "from all others), at most %d can be told apart",
                         topology->ports, WEFT_PORTS_MAX);
    memset(topology->port_class, WEFT_LINK_LOCAL, topology->ports);
    memset(topology->port_class, WEFT_LINK_GLOBAL, apart);
    return WEFT_OK;
}

/* Levels whose switches are of one size are one span. */
static void fill_spans(weft_topology *topology, tree *self)
{
    weft_tier *last = self->span;
    for (uint32_t i = 0; i < self->levels; i++) {
        const level *at = &self->at[i];
        weft_tier span = {
            .first = at->first,
            .ports = greater(at->up ? at->up_port + at->up : 0, i ? at->down_port + at->down : 0),
            .concentration = i ? 0 : at->down};
        if (i > 0 && span.ports == last->ports && span.concentration == last->concentration)
            continue;
        last = &self->span[topology->n_tiers++];
        *last = span;
    }
    topology->tiers = self->span;
}

/* For bounds. */
static void declare_levels(weft_topology *topology, tree *self)
{
    for (uint32_t i = 0; i < self->levels; i++) {
        const level *at = &self->at[i];
        self->declared[i] = (weft_tree_level){.first = at->first,
                                              .subtrees = at->subtrees,
                                              .twins = at->twins,
                                              .leaves = at->leaves,
                                              .down = i ? at->down : 0,
                                              .up = at->up,
                                              .down_port = at->down_port,
                                              .up_port = at->up_port};
    }
    topology->proof.n_tree_levels = self->levels;
    topology->proof.tree = self->declared;
}

/* By subtrees, the highest ones first; of their roots every part has its share. */
static void declare_cut(weft_topology *topology, const tree *self)
{
    weft_topology_cut *cut = &topology->cut;
    for (uint32_t i = 0; i < self->levels; i++)
        cut->row[cut->n_rows++] = self->at[i].first;
    for (uint32_t i = self->levels - 1; i-- > 0;)
        if (self->at[i].leaves > 1)
            cut->unit[cut->n_units++] = self->at[i].leaves;
}

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    weft_ints down = {0}, up = {0};
    WEFT_TRY(list_sizes(set, &down, &up, err));
    WEFT_TRY(check_lists(&down, &up, err));
    add_adapters(&down, &up);
    WEFT_TRY(check_sizes(&down, &up, err));
    tree *self = topology->self;
    fill_levels(topology, self, &down, &up);
    WEFT_TRY(number_ports(topology, self, set->global, err));
    fill_spans(topology, self);
    topology->concentration = self->hosts = self->at[0].down;
    self->by_hosts = weft_reciprocal_of(self->hosts);
    topology->edge_routers = self->at[0].subtrees;
    topology->header_bits = weft_grid_bits(topology->edge_routers * topology->concentration + 1);
    topology->group = self->levels > 2 ? self->at[1].down : 1;
    topology->proof.acyclic = true;
    topology->proof.untied = self->hosts == 1;
    declare_levels(topology, self);
    declare_cut(topology, self);
    return WEFT_OK;
}

static place place_of(const tree *self, uint32_t router)
{
    place p = {0};
    while (p.level + 1 < self->levels && router >= self->at[p.level + 1].first)
        p.level++;
    const level *at = &self->at[p.level];
    uint32_t index = router - at->first;
    p.subtree = weft_divide(index, at->by_twins);
    p.twin = index - p.subtree * at->twins;
    return p;
}

static uint32_t number_of(const tree *self, uint32_t in, uint32_t subtree, uint32_t twin)
{
    return self->at[in].first + subtree * self->at[in].twins + twin;
}

static weft_end peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    const tree *self = topology->self;
    place p = place_of(self, router);
    const level *at = &self->at[p.level];
    uint32_t up = port - at->up_port, down = port - at->down_port;
    if (up < at->up) {
        const level *above = at + 1;
        uint32_t around = weft_divide(p.subtree, above->by_down);
        return (weft_end){number_of(self, p.level + 1, around, up * at->twins + p.twin),
                          above->down_port + p.subtree - around * above->down};
    }
    if (p.level == 0 || down >= at->down)
        return (weft_end){.router = WEFT_NOWHERE};
    const level *below = at - 1;
    uint32_t back = weft_divide(p.twin, below->by_twins);
    return (weft_end){
        number_of(self, p.level - 1, p.subtree * at->down + down, p.twin - back * below->twins),
        below->up_port + back};
}

/* The lowest level, from a switch's own on, at which a leaf is in its subtree. */
static uint32_t meet(const tree *self, place from, uint32_t leaf)
{
    uint32_t i = from.level, subtree = from.subtree;
    while (weft_divide(leaf, self->at[i].by_leaves) != subtree)
        subtree = weft_divide(subtree, self->at[++i].by_down);
    return i;
}

/* One of the two is a leaf switch: no packet goes anywhere else. */
static uint32_t distance(const weft_topology *topology, uint32_t from, uint32_t to)
{
    const tree *self = topology->self;
    uint32_t leaf = from < to ? from : to;
    if (leaf >= topology->edge_routers)
        return from == to ? 0 : WEFT_NOWHERE;
    place other = place_of(self, from < to ? to : from);
    return 2 * meet(self, other, leaf) - other.level;
}

static double mean_distance(const weft_topology *topology)
{
    const tree *self = topology->self;
    double sum = 0; /* from one leaf switch to all others */
    for (uint32_t i = 1; i < self->levels; i++)
        sum += 2.0 * i * ((double)self->at[i].leaves - self->at[i - 1].leaves);
    return sum / (topology->edge_routers - 1.0);
}

static uint32_t diameter(const weft_topology *topology)
{
    return 2 * (((const tree *)topology->self)->levels - 1);
}

static uint32_t header_for_host(const weft_topology *topology, uint32_t route, uint32_t host)
{
    const tree *self = topology->self;
    return route ? weft_divide(route - 1, self->by_hosts) * self->hosts + host + 1 : 0;
}

static uint32_t make_header(const weft_topology *topology, uint32_t from, uint32_t to,
                            weft_random *tie)
{
    const tree *self = topology->self;
    uint32_t host = tie ? weft_random_below(tie, self->hosts) : 0;
    return from == to ? 0 : to * self->hosts + host + 1;
}

static unsigned all_headers(const weft_topology *topology, uint32_t from, uint32_t to,
                            uint32_t *out)
{
    const tree *self = topology->self;
    unsigned count = from == to ? 1 : self->hosts;
    for (unsigned host = 0; host < count; host++)
        out[host] = from == to ? 0 : to * self->hosts + host + 1;
    return count;
}

static unsigned ways_up(const tree *self, place here, uint32_t route, uint32_t hops, unsigned most,
                        weft_minimal_port *out)
{
    const level *at = &self->at[here.level];
    uint32_t wish = weft_divide(route - 1, at->by_twins);
    uint32_t port = wish - weft_divide(wish, at->by_up) * at->up;
    unsigned count = at->up < most ? at->up : most;
    for (unsigned i = 0; i < count; i++, port = port + 1 < at->up ? port + 1 : 0)
        out[i] = (weft_minimal_port){.port = (uint16_t)(at->up_port + port),
                                     .hops = (uint16_t)hops,
                                     .next_header = route,
                                     .dim = WEFT_NO_DIM};
    return count;
}

static unsigned minimal_ports(const weft_topology *topology, uint32_t router, uint32_t route,
                              unsigned most, weft_minimal_port *out)
{
    const tree *self = topology->self;
    if (route == 0)
        return 0;
    place here = place_of(self, router);
    const level *at = &self->at[here.level];
    uint32_t leaf = weft_divide(route - 1, self->by_hosts);
    uint32_t sync_point = meet(self, here, leaf);
    if (sync_point > here.level)
        return ways_up(self, here, route, 2 * sync_point - here.level, most, out);
    assert(here.level > 0);
    uint32_t child =
        weft_divide(leaf, self->at[here.level - 1].by_leaves) - here.subtree * at->down;
    *out = (weft_minimal_port){.port = (uint16_t)(at->down_port + child),
                               .hops = (uint16_t)here.level,
                               .next_header = here.level > 1 ? route : 0,
                               .dim = WEFT_NO_DIM};
    return 1;
}

static bool header_valid(const weft_topology *topology, uint32_t router, uint32_t route)
{
    const tree *self = topology->self;
    if (route == 0)
        return router < topology->edge_routers;
    return route - 1 < topology->edge_routers * topology->concentration &&
           weft_divide(route - 1, self->by_hosts) != router;
}

/* A halving keeps subtrees whole as far as it can. Half of the subtrees of the highest level are
 * cut off from the rest where they have the fewest links upwards; the middle one of an odd
 * number is halved in turn. */
static uint64_t bisection(const weft_topology *topology)
{
    const tree *self = topology->self;
    uint64_t upwards = self->at[0].up, cut = 0; /* of a subtree, at its narrowest; of its halving */
    for (uint32_t i = 1; i < self->levels; i++) {
        const level *at = &self->at[i];
        cut = at->down / 2 * upwards + (at->down % 2 ? cut : 0);
        uint64_t roots = (uint64_t)at->twins * at->up, inside = at->down * upwards;
        upwards = roots < inside ? roots : inside;
    }
    return 2 * cut;
}

static void name(const weft_topology *topology, uint32_t router, char *text, size_t size)
{
    const tree *self = topology->self;
    uint32_t i = place_of(self, router).level;
    (void)snprintf(text, size, "level %u switch %u", i + 1, router - self->at[i].first);
}

const weft_topology_kind weft_topology_fat_tree = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_topology_kind),
             .name = "fat-tree",
             .brief =
                 "switches in levels, several roots: k-ary n-trees, m-port n-trees and any XGFT",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(tree)},
    .build = build,
    .peer = peer,
    .distance = distance,
    .mean_distance = mean_distance,
    .make_header = make_header,
    .header_for_host = header_for_host,
    .minimal_ports = minimal_ports,
    .header_valid = header_valid,
    .all_headers = all_headers,
    .closed_form.bisection = bisection,
    .closed_form.diameter = diameter,
    .name = name,
    .minimal = "d-mod-k",
};
