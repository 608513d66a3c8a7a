/* SPDX-License-Identifier: Apache-2.0 */
/* A study folder from opening it to the verdicts on its figures. */
#include "reproduce/maker.h"

#include "base/memory.h"
#include "reproduce/chart.h"
#include "reproduce/verdict.h"
#include "study/catalog.h"
#include "study/context.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The comparison with the arena it lives in. */
typedef struct holder {
    weft_comparison shown; /* first, so that a pointer to it is one to the holder */
    weft_arena arena;
    weft_sketches sketches;
} holder;

/* The last part of a path, without slashes at its end. */
static const char *base_name(const char *folder, weft_arena *arena)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    size_t from = length;
    while (from > 0 && folder[from - 1] != '/')
        from--;
    return weft_arena_copy(arena, folder + from, length - from);
}

weft_status weft_reproduction_open(const char *folder, weft_context *context,
                                   weft_reproduction **book, weft_error *err)
{
    weft_reproduction *opened = weft_alloc(sizeof *opened);
    *book = NULL;
    weft_arena_init(&opened->arena);
    opened->folder = weft_arena_copy(&opened->arena, folder, strlen(folder));
    opened->name = base_name(folder, &opened->arena);
    weft_status status = weft_reproduction_read(opened, err);
    status = weft_comm_agree(context ? context->comm : NULL, status, err);
    if (status == WEFT_OK)
        *book = opened;
    else
        weft_reproduction_close(opened);
    return status;
}

void weft_reproduction_close(weft_reproduction *book)
{
    if (!book)
        return;
    weft_arena_done(&book->arena);
    free(book);
}

const char *weft_reproduction_name(const weft_reproduction *book)
{
    return book->name;
}

const char *weft_reproduction_title(const weft_reproduction *book)
{
    return book->title;
}

const char *weft_reproduction_source(const weft_reproduction *book)
{
    return book->source;
}

const char *weft_reproduction_note(const weft_reproduction *book)
{
    return book->note;
}

size_t weft_reproduction_figures(const weft_reproduction *book)
{
    return book->n_figures;
}

const weft_figure *weft_reproduction_figure(const weft_reproduction *book, size_t i)
{
    assert(i < book->n_figures);
    return &book->figures[i].shown;
}

void weft_reproduction_prepare(const weft_reproduction *book, size_t figure, weft_effort effort,
                               weft_study_options *options)
{
    assert(figure < book->n_figures);
    const weft_figure_plan *plan = &book->figures[figure];
    options->file = plan->maker == &weft_figure_maker_scenario ? plan->input : NULL;
    options->overrides = plan->variant[effort].overrides;
}

weft_status weft_reproduction_run(const weft_reproduction *book, size_t figure, weft_effort effort,
                                  const weft_study_options *how, const weft_catalog *catalog,
                                  weft_error *err)
{
    assert(figure < book->n_figures && how->results);
    const weft_figure_plan *plan = &book->figures[figure];
    const weft_figure_job job = {
        .figure = plan, .variant = &plan->variant[effort], .how = how, .catalog = catalog};
    return plan->maker->run(&job, err);
}

/* The gravest verdict; what is not claimed changes nothing unless it is all there is. */
static weft_verdict sum_up(const weft_comparison *comparison)
{
    static const weft_verdict by_weight[] = {WEFT_DISAGREES,   WEFT_REFUTED,   WEFT_UNDECIDED,
                                             WEFT_UNEXPLAINED, WEFT_EXPLAINED, WEFT_AGREES};
    for (size_t v = 0; v < sizeof by_weight / sizeof *by_weight; v++)
        for (size_t i = 0; i < comparison->n_claims; i++)
            if (comparison->claims[i].verdict == by_weight[v])
                return by_weight[v];
    return WEFT_NOT_CLAIMED;
}

/* A claim about no point at all: in a full run the study is wrong, in a quick one its points are
 * not run. */
static weft_status check_empty(const holder *h, const weft_figure_plan *figure,
                               weft_claim_result *claim, weft_error *err)
{
    if (claim->n_cells > 0 || strcmp(claim->rule, "not claimed") == 0)
        return WEFT_OK;
    if (h->shown.effort == WEFT_FULL)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "figure %s, claim %s claims nothing: none of the %zu points of the full "
                         "grid is one it is about",
                         figure->shown.name, claim->name, h->shown.points);
    claim->verdict = WEFT_NOT_CLAIMED;
    claim->table = false;
    claim->summary = "";
    claim->reason = "nothing to compare in the quick grid";
    return WEFT_OK;
}

static weft_status judge(holder *h, const weft_figure_plan *figure, int64_t seeds,
                         weft_result *result, weft_error *err)
{
    weft_groups groups;
    WEFT_TRY(weft_groups_read(figure, seeds, result, &h->arena, &groups, err));
    weft_claim_result *claims = WEFT_TAKE(&h->arena, weft_claim_result, figure->n_claims);
    h->shown.points = groups.count;
    for (size_t c = 0; c < figure->n_claims; c++) {
        WEFT_TRY(weft_verdict_judge(figure, c, &groups, &h->arena, &claims[c], err));
        WEFT_TRY(check_empty(h, figure, &claims[c], err));
    }
    h->shown.claims = claims;
    h->shown.n_claims = figure->n_claims;
    h->shown.verdict = sum_up(&h->shown);
    WEFT_TRY(weft_sketches_make(figure, &groups, claims, &h->arena, &h->sketches, err));
    h->shown.n_charts = h->sketches.count;
    h->shown.charts = weft_sketches_show(&h->sketches, &h->arena);
    return WEFT_OK;
}

weft_status weft_reproduction_compare(const weft_reproduction *book, size_t figure,
                                      weft_effort effort, weft_result *result,
                                      weft_comparison **comparison, weft_error *err)
{
    assert(figure < book->n_figures);
    const weft_figure_plan *plan = &book->figures[figure];
    int64_t seeds = plan->variant[effort].seeds;
    holder *h = weft_alloc(sizeof *h);
    weft_arena_init(&h->arena);
    h->shown.figure = &plan->shown;
    h->shown.note = book->note;
    h->shown.effort = effort;
    h->shown.seeds = (size_t)seeds;
    *comparison = NULL;
    weft_status status = judge(h, plan, seeds, result, err);
    if (status == WEFT_OK)
        *comparison = &h->shown;
    else
        weft_comparison_destroy(&h->shown);
    return status;
}

weft_status weft_comparison_overlay(weft_comparison *comparison, const weft_reproduction *book,
                                    size_t figure, const weft_catalog *catalog, weft_error *err)
{
    assert(figure < book->n_figures && comparison->figure == &book->figures[figure].shown);
    holder *h = (holder *)(void *)comparison;
    const weft_overlay *overlay = book->figures[figure].overlay;
    for (size_t i = 0; i < h->sketches.count && overlay; i++)
        WEFT_TRY(weft_sketch_overlay(overlay, &h->sketches.at[i], weft_catalog_registry(catalog),
                                     &h->arena, err));
    h->shown.charts = weft_sketches_show(&h->sketches, &h->arena);
    return WEFT_OK;
}

void weft_comparison_destroy(weft_comparison *comparison)
{
    if (!comparison)
        return;
    holder *h = (holder *)(void *)comparison;
    weft_arena_done(&h->arena);
    free(h);
}
