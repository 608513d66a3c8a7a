/* SPDX-License-Identifier: Apache-2.0 */
/* One line a point, and below it one line for every row of its distributions. */
#include "report/model.h"

#include "base/digits.h"
#include "base/memory.h"
#include "result/quoted_cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_BYTES 400

typedef struct sheet {
    const weft_report_model *view;
    weft_report_model_keys keys;
    bool rows; /* some output has rows */
    bool *has; /* outputs: some point has it */
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

static bool has(const sheet *s, const weft_output *output)
{
    return s->has[output - s->view->outputs];
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
        if (has(s, o)) {
            put_name(s->out, o, "", separator);
            separator = ",";
        }
    for (const weft_output *o = s->view->outputs; o->name && s->view->n_agreements; o++)
        if (has(s, o) && !o->by) {
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
        if (!has(s, o) || o->by)
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

/* Values of a point that share a line: the same (by, index). */
typedef struct line {
    const weft_metric *const *at;
    size_t count;
} line;

/* The value of an output; NULL: this line has none. */
static const weft_metric *value_of(const line *values, const weft_output *output)
{
    for (size_t k = 0; k < values->count; k++)
        if (strcmp(values->at[k]->name, output->name) == 0)
            return values->at[k];
    return NULL;
}

static void put_line(const sheet *s, size_t i, const line *values)
{
    const char *separator = put_keys(s, s->view->points[i]);
    const char *by = values->count > 0 ? values->at[0]->by : "";
    if (s->rows) {
        (void)fprintf(s->out, "%s%s,", separator, by);
        if (*by)
            (void)fprintf(s->out, "%lld", (long long)values->at[0]->index);
        separator = ",";
    }
    for (const weft_output *o = s->view->outputs; o->name; o++) {
        if (!has(s, o))
            continue;
        const weft_metric *m = value_of(values, o);
        (void)fputs(separator, s->out);
        if (m)
            put_number(s->out, m->value);
        separator = ",";
    }
    put_agreements(s, i, !*by);
    (void)fputc('\n', s->out);
}

static int by_row(const void *a, const void *b)
{
    const weft_metric *x = *(const weft_metric *const *)a, *y = *(const weft_metric *const *)b;
    int order = strcmp(x->by, y->by);
    if (order == 0 && x->index != y->index)
        order = x->index < y->index ? -1 : 1;
    return order ? order : x < y ? -1 : x > y;
}

static line line_at(const weft_metric **sorted, size_t from, size_t count)
{
    line values = {sorted + from, 1};
    while (from + values.count < count &&
           sorted[from + values.count]->index == sorted[from]->index &&
           strcmp(sorted[from + values.count]->by, sorted[from]->by) == 0)
        values.count++;
    return values;
}

/* Lines come in the order of their first values; that without rows comes first, whether it has any
 * or not. */
static void put_point(const sheet *s, size_t i)
{
    const weft_point *point = s->view->points[i];
    size_t n = point->n_metrics;
    const weft_metric **sorted = weft_alloc((n + 1) * sizeof *sorted);
    line *lines = weft_alloc((n + 1) * sizeof *lines); /* by the number of their first value */
    for (size_t k = 0; k < n; k++)
        sorted[k] = &point->metrics[k];
    qsort(sorted, n, sizeof *sorted, by_row);
    line whole = {0};
    for (size_t k = 0, next; k < n; k = next) {
        line values = line_at(sorted, k, n);
        next = k + values.count;
        if (*sorted[k]->by)
            lines[sorted[k] - point->metrics] = values;
        else
            whole = values;
    }
    put_line(s, i, &whole);
    for (size_t k = 0; k < n; k++)
        if (lines[k].count > 0)
            put_line(s, i, &lines[k]);
    free(sorted);
    free(lines);
}

void weft_report_model_csv(const weft_report_model *view, FILE *out)
{
    sheet s = {.view = view, .out = out};
    weft_report_model_keys_find(view, &s.keys);
    size_t outputs = 0;
    while (view->outputs[outputs].name)
        outputs++;
    s.has = weft_alloc(outputs + 1);
    for (size_t o = 0; o < outputs; o++) {
        s.has[o] = weft_report_model_has(view, &view->outputs[o]);
        s.rows = s.rows || (view->outputs[o].by && s.has[o]);
    }
    put_head(&s);
    for (size_t i = 0; i < view->n_points; i++)
        put_point(&s, i);
    free(s.has);
}
