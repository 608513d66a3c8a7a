/* SPDX-License-Identifier: Apache-2.0 */
#include "net/detour.h"

#include "net/grid.h"
#include "net/lanes.h"

#include <assert.h>

#define HOPS_MAX 2047u /* a packet counts its hops in 11 bits */
#define WORD_MAX 32u

static const char *const via_names[] = {"router", "group", NULL};
static const char *const sense_names[] = {"port", "hybrid", "lanes", NULL};

#define VIA                                                                                      \
    {                                                                                            \
        .name = "via",                                                                           \
        .brief = "what is in between: any router, or any other group, which is left again from " \
                 "where it is entered; none: a group where there are any (dragonfly), else a "   \
                 "router",                                                                       \
        .type = WEFT_PARAM_CHOICE, .offset = offsetof(weft_detour_settings, via),                \
        .fallback = "none", .choices = via_names,                                                \
    }

const weft_param weft_detour_params[] = {
    VIA,
    {.name = NULL},
};

const weft_param weft_choice_params[] = {
    VIA,
    {.name = "sense",
     .brief =
         "what counts as the queue of a way: all that waits behind its port, or what is on the "
         "lanes it would use; hybrid: that if both ways leave by the same port",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_detour_settings, sense),
     .fallback = "port",
     .choices = sense_names},
    {.name = "threshold",
     .brief = "flits by which the minimal way's queue × hops has to exceed the other's before a "
              "packet leaves it",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_detour_settings, threshold),
     .fallback = "0",
     .min = 0,
     .max = 1000000},
    {.name = NULL},
};

const weft_leg weft_detour_legs[WEFT_DETOUR_LEGS] = {WEFT_DETOUR_OUT_AND_HOME};

static const weft_detour_settings *settings_of(const weft_routing *routing)
{
    return routing->settings;
}

static bool has_groups(const weft_topology *topology)
{
    return topology->group > 1 && topology->group < topology->homes;
}

bool weft_detour_by_group(const weft_routing *routing)
{
    int via = settings_of(routing)->via;
    return via == WEFT_VIA_GROUP || (via != WEFT_VIA_ROUTER && has_groups(routing->topology));
}

/* Bits of one router (+ 1) in a word. */
static unsigned field_bits(const weft_routing *routing)
{
    return weft_grid_bits(routing->topology->routers + 1);
}

weft_detour weft_detour_read(const weft_routing *routing, uint32_t word)
{
    unsigned bits = field_bits(routing);
    uint32_t field = (1u << bits) - 1;
    return (weft_detour){.mark = (weft_detour_mark)(word >> 2 * bits),
                         .mid = (word >> bits & field) - 1, /* 0 − 1 is WEFT_NOWHERE */
                         .to = (word & field) - 1};
}

uint32_t weft_detour_word(const weft_routing *routing, const weft_detour *detour)
{
    unsigned bits = field_bits(routing);
    assert(detour->to < routing->topology->routers);
    return (uint32_t)detour->mark << 2 * bits | (detour->mid + 1) << bits | (detour->to + 1);
}

uint32_t weft_detour_direct(const weft_routing *routing, uint32_t to)
{
    return weft_detour_word(routing, &(weft_detour){.mid = WEFT_NOWHERE, .to = to});
}

static weft_status check_groups(const weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    if (!has_groups(topology))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing.via must be router on a %s, whose routers form no groups, found "
                         "group",
                         topology->kind->base.name);
    return WEFT_OK;
}

weft_status weft_detour_check(const weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    const char *name = routing->kind->base.name;
    uint32_t bits = 2 * field_bits(routing) + weft_grid_bits(WEFT_MARKS);
    if (topology->exit != 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing %s needs a topology on which packets can go on from where others "
                         "leave it; the links of a %s lead one way",
                         name, topology->kind->base.name);
    if (bits > WORD_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing %s writes two routers into a packet, which takes %u bits with %u "
                         "routers; a packet has %u: use at most 32767 routers",
                         name, bits, topology->routers, WORD_MAX);
    if (topology->kind->diameter && 2 * topology->kind->diameter(topology) > HOPS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the longest path of routing %s has %u hops, a packet can count %u", name,
                         2 * topology->kind->diameter(topology), HOPS_MAX);
    return weft_detour_by_group(routing) ? check_groups(routing, err) : WEFT_OK;
}

/* Routers that may be in between: `count` of them, numbered without those of the group that is left. */
typedef struct choice {
    uint32_t count, gap, skip;
} choice;

