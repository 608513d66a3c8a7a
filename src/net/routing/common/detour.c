/* SPDX-License-Identifier: Apache-2.0 */
#include "net/routing/common/detour.h"

#include "net/routing/common/vc_plan.h"
#include "net/topology.h"
#include "net/topology/common/grid.h"

#include <assert.h>

#define HOPS_MAX 2047u /* a packet counts its hops in 11 bits */
#define WORD_MAX 32u

static const char *const via_names[] = {"router", "group", NULL};
static const char *const sense_names[] = {"port", "hybrid", "vcs", NULL};
static const char *const information_names[] = {"local", "global", NULL};

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
         "VCs it would use; hybrid: that if both ways leave by the same port",
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
    {.name = "information",
     .brief =
         "whose queues are known: local, that of a way's first port in this router, or global, "
         "the longest one of all ports of a way (UGAL-G; one process, one block); none: local",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_detour_settings, information),
     .fallback = "none",
     .choices = information_names},
    {.name = "candidates",
     .brief =
         "detours drawn for a packet, of which the one with the least queue × hops is compared "
         "with the minimal way; none: 1",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_detour_settings, candidates),
     .fallback = "none",
     .min = 1,
     .max = 64},
    {.name = NULL},
};

const weft_phase weft_detour_legs[WEFT_DETOUR_LEGS] = {WEFT_DETOUR_OUT_AND_HOME};

static const weft_detour_settings *settings_of(const weft_routing *routing)
{
    return routing->settings;
}

static bool has_groups(const weft_topology *topology)
{
    return topology->group > 1 && topology->group < topology->edge_routers;
}

bool weft_detour_by_group(const weft_routing *routing)
{
    int via = settings_of(routing)->via;
    return via == WEFT_VIA_GROUP || (via != WEFT_VIA_ROUTER && has_groups(routing->topology));
}

/* Bits of a word: of the router it goes to, and of the intermediate one or a mark. */
static unsigned to_bits(const weft_routing *routing)
{
    return weft_grid_bits(routing->topology->routers + 1);
}

static unsigned mid_bits(const weft_routing *routing)
{
    return weft_grid_bits(routing->topology->routers + WEFT_MARKS);
}

weft_detour weft_detour_read(const weft_routing *routing, uint32_t word)
{
    unsigned low = to_bits(routing), middle = mid_bits(routing);
    uint32_t routers = routing->topology->routers;
    uint32_t mid = word >> low & ((1u << middle) - 1);
    bool marked = mid > routers;
    return (weft_detour){.mark = marked ? (weft_detour_mark)(mid - routers) : WEFT_SETTLED,
                         .mid = marked ? WEFT_NOWHERE : mid - 1, /* 0 − 1 is WEFT_NOWHERE */
                         .to = (word & ((1u << low) - 1)) - 1,
                         .tie = word >> (low + middle)};
}

uint32_t weft_detour_word(const weft_routing *routing, const weft_detour *detour)
{
    unsigned low = to_bits(routing), middle = mid_bits(routing);
    uint32_t mid = detour->mark == WEFT_SETTLED
                       ? detour->mid + 1
                       : routing->topology->routers + (uint32_t)detour->mark;
    assert(detour->to < routing->topology->routers && detour->tie <= 1);
    assert(detour->mark == WEFT_SETTLED || detour->mid == WEFT_NOWHERE);
    return detour->tie << (low + middle) | mid << low | (detour->to + 1);
}

