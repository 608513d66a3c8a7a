/* SPDX-License-Identifier: Apache-2.0 */
/* A site: one block's part of the simulated network, as routers and endpoints see it. The fabric
 * (const, shared by all sites) says what the network is; the site holds what changes. */
#ifndef WEFT_SIM_SITE_H
#define WEFT_SIM_SITE_H

#include "net/network.h"
#include "sim/packet.h"
#include "sim/partition.h"
#include "sim/tally.h"

typedef struct weft_fabric {
    const weft_network *network;
    const weft_partition *partition;
    const struct weft_router_kind *router;
    const void *router_settings;
    weft_time flit;         /* ticks per flit */
    weft_time latency;      /* of a wire between routers */
    weft_time host_latency; /* of a wire to an endpoint */
    bool injection_port;    /* one per endpoint; else messages enter at once */
    bool reception_port;    /* one per endpoint; else packets leave at once */
    bool count_links;
    unsigned page_shift; /* sources are looked at every 2^page_shift ticks */
} weft_fabric;

#define WEFT_FAR_AHEAD ((weft_time)1 << 40) /* ticks: no state of a router lies so far ahead */

typedef struct weft_site {
    const weft_fabric *fabric;
    weft_tally *tally;   /* of the thread that runs this block … */
    weft_tally *tallies; /* … among those of all threads */
    const weft_box *box;
    uint32_t block, routers, sources;
    int64_t waiting; /* messages of which no packet exists, as of the last meeting */
    int64_t *noted; /* router × ports: how busy links were when they were last looked at; or NULL */
    weft_cursor *head;    /* per source: the next message to materialise */
    weft_cursor *counted; /* per source, injection ports only: the next message to count */
    weft_time *injection; /* per endpoint, injection ports only: when its port is free */
    void *state;          /* of the router kind */
    const void *hot;      /* its part that a hop touches first: hot_bytes per router */
    uint32_t hot_bytes;
} weft_site;

/* The kernel's: which thread runs this block now. */
static inline void weft_site_seat(void *state, unsigned thread)
{
    weft_site *site = state;
    site->tally = &site->tallies[thread];
}

/* Numbering inside a site: source = (router × hosts + host) × flows + flow. */
static inline uint32_t weft_site_router_of(const weft_site *site, uint32_t source)
{
    const weft_network *network = site->fabric->network;
    return source / network->flows / network->topology.hosts;
}

#endif
