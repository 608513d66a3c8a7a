/* SPDX-License-Identifier: Apache-2.0 */
/* Claims against a table of theirs: every group of runs finds its row, every difference becomes a score
 * (z rules) or a yes or no (digits), and the claim gets a verdict with its reason. A disagreement that
 * the study knows is told with its reason and left out of the count. */
#include "study/verdict.h"

#include "base/numeric.h"

#include <assert.h>
#include <string.h>

#define NOT_A_NUMBER __builtin_nan("")
#define COUNTED(n)   (n), (n) == 1 ? "" : "s"

const char *weft_verdict_name(weft_verdict verdict)
{
    static const char *const names[] = {"agrees", "disagrees", "explained", "not claimed"};
    assert((size_t)verdict < sizeof names / sizeof *names);
    return names[verdict];
}

void weft_verdict_interval(weft_mean mean, double *lo, double *hi)
{
    double half = mean.error > 0 ? weft_student_quantile(0.975, mean.freedom) * mean.error : 0;
    *lo = mean.value - half;
    *hi = mean.value + half;
}

static bool pinned(const weft_figure_plan *figure, const weft_known *known, const weft_group *group,
                   const weft_group *another)
{
    for (size_t i = 0; i < known->count; i++) {
        size_t k = weft_figure_key(figure, known->pins[i].name);
        assert(k < figure->key_count);
        if (!weft_value_same(group->value[k], known->pins[i].value) &&
            !(another && weft_value_same(another->value[k], known->pins[i].value)))
            return false;
    }
    return true;
}

const char *weft_verdict_known(const weft_figure_plan *figure, const weft_claim *claim,
                               const weft_group *group, const weft_group *another)
{
    for (size_t i = 0; i < claim->known_count; i++)
        if (pinned(figure, &claim->known[i], group, another))
            return claim->known[i].reason;
    return NULL;
}

/* What an expected table writes for a group's value of a key. */
static const char *code_of(const weft_key *key, const char *value)
{
    for (size_t i = 0; i < key->label_count; i++)
        if (strcmp(key->labels[i].name, value) == 0)
            return key->labels[i].code;
    return value;
}

static weft_status find_row(const weft_figure_plan *figure, const weft_claim *claim,
                            const weft_group *group, size_t *row, weft_error *err)
{
    size_t found = 0;
    for (size_t i = 0; i < claim->row_count; i++) {
        bool fits = true;
        for (size_t k = 0; k < figure->key_count && fits; k++)
            fits =
                weft_value_same(weft_csv_cell(claim->table, claim->rows[i], claim->key_columns[k]),
                                code_of(&figure->keys[k], group->value[k]));
        if (fits) {
            *row = claim->rows[i];
            found++;
        }
    }
    if (found == 1)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "figure %s, claim %s: %s rows of %s fit %s",
                     figure->shown.name, claim->name, found ? "several" : "no", claim->file,
                     group->where);
}

static weft_status read_theirs(const weft_claim *claim, size_t row, weft_mean *theirs,
                               weft_error *err)
{
    *theirs = (weft_mean){.freedom = claim->freedom};
    WEFT_TRY(weft_csv_number(claim->table, row, claim->value_column, &theirs->value, err));
    if (claim->error_column == claim->table->columns)
        return WEFT_OK;
    WEFT_TRY(weft_csv_number(claim->table, row, claim->error_column, &theirs->error, err));
    theirs->error /= claim->divisor;
    return WEFT_OK;
}

static double size_of(double x)
{
    return x < 0 ? -x : x;
}

static const char *difference_text(const weft_cell *cell, weft_arena *arena)
{
    double difference = cell->ours - cell->theirs;
    const char *way = difference < 0 ? "below" : "above";
    if (cell->theirs == 0)
        return weft_arena_format(arena, "ours is %.3g %s theirs", size_of(difference), way);
    return weft_arena_format(arena, "ours is %.2g %% %s theirs",
                             100 * size_of(difference / cell->theirs), way);
}

/* Fills a cell but for its verdict. */
static weft_status compare(const weft_figure_plan *figure, const weft_claim *claim,
                           const weft_group *group, const weft_sample *sample, weft_cell *cell,
                           weft_error *err)
{
    size_t row = 0;
    weft_mean theirs, ours = weft_sample_mean(sample);
    WEFT_TRY(find_row(figure, claim, group, &row, err));
    WEFT_TRY(read_theirs(claim, row, &theirs, err));
    double margin = claim->margin + claim->margin_share * size_of(theirs.value);
    *cell = (weft_cell){.where = group->where,
                        .ours = ours.value,
                        .error = ours.error,
                        .theirs = theirs.value,
                        .their_error = theirs.error,
                        .score = NOT_A_NUMBER,
                        .reason = ""};
    weft_verdict_interval(ours, &cell->lo, &cell->hi);
    if (claim->rule == WEFT_RULE_Z)
        cell->score = weft_score_welch(ours, theirs, margin);
    return WEFT_OK;
}

static void settle(weft_cell *cell, bool off, const char *known, const weft_group *group,
                   weft_arena *arena)
{
    cell->verdict = !off ? WEFT_AGREES : known ? WEFT_EXPLAINED : WEFT_DISAGREES;
    if (!off)
        return;
    cell->reason = weft_arena_format(arena, "%s%s%s%s", difference_text(cell, arena),
                                     group->saturated ? "; a run of ours saturated" : "",
                                     known ? "; " : "", known ? known : "");
}