uint32_t weft_detour_direct(const weft_routing *routing, uint32_t to, uint32_t tie)
{
    return weft_detour_word(routing, &(weft_detour){.mid = WEFT_NOWHERE, .to = to, .tie = tie});
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
    uint32_t bits = to_bits(routing) + mid_bits(routing) + 1;
    if (topology->egress_offset != 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing %s needs a topology on which packets can go on from where others "
                         "leave it; the links of a %s lead one way",
                         name, topology->kind->base.name);
    if (bits > WORD_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing %s writes two routers into a packet, which takes %u bits with %u "
                         "routers; a packet has %u: use at most 32767 routers",
                         name, bits, topology->routers, WORD_MAX);
    if (2 * weft_topology_farthest(topology) > HOPS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the longest path of routing %s has %u hops, a packet can count %u", name,
                         2 * weft_topology_farthest(topology), HOPS_MAX);
    return weft_detour_by_group(routing) ? check_groups(routing, err) : WEFT_OK;
}

/* Routers that may be in between: `count` of them, numbered without those of the group that is
 * left. */
typedef struct choice {
    uint32_t count, gap, skip;
} choice;

static choice choice_of(const weft_routing *routing, uint32_t from)
{
    const weft_topology *topology = routing->topology;
    if (!weft_detour_by_group(routing))
        return (choice){.count = topology->edge_routers, .gap = topology->edge_routers};
    uint32_t first = weft_topology_group_of(topology, from) * topology->group;
    uint32_t left = topology->edge_routers - first;
    uint32_t size = left < topology->group ? left : topology->group;
    return (choice){.count = topology->edge_routers - size, .gap = first, .skip = size};
}

/* Values of the tie bit. */
static uint32_t ties(const weft_routing *routing)
{
    return weft_topology_has_ties(routing->topology) ? 2 : 1;
}

static uint32_t draw_tie(const weft_routing *routing, weft_random *random)
{
    return ties(routing) > 1 ? weft_random_word(random) >> 31 : 0;
}

/* The word with number `nth` of a choice. */
static uint32_t chosen(const weft_routing *routing, choice among, uint32_t nth, uint32_t tie,
                       uint32_t from, uint32_t to)
{
    const weft_topology *topology = routing->topology;
    uint32_t mid = nth < among.gap ? nth : nth + among.skip;
    bool ends = weft_detour_by_group(routing) ? mid / topology->group == to / topology->group
                                              : mid == from || mid == to;
    return weft_detour_word(routing,
                            &(weft_detour){.mid = ends ? WEFT_NOWHERE : mid, .to = to, .tie = tie});
}

/* Is the whole path of a packet with this word up? */
static bool is_up(const weft_routing *routing, uint32_t router, uint32_t word)
{
    weft_ahead at = {.router = router, .word = word};
    while (routing->topology->faults && at.word) {
        uint32_t here = at.router;
        weft_minimal_port way = weft_detour_way(routing, here, at.word, &at);
        if (!weft_topology_alive(routing->topology, here, way.port))
            return false;
    }
    return true;
}

/* Can a packet leave here with this word? Classes of virtual channels are enough for paths from a
 * router with endpoints; from another one (par) an intermediate router may be too far. */
static bool is_open(const weft_routing *routing, uint32_t router, uint32_t word)
{
    weft_candidate hop;
    bool near = router < routing->topology->edge_routers || routing->plan.n_vcs == 0;
    if (!near)
        (void)weft_detour_candidates(
            routing, &(weft_route_context){.router = router, .header = word}, NULL, &hop);
    return (near || hop.vcs) && is_up(routing, router, word);
}

static uint32_t draw_any(const weft_routing *routing, uint32_t from, uint32_t to,
                         weft_random *random)
{
    choice among = choice_of(routing, from);
    uint32_t nth = weft_random_below(random, among.count);
    return chosen(routing, among, nth, draw_tie(routing, random), from, to);
}

uint32_t weft_detour_draw(const weft_routing *routing, uint32_t from, uint32_t to,
                          weft_random *random)
{
    uint32_t word = draw_any(routing, from, to, random);
    while (!is_up(routing, from, word)) /* build has found one that is */
        word = draw_any(routing, from, to, random);
    return word;
}

