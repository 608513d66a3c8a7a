/* SPDX-License-Identifier: Apache-2.0 */
/* The machine of lanes.h at work. The headers lanes_*_impl.h are a template over the width of a
 * word: lanes_64.c, lanes_256.c and lanes_512.c define LANES_WORDS and the name of the function,
 * LANES_RUN, choose a processor, and include this file, which therefore has no guard.
 *
 * Lanes are compared with their snapshots after every period of the input, all at once; a snapshot
 * is taken after 1, 3, 7, … periods: Brent's method as in steady.c. */
#include "crossbar/lanes_machine_impl.h"
#include "crossbar/lanes_slot_impl.h"

/* ---- after every period ---- */

/* Moves units between fronts and reserves (2). */
static void balance(machine *it)
{
    for (uint32_t q = 0; q < it->n * it->n; q++) {
        vec *front = front_of(it, it->now, q), *reserve = reserve_of(it, it->now, q);
        vec over = front[it->unit + 1];
        vec under = it->deep[q] & ~over & ~front[it->unit];
        front[it->unit + 1] ^= over;
        front[it->unit] ^= over | under;
        if (any(over)) {
            uint32_t bits = add_rarely(reserve, it->high, over);
            it->used = bits > it->used ? bits : it->used;
            it->deep[q] |= over;
        }
        if (!any(under))
            continue;
        subtract_rarely(reserve, it->high, under);
        vec some = reserve[0];
        for (uint32_t b = 1; b < it->used; b++)
            some |= reserve[b];
        it->deep[q] = some;
    }
}

static void count_served(machine *it)
{
    vec *served = served_of(it, it->now), carry = it->busy & ~it->busy;
    for (uint32_t b = 0; b < it->served_bits && (b < TALLY_BITS || any(carry)); b++) {
        vec more = b < TALLY_BITS ? it->tally[b] : carry & ~carry, old = served[b];
        served[b] = old ^ more ^ carry;
        carry = (old & more) | (carry & (old ^ more));
    }
    memset(it->tally, 0, sizeof it->tally);
}

/* Lanes in which this queue is as long as in the snapshot, or longer and was never empty. */
INLINE vec alike(const machine *it, uint32_t q)
{
    const vec *now = front_of(it, it->now, q), *then = front_of(it, it->then, q);
    vec differs = now[0] ^ then[0], longer = now[0] & ~then[0];
    for (uint32_t b = 1; b < it->low; b++) {
        vec other = now[b] ^ then[b];
        differs |= other;
        longer = (now[b] & other) | (longer & ~other);
    }
    now = reserve_of(it, it->now, q);
    then = reserve_of(it, it->then, q);
    for (uint32_t b = 0; b < it->used; b++) {
        vec other = now[b] ^ then[b];
        differs |= other;
        longer = (now[b] & other) | (longer & ~other);
    }
    return ~differs | (longer & it->kept[q]);
}

/* Lanes whose state recurs. */
static vec recurring(const machine *it)
{
    const vec *now = pointers_of(it, it->now), *then = pointers_of(it, it->then);
    vec same = it->busy;
    for (uint32_t k = 0; k < 2 * it->n * it->n; k++)
        same &= ~(now[k] ^ then[k]);
    for (uint32_t q = 0; q < it->n * it->n && any(same); q++)
        same &= alike(it, q);
    return same;
}

/* Lanes whose age is 1, 3, 7, …: its bits are ones, then zeros. */
static vec to_be_kept(const machine *it)
{
    vec gap = it->busy & ~it->busy, wrong = gap;
    for (uint32_t b = 0; b < AGE_BITS; b++) {
        wrong |= gap & it->age[b];
        gap |= ~it->age[b];
    }
    return it->busy & ~wrong;
}

static void take_snapshots(machine *it, vec where)
{
    size_t cells = (size_t)it->n * it->n, fronts = cells * it->low;
    for (size_t k = 0; k < fronts; k++)
        it->then[k] = (it->now[k] & where) | (it->then[k] & ~where);
    for (uint32_t q = 0; q < cells; q++) {
        const vec *now = reserve_of(it, it->now, q);
        vec *then = reserve_of(it, it->then, q);
        for (uint32_t b = 0; b < it->used; b++)
            then[b] = (now[b] & where) | (then[b] & ~where);
        it->kept[q] |= where;
    }
    for (size_t k = fronts + cells * it->high; k < it->words; k++)
        it->then[k] = (it->now[k] & where) | (it->then[k] & ~where);
}

