/* SPDX-License-Identifier: Apache-2.0 */
/* The run: interval after interval, each time all blocks of all processes have reached the same
 * tick, the threads' tallies are summed over threads and processes into one row of the series,
 * and the control decides, on every process alike. Nothing is decided anywhere else; what only
 * one process knows (the clock, a signal, its memory) is voted on in the same sum. */
#include "sim/run.h"

#include "base/clock.h"
#include "base/digits.h"
#include "base/memory.h"
#include "sim/assembly.h"
#include "sim/jobs/run_jobs.h"
#include "sim/jobs/timeline.h"
#include "sim/watch/deadlock_watch.h"
#include "sim/watch/devicewatch.h"
#include "sim/watch/linkbins.h"
#include "sim/watch/linkwatch.h"
#include "sim/watch/watch.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum vote {
    VOTE_WAITING,
    VOTE_STOP,
    VOTE_KEEP,
    VOTE_WALL,
    VOTE_MEMORY,
    VOTE_RANGE,
    VOTE_HELD,   /* packets at rest in routers */
    VOTE_BUSY,   /* events in the interval, or still to come */
    VOTE_RANKS,  /* of jobs: those that have not ended */
    VOTE_ACTIVE, /* blocks whose ranks will do something by themselves */
    VOTE_AWAY,   /* messages of jobs under way (run_jobs.h) */
    VOTE_LATE,   /* queues that have waited long for others */
    VOTES
};

typedef struct runner {
    weft_simulation *simulation;
    weft_ending ending;
    weft_status status;
    weft_error *err;
    double began, shown, kept; /* seconds */
    uint64_t events;           /* up to the last interval */
    weft_time due;             /* the end of this one */
    weft_time watch, look;     /* when the deadlock watch looks next, and who looks from outside */
    weft_time idle;            /* before this tick nothing happens, as far as was asked */
    weft_deadlock_watch deadlock_watch;
    bool started;
    bool empty; /* no packet is at rest in a router of any process */
} runner;

static void begin_interval(weft_simulation *simulation)
{
    weft_time start = weft_engine_now(simulation->instance.engine);
    weft_watch_look(&simulation->snapshots, weft_series_intervals(simulation->series), start);
    for (unsigned t = 0; t < simulation->threads; t++)
        weft_tally_clear(&simulation->tally[t], start);
}

static void count_event(void *user, uint32_t block, weft_time at, const weft_event *event)
{
    (void)block, (void)at, (void)event;
    ++*(int64_t *)user;
}

/* Packets at rest in routers of this process. */
static int64_t count_held(const weft_instance *instance)
{
    int64_t held = 0;
    for (uint32_t i = 0; instance->platform.router->counting.held && i < instance->n_sites; i++)
        held += instance->platform.router->counting.held(&instance->sites[i]);
    return held;
}

/* Does anything move? Only a process that had nothing to do looks whether there will be
 * something. */
static void vote_moves(runner *run, int64_t *votes)
{
    const weft_instance *instance = &run->simulation->instance;
    uint64_t events = weft_engine_events(instance->engine);
    votes[VOTE_HELD] = count_held(instance);
    votes[VOTE_BUSY] = (int64_t)(events - run->events);
    /* what is under way matters only if something stands still, here or elsewhere */
    if (votes[VOTE_BUSY] == 0 && (votes[VOTE_HELD] > 0 || run->simulation->comm))
        weft_engine_visit(instance->engine, count_event, &votes[VOTE_BUSY]);
    run->events = events;
}

static void vote_late(runner *run, int64_t *votes)
{
    const weft_instance *instance = &run->simulation->instance;
    votes[VOTE_LATE] = weft_deadlock_watch_look(&run->deadlock_watch, instance,
                                                weft_engine_now(instance->engine), false);
}

