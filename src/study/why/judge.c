/* SPDX-License-Identifier: Apache-2.0 */
/* Every output at which waits end gives its waiting packets to causes. One that is busy nearly all
 * the time lacks bandwidth; why it gets so much is asked next. One that is idle although packets
 * want it is short of what they lacked then. Verdicts are ranked by the packets they explain. */
#include "study/why/why.h"

#include "base/digits.h"
#include "base/numeric.h"
#include "net/naming.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FULL    WEFT_WAITWATCH_FULL
#define CERTAIN 0.92 /* of the time: an output that is busy so long is certainly full */
#define LOSS    0.15 /* of the time in which an output is wanted: less lost is nothing */
#define UNFAIR  4.0  /* times as long as others, through the same output */
#define NOTHING 1.3  /* times the zero-load latency: packets hardly wait */
#define NEARLY  0.9  /* of the throughput bound: accepted load so near is limited by it */
#define RARE    0.25 /* of all links: slower ones that are more are no exception */

static const char *const names[WEFT_WHY_CAUSES] = {
    [WEFT_WHY_NOTHING] = "nothing",
    [WEFT_WHY_LINK] = "link",
    [WEFT_WHY_CUT] = "cut",
    [WEFT_WHY_SLOW_LINK] = "slow link",
    [WEFT_WHY_FAULT] = "fault",
    [WEFT_WHY_RECEPTION] = "reception",
    [WEFT_WHY_INJECTION] = "injection",
    [WEFT_WHY_HEAD_OF_LINE] = "head-of-line",
    [WEFT_WHY_CREDITS] = "credits",
    [WEFT_WHY_VCS] = "vcs",
    [WEFT_WHY_CROSSBAR] = "crossbar",
    [WEFT_WHY_ARBITRATION] = "arbitration",
};

const char *weft_why_name(weft_why_cause cause)
{
    return cause < WEFT_WHY_CAUSES ? names[cause] : "";
}

typedef struct heap { /* what a cause has got */
    double packets, batch[WEFT_WAITWATCH_BATCHES];
    double most;     /* packets of … */
    uint32_t where;  /* … the output that gave it most */
    double strength; /* Σ packets × (busy, or the part of wanted time that was lost) */
    double idle;     /* Σ packets × fraction of all time that was lost */
    size_t outputs;  /* that gave it something */
} heap;

typedef struct bench {
    const weft_why_case *of;
    heap heaps[WEFT_WHY_CAUSES];
    double all, batch[WEFT_WAITWATCH_BATCHES];
    weft_time common;   /* period that most links between routers have */
    size_t rarer;       /* links that are slower, of … */
    size_t links;       /* … all of them */
    size_t full;        /* links between routers that are full */
    bool faults_matter; /* without them the point would not be overloaded */
} bench;

/* Ports of a router to other routers; outputs beyond are links to endpoints. */
static uint32_t ports_of(const weft_waitwatch *s, uint32_t output)
{
    return weft_topology_tier(&s->network->topology, output / s->outs).ports;
}

static void name_output(const weft_waitwatch *s, uint32_t output, char name[160])
{
    weft_why_output_name(s->network, output / s->outs, output % s->outs, name);
}

/* Ticks of a flit on the link behind an output between routers. */
static weft_time period_of(const bench *b, uint32_t router, uint32_t port)
{
    const weft_network *network = b->of->network;
    return network->timing.period[weft_topology_link_class(&network->topology, router, port)];
}

/* The period that most links have, and how many are slower. */
static void count_periods(bench *b)
{
    const weft_topology *topology = &b->of->network->topology;
    size_t count[WEFT_LINK_CLASSES_MAX] = {0}, most = 0;
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++)
            if (topology->kind->peer(topology, r, p).router != WEFT_NOWHERE) {
                count[weft_topology_link_class(topology, r, p)]++;
                b->links++;
            }
    for (uint32_t c = 0; c < WEFT_LINK_CLASSES_MAX; c++)
        if (count[c] > most) {
            most = count[c];
            b->common = b->of->network->timing.period[c];
        }
    for (uint32_t c = 0; c < WEFT_LINK_CLASSES_MAX; c++)
        if (count[c] && b->of->network->timing.period[c] > b->common)
            b->rarer += count[c];
}

