/* SPDX-License-Identifier: Apache-2.0 */
/* A virtual channel sends packets of L flits without a pause if L credits are there as each of
 * them starts: with what has been sent within a round trip, X + W + R + C ticks, on its way. So
 * it needs room for a round trip's flits and L − 1 more; counted in packets, whose credit comes
 * with the tail, for those that start within a round trip and L − 1 flits. With pause the next flit
 * comes a round trip after the buffer fell to xon: it must last until then. */
#include "sim/router/input_queued/describe.h"

#include "sim/router/input_queued/pause/headroom.h"
#include "sim/router/input_queued/layout_groups.h"

static weft_time round_trip(const weft_platform *platform, uint32_t class)
{
    return platform->wire[class] + weft_iq_credit_delay(platform, class);
}

/* The class of links between routers whose credits take longest. */
static uint32_t farthest(const weft_platform *platform, const bool there[WEFT_LINK_CLASSES_MAX])
{
    uint32_t found = UINT32_MAX;
    for (uint32_t c = 0; c < platform->network->timing.classes; c++)
        if (there[c] &&
            (found == UINT32_MAX || round_trip(platform, c) > round_trip(platform, found)))
            found = c;
    return found == UINT32_MAX ? WEFT_LINK_HOST : found;
}

/* Sets of VCs of one link, beside the open ones; *phases: of more than the first phase. */
static uint32_t groups_of(const weft_vc_plan *plan, uint32_t classes, bool *phases)
{
    uint32_t found = 0;
    for (uint32_t phase = 0; phase < WEFT_PHASES_MAX; phase++)
        for (uint32_t c = 0; c < classes && classes <= WEFT_VC_CLASSES_MAX; c++) {
            bool used = plan->by_class[phase][classes][c] != 0;
            found += used;
            *phases = *phases || (used && phase > 0);
        }
    return found;
}

static void look_inside(weft_buffering *b, const weft_iq_layout *layout)
{
    const weft_vc_plan *plan = &layout->routing[0]->plan;
    b->vcs = (uint32_t)__builtin_popcount(layout->all_vcs);
    b->lines = layout->in_speed;
    b->speedup =
        (uint32_t)layout->platform->period[WEFT_LINK_HOST] / layout->class_through[WEFT_LINK_HOST];
    b->voq = weft_iq_has(layout, WEFT_IQ_QUEUE_EACH);
    b->buffered = layout->out_room > 0;
    b->several = !layout->one_way;
    b->committed = weft_iq_has(layout, WEFT_IQ_VC_STAGE);
    b->credit_events = weft_iq_has(layout, WEFT_IQ_EVENTS);
    bool all = plan->open == (1u << plan->n_vcs) - 1; /* there is no escape path beside them */
    b->open = all ? 0 : (uint32_t)__builtin_popcount(plan->open);
    b->crossing = (uint32_t)__builtin_popcount(plan->dateline[0]);
    b->rest = (uint32_t)__builtin_popcount(plan->dateline[1]);
    b->classes = plan->dateline[0] != plan->dateline[1];
    bool phases = false;
    for (uint32_t p = 0; p < layout->topology->ports; p++) {
        uint32_t groups = groups_of(plan, layout->topology->vc_classes[p], &phases);
        b->groups = groups > b->groups ? groups : b->groups;
    }
    b->dateline = layout->topology->lattice.dims && !phases;
}

static int64_t needed(const weft_buffering *b)
{
    weft_time trip = b->hop + b->credit, last = (b->longest - 1) * b->period;
    if (!b->by_packet)
        return (trip + last + b->period - 1) / b->period;
    weft_time packet = b->longest * b->period;
    return (trip + last + packet - 1) / packet;
}

static void look_at_pause(const weft_platform *platform, weft_buffering *b)
{
    weft_iq_thresholds found = weft_iq_thresholds_of(platform);
    weft_time each = b->by_packet ? b->longest * b->period : b->period;
    b->pauses = true;
    b->xoff = found.xoff;
    b->xon = found.xon;
    b->headroom = found.headroom;
    b->needed = (b->hop + b->credit - b->period + each - 1) / each;
}

static uint32_t most_inputs(const weft_platform *platform)
{
    const weft_topology *topology = &platform->network->topology;
    uint32_t most = 0;
    for (uint32_t r = 0; r < topology->routers; r = weft_topology_tier_end(topology, r)) {
        weft_tier tier = weft_topology_tier(topology, r);
        uint32_t inputs = tier.ports + tier.concentration * platform->endpoint_ports;
        most = inputs > most ? inputs : most;
    }
    return most;
}

void weft_iq_describe(const weft_platform *platform, weft_buffering *buffering)
{
    weft_iq_layout layout;
    weft_iq_layout_build(&layout, platform);
    bool there[WEFT_LINK_CLASSES_MAX];
    weft_iq_link_classes(platform, there);
    uint32_t far = farthest(platform, there);
    *buffering = (weft_buffering){.hop = layout.cross + platform->wire[far] + layout.ready,
                                  .finite = true,
                                  .credit = weft_iq_credit_delay(platform, far),
                                  .period = platform->period[far],
                                  .by_packet = weft_iq_has(&layout, WEFT_IQ_BY_PACKET),
                                  .capacity = layout.capacity,
                                  .shared = layout.pool,
                                  .longest = weft_iq_longest_packet(platform),
                                  .inputs = most_inputs(platform)};
    buffering->needed = needed(buffering);
    if (weft_iq_pauses(platform))
        look_at_pause(platform, buffering);
    look_inside(buffering, &layout);
    weft_time window = weft_iq_layout_lookahead(platform);
    for (uint32_t c = 0; c < platform->network->timing.classes; c++) {
        weft_time credit = weft_iq_credit_delay(platform, c),
                  head = layout.cross + platform->wire[c] + layout.ready;
        buffering->credit_bound |= there[c] && credit == window && credit < head;
    }
}

size_t weft_iq_extras(const weft_platform *platform, weft_extra *extras)
{
    const weft_iq_settings *set = platform->router_settings;
    weft_iq_settings plain[] = {*set, *set, *set};
    static const char *const names[] = {"VOQ", "output buffers", "VC stage"};
    plain[0].queues = WEFT_IQ_FIFO;
    plain[1].output_buffer.value = 0;
    plain[2].vc_stage = false;
    int64_t whole = weft_iq_mean_bytes(platform);
    size_t count = 0;
    for (int i = 0; i < 3; i++) {
        weft_platform other = *platform;
        other.router_settings = &plain[i];
        extras[count] = (weft_extra){names[i], whole - weft_iq_mean_bytes(&other)};
        count += extras[count].bytes != 0;
    }
    return count;
}
