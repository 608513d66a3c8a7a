/* SPDX-License-Identifier: Apache-2.0 */
/* Histories from events by hand: the critical path adds up to the time of the job, and events that
 * are not those of a whole run, or contradict each other, are refused. */
#include "program/timeline/critical_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CALC = WEFT_OPERATION_CALC, SEND = WEFT_OPERATION_SEND, RECV = WEFT_OPERATION_RECV };

static weft_rank_event runs(uint32_t operation, uint8_t what, uint64_t from, uint64_t until)
{
    return (weft_rank_event){.kind = WEFT_RANK_RUN,
                             .operation = operation,
                             .what = what,
                             .time = from,
                             .until = until,
                             .size = 8};
}

static weft_rank_event ready(uint32_t operation, uint32_t after, uint64_t at)
{
    return (weft_rank_event){
        .kind = WEFT_RANK_READY, .operation = operation, .number = after, .time = at};
}

static weft_rank_event message(uint8_t kind, uint32_t operation, uint32_t peer, uint32_t number,
                               uint64_t at)
{
    return (weft_rank_event){
        .kind = kind, .operation = operation, .peer = peer, .number = number, .time = at};
}

typedef struct story { /* of two ranks */
    weft_rank_event at[2][12];
    weft_rank_record records[2];
} story;

static void tell(story *s, uint32_t rank, weft_rank_event event)
{
    weft_rank_record *record = &s->records[rank];
    record->events = s->at[rank];
    s->at[rank][record->n_events++] = event;
}

/* Rank 0 computes for 100 ticks and sends, 10 ticks of its CPU; rank 1 computes for 50 and receives
 * at 600, for 10 ticks. */
static void plain_story(story *s)
{
    *s = (story){.records = {{0}}};
    tell(s, 0, runs(0, CALC, 0, 100));
    tell(s, 0, ready(1, 0, 100));
    tell(s, 0, runs(1, SEND, 100, 110));
    tell(s, 1, runs(0, CALC, 0, 50));
    tell(s, 1, ready(1, 0, 50));
    tell(s, 1, message(WEFT_RANK_ARRIVAL, 0, 0, 2, 600));
    tell(s, 1, message(WEFT_RANK_TAKEN, 1, 0, 2, 600));
    tell(s, 1, runs(1, RECV, 600, 610));
}

static bool build(const story *s, weft_history *history)
{
    return weft_history_build(history, s->records, 2, 1, 10, 0);
}

static void paths_add_up(void **state)
{
    static const struct {
        weft_path_part part;
        uint64_t from, until;
    } wanted[] = {{WEFT_PATH_COMPUTE, 0, 100},
                  {WEFT_PATH_OVERHEAD, 100, 110},
                  {WEFT_PATH_NETWORK, 110, 600},
                  {WEFT_PATH_OVERHEAD, 600, 610}};
    story s;
    weft_history history;
    weft_critical_path path;
    (void)state;
    plain_story(&s);
    assert_true(build(&s, &history));
    assert_true(weft_critical_path_find(&path, &history));
    assert_int_equal(path.n_steps, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(path.steps[i].part, wanted[i].part);
        assert_int_equal(path.steps[i].from, wanted[i].from);
        assert_int_equal(path.steps[i].until, wanted[i].until);
    }
    assert_true(path.steps[2].to == 1 && path.steps[2].size == 8);
    weft_critical_path_done(&path);
    weft_history_done(&history);
}

/* Each of these events is too much. */
static void events_that_fit_nothing_are_refused(void **state)
{
    const weft_rank_event odd[] = {
        runs(1, SEND, 200, 300),                 /* a second time */
        ready(7, 0, 100),                        /* it has not run */
        ready(1, 7, 100),                        /* what it waits for has not */
        message(WEFT_RANK_TAKEN, 1, 2, 2, 600),  /* there is no such rank */
        message(WEFT_RANK_TAKEN, 1, 1, 14, 600), /* or no such message */
        message(WEFT_RANK_ANSWER, 7, 0, 2, 600), /* or receive */
        message(WEFT_RANK_ARRIVAL, 0, 9, 2, 600),
    };
    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        story s;
        weft_history history;
        plain_story(&s);
        tell(&s, 0, odd[i]);
        assert_false(build(&s, &history));
        weft_history_done(&history);
    }
}

