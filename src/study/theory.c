/* SPDX-License-Identifier: Apache-2.0 */
#include "study/theory.h"

#include "interop/summary.h"
#include "net/naming.h"
#include "sim/platform.h"
#include "sim/zero_load.h"

#include <math.h>
#include <stdlib.h>

typedef struct theory {
    weft_platform platform;
    weft_bounds bounds;
} theory;

/* partition: one more to look for cuts with; NULL: none. */
static void find(theory *t, const weft_network *network, uint64_t budget,
                 const weft_router_partition *partition)
{
    weft_platform_init(&t->platform, network);
    weft_bounds_plan plan = weft_zero_load_plan(&t->platform, budget);
    plan.partition = partition;
    weft_bounds_find(&t->bounds, network, &plan);
}

static const char *const methods[WEFT_BOUNDS][2] = {
    /* sampled, or not */
    [WEFT_BOUND_INJECTION] = {"model: injection, sampled", "bound: injection"},
    [WEFT_BOUND_EJECTION] = {"model: ejection, sampled", "bound: ejection"},
    [WEFT_BOUND_LINK] = {"model: channel load, sampled", "bound: channel load"},
    [WEFT_BOUND_DIMENSION] = {"model: dimension, sampled", "bound: dimension"},
    [WEFT_BOUND_CUT] = {"model: cut, sampled", "bound: cut"},
    [WEFT_BOUND_BISECTION] = {"model: bisection, sampled", "bound: bisection"},
    [WEFT_BOUND_CAPACITY] = {"model: capacity, sampled", "bound: capacity"},
};

/* Without the roundings of long sums: nine digits behind the point, more of small values and
 * fewer of great ones. */
static double tidy(double value)
{
    double parts = value < 1 ? 1e12 : value < 1e4 ? 1e9 : 1e6;
    return value < 1e9 ? (double)(int64_t)(value * parts + 0.5) / parts : value;
}

static weft_metric row(const char *name, const char *of, bool bound, double value, const char *unit)
{
    return (weft_metric){.name = name,
                         .of = of,
                         .by = bound ? "bound" : "model",
                         .value = tidy(value),
                         .lo = NAN,
                         .hi = NAN,
                         .unit = unit};
}

static size_t add_latency(const theory *t, weft_zero_load zero_load, const char *of,
                          weft_metric *rows)
{
    const weft_timing *timing = &t->platform.network->timing;
    if (zero_load.ticks <= 0)
        return 0;
    *rows = row("latency", of, true, weft_timing_value(timing, zero_load.ticks),
                weft_timing_unit(timing));
    rows->method = zero_load.exact ? "bound: zero load" : "bound: zero load, about";
    return 1;
}

size_t weft_theory_rows(const weft_network *network, weft_metric *rows)
{
    theory t;
    find(&t, network, WEFT_BOUNDS_QUICK, NULL);
    size_t count = 0;
    if (t.bounds.throughput > 0) {
        rows[count] = row("accepted", "", t.bounds.exact, t.bounds.throughput, "fraction");
        rows[count++].method = methods[t.bounds.binding][t.bounds.exact];
    }
    count += add_latency(&t, weft_zero_load_all(&t.platform, &t.bounds), "", rows + count);
    for (uint32_t f = 0; f < network->n_traffic_classes && network->n_traffic_classes > 1; f++)
        count += add_latency(&t, weft_zero_load_traffic_class(&t.platform, &t.bounds, f),
                             network->traffic_classes[f].name, rows + count);
    return count;
}

double weft_theory_bound(const weft_network *network)
{
    theory t;
    find(&t, network, WEFT_BOUNDS_QUICK, NULL);
    return t.bounds.proven;
}

/* What is always busy at the bound. */
static void name_link(const theory *t, weft_text *text)
{
    const weft_network *network = t->platform.network;
    const weft_channel_load *load = &t->bounds.load;
    char name[WEFT_LINK_NAME_BYTES];
    weft_naming_link(&network->topology, load->router, load->port, name);
    double gamma = load->busiest / network->load;
    if (load->fold == WEFT_FOLD_NONE)
        weft_text_add(text, "link %s saturates first (channel load %.6g)", name, gamma);
    else
        weft_text_add(text, "%s like %s saturate first (channel load %.6g%s)",
                      load->fold == WEFT_FOLD_PORTS ? "all links" : "links", name, gamma,
                      load->whole ? "" : ", on average");
}