uint32_t weft_detour_each(const weft_routing *routing, uint32_t from, uint32_t to,
                          void (*each)(void *user, uint32_t word), void *user)
{
    choice among = choice_of(routing, from);
    uint32_t count = 0;
    for (uint32_t nth = 0; nth < among.count; nth++)
        for (uint32_t tie = 0; tie < ties(routing); tie++) {
            uint32_t word = chosen(routing, among, nth, tie, from, to);
            if (!is_open(routing, from, word))
                continue;
            each(user, word);
            count++;
        }
    return count;
}

/* Has a packet a path that is up, the minimal one included? */
static bool has_direct(const weft_routing *routing, uint32_t from, uint32_t to)
{
    for (uint32_t tie = 0; tie < ties(routing); tie++)
        if (is_up(routing, from, weft_detour_direct(routing, to, tie)))
            return true;
    return false;
}

static bool has_detour(const weft_routing *routing, uint32_t from, uint32_t to)
{
    choice among = choice_of(routing, from);
    for (uint32_t nth = 0; nth < among.count; nth++)
        for (uint32_t tie = 0; tie < ties(routing); tie++)
            if (is_up(routing, from, chosen(routing, among, nth, tie, from, to)))
                return true;
    return false;
}

static weft_status check_pairs(const weft_routing *routing, bool direct, weft_error *err)
{
    uint32_t homes = routing->topology->faults ? routing->topology->edge_routers : 0;
    for (uint32_t from = 0; from < homes; from++)
        for (uint32_t to = 0; to < homes; to++)
            if (from != to && !(direct && has_direct(routing, from, to)) &&
                !has_detour(routing, from, to))
                return weft_fail(err, WEFT_BAD_INPUT,
                                 "routing %s has no path from router %u to router %u that is up "
                                 "(faults): use routing up-down, which finds one wherever routers "
                                 "are still joined, or fewer faults",
                                 routing->kind->base.name, from, to);
    return WEFT_OK;
}

weft_status weft_detour_build(weft_routing *routing, weft_error *err)
{
    return check_pairs(routing, false, err);
}

weft_status weft_detour_build_choice(weft_routing *routing, weft_error *err)
{
    routing->sees_all = settings_of(routing)->information == WEFT_INFORMATION_GLOBAL;
    return check_pairs(routing, true, err);
}

/* Has a packet on its way out come to where it turns home? */
static bool turns(const weft_routing *routing, uint32_t router, uint32_t mid)
{
    const weft_topology *topology = routing->topology;
    return weft_detour_by_group(routing)
               ? weft_topology_group_of(topology, router) == mid / topology->group
               : router == mid;
}

/* Which of several headers: all bits of the number follow from the routers of the word, and are
 * inverted by its tie bit. It is the same at all routers, because in a hierarchy the ports of two
 * directions may hang on different ones. */
static uint32_t preference(const weft_detour *detour)
{
    uint32_t mixed = (detour->mid + 1) * 0x9e3779b1u + detour->to * 0x85ebca77u;
    mixed = (mixed ^ mixed >> 15) * 0x2c1b3c6du;
    mixed ^= mixed >> 12;
    return detour->tie ? ~mixed : mixed;
}

/* The topology's header for the phase that a packet is in. */
static uint32_t aim(const weft_topology *topology, uint32_t router, const weft_detour *detour)
{
    uint32_t to = detour->mid != WEFT_NOWHERE ? detour->mid : detour->to;
    if (!weft_topology_has_ties(topology))
        return topology->kind->make_header(topology, router, to, NULL);
    uint32_t headers[WEFT_HEADERS_MAX];
    unsigned count = topology->kind->all_headers(topology, router, to, headers);
    return headers[count > 1 ? preference(detour) % count : 0];
}

