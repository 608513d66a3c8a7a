/* SPDX-License-Identifier: Apache-2.0 */
/* Analytic models: answers by formula or by solving a Markov chain, in milliseconds.
 *
 * A model is a component like any other. Its outputs are named columns with units; `evaluate` fills
 * them, some with a value for every index (a distribution). If a scenario measures the same
 * quantity, `scenario` writes it, so that both can be compared.
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

WEFT_DECLARATIONS

typedef struct weft_output {
    const char *name; /* of the metric: "latency", "loss"; NULL ends the table */
    const char *unit; /* "packets", "cycles", "fraction" … */
    const char *by;   /* index of its rows ("packets": a distribution); NULL: one value */
    const char *brief;
    bool printed; /* as a document prints it, for comparison only */
} weft_output;

/* The values of a model. */
typedef struct weft_answer weft_answer;
/* Sets the value of an output, by its number in the table; outputs without a value are left out. */
WEFT_API void weft_answer_put(weft_answer *answer, size_t output, double value);
/* Sets the value of row `index` of an output with `by`. */
WEFT_API void weft_answer_put_at(weft_answer *answer, size_t output, int64_t index, double value);
/* Adds a remark that readers need: the form used, the limits of its validity. */
WEFT_API void weft_answer_note(weft_answer *answer, const char *format, ...) WEFT_PRINTF(2, 3);

/* A scenario that measures the same quantity, written by the model. */
typedef struct weft_trial weft_trial;
/* Adds to the scenario's text (YAML, one point, without seed). */
WEFT_API void weft_trial_text(weft_trial *trial, const char *format, ...) WEFT_PRINTF(2, 3);
/* Output number `output` corresponds to metric (name, by, index) times scale plus offset. */
WEFT_API void weft_trial_compare(weft_trial *trial, size_t output, const weft_metric *metric,
                                 double scale, double offset);

typedef struct weft_model_kind {
    weft_component base;
    const weft_output *outputs; /* plots show the first */
    /* Fails with a message that begins with the name of the setting. */
    weft_status (*evaluate)(const void *settings, weft_answer *answer, weft_error *err);
    /* Estimated time of evaluate; NULL: always below a second. */
    double (*seconds)(const void *settings);
    /* Writes the scenario of these settings; fails if there is none. NULL: there never is. */
    weft_status (*scenario)(const void *settings, weft_trial *trial, weft_error *err);
} weft_model_kind;

typedef struct weft_model_sheet weft_model_sheet;

/* Opens a model with settings "key=value". A value may be a list, {from, to, step} or short
 * from/to/step; all combinations are evaluated. */
WEFT_API WEFT_MUST_USE weft_status weft_model_open(const char *name, const char *const *settings,
                                                   const weft_catalog *catalog,
                                                   weft_model_sheet **model, weft_error *err);
WEFT_API void weft_model_close(weft_model_sheet *model);
WEFT_API const char *weft_model_title(const weft_model_sheet *model);
WEFT_API const weft_output *weft_model_outputs(const weft_model_sheet *model);
WEFT_API size_t weft_model_points(const weft_model_sheet *model);
/* True if the model has scenarios that measure the same quantity. */
WEFT_API bool weft_model_simulates(const weft_model_sheet *model);

/* Evaluates all points. Of `how` (may be NULL) it uses request, progress, notice and user. */
WEFT_API WEFT_MUST_USE weft_status weft_model_run(weft_model_sheet *model,
                                                  const weft_study_options *how, weft_error *err);
/* An evaluated point; valid until the model is closed. Its verdict holds the notes. */
WEFT_API const weft_point *weft_model_point(const weft_model_sheet *model, size_t i);
/* Opens the model at more values of a varied setting, enough for a smooth curve in plots. *fine is
 * NULL if there are no values in between; it must be closed before the model. */
WEFT_API WEFT_MUST_USE weft_status weft_model_refine(weft_model_sheet *model, const char *setting,
                                                     weft_model_sheet **fine, weft_error *err);

/* A value of the model beside the simulated one. */
typedef struct weft_agreement {
    size_t point;
    const weft_output *output;
    int64_t index;
    double model, simulated, lo, hi; /* lo and hi: of the simulated one; NaN: no interval */
    bool saturated;                  /* the simulation saturated */
} weft_agreement;

/* Runs the scenario of every point, several at a time where they fit; `how` as in
 * weft_study_open, as far as it says how to run. All points have been evaluated. The rows are in
 * their order and live until the model is closed. */
WEFT_API WEFT_MUST_USE weft_status weft_model_simulate(weft_model_sheet *model, int64_t seed,
                                                       const weft_study_options *how,
                                                       const weft_agreement **rows, size_t *count,
                                                       weft_error *err);

/* Simulated values, to be stored with the values of the model. */
typedef struct weft_model_trials {
    const weft_agreement *rows; /* by rising point */
    size_t count;
    int64_t seed;
} weft_model_trials;

/* Writes all points into a results file (see weft_result_create). trials: NULL without simulation;
 * otherwise measured values are the metrics, and values of the model are stored with them as
 * described at weft_metric. */
WEFT_API WEFT_MUST_USE weft_status weft_model_save(const weft_model_sheet *model, const char *path,
                                                   bool fresh, const weft_model_trials *trials,
                                                   weft_error *err);

WEFT_DECLARATIONS_END

#endif
