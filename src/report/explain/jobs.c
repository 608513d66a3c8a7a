/* SPDX-License-Identifier: Apache-2.0 */
/* The jobs of a point from its rows, checked as far as others rely on them. */
#include "report/explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPERATION_WORDS = sizeof(weft_explain_operation) / sizeof(int64_t),
    STEP_WORDS = sizeof(weft_explain_step) / sizeof(int64_t),
    WAIT_WORDS = sizeof(weft_explain_wait) / sizeof(int64_t),
    LINKS_MOST = 64,
    STATES = 2,
    KINDS = 3,
    RANKS_MOST = 1 << 28
};

const char *const weft_explain_parts[WEFT_EXPLAIN_PARTS] = {"compute", "overhead", "injection",
                                                            "network", "waiting"};

static const weft_array *find(const weft_point *point, const char *name, const char *of,
                              size_t columns)
{
    for (size_t i = 0; i < point->n_arrays; i++) {
        const weft_array *a = &point->arrays[i];
        if (strcmp(a->name, name) == 0 && strcmp(a->of, of) == 0 && a->count > 0 &&
            (columns == 0 || a->columns == columns))
            return a;
    }
    return NULL;
}

static bool within(int64_t value, int64_t least, int64_t end)
{
    return value >= least && value < end;
}

/* All operations in their ranges, or none. */
static void take_operations(weft_explain_job *job, const weft_point *point)
{
    const weft_array *a = find(point, "operations", job->name, OPERATION_WORDS);
    if (!a)
        return;
    const weft_explain_operation *at = (const weft_explain_operation *)(const void *)a->y;
    size_t count = a->count / OPERATION_WORDS;
    for (size_t i = 0; i < count; i++)
        if (!within(at[i].rank, 0, job->ranks) || !within(at[i].kind, 0, KINDS) ||
            !within(at[i].peer, -1, job->ranks) || at[i].run > at[i].until)
            return;
    job->operations = at;
    job->n_operations = count;
}

static void take_steps(weft_explain_job *job, const weft_point *point)
{
    const weft_array *a = find(point, "critical path", job->name, STEP_WORDS);
    if (!a)
        return;
    const weft_explain_step *at = (const weft_explain_step *)(const void *)a->y;
    size_t count = a->count / STEP_WORDS;
    for (size_t i = 0; i < count; i++)
        if (!within(at[i].rank, 0, job->ranks) || !within(at[i].to, 0, job->ranks) ||
            !within(at[i].part, 0, WEFT_EXPLAIN_WAITING) || at[i].from < 0 ||
            at[i].from > at[i].until)
            return;
    job->steps = at;
    job->n_steps = count;
    for (int p = 0; p < WEFT_EXPLAIN_PARTS; p++) {
        const weft_metric *m =
            weft_point_metric(point, "critical path", job->name, weft_explain_parts[p], 0);
        job->part[p] = m ? m->value : 0;
        job->n[p] = m ? m->n : 0;
    }
}

/* The links of the path; the places of steps refer to them. */
static void take_links(weft_explain_job *job, const weft_point *point, weft_arena *arena)
{
    const weft_array *a = find(point, "path waits", job->name, WAIT_WORDS);
    if (!a || a->count / WAIT_WORDS != job->n_steps)
        return;
    const weft_explain_wait *at = (const weft_explain_wait *)(const void *)a->y;
    weft_explain_link *links = WEFT_TAKE(arena, weft_explain_link, LINKS_MOST);
    size_t count = 0;
    for (size_t i = 0; i < point->n_metrics && count < LINKS_MOST; i++) {
        const weft_metric *m = &point->metrics[i];
        if (strcmp(m->name, "path wait") == 0 && strcmp(m->of, job->name) == 0 &&
            within(m->index, 0, LINKS_MOST)) {
            links[m->index] = (weft_explain_link){m->by, m->value, m->n};
            count++;
        }
    }
    for (size_t k = 0; k < count; k++)
        if (!links[k].name)
            return;
    for (size_t i = 0; i < job->n_steps; i++)
        if (!within(at[i].link, -1, (int64_t)count))
            return;
    job->waits = at;
    job->links = links;
    job->n_links = count;
}

/* "ticks of 40 ps" are 0.04 ns, "ticks of 1/3 cycle" a third of a cycle; all else is a time. */
static double tick_of(const char *unit)
{
    static const char before[] = "ticks of ";
    if (strncmp(unit, before, strlen(before)) != 0)
        return 1;
    const char *size = unit + strlen(before);
    bool part = strncmp(size, "1/", 2) == 0;
    double number = strtod(part ? size + 2 : size, NULL), tick = part ? 1 / number : number / 1000;
    return tick > 0 && isfinite(tick) ? tick : 1;
}

static double share_of(const weft_point *point, const char *job, const char *by)
{
    const weft_metric *m = weft_point_metric(point, "time share", job, by, 0);
    return m ? m->value : (double)NAN;
}

static void take_states(weft_explain_job *job, const weft_point *point)
{
    const weft_array *a = find(point, "rank states", job->name, 0);
    const weft_metric *bin = weft_point_metric(point, "timeline bin", job->name, "", 0);
    job->compute = share_of(point, job->name, "compute");
    job->overhead = share_of(point, job->name, "messages");
    job->tick = a ? tick_of(a->unit) : 1;
    if (!a || !bin || a->columns == 0 || a->count / a->columns != (size_t)job->ranks * STATES)
        return;
    job->states = a->y;
    job->n_bins = a->columns;
    job->bin = bin->value;
}

static void take_job(weft_explain_job *job, const weft_point *point, const weft_metric *m,
                     weft_arena *arena)
{
    *job = (weft_explain_job){.name = m->of,
                              .unit = m->unit,
                              .completion = m->value,
                              .ranks = within(m->n, 0, RANKS_MOST) ? (uint32_t)m->n : 0};
    /* Of some steps alone there is a history. */
    const weft_metric *run = weft_point_metric(point, "completion", m->of, "steps run", 0);
    job->completion = run ? run->value : job->completion;
    take_states(job, point);
    take_operations(job, point);
    take_steps(job, point);
    take_links(job, point, arena);
    const weft_array *ends = find(point, "rank end", job->name, 0);
    if (ends && ends->count == job->ranks)
        job->ends = ends->y;
}

weft_explain_job *weft_explain_jobs(const weft_point *point, weft_arena *arena, size_t *count)
{
    weft_explain_job *jobs = WEFT_TAKE(arena, weft_explain_job, point->n_metrics + 1);
    *count = 0;
    for (size_t i = 0; i < point->n_metrics; i++) {
        const weft_metric *m = &point->metrics[i];
        if (strcmp(m->name, "completion") == 0 && *m->of && !*m->by)
            take_job(&jobs[(*count)++], point, m, arena);
    }
    return jobs;
}
