/* SPDX-License-Identifier: Apache-2.0 */
/* Prediction of a run from the traffic of its network: waiting times, packets in flight and the
 * length of the run. For estimates only: no result depends on it. */
#ifndef WEFT_SIM_FORECAST_H
#define WEFT_SIM_FORECAST_H

#include "sim/buffering.h"
#include "sim/platform.h"

typedef struct weft_lengths { /* of packets, as time on a link */
    double mean;
    double square; /* their squared coefficient of variation */
    double share;  /* fraction of all packets */
} weft_lengths;

typedef struct weft_forecast { /* times in ticks */
    weft_platform platform;
    weft_buffering buffering;
    double packets; /* that enter the network per tick */
    double hops;    /* of a packet */
    weft_lengths all, traffic_class[WEFT_CLASSES_MAX];
    double window; /* of the kernel */
    double hop;    /* from one router to the next without waiting */
    /* Utilisation of the mean link and of the mean reception port; may exceed 1. With finite
     * buffers: relative to the throughput that these allow, at most 1. */
    double link, port;
    double ports, ends; /* inputs of the mean router, from others and from endpoints */
    bool saturated;
    double period;               /* of a flit */
    double room;                 /* packets that finite buffers hold when they are full … */
    double excess;               /* … and their net inflow per tick until then */
    double interval;             /* between samples */
    double ticks;                /* simulated until the run ends */
    double link_wait, port_wait; /* mean wait for one of them by then */
    double entered;              /* packets that came into the network by then */
    double in_flight;            /* packets in flight by then; the others wait at their sources */
} weft_forecast;

weft_forecast weft_forecast_make(const weft_network *network);
/* Packets delivered, and hops made, by the end. */
double weft_forecast_packets(const weft_forecast *forecast);
double weft_forecast_hops(const weft_forecast *forecast);

#endif
