/* SPDX-License-Identifier: Apache-2.0 */
/* Far lists are chunks of 2^CHUNK events from the pool; the first event's place of each chunk is
 * its header (next chunk, count). Events in the wheel keep the low 32 bits of their tick, which
 * is enough because none lies WEFT_WHEEL_REACH or more ahead. */
#include "kernel/wheel.h"

#include "base/memory.h"

#include <stdlib.h>

#define CHUNK     5
#define SIZE_MOST 12 /* log2 of the largest usual bucket */
#define SMALL     3  /* log2 of a bucket that is not worth starting smaller */
/* ticks before its time in which a bucket is made as large as usual at once … */
#define SOON      32
#define NEAR      100 /* … and in which it grows to that size at once */
#define BEYOND \
    ((weft_time)1 << 29) /* ticks after which the list of what is beyond is looked at again */

typedef struct chunk_head {
    weft_event *next;
    uint32_t count; /* events in this chunk, header not counted; of a segment: in those before it */
} chunk_head;

_Static_assert(sizeof(chunk_head) <= sizeof(weft_event), "a header fits one event");
_Static_assert(offsetof(weft_wheel, near) == 0, "weft_emit finds it there");
_Static_assert(1u << WEFT_WHEEL_BITS == WEFT_WHEEL_TICKS, "one bucket per tick");
_Static_assert(sizeof(weft_event) == 32, "events are 32 bytes");

static chunk_head *head_of(const weft_event *chunk)
{
    return (chunk_head *)(uintptr_t)chunk;
}

static weft_event *list_add(weft_wheel *wheel, weft_event **list)
{
    weft_event *chunk = *list;
    if (!chunk || head_of(chunk)->count == (1u << CHUNK) - 1) {
        weft_event *fresh = weft_pool_take(&wheel->pool, CHUNK);
        *head_of(fresh) = (chunk_head){.next = chunk, .count = 0};
        *list = chunk = fresh;
    }
    return &chunk[++head_of(chunk)->count];
}

/* log2 of the least size for so many events. */
static unsigned size_for(uint64_t events)
{
    unsigned size = WEFT_POOL_LEAST;
    while (size < SIZE_MOST && (uint64_t)1 << size < events)
        size++;
    return size;
}

/* The usual size is that of the mean bucket of late, with a margin so that most need not outgrow
 * it. */
static void choose_size(weft_wheel *wheel)
{
    uint64_t ticks = wheel->ticks - wheel->ticks0;
    uint64_t mean = ticks ? (wheel->events - wheel->events0) / ticks : 0;
    wheel->usual = size_for(mean + mean / 4);
    wheel->ticks0 = wheel->ticks;
    wheel->events0 = wheel->events;
}

/* The size of a new bucket so many ticks before its time. Most of a bucket's events come when
 * its tick is near, so early ones of large buckets start smaller: by half for every doubling of
 * the distance. */
static unsigned first_size(const weft_wheel *wheel, weft_time ahead)
{
    if (wheel->usual <= SMALL || ahead < SOON)
        return wheel->usual;
    unsigned less = 59u - (unsigned)__builtin_clzll((uint64_t)ahead);
    return wheel->usual > less + SMALL ? wheel->usual - less : SMALL;
}

/* The size of a bucket that has outgrown `size`. */
static unsigned next_size(const weft_wheel *wheel, unsigned size, weft_time ahead)
{
    return ahead < NEAR && size < wheel->usual ? wheel->usual : size + 1;
}

/* Event by event: for memcpy callgrind counted 27 instructions per PHOLD event, 2,600 a call, which
 * looks like string instructions counted byte by byte and hid what the kernel itself costs. */
static void copy_events(weft_event *to, const weft_event *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        to[i] = from[i];
        __asm__ volatile("" ::: "memory"); /* or the compiler makes it memcpy again */
    }
}

/* Free segments are in the pool's list of size 0, which no array has: __builtin_ctz makes that of
 * their room. */
static weft_event *take_segment(weft_pool *pool)
{
    weft_event *events = pool->free[0];
    if (!events)
        return weft_pool_carve(pool, WEFT_SEGMENT);
    pool->free[0] = *(weft_event **)(void *)events;
    return events - 1;
}

