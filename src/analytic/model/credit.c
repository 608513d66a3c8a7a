/* SPDX-License-Identifier: Apache-2.0 */
/* Credit flow control between two nodes, with losses in front of the first: the chain of
 * credit_chain.h. */
#include "analytic/credit_chain.h"
#include "analytic/model.h"
#include "base/numeric.h"

#define ROOM_MAX   4096
#define STATES_MAX 500000

typedef struct settings {
    double lambda, mu1, mu2;
    int64_t n, m;
    int solver;
    bool printed;
} settings;

static const char *const solvers[] = {"auto", "gth", "klu", NULL}; /* as weft_chain_solver */

#define RATE(id, about)                                                                         \
    {                                                                                           \
        .name = #id, .brief = about, .type = WEFT_PARAM_REAL, .offset = offsetof(settings, id), \
        .min = 1e-9, .max = 1e12                                                                \
    }
#define ROOM(id, about)                                                                        \
    {                                                                                          \
        .name = #id, .brief = about, .type = WEFT_PARAM_INT, .offset = offsetof(settings, id), \
        .min = 1, .max = ROOM_MAX                                                              \
    }
static const weft_param params[] = {
    RATE(lambda, "packets that come, per unit of time"),
    RATE(mu1, "packets that node 1 can send, per unit of time"),
    RATE(mu2, "packets that node 2 can send, per unit of time"),
    ROOM(n, "packets node 1 has room for, the one in service included; others are lost"),
    ROOM(m, "packets node 2 has room for, the one in service included: its credits"),
    {.name = "solver",
     .brief = "elimination inside the band, sparse factors, or what suits the size",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, solver),
     .fallback = "auto",
     .choices = solvers},
    {.name = "printed",
     .brief = "give also the middle term of equation (4.10) of the thesis as it is printed",
     .type = WEFT_PARAM_FLAG,
     .offset = offsetof(settings, printed),
     .fallback = "false"},
    {.name = NULL}};

enum {
    LATENCY,
    LATENCY1,
    LATENCY2,
    PACKETS1,
    PACKETS2,
    PACKETS,
    LOSS,
    STALL,
    ARRIVING,
    PASSING,
    LEAVING,
    PRINTED,
    PRINTED_VALID
};
static const weft_output outputs[] = {
    {.name = "latency", .unit = "time units", .brief = "mean time of a packet that is not lost"},
    {.name = "latency in node 1", .unit = "time units", .brief = "its part in node 1"},
    {.name = "latency in node 2", .unit = "time units", .brief = "its part in node 2"},
    {.name = "packets in node 1", .unit = "packets", .brief = "mean number"},
    {.name = "packets in node 2", .unit = "packets", .brief = "mean number"},
    {.name = "packets", .unit = "packets", .brief = "mean number in both"},
    {.name = "loss", .unit = "fraction", .brief = "of packets that come"},
    {.name = "credit stall",
     .unit = "fraction",
     .brief = "part of the time node 1 has packets but no credit"},
    {.name = "throughput",
     .unit = "packets/time unit",
     .brief = "of packets that come and find room, λ P(i < n)"},
    {.name = "throughput of node 1",
     .unit = "packets/time unit",
     .brief = "μ1 P(i > 0, j < m), the same"},
    {.name = "throughput of node 2", .unit = "packets/time unit", .brief = "μ2 P(j > 0), the same"},
    {.name = "printed throughput of node 1",
     .unit = "packets/time unit",
     .brief = "μ1 (1 − Σ P(i, 0)), (4.10)",
     .printed = true},
    {.name = "printed valid", .unit = "(1: yes)", .brief = "it is right", .printed = true},
    {.name = NULL}};

static void put_printed(const weft_credit_measures *found, weft_answer *answer)
{
    double off = found->printed / found->passing - 1;
    weft_answer_put(answer, PRINTED, found->printed);
    weft_answer_put(answer, PRINTED_VALID, off < 1e-9 && off > -1e-9);
    weft_answer_note(answer, "the printed throughput of node 1 is mu1/mu2 of the true one");
}

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    weft_credit_measures found;
    const weft_credit_chain chain = {.lambda = set->lambda,
                                     .mu1 = set->mu1,
                                     .mu2 = set->mu2,
                                     .n = (uint32_t)set->n,
                                     .m = (uint32_t)set->m};
    long long states = (set->n + 1) * (set->m + 1);
    if (states > STATES_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "n and m must give at most %d states (n + 1)(m + 1), found %lld",
                         STATES_MAX, states);
    WEFT_TRY(weft_credit_chain_solve(&chain, (weft_chain_solver)set->solver, &found, err));
    weft_answer_put(answer, LATENCY, (found.packets1 + found.packets2) / found.arriving);
    weft_answer_put(answer, LATENCY1, found.packets1 / found.arriving);
    weft_answer_put(answer, LATENCY2, found.packets2 / found.arriving);
    weft_answer_put(answer, PACKETS1, found.packets1);
    weft_answer_put(answer, PACKETS2, found.packets2);
    weft_answer_put(answer, PACKETS, found.packets1 + found.packets2);
    weft_answer_put(answer, LOSS, found.loss);
    weft_answer_put(answer, STALL, found.stall);
    weft_answer_put(answer, ARRIVING, found.arriving);
    weft_answer_put(answer, PASSING, found.passing);
    weft_answer_put(answer, LEAVING, found.leaving);
    if (set->printed)
        put_printed(&found, answer);
    return WEFT_OK;
}

