/* SPDX-License-Identifier: Apache-2.0 */
/* Ours beside theirs: claims with a table of theirs share one grid, as they share its points;
 * all claims follow, one paragraph each. */
#include "report/verdicts.h"

#include "base/fold.h"
#include "base/memory.h"
#include "report/plain.h"
#include "report/text_table.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS_MOST  60 /* of a table, before only those that stand out are shown */
#define CELLS_MOST 12 /* of a claim that are told one by one */
#define ACROSS     4  /* claims beside each other */
#define RARE       2.58
#define TEXT_MOST  800
#define ANY_WIDTH  1000000
#define INDENT     15 /* of a claim's reasons: below the text beside its verdict */

typedef struct page {
    const weft_comparison *comparison;
    weft_arena arena;
    weft_text_table grid;
    size_t from, to; /* claims of the grid */
    FILE *out;
    size_t width; /* of a terminal; ANY_WIDTH: it is none */
    bool colour;
} page;

static const char *plain(page *p, const char *text)
{
    return weft_plain_text(&p->arena, text, strlen(text), TEXT_MOST);
}

static bool is_off(const weft_cell *cell)
{
    return cell->verdict != WEFT_AGREES && cell->verdict != WEFT_NOT_CLAIMED;
}

static bool stands_out(const weft_cell *cell)
{
    return is_off(cell) || fabs(cell->score) > RARE;
}

static const weft_claim_result *first_table(const weft_comparison *comparison)
{
    for (size_t c = 0; c < comparison->n_claims; c++)
        if (comparison->claims[c].table)
            return &comparison->claims[c];
    return NULL;
}

static bool row_stands_out(const weft_comparison *comparison, size_t row)
{
    for (size_t c = 0; c < comparison->n_claims; c++)
        if (comparison->claims[c].table && stands_out(&comparison->claims[c].cells[row]))
            return true;
    return false;
}

/* The next claims that stand beside each other; false: there are no more. */
static bool next_claims(page *p)
{
    size_t count = 0;
    for (p->from = p->to; p->to < p->comparison->n_claims && count < ACROSS; p->to++)
        count += p->comparison->claims[p->to].table;
    return count > 0;
}

static void add_columns(page *p)
{
    static const char *const names[] = {"ours", "±", "theirs", "score", "verdict"};
    (void)weft_text_table_add_column(
        &p->grid, &(weft_text_table_column){.group = "", .name = "", .unit = "", .left = true});
    for (size_t c = p->from; c < p->to; c++) {
        const weft_claim_result *claim = &p->comparison->claims[c];
        const char *group = plain(p, claim->name);
        const char *unit =
            strcmp(claim->unit, "fraction") == 0 ? WEFT_GRID_FRACTION : plain(p, claim->unit);
        for (size_t i = 0; claim->table && i < sizeof names / sizeof *names; i++)
            (void)weft_text_table_add_column(
                &p->grid,
                &(weft_text_table_column){
                    .group = group, .name = names[i], .unit = i == 0 ? unit : "", .left = i == 4});
    }
}

/* No "-0.0". */
static const char *score_text(page *p, double score)
{
    if (isnan(score))
        return NULL;
    return weft_arena_format(&p->arena, "%+.1f", fabs(score) < 0.05 ? 0 : score);
}

static void add_row(page *p, size_t i)
{
    size_t row = weft_text_table_add_row(&p->grid), column = 1;
    for (size_t c = p->from; c < p->to; c++) {
        const weft_claim_result *claim = &p->comparison->claims[c];
        if (!claim->table)
            continue;
        const weft_cell *cell = &claim->cells[i];
        double half = (cell->hi - cell->lo) / 2;
        bool off = is_off(cell);
        const char *texts[] = {weft_plain_number(&p->arena, cell->ours, half),
                               half > 0 ? weft_plain_half(&p->arena, half) : NULL,
                               weft_plain_number(&p->arena, cell->theirs, 2 * cell->their_error),
                               score_text(p, cell->score),
                               off ? weft_verdict_name(cell->verdict) : NULL};
        weft_text_table_set(&p->grid, row, 0, plain(p, cell->where));
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++, column++)
            weft_text_table_set(&p->grid, row, column, texts[t]);
        p->grid.marked[row] |= off;
    }
}

/* Returns how many points are left out. */
static size_t print_grid(page *p, size_t points, size_t width)
{
    size_t left_out = 0;
    weft_text_table_init(&p->grid, &p->arena);
    add_columns(p);
    for (size_t i = 0; i < points; i++) {
        if (points <= ROWS_MOST || row_stands_out(p->comparison, i))
            add_row(p, i);
        else
            left_out++;
    }
    if (p->grid.n_rows > 0) {
        weft_text_table_fit(&p->grid, width);
        weft_text_table_print(&p->grid, p->out, p->colour);
        (void)fputc('\n', p->out);
    }
    weft_text_table_done(&p->grid);
    return left_out;
}

static void print_tables(page *p, size_t width)
{
    const weft_claim_result *first = first_table(p->comparison);
    size_t left_out = 0;
    while (first && next_claims(p))
        left_out = print_grid(p, first->n_cells, width);
    if (left_out > 0)
        (void)fprintf(p->out, "%zu of %zu points agree in everything and are left out here\n\n",
                      left_out, first->n_cells);
}

