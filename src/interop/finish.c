/* SPDX-License-Identifier: Apache-2.0 */
/* From an import graph to a fabric. Routers come in an order in which ranges of numbers are good
 * parts (blocks of a simulation are such ranges): the leaves of METIS' recursive bisection,
 * first those with hosts, then the others, each in that order. Ports of one number have links of
 * one class at all routers. */
#include "interop/import_graph.h"

#include "base/memory.h"
#include "interop/graph.h"

#include <stdlib.h>

#define NEAR 16u /* weight of the shortest links, when parts are cut */

typedef struct work {
    weft_import_graph *import_graph;
    const weft_import_graph_options *options;
    weft_weftnet *net;
    weft_text *notes;
    uint32_t *number; /* of a router of the import graph in the fabric */
} work;

static const weft_link_class ranked[] = {WEFT_LINK_LOCAL, WEFT_LINK_REGIONAL, WEFT_LINK_GLOBAL};
static const char *const ranked_names[] = {"local", "regional", "global"};

/* ---- is it one piece? ---- */

static uint32_t root_of(uint32_t *parent, uint32_t at)
{
    while (parent[at] != at)
        at = parent[at] = parent[parent[at]];
    return at;
}

static weft_status check_whole(const weft_import_graph *import_graph, weft_error *err)
{
    if (import_graph->n_routers == 0)
        return weft_fail(err, WEFT_BAD_INPUT, "%.1024s has no routers", import_graph->file);
    uint32_t *parent = weft_alloc(sizeof *parent * import_graph->n_routers), cut = 0;
    for (uint32_t r = 0; r < import_graph->n_routers; r++)
        parent[r] = r;
    for (uint32_t c = 0; c < import_graph->n_cables; c++)
        parent[root_of(parent, import_graph->cables[c].end[0].router)] =
            root_of(parent, import_graph->cables[c].end[1].router);
    while (cut < import_graph->n_routers && root_of(parent, cut) == root_of(parent, 0))
        cut++;
    free(parent);
    if (cut == import_graph->n_routers)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%.1024s is in pieces: there is no way from router %s to router %s",
                     import_graph->file, weft_import_graph_name(import_graph, 0),
                     weft_import_graph_name(import_graph, cut));
}

/* ---- hosts ---- */

static void settle_hosts(const work *w)
{
    weft_import_graph *import_graph = w->import_graph;
    for (uint32_t r = 0; r < import_graph->n_routers; r++) {
        uint32_t *hosts = &import_graph->routers[r].hosts;
        if (!import_graph->hosts_given)
            *hosts = 1;
        if (*hosts > 0 && w->options->hosts > 0)
            *hosts = w->options->hosts;
    }
    if (!import_graph->hosts_given && w->options->hosts == 0)
        weft_text_add(w->notes, "no hosts are named: every router has one (--hosts N for more)\n");
}

/* ---- classes of links ---- */

/* Is none given, and are there two or three latencies? Those, ascending; returns how many. */
static uint32_t latencies_as_classes(const weft_import_graph *import_graph, uint32_t latency[3])
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < import_graph->n_cables; c++) {
        uint32_t one = import_graph->cables[c].latency, i = 0;
        if (import_graph->cables[c].class != WEFT_NO_CLASS || one == 0)
            return 0;
        while (i < count && latency[i] < one)
            i++;
        if (i < count && latency[i] == one)
            continue;
        if (count == 3)
            return 0;
        for (uint32_t j = count++; j > i; j--)
            latency[j] = latency[j - 1];
        latency[i] = one;
    }
    return count > 1 ? count : 0;
}

static void settle_classes(const work *w)
{
    weft_import_graph *import_graph = w->import_graph;
    uint32_t latency[3] = {0}, classes = latencies_as_classes(import_graph, latency);
    for (uint32_t i = 0; i < 3 && i < classes; i++) {
        uint32_t step = i + 1 == classes ? 2 : i; /* the longest are global */
        for (uint32_t c = 0; c < import_graph->n_cables; c++)
            if (import_graph->cables[c].latency == latency[i])
                import_graph->cables[c].class = ranked[step];
        weft_text_add(w->notes, "links of latency %u are of class %s\n", latency[i],
                      ranked_names[step]);
    }
    for (uint32_t c = 0; c < import_graph->n_cables; c++)
        if (import_graph->cables[c].class == WEFT_NO_CLASS)
            import_graph->cables[c].class = WEFT_LINK_LOCAL;
    for (uint32_t c = 0; c < import_graph->n_cables; c++)
        if (import_graph->cables[c].latency > 0) {
            weft_text_add(w->notes, "a simulation takes the latencies of the file, in cycles\n");
            break;
        }
}

