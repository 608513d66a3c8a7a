/* SPDX-License-Identifier: Apache-2.0 */
/* A stream of matrices through lanes or through one switch. Inputs are made row by row, and a row's
 * sequence is kept: in an enumeration the same rows come again and again, and most matrices differ
 * from the one before in their last rows only. */
#include "crossbar/search.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define CACHE_ROWS  4096 /* a power of two */
#define WATCH_EVERY 1024 /* matrices */
#define WATCH_SLOTS 200000

typedef struct row_cache { /* sequences of rows, where they fit a fixed size */
    uint32_t *keys;        /* n cells each; the first is UINT32_MAX: empty */
    weft_xbar_target *sequences;
} row_cache;

typedef struct stream {
    const weft_xbar_search_plan *plan;
    const weft_xbar_search_watch *watch;
    weft_xbar_counter *counter; /* NULL: matrices are drawn */
    weft_xbar_spread *spread;
    weft_xbar_odometer walk;
    uint64_t index, end, done, slots, watched;
    uint32_t *cell;             /* of the matrix, scaled */
    uint32_t period;            /* slots */
    row_cache cache;            /* smoothed inputs */
    uint32_t *shown;            /* of the matrix before; UINT32_MAX: there was none */
    weft_xbar_target *sequence; /* period × n */
    bool stopped;
} stream;

void weft_xbar_search_matrix(const weft_xbar_search_plan *plan, weft_xbar_counter *counter,
                             uint64_t index, uint32_t *cell)
{
    if (plan->drawn) {
        weft_xbar_draw_matrix(&plan->draw, index, cell);
        return;
    }
    weft_xbar_odometer walk;
    weft_xbar_odometer_init(&walk, plan->n, plan->d);
    weft_xbar_odometer_seek(&walk, counter, index);
    memcpy(cell, walk.cell, (size_t)plan->n * plan->n * sizeof *cell);
}

/* ---- the next matrix ---- */

static bool watched(stream *it)
{
    if (it->done - it->watched >= WATCH_EVERY || it->slots >= WATCH_SLOTS) {
        it->watched = it->done;
        it->slots = 0;
        it->stopped = it->stopped || (it->watch && it->watch->stop(it->watch->user, it->done));
    }
    return it->stopped;
}

static void open_range(stream *it, uint64_t from, uint64_t count)
{
    it->index = from;
    it->end = from + count;
    if (it->plan->drawn || count == 0)
        return;
    weft_xbar_odometer_init(&it->walk, it->plan->n, it->plan->d);
    weft_xbar_odometer_seek(&it->walk, it->counter, from);
}

/* True if a matrix is left, of this range or of the next. */
static bool has_more(stream *it)
{
    uint64_t from, count;
    while (it->index == it->end) {
        if (!it->watch || !it->watch->more || !it->watch->more(it->watch->user, &from, &count))
            return false;
        open_range(it, from, count);
    }
    return true;
}

/* The cells of the next matrix in it->cell; false: there is none. */
static bool next_matrix(stream *it, uint64_t *index)
{
    const weft_xbar_search_plan *plan = it->plan;
    uint32_t cells = plan->n * plan->n;
    if (!has_more(it) || watched(it))
        return false;
    *index = it->index++;
    if (plan->drawn)
        weft_xbar_draw_matrix(&plan->draw, *index, it->cell);
    else
        memcpy(it->cell, it->walk.cell, cells * sizeof *it->cell);
    for (uint32_t k = 0; plan->scale > 1 && k < cells; k++)
        it->cell[k] *= plan->scale;
    if (!plan->drawn && it->index < it->end) {
        bool more = weft_xbar_odometer_next(&it->walk);
        assert(more); /* as the counter has it */
        (void)more;
    }
    return true;
}

static void book(stream *it, uint64_t index, const weft_xbar_steady *steady)
{
    weft_xbar_spread_add(it->spread, index, steady);
    it->done++;
    it->slots += steady->run;
}

/* ---- through lanes ---- */

static const weft_xbar_target *smoothed_row(stream *it, const uint32_t *row)
{
    uint32_t n = it->plan->n;
    uint64_t hash = 0;
    for (uint32_t j = 0; j < n; j++)
        hash = (hash ^ row[j]) * 0x9e3779b97f4a7c15u;
    size_t at = hash >> 52 & (CACHE_ROWS - 1);
    uint32_t *key = it->cache.keys + at * n;
    weft_xbar_target *sequence = it->cache.sequences + at * it->period;
    if (memcmp(key, row, n * sizeof *row) != 0) {
        memcpy(key, row, n * sizeof *row);
        weft_xbar_smux(n, row, it->period, NULL, it->period, sequence, 1);
    }
    return sequence;
}

/* The first row in which the matrix differs from the one before, n: none. */
static uint32_t first_changed(stream *it)
{
    uint32_t n = it->plan->n, cells = n * n, k = 0;
    while (k < cells && it->cell[k] == it->shown[k])
        k++;
    memcpy(it->shown + k, it->cell + k, (cells - k) * sizeof *it->cell);
    return k / n;
}

static const weft_xbar_target *next_smoothed(void *user, uint64_t *index)
{
    stream *it = user;
    uint32_t n = it->plan->n, period = it->period;
    if (!next_matrix(it, index))
        return NULL;
    for (uint32_t i = first_changed(it); i < n; i++) {
        const weft_xbar_target *row = smoothed_row(it, it->cell + (size_t)i * n),
                               *end = row + period;
        for (weft_xbar_target *at = it->sequence + i; row < end; at += n)
            *at = *row++;
    }
    return it->sequence;
}

