/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs take endpoints one after the other: each those it asks for that are still free. */
#include "net/jobs/jobs.h"

#include "base/memory.h"
#include "net/allocation.h"
#include "net/hosts.h"
#include "net/jobs/job_programs.h"
#include "net/jobs/job_schedule.h"
#include "net/kinds.h"
#include "net/topology.h"

#include <stdlib.h>
#include <string.h>

typedef struct placing {
    const weft_scenario *scenario;
    weft_job_set *set;
    const weft_job_settings *settings; /* of all jobs */
    weft_allocation allocation;
    uint32_t *job_at; /* per endpoint; WEFT_NOWHERE: it is free */
    const weft_timing *timing;
    weft_arena *arena;
} placing;

/* Endpoints of `on` without a rank. */
static void list_free(placing *p, const weft_host_set *on)
{
    uint32_t endpoints = weft_topology_endpoints(p->allocation.topology);
    p->allocation.count = 0;
    for (uint32_t e = 0; e < endpoints; e++)
        if (p->job_at[e] == WEFT_NOWHERE && (!on || weft_host_set_has(on, e)))
            p->allocation.free[p->allocation.count++] = e;
}

/* The endpoints that a job may have. Those that it lists must be free. */
static weft_status find_free(placing *p, const weft_job_settings *settings, weft_error *err)
{
    weft_allocation *allocation = &p->allocation;
    const weft_host_set *on;
    const char *path = weft_arena_format(p->arena, "jobs.%s.on", settings->name);
    if (settings->placement != WEFT_JOB_LISTED) {
        WEFT_TRY(weft_hosts_read(&settings->on, allocation->topology, path, p->arena, &on, err));
        list_free(p, on);
        return WEFT_OK;
    }
    WEFT_TRY(weft_hosts_list(&settings->on, allocation->topology, path, p->arena, &allocation->list,
                             &allocation->n_list, err));
    for (uint32_t i = 0; i < allocation->n_list; i++) {
        uint32_t other = p->job_at[allocation->list[i]];
        if (other != WEFT_NOWHERE)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "%s names endpoint %u, which has a rank of job %s; an endpoint has "
                             "ranks of one job: name another one",
                             path, allocation->list[i], p->settings[other].name);
    }
    allocation->count = allocation->n_list;
    return WEFT_OK;
}

static weft_status check_schedule(const weft_job_set *set, const weft_job *job, weft_error *err)
{
    uint64_t most = weft_job_schedule_sums(set, job).most_bytes;
    if (most > WEFT_JOB_FLITS_MAX * set->flit)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "jobs.%s has messages of %llu bytes; at most %u flits (links.flit) can be "
                         "simulated",
                         job->name, (unsigned long long)most, WEFT_JOB_FLITS_MAX);
    return WEFT_OK;
}

/* Gives every rank its endpoint. */
static weft_status place(placing *p, uint32_t number, weft_error *err)
{
    weft_job *job = &p->set->jobs[number];
    uint32_t ranks = job->program.n_ranks;
    if (ranks > p->allocation.count)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "jobs.%s has %u ranks, and %u endpoints are free for it", job->name, ranks,
                         p->allocation.count);
    p->allocation.wanted = ranks;
    p->allocation.job = number;
    WEFT_TRY(weft_allocation_of(p->settings[number].placement)->order(&p->allocation, err));
    uint32_t *endpoint = WEFT_TAKE(p->arena, uint32_t, ranks);
    for (uint32_t r = 0; r < ranks; r++) {
        endpoint[r] = p->allocation.free[r];
        p->job_at[endpoint[r]] = number;
    }
    job->endpoint = endpoint;
    return WEFT_OK;
}

static uint32_t find_job(const placing *p, const char *name)
{
    uint32_t j = 0;
    while (name && strcmp(p->settings[j].name, name) != 0)
        j++;
    return name ? j : WEFT_NOWHERE;
}

static weft_status place_stored(void *user, weft_job *job, weft_error *err)
{
    placing *p = user;
    return place(p, (uint32_t)(job - p->set->jobs), err);
}

static weft_status build_stored(placing *p, const weft_job_settings *settings, weft_job *job,
                                weft_error *err)
{
    weft_job_reading how = {.programs = p->scenario->programs,
                            .path = settings->file.path,
                            .set = p->set,
                            .topology = p->allocation.topology,
                            .part = p->scenario->part,
                            .most = (uint64_t)p->scenario->measure.ideal_limit,
                            .place = place_stored,
                            .user = p};
    return weft_job_programs_read(&how, job, err);
}

