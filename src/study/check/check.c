/* SPDX-License-Identifier: Apache-2.0 */
/* What a study would do, without doing it: on the processes that are here, or on as many as it
 * is told. */
#include "base/memory.h"
#include "base/text.h"
#include "farm/schedule.h"
#include "net/routing.h"
#include "sim/jobs/ideal.h"
#include "sim/buffering.h"
#include "sim/platform.h"
#include "study/check/deadlock.h"
#include "study/check/fabric.h"
#include "study/theory.h"
#include "study/beside.h"

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

/* Who sends and receives, where that is not everybody. */
static void add_pattern_endpoints(weft_text *text, const weft_network *network)
{
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        const weft_traffic_class *traffic_class = &network->traffic_classes[f];
        const weft_pattern *pattern = &traffic_class->traffic.pattern;
        if (pattern->from || pattern->to)
            weft_text_add(text, "%-22s %u of %u endpoints send, %u may receive: traffic.%s\n",
                          "parties", traffic_class->senders, network->endpoints,
                          pattern->to ? pattern->to->count : network->endpoints,
                          traffic_class->name);
    }
}

/* The steps of a phase that are run, of the rank that has most. */
static void add_phase(weft_text *text, const weft_phased *schedule, uint32_t number)
{
    const weft_phased_phase *phase = &schedule->phases[number];
    uint32_t next =
        number + 1 < schedule->n_phases ? schedule->phases[number + 1].first : schedule->places;
    weft_text_add(text, "%-22s %s: ", "  phase", phase->name);
    if (!phase->collective.kind)
        weft_text_add(text, "%llu ticks\n", (unsigned long long)phase->compute);
    else
        weft_text_add(text, "%s/%s, %u steps\n",
                      weft_collective_operation_name(phase->collective.kind->operation),
                      phase->collective.kind->algorithm, next - phase->first);
}

/* The bound of a collective that needs no walk over its steps. */
static void add_form(weft_text *text, const weft_network *network, uint32_t number)
{
    const weft_timing *timing = &network->timing;
    double ticks = weft_ideal_form(network, number);
    if (ticks > 0)
        weft_text_add(text, "%-22s at least %.6g %s, by its α-β form\n", "  completion",
                      weft_timing_value(timing, ticks), weft_timing_unit(timing));
}

static void add_job(weft_text *text, const weft_network *network, uint32_t number)
{
    const weft_job *job = &network->jobs->jobs[number];
    const weft_phased *schedule = &job->schedule;
    weft_text_add(text, "%-22s %s: %u ranks, %u %s, ", "job", job->name, job->program.n_ranks,
                  schedule->n_phases ? schedule->n_phases : job->program.n_operations,
                  schedule->n_phases ? "phases" : "operations");
    if (job->background)
        weft_text_add(text, "in the background\n");
    else
        weft_text_add(text, "%u times\n", job->repeats);
    for (uint32_t i = 0; i < schedule->n_phases; i++)
        add_phase(text, schedule, i);
    if (!job->background)
        add_form(text, network, number);
}

/* Of jobs what their programs say; loads and bounds are of traffic at a rate. */
static void add_jobs(weft_text *text, const weft_network *network)
{
    const weft_job_set *jobs = network->jobs;
    for (uint32_t j = 0; j < jobs->n_jobs; j++)
        add_job(text, network, j);
    weft_text_add(text, "%-22s %.0f of jobs, %.6g flits on average, at most %u\n", "messages",
                  jobs->messages, jobs->mean_flits, jobs->most_flits);
}

