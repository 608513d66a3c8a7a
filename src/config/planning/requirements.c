/* SPDX-License-Identifier: Apache-2.0 */
#include "config/planning/requirements.h"

#include "base/text.h"
#include "config/describe/print.h"
#include "config/edit.h"
#include "config/include.h"
#include "config/override.h"

#include <string.h>

#define NO_MORE 0, 0, NULL, NULL
#define MONEY   0, 1e12, NULL, NULL
#define WATTS   0, 1e9, NULL, NULL
#define METRES  0, 1e5, NULL, NULL
#define END          \
    {                \
        .name = NULL \
    }

/* switch */
#define IN_SWITCH(member) offsetof(weft_switch_settings, member)
static const weft_param switch_params[] = {
    {"ports", "ports of a switch", WEFT_PARAM_INT, IN_SWITCH(ports), "64", 4, 1024, NULL, NULL},
    {"rate", "bandwidth of a port, and of the link of an endpoint", WEFT_PARAM_RATE,
     IN_SWITCH(rate), "400 Gb/s", 1e6, 1e14, NULL, NULL},
    {"latency", "of a switch, from port to port", WEFT_PARAM_DURATION, IN_SWITCH(latency), "200 ns",
     0, 1e9, NULL, NULL},
    END};
static const weft_table switch_table = {.name = "switch",
                                        .brief = "the switch that the fabric is built from",
                                        .params = switch_params,
                                        .offset = offsetof(weft_requirements, with)};

/* rack */
#define IN_RACK(member) offsetof(weft_rack_settings, member)
static const weft_param rack_params[] = {
    {"endpoints", "endpoints of a rack", WEFT_PARAM_INT, IN_RACK(endpoints), "64", 1, 65536, NULL,
     NULL},
    {"switches", "switches that have room in a rack beside its endpoints", WEFT_PARAM_INT,
     IN_RACK(switches), "8", 0, 1024, NULL, NULL},
    {"network", "switches of a rack that has no endpoints", WEFT_PARAM_INT, IN_RACK(network), "16",
     1, 1024, NULL, NULL},
    {"row", "racks of a row; none: as many as make the floor nearly square", WEFT_PARAM_INT,
     IN_RACK(row), "none", 1, 65536, NULL, NULL},
    {"pitch", "metres from a rack to the next one of its row", WEFT_PARAM_REAL, IN_RACK(pitch),
     "0.6", 0.1, 100, NULL, NULL},
    {"row-pitch", "metres from a row to the next", WEFT_PARAM_REAL, IN_RACK(row_pitch), "2.4", 0.1,
     100, NULL, NULL},
    END};
static const weft_table rack_table = {.name = "rack",
                                      .brief = "what a rack holds and where racks stand",
                                      .params = rack_params,
                                      .offset = offsetof(weft_requirements, rack)};

/* cables */
#define IN_CABLES(member) offsetof(weft_cabling_settings, member)
static const weft_param cable_params[] = {
    {"copper", "reach of a copper cable, metres", WEFT_PARAM_REAL, IN_CABLES(copper), "3", METRES},
    {"optics", "reach of an optical cable, metres; a fabric that needs longer ones is refused",
     WEFT_PARAM_REAL, IN_CABLES(optics), "100", METRES},
    {"inside", "length of a cable between two devices of a rack, metres", WEFT_PARAM_REAL,
     IN_CABLES(inside), "1.5", METRES},
    {"slack", "metres of a cable between racks beside the way along and across the rows",
     WEFT_PARAM_REAL, IN_CABLES(slack), "2", METRES},
    {"lengths", "upper ends of the classes that cables are counted in, metres", WEFT_PARAM_REALS,
     IN_CABLES(lengths), "[2, 3, 5, 10, 20, 50, 100]", 0.1, 1e5, NULL, NULL},
    {"delay", "nanoseconds that a signal takes along a metre", WEFT_PARAM_REAL, IN_CABLES(delay),
     "5", 0, 1000, NULL, NULL},
    END};
static const weft_table cable_table = {.name = "cables",
                                       .brief = "reach and lengths of cables",
                                       .params = cable_params,
                                       .offset = offsetof(weft_requirements, cables)};

