/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual cut-through on a torus of two dimensions (Rexford & Shin, sections 2 and 3): links are
 * M/M/1 queues of utilisation ρ, an intermediate node is cut through with probability
 *     p_c = (1 − ρ) (1 + ρ P2),   latency = h ℓ / (1 − ρ) − p_c (h − 1) (ℓ − τ). */
#include "analytic/blocked_nodes.h"
#include "analytic/cut_through_delay.h"
#include "analytic/hop_spread.h"
#include "analytic/model.h"
#include "analytic/two_ways.h"
#include "base/memory.h"
#include "base/numeric.h"

#include <stdlib.h>
#include <string.h>

#define HOPS_MAX   4096
#define SPREAD_MAX 256  /* hops of which the distribution of two-way nodes is given, and of delay */
#define DELAY_RHO  0.99 /* utilisation up to which delay is given */
#define QUEUE_MAX  100  /* packets up to which the queue is given */

typedef struct settings {
    double rho, length, header, loss, delay;
    int64_t h, k;
    int selection, ring;
    weft_kind_ref pattern;
    bool distribution, printed;
} settings;

enum { RING_QUADRANT, RING_TORUS };
static const char *const selections[] = {"oblivious", "random", "dimension-order", "diagonal",
                                         NULL}; /* as weft_choice */
static const char *const rings[] = {"quadrant", "torus", NULL};

static const weft_param params[] = {
    {.name = "rho",
     .brief = "mean utilisation of the links",
     .type = WEFT_PARAM_FRACTION,
     .offset = offsetof(settings, rho),
     .min = 0,
     .max = 0.999999},
    {.name = "h",
     .brief = "hops of a packet; none: averaged over the pattern on a k × k torus",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, h),
     .fallback = "none",
     .min = 1,
     .max = HOPS_MAX},
    {.name = "selection",
     .brief = "how a packet chooses between two ways; oblivious: it does not look which is idle",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, selection),
     .fallback = "oblivious",
     .choices = selections},
    {.name = "ring",
     .brief = "where packets of h hops go: any node of a quadrant (the paper's), or what the "
              "k × k torus has",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, ring),
     .fallback = "quadrant",
     .choices = rings},
    {.name = "k",
     .brief = "routers along each of the two dimensions",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, k),
     .fallback = "16",
     .min = 2,
     .max = 2048},
    {.name = "pattern",
     .brief = "who talks to whom, where h is not given",
     .type = WEFT_PARAM_KIND,
     .offset = offsetof(settings, pattern),
     .fallback = "uniform",
     .family = "pattern"},
    {.name = "length",
     .brief = "mean length of packets, flits",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, length),
     .fallback = "64",
     .min = 1e-3,
     .max = 1e9},
    {.name = "header",
     .brief = "time of a header at a node that is cut through, cycles",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, header),
     .fallback = "0",
     .min = 0,
     .max = 1e9},
    {.name = "loss",
     .brief = "share of packets that may find a full buffer: gives its size; none: not wanted",
     .type = WEFT_PARAM_FRACTION,
     .offset = offsetof(settings, loss),
     .fallback = "none",
     .min = 1e-15,
     .max = 0.5},
    {.name = "delay",
     .brief = "a time, cycles: gives the share of packets that take longer; none: not wanted",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, delay),
     .fallback = "none",
     .min = 0,
     .max = 1e12},
    {.name = "distribution",
     .brief = "give also how many nodes are cut through and how many have two ways, the delay and "
              "the queue of a link",
     .type = WEFT_PARAM_FLAG,
     .offset = offsetof(settings, distribution),
     .fallback = "false"},
    {.name = "printed",
     .brief = "give also what the paper's recurrence gives as it is printed (diagonal)",
     .type = WEFT_PARAM_FLAG,
     .offset = offsetof(settings, printed),
     .fallback = "false"},
    {.name = NULL}};

