/* SPDX-License-Identifier: Apache-2.0 */
/* A study: one scenario file and its vary grid, from settings to results.
 *
 *     weft_catalog *catalog = weft_catalog_create();
 *     weft_study *study;
 *     weft_study_open(&(weft_study_options){.file = "torus.yaml"}, catalog, &study, &err);
 *     weft_study_run(study, &err);
 *     weft_study_close(study);
 */
#ifndef INTERWEFT_STUDY_H
#define INTERWEFT_STUDY_H

#include "interweft/catalog.h"
#include "interweft/context.h"
#include "interweft/result.h"
#include "interweft/status.h"

WEFT_DECLARATIONS

typedef struct weft_progress {
    size_t point, points; /* a point being run, from 1; how many there are */
    size_t done, running; /* how many are committed; are being run (0: unknown) */
    double whole;         /* 0 … 1 of all that is to be run now, by estimates; 0: unknown */
    const char *key;      /* its key */
    double share;         /* 0 … 1 of this point, as far as known */
    double packets;       /* delivered so far */
    double packet_hops;
    int64_t time;               /* simulated ticks so far */
    double latency, half_width; /* running estimate, in the scenario's unit; NaN while unknown */
    /* a search: the load being tried, and the bracket so far; load 0: it is none */
    double load, stable, unstable;
} weft_progress;

/* What a run is going to do. */
typedef struct weft_outline {
    size_t there, missing; /* points in the results file, and to be run … */
    size_t again;          /* … of which so many are there, but not precise enough … */
    size_t changed;        /* … or with settings that have changed, or failed */
    uint32_t at_once;      /* so many side by side, in one process … */
    uint32_t members;      /* … or spread over so many processes */
} weft_outline;

typedef struct weft_study_options {
    const char *file; /* "-": standard input */
    const char *text; /* the scenario itself; `file` names it in messages; NULL: a file */
    const char *const *overrides; /* "key=value", NULL-terminated; NULL: none */
    /* Results file, or WEFT_IN_MEMORY; NULL: <scenario>.weft in the current directory */
    const char *results;
    /* The points to run, by number from 1: "1,4,7-9"; NULL: all of the grid */
    const char *points;
    /* Results go to this file instead, to be collected (weft_study_collect); checkpoints stay
     * beside `results`, where any process finds them. NULL: none */
    const char *part;
    bool fresh;            /* start anew although the results file holds another scenario */
    weft_context *context; /* processes that share the work; NULL: this process alone */
    int64_t blocks;        /* 0: chosen from the size of the network */
    int64_t jobs;          /* points that one process runs at a time; 0: as many as it has cores */
    int64_t threads;       /* of a process, at most; 0: the free cores. As many as pay are used */
    int64_t ranks;         /* processes for one point; 0: chosen from the estimates */
    int64_t memory; /* bytes a process may take; 0: its part of three quarters of what is free */
    double checkpoint_s; /* seconds between checkpoints of a point; 0: only on request */
    bool thorough;       /* a check takes as long as its verdict needs */
    /* A point that fails is kept with the verdict "failed: …", and the others go on. */
    bool keep_going;
    bool one_load; /* axes that only scale all traffic keep their first value: for a search */
    /* The functions below are called by the threads that run points, never two at once. */
    /* What the caller wants, asked every few milliseconds; NULL: to the end. */
    weft_request (*request)(void *user);
    /* Called once before the first point is run, on rank 0. */
    void (*begins)(void *user, const weft_outline *outline);
    /* Called a few times a second, on rank 0. */
    void (*progress)(void *user, const weft_progress *progress);
    /* Called after each committed point, on rank 0. */
    void (*finished)(void *user, const weft_point *point);
    /* Called with a notice for the user while the run goes on, on rank 0. */
    void (*notice)(void *user, const char *text);
    void *user;
} weft_study_options;

typedef struct weft_study weft_study;

WEFT_API WEFT_MUST_USE weft_status weft_study_open(const weft_study_options *options,
                                                   const weft_catalog *catalog, weft_study **study,
                                                   weft_error *err);
WEFT_API void weft_study_close(weft_study *study);
WEFT_API size_t weft_study_points(const weft_study *study);
/* The results file, or WEFT_IN_MEMORY. */
WEFT_API const char *weft_study_results(const weft_study *study);
/* Hides points of other grids, which a results file may hold too (weft_result_keep). */
WEFT_API void weft_study_keep(const weft_study *study, weft_result *result);

/* Runs the points missing from the results file, each from its last checkpoint. All processes of
 * the context call it; rank 0 writes. */
WEFT_API WEFT_MUST_USE weft_status weft_study_run(weft_study *study, weft_error *err);

/* A point that the results file does not hold, or not precisely enough. */
typedef struct weft_left_point {
    size_t point;   /* its number, from 1, as in weft_study_options.points */
    double seconds; /* estimated, on one process */
    int64_t bytes;  /* memory of its simulation, estimated, over all of its processes */
    uint32_t ranks; /* processes it should have: those asked for, or that pay for the only one */
} weft_left_point;

/* The points still to run, in the order of the grid. The memory of this machine is no limit to
 * them. The caller frees *left. For one process. */
WEFT_API WEFT_MUST_USE weft_status weft_study_left(weft_study *study, weft_left_point **left,
                                                   size_t *n_left, weft_error *err);
/* Copies the points of parts (weft_study_options.part) that the results file lacks into it, whether
 * or not they are chosen (weft_study_options.points): *taken of them. Parts that do not exist are
 * passed over, and so are points that are not of this grid or have other settings than this
 * scenario's: *others of them that are in the parts alone. For one process. */
WEFT_API WEFT_MUST_USE weft_status weft_study_collect(weft_study *study, const char *const *parts,
                                                      size_t n_parts, size_t *taken, size_t *others,
                                                      weft_error *err);

