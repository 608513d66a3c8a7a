/* SPDX-License-Identifier: Apache-2.0 */
/* What ranks did over time, who sent how much to whom, and the critical path of every job. */
#include "study/outcome_rows.h"

#include "program/timeline/critical_path.h"
#include "sim/jobs/message_time.h"
#include "sim/jobs/message_waits.h"
#include "study/jobs/path_links.h"

#include <math.h>

enum { GROUPS_MOST = 256 }; /* rows and columns of the matrix of messages */

/* The columns of the tables. */
enum {
    OP_RANK,
    OP_NUMBER,
    OP_KIND,
    OP_READY,
    OP_RUN,
    OP_UNTIL,
    OP_PEER,
    OP_SIZE,
    OP_SENT,
    OP_ARRIVED,
    OP_COLUMNS
};
enum {
    STEP_PART,
    STEP_RANK,
    STEP_NUMBER,
    STEP_FROM,
    STEP_UNTIL,
    STEP_TO,
    STEP_SIZE,
    STEP_ZERO_LOAD,
    STEP_COLUMNS
};

typedef struct job_rows {
    weft_rows *rows;
    const weft_job *job;
    int64_t began;                   /* tick */
    const weft_rank_record *records; /* of its ranks */
    uint32_t n_bins;
    weft_array *arrays;
    size_t n_arrays;
    const char *ticks; /* their unit */
} job_rows;

/* A job of one rank has no messages. */
static void add_matrix(job_rows *to, const char *name, const char *unit, size_t rows,
                       size_t columns, const int64_t *y)
{
    if (rows == 0 || columns == 0)
        return;
    to->arrays[to->n_arrays++] = (weft_array){.table = "matrix",
                                              .name = name,
                                              .of = to->job->name,
                                              .unit = unit,
                                              .count = rows * columns,
                                              .y = y,
                                              .columns = columns};
}

static void add_time(job_rows *to, const char *name, const char *by, double ticks, int64_t n)
{
    const weft_timing *timing = &to->rows->network->timing;
    weft_rows_add(to->rows, (weft_metric){.name = name,
                                          .of = to->job->name,
                                          .by = by,
                                          .value = weft_timing_value(timing, ticks),
                                          .lo = NAN,
                                          .hi = NAN,
                                          .n = n,
                                          .unit = weft_timing_unit(timing),
                                          .method = "exact"});
}

/* ---- what ranks did ---- */

/* Two rows a rank: ticks of calculations and of overheads in every bin. */
static void add_states(job_rows *to)
{
    uint32_t ranks = to->job->program.n_ranks, bins = to->n_bins;
    int64_t *y = WEFT_TAKE(to->rows->arena, int64_t, (size_t)ranks * WEFT_RANK_STATES * bins);
    for (uint32_t r = 0; r < ranks; r++)
        for (uint32_t s = 0; s < WEFT_RANK_STATES; s++)
            for (uint32_t b = 0; b < bins; b++) {
                uint64_t busy = to->records[r].busy[b * WEFT_RANK_STATES + s];
                y[((size_t)r * WEFT_RANK_STATES + s) * bins + b] = (int64_t)busy;
            }
    add_matrix(to, "rank states", to->ticks, (size_t)ranks * WEFT_RANK_STATES, bins, y);
    add_time(to, "timeline bin", "", (double)to->records[0].width, bins);
}

/* ---- operations and messages ---- */

static const weft_past *partner_of(const weft_history *history, const weft_past *past)
{
    return past->partner == WEFT_HISTORY_NONE ? NULL : &history->operations[past->partner];
}

static void add_operations(job_rows *to, const weft_history *history)
{
    int64_t *y = WEFT_TAKE(to->rows->arena, int64_t, history->n_operations * OP_COLUMNS), *row = y;
    for (size_t i = 0; i < history->n_operations; i++, row += OP_COLUMNS) {
        const weft_past *past = &history->operations[i], *other = partner_of(history, past);
        const weft_past *send = past->kind == WEFT_OPERATION_SEND ? past : other;
        const weft_past *receive = past->kind == WEFT_OPERATION_RECV ? past : other;
        row[OP_RANK] = past->rank;
        row[OP_NUMBER] = past->number;
        row[OP_KIND] = past->kind;
        row[OP_READY] = (int64_t)past->ready;
        row[OP_RUN] = (int64_t)past->run;
        row[OP_UNTIL] = (int64_t)past->until;
        row[OP_PEER] = other ? (int64_t)other->rank : -1;
        row[OP_SIZE] = (int64_t)past->size;
        row[OP_SENT] = other ? (int64_t)send->sent : -1;
        row[OP_ARRIVED] = other ? (int64_t)receive->arrived : -1;
    }
    add_matrix(to, "operations", to->ticks, history->n_operations, OP_COLUMNS, y);
}

