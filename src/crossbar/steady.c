/* SPDX-License-Identifier: Apache-2.0 */
/* Recurrence by Brent's method: the state is compared with a snapshot at every period of the
 * input, and the snapshot is taken anew after 1, 2, 4, … of them. */
#include "crossbar/steady.h"

#include "crossbar/recur.h"

#include <assert.h>
#include <string.h>

#define PAPER_FIRST   40000
#define PAPER_WINDOW  2000
#define PAPER_LAST    200000
#define PAPER_RESULTS 5
#define WINDOWS       16 /* up to the cap */

/* ---- windows ---- */

static bool less(weft_xbar_share a, weft_xbar_share b)
{
    return a.served * b.slots < b.served * a.slots;
}

void weft_xbar_steady_book(weft_xbar_steady *steady, weft_xbar_share window)
{
    bool first = steady->share.slots == 0;
    steady->share.served += window.served;
    steady->share.slots += window.slots;
    if (first || less(window, steady->least))
        steady->least = window;
    if (first || less(steady->most, window))
        steady->most = window;
}

static weft_xbar_share run_for(weft_xbar_switch *it, weft_xbar_arrivals *arrivals, uint64_t slots)
{
    weft_xbar_target room[WEFT_SIDE_MAX];
    uint64_t before = it->served;
    for (uint64_t t = 0; t < slots; t++)
        (void)weft_xbar_switch_step(it, weft_xbar_arrivals_slot(arrivals, it->tick, room));
    return (weft_xbar_share){it->served - before, slots};
}

uint64_t weft_xbar_steady_window(uint64_t cap, uint32_t period)
{
    uint64_t all = (cap + period - 1) / period;
    return all > WINDOWS ? (all + WINDOWS - 1) / WINDOWS : 1;
}

uint64_t weft_xbar_steady_slots(const weft_xbar_steady_options *options, uint32_t period)
{
    return options->stop == WEFT_STOP_PAPER
               ? PAPER_LAST
               : WINDOWS * weft_xbar_steady_window(options->cap, period) * period;
}

/* The rule of the paper: averages of windows, five in a row within 0.001 of each other. */
static void run_paper(weft_xbar_switch *it, weft_xbar_arrivals *arrivals, weft_xbar_steady *steady)
{
    weft_xbar_share last[PAPER_RESULTS];
    uint32_t count = 0;
    (void)run_for(it, arrivals, PAPER_FIRST);
    while (it->tick < PAPER_LAST) {
        memmove(last, last + 1, sizeof last - sizeof *last);
        last[PAPER_RESULTS - 1] = run_for(it, arrivals, PAPER_WINDOW);
        if (++count < PAPER_RESULTS)
            continue;
        steady->share = (weft_xbar_share){0, 0};
        for (uint32_t k = 0; k < PAPER_RESULTS; k++)
            weft_xbar_steady_book(steady, last[k]);
        if ((steady->most.served - steady->least.served) * 1000 < (uint64_t)PAPER_WINDOW * it->n)
            return;
    }
}

/* A whole number of periods, then the state is compared with the snapshot of 1, 3, 7, … periods. */
typedef struct search {
    weft_xbar_snapshot past;
    uint64_t patience, waited; /* periods until the next snapshot, since this one */
    bool wanted;
} search;

static bool recurs(search *look, weft_xbar_switch *it, const weft_xbar_arrivals *arrivals,
                   weft_xbar_steady *steady)
{
    const weft_xbar_snapshot *past = &look->past;
    uint64_t times;
    if (weft_xbar_snapshot_compare(past, it, arrivals, &times) == WEFT_LIKE_FOR_EVER) {
        steady->exact = true;
        steady->share = (weft_xbar_share){it->served - past->served, it->tick - past->tick};
        steady->began = past->tick;
        return true;
    }
    if (++look->waited == look->patience) {
        look->patience *= 2;
        look->waited = 0;
        weft_xbar_snapshot_take(&look->past, it);
    }
    return false;
}

/* One window; true: the state recurs, and the window was not ended. */
static bool run_window(search *look, weft_xbar_switch *it, weft_xbar_arrivals *arrivals,
                       uint64_t periods, bool measured, weft_xbar_steady *steady)
{
    uint64_t before = it->served;
    for (uint64_t k = 0; k < periods; k++) {
        (void)run_for(it, arrivals, arrivals->period);
        if (look->wanted && recurs(look, it, arrivals, steady))
            return true;
    }
    if (measured)
        weft_xbar_steady_book(steady,
                              (weft_xbar_share){it->served - before, periods * arrivals->period});
    return false;
}

static void run_windows(weft_xbar_switch *it, weft_xbar_arrivals *arrivals,
                        const weft_xbar_steady_options *options, weft_xbar_steady *steady)
{
    search look = {.patience = 1,
                   .wanted = options->stop == WEFT_STOP_EXACT && !arrivals->drawn &&
                             !it->scheduler->draws};
    uint64_t periods = weft_xbar_steady_window(options->cap, arrivals->period);
    weft_xbar_snapshot_init(&look.past, it);
    (void)run_for(it, arrivals, arrivals->lead);
    weft_xbar_snapshot_take(&look.past, it);
    for (uint32_t w = 0; w < WINDOWS && !steady->exact; w++)
        if (run_window(&look, it, arrivals, periods, w >= WINDOWS / 2, steady)) {
            steady->least = steady->most = (weft_xbar_share){0, 0};
            break;
        }
    weft_xbar_snapshot_done(&look.past);
}

void weft_xbar_steady_run(weft_xbar_switch *it, weft_xbar_arrivals *arrivals,
                          const weft_xbar_steady_options *options, weft_xbar_steady *steady)
{
    *steady = (weft_xbar_steady){0};
    weft_xbar_switch_reset(it);
    if (options->stop == WEFT_STOP_PAPER)
        run_paper(it, arrivals, steady);
    else
        run_windows(it, arrivals, options, steady);
    steady->run = it->tick;
}
