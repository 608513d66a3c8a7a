/* SPDX-License-Identifier: Apache-2.0 */
/* Every topology × routing of the registry that takes the fewest VCs it is content with cannot
 * deadlock: it has its certificate, which is checked packet by packet, and survives more load
 * than it can carry in the smallest buffers there can be. */
#include "analysis/deadlock/deadlock.h"
#include "net/routing.h"
#include "sim/simulation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/vcs.h"
#include "contract/scenario.h"
#include "sanitized.h"

#define ROUTERS_MOST (SANITIZED ? 40u : 80u)
#define HOPS_MOST    (SANITIZED ? 2000u : 20000u)
#define PACKETS_MOST (SANITIZED ? 10000u : 50000u)

/* The fewest VCs a routing takes on a network; 0: it is not for it. It is open then. */
static uint32_t open_pair(vc_net *it, const example *place, const weft_component *kind)
{
    const weft_routing_kind *routing = (const weft_routing_kind *)(const void *)kind;
    for (const weft_param *p = kind->params; p && p->name; p++)
        if (p->type == WEFT_PARAM_FILE && !p->fallback)
            return 0; /* it cannot do without */
    for (uint32_t vcs = 1; routing->assign_vcs && vcs <= 16; vcs++) {
        weft_error err = {0};
        if (vc_net_try(it, place, kind->name, "", "dimension-order", vcs, &err) == WEFT_OK)
            return vcs;
        vc_net_close(it);
    }
    return 0;
}

static bool is_small(const example *place)
{
    network net;
    uint32_t routers = network_open(&net, place->kind, place->settings)->routers;
    network_close(&net);
    return routers <= ROUTERS_MOST;
}

typedef struct proof {
    const weft_routing *routing;
    const weft_deadlock *found;
    uint32_t from, hops;
} proof;

static void check_hop(proof *p, const weft_route_context *here, const weft_channel *held);

static void check_settled(proof *p, const weft_route_context *here, const weft_channel *held)
{
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = vc_net_ask(p->routing, here, 0, hops), before = 0;
    uint32_t level = held ? weft_deadlock_level(p->found, *held) : UINT32_MAX;
    bool knows = held && !p->found->escape && !p->found->by_lines && !p->found->by_legs;
    if (level == 0)
        fail_msg("%s on %s: a packet holds a channel of router %u that nobody was said to use",
                 p->routing->kind->base.name, p->routing->topology->kind->base.name, held->router);
    for (unsigned i = 0; i < count; i++)
        for (uint32_t vcs = hops[i].vcs; vcs; vcs &= vcs - 1) {
            weft_channel next = {here->router, hops[i].port, (uint16_t)__builtin_ctz(vcs)};
            before += weft_deadlock_level(p->found, next) < level;
            assert_true(!knows || weft_deadlock_waits(p->found, *held, next));
        }
    if (before == 0)
        fail_msg(
            "%s on %s: a packet at router %u has nothing before level %u; lines %d, planes %d, "
            "symmetry %d, legs %d",
            p->routing->kind->base.name, p->routing->topology->kind->base.name, here->router, level,
            p->found->by_lines, p->found->by_planes, p->found->by_symmetry, p->found->by_legs);
    for (unsigned i = 0; i < count && p->hops++ < HOPS_MOST; i++) {
        uint32_t vc = 31u - (uint32_t)__builtin_clz(hops[i].vcs);
        weft_channel next = {here->router, hops[i].port, (uint16_t)vc};
        weft_route_context there = vc_net_follow(p->routing->topology, here, &hops[i], vc);
        check_hop(p, &there, &next);
    }
}

typedef struct turned {
    proof *p;
    weft_route_context here;
    const weft_channel *held;
} turned;

static void check_turn(void *user, uint32_t word)
{
    turned *t = user;
    weft_route_context here = t->here;
    here.header = word;
    check_settled(t->p, &here, t->held);
}

