/* SPDX-License-Identifier: Apache-2.0 */
/* What a study would do, without doing it. */
#include "base/text.h"
#include "study/conductor.h"

static void add_bytes(weft_text *text, const char *name, int64_t bytes)
{
    if (bytes >= (int64_t)1 << 30)
        weft_text_add(text, "%-22s %.2f GiB\n", name, (double)bytes / (1 << 30));
    else
        weft_text_add(text, "%-22s %.1f MiB\n", name, (double)bytes / (1 << 20));
}

static void add_time(weft_text *text, const char *name, double seconds)
{
    if (seconds < 120)
        weft_text_add(text, "%-22s about %.1f s on one core\n", name, seconds);
    else if (seconds < 7200)
        weft_text_add(text, "%-22s about %.0f min on one core\n", name, seconds / 60);
    else
        weft_text_add(text, "%-22s about %.1f h on one core\n", name, seconds / 3600);
}

/* The first point, whole. */
static void add_network(weft_text *text, const weft_network *network, const weft_cost *cost)
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
    weft_text_add(text, "\n# cost\n");
    weft_text_add(text, "%-22s %u\n", "blocks", cost->blocks);
    weft_text_add(text, "%-22s %lld B\n", "per router at rest", (long long)cost->bytes_per_router);
    add_bytes(text, "memory at rest", cost->bytes_at_rest);
    add_bytes(text, "memory while running", cost->bytes_running);
}

weft_status weft_study_check(weft_study *study, char **text, weft_error *err)
{
    weft_text out;
    weft_text_init(&out);
    size_t points = weft_plan_points(study->plan);
    double total = 0;
    for (size_t i = 0; i < points; i++) {
        weft_arena arena;
        weft_arena_init(&arena);
        weft_scenario *scenario = WEFT_TAKE(&arena, weft_scenario, 1);
        weft_network *network = WEFT_TAKE(&arena, weft_network, 1);
        weft_status status = weft_study_network(study, i, &arena, scenario, network, err);
        if (status == WEFT_OK) {
            weft_cost cost = weft_simulation_cost(network, (uint32_t)study->options.blocks);
            total += cost.seconds;
            if (i == 0) {
                weft_text_add(&out, "# settings as understood%s\n%s",
                              points > 1 ? ", first point" : "", scenario->text);
                add_network(&out, network, &cost);
            }
            status = weft_study_afford(study, network, study->crew ? study->crew->size : 1, err);
            weft_network_done(network);
        }
        weft_arena_done(&arena);
        if (status != WEFT_OK) {
            weft_text_done(&out);
            return status;
        }
    }
    weft_text_add(&out, "%-22s %zu\n", "points", points);
    add_time(&out, "time", total);
    weft_text_add(&out, "%-22s %s\n", "results", study->results);
    *text = weft_text_take(&out);
    return WEFT_OK;
}
