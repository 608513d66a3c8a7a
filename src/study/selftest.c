/* SPDX-License-Identifier: Apache-2.0 */
#include "interweft/selftest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "interweft/model.h"
#include "interweft/study.h"
#include "study/catalog.h"

/* ---- the scenarios ---- */

static const char base[] = "interweft: 1\n"
                           "title: self-test\n"
                           "topology: {kind: mesh, dims: [4, 4], hosts: 2}\n"
                           "router: {kind: input-queued, vcs: 4}\n"
                           "routing: {kind: dimension-order}\n"
                           "links: {latency: 1 cycle}\n"
                           "traffic:\n"
                           "  all: {pattern: uniform, length: 4 flits, load: 0.1}\n"
                           "measure: {limit: {time: 400 cycles}}\n";

static const char *const networks[] = {
    "topology={kind: mesh, dims: [4, 4]}",
    "topology={kind: mesh, dims: [3, 4, 2], hosts: 2}",
    "topology={kind: torus, dims: [4, 4]}",
    "topology={kind: torus, dims: [5, 3], hosts: 2}",
    "topology={kind: hypercube, dimensions: 4}",
    "topology={kind: flattened-butterfly, dims: [3, 3]}",
    "topology={kind: full, routers: 5, hosts: 2}",
    "topology={kind: fat-tree, arity: 2, levels: 3}",
    "topology={kind: dragonfly, groups: 5, routers: 4, hosts: 1}",
    NULL,
};
static const char *const routers[] = {
    "router={kind: input-queued, vcs: 1}",
    "router={kind: input-queued, vcs: 2}",
    "router={kind: input-queued, vcs: 4}",
    "router={kind: input-queued, vcs: 16}",
    "router={kind: output-queued}",
    "router={kind: shared-queue}",
    NULL,
};
static const char *const routings[] = {
    "routing={kind: dimension-order}",
    "routing={kind: minimal-adaptive}",
    "routing={kind: up-down}",
    "routing={kind: valiant}",
    NULL,
};
static const char *const loads[] = {"traffic.all.load=0.02", "traffic.all.load=0.4", NULL};

typedef struct sample {
    const char *family;
    const char *const *a, *const *b; /* settings to combine the kind with; NULL: none */
    const char *own;                 /* the setting with the kind, %s */
} sample;

static const sample samples[] = {
    {"topology", routers, routings, "topology={kind: %s}"},
    {"routing", networks, routers, "routing={kind: %s}"},
    {"selection", networks, routers, "routing={kind: minimal-adaptive, selection: %s}"},
    {"pattern", networks, loads, "traffic.all.pattern={kind: %s}"},
    {"arrival", networks, loads, "traffic.all.arrival={kind: %s}"},
    {"length", networks, loads, "traffic.all.length={kind: %s}"},
    {"scheduler", networks, loads, "router={kind: input-queued, vcs: 4, scheduler: %s}"},
    {"scheduler", networks, loads,
     "router={kind: input-queued, vcs: 4, queues: voq, scheduler: %s}"},
    {"arbiter", networks, loads,
     "router={kind: input-queued, vcs: 4, scheduler: {kind: separable, input: %s}}"},
    {"arbiter", networks, loads,
     "router={kind: input-queued, vcs: 4, scheduler: {kind: separable, output: %s}}"},
};
enum { SAMPLES = sizeof samples / sizeof *samples, OVERRIDES_MOST = 64 };

/* ---- one trial ---- */

typedef struct bench {
    const weft_catalog *catalog;
    const char *const *overrides;
    void (*each)(void *user, const weft_selftest_case *trial);
    void *user;
    char *folder, *file, *results[2];
} bench;

typedef struct bytes {
    char *at;
    size_t count, room;
} bytes;

static weft_status gather(void *to, const char *at, size_t count, weft_error *err)
{
    bytes *text = to;
    (void)err;
    if (text->count + count > text->room) {
        text->room = 2 * (text->count + count);
        text->at = weft_realloc(text->at, text->room, 1);
    }
    memcpy(text->at + text->count, at, count);
    text->count += count;
    return WEFT_OK;
}

static weft_status read_results(const char *file, bytes *text, weft_error *err)
{
    weft_result *result;
    WEFT_TRY(weft_result_open(file, &result, err));
    weft_status status = weft_result_export(result, WEFT_FORMAT_CANONICAL, gather, text, err);
    weft_result_close(result);
    return status;
}

