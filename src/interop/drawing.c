/* SPDX-License-Identifier: Apache-2.0 */
/* Where routers stand in a picture, between 0 and 1 each way. */
#include "base/memory.h"
#include "interop/cables.h"
#include "interop/summary.h"

#include <stdlib.h>

#define ROUTERS_MAX 4096u
#define LINES_MAX   65536u
#define NAMES_MAX   160u /* routers whose names are shown */
#define PI          3.14159265358979323846

/* Sine, well enough for a picture. */
static double sine(double x)
{
    double term, sum;
    while (x > PI)
        x -= 2 * PI;
    term = sum = x;
    for (int i = 2; i < 26; i += 2) {
        term *= -x * x / (i * (i + 1));
        sum += term;
    }
    return sum;
}

/* The i-th of n places on a circle, beginning at its top. */
static void on_circle(double *place, double x, double y, double radius, uint32_t i, uint32_t n)
{
    double angle = 2 * PI * i / n;
    place[0] = x + radius * sine(angle);
    place[1] = y + radius * sine(angle + PI / 2);
}

/* Dimensions go right and up in turns, the last ones innermost. */
static void by_coordinates(const weft_topology *topology, weft_drawing *drawing)
{
    const weft_lattice *lattice = &topology->lattice;
    double span[2] = {1, 1}, step[WEFT_DIMS_MAX];
    if (lattice->dims == 1) {
        for (uint32_t r = 0; r < topology->routers; r++)
            on_circle(drawing->place[r], 0.5, 0.5, 0.5, r, topology->routers);
        return;
    }
    for (uint32_t d = 0; d < lattice->dims; d++) {
        double *room = &span[1 - d % 2];
        step[d] = *room / (lattice->size[d] - 0.3); /* a gap between boxes */
        *room = 0.7 * step[d];
    }
    for (uint32_t r = 0; r < topology->routers; r++) {
        uint32_t rest = r;
        for (uint32_t d = lattice->dims; d-- > 0; rest /= lattice->size[d])
            drawing->place[r][1 - d % 2] += step[d] * (rest % lattice->size[d]);
    }
}

static void in_groups(const weft_topology *topology, weft_drawing *drawing)
{
    uint32_t size = topology->group + topology->core_group;
    uint32_t groups = (topology->routers + size - 1) / size;
    double radius = groups > 6 ? 0.5 * PI / groups * 0.6 : 0.16;
    for (uint32_t r = 0; r < topology->routers; r++) {
        double centre[2];
        bool core = topology->core_group && r >= topology->first_core; /* inside of the others */
        uint32_t of = core ? topology->core_group : topology->group;
        on_circle(centre, 0.5, 0.5, 0.5 - radius, weft_topology_group_of(topology, r), groups);
        on_circle(drawing->place[r], centre[0], centre[1], core ? 0.5 * radius : radius,
                  (core ? r - topology->first_core : r) % of, of);
    }
}

/* How many hops routers are above those with endpoints; returns the most. */
static uint32_t find_levels(const weft_drawing *drawing, uint32_t *level)
{
    uint32_t most = 0;
    for (uint32_t r = 0; r < drawing->routers; r++)
        level[r] = r < drawing->homes ? 0 : UINT32_MAX;
    for (bool found = true; found;) {
        found = false;
        for (size_t l = 0; l < drawing->n_lines; l++)
            for (int way = 0; way < 2; way++) {
                const weft_drawing_line *line = &drawing->lines[l];
                uint32_t from = way ? line->to : line->from, to = way ? line->from : line->to;
                if (level[from] == most && level[to] == UINT32_MAX) {
                    level[to] = most + 1;
                    found = true;
                }
            }
        most += found;
    }
    return most;
}

static int by_name(const void *a, const void *b, void *net)
{
    return weft_text_order(weft_weftnet_name(net, *(const uint32_t *)a),
                           weft_weftnet_name(net, *(const uint32_t *)b));
}

