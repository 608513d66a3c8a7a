/* SPDX-License-Identifier: Apache-2.0 */
/* What kinds may leave out, or say of themselves, and no kind in the tree does: plug-ins can. */
#include "net/carriage.h"
#include "net/faults.h"
#include "net/routing.h"
#include "net/routing/common/tag.h"
#include "net/topology/common/hierarchy/hierarchy.h"

#include "contract/pattern.h"

/* ---- routings and the routers that carry them ---- */

static void routers_say_what_they_do_not_do(void **state)
{
    (void)state;
    weft_error err;
    const weft_carriage plain = {.base = {.name = "pipe"}}, telling = {.tells_input = true};
    weft_routing_kind routing = {.base = {.name = "west-first"}, .ports_by_input = true};
    assert_int_equal(weft_carriage_check(&plain, &routing, true, &err), WEFT_BAD_INPUT);
    assert_string_equal(
        err.text, "routing west-first does not say which virtual channels a packet may use, as "
                  "router pipe needs it: use router output-queued, or routing dimension-order or "
                  "minimal-adaptive");
    assert_int_equal(weft_carriage_check(&plain, &routing, false, &err), WEFT_BAD_INPUT);
    assert_string_equal(
        err.text, "routing west-first chooses ports by the port and the virtual channel a packet "
                  "came in by, which router pipe does not tell it: use router input-queued, or "
                  "routing dimension-order or minimal-adaptive");
    assert_int_equal(weft_carriage_check(&telling, &routing, false, &err), WEFT_OK);
    routing.ports_by_input = false;
    assert_int_equal(weft_carriage_check(&plain, &routing, false, &err), WEFT_OK);
}

/* To router header − 1, of four that are all joined. */
static uint32_t straight(const weft_routing *routing, uint32_t from, uint32_t to,
                         weft_random *random)
{
    (void)routing, (void)from, (void)random;
    return to + 1;
}

static unsigned one_port(const weft_routing *routing, const weft_route_context *at,
                         weft_random *random, weft_candidate *out)
{
    const weft_topology *topology = routing->topology;
    (void)random;
    out->port = 0;
    while (topology->kind->peer(topology, at->router, out->port).router + 1 != at->header)
        out->port++;
    return 1;
}

/* Before their first hop all packets decide to go by router 3, if they may. */
static uint32_t by_the_last(const weft_routing *routing, const weft_route_context *at,
                            void (*each)(void *user, uint32_t header), void *user)
{
    (void)routing;
    each(user, at->router == 3 ? at->header : 4);
    return 1;
}

static weft_status check_with(const weft_routing_kind *kind, int32_t a, int32_t b, weft_error *err)
{
    network net;
    weft_arena arena;
    weft_arena_init(&arena);
    weft_fault_settings set = {.links = {.count = 2, .at = {a, b}}};
    weft_routing routing = {.kind = kind, .topology = network_open(&net, "full", "routers=4")};
    assert_int_equal(weft_faults_find(&net.topology, &set, &arena, &net.topology.faults, err),
                     WEFT_OK);
    weft_status status = weft_faults_check(&routing, err);
    network_close(&net);
    weft_arena_done(&arena);
    return status;
}

