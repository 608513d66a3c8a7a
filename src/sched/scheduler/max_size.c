/* SPDX-License-Identifier: Apache-2.0 */
/* Maximum size matching by augmenting paths: an input whose outputs are all taken moves the inputs
 * that have them to others. Inputs and outputs are visited in ascending order, so of several
 * maximum matches always the same is found: late ports may starve. A reference for the throughput
 * of one tick, not a scheduler to build. H. W. Kuhn, The Hungarian method for the assignment
 * problem, 1955, without weights. */
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#include "sched/vc_state.h"

static weft_status build(weft_scheduler *scheduler, weft_error *err)
{
    (void)err;
    scheduler->bytes = weft_vc_bytes(scheduler);
    return WEFT_OK;
}

typedef struct pairing {
    uint32_t words;
    const uint64_t *wants; /* per input */
    uint64_t *taken;       /* outputs */
    uint64_t *unseen;      /* outputs that this search has not tried */
    uint16_t *owner;       /* per output of taken */
} pairing;

typedef bool search(pairing *all, uint32_t x);

/* Finds an output for x, moving others if need be (by `deeper`, this search with x another
 * input); at most as deep as there are outputs. */
WEFT_RULE bool augment(uint32_t words, pairing *all, uint32_t x, search *deeper)
{
    const uint64_t *wants = all->wants + (size_t)x * words;
    uint64_t free[WEFT_WIDE_WORDS];
    for (uint32_t w = 0; w < words; w++)
        free[w] = wants[w] & all->unseen[w] & ~all->taken[w];
    uint32_t end = 64 * words, y = weft_set_next(words, free, 0);
    if (y < end) {
        all->owner[y] = (uint16_t)x;
        weft_set_add(words, all->taken, y);
        return true;
    }
    while (weft_set_both(words, wants, all->unseen, free)) {
        y = weft_set_next(words, free, 0);
        weft_set_remove(words, all->unseen, y);
        if (deeper(all, all->owner[y])) {
            all->owner[y] = (uint16_t)x;
            return true;
        }
    }
    return false;
}

static bool augment_word(pairing *all, uint32_t x)
{
    return augment(1, all, x, augment_word);
}

static bool augment_wide(pairing *all, uint32_t x)
{
    return augment(all->words, all, x, augment_wide);
}

WEFT_RULE void pair_all(uint32_t words, const pairing *all, const weft_pairs *into)
{
    for (uint32_t y = weft_set_next(words, all->taken, 0); y < 64 * words;
         y = weft_set_next(words, all->taken, y + 1))
        weft_pair(into, all->owner[y], y);
}

static void match(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *found)
{
    const weft_pairs into = {found, scheduler, state, requests, NULL};
    uint64_t taken = 0, unseen;
    uint16_t owner[WEFT_CROSSBAR_PORTS_MAX];
    weft_field open;
    weft_field_rows(scheduler, requests, &open);
    pairing all = {1, open.wanted, &taken, &unseen, owner};
    for (uint64_t left = requests->asking; left; left &= left - 1) {
        unseen = open.free_outputs;
        (void)augment_word(&all, weft_lowest(left));
    }
    found->inputs = 0;
    pair_all(1, &all, &into);
    found->first = found->inputs;
}

static size_t room(const weft_scheduler *scheduler)
{
    return (sizeof(uint16_t) * scheduler->outputs + 7) / 8 * 8;
}

static void match_wide(const weft_scheduler *scheduler, void *state,
                       const weft_wide_requests *requests, weft_wide_match *found)
{
    (void)state;
    const weft_pairs into = {.wide = found};
    uint64_t taken[WEFT_WIDE_WORDS] = {0}, unseen[WEFT_WIDE_WORDS] = {0};
    uint32_t words = requests->words;
    pairing all = {words, requests->wants, taken, unseen, requests->room};
    for (uint32_t x = weft_set_next(words, requests->asking, 0); x < 64 * words;
         x = weft_set_next(words, requests->asking, x + 1)) {
        weft_set_fill(unseen, scheduler->outputs);
        (void)augment_wide(&all, x);
    }
    weft_set_clear(words, found->inputs);
    pair_all(words, &all, &into);
}

const weft_scheduler_kind weft_scheduler_max_size = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_scheduler_kind),
             .name = "max-size",
             .brief = "as many pairs as there can be; may starve, for comparison"},
    .several = true,
    .build = build,
    .reset = weft_vc_reset,
    .match = match,
    .granted = weft_vc_granted,
    .sound = weft_vc_sound,
    .match_wide = match_wide,
    .room = room,
};
