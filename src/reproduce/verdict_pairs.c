/* SPDX-License-Identifier: Apache-2.0 */
/* Claims among our own values: an ordering of series at every place, or a trend along a key.
 * Both are rows of neighbours: each value against the next one in the order given (ordering) or
 * by size of the key (trend). A claim fails if neighbours stand the other way beyond chance, by
 * the limits of the z rules, or if less than half of them are clearly apart, for then nothing is
 * seen of what is claimed. */
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
        .reason = ""};
    weft_verdict_interval(apart, &cell.lo, &cell.hi);
    return cell;
}

typedef struct tally {
    size_t cells, clear, wrong, explained;
    double worst;
} tally;

static void count(tally *t, const weft_cell *cell, const char *known)
{
    if (known && cell->score < -WEFT_SCORE_RARE) {
        t->explained++;
        return;
    }
    t->cells++;
    t->clear += cell->score > WEFT_SCORE_RARE;
    t->wrong += cell->score < -WEFT_SCORE_RARE;
    t->worst = cell->score < t->worst ? cell->score : t->worst;
}

static const char *fault_of(const tally *t, weft_arena *arena)
{
    size_t allowed = weft_board_allowance(&(weft_board){.cells = t->cells});
    if (t->worst < -WEFT_SCORE_MAX || t->wrong > allowed)
        return weft_arena_format(arena, "%zu of %zu pairs stand the other way beyond chance",
                                 t->wrong, t->cells);
    if (2 * t->clear < t->cells)
        return weft_arena_format(arena, "only %zu of %zu pairs are clearly apart", t->clear,
                                 t->cells);
    return "";
}

static void settle(weft_cell *cell, const char *known, double limit)
{
    bool off = cell->score < -(known ? WEFT_SCORE_RARE : limit);
    cell->verdict = !off ? WEFT_AGREES : known ? WEFT_EXPLAINED : WEFT_DISAGREES;
    if (off)
        cell->reason = known ? known : "ours stand the other way";
}

void weft_verdict_pairs(const weft_figure_plan *figure, size_t c, const weft_groups *groups,
                        weft_arena *arena, weft_claim_result *out)
{
    const weft_claim *claim = &figure->claims[c];
    weft_cell *cells = WEFT_TAKE(arena, weft_cell, groups->count);
    const char **known = WEFT_TAKE(arena, const char *, groups->count);
    tally t = {0};
    for (size_t i = 0; i < groups->count; i++) {
        const weft_group *group = &groups->at[i];
        const weft_group *next =
            in_order(claim, group) ? next_of(figure, claim, groups, group) : NULL;
        if (!next)
            continue;
        known[out->n_cells] = weft_verdict_known(figure, claim, group, next);
        cells[out->n_cells] = compare(claim, c, group, next, arena);
        count(&t, &cells[out->n_cells], known[out->n_cells]);
        out->n_cells++;
    }
    assert(out->n_cells <= groups->count);
    out->rule = claim->rule == WEFT_RULE_ORDERING ? "ordering" : "trend";
    out->cells = cells;
    out->reason = fault_of(&t, arena);
    bool many = t.wrong > weft_board_allowance(&(weft_board){.cells = t.cells});
    for (size_t i = 0; i < out->n_cells; i++)
        settle(&cells[i], known[i], many ? WEFT_SCORE_RARE : WEFT_SCORE_MAX);
    out->summary = weft_arena_format(arena, "%zu pair%s, %zu clearly apart, %zu the other way",
                                     t.cells, t.cells == 1 ? "" : "s", t.clear, t.wrong);
    out->verdict = out->reason[0] ? WEFT_DISAGREES : t.explained ? WEFT_EXPLAINED : WEFT_AGREES;
    if (out->verdict == WEFT_EXPLAINED)
        out->reason = weft_arena_format(arena, "%zu known disagreement%s", t.explained,
                                        t.explained == 1 ? "" : "s");
}
