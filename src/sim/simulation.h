/* SPDX-License-Identifier: Apache-2.0 */
/* One simulated point: a network on the kernel, measured until it is known well enough. */
#ifndef WEFT_SIM_SIMULATION_H
#define WEFT_SIM_SIMULATION_H

#include "net/network.h"
#include "sim/tally.h"
#include "stats/control.h"

typedef enum weft_ending {
    WEFT_END_CONVERGED,
    WEFT_END_SATURATED,
    WEFT_END_LIMIT_TIME,
    WEFT_END_LIMIT_PACKETS,
    WEFT_END_LIMIT_WALL,
    WEFT_END_MEMORY,     /* the memory limit; saturated */
    WEFT_END_INTERRUPTED /* the caller's progress function said so */
} weft_ending;

typedef struct weft_state { /* for progress */
    weft_time now;
    int64_t packets, packet_hops;
    double share;          /* 0 … 1 of the way, as far as known */
    weft_estimate latency; /* ticks; value NaN while unknown */
} weft_state;

typedef struct weft_simulation_options {
    uint32_t blocks;                                       /* 0: by size */
    int64_t memory;                                        /* bytes the run may hold; 0: no limit */
    double half_width;                                     /* relative; 0: the scenario's */
    bool (*progress)(void *user, const weft_state *state); /* a few times a second; may be NULL */
    void *user;
} weft_simulation_options;

typedef struct weft_simulation weft_simulation;

WEFT_MUST_USE weft_status weft_simulation_create(const weft_network *network,
                                                 const weft_simulation_options *options,
                                                 weft_simulation **simulation, weft_error *err);
void weft_simulation_destroy(weft_simulation *simulation);
/* Runs to its end. WEFT_BROKEN if an invariant does not hold. */
WEFT_MUST_USE weft_status weft_simulation_run(weft_simulation *simulation, weft_ending *ending,
                                              weft_error *err);

/* What was measured; valid until destroy. */
const weft_series *weft_simulation_series(const weft_simulation *simulation);
const weft_control *weft_simulation_control(const weft_simulation *simulation);
const weft_tally *weft_simulation_tally(const weft_simulation *simulation); /* for its layout */
weft_time weft_simulation_interval(const weft_simulation *simulation);
weft_time weft_simulation_now(const weft_simulation *simulation);
int64_t weft_simulation_bytes(const weft_simulation *simulation);
uint64_t weft_simulation_events(const weft_simulation *simulation);

typedef struct weft_census { /* packets, over the whole run */
    int64_t generated, delivered, in_flight, waiting;
} weft_census;
weft_census weft_simulation_census(const weft_simulation *simulation);

/* Ticks a link carried flits since `weft_simulation_links_since`; only if the scenario counts links. */
weft_time weft_simulation_links_since(const weft_simulation *simulation);
int64_t weft_simulation_link_busy(const weft_simulation *simulation, uint32_t router,
                                  uint32_t port);

/* The time series, if the scenario asks for one: bins of `width` ticks from the start. */
typedef struct weft_bins {
    weft_time width;
    size_t count, capacity;
    int64_t *start, *generated, *delivered, *latency, *population; /* latency: sum, ticks */
} weft_bins;
const weft_bins *weft_simulation_bins(const weft_simulation *simulation);

typedef struct weft_cost {
    int64_t bytes_at_rest, bytes_per_router, bytes_running;
    int64_t bytes_at_start;               /* with the messages of the first sampling interval */
    double packets, packet_hops, seconds; /* of the whole run, roughly */
    uint32_t blocks;
} weft_cost;
/* What the run will need, without building it. */
weft_cost weft_simulation_cost(const weft_network *network, uint32_t blocks);

#endif
