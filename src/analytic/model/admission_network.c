/* SPDX-License-Identifier: Apache-2.0 */
/* How many connections a network refuses: each asks link by link along its path. The Erlang fixed
 * point (analytic/reduced_load.h) is an approximation, so the connections themselves are run
 * beside it (analytic/connections.h), with standard errors of 20 batches. One subnet; no
 * multicast. */
#include "analytic/connections.h"
#include "analytic/queueing.h"
#include "analytic/reduced_load.h"
#include "base/memory.h"
#include "base/numeric.h"

#include <stdlib.h>

typedef struct settings {
    weft_kind_ref topology, routing;
    weft_reals lambda, hold;
    weft_ints bandwidth, pools;
    int64_t capacity, host_capacity, entries, weight_unit, requests, seed;
    double scale, lost;
    int rule, holding;
} settings;

enum { STRICT, INCLUSIVE };
static const char *const rules[] = {"strict", "inclusive", NULL};
enum { EXPONENTIAL, FIXED };
static const char *const holdings[] = {"exponential", "fixed", NULL};

#define CAPACITY_MAX 1000000
#define REQUESTS_MAX 1000000000

static const weft_param params[] = {
    {.name = "topology",
     .brief = "network of the connections",
     .type = WEFT_PARAM_KIND,
     .offset = offsetof(settings, topology),
     .family = "topology"},
    {.name = "routing",
     .brief = "paths of the connections",
     .type = WEFT_PARAM_KIND,
     .offset = offsetof(settings, routing),
     .fallback = "minimal-oblivious",
     .family = "routing"},
    {.name = "lambda",
     .brief = "connections of each class that an endpoint asks for, per unit of time, to endpoints "
              "drawn uniformly",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(settings, lambda),
     .min = 1e-9,
     .max = WEFT_QUEUEING_RATE_MAX},
    {.name = "bandwidth",
     .brief = "what a connection of each class reserves of every link, in the unit of the capacity",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, bandwidth),
     .fallback = "[1]",
     .min = 1,
     .max = CAPACITY_MAX},
    {.name = "hold",
     .brief = "mean time that a connection of each class lasts; one number: of all",
     .type = WEFT_PARAM_REALS,
     .offset = offsetof(settings, hold),
     .fallback = "[1]",
     .min = 1e-9,
     .max = WEFT_QUEUEING_RATE_MAX},
    {.name = "holding",
     .brief = "distribution of these times",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, holding),
     .fallback = "exponential",
     .choices = holdings},
    {.name = "capacity",
     .brief = "bandwidth of a link between routers, each way",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, capacity),
     .min = 1,
     .max = CAPACITY_MAX},
    {.name = "host-capacity",
     .brief = "bandwidth of an endpoint's link, each way; none: it never refuses",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, host_capacity),
     .fallback = "none",
     .min = 1,
     .max = CAPACITY_MAX},
    {.name = "pools",
     .brief = "bandwidth of a link that each class may have in all, its SL's pool; none: all of it",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, pools),
     .fallback = "none",
     .min = 1,
     .max = CAPACITY_MAX},
    {.name = "rule",
     .brief = "a connection must leave some bandwidth over (strict), or may take all of it",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, rule),
     .fallback = "strict",
     .choices = rules},
    {.name = "entries",
     .brief =
         "entries of the arbitration table that connections fill at every port; none: no table",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, entries),
     .fallback = "none",
     .min = 1,
     .max = 64},
    {.name = "weight-unit",
     .brief = "bandwidth that a weight of 1 in the table stands for",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, weight_unit),
     .fallback = "1",
     .min = 1,
     .max = CAPACITY_MAX},
    {.name = "lost",
     .brief = "probability that a message of the admission is lost on a link",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, lost),
     .fallback = "0",
     .min = 0,
     .max = 0.5},
    {.name = "requests",
     .brief = "connections that are run, behind a tenth as many for the warm-up; 0: the "
              "approximation alone",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, requests),
     .fallback = "200000",
     .min = 0,
     .max = REQUESTS_MAX},
    {.name = "seed",
     .brief = "of the connections that are run",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, seed),
     .fallback = "1",
     .min = 0,
     .max = INT32_MAX},
    {.name = "scale",
     .brief = "factor on everything that comes, for curves",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, scale),
     .fallback = "1",
     .min = 1e-9,
     .max = 1e9},
    {.name = NULL}};

