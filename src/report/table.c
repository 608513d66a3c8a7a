/* SPDX-License-Identifier: Apache-2.0 */
/* Points become rows of a grid. The columns are one table below; a setting that varies and is the
 * offered load itself is not shown twice. */
#include "report/table.h"

#include "report/plain.h"
#include "report/text_table.h"
#include "result/key.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define VARY_MAX  32
#define CELL_MAX  28 /* characters of a setting's value */
#define TITLE_MAX 200

typedef struct measure {
    const char *group, *name, *metric, *by;
    int64_t index;
    int importance; /* 0 is never left out */
    bool interval;  /* shown as mean ± half-width */
} measure;

static const measure measures[] = {
    {"offered", "rho", "offered rho", "", 0, 80, false},
    {"offered", "load", "offered load", "", 0, 90, false},
    {"offered", "rate", "offered rate", "", 0, 70, false},
    {"", "accepted", "accepted", "", 0, 85, false},
    {"latency", "mean", "latency", "", 0, 0, true},
    {"latency", "p50", "latency", "percentile", 50000, 50, false},
    {"latency", "p90", "latency", "percentile", 90000, 30, false},
    {"latency", "p99", "latency", "percentile", 99000, 75, false},
    {"latency", "p99.9", "latency", "percentile", 99900, 45, false},
    {"latency", "p99.99", "latency", "percentile", 99990, 20, false},
    {"latency", "p99.999", "latency", "percentile", 99999, 10, false},
    {"", "cut-through", "cut-through", "", 0, 60, false},
    {"", "hops", "hops", "", 0, 55, false},
};
#define MEASURES (sizeof measures / sizeof *measures)

static const measure by_hops[] = {
    {"", "packets", "packets", "hops", 0, 0, false},
    {"", "latency", "latency", "hops", 0, 0, true},
    {"", "cut-through", "cut-through", "hops", 0, 0, false},
};
#define BY_HOPS (sizeof by_hops / sizeof *by_hops)

/* Measures as the columns from number first on. */
typedef struct columns {
    const measure *at;
    size_t count, first;
} columns;

static const columns main_columns = {measures, MEASURES, VARY_MAX};
static const columns class_columns = {measures, MEASURES, 1};
static const columns hops_columns = {by_hops, BY_HOPS, 1};

/* The settings that vary: one column each. */
typedef struct vary {
    size_t n_paths;
    const char *paths[VARY_MAX];
    bool offered[VARY_MAX]; /* says in every row what an offered column says */
} vary;

typedef struct table {
    weft_arena arena;
    weft_text_table grid;
    vary vary;
    size_t verdict; /* column */
    bool converged; /* all of them */
    bool single;    /* one point: every interval is shown */
} table;

/* Short forms of the units that stand over narrow columns. */
static const char *short_unit(weft_arena *arena, const char *unit)
{
    if (strcmp(unit, "fraction") == 0)
        return WEFT_GRID_FRACTION;
    if (strncmp(unit, "messages/", 9) == 0)
        return weft_arena_format(arena, "msg/%s",
                                 weft_plain_text(arena, unit + 9, strlen(unit + 9), 16));
    return weft_plain_text(arena, unit, strlen(unit), 16);
}

static const char *value_text(weft_arena *arena, const weft_metric *metric, bool interval)
{
    double half = weft_half_width(metric);
    const char *value = weft_plain_number(arena, metric->value, half);
    if (!interval || !(half > 0) || !isfinite(half))
        return value;
    return weft_arena_format(arena, "%s ± %s", value, weft_plain_half(arena, half));
}

/* The place of a setting among those that vary; VARY_MAX if there are too many. */
static size_t vary_of(table *t, const weft_key_part *part)
{
    vary *v = &t->vary;
    size_t i = 0;
    while (i < v->n_paths && (strlen(v->paths[i]) != part->name_length ||
                              memcmp(v->paths[i], part->name, part->name_length) != 0))
        i++;
    if (i == v->n_paths && i < VARY_MAX) {
        v->paths[v->n_paths] = weft_arena_copy(&t->arena, part->name, part->name_length);
        v->offered[v->n_paths++] = true;
    }
    return i;
}

static void add_measures(table *t, columns list)
{
    for (size_t i = 0; i < list.count; i++)
        (void)weft_text_table_add_column(
            &t->grid, &(weft_text_table_column){.group = list.at[i].group,
                                                .name = list.at[i].name,
                                                .unit = "",
                                                .importance = list.at[i].importance});
}

/* Room for what varies first; columns that stay empty are not shown. */
static void add_columns(table *t)
{
    for (size_t i = 0; i < VARY_MAX; i++)
        (void)weft_text_table_add_column(
            &t->grid, &(weft_text_table_column){.group = "", .name = "", .unit = "", .left = true});
    add_measures(t, main_columns);
    t->verdict = weft_text_table_add_column(
        &t->grid,
        &(weft_text_table_column){.group = "", .name = "verdict", .unit = "", .left = true});
}

