/* SPDX-License-Identifier: Apache-2.0 */
/* Input-first separable allocation: every input nominates one of its queues by its own arbiter,
 * then every output grants one of its nominations by its own. An input that loses waits for the
 * next tick, so a match need not be maximal. Both arbiters are updated by grants only.
 *
 * The state is one arbiter's per input, then one per output. Two round robins, the usual case, have
 * a fast path on bare pointers: with VOQ a pointer there is VC × 64 + output, whose cyclic order is
 * that of VC × outputs + output, without a division. */
#include "interweft/scheduler.h"
#include "sched/contract.h"
#include "sched/kinds.h"

#include "sched/field.h"
#include "sched/pointers.h"

#include <string.h>

typedef struct settings {
    weft_kind_ref input, output;
} settings;

static const weft_param params[] = {
    {.name = "input",
     .brief = "who nominates a queue of an input: over VCs (voq: VC × outputs + output)",
     .type = WEFT_PARAM_KIND,
     .offset = offsetof(settings, input),
     .fallback = "round-robin",
     .family = "arbiter"},
    {.name = "output",
     .brief = "who takes one of the inputs nominated to an output",
     .type = WEFT_PARAM_KIND,
     .offset = offsetof(settings, output),
     .fallback = "round-robin",
     .family = "arbiter"},
    {.name = NULL},
};

enum { STRIDE, OUTPUTS, OUTPUT_STRIDE, WAY };          /* of part: bytes, where, bytes, way */
enum { ANY_ARBITERS, VC_POINTERS, QUEUE_POINTERS };    /* ways */
enum { QUEUES_SMALL = 256 / WEFT_CROSSBAR_PORTS_MAX }; /* VCs with queue pointers of one byte */

static const weft_arbiter_kind *arbiter(const weft_kind_ref *ref)
{
    assert(ref->kind);
    return (const weft_arbiter_kind *)(const void *)ref->kind;
}

/* Candidates of an input's arbiter. */
static uint32_t queues(const weft_scheduler *scheduler)
{
    return scheduler->voq ? scheduler->n_vcs * scheduler->outputs : scheduler->n_vcs;
}

static size_t way(const weft_scheduler *scheduler, const settings *set)
{
    if (scheduler->wide || arbiter(&set->input) != &weft_arbiter_round_robin ||
        arbiter(&set->output) != &weft_arbiter_round_robin)
        return ANY_ARBITERS;
    return scheduler->voq ? QUEUE_POINTERS : VC_POINTERS;
}

static weft_status check(const weft_kind_ref *ref, uint32_t n, weft_error *err)
{
    if (arbiter(ref)->check)
        WEFT_TRY(arbiter(ref)->check(ref->settings, n, err));
    return ref->kind->foreign ? weft_sched_check_arbiter(arbiter(ref), ref->settings, n, err)
                              : WEFT_OK;
}

static weft_status build(weft_scheduler *scheduler, weft_error *err)
{
    const settings *set = scheduler->settings;
    uint32_t inputs = scheduler->inputs, outputs = scheduler->outputs;
    assert(weft_field_ports_fit(scheduler));
    WEFT_TRY(check(&set->input, queues(scheduler), err));
    WEFT_TRY(check(&set->output, inputs, err));
    size_t *part = scheduler->part;
    part[WAY] = way(scheduler, set);
    part[STRIDE] = part[WAY] == QUEUE_POINTERS
                       ? (scheduler->n_vcs <= QUEUES_SMALL ? 1 : 2)
                       : arbiter(&set->input)->bytes(set->input.settings, queues(scheduler));
    part[OUTPUT_STRIDE] = arbiter(&set->output)->bytes(set->output.settings, inputs);
    size_t align = part[OUTPUT_STRIDE] & (~part[OUTPUT_STRIDE] + 1);
    align = align == 0 ? 1 : align > 8 ? 8 : align;
    part[OUTPUTS] = (inputs * part[STRIDE] + align - 1) & ~(align - 1);
    assert(part[WAY] != VC_POINTERS || (part[STRIDE] == 1 && part[OUTPUTS] == inputs));
    scheduler->bytes = part[OUTPUTS] + outputs * part[OUTPUT_STRIDE];
    scheduler->ages = arbiter(&set->input)->ages || arbiter(&set->output)->ages;
    return WEFT_OK;
}

static size_t input_at(const weft_scheduler *scheduler, uint32_t input)
{
    return input * scheduler->part[STRIDE];
}

