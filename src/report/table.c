/* SPDX-License-Identifier: Apache-2.0 */
/* Points become rows of a grid: all are read once into cells, then the rows are put in order and
 * the columns fitted. A traffic class counts as a curve of its own. An offered load that a column
 * of what varies says already is not shown twice, and neither are verdicts that are all alike. */
#include "report/table.h"

#include "base/memory.h"
#include "report/axis.h"
#include "report/cells.h"
#include "report/fabric/canvas.h"
#include "report/plain.h"
#include "report/point.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define CELL_LEAST 8 /* characters that are left of a text when room is short */
#define TITLE_MAX  200
#define CLASS_MAX  28

typedef struct row {
    size_t n_places; /* what it is sorted by, the axis last */
    double places[WEFT_VARY_MAX + 1];
} row;

typedef struct table {
    weft_arena arena;
    weft_axis *axis;
    const weft_vary *vary;
    weft_text_table grid;
    weft_cells cells;
    row *rows;
    size_t n_columns, columns[WEFT_VARY_MAX]; /* settings, by column; the axis last */
    size_t class_column;                      /* SIZE_MAX: one class */
    bool offered[WEFT_MEASURANDS_MAX]; /* measures that a column of what varies says in every row */
    bool converged;                    /* all of them */
    bool intervals;                    /* of every estimate, not of the mean alone */
    const char *version, *other;       /* that ran the first point, and another one; or NULL */
} table;

/* Classes and jobs that have a row of their own at a point. */
static size_t count_classes(const weft_point *point)
{
    size_t count = 0;
    for (size_t i = 0; i < point->n_metrics; i++)
        count += weft_cells_has_row(point, &point->metrics[i]);
    return count;
}

/* "load"; "bulk.load" where there are several classes. */
static const char *column_name(const table *t, size_t setting)
{
    const char *path = t->vary->paths[setting];
    const char *name = weft_plain_path(t->vary->paths, t->vary->n_settings, setting);
    const char *traffic = "traffic.";
    if (t->class_column != SIZE_MAX && strncmp(path, traffic, strlen(traffic)) == 0 &&
        !strchr(name, '.'))
        return path + strlen(traffic);
    return *name ? name : "key";
}

static void add_setting(table *t, size_t setting)
{
    const weft_vary_setting *s = &t->vary->settings[setting];
    t->columns[t->n_columns++] = setting;
    (void)weft_text_table_add_column(
        &t->grid, &(weft_text_table_column){.group = "",
                                            .name = "",
                                            .unit = s->numeric ? s->unit : "",
                                            .left = !s->numeric,
                                            .least = s->numeric ? 0 : CELL_LEAST});
}

static void add_columns(table *t, const weft_measurand_list *list, size_t classes)
{
    size_t axis = weft_axis_setting(t->axis);
    for (size_t i = 0; i < t->vary->n_settings; i++)
        if (t->vary->settings[i].varies && i != axis)
            add_setting(t, i);
    t->class_column = SIZE_MAX;
    if (classes > 1)
        t->class_column = weft_text_table_add_column(
            &t->grid,
            &(weft_text_table_column){
                .group = "", .name = "class", .unit = "", .left = true, .least = CELL_LEAST});
    if (axis < t->vary->n_settings && t->vary->settings[axis].varies)
        add_setting(t, axis);
    for (size_t i = 0; i < t->n_columns; i++) {
        const char *name = column_name(t, t->columns[i]);
        t->grid.columns[i + (i >= t->class_column)].name =
            weft_plain_name(&t->arena, name, CLASS_MAX);
    }
    weft_cells_init(&t->cells, &t->grid, list, t->intervals);
}

/* Notes which offered load a setting says as well, and gives the column its unit. */
static void compare_offered(table *t, size_t column, const weft_point *point, double value,
                            bool *said)
{
    const char *path = t->vary->paths[t->columns[column - (column > t->class_column)]];
    const char *name = weft_axis_offered(path);
    for (size_t i = 0; name && i < t->cells.list.count; i++) {
        const weft_measurand *m = t->cells.list.at[i];
        if (strcmp(m->group, "offered") != 0 || strcmp(m->name, name) != 0)
            continue;
        const weft_metric *metric = weft_point_metric(point, m->metric, "", "", 0);
        said[i] =
            metric && metric->value >= value * 0.9999999 && metric->value <= value * 1.0000001;
        if (metric && !*t->grid.columns[column].unit)
            t->grid.columns[column].unit = weft_cells_unit(&t->arena, metric->unit);
    }
}