/* Goes on in a new segment; the events of an array that was outgrown are moved into it. */
static __attribute__((noinline)) void add_segment(weft_wheel *wheel, weft_bucket *bucket)
{
    weft_event *segment = take_segment(&wheel->pool);
    chunk_head *head = head_of(segment);
    *head = (chunk_head){0};
    if (bucket->room == WEFT_SEGMENT_ROOM) {
        head->next = bucket->events - 1;
        head->count = head_of(head->next)->count + bucket->n_events;
        bucket->n_events = 0;
    } else {
        assert(bucket->n_events < WEFT_SEGMENT_ROOM);
        copy_events(segment + 1, bucket->events, bucket->n_events);
        if (bucket->room)
            weft_wheel_release(wheel, bucket->events, bucket->room);
    }
    bucket->events = segment + 1;
    bucket->room = WEFT_SEGMENT_ROOM;
}

weft_event *weft_wheel_gather(weft_wheel *wheel, weft_bucket bucket, uint32_t *n_events)
{
    const weft_event *newest = bucket.events - 1;
    chunk_head head = *head_of(newest);
    assert(bucket.room == WEFT_SEGMENT_ROOM);
    if (!head.next)
        return bucket.events;
    *n_events = head.count + bucket.n_events;
    if (*n_events > wheel->gathered_room) {
        free(wheel->gathered);
        wheel->gathered_room = *n_events + *n_events / 8;
        wheel->gathered = weft_alloc(sizeof *wheel->gathered * wheel->gathered_room);
    }
    copy_events(&wheel->gathered[head.count], bucket.events, bucket.n_events);
    while (head.next) {
        weft_event *segment = head.next;
        head = *head_of(segment);
        copy_events(&wheel->gathered[head.count], segment + 1, WEFT_SEGMENT_ROOM);
        weft_wheel_release(wheel, segment + 1, WEFT_SEGMENT_ROOM);
    }
    return wheel->gathered;
}

/* An outgrown bucket: a larger array, or one more segment. */
static __attribute__((noinline)) void grow(weft_wheel *wheel, weft_bucket *bucket, weft_time ahead)
{
    unsigned size = WEFT_SEGMENT;
    if (bucket->room != WEFT_SEGMENT_ROOM)
        size = next_size(wheel, (unsigned)__builtin_ctz(bucket->room), ahead);
    if (size >= WEFT_SEGMENT && wheel->segmented) {
        add_segment(wheel, bucket);
        return;
    }
    weft_event *larger = weft_pool_take(&wheel->pool, size);
    copy_events(larger, bucket->events, bucket->n_events);
    weft_wheel_release(wheel, bucket->events, bucket->room);
    bucket->events = larger;
    bucket->room = 1u << size;
}

/* A bucket that has no array, or is full. */
static weft_event *put_more(weft_wheel *wheel, weft_time at)
{
    uint32_t slot = (uint32_t)at & (WEFT_WHEEL_TICKS - 1);
    weft_bucket *bucket = &wheel->near.bucket[slot];
    if (__builtin_expect(bucket->room != 0, 0)) {
        grow(wheel, bucket, at - wheel->near.now);
    } else {
        unsigned size = first_size(wheel, at - wheel->near.now);
        wheel->filled[slot / 64] |= (uint64_t)1 << (slot % 64);
        if (__builtin_expect(size >= WEFT_SEGMENT && wheel->segmented, 0)) {
            add_segment(wheel, bucket);
        } else {
            bucket->events = weft_pool_take(&wheel->pool, size);
            bucket->room = 1u << size;
        }
    }
    weft_event *event = &bucket->events[bucket->n_events++];
    event->when = (uint32_t)at;
    return event;
}

/* Level 1 + l keeps pages of 2^(BITS + 6 l) ticks. */
static unsigned page_shift(unsigned level)
{
    return WEFT_WHEEL_BITS + 6 * level;
}

static weft_event *put_beyond(weft_wheel *wheel, weft_time at)
{
    if (wheel->n_beyond == wheel->beyond_room) {
        wheel->beyond_room = wheel->beyond_room ? 2 * wheel->beyond_room : 16;
        wheel->beyond = weft_realloc(wheel->beyond, wheel->beyond_room, sizeof *wheel->beyond);
    }
    weft_beyond *entry = &wheel->beyond[wheel->n_beyond++];
    entry->at = at;
    entry->event.when = (uint32_t)at;
    return &entry->event;
}

