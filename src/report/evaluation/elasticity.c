/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of one seed share their random numbers, so the differences of a seed are taken first and
 * then averaged; what independent runs would give is told beside it, from the spread of either
 * side. */
#include "report/evaluation/elasticity.h"

#include "base/memory.h"
#include "base/numeric.h"
#include "base/text.h"
#include "report/measurands.h"
#include "report/plain.h"
#include "result/extend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE 0.95

typedef struct sums {
    size_t count;
    double mean, squares;
} sums;

static void add(sums *s, double value)
{
    double off = value - s->mean;
    s->mean += off / (double)++s->count;
    s->squares += off * (value - s->mean);
}

/* Variance of the mean. */
static double variance(const sums *s)
{
    return s->count > 1 ? s->squares / (double)(s->count - 1) / (double)s->count : (double)NAN;
}

static double half_width(double of_mean, size_t count)
{
    return count > 1 ? weft_sqrt(of_mean) *
                           weft_student_quantile((1 + CONFIDENCE) / 2, (double)(count - 1))
                     : (double)NAN;
}

typedef struct reader {
    weft_result *result;
    const weft_measurand *what;
    const char *of;
    weft_elasticities *found;
    weft_arena *arena;
    bool needs_rest; /* a saturated run has no such quantity */
} reader;

/* The quantity of a run; NaN: it has none. *why: what became of it. */
static weft_status read_value(reader *r, const char *label, size_t seed, double *value,
                              const char **why, weft_error *err)
{
    const weft_point *point;
    char *key = weft_text_format("%s seed=%zu", label, seed);
    size_t k = weft_result_find(r->result, key);
    free(key);
    *value = NAN;
    if (k == weft_result_points(r->result))
        return WEFT_OK;
    WEFT_TRY(weft_result_read(r->result, k, &point, err));
    const weft_metric *m = weft_measurand_of(r->what, point, r->of);
    if (point->saturated && r->needs_rest)
        *why = "saturates";
    else if (r->needs_rest && strstr(point->verdict, "still warming up"))
        *why = "is still warming up";
    else if (strncmp(point->verdict, "failed: ", 8) == 0)
        *why = "fails";
    else if (m)
        *value = m->value;
    if (m && !r->found->unit)
        r->found->unit = weft_plain_text(r->arena, m->unit, strlen(m->unit), 16);
    return WEFT_OK;
}

/* All seeds of one side. */
static weft_status read_side(reader *r, const char *label, double *values, const char **why,
                             weft_error *err)
{
    for (size_t s = 0; s < r->found->seeds; s++) {
        values[s] = NAN;
        if (label)
            WEFT_TRY(read_value(r, label, s + 1, &values[s], why, err));
    }
    return WEFT_OK;
}

static double mean_of(const double *values, size_t count)
{
    sums all = {0};
    for (size_t s = 0; s < count; s++)
        if (isfinite(values[s]))
            add(&all, values[s]);
    return all.count > 0 ? all.mean : (double)NAN;
}

/* Whether a side has the quantity for every seed: a part of them would be the calm ones. */
static bool is_whole(const double *values, size_t count)
{
    for (size_t s = 0; s < count; s++)
        if (!(values[s] > 0))
            return false;
    return true;
}

static void compare(weft_elasticity *row, const double *from, const double *to, size_t seeds)
{
    const double *x = row->setting->value;
    double span = weft_log(x[row->to] / x[row->from]);
    sums paired = {0}, low = {0}, high = {0};
    for (size_t s = 0; s < seeds; s++) {
        double a = weft_log(from[s]) / span, b = weft_log(to[s]) / span;
        add(&low, a);
        add(&high, b);
        add(&paired, b - a);
    }
    row->runs = paired.count;
    row->value = paired.mean;
    row->half_width = half_width(variance(&paired), seeds);
    row->independent = half_width(variance(&low) + variance(&high), seeds);
}

