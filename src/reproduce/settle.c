/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts from findings. What differs is explained or unexplained inside the range that the study
 * gives, and disagrees outside of it. A printed sentence has no such excuse: it agrees, is refuted
 * or stays undecided by its rule alone. */
#include "reproduce/verdict.h"

#include <assert.h>

#define COUNTED(n) (n), (n) == 1 ? "" : "s"

const char *weft_verdict_name(weft_verdict verdict)
{
    static const char *const names[] = {"agrees",    "explained", "unexplained", "refuted",
                                        "undecided", "disagrees", "not claimed"};
    assert((size_t)verdict < sizeof names / sizeof *names);
    return names[verdict];
}

size_t weft_verdict_count(const weft_claim_result *claim, weft_verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < claim->n_cells; i++)
        count += claim->cells[i].verdict == verdict;
    return count;
}

static bool in_range(const weft_known *known, double ours)
{
    return ours >= known->from && ours <= known->to;
}

void weft_verdict_settle(const weft_claim *claim, const weft_known *known, weft_fit fit,
                         const char *difference, weft_arena *arena, weft_cell *cell)
{
    static const weft_verdict of_sentence[] = {[WEFT_FIT_HOLDS] = WEFT_AGREES,
                                               [WEFT_FIT_OPEN] = WEFT_UNDECIDED,
                                               [WEFT_FIT_FAILS] = WEFT_REFUTED};
    cell->verdict = WEFT_DISAGREES;
    cell->reason = difference;
    if (*claim->sentence || fit == WEFT_FIT_HOLDS) {
        cell->verdict = of_sentence[fit];
        cell->reason = fit == WEFT_FIT_HOLDS ? "" : difference;
    } else if (known && in_range(known, cell->ours)) {
        cell->verdict = known->unexplained ? WEFT_UNEXPLAINED : WEFT_EXPLAINED;
        cell->reason = weft_arena_format(arena, "%s; %s", difference, known->reason);
    } else if (known) {
        cell->reason = weft_arena_format(
            arena,
            "%s; a difference is known here, but ours, %.6g, is outside of its range %g … %g",
            difference, cell->ours, known->from, known->to);
    }
}

/* "2 explained, 1 unexplained difference" */
static const char *known_text(size_t explained, size_t unexplained, weft_arena *arena)
{
    if (unexplained == 0)
        return weft_arena_format(arena, "%zu explained difference%s", COUNTED(explained));
    if (explained == 0)
        return weft_arena_format(arena, "%zu unexplained difference%s", COUNTED(unexplained));
    return weft_arena_format(arena, "%zu explained, %zu unexplained difference%s", explained,
                             COUNTED(unexplained));
}

void weft_verdict_conclude(const weft_claim *claim, const char *fault, const char *open,
                           weft_arena *arena, weft_claim_result *out)
{
    size_t explained = weft_verdict_count(out, WEFT_EXPLAINED),
           unexplained = weft_verdict_count(out, WEFT_UNEXPLAINED),
           wrong = weft_verdict_count(out, WEFT_DISAGREES);
    bool printed = *claim->sentence != '\0';
    fault = *fault || printed ? fault : open;
    out->reason = fault;
    if (*fault)
        out->verdict = printed ? WEFT_REFUTED : WEFT_DISAGREES;
    else if (printed && (*open || weft_verdict_count(out, WEFT_UNDECIDED)))
        out->verdict = WEFT_UNDECIDED;
    else
        out->verdict = wrong         ? WEFT_DISAGREES
                       : unexplained ? WEFT_UNEXPLAINED
                       : explained   ? WEFT_EXPLAINED
                                     : WEFT_AGREES;
    if (*fault)
        return;
    if (out->verdict == WEFT_UNDECIDED)
        out->reason = *open ? open : "what differs may do so by chance";
    else if (wrong)
        out->reason =
            weft_arena_format(arena, "%zu known difference%s out of range", COUNTED(wrong));
    else if (explained || unexplained)
        out->reason = known_text(explained, unexplained, arena);
}
