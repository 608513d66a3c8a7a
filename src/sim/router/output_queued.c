/* SPDX-License-Identifier: Apache-2.0 */
/* The idealised output-queued virtual-cut-through router of Rexford & Shin: unbounded FIFOs, strictly
 * in the order of header arrival.
 *
 * A header arrives at tick t. If its link is idle the packet cuts through and starts at t. Otherwise it
 * is stored completely and starts at max(link free, tail arrived). So the start is known at once and a
 * hop costs one event: the header's arrival at the next router, header + wire latency after the start.
 *
 * A packet right behind another one meets a *systematic tie*: its header arrives in the very tick in
 * which the link becomes free. Variant S2 tosses a coin, S0 lets it cut through (reference: Rexford &
 * Shin's figures follow S2). The tie rule belongs to every number this router gives. */
#include "base/memory.h"
#include "sim/assembly.h"
#include "sim/router.h"
#include "sim/source.h"

#include <stdlib.h>

enum { VARIANT_S2, VARIANT_S0 };
static const char *const variants[] = {"S2", "S0", NULL};

typedef struct settings {
    weft_duration header;
    int variant;
} settings;

static const weft_param params[] = {
    {.name = "header",
     .brief = "time from the start on a link to the header being read at the other end",
     .type = WEFT_PARAM_DURATION,
     .offset = offsetof(settings, header),
     .fallback = "1 cycle",
     .min = 0,
     .max = 1e12},
    {.name = "variant",
     .brief = "a header that arrives as its link becomes free: S2 tosses a coin, S0 cuts through",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, variant),
     .fallback = "S2",
     .choices = variants},
    {.name = NULL},
};

typedef struct queues {   /* of one block; what a hop reads stands together */
    weft_time *link_free; /* router × ports: first tick at which the link can start a packet */
    int64_t *link_flits;  /* the same: ticks handed to it so far; NULL: not counted */
    weft_time flit;       /* ticks per flit */
    weft_time header;     /* start on a link → header read … */
    weft_time hop;        /* … at the next router, wire included */
    unsigned
        straight; /* candidates are so many of the topology's ways, whatever router and flow; 0: routing has to be asked */
    uint32_t ports, hosts;
    bool coin;
    const weft_routing *routing[WEFT_CLASSES_MAX]; /* per flow */
    weft_time *reception; /* router × hosts: like link_free, for reception ports; NULL: unlimited */
    weft_time *injection; /* router × hosts: when an injection port is free; NULL: unlimited */
} queues;

#define NEVER_USED (-1) /* free since before the start: no tie in tick 0 */

static weft_time header_ticks(const weft_fabric *fabric)
{
    const settings *set = fabric->router_settings;
    return weft_timing_ticks(&fabric->network->timing, set->header);
}

static weft_time lookahead(const weft_fabric *fabric)
{
    return header_ticks(fabric) + fabric->latency;
}

/* Idealised: links of one rate, endpoints without insides. */
static weft_status check(const weft_fabric *fabric, weft_error *err)
{
    const weft_topology *topology = &fabric->network->topology;
    const weft_time *period = fabric->period;
    const char *beyond = fabric->endpoint_ports > 1 ? "ports"
                         : fabric->send_delay > 0   ? "delay"
                         : fabric->bus_period > 0   ? "bus-rate"
                         : fabric->bus_latency > 0  ? "bus-latency"
                         : fabric->dma > 0          ? "dma"
                                                    : NULL;
    if (period[WEFT_LINK_HOST] != period[WEFT_LINK_LOCAL])
        return weft_fail(err, WEFT_BAD_INPUT,
                         "links.host.rate must be the rate of links.local: routers of kind "
                         "output-queued join links of one rate");
    for (uint32_t p = 0; p < topology->ports; p++)
        if (period[topology->port_class[p]] != period[WEFT_LINK_LOCAL] ||
            fabric->wire[topology->port_class[p]] != fabric->latency)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "links.global must have the rate and the latency of links.local: "
                             "routers of kind output-queued join links of one kind");
    if (beyond)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "endpoint.%s must be left out: endpoints of routers of kind "
                         "output-queued have one link and no delays of their own",
                         beyond);
    return WEFT_OK;
}

