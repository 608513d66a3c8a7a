/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/rounds.h"

#include "sched/field.h"
#include "sched/wide_rounds.h"

#include <string.h>

enum { OFFERS, ACCEPTS, VCS }; /* of part: where the pointers are */

const char *const weft_rounds_later[] = {"neither", "offers", "accepts", "both", NULL};

void weft_rounds_build(weft_scheduler *scheduler)
{
    uint32_t inputs = scheduler->inputs, outputs = scheduler->outputs;
    assert(weft_field_ports_fit(scheduler));
    scheduler->part[OFFERS] = 0;
    scheduler->part[ACCEPTS] = outputs;
    scheduler->part[VCS] = outputs + inputs;
    scheduler->bytes =
        scheduler->wide ? weft_wide_rounds_bytes(scheduler) : outputs + inputs + inputs;
}

void weft_rounds_build_offers(weft_scheduler *scheduler, weft_pointer_loss loss)
{
    const weft_rounds *set = scheduler->settings;
    weft_rounds_build(scheduler);
    scheduler->rule = (weft_pointer_rule){.form = WEFT_POINTERS_OFFER,
                                          .loss = (uint8_t)loss,
                                          .iterations = (uint8_t)set->iterations,
                                          .later = (uint8_t)set->later};
}

void weft_rounds_reset(const weft_scheduler *scheduler, void *state)
{
    memset(state, 0, scheduler->bytes);
}

const uint8_t *weft_rounds_offers(const weft_scheduler *scheduler, const void *state)
{
    return (const uint8_t *)state + scheduler->part[OFFERS];
}

const uint8_t *weft_rounds_accepts(const weft_scheduler *scheduler, const void *state)
{
    return (const uint8_t *)state + scheduler->part[ACCEPTS];
}

uint32_t weft_rounds_vc(const weft_scheduler *scheduler, const void *state, uint32_t input)
{
    return ((const uint8_t *)state)[scheduler->part[VCS] + input];
}

/* One iteration: who offers itself to whom, and what is accepted. */
typedef struct round {
    uint64_t outputs, inputs;                  /* that offer; that were offered something */
    uint64_t accepted;                         /* outputs */
    uint64_t offered[WEFT_CROSSBAR_PORTS_MAX]; /* per input of inputs: outputs */
    uint8_t to[WEFT_CROSSBAR_PORTS_MAX];       /* per output of outputs: the input */
} round;

typedef uint32_t chooser(void *by, uint64_t word, uint32_t port);

typedef struct choice { /* how an output chooses an input, and an input an output */
    chooser *offer, *accept;
    void *by;
} choice;

static void offer(weft_field *open, const choice *how, round *now)
{
    now->outputs = now->inputs = now->accepted = 0;
    for (uint64_t left = open->free_outputs; left; left &= left - 1) {
        uint32_t y = weft_lowest(left);
        uint64_t asking = open->asks[y] & open->free_inputs;
        if (!asking) {
            open->free_outputs &= ~weft_bit(y); /* nobody is left who wants it */
            continue;
        }
        uint32_t x = how->offer(how->by, asking, y);
        now->offered[x] = (now->inputs & weft_bit(x) ? now->offered[x] : 0) | weft_bit(y);
        now->inputs |= weft_bit(x);
        now->outputs |= weft_bit(y);
        now->to[y] = (uint8_t)x;
    }
}

static void accept(const weft_scheduler *scheduler, const void *state,
                   const weft_requests *requests, weft_field *open, const choice *how, round *now,
                   weft_match *match)
{
    for (uint64_t left = now->inputs; left; left &= left - 1) {
        uint32_t x = weft_lowest(left), y = how->accept(how->by, now->offered[x], x);
        uint32_t from = weft_rounds_vc(scheduler, state, x);
        match->output[x] = (uint8_t)y;
        match->vc[x] = (uint8_t)weft_field_vc(scheduler, from, requests, x, y);
        now->accepted |= weft_bit(y);
    }
    open->free_outputs &= ~now->accepted;
    open->free_inputs &= ~now->inputs;
}

/* Pointers as this match has moved them by now. */
static uint32_t offer_by_pointer(void *by, uint64_t word, uint32_t port)
{
    return weft_round_robin(word, ((const weft_match *)by)->output_pointer[port]);
}

static uint32_t accept_by_pointer(void *by, uint64_t word, uint32_t port)
{
    return weft_round_robin(word, ((const weft_match *)by)->input_pointer[port]);
}

static void move_offers(const weft_scheduler *scheduler, const round *now, weft_match *match)
{
    for (uint64_t left = now->outputs; left; left &= left - 1) {
        uint32_t y = weft_lowest(left), x = now->to[y];
        bool passes = scheduler->rule.loss == WEFT_LOSS_PASSES || now->accepted & weft_bit(y);
        match->output_pointer[y] = (uint8_t)(passes ? weft_past(x, scheduler->inputs) : x);
    }
    match->moved_outputs |= now->outputs;
}

