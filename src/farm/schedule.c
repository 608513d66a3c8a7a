/* SPDX-License-Identifier: Apache-2.0 */
/* Widths by trying: for a falling series of times, every item gets the least width that should
 * bring it below that time; the work queue is run on the estimates, and the widths that end the
 * grid first are kept. The rule for one time is that of dual approximation for tasks of variable
 * width (G. Mounié, C. Rapine and D. Trystram, SIAM Journal on Computing 37(2), 2007).
 *
 * Model: a window of E events takes a team of w members the time of E/w events and, if w > 1, of
 * EXCHANGE more. Below LEAST_EVENTS a member and window nothing is widened for time's sake. */
#include "farm/schedule.h"

#include "base/memory.h"
#include "farm/work_queue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define EXCHANGE     150.0  /* events' worth of time that an exchange takes */
#define LEAST_EVENTS 1000.0 /* a member and window */
#define THREAD_EVENTS \
    400.0 /* a thread and window: with fewer, another thread costs more than it brings */
#define THREAD_ROUTERS 512.0             /* a thread: blocks cost memory of their own */
#define STEP           1.189207115002721 /* between the times that are tried: four to an octave */
/* a plan is replaced by one that takes less than this part of its time */
#define WORTHWHILE     0.98
#define SHORT          8 /* if no item takes a share / SHORT, sharing any gains nearly nothing */

typedef struct search {
    uint32_t members;
    size_t n_items;
    weft_schedule_item *items; /* with the widths being tried */
    uint32_t *low, *high;      /* the widths each item may have */
    uint32_t *best;
    double best_seconds;
    size_t *order; /* the longest first */
} search;

uint32_t weft_schedule_threads(uint32_t most, double events_a_window, double routers)
{
    double pay = events_a_window / THREAD_EVENTS, fit = routers / THREAD_ROUTERS;
    pay = pay < fit ? pay : fit;
    uint32_t threads = pay < most ? (uint32_t)pay : most;
    return threads > 1 ? threads : 1;
}

double weft_schedule_seconds(const weft_schedule_item *item, uint32_t width)
{
    assert(width >= 1);
    if (!(item->seconds > 0))
        return 0;
    if (width == 1)
        return item->seconds;
    double events = item->events_a_window > 1 ? item->events_a_window : 1;
    return item->seconds * (1.0 / width + EXCHANGE / events);
}

/* Members at work, a heap with the one that is done first on top. */
typedef struct crowd {
    size_t n_workers;
    struct worker {
        double end;
        uint32_t member;
    } * workers;
} crowd;

static void crowd_add(crowd *c, double end, uint32_t member)
{
    size_t at = c->n_workers++;
    for (; at > 0 && c->workers[(at - 1) / 2].end > end; at = (at - 1) / 2)
        c->workers[at] = c->workers[(at - 1) / 2];
    c->workers[at] = (struct worker){end, member};
}

static struct worker crowd_take(crowd *c)
{
    assert(c->n_workers > 0);
    struct worker first = c->workers[0], last = c->workers[--c->n_workers];
    size_t at = 0;
    for (size_t child = 1; child < c->n_workers; child = 2 * at + 1) {
        if (child + 1 < c->n_workers && c->workers[child + 1].end < c->workers[child].end)
            child++;
        if (c->workers[child].end >= last.end)
            break;
        c->workers[at] = c->workers[child];
        at = child;
    }
    c->workers[at] = last;
    return first;
}

static double play(weft_work_queue *work_queue, const weft_schedule_item *items, crowd *busy)
{
    weft_assignment assignment;
    double now = 0;
    for (;;) {
        while (weft_work_queue_next(work_queue, now, &assignment))
            for (uint32_t k = 0; k < assignment.n_ranks; k++)
                crowd_add(busy,
                          now + weft_schedule_seconds(&items[assignment.item], assignment.n_ranks),
                          assignment.ranks[k]);
        if (busy->n_workers == 0)
            return now;
        for (now = busy->workers[0].end; busy->n_workers > 0 && busy->workers[0].end <= now;)
            weft_work_queue_done(work_queue, crowd_take(busy).member);
    }
}

double weft_schedule_makespan(uint32_t members, size_t count, const weft_schedule_item *items)
{
    weft_farm_item *wanted = weft_alloc(count * sizeof *wanted);
    for (size_t i = 0; i < count; i++)
        wanted[i] = (weft_farm_item){items[i].seconds, items[i].width};
    crowd busy = {.workers = weft_alloc((size_t)members * sizeof *busy.workers)};
    weft_work_queue *work_queue = weft_work_queue_create(members, count, wanted, false);
    double end = play(work_queue, items, &busy);
    assert(weft_work_queue_left(work_queue) == 0);
    weft_work_queue_destroy(work_queue);
    free(busy.workers);
    free(wanted);
    return end;
}

