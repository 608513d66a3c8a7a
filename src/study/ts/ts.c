/* SPDX-License-Identifier: Apache-2.0 */
/* ts on the kernel: its options become a scenario, the scenario an instance. ts has neither warm-up
 * nor batches, so nothing is sampled: the instance is run to its end and counted once. Its clock
 * jumps from event to event; it ends with all events of the first time after maxst. */
#include "interweft/ts.h"

#include "base/memory.h"
#include "base/text.h"
#include "config/scenario.h"
#include "sim/platform.h"
#include "study/catalog.h"
#include "study/ts/ts_debug.h"
#include "study/ts/ts_trace.h"

#include <stdlib.h>
#include <string.h>

#define STEPS 400 /* in which it is looked whether anybody wants to see progress, or an end */

typedef struct rule {
    const char *routing, *selection;
} rule;

/* a … f; d to f look at free ports only. */
static const rule rules[] = {
    {"minimal-oblivious", "dimension-order"}, {"minimal-oblivious", "random"},
    {"minimal-oblivious", "proportional-ts"}, {"minimal-adaptive", "dimension-order"},
    {"minimal-adaptive", "random"},           {"minimal-adaptive", "proportional-ts"},
};

weft_ts_options weft_ts_defaults(void)
{
    return (weft_ts_options){
        .d = 3, .k = 4, .rule = 'a', .cht = 100, .bl = 10000, .lambda = 0.01, .maxst = 1000000};
}

static weft_status check(const weft_ts_options *options, weft_error *err)
{
    const struct {
        const char *name;
        int64_t value, least, most;
    } wholes[] = {
        {"d", options->d, 1, WEFT_DIMS_MAX},           {"k", options->k, 2, 65535},
        {"cht", options->cht, 1, 1000000000},          {"bl", options->bl, 0, 1000000000},
        {"maxst", options->maxst, 1, INT64_MAX >> 16}, {"seed", options->seed, 0, INT64_MAX},
        {"dbg", options->dbg, 0, INT32_MAX},
    };
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        if (wholes[i].value < wholes[i].least || wholes[i].value > wholes[i].most)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "%s must be a whole number from %lld to %lld, found %lld",
                             wholes[i].name, (long long)wholes[i].least, (long long)wholes[i].most,
                             (long long)wholes[i].value);
    if (options->rule < 'a' || options->rule > 'f')
        return weft_fail(err, WEFT_BAD_INPUT, "r must be a rule from a to f, found '%c'",
                         options->rule);
    if (!(options->lambda >= 1e-12 && options->lambda <= 1000))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "lambda must be a rate from 1e-12 to 1000 packets per mtu, found %g",
                         options->lambda);
    return WEFT_OK;
}

weft_status weft_ts_scenario(const weft_ts_options *options, char **text, weft_error *err)
{
    WEFT_TRY(check(options, err));
    const rule *by = &rules[options->rule - 'a'];
    weft_text out;
    weft_text_init(&out);
    weft_text_add(&out, "interweft: 1\ntitle: ts, rule %c\nseed: %lld\nclock: 1 GHz\n",
                  options->rule, (long long)(options->seed ? options->seed : 1));
    weft_text_add(&out, "topology: {kind: torus, dims: [");
    for (int64_t d = 0; d < options->d; d++)
        weft_text_add(&out, "%s%lld", d ? ", " : "", (long long)options->k);
    weft_text_add(&out,
                  "], tie: wrap}\n"
                  "links: {rate: %.17g flits/cycle}\n"
                  "router: {kind: shared-queue, queue: [%lld], order: event-list}\n"
                  "endpoint: {reception: unlimited}\n"
                  "routing: {kind: %s, selection: %s}\n"
                  "traffic: {all: {arrival: {kind: poisson, gaps: truncated}, length: 1 flits, "
                  "rate: %.17g}}\n",
                  1 / (double)options->cht, (long long)options->bl, by->routing, by->selection,
                  options->lambda * 1e9);
    weft_text_add(&out,
                  "measure: {by: hops, warmup: 0 cycles, half-width: 0.0001%%, "
                  "limit: {time: %lld cycles}}\n",
                  (long long)options->maxst);
    *text = weft_text_take(&out);
    return WEFT_OK;
}

