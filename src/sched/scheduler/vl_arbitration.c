/* SPDX-License-Identifier: Apache-2.0 */
/* Every output port arbitrates among VLs as InfiniBand's do (sched/vl_arbitration.h). The VL of a
 * packet is the VC behind the output that it would take. An output picks a VL of those that free
 * inputs ask for it with, and of their queues with this VL the first from its pointer for the VL
 * on; an input that several outputs pick takes the first of them from its own pointer on. The
 * others pick again among the inputs that are left, until nobody asks for a free output, so the
 * match is maximal. Pointers move one past what crosses; the turns of the tables are charged the
 * size of the packet.
 *
 * The state is the arbiter of every output; behind them the pointers of every output, one per VL,
 * over input × VCs + VC, and those of the inputs, over outputs. */
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#include "sched/field.h"
#include "sched/vl_tables.h"

#include <string.h>

typedef struct settings {
    weft_vl_settings vl;
} settings;

static const weft_param params[] = {
    WEFT_VL_PARAMS(settings),
    {.name = NULL},
};

enum { QUEUES, INPUTS }; /* of part: where pointers of outputs and of inputs begin */
enum { ONE_PACKET = 1 }; /* weight of every VL where no table is given */

static weft_vl_tables tables_of(const weft_scheduler *scheduler)
{
    const weft_vl_settings *set = &((const settings *)scheduler->settings)->vl;
    weft_vl_tables tables;
    weft_vl_tables_fill(set, &tables);
    if (tables.high.count == 0 && tables.low.count == 0)
        for (uint32_t vl = 0; vl < WEFT_VL_MANAGEMENT; vl++)
            tables.low.at[tables.low.count++] =
                (weft_vl_entry){.vl = (uint8_t)vl, .weight = ONE_PACKET};
    return tables;
}

/* The VL that a VC is, and the number of VCs that are VLs of the tables. */
static uint32_t vl_by(const weft_scheduler *scheduler, uint32_t vc)
{
    return scheduler->management && vc + 1 == scheduler->n_vcs ? WEFT_VL_MANAGEMENT : vc;
}

static uint32_t data_vls(const weft_scheduler *scheduler)
{
    return scheduler->n_vcs - scheduler->management;
}

static uint32_t queues(const weft_scheduler *scheduler)
{
    return scheduler->inputs * scheduler->n_vcs;
}

static weft_status build(weft_scheduler *scheduler, weft_error *err)
{
    assert(weft_field_ports_fit(scheduler));
    WEFT_TRY(weft_vl_tables_check(&((const settings *)scheduler->settings)->vl, err));
    weft_vl_tables tables = tables_of(scheduler);
    uint32_t vls = weft_vl_table_vls(&tables.high) | weft_vl_table_vls(&tables.low);
    for (uint32_t vl = 0; vl < data_vls(scheduler) && vl < WEFT_VL_MANAGEMENT; vl++)
        if (!(vls >> vl & 1))
            return weft_fail(err, WEFT_BAD_INPUT,
                             "scheduler vl-arbitration: VL %u of %u has no weight in low-vls or "
                             "high-vls, so its packets would wait for ever: give it an entry, or "
                             "routers fewer virtual channels",
                             vl, data_vls(scheduler));
    scheduler->part[QUEUES] = scheduler->outputs * sizeof(weft_vl_state);
    scheduler->part[INPUTS] =
        scheduler->part[QUEUES] + scheduler->outputs * scheduler->n_vcs * sizeof(uint16_t);
    scheduler->bytes = scheduler->part[INPUTS] + scheduler->inputs * sizeof(uint16_t);
    return WEFT_OK;
}

/* Of an output. */
static size_t arbiter_at(uint32_t output)
{
    return output * sizeof(weft_vl_state);
}

static size_t queue_pointer_at(const weft_scheduler *scheduler, uint32_t output, uint32_t vl)
{
    uint32_t last = scheduler->n_vcs - 1, vc = vl < last ? vl : last; /* VL 15 has the last VC */
    return scheduler->part[QUEUES] + (output * scheduler->n_vcs + vc) * sizeof(uint16_t);
}

static size_t input_pointer_at(const weft_scheduler *scheduler, uint32_t input)
{
    return scheduler->part[INPUTS] + input * sizeof(uint16_t);
}

static uint32_t pointer(const char *state, size_t at)
{
    return *(const uint16_t *)(const void *)(state + at);
}

static void reset(const weft_scheduler *scheduler, void *state)
{
    weft_vl_tables tables = tables_of(scheduler);
    weft_vl_state *arbiters = state;
    memset(state, 0, scheduler->bytes);
    for (uint32_t y = 0; y < scheduler->outputs; y++)
        weft_vl_reset(&tables, &arbiters[y]);
}

