/* SPDX-License-Identifier: Apache-2.0 */
/* PHOLD sees the same whatever the blocks, and what a naive event list sees; where its time goes is
 * told. */
#include "unit/phold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <time.h>
#include <cmocka.h>

#define SEED 2026

static void cut(uint32_t entities, uint32_t blocks, uint32_t *size)
{
    for (uint32_t b = 0; b < blocks; b++)
        size[b] = (b + 1) * entities / blocks - b * entities / blocks;
}

static uint64_t checksum_on(unsigned threads, uint32_t blocks, const uint32_t *size,
                            weft_time until)
{
    phold *model =
        phold_open(&(phold_plan){.blocks = blocks, .size = size, .seed = SEED, .threads = threads});
    for (weft_time stop = 333; stop < until; stop += 777)
        weft_engine_run(model->engine, stop); /* where a run pauses makes no difference */
    weft_engine_run(model->engine, until);
    uint64_t sum = phold_checksum(model);
    phold_destroy(model);
    return sum;
}

static uint64_t checksum(uint32_t blocks, const uint32_t *size, weft_time until)
{
    return checksum_on(1, blocks, size, until);
}

typedef struct naive_event {
    weft_time at;
    uint32_t to, source, sequence;
} naive_event;

static int compare(const void *left, const void *right)
{
    const naive_event *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

static naive_event draw(phold_entity *entity, uint32_t source, uint32_t entities, weft_time now)
{
    uint32_t sequence = entity[source].sequence++;
    phold_draw next = phold_next(SEED, source, sequence, entities);
    return (naive_event){now + next.delay, next.to, source, sequence};
}

/* Sorts all pending events before every step of a lookahead; nothing new falls into it. */
static uint64_t naive_checksum(uint32_t entities, weft_time until)
{
    phold_block part = {.n_entities = entities, .all = entities, .seed = SEED};
    part.entities = weft_alloc(sizeof(phold_entity) * entities);
    phold whole = {.entities = entities, .n_blocks = 1, .own = 1, .blocks = &part};
    naive_event *pending = weft_alloc(sizeof *pending * entities);
    for (uint32_t e = 0; e < entities; e++)
        pending[e] = draw(part.entities, e, entities, 0);
    for (weft_time now = 0; now < until; now += PHOLD_LOOKAHEAD) {
        weft_time end = now + PHOLD_LOOKAHEAD < until ? now + PHOLD_LOOKAHEAD : until;
        qsort(pending, entities, sizeof *pending, compare);
        for (uint32_t i = 0; i < entities && pending[i].at < end; i++) {
            phold_entity *entity = &part.entities[pending[i].to];
            const uint32_t name[2] = {pending[i].source, pending[i].sequence};
            entity->checksum = phold_digest(entity->checksum, pending[i].at, name);
            pending[i] = draw(part.entities, pending[i].to, entities, pending[i].at);
        }
    }
    uint64_t sum = phold_checksum(&whole);
    free(part.entities);
    free(pending);
    return sum;
}

static void phold_agrees_with_a_naive_list(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 50, 2000};
    for (int i = 0; i < 4; i++)
        assert_true(checksum(1, &sizes[i], 5003) == naive_checksum(sizes[i], 5003));
}

static void phold_is_the_same_on_any_blocks(void **state)
{
    (void)state;
    const uint32_t entities = 1000, counts[] = {2, 7, 64};
    const uint32_t lopsided[] = {1, 900, 2, 47, 50};
    uint64_t expected = checksum(1, &entities, 6000);
    for (int i = 0; i < 3; i++) {
        uint32_t size[64];
        cut(entities, counts[i], size);
        assert_true(checksum(counts[i], size, 6000) == expected);
    }
    assert_true(checksum(5, lopsided, 6000) == expected);
}

static void phold_is_the_same_on_any_threads(void **state)
{
    (void)state;
    const uint32_t entities = 1000, lopsided[] = {1, 900, 2, 47, 50};
    uint64_t expected = checksum(1, &entities, 6000);
    for (unsigned threads = 2; threads <= 8; threads++) {
        uint32_t size[20];
        cut(entities, 20, size);
        assert_true(checksum_on(threads, 20, size, 6000) == expected);
        assert_true(checksum_on(threads, 5, lopsided, 6000) == expected);
    }
}

static void phold_keeps_its_events_and_its_rate(void **state)
{
    (void)state;
    uint32_t size[7];
    cut(5000, 7, size);
    phold *model = phold_create(7, size, SEED);
    weft_engine_run(model->engine, 20000);
    uint64_t events = weft_engine_events(model->engine), seen = 0;
    for (uint32_t b = 0; b < 7; b++)
        for (uint32_t e = 0; e < size[b]; e++)
            seen += model->blocks[b].entities[e].sequence - 1;
    assert_true(seen == events);
    /* one event per entity on the way; the delay's mean is 99.5 after truncation */
    double expected = 5000 * 20000 / 99.5;
    assert_true((double)events > 0.995 * expected && (double)events < 1.005 * expected);
    phold_destroy(model);
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One thread has next to nothing to do, and waits for the other in every window of 10 ticks. */
static void phold_accounts_for_its_time(void **state)
{
    (void)state;
    const uint32_t size[] = {1, 3000};
    phold *model = phold_open(
        &(phold_plan){.blocks = 2, .size = size, .seed = SEED, .threads = 2, .timed = true});
    double began = seconds();
    weft_engine_run(model->engine, 5000);
    double both = 2 * (seconds() - began);
    weft_engine_times times = weft_engine_timing(model->engine);
    assert_int_equal(times.windows, 2 * 5000 / PHOLD_LOOKAHEAD);
    assert_int_equal(times.sent_bytes, 0);
    assert_true(times.run_s > 0 && times.wait_s > 0 && times.exchange_s == 0 && times.meet_s > 0);
    assert_true(times.run_s + times.wait_s + times.meet_s <= both);
    phold_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phold_agrees_with_a_naive_list),
        cmocka_unit_test(phold_is_the_same_on_any_blocks),
        cmocka_unit_test(phold_is_the_same_on_any_threads),
        cmocka_unit_test(phold_keeps_its_events_and_its_rate),
        cmocka_unit_test(phold_accounts_for_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
