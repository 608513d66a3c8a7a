/* SPDX-License-Identifier: Apache-2.0 */
/* Running a block: timers, cascade, then tick by tick. In each tick every event marks its entity's
 * mailbox (one compare). The few that find it marked, and the first ones of their entities, are
 * brought together at the end of the bucket and sorted there. Then the model handles them all. */
#include "kernel/block.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define NO_TIMER     INT32_MAX
#define LAST_PAGE    (INT32_MAX - 1)      /* timers of later pages have this one, too, … */
#define REBASE       (1 << 30)            /* … until pages are counted anew, after so many */
#define TIMER_STRIDE 16u                  /* timers are scanned in groups of so many */
#define STAMP_TICKS  ((weft_time)1 << 31) /* stamps start again, and all are forgotten, so often */
#define CACHED       ((size_t)512 << 10)  /* a smaller model stays in a core's cache by itself */
#define SORT_FEW     12u
#define SORT_MANY    1024u /* events that qsort sorts faster than what is here */

static uint32_t padded(uint32_t timers)
{
    return (timers + TIMER_STRIDE - 1) / TIMER_STRIDE * TIMER_STRIDE;
}

void weft_block_init(weft_block *block, const weft_block_plan *plan, const weft_engine_plan *engine)
{
    weft_wheel_init(&block->wheel);
    block->wheel.segmented = engine->model->unordered;
    block->model = engine->model;
    block->state = plan->state;
    block->name = plan->name;
    block->wheel.near.now = engine->start;
    block->timer_shift = engine->timer_shift;
    block->entities = plan->entities;
    block->n_timers = plan->timers;
    block->slots = plan->n_neighbours;
    block->mailbox = weft_region_create(sizeof *block->mailbox * plan->entities);
    if ((size_t)plan->hot_bytes * plan->entities * engine->n_blocks > CACHED)
        block->hot = plan->hot;
    block->hot_bytes = plan->hot_bytes;
    block->timers = weft_region_create(sizeof *block->timers * padded(plan->timers));
    for (uint32_t i = 0; i < padded(plan->timers); i++)
        block->timers[i] = NO_TIMER;
    for (int p = 0; p < 2; p++)
        block->outbox[p] = weft_alloc(sizeof(weft_outbox) * plan->n_neighbours);
    block->neighbour = weft_alloc(sizeof(uint32_t) * plan->n_neighbours);
    if (plan->n_neighbours)
        memcpy(block->neighbour, plan->neighbours, sizeof(uint32_t) * plan->n_neighbours);
}

void weft_block_done(weft_block *block)
{
    weft_wheel_done(&block->wheel);
    weft_region_destroy(block->mailbox, sizeof *block->mailbox * block->entities);
    weft_region_destroy(block->timers, sizeof *block->timers * padded(block->n_timers));
    for (int p = 0; p < 2; p++) {
        for (uint32_t s = 0; s < block->slots; s++)
            free(block->outbox[p][s].events);
        free(block->outbox[p]);
    }
    for (int p = 0; p < 2; p++)
        free(block->post[p].bundles);
    free(block->neighbour);
    free(block->inlets);
    free(block->waits);
    free(block->peers);
}

uint64_t weft_block_events(const weft_block *block)
{
    return block->wheel.events;
}

int64_t weft_block_bytes(const weft_block *block)
{
    int64_t bytes = (int64_t)sizeof *block + block->wheel.pool.bytes;
    bytes += (int64_t)(sizeof *block->mailbox * block->entities);
    bytes += (int64_t)(sizeof *block->timers * padded(block->n_timers));
    bytes += (int64_t)(sizeof *block->wheel.beyond * block->wheel.beyond_room);
    bytes += (int64_t)(sizeof *block->wheel.gathered * block->wheel.gathered_room);
    for (int p = 0; p < 2; p++)
        for (uint32_t s = 0; s < block->slots; s++)
            bytes +=
                (int64_t)(sizeof(weft_outbox) + sizeof(weft_event) * block->outbox[p][s].capacity);
    return bytes;
}

weft_event *weft_emit_across(weft_block *block, uint32_t slot, weft_time at)
{
    assert(slot < block->slots);
    weft_outbox *box = &block->outbox[block->parity][slot];
    if (box->n_events == box->capacity) {
        box->capacity = box->capacity ? 2 * box->capacity : 16;
        box->events = weft_realloc(box->events, box->capacity, sizeof *box->events);
    }
    assert(at - block->wheel.near.now < WEFT_WHEEL_REACH);
    weft_event *event = &box->events[box->n_events++];
    event->when = (uint32_t)at;
    return event;
}

void weft_timer_set(weft_block *block, uint32_t timer, weft_time at)
{
    assert(timer < block->n_timers && at >= 0);
    weft_time page = (at >> block->timer_shift) - block->first_page;
    block->timers[timer] = page < LAST_PAGE ? (int32_t)page : LAST_PAGE;
}

