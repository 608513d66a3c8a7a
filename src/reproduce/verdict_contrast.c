/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of our own values that are claimed to be above, below or about zero. A place is a point of
 * the first term; the points of the other terms have its keys but for those they name. The sum is
 * taken run by run, for runs of one seed depend on each other, and gets its error from the runs. */
#include "reproduce/verdict.h"

#include <assert.h>
#include <string.h>

typedef struct contrast {
    const weft_figure_plan *figure;
    const weft_claim *claim;
    size_t c, runs;
    const weft_groups *groups;
    const weft_group **points; /* of each term, at one place */
    weft_arena *arena;
} contrast;

static const char *pin_of(const contrast *k, const weft_term *term, size_t key)
{
    for (size_t i = 0; i < term->n_pins; i++)
        if (strcmp(term->pins[i].name, k->figure->keys[key].name) == 0)
            return term->pins[i].value;
    return NULL;
}

/* The point of a term at the place of `first`; NULL: it was not run. */
static const weft_group *point_of(const contrast *k, const weft_term *term, const weft_group *first)
{
    for (size_t i = 0; i < k->groups->count; i++) {
        const weft_group *group = &k->groups->at[i];
        bool fits = true;
        for (size_t key = 0; key < k->figure->n_keys && fits; key++) {
            const char *pin = pin_of(k, term, key);
            fits = weft_value_same(group->value[key], pin ? pin : first->value[key]);
        }
        if (fits)
            return group;
    }
    return NULL;
}

static bool is_place(const contrast *k, const weft_group *group)
{
    bool whole =
        weft_verdict_counts(k->claim, group) && point_of(k, &k->claim->terms[0], group) == group;
    for (size_t t = 0; t < k->claim->n_terms && whole; t++) {
        k->points[t] = point_of(k, &k->claim->terms[t], group);
        whole = k->points[t] != NULL;
    }
    return whole;
}

/* A term without its factor, in one run. */
static double value_of(const contrast *k, size_t t, size_t run)
{
    const weft_term *term = &k->claim->terms[t];
    if (*term->metric)
        return k->points[t]->terms[k->c][run * k->claim->n_terms + t];
    return *term->key ? k->points[t]->rank[term->key_at] : 1;
}

static double mean_of(const contrast *k, size_t t)
{
    double sum = 0;
    for (size_t run = 0; run < k->runs; run++)
        sum += value_of(k, t, run);
    return sum / (double)k->runs;
}

static weft_mean sum_of(const contrast *k)
{
    weft_sample sample = {0};
    for (size_t run = 0; run < k->runs; run++) {
        double sum = 0;
        for (size_t t = 0; t < k->claim->n_terms; t++)
            sum += k->claim->terms[t].times * value_of(k, t, run);
        weft_sample_add(&sample, sum);
    }
    return weft_sample_mean(&sample);
}

/* The keys that no term fixes. */
static const char *name_of(const contrast *k)
{
    const char *name = "";
    for (size_t key = 0; key < k->figure->n_keys; key++) {
        const weft_group_key *of = &k->figure->keys[key];
        bool fixed = false;
        for (size_t t = 0; t < k->claim->n_terms; t++)
            fixed |= pin_of(k, &k->claim->terms[t], key) != NULL;
        if (!fixed)
            name = weft_arena_format(k->arena, "%s%s%s%s%.100s", name, *name ? " " : "",
                                     of->setting ? of->name : "", of->setting ? "=" : "",
                                     k->points[0]->value[key]);
    }
    return *name ? name : k->points[0]->where;
}

/* "ours is 0.6664 − 0.7 = −0.0336" */
static const char *sum_text(const contrast *k)
{
    const char *text = "ours is";
    double sum = 0;
    for (size_t t = 0; t < k->claim->n_terms; t++) {
        double value = k->claim->terms[t].times * mean_of(k, t);
        const char *sign = value < 0 ? "−" : t > 0 ? "+" : "";
        text = weft_arena_format(k->arena, "%s %s%s%.4g", text, sign, t > 0 ? " " : "",
                                 value < 0 ? -value : value);
        sum += value;
    }
    return k->claim->n_terms == 1 ? text
                                  : weft_arena_format(k->arena, "%s = %s%.3g", text,
                                                      sum < 0 ? "−" : "", sum < 0 ? -sum : sum);
}

