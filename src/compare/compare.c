/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a sheet: what Welch's t says of every metric of every pair of points.
 *
 * An interval gives back the standard error behind it once the number of batches is known. That of
 * the mean latency is kept (metric "half-width"). Others had between 32 and 256 batches; 256 are
 * assumed, which widens the interval of a difference by 2 % at most and never narrows it. Runs of
 * one seed see the same traffic wherever the varied settings agree: their errors are correlated,
 * and the test then finds less than it could, never more. */
#include "base/digits.h"
#include "base/memory.h"
#include "base/numeric.h"
#include "base/text.h"
#include "compare/internal.h"
#include "compare/metrics.h"
#include "compare/settings.h"
#include "stats/compare.h"
#include "stats/series.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE 0.95 /* of intervals, where the settings do not say */

typedef struct choice { /* a metric of the sheet */
    const char *label;
    weft_metric id; /* name, of, by and index */
} choice;

typedef struct rows {
    weft_compare_book *book;
    const weft_compare_options *options;
    choice *choices;
    size_t n_choices, choice_capacity;
    weft_compare_row *at;
    size_t count, capacity;
    weft_text apart; /* what cannot be compared */
} rows;

static size_t choice_of(rows *r, const weft_metric *m)
{
    weft_arena *arena = &r->book->arena;
    size_t i = 0;
    while (i < r->n_choices && !weft_compare_metric_same(&r->choices[i].id, m))
        i++;
    if (i < r->n_choices)
        return i;
    if (r->n_choices == r->choice_capacity) {
        r->choice_capacity = r->choice_capacity ? 2 * r->choice_capacity : 16;
        r->choices = weft_realloc(r->choices, r->choice_capacity, sizeof *r->choices);
    }
    r->choices[r->n_choices++] = (choice){weft_compare_metric_label(arena, m),
                                          {.name = weft_arena_copy(arena, m->name, strlen(m->name)),
                                           .of = weft_arena_copy(arena, m->of, strlen(m->of)),
                                           .by = weft_arena_copy(arena, m->by, strlen(m->by)),
                                           .index = m->index}};
    return i;
}

/* A metric whose texts live as long as the sheet. */
static weft_metric keep(rows *r, size_t number, const weft_metric *m)
{
    weft_arena *arena = &r->book->arena;
    weft_metric kept = *m;
    kept.name = r->choices[number].id.name;
    kept.of = r->choices[number].id.of;
    kept.by = r->choices[number].id.by;
    kept.unit = weft_arena_copy(arena, m->unit, strlen(m->unit));
    kept.method = weft_arena_copy(arena, m->method, strlen(m->method));
    return kept;
}

/* The confidence of a point's intervals. */
static double confidence_of(const weft_point *point)
{
    weft_arena scratch;
    weft_arena_init(&scratch);
    const weft_node *root = weft_compare_settings_read(point->settings, &scratch);
    double found =
        weft_digits_read(weft_compare_settings_at(root, "measure.confidence", &scratch), NULL);
    weft_arena_done(&scratch);
    return found > 0 && found < 1 ? found : CONFIDENCE;
}

static double batches_of(const weft_point *point, const weft_metric *m)
{
    const weft_metric *half = weft_point_metric(point, "half-width", "", "", 0);
    bool watched = strcmp(m->name, "latency") == 0 && !*m->by && !*m->of;
    return watched && half && half->n > 1 ? (double)half->n : WEFT_CELLS_MAX;
}

/* Intervals of quantiles are lopsided: of each, the side that faces the other value counts (Zou
 * and Donner, Statistics in Medicine 27, 2008). Those of means have two equal sides. */
static weft_mean mean_of(const weft_point *point, const weft_metric *m, double other)
{
    if (!weft_compare_metric_estimated(m))
        return (weft_mean){.value = m->value};
    double side = other > m->value ? m->hi - m->value : m->value - m->lo;
    return weft_mean_of_interval(m->value, m->value - side, m->value + side, confidence_of(point),
                                 batches_of(point, m));
}

/* Latencies are whole ticks, so the interval of a quantile may end at its value. Then all that is
 * known is that the two intervals do not overlap. */
