/* SPDX-License-Identifier: Apache-2.0 */
/* Sides are called A, B, C …; A is the baseline. One table: a row for every metric, point and other
 * side; what points are matched by comes first. */
#include "report/compare.h"

#include "report/plain.h"
#include "report/text_table.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define NAME_MAX_SHOWN  68
#define CELL_MAX        24
#define UNMATCHED_SHOWN 12
#define MINUS           "−" /* U+2212, as wide as + */

typedef struct page {
    weft_arena arena;
    const weft_compare_sheet *sheet;
    weft_text_table grid;
    /* columns */
    size_t metric, side, unit, ours, ours_half, theirs, theirs_half, change, percent, verdict;
} page;

static const char *side_name(weft_arena *arena, size_t side)
{
    return weft_arena_format(arena, "%c", (int)('A' + side));
}

const char *weft_report_compare_verdict(const weft_compare_row *row, weft_arena *arena)
{
    static const char *const words[WEFT_COMPARE_VERDICTS] = {
        "within", "higher", "lower", "no interval", "A saturated", "", "both saturated"};
    if (row->verdict == WEFT_COMPARE_THEIRS_SATURATED)
        return weft_arena_format(arena, "%s saturated", side_name(arena, row->side));
    return words[row->verdict];
}

static size_t column(page *p, const char *group, const char *name, const char *unit, bool left,
                     int importance)
{
    return weft_text_table_add_column(
        &p->grid,
        &(weft_text_table_column){
            .group = group, .name = name, .unit = unit, .left = left, .importance = importance});
}

static void add_columns(page *p)
{
    const weft_compare_sheet *sheet = p->sheet;
    bool two = sheet->n_sides == 2;
    const char *other = two ? "B" : "other", *change = two ? "B " MINUS " A" : "other " MINUS " A";
    for (size_t a = 0; a < sheet->n_axes; a++) {
        const char *name = weft_plain_path(sheet->axes, sheet->n_axes, a);
        (void)column(p, "", weft_plain_text(&p->arena, name, strlen(name), CELL_MAX), "", true, 0);
    }
    p->metric = column(p, "", "metric", "", true, 0);
    p->unit = column(p, "", "unit", "", true, 40);
    p->side = column(p, "", "other", "", true, 0);
    p->ours = column(p, "A", "value", "", false, 0);
    p->ours_half = column(p, "A", "±", "", false, 20);
    p->theirs = column(p, other, "value", "", false, 0);
    p->theirs_half = column(p, other, "±", "", false, 20);
    p->change = column(p, change, "difference", "", false, 10);
    p->percent = column(p, change, "in %", "", false, 0);
    p->verdict = column(p, "", "verdict", "", true, 0);
}

static const char *short_unit(page *p, const char *unit)
{
    if (strcmp(unit, "fraction") == 0)
        return WEFT_GRID_FRACTION;
    return weft_plain_text(&p->arena, unit, strlen(unit), CELL_MAX);
}

static void set_value(page *p, size_t row, size_t value, size_t half, const weft_metric *m)
{
    double width = weft_half_width(m);
    weft_text_table_set(&p->grid, row, value, weft_plain_number(&p->arena, m->value, width));
    if (isfinite(width))
        weft_text_table_set(&p->grid, row, half, weft_plain_half(&p->arena, width));
}

/* "+5.3 ± 2.1": two digits of the half-width, so that what differs is seen to. */
static const char *signed_text(page *p, double value, double half)
{
    const char *sign = value < 0 ? MINUS : value > 0 ? "+" : "";
    double size = value < 0 ? -value : value, digit = half / 10;
    if (!(half > 0))
        return weft_arena_format(&p->arena, "%s%s", sign,
                                 weft_plain_number(&p->arena, size, (double)NAN));
    return weft_arena_format(&p->arena, "%s%s ± %s", sign,
                             weft_plain_number(&p->arena, size, digit),
                             weft_plain_number(&p->arena, half, digit));
}