/* The deadlock verdict of a check, or an empty text. */
static void find_verdict(const char *text, char *verdict, size_t size)
{
    const char *at = text ? strstr(text, "\ndeadlock ") : NULL;
    verdict[0] = '\0';
    if (!at)
        return;
    at += strlen("\ndeadlock ");
    at += strspn(at, " ");
    snprintf(verdict, size, "%.*s", (int)strcspn(at, "\n"), at);
}

/* "possible: …" or "not proven: …"; "not examined" names what a kind does not list. */
static bool is_unsafe(const char *verdict)
{
    return strncmp(verdict, "possible", 8) == 0 || strncmp(verdict, "not proven", 10) == 0;
}

static weft_selftest_verdict verdict_of(weft_status status, bool unsafe)
{
    if (status == WEFT_OK)
        return unsafe ? WEFT_SELFTEST_DEADLOCK : WEFT_SELFTEST_OK;
    return status == WEFT_BAD_INPUT ? WEFT_SELFTEST_REFUSED : WEFT_SELFTEST_FAILED;
}

static weft_status simulate(const bench *it, const char *file, const char *const *overrides,
                            int blocks, char *verdict, size_t size, weft_error *err)
{
    weft_study *study;
    weft_study_options options = {.file = file,
                                  .overrides = overrides,
                                  .results = it->results[blocks > 1],
                                  .fresh = true,
                                  .blocks = blocks,
                                  .threads = 1,
                                  .thorough = true};
    char *text = NULL;
    WEFT_TRY(weft_study_open(&options, it->catalog, &study, err));
    weft_status status = blocks == 1 ? weft_study_check(study, &text, err) : WEFT_OK;
    if (blocks == 1)
        find_verdict(text, verdict, size);
    free(text);
    bool runs = !is_unsafe(verdict);
    if (status == WEFT_OK && runs)
        status = weft_study_run(study, err);
    weft_study_close(study);
    return status;
}

static weft_status compare(const bench *it, weft_error *err)
{
    bytes text[2] = {{0}, {0}};
    weft_status status = read_results(it->results[0], &text[0], err);
    if (status == WEFT_OK)
        status = read_results(it->results[1], &text[1], err);
    bool same = text[0].count == text[1].count &&
                (text[0].count == 0 || memcmp(text[0].at, text[1].at, text[0].count) == 0);
    if (status == WEFT_OK && !same)
        status = weft_fail(err, WEFT_BROKEN,
                           "one block and three have different results: the kind depends on more "
                           "than its arguments");
    free(text[0].at);
    free(text[1].at);
    return status;
}

/* One scenario; the verdict is told. */
static weft_selftest_verdict try_scenario(const bench *it, const char *family, const char *kind,
                                          const char *scenario, const char *file,
                                          const char *const *overrides)
{
    weft_error err = {.text = ""};
    char deadlock[512] = "";
    weft_status status = simulate(it, file, overrides, 1, deadlock, sizeof deadlock, &err);
    bool possible = is_unsafe(deadlock);
    if (status == WEFT_OK && !possible)
        status = simulate(it, file, overrides, 3, deadlock, sizeof deadlock, &err);
    if (status == WEFT_OK && !possible)
        status = compare(it, &err);
    weft_selftest_case trial = {.family = family,
                                .kind = kind,
                                .scenario = scenario,
                                .verdict = verdict_of(status, possible)};
    char text[sizeof err.text + sizeof deadlock];
    snprintf(text, sizeof text, "%s%s", status == WEFT_OK && deadlock[0] ? "deadlock " : "",
             status == WEFT_OK ? deadlock : err.text);
    trial.text = text;
    it->each(it->user, &trial);
    unlink(it->results[0]);
    unlink(it->results[1]);
    return trial.verdict;
}

/* ---- all trials of a kind ---- */

static weft_selftest_verdict try_settings(const bench *it, const sample *of, const char *kind,
                                          const char *a, const char *b)
{
    char own[256], scenario[256];
    const char *all[OVERRIDES_MOST + 4] = {a, b, own};
    for (size_t i = 0; it->overrides && it->overrides[i] && i < OVERRIDES_MOST; i++)
        all[3 + i] = it->overrides[i];
    snprintf(own, sizeof own, of->own, kind);
    snprintf(scenario, sizeof scenario, "%s %s", strchr(a, '=') + 1, strchr(b, '=') + 1);
    return try_scenario(it, of->family, kind, scenario, it->file, all);
}