static size_t region(uint32_t routers, uint32_t each)
{
    return sizeof(weft_time) * routers * each;
}

static void fill(weft_time *times, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof *times; i++)
        times[i] = NEVER_USED;
}

static void open_queues(weft_site *site)
{
    const weft_fabric *fabric = site->fabric;
    queues *q = weft_alloc(sizeof *q);
    q->ports = fabric->network->topology.ports;
    q->hosts = fabric->network->topology.hosts;
    const weft_topology *topology = &fabric->network->topology;
    if (topology->relative && !topology->faults)
        q->straight = fabric->network->flow[0].routing.straight;
    for (uint32_t f = 0; f < fabric->network->flows; f++) {
        q->routing[f] = &fabric->network->flow[f].routing;
        if (q->routing[f]->straight != q->straight)
            q->straight = 0;
    }
    q->coin = ((const settings *)fabric->router_settings)->variant == VARIANT_S2;
    q->flit = fabric->flit;
    q->header = header_ticks(fabric);
    q->hop = lookahead(fabric);
    q->link_free = weft_region_create(region(site->routers, q->ports));
    fill(q->link_free, region(site->routers, q->ports));
    if (fabric->count_links)
        q->link_flits = weft_region_create(region(site->routers, q->ports));
    if (fabric->reception_port) {
        q->reception = weft_region_create(region(site->routers, q->hosts));
        fill(q->reception, region(site->routers, q->hosts));
    }
    if (fabric->injection_port) {
        q->injection = weft_region_create(region(site->routers, q->hosts));
        fill(q->injection, region(site->routers, q->hosts));
    }
    site->hot = q->link_free;
    site->hot_bytes = (uint32_t)region(1, q->ports);
    site->state = q;
}

static void close_queues(weft_site *site)
{
    queues *q = site->state;
    weft_region_destroy(q->link_free, region(site->routers, q->ports));
    if (q->link_flits)
        weft_region_destroy(q->link_flits, region(site->routers, q->ports));
    if (q->reception)
        weft_region_destroy(q->reception, region(site->routers, q->hosts));
    if (q->injection)
        weft_region_destroy(q->injection, region(site->routers, q->hosts));
    free(q);
}

static int64_t bytes(const weft_fabric *fabric)
{
    const weft_topology *topology = &fabric->network->topology;
    int64_t each = (int64_t)sizeof(weft_time);
    int64_t ends = fabric->reception_port + fabric->injection_port;
    return each * topology->ports * (fabric->count_links ? 2 : 1) + each * topology->hosts * ends;
}

/* Alone a packet cuts through everywhere; at its end it streams through the reception port, or is there with its
 * tail: at once, if it was complete there from the start. */
static double quiet(const weft_fabric *fabric, const weft_mean_path *path, double flits,
                    double packet)
{
    (void)packet;
    double hops = 0, header = (double)header_ticks(fabric), length = flits * (double)fabric->flit;
    for (int a = 0; a < WEFT_LINK_CLASSES; a++)
        for (int b = 0; b < WEFT_LINK_CLASSES; b++)
            hops += b == WEFT_LINK_HOST ? 0 : path->link[a][b];
    double ticks = hops * (double)lookahead(fabric) + (double)fabric->host_latency;
    double enter = header + (double)fabric->host_latency;
    if (fabric->injection_port)
        ticks += enter > 1 ? enter : 1;
    if (fabric->reception_port)
        return ticks + length;
    double tail = length > header ? length - header : 0;
    double stays = fabric->injection_port ? 0 : path->link[WEFT_LINK_HOST][WEFT_LINK_HOST];
    return ticks + (1 - stays) * tail;
}