enum {
    CUT_THROUGH,
    LATENCY,
    TWO_WAYS,
    HOPS,
    RATE,
    PRINTED_TWO_WAYS,
    PRINTED_CUT_THROUGH,
    PRINTED_SUM,
    PRINTED_VALID,
    DELAY_MEAN,
    DELAY_DEVIATION,
    LATER,
    QUEUE_MEAN,
    BUFFER,
    BUFFER_TAIL,
    BUFFER_FLITS,
    PERCENTILE,
    QUEUE,
    CUTS,
    NODES,
    PRINTED_NODES
};
static const weft_output outputs[] = {
    {.name = "cut-through",
     .unit = "fraction",
     .brief = "probability that an intermediate node is cut through"},
    {.name = "latency", .unit = "cycles", .brief = "mean, from the first queue to the last flit"},
    {.name = "two ways",
     .unit = "fraction",
     .brief = "P2, probability that an intermediate node has two ways on"},
    {.name = "hops", .unit = "hops", .brief = "of a packet; the mean of a pattern"},
    {.name = "rate",
     .unit = "packets/cycle",
     .brief = "of a node, for this rho, under the pattern"},
    {.name = "printed two ways",
     .unit = "fraction",
     .brief = "P2 by the recurrence as printed",
     .printed = true},
    {.name = "printed cut-through", .unit = "fraction", .brief = "with it", .printed = true},
    {.name = "printed sum", .unit = "nodes", .brief = "Σ S_h^n, must be h", .printed = true},
    {.name = "printed valid", .unit = "(1: yes)", .brief = "it is", .printed = true},
    {.name = "delay", .unit = "cycles", .brief = "mean of the distribution of delay"},
    {.name = "delay deviation", .unit = "cycles", .brief = "its standard deviation"},
    {.name = "later", .unit = "fraction", .brief = "packets that take longer than `delay`"},
    {.name = "queue", .unit = "packets", .brief = "mean number that wait for a link"},
    {.name = "buffer",
     .unit = "packets",
     .brief = "that may wait for a link, for `loss` (M/M/1/K)"},
    {.name = "buffer by overflow",
     .unit = "packets",
     .brief = "more than these wait with probability `loss` at most, if buffers are unlimited"},
    {.name = "buffer by flits",
     .unit = "flits",
     .brief = "more than these wait with probability `loss`, if buffers are unlimited"},
    {.name = "delay percentile",
     .unit = "cycles",
     .by = "percentile",
     .brief = "index 99000: 99 % of the packets take no longer"},
    {.name = "queue length",
     .unit = "fraction",
     .by = "packets",
     .brief = "probability that so many wait for a link"},
    {.name = "cut through",
     .unit = "fraction",
     .by = "nodes",
     .brief = "probability that so many nodes are (oblivious: binomial)"},
    {.name = "two-way nodes",
     .unit = "nodes",
     .by = "nodes",
     .brief = "S_h^n, nodes of the quadrant whose packets meet so many two-way nodes"},
    {.name = "printed two-way nodes",
     .unit = "nodes",
     .by = "nodes",
     .brief = "the same by the recurrence as printed",
     .printed = true},
    {.name = NULL}};

/* ---- formulas ---- */

static double cut_probability(double rho, double two_ways)
{
    return (1 - rho) * (1 + rho * two_ways);
}

static double latency(const settings *set, double hops, double cut)
{
    return hops * set->length / (1 - set->rho) - cut * (hops - 1) * (set->length - set->header);
}

static double two_ways(const settings *set, uint32_t h)
{
    weft_choice choice = (weft_choice)set->selection;
    return set->ring == RING_TORUS ? weft_two_ways_ring(choice, set->rho, h, (uint32_t)set->k)
                                   : weft_two_ways_quadrant(choice, set->rho, h);
}

/* ---- distributions and the printed recurrence ---- */

/* Probabilities of 0 … h − 1 blocked nodes of oblivious packets: binomial, from the likeliest
 * number up and down, so that nothing leaves the range of a double. */
static void binomial(double p, int64_t nodes, double *weight)
{
    int64_t likely = (int64_t)((double)(nodes + 1) * p);
    double sum = 0;
    likely = likely < nodes ? likely : nodes;
    weight[likely] = 1;
    for (int64_t b = likely + 1; b <= nodes; b++)
        weight[b] = weight[b - 1] * (double)(nodes - b + 1) / (double)b * p / (1 - p);
    for (int64_t b = likely; b-- > 0;)
        weight[b] = weight[b + 1] * (double)(b + 1) / (double)(nodes - b) * (1 - p) / p;
    for (int64_t b = 0; b <= nodes; b++)
        sum += weight[b];
    for (int64_t b = 0; b <= nodes; b++)
        weight[b] /= sum;
}

