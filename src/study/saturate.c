/* SPDX-License-Identifier: Apache-2.0 */
/* The saturation load, between the greatest load found stable and the least found unstable.
 *
 * A probe is stable, unstable, or ended too soon to tell; the last kind moves neither end. The
 * search goes on on both sides of such probes and ends with what is known, and why the bracket
 * is wider than wanted. The throughput bound is the first unstable load. The first probe lies
 * where the network accepts at load 1.0.
 *
 * What is accepted at load 1.0: past saturation finite buffers fill up slowly and then hold the
 * network in a steady state that may lie well below what it carried at first. So such a network
 * is run over a span that is measured whole, after a warm-up as long, and both are doubled until
 * the accepted load is known or a run has more packets than the scenario allows. A time limit
 * that the scenario gives is kept instead. Behind full buffers packets wait at their sources, at
 * any offered load as at 1.0: once congested such a network carries no more than that, and loads
 * above it are stable only as long as it is not. (Unbounded queues keep no packet at its source,
 * so this does not hold for them.) */
#include "base/digits.h"
#include "base/memory.h"
#include "study/probe.h"
#include "study/beside.h"
#include "study/internal.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACCEPTED_WIDTH 0.01 /* the accepted load need not be known better than this */
#define CROSSINGS      128  /* of the empty network, and … */
#define TURNOVERS      8 /* … of all buffers, at the rate of the endpoints: the first warm-up */
#define DOUBLINGS      9 /* at most */
#define PROBES_MAX     64

typedef struct search {
    weft_probe_plan plan;
    weft_probe_outlook outlook;
    double tolerance;
    weft_saturation *found;
    double unknown_from,
        unknown_to;     /* probes that ended too soon, within the bracket; from > to: none */
    weft_probe longest; /* the one of them with most packets */
    double guess, step; /* where to probe next; 0: in the middle */
    bool any_unstable;  /* by a probe */
} search;

static bool known(const weft_estimate *accepted)
{
    return accepted->independent &&
           accepted->hi - accepted->lo <= 2 * ACCEPTED_WIDTH * accepted->value;
}

/* Did a run last as long as it was meant to? */
static bool lasted(weft_ending ending)
{
    return ending != WEFT_END_LIMIT_PACKETS && ending != WEFT_END_LIMIT_WALL &&
           ending != WEFT_END_LIMIT_RANGE && ending != WEFT_END_MEMORY;
}

static const char *limit_name(weft_ending ending)
{
    switch (ending) {
    case WEFT_END_LIMIT_TIME:
        return "measure.limit.time";
    case WEFT_END_LIMIT_WALL:
        return "measure.limit.wall";
    case WEFT_END_LIMIT_RANGE:
        return "the range of names and ages";
    case WEFT_END_MEMORY:
        return "the memory limit (--memory)";
    default:
        return "measure.limit.packets";
    }
}

static void record(weft_saturation *found, double load, const weft_probe *probe)
{
    static const char *const words[] = {[WEFT_STABILITY_UNKNOWN] = "undecided: ",
                                        [WEFT_STABLE] = "stable",
                                        [WEFT_UNSTABLE] = "unstable"};
    if (found->n_probes == WEFT_PROBES_MAX)
        return;
    weft_saturation_probe *kept = &found->probes[found->n_probes++];
    *kept = (weft_saturation_probe){.load = load,
                                    .accepted = probe->accepted.value,
                                    .lo = probe->accepted.lo,
                                    .hi = probe->accepted.hi,
                                    .packets = probe->packets};
    bool unknown = probe->stability == WEFT_STABILITY_UNKNOWN;
    (void)snprintf(kept->verdict, sizeof kept->verdict, "%s%s", words[probe->stability],
                   unknown ? limit_name(probe->ending) : "");
}

/* A run at the load that is planned. */
static weft_status try_load(search *s, weft_probe *probe, weft_error *err)
{
    WEFT_TRY(weft_probe_run(&s->plan, probe, err));
    record(s->found, s->plan.load, probe);
    return WEFT_OK;
}

/* The run at load 1.0, and if finite buffers hold it back, runs until their steady state is
 * known. */
