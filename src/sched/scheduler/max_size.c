/* SPDX-License-Identifier: Apache-2.0 */
/* As many pairs as there can be, by augmenting paths: an input that finds all its outputs taken asks
 * the inputs that have them to take others. Inputs and outputs are gone through in ascending order, so
 * the match is one of several, always the same: whoever comes late may starve. The ideal to compare
 * the throughput of one tick with, not a scheduler to build.
 * H. W. Kuhn, The Hungarian method for the assignment problem, 1955, without weights. */
#include "sched/scheduler.h"

#include "sched/lane_state.h"

static weft_status build(weft_scheduler *scheduler, weft_error *err)
{
    (void)err;
    scheduler->bytes = scheduler->inputs;
    return WEFT_OK;
}

typedef struct pairing {
    const weft_field *open;
    uint64_t taken;                /* outputs */
    uint64_t unseen;               /* outputs that this search has not tried */
    uint8_t owner[WEFT_LINES_MAX]; /* per output of taken */
} pairing;

/* Finds an output for x, moving others if need be; at most as deep as there are outputs. */
static bool augment(pairing *all, uint32_t x)
{
    uint64_t free = all->open->wanted[x] & all->unseen & ~all->taken;
    if (free) {
        all->owner[weft_lowest(free)] = (uint8_t)x;
        all->taken |= weft_bit(weft_lowest(free));
        return true;
    }
    uint64_t left;
    while ((left = all->open->wanted[x] & all->unseen) != 0) {
        uint32_t y = weft_lowest(left);
        all->unseen &= ~weft_bit(y);
        if (augment(all, all->owner[y])) {
            all->owner[y] = (uint8_t)x;
            return true;
        }
    }
    return false;
}

static void match(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *found)
{
    weft_field open;
    weft_field_open(scheduler, requests, &open);
    pairing all = {.open = &open};
    for (uint64_t left = requests->asking; left; left &= left - 1) {
        all.unseen = open.free_outputs;
        (void)augment(&all, weft_lowest(left));
    }
    found->inputs = 0;
    for (uint64_t left = all.taken; left; left &= left - 1) {
        uint32_t y = weft_lowest(left);
        weft_lane_pair(scheduler, state, requests, all.owner[y], y, found);
    }
    found->first = found->inputs;
}

const weft_scheduler_kind weft_scheduler_max_size = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_scheduler_kind),
             .name = "max-size",
             .brief = "as many pairs as there can be; may starve, for comparison"},
    .several = true,
    .build = build,
    .reset = weft_lane_reset,
    .match = match,
    .granted = weft_lane_granted,
    .sound = weft_lane_sound,
};
