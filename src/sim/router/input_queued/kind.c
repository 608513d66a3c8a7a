/* SPDX-License-Identifier: Apache-2.0 */
/* The input-queued virtual-cut-through router with virtual channels, credits and a crossbar;
 * what it computes is in docs/theory/input-queued.md. It knows heads, tails and credit bursts
 * only, yet every packet has the times it would have flit by flit.
 *
 * A head's event comes when it is ready (its stages are part of the flight), a credit is written
 * straight into the router upstream if that is in the same block. Each router keeps, per
 * crossbar line, a bound before which nothing can be sent from it, and one wake-up for the least
 * of them: nothing polls. */
#include "base/memory.h"
#include "sim/router.h"
#include "sim/router/input_queued/adapter.h"
#include "sim/router/input_queued/audit.h"
#include "sim/router/input_queued/blocked.h"
#include "sim/router/input_queued/credit_impl.h"
#include "sim/router/input_queued/describe.h"
#include "sim/router/input_queued/counters.h"
#include "sim/router/input_queued/knot.h"
#include "sim/router/input_queued/layout_groups.h"
#include "sim/router/input_queued/run.h"
#include "sim/router/input_queued/save.h"
#include "sim/router/input_queued/sweep.h"
#include "sim/router/input_queued/wake_impl.h"
#include "sim/source.h"

#include <stdlib.h>

static const char *const flow_control_names[] = {"credits", "pause", NULL};
static const char *const queue_names[] = {"fifo", "voq", NULL};
static const char *const switching_names[] = {"cut-through", "store-and-forward", NULL};
static const char *const choice_names[] = {"most-credits", "first-fit", NULL};

#define DELAY(id, text, standard)                                                            \
    {                                                                                        \
        .name = #id, .brief = text, .type = WEFT_PARAM_DURATION,                             \
        .offset = offsetof(weft_iq_settings, id), .fallback = standard, .min = 0, .max = 1e9 \
    }

