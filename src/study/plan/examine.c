/* SPDX-License-Identifier: Apache-2.0 */
/* One fabric in numbers: its network is built from an ordinary scenario, its racks are placed, its
 * cables counted and priced, its bounds found. */
#include "config/describe/print.h"
#include "config/number.h"
#include "interop/summary.h"
#include "planning/outage.h"
#include "planning/throughput.h"
#include "study/plan/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLIT_BYTES 256   /* of the scenarios that are written, at least */
#define FLIT_OFF   0.005 /* by which whole picoseconds may change the time of a flit */
#define PACKET_KIB 4
#define UNIFORM    "traffic: {all: {pattern: uniform, length: 4 KiB, load: 0.5}}\n"
#define ADVERSARY  "traffic: {all: {pattern: group-adversarial, length: 4 KiB, load: 0.5}}\n"
#define MINIMAL    "{kind: minimal-oblivious}"

/* Whole nanoseconds, so that the tick stays coarse. */
static long long whole_ns(double ns)
{
    return (long long)(ns + 0.5);
}

/* A buffer that keeps a link busy: the flits of a round trip and two packets, in KiB. */
static long long buffer_kib(const weft_planning *plan, const weft_planning_entry *entry)
{
    const weft_switch_settings *with = &plan->wanted.with;
    double wire = 0;
    for (uint32_t c = 0; c < WEFT_LINK_CLASSES; c++)
        wire = entry->latency[c] > wire ? entry->latency[c] : wire;
    double ns = 2 * wire + 2 * with->latency.value / 1000;
    return (long long)(ns * with->rate.value / 8e9 / 1024) + 1 + 2 * PACKET_KIB;
}

/* Flits are so long that whole picoseconds tell their time; a packet is the longest. */
static int flit_bytes(const weft_switch_settings *with)
{
    int bytes = FLIT_BYTES;
    for (; bytes < PACKET_KIB * 1024; bytes *= 2) {
        double ps = 8e12 * bytes / with->rate.value;
        if (fabs(round(ps) - ps) <= FLIT_OFF * ps)
            break;
    }
    return bytes;
}

void weft_planning_add_network(weft_text *text, const weft_planning *plan,
                               const weft_planning_entry *entry, const char *routing)
{
    static const struct {
        const char *name;
        weft_link_class class;
    } classes[] = {
        {"local", WEFT_LINK_LOCAL}, {"global", WEFT_LINK_GLOBAL}, {"host", WEFT_LINK_HOST}};
    const weft_switch_settings *with = &plan->wanted.with;
    char number[WEFT_NUMBER_CHARS];
    weft_text_add(text, "topology: %s\nrouting: %s\n", entry->fabric.topology,
                  routing ? routing : entry->fabric.routing);
    weft_text_add(text,
                  "router: {kind: input-queued, vcs: %u, buffer: %lld KiB, route: %lld ns, "
                  "allocate: 0 ns, crossbar: 0 ns}\n",
                  entry->fabric.vcs, buffer_kib(plan, entry), whole_ns(with->latency.value / 1000));
    weft_text_add(text, "links:\n  rate: %s b/s\n  flit: %d B\n",
                  weft_number_write(with->rate.value, number), flit_bytes(with));
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        weft_text_add(text, "  %s: {latency: %lld ns}\n", classes[i].name,
                      whole_ns(entry->latency[classes[i].class]));
}

weft_status weft_planning_view_open(weft_planning_view *view, const weft_planning *plan,
                                    const weft_planning_entry *entry, const char *routing,
                                    const char *traffic, weft_error *err)
{
    weft_plan *scenario;
    weft_text text;
    *view = (weft_planning_view){0};
    weft_arena_init(&view->arena);
    weft_text_init(&text);
    weft_text_add(&text, "interweft: 1\n");
    weft_planning_add_network(&text, plan, entry, routing);
    weft_text_add(&text, "%s", traffic);
    weft_status status =
        weft_plan_read_text(entry->fabric.name, text.at, text.length, NULL,
                            weft_catalog_registry(plan->catalog), &view->arena, &scenario, err);
    if (status == WEFT_OK)
        status = weft_plan_point(scenario, 0, &view->arena, &view->scenario, err);
    if (status == WEFT_OK)
        status = weft_network_build(&view->network, &view->scenario, &view->arena, err);
    weft_text_done(&text);
    if (status != WEFT_OK)
        weft_arena_done(&view->arena);
    return status;
}

void weft_planning_view_close(weft_planning_view *view)
{
    weft_network_done(&view->network);
    weft_arena_done(&view->arena);
}

