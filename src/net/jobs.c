/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs take endpoints in the order of the scenario: each those it asks for that are still free. */
#include "net/jobs.h"

#include "base/memory.h"
#include "interweft/random.h"
#include "net/hosts.h"
#include "net/kinds.h"
#include "net/topology.h"
#include "program/files.h"

#include <stdlib.h>

#define FLITS_MAX   (1u << 30) /* of a message: packets and parts of it are counted in 32 bits */
#define NUMBERS_MAX (1u << 27) /* messages of a rank: what a packet's name has room for */

typedef struct placing {
    const weft_topology *topology;
    uint32_t *free; /* endpoints, in the order in which they are given to ranks */
    uint32_t count;
} placing;

/* Endpoints of `on` without a rank. */
static void list_free(placing *p, const weft_job_set *set, const weft_host_set *on,
                      uint32_t endpoints)
{
    p->count = 0;
    for (uint32_t e = 0; e < endpoints; e++)
        if (set->rank_at[e] == WEFT_NOWHERE && (!on || weft_host_set_has(on, e)))
            p->free[p->count++] = e;
}

static void shuffle(placing *p, uint64_t seed, uint32_t job)
{
    for (uint32_t i = p->count; i > 1; i--) {
        weft_random random = weft_random_stream(seed, i, job, WEFT_FOR_PHASE);
        uint32_t j = weft_random_below(&random, i), other = p->free[j];
        p->free[j] = p->free[i - 1];
        p->free[i - 1] = other;
    }
}

/* The first endpoint of every router, then the second of each, … */
static void deal_round_robin(placing *p)
{
    uint32_t *dealt = weft_alloc(sizeof *dealt * ((size_t)p->count + 1)), count = 0;
    for (uint32_t host = 0; host < p->topology->concentration; host++)
        for (uint32_t i = 0; i < p->count; i++)
            if (weft_topology_host(p->topology, p->free[i]) == host)
                dealt[count++] = p->free[i];
    for (uint32_t i = 0; i < count; i++)
        p->free[i] = dealt[i];
    free(dealt);
}

static void order_free(placing *p, const weft_job_settings *set, uint64_t seed, uint32_t job)
{
    if (set->placement == WEFT_JOB_RANDOM)
        shuffle(p, seed, job);
    else if (set->placement == WEFT_JOB_ROUND_ROBIN)
        deal_round_robin(p);
}

static weft_status check_program(const weft_job_set *set, const weft_job *job, weft_error *err)
{
    const weft_program *program = &job->program;
    for (uint32_t r = 0; r < program->n_ranks; r++) {
        uint64_t numbers = 2 * (uint64_t)weft_ranks_operations(program, r) * job->repeats;
        if (numbers > NUMBERS_MAX)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "rank %u has %u operations × %u repetitions; at most %u together can "
                             "be simulated",
                             r, weft_ranks_operations(program, r), job->repeats, NUMBERS_MAX / 2);
        for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++) {
            const weft_operation *operation = &program->operations[i];
            uint64_t size = weft_operation_size(operation);
            if (operation->kind == WEFT_OPERATION_CALC)
                continue;
            if (size > FLITS_MAX * set->flit)
                return weft_fail(err, WEFT_BAD_INPUT,
                                 "rank %u has a message of %llu bytes; at most %u flits "
                                 "(links.flit) can be simulated",
                                 r, (unsigned long long)size, FLITS_MAX);
            if (operation->nic > 0)
                return weft_fail(err, WEFT_BAD_INPUT,
                                 "rank %u uses nic %u: an endpoint has one, nic 0", r,
                                 operation->nic);
            if (operation->kind == WEFT_OPERATION_SEND && size > set->costs.eager &&
                weft_program_wild(program, operation->peer))
                return weft_fail(err, WEFT_BAD_INPUT,
                                 "rank %u receives from any source or with any tag, and rank %u "
                                 "sends it more than host.eager: that cannot be simulated",
                                 operation->peer, r);
        }
    }
    return WEFT_OK;
}

static weft_status make_program(const weft_job_settings *set, uint32_t ranks, weft_program *program,
                                weft_error *err)
{
    weft_program_choice choice = {.file = set->file.text ? set->file.path : set->collective,
                                  .ranks = set->file.text ? 0 : ranks,
                                  .bytes = (uint64_t)set->size.value,
                                  .segments = (uint32_t)set->segments,
                                  .sum_per_byte = (uint64_t)set->sum};
    weft_status status = weft_program_make(&choice, program, err);
    return status == WEFT_BAD_USAGE ? WEFT_BAD_INPUT : status; /* it stands in the scenario */
}

