/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of a comparison under construction: curves of ours and theirs (chart.c), then the curves
 * of a model over them (overlay_curve.c). */
#ifndef WEFT_REPRODUCE_CHART_H
#define WEFT_REPRODUCE_CHART_H

#include "config/registry.h"
#include "reproduce/groups.h"

typedef enum weft_along {
    WEFT_ALONG_KEY,   /* the axis is a key of the figure */
    WEFT_ALONG_INDEX, /* the axis is the index of the claims: hops 1, hops 2 … */
    WEFT_ALONG_PLACE  /* the axis is the places of a distribution */
} weft_along;

/* A trace under construction. */
typedef struct weft_strand {
    size_t series, n_spots;
    const char *name;
    weft_chart_spot *spots;
} weft_strand;

#define WEFT_STRANDS 3 /* of a series, one for each weft_chart_kind */

typedef struct weft_sketch {
    weft_along along;
    size_t axis;               /* key; WEFT_ALONG_PLACE: all its groups agree in it */
    const weft_claim *claim;   /* the first claim drawn */
    const weft_group **groups; /* one of each series */
    weft_strand *strands;      /* of all series, including empty ones */
    size_t room;               /* capacity of a strand, in spots */
    weft_chart shown;          /* without its traces */
} weft_sketch;

typedef struct weft_sketches {
    size_t count;
    weft_sketch *at;
} weft_sketches;

/* Makes the charts of the claims against values of theirs, with the result of each claim. */
WEFT_MUST_USE weft_status weft_sketches_make(const weft_figure_plan *figure,
                                             const weft_groups *groups,
                                             const weft_claim_result *claims, weft_arena *arena,
                                             weft_sketches *sketches, weft_error *err);
/* Adds the model's curves. */
WEFT_MUST_USE weft_status weft_sketch_overlay(const weft_overlay *overlay, weft_sketch *sketch,
                                              const weft_registry *registry, weft_arena *arena,
                                              weft_error *err);
/* The charts in their present state. */
const weft_chart *weft_sketches_show(const weft_sketches *sketches, weft_arena *arena);

#endif