static row *add_row(table *t)
{
    size_t count = t->grid.n_rows, index = weft_text_table_add_row(&t->grid);
    if (count == 0 || (count & (count - 1)) == 0)
        t->rows = weft_realloc(t->rows, count ? 2 * count : 1, sizeof *t->rows);
    t->rows[index] = (row){0};
    return &t->rows[index];
}

/* The row of a class ("": all; number 0) of a point. */
static void add_point(table *t, const weft_point *point, const char *of, size_t number)
{
    row *r = add_row(t);
    size_t index = t->grid.n_rows - 1;
    bool said[WEFT_MEASURANDS_MAX] = {false};
    for (size_t i = 0, c = 0; i < t->n_columns || c == t->class_column; c++) {
        if (c == t->class_column) {
            r->places[r->n_places++] = (double)number;
            weft_text_table_set(&t->grid, index, c,
                                *of ? weft_plain_text(&t->arena, of, strlen(of), CLASS_MAX)
                                    : "all");
            continue;
        }
        weft_key_part part;
        size_t setting = t->columns[i++];
        double place = -INFINITY;
        if (weft_vary_part(t->vary, setting, point->key, &part)) {
            place = weft_vary_place(t->vary, setting, &part);
            weft_text_table_set(&t->grid, index, c,
                                weft_vary_text(t->vary, setting, &part, &t->arena));
            if (t->vary->settings[setting].numeric)
                compare_offered(t, c, point, place, said);
        }
        r->places[r->n_places++] = place;
    }
    for (size_t i = 0; i < t->cells.list.count; i++)
        t->offered[i] = t->offered[i] && said[i];
    weft_cells_set(&t->cells, index, point, of);
}

static void add_classes(table *t, const weft_point *point)
{
    size_t number = 0;
    add_point(t, point, "", 0);
    for (size_t i = 0; i < point->n_metrics && t->class_column != SIZE_MAX; i++) {
        const weft_metric *m = &point->metrics[i];
        if (weft_cells_has_row(point, m))
            add_point(t, point, m->of, ++number);
    }
    t->converged = t->converged && strcmp(point->verdict, "converged") == 0;
}

/* Results may change between versions: a file that has points of two says so. */
static void note_version(table *t, const char *version)
{
    const char **to = t->version ? &t->other : &t->version;
    if (!version || *to || (t->version && strcmp(t->version, version) == 0))
        return;
    *to = weft_plain_text(&t->arena, version, strlen(version), CLASS_MAX);
}

static bool is_before(const row *a, const row *b)
{
    for (size_t i = 0; i < a->n_places; i++)
        if (a->places[i] < b->places[i] || a->places[i] > b->places[i])
            return a->places[i] < b->places[i];
    return false;
}

/* A merge sort, so that rows that are alike keep their order. */
static void sort(const row *rows, size_t *order, size_t *spare, size_t count)
{
    size_t half = count / 2, a = 0, b = half;
    if (count < 2)
        return;
    sort(rows, order, spare, half);
    sort(rows, order + half, spare, count - half);
    for (size_t i = 0; i < count; i++) {
        bool second = a == half || (b < count && is_before(&rows[order[b]], &rows[order[a]]));
        spare[i] = second ? order[b++] : order[a++];
    }
    memcpy(order, spare, count * sizeof *order);
}

static void sort_rows(table *t)
{
    size_t count = t->grid.n_rows;
    size_t *order = weft_alloc(2 * count * sizeof *order);
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    sort(t->rows, order, order + count, count);
    weft_text_table_order(&t->grid, order);
    free(order);
}

static void hide_doubles(table *t)
{
    for (size_t i = 0; i < t->cells.list.count && !t->cells.list.asked; i++) {
        bool verdict = weft_measurand_is_verdict(t->cells.list.at[i]);
        t->grid.columns[t->cells.first + i].hidden = verdict ? t->converged : t->offered[i];
    }
}