/* Takes what has come within reach from the list, long before its tick. */
static void bring_within(weft_wheel *wheel)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < wheel->n_beyond; i++) {
        weft_beyond entry = wheel->beyond[i];
        if (entry.at - wheel->near.now < WEFT_WHEEL_REACH - BEYOND)
            *weft_wheel_put(wheel, entry.at) = entry.event;
        else
            wheel->beyond[kept++] = entry;
    }
    wheel->n_beyond = kept;
}

static weft_event *put_far(weft_wheel *wheel, weft_time at)
{
    if (at - wheel->near.now >= WEFT_WHEEL_REACH)
        return put_beyond(wheel, at);
    unsigned level = 0;
    while ((at >> page_shift(level)) - (wheel->near.now >> page_shift(level)) >= 64)
        level++;
    assert(level < WEFT_WHEEL_LEVELS);
    unsigned list = (unsigned)(at >> page_shift(level)) & 63;
    weft_event *event = list_add(wheel, &wheel->far[level][list]);
    wheel->listed[level] |= (uint64_t)1 << list;
    event->when = (uint32_t)at;
    return event;
}

static __attribute__((noinline)) weft_event *put_slowly(weft_wheel *wheel, weft_time at)
{
    if (at - wheel->near.now >= (weft_time)WEFT_WHEEL_TICKS)
        return put_far(wheel, at);
    return put_more(wheel, at);
}

/* The first event of a tick with an array from the pool comes often, and needs no call. Where ticks
 * are segmented the pool never has an array as large as a segment. */
weft_event *weft_emit_more(weft_near *near, weft_time at)
{
    weft_wheel *wheel = (weft_wheel *)(void *)near; /* its first member */
    weft_time ahead = at - near->now;
    uint32_t slot = (uint32_t)at & (WEFT_WHEEL_TICKS - 1);
    weft_bucket *bucket = &near->bucket[slot];
    if (ahead >= (weft_time)WEFT_WHEEL_TICKS || bucket->room)
        return put_slowly(wheel, at);
    unsigned size = first_size(wheel, ahead);
    if (!wheel->pool.free[size])
        return put_slowly(wheel, at);
    weft_event *event = weft_pool_take(&wheel->pool, size);
    *bucket = (weft_bucket){.events = event, .n_events = 1, .room = 1u << size};
    wheel->filled[slot / 64] |= (uint64_t)1 << (slot % 64);
    event->when = (uint32_t)at;
    return event;
}

/* Takes a far list apart and puts its events where they belong now. */
static void bring_down(weft_wheel *wheel, unsigned level)
{
    unsigned list = (unsigned)(wheel->near.now >> page_shift(level)) & 63;
    weft_event *chunk = wheel->far[level][list];
    wheel->far[level][list] = NULL;
    wheel->listed[level] &= ~((uint64_t)1 << list);
    while (chunk) {
        chunk_head head = *head_of(chunk);
        for (uint32_t i = 1; i <= head.count; i++) {
            weft_time at = wheel->near.now + (int32_t)(chunk[i].when - (uint32_t)wheel->near.now);
            *weft_wheel_put(wheel, at) = chunk[i];
        }
        weft_pool_give(&wheel->pool, chunk, CHUNK);
        chunk = head.next;
    }
}

void weft_wheel_init(weft_wheel *wheel)
{
    choose_size(wheel);
}

void weft_wheel_cascade(weft_wheel *wheel)
{
    assert((wheel->near.now & (WEFT_WHEEL_TICKS - 1)) == 0);
    choose_size(wheel);
    if (wheel->n_beyond && (wheel->near.now & (BEYOND - 1)) == 0)
        bring_within(wheel);
    for (unsigned level = WEFT_WHEEL_LEVELS; level-- > 0;)
        if ((wheel->near.now & (((weft_time)1 << page_shift(level)) - 1)) == 0)
            bring_down(wheel, level);
}

/* The start of the first page after now that has a list at this level, at most limit. */
static weft_time first_listed_page(const weft_wheel *wheel, unsigned level, weft_time limit)
{
    weft_time page = wheel->near.now >> page_shift(level);
    unsigned next = (unsigned)(page + 1) & 63;
    uint64_t lists = wheel->listed[level];
    lists = lists >> next | lists << (-next & 63); /* bit i: page + 1 + i */
    if (!lists)
        return limit;
    weft_time at = (page + 1 + __builtin_ctzll(lists)) << page_shift(level);
    return at < limit ? at : limit;
}

