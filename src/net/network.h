/* SPDX-License-Identifier: Apache-2.0 */
/* Settings → one assembled, validated network: topology, routing and traffic with their rates.
 * Const once built; knows no events. */
#ifndef WEFT_NET_NETWORK_H
#define WEFT_NET_NETWORK_H

#include "interweft/routing.h"
#include "net/timing.h"
#include "net/traffic/workload.h"

#define WEFT_CLASSES_MAX 16

typedef struct weft_traffic_class { /* one traffic class */
    const char *name;
    weft_open_loop traffic;
    weft_workload workload; /* over it */
    weft_routing routing;   /* with its VCs divided, if routers have any */
    uint32_t vc;            /* the first of those its packets use */
    uint32_t senders;
    uint32_t most_flits; /* of its longest message, or more */
    double mean_flits;
    double minimal_hops; /* from router to router, on average, by minimal routes … */
    double mean_hops;    /* … and by those the routing takes */
    double bandwidth;    /* as of the network, of the endpoints in its `from` */
    double per_tick;     /* messages per tick of a sending endpoint */
    double load, rho;    /* offered, averaged over the endpoints in its `from` / all links */
    double rate; /* messages per endpoint that sends: per second, or per cycle without clock */
} weft_traffic_class;

typedef struct weft_network {
    const weft_scenario *scenario;
    weft_timing timing;
    weft_topology topology;
    weft_routing routing; /* of classes that have none of their own */
    uint32_t vcs;         /* virtual channels of the routers; 0: their buffers have no bounds */
    weft_time faults_at;  /* tick in which what is down goes down */
    uint32_t endpoints;
    uint32_t ports;              /* links of an endpoint, each way */
    uint32_t sending, receiving; /* endpoints in `from` and `to` of some class */
    /* flits that those in some `from` can inject in the time of one on a host link */
    double bandwidth;
    double capacity; /* links between routers, each counted by its rate relative to a local one */
    uint32_t n_traffic_classes;
    weft_traffic_class traffic_classes[WEFT_CLASSES_MAX];
    double load, rho, rate;       /* offered by all flows together */
    const char *rate_unit;        /* "messages/s" or "messages/cycle" */
    double mean_hops, mean_flits; /* over all messages */
    uint64_t seed;
} weft_network;

/* What comes to an endpoint that may receive, on average, as a fraction of what it can take. */
static inline double weft_network_reception(const weft_network *network)
{
    return network->load * ((double)network->sending / network->receiving);
}

/* scenario and arena must outlive the network. */
WEFT_MUST_USE weft_status weft_network_build(weft_network *network, const weft_scenario *scenario,
                                             weft_arena *arena, weft_error *err);
/* Topology and routings tabulate what only a run needs; fails if that is too much. dry: only
 * says whether it would. */
WEFT_MUST_USE weft_status weft_network_ready(const weft_network *network, bool dry,
                                             weft_error *err);
void weft_network_done(weft_network *network);

#endif