static const weft_param params[] = {
    {.name = "vcs",
     .brief = "virtual channels of every port",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_iq_settings, vcs),
     .fallback = "4",
     .min = 1,
     .max = WEFT_VCS_MAX},
    {.name = "buffer",
     .brief = "buffer of every virtual channel",
     .type = WEFT_PARAM_ROOM,
     .offset = offsetof(weft_iq_settings, buffer),
     .fallback = "64 flits",
     .min = 1,
     .max = 1e9},
    {.name = "shared",
     .brief = "buffer that the virtual channels of a port share, beside their own",
     .type = WEFT_PARAM_ROOM,
     .offset = offsetof(weft_iq_settings, shared),
     .fallback = "0 flits",
     .min = 0,
     .max = 1e9},
    {.name = "flow-control",
     .brief = "what keeps buffers from overflowing: credits, or pause per virtual channel with "
              "headroom (Ethernet's PFC); none: credits",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_iq_settings, flow_control),
     .fallback = "none",
     .choices = flow_control_names},
    {.name = "xoff",
     .brief = "pause: a virtual channel that is filled to this tells its sender to pause; none: "
              "buffer less the headroom",
     .type = WEFT_PARAM_ROOM,
     .offset = offsetof(weft_iq_settings, xoff),
     .fallback = "none",
     .min = 1,
     .max = 1e9},
    {.name = "xon",
     .brief = "pause: one that has fallen to this tells it to resume; none: a longest packet below "
              "xoff",
     .type = WEFT_PARAM_ROOM,
     .offset = offsetof(weft_iq_settings, xon),
     .fallback = "none",
     .min = 0,
     .max = 1e9},
    {.name = "queues",
     .brief = "order within a virtual channel: one FIFO, or one for each output (VOQ)",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_iq_settings, queues),
     .fallback = "fifo",
     .choices = queue_names},
    {.name = "switching",
     .brief = "when a packet may go on: as its head is there, or its tail",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_iq_settings, switching),
     .fallback = "cut-through",
     .choices = switching_names},
    DELAY(receive, "from a head's arrival to its being in the buffer", "0 cycles"),
    DELAY(route, "to find its output", "1 cycle"),
    DELAY(allocate, "to take part in the allocation of switch and virtual channel", "1 cycle"),
    DELAY(refront, "from becoming the front of a queue to taking part", "0 cycles"),
    DELAY(crossbar, "through the crossbar", "1 cycle"),
    DELAY(credit,
          "from a flit's leaving the buffer to its credit upstream, of a pause the same; none: the "
          "wire's latency + 1 tick",
          "none"),
    {.name = "vc-stage",
     .brief = "virtual channels are allocated one tick before the switch (BookSim's router)",
     .type = WEFT_PARAM_FLAG,
     .offset = offsetof(weft_iq_settings, vc_stage),
     .fallback = "false"},
    {.name = "vc-choice",
     .brief = "which virtual channel behind an output: the one with the most credits, or the first "
              "with enough",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_iq_settings, vc_choice),
     .fallback = "most-credits",
     .choices = choice_names},
    {.name = "input-speedup",
     .brief =
         "lines from every input into the crossbar, for its virtual channels; with queues: voq "
         "and a buffer in packets there may be more, which are for outputs then: one buffer "
         "feeds several at a time",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_iq_settings, input_speedup),
     .fallback = "1",
     .min = 1,
     .max = WEFT_VCS_MAX},
    {.name = "output-speedup",
     .brief = "lines from the crossbar to every output; needs output-buffer",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_iq_settings, output_speedup),
     .fallback = "1",
     .min = 1,
     .max = WEFT_VCS_MAX},
    {.name = "speedup",
     .brief = "how many times faster than a link the crossbar moves a flit; needs output-buffer",
     .type = WEFT_PARAM_FACTOR,
     .offset = offsetof(weft_iq_settings, speedup),
     .fallback = "1",
     .min = 1,
     .max = 16},
    {.name = "output-buffer",
     .brief = "buffer between the crossbar and every link",
     .type = WEFT_PARAM_SIZE,
     .offset = offsetof(weft_iq_settings, output_buffer),
     .fallback = "0 flits",
     .min = 0,
     .max = 1e9},
    {.name = "sl2vl",
     .brief = "VLs (virtual channels) of service levels 0 to 15, at every router and endpoint; "
              "none: the level modulo vcs (15 of 16), for classes that have one",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(weft_iq_settings, sl2vl),
     .fallback = "none",
     .min = 0,
     .max = 14},
    {.name = "management-buffer",
     .brief = "packets of management (VL 15) that may wait at an input; others that come are "
              "dropped; none: 16",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_iq_settings, management_buffer),
     .fallback = "none",
     .min = 1,
     .max = 65535},
    {.name = "scheduler",
     .brief = "who crosses the crossbar",
     .type = WEFT_PARAM_KIND,
     .offset = offsetof(weft_iq_settings, scheduler),
     .fallback = "separable",
     .family = "scheduler"},
    {.name = "marking",
     .brief = "which packets are marked when there is congestion; none: no packet",
     .type = WEFT_PARAM_KIND,
     .offset = offsetof(weft_iq_settings, marking),
     .fallback = "none",
     .family = "marking"},
    {.name = NULL},
};

static weft_iq *of(const weft_site *site)
{
    return site->state;
}

static void set_up(weft_iq *iq, uint32_t router)
{
    char *record = weft_iq_record(iq, router);
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    weft_iq_head_of(record)->mark = UINT32_MAX;
    for (uint32_t q = 0; q < layout->ins * layout->n_vcs; q++)
        weft_iq_port_at(layout, record, q / layout->n_vcs)->credits[q % layout->n_vcs] =
            layout->capacity;
    for (uint32_t q = 0;
         !weft_iq_has(layout, WEFT_IQ_QUEUE_EACH) && q < layout->ins * layout->n_vcs; q++)
        weft_iq_front_at(layout, record, q)->tail = WEFT_IQ_NONE;
    weft_iq_pause_set_up(layout, record);
    layout->scheduler.kind->reset(&layout->scheduler, weft_iq_state(layout, record));
    weft_iq_adapters_reset(layout, record);
}

