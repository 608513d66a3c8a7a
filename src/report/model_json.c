/* SPDX-License-Identifier: Apache-2.0 */
/* What a model answers as one JSON object: its outputs, the values of every point, and what was
 * simulated. */
#include "report/model.h"

#include "base/json.h"
#include "base/text.h"
#include "result/key.h"

#include <stdlib.h>
#include <string.h>

static void add_outputs(weft_json *json, const weft_output *outputs)
{
    weft_json_list(json, "outputs");
    for (; outputs->name; outputs++) {
        weft_json_object(json, NULL);
        weft_json_text(json, "name", outputs->name);
        weft_json_text(json, "unit", outputs->unit);
        weft_json_text(json, "by", outputs->by ? outputs->by : "");
        weft_json_text(json, "brief", outputs->brief);
        weft_json_end(json);
    }
    weft_json_end(json);
}

static void add_vary(weft_json *json, const char *key)
{
    weft_key_part part;
    weft_json_object(json, "vary");
    while (weft_key_next(&key, &part)) {
        double number;
        char *name = weft_text_copy_part(part.name, part.name_length),
             *value = weft_text_copy_part(part.value, part.value_length);
        if (weft_key_number(value, part.value_length, &number))
            weft_json_real(json, name, number);
        else
            weft_json_text(json, name, value);
        free(name);
        free(value);
    }
    weft_json_end(json);
}

static void add_point(weft_json *json, const weft_point *point)
{
    weft_json_object(json, NULL);
    add_vary(json, point->key);
    weft_json_text(json, "notes", point->verdict);
    weft_json_list(json, "values");
    for (size_t i = 0; i < point->n_metrics; i++) {
        const weft_metric *m = &point->metrics[i];
        weft_json_object(json, NULL);
        weft_json_text(json, "name", m->name);
        weft_json_text(json, "by", m->by);
        weft_json_whole(json, "index", m->index);
        weft_json_real(json, "value", m->value);
        weft_json_text(json, "unit", m->unit);
        weft_json_end(json);
    }
    weft_json_end(json);
    weft_json_end(json);
}

static void add_agreement(weft_json *json, const weft_agreement *row)
{
    weft_json_object(json, NULL);
    weft_json_whole(json, "point", (int64_t)row->point);
    weft_json_text(json, "output", row->output->name);
    weft_json_whole(json, "index", row->index);
    weft_json_real(json, "model", row->model);
    weft_json_real(json, "simulated", row->simulated);
    weft_json_real(json, "lo", row->lo);
    weft_json_real(json, "hi", row->hi);
    weft_json_flag(json, "saturated", row->saturated);
    weft_json_end(json);
}

void weft_report_model_json(const weft_report_model *view, FILE *out)
{
    weft_json json;
    weft_json_init(&json);
    weft_json_object(&json, NULL);
    weft_json_text(&json, "model", view->name);
    weft_json_text(&json, "title", view->title);
    add_outputs(&json, view->outputs);
    weft_json_list(&json, "points");
    for (size_t i = 0; i < view->n_points; i++)
        add_point(&json, view->points[i]);
    weft_json_end(&json);
    weft_json_list(&json, "simulated");
    for (size_t i = 0; i < view->n_agreements; i++)
        add_agreement(&json, &view->agreements[i]);
    weft_json_end(&json);
    weft_json_end(&json);
    (void)fputs(json.text.at, out);
    weft_json_done(&json);
}