/* What a sum about zero may be. */
static double tolerance_of(const contrast *k)
{
    double first = mean_of(k, 0), share = k->claim->share * (first < 0 ? -first : first);
    return share > k->claim->absolute ? share : k->claim->absolute;
}

/* The score is positive as claimed. */
static weft_cell cell_of(const contrast *k, weft_mean sum, double margin)
{
    double score = weft_score_welch(sum, (weft_mean){0}, margin);
    weft_cell cell = {.where = name_of(k),
                      .ours = sum.value,
                      .error = sum.error,
                      .theirs = __builtin_nan(""),
                      .score = k->claim->sign == WEFT_BELOW_ZERO ? -score : score,
                      .reason = sum_text(k)};
    weft_verdict_interval(sum, &cell.lo, &cell.hi);
    return cell;
}

static weft_fit fit_of(const weft_cell *cell, double tolerance)
{
    double size = cell->ours < 0 ? -cell->ours : cell->ours;
    double score = cell->score < 0 ? -cell->score : cell->score;
    return size <= tolerance         ? WEFT_FIT_HOLDS
           : score <= WEFT_SCORE_MAX ? WEFT_FIT_OPEN
                                     : WEFT_FIT_FAILS;
}

static void conclude_zero(const contrast *k, weft_cell *cells, weft_claim_result *out)
{
    out->cells = cells;
    size_t wrong = weft_verdict_count(out, WEFT_DISAGREES) + weft_verdict_count(out, WEFT_REFUTED);
    out->rule = k->claim->share > 0
                    ? weft_arena_format(k->arena, "sum of 0 within %g %%", 100 * k->claim->share)
                    : weft_arena_format(k->arena, "sum of 0 within %g%s%s", k->claim->absolute,
                                        *out->unit ? " " : "", out->unit);
    out->summary =
        weft_arena_format(k->arena, "%zu place%s, %zu within", out->n_cells,
                          out->n_cells == 1 ? "" : "s", weft_verdict_count(out, WEFT_AGREES));
    weft_verdict_conclude(
        k->claim,
        wrong ? weft_arena_format(k->arena, "%zu of %zu differ", wrong, out->n_cells) : "", "",
        k->arena, out);
}

void weft_verdict_contrast(const weft_figure_plan *figure, size_t c, const weft_groups *groups,
                           weft_arena *arena, weft_claim_result *out)
{
    const weft_claim *claim = &figure->claims[c];
    bool zero = claim->sign == WEFT_ABOUT_ZERO;
    contrast k = {.figure = figure,
                  .claim = claim,
                  .c = c,
                  .groups = groups,
                  .points = WEFT_TAKE(arena, const weft_group *, claim->n_terms),
                  .arena = arena};
    weft_cell *cells = WEFT_TAKE(arena, weft_cell, groups->count + 1);
    const weft_known **known = WEFT_TAKE(arena, const weft_known *, groups->count + 1);
    for (size_t i = 0; i < groups->count; i++) {
        if (!is_place(&k, &groups->at[i]))
            continue;
        k.runs = groups->at[i].runs;
        double tolerance = zero ? tolerance_of(&k) : 0;
        weft_cell *cell = &cells[out->n_cells];
        *cell = cell_of(&k, sum_of(&k), tolerance);
        known[out->n_cells] = weft_verdict_known(figure, claim, &groups->at[i], NULL);
        if (zero)
            weft_verdict_settle(claim, known[out->n_cells], fit_of(cell, tolerance), cell->reason,
                                arena, cell);
        out->n_cells++;
    }
    assert(out->n_cells <= groups->count);
    out->rule = claim->sign == WEFT_BELOW_ZERO ? "sum below 0" : "sum above 0";
    if (zero)
        conclude_zero(&k, cells, out);
    else
        weft_verdict_rows(claim, known, arena, cells, out);
}
