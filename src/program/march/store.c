/* SPDX-License-Identifier: Apache-2.0 */
#include "program/march/store.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

/* ---- what is ready ---- */

static uint32_t new_entry(weft_march *march)
{
    if (march->pool_free == WEFT_PROGRAM_NONE) {
        uint32_t room = march->pool_room, more = room ? 2 * room : 16;
        march->pool = weft_realloc(march->pool, more, sizeof *march->pool);
        for (uint32_t i = more; i-- > room;) {
            march->pool[i].next = march->pool_free;
            march->pool_free = i;
        }
        march->pool_room = more;
    }
    uint32_t found = march->pool_free;
    march->pool_free = march->pool[found].next;
    return found;
}

/* Times do not decrease, so the place is sought from the end. */
void weft_march_make_ready(weft_march *march, uint32_t local, uint64_t order, uint32_t what)
{
    weft_march_rank *rank = &march->ranks[local];
    uint32_t it = new_entry(march), last = rank->ready_last, next = WEFT_PROGRAM_NONE;
    weft_march_ready *pool = march->pool;
    while (last != WEFT_PROGRAM_NONE && pool[last].time == march->now && pool[last].order > order) {
        next = last;
        last = pool[last].last;
    }
    pool[it] = (weft_march_ready){
        .time = march->now, .order = order, .what = what, .next = next, .last = last};
    *(last == WEFT_PROGRAM_NONE ? &rank->ready : &pool[last].next) = it;
    *(next == WEFT_PROGRAM_NONE ? &rank->ready_last : &pool[next].last) = it;
}

uint32_t weft_march_pop_ready(weft_march *march, uint32_t local)
{
    weft_march_rank *rank = &march->ranks[local];
    uint32_t it = rank->ready, next = march->pool[it].next;
    rank->ready = next;
    *(next == WEFT_PROGRAM_NONE ? &rank->ready_last : &march->pool[next].last) = WEFT_PROGRAM_NONE;
    march->pool[it].next = march->pool_free;
    march->pool_free = it;
    return march->pool[it].what;
}

/* ---- early messages ---- */

static uint32_t home(const weft_march *march, uint32_t local, uint32_t receive)
{
    uint64_t name = (uint64_t)local << 32 | receive;
    return (uint32_t)(name * 0x9e3779b97f4a7c15u >> 32) & (march->early_room - 1);
}

/* The entry of a receive, or the free one where it belongs. */
static uint32_t find(const weft_march *march, uint32_t local, uint32_t receive)
{
    uint32_t at = home(march, local, receive);
    while (march->early[at].local != WEFT_PROGRAM_NONE &&
           (march->early[at].local != local || march->early[at].receive != receive))
        at = (at + 1) & (march->early_room - 1);
    return at;
}

static void grow(weft_march *march)
{
    weft_march_early *old = march->early;
    uint32_t room = march->early_room;
    march->early_room = room ? 2 * room : 16;
    march->early = weft_realloc(NULL, march->early_room, sizeof *march->early);
    for (uint32_t i = 0; i < march->early_room; i++)
        march->early[i].local = WEFT_PROGRAM_NONE;
    for (uint32_t i = 0; i < room; i++)
        if (old[i].local != WEFT_PROGRAM_NONE)
            march->early[find(march, old[i].local, old[i].receive)] = old[i];
    free(old);
}

void weft_march_keep(weft_march *march, weft_march_early message)
{
    if (4 * (uint64_t)(march->n_early + 1) > 3 * (uint64_t)march->early_room)
        grow(march);
    uint32_t at = find(march, message.local, message.receive);
    march->n_early += march->early[at].local == WEFT_PROGRAM_NONE;
    march->early[at] = message;
}

/* Entries behind the one that goes move up, so that none lies behind a gap. */
bool weft_march_take(weft_march *march, uint32_t local, uint32_t receive, uint32_t *number)
{
    if (march->n_early == 0)
        return false;
    uint32_t mask = march->early_room - 1, gap = find(march, local, receive);
    if (march->early[gap].local == WEFT_PROGRAM_NONE)
        return false;
    *number = march->early[gap].number;
    march->n_early--;
    for (uint32_t at = (gap + 1) & mask; march->early[at].local != WEFT_PROGRAM_NONE;
         at = (at + 1) & mask) {
        uint32_t from = home(march, march->early[at].local, march->early[at].receive);
        if (((at - from) & mask) < ((at - gap) & mask))
            continue;
        march->early[gap] = march->early[at];
        gap = at;
    }
    march->early[gap].local = WEFT_PROGRAM_NONE;
    return true;
}

/* ---- all of it ---- */

void weft_march_open(weft_march *march, const uint32_t *rank, uint32_t count)
{
    size_t chains = (size_t)count * march->schedule->chains;
    march->count = march->n_left = march->n_waiting = count;
    march->ranks = weft_realloc(NULL, (size_t)count + 1, sizeof *march->ranks);
    march->chains = weft_alloc((chains + 1) * sizeof *march->chains);
    for (uint32_t i = 0; i < count; i++)
        march->ranks[i] = (weft_march_rank){.armed = WEFT_RANKS_NEVER,
                                            .rank = rank[i],
                                            .phase = WEFT_PROGRAM_NONE,
                                            .ready = WEFT_PROGRAM_NONE,
                                            .ready_last = WEFT_PROGRAM_NONE};
    march->pool_free = WEFT_PROGRAM_NONE;
    march->memo[0].local = march->memo[1].local = WEFT_PROGRAM_NONE;
    march->ends = weft_alloc((weft_ranks_steps(march->repeats) + 1) * sizeof *march->ends);
}

void weft_march_close(weft_march *march)
{
    weft_agenda_done(&march->agenda);
    free(march->ranks);
    free(march->chains);
    free(march->pool);
    free(march->early);
    free(march->ends);
}

uint64_t weft_march_rank_bytes(const weft_phased *schedule)
{
    return sizeof(weft_march_rank) + schedule->chains * sizeof(weft_march_chain);
}

uint64_t weft_march_bytes(const weft_march *march)
{
    return march->count * weft_march_rank_bytes(march->schedule) +
           weft_agenda_bytes(&march->agenda) + march->pool_room * sizeof *march->pool +
           march->early_room * sizeof *march->early;
}
