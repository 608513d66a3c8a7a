/* SPDX-License-Identifier: Apache-2.0 */
/* One matrix under one scheduler, for people: what arrives and crosses slot by slot, the
 * throughput as a fraction, what every flow gets; and where the state does not recur, why. */
#include "study/crossbar/crossbar.h"

#include "crossbar/flows.h"
#include "crossbar/phases.h"

#include <stdlib.h>

#define SLOTS_SHOWN  24
#define FLOWS_SHOWN  8 /* sides of switches whose flows are listed */
#define PHASES_SHOWN 6
#define PHASE_SLOTS  2000000
#define SIDE_SHOWN   64 /* of switches whose matrix and slots are shown line by line */

typedef struct page {
    weft_text *out;
    const weft_xbar_laboratory *lab;
    weft_xbar_workload workload;
    weft_xbar_arrivals arrivals;
    weft_xbar_switch it;
    weft_xbar_steady steady;
    const weft_crossbar_view *view;
    weft_xbar_slot_watch watch;
    weft_progress progress;
    uint64_t expected; /* slots of the step that is taken */
} page;

static void seen(void *user, uint64_t tick)
{
    page *p = user;
    double share = (double)tick / (double)p->expected;
    p->progress.share = share < 1 ? share : 1;
    p->progress.time = (int64_t)tick;
    p->view->progress(p->view->user, &p->progress);
}

static int digits(uint64_t number)
{
    int count = 1;
    for (; number >= 10; number /= 10)
        count++;
    return count;
}

static void show_matrix(const page *p)
{
    const weft_xbar_laboratory *lab = p->lab;
    int width = digits(lab->d);
    weft_text_add(p->out, "workload    %u × %u, rows and columns add up to %u; offered load %g\n",
                  lab->n, lab->n, lab->d, (double)lab->plan.scale / (double)lab->plan.stretch);
    for (uint32_t i = 0; lab->n <= SIDE_SHOWN && i < lab->n; i++) {
        weft_text_add(p->out, "  ");
        for (uint32_t j = 0; j < lab->n; j++)
            weft_text_add(p->out, " %*u", width, lab->matrix[i * lab->n + j]);
        weft_text_add(p->out, "\n");
    }
}

static void show_output(const page *p, uint32_t output)
{
    int width = digits(p->lab->n - 1);
    if (output == WEFT_IDLE)
        weft_text_add(p->out, " %*s", width + 1, "·"); /* two bytes, one column */
    else
        weft_text_add(p->out, " %*u", width, output);
}

/* Slot by slot, from the first on: how many cells come and go. */
static void show_counts(page *p, uint64_t slots)
{
    weft_xbar_target room[WEFT_SIDE_MAX];
    weft_text_add(p->out, "\n%6s  %6s  %6s  %6s\n%6s  (cells)\n", "slot", "arrive", "cross", "wait",
                  "");
    weft_xbar_switch_reset(&p->it);
    uint64_t arrived = 0;
    for (uint64_t t = 0; t < slots; t++) {
        const weft_xbar_target *at = weft_xbar_arrivals_slot(&p->arrivals, t, room);
        uint32_t now = 0;
        for (uint32_t i = 0; i < p->lab->n; i++)
            now += at[i] != WEFT_IDLE;
        arrived += now;
        uint32_t served = weft_xbar_switch_step(&p->it, at);
        weft_text_add(p->out, "%6llu  %6u  %6u  %6llu\n", (unsigned long long)t, now, served,
                      (unsigned long long)(arrived - p->it.served));
    }
}

