/* SPDX-License-Identifier: Apache-2.0 */
/* Threads: one OpenMP region for the whole run. Every thread owns a row of blocks and goes
 * through it; a block whose neighbours are ready runs one window. Only a thread that found
 * nothing to do in its own row looks at the others', from their ends. There is no barrier
 * between windows: the neighbours' counters are the synchronisation. All threads meet only where
 * the caller wants to see the whole. */
#include "kernel/engine.h"

#include "kernel/exchange.h"

#include <omp.h>
#include <sched.h>

/* Fruitless looks (about 10 µs) before a thread steals: a block that has just become ready is
 * most likely about to be run by its own thread, which has it in its cache. */
#define PATIENCE 64

struct team {
    weft_engine *engine;
    weft_time (*pause)(void *user);
    void *user;
    unsigned threads;
    bool stop;                              /* written at sync points only */
    _Alignas(128) _Atomic uint32_t left;    /* blocks that have not reached the sync point */
    _Alignas(128) _Atomic uint32_t waiting; /* threads at the sync point */
    _Atomic uint32_t round;                 /* sync points held */
};

/* Tells the processor that this thread only waits, where it can be told. */
static inline void wait_a_moment(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

static void relax(const weft_engine *engine, unsigned *spins)
{
    if (++*spins < engine->spins)
        wait_a_moment();
    else
        sched_yield();
}

/* On the last thread to come: what is under way arrives, the caller looks, the next stretch
 * begins. */
static void hold(struct team *team, unsigned thread)
{
    weft_engine *engine = team->engine;
    if (engine->exchange)
        weft_exchange_drain(engine->exchange, &engine->times[thread]);
    engine->now = engine->until;
    weft_time until = team->pause(team->user);
    team->stop = until == WEFT_ENGINE_STOP;
    if (!team->stop)
        weft_engine_aim(engine, until);
}

static void meet(struct team *team, unsigned thread)
{
    uint32_t round = atomic_load_explicit(&team->round, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&team->waiting, 1, memory_order_acq_rel) + 1 == team->threads) {
        hold(team, thread);
        atomic_store_explicit(&team->left, team->engine->n_blocks, memory_order_relaxed);
        atomic_store_explicit(&team->waiting, 0, memory_order_relaxed);
        atomic_store_explicit(&team->round, round + 1, memory_order_release);
        return;
    }
    unsigned spins = 0;
    while (atomic_load_explicit(&team->round, memory_order_acquire) == round)
        relax(team->engine, &spins);
}

/* One window of block b, unless another thread has it or it cannot run. */
static bool attempt(struct team *team, uint32_t b, unsigned thread)
{
    weft_engine *engine = team->engine;
    weft_turn *turn = &engine->turn[b];
    if (!weft_engine_ready(engine, b) ||
        atomic_flag_test_and_set_explicit(&turn->taken, memory_order_acquire))
        return false;
    bool ready = weft_engine_ready(engine, b); /* another thread may have run it meanwhile */
    if (ready) {
        weft_engine_window(engine, b, thread);
        if (atomic_load_explicit(&turn->done, memory_order_relaxed) == engine->goal)
            atomic_fetch_sub_explicit(&team->left, 1, memory_order_acq_rel);
    }
    atomic_flag_clear_explicit(&turn->taken, memory_order_release);
    return ready;
}

/* Goes once through this thread's own row: those that border on other processes, or the others. */
static bool work(struct team *team, unsigned thread, bool border)
{
    uint32_t blocks = team->engine->n_blocks;
    uint32_t end = weft_team_row(blocks, team->threads, thread + 1);
    bool ran = false;
    for (uint32_t b = weft_team_row(blocks, team->threads, thread); b < end; b++)
        if ((team->engine->blocks[b].n_peers > 0) == border)
            ran |= attempt(team, b, thread);
    return ran;
}

/* One block of another thread, from the end of its row. */
static bool steal(struct team *team, unsigned thread)
{
    uint32_t blocks = team->engine->n_blocks;
    for (unsigned other = 1; !team->engine->fixed && other < team->threads; other++) {
        unsigned victim = (thread + other) % team->threads;
        uint32_t first = weft_team_row(blocks, team->threads, victim);
        for (uint32_t b = weft_team_row(blocks, team->threads, victim + 1); b-- > first;)
            if (attempt(team, b, thread)) {
                team->engine->times[thread].steals++;
                return true;
            }
    }
    return false;
}

static double busy_of(const weft_engine_times *times)
{
    return times->run_s + times->exchange_s;
}

/* Until every block has reached the sync point. */
static void stretch(struct team *team, unsigned thread)
{
    weft_engine *engine = team->engine;
    weft_engine_times *times = &engine->times[thread];
    unsigned spins = 0;
    double idle = 0; /* since when, what it does meanwhile not counted; 0: not idle */
    while (atomic_load_explicit(&team->left, memory_order_acquire) > 0) {
        bool ran = false, stole = false;
        if (engine->exchange) { /* borders first: their messages travel while the rest runs */
            ran = work(team, thread, true);
            weft_exchange_progress(engine->exchange, times);
        }
        ran |= work(team, thread, false);
        if (!ran && spins >= PATIENCE)
            stole = steal(team, thread);
        if (ran || stole) {
            if (idle > 0)
                times->wait_s += weft_clock() - busy_of(times) - idle;
            idle = 0;
            spins = ran ? 0 : PATIENCE;
            continue;
        }
        if (engine->timed && idle == 0)
            idle = weft_clock() - busy_of(times);
        relax(engine, &spins);
    }
    if (idle > 0)
        times->wait_s += weft_clock() - busy_of(times) - idle;
}

static void member(struct team *team, unsigned thread)
{
    for (;;) {
        double came = team->engine->timed ? weft_clock() : 0;
        meet(team, thread);
        if (team->engine->timed)
            team->engine->times[thread].meet_s += weft_clock() - came;
        if (team->stop)
            return;
        stretch(team, thread);
    }
}

void weft_engine_drive(weft_engine *engine, weft_time (*pause)(void *user), void *user)
{
    struct team team = {.engine = engine, .pause = pause, .user = user, .threads = engine->threads};
    if (engine->threads == 1) {
        member(&team, 0);
        return;
    }
#pragma omp parallel num_threads(engine->threads)
    {
#pragma omp single
        team.threads = (unsigned)omp_get_num_threads(); /* the system may give fewer */
        member(&team, (unsigned)omp_get_thread_num());
    }
}

typedef struct once {
    weft_time until;
    bool asked;
} once;

static weft_time pause_once(void *user)
{
    once *run = user;
    bool first = !run->asked;
    run->asked = true;
    return first ? run->until : WEFT_ENGINE_STOP;
}

void weft_engine_run(weft_engine *engine, weft_time until)
{
    if (until > engine->now)
        weft_engine_drive(engine, pause_once, &(once){.until = until});
}