static const weft_xbar_target *next_other(void *user, uint64_t *index)
{
    stream *it = user;
    weft_xbar_workload workload = {it->plan->n, it->plan->d * it->plan->stretch, it->cell};
    weft_xbar_arrivals arrivals;
    if (!next_matrix(it, index))
        return NULL;
    weft_status status = weft_xbar_arrivals_init(&arrivals, &workload, &it->plan->arrivals, NULL);
    assert(status == WEFT_OK && arrivals.period == it->period && arrivals.lead == 0);
    (void)status;
    memcpy(it->sequence, arrivals.at, (size_t)it->period * it->plan->n * sizeof *it->sequence);
    weft_xbar_arrivals_done(&arrivals);
    return it->sequence;
}

static void done(void *user, uint64_t index, const weft_xbar_steady *steady)
{
    book(user, index, steady);
}

static void run_lanes(stream *it)
{
    const weft_xbar_search_plan *plan = it->plan;
    bool smoothed = plan->arrivals.input == WEFT_INPUT_SMOOTHED;
    weft_xbar_lanes_job job = {.n = plan->n,
                               .period = it->period,
                               .rule = plan->scheduler->rule,
                               .steady = plan->steady,
                               .next = smoothed ? next_smoothed : next_other,
                               .done = done,
                               .user = it};
    it->sequence = weft_alloc((size_t)it->period * plan->n * sizeof *it->sequence);
    it->shown = weft_alloc((size_t)plan->n * plan->n * sizeof *it->shown);
    memset(it->shown, 0xff, (size_t)plan->n * plan->n * sizeof *it->shown);
    it->cache.keys = weft_alloc((size_t)CACHE_ROWS * plan->n * sizeof(uint32_t));
    memset(it->cache.keys, 0xff, (size_t)CACHE_ROWS * plan->n * sizeof(uint32_t));
    it->cache.sequences = weft_alloc((size_t)CACHE_ROWS * it->period * sizeof *it->cache.sequences);
    weft_xbar_lanes_run(&job, (weft_xbar_width)plan->width);
    free(it->sequence);
    free(it->shown);
    free(it->cache.keys);
    free(it->cache.sequences);
}

/* ---- through the scheduler's object ---- */

/* While a matrix takes long; it is finished before a stop. */
static void seen(void *user, uint64_t tick)
{
    stream *it = user;
    (void)tick;
    it->stopped = it->stopped || it->watch->stop(it->watch->user, it->done);
}

static weft_status run_object(stream *it, weft_error *err)
{
    const weft_xbar_search_plan *plan = it->plan;
    weft_xbar_workload workload = {plan->n, plan->d * plan->stretch, it->cell};
    weft_status status = WEFT_OK;
    weft_xbar_switch one;
    uint64_t index;
    weft_xbar_slot_watch watch = {.seen = seen, .user = it};
    weft_xbar_switch_init(&one, plan->scheduler, plan->arrivals.seed);
    one.watch = one.wide && it->watch ? &watch : NULL;
    while (status == WEFT_OK && next_matrix(it, &index)) {
        weft_xbar_arrivals arrivals;
        weft_xbar_steady steady;
        status = weft_xbar_arrivals_init(&arrivals, &workload, &plan->arrivals, err);
        if (status != WEFT_OK)
            break;
        weft_xbar_steady_run(&one, &arrivals, &plan->steady, &steady);
        weft_xbar_arrivals_done(&arrivals);
        book(it, index, &steady);
    }
    weft_xbar_switch_done(&one);
    return status;
}

static bool suits_lanes(const weft_xbar_search_plan *plan, uint32_t period)
{
    const weft_xbar_arrivals_options *in = &plan->arrivals;
    bool periodic = in->input != WEFT_INPUT_BERNOULLI && in->input != WEFT_INPUT_ON_OFF;
    return plan->width != WEFT_WIDTH_OBJECT && periodic && !in->start &&
           weft_xbar_lanes_suit(plan->scheduler, period, &plan->steady);
}

weft_status weft_xbar_search_range(const weft_xbar_search_plan *plan, weft_xbar_counter *counter,
                                   uint64_t from, uint64_t count,
                                   const weft_xbar_search_watch *watch, weft_xbar_spread *spread,
                                   weft_error *err)
{
    const weft_xbar_workload workload = {plan->n, plan->d * plan->stretch, NULL};
    uint64_t period = weft_xbar_arrivals_period(&workload, &plan->arrivals);
    stream it = {.plan = plan,
                 .watch = watch,
                 .counter = counter,
                 .spread = spread,
                 .period = period < UINT32_MAX ? (uint32_t)period : UINT32_MAX}; /* refused */
    open_range(&it, from, count);
    if (!has_more(&it))
        return WEFT_OK;
    it.cell = weft_alloc((size_t)plan->n * plan->n * sizeof *it.cell);
    weft_status status = WEFT_OK;
    if (suits_lanes(plan, it.period))
        run_lanes(&it);
    else
        status = run_object(&it, err);
    free(it.cell);
    if (status == WEFT_OK && it.stopped)
        status = weft_fail(err, WEFT_STOPPED, "stopped; the same command goes on");
    return status;
}