/* A line that goes on below where a terminal is narrower. */
static void say(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(page *p, const char *format, ...)
{
    va_list rest;
    char *text = NULL;
    va_start(rest, format);
    if (vasprintf(&text, format, rest) >= 0) {
        weft_text folded;
        weft_text_init(&folded);
        weft_fold(text, p->width, &folded);
        (void)fputs(folded.at, p->out);
        weft_text_done(&folded);
    }
    va_end(rest);
    free(text);
}

static void print_reason(page *p, const char *before, const char *reason)
{
    if (*reason)
        say(p, "%*s%s%s%s\n", INDENT, "", plain(p, before), *before ? ": " : "", plain(p, reason));
}

static void print_claim(page *p, const weft_claim_result *claim)
{
    bool silent = claim->verdict == WEFT_NOT_CLAIMED,
         off = claim->verdict == WEFT_DISAGREES || claim->verdict == WEFT_REFUTED,
         beside = !silent && strcmp(claim->against, "document") != 0;
    const char *paint = p->colour && off ? "\033[33m" : "";
    size_t told = 0, untold = 0;
    say(p, "  %s%-11s%s  %s%s%s%s%s%s%s%s\n", paint, weft_verdict_name(claim->verdict),
        *paint ? "\033[0m" : "", plain(p, claim->name), silent ? "" : ", ",
        silent ? "" : plain(p, claim->rule), beside ? " (" : "", beside ? claim->against : "",
        beside ? ")" : "", *claim->summary ? ": " : "", claim->summary);
    if (*claim->sentence)
        say(p, "%*sprinted (%s): “%s”\n", INDENT, "", plain(p, claim->place),
            plain(p, claim->sentence));
    print_reason(p, "", claim->reason);
    print_reason(p, "how sure", claim->sure);
    for (size_t i = 0; i < claim->n_cells; i++) {
        const weft_cell *cell = &claim->cells[i];
        if (!is_off(cell))
            continue;
        if (told++ < CELLS_MOST)
            print_reason(p, cell->where, cell->reason);
        else
            untold++;
    }
    if (untold > 0)
        (void)fprintf(p->out, "%*s… and %zu more\n", INDENT, "", untold);
}

void weft_report_verdicts(const weft_comparison *comparison, const char *name, FILE *out,
                          size_t width)
{
    assert(comparison && out);
    const char *no_color = getenv("NO_COLOR");
    page p = {.comparison = comparison,
              .out = out,
              .width = isatty(fileno(out)) ? width : ANY_WIDTH,
              .colour = isatty(fileno(out)) && !(no_color && *no_color)};
    weft_arena_init(&p.arena);
    say(&p, "%s: %s\n", name, plain(&p, comparison->figure->title));
    if (*comparison->note)
        say(&p, "%s\n", plain(&p, comparison->note));
    say(&p, "%s: %zu points, %zu run%s of each; ± is a 95 %% interval\n\n",
        comparison->effort == WEFT_QUICK ? "quick" : "full", comparison->points, comparison->seeds,
        comparison->seeds == 1 ? "" : "s");
    print_tables(&p, width);
    for (size_t c = 0; c < comparison->n_claims; c++)
        print_claim(&p, &comparison->claims[c]);
    (void)fprintf(out, "\n%s: %s\n", name, weft_verdict_name(comparison->verdict));
    weft_arena_done(&p.arena);
}

static weft_report_verdict whole(const weft_claim_result *claim, const char *name)
{
    return (weft_report_verdict){.figure = name,
                                 .quantity = claim->name,
                                 .where = "",
                                 .ours = NAN,
                                 .lo = NAN,
                                 .hi = NAN,
                                 .theirs = NAN,
                                 .rule = claim->rule,
                                 .verdict = weft_verdict_name(claim->verdict),
                                 .reason = *claim->reason ? claim->reason : claim->summary,
                                 .against = claim->against,
                                 .sentence = claim->sentence};
}

size_t weft_report_verdict_rows(const weft_comparison *comparison, const char *name,
                                weft_report_verdict **rows)
{
    size_t count = 0, made = 0;
    for (size_t c = 0; c < comparison->n_claims; c++)
        count += 1 + comparison->claims[c].n_cells;
    *rows = weft_alloc(sizeof **rows * (count + 1));
    for (size_t c = 0; c < comparison->n_claims; c++) {
        const weft_claim_result *claim = &comparison->claims[c];
        (*rows)[made++] = whole(claim, name);
        for (size_t i = 0; i < claim->n_cells; i++) {
            const weft_cell *cell = &claim->cells[i];
            (*rows)[made++] = (weft_report_verdict){.figure = name,
                                                    .quantity = claim->name,
                                                    .where = cell->where,
                                                    .ours = cell->ours,
                                                    .lo = cell->lo,
                                                    .hi = cell->hi,
                                                    .theirs = cell->theirs,
                                                    .rule = claim->rule,
                                                    .verdict = weft_verdict_name(cell->verdict),
                                                    .reason = cell->reason,
                                                    .against = claim->against,
                                                    .sentence = ""};
        }
    }
    assert(made == count);
    return count;
}
