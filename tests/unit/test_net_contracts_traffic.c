/* SPDX-License-Identifier: Apache-2.0 */
/* Selections, patterns, lengths and arrivals that break one promise each: what authors of plug-ins
 * are told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/scenario.h"
#include "net/contract.h"

#define RING "topology: {kind: torus, dims: [5]}\n"

static int calls;

static void swap(const void *settings, weft_minimal_port *ports, unsigned count, unsigned wanted,
                 weft_random *random)
{
    (void)settings, (void)wanted;
    assert_null(random);
    weft_minimal_port first = ports[0];
    ports[0] = ports[count - 1];
    ports[count - 1] = first;
}

static void lose(const void *settings, weft_minimal_port *ports, unsigned count, unsigned wanted,
                 weft_random *random)
{
    (void)settings, (void)wanted, (void)random;
    ports[0] = ports[count - 1];
}

static void alter(const void *settings, weft_minimal_port *ports, unsigned count, unsigned wanted,
                  weft_random *random)
{
    (void)settings, (void)wanted, (void)random;
    ports[count - 1].next_header++;
}

/* By how often it was called. */
static void alternate(const void *settings, weft_minimal_port *ports, unsigned count,
                      unsigned wanted, weft_random *random)
{
    assert_non_null(random);
    if (calls++ % 2)
        swap(settings, ports, count, wanted, NULL);
}

static weft_status select_by(void (*rank)(const void *, weft_minimal_port *, unsigned, unsigned,
                                          weft_random *),
                             bool draws, weft_error *err)
{
    const weft_selection_kind kind = {.base = {.name = "mine"}, .draws = draws, .rank = rank};
    *err = (weft_error){""};
    return weft_contract_selection(&kind, NULL, err);
}

static void selections_are_told_what_they_break(void **state)
{
    (void)state;
    weft_error err;
    assert_int_equal(select_by(NULL, false, &err), WEFT_OK);
    assert_int_equal(select_by(swap, false, &err), WEFT_OK);
    assert_int_equal(select_by(lose, false, &err), WEFT_BROKEN);
    assert_string_equal(err.text, "selection mine loses or changes ports: rank has to reorder the "
                                  "2 it is given");
    assert_int_equal(select_by(alter, false, &err), WEFT_BROKEN);
    assert_string_equal(err.text, "selection mine loses or changes ports: rank has to reorder the "
                                  "2 it is given");
    assert_int_equal(select_by(alternate, true, &err), WEFT_BROKEN);
    assert_string_equal(err.text, "selection mine ranks the same 2 ports differently with the "
                                  "same random stream");
}

static uint32_t next_one(const weft_pattern *pattern, uint32_t source, weft_random *random)
{
    (void)random;
    return (source + 1) % weft_topology_endpoints(pattern->topology);
}

static uint32_t but_the_last(const weft_pattern *pattern, uint32_t source, weft_random *random)
{
    return source == 4 ? WEFT_NOWHERE : next_one(pattern, source, random);
}

static uint32_t one_beyond(const weft_pattern *pattern, uint32_t source, weft_random *random)
{
    (void)pattern, (void)random;
    return source + 1;
}

static uint32_t by_calls(const weft_pattern *pattern, uint32_t source, weft_random *random)
{
    (void)pattern, (void)source, (void)random;
    return (uint32_t)(calls++ % 5);
}

static uint32_t five(const weft_pattern *pattern)
{
    (void)pattern;
    return 5;
}

static void whole(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each, void *user)
{
    (void)pattern, (void)source;
    each(user, 0, 3, 0.25);
    each(user, 3, 1, 0.25);
}

static void half(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each, void *user)
{
    (void)pattern, (void)source;
    each(user, 0, 2, 0.25);
}

static void twofold(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each,
                    void *user)
{
    (void)pattern, (void)source;
    each(user, 0, 4, 0.5);
}

static void patterns_are_told_what_they_break(void **state)
{
    (void)state;
    static const struct {
        weft_pattern_kind kind;
        const char *said;
    } rows[] = {
        {{.destination = next_one}, ""},
        {{.destination = next_one, .senders = five, .odds = whole}, ""},
        {{.destination = but_the_last, .senders = five},
         "pattern mine: senders is 5, but 4 endpoints send"},
        {{.destination = one_beyond}, "pattern mine: endpoint 4 sends to 5, of 5 endpoints"},
        {{.destination = by_calls},
         "pattern mine: destination of endpoint 0 depends on more than "
         "its random stream"},
        {{.destination = next_one, .odds = half},
         "pattern mine: probabilities of the destinations of endpoint 0 have sum 0.5, not 1"},
        {{.destination = next_one, .odds = twofold},
         "pattern mine: probabilities of the destinations of endpoint 0 have sum 2, not 1"},
        {{.destination = but_the_last, .odds = whole},
         "pattern mine: probabilities of the destinations of endpoint 4 have sum 1, not 0"},
    };
    stage it;
    const weft_network *network =
        stage_open(&it, RING "traffic: {all: {length: 8 flits, load: 0.1}}\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weft_pattern_kind kind = rows[i].kind;
        weft_pattern pattern = {.kind = &kind, .topology = &network->topology};
        weft_error err = {""};
        kind.base.name = "mine";
        weft_status status = weft_contract_pattern(&pattern, &err);
        assert_int_equal(status, *rows[i].said ? WEFT_BROKEN : WEFT_OK);
        assert_string_equal(err.text, rows[i].said);
    }
    stage_close(&it);
}

