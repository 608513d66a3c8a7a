/* SPDX-License-Identifier: Apache-2.0 */
/* JSON for programs: everything the file holds, points in the order for people.
 *
 *     {"interweft": 1, "title": …, "scenario": …, "points": [{"key": …, "vary": {…},
 *       "verdict": …, "saturated": …, "settings": …, "wall_seconds": …, "peak_bytes": …,
 *       "metrics": [{"name": …, "class": …, "by": …, "index": …, "value": …, "lo": …, "hi": …,
 *                    "n": …, "unit": …, "method": …}],
 *       "histograms": [{"name": …, "class": …, "unit": …, "bins": [[x, count], …]}],
 *       "series": [{…, "values": [[x, value], …]}],
 *       "matrices": [{…, "columns": …, "values": [value, …]}],   row by row; only if there are any
 *       "links": [{"index": …, "name": …, "busy": …, "span": …}]}]} */
#include "result/export.h"

#include "base/json.h"
#include "result/key.h"
#include "result/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_member(weft_out *out, const char *name, const char *text)
{
    weft_out_add(out, "\"%s\": ", name);
    weft_out_string(out, text);
    weft_out_add(out, ", ");
}

static void add_real(weft_out *out, const char *name, double value)
{
    weft_out_add(out, "\"%s\": ", name);
    weft_json_number(&out->text, value);
    weft_out_add(out, ", ");
}

static void add_piece(weft_out *out, const char *bytes, size_t length)
{
    char *copy = weft_text_copy_part(bytes, length);
    weft_out_string(out, copy);
    free(copy);
}

static void add_vary(weft_out *out, const char *key)
{
    weft_key_part part;
    const char *separator = "";
    weft_out_add(out, "\"vary\": {");
    for (const char *rest = key; weft_key_next(&rest, &part); separator = ", ") {
        double number;
        weft_out_add(out, "%s", separator);
        add_piece(out, part.name, part.name_length);
        weft_out_add(out, ": ");
        if (weft_key_number(part.value, part.value_length, &number) && isfinite(number))
            weft_json_number(&out->text, number);
        else
            add_piece(out, part.value, part.value_length);
    }
    weft_out_add(out, "}, ");
}

static weft_status add_metrics(weft_out *out, const weft_point *point)
{
    weft_out_add(out, "\"metrics\": [");
    for (size_t i = 0; i < point->n_metrics; i++) {
        const weft_metric *m = &point->metrics[i];
        weft_out_add(out, "%s\n  {", i ? "," : "");
        add_member(out, "name", m->name);
        add_member(out, "class", m->of);
        add_member(out, "by", m->by);
        weft_out_add(out, "\"index\": %" PRId64 ", ", m->index);
        add_real(out, "value", m->value);
        add_real(out, "lo", m->lo);
        add_real(out, "hi", m->hi);
        weft_out_add(out, "\"n\": %" PRId64 ", ", m->n);
        add_member(out, "unit", m->unit);
        weft_out_add(out, "\"method\": ");
        weft_out_string(out, m->method);
        weft_out_add(out, "}");
        WEFT_TRY(weft_out_flush(out, false));
    }
    weft_out_add(out, "],\n ");
    return WEFT_OK;
}

static weft_status add_array(weft_out *out, const weft_array *array, bool bins)
{
    weft_out_add(out, "\n  {");
    add_member(out, "name", array->name);
    add_member(out, "class", array->of);
    add_member(out, "unit", array->unit);
    weft_out_add(out, "\"%s\": [", bins ? "bins" : "values");
    const char *separator = "";
    for (size_t i = 0; i < array->count; i++) {
        if (bins && array->y[i] == 0)
            continue;
        weft_out_add(out, "%s[%" PRId64 ", %" PRId64 "]", separator, array->x[i], array->y[i]);
        separator = ", ";
        WEFT_TRY(weft_out_flush(out, false));
    }
    weft_out_add(out, "]}");
    return WEFT_OK;
}

