/* SPDX-License-Identifier: Apache-2.0 */
/* The idealised output-queued virtual-cut-through router of Rexford & Shin: unbounded FIFOs,
 * strictly in the order of header arrival.
 *
 * A header arrives at tick t. If its link is idle the packet cuts through and starts at t.
 * Otherwise it is stored completely and starts at max(link free, tail arrived). So the start is
 * known at once and a hop costs one event: the header's arrival at the next router, header +
 * wire latency after the start.
 *
 * A packet right behind another one meets a *systematic tie*: its header arrives in the very
 * tick in which the link becomes free. Variant S2 tosses a coin, S0 lets it cut through
 * (reference: Rexford & Shin's figures follow S2). The tie rule belongs to every number this
 * router gives.
 *
 * Variant VCT is virtual cut-through without that storing: a packet starts at max(link free, header
 * arrived), as all links have one rate. So messages that share a link take it one after the other,
 * as in LogGP. */
#include "net/routing.h"
#include "net/selection.h"
#include "sim/assembly.h"
#include "sim/router/output_queued/output_queued.h"
#include "sim/jobs/processes.h"
#include "sim/source.h"

#include <string.h>

static const char *const variants[] = {"S2", "S0", "VCT", NULL};
static const char *const places[] = {"output", "input", NULL};

static const weft_param params[] = {
    {.name = "header",
     .brief = "time from the start on a link to the header being read at the other end",
     .type = WEFT_PARAM_DURATION,
     .offset = offsetof(weft_oq_settings, header),
     .fallback = "1 cycle",
     .min = 0,
     .max = 1e12},
    {.name = "variant",
     .brief =
         "a header that arrives as its link becomes free: S2 tosses a coin, S0 cuts through; VCT "
         "as "
         "S0, and a packet that has waited starts when its link is free, although its tail may not "
         "have come",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_oq_settings, variant),
     .fallback = "S2",
     .choices = variants},
    {.name = "fifos",
     .brief =
         "where packets wait: at the link they leave by, or at the one they came by, where those "
         "to other links hold them up too (packets for the router's own endpoints never wait "
         "there)",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_oq_settings, fifos),
     .fallback = "output",
     .choices = places},
    {.name = NULL},
};

/* A wake-up of an endpoint's port; not a source's; both do the same, in any
 * order. */
static void wake_port(const weft_site *site, weft_block *block, uint32_t endpoint, weft_time at)
{
    const weft_network *network = site->platform->network;
    weft_event *event = weft_emit(block, at);
    event->to = endpoint / network->topology.concentration;
    weft_wake_make(event, 0, endpoint * network->n_traffic_classes, false);
}

static void rest(void *state, weft_time now)
{
    const weft_site *site = state;
    weft_oq *q = site->state;
    weft_sources_rest(state, now);
    q->sync_point = weft_site_sync_point(site, q->sync_point, now);
}

/* Wakes the injection ports that are free or become so. */
static void start(weft_site *site, weft_block *block, weft_time now)
{
    weft_oq *q = site->state;
    q->sync_point = weft_site_sync_point(site, q->sync_point, now);
    for (uint32_t e = 0; q->injection && e < site->routers * q->hosts; e++)
        if (q->injection[e] >= now)
            wake_port(site, block, e, q->injection[e]);
}

static weft_random draw(const weft_site *site, const weft_event *packet, weft_purpose purpose)
{
    return weft_packet_draw(site->platform->network->seed, packet, purpose);
}

/* The systematic tie. way tells the coins of several candidates apart. */
static bool toss(const weft_site *site, const weft_event *packet, unsigned way)
{
    weft_random random = draw(site, packet, WEFT_FOR_TIE);
    return (weft_random_word(&random) >> way) & 1;
}

/* Is a link (or port) free for a header that arrives now? */
static inline bool idle(const weft_site *site, weft_time free, weft_time now,
                        const weft_event *packet, unsigned way)
{
    if (free != now || !((const weft_oq *)site->state)->coin)
        return free <= now;
    return toss(site, packet, way);
}

static weft_time later(weft_time a, weft_time b)
{
    return a > b ? a : b;
}

