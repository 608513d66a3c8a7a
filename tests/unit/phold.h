/* SPDX-License-Identifier: Apache-2.0 */
/* PHOLD, the usual benchmark of parallel event engines, as a model of the kernel.
 *
 * Every event makes one new event for a uniformly random entity, 10 + Exp(90) ticks later: one
 * Philox draw and one logarithm each. An entity's events of one tick are ordered by (source,
 * source's sequence number); what an entity has seen, in order, is in its checksum. Blocks hold
 * consecutive entities, may be unequal, and are all neighbours; the ranks of a communicator own
 * consecutive blocks. Shared by the tests of the kernel and the benchmarks. */
#ifndef WEFT_TEST_PHOLD_H
#define WEFT_TEST_PHOLD_H

#include "base/memory.h"
#include "base/numeric.h"
#include "base/philox.h"
#include "kernel/kernel.h"

#include <stdlib.h>

#define PHOLD_LOOKAHEAD 10
#define PHOLD_MEAN      90.0

typedef struct phold_entity {
    uint64_t checksum; /* of what it has seen */
    uint32_t sequence; /* of its next event */
    uint32_t spare;
} phold_entity;

typedef struct phold_block {
    uint32_t number, first, n_entities; /* global numbers first … first + entities − 1 */
    uint32_t all, seed;                 /* entities of all blocks */
    const struct phold *phold;
    phold_entity *entities;
} phold_block;

typedef struct phold {
    uint32_t entities, n_blocks;
    uint32_t first, own; /* blocks of this process */
    phold_block *blocks;
    weft_engine *engine;
} phold;

typedef struct phold_plan {
    uint32_t blocks;
    const uint32_t *size; /* entities of each block */
    uint32_t seed;
    unsigned threads;
    weft_comm *comm; /* NULL: alone */
    bool timed;
} phold_plan;

typedef struct phold_draw {
    uint32_t to, delay;
} phold_draw;

/* Where the sequence-th event of an entity goes, and when: a pure function of the three. */
static inline __attribute__((always_inline)) phold_draw
phold_next(uint32_t seed, uint32_t entity, uint32_t sequence, uint32_t entities)
{
    const uint32_t key[2] = {seed, 0}, counter[4] = {sequence, 0, entity, 4};
    philox4x32_ctr_t word = weft_philox(key, counter);
    double uniform = ((double)word.v[1] + 0.5) * 0x1p-32;
    return (phold_draw){.to = (uint32_t)((uint64_t)word.v[0] * entities >> 32),
                        .delay = PHOLD_LOOKAHEAD + (uint32_t)(-PHOLD_MEAN * weft_log(uniform))};
}

/* What an entity has seen: one step per event; steps do not commute. */
static inline uint64_t phold_digest(uint64_t checksum, weft_time now, const uint32_t name[2])
{
    uint64_t word = (uint64_t)name[1] << 32 | name[0];
    return (checksum ^ word) * 0x9e3779b97f4a7c15u + (uint64_t)now;
}

