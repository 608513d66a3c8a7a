/* SPDX-License-Identifier: Apache-2.0 */
/* Reproductions: figures and tables of published documents, run again and compared.
 *
 * A study folder holds scenario files, expected values and claims about them (study.yaml; see
 * docs/howto/reproduce.md). A figure is simulated or evaluated, then its results are compared:
 *
 *     weft_reproduction *book;
 *     weft_reproduction_open("studies/rexford-shin", context, &book, &err);
 *     weft_study_options how = {.context = context, .results = "fig7.weft"};
 *     weft_reproduction_run(book, 0, WEFT_QUICK, &how, catalog, &err);
 *     … weft_result_open …
 *     weft_comparison *comparison;
 *     weft_reproduction_compare(book, 0, WEFT_QUICK, result, &comparison, &err);
 *     weft_comparison_overlay(comparison, book, 0, catalog, &err); */
#ifndef INTERWEFT_REPRODUCE_H
#define INTERWEFT_REPRODUCE_H

#include "interweft/context.h"
#include "interweft/result.h"
#include "interweft/status.h"
#include "interweft/study.h"

WEFT_DECLARATIONS

typedef enum weft_effort { WEFT_QUICK, WEFT_FULL } weft_effort;

typedef enum weft_verdict {
    WEFT_AGREES,
    WEFT_EXPLAINED,   /* differs as far as the study says, which gives the cause */
    WEFT_UNEXPLAINED, /* differs as far as the study says, which knows no cause */
    WEFT_REFUTED,     /* a printed sentence is false, beyond chance */
    WEFT_UNDECIDED,   /* a printed sentence is neither clearly true nor clearly false */
    WEFT_DISAGREES,
    WEFT_NOT_CLAIMED /* not compared; the study gives the reason */
} weft_verdict;

/* "agrees", "explained", …, "not claimed" */
WEFT_API const char *weft_verdict_name(weft_verdict verdict);

typedef struct weft_figure {
    const char *name;  /* "fig7" */
    const char *title; /* one line */
} weft_figure;

typedef struct weft_reproduction weft_reproduction;

/* Reads the study.yaml of a folder and its tables. All processes of the context call it (NULL:
 * this process alone). */
WEFT_API WEFT_MUST_USE weft_status weft_reproduction_open(const char *folder, weft_context *context,
                                                          weft_reproduction **book,
                                                          weft_error *err);
WEFT_API void weft_reproduction_close(weft_reproduction *book);
WEFT_API const char *weft_reproduction_name(const weft_reproduction *book); /* of the folder */
WEFT_API const char *weft_reproduction_title(const weft_reproduction *book);
WEFT_API const char *weft_reproduction_source(const weft_reproduction *book); /* citation */
/* A remark on the comparison that its readers need; "" if there is none. */
WEFT_API const char *weft_reproduction_note(const weft_reproduction *book);
WEFT_API size_t weft_reproduction_figures(const weft_reproduction *book);
WEFT_API const weft_figure *weft_reproduction_figure(const weft_reproduction *book, size_t i);

/* Makes the results of a figure of any kind. how->results is the results file; how->file and
 * how->overrides are ignored. All processes of the context call it. */
WEFT_API WEFT_MUST_USE weft_status weft_reproduction_run(const weft_reproduction *book,
                                                         size_t figure, weft_effort effort,
                                                         const weft_study_options *how,
                                                         const weft_catalog *catalog,
                                                         weft_error *err);
/* Sets only options->file and options->overrides, which live as long as the book; file is NULL for
 * a figure that is not simulated. */
WEFT_API void weft_reproduction_prepare(const weft_reproduction *book, size_t figure,
                                        weft_effort effort, weft_study_options *options);

/* One comparison. For two of our own values (ordering, trend) `ours` is their difference, for a
 * contrast the sum; the score is positive as claimed, and `theirs` is NaN. */
typedef struct weft_cell {
    const char *where;          /* "adaptive diagonal rho=0.3" */
    double ours, error;         /* mean over the seeds and its standard error */
    double lo, hi;              /* 95 % interval of `ours` */
    double theirs, their_error; /* their_error: standard error; 0: unknown */
    double score;               /* in standard errors, on the normal scale; NaN: no score */
    weft_verdict verdict;
    const char *reason; /* "": none */
} weft_cell;

typedef struct weft_claim_result {
    const char *name, *metric, *unit;
    const char *rule;    /* "z rules", "equal to 3 digits", "ordering", "trend", "not claimed" */
    const char *against; /* "document", "reference simulation", …: whose values or words */
    /* As printed, where it is printed, and how sure our data are; "": not a printed sentence. */
    const char *sentence, *place, *sure;
    bool table;          /* one cell per point, each with a value of theirs */
    const char *summary; /* one line: number of cells and their agreement */
    weft_verdict verdict;
    const char *reason; /* of a disagreement, an explanation or a missing claim; "": none */
    size_t n_cells;
    const weft_cell *cells;
} weft_claim_result;

/* A chart of a figure: curves of ours, of theirs and of a model over one axis. */
typedef struct weft_chart_spot {
    double x, y, lo, hi; /* lo, hi: 95 % interval; both equal y if there is none */
} weft_chart_spot;

typedef enum weft_chart_kind {
    WEFT_CHART_OURS,
    WEFT_CHART_THEIRS,
    WEFT_CHART_MODEL
} weft_chart_kind;

typedef struct weft_chart_trace {
    weft_chart_kind kind;
    size_t series;    /* series of the curve; n_series: shared by several */
    const char *name; /* of a model; else "" */
    size_t n_spots;
    const weft_chart_spot *spots; /* in the order of the axis */
} weft_chart_trace;

typedef struct weft_chart {
    const char *title; /* "latency by hops 5" */
    const char *axis;  /* "rho" */
    const char *value, *unit;
    size_t n_series;
    const char *const *series; /* "oblivious random" */
    size_t n_traces;
    const weft_chart_trace *traces;
} weft_chart;

typedef struct weft_comparison {
    const weft_figure *figure;
    const char *note; /* the book's */
    weft_effort effort;
    size_t points, seeds; /* points of the grid, runs of each */
    weft_verdict verdict; /* the gravest of the claims': WEFT_DISAGREES, WEFT_REFUTED, … */
    size_t n_claims;
    const weft_claim_result *claims;
    size_t n_charts;
    const weft_chart *charts; /* of the claims against values of theirs */
} weft_comparison;

/* Compares the results of a figure with the expected values. The caller destroys *comparison. */
WEFT_API WEFT_MUST_USE weft_status weft_reproduction_compare(const weft_reproduction *book,
                                                             size_t figure, weft_effort effort,
                                                             weft_result *result,
                                                             weft_comparison **comparison,
                                                             weft_error *err);
WEFT_API void weft_comparison_destroy(weft_comparison *comparison);
/* Adds the curves of the figure's `overlay` model to the charts of a comparison; does nothing for
 * a figure without an overlay. */
WEFT_API WEFT_MUST_USE weft_status weft_comparison_overlay(weft_comparison *comparison,
                                                           const weft_reproduction *book,
                                                           size_t figure,
                                                           const weft_catalog *catalog,
                                                           weft_error *err);

/* Writes the comparison as CSV: a line for every claim as a whole (`where` is empty) and for every
 * cell, each with the version of the program and the given date ("2026-01-31"). */
WEFT_API WEFT_MUST_USE weft_status weft_comparison_export(const weft_comparison *comparison,
                                                          const char *date, weft_sink sink,
                                                          void *to, weft_error *err);

WEFT_DECLARATIONS_END

#endif