/* The same, cell by cell. */
static void show_slots(page *p, uint64_t slots)
{
    weft_xbar_target room[WEFT_SIDE_MAX];
    uint32_t n = p->lab->n;
    int width = (digits(n - 1) + 1) * (int)n;
    weft_text_add(p->out, "\n%6s  %-*s    %-*s  %s\n", "slot", width > 7 ? width : 7, "arrive",
                  width > 5 ? width : 5, "cross", "wait");
    weft_text_add(p->out, "%6s  (output that the cell of input 0, 1, … is for; · none)\n", "");
    weft_xbar_switch_reset(&p->it);
    uint64_t arrived = 0;
    for (uint64_t t = 0; t < slots; t++) {
        const weft_xbar_target *at = weft_xbar_arrivals_slot(&p->arrivals, t, room);
        weft_text_add(p->out, "%6llu ", (unsigned long long)t);
        for (uint32_t i = 0; i < n; i++) {
            show_output(p, at[i]);
            arrived += at[i] != WEFT_IDLE;
        }
        (void)weft_xbar_switch_step(&p->it, at);
        weft_text_add(p->out, "%*s", 4 + (width < 7 ? 7 - width : 0), "");
        for (uint32_t i = 0; i < n; i++)
            show_output(p, weft_xbar_switch_sent(&p->it, i));
        weft_text_add(p->out, "%*s  %llu\n", width < 5 ? 5 - width : 0, "",
                      (unsigned long long)(arrived - p->it.served));
    }
}

static void show_share(const page *p, weft_xbar_share share)
{
    weft_xbar_ratio ratio = weft_xbar_ratio_of(share, p->lab->n);
    weft_text_add(p->out, "%llu/%llu = %.6f", (unsigned long long)ratio.top,
                  (unsigned long long)ratio.bottom, weft_xbar_ratio_value(ratio));
}

static void show_phases(page *p)
{
    weft_xbar_phases phases;
    uint64_t slots = p->it.wide ? weft_crossbar_lottery(p->lab) : PHASE_SLOTS;
    p->expected = slots;
    weft_xbar_phases_find(&p->it, &p->arrivals, slots, &phases);
    uint32_t seen = phases.n_phases;
    if (seen == 0)
        return;
    weft_text_add(p->out,
                  "why         phases follow each other, in each of which a queue drains:\n");
    for (uint32_t k = seen > PHASES_SHOWN ? seen - PHASES_SHOWN : 0; k < seen; k++) {
        const weft_xbar_phase *one = &phases.phases[k];
        weft_text_add(p->out, "              ");
        show_share(p, one->share);
        weft_text_add(p->out, " for %llu slots, until slot %llu\n", (unsigned long long)one->slots,
                      (unsigned long long)one->at);
    }
    if (phases.recurs)
        weft_text_add(p->out, "            and the last one lasts for ever\n");
    else if (phases.growth > 1)
        weft_text_add(
            p->out,
            "            each is %.4g times as long as the one like it before; the average "
            "of all slots is now between %.4f and %.4f\n",
            phases.growth, phases.least, phases.most);
}

static void show_throughput(page *p)
{
    const weft_xbar_steady *steady = &p->steady;
    weft_text_add(p->out, "\nthroughput  ");
    show_share(p, steady->share);
    weft_text_add(p->out, " of the slots of all outputs\n");
    if (steady->exact) {
        weft_text_add(p->out,
                      "            exact: repeats itself every %llu slots, from slot %llu on "
                      "at the latest\n",
                      (unsigned long long)steady->share.slots, (unsigned long long)steady->began);
        return;
    }
    weft_text_add(p->out, "            measured in windows of %llu slots: least ",
                  (unsigned long long)steady->least.slots);
    show_share(p, steady->least);
    weft_text_add(p->out, ", greatest ");
    show_share(p, steady->most);
    weft_text_add(p->out, "\n");
    if (p->lab->plan.steady.stop == WEFT_STOP_EXACT && !p->arrivals.drawn &&
        !p->it.scheduler->draws) {
        weft_text_add(p->out,
                      "            the state does not recur within %llu slots (setting cap)\n",
                      (unsigned long long)steady->run);
        show_phases(p);
    }
}

static void show_flow(const page *p, const weft_xbar_flows *flows, uint32_t i, uint32_t j)
{
    const weft_xbar_flow *flow = &flows->flow[i * p->lab->n + j];
    if (!flow->offered)
        return;
    double slots = (double)p->steady.share.slots;
    weft_text_add(p->out, "  %2u > %-2u    %8.4f  %8.4f  %6.1f %%   %5llu … %-5llu", i, j,
                  (double)flow->offered / slots, (double)flow->served / slots,
                  100.0 * (double)flow->served / (double)flow->offered,
                  (unsigned long long)flow->shortest, (unsigned long long)flow->longest);
    if (flows->coverings)
        weft_text_add(p->out, "  −%u +%u", flow->covering.sparse, flow->covering.dense);
    weft_text_add(p->out, "\n");
}