/* Endpoints that have a bus: those of all routers where packets leave elsewhere than they enter. */
static uint32_t count_buses(const weft_site *site)
{
    const weft_network *network = site->platform->network;
    return network->topology.egress_offset ? site->routers * network->topology.concentration
                                           : site->sources / network->n_traffic_classes;
}

/* Room for the decision of any router of the site. */
static weft_iq_wide *open_wide(const weft_iq *iq)
{
    weft_iq_wide *wide = weft_alloc(sizeof *wide);
    size_t sets = 0, room = 0;
    uint32_t lines = 0;
    for (uint32_t g = 0; g < iq->n_groups; g++) {
        const weft_iq_layout *layout = &iq->groups[g].layout;
        size_t each = (size_t)layout->in_lines * layout->n_vcs * layout->words,
               more = layout->scheduler.kind->room(&layout->scheduler);
        sets = each > sets ? each : sets;
        room = more > room ? more : room;
        lines = layout->in_lines > lines ? layout->in_lines : lines;
    }
    wide->wants = weft_alloc(sizeof *wide->wants * sets);
    wide->vcs = weft_alloc(sizeof *wide->vcs * lines);
    wide->room = weft_alloc(room);
    return wide;
}

static void close_wide(weft_iq_wide *wide)
{
    free(wide->wants);
    free(wide->vcs);
    free(wide->room);
    free(wide);
}

static void open_routers(weft_site *site)
{
    weft_iq *iq = weft_alloc(sizeof *iq);
    const weft_platform *platform = site->platform;
    iq->site = site;
    iq->free = WEFT_IQ_NONE;
    weft_iq_groups_open(iq);
    iq->run = weft_iq_choose_run(iq);
    iq->listed = weft_region_create(sizeof *iq->listed * site->routers);
    iq->staged = weft_region_create(sizeof *iq->staged * site->sources);
    for (uint32_t s = 0; s < site->sources; s++)
        iq->staged[s] = WEFT_IQ_NONE;
    if (platform->bus_period) {
        iq->n_buses = count_buses(site);
        iq->buses = weft_region_create(2 * sizeof *iq->buses * iq->n_buses);
    }
    for (uint32_t r = 0; r < site->routers; r++)
        set_up(iq, r);
    if (weft_iq_has(&iq->layout, WEFT_IQ_WIDE))
        iq->wide = open_wide(iq);
    if (iq->n_groups == 1 && iq->bytes > WEFT_IQ_CACHED) {
        site->hot = iq->records;
        site->hot_bytes = (uint32_t)iq->layout.bytes;
    }
    site->state = iq;
}

static void close_routers(weft_site *site)
{
    weft_iq *iq = of(site);
    weft_iq_groups_close(iq);
    weft_region_destroy(iq->listed, sizeof *iq->listed * site->routers);
    weft_region_destroy(iq->staged, sizeof *iq->staged * site->sources);
    if (iq->buses)
        weft_region_destroy(iq->buses, 2 * sizeof *iq->buses * iq->n_buses);
    if (iq->wide)
        close_wide(iq->wide);
    weft_region_destroy(iq->packets, sizeof *iq->packets * iq->room);
    free(iq);
}

static int64_t bytes(const weft_platform *platform)
{
    const weft_topology *topology = &platform->network->topology;
    int64_t staged =
        weft_platform_endpoint_bytes(platform, 4 * (int64_t)platform->network->n_traffic_classes);
    int64_t buses = topology->egress_offset ? 8 * (int64_t)topology->concentration
                                            : weft_platform_endpoint_bytes(platform, 8);
    return weft_iq_mean_bytes(platform) + (int64_t)sizeof(weft_iq_listing) + staged +
           (platform->bus_period ? buses : 0);
}