/* prices and power: round figures relative to a passive copper cable, 1 */
#define IN_PRICES(member) offsetof(weft_price_settings, member)
static const weft_param price_params[] = {
    {"switch", "of a switch without its ports", WEFT_PARAM_REAL, IN_PRICES(switches), "40", MONEY},
    {"port", "of a port in use, as part of the switch's price", WEFT_PARAM_REAL, IN_PRICES(port),
     "2", MONEY},
    {"copper", "of a copper cable with both of its ends", WEFT_PARAM_REAL, IN_PRICES(copper), "1",
     MONEY},
    {"copper-metre", "of a metre of it", WEFT_PARAM_REAL, IN_PRICES(copper_metre), "0.1", MONEY},
    {"optics", "of an optical cable with the transceivers of both ends", WEFT_PARAM_REAL,
     IN_PRICES(optics), "10", MONEY},
    {"optics-metre", "of a metre of it", WEFT_PARAM_REAL, IN_PRICES(optics_metre), "0.02", MONEY},
    {"rack", "of a rack that has no endpoints", WEFT_PARAM_REAL, IN_PRICES(rack), "20", MONEY},
    END};
static const weft_table price_table = {
    .name = "prices",
    .brief = "in any unit of money; the defaults are round figures in units of a copper cable, "
             "assumed and nobody's offer",
    .params = price_params,
    .offset = offsetof(weft_requirements, prices)};

#define IN_POWER(member) offsetof(weft_power_settings, member)
static const weft_param power_params[] = {
    {"switch", "watts of a switch without its ports", WEFT_PARAM_REAL, IN_POWER(switches), "300",
     WATTS},
    {"port", "watts of a port in use", WEFT_PARAM_REAL, IN_POWER(port), "5", WATTS},
    {"optics", "watts of an optical cable, both ends", WEFT_PARAM_REAL, IN_POWER(optics), "20",
     WATTS},
    END};
static const weft_table power_table = {
    .name = "power",
    .brief = "of the fabric alone, without endpoints; the defaults are round figures, assumed",
    .params = power_params,
    .offset = offsetof(weft_requirements, power)};

/* constraints */
#define IN_CONSTRAINTS(member) offsetof(weft_constraint_settings, member)
#define SHARE                  1e-6, 100, NULL, NULL
static const weft_param constraint_params[] = {
    {"bisection",
     "bandwidth between two halves at least, as a fraction of the bandwidth of the endpoints of "
     "one half",
     WEFT_PARAM_FRACTION, IN_CONSTRAINTS(bisection), "none", SHARE},
    {"uniform", "bound on the load of uniform traffic at least", WEFT_PARAM_FRACTION,
     IN_CONSTRAINTS(uniform), "none", SHARE},
    {"permutation", "bound on the load of the worst permutation at least", WEFT_PARAM_FRACTION,
     IN_CONSTRAINTS(permutation), "none", SHARE},
    {"group", "bound on the load of group-adversarial traffic at least", WEFT_PARAM_FRACTION,
     IN_CONSTRAINTS(group), "none", SHARE},
    {"diameter", "hops between switches at most", WEFT_PARAM_INT, IN_CONSTRAINTS(diameter), "none",
     1, 1000, NULL, NULL},
    {"budget", "cost at most, in the unit of prices", WEFT_PARAM_REAL, IN_CONSTRAINTS(budget),
     "none", 0, 1e15, NULL, NULL},
    {"power", "watts of the fabric at most", WEFT_PARAM_REAL, IN_CONSTRAINTS(power), "none", 0,
     1e12, NULL, NULL},
    {"largest", "endpoints of a fabric at most, as a multiple of those wanted", WEFT_PARAM_REAL,
     IN_CONSTRAINTS(largest), "1.25", 1, 100, NULL, NULL},
    END};
static const weft_table constraint_table = {.name = "constraints",
                                            .brief = "what every fabric must hold",
                                            .params = constraint_params,
                                            .offset = offsetof(weft_requirements, constraints)};

/* faults */
#define IN_FAULTS(member) offsetof(weft_outage_settings, member)
static const weft_param fault_params[] = {
    {"cables", "cables between switches that are down at a time, drawn at random", WEFT_PARAM_INT,
     IN_FAULTS(cables), "0", 0, 100000, NULL, NULL},
    {"switches", "switches that are down at a time, drawn at random", WEFT_PARAM_INT,
     IN_FAULTS(switches), "0", 0, 100000, NULL, NULL},
    {"draws", "random draws", WEFT_PARAM_INT, IN_FAULTS(draws), "100", 2, 100000, NULL, NULL},
    END};
static const weft_table fault_table = {.name = "faults",
                                       .brief = "parts that are down",
                                       .params = fault_params,
                                       .offset = offsetof(weft_requirements, faults)};

