/* SPDX-License-Identifier: Apache-2.0 */
#include "crossbar/phases.h"

#include "crossbar/recur.h"

#include <assert.h>

typedef struct course { /* of a run, slots that were leapt over included */
    weft_xbar_switch *it;
    weft_xbar_snapshot past;
    uint64_t patience, waited;
    uint64_t skipped, served; /* slots, and cells in them */
} course;

static bool fits(const course *run, uint64_t times)
{
    const weft_xbar_switch *it = run->it;
    for (uint32_t q = 0; q < weft_xbar_switch_queues(it); q++)
        if (it->queue[q] > run->past.queue[q] &&
            times > (UINT32_MAX / 2 - it->queue[q]) / (it->queue[q] - run->past.queue[q]))
            return false;
    return true;
}

/* Lets what has happened since the snapshot happen so many times more. */
static void leap(course *run, uint64_t times, weft_xbar_phase *phase)
{
    weft_xbar_switch *it = run->it;
    for (uint32_t q = 0; q < weft_xbar_switch_queues(it); q++) {
        int64_t change = (int64_t)it->queue[q] - run->past.queue[q];
        it->queue[q] = (uint32_t)((int64_t)it->queue[q] + change * (int64_t)times);
    }
    phase->share = (weft_xbar_share){it->served - run->past.served, it->tick - run->past.tick};
    phase->slots = times * phase->share.slots;
    run->skipped += phase->slots;
    run->served += times * phase->share.served;
    phase->at = it->tick + run->skipped;
    phase->average = (double)(it->served + run->served) / ((double)phase->at * (double)it->n);
}

/* True: there is nothing more to be seen. */
static bool look(course *run, const weft_xbar_arrivals *arrivals, weft_xbar_phases *phases)
{
    uint64_t times;
    weft_xbar_likeness like = weft_xbar_snapshot_compare(&run->past, run->it, arrivals, &times);
    if (like == WEFT_LIKE_FOR_EVER) {
        phases->recurs = true;
        return true;
    }
    bool far = like == WEFT_LIKE_A_WHILE && !run->it->fifo && times > 0;
    if (far) {
        weft_xbar_phase phase;
        if (!fits(run, times))
            return true;
        leap(run, times, &phase);
        assert(phases->n_phases < WEFT_PHASES_MAX);
        phases->phases[phases->n_phases++] = phase;
    }
    if (far || ++run->waited == run->patience) {
        run->patience = far ? 1 : 2 * run->patience;
        run->waited = 0;
        weft_xbar_snapshot_take(&run->past, run->it);
    }
    return phases->n_phases == WEFT_PHASES_MAX;
}

/* How phases grow, and how far the average swings. */
static void sum_up(weft_xbar_phases *phases)
{
    if (phases->n_phases == 0)
        return;
    const weft_xbar_phase *last = &phases->phases[phases->n_phases - 1];
    phases->least = phases->most = last->average;
    for (uint32_t k = phases->n_phases; k-- > 0;) {
        const weft_xbar_phase *one = &phases->phases[k];
        if (one->at < last->at / 4)
            break;
        phases->least = one->average < phases->least ? one->average : phases->least;
        phases->most = one->average > phases->most ? one->average : phases->most;
        bool same = one != last && one->share.served == last->share.served &&
                    one->share.slots == last->share.slots;
        if (same && phases->growth == 0)
            phases->growth = (double)last->slots / (double)one->slots;
    }
}

void weft_xbar_phases_find(weft_xbar_switch *it, weft_xbar_arrivals *arrivals, uint64_t slots,
                           weft_xbar_phases *phases)
{
    weft_xbar_target room[WEFT_SIDE_MAX];
    course run = {.it = it, .patience = 1};
    *phases = (weft_xbar_phases){.n_phases = 0};
    weft_xbar_switch_reset(it);
    while (it->tick < arrivals->lead)
        (void)weft_xbar_switch_step(it, weft_xbar_arrivals_slot(arrivals, it->tick, room));
    weft_xbar_snapshot_init(&run.past, it);
    weft_xbar_snapshot_take(&run.past, it);
    bool over = it->scheduler->draws || arrivals->drawn;
    while (!over && it->tick < slots) {
        for (uint32_t t = 0; t < arrivals->period; t++)
            (void)weft_xbar_switch_step(it, weft_xbar_arrivals_slot(arrivals, it->tick, room));
        over = look(&run, arrivals, phases);
    }
    weft_xbar_snapshot_done(&run.past);
    sum_up(phases);
}