/* The part of the time in which an output carried nothing although packets wanted it. */
static double lost_of(const weft_waitwatch *s, uint32_t output)
{
    double sum = 0;
    for (int c = WEFT_CAUSE_NONE + 1; c < WEFT_CAUSE_CAUSES; c++)
        sum += s->outputs[output].lost[c];
    return sum / s->samples;
}

/* Is a failed link next to this one? */
static bool beside_fault(const weft_topology *topology, uint32_t router, uint32_t port)
{
    uint32_t ends[] = {router, topology->kind->peer(topology, router, port).router};
    for (int e = 0; e < 2; e++)
        for (uint32_t p = 0; p < topology->ports; p++)
            if (ends[e] != WEFT_NOWHERE &&
                topology->kind->peer(topology, ends[e], p).router != WEFT_NOWHERE &&
                !weft_topology_alive(topology, ends[e], p))
                return true;
    return false;
}

/* The load at which all links of a cut are full; 0: no cut is known. */
static double cut_bound(const bench *b)
{
    const weft_bounds *bounds = b->of->bounds;
    double cut = bounds->of[WEFT_BOUND_CUT], halves = bounds->of[WEFT_BOUND_BISECTION];
    return halves > 0 && (cut == 0 || halves < cut) ? halves : cut;
}

/* No routing could spare the links of a cut. */
static bool cut_binds(const bench *b)
{
    double load = b->of->network->load, cut = cut_bound(b),
           link = b->of->bounds->of[WEFT_BOUND_LINK];
    return cut > 0 && cut <= 1.02 * load && (link == 0 || cut <= 1.05 * link) && b->full > 1;
}

/* Why an output lacks bandwidth. */
static weft_why_cause bandwidth_cause(const bench *b, uint32_t output)
{
    const weft_topology *topology = &b->of->network->topology;
    uint32_t router = output / b->of->survey->outs, out = output % b->of->survey->outs;
    if (out >= ports_of(b->of->survey, output))
        return WEFT_WHY_RECEPTION;
    if (period_of(b, router, out) > b->common && (double)b->rarer < RARE * (double)b->links)
        return WEFT_WHY_SLOW_LINK;
    if (topology->faults && b->faults_matter && beside_fault(topology, router, out))
        return WEFT_WHY_FAULT;
    return cut_binds(b) ? WEFT_WHY_CUT : WEFT_WHY_LINK;
}

static void give(bench *b, weft_why_cause cause, uint32_t output,
                 const double waiting[WEFT_WAITWATCH_BATCHES], double part, double strength,
                 double idle)
{
    heap *to = &b->heaps[cause];
    double packets = 0;
    for (int k = 0; k < WEFT_WAITWATCH_BATCHES; k++) {
        to->batch[k] += part * waiting[k];
        packets += part * waiting[k];
    }
    b->all += packets;
    to->packets += packets;
    to->strength += packets * strength;
    to->idle += packets * idle;
    to->outputs++;
    if (packets > to->most) {
        to->most = packets;
        to->where = output;
    }
}

/* What an idle output was short of, as a cause. */
static weft_why_cause shortage(weft_wait_cause lost)
{
    switch (lost) {
    case WEFT_CAUSE_CREDIT:
        return WEFT_WHY_CREDITS;
    case WEFT_CAUSE_VC:
        return WEFT_WHY_VCS;
    case WEFT_CAUSE_BEHIND:
        return WEFT_WHY_HEAD_OF_LINE;
    default:
        return WEFT_WHY_CROSSBAR;
    }
}

static double sum_of(const double batches[WEFT_WAITWATCH_BATCHES])
{
    double sum = 0;
    for (int k = 0; k < WEFT_WAITWATCH_BATCHES; k++)
        sum += batches[k];
    return sum;
}

/* Credits do not suffice because packets may take too few VCs, if all of a port would cover a round
 * trip; else buffers are too small. */
