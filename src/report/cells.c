/* SPDX-License-Identifier: Apache-2.0 */
#include "report/cells.h"

#include "report/plain.h"

#include <math.h>
#include <string.h>

#define VERDICT_MAX 48  /* characters in a table … */
#define VERDICT_ALL 240 /* … and of a single point */
#define UNIT_MAX    16

const char *weft_cells_unit(weft_arena *arena, const char *unit)
{
    if (strcmp(unit, "fraction") == 0)
        return WEFT_GRID_FRACTION;
    if (strncmp(unit, "messages/", 9) == 0)
        return weft_arena_format(arena, "msg/%s",
                                 weft_plain_text(arena, unit + 9, strlen(unit + 9), UNIT_MAX));
    return weft_plain_text(arena, unit, strlen(unit), UNIT_MAX);
}

static const char *value_text(weft_arena *arena, const weft_metric *metric, bool interval)
{
    double half = weft_half_width(metric);
    const char *value = weft_plain_number(arena, metric->value, half);
    if (!interval || !(half > 0) || !isfinite(half))
        return value;
    return weft_arena_format(arena, "%s ± %s", value, weft_plain_half(arena, half));
}

static const char *with_unit(weft_arena *arena, const char *text, const char *unit)
{
    bool bare = !*unit || strcmp(unit, WEFT_GRID_FRACTION) == 0;
    return bare ? text : weft_arena_format(arena, "%s %s", text, unit);
}

/* The unit moves from the head of a column into its cells. */
static void mix_units(weft_text_table *grid, size_t column)
{
    weft_text_table_column *head = &grid->columns[column];
    for (size_t row = 0; row < grid->n_rows; row++) {
        const char *text = grid->cells[row * WEFT_TEXT_TABLE_COLUMNS + column];
        if (text)
            weft_text_table_set(grid, row, column, with_unit(grid->arena, text, head->unit));
    }
    head->mixed = true;
    head->unit = "";
}

void weft_cells_put(weft_text_table *grid, size_t row, size_t column, const weft_metric *metric,
                    bool interval)
{
    weft_text_table_column *head = &grid->columns[column];
    const char *text = value_text(grid->arena, metric, interval);
    const char *unit =
        strcmp(metric->unit, head->name) == 0 ? "" : weft_cells_unit(grid->arena, metric->unit);
    if (weft_text_table_is_empty(grid, column))
        head->unit = unit;
    else if (!head->mixed && strcmp(head->unit, unit) != 0)
        mix_units(grid, column);
    weft_text_table_set(grid, row, column, head->mixed ? with_unit(grid->arena, text, unit) : text);
}

void weft_cells_init(weft_cells *cells, weft_text_table *grid, const weft_measurand_list *list,
                     bool intervals)
{
    *cells =
        (weft_cells){.grid = grid, .list = *list, .first = grid->n_columns, .intervals = intervals};
    for (size_t i = 0; i < list->count; i++) {
        const weft_measurand *m = list->at[i];
        (void)weft_text_table_add_column(
            grid, &(weft_text_table_column){.group = m->group,
                                            .name = m->name,
                                            .unit = "",
                                            .left = weft_measurand_is_verdict(m),
                                            .importance = list->asked ? 0 : m->importance});
    }
    cells->list.count = grid->n_columns - cells->first; /* that there was room for */
}

/* The verdict; of a single point also how well its mean is known, where more than was asked. */
static const char *verdict_text(const weft_cells *cells, const weft_point *point)
{
    weft_arena *arena = cells->grid->arena;
    const char *verdict = weft_plain_text(arena, point->verdict, strlen(point->verdict),
                                          cells->intervals ? VERDICT_ALL : VERDICT_MAX);
    if (point->saturated && !strstr(verdict, "saturated"))
        verdict = weft_arena_format(arena, "%s, saturated", verdict);
    const weft_metric *width = weft_point_metric(point, "half-width", "", "", 0);
    if (cells->intervals && width && strncmp(width->method, "floor: ", 7) == 0)
        verdict =
            weft_arena_format(arena, "%s to %.2g %% (%s)", verdict, 100 * width->value,
                              weft_plain_text(arena, width->method, strlen(width->method), 40));
    return verdict;
}

void weft_cells_set(weft_cells *cells, size_t row, const weft_point *point, const char *of)
{
    for (size_t i = 0; i < cells->list.count; i++) {
        const weft_measurand *m = cells->list.at[i];
        const weft_metric *metric = weft_measurand_of(m, point, of);
        if (weft_measurand_is_verdict(m) && !*of)
            weft_text_table_set(cells->grid, row, cells->first + i, verdict_text(cells, point));
        if (metric)
            weft_cells_put(cells->grid, row, cells->first + i, metric,
                           m->interval || cells->intervals);
    }
    cells->grid->marked[row] = point->saturated;
}

void weft_cells_align(weft_text_table *grid, size_t column)
{
    size_t width = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t row = 0; row < grid->n_rows; row++) {
            const char *text = grid->cells[row * WEFT_TEXT_TABLE_COLUMNS + column];
            const char *sign = text ? strstr(text, " ± ") : NULL;
            size_t own = sign ? weft_plain_width(sign) : 0;
            if (pass == 0)
                width = own > width ? own : width;
            else if (text)
                weft_text_table_set(
                    grid, row, column,
                    weft_arena_format(grid->arena, "%s%*s", text, (int)(width - own), ""));
        }
}

void weft_cells_align_all(weft_cells *cells)
{
    for (size_t i = 0; i < cells->list.count; i++)
        weft_cells_align(cells->grid, cells->first + i);
}

size_t weft_cells_column(const weft_cells *cells, const char *name)
{
    for (size_t i = 0; i < cells->list.count; i++)
        if (strcmp(cells->list.at[i]->name, name) == 0)
            return cells->first + i;
    return SIZE_MAX;
}

bool weft_cells_shorten_verdicts(weft_cells *cells)
{
    weft_text_table *grid = cells->grid;
    size_t column = weft_cells_column(cells, weft_measurands[0].name);
    bool warming = false;
    for (size_t row = 0; row < grid->n_rows && column != SIZE_MAX; row++) {
        const char *text = grid->cells[row * WEFT_TEXT_TABLE_COLUMNS + column];
        if (text && strstr(text, "saturated"))
            weft_text_table_set(grid, row, column, "saturated");
        else if (text && strstr(text, "warming up")) {
            weft_text_table_set(grid, row, column, "warming up");
            warming = true;
        }
    }
    return warming;
}

bool weft_cells_has_row(const weft_point *point, const weft_metric *m)
{
    if (*m->by || !*m->of)
        return false;
    if (strcmp(m->name, "latency") == 0 || strcmp(m->name, "completion") == 0)
        return true;
    return strcmp(m->name, "accepted") == 0 && !weft_point_metric(point, "latency", m->of, "", 0) &&
           !weft_point_metric(point, "completion", m->of, "", 0);
}
