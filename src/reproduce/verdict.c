/* SPDX-License-Identifier: Apache-2.0 */
/* Claims against a table of theirs: every group of runs that a claim is about finds its row,
 * every difference becomes a score (z rules) or a yes or no (digits, within), and the claim gets
 * a verdict with its reason. The z rules leave out differences that the study knows; the largest
 * difference that is told is that of all cells. */
#include "reproduce/verdict.h"

#include "base/numeric.h"

#include <assert.h>
#include <string.h>

#define NOT_A_NUMBER __builtin_nan("")
#define NO_ROW       SIZE_MAX /* of a point that is only shown */
#define COUNTED(n)   (n), (n) == 1 ? "" : "s"

void weft_verdict_interval(weft_mean mean, double *lo, double *hi)
{
    double half = mean.error > 0 ? weft_student_quantile(0.975, mean.freedom) * mean.error : 0;
    *lo = mean.value - half;
    *hi = mean.value + half;
}

static bool pinned(const weft_figure_plan *figure, const weft_known *known, const weft_group *group,
                   const weft_group *another)
{
    for (size_t i = 0; i < known->n_pins; i++) {
        size_t k = weft_figure_key(figure, known->pins[i].name);
        assert(k < figure->n_keys);
        if (!weft_value_same(group->value[k], known->pins[i].value) &&
            !(another && weft_value_same(another->value[k], known->pins[i].value)))
            return false;
    }
    return true;
}

const weft_known *weft_verdict_known(const weft_figure_plan *figure, const weft_claim *claim,
                                     const weft_group *group, const weft_group *another)
{
    for (size_t i = 0; i < claim->n_known; i++)
        if (pinned(figure, &claim->known[i], group, another))
            return &claim->known[i];
    return NULL;
}

static bool allows(const weft_only *only, const weft_group *group)
{
    bool found = false;
    for (size_t i = 0; i < only->n_values && !found; i++)
        found = weft_value_same(group->value[only->key], only->values[i]);
    double at = group->rank[only->key];
    return only->n_values ? found : at >= only->from && at <= only->to;
}

bool weft_verdict_counts(const weft_claim *claim, const weft_group *group)
{
    bool holds = claim->n_only == 0;
    for (size_t i = 0, next; i < claim->n_only && !holds; i = next) {
        holds = true;
        for (next = i; next < claim->n_only && claim->only[next].choice == claim->only[i].choice;
             next++)
            holds = holds && allows(&claim->only[next], group);
    }
    return holds;
}

/* The groups that the claim is about, in their order. */
static const weft_group **scope_of(const weft_claim *claim, const weft_groups *groups,
                                   weft_arena *arena, size_t *count)
{
    const weft_group **scope = WEFT_TAKE(arena, const weft_group *, groups->count + 1);
    *count = 0;
    for (size_t i = 0; i < groups->count; i++)
        if (weft_verdict_counts(claim, &groups->at[i]))
            scope[(*count)++] = &groups->at[i];
    return scope;
}

/* What an expected table writes for a group's value of a key. */
static const char *code_of(const weft_group_key *key, const char *value)
{
    for (size_t i = 0; i < key->n_labels; i++)
        if (strcmp(key->labels[i].name, value) == 0)
            return key->labels[i].code;
    return value;
}

bool weft_verdict_fits(const weft_figure_plan *figure, const weft_claim *claim,
                       const weft_group *group, size_t row)
{
    bool fits = true;
    for (size_t k = 0; k < figure->n_keys && fits; k++)
        fits = claim->key_columns[k] == claim->table->columns ||
               weft_value_same(weft_csv_cell(claim->table, row, claim->key_columns[k]),
                               code_of(&figure->keys[k], group->value[k]));
    return fits;
}

static weft_status find_row(const weft_figure_plan *figure, const weft_claim *claim,
                            const weft_group *group, size_t *row, weft_error *err)
{
    size_t found = 0;
    for (size_t i = 0; i < claim->n_rows; i++) {
        if (weft_verdict_fits(figure, claim, group, claim->rows[i])) {
            *row = claim->rows[i];
            found++;
        }
    }
    if (found == 1 || (found == 0 && claim->rule == WEFT_RULE_SHOWN))
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "figure %s, claim %s: %s rows of %s fit %s",
                     figure->shown.name, claim->name, found ? "several" : "no", claim->file,
                     group->where);
}