static void faults_are_judged_by_what_packets_decide_first(void **state)
{
    (void)state;
    weft_error err;
    weft_routing_kind kind = {
        .base = {.name = "own"}, .candidates = one_port, .initial_header = straight};
    assert_int_equal(check_with(&kind, 0, 1, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text,
                        "faults cut off router 0 from router 1: routing own has no way past them; "
                        "up-down finds one wherever routers are still joined");
    kind.proof.reroute_outcomes = by_the_last;
    assert_int_equal(check_with(&kind, 0, 1, &err), WEFT_OK);
    assert_int_equal(check_with(&kind, 0, 3, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text,
                        "faults cut off router 0 from router 1: routing own has no way past them; "
                        "up-down finds one wherever routers are still joined");
}

/* ---- topologies ---- */

typedef struct words {
    uint32_t count, at[8];
} words;

static void add_word(void *user, uint32_t word)
{
    words *all = user;
    assert_true(all->count < 8);
    all->at[all->count++] = word;
}

/* One header is all there is where a topology lists none. */
static void a_lattice_need_not_list_its_headers(void **state)
{
    (void)state;
    network net;
    weft_routing_kind kind = {.base = {.name = "own"}};
    weft_routing routing = {.kind = &kind, .topology = network_open(&net, "mesh", "dims=3,5")};
    words listed = {0}, made = {0};
    assert_int_equal(weft_tag_starts(&routing, 2, 1, 13, add_word, &listed), 2);
    weft_topology_kind silent = *net.topology.kind;
    silent.all_headers = NULL;
    net.topology.kind = &silent;
    assert_int_equal(weft_tag_starts(&routing, 2, 1, 13, add_word, &made), 2);
    assert_int_equal(made.count, 2);
    assert_memory_equal(made.at, listed.at, sizeof listed.at);
    assert_int_equal(weft_tag_of(&routing, made.at[1]), 1);
    assert_int_equal(weft_tag_route(&routing, made.at[1]), made.at[0]);
    network_close(&net);
}

/* Seven routers: two groups of two with endpoints, two and one above them. */
static weft_status build_levels(weft_topology *topology, const void *settings, weft_error *err)
{
    static const weft_tier tiers[] = {
        {.first = 0, .ports = 2, .concentration = 1}, {.first = 4, .ports = 3}, {.first = 6}};
    (void)settings, (void)err;
    topology->routers = 7;
    topology->edge_routers = 4;
    topology->concentration = 1;
    topology->ports = 3;
    topology->tiers = tiers;
    topology->n_tiers = 3;
    topology->group = 2;
    return WEFT_OK;
}

static weft_status build_nests(weft_topology *topology, const void *settings, weft_error *err)
{
    topology->nested[0] = 2;
    topology->nested[1] = 4;
    topology->n_nested = 2;
    return build_levels(topology, settings, err);
}

static void parts_are_cut_by_tiers_and_groups(void **state)
{
    (void)state;
    weft_error err;
    const weft_topology_kind levels = {.base = {.name = "levels"}, .build = build_levels},
                             nests = {.base = {.name = "nests"}, .build = build_nests};
    weft_topology topology = {.kind = &levels};
    assert_int_equal(weft_topology_build(&topology, NULL, &err), WEFT_OK);
    assert_int_equal(topology.cut.n_rows, 3);
    assert_int_equal(topology.cut.row[0], 0);
    assert_int_equal(topology.cut.row[1], 4);
    assert_int_equal(topology.cut.row[2], 6);
    assert_int_equal(topology.cut.n_units, 1);
    assert_int_equal(topology.cut.unit[0], 2);
    topology = (weft_topology){.kind = &nests};
    assert_int_equal(weft_topology_build(&topology, NULL, &err), WEFT_OK);
    assert_int_equal(topology.cut.n_units, 2); /* the most that should stay together first */
    assert_int_equal(topology.cut.unit[0], 4);
    assert_int_equal(topology.cut.unit[1], 2);
}

/* A butterfly with one endpoint at each of its first routers. */
static weft_status build_pipes(weft_topology *topology, const void *settings, weft_error *err)
{
    WEFT_TRY(weft_topology_butterfly.build(topology, settings, err));
    topology->concentration = 1;
    return WEFT_OK;
}

/* The mean distance of a hierarchy is found from those of its parts. */
static void levels_may_receive_elsewhere(void **state)
{
    (void)state;
    weft_error err;
    weft_topology_kind pipes = weft_topology_butterfly;
    pipes.build = build_pipes;
    const weft_component *full = kind_named(weft_topology_kinds, "full");
    void *outer = settings_make(&weft_topology_butterfly.base, "arity=2 stages=3"),
         *inner = settings_make(full, "routers=3");
    const weft_ints attach = {0};
    const weft_hierarchy_plan plan = {.outer = {&pipes.base, outer},
                                      .inner = {full, inner},
                                      .attach = &attach,
                                      .inner_vcs = WEFT_NONE_INT};
    weft_topology it = {.kind = &weft_topology_hierarchy};
    it.self = calloc(1, it.kind->base.instance_size);
    assert_int_equal(weft_hierarchy_build(&it, &plan, &err), WEFT_OK);
    assert_int_equal(it.egress_offset, 8 * 3);
    uint32_t sum = 0, most = 0, n = it.edge_routers;
    for (uint32_t from = 0; from < n; from++)
        for (uint32_t to = 0; to < n; to++) {
            uint32_t hops = weft_hierarchy_distance(&it, from, to + it.egress_offset);
            sum += from == to ? 0 : hops;
            most = hops > most ? hops : most;
        }
    assert_int_equal(n, 4 * 3);
    assert_true(weft_hierarchy_mean_distance(&it) == (double)sum / (n * (n - 1)));
    assert_int_equal(weft_hierarchy_diameter(&it), most);
    weft_hierarchy_done(&it);
    free(it.self);
    free(outer);
    free(inner);
}

static int ends; /* of levels */

static weft_status refuse_tables(const weft_topology *topology, bool dry, weft_error *err)
{
    (void)topology, (void)dry;
    return weft_fail(err, WEFT_BAD_INPUT, "too large");
}

static void count_end(weft_topology *topology)
{
    (void)topology;
    ends++;
}

/* What a level has built it gives back, if it knows how. */
static void levels_without_tables_are_refused(void **state)
{
    (void)state;
    const weft_component *full = kind_named(weft_topology_kinds, "full");
    weft_topology_kind heavy = *(const weft_topology_kind *)(const void *)full;
    heavy.build_tables = refuse_tables;
    void *settings = settings_make(full, "routers=3");
    const weft_ints attach = {0};
    const weft_hierarchy_plan plan = {.outer = {full, settings},
                                      .inner = {&heavy.base, settings},
                                      .attach = &attach,
                                      .inner_vcs = WEFT_NONE_INT};
    for (int knows = 0; knows < 2; knows++) {
        weft_error err;
        weft_topology it = {.kind = &weft_topology_hierarchy};
        it.self = calloc(1, it.kind->base.instance_size);
        heavy.done = knows ? count_end : NULL;
        assert_int_equal(weft_hierarchy_build(&it, &plan, &err), WEFT_BAD_INPUT);
        assert_string_equal(err.text, "too large");
        assert_int_equal(ends, knows);
        free(it.self);
    }
    free(settings);
}

/* ---- patterns ---- */

/* All that routers 0 and 6 of a row send goes to router 1: 1 hop and 5. */
static void hops_are_estimated_from_draws(void **state)
{
    (void)state;
    network net;
    traffic it;
    weft_error err;
    const weft_host_range ranges[] = {{.first = 0, .count = 1, .rank = 0},
                                      {.first = 6, .count = 1, .rank = 1}};
    const weft_host_set from = {.count = 2, .n_ranges = 2, .ranges = ranges};
    const example which = {"hot-spot", "node=1 share=1"};
    const weft_topology *topology = network_open(&net, "mesh", "dims=7");
    assert_int_equal(pattern_build_for(&it, topology, &from, NULL, &which, &err), WEFT_OK);
    weft_pattern_endpoints told = weft_pattern_endpoints_find(&it.pattern);
    assert_true(told.senders == 2 && told.mean_hops == 3);
    weft_pattern_kind silent = *it.pattern.kind;
    silent.odds = NULL;
    it.pattern.kind = &silent;
    told = weft_pattern_endpoints_find(&it.pattern);
    assert_true(told.senders == 2 && told.mean_hops == 3);
    pattern_free(&it, true);
    network_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routers_say_what_they_do_not_do),
        cmocka_unit_test(faults_are_judged_by_what_packets_decide_first),
        cmocka_unit_test(a_lattice_need_not_list_its_headers),
        cmocka_unit_test(parts_are_cut_by_tiers_and_groups),
        cmocka_unit_test(levels_may_receive_elsewhere),
        cmocka_unit_test(levels_without_tables_are_refused),
        cmocka_unit_test(hops_are_estimated_from_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