typedef struct stage { /* what a run is made of */
    const weft_ts_options *options;
    weft_arena arena;
    weft_scenario scenario;
    weft_network network;
    weft_instance instance;
    weft_tally *tallies;
    unsigned threads;
    weft_ts_trace trace;
    weft_ts_debug *debug;
} stage;

static void count_packets(const stage *s, weft_ts_statistics *found)
{
    double per_hop = 0;
    int64_t hops = 0, latency = 0;
    for (unsigned t = 0; t < s->threads; t++) {
        const weft_tally_traffic_class *traffic_class = &s->tallies[t].traffic_classes[0];
        found->generated += traffic_class->generated;
        found->delivered += traffic_class->delivered;
        found->dropped += traffic_class->lost;
        hops += traffic_class->hops;
        latency += traffic_class->latency;
        for (uint32_t h = 1; h <= s->tallies[t].hops_max; h++)
            per_hop += (double)traffic_class->by_hops[h].latency / h;
    }
    double delivered = (double)found->delivered;
    found->hops = (double)hops / delivered;
    found->latency = (double)latency / delivered;
    found->channel_time = per_hop / delivered;
}

static void count_channels(const stage *s, weft_ts_statistics *found)
{
    const weft_topology *topology = &s->network.topology;
    for (uint32_t i = 0; i < s->instance.n_sites; i++) {
        const weft_site *site = &s->instance.sites[i];
        found->queued += weft_sq_held(site);
        for (uint32_t r = 0; r < site->routers; r++)
            for (uint32_t p = 0; p < topology->ports; p++)
                found->transmissions +=
                    weft_sq_done(site, r, p, s->network.timing.flit, found->time);
    }
    double channels = (double)topology->routers * 2 * (double)s->options->d; /* for k = 2 too */
    double time = (double)found->time, busy = (double)(found->transmissions * s->options->cht);
    found->performance = (double)found->delivered / time;
    found->load = busy / (time * channels) * 100;
}

typedef struct search {
    weft_time now, next;
} search;

static void look_at_event(void *user, uint32_t block, weft_time at, const weft_event *event)
{
    search *s = user;
    (void)block, (void)event;
    s->next = at < s->next ? at : s->next;
}

/* The time of the next event: a packet on its way, or one that will be generated. */
static weft_time next_event(const weft_instance *instance)
{
    search s = {.now = weft_engine_now(instance->engine), .next = INT64_MAX};
    weft_engine_visit(instance->engine, look_at_event, &s);
    for (uint32_t i = 0; i < instance->n_sites; i++)
        for (uint32_t k = 0; k < instance->sites[i].sources; k++) {
            const weft_cursor *head = &instance->sites[i].head[k];
            weft_time at = weft_fine_time_tick(head->at);
            s.next = head->live && at < s.next ? at : s.next;
        }
    return s.next;
}

static void report(const stage *s, weft_time now)
{
    const weft_ts_options *options = s->options;
    double packets = 0;
    if (!options->progress)
        return;
    for (unsigned t = 0; t < s->threads; t++)
        packets += (double)s->tallies[t].traffic_classes[0].delivered;
    options->progress(options->user, &(weft_progress){.point = 1,
                                                      .points = 1,
                                                      .key = "",
                                                      .share = (double)now / (double)options->maxst,
                                                      .packets = packets,
                                                      .time = now,
                                                      .latency = __builtin_nan("")});
}

