/* SPDX-License-Identifier: Apache-2.0 */
/* The floor plan of a fabric: which rack every switch and endpoint stands in, where racks stand,
 * and how long cables are.
 *
 * 1. Edge routers stand with their endpoints, in their order, as many in a rack as its endpoints
 *    and switches allow. The endpoints of a router that has more than a rack holds fill racks of
 *    their own; the router is in the first of them.
 * 2. Other switches stand in racks without endpoints, filled in the order of their anchors: of a
 *    switch joined to lower levels, the mean place of these. Such a rack stands behind the
 *    rack with endpoints where the mean anchor of its switches lies.
 * 3. Racks fill rows from left to right. A cable between racks is as long as the way along and
 *    across the rows, with some slack. */
#ifndef WEFT_PLANNING_FLOOR_PLAN_H
#define WEFT_PLANNING_FLOOR_PLAN_H

#include "planning/design.h"

#include "interweft/topology.h"

typedef struct weft_floor_plan_count { /* cables */
    uint64_t cables[WEFT_LENGTHS_MAX + 1][WEFT_MEDIA];
    uint64_t by_medium[WEFT_MEDIA];
    double by_metre[WEFT_MEDIA]; /* metres of all */
    double longest;
    double mean[WEFT_LINK_CLASSES]; /* length; 0: no such cable */
} weft_floor_plan_count;

typedef struct weft_floor_plan {
    const weft_topology *topology;
    const weft_requirements *wanted;
    uint32_t racks, network_racks, row; /* all, those without endpoints, racks of a row */
    uint32_t *rack;                     /* of every router */
    uint32_t *place;                    /* where the racks with endpoints stand, by their order */
    bool *network;                      /* of every rack: it has no endpoints */
    uint32_t span;                      /* racks of a router's endpoints; 1 mostly */
    uint32_t each;                      /* routers of a rack, if span is 1 */
    uint32_t switches;
} weft_floor_plan;

void weft_floor_plan_init(weft_floor_plan *floor, const weft_topology *topology,
                          const weft_design *fabric, const weft_requirements *wanted);
void weft_floor_plan_done(weft_floor_plan *floor);
/* Where a rack stands, metres. */
void weft_floor_plan_position(const weft_floor_plan *floor, uint32_t rack, double *x, double *y);
uint32_t weft_floor_plan_rack_of_endpoint(const weft_floor_plan *floor, uint32_t endpoint);
/* Metres of a cable between two racks. */
double weft_floor_plan_length(const weft_floor_plan *floor, uint32_t from, uint32_t to);
/* Counts all cables. */
void weft_floor_plan_cables(const weft_floor_plan *floor, weft_floor_plan_count *count);

#endif