static weft_status build_generated(const placing *p, const weft_job_settings *settings,
                                   uint32_t ranks, weft_job *job, weft_error *err)
{
    const weft_job_set *set = p->set;
    WEFT_TRY(weft_job_schedule_build(job, settings, ranks, set->calc, p->timing, p->allocation.seed,
                                     WEFT_JOB_NUMBERS_MAX, p->arena, err));
    return check_schedule(set, job, err);
}

static weft_status build_job(placing *p, uint32_t number, weft_error *err)
{
    weft_job *job = &p->set->jobs[number];
    const weft_job_settings *settings = &p->settings[number];
    *job = (weft_job){.name = settings->name,
                      .repeats = (uint32_t)settings->repeat,
                      .start = weft_timing_ticks(p->timing, settings->start),
                      .after = find_job(p, settings->after),
                      .background = settings->background};
    if (p->allocation.topology->egress_offset > 0) /* a rank is in the block of one router */
        return weft_fail(err, WEFT_BAD_INPUT,
                         "jobs.%s needs endpoints that send and receive at one router; those of a "
                         "%s receive at its other end: use another topology, such as fat-tree",
                         job->name, p->scenario->topology.kind->name);
    WEFT_TRY(find_free(p, settings, err));
    uint32_t wanted =
        settings->ranks == WEFT_NONE_INT ? p->allocation.count : (uint32_t)settings->ranks;
    if (wanted == 0)
        return weft_fail(err, WEFT_BAD_INPUT, "jobs.%s: no endpoint is free for it", job->name);
    if (settings->file.text)
        return build_stored(p, settings, job, err);
    WEFT_TRY(build_generated(p, settings, wanted, job, err));
    return place(p, number, err);
}

/* The order in which jobs are placed: as in the file, those that come last by their starts. */
static void order_jobs(const placing *p, uint32_t *order)
{
    uint32_t count = 0, jobs = p->set->n_jobs;
    for (uint32_t j = 0; j < jobs; j++)
        if (!weft_allocation_of(p->settings[j].placement)->last)
            order[count++] = j;
    uint32_t first = count;
    for (uint32_t j = 0; j < jobs; j++) {
        if (!weft_allocation_of(p->settings[j].placement)->last)
            continue;
        weft_time start = weft_timing_ticks(p->timing, p->settings[j].start);
        uint32_t at = count++;
        for (; at > first && weft_timing_ticks(p->timing, p->settings[order[at - 1]].start) > start;
             at--)
            order[at] = order[at - 1];
        order[at] = j;
    }
}

static weft_status build_jobs(placing *p, const weft_scenario *scenario, weft_error *err)
{
    uint32_t *order = weft_alloc(sizeof *order * p->set->n_jobs);
    weft_status status = WEFT_OK;
    order_jobs(p, order);
    for (uint32_t i = 0; i < p->set->n_jobs && status == WEFT_OK; i++) {
        const char *path = weft_arena_format(p->arena, "jobs.%s", p->settings[order[i]].name);
        status = build_job(p, order[i], err);
        status = weft_scenario_locate(scenario, path, status, err);
    }
    free(order);
    return status;
}

/* Ranks of all jobs have numbers one after the other. */
static void number_ranks(weft_job_set *set)
{
    for (uint32_t j = 0; j < set->n_jobs; j++) {
        weft_job *job = &set->jobs[j];
        job->first = set->n_ranks;
        job->schedule.entity = job->first;
        set->n_ranks += job->program.n_ranks;
        for (uint32_t r = 0; r < job->program.n_ranks; r++)
            set->rank_at[job->endpoint[r]] = job->first + r;
    }
}

static void set_costs(weft_job_set *set, const weft_scenario *scenario, const weft_timing *timing)
{
    const weft_host_settings *host = &scenario->host;
    weft_time period = timing->period[WEFT_LINK_HOST], gap = weft_timing_ticks(timing, host->gap);
    if (host->gap.unit == WEFT_NO_TIME || gap < period)
        gap = period;
    set->flit = (uint64_t)scenario->links.flit.value;
    set->costs = (weft_host_costs){
        .overhead = (uint64_t)weft_timing_ticks(timing, host->overhead),
        .overhead_per_byte = (uint64_t)weft_timing_ticks(timing, host->overhead_per_byte),
        .gap = (uint64_t)gap,
        .per_byte = (uint64_t)period,
        .eager = host->eager.unit == WEFT_NO_SIZE ? UINT64_MAX
                 : host->eager.unit == WEFT_FLITS ? (uint64_t)host->eager.value * set->flit
                                                  : (uint64_t)host->eager.value};
    weft_duration unit = {.value = timing->in_cycles ? 1 : 1000,
                          .unit = timing->in_cycles ? WEFT_CYCLES : WEFT_PICOSECONDS};
    set->calc =
        (uint64_t)weft_timing_ticks(timing, host->calc.unit == WEFT_NO_TIME ? unit : host->calc);
}

