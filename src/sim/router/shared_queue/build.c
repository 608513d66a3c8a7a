/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of routers with one queue, what they can be used for, and their memory. */
#include "base/memory.h"
#include "sim/router/shared_queue/shared_queue.h"

#include <stdlib.h>

static const char *const holds_names[] = {"waiting", "all", NULL};
static const char *const full_names[] = {"drop", "wait", NULL};
static const char *const extraction_names[] = {"suitable", "chosen", NULL};
static const char *const order_names[] = {"release-first", "event-list", NULL};

const weft_param weft_sq_params[] = {
    {.name = "queue",
     .brief = "packets a router may hold, one number for all routers or one for each; none: any",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(weft_sq_settings, queue),
     .fallback = "none",
     .min = 0,
     .max = 1e9},
    {.name = "holds",
     .brief = "what counts towards queue: packets that wait, or all, those being sent too",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_sq_settings, holds),
     .fallback = "waiting",
     .choices = holds_names},
    {.name = "full",
     .brief =
         "a packet that finds no room: drop it, or let it wait at the router before, by credits "
         "(a chain of routers that is fed at its start)",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_sq_settings, full),
     .fallback = "drop",
     .choices = full_names},
    {.name = "extraction",
     .brief = "which packet takes an output that has become free: the first to which it is a "
              "minimal port, or the first whose routing chose it",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_sq_settings, extraction),
     .fallback = "suitable",
     .choices = extraction_names},
    {.name = "order",
     .brief = "simultaneous events of a router: outputs that become free, then arrivals, then new "
              "packets; or as in a sequential event list, by when they were inserted (ts)",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_sq_settings, order),
     .fallback = "release-first",
     .choices = order_names},
    {.name = "credit",
     .brief = "time from room becoming free to the router before knowing it (full: wait)",
     .type = WEFT_PARAM_DURATION,
     .offset = offsetof(weft_sq_settings, credit),
     .fallback = "1 cycle",
     .min = 0,
     .max = 1e12},
    {.name = NULL},
};

static weft_time credit_ticks(const weft_platform *platform)
{
    const weft_sq_settings *set = platform->router_settings;
    return weft_timing_ticks(&platform->network->timing, set->credit);
}

static bool is_chain(const weft_platform *platform)
{
    return ((const weft_sq_settings *)platform->router_settings)->full == WEFT_SQ_WAIT;
}

static bool is_listed(const weft_platform *platform)
{
    return ((const weft_sq_settings *)platform->router_settings)->order == WEFT_SQ_EVENT_LIST;
}

static uint32_t outputs_of(const weft_platform *platform)
{
    const weft_topology *topology = &platform->network->topology;
    return topology->ports + (platform->reception_port ? topology->concentration : 0);
}

/* A flit on the quickest link, or a credit. */
weft_time weft_sq_lookahead(const weft_platform *platform)
{
    const weft_topology *topology = &platform->network->topology;
    weft_time least = WEFT_FAR_AHEAD;
    for (uint32_t p = 0; p < topology->ports; p++) {
        weft_link_class class = (weft_link_class)topology->port_class[p];
        weft_time hop = platform->period[class] + platform->wire[class];
        least = hop < least ? hop : least;
    }
    if (is_chain(platform) && credit_ticks(platform) < least)
        least = credit_ticks(platform);
    return least;
}

static weft_status check_endpoints(const weft_platform *platform, weft_error *err)
{
    const char *beyond = platform->endpoint_ports > 1 ? "ports"
                         : platform->injection_port   ? "injection"
                         : platform->send_delay > 0   ? "delay"
                         : platform->bus_period > 0   ? "bus-rate"
                         : platform->bus_latency > 0  ? "bus-latency"
                         : platform->dma > 0          ? "dma"
                                                      : NULL;
    if (beyond)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "endpoint.%s must be left out: messages enter routers of kind "
                         "shared-queue at once, and endpoints have no delays of their own",
                         beyond);
    return WEFT_OK;
}

/* Only then is there nobody else who takes the room that a router behind believes to be free,
 * and nothing waits in a circle. */
static weft_status check_chain(const weft_platform *platform, weft_error *err)
{
    const weft_network *network = platform->network;
    const weft_topology *topology = &network->topology;
    const weft_lattice *lattice = &topology->lattice;
    const weft_sq_settings *set = platform->router_settings;
    bool wait_queue =
        lattice->dims == 1 && !lattice->full && (!lattice->wraps[0] || topology->ports == 1);
    if (set->queue.count == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.full wait needs router.queue, the room there is");
    if (!wait_queue)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.full wait is for a chain of routers: use topology mesh with one "
                         "dimension, or router input-queued");
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        if (!network->traffic_classes[f].routing.kind->always_minimal)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "router.full wait: packets may only go on from the first router, but "
                             "routing %s leads some of them back: use a minimal one",
                             network->traffic_classes[f].routing.kind->base.name);
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        for (uint32_t e = topology->concentration; e < network->endpoints; e++) {
            const weft_workload *workload = &network->traffic_classes[f].workload;
            if (workload->kind->first(workload, e).live)
                return weft_fail(err, WEFT_BAD_INPUT,
                                 "router.full wait: only endpoints of the first router may send, "
                                 "but endpoint %u does (traffic.%s): give from",
                                 e, network->traffic_classes[f].name);
        }
    return WEFT_OK;
}

