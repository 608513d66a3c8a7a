/* SPDX-License-Identifier: Apache-2.0 */
/* Longest first, each to the task with the least work so far: at most 4/3 of the best division
 * (R. L. Graham, Bounds on Multiprocessing Timing Anomalies, 1969). */
#include "slurm/divide.h"

#include "base/memory.h"
#include "base/text.h"

#include <assert.h>
#include <stdlib.h>

#define WORTH_S 60 /* a task with less work is mostly start-up */

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
    for (size_t k = 0; k < n_items; k++) {
        const weft_slurm_item *item = &items[order[k]];
        size_t least = 0;
        for (size_t t = 1; t < plan->n_tasks; t++) {
            const weft_slurm_task *a = &plan->tasks[t], *b = &plan->tasks[least];
            if (a->seconds < b->seconds || (a->seconds == b->seconds && a->n_points < b->n_points))
                least = t;
        }
        task[order[k]] = least;
        plan->tasks[least].seconds += item->seconds;
        plan->tasks[least].n_points++;
        plan->bytes = item->bytes > plan->bytes ? item->bytes : plan->bytes;
    }
    for (size_t t = 0; t < plan->n_tasks; t++) {
        plan->tasks[t].points = list_points(items, n_items, task, t);
        if (plan->tasks[t].seconds > plan->longest)
            plan->longest = plan->tasks[t].seconds;
    }
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
