/* SPDX-License-Identifier: Apache-2.0 */
/* Measures of points as cells of a text table: columns with their units, values to their known
 * digits, verdicts. */
#ifndef WEFT_REPORT_CELLS_H
#define WEFT_REPORT_CELLS_H

#include "report/measurands.h"
#include "report/text_table.h"

typedef struct weft_cells {
    weft_text_table *grid;
    weft_measurand_list list;
    size_t first;   /* column of the first measure */
    bool intervals; /* of every estimate, not of the mean alone */
} weft_cells;

/* Adds a column for each measure. */
void weft_cells_init(weft_cells *cells, weft_text_table *grid, const weft_measurand_list *list,
                     bool intervals);
/* Fills a row with the measures of a class ("": all classes); a class has no verdict. */
void weft_cells_set(weft_cells *cells, size_t row, const weft_point *point, const char *of);
/* One cell: value, interval and the column's unit, or its own where units differ. */
void weft_cells_put(weft_text_table *grid, size_t row, size_t column, const weft_metric *metric,
                    bool interval);
/* Pads half-widths to one length, so that their signs are aligned. */
void weft_cells_align(weft_text_table *grid, size_t column);
void weft_cells_align_all(weft_cells *cells);
/* Shortens "limit time: still warming up" to "warming up"; true if there are such verdicts. */
bool weft_cells_shorten_verdicts(weft_cells *cells);
/* The column of a measure, by its name; SIZE_MAX: none. */
size_t weft_cells_column(const weft_cells *cells, const char *name);
/* Short forms of units, for the headers of narrow columns. */
const char *weft_cells_unit(weft_arena *arena, const char *unit);
/* True of the metric that gives a class or a job its row: of a class that nothing has arrived of,
 * its accepted load. */
bool weft_cells_has_row(const weft_point *point, const weft_metric *metric);

#endif
