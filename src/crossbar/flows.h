/* SPDX-License-Identifier: Apache-2.0 */
/* Exact results of every flow through a switch whose state recurs: its rate, the spacing of its
 * departures, and the fairness of the switch among flows. */
#ifndef WEFT_CROSSBAR_FLOWS_H
#define WEFT_CROSSBAR_FLOWS_H

#include "crossbar/steady.h"

/* Covering deviations are computed for periods of at most this many slots × n. */
#define WEFT_COVERING_CELLS 32768

typedef struct weft_xbar_flow {
    uint64_t offered, served; /* cells in a period of the steady state */
    /* Slots from one cell to the next; 0: less than one cell per period. */
    uint64_t shortest, longest;
    weft_xbar_covering covering; /* of its departure slots */
} weft_xbar_flow;

typedef struct weft_xbar_flows {
    weft_xbar_flow *flow; /* n × n; free() it */
    double guarantee;     /* least served / offered of any flow */
    /* Jain's index of these shares: 1 if all are equal, 1 / flows if one has all. */
    double fairness;
    uint64_t most_jitter; /* greatest longest − shortest, slots */
    bool coverings;       /* the period is short enough for them */
} weft_xbar_flows;

/* Runs the switch again; `steady` must be exact and its period at most cap slots. */
void weft_xbar_flows_measure(weft_xbar_switch *it, weft_xbar_arrivals *arrivals,
                             const weft_xbar_steady *steady, weft_xbar_flows *flows);

/* The throughput under random arrivals of the same rates. */
typedef struct weft_xbar_lottery {
    double value, lo, hi; /* 95 % */
    uint64_t slots;
} weft_xbar_lottery;
void weft_xbar_lottery_run(weft_xbar_switch *it, weft_xbar_arrivals *drawn, uint64_t slots,
                           weft_xbar_lottery *lottery);

#endif
