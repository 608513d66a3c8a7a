/* SPDX-License-Identifier: Apache-2.0 */
/* The events of routers with one queue for all packets, as in the torus simulator ts. In a tick,
 * outputs that become free come first, in the order they started; then arrivals; then generations.
 * Or, with order: event-list, as shared_queue/listed.c says. */
enum { LISTED = 0 };
#include "sim/router/shared_queue/handlers_impl.h"

/* Of outputs (a bit each) that started at the same time, the one that did so first. */
static uint32_t earliest(const weft_sq *q, uint32_t router, uint64_t outputs)
{
    const weft_sq_node *node = weft_sq_at(q, router);
    uint32_t found = (uint32_t)__builtin_ctzll(outputs);
    for (outputs &= outputs - 1; outputs; outputs &= outputs - 1) {
        uint32_t output = (uint32_t)__builtin_ctzll(outputs);
        if (node->sent - node->output[output].order > node->sent - node->output[found].order)
            found = output;
    }
    return found;
}

/* Outputs that become free now come first, in the order they started. One that has been free
 * before is not offered to anybody. */
static __attribute__((noinline)) void settle(weft_site *site, weft_block *block, uint32_t router,
                                             weft_time now)
{
    const weft_sq *q = site->state;
    weft_sq_node *node = weft_sq_at(q, router);
    uint64_t due = 0;
    uint32_t first = WEFT_SQ_OUTPUTS_MAX;
    for (uint64_t any = node->wait_queue.any; any; any &= any - 1) {
        uint32_t output = (uint32_t)__builtin_ctzll(any);
        weft_time at = node->output[output].free;
        if (at == now)
            due |= (uint64_t)1 << output;
        else if (at > now && (first == WEFT_SQ_OUTPUTS_MAX || at < node->output[first].free))
            first = output;
    }
    node->next = WEFT_SQ_NEVER;
    while (due) {
        uint32_t output = earliest(q, router, due);
        due &= ~((uint64_t)1 << output);
        serve(site, block, router, output, now);
    }
    if (first < WEFT_SQ_OUTPUTS_MAX && node->wait_queue.waiting > 0)
        weft_sq_wake(q, block, router, first); /* those that have just started wake it themselves */
}

static void take_credit(weft_site *site, weft_block *block, uint32_t router, weft_time now)
{
    weft_sq *q = site->state;
    weft_sq_node *node = weft_sq_at(q, router);
    node->credits++;
    if (!node->stalled)
        return;
    node->stalled = 0;
    if (q->meter)
        q->meter[(size_t)router * q->outputs + q->up].stalled += now - node->since;
    serve(site, block, router, q->up, now);
}

static __attribute__((noinline)) void tick_release_first(weft_site *site, weft_block *block,
                                                         const weft_batch *given)
{
    const weft_batch batch = *given; /* a copy the handlers cannot reach */
    const weft_sq *q = site->state;
    uint32_t last = UINT32_MAX;
    for (const weft_event *event = batch.events; event < batch.events + batch.n_events; event++) {
        weft_kind kind = weft_event_kind(event);
        if (weft_sq_at(q, event->to)->next <= batch.now)
            settle(site, block, event->to, batch.now);
        last = event->to;
        if (kind == WEFT_HEADER)
            enter(site, block, last, event, batch.now, true);
        else if (kind == WEFT_CREDIT)
            take_credit(site, block, last, batch.now);
        else if (kind == WEFT_DELIVER) {
            note(site, WEFT_TRACE_DELIVER, event, last, 0, batch.now);
            weft_assembly_deliver(site, last, event, batch.now);
        } else if (weft_wake_is_source(event))
            inject(site, block, last, weft_wake_number(event), batch.now);
    }
}

static void tick(void *state, weft_block *block, const weft_batch *batch)
{
    weft_site *site = state;
    if (((const weft_sq *)site->state)->birth)
        weft_sq_tick_listed(site, block, batch);
    else
        tick_release_first(site, block, batch);
}

static void timer(void *state, weft_block *block, uint32_t source, weft_time now)
{
    weft_sources_timer(state, block, source, now);
}

const weft_router_kind weft_router_shared_queue = {
    .carriage =
        {.base = {.abi = WEFT_ABI,
                  .size = sizeof(weft_router_kind),
                  .name = "shared-queue",
                  .brief = "one queue for all packets, store-and-forward, first suitable goes (ts)",
                  .params = weft_sq_params,
                  .settings_size = sizeof(weft_sq_settings)}},
    .model = {.tick = tick, .timer = timer, .seat = weft_site_seat, .rest = weft_sources_rest},
    .lookahead = weft_sq_lookahead,
    .check = weft_sq_check,
    .open = weft_sq_open,
    .close = weft_sq_close,
    .estimate.bytes = weft_sq_bytes,
    .estimate.zero_load = weft_sq_zero_load,
    .counting.link_busy = weft_sq_link_busy,
    .counting.n_counters = weft_sq_counters,
    .counting.counter = weft_sq_counter,
    .counting.holds = "packets",
    .counting.held = weft_sq_held,
    .counting.stored = weft_sq_stored,
    .loses = true,
    .redraws = true,
    .checkpoint.save = weft_sq_save,
    .checkpoint.load = weft_sq_load,
    .checkpoint.plain = weft_sq_plain,
    .checkpoint.credit = weft_sq_credit,
    .start = weft_sq_start,
};
