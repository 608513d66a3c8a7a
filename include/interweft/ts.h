/* SPDX-License-Identifier: Apache-2.0 */
/* The torus simulator ts (Zaitsev): its parameters and its statistics, computed by the kernel
 * with routers of kind shared-queue. docs/theory/ts.md describes ts and its unexpected
 * behaviour. */
#ifndef INTERWEFT_TS_H
#define INTERWEFT_TS_H

#include "interweft/catalog.h"
#include "interweft/study.h"

WEFT_DECLARATIONS

typedef struct weft_ts_options {
    int64_t d, k;  /* dimensions, and routers along each */
    char rule;     /* 'a' … 'f' */
    int64_t cht;   /* time of a packet on a channel, mtu (model time units) */
    int64_t bl;    /* packets that may wait at a router */
    double lambda; /* packets per mtu and router */
    int64_t maxst; /* end, mtu: the run ends with the first event after it */
    int64_t seed;  /* 0: 1 */
    int64_t dbg;   /* 1: a line for every event of a packet, 2: with queues, 3 …: ts' own */
    int64_t threads, blocks; /* 0: 1, and by size; results do not depend on them */
    void (*line)(void *user, const char *text); /* takes the lines of dbg */
    weft_request (*request)(void *user);        /* may be NULL, like the members below */
    void (*progress)(void *user, const weft_progress *progress);
    void *user;
} weft_ts_options;

typedef struct weft_ts_statistics {
    int64_t time; /* mtu */
    int64_t generated, delivered, queued, dropped;
    int64_t transmissions; /* completed, on all channels */
    double performance;    /* delivered packets per mtu, of the whole torus */
    double load;           /* of all possible channels, percent */
    double hops;           /* of delivered packets */
    double channel_time;   /* mean latency / hops of delivered packets, mtu */
    double latency;        /* mtu */
} weft_ts_statistics;

/* ts' defaults. */
WEFT_API weft_ts_options weft_ts_defaults(void);
/* The scenario of a run, as text for `weft run`; the caller frees it. */
WEFT_API WEFT_MUST_USE weft_status weft_ts_scenario(const weft_ts_options *options, char **text,
                                                    weft_error *err);
/* Runs the scenario in this process. */
WEFT_API WEFT_MUST_USE weft_status weft_ts_run(const weft_ts_options *options,
                                               const weft_catalog *catalog,
                                               weft_ts_statistics *statistics, weft_error *err);

WEFT_DECLARATIONS_END

#endif
