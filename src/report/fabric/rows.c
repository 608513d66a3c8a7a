/* SPDX-License-Identifier: Apache-2.0 */
#include "report/fabric/rows.h"

#include "report/plain.h"

#include <inttypes.h>
#include <string.h>

#define NAMED 8 /* hosts, channels and links of a note */
#define NONE  "–"
#define ALIKE 3 /* lines for links of one load */

typedef struct filler {
    weft_judged_rows *rows;
    const weft_judgement *judgement;
    weft_arena *arena;
} filler;

/* A cell of a case; "": it has none. */
typedef const char *cell(const weft_judge_case *it, weft_arena *arena);

static void add(filler *f, const char *label, cell *text)
{
    weft_judged_row *row = &f->rows->at[f->rows->count++];
    row->label = label;
    for (size_t i = 0; i < f->judgement->n_cases; i++)
        row->cells[i] = text(&f->judgement->cases[i], f->arena);
}

/* ---- cells ---- */

static const char *hosts(const weft_judge_case *it, weft_arena *arena)
{
    return weft_arena_format(arena, "%u", it->hosts);
}

static const char *switches(const weft_judge_case *it, weft_arena *arena)
{
    return weft_arena_format(arena, "%u", it->there[0]);
}

static const char *cables(const weft_judge_case *it, weft_arena *arena)
{
    return weft_arena_format(arena, "%u", it->there[1]);
}

static double pairs_of(const weft_judge_case *it)
{
    return it->hosts * (it->hosts - 1.0);
}

static const char *percent(weft_arena *arena, uint64_t count, double of)
{
    double share = of > 0 ? 100 * (double)count / of : 0;
    return weft_arena_format(arena, "%.*f %%", share < 10 && share > 0 ? 2 : 1, share);
}

static const char *cut_off(const weft_judge_case *it, weft_arena *arena)
{
    if (!it->followed)
        return NONE;
    return it->lost == 0 ? "none" : percent(arena, it->lost, pairs_of(it));
}

static const char *worst_load(const weft_judge_case *it, weft_arena *arena)
{
    return it->n_worst > 0 ? weft_arena_format(arena, "%.4g", it->worst[0].load) : NONE;
}

static const char *most_load(const weft_judge_case *it, weft_arena *arena)
{
    if (it->n_worst == 0)
        return NONE;
    return weft_arena_format(arena, "%.4g", it->worst[0].load > 1 ? 1 / it->worst[0].load : 1);
}

static const char *free_shifts(const weft_judge_case *it, weft_arena *arena)
{
    return it->hosts < 2 ? NONE
                         : weft_arena_format(arena, "%u of %u", it->shifts_free, it->shifts_seen);
}

static const char *mean_shift(const weft_judge_case *it, weft_arena *arena)
{
    return it->hosts < 2 ? NONE : weft_arena_format(arena, "%.4g", it->shift_mean);
}

static const char *worst_shift(const weft_judge_case *it, weft_arena *arena)
{
    return it->hosts < 2
               ? NONE
               : weft_arena_format(arena, "%.4g (by %u)", it->shift_most, it->shift_worst);
}

static const char *bisection(const weft_judge_case *it, weft_arena *arena)
{
    return it->hosts < 2 ? NONE : weft_arena_format(arena, "%.4f", it->bisection);
}

static const char *half_width(const weft_judge_case *it, weft_arena *arena)
{
    return it->hosts < 2 ? NONE : weft_arena_format(arena, "± %.4f", it->bisection_half_width);
}

static const char *loops(const weft_judge_case *it, weft_arena *arena)
{
    (void)arena;
    return !it->traced ? NONE : it->n_loop > 0 ? "possible" : "none";
}

static const char *unlike(const weft_judge_case *it, weft_arena *arena)
{
    return it->n_unlike > 0 ? weft_arena_format(arena, "%zu", it->n_unlike) : "none";
}

/* ---- rows ---- */

static void add_lengths(filler *f)
{
    const weft_judgement *judgement = f->judgement;
    for (uint32_t h = 0; h <= WEFT_JUDGE_HOPS; h++) {
        bool any = false;
        for (size_t i = 0; i < judgement->n_cases; i++)
            any = any || judgement->cases[i].lengths[h] > 0;
        if (!any)
            continue;
        weft_judged_row *row = &f->rows->at[f->rows->count++];
        row->label = weft_arena_format(f->arena, "paths of %u hop%s", h, h == 1 ? "" : "s");
        for (size_t i = 0; i < judgement->n_cases; i++)
            row->cells[i] =
                percent(f->arena, judgement->cases[i].lengths[h], pairs_of(&judgement->cases[i]));
    }
}

