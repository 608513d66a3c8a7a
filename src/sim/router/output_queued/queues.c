/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/output_queued/output_queued.h"

#include "base/memory.h"
#include "net/selection.h"
#include "sim/source.h"

#include <stdlib.h>

#define NEVER_USED (-1) /* free since before the start: no tie in tick 0 */

weft_time weft_oq_header(const weft_platform *platform)
{
    const weft_oq_settings *set = platform->router_settings;
    return weft_timing_ticks(&platform->network->timing, set->header);
}

weft_time weft_oq_lookahead(const weft_platform *platform)
{
    return weft_oq_header(platform) + platform->latency;
}

/* Idealised: links of one rate, endpoints without insides. */
weft_status weft_oq_check(const weft_platform *platform, weft_error *err)
{
    const weft_topology *topology = &platform->network->topology;
    const weft_time *period = platform->period;
    const char *beyond = platform->endpoint_ports > 1 ? "ports"
                         : platform->send_delay > 0   ? "delay"
                         : platform->bus_period > 0   ? "bus-rate"
                         : platform->bus_latency > 0  ? "bus-latency"
                         : platform->dma > 0          ? "dma"
                                                      : NULL;
    const weft_oq_settings *set = platform->router_settings;
    if ((set->fifos == WEFT_OQ_INPUT || platform->devices) && !topology->uniform)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s is for topologies whose links join the same ports everywhere (torus, "
                         "mesh, hypercube), found a %s",
                         platform->devices ? "measure.devices of routers of kind output-queued"
                                           : "router.fifos input",
                         topology->kind->base.name);
    if (topology->link_class)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "links have rates or latencies of their own (links.where, or the file of "
                         "the topology): routers of kind output-queued join links of one kind; use "
                         "input-queued");
    if (period[WEFT_LINK_HOST] != period[WEFT_LINK_LOCAL])
        return weft_fail(err, WEFT_BAD_INPUT,
                         "links.host.rate must be the rate of links.local: routers of kind "
                         "output-queued join links of one rate");
    for (uint32_t p = 0; p < topology->ports; p++)
        if (period[topology->port_class[p]] != period[WEFT_LINK_LOCAL] ||
            platform->wire[topology->port_class[p]] != platform->latency)
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

/* Counts of one router by pairs of links. */
static uint32_t turns(uint32_t ports)
{
    return ports * ports * WEFT_COUNTER_COUNTS;
}

static void fill(weft_time *times, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof *times; i++)
        times[i] = NEVER_USED;
}

/* Where packets follow a lattice in dimension order, and nothing else is asked of a hop. */
static void open_lattice(const weft_site *site, weft_oq *q)
{
    const weft_topology *topology = &site->platform->network->topology;
    if (topology->kind->minimal_ports != weft_lattice_ways || q->straight != 1 || q->special)
        return;
    q->field = ((const weft_lattice_self *)topology->self)->field;
    q->next = weft_partition_table(site->platform->partition, site->block, site->routers);
}

void weft_oq_open(weft_site *site)
{
    const weft_platform *platform = site->platform;
    weft_oq *q = weft_alloc(sizeof *q);
    q->ports = platform->network->topology.ports;
    q->hosts = platform->network->topology.concentration;
    const weft_topology *topology = &platform->network->topology;
    if (topology->proof.header_self_contained && !topology->faults)
        q->straight = platform->network->traffic_classes[0].routing.straight;
    for (uint32_t f = 0; f < platform->network->n_traffic_classes; f++) {
        q->routing[f] = &platform->network->traffic_classes[f].routing;
        q->looks = q->looks || weft_selection_looks(q->routing[f]);
        if (q->routing[f]->straight != q->straight || q->looks)
            q->straight = 0;
    }
    q->coin = ((const weft_oq_settings *)platform->router_settings)->variant == WEFT_OQ_COIN;
    q->history = platform->network->scenario->measure.by == WEFT_BY_HISTORY || platform->devices;
    if (platform->devices)
        q->turned = weft_region_create(region(site->routers, turns(q->ports)));
    q->flit = platform->flit;
    q->header = weft_oq_header(platform);
    q->hop = weft_oq_lookahead(platform);
    q->lead = q->header;
    if (((const weft_oq_settings *)platform->router_settings)->variant == WEFT_OQ_STREAMS)
        q->lead = WEFT_FAR_AHEAD; /* a packet need not be stored */
    q->link_free = weft_region_create(region(site->routers, q->ports));
    fill(q->link_free, region(site->routers, q->ports));
    if (platform->count_links)
        q->link_flits = weft_region_create(region(site->routers, q->ports));
    if (((const weft_oq_settings *)platform->router_settings)->fifos == WEFT_OQ_INPUT) {
        q->input_free = weft_region_create(region(site->routers, q->ports));
        fill(q->input_free, region(site->routers, q->ports));
    }
    if (platform->reception_port) {
        q->reception = weft_region_create(region(site->routers, q->hosts));
        fill(q->reception, region(site->routers, q->hosts));
    }
    if (platform->injection_port) {
        q->injection = weft_region_create(region(site->routers, q->hosts));
        fill(q->injection, region(site->routers, q->hosts));
    }
    q->special = q->history || q->input_free || platform->key.cut_bits < WEFT_KEY_CUT_BITS;
    open_lattice(site, q);
    site->hot = q->link_free;
    site->hot_bytes = (uint32_t)region(1, q->ports);
    site->state = q;
}

