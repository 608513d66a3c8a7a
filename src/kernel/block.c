/* SPDX-License-Identifier: Apache-2.0 */
/* Running a block: timers, cascade, then tick by tick. In each tick every event marks its entity's
 * mailbox (one compare); the few that are not their entity's first are chained to it in order. Then
 * the model handles them, entity after entity. */
#include "kernel/block.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define LAST         UINT32_MAX
#define NO_TIMER     INT32_MAX
#define TIMER_STRIDE 16u                  /* timers are scanned in groups of so many */
#define STAMP_TICKS  ((weft_time)1 << 31) /* stamps start again, and all are forgotten, so often */

static uint32_t padded(uint32_t timers)
{
    return (timers + TIMER_STRIDE - 1) / TIMER_STRIDE * TIMER_STRIDE;
}

void weft_block_init(weft_block *block, const weft_block_plan *plan, const weft_engine_plan *engine)
{
    weft_wheel_init(&block->wheel);
    block->model = engine->model;
    block->state = plan->state;
    block->timer_shift = engine->timer_shift;
    block->entities = plan->entities;
    block->timers = plan->timers;
    block->slots = plan->neighbours;
    block->mailbox = weft_region_create(sizeof *block->mailbox * plan->entities);
    block->timer = weft_region_create(sizeof *block->timer * padded(plan->timers));
    for (uint32_t i = 0; i < padded(plan->timers); i++)
        block->timer[i] = NO_TIMER;
    for (int p = 0; p < 2; p++)
        block->outbox[p] = weft_alloc(sizeof(weft_outbox) * plan->neighbours);
    block->neighbour = weft_alloc(sizeof(uint32_t) * plan->neighbours);
    if (plan->neighbours)
        memcpy(block->neighbour, plan->neighbour, sizeof(uint32_t) * plan->neighbours);
}

void weft_block_done(weft_block *block)
{
    weft_wheel_done(&block->wheel);
    weft_region_destroy(block->mailbox, sizeof *block->mailbox * block->entities);
    weft_region_destroy(block->timer, sizeof *block->timer * padded(block->timers));
    for (int p = 0; p < 2; p++) {
        for (uint32_t s = 0; s < block->slots; s++)
            free(block->outbox[p][s].events);
        free(block->outbox[p]);
    }
    free(block->neighbour);
    free(block->inlet);
    free(block->later);
    free(block->order);
    free(block->next);
    free(block->chained);
}

int64_t weft_block_bytes(const weft_block *block)
{
    int64_t bytes = (int64_t)sizeof *block + block->wheel.pool.bytes;
    bytes += (int64_t)(sizeof *block->mailbox * block->entities);
    bytes += (int64_t)(sizeof *block->timer * padded(block->timers));
    bytes += (int64_t)(3 * sizeof(uint32_t) * block->capacity + block->capacity / 8);
    for (int p = 0; p < 2; p++)
        for (uint32_t s = 0; s < block->slots; s++)
            bytes +=
                (int64_t)(sizeof(weft_outbox) + sizeof(weft_event) * block->outbox[p][s].capacity);
    return bytes;
}

weft_event *weft_emit(weft_block *block, weft_time at)
{
    return weft_wheel_put(&block->wheel, at);
}

weft_event *weft_emit_across(weft_block *block, uint32_t slot, weft_time at)
{
    assert(slot < block->slots);
    weft_outbox *box = &block->outbox[block->parity][slot];
    if (box->count == box->capacity) {
        box->capacity = box->capacity ? 2 * box->capacity : 16;
        box->events = weft_realloc(box->events, box->capacity, sizeof *box->events);
    }
    if (at - block->wheel.now >= WEFT_WHEEL_REACH) {
        block->wheel.overrun = true;
        at = block->wheel.now + WEFT_WHEEL_REACH - 1;
    }
    weft_event *event = &box->events[box->count++];
    event->when = (uint32_t)at;
    return event;
}

void weft_timer_set(weft_block *block, uint32_t timer, weft_time at)
{
    assert(timer < block->timers && at >= 0);
    weft_time page = at >> block->timer_shift;
    block->timer[timer] = page < NO_TIMER ? (int32_t)page : NO_TIMER;
}

void weft_timer_clear(weft_block *block, uint32_t timer)
{
    block->timer[timer] = NO_TIMER;
}

/* Calls the model for every timer whose page has come. The inner loop compares 16 at once. */
static void scan_timers(weft_block *block)
{
    int32_t page = (int32_t)(block->wheel.now >> block->timer_shift);
    for (uint32_t i = 0; i < block->timers; i += TIMER_STRIDE) {
        const int32_t *group = block->timer + i;
        int due = 0;
        for (uint32_t j = 0; j < TIMER_STRIDE; j++)
            due |= group[j] <= page;
        if (!due)
            continue;
        for (uint32_t j = i; j < i + TIMER_STRIDE; j++)
            if (block->timer[j] <= page) {
                block->timer[j] = NO_TIMER;
                block->model->timer(block->state, block, j, block->wheel.now);
            }
    }
}

