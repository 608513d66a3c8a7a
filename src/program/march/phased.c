/* SPDX-License-Identifier: Apache-2.0 */
#include "program/march/phased.h"

#include "base/numeric.h"
#include "interweft/random.h"

/* The greatest number of steps of a rank. Of most algorithms rank 0 or the last one has it; all are
 * asked, once. */
static uint32_t most_steps(const weft_phased *schedule, uint32_t phase)
{
    uint32_t most = 1; /* a calculation has a place, so that phases differ */
    for (uint32_t r = 0; r < schedule->ranks; r++) {
        uint32_t steps = weft_phased_steps(schedule, phase, r);
        most = steps > most ? steps : most;
    }
    return most;
}

bool weft_phased_number_places(weft_phased *schedule, uint32_t repeats, uint32_t most)
{
    uint64_t places = 0;
    schedule->chains = 1;
    for (uint32_t i = 0; i < schedule->n_phases; i++) {
        weft_phased_phase *phase = &schedule->phases[i];
        phase->first = (uint32_t)places;
        places += most_steps(schedule, i);
        if (places * repeats > most / 4)
            return false;
        if (phase->collective.kind && weft_collective_chains(&phase->collective) > schedule->chains)
            schedule->chains = weft_collective_chains(&phase->collective);
    }
    schedule->places = (uint32_t)places;
    return true;
}

uint32_t weft_phased_number(const weft_phased *schedule, weft_phased_name name)
{
    uint32_t place = schedule->phases[name.phase].first + name.step;
    return (name.repetition * schedule->places + place) * 4 + name.part;
}

weft_phased_name weft_phased_name_of(const weft_phased *schedule, uint32_t number)
{
    uint32_t repetition = number / 4 / schedule->places, phase = 0;
    uint32_t place = number / 4 - repetition * schedule->places;
    while (phase + 1 < schedule->n_phases && schedule->phases[phase + 1].first <= place)
        phase++;
    return (weft_phased_name){.repetition = repetition,
                              .phase = phase,
                              .step = place - schedule->phases[phase].first,
                              .part = (weft_phased_part)(number % 4)};
}

bool weft_phased_find(const weft_phased *schedule, uint32_t repeats, uint32_t rank, uint32_t number,
                      weft_phased_name *name, weft_collective_step *step)
{
    if (rank >= schedule->ranks || number % 4 > WEFT_PHASED_ANSWER)
        return false;
    *name = weft_phased_name_of(schedule, number);
    if (name->repetition >= repeats || name->step >= weft_phased_steps(schedule, name->phase, rank))
        return false;
    weft_collective_step_find(&schedule->phases[name->phase].collective, rank, name->step, step);
    return (name->part == WEFT_PHASED_ANSWER ? step->from : step->to) != WEFT_PROGRAM_NONE;
}

bool weft_phased_has(const weft_phased *schedule, uint32_t repeats, uint32_t rank, uint32_t number)
{
    weft_phased_name name;
    weft_collective_step step;
    return weft_phased_find(schedule, repeats, rank, number, &name, &step);
}

uint32_t weft_phased_steps(const weft_phased *schedule, uint32_t phase, uint32_t rank)
{
    const weft_collective *collective = &schedule->phases[phase].collective;
    if (!collective->kind)
        return 0;
    uint32_t steps = collective->kind->steps(collective, rank);
    return schedule->limit && schedule->limit < steps ? schedule->limit : steps;
}

weft_collective_step weft_phased_step(const weft_phased *schedule, uint32_t phase, uint32_t rank,
                                      uint32_t step)
{
    return weft_collective_step_of(&schedule->phases[phase].collective, rank, step);
}

/* Imbalance is uniform and the same in every repetition; noise is exponential, drawn anew. */
uint64_t weft_phased_compute(const weft_phased *schedule, uint32_t phase, uint32_t rank,
                             uint32_t repetition)
{
    const weft_phased_phase *its = &schedule->phases[phase];
    double ticks = (double)its->compute;
    uint32_t entity = schedule->entity + rank;
    if (its->imbalance > 0) {
        weft_random random = weft_random_stream(schedule->seed, phase, entity, WEFT_FOR_COMPUTE);
        ticks *= 1 + its->imbalance * (2 * weft_random_open(&random) - 1);
    }
    if (its->noise > 0) {
        weft_random random = weft_random_stream(
            schedule->seed, ((uint64_t)repetition + 1) << 16 | phase, entity, WEFT_FOR_COMPUTE);
        ticks -= (double)its->compute * its->noise * weft_log(weft_random_open(&random));
    }
    return (uint64_t)(ticks + 0.5);
}
