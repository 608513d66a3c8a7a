/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/jobs/run_jobs_cost.h"

#include "net/jobs/jobs.h"
#include "sim/jobs/timeline.h"
#include "sim/watch/linkbins.h"

#define STEPS_LOOKED_AT 4096 /* of a phase */
#define LATER           8    /* times a packet may take what it takes alone, and a job likewise */

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* Messages that a rank sends in one round of a phase. */
static uint32_t at_once(const weft_phased *schedule, uint32_t phase)
{
    uint32_t steps = weft_phased_steps(schedule, phase, 0), round = 0, now = 0, most = 1;
    for (uint32_t k = 0; k < steps && k < STEPS_LOOKED_AT; k++) {
        weft_collective_step step = weft_phased_step(schedule, phase, 0, k);
        now = k > 0 && step.round == round ? now + 1 : 1;
        round = step.round;
        most = now > most ? now : most;
    }
    return most;
}

/* Messages of all ranks of a job that can be under way at once; negative: any number. */
static double under_way(const weft_job *job)
{
    const weft_phased *schedule = &job->schedule;
    double most = 1;
    if (schedule->n_phases == 0)
        return -1;
    for (uint32_t i = 0; i < schedule->n_phases; i++)
        if (schedule->phases[i].collective.kind && at_once(schedule, i) > most)
            most = at_once(schedule, i);
    return most * schedule->chains * job->program.n_ranks;
}

void weft_run_jobs_calm(weft_forecast *f)
{
    const weft_network *network = f->platform.network;
    const weft_job_set *jobs = network->jobs;
    double messages = 0, packet = f->all.mean / f->period;
    if (!jobs || network->n_traffic_classes > 1 || f->packets <= 0)
        return;
    for (uint32_t j = 0; j < jobs->n_jobs; j++) {
        double own = under_way(&jobs->jobs[j]);
        if (own < 0)
            return;
        messages += own;
    }
    double cut = packet > 0 && jobs->mean_flits > packet ? jobs->mean_flits / packet : 1;
    double packets = messages * cut, alone = f->hops * f->hop + f->all.mean;
    double rate = packets / alone;
    f->in_flight = least(f->in_flight, packets);
    if (f->packets <= rate)
        return;
    f->link *= rate / f->packets;
    f->port *= rate / f->packets;
    f->packets = rate;
    f->saturated = false;
    f->link_wait = least(f->link_wait, LATER * alone / (f->hops > 1 ? f->hops : 1));
    f->port_wait = least(f->port_wait, LATER * alone);
    if (!weft_job_set_waits(jobs))
        f->ticks =
            least(f->ticks, LATER * (jobs->longest + jobs->messages / jobs->n_ranks * alone));
}

double weft_run_jobs_beside(const weft_forecast *f)
{
    return weft_timeline_estimate(f->platform.network) +
           weft_linkbins_estimate(f->platform.network);
}
