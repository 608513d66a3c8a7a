/* SPDX-License-Identifier: Apache-2.0 */
/* Fabrics from elsewhere, and topologies looked at. Text results are malloc'ed and the caller
 * frees them. */
#ifndef INTERWEFT_INTEROP_H
#define INTERWEFT_INTEROP_H

#include "interweft/catalog.h"
#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft_import_options {
    const char *format; /* "edges", "graphml" or "anynet" */
    const char *file;
    const char *out; /* the .weftnet file, for topology file */
    /* of every router that has any (of all, if the file names none); 0: as it says */
    int64_t hosts;
    bool keep_order; /* routers as they come in the file, those with hosts first; else by METIS */
} weft_import_options;

/* Reads a foreign file and writes a fabric; *text says what it has. */
WEFT_API WEFT_MUST_USE weft_status weft_import(const weft_import_options *options, char **text,
                                               weft_error *err);

/* A configuration file of BookSim 2 as the text of a scenario. */
typedef struct weft_booksim_options {
    const char *file;
    const char *const *overrides; /* "key=value" of BookSim's keys, NULL-terminated; NULL: none */
    const char
        *fabric; /* the .weftnet file an anynet becomes, beside the scenario; NULL: it is refused */
    bool nearest; /* values that cannot be honoured: the nearest setting, and a comment */
} weft_booksim_options;

/* Values that cannot be honoured are refused, all of them by their keys, unless nearest is set.
 * n_differences: how many there are. */
WEFT_API WEFT_MUST_USE weft_status weft_import_booksim(const weft_booksim_options *options,
                                                       char **scenario, uint32_t *n_differences,
                                                       weft_error *err);
/* What becomes of every key, as a page of Markdown. */
WEFT_API char *weft_booksim_page(void);

/* Which topology: that of a scenario file (of its first point), a .weftnet file, or NULL and
 * settings such as "topology.kind=torus". */
typedef struct weft_topology_choice {
    const char *file;
    const char *const *overrides; /* "key=value", NULL-terminated; NULL: none */
} weft_topology_choice;

/* Its numbers: routers, cables, distances, bisection. */
WEFT_API WEFT_MUST_USE weft_status weft_topology_show(const weft_catalog *catalog,
                                                      const weft_topology_choice *choice,
                                                      char **text, weft_error *err);
/* "edges", "graphml" or "dot". */
WEFT_API WEFT_MUST_USE weft_status weft_topology_export(const weft_catalog *catalog,
                                                        const weft_topology_choice *choice,
                                                        const char *format, char **text,
                                                        weft_error *err);

/* A picture of it: routers at places between 0 and 1, and lines between them. */
typedef struct weft_drawing_line {
    uint32_t from, to; /* routers */
    uint32_t class;    /* weft_link_class */
} weft_drawing_line;

typedef struct weft_drawing {
    char *title;
    uint32_t routers, homes; /* the first ones have endpoints */
    double (*place)[2];
    bool bends; /* long lines would run over others: they should be bent */
    size_t n_lines;
    weft_drawing_line *lines;
} weft_drawing;

/* Refuses networks that are too large to be seen. */
WEFT_API WEFT_MUST_USE weft_status weft_topology_draw(const weft_catalog *catalog,
                                                      const weft_topology_choice *choice,
                                                      weft_drawing *drawing, weft_error *err);
WEFT_API void weft_drawing_done(weft_drawing *drawing);

#endif
