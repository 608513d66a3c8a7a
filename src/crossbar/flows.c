/* SPDX-License-Identifier: Apache-2.0 */
#include "crossbar/flows.h"

#include "base/memory.h"
#include "base/numeric.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BATCHES 32 /* of a lottery */

/* ---- exactly ---- */

/* The outputs that cells leave for in a period of the steady state, slots × n. */
static uint8_t *record(weft_switch *it, weft_arrivals *arrivals, const weft_steady *steady)
{
    uint8_t room[WEFT_SIDE_MAX];
    uint64_t slots = steady->share.slots;
    uint8_t *leaves = weft_alloc(slots * it->n);
    memset(leaves, WEFT_IDLE, slots * it->n);
    weft_switch_reset(it);
    while (it->tick < steady->began + slots) {
        uint64_t t = it->tick;
        (void)weft_switch_step(it, weft_arrivals_slot(arrivals, t, room));
        for (uint32_t i = 0; t >= steady->began && i < it->n; i++)
            if (it->match.inputs >> i & 1)
                leaves[(t - steady->began) * it->n + i] = it->match.output[i];
    }
    return leaves;
}

/* Slots from one cell to the next, around the end of the period. */
static void measure_gaps(const uint8_t *leaves, uint64_t slots, uint32_t n, uint32_t j,
                         weft_flow *flow)
{
    uint64_t first = slots, last = 0;
    for (uint64_t t = 0; t < slots; t++) {
        if (leaves[t * n] != j)
            continue;
        if (first == slots) {
            first = t;
        } else {
            uint64_t gap = t - last;
            flow->shortest = flow->shortest && flow->shortest < gap ? flow->shortest : gap;
            flow->longest = gap > flow->longest ? gap : flow->longest;
        }
        last = t;
        flow->served++;
    }
    if (first == slots)
        return;
    uint64_t around = first + slots - last;
    flow->shortest = flow->shortest && flow->shortest < around ? flow->shortest : around;
    flow->longest = around > flow->longest ? around : flow->longest;
}

static uint64_t offered(const weft_arrivals *arrivals, uint32_t i, uint32_t j)
{
    uint64_t cells = 0;
    for (uint32_t t = 0; t < arrivals->period; t++)
        cells += arrivals->at[(size_t)(arrivals->lead + t) * arrivals->n + i] == j;
    return cells;
}

static void judge(weft_flows *flows, uint32_t count)
{
    double sum = 0, squares = 0, many = 0;
    flows->guarantee = 1;
    for (uint32_t k = 0; k < count; k++) {
        const weft_flow *flow = &flows->flow[k];
        if (!flow->offered)
            continue;
        double share = (double)flow->served / (double)flow->offered;
        sum += share;
        squares += share * share;
        many++;
        flows->guarantee = share < flows->guarantee ? share : flows->guarantee;
        if (flow->longest - flow->shortest > flows->most_jitter)
            flows->most_jitter = flow->longest - flow->shortest;
    }
    flows->fairness = squares > 0 ? sum * sum / (many * squares) : 1;
}

void weft_flows_measure(weft_switch *it, weft_arrivals *arrivals, const weft_steady *steady,
                        weft_flows *flows)
{
    assert(steady->exact && !arrivals->drawn);
    uint32_t n = it->n;
    uint64_t slots = steady->share.slots;
    uint8_t *leaves = record(it, arrivals, steady);
    *flows = (weft_flows){.flow = weft_alloc((size_t)n * n * sizeof *flows->flow),
                          .coverings = slots <= WEFT_COVERING_SLOTS};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            weft_flow *flow = &flows->flow[i * n + j];
            flow->offered = offered(arrivals, i, j) * (slots / arrivals->period);
            if (!flow->offered)
                continue;
            measure_gaps(leaves + i, slots, n, j, flow);
            if (flows->coverings)
                flow->covering = weft_covering_of(leaves + i, (uint32_t)slots, n, j);
        }
    free(leaves);
    judge(flows, n * n);
}

/* ---- by lot ---- */

void weft_lottery_run(weft_switch *it, weft_arrivals *drawn, uint64_t slots, weft_lottery *lottery)
{
    uint8_t room[WEFT_SIDE_MAX];
    uint64_t batch = slots / (BATCHES + BATCHES / 4);
    double mean[BATCHES], sum = 0, squares = 0;
    weft_switch_reset(it);
    while (it->tick < batch * (BATCHES / 4))
        (void)weft_switch_step(it, weft_arrivals_slot(drawn, it->tick, room));
    for (uint32_t k = 0; k < BATCHES; k++) {
        uint64_t before = it->served;
        for (uint64_t t = 0; t < batch; t++)
            (void)weft_switch_step(it, weft_arrivals_slot(drawn, it->tick, room));
        mean[k] = (double)(it->served - before) / (double)(batch * it->n);
        sum += mean[k];
    }
    lottery->value = sum / BATCHES;
    for (uint32_t k = 0; k < BATCHES; k++)
        squares += (mean[k] - lottery->value) * (mean[k] - lottery->value);
    double half =
        weft_student_quantile(0.975, BATCHES - 1) * weft_sqrt(squares / (BATCHES - 1) / BATCHES);
    lottery->lo = lottery->value - half;
    lottery->hi = lottery->value + half;
    lottery->slots = it->tick;
}
