/* SPDX-License-Identifier: Apache-2.0 */
/* Forwarding tables of InfiniBand fabrics, judged side by side without a simulation: the tables of
 * several subnet managers or routing engines, and fabrics that lose some of their parts while the
 * tables stay. Loads are multiples of what a host sends at full rate. */
#ifndef INTERWEFT_JUDGE_H
#define INTERWEFT_JUDGE_H

#include "interweft/catalog.h"
#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

WEFT_DECLARATIONS

#define WEFT_JUDGE_FILES 12 /* at most */
#define WEFT_JUDGE_HOPS  64 /* longer paths are counted together */
#define WEFT_JUDGE_WORST 10 /* links that are named */

typedef struct weft_judge_options {
    size_t n_files;
    const char *const *files;     /* scenarios */
    const char *const *overrides; /* "key=value" for all of them, NULL-terminated; NULL: none */
    /* What is gone, and cables of another rate ("leaf1:p7=1xEDR"), by name; NULL-terminated, NULL:
     * none. A file that has some of these parts is judged without the change and with it. */
    const char *const *without, *const *rates;
    bool thorough; /* all pairs and shifts of large fabrics too */
} weft_judge_options;

typedef struct weft_judge_link {
    double load; /* under uniform traffic */
    const char *name;
    size_t n_alike; /* links of this load, itself included */
} weft_judge_link;

typedef struct weft_judge_loss { /* a host that some do not reach */
    const char *host;
    uint32_t from; /* so many of them */
} weft_judge_loss;

typedef struct weft_judge_switch {
    const char *name;
    const char *first, *last; /* of its hosts, by name */
    uint32_t hosts;
    uint32_t level; /* 0: a leaf */
    bool gone;
} weft_judge_switch;

typedef struct weft_judge_cable {
    uint32_t at[2], port[2];
    double load[2]; /* of the link that leaves this end, under uniform traffic */
    bool gone;
} weft_judge_cable;

/* One fabric with its tables. */
typedef struct weft_judge_case {
    const char *name;  /* of its file, without folder and ending */
    bool changed;      /* less the parts that are gone */
    uint32_t hosts;    /* of the job */
    uint32_t n_gone;   /* hosts of the job that are gone with their switch, or by name */
    uint32_t there[2]; /* switches and cables between them */
    bool followed;     /* all pairs; false: there are too many, and these are 0: */
    uint64_t lengths[WEFT_JUDGE_HOPS + 1]; /* pairs by hops between switches */
    uint64_t lost;                         /* pairs that are cut off */
    size_t n_losses;
    weft_judge_loss *losses; /* the most first */
    size_t n_worst;
    weft_judge_link worst[WEFT_JUDGE_WORST];
    uint32_t shifts, shifts_seen, shifts_free; /* free: no load above 1, and nothing lost */
    double shift_mean, shift_most;             /* load of the worst link of a shift */
    uint32_t shift_worst;
    uint32_t pairings;
    double bisection, bisection_half_width; /* share of a host's rate */
    bool traced;                            /* for credit loops; false: there are too many paths */
    size_t n_loop;
    const char **loop; /* channels of a credit loop: "leaf1:p7->spine2 VL 0" */
    size_t n_unlike;
    const char **unlike; /* "1xEDR instead of 4xEDR  leaf1:p7->spine2" */
    size_t n_switches, n_cables;
    weft_judge_switch *switches;
    weft_judge_cable *cables;
} weft_judge_case;

typedef struct weft_judgement {
    const char *change; /* "without spine3, with leaf1:p7=1xEDR"; NULL: none */
    size_t n_cases;
    weft_judge_case *cases; /* in the order of files; a changed one behind its own */
} weft_judgement;

/* Judges the tables of the first point of every file. */
WEFT_API WEFT_MUST_USE weft_status weft_judgement_make(const weft_judge_options *options,
                                                       const weft_catalog *catalog,
                                                       weft_judgement **judgement, weft_error *err);
WEFT_API void weft_judgement_destroy(weft_judgement *judgement);

WEFT_DECLARATIONS_END

#endif