static weft_why_cause credit_cause(const bench *b, weft_why_cause cause)
{
    const weft_buffering *buffering = b->of->buffering;
    bool covered =
        (int64_t)buffering->vcs * buffering->capacity + buffering->shared >= buffering->needed;
    if (cause == WEFT_WHY_VCS && !covered && !buffering->committed)
        return WEFT_WHY_CREDITS;
    return cause;
}

/* Divides the packets whose root is one output, and those of the endpoint behind it. */
static void divide(bench *b, uint32_t output)
{
    const weft_waitwatch *s = b->of->survey;
    const weft_waitwatch_output *at = &s->outputs[output];
    double busy = weft_why_busy(s, output), lost = lost_of(s, output),
           stalled = sum_of(at->stalled);
    if (sum_of(at->injection) > 0)
        give(b, WEFT_WHY_INJECTION, output, at->injection, 1, 1, 0);
    if (stalled > 0) {
        double vcs = at->short_of_vcs / stalled;
        give(b, credit_cause(b, WEFT_WHY_VCS), output, at->stalled, vcs, 1, 1);
        /* If one VC covers a round trip, credits come as fast as the router takes packets out:
         * these wait for what the others wait for. */
        if (b->of->buffering->capacity < b->of->buffering->needed)
            give(b, WEFT_WHY_CREDITS, output, at->stalled, 1 - vcs, 1, 1);
    }
    if (sum_of(at->waiting) <= 0)
        return;
    if (busy >= FULL || lost <= LOSS * (busy + lost)) {
        give(b, bandwidth_cause(b, output), output, at->waiting, 1, busy, 0);
        return;
    }
    for (int c = WEFT_CAUSE_NONE + 1; c < WEFT_CAUSE_CAUSES; c++)
        if (at->lost[c])
            give(b, credit_cause(b, shortage((weft_wait_cause)c)), output, at->waiting,
                 at->lost[c] / (lost * s->samples), lost / (busy + lost),
                 (double)at->lost[c] / s->samples);
}

typedef struct unfairness {
    double shortest, longest; /* mean waits, ticks */
    uint32_t favoured, starved;
} unfairness;

/* Mean waits of sources that share a root with each other, by Little's law; false: they are alike.
 * Only sources that are served in full are compared: with an overload nobody could be. */
static bool is_unfair(const bench *b, size_t root, unfairness *found)
{
    const weft_waitwatch *s = b->of->survey;
    const weft_network *network = b->of->network;
    const weft_waitwatch_flow *flows = s->flows + root * network->endpoints;
    uint64_t most = 0, all = 0;
    double ticks = (double)(s->last - s->first) / s->samples;
    *found = (unfairness){.shortest = INFINITY};
    for (uint32_t e = 0; e < network->endpoints; e++) {
        most = flows[e].crossed > most ? flows[e].crossed : most;
        all += flows[e].crossed;
    }
    size_t shared = 0;
    for (uint32_t e = 0; e < network->endpoints; e++) {
        if (flows[e].crossed * 10 < most || flows[e].crossed < 10)
            continue;
        double wait = flows[e].waiting * ticks / (double)flows[e].crossed;
        shared++;
        if (wait < found->shortest) {
            found->shortest = wait;
            found->favoured = e;
        }
        if (wait > found->longest) {
            found->longest = wait;
            found->starved = e;
        }
    }
    double least = network->mean_flits * (double)network->timing.flit; /* a packet's own time */
    double floor = found->shortest > least ? found->shortest : least;
    return shared > 1 && all > 100 && found->longest > UNFAIR * floor;
}

/* Demand of the busiest resource, as a fraction of what it can carry; 0: unknown. */
static double overload(const bench *b)
{
    double most = b->of->bounds->throughput;
    return most > 0 ? b->of->network->load / most : 0;
}

/* The part of the messages that came to an endpoint which it could send. */
static double taken_of(const weft_waitwatch *s, uint32_t endpoint)
{
    double taken = 0, arrived = 0;
    for (uint32_t f = 0; f < s->network->n_traffic_classes; f++) {
        taken += s->taken[endpoint * s->network->n_traffic_classes + f];
        arrived += s->arrived[endpoint * s->network->n_traffic_classes + f];
    }
    return arrived > taken ? taken / arrived : 1;
}