weft_minimal_port weft_detour_way(const weft_routing *routing, uint32_t router, uint32_t word,
                                  weft_ahead *ahead)
{
    const weft_topology *topology = routing->topology;
    weft_detour detour = weft_detour_read(routing, word);
    bool out = detour.mid != WEFT_NOWHERE;
    uint32_t route = aim(topology, router, &detour);
    weft_minimal_port way;
    assert(detour.mark != WEFT_UNCHOSEN && route != 0);
    (void)topology->kind->minimal_ports(topology, router, route, 1, &way);
    uint32_t next = topology->kind->peer(topology, router, way.port).router;
    bool turning = out && turns(routing, next, detour.mid);
    *ahead = (weft_ahead){.router = next, .word = word};
    if (next == detour.to && (turning || !out))
        ahead->word = 0;
    else if (turning)
        ahead->word = weft_detour_direct(routing, detour.to, detour.tie);
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
    if (detour.mark >= WEFT_MARKS || !(marks >> detour.mark & 1) ||
        detour.to >= topology->edge_routers || detour.tie >= ties(routing))
        return false;
    if (detour.mark == WEFT_UNCHOSEN)
        return detour.to != router && router < topology->edge_routers;
    bool going = detour.mid == WEFT_NOWHERE
                     ? detour.to != router
                     : detour.mid < topology->edge_routers && detour.mid != detour.to &&
                           !turns(routing, router, detour.mid);
    return going && is_open(routing, router, word);
}

weft_status weft_detour_share(weft_routing *routing, uint32_t first, uint32_t vcs, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    uint32_t classes = topology->max_vc_classes, half = (vcs - first) / 2;
    assert(vcs <= 16 && first <= vcs);
    if (vcs < first + 2 * classes)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.vcs must be at least %u for routing %s on a %s (%u on the way to "
                         "an intermediate router and as many from there%s), found %u",
                         first + 2 * classes, routing->kind->base.name, topology->kind->base.name,
                         classes, first ? ", one for a hop that may be regretted" : "", vcs);
    routing->plan = (weft_vc_plan){.n_vcs = vcs};
    weft_assign_phase(routing, WEFT_PHASE_OUT, first, half);
    weft_assign_phase(routing, WEFT_PHASE_HOME, first + half, vcs - first - half);
    return WEFT_OK;
}

static unsigned phase_of(const weft_detour *detour)
{
    if (detour->mark == WEFT_TRIED)
        return WEFT_PHASE_TRIED;
    return detour->mid == WEFT_NOWHERE ? WEFT_PHASE_HOME : WEFT_PHASE_OUT;
}

unsigned weft_detour_candidates(const weft_routing *routing, const weft_route_context *here,
                                weft_random *random, weft_candidate *out)
{
    (void)random;
    weft_detour detour = weft_detour_read(routing, here->header);
    weft_ahead ahead;
    weft_minimal_port way = weft_detour_way(routing, here->router, here->header, &ahead);
    weft_vcs_put(&way, weft_phase_vcs(routing, phase_of(&detour), here->router, &way), out);
    out->next_header = ahead.word;
    return 1;
}

/* The longest queue of a way from here. */
static uint32_t longest_queue(const weft_routing *routing, uint32_t router, uint32_t word,
                              const weft_congestion_view *view, bool vcs)
{
    uint32_t most = 0;
    while (word) {
        weft_route_context here = {.router = router, .header = word};
        weft_candidate hop;
        (void)weft_detour_candidates(routing, &here, NULL, &hop);
        uint32_t queue = view->waiting_at(view->user, router, hop.port, vcs ? hop.vcs : UINT16_MAX);
        most = queue > most ? queue : most;
        router = routing->topology->kind->peer(routing->topology, router, hop.port).router;
        word = hop.next_header;
    }
    return most;
}

/* Queue × hops of a way from here. */
static uint64_t cost(const weft_routing *routing, uint32_t router, uint32_t word,
                     const weft_congestion_view *view, const weft_candidate *first, bool vcs)
{
    uint32_t queue = routing->sees_all && view->waiting_at
                         ? longest_queue(routing, router, word, view, vcs)
                         : view->waiting(view->user, first->port, vcs ? first->vcs : UINT16_MAX);
    return (uint64_t)queue * weft_detour_length(routing, router, word);
}

