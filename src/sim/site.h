/* SPDX-License-Identifier: Apache-2.0 */
/* A site: the state of one block, as routers and endpoints use it. The platform (const, common to
 * all sites) describes the network with its timing; the site holds the state that changes. */
#ifndef WEFT_SIM_SITE_H
#define WEFT_SIM_SITE_H

#include "net/network.h"
#include "sim/packet.h"
#include "sim/partition.h"
#include "sim/tally.h"

/* A trace of every packet, for tests: where and when it starts. */
typedef enum weft_trace_kind {
    WEFT_TRACE_INJECT,
    WEFT_TRACE_HOP,
    WEFT_TRACE_DELIVER,
    WEFT_TRACE_WAIT, /* it cannot go on yet */
    WEFT_TRACE_DROP
} weft_trace_kind;
typedef struct weft_trace {
    /* place: endpoint (inject, deliver) or router of the network; output and VC: those that the
     * packet takes there. */
    void (*note)(void *user, weft_trace_kind kind, const weft_event *packet, uint32_t place,
                 uint32_t output, uint32_t vc, weft_time at);
    void *user;
    /* Seed of a random order of the events of a tick; routers then decide in reverse order. Tests
     * that order does not matter. 0: events in their own order. */
    uint32_t shuffle;
    bool dormant; /* nothing is noted until a router kind's `note` says so */
    bool wide;    /* routers decide as if they had more than 64 ports: tests that it is the same */
    bool general; /* routers run the general code, also where a test has compiled a trace in */
} weft_trace;

typedef struct weft_platform {
    const weft_network *network;
    const weft_partition *partition;
    const struct weft_router_kind *router;
    const void *router_settings;
    weft_time flit;          /* ticks per flit of a local link */
    weft_time latency;       /* of a local wire */
    weft_time host_latency;  /* of a wire to an endpoint */
    const weft_time *period; /* ticks per flit, by class of link … */
    const weft_time *wire;   /* … and latency */
    uint32_t endpoint_ports; /* links of an endpoint in each direction */
    weft_event_key key;      /* of events */
    uint32_t mtu;            /* flits: longer messages are cut */
    weft_time send_delay;    /* endpoint's decision → wire */
    weft_time bus_period;    /* ticks per flit on the I/O bus, each way; 0: no limit */
    weft_time bus_latency;
    weft_time dma;                /* until the first packet of a message can be fetched */
    weft_time ack_delay;          /* delivery → the source has its ACK; 0: there are no ACKs */
    weft_time interval;           /* between two sync points; 0: not known */
    const weft_trace *trace;      /* NULL: none */
    struct weft_slowest *slowest; /* takes the slowest messages; NULL: nobody asks */
    bool injection_port;          /* one per endpoint; else messages enter at once */
    bool reception_port;          /* one per endpoint; else packets leave at once */
    bool count_links;
    int devices;             /* weft_device_report: counters of every port */
    double pace_ticks;       /* of the unit of time of rates (net/traffic/pacing.h) */
    bool paced;              /* some class has rate control, or a flow is followed */
    bool fair;               /* messages of every source are compared */
    uint32_t snapshot_words; /* of one router (watch/watch.h), in an instance */
    unsigned page_shift;     /* sources are looked at every 2^page_shift ticks */
} weft_platform;

#define WEFT_FAR_AHEAD ((weft_time)1 << 40) /* ticks: no state of a router lies so far ahead */
#define WEFT_SWEEP     ((weft_time)1 << 28) /* ticks between two sync points, at most */
#define WEFT_AGE_MAX \
    (((weft_time)1 << WEFT_BIRTH_BITS) - ((weft_time)1 << 36)) /* of a packet that starts */
#define WEFT_STEP_MAX ((weft_time)1 << 30) /* ticks from a router to the next, less than that */

