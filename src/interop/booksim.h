/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration files of BookSim 2 as scenarios. A file is read into the values of all keys
 * (booksim_read.c, with BookSim's own defaults); one table (booksim_keys.c) has the translation of
 * each key; booksim_network.c, booksim_router.c and booksim_traffic.c write settings that depend on
 * several keys. Nothing is ignored: a value that Interweft cannot honour is a difference
 * (booksim_difference.c). Translation continues with the nearest setting, so that all differences
 * are found; whether they are accepted is decided at the end. Files are untrusted. */
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

/* The type of a key's value. */
typedef enum weft_booksim_type {
    WEFT_BOOKSIM_INT,
    WEFT_BOOKSIM_REAL,
    WEFT_BOOKSIM_TEXT,
    WEFT_BOOKSIM_LIST /* one value, or one for each class: {a,b} */
} weft_booksim_type;

/* The translation of a key. */
typedef enum weft_booksim_fate {
    WEFT_BOOKSIM_USED,  /* it becomes a setting */
    WEFT_BOOKSIM_FIXED, /* only the default is honoured */
    WEFT_BOOKSIM_IDLE   /* its value has no effect here */
} weft_booksim_fate;

typedef struct weft_booksim_key {
    const char *name;
    weft_booksim_type type;
    const char *fallback; /* BookSim's own */
    weft_booksim_fate fate;
    /* USED: the setting; FIXED: why no other value is honoured; IDLE: why it has no effect. */
    const char *text;
} weft_booksim_key;

/* Ends with a NULL name. */
extern const weft_booksim_key weft_booksim_keys[];

typedef struct weft_booksim_value {
    const char *text;
    unsigned long line; /* 0: BookSim's default */
    const char *where;  /* the file, or the command line */
} weft_booksim_value;

typedef struct weft_booksim_difference {
    const char *where;  /* the file, or the command line */
    unsigned long line; /* 0: BookSim's default */
    const char *what;   /* "key = value: sentence" */
    const char *right;  /* a value that is honoured, used instead; NULL: the sentence names it */
    const char *beside; /* start of the line of the scenario it belongs to */
    struct weft_booksim_difference *next;
} weft_booksim_difference;

/* In file order; those of the command line last. */
typedef struct weft_booksim_differences {
    weft_booksim_difference *first;
    uint32_t count;
    bool refused; /* one of them has no nearest setting */
} weft_booksim_differences;

typedef struct weft_booksim {
    const char *file;
    weft_booksim_value *value; /* one for each key */
    weft_booksim_differences *differences;
    weft_arena *arena;
    weft_error *err;
} weft_booksim;

/* Sets all keys to their defaults. */
void weft_booksim_init(weft_booksim *set, const char *file, weft_arena *arena, weft_error *err);
/* Reads a whole file; later values override earlier ones. where: its name in messages. Keys unknown
 * to BookSim are differences. */
WEFT_MUST_USE weft_status weft_booksim_read(weft_booksim *set, const char *where, const char *text,
                                            size_t length);
/* Every value of a FIXED key but its default is a difference. */
void weft_booksim_check(const weft_booksim *set);

/* The number of a key; the length of the list if there is none. */
size_t weft_booksim_find(const char *name, size_t length);
const weft_booksim_value *weft_booksim_get(const weft_booksim *set, const char *key);
bool weft_booksim_is(const weft_booksim *set, const char *key, const char *value);
/* The nearest integer in least … most; a value outside is a difference. */
int64_t weft_booksim_int(const weft_booksim *set, const char *key, int64_t least, int64_t most);
/* The value for a class: its element of a list, or the only value. */
const char *weft_booksim_of_class(const weft_booksim *set, const char *key, uint32_t class);

/* Records that the value of a key cannot be honoured; the caller continues with the nearest
 * setting. right: a value that would be honoured, if there is one. */
void weft_booksim_differ(const weft_booksim *set, const char *key, const char *right,
                         const char *format, ...) WEFT_PRINTF(4, 5);
/* The same without a nearest setting: there will be no scenario. */
void weft_booksim_refuse(const weft_booksim *set, const char *key, const char *format, ...)
    WEFT_PRINTF(3, 4);
/* Records a difference that belongs to no key. */
void weft_booksim_stray(const weft_booksim *set, const char *where, unsigned long line,
                        const char *what);
/* Writes all differences, a line each. Returns WEFT_BAD_INPUT unless there are none, or all have a
 * nearest setting and `nearest` is true. */
WEFT_MUST_USE weft_status weft_booksim_verdict(const weft_booksim *set, bool nearest);
/* The scenario with every difference as a comment above the line it belongs to. */
void weft_booksim_annotate(const weft_booksim *set, const char *scenario, weft_text *out);

/* Data shared by the parts of a scenario. */
typedef struct weft_booksim_net {
    int64_t k, n, nodes, vcs, longest; /* longest: packet, flits */
    int64_t wire; /* cycles of a link between routers; the shortest of several */
    /* Endpoints have BookSim's numbers, so patterns on numbers mean the same. */
    bool same_numbers;
    bool same_bits;     /* endpoint numbers have the same bits in another order */
    bool lattice;       /* there are coordinates; Interweft's first is BookSim's last */
    bool several;       /* the nearest routing chooses among several outputs: no vc-stage */
    const char *anynet; /* the file of an anynet; NULL: no anynet */
} weft_booksim_net;

typedef struct weft_booksim_topology {
    const char *name, *becomes; /* becomes: for people */
    /* Writes `topology` and `links`; NULL: it is refused, and `becomes` gives the reason. */
    void (*write)(const weft_booksim *set, weft_booksim_net *net, weft_text *out);
} weft_booksim_topology;

typedef struct weft_booksim_routing {
    const char *name, *topology;
    const char *becomes; /* text of the setting */
    const char *why;     /* nearest: the reason; else a small difference, NULL: none */
    int64_t least, most; /* num_vcs; most 0: any */
    int64_t n;           /* dimensions it works with; 0: any */
    bool nearest;        /* not equivalent: a difference */
    bool several;        /* it chooses among several outputs */
} weft_booksim_routing;

typedef struct weft_booksim_pattern {
    const char *name;
    const char *becomes; /* text of the setting; NUMBER: its seed or its endpoint */
    const char *why;     /* the reason why it is only the nearest; NULL: equivalent */
    bool anywhere;       /* equivalent for any numbers of endpoints */
    bool any_bits;       /* equivalent if only the order of their bits differs */
    bool mirrors;        /* equivalent with coordinates in the other order */
    const char *only;    /* topology it belongs to; NULL: any */
    const char *lattice; /* needs coordinates: the message if there are none */
} weft_booksim_pattern;

/* Each ends with a NULL name. */
extern const weft_booksim_topology weft_booksim_topologies[];
extern const weft_booksim_routing weft_booksim_routings[];
extern const weft_booksim_pattern weft_booksim_patterns[];

/* Each writes its sections. */
void weft_booksim_network(const weft_booksim *set, weft_booksim_net *net, weft_text *out);
void weft_booksim_traffic(const weft_booksim *set, weft_booksim_net *net, weft_text *out);
void weft_booksim_router(const weft_booksim *set, const weft_booksim_net *net, weft_text *out);
void weft_booksim_measure(const weft_booksim *set, weft_text *out);

#endif
