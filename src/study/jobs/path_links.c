/* SPDX-License-Identifier: Apache-2.0 */
#include "study/jobs/path_links.h"

#include "net/naming.h"
#include "sim/jobs/message_waits.h"

#include <stdlib.h>

typedef struct stop { /* of a message of the path */
    uint32_t router, output, endpoint;
    uint32_t ticks;
    size_t step;
} stop;

/* The number by which the network knows the message of a step (program/ranks.h, march/phased.h). */
static uint32_t number_of(const weft_job *job, const weft_past *sender, const weft_path_step *step)
{
    bool answers = sender->kind == WEFT_OPERATION_RECV, data = sender->asks && step->size > 0;
    if (job->schedule.n_phases == 0)
        return 2 * sender->name + (!answers && data);
    return sender->name / 4 * 4 + (answers ? WEFT_PHASED_ANSWER
                                   : data  ? WEFT_PHASED_DATA
                                           : WEFT_PHASED_SENT);
}

/* Lists the messages that waited; returns how many. */
static size_t list_stops(const weft_rows *rows, const weft_job *job, const weft_history *history,
                         const weft_critical_path *path, stop *stops)
{
    const weft_topology *topology = &rows->network->topology;
    const weft_longest_waits *waits = weft_simulation_waits(rows->simulation);
    size_t count = 0;
    for (size_t i = 0; i < path->n_steps; i++) {
        const weft_path_step *step = &path->steps[i];
        const weft_past *sender = &history->operations[step->operation];
        if (step->part != WEFT_PATH_NETWORK)
            continue;
        uint32_t source = job->endpoint[sender->rank];
        const weft_longest_wait *wait =
            weft_longest_waits_find(waits, source, number_of(job, sender, step));
        if (!wait)
            continue;
        bool injection = wait->output == WEFT_WAIT_INJECTION;
        bool last = !injection && wait->output >= weft_topology_tier(topology, wait->router).ports;
        stops[count++] = (stop){.router = injection || last ? WEFT_NOWHERE : wait->router,
                                .output = injection ? 0
                                          : last    ? 1
                                                    : wait->output,
                                .endpoint = injection ? source
                                            : last    ? job->endpoint[step->to]
                                                      : 0,
                                .ticks = wait->ticks,
                                .step = i};
    }
    return count;
}

static int by_link(const void *a, const void *b)
{
    const stop *x = a, *y = b;
    if (x->router != y->router)
        return x->router < y->router ? -1 : 1;
    if (x->output != y->output)
        return x->output < y->output ? -1 : 1;
    if (x->endpoint != y->endpoint)
        return x->endpoint < y->endpoint ? -1 : 1;
    return x->step < y->step ? -1 : x->step > y->step;
}

static bool same_link(const stop *x, const stop *y)
{
    return x->router == y->router && x->output == y->output && x->endpoint == y->endpoint;
}

static const char *name_of(const weft_rows *rows, const stop *at)
{
    const weft_topology *topology = &rows->network->topology;
    char name[WEFT_LINK_NAME_BYTES];
    if (at->router != WEFT_NOWHERE) {
        weft_naming_link(topology, at->router, at->output, name);
        return weft_arena_format(rows->arena, "%s", name);
    }
    const char *host = weft_naming_host(topology, at->endpoint),
               *way = at->output ? "link to" : "link from";
    return host ? weft_arena_format(rows->arena, "%s %s", way, host)
                : weft_arena_format(rows->arena, "%s endpoint %u", way, at->endpoint);
}

typedef struct total { /* of the stops first … end − 1 */
    size_t first, end;
    int64_t ticks;
} total;

static int most_first(const void *a, const void *b)
{
    const total *x = a, *y = b;
    if (x->ticks != y->ticks)
        return x->ticks > y->ticks ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

weft_path_links weft_path_links_of(const weft_rows *rows, const weft_job *job,
                                   const weft_history *history, const weft_critical_path *path)
{
    stop *stops = WEFT_TAKE(rows->arena, stop, path->n_steps + 1);
    total *totals = WEFT_TAKE(rows->arena, total, path->n_steps + 1);
    size_t n_stops = list_stops(rows, job, history, path, stops), n_totals = 0;
    weft_path_links links = {.steps = WEFT_TAKE(rows->arena, int64_t, 2 * path->n_steps + 1),
                             .at = WEFT_TAKE(rows->arena, weft_path_link, WEFT_PATH_LINKS)};
    qsort(stops, n_stops, sizeof *stops, by_link);
    for (size_t i = 0; i < n_stops; i++) {
        if (i == 0 || !same_link(&stops[i - 1], &stops[i]))
            totals[n_totals++] = (total){.first = i};
        totals[n_totals - 1].end = i + 1;
        totals[n_totals - 1].ticks += stops[i].ticks;
    }
    qsort(totals, n_totals, sizeof *totals, most_first);
    for (size_t i = 0; i < path->n_steps; i++)
        links.steps[2 * i] = -1;
    for (size_t k = 0; k < n_totals && k < WEFT_PATH_LINKS; k++) {
        const total *of = &totals[k];
        links.at[links.count++] = (weft_path_link){.name = name_of(rows, &stops[of->first]),
                                                   .ticks = of->ticks,
                                                   .messages = (int64_t)(of->end - of->first)};
        for (size_t i = of->first; i < of->end; i++) {
            links.steps[2 * stops[i].step] = (int64_t)k;
            links.steps[2 * stops[i].step + 1] = stops[i].ticks;
        }
    }
    return links;
}
