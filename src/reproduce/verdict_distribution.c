/* SPDX-License-Identifier: Apache-2.0 */
/* How something is distributed, ours of all runs together beside theirs: the claim holds where
 * the total variation distance, half the sum of all differences, is at most the margin. */
#include "reproduce/verdict.h"

weft_status weft_verdict_places(const weft_figure_plan *figure, const weft_claim *claim,
                                const weft_group *group, size_t count, double *theirs,
                                weft_error *err)
{
    size_t found = 0;
    for (size_t i = 0; i < claim->n_rows; i++) {
        double at = 0, value = 0;
        if (!weft_verdict_fits(figure, claim, group, claim->rows[i]))
            continue;
        WEFT_TRY(weft_csv_number(claim->table, claim->rows[i], claim->at_column, &at, err));
        WEFT_TRY(weft_csv_number(claim->table, claim->rows[i], claim->value_column, &value, err));
        if (!(at >= 0 && at < (double)count) || at != (double)(size_t)at)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "figure %s, claim %s: %.40s %g is none of our %zu places",
                             figure->shown.name, claim->name, claim->at, at, count);
        theirs[(size_t)at] += value;
        found++;
    }
    if (found == 0)
        return weft_fail(err, WEFT_BAD_INPUT, "figure %s, claim %s: no rows of %s fit %s",
                         figure->shown.name, claim->name, claim->file, group->where);
    return WEFT_OK;
}

static double distance(const weft_tallies *ours, const double *theirs)
{
    double sum = 0;
    for (size_t i = 0; i < ours->count; i++) {
        double difference = ours->at[i] / ours->sum - theirs[i];
        sum += difference < 0 ? -difference : difference;
    }
    return sum / 2;
}

weft_status weft_verdict_distribution(const weft_figure_plan *figure, size_t c,
                                      const weft_groups *groups, weft_arena *arena,
                                      weft_claim_result *out, weft_error *err)
{
    const weft_claim *claim = &figure->claims[c];
    weft_cell *cells = WEFT_TAKE(arena, weft_cell, groups->count + 1);
    double most = 0;
    for (size_t i = 0; i < groups->count; i++) {
        const weft_group *group = &groups->at[i];
        const weft_tallies *ours = &group->tallies[c];
        double *theirs = WEFT_TAKE(arena, double, ours->count + 1);
        if (!weft_verdict_counts(claim, group))
            continue;
        WEFT_TRY(weft_verdict_places(figure, claim, group, ours->count, theirs, err));
        double far = ours->sum > 0 ? distance(ours, theirs) : 1;
        most = far > most ? far : most;
        weft_cell *cell = &cells[out->n_cells++];
        *cell = (weft_cell){.where = group->where,
                            .ours = far,
                            .lo = far,
                            .hi = far,
                            .theirs = __builtin_nan(""),
                            .score = __builtin_nan("")};
        weft_verdict_settle(claim, weft_verdict_known(figure, claim, group, NULL),
                            far <= claim->margin ? WEFT_FIT_HOLDS : WEFT_FIT_FAILS,
                            weft_arena_format(arena, "distance %.3f", far), arena, cell);
    }
    out->cells = cells;
    out->rule = weft_arena_format(arena, "total variation at most %g", claim->margin);
    out->summary = weft_arena_format(arena, "%zu distributions, the farthest apart by %.3f",
                                     out->n_cells, most);
    bool wrong = weft_verdict_count(out, WEFT_DISAGREES) || weft_verdict_count(out, WEFT_REFUTED);
    weft_verdict_conclude(claim, wrong ? "ours is distributed otherwise" : "", "", arena, out);
    return WEFT_OK;
}
