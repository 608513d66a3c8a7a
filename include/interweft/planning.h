/* SPDX-License-Identifier: Apache-2.0 */
/* Planning a fabric: candidates for a number of endpoints, each with its switches, its cables by
 * length from a floor plan, its cost, power and throughput bounds; what no other beats; the best of
 * them simulated.
 *
 *     weft_planning *plan;
 *     weft_planning_open(&(weft_planning_options){.file = "machine.yaml"}, catalog, &plan, &err);
 *     for (size_t i = 0; i < weft_planning_count(plan); i++)
 *         … weft_planning_fabric(plan, i)->cost …
 *     weft_planning_close(plan);
 */
#ifndef INTERWEFT_PLANNING_H
#define INTERWEFT_PLANNING_H

#include "interweft/catalog.h"
#include "interweft/status.h"
#include "interweft/study.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

WEFT_DECLARATIONS

#define WEFT_LENGTHS_MAX 16 /* classes of lengths of cables */

typedef enum weft_medium { WEFT_MEDIUM_COPPER, WEFT_MEDIUM_OPTICS, WEFT_MEDIA } weft_medium;

/* Bounds on the load that every endpoint may offer, whatever the routing does. */
typedef enum weft_traffic_bound {
    WEFT_TRAFFIC_UNIFORM,     /* every endpoint to all others */
    WEFT_TRAFFIC_PERMUTATION, /* the worst one that cuts and distances show */
    WEFT_TRAFFIC_GROUP,       /* every group to the next one */
    WEFT_TRAFFIC_BOUNDS
} weft_traffic_bound;

/* An estimate with its interval; NaN: not known. */
typedef struct weft_simulated_value {
    double value, lo, hi;
} weft_simulated_value;

#define WEFT_SIMULATED_LOADS 16

typedef struct weft_simulated_load { /* a point of the latency–load curve, uniform traffic */
    double load;                     /* offered */
    weft_simulated_value accepted;
    weft_simulated_value latency; /* ns, mean */
    double p99;                   /* ns */
    bool saturated;
} weft_simulated_load;

/* Experiments beside the curve, each as a fraction. */
typedef enum weft_experiment {
    WEFT_EXPERIMENT_PERMUTATION, /* accepted load of a random permutation at full load */
    WEFT_EXPERIMENT_INCAST,      /* part of other traffic that is delivered during an incast */
    WEFT_EXPERIMENT_ALLREDUCE,   /* bus bandwidth of an allreduce, of an endpoint's */
    WEFT_EXPERIMENT_ALL_TO_ALL,  /* bus bandwidth of an all-to-all, of an endpoint's */
    WEFT_EXPERIMENTS
} weft_experiment;

typedef struct weft_simulated {
    size_t n_loads;
    weft_simulated_load loads[WEFT_SIMULATED_LOADS];
    weft_simulated_value of[WEFT_EXPERIMENTS];
} weft_simulated;

/* With random parts down: means over draws. */
typedef struct weft_outage {
    weft_simulated_value uniform, permutation; /* bounds of the cuts that are left */
    weft_simulated_value reachable;            /* pairs of endpoints, of all */
} weft_outage;

typedef struct weft_planned_rack {
    double x, y;      /* where it stands, metres */
    bool network;     /* it has no endpoints */
    uint32_t devices; /* endpoints, or switches of one that has none */
} weft_planned_rack;