static const char *fault_text(weft_board_fault fault, const weft_board *board, size_t runs,
                              weft_arena *arena)
{
    switch (fault) {
    case WEFT_BOARD_WORST:
        return "a difference of more than 4 standard errors is not chance";
    case WEFT_BOARD_ABOVE:
        return weft_arena_format(arena, "%zu cells beyond 2.58, of %zu cells %zu may be",
                                 board->above, board->cells, weft_board_allowance(board));
    case WEFT_BOARD_MEAN:
        return weft_arena_format(
            arena, "ours are %s throughout: the mean score %+.2f is beyond ±%.2f",
            board->sum < 0 ? "lower" : "higher", weft_board_mean(board), weft_board_limit(runs));
    case WEFT_BOARD_GOOD:
        break;
    }
    return "";
}

static size_t count_cells(const weft_claim_result *out, weft_verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < out->cell_count; i++)
        count += out->cells[i].verdict == verdict;
    return count;
}

/* The claim's verdict from those of its cells. */
static void conclude(weft_claim_result *out, bool fault, weft_arena *arena)
{
    size_t explained = count_cells(out, WEFT_EXPLAINED);
    out->verdict = fault ? WEFT_DISAGREES : explained ? WEFT_EXPLAINED : WEFT_AGREES;
    if (!fault && explained)
        out->reason = weft_arena_format(arena, "%zu known disagreement%s", COUNTED(explained));
}

static void judge_scores(const weft_figure_plan *figure, const weft_claim *claim,
                         const weft_groups *groups, weft_cell *cells, weft_arena *arena,
                         weft_claim_result *out)
{
    weft_board board = {0};
    for (size_t i = 0; i < groups->count; i++) {
        bool rare = size_of(cells[i].score) > WEFT_SCORE_RARE;
        if (!rare || !weft_verdict_known(figure, claim, &groups->at[i], NULL))
            weft_board_add(&board, cells[i].score);
    }
    weft_board_fault fault = weft_board_judge(&board, groups->count);
    double limit = fault == WEFT_BOARD_ABOVE ? WEFT_SCORE_RARE : WEFT_SCORE_MAX;
    for (size_t i = 0; i < groups->count; i++) {
        const char *known = weft_verdict_known(figure, claim, &groups->at[i], NULL);
        double size = size_of(cells[i].score);
        settle(&cells[i], size > (known ? WEFT_SCORE_RARE : limit), known, &groups->at[i], arena);
    }
    out->reason = fault_text(fault, &board, groups->count, arena);
    out->summary = weft_arena_format(
        arena, "%zu cell%s, largest |score| %.2f, %zu beyond 2.58, mean score %+.2f (within ±%.2f)",
        COUNTED(board.cells), board.worst, board.above, weft_board_mean(&board),
        weft_board_limit(groups->count));
    conclude(out, fault != WEFT_BOARD_GOOD, arena);
}

static void judge_digits(const weft_figure_plan *figure, const weft_claim *claim,
                         const weft_groups *groups, weft_cell *cells, weft_arena *arena,
                         weft_claim_result *out)
{
    for (size_t i = 0; i < groups->count; i++)
        settle(&cells[i], !weft_equal_digits(cells[i].ours, cells[i].theirs, (int)claim->digits),
               weft_verdict_known(figure, claim, &groups->at[i], NULL), &groups->at[i], arena);
    size_t off = count_cells(out, WEFT_DISAGREES), equal = count_cells(out, WEFT_AGREES);
    out->summary = weft_arena_format(arena, "%zu cell%s, %zu equal", COUNTED(groups->count), equal);
    out->reason =
        off ? weft_arena_format(arena, "%zu %s", off, off == 1 ? "cell differs" : "cells differ")
            : "";
    conclude(out, off > 0, arena);
}

static weft_status judge_table(const weft_figure_plan *figure, size_t c, const weft_groups *groups,
                               weft_arena *arena, weft_claim_result *out, weft_error *err)
{
    const weft_claim *claim = &figure->claims[c];
    weft_cell *cells = WEFT_TAKE(arena, weft_cell, groups->count);
    for (size_t i = 0; i < groups->count; i++)
        WEFT_TRY(compare(figure, claim, &groups->at[i], &groups->at[i].samples[c], &cells[i], err));
    out->table = true;
    out->cell_count = groups->count;
    out->cells = cells;
    if (claim->rule == WEFT_RULE_Z) {
        out->rule = "z rules";
        judge_scores(figure, claim, groups, cells, arena, out);
    } else {
        out->rule = weft_arena_format(arena, "equal to %lld digit%s", (long long)claim->digits,
                                      claim->digits == 1 ? "" : "s");
        judge_digits(figure, claim, groups, cells, arena, out);
    }
    return WEFT_OK;
}

weft_status weft_verdict_judge(const weft_figure_plan *figure, size_t c, const weft_groups *groups,
                               weft_arena *arena, weft_claim_result *out, weft_error *err)
{
    const weft_claim *claim = &figure->claims[c];
    *out = (weft_claim_result){.name = claim->name,
                               .metric = claim->metric,
                               .unit = groups->unit[c] ? groups->unit[c] : "",
                               .rule = "not claimed",
                               .summary = "",
                               .verdict = WEFT_NOT_CLAIMED,
                               .reason = claim->reason};
    switch ((weft_rule)claim->rule) {
    case WEFT_RULE_NONE:
        return WEFT_OK;
    case WEFT_RULE_Z:
    case WEFT_RULE_DIGITS:
        return judge_table(figure, c, groups, arena, out, err);
    case WEFT_RULE_ORDERING:
    case WEFT_RULE_TREND:
        break;
    }
    weft_verdict_pairs(figure, c, groups, arena, out);
    return WEFT_OK;
}
