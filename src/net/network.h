/* SPDX-License-Identifier: Apache-2.0 */
/* A network assembled and validated from settings: topology, routing, and traffic with its rates.
 * Const once built; knows no events. */
#ifndef WEFT_NET_NETWORK_H
#define WEFT_NET_NETWORK_H

#include "interweft/routing.h"
#include "net/jobs/jobs.h"
#include "net/timing.h"
#include "net/traffic/pacing.h"
#include "net/traffic/workload.h"

#define WEFT_CLASSES_MAX 16

typedef struct weft_promise { /* what a class is promised, to be measured */
    weft_time deadline;       /* of a message, ticks; 0: none */
    double flits;             /* per tick, received by all of its endpoints together; 0: none */
} weft_promise;

typedef struct weft_traffic_class { /* one traffic class */
    const char *name;
    weft_open_loop traffic;
    /* Workload over this traffic. */
    weft_workload workload;
    /* Routing with its VC plan, if routers have VCs. */
    weft_routing routing;
    /* Rate control of its sources. */
    weft_pacing pacing;
    /* First VC of its packets. */
    uint16_t vc;
    /* VCs that they may take from their endpoint; 0: those of the routing. */
    uint16_t entry_vcs;
    uint32_t senders;
    /* Upper bound on the flits of a message. */
    uint32_t most_flits;
    /* It has a class of service, a deadline or a guarantee, so `promise` is measured. */
    bool promised;
    double mean_flits;
    /* Mean router-to-router hops on minimal routes, and on those the routing takes. */
    double minimal_hops;
    double mean_hops;
    /* As `bandwidth` of the network, over the endpoints in `from` of this class. */
    double bandwidth;
    /* Messages per tick of a sender. */
    double per_tick;
    /* Offered load, averaged over the endpoints in `from`; rho is over all links. */
    double load, rho;
    /* Messages of a sender: per second, or per cycle without a clock. */
    double rate;
    weft_promise promise;
} weft_traffic_class;
/* Every message finds its class: a size that is a power of two costs no multiplication. */
_Static_assert(sizeof(weft_traffic_class) == 2048, "a traffic class has an odd size");

typedef struct weft_rated { /* a flow that is followed over time */
    uint32_t endpoint, traffic_class;
} weft_rated;

typedef struct weft_network {
    const weft_scenario *scenario;
    weft_timing timing;
    weft_topology topology;
    /* Routing of classes without one of their own. */
    weft_routing routing;
    /* VCs of the routers; 0: infinite buffers. */
    uint32_t vcs;
    /* Tick at which the faults begin. */
    weft_time faults_at;
    uint32_t endpoints;
    /* Links of an endpoint in each direction. */
    uint32_t ports;
    /* Endpoints in `from` and `to` of at least one class. */
    uint32_t sending, receiving;
    /* Flits that the endpoints in `from` of any class can inject per flit time of a host link. */
    double bandwidth;
    /* Router-to-router links, each weighted by its rate relative to a local link. */
    double capacity;
    uint32_t n_traffic_classes;
    /* Programs that run on it, whose messages are the last class; NULL: none. */
    const weft_job_set *jobs;
    weft_traffic_class traffic_classes[WEFT_CLASSES_MAX];
    /* Flows that are followed (rated.h). */
    const weft_rated *rated;
    uint32_t n_rated;
    double load, rho, rate;       /* offered by all classes together */
    const char *rate_unit;        /* "messages/s" or "messages/cycle" */
    double mean_hops, mean_flits; /* over all messages */
    uint64_t seed;
} weft_network;

/* Do packets of a class travel on VL 15? */
static inline bool weft_network_manages(const weft_network *network, uint32_t traffic_class)
{
    return network->vcs > 0 &&
           network->traffic_classes[traffic_class].entry_vcs >> network->vcs != 0;
}

/* Are there such classes? */
static inline bool weft_network_managed(const weft_network *network)
{
    bool some = false;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        some = some || weft_network_manages(network, f);
    return some;
}

/* Mean traffic offered to a receiver, as a fraction of its reception bandwidth. */
static inline double weft_network_reception(const weft_network *network)
{
    return network->load * ((double)network->sending / network->receiving);
}

/* Scenario and arena must outlive the network. */
WEFT_MUST_USE weft_status weft_network_build(weft_network *network, const weft_scenario *scenario,
                                             weft_arena *arena, weft_error *err);
/* Builds the tables of topology and routings that only a simulation needs; fails if they are too
 * large. dry: only reports whether it would fail. */
WEFT_MUST_USE weft_status weft_network_ready(const weft_network *network, bool dry,
                                             weft_error *err);
/* True if a routing looks at queues of other routers: one process has to run them all. */
bool weft_network_sees_all(const weft_network *network);
void weft_network_done(weft_network *network);
/* The same network, on which only one job runs and no other traffic, from the arena; it must not
 * outlive the original (jobs_alone.c). */
const weft_network *weft_network_alone(const weft_network *network, uint32_t job,
                                       weft_arena *arena);

#endif
