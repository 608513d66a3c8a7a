/* SPDX-License-Identifier: Apache-2.0 */
/* A search over the processes of a context: every point is cut into parts of fixed size, the
 * farm hands them out, rank 0 merges what comes back. Counts merge in any order, so nothing
 * depends on who did what. Every few seconds all that was found is written to a file beside the
 * results (crossbar_state.c). */
#include "study/crossbar/crossbar.h"

#include "base/clock.h"
#include "base/memory.h"
#include "farm/farm.h"
#include "kernel/kernel.h"
#include "study/context.h"
#include "study/ranks/alike.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEEP_EVERY_S 2.0
#define SHARES       8 /* of a part, per thread */

typedef struct one_point { /* bound, as long as its parts are worked on */
    size_t i;
    bool open;
    weft_arena arena;
    weft_xbar_laboratory lab;
    const char *settings;
    weft_xbar_counter *counter; /* NULL: matrices are drawn */
} one_point;

typedef struct part {
    size_t point, number; /* number: of the part in its point */
    uint64_t from, count;
} part;

typedef struct search {
    weft_crossbar *lab;
    const weft_crossbar_options *options;
    weft_comm *comm;
    weft_result *result; /* on rank 0 */
    char *path;          /* of the state */
    uint64_t *totals;    /* matrices per point … */
    uint64_t *sizes;     /* … and of each of its parts */
    uint64_t *left;      /* per point: parts that are missing, on rank 0 */
    size_t *parts_of;
    uint32_t *side, *keep;
    weft_crossbar_search_state state;
    part *parts; /* that are to be done */
    size_t n_parts;
    one_point now; /* for work */
    double began, kept;
    uint64_t matrices; /* done, for progress */
    size_t finished;   /* points */
    bool unkept;       /* something was merged since the state was written */
} search;

/* ---- points ---- */

static void close_point(one_point *point)
{
    if (!point->open)
        return;
    weft_xbar_counter_destroy(point->counter);
    weft_arena_done(&point->arena);
    point->open = false;
}

static weft_status bind_point(search *s, size_t i, one_point *point, weft_error *err)
{
    *point = (one_point){.i = i, .open = true};
    weft_arena_init(&point->arena);
    WEFT_TRY(weft_crossbar_point(s->lab, i, &point->arena, &point->lab, &point->settings, err));
    if (point->lab.matrix)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "a search goes through many matrices: give n and d instead of matrix");
    weft_xbar_search_plan *plan = &point->lab.plan;
    int64_t lanes = s->options->lanes;
    plan->width = (uint32_t)lanes;
    bool odd = plan->width != WEFT_WIDTH_OBJECT && plan->width != WEFT_WIDTH_BEST &&
               !weft_xbar_lanes_have((weft_xbar_width)plan->width);
    if (odd || lanes != plan->width)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "lanes must be 1, 64, 256 or 512, as many as the processor can compute at once, or "
            "left out; this one cannot do %lld",
            (long long)lanes);
    const weft_xbar_workload workload = {plan->n, plan->d * plan->stretch, NULL};
    WEFT_TRY(
        weft_xbar_arrivals_check(&workload, &plan->arrivals, err)); /* before there is a file */
    if (plan->drawn)
        return WEFT_OK;
    return weft_xbar_counter_create(point->lab.n, point->lab.d, &point->counter, err);
}

static weft_status open_point(search *s, size_t i, one_point *point, weft_error *err)
{
    if (point->open && point->i == i)
        return WEFT_OK;
    close_point(point);
    weft_status status = bind_point(s, i, point, err);
    if (status != WEFT_OK)
        close_point(point);
    return status;
}

/* Matrices of a part: a second of work at most, and enough to keep lanes busy. */
static uint64_t part_size(uint32_t n)
{
    return n <= 5 ? 1 << 18 : n <= 8 ? 1 << 14 : n <= WEFT_CROSSBAR_PORTS_MAX ? 2048 : 4;
}

/* ---- one part ---- */

typedef struct watcher {
    search *s;
    weft_farm *farm;
    const part *part;
    atomic_bool stop;
    uint32_t threads;
    uint64_t share;                /* matrices that a thread takes at a time … */
    atomic_uint_fast64_t n_shares; /* … and how often that was */
} watcher;