#define SERVICE_NS   33600.0 /* a mean service of node 1 in the scenario */
#define PERIODS_MOST 96
#define PERIOD_LEAST 12 /* or packets have too many flits */
#define APART_MOST   32.0

/* Whole nanoseconds of a flit on either link whose ratio is that of the rates, as closely as
 * small numbers can. */
typedef struct periods {
    double first, second;
} periods;

static periods find_periods(double ratio)
{
    periods best = {1, 1};
    double least = 1e300;
    for (int t = 1; t <= PERIODS_MOST; t++) {
        double other = (double)(int64_t)(t * ratio + 0.5), off = other / (t * ratio) - 1;
        off = off < 0 ? -off : off;
        if (other >= 1 && off < least) {
            least = off;
            best = (periods){t, other};
        }
    }
    double times = (double)(int64_t)((PERIOD_LEAST + best.first - 1) / best.first);
    return (periods){times * best.first, times * best.second};
}

static void write_scenario(const settings *set, const periods *flit, weft_trial *trial)
{
    const double bits = 72; /* of a flit: nanoseconds at 1 Gb/s */
    weft_trial_text(trial,
                    "interweft: 1\ntopology: {kind: mesh, dims: [2]}\n"
                    "links: {flit: 9 B, local: {rate: %.17g Gb/s}, host: {rate: %.17g Gb/s}}\n"
                    "router: {kind: shared-queue, queue: [%lld, %lld], holds: all, full: wait, "
                    "credit: 1 ns}\n"
                    "traffic: {all: {from: 0, length: {kind: redraw, of: {kind: exponential, mean: "
                    "%.17g flits}}, rate: %.17g}}\n"
                    "measure: {devices: ports, half-width: 0.5%%, limit: {packets: 1000000}}\n",
                    bits / flit->first, bits / flit->second, (long long)set->n, (long long)set->m,
                    SERVICE_NS / flit->first, set->lambda / (SERVICE_NS * set->mu1) * 1e9);
}

/* Two store-and-forward routers, lengths drawn anew at each. A credit takes a nanosecond of
 * 33,600 of a service. */
static weft_status scenario(const void *given, weft_trial *trial, weft_error *err)
{
    const settings *set = given;
    double ratio = set->mu1 / set->mu2, unit = SERVICE_NS * set->mu1;
    if (ratio > APART_MOST || ratio < 1 / APART_MOST)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "mu2 must be within a factor of %.0f of mu1 to be simulated, found %.6g",
                         APART_MOST, set->mu2);
    const periods flit = find_periods(ratio);
    write_scenario(set, &flit, trial);
    const struct {
        size_t output;
        weft_metric metric;
        double scale;
    } pairs[] = {
        {LATENCY, {.name = "latency", .by = ""}, 1 / unit},
        {PACKETS1, {.name = "router occupancy", .by = "router", .index = 0}, 1},
        {PACKETS2, {.name = "router occupancy", .by = "router", .index = 1}, 1},
        {PACKETS, {.name = "population", .by = ""}, 1},
        {LOSS, {.name = "loss", .by = ""}, 1},
        {STALL, {.name = "router stalls", .by = "router", .index = 0}, 1},
        {ARRIVING, {.name = "accepted", .by = ""}, set->mu2},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        weft_trial_compare(trial, pairs[i].output, &pairs[i].metric, pairs[i].scale, 0);
    return WEFT_OK;
}

/* Of factors of a matrix that is a grid in two dimensions; measured. */
static double seconds(const void *given)
{
    const settings *set = given;
    double states = (double)(set->n + 1) * (double)(set->m + 1);
    return states <= STATES_MAX ? 4.4e-8 * states * weft_sqrt(states) : 0; /* refused at once */
}

const weft_model_kind weft_model_credit = {
    WEFT_MODEL_BASE("credit",
                    "credit flow control between two nodes of finite buffers, with losses"),
    .outputs = outputs,
    .evaluate = evaluate,
    .seconds = seconds,
    .scenario = scenario,
};