/* The least number of members among which the item's memory fits. */
static uint32_t width_for_memory(const weft_schedule_options *options, int64_t bytes)
{
    if (options->memory <= 0 || bytes <= options->memory)
        return 1;
    int64_t width = bytes / options->memory + (bytes % options->memory > 0);
    return width < options->members ? (uint32_t)width : options->members;
}

static void bound(search *s, const weft_schedule_options *options)
{
    for (size_t i = 0; i < s->n_items; i++) {
        weft_schedule_item *item = &s->items[i];
        double useful = item->events_a_window / LEAST_EVENTS;
        if (item->width > 0) {
            s->low[i] = item->width < s->members ? item->width : s->members;
            s->high[i] = s->low[i];
            continue;
        }
        s->low[i] = width_for_memory(options, item->bytes);
        s->high[i] = useful >= s->members ? s->members : useful > 1 ? (uint32_t)useful : 1;
        if (s->high[i] < s->low[i])
            s->high[i] = s->low[i];
    }
}

/* The next greater width worth trying: 2, 3, 4, 6, 8, 12, 16 … or everybody. */
static uint32_t wider(const search *s, uint32_t width)
{
    uint32_t power = 1;
    while (2 * power <= width)
        power *= 2;
    uint32_t next = width == 1 ? 2 : width < power / 2 * 3 ? power / 2 * 3 : 2 * power;
    return next < s->members ? next : s->members;
}

/* The least width that brings item i below this time, or the one that is fastest. */
static uint32_t width_for_time(const search *s, size_t i, double seconds)
{
    const weft_schedule_item *item = &s->items[i];
    uint32_t fastest = s->low[i];
    double least = weft_schedule_seconds(item, fastest);
    for (uint32_t w = fastest; w < s->high[i] && least > seconds;) {
        w = wider(s, w);
        if (w <= s->high[i] && weft_schedule_seconds(item, w) < least) {
            fastest = w;
            least = weft_schedule_seconds(item, w);
        }
    }
    return fastest;
}

static void keep(search *s, double seconds)
{
    s->best_seconds = seconds;
    for (size_t i = 0; i < s->n_items; i++)
        s->best[i] = s->items[i].width;
}

/* Tries the plan in which the `widened` longest items are to take less than this time each. */
static void try_time(search *s, double seconds, size_t widened)
{
    bool other = false;
    for (size_t k = 0; k < s->n_items; k++) {
        size_t i = s->order[k];
        uint32_t width = k < widened ? width_for_time(s, i, seconds) : s->low[i];
        other |= width != s->items[i].width;
        s->items[i].width = width;
    }
    if (!other)
        return;
    double whole = weft_schedule_makespan(s->members, s->n_items, s->items);
    if (whole < WORTHWHILE * s->best_seconds)
        keep(s, whole);
}

static int compare(const void *a, const void *b, void *items)
{
    size_t i = *(const size_t *)a, j = *(const size_t *)b;
    double x = ((const weft_schedule_item *)items)[i].seconds;
    double y = ((const weft_schedule_item *)items)[j].seconds;
    if (x != y)
        return x > y ? -1 : 1;
    return i < j ? -1 : 1;
}

/* Tries shorter and shorter times, for all items and for as many as the rounds of one item per
 * member leave over. */
static void look(search *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->n_items; i++) {
        s->order[i] = i;
        sum += weft_schedule_seconds(&s->items[i], 1);
        s->items[i].width = s->low[i];
    }
    qsort_r(s->order, s->n_items, sizeof *s->order, compare, s->items);
    keep(s, weft_schedule_makespan(s->members, s->n_items, s->items));
    double longest = weft_schedule_seconds(&s->items[s->order[0]], 1);
    double share = sum / s->members; /* no plan is shorter */
    if (longest * SHORT <= share)
        return;
    for (double t = longest; t * 2 * s->members > longest; t /= STEP) {
        if (share >= WORTHWHILE * s->best_seconds)
            return;
        try_time(s, t, s->n_items);
        if (s->n_items % s->members)
            try_time(s, t, s->n_items % s->members);
    }
}

void weft_schedule_widths(const weft_schedule_options *options, size_t count,
                          weft_schedule_item *items)
{
    assert(options->members > 0);
    if (count == 0)
        return;
    search s = {.members = options->members,
                .n_items = count,
                .items = items,
                .low = weft_alloc(count * sizeof *s.low),
                .high = weft_alloc(count * sizeof *s.high),
                .best = weft_alloc(count * sizeof *s.best),
                .order = weft_alloc(count * sizeof *s.order)};
    bound(&s, options);
    look(&s);
    for (size_t i = 0; i < count; i++)
        items[i].width = s.best[i];
    free(s.low);
    free(s.high);
    free(s.best);
    free(s.order);
}