/* A fabric as planned. Texts are the plan's. */
typedef struct weft_planned {
    const char *name;    /* "dragonfly a=32 h=16 p=16 g=33" */
    const char *file;    /* the same for a file name, without ending */
    const char *family;  /* "dragonfly" */
    const char *refused; /* the constraint that it breaks; NULL: none */
    uint32_t endpoints;
    uint32_t switches;
    uint32_t routers; /* of its scenario: several small ones may be one switch */
    uint32_t ports;   /* of the switch with most in use */
    uint32_t racks, network_racks, rows;
    /* Cables by length class and medium, those of endpoints included; the last class is of longer
     * ones. */
    uint64_t cables[WEFT_LENGTHS_MAX + 1][WEFT_MEDIA];
    uint64_t by_medium[WEFT_MEDIA];
    double metres, longest;
    double cost, power;
    double cost_switches, cost_cables, cost_racks; /* parts of `cost` */
    uint32_t diameter;                             /* hops between switches */
    bool diameter_exact;                           /* else it is at least that */
    double mean_hops;                              /* of uniform traffic */
    double bisection;                     /* fraction of the bandwidth of half the endpoints */
    double bound[WEFT_TRAFFIC_BOUNDS];    /* fraction of an endpoint's bandwidth */
    double minimal[WEFT_TRAFFIC_BOUNDS];  /* the same with minimal routes alone; 0: not known */
    const char *why[WEFT_TRAFFIC_BOUNDS]; /* the first bottleneck */
    bool front[WEFT_TRAFFIC_BOUNDS];      /* none that costs no more has a greater bound, … */
    bool chosen;                          /* to be simulated */
    const weft_planned_rack *at;          /* [racks] */
    const weft_simulated *simulated;      /* NULL: it was not */
    const weft_outage *outage;            /* NULL: no parts are to be down */
    uint32_t spare_cables, spare_switches;
} weft_planned;

/* One setting that the plan rests on. */
typedef struct weft_assumption {
    const char *key, *value, *brief;
    bool assumed; /* nothing was said: the default holds */
} weft_assumption;

typedef struct weft_planning_options {
    const char *file;
    const char *const *overrides; /* "key=value", NULL-terminated; NULL: none */
    /* Called before fabric i of n is examined; NULL: not called. */
    void (*progress)(void *user, size_t i, size_t n, const char *name);
    void *user;
} weft_planning_options;

typedef struct weft_planning weft_planning;

/* Reads the file, finds the candidates and examines all of them. Fails if there is none, with the
 * nearest. */
WEFT_API WEFT_MUST_USE weft_status weft_planning_open(const weft_planning_options *options,
                                                      const weft_catalog *catalog,
                                                      weft_planning **plan, weft_error *err);
WEFT_API void weft_planning_close(weft_planning *plan);
WEFT_API const char *weft_planning_title(const weft_planning *plan);
WEFT_API uint32_t weft_planning_endpoints(const weft_planning *plan); /* wanted */
/* Fabrics that hold all constraints, by cost, then those that do not. */
WEFT_API size_t weft_planning_count(const weft_planning *plan);
WEFT_API const weft_planned *weft_planning_fabric(const weft_planning *plan, size_t i);
/* Upper ends of the classes of lengths, metres. */
WEFT_API size_t weft_planning_lengths(const weft_planning *plan, const double **lengths);
/* Cables and switches that are down in draws; returns the number of draws, 0: nothing is. */
WEFT_API uint32_t weft_planning_faults(const weft_planning *plan, uint32_t *cables,
                                       uint32_t *switches);
WEFT_API size_t weft_planning_assumptions(const weft_planning *plan, const weft_assumption **list);
/* The scenario of fabric i, for weft run; the caller frees it. */
WEFT_API char *weft_planning_scenario(const weft_planning *plan, size_t i);

/* Simulates the chosen fabrics. Results are kept in files of the folder, which is made; what is
 * there already is not run again. how: of the studies; file, text, overrides and results are set
 * here. step: called before each of n studies. */
typedef struct weft_planning_runs {
    const char *folder;
    weft_study_options how;
    void (*step)(void *user, size_t i, size_t n, const char *name, const char *experiment);
    void *user;
} weft_planning_runs;
WEFT_API WEFT_MUST_USE weft_status weft_planning_simulate(weft_planning *plan,
                                                          const weft_planning_runs *runs,
                                                          weft_error *err);

WEFT_DECLARATIONS_END

#endif
