/* SPDX-License-Identifier: Apache-2.0 */
/* List scheduling with backfilling (A. W. Mu'alem and D. G. Feitelson, IEEE Transactions on
 * Parallel and Distributed Systems 12(6), 2001: the variant called EASY, with the time promised
 * to the first waiting item kept). Estimates only steer: wrong ones cost time, never an item.
 *
 * 1. A member holds no item (it is idle), one, or one and another ahead.
 * 2. The idle members have been offered everything they may get when `settled`. */
#include "farm/work_queue.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

#define MANY  4  /* items left per member: enough to hand some out ahead */
#define DEPTH 64 /* places behind the first one that are looked at for what may go before it */

typedef struct place { /* of an item in the order */
    size_t item;
    double seconds;
    uint32_t width;
    bool dealt;
} place;

struct weft_work_queue {
    uint32_t members, idle;
    bool ahead, settled;
    size_t count, left;
    place *order;
    size_t head;         /* the first place that is not dealt */
    size_t wide;         /* the first place of a narrow item */
    double seconds_left; /* of what is not dealt */
    uint32_t *held;      /* items of each member */
    double *until;       /* when each member should have no item left */
    size_t waiting;      /* the place that idle members are kept for … */
    double by;           /* … and when it should begin at the latest */
    uint32_t *ranks;
    double *ends; /* scratch */
};

static int compare(const void *a, const void *b)
{
    const place *p = a, *q = b;
    bool wide = p->width > 1, other = q->width > 1;
    if (wide != other)
        return wide ? -1 : 1;
    if (p->seconds != q->seconds)
        return p->seconds > q->seconds ? -1 : 1;
    return p->item < q->item ? -1 : 1;
}

weft_work_queue *weft_work_queue_create(uint32_t members, size_t count, const weft_farm_item *items,
                                        bool ahead)
{
    assert(members > 0);
    weft_work_queue *d = weft_alloc(sizeof *d);
    *d = (weft_work_queue){.members = members,
                           .idle = members,
                           .ahead = ahead,
                           .count = count,
                           .left = count,
                           .order = weft_alloc(count * sizeof *d->order),
                           .held = weft_alloc(members * sizeof *d->held),
                           .until = weft_alloc(members * sizeof *d->until),
                           .waiting = SIZE_MAX,
                           .ranks = weft_alloc(members * sizeof *d->ranks),
                           .ends = weft_alloc(members * sizeof *d->ends)};
    for (size_t i = 0; i < count; i++) {
        assert(items[i].width >= 1 && items[i].width <= members);
        double seconds = items[i].seconds > 0 ? items[i].seconds : 0;
        d->order[i] = (place){.item = i, .seconds = seconds, .width = items[i].width};
        d->seconds_left += seconds;
        d->wide += items[i].width > 1;
    }
    qsort(d->order, count, sizeof *d->order, compare);
    return d;
}

void weft_work_queue_destroy(weft_work_queue *d)
{
    if (!d)
        return;
    free(d->order);
    free(d->held);
    free(d->until);
    free(d->ranks);
    free(d->ends);
    free(d);
}

size_t weft_work_queue_left(const weft_work_queue *d)
{
    return d->left;
}

void weft_work_queue_done(weft_work_queue *d, uint32_t member)
{
    assert(member < d->members && d->held[member] > 0);
    d->held[member]--;
    d->idle += d->held[member] == 0;
    d->settled = false;
}

static double duration(const place *p)
{
    return p->seconds / p->width;
}