/* ---- the order of routers ---- */

static weft_status order_by_parts(const weft_import_graph *import_graph, uint32_t *order,
                                  weft_error *err)
{
    uint32_t least = WEFT_LATENCY_MOST;
    weft_graph_edge *edges = weft_alloc(sizeof *edges * import_graph->n_cables + 1);
    weft_graph graph;
    for (uint32_t c = 0; c < import_graph->n_cables; c++)
        if (import_graph->cables[c].latency && import_graph->cables[c].latency < least)
            least = import_graph->cables[c].latency;
    for (uint32_t c = 0; c < import_graph->n_cables;
         c++) { /* long links may be cut rather than short ones */
        const weft_import_graph_cable *cable = &import_graph->cables[c];
        uint32_t weight =
            cable->latency ? (uint32_t)((uint64_t)NEAR * least / cable->latency) : NEAR;
        edges[c] =
            (weft_graph_edge){cable->end[0].router, cable->end[1].router, weight ? weight : 1};
    }
    weft_graph_init(&graph, import_graph->n_routers, edges, import_graph->n_cables);
    free(edges);
    weft_status status = weft_graph_order(&graph, order, err);
    weft_graph_done(&graph);
    return status;
}

static weft_status settle_order(work *w, weft_error *err)
{
    const weft_import_graph *import_graph = w->import_graph;
    uint32_t *order = weft_alloc(sizeof *order * import_graph->n_routers), next = 0;
    weft_status status = WEFT_OK;
    for (uint32_t r = 0; r < import_graph->n_routers; r++)
        order[r] = r;
    if (!w->options->keep_order)
        status = order_by_parts(import_graph, order, err);
    for (int homes = 1; homes >= 0; homes--) {
        for (uint32_t i = 0; i < import_graph->n_routers; i++)
            if ((import_graph->routers[order[i]].hosts > 0) == homes)
                w->number[order[i]] = next++;
        if (homes)
            w->net->homes = next;
    }
    free(order);
    return status;
}

/* ---- ports ---- */

/* The ports of a class start after those that any router has of the classes before it. */
static weft_status start_ports(const work *w, const uint16_t (*degree)[3], uint32_t start[3],
                               weft_error *err)
{
    uint32_t most[3] = {0}, ports = 0;
    for (uint32_t r = 0; r < w->import_graph->n_routers; r++)
        for (int c = 0; c < 3; c++)
            most[c] = degree[r][c] > most[c] ? degree[r][c] : most[c];
    for (int c = 0; c < 3; c++) {
        start[c] = ports;
        ports += most[c];
    }
    w->net->ports = ports;
    if (ports <= WEFT_WEFTNET_PORTS_MAX)
        return WEFT_OK;
    return weft_fail(
        err, WEFT_BAD_INPUT,
        "%.1024s needs %u ports for up to %u local, %u regional and %u global links of "
        "a router, a router has %d: use fewer classes",
        w->import_graph->file, ports, most[0], most[1], most[2], WEFT_WEFTNET_PORTS_MAX);
}

static uint32_t rank_of(uint32_t class)
{
    return class == WEFT_LINK_LOCAL ? 0 : class == WEFT_LINK_REGIONAL ? 1 : 2;
}

static weft_status number_ports(const work *w, weft_error *err)
{
    weft_import_graph *import_graph = w->import_graph;
    uint16_t(*degree)[3] = weft_alloc(sizeof *degree * import_graph->n_routers);
    uint32_t start[3];
    for (uint32_t c = 0; c < import_graph->n_cables; c++)
        for (int e = 0; e < 2; e++) {
            weft_end *end = &import_graph->cables[c].end[e];
            end->port = degree[end->router][rank_of(import_graph->cables[c].class)]++;
        }
    weft_status status = start_ports(w, (const uint16_t(*)[3])degree, start, err);
    for (uint32_t c = 0; c < import_graph->n_cables && status == WEFT_OK; c++)
        for (int e = 0; e < 2; e++)
            import_graph->cables[c].end[e].port += start[rank_of(import_graph->cables[c].class)];
    free(degree);
    return status;
}