static void put_delay(const settings *set, const double *blocked, weft_answer *answer)
{
    static const int64_t shares[] = {10000, 25000, 50000, 75000, 90000, 95000, 99000, 99900};
    const weft_cut_through_path path = {set->rho, set->length, set->header, (uint32_t)set->h,
                                        blocked};
    weft_cut_through_delay *delay = weft_cut_through_delay_create(&path);
    weft_answer_put(answer, DELAY_MEAN, weft_cut_through_delay_mean(&path));
    weft_answer_put(answer, DELAY_DEVIATION, weft_cut_through_delay_deviation(&path));
    if (set->delay >= 0)
        weft_answer_put(answer, LATER, weft_cut_through_delay_beyond(delay, set->delay));
    for (size_t i = 0; i < sizeof shares / sizeof *shares && set->distribution; i++)
        weft_answer_put_at(answer, PERCENTILE, shares[i],
                           weft_cut_through_delay_within(delay, (double)shares[i] / 100000));
    weft_cut_through_delay_destroy(delay);
    if (set->selection != (int)WEFT_CHOICE_OBLIVIOUS)
        weft_answer_note(answer, "delay: only packets that are blocked wait; latency, as the paper "
                                 "has it, lets those wait that cut through, too");
}

/* How many nodes are cut through, and how long that takes. */
static weft_status put_blocked(const settings *set, weft_answer *answer, weft_error *err)
{
    bool oblivious = set->selection == (int)WEFT_CHOICE_OBLIVIOUS;
    if (!oblivious && set->h > SPREAD_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "h must be at most %d for a distribution or a delay, found %lld",
                         SPREAD_MAX, (long long)set->h);
    double *blocked = weft_alloc((size_t)set->h * sizeof *blocked);
    if (oblivious)
        binomial(set->rho, set->h - 1, blocked);
    else
        weft_blocked_nodes((weft_choice)set->selection, set->rho, (uint32_t)set->h,
                           set->ring == RING_TORUS ? (uint32_t)set->k : 0, blocked);
    if (set->h <= SPREAD_MAX && set->rho <= DELAY_RHO)
        put_delay(set, blocked, answer);
    else
        weft_answer_note(answer, "delay is given up to %d hops and rho %g", SPREAD_MAX, DELAY_RHO);
    for (int64_t c = 0; c < set->h && set->distribution; c++)
        weft_answer_put_at(answer, CUTS, c, blocked[set->h - 1 - c]);
    free(blocked);
    return WEFT_OK;
}

/* ---- the queue of a link ---- */

/* n packets wait if n + 1 are there; none, if one or none is. */
static void put_queue(const settings *set, weft_answer *answer)
{
    double rho = set->rho, waiting = (1 - rho) * rho * rho;
    weft_answer_put(answer, QUEUE_MEAN, rho * rho / (1 - rho));
    weft_answer_put_at(answer, QUEUE, 0, 1 - rho * rho);
    for (int64_t n = 1; n <= QUEUE_MAX && waiting > 1e-9; n++, waiting *= rho)
        weft_answer_put_at(answer, QUEUE, n, waiting);
}

/* Room for waiting packets, the one on the link not counted. */
static void put_buffer(const settings *set, weft_answer *answer)
{
    double rho = set->rho, tail = rho * rho, power = rho;
    int64_t room = 0, lost = 0;
    for (; tail > set->loss; tail *= rho)
        room++;
    for (; (1 - rho) * power / (1 - rho * power) > set->loss; power *= rho)
        lost++;
    weft_answer_put(answer, BUFFER, (double)lost);
    weft_answer_put(answer, BUFFER_TAIL, (double)room);
    weft_answer_put(
        answer, BUFFER_FLITS,
        rho * rho > set->loss ? set->length * weft_log(rho * rho / set->loss) / (1 - rho) : 0);
    if (set->selection != (int)WEFT_CHOICE_OBLIVIOUS)
        weft_answer_note(answer, "buffer: an upper bound, for packets that may choose avoid links "
                                 "that are busy");
}

static void put_printed(const settings *set, const double *printed, weft_answer *answer)
{
    uint32_t h = (uint32_t)set->h;
    double sum = 0, found = weft_two_ways_of_spread(printed, h);
    for (uint32_t n = 0; n < h; n++)
        sum += printed[n];
    bool valid = sum - h < 1e-9 * h && sum - h > -1e-9 * h;
    weft_answer_put(answer, PRINTED_TWO_WAYS, found);
    weft_answer_put(answer, PRINTED_CUT_THROUGH, cut_probability(set->rho, found));
    weft_answer_put(answer, PRINTED_SUM, sum);
    weft_answer_put(answer, PRINTED_VALID, valid);
    if (!valid)
        weft_answer_note(answer,
                         "the printed recurrence is wrong for n = 1: its probabilities sum "
                         "to %.6g nodes instead of %u",
                         sum, h);
}