/* Ports in use at all switches together, endpoints' included. */
static uint64_t count_ports(const weft_topology *topology)
{
    return topology->links + weft_topology_endpoints(topology);
}

static void add_cost(weft_planned *planned, const weft_requirements *wanted,
                     const weft_floor_plan_count *count, uint64_t ports)
{
    const weft_price_settings *price = &wanted->prices;
    const uint64_t *cables = count->by_medium;
    planned->cost_switches = price->switches * planned->switches + price->port * (double)ports;
    planned->cost_cables = price->copper * (double)cables[WEFT_MEDIUM_COPPER] +
                           price->copper_metre * count->by_metre[WEFT_MEDIUM_COPPER] +
                           price->optics * (double)cables[WEFT_MEDIUM_OPTICS] +
                           price->optics_metre * count->by_metre[WEFT_MEDIUM_OPTICS];
    planned->cost_racks = price->rack * planned->network_racks;
    planned->cost = planned->cost_switches + planned->cost_cables + planned->cost_racks;
    planned->power = wanted->power.switches * planned->switches +
                     wanted->power.port * (double)ports +
                     wanted->power.optics * (double)cables[WEFT_MEDIUM_OPTICS];
}

/* What stands in every rack, and where. */
static const weft_planned_rack *list_racks(const weft_floor_plan *floor, const weft_design *design,
                                           weft_arena *arena)
{
    const weft_topology *topology = floor->topology;
    weft_planned_rack *racks = WEFT_TAKE(arena, weft_planned_rack, floor->racks);
    for (uint32_t i = 0; i < floor->racks; i++) {
        weft_floor_plan_position(floor, i, &racks[i].x, &racks[i].y);
        racks[i].network = floor->network[i];
    }
    for (uint32_t e = 0; e < weft_topology_endpoints(topology); e++)
        racks[weft_floor_plan_rack_of_endpoint(floor, e)].devices++;
    for (uint32_t r = 0; r < topology->routers; r++) {
        bool first =
            design->fold == 1 || r < design->folded || (r - design->folded) % design->fold == 0;
        if (racks[floor->rack[r]].network && first)
            racks[floor->rack[r]].devices++;
    }
    return racks;
}

/* Racks, cables, cost and power, and the delays of cables. */
static void add_floor(weft_planning_entry *entry, const weft_requirements *wanted,
                      const weft_topology *topology, weft_arena *arena)
{
    weft_planned *planned = &entry->planned;
    weft_floor_plan floor;
    weft_floor_plan_count count;
    weft_floor_plan_init(&floor, topology, &entry->fabric, wanted);
    weft_floor_plan_cables(&floor, &count);
    planned->racks = floor.racks;
    planned->network_racks = floor.network_racks;
    planned->rows = (uint32_t)weft_design_ceil(floor.racks, floor.row);
    planned->switches = floor.switches;
    memcpy(planned->cables, count.cables, sizeof count.cables);
    memcpy(planned->by_medium, count.by_medium, sizeof count.by_medium);
    planned->metres = count.by_metre[WEFT_MEDIUM_COPPER] + count.by_metre[WEFT_MEDIUM_OPTICS];
    planned->longest = count.longest;
    for (uint32_t c = 0; c < WEFT_LINK_CLASSES; c++)
        entry->latency[c] = count.mean[c] * wanted->cables.delay;
    add_cost(planned, wanted, &count, count_ports(topology));
    planned->at = list_racks(&floor, &entry->fabric, arena);
    weft_floor_plan_done(&floor);
}

/* Spares, and what is left with parts down. */
static void add_faults(weft_planning_entry *entry, const weft_requirements *wanted,
                       const weft_topology *topology, weft_arena *arena)
{
    weft_planned *p = &entry->planned;
    const weft_spare_settings *spares = &wanted->spares;
    double cables = (double)(p->by_medium[WEFT_MEDIUM_COPPER] + p->by_medium[WEFT_MEDIUM_OPTICS]);
    p->spare_cables = weft_outage_spares(cables, spares->cables, spares->days, spares->confidence);
    p->spare_switches =
        weft_outage_spares(p->switches, spares->switches, spares->days, spares->confidence);
    if (wanted->faults.cables + wanted->faults.switches == 0)
        return;
    weft_outage *outage = WEFT_TAKE(arena, weft_outage, 1);
    weft_outage_of of = {topology, &entry->fabric, p->bound[WEFT_TRAFFIC_UNIFORM],
                         p->bound[WEFT_TRAFFIC_PERMUTATION]};
    weft_outage_find(outage, &of, wanted);
    p->outage = outage;
}