enum {
    BLOCKING,
    SIMULATED,
    ERROR,
    SCORE,
    UTILISATION,
    SIMULATED_UTILISATION,
    BUSIEST,
    SIMULATED_BUSIEST,
    OPEN,
    LINKS,
    BY_POOL,
    BY_LINK,
    BY_TABLE,
    BY_LOSS,
    CLASS_BLOCKING,
    CLASS_SIMULATED,
    CLASS_ERROR,
    CLASS_SCORE
};
static const weft_output outputs[] = {
    {.name = "blocking", .unit = "fraction", .brief = "of all connections, by the fixed point"},
    {.name = "simulated blocking", .unit = "fraction", .brief = "of those that were run"},
    {.name = "simulated error", .unit = "fraction", .brief = "standard error of it"},
    {.name = "score",
     .unit = "errors",
     .brief =
         "simulated minus fixed point, in standard errors; the fixed point is exact only where "
         "paths have one link"},
    {.name = "utilisation",
     .unit = "fraction",
     .brief = "reserved part of the links in use, mean, by the fixed point"},
    {.name = "simulated utilisation", .unit = "fraction", .brief = "likewise, run"},
    {.name = "busiest link", .unit = "fraction", .brief = "its reserved part, by the fixed point"},
    {.name = "simulated busiest link", .unit = "fraction", .brief = "likewise, run"},
    {.name = "connections", .unit = "connections", .brief = "open at a time, run"},
    {.name = "links", .unit = "links", .brief = "that a path asks, mean"},
    {.name = "refused by a pool", .unit = "fraction", .brief = "of requests"},
    {.name = "refused by a link", .unit = "fraction", .brief = "of requests: the link, not a pool"},
    {.name = "refused by a table",
     .unit = "fraction",
     .brief = "of requests: no entry is left in an arbitration table"},
    {.name = "lost messages", .unit = "fraction", .brief = "of requests: given up"},
    {.name = "class blocking", .unit = "fraction", .by = "class", .brief = "by the fixed point"},
    {.name = "class simulated", .unit = "fraction", .by = "class", .brief = "of those run"},
    {.name = "class error", .unit = "fraction", .by = "class", .brief = "standard error of it"},
    {.name = "class score", .unit = "errors", .by = "class", .brief = "as above"},
    {.name = NULL}};

/* ---- settings ---- */

static weft_status check_list(const char *name, int32_t found, int32_t classes, weft_error *err)
{
    if (found == classes || found == 1)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s must have one number, or one for each of %d classes, found %d", name,
                     classes, found);
}

static weft_status check(const settings *set, weft_error *err)
{
    int32_t classes = set->lambda.count;
    if (classes > WEFT_CONNECTION_CLASSES - 1)
        return weft_fail(err, WEFT_BAD_INPUT, "lambda must list at most %d classes, found %d",
                         WEFT_CONNECTION_CLASSES - 1, classes);
    WEFT_TRY(check_list("bandwidth", set->bandwidth.count, classes, err));
    WEFT_TRY(check_list("hold", set->hold.count, classes, err));
    if (set->pools.count > 0)
        WEFT_TRY(check_list("pools", set->pools.count, classes, err));
    return WEFT_OK;
}

static int64_t int_of(const weft_ints *list, int32_t k)
{
    return list->at[list->count == 1 ? 0 : k];
}

static double hold_of(const settings *set, int32_t k)
{
    return set->hold.at[set->hold.count == 1 ? 0 : k];
}

/* ---- the two answers ---- */

/* Pools, tables and lost messages are not in it. */
static bool has_fixed_point(const settings *set)
{
    return set->pools.count == 0 && set->entries < 1 && set->lost == 0;
}

