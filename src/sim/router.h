/* SPDX-License-Identifier: Apache-2.0 */
/* The router family: a kind is the kernel model of one block of routers with their endpoints. */
#ifndef WEFT_SIM_ROUTER_H
#define WEFT_SIM_ROUTER_H

#include "analysis/bounds/channel_load.h"
#include "base/pack.h"
#include "interweft/component.h"
#include "net/carriage.h"
#include "sim/buffering.h"
#include "sim/site.h"
#include "sim/watch/blocked.h"

struct weft_instance;

/* Cumulative counts of one port of a router or of one of its VCs, or other counts of a kind. */
enum { WEFT_COUNTER_COUNTS = 4 };
typedef union weft_counter {
    struct {
        int64_t busy;    /* ticks its output has carried flits */
        int64_t held;    /* flits (or the kind's unit) in its input buffer × ticks */
        int64_t flits;   /* flits that have left that buffer */
        int64_t stalled; /* ticks its output was free and requested, but had no credits */
    };
    int64_t count[WEFT_COUNTER_COUNTS];
} weft_counter;

/* The names of one of its counts. */
typedef struct weft_counter_quantity {
    const char *matrix, *unit;   /* of the count */
    const char *metric, *single; /* of the count per tick; NULL: none */
} weft_counter_quantity;

/* Memory, buffers and times of a router, for estimates and `weft check`. */
typedef struct weft_router_estimate {
    /* Bytes of one router with its endpoints at rest. */
    int64_t (*bytes)(const weft_platform *platform);
    /* Fills in the finite buffers. NULL: buffers are unbounded, and a hop takes the lookahead. */
    void (*buffering)(const weft_platform *platform, weft_buffering *buffering);
    /* Costs of settings beyond the plain router, at most WEFT_EXTRAS_MAX − 2; returns their number.
     * NULL: none. */
    size_t (*extras)(const weft_platform *platform, weft_extra *extras);
    /* Zero-load latency in ticks of a message of `flits` flits in packets of `packet` flits, from
     * its arrival at the source to the delivery of its last flit. NULL: not known. */
    double (*zero_load)(const weft_platform *platform, const weft_mean_path *path, double flits,
                        double packet);
} weft_router_estimate;

/* Counters of links, ports, VCs and servers, read at sync points. */
typedef struct weft_router_counting {
    /* Ticks that link (router, port) has carried flits up to `now`; only if links are counted. */
    int64_t (*link_busy)(const weft_site *site, uint32_t router, uint32_t port, weft_time now);
    /* Counters of a router: one per port, ports to endpoints included, or one per VC of these; only
     * if devices are counted. NULL: this kind has none. */
    uint32_t (*n_counters)(const weft_platform *platform);
    void (*counter)(const weft_site *site, uint32_t router, uint32_t number, weft_time now,
                    weft_counter *counter);
    const weft_counter_quantity *quantities; /* NULL: weft_port_quantities */
    const char *holds;                       /* unit of buffer contents; NULL: flits */
    bool pairs; /* counters are of pairs of ports, in × ports + out: what packets did after what */
    /* Packets in its buffers. NULL: none. */
    int64_t (*held)(const weft_site *site);
    /* Bytes of these packets beyond the router at rest. NULL: none. */
    int64_t (*stored)(const weft_site *site);
    /* Servers of a router whose busy time is counted (WEFT_COL_BUSY). NULL: none. */
    uint32_t (*servers)(const weft_platform *platform);
} weft_router_counting;

/* The state of a router in a checkpoint. Implausible bytes fail the reader. */
typedef struct weft_router_checkpoint {
    /* Writes the primary state of one router, buffered packets included; reads it at tick `now`. */
    void (*save)(const weft_site *site, uint32_t router, weft_pack *pack);
    void (*load)(weft_site *site, uint32_t router, weft_time now, weft_unpack *from);
    /* Gives an event on its way to a router the layout of packet.h. NULL: it has that layout. */
    void (*plain)(const weft_platform *platform, weft_event *event);
    /* Takes, at tick `now`, a credit that was on its way to a router, after its load, due at tick
     * `at`. False: the caller schedules it as an event. NULL: this kind has no credits. */
    bool (*credit)(weft_site *site, uint32_t router, const weft_event *event, weft_time at,
                   weft_time now, weft_unpack *from);
    bool by_input; /* a packet on its way carries the input it comes to, else the output it left */
} weft_router_checkpoint;

typedef struct weft_router_kind {
    weft_carriage carriage; /* name, parameters, and its services to routings */
    weft_event_model model; /* its state is a weft_site */
    /* Least time between a router's decision and its effect on another router, ticks. */
    weft_time (*lookahead)(const weft_platform *platform);
    /* Fails with a sentence if a network cannot have such routers. NULL: any can. */
    weft_status (*check)(const weft_platform *platform, weft_error *err);
    /* Allocates and frees site->state. */
    void (*open)(weft_site *site);
    void (*close)(weft_site *site);
    /* Schedules derived events (wake-ups) before the first tick `now`, also after a load. NULL:
     * none. */
    void (*start)(weft_site *site, weft_block *block, weft_time now);
    /* True if flits, credits and packets add up at a sync point, in an instance that is whole in
     * this process. Called in debug builds. NULL: not checked. */
    bool (*audit)(const struct weft_instance *instance);
    /* Lists the queues of a site that have waited for `patience` ticks or longer, and the queues
     * they wait for. NULL: buffers are unbounded. */
    void (*waits)(const weft_site *site, weft_time now, weft_time patience, weft_waits *waits);
    /* Shows the packets of a router of a site that wait at a sync point, and their causes. NULL:
     * this kind cannot tell. */
    void (*blocked)(const weft_site *site, uint32_t router, weft_time now,
                    const weft_blocked_view *view);
    /* From now on a site notes the moves of packets in its trace, or does not: of a dormant one.
     * NULL: always. */
    void (*note)(weft_site *site, bool on);
    bool programs;     /* ranks of jobs may be at its endpoints (processes.h) */
    bool ends;         /* links of endpoints are ports too, numbered behind the others */
    bool loses;        /* packets may be dropped by rule */
    bool acknowledges; /* packets of sources with rate control (sim/pace.h) */
    bool redraws;      /* honours lengths that are drawn anew at every hop */
    weft_router_estimate estimate;
    weft_router_counting counting;
    weft_router_checkpoint checkpoint;
} weft_router_kind;

/* The kinds that are built in, and the list of them, which ends with NULL. */
#define FAMILY(family)     extern const weft_component *const weft_##family##_kinds[];
#define KIND(family, name) extern const weft_router_kind weft_##family##_##name;
#define END
#include "sim/list.def"
#undef FAMILY
#undef KIND
#undef END

/* The quantities of ports with finite buffers. */
extern const weft_counter_quantity weft_port_quantities[WEFT_COUNTER_COUNTS];

#endif
