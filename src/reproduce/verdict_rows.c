/* SPDX-License-Identifier: Apache-2.0 */
/* Differences of our own values, positive as claimed. A claim fails if some are negative beyond
 * chance, by the limits of the z rules, or if less than half of them are clearly positive, for then
 * nothing is seen of what is claimed. */
#include "reproduce/verdict.h"

typedef struct tally {
    size_t cells, clear, wrong;
    double worst;
} tally;

static void count(tally *t, double score)
{
    t->cells++;
    t->clear += score > WEFT_SCORE_RARE;
    t->wrong += score < -WEFT_SCORE_RARE;
    t->worst = score < t->worst ? score : t->worst;
}

static bool has_many(const tally *t)
{
    return t->wrong > weft_board_allowance(&(weft_board){.cells = t->cells});
}

void weft_verdict_rows(const weft_claim *claim, const weft_known *const *known, weft_arena *arena,
                       weft_cell *cells, weft_claim_result *out)
{
    tally t = {0}, all = {0}; /* all: known differences too */
    const char *fault = "", *open = "";
    bool sums = claim->rule == WEFT_RULE_CONTRAST;
    for (size_t i = 0; i < out->n_cells; i++) {
        count(&all, cells[i].score);
        if (!known[i] || cells[i].score >= -WEFT_SCORE_RARE)
            count(&t, cells[i].score);
    }
    double limit = has_many(&t) ? WEFT_SCORE_RARE : WEFT_SCORE_MAX;
    for (size_t i = 0; i < out->n_cells; i++) {
        bool off = cells[i].score < -(known[i] ? WEFT_SCORE_RARE : limit);
        weft_verdict_settle(claim, known[i], off ? WEFT_FIT_FAILS : WEFT_FIT_HOLDS, cells[i].reason,
                            arena, &cells[i]);
    }
    if (t.worst < -WEFT_SCORE_MAX || has_many(&t))
        fault = weft_arena_format(arena, "%zu of %zu %s the other way beyond chance", t.wrong,
                                  t.cells, sums ? "places are" : "pairs stand");
    else if (2 * t.clear < t.cells)
        open = weft_arena_format(arena, "only %zu of %zu %s", t.clear, t.cells,
                                 sums ? "places show it clearly" : "pairs are clearly apart");
    out->cells = cells;
    out->summary = weft_arena_format(arena, "%zu %s%s, %zu clearly %s, %zu the other way",
                                     all.cells, sums ? "place" : "pair", all.cells == 1 ? "" : "s",
                                     all.clear, sums ? "so" : "apart", all.wrong);
    weft_verdict_conclude(claim, fault, open, arena, out);
}
