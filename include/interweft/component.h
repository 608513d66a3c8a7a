/* SPDX-License-Identifier: Apache-2.0 */
/* The start of every component record, and the parameter tables.
 *
 * A family (topology, routing, pattern, …) is a set of kinds. A kind is one const record that
 * starts with a weft_component: a name, a one-line brief and a table of parameters. The table is
 * the single source of parsing, defaults, ranges, `weft describe`, the reference pages and the
 * JSON Schema. Settings are a plain struct of the kind; the table has the offset of each. */
#ifndef INTERWEFT_COMPONENT_H
#define INTERWEFT_COMPONENT_H

#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

WEFT_DECLARATIONS

/* 2: route headers, VC plans and proof records. Within one version records only grow at their end:
 * a shorter record of an older header is filled up with zeros. */
#define WEFT_ABI      3u
#define WEFT_DIMS_MAX 24
#define WEFT_INTS_MAX 256

/* The type of a parameter decides the C type of its field. */
typedef enum weft_param_type {
    WEFT_PARAM_INT,       /* int64_t                                   4096           */
    WEFT_PARAM_REAL,      /* double                                    0.25           */
    WEFT_PARAM_FRACTION,  /* double                                    0.3 or 30%     */
    WEFT_PARAM_FLAG,      /* bool                                      true           */
    WEFT_PARAM_TEXT,      /* const char *                                             */
    WEFT_PARAM_CHOICE,    /* int, index into .choices                                 */
    WEFT_PARAM_DURATION,  /* weft_duration                             5 ns, 2 cycles */
    WEFT_PARAM_SIZE,      /* weft_size                                 64 B, 64 flits */
    WEFT_PARAM_RATE,      /* weft_rate                                 400 Gb/s       */
    WEFT_PARAM_FREQUENCY, /* double, hertz                             1 GHz          */
    WEFT_PARAM_INTS,      /* weft_ints                                 [16, 16]       */
    WEFT_PARAM_KIND,      /* weft_kind_ref: a kind of .family with its own settings   */
    WEFT_PARAM_ROOM,      /* weft_size that may count packets          4 packets      */
    WEFT_PARAM_FACTOR,    /* int64_t ≥ 1: a speed relative to a link; the tick divides the time of
                             a flit by it                              2              */
    WEFT_PARAM_FILE,      /* weft_file                                 fabric.weftnet */
    WEFT_PARAM_KINDS,     /* weft_kinds: a list of kinds of .family                   */
    WEFT_PARAM_REALS,     /* weft_reals                                [8, 16.5]      */
    WEFT_PARAM_HOSTS      /* weft_hosts: one or a list of              0-15           */
} weft_param_type;

typedef enum weft_time_unit { WEFT_NO_TIME, WEFT_CYCLES, WEFT_PICOSECONDS } weft_time_unit;
typedef enum weft_size_unit { WEFT_NO_SIZE, WEFT_FLITS, WEFT_BYTES, WEFT_PACKETS } weft_size_unit;
typedef enum weft_rate_unit {
    WEFT_NO_RATE,
    WEFT_BITS_PER_SECOND,
    WEFT_FLITS_PER_CYCLE
} weft_rate_unit;

typedef struct weft_duration {
    double value;
    weft_time_unit unit;
} weft_duration;

typedef struct weft_size {
    double value;
    weft_size_unit unit;
} weft_size;

typedef struct weft_rate {
    double value;
    weft_rate_unit unit;
} weft_rate;

typedef struct weft_ints {
    int32_t count;
    int32_t at[WEFT_INTS_MAX];
} weft_ints;

typedef struct weft_reals {
    int32_t count;
    double at[WEFT_INTS_MAX];
} weft_reals;

/* A file: relative to the file that names it, or, on the command line, to the working directory. */
typedef struct weft_file {
    const char *text; /* as written; NULL: none */
    const char *path; /* path for opening it */
} weft_file;

/* Endpoints as words, to be resolved by a topology: "all", "0-15", "router (3, *)", "file
 * hosts.txt". */
typedef struct weft_hosts {
    int32_t count;
    const weft_file *at; /* path: the file named by the word; NULL: none */
} weft_hosts;

struct weft_component;
typedef struct weft_kind_ref {
    const struct weft_component *kind; /* NULL: none */
    const void *settings;              /* kind->settings_size bytes */
} weft_kind_ref;

#define WEFT_KINDS_MAX 16
typedef struct weft_kinds {
    int32_t count;
    weft_kind_ref at[WEFT_KINDS_MAX];
} weft_kinds;

/* The value of a parameter that was not given and whose fallback is "none". */
#define WEFT_NONE_INT  INT64_MIN
#define WEFT_NONE_REAL (-1.7976931348623157e308) /* also FRACTION, FREQUENCY */

typedef struct weft_param {
    const char *name;
    const char *brief; /* one line for people */
    weft_param_type type;
    size_t offset;        /* of the field in the settings struct */
    const char *fallback; /* default as written in a file; NULL: required; "none": may be absent */
    /* Inclusive, in the base unit of the type (bytes or flits, ps or cycles, b/s); both 0: any. */
    double min, max;
    const char *const *choices; /* CHOICE: NULL-terminated */
    const char *family;         /* KIND, KINDS: which family */
} weft_param;

typedef struct weft_component {
    uint32_t abi;  /* WEFT_ABI */
    uint32_t size; /* sizeof the whole record */
    const char *name;
    const char *brief;        /* one line for people */
    const weft_param *params; /* ends with a NULL name; NULL: none */
    size_t settings_size;     /* bytes of the settings struct */
    size_t instance_size;     /* bytes of the kind's private instance, zeroed before build */
    bool foreign;             /* set by the registry: the kind comes from a plug-in */
} weft_component;

/* A kind in a shared object named by --plugin, which exports weft_plugin_get. */
typedef struct weft_plugin_item {
    const char *family;
    const weft_component *kind;
} weft_plugin_item;

typedef struct weft_plugin {
    uint32_t abi, size;
    const char *name;
    const weft_plugin_item *items; /* ends with a NULL family */
} weft_plugin;

/* Defined by plug-ins, not by the library. */
WEFT_API const weft_plugin *weft_plugin_get(void);

WEFT_DECLARATIONS_END

#endif
