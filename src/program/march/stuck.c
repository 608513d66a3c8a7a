/* SPDX-License-Identifier: Apache-2.0 */
/* Why ranks of a schedule cannot go on. */
#include "base/memory.h"
#include "program/march/march.h"

#include <stdlib.h>

#define SHOWN 12

/* Its first step that has not ended: what it receives, or else what it sends. */
uint32_t weft_march_waits(const weft_march *march, uint32_t local)
{
    const weft_march_rank *rank = &march->ranks[local];
    const weft_phased *schedule = march->schedule;
    if (rank->repetition >= march->repeats || rank->phase >= schedule->n_phases ||
        !schedule->phases[rank->phase].collective.kind)
        return 0;
    for (uint32_t c = 0; c < schedule->chains; c++) {
        const weft_march_chain *chain = &march->chains[(size_t)local * schedule->chains + c];
        if (chain->left == 0)
            continue;
        weft_phased_name name = {rank->repetition, rank->phase, chain->first, WEFT_PHASED_SENT};
        weft_collective_step step =
            weft_phased_step(schedule, rank->phase, rank->rank, chain->first);
        if (step.from != WEFT_PROGRAM_NONE)
            name.part = WEFT_PHASED_ANSWER;
        return weft_phased_number(schedule, name) + 1;
    }
    return 0;
}

/* Adds a line about a rank that waits; returns the one it waits for. */
static uint32_t tell(const weft_phased *schedule, uint32_t rank, uint32_t number, weft_text *text)
{
    weft_phased_name name = weft_phased_name_of(schedule, number);
    weft_collective_step step = weft_phased_step(schedule, name.phase, rank, name.step);
    bool receives = name.part == WEFT_PHASED_ANSWER;
    uint32_t peer = receives ? step.from : step.to;
    weft_text_add(text, "\n  rank %u waits at %s %llu B %s rank %u (step %u of %s, repetition %u)",
                  rank, receives ? "recv" : "send",
                  (unsigned long long)(receives ? step.receive : step.send),
                  receives ? "from" : "to", peer, name.step + 1, schedule->phases[name.phase].name,
                  name.repetition + 1);
    return peer;
}

weft_status weft_march_stuck(const weft_phased *schedule, const uint32_t *waits, uint64_t now,
                             const char *name, weft_error *err)
{
    uint32_t rank = 0, waiting = 0, shown = 0;
    uint8_t *seen = weft_alloc(schedule->ranks);
    weft_text text;
    for (uint32_t r = schedule->ranks; r-- > 0;)
        if (waits[r]) {
            rank = r;
            waiting++;
        }
    weft_text_init(&text);
    weft_text_add(&text, "%s cannot end: %u of %u ranks wait, since tick %llu", name, waiting,
                  schedule->ranks, (unsigned long long)now);
    for (; waits[rank] && !seen[rank] && shown < SHOWN; shown++) {
        seen[rank] = 1;
        rank = tell(schedule, rank, waits[rank] - 1, &text);
    }
    if (!waits[rank])
        weft_text_add(&text, "\n  rank %u has nothing left to do for it", rank);
    else if (seen[rank])
        weft_text_add(&text, "\n  and so on in a circle from rank %u", rank);
    else
        weft_text_add(&text, "\n  and so on");
    weft_status status = weft_fail(err, WEFT_BROKEN, "%.4000s", text.at);
    weft_text_done(&text);
    free(seen);
    return status;
}