/* What this process has to say besides its counts. */
static void vote(runner *run, int64_t *votes)
{
    const weft_simulation *simulation = run->simulation;
    const weft_simulation_options *options = &simulation->options;
    weft_duration wall = simulation->network->scenario->measure.limit_wall;
    weft_request request = options->request ? options->request(options->user) : WEFT_REQUEST_NONE;
    double now = weft_clock(), spent = simulation->spent + now - run->began;
    bool first = weft_comm_rank(simulation->comm) == 0;
    votes[VOTE_STOP] = request == WEFT_REQUEST_STOP;
    votes[VOTE_KEEP] = request == WEFT_REQUEST_CHECKPOINT ||
                       (first && options->period_s > 0 && now - run->kept > options->period_s);
    votes[VOTE_WALL] = first && wall.unit != WEFT_NO_TIME && spent > wall.value * 1e-12;
    votes[VOTE_MEMORY] = options->memory > 0 && weft_simulation_bytes(simulation) > options->memory;
    votes[VOTE_WAITING] = votes[VOTE_RANGE] = 0;
    for (uint32_t i = 0; i < simulation->instance.n_sites; i++) {
        votes[VOTE_WAITING] += simulation->instance.sites[i].waiting;
        votes[VOTE_RANGE] += simulation->instance.sites[i].exhausted;
    }
    weft_jobs_votes jobs = weft_run_jobs_vote(&simulation->instance);
    votes[VOTE_RANKS] = jobs.ranks;
    votes[VOTE_ACTIVE] = jobs.active;
    votes[VOTE_AWAY] = jobs.under_way;
    vote_moves(run, votes);
    vote_late(run, votes);
}

/* Before all traffic has begun arrivals are not stationary. */
static void add_hurst(weft_simulation *simulation)
{
    const weft_tally *tally = simulation->tally;
    uint64_t begun = (uint64_t)simulation->control.goal.begin_intervals;
    if (!simulation->hurst || weft_series_intervals(simulation->series) <= begun)
        return;
    for (uint32_t g = 0; g < weft_tally_groups(tally); g++)
        weft_hurst_add(&simulation->hurst[g],
                       (int64_t)simulation->row[g * weft_tally_width(tally) + WEFT_COL_GENERATED]);
}

/* Sums the interval over threads and processes, and appends its row. */
static void end_interval(runner *run, int64_t *votes)
{
    weft_simulation *simulation = run->simulation;
    weft_tally *tally = simulation->tally;
    for (unsigned t = 1; t < simulation->threads; t++)
        weft_tally_merge(tally, &tally[t]);
    vote(run, votes);
    if (simulation->comm) {
        size_t words = weft_tally_words(tally);
        weft_tally_write(tally, simulation->words);
        for (int v = 0; v < VOTES; v++)
            simulation->words[words + (size_t)v] = votes[v];
        simulation->comm->kind->sum(simulation->comm, simulation->words, words + VOTES);
        weft_tally_read(tally, simulation->words);
        for (int v = 0; v < VOTES; v++)
            votes[v] = simulation->words[words + (size_t)v];
    }
    simulation->waiting = votes[VOTE_WAITING];
    const weft_histogram *bins = weft_tally_row(tally, simulation->interval, simulation->population,
                                                simulation->row, simulation->bins);
    weft_series_add(simulation->series, simulation->row, bins);
    add_hurst(simulation);
    simulation->generated += (int64_t)simulation->row[WEFT_COL_GENERATED];
    simulation->delivered += (int64_t)simulation->row[WEFT_COL_DELIVERED];
    simulation->received += (int64_t)simulation->row[WEFT_COL_PACKETS];
    simulation->lost += (int64_t)simulation->row[WEFT_COL_LOST];
    simulation->hops += (int64_t)simulation->row[WEFT_COL_HOPS];
    for (uint32_t f = 0; f < tally->n_traffic_classes; f++)
        simulation->made += tally->traffic_classes[f].made;
    if (simulation->timebins.width)
        weft_timebins_add(&simulation->timebins, tally->since, simulation->row,
                          simulation->generated - simulation->delivered - simulation->lost);
    weft_ratewatch_add(&simulation->rates, &simulation->instance, simulation->comm, tally->since,
                       tally->since + simulation->interval);
    weft_linkbins_look(&simulation->linkbins, &simulation->instance, simulation->comm,
                       weft_engine_now(simulation->instance.engine), false);
}