static void show_flows(page *p)
{
    weft_xbar_flows flows;
    uint32_t n = p->lab->n;
    if (!p->steady.exact)
        return;
    weft_xbar_flows_measure(&p->it, &p->arrivals, &p->steady, &flows);
    weft_text_add(p->out,
                  "guarantee   every flow gets at least %.1f %% of what it offers; fairness %.4f "
                  "(Jain's index); jitter at most %llu slots\n",
                  100 * flows.guarantee, flows.fairness, (unsigned long long)flows.most_jitter);
    if (n <= FLOWS_SHOWN)
        weft_text_add(p->out, "\n  flow        offered    served     share   slots between cells  "
                              "covering\n             (cells per slot)\n");
    for (uint32_t i = 0; n <= FLOWS_SHOWN && i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            show_flow(p, &flows, i, j);
    free(flows.flow);
}

/* The same rates, cells by lot. */
static weft_status show_lottery(page *p, weft_error *err)
{
    weft_xbar_arrivals_options by_lot = {
        .input = WEFT_INPUT_BERNOULLI, .burst = 1, .seed = p->lab->plan.arrivals.seed};
    weft_xbar_arrivals drawn;
    weft_xbar_lottery lottery;
    if (!p->view->lottery || p->arrivals.drawn)
        return WEFT_OK;
    p->expected = weft_crossbar_lottery(p->lab);
    WEFT_TRY(weft_xbar_arrivals_init(&drawn, &p->workload, &by_lot, err));
    weft_xbar_lottery_run(&p->it, &drawn, p->expected, &lottery);
    weft_xbar_arrivals_done(&drawn);
    weft_text_add(
        p->out,
        "by lot      %.4f [%.4f, %.4f] (95 %%) if cells arrive by lot with the same rates "
        "(Bernoulli, %llu slots)\n",
        lottery.value, lottery.lo, lottery.hi, (unsigned long long)lottery.slots);
    return WEFT_OK;
}

static weft_status show(page *p, weft_error *err)
{
    uint64_t slots = p->view->slots ? p->view->slots : SLOTS_SHOWN;
    show_matrix(p);
    if (p->lab->n <= SIDE_SHOWN)
        show_slots(p, slots);
    else
        show_counts(p, slots);
    p->expected = weft_xbar_steady_slots(&p->lab->plan.steady, p->arrivals.period);
    p->watch = (weft_xbar_slot_watch){.seen = seen, .user = p};
    p->it.watch = p->view->progress ? &p->watch : NULL;
    weft_xbar_steady_run(&p->it, &p->arrivals, &p->lab->plan.steady, &p->steady);
    show_throughput(p);
    WEFT_TRY(show_lottery(p, err));
    show_flows(p);
    return WEFT_OK;
}

weft_status weft_crossbar_run(const weft_crossbar *lab, size_t i, const weft_crossbar_view *view,
                              char **text, weft_error *err)
{
    weft_arena arena;
    weft_xbar_laboratory bound;
    weft_text out;
    page p = {.out = &out,
              .lab = &bound,
              .view = view,
              .progress = {.point = i + 1, .points = lab->points, .key = lab->keys[i]}};
    weft_arena_init(&arena);
    weft_text_init(&out);
    weft_status status = weft_crossbar_point(lab, i, &arena, &bound, NULL, err);
    if (status == WEFT_OK && !bound.matrix)
        status =
            weft_fail(err, WEFT_BAD_INPUT,
                      "a run needs a matrix, such as matrix=[[1,2],[2,1]] or matrix=uniform n=4");
    if (status == WEFT_OK) {
        p.workload = weft_xbar_laboratory_workload(&bound, bound.matrix, &arena);
        status = weft_xbar_arrivals_init(&p.arrivals, &p.workload, &bound.plan.arrivals, err);
    }
    if (status == WEFT_OK) {
        weft_xbar_switch_init(&p.it, &bound.scheduler, bound.plan.arrivals.seed);
        status = show(&p, err);
        weft_xbar_switch_done(&p.it);
        weft_xbar_arrivals_done(&p.arrivals);
    }
    if (status == WEFT_OK)
        *text = weft_text_take(&out);
    else
        weft_text_done(&out);
    weft_arena_done(&arena);
    return status;
}