static void set_change(page *p, size_t row, const weft_compare_row *from)
{
    double base = from->ours.value < 0 ? -from->ours.value : from->ours.value;
    if (isnan(from->p))
        return;
    weft_text_table_set(&p->grid, row, p->change,
                        signed_text(p, from->difference, from->half_width));
    if (base > 0)
        weft_text_table_set(
            &p->grid, row, p->percent,
            signed_text(p, 100 * from->difference / base, 100 * from->half_width / base));
}

static void add_row(page *p, const weft_compare_row *from)
{
    const weft_compare_sheet *sheet = p->sheet;
    const weft_compare_point *point = &sheet->points[from->point];
    size_t row = weft_text_table_add_row(&p->grid);
    for (size_t a = 0; a < sheet->n_axes; a++)
        weft_text_table_set(
            &p->grid, row, a,
            weft_plain_value(&p->arena, point->values[a], strlen(point->values[a]), CELL_MAX));
    const char *metric = sheet->metrics[from->metric];
    weft_text_table_set(&p->grid, row, p->metric,
                        weft_plain_text(&p->arena, metric, strlen(metric), CELL_MAX));
    if (sheet->n_sides > 2)
        weft_text_table_set(&p->grid, row, p->side, side_name(&p->arena, from->side));
    weft_text_table_set(&p->grid, row, p->unit, short_unit(p, from->ours.unit));
    set_value(p, row, p->ours, p->ours_half, &from->ours);
    set_value(p, row, p->theirs, p->theirs_half, &from->theirs);
    set_change(p, row, from);
    weft_text_table_set(&p->grid, row, p->verdict, weft_report_compare_verdict(from, &p->arena));
    p->grid.marked[row] =
        from->verdict == WEFT_COMPARE_HIGHER || from->verdict == WEFT_COMPARE_LOWER;
}

static void print_sides(page *p, const char *const *names, FILE *out)
{
    for (size_t s = 0; s < p->sheet->n_sides; s++) {
        size_t points = weft_result_points(p->sheet->sides[s]);
        (void)fprintf(out, "%s  %s: %zu point%s\n", side_name(&p->arena, s),
                      weft_plain_text(&p->arena, names[s], strlen(names[s]), NAME_MAX_SHOWN),
                      points, points == 1 ? "" : "s");
    }
}

/* "routing.selection.kind" is written as routing.selection in a scenario. */
static const char *setting_name(page *p, const char *path)
{
    size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, ".kind") == 0)
        length -= 5;
    return weft_plain_text(&p->arena, path, length, 2 * CELL_MAX);
}

static void print_settings(page *p, FILE *out, size_t width, bool colour)
{
    weft_text_table grid;
    (void)fputc('\n', out);
    if (p->sheet->n_settings == 0) {
        (void)fputs("All settings of the points that match are the same.\n", out);
        return;
    }
    weft_text_table_init(&grid, &p->arena);
    (void)weft_text_table_add_column(
        &grid, &(weft_text_table_column){
                   .group = "", .name = "setting that differs", .unit = "", .left = true});
    for (size_t s = 0; s < p->sheet->n_sides; s++)
        (void)weft_text_table_add_column(
            &grid, &(weft_text_table_column){.group = "",
                                             .name = side_name(&p->arena, s),
                                             .unit = "",
                                             .left = true,
                                             .importance = (int)(WEFT_COMPARE_SIDES - s)});
    for (size_t i = 0; i < p->sheet->n_settings; i++) {
        const weft_compare_setting *setting = &p->sheet->settings[i];
        size_t row = weft_text_table_add_row(&grid);
        weft_text_table_set(&grid, row, 0, setting_name(p, setting->path));
        for (size_t s = 0; s < p->sheet->n_sides; s++) {
            const char *value = *setting->values[s] ? setting->values[s] : "–";
            weft_text_table_set(&grid, row, 1 + s,
                                weft_plain_text(&p->arena, value, strlen(value), CELL_MAX));
        }
    }
    weft_text_table_fit(&grid, width);
    weft_text_table_print(&grid, out, colour);
    weft_text_table_done(&grid);
}