static weft_status put_spread(const settings *set, weft_answer *answer, weft_error *err)
{
    uint32_t h = (uint32_t)set->h;
    bool diagonal = set->selection == (int)WEFT_CHOICE_DIAGONAL && set->printed;
    if (h > SPREAD_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "h must be at most %d for a distribution of two-way nodes, found %u",
                         SPREAD_MAX, h);
    double *sums = weft_alloc(h * sizeof *sums), *printed = weft_alloc((h + 1) * sizeof *printed);
    weft_two_ways_spread((weft_choice)set->selection, set->rho, h, sums, diagonal ? printed : NULL);
    for (uint32_t n = 0; n < h && set->distribution; n++)
        weft_answer_put_at(answer, NODES, n, sums[n]);
    for (uint32_t n = 0; n < h && set->distribution && diagonal; n++)
        weft_answer_put_at(answer, PRINTED_NODES, n, printed[n]);
    if (diagonal)
        put_printed(set, printed, answer);
    free(sums);
    free(printed);
    return WEFT_OK;
}

/* ---- one number of hops, or all of a pattern ---- */

static weft_status check_ring(const settings *set, weft_answer *answer, weft_error *err)
{
    long long most = 2 * (set->k / 2), least = 2 * set->h;
    if (set->ring == RING_TORUS && set->h > most)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "h must be at most %lld on a %lld × %lld torus, found %lld", most,
                         (long long)set->k, (long long)set->k, (long long)set->h);
    if (set->ring == RING_QUADRANT && 2 * set->h >= set->k &&
        set->selection != (int)WEFT_CHOICE_OBLIVIOUS)
        weft_answer_note(answer,
                         "quadrant: needs a torus with more than %lld routers along each "
                         "dimension",
                         least);
    return WEFT_OK;
}

static weft_status evaluate_hops(const settings *set, weft_answer *answer, weft_error *err)
{
    WEFT_TRY(check_ring(set, answer, err));
    double share = two_ways(set, (uint32_t)set->h), cut = cut_probability(set->rho, share);
    weft_answer_put(answer, CUT_THROUGH, cut);
    weft_answer_put(answer, LATENCY, latency(set, (double)set->h, cut));
    weft_answer_put(answer, TWO_WAYS, share);
    weft_answer_put(answer, HOPS, (double)set->h);
    bool oblivious = set->selection == (int)WEFT_CHOICE_OBLIVIOUS;
    if (set->distribution || set->delay >= 0)
        WEFT_TRY(put_blocked(set, answer, err));
    if (set->distribution)
        put_queue(set, answer);
    if ((set->distribution || set->printed) && !oblivious)
        return put_spread(set, answer, err);
    return WEFT_OK;
}

/* Two-way nodes behind the source, over all that packets of `sum` hops of this pattern visit. */
static double internal_of(const weft_hop_spread *spread, const double *m, uint32_t sum)
{
    double total = 0;
    for (uint32_t x = 1; x < sum; x++)
        if (x <= spread->half && sum - x <= spread->half)
            total += spread->share[x * (spread->half + 1) + (sum - x)] * (m[x] - 1);
    return total;
}