static void report(weft_simulation *simulation)
{
    if (!simulation->options.progress)
        return;
    const weft_control *control = &simulation->control;
    const weft_goal *goal_ = &control->goal;
    double share = 0, part;
    if (goal_->limit_packets)
        share = (double)simulation->delivered / (double)goal_->limit_packets;
    if (goal_->limit_intervals) {
        part = (double)weft_series_intervals(simulation->series) / (double)goal_->limit_intervals;
        share = part > share ? part : share;
    }
    if (control->watched.batches && control->watched.hi > control->watched.lo) {
        double ratio = goal_->half_width * control->watched.value * 2 /
                       (control->watched.hi - control->watched.lo);
        part = ratio * ratio; /* intervals shrink with the root of the length */
        share = part > share ? part : share;
    }
    weft_state state = {.now = weft_engine_now(simulation->instance.engine),
                        .packets = simulation->delivered,
                        .packet_hops = simulation->hops,
                        .share = share < 1 ? share : 1,
                        .latency = control->watched};
    if (!control->watched.batches)
        state.latency.value = NAN;
    simulation->options.progress(simulation->options.user, &state);
}

enum sum { SUM_PACKETS, SUM_HALF, SUMS }; /* in the network; messages of which some have come */

static void count_packet(void *user, uint32_t block, weft_time at, const weft_event *event)
{
    (void)block, (void)at;
    *(int64_t *)user += weft_event_packet(event);
}

/* Looks at everything that is under way, in all processes. */
static void look_around(weft_simulation *simulation, int64_t sums[SUMS])
{
    const weft_instance *instance = &simulation->instance;
    sums[SUM_PACKETS] = sums[SUM_HALF] = 0;
    weft_engine_visit(instance->engine, count_packet, &sums[SUM_PACKETS]);
    for (uint32_t i = 0; i < instance->n_sites; i++) {
        if (instance->platform.router->counting.held)
            sums[SUM_PACKETS] += instance->platform.router->counting.held(&instance->sites[i]);
        sums[SUM_HALF] += weft_assembly_count(&instance->sites[i]);
    }
    if (simulation->comm)
        simulation->comm->kind->sum(simulation->comm, sums, SUMS);
}

/* Packets made = received + lost + in the network, all counted on their own. Messages that were
 * generated, but are neither delivered nor waiting, are under way. Where none has several
 * packets, these are the packets in the network. Else each of them has arrived in part (so many
 * were counted) or has a packet in the network, or both: that gives two bounds. */
static weft_status conserve(weft_simulation *simulation, weft_error *err)
{
    int64_t sums[SUMS];
    look_around(simulation, sums);
    int64_t packets = sums[SUM_PACKETS], half = sums[SUM_HALF];
    int64_t under_way =
        simulation->generated - simulation->delivered - simulation->waiting - simulation->lost;
    bool cuts = weft_platform_cuts_any(&simulation->instance.platform);
    simulation->census = (weft_census){.generated = simulation->generated,
                                       .delivered = simulation->delivered,
                                       .in_flight = cuts ? under_way : packets,
                                       .waiting = simulation->waiting,
                                       .lost = simulation->lost};
    bool whole = cuts ? under_way >= half && under_way <= half + packets : under_way == packets;
    if (whole && simulation->made == simulation->received + packets + simulation->lost)
        return WEFT_OK;
    return weft_fail(
        err, WEFT_BROKEN,
        "packets are not conserved at tick %lld: %lld made, %lld received, %lld in the "
        "network; of %lld messages %lld delivered, %lld lost, %lld waiting at their sources, "
        "%lld received in part",
        (long long)weft_engine_now(simulation->instance.engine), (long long)simulation->made,
        (long long)simulation->received, (long long)packets, (long long)simulation->generated,
        (long long)simulation->delivered, (long long)simulation->lost,
        (long long)simulation->waiting, (long long)half);
}