static double p_apart(double confidence)
{
    double t = weft_student_quantile(0.5 + 0.5 * confidence, WEFT_CELLS_MAX);
    return 2 * weft_student_cdf(-weft_sqrt(2) * t, WEFT_CELLS_MAX);
}

static weft_compare_verdict judge(const rows *r, const weft_compare_row *row)
{
    if (!(row->p < 1 - r->book->sheet.confidence))
        return WEFT_COMPARE_WITHIN;
    return row->difference > 0 ? WEFT_COMPARE_HIGHER : WEFT_COMPARE_LOWER;
}

static weft_compare_verdict why_none(const weft_point *ours, const weft_point *theirs)
{
    if (ours->saturated && theirs->saturated)
        return WEFT_COMPARE_BOTH_SATURATED;
    if (ours->saturated || theirs->saturated)
        return ours->saturated ? WEFT_COMPARE_OURS_SATURATED : WEFT_COMPARE_THEIRS_SATURATED;
    return WEFT_COMPARE_NO_INTERVAL;
}

static void weigh(const rows *r, weft_compare_row *row, const weft_point *ours,
                  const weft_point *theirs)
{
    const weft_metric *a = &row->ours, *b = &row->theirs;
    row->difference = b->value - a->value;
    row->half_width = row->freedom = row->p = NAN;
    if (!weft_compare_metric_known(a) || !weft_compare_metric_known(b)) {
        row->verdict = why_none(ours, theirs);
        return;
    }
    weft_difference found = weft_difference_welch(
        mean_of(ours, a, b->value), mean_of(theirs, b, a->value), r->book->sheet.confidence);
    bool exact = found.freedom != found.freedom; /* no width towards each other */
    if (exact && found.value != 0 && weft_compare_metric_estimated(a) &&
        weft_compare_metric_estimated(b))
        found.p = p_apart(confidence_of(ours));
    row->half_width = found.half_width;
    row->freedom = found.freedom;
    row->p = found.p;
    row->verdict = judge(r, row);
}

static void add_row(rows *r, weft_compare_row row)
{
    if (r->count == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 64;
        r->at = weft_realloc(r->at, r->capacity, sizeof *r->at);
    }
    r->at[r->count++] = row;
}

static void note_apart(rows *r, const char *text)
{
    if (r->apart.length == 0 || !strstr(r->apart.at, text))
        weft_text_add(&r->apart, "%s%s", r->apart.length ? ", " : "", text);
}

/* The baseline's metrics at a point beside those of a side. */
static void add_pair(rows *r, size_t p, size_t side, const weft_point *ours,
                     const weft_point *theirs)
{
    weft_arena *arena = &r->book->arena;
    size_t before = r->count, units = r->apart.length;
    for (size_t i = 0; i < ours->n_metrics; i++) {
        const weft_metric *a = &ours->metrics[i],
                          *b = weft_point_metric(theirs, a->name, a->of, a->by, a->index);
        if (!b || !weft_compare_metric_wanted(a, r->options))
            continue;
        if (strcmp(a->unit, b->unit) != 0) {
            note_apart(r, weft_arena_format(arena, "%s in %s and in %s",
                                            weft_compare_metric_label(arena, a), a->unit, b->unit));
            continue;
        }
        size_t number = choice_of(r, a);
        weft_compare_row row = {.metric = number,
                                .point = p,
                                .side = side,
                                .ours = keep(r, number, a),
                                .theirs = keep(r, number, b)};
        weigh(r, &row, ours, theirs);
        add_row(r, row);
    }
    if (r->count == before && r->apart.length == units)
        note_apart(r, "points without a metric that both sides have");
}

/* Two sides may be one file, opened twice: the baseline's point stays while the others are read. */
static weft_status add_point(rows *r, size_t p, weft_error *err)
{
    const weft_compare_point *point = &r->book->sheet.points[p];
    const weft_point *ours, *theirs;
    if (point->at[0] == WEFT_COMPARE_NONE)
        return WEFT_OK;
    WEFT_TRY(weft_result_read(r->book->sides[0], point->at[0], &ours, err));
    for (size_t s = 1; s < r->book->sheet.n_sides; s++) {
        if (point->at[s] == WEFT_COMPARE_NONE)
            continue;
        WEFT_TRY(weft_result_read(r->book->sides[s], point->at[s], &theirs, err));
        add_pair(r, p, s, ours, theirs);
    }
    return WEFT_OK;
}

