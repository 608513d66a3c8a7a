/* SPDX-License-Identifier: Apache-2.0 */
/* What outputs have done so far. An output's last packet is accounted for as a whole when it
 * starts, so what lies ahead of `now` is taken off again. */
#include "sim/router/shared_queue/shared_queue.h"

static weft_time ahead(const weft_sq_output *output, weft_time now)
{
    return output->free > now ? output->free - now : 0;
}

int64_t weft_sq_link_busy(const weft_site *site, uint32_t router, uint32_t port, weft_time now)
{
    const weft_sq_output *output = &weft_sq_at(site->state, router)->output[port];
    return output->busy - ahead(output, now);
}

int64_t weft_sq_done(const weft_site *site, uint32_t router, uint32_t output, weft_time ticks,
                     weft_time now)
{
    const weft_sq_output *of = &weft_sq_at(site->state, router)->output[output];
    return of->busy / ticks - (of->free > now);
}

/* As every kind: ports, then endpoints, whether or not these are outputs. */
uint32_t weft_sq_counters(const weft_platform *platform)
{
    const weft_topology *topology = &platform->network->topology;
    return topology->ports + topology->concentration;
}

/* Σ over packets of the time they have spent at a router, from coming completely to having been
 * sent completely. */
static int64_t spent(const weft_sq *q, uint32_t router, weft_time now)
{
    const weft_sq_node *node = weft_sq_at(q, router);
    int64_t sum = q->left[router] - q->came[router] + node->wait_queue.waiting * now;
    for (uint32_t o = 0; o < q->outputs; o++)
        sum -= ahead(&node->output[o], now);
    return sum;
}

/* The queue is the router's; it is told with the first port. */
void weft_sq_counter(const weft_site *site, uint32_t router, uint32_t number, weft_time now,
                     weft_counter *counter)
{
    const weft_sq *q = site->state;
    const weft_sq_node *node = weft_sq_at(q, router);
    *counter = (weft_counter){0};
    if (number == 0)
        counter->held = spent(q, router, now);
    if (number >= q->outputs)
        return;
    size_t at = (size_t)router * q->outputs + number;
    counter->busy = node->output[number].busy - ahead(&node->output[number], now);
    counter->flits = q->meter[at].sent;
    counter->stalled = q->meter[at].stalled;
    if (q->chain && number == q->up && node->stalled)
        counter->stalled += now - node->since;
}