/* Unequal waits at the heaviest root are the cause if it could carry all that is offered; in an
 * overload they only say who suffers. */
static void judge_fairness(bench *b, char *text, size_t size)
{
    const weft_waitwatch *s = b->of->survey;
    const weft_timing *timing = &b->of->network->timing;
    char name[160];
    unfairness found;
    for (size_t r = 0; r < s->n_roots && r < 1; r++) {
        uint32_t output = s->roots[r];
        weft_why_cause cause = bandwidth_cause(b, output);
        heap *from = &b->heaps[cause];
        if (!is_unfair(b, r, &found) || from->where != output || weft_why_busy(s, output) < FULL)
            continue;
        bool could = overload(b) > 0 && overload(b) <= 1;
        name_output(s, output, name);
        if (could)
            (void)weft_digits_print(
                text, size,
                "at %s packets of endpoint %u wait %.0f %s on average, those of "
                "endpoint %u %.0f %s; it is busy %.1f %% of the time",
                name, found.starved, weft_timing_value(timing, found.longest),
                weft_timing_unit(timing), found.favoured, weft_timing_value(timing, found.shortest),
                weft_timing_unit(timing), 100 * weft_why_busy(s, output));
        else
            (void)weft_digits_print(
                text, size,
                "%s cannot carry all that is offered: of endpoint %u %.0f %% gets into "
                "the network, of endpoint %u %.0f %%",
                name, found.starved, 100 * taken_of(s, found.starved), found.favoured,
                100 * taken_of(s, found.favoured));
        heap *to = &b->heaps[WEFT_WHY_ARBITRATION];
        double part = could ? 0.9 : 0.1;
        *to = *from;
        to->packets *= part;
        to->strength *= part;
        from->packets *= 1 - part;
        from->strength *= 1 - part;
        for (int k = 0; k < WEFT_WAITWATCH_BATCHES; k++) {
            to->batch[k] *= part;
            from->batch[k] *= 1 - part;
        }
    }
}

/* The evidence for a cause, as a sentence. */
static void describe(const bench *b, weft_why_verdict *verdict)
{
    const weft_waitwatch *s = b->of->survey;
    const heap *got = &b->heaps[verdict->cause];
    uint32_t at = got->where;
    char where[160];
    name_output(s, at, where);
    memcpy(verdict->where, where, sizeof where);
    double packets = got->packets / s->samples, busy = 100 * weft_why_busy(s, at),
           half = 100 * weft_why_busy_half_width(s, at), idle = 100 * got->idle / got->packets;
    const weft_waitwatch_output *output = &s->outputs[at];
    char number[WEFT_DIGITS_TEXT];
    size_t used =
        (size_t)snprintf(verdict->text, sizeof verdict->text,
                         "%s packets wait on average: ", weft_digits_plain(number, packets, 4));
    char *text = verdict->text + used;
    size_t room = sizeof verdict->text - used;
    uint64_t period = (uint64_t)b->common;
    switch (verdict->cause) {
    case WEFT_WHY_SLOW_LINK:
        (void)weft_digits_print(
            text, room,
            "%s is busy %.1f ± %.1f %% of the time, and takes %.3g times as long for a "
            "flit as most links",
            where, busy, half, (double)period_of(b, at / s->outs, at % s->outs) / (double)period);
        break;
    case WEFT_WHY_FAULT:
        (void)weft_digits_print(
            text, room,
            "%s is busy %.1f ± %.1f %% of the time, beside a failed one; without faults "
            "the throughput bound would be %.4g instead of %.4g, the offered load is "
            "%.4g",
            where, busy, half, b->of->healthy, b->of->bounds->throughput, b->of->network->load);
        break;
    case WEFT_WHY_CUT:
        (void)weft_digits_print(
            text, room,
            "%zu links are full, %s busy %.1f ± %.1f %% of the time; under any routing "
            "the links of a cut carry a load of %.4g at most, %.4g is offered",
            b->full, where, busy, half, cut_bound(b), b->of->network->load);
        break;
    case WEFT_WHY_INJECTION:
        (void)weft_digits_print(
            text, room,
            "%.0f %% of these at endpoints whose bus or rate control holds them back, the others "
            "behind packets on the injection link",
            100 * output->host / sum_of(output->injection));
        break;
    case WEFT_WHY_HEAD_OF_LINE:
        (void)weft_digits_print(
            text, room,
            "outputs carry nothing for %.1f %% of the time although packets for them "
            "stand behind others; %s is busy %.1f ± %.1f %%",
            idle, where, busy, half);
        break;
    case WEFT_WHY_CREDITS:
        (void)weft_digits_print(
            text, room,
            "links carry nothing for %.1f %% of the time since credits are under way; "
            "%s is busy %.1f ± %.1f %%",
            idle, where, busy, half);
        break;
    case WEFT_WHY_VCS:
        (void)weft_digits_print(
            text, room,
            "links carry nothing for %.1f %% of the time since no VC that packets may "
            "take is open; %s is busy %.1f ± %.1f %%",
            idle, where, busy, half);
        break;
    case WEFT_WHY_CROSSBAR:
        (void)weft_digits_print(
            text, room,
            "outputs carry nothing for %.1f %% of the time since the inputs that want "
            "them feed others; %s is busy %.1f ± %.1f %%",
            idle, where, busy, half);
        break;
    default:
        (void)weft_digits_print(text, room, "%s is busy %.1f ± %.1f %% of the time", where, busy,
                                half);
    }
}

