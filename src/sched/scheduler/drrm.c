/* SPDX-License-Identifier: Apache-2.0 */
/* Dual round robin, in two steps: every input requests one output, the first from its pointer on
 * for which it has traffic, and every output grants one of its requests, round robin. A granted
 * input moves its pointer on; one without a grant keeps its pointer (drrm1) or points at the output
 * it requested (drrm2): the two-step counterparts of iSLIP and FIRM. H. J. Chao, Saturn: a terabit
 * packet switch using dual round-robin, IEEE Communications 38(12), 2000; Y. Li, S. Panwar,
 * H. J. Chao, On the performance of a dual round-robin switch, INFOCOM 2001.
 *
 * As published, an input without a grant requests the same output in the next iteration, which is
 * taken: iterations change nothing. With `again: free` it requests one that is still free. Pointers
 * move in the first iteration only. The state is that of rounds.h. */
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#include "sched/field.h"
#include "sched/rounds.h"
#include "sched/wide_rounds.h"

typedef struct settings {
    int64_t iterations;
    int again;
} settings;

enum { SAME, FREE };
static const char *const again[] = {"same", "free", NULL};

static const weft_param params[] = {
    {.name = "iterations",
     .brief = "rounds of requests in a tick",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, iterations),
     .fallback = "1",
     .min = 1,
     .max = WEFT_ITERATIONS_MAX},
    {.name = "again",
     .brief =
         "what an input that was not taken asks for in the next iteration: the same output, or "
         "one that is free",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, again),
     .fallback = "same",
     .choices = again},
    {.name = NULL},
};

static weft_status build(weft_scheduler *scheduler, weft_pointer_loss loss)
{
    const settings *set = scheduler->settings;
    weft_rounds_build(scheduler);
    scheduler->rule =
        (weft_pointer_rule){.form = WEFT_POINTERS_ASK,
                            .loss = (uint8_t)loss,
                            .iterations = (uint8_t)(set->again == FREE ? set->iterations : 1)};
    return WEFT_OK;
}

static weft_status build_keeping(weft_scheduler *scheduler, weft_error *err)
{
    (void)err; /* the table has checked the ranges */
    return build(scheduler, WEFT_LOSS_KEEPS);
}

static weft_status build_following(weft_scheduler *scheduler, weft_error *err)
{
    (void)err;
    return build(scheduler, WEFT_LOSS_STAYS);
}

typedef struct round {
    uint64_t outputs;                       /* that are asked for */
    uint64_t asks[WEFT_CROSSBAR_PORTS_MAX]; /* per output of outputs: inputs */
} round;

/* Every free input asks for one free output, which it notes in the match. */
static void ask(const weft_field *open, const uint8_t *pointers, round *now, weft_match *match)
{
    now->outputs = 0;
    for (uint64_t left = open->free_inputs; left; left &= left - 1) {
        uint32_t x = weft_lowest(left);
        uint64_t wanted = open->wanted[x] & open->free_outputs;
        if (!wanted)
            continue;
        uint32_t y = weft_round_robin(wanted, pointers[x]);
        now->asks[y] = (now->outputs & weft_bit(y) ? now->asks[y] : 0) | weft_bit(x);
        now->outputs |= weft_bit(y);
        match->output[x] = (uint8_t)y;
    }
}

/* Every output that is asked for takes one; returns the inputs. */
static uint64_t take(const weft_scheduler *scheduler, const void *state,
                     const weft_requests *requests, const uint8_t *pointers, const round *now,
                     weft_match *match)
{
    uint64_t taken = 0;
    for (uint64_t left = now->outputs; left; left &= left - 1) {
        uint32_t y = weft_lowest(left), x = weft_round_robin(now->asks[y], pointers[y]);
        uint32_t from = weft_rounds_vc(scheduler, state, x);
        match->vc[x] = (uint8_t)weft_field_vc(scheduler, from, requests, x, y);
        taken |= weft_bit(x);
    }
    return taken;
}

/* Where the pointers of inputs come to rest after the first iteration; those of outputs move by
 * what is granted. */
static void note(const weft_scheduler *scheduler, uint64_t asking, uint64_t taken,
                 weft_match *match)
{
    match->moved_outputs = 0;
    match->moved_inputs = scheduler->rule.loss == WEFT_LOSS_STAYS ? asking : taken;
    for (uint64_t left = match->moved_inputs; left; left &= left - 1) {
        uint32_t x = weft_lowest(left), y = match->output[x];
        match->input_pointer[x] =
            (uint8_t)(taken & weft_bit(x) ? weft_past(y, scheduler->outputs) : y);
    }
}

static void match(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *found)
{
    const uint8_t *offers = weft_rounds_offers(scheduler, state);
    const uint8_t *accepts = weft_rounds_accepts(scheduler, state);
    weft_field open;
    round now;
    weft_field_open(scheduler, requests, &open);
    found->inputs = found->first = found->moved_inputs = found->moved_outputs = 0;
    for (uint32_t i = 0; i < scheduler->rule.iterations && open.free_outputs && open.free_inputs;
         i++) {
        ask(&open, accepts, &now, found);
        uint64_t taken = take(scheduler, state, requests, offers, &now, found);
        if (i == 0) {
            found->first = taken;
            note(scheduler, requests->asking, taken, found);
        }
        found->inputs |= taken;
        open.free_inputs &= ~taken;
        open.free_outputs &= ~now.outputs;
    }
}

#define DRRM(number, how, text)                               \
    const weft_scheduler_kind weft_scheduler_drrm##number = { \
        .base = {.abi = WEFT_ABI,                             \
                 .size = sizeof(weft_scheduler_kind),         \
                 .name = "drrm" #number,                      \
                 .brief = text,                               \
                 .params = params,                            \
                 .settings_size = sizeof(settings)},          \
        .several = true,                                      \
        .build = how,                                         \
        .reset = weft_rounds_reset,                           \
        .match = match,                                       \
        .granted = weft_rounds_granted,                       \
        .learn = weft_rounds_learn,                           \
        .sound = weft_rounds_sound,                           \
        .match_wide = weft_wide_rounds_match,                 \
        .room = weft_wide_rounds_room,                        \
    }

DRRM(1, build_keeping, "every input asks for one output; who is not taken keeps its pointer");
DRRM(2, build_following,
     "every input asks for one output; who is not taken points at what it asked for");