static int64_t held(const weft_site *site)
{
    return of(site)->held;
}

/* Packets at rest, as many as there were at a time. */
static int64_t packet_bytes(const weft_site *site)
{
    return (int64_t)sizeof *of(site)->packets * of(site)->used;
}

static int64_t link_busy(const weft_site *site, uint32_t router, uint32_t port, weft_time now)
{
    char *record = weft_iq_record(of(site), router);
    const weft_iq_layout *layout = weft_iq_layout_of(of(site), record);
    if (port >= layout->ports)
        return 0;
    uint32_t free = layout->out_room ? weft_iq_link_free(layout, record)[port]
                                     : *weft_iq_out_free_at(layout->features, layout, record, port);
    int32_t ahead = (int32_t)(free - (uint32_t)now); /* handed out but not carried yet */
    return weft_iq_flits(layout, record)[port] - (ahead > 0 ? ahead : 0);
}

static uint32_t counters(const weft_platform *platform)
{
    const weft_topology *topology = &platform->network->topology;
    const weft_iq_settings *set = platform->router_settings;
    uint32_t columns = topology->ports + topology->concentration * platform->endpoint_ports;
    uint32_t vcs = (uint32_t)set->vcs + weft_network_managed(platform->network);
    return platform->devices == WEFT_DEVICES_PORTS ? columns : columns * vcs;
}

static void counter(const weft_site *site, uint32_t router, uint32_t number, weft_time now,
                    weft_counter *out)
{
    weft_iq_counter_read(of(site), router, number, (uint32_t)now, out);
}

static void tick(void *state, weft_block *block, const weft_batch *batch)
{
    weft_iq_run(of(state), block, batch);
}

static void timer(void *state, weft_block *block, uint32_t source, weft_time now)
{
    weft_sources_timer(state, block, source, now);
}

/* All meet now, and next an interval later. Messages of several packets are complete with the
 * last one, so those have to wait for each other. */
static void set_sync_point(weft_iq *iq, weft_time now)
{
    if (now >= iq->sync_point) /* else one that nobody counts at */
        iq->sync_point = iq->site->assembly ? 0 : now + iq->layout.platform->interval;
}

static void rest(void *state, weft_time now)
{
    weft_site *site = state;
    weft_iq *iq = of(site);
    weft_sources_rest(site, now);
    set_sync_point(iq, now);
    weft_iq_sweep(iq, now);
}

static void start(weft_site *site, weft_block *block, weft_time now)
{
    weft_iq *iq = of(site);
    uint32_t t = (uint32_t)now;
    iq->swept = now;
    iq->block = block;
    iq->now = now;
    set_sync_point(iq, now);
    for (uint32_t r = 0; r < site->routers; r++) {
        const weft_iq_context ctx = weft_iq_context_of(iq->layout.features, iq, block, r, now);
        const weft_iq_layout *layout = ctx.layout;
        char *record = ctx.record;
        uint32_t each = weft_site_sources(site, r);
        for (uint32_t x = 0; x < layout->in_lines; x++)
            if (weft_iq_lines_of(record)[x].waiting)
                weft_iq_rouse(layout->features, layout, record, x, t);
        for (uint32_t s = 0; s < each; s++)
            if (iq->staged[r * each + s] != WEFT_IQ_NONE)
                weft_iq_call(layout->features, layout, record,
                             s / layout->platform->network->n_traffic_classes, t);
        if (weft_set_any(layout->words, weft_iq_awake(layout->features, layout, record)) ||
            weft_set_any(layout->words, weft_iq_calls(layout->features, layout, record)))
            weft_iq_wake(&ctx, now);
    }
}

