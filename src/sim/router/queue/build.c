/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the single-server queue and its memory. */
#include "base/memory.h"
#include "sim/router/queue/queue.h"
#include "sim/source.h"

#include <stdlib.h>

static const char *const semantics_names[] = {"follow", "frozen", "borrow", "share", NULL};

const weft_param weft_queue_params[] = {
    {.name = "service",
     .brief = "mean time of a service at the first rate",
     .type = WEFT_PARAM_DURATION,
     .offset = offsetof(weft_queue_settings, service),
     .min = 1,
     .max = 1e15},
    {.name = "scv",
     .brief = "squared coefficient of variation of services: 1 exponential, above generalised "
              "exponential, 0 all equal",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(weft_queue_settings, scv),
     .fallback = "1",
     .min = 0,
     .max = 1e6},
    {.name = "capacity",
     .brief = "packets a VC may hold, with that in service; more are lost; none: any",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_queue_settings, capacity),
     .fallback = "none",
     .min = 1,
     .max = 1e9},
    {.name = "thresholds",
     .brief = "numbers of packets from which on the next rate holds, rising",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(weft_queue_settings, thresholds),
     .fallback = "none",
     .min = 1,
     .max = 1e9},
    {.name = "rates",
     .brief = "service rates below the first threshold and from each of them on, relative to each "
              "other",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(weft_queue_settings, rates),
     .fallback = "[1]",
     .min = 1e-6,
     .max = 1e6},
    {.name = "semantics",
     .brief = "of thresholds: the rate follows the number of packets, is frozen when a service "
              "begins, or changes with the idle VCs that are taken: borrowed until the queue is "
              "empty, or shared while it is beyond a threshold",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_queue_settings, semantics),
     .fallback = "follow",
     .choices = semantics_names},
    {.name = "channels",
     .brief = "queues with servers of their own; endpoint e uses channel e mod channels",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_queue_settings, vcs),
     .fallback = "1",
     .min = 1,
     .max = WEFT_QUEUE_VCS_MAX},
    {.name = "shared",
     .brief = "how many of the channels, the last ones, have no traffic of their own and are taken "
              "by others; none: any idle one is taken; endpoints use the rest",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_queue_settings, shared),
     .fallback = "none",
     .min = 1,
     .max = WEFT_QUEUE_VCS_MAX - 1},
    {.name = NULL},
};

static weft_time service_ticks(const weft_platform *platform)
{
    const weft_queue_settings *set = platform->router_settings;
    return weft_timing_ticks(&platform->network->timing, set->service);
}

/* One router: nothing lies ahead of anything else. */
weft_time weft_queue_lookahead(const weft_platform *platform)
{
    return service_ticks(platform);
}

static weft_status check_thresholds(const weft_queue_settings *set, weft_error *err)
{
    const weft_ints *thresholds = &set->thresholds;
    if (set->rates.count != thresholds->count + 1)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "router.rates must list one rate more than router.thresholds, found %d for "
            "%d thresholds",
            set->rates.count, thresholds->count);
    for (int32_t i = 1; i < thresholds->count; i++)
        if (thresholds->at[i] <= thresholds->at[i - 1])
            return weft_fail(err, WEFT_BAD_INPUT, "router.thresholds must rise, found %d after %d",
                             thresholds->at[i], thresholds->at[i - 1]);
    return WEFT_OK;
}

static bool takes(const weft_queue_settings *set)
{
    return set->semantics == WEFT_QUEUE_BORROW || set->semantics == WEFT_QUEUE_SHARE;
}

/* A VC that is below a threshold again must have room for what it holds. */
static weft_status check_reach(const weft_queue_settings *set, weft_error *err)
{
    int64_t room = set->capacity / set->rates.count;
    for (int32_t i = 0; i < set->thresholds.count && set->capacity != WEFT_NONE_INT; i++)
        if (set->thresholds.at[i] > (i + 1) * room)
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "router.thresholds: number %d must be at most %lld, the room of %s, or "
                "it is never reached; found %d",
                i + 1, (long long)room * (i + 1), i ? "that many VCs" : "one VC",
                set->thresholds.at[i]);
    return WEFT_OK;
}

static weft_status check_channels(const weft_queue_settings *set, weft_error *err)
{
    const char *name = semantics_names[set->semantics];
    if (!takes(set) && set->shared > 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.shared needs router.semantics borrow or share, found %s", name);
    if (!takes(set))
        return WEFT_OK;
    if (set->capacity != WEFT_NONE_INT && set->capacity % set->rates.count != 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.capacity must be a multiple of the number of rates (%d): a VC "
                         "has its part of it, and as much more with every VC it borrows",
                         set->rates.count);
    if (set->vcs < 2)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.semantics %s needs at least two router.channels", name);
    if (set->shared >= set->vcs)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.shared must be below router.channels (%lld), found %lld",
                         (long long)set->vcs, (long long)set->shared);
    return set->semantics == WEFT_QUEUE_SHARE ? check_reach(set, err) : WEFT_OK;
}

