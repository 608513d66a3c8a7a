/* SPDX-License-Identifier: Apache-2.0 */
/* The crossbar laboratory: a switch scheduler on one workload matrix, exactly and slot by slot, or
 * on all matrices, to find its worst case.
 *
 *     weft_crossbar *lab;
 *     const char *settings[] = {"scheduler=islip", "iterations=4", "n=4", "d=8", NULL};
 *     weft_crossbar_open(NULL, settings, catalog, &lab, &err);
 *     weft_crossbar_search(lab, &(weft_crossbar_options){.results = "islip.weft"}, &err);
 *     weft_crossbar_close(lab);
 *
 * A list of values for a setting gives a grid of points. docs/howto/crossbar.md lists the
 * settings. */
#ifndef INTERWEFT_CROSSBAR_H
#define INTERWEFT_CROSSBAR_H

#include "interweft/catalog.h"
#include "interweft/context.h"
#include "interweft/result.h"
#include "interweft/status.h"
#include "interweft/study.h"

WEFT_DECLARATIONS

typedef struct weft_crossbar weft_crossbar;

/* Reads settings from a file (YAML, with an optional section vary; NULL: none), then "key=value"
 * overrides. */
WEFT_API WEFT_MUST_USE weft_status weft_crossbar_open(const char *file, const char *const *settings,
                                                      const weft_catalog *catalog,
                                                      weft_crossbar **lab, weft_error *err);
WEFT_API void weft_crossbar_close(weft_crossbar *lab);
WEFT_API size_t weft_crossbar_points(const weft_crossbar *lab);
/* "scheduler=islip d=8"; "" if nothing varies. */
WEFT_API const char *weft_crossbar_key(const weft_crossbar *lab, size_t i);

/* The number of matrices with the n and d of every point, as lines of text; free() it. */
WEFT_API WEFT_MUST_USE weft_status weft_crossbar_count(const weft_crossbar *lab, char **text,
                                                       weft_error *err);

typedef struct weft_crossbar_view {
    uint64_t slots; /* to be shown; 0: 24 */
    bool lottery;   /* also with random arrivals, for comparison */
    /* Called a few times a second during a long run; `time` and `share` count slots of one step. */
    void (*progress)(void *user, const weft_progress *progress);
    void *user;
} weft_crossbar_view;

/* One matrix: arrivals and departures slot by slot, throughput, rates of flows; free() it. */
WEFT_API WEFT_MUST_USE weft_status weft_crossbar_run(const weft_crossbar *lab, size_t i,
                                                     const weft_crossbar_view *view, char **text,
                                                     weft_error *err);

typedef struct weft_crossbar_options {
    const char *results;   /* file */
    bool fresh;            /* overwrite a file of other settings */
    weft_context *context; /* processes that share the work; NULL: this process alone */
    int64_t threads;       /* of a process; 0: its part of the free cores */
    int64_t lanes;         /* switches computed at once: 1, 64, 256, 512; 0: by processor */
    weft_request (*request)(void *user); /* NULL: to the end */
    /* Called a few times a second, on rank 0; `packets` are matrices. */
    void (*progress)(void *user, const weft_progress *progress);
    void *user;
} weft_crossbar_options;

/* Runs all matrices of every point, or the drawn ones. Points in the results file are not repeated,
 * and a stopped or killed search is resumed. All processes of the context call it. */
WEFT_API WEFT_MUST_USE weft_status weft_crossbar_search(weft_crossbar *lab,
                                                        const weft_crossbar_options *options,
                                                        weft_error *err);

WEFT_DECLARATIONS_END

#endif
