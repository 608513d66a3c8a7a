/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a plan, shared by its steps: candidates, fronts, simulations, faults. */
#ifndef WEFT_STUDY_PLAN_PLAN_H
#define WEFT_STUDY_PLAN_PLAN_H

#include "interweft/planning.h"
#include "net/network.h"
#include "planning/design.h"
#include "planning/floor_plan.h"
#include "study/catalog.h"

typedef struct weft_planning_entry {
    weft_planned planned;
    weft_design fabric;
    double latency[WEFT_LINK_CLASSES]; /* ns, of the mean cable of each class */
    double shortfall;                  /* of the constraint that it breaks, relative */
} weft_planning_entry;

struct weft_planning {
    weft_arena arena;
    const weft_catalog *catalog;
    weft_requirements wanted;
    const weft_assumption *assumptions;
    size_t n_assumptions;
    weft_planning_entry *entries;
    size_t n_entries;
};

/* A fabric with some traffic, built. */
typedef struct weft_planning_view {
    weft_arena arena;
    weft_scenario scenario;
    weft_network network;
} weft_planning_view;

/* traffic: the lines of the scenario behind its network; routing NULL: the fabric's own. */
WEFT_MUST_USE weft_status weft_planning_view_open(weft_planning_view *view,
                                                  const weft_planning *plan,
                                                  const weft_planning_entry *entry,
                                                  const char *routing, const char *traffic,
                                                  weft_error *err);
void weft_planning_view_close(weft_planning_view *view);
/* Adds the sections of a scenario that say what the fabric is. */
void weft_planning_add_network(weft_text *text, const weft_planning *plan,
                               const weft_planning_entry *entry, const char *routing);
/* Fills everything of the entry's record but front and chosen. */
WEFT_MUST_USE weft_status weft_planning_examine(const weft_planning *plan,
                                                weft_planning_entry *entry, weft_arena *arena,
                                                weft_error *err);
/* Sorts entries and marks the fronts and the fabrics to simulate. */
void weft_planning_rank(weft_planning *plan);

#endif