static size_t output_at(const weft_scheduler *scheduler, uint32_t output)
{
    return scheduler->part[OUTPUTS] + output * scheduler->part[OUTPUT_STRIDE];
}

static void reset(const weft_scheduler *scheduler, void *state)
{
    const settings *set = scheduler->settings;
    memset(state, 0, scheduler->bytes);
    if (scheduler->part[WAY] != ANY_ARBITERS)
        return;
    char *at = state;
    for (uint32_t x = 0; x < scheduler->inputs; x++)
        arbiter(&set->input)
            ->reset(set->input.settings, queues(scheduler), at + input_at(scheduler, x));
    for (uint32_t y = 0; y < scheduler->outputs; y++)
        arbiter(&set->output)
            ->reset(set->output.settings, scheduler->inputs, at + output_at(scheduler, y));
}

/* The two steps of bare pointers at once. Inputs come in ascending order, so the round robin of an
 * output takes the first, unless that lies before its pointer and a later one does not. */
typedef struct race {
    const uint8_t *pointers;                 /* of outputs */
    uint64_t inputs, outputs;                /* that are matched by now */
    uint8_t leader[WEFT_CROSSBAR_PORTS_MAX]; /* per output of outputs */
} race;

static inline void run(race *all, weft_match *match, uint32_t x, uint32_t vc, uint32_t y)
{
    match->vc[x] = (uint8_t)vc;
    match->output[x] = (uint8_t)y;
    if (all->outputs & weft_bit(y)) {
        if (!weft_pointers_overtakes(all->pointers, 0, y, all->leader[y], x))
            return;
        all->inputs &= ~weft_bit(all->leader[y]);
    }
    all->leader[y] = (uint8_t)x;
    all->inputs |= weft_bit(x);
    all->outputs |= weft_bit(y);
}

/* Every input's first VC from the pointer on whose queue asks, for its one output. */
static void run_vcs(const weft_scheduler *scheduler, const uint8_t *pointers,
                    const weft_requests *requests, race *all, weft_match *match)
{
    for (uint64_t left = requests->asking; left; left &= left - 1) {
        uint32_t x = weft_lowest(left), vc = pointers[x];
        const uint64_t *wants = requests->wants + (size_t)x * scheduler->n_vcs;
        assert(vc < scheduler->n_vcs);
        while (!wants[vc])
            vc = weft_past(vc, scheduler->n_vcs);
        assert((wants[vc] & (wants[vc] - 1)) == 0);
        run(all, match, x, vc, weft_lowest(wants[vc]));
    }
}

static uint32_t queue_pointer(const weft_scheduler *scheduler, const void *state, uint32_t x)
{
    return scheduler->part[STRIDE] == 1 ? ((const uint8_t *)state)[x]
                                        : ((const uint16_t *)state)[x];
}

/* Every input's first (VC, output) from the pointer on that asks. */
static void run_queues(const weft_scheduler *scheduler, const void *state,
                       const weft_requests *requests, race *all, weft_match *match)
{
    for (uint64_t left = requests->asking; left; left &= left - 1) {
        uint32_t x = weft_lowest(left);
        const uint64_t *wants = requests->wants + (size_t)x * scheduler->n_vcs;
        uint32_t queue =
            weft_round_robin_wide(wants, scheduler->n_vcs, queue_pointer(scheduler, state, x));
        run(all, match, x, queue / WEFT_CROSSBAR_PORTS_MAX, queue % WEFT_CROSSBAR_PORTS_MAX);
    }
}

static void match_pointers(const weft_scheduler *scheduler, const uint8_t *state,
                           const weft_requests *requests, weft_match *match)
{
    race all;
    all.pointers = state + scheduler->part[OUTPUTS];
    all.inputs = all.outputs = 0;
    if (scheduler->part[WAY] == VC_POINTERS)
        run_vcs(scheduler, state, requests, &all, match);
    else
        run_queues(scheduler, state, requests, &all, match);
    match->inputs = match->first = all.inputs;
}

/* The queues of an input that ask, as a set of candidates, with ages if anybody wants them. */
typedef struct roll {
    uint64_t asking[WEFT_CANDIDATES_MAX / 64];
    uint32_t age[WEFT_CANDIDATES_MAX];
} roll;

/* Adds the outputs that VC asks for, as candidates VC × outputs …. */
static void roll_voq(roll *list, uint32_t first, uint64_t outputs)
{
    uint32_t word = first / 64, shift = first % 64;
    list->asking[word] |= outputs << shift;
    if (shift && outputs >> (64 - shift))
        list->asking[word + 1] |= outputs >> (64 - shift);
}