/* The constraint that a fabric breaks, as a sentence. */
static const char *find_refusal(weft_planning_entry *entry, const weft_requirements *wanted,
                                weft_arena *arena)
{
    const weft_planned *p = &entry->planned;
    const weft_constraint_settings *c = &wanted->constraints;
    const struct {
        const char *name;
        double value, limit;
        bool at_most;
    } rules[] = {
        {"cables.optics (metres)", p->longest, wanted->cables.optics, true},
        {"constraints.bisection", p->bisection, c->bisection, false},
        {"constraints.uniform", p->bound[WEFT_TRAFFIC_UNIFORM], c->uniform, false},
        {"constraints.permutation", p->bound[WEFT_TRAFFIC_PERMUTATION], c->permutation, false},
        {"constraints.group", p->bound[WEFT_TRAFFIC_GROUP], c->group, false},
        {"constraints.diameter", p->diameter,
         c->diameter == WEFT_NONE_INT ? WEFT_NONE_REAL : (double)c->diameter, true},
        {"constraints.budget", p->cost, c->budget, true},
        {"constraints.power", p->power, c->power, true},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        double limit = rules[i].limit, value = rules[i].value, room = limit * 1e-9;
        if (limit == WEFT_NONE_REAL ||
            (rules[i].at_most ? value <= limit + room : value >= limit - room))
            continue;
        entry->shortfall = rules[i].at_most ? value / limit - 1 : 1 - value / limit;
        return weft_arena_format(arena, "%s: %.6g, wanted %s %.6g", rules[i].name, value,
                                 rules[i].at_most ? "at most" : "at least", limit);
    }
    return NULL;
}

/* A bound of minimal routes under some traffic, where all switches have endpoints: elsewhere no
 * others are used. */
static weft_status add_minimal(const weft_planning *plan, weft_planning_entry *entry,
                               weft_traffic_bound which, const char *traffic, weft_error *err)
{
    weft_planning_view view;
    const char *why;
    WEFT_TRY(weft_planning_view_open(&view, plan, entry, MINIMAL, traffic, err));
    entry->planned.minimal[which] = weft_throughput_of_network(&view.network, &why);
    weft_planning_view_close(&view);
    return WEFT_OK;
}

static weft_status add_bounds(const weft_planning *plan, weft_planning_entry *entry,
                              const weft_planning_view *view, weft_error *err)
{
    weft_planned *p = &entry->planned;
    const weft_topology *topology = &view->network.topology;
    weft_throughput found;
    weft_throughput_find(&found, topology, &entry->fabric);
    p->bisection = found.bisection;
    p->bound[WEFT_TRAFFIC_UNIFORM] =
        weft_throughput_of_network(&view->network, &p->why[WEFT_TRAFFIC_UNIFORM]);
    p->bound[WEFT_TRAFFIC_PERMUTATION] = found.permutation;
    p->why[WEFT_TRAFFIC_PERMUTATION] = found.permutation_by;
    p->bound[WEFT_TRAFFIC_GROUP] = found.group;
    p->why[WEFT_TRAFFIC_GROUP] = found.group_by;
    if (topology->edge_routers < topology->routers)
        return WEFT_OK;
    WEFT_TRY(add_minimal(plan, entry, WEFT_TRAFFIC_UNIFORM, UNIFORM, err));
    return topology->group > 0 ? add_minimal(plan, entry, WEFT_TRAFFIC_GROUP, ADVERSARY, err)
                               : WEFT_OK;
}

weft_status weft_planning_examine(const weft_planning *plan, weft_planning_entry *entry,
                                  weft_arena *arena, weft_error *err)
{
    weft_planned *p = &entry->planned;
    weft_planning_view view;
    WEFT_TRY(weft_planning_view_open(&view, plan, entry, NULL, UNIFORM, err));
    const weft_topology *topology = &view.network.topology;
    p->endpoints = weft_topology_endpoints(topology);
    p->routers = topology->routers;
    p->ports = entry->fabric.ports;
    p->diameter = weft_summary_diameter(topology, &p->diameter_exact);
    p->mean_hops = view.network.traffic_classes[0].minimal_hops;
    add_floor(entry, &plan->wanted, topology, arena);
    weft_status status = add_bounds(plan, entry, &view, err);
    if (status == WEFT_OK)
        add_faults(entry, &plan->wanted, topology, arena);
    weft_planning_view_close(&view);
    p->refused = find_refusal(entry, &plan->wanted, arena);
    return status;
}
