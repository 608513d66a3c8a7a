/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns on example networks, and what each of them promises: destinations exist, and senders,
 * mean hops and odds are what is drawn. */
#ifndef WEFT_TEST_PATTERN_H
#define WEFT_TEST_PATTERN_H

#include "net/traffic/common/pattern_endpoints.h"
#include "net/traffic/common/scope.h"
#include "net/traffic/common/spread.h"
#include "net/traffic/pattern.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "contract/networks.h"

static const example pattern_examples[] = {
    {"uniform", ""},
    {"hop-uniform", "hops=1"},
    {"hop-uniform", "hops=2"},
    {"hop-uniform", "hops=4"},
    {"hot-spot", ""},
    {"hot-spot", "node=1 share=30%"},
    {"hot-spot", "node=1 share=1"},
    {"bit-reversal", ""},
    {"transpose", ""},
    {"complement", ""},
    {"shuffle", ""},
    {"tornado", ""},
    {"neighbour", ""},
    {"transpose", "by=coordinates"},
    {"complement", "by=coordinates"},
    {"rotate", ""},
    {"random-permutation", ""},
    {"random-permutation", "seed=77"},
    {"locality", "within:router:25% beyond:0:75%"},
    {"locality", "hops:1:50% hops:1,2:30% beyond:1:20%"},
    {"locality", "within:group:60% beyond:2:40%"},
    {"group-adversarial", ""},
    {"group-adversarial", "shift=2"},
    {"matrix", "file=dense"}, /* as made by write_file for each network */
    {"matrix", "file=dense of=routers"},
    {"matrix", "file=sparse of=groups"},
    {"flows", "file=sparse"},
    {"uniform", "self=included"},
    {"transpose", "self=included"},
    {"transpose", "by=coordinates self=included"},
    {"shuffle", "self=included"},
    {"tornado", "self=included"},
    {"tasks", "graph=ring reach=2"},
    {"tasks", "graph=stencil"},
    {"tasks", "graph=random reach=3"},
};
#define PATTERNS (sizeof pattern_examples / sizeof *pattern_examples)

typedef struct traffic {
    network net;
    weft_pattern pattern;
    void *settings;
    bool returns; /* the settings say that messages may go to their senders */
} traffic;

static inline bool may_return(const weft_pattern *pattern)
{
    return ((const traffic *)(const void *)((const char *)pattern - offsetof(traffic, pattern)))
        ->returns;
}

/* Scopes in the short form "within:group:60% hops:1,2:30% beyond:2:10%". */
static weft_scope scope_store[WEFT_KINDS_MAX];

static inline void put_scopes(const weft_component *kind, void *settings, const char *text)
{
    weft_kinds *list =
        (weft_kinds *)(void *)((char *)settings + settings_param(kind, "shares")->offset);
    char copy[200], *rest = copy;
    (void)snprintf(copy, sizeof copy, "%s", text);
    for (char *word; (word = strsep(&rest, " ")) != NULL;) {
        const char *name = strsep(&word, ":"), *value = strsep(&word, ":");
        const weft_component *scope = kind_named(weft_scope_kinds, name);
        weft_scope *one = &scope_store[list->count];
        settings_put(settings_param(scope, name), one, value);
        settings_put(settings_param(scope, "share"), one, word);
        list->at[list->count++] = (weft_kind_ref){scope, one};
    }
}

/* Weights for so many places, to themselves too if they may, in the file that is named like its
 * form. */
static inline void write_file(bool dense, uint32_t places, bool loops)
{
    FILE *file = fopen(dense ? "dense" : "sparse", "w");
    assert_non_null(file);
    if (!dense)
        fprintf(file, "from,to,weight\n");
    for (uint32_t f = 0; f < places; f++)
        for (uint32_t t = 0; t < places; t++) {
            uint32_t weight = (7 * f + 4 * t) % 5 % (2 + f % 3); /* a few rows are empty */
            if (f % 4 == 3 || (f == t && !loops))
                weight = 0;
            if (dense)
                fprintf(file, "%u%s", weight, t + 1 < places ? ", " : "\n");
            else if (weight)
                fprintf(file, "%u,%u,%u.5\n", f, t, weight);
        }
    fclose(file);
}

static inline void write_files(const weft_topology *topology, const weft_host_set *to,
                               const char *settings)
{
    uint32_t ends = to ? to->count : weft_endpoints(topology);
    uint32_t each = strstr(settings, "routers")  ? topology->concentration
                    : strstr(settings, "groups") ? topology->concentration * topology->group
                                                 : 1;
    if (strstr(settings, "file=") && each)
        write_file(strstr(settings, "dense"), ends / each, each > 1);
}