weft_status weft_job_set_build(const weft_scenario *scenario, const weft_topology *topology,
                               const weft_timing *timing, uint64_t seed, weft_arena *arena,
                               const weft_job_set **built, weft_error *err)
{
    uint32_t endpoints = weft_topology_endpoints(topology);
    *built = NULL;
    if (scenario->n_jobs == 0)
        return WEFT_OK;
    weft_job_set *set = WEFT_TAKE(arena, weft_job_set, 1);
    *set = (weft_job_set){.n_jobs = (uint32_t)scenario->n_jobs,
                          .jobs = WEFT_TAKE(arena, weft_job, scenario->n_jobs),
                          .rank_at = WEFT_TAKE(arena, uint32_t, endpoints)};
    for (uint32_t j = 0; j < set->n_jobs; j++)
        set->jobs[j] = (weft_job){0}; /* weft_job_set_done is their owner from here on */
    set_costs(set, scenario, timing);
    weft_job_programs_next(scenario->programs);
    placing p = {.scenario = scenario,
                 .set = set,
                 .settings = scenario->jobs,
                 .allocation = {.topology = topology, .seed = seed},
                 .timing = timing,
                 .arena = arena};
    p.allocation.free = weft_alloc(sizeof *p.allocation.free * endpoints);
    p.job_at = weft_alloc(sizeof *p.job_at * endpoints);
    for (uint32_t e = 0; e < endpoints; e++)
        p.job_at[e] = set->rank_at[e] = WEFT_NOWHERE;
    weft_status status = build_jobs(&p, scenario, err);
    free(p.job_at);
    free(p.allocation.free);
    if (status != WEFT_OK) {
        weft_job_set_done(set);
        return status;
    }
    number_ranks(set);
    weft_job_set_measure(set, endpoints);
    *built = set;
    return WEFT_OK;
}

void weft_job_set_done(const weft_job_set *set)
{
    for (uint32_t j = 0; set && j < set->n_jobs; j++)
        weft_job_programs_release(&set->jobs[j]);
}

/* Lengths of the messages of jobs, for estimates and for what routers must have room for. */
static uint32_t typical_flits(const weft_length *length, weft_random *random)
{
    (void)random;
    return (uint32_t)(((const weft_job_set *)length->settings)->mean_flits + 0.5);
}

static double mean_flits(const weft_length *length)
{
    return ((const weft_job_set *)length->settings)->mean_flits;
}

static uint32_t most_flits(const weft_length *length)
{
    return ((const weft_job_set *)length->settings)->most_flits;
}

static const weft_length_kind lengths = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_length_kind),
             .name = "program",
             .brief = "as the operations of programs say"},
    .flits = typical_flits,
    .mean = mean_flits,
    .most = most_flits,
};

weft_class_settings weft_job_set_class(const weft_job_set *set, const weft_host_settings *host)
{
    static const int exponential = 0; /* of arrival poisson */
    static const int apart = -1;      /* of pattern uniform: no messages to oneself */
    weft_class_settings class = {
        .name = WEFT_JOBS_CLASS,
        .pattern = {(const weft_component *)(const void *)&weft_pattern_uniform, &apart},
        .arrival = {(const weft_component *)(const void *)&weft_arrival_poisson, &exponential},
        .length = {&lengths.base, set},
        .load = set->load,
        .rho = WEFT_NONE_REAL,
        .rate = WEFT_NONE_REAL,
        .share = WEFT_NONE_REAL,
        .stop = {.unit = WEFT_NO_TIME},
        .sl = WEFT_NONE_INT,
        .response = host->response,
        .min_rate = host->min_rate,
        .max_rate = WEFT_NONE_REAL,
        .rate_jitter = host->rate_jitter,
        .window = WEFT_NONE_INT,
        .service = WEFT_SERVICE_NONE,
        .deadline = {.unit = WEFT_NO_TIME},
        .guarantee = WEFT_NONE_REAL};
    return class;
}
