/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/input_queued/layout.h"

#include "net/routing.h"
#include "net/selection.h"
#include "sched/contract.h"
#include "sched/pointers.h"
#include "sim/jobs/message_waits.h"
#include "sim/router/input_queued/pause/headroom.h"
#include "sim/router/input_queued/adapter.h"
#include "sim/router/input_queued/management.h"
#include "sim/router/input_queued/record.h"

#define MANAGEMENT_ROOM    16u        /* packets of VL 15 that may wait at an input */
#define STATE_MAX          (1u << 30) /* bytes of a scheduler's state at a router */
#define CREDIT_BURSTS_MOST 12u /* more room for bursts than this costs more than an event each */

static const weft_iq_settings *settings_of(const weft_platform *platform)
{
    return platform->router_settings;
}

/* R of the theory page. */
static uint32_t pipeline(const weft_platform *platform)
{
    const weft_iq_settings *set = settings_of(platform);
    return weft_iq_ticks(platform, set->receive) + weft_iq_ticks(platform, set->route) +
           weft_iq_ticks(platform, set->allocate);
}

static weft_time shortest_host_wire(const weft_platform *platform)
{
    const weft_network *network = platform->network;
    weft_time least = platform->wire[WEFT_LINK_HOST];
    for (uint32_t e = 0; network->topology.host_class && e < network->endpoints; e++) {
        weft_time wire = platform->wire[network->topology.host_class[e]];
        least = wire < least ? wire : least;
    }
    return least;
}

weft_time weft_iq_layout_lookahead(const weft_platform *platform)
{
    weft_time least = INT64_MAX;
    bool there[WEFT_LINK_CLASSES_MAX];
    weft_iq_link_classes(platform, there);
    for (uint32_t c = 0; c < platform->network->timing.classes; c++) {
        if (!there[c])
            continue;
        weft_time head = weft_iq_ticks(platform, settings_of(platform)->crossbar) +
                         platform->wire[c] + pipeline(platform);
        weft_time credit = weft_iq_credit_delay(platform, c);
        weft_time both = head < credit ? head : credit;
        least = both < least ? both : least;
    }
    weft_time ack = weft_iq_ticks(platform, settings_of(platform)->crossbar) +
                    shortest_host_wire(platform) + platform->ack_delay;
    if (platform->ack_delay)
        least = ack < least ? ack : least;
    return least == INT64_MAX ? 1 : least;
}

static weft_status check_buffers(const weft_platform *platform, weft_error *err)
{
    const weft_iq_settings *set = settings_of(platform);
    uint32_t longest = weft_iq_longest_packet(platform);
    double buffer = weft_iq_room_units(platform, set->buffer),
           shared = weft_iq_room_units(platform, set->shared);
    bool by_packet = set->buffer.unit == WEFT_PACKETS;
    if (shared > 0 && (set->shared.unit == WEFT_PACKETS) != by_packet)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "router.shared and router.buffer must both be counted in packets, or neither");
    if (buffer + shared >= 1 << 30)
        return weft_fail(err, WEFT_BAD_INPUT, "router.buffer of %g is more than can be counted",
                         buffer + shared);
    if (by_packet ? buffer < 1 : buffer < longest)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "router.buffer holds %g flits, but a packet may have %u and must fit: give a larger "
            "buffer, or cut messages with endpoint.mtu",
            buffer, longest);
    double room = weft_iq_room_units(platform, set->output_buffer);
    if (room > 0 && (room < longest || room > 1024 || set->output_buffer.unit == WEFT_PACKETS))
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "router.output-buffer must hold a packet (up to %u flits) and at most 1024 flits, "
            "found %g",
            longest, room);
    if (room < 1 && (set->speedup > 1 || set->output_speedup > 1))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.%s brings packets faster than a link takes them: give "
                         "router.output-buffer too",
                         set->speedup > 1 ? "speedup" : "output-speedup");
    return WEFT_OK;
}

