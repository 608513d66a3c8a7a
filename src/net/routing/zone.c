/* SPDX-License-Identifier: Apache-2.0 */
/* Zone routing of Blue Gene/Q (Chen et al. 2012), as simulated by HiNetSim: every packet carries a
 * zone, drawn at injection. A zone is a list of masks: while a packet has hops left in a dimension
 * of the first mask, only dimensions of this mask may be taken, in any order; then those of the
 * second, and so on. Hops inside a hierarchy count as the dimension they lead to; ports of no
 * dimension come last. With `hints` a packet also carries its preferred dimension in every mask;
 * the others follow cyclically.
 *
 * The zones govern the open VCs. The escape VCs are those of minimal-adaptive, in dimension order
 * for any zone; zones only remove candidates of that routing, so its proof of deadlock freedom
 * holds here. */
#include "net/routing.h"
#include "net/routing/common/escape.h"
#include "net/routing/common/tag.h"
#include "net/selection.h"

#include <assert.h>
#include <string.h>

#define ZONES_MAX 16

enum { MASKED, LONGEST_FIRST, RANDOM, FIXED };
static const char *const orders[] = {"masked", "longest-first", "random", "fixed", NULL};

typedef struct settings {
    int64_t zones, escape;
    const char *masks;
    int order;
    bool hints;
} settings;

typedef struct zones {
    uint32_t zones, dims;
    uint32_t mask[ZONES_MAX][WEFT_DIMS_MAX]; /* a bit for every dimension; 0: there are no more */
} zones;

static const weft_param params[] = {
    {.name = "zones",
     .brief = "how many; none: as many as masks names, or one for every dimension",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, zones),
     .fallback = "none",
     .min = 1,
     .max = ZONES_MAX},
    {.name = "masks",
     .brief = "of every zone the dimensions, A the first, that may be taken together, as ABCD or "
              "AB>CD/CD>AB; none: one after the other, zone z beginning with dimension z",
     .type = WEFT_PARAM_TEXT,
     .offset = offsetof(settings, masks),
     .fallback = "none"},
    {.name = "order",
     .brief = "which of a mask's dimensions is preferred: the first, the one with most hops left, "
              "any; fixed: the first and no other",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, order),
     .fallback = "masked",
     .choices = orders},
    {.name = "hints",
     .brief = "does every packet carry a dimension, drawn at its start, that counts as the first?",
     .type = WEFT_PARAM_FLAG,
     .offset = offsetof(settings, hints),
     .fallback = "false"},
    WEFT_ESCAPE_VCS(settings, escape),
    {.name = NULL},
};

static const settings *settings_of(const weft_routing *routing)
{
    return routing->settings;
}

static uint32_t tags_of(const weft_routing *routing)
{
    const zones *self = routing->self;
    return self->zones * (settings_of(routing)->hints ? self->dims : 1);
}

/* Masks of one zone; *text is left behind them. */
static weft_status read_zone(const char **text, uint32_t dims, uint32_t *mask, weft_error *err)
{
    uint32_t seen = 0, step = 0, all = (1u << dims) - 1;
    assert(dims <= WEFT_DIMS_MAX);
    for (; **text && **text != '/'; ++*text) {
        uint32_t dim = (uint32_t)(**text - 'A');
        if (**text == '>' && mask[step] && seen != all) {
            step++;
        } else if (dim < dims && !(seen >> dim & 1)) {
            mask[step] |= 1u << dim;
            seen |= 1u << dim;
        } else if (**text != ' ') {
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "routing.masks names every dimension, A to %c here, once for each zone, "
                "as AB>C/C>AB, found %s",
                (int)('A' + dims - 1), *text);
        }
    }
    if (seen != all)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing.masks must name all dimensions, A to %c here, in every zone",
                         (int)('A' + dims - 1));
    return WEFT_OK;
}

static weft_status read_masks(const settings *set, zones *self, weft_error *err)
{
    for (const char *text = set->masks;; text++) {
        if (self->zones == ZONES_MAX)
            return weft_fail(err, WEFT_BAD_INPUT, "routing.masks names more than %d zones",
                             ZONES_MAX);
        WEFT_TRY(read_zone(&text, self->dims, self->mask[self->zones], err));
        self->zones++;
        if (!*text)
            break;
    }
    if (set->zones != WEFT_NONE_INT && set->zones != (int64_t)self->zones)
        return weft_fail(err, WEFT_BAD_INPUT, "routing.masks has %u zones, routing.zones is %d",
                         self->zones, (int)set->zones);
    return WEFT_OK;
}

/* One dimension after the other, each zone beginning with another. */
static void turn_masks(const settings *set, zones *self)
{
    uint32_t all = self->dims < ZONES_MAX ? self->dims : ZONES_MAX;
    self->zones = set->zones == WEFT_NONE_INT ? all : (uint32_t)set->zones;
    for (uint32_t z = 0; z < self->zones; z++)
        for (uint32_t d = 0; d < self->dims; d++)
            self->mask[z][d] = 1u << (z + d) % self->dims;
}

