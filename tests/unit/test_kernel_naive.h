/* SPDX-License-Identifier: Apache-2.0 */
/* A small random world that runs on the kernel and on a naive model of it, and must be the same.
 *
 * The naive model knows no wheel, blocks or windows: a plain list of pending events, the next one
 * found by looking at all of them. What an event does (react) is a pure function of the event, so
 * that both sides do it: children after delays from one tick to 2^far, timers set, set again and
 * cleared. Entities have global numbers; only the kernel's side knows blocks. Shared by
 * test_kernel_wheel.c and fuzz_wheel.c. */
#ifndef WEFT_TEST_KERNEL_NAIVE_H
#define WEFT_TEST_KERNEL_NAIVE_H

#include "base/memory.h"
#include "kernel/kernel.h"

#include <assert.h>
#include <stdlib.h>

#define WORLD_SHIFT  6 /* pages of timers: 64 ticks */
#define WORLD_BLOCKS 8 /* at most */
#define NEVER        INT64_MAX

typedef struct happening { /* an event with its exact time and global entity */
    weft_time at;
    /* data[2]: a number, and in its low byte the generations its offspring may have */
    uint32_t entity, key, data[3];
} happening;

typedef struct happenings {
    happening *items;
    size_t n_items, capacity;
} happenings;

typedef struct naive_world naive_world;

typedef struct world_block {
    naive_world *world;
    uint32_t number;
} world_block;

struct naive_world {
    uint32_t blocks, entities, far; /* delays reach 2^far */
    weft_time window;
    bool timers;
    uint32_t first[WORLD_BLOCKS + 1]; /* global number of each block's first entity */
    /* the kernel's side */
    weft_engine *engine;
    world_block part[WORLD_BLOCKS];
    weft_time *armed; /* per entity: what its timer is set to */
    happenings seen;
    weft_time *met;    /* per entity: the tick of its last event */
    uint32_t disorder; /* promises broken */
    /* the naive side */
    weft_time now;
    weft_time *waiting;
    happenings pending, expected;
};

static inline happening *happenings_add(happenings *list, happening item)
{
    if (list->n_items == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->items = weft_realloc(list->items, list->capacity, sizeof *list->items);
    }
    list->items[list->n_items] = item;
    return &list->items[list->n_items++];
}