static void roll_fill(const weft_scheduler *scheduler, const weft_requests *requests, uint32_t x,
                      bool ages, roll *list)
{
    const uint64_t *wants = requests->wants + (size_t)x * scheduler->n_vcs;
    memset(list->asking, 0, (queues(scheduler) + 63) / 64 * sizeof *list->asking);
    for (uint32_t vc = 0; vc < scheduler->n_vcs; vc++) {
        assert(scheduler->voq || (wants[vc] & (wants[vc] - 1)) == 0);
        uint32_t first = scheduler->voq ? vc * scheduler->outputs : vc;
        roll_voq(list, first, scheduler->voq ? wants[vc] : wants[vc] != 0);
        for (uint64_t left = ages ? wants[vc] : 0; left; left &= left - 1) {
            uint32_t y = weft_lowest(left);
            list->age[scheduler->voq ? first + y : first] = requests->age(requests->user, x, vc, y);
        }
    }
}

/* Who was nominated to which output; the inputs of an output are set only if somebody was. */
typedef struct nominations {
    uint64_t outputs;
    uint64_t inputs[WEFT_CROSSBAR_PORTS_MAX];
} nominations;

static void nominate(nominations *all, weft_match *match, uint32_t input, uint32_t vc,
                     uint32_t output)
{
    uint64_t others = all->outputs & weft_bit(output) ? all->inputs[output] : 0;
    all->inputs[output] = others | weft_bit(input);
    all->outputs |= weft_bit(output);
    match->vc[input] = (uint8_t)vc;
    match->output[input] = (uint8_t)output;
}

static void nominate_any(const weft_scheduler *scheduler, const char *state,
                         const weft_requests *requests, uint32_t x, nominations *all,
                         weft_match *match)
{
    const settings *set = scheduler->settings;
    const weft_arbiter_kind *kind = arbiter(&set->input);
    roll list;
    roll_fill(scheduler, requests, x, kind->ages, &list);
    weft_arbiter_input arbiter_input = {.asking = list.asking,
                                        .age = kind->ages ? list.age : NULL,
                                        .occasion = &requests->occasion,
                                        .port = x};
    uint32_t queue = kind->pick(set->input.settings, queues(scheduler),
                                state + input_at(scheduler, x), &arbiter_input);
    uint32_t vc = scheduler->voq ? queue / scheduler->outputs : queue;
    uint32_t y = scheduler->voq ? queue % scheduler->outputs
                                : weft_lowest(requests->wants[(size_t)x * scheduler->n_vcs + vc]);
    nominate(all, match, x, vc, y);
}

/* The input that output y takes. */
static uint32_t take_any(const weft_scheduler *scheduler, const char *state,
                         const weft_requests *requests, uint32_t y, uint64_t inputs,
                         const weft_match *match)
{
    const settings *set = scheduler->settings;
    const weft_arbiter_kind *kind = arbiter(&set->output);
    uint32_t age[WEFT_CROSSBAR_PORTS_MAX];
    for (uint64_t left = kind->ages ? inputs : 0; left; left &= left - 1) {
        uint32_t x = weft_lowest(left);
        age[x] = requests->age(requests->user, x, match->vc[x], y);
    }
    weft_arbiter_input arbiter_input = {.asking = &inputs,
                                        .age = kind->ages ? age : NULL,
                                        .occasion = &requests->occasion,
                                        .port = WEFT_CROSSBAR_PORTS_MAX + y};
    return kind->pick(set->output.settings, scheduler->inputs, state + output_at(scheduler, y),
                      &arbiter_input);
}

static void match_any(const weft_scheduler *scheduler, const char *state,
                      const weft_requests *requests, weft_match *match)
{
    nominations all;
    all.outputs = 0;
    for (uint64_t left = requests->asking; left; left &= left - 1)
        nominate_any(scheduler, state, requests, weft_lowest(left), &all, match);
    uint64_t matched = 0;
    for (uint64_t left = all.outputs; left; left &= left - 1) {
        uint32_t y = weft_lowest(left);
        matched |= weft_bit(take_any(scheduler, state, requests, y, all.inputs[y], match));
    }
    match->inputs = match->first = matched;
}

static void match(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *found)
{
    if (scheduler->part[WAY] == ANY_ARBITERS)
        match_any(scheduler, state, requests, found);
    else
        match_pointers(scheduler, state, requests, found);
}

