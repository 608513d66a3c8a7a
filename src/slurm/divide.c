/* SPDX-License-Identifier: Apache-2.0 */
/* Longest first, each to the task with the least work so far: at most 4/3 of the best division
 * (R. L. Graham, Bounds on Multiprocessing Timing Anomalies, 1969).
 *
 * A task's list of points is one argument of a command, which Linux limits to 128 KiB. So of very
 * many points only the longest go where this puts them. The others are dealt out in the order of
 * their numbers, to each task as much work as it had, but for one of them: ranges of numbers. */
#include "slurm/divide.h"

#include "base/memory.h"
#include "base/text.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#define WORTH_S     60   /* a task with less work is mostly start-up */
#define SINGLY_MOST 2048 /* points that may stand in lists one by one; more than there are tasks */

static size_t tasks_for(const weft_slurm_item *items, size_t n_items, size_t wanted)
{
    double seconds = 0;
    for (size_t i = 0; i < n_items; i++)
        seconds += items[i].seconds;
    double paying = seconds / WORTH_S;
    size_t most = n_items < WEFT_SLURM_TASKS_MOST ? n_items : WEFT_SLURM_TASKS_MOST;
    size_t tasks = wanted ? wanted : paying < (double)most ? (size_t)paying : most;
    tasks = tasks < most ? tasks : most;
    return tasks ? tasks : 1;
}

static int longest_first(const void *a, const void *b, void *items)
{
    size_t i = *(const size_t *)a, j = *(const size_t *)b;
    double x = ((const weft_slurm_item *)items)[i].seconds;
    double y = ((const weft_slurm_item *)items)[j].seconds;
    return x != y ? (x > y ? -1 : 1) : i < j ? -1 : 1;
}

/* "1,4,7-9": the points of one task. */
static char *list_points(const weft_slurm_item *items, size_t n_items, const size_t *task,
                         size_t which)
{
    weft_text text;
    weft_text_init(&text);
    size_t first = 0, last = 0; /* of the run of numbers in hand; 0: none */
    for (size_t i = 0; i <= n_items; i++) {
        if (i < n_items && task[i] != which)
            continue;
        size_t point = i < n_items ? items[i].point : 0;
        if (last && point == last + 1) {
            last = point;
            continue;
        }
        if (last)
            weft_text_add(&text, first < last ? "%s%zu-%zu" : "%s%zu", text.length ? "," : "",
                          first, last);
        first = last = point;
    }
    return weft_text_take(&text);
}

/* task[i]: that of item i. */
static void deal_longest_first(const weft_slurm_item *items, size_t n_items, const size_t *order,
                               weft_slurm_plan *plan, size_t *task)
{
    for (size_t k = 0; k < n_items; k++) {
        size_t least = 0;
        for (size_t t = 1; t < plan->n_tasks; t++) {
            const weft_slurm_task *a = &plan->tasks[t], *b = &plan->tasks[least];
            if (a->seconds < b->seconds || (a->seconds == b->seconds && a->n_points < b->n_points))
                least = t;
        }
        task[order[k]] = least;
        plan->tasks[least].seconds += items[order[k]].seconds;
        plan->tasks[least].n_points++;
    }
}

/* Deals out again what is behind the longest ones. */
static void deal_in_ranges(const weft_slurm_item *items, size_t n_items, const size_t *order,
                           const weft_slurm_plan *plan, size_t *task)
{
    double *seconds = weft_alloc(sizeof *seconds * plan->n_tasks); /* of these points, by task */
    bool *again = weft_alloc(sizeof *again * n_items);
    for (size_t k = SINGLY_MOST; k < n_items; k++) {
        again[order[k]] = true;
        seconds[task[order[k]]] += items[order[k]].seconds;
    }
    size_t t = 0;
    double dealt = 0, until = seconds[0];
    for (size_t i = 0; i < n_items; i++) {
        if (!again[i])
            continue;
        while (t + 1 < plan->n_tasks && dealt + items[i].seconds / 2 > until)
            until += seconds[++t];
        task[i] = t;
        dealt += items[i].seconds;
    }
    free(again);
    free(seconds);
}

static void sum_up(const weft_slurm_item *items, size_t n_items, const size_t *task,
                   weft_slurm_plan *plan)
{
    for (size_t t = 0; t < plan->n_tasks; t++)
        plan->tasks[t] = (weft_slurm_task){.points = list_points(items, n_items, task, t)};
    for (size_t i = 0; i < n_items; i++) {
        weft_slurm_task *its = &plan->tasks[task[i]];
        its->n_points++;
        its->seconds += items[i].seconds;
        plan->longest = its->seconds > plan->longest ? its->seconds : plan->longest;
        plan->bytes = items[i].bytes > plan->bytes ? items[i].bytes : plan->bytes;
    }
}

void weft_slurm_divide(const weft_slurm_item *items, size_t n_items, size_t wanted,
                       weft_slurm_plan *plan)
{
    assert(n_items > 0);
    *plan = (weft_slurm_plan){.n_tasks = tasks_for(items, n_items, wanted)};
    plan->tasks = weft_alloc(sizeof *plan->tasks * plan->n_tasks);
    size_t *order = weft_alloc(sizeof *order * n_items), *task = weft_alloc(sizeof *task * n_items);
    for (size_t i = 0; i < n_items; i++)
        order[i] = i;
    qsort_r(order, n_items, sizeof *order, longest_first, (void *)items);
    deal_longest_first(items, n_items, order, plan, task);
    if (n_items > SINGLY_MOST)
        deal_in_ranges(items, n_items, order, plan, task);
    sum_up(items, n_items, task, plan);
    free(order);
    free(task);
}

void weft_slurm_plan_done(weft_slurm_plan *plan)
{
    for (size_t t = 0; t < plan->n_tasks; t++)
        free(plan->tasks[t].points);
    free(plan->tasks);
    *plan = (weft_slurm_plan){.n_tasks = 0};
}
