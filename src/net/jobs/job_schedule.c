/* SPDX-License-Identifier: Apache-2.0 */
#include "net/jobs/job_schedule.h"

#include "program/files.h"

#include <assert.h>

#define EXACT_MAX  ((uint64_t)1 << 22) /* steps of all ranks that are looked at one by one */
#define RANKS_SEEN 64u                 /* else: of a job … */
#define STEPS_SEEN 4096u               /* … and of a rank */

/* ---- building ---- */

static weft_status set_collective(weft_phased_phase *phase, const weft_phase_settings *settings,
                                  uint32_t ranks, uint64_t calc, weft_error *err)
{
    weft_program_choice choice = {.file = settings->collective,
                                  .ranks = ranks,
                                  .bytes = (uint64_t)settings->size.value,
                                  .segments = (uint32_t)settings->segments,
                                  .group = (uint32_t)settings->group};
    phase->sum = weft_ranks_product((uint64_t)settings->sum, calc);
    return weft_program_collective(&choice, &phase->collective, err);
}

static weft_status set_phase(weft_phased_phase *phase, const weft_phase_settings *settings,
                             uint32_t ranks, uint64_t calc, const weft_timing *timing,
                             weft_error *err)
{
    *phase = (weft_phased_phase){
        .name = settings->name, .imbalance = settings->imbalance, .noise = settings->noise};
    if (settings->collective)
        return set_collective(phase, settings, ranks, calc, err);
    phase->compute = (uint64_t)weft_timing_ticks(timing, settings->compute);
    return WEFT_OK;
}

/* A job that is one collective is one phase. */
static weft_phase_settings only_phase(const weft_job_settings *job)
{
    return (weft_phase_settings){.name = job->collective,
                                 .collective = job->collective,
                                 .size = job->size,
                                 .segments = job->segments,
                                 .sum = job->sum,
                                 .group = job->group,
                                 .compute = {.unit = WEFT_NO_TIME}};
}

/* Of the steps a part can be run if messages stay among them and each is a round of its own. */
static weft_status set_limit(weft_phased *schedule, const char *job, int64_t steps, weft_error *err)
{
    const weft_collective *collective = &schedule->phases[0].collective;
    assert(collective->kind);
    if (steps == WEFT_NONE_INT || steps >= (int64_t)collective->kind->steps(collective, 0))
        return WEFT_OK;
    bool alike = !collective->kind->received_in && weft_collective_chains(collective) == 1 &&
                 weft_collective_step_of(collective, 0, 1).round == 1;
    if (!alike)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "jobs.%s.steps: the steps of %s/%s are not all alike; it is for rings and "
                         "pairwise exchanges",
                         job, weft_collective_operation_name(collective->kind->operation),
                         collective->kind->algorithm);
    schedule->limit = (uint32_t)steps;
    return WEFT_OK;
}

/* What the bandwidths of a collective are found from. */
static void set_bandwidth(weft_job *job, const weft_job_settings *settings)
{
    weft_program_choice choice = {.file = settings->collective, .ranks = job->schedule.ranks};
    job->bytes = (uint64_t)settings->size.value;
    job->bus_factor = weft_program_bus_factor(&choice);
}

weft_status weft_job_schedule_build(weft_job *job, const weft_job_settings *settings,
                                    uint32_t ranks, uint64_t calc, const weft_timing *timing,
                                    uint64_t seed, uint32_t most, weft_arena *arena,
                                    weft_error *err)
{
    weft_phase_settings only = only_phase(settings);
    const weft_phase_settings *phases = settings->n_phases ? settings->phases : &only;
    weft_phased *schedule = &job->schedule;
    *schedule = (weft_phased){.ranks = ranks,
                              .n_phases = settings->n_phases ? (uint32_t)settings->n_phases : 1,
                              .seed = seed};
    schedule->phases = WEFT_TAKE(arena, weft_phased_phase, schedule->n_phases);
    for (uint32_t i = 0; i < schedule->n_phases; i++) {
        weft_status status = set_phase(&schedule->phases[i], &phases[i], ranks, calc, timing, err);
        if (status != WEFT_OK)
            return status == WEFT_BAD_USAGE ? WEFT_BAD_INPUT : status; /* it is in the scenario */
    }
    if (settings->collective)
        WEFT_TRY(set_limit(schedule, settings->name, settings->steps, err));
    bool fits = weft_phased_number_places(schedule, job->repeats, most);
    if (fits && job->background) /* as often as there are names for its messages */
        job->repeats = most / 4 / schedule->places;
    if (!fits)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "jobs.%s has too many steps × repetitions: at most %u of a rank can be "
                         "simulated",
                         job->name, most / 4);
    job->program.n_ranks = ranks;
    job->program.n_cpus = job->program.n_nics = 1;
    if (settings->collective)
        set_bandwidth(job, settings);
    return WEFT_OK;
}