static weft_status check_delays(const weft_platform *platform, weft_error *err)
{
    weft_duration credit = settings_of(platform)->credit;
    if (credit.unit != WEFT_NO_TIME && weft_iq_ticks(platform, credit) < 1)
        return weft_fail(err, WEFT_BAD_INPUT, "router.credit must be at least one tick, found %g",
                         credit.value);
    if (weft_iq_layout_lookahead(platform) < 1)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "nothing between two routers takes time: a head needs at least one tick in "
            "router.crossbar, links.latency or the router's stages");
    if (platform->send_delay + shortest_host_wire(platform) + pipeline(platform) < 1)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "nothing between an endpoint and its router takes time: give endpoint.delay, "
            "links.host.latency or a stage of the router at least one tick");
    return WEFT_OK;
}

static weft_status check_routing(const weft_platform *platform, const weft_routing *routing,
                                 weft_error *err)
{
    const weft_iq_settings *set = settings_of(platform);
    if (routing->single)
        return WEFT_OK;
    if (set->queues == WEFT_IQ_VOQ)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "router.queues: voq sorts packets by output when they arrive; routing %s decides "
            "later: use fifo, or routing dimension-order",
            routing->kind->base.name);
    if (set->vc_stage)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "router.vc-stage needs a routing with one port per packet (dimension-order), found %s",
            routing->kind->base.name);
    return WEFT_OK;
}

/* Lines of a router of a tier, into its crossbar or out of it. */
static uint64_t most_lines(const weft_platform *platform, weft_tier tier)
{
    const weft_iq_settings *set = settings_of(platform);
    uint64_t ins = tier.ports + (uint64_t)tier.concentration * platform->endpoint_ports;
    return ins * (uint64_t)(set->input_speedup > set->output_speedup ? set->input_speedup
                                                                     : set->output_speedup);
}

/* Has some router of the network more lines than a word has bits? */
static bool is_wide(const weft_platform *platform)
{
    const weft_topology *topology = &platform->network->topology;
    bool wide = platform->trace && platform->trace->wide;
    for (uint32_t r = 0; r < topology->routers; r = weft_topology_tier_end(topology, r))
        wide =
            wide || most_lines(platform, weft_topology_tier(topology, r)) > WEFT_CROSSBAR_PORTS_MAX;
    return wide;
}

static weft_marking marking_of(const weft_platform *platform)
{
    weft_kind_ref ref = settings_of(platform)->marking;
    return (weft_marking){.kind = (const weft_marking_kind *)(const void *)ref.kind,
                          .settings = ref.settings};
}

/* Counts by output need one output per packet; the mark has a place in packets that others take
 * too. */
static weft_status check_marking(const weft_platform *platform, weft_error *err)
{
    const weft_network *network = platform->network;
    weft_marking marking = marking_of(platform);
    if (!marking.kind)
        return WEFT_OK;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        if (!network->traffic_classes[f].routing.single)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "router.marking counts packets by output when they arrive; routing %s "
                             "decides later: use dimension-order or tables",
                             network->traffic_classes[f].routing.kind->base.name);
    if (platform->endpoint_ports > 1 && settings_of(platform)->queues != WEFT_IQ_VOQ)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.marking with endpoint.ports above 1 needs router.queues: voq");
    if (network->scenario->measure.by == WEFT_BY_HISTORY)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.marking and measure.by history do not go together: use by hops");
    if (network->topology.concentration > WEFT_MARKED_HOSTS)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.marking needs at most %d endpoints at a router, found %u",
                         (int)WEFT_MARKED_HOSTS, network->topology.concentration);
    return marking.kind->check ? marking.kind->check(&marking, err) : WEFT_OK;
}

