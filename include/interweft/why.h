/* SPDX-License-Identifier: Apache-2.0 */
/* Why a point is slow: it is run again, a part of it, and surveyed; the causes of its packets'
 * waits are weighed against each other.
 *
 *     weft_why *why;
 *     weft_why_find(result, 0, catalog, NULL, &why, &err);
 *     printf("%s: %s\n", why->verdicts[0].name, why->verdicts[0].text);
 *     weft_why_destroy(why);
 */
#ifndef INTERWEFT_WHY_H
#define INTERWEFT_WHY_H

#include "interweft/catalog.h"
#include "interweft/result.h"
#include "interweft/status.h"

WEFT_DECLARATIONS

typedef enum weft_why_cause {
    WEFT_WHY_NOTHING,      /* packets hardly wait */
    WEFT_WHY_LINK,         /* a link is saturated */
    WEFT_WHY_CUT,          /* all links between two parts of the network are */
    WEFT_WHY_SLOW_LINK,    /* a saturated link is slower than others of its sort */
    WEFT_WHY_FAULT,        /* a saturated link carries what a failed one would have carried */
    WEFT_WHY_RECEPTION,    /* an endpoint gets more than it can receive */
    WEFT_WHY_INJECTION,    /* endpoints cannot send as much: link, bus or rate control */
    WEFT_WHY_HEAD_OF_LINE, /* outputs are idle while packets for them stand behind others */
    WEFT_WHY_CREDITS,      /* outputs are idle while credits are on their way back */
    WEFT_WHY_VCS,          /* outputs are idle since no VC that a packet may take is open */
    WEFT_WHY_CROSSBAR,     /* outputs are idle since inputs feed others, or matches are small */
    WEFT_WHY_ARBITRATION,  /* sources that share an output wait unequally long */
    WEFT_WHY_CAUSES
} weft_why_cause;

typedef enum weft_why_confidence {
    WEFT_WHY_LOW,
    WEFT_WHY_MEDIUM,
    WEFT_WHY_HIGH
} weft_why_confidence;

typedef struct weft_why_verdict {
    weft_why_cause cause;
    const char *name; /* of the cause: "head-of-line" … */
    double share;     /* part of all waiting packets that it explains, 0 … 1 */
    double lo, hi;    /* its interval, 95 % */
    weft_why_confidence confidence;
    bool full; /* of a link or reception: it is busy nearly all the time, not only contended for */
    char where[256]; /* the resource that most of them wait for */
    char text[768];  /* the evidence, in figures with units */
} weft_why_verdict;

typedef struct weft_why_wait { /* an edge of the tree of waits */
    char from[160], to[160];   /* links; packets that want the one wait for the other */
    double packets;            /* mean number of them */
} weft_why_wait;

typedef struct weft_why_root { /* an output where waits end */
    char name[160];
    double packets;      /* mean number that waits because of it */
    double busy, lo, hi; /* fraction of the time that it carries flits */
} weft_why_root;

#define WEFT_WHY_VERDICTS 12
#define WEFT_WHY_WAITS    64
#define WEFT_WHY_ROOTS    8

typedef struct weft_why {
    const char *key;           /* of the point */
    double latency, zero_load; /* as the results say; NaN: unknown */
    double offered, accepted;  /* fractions of injection bandwidth; NaN: unknown */
    const char *unit;          /* of times */
    double waiting, lo, hi;    /* mean number of packets that wait … */
    double at_sources;         /* … of which so many are not in the network yet */
    double from, until;        /* when samples were taken */
    unsigned samples;
    size_t n_verdicts; /* the strongest first */
    weft_why_verdict verdicts[WEFT_WHY_VERDICTS];
    size_t n_roots; /* the heaviest first */
    weft_why_root roots[WEFT_WHY_ROOTS];
    size_t n_waits; /* the heaviest first */
    weft_why_wait waits[WEFT_WHY_WAITS];
} weft_why;

typedef struct weft_why_options {
    weft_request (*request)(void *user); /* asked now and then; NULL: to the end */
    void (*progress)(void *user, const char *what, double share); /* NULL: not told */
    void *user;
    /* where the files are that the scenario names; NULL: beside the results */
    const char *folder;
} weft_why_options;

/* Explains point i of results that are open for reading. Fails for routers whose waits are not
 * known. options may be NULL. */
WEFT_API WEFT_MUST_USE weft_status weft_why_find(weft_result *result, size_t i,
                                                 const weft_catalog *catalog,
                                                 const weft_why_options *options, weft_why **why,
                                                 weft_error *err);
WEFT_API void weft_why_destroy(weft_why *why);

typedef struct weft_why_change { /* of a setting, and what became of the point */
    char change[200];            /* "router.queues=voq" */
    const char *what;            /* in words */
    char refused[256];           /* why the network cannot have it; "": it was run */
    bool saturated;
    double accepted, accepted_lo, accepted_hi; /* fraction of injection bandwidth */
    double latency;                            /* mean */
    double p99, p99_lo, p99_hi;                /* 99 % of latencies are below */
    double gain, lo, hi; /* relative: of accepted load, or of 99 % latency that is saved */
} weft_why_change;

#define WEFT_WHY_CHANGES 32

typedef struct weft_why_trial {
    const char *unit;     /* of latencies */
    bool by_load;         /* gains are of accepted load; else of 99 % latency */
    weft_why_change base; /* the point as it is */
    size_t n_changes;     /* the greatest gain first, refused ones last */
    weft_why_change changes[WEFT_WHY_CHANGES];
} weft_why_trial;

/* Tries settings that might lift what makes point i slow, one at a time: each is simulated, with
 * the same random numbers, as long as a survey takes. */
WEFT_API WEFT_MUST_USE weft_status weft_why_try(weft_result *result, size_t i,
                                                const weft_catalog *catalog,
                                                const weft_why_options *options,
                                                weft_why_trial **trial, weft_error *err);
WEFT_API void weft_why_trial_destroy(weft_why_trial *trial);
WEFT_API const char *weft_why_name(weft_why_cause cause);

WEFT_DECLARATIONS_END

#endif
