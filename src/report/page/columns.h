/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the report's data: strings and columns of numbers, each written once.
 *
 * A column is written as a number if it is constant, null if it is all NaN, else as a list (NaN:
 * null) or as its doubles in base64, least byte first, whichever is shorter. All of them are
 * exact. */
#ifndef WEFT_REPORT_PAGE_COLUMNS_H
#define WEFT_REPORT_PAGE_COLUMNS_H

#include "report/intern.h"
#include "result/out.h"

/* A column under construction. */
typedef struct weft_page_column {
    size_t n_values, capacity;
    double *values;
} weft_page_column;

void weft_page_column_add(weft_page_column *column, double value);
void weft_page_column_done(weft_page_column *column);

/* Adds a column to the pool and returns its number. */
uint32_t weft_page_columns_add(weft_intern *columns, const double *values, size_t count);
/* The same; empties the column. */
uint32_t weft_page_columns_move(weft_intern *columns, weft_page_column *column);

/* JSON lists of everything in a pool. */
WEFT_MUST_USE weft_status weft_page_columns_write(const weft_intern *columns, weft_out *out);
WEFT_MUST_USE weft_status weft_page_strings_write(const weft_intern *strings, weft_out *out);
/* A number; null if it is not finite. */
void weft_page_number(weft_out *out, double value);

#endif