static int64_t link_busy(const weft_site *site, uint32_t router, uint32_t port, weft_time now)
{
    const queues *q = site->state;
    size_t link = (size_t)router * q->ports + port;
    weft_time ahead = q->link_free[link] - now; /* handed out but not carried yet */
    return q->link_flits[link] - (ahead > 0 ? ahead : 0);
}

/* The times (and counts) of one router, in all the arrays there are. */
static void save_times(const int64_t *times, uint32_t router, uint32_t each, weft_pack *pack)
{
    for (uint32_t i = 0; times && i < each; i++)
        weft_pack_i64(pack, times[(size_t)router * each + i]);
}

static void load_times(int64_t *times, uint32_t router, uint32_t each, weft_time most,
                       weft_unpack *from)
{
    for (uint32_t i = 0; times && i < each; i++) {
        int64_t *time = &times[(size_t)router * each + i];
        *time = weft_unpack_i64(from);
        if (*time < NEVER_USED || *time >= most)
            weft_unpack_fail(from);
    }
}

static void save(const weft_site *site, uint32_t router, weft_pack *pack)
{
    const queues *q = site->state;
    save_times(q->link_free, router, q->ports, pack);
    save_times(q->link_flits, router, q->ports, pack);
    save_times(q->reception, router, q->hosts, pack);
    save_times(q->injection, router, q->hosts, pack);
}

static void load(weft_site *site, uint32_t router, weft_time now, weft_unpack *from)
{
    const queues *q = site->state;
    load_times(q->link_free, router, q->ports, now + WEFT_FAR_AHEAD, from);
    load_times(q->link_flits, router, q->ports, now + WEFT_FAR_AHEAD, from);
    load_times(q->reception, router, q->hosts, now + WEFT_FAR_AHEAD, from);
    load_times(q->injection, router, q->hosts, now + WEFT_FAR_AHEAD, from);
    uint32_t flows = site->fabric->network->flows, first = router * q->hosts * flows;
    for (uint32_t s = first; q->injection && s < first + q->hosts * flows; s++)
        if (weft_sources_due(site, s, now - 1) && q->injection[s / flows] < now)
            weft_unpack_fail(from); /* a message that waits, but not for its port */
}

/* A wake-up of an endpoint's port; tells it from an arrival by data[1]; both do the same, in any order. */
static void wake_port(const weft_site *site, weft_block *block, uint32_t endpoint, weft_time at)
{
    const weft_network *network = site->fabric->network;
    weft_event *event = weft_emit(block, at);
    event->to = endpoint / network->topology.hosts;
    event->key = weft_key(WEFT_WAKE, 0);
    event->data[0] = endpoint * network->flows;
    event->data[1] = 1;
}

/* Wakes the injection ports that are free or become so. */
static void start(weft_site *site, weft_block *block, weft_time now)
{
    const queues *q = site->state;
    for (uint32_t e = 0; q->injection && e < site->routers * q->hosts; e++)
        if (q->injection[e] >= now)
            wake_port(site, block, e, q->injection[e]);
}

static weft_random draw(const weft_site *site, const weft_event *packet, weft_purpose purpose)
{
    return weft_packet_draw(site->fabric->network->seed, packet, purpose);
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
    if (free != now || !((const queues *)site->state)->coin)
        return free <= now;
    return toss(site, packet, way);
}

static weft_time later(weft_time a, weft_time b)
{
    return a > b ? a : b;
}

/* Ways whose port is not down; returns how many. */
static unsigned keep_alive(const weft_topology *topology, uint32_t router, weft_way *ways,
                           unsigned count)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++)
        if (weft_topology_alive(topology, router, ways[i].port))
            ways[kept++] = ways[i];
    assert(kept > 0); /* net/faults.c has looked */
    return kept;
}

