/* SPDX-License-Identifier: Apache-2.0 */
/* One table, in the order of the columns. A percentile needs packets beyond it: the tail of 20,000
 * packets says something of p99.9 and nothing of p99.99. */
#include "report/measurands.h"

#include "base/suggest.h"

#include <assert.h>
#include <string.h>

#define BEYOND 10 /* packets that a percentile leaves above it, at least */
#define ASKED  WEFT_MEASURAND_ON_REQUEST

const weft_measurand weft_measurands[] = {
    {"", "verdict", "", "", 0, 0, false, NULL},
    {"", "completion", "completion", "", 0, 98, true, "completion time"},
    {"", "alone", "completion", "alone", 0, 91, true, "completion time alone"},
    {"", "slowdown", "slowdown", "", 0, 97, true, "slowdown"},
    {"", "ideal", "completion", "bound", 0, 88, false, "completion time without contention"},
    {"", "alpha-beta", "completion", "bound", 2, 12, false, "completion time by the α-β form"},
    {"", "vs-ideal", "slowdown", "ideal", 0, 14, true, "slowdown against no contention"},
    {"", "rank-mean", "completion", "mean", 0, 92, false, "mean end of ranks"},
    {"", "repetition", "repetition", "", 0, 94, true, "time of a repetition"},
    {"share of time", "compute", "time share", "compute", 0, 87, false, "share of computing"},
    {"share of time", "messages", "time share", "messages", 0, 13, false, "share of o and O"},
    {"share of time", "network", "time share", "network", 0, 86, false, "share of the network"},
    {"share of time", "wait", "time share", "wait", 0, 85, false, "share of waiting for others"},
    {"bandwidth", "algbw", "algorithm bandwidth", "", 0, 15, true, "algorithm bandwidth"},
    {"bandwidth", "busbw", "bus bandwidth", "", 0, 89, true, "bus bandwidth"},
    {"", "accepted", "accepted", "", 0, 95, false, "accepted load"},
    {"latency", "mean", "latency", "", 0, 0, true, "mean latency"},
    {"latency", "p50", "latency", "percentile", 50000, 60, false, "median latency"},
    {"latency", "p90", "latency", "percentile", 90000, 30, false, "latency, 90th percentile"},
    {"latency", "p99", "latency", "percentile", 99000, 90, false, "latency, 99th percentile"},
    {"latency", "p99.9", "latency", "percentile", 99900, 55, false, "latency, 99.9th percentile"},
    {"latency", "p99.99", "latency", "percentile", 99990, 20, false, "latency, 99.99th percentile"},
    {"latency", "p99.999", "latency", "percentile", 99999, 10, false,
     "latency, 99.999th percentile"},
    {"latency", "deviation", "latency deviation", "", 0, ASKED, false,
     "standard deviation of latency"},
    {"", "hops", "hops", "", 0, 45, false, "hops"},
    {"", "cut-through", "cut-through", "", 0, 40, false, "share of hops without waiting"},
    {"offered", "load", "offered load", "", 0, 50, false, "offered load"},
    {"offered", "rho", "offered rho", "", 0, 35, false, "offered load ρ"},
    {"offered", "rate", "offered rate", "", 0, 25, false, "offered rate"},
    {"", "utilisation", "utilisation", "", 0, ASKED, false, "mean utilisation of the links"},
    {"link load", "link-mean", "link utilisation", "mean", 0, ASKED, false,
     "mean utilisation of the links"},
    {"link load", "link-max", "link utilisation", "max", 0, ASKED, false,
     "utilisation of the busiest link"},
    {"", "population", "population", "", 0, ASKED, false, "packets in the network"},
    {"", "hurst", "hurst", "", 0, ASKED, false, "Hurst parameter of the arrivals"},
    {"", "in-time", "in time", "", 0, 94, false, "share within the deadline"},
    {"", "guarantee", "guarantee met", "", 0, 93, false, "share of intervals with the guarantee"},
    {"", "jitter", "jitter", "", 0, 58, false, "jitter"},
    {"packets", "generated", "generated", "", 0, ASKED, false, "packets generated"},
    {"packets", "delivered", "delivered", "", 0, ASKED, false, "packets delivered"},
    {"", "half-width", "half-width", "", 0, ASKED, false, "half-width relative to the mean"},
    {"", "warm-up", "warm-up", "", 0, ASKED, false, "warm-up"},
    {"", "time", "time", "", 0, ASKED, false, "simulated time"},
};
const size_t weft_n_measurands = sizeof weft_measurands / sizeof *weft_measurands;
static_assert(sizeof weft_measurands / sizeof *weft_measurands <= WEFT_MEASURANDS_MAX,
              "a list has room for all");