#define IN_SPARES(member) offsetof(weft_spare_settings, member)
static const weft_param spare_params[] = {
    {"cables", "failures of one cable in a year", WEFT_PARAM_REAL, IN_SPARES(cables), "0.01", 0,
     1000, NULL, NULL},
    {"switches", "failures of one switch in a year", WEFT_PARAM_REAL, IN_SPARES(switches), "0.02",
     0, 1000, NULL, NULL},
    {"days", "until a part that was ordered has come", WEFT_PARAM_REAL, IN_SPARES(days), "30", 0,
     3650, NULL, NULL},
    {"confidence", "that there is a spare whenever a part fails in that time", WEFT_PARAM_FRACTION,
     IN_SPARES(confidence), "99%", 0.5, 0.999999, NULL, NULL},
    END};
static const weft_table spare_table = {
    .name = "spares",
    .brief = "how often parts fail; the defaults are round figures, assumed",
    .params = spare_params,
    .offset = offsetof(weft_requirements, spares)};

#define IN_SIMULATION(member) offsetof(weft_simulation_settings, member)
static const weft_param simulation_params[] = {
    {"loads", "offered loads of the latency–load curve, ascending", WEFT_PARAM_REALS,
     IN_SIMULATION(loads), "[0.2, 0.4, 0.6, 0.8, 1]", 0.001, 1, NULL, NULL},
    {"packets", "packets of a run for every endpoint", WEFT_PARAM_INT, IN_SIMULATION(packets), "48",
     1, 1000000, NULL, NULL},
    {"least", "packets of a run in all, at least", WEFT_PARAM_INT, IN_SIMULATION(least), "200000",
     1000, 1e12, NULL, NULL},
    {"seeds", "runs of every collective, whose placements are drawn", WEFT_PARAM_INT,
     IN_SIMULATION(seeds), "3", 2, 100, NULL, NULL},
    END};
static const weft_table simulation_table = {.name = "simulation",
                                            .brief = "of the best fabrics",
                                            .params = simulation_params,
                                            .offset = offsetof(weft_requirements, simulation)};

#define IN_ALL(member) offsetof(weft_requirements, member)
static const weft_param params[] = {
    {"interweft-plan", "version of this language", WEFT_PARAM_INT, IN_ALL(version), NULL, 1, 1,
     NULL, NULL},
    {"title", "of the plan", WEFT_PARAM_TEXT, IN_ALL(title), "", NO_MORE},
    {"endpoints", "endpoints that are wanted, at least", WEFT_PARAM_INT, IN_ALL(endpoints), NULL, 2,
     1 << 20, NULL, NULL},
    {"fabrics", "which fabrics are considered", WEFT_PARAM_KINDS, IN_ALL(fabrics), "none", 0, 0,
     NULL, "fabric"},
    {"simulate", "how many of the best fabrics are simulated", WEFT_PARAM_INT, IN_ALL(simulate),
     "5", 0, 100, NULL, NULL},
    {"seed", "of all that is drawn", WEFT_PARAM_INT, IN_ALL(seed), "1", 0, 1e15, NULL, NULL},
    END};
static const weft_table *const tables[] = {
    &switch_table,     &rack_table,  &cable_table, &price_table,      &power_table,
    &constraint_table, &fault_table, &spare_table, &simulation_table, NULL};
const weft_table weft_table_requirements = {
    .name = "a plan", .brief = "the file of weft plan", .params = params, .tables = tables};

/* Numbers of a list ascend, and are few. */
static weft_status check_ascending(const weft_requirements *r, const char *section, const char *key,
                                   const weft_reals *list, int32_t most, weft_error *err)
{
    const weft_node *at = weft_node_get(weft_node_get(r->tree, section), key);
    for (int32_t i = 1; i < list->count; i++)
        if (!(list->at[i] > list->at[i - 1]))
            return weft_node_complain(err, at ? at : r->tree,
                                      "%s.%s must ascend, found %g behind %g", section, key,
                                      list->at[i], list->at[i - 1]);
    if (list->count > most)
        return weft_node_complain(err, at ? at : r->tree, "%s.%s has %d numbers; %d is the limit",
                                  section, key, list->count, most);
    return WEFT_OK;
}

/* The fabric has no cycles yet that a latency or rate could be told in. */
static weft_status check_switch(const weft_requirements *r, weft_error *err)
{
    const weft_node *given = weft_node_get(r->tree, "switch");
    if (r->with.latency.unit == WEFT_CYCLES && r->with.latency.value > 0)
        return weft_node_complain(err, weft_node_get(given, "latency"),
                                  "switch.latency of a plan is a time such as 200 ns, not cycles");
    if (r->with.rate.unit == WEFT_FLITS_PER_CYCLE)
        return weft_node_complain(err, weft_node_get(given, "rate"),
                                  "switch.rate of a plan is bits a second, such as 400 Gb/s, not "
                                  "flits a cycle");
    return WEFT_OK;
}