/* Candidates that the topology alone cannot give. */
static __attribute__((noinline)) unsigned
ask(const weft_site *site, uint32_t router, const weft_event *packet, weft_time now, weft_way *ways)
{
    const queues *q = site->state;
    const weft_network *network = site->fabric->network;
    bool down = network->topology.faults && now >= network->faults_at;
    const weft_routing *routing = q->routing[weft_packet_flow(packet)];
    uint32_t id = weft_partition_router(site->fabric->partition, site->block, router);
    weft_random drawn, *random = NULL;
    if (routing->draws) {
        drawn = draw(site, packet, WEFT_FOR_HOP);
        random = &drawn;
    }
    if (routing->kind->candidates) {
        unsigned count = routing->kind->candidates(routing, id, packet->data[3], random, ways);
        return down ? keep_alive(routing->topology, id, ways, count) : count;
    }
    weft_here here = {.router = id, .route = packet->data[3], .port = WEFT_FROM_ENDPOINT};
    weft_hop hops[WEFT_WAYS_MAX];
    unsigned count = down ? weft_routing_hops(routing, &here, random, hops)
                          : routing->kind->hops(routing, &here, random, hops);
    for (unsigned i = 0; i < count; i++)
        ways[i] = (weft_way){.port = hops[i].port, .hops = 1, .after = hops[i].after};
    return count;
}

/* Candidate ports of a packet, best first. */
static inline __attribute__((always_inline)) unsigned candidates(const weft_site *site,
                                                                 uint32_t router,
                                                                 const weft_event *packet,
                                                                 weft_time now, weft_way *ways)
{
    const queues *q = site->state;
    const weft_topology *topology = &site->fabric->network->topology;
    if (q->straight)
        return topology->kind->ways(topology, 0, packet->data[3], q->straight, ways);
    return ask(site, router, packet, now, ways);
}

/* Sends a packet on from a router; tail is when it is stored completely. At an intermediate router
 * (one it has come to over a link) starting without waiting counts as a cut-through. */
static inline __attribute__((always_inline)) void forward(weft_site *site, weft_block *block,
                                                          uint32_t router, const weft_event *packet,
                                                          weft_time now, weft_time tail)
{
    const queues *q = site->state;
    weft_time *links = q->link_free + (size_t)router * q->ports;
    weft_way ways[WEFT_WAYS_MAX];
    unsigned count = candidates(site, router, packet, now, ways), way = 0;
    assert(count > 0);
    uint32_t cut = idle(site, links[ways[0].port], now, packet, 0);
    if (count > 1)
        while (!cut && ++way < count)
            cut = idle(site, links[ways[way].port], now, packet, way);
    weft_way chosen = ways[cut ? way : 0];
    weft_time busy = weft_packet_flits(packet) * q->flit;
    weft_time wait = later(links[chosen.port], tail), start = cut ? now : wait;
    links[chosen.port] = start + busy;
    if (q->link_flits)
        q->link_flits[(size_t)router * q->ports + chosen.port] += busy;
    weft_step step =
        weft_partition_step(site->fabric->partition, site->box, site->block, router, chosen.port);
    weft_event *event = step.slot == WEFT_INSIDE
                            ? weft_emit(block, start + q->hop)
                            : weft_emit_across(block, step.slot, start + q->hop);
    event->to = step.local;
    weft_packet_move(event, packet, WEFT_HEADER, chosen.port);
    event->key += cut & (weft_event_kind(packet) == WEFT_HEADER); /* cuts */
    event->data[3] = chosen.after;
    event->data[4]++; /* hops */
}

/* The packet has reached its router: through the reception port, if there is one, to the endpoint. */
static void receive(weft_site *site, weft_block *block, uint32_t router, const weft_event *packet,
                    weft_time now, weft_time tail)
{
    queues *q = site->state;
    weft_time end = tail;
    if (q->reception) {
        weft_time *free = &q->reception[(size_t)router * q->hosts + weft_packet_host(packet)];
        weft_time start = idle(site, *free, now, packet, 0) ? now : later(*free, tail);
        end = *free = start + weft_packet_flits(packet) * q->flit;
    }
    end += site->fabric->host_latency;
    if (end <= now) {
        weft_assembly_deliver(site, router, packet, now);
        return;
    }
    weft_event *event = weft_emit(block, end);
    event->to = router;
    weft_packet_move(event, packet, WEFT_DELIVER, 0);
}