static inline int happening_compare(const void *left, const void *right)
{
    const happening *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    const uint32_t x[] = {a->entity, a->key, a->data[0], a->data[1], a->data[2]};
    const uint32_t y[] = {b->entity, b->key, b->data[0], b->data[1], b->data[2]};
    for (int i = 0; i < 5; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static inline uint32_t mix(uint32_t a, uint32_t b)
{
    uint64_t x = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return (uint32_t)(x ^ x >> 32);
}

static inline uint32_t block_of(const naive_world *world, uint32_t entity)
{
    uint32_t b = 0;
    while (entity >= world->first[b + 1])
        b++;
    return b;
}

/* What an event does. */
typedef struct reaction {
    uint32_t children;
    happening child[3];
    weft_time timer; /* of its own entity: NEVER: left alone, 0: cleared */
} reaction;

static inline uint32_t numbered(uint32_t number, uint32_t generations)
{
    assert(generations <= 0xff);
    return (number & ~0xffu) | generations;
}

static inline reaction react(const naive_world *world, const happening *event)
{
    assert(world->entities > 0);
    uint32_t dice = mix(event->data[2], event->entity + 77);
    reaction done = {.timer = NEVER};
    if ((event->data[2] & 0xff) == 0)
        return done;
    static const uint32_t family[8] = {0, 1, 1, 1, 1, 1, 2, 3};
    done.children = family[dice & 7];
    for (uint32_t c = 0; c < done.children; c++) {
        uint32_t d = mix(dice, c), e = mix(d, 1), to = mix(d, 2) % world->entities;
        uint32_t spread = 1 + d % world->far; /* half of the delays near, half log-uniform */
        weft_time delay = d & 1024 ? 1 + (e & 7) : (e >> (32 - spread)) + 1;
        if (block_of(world, to) != block_of(world, event->entity) && delay < world->window)
            delay = world->window;
        done.child[c] = (happening){.at = event->at + delay,
                                    .entity = to,
                                    .key = mix(d, 3) & 3,
                                    .data = {mix(d, 4) & 1, mix(d, 5) & 1,
                                             numbered(mix(d, 6), (event->data[2] & 0xff) - 1)}};
    }
    if (!world->timers)
        return done;
    if ((dice >> 3 & 3) == 0)
        done.timer = event->at + 1 + (mix(dice, 9) >> (32 - (1 + (dice >> 8) % world->far)));
    else if ((dice >> 3 & 15) == 1)
        done.timer = 0;
    return done;
}

/* The event a timer stands for. */
static inline happening alarm_of(uint32_t entity, weft_time at)
{
    return (happening){.at = at,
                       .entity = entity,
                       .key = 9,
                       .data = {1, 0, numbered(mix((uint32_t)at, entity), 2)}};
}

/* --- the kernel's side ---------------------------------------------------------------------- */

static inline void world_send(naive_world *world, uint32_t from, const happening *event)
{
    uint32_t to = block_of(world, event->entity);
    weft_block *block = weft_engine_block(world->engine, from);
    weft_event *sent = to == from ? weft_emit(block, event->at)
                                  : weft_emit_across(block, to < from ? to : to - 1, event->at);
    sent->to = event->entity - world->first[to];
    sent->key = event->key;
    for (int i = 0; i < 3; i++)
        sent->data[i] = event->data[i];
    sent->data[3] = event->entity;
    sent->data[4] = 4711;
}

/* A timer is looked at when its page begins: one of the page in hand goes straight to the wheel. */
static inline void world_arm(naive_world *world, uint32_t entity, weft_time at, weft_time now)
{
    uint32_t b = block_of(world, entity), timer = entity - world->first[b];
    weft_block *block = weft_engine_block(world->engine, b);
    if (at == 0) {
        weft_timer_clear(block, timer);
    } else if (at >> WORLD_SHIFT == now >> WORLD_SHIFT) {
        happening event = alarm_of(entity, at);
        world_send(world, b, &event);
    } else {
        world->armed[entity] = at;
        weft_timer_set(block, timer, at);
    }
}

static inline void world_timer(void *state, weft_block *block, uint32_t timer, weft_time now)
{
    const world_block *part = state;
    naive_world *world = part->world;
    uint32_t entity = world->first[part->number] + timer;
    (void)block;
    world->disorder += world->armed[entity] < now || (now & ((1 << WORLD_SHIFT) - 1)) != 0;
    happening event = alarm_of(entity, world->armed[entity]);
    world_send(world, part->number, &event);
}

/* The events of one entity come next to each other and by (key, data[0], data[1], data[2]). */
static inline bool in_order(naive_world *world, const happening *last, const happening *now)
{
    bool first = world->met[now->entity] != now->at;
    world->met[now->entity] = now->at;
    if (first)
        return true;
    return last && last->entity == now->entity && last->at == now->at &&
           happening_compare(last, now) <= 0;
}

static inline void world_tick(void *state, weft_block *block, const weft_batch *batch)
{
    const world_block *part = state;
    naive_world *world = part->world;
    (void)block;
    for (uint32_t i = 0; i < batch->n_events; i++) {
        const weft_event *event = weft_batch_at(batch, i);
        happening now = {.at = batch->now,
                         .entity = world->first[part->number] + event->to,
                         .key = event->key,
                         .data = {event->data[0], event->data[1], event->data[2]}};
        world->disorder += event->data[3] != now.entity || event->data[4] != 4711;
        world->disorder += event->when != (uint32_t)batch->now;
        size_t count = world->seen.n_items;
        world->disorder += !in_order(world, count ? &world->seen.items[count - 1] : NULL, &now);
        happenings_add(&world->seen, now);
        reaction done = react(world, &now);
        for (uint32_t c = 0; c < done.children; c++)
            world_send(world, part->number, &done.child[c]);
        if (done.timer != NEVER)
            world_arm(world, now.entity, done.timer, batch->now);
    }
}

/* --- the naive side ------------------------------------------------------------------------- */

static inline void naive_arm(naive_world *world, uint32_t entity, weft_time at, weft_time now)
{
    if (at != 0 && at >> WORLD_SHIFT == now >> WORLD_SHIFT)
        happenings_add(&world->pending, alarm_of(entity, at));
    else
        world->waiting[entity] = at;
}

/* Timers of the page that begins become events. */
static inline void naive_page(naive_world *world, weft_time now)
{
    for (uint32_t e = 0; e < world->entities; e++)
        if (world->waiting[e] && world->waiting[e] >> WORLD_SHIFT <= now >> WORLD_SHIFT) {
            happenings_add(&world->pending, alarm_of(e, world->waiting[e]));
            world->waiting[e] = 0;
        }
}

static inline void naive_tick(naive_world *world, weft_time now)
{
    happenings due = {0};
    size_t kept = 0;
    for (size_t i = 0; i < world->pending.n_items; i++)
        if (world->pending.items[i].at == now)
            happenings_add(&due, world->pending.items[i]);
        else
            world->pending.items[kept++] = world->pending.items[i];
    world->pending.n_items = kept;
    if (due.n_items)
        qsort(due.items, due.n_items, sizeof *due.items, happening_compare);
    for (size_t i = 0; i < due.n_items; i++) {
        reaction done = react(world, &due.items[i]);
        happenings_add(&world->expected, due.items[i]);
        for (uint32_t c = 0; c < done.children; c++)
            happenings_add(&world->pending, done.child[c]);
        if (done.timer != NEVER)
            naive_arm(world, due.items[i].entity, done.timer, now);
    }
    free(due.items);
}

static inline void naive_run(naive_world *world, weft_time until)
{
    for (;;) {
        weft_time next = until;
        for (size_t i = 0; i < world->pending.n_items; i++)
            if (world->pending.items[i].at < next)
                next = world->pending.items[i].at;
        for (uint32_t e = 0; e < world->entities; e++)
            if (world->waiting[e]) {
                weft_time page = world->waiting[e] >> WORLD_SHIFT << WORLD_SHIFT;
                page = page < world->now ? world->now : page;
                next = page < next ? page : next;
            }
        if (next >= until)
            break;
        world->now = next;
        if ((next & ((1 << WORLD_SHIFT) - 1)) == 0)
            naive_page(world, next);
        naive_tick(world, next);
    }
    world->now = until;
}

/* --- both ----------------------------------------------------------------------------------- */

static const weft_event_model world_model = {.tick = world_tick, .timer = world_timer};

/* size: entities of each block, at least one. */
static inline void world_open(naive_world *world, uint32_t blocks, const uint32_t *size,
                              weft_time window, uint32_t far, bool timers)
{
    assert(blocks <= WORLD_BLOCKS && far >= 1 && far <= 32);
    *world = (naive_world){.blocks = blocks, .window = window, .far = far, .timers = timers};
    weft_block_plan plan[WORLD_BLOCKS] = {0};
    uint32_t others[WORLD_BLOCKS][WORLD_BLOCKS];
    for (uint32_t b = 0; b < blocks; b++) {
        for (uint32_t o = 0; o + 1 < blocks; o++)
            others[b][o] = o < b ? o : o + 1;
        world->part[b] = (world_block){.world = world, .number = b};
        plan[b] = (weft_block_plan){.state = &world->part[b],
                                    .name = b,
                                    .entities = size[b],
                                    .timers = timers ? size[b] : 0,
                                    .n_neighbours = blocks - 1,
                                    .neighbours = others[b]};
        world->first[b + 1] = world->first[b] + size[b];
    }
    world->entities = world->first[blocks];
    world->met = weft_alloc(sizeof *world->met * world->entities);
    for (uint32_t e = 0; e < world->entities; e++)
        world->met[e] = -1;
    world->armed = weft_alloc(sizeof *world->armed * world->entities);
    world->waiting = weft_alloc(sizeof *world->waiting * world->entities);
    world->engine = weft_engine_create(&(weft_engine_plan){.model = &world_model,
                                                           .n_blocks = blocks,
                                                           .blocks = plan,
                                                           .window = window,
                                                           .timer_shift = WORLD_SHIFT});
}

static inline void world_close(naive_world *world)
{
    weft_engine_destroy(world->engine);
    free(world->met);
    free(world->armed);
    free(world->waiting);
    free(world->seen.items);
    free(world->pending.items);
    free(world->expected.items);
}

/* An event from outside, `delay` ticks from now, to an entity of any block, through another block
 * if it is late enough. */
static inline void world_put(naive_world *world, uint32_t entity, weft_time delay, uint32_t salt,
                             uint32_t generations)
{
    happening event = {.at = world->now + delay,
                       .entity = entity % world->entities,
                       .key = salt & 3,
                       .data = {salt >> 2 & 1, salt >> 3 & 1,
                                numbered(mix(mix(salt, entity), generations), generations)}};
    uint32_t home = block_of(world, event.entity);
    world_send(world, delay >= world->window ? (salt >> 4) % world->blocks : home, &event);
    happenings_add(&world->pending, event);
}

static inline void world_set(naive_world *world, uint32_t entity, weft_time at)
{
    world_arm(world, entity, at, world->now - 1); /* a page is looked at when a run reaches it */
    naive_arm(world, entity, at, world->now - 1);
}

/* Runs both sides for `span` ticks; true if they did the same. */
static inline bool world_run(naive_world *world, weft_time span)
{
    weft_time until = world->now + span;
    world->seen.n_items = world->expected.n_items = 0;
    weft_engine_run(world->engine, until);
    naive_run(world, until);
    /* blocks and entities come in any order; that of each entity has been looked at already */
    size_t count = world->seen.n_items;
    happening *sorted = weft_alloc(sizeof *sorted * count);
    for (size_t i = 0; i < count; i++)
        sorted[i] = world->seen.items[i];
    qsort(sorted, count, sizeof *sorted, happening_compare);
    bool same = count == world->expected.n_items && weft_engine_now(world->engine) == until;
    for (size_t i = 0; i < count && same; i++)
        same = happening_compare(&sorted[i], &world->expected.items[i]) == 0;
    free(sorted);
    return same && world->disorder == 0;
}

#endif