/* Puts the way with the shortest queue first, the others stay in their order. */
static void prefer_shortest(const weft_site *site, uint32_t router, weft_time now,
                            weft_minimal_port *ways, unsigned count)
{
    const weft_oq *q = site->state;
    const weft_time *links = q->link_free + (size_t)router * q->ports;
    unsigned best = 0;
    for (unsigned i = 1; i < count; i++)
        if (later(links[ways[i].port], now) < later(links[ways[best].port], now))
            best = i;
    weft_minimal_port chosen = ways[best];
    for (; best > 0; best--)
        ways[best] = ways[best - 1];
    ways[0] = chosen;
}

/* Candidates that the topology alone cannot give. */
static __attribute__((noinline)) unsigned ask(const weft_site *site, uint32_t router,
                                              const weft_event *packet, weft_time now,
                                              weft_minimal_port *ways)
{
    const weft_oq *q = site->state;
    const weft_network *network = site->platform->network;
    bool down = network->topology.faults && now >= network->faults_at;
    const weft_routing *routing = q->routing[weft_packet_traffic_class(packet)];
    uint32_t id = weft_partition_router(site->platform->partition, site->block, router);
    weft_random drawn, *random = NULL;
    if (routing->draws) {
        drawn = draw(site, packet, WEFT_FOR_HOP);
        random = &drawn;
    }
    weft_route_context here = {
        .router = id, .header = weft_packet_header(packet), .port = WEFT_FROM_ENDPOINT};
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = down ? weft_routing_candidates(routing, &here, random, hops)
                          : routing->kind->candidates(routing, &here, random, hops);
    assert(count > 0); /* net/faults.c has looked */
    for (unsigned i = 0; i < count; i++)
        ways[i] = (weft_minimal_port){
            .port = hops[i].port, .hops = 1, .next_header = hops[i].next_header};
    if (q->looks && weft_selection_looks(routing))
        prefer_shortest(site, router, now, ways, count);
    return count;
}

/* Candidate ports of a packet, best first. */
static inline __attribute__((always_inline)) unsigned
candidates(const weft_site *site, uint32_t router, const weft_event *packet, weft_time now,
           weft_minimal_port *ways)
{
    const weft_oq *q = site->state;
    const weft_topology *topology = &site->platform->network->topology;
    if (q->straight)
        return topology->kind->minimal_ports(topology, 0, weft_packet_header(packet), q->straight,
                                             ways);
    return ask(site, router, packet, now, ways);
}

/* The port a packet came by. */
static uint32_t port_in(const weft_site *site, const weft_event *packet)
{
    return site->platform->network->topology
        .peer_port[weft_event_port(site->platform->key, packet)];
}

/* The queue a packet waits in, where packets wait at the link they came by; NULL: it came from
 * an endpoint. */
static weft_time *queue_of(const weft_site *site, uint32_t router, const weft_event *packet)
{
    const weft_oq *q = site->state;
    if (weft_event_kind(packet) != WEFT_HEADER)
        return NULL;
    return &q->input_free[(size_t)router * q->ports + port_in(site, packet)];
}

/* What a packet does at an intermediate router after what it did at the last one. */
static __attribute__((noinline)) void note(weft_site *site, uint32_t router,
                                           const weft_event *packet, weft_event *sent, bool cut)
{
    uint32_t traffic_class = weft_packet_traffic_class(packet), before = weft_packet_mark(packet);
    const weft_routing *routing = &site->platform->network->traffic_classes[traffic_class].routing;
    uint32_t id = weft_partition_router(site->platform->partition, site->block, router);
    uint32_t left = weft_routing_left(routing, id, weft_packet_header(packet));
    weft_packet_set_mark(sent, cut ? WEFT_MARK_CUT : WEFT_MARK_BLOCKED);
    const weft_oq *q = site->state;
    size_t pair = ((size_t)router * q->ports + port_in(site, packet)) * q->ports +
                  weft_event_port(site->platform->key, sent);
    if (before && q->turned)
        q->turned[pair * WEFT_COUNTER_COUNTS + (before == WEFT_MARK_CUT ? 0u : 2u) +
                  (cut ? 0u : 1u)]++;
    if (before && site->tally->history)
        weft_tally_pair(site->tally, traffic_class, left ? weft_packet_hops(packet) + left : 0,
                        before == WEFT_MARK_CUT, cut);
}