/* Adds to the numbers of verdicts. */
static void try_sample(const bench *it, const sample *of, const char *kind, size_t *counts)
{
    for (const char *const *a = of->a; *a; a++)
        for (const char *const *b = of->b; *b; b++)
            counts[try_settings(it, of, kind, *a, *b)]++;
}

static void try_model(const bench *it, const char *kind, size_t *counts)
{
    weft_error err = {.text = ""};
    weft_model_sheet *model;
    weft_status status = weft_model_open(kind, it->overrides, it->catalog, &model, &err);
    if (status == WEFT_OK) {
        status = weft_model_run(model, NULL, &err);
        weft_model_close(model);
    }
    weft_selftest_case trial = {.family = "model",
                                .kind = kind,
                                .scenario = "default settings",
                                .verdict = verdict_of(status, false),
                                .text = err.text};
    counts[trial.verdict]++;
    it->each(it->user, &trial);
}

static void try_kind(const bench *it, const char *family, const char *kind)
{
    size_t counts[WEFT_SELFTEST_FAILED + 1] = {0};
    for (size_t i = 0; i < SAMPLES; i++)
        if (strcmp(samples[i].family, family) == 0)
            try_sample(it, &samples[i], kind, counts);
    if (strcmp(family, "model") == 0)
        try_model(it, kind, counts);
    if (counts[WEFT_SELFTEST_OK] + counts[WEFT_SELFTEST_DEADLOCK] + counts[WEFT_SELFTEST_FAILED] >
        0)
        return;
    weft_selftest_case trial = {
        .family = family,
        .kind = kind,
        .scenario = "all of them",
        .verdict = WEFT_SELFTEST_FAILED,
        .text = "every scenario was refused: give its settings as key=value, or "
                "name a scenario file that fits"};
    it->each(it->user, &trial);
}

/* ---- the whole ---- */

static void close_bench(const bench *it)
{
    unlink(it->file);
    rmdir(it->folder);
    free(it->results[0]);
    free(it->results[1]);
    free(it->file);
    free(it->folder);
}

static weft_status open_bench(bench *it, weft_error *err)
{
    const char *given = getenv("TMPDIR"), *where = given ? given : "/tmp";
    it->folder = weft_text_format("%s/weft-test-XXXXXX", where);
    if (!mkdtemp(it->folder)) {
        free(it->folder);
        (void)weft_fail(err, WEFT_BAD_INPUT, "cannot make a directory in %.1024s (TMPDIR)", where);
        return WEFT_BAD_INPUT;
    }
    it->file = weft_text_format("%s/selftest.yaml", it->folder);
    for (int i = 0; i < 2; i++)
        it->results[i] = weft_text_format("%s/%d.weft", it->folder, i);
    weft_status status = weft_bytes_write(it->file, base, strlen(base), err);
    if (status != WEFT_OK)
        close_bench(it);
    return status;
}

weft_status weft_selftest_run(const weft_catalog *catalog, const char *const *overrides,
                              void (*each)(void *user, const weft_selftest_case *trial), void *user,
                              weft_error *err)
{
    bench it = {.catalog = catalog, .overrides = overrides, .each = each, .user = user};
    const weft_registry *registry = weft_catalog_registry(catalog);
    WEFT_TRY(open_bench(&it, err));
    for (size_t f = 0; f < registry->n_families; f++) {
        const weft_family *family = &registry->families[f];
        for (size_t k = family->n_builtin; k < family->n_kinds; k++)
            try_kind(&it, family->name, family->kinds[k]->name);
    }
    close_bench(&it);
    return WEFT_OK;
}

weft_status weft_selftest_file(const weft_catalog *catalog, const char *file,
                               const char *const *overrides,
                               void (*each)(void *user, const weft_selftest_case *trial),
                               void *user, weft_error *err)
{
    bench it = {.catalog = catalog, .each = each, .user = user};
    WEFT_TRY(open_bench(&it, err));
    (void)try_scenario(&it, "scenario", file, "", file, overrides);
    close_bench(&it);
    return WEFT_OK;
}