static weft_why_confidence confidence_of(const bench *b, const weft_why_verdict *verdict)
{
    const heap *got = &b->heaps[verdict->cause];
    double strength = got->packets > 0 ? got->strength / got->packets : 0;
    double certain = got->idle > 0 ? 2 * LOSS : CERTAIN;
    if (verdict->lo >= 0.6 && strength >= certain)
        return WEFT_WHY_HIGH;
    return verdict->share >= 0.5 ? WEFT_WHY_MEDIUM : WEFT_WHY_LOW;
}

static int strongest_first(const void *a, const void *b)
{
    const weft_why_verdict *x = a, *y = b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return (int)x->cause - (int)y->cause;
}

static void rank(bench *b, const char *fairness, weft_why *why)
{
    for (int c = 0; c < WEFT_WHY_CAUSES; c++) {
        heap *got = &b->heaps[c];
        double share = b->all > 0 ? got->packets / b->all : 0, values[WEFT_WAITWATCH_BATCHES];
        bool there[WEFT_WAITWATCH_BATCHES];
        if (share < 0.02)
            continue;
        for (int k = 0; k < WEFT_WAITWATCH_BATCHES; k++) {
            there[k] = b->batch[k] > 0;
            values[k] = there[k] ? got->batch[k] / b->batch[k] : 0;
        }
        double half = weft_why_half_width(values, there);
        weft_why_verdict *verdict = &why->verdicts[why->n_verdicts++];
        *verdict = (weft_why_verdict){.cause = (weft_why_cause)c,
                                      .name = names[c],
                                      .share = share,
                                      .lo = share - half > 0 ? share - half : 0,
                                      .hi = share + half < 1 ? share + half : 1};
        describe(b, verdict);
        if (c == WEFT_WHY_ARBITRATION)
            (void)snprintf(verdict->text, sizeof verdict->text, "%s", fairness);
        verdict->full = got->strength >= FULL * got->packets;
        verdict->confidence = confidence_of(b, verdict);
    }
    qsort(why->verdicts, why->n_verdicts, sizeof *why->verdicts, strongest_first);
}

/* No setting of routers lifts the throughput bound: where nearly as much is accepted and more is
 * offered, the busiest resource comes first, and what packets lack elsewhere is a symptom. */