weft_time weft_wheel_leap(const weft_wheel *wheel, weft_time limit)
{
    weft_time now = wheel->near.now;
    for (uint32_t i = 0; i < WEFT_WHEEL_TICKS / 64; i++)
        if (wheel->filled[i])
            return now;
    if (wheel->n_beyond && (now | (BEYOND - 1)) + 1 < limit)
        limit = (now | (BEYOND - 1)) + 1;
    for (unsigned level = 0; level < WEFT_WHEEL_LEVELS; level++)
        limit = first_listed_page(wheel, level, limit);
    return limit;
}

/* The first event of a level's first list, at most limit: later lists have later pages. */
static weft_time first_far(const weft_wheel *wheel, unsigned level, weft_time limit)
{
    weft_time now = wheel->near.now, page = now >> page_shift(level);
    weft_event *chunk = NULL;
    for (weft_time i = 0; i < 64 && !chunk; i++) {
        if ((page + i) << page_shift(level) >= limit)
            return limit;
        chunk = wheel->far[level][(page + i) & 63];
    }
    for (; chunk; chunk = head_of(chunk)->next)
        for (uint32_t i = 1; i <= head_of(chunk)->count; i++) {
            weft_time at = now + (int32_t)(chunk[i].when - (uint32_t)now);
            limit = at < limit ? at : limit;
        }
    return limit;
}

weft_time weft_wheel_first(const weft_wheel *wheel, weft_time limit)
{
    weft_time near = wheel->near.now + (weft_time)WEFT_WHEEL_TICKS;
    weft_time first = weft_wheel_next(wheel, near < limit ? near : limit);
    first = first < near ? first : limit;
    for (unsigned level = 0; level < WEFT_WHEEL_LEVELS; level++)
        first = first_far(wheel, level, first);
    for (uint32_t i = 0; i < wheel->n_beyond; i++)
        first = wheel->beyond[i].at < first ? wheel->beyond[i].at : first;
    return first;
}

weft_time weft_wheel_search(const weft_wheel *wheel, weft_time limit)
{
    weft_time at = wheel->near.now;
    while (at < limit) {
        uint32_t slot = (uint32_t)at & (WEFT_WHEEL_TICKS - 1);
        uint64_t word = wheel->filled[slot / 64] >> (slot % 64);
        if (word) {
            at += __builtin_ctzll(word);
            return at < limit ? at : limit;
        }
        at += 64 - slot % 64;
    }
    return limit;
}

static void meet(const weft_wheel *wheel, const weft_event *event, weft_visitor visit, void *user,
                 uint32_t block)
{
    weft_time now = wheel->near.now;
    visit(user, block, now + (int32_t)(event->when - (uint32_t)now), event);
}

static void visit_bucket(const weft_wheel *wheel, const weft_bucket *bucket, weft_visitor visit,
                         void *user, uint32_t block)
{
    for (uint32_t i = 0; i < bucket->n_events; i++)
        meet(wheel, &bucket->events[i], visit, user, block);
    if (bucket->room != WEFT_SEGMENT_ROOM)
        return;
    for (const weft_event *before = head_of(bucket->events - 1)->next; before;
         before = head_of(before)->next)
        for (uint32_t i = 1; i <= WEFT_SEGMENT_ROOM; i++)
            meet(wheel, &before[i], visit, user, block);
}

void weft_wheel_visit(const weft_wheel *wheel, weft_visitor visit, void *user, uint32_t block)
{
    for (uint32_t i = 0; i < wheel->n_beyond; i++)
        visit(user, block, wheel->beyond[i].at, &wheel->beyond[i].event);
    for (uint32_t slot = 0; slot < WEFT_WHEEL_TICKS; slot++)
        visit_bucket(wheel, &wheel->near.bucket[slot], visit, user, block);
    for (unsigned level = 0; level < WEFT_WHEEL_LEVELS; level++)
        for (unsigned slot = 0; slot < 64; slot++)
            for (const weft_event *chunk = wheel->far[level][slot]; chunk;
                 chunk = head_of(chunk)->next)
                for (uint32_t i = 1; i <= head_of(chunk)->count; i++)
                    meet(wheel, &chunk[i], visit, user, block);
}

void weft_wheel_done(weft_wheel *wheel)
{
    weft_pool_done(&wheel->pool);
    free(wheel->beyond);
    free(wheel->gathered);
}
