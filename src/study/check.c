/* SPDX-License-Identifier: Apache-2.0 */
/* What a study would do, without doing it: on the processes that are here, or on as many as it is told. */
#include "base/memory.h"
#include "base/text.h"
#include "study/conductor.h"
#include "study/schedule.h"

#include <stdlib.h>

#define EVENTS_LEAST \
    1000.0 /* a rank and window; with fewer another rank costs more than it brings */

static void add_bytes(weft_text *text, const char *name, int64_t bytes)
{
    if (bytes >= (int64_t)1 << 30)
        weft_text_add(text, "%-22s %.2f GiB\n", name, (double)bytes / (1 << 30));
    else
        weft_text_add(text, "%-22s %.1f MiB\n", name, (double)bytes / (1 << 20));
}

static void add_time(weft_text *text, double seconds, uint32_t cores)
{
    const char *unit = seconds < 120 ? "s" : seconds < 7200 ? "min" : "h";
    double value = seconds < 120 ? seconds : seconds < 7200 ? seconds / 60 : seconds / 3600;
    weft_text_add(text, "%-22s about %.*f %s on ", "time",
                  value < 1     ? 2
                  : value < 100 ? 1
                                : 0,
                  value, unit);
    if (cores > 1)
        weft_text_add(text, "%u cores\n", cores);
    else
        weft_text_add(text, "one core\n");
}

static void add_network(weft_text *text, const weft_network *network)
{
    const weft_topology *topology = &network->topology;
    const weft_timing *timing = &network->timing;
    weft_text_add(text, "\n# network\n");
    weft_text_add(text, "%-22s %u\n", "routers", topology->routers);
    weft_text_add(text, "%-22s %u\n", "endpoints", network->endpoints);
    weft_text_add(text, "%-22s %llu, one direction each\n", "links",
                  (unsigned long long)topology->links);
    weft_text_add(text, "%-22s %.6g hops\n", "mean path", network->mean_hops);
    weft_text_add(text, "%-22s %.6g flits\n", "mean packet", network->mean_flits);
    if (timing->in_cycles)
        weft_text_add(text, "%-22s 1 cycle\n", "tick");
    else
        weft_text_add(text, "%-22s %.6g ps; a flit takes %lld ticks, a cycle %lld\n", "tick",
                      timing->tick_ps, (long long)timing->flit, (long long)timing->cycle);
    weft_text_add(text, "%-22s load %.6g, rho %.6g, %.6g %s per endpoint\n", "offered",
                  network->load, network->rho, network->rate, network->rate_unit);
    if (network->rho >= 1)
        weft_text_add(text,
                      "%-22s the mean link would be busier than always: this point saturates\n",
                      "bound");
    else if (network->rho > 0)
        weft_text_add(text, "%-22s no load above %.6g (rho 1) can be carried\n", "bound",
                      network->load / network->rho);
    weft_text_add(text, "%-22s none possible: buffers are unbounded\n", "deadlock");
}

/* How many ranks the windows have work for; members: how many there would be. */
static void add_advice(weft_text *text, const weft_cost *cost, uint32_t members)
{
    double events = cost->events_a_window, useful = events / EVENTS_LEAST;
    weft_text_add(text, "%-22s %.*f", "events per window", events < 10 ? 1 : 0, events);
    if (cost->ranks > 1)
        weft_text_add(text, ", %.0f a rank", events / cost->ranks);
    if (useful < members && useful >= 2)
        weft_text_add(text, "; more than %.0f ranks for one point hardly pay", useful);
    else if (useful < members && members > 1)
        weft_text_add(text, "; one rank for each point is enough");
    else if (members == 1 && useful >= 2)
        weft_text_add(text, "; up to %.0f ranks would pay", useful);
    weft_text_add(text, "\n");
}

static void add_cost(weft_text *text, const weft_cost *cost, uint32_t members)
{
    weft_text_add(text, "\n# cost\n");
    weft_text_add(text, "%-22s %u\n", "blocks", cost->blocks);
    if (cost->ranks * cost->threads > 1)
        weft_text_add(text, "%-22s %u rank%s, %u thread%s each\n", "runs on", cost->ranks,
                      cost->ranks > 1 ? "s" : "", cost->threads, cost->threads > 1 ? "s" : "");
    weft_text_add(text, "%-22s %lld B\n", "per router at rest", (long long)cost->bytes_per_router);
    add_bytes(text, "memory at rest", cost->bytes_at_rest);
    add_bytes(text, "memory while running", cost->bytes_running);
    if (cost->ranks > 1)
        add_bytes(text, "memory per process", cost->bytes_a_process);
    add_advice(text, cost, members);
}

typedef struct survey {
    weft_study *study;
    uint32_t members; /* processes there would be */
    weft_schedule_item *items;
    uint32_t threads; /* of a process, at most */
} survey;

static weft_cost cost_of(const survey *s, const weft_network *network, uint32_t ranks)
{
    weft_cost_plan plan = {.blocks = (uint32_t)s->study->options.blocks,
                           .ranks = ranks,
                           .threads = weft_study_threads(s->study, network)};
    return weft_simulation_cost(network, &plan);
}

/* The first point, whole. */
static weft_status show_first(const survey *s, weft_text *out, weft_error *err)
{
    weft_study_point point;
    WEFT_TRY(weft_study_point_open(s->study, 0, &point, err));
    weft_cost cost = cost_of(s, &point.network, s->items[0].width);
    weft_text_add(out, "# settings as understood%s\n%s",
                  weft_plan_points(s->study->plan) > 1 ? ", first point" : "", point.scenario.text);
    add_network(out, &point.network);
    add_cost(out, &cost, s->members);
    weft_study_point_close(&point);
    return WEFT_OK;
}

/* What all points take, and that they are sound. */
static weft_status look_at_all(survey *s, size_t points, weft_error *err)
{
    weft_cost cost;
    for (size_t i = 0; i < points; i++) {
        WEFT_TRY(weft_study_estimate(s->study, i, s->members, &s->items[i], &cost, err));
        s->threads = cost.threads > s->threads ? cost.threads : s->threads;
    }
    return WEFT_OK;
}

weft_status weft_study_check(weft_study *study, char **text, weft_error *err)
{
    size_t points = weft_plan_points(study->plan);
    survey s = {.study = study, .members = weft_crew_size(study->crew), .threads = 1};
    if (s.members == 1 && study->options.ranks > 1) /* for another day */
        s.members = (uint32_t)study->options.ranks;
    s.items = weft_alloc(sizeof *s.items * points);
    weft_text out;
    weft_text_init(&out);
    weft_status status = look_at_all(&s, points, err);
    if (status == WEFT_OK) {
        weft_schedule_options options = {.members = s.members, .memory = study->memory};
        weft_schedule_widths(&options, points, s.items);
        status = show_first(&s, &out, err);
    }
    if (status == WEFT_OK) {
        weft_text_add(&out, "%-22s %zu\n", "points", points);
        add_time(&out, weft_schedule_makespan(s.members, points, s.items),
                 (points > 1 ? s.members : s.items[0].width) * s.threads);
        weft_text_add(&out, "%-22s %s\n", "results", study->results);
        *text = weft_text_take(&out);
    } else {
        weft_text_done(&out);
    }
    free(s.items);
    return status;
}