static void set_numbers(weft_iq_layout *layout, const weft_platform *platform, weft_tier tier)
{
    const weft_iq_settings *set = settings_of(platform);
    const weft_topology *topology = &platform->network->topology;
    bool managed = weft_network_managed(platform->network);
    *layout =
        (weft_iq_layout){.platform = platform,
                         .topology = topology,
                         .ports = tier.ports,
                         .hosts = tier.concentration,
                         .stride = topology->concentration,
                         .traffic_classes = platform->network->n_traffic_classes,
                         .each = platform->endpoint_ports,
                         .ends = tier.concentration * platform->endpoint_ports,
                         .n_vcs = (uint32_t)set->vcs + managed,
                         .management = (uint32_t)set->vcs,
                         .management_room = set->management_buffer == WEFT_NONE_INT
                                                ? MANAGEMENT_ROOM
                                                : (uint32_t)set->management_buffer,
                         .every_vc = (uint16_t)((1u << (set->vcs + managed)) - 1),
                         .in_speed = (uint32_t)set->input_speedup,
                         .out_speed = (uint32_t)set->output_speedup,
                         .capacity = (int32_t)weft_iq_room_units(platform, set->buffer),
                         .pool = (int32_t)weft_iq_room_units(platform, set->shared),
                         .out_room = (uint32_t)weft_iq_room_units(platform, set->output_buffer),
                         .all_vcs = (uint16_t)((1u << set->vcs) - 1),
                         .ready = pipeline(platform),
                         .refront = weft_iq_ticks(platform, set->refront),
                         .cross = weft_iq_ticks(platform, set->crossbar),
                         .marking = marking_of(platform),
                         .flit_bytes = platform->network->scenario->links.flit.value};
    layout->one_way = true;
    for (uint32_t f = 0; f < layout->traffic_classes; f++) {
        const weft_traffic_class *traffic_class = &platform->network->traffic_classes[f];
        layout->routing[f] = &traffic_class->routing;
        layout->vc[f] = (uint8_t)traffic_class->vc;
        layout->class_vcs[f] =
            (uint16_t)(((1u << traffic_class->routing.plan.n_vcs) - 1) << traffic_class->vc);
        if (traffic_class->entry_vcs)
            layout->class_vcs[f] = traffic_class->entry_vcs;
        layout->one_way = layout->one_way && traffic_class->routing.single;
    }
    layout->ins = layout->ports + layout->ends;
    layout->in_lines = layout->ins * layout->in_speed;
    layout->out_lines = layout->ins * layout->out_speed;
    bool wide = is_wide(platform);
    layout->words = wide ? weft_set_words((uint32_t)most_lines(platform, tier)) : 1;
    layout->scheduler =
        (weft_scheduler){.kind = (const weft_scheduler_kind *)(const void *)set->scheduler.kind,
                         .settings = set->scheduler.settings,
                         .inputs = layout->in_lines,
                         .outputs = layout->out_lines,
                         .n_vcs = layout->n_vcs,
                         .voq = set->queues == WEFT_IQ_VOQ,
                         .wide = wide,
                         .management = managed};
    layout->adapter = weft_iq_adapter_of(platform);
}

/* Not more lines than a crossbar can have. */
static weft_status check_lines(const weft_platform *platform, weft_tier tier, weft_error *err)
{
    uint64_t ins = tier.ports + (uint64_t)tier.concentration * platform->endpoint_ports;
    if (most_lines(platform, tier) > WEFT_WIDE_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "a router has %llu ports, those of its endpoints included; times speed-up "
                         "at most %d can be "
                         "simulated: use fewer dimensions, topology.hosts or endpoint.ports",
                         (unsigned long long)ins, WEFT_WIDE_MAX);
    return WEFT_OK;
}