static weft_ending limit_reached(const weft_simulation *simulation)
{
    const weft_goal *goal_ = &simulation->control.goal;
    if (goal_->limit_intervals &&
        weft_series_intervals(simulation->series) >= (uint64_t)goal_->limit_intervals)
        return WEFT_END_LIMIT_TIME;
    return WEFT_END_LIMIT_PACKETS;
}

/* A checkpoint at this sync point; packets must be conserved in what it says. */
static weft_status keep(runner *run)
{
    weft_simulation *simulation = run->simulation;
    if (!simulation->options.folder)
        return WEFT_OK;
    run->kept = weft_clock();
    WEFT_TRY(conserve(simulation, run->err));
    double before = simulation->spent;
    simulation->spent += run->kept - run->began;
    weft_status status = weft_simulation_save(simulation, run->err);
    simulation->spent = before;
    return status;
}

/* Packets wait for each other: some of them, or all there are. */
static weft_status deadlocked(const runner *run, int64_t held, weft_error *err)
{
    char text[sizeof err->text / 2];
    const weft_knot *knot = &run->deadlock_watch.knot;
    long long now = (long long)weft_engine_now(run->simulation->instance.engine);
    weft_knot_describe(knot, &run->simulation->network->topology, text, sizeof text);
    if (held > 0)
        return weft_fail(err, WEFT_BROKEN,
                         "deadlock at tick %lld: %lld packets wait for each other and none will "
                         "ever move%s%s",
                         now, (long long)held, *text ? ": " : "", text);
    return weft_fail(err, WEFT_BROKEN,
                     "deadlock at tick %lld: the packets of %llu virtual channels wait for each "
                     "other and none of them will ever move, while others do: %s",
                     now, (unsigned long long)knot->queues, text);
}

/* Is anything in a deadlock? All processes ask at the same sync points. */
static bool is_stuck(runner *run, const int64_t *votes)
{
    weft_simulation *simulation = run->simulation;
    weft_instance *instance = &simulation->instance;
    bool still = votes[VOTE_HELD] > 0 && votes[VOTE_BUSY] == 0;
    if (still)
        (void)weft_deadlock_watch_look(&run->deadlock_watch, instance,
                                       weft_engine_now(instance->engine), true);
    bool knot = (still || votes[VOTE_LATE] > 0) &&
                weft_deadlock_watch_judge(&run->deadlock_watch, simulation->comm);
    if (still || knot)
        run->status = deadlocked(run, still ? votes[VOTE_HELD] : 0, run->err);
    return still || knot;
}

/* Between the ends of intervals nothing is counted. */
static bool is_stuck_between(runner *run)
{
    weft_comm *comm = run->simulation->comm;
    int64_t votes[VOTES] = {0};
    vote_late(run, votes);
    int64_t sums[] = {votes[VOTE_LATE], count_held(&run->simulation->instance)};
    if (comm)
        comm->kind->sum(comm, sums, 2);
    votes[VOTE_LATE] = sums[0];
    run->empty = sums[1] == 0;
    return is_stuck(run, votes);
}

/* Nothing more comes: all classes have stopped, and what they sent has been delivered, or lost. A
 * limit of time is kept all the same. */
static bool is_silent(const weft_simulation *simulation)
{
    const weft_network *network = simulation->network;
    weft_time now = weft_engine_now(simulation->instance.engine);
    bool stopped = !network->jobs && simulation->control.goal.limit_intervals == 0 &&
                   simulation->waiting == 0 &&
                   simulation->generated == simulation->delivered + simulation->lost;
    for (uint32_t f = 0; f < network->n_traffic_classes && stopped; f++)
        stopped = network->traffic_classes[f].traffic.stop <= now;
    return stopped;
}

