/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel against a naive model: every event at its tick, in its order, whatever the delays,
 * blocks and windows; what it holds, and that it gives memory back. */
#include "kernel/kernel.h"
#include "unit/test_kernel_naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

/* --- against the naive model ---------------------------------------------------------------- */

static void stir(naive_world *world, uint32_t seed, uint32_t events, uint32_t generations)
{
    for (uint32_t i = 0; i < events; i++)
        world_put(world, mix(seed, i), mix(i, seed) & 0xfff, mix(seed + 1, i), generations);
}

static void near_events_come_in_order(void **state)
{
    (void)state;
    const uint32_t size = 5; /* few entities: many events of one entity in one tick */
    for (uint32_t seed = 0; seed < 20; seed++) {
        naive_world world;
        world_open(&world, 1, &size, 1, 4, true);
        for (uint32_t i = 0; i < 200; i++)
            world_put(&world, i, mix(i, seed) & 15, mix(seed, i), 5);
        assert_true(world_run(&world, 1));
        for (int run = 0; run < 100; run++)
            assert_true(world_run(&world, 1 + run % 7));
        world_close(&world);
    }
}

static void far_events_come_at_their_ticks(void **state)
{
    (void)state;
    const uint32_t size = 40;
    for (uint32_t far = 10; far <= 30; far += 4) {
        naive_world world;
        world_open(&world, 1, &size, 1, far, false);
        stir(&world, far, 60, 12);
        for (uint32_t run = 0; run < 8; run++)
            assert_true(world_run(&world, 1 + ((weft_time)1 << (far - 3 + run % 3))));
        world_close(&world);
    }
}

static void pages_cascade_without_loss(void **state)
{
    (void)state;
    const uint32_t size = 3;
    naive_world world;
    world_open(&world, 1, &size, 1, 1, false);
    /* at, just before and just after the pages of every level, from several distances */
    for (uint32_t start = 0; start < 3; start++) {
        for (unsigned level = 11; level <= 29; level += 6)
            for (uint32_t pages = 1; pages <= 65; pages += 32)
                for (int off = -1; off <= 1; off++) {
                    weft_time delay = ((weft_time)pages << level) + off;
                    if (delay < (weft_time)1 << 31)
                        world_put(&world, pages, delay, pages + level, 0);
                }
        assert_true(world_run(&world, 2047 + (weft_time)start));
    }
    assert_true(world_run(&world, (weft_time)1 << 31));
    assert_int_equal(world.pending.n_items, 0);
    world_close(&world);
}

static void time_passes_the_32_bits_of_an_event(void **state)
{
    (void)state;
    const uint32_t size = 7;
    naive_world world;
    world_open(&world, 1, &size, 1, 8, false);
    for (int turn = 1; turn <= 4;
         turn++) { /* 2^31 and 2^32 are where stamps and ticks come round */
        weft_time edge = ((weft_time)turn << 31) - world.now;
        assert_true(world_run(&world, edge - 100));
        for (uint32_t i = 0; i < 300; i++)
            world_put(&world, i, i % 120, mix(i, (uint32_t)turn), 4);
        for (uint32_t i = 0; i < 30; i++) /* several of one entity in the very last tick */
            world_put(&world, i, 99, i, 0);
        assert_true(world_run(&world, 98));
        assert_true(world_run(&world, 2));
        assert_true(world_run(&world, 5000));
    }
    world_close(&world);
}

static void entities_that_rest_are_not_confused_by_old_stamps(void **state)
{
    (void)state;
    const uint32_t size = 64;
    naive_world world;
    world_open(&world, 1, &size, 1, 1, false);
    weft_time edge = ((weft_time)1 << 31) - 1;
    assert_true(world_run(&world, edge - 10));
    for (uint32_t i = 0; i < 128; i++) /* two each; none has had an event before */
        world_put(&world, i / 2, 10, i, 0);
    assert_true(world_run(&world, 20));
    world_close(&world);
}

static void blocks_and_windows_change_nothing(void **state)
{
    (void)state;
    static const uint32_t cuts[][WORLD_BLOCKS] = {
        {24}, {12, 12}, {1, 23}, {3, 1, 20}, {6, 5, 4, 3, 2, 2, 1, 1}};
    static const uint32_t blocks[] = {1, 2, 2, 3, 8};
    for (uint32_t cut = 0; cut < 5; cut++)
        for (weft_time window = 1; window <= 300; window = window * 5 + 2) {
            naive_world world;
            world_open(&world, blocks[cut], cuts[cut], window, 14, true);
            stir(&world, cut, 50, 10);
            for (int run = 0; run < 12; run++)
                assert_true(world_run(&world, 1 + (mix(cut, (uint32_t)run) & 4095)));
            world_close(&world);
        }
}