static void report(const search *s, size_t point, uint64_t more)
{
    if (!s->options->progress || weft_comm_rank(s->comm) > 0)
        return;
    uint64_t done = 0;
    for (size_t k = 0; k < s->state.parts[point]; k++)
        done += s->state.done[point][k];
    double all = (double)s->totals[point];
    double size = (double)part_size(s->side[point]);
    double share = ((double)done * size + (double)more) / all;
    weft_progress progress = {.point = point + 1,
                              .points = s->lab->points,
                              .done = s->finished,
                              .key = s->lab->keys[point],
                              .share = share < 1 ? share : 1,
                              .packets = (double)(s->matrices + more),
                              .latency = (double)NAN};
    s->options->progress(s->options->user, &progress);
}

/* Called by every thread; only the first one may speak to the farm. */
static bool watch(void *user, uint64_t done)
{
    watcher *w = user;
    if (omp_get_thread_num() == 0) {
        bool over = w->farm && weft_farm_serve(w->farm);
        over |= w->s->options->request &&
                w->s->options->request(w->s->options->user) == WEFT_REQUEST_STOP;
        if (over)
            atomic_store(&w->stop, true);
        report(w->s, w->part->point, done * w->threads);
    }
    return atomic_load(&w->stop);
}

/* Threads take shares of the part until none is left, so that they end together. */
static bool take_share(void *user, uint64_t *from, uint64_t *count)
{
    watcher *w = user;
    uint64_t at = atomic_fetch_add(&w->n_shares, 1) * w->share, all = w->part->count;
    if (at >= all)
        return false;
    *from = w->part->from + at;
    *count = all - at < w->share ? all - at : w->share;
    return true;
}

/* What one thread does of the part, with a counter of its own. */
static weft_status run_slice(const one_point *point, watcher *w, weft_xbar_spread *spread,
                             weft_error *err)
{
    const weft_xbar_search_watch seen = {.stop = watch, .more = take_share, .user = w};
    weft_xbar_counter *counter = point->counter;
    if (counter && w->threads > 1)
        WEFT_TRY(weft_xbar_counter_create(point->lab.n, point->lab.d, &counter, err));
    weft_status status =
        weft_xbar_search_range(&point->lab.plan, counter, 0, 0, &seen, spread, err);
    if (counter != point->counter)
        weft_xbar_counter_destroy(counter);
    return status;
}

static weft_status run_slices(const one_point *point, watcher *w, weft_xbar_spread *all,
                              weft_error *err)
{
    weft_xbar_spread *spreads = weft_alloc(w->threads * sizeof *spreads);
    weft_status *status = weft_alloc(w->threads * sizeof *status), worst = WEFT_OK;
    weft_error *errors = weft_alloc(w->threads * sizeof *errors);
#pragma omp parallel for num_threads((int)w->threads) schedule(static, 1)
    for (uint32_t k = 0; k < w->threads; k++) {
        weft_xbar_spread_init(&spreads[k], point->lab.n, point->lab.worst);
        status[k] = run_slice(point, w, &spreads[k], &errors[k]);
    }
    for (uint32_t k = 0; k < w->threads; k++) {
        weft_xbar_spread_merge(all, &spreads[k]);
        weft_xbar_spread_done(&spreads[k]);
        if (status[k] != WEFT_OK && worst == WEFT_OK) {
            worst = status[k];
            *err = errors[k];
        }
    }
    free(spreads);
    free(status);
    free(errors);
    return worst;
}

static weft_status run_part(void *user, weft_farm *farm, size_t item, weft_comm *team, void **row,
                            size_t *bytes, weft_error *err)
{
    (void)team;
    search *s = user;
    watcher w = {.s = s, .farm = farm, .part = &s->parts[item]};
    int64_t given = s->options->threads;
    w.threads = given > 0 ? (uint32_t)given : weft_team_default(weft_comm_here(s->comm));
    w.share = w.part->count / (w.threads > 1 ? SHARES * w.threads : 1) + 1;
    weft_xbar_spread spread;
    WEFT_TRY(open_point(s, w.part->point, &s->now, err));
    weft_xbar_spread_init(&spread, s->now.lab.n, s->now.lab.worst);
    weft_status status = run_slices(&s->now, &w, &spread, err);
    if (status == WEFT_OK) {
        weft_pack pack = {0};
        weft_xbar_spread_pack(&spread, &pack);
        *row = pack.data;
        *bytes = pack.count;
    }
    weft_xbar_spread_done(&spread);
    return status;
}

