/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the single-server queue: see sim/router/queue/queue.h. */
#include "base/numeric.h"
#include "sim/assembly.h"
#include "sim/router/queue/queue.h"
#include "sim/source.h"

static weft_queue_vc *vc_at(const weft_queue *q, uint32_t router, uint32_t vc)
{
    return &q->vcs[(size_t)router * q->n_vcs + vc];
}

/* Work of a packet in ticks at the first rate: generalised exponential, or fixed. */
static double draw_work(const weft_site *site, const weft_event *packet)
{
    const weft_queue *q = site->state;
    if (q->scv < 1)
        return q->service;
    weft_random random = weft_packet_draw(site->platform->network->seed, packet, WEFT_FOR_LENGTH);
    double some = 2 / (q->scv + 1), branch = weft_random_open(&random),
           drawn = weft_random_open(&random);
    return branch < some ? -weft_log(drawn) * (q->service / some) : 0;
}

/* The speed of a VC's server that starts or goes on with a packet now. */
static double speed_of(const weft_queue *q, const weft_queue_vc *vc)
{
    return q->speed[q->takes ? vc->borrowed : weft_queue_level(q, vc->wait_queue.waiting)];
}

/* Its packet will have been served when what is left is done at this speed. */
static void foresee(const weft_queue *q, weft_block *block, uint32_t router, uint32_t number,
                    weft_time now)
{
    weft_queue_vc *vc = vc_at(q, router, number);
    double ticks = vc->left / vc->speed + 0.5;
    vc->since = now;
    vc->end = now + (ticks < (double)WEFT_QUEUE_LONGEST ? (weft_time)ticks : WEFT_QUEUE_LONGEST);
    if (vc->end > now)
        weft_queue_wake(block, router, number, vc->end);
}

/* After something that may have changed the speed of its server. */
static void adapt(const weft_queue *q, weft_block *block, uint32_t router, uint32_t number,
                  weft_time now)
{
    weft_queue_vc *vc = vc_at(q, router, number);
    double speed = speed_of(q, vc);
    if (!vc->serving || vc->end <= now || speed == vc->speed)
        return;
    double done = (double)(now - vc->since) * vc->speed;
    vc->left = vc->left > done ? vc->left - done : 0;
    vc->speed = speed;
    foresee(q, block, router, number, now);
    if (vc->end <= now) { /* done but for less than half a tick */
        vc->end = now + 1;
        weft_queue_wake(block, router, number, vc->end);
    }
}

/* The first packet of a VC leaves. */
static void depart(weft_site *site, uint32_t router, uint32_t number, weft_time now)
{
    const weft_queue *q = site->state;
    weft_queue_vc *vc = vc_at(q, router, number);
    weft_event packet;
    weft_wait_queue_take(&vc->wait_queue, vc->wait_queue.first, &packet);
    site->tally->traffic_classes[weft_packet_traffic_class(&packet)].busy += now - vc->counted;
    vc->counted = now;
    vc->serving = 0;
    weft_assembly_deliver(site, router, &packet, now);
}

/* Serves packets until one takes time; services that take none are over at once. */
static void serve(weft_site *site, weft_block *block, uint32_t router, uint32_t number,
                  weft_time now)
{
    const weft_queue *q = site->state;
    weft_queue_vc *vc = vc_at(q, router, number);
    while (vc->wait_queue.waiting > 0 && !vc->lent && !vc->serving) {
        vc->serving = 1;
        vc->counted = now;
        weft_event packet;
        weft_wait_queue_packet(weft_queue_first(vc), &packet);
        vc->left = draw_work(site, &packet);
        vc->speed = speed_of(q, vc);
        foresee(q, block, router, number, now);
        if (vc->end <= now)
            depart(site, router, number, now);
    }
}

/* Has it passed more thresholds than it has VCs for? */
static bool wants(const weft_queue *q, const weft_queue_vc *vc)
{
    return !vc->lent && weft_queue_level(q, vc->wait_queue.waiting) > vc->borrowed;
}

/* The VC that has waited longest for another one; or that has just begun to. */
static weft_queue_vc *longest_waiting(const weft_queue *q, uint32_t router)
{
    weft_queue_vc *first = NULL;
    for (uint32_t l = 0; l < q->n_vcs; l++) {
        weft_queue_vc *vc = vc_at(q, router, l);
        if (!wants(q, vc))
            vc->asked = 0;
        else if (vc->asked == 0)
            vc->asked = ++q->sequence[router];
        if (vc->asked && (!first || vc->asked < first->asked))
            first = vc;
    }
    return first;
}

static weft_queue_vc *find_idle(const weft_queue *q, uint32_t router)
{
    for (uint32_t l = q->n_shared ? q->n_vcs - q->n_shared : 0; l < q->n_vcs; l++) {
        weft_queue_vc *vc = vc_at(q, router, l);
        if (vc->wait_queue.waiting == 0 && !vc->lent)
            return vc;
    }
    return NULL;
}

/* The VCs that a VC may keep: all until its packets are gone, or one for every threshold that it
 * has reached. */
