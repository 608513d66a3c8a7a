/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a tick with order: event-list, by precedence: arrivals, the generation, and outputs
 * that become free while packets wait for them. The kernel has sorted the arrivals. Outputs are
 * served up to the turn of the next event. */
enum { LISTED = 1 };
#include "sim/router/shared_queue/handlers_impl.h"

/* Of outputs (a bit each) that become free, the one whose turn comes first. */
static inline uint32_t next_of(const weft_sq_node *node, uint64_t outputs)
{
    uint32_t found = (uint32_t)__builtin_ctzll(outputs);
    for (outputs &= outputs - 1; outputs; outputs &= outputs - 1) {
        uint32_t output = (uint32_t)__builtin_ctzll(outputs);
        if (node->output[output].order < node->output[found].order)
            found = output;
    }
    return found;
}

/* Serves the outputs that become free now, from behind the event in hand up to this turn, and
 * wakes the router again if none is left. */
static __attribute__((noinline)) void serve_up_to(weft_site *site, weft_block *block,
                                                  uint32_t router, uint32_t turn, weft_time now)
{
    weft_sq *q = site->state;
    weft_sq_node *node = weft_sq_at(q, router);
    uint64_t due = 0;
    bool later = false;
    uint32_t from = q->turn;
    weft_sq_end first = WEFT_SQ_NO_END;
    for (uint64_t any = node->wait_queue.any; any; any &= any - 1) {
        uint32_t output = (uint32_t)__builtin_ctzll(any);
        const weft_sq_output *of = &node->output[output];
        /* without branches: what happens here cannot be foreseen */
        bool now_free = (of->free == now) & (of->order > from);
        later |= now_free & (of->order > turn);
        due |= (uint64_t)(now_free & (of->order <= turn)) << output;
        first = weft_sq_sooner(first, weft_sq_end_of(of->free, output, of->free > now));
    }
    if (!later)
        node->next = WEFT_SQ_NEVER;
    while (due) {
        uint32_t output = next_of(node, due);
        due &= ~((uint64_t)1 << output);
        q->turn = node->output[output].order;
        serve(site, block, router, output, now);
    }
    if (!later && first != WEFT_SQ_NO_END && node->wait_queue.waiting > 0)
        weft_sq_wake(
            q, block, router,
            weft_sq_end_output(first)); /* those that have just started wake it themselves */
}

/* On to the turn of the next event of a router. */
static inline void move_to(weft_site *site, weft_block *block, uint32_t router, uint32_t turn,
                           weft_time now)
{
    weft_sq *q = site->state;
    if (weft_sq_at(q, router)->next <= now)
        serve_up_to(site, block, router, turn, now);
    q->turn = turn;
}

static inline weft_precedence generation_precedence(const weft_sq *q, uint32_t router, weft_time at)
{
    const weft_sq_birth *birth = &q->birth[router];
    return weft_precedence_generation(&q->scale, birth->precedence, at - birth->at, birth->salt,
                                      at);
}

uint32_t weft_sq_generation_turn(const weft_site *site, uint32_t router, weft_time at)
{
    return generation_precedence(site->state, router, at) << WEFT_SQ_TURN_BITS | WEFT_SQ_TURN_LAST;
}

/* A router generates a packet. */
static uint32_t generation_turn(const weft_sq *q, uint32_t router, weft_time now)
{
    weft_precedence precedence = generation_precedence(q, router, now);
    q->birth[router].precedence = precedence;
    q->birth[router].at = now;
    return precedence << WEFT_SQ_TURN_BITS | WEFT_SQ_TURN_LAST;
}

static inline uint32_t arrival_turn(const weft_event *event)
{
    return event->key >> WEFT_SQ_KEY_SHIFT << WEFT_SQ_TURN_BITS | WEFT_SQ_TURN_LAST;
}

static inline void arrive(weft_site *site, weft_block *block, const weft_event *event,
                          weft_time now)
{
    weft_event packet = *event;
    packet.key = 0;
    if (weft_packet_header(&packet) == 0) {
        deliver(site, event->to, &packet, now);
        return;
    }
    move_to(site, block, event->to, arrival_turn(event), now);
    admit(site, block, event->to, &packet, now, true);
}

static void generate(weft_site *site, weft_block *block, const weft_event *event, uint32_t turn,
                     weft_time now)
{
    move_to(site, block, event->to, turn, now);
    inject(site, block, event->to, weft_wake_number(event), now);
}

/* Several events of a router: arrivals, then wake-ups, of which one may be a generation. */
static __attribute__((noinline)) void
handle(weft_site *site, weft_block *block, const weft_event *events, uint32_t count, weft_time now)
{
    const weft_event *generation = NULL;
    uint32_t turn = 0, i = 0;
    for (; count > 0 && weft_event_kind(&events[count - 1]) == WEFT_WAKE; count--)
        if (weft_wake_is_source(&events[count - 1]))
            generation = &events[count - 1];
    if (generation)
        turn = generation_turn(site->state, generation->to, now);
    for (; generation && i < count && arrival_turn(&events[i]) < turn; i++)
        arrive(site, block, &events[i], now);
    if (generation)
        generate(site, block, generation, turn, now);
    for (; i < count; i++)
        arrive(site, block, &events[i], now);
}

void weft_sq_tick_listed(weft_site *site, weft_block *block, const weft_batch *batch)
{
    weft_sq *q = site->state;
    weft_time now = batch->now;
    const weft_event *end = batch->events + batch->n_events;
    for (const weft_event *event = batch->events, *next; event < end; event = next) {
        uint32_t router = event->to;
        q->turn = q->starts = 0;
        next = event + 1;
        if (__builtin_expect(next < end && next->to == router, 0)) {
            do
                next++;
            while (next < end && next->to == router);
            handle(site, block, event, (uint32_t)(next - event), now);
        } else if (weft_event_kind(event) == WEFT_HEADER)
            arrive(site, block, event, now);
        else if (weft_wake_is_source(event))
            generate(site, block, event, generation_turn(q, router, now), now);
        if (weft_sq_at(q, router)->next <= now)
            serve_up_to(site, block, router, UINT32_MAX, now);
    }
}