static void heed_bound(const bench *b, weft_why *why)
{
    const weft_waitwatch *s = b->of->survey;
    double most = b->of->bounds->proven, load = b->of->network->load;
    uint32_t busiest = 0;
    size_t at = 0;
    for (uint32_t o = 1; o < s->n_outputs; o++)
        busiest = weft_why_busy(s, o) > weft_why_busy(s, busiest) ? o : busiest;
    if (!(most > 0 && load > 1.02 * most && why->accepted >= NEARLY * most) ||
        weft_why_busy(s, busiest) < FULL)
        return;
    while (at < why->n_verdicts && why->verdicts[at].cause != bandwidth_cause(b, busiest))
        at++;
    if (at == 0 || at == why->n_verdicts)
        return;
    weft_why_verdict first = why->verdicts[at];
    memmove(why->verdicts + 1, why->verdicts, at * sizeof *why->verdicts);
    size_t used = strlen(first.text);
    (void)weft_digits_print(
        first.text + used, sizeof first.text - used,
        "; a load of %.4g is the most under any setting of the routers, %.4g is offered", most,
        load);
    first.confidence = weft_why_busy(s, busiest) >= CERTAIN ? WEFT_WHY_HIGH : WEFT_WHY_MEDIUM;
    why->verdicts[0] = first;
    for (size_t i = 1; i < why->n_verdicts; i++)
        why->verdicts[i].confidence = WEFT_WHY_LOW;
}

/* Packets hardly wait: that comes first, and nothing else is certain. */
static void add_nothing(weft_why *why)
{
    char latency[WEFT_DIGITS_TEXT], zero_load[WEFT_DIGITS_TEXT];
    if (!(why->latency <= NOTHING * why->zero_load))
        return;
    assert(why->n_verdicts < WEFT_WHY_VERDICTS); /* of other causes */
    memmove(why->verdicts + 1, why->verdicts, why->n_verdicts * sizeof *why->verdicts);
    why->n_verdicts++;
    for (size_t i = 1; i < why->n_verdicts; i++)
        why->verdicts[i].confidence = WEFT_WHY_LOW;
    why->verdicts[0] = (weft_why_verdict){.cause = WEFT_WHY_NOTHING,
                                          .name = names[WEFT_WHY_NOTHING],
                                          .share = 1,
                                          .lo = 1,
                                          .hi = 1,
                                          .confidence = WEFT_WHY_HIGH};
    (void)snprintf(why->verdicts[0].text, sizeof why->verdicts[0].text,
                   "latency is %s %s, %s %s of it without any load",
                   weft_digits_plain(latency, why->latency, 5), why->unit,
                   weft_digits_plain(zero_load, why->zero_load, 5), why->unit);
}

void weft_why_judge(const weft_why_case *of, weft_why *why)
{
    const weft_waitwatch *s = of->survey;
    bench b = {.of = of};
    char fairness[512] = "";
    b.faults_matter = of->healthy > 1.05 * of->bounds->throughput;
    count_periods(&b);
    for (uint32_t o = 0; o < s->n_outputs; o++)
        b.full += o % s->outs < ports_of(s, o) && weft_why_busy(s, o) >= FULL;
    for (uint32_t o = 0; o < s->n_outputs; o++)
        divide(&b, o);
    for (int c = 0; c < WEFT_WHY_CAUSES; c++)
        for (int k = 0; k < WEFT_WAITWATCH_BATCHES; k++)
            b.batch[k] += b.heaps[c].batch[k];
    judge_fairness(&b, fairness, sizeof fairness);
    rank(&b, fairness, why);
    heed_bound(&b, why);
    add_nothing(why);
    double values[WEFT_WAITWATCH_BATCHES];
    bool there[WEFT_WAITWATCH_BATCHES];
    for (int k = 0; k < WEFT_WAITWATCH_BATCHES; k++) {
        there[k] = s->batch[k] > 0;
        values[k] = there[k] ? b.batch[k] / s->batch[k] : 0;
    }
    double half = weft_why_half_width(values, there);
    why->waiting = s->waiting / s->samples;
    why->at_sources = s->at_sources / s->samples;
    why->lo = why->waiting > half ? why->waiting - half : 0;
    why->hi = why->waiting + half;
    weft_why_tree(s, why);
}