static choice choice_of(const weft_routing *routing, uint32_t from)
{
    const weft_topology *topology = routing->topology;
    if (!weft_detour_by_group(routing))
        return (choice){.count = topology->homes, .gap = topology->homes};
    uint32_t first = from / topology->group * topology->group;
    uint32_t left = topology->homes - first;
    uint32_t size = left < topology->group ? left : topology->group;
    return (choice){.count = topology->homes - size, .gap = first, .skip = size};
}

/* The word with number `nth` of a choice. */
static uint32_t chosen(const weft_routing *routing, choice among, uint32_t nth, uint32_t from,
                       uint32_t to)
{
    const weft_topology *topology = routing->topology;
    uint32_t mid = nth < among.gap ? nth : nth + among.skip;
    bool ends = weft_detour_by_group(routing) ? mid / topology->group == to / topology->group
                                              : mid == from || mid == to;
    return weft_detour_word(routing, &(weft_detour){.mid = ends ? WEFT_NOWHERE : mid, .to = to});
}

uint32_t weft_detour_draw(const weft_routing *routing, uint32_t from, uint32_t to,
                          weft_random *random)
{
    choice among = choice_of(routing, from);
    return chosen(routing, among, weft_random_below(random, among.count), from, to);
}

uint32_t weft_detour_each(const weft_routing *routing, uint32_t from, uint32_t to,
                          void (*each)(void *user, uint32_t word), void *user)
{
    choice among = choice_of(routing, from);
    for (uint32_t nth = 0; nth < among.count; nth++)
        each(user, chosen(routing, among, nth, from, to));
    return among.count;
}

/* Has a packet on its way out come to where it turns home? */
static bool turns(const weft_routing *routing, uint32_t router, uint32_t mid)
{
    uint32_t group = routing->topology->group;
    return weft_detour_by_group(routing) ? router / group == mid / group : router == mid;
}

/* Decides ties. Inside a group it must not change: the ports of both directions may hang on different routers. */
static weft_random tie_at(const weft_topology *topology, uint32_t router, uint32_t word)
{
    uint32_t place = topology->group ? router / topology->group : router;
    return weft_random_stream(word, place, 0, WEFT_FOR_HOP);
}

weft_way weft_detour_way(const weft_routing *routing, uint32_t router, uint32_t word,
                         weft_ahead *ahead)
{
    const weft_topology *topology = routing->topology;
    weft_detour detour = weft_detour_read(routing, word);
    bool out = detour.mid != WEFT_NOWHERE;
    weft_random tie = tie_at(topology, router, word);
    uint32_t route = topology->kind->aim(topology, router, out ? detour.mid : detour.to, &tie);
    weft_way way;
    assert(detour.mark != WEFT_UNCHOSEN && route != 0);
    (void)topology->kind->ways(topology, router, route, 1, &way);
    uint32_t next = topology->kind->peer(topology, router, way.port).router;
    bool turning = out && turns(routing, next, detour.mid);
    *ahead = (weft_ahead){.router = next, .word = word};
    if (next == detour.to && (turning || !out))
        ahead->word = 0;
    else if (turning)
        ahead->word = weft_detour_direct(routing, detour.to);
    return way;
}

uint32_t weft_detour_length(const weft_routing *routing, uint32_t router, uint32_t word)
{
    const weft_topology *topology = routing->topology;
    weft_detour detour = weft_detour_read(routing, word);
    uint32_t hops = 0;
    if (detour.mid != WEFT_NOWHERE && !weft_detour_by_group(routing))
        return topology->kind->distance(topology, router, detour.mid) +
               topology->kind->distance(topology, detour.mid, detour.to);
    weft_ahead at = {.router = router, .word = word};
    for (; weft_detour_by_group(routing) && weft_detour_read(routing, at.word).mid != WEFT_NOWHERE;
         hops++)
        (void)weft_detour_way(routing, at.router, at.word, &at);
    return hops + topology->kind->distance(topology, at.router, detour.to);
}

bool weft_detour_sound(const weft_routing *routing, uint32_t router, uint32_t word, unsigned marks)
{
    const weft_topology *topology = routing->topology;
    weft_detour detour = weft_detour_read(routing, word);
    if (word == 0)
        return true;
    if (detour.mark >= WEFT_MARKS || !(marks >> detour.mark & 1) || detour.to >= topology->homes)
        return false;
    if (detour.mid == WEFT_NOWHERE)
        return detour.to != router;
    return detour.mark == WEFT_SETTLED && detour.mid < topology->homes && detour.mid != detour.to &&
           !turns(routing, router, detour.mid);
}