/* What routing `minimal` is on this topology. */
static void add_minimal(weft_text *text, const weft_network *network)
{
    const weft_topology *topology = &network->topology;
    const char *known = topology->kind->minimal;
    for (uint32_t c = 0; c < network->n_traffic_classes; c++)
        if (network->traffic_classes[c].routing.kind == &weft_routing_minimal) {
            weft_text_add(text, "%-22s %s\n", "minimal routing",
                          known                    ? known
                          : topology->lattice.dims ? "dimension order"
                                                   : "a shortest path");
            return;
        }
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
    add_minimal(text, network);
    add_pattern_endpoints(text, network);
    if (network->jobs)
        add_jobs(text, network);
    if (!network->jobs) {
        weft_text_add(text, "%-22s %.6g hops\n", "mean path", network->mean_hops);
        weft_text_add(text, "%-22s %.6g flits\n", "mean packet", network->mean_flits);
    }
    if (timing->in_cycles && timing->cycle == 1 && timing->flit == 1)
        weft_text_add(text, "%-22s 1 cycle\n", "tick");
    else if (timing->in_cycles)
        weft_text_add(text, "%-22s 1/%lld cycle; a flit takes %lld tick%s\n", "tick",
                      (long long)timing->cycle, (long long)timing->flit,
                      timing->flit == 1 ? "" : "s");
    else
        weft_text_add(text, "%-22s %.6g ps; a flit takes %lld tick%s, a cycle %lld\n", "tick",
                      timing->tick_ps, (long long)timing->flit, timing->flit == 1 ? "" : "s",
                      (long long)timing->cycle);
    if (network->jobs)
        return;
    weft_text_add(text, "%-22s load %.6g, rho %.6g, %.6g %s per endpoint\n", "offered",
                  network->load, network->rho, network->rate, network->rate_unit);
    weft_theory_describe(network, text);
}

/* Who may use which virtual channels. */
static void add_vcs(weft_text *text, const weft_buffering *b)
{
    weft_text_add(text, "%-22s %u", "virtual channels", b->vcs);
    if (!b->dateline && b->groups > 1) {
        weft_text_add(text,
                      ": up to %u classes on a link, for packets at different stages of their way",
                      b->groups);
        if (b->open)
            weft_text_add(text, ", beside %u open to all", b->open);
        weft_text_add(text, "\n");
        return;
    }
    if (b->open)
        weft_text_add(text, ": %u open to all packets, %u for the escape path", b->open,
                      b->classes ? b->crossing + b->rest : b->rest);
    if (b->classes)
        weft_text_add(text, "%s %u for packets that will pass a dateline, %u for the others",
                      b->open ? ", of these" : ":", b->crossing, b->rest);
    weft_text_add(text, "\n");
}

/* A time in the scenario's unit. */
static double shown(const weft_network *network, weft_time ticks)
{
    return weft_timing_value(&network->timing, (double)ticks);
}

/* How far credits travel, and whether a buffer lasts until they are back. */
static void add_buffers(weft_text *text, const weft_network *network, const weft_buffering *b)
{
    const char *unit = b->by_packet ? "packets" : "flits",
               *time = weft_timing_unit(&network->timing);
    weft_text_add(text, "%-22s %lld %s for every virtual channel of %u inputs", "buffers",
                  (long long)b->capacity, unit, b->inputs);
    if (b->shared)
        weft_text_add(text, ", and %lld for those of an input together", (long long)b->shared);
    weft_text_add(text, "\n%-22s %.6g %s: %.6g from router to router, %.6g for a %s\n",
                  "round trip", shown(network, b->hop + b->credit), time, shown(network, b->hop),
                  shown(network, b->credit), b->pauses ? "pause" : "credit");
    if (b->pauses)
        weft_text_add(text,
                      "%-22s at %lld %s, resume at %lld; up to %lld may come after it: lossless\n",
                      "pause", (long long)b->xoff, unit, (long long)b->xon, (long long)b->headroom);
    if (network->topology.links == 0)
        return;
    if ((b->pauses ? b->xon : b->capacity + b->shared) >= b->needed)
        weft_text_add(text,
                      "%-22s yes: one virtual channel can keep a link busy (from %s%lld %s on)\n",
                      "covered", b->pauses ? "an xon of " : "", (long long)b->needed, unit);
    else
        weft_text_add(
            text,
            "%-22s no: packets of %u flits need %s%lld %s for one virtual channel to keep a "
            "link busy\n",
            "covered", b->longest, b->pauses ? "an xon of " : "", (long long)b->needed, unit);
}