static void name_columns(table *t)
{
    for (size_t i = 0; i < t->vary.n_paths; i++) {
        const char *name = weft_plain_path(t->vary.paths, t->vary.n_paths, i);
        t->grid.columns[i].name =
            *name ? weft_plain_text(&t->arena, name, strlen(name), CELL_MAX) : "key";
    }
}

/* The offered column that a varied setting's last component names; MEASURES if none. */
static size_t offered_like(const char *path)
{
    const char *last = strrchr(path, '.');
    last = last ? last + 1 : path;
    size_t i = 0;
    while (i < MEASURES &&
           (strcmp(measures[i].group, "offered") != 0 || strcmp(measures[i].name, last) != 0))
        i++;
    return i;
}

static bool says_the_same(const char *path, const weft_key_part *part, const weft_point *point)
{
    size_t i = offered_like(path);
    double number;
    if (i == MEASURES || !weft_key_number(part->value, part->value_length, &number))
        return false;
    const weft_metric *m = weft_point_metric(point, measures[i].metric, "", "", 0);
    return m && m->value >= number * 0.9999999 && m->value <= number * 1.0000001;
}

static void set_vary(table *t, size_t row, const weft_point *point)
{
    bool seen[VARY_MAX] = {false};
    weft_key_part part;
    for (const char *rest = point->key; weft_key_next(&rest, &part);) {
        size_t i = vary_of(t, &part);
        if (i == VARY_MAX)
            continue;
        seen[i] = says_the_same(t->vary.paths[i], &part, point);
        weft_text_table_set(&t->grid, row, i,
                            weft_plain_value(&t->arena, part.value, part.value_length, CELL_MAX));
    }
    for (size_t i = 0; i < t->vary.n_paths; i++)
        t->vary.offered[i] = t->vary.offered[i] && seen[i];
}

/* The cells of one class (and number of hops) in columns first …. */
static void set_measures(table *t, size_t row, columns list, const weft_point *point,
                         const char *of, int64_t index)
{
    for (size_t i = 0; i < list.count; i++) {
        const measure *m = &list.at[i];
        const weft_metric *metric =
            weft_point_metric(point, m->metric, of, m->by, m->index ? m->index : index);
        if (!metric)
            continue;
        weft_text_table_set(&t->grid, row, list.first + i,
                            value_text(&t->arena, metric, m->interval || t->single));
        if (strcmp(metric->unit, m->name) != 0)
            t->grid.columns[list.first + i].unit = short_unit(&t->arena, metric->unit);
    }
}

static void add_point(table *t, const weft_point *point)
{
    size_t row = weft_text_table_add_row(&t->grid);
    set_vary(t, row, point);
    set_measures(t, row, main_columns, point, "", 0);
    const char *verdict = weft_plain_text(&t->arena, point->verdict, strlen(point->verdict), 48);
    if (point->saturated && !strstr(verdict, "saturated"))
        verdict = weft_arena_format(&t->arena, "%s, saturated", verdict);
    const weft_metric *width = weft_point_metric(point, "half-width", "", "", 0);
    if (t->single && width && strncmp(width->method, "floor: ", 7) == 0)
        verdict =
            weft_arena_format(&t->arena, "%s to %.2g %% (%s)", verdict, 100 * width->value,
                              weft_plain_text(&t->arena, width->method, strlen(width->method), 40));
    weft_text_table_set(&t->grid, row, t->verdict, verdict);
    t->grid.marked[row] = point->saturated;
    t->converged = t->converged && strcmp(point->verdict, "converged") == 0;
}

/* "126.3 ± 0.9": pads the half-widths to one length, so that the signs stand below each other. */
static void align_intervals(weft_text_table *grid, weft_arena *arena, size_t column)
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
                    weft_arena_format(arena, "%s%*s", text, (int)(width - own), ""));
        }
}

static void hide_doubles(table *t)
{
    for (size_t i = 0; i < t->vary.n_paths; i++)
        if (t->vary.offered[i])
            t->grid.columns[i].hidden = true;
    if (t->converged)
        t->grid.columns[t->verdict].hidden = true;
}

/* What does not fit, in words. */
static void print_dropped(const weft_text_table *grid, FILE *out, const bool *before)
{
    const char *separator = "Left out for want of room: ";
    bool any = false;
    for (size_t c = 0; c < grid->n_columns; c++) {
        const weft_text_table_column *column = &grid->columns[c];
        bool empty = true;
        for (size_t row = 0; row < grid->n_rows && empty; row++)
            empty = grid->cells[row * WEFT_TEXT_TABLE_COLUMNS + c] == NULL;
        if (!column->hidden || before[c] || empty)
            continue;
        (void)fprintf(out, "%s%s", separator, column->name);
        separator = ", ";
        any = true;
    }
    if (any)
        (void)fputs(".\n", out);
}