static void put_fixed_point(const settings *set, const weft_link_paths *paths, double *by_class,
                            weft_answer *answer)
{
    weft_offered_class offered[WEFT_CONNECTION_CLASSES];
    int64_t less = set->rule == STRICT;
    double come = 0, refused = 0;
    for (int32_t k = 0; k < set->lambda.count; k++)
        offered[k] = (weft_offered_class){int_of(&set->bandwidth, k),
                                          set->scale * paths->endpoints * set->lambda.at[k] *
                                              hold_of(set, k)};
    const weft_reduced_load network = {.paths = paths,
                                       .classes = (uint32_t)set->lambda.count,
                                       .offered = offered,
                                       .room = set->capacity - less,
                                       .spare = less,
                                       .host_room = paths->hosts ? set->host_capacity - less : 0};
    weft_reduced_answer found = {.blocking = by_class};
    weft_reduced_load_solve(&network, &found);
    for (int32_t k = 0; k < set->lambda.count; k++) {
        come += set->lambda.at[k];
        refused += set->lambda.at[k] * by_class[k];
        weft_answer_put_at(answer, CLASS_BLOCKING, k + 1, by_class[k]);
    }
    weft_answer_put(answer, BLOCKING, refused / come);
    weft_answer_put(answer, UTILISATION, found.mean);
    weft_answer_put(answer, BUSIEST, found.most);
    weft_answer_put(answer, LINKS, found.links);
    if (!found.converged)
        weft_answer_note(answer, "the fixed point has not converged");
    if (found.sampled)
        weft_answer_note(answer, "the fixed point is over a sample of paths");
}

typedef struct share { /* of requests that are refused, over batches */
    double sum, square, counted;
} share;

static void add_share(share *s, uint64_t refused, uint64_t requests)
{
    double part = requests ? (double)refused / (double)requests : 0;
    s->sum += part;
    s->square += part * part;
    s->counted++;
}

static double error_of(const share *s)
{
    double mean = s->sum / s->counted, rest = s->square / s->counted - mean * mean;
    return weft_sqrt(rest > 0 ? rest / (s->counted - 1) : 0);
}

static weft_connections run_of(const settings *set, const weft_link_paths *paths)
{
    weft_connections all = {.paths = paths,
                            .n_classes = (uint32_t)set->lambda.count,
                            .capacity = set->capacity,
                            .host_capacity = paths->hosts ? set->host_capacity : 0,
                            .entries = set->entries > 0 ? (uint32_t)set->entries : 0,
                            .weight_unit = set->weight_unit,
                            .inclusive = set->rule == INCLUSIVE,
                            .fixed_hold = set->holding == FIXED,
                            .lost = set->lost,
                            .requests = (uint64_t)set->requests,
                            .seed = (uint64_t)set->seed};
    for (int32_t k = 0; k < set->lambda.count; k++)
        all.classes[k] = (weft_connections_class){
            .rate = set->scale * paths->endpoints * set->lambda.at[k],
            .hold = hold_of(set, k),
            .bandwidth = int_of(&set->bandwidth, k),
            .pool = set->pools.count ? int_of(&set->pools, k) : set->capacity};
    return all;
}

static void put_share(weft_answer *answer, const share *s, const double *truth, int64_t class)
{
    double mean = s->sum / s->counted, error = error_of(s);
    size_t at[] = {class ? CLASS_SIMULATED : SIMULATED, class ? CLASS_ERROR : ERROR,
                   class ? CLASS_SCORE : SCORE};
    weft_answer_put_at(answer, at[0], class, mean);
    weft_answer_put_at(answer, at[1], class, error);
    if (truth && error > 0)
        weft_answer_put_at(answer, at[2], class, (mean - *truth) / error);
}