static void average(const settings *set, const weft_hop_spread *spread, weft_answer *answer)
{
    weft_choice choice = (weft_choice)set->selection;
    double *m = weft_alloc((2 * (size_t)spread->half + 1) * sizeof *m);
    double nodes = 0, internal = 0, sent = 0;
    for (uint32_t h = 1; h <= 2 * spread->half; h++) {
        double share = weft_hop_spread_of(spread, h);
        weft_two_ways_next(choice, set->rho, h, m);
        sent += share;
        nodes += share * (h - 1);
        if (choice != WEFT_CHOICE_OBLIVIOUS)
            internal += set->ring == RING_TORUS
                            ? internal_of(spread, m, h)
                            : share * (h - 1) * weft_two_ways_quadrant(choice, set->rho, h);
    }
    double among = nodes > 0 ? internal / nodes : 0, cut = cut_probability(set->rho, among);
    double mean = spread->mean, per_node = nodes / sent;
    weft_answer_put(answer, CUT_THROUGH, cut);
    weft_answer_put(answer, LATENCY,
                    mean / sent * set->length / (1 - set->rho) -
                        cut * per_node * (set->length - set->header));
    weft_answer_put(answer, TWO_WAYS, among);
    weft_answer_put(answer, HOPS, mean / sent);
    int links = set->k == 2 ? 2 : 4; /* of a node; both ways round a ring of two are one link */
    weft_answer_put(answer, RATE, links * set->rho / (mean / sent * set->length));
    free(m);
}

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    if (set->loss > 0)
        put_buffer(set, answer);
    if (set->h > 0)
        return evaluate_hops(set, answer, err);
    weft_hop_spread spread;
    if (set->distribution || set->printed || set->delay >= 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "h is needed where a distribution, a delay or the printed form is wanted");
    WEFT_TRY(weft_hop_spread_find(&spread, (uint32_t)set->k, &set->pattern, err));
    average(set, &spread, answer);
    if (set->ring == RING_QUADRANT && set->selection != (int)WEFT_CHOICE_OBLIVIOUS)
        weft_answer_note(answer, "quadrant: packets of half a ring and more have more ways than "
                                 "this says; ring=torus counts them");
    weft_hop_spread_done(&spread);
    return WEFT_OK;
}

/* ---- the simulated side ---- */

static weft_status check_scenario(const settings *set, weft_error *err)
{
    if (strcmp(set->pattern.kind->name, "uniform") != 0)
        return weft_fail(err, WEFT_BAD_INPUT, "pattern must be uniform to be simulated, found %s",
                         set->pattern.kind->name);
    if (set->rho < 1e-6)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "rho must be at least 0.000001 to be simulated, found %.6g", set->rho);
    if (set->k > 64)
        return weft_fail(err, WEFT_BAD_INPUT, "k must be at most 64 to be simulated, found %lld",
                         (long long)set->k);
    long long most = 2 * (set->k / 2);
    if (set->h > most)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "h must be at most %lld to be simulated with k = %lld, found %lld", most,
                         (long long)set->k, (long long)set->h);
    return WEFT_OK;
}

/* In a simulation a header takes a cycle at least; what it takes beyond the model's is taken off
 * again, (h − 1) p_c times. */
static weft_status scenario(const void *given, weft_trial *trial, weft_error *err)
{
    const settings *set = given;
    static const char *const routings[] = {
        "minimal-oblivious, selection: random", "minimal-adaptive, selection: random",
        "minimal-adaptive, selection: dimension-order", "minimal-adaptive, selection: diagonal"};
    WEFT_TRY(check_scenario(set, err));
    bool one = set->h > 0;
    int header = set->header > 1 ? (int)(set->header + 0.5) : 1;
    weft_trial_text(trial,
                    "interweft: 1\n"
                    "topology: {kind: torus, dims: [%d, %d]}\n"
                    "router: {kind: output-queued, header: %d cycles}\n"
                    "endpoint: {injection: unlimited, reception: one-port}\n"
                    "routing: {kind: %s}\n"
                    "traffic: {all: {rho: %.17g, length: {kind: exponential, mean: %.17g flits}}}\n"
                    "measure: {%slinks: off, half-width: 0.5%%, limit: {packets: 1000000}}\n",
                    (int)set->k, (int)set->k, header, routings[set->selection], set->rho,
                    set->length, one ? "by: hops, " : "");
    const weft_metric cut = {
        .name = "cut-through", .by = one ? "hops" : "", .index = one ? set->h : 0};
    const weft_metric time = {.name = "latency", .by = cut.by, .index = cut.index};
    double nodes = one ? (double)(set->h - 1) : 0;
    double share = one ? two_ways(set, (uint32_t)set->h) : 0;
    if (!one || set->h > 1)
        weft_trial_compare(trial, CUT_THROUGH, &cut, 1, 0);
    weft_trial_compare(trial, LATENCY, &time, 1,
                       -(header - set->header) * nodes * cut_probability(set->rho, share));
    return WEFT_OK;
}

const weft_model_kind weft_model_cut_through = {
    WEFT_MODEL_BASE("cut-through", "virtual cut-through on a torus of two dimensions"),
    .outputs = outputs,
    .evaluate = evaluate,
    .scenario = scenario,
};
