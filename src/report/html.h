/* SPDX-License-Identifier: Apache-2.0 */
/* The report: one self-contained HTML page for one or several results files. */
#ifndef WEFT_REPORT_HTML_H
#define WEFT_REPORT_HTML_H

#include "interweft/reproduce.h"
#include "interweft/result.h"

/* One line of a comparison with published values, as `weft reproduce` makes them. */
typedef struct weft_report_verdict {
    const char *figure;   /* "rexford-shin/fig7" */
    const char *quantity; /* "cut-through" */
    const char *where;    /* the point: "selection=diagonal rho=0.3"; "" for a whole table */
    double ours, lo, hi;  /* NaN: none */
    double theirs;        /* NaN: none */
    const char *rule;     /* "z rules", "equal to 3 digits", "ordering", "trend", "not claimed" */
    const char *verdict;  /* "agrees", "refuted", "disagrees", "not claimed" … */
    const char *reason;   /* "": none */
    const char *against;  /* whose values or words: "document", "reference simulation" … */
    const char *sentence; /* as printed; "" or NULL: not a printed sentence */
} weft_report_verdict;

typedef struct weft_report_page {
    const char *title; /* NULL: the results' own */
    size_t n_results;
    weft_result *const *results; /* in the order they are shown */
    const char *const *names;    /* of the files, for the legend */
    size_t n_verdicts;
    const weft_report_verdict *verdicts;
    size_t n_charts;
    const weft_chart *charts; /* of a comparison */
} weft_report_page;

/* True if the program was built with the parts of the report. */
bool weft_report_has_page(void);
/* Writes the page. WEFT_BAD_INPUT with a message if the program was built without its parts. */
WEFT_MUST_USE weft_status weft_report_html(const weft_report_page *page, weft_sink sink, void *to,
                                           weft_error *err);

#endif