static void granted_queue(const weft_scheduler *scheduler, void *state, uint32_t input, uint32_t vc,
                          uint32_t output)
{
    uint32_t to = weft_past(vc * WEFT_CROSSBAR_PORTS_MAX + output,
                            scheduler->n_vcs * WEFT_CROSSBAR_PORTS_MAX);
    if (scheduler->part[STRIDE] == 1)
        ((uint8_t *)state)[input] = (uint8_t)to;
    else
        ((uint16_t *)state)[input] = (uint16_t)to;
}

/* Not inlined: its calls would cost the bare pointers a dozen saved registers. */
__attribute__((noinline)) static void granted_any(const weft_scheduler *scheduler, char *state,
                                                  uint32_t input, uint32_t vc, uint32_t output)
{
    const settings *set = scheduler->settings;
    uint32_t queue = scheduler->voq ? vc * scheduler->outputs + output : vc;
    arbiter(&set->input)
        ->granted(set->input.settings, queues(scheduler), state + input_at(scheduler, input),
                  queue);
    arbiter(&set->output)
        ->granted(set->output.settings, scheduler->inputs, state + output_at(scheduler, output),
                  input);
}

static void granted(const weft_scheduler *scheduler, void *state, uint32_t input, uint32_t vc,
                    uint32_t output, bool first)
{
    (void)first;
    assert(input < scheduler->inputs && vc < scheduler->n_vcs && output < scheduler->outputs);
    if (scheduler->part[WAY] == ANY_ARBITERS) {
        granted_any(scheduler, state, input, vc, output);
        return;
    }
    uint8_t *pointers = state;
    if (scheduler->part[WAY] == VC_POINTERS) {
        weft_pointers_granted(pointers, scheduler->inputs, scheduler->n_vcs, input, vc, output);
        return;
    }
    granted_queue(scheduler, state, input, vc, output);
    pointers[scheduler->part[OUTPUTS] + output] = (uint8_t)weft_past(input, scheduler->inputs);
}

bool weft_pointers_are_bare(const weft_scheduler *scheduler)
{
    return scheduler->kind == &weft_scheduler_separable && scheduler->part[WAY] == VC_POINTERS;
}

/* ---- the wide form, by any arbiters ---- */

/* Numbers of arbitrating ports, apart for inputs and outputs, and as above up to
 * WEFT_CROSSBAR_PORTS_MAX. */
static uint32_t arbiter_input_port(uint32_t port, bool output)
{
    return (2 * (port / WEFT_CROSSBAR_PORTS_MAX) + output) * WEFT_CROSSBAR_PORTS_MAX +
           port % WEFT_CROSSBAR_PORTS_MAX;
}

/* The set of VC vc of input x. */
static const uint64_t *wide_wants(const weft_scheduler *scheduler,
                                  const weft_wide_requests *requests, uint32_t x, uint32_t vc)
{
    return requests->wants + ((size_t)x * scheduler->n_vcs + vc) * requests->words;
}

/* As roll_fill. */
static void roll_fill_wide(const weft_scheduler *scheduler, const weft_wide_requests *requests,
                           uint32_t x, bool ages, roll *list)
{
    uint32_t words = requests->words, end = 64 * words;
    memset(list->asking, 0, (queues(scheduler) + 63) / 64 * sizeof *list->asking);
    for (uint32_t vc = 0; vc < scheduler->n_vcs; vc++) {
        const uint64_t *wants = wide_wants(scheduler, requests, x, vc);
        for (uint32_t y = weft_set_next(words, wants, 0); y < end;
             y = weft_set_next(words, wants, y + 1)) {
            uint32_t queue = scheduler->voq ? vc * scheduler->outputs + y : vc;
            list->asking[queue / 64] |= weft_bit(queue % 64);
            if (ages)
                list->age[queue] = requests->age(requests->user, x, vc, y);
        }
    }
}

/* The output that input x nominates one of its queues for. */
static uint32_t nominate_wide(const weft_scheduler *scheduler, const char *state,
                              const weft_wide_requests *requests, uint32_t x,
                              weft_wide_match *found)
{
    const settings *set = scheduler->settings;
    const weft_arbiter_kind *kind = arbiter(&set->input);
    roll list;
    roll_fill_wide(scheduler, requests, x, kind->ages, &list);
    weft_arbiter_input arbiter_input = {.asking = list.asking,
                                        .age = kind->ages ? list.age : NULL,
                                        .occasion = &requests->occasion,
                                        .port = arbiter_input_port(x, false)};
    uint32_t queue = kind->pick(set->input.settings, queues(scheduler),
                                state + input_at(scheduler, x), &arbiter_input);
    uint32_t vc = scheduler->voq ? queue / scheduler->outputs : queue;
    found->vc[x] = (uint8_t)vc;
    return scheduler->voq
               ? queue % scheduler->outputs
               : weft_set_next(requests->words, wide_wants(scheduler, requests, x, vc), 0);
}