static void name_cut(const weft_topology *topology, const weft_cut *cut, weft_text *text)
{
    static const char *const sides[2][2] = {{"from the lower half of dimension ", " to the upper"},
                                            {"from the upper half of dimension ", " to the lower"}};
    const char *way = cut->into ? "into" : "out of";
    bool upper = (cut->part == 1) != cut->into;
    char name[WEFT_NAME_BYTES];
    weft_naming_place(topology, cut->edge_router, name);
    weft_text_add(text, "all links ");
    switch (cut->kind) {
    case WEFT_CUT_ROUTERS:
        weft_naming_place(topology, cut->part, name);
        weft_text_add(text, "%s router %s", way, name);
        break;
    case WEFT_CUT_GROUPS:
        weft_text_add(text, "%s group %u of %u routers", way, cut->part, cut->size);
        break;
    case WEFT_CUT_SUBTREES:
        weft_text_add(text, "%s the subtree of router %s below level %u", way, name, cut->size + 1);
        break;
    case WEFT_CUT_DIMENSION:
        weft_text_add(text, "%s%u%s", sides[upper][0], cut->size, sides[upper][1]);
        break;
    case WEFT_CUT_PLANES:
        weft_text_add(text, "%s the plane of router %s across dimension %u", way, name, cut->size);
        break;
    case WEFT_CUT_ROWS:
        weft_text_add(text, "%s the row of router %s along dimension %u", way, name, cut->size);
        break;
    case WEFT_CUT_HALVES:
    case WEFT_CUT_GIVEN:
        weft_text_add(text, "%s the half of the network with router %s", way, name);
        break;
    }
    weft_text_add(text, " saturate under any routing");
}

static void name_receiver(const weft_topology *topology, uint32_t endpoint, weft_text *text)
{
    const char *name = weft_naming_host(topology, endpoint);
    if (name)
        weft_text_add(text, "the reception port of %s saturates first", name);
    else
        weft_text_add(text, "the reception port of endpoint %u saturates first", endpoint);
}

static void add_reason(const theory *t, weft_text *text)
{
    const weft_channel_load *load = &t->bounds.load;
    switch (t->bounds.binding) {
    case WEFT_BOUND_INJECTION:
        weft_text_add(text, "injection ports saturate");
        break;
    case WEFT_BOUND_EJECTION:
        if (load->known && load->fold != WEFT_FOLD_PORTS)
            name_receiver(&t->platform.network->topology, load->receiver, text);
        else
            weft_text_add(text, "reception ports saturate");
        break;
    case WEFT_BOUND_LINK:
    case WEFT_BOUND_DIMENSION:
        name_link(t, text);
        break;
    case WEFT_BOUND_CUT:
        name_cut(&t->platform.network->topology, &t->bounds.cut, text);
        break;
    case WEFT_BOUND_BISECTION:
        weft_text_add(text, "the links between its halves saturate");
        break;
    case WEFT_BOUND_CAPACITY:
    case WEFT_BOUNDS:
        weft_text_add(text, "all links saturate (rho 1)");
        break;
    }
}

/* The others that are known, the binding one aside. */
static void add_others(const theory *t, weft_text *text)
{
    bool any = false;
    for (int k = 0; k < WEFT_BOUNDS; k++)
        if (t->bounds.of[k] > 0 && k != (int)t->bounds.binding) {
            if (!any)
                weft_text_add(text, "\n%-22s ", "other bounds");
            weft_text_add(text, "%s%s %.6g", any ? ", " : "", weft_bound_names[k], t->bounds.of[k]);
            any = true;
        }
}

static void add_throughput(const theory *t, weft_text *text)
{
    const weft_network *network = t->platform.network;
    const weft_channel_load *load = &t->bounds.load;
    double most = t->bounds.throughput;
    if (!load->known)
        weft_text_add(text, "%-22s not computed: %llu pairs of routers\n", "channel load",
                      (unsigned long long)load->pairs);
    else if (!load->whole && load->fold == WEFT_FOLD_NONE)
        weft_text_add(text, "%-22s not defined: the routing is adaptive\n", "channel load");
    if (most <= 0)
        return;
    weft_text_add(text,
                  "%-22s %s%.6g: ", t->bounds.exact ? "throughput bound" : "throughput estimate",
                  t->bounds.exact ? "" : "about ", most);
    add_reason(t, text);
    add_others(t, text);
    weft_text_add(text, "\n");
    if (network->load > most * (1 + 1e-9))
        weft_text_add(text, "%-22s this point saturates\n", "");
}

void weft_theory_describe(const weft_network *network, weft_text *text)
{
    theory t;
    uint32_t *part = weft_summary_halves(&network->topology);
    weft_router_partition halves = {.kind = WEFT_CUT_GIVEN, .n_parts = 2, .part = part};
    find(&t, network, WEFT_BOUNDS_LONG, part ? &halves : NULL);
    free(part);
    add_throughput(&t, text);
    weft_zero_load zero_load = weft_zero_load_all(&t.platform, &t.bounds);
    if (zero_load.ticks > 0)
        weft_text_add(text, "%-22s %s%.6g %s\n", "zero-load latency",
                      zero_load.exact     ? ""
                      : zero_load.sampled ? "about "
                                          : "at least ",
                      weft_timing_value(&network->timing, zero_load.ticks),
                      weft_timing_unit(&network->timing));
}