static bool any_lost(const weft_judgement *judgement)
{
    for (size_t i = 0; i < judgement->n_cases; i++)
        if (judgement->cases[i].lost > 0 || judgement->cases[i].changed)
            return true;
    return false;
}

void weft_judged_rows_fill(weft_judged_rows *rows, const weft_judgement *judgement,
                           weft_arena *arena)
{
    filler f = {.rows = rows, .judgement = judgement, .arena = arena};
    rows->count = 0;
    add(&f, "hosts", hosts);
    add(&f, "switches", switches);
    add(&f, "cables between them", cables);
    if (any_lost(judgement))
        add(&f, "pairs cut off", cut_off);
    add_lengths(&f);
    add(&f, "worst link, uniform", worst_load);
    add(&f, "load at most, uniform", most_load);
    add(&f, "shifts uncontended", free_shifts);
    add(&f, "worst link, mean shift", mean_shift);
    add(&f, "worst link, worst shift", worst_shift);
    add(&f, "effective bisection", bisection);
    add(&f, "", half_width);
    add(&f, "credit loops", loops);
    add(&f, "unlike links", unlike);
}

/* ---- notes ---- */

const char *weft_judged_case_name(const weft_judge_case *it, weft_arena *arena)
{
    return it->changed ? weft_arena_format(arena, "%s, changed", it->name) : it->name;
}

/* A name from a file: nothing a terminal could obey. */
static const char *plain(weft_arena *arena, const char *text)
{
    return weft_plain_text(arena, text, strlen(text), 120);
}

/* A link in a line; of many links of one load, the first two and their number. */
static size_t add_worst(const weft_judge_case *it, weft_arena *arena, weft_judged_note *notes)
{
    size_t count = 0, same = 0;
    for (size_t i = 0; i < it->n_worst; i++) {
        const weft_judge_link *link = &it->worst[i];
        same = i > 0 && it->worst[i - 1].load == link->load ? same + 1 : 0;
        if (link->n_alike > ALIKE && same >= ALIKE)
            continue;
        notes[count] = (weft_judged_note){
            count ? "" : "worst links",
            link->n_alike > ALIKE && same == ALIKE - 1
                ? weft_arena_format(arena, "%-6.4g  and %zu more", link->load,
                                    link->n_alike - ALIKE + 1)
                : weft_arena_format(arena, "%-6.4g  %s", link->load, plain(arena, link->name))};
        count++;
    }
    return count;
}

static const char *losses(const weft_judge_case *it, weft_arena *arena)
{
    const char *text = "";
    for (size_t i = 0; i < it->n_losses && i < NAMED; i++)
        text = weft_arena_format(arena, "%s%s%s from %u host%s", text, i ? ", " : "",
                                 plain(arena, it->losses[i].host), it->losses[i].from,
                                 it->losses[i].from == 1 ? "" : "s");
    return it->n_losses > NAMED
               ? weft_arena_format(arena, "%s and %zu more", text, it->n_losses - NAMED)
               : text;
}

/* Names with something between them, the first few. */
static const char *list(weft_arena *arena, const char *const *names, size_t count,
                        const char *between)
{
    const char *text = "";
    for (size_t i = 0; i < count && i < NAMED; i++)
        text = weft_arena_format(arena, "%s%s%s", text, i ? between : "", plain(arena, names[i]));
    return count > NAMED ? weft_arena_format(arena, "%s%s%zu more", text, between, count - NAMED)
                         : text;
}

size_t weft_judged_notes(const weft_judge_case *it, weft_arena *arena,
                         weft_judged_note notes[WEFT_JUDGED_NOTES])
{
    size_t count = add_worst(it, arena, notes);
    if (it->n_gone > 0)
        notes[count++] =
            (weft_judged_note){"gone", weft_arena_format(arena, "%u host%s of the job", it->n_gone,
                                                         it->n_gone == 1 ? "" : "s")};
    if (it->n_losses > 0)
        notes[count++] =
            (weft_judged_note){"cut off", weft_arena_format(arena, "%" PRIu64 " pairs: %s",
                                                            it->lost, losses(it, arena))};
    if (it->n_loop > 0)
        notes[count++] =
            (weft_judged_note){"credit loop", list(arena, it->loop, it->n_loop, " → ")};
    if (it->n_unlike > 0)
        notes[count++] =
            (weft_judged_note){"unlike links", list(arena, it->unlike, it->n_unlike, "; ")};
    return count;
}