/* How far behind a pointer a number is, of n in a circle. */
static uint32_t past_pointer(uint32_t number, uint32_t from, uint32_t n)
{
    return number >= from ? number - from : number + n - from;
}

/* A decision; outputs are told from inputs that are still free. */
typedef struct decision {
    const weft_scheduler *scheduler;
    const char *state;
    const weft_wide_requests *requests;
    uint64_t inputs[WEFT_WIDE_WORDS], outputs[WEFT_WIDE_WORDS]; /* that ask, that are asked for */
    uint64_t taken[WEFT_WIDE_WORDS];                            /* outputs that are matched */
    uint16_t asking[WEFT_WIDE_MAX];                             /* per output: VLs */
    uint8_t vl[WEFT_WIDE_MAX];                                  /* per output: its pick … */
    uint16_t queue[WEFT_WIDE_MAX];                              /* … and the queue it goes to */
} decision;

typedef void visitor(decision *d, uint32_t input, uint32_t vc, uint32_t output);

/* Every request of a free input for a free output. */
static void each_request(decision *d, visitor *visit)
{
    const weft_wide_requests *requests = d->requests;
    uint32_t words = requests->words, end = 64 * words, n_vcs = d->scheduler->n_vcs;
    for (uint32_t x = weft_set_next(words, d->inputs, 0); x < end;
         x = weft_set_next(words, d->inputs, x + 1))
        for (uint32_t vc = 0; vc < n_vcs; vc++) {
            const uint64_t *wants = requests->wants + ((size_t)x * n_vcs + vc) * words;
            for (uint32_t w = 0; w < words; w++)
                for (uint64_t left = wants[w] & ~d->taken[w]; left; left &= left - 1)
                    visit(d, x, vc, 64 * w + weft_lowest(left));
        }
}

static uint32_t vl_of(const decision *d, uint32_t x, uint32_t vc, uint32_t y)
{
    const weft_wide_requests *requests = d->requests;
    return vl_by(d->scheduler,
                 requests->next_vc ? requests->next_vc(requests->user, x, vc, y) : vc);
}

static void note_request(decision *d, uint32_t x, uint32_t vc, uint32_t y)
{
    uint32_t words = d->requests->words;
    if (!weft_set_has(words, d->outputs, y))
        d->asking[y] = 0;
    weft_set_add(words, d->outputs, y);
    d->asking[y] |= (uint16_t)(1u << vl_of(d, x, vc, y));
}

/* Of the queues with the VL that was picked, the first from the pointer on. */
static void compare_queue(decision *d, uint32_t x, uint32_t vc, uint32_t y)
{
    const weft_scheduler *scheduler = d->scheduler;
    uint32_t vl = d->vl[y], queue = x * scheduler->n_vcs + vc, n = queues(scheduler);
    if (vl_of(d, x, vc, y) != vl)
        return;
    uint32_t from = pointer(d->state, queue_pointer_at(scheduler, y, vl));
    if (d->queue[y] == UINT16_MAX ||
        past_pointer(queue, from, n) < past_pointer(d->queue[y], from, n))
        d->queue[y] = (uint16_t)queue;
}

static void pick_vls(decision *d, const weft_vl_tables *tables)
{
    uint32_t words = d->requests->words, end = 64 * words;
    const weft_vl_state *arbiters = (const weft_vl_state *)(const void *)d->state;
    for (uint32_t y = weft_set_next(words, d->outputs, 0); y < end;
         y = weft_set_next(words, d->outputs, y + 1)) {
        int32_t vl = weft_vl_pick(tables, &arbiters[y], d->asking[y]);
        assert(vl >= 0);
        d->vl[y] = (uint8_t)vl;
        d->queue[y] = UINT16_MAX;
    }
}

/* Every input that outputs picked takes one of them. */
static void accept_picks(decision *d, weft_wide_match *found)
{
    const weft_scheduler *scheduler = d->scheduler;
    uint32_t words = d->requests->words, end = 64 * words;
    for (uint32_t y = weft_set_next(words, d->outputs, 0); y < end;
         y = weft_set_next(words, d->outputs, y + 1)) {
        uint32_t x = d->queue[y] / scheduler->n_vcs;
        uint32_t from = pointer(d->state, input_pointer_at(scheduler, x));
        if (weft_set_has(words, found->inputs, x) &&
            past_pointer(found->output[x], from, scheduler->outputs) <
                past_pointer(y, from, scheduler->outputs))
            continue;
        weft_set_add(words, found->inputs, x);
        found->output[x] = (uint16_t)y;
        found->vc[x] = (uint8_t)(d->queue[y] % scheduler->n_vcs);
    }
    for (uint32_t x = weft_set_next(words, found->inputs, 0); x < end;
         x = weft_set_next(words, found->inputs, x + 1)) {
        weft_set_remove(words, d->inputs, x);
        weft_set_add(words, d->taken, found->output[x]);
    }
}

