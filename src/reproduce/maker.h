/* SPDX-License-Identifier: Apache-2.0 */
/* Makers of the results of a figure: one record for every key that a figure may begin with.
 *
 * `scenario: torus.yaml` is simulated, `model: cut-through` evaluated. A maker reads the settings
 * of the figure when the study is opened, and later fills a results file. A new maker is a file
 * with its record and a line in maker.c. */
#ifndef WEFT_REPRODUCE_MAKER_H
#define WEFT_REPRODUCE_MAKER_H

#include "config/bind/bind.h"
#include "interweft/catalog.h"
#include "reproduce/reproduce.h"

/* A figure being read. */
typedef struct weft_figure_source {
    const weft_reproduction *book;
    const char *path;     /* "figures.fig7", for messages */
    const weft_node *map; /* its settings */
    weft_binder *binder;
    weft_arena *arena;
} weft_figure_source;

typedef struct weft_figure_job {
    const weft_figure_plan *figure;
    const weft_variant *variant;
    /* .results is the file to fill; .file and .overrides are ignored. */
    const weft_study_options *how;
    const weft_catalog *catalog;
} weft_figure_job;

typedef struct weft_figure_maker {
    const char *key;   /* of a figure */
    const char *brief; /* meaning of its value */
    /* Further keys of a figure that the maker reads; NULL-terminated; NULL: none. */
    const char *const *also;
    bool seeds; /* points are run with seeds 1, 2, …; else once, and seeds is 1 */
    /* Fills *input, in the arena, from the settings of the figure; *input may become NULL. */
    weft_status (*read)(const weft_figure_source *source, const void **input, weft_error *err);
    /* All processes of how->context call it; rank 0 writes. */
    weft_status (*run)(const weft_figure_job *job, weft_error *err);
} weft_figure_maker;

extern const weft_figure_maker weft_figure_maker_scenario, weft_figure_maker_model,
    weft_figure_maker_crossbar, weft_figure_maker_measured;
/* Ends with NULL. */
extern const weft_figure_maker *const weft_figure_makers[];

/* All keys of all makers, after `fixed` ones; NULL-terminated. */
const char *const *weft_figure_maker_keys(const char *const *fixed, weft_arena *arena);
/* Finds the maker that a figure names and reads its input; exactly one must be named. */
WEFT_MUST_USE weft_status weft_figure_maker_read(const weft_figure_source *source,
                                                 weft_figure_plan *figure, weft_error *err);

#endif