/* from, to: who sends and receives; NULL: all. */
static inline weft_status pattern_build_for(traffic *it, const weft_topology *topology,
                                            const weft_host_set *from, const weft_host_set *to,
                                            const example *which, weft_error *err)
{
    const weft_component *base = kind_named(weft_pattern_kinds, which->kind);
    bool scopes = strchr(which->settings, ':') != NULL;
    it->returns = strstr(which->settings, "self=included") != NULL;
    it->settings = settings_make(base, scopes ? "" : which->settings);
    if (scopes)
        put_scopes(base, it->settings, which->settings);
    write_files(topology, to, which->settings);
    it->pattern = (weft_pattern){.kind = (const weft_pattern_kind *)(const void *)base,
                                 .self = calloc(1, base->instance_size + 1),
                                 .topology = topology,
                                 .from = from,
                                 .to = to,
                                 .mean_weight = 1};
    WEFT_TRY(weft_pattern_endpoints_check(&it->pattern, err));
    return it->pattern.kind->build(&it->pattern, it->settings, err);
}

static inline weft_status pattern_build(traffic *it, const weft_topology *topology,
                                        const example *which, weft_error *err)
{
    return pattern_build_for(it, topology, NULL, NULL, which, err);
}

/* built: whether build succeeded; after a failure there is nothing to undo. */
static inline void pattern_free(traffic *it, bool built)
{
    if (built && it->pattern.kind->done)
        it->pattern.kind->done(&it->pattern);
    free(it->pattern.self);
    free(it->settings);
}

static inline const weft_pattern *traffic_open(traffic *it, const char *kind,
                                               const char *network_settings, const char *pattern,
                                               const char *settings)
{
    weft_error err = {0};
    const weft_topology *topology = network_open(&it->net, kind, network_settings);
    const example which = {pattern, settings};
    assert_int_equal(pattern_build(it, topology, &which, &err), WEFT_OK);
    return &it->pattern;
}

static inline void traffic_close(traffic *it)
{
    pattern_free(it, true);
    network_close(&it->net);
}

static inline uint32_t send(const weft_pattern *pattern, uint32_t source, uint64_t draw)
{
    weft_random random = weft_random_stream(9, draw, source, WEFT_FOR_ESTIMATE);
    if (!weft_pattern_endpoints_may_send(pattern, source))
        return WEFT_NOWHERE;
    return pattern->kind->destination(pattern, source, &random);
}

static inline uint32_t hops_between(const weft_topology *topology, uint32_t from, uint32_t to)
{
    return topology->kind->distance(topology, from / topology->concentration,
                                    weft_topology_egress(topology, to));
}

/* Destinations exist and may receive, and senders and mean_hops are what the destinations say:
 * exactly if every source always sends to the same place, else within 4.5 standard errors. */
static inline void check_pattern(weft_pattern *pattern)
{
    const weft_topology *topology = pattern->topology;
    const weft_pattern_endpoints pattern_endpoints = weft_pattern_endpoints_find(pattern);
    uint32_t endpoints = weft_endpoints(topology), senders = 0, rounds = 20000 / endpoints + 2;
    double weights = 0, sum = 0, variance = 0;
    bool fixed = true;
    for (uint32_t source = 0; source < endpoints; source++) {
        uint32_t first = send(pattern, source, 0);
        double n = rounds, here = 0, squares = 0;
        for (uint32_t i = 0; i < rounds; i++) {
            uint32_t to = send(pattern, source, i);
            assert_int_equal(to == WEFT_NOWHERE, first == WEFT_NOWHERE);
            if (to == WEFT_NOWHERE)
                continue;
            assert_true(to < endpoints && (to != source || may_return(pattern)));
            assert_true(!pattern->to || weft_host_set_has(pattern->to, to));
            fixed = fixed && to == first;
            double hops = hops_between(topology, source, to);
            here += hops;
            squares += hops * hops;
        }
        if (first == WEFT_NOWHERE)
            continue;
        double weight = weft_pattern_endpoints_weight(pattern, source);
        senders++;
        weights += weight;
        sum += weight * here / n;
        variance += weight * weight * (squares - here * here / n) / (n * (n - 1));
    }
    assert_int_equal(pattern_endpoints.senders, senders);
    if (senders == 0)
        return;
    assert_true(fabs(weights - senders) < 1e-9 * senders);
    double mean = sum / weights, error = sqrt(fmax(variance, 0)) / weights;
    double told = pattern_endpoints.mean_hops;
    if (!(fabs(told - mean) <= (fixed ? 0 : 4.5 * error) + 1e-12 * mean))
        fail_msg("%s on %s: mean hops %g, found %g ± %g", pattern->kind->base.name,
                 topology->kind->base.name, told, mean, error);
}