/* A header from a link or an injection port; its tail follows at the link's pace. */
static void arrive(weft_site *site, weft_block *block, uint32_t router, const weft_event *packet,
                   weft_time now)
{
    const queues *q = site->state;
    weft_time tail = later(now, now + weft_packet_flits(packet) * q->flit - q->header);
    if (packet->data[3])
        forward(site, block, router, packet, now, tail);
    else
        receive(site, block, router, packet, now, tail);
}

/* A message that enters complete and at once. */
static void enter(weft_site *site, weft_block *block, uint32_t router, const weft_event *packet,
                  weft_time now)
{
    if (packet->data[3])
        forward(site, block, router, packet, now, now);
    else
        receive(site, block, router, packet, now, now);
}

/* Without injection ports: every packet of every message of this tick enters at once and complete. */
static void inject(weft_site *site, weft_block *block, uint32_t router, uint32_t source,
                   weft_time now)
{
    weft_event packet;
    do {
        weft_sources_take(site, source, &packet);
        packet.key |= weft_key(WEFT_WAKE, 0);
        enter(site, block, router, &packet, now);
    } while (weft_sources_due(site, source, now));
    weft_sources_arm(site, block, source, now);
}

/* The flow of this endpoint whose next packet's message has waited longest (the first on ties); false if none
 * has arrived yet. */
static bool longest_waiting(const weft_site *site, uint32_t endpoint, weft_time now,
                            uint32_t *source)
{
    uint32_t flows = site->fabric->network->flows;
    bool found = false;
    for (uint32_t s = endpoint * flows; s < (endpoint + 1) * flows; s++)
        if (weft_sources_due(site, s, now) &&
            (!found || weft_sources_since(site, s) < weft_sources_since(site, *source))) {
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
    const weft_fabric *fabric = site->fabric;
    const queues *q = site->state;
    uint32_t endpoint = source / fabric->network->flows;
    weft_event packet;
    if (q->injection[endpoint] > now || !longest_waiting(site, endpoint, now, &source))
        return;
    weft_sources_take(site, source, &packet);
    weft_time busy = weft_packet_flits(&packet) * fabric->flit,
              header = later(q->header + fabric->host_latency, 1);
    q->injection[endpoint] = now + busy;
    weft_event *event = weft_emit(block, now + header);
    event->to = router;
    weft_packet_move(event, &packet, WEFT_ENTER, 0);
    wake_port(site, block, endpoint, now + busy);
    if (!weft_sources_due(site, source, now))
        weft_sources_arm(site, block, source, now);
}

static void tick(void *state, weft_block *block, const weft_batch *given)
{
    weft_site *site = state;
    bool ports = ((const queues *)site->state)->injection != NULL;
    const weft_batch batch = *given; /* a copy the handlers cannot reach */
    for (const weft_event *event = batch.events; event < batch.events + batch.count; event++) {
        weft_kind kind = weft_event_kind(event);
        if (kind <= WEFT_ENTER)
            arrive(site, block, event->to, event, batch.now);
        else if (kind == WEFT_DELIVER)
            weft_assembly_deliver(site, event->to, event, batch.now);
        else
            (ports ? inject_by_port : inject)(site, block, event->to, event->data[0], batch.now);
    }
}

static void timer(void *state, weft_block *block, uint32_t source, weft_time now)
{
    weft_sources_timer(state, block, source, now);
}

const weft_router_kind weft_router_output_queued = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_router_kind),
             .name = "output-queued",
             .brief = "idealised virtual cut-through with unbounded output FIFOs (Rexford & Shin)",
             .params = params,
             .settings_size = sizeof(settings)},
    .model = {.tick = tick, .timer = timer, .seat = weft_site_seat, .rest = weft_sources_rest},
    .lookahead = lookahead,
    .check = check,
    .open = open_queues,
    .close = close_queues,
    .bytes = bytes,
    .quiet = quiet,
    .link_busy = link_busy,
    .save = save,
    .load = load,
    .start = start,
};