/* ---- rank 0 ---- */

/* What is in the results need not be in the state. */
static void forget(search *s, size_t i)
{
    weft_xbar_spread_done(&s->state.spread[i]);
    s->state.spread[i] = (weft_xbar_spread){.n = 0};
    memset(s->state.done[i], 0, s->state.parts[i]);
}

static weft_status commit(search *s, size_t i, weft_error *err)
{
    one_point point = {.open = false};
    WEFT_TRY(open_point(s, i, &point, err));
    weft_point row = {.key = s->lab->keys[i], .settings = point.settings};
    weft_crossbar_outcome(&point.lab, point.counter, &s->state.spread[i], &point.arena, &row);
    row.wall_seconds = weft_clock() - s->began;
    row.peak_bytes = weft_memory_peak();
    weft_status status = weft_result_commit(s->result, &row, err);
    close_point(&point);
    if (status != WEFT_OK)
        return WEFT_STOPPED; /* its parts stay done: the same command goes on with a disk's room */
    forget(s, i);
    s->finished++;
    return WEFT_OK;
}

static weft_status keep_state(search *s, weft_error *err)
{
    s->kept = weft_clock();
    s->unkept = false;
    return weft_crossbar_search_state_write(&s->state, s->path, err);
}

static weft_status take_part(void *user, size_t item, const void *row, size_t bytes,
                             weft_error *err)
{
    search *s = user;
    const part *done = &s->parts[item];
    weft_xbar_spread *all = &s->state.spread[done->point], spread;
    weft_unpack in = weft_unpack_of(row, bytes);
    if (!weft_xbar_spread_unpack(&spread, &in) || spread.n != s->side[done->point])
        return weft_fail(err, WEFT_BROKEN, "a part of a search came back damaged");
    if (!all->rows)
        weft_xbar_spread_init(all, s->side[done->point], s->keep[done->point]);
    weft_xbar_spread_merge(all, &spread);
    weft_xbar_spread_done(&spread);
    s->state.done[done->point][done->number] = 1;
    s->matrices += done->count;
    s->unkept = true;
    report(s, done->point, 0);
    if (--s->left[done->point] == 0)
        WEFT_TRY(commit(s, done->point, err));
    return weft_clock() - s->kept > KEEP_EVERY_S ? keep_state(s, err) : WEFT_OK;
}

/* ---- the whole ---- */

static uint64_t identity(const search *s)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (const char *c = s->lab->text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    return hash;
}

/* They are read by every process for itself, often on different machines. */
static weft_status compare(const search *s, weft_error *err)
{
    WEFT_TRY(weft_comm_same(s->comm, identity(s),
                            "reads other settings than process 0: their file and the command line "
                            "must be the same everywhere",
                            err));
    return weft_comm_same(s->comm, weft_alike_text(s->options->results),
                          "has another results file than process 0: all processes must be started "
                          "alike",
                          err);
}

static weft_status measure_points(search *s, weft_error *err)
{
    size_t points = s->lab->points;
    s->totals = weft_alloc(points * sizeof *s->totals);
    s->sizes = weft_alloc(points * sizeof *s->sizes);
    s->left = weft_alloc(points * sizeof *s->left);
    s->parts_of = weft_alloc(points * sizeof *s->parts_of);
    s->side = weft_alloc(points * sizeof *s->side);
    s->keep = weft_alloc(points * sizeof *s->keep);
    s->state.done = weft_alloc(points * sizeof *s->state.done);
    s->state.spread = weft_alloc(points * sizeof *s->state.spread);
    for (size_t i = 0; i < points; i++) {
        WEFT_TRY(open_point(s, i, &s->now, err));
        const weft_xbar_laboratory *lab = &s->now.lab;
        s->totals[i] = s->now.counter ? weft_xbar_counter_total(s->now.counter) : lab->drawn;
        s->side[i] = lab->n;
        s->keep[i] = lab->worst;
        uint64_t size = s->sizes[i] = part_size(lab->n);
        s->parts_of[i] = (size_t)((s->totals[i] + size - 1) / size);
        s->state.done[i] = weft_alloc(s->parts_of[i]);
    }
    s->state.points = points;
    s->state.parts = s->parts_of;
    s->state.totals = s->totals;
    s->state.sizes = s->sizes;
    s->state.side = s->side;
    s->state.keep = s->keep;
    s->state.identity = identity(s);
    return WEFT_OK;
}

