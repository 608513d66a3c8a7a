/* SPDX-License-Identifier: Apache-2.0 */
/* The charts of a comparison into JSON: ours, theirs and a model's curves. */
#include "report/page/data.h"

static void write_spot(weft_out *out, const weft_chart_spot *spot)
{
    const double numbers[] = {spot->x, spot->y, spot->lo, spot->hi};
    size_t count = spot->hi > spot->lo ? 4 : 2;
    for (size_t i = 0; i < count; i++) {
        weft_out_add(out, "%s", i ? "," : "[");
        weft_page_number(out, numbers[i]);
    }
    weft_out_add(out, "]");
}

static void write_trace(weft_out *out, const weft_chart_trace *trace)
{
    weft_out_add(out, "[%d,%zu,", (int)trace->kind, trace->series);
    weft_out_string(out, trace->name);
    weft_out_add(out, ",[");
    for (size_t i = 0; i < trace->n_spots; i++) {
        weft_out_add(out, "%s", i ? "," : "");
        write_spot(out, &trace->spots[i]);
    }
    weft_out_add(out, "]]");
}

static void write_chart(weft_out *out, const weft_chart *chart)
{
    const char *const texts[] = {chart->title, chart->axis, chart->value, chart->unit};
    weft_out_add(out, "[");
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        weft_out_string(out, texts[t]);
        weft_out_add(out, ",");
    }
    weft_out_add(out, "[");
    for (size_t s = 0; s < chart->n_series; s++) {
        weft_out_add(out, "%s", s ? "," : "");
        weft_out_string(out, chart->series[s]);
    }
    weft_out_add(out, "],[");
    for (size_t t = 0; t < chart->n_traces; t++) {
        weft_out_add(out, "%s", t ? ",\n" : "");
        write_trace(out, &chart->traces[t]);
    }
    weft_out_add(out, "]]");
}

void weft_page_charts_write(const weft_chart *charts, size_t count, weft_out *out)
{
    weft_out_add(out, "\"charts\":[");
    for (size_t i = 0; i < count; i++) {
        weft_out_add(out, "%s", i ? ",\n" : "");
        write_chart(out, &charts[i]);
    }
    weft_out_add(out, "],\n");
}
