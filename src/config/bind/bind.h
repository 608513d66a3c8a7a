/* SPDX-License-Identifier: Apache-2.0 */
/* A tree against parameter tables → filled settings structs.
 *
 * A table is the parameters of one map of a scenario, with the maps nested in it. The same tables
 * give describe, the reference pages and the schema. Binding stops at the first mistake; what is
 * known but not built yet is collected, so that one message names all of it. */
#ifndef WEFT_CONFIG_BIND_BIND_H
#define WEFT_CONFIG_BIND_BIND_H

#include "config/registry.h"
#include "config/tree.h"

typedef struct weft_table {
    const char *name;  /* "links"; NULL: the scenario itself */
    const char *brief; /* one line for people */
    const weft_param *params;
    size_t offset;                          /* of its struct in the parent's */
    const struct weft_table *const *tables; /* maps nested in it, NULL-terminated; NULL: none */
    const char *const *planned;             /* sections that are known but not built yet */
    const char *const *apart;               /* keys that others read (include, vary, where) */
    bool named;                             /* a map from names of one's own to such tables */
    /* parameters that are always shown; those behind them only where they are not at their
     * default, so that texts of older results stay as they are; 0: all */
    size_t settled;
} weft_table;

typedef struct weft_mention { /* of a unit of time */
    const weft_node *node;    /* NULL: not mentioned */
    const char *path;
} weft_mention;

typedef struct weft_finding { /* something not built yet */
    const weft_node *at;
    const char *sentence;
    struct weft_finding *next;
} weft_finding;

typedef struct weft_named_file { /* that a setting names */
    weft_file file;
    struct weft_named_file *next;
} weft_named_file;

typedef struct weft_binder {
    const weft_registry *registry;
    weft_arena *arena;
    weft_error *err;
    const weft_param *wall; /* a duration of the person's clock, not of simulated time */
    bool partial;           /* a setting that is missing stays as it is */
    weft_mention cycles, seconds;
    weft_finding *findings;
    size_t n_findings;
    weft_named_file *files; /* the last one first */
    size_t n_files;
} weft_binder;

/* Binds a map against a table into *settings; defaults are filled in. path names the map in
 * messages; NULL: the scenario itself. Named tables are bound by their owner. */
WEFT_MUST_USE weft_status weft_bind_table(weft_binder *binder, const char *path,
                                          const weft_node *map, const weft_table *table,
                                          void *settings);
/* Checks the name of a map that its owner binds; what: "a traffic class", for the message. */
WEFT_MUST_USE weft_status weft_bind_name(const weft_binder *binder, const weft_node *key,
                                         const char *what);
/* Checks the maps of where: {glob: {…}} against a table (or parameters of a kind). */
WEFT_MUST_USE weft_status weft_bind_where(weft_binder *binder, const char *path,
                                          const weft_node *where, const weft_table *table,
                                          size_t settings_size);
/* Binds one value; node NULL: the default. */
WEFT_MUST_USE weft_status weft_bind_value(weft_binder *binder, const char *path,
                                          const weft_param *param, const weft_node *node,
                                          void *field);

/* Notes that a place mentions cycles or seconds; the first one in a file is kept. */
void weft_bind_mention(weft_mention *mention, const weft_node *node, const char *path);
/* Notes a file that a setting names. */
void weft_bind_note_file(weft_binder *binder, weft_file file);
/* Notes that something at a place is not built yet. */
void weft_bind_find(weft_binder *binder, const weft_node *at, const char *format, ...)
    WEFT_PRINTF(3, 4);
/* Fails with all findings, one per line in the order of the file; WEFT_OK if there are none. */
WEFT_MUST_USE weft_status weft_bind_findings(const weft_binder *binder);

/* "a whole number", "a duration such as 2 cycles or 5 ns": what a parameter takes. */
const char *weft_bind_expects(const weft_param *param, weft_arena *arena);
/* Endpoints as words. */
#define WEFT_HOSTS_FILE "file " /* what a word that names a file begins with */
#define WEFT_HOSTS_EXPECTED \
    "endpoints such as all, 0-15, 'router (3, *)', group 2 or file NAME, or a list of these"
/* bind_kind.c: the kind of a family. */
WEFT_MUST_USE weft_status weft_bind_kind(weft_binder *binder, const char *path,
                                         const weft_param *param, const weft_node *node,
                                         weft_kind_ref *ref);

#endif