static void check_hop(proof *p, const weft_route_context *here, const weft_channel *held)
{
    turned t = {p, *here, held};
    if (here->header == 0)
        return;
    if (p->routing->kind->proof.reroute_outcomes)
        (void)p->routing->kind->proof.reroute_outcomes(p->routing, here, check_turn, &t);
    else
        check_settled(p, here, held);
}

static void check_word(void *user, uint32_t word)
{
    proof *p = user;
    weft_route_context here = vc_net_start(p->from, word);
    if (p->hops < HOPS_MOST)
        check_hop(p, &here, NULL);
}

static void check_certificate(const weft_routing *routing, const weft_deadlock *found)
{
    const weft_topology *topology = routing->topology;
    proof p = {.routing = routing, .found = found};
    weft_random draw = weft_random_stream(5, topology->routers, 0, WEFT_FOR_ESTIMATE);
    for (int pair = 0; pair < 500; pair++) {
        p.from = (uint32_t)(weft_random_word(&draw) % topology->edge_routers);
        uint32_t to =
            (uint32_t)(weft_random_word(&draw) % topology->edge_routers) + topology->egress_offset;
        if (to != p.from)
            (void)weft_routing_starts(routing, p.from, to, check_word, &p);
    }
}

static void every_pair_has_its_certificate(void **state)
{
    (void)state;
    unsigned pairs = 0;
    for (size_t i = 0; i < NETWORKS; i++)
        for (const weft_component *const *kind = weft_routing_kinds; *kind; kind++) {
            const example *place = &network_examples[i];
            vc_net it;
            uint32_t vcs = is_small(place) ? open_pair(&it, place, *kind) : 0;
            if (vcs == 0)
                continue;
            weft_deadlock_question question = {.topology = it.routing.topology,
                                               .traffic_classes = 1,
                                               .routing = {&it.routing},
                                               .vcs = vcs};
            weft_deadlock found;
            weft_deadlock_init(&found, &question);
            if (found.verdict != WEFT_DEADLOCK_FREE)
                fail_msg("%s on %s %s with %u vcs: verdict %d", (*kind)->name, place->kind,
                         place->settings, vcs, (int)found.verdict);
            check_certificate(&it.routing, &found);
            pairs++;
            weft_deadlock_done(&found);
            vc_net_close(&it);
        }
    print_message("%u pairs\n", pairs);
    assert_true(pairs > NETWORKS);
}

/* Packets of all classes use all VCs: most networks can deadlock then. */
static void spoil(weft_routing *routing)
{
    weft_vc_plan *plan = &routing->plan;
    uint16_t all = (uint16_t)((1u << plan->n_vcs) - 1);
    plan->dateline[0] = plan->dateline[1] = all;
    for (unsigned phase = 0; phase < WEFT_PHASES_MAX; phase++)
        for (uint32_t classes = 0; classes <= 16; classes++)
            for (uint32_t c = 0; c < 16; c++)
                plan->by_class[phase][classes][c] = plan->by_class[phase][classes][c] ? all : 0;
}

/* The same, but every phase keeps its VCs to itself. */
static void spoil_phases(weft_routing *routing)
{
    weft_vc_plan *plan = &routing->plan;
    for (unsigned phase = 0; phase < WEFT_PHASES_MAX; phase++) {
        uint16_t all = 0;
        for (uint32_t classes = 0; classes <= 16; classes++)
            for (uint32_t c = 0; c < 16; c++)
                all |= plan->by_class[phase][classes][c];
        for (uint32_t classes = 0; classes <= 16; classes++)
            for (uint32_t c = 0; c < 16; c++)
                plan->by_class[phase][classes][c] = plan->by_class[phase][classes][c] ? all : 0;
    }
}

/* Two graphs have the same edges. */
static void assert_same_graph(const weft_deadlock *a, const weft_deadlock *b,
                              const weft_deadlock_question *question)
{
    const weft_topology *topology = question->topology;
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t i = 0; i < topology->ports * question->vcs; i++) {
            weft_channel at = {r, (uint16_t)(i / question->vcs), (uint16_t)(i % question->vcs)};
            uint32_t next = topology->kind->peer(topology, r, at.port).router;
            for (uint32_t j = 0; next != WEFT_NOWHERE && j < topology->ports * question->vcs; j++) {
                weft_channel to = {next, (uint16_t)(j / question->vcs),
                                   (uint16_t)(j % question->vcs)};
                assert_int_equal(weft_deadlock_waits(a, at, to), weft_deadlock_waits(b, at, to));
            }
        }
}

