/* SPDX-License-Identifier: Apache-2.0 */
/* Journeys: single packets followed through a run, hop by hop, with what they wait for and for
 * whom. A run is a pure function of its scenario, so a packet of interest is named first and
 * followed in another run. Until it is about to leave its source the run is as any other; from
 * then on every tick is a sync point, at which the packet's queue is looked at from outside, and
 * routers note who is granted what. In one process. */
#ifndef WEFT_SIM_WATCH_JOURNEY_H
#define WEFT_SIM_WATCH_JOURNEY_H

#include "sim/platform.h"

typedef struct weft_packet_identity {
    uint32_t source, traffic_class, index; /* of its message */
    uint32_t number;                       /* of the packet in it */
} weft_packet_identity;

typedef struct weft_journey_wait { /* in a row of ticks: what it waited for */
    weft_wait_cause cause;         /* WEFT_CAUSE_BEHIND: for the front of its queue */
    weft_time ticks;
    uint32_t output, vc;      /* the output, and of credits its VC; WEFT_NOWHERE: none */
    bool lost;                /* it was ready as another one was granted: lost arbitration */
    bool known;               /* who: */
    weft_packet_identity who; /* the packet that had what it waited for */
    /* What that one waited for, the last time it was looked at, and for whom. */
    weft_wait_cause then;
    uint32_t then_router, then_output; /* router WEFT_NOWHERE: at its source */
    bool then_known;
    weft_packet_identity then_who;
} weft_journey_wait;

typedef struct weft_journey_stop { /* at its source, then at every router */
    uint32_t router;               /* WEFT_NOWHERE: at the source */
    uint32_t in, vc;               /* input and VC; at the source: of nothing */
    weft_time ready, left;         /* it could be granted first, and was; −1: not yet */
    uint32_t output, out_vc;       /* that it took; at the source: injection link and VC */
    size_t n_waits, room;
    weft_journey_wait *waits;
} weft_journey_stop;

typedef struct weft_journey {
    weft_packet_identity name;
    weft_time birth, delivered; /* of its message; of the packet, −1: not yet */
    uint32_t destination, flits;
    weft_time seen; /* the last look at it */
    bool absent;    /* its source went on to another message: this one has no such packet */
    size_t n_stops, room;
    weft_journey_stop *stops;
} weft_journey;

typedef struct weft_journeys {
    weft_journey *at;
    size_t count;
    const weft_network *network;
    uint32_t outs;                     /* most outputs of a router */
    struct weft_journey_grant *grants; /* per output: the last one */
    struct weft_journey_place *places; /* of packets, as far as they were seen to move */
    const weft_trace *trace;           /* its own, for the options of the simulation */
    weft_trace own;
    bool watching; /* routers note grants */
} weft_journeys;

void weft_journeys_init(weft_journeys *journeys, const weft_network *network,
                        const weft_packet_identity *names, size_t count, weft_time until);
/* The first of them whose message comes to its source after `until`, or never; NULL: none does, as
 * far as it can be told before the run. */
const weft_journey *weft_journeys_unborn(const weft_journeys *journeys);
void weft_journeys_done(weft_journeys *journeys);
/* As options.look of a simulation whose looker they are, and whose trace is their own. */
weft_time weft_journeys_look(void *journeys, weft_instance *instance, weft_time now);
/* True if all packets have been delivered, or are absent. */
bool weft_journeys_over(const weft_journeys *journeys);

#endif
