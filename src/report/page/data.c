/* SPDX-License-Identifier: Apache-2.0 */
/* Results into JSON. Whatever comes from a file is a string or a number of it; what a browser does
 * with '<' is html.c's concern. */
#include "report/page/data.h"

#include "base/memory.h"
#include "base/text.h"
#include "interweft/version.h"
#include "report/axis.h"
#include "result/key.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VARY_MAX 64

/* One value a point, by the name of its member. */
enum { X, CURVE, VERDICT, SATURATED, WALL, PEAK, FINISHED, HOST, VERSION, BUILD, MEMBERS };
static const char *const members[MEMBERS] = {"x",    "curve",    "verdict", "saturated", "wall",
                                             "peak", "finished", "host",    "version",   "build"};

typedef struct writer {
    const weft_report_page *page;
    weft_out *out;
    weft_axis *axis;
    weft_page_pools pools;
    /* of the results being written */
    size_t r;
    weft_page_column columns[MEMBERS], vary[VARY_MAX];
    weft_intern paths; /* of vary */
    weft_page_column lines, lines_before;
    weft_out settings; /* their text; no sink */
    weft_page_metrics *metrics;
    weft_page_arrays *arrays;
    const char *rate_unit; /* of the whole page */
} writer;

static void add_member(weft_out *out, const char *name, const char *text)
{
    weft_out_add(out, "\"%s\":", name);
    weft_out_string(out, text);
    weft_out_add(out, ",\n");
}

/* The values of what varies; a path that a point does not have is −1 there. */
static void add_vary(writer *w, size_t i, const char *key)
{
    weft_key_part part;
    for (const char *rest = key; weft_key_next(&rest, &part);) {
        size_t path = weft_intern_add(&w->paths, part.name, part.name_length);
        if (path >= VARY_MAX)
            continue;
        weft_page_column *column = &w->vary[path];
        while (column->n_values < i)
            weft_page_column_add(column, -1);
        uint32_t value = weft_intern_add(&w->pools.strings, part.value, part.value_length);
        if (column->n_values == i)
            weft_page_column_add(column, value);
    }
}

/* The lines of the settings by number: all of them, or those that differ from the point before. */
static void add_settings(writer *w, const char *settings)
{
    weft_page_column *now = &w->lines, *before = &w->lines_before;
    for (const char *line = settings; *line;) {
        size_t length = strcspn(line, "\n");
        weft_page_column_add(now, weft_intern_add(&w->pools.strings, line, length));
        line += length + (line[length] == '\n');
    }
    weft_out *out = &w->settings;
    bool same = out->text.length > 0 && now->n_values == before->n_values;
    const char *separator = "";
    weft_out_add(out, "%s%s", out->text.length ? "," : "", same ? "{" : "[");
    for (size_t i = 0; i < now->n_values; i++) {
        if (same && now->values[i] == before->values[i])
            continue;
        weft_out_add(out, "%s", separator);
        if (same)
            weft_out_add(out, "\"%zu\":", i);
        weft_page_number(out, now->values[i]);
        separator = ",";
    }
    weft_out_add(out, same ? "}" : "]");
    weft_page_column swap = *now;
    *now = *before;
    *before = swap;
    now->n_values = 0;
}

static void add_point(writer *w, size_t i, const weft_point *point)
{
    weft_intern *strings = &w->pools.strings;
    weft_page_column *columns = w->columns;
    double x;
    bool placed = weft_axis_place(w->axis, point, &x);
    const weft_metric *rate = weft_point_metric(point, "offered rate", "", "", 0);
    if (rate && !w->rate_unit) {
        uint32_t unit = weft_intern_text(strings, rate->unit);
        w->rate_unit = strings->items[unit].bytes;
    }
    weft_page_column_add(&columns[X], placed ? x : (double)NAN);
    weft_page_column_add(&columns[CURVE],
                         weft_intern_text(&w->pools.curves, weft_axis_curve(w->axis, w->r, point)));
    weft_page_column_add(&columns[VERDICT], weft_intern_text(strings, point->verdict));
    weft_page_column_add(&columns[SATURATED], point->saturated);
    weft_page_column_add(&columns[WALL], point->wall_seconds);
    weft_page_column_add(&columns[PEAK], (double)point->peak_bytes);
    weft_page_column_add(&columns[FINISHED], weft_intern_text(strings, point->finished));
    weft_page_column_add(&columns[HOST], weft_intern_text(strings, point->host));
    weft_page_column_add(&columns[VERSION], weft_intern_text(strings, point->version));
    weft_page_column_add(&columns[BUILD], weft_intern_text(strings, point->build));
    add_vary(w, i, point->key);
    add_settings(w, point->settings);
    weft_page_metrics_add(w->metrics, i, point);
    weft_page_arrays_add(w->arrays, i, point);
}

static weft_status add_points(writer *w, weft_result *result)
{
    for (size_t i = 0; i < weft_result_points(result); i++) {
        const weft_point *point;
        WEFT_TRY(weft_result_read(result, i, &point, w->out->err));
        add_point(w, i, point);
    }
    return WEFT_OK;
}