static int by_metric(const void *a, const void *b)
{
    const weft_compare_row *x = a, *y = b;
    if (x->metric != y->metric)
        return x->metric < y->metric ? -1 : 1;
    if (x->point != y->point)
        return x->point < y->point ? -1 : 1;
    return x->side < y->side ? -1 : x->side > y->side;
}

/* The usual metrics come first, then what results hold in its order. */
static void seed_choices(rows *r)
{
    const weft_metric *usual;
    for (size_t i = 0; (usual = weft_compare_metric_usual(i)); i++)
        (void)choice_of(r, usual);
}

static void hand_over(rows *r)
{
    weft_compare_sheet *sheet = &r->book->sheet;
    weft_compare_row *kept = WEFT_TAKE(&r->book->arena, weft_compare_row, r->count + 1);
    const char **labels = WEFT_TAKE(&r->book->arena, const char *, r->n_choices + 1);
    for (size_t i = 0; i < r->n_choices; i++)
        labels[i] = r->choices[i].label;
    if (r->count > 0) {
        qsort(r->at, r->count, sizeof *r->at, by_metric);
        memcpy(kept, r->at, r->count * sizeof *kept);
    }
    sheet->rows = kept;
    sheet->n_rows = r->count;
    sheet->metrics = labels;
    sheet->n_metrics = r->n_choices;
    sheet->apart =
        weft_arena_copy(&r->book->arena, r->apart.length ? r->apart.at : "", r->apart.length);
}

static weft_status add_rows(weft_compare_book *book, const weft_compare_options *options,
                            weft_error *err)
{
    rows r = {.book = book, .options = options};
    weft_status status = WEFT_OK;
    weft_text_init(&r.apart);
    seed_choices(&r);
    for (size_t p = 0; p < book->sheet.n_points && status == WEFT_OK; p++)
        status = add_point(&r, p, err);
    if (status == WEFT_OK)
        hand_over(&r);
    free(r.at);
    free(r.choices);
    weft_text_done(&r.apart);
    return status;
}

weft_status weft_compare_make(weft_result *const *sides, size_t n_sides,
                              const weft_compare_options *options, weft_compare_sheet **sheet,
                              weft_error *err)
{
    assert(n_sides > 1 && n_sides <= WEFT_COMPARE_SIDES);
    weft_compare_book *book = weft_alloc(sizeof *book);
    weft_arena_init(&book->arena);
    book->sides = WEFT_TAKE(&book->arena, weft_result *, n_sides);
    memcpy(book->sides, sides, n_sides * sizeof *sides);
    book->sheet.confidence = options->confidence;
    book->sheet.n_sides = n_sides;
    book->sheet.sides = book->sides;
    weft_status status = weft_compare_match(book, err);
    if (status == WEFT_OK)
        status = weft_compare_find_settings(book, err);
    if (status == WEFT_OK)
        status = add_rows(book, options, err);
    *sheet = status == WEFT_OK ? &book->sheet : NULL;
    if (status != WEFT_OK)
        weft_compare_destroy(&book->sheet);
    return status;
}

void weft_compare_destroy(weft_compare_sheet *sheet)
{
    if (!sheet)
        return;
    weft_compare_book *book = (weft_compare_book *)sheet;
    weft_arena_done(&book->arena);
    free(book);
}

bool weft_compare_differs(const weft_compare_sheet *sheet)
{
    if (*sheet->apart)
        return true;
    for (size_t p = 0; p < sheet->n_points; p++)
        for (size_t s = 0; s < sheet->n_sides; s++)
            if (sheet->points[p].at[s] == WEFT_COMPARE_NONE)
                return true;
    for (size_t i = 0; i < sheet->n_rows; i++) {
        const weft_compare_row *row = &sheet->rows[i];
        if (row->p * (double)sheet->n_rows < 1 - sheet->confidence ||
            row->verdict == WEFT_COMPARE_OURS_SATURATED ||
            row->verdict == WEFT_COMPARE_THEIRS_SATURATED)
            return true;
    }
    return false;
}
