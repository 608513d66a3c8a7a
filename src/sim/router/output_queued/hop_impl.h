/* SPDX-License-Identifier: Apache-2.0 */
/* A hop where packets go along a lattice in dimension order and wait at their output: what
 * forward_as (kind.c) does then, without a call through a record, and without branches on whether
 * the link is idle. Which of the two is taken is decided once per run (weft_oq.field). Included by
 * kind.c alone.
 *
 * Routers of small blocks have a table of the routers behind their links; those of large blocks
 * compute them, since the table would not stay in a core's cache. */

/* The rare cases: a start far ahead, or a router of another block. */
static __attribute__((noinline)) weft_event *send_slowly(const weft_site *site, weft_block *block,
                                                         const weft_event *packet, uint32_t port,
                                                         weft_time now, weft_time start)
{
    if (start - now >= WEFT_STEP_MAX)
        return emit_departure(site, block, packet->to, packet, port, start);
    weft_time at = start + ((const weft_oq *)site->state)->hop;
    weft_step step =
        weft_partition_step(site->platform->partition, site->box, site->block, packet->to, port);
    weft_event *event =
        step.slot == WEFT_INSIDE ? weft_emit(block, at) : weft_emit_across(block, step.slot, at);
    event->to = step.local;
    weft_packet_move(WEFT_KEY_NARROW, event, packet, WEFT_HEADER, port);
    return event;
}

/* The router behind a link, or WEFT_NOWHERE: not in this block, or not known. */
static inline __attribute__((always_inline)) uint32_t
router_behind(const weft_oq *q, const weft_box *box, uint32_t router, uint32_t port, size_t link)
{
    if (q->next)
        return q->next[link];
    const weft_gate *gate = &box->gate[port];
    uint32_t above = weft_divide(router, gate->by_stride);
    uint32_t at = above - weft_divide(above, gate->by_size) * gate->size;
    return at == gate->last ? WEFT_NOWHERE : router + gate->delta;
}

/* The packet's router is packet->to; lead is how long its header has been there before the packet
 * can be sent on, less its flits. */
static inline __attribute__((always_inline)) void hop(const weft_site *site, const weft_oq *q,
                                                      weft_block *block, const weft_event *packet,
                                                      weft_time now, weft_time lead)
{
    weft_time busy = weft_packet_flits(packet) * q->flit, tail = later(now, now + busy - lead);
    uint32_t route = weft_packet_header(packet), router = packet->to;
    const weft_lattice_field *field = &q->field[__builtin_ctz(route)];
    uint32_t way = route & field->all, hops = way & field->hops;
    uint32_t port = field->port + (uint32_t)(hops != way);
    uint32_t next = route - (hops > field->one ? field->one : way);
    size_t link = (size_t)router * q->ports + port;
    weft_time free = q->link_free[link];
    uint32_t cut = free <= now;
    if (__builtin_expect(free == now, 0) && q->coin)
        cut = toss(site, packet, 0);
    weft_time start = now + ((later(free, tail) - now) & ((weft_time)cut - 1));
    q->link_free[link] = start + busy;
    if (q->link_flits)
        q->link_flits[link] += busy;
    uint32_t to = router_behind(q, site->box, router, port, link);
    cut &= weft_event_kind(packet) == WEFT_HEADER;
    if (__builtin_expect(to == WEFT_NOWHERE || start - now >= WEFT_STEP_MAX, 0)) {
        weft_event *event = send_slowly(site, block, packet, port, now, start);
        event->key += cut;
        weft_packet_step(event, next);
        return;
    }
    weft_event *event = weft_emit(block, start + q->hop);
    event->to = to;
    event->key =
        (weft_packet_key(WEFT_KEY_NARROW, WEFT_HEADER, port) | (packet->key & WEFT_KEY_PACKET)) +
        cut;
    memcpy(event->data, packet->data, 3 * sizeof *event->data);
    event->data[4] = packet->data[4];
    weft_packet_step(event, next);
}
