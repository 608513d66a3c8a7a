/* SPDX-License-Identifier: Apache-2.0 */
/* What a fabric is wanted for: the file of `weft plan`, its tables and the struct they fill. Every
 * price and every power is here; code has none. Lengths are metres, powers watts, prices in any
 * one unit of money. */
#ifndef WEFT_CONFIG_REQUIREMENTS_H
#define WEFT_CONFIG_REQUIREMENTS_H

#include "config/bind/bind.h"
#include "interweft/planning.h"

typedef struct weft_switch_settings { /* the one model of switch that the fabric is built from */
    int64_t ports;
    weft_rate rate;        /* of a port, and of an endpoint's link */
    weft_duration latency; /* from port to port */
} weft_switch_settings;

typedef struct weft_rack_settings {
    int64_t endpoints;       /* of a rack with endpoints … */
    int64_t switches;        /* … and switches beside them, at most */
    int64_t network;         /* switches of a rack without endpoints */
    int64_t row;             /* racks of a row; WEFT_NONE_INT: as near to a square as possible */
    double pitch, row_pitch; /* from a rack to the next, from a row to the next */
} weft_rack_settings;

typedef struct weft_cabling_settings {
    double copper, optics; /* reach */
    double inside;         /* length of a cable within a rack */
    double slack;          /* of a cable between racks, beside the way on the floor */
    weft_reals lengths;    /* upper ends of the classes of lengths, ascending */
    double delay;          /* nanoseconds of a metre */
} weft_cabling_settings;

typedef struct weft_price_settings { /* or powers: per piece */
    double switches;                 /* a switch without its ports … */
    double port;                     /* … and each of its ports in use */
    double copper, optics;           /* a cable with both of its ends … */
    double copper_metre;             /* … and a metre of it */
    double optics_metre;
    double rack;
} weft_price_settings;

typedef struct weft_power_settings {
    double switches, port, optics; /* optics: a cable with both of its ends */
} weft_power_settings;

typedef struct weft_constraint_settings {          /* WEFT_NONE_…: any will do */
    double bisection, uniform, permutation, group; /* at least */
    int64_t diameter;                              /* at most */
    double budget, power;                          /* at most */
    double largest;                                /* endpoints, as a multiple of those wanted */
} weft_constraint_settings;

typedef struct weft_outage_settings { /* section faults */
    int64_t cables, switches;         /* so many are down at a time */
    int64_t draws;
} weft_outage_settings;

typedef struct weft_spare_settings {
    double cables, switches; /* failures of one in a year */
    double days;             /* until a new one has come */
    double confidence;       /* that there is one when it is needed */
} weft_spare_settings;

typedef struct weft_simulation_settings {
    weft_reals loads;
    int64_t packets; /* of a run, per endpoint … */
    int64_t least;   /* … and in all, at least */
    int64_t seeds;   /* runs of a collective */
} weft_simulation_settings;

typedef struct weft_requirements {
    int64_t version;
    const char *title;
    int64_t endpoints, simulate, seed;
    weft_kinds fabrics;
    weft_switch_settings with;
    weft_rack_settings rack;
    weft_cabling_settings cables;
    weft_price_settings prices;
    weft_power_settings power;
    weft_constraint_settings constraints;
    weft_outage_settings faults;
    weft_spare_settings spares;
    weft_simulation_settings simulation;
    const weft_node *tree; /* places of settings, for messages */
} weft_requirements;

/* The whole file; its .tables are the sections. */
extern const weft_table weft_table_requirements;

/* Reads a file with its includes, applies overrides ("key=value", NULL-terminated or NULL). */
WEFT_MUST_USE weft_status weft_requirements_read(const char *file, const char *const *overrides,
                                                 const weft_registry *registry, weft_arena *arena,
                                                 weft_requirements *requirements, weft_error *err);
/* The settings of switch, racks, cables, prices, power and spares, from the arena; returns their
 * number. */
size_t weft_requirements_assumptions(const weft_requirements *requirements, weft_arena *arena,
                                     const weft_assumption **list);

#endif
