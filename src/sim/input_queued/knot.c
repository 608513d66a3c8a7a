/* SPDX-License-Identifier: Apache-2.0 */
/* Where nothing moves, every front waits for credits of VCs whose buffers are full, and those buffers' fronts wait likewise. So
 * following any of them must come back to where it has been: two runners find the circle, the second twice as
 * fast. */
#include "sim/input_queued/knot.h"

#include "sim/input_queued/scan.h"

#include <stdio.h>

#define SHOWN 8u

typedef struct place { /* a queue, and what its front waits for */
    const weft_site *site;
    uint32_t router, in, vc;
} place;

static const weft_iq *of(const place *at)
{
    return at->site->state;
}

static bool same(const place *a, const place *b)
{
    return a->site == b->site && a->router == b->router && a->in == b->in && a->vc == b->vc;
}

static const weft_iq_packet *first_of(const place *at)
{
    const weft_iq *iq = of(at);
    const weft_iq_shape *shape = &iq->shape;
    char *record = weft_iq_record(iq, at->router);
    uint32_t queue = at->in * shape->vcs + at->vc;
    if (!weft_iq_has(shape, WEFT_IQ_QUEUE_EACH)) {
        const weft_iq_front *front = &weft_iq_fronts(shape, record)[queue];
        return front->tail == WEFT_IQ_NONE ? NULL : weft_iq_packet_at(iq, front->head);
    }
    uint64_t outs = weft_iq_present(shape, record)[queue];
    if (!outs)
        return NULL;
    uint32_t tail =
        weft_iq_tails(shape, record)[queue * shape->ins + (uint32_t)__builtin_ctzll(outs)];
    return weft_iq_packet_at(iq, weft_iq_packet_at(iq, tail)->event.to);
}

/* The last of its candidates: with adaptive routing the escape path. */
static bool wanted(const place *at, weft_hop *hop)
{
    const weft_iq_packet *packet = first_of(at);
    if (!packet)
        return false;
    weft_iq_asker asker = {.in = at->in,
                           .vc = at->vc,
                           .flits = weft_packet_flits(&packet->event),
                           .lanes = packet->lanes,
                           .out = packet->out,
                           .packet = packet};
    weft_hop hops[WEFT_WAYS_MAX + 1];
    unsigned count = weft_iq_candidates(of(at), weft_iq_record(of(at), at->router), &asker, hops);
    *hop = hops[count - 1];
    return hop->port < of(at)->shape.ports;
}

/* The queue whose front keeps this one's from moving; false: none, or it is another process'. */
static bool follow(const weft_plant *plant, place *at)
{
    weft_hop hop;
    if (!wanted(at, &hop))
        return false;
    const weft_topology *topology = of(at)->shape.routing.topology;
    uint32_t id = weft_iq_head_of(weft_iq_record(of(at), at->router))->id;
    weft_end to = topology->kind->peer(topology, id, hop.port);
    at->site = weft_plant_find(plant, to.router, &at->router);
    at->in = to.port;
    at->vc = (uint32_t)__builtin_ctz(hop.lanes);
    return at->site != NULL;
}

static bool start(const weft_plant *plant, place *at)
{
    for (uint32_t s = 0; s < plant->sites; s++)
        for (uint32_t r = 0; r < plant->site[s].routers; r++) {
            const weft_iq *iq = plant->site[s].state;
            for (uint32_t q = 0; q < iq->shape.ins * iq->shape.vcs; q++) {
                *at = (place){&plant->site[s], r, q / iq->shape.vcs, q % iq->shape.vcs};
                weft_hop hop;
                if (wanted(at, &hop))
                    return true;
            }
        }
    return false;
}

static void describe(const weft_plant *plant, place at, char *text, size_t size)
{
    place first = at;
    size_t used = 0;
    for (uint32_t n = 0; n < SHOWN && used < size; n++) {
        weft_hop hop;
        if (!wanted(&at, &hop))
            return;
        uint32_t id = weft_iq_head_of(weft_iq_record(of(&at), at.router))->id;
        int more =
            snprintf(text + used, size - used, "%srouter %u input %u VC %u waits for output %u",
                     n ? ", " : "", id, at.in, at.vc, hop.port);
        used += more > 0 ? (size_t)more : 0;
        if (!follow(plant, &at) || same(&at, &first))
            return;
    }
    if (used < size)
        (void)snprintf(text + used, size - used, ", …");
}

void weft_iq_knot(const weft_plant *plant, char *text, size_t size)
{
    place slow, fast;
    text[0] = 0;
    if (!start(plant, &slow))
        return;
    fast = slow;
    do {
        if (!follow(plant, &slow) || !follow(plant, &fast) || !follow(plant, &fast))
            return;
    } while (!same(&slow, &fast));
    describe(plant, slow, text, size);
}
