/* SPDX-License-Identifier: Apache-2.0 */
/* Values of models are exact: they are shown to six digits, simulated ones to what their interval
 * supports. */
#include "report/model.h"

#include "report/plain.h"
#include "report/text_table.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define VALUE_BYTES 200
#define ROWS_MOST   2000 /* of a table on a terminal or in a pipe; --csv has all */

typedef struct page {
    const weft_report_model *view;
    weft_report_model_keys keys;
    weft_arena arena;
    weft_text_table grid;
    FILE *out;
    size_t width;
    bool colour;
} page;

static const char *number(page *p, double value)
{
    return weft_arena_format(&p->arena, "%.6g", value);
}

static const char *unit_of(const weft_output *output)
{
    return strcmp(output->unit, "fraction") == 0 ? WEFT_GRID_FRACTION : output->unit;
}

static size_t add_column(page *p, const char *group, const char *name, const char *unit,
                         int importance)
{
    return weft_text_table_add_column(
        &p->grid, &(weft_text_table_column){
                      .group = group, .name = name, .unit = unit, .importance = importance});
}

static void add_keys(page *p)
{
    for (size_t k = 0; k < p->keys.n_names; k++)
        (void)add_column(p, "", p->keys.names[k], "", 0);
}

static size_t add_row(page *p, const weft_point *point)
{
    size_t row = weft_text_table_add_row(&p->grid);
    for (size_t k = 0; k < p->keys.n_names; k++) {
        char value[VALUE_BYTES];
        weft_report_model_keys_value(point, p->keys.names[k], value, sizeof value);
        weft_text_table_set(&p->grid, row, k, weft_arena_copy(&p->arena, value, strlen(value)));
    }
    return row;
}

static size_t hidden(const weft_text_table *grid)
{
    size_t count = 0;
    for (size_t c = 0; c < grid->n_columns; c++) {
        bool any = false;
        for (size_t row = 0; row < grid->n_rows && !any; row++)
            any = grid->cells[row * WEFT_TEXT_TABLE_COLUMNS + c] != NULL;
        count += any && grid->columns[c].hidden;
    }
    return count;
}

/* Prints what was gathered and begins anew. */
static void flush(page *p, bool lines)
{
    weft_text_table_fit(&p->grid, lines ? SIZE_MAX : p->width);
    if (lines)
        weft_text_table_print_row(&p->grid, 0, p->out, p->colour);
    else
        weft_text_table_print(&p->grid, p->out, p->colour);
    size_t left = lines ? 0 : hidden(&p->grid);
    if (left > 0)
        (void)fprintf(p->out, "(%zu more columns did not fit; --csv has all)\n", left);
    weft_text_table_done(&p->grid);
    weft_text_table_init(&p->grid, &p->arena);
}

/* ---- values of points ---- */

static void print_values(page *p)
{
    const weft_report_model *view = p->view;
    size_t first = p->keys.n_names;
    add_keys(p);
    for (const weft_output *o = view->outputs; o->name; o++)
        (void)add_column(p, "", o->name, unit_of(o),
                         o == view->outputs ? 0
                                            : (int)(WEFT_TEXT_TABLE_COLUMNS - (o - view->outputs)));
    for (size_t i = 0; i < view->n_points && i < ROWS_MOST; i++) {
        size_t row = add_row(p, view->points[i]);
        for (const weft_output *o = view->outputs; o->name; o++) {
            const weft_metric *m =
                o->by ? NULL : weft_point_metric(view->points[i], o->name, "", "", 0);
            if (m)
                weft_text_table_set(&p->grid, row, first + (size_t)(o - view->outputs),
                                    number(p, m->value));
        }
    }
    flush(p, view->n_points == 1);
    if (view->n_points > ROWS_MOST)
        (void)fprintf(p->out, "(%zu more rows; --csv has all)\n", view->n_points - ROWS_MOST);
}

/* ---- distributions ---- */

/* The row of a point for an index, from `first` on among those of the grid; made if there is
 * none. */
static size_t row_of(page *p, const weft_point *point, size_t first, int64_t index)
{
    size_t column = p->keys.n_names;
    const char *text = weft_arena_format(&p->arena, "%lld", (long long)index);
    for (size_t row = first; row < p->grid.n_rows; row++) {
        const char *known = p->grid.cells[row * WEFT_TEXT_TABLE_COLUMNS + column];
        if (known && strcmp(known, text) == 0)
            return row;
    }
    size_t row = add_row(p, point);
    weft_text_table_set(&p->grid, row, column, text);
    return row;
}

static size_t output_of(const weft_report_model *view, const weft_metric *metric)
{
    size_t i = 0;
    while (view->outputs[i].name && strcmp(view->outputs[i].name, metric->name) != 0)
        i++;
    return i;
}