/* The input that output y takes. */
static uint32_t take_wide(const weft_scheduler *scheduler, const char *state,
                          const weft_wide_requests *requests, uint32_t y, const uint64_t *inputs,
                          const weft_wide_match *found)
{
    const settings *set = scheduler->settings;
    const weft_arbiter_kind *kind = arbiter(&set->output);
    uint32_t age[WEFT_WIDE_MAX], words = requests->words;
    for (uint32_t x = kind->ages ? weft_set_next(words, inputs, 0) : 64 * words; x < 64 * words;
         x = weft_set_next(words, inputs, x + 1))
        age[x] = requests->age(requests->user, x, found->vc[x], y);
    weft_arbiter_input arbiter_input = {.asking = inputs,
                                        .age = kind->ages ? age : NULL,
                                        .occasion = &requests->occasion,
                                        .port = arbiter_input_port(y, true)};
    return kind->pick(set->output.settings, scheduler->inputs, state + output_at(scheduler, y),
                      &arbiter_input);
}

static size_t room(const weft_scheduler *scheduler)
{
    uint32_t most = scheduler->inputs > scheduler->outputs ? scheduler->inputs : scheduler->outputs;
    return sizeof(uint64_t) * scheduler->outputs * weft_set_words(most);
}

static void match_ports(const weft_scheduler *scheduler, const void *state,
                        const weft_wide_requests *requests, weft_wide_match *found)
{
    uint32_t words = requests->words, end = 64 * words;
    uint64_t *nominated = requests->room; /* per output of outputs: inputs */
    uint64_t outputs[WEFT_WIDE_WORDS] = {0};
    weft_set_clear(words, found->inputs);
    for (uint32_t x = weft_set_next(words, requests->asking, 0); x < end;
         x = weft_set_next(words, requests->asking, x + 1)) {
        uint32_t y = nominate_wide(scheduler, state, requests, x, found);
        uint64_t *inputs = nominated + (size_t)y * words;
        if (!weft_set_has(words, outputs, y))
            weft_set_clear(words, inputs);
        weft_set_add(words, inputs, x);
        weft_set_add(words, outputs, y);
    }
    for (uint32_t y = weft_set_next(words, outputs, 0); y < end;
         y = weft_set_next(words, outputs, y + 1)) {
        uint32_t x = take_wide(scheduler, state, requests, y, nominated + (size_t)y * words, found);
        found->output[x] = (uint16_t)y;
        weft_set_add(words, found->inputs, x);
    }
}

static void match_wide(const weft_scheduler *scheduler, void *state,
                       const weft_wide_requests *requests, weft_wide_match *found)
{
    uint32_t words = requests->words;
    match_ports(scheduler, state, requests, found);
    for (uint32_t x = weft_set_next(words, found->inputs, 0); x < 64 * words;
         x = weft_set_next(words, found->inputs, x + 1))
        granted_any(scheduler, state, x, found->vc[x], found->output[x]);
}

static bool sound_any(const weft_kind_ref *ref, uint32_t n, const void *state)
{
    return !arbiter(ref)->sound || arbiter(ref)->sound(ref->settings, n, state);
}

static bool sound(const weft_scheduler *scheduler, const void *state)
{
    const settings *set = scheduler->settings;
    const char *at = state;
    bool fine = true;
    for (uint32_t x = 0; x < scheduler->inputs; x++)
        fine &=
            scheduler->part[WAY] == QUEUE_POINTERS
                ? queue_pointer(scheduler, state, x) < scheduler->n_vcs * WEFT_CROSSBAR_PORTS_MAX
                : sound_any(&set->input, queues(scheduler), at + input_at(scheduler, x));
    for (uint32_t y = 0; y < scheduler->outputs; y++)
        fine &= sound_any(&set->output, scheduler->inputs, at + output_at(scheduler, y));
    return fine;
}

const weft_scheduler_kind weft_scheduler_separable = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_scheduler_kind),
             .name = "separable",
             .brief = "every input nominates one queue, every output takes one input",
             .params = params,
             .settings_size = sizeof(settings)},
    .build = build,
    .reset = reset,
    .match = match,
    .granted = granted,
    .sound = sound,
    .match_wide = match_wide,
    .room = room,
    .match_ports = match_ports,
};
