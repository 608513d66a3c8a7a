/* SPDX-License-Identifier: Apache-2.0 */
#include "planning/floor_plan.h"

#include "base/memory.h"
#include "interop/cables.h"

#include <stdlib.h>
#include <string.h>

typedef struct anchored { /* a switch without endpoints */
    uint32_t first;       /* router, and those that follow in the same switch */
    uint32_t count;
    double anchor; /* place among the racks with endpoints */
} anchored;

static int compare(const void *a, const void *b)
{
    const anchored *x = a, *y = b;
    if (x->anchor != y->anchor)
        return x->anchor < y->anchor ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static double difference(double a, double b)
{
    return a > b ? a - b : b - a;
}

/* The rack, among those with endpoints, of an edge router. */
static uint32_t home(const weft_floor_plan *floor, uint32_t router)
{
    return floor->span > 1 ? router * floor->span : router / floor->each;
}

/* Anchors of all routers, level by level: the mean of those of the neighbours that have one. */
static double *find_anchors(const weft_floor_plan *floor)
{
    const weft_topology *topology = floor->topology;
    uint32_t routers = topology->routers, edge = topology->edge_routers;
    double *anchor = weft_alloc(sizeof *anchor * routers);
    uint8_t *known = weft_alloc(routers), *next = weft_alloc(routers);
    for (uint32_t r = 0; r < edge; r++) {
        anchor[r] = home(floor, r);
        known[r] = next[r] = 1;
    }
    for (bool more = true; more;) {
        more = false;
        for (uint32_t r = edge; r < routers; r++) {
            double sum = 0;
            uint32_t count = 0;
            for (uint32_t p = 0; p < topology->ports && !known[r]; p++) {
                uint32_t to = topology->kind->peer(topology, r, p).router;
                if (to != WEFT_NOWHERE && known[to]) {
                    sum += anchor[to];
                    count++;
                }
            }
            if (count > 0) {
                anchor[r] = sum / count;
                next[r] = 1;
                more = true;
            }
        }
        memcpy(known, next, routers);
    }
    free(known);
    free(next);
    return anchor;
}

/* The switches without endpoints, by anchor; returns their number. */
static uint32_t list_switches(const weft_floor_plan *floor, const weft_design *fabric,
                              anchored *list)
{
    const weft_topology *topology = floor->topology;
    /* Edge routers are among them where a rack with endpoints has no room for a switch. */
    uint32_t r = floor->wanted->rack.switches == 0 ? 0 : topology->edge_routers, count = 0;
    double *anchor = find_anchors(floor);
    while (r < topology->routers) {
        uint32_t together = fabric->fold > 1 && r >= fabric->folded ? fabric->fold : 1;
        together = together > topology->routers - r ? topology->routers - r : together;
        double sum = 0;
        for (uint32_t i = 0; i < together; i++)
            sum += anchor[r + i];
        list[count++] = (anchored){r, together, sum / together};
        r += together;
    }
    free(anchor);
    qsort(list, count, sizeof *list, compare);
    return count;
}

/* Racks in their order: those with endpoints, and between them those without. */
static void place_racks(weft_floor_plan *floor, const anchored *list, uint32_t count,
                        uint32_t edge_racks)
{
    uint32_t room = (uint32_t)floor->wanted->rack.network, placed = 0, rack = 0;
    for (uint32_t first = 0; first < count; first += room) {
        uint32_t here = count - first < room ? count - first : room;
        double sum = 0;
        for (uint32_t i = 0; i < here; i++)
            sum += list[first + i].anchor;
        for (; placed < edge_racks && placed <= sum / here; placed++)
            floor->place[placed] = rack++;
        for (uint32_t i = 0; i < here; i++)
            for (uint32_t k = 0; k < list[first + i].count; k++)
                floor->rack[list[first + i].first + k] = rack;
        floor->network[rack++] = true;
    }
    for (; placed < edge_racks; placed++)
        floor->place[placed] = rack++;
}

/* The shortest row that is no shorter than the column of rows. */
static uint32_t row_of(const weft_requirements *wanted, uint32_t racks)
{
    uint32_t row = 1;
    if (wanted->rack.row != WEFT_NONE_INT)
        return (uint32_t)wanted->rack.row;
    while (row < racks &&
           row * wanted->rack.pitch < (double)weft_design_ceil(racks, row) * wanted->rack.row_pitch)
        row++;
    return row;
}

void weft_floor_plan_init(weft_floor_plan *floor, const weft_topology *topology,
                          const weft_design *fabric, const weft_requirements *wanted)
{
    uint64_t hosts = topology->concentration, room = (uint64_t)wanted->rack.endpoints;
    *floor = (weft_floor_plan){.topology = topology, .wanted = wanted, .span = 1, .each = 1};
    if (hosts > room)
        floor->span = (uint32_t)weft_design_ceil(hosts, room);
    else
        floor->each = (uint32_t)(room / hosts);
    if (wanted->rack.switches > 0 && floor->each > wanted->rack.switches)
        floor->each = (uint32_t)wanted->rack.switches;
    uint32_t edge = topology->edge_routers;
    uint32_t edge_racks =
        floor->span > 1 ? edge * floor->span : (uint32_t)weft_design_ceil(edge, floor->each);
    anchored *list = weft_alloc(sizeof *list * topology->routers);
    uint32_t others = list_switches(floor, fabric, list);
    floor->network_racks = (uint32_t)weft_design_ceil(others, (uint64_t)wanted->rack.network);
    floor->racks = edge_racks + floor->network_racks;
    floor->switches = others + (wanted->rack.switches == 0 ? 0 : edge);
    floor->row = row_of(wanted, floor->racks);
    floor->rack = weft_alloc(sizeof *floor->rack * topology->routers);
    floor->place = weft_alloc(sizeof *floor->place * edge_racks);
    floor->network = weft_alloc(sizeof *floor->network * floor->racks);
    place_racks(floor, list, others, edge_racks);
    for (uint32_t r = 0; r < edge && wanted->rack.switches > 0; r++)
        floor->rack[r] = floor->place[home(floor, r)];
    free(list);
}

void weft_floor_plan_done(weft_floor_plan *floor)
{
    free(floor->rack);
    free(floor->place);
    free(floor->network);
    *floor = (weft_floor_plan){0};
}

void weft_floor_plan_position(const weft_floor_plan *floor, uint32_t rack, double *x, double *y)
{
    uint32_t column = rack % floor->row, row = rack / floor->row;
    *x = column * floor->wanted->rack.pitch;
    *y = row * floor->wanted->rack.row_pitch;
}

uint32_t weft_floor_plan_rack_of_endpoint(const weft_floor_plan *floor, uint32_t endpoint)
{
    uint32_t router = weft_topology_home(floor->topology, endpoint);
    uint32_t host = weft_topology_host(floor->topology, endpoint);
    uint32_t in = floor->span > 1 ? host / (uint32_t)floor->wanted->rack.endpoints : 0;
    return floor->place[home(floor, router) + in];
}

double weft_floor_plan_length(const weft_floor_plan *floor, uint32_t from, uint32_t to)
{
    double x, y, to_x, to_y;
    if (from == to)
        return floor->wanted->cables.inside;
    weft_floor_plan_position(floor, from, &x, &y);
    weft_floor_plan_position(floor, to, &to_x, &to_y);
    return difference(x, to_x) + difference(y, to_y) + floor->wanted->cables.slack;
}

static void count_one(const weft_floor_plan *floor, weft_floor_plan_count *count, double length)
{
    const weft_cabling_settings *set = &floor->wanted->cables;
    weft_medium medium = length <= set->copper ? WEFT_MEDIUM_COPPER : WEFT_MEDIUM_OPTICS;
    int32_t class = 0;
    while (class < set->lengths.count && length > set->lengths.at[class])
        class ++;
    count->cables[class][medium]++;
    count->by_medium[medium]++;
    count->by_metre[medium] += length;
    if (length > count->longest)
        count->longest = length;
}

void weft_floor_plan_cables(const weft_floor_plan *floor, weft_floor_plan_count *count)
{
    const weft_topology *topology = floor->topology;
    uint64_t of[WEFT_LINK_CLASSES] = {0};
    weft_cables cables;
    *count = (weft_floor_plan_count){0};
    weft_cables_init(&cables, topology);
    for (size_t c = 0; c < cables.count; c++) {
        const weft_cable *cable = &cables.at[c];
        double length = weft_floor_plan_length(floor, floor->rack[cable->end[0].router],
                                               floor->rack[cable->end[1].router]);
        count_one(floor, count, length);
        count->mean[cable->class] += length;
        of[cable->class]++;
    }
    weft_cables_done(&cables);
    for (uint32_t e = 0; e < weft_topology_endpoints(topology); e++) {
        double length = weft_floor_plan_length(floor, weft_floor_plan_rack_of_endpoint(floor, e),
                                               floor->rack[weft_topology_home(topology, e)]);
        count_one(floor, count, length);
        count->mean[WEFT_LINK_HOST] += length;
        of[WEFT_LINK_HOST]++;
    }
    for (uint32_t c = 0; c < WEFT_LINK_CLASSES; c++)
        if (of[c] > 0)
            count->mean[c] /= (double)of[c];
}
