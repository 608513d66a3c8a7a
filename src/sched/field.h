/* SPDX-License-Identifier: Apache-2.0 */
/* Shared code of schedulers that match outputs and choose the VC of an input last: requests by
 * input and by output, and VC pointers. */
#ifndef WEFT_SCHED_FIELD_H
#define WEFT_SCHED_FIELD_H

#include "interweft/scheduler.h"
#include "sched/set.h"

/* True if the form of the scheduler supports its numbers of ports and VCs. */
static inline bool weft_field_ports_fit(const weft_scheduler *scheduler)
{
    uint32_t most = scheduler->wide ? WEFT_WIDE_MAX : WEFT_CROSSBAR_PORTS_MAX;
    return scheduler->inputs > 0 && scheduler->inputs <= most && scheduler->outputs > 0 &&
           scheduler->outputs <= most && scheduler->n_vcs > 0 && scheduler->n_vcs <= WEFT_VCS_MAX;
}

/* The ports and requests still to be matched. */
typedef struct weft_field {
    uint64_t free_inputs, free_outputs;       /* requesting inputs, requested outputs */
    uint64_t asks[WEFT_CROSSBAR_PORTS_MAX];   /* per output of free_outputs: inputs requesting it */
    uint64_t wanted[WEFT_CROSSBAR_PORTS_MAX]; /* per input of free_inputs: outputs it requests */
} weft_field;

/* Merges the requests of all VCs of an input; leaves asks unchanged. */
static inline void weft_field_rows(const weft_scheduler *scheduler, const weft_requests *requests,
                                   weft_field *open)
{
    uint64_t all = 0;
    for (uint64_t left = requests->asking; left; left &= left - 1) {
        uint32_t x = weft_lowest(left);
        open->wanted[x] = 0;
        for (uint32_t vc = 0; vc < scheduler->n_vcs; vc++)
            open->wanted[x] |= requests->wants[(size_t)x * scheduler->n_vcs + vc];
        all |= open->wanted[x];
    }
    open->free_inputs = requests->asking;
    open->free_outputs = all;
}

/* The same, and fills asks. */
static inline void weft_field_open(const weft_scheduler *scheduler, const weft_requests *requests,
                                   weft_field *open)
{
    weft_field_rows(scheduler, requests, open);
    for (uint64_t left = open->free_outputs; left; left &= left - 1)
        open->asks[weft_lowest(left)] = 0;
    for (uint64_t left = requests->asking; left; left &= left - 1)
        for (uint64_t want = open->wanted[weft_lowest(left)]; want; want &= want - 1)
            open->asks[weft_lowest(want)] |= left & (~left + 1);
}

/* The VC of input x that sends to y: the first requesting one, from its pointer on. */
static inline uint32_t weft_field_vc(const weft_scheduler *scheduler, uint32_t pointer,
                                     const weft_requests *requests, uint32_t x, uint32_t y)
{
    const uint64_t *wants = requests->wants + (size_t)x * scheduler->n_vcs;
    uint32_t vc = pointer;
    assert(vc < scheduler->n_vcs);
    while (!(wants[vc] & weft_bit(y)))
        vc = weft_past(vc, scheduler->n_vcs);
    return vc;
}

/* True if all these one-byte pointers are below n. */
static inline bool weft_all_below(const uint8_t *pointers, uint32_t count, uint32_t n)
{
    bool fine = true;
    for (uint32_t i = 0; i < count; i++)
        fine &= pointers[i] < n;
    return fine;
}

/* The random stream of one match. */
static inline weft_random weft_draws(const weft_occasion *at)
{
    return weft_random_stream(at->seed, at->tick, at->crossbar, WEFT_FOR_ARBITER);
}

#endif