static inline uint32_t phold_block_of(const phold *model, uint32_t entity)
{
    uint32_t low = 0, high = model->n_blocks;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (model->blocks[middle].first <= entity)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static inline weft_event *phold_across(const phold_block *part, weft_block *block,
                                       const phold_draw *draw, weft_time now)
{
    uint32_t to = phold_block_of(part->phold, draw->to);
    uint32_t slot = to < part->number ? to : to - 1;
    weft_event *event = weft_emit_across(block, slot, now + draw->delay);
    event->to = draw->to - part->phold->blocks[to].first;
    return event;
}

/* The next event of a local entity. */
static inline __attribute__((always_inline)) void
phold_emit(const phold_block *part, weft_block *block, uint32_t local, weft_time now)
{
    uint32_t entity = part->first + local, sequence = part->entities[local].sequence++;
    phold_draw draw = phold_next(part->seed, entity, sequence, part->all);
    uint32_t to = draw.to - part->first;
    weft_event *event;
    if (__builtin_expect(to < part->n_entities, 1)) {
        event = weft_emit(block, now + draw.delay);
        event->to = to;
    } else {
        event = phold_across(part, block, &draw, now);
    }
    event->key = 0;
    event->data[0] = entity;
    event->data[1] = sequence;
}

static inline void phold_tick(void *state, weft_block *block, const weft_batch *batch)
{
    const phold_block part = *(const phold_block *)state; /* copies stay in registers */
    const weft_batch all = *batch;
    for (uint32_t i = 0; i < all.n_events; i++) {
        const weft_event *event = weft_batch_at(&all, i);
        phold_entity *entity = &part.entities[event->to];
        entity->checksum = phold_digest(entity->checksum, all.now, event->data);
        phold_emit(&part, block, event->to, all.now);
    }
}

static const weft_event_model phold_model = {.tick = phold_tick};

static inline uint32_t phold_rank_of(const phold_plan *plan, uint32_t block)
{
    uint32_t size = plan->comm ? plan->comm->size : 1;
    return (uint32_t)((((uint64_t)block + 1) * size - 1) / plan->blocks);
}

static inline void phold_open_block(phold *model, const phold_plan *plan, uint32_t b)
{
    model->blocks[b] = (phold_block){.number = b,
                                     .first = model->entities,
                                     .n_entities = plan->size[b],
                                     .seed = plan->seed,
                                     .phold = model};
    model->entities += plan->size[b];
    if (phold_rank_of(plan, b) != (plan->comm ? plan->comm->rank : 0))
        return;
    if (model->own++ == 0)
        model->first = b;
    model->blocks[b].entities = weft_region_create(sizeof(phold_entity) * plan->size[b]);
}

static inline weft_engine *phold_open_engine(phold *model, const phold_plan *plan)
{
    uint32_t blocks = plan->blocks;
    weft_block_plan *part = weft_alloc(sizeof *part * model->own);
    uint32_t *others = weft_alloc(sizeof *others * model->own * blocks);
    uint32_t *owner = weft_alloc(sizeof *owner * blocks);
    for (uint32_t b = 0; b < blocks; b++)
        owner[b] = phold_rank_of(plan, b);
    for (uint32_t i = 0; i < model->own; i++) {
        uint32_t b = model->first + i;
        for (uint32_t o = 0; o + 1 < blocks; o++)
            others[i * blocks + o] = o < b ? o : o + 1;
        part[i] = (weft_block_plan){.state = &model->blocks[b],
                                    .name = b,
                                    .entities = plan->size[b],
                                    .hot = model->blocks[b].entities,
                                    .hot_bytes = sizeof(phold_entity),
                                    .n_neighbours = blocks - 1,
                                    .neighbours = &others[i * blocks]};
    }
    weft_engine *engine = weft_engine_create(&(weft_engine_plan){.model = &phold_model,
                                                                 .n_blocks = model->own,
                                                                 .blocks = part,
                                                                 .window = PHOLD_LOOKAHEAD,
                                                                 .timer_shift = 6,
                                                                 .threads = plan->threads,
                                                                 .comm = plan->comm,
                                                                 .owner = owner,
                                                                 .timed = plan->timed});
    free(part);
    free(others);
    free(owner);
    return engine;
}

/* Every entity starts with one event on its way. */
static inline phold *phold_open(const phold_plan *plan)
{
    phold *model = weft_alloc(sizeof *model);
    *model = (phold){.n_blocks = plan->blocks};
    model->blocks = weft_alloc(sizeof *model->blocks * plan->blocks);
    for (uint32_t b = 0; b < plan->blocks; b++)
        phold_open_block(model, plan, b);
    model->engine = phold_open_engine(model, plan);
    for (uint32_t i = 0; i < model->own; i++) {
        phold_block *part = &model->blocks[model->first + i];
        part->all = model->entities;
        for (uint32_t e = 0; e < part->n_entities; e++)
            phold_emit(part, weft_engine_block(model->engine, i), e, 0);
    }
    return model;
}

static inline phold *phold_create(uint32_t blocks, const uint32_t *size, uint32_t seed)
{
    return phold_open(&(phold_plan){.blocks = blocks, .size = size, .seed = seed});
}

static inline void phold_destroy(phold *model)
{
    weft_engine_destroy(model->engine);
    for (uint32_t b = model->first; b < model->first + model->own; b++)
        weft_region_destroy(model->blocks[b].entities,
                            sizeof(phold_entity) * model->blocks[b].n_entities);
    free(model->blocks);
    free(model);
}

/* One number for what all entities of this process have seen; those of all processes add up. */
static inline uint64_t phold_checksum(const phold *model)
{
    uint64_t sum = 0;
    for (uint32_t b = model->first; b < model->first + model->own; b++)
        for (uint32_t e = 0; e < model->blocks[b].n_entities; e++) {
            const phold_entity *entity = &model->blocks[b].entities[e];
            const uint32_t word[2] = {(uint32_t)entity->checksum,
                                      (uint32_t)(entity->checksum >> 32)};
            sum += phold_digest(model->blocks[b].first + e + 1, entity->sequence, word);
        }
    return sum;
}

#endif
