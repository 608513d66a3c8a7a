/* SPDX-License-Identifier: Apache-2.0 */
/* What will go on in a network, foretold from its traffic: how long packets wait, how many are
 * under way and how long a run will be. For estimates only: no result depends on it. */
#ifndef WEFT_SIM_FORECAST_H
#define WEFT_SIM_FORECAST_H

#include "sim/buffering.h"
#include "sim/platform.h"

typedef struct weft_lengths { /* of packets, as time on a link */
    double mean;
    double square; /* their squared coefficient of variation */
    double share;  /* of the packets that are such */
} weft_lengths;

typedef struct weft_forecast { /* times in ticks */
    weft_platform platform;
    weft_buffering buffering;
    double packets; /* that enter the network per tick */
    double hops;    /* of a packet */
    weft_lengths all, traffic_class[WEFT_CLASSES_MAX];
    double window; /* of the kernel */
    double hop;    /* from one router to the next without waiting */
    /* How busy the mean link and the mean reception port are; may be 1 and more. Of finite
     * buffers: as parts of what these let them carry, at most 1. */
    double link, port;
    double ports, ends; /* inputs of the mean router, from others and from endpoints */
    bool saturated;
    double period;   /* of a flit */
    double room;     /* packets that finite buffers hold when they are full … */
    double excess;   /* … and that they take in per tick until then, beyond what leaves */
    double interval; /* between samples */
    double ticks;    /* simulated until the run ends */
    double link_wait, port_wait; /* mean wait for one of them by then */
    double entered;              /* packets that came into the network by then */
    double in_flight;            /* packets under way by then; the rest waits outside */
} weft_forecast;

weft_forecast weft_forecast_make(const weft_network *network);
/* Packets delivered, and hops made, by the end. */
double weft_forecast_packets(const weft_forecast *forecast);
double weft_forecast_hops(const weft_forecast *forecast);

#endif