static weft_status check_scheduler(const weft_platform *platform, weft_tier tier, weft_error *err)
{
    weft_iq_layout layout;
    set_numbers(&layout, platform, tier);
    const weft_scheduler_kind *kind = layout.scheduler.kind;
    if (layout.scheduler.wide && !kind->match_ports)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "router.scheduler %s is for routers of at most %d ports, those of their "
            "endpoints included and times speed-up; here some have more: use separable",
            kind->base.name, WEFT_CROSSBAR_PORTS_MAX);
    WEFT_TRY(kind->build(&layout.scheduler, err));
    if (layout.scheduler.bytes > STATE_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.scheduler: its state at a router of %u ports and %u virtual "
                         "channels takes %zu MiB, at most %u can be simulated: use other arbiters",
                         layout.ins, layout.n_vcs, layout.scheduler.bytes >> 20, STATE_MAX >> 20);
    return kind->base.foreign && !layout.scheduler.wide
               ? weft_sched_check_scheduler(&layout.scheduler, err)
               : WEFT_OK;
}

static weft_status check_tiers(const weft_platform *platform,
                               weft_status (*check)(const weft_platform *platform, weft_tier tier,
                                                    weft_error *err),
                               weft_error *err)
{
    const weft_topology *topology = &platform->network->topology;
    for (uint32_t r = 0; r < topology->routers; r = weft_topology_tier_end(topology, r))
        WEFT_TRY(check(platform, weft_topology_tier(topology, r), err));
    return WEFT_OK;
}

weft_status weft_iq_layout_check(const weft_platform *platform, weft_error *err)
{
    const weft_iq_settings *set = settings_of(platform);
    WEFT_TRY(check_tiers(platform, check_lines, err));
    if (set->input_speedup > set->vcs &&
        (set->queues != WEFT_IQ_VOQ || set->buffer.unit != WEFT_PACKETS))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.input-speedup %lld is more than router.vcs %lld: a line needs a "
                         "VC, or an output, with queues: voq and a buffer in packets",
                         (long long)set->input_speedup, (long long)set->vcs);
    if (set->vc_stage && set->queues == WEFT_IQ_VOQ)
        return weft_fail(err, WEFT_BAD_INPUT, "router.vc-stage works with queues: fifo, found voq");
    WEFT_TRY(check_delays(platform, err));
    WEFT_TRY(check_buffers(platform, err));
    WEFT_TRY(weft_iq_thresholds_check(platform, err));
    WEFT_TRY(check_marking(platform, err));
    WEFT_TRY(weft_iq_management_check(platform, err));
    for (uint32_t f = 0; f < platform->network->n_traffic_classes; f++)
        WEFT_TRY(check_routing(platform, &platform->network->traffic_classes[f].routing, err));
    WEFT_TRY(check_tiers(platform, check_scheduler, err));
    return weft_iq_adapter_check(platform, weft_iq_longest_packet(platform), err);
}

static void set_links(weft_iq_layout *layout, const weft_platform *platform)
{
    const weft_topology *topology = &platform->network->topology;
    uint32_t speedup = (uint32_t)settings_of(platform)->speedup;
    for (uint32_t i = 0; i < layout->ins && !layout->scheduler.wide; i++) {
        uint32_t class = weft_iq_class_at(layout, i);
        layout->class[i] = (uint8_t) class;
        layout->period[i] = (uint32_t)platform->period[class];
        layout->through[i] = layout->period[i] / speedup;
        layout->wire[i] = (uint32_t)platform->wire[class];
        layout->credit[i] = weft_iq_credit_delay(platform, class);
    }
    for (uint32_t c = 0; c < platform->network->timing.classes; c++) {
        assert(platform->period[c] % speedup == 0); /* the tick does (net/timing.h) */
        layout->class_period[c] = (uint32_t)platform->period[c];
        layout->class_through[c] = (uint32_t)platform->period[c] / speedup;
        layout->class_wire[c] = (uint32_t)platform->wire[c];
        layout->class_credit[c] = weft_iq_credit_delay(platform, c);
    }
    for (uint32_t p = 0; p < layout->ports && topology->uniform && !layout->scheduler.wide; p++)
        layout->peer[p] = (uint8_t)topology->peer_port[p];
}