/* A list as it is written for the axes of a scenario. */
static weft_status check_axes(const weft_node *tree, weft_error *err)
{
    const weft_node *vary = weft_node_get(tree, "vary");
    if (!vary || vary->type != WEFT_NODE_MAP || vary->n_values == 0)
        return WEFT_OK;
    return weft_node_complain(err, vary->keys[0],
                              "a plan varies nothing: %.60s takes one value, or a list such as "
                              "[5, 7]",
                              vary->keys[0]->text);
}

/* Every kind, as if all of their names were written. */
static weft_status all_fabrics(weft_binder *binder, weft_requirements *r)
{
    const weft_family *family = weft_registry_find(binder->registry, "fabric");
    for (size_t i = 0; family && i < family->n_kinds && i < WEFT_KINDS_MAX; i++) {
        const weft_param one = {.name = "fabrics", .type = WEFT_PARAM_KIND, .family = "fabric"};
        const weft_node *name = weft_node_scalar(binder->arena, r->tree, family->kinds[i]->name);
        WEFT_TRY(weft_bind_kind(binder, "fabrics", &one, name, &r->fabrics.at[i]));
        r->fabrics.count++;
    }
    return WEFT_OK;
}

weft_status weft_requirements_read(const char *file, const char *const *overrides,
                                   const weft_registry *registry, weft_arena *arena,
                                   weft_requirements *r, weft_error *err)
{
    size_t nodes_left = WEFT_NODES_MAX;
    const weft_node *tree = NULL;
    weft_binder binder = {.registry = registry, .arena = arena, .err = err};
    WEFT_TRY(weft_include_read(file, &nodes_left, arena, &tree, err));
    for (; overrides && *overrides; overrides++)
        WEFT_TRY(weft_override_apply(*overrides, &nodes_left, arena, &tree, err));
    *r = (weft_requirements){.tree = tree};
    if (!weft_node_key(tree, "interweft-plan"))
        return weft_node_complain(
            err, tree,
            "the plan lacks 'interweft-plan: 1', the version of its "
            "language%s",
            weft_node_key(tree, "interweft") ? "; this is a scenario, for `weft run`" : "");
    WEFT_TRY(check_axes(tree, err));
    WEFT_TRY(weft_bind_table(&binder, NULL, tree, &weft_table_requirements, r));
    WEFT_TRY(weft_bind_findings(&binder));
    WEFT_TRY(check_switch(r, err));
    if (r->fabrics.count == 0)
        WEFT_TRY(all_fabrics(&binder, r));
    WEFT_TRY(check_ascending(r, "cables", "lengths", &r->cables.lengths, WEFT_LENGTHS_MAX, err));
    return check_ascending(r, "simulation", "loads", &r->simulation.loads, WEFT_SIMULATED_LOADS,
                           err);
}

static const char *value_of(const weft_node *node, const weft_param *param, weft_arena *arena)
{
    if (!node)
        return param->fallback ? param->fallback : "none";
    weft_text text;
    weft_text_init(&text);
    weft_print_flow(&text, node, false);
    const char *copy = weft_arena_copy(arena, text.at, text.length);
    weft_text_done(&text);
    return copy;
}

size_t weft_requirements_assumptions(const weft_requirements *r, weft_arena *arena,
                                     const weft_assumption **list)
{
    static const weft_table *const shown[] = {&switch_table, &rack_table,  &cable_table,
                                              &price_table,  &power_table, &spare_table};
    const size_t n_shown = sizeof shown / sizeof *shown;
    size_t count = 0, most = 0;
    for (size_t t = 0; t < n_shown; t++)
        for (const weft_param *p = shown[t]->params; p->name; p++)
            most++;
    weft_assumption *all = WEFT_TAKE(arena, weft_assumption, most);
    for (size_t t = 0; t < n_shown; t++)
        for (const weft_param *p = shown[t]->params; p->name; p++) {
            const weft_node *node = weft_node_get(weft_node_get(r->tree, shown[t]->name), p->name);
            all[count++] =
                (weft_assumption){.key = weft_arena_format(arena, "%s.%s", shown[t]->name, p->name),
                                  .value = value_of(node, p, arena),
                                  .brief = p->brief,
                                  .assumed = !node};
        }
    *list = all;
    return count;
}
