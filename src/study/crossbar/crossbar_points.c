/* SPDX-License-Identifier: Apache-2.0 */
/* Points of the laboratory that are no searches, as results: how many matrices there are, and
 * one matrix exactly with cells by lot beside it. Milliseconds each; rank 0 does them alone. */
#include "study/crossbar/crossbar.h"

#include "crossbar/flows.h"
#include "study/context.h"

#include <math.h>
#include <stdlib.h>

#define LOTTERY       1000000  /* slots, of up to 64 ports */
#define LOTTERY_CELLS 16000000 /* that could cross in all slots, of more lines */
#define WEIGHING      32       /* times as long as another does a slot of a heaviest match take */

uint64_t weft_crossbar_lottery(const weft_xbar_laboratory *lab)
{
    if (!lab->scheduler.wide)
        return LOTTERY;
    return LOTTERY_CELLS / lab->n / (lab->scheduler.lengths ? WEIGHING : 1);
}

typedef struct sheet {
    weft_metric metrics[8];
    size_t n_metrics;
    const char *verdict;
} sheet;

static void add(sheet *to, const weft_metric *metric)
{
    weft_metric *made = &to->metrics[to->n_metrics++];
    *made = *metric;
    made->of = "";
    made->by = metric->by ? metric->by : "";
    made->unit = metric->unit ? metric->unit : "fraction";
}

static weft_status count(const weft_xbar_laboratory *lab, sheet *to, weft_error *err)
{
    weft_xbar_counter *counter;
    WEFT_TRY(weft_xbar_counter_create(lab->n, lab->d, &counter, err));
    double all = (double)weft_xbar_counter_total(counter);
    add(to, &(weft_metric){.name = "matrices",
                           .value = all,
                           .lo = (double)NAN,
                           .hi = (double)NAN,
                           .n = 1,
                           .unit = "matrices",
                           .method = "count"});
    to->verdict = "exact";
    weft_xbar_counter_destroy(counter);
    return WEFT_OK;
}

static void add_steady(sheet *to, weft_xbar_switch *it, weft_xbar_arrivals *arrivals,
                       const weft_xbar_steady *steady)
{
    double least = (double)NAN, most = (double)NAN;
    if (!steady->exact) {
        least = weft_xbar_ratio_value(weft_xbar_ratio_of(steady->least, it->n));
        most = weft_xbar_ratio_value(weft_xbar_ratio_of(steady->most, it->n));
    }
    add(to, &(weft_metric){.name = "throughput",
                           .value = weft_xbar_ratio_value(weft_xbar_ratio_of(steady->share, it->n)),
                           .lo = least,
                           .hi = most,
                           .n = (int64_t)steady->share.slots,
                           .method = steady->exact ? "exact" : "windows"});
    to->verdict = steady->exact ? "exact" : "measured in windows";
    if (!steady->exact)
        return;
    weft_xbar_flows flows;
    weft_xbar_flows_measure(it, arrivals, steady, &flows);
    free(flows.flow);
    weft_metric exact = {.lo = (double)NAN, .hi = (double)NAN, .n = 1, .method = "exact"};
    exact.name = "guarantee";
    exact.value = flows.guarantee;
    add(to, &exact);
    exact.name = "fairness";
    exact.value = flows.fairness;
    add(to, &exact);
    exact.name = "jitter";
    exact.value = (double)flows.most_jitter;
    exact.unit = "slots";
    add(to, &exact);
}

static weft_status add_lottery(sheet *to, weft_xbar_switch *it, const weft_xbar_laboratory *lab,
                               const weft_xbar_workload *workload, weft_error *err)
{
    weft_xbar_arrivals_options by_lot = {
        .input = WEFT_INPUT_BERNOULLI, .burst = 1, .seed = lab->plan.arrivals.seed};
    weft_xbar_arrivals drawn;
    weft_xbar_lottery lottery;
    WEFT_TRY(weft_xbar_arrivals_init(&drawn, workload, &by_lot, err));
    weft_xbar_lottery_run(it, &drawn, weft_crossbar_lottery(lab), &lottery);
    weft_xbar_arrivals_done(&drawn);
    add(to, &(weft_metric){.name = "throughput",
                           .by = "lot",
                           .value = lottery.value,
                           .lo = lottery.lo,
                           .hi = lottery.hi,
                           .n = (int64_t)lottery.slots,
                           .method = "batch means"});
    return WEFT_OK;
}

static weft_status run(const weft_xbar_laboratory *lab, weft_arena *arena, sheet *to,
                       weft_error *err)
{
    if (!lab->matrix)
        return weft_fail(err, WEFT_BAD_INPUT, "a run needs the setting matrix");
    weft_xbar_workload workload = weft_xbar_laboratory_workload(lab, lab->matrix, arena);
    weft_xbar_arrivals arrivals;
    weft_xbar_switch it;
    weft_xbar_steady steady;
    WEFT_TRY(weft_xbar_arrivals_init(&arrivals, &workload, &lab->plan.arrivals, err));
    weft_xbar_switch_init(&it, &lab->scheduler, lab->plan.arrivals.seed);
    weft_xbar_steady_run(&it, &arrivals, &lab->plan.steady, &steady);
    add_steady(to, &it, &arrivals, &steady);
    weft_status status = add_lottery(to, &it, lab, &workload, err);
    weft_xbar_switch_done(&it);
    weft_xbar_arrivals_done(&arrivals);
    return status;
}

static weft_status make_point(const weft_crossbar *lab, size_t i, bool counted, weft_result *result,
                              weft_error *err)
{
    weft_arena arena;
    weft_xbar_laboratory bound;
    weft_point point = {.key = lab->keys[i]};
    sheet to = {.n_metrics = 0};
    weft_arena_init(&arena);
    weft_status status = weft_crossbar_point(lab, i, &arena, &bound, &point.settings, err);
    if (status == WEFT_OK)
        status = counted ? count(&bound, &to, err) : run(&bound, &arena, &to, err);
    if (status == WEFT_OK) {
        point.verdict = to.verdict;
        point.metrics = to.metrics;
        point.n_metrics = to.n_metrics;
        status = weft_result_commit(result, &point, err);
    }
    weft_arena_done(&arena);
    return status;
}

static weft_status make_points(const weft_crossbar *lab, bool counted, const char *path, bool fresh,
                               weft_error *err)
{
    weft_result *result;
    WEFT_TRY(weft_result_create(path, lab->title, lab->text, fresh, &result, err));
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < lab->points && status == WEFT_OK; i++)
        if (!weft_result_has(result, lab->keys[i]))
            status = make_point(lab, i, counted, result, err);
    weft_result_close(result);
    return status;
}

weft_status weft_crossbar_save(const weft_crossbar *lab, bool counted,
                               const weft_crossbar_options *options, weft_error *err)
{
    weft_comm *comm = options->context ? options->context->comm : NULL;
    weft_status status = WEFT_OK;
    if (weft_comm_rank(comm) == 0)
        status = make_points(lab, counted, options->results, options->fresh, err);
    return weft_comm_agree(comm, status, err);
}
