/* SPDX-License-Identifier: Apache-2.0 */
/* A table of text with aligned columns. Columns that do not fit are left out, the least important
 * first; texts that may be cut are cut before more important columns are left out. */
#ifndef WEFT_REPORT_TEXT_TABLE_H
#define WEFT_REPORT_TEXT_TABLE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define WEFT_TEXT_TABLE_COLUMNS 96
#define WEFT_TEXT_TABLE_KEPT    90    /* importance from which texts are cut before a column goes */
#define WEFT_GRID_FRACTION      "0…1" /* the unit of a share; lines of one row leave it out */

typedef struct weft_text_table_column {
    /* Three header lines; neighbours of one group share its line. */
    const char *group, *name, *unit;
    bool mixed;     /* cells have units of their own */
    bool left;      /* text; numbers are flush right */
    int importance; /* 0 is never left out */
    size_t least;   /* characters that texts may be cut to, if they stay different; 0: never cut */
    bool hidden;
    size_t width;
} weft_text_table_column;

typedef struct weft_text_table {
    weft_arena *arena;
    size_t n_columns, n_rows, row_capacity;
    weft_text_table_column columns[WEFT_TEXT_TABLE_COLUMNS];
    const char **cells; /* row by row, WEFT_TEXT_TABLE_COLUMNS each; NULL: empty */
    bool *marked;       /* rows shown in a warning colour */
} weft_text_table;

void weft_text_table_init(weft_text_table *grid, weft_arena *arena);
void weft_text_table_done(weft_text_table *grid);
/* Adds a column and returns its number; of a full table, the last one. */
size_t weft_text_table_add_column(weft_text_table *grid, const weft_text_table_column *column);
/* Adds an empty row and returns its number. */
size_t weft_text_table_add_row(weft_text_table *grid);
void weft_text_table_set(weft_text_table *grid, size_t row, size_t column, const char *text);
/* Reorders rows: row order[i] becomes row i. */
void weft_text_table_order(weft_text_table *grid, const size_t *order);
bool weft_text_table_is_empty(const weft_text_table *grid, size_t column);
/* Width of a column and the gap behind it, characters; 0 if it is hidden or empty. */
size_t weft_text_table_measure(weft_text_table *grid, size_t column);
/* Hides columns without any cell and, least important first, those that do not fit. */
void weft_text_table_fit(weft_text_table *grid, size_t width);
void weft_text_table_print(const weft_text_table *grid, FILE *out, bool colour);
/* Prints one row as lines "name  value unit". */
void weft_text_table_print_row(const weft_text_table *grid, size_t row, FILE *out, bool colour);

#endif