static uint32_t one_or_three(const weft_length *length, weft_random *random)
{
    (void)length;
    return 1 + 2 * weft_random_below(random, 2);
}

static uint32_t nothing_or_one(const weft_length *length, weft_random *random)
{
    (void)length;
    return weft_random_below(random, 2);
}

static uint32_t always_two(const weft_length *length, weft_random *random)
{
    (void)length, (void)random;
    return 2;
}

static double two(const weft_length *length)
{
    (void)length;
    return 2;
}

static double nearly_two(const weft_length *length)
{
    (void)length;
    return 1.999;
}

static double much(const weft_length *length)
{
    (void)length;
    return 2.5;
}

static uint32_t most_three(const weft_length *length)
{
    (void)length;
    return 3;
}

static uint32_t most_two(const weft_length *length)
{
    (void)length;
    return 2;
}

static void lengths_are_told_what_they_break(void **state)
{
    (void)state;
    static const struct {
        weft_length_kind kind;
        const char *said; /* how it begins */
    } rows[] = {
        {{.flits = one_or_three, .mean = two}, ""},
        {{.flits = one_or_three, .mean = two, .most = most_three}, ""},
        {{.flits = one_or_three, .mean = nearly_two}, ""}, /* within what is drawn */
        {{.flits = always_two, .mean = two, .most = most_two}, ""},
        {{.flits = one_or_three, .mean = two, .most = most_two},
         "length mine draws 3 flits; at least 1, at most 2"},
        {{.flits = nothing_or_one, .mean = two},
         "length mine draws 0 flits; at least 1, at most 4294967295"},
        {{.flits = one_or_three, .mean = much},
         "length mine: mean is 2.5 flits, but 4096 draws have mean "},
        {{.flits = always_two, .mean = nearly_two},
         "length mine: mean is 1.999 flits, but 4096 draws have mean 2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weft_length_kind kind = rows[i].kind;
        const weft_length length = {.kind = &kind};
        weft_error err = {""};
        kind.base.name = "mine";
        weft_status status = weft_contract_length(&length, &err);
        assert_int_equal(status, *rows[i].said ? WEFT_BROKEN : WEFT_OK);
        assert_true(strncmp(err.text, rows[i].said, strlen(rows[i].said)) == 0);
    }
}

static weft_fine_time drawn(const weft_arrival *arrival, uint64_t index, weft_random *random)
{
    (void)arrival, (void)index;
    return weft_random_below(random, 1000);
}

static weft_fine_time called(const weft_arrival *arrival, uint64_t index, weft_random *random)
{
    (void)arrival, (void)index, (void)random;
    return (weft_fine_time)calls++;
}

static weft_fine_time late(const weft_arrival *arrival, uint64_t index, weft_random *random)
{
    (void)arrival, (void)random;
    return weft_fine_time_of(0x1p46) + (index == 7);
}

static weft_fine_time remembered(const weft_arrival *arrival, uint64_t index, uint32_t *memory,
                                 weft_random *random)
{
    (void)arrival, (void)index, (void)random;
    return ++*memory;
}

static weft_fine_time forgetful(const weft_arrival *arrival, uint64_t index, uint32_t *memory,
                                weft_random *random)
{
    (void)arrival, (void)index, (void)random;
    *memory = (uint32_t)calls++;
    return 1;
}

static weft_fine_time too_much(const weft_arrival *arrival, uint64_t index, uint32_t *memory,
                               weft_random *random)
{
    (void)arrival, (void)random;
    *memory = WEFT_ARRIVAL_MEMORY_MAX + (index == 5);
    return 1;
}

static void arrivals_are_told_what_they_break(void **state)
{
    (void)state;
    static const struct {
        weft_arrival_kind kind;
        const char *said;
    } rows[] = {
        {{.interval = drawn}, ""},
        {{.interval_with_memory = remembered}, ""},
        {{.interval = called},
         "arrival mine: the interval before message 0 depends on more than "
         "its random stream"},
        {{.interval_with_memory = forgetful},
         "arrival mine: the interval before message 0 depends on more than its random stream"},
        {{.interval = late}, "arrival mine: the interval before message 7 is beyond 2^46 ticks"},
        {{.interval_with_memory = too_much},
         "arrival mine: the memory after message 5 is beyond 31 bits"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weft_arrival_kind kind = rows[i].kind;
        const weft_arrival arrival = {.kind = &kind, .mean = 1, .cycle_ticks = 1};
        weft_error err = {""};
        kind.base.name = "mine";
        weft_status status = weft_contract_arrival(&arrival, &err);
        assert_int_equal(status, *rows[i].said ? WEFT_BROKEN : WEFT_OK);
        assert_string_equal(err.text, rows[i].said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selections_are_told_what_they_break),
        cmocka_unit_test(patterns_are_told_what_they_break),
        cmocka_unit_test(lengths_are_told_what_they_break),
        cmocka_unit_test(arrivals_are_told_what_they_break),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