static void timers_ring_in_their_page(void **state)
{
    (void)state;
    static const uint32_t size[] = {17, 30};
    naive_world world;
    world_open(&world, 2, size, 64, 16, true);
    for (uint32_t round = 0; round < 30; round++) {
        for (uint32_t e = round % 2; e < world.entities; e += 2)
            world_set(&world, e, world.now + 1 + (mix(e, round) & 0x3fff));
        for (uint32_t e = round % 3; e < world.entities; e += 5)
            world_set(&world, e, 0);
        assert_true(world_run(&world, 64 + round * 37));
    }
    for (uint32_t e = 0; e < world.entities; e++)
        world_set(&world, e, world.now + ((weft_time)1 << 24) + e);
    assert_true(world_run(&world, (weft_time)1 << 25));
    world_close(&world);
}

/* --- what the kernel holds ------------------------------------------------------------------ */

typedef struct relay_state { /* every event goes on, `delay` ticks later, to the next entity */
    uint32_t entities, delay;
} relay_state;

static void relay_tick(void *state, weft_block *block, const weft_batch *batch)
{
    const relay_state *relay = state;
    for (uint32_t i = 0; i < batch->n_events; i++) {
        const weft_event *event = weft_batch_at(batch, i);
        uint32_t step = mix(event->data[1], (uint32_t)batch->now);
        weft_event *next = weft_emit(block, batch->now + 1 + step % relay->delay);
        next->to = step % relay->entities;
        next->key = 0;
        next->data[0] = event->data[0];
        next->data[1] = step;
    }
}

static const weft_event_model relay_model = {.tick = relay_tick};
static const weft_event_model loose_model = {.tick = relay_tick, .unordered = true};

static weft_engine *relay_open_as(const weft_event_model *model, relay_state *relay,
                                  uint32_t timers)
{
    weft_block_plan block = {.state = relay, .entities = relay->entities, .timers = timers};
    return weft_engine_create(&(weft_engine_plan){
        .model = model, .n_blocks = 1, .blocks = &block, .window = 1, .timer_shift = 6});
}

static weft_engine *relay_open(relay_state *relay, uint32_t timers)
{
    return relay_open_as(&relay_model, relay, timers);
}

static void relay_start(weft_engine *engine, uint32_t events)
{
    for (uint32_t i = 0; i < events; i++) {
        weft_event *event = weft_emit(weft_engine_block(engine, 0), i % 64);
        event->to = event->key = 0;
        event->data[0] = event->data[1] = i;
    }
}

static void memory_is_recycled(void **state)
{
    (void)state;
    static const uint32_t delays[] = {1, 100, 2000, 100000};
    for (int d = 0; d < 4; d++) {
        relay_state relay = {.entities = 1000, .delay = delays[d]};
        weft_engine *engine = relay_open(&relay, 0);
        relay_start(engine, relay.delay > 1000 ? 5000 : 200);
        weft_time warm = 2 * (weft_time)relay.delay + 6 * 2048;
        weft_engine_run(engine, warm);
        int64_t before = weft_engine_bytes(engine);
        weft_engine_run(engine, 8 * warm);
        assert_true((double)weft_engine_bytes(engine) <= 1.1 * (double)before);
        weft_engine_destroy(engine);
    }
}

static void bytes_are_those_of_an_idle_block_and_its_events(void **state)
{
    (void)state;
    relay_state relay = {.entities = 1000, .delay = 10};
    weft_engine *engine = relay_open(&relay, 160);
    int64_t idle = weft_engine_idle_bytes(1000, 160, 0);
    assert_int_equal(weft_engine_bytes(engine), idle);
    relay_start(engine, 100000);
    int64_t events = 100000 * (int64_t)sizeof(weft_event), held = weft_engine_bytes(engine) - idle;
    assert_true(held >= events && held <= 4 * events);
    weft_engine_destroy(engine);
}

static void count(void *user, uint32_t block, weft_time at, const weft_event *event)
{
    (void)block, (void)at;
    ++*(uint32_t *)user;
    assert_true(event->to < 1000);
}

static void visit_meets_every_event_once(void **state)
{
    (void)state;
    relay_state relay = {.entities = 1000, .delay = 1 << 20};
    weft_engine *engine = relay_open(&relay, 0);
    relay_start(engine, 777);
    for (weft_time until = 0; until < 1 << 22; until += 300007) {
        weft_engine_run(engine, until);
        uint32_t met = 0;
        weft_engine_visit(engine, count, &met);
        assert_int_equal(met, 777);
    }
    assert_true(weft_engine_events(engine) > 777);
    weft_engine_destroy(engine);
}