/* Of every metric: how many rows differ, and how many would by chance. */
static void print_counts(page *p, FILE *out)
{
    const weft_compare_sheet *sheet = p->sheet;
    (void)fputc('\n', out);
    for (size_t m = 0; m < sheet->n_metrics; m++) {
        size_t tested = 0, differ = 0;
        for (size_t i = 0; i < sheet->n_rows; i++) {
            const weft_compare_row *row = &sheet->rows[i];
            if (row->metric != m || isnan(row->p))
                continue;
            tested++;
            differ += row->verdict != WEFT_COMPARE_WITHIN;
        }
        if (tested > 0)
            (void)fprintf(out,
                          "%s: %zu of %zu differ at %.4g %% confidence; chance alone gives %.2g\n",
                          sheet->metrics[m], differ, tested, 100 * sheet->confidence,
                          (1 - sheet->confidence) * (double)tested);
    }
}

static void print_place(page *p, const weft_compare_point *point, FILE *out)
{
    for (size_t a = 0; a < p->sheet->n_axes; a++) {
        const char *value = *point->values[a] ? point->values[a] : "–";
        const char *name = weft_plain_path(p->sheet->axes, p->sheet->n_axes, a);
        (void)fprintf(out, "  %s=%s", weft_plain_text(&p->arena, name, strlen(name), CELL_MAX),
                      weft_plain_value(&p->arena, value, strlen(value), CELL_MAX));
    }
}

/* The names of the sides that have a point; false: all have it. */
static bool is_missing(const page *p, const weft_compare_point *point,
                       char here[WEFT_COMPARE_SIDES + 1])
{
    size_t count = 0;
    for (size_t s = 0; s < p->sheet->n_sides; s++)
        if (point->at[s] != WEFT_COMPARE_NONE)
            here[count++] = (char)('A' + s);
    here[count] = '\0';
    return count < p->sheet->n_sides;
}

static void print_unmatched(page *p, FILE *out)
{
    size_t count = 0;
    for (size_t i = 0; i < p->sheet->n_points; i++) {
        char here[WEFT_COMPARE_SIDES + 1];
        if (!is_missing(p, &p->sheet->points[i], here) || count++ >= UNMATCHED_SHOWN)
            continue;
        (void)fprintf(out, "%s  %s only:", count > 1 ? "" : "\nPoints that not every side has:\n",
                      here);
        print_place(p, &p->sheet->points[i], out);
        (void)fputc('\n', out);
    }
    if (count > UNMATCHED_SHOWN)
        (void)fprintf(out, "  and %zu more; --json lists all\n", count - UNMATCHED_SHOWN);
}

/* The half-widths of both sides, or of none. */
static void fit(page *p, size_t width)
{
    weft_text_table_fit(&p->grid, width);
    if (p->grid.columns[p->theirs_half].hidden || p->grid.columns[p->ours_half].hidden) {
        p->grid.columns[p->theirs_half].hidden = p->grid.columns[p->ours_half].hidden = true;
        weft_text_table_fit(&p->grid, width);
    }
}

void weft_report_compare(const weft_compare_sheet *sheet, const char *const *names, FILE *out,
                         size_t width)
{
    assert(sheet && names && out);
    page p = {.sheet = sheet};
    bool colour = isatty(fileno(out)) == 1;
    weft_arena_init(&p.arena);
    weft_text_table_init(&p.grid, &p.arena);
    print_sides(&p, names, out);
    if (sheet->n_rows > 0) {
        print_settings(&p, out, width, colour);
        (void)fputc('\n', out);
        add_columns(&p);
        for (size_t i = 0; i < sheet->n_rows; i++)
            add_row(&p, &sheet->rows[i]);
        fit(&p, width);
        weft_text_table_print(&p.grid, out, colour);
        print_counts(&p, out);
    }
    if (*sheet->apart)
        (void)fprintf(out, "\nNot compared: %s.\n", sheet->apart);
    print_unmatched(&p, out);
    weft_text_table_done(&p.grid);
    weft_arena_done(&p.arena);
}