/* Does it rank the minimal ports of the route header? */
static bool is_ranking(const weft_routing *routing)
{
    return routing->selection && !routing->kind->initial_header && routing->kind->ports_wanted;
}

/* Only then is every transmission as long as every other, and has each router one source. */
static weft_status check_listed(const weft_platform *platform, weft_error *err)
{
    const weft_network *network = platform->network;
    const weft_topology *topology = &network->topology;
    const weft_traffic_class *traffic_class = &network->traffic_classes[0];
    bool alike = true, wires = false;
    for (uint32_t p = 0; p < topology->ports; p++) {
        alike = alike && topology->port_class[p] == topology->port_class[0];
        wires = wires || platform->wire[topology->port_class[p]] > 0;
    }
    const char *wants =
        topology->concentration > 1      ? "one endpoint at every router"
        : network->n_traffic_classes > 1 ? "a single traffic class"
        : traffic_class->mean_flits < traffic_class->most_flits || weft_platform_cuts_any(platform)
            ? "packets of one length"
        : !is_ranking(&traffic_class->routing) ? "routing minimal-oblivious or minimal-adaptive"
        : !alike                               ? "links of one class"
        : wires                                ? "links without latency"
        : platform->reception_port             ? "endpoint.reception unlimited"
        : is_chain(platform)                   ? "router.full drop"
                                               : NULL;
    if (wants)
        return weft_fail(err, WEFT_BAD_INPUT, "router.order event-list needs %s", wants);
    return WEFT_OK;
}

weft_status weft_sq_check(const weft_platform *platform, weft_error *err)
{
    const weft_sq_settings *set = platform->router_settings;
    const weft_topology *topology = &platform->network->topology;
    bool redraws = false;
    WEFT_TRY(check_endpoints(platform, err));
    if (topology->link_class)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "links have rates or latencies of their own (links.where, or the file of "
                         "the topology): routers of kind shared-queue have them by class; use "
                         "input-queued");
    if (outputs_of(platform) > WEFT_SQ_OUTPUTS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "a router of kind shared-queue has at most %d outputs, here %u: use fewer "
                         "endpoints at a router, or endpoint.reception unlimited",
                         WEFT_SQ_OUTPUTS_MAX, outputs_of(platform));
    if (set->queue.count > 1 && (uint32_t)set->queue.count != topology->routers)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.queue must be one number, or one for each of the %u routers, "
                         "found %d",
                         topology->routers, set->queue.count);
    for (uint32_t f = 0; f < platform->network->n_traffic_classes; f++)
        redraws =
            redraws || weft_length_redraws(&platform->network->traffic_classes[f].traffic.length);
    if ((set->queue.count > 0 || redraws) && weft_platform_cuts_any(platform))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router shared-queue with %s needs messages of one packet: use shorter "
                         "ones, or a longer endpoint.mtu",
                         redraws ? "lengths drawn anew" : "a queue that may be full");
    if (is_listed(platform))
        WEFT_TRY(check_listed(platform, err));
    return is_chain(platform) ? check_chain(platform, err) : WEFT_OK;
}

static size_t record_bytes(const weft_platform *platform)
{
    return sizeof(weft_sq_node) + sizeof(weft_sq_output) * outputs_of(platform);
}

int64_t weft_sq_bytes(const weft_platform *platform)
{
    size_t meters = sizeof(weft_sq_meter) * outputs_of(platform) + 2 * sizeof(int64_t);
    size_t birth = is_listed(platform) ? sizeof(weft_sq_birth) : 0;
    return (int64_t)(record_bytes(platform) + (platform->devices ? meters : 0) + birth);
}

/* A packet that is alone is stored at every router and read by its endpoint at last. */
double weft_sq_zero_load(const weft_platform *platform, const weft_mean_path *path, double flits,
                         double packet)
{
    double ticks = 0;
    (void)packet;
    for (int a = 0; a < WEFT_PATH_CLASSES; a++)
        for (int b = 0; b < WEFT_PATH_CLASSES; b++)
            if (b != WEFT_LINK_HOST || platform->reception_port)
                ticks += path->link[a][b] *
                         (flits * (double)platform->period[b] + (double)platform->wire[b]);
    return ticks;
}