typedef struct tally { /* how verdicts were found */
    unsigned questions, free, knots, lines, planes, symmetry, legs, construction;
} tally;

/* A part of the packets tells the same as all of them. */
static void compare_verdicts(const weft_routing *routing, bool committed, tally *sum)
{
    weft_deadlock_question question = {.topology = routing->topology,
                                       .traffic_classes = 1,
                                       .routing = {routing},
                                       .vcs = routing->plan.n_vcs,
                                       .committed = committed,
                                       .whole = true};
    weft_deadlock all, part;
    weft_deadlock_init(&all, &question);
    question.whole = false;
    question.parts = true;
    weft_deadlock_init(&part, &question);
    if (all.verdict != part.verdict)
        fail_msg("%s on %s: verdict %d of all, %d of a part%s%s%s%s", routing->kind->base.name,
                 routing->topology->kind->base.name, (int)all.verdict, (int)part.verdict,
                 part.by_lines ? ", lines" : "", part.by_planes ? ", planes" : "",
                 part.by_symmetry ? ", symmetry" : "", part.by_legs ? ", legs" : "");
    if (part.verdict == WEFT_DEADLOCK_FREE && !part.reason && !committed)
        check_certificate(routing, &part);
    if ((part.by_planes || part.by_symmetry) && !part.by_legs)
        assert_same_graph(&all, &part, &question);
    for (uint32_t i = 0; i < part.length; i++) {
        assert_true(part.circle[i].from != part.circle[i].to);
        assert_int_equal(part.circle[i].next.router, part.circle[(i + 1) % part.length].at.router);
        assert_int_equal(part.circle[i].next.port, part.circle[(i + 1) % part.length].at.port);
    }
    sum->questions++;
    sum->free += part.verdict == WEFT_DEADLOCK_FREE;
    sum->knots += part.length > 0;
    sum->lines += part.by_lines;
    sum->planes += part.by_planes;
    sum->symmetry += part.by_symmetry;
    sum->legs += part.by_legs;
    sum->construction += part.reason != WEFT_DEADLOCK_EXAMINED;
    weft_deadlock_done(&all);
    weft_deadlock_done(&part);
}

/* Pairs of routers, or with one in between. */
static uint32_t packets_of(const weft_routing *routing)
{
    uint32_t homes = routing->topology->edge_routers;
    return homes * homes * (routing->kind->proof.n_phases ? homes : 1);
}

/* As they are, with VCs that are not kept apart, and with packets that take one before there is
 * room. */
static void compare_on(const example *place, tally *sum)
{
    for (const weft_component *const *kind = weft_routing_kinds; *kind; kind++) {
        vc_net it;
        if (open_pair(&it, place, *kind) == 0)
            continue;
        if (packets_of(&it.routing) <= PACKETS_MOST) {
            compare_verdicts(&it.routing, false, sum);
            if (it.routing.kind->proof.n_phases && packets_of(&it.routing) <= PACKETS_MOST / 4) {
                spoil_phases(&it.routing);
                compare_verdicts(&it.routing, false, sum);
            }
            spoil(&it.routing);
            compare_verdicts(&it.routing, false, sum);
            if (packets_of(&it.routing) <= PACKETS_MOST / 4)
                compare_verdicts(&it.routing, true, sum);
        }
        vc_net_close(&it);
    }
}

