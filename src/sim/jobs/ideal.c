/* SPDX-License-Identifier: Apache-2.0 */
/* Latencies of pairs of routers come from walks along their routes and are kept in a small cache;
 * what a pair takes does not depend on what the cache holds. */
#include "sim/jobs/ideal.h"

#include "analysis/bounds/channel_load.h"
#include "analysis/bounds/walk.h"
#include "base/memory.h"
#include "net/jobs/job_schedule.h"
#include "program/march/replay.h"
#include "program/replay.h"
#include "sim/platform.h"
#include "sim/router.h"

#include <stdlib.h>

#define OPERATIONS_MOST 2e7 /* of all repetitions: a few seconds */
#define WALKS_MOST      2e6
#define CACHE           65536u

typedef struct pair {
    uint32_t from, to; /* routers, + 1 */
    uint64_t latency;
} pair;

typedef struct finder {
    const weft_network *network;
    const weft_job *job;
    weft_platform platform;
    weft_walk walk;
    weft_mean_path path; /* of the pair in hand */
    double *busy;        /* ticks of every link; NULL: not counted */
    pair *cache;
    uint64_t least;                                            /* latency of the messages so far */
    bool lost;                                                 /* a walk came to no end */
    double ticks[WEFT_SIZE_CLASSES], count[WEFT_SIZE_CLASSES]; /* of messages, each alone */
} finder;

static void pass(void *user, uint32_t router, uint32_t port, uint32_t came, double share)
{
    finder *f = user;
    const weft_topology *topology = &f->network->topology;
    uint32_t class = weft_topology_link_class(topology, router, port);
    if (f->busy)
        f->busy[(size_t)router * topology->ports + port] +=
            share * (double)f->network->timing.period[class];
    else if (came < WEFT_PATH_CLASSES && class < WEFT_PATH_CLASSES)
        f->path.link[came][class] += share;
}

static void arrive(void *user, uint32_t came, double share)
{
    finder *f = user;
    if (!f->busy && came < WEFT_PATH_CLASSES)
        f->path.link[came][WEFT_LINK_HOST] += share;
}

static void follow(finder *f, uint32_t from, uint32_t to, double share)
{
    const weft_topology *topology = &f->network->topology;
    uint32_t home = weft_topology_home(topology, from), exit = weft_topology_egress(topology, to);
    f->walk.steps = 0;
    if (!weft_walk_pair(&f->walk, home, exit, weft_topology_host(topology, to), share))
        f->lost = true;
}

static uint64_t latency_between(void *user, uint32_t from, uint32_t to)
{
    finder *f = user;
    const weft_topology *topology = &f->network->topology;
    uint32_t source = f->job->endpoint[from], sink = f->job->endpoint[to];
    uint32_t home = weft_topology_home(topology, source) + 1;
    uint32_t exit = weft_topology_egress(topology, sink) + 1;
    pair *kept = &f->cache[(home * 2654435761u ^ exit * 40503u) % CACHE];
    if (kept->from == home && kept->to == exit)
        return kept->latency;
    f->path = (weft_mean_path){.known = true};
    follow(f, source, sink, 1);
    double ticks = f->platform.router->estimate.zero_load(&f->platform, &f->path, 1, 1);
    *kept = (pair){home, exit, (uint64_t)(ticks + 0.5)};
    return kept->latency;
}

static double replay(finder *f)
{
    const weft_job_set *jobs = f->network->jobs;
    const weft_program *program = &f->job->program;
    weft_replay_plan plan = {.flit = jobs->flit,
                             .calc = jobs->calc,
                             .repeats = f->job->repeats,
                             .free_receivers = true,
                             .latency = latency_between,
                             .user = f};
    if (f->job->schedule.n_phases > 0) {
        double ticks = (double)weft_march_replay(&f->job->schedule, &jobs->costs, &plan);
        return f->lost ? 0 : ticks;
    }
    uint64_t *finish = weft_alloc(sizeof *finish * program->n_ranks), last = 0;
    weft_error err;
    if (weft_replay_planned(program, &jobs->costs, &plan, NULL, finish, &err) == WEFT_OK)
        for (uint32_t r = 0; r < program->n_ranks; r++)
            last = finish[r] > last ? finish[r] : last;
    free(finish);
    return f->lost ? 0 : (double)last;
}