typedef struct weft_site {
    const weft_platform *platform;
    weft_tally *tally;   /* of the thread that runs this block … */
    weft_tally *tallies; /* … among those of all threads */
    const weft_box *box;
    uint32_t block, routers, sources;
    bool special_sources;  /* routers have different numbers of endpoints, or these run programs */
    weft_time last_sync;   /* the last sync point */
    int64_t waiting;       /* messages of which no packet exists, as of then */
    bool exhausted;        /* no names or ages of packets are left: the run must end */
    uint32_t inspected;    /* sources so far, in turn, for names */
    int64_t *snapshots[2]; /* of its routers, in turn (watch/snapshot.h); or NULL */
    weft_cursor *head;     /* per source: the next message to materialise */
    weft_cursor *counted;  /* per source, injection ports only: the next message to count */
    /* per source: the rest of the message being sent; NULL: no message has several packets */
    struct weft_rest *rest;
    /* incomplete messages; NULL: no message has several packets */
    struct weft_assembly *assembly;
    /* ranks of programs at its endpoints; NULL: there are no jobs */
    struct weft_processes *processes;
    struct weft_pace *pace;        /* per source: its rate control; NULL: no class has any */
    uint64_t *sent;                /* per source: flits; NULL: no flow is followed */
    struct weft_paced_flow *flows; /* per source; NULL: no class has a law by reaction */
    void *state;                   /* of the router kind */
    const void *hot;               /* the state that a hop touches first: hot_bytes per router */
    uint32_t hot_bytes;
} weft_site;

/* Callback of the kernel: this thread runs the block now. */
static inline void weft_site_seat(void *state, unsigned thread)
{
    weft_site *site = state;
    site->tally = &site->tallies[thread];
}

/* Before this tick a delivery may be counted at once, since nothing reads counts earlier; 0: never.
 * All meet now, and next an interval later; last: what this gave then. What messages of several
 * packets and ranks of programs do depends on who comes first, so they are told in the tick
 * itself. */
static inline weft_time weft_site_sync_point(const weft_site *site, weft_time last, weft_time now)
{
    if (now < last)
        return last; /* this is one that nobody counts at */
    return site->assembly || site->processes ? 0 : now + site->platform->interval;
}

/* Bytes of a router's endpoints, `each` of one: the mean over all routers, rounded up. */
static inline int64_t weft_platform_endpoint_bytes(const weft_platform *platform, int64_t each)
{
    const weft_network *network = platform->network;
    return (each * network->endpoints + network->topology.routers - 1) / network->topology.routers;
}

/* True if messages of this traffic class may have several packets. */
static inline bool weft_platform_cuts(const weft_platform *platform, uint32_t traffic_class)
{
    return platform->network->traffic_classes[traffic_class].most_flits > platform->mtu;
}

/* The same for any class. */
static inline bool weft_platform_cuts_any(const weft_platform *platform)
{
    bool cuts = false;
    for (uint32_t f = 0; f < platform->network->n_traffic_classes; f++)
        cuts = cuts || weft_platform_cuts(platform, f);
    return cuts;
}

/* Numbering inside a site: source = (router × hosts + host) × classes + class; routers with
 * endpoints come first. Sources of one router: none, or as many as of any. */
static inline uint32_t weft_site_sources(const weft_site *site, uint32_t router)
{
    const weft_network *network = site->platform->network;
    uint32_t each = network->topology.concentration * network->n_traffic_classes;
    return router * each < site->sources ? each : 0;
}

static inline uint32_t weft_site_router_of(const weft_site *site, uint32_t source)
{
    const weft_network *network = site->platform->network;
    return source / network->n_traffic_classes / network->topology.concentration;
}

/* An endpoint by its number at a router; WEFT_NOWHERE, or not less than there are: it has not so
 * many. */
static inline uint32_t weft_site_endpoint(const weft_topology *topology, uint32_t router,
                                          uint32_t host)
{
    if (!topology->first)
        return router * topology->concentration + host;
    if (router >= topology->edge_routers || host >= weft_topology_hosts(topology, router))
        return WEFT_NOWHERE;
    return weft_topology_first(topology, router) + host;
}

#endif