static void reserve(weft_block *block, uint32_t count)
{
    uint32_t capacity = block->capacity ? block->capacity : 64;
    while (capacity < count)
        capacity *= 2;
    block->later = weft_realloc(block->later, capacity, sizeof *block->later);
    block->order = weft_realloc(block->order, capacity, sizeof *block->order);
    block->next = weft_realloc(block->next, capacity, sizeof *block->next);
    block->chained = weft_realloc(block->chained, capacity / 64, sizeof *block->chained);
    block->capacity = capacity;
}

static bool before(const weft_event *a, const weft_event *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    if (a->data[0] != b->data[0])
        return a->data[0] < b->data[0];
    return a->data[1] < b->data[1];
}

/* Puts event i into the sorted chain that starts at *link. */
static void insert(const weft_event *events, uint32_t *next, uint32_t *link, uint32_t i)
{
    while (*link != LAST && before(&events[*link], &events[i]))
        link = &next[*link];
    next[i] = *link;
    *link = i;
}

/* Stamps the mailbox of every event's entity; lists the events that find it stamped already. */
static uint32_t collect(weft_block *block, const weft_event *events, uint32_t count, uint32_t stamp)
{
    weft_mailbox *mailbox = block->mailbox;
    uint32_t *later = block->later, found = 0;
    for (uint32_t i = 0; i < count; i++) {
        weft_mailbox *box = &mailbox[events[i].to];
        if (__builtin_expect(box->stamp == stamp, 0))
            later[found++] = i;
        else
            *box = (weft_mailbox){.stamp = stamp, .first = i};
    }
    return found;
}

/* Chains the later events to the first ones of their entities, in order. */
static void chain(weft_block *block, const weft_event *events, uint32_t found)
{
    uint64_t *chained = block->chained;
    for (uint32_t l = 0; l < found; l++) {
        uint32_t i = block->later[l], *first = &block->mailbox[events[i].to].first;
        if (!(chained[*first / 64] >> (*first % 64) & 1)) {
            chained[*first / 64] |= (uint64_t)1 << (*first % 64);
            block->next[*first] = LAST;
        }
        chained[i / 64] |= (uint64_t)1 << (i % 64);
        insert(events, block->next, first, i);
    }
}

/* Lists the events that are alone as they came, then chain after chain. */
static void sort_mail(weft_block *block, const weft_event *events, uint32_t count, uint32_t found)
{
    memset(block->chained, 0, ((size_t)count + 63) / 64 * sizeof *block->chained);
    chain(block, events, found);
    uint32_t *order = block->order, listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        order[listed] = i;
        listed += !(block->chained[i / 64] >> (i % 64) & 1);
    }
    for (uint32_t l = 0; l < found; l++) {
        uint32_t *first = &block->mailbox[events[block->later[l]].to].first, e = *first;
        for (*first = LAST; e != LAST; e = block->next[e])
            order[listed++] = e;
    }
    assert(listed == count);
}

static void run_tick(weft_block *block)
{
    weft_wheel *wheel = &block->wheel;
    uint32_t slot = (uint32_t)wheel->now & (WEFT_WHEEL_TICKS - 1);
    weft_bucket bucket = wheel->bucket[slot];
    wheel->bucket[slot] = (weft_bucket){0};
    wheel->filled[slot / 64] &= ~((uint64_t)1 << (slot % 64));
    weft_batch batch = {.now = wheel->now, .count = bucket.count, .events = bucket.events};
    uint32_t stamp = (uint32_t)(wheel->now & (STAMP_TICKS - 1)) + 1; /* 0 is none */
    if (bucket.count > block->capacity)
        reserve(block, bucket.count);
    uint32_t found = collect(block, bucket.events, bucket.count, stamp);
    if (found) {
        sort_mail(block, bucket.events, bucket.count, found);
        batch.order = block->order;
    }
    wheel->events += bucket.count;
    wheel->ticks++;
    wheel->now++; /* handlers emit for the next tick or later */
    block->model->tick(block->state, block, &batch);
    weft_wheel_release(wheel, bucket.events, bucket.room);
}

void weft_block_run(weft_block *block, weft_time end)
{
    weft_wheel *wheel = &block->wheel;
    weft_time page = (weft_time)1 << block->timer_shift;
    while (wheel->now < end) {
        weft_time now = wheel->now;
        if ((now & (WEFT_WHEEL_TICKS - 1)) == 0)
            weft_wheel_cascade(wheel);
        if ((now & (page - 1)) == 0 && block->timers)
            scan_timers(block);
        if ((now & (STAMP_TICKS - 1)) == 0)
            memset(block->mailbox, 0, sizeof *block->mailbox * block->entities);
        weft_time stop = (now | (WEFT_WHEEL_TICKS - 1)) + 1;
        if (block->timers && ((now | (page - 1)) + 1) < stop)
            stop = (now | (page - 1)) + 1;
        if (stop > end)
            stop = end;
        while ((wheel->now = weft_wheel_next(wheel, stop)) < stop)
            run_tick(block);
    }
}