static weft_status probe_full(search *s, weft_probe *full, weft_error *err)
{
    const weft_probe_outlook *outlook = &s->outlook;
    weft_probe_plan *plan = &s->plan;
    bool sure = outlook->bound > 0 && outlook->bound < 1;
    plan->load = plan->unstable = 1;
    full->stability = WEFT_UNSTABLE;
    bool lengthens = outlook->finite && outlook->open;
    if (!sure || !lengthens)
        WEFT_TRY(try_load(s, full, err));
    if (full->stability == WEFT_STABLE || !lengthens)
        return WEFT_OK;
    double first = CROSSINGS * outlook->crossing, fill = TURNOVERS * outlook->turnover;
    for (unsigned i = 0; i <= DOUBLINGS; i++) {
        weft_probe longer = {0};
        plan->span = (weft_time)(first > fill ? first : fill) << i;
        WEFT_TRY(try_load(s, &longer, err));
        if (longer.accepted.batches > 0)
            full->accepted = longer.accepted;
        s->found->accepted_steady = lasted(longer.ending);
        if (known(&longer.accepted) || longer.packets >= outlook->packets || !lasted(longer.ending))
            break;
    }
    plan->span = 0;
    return WEFT_OK;
}

static bool any_unknown(const search *s)
{
    return s->unknown_from <= s->unknown_to;
}

/* The next load to probe; 0: nothing more can be learnt. */
static double next_load(search *s)
{
    double low = s->found->load, high = s->found->unstable;
    if (high - low <= s->tolerance)
        return 0;
    if (any_unknown(s)) { /* below those that did not tell, then above them */
        if (s->unknown_from - low > s->tolerance)
            high = s->unknown_from;
        else if (high - s->unknown_to > s->tolerance)
            low = s->unknown_to;
        else
            return 0;
    }
    double guess = s->guess;
    s->guess = 0;
    return guess > low && guess < high ? guess : (low + high) / 2;
}

static void note_unknown(search *s, double load, const weft_probe *probe)
{
    bool none = !any_unknown(s);
    s->unknown_from = none || load < s->unknown_from ? load : s->unknown_from;
    s->unknown_to = none || load > s->unknown_to ? load : s->unknown_to;
    if (none || probe->packets > s->longest.packets)
        s->longest = *probe;
}

/* What a probe says moves one end of the bracket; unknown ones outside of it do not matter. */
static void note(search *s, double load, const weft_probe *probe)
{
    weft_saturation *found = s->found;
    if (probe->stability == WEFT_STABILITY_UNKNOWN) {
        note_unknown(s, load, probe);
        return;
    }
    bool stable = probe->stability == WEFT_STABLE;
    if (stable)
        found->load = load;
    else
        found->unstable = load;
    s->any_unstable = s->any_unstable || !stable;
    if (any_unknown(s) && stable && s->unknown_from <= load)
        s->unknown_from = load < s->unknown_to ? s->unknown_to : INFINITY;
    if (any_unknown(s) && !stable && s->unknown_to >= load)
        s->unknown_to = load > s->unknown_from ? s->unknown_from : -INFINITY;
}

/* As long as only one end has been probed, the next probe is a step towards the other, then two
 * … */
static void guess_next(search *s, double load, const weft_probe *probe)
{
    const weft_saturation *found = s->found;
    bool stable = probe->stability == WEFT_STABLE;
    if (stable ? s->any_unstable : found->load > 0)
        return;
    s->guess = stable ? load + s->step : load - s->step;
    s->step *= 2;
}

static weft_status narrow(search *s, weft_error *err)
{
    double load;
    for (int i = 0; i < PROBES_MAX && (load = next_load(s)) > 0; i++) {
        weft_probe probe = {0};
        if (load * s->outlook.rho >= 1) { /* more than the links can carry */
            s->found->unstable = load;
            continue;
        }
        s->plan.load = load;
        s->plan.stable = s->found->load;
        s->plan.unstable = s->found->unstable;
        WEFT_TRY(try_load(s, &probe, err));
        note(s, load, &probe);
        guess_next(s, load, &probe);
    }
    return WEFT_OK;
}