/* Opens the results and what an earlier run has left, on rank 0. */
static weft_status open_results(search *s, weft_error *err)
{
    WEFT_TRY(weft_result_create(s->options->results, s->lab->title, s->lab->text, s->options->fresh,
                                &s->result, err));
    if (s->options->fresh)
        (void)unlink(s->path);
    return weft_crossbar_search_state_read(&s->state, s->path, err);
}

/* The parts that are missing, the same on all members: rank 0 knows. */
static void list_parts(search *s)
{
    for (size_t i = 0; i < s->lab->points; i++) {
        bool known = s->result && weft_result_has(s->result, s->lab->keys[i]);
        s->finished += known;
        if (known)
            memset(s->state.done[i], 1, s->parts_of[i]);
        if (s->comm)
            s->comm->kind->broadcast(s->comm, s->state.done[i], s->parts_of[i]);
        uint64_t size = part_size(s->side[i]);
        for (size_t k = 0; k < s->parts_of[i]; k++) {
            uint64_t from = k * size,
                     count = s->totals[i] - from < size ? s->totals[i] - from : size;
            if (s->state.done[i][k]) {
                s->matrices += count;
                continue;
            }
            s->left[i]++;
            s->parts = weft_realloc(s->parts, s->n_parts + 1, sizeof *s->parts);
            s->parts[s->n_parts++] = (part){i, k, from, count};
        }
        if (known)
            forget(s, i);
    }
}

/* Points of which an earlier run has left all parts, but no result. */
static weft_status commit_complete(search *s, weft_error *err)
{
    for (size_t i = 0; s->result && i < s->lab->points; i++)
        if (s->left[i] == 0 && s->state.spread[i].rows)
            WEFT_TRY(commit(s, i, err));
    return WEFT_OK;
}

static weft_status run_parts(search *s, weft_error *err)
{
    weft_farm_item *items = weft_alloc(s->n_parts * sizeof *items + 1);
    for (size_t k = 0; k < s->n_parts; k++)
        items[k] = (weft_farm_item){.seconds = 0.2, .width = 1};
    weft_farm_job job = {
        .n_items = s->n_parts, .items = items, .run = run_part, .take = take_part, .user = s};
    weft_status status = weft_farm_run(s->comm, &job, err);
    free(items);
    return status;
}

/* What is not committed is kept, or is not needed any more. */
static weft_status leave(search *s, weft_status status, weft_error *err)
{
    weft_error second;
    if (status == WEFT_OK)
        (void)unlink(s->path);
    else if (s->unkept && keep_state(s, &second) != WEFT_OK && status == WEFT_STOPPED)
        return weft_fail(err, WEFT_BAD_INPUT, "%.3000s", second.text);
    return status;
}

static void done(search *s)
{
    if (s->result)
        weft_result_close(s->result);
    for (size_t i = 0; i < s->lab->points && s->state.done; i++) {
        free(s->state.done[i]);
        weft_xbar_spread_done(&s->state.spread[i]);
    }
    close_point(&s->now);
    free(s->state.done);
    free(s->state.spread);
    free(s->totals);
    free(s->sizes);
    free(s->left);
    free(s->parts_of);
    free(s->side);
    free(s->keep);
    free(s->parts);
    free(s->path);
}

weft_status weft_crossbar_search(weft_crossbar *lab, const weft_crossbar_options *options,
                                 weft_error *err)
{
    WEFT_TRY(weft_study_options_threads(options->threads, err));
    search s = {.lab = lab,
                .options = options,
                .comm = options->context ? options->context->comm : NULL,
                .path = weft_text_format("%s.search", options->results)};
    s.began = s.kept = weft_clock();
    bool writes = weft_comm_rank(s.comm) == 0;
    weft_status status = weft_comm_agree(s.comm, measure_points(&s, err), err);
    if (status == WEFT_OK)
        status = compare(&s, err);
    if (status == WEFT_OK)
        status = weft_comm_agree(s.comm, writes ? open_results(&s, err) : WEFT_OK, err);
    if (status == WEFT_OK) {
        list_parts(&s);
        status = weft_comm_agree(s.comm, commit_complete(&s, err), err);
    }
    if (status == WEFT_OK) {
        status = run_parts(&s, err);
        if (writes)
            status = leave(&s, status, err);
    }
    done(&s);
    return status;
}