void weft_timer_clear(weft_block *block, uint32_t timer)
{
    block->timers[timer] = NO_TIMER;
}

/* Bit j: timer j of the group is due. */
static inline uint32_t timers_due(const int32_t *group, int32_t page)
{
#if defined(__SSE2__)
    __m128i limit = _mm_set1_epi32(page), later[4];
    for (int k = 0; k < 4; k++)
        later[k] =
            _mm_cmpgt_epi32(_mm_loadu_si128((const __m128i *)(const void *)group + k), limit);
    __m128i all =
        _mm_packs_epi16(_mm_packs_epi32(later[0], later[1]), _mm_packs_epi32(later[2], later[3]));
    return (uint32_t)_mm_movemask_epi8(all) ^ 0xffff;
#else
    uint32_t due = 0;
    for (uint32_t j = 0; j < TIMER_STRIDE; j++)
        due |= (uint32_t)(group[j] <= page) << j;
    return due;
#endif
}

/* Counts the pages of timers from the one at hand on. */
static __attribute__((noinline)) void rebase_timers(weft_block *block, weft_time page)
{
    for (uint32_t i = 0; i < block->n_timers; i++)
        if (block->timers[i] != NO_TIMER)
            block->timers[i] -= block->timers[i] < page ? block->timers[i] : (int32_t)page;
    block->first_page += page;
}

/* Calls the model for every timer whose page has come, 16 compared at once. A timer that the model
 * sets is of a later page. */
static void scan_timers(weft_block *block)
{
    weft_time page = (block->wheel.near.now >> block->timer_shift) - block->first_page;
    if (__builtin_expect(page >= REBASE, 0)) {
        rebase_timers(block, page);
        page = 0;
    }
    for (uint32_t i = 0; i < block->n_timers; i += TIMER_STRIDE)
        for (uint32_t due = timers_due(block->timers + i, (int32_t)page); due; due &= due - 1) {
            uint32_t j = i + (uint32_t)__builtin_ctz(due);
            block->timers[j] = NO_TIMER;
            block->model->timer(block->state, block, j, block->wheel.near.now);
        }
}

weft_time weft_block_first_timer(const weft_block *block, weft_time limit)
{
    weft_time now = block->wheel.near.now;
    int32_t first = NO_TIMER;
    for (uint32_t i = 0; i < block->n_timers; i++)
        first = block->timers[i] < first ? block->timers[i] : first;
    if (first == NO_TIMER)
        return limit;
    weft_time at = (block->first_page + first) << block->timer_shift;
    if (at < now) /* it is looked at when the next page begins */
        at = now + (-now & (((weft_time)1 << block->timer_shift) - 1));
    return at < limit ? at : limit;
}

/* By entity, then in the order the header promises. */
static inline bool precedes(const weft_event *a, const weft_event *b)
{
    uint64_t left = (uint64_t)a->to << 32 | a->key, right = (uint64_t)b->to << 32 | b->key;
    if (left != right)
        return left < right;
    left = (uint64_t)a->data[0] << 32 | a->data[1];
    right = (uint64_t)b->data[0] << 32 | b->data[1];
    if (left != right)
        return left < right;
    uint32_t i = 2;
    while (i + 1 < WEFT_EVENT_DATA && a->data[i] == b->data[i])
        i++;
    return a->data[i] < b->data[i];
}

static int compare(const void *left, const void *right)
{
    return precedes(left, right) ? -1 : precedes(right, left);
}

/* Inserts each event among those so far apart. */
static inline void insert(weft_event *events, uint32_t count, uint32_t gap)
{
    for (uint32_t i = gap; i < count; i++) {
        weft_event event = events[i];
        uint32_t at = i;
        for (; at >= gap && precedes(&event, &events[at - gap]); at -= gap)
            events[at] = events[at - gap];
        events[at] = event;
    }
}

static void sort(weft_event *events, uint32_t count)
{
    static const uint32_t gaps[] = {301, 132, 57, 23, 10, 4}; /* Shell's sort, with Ciura's gaps */
    if (count > SORT_MANY) {
        qsort(events, count, sizeof *events, compare);
        return;
    }
    for (size_t g = 0; count > SORT_FEW && g < sizeof gaps / sizeof *gaps; g++)
        insert(events, count, gaps[g]);
    insert(events, count, 1);
}

static void swap(weft_event *a, weft_event *b)
{
    weft_event event = *a;
    *a = *b;
    *b = event;
}

/* Fetches ahead what the model touches first for each event, where that may not be in the cache. */
static void fetch_ahead(const weft_block *block, const weft_event *events, uint32_t count)
{
    const char *hot = block->hot;
    size_t hot_bytes = block->hot_bytes;
    for (uint32_t i = 0; i < count; i++)
        __builtin_prefetch(hot + hot_bytes * events[i].to, 1);
}

/* Stamps the mailbox of every event's entity. Events that find it stamped already go to the end;
 * returns how many come first. */
