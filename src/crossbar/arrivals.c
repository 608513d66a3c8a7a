/* SPDX-License-Identifier: Apache-2.0 */
#include "crossbar/arrivals.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_MAX   ((uint64_t)1 << 28) /* slots × inputs */
#define PERIODS_MAX 64 /* of flows that start at different times, until they repeat */

static void fill_clustered(const weft_xbar_workload *workload, weft_xbar_target *at)
{
    uint32_t n = workload->n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t t = 0;
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t k = 0; k < workload->cell[i * n + j]; k++)
                at[(size_t)t++ * n + i] = (weft_xbar_target)j;
        for (; t < workload->period; t++)
            at[(size_t)t * n + i] = WEFT_IDLE;
    }
}

static void fill_smoothed(const weft_xbar_workload *workload, const uint32_t *start, uint64_t slots,
                          weft_xbar_target *at)
{
    uint32_t n = workload->n;
    for (uint32_t i = 0; i < n; i++)
        weft_xbar_smux(n, workload->cell + (size_t)i * n, workload->period,
                       start ? start + (size_t)i * n : NULL, slots, at + i, n);
}

static void repeat(weft_xbar_target *at, uint32_t n, uint32_t slots, uint32_t times)
{
    for (uint32_t t = slots; t-- > 0;)
        for (uint32_t k = times; k-- > 0;)
            memmove(at + ((size_t)t * times + k) * n, at + (size_t)t * n, n * sizeof *at);
}

/* Periods until two in a row are alike once all flows have started. */
static weft_status fill_started(weft_xbar_arrivals *arrivals, const weft_xbar_workload *workload,
                                const uint32_t *start, weft_error *err)
{
    uint32_t n = workload->n, last = 0;
    size_t places = (size_t)workload->period * n;
    for (uint32_t k = 0; k < n * n; k++)
        last = workload->cell[k] && start[k] > last ? start[k] : last;
    uint64_t lead = (uint64_t)last / workload->period + 1, most = lead + PERIODS_MAX;
    for (; lead < most; lead++) {
        if ((lead + 2) * places > TABLE_MAX)
            break;
        arrivals->at = weft_realloc(arrivals->at, lead + 2, places * sizeof *arrivals->at);
        fill_smoothed(workload, start, (lead + 2) * workload->period, arrivals->at);
        if (memcmp(arrivals->at + lead * places, arrivals->at + (lead + 1) * places,
                   places * sizeof *arrivals->at) != 0)
            continue;
        arrivals->lead = (uint32_t)(lead * workload->period);
        return WEFT_OK;
    }
    unsigned long long slots = (lead + 2) * workload->period;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "starts: the inputs take %llu slots or more until they repeat themselves, "
                     "which is too long; choose earlier starts, a smaller sum of the rows or a rho "
                     "with fewer digits",
                     slots);
}

static weft_status fill(weft_xbar_arrivals *arrivals, const weft_xbar_workload *workload,
                        const weft_xbar_arrivals_options *options, weft_error *err)
{
    if (options->input == WEFT_INPUT_SMOOTHED && options->start)
        return fill_started(arrivals, workload, options->start, err);
    if (options->input == WEFT_INPUT_SMOOTHED || options->input == WEFT_INPUT_BURSTY)
        fill_smoothed(workload, NULL, workload->period, arrivals->at);
    else
        fill_clustered(workload, arrivals->at);
    if (options->input == WEFT_INPUT_BURSTY) {
        repeat(arrivals->at, workload->n, workload->period, options->burst);
        arrivals->period *= options->burst;
    }
    return WEFT_OK;
}

uint64_t weft_xbar_arrivals_period(const weft_xbar_workload *workload,
                                   const weft_xbar_arrivals_options *options)
{
    uint32_t times = options->input == WEFT_INPUT_BURSTY ? options->burst : 1;
    return (uint64_t)workload->period * times;
}

weft_status weft_xbar_arrivals_check(const weft_xbar_workload *workload,
                                     const weft_xbar_arrivals_options *options, weft_error *err)
{
    uint64_t slots = weft_xbar_arrivals_period(workload, options);
    if (slots * workload->n <= TABLE_MAX)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "a period of %llu slots is too long; choose a smaller sum of the rows (or "
                     "burst, or a rho with fewer digits)",
                     (unsigned long long)slots);
}

weft_status weft_xbar_arrivals_init(weft_xbar_arrivals *arrivals,
                                    const weft_xbar_workload *workload,
                                    const weft_xbar_arrivals_options *options, weft_error *err)
{
    assert(options->burst > 0);
    *arrivals =
        (weft_xbar_arrivals){.n = workload->n, .period = workload->period, .seed = options->seed};
    WEFT_TRY(weft_xbar_arrivals_check(workload, options, err));
    uint64_t places = workload->n * weft_xbar_arrivals_period(workload, options);
    arrivals->drawn = options->input == WEFT_INPUT_BERNOULLI || options->input == WEFT_INPUT_ON_OFF;
    arrivals->burst = options->input == WEFT_INPUT_ON_OFF ? options->burst : 0;
    if (arrivals->burst)
        arrivals->now = weft_alloc(workload->n * sizeof *arrivals->now);
    arrivals->at = weft_alloc(places * sizeof *arrivals->at);
    weft_status status = fill(arrivals, workload, options, err);
    if (status != WEFT_OK)
        weft_xbar_arrivals_done(arrivals);
    return status;
}

void weft_xbar_arrivals_done(weft_xbar_arrivals *arrivals)
{
    free(arrivals->at);
    free(arrivals->now);
    arrivals->at = arrivals->now = NULL;
}

/* The output of one slot of the period, by lot: all flows, and idling, by their shares. */
static weft_xbar_target draw(const weft_xbar_arrivals *arrivals, weft_random *random, uint32_t i)
{
    return arrivals->at[(size_t)weft_random_below(random, arrivals->period) * arrivals->n + i];
}

/* A burst ends after each slot with probability 1 / b. What comes after it is drawn as if a slot
 * were b slots long: another burst, or an idle time of b slots on average. So the share of idle
 * slots is that of the period, and the number of cells per burst has mean b. */
static void draw_bursts(weft_xbar_arrivals *arrivals, weft_random *random, bool begins)
{
    for (uint32_t i = 0; i < arrivals->n; i++)
        if (begins || weft_random_below(random, arrivals->burst) == 0)
            arrivals->now[i] = draw(arrivals, random, i);
}

const weft_xbar_target *weft_xbar_arrivals_slot(weft_xbar_arrivals *arrivals, uint64_t t,
                                                weft_xbar_target *room)
{
    if (!arrivals->drawn) {
        uint64_t at =
            t < arrivals->lead ? t : arrivals->lead + (t - arrivals->lead) % arrivals->period;
        return arrivals->at + at * arrivals->n;
    }
    weft_random random = weft_random_stream(arrivals->seed, t, 1, WEFT_FOR_LABORATORY);
    if (arrivals->burst) {
        draw_bursts(arrivals, &random, t == 0);
        return arrivals->now;
    }
    for (uint32_t i = 0; i < arrivals->n; i++)
        room[i] = draw(arrivals, &random, i);
    return room;
}
