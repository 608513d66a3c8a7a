/* SPDX-License-Identifier: Apache-2.0 */
#include "report/point.h"

#include "report/cells.h"
#include "report/plain.h"
#include "result/key.h"

#include <string.h>

#define TEXT_MAX    48
#define KEYS_MAX    32
#define VERDICT_MAX 200

static const weft_measurand by_hops[] = {
    {"", "packets", "packets", "hops", 0, 0, false, NULL},
    {"", "latency", "latency", "hops", 0, 0, true, NULL},
    {"", "cut-through", "cut-through", "hops", 0, 0, false, NULL},
};
#define BY_HOPS (sizeof by_hops / sizeof *by_hops)

static size_t add_column(weft_text_table *grid, const char *name, bool left)
{
    return weft_text_table_add_column(
        grid, &(weft_text_table_column){.group = "", .name = name, .unit = "", .left = left});
}

/* The settings of the key: columns of a row that is printed as lines. */
static void add_key(weft_text_table *grid, const char *key)
{
    const char *paths[KEYS_MAX];
    weft_key_part parts[KEYS_MAX];
    size_t count = 0;
    while (count < KEYS_MAX && weft_key_next(&key, &parts[count])) {
        const weft_key_part *part = &parts[count];
        paths[count++] = weft_arena_copy(grid->arena, part->name, part->name_length);
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = weft_plain_path(paths, count, i);
        (void)add_column(
            grid, *name ? weft_plain_text(grid->arena, name, strlen(name), TEXT_MAX) : "key", true);
    }
    (void)weft_text_table_add_row(grid);
    for (size_t i = 0; i < count; i++)
        weft_text_table_set(
            grid, 0, i,
            weft_plain_value(grid->arena, parts[i].value, parts[i].value_length, TEXT_MAX));
}

static void put_lines(weft_text_table *grid, const weft_point *point,
                      const weft_measurand_list *list, FILE *out, size_t width, bool colour)
{
    weft_cells cells;
    (void)width;
    add_key(grid, point->key);
    weft_cells_init(&cells, grid, list, true);
    weft_cells_set(&cells, 0, point, "");
    weft_text_table_fit(grid, SIZE_MAX);
    weft_text_table_print_row(grid, 0, out, colour);
    bool any = !list->asked;
    for (size_t c = cells.first; c < grid->n_columns; c++)
        any = any || !weft_text_table_is_empty(grid, c);
    if (!any)
        (void)fprintf(
            out, "  nothing to show of these columns; the run ended with: %s\n",
            weft_plain_text(grid->arena, point->verdict, strlen(point->verdict), VERDICT_MAX));
}

/* The only job of a run: is its completion, from its start, another than that of the run? */
static bool starts_later(const weft_point *point)
{
    const weft_metric *all = weft_point_metric(point, "completion", "", "", 0);
    for (size_t i = 0; all && i < point->n_metrics; i++) {
        const weft_metric *m = &point->metrics[i];
        if (strcmp(m->name, "completion") == 0 && *m->of && !*m->by)
            return m->value < all->value;
    }
    return false;
}

static void put_classes(weft_text_table *grid, const weft_point *point,
                        const weft_measurand_list *list, FILE *out, size_t width, bool colour)
{
    weft_cells cells;
    (void)add_column(grid, "class", true);
    weft_cells_init(&cells, grid, list, false);
    for (size_t i = 0; i < point->n_metrics; i++) {
        const weft_metric *m = &point->metrics[i];
        if (!weft_cells_has_row(point, m))
            continue;
        size_t row = weft_text_table_add_row(grid);
        weft_text_table_set(grid, row, 0,
                            weft_plain_text(grid->arena, m->of, strlen(m->of), TEXT_MAX));
        weft_cells_set(&cells, row, point, m->of);
    }
    if (grid->n_rows < 2 && !starts_later(point))
        return;
    weft_cells_align_all(&cells);
    weft_text_table_fit(grid, width);
    (void)fputc('\n', out);
    weft_text_table_print(grid, out, colour);
}

static void put_hops(weft_text_table *grid, const weft_point *point,
                     const weft_measurand_list *list, FILE *out, size_t width, bool colour)
{
    (void)list;
    (void)add_column(grid, "hops", false);
    for (size_t i = 0; i < BY_HOPS; i++)
        (void)add_column(grid, by_hops[i].name, false);
    for (size_t i = 0; i < point->n_metrics; i++) {
        const weft_metric *m = &point->metrics[i];
        if (strcmp(m->name, "latency") != 0 || strcmp(m->by, "hops") != 0 || *m->of)
            continue;
        size_t row = weft_text_table_add_row(grid);
        weft_text_table_set(grid, row, 0,
                            weft_arena_format(grid->arena, "%lld", (long long)m->index));
        for (size_t j = 0; j < BY_HOPS; j++) {
            const weft_metric *metric =
                weft_point_metric(point, by_hops[j].metric, "", "hops", m->index);
            if (metric)
                weft_cells_put(grid, row, 1 + j, metric, by_hops[j].interval);
        }
    }
    if (grid->n_rows == 0)
        return;
    weft_cells_align(grid, 2);
    weft_text_table_fit(grid, width);
    (void)fputc('\n', out);
    weft_text_table_print(grid, out, colour);
}

void weft_report_point(const weft_point *point, const weft_measurand_list *list, FILE *out,
                       size_t width, bool colour)
{
    static void (*const parts[])(weft_text_table *, const weft_point *, const weft_measurand_list *,
                                 FILE *, size_t, bool) = {put_lines, put_classes, put_hops};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        weft_arena arena;
        weft_text_table grid;
        weft_arena_init(&arena);
        weft_text_table_init(&grid, &arena);
        parts[i](&grid, point, list, out, width, colour);
        weft_text_table_done(&grid);
        weft_arena_done(&arena);
    }
}
