/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of a comparison while they are made: ours and theirs (chart.c), then a model's curves over
 * them (overlay_curve.c). */
#ifndef WEFT_REPRODUCE_CHART_H
#define WEFT_REPRODUCE_CHART_H

#include "config/registry.h"
#include "reproduce/groups.h"

typedef enum weft_along {
    WEFT_ALONG_KEY,   /* a key of the figure is the axis */
    WEFT_ALONG_INDEX, /* what claims are about, one after the other: hops 1, hops 2 … */
    WEFT_ALONG_PLACE  /* the places of a distribution */
} weft_along;

typedef struct weft_strand { /* a trace while it grows */
    size_t series, n_spots;
    const char *name;
    weft_chart_spot *spots;
} weft_strand;

#define WEFT_STRANDS 3 /* of a series, one for each weft_chart_kind */

typedef struct weft_sketch {
    weft_along along;
    size_t axis;               /* key; WEFT_ALONG_PLACE: all its groups agree in it */
    const weft_claim *claim;   /* the first that is drawn */
    const weft_group **groups; /* one of each series */
    weft_strand *strands;      /* of all series, also empty ones */
    size_t room;               /* for spots of a strand */
    weft_chart shown;          /* but for its traces */
} weft_sketch;

typedef struct weft_sketches {
    size_t count;
    weft_sketch *at;
} weft_sketches;

/* What is claimed against values of theirs, with what became of each claim. */
WEFT_MUST_USE weft_status weft_sketches_make(const weft_figure_plan *figure,
                                             const weft_groups *groups,
                                             const weft_claim_result *claims, weft_arena *arena,
                                             weft_sketches *sketches, weft_error *err);
/* Adds the model's curves. */
WEFT_MUST_USE weft_status weft_sketch_overlay(const weft_overlay *overlay, weft_sketch *sketch,
                                              const weft_registry *registry, weft_arena *arena,
                                              weft_error *err);
/* The charts as they are now. */
const weft_chart *weft_sketches_show(const weft_sketches *sketches, weft_arena *arena);

#endif