/* Characters that what varies and the first measures take. */
static size_t least_width(table *t)
{
    size_t width = 0;
    for (size_t c = 0; c < t->grid.n_columns; c++) {
        const weft_text_table_column *column = &t->grid.columns[c];
        if (column->importance == 0 || column->importance >= WEFT_TEXT_TABLE_KEPT)
            width += weft_text_table_measure(&t->grid, c);
    }
    return width;
}

/* The settings that are the same in all rows. */
static void print_constants(table *t, const char *key, FILE *out)
{
    weft_key_part part;
    const char *separator = "In all rows: ";
    for (size_t i = 0; i < t->vary->n_settings; i++) {
        if (t->vary->settings[i].varies || !weft_vary_part(t->vary, i, key, &part))
            continue;
        const char *name = column_name(t, i), *unit = t->vary->settings[i].unit;
        (void)fprintf(out, "%s%s %s%s%s", separator, weft_plain_name(&t->arena, name, CLASS_MAX),
                      weft_vary_text(t->vary, i, &part, &t->arena), *unit ? " " : "", unit);
        separator = ", ";
    }
    (void)fputs(*separator == ',' ? ".\n\n" : "", out);
}

/* Names the columns that there is no room for, in lines of that width. */
static void print_dropped(const table *t, FILE *out, size_t width, const bool *before)
{
    const char *between = "More with --columns all: ";
    size_t used = 0;
    for (size_t c = t->cells.first; c < t->grid.n_columns; c++) {
        const char *name = t->grid.columns[c].name;
        if (!t->grid.columns[c].hidden || before[c] || weft_text_table_is_empty(&t->grid, c))
            continue;
        bool wrap = used > 0 && used + 2 + strlen(name) > width;
        (void)fprintf(out, "%s%s", wrap ? ",\n" : between, name);
        used = (wrap ? 0 : used + strlen(between)) + strlen(name);
        between = ", ";
    }
    (void)fputs(used ? "\n" : "", out);
}

static void print_many(table *t, FILE *out, size_t width, bool colour)
{
    bool before[WEFT_TEXT_TABLE_COLUMNS];
    sort_rows(t);
    hide_doubles(t);
    weft_cells_align_all(&t->cells);
    bool cramped = !t->cells.list.asked && least_width(t) > width;
    bool warming = cramped && weft_cells_shorten_verdicts(&t->cells);
    for (size_t c = 0; c < t->grid.n_columns; c++)
        before[c] = t->grid.columns[c].hidden;
    weft_text_table_fit(&t->grid, width);
    weft_text_table_print(&t->grid, out, colour);
    if (warming)
        (void)fputs("warming up: the run reached its limit before it had settled.\n", out);
    size_t verdict = weft_cells_column(&t->cells, weft_measurands[0].name);
    if (t->converged && (verdict == SIZE_MAX || t->grid.columns[verdict].hidden))
        (void)fputs("All points reached the wanted half-width.\n", out);
    if (t->other)
        (void)fprintf(out, "Points of weft %s and of weft %s; weft run --new runs all anew.\n",
                      t->version, t->other);
    print_dropped(t, out, width, before);
}

/* A terminal that somebody looks at has a size; those that Open MPI gives to its ranks have
 * none. */
static bool is_screen(int fd)
{
    struct winsize size;
    return isatty(fd) == 1 && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
}

static weft_status fill(table *t, weft_result *result, const weft_measurand_list *list,
                        weft_error *err)
{
    const weft_point *point;
    size_t points = weft_result_points(result), classes = 0;
    /* Points may differ in their classes and jobs: one of several is enough for the column. */
    for (size_t i = 0; i < points && classes < 2; i++) {
        WEFT_TRY(weft_result_read(result, i, &point, err));
        classes = count_classes(point);
    }
    if (points > 0)
        add_columns(t, list, classes);
    for (size_t i = 0; i < points; i++) {
        WEFT_TRY(weft_result_read(result, i, &point, err));
        add_classes(t, point);
        note_version(t, point->version);
    }
    return WEFT_OK;
}

