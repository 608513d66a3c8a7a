/* SPDX-License-Identifier: Apache-2.0 */
/* What every flow gets out of a switch whose state recurs, exactly: its rate, how evenly its
 * cells leave, and how fair the switch is among flows. */
#ifndef WEFT_CROSSBAR_FLOWS_H
#define WEFT_CROSSBAR_FLOWS_H

#include "crossbar/steady.h"

/* Periods of at most so many slots × n have their covering deviations found. */
#define WEFT_COVERING_CELLS 32768

typedef struct weft_xbar_flow {
    uint64_t offered, served; /* cells in a period of the steady state */
    uint64_t shortest,
        longest; /* slots from one cell to the next; 0: fewer than one cell a period */
    weft_xbar_covering covering; /* of the slots its cells leave in */
} weft_xbar_flow;

typedef struct weft_xbar_flows {
    weft_xbar_flow *flow; /* n × n; free() it */
    double guarantee;     /* least share of what was offered that a flow gets */
    /* Jain's index of these shares: 1 if all are equal, 1 / flows if one has all */
    double fairness;
    uint64_t most_jitter; /* greatest longest − shortest, slots */
    bool coverings;       /* the period is short enough for them */
} weft_xbar_flows;

/* Runs the switch again; `steady` must be exact and its period at most cap slots. */
void weft_xbar_flows_measure(weft_xbar_switch *it, weft_xbar_arrivals *arrivals,
                             const weft_xbar_steady *steady, weft_xbar_flows *flows);

/* The throughput under cells that arrive by lot with the same rates. */
typedef struct weft_xbar_lottery {
    double value, lo, hi; /* 95 % */
    uint64_t slots;
} weft_xbar_lottery;
void weft_xbar_lottery_run(weft_xbar_switch *it, weft_xbar_arrivals *drawn, uint64_t slots,
                           weft_xbar_lottery *lottery);

#endif