/* In rows of stations "station latency" is the latency. */
static const char *name_within(const char *by, const char *name)
{
    size_t length = strlen(by);
    return strncmp(name, by, length) == 0 && name[length] == ' ' ? name + length + 1 : name;
}

/* The columns of the outputs with this `by`; false: they have no values. */
static bool add_rows_by(page *p, const char *by)
{
    const weft_report_model *view = p->view;
    size_t column = p->keys.n_names + 1;
    add_keys(p);
    (void)add_column(p, "", by, "", 0);
    for (const weft_output *o = view->outputs; o->name; o++)
        (void)add_column(p, "", name_within(by, o->name), unit_of(o), 0);
    for (size_t i = 0; i < view->n_points; i++) {
        const weft_point *point = view->points[i];
        size_t first = p->grid.n_rows;
        for (size_t k = 0; k < point->n_metrics && p->grid.n_rows < ROWS_MOST; k++) {
            const weft_metric *m = &point->metrics[k];
            if (strcmp(m->by, by) == 0)
                weft_text_table_set(&p->grid, row_of(p, point, first, m->index),
                                    column + output_of(view, m), number(p, m->value));
        }
    }
    return p->grid.n_rows > 0;
}

static void print_distributions(page *p)
{
    const char *done = "";
    for (const weft_output *o = p->view->outputs; o->name; o++) {
        if (!o->by || strcmp(o->by, done) == 0)
            continue;
        done = o->by;
        if (add_rows_by(p, o->by)) {
            (void)fputc('\n', p->out);
            flush(p, false);
        } else {
            weft_text_table_done(&p->grid);
            weft_text_table_init(&p->grid, &p->arena);
        }
    }
}

/* ---- beside a simulation ---- */

static void set_agreement(page *p, size_t row, size_t column, const weft_agreement *a)
{
    double half = (a->hi - a->lo) / 2;
    weft_text_table_set(&p->grid, row, column, number(p, a->model));
    if (a->saturated) {
        weft_text_table_set(&p->grid, row, column + 1, "saturated");
        return;
    }
    weft_text_table_set(&p->grid, row, column + 1,
                        weft_plain_number(&p->arena, a->simulated, half));
    if (isfinite(half))
        weft_text_table_set(&p->grid, row, column + 2, weft_plain_half(&p->arena, half));
    if (a->model != 0)
        weft_text_table_set(&p->grid, row, column + 3,
                            weft_arena_format(&p->arena, "%+.2f",
                                              100 * (a->simulated - a->model) / fabs(a->model)));
}

static bool is_compared(const weft_report_model *view, const weft_output *output)
{
    for (size_t i = 0; i < view->n_agreements; i++)
        if (view->agreements[i].output == output)
            return true;
    return false;
}

static void print_agreements(page *p)
{
    const weft_report_model *view = p->view;
    size_t column = p->keys.n_names;
    add_keys(p);
    for (const weft_output *o = view->outputs; o->name; o++) {
        if (!is_compared(view, o))
            continue;
        (void)add_column(p, o->name, "model", unit_of(o), 0);
        (void)add_column(p, o->name, "simulated", "", 0);
        (void)add_column(p, o->name, "±", "", 0);
        (void)add_column(p, o->name, "deviation", "%", 0);
    }
    for (size_t i = 0; i < view->n_points; i++) {
        size_t row = add_row(p, view->points[i]), at = column;
        for (const weft_output *o = view->outputs; o->name; o++) {
            const weft_agreement *a = weft_report_model_agreement(view, i, o);
            if (a)
                set_agreement(p, row, at, a);
            at += is_compared(view, o) ? 4 : 0;
        }
    }
    flush(p, false);
}

/* ---- the whole ---- */

static void print_notes(page *p)
{
    const weft_point *const *points = p->view->points;
    for (size_t i = 0; i < p->view->n_points && i < ROWS_MOST; i++) {
        const char *note = points[i]->verdict;
        bool fresh = strcmp(note, "exact") != 0;
        for (size_t j = 0; j < i && fresh; j++)
            fresh = strcmp(note, points[j]->verdict) != 0;
        if (fresh)
            (void)fprintf(p->out, "note: %s\n",
                          weft_plain_text(&p->arena, note, strlen(note), 1000));
    }
}

void weft_report_model_table(const weft_report_model *view, FILE *out, size_t width)
{
    page p = {.view = view, .out = out, .width = width};
    p.colour = isatty(fileno(out)) == 1;
    weft_arena_init(&p.arena);
    weft_text_table_init(&p.grid, &p.arena);
    weft_report_model_keys_find(view, &p.keys);
    (void)fprintf(out, "%s: %s\n", view->name,
                  weft_plain_text(&p.arena, view->title, strlen(view->title), 200));
    if (view->n_agreements > 0)
        print_agreements(&p);
    else
        print_values(&p);
    print_distributions(&p);
    print_notes(&p);
    weft_text_table_done(&p.grid);
    weft_arena_done(&p.arena);
}