weft_status weft_queue_check(const weft_platform *platform, weft_error *err)
{
    const weft_queue_settings *set = platform->router_settings;
    if (platform->network->topology.routers != 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router queue is a single queue: use topology {kind: full, routers: 1, "
                         "hosts: …}, found %u routers",
                         platform->network->topology.routers);
    if (set->scv > 0 && set->scv < 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.scv must be 0 or at least 1, found %g: no generalised exponential "
                         "distribution varies less than an exponential one",
                         set->scv);
    if (platform->injection_port || platform->endpoint_ports > 1 || platform->send_delay > 0 ||
        platform->bus_period > 0 || platform->bus_latency > 0 || platform->dma > 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "section endpoint must be left out: messages join a queue at once");
    if (weft_platform_cuts_any(platform))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router queue needs messages of one packet: use length 1 flits");
    WEFT_TRY(check_thresholds(set, err));
    return check_channels(set, err);
}

int64_t weft_queue_bytes(const weft_platform *platform)
{
    const weft_queue_settings *set = platform->router_settings;
    return (int64_t)sizeof(weft_queue_vc) * set->vcs + (int64_t)sizeof(uint64_t);
}

double weft_queue_zero_load(const weft_platform *platform, const weft_mean_path *path, double flits,
                            double packet)
{
    (void)path, (void)flits, (void)packet;
    return (double)service_ticks(platform);
}

uint32_t weft_queue_servers(const weft_platform *platform)
{
    return (uint32_t)((const weft_queue_settings *)platform->router_settings)->vcs;
}

int64_t weft_queue_link_busy(const weft_site *site, uint32_t router, uint32_t port, weft_time now)
{
    (void)site, (void)router, (void)port, (void)now;
    return 0; /* there are no links */
}

void weft_queue_open(weft_site *site)
{
    const weft_platform *platform = site->platform;
    const weft_queue_settings *set = platform->router_settings;
    weft_queue *q = site->state = weft_alloc(sizeof *q);
    q->service = (double)service_ticks(platform);
    q->scv = set->scv;
    q->semantics = set->semantics;
    q->takes = takes(set);
    q->n_shared = set->shared == WEFT_NONE_INT ? 0 : (uint32_t)set->shared;
    q->n_vcs = (uint32_t)set->vcs;
    q->capacity = set->capacity == WEFT_NONE_INT ? UINT32_MAX : (uint32_t)set->capacity;
    q->regions = (uint32_t)set->thresholds.count;
    for (uint32_t i = 0; i < q->regions; i++)
        q->threshold[i] = (uint32_t)set->thresholds.at[i];
    for (int32_t i = 0; i < set->rates.count; i++)
        q->speed[i] = set->rates.at[i] / set->rates.at[0];
    q->vcs = weft_alloc(sizeof *q->vcs * site->routers * q->n_vcs);
    q->sequence = weft_alloc(sizeof *q->sequence * site->routers);
    site->hot = q->vcs;
    site->hot_bytes = (uint32_t)(sizeof *q->vcs * q->n_vcs);
}

void weft_queue_close(weft_site *site)
{
    weft_queue *q = site->state;
    for (uint32_t i = 0; i < site->routers * q->n_vcs; i++)
        weft_wait_queue_done(&q->vcs[i].wait_queue);
    free(q->vcs);
    free(q->sequence);
    free(q);
}

void weft_queue_put(weft_queue_vc *vc, const weft_event *packet)
{
    if (vc->wait_queue.end == vc->wait_queue.room)
        (void)weft_wait_queue_grow(&vc->wait_queue);
    weft_wait_queue_append(&vc->wait_queue, packet, 1);
}

/* Servers at work are counted up to a sync point. */
void weft_queue_rest(void *state, weft_time now)
{
    weft_site *site = state;
    const weft_queue *q = site->state;
    for (uint32_t i = 0; i < site->routers * q->n_vcs; i++) {
        weft_queue_vc *vc = &q->vcs[i];
        if (!vc->serving)
            continue;
        weft_event packet;
        weft_wait_queue_packet(weft_queue_first(vc), &packet);
        site->tally->traffic_classes[weft_packet_traffic_class(&packet)].busy += now - vc->counted;
        vc->counted = now;
    }
    weft_sources_rest(state, now);
}

int64_t weft_queue_held(const weft_site *site)
{
    const weft_queue *q = site->state;
    int64_t held = 0;
    for (uint32_t i = 0; i < site->routers * q->n_vcs; i++)
        held += q->vcs[i].wait_queue.waiting;
    return held;
}

int64_t weft_queue_stored(const weft_site *site)
{
    const weft_queue *q = site->state;
    int64_t bytes = 0;
    for (uint32_t i = 0; i < site->routers * q->n_vcs; i++)
        bytes += (int64_t)sizeof(weft_waiter) * q->vcs[i].wait_queue.room;
    return bytes;
}