static uint32_t part_mail(weft_mailbox *mailbox, weft_event *events, uint32_t count, uint32_t stamp)
{
    uint32_t end = count;
    for (uint32_t i = 0; i < end;) {
        weft_mailbox *box = &mailbox[events[i].to];
        if (__builtin_expect(box->stamp == stamp, 0))
            swap(&events[i], &events[--end]);
        else
            *box = (weft_mailbox){.stamp = stamp, .first = i++};
    }
    return end;
}

/* Brings to the events at the end … count−1 the first ones of their entities; sorts them all. */
static void sort_mail(weft_mailbox *mailbox, weft_event *events, uint32_t count, uint32_t end)
{
    uint32_t tail = end;
    for (uint32_t i = end; i < count; i++) {
        uint32_t first = mailbox[events[i].to].first;
        if (first >= tail)
            continue; /* is there already */
        swap(&events[first], &events[--tail]);
        mailbox[events[first].to].first = first;
        mailbox[events[tail].to].first = tail;
    }
    sort(events + tail, count - tail);
}

/* Hands the events of the tick at hand to the model. */
static inline __attribute__((always_inline)) void hand_over(weft_block *block, weft_event *events,
                                                            uint32_t n_events)
{
    weft_wheel *wheel = &block->wheel;
    weft_batch batch = {.now = wheel->near.now, .n_events = n_events, .events = events};
    uint32_t stamp = (uint32_t)(wheel->near.now & (STAMP_TICKS - 1)) + 1; /* 0 is none */
    if (block->hot)
        fetch_ahead(block, events, n_events);
    if (!block->model->unordered) {
        uint32_t end = part_mail(block->mailbox, events, n_events, stamp);
        if (end < n_events)
            sort_mail(block->mailbox, events, n_events, end);
    }
    wheel->events += n_events;
    wheel->ticks++;
    wheel->near.now++; /* handlers emit for the next tick or later */
    block->model->tick(block->state, block, &batch);
}

static __attribute__((noinline)) void hand_over_segments(weft_block *block, weft_bucket bucket)
{
    uint32_t n_events = bucket.n_events;
    weft_event *events = weft_wheel_gather(&block->wheel, bucket, &n_events);
    hand_over(block, events, n_events);
}

static void run_tick(weft_block *block)
{
    weft_wheel *wheel = &block->wheel;
    uint32_t slot = (uint32_t)wheel->near.now & (WEFT_WHEEL_TICKS - 1);
    weft_bucket bucket = wheel->near.bucket[slot];
    wheel->near.bucket[slot] = (weft_bucket){0};
    wheel->filled[slot / 64] &= ~((uint64_t)1 << (slot % 64));
    if (__builtin_expect(bucket.room == WEFT_SEGMENT_ROOM, 0))
        hand_over_segments(block, bucket);
    else
        hand_over(block, bucket.events, bucket.n_events);
    weft_wheel_release(wheel, bucket.events, bucket.room);
}

/* A tick before which nothing happens, now or later; `page` is the end of the timers' page at hand.
 * Timers are looked at only if nothing else happens before that. */
static weft_time leap(const weft_block *block, weft_time page, weft_time end)
{
    weft_time now = block->wheel.near.now, stamps = (now | (STAMP_TICKS - 1)) + 1;
    if (!block->model->unordered && stamps < end)
        end = stamps;
    weft_time to = weft_wheel_leap(&block->wheel, end);
    if (to <= page || !block->n_timers)
        return to;
    to = weft_block_first_timer(block, to);
    return to > page ? to : page;
}

void weft_block_run(weft_block *block, weft_time end)
{
    weft_wheel *wheel = &block->wheel;
    weft_time page = (weft_time)1 << block->timer_shift;
    while (wheel->near.now < end) {
        weft_time now = wheel->near.now;
        if ((now & (WEFT_WHEEL_TICKS - 1)) == 0)
            weft_wheel_cascade(wheel);
        if ((now & (page - 1)) == 0 && block->n_timers)
            scan_timers(block);
        if ((now & (STAMP_TICKS - 1)) == 0 && !block->model->unordered)
            memset(block->mailbox, 0, sizeof *block->mailbox * block->entities);
        weft_time stop = end;
        if (block->n_timers && (now | (page - 1)) + 1 < stop)
            stop = (now | (page - 1)) + 1;
        if ((now & (WEFT_WHEEL_TICKS - 1)) == 0) {
            wheel->near.now = leap(block, stop, end);
            if (wheel->near.now > now)
                continue;
        }
        if ((now | (WEFT_WHEEL_TICKS - 1)) + 1 < stop)
            stop = (now | (WEFT_WHEEL_TICKS - 1)) + 1;
        while ((wheel->near.now = weft_wheel_next(wheel, stop)) < stop)
            run_tick(block);
    }
}

uint32_t weft_block_find(const weft_block *blocks, uint32_t count, uint32_t name)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (blocks[middle].name < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && blocks[low].name == name ? low : count;
}
