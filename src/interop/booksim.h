/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration files of BookSim 2 as scenarios. A file is read into the values of all keys
 * there are (booksim_read.c, with BookSim's own defaults); one table (booksim_keys.c) says what
 * becomes of each key; what depends on several is put together in booksim_network.c,
 * booksim_router.c and booksim_traffic.c. Nothing is ignored: a value that Interweft cannot
 * honour is refused by the name of its key. Files are hostile. */
#ifndef WEFT_INTEROP_BOOKSIM_H
#define WEFT_INTEROP_BOOKSIM_H

#include "base/arena.h"
#include "base/text.h"
#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_BOOKSIM_BYTES   ((size_t)1 << 20) /* of a file */
#define WEFT_BOOKSIM_CLASSES 16                /* of traffic */

typedef enum weft_booksim_type { /* of a key's value */
                                 WEFT_BOOKSIM_INT,
                                 WEFT_BOOKSIM_REAL,
                                 WEFT_BOOKSIM_TEXT,
                                 WEFT_BOOKSIM_LIST /* one value, or one for each class: {a,b} */
} weft_booksim_type;

typedef enum weft_booksim_fate {                     /* of a key */
                                 WEFT_BOOKSIM_USED,  /* it becomes a setting */
                                 WEFT_BOOKSIM_FIXED, /* only the default is honoured */
                                 WEFT_BOOKSIM_IDLE   /* any value means the same here */
} weft_booksim_fate;

typedef struct weft_booksim_key {
    const char *name;
    weft_booksim_type type;
    const char *fallback; /* BookSim's own */
    weft_booksim_fate fate;
    /* USED: what it becomes; FIXED: why nothing else is honoured; IDLE: why it means nothing */
    const char *text;
} weft_booksim_key;

/* Ends with a NULL name. */
extern const weft_booksim_key weft_booksim_keys[];

typedef struct weft_booksim_value {
    const char *text;
    unsigned long line; /* 0: BookSim's default */
    const char *where;  /* the file, or the command line */
} weft_booksim_value;

typedef struct weft_booksim {
    const char *file;
    weft_booksim_value *value; /* one for each key */
    weft_arena *arena;
    weft_error *err;
} weft_booksim;

/* All keys with their defaults. */
void weft_booksim_init(weft_booksim *set, const char *file, weft_arena *arena, weft_error *err);
/* A whole file, later values over earlier ones; where: its name in messages. */
WEFT_MUST_USE weft_status weft_booksim_read(weft_booksim *set, const char *where, const char *text,
                                            size_t length);
/* Refuses every value of a FIXED key but its default. */
WEFT_MUST_USE weft_status weft_booksim_check(const weft_booksim *set);

const weft_booksim_value *weft_booksim_get(const weft_booksim *set, const char *key);
bool weft_booksim_is(const weft_booksim *set, const char *key, const char *value);
/* Between least and most, or it is refused. */
WEFT_MUST_USE weft_status weft_booksim_int(const weft_booksim *set, const char *key, int64_t least,
                                           int64_t most, int64_t *number);
WEFT_MUST_USE weft_status weft_booksim_real(const weft_booksim *set, const char *key, double least,
                                            double most, double *number);
/* The value of a class: that of a list, or the only one. */
WEFT_MUST_USE weft_status weft_booksim_of_class(const weft_booksim *set, const char *key,
                                                uint32_t class, const char **value);
/* "file:line: key = value: sentence"; returns WEFT_BAD_INPUT. */
weft_status weft_booksim_refuse(const weft_booksim *set, const char *key, const char *format, ...)
    WEFT_PRINTF(3, 4);

typedef struct weft_booksim_net {      /* what the parts of a scenario must know of each other */
    int64_t k, n, nodes, vcs, longest; /* longest: packet, flits */
    int64_t wire; /* cycles of a link between routers; of several: the shortest */
    /* endpoints have BookSim's numbers, so patterns of numbers mean the same … */
    bool same_numbers;
    bool lattice;       /* … and coordinates, of which Interweft's first is BookSim's last */
    const char *anynet; /* the file of an anynet; NULL: it is none */
} weft_booksim_net;

typedef struct weft_booksim_topology {
    const char *name, *becomes; /* for people */
    /* Writes `topology` and `links`; NULL: it is refused, and `becomes` says why. */
    weft_status (*write)(const weft_booksim *set, weft_booksim_net *net, weft_text *out);
} weft_booksim_topology;

typedef struct weft_booksim_routing {
    const char *name, *topology;
    const char *becomes; /* as it is written; NULL: it is refused */
    const char *why;     /* refused: why; else what is a little different, NULL: nothing */
    int64_t least, most; /* num_vcs; most 0: any */
    int64_t n;           /* dimensions it works with; 0: any */
} weft_booksim_routing;

typedef struct weft_booksim_pattern {
    const char *name;
    const char *becomes; /* as it is written; NULL: it is refused … */
    const char *why;     /* … for this reason */
    bool anywhere;       /* it means the same whatever the numbers of endpoints are */
    bool mirrors;        /* … and with coordinates in the other order */
    const char *only;    /* topology it belongs to; NULL: any */
    const char *lattice; /* needs coordinates: what to say where there are none */
} weft_booksim_pattern;

/* Each ends with a NULL name. */
extern const weft_booksim_topology weft_booksim_topologies[];
extern const weft_booksim_routing weft_booksim_routings[];
extern const weft_booksim_pattern weft_booksim_patterns[];

/* Each writes its sections. */
WEFT_MUST_USE weft_status weft_booksim_network(const weft_booksim *set, weft_booksim_net *net,
                                               weft_text *out);
WEFT_MUST_USE weft_status weft_booksim_traffic(const weft_booksim *set, weft_booksim_net *net,
                                               weft_text *out);
WEFT_MUST_USE weft_status weft_booksim_router(const weft_booksim *set, const weft_booksim_net *net,
                                              weft_text *out);
WEFT_MUST_USE weft_status weft_booksim_measure(const weft_booksim *set, weft_text *out);

#endif
