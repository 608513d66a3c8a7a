/* SPDX-License-Identifier: Apache-2.0 */
/* An evaluation: the file of weft study. Several scenarios with their grids, named series and
 * seeds are the points of one study (interweft/study.h); figures and tables say what to show.
 *
 *     weft_evaluation *evaluation;
 *     weft_study_options options = {.file = "paper.yaml"};
 *     weft_evaluation_open(&options, catalog, &evaluation, &err);
 *     weft_study_run(weft_evaluation_study(evaluation), &err);
 *     weft_evaluation_close(evaluation);
 *
 * A point's random numbers follow from its settings alone, seed included: points of one seed that
 * differ in one setting have common random numbers, and a point is that of
 * `weft run SCENARIO key=value … seed=N`. A point of the results file holds as long as its settings
 * and the files they name are the same, whatever else of the study has changed. */
#ifndef INTERWEFT_EVALUATION_H
#define INTERWEFT_EVALUATION_H

#include "interweft/catalog.h"
#include "interweft/status.h"
#include "interweft/study.h"

WEFT_DECLARATIONS

typedef struct weft_exhibit_only { /* of a setting: points with these values alone */
    const char *path;
    size_t n_values;
    const char *const *values; /* as in keys of points */
} weft_exhibit_only;

typedef enum weft_exhibit_log {
    WEFT_LOG_AUTO,
    WEFT_LOG_NONE,
    WEFT_LOG_X,
    WEFT_LOG_Y,
    WEFT_LOG_BOTH
} weft_exhibit_log;

/* A figure or a table. Texts that were not given are NULL. */
typedef struct weft_exhibit {
    const char *name, *title, *caption;
    size_t n_scenarios; /* 0: all */
    const char *const *scenarios;
    size_t n_only;
    const weft_exhibit_only *only;
    const char *x, *y, *curves, *size, *legend; /* of a figure: as flags of weft report */
    int log;                                    /* of a figure: weft_exhibit_log */
    const char *columns;                        /* of a table */
} weft_exhibit;

typedef struct weft_evaluation weft_evaluation;

/* Reads the file; options are those of the study. Results: <file>.weft in the current directory
 * unless options say otherwise. Points that fail are kept as such and the others go on. */
WEFT_API WEFT_MUST_USE weft_status weft_evaluation_open(const weft_study_options *options,
                                                        const weft_catalog *catalog,
                                                        weft_evaluation **evaluation,
                                                        weft_error *err);
WEFT_API void weft_evaluation_close(weft_evaluation *evaluation); /* accepts NULL */
/* Its points, to run, survey and collect; closed with the evaluation. */
WEFT_API weft_study *weft_evaluation_study(weft_evaluation *evaluation);
WEFT_API const char *weft_evaluation_title(const weft_evaluation *evaluation);
WEFT_API const char *weft_evaluation_about(const weft_evaluation *evaluation); /* NULL: nothing */
WEFT_API size_t weft_evaluation_figures(const weft_evaluation *evaluation,
                                        const weft_exhibit **figures);
WEFT_API size_t weft_evaluation_tables(const weft_evaluation *evaluation,
                                       const weft_exhibit **tables);
/* Puts the place of a setting in the file, such as figures.NAME.x, before the message of a failure,
 * or of the nearest part of it that is there. Returns the status. */
WEFT_API WEFT_MUST_USE weft_status weft_evaluation_locate(const weft_evaluation *evaluation,
                                                          const char *path, weft_status status,
                                                          weft_error *err);

WEFT_DECLARATIONS_END

#endif
