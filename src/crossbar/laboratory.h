/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the crossbar laboratory and the objects they define: a scheduler, a matrix or a
 * space of matrices, an input, a stop rule. */
#ifndef WEFT_CROSSBAR_LABORATORY_H
#define WEFT_CROSSBAR_LABORATORY_H

#include "base/arena.h"
#include "config/bind/bind.h"
#include "crossbar/search.h"

/* As a component, for its parameter table: weft_component.params. */
extern const weft_component weft_xbar_laboratory_settings;
/* Keys that are not in that table, since they take lists of lists; NULL-terminated. */
extern const char *const weft_xbar_laboratory_apart[];

typedef struct weft_xbar_laboratory {
    weft_scheduler scheduler;
    uint32_t n, d;
    const uint32_t *matrix;     /* n × n; NULL: a search */
    weft_xbar_search_plan plan; /* also used for a single matrix */
    uint64_t drawn;             /* matrices that a search draws; 0: all matrices */
    uint32_t worst;             /* worst matrices that a search keeps */
} weft_xbar_laboratory;

/* Binds a map of settings, with its matrix if it has one; everything lives in the arena. */
WEFT_MUST_USE weft_status weft_xbar_laboratory_bind(const weft_registry *registry,
                                                    const weft_node *map, weft_arena *arena,
                                                    weft_xbar_laboratory *lab, weft_error *err);
/* Cells of a period, n × n, and its slots: the matrix at rho. */
weft_xbar_workload weft_xbar_laboratory_workload(const weft_xbar_laboratory *lab,
                                                 const uint32_t *matrix, weft_arena *arena);

/* matrix.c of settings: a list of rows, a name of a pattern, or a CSV file. */
typedef struct weft_xbar_matrix_source {
    const weft_node *node;
    uint32_t n;         /* of a named pattern; 0: not given */
    uint32_t per_mille; /* of unbalanced */
} weft_xbar_matrix_source;
WEFT_MUST_USE weft_status weft_xbar_matrix_read(const weft_xbar_matrix_source *source,
                                                weft_arena *arena, uint32_t *n, uint32_t *d,
                                                const uint32_t **cell, weft_error *err);
/* Reads a list of n rows of n integers each, with any sums. */
WEFT_MUST_USE weft_status weft_xbar_matrix_rows(const weft_node *node, const char *path,
                                                uint32_t *n, weft_arena *arena, uint32_t **cell,
                                                weft_error *err);

#endif