weft_status weft_detour_share(weft_routing *routing, uint32_t first, uint32_t lanes,
                              weft_error *err)
{
    const weft_topology *topology = routing->topology;
    uint32_t classes = topology->classes, half = (lanes - first) / 2;
    assert(lanes <= 16 && first <= lanes);
    if (lanes < first + 2 * classes)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.vcs must be at least %u for routing %s on a %s (%u on the way to "
                         "an intermediate router and as many from there%s), found %u",
                         first + 2 * classes, routing->kind->base.name, topology->kind->base.name,
                         classes, first ? ", one for a hop that may be regretted" : "", lanes);
    routing->plan = (weft_lane_plan){.lanes = lanes};
    weft_lanes_divide(routing, WEFT_PHASE_OUT, first, half);
    weft_lanes_divide(routing, WEFT_PHASE_HOME, first + half, lanes - first - half);
    return WEFT_OK;
}

static unsigned phase_of(const weft_detour *detour)
{
    if (detour->mark == WEFT_TRIED)
        return WEFT_PHASE_TRIED;
    return detour->mid == WEFT_NOWHERE ? WEFT_PHASE_HOME : WEFT_PHASE_OUT;
}

unsigned weft_detour_candidates(const weft_routing *routing, uint32_t router, uint32_t route,
                                weft_random *random, weft_way *out)
{
    (void)random;
    weft_ahead ahead;
    *out = weft_detour_way(routing, router, route, &ahead);
    out->after = ahead.word;
    return 1;
}

unsigned weft_detour_hops(const weft_routing *routing, const weft_here *here, weft_random *random,
                          weft_hop *out)
{
    (void)random;
    weft_detour detour = weft_detour_read(routing, here->route);
    weft_ahead ahead;
    weft_way way = weft_detour_way(routing, here->router, here->route, &ahead);
    weft_lanes_put(&way, weft_lanes_of(routing, phase_of(&detour), here->router, &way), out);
    out->after = ahead.word;
    return 1;
}

/* Queue × hops of a way from here. */
static uint64_t cost(const weft_routing *routing, uint32_t router, uint32_t word,
                     const weft_view *view, const weft_hop *first, bool lanes)
{
    uint32_t queue = view->waiting(view->user, first->port, lanes ? first->lanes : UINT16_MAX);
    return (uint64_t)queue * weft_detour_length(routing, router, word);
}

uint32_t weft_detour_choose(const weft_routing *routing, uint32_t router, uint32_t to,
                            const weft_view *view, weft_random *random)
{
    const weft_detour_settings *set = settings_of(routing);
    uint32_t direct = weft_detour_direct(routing, to);
    uint32_t other = weft_detour_draw(routing, router, to, random);
    weft_hop a, b;
    (void)weft_detour_hops(routing, &(weft_here){.router = router, .route = direct}, NULL, &a);
    (void)weft_detour_hops(routing, &(weft_here){.router = router, .route = other}, NULL, &b);
    bool lanes =
        set->sense == WEFT_SENSE_LANES || (set->sense == WEFT_SENSE_HYBRID && a.port == b.port);
    uint64_t minimal = cost(routing, router, direct, view, &a, lanes);
    uint64_t longer = cost(routing, router, other, view, &b, lanes);
    return minimal > longer + (uint64_t)set->threshold ? other : direct;
}

uint32_t weft_detour_choices(const weft_routing *routing, uint32_t router, uint32_t to,
                             void (*each)(void *user, uint32_t word), void *user)
{
    each(user, weft_detour_direct(routing, to));
    return 1 + weft_detour_each(routing, router, to, each, user);
}

uint32_t weft_detour_unchosen(const weft_routing *routing, uint32_t from, uint32_t to,
                              weft_random *random)
{
    (void)from, (void)random;
    return weft_detour_word(routing,
                            &(weft_detour){.mark = WEFT_UNCHOSEN, .mid = WEFT_NOWHERE, .to = to});
}

uint32_t weft_detour_starts(const weft_routing *routing, uint32_t from, uint32_t to,
                            void (*each)(void *user, uint32_t word), void *user)
{
    each(user, weft_detour_unchosen(routing, from, to, NULL));
    return 1;
}