/* Every event carries the tick it is due at. */
static void due_tick(void *state, weft_block *block, const weft_batch *batch)
{
    const relay_state *relay = state;
    for (uint32_t i = 0; i < batch->n_events; i++) {
        const weft_event *event = weft_batch_at(batch, i);
        assert_int_equal(event->data[0], (uint32_t)batch->now);
        uint32_t step = mix(event->data[1], (uint32_t)batch->now);
        weft_time at = batch->now + 1 + step % relay->delay;
        weft_event *next = weft_emit(block, at);
        next->to = next->key = 0;
        next->data[0] = (uint32_t)at;
        next->data[1] = step;
    }
}

static void is_due(void *user, uint32_t block, weft_time at, const weft_event *event)
{
    (void)block;
    ++*(uint32_t *)user;
    assert_int_equal(event->data[0], (uint32_t)at);
}

/* Near and far, first of a bucket or not: what a checkpoint writes of them. */
static void visit_tells_when_events_are_due(void **state)
{
    (void)state;
    static const weft_event_model model = {.tick = due_tick};
    static const uint32_t delays[] = {3, 100, 3000, 1 << 22};
    for (int d = 0; d < 4; d++) {
        relay_state relay = {.entities = 1, .delay = delays[d]};
        weft_engine *engine = relay_open_as(&model, &relay, 0);
        for (uint32_t i = 0; i < 64; i++) {
            weft_event *event = weft_emit(weft_engine_block(engine, 0), i);
            event->to = event->key = 0;
            event->data[0] = event->data[1] = i;
        }
        for (weft_time until = 50; until < 50 * (weft_time)delays[d]; until += 7 * delays[d]) {
            weft_engine_run(engine, until);
            uint32_t met = 0;
            weft_engine_visit(engine, is_due, &met);
            assert_int_equal(met, 64);
        }
        weft_engine_destroy(engine);
    }
}

static void digest(void *user, uint32_t block, weft_time at, const weft_event *event)
{
    (void)block;
    *(uint64_t *)user += (uint64_t)mix(event->data[0], event->data[1]) << 20 | (uint32_t)at;
}

/* Buckets of some 3,000 events in one array, and in segments. */
static void segments_hold_the_same_events_in_less_memory(void **state)
{
    (void)state;
    enum { EVENTS = 60000 };
    const weft_event_model *models[] = {&relay_model, &loose_model};
    uint64_t sum[2] = {0, 0};
    int64_t bytes[2];
    for (int m = 0; m < 2; m++) {
        relay_state relay = {.entities = 1000, .delay = 20};
        weft_engine *engine = relay_open_as(models[m], &relay, 0);
        relay_start(engine, EVENTS);
        for (weft_time until = 70; until < 5000; until += 701) {
            weft_engine_run(engine, until);
            weft_engine_visit(engine, digest, &sum[m]);
        }
        uint32_t met = 0;
        weft_engine_visit(engine, count, &met);
        assert_int_equal(met, EVENTS);
        bytes[m] = weft_engine_bytes(engine) - weft_engine_idle_bytes(1000, 0, 0);
        weft_engine_destroy(engine);
    }
    assert_int_equal(sum[0], sum[1]);
    /* all events, half a segment for every bucket, the bucket at hand, and the newest slab */
    assert_true(bytes[1] < (int64_t)(2.0 * EVENTS * sizeof(weft_event)));
    assert_true((double)bytes[0] > 1.5 * (double)bytes[1]);
}

typedef struct far_state { /* notes when its events come */
    weft_time came[8];
    uint32_t count;
} far_state;

static void note_far(void *state, weft_block *block, const weft_batch *batch)
{
    far_state *far = state;
    (void)block;
    for (uint32_t i = 0; i < batch->n_events; i++)
        far->came[far->count++] = batch->now;
}

static void find_far(void *user, uint32_t block, weft_time at, const weft_event *event)
{
    far_state *met = user;
    (void)block;
    assert_int_equal(event->when, (uint32_t)at);
    met->came[met->count++] = at;
}

