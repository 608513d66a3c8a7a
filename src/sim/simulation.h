/* SPDX-License-Identifier: Apache-2.0 */
/* One simulated point: a network on the kernel, run until its estimates are precise enough. The
 * processes of a communicator run it together: each calls the same functions with the same
 * settings. */
#ifndef WEFT_SIM_SIMULATION_H
#define WEFT_SIM_SIMULATION_H

#include "kernel/kernel.h"
#include "net/network.h"
#include "sim/tally.h"
#include "stats/control.h"
#include "stats/hurst.h"

typedef enum weft_ending {
    WEFT_END_CONVERGED,
    WEFT_END_SATURATED,
    WEFT_END_LIMIT_TIME,
    WEFT_END_LIMIT_PACKETS,
    WEFT_END_LIMIT_WALL,
    WEFT_END_LIMIT_RANGE, /* a source has sent 2^28 messages, or a packet has waited 2^40 ticks */
    WEFT_END_MEMORY,      /* the memory limit */
    WEFT_END_INTERRUPTED, /* requested by the caller */
    WEFT_END_COMPLETED,   /* all jobs have ended, or all that was sent has arrived */
    WEFT_END_OUT_OF_REACH /* the half-width will not be reached within the limit on packets */
} weft_ending;

typedef struct weft_state { /* for progress */
    weft_time now;
    int64_t packets, packet_hops;
    double share;          /* estimated fraction of the run, 0 … 1 */
    weft_estimate latency; /* ticks; value NaN while unknown */
} weft_state;

struct weft_instance;

typedef struct weft_simulation_options {
    uint32_t blocks;   /* of all processes; 0: by size */
    unsigned threads;  /* of this process; 0 is 1 */
    weft_comm *comm;   /* of the processes that run it; NULL: this process alone */
    int64_t memory;    /* bytes this process may hold; 0: no limit */
    double half_width; /* relative; 0: the scenario's */
    bool timed;        /* measures times (weft_simulation_times) */
    bool fixed;        /* disables work stealing, for benchmarks */
    /* Control requests, polled at every sampling time on every process; may be NULL. */
    weft_request (*request)(void *user);
    void (*progress)(void *user, const weft_state *state); /* a few times a second; may be NULL */
    const char *folder;                                    /* of checkpoints; NULL: none */
    double period_s;                              /* between checkpoints; 0: only on request */
    void (*notice)(void *user, const char *text); /* takes messages for the user; may be NULL */
    void *user;
    /* Looks at the network from outside at sync points of its own, in one process: returns the tick
     * of the next one. The first call is before anything runs. NULL: nobody does. */
    weft_time (*look)(void *looker, struct weft_instance *instance, weft_time now);
    void *looker;
    const struct weft_trace *trace; /* records every packet's moves; NULL: none */
    /* Takes the slowest messages, in a run of one thread without checkpoints; NULL: nobody asks. */
    struct weft_slowest *slowest;
} weft_simulation_options;

typedef struct weft_simulation weft_simulation;

WEFT_MUST_USE weft_status weft_simulation_create(const weft_network *network,
                                                 const weft_simulation_options *options,
                                                 weft_simulation **simulation, weft_error *err);
void weft_simulation_destroy(weft_simulation *simulation);
/* Runs to its end. WEFT_BROKEN if an invariant does not hold, WEFT_STOPPED if a checkpoint
 * cannot be written. All ranks return the same. */
WEFT_MUST_USE weft_status weft_simulation_run(weft_simulation *simulation, weft_ending *ending,
                                              weft_error *err);

/* Measurements, the same on all ranks (links: on rank 0 only); valid until destroy. */
const weft_series *weft_simulation_series(const weft_simulation *simulation);
const weft_control *weft_simulation_control(const weft_simulation *simulation);
const weft_tally *weft_simulation_tally(const weft_simulation *simulation); /* for its layout */
weft_time weft_simulation_interval(const weft_simulation *simulation);
weft_time weft_simulation_now(const weft_simulation *simulation);
/* Per rank of all jobs: the tick of its end; NULL without jobs. */
const int64_t *weft_simulation_finish(const weft_simulation *simulation);
/* Per rank of all jobs: the repetitions of its program that it has finished. */
const int64_t *weft_simulation_repetition(const weft_simulation *simulation);
/* Per job × WEFT_SPENT_KINDS: what the CPUs of its ranks have spent, in ticks. Per job and step
 * (program/ranks.h): the tick at which its last rank ended it; 0: not yet. */
const int64_t *weft_simulation_spent(const weft_simulation *simulation);
const int64_t *weft_simulation_steps(const weft_simulation *simulation);
/* Per job × WEFT_SIZE_CLASSES (sim/jobs/processes.h): times of its messages by size. */
const struct weft_process_times *weft_simulation_flows(const weft_simulation *simulation);
/* Per job: the tick of its beginning; −1: it has not begun. */
const int64_t *weft_simulation_began(const weft_simulation *simulation);
/* What the ranks of all jobs did, with bins of one width; on rank 0. NULL: not asked for. */
const weft_rank_log *weft_simulation_timeline(const weft_simulation *simulation);
/* Where the messages of jobs waited, with timelines of operations; on rank 0. */
const struct weft_longest_waits *weft_simulation_waits(const weft_simulation *simulation);
/* Likewise, of jobs of which only some steps were run: when half of these were over; NULL without
 * such a job. */
