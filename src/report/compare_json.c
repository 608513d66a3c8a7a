/* SPDX-License-Identifier: Apache-2.0 */
#include "report/compare.h"

#include "base/json.h"
#include "result/key.h"

#include <string.h>

static void add_sides(weft_json *json, const weft_compare_sheet *sheet, const char *const *names)
{
    weft_json_list(json, "sides");
    for (size_t s = 0; s < sheet->n_sides; s++) {
        weft_json_object(json, NULL);
        weft_json_text(json, "name", names[s]);
        weft_json_text(json, "results", weft_result_path(sheet->sides[s]));
        weft_json_text(json, "title", weft_result_title(sheet->sides[s]));
        weft_json_whole(json, "points", (int64_t)weft_result_points(sheet->sides[s]));
        weft_json_end(json);
    }
    weft_json_end(json);
}

static void add_settings(weft_json *json, const weft_compare_sheet *sheet)
{
    weft_json_list(json, "settings");
    for (size_t i = 0; i < sheet->n_settings; i++) {
        weft_json_object(json, NULL);
        weft_json_text(json, "path", sheet->settings[i].path);
        weft_json_list(json, "values");
        for (size_t s = 0; s < sheet->n_sides; s++)
            weft_json_text(json, NULL, sheet->settings[i].values[s]);
        weft_json_end(json);
        weft_json_end(json);
    }
    weft_json_end(json);
}

/* Numbers are numbers. */
static void add_value(weft_json *json, const char *name, const char *value)
{
    double number;
    if (weft_key_number(value, strlen(value), &number))
        weft_json_real(json, name, number);
    else
        weft_json_text(json, name, value);
}

static void add_place(weft_json *json, const weft_compare_sheet *sheet, size_t point)
{
    weft_json_object(json, "point");
    for (size_t a = 0; a < sheet->n_axes; a++)
        add_value(json, sheet->axes[a], sheet->points[point].values[a]);
    weft_json_end(json);
}

static void add_metric(weft_json *json, const char *name, const weft_metric *m)
{
    weft_json_object(json, name);
    weft_json_real(json, "value", m->value);
    weft_json_real(json, "lo", m->lo);
    weft_json_real(json, "hi", m->hi);
    weft_json_text(json, "method", m->method);
    weft_json_end(json);
}

static void add_row(weft_json *json, const weft_compare_sheet *sheet, const weft_compare_row *row,
                    weft_arena *arena)
{
    weft_json_object(json, NULL);
    add_place(json, sheet, row->point);
    weft_json_whole(json, "side", (int64_t)row->side);
    weft_json_text(json, "metric", sheet->metrics[row->metric]);
    weft_json_text(json, "unit", row->ours.unit);
    add_metric(json, "baseline", &row->ours);
    add_metric(json, "other", &row->theirs);
    weft_json_real(json, "difference", row->difference);
    weft_json_real(json, "half_width", row->half_width);
    weft_json_real(json, "freedom", row->freedom);
    weft_json_real(json, "p", row->p);
    weft_json_text(json, "verdict", weft_report_compare_verdict(row, arena));
    weft_json_end(json);
}

static void add_unmatched(weft_json *json, const weft_compare_sheet *sheet)
{
    weft_json_list(json, "unmatched");
    for (size_t p = 0; p < sheet->n_points; p++) {
        size_t there = 0;
        for (size_t s = 0; s < sheet->n_sides; s++)
            there += sheet->points[p].at[s] != WEFT_COMPARE_NONE;
        if (there == sheet->n_sides)
            continue;
        weft_json_object(json, NULL);
        add_place(json, sheet, p);
        weft_json_list(json, "sides");
        for (size_t s = 0; s < sheet->n_sides; s++)
            if (sheet->points[p].at[s] != WEFT_COMPARE_NONE)
                weft_json_whole(json, NULL, (int64_t)s);
        weft_json_end(json);
        weft_json_end(json);
    }
    weft_json_end(json);
}

void weft_report_compare_json(const weft_compare_sheet *sheet, const char *const *names, FILE *out)
{
    weft_json json;
    weft_arena arena;
    weft_json_init(&json);
    weft_arena_init(&arena);
    weft_json_object(&json, NULL);
    weft_json_real(&json, "confidence", sheet->confidence);
    weft_json_flag(&json, "differs", weft_compare_differs(sheet));
    add_sides(&json, sheet, names);
    add_settings(&json, sheet);
    weft_json_text(&json, "apart", sheet->apart);
    weft_json_list(&json, "rows");
    for (size_t i = 0; i < sheet->n_rows; i++)
        add_row(&json, sheet, &sheet->rows[i], &arena);
    weft_json_end(&json);
    add_unmatched(&json, sheet);
    weft_json_end(&json);
    (void)fputs(json.text.at, out);
    weft_arena_done(&arena);
    weft_json_done(&json);
}