/* "a run at 1", "runs at 0.81 … 0.84" */
static void explain_unknown(const search *s, char *text, size_t size)
{
    char loads[64];
    bool one = s->unknown_from >= s->unknown_to;
    if (one)
        (void)weft_digits_print(loads, sizeof loads, "a run at %.4g", s->unknown_from);
    else
        (void)weft_digits_print(loads, sizeof loads, "runs at %.4g … %.4g", s->unknown_from,
                                s->unknown_to);
    (void)snprintf(
        text, size, "%s ended at %s, after %llu packets, before %s could tell; allow more", loads,
        limit_name(s->longest.ending), (unsigned long long)s->longest.packets, one ? "it" : "they");
}

/* Why the bracket is wider than wanted. */
static void explain(const search *s)
{
    weft_saturation *found = s->found;
    /* behind full buffers packets wait at their sources, as they do at load 1.0 */
    if (s->outlook.finite && found->accepted_steady && found->accepted_hi < found->load) {
        found->from_empty = found->load;
        found->load = found->accepted_hi;
    }
    if (any_unknown(s) && found->unstable - found->load > s->tolerance)
        explain_unknown(s, found->why, sizeof found->why);
}

static weft_status find(weft_study *study, size_t i, weft_sharing *sharing, double tolerance,
                        weft_saturation *found, weft_error *err)
{
    search s = {.plan = {.study = study, .point = i, .sharing = sharing},
                .tolerance = tolerance,
                .found = found,
                .unknown_from = INFINITY,
                .unknown_to = -INFINITY,
                .step = 0.8 * tolerance};
    weft_probe full = {.accepted = {.value = NAN, .lo = NAN, .hi = NAN}}; /* until it is known */
    WEFT_TRY(weft_probe_look(&s.plan, &s.outlook, err));
    *found = (weft_saturation){.unstable = 1, .bound = s.outlook.bound, .accepted_steady = true};
    WEFT_TRY(probe_full(&s, &full, err));
    if (full.lost > 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "this network has no saturation load: its queues drop packets instead of "
                         "growing (%.3g %% at load 1.0). Run the loads of interest and compare "
                         "accepted and lost, or remove the limit of the queues",
                         100 * (double)full.lost / (double)(full.lost + full.packets));
    found->accepted = full.accepted.value;
    found->accepted_lo = full.accepted.lo;
    found->accepted_hi = full.accepted.hi;
    if (full.stability == WEFT_STABLE) {
        found->always_stable = true;
        found->load = found->unstable = 1;
        found->rho = s.outlook.rho;
        return WEFT_OK;
    }
    if (found->bound > 0 && found->bound < 1)
        found->unstable = found->bound;
    else
        note(&s, 1, &full);
    s.guess = found->accepted - tolerance / 4;
    WEFT_TRY(narrow(&s, err));
    explain(&s);
    found->rho = found->load * s.outlook.rho;
    return WEFT_OK;
}

weft_status weft_study_saturate(weft_study *study, size_t i, double tolerance,
                                weft_saturation *found, weft_error *err)
{
    WEFT_TRY(weft_study_options_tolerance(tolerance, err));
    study->at_once = 1;
    weft_monitor_begin(study->monitor, i, 0);
    weft_status status = find(study, i, NULL, tolerance, found, err);
    weft_monitor_end(study->monitor, i);
    return status;
}

/* ---- all points ---- */

typedef struct harvest {
    weft_study *study;
    weft_result *result;
    double tolerance;
    weft_saturation **there; /* of all points: found, or NULL */
    size_t n_missing, *missing;
    size_t told;
    void (*found)(void *user, size_t i, const weft_saturation *found);
    void *user;
} harvest;

/* What is known is told in the order of points. */
static void tell(harvest *h)
{
    weft_monitor_hold(h->study->monitor);
    for (; h->told < weft_study_points(h->study) && h->there[h->told]; h->told++)
        h->found(h->user, h->told, h->there[h->told]);
    weft_monitor_release(h->study->monitor);
}