/* Routers by name in an imported fabric, else by number. */
static uint32_t *find_order(const weft_topology *topology)
{
    const weft_weftnet *net = weft_weftnet_of(topology);
    uint32_t *order = weft_alloc(sizeof *order * topology->routers);
    for (uint32_t r = 0; r < topology->routers; r++)
        order[r] = r;
    if (net)
        qsort_r(order, topology->routers, sizeof *order, by_name, (void *)(uintptr_t)net);
    return order;
}

static void in_levels(const weft_topology *topology, weft_drawing *drawing)
{
    uint32_t *level = weft_alloc(sizeof *level * drawing->routers);
    uint32_t *order = find_order(topology), levels = find_levels(drawing, level) + 1;
    for (uint32_t l = 0; l < levels; l++) {
        uint32_t width = 0, at = 0;
        for (uint32_t r = 0; r < drawing->routers; r++)
            width += level[r] == l;
        for (uint32_t i = 0; i < drawing->routers; i++)
            if (level[order[i]] == l) {
                drawing->place[order[i]][0] = (at++ + 0.5) / width;
                drawing->place[order[i]][1] = levels > 1 ? (double)l / (levels - 1) : 0;
            }
    }
    free(order);
    free(level);
}

static void find_places(const weft_topology *topology, weft_drawing *drawing)
{
    if (topology->lattice.dims > 0)
        by_coordinates(topology, drawing);
    else if (topology->edge_routers < topology->routers && !topology->core_group)
        in_levels(topology, drawing);
    else if (topology->group > 1 && topology->group < topology->routers)
        in_groups(topology, drawing);
    else
        for (uint32_t r = 0; r < topology->routers; r++)
            on_circle(drawing->place[r], 0.5, 0.5, 0.5, r, topology->routers);
}

/* "leaf1 (6)": its hosts beside it. */
static void find_names(const weft_topology *topology, weft_drawing *drawing)
{
    const weft_weftnet *net = weft_weftnet_of(topology);
    if (!net || net->routers > NAMES_MAX)
        return;
    drawing->names = weft_alloc(sizeof *drawing->names * net->routers);
    for (uint32_t r = 0; r < net->routers; r++)
        drawing->names[r] =
            r < net->homes ? weft_text_format("%s (%u)", weft_weftnet_name(net, r), net->hosts[r])
                           : weft_text_copy(weft_weftnet_name(net, r));
}

static void list_lines(weft_drawing *drawing, const weft_cables *cables)
{
    drawing->n_lines = cables->count;
    for (size_t c = 0; c < cables->count; c++)
        drawing->lines[c] = (weft_drawing_line){cables->at[c].end[0].router,
                                                cables->at[c].end[1].router, cables->at[c].class};
}

/* Routers stand where they do without faults. */
weft_status weft_summary_draw(const weft_topology *topology, weft_drawing *drawing, weft_error *err)
{
    weft_topology whole = *topology;
    weft_cables cables, all;
    if (topology->routers > ROUTERS_MAX || topology->links > 2 * (uint64_t)LINES_MAX)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "a picture shows at most %u routers and %u cables, this network has %u and "
            "%llu links",
            ROUTERS_MAX, LINES_MAX, topology->routers, (unsigned long long)topology->links);
    whole.faults = NULL;
    weft_cables_init(&all, &whole);
    weft_cables_init(&cables, topology);
    *drawing = (weft_drawing){
        .title = weft_text_format("%s: %u routers, %zu cables", topology->kind->base.name,
                                  weft_cables_routers(&cables, topology), cables.count),
        .routers = topology->routers,
        .homes = topology->edge_routers,
        .bends = topology->lattice.dims > 1,
        .place = weft_alloc(sizeof *drawing->place * topology->routers),
        .lines = weft_alloc(sizeof *drawing->lines * all.count + 1)};
    list_lines(drawing, &all);
    find_places(topology, drawing);
    list_lines(drawing, &cables);
    weft_cables_done(&cables);
    weft_cables_done(&all);
    find_names(topology, drawing);
    return WEFT_OK;
}

void weft_drawing_done(weft_drawing *drawing)
{
    for (uint32_t r = 0; drawing->names && r < drawing->routers; r++)
        free(drawing->names[r]);
    free(drawing->names);
    free(drawing->title);
    free(drawing->place);
    free(drawing->lines);
    *drawing = (weft_drawing){0};
}