/* The minimal word of a packet: with its tie bit if it is on that way, else with one that is drawn.
 * The other bit, if this way is down. */
static uint32_t minimal_word(const weft_routing *routing, uint32_t router, const weft_detour *now,
                             weft_random *random)
{
    uint32_t tie = now->mark == WEFT_TRIED ? now->tie : draw_tie(routing, random);
    uint32_t direct = weft_detour_direct(routing, now->to, tie);
    bool flips = ties(routing) > 1 && !is_up(routing, router, direct);
    return flips ? weft_detour_direct(routing, now->to, !tie) : direct;
}

/* Is the minimal way left for another one? */
static bool leaves(const weft_routing *routing, uint32_t router, uint32_t direct, uint32_t other,
                   const weft_congestion_view *view)
{
    const weft_detour_settings *set = settings_of(routing);
    weft_candidate a, b;
    (void)weft_detour_candidates(routing, &(weft_route_context){.router = router, .header = direct},
                                 NULL, &a);
    (void)weft_detour_candidates(routing, &(weft_route_context){.router = router, .header = other},
                                 NULL, &b);
    bool vcs =
        set->sense == WEFT_SENSE_VCS || (set->sense == WEFT_SENSE_HYBRID && a.port == b.port);
    uint64_t minimal = cost(routing, router, direct, view, &a, vcs);
    uint64_t longer = cost(routing, router, other, view, &b, vcs);
    return minimal > longer + (uint64_t)set->threshold;
}

/* A detour, or the best of further draws; a draw with a fault, or too far from here, is none. */
static uint32_t best_detour(const weft_routing *routing, uint32_t router, uint32_t first,
                            uint32_t to, const weft_congestion_view *view, weft_random *random)
{
    const weft_detour_settings *set = settings_of(routing);
    uint32_t best = first;
    uint64_t least = UINT64_MAX;
    for (int64_t i = 0; i < set->candidates; i++) {
        uint32_t word = i == 0 ? first : draw_any(routing, router, to, random);
        weft_candidate hop;
        if (!is_open(routing, router, word))
            continue;
        (void)weft_detour_candidates(
            routing, &(weft_route_context){.router = router, .header = word}, NULL, &hop);
        uint64_t found = cost(routing, router, word, view, &hop, set->sense == WEFT_SENSE_VCS);
        if (found < least) {
            best = word;
            least = found;
        }
    }
    return best;
}

uint32_t weft_detour_choose(const weft_routing *routing, uint32_t router, const weft_detour *now,
                            const weft_congestion_view *view, weft_random *random)
{
    uint32_t other = draw_any(routing, router, now->to, random);
    uint32_t direct = minimal_word(routing, router, now, random);
    if (!is_up(routing, router, direct)) /* then it is a packet's first router */
        return is_up(routing, router, other) ? other
                                             : weft_detour_draw(routing, router, now->to, random);
    if (settings_of(routing)->candidates > 1)
        other = best_detour(routing, router, other, now->to, view, random);
    if (!is_open(routing, router, other))
        return direct;
    return leaves(routing, router, direct, other, view) ? other : direct;
}

uint32_t weft_detour_choices(const weft_routing *routing, uint32_t router, const weft_detour *now,
                             void (*each)(void *user, uint32_t word), void *user)
{
    uint32_t count = 0;
    for (uint32_t tie = 0; tie < ties(routing); tie++) {
        uint32_t direct = weft_detour_direct(routing, now->to, tie);
        if ((now->mark == WEFT_TRIED && tie != now->tie) || !is_up(routing, router, direct))
            continue;
        each(user, direct);
        count++;
    }
    return count + weft_detour_each(routing, router, now->to, each, user);
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
