/* SPDX-License-Identifier: Apache-2.0 */
/* Claims among our own values: an ordering of series at every place, or a trend along a key.
 * Both are rows of neighbours: each value against the next one in the order given (ordering) or
 * by size of the key (trend). */
#include "reproduce/verdict.h"

#include "base/numeric.h"

#include <assert.h>
#include <string.h>

/* Where a group stands in the order; negative: not in it. */
static double place_of(const weft_claim *claim, const weft_group *group)
{
    if (claim->n_order == 0)
        return group->rank[claim->along_key];
    for (size_t i = 0; i < claim->n_order; i++)
        if (weft_value_same(claim->order[i], group->value[claim->along_key]))
            return (double)i;
    return -1;
}

static bool in_order(const weft_claim *claim, const weft_group *group)
{
    return weft_verdict_counts(claim, group) &&
           (claim->n_order == 0 || place_of(claim, group) >= 0);
}

static bool beside(const weft_figure_plan *figure, const weft_claim *claim, const weft_group *a,
                   const weft_group *b)
{
    for (size_t k = 0; k < figure->n_keys; k++)
        if (k != claim->along_key && !weft_value_same(a->value[k], b->value[k]))
            return false;
    return true;
}

/* The nearest group after this one in the order, all other keys equal; NULL: it is the last. */
static const weft_group *next_of(const weft_figure_plan *figure, const weft_claim *claim,
                                 const weft_groups *groups, const weft_group *group)
{
    const weft_group *best = NULL;
    double place = place_of(claim, group);
    for (size_t i = 0; i < groups->count; i++) {
        const weft_group *other = &groups->at[i];
        if (in_order(claim, other) && place_of(claim, other) > place &&
            beside(figure, claim, group, other) &&
            (!best || place_of(claim, other) < place_of(claim, best)))
            best = other;
    }
    return best;
}

/* The difference in the direction claimed. */
static weft_cell compare(const weft_claim *claim, size_t c, const weft_group *a,
                         const weft_group *b, weft_arena *arena)
{
    bool falls = claim->direction == WEFT_FALLING;
    weft_mean first = weft_sample_mean(&a->samples[c]), second = weft_sample_mean(&b->samples[c]);
    double x = first.error * first.error, y = second.error * second.error;
    double spread = (x > 0 ? x * x / first.freedom : 0) + (y > 0 ? y * y / second.freedom : 0);
    weft_mean apart = {.value = falls ? first.value - second.value : second.value - first.value,
                       .error = weft_sqrt(x + y),
                       .freedom = spread > 0 ? (x + y) * (x + y) / spread : 1};
    weft_cell cell = {
        .where = weft_arena_format(arena, "%s %s %s", a->where, falls ? ">" : "<", b->where),
        .ours = apart.value,
        .error = apart.error,
        .theirs = __builtin_nan(""),
        .score = weft_score_welch(apart, (weft_mean){0}, 0),
        .reason = weft_arena_format(arena, "ours are %.4g and %.4g", first.value, second.value)};
    weft_verdict_interval(apart, &cell.lo, &cell.hi);
    return cell;
}

void weft_verdict_pairs(const weft_figure_plan *figure, size_t c, const weft_groups *groups,
                        weft_arena *arena, weft_claim_result *out)
{
    const weft_claim *claim = &figure->claims[c];
    weft_cell *cells = WEFT_TAKE(arena, weft_cell, groups->count);
    const weft_known **known = WEFT_TAKE(arena, const weft_known *, groups->count);
    for (size_t i = 0; i < groups->count; i++) {
        const weft_group *group = &groups->at[i];
        const weft_group *next =
            in_order(claim, group) ? next_of(figure, claim, groups, group) : NULL;
        if (!next)
            continue;
        known[out->n_cells] = weft_verdict_known(figure, claim, group, next);
        cells[out->n_cells++] = compare(claim, c, group, next, arena);
    }
    assert(out->n_cells <= groups->count);
    out->rule = claim->rule == WEFT_RULE_ORDERING ? "ordering" : "trend";
    weft_verdict_rows(claim, known, arena, cells, out);
}