static void move_accepts(const weft_scheduler *scheduler, const round *now, weft_match *match)
{
    for (uint64_t left = now->inputs; left; left &= left - 1) {
        uint32_t x = weft_lowest(left);
        match->input_pointer[x] = (uint8_t)weft_past(match->output[x], scheduler->outputs);
    }
    match->moved_inputs |= now->inputs;
}

static void copy_pointers(const weft_scheduler *scheduler, const uint8_t *state,
                          const weft_field *open, weft_match *match)
{
    for (uint64_t left = open->free_outputs; left; left &= left - 1)
        match->output_pointer[weft_lowest(left)] =
            state[scheduler->part[OFFERS] + weft_lowest(left)];
    for (uint64_t left = open->free_inputs; left; left &= left - 1)
        match->input_pointer[weft_lowest(left)] =
            state[scheduler->part[ACCEPTS] + weft_lowest(left)];
    match->moved_inputs = match->moved_outputs = 0;
}

void weft_rounds_match(const weft_scheduler *scheduler, const void *state,
                       const weft_requests *requests, weft_match *match)
{
    const weft_rounds *set = scheduler->settings;
    choice how = {offer_by_pointer, accept_by_pointer, match};
    weft_field open;
    round now;
    weft_field_open(scheduler, requests, &open);
    copy_pointers(scheduler, state, &open, match);
    match->inputs = match->first = 0;
    for (int64_t i = 0; i < set->iterations && open.free_outputs && open.free_inputs; i++) {
        offer(&open, &how, &now);
        accept(scheduler, state, requests, &open, &how, &now, match);
        if (i == 0 || set->later & 1)
            move_offers(scheduler, &now, match);
        if (i == 0 || set->later & 2)
            move_accepts(scheduler, &now, match);
        match->inputs |= now.inputs;
        match->first |= i == 0 ? now.inputs : 0;
    }
}

static uint32_t by_lot(void *by, uint64_t word, uint32_t port)
{
    (void)port;
    return weft_set_draw(1, &word, by);
}

void weft_rounds_draw(const weft_scheduler *scheduler, const void *state,
                      const weft_requests *requests, weft_match *match)
{
    const weft_rounds *set = scheduler->settings;
    weft_random random = weft_draws(&requests->occasion);
    choice how = {by_lot, by_lot, &random};
    weft_field open;
    round now;
    weft_field_open(scheduler, requests, &open);
    match->inputs = match->first = 0;
    for (int64_t i = 0; i < set->iterations && open.free_outputs && open.free_inputs; i++) {
        offer(&open, &how, &now);
        accept(scheduler, state, requests, &open, &how, &now, match);
        match->inputs |= now.inputs;
        match->first |= i == 0 ? now.inputs : 0;
    }
}

void weft_rounds_granted_vc(const weft_scheduler *scheduler, void *state, uint32_t input,
                            uint32_t vc)
{
    assert(input < scheduler->inputs && vc < scheduler->n_vcs);
    ((uint8_t *)state)[scheduler->part[VCS] + input] = (uint8_t)weft_past(vc, scheduler->n_vcs);
}

void weft_rounds_granted(const weft_scheduler *scheduler, void *state, uint32_t input, uint32_t vc,
                         uint32_t output, bool first)
{
    assert(output < scheduler->outputs);
    weft_rounds_granted_vc(scheduler, state, input, vc);
    if (!first)
        return;
    uint8_t *pointers = state;
    pointers[scheduler->part[OFFERS] + output] = (uint8_t)weft_past(input, scheduler->inputs);
    pointers[scheduler->part[ACCEPTS] + input] = (uint8_t)weft_past(output, scheduler->outputs);
}

void weft_rounds_learn(const weft_scheduler *scheduler, void *state, const weft_match *match)
{
    uint8_t *offers = (uint8_t *)state + scheduler->part[OFFERS];
    uint8_t *accepts = (uint8_t *)state + scheduler->part[ACCEPTS];
    for (uint64_t left = match->moved_outputs; left; left &= left - 1)
        offers[weft_lowest(left)] = match->output_pointer[weft_lowest(left)];
    for (uint64_t left = match->moved_inputs; left; left &= left - 1)
        accepts[weft_lowest(left)] = match->input_pointer[weft_lowest(left)];
}

bool weft_rounds_sound(const weft_scheduler *scheduler, const void *state)
{
    const uint8_t *pointers = state;
    uint32_t inputs = scheduler->inputs, outputs = scheduler->outputs;
    return weft_all_below(pointers + scheduler->part[OFFERS], outputs, inputs) &&
           weft_all_below(pointers + scheduler->part[ACCEPTS], inputs, outputs) &&
           weft_all_below(pointers + scheduler->part[VCS], inputs, scheduler->n_vcs);
}