/* Ticks that 32 bits do not tell apart. */
static void events_beyond_the_reach_come_at_their_ticks(void **state)
{
    (void)state;
    static const weft_time ticks[] = {5,
                                      ((weft_time)1 << 31) - 1,
                                      (weft_time)1 << 31,
                                      ((weft_time)1 << 32) + 5,
                                      ((weft_time)1 << 33) + 5,
                                      ((weft_time)1 << 36) + 2049};
    static const weft_event_model model = {.tick = note_far};
    far_state far = {.count = 0}, met = {.count = 0};
    weft_block_plan block = {.state = &far, .entities = 1};
    weft_engine *engine = weft_engine_create(&(weft_engine_plan){
        .model = &model, .n_blocks = 1, .blocks = &block, .window = 1, .timer_shift = 1});
    for (int i = 5; i >= 0; i--)
        memset(&weft_emit(weft_engine_block(engine, 0), ticks[i])->to, 0, 28);
    weft_engine_visit(engine, find_far, &met);
    assert_int_equal(met.count, 6);
    weft_engine_run(engine, ((weft_time)1 << 32) + 100);
    met.count = 0;
    weft_engine_visit(engine, find_far, &met);
    assert_int_equal(met.count, 2);
    assert_true(met.came[0] == ticks[4] || met.came[0] == ticks[5]);
    weft_engine_run(engine, (weft_time)1 << 37);
    assert_int_equal(far.count, 6);
    for (int i = 0; i < 6; i++)
        assert_true(far.came[i] == ticks[i]);
    weft_engine_destroy(engine);
}

/* Pages of two ticks: more of them pass than 32 bits count. */
/* However far it is, and whichever came into the wheel first. */
static void the_first_event_is_found(void **state)
{
    (void)state;
    static const weft_time ticks[] = {
        3, 700, 5000, 100001, 30000007, ((weft_time)1 << 31) - 3, ((weft_time)1 << 36) + 2049};
    static const weft_event_model model = {.tick = note_far};
    const weft_time most = (weft_time)1 << 40;
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        far_state far = {.count = 0};
        weft_block_plan block = {.state = &far, .entities = 1};
        weft_engine *engine = weft_engine_create(&(weft_engine_plan){
            .model = &model, .n_blocks = 1, .blocks = &block, .window = 1, .timer_shift = 1});
        for (int k = 2; k >= 0; k--)
            memset(&weft_emit(weft_engine_block(engine, 0), ticks[i] + k)->to, 0, 28);
        assert_true(weft_engine_idle(engine, most) == ticks[i]);
        assert_true(weft_engine_idle(engine, ticks[i] - 1) == ticks[i] - 1);
        weft_engine_run(engine, ticks[i] + 1);
        assert_int_equal(far.count, 1);
        assert_true(weft_engine_idle(engine, most) == ticks[i] + 1);
        weft_engine_destroy(engine);
    }
}

static const weft_time rings[] = {7,
                                  ((weft_time)1 << 31) - 2,
                                  ((weft_time)1 << 32) - 1,
                                  ((weft_time)1 << 32) + 1,
                                  ((weft_time)1 << 33) + 6,
                                  (weft_time)1 << 45};

static void ring(void *state, weft_block *block, uint32_t timer, weft_time now)
{
    (void)state;
    assert_true(now <= rings[timer]);
    if (rings[timer] >> 1 == now >> 1)
        memset(&weft_emit(block, rings[timer])->to, 0, 28);
    else
        weft_timer_set(block, timer, rings[timer]);
}

static void timers_of_far_pages_ring(void **state)
{
    (void)state;
    static const weft_event_model model = {.tick = note_far, .timer = ring};
    far_state far = {.count = 0};
    weft_block_plan plan = {.state = &far, .entities = 1, .timers = 6};
    weft_engine *engine = weft_engine_create(&(weft_engine_plan){
        .model = &model, .n_blocks = 1, .blocks = &plan, .window = 1, .timer_shift = 1});
    for (uint32_t i = 0; i < 6; i++)
        weft_timer_set(weft_engine_block(engine, 0), i, rings[i]);
    assert_int_equal(weft_engine_idle(engine, 100), 6); /* where the page of 7 begins */
    for (uint32_t i = 0; i < 6; i++) {
        weft_engine_run(engine, rings[i]);
        assert_int_equal(far.count, i);
        weft_engine_run(engine, rings[i] + 1);
        assert_int_equal(far.count, i + 1);
        assert_true(far.came[i] == rings[i]);
    }
    weft_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_events_come_in_order),
        cmocka_unit_test(far_events_come_at_their_ticks),
        cmocka_unit_test(pages_cascade_without_loss),
        cmocka_unit_test(time_passes_the_32_bits_of_an_event),
        cmocka_unit_test(entities_that_rest_are_not_confused_by_old_stamps),
        cmocka_unit_test(blocks_and_windows_change_nothing),
        cmocka_unit_test(timers_ring_in_their_page),
        cmocka_unit_test(memory_is_recycled),
        cmocka_unit_test(bytes_are_those_of_an_idle_block_and_its_events),
        cmocka_unit_test(visit_meets_every_event_once),
        cmocka_unit_test(visit_tells_when_events_are_due),
        cmocka_unit_test(segments_hold_the_same_events_in_less_memory),
        cmocka_unit_test(events_beyond_the_reach_come_at_their_ticks),
        cmocka_unit_test(the_first_event_is_found),
        cmocka_unit_test(timers_of_far_pages_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