/* ---- estimates ---- */

typedef struct sampling {
    const weft_job_set *set;
    const weft_job *job;
    uint32_t every_rank, every_step; /* of which one is looked at */
    weft_job_sums sums;
} sampling;

/* One step stands for `weight` of them. */
static double add_step(sampling *s, const weft_phased_phase *phase,
                       const weft_collective_step *step, double weight)
{
    double busy = 0, flit = (double)s->set->flit, period = (double)s->set->costs.per_byte;
    uint64_t most = step->send;
    if (step->from != WEFT_PROGRAM_NONE) {
        busy += (double)s->set->costs.overhead;
        busy += step->sums ? (double)(step->receive * phase->sum) : 0;
    }
    if (step->to == WEFT_PROGRAM_NONE)
        return busy * weight;
    double size = (double)step->send, length = size > 1 ? (size - 1) / flit + 1 : 1;
    double asks = size > (double)s->set->costs.eager ? 2 : 0;
    if (s->every_rank > 1 || s->every_step > 1)
        most += step->sent.count ? step->sent.count : 1; /* blocks may be a byte longer */
    s->sums.size_classes |= 1u << weft_job_size_class(step->send);
    s->sums.messages += (1 + asks) * weight * s->every_rank;
    s->sums.flits += (length + asks) * weight * s->every_rank;
    s->sums.most_bytes = most > s->sums.most_bytes ? most : s->sums.most_bytes;
    return (busy + (double)s->set->costs.overhead + length * period) * weight;
}

static double add_phase(sampling *s, uint32_t number, uint32_t rank)
{
    const weft_phased *schedule = &s->job->schedule;
    const weft_phased_phase *phase = &schedule->phases[number];
    if (!phase->collective.kind)
        return (double)phase->compute * (1 + phase->noise);
    uint32_t steps = weft_phased_steps(schedule, number, rank);
    double busy = 0;
    for (uint32_t k = 0; k < steps; k += s->every_step) {
        weft_collective_step step = weft_phased_step(schedule, number, rank, k);
        uint32_t left = steps - k;
        busy += add_step(s, phase, &step, left < s->every_step ? left : s->every_step);
    }
    return busy;
}

weft_job_sums weft_job_schedule_sums(const weft_job_set *set, const weft_job *job)
{
    const weft_phased *schedule = &job->schedule;
    sampling s = {.set = set, .job = job, .every_rank = 1, .every_step = 1};
    if ((uint64_t)schedule->places * schedule->ranks > EXACT_MAX) {
        s.every_rank = (schedule->ranks + RANKS_SEEN - 1) / RANKS_SEEN;
        s.every_step = (schedule->places + STEPS_SEEN - 1) / STEPS_SEEN;
    }
    for (uint32_t r = 0; r < schedule->ranks; r += s.every_rank) {
        double busy = 0;
        for (uint32_t i = 0; i < schedule->n_phases; i++)
            busy += add_phase(&s, i, r);
        s.sums.busiest = busy > s.sums.busiest ? busy : s.sums.busiest;
    }
    if (s.every_rank > 1 || s.every_step > 1) /* some may not have been seen */
        s.sums.size_classes = (2u << weft_job_size_class(s.sums.most_bytes)) - 1;
    return s.sums;
}