/* What only the simulator's devices know. */
static void add_devices(weft_text *text, const weft_network *network, bool thorough)
{
    weft_platform platform;
    weft_buffering b;
    weft_platform_init(&platform, network);
    weft_buffering_look(&b, &platform);
    if (b.finite) {
        add_vcs(text, &b);
        add_buffers(text, network, &b);
    }
    weft_check_deadlock(text, network, &b, thorough);
    double window = shown(network, platform.router->lookahead(&platform));
    bool one = network->timing.in_cycles && window == 1;
    weft_text_add(text, "%-22s %.6g %s%s\n", "window", window,
                  one ? "cycle" : weft_timing_unit(&network->timing),
                  b.credit_bound ? ", bound by credits (router.credit)" : "");
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

static void add_router_bytes(weft_text *text, const weft_network *network, int64_t bytes)
{
    weft_platform platform;
    weft_extra extra[WEFT_EXTRAS_MAX];
    weft_platform_init(&platform, network);
    size_t count = weft_buffering_extras(&platform, extra);
    weft_text_add(text, "%-22s %lld B", "per router at rest", (long long)bytes);
    for (size_t i = 0; i < count; i++)
        weft_text_add(text, "%s %lld B for %s", i ? "," : ", of these", (long long)extra[i].bytes,
                      extra[i].name);
    weft_text_add(text, "\n");
}

/* What the run is spread over, and why not over all the threads that were allowed. */
static void add_spread(weft_text *text, const weft_cost *cost, int64_t allowed)
{
    if (cost->ranks * cost->threads > 1)
        weft_text_add(text, "%-22s %u rank%s, %u thread%s each\n", "runs on", cost->ranks,
                      cost->ranks > 1 ? "s" : "", cost->threads, cost->threads > 1 ? "s" : "");
    if (allowed > cost->threads)
        weft_text_add(text, "%-22s %u of %lld allowed: more would not pay or are not free\n",
                      "threads", cost->threads, (long long)allowed);
}

static void add_cost(weft_text *text, const weft_network *network, const weft_cost *cost,
                     uint32_t members, int64_t threads)
{
    weft_error refusal = {0};
    weft_text_add(text, "\n# cost\n");
    if (weft_network_ready(network, true, &refusal) != WEFT_OK)
        weft_text_add(text, "%-22s refused: %s\n", "run", refusal.text);
    weft_text_add(text, "%-22s %u\n", "blocks", cost->blocks);
    add_spread(text, cost, threads);
    add_router_bytes(text, network, cost->bytes_per_router);
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
                           .threads = weft_study_threads(s->study, network, ranks)};
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
    add_devices(out, &point.network, s->study->options.thorough);
    weft_check_fabric(out, &point.network, s->study->options.thorough);
    add_cost(out, &point.network, &cost, s->members, s->study->options.threads);
    weft_study_point_close(&point);
    return WEFT_OK;
}

/* What all points take, and that they are sound. */
static weft_status look_at_all(survey *s, size_t points, weft_error *err)
{
    s->study->at_once = s->members > 1 ? 1 : weft_beside_most(s->study, points);
    return weft_beside_estimate(s->study, s->members, s->items, &s->threads, err);
}

/* How many points there are, and how many run at a time. */
static void add_points(weft_text *text, const weft_study *study, size_t points)
{
    weft_text_add(text, "%-22s %zu", "points", points);
    if (study->at_once > 1)
        weft_text_add(text, ", %u at a time", study->at_once);
    weft_text_add(text, "\n");
}

weft_status weft_study_check(weft_study *study, char **text, weft_error *err)
{
    size_t points = weft_plan_points(study->plan);
    survey s = {.study = study, .members = weft_comm_size(study->comm), .threads = 1};
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
        uint32_t members = s.members * study->at_once;
        add_points(&out, study, points);
        add_time(&out, weft_schedule_makespan(members, points, s.items),
                 (points > 1 ? members : s.items[0].width) * s.threads);
        weft_text_add(&out, "%-22s %s\n", "results", study->results);
        *text = weft_text_take(&out);
    } else {
        weft_text_done(&out);
    }
    free(s.items);
    return status;
}