static weft_status settle_ports(const work *w, weft_error *err)
{
    const weft_import_graph *import_graph = w->import_graph;
    uint32_t given = 0;
    for (uint32_t c = 0; c < import_graph->n_cables; c++)
        given += import_graph->cables[c].end[0].port != WEFT_NO_PORT_YET;
    if (given == 0)
        return number_ports(w, err);
    if (given < import_graph->n_cables)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.1024s gives ports to %u of its %u cables: give all of them or none",
                         import_graph->file, given, import_graph->n_cables);
    for (uint32_t c = 0; c < import_graph->n_cables; c++)
        for (int e = 0; e < 2; e++)
            if (import_graph->cables[c].end[e].port >= w->net->ports)
                w->net->ports = import_graph->cables[c].end[e].port + 1;
    return WEFT_OK;
}

/* ---- the fabric ---- */

static void fill(const work *w)
{
    weft_import_graph *import_graph = w->import_graph;
    weft_weftnet *net = w->net;
    uint32_t *old = weft_alloc(sizeof *old * import_graph->n_routers);
    net->routers = import_graph->n_routers;
    net->n_cables = import_graph->n_cables;
    net->hosts = weft_alloc(sizeof *net->hosts * net->homes + 1);
    net->cables = weft_alloc(sizeof *net->cables * net->n_cables + 1);
    net->text = weft_alloc(import_graph->text_bytes);
    net->name = weft_alloc(sizeof *net->name * net->routers);
    for (uint32_t r = 0; r < import_graph->n_routers; r++)
        old[w->number[r]] = r;
    for (uint32_t r = 0; r < net->routers; r++) {
        const char *name = weft_import_graph_name(import_graph, old[r]);
        if (r < net->homes)
            net->hosts[r] = import_graph->routers[old[r]].hosts;
        net->name[r] = (uint32_t)net->text_bytes;
        memcpy(net->text + net->text_bytes, name, strlen(name) + 1);
        net->text_bytes += strlen(name) + 1;
    }
    for (uint32_t c = 0; c < net->n_cables; c++) {
        const weft_import_graph_cable *from = &import_graph->cables[c];
        net->cables[c] = (weft_cable){.latency = from->latency, .class = from->class};
        for (int e = 0; e < 2; e++)
            net->cables[c].end[e] =
                (weft_end){.router = w->number[from->end[e].router], .port = from->end[e].port};
    }
    free(old);
}

static bool is_timed(const weft_link_settings *timing)
{
    return timing->rate.unit != WEFT_NO_RATE || timing->latency.unit != WEFT_NO_TIME;
}

/* Rates and latencies with units, if there are any. */
static void fill_timing(const work *w)
{
    const weft_import_graph *import_graph = w->import_graph;
    weft_weftnet *net = w->net;
    bool timed = false;
    for (uint32_t c = 0; c < net->n_cables; c++)
        timed = timed || is_timed(&import_graph->cables[c].timing);
    for (uint32_t r = 0; r < net->routers; r++)
        timed = timed || is_timed(&import_graph->routers[r].timing);
    if (!timed)
        return;
    net->timing = weft_alloc(sizeof *net->timing * (net->n_cables + net->homes));
    for (uint32_t c = 0; c < net->n_cables; c++)
        net->timing[c] = import_graph->cables[c].timing;
    for (uint32_t r = 0; r < net->routers; r++)
        if (w->number[r] < net->homes)
            net->timing[net->n_cables + w->number[r]] = import_graph->routers[r].timing;
}

weft_status weft_import_graph_finish(weft_import_graph *import_graph,
                                     const weft_import_graph_options *options, weft_weftnet *net,
                                     weft_text *notes, weft_error *err)
{
    *net = (weft_weftnet){0};
    WEFT_TRY(check_whole(import_graph, err));
    if (import_graph->text_bytes > UINT32_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "%.1024s has names of more than 4 GiB",
                         import_graph->file);
    work w = {.import_graph = import_graph, .options = options, .net = net, .notes = notes};
    w.number = weft_alloc(sizeof *w.number * import_graph->n_routers);
    settle_hosts(&w);
    settle_classes(&w);
    weft_status status = settle_order(&w, err);
    if (status == WEFT_OK)
        status = settle_ports(&w, err);
    if (status == WEFT_OK) {
        fill(&w);
        fill_timing(&w);
    }
    free(w.number);
    WEFT_TRY(status);
    const char *flaw = weft_weftnet_flaw(net);
    if (!flaw)
        return WEFT_OK;
    weft_weftnet_done(net);
    return weft_fail(err, WEFT_BAD_INPUT, "%.1024s makes no fabric: %s", import_graph->file, flaw);
}
