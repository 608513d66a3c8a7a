/* SPDX-License-Identifier: Apache-2.0 */
/* A survey of congestion: samples of a running network, each of which follows every packet that
 * waits to the *root* of its wait. A packet that lacks credits waits for the queue behind its
 * output, the front of that queue for something else, and so on; the root is the output at which
 * the front does not wait for another queue: it contends with others, or its credits are under way.
 * By Little's law the mean number of packets that wait for a root is the part of all latency that
 * it makes. In one process. */
#ifndef WEFT_SIM_WATCH_SURVEY_H
#define WEFT_SIM_WATCH_SURVEY_H

#include "sim/platform.h"

enum {
    WEFT_WAITWATCH_BATCHES = 10,
    WEFT_WAITWATCH_ROOTS = 8, /* roots whose sources are told apart */
};

/* An output that is busy for so much of the time has no room to speak of. */
#define WEFT_WAITWATCH_FULL 0.85

typedef struct weft_waitwatch_plan {
    weft_time from, until; /* samples are taken from one tick to the other … */
    uint32_t samples;      /* … so many */
} weft_waitwatch_plan;

typedef struct weft_waitwatch_output { /* of a router; sums over samples */
    uint32_t busy;
    uint32_t lost[WEFT_CAUSE_CAUSES]; /* it was idle though wanted, by the cause … */
    uint32_t pressed; /* … but for those in which the queues behind it were full */
    uint16_t batch_busy[WEFT_WAITWATCH_BATCHES];
    double local[WEFT_WAITWATCH_BATCHES]; /* packets that wait for it here, whatever its root … */
    /* … of which so many were seen to wait for itself: in contention, or for its credits. */
    double contention, credits;
    double waiting[WEFT_WAITWATCH_BATCHES]; /* packets whose root it is, once it is finished */
    /* Of endpoints, by the number of their link: packets that are held back by the injection link,
     * by the endpoint itself, or since credits of that link are under way. */
    double injection[WEFT_WAITWATCH_BATCHES], host, stalled[WEFT_WAITWATCH_BATCHES], short_of_vcs;
} weft_waitwatch_output;

typedef struct weft_waitwatch_edge { /* packets at one output wait for another one */
    uint32_t from, to;               /* numbers of outputs: router × outs + output */
    double packets;                  /* per sample */
} weft_waitwatch_edge;

typedef struct weft_waitwatch_flow { /* of a source through one of the roots */
    double waiting;                  /* packets, sum over samples */
    uint64_t crossed;                /* packets that took the output */
} weft_waitwatch_flow;

typedef struct weft_waitwatch {
    weft_waitwatch_plan plan;
    const weft_network *network;
    uint32_t outs, vcs; /* greatest numbers of a router */
    size_t n_outputs;   /* routers × outs */
    uint32_t samples;
    uint32_t batch[WEFT_WAITWATCH_BATCHES]; /* samples of each */
    weft_waitwatch_output *outputs;
    double waiting, at_sources; /* packets that wait, sums over samples: all, and at endpoints */
    double in_service;          /* fronts that wait for nothing: under way */
    weft_time first, last;      /* ticks of the first and the last sample */
    /* Per source (endpoint × classes + class): messages taken from it and arrived at it, between
     * the first and the last sample. */
    uint32_t *taken, *arrived;
    struct {
        uint32_t taken, arrived;
    } * begun; /* the same up to the first sample */
    size_t n_sources;
    uint32_t
        roots[WEFT_WAITWATCH_ROOTS]; /* outputs, the heaviest of the first tenth of the samples */
    size_t n_roots;
    weft_waitwatch_flow *flows; /* root × endpoints */
    weft_waitwatch_edge *edges; /* by weight, once it is finished */
    size_t n_edges;
    struct weft_waitwatch_sample *now; /* the sample being taken */
} weft_waitwatch;

void weft_waitwatch_init(weft_waitwatch *survey, const weft_network *network,
                         const weft_waitwatch_plan *plan);
void weft_waitwatch_done(weft_waitwatch *survey);
/* Looks, as options.look of a simulation whose looker is the survey. */
weft_time weft_waitwatch_look(void *survey, weft_instance *instance, weft_time now);
/* Notes the packets that take a root, as the note of a weft_trace whose user is the survey. */
void weft_waitwatch_note(void *survey, weft_trace_kind kind, const weft_event *packet,
                         uint32_t place, uint32_t output, uint32_t vc, weft_time at);
/* After the run: sorts the edges, and follows all waits to their roots. A queue that is served in
 * one sample waits in the next: so waits are followed from output to output in the proportions of
 * all samples, not in each of them. */
void weft_waitwatch_finish(weft_waitwatch *survey);

/* Packets whose root is an output, injection aside, per sample. */
double weft_waitwatch_weight(const weft_waitwatch *survey, size_t output);

#endif