/* A start so far ahead that the next router cannot be told yet: the packet stays here until
 * then. */
static __attribute__((noinline)) weft_event *emit_departure(const weft_site *site,
                                                            weft_block *block, uint32_t router,
                                                            const weft_event *packet, uint32_t port,
                                                            weft_time start)
{
    weft_event *event = weft_emit(block, start);
    event->to = router;
    weft_packet_move(site->platform->key, event, packet, WEFT_DEPART, port);
    return event;
}

/* That start. */
static void depart(const weft_site *site, weft_block *block, const weft_event *packet,
                   weft_time now)
{
    uint32_t port = weft_event_port(site->platform->key, packet);
    weft_step step =
        weft_partition_step(site->platform->partition, site->box, site->block, packet->to, port);
    weft_time at = now + ((const weft_oq *)site->state)->hop;
    weft_event *event =
        step.slot == WEFT_INSIDE ? weft_emit(block, at) : weft_emit_across(block, step.slot, at);
    event->to = step.local;
    weft_packet_move(site->platform->key, event, packet, WEFT_HEADER, port);
}

/* Sends a packet on from a router; tail is when it is stored completely. At an intermediate router
 * (one it has come to over a link) starting without waiting counts as a cut-through. */
static inline __attribute__((always_inline)) void forward_as(bool special, weft_site *site,
                                                             weft_block *block, uint32_t router,
                                                             const weft_event *packet,
                                                             weft_time now, weft_time tail)
{
    const weft_oq *q = site->state;
    weft_time *links = q->link_free + (size_t)router * q->ports;
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = candidates(site, router, packet, now, ways), way = 0;
    assert(count > 0);
    uint32_t cut = idle(site, links[ways[0].port], now, packet, 0);
    if (count > 1)
        while (!cut && ++way < count)
            cut = idle(site, links[ways[way].port], now, packet, way);
    weft_time *queue = special && q->input_free ? queue_of(site, router, packet) : NULL;
    if (queue) {
        cut = cut && *queue <= now;
        tail = later(tail, *queue);
    }
    weft_minimal_port chosen = ways[cut ? way : 0];
    weft_time busy = weft_packet_flits(packet) * q->flit;
    weft_time wait = later(links[chosen.port], tail), start = cut ? now : wait;
    links[chosen.port] = start + busy;
    if (queue)
        *queue = start + busy;
    if (q->link_flits)
        q->link_flits[(size_t)router * q->ports + chosen.port] += busy;
    weft_event *event;
    if (__builtin_expect(start - now >= WEFT_STEP_MAX, 0)) {
        event = emit_departure(site, block, router, packet, chosen.port, start);
    } else {
        weft_step step = weft_partition_step(site->platform->partition, site->box, site->block,
                                             router, chosen.port);
        event = step.slot == WEFT_INSIDE ? weft_emit(block, start + q->hop)
                                         : weft_emit_across(block, step.slot, start + q->hop);
        event->to = step.local;
        weft_packet_move(special ? site->platform->key : WEFT_KEY_NARROW, event, packet,
                         WEFT_HEADER, chosen.port);
    }
    event->key += cut & (weft_event_kind(packet) == WEFT_HEADER); /* cuts */
    weft_packet_step(event, chosen.next_header);
    if (special && q->history && weft_event_kind(packet) == WEFT_HEADER)
        note(site, router, packet, event, cut);
}

/* Queues at inputs, packets whose history is asked for, and routers of more than 64 ports. */
static __attribute__((noinline)) void forward_specially(weft_site *site, weft_block *block,
                                                        uint32_t router, const weft_event *packet,
                                                        weft_time now, weft_time tail)
{
    forward_as(true, site, block, router, packet, now, tail);
}

static inline __attribute__((always_inline)) void forward(weft_site *site, weft_block *block,
                                                          uint32_t router, const weft_event *packet,
                                                          weft_time now, weft_time tail)
{
    if (((const weft_oq *)site->state)->special)
        forward_specially(site, block, router, packet, now, tail);
    else
        forward_as(false, site, block, router, packet, now, tail);
}