typedef void (*visit)(finder *f, uint32_t from, uint32_t to, uint64_t size);

static void each_stored(finder *f, uint32_t rank, visit message)
{
    const weft_program *program = &f->job->program;
    for (uint32_t i = program->first[rank]; i < program->first[rank + 1] && !f->lost; i++) {
        const weft_operation *operation = &program->operations[i];
        if (operation->kind == WEFT_OPERATION_SEND)
            message(f, rank, operation->peer, weft_operation_size(operation));
    }
}

static void each_generated(finder *f, uint32_t rank, visit message)
{
    const weft_phased *schedule = &f->job->schedule;
    for (uint32_t i = 0; i < schedule->n_phases; i++) {
        uint32_t steps = weft_phased_steps(schedule, i, rank);
        for (uint32_t k = 0; k < steps && !f->lost; k++) {
            weft_collective_step step = weft_phased_step(schedule, i, rank, k);
            if (step.to != WEFT_PROGRAM_NONE)
                message(f, rank, step.to, step.send);
        }
    }
}

/* Visits the messages of one repetition. */
static void each_message(finder *f, visit message)
{
    for (uint32_t r = 0; r < f->job->program.n_ranks; r++)
        (f->job->schedule.n_phases > 0 ? each_generated : each_stored)(f, r, message);
}

/* Operations of one repetition, of a schedule about. */
static double operations_of(const weft_network *network, const weft_job *job)
{
    return job->schedule.n_phases > 0 ? 2 * weft_job_schedule_sums(network->jobs, job).messages
                                      : job->program.n_operations;
}

/* A program that is divided is nowhere whole. */
static bool is_known(const weft_network *network, const weft_job *job, double most)
{
    return !job->program.divided && operations_of(network, job) <= most;
}

/* A message with its flits, in all repetitions. */
static void carry(finder *f, uint32_t from, uint32_t to, uint64_t size)
{
    uint64_t flits = size > 1 ? (size - 1) / f->network->jobs->flit + 1 : 1;
    follow(f, f->job->endpoint[from], f->job->endpoint[to], (double)flits * f->job->repeats);
}

/* All messages of the job at once. */
static double busiest(finder *f)
{
    const weft_topology *topology = &f->network->topology;
    size_t links = (size_t)topology->routers * topology->ports;
    double most = 0;
    f->busy = weft_alloc(sizeof *f->busy * (links + 1));
    each_message(f, carry);
    for (size_t i = 0; i < links; i++)
        most = f->busy[i] > most ? f->busy[i] : most;
    free(f->busy);
    f->busy = NULL;
    return f->lost ? 0 : most;
}

static bool hosts_are_alike(const weft_topology *topology)
{
    uint32_t endpoints = topology->host_class ? weft_topology_endpoints(topology) : 0;
    for (uint32_t e = 0; e < endpoints; e++)
        if (topology->host_class[e] != WEFT_LINK_HOST)
            return false;
    return true;
}

/* False: nothing can be known. */
static bool open_finder(finder *f, const weft_network *network, uint32_t job)
{
    const weft_routing *routing = &network->traffic_classes[network->n_traffic_classes - 1].routing;
    *f = (finder){.network = network, .job = &network->jobs->jobs[job]};
    weft_platform_init(&f->platform, network);
    if (!hosts_are_alike(&network->topology) || network->timing.classes > WEFT_PATH_CLASSES ||
        !f->platform.router->estimate.zero_load)
        return false;
    weft_walk_init(&f->walk, routing, weft_walk_mode_of(routing), 1u << 20);
    f->walk.pass = pass;
    f->walk.arrive = arrive;
    f->walk.user = f;
    f->cache = weft_alloc(sizeof *f->cache * CACHE);
    return true;
}