/* The classes of all links, to endpoints included. */
static void find_used(const weft_iq_layout *layout, bool used[WEFT_LINK_CLASSES_MAX])
{
    weft_iq_link_classes(layout->platform, used);
    for (uint32_t c = 0; c < layout->platform->network->timing.classes; c++)
        used[c] = used[c] || c == WEFT_LINK_HOST || c >= WEFT_LINK_CLASSES;
}

/* How many bursts of one line can be under way at once, at any router: they begin at least a
 * shortest packet apart, and all but the last of them are complete when the delay has passed
 * since its successor began. */
static uint32_t credit_bursts_of_a_line(const weft_iq_layout *layout)
{
    uint32_t most = 0, quickest = UINT32_MAX, classes = layout->platform->network->timing.classes;
    bool used[WEFT_LINK_CLASSES_MAX];
    find_used(layout, used);
    for (uint32_t c = 0; c < classes; c++)
        quickest = layout->class_through[c] < quickest ? layout->class_through[c] : quickest;
    uint32_t apart = quickest * weft_iq_shortest_packet(layout->platform);
    assert(apart > 0);
    for (uint32_t c = 0; c < classes; c++) {
        uint32_t credit_bursts =
            (weft_iq_credit_delay(layout->platform, c) + apart - 1) / apart + 1;
        most = used[c] && credit_bursts > most ? credit_bursts : most;
    }
    return most;
}

/* The same for all layouts of a network; after the links and the numbers. */
static weft_iq_traits find_features(const weft_iq_layout *layout)
{
    const weft_iq_settings *set = settings_of(layout->platform);
    bool voq = set->queues == WEFT_IQ_VOQ;
    weft_iq_traits features = 0;
    features |= voq ? WEFT_IQ_QUEUE_EACH : 0;
    features |= set->switching == WEFT_IQ_STORE_AND_FORWARD ? WEFT_IQ_STORED : 0;
    features |= set->vc_stage ? WEFT_IQ_VC_STAGE : 0;
    features |= layout->out_room ? WEFT_IQ_BUFFERED : 0;
    features |= layout->pool ? WEFT_IQ_POOLED : 0;
    features |= set->buffer.unit == WEFT_PACKETS ? WEFT_IQ_BY_PACKET : 0;
    features |= layout->in_speed > 1 ? WEFT_IQ_FAST_IN : 0;
    features |= set->input_speedup > set->vcs ? WEFT_IQ_OUT_LINES : 0;
    features |= layout->out_speed > 1 ? WEFT_IQ_FAST_OUT : 0;
    features |= !layout->one_way || (layout->each > 1 && !voq) ? WEFT_IQ_SEVERAL : 0;
    features |= credit_bursts_of_a_line(layout) > CREDIT_BURSTS_MOST ? WEFT_IQ_EVENTS : 0;
    features |= layout->topology->uniform ? 0 : WEFT_IQ_ODD;
    const weft_trace *trace = layout->platform->trace;
    features |= trace && !trace->dormant ? WEFT_IQ_WATCHED : 0;
    features |= weft_message_waits_kept(layout->platform->network) ? WEFT_IQ_WAITS : 0;
    features |= set->vc_choice == WEFT_IQ_FIRST_FIT ? WEFT_IQ_FIRST_VC : 0;
    features |= layout->refront ? WEFT_IQ_REFRONT : 0;
    features |= layout->scheduler.wide ? WEFT_IQ_WIDE : 0;
    features |= layout->scheduler.kind->sent ? WEFT_IQ_SIZED : 0;
    features |= layout->adapter.kind ? WEFT_IQ_ADAPTERS : 0;
    features |= layout->scheduler.management ? WEFT_IQ_MANAGED : 0;
    features |= layout->marking.kind ? WEFT_IQ_MARKED : 0;
    features |= layout->platform->paced ? WEFT_IQ_PACED : 0;
    features |= layout->arrivals ? WEFT_IQ_PAUSED : 0;
    bool history = layout->platform->network->scenario->measure.by == WEFT_BY_HISTORY;
    features |= layout->platform->devices || history ? WEFT_IQ_COUNTED : 0;
    for (uint32_t f = 0; f < layout->traffic_classes; f++) {
        features |= layout->routing[f]->kind->reroute ? WEFT_IQ_REROUTES : 0;
        features |= layout->class_vcs[f] != layout->all_vcs ? WEFT_IQ_APART : 0;
        features |= layout->routing[f]->draws ? WEFT_IQ_DRAWS : 0;
    }
    bool used[WEFT_LINK_CLASSES_MAX];
    find_used(layout, used);
    for (uint32_t c = 0; c < layout->platform->network->timing.classes; c++)
        if (used[c] && (layout->platform->period[c] != 1 || layout->class_through[c] != 1))
            features |= WEFT_IQ_RATES;
    return features;
}