#include "sim/router/output_queued/hop_impl.h"

/* The tick in which the tail of a header that arrives now is there. */
static weft_time tail_of(const weft_oq *q, const weft_event *packet, weft_time now)
{
    return now + weft_packet_flits(packet) * q->flit - q->header;
}

/* The packet has reached its router: through the reception port, if there is one, to the
 * endpoint. */
static void receive(weft_site *site, weft_block *block, uint32_t router, const weft_event *packet,
                    weft_time now, weft_time tail)
{
    weft_oq *q = site->state;
    weft_time end = q->lead == q->header ? tail : later(now, tail_of(q, packet, now));
    if (q->reception) {
        weft_time *free = &q->reception[(size_t)router * q->hosts +
                                        weft_packet_host(site->platform->key, packet, q->hosts)];
        weft_time start = idle(site, *free, now, packet, 0) ? now : later(*free, tail);
        end = *free = start + weft_packet_flits(packet) * q->flit;
    }
    end += site->platform->host_latency;
    if (end < q->sync_point || end <= now) { /* nothing reads counts before then */
        weft_assembly_deliver(site, router, packet, later(end, now));
        return;
    }
    weft_event *event = weft_emit(block, end);
    event->to = router;
    weft_packet_move(q->special ? site->platform->key : WEFT_KEY_NARROW, event, packet,
                     WEFT_DELIVER, 0);
}

/* A header from a link or an injection port; its tail follows at the link's pace. */
static void arrive(weft_site *site, weft_block *block, uint32_t router, const weft_event *packet,
                   weft_time now)
{
    const weft_oq *q = site->state;
    weft_time tail = later(now, now + weft_packet_flits(packet) * q->flit - q->lead);
    if (weft_packet_header(packet))
        forward(site, block, router, packet, now, tail);
    else
        receive(site, block, router, packet, now, tail);
}

/* A message that enters complete and at once. */
static void enter(weft_site *site, weft_block *block, uint32_t router, const weft_event *packet,
                  weft_time now)
{
    if (weft_packet_header(packet))
        forward(site, block, router, packet, now, now);
    else
        receive(site, block, router, packet, now, now);
}

/* Without injection ports: every packet of every message of this tick enters at once and
 * complete. */
static void inject(weft_site *site, weft_block *block, uint32_t router, uint32_t source,
                   weft_time now)
{
    const weft_oq *q = site->state;
    weft_event packet;
    packet.to = router;
    do {
        weft_sources_take(site, source, &packet);
        packet.key |= weft_packet_key(WEFT_KEY_NARROW, WEFT_WAKE, 0);
        if (q->field && weft_packet_header(&packet))
            hop(site, q, block, &packet, now, WEFT_FAR_AHEAD); /* it is complete */
        else
            enter(site, block, router, &packet, now);
    } while (weft_sources_due(site, source, now));
    weft_sources_arm(site, block, source, now);
}

/* The flow of this endpoint whose next packet's message has waited longest (the first on ties);
 * false if none has arrived yet. */
static bool longest_waiting(const weft_site *site, uint32_t endpoint, weft_time now,
                            uint32_t *source)
{
    uint32_t traffic_classes = site->platform->network->n_traffic_classes;
    bool found = false;
    for (uint32_t s = endpoint * traffic_classes; s < (endpoint + 1) * traffic_classes; s++)
        if (weft_sources_due(site, s, now) &&
            (!found || weft_fine_time_before(weft_sources_since(site, s),
                                             weft_sources_since(site, *source)))) {
            *source = s;
            found = true;
        }
    return found;
}

/* With one injection port per endpoint: if it is free it takes a packet, sends it as a link would,
 * and asks again when the last flit has left. */
static void inject_by_port(weft_site *site, weft_block *block, uint32_t router, uint32_t source,
                           weft_time now)
{
    const weft_platform *platform = site->platform;
    const weft_oq *q = site->state;
    uint32_t endpoint = source / platform->network->n_traffic_classes;
    weft_event packet;
    if (q->injection[endpoint] > now || !longest_waiting(site, endpoint, now, &source))
        return;
    weft_sources_take(site, source, &packet);
    weft_time busy = weft_packet_flits(&packet) * platform->flit,
              header = later(q->header + platform->host_latency, 1);
    q->injection[endpoint] = now + busy;
    weft_event *event = weft_emit(block, now + header);
    event->to = router;
    weft_packet_move(site->platform->key, event, &packet, WEFT_ENTER, 0);
    wake_port(site, block, endpoint, now + busy);
    if (!weft_sources_due(site, source, now))
        weft_sources_arm(site, block, source, now);
}

