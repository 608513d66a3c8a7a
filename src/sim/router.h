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
#include "sim/watch/knot.h"

struct weft_instance;

/* What one port of a router, or one of its virtual channels, has done so far; or what else a
 * kind counts. */
enum { WEFT_COUNTER_COUNTS = 4 };
typedef union weft_counter {
    struct {
        int64_t busy;    /* ticks its output has carried flits */
        int64_t held;    /* flits (or what its kind holds) in its input buffer × ticks */
        int64_t flits;   /* that have left that buffer */
        int64_t stalled; /* ticks its output was free and wanted, but had no credits */
    };
    int64_t count[WEFT_COUNTER_COUNTS];
} weft_counter;

/* One of its counts, for people. */
typedef struct weft_counter_quantity {
    const char *matrix, *unit;   /* what is counted */
    const char *metric, *single; /* what it means per tick; NULL: nothing */
} weft_counter_quantity;

typedef struct weft_router_kind {
    weft_carriage carriage; /* its name and parameters, and what it does for routings */
    weft_event_model model; /* its state is a weft_site */
    /* Least time between a router's decision and its effect on another router, ticks. */
    weft_time (*lookahead)(const weft_platform *platform);
    /* Can a network have such routers? NULL: any can. */
    weft_status (*check)(const weft_platform *platform, weft_error *err);
    /* Takes and frees site->state. */
    void (*open)(weft_site *site);
    void (*close)(weft_site *site);
    /* Bytes of one router with its endpoints at rest. */
    int64_t (*bytes)(const weft_platform *platform);
    /* What its finite buffers mean; NULL: they are unbounded, and a hop takes the lookahead. */
    void (*buffering)(const weft_platform *platform, weft_buffering *buffering);
    /* What settings cost beyond the plain router, at most WEFT_EXTRAS_MAX − 2; returns how many.
     * NULL: none do. */
    size_t (*extras)(const weft_platform *platform, weft_extra *extras);
    /* Ticks from a message's arrival at its source to the delivery of its last flit, if it has
     * so many, those of the last packet included, and is alone in the network. NULL: not known. */
    double (*zero_load)(const weft_platform *platform, const weft_mean_path *path, double flits,
                        double packet);
    /* Ticks link (router, port) has carried flits up to `now`; only if links are counted. */
    int64_t (*link_busy)(const weft_site *site, uint32_t router, uint32_t port, weft_time now);
    /* Where devices are counted: how many counters a router has (its ports, those to endpoints
     * included, or times their virtual channels), and what one of them says at a sync point. NULL:
     * this kind has none. */
    uint32_t (*counters)(const weft_platform *platform);
    void (*counter)(const weft_site *site, uint32_t router, uint32_t number, weft_time now,
                    weft_counter *counter);
    const weft_counter_quantity *quantities; /* its counts; NULL: those of ports */
    /* Does everything add up, in an instance that is whole in this process, at a sync point?
     * Asked in debug builds. NULL: yes. */
    bool (*audit)(const struct weft_instance *instance);
    /* Lists which of a site's queues have waited so many ticks and more, and for which others.
     * NULL: buffers have no bounds. */
    void (*waits)(const weft_site *site, weft_time now, weft_time patience, weft_waits *waits);
    const char *holds; /* what counters count in buffers; NULL: flits */
    /* Packets that rest in its buffers; NULL: none do. */
    int64_t (*held)(const weft_site *site);
    /* Bytes that hold them beyond what a router at rest has; NULL: none do. */
    int64_t (*stored)(const weft_site *site);
    bool loses;   /* packets may be dropped by rule */
    bool redraws; /* honours lengths that are drawn anew at every hop */
    /* Servers of a router whose time at work is counted (WEFT_COL_BUSY); NULL: none are. */
    uint32_t (*servers)(const weft_platform *platform);
    /* The primary state of one router, packets in its buffers included, as bytes, and back at
     * tick `now`; what makes no sense fails the reader. */
    void (*save)(const weft_site *site, uint32_t router, weft_pack *pack);
    void (*load)(weft_site *site, uint32_t router, weft_time now, weft_unpack *from);
    /* Gives an event on its way to a router the layout of packet.h. NULL: it has that layout. */
    void (*plain)(const weft_platform *platform, weft_event *event);
    /* A credit of a checkpoint that comes to a router, after its load, at tick `at`. False: it
     * is to be put into the wheel. What makes no sense fails the reader. NULL: there are none. */
    bool (*credit)(weft_site *site, uint32_t router, const weft_event *event, weft_time at,
                   weft_unpack *from);
    /* Puts what can be derived (wake-ups) into the wheel, before the first tick `now` and after
     * a load. NULL: nothing. */
    void (*start)(weft_site *site, weft_block *block, weft_time now);
} weft_router_kind;

/* The kinds that are built in, and the list of them, which ends with NULL. */
#define FAMILY(family)     extern const weft_component *const weft_##family##_kinds[];
#define KIND(family, name) extern const weft_router_kind weft_##family##_##name;
#define END
#include "sim/list.def"
#undef FAMILY
#undef KIND
#undef END

/* Of ports with finite buffers. */
extern const weft_counter_quantity weft_port_quantities[WEFT_COUNTER_COUNTS];

#endif