typedef struct share {
    uint32_t endpoints;
    double *of;
} share;

static inline void add_share(void *user, uint32_t first, uint32_t count, double probability)
{
    const share *all = user;
    assert_true(first <= all->endpoints && count <= all->endpoints - first);
    for (uint32_t e = first; e < first + count; e++)
        all->of[e] += probability;
}

/* Chi-square of draws against the odds; rare destinations together make one cell. */
static inline void check_draws(const weft_pattern *pattern, uint32_t source, const share *odds)
{
    uint32_t support = 0, *count = calloc(odds->endpoints, sizeof *count);
    for (uint32_t e = 0; e < odds->endpoints; e++)
        support += odds->of[e] > 0;
    uint32_t draws = support < 200 ? 50 * support : 10000;
    for (uint32_t i = 0; i < draws; i++)
        count[send(pattern, source, i)]++;
    double chi = 0, cells = 0, rare = 0, seen = 0;
    for (uint32_t e = 0; e < odds->endpoints; e++) {
        double expected = odds->of[e] * draws, off = count[e] - expected;
        if (odds->of[e] == 0)
            assert_int_equal(count[e], 0);
        rare += expected < 5 ? expected : 0;
        seen += expected < 5 ? count[e] : 0;
        chi += expected < 5 ? 0 : off * off / expected;
        cells += expected >= 5;
    }
    if (rare > 0)
        chi += (seen - rare) * (seen - rare) / rare;
    cells += rare > 0;
    free(count);
    double part = cells > 1 ? 2 / (9 * (cells - 1)) : 1; /* Wilson and Hilferty's normal score */
    if (cells > 1 && (cbrt(chi / (cells - 1)) - (1 - part)) / sqrt(part) > 5)
        fail_msg("%s on %s: chi-square %g of %g cells from %u", pattern->kind->base.name,
                 pattern->topology->kind->base.name, chi, cells, source);
}

/* The odds of every source sum to 1, leave it out unless it was included, make up mean_hops, and
 * are what is drawn. */
static inline void check_odds(weft_pattern *pattern)
{
    const weft_pattern_endpoints pattern_endpoints = weft_pattern_endpoints_find(pattern);
    uint32_t endpoints = weft_endpoints(pattern->topology), step = endpoints / 8 + 1;
    share odds = {endpoints, calloc(endpoints, sizeof *odds.of)};
    double hops = 0, weights = 0;
    for (uint32_t source = 0; source < endpoints; source++) {
        bool silent = send(pattern, source, 0) == WEFT_NOWHERE;
        double sum = 0, weight = silent ? 0 : weft_pattern_endpoints_weight(pattern, source);
        memset(odds.of, 0, endpoints * sizeof *odds.of);
        if (weft_pattern_endpoints_may_send(pattern, source))
            pattern->kind->odds(pattern, source, add_share, &odds);
        for (uint32_t e = 0; e < endpoints; e++) {
            sum += odds.of[e];
            if (odds.of[e] > 0)
                hops += weight * odds.of[e] * hops_between(pattern->topology, source, e);
        }
        assert_true((odds.of[source] == 0 || may_return(pattern)) && fabs(sum - !silent) < 1e-9);
        weights += weight;
        if (source % step == 0 && !silent)
            check_draws(pattern, source, &odds);
    }
    double told = pattern_endpoints.mean_hops;
    if (weights > 0 && fabs(told - hops / weights) > 1e-9 * told)
        fail_msg("%s on %s: mean hops %.12g, by its odds %.12g", pattern->kind->base.name,
                 pattern->topology->kind->base.name, told, hops / weights);
    free(odds.of);
}

/* Moves to an empty folder, for the files of patterns; and back out of it. */
static inline void pattern_folder_open(char *folder)
{
    (void)strcpy(folder, "/tmp/weft-patterns-XXXXXX"); /* NOLINT: it fits */
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
}

static inline void pattern_folder_close(const char *folder)
{
    (void)unlink("dense");
    (void)unlink("sparse");
    (void)chdir("/");
    assert_int_equal(rmdir(folder), 0);
}

#endif