static weft_status fill_row(reader *r, weft_elasticity *row, double *values, weft_error *err)
{
    size_t seeds = r->found->seeds;
    bool whole[WEFT_SIDES];
    const char *why = NULL;
    row->note = row->setting->why ? row->setting->why : "";
    row->value = row->half_width = row->independent = NAN;
    for (int side = 0; side < WEFT_SIDES; side++) {
        double *of_side = values + (size_t)side * seeds;
        WEFT_TRY(read_side(r, row->setting->label[side], of_side, &why, err));
        whole[side] = is_whole(of_side, seeds);
        row->at[side] = mean_of(of_side, seeds);
        if (side > WEFT_SIDE_BASE && !row->setting->why && !row->setting->text[side])
            row->note = side == WEFT_SIDE_DOWN ? "cannot be lower" : "cannot be higher";
        else if (side > WEFT_SIDE_BASE && !row->setting->why && !whole[side])
            row->note = weft_arena_format(r->arena, "%s at %s", why ? why : "no value",
                                          row->setting->text[side]);
    }
    row->from = whole[WEFT_SIDE_DOWN] ? WEFT_SIDE_DOWN : WEFT_SIDE_BASE;
    row->to = whole[WEFT_SIDE_UP] ? WEFT_SIDE_UP : WEFT_SIDE_BASE;
    if (row->from != row->to && whole[row->from] && whole[row->to])
        compare(row, values + (size_t)row->from * seeds, values + (size_t)row->to * seeds, seeds);
    return WEFT_OK;
}

bool weft_elasticity_matters(const weft_elasticity *row)
{
    return isfinite(row->value) && fabs(row->value) > row->half_width;
}

/* Those that matter, by size; those of unknown sign; those without a value. */
static int by_importance(const void *a, const void *b)
{
    const weft_elasticity *x = a, *y = b;
    int of_x = 2 * weft_elasticity_matters(x) + isfinite(x->value);
    int of_y = 2 * weft_elasticity_matters(y) + isfinite(y->value);
    if (of_x != of_y)
        return of_y - of_x;
    double size_x = isfinite(x->value) ? fabs(x->value) : 0;
    double size_y = isfinite(y->value) ? fabs(y->value) : 0;
    return size_x != size_y ? (size_x < size_y ? 1 : -1)
                            : strcmp(x->setting->path, y->setting->path);
}

static weft_status fill(reader *r, const weft_varied_setting *settings, weft_error *err)
{
    weft_elasticities *found = r->found;
    const char *why;
    double *values = weft_alloc(WEFT_SIDES * found->seeds * sizeof *values);
    weft_status status = read_side(r, "setting=none", values, &why, err);
    sums base = {0};
    for (size_t s = 0; s < found->seeds && status == WEFT_OK; s++)
        if (isfinite(values[s]))
            add(&base, values[s]);
    found->base = base.count > 0 ? base.mean : (double)NAN;
    found->half_width = half_width(variance(&base), base.count);
    for (size_t i = 0; i < found->n_rows && status == WEFT_OK; i++) {
        found->rows[i] = (weft_elasticity){.setting = &settings[i]};
        status = fill_row(r, &found->rows[i], values, err);
    }
    free(values);
    qsort(found->rows, found->n_rows, sizeof *found->rows, by_importance);
    return status;
}

static weft_status default_quantity(weft_result *result, const char **of, weft_error *err)
{
    const weft_point *point;
    *of = "mean";
    if (weft_result_points(result) == 0)
        return WEFT_OK;
    WEFT_TRY(weft_result_read(result, 0, &point, err));
    for (size_t i = 0; i < point->n_metrics; i++)
        if (strcmp(point->metrics[i].name, "completion") == 0)
            *of = "completion";
    return WEFT_OK;
}

weft_status weft_elasticity_check(const char *of, weft_error *err)
{
    weft_arena arena;
    const weft_measurand *what;
    const char *class;
    weft_arena_init(&arena);
    weft_status status =
        of ? weft_measurands_choose("--of", of, &arena, &what, &class, err) : WEFT_OK;
    weft_arena_done(&arena);
    return status;
}

weft_status weft_elasticity_find(const weft_sensitivity *sensitivity, weft_result *result,
                                 const char *of, weft_arena *arena, weft_elasticities *found,
                                 weft_error *err)
{
    const weft_varied_setting *settings;
    size_t count = weft_sensitivity_settings(sensitivity, &settings);
    reader r = {.result = result, .found = found, .arena = arena};
    if (!of)
        WEFT_TRY(default_quantity(result, &of, err));
    WEFT_TRY(weft_measurands_choose("--of", of, arena, &r.what, &r.of, err));
    r.needs_rest = strcmp(r.what->group, "latency") == 0;
    *found = (weft_elasticities){.title = r.what->title,
                                 .metric = of,
                                 .first = weft_sensitivity_first(sensitivity),
                                 .seeds = (size_t)weft_sensitivity_seeds(sensitivity),
                                 .n_rows = count,
                                 .rows = WEFT_TAKE(arena, weft_elasticity, count + 1)};
    WEFT_TRY(fill(&r, settings, err));
    if (!found->unit)
        found->unit = "";
    if (!isfinite(found->base))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the scenario as it is has no %s in any run (it saturates, or measures no "
                         "such quantity); choose a lower load or another quantity with --of",
                         r.what->title);
    return WEFT_OK;
}
