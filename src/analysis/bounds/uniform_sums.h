/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over destinations (internal to analysis/bounds): shared by direct traffic and detours. */
#ifndef WEFT_ANALYSIS_BOUNDS_UNIFORM_SUMS_H
#define WEFT_ANALYSIS_BOUNDS_UNIFORM_SUMS_H

#include "analysis/bounds/inflow.h"
#include "analysis/bounds/uniform.h"

typedef struct weft_uniform_sums { /* of one class */
    weft_uniform *it;
    uint32_t traffic_class;
    weft_mean_path *path;
    uint32_t period;  /* edge routers of a group if groups are equivalent, else 0 */
    uint32_t sources; /* routers whose packets stand for all */
    double pair;      /* uniform traffic: flits per tick from an endpoint to another */
    bool self;
} weft_uniform_sums;

/* The row of a router in tables: its own, or that of its equivalents. */
uint32_t weft_uniform_row(const weft_uniform_sums *s, uint32_t router);
/* Adds a flow to a link. */
void weft_uniform_pass(void *user, uint32_t router, uint32_t port, uint32_t came, double flow);
/* Pairs of endpoints of two routers that communicate. */
double weft_uniform_pairs(const weft_uniform_sums *s, uint32_t from, uint32_t to);
/* Inflows whose flows are added to the loads. */
weft_inflow weft_uniform_inflow_of(weft_uniform_sums *s, const weft_routing *routing,
                                   weft_walk_mode mode);
/* True while no more steps than the budget were taken. */
bool weft_uniform_within(weft_uniform_sums *s, weft_inflow *inflow);

/* All packets of a class that takes detours, over routers or over groups. */
bool weft_uniform_detour_find(weft_uniform_sums *s);

#endif
