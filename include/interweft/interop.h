/* SPDX-License-Identifier: Apache-2.0 */
/* Import of foreign fabrics; summary, export and drawing of topologies. Text results are malloc'ed
 * and the caller frees them. */
#ifndef INTERWEFT_INTEROP_H
#define INTERWEFT_INTEROP_H

#include "interweft/catalog.h"
#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

WEFT_DECLARATIONS

typedef struct weft_import_options {
    const char *format; /* "edges", "graphml" or "anynet" */
    const char *file;
    const char *out; /* the .weftnet file, for topology kind file */
    /* Endpoints of every router that has any (of all routers, if the file names none); 0: as in the
     * file. */
    int64_t hosts;
    bool keep_order; /* routers in file order, those with hosts first; else ordered by METIS */
} weft_import_options;

/* Reads a foreign file and writes a fabric; *text is a summary of it. */
WEFT_API WEFT_MUST_USE weft_status weft_import(const weft_import_options *options, char **text,
                                               weft_error *err);

/* A configuration file of BookSim 2 as the text of a scenario. */
typedef struct weft_booksim_options {
    const char *file;
    const char *const *overrides; /* "key=value" of BookSim's keys, NULL-terminated; NULL: none */
    /* The .weftnet file for an anynet, beside the scenario; NULL: an anynet is refused. */
    const char *fabric;
    bool nearest; /* use the nearest setting, with a comment, for values that cannot be honoured */
} weft_booksim_options;

/* Values that cannot be honoured are refused, with all their keys, unless nearest is set.
 * n_differences: their number. */
WEFT_API WEFT_MUST_USE weft_status weft_import_booksim(const weft_booksim_options *options,
                                                       char **scenario, uint32_t *n_differences,
                                                       weft_error *err);
/* The translation of every key, as a page of Markdown. */
WEFT_API char *weft_booksim_page(void);

/* A subnet of InfiniBand as the text of a scenario, with its fabric beside it. */
typedef struct weft_infiniband_options {
    const char *file; /* text of ibnetdiscover, or opensm-subnet.lst */
    /* Dumps of a subnet manager, or NULL: forwarding tables (opensm-lfts.dump, opensm.fdbs, text of
     * dump_lfts or ibroute), opensm-sl2vl.dump, lines of ibdmchk with the SLs of paths, and
     * OpenSM's configuration. */
    const char *lft, *sl2vl, *path_sl, *qos;
    const char *fabric; /* the .weftnet file, beside the scenario */
    bool keep_order;    /* as in weft_import_options */
} weft_infiniband_options;

/* Writes the fabric; *text says what was found. */
WEFT_API WEFT_MUST_USE weft_status weft_import_infiniband(const weft_infiniband_options *options,
                                                          char **scenario, char **text,
                                                          weft_error *err);

/* A topology: of a scenario (its first point), of a .weftnet file, or (file and text NULL) of
 * settings such as "topology.kind=torus". */
typedef struct weft_topology_choice {
    const char *file;
    const char *text; /* the scenario itself; `file` names it in messages; NULL: a file */
    const char *const *overrides; /* "key=value", NULL-terminated; NULL: none */
    /* Of an InfiniBand fabric, for export as ibnetdiscover: parts that are left out, and other
     * rates of cables, by name as in weft_judge_options; NULL-terminated; NULL: none. */
    const char *const *without, *const *rates;
} weft_topology_choice;

/* Describes a topology: routers, cables, distances, bisection. */
WEFT_API WEFT_MUST_USE weft_status weft_topology_show(const weft_catalog *catalog,
                                                      const weft_topology_choice *choice,
                                                      char **text, weft_error *err);
/* Exports a topology as "edges", "graphml", "dot" or "ibnetdiscover". */
WEFT_API WEFT_MUST_USE weft_status weft_topology_export(const weft_catalog *catalog,
                                                        const weft_topology_choice *choice,
                                                        const char *format, char **text,
                                                        weft_error *err);

/* Describes the path of a packet between two endpoints, hop by hop, by the routing of the first
 * traffic class; both are named as in `from` of a scenario. */
WEFT_API WEFT_MUST_USE weft_status weft_topology_path(const weft_catalog *catalog,
                                                      const weft_topology_choice *choice,
                                                      const char *from, const char *to, char **text,
                                                      weft_error *err);

/* A line of a drawing. */
typedef struct weft_drawing_line {
    uint32_t from, to;   /* routers */
    uint32_t link_class; /* weft_link_class */
} weft_drawing_line;

/* A drawing of a topology: routers at places between 0 and 1, and lines between them. */
typedef struct weft_drawing {
    char *title;
    uint32_t routers, homes; /* homes: edge routers, which come first */
    double (*place)[2];
    char **names; /* [routers], of an imported fabric that is not too large; NULL: none */
    bool bends;   /* long lines should be bent: straight ones would run over others */
    size_t n_lines;
    weft_drawing_line *lines;
} weft_drawing;

/* Draws a topology; refuses networks that are too large for a drawing. */
WEFT_API WEFT_MUST_USE weft_status weft_topology_draw(const weft_catalog *catalog,
                                                      const weft_topology_choice *choice,
                                                      weft_drawing *drawing, weft_error *err);
WEFT_API void weft_drawing_done(weft_drawing *drawing);

WEFT_DECLARATIONS_END

#endif