static weft_status build_job(weft_job_set *set, const weft_job_settings *settings, placing *p,
                             const weft_timing *timing, uint64_t seed, weft_arena *arena,
                             weft_error *err)
{
    weft_job *job = &set->jobs[set->n_jobs];
    const weft_host_set *on;
    uint32_t endpoints = weft_topology_endpoints(p->topology);
    const char *path = weft_arena_format(arena, "jobs.%s.on", settings->name);
    *job = (weft_job){.name = settings->name,
                      .repeats = (uint32_t)settings->repeat,
                      .start = weft_timing_ticks(timing, settings->start),
                      .first = set->n_ranks};
    WEFT_TRY(weft_hosts_read(&settings->on, p->topology, path, arena, &on, err));
    list_free(p, set, on, endpoints);
    uint32_t wanted = settings->ranks == WEFT_NONE_INT ? p->count : (uint32_t)settings->ranks;
    if (wanted == 0)
        return weft_fail(err, WEFT_BAD_INPUT, "jobs.%s: no endpoint is free for it", job->name);
    WEFT_TRY(make_program(settings, wanted, &job->program, err));
    set->n_jobs++; /* from here on weft_job_set_done is its owner */
    WEFT_TRY(check_program(set, job, err));
    uint32_t ranks = job->program.n_ranks;
    if (ranks > p->count)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "jobs.%s has %u ranks, and %u endpoints are free for it", job->name, ranks,
                         p->count);
    order_free(p, settings, seed, set->n_jobs - 1);
    uint32_t *endpoint = WEFT_TAKE(arena, uint32_t, ranks);
    for (uint32_t r = 0; r < ranks; r++) {
        endpoint[r] = p->free[r];
        set->rank_at[p->free[r]] = job->first + r;
    }
    job->endpoint = endpoint;
    set->n_ranks += ranks;
    return WEFT_OK;
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

/* What the messages come to, for estimates. The busiest rank is taken for the pace of all. */
static void measure(weft_job_set *set, uint32_t endpoints)
{
    double flits = 0, longest = 1;
    for (uint32_t j = 0; j < set->n_jobs; j++) {
        const weft_job *job = &set->jobs[j];
        const weft_program *program = &job->program;
        for (uint32_t r = 0; r < program->n_ranks; r++) {
            double busy = 0;
            for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++) {
                const weft_operation *operation = &program->operations[i];
                double size = (double)weft_operation_size(operation);
                double length = size > 1 ? (size - 1) / (double)set->flit + 1 : 1;
                if (operation->kind == WEFT_OPERATION_CALC) {
                    busy += size * (double)set->calc;
                    continue;
                }
                busy += (double)set->costs.overhead;
                if (operation->kind == WEFT_OPERATION_RECV)
                    continue;
                busy += length * (double)set->costs.per_byte;
                double asks = size > (double)set->costs.eager ? 2 : 0; /* request and answer */
                flits += (length + asks) * job->repeats;
                set->messages += (1 + asks) * job->repeats;
                if (length > set->most_flits)
                    set->most_flits = (uint32_t)length;
            }
            longest = busy * job->repeats > longest ? busy * job->repeats : longest;
        }
    }
    set->most_flits = set->most_flits ? set->most_flits : 1;
    set->mean_flits = set->messages > 0 ? flits / set->messages : 1;
    set->load = flits * (double)set->costs.per_byte / longest / endpoints;
    set->load = set->load < 1e-6 ? 1e-6 : set->load > 1 ? 1 : set->load;
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
    *set = (weft_job_set){.jobs = WEFT_TAKE(arena, weft_job, scenario->n_jobs),
                          .rank_at = WEFT_TAKE(arena, uint32_t, endpoints)};
    for (uint32_t e = 0; e < endpoints; e++)
        set->rank_at[e] = WEFT_NOWHERE;
    set_costs(set, scenario, timing);
    placing p = {.topology = topology, .free = weft_alloc(sizeof *p.free * endpoints)};
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < scenario->n_jobs && status == WEFT_OK; i++) {
        const char *path = weft_arena_format(arena, "jobs.%s", scenario->jobs[i].name);
        status = build_job(set, &scenario->jobs[i], &p, timing, seed, arena, err);
        status = weft_scenario_locate(scenario, path, status, err);
    }
    free(p.free);
    if (status != WEFT_OK) {
        weft_job_set_done(set);
        return status;
    }
    measure(set, endpoints);
    *built = set;
    return WEFT_OK;
}

void weft_job_set_done(const weft_job_set *set)
{
    for (uint32_t j = 0; set && j < set->n_jobs; j++)
        weft_program_done(&set->jobs[j].program);
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

weft_class_settings weft_job_set_class(const weft_job_set *set)
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
        .max_rate = WEFT_NONE_REAL,
        .window = WEFT_NONE_INT,
        .service = WEFT_SERVICE_NONE,
        .deadline = {.unit = WEFT_NO_TIME},
        .guarantee = WEFT_NONE_REAL};
    return class;
}