/* Ranks of programs, after all else of a tick; what they send now enters now. */
static __attribute__((noinline)) void run_ranks(weft_site *site, weft_block *block, weft_time now)
{
    bool ports = ((const weft_oq *)site->state)->injection != NULL;
    const uint32_t *sources;
    uint32_t count = weft_processes_tick(site, block, now, &sources);
    for (uint32_t i = 0; i < count; i++)
        (ports ? inject_by_port : inject)(site, block, weft_site_router_of(site, sources[i]),
                                          sources[i], now);
}

/* What is not a header. */
static inline __attribute__((always_inline)) void
handle(bool ports, weft_site *site, weft_block *block, const weft_event *event, weft_time now)
{
    weft_kind kind = weft_event_kind(event);
    if (kind == WEFT_DELIVER)
        weft_assembly_deliver(site, event->to, event, now);
    else if (kind == WEFT_DEPART)
        depart(site, block, event, now);
    else if (!weft_wake_is_ranks(event))
        (ports ? inject_by_port : inject)(site, block, event->to, weft_wake_number(event), now);
}

/* Hops in a loop of their own. */
static void tick_lattice(weft_site *site, weft_block *block, const weft_batch *given)
{
    const weft_oq *q = site->state;
    const weft_batch batch = *given;
    for (const weft_event *event = batch.events; event < batch.events + batch.n_events; event++) {
        if (__builtin_expect(!weft_event_is_head(event), 0)) {
            handle(q->injection != NULL, site, block, event, batch.now);
            continue;
        }
        if (__builtin_expect(weft_packet_header(event) != 0, 1))
            hop(site, q, block, event, batch.now, q->lead);
        else
            receive(site, block, event->to, event, batch.now,
                    later(batch.now, tail_of(q, event, batch.now) + q->header - q->lead));
    }
}

static void tick(void *state, weft_block *block, const weft_batch *given)
{
    weft_site *site = state;
    if (((const weft_oq *)site->state)->field && !site->processes) {
        tick_lattice(site, block, given);
        return;
    }
    bool ports = ((const weft_oq *)site->state)->injection != NULL;
    const weft_batch batch = *given; /* a copy the handlers cannot reach */
    for (const weft_event *event = batch.events; event < batch.events + batch.n_events; event++) {
        if (weft_event_is_head(event))
            arrive(site, block, event->to, event, batch.now);
        else
            handle(ports, site, block, event, batch.now);
    }
    if (site->processes)
        run_ranks(site, block, batch.now);
}

static void timer(void *state, weft_block *block, uint32_t source, weft_time now)
{
    weft_sources_timer(state, block, source, now);
}

const weft_router_kind weft_router_output_queued = {
    .carriage =
        {.base = {.abi = WEFT_ABI,
                  .size = sizeof(weft_router_kind),
                  .name = "output-queued",
                  .brief =
                      "idealised virtual cut-through with unbounded output FIFOs (Rexford & Shin)",
                  .params = params,
                  .settings_size = sizeof(weft_oq_settings)},
         .handles_faults = true},
    .model = {.tick = tick, .timer = timer, .seat = weft_site_seat, .rest = rest},
    .programs = true,
    .lookahead = weft_oq_lookahead,
    .check = weft_oq_check,
    .open = weft_oq_open,
    .close = weft_oq_close,
    .estimate.bytes = weft_oq_bytes,
    .estimate.zero_load = weft_oq_zero_load,
    .counting.link_busy = weft_oq_link_busy,
    .counting.n_counters = weft_oq_counters,
    .counting.counter = weft_oq_counter,
    .counting.quantities = weft_oq_quantities,
    .counting.pairs = true,
    .checkpoint.save = weft_oq_save,
    .checkpoint.load = weft_oq_load,
    .start = start,
};