/* The warm-up that is looked for may be all of such a run, or leave its late packets alone. */
static void tell_silent(const weft_simulation *simulation)
{
    const weft_simulation_options *options = &simulation->options;
    if (!simulation->network->jobs && !simulation->control.settled && options->notice &&
        weft_comm_rank(simulation->comm) == 0)
        options->notice(options->user, "all traffic has stopped and arrived before the warm-up was "
                                       "over: measure.warmup: 0 measures all of it");
}

/* What a verdict other than to go on ends a run with; jobs converge by being done. */
static weft_ending ending_of(const weft_simulation *simulation, weft_stop_reason verdict)
{
    if (verdict == WEFT_CONVERGED)
        return simulation->network->jobs ? WEFT_END_COMPLETED : WEFT_END_CONVERGED;
    return verdict == WEFT_SATURATED      ? WEFT_END_SATURATED
           : verdict == WEFT_OUT_OF_REACH ? WEFT_END_OUT_OF_REACH
                                          : limit_reached(simulation);
}

/* After an interval: does the run end here? */
static bool ends(runner *run, const int64_t *votes)
{
    weft_simulation *simulation = run->simulation;
    weft_stop_reason verdict = simulation->network->jobs
                                   ? weft_run_jobs_verdict(simulation, votes[VOTE_RANKS])
                                   : weft_control_step(&simulation->control, simulation->series);
    if (verdict != WEFT_GO_ON)
        run->ending = ending_of(simulation, verdict);
    else if (votes[VOTE_MEMORY])
        run->ending = WEFT_END_MEMORY;
    else if (votes[VOTE_RANGE])
        run->ending = WEFT_END_LIMIT_RANGE;
    else if (votes[VOTE_WALL])
        run->ending = WEFT_END_LIMIT_WALL;
    else if (votes[VOTE_STOP])
        run->ending = WEFT_END_INTERRUPTED;
    else if (is_silent(simulation))
        run->ending = WEFT_END_COMPLETED;
    else
        return false;
    return true;
}

/* The end of an interval; does the run end with it? */
static bool is_over(runner *run)
{
    weft_simulation *simulation = run->simulation;
    int64_t votes[VOTES];
    end_interval(run, votes);
    run->empty = votes[VOTE_HELD] == 0;
    if (is_stuck(run, votes))
        return true;
    if (votes[VOTE_RANKS] > 0 && votes[VOTE_RANGE] == 0 && !weft_run_jobs_begin(simulation) &&
        votes[VOTE_ACTIVE] == 0 && weft_run_jobs_silent(simulation, votes[VOTE_AWAY])) {
        run->status = weft_run_jobs_stuck(simulation, run->err);
        return true;
    }
    bool end = ends(run, votes);
    /* never at an end that was reached: who went on from there would go too far */
    if (end ? run->ending == WEFT_END_INTERRUPTED : votes[VOTE_KEEP] > 0)
        run->status = keep(run);
    if (end || run->status != WEFT_OK)
        return true;
    if (weft_clock() - run->shown > 0.2) {
        run->shown = weft_clock();
        report(simulation);
    }
    return false;
}

static weft_time look_from_outside(const runner *run, weft_time now)
{
    weft_simulation *simulation = run->simulation;
    const weft_simulation_options *options = &simulation->options;
    return options->look ? options->look(options->looker, &simulation->instance, now) : INT64_MAX;
}

/* The next sync point that somebody needs, before `next`. While all ranks of jobs calculate, or no
 * router has a packet, nothing has to be looked at; deadlocks are found at the same ticks as if
 * there had been a look every time. */
static weft_time next_look(runner *run, weft_time next)
{
    const weft_simulation *simulation = run->simulation;
    if (!simulation->network->jobs && (!run->empty || run->watch == INT64_MAX))
        return run->watch;
    run->idle = weft_engine_idle(simulation->instance.engine, next);
    if (simulation->network->jobs)
        return run->watch < run->idle ? run->idle : run->watch;
    if (run->idle > run->watch) {
        weft_time period = weft_deadlock_watch_due(&run->deadlock_watch, 0);
        run->watch += (run->idle - run->watch + period - 1) / period * period;
    }
    return run->watch;
}

