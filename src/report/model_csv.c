/* SPDX-License-Identifier: Apache-2.0 */
/* One line a point, and below it one line for every row of its distributions. */
#include "report/model.h"

#include "base/digits.h"
#include "result/quoted_cell.h"

#include <math.h>
#include <string.h>

#define VALUE_BYTES 400

typedef struct sheet {
    const weft_report_model *view;
    weft_report_model_keys keys;
    bool rows; /* some output has rows */
    FILE *out;
} sheet;

static void put_number(FILE *out, double value)
{
    char text[WEFT_DIGITS_TEXT];
    (void)fputs(value - value == 0 ? weft_digits_short(text, value) : "", out);
}

static void put_name(FILE *out, const weft_output *output, const char *what, const char *separator)
{
    char text[VALUE_BYTES];
    (void)snprintf(text, sizeof text, "%s%s (%s)", what, output->name, output->unit);
    (void)fputs(separator, out);
    weft_quoted_cell_print(out, text);
}

static void put_head(const sheet *s)
{
    const char *separator = "";
    for (size_t k = 0; k < s->keys.n_names; k++, separator = ",") {
        (void)fputs(separator, s->out);
        weft_quoted_cell_print(s->out, s->keys.names[k]);
    }
    if (s->rows) {
        (void)fprintf(s->out, "%sby,index", separator);
        separator = ",";
    }
    for (const weft_output *o = s->view->outputs; o->name; o++)
        if (weft_report_model_has(s->view, o)) {
            put_name(s->out, o, "", separator);
            separator = ",";
        }
    for (const weft_output *o = s->view->outputs; o->name && s->view->n_agreements; o++)
        if (weft_report_model_has(s->view, o) && !o->by) {
            put_name(s->out, o, "simulated ", separator);
            put_name(s->out, o, "low ", ",");
            put_name(s->out, o, "high ", ",");
            (void)fputs(",", s->out);
            weft_quoted_cell_print(s->out, "error measure of ");
            weft_quoted_cell_print(s->out, o->name);
        }
    (void)fputc('\n', s->out);
}

static const char *put_keys(const sheet *s, const weft_point *point)
{
    const char *separator = "";
    for (size_t k = 0; k < s->keys.n_names; k++, separator = ",") {
        char value[VALUE_BYTES];
        weft_report_model_keys_value(point, s->keys.names[k], value, sizeof value);
        (void)fputs(separator, s->out);
        weft_quoted_cell_print(s->out, value);
    }
    return separator;
}

/* |simulated − model| / simulated, as queueing papers define it; no number where nothing is
 * simulated. */
static double error_measure(const weft_agreement *a)
{
    return fabs(a->simulated - a->model) / fabs(a->simulated);
}

/* Cells of what was simulated, which are empty in lines of a distribution. */
static void put_agreements(const sheet *s, size_t i, bool whole)
{
    for (const weft_output *o = s->view->outputs; o->name && s->view->n_agreements; o++) {
        if (!weft_report_model_has(s->view, o) || o->by)
            continue;
        const weft_agreement *a = weft_report_model_agreement(s->view, i, o);
        bool known = whole && a && !a->saturated;
        const double values[] = {known ? a->simulated : 0, known ? a->lo : 0, known ? a->hi : 0,
                                 known ? error_measure(a) : 0};
        for (int v = 0; v < 4; v++) {
            (void)fputc(',', s->out);
            if (known)
                put_number(s->out, values[v]);
        }
    }
}

/* A line of the values by (by, index). */
static void put_line(const sheet *s, size_t i, const char *by, int64_t index)
{
    const weft_point *point = s->view->points[i];
    const char *separator = put_keys(s, point);
    if (s->rows) {
        (void)fprintf(s->out, "%s%s,", separator, by);
        if (*by)
            (void)fprintf(s->out, "%lld", (long long)index);
        separator = ",";
    }
    for (const weft_output *o = s->view->outputs; o->name; o++) {
        if (!weft_report_model_has(s->view, o))
            continue;
        const weft_metric *m = strcmp(o->by ? o->by : "", by) == 0
                                   ? weft_point_metric(point, o->name, "", by, index)
                                   : NULL;
        (void)fputs(separator, s->out);
        if (m)
            put_number(s->out, m->value);
        separator = ",";
    }
    put_agreements(s, i, !*by);
    (void)fputc('\n', s->out);
}

static void put_rows(const sheet *s, size_t i)
{
    const weft_point *point = s->view->points[i];
    for (size_t k = 0; k < point->n_metrics; k++) {
        const weft_metric *m = &point->metrics[k];
        bool first = *m->by != '\0'; /* of this (by, index) */
        for (size_t j = 0; j < k && first; j++)
            first = strcmp(point->metrics[j].by, m->by) != 0 || point->metrics[j].index != m->index;
        if (first)
            put_line(s, i, m->by, m->index);
    }
}

void weft_report_model_csv(const weft_report_model *view, FILE *out)
{
    sheet s = {.view = view, .out = out};
    weft_report_model_keys_find(view, &s.keys);
    for (const weft_output *o = view->outputs; o->name; o++)
        s.rows = s.rows || (o->by && weft_report_model_has(view, o));
    put_head(&s);
    for (size_t i = 0; i < view->n_points; i++) {
        put_line(&s, i, "", 0);
        if (s.rows)
            put_rows(&s, i);
    }
}