/* After a run with results in memory: all of its points, to read; they are the study's and end with
 * it. NULL: nothing has been run, the results are in a file, or this is not rank 0. A further
 * weft_study_run runs what is missing. */
WEFT_API weft_result *weft_study_result(weft_study *study);

typedef enum weft_point_state {
    WEFT_POINT_OPEN, /* not run yet, or with settings that have changed since */
    WEFT_POINT_DONE,
    WEFT_POINT_FAILED
} weft_point_state;

typedef struct weft_point_survey { /* of a point */
    weft_point_state state;
    double seconds; /* estimate of its run on one process … */
    int64_t bytes;  /* … and of the memory it needs */
    double took;    /* done: seconds that it took; else 0 */
    char why[256];  /* failed: its message */
} weft_point_survey;

/* The state of every point, by the results file as it is now, and estimates; runs nothing, and may
 * be called while another process runs the study. points: weft_study_points of them. */
WEFT_API WEFT_MUST_USE weft_status weft_study_survey(weft_study *study, weft_point_survey *points,
                                                     weft_error *err);
/* Settings as understood, memory and time estimate; runs nothing. The caller frees *text. */
WEFT_API WEFT_MUST_USE weft_status weft_study_check(weft_study *study, char **text,
                                                    weft_error *err);

/* The text of weft_study_check, weft_study_worst or weft_topology_show as JSON; the caller frees
 * it. A heading "# network" opens an object; each line is a member {"text": …}, with "value" if the
 * text begins with a number, "unit" if one follows, and further members for parts such as
 * "rho 0.2" or "64 host". Lines that begin with blanks go on with the text before. The settings
 * are one text. */
WEFT_API char *weft_facts_json(const char *text);

typedef struct weft_worst_options {
    uint64_t seed;
    uint32_t effort;     /* starts of the search; 0: 8 */
    const char *witness; /* file for the pattern found, as lines from,to of endpoints; NULL: none */
} weft_worst_options;

/* The permutation that loads a link most under the routing of the first point, by search; for
 * routings with fixed routes. The caller frees *text. */
WEFT_API WEFT_MUST_USE weft_status weft_study_worst(weft_study *study,
                                                    const weft_worst_options *options, char **text,
                                                    weft_error *err);

#define WEFT_PROBES_MAX 80

typedef struct weft_saturation_probe { /* one run of a search */
    double load;                       /* offered */
    double accepted, lo, hi;           /* fraction of injection bandwidth */
    int64_t packets;                   /* delivered */
    char verdict[40];                  /* "stable", "unstable", "undecided: limit packets" */
} weft_saturation_probe;

/* Loads are offered to the whole network, as a fraction of injection bandwidth. */
typedef struct weft_saturation {
    double load; /* the greatest that was found stable, from any state of the network; 0: none … */
    double unstable; /* … and the least that is not: by a run, by the bound, or 1 */
    double rho;      /* of `load`, as mean link utilisation */
    double bound; /* no load above it can be carried whole, whatever runs say; 0: none is known */
    double accepted; /* at an offered load of 1.0; NaN: the run was too short */
    double accepted_lo, accepted_hi;
    bool accepted_steady; /* false: the run was too short for finite buffers to come to rest */
    /* greatest load that was carried from an empty start only: once congested, the network
     * carries less (`accepted`); 0: `load` */
    double from_empty;
    bool always_stable; /* nothing saturates up to an offered load of 1.0 */
    /* why the bracket is wider than the tolerance; "": it is not, or from_empty says */
    char why[256];
    size_t n_probes; /* in the order they were run */
    weft_saturation_probe probes[WEFT_PROBES_MAX];
} weft_saturation;

/* Brackets the saturation load of point i to `tolerance` of load; *found is filled on rank 0.
 * Runs that end before they can tell move neither end of the bracket. */
WEFT_API WEFT_MUST_USE weft_status weft_study_saturate(weft_study *study, size_t i,
                                                       double tolerance, weft_saturation *found,
                                                       weft_error *err);
/* A results file of searches: a point for each, with its result and its probes (docs/howto/
 * results.md). All processes call these; rank 0 alone has the file, *result is NULL elsewhere.
 * path NULL: <scenario>-saturation.weft in the current directory. That gives
 * way to the search of another scenario or tolerance; a file that was named is refused then unless
 * `fresh`. */
WEFT_API WEFT_MUST_USE weft_status weft_saturation_open(weft_study *study, const char *path,
                                                        double tolerance, bool fresh,
                                                        weft_result **result, weft_error *err);
WEFT_API WEFT_MUST_USE weft_status weft_saturation_keep(weft_study *study, size_t i,
                                                        const weft_saturation *found,
                                                        weft_result *result, weft_error *err);
/* Reads the search of point i from the file; *there: the file holds it. */
WEFT_API WEFT_MUST_USE weft_status weft_saturation_recall(weft_study *study, size_t i,
                                                          weft_result *result,
                                                          weft_saturation *found, bool *there,
                                                          weft_error *err);
/* Reads the search from a point already read; false: the point is not a search. */
WEFT_API bool weft_saturation_read(const weft_point *point, weft_saturation *found);
/* Searches all points that the file does not hold, several at a time where they fit, and keeps
 * them there; found(user, i, …) is called for one after the other, in their order, on rank 0. */
WEFT_API WEFT_MUST_USE weft_status weft_study_saturate_all(
    weft_study *study, double tolerance, weft_result *result,
    void (*found)(void *user, size_t i, const weft_saturation *found), void *user, weft_error *err);
WEFT_API const char *weft_study_point_key(const weft_study *study, size_t i);

WEFT_DECLARATIONS_END

#endif