static weft_status add_arrays(weft_out *out, const weft_point *point, bool bins)
{
    const char *separator = "", *table = bins ? "histogram" : "series";
    weft_out_add(out, "\"%s\": [", bins ? "histograms" : "series");
    for (size_t i = 0; i < point->n_arrays; i++) {
        if (strcmp(point->arrays[i].table, table) != 0)
            continue;
        weft_out_add(out, "%s", separator);
        WEFT_TRY(add_array(out, &point->arrays[i], bins));
        separator = ",";
    }
    weft_out_add(out, "],\n ");
    return WEFT_OK;
}

static weft_status add_matrix(weft_out *out, const weft_array *array)
{
    weft_out_add(out, "\n  {");
    add_member(out, "name", array->name);
    add_member(out, "class", array->of);
    add_member(out, "unit", array->unit);
    weft_out_add(out, "\"columns\": %zu, \"values\": [", array->columns);
    for (size_t i = 0; i < array->count; i++) {
        weft_out_add(out, "%s%" PRId64, i ? ", " : "", array->y[i]);
        WEFT_TRY(weft_out_flush(out, false));
    }
    weft_out_add(out, "]}");
    return WEFT_OK;
}

static weft_status add_matrices(weft_out *out, const weft_point *point)
{
    const char *before = "\"matrices\": [", *after = "";
    for (size_t i = 0; i < point->n_arrays; i++) {
        if (!point->arrays[i].columns)
            continue;
        weft_out_add(out, "%s", before);
        WEFT_TRY(add_matrix(out, &point->arrays[i]));
        before = ",";
        after = "],\n ";
    }
    weft_out_add(out, "%s", after);
    return WEFT_OK;
}

static weft_status add_links(weft_out *out, const weft_point *point)
{
    weft_out_add(out, "\"links\": [");
    for (size_t i = 0; i < point->n_links; i++) {
        const weft_link_row *link = &point->links[i];
        weft_out_add(out, "%s\n  {\"index\": %" PRId64 ", ", i ? "," : "", link->index);
        add_member(out, "name", link->name);
        weft_out_add(out, "\"busy\": %" PRId64 ", \"span\": %" PRId64 "}", link->busy, link->span);
        WEFT_TRY(weft_out_flush(out, false));
    }
    weft_out_add(out, "]");
    return WEFT_OK;
}

static weft_status add_point(weft_out *out, const weft_point *point)
{
    weft_out_add(out, "\n{");
    add_member(out, "key", point->key);
    add_vary(out, point->key);
    add_member(out, "verdict", point->verdict);
    weft_out_add(out, "\"saturated\": %s,\n ", point->saturated ? "true" : "false");
    add_member(out, "settings", point->settings);
    add_real(out, "wall_seconds", point->wall_seconds);
    weft_out_add(out, "\"peak_bytes\": %" PRId64 ",\n ", point->peak_bytes);
    WEFT_TRY(add_metrics(out, point));
    WEFT_TRY(add_arrays(out, point, true));
    WEFT_TRY(add_arrays(out, point, false));
    WEFT_TRY(add_matrices(out, point));
    WEFT_TRY(add_links(out, point));
    weft_out_add(out, "}");
    return weft_out_flush(out, false);
}

weft_status weft_export_json(weft_result *result, weft_out *out)
{
    weft_out_add(out, "{\"interweft\": %d,\n", WEFT_RESULT_FORMAT);
    add_member(out, "title", result->title);
    add_member(out, "scenario", result->scenario);
    weft_out_add(out, "\n\"points\": [");
    for (size_t i = 0; i < result->n_entries; i++) {
        const weft_point *point;
        WEFT_TRY(weft_result_read(result, i, &point, out->err));
        weft_out_add(out, "%s", i ? "," : "");
        WEFT_TRY(add_point(out, point));
    }
    weft_out_add(out, "\n]}\n");
    return WEFT_OK;
}
