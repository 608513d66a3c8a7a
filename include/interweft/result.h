/* SPDX-License-Identifier: Apache-2.0 */
/* Results: one SQLite file of tidy tables, written by one process, readable by anything.
 *
 * A study opens the file, commits finished points one by one (each in one transaction; a
 * committed point is never repeated) and closes it. Readers open it read-only and treat it as
 * untrusted. Every number has its unit; every estimate has its interval. */
#ifndef INTERWEFT_RESULT_H
#define INTERWEFT_RESULT_H

#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

WEFT_DECLARATIONS

/* value [lo, hi]; lo and hi are NaN without an interval. Then method gives the reason: "setting",
 * "count" (of the run as it is), "MSER" (a decision), "goal", "floor: …" or "limit" (of a
 * half-width), "bound: …", "model: …", "saturated: …", "run too short …", "exact …" or "no
 * interval: …". by and index address a part: by "hops", index 5; by "" is the whole.
 *
 * Theoretical values of a measured metric have the same name and class: by "model" is an analytic
 * value for this point, by "bound" a limit for any network of its kind that carries the whole
 * offered load (latency from below, accepted from above). method names the model or bound ("model:
 * M/D/1", "bound: bisection"); a second model or bound of the same metric has index 1, and so on.
 * Reports draw them over the measurement. */
typedef struct weft_metric {
    const char *name; /* "latency", "accepted", "cut-through" … */
    const char *of;   /* traffic class; "" is all of them */
    const char *by;   /* "", "hops", "percentile" … */
    int64_t index;    /* hops; percentile in 1/1000 % (99999 = 99.999 %); else 0 */
    double value, lo, hi;
    int64_t n;          /* observations behind it */
    const char *unit;   /* "cycles", "ns", "fraction", "packets", … */
    const char *method; /* "batch means", "exact", "count", "setting" … */
} weft_metric;

/* Integer rows: a histogram's counts with the lower edge of each bin, a time series, or a matrix
 * (packets from row to column, …) row by row. A histogram named "latency model" is the distribution
 * that a model gives for the one named "latency" of its class: reports draw both, each as shares of
 * its own sum. */
typedef struct weft_array {
    const char *table; /* "histogram", "series" or "matrix" */
    const char *name;  /* "latency", "delivered", … */
    const char *of;    /* traffic class or "" */
    const char *unit;  /* of x; of a matrix: of its entries */
    size_t count;      /* of a matrix: rows × columns */
    const int64_t *x;  /* lower edges, or start of the bin, in ticks; a matrix has none: NULL */
    const int64_t *y;
    size_t columns; /* of a matrix; else 0 */
} weft_array;

typedef struct weft_link_row {
    /* "(3,4)+x" with coordinates, "leaf1:p24->spine2" where routers have names, else "r17:p2" */
    const char *name;
    int64_t index; /* router * ports + port */
    int64_t busy;  /* ticks busy in the measured span */
    int64_t span;  /* ticks measured */
} weft_link_row;

/* All results of one point of a grid. Borrowed for the call. */
typedef struct weft_point {
    const char *key; /* "routing.selection=diagonal traffic.all.rho=0.3"; "" if nothing varies */
    const char *settings; /* the scenario of this point as understood, YAML */
    /* "converged", "completed" (all jobs have ended, or all traffic has stopped and arrived),
     * "saturated", "saturated early" and "out of reach" (both with measure.early),
     * "limit packets", "limit time", "limit wall", "limit range" (a
     * source has sent 2^28 messages, or a packet waited 2^40 ticks) or "memory limit at 24.0
     * MiB" (after "saturated: " if it was); an end before the run had settled adds ": still
     * warming up", one before all jobs had ended which of them are left */
    const char *verdict;
    bool saturated;
    size_t n_metrics, n_arrays, n_links;
    const weft_metric *metrics;
    const weft_array *arrays;
    const weft_link_row *links;
    /* provenance, never in canonical output */
    double wall_seconds;
    int64_t peak_bytes;
    /* filled by reading, ignored by committing */
    const char *finished, *host; /* "2026-11-15T06:11:22Z" */
    const char *version, *build; /* of Interweft, and its compiler */
} weft_point;

/* A part of a point's key: a varied setting and its value. */
typedef struct weft_key_part {
    const char *name, *value; /* into the key; not \0-terminated */
    size_t name_length, value_length;
} weft_key_part;

/* Takes the next part off *rest, which begins as the key; false at the end. Text that has no name
 * gives an empty name. */
WEFT_API bool weft_key_next(const char **rest, weft_key_part *part);

typedef struct weft_result weft_result;

/* In place of a path for writing: the results stay in memory until they are closed. */
#define WEFT_IN_MEMORY ":memory:"

/* Creates or reopens `path` for writing under an O_EXCL lock file "path.lock" (host, pid, start;
 * a lock of a dead process on this host is taken over). `scenario` is the whole scenario text as
 * understood with its vary grid: a file made from another one is refused unless `fresh`, which
 * starts anew. */
WEFT_API WEFT_MUST_USE weft_status weft_result_create(const char *path, const char *title,
                                                      const char *scenario, bool fresh,
                                                      weft_result **result, weft_error *err);
/* True if this point has been committed. */
WEFT_API bool weft_result_has(const weft_result *result, const char *key);
WEFT_API WEFT_MUST_USE weft_status weft_result_commit(weft_result *result, const weft_point *point,
                                                      weft_error *err);

/* Opens read-only. */
WEFT_API WEFT_MUST_USE weft_status weft_result_open(const char *path, weft_result **result,
                                                    weft_error *err);
WEFT_API void weft_result_close(weft_result *result);

WEFT_API const char *weft_result_title(const weft_result *result);
WEFT_API const char *weft_result_scenario(const weft_result *result); /* with its vary grid */
WEFT_API size_t weft_result_points(const weft_result *result); /* sorted by key, numbers by value */
WEFT_API const char *weft_result_key(const weft_result *result, size_t i); /* of point i */
WEFT_API const char *weft_result_path(const weft_result *result);
/* Hides all points but the wanted ones; for results opened for reading. */
WEFT_API void weft_result_keep(weft_result *result,
                               bool (*wanted)(const void *user, const char *key), const void *user);
/* Point i, valid until the next call of this function or close; arrays and links included. */
WEFT_API WEFT_MUST_USE weft_status weft_result_read(weft_result *result, size_t i,
                                                    const weft_point **point, weft_error *err);
/* The metric of a point with this name, class, by and index; NULL if it has none. */
WEFT_API const weft_metric *weft_point_metric(const weft_point *point, const char *name,
                                              const char *of, const char *by, int64_t index);

typedef enum weft_format { WEFT_FORMAT_CANONICAL, WEFT_FORMAT_CSV, WEFT_FORMAT_JSON } weft_format;
typedef weft_status (*weft_sink)(void *to, const char *bytes, size_t count, weft_error *err);
/* Writes the whole file as text. Canonical output is the "result bytes" that do not depend on
 * ranks, threads, blocks, compilers and restarts. */
WEFT_API WEFT_MUST_USE weft_status weft_result_export(weft_result *result, weft_format format,
                                                      weft_sink sink, void *to, weft_error *err);
/* Writes the metrics of several files as one CSV; its first column is the name of the file. */
WEFT_API WEFT_MUST_USE weft_status weft_results_csv(weft_result *const *results,
                                                    const char *const *names, size_t count,
                                                    weft_sink sink, void *to, weft_error *err);

/* Every metric, array and table as a page of Markdown. The caller frees it. */
WEFT_API char *weft_result_page(void);

WEFT_DECLARATIONS_END

#endif