void weft_oq_close(weft_site *site)
{
    weft_oq *q = site->state;
    weft_region_destroy(q->link_free, region(site->routers, q->ports));
    if (q->link_flits)
        weft_region_destroy(q->link_flits, region(site->routers, q->ports));
    if (q->turned)
        weft_region_destroy(q->turned, region(site->routers, turns(q->ports)));
    if (q->input_free)
        weft_region_destroy(q->input_free, region(site->routers, q->ports));
    if (q->reception)
        weft_region_destroy(q->reception, region(site->routers, q->hosts));
    if (q->injection)
        weft_region_destroy(q->injection, region(site->routers, q->hosts));
    free(q->next);
    free(q);
}

int64_t weft_oq_bytes(const weft_platform *platform)
{
    const weft_topology *topology = &platform->network->topology;
    int64_t each = (int64_t)sizeof(weft_time);
    int64_t ends = platform->reception_port + platform->injection_port;
    int64_t pairs = platform->devices ? turns(topology->ports) : 0;
    int64_t inputs = ((const weft_oq_settings *)platform->router_settings)->fifos == WEFT_OQ_INPUT;
    return each * (topology->ports * (1 + platform->count_links + inputs) + pairs) +
           each * topology->concentration * ends;
}

/* Alone a packet cuts through everywhere; at its end it streams through the reception port, or
 * is there with its tail: at once, if it was complete there from the start. */
double weft_oq_zero_load(const weft_platform *platform, const weft_mean_path *path, double flits,
                         double packet)
{
    (void)packet;
    double hops = 0, header = (double)weft_oq_header(platform),
           length = flits * (double)platform->flit;
    for (int a = 0; a < WEFT_PATH_CLASSES; a++)
        for (int b = 0; b < WEFT_PATH_CLASSES; b++)
            hops += b == WEFT_LINK_HOST ? 0 : path->link[a][b];
    double ticks = hops * (double)weft_oq_lookahead(platform) + (double)platform->host_latency;
    double enter = header + (double)platform->host_latency;
    if (platform->injection_port)
        ticks += enter > 1 ? enter : 1;
    if (platform->reception_port)
        return ticks + length;
    double tail = length > header ? length - header : 0;
    double stays = platform->injection_port ? 0 : path->link[WEFT_LINK_HOST][WEFT_LINK_HOST];
    return ticks + (1 - stays) * tail;
}

int64_t weft_oq_link_busy(const weft_site *site, uint32_t router, uint32_t port, weft_time now)
{
    const weft_oq *q = site->state;
    size_t link = (size_t)router * q->ports + port;
    weft_time ahead = q->link_free[link] - now; /* handed out but not carried yet */
    return q->link_flits[link] - (ahead > 0 ? ahead : 0);
}

const weft_counter_quantity weft_oq_quantities[WEFT_COUNTER_COUNTS] = {
    {"cut-through after cut-through", "packets", NULL, NULL},
    {"blocking after cut-through", "packets", NULL, NULL},
    {"cut-through after blocking", "packets", NULL, NULL},
    {"blocking after blocking", "packets", NULL, NULL},
};

uint32_t weft_oq_counters(const weft_platform *platform)
{
    uint32_t ports = platform->network->topology.ports;
    return ports * ports;
}

void weft_oq_counter(const weft_site *site, uint32_t router, uint32_t number, weft_time now,
                     weft_counter *found)
{
    const weft_oq *q = site->state;
    const int64_t *counts = q->turned + (size_t)router * turns(q->ports);
    (void)now;
    for (uint32_t k = 0; k < WEFT_COUNTER_COUNTS; k++)
        found->count[k] = counts[number * WEFT_COUNTER_COUNTS + k];
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

void weft_oq_save(const weft_site *site, uint32_t router, weft_pack *pack)
{
    const weft_oq *q = site->state;
    save_times(q->link_free, router, q->ports, pack);
    save_times(q->link_flits, router, q->ports, pack);
    save_times(q->input_free, router, q->ports, pack);
    save_times(q->turned, router, turns(q->ports), pack);
    save_times(q->reception, router, q->hosts, pack);
    save_times(q->injection, router, q->hosts, pack);
}

void weft_oq_load(weft_site *site, uint32_t router, weft_time now, weft_unpack *from)
{
    const weft_oq *q = site->state;
    load_times(q->link_free, router, q->ports, now + WEFT_FAR_AHEAD, from);
    load_times(q->link_flits, router, q->ports, now + WEFT_FAR_AHEAD, from);
    load_times(q->input_free, router, q->ports, now + WEFT_FAR_AHEAD, from);
    load_times(q->turned, router, turns(q->ports), now + WEFT_FAR_AHEAD, from);
    load_times(q->reception, router, q->hosts, now + WEFT_FAR_AHEAD, from);
    load_times(q->injection, router, q->hosts, now + WEFT_FAR_AHEAD, from);
    uint32_t traffic_classes = site->platform->network->n_traffic_classes,
             each = weft_site_sources(site, router);
    for (uint32_t s = router * each; q->injection && s < (router + 1) * each; s++)
        if (weft_sources_due(site, s, now - 1) && q->injection[s / traffic_classes] < now)
            weft_unpack_fail(from); /* a message that waits, but not for its port */
}