INLINE void clear_words(vec *now, vec *then, size_t count, vec keep)
{
    for (size_t k = 0; k < count; k++) {
        now[k] &= keep;
        then[k] &= keep;
    }
}

/* Resets lanes and their snapshots. Reserves are 0 beyond the bits that are in use. */
static void clear(machine *it, vec where)
{
    size_t cells = (size_t)it->n * it->n, fronts = cells * it->low;
    size_t others = fronts + cells * it->high;
    clear_words(it->now, it->then, fronts, ~where);
    clear_words(it->now + others, it->then + others, it->words - others, ~where);
    for (uint32_t q = 0; q < cells; q++) {
        clear_words(reserve_of(it, it->now, q), reserve_of(it, it->then, q), it->used, ~where);
        it->kept[q] |= where;
        it->deep[q] &= ~where;
    }
    for (uint32_t b = 0; b < AGE_BITS; b++)
        it->age[b] &= ~where;
    for (size_t k = 0; k < (size_t)it->period * it->n * it->n; k++)
        it->arrivals[k] &= ~where;
}

/* ---- lanes one by one ---- */

static uint64_t number_of(const vec *number, uint32_t bits, uint32_t lane)
{
    const char *word = (const char *)number + 8 * (lane / 64);
    uint64_t value = 0, bit;
    for (uint32_t b = 0; b < bits; b++) {
        memcpy(&bit, word + b * sizeof(vec), 8);
        value |= (bit >> lane % 64 & 1) << b;
    }
    return value;
}

static uint32_t bits_for(uint64_t value)
{
    return value ? 64 - (uint32_t)__builtin_clzll(value) : 0;
}

/* Cells served by a lane of this age, by now or in its snapshot. */
static uint64_t served_by(const machine *it, vec *block, uint32_t lane, uint64_t age)
{
    return number_of(served_of(it, block), bits_for(age * it->period * it->n), lane);
}

/* Into a lane whose arrivals are cleared. */
static void load(machine *it, uint32_t lane, const weft_xbar_target *at)
{
    uint32_t n = it->n;
    uint64_t bit = (uint64_t)1 << lane % 64;
    char *row = (char *)it->arrivals + 8 * (lane / 64);
    const weft_xbar_target *end = at + (size_t)it->period * n;
    for (; at < end; at++, row += n * sizeof(vec))
        if (*at != WEFT_IDLE) {
            char *word = row + *at * sizeof(vec);
            uint64_t bits;
            memcpy(&bits, word, 8);
            bits |= bit;
            memcpy(word, &bits, 8);
        }
}

static void enlist(machine *it, uint32_t lane)
{
    uint32_t *first = &it->ending[it->periods % it->window];
    it->next[lane] = *first;
    it->last[lane] = LANES;
    if (*first < LANES)
        it->last[*first] = lane;
    *first = lane;
}

static void delist(machine *it, uint32_t lane)
{
    uint32_t next = it->next[lane], last = it->last[lane];
    if (last < LANES)
        it->next[last] = next;
    else
        it->ending[it->begun[lane] % it->window] = next;
    if (next < LANES)
        it->last[next] = last;
}

/* Assigns new matrices to lanes while there are any. */
static void refill(machine *it, vec where)
{
    clear(it, where);
    it->busy &= ~where;
    for (uint32_t w = 0; w < LANES_WORDS; w++)
        for (uint64_t left = part(&where, w); left; left &= left - 1) {
            uint32_t lane = 64 * w + (uint32_t)__builtin_ctzll(left);
            const weft_xbar_target *at = it->job->next(it->job->user, &it->id[lane]);
            if (!at)
                return;
            load(it, lane, at);
            put(&it->busy, lane, 1);
            it->begun[lane] = it->periods;
            it->mark[lane] = 0;
            it->windows[lane] = 0;
            it->steady[lane] = (weft_xbar_steady){0};
            enlist(it, lane);
        }
}

static void finish(machine *it, uint32_t lane)
{
    delist(it, lane);
    it->steady[lane].run = (it->periods - it->begun[lane]) * it->period;
    it->job->done(it->job->user, it->id[lane], &it->steady[lane]);
}