static uint32_t kept(const weft_queue *q, const weft_queue_vc *vc)
{
    if (q->semantics == WEFT_QUEUE_BORROW)
        return vc->wait_queue.waiting > 0 ? vc->borrowed : 0;
    uint32_t level = weft_queue_level(q, vc->wait_queue.waiting);
    return level < vc->borrowed ? level : vc->borrowed;
}

/* A VC gives back what it may not keep; packets of the VC that comes back are served there. */
static void give_back(weft_site *site, weft_block *block, uint32_t router, uint32_t number,
                      weft_time now)
{
    const weft_queue *q = site->state;
    weft_queue_vc *vc = vc_at(q, router, number);
    uint32_t more = vc->borrowed - kept(q, vc);
    if (more == 0)
        return;
    vc->borrowed -= more;
    adapt(q, block, router, number, now);
    for (uint32_t l = 0; l < q->n_vcs && more > 0; l++)
        if (vc_at(q, router, l)->lent == number + 1) {
            vc_at(q, router, l)->lent = 0;
            more--;
            serve(site, block, router, l, now);
        }
}

/* After anything has changed: who is past a threshold takes a VC that is idle. Serving a VC that
 * has come back may empty it, and so on. */
static void share(weft_site *site, weft_block *block, uint32_t router, weft_time now)
{
    const weft_queue *q = site->state;
    for (uint32_t l = 0; l < q->n_vcs; l++)
        give_back(site, block, router, l, now);
    weft_queue_vc *taker, *idle;
    while ((taker = longest_waiting(q, router)) && (idle = find_idle(q, router))) {
        uint32_t number = (uint32_t)(taker - vc_at(q, router, 0));
        idle->lent = number + 1;
        taker->borrowed++;
        taker->asked = 0;
        adapt(q, block, router, number, now);
    }
}

/* What a VC may hold. */
static uint32_t room_of(const weft_queue *q, const weft_queue_vc *vc)
{
    if (!q->takes || q->capacity == UINT32_MAX)
        return q->capacity;
    return q->capacity / (q->regions + 1) * (vc->borrowed + 1);
}

static void arrive(weft_site *site, weft_block *block, uint32_t router, const weft_event *packet,
                   weft_time now)
{
    weft_queue *q = site->state;
    uint32_t number = weft_packet_source(packet) % (q->n_vcs - q->n_shared);
    weft_queue_vc *vc = vc_at(q, router, number);
    if (vc->wait_queue.waiting >= room_of(q, vc)) {
        weft_tally_lose(site->tally, weft_packet_traffic_class(packet), now);
        return;
    }
    weft_queue_put(vc, packet);
    serve(site, block, router, number, now);
    if (q->semantics == WEFT_QUEUE_FOLLOW)
        adapt(q, block, router, number, now);
    if (q->takes)
        share(site, block, router, now);
}

static void inject(weft_site *site, weft_block *block, uint32_t router, uint32_t source,
                   weft_time now)
{
    weft_event packet;
    do {
        weft_sources_take(site, source, &packet);
        arrive(site, block, router, &packet, now);
    } while (weft_sources_due(site, source, now));
    weft_sources_arm(site, block, source, now);
}

/* Services that end now, before anything else. */
static void settle(weft_site *site, weft_block *block, uint32_t router, weft_time now)
{
    const weft_queue *q = site->state;
    bool left = false;
    for (uint32_t l = 0; l < q->n_vcs; l++) {
        const weft_queue_vc *vc = vc_at(q, router, l);
        if (!vc->serving || vc->end > now)
            continue;
        depart(site, router, l, now);
        serve(site, block, router, l, now);
        left = true;
    }
    if (left && q->takes)
        share(site, block, router, now);
}

static void tick(void *state, weft_block *block, const weft_batch *given)
{
    weft_site *site = state;
    const weft_batch batch = *given; /* a copy the handlers cannot reach */
    uint32_t last = UINT32_MAX;
    for (const weft_event *event = batch.events; event < batch.events + batch.n_events; event++) {
        if (event->to != last)
            settle(site, block, event->to, batch.now);
        last = event->to;
        if (weft_wake_is_source(event))
            inject(site, block, last, weft_wake_number(event), batch.now);
    }
}

static void timer(void *state, weft_block *block, uint32_t source, weft_time now)
{
    weft_sources_timer(state, block, source, now);
}

const weft_router_kind weft_router_queue = {
    .carriage =
        {.base = {.abi = WEFT_ABI,
                  .size = sizeof(weft_router_kind),
                  .name = "queue",
                  .brief = "a single server with a queue, thresholds and losses; one router only",
                  .params = weft_queue_params,
                  .settings_size = sizeof(weft_queue_settings)},
         .handles_faults = true},
    .model = {.tick = tick, .timer = timer, .seat = weft_site_seat, .rest = weft_queue_rest},
    .lookahead = weft_queue_lookahead,
    .check = weft_queue_check,
    .open = weft_queue_open,
    .close = weft_queue_close,
    .estimate.bytes = weft_queue_bytes,
    .estimate.zero_load = weft_queue_zero_load,
    .counting.link_busy = weft_queue_link_busy,
    .counting.held = weft_queue_held,
    .counting.stored = weft_queue_stored,
    .loses = true,
    .counting.servers = weft_queue_servers,
    .checkpoint.save = weft_queue_save,
    .checkpoint.load = weft_queue_load,
    .start = weft_queue_start,
};