static void print_many(table *t, FILE *out, size_t width, bool colour)
{
    bool before[WEFT_TEXT_TABLE_COLUMNS];
    hide_doubles(t);
    for (size_t c = 0; c < t->grid.n_columns; c++)
        before[c] = t->grid.columns[c].hidden;
    for (size_t i = 0; i < MEASURES; i++)
        if (measures[i].interval)
            align_intervals(&t->grid, &t->arena, VARY_MAX + i);
    weft_text_table_fit(&t->grid, width);
    weft_text_table_print(&t->grid, out, colour);
    print_dropped(&t->grid, out, before);
    if (t->converged)
        (void)fputs("All points reached the wanted half-width.\n", out);
}

/* A small table of one point: its packets by hops. */
static void print_hops(table *t, const weft_point *point, FILE *out, size_t width, bool colour)
{
    weft_text_table *grid = &t->grid;
    (void)weft_text_table_add_column(
        grid, &(weft_text_table_column){.group = "", .name = "hops", .unit = ""});
    add_measures(t, hops_columns);
    for (size_t i = 0; i < point->n_metrics; i++) {
        const weft_metric *m = &point->metrics[i];
        if (strcmp(m->name, "latency") != 0 || strcmp(m->by, "hops") != 0 || *m->of)
            continue;
        size_t row = weft_text_table_add_row(grid);
        weft_text_table_set(grid, row, 0,
                            weft_arena_format(&t->arena, "%lld", (long long)m->index));
        set_measures(t, row, hops_columns, point, "", m->index);
    }
    if (grid->n_rows == 0)
        return;
    align_intervals(grid, &t->arena, 2);
    weft_text_table_fit(grid, width);
    (void)fputc('\n', out);
    weft_text_table_print(grid, out, colour);
}

/* A small table of one point: its traffic classes, if there are several. */
static void print_classes(table *t, const weft_point *point, FILE *out, size_t width, bool colour)
{
    (void)weft_text_table_add_column(
        &t->grid,
        &(weft_text_table_column){.group = "", .name = "class", .unit = "", .left = true});
    add_measures(t, class_columns);
    for (size_t i = 0; i < point->n_metrics; i++) {
        const weft_metric *m = &point->metrics[i];
        if (strcmp(m->name, "latency") != 0 || *m->by || !*m->of)
            continue;
        size_t row = weft_text_table_add_row(&t->grid);
        weft_text_table_set(&t->grid, row, 0,
                            weft_plain_text(&t->arena, m->of, strlen(m->of), CELL_MAX));
        set_measures(t, row, class_columns, point, m->of, 0);
    }
    if (t->grid.n_rows < 2)
        return;
    for (size_t i = 0; i < MEASURES; i++)
        if (measures[i].interval)
            align_intervals(&t->grid, &t->arena, 1 + i);
    weft_text_table_fit(&t->grid, width);
    (void)fputc('\n', out);
    weft_text_table_print(&t->grid, out, colour);
}

static weft_status print_one(weft_result *result, table *t, FILE *out, size_t width, bool colour,
                             weft_error *err)
{
    const weft_point *point;
    hide_doubles(t);
    t->grid.columns[t->verdict].hidden = false;
    weft_text_table_fit(&t->grid, SIZE_MAX);
    weft_text_table_print_row(&t->grid, 0, out, colour);
    WEFT_TRY(weft_result_read(result, 0, &point, err));
    static void (*const parts[])(table *, const weft_point *, FILE *, size_t,
                                 bool) = {print_classes, print_hops};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        weft_text_table_done(&t->grid);
        weft_text_table_init(&t->grid, &t->arena);
        t->single = false;
        parts[i](t, point, out, width, colour);
    }
    return WEFT_OK;
}

/* A terminal that somebody looks at has a size; those that Open MPI gives to its ranks have
 * none. */
static bool is_screen(int fd)
{
    struct winsize size;
    return isatty(fd) == 1 && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
}

static weft_status print_all(weft_result *result, table *t, FILE *out, size_t width,
                             weft_error *err)
{
    const char *no_color = getenv("NO_COLOR");
    bool colour = is_screen(fileno(out)) && !(no_color && *no_color);
    const char *title = weft_result_title(result);
    add_columns(t);
    for (size_t i = 0; i < weft_result_points(result); i++) {
        const weft_point *point;
        WEFT_TRY(weft_result_read(result, i, &point, err));
        add_point(t, point);
    }
    name_columns(t);
    if (*title)
        (void)fprintf(out, "%s\n\n", weft_plain_text(&t->arena, title, strlen(title), TITLE_MAX));
    if (t->grid.n_rows == 0)
        (void)fputs("No point has finished yet.\n", out);
    else if (t->grid.n_rows == 1)
        return print_one(result, t, out, width, colour, err);
    else
        print_many(t, out, width, colour);
    return WEFT_OK;
}

weft_status weft_report_table(weft_result *result, FILE *out, size_t width, weft_error *err)
{
    assert(result && out);
    table t = {.converged = true, .single = weft_result_points(result) == 1};
    weft_arena_init(&t.arena);
    weft_text_table_init(&t.grid, &t.arena);
    weft_status status = print_all(result, &t, out, width ? width : WEFT_TABLE_WIDTH, err);
    weft_text_table_done(&t.grid);
    weft_arena_done(&t.arena);
    return status;
}