static void match_ports(const weft_scheduler *scheduler, const void *state,
                        const weft_wide_requests *requests, weft_wide_match *found)
{
    uint32_t words = requests->words;
    weft_vl_tables tables = tables_of(scheduler);
    decision d;
    d.scheduler = scheduler;
    d.state = state;
    d.requests = requests;
    for (uint32_t w = 0; w < words; w++) {
        d.inputs[w] = requests->asking[w];
        d.taken[w] = found->inputs[w] = 0;
    }
    for (;;) {
        weft_set_clear(words, d.outputs);
        each_request(&d, note_request);
        if (!weft_set_any(words, d.outputs))
            return;
        pick_vls(&d, &tables);
        each_request(&d, compare_queue);
        accept_picks(&d, found);
    }
}

static void match(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *match)
{
    weft_wide_match found;
    weft_wide_requests wide = {.words = 1,
                               .wants = requests->wants,
                               .asking = &requests->asking,
                               .user = requests->user,
                               .next_vc = requests->next_vc};
    match_ports(scheduler, state, &wide, &found);
    match->inputs = match->first = found.inputs[0];
    for (uint64_t left = match->inputs; left; left &= left - 1) {
        uint32_t x = weft_lowest(left);
        match->output[x] = (uint8_t)found.output[x];
        match->vc[x] = found.vc[x];
    }
}

static void granted(const weft_scheduler *scheduler, void *state, uint32_t input, uint32_t vc,
                    uint32_t output, bool first)
{
    (void)vc, (void)first;
    uint16_t *at = (uint16_t *)(void *)((char *)state + input_pointer_at(scheduler, input));
    *at = (uint16_t)weft_past(output, scheduler->outputs);
}

static void sent(const weft_scheduler *scheduler, void *state, const weft_crossing *crossing)
{
    weft_vl_tables tables = tables_of(scheduler);
    uint32_t vl = vl_by(scheduler, crossing->next_vc),
             queue = crossing->input * scheduler->n_vcs + crossing->vc;
    char *record = state;
    weft_vl_granted(&tables, (weft_vl_state *)(void *)(record + arbiter_at(crossing->output)), vl,
                    crossing->bytes);
    uint16_t *at = (uint16_t *)(void *)(record + queue_pointer_at(scheduler, crossing->output, vl));
    *at = (uint16_t)weft_past(queue, queues(scheduler));
}

/* One VC, and all cells are alike. */
static void match_wide(const weft_scheduler *scheduler, void *state,
                       const weft_wide_requests *requests, weft_wide_match *found)
{
    uint32_t words = requests->words, end = 64 * words;
    match_ports(scheduler, state, requests, found);
    for (uint32_t x = weft_set_next(words, found->inputs, 0); x < end;
         x = weft_set_next(words, found->inputs, x + 1)) {
        granted(scheduler, state, x, 0, found->output[x], true);
        sent(scheduler, state,
             &(weft_crossing){.input = x, .output = found->output[x], .bytes = 1});
    }
}

static bool turn_sound(const weft_vl_table *table, const weft_vl_turn *turn)
{
    bool there = turn->entry >= 0 && (turn->entry == 0 || turn->entry < (int32_t)table->count);
    return there && turn->left <= WEFT_VL_WEIGHT_MAX &&
           turn->left >= -(int32_t)(WEFT_VL_PACKET_BYTES_MAX / WEFT_VL_WEIGHT_BYTES);
}

static bool sound(const weft_scheduler *scheduler, const void *state)
{
    weft_vl_tables tables = tables_of(scheduler);
    const weft_vl_state *arbiters = state;
    bool fine = true;
    for (uint32_t y = 0; y < scheduler->outputs; y++) {
        fine &= turn_sound(&tables.high, &arbiters[y].high);
        fine &= turn_sound(&tables.low, &arbiters[y].low);
        fine &=
            arbiters[y].sent <= WEFT_VL_LIMIT_NONE * WEFT_VL_LIMIT_BYTES + WEFT_VL_PACKET_BYTES_MAX;
        for (uint32_t vl = 0; vl < scheduler->n_vcs; vl++)
            fine &= pointer(state, queue_pointer_at(scheduler, y, vl)) < queues(scheduler);
    }
    for (uint32_t x = 0; x < scheduler->inputs; x++)
        fine &= pointer(state, input_pointer_at(scheduler, x)) < scheduler->outputs;
    return fine;
}

/* All of a decision is on the stack. */
static size_t room(const weft_scheduler *scheduler)
{
    (void)scheduler;
    return 8;
}

const weft_scheduler_kind weft_scheduler_vl_arbitration = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_scheduler_kind),
             .name = "vl-arbitration",
             .brief = "outputs take virtual channels by InfiniBand's tables of weights; without "
                      "tables one packet each in turn",
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
    .sent = sent,
};