/* From the start to the end of ts' clock. */
static weft_status drive(const stage *s, weft_ts_statistics *found, weft_error *err)
{
    const weft_ts_options *options = s->options;
    weft_time end = options->maxst + 1, step = options->maxst / STEPS + 1;
    for (weft_time now = 0; now < end; now = weft_engine_now(s->instance.engine)) {
        if (options->request && options->request(options->user) == WEFT_REQUEST_STOP)
            return weft_fail(err, WEFT_STOPPED, "stopped at simulation time %lld", (long long)now);
        weft_engine_run(s->instance.engine, end - now < step ? end : now + step);
        report(s, now);
    }
    found->time = next_event(&s->instance);
    weft_engine_run(s->instance.engine, found->time + 1);
    return WEFT_OK;
}

/* dbg 1 and 2 print lines of our own, 3 and above those of ts. */
static void open_trace(stage *s, weft_trace *trace)
{
    const weft_ts_options *options = s->options;
    s->trace = (weft_ts_trace){.instance = &s->instance,
                               .queues = options->dbg > 1,
                               .line = options->line,
                               .user = options->user};
    *trace = (weft_trace){.note = weft_ts_note, .user = &s->trace};
    if (options->dbg <= 2)
        return;
    s->debug = weft_ts_debug_create(&s->instance, options);
    *trace = (weft_trace){.note = weft_ts_debug_note, .user = s->debug};
}

/* The network is there. */
static weft_status run_instance(stage *s, weft_ts_statistics *found, weft_error *err)
{
    const weft_ts_options *options = s->options;
    weft_instance_plan plan = {
        .blocks = (uint32_t)options->blocks, .threads = s->threads, .tallies = s->tallies};
    weft_trace trace = {0};
    if (options->dbg > 0) {
        plan.trace = &trace;
        plan.blocks = 1;
    }
    WEFT_TRY(weft_instance_open(&s->instance, &s->network, &plan, err));
    weft_instance_start(&s->instance);
    if (options->dbg > 0)
        open_trace(s, &trace);
    weft_status status = drive(s, found, err);
    if (s->debug)
        weft_ts_debug_finish(s->debug);
    if (status == WEFT_OK) {
        count_packets(s, found);
        count_channels(s, found);
    }
    weft_ts_debug_destroy(s->debug);
    weft_instance_close(&s->instance);
    return status;
}

static weft_status run_network(stage *s, weft_ts_statistics *found, weft_error *err)
{
    uint32_t hops = weft_platform_hops_max(&s->network);
    s->tallies = weft_alloc(sizeof *s->tallies * s->threads);
    for (unsigned t = 0; t < s->threads; t++)
        weft_tally_init(&s->tallies[t], 1, hops, WEFT_BY_HOPS);
    weft_status status = run_instance(s, found, err);
    for (unsigned t = 0; t < s->threads; t++)
        weft_tally_done(&s->tallies[t]);
    free(s->tallies);
    return status;
}

static weft_status build(stage *s, const char *text, const weft_catalog *catalog, weft_error *err)
{
    weft_plan *plan;
    WEFT_TRY(weft_plan_read_text("ts", text, strlen(text), NULL, weft_catalog_registry(catalog),
                                 &s->arena, &plan, err));
    WEFT_TRY(weft_plan_point(plan, 0, &s->arena, &s->scenario, err));
    return weft_network_build(&s->network, &s->scenario, &s->arena, err);
}

weft_status weft_ts_run(const weft_ts_options *options, const weft_catalog *catalog,
                        weft_ts_statistics *statistics, weft_error *err)
{
    bool alone = options->dbg > 0 || options->threads < 1;
    stage s = {.options = options, .threads = alone ? 1 : (unsigned)options->threads};
    char *text;
    *statistics = (weft_ts_statistics){0};
    WEFT_TRY(weft_ts_scenario(options, &text, err));
    weft_arena_init(&s.arena);
    weft_status status = build(&s, text, catalog, err);
    free(text);
    if (status == WEFT_OK) {
        status = run_network(&s, statistics, err);
        weft_network_done(&s.network);
    }
    weft_arena_done(&s.arena);
    return status;
}