static weft_status run_search(void *user, weft_sharing *sharing, size_t k, weft_comm *team,
                              void **row, size_t *bytes, weft_error *err)
{
    const harvest *h = user;
    size_t i = h->missing[k];
    weft_saturation *found = weft_alloc(sizeof *found);
    (void)team;
    weft_monitor_begin(h->study->monitor, i, 0);
    weft_status status = find(h->study, i, sharing, h->tolerance, found, err);
    weft_monitor_end(h->study->monitor, i);
    *row = found;
    *bytes = sizeof *found;
    return status;
}

static weft_status take_found(void *user, size_t k, const void *row, size_t bytes, weft_error *err)
{
    harvest *h = user;
    size_t i = h->missing[k];
    assert(bytes == sizeof *h->there[i]);
    h->there[i] = weft_alloc(bytes);
    memcpy(h->there[i], row, bytes);
    weft_monitor_count(h->study->monitor, 0);
    WEFT_TRY(weft_saturation_keep(h->study, i, h->there[i], h->result, err));
    tell(h);
    return WEFT_OK;
}

/* Processes search together, one point after the other. */
static weft_status search_together(const harvest *h, weft_error *err)
{
    weft_study *study = h->study;
    for (size_t i = 0; i < weft_study_points(study); i++) {
        weft_saturation found;
        bool there;
        WEFT_TRY(weft_saturation_recall(study, i, h->result, &found, &there, err));
        if (!there) {
            /* of a small network only the first process knows that it failed */
            weft_status status = weft_study_saturate(study, i, h->tolerance, &found, err);
            WEFT_TRY(weft_comm_agree(study->comm, status, err));
            WEFT_TRY(weft_saturation_keep(study, i, &found, h->result, err));
        }
        if (weft_comm_rank(study->comm) == 0)
            h->found(h->user, i, &found);
    }
    return WEFT_OK;
}

/* What the file holds, and the list of what it does not. */
static weft_status recall_all(harvest *h, weft_error *err)
{
    for (size_t i = 0; i < weft_study_points(h->study); i++) {
        weft_saturation found;
        bool there;
        WEFT_TRY(weft_saturation_recall(h->study, i, h->result, &found, &there, err));
        if (!there) {
            h->missing[h->n_missing++] = i;
            continue;
        }
        h->there[i] = weft_alloc(sizeof found);
        *h->there[i] = found;
        weft_monitor_count(h->study->monitor, 0);
    }
    tell(h);
    return WEFT_OK;
}

static weft_status search_missing(harvest *h, weft_error *err)
{
    weft_study *study = h->study;
    weft_schedule_item *items = weft_alloc(weft_study_points(study) * sizeof *items);
    uint32_t threads;
    weft_beside job = {
        .study = study, .n_items = h->n_missing, .run = run_search, .take = take_found, .user = h};
    study->at_once = weft_beside_most(study, h->n_missing);
    weft_status status = weft_beside_estimate(study, 1, items, &threads, err);
    if (status == WEFT_OK) {
        weft_beside_announce(study, weft_study_points(study) - h->n_missing, h->n_missing, 0);
        status = weft_beside_run(&job, err);
    }
    free(items);
    return status;
}

static weft_status search_beside(harvest *h, weft_error *err)
{
    size_t points = weft_study_points(h->study);
    h->there = weft_alloc(points * sizeof *h->there);
    h->missing = weft_alloc(points * sizeof *h->missing);
    weft_status status = recall_all(h, err);
    if (status == WEFT_OK && h->n_missing > 0)
        status = search_missing(h, err);
    for (size_t i = 0; i < points; i++)
        free(h->there[i]);
    free(h->there);
    free(h->missing);
    return status;
}

weft_status weft_study_saturate_all(weft_study *study, double tolerance, weft_result *result,
                                    void (*found)(void *user, size_t i,
                                                  const weft_saturation *found),
                                    void *user, weft_error *err)
{
    WEFT_TRY(weft_study_options_tolerance(tolerance, err));
    harvest h = {
        .study = study, .result = result, .tolerance = tolerance, .found = found, .user = user};
    return weft_comm_size(study->comm) > 1 ? search_together(&h, err) : search_beside(&h, err);
}