static void write_columns(writer *w, size_t count)
{
    weft_out *out = w->out;
    for (size_t c = 0; c < MEMBERS; c++)
        weft_out_add(out, "\"%s\":%u,", members[c],
                     weft_page_columns_move(&w->pools.columns, &w->columns[c]));
    weft_out_add(out, "\n\"vary\":[");
    for (size_t i = 0; i < w->paths.n_items && i < VARY_MAX; i++) {
        while (w->vary[i].n_values < count)
            weft_page_column_add(&w->vary[i], -1);
        weft_out_add(out, "%s[", i ? "," : "");
        weft_out_string(out, w->paths.items[i].bytes);
        weft_out_add(out, ",%u]", weft_page_columns_move(&w->pools.columns, &w->vary[i]));
    }
    weft_out_add(out, "],\n\"settings\":[");
    if (w->settings.text.length)
        weft_text_append(&out->text, w->settings.text.at, w->settings.text.length);
    weft_out_add(out, "],\n\"metrics\":");
    w->settings.text.length = 0;
    w->lines_before.n_values = 0;
}

static weft_status write_result(writer *w)
{
    weft_result *result = w->page->results[w->r];
    size_t count = weft_result_points(result);
    WEFT_TRY(add_points(w, result));
    weft_out_add(w->out, "%s{", w->r ? ",\n" : "");
    add_member(w->out, "name", w->page->names[w->r]);
    add_member(w->out, "title", weft_result_title(result));
    add_member(w->out, "scenario", weft_result_scenario(result));
    weft_out_add(w->out, "\"count\":%zu,\n", count);
    write_columns(w, count);
    weft_page_metrics_write(w->metrics, count, w->out);
    weft_out_add(w->out, ",\n");
    WEFT_TRY(weft_page_arrays_write(w->arrays, w->out));
    weft_out_add(w->out, "}");
    return weft_out_flush(w->out, false);
}

static weft_status write_results(writer *w)
{
    weft_status status = WEFT_OK;
    weft_out_add(w->out, "\"results\":[");
    for (w->r = 0; w->r < w->page->n_results && status == WEFT_OK; w->r++) {
        w->metrics = weft_page_metrics_create(&w->pools);
        w->arrays = weft_page_arrays_create(&w->pools);
        weft_intern_init(&w->paths);
        status = write_result(w);
        weft_page_metrics_destroy(w->metrics);
        weft_page_arrays_destroy(w->arrays);
        weft_intern_done(&w->paths);
    }
    weft_out_add(w->out, "],\n");
    return status;
}

static void write_verdicts(const writer *w)
{
    weft_out *out = w->out;
    weft_out_add(out, "\"verdicts\":[");
    for (size_t i = 0; i < w->page->n_verdicts; i++) {
        const weft_report_verdict *v = &w->page->verdicts[i];
        const char *const texts[] = {v->figure, v->quantity, v->where,
                                     v->rule,   v->verdict,  v->reason};
        const double numbers[] = {v->ours, v->lo, v->hi, v->theirs};
        weft_out_add(out, "%s[", i ? ",\n" : "");
        for (size_t t = 0; t < 6; t++) {
            weft_out_string(out, texts[t] ? texts[t] : "");
            weft_out_add(out, ",");
        }
        for (size_t n = 0; n < 4; n++) {
            weft_page_number(out, numbers[n]);
            weft_out_add(out, ",");
        }
        weft_out_string(out, v->against ? v->against : "");
        weft_out_add(out, ",");
        weft_out_string(out, v->sentence ? v->sentence : "");
        weft_out_add(out, "]");
    }
    weft_out_add(out, "],\n");
}

static weft_status write_all(writer *w)
{
    weft_out *out = w->out;
    const weft_report_page *page = w->page;
    weft_out_add(out, "{\"format\":1,\n");
    add_member(out, "version", WEFT_VERSION);
    add_member(out, "title", page->title ? page->title : weft_result_title(page->results[0]));
    WEFT_TRY(write_results(w));
    add_member(out, "axis", weft_axis_label(w->axis, w->rate_unit));
    write_verdicts(w);
    weft_page_charts_write(page->charts, page->n_charts, out);
    weft_out_add(out, "\"curves\":");
    WEFT_TRY(weft_page_strings_write(&w->pools.curves, out));
    weft_out_add(out, ",\n\"strings\":");
    WEFT_TRY(weft_page_strings_write(&w->pools.strings, out));
    weft_out_add(out, ",\n\"columns\":");
    WEFT_TRY(weft_page_columns_write(&w->pools.columns, out));
    weft_out_add(out, "}\n");
    return weft_out_flush(out, true);
}

static void forget(writer *w)
{
    for (size_t i = 0; i < MEMBERS; i++)
        weft_page_column_done(&w->columns[i]);
    for (size_t i = 0; i < VARY_MAX; i++)
        weft_page_column_done(&w->vary[i]);
    weft_page_column_done(&w->lines);
    weft_page_column_done(&w->lines_before);
    weft_text_done(&w->settings.text);
    weft_intern_done(&w->pools.strings);
    weft_intern_done(&w->pools.columns);
    weft_intern_done(&w->pools.curves);
    weft_axis_destroy(w->axis);
    free(w);
}

weft_status weft_page_data(const weft_report_page *page, weft_out *out)
{
    assert(page->n_results > 0 && page->results && page->names);
    writer *w = weft_alloc(sizeof *w);
    w->page = page;
    w->out = out;
    w->axis = weft_axis_create(page->results, page->names, page->n_results);
    weft_intern_init(&w->pools.strings);
    weft_intern_init(&w->pools.columns);
    weft_intern_init(&w->pools.curves);
    weft_status status = write_all(w);
    forget(w);
    return status;
}