/* Ends lanes whose state recurs, and returns them. The snapshot was taken at the last age 0, 1,
 * 3, 7, … before this one. */
static vec end_recurring(machine *it)
{
    vec where = recurring(it);
    for (uint32_t w = 0; w < LANES_WORDS; w++)
        for (uint64_t left = part(&where, w); left; left &= left - 1) {
            uint32_t lane = 64 * w + (uint32_t)__builtin_ctzll(left);
            uint64_t age = it->periods - it->begun[lane];
            uint64_t kept = ((uint64_t)1 << (bits_for(age) - 1)) - 1;
            uint64_t served = served_by(it, it->now, lane, age);
            weft_xbar_steady *steady = &it->steady[lane];
            *steady = (weft_xbar_steady){.exact = true, .began = kept * it->period};
            steady->share = (weft_xbar_share){served - served_by(it, it->then, lane, age),
                                              (age - kept) * it->period};
            finish(it, lane);
        }
    it->busy &= ~where;
    return where;
}

/* Ends windows that end now; returns lanes that have reached the cap. */
static vec end_windows(machine *it)
{
    vec over = it->busy & ~it->busy;
    uint32_t next;
    for (uint32_t lane = it->ending[it->periods % it->window]; lane < LANES; lane = next) {
        next = it->next[lane];
        uint64_t served = served_by(it, it->now, lane, it->periods - it->begun[lane]);
        weft_xbar_share window = {served - it->mark[lane], it->window * it->period};
        it->mark[lane] = served;
        if (++it->windows[lane] > WINDOWS / 2)
            weft_xbar_steady_book(&it->steady[lane], window);
        if (it->windows[lane] < WINDOWS)
            continue;
        put(&over, lane, 1);
        finish(it, lane);
    }
    it->busy &= ~over;
    return over;
}

/* ---- the whole ---- */

/* Everything is in one piece of memory, words at multiples of 64 bytes. */
static machine *open_machine(const weft_xbar_lanes_job *job)
{
    machine plan = {.job = job, .n = job->n, .period = job->period};
    size_t cells = (size_t)job->n * job->n;
    plan.unit = bits_for(job->period - 1);
    plan.low = plan.unit + 2;
    plan.window = weft_xbar_steady_window(job->steady.cap, job->period);
    uint64_t slots_max = plan.window * WINDOWS * job->period;
    plan.high = bits_for(slots_max >> plan.unit);
    plan.served_bits = bits_for(slots_max * job->n);
    plan.words = cells * (plan.low + plan.high + 2) + plan.served_bits;
    size_t words = 2 * plan.words + cells * (job->period + 2);
    size_t own = (sizeof(machine) + 63) / 64 * 64;
    plan.memory = weft_alloc(63 + own + words * sizeof(vec));
    char *at = (char *)(((uintptr_t)plan.memory + 63) & ~(uintptr_t)63);
    plan.now = (vec *)(void *)(at + own);
    plan.then = plan.now + plan.words;
    plan.arrivals = plan.then + plan.words;
    plan.kept = plan.arrivals + cells * job->period;
    plan.deep = plan.kept + cells;
    plan.ending = weft_alloc(plan.window * sizeof *plan.ending);
    for (uint64_t k = 0; k < plan.window; k++)
        plan.ending[k] = LANES;
    memcpy(at, &plan, sizeof plan);
    return (machine *)(void *)at;
}

static void close_machine(machine *it)
{
    free(it->ending);
    free(it->memory);
}

void LANES_RUN(const weft_xbar_lanes_job *job)
{
    machine *it = open_machine(job);
    run_slots *run = slots_of(job->rule);
    refill(it, ~it->busy);
    while (any(it->busy)) {
        run(it);
        it->periods++;
        balance(it);
        count_served(it);
        (void)add_rarely(it->age, AGE_BITS, it->busy);
        vec ended = it->busy & ~it->busy;
        if (job->steady.stop == WEFT_STOP_EXACT)
            ended = end_recurring(it);
        ended |= end_windows(it);
        vec kept = to_be_kept(it);
        if (job->steady.stop == WEFT_STOP_EXACT && any(kept))
            take_snapshots(it, kept);
        if (any(ended))
            refill(it, ended);
    }
    close_machine(it);
}
