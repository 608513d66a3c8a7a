/* SPDX-License-Identifier: Apache-2.0 */
/* A model with its settings as trees, for callers other than the command line. */
#ifndef WEFT_STUDY_MODEL_H
#define WEFT_STUDY_MODEL_H

#include "config/registry.h"
#include "config/vary.h"
#include "interweft/model.h"

typedef struct weft_model_source {
    const char *name;
    const char *title;            /* of the results; NULL: what the model is */
    const weft_node *settings;    /* a map; NULL: none */
    const weft_node *vary;        /* as the section of a scenario; NULL: nothing varies */
    const char *const *overrides; /* "key=value" on top, NULL-terminated; NULL: none */
} weft_model_source;

WEFT_MUST_USE weft_status weft_model_open_source(const weft_model_source *source,
                                                 const weft_registry *registry,
                                                 weft_model_sheet **model, weft_error *err);

/* The two maps of a model: fixed settings and varied ones. */
typedef struct weft_model_settings {
    const weft_node *fixed, *varied;
} weft_model_settings;

/* model_settings.c: one "key=value" on top of them. A list, {from, to, step} or from/to/step of
 * a setting that takes one value varies it. */
WEFT_MUST_USE weft_status weft_model_settings_apply(weft_model_settings *settings,
                                                    const weft_component *kind,
                                                    const char *override, weft_arena *arena,
                                                    weft_error *err);

struct weft_model_sheet {
    weft_arena arena;
    const weft_registry *registry;
    const weft_model_kind *kind;
    const char *title, *text; /* text: what a results file is made from */
    const weft_node *fixed, *varied;
    const weft_sweep *grid;
    size_t n_points, done; /* done: evaluated */
    weft_point *points;
};

/* The settings of point i, bound; `arena` may be a shorter-lived one. */
WEFT_MUST_USE weft_status weft_model_bind(const weft_model_sheet *model, size_t i,
                                          weft_arena *arena, const void **settings,
                                          const weft_node **tree, weft_error *err);

#endif
