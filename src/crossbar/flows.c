/* SPDX-License-Identifier: Apache-2.0 */
#include "crossbar/flows.h"

#include "base/memory.h"
#include "base/numeric.h"

#include <assert.h>
#include <stdlib.h>

#define BATCHES 32 /* of a lottery */

/* ---- exactly ---- */

typedef struct ends { /* of a flow's cells in a period: slots */
    uint64_t first, last;
} ends;

typedef struct record {       /* of a period of the steady state */
    weft_xbar_target *leaves; /* outputs that cells leave for, slots × n */
    ends *ends;               /* n × n */
} record;

static void note_gap(weft_xbar_flow *flow, uint64_t gap)
{
    flow->shortest = flow->shortest && flow->shortest < gap ? flow->shortest : gap;
    flow->longest = gap > flow->longest ? gap : flow->longest;
}

/* A cell of the flow leaves in slot t. */
static void note_cell(weft_xbar_flow *flow, ends *cells, uint64_t t)
{
    if (flow->served++ == 0)
        cells->first = t;
    else
        note_gap(flow, t - cells->last);
    cells->last = t;
}

static void run_period(weft_xbar_switch *it, weft_xbar_arrivals *arrivals,
                       const weft_xbar_steady *steady, record *kept, weft_xbar_flow *flows)
{
    weft_xbar_target room[WEFT_SIDE_MAX];
    uint32_t n = it->n;
    weft_xbar_switch_reset(it);
    while (it->tick < steady->began)
        (void)weft_xbar_switch_step(it, weft_xbar_arrivals_slot(arrivals, it->tick, room));
    for (uint64_t t = 0; t < steady->share.slots; t++) {
        (void)weft_xbar_switch_step(it, weft_xbar_arrivals_slot(arrivals, it->tick, room));
        for (uint32_t i = 0; i < n; i++) {
            weft_xbar_target j = kept->leaves[t * n + i] = weft_xbar_switch_sent(it, i);
            if (j != WEFT_IDLE)
                note_cell(&flows[i * n + j], &kept->ends[i * n + j], t);
        }
    }
}

/* Cells that arrive in so many slots, whole periods. */
static void count_offered(const weft_xbar_arrivals *arrivals, uint64_t slots, weft_xbar_flow *flows)
{
    uint32_t n = arrivals->n;
    const weft_xbar_target *at = arrivals->at + (size_t)arrivals->lead * n;
    for (uint32_t t = 0; t < arrivals->period; t++)
        for (uint32_t i = 0; i < n; i++)
            if (at[(size_t)t * n + i] != WEFT_IDLE)
                flows[i * n + at[(size_t)t * n + i]].offered += slots / arrivals->period;
}

static void judge(weft_xbar_flows *flows, uint32_t count)
{
    double sum = 0, squares = 0, many = 0;
    flows->guarantee = 1;
    for (uint32_t k = 0; k < count; k++) {
        const weft_xbar_flow *flow = &flows->flow[k];
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

void weft_xbar_flows_measure(weft_xbar_switch *it, weft_xbar_arrivals *arrivals,
                             const weft_xbar_steady *steady, weft_xbar_flows *flows)
{
    assert(steady->exact && !arrivals->drawn);
    uint32_t n = it->n;
    uint64_t slots = steady->share.slots;
    record kept = {.leaves = weft_alloc(slots * n * sizeof *kept.leaves),
                   .ends = weft_alloc((size_t)n * n * sizeof *kept.ends)};
    *flows = (weft_xbar_flows){.flow = weft_alloc((size_t)n * n * sizeof *flows->flow),
                               .coverings = slots * n <= WEFT_COVERING_CELLS};
    count_offered(arrivals, slots, flows->flow);
    run_period(it, arrivals, steady, &kept, flows->flow);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            weft_xbar_flow *flow = &flows->flow[i * n + j];
            const ends *cells = &kept.ends[i * n + j];
            if (flow->served) /* around the end of the period */
                note_gap(flow, cells->first + slots - cells->last);
            if (flow->offered && flows->coverings)
                flow->covering = weft_xbar_covering_of(kept.leaves + i, (uint32_t)slots, n, j);
        }
    free(kept.leaves);
    free(kept.ends);
    judge(flows, n * n);
}

/* ---- by lot ---- */

void weft_xbar_lottery_run(weft_xbar_switch *it, weft_xbar_arrivals *drawn, uint64_t slots,
                           weft_xbar_lottery *lottery)
{
    weft_xbar_target room[WEFT_SIDE_MAX];
    uint64_t batch = slots / (BATCHES + BATCHES / 4);
    double mean[BATCHES], sum = 0, squares = 0;
    weft_xbar_switch_reset(it);
    while (it->tick < batch * (BATCHES / 4))
        (void)weft_xbar_switch_step(it, weft_xbar_arrivals_slot(drawn, it->tick, room));
    for (uint32_t k = 0; k < BATCHES; k++) {
        uint64_t before = it->served;
        for (uint64_t t = 0; t < batch; t++)
            (void)weft_xbar_switch_step(it, weft_xbar_arrivals_slot(drawn, it->tick, room));
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