static void close_finder(finder *f)
{
    free(f->cache);
    weft_walk_done(&f->walk);
}

static void find_least(finder *f, uint32_t from, uint32_t to, uint64_t size)
{
    (void)size;
    uint64_t latency = latency_between(f, from, to);
    f->least = latency < f->least ? latency : f->least;
}

/* α is o + L + o and β the time of a flit by its bytes; a message of n flits takes α + (n − 1) flit
 * times, and has one flit at least. */
static double form_of(finder *f)
{
    const weft_job_set *jobs = f->network->jobs;
    const weft_phased *schedule = &f->job->schedule;
    const weft_collective *collective = &schedule->phases[0].collective;
    if (schedule->n_phases != 1 || schedule->limit || !collective->kind || !collective->kind->cost)
        return 0;
    weft_collective_cost cost = collective->kind->cost(collective);
    double times = cost.repeats ? f->job->repeats : 1, rounds = (double)cost.rounds;
    double flits = (double)cost.bytes / (double)jobs->flit;
    f->least = UINT64_MAX;
    each_message(f, find_least);
    if (f->lost || rounds < 1)
        return 0;
    double alpha = 2 * (double)jobs->costs.overhead + (double)f->least;
    double further = flits > rounds ? flits - rounds : 0;
    return times * (rounds * alpha + further * (double)jobs->costs.per_byte);
}

double weft_ideal_form(const weft_network *network, uint32_t job)
{
    finder f;
    if (network->jobs->jobs[job].schedule.n_phases == 0 ||
        operations_of(network, &network->jobs->jobs[job]) > WALKS_MOST ||
        !open_finder(&f, network, job))
        return 0;
    double ticks = form_of(&f);
    close_finder(&f);
    return ticks;
}

weft_ideal weft_ideal_find(const weft_network *network, uint32_t job)
{
    weft_ideal ideal = {0};
    finder f;
    const weft_job *its = &network->jobs->jobs[job];
    double operations = operations_of(network, its);
    if (!is_known(network, its, OPERATIONS_MOST / its->repeats) || !open_finder(&f, network, job))
        return ideal;
    ideal.ticks = replay(&f);
    if (f.walk.mode != WEFT_WALK_EMPTY && operations <= WALKS_MOST && !network->topology.faults)
        ideal.channel = busiest(&f);
    ideal.drawn = f.walk.drew;
    if (f.walk.drew)
        ideal.channel = 0;
    close_finder(&f);
    ideal.form = ideal.drawn ? 0 : weft_ideal_form(network, job);
    return ideal;
}

static void add_alone(finder *f, uint32_t from, uint32_t to, uint64_t size)
{
    const weft_job_set *jobs = f->network->jobs;
    uint32_t class = weft_job_size_class(size);
    uint64_t further = size > 1 ? (size - 1) / jobs->flit : 0;
    f->ticks[class] +=
        (double)latency_between(f, from, to) + (double)(further * jobs->costs.per_byte);
    f->count[class]++;
}

void weft_ideal_messages(const weft_network *network, uint32_t job, double ticks[WEFT_SIZE_CLASSES])
{
    finder f;
    for (uint32_t c = 0; c < WEFT_SIZE_CLASSES; c++)
        ticks[c] = 0;
    if (!is_known(network, &network->jobs->jobs[job], WALKS_MOST) || !open_finder(&f, network, job))
        return;
    each_message(&f, add_alone);
    for (uint32_t c = 0; c < WEFT_SIZE_CLASSES; c++)
        ticks[c] = f.count[c] > 0 && !f.lost ? f.ticks[c] / f.count[c] : 0;
    close_finder(&f);
}