/* How many dimensions there are; of a hierarchy those that its ways say they serve. */
static uint32_t count_dims(const weft_topology *topology)
{
    uint32_t dims = topology->lattice.dims;
    for (uint32_t to = 1; topology->lattice.dims == 0 && to < topology->edge_routers; to++) {
        weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
        uint32_t route =
            topology->kind->make_header(topology, 0, to + topology->egress_offset, NULL);
        unsigned count =
            topology->kind->minimal_ports(topology, 0, route, WEFT_MINIMAL_PORTS_MAX, ways);
        for (unsigned i = 0; i < count; i++)
            if (ways[i].dim < WEFT_DIMS_MAX && ways[i].dim >= dims)
                dims = ways[i].dim + 1u;
    }
    return dims;
}

static weft_status build(weft_routing *routing, weft_error *err)
{
    zones *self = routing->self;
    const settings *set = settings_of(routing);
    self->dims = count_dims(routing->topology);
    if (self->dims == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing zone needs a topology with dimensions (torus, mesh, hypercube, "
                         "flattened-butterfly, or a hierarchy of such), found %s",
                         routing->topology->kind->base.name);
    if (set->masks)
        WEFT_TRY(read_masks(set, self, err));
    else
        turn_masks(set, self);
    return weft_tag_check(routing, tags_of(routing), err);
}

static uint32_t initial_header(const weft_routing *routing, uint32_t from, uint32_t to,
                               weft_random *random)
{
    return weft_tag_draw(routing, tags_of(routing), from, to, random);
}

static uint32_t initial_headers(const weft_routing *routing, uint32_t from, uint32_t to,
                                void (*each)(void *user, uint32_t word), void *user)
{
    return weft_tag_starts(routing, tags_of(routing), from, to, each, user);
}

static bool header_valid(const weft_routing *routing, uint32_t router, uint32_t route)
{
    return weft_tag_sound(routing, tags_of(routing), router, route);
}

static weft_status assign_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    return weft_escape_share(routing, settings_of(routing)->escape, vcs, err);
}

/* Moves those of the ways that are allowed to the front, as they come; returns how many: all if
 * no mask knows them. */
static unsigned keep_allowed(const uint32_t *mask, weft_minimal_port *ways, unsigned count)
{
    for (uint32_t step = 0; step < WEFT_DIMS_MAX && mask[step]; step++) {
        unsigned kept = 0;
        for (unsigned i = 0; i < count; i++)
            if (ways[i].dim < WEFT_DIMS_MAX && mask[step] >> ways[i].dim & 1)
                ways[kept++] = ways[i];
        if (kept)
            return kept;
    }
    return count;
}

/* The ways from a dimension on first, then the others. */
static void turn_ways(uint32_t first, weft_minimal_port *ways, unsigned count)
{
    weft_minimal_port low[WEFT_MINIMAL_PORTS_MAX];
    unsigned lows = 0, highs = 0;
    for (unsigned i = 0; i < count; i++)
        if (ways[i].dim < first)
            low[lows++] = ways[i];
        else
            ways[highs++] = ways[i];
    memcpy(ways + highs, low, lows * sizeof *low);
}

/* The allowed ways in the order of preference. */
static unsigned rank(const weft_routing *routing, uint32_t tag, weft_random *random,
                     weft_minimal_port *ways, unsigned count)
{
    const zones *self = routing->self;
    unsigned kept = keep_allowed(self->mask[tag % self->zones], ways, count);
    turn_ways(tag / self->zones, ways, kept);
    switch (settings_of(routing)->order) {
    case LONGEST_FIRST:
        weft_selection_diagonal.rank(NULL, ways, kept, kept, random);
        return kept;
    case RANDOM:
        weft_selection_random.rank(NULL, ways, kept, kept, random);
        return kept;
    case FIXED:
        return 1;
    default:
        return kept;
    }
}

/* The ranked ways of a packet; first: of all it has. */
static unsigned find(const weft_routing *routing, uint32_t router, uint32_t route, unsigned most,
                     weft_random *random, weft_minimal_port *first, weft_minimal_port *ways)
{
    const weft_topology *topology = routing->topology;
    unsigned count =
        topology->kind->minimal_ports(topology, router, weft_tag_route(routing, route), most, ways);
    *first = ways[0];
    return rank(routing, weft_tag_of(routing, route), random, ways, count);
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    weft_minimal_port first, ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned most = WEFT_MINIMAL_PORTS_MAX - weft_escape_one(routing);
    unsigned count = find(routing, here->router, here->header, most, random, &first, ways);
    count = weft_escape_put(routing, here->router, &first, ways, count, out);
    for (unsigned i = 0; i < count; i++)
        out[i].next_header = weft_tag_after(routing, here->header, out[i].next_header);
    return count;
}

const weft_routing_kind weft_routing_zone = {
    .base =
        {.abi = WEFT_ABI,
         .size = sizeof(weft_routing_kind),
         .name = "zone",
         .brief =
             "minimal ports in the order of dimensions of the packet's zone, and an escape path",
         .params = params,
         .settings_size = sizeof(settings),
         .instance_size = sizeof(zones)},
    .build = build,
    .initial_header = initial_header,
    .proof.initial_headers = initial_headers,
    .proof.header_valid = header_valid,
    .assign_vcs = assign_vcs,
    .candidates = candidates,
    .proof.input_independent = true,
    .proof.dimension_ordered = true,
    .draws = true,
    .always_minimal = true,
    .proof.translation_invariant = true,
};
