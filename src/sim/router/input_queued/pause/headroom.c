/* SPDX-License-Identifier: Apache-2.0 */
/* A buffer is filled to xoff by a flit that comes at tick t. Its sender pauses at t + C, so the
 * last packet starts at t + C − 1; X or D and W later its first flit comes. Flits come f apart, the
 * next one at t + f: after t there are at most
 *     ⌊(C + X + W − 1) / f⌋ + L − 1
 * of them, L the longest packet. With an output buffer of O flits the last packet may have up to
 * O − L flits before it: O takes the place of L. Heads, where packets are counted, come l f apart,
 * l the shortest packet. */
#include "sim/router/input_queued/pause/headroom.h"

#define ARRIVALS_MOST 65535u

typedef struct way { /* into a buffer, ticks */
    uint64_t before; /* X or D */
    uint64_t wire, credit, period;
    uint64_t room;  /* flits of the output buffer, or of the longest packet … */
    uint64_t ahead; /* … and those that a packet may have before it */
} way;

static const weft_iq_settings *settings_of(const weft_platform *platform)
{
    return platform->router_settings;
}

bool weft_iq_pauses(const weft_platform *platform)
{
    return settings_of(platform)->flow_control == WEFT_IQ_PAUSE;
}

static bool by_packet(const weft_platform *platform)
{
    return settings_of(platform)->buffer.unit == WEFT_PACKETS;
}

static void widen(const weft_platform *platform, const way *by, weft_iq_thresholds *found)
{
    uint64_t delay = by->credit + by->before + by->wire - 1,
             between = weft_iq_shortest_packet(platform) * by->period;
    uint64_t most = by_packet(platform) ? (delay + by->ahead * by->period) / between
                                        : delay / by->period + by->room - 1;
    uint64_t arrivals = (delay + by->room * by->period) / between + 3;
    found->headroom = (int64_t)most > found->headroom ? (int64_t)most : found->headroom;
    found->arrivals = arrivals > found->arrivals ? arrivals : found->arrivals;
}

static void widen_class(const weft_platform *platform, uint32_t class, bool host,
                        weft_iq_thresholds *found)
{
    const weft_iq_settings *set = settings_of(platform);
    uint32_t longest = weft_iq_longest_packet(platform),
             output = (uint32_t)weft_iq_room_units(platform, set->output_buffer);
    way by = {.before =
                  host ? (uint64_t)platform->send_delay : weft_iq_ticks(platform, set->crossbar),
              .wire = (uint64_t)platform->wire[class],
              .credit = weft_iq_credit_delay(platform, class),
              .period = (uint64_t)platform->period[class],
              .room = longest};
    if (!host && output > 0) {
        by.room = output;
        by.ahead = output - weft_iq_shortest_packet(platform);
    }
    widen(platform, &by, found);
}

weft_iq_thresholds weft_iq_thresholds_of(const weft_platform *platform)
{
    const weft_iq_settings *set = settings_of(platform);
    const weft_network *network = platform->network;
    weft_iq_thresholds found = {0};
    bool there[WEFT_LINK_CLASSES_MAX];
    weft_iq_link_classes(platform, there);
    for (uint32_t c = 0; c < network->timing.classes; c++)
        if (there[c])
            widen_class(platform, c, false, &found);
    if (!network->topology.host_class)
        widen_class(platform, WEFT_LINK_HOST, true, &found);
    for (uint32_t e = 0; network->topology.host_class && e < network->endpoints; e++)
        widen_class(platform, network->topology.host_class[e], true, &found);
    int64_t packet = by_packet(platform) ? 1 : weft_iq_longest_packet(platform);
    found.xoff = set->xoff.unit == WEFT_NO_SIZE
                     ? (int64_t)weft_iq_room_units(platform, set->buffer) - found.headroom
                     : (int64_t)weft_iq_room_units(platform, set->xoff);
    found.xon = set->xon.unit == WEFT_NO_SIZE ? found.xoff - packet
                                              : (int64_t)weft_iq_room_units(platform, set->xon);
    if (set->xon.unit == WEFT_NO_SIZE && found.xon < 0)
        found.xon = 0;
    return found;
}

/* What pause does not go with. */
static weft_status check_company(const weft_platform *platform, weft_error *err)
{
    const weft_iq_settings *set = settings_of(platform);
    const weft_network *network = platform->network;
    if (set->shared.value > 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.shared is for flow-control: credits; with pause give all room to "
                         "router.buffer");
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        if (network->traffic_classes[f].routing.kind->reroute)
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "routing %s decides by credits, which flow-control: pause has not: use "
                "another routing, or credits",
                network->traffic_classes[f].routing.kind->base.name);
    return WEFT_OK;
}

static weft_status check_unit(const weft_platform *platform, const char *name, weft_size size,
                              weft_error *err)
{
    if (size.unit != WEFT_NO_SIZE && (size.unit == WEFT_PACKETS) != by_packet(platform))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.%s and router.buffer must both be counted in packets, or neither",
                         name);
    return WEFT_OK;
}

weft_status weft_iq_thresholds_check(const weft_platform *platform, weft_error *err)
{
    const weft_iq_settings *set = settings_of(platform);
    bool given = set->xoff.unit != WEFT_NO_SIZE || set->xon.unit != WEFT_NO_SIZE;
    if (!weft_iq_pauses(platform))
        return !given ? WEFT_OK
                      : weft_fail(err, WEFT_BAD_INPUT,
                                  "router.xoff and router.xon are for flow-control: pause");
    WEFT_TRY(check_company(platform, err));
    WEFT_TRY(check_unit(platform, "xoff", set->xoff, err));
    WEFT_TRY(check_unit(platform, "xon", set->xon, err));
    weft_iq_thresholds found = weft_iq_thresholds_of(platform);
    const char *unit = by_packet(platform) ? "packets" : "flits";
    int64_t buffer = (int64_t)weft_iq_room_units(platform, set->buffer);
    int64_t least = set->xoff.unit == WEFT_NO_SIZE || found.xoff < 1 ? 1 : found.xoff;
    long long whole = least + found.headroom;
    if (whole > buffer)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.buffer holds %lld %s and would lose packets: xoff at %lld and "
                         "headroom for %lld "
                         "%s that come after it need %lld; give a larger buffer or a lower xoff",
                         (long long)buffer, unit, (long long)least, (long long)found.headroom, unit,
                         whole);
    if (found.xoff < 1 || found.xon >= found.xoff)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "router.xon must be below router.xoff, which is 1 or more; found %lld and %lld %s",
            (long long)found.xon, (long long)found.xoff, unit);
    if (found.arrivals > ARRIVALS_MOST)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "flow-control: pause follows packets on a link; here there may be %llu, at most %u "
            "can be simulated: use larger flits or shorter links",
            (unsigned long long)found.arrivals, ARRIVALS_MOST);
    return WEFT_OK;
}