static int compare_ends(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* When this many members that are busy now should be idle. */
static double idle_by(const weft_work_queue *d, double now, uint32_t wanted)
{
    uint32_t busy = 0;
    for (uint32_t m = 0; m < d->members; m++)
        if (d->held[m])
            d->ends[busy++] = d->until[m] > now ? d->until[m] : now;
    assert(wanted > 0 && wanted <= busy);
    qsort(d->ends, busy, sizeof *d->ends, compare_ends);
    return d->ends[wanted - 1];
}

/* The first narrow place whose item should be done by then. */
static size_t narrow_by(const weft_work_queue *d, double seconds)
{
    size_t low = d->wide, high = d->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->order[middle].seconds > seconds)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A place whose item is done before the idle members are needed; count if none is seen. */
static size_t pick_short(const weft_work_queue *d, double now)
{
    double seconds = d->by - now;
    size_t narrow = narrow_by(d, seconds), at = d->head;
    for (int seen = 0; seen < 2 * DEPTH && at < d->count; seen++, at++) {
        if (at < narrow && (at >= d->wide || seen == DEPTH))
            at = narrow; /* what is between takes too long, or is too much to look at */
        if (at == d->count)
            break;
        const place *p = &d->order[at];
        if (!p->dealt && p->width <= d->idle && p->seconds > 0 && duration(p) <= seconds)
            return at;
    }
    return d->count;
}

/* The place to begin with the idle members; count if there is none. */
static size_t pick(weft_work_queue *d, double now)
{
    while (d->head < d->count && d->order[d->head].dealt)
        d->head++;
    if (d->head == d->count || d->idle == 0)
        return d->count;
    const place *first = &d->order[d->head];
    if (first->width <= d->idle)
        return d->head;
    if (d->waiting != d->head) {
        d->waiting = d->head;
        d->by = idle_by(d, now, first->width - d->idle);
    }
    return pick_short(d, now);
}

static bool all_idle(const weft_work_queue *d, uint32_t first, uint32_t count)
{
    for (uint32_t m = first; m < first + count; m++)
        if (d->held[m])
            return false;
    return true;
}

/* Members with neighbouring ranks, which launchers put on one machine, or else any; rank 0,
 * which has the dealing to do, last. */
static void choose(weft_work_queue *d, uint32_t width)
{
    for (uint32_t group = d->members / width; group-- > 0;)
        if (all_idle(d, group * width, width)) {
            for (uint32_t k = 0; k < width; k++)
                d->ranks[k] = group * width + k;
            return;
        }
    for (uint32_t m = d->members; width > 0;)
        if (!d->held[--m])
            d->ranks[--width] = m;
}

static void deal_out(weft_work_queue *d, size_t at, double now, weft_assignment *assignment)
{
    place *p = &d->order[at];
    assert(!p->dealt && d->left > 0);
    p->dealt = true;
    d->left--;
    d->seconds_left -= p->seconds;
    for (uint32_t k = 0; k < p->width; k++) {
        uint32_t m = d->ranks[k];
        if (d->held[m] == 0)
            d->idle--;
        if (d->held[m] == 0 || d->until[m] < now)
            d->until[m] = now;
        d->until[m] += duration(p);
        d->held[m]++;
    }
    *assignment = (weft_assignment){.item = p->item, .n_ranks = p->width, .ranks = d->ranks};
}

/* A member that may have one more item than it runs; members if there is none. It must not be
 * made to wait for long: twice what it then has is to be less than its share of what is left. */
static uint32_t ahead(const weft_work_queue *d, double now)
{
    if (!d->ahead || d->idle || d->head == d->count || d->left <= (size_t)MANY * d->members)
        return d->members;
    const place *next = &d->order[d->head];
    double share = d->seconds_left / d->members;
    for (uint32_t m = 1; m < d->members && next->width == 1; m++) {
        double busy = d->until[m] > now ? d->until[m] - now : 0;
        if (d->held[m] == 1 && 2 * (busy + next->seconds) <= share + 1e-9)
            return m;
    }
    return d->members;
}

bool weft_work_queue_next(weft_work_queue *d, double now, weft_assignment *assignment)
{
    if (d->settled)
        return false;
    size_t at = pick(d, now);
    if (at < d->count) {
        choose(d, d->order[at].width);
        deal_out(d, at, now, assignment);
        return true;
    }
    uint32_t member = ahead(d, now);
    if (member < d->members) {
        d->ranks[0] = member;
        deal_out(d, d->head, now, assignment);
        return true;
    }
    d->settled = true;
    return false;
}