static void contradictions_are_found(void **state)
{
    story s;
    weft_history history;
    weft_critical_path path;
    (void)state;
    /* nothing at all */
    s = (story){.records = {{0}}};
    assert_true(build(&s, &history));
    assert_false(weft_critical_path_find(&path, &history));
    weft_history_done(&history);
    /* it waits for nobody, and begins later than it could */
    tell(&s, 0, runs(0, CALC, 50, 100));
    assert_true(build(&s, &history));
    assert_false(weft_critical_path_find(&path, &history));
    weft_critical_path_done(&path);
    weft_history_done(&history);
    /* it begins before it could */
    plain_story(&s);
    s.at[0][1].time = 120;
    assert_true(build(&s, &history));
    assert_false(weft_critical_path_find(&path, &history));
    weft_critical_path_done(&path);
    weft_history_done(&history);
}

/* A CPU that is busy with another operation, and a link with an earlier message. */
static void waits_for_cpu_and_link_are_told(void **state)
{
    story s = {.records = {{0}}};
    weft_history history;
    weft_critical_path path;
    (void)state;
    tell(&s, 0, runs(0, CALC, 0, 100));
    tell(&s, 0, runs(1, SEND, 100, 110)); /* ready at 0 */
    tell(&s, 0, runs(2, SEND, 300, 310)); /* the link is busy */
    assert_true(build(&s, &history));
    assert_true(weft_critical_path_find(&path, &history));
    assert_int_equal(path.n_steps, 3);
    assert_int_equal(path.steps[0].part, WEFT_PATH_COMPUTE);
    assert_int_equal(path.steps[1].part, WEFT_PATH_INJECTION);
    assert_true(path.steps[1].from == 100 && path.steps[1].until == 300);
    assert_int_equal(path.steps[2].part, WEFT_PATH_OVERHEAD);
    weft_critical_path_done(&path);
    weft_history_done(&history);
}

static void bins_are_fewer_of_many_ranks(void **state)
{
    (void)state;
    assert_int_equal(weft_rank_log_bins(1), 256);
    assert_int_equal(weft_rank_log_bins(4096), 256);
    assert_int_equal(weft_rank_log_bins(4097), 128);
    assert_int_equal(weft_rank_log_bins(16384), 64);
    assert_int_equal(weft_rank_log_bins(1000000000), 16);
}

/* Busy ticks are kept when bins are merged, and what lies beyond the widest is dropped. */
static void bins_keep_the_time(void **state)
{
    weft_rank_log log;
    uint64_t sum = 0;
    (void)state;
    weft_rank_log_open(&log, 1, 16, false);
    weft_rank_log_add(&log, 0, runs(0, CALC, 0, 5));
    weft_rank_log_add(&log, 0, runs(1, SEND, 30, 40));
    assert_int_equal(log.records[0].width, 4);
    assert_int_equal(log.records[0].busy[WEFT_RANK_COMPUTES], 4);
    assert_int_equal(log.records[0].busy[WEFT_RANK_STATES + WEFT_RANK_COMPUTES], 1);
    weft_rank_record_widen(&log.records[0], 16, 16);
    assert_int_equal(log.records[0].width, 16);
    assert_int_equal(log.records[0].busy[WEFT_RANK_COMPUTES], 5);
    assert_int_equal(log.records[0].busy[WEFT_RANK_STATES + WEFT_RANK_OVERHEAD], 2);
    assert_int_equal(log.records[0].busy[2 * WEFT_RANK_STATES + WEFT_RANK_OVERHEAD], 8);
    uint64_t end = (uint64_t)1 << 62;
    weft_rank_log_add(&log, 0, runs(2, CALC, end - 10, end + 10));
    for (uint32_t i = 0; i < 16; i++)
        sum += log.records[0].busy[i * WEFT_RANK_STATES + WEFT_RANK_COMPUTES];
    assert_int_equal(sum, 15);
    assert_int_equal(log.records[0].n_events, 0);
    assert_true(weft_rank_log_bytes(&log) >= 16 * WEFT_RANK_STATES * 8);
    weft_rank_log_close(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_add_up),
        cmocka_unit_test(events_that_fit_nothing_are_refused),
        cmocka_unit_test(contradictions_are_found),
        cmocka_unit_test(waits_for_cpu_and_link_are_told),
        cmocka_unit_test(bins_are_fewer_of_many_ranks),
        cmocka_unit_test(bins_keep_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