/* What compiled routers may know beside the features. */
static weft_iq_traits find_known(const weft_iq_layout *layout)
{
    weft_iq_traits known = weft_pointers_are_bare(&layout->scheduler) ? WEFT_IQ_POINTERS : 0;
    if (layout->traffic_classes == 1 && layout->each == 1)
        known |= WEFT_IQ_ONE_CLASS;
    for (uint32_t f = 0; f < layout->traffic_classes; f++)
        if (!weft_routing_on_lattice(layout->routing[f]))
            return known;
    return known | WEFT_IQ_ON_LATTICE;
}

static uint32_t place(uint32_t *end, size_t count, size_t size)
{
    uint32_t align = size % 8 == 0   ? 8
                     : size % 4 == 0 ? 4
                                     : (uint32_t)size,
             at = (*end + align - 1) / align * align;
    *end = at + (uint32_t)(count * size);
    return at;
}

/* What a decision looks at first comes first. */
static void lay_out(weft_iq_layout *layout)
{
    uint32_t end = sizeof(weft_iq_head), ins = layout->ins, queues = ins * layout->n_vcs;
    uint32_t buffered = layout->out_room ? ins : 0,
             stage = weft_iq_has(layout, WEFT_IQ_VC_STAGE) ? queues : 0;
    (void)place(&end, layout->in_lines, sizeof(weft_iq_line));
    layout->out_free = place(&end, layout->out_speed > 1 ? layout->out_lines : 0, 4);
    layout->end_next = place(&end, layout->ends / layout->each, 4);
    layout->end_free = place(&end, layout->ends, 4);
    layout->state = place(&end, (layout->scheduler.bytes + 7) / 8, 8);
    layout->present = place(
        &end, weft_iq_has(layout, WEFT_IQ_QUEUE_EACH) ? (size_t)queues * layout->words : 0, 8);
    layout->tails =
        place(&end, weft_iq_has(layout, WEFT_IQ_QUEUE_EACH) ? (size_t)queues * ins : 0, 4);
    layout->left = place(&end, weft_iq_lefts(layout), 4);
    bool each = weft_iq_has(layout, WEFT_IQ_QUEUE_EACH);
    layout->port_bytes = (offsetof(weft_iq_port, credits) + layout->n_vcs * sizeof(int32_t) +
                          (each ? 0 : layout->n_vcs * sizeof(weft_iq_front)) +
                          layout->credit_bursts * sizeof(weft_iq_credit_burst) +
                          (layout->rows ? layout->n_vcs * sizeof(uint32_t) : 0) + 7) /
                         8 * 8;
    uint32_t sets = weft_iq_has(layout, WEFT_IQ_WIDE) ? layout->words : 0;
    layout->starved = layout->port_bytes;
    layout->port_bytes += (size_t)8 * sets;
    layout->pause = layout->port_bytes;
    if (weft_iq_has(layout, WEFT_IQ_PAUSED))
        layout->port_bytes += sizeof(weft_iq_pause) + layout->arrivals * sizeof(weft_iq_arrival);
    layout->awake = place(&end, sets, 8);
    layout->calls = place(&end, sets, 8);
    layout->port = place(&end, (size_t)ins * layout->port_bytes / 8, 8);
    layout->link_free = place(&end, buffered, 4);
    layout->buffered_packets = place(&end, (size_t)buffered * (layout->out_room + 1), 8);
    layout->claims = place(&end, stage, 8);
    layout->flits = place(&end, layout->platform->count_links ? layout->ports : 0, 8);
    layout->backlogs = place(
        &end, weft_iq_has(layout, WEFT_IQ_REROUTES) ? 3 * (size_t)layout->ports * layout->n_vcs : 0,
        4);
    uint32_t marks = weft_iq_has(layout, WEFT_IQ_MARKED);
    layout->markers = place(&end, (size_t)marks * ins, sizeof(weft_iq_marker));
    layout->levels = place(&end, (size_t)marks * (queues + 1), sizeof(weft_iq_level));
    layout->leavers = place(&end, (size_t)marks * layout->in_lines, sizeof(weft_iq_leaver));
    layout->adapters = place(&end, (size_t)layout->ends * (weft_iq_adapter_bytes(layout) / 8), 8);
    bool by_vl = marks && layout->marking.kind->by_vl;
    layout->vl_queues = place(&end, by_vl ? (size_t)ins * layout->n_vcs : 0, 4);
    layout->managed = place(&end, layout->scheduler.management ? ins + 1u : 0, 4);
    layout->counters = place(&end, layout->rows, sizeof(weft_counter));
    layout->last_vcs = place(&end, weft_iq_n_last_vcs(layout), sizeof(uint32_t));
    layout->bytes = (end + 7) / 8 * 8;
}

