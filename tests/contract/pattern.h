/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns on example networks, and what each of them promises: destinations exist, and senders, mean hops and odds are what is
 * drawn. */
#ifndef WEFT_TEST_PATTERN_H
#define WEFT_TEST_PATTERN_H

#include "net/pattern.h"
#include "net/scope.h"
#include "net/spread.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "contract/networks.h"

typedef struct traffic {
    network net;
    weft_pattern pattern;
    void *settings;
} traffic;

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

/* Weights for so many places, in the file that is named like its form. */
static inline void write_file(bool dense, uint32_t places, bool loops)
{
    FILE *file = fopen(dense ? "dense" : "sparse", "w");
    assert_non_null(file);
    if (!dense)
        fprintf(file, "from,to,weight\n");
    for (uint32_t f = 0; f < places; f++)
        for (uint32_t t = 0; t < places; t++) {
            uint32_t weight = (7 * f + 3 * t) % 5 % (2 + f % 3); /* a few rows are empty */
            if (f % 4 == 3 || (f == t && !loops))
                weight = 0;
            if (dense)
                fprintf(file, "%u%s", weight, t + 1 < places ? ", " : "\n");
            else if (weight)
                fprintf(file, "%u,%u,%u.5\n", f, t, weight);
        }
    fclose(file);
}

static inline void write_files(const weft_topology *topology, const char *settings)
{
    uint32_t each = strstr(settings, "routers")  ? topology->hosts
                    : strstr(settings, "groups") ? topology->hosts * topology->group
                                                 : 1;
    if (strstr(settings, "file=") && each)
        write_file(strstr(settings, "dense"), weft_endpoints(topology) / each, each > 1);
}

static inline weft_status pattern_build(traffic *it, const weft_topology *topology,
                                        const example *which, weft_error *err)
{
    const weft_component *base = kind_named(weft_pattern_kinds, which->kind);
    bool scopes = strchr(which->settings, ':') != NULL;
    it->settings = settings_make(base, scopes ? "" : which->settings);
    if (scopes)
        put_scopes(base, it->settings, which->settings);
    write_files(topology, which->settings);
    it->pattern = (weft_pattern){.kind = (const weft_pattern_kind *)(const void *)base,
                                 .self = calloc(1, base->instance_size + 1),
                                 .topology = topology};
    return it->pattern.kind->build(&it->pattern, it->settings, err);
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
    weft_random random = weft_random_stream(9, draw, source, WEFT_FOR_TEST);
    return pattern->kind->destination(pattern, source, &random);
}

static inline uint32_t hops_between(const weft_topology *topology, uint32_t from, uint32_t to)
{
    return topology->kind->distance(topology, from / topology->hosts,
                                    weft_topology_exit(topology, to));
}

static inline double weight_of(const weft_pattern *pattern, uint32_t source)
{
    return pattern->kind->weight ? pattern->kind->weight(pattern, source) : 1;
}

/* Destinations exist, and senders and mean_hops are what the destinations say: exactly if every
 * source always sends to the same place, else within 4.5 standard errors. */
static inline void check_pattern(const weft_pattern *pattern)
{
    const weft_topology *topology = pattern->topology;
    uint32_t endpoints = weft_endpoints(topology), senders = 0, rounds = 20000 / endpoints + 2;
    double weights = 0, sum = 0, variance = 0;
    bool fixed = true;
    for (uint32_t source = 0; source < endpoints; source++) {
        uint32_t first = send(pattern, source, 0);
        double n = rounds, here = 0, squares = 0, weight = weight_of(pattern, source);
        for (uint32_t i = 0; i < rounds; i++) {
            uint32_t to = send(pattern, source, i);
            assert_int_equal(to == WEFT_NOWHERE, first == WEFT_NOWHERE);
            if (to == WEFT_NOWHERE)
                continue;
            assert_true(to < endpoints && to != source);
            fixed = fixed && to == first;
            double hops = hops_between(topology, source, to);
            here += hops;
            squares += hops * hops;
        }
        if (first == WEFT_NOWHERE)
            continue;
        senders++;
        weights += weight;
        sum += weight * here / n;
        variance += weight * weight * (squares - here * here / n) / (n * (n - 1));
    }
    assert_int_equal(pattern->kind->senders(pattern), senders);
    if (senders == 0)
        return;
    assert_true(fabs(weights - senders) < 1e-9 * senders);
    double mean = sum / weights, error = sqrt(fmax(variance, 0)) / weights;
    double told = pattern->kind->mean_hops(pattern);
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

/* The odds of every source sum to 1, leave it out, make up mean_hops, and are what is drawn. */
static inline void check_odds(const weft_pattern *pattern)
{
    uint32_t endpoints = weft_endpoints(pattern->topology), step = endpoints / 8 + 1;
    share odds = {endpoints, calloc(endpoints, sizeof *odds.of)};
    double hops = 0, weights = 0;
    for (uint32_t source = 0; source < endpoints; source++) {
        double sum = 0, weight = weight_of(pattern, source);
        memset(odds.of, 0, endpoints * sizeof *odds.of);
        pattern->kind->odds(pattern, source, add_share, &odds);
        for (uint32_t e = 0; e < endpoints; e++) {
            sum += odds.of[e];
            if (odds.of[e] > 0)
                hops += weight * odds.of[e] * hops_between(pattern->topology, source, e);
        }
        bool silent = send(pattern, source, 0) == WEFT_NOWHERE;
        assert_true(odds.of[source] == 0 && fabs(sum - !silent) < 1e-9);
        weights += silent ? 0 : weight;
        if (source % step == 0 && !silent)
            check_draws(pattern, source, &odds);
    }
    double told = pattern->kind->mean_hops(pattern);
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