bool weft_measurand_is_verdict(const weft_measurand *measure)
{
    return measure == &weft_measurands[0];
}

static weft_status refuse(const char *flag, const char *name, size_t length, weft_error *err)
{
    char known[600] = "", word[65];
    (void)snprintf(word, sizeof word, "%.*s", (int)length, name);
    weft_suggest suggest = {.word = word};
    for (size_t i = 0; i < weft_n_measurands; i++) {
        size_t used = strlen(known);
        (void)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                       weft_measurands[i].name);
        weft_suggest_offer(&suggest, weft_measurands[i].name);
    }
    return weft_fail(err, WEFT_BAD_USAGE, "%s: there is no '%s' (there are %s)%s", flag, word,
                     known, weft_suggest_text(&suggest));
}

weft_status weft_measurands_find(const char *flag, const char *name, size_t length,
                                 const weft_measurand **measure, weft_error *err)
{
    for (size_t i = 0; i < weft_n_measurands; i++)
        if (strlen(weft_measurands[i].name) == length &&
            memcmp(weft_measurands[i].name, name, length) == 0) {
            *measure = &weft_measurands[i];
            return WEFT_OK;
        }
    return refuse(flag, name, length, err);
}

static void take(weft_measurand_list *list, const weft_measurand *measure)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i] == measure)
            return;
    list->at[list->count++] = measure;
}

weft_status weft_measurands_parse(const char *columns, weft_measurand_list *list, weft_error *err)
{
    bool all = columns && strcmp(columns, "all") == 0;
    *list = (weft_measurand_list){.asked = columns != NULL};
    for (size_t i = 0; i < weft_n_measurands; i++)
        if (all || (!columns && weft_measurands[i].importance != ASKED))
            take(list, &weft_measurands[i]);
    while (columns && !all && *columns) {
        const weft_measurand *measure;
        columns += strspn(columns, " ");
        size_t length = strcspn(columns, ","), bare = length;
        while (bare > 0 && columns[bare - 1] == ' ')
            bare--;
        WEFT_TRY(weft_measurands_find("--columns", columns, bare, &measure, err));
        take(list, measure);
        columns += length + (columns[length] == ',');
    }
    return WEFT_OK;
}

/* Counts of a few kinds of results are not known: n is 0. */
static bool is_supported(const weft_measurand *measure, const weft_metric *metric)
{
    if (strcmp(measure->by, "percentile") != 0 || metric->n == 0)
        return true;
    return (double)metric->n * (1 - (double)measure->index / 100000) >= BEYOND * 0.999999;
}

/* The name of a job that has no other beside it, which stands for all; "": there is none. */
static const char *single_job(const weft_point *point)
{
    const char *found = "";
    for (size_t i = 0; i < point->n_metrics; i++) {
        const weft_metric *m = &point->metrics[i];
        if (strcmp(m->name, "completion") != 0 || *m->by || !*m->of)
            continue;
        if (*found)
            return "";
        found = m->of;
    }
    return found;
}

const weft_metric *weft_measurand_of(const weft_measurand *measure, const weft_point *point,
                                     const char *of)
{
    const weft_metric *metric =
        weft_point_metric(point, measure->metric, of, measure->by, measure->index);
    if (!metric && !*of)
        metric = weft_point_metric(point, measure->metric, single_job(point), measure->by,
                                   measure->index);
    return metric && is_supported(measure, metric) ? metric : NULL;
}

weft_status weft_measurands_choose(const char *flag, const char *name, weft_arena *arena,
                                   const weft_measurand **measure, const char **of, weft_error *err)
{
    const char *dot = strchr(name, '.');
    weft_error quiet;
    *of = "";
    if (dot && weft_measurands_find("", name, strlen(name), measure, &quiet) != WEFT_OK) {
        *of = weft_arena_copy(arena, name, (size_t)(dot - name));
        name = dot + 1;
    }
    WEFT_TRY(weft_measurands_find(flag, name, strlen(name), measure, err));
    if (weft_measurand_is_verdict(*measure))
        return weft_fail(err, WEFT_BAD_USAGE, "%s: a verdict is no number", flag);
    return WEFT_OK;
}