static weft_status read_theirs(const weft_claim *claim, size_t row, const weft_sample *other,
                               weft_mean *theirs, weft_error *err)
{
    *theirs = (weft_mean){.freedom = claim->freedom, .value = NOT_A_NUMBER};
    if (row == NO_ROW)
        return WEFT_OK;
    WEFT_TRY(weft_csv_number(claim->table, row, claim->value_column, &theirs->value, err));
    if (claim->adjust.metric) {
        double column = 0;
        WEFT_TRY(weft_csv_number(claim->table, row, claim->adjust.at, &column, err));
        theirs->value += claim->adjust.slope * (other->mean - column + claim->adjust.less);
    }
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

typedef struct table { /* a claim against a table of theirs */
    const weft_figure_plan *figure;
    const weft_claim *claim;
    size_t n_cells;
    const weft_group **groups; /* that it is about … */
    weft_cell *cells;          /* … and what each is found to be */
    weft_mean *ours, *theirs;  /* of each cell */
    double *steps;             /* what the last digit of theirs stands for */
    weft_arena *arena;
} table;

static const weft_known *known_of(const table *t, size_t i)
{
    return weft_verdict_known(t->figure, t->claim, t->groups[i], NULL);
}

static void settle(const table *t, size_t i, weft_fit fit)
{
    weft_cell *cell = &t->cells[i];
    const char *difference =
        weft_arena_format(t->arena, "%s%s", difference_text(cell, t->arena),
                          t->groups[i]->saturated ? "; a run of ours saturated" : "");
    weft_verdict_settle(t->claim, known_of(t, i), fit, difference, t->arena, cell);
}

static void judge_scores(const table *t, weft_claim_result *out)
{
    weft_board board = {0}, all = {0}; /* all: known differences too */
    for (size_t i = 0; i < t->n_cells; i++) {
        bool rare = size_of(t->cells[i].score) > WEFT_SCORE_RARE;
        weft_board_add(&all, t->cells[i].score);
        if (!rare || !known_of(t, i))
            weft_board_add(&board, t->cells[i].score);
    }
    weft_board_fault fault = weft_board_judge(&board, t->n_cells);
    double limit = fault == WEFT_BOARD_ABOVE ? WEFT_SCORE_RARE : WEFT_SCORE_MAX;
    for (size_t i = 0; i < t->n_cells; i++) {
        double most = known_of(t, i) ? WEFT_SCORE_RARE : limit;
        settle(t, i, size_of(t->cells[i].score) > most ? WEFT_FIT_FAILS : WEFT_FIT_HOLDS);
    }
    out->rule = "z rules";
    out->summary = weft_arena_format(
        t->arena,
        "%zu cell%s, largest |score| %.2f, %zu beyond 2.58, mean score %+.2f (within ±%.2f)",
        COUNTED(all.cells), all.worst, all.above, weft_board_mean(&all),
        weft_board_limit(t->n_cells));
    weft_verdict_conclude(t->claim, fault_text(fault, &board, t->n_cells, t->arena), "", t->arena,
                          out);
}

/* A difference beyond the tolerance may still be one by chance. */
static weft_fit fit_of(const table *t, size_t i, double tolerance, bool off)
{
    bool chance = size_of(weft_score_welch(t->ours[i], t->theirs[i], tolerance)) <= WEFT_SCORE_MAX;
    return !off ? WEFT_FIT_HOLDS : chance ? WEFT_FIT_OPEN : WEFT_FIT_FAILS;
}

/* Yes or no for every cell: `fit` says which differ too much, `good` what the others are. */
static void judge_each(const table *t, weft_fit (*fit)(const table *, size_t), const char *good,
                       weft_claim_result *out)
{
    for (size_t i = 0; i < t->n_cells; i++)
        settle(t, i, fit(t, i));
    size_t wrong = weft_verdict_count(out, WEFT_DISAGREES) + weft_verdict_count(out, WEFT_REFUTED);
    out->summary = weft_arena_format(t->arena, "%zu cell%s, %zu %s", COUNTED(t->n_cells),
                                     weft_verdict_count(out, WEFT_AGREES), good);
    const char *fault = wrong ? weft_arena_format(t->arena, "%zu %s", wrong,
                                                  wrong == 1 ? "cell differs" : "cells differ")
                              : "";
    weft_verdict_conclude(t->claim, fault, "", t->arena, out);
}

/* By how much two numbers that are equal in so many digits of the second may differ. */
static double half_digit(double number, int64_t digits)
{
    double step = 0.5, size = size_of(number);
    for (; size >= 10; size /= 10)
        step *= 10;
    for (; size > 0 && size < 1; size *= 10)
        step /= 10;
    for (; digits > 1; digits--)
        step /= 10;
    return step;
}

static weft_fit same_digits(const table *t, size_t i)
{
    bool off = !weft_equal_digits(t->cells[i].ours, t->cells[i].theirs, (int)t->claim->digits);
    return fit_of(t, i, half_digit(t->cells[i].theirs, t->claim->digits), off);
}

static weft_fit as_written(const table *t, size_t i)
{
    double half = 0.5 * t->steps[i] * (1 + 1e-9);
    return fit_of(t, i, half, !weft_equal_within(t->cells[i].ours, t->cells[i].theirs, 0, half));
}

static weft_fit inside(const table *t, size_t i)
{
    const weft_claim *claim = t->claim;
    double theirs = t->cells[i].theirs, share = claim->share * size_of(theirs);
    bool off = !weft_equal_within(t->cells[i].ours, theirs, claim->share, claim->absolute);
    return fit_of(t, i, share > claim->absolute ? share : claim->absolute, off);
}

static void judge_digits(const table *t, weft_claim_result *out)
{
    out->rule = t->claim->written ? "equal to the digits written"
                                  : weft_arena_format(t->arena, "equal to %lld digit%s",
                                                      (long long)t->claim->digits,
                                                      t->claim->digits == 1 ? "" : "s");
    judge_each(t, t->claim->written ? as_written : same_digits, "equal", out);
}

/* The largest difference, as a share of theirs where that is not 0; all cells count. */
static const char *largest_text(const table *t, const char *unit)
{
    double share = 0, off = 0;
    for (size_t i = 0; i < t->n_cells; i++) {
        double theirs = size_of(t->cells[i].theirs),
               by = size_of(t->cells[i].ours - t->cells[i].theirs);
        if (theirs > 0 && by / theirs > share) {
            share = by / theirs;
            off = by;
        }
    }
    if (share == 0)
        return "";
    return weft_arena_format(t->arena, ", largest difference %.2g %% (%.3g%s%s)", 100 * share, off,
                             *unit ? " " : "", unit);
}

static void judge_within(const table *t, weft_claim_result *out)
{
    const weft_claim *claim = t->claim;
    const char *space = *out->unit ? " " : "";
    out->rule = weft_arena_format(t->arena, "within %g %%", 100 * claim->share);
    if (claim->share == 0)
        out->rule = weft_arena_format(t->arena, "within %g%s%s", claim->absolute, space, out->unit);
    else if (claim->absolute > 0)
        out->rule = weft_arena_format(t->arena, "%s or %g%s%s", out->rule, claim->absolute, space,
                                      out->unit);
    judge_each(t, inside, "within", out);
    out->summary = weft_arena_format(t->arena, "%s%s", out->summary, largest_text(t, out->unit));
}

/* Nothing is judged; the reason is the claim's. */
static void show(const table *t, weft_claim_result *out)
{
    for (size_t i = 0; i < t->n_cells; i++)
        t->cells[i].verdict = WEFT_NOT_CLAIMED;
    out->rule = "shown";
    out->summary = weft_arena_format(t->arena, "%zu cell%s", COUNTED(t->n_cells));
}

/* Fills a cell but for its verdict. */
static weft_status compare(const table *t, size_t c, size_t i, weft_error *err)
{
    size_t row = NO_ROW;
    const weft_claim *claim = t->claim;
    const weft_group *group = t->groups[i];
    weft_cell *cell = &t->cells[i];
    weft_mean theirs, ours = weft_sample_mean(&group->samples[c]);
    WEFT_TRY(find_row(t->figure, claim, group, &row, err));
    WEFT_TRY(read_theirs(claim, row, &group->others[c], &theirs, err));
    t->steps[i] = row == NO_ROW ? 0 : weft_csv_step(claim->table, row, claim->value_column);
    if (claim->single) {
        theirs.error = ours.error * weft_sqrt(ours.freedom + 1);
        theirs.freedom = ours.freedom;
    }
    double margin = claim->margin + claim->margin_share * size_of(theirs.value);
    *cell = (weft_cell){.where = group->where,
                        .ours = ours.value,
                        .error = ours.error,
                        .theirs = theirs.value,
                        .their_error = theirs.error,
                        .score = NOT_A_NUMBER,
                        .reason = ""};
    weft_verdict_interval(ours, &cell->lo, &cell->hi);
    t->ours[i] = ours;
    t->theirs[i] = theirs;
    if (claim->rule == WEFT_RULE_Z)
        cell->score = weft_score_welch(ours, theirs, margin);
    return WEFT_OK;
}

weft_status weft_verdict_table(const weft_figure_plan *figure, size_t c, const weft_groups *groups,
                               weft_arena *arena, weft_claim_result *out, weft_error *err)
{
    table t = {.figure = figure, .claim = &figure->claims[c], .arena = arena};
    t.groups = scope_of(t.claim, groups, arena, &t.n_cells);
    t.cells = WEFT_TAKE(arena, weft_cell, t.n_cells + 1);
    t.steps = WEFT_TAKE(arena, double, t.n_cells + 1);
    t.ours = WEFT_TAKE(arena, weft_mean, t.n_cells + 1);
    t.theirs = WEFT_TAKE(arena, weft_mean, t.n_cells + 1);
    for (size_t i = 0; i < t.n_cells; i++)
        WEFT_TRY(compare(&t, c, i, err));
    out->table = t.claim->n_only == 0;
    out->n_cells = t.n_cells;
    out->cells = t.cells;
    if (t.n_cells == 0) {
        show(&t, out);
        return WEFT_OK;
    }
    switch (t.claim->rule) {
    case WEFT_RULE_Z:
        judge_scores(&t, out);
        break;
    case WEFT_RULE_DIGITS:
        judge_digits(&t, out);
        break;
    case WEFT_RULE_WITHIN:
        judge_within(&t, out);
        break;
    default:
        show(&t, out);
    }
    return WEFT_OK;
}