static void a_part_tells_the_same_as_all(void **state)
{
    (void)state;
    const example spatial[] = {
        {"hierarchy", "outer=torus(dims=3,4,2) inner=full(routers=3)"},
        {"hierarchy", "outer=torus(dims=4,3,3) inner=mesh(dims=2) attach=0,1,1,0,0,0"},
        {"hierarchy", "outer=mesh(dims=3,2,4) inner=full(routers=2)"},
        {"hierarchy", "outer=torus(dims=2,3,2,3) inner=full(routers=2) attach=0,0,1,1,0,1"}};
    tally sum = {0};
    for (size_t i = 0; i < NETWORKS; i++)
        if (is_small(&network_examples[i]))
            compare_on(&network_examples[i], &sum);
    for (size_t i = 0; i < sizeof spatial / sizeof *spatial; i++)
        compare_on(&spatial[i], &sum);
    print_message("%u questions: %u free, %u with a circle; by lines %u, planes %u, symmetry %u, "
                  "legs %u, construction %u\n",
                  sum.questions, sum.free, sum.knots, sum.lines, sum.planes, sum.symmetry, sum.legs,
                  sum.construction);
    assert_true(sum.free > NETWORKS && sum.knots > NETWORKS / 2 && sum.lines > 0 &&
                sum.planes > 0 && sum.symmetry > 0 && sum.legs > 0 && sum.construction > 0);
}

/* Settings as examples have them, as YAML. */
static void write_settings(weft_arena *arena, const weft_component *kind, const char *text,
                           const char **out)
{
    size_t length;
    *out = weft_arena_format(arena, "kind: %s", kind->name);
    for (const char *t = text; *t; t += length + (t[length] == ' ')) {
        length = network_word(t);
        char *word = weft_arena_format(arena, "%.*s", (int)length, t);
        char *value = strchr(word, '='), *own = strchr(word, '(');
        if (!value)
            continue;
        *value++ = '\0';
        const char *inside = value;
        if (own) {
            *own = word[length - 1] = '\0';
            write_settings(arena, kind_named(weft_topology_kinds, value), own + 1, &inside);
        }
        bool list = settings_param(kind, word)->type == WEFT_PARAM_INTS;
        *out = weft_arena_format(arena, "%s, %s: %s%s%s", *out, word,
                                 own    ? "{"
                                 : list ? "["
                                        : "",
                                 inside,
                                 own    ? "}"
                                 : list ? "]"
                                        : "");
    }
}

static void assert_survives(const example *place, const char *routing, uint32_t vcs)
{
    weft_arena arena;
    const char *topology;
    weft_arena_init(&arena);
    write_settings(&arena, kind_named(weft_topology_kinds, place->kind), place->settings,
                   &topology);
    const char *text =
        weft_arena_format(&arena,
                          "topology: {%s}\n"
                          "router: {kind: input-queued, vcs: %u, buffer: 2 flits}\n"
                          "routing: {kind: %s}\n"
                          "traffic: {all: {pattern: uniform, length: 2 flits, load: 1.0}}\n"
                          "measure: {warmup: 0 cycles, limit: {time: 1000 cycles}}\n"
                          "clock: 1 GHz\n",
                          topology, vcs, routing);
    stage it;
    weft_simulation *simulation = NULL;
    weft_simulation_options options = {.blocks = 1};
    weft_ending ending;
    stage_open(&it, text);
    weft_status status = weft_simulation_create(&it.network, &options, &simulation, &it.err);
    if (status == WEFT_OK)
        status = weft_simulation_run(simulation, &ending, &it.err);
    if (status != WEFT_OK)
        fail_msg("%s%s", text, it.err.text);
    weft_simulation_destroy(simulation);
    stage_close(&it);
    weft_arena_done(&arena);
}

static void every_pair_survives_too_much_load_in_small_buffers(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS; i++)
        for (const weft_component *const *kind = weft_routing_kinds; *kind; kind++) {
            vc_net it;
            bool small = is_small(&network_examples[i]);
            uint32_t vcs = small ? open_pair(&it, &network_examples[i], *kind) : 0;
            if (vcs == 0)
                continue;
            vc_net_close(&it);
            assert_survives(&network_examples[i], (*kind)->name, vcs);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_has_its_certificate),
        cmocka_unit_test(a_part_tells_the_same_as_all),
        cmocka_unit_test(every_pair_survives_too_much_load_in_small_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