/* Does a selection want the candidate with the most room behind it? Then packets ask for that
 * one alone. */
static bool looks(const weft_network *network)
{
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        if (weft_selection_looks(&network->traffic_classes[f].routing))
            return true;
    return false;
}

void weft_iq_layout_build_router(weft_iq_layout *layout, const weft_platform *platform,
                                 uint32_t router)
{
    set_numbers(layout, platform, weft_topology_tier(&platform->network->topology, router));
    layout->example = router;
    weft_status status = layout->scheduler.kind->build(&layout->scheduler, NULL);
    assert(status == WEFT_OK);
    if (layout->adapter.kind)
        status = layout->adapter.kind->build(&layout->adapter, NULL);
    assert(status == WEFT_OK);
    (void)status;
    layout->several = layout->scheduler.kind->several && !looks(platform->network);
    set_links(layout, platform);
    if (weft_iq_pauses(platform)) {
        weft_iq_thresholds found = weft_iq_thresholds_of(platform);
        layout->xoff = (int32_t)found.xoff;
        layout->xon = (int32_t)found.xon;
        layout->arrivals = (uint32_t)found.arrivals;
    }
    layout->features = find_features(layout);
    layout->known = find_known(layout);
    layout->marking_packet =
        weft_iq_has(layout, WEFT_IQ_BY_PACKET) ? 1 : weft_iq_longest_packet(platform);
    layout->rows = platform->devices == WEFT_DEVICES_OFF     ? 0
                   : platform->devices == WEFT_DEVICES_PORTS ? layout->ins
                                                             : layout->ins * layout->n_vcs;
    layout->credit_bursts =
        layout->in_speed *
            (weft_iq_has(layout, WEFT_IQ_EVENTS) ? 1 : credit_bursts_of_a_line(layout)) +
        1;
    if (weft_iq_has(layout, WEFT_IQ_PAUSED)) /* which collects them a tick later */
        layout->credit_bursts += layout->in_speed;
    lay_out(layout);
}

void weft_iq_layout_build(weft_iq_layout *layout, const weft_platform *platform)
{
    weft_iq_layout_build_router(layout, platform, 0);
}
