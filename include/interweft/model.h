/* SPDX-License-Identifier: Apache-2.0 */
/* Analytic models: answers by formula or by solving a chain, in milliseconds.
 *
 * A model is a component like any other. Its outputs are named columns with units; `evaluate` fills
 * them, some perhaps once for every index (a distribution). Where a scenario measures the same
 * quantity, `scenario` writes it down, so that both can stand side by side.
 *
 *     weft_model_sheet *model;
 *     const char *settings[] = {"rho=0.1/0.9/0.1", "h=5", NULL};
 *     weft_model_open("cut-through", settings, catalog, &model, &err);
 *     weft_model_run(model, NULL, &err);
 *     … weft_model_point(model, i) …
 *     weft_model_close(model);
 */
#ifndef INTERWEFT_MODEL_H
#define INTERWEFT_MODEL_H

#include "interweft/catalog.h"
#include "interweft/component.h"
#include "interweft/result.h"
#include "interweft/study.h"

typedef struct weft_output {
    const char *name; /* of the metric: "latency", "loss"; NULL ends the table */
    const char *unit; /* "packets", "cycles", "fraction" … */
    const char *by; /* what its rows are counted by ("packets": a distribution); NULL: one value */
    const char *brief;
    bool printed; /* as a document prints it, for comparison only */
} weft_output;

/* Where a model's values go. */
typedef struct weft_answer weft_answer;
/* The value of an output, by its number in the table; what is never put is left out. */
WEFT_API void weft_answer_put(weft_answer *answer, size_t output, double value);
/* The value of row `index` of an output with `by`. */
WEFT_API void weft_answer_put_at(weft_answer *answer, size_t output, int64_t index, double value);
/* A sentence the reader must know: which form was used, where it stops being valid. */
WEFT_API void weft_answer_note(weft_answer *answer, const char *format, ...) WEFT_PRINTF(2, 3);

/* A scenario of the same quantity, being written by the model. */
typedef struct weft_trial weft_trial;
/* Adds to the scenario's text (YAML, one point, without seed). */
WEFT_API void weft_trial_text(weft_trial *trial, const char *format, ...) WEFT_PRINTF(2, 3);
/* Output number `output` corresponds to metric (name, by, index) times scale plus offset. */
WEFT_API void weft_trial_compare(weft_trial *trial, size_t output, const weft_metric *metric,
                                 double scale, double offset);

typedef struct weft_model_kind {
    weft_component base;
    const weft_output *outputs; /* the first is what a picture shows */
    /* Fails with a sentence that begins with the setting's name. */
    weft_status (*evaluate)(const void *settings, weft_answer *answer, weft_error *err);
    /* About how long evaluate takes, where that may be more than a second; NULL: it never is. */
    double (*seconds)(const void *settings);
    /* Writes the scenario for these settings; fails if there is none for them. NULL: never. */
    weft_status (*scenario)(const void *settings, weft_trial *trial, weft_error *err);
} weft_model_kind;

typedef struct weft_model_sheet weft_model_sheet;

/* A model with its settings, "key=value": any of them may be a list of values, {from, to, step} or
 * short from/to/step; all combinations are evaluated. */
WEFT_API WEFT_MUST_USE weft_status weft_model_open(const char *name, const char *const *settings,
                                                   const weft_catalog *catalog,
                                                   weft_model_sheet **model, weft_error *err);
WEFT_API void weft_model_close(weft_model_sheet *model);
WEFT_API const char *weft_model_title(const weft_model_sheet *model);
WEFT_API const weft_output *weft_model_outputs(const weft_model_sheet *model);
WEFT_API size_t weft_model_points(const weft_model_sheet *model);
/* Is there a scenario of the same quantity at all? */
WEFT_API bool weft_model_simulates(const weft_model_sheet *model);

/* Evaluates all points. Of `how` (NULL: nothing) it uses wish, progress, notice and user. */
WEFT_API WEFT_MUST_USE weft_status weft_model_run(weft_model_sheet *model,
                                                  const weft_study_options *how, weft_error *err);
/* A point that has been evaluated; valid until the model is closed. Its verdict holds the notes. */
WEFT_API const weft_point *weft_model_point(const weft_model_sheet *model, size_t i);
/* The same at so many values of a setting that varies that their polygon is a smooth curve, for
 * pictures. *fine is NULL if there are none between; it must be closed before the model. */
WEFT_API WEFT_MUST_USE weft_status weft_model_refine(weft_model_sheet *model, const char *setting,
                                                     weft_model_sheet **fine, weft_error *err);

/* A value of the model beside the simulated one. */
typedef struct weft_agreement {
    size_t point;
    const weft_output *output;
    int64_t index;
    double model, simulated, lo, hi; /* lo and hi: of the simulated one; NaN: no interval */
    bool saturated;                  /* the simulation is */
} weft_agreement;

/* Runs the scenario of every point, several at a time where they fit; `how` as in
 * weft_study_open, as far as it says how to run. All points have been evaluated. The rows are in
 * their order and live until the model is closed. */
WEFT_API WEFT_MUST_USE weft_status weft_model_simulate(weft_model_sheet *model, int64_t seed,
                                                       const weft_study_options *how,
                                                       const weft_agreement **rows, size_t *count,
                                                       weft_error *err);

/* What was simulated, to be kept beside the model's values. */
typedef struct weft_model_trials {
    const weft_agreement *rows; /* by rising point */
    size_t count;
    int64_t seed;
} weft_model_trials;

/* Writes all points into a results file (see weft_result_create). trials: NULL if nothing was
 * simulated; else what was measured stands where reports expect it, and the model's value beside it
 * (weft_metric says how). */
WEFT_API WEFT_MUST_USE weft_status weft_model_save(const weft_model_sheet *model, const char *path,
                                                   bool fresh, const weft_model_trials *trials,
                                                   weft_error *err);

#endif