static weft_time pause(void *user)
{
    runner *run = user;
    weft_simulation *simulation = run->simulation;
    weft_time now = weft_engine_now(simulation->instance.engine);
    assert(simulation->comm || !simulation->instance.platform.router->audit ||
           simulation->instance.platform.router->audit(&simulation->instance));
    if (run->look <= now)
        run->look = look_from_outside(run, now);
    bool asked = run->started && (now == run->due || now >= run->watch);
    if (asked && (now == run->due ? is_over(run) : is_stuck_between(run)))
        return WEFT_ENGINE_STOP;
    run->empty = run->empty && (asked || run->idle >= now);
    if (!run->started || now == run->due) {
        run->started = true;
        begin_interval(simulation);
        run->due = now + simulation->interval;
    }
    if (now >= run->watch || now + simulation->interval == run->due)
        run->watch = weft_deadlock_watch_due(&run->deadlock_watch, now);
    weft_time next = now + WEFT_SWEEP;
    next = next < run->due ? next : run->due;
    next = next < run->look ? next : run->look;
    weft_time look = next_look(run, next);
    return look < next ? look : next;
}

/* Who waits that long and is in no knot is passed over again and again. */
static void tell_starved(runner *run)
{
    const weft_simulation *simulation = run->simulation;
    const weft_simulation_options *options = &simulation->options;
    int64_t starved =
        weft_deadlock_watch_starved(&run->deadlock_watch, &simulation->instance, simulation->comm);
    char text[256];
    if (starved == 0 || !options->notice || weft_comm_rank(simulation->comm) > 0)
        return;
    (void)weft_digits_print(
        text, sizeof text,
        "starvation, not deadlock: packets of %lld virtual channels have waited longer "
        "than %.6g %s, others were always taken first",
        (long long)starved,
        weft_timing_value(&simulation->network->timing, (double)run->deadlock_watch.waits.starving),
        weft_timing_unit(&simulation->network->timing));
    options->notice(options->user, text);
}

weft_status weft_simulation_run(weft_simulation *simulation, weft_ending *ending, weft_error *err)
{
    runner run = {.simulation = simulation, .err = err, .began = weft_clock()};
    run.shown = run.kept = run.began;
    if (simulation->comm)
        simulation->words =
            weft_alloc(sizeof *simulation->words * (weft_tally_words(simulation->tally) + VOTES));
    weft_deadlock_watch_init(&run.deadlock_watch, &simulation->instance.platform,
                             simulation->interval);
    weft_engine_drive(simulation->instance.engine, pause, &run);
    if (run.status == WEFT_OK && run.ending != WEFT_END_INTERRUPTED)
        tell_starved(&run);
    weft_deadlock_watch_done(&run.deadlock_watch);
    WEFT_TRY(run.status);
    *ending = run.ending;
    weft_run_jobs_finish(simulation);
    weft_timeline_collect(simulation);
    weft_message_waits_collect(simulation);
    weft_linkbins_look(&simulation->linkbins, &simulation->instance, simulation->comm,
                       weft_engine_now(simulation->instance.engine), true);
    weft_control_finish(&simulation->control, simulation->series);
    if (run.ending == WEFT_END_COMPLETED)
        tell_silent(simulation);
    bool all = weft_linkwatch_lists_all(simulation->network);
    weft_linkwatch_collect(&simulation->snapshots, simulation->comm, all,
                           weft_engine_now(simulation->instance.engine), &simulation->links);
    weft_devicewatch_collect(&simulation->snapshots, simulation->comm,
                             weft_engine_now(simulation->instance.engine), &simulation->devices,
                             &simulation->fairness);
    return conserve(simulation, err);
}
