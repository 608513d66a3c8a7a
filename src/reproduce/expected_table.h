/* SPDX-License-Identifier: Apache-2.0 */
/* A table of expected values: a CSV file with a header, after lines of remarks that begin with '#';
 * read as untrusted input. */
#ifndef WEFT_REPRODUCE_EXPECTED_TABLE_H
#define WEFT_REPRODUCE_EXPECTED_TABLE_H

#include "config/source.h"

typedef struct weft_csv {
    const weft_source *source;
    size_t columns, rows; /* rows: without the header */
    const char *const *cells;
    const char *const *header;
    const size_t *offsets; /* of each row in the source, for messages */
} weft_csv;

/* Reads a file; its contents live in the arena. */
WEFT_MUST_USE weft_status weft_csv_read(const char *file, weft_arena *arena, const weft_csv **table,
                                        weft_error *err);
/* The column of this name; the number of columns if there is none. */
size_t weft_csv_column(const weft_csv *table, const char *name);
const char *weft_csv_cell(const weft_csv *table, size_t row, size_t column);
/* The cell as a number; the error names the place of a cell that is none. */
WEFT_MUST_USE weft_status weft_csv_number(const weft_csv *table, size_t row, size_t column,
                                          double *number, weft_error *err);
/* The value of the last digit of a numeric cell: 0.01 for "1.20", 10 for "2.5e2". */
double weft_csv_step(const weft_csv *table, size_t row, size_t column);

#endif