static weft_status print_all(table *t, weft_result *result, const weft_measurand_list *list,
                             FILE *out, size_t width, weft_error *err)
{
    const char *no_color = getenv("NO_COLOR"), *title = weft_result_title(result);
    bool colour = is_screen(fileno(out)) && !(no_color && *no_color);
    size_t points = weft_result_points(result);
    const weft_point *point;
    if (*title)
        (void)fprintf(out, "%s\n\n", weft_plain_text(&t->arena, title, strlen(title), TITLE_MAX));
    if (points == 0)
        (void)fputs("No point has finished yet.\n", out);
    if (points == 1) {
        WEFT_TRY(weft_result_read(result, 0, &point, err));
        weft_report_point(point, list, out, width, colour);
    }
    if (points > 1) {
        WEFT_TRY(fill(t, result, list, err));
        print_constants(t, weft_result_key(result, 0), out);
        print_many(t, out, width, colour);
    }
    return WEFT_OK;
}

static void add_html_row(const table *t, size_t r, weft_text *html)
{
    weft_text_add(html, t->grid.marked[r] ? "<tr class=\"marked\">" : "<tr>");
    for (size_t c = 0; c < t->grid.n_columns; c++) {
        const char *text = t->grid.cells[r * WEFT_TEXT_TABLE_COLUMNS + c];
        if (t->grid.columns[c].hidden)
            continue;
        weft_text_add(html, "<td%s>", t->grid.columns[c].left ? " class=\"text\"" : "");
        weft_canvas_escape(html, text ? text : "");
        weft_text_add(html, "</td>");
    }
    weft_text_add(html, "</tr>\n");
}

static void add_html(table *t, weft_text *html)
{
    sort_rows(t);
    hide_doubles(t);
    weft_text_table_fit(&t->grid, SIZE_MAX);
    weft_text_add(html, "<table>\n<tr>");
    for (size_t c = 0; c < t->grid.n_columns; c++) {
        const weft_text_table_column *column = &t->grid.columns[c];
        const char *parts[] = {column->group, column->name, column->unit};
        if (column->hidden)
            continue;
        weft_text_add(html, "<th>");
        for (size_t p = 0; p < 3; p++) {
            weft_canvas_escape(html, parts[p]);
            weft_text_add(html, p < 2 && *parts[p] ? "<br>" : "");
        }
        weft_text_add(html, "</th>");
    }
    weft_text_add(html, "</tr>\n");
    for (size_t r = 0; r < t->grid.n_rows; r++)
        add_html_row(t, r, html);
    weft_text_add(html, "</table>\n");
}

static table new_table(weft_result *result)
{
    table t = {.converged = true, .class_column = SIZE_MAX};
    memset(t.offered, true, sizeof t.offered);
    weft_arena_init(&t.arena);
    t.axis = weft_axis_create(&result, NULL, 1);
    t.vary = weft_axis_vary(t.axis);
    return t;
}

static void done_table(table *t)
{
    weft_axis_destroy(t->axis);
    weft_text_table_done(&t->grid);
    weft_arena_done(&t->arena);
    free(t->rows);
}

weft_status weft_report_table_html(weft_result *result, const char *columns, weft_text *html,
                                   weft_error *err)
{
    weft_measurand_list list;
    WEFT_TRY(weft_measurands_parse(columns, &list, err));
    table t = new_table(result);
    t.intervals = true;
    weft_text_table_init(&t.grid, &t.arena);
    weft_status status = fill(&t, result, &list, err);
    if (status == WEFT_OK && weft_result_points(result) > 0)
        add_html(&t, html);
    done_table(&t);
    return status;
}

weft_status weft_report_table_check(const char *columns, weft_error *err)
{
    weft_measurand_list list;
    return weft_measurands_parse(columns, &list, err);
}

weft_status weft_report_table(weft_result *result, FILE *out, size_t width, const char *columns,
                              weft_error *err)
{
    assert(result && out);
    weft_measurand_list list;
    WEFT_TRY(weft_measurands_parse(columns, &list, err));
    table t = new_table(result);
    weft_text_table_init(&t.grid, &t.arena);
    weft_status status = print_all(&t, result, &list, out, width ? width : WEFT_TABLE_WIDTH, err);
    done_table(&t);
    return status;
}
