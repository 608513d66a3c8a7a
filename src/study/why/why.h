/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of `weft explain` for points without jobs. */
#ifndef WEFT_STUDY_WHY_WHY_H
#define WEFT_STUDY_WHY_WHY_H

#include "analysis/bounds/bounds.h"
#include "interweft/why.h"
#include "sim/watch/waitwatch.h"
#include "study/internal.h"

/* What is known of a point that was surveyed. */
typedef struct weft_why_case {
    const weft_waitwatch *survey;
    const weft_network *network;
    const weft_bounds *bounds;
    const weft_buffering *buffering;
    double healthy; /* throughput bound without its faults; 0: it has none */
} weft_why_case;

/* Ticks in which a survey is over, and the same as a limit of the run. */
weft_waitwatch_plan weft_why_plan(const weft_network *network, const weft_bounds *bounds);
weft_bounds weft_why_bounds(const weft_network *network);
/* Rebuilds the network of a point with another limit of time, ticks, and no other. */
WEFT_MUST_USE weft_status weft_why_limit(weft_study_point *point, double ticks, weft_error *err);

/* Weighs the causes: fills in verdicts, roots and waits. */
void weft_why_judge(const weft_why_case *of, weft_why *why);
/* Fills in the roots and the waits of the tree. */
void weft_why_tree(const weft_waitwatch *survey, weft_why *why);
/* The part of the time in which an output carries flits, and the half-width of its interval. */
double weft_why_busy(const weft_waitwatch *survey, uint32_t output);
double weft_why_busy_half_width(const weft_waitwatch *survey, uint32_t output);
/* 95 % half-width of a mean of batches, each of which may be missing. */
double weft_why_half_width(const double values[WEFT_WAITWATCH_BATCHES],
                           const bool there[WEFT_WAITWATCH_BATCHES]);
/* The name of an output of a router: a link, or the link to an endpoint. */
void weft_why_output_name(const weft_network *network, uint32_t router, uint32_t out,
                          char name[160]);

#endif
