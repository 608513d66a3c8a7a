/* SPDX-License-Identifier: Apache-2.0 */
/* A study folder in a temporary place, and results made up so that every verdict on them is
 * known beforehand. */
#ifndef WEFT_TEST_REPRODUCE_BENCH_H
#define WEFT_TEST_REPRODUCE_BENCH_H

#include "interweft/reproduce.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define SEEDS  8
#define SERIES 2
#define LOADS  3

typedef struct bench { /* a study folder in a temporary place */
    char folder[64], path[96];
    weft_reproduction *book;
    weft_error err;
} bench;

static inline void put(bench *b, const char *name, const char *text)
{
    (void)snprintf(b->path, sizeof b->path, "%s/%s", b->folder, name);
    FILE *file = fopen(b->path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static inline int set_up(void **state)
{
    bench *b = calloc(1, sizeof *b);
    /* In memory where there is such a place: every results file is synced point by point. */
    char parent[40];
    (void)snprintf(parent, sizeof parent, "%s/weft-study-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    assert_non_null(mkdtemp(parent));
    (void)snprintf(b->folder, sizeof b->folder, "%s/paper", parent);
    assert_int_equal(mkdir(b->folder, 0700), 0);
    *state = b;
    return 0;
}

static inline int tear_down(void **state)
{
    static const char *const files[] = {"study.yaml", "t.csv", "r.weft"};
    bench *b = *state;
    weft_reproduction_close(b->book);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        (void)snprintf(b->path, sizeof b->path, "%s/%s", b->folder, files[i]);
        (void)unlink(b->path);
    }
    assert_int_equal(rmdir(b->folder), 0);
    *strrchr(b->folder, '/') = '\0';
    assert_int_equal(rmdir(b->folder), 0);
    free(b);
    return 0;
}

#define HEAD                        \
    "interweft-study: 1\n"          \
    "title: A paper\n"              \
    "source: Somebody, somewhere\n" \
    "figures:\n"                    \
    "  fig1:\n"                     \
    "    title: A figure\n"         \
    "    scenario: s.yaml\n"
#define KEYS                                                             \
    "    keys:\n"                                                        \
    "      way:\n"                                                       \
    "        column: code\n"                                             \
    "        values:\n"                                                  \
    "          fast: {code: f, routing.kind: a, routing.selection: x}\n" \
    "          slow: {code: s, routing.kind: b, routing.selection: x}\n" \
    "      rho: traffic.all.rho\n"
#define VARIANTS                                                          \
    "    quick: {seeds: 8, settings: [\"vary.traffic.all.rho=[0.1]\"]}\n" \
    "    full: {seeds: 8}\n"
#define LATENCY                                                                          \
    "      latency: {rule: z, metric: latency, table: t.csv, where: {h: 5}, value: lat," \
    " error: ci, divisor: 2, freedom: 9}\n"
#define TABLE                                           \
    "code,rho,h,lat,ci\n"                               \
    "f,0.10,5,10,0.2\nf,0.2,5,20,0.2\nf,0.3,5,30,0.2\n" \
    "s,0.1,5,12,0.2\ns,0.2,5,24,0.2\ns,0.3,5,36,0.2\n"  \
    "\"s\",0.3,6,99,0.2\n"

static inline weft_status open_study(bench *b, const char *claims)
{
    char text[8192];
    (void)snprintf(text, sizeof text, HEAD KEYS VARIANTS "    claims:\n%s", claims);
    put(b, "study.yaml", text);
    weft_reproduction_close(b->book);
    return weft_reproduction_open(b->folder, NULL, &b->book, &b->err);
}

static inline void must(bench *b, weft_status status)
{
    if (status != WEFT_OK)
        fail_msg("%s", b->err.text);
}

/* ---- results made up ---- */

/* The value of a series at a load: the expected one, times what `off` says for it, ± up to 0.35
 * over seeds. */
typedef struct made {
    double off[SERIES][LOADS];
    int left_out; /* this many runs are missing at the end */
    bool calm;    /* no run is saturated */
    double noise; /* further spread over seeds, in units of 0.1 */
    int loads;    /* only the first of them; 0: all */
} made;

static const made as_expected = {.off = {{1, 1, 1}, {1, 1, 1}}};

static inline void commit(bench *b, weft_result *result, int series, int load, int seed,
                          const made *how)
{
    static const double expected[SERIES][LOADS] = {{10, 20, 30}, {12, 24, 36}};
    char key[160];
    (void)snprintf(key, sizeof key,
                   "routing.kind=%s routing.selection=x seed=%d traffic.all.rho=0.%d",
                   series ? "b" : "a", seed, load + 1);
    double value = expected[series][load] * how->off[series][load] +
                   (seed - 4.5) * 0.1 * (1 + (seed % 2 ? how->noise : -how->noise));
    weft_metric metric = {.name = "latency",
                          .of = "",
                          .by = "",
                          .value = value,
                          .lo = value - 1,
                          .hi = value + 1,
                          .n = 10,
                          .unit = "cycles",
                          .method = "batch means"};
    weft_metric metrics[] = {metric, metric, metric, metric};
    metrics[1].name = "hops"; /* 4, whatever the point */
    metrics[1].value = metrics[1].lo = metrics[1].hi = 4;
    metrics[1].unit = "hops";
    for (int i = 2; i < 4; i++) { /* as long as the mean over two hops, and twice as long */
        metrics[i].by = "hops";
        metrics[i].index = 2 * i - 2;
        metrics[i].value *= i - 1;
    }
    bool full =
        series == 1 && load == 2 && seed > 3 && !how->calm; /* most runs of the last point */
    /* nothing is in the last place */
    const int64_t cuts[] = {(int64_t)(100 * value), (int64_t)(100 * expected[series][load]), 0};
    const weft_array array = {.table = "matrix",
                              .name = "cuts",
                              .of = "",
                              .unit = "packets",
                              .count = 3,
                              .y = cuts,
                              .columns = 3};
    weft_point point = {.key = key,
                        .settings = "",
                        .verdict = full ? "saturated" : "converged",
                        .saturated = full,
                        .n_metrics = 4,
                        .metrics = metrics,
                        .n_arrays = 1,
                        .arrays = &array};
    must(b, weft_result_commit(result, &point, &b->err));
}

static inline weft_result *results(bench *b, const made *how)
{
    char path[96];
    weft_result *result;
    int left = SERIES * LOADS * SEEDS - how->left_out;
    (void)snprintf(path, sizeof path, "%s/r.weft", b->folder);
    (void)unlink(path);
    must(b, weft_result_create(path, "made up", "x: 1\n", true, &result, &b->err));
    for (int s = 0; s < SERIES; s++)
        for (int load = 0; load < (how->loads ? how->loads : LOADS); load++)
            for (int seed = 1; seed <= SEEDS && left-- > 0; seed++)
                commit(b, result, s, load, seed, how);
    weft_result_close(result);
    must(b, weft_result_open(path, &result, &b->err));
    return result;
}

static inline weft_comparison *compare(bench *b, const made *how)
{
    weft_result *result = results(b, how);
    weft_comparison *comparison;
    must(b, weft_reproduction_compare(b->book, 0, WEFT_FULL, result, &comparison, &b->err));
    weft_result_close(result);
    return comparison;
}

static inline const weft_cell *cell(const weft_comparison *comparison, size_t claim,
                                    const char *where)
{
    const weft_claim_result *of = &comparison->claims[claim];
    for (size_t i = 0; i < of->n_cells; i++)
        if (strcmp(of->cells[i].where, where) == 0)
            return &of->cells[i];
    fail_msg("no cell %s", where);
    return NULL;
}

#endif
