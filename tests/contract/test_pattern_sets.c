/* SPDX-License-Identifier: Apache-2.0 */
/* What every pattern promises where not all endpoints send or receive: either it is refused with
 * a sentence, or those in `from` send, those in `to` receive, and senders, mean hops and odds
 * are what is drawn. */
#include "contract/pattern.h"
#include "net/hosts.h"

/* Who sends and receives, as words with %u for the last endpoint. */
typedef struct sides {
    const char *from, *to; /* to NULL: as from */
} sides;

static const sides side_examples[] = {
    {"1-%u/2", "all"},                   /* every other one */
    {"all", "0-%u/3"}, {"0-%u/4", NULL}, /* one in four, among themselves */
    {"0-3", "2-%u/2"},                   /* some are both */
    {"3", "0-1"},                        /* one sends */
    {"0-3", NULL},                       /* neighbours */
};
#define SIDES (sizeof side_examples / sizeof *side_examples)

static const weft_host_set *read_side(const char *words, const weft_topology *topology,
                                      weft_arena *arena)
{
    const weft_file word = {.text = weft_arena_format(arena, words, weft_endpoints(topology) - 1)};
    const weft_hosts hosts = {.count = 1, .at = &word};
    const weft_host_set *set;
    weft_error err = {0};
    if (weft_hosts_read(&hosts, topology, "from", arena, &set, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    return set;
}

/* Returns whether the pattern takes it. */
static bool try_sides(const example *which, size_t net, const sides *side)
{
    traffic it;
    weft_error err = {0};
    weft_arena arena;
    weft_arena_init(&arena);
    const weft_topology *topology = network_example(&it.net, net);
    bool fits = weft_endpoints(topology) > 4, built = false;
    if (fits) {
        const weft_host_set *from = read_side(side->from, topology, &arena);
        const weft_host_set *to = side->to ? read_side(side->to, topology, &arena) : from;
        built = pattern_build_for(&it, topology, from, to, which, &err) == WEFT_OK;
        if (built) {
            check_pattern(&it.pattern);
            check_odds(&it.pattern);
        } else {
            assert_true(strlen(err.text) > 0);
        }
        pattern_free(&it, built);
    }
    network_close(&it.net);
    weft_arena_done(&arena);
    return built;
}

static void sets_are_kept_or_refused(void **state)
{
    (void)state;
    for (size_t p = 0; p < PATTERNS; p++) {
        const example *which = &pattern_examples[p];
        const weft_component *base = kind_named(weft_pattern_kinds, which->kind);
        weft_confines confines = ((const weft_pattern_kind *)(const void *)base)->confines;
        size_t taken[SIDES] = {0};
        for (size_t s = 0; s < SIDES; s++)
            for (size_t net = (p + s) % 3; net < NETWORKS; net += 3)
                taken[s] += try_sides(which, net, &side_examples[s]);
        assert_true(taken[0] > 0);                   /* from alone is always possible */
        bool special = strchr(which->settings, '='); /* where the set is not at home */
        if (confines != WEFT_CONFINES_NOT && !special)
            if (taken[2] + taken[5] == 0)
                fail_msg("%s %s takes no set of those that send and receive", which->kind,
                         which->settings);
        if (confines != WEFT_CONFINES_TO)
            assert_int_equal(taken[1] + taken[3] + taken[4], 0);
    }
}

static uint32_t target(const weft_pattern *pattern, uint32_t source)
{
    return send(pattern, source, 0);
}

/* By hand: the ranks of 16 endpoints 0, 4, …, 60 are transposed. */
static void permutations_number_the_set(void **state)
{
    (void)state;
    traffic it;
    weft_arena arena;
    weft_error err = {0};
    weft_arena_init(&arena);
    const weft_topology *topology = network_open(&it.net, "torus", "dims=8,8");
    const weft_host_set *set = read_side("0-%u/4", topology, &arena);
    const example which = {"transpose", ""};
    assert_int_equal(pattern_build_for(&it, topology, set, set, &which, &err), WEFT_OK);
    assert_int_equal(target(&it.pattern, 4 * 1), 4 * 4); /* 00 01 → 01 00 */
    assert_int_equal(target(&it.pattern, 4 * 11), 4 * 14);
    assert_int_equal(target(&it.pattern, 4 * 5), WEFT_NOWHERE);
    assert_int_equal(target(&it.pattern, 5), WEFT_NOWHERE);
    assert_int_equal(weft_pattern_endpoints_find(&it.pattern).senders, 12);
    traffic_close(&it);
    weft_arena_done(&arena);
}

/* By hand: the hot endpoint gets its share of the messages whatever the size of the set. */
static void hot_spot_keeps_its_share(void **state)
{
    (void)state;
    traffic it;
    weft_arena arena;
    weft_error err = {0};
    const uint32_t draws = 20000;
    uint32_t hot = 0;
    weft_arena_init(&arena);
    const weft_topology *topology = network_open(&it.net, "torus", "dims=8,8");
    const weft_host_set *set = read_side("0-7", topology, &arena);
    const example which = {"hot-spot", "node=3 share=20%"}, beyond = {"hot-spot", "node=9"};
    assert_int_equal(pattern_build_for(&it, topology, NULL, set, &which, &err), WEFT_OK);
    for (uint32_t i = 0; i < draws; i++)
        hot += send(&it.pattern, 40, i) == 3;
    double p = 0.2 + 0.8 / 8; /* uniform messages go there too */
    assert_true(fabs(hot - p * draws) < 4 * sqrt(draws * p * (1 - p)));
    pattern_free(&it, true);
    assert_int_equal(pattern_build_for(&it, topology, NULL, set, &beyond, &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "node must be one of those that receive"));
    pattern_free(&it, false);
    network_close(&it.net);
    weft_arena_done(&arena);
}

static char folder[64];

static int open_folder(void **state)
{
    (void)state;
    pattern_folder_open(folder);
    return 0;
}

static int close_folder(void **state)
{
    (void)state;
    pattern_folder_close(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_kept_or_refused),
        cmocka_unit_test(permutations_number_the_set),
        cmocka_unit_test(hot_spot_keeps_its_share),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
