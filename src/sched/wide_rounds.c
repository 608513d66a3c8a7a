/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds in a wide crossbar. In a round one side makes offers, one per port, and the other accepts
 * one of its offers: outputs offer and inputs accept, or inputs request and outputs grant.
 * Schedulers differ in the moves of pointers, which their rule gives as data. Tests compare this
 * file, the one-word forms of the kinds and the SIMD lanes of the crossbar laboratory.
 *
 * Every pair is granted, and a port whose offer was accepted makes no other in the same match: so
 * pointers may move at the end of a round. */
#include "sched/wide_rounds.h"

#include "sched/field.h"
#include "sched/rounds.h"

#include <string.h>

typedef uint64_t port_set[WEFT_WIDE_WORDS];

typedef struct side { /* outputs or inputs */
    uint32_t count;
    const uint64_t *wishes; /* per port: those of the other side that it could be matched with */
    port_set free;
    uint16_t *pointer; /* per port, over the other side */
} side;

typedef struct round_state {
    uint32_t words;
    side giver, taker;
    weft_random *lot; /* instead of pointers; NULL: by pointers */
    /* of one round */
    port_set giving, reached,
        taken;        /* givers with an offer, takers that got some, givers that were taken */
    uint64_t *offers; /* per taker of reached: givers */
    uint16_t *to;     /* per giver of giving: the taker */
    uint16_t *by;     /* per taker of reached: the giver it took */
} round_state;

size_t weft_wide_rounds_room(const weft_scheduler *scheduler)
{
    uint32_t most = scheduler->inputs > scheduler->outputs ? scheduler->inputs : scheduler->outputs;
    size_t lists = (2 * sizeof(uint16_t) * most + 7) / 8 * 8;
    return sizeof(uint64_t) * weft_set_words(most) * most + lists;
}

static void lay_out(const weft_scheduler *scheduler, const weft_wide_requests *requests,
                    round_state *all)
{
    uint32_t most = scheduler->inputs > scheduler->outputs ? scheduler->inputs : scheduler->outputs;
    all->words = requests->words;
    all->offers = requests->room;
    all->to = (uint16_t *)(void *)(all->offers + (size_t)most * all->words);
    all->by = all->to + most;
}

static side outputs_of(const weft_scheduler *scheduler, void *state,
                       const weft_wide_requests *requests)
{
    side made = {.count = scheduler->outputs, .wishes = requests->asks, .pointer = state};
    weft_set_fill(made.free, made.count);
    return made;
}

static side inputs_of(const weft_scheduler *scheduler, void *state,
                      const weft_wide_requests *requests)
{
    side made = {.count = scheduler->inputs,
                 .wishes = requests->wants,
                 .pointer = (uint16_t *)state + scheduler->outputs};
    memcpy(made.free, requests->asking, requests->words * sizeof *made.free);
    return made;
}

static uint32_t choose(const round_state *all, const side *who, uint32_t port,
                       const uint64_t *among)
{
    return all->lot ? weft_set_draw(all->words, among, all->lot)
                    : weft_round_robin_wide(among, all->words, who->pointer[port]);
}

static uint64_t *offers_to(const round_state *all, uint32_t taker)
{
    return all->offers + (size_t)taker * all->words;
}

/* Every free giver makes an offer to one free taker; who has nobody left is not free any more. */
static void give(round_state *all)
{
    uint32_t words = all->words, end = 64 * words;
    weft_set_clear(words, all->giving);
    weft_set_clear(words, all->reached);
    for (uint32_t g = weft_set_next(words, all->giver.free, 0); g < end;
         g = weft_set_next(words, all->giver.free, g + 1)) {
        port_set open;
        if (!weft_set_both(words, all->giver.wishes + (size_t)g * words, all->taker.free, open)) {
            weft_set_remove(words, all->giver.free, g);
            continue;
        }
        uint32_t t = choose(all, &all->giver, g, open);
        if (!weft_set_has(words, all->reached, t))
            weft_set_clear(words, offers_to(all, t));
        weft_set_add(words, offers_to(all, t), g);
        weft_set_add(words, all->reached, t);
        weft_set_add(words, all->giving, g);
        all->to[g] = (uint16_t)t;
    }
}

