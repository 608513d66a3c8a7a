/* SPDX-License-Identifier: Apache-2.0 */
/* The crossbar laboratory's inside, shared by its verbs. */
#ifndef WEFT_STUDY_CROSSBAR_CROSSBAR_H
#define WEFT_STUDY_CROSSBAR_CROSSBAR_H

#include "base/text.h"
#include "config/vary.h"
#include "crossbar/laboratory.h"
#include "interweft/crossbar.h"

struct weft_crossbar {
    weft_arena arena, file; /* file: the nodes of a settings file */
    const weft_registry *registry;
    const char *title, *text; /* text: what a results file is made from */
    const weft_node *fixed;
    const weft_sweep *grid;
    size_t points;
    const char **keys;
};

typedef struct weft_crossbar_source {
    const char *title;            /* of the results; NULL: as the settings say */
    const weft_node *settings;    /* a map; NULL: none */
    const weft_node *vary;        /* as the section of a scenario; NULL: nothing varies */
    const char *const *overrides; /* "key=value" on top, NULL-terminated; NULL: none */
} weft_crossbar_source;

WEFT_MUST_USE weft_status weft_crossbar_open_source(const weft_crossbar_source *source,
                                                    const weft_registry *registry,
                                                    weft_crossbar **lab, weft_error *err);
/* Point i, in an arena that may be a shorter-lived one; *settings is its text, if wanted. */
WEFT_MUST_USE weft_status weft_crossbar_point(const weft_crossbar *lab, size_t i, weft_arena *arena,
                                              weft_xbar_laboratory *bound, const char **settings,
                                              weft_error *err);

/* Slots with random arrivals beside a matrix: fewer for wide switches, whose slots take long. */
uint64_t weft_crossbar_lottery(const weft_xbar_laboratory *lab);

/* crossbar_points.c: every point as a run of one matrix, or only counted, into a results file.
 * All processes call it. */
WEFT_MUST_USE weft_status weft_crossbar_save(const weft_crossbar *lab, bool counted,
                                             const weft_crossbar_options *options, weft_error *err);

/* crossbar_outcome.c: the result of a search as a point of a results file. */
void weft_crossbar_outcome(const weft_xbar_laboratory *lab, weft_xbar_counter *counter,
                           weft_xbar_spread *spread, weft_arena *arena, weft_point *point);

/* crossbar_state.c: a search that is not finished, as a file beside the results. */
typedef struct weft_crossbar_search_state {
    uint64_t identity; /* of the settings and of how they are cut into parts */
    size_t points;
    const size_t *parts;      /* per point */
    const uint64_t *totals;   /* per point: matrices … */
    const uint64_t *sizes;    /* … and those of a part; the last one may have fewer */
    const uint32_t *side;     /* per point: n */
    const uint32_t *keep;     /* per point: worst ones */
    uint8_t **done;           /* per point and part */
    weft_xbar_spread *spread; /* per point; rows NULL: nothing yet */
} weft_crossbar_search_state;

WEFT_MUST_USE weft_status weft_crossbar_search_state_write(const weft_crossbar_search_state *state,
                                                           const char *path, weft_error *err);
/* Fills done and spread, if there is such a file and it is of this search; else leaves them. */
WEFT_MUST_USE weft_status weft_crossbar_search_state_read(weft_crossbar_search_state *state,
                                                          const char *path, weft_error *err);

#endif