/* Bytes from rank to rank; of many ranks: from group to group of equally many. */
static void add_messages(job_rows *to, const weft_history *history)
{
    uint32_t each = (history->n_ranks + GROUPS_MOST - 1) / GROUPS_MOST;
    size_t groups = (history->n_ranks + each - 1) / each;
    int64_t *y = WEFT_TAKE(to->rows->arena, int64_t, groups * groups);
    for (size_t i = 0; i < history->n_operations; i++) {
        const weft_past *past = &history->operations[i], *other = partner_of(history, past);
        if (past->kind == WEFT_OPERATION_SEND && other)
            y[past->rank / each * groups + other->rank / each] += (int64_t)past->size;
    }
    add_matrix(to, "message bytes", "bytes", groups, groups, y);
}

/* ---- the critical path ---- */

/* Ticks that the message of a step would take alone; −1: no message, or not known. */
static double zero_load(const job_rows *to, const weft_history *history, const weft_path_step *step)
{
    const weft_past *sender = &history->operations[step->operation];
    if (step->part != WEFT_PATH_NETWORK)
        return -1;
    double ticks = weft_message_time(to->rows->network, to->job->endpoint[sender->rank],
                                     to->job->endpoint[step->to], step->size);
    return ticks > 0 ? ticks : -1;
}

static void add_shares(job_rows *to, const double part[WEFT_PATH_PARTS],
                       const int64_t n[WEFT_PATH_PARTS], double waiting)
{
    static const char *const names[WEFT_PATH_PARTS] = {"compute", "overhead", "injection",
                                                       "network"};
    for (int p = 0; p < WEFT_PATH_PARTS; p++)
        add_time(to, "critical path", names[p], part[p] - (p == WEFT_PATH_NETWORK ? waiting : 0),
                 n[p]);
    add_time(to, "critical path", "waiting", waiting, n[WEFT_PATH_NETWORK]);
}

/* The links at which messages of the path waited, and for each step which of them, how long. */
static void add_links(job_rows *to, const weft_path_links *links, size_t n_steps)
{
    for (uint32_t i = 0; i < links->count; i++) {
        const weft_path_link *link = &links->at[i];
        add_time(to, "path wait", link->name, (double)link->ticks, link->messages);
        to->rows->metrics[to->rows->n_metrics - 1].index = i;
    }
    if (links->count > 0)
        add_matrix(to, "path waits", to->ticks, n_steps, 2, links->steps);
}

static void add_path(job_rows *to, const weft_history *history)
{
    weft_critical_path path;
    double part[WEFT_PATH_PARTS] = {0}, waiting = 0;
    int64_t n[WEFT_PATH_PARTS] = {0};
    bool found = weft_critical_path_find(&path, history);
    assert(found || history->n_operations == 0);
    int64_t *y = WEFT_TAKE(to->rows->arena, int64_t, path.n_steps * STEP_COLUMNS), *row = y;
    weft_path_links links = weft_path_links_of(to->rows, to->job, history, &path);
    for (size_t i = 0; found && i < path.n_steps; i++, row += STEP_COLUMNS) {
        const weft_path_step *step = &path.steps[i];
        double took = (double)(step->until - step->from), alone = zero_load(to, history, step);
        part[step->part] += took;
        n[step->part]++;
        waiting += alone >= 0 && took > alone ? took - alone : 0;
        row[STEP_PART] = step->part;
        row[STEP_RANK] = history->operations[step->operation].rank;
        row[STEP_NUMBER] = history->operations[step->operation].number;
        row[STEP_FROM] = (int64_t)step->from;
        row[STEP_UNTIL] = (int64_t)step->until;
        row[STEP_TO] = step->to;
        row[STEP_SIZE] = (int64_t)step->size;
        row[STEP_ZERO_LOAD] = (int64_t)(alone < took ? alone : took);
    }
    if (found) {
        add_matrix(to, "critical path", to->ticks, path.n_steps, STEP_COLUMNS, y);
        add_shares(to, part, n, waiting);
        add_links(to, &links, path.n_steps);
    }
    weft_critical_path_done(&path);
}

static void add_job(job_rows *to, bool operations)
{
    const weft_job *job = to->job;
    weft_history history;
    add_states(to);
    if (!operations || job->background) /* of what has no end there is no history */
        return;
    if (weft_history_build(&history, to->records, job->program.n_ranks, job->repeats,
                           to->rows->network->jobs->costs.overhead, (uint64_t)to->began)) {
        add_operations(to, &history);
        add_messages(to, &history);
        add_path(to, &history);
    }
    weft_history_done(&history);
}

size_t weft_rows_timeline(weft_rows *rows, weft_ending ending, const char *ticks,
                          weft_array *arrays)
{
    const weft_rank_log *timeline = weft_simulation_timeline(rows->simulation);
    const weft_job_set *jobs = rows->network->jobs;
    if (!timeline || ending != WEFT_END_COMPLETED)
        return 0;
    size_t count = 0;
    for (uint32_t j = 0; j < jobs->n_jobs; j++) {
        job_rows to = {.rows = rows,
                       .job = &jobs->jobs[j],
                       .began = weft_simulation_began(rows->simulation)[j],
                       .records = timeline->records + jobs->jobs[j].first,
                       .n_bins = timeline->n_bins,
                       .arrays = arrays + count,
                       .ticks = ticks};
        add_job(&to, timeline->events);
        count += to.n_arrays;
    }
    return count;
}