/* Every taker that got offers takes one. */
static void take(round_state *all)
{
    uint32_t words = all->words, end = 64 * words;
    weft_set_clear(words, all->taken);
    for (uint32_t t = weft_set_next(words, all->reached, 0); t < end;
         t = weft_set_next(words, all->reached, t + 1)) {
        uint32_t g = choose(all, &all->taker, t, offers_to(all, t));
        weft_set_add(words, all->taken, g);
        all->by[t] = (uint16_t)g;
    }
    weft_set_take_away(words, all->taker.free, all->reached);
    weft_set_take_away(words, all->giver.free, all->taken);
}

/* Pointers of givers: past whom the offer was made to if it was taken; else as the rule says. */
static void move_givers(round_state *all, weft_pointer_loss loss)
{
    uint32_t words = all->words, end = 64 * words;
    for (uint32_t g = weft_set_next(words, all->giving, 0); g < end;
         g = weft_set_next(words, all->giving, g + 1)) {
        uint32_t t = all->to[g];
        if (weft_set_has(words, all->taken, g) || loss == WEFT_LOSS_PASSES)
            all->giver.pointer[g] = (uint16_t)weft_past(t, all->taker.count);
        else if (loss == WEFT_LOSS_STAYS)
            all->giver.pointer[g] = (uint16_t)t;
    }
}

static void move_takers(round_state *all)
{
    uint32_t words = all->words, end = 64 * words;
    for (uint32_t t = weft_set_next(words, all->reached, 0); t < end;
         t = weft_set_next(words, all->reached, t + 1))
        all->taker.pointer[t] = (uint16_t)weft_past(all->by[t], all->giver.count);
}

/* The pairs of a round into the match. */
static void note(const round_state *all, bool inputs_give, weft_wide_match *match)
{
    uint32_t words = all->words, end = 64 * words;
    weft_set_join(words, match->inputs, inputs_give ? all->taken : all->reached);
    for (uint32_t t = weft_set_next(words, all->reached, 0); t < end;
         t = weft_set_next(words, all->reached, t + 1)) {
        uint32_t g = all->by[t];
        match->output[inputs_give ? g : t] = (uint16_t)(inputs_give ? t : g);
    }
}

/* One round; false: there is nothing left to match. */
static bool meet(round_state *all)
{
    give(all);
    take(all);
    return weft_set_any(all->words, all->reached);
}

void weft_wide_rounds_match(const weft_scheduler *scheduler, void *state,
                            const weft_wide_requests *requests, weft_wide_match *match)
{
    const weft_pointer_rule rule = scheduler->rule;
    bool inputs_give = rule.form == WEFT_POINTERS_ASK;
    uint32_t givers = inputs_give ? 2 : 1, takers = 3 - givers; /* bits of rule.later */
    round_state all;
    assert(rule.form != WEFT_POINTERS_NONE);
    lay_out(scheduler, requests, &all);
    side outputs = outputs_of(scheduler, state, requests);
    side inputs = inputs_of(scheduler, state, requests);
    all.giver = inputs_give ? inputs : outputs;
    all.taker = inputs_give ? outputs : inputs;
    all.lot = NULL;
    weft_set_clear(all.words, match->inputs);
    for (uint32_t i = 0; i < rule.iterations && meet(&all); i++) {
        uint32_t moves = i == 0 ? 3 : rule.later;
        if (moves & givers)
            move_givers(&all, (weft_pointer_loss)rule.loss);
        if (moves & takers)
            move_takers(&all);
        note(&all, inputs_give, match);
    }
}

void weft_wide_rounds_draw(const weft_scheduler *scheduler, void *state,
                           const weft_wide_requests *requests, weft_wide_match *match)
{
    const weft_rounds *set = scheduler->settings;
    weft_random random = weft_draws(&requests->occasion);
    round_state all;
    lay_out(scheduler, requests, &all);
    all.giver = outputs_of(scheduler, state, requests);
    all.taker = inputs_of(scheduler, state, requests);
    all.lot = &random;
    weft_set_clear(all.words, match->inputs);
    for (int64_t i = 0; i < set->iterations && meet(&all); i++)
        note(&all, false, match);
}