static void open_outputs(weft_sq *q, const weft_platform *platform)
{
    const weft_topology *topology = &platform->network->topology;
    q->ports = topology->ports;
    q->hosts = topology->concentration;
    q->outputs = outputs_of(platform);
    for (uint32_t o = 0; o < q->outputs; o++) {
        int class = o < q->ports ? topology->port_class[o] : WEFT_LINK_HOST;
        q->period[o] = platform->period[class];
        q->wire[o] = platform->wire[class];
    }
    if (topology->kind->minimal_ports != weft_lattice_ways)
        return;
    q->lattice = topology->self;
    for (uint32_t p = 0; p < q->ports; p++)
        q->shift[p] = (uint8_t)weft_grid_axis(&q->lattice->grid, p)->shift;
}

static void open_traffic_classes(weft_sq *q, const weft_network *network)
{
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        q->draws[f] = weft_length_redraws(&network->traffic_classes[f].traffic.length);
        const weft_routing *routing = &network->traffic_classes[f].routing;
        q->ranked[f] = is_ranking(routing);
        q->single[f] = routing->kind->ports_wanted == 1;
        q->sorts[f] = routing->selection && routing->selection->rank;
        q->random[f] = routing->selection && routing->selection->draws;
        q->every[f] = q->ranked[f] && (q->suitable || !q->single[f]);
    }
}

static void open_order(weft_site *site)
{
    weft_sq *q = site->state;
    q->turn = UINT32_MAX; /* every output that becomes free has done so */
    if (!is_listed(site->platform))
        return;
    weft_time flits = site->platform->network->traffic_classes[0].most_flits;
    q->birth = weft_region_create(sizeof *q->birth * site->routers);
    q->scale = weft_precedence_scale_of(flits * q->period[0]);
    for (uint32_t r = 0; r < site->routers; r++) {
        uint32_t id = weft_partition_router(site->platform->partition, site->block, r);
        uint32_t routers = site->platform->network->topology.routers;
        q->birth[r].precedence = weft_precedence_start(id, routers);
        q->birth[r].salt = weft_precedence_salt(id);
    }
}

static size_t region(const weft_site *site, size_t each)
{
    return each * site->routers * ((const weft_sq *)site->state)->outputs;
}

static void open_nodes(weft_site *site, const weft_sq_settings *set)
{
    weft_sq *q = site->state;
    for (uint32_t r = 0; r < site->routers; r++) {
        uint32_t id = weft_partition_router(site->platform->partition, site->block, r);
        uint32_t next = id + 1 < site->platform->network->topology.routers ? id + 1 : id;
        bool one = set->queue.count == 1;
        weft_sq_node *node = weft_sq_at(q, r);
        node->next = WEFT_SQ_NEVER;
        node->room = UINT32_MAX;
        if (set->queue.count > 0) {
            node->room = (uint32_t)set->queue.at[one ? 0 : id];
            node->credits = (uint32_t)set->queue.at[one ? 0 : next];
        }
        for (uint32_t o = 0; o < q->outputs; o++)
            node->output[o].free = -1; /* never used */
    }
}

void weft_sq_open(weft_site *site)
{
    const weft_platform *platform = site->platform;
    const weft_sq_settings *set = platform->router_settings;
    weft_sq *q = site->state = weft_alloc(sizeof *q);
    q->suitable = set->extraction == WEFT_SQ_SUITABLE;
    open_outputs(q, platform);
    open_traffic_classes(q, platform->network);
    open_order(site);
    q->counts_all = set->holds == WEFT_SQ_ALL;
    q->chain = is_chain(platform);
    q->credit = credit_ticks(platform);
    q->down = q->ports > 1 ? 1 : 0;
    q->stride = record_bytes(platform);
    q->nodes = weft_region_create(q->stride * site->routers);
    if (platform->devices) {
        q->meter = weft_region_create(region(site, sizeof *q->meter));
        q->came = weft_region_create(sizeof *q->came * site->routers);
        q->left = weft_region_create(sizeof *q->left * site->routers);
    }
    if (q->lattice)
        q->next = weft_partition_table(platform->partition, site->block, site->routers);
    open_nodes(site, set);
    site->hot = q->nodes;
    site->hot_bytes = (uint32_t)q->stride;
}

void weft_sq_close(weft_site *site)
{
    weft_sq *q = site->state;
    for (uint32_t r = 0; r < site->routers; r++)
        weft_wait_queue_done(&weft_sq_at(q, r)->wait_queue);
    weft_region_destroy(q->nodes, q->stride * site->routers);
    if (q->birth)
        weft_region_destroy(q->birth, sizeof *q->birth * site->routers);
    if (q->meter) {
        weft_region_destroy(q->meter, region(site, sizeof *q->meter));
        weft_region_destroy(q->came, sizeof *q->came * site->routers);
        weft_region_destroy(q->left, sizeof *q->left * site->routers);
    }
    free(q->next);
    free(q);
}