/* Why requests were refused, as parts of all. */
static void put_reasons(const settings *set, const weft_connections_answer *found,
                        weft_answer *answer)
{
    weft_connections_count sum = {0};
    for (int b = 0; b < WEFT_CONNECTION_BATCHES; b++)
        for (int32_t k = 0; k < set->lambda.count; k++) {
            const weft_connections_count *c = &found->count[b][k];
            sum.requests += c->requests;
            sum.lost += c->lost;
            for (int v = 0; v <= WEFT_REFUSED_INVALID; v++)
                sum.reason[v] += c->reason[v];
        }
    double all = (double)sum.requests;
    if (set->pools.count)
        weft_answer_put(answer, BY_POOL, (double)sum.reason[WEFT_REFUSED_POOL] / all);
    weft_answer_put(answer, BY_LINK,
                    (double)(sum.reason[WEFT_REFUSED_LINK] +
                             (set->pools.count ? 0 : sum.reason[WEFT_REFUSED_POOL])) /
                        all);
    if (set->entries > 0)
        weft_answer_put(answer, BY_TABLE, (double)sum.reason[WEFT_REFUSED_ENTRIES] / all);
    if (set->lost > 0)
        weft_answer_put(answer, BY_LOSS, (double)sum.lost / all);
}

static void put_run(const settings *set, const weft_connections_answer *found,
                    const double *by_class, weft_answer *answer)
{
    share total = {0}, of[WEFT_CONNECTION_CLASSES] = {{0}};
    double used = 0, come = 0, truth = 0;
    for (int b = 0; b < WEFT_CONNECTION_BATCHES; b++) {
        uint64_t requests = 0, refused = 0;
        for (int32_t k = 0; k < set->lambda.count; k++) {
            const weft_connections_count *c = &found->count[b][k];
            add_share(&of[k], c->refused, c->requests);
            requests += c->requests;
            refused += c->refused;
        }
        add_share(&total, refused, requests);
        used += found->utilisation[b];
    }
    for (int32_t k = 0; k < set->lambda.count; k++) {
        put_share(answer, &of[k], by_class ? &by_class[k] : NULL, k + 1);
        come += set->lambda.at[k];
        truth += by_class ? set->lambda.at[k] * by_class[k] : 0;
    }
    truth /= come;
    put_share(answer, &total, by_class ? &truth : NULL, 0);
    weft_answer_put(answer, SIMULATED_UTILISATION, used / WEFT_CONNECTION_BATCHES);
    weft_answer_put(answer, SIMULATED_BUSIEST, found->most);
    weft_answer_put(answer, OPEN, found->open);
    put_reasons(set, found, answer);
}

static weft_status answer_all(const settings *set, const weft_link_paths *paths,
                              weft_answer *answer, weft_error *err)
{
    double by_class[WEFT_CONNECTION_CLASSES];
    bool fixed = has_fixed_point(set);
    if (paths->endpoints < 2)
        return weft_fail(err, WEFT_BAD_INPUT, "topology must have two endpoints, found %u",
                         paths->endpoints);
    if (fixed)
        put_fixed_point(set, paths, by_class, answer);
    else
        weft_answer_note(answer, "pools, tables and lost messages are run only: they have no fixed "
                                 "point here");
    if (set->requests == 0)
        return WEFT_OK;
    weft_connections all = run_of(set, paths);
    weft_connections_answer *found = weft_alloc(sizeof *found);
    weft_status status = weft_connections_run(&all, found, err);
    if (status == WEFT_OK && (found->left > 0 || found->sound != paths->links))
        status = weft_fail(err, WEFT_BROKEN, "reserved bandwidth does not add up: %llu are left",
                           (unsigned long long)found->left);
    if (status == WEFT_OK)
        put_run(set, found, fixed ? by_class : NULL, answer);
    free(found);
    return status;
}

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    weft_link_paths *paths = weft_alloc(sizeof *paths);
    weft_status status = check(set, err);
    bool hosts = set->host_capacity != WEFT_NONE_INT;
    if (status == WEFT_OK)
        status = weft_link_paths_open(paths, set->topology, set->routing, hosts, err);
    if (status == WEFT_OK) {
        status = answer_all(set, paths, answer, err);
        weft_link_paths_close(paths);
    }
    free(paths);
    return status;
}

static double seconds(const void *given)
{
    const settings *set = given;
    return 2e-6 * (double)set->requests;
}

const weft_model_kind weft_model_admission_network = {
    WEFT_MODEL_BASE("admission-network",
                    "connections that a network admits link by link or refuses"),
    .outputs = outputs,
    .evaluate = evaluate,
    .seconds = seconds,
};