static void save(const weft_site *site, uint32_t router, weft_pack *pack)
{
    weft_iq_save(of(site), router, pack);
}

static void load(weft_site *site, uint32_t router, weft_time now, weft_unpack *from)
{
    weft_iq_load(of(site), router, now, from);
}

static bool credit(weft_site *site, uint32_t router, const weft_event *event, weft_time at,
                   weft_time now, weft_unpack *from)
{
    return weft_iq_load_credit(of(site), router, event, at, now, from);
}

/* The rules of docs/theory/input-queued.md for one packet alone. From a link of period f it goes
 * on to one of period f' and latency W by a crossbar of period g after
 *     R + X + W + (L − 1) max(0, f − g)            (store-and-forward: R + X + W + (L − 1) f),
 * a tick later with a VC stage; of a message in several packets the last one's L counts. The
 * host links at both ends, and the buses behind them, have their own. */
static double beyond(double period, double other)
{
    return period > other ? period - other : 0;
}

/* From a link of one class to the far end of one of another. */
static double step(const weft_iq_layout *layout, int from, int to, double last)
{
    const weft_platform *platform = layout->platform;
    double came = (double)platform->period[from], through = layout->class_through[to];
    double stored = weft_iq_has(layout, WEFT_IQ_STORED) ? came : beyond(came, through);
    return (double)layout->ready + layout->cross + (double)platform->wire[to] + last * stored +
           (weft_iq_has(layout, WEFT_IQ_VC_STAGE) ? 1 : 0);
}

static double zero_load(const weft_platform *platform, const weft_mean_path *path, double flits,
                        double packet)
{
    weft_iq_layout layout;
    weft_iq_layout_build(&layout, platform);
    double rest = flits - 1, last = packet - 1, host = (double)platform->period[WEFT_LINK_HOST],
           bus = (double)platform->bus_period;
    double ticks = (double)platform->dma + (double)platform->send_delay +
                   (double)platform->wire[WEFT_LINK_HOST];
    for (int a = 0; a < WEFT_PATH_CLASSES; a++)
        for (int b = 0; b < WEFT_PATH_CLASSES; b++)
            if (path->link[a][b] > 0)
                ticks += path->link[a][b] * step(&layout, a, b, last);
    if (platform->bus_period == 0)
        return ticks + rest * host;
    double both = 2 * (double)platform->bus_latency; /* out and in */
    return ticks + both + last * (beyond(bus, host) + beyond(host, bus)) + rest * bus;
}

const weft_router_kind weft_router_input_queued = {
    .carriage =
        {.base =
             {.abi = WEFT_ABI,
              .size = sizeof(weft_router_kind),
              .name = "input-queued",
              .brief =
                  "virtual cut-through with virtual channels, credits and a crossbar, flit exact",
              .params = params,
              .settings_size = sizeof(weft_iq_settings)},
         .reroutes = true,
         .tells_input = true,
         .handles_faults = true},
    .model =
        {.tick = tick, .timer = timer, .seat = weft_site_seat, .rest = rest, .unordered = true},
    .programs = true,
    .lookahead = weft_iq_layout_lookahead,
    .acknowledges = true,
    .check = weft_iq_layout_check,
    .open = open_routers,
    .close = close_routers,
    .estimate.bytes = bytes,
    .estimate.buffering = weft_iq_describe,
    .estimate.extras = weft_iq_extras,
    .estimate.zero_load = zero_load,
    .counting.link_busy = link_busy,
    .counting.n_counters = counters,
    .counting.counter = counter,
    .audit = weft_iq_audit,
    .waits = weft_iq_waits,
    .blocked = weft_iq_blocked,
    .note = weft_iq_note_moves,
    .counting.held = held,
    .counting.stored = packet_bytes,
    .checkpoint.save = save,
    .checkpoint.load = load,
    .checkpoint.credit = credit,
    .checkpoint.by_input = true,
    .start = start,
    .ends = true,
};