const int64_t *weft_simulation_half(const weft_simulation *simulation);
int64_t weft_simulation_bytes(const weft_simulation *simulation);
uint64_t weft_simulation_events(const weft_simulation *simulation);

typedef struct weft_census { /* packets, over the whole run */
    int64_t generated, delivered, in_flight, waiting, lost;
} weft_census;
weft_census weft_simulation_census(const weft_simulation *simulation);

/* Loads of links over the last `span` ticks, if the scenario counts them: all links in order, or
 * the ten busiest. */
typedef struct weft_link_load {
    int64_t index; /* router × ports + port */
    int64_t busy;  /* ticks */
} weft_link_load;

typedef struct weft_link_loads {
    weft_time span; /* 0: nothing was counted */
    int64_t total;  /* busy ticks of all links */
    size_t n_loads;
    weft_link_load *loads;
} weft_link_loads;
const weft_link_loads *weft_simulation_links(const weft_simulation *simulation);

/* Counters of every port of every router (or of every virtual channel) over the last `span` ticks,
 * if the scenario asks for them; on rank 0. Routers × columns, in the order of weft_counter: ticks
 * busy, flits × ticks in the input buffer, flits that left it, ticks stalled for credits. */
typedef struct weft_device_loads {
    weft_time span; /* 0: nothing was counted */
    size_t columns; /* ports, those to endpoints last; or ports × virtual channels */
    int64_t *load[4];
} weft_device_loads;
const weft_device_loads *weft_simulation_devices(const weft_simulation *simulation);

/* Traffic of the sources over the last `span` ticks: of a class in messages, of all together
 * in sixteenths of flits of the classes' mean lengths. */
typedef struct weft_fair_share {
    int64_t sources; /* that send at all */
    int64_t least, greatest, sum;
    uint64_t squares[2]; /* their sum; low half first */
} weft_fair_share;

typedef struct weft_fairness {
    weft_time span;                              /* 0: nothing was counted */
    weft_fair_share share[WEFT_CLASSES_MAX + 1]; /* of all, then of each class */
} weft_fairness;
const weft_fairness *weft_simulation_fairness(const weft_simulation *simulation);

/* The time series, if the scenario asks for one: bins of `width` ticks from the start. */
typedef struct weft_bins {
    weft_time width;
    size_t count, capacity;
    int64_t *start, *generated, *delivered, *latency, *population; /* latency: sum, ticks */
} weft_bins;
const weft_bins *weft_simulation_bins(const weft_simulation *simulation);

#define WEFT_RATE_UNIT 1000000 /* rates are in millionths of the greatest */

/* Rates of the flows that are followed (network->rated), bin by bin: bins × flows. */
typedef struct weft_rate_bins {
    uint32_t flows; /* 0: none is */
    weft_time width;
    size_t count, capacity;
    int64_t *start, *covered; /* ticks; how much of a bin has passed */
    int64_t *flits, *rate;    /* sent in a bin; the law's rate at its end, 0 without a law */
    int64_t *before, *words;  /* flits before the bin's last interval; of one exchange */
} weft_rate_bins;
const weft_rate_bins *weft_simulation_rates(const weft_simulation *simulation);

/* Busy ticks of links over time, if the scenario asks for them. */
#define WEFT_LINKBINS 256
typedef struct weft_link_bins {
    weft_time width; /* of a bin, ticks */
    size_t slots;    /* router × ports + port; 0: nothing is counted */
    size_t count;    /* bins, the first begins at 0 */
    int64_t *busy;   /* bin × slots + slot */
    int64_t *last;   /* per slot: busy ticks up to `seen` */
    weft_time seen;
} weft_link_bins;
const weft_link_bins *weft_simulation_link_bins(const weft_simulation *simulation);

/* The arrivals of every group (sim/tally.h), interval by interval; NULL: not asked for. */
const weft_hurst *weft_simulation_hurst(const weft_simulation *simulation);

/* Times of this process; only if options.timed. */
weft_engine_times weft_simulation_times(const weft_simulation *simulation);

typedef struct weft_cost_plan {      /* of a run; 0: by size, or 1 */
    uint32_t blocks, ranks, threads; /* blocks of all processes, threads of each */
} weft_cost_plan;

typedef struct weft_cost {
    uint32_t blocks, ranks, threads;         /* of the plan, filled in */
    int64_t bytes_at_rest, bytes_per_router; /* the network alone */
    int64_t bytes_at_start;      /* of all processes in the first sampling interval … */
    int64_t bytes_running;       /* … and at their peak */
    int64_t bytes_a_process;     /* the same of one */
    double packets, packet_hops; /* of the whole run */
    double events_a_window;      /* of the whole network: bounds the parallelism */
    double seconds;              /* on ranks × threads cores */
} weft_cost;
/* Estimated cost of a run, without building it. The same on all processes. */
weft_cost weft_simulation_cost(const weft_network *network, const weft_cost_plan *plan);

#endif
