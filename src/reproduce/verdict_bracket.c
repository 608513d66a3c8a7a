/* SPDX-License-Identifier: Apache-2.0 */
/* Where a network saturates: between the greatest load up to which no point is saturated and the
 * least that is. A point is saturated if more than half of its runs are. Theirs lies between a
 * load that was stable and one that was not, or is only known not to lie below a stable one; the
 * claim holds if all of ours lies there, give or take the margin. */
#include "reproduce/verdict.h"

#include <assert.h>

#define ENDLESS  1e300
#define ROUNDING 1e-9

typedef struct series { /* points that differ only in the key along which they lie */
    const weft_group *first,
        *stable;     /* stable: the last one before any that is saturated; NULL: none */
    double from, to; /* ours lies between them; to ENDLESS: none is saturated */
    double last;     /* the greatest load that was run */
} series;

static bool beside(const weft_figure_plan *figure, const weft_claim *claim, const weft_group *a,
                   const weft_group *b)
{
    for (size_t k = 0; k < figure->n_keys; k++)
        if (k != claim->along_key && !weft_value_same(a->value[k], b->value[k]))
            return false;
    return true;
}

static bool is_saturated(const weft_group *group)
{
    return 2 * group->saturated > group->runs;
}

static series series_of(const weft_figure_plan *figure, const weft_claim *claim,
                        const weft_groups *groups, const weft_group *first)
{
    series s = {.first = first, .from = 0, .to = ENDLESS};
    size_t k = claim->along_key;
    for (size_t i = 0; i < groups->count; i++) {
        const weft_group *at = &groups->at[i];
        if (weft_verdict_counts(claim, at) && beside(figure, claim, first, at) &&
            is_saturated(at) && at->rank[k] < s.to)
            s.to = at->rank[k];
    }
    for (size_t i = 0; i < groups->count; i++) {
        const weft_group *at = &groups->at[i];
        if (weft_verdict_counts(claim, at) && beside(figure, claim, first, at) &&
            (at->rank[k] > s.last))
            s.last = at->rank[k];
        if (weft_verdict_counts(claim, at) && beside(figure, claim, first, at) &&
            at->rank[k] < s.to && (!s.stable || at->rank[k] > s.from)) {
            s.stable = at;
            s.from = at->rank[k];
        }
    }
    return s;
}

/* The names of all keys but the one along which points lie. */
static const char *name_of(const weft_figure_plan *figure, const weft_claim *claim,
                           const weft_group *group, weft_arena *arena)
{
    const char *name = "";
    for (size_t k = 0; k < figure->n_keys; k++)
        if (k != claim->along_key)
            name = weft_arena_format(arena, "%s%s%.100s", name, *name ? " " : "", group->value[k]);
    return *name ? name : "all";
}

static const char *ours_text(const series *s, weft_arena *arena)
{
    if (!s->stable)
        return weft_arena_format(arena, "ours lies below %g", s->to);
    if (s->to >= ENDLESS)
        return weft_arena_format(arena, "ours lies above %g", s->from);
    return weft_arena_format(arena, "ours lies between %g and %g", s->from, s->to);
}

static const char *theirs_text(const weft_claim *claim, weft_arena *arena)
{
    if (claim->unstable == WEFT_NONE_REAL)
        return weft_arena_format(arena, "theirs not below %g", claim->stable);
    return weft_arena_format(arena, "theirs between %g and %g", claim->stable, claim->unstable);
}

/* Was anything run where theirs is? */
static bool is_covered(const weft_claim *claim, const series *s)
{
    double end = claim->unstable != WEFT_NONE_REAL ? claim->unstable : claim->stable;
    return s->last >= end - ROUNDING || s->to < ENDLESS;
}

static weft_cell judge(const weft_figure_plan *figure, const weft_claim *claim, const series *s,
                       weft_arena *arena)
{
    bool bounded = claim->unstable != WEFT_NONE_REAL;
    bool below = s->from < claim->stable - claim->margin - ROUNDING;
    bool above = bounded && s->to > claim->unstable + claim->margin + ROUNDING;
    double top = s->to < ENDLESS ? s->to : s->from;
    weft_cell cell = {.where = name_of(figure, claim, s->first, arena),
                      .ours = (s->from + top) / 2,
                      .lo = s->from,
                      .hi = top,
                      .theirs = bounded ? (claim->stable + claim->unstable) / 2 : claim->stable,
                      .score = __builtin_nan("")};
    if (!is_covered(claim, s)) {
        cell.verdict = WEFT_NOT_CLAIMED;
        cell.reason = "nothing was run there";
        return cell;
    }
    weft_verdict_settle(
        claim, weft_verdict_known(figure, claim, s->first, NULL),
        below || above ? WEFT_FIT_FAILS : WEFT_FIT_HOLDS,
        weft_arena_format(arena, "%s, %s", ours_text(s, arena), theirs_text(claim, arena)), arena,
        &cell);
    return cell;
}

/* The first group of its series, so that each series is told once. */
static bool is_first(const weft_figure_plan *figure, const weft_claim *claim,
                     const weft_groups *groups, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (weft_verdict_counts(claim, &groups->at[j]) &&
            beside(figure, claim, &groups->at[j], &groups->at[i]))
            return false;
    return weft_verdict_counts(claim, &groups->at[i]);
}

void weft_verdict_bracket(const weft_figure_plan *figure, size_t c, const weft_groups *groups,
                          weft_arena *arena, weft_claim_result *out)
{
    const weft_claim *claim = &figure->claims[c];
    weft_cell *cells = WEFT_TAKE(arena, weft_cell, groups->count + 1);
    size_t judged = 0;
    const char *all = "";
    for (size_t i = 0; i < groups->count; i++) {
        if (!is_first(figure, claim, groups, i))
            continue;
        series s = series_of(figure, claim, groups, &groups->at[i]);
        weft_cell *cell = &cells[out->n_cells++];
        *cell = judge(figure, claim, &s, arena);
        judged += cell->verdict != WEFT_NOT_CLAIMED;
        all = weft_arena_format(arena, "%s%s%s: %s", all, *all ? "; " : "", cell->where,
                                ours_text(&s, arena));
    }
    assert(out->n_cells <= groups->count);
    out->cells = cells;
    out->rule = weft_arena_format(arena, "%s, ± %g", theirs_text(claim, arena), claim->margin);
    out->summary = all;
    bool wrong = weft_verdict_count(out, WEFT_DISAGREES) || weft_verdict_count(out, WEFT_REFUTED);
    weft_verdict_conclude(claim, wrong ? "ours does not lie there" : "", "", arena, out);
    if (judged == 0) {
        out->verdict = WEFT_NOT_CLAIMED;
        out->reason = "nothing was run there";
    }
}
