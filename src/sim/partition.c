/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks are numbered like routers: mixed radix over the parts, dimension 0 most significant. */
#include "sim/partition.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

#define ONE_BLOCK   32768u            /* routers up to which one thread works on one block */
#define TABLE_LINKS ((size_t)1 << 14) /* of a block that has a table of the routers behind them */
#define BOX_ROUTERS 4096u
#define NEAR        40u /* a block may be cut 1/40 of its size from where it would be */
#define UNEVEN \
    1.15 /* one box for each rank may be so much larger than the mean; else they are smaller */

/* Splits `blocks` into factors, each given to the dimension with the longest boxes so far; false if
 * a factor fits nowhere. */
static bool factorise(const weft_lattice *lattice, uint32_t blocks, uint32_t *parts)
{
    for (uint32_t d = 0; d < lattice->dims; d++)
        parts[d] = 1;
    for (uint32_t factor = 2; blocks > 1;) {
        uint32_t largest = blocks; /* take the largest prime factor first */
        for (uint32_t f = factor; (uint64_t)f * f <= largest; f++)
            while (largest % f == 0 && largest > f)
                largest /= f;
        uint32_t best = lattice->dims;
        for (uint32_t d = 0; d < lattice->dims; d++)
            if ((uint64_t)parts[d] * largest <= lattice->size[d] &&
                (best == lattice->dims || (uint64_t)lattice->size[d] * parts[best] >
                                              (uint64_t)lattice->size[best] * parts[d]))
                best = d;
        if (best == lattice->dims)
            return false;
        parts[best] *= largest;
        blocks /= largest;
    }
    return true;
}

static weft_box *box_at(weft_partition *partition, uint32_t block)
{
    return (weft_box *)(void *)(partition->boxes + partition->stride * block);
}

/* parts and at: boxes along the port's dimension and which of them this is. */
static void fill_gate(weft_gate *gate, const weft_edge *edge, uint32_t size, uint32_t parts,
                      uint32_t at, bool up)
{
    uint32_t round = (edge->size - 1) * edge->stride;
    *gate = (weft_gate){.by_stride = weft_reciprocal_of(edge->stride),
                        .by_size = weft_reciprocal_of(edge->size),
                        .stride = edge->stride,
                        .size = edge->size,
                        .last = up ? edge->size - 1 : 0,
                        .delta = up ? edge->stride : 0u - edge->stride,
                        .around = up ? 0u - round : round};
    if (parts > 1)
        gate->beyond = weft_part_size(size, parts, (at + (up ? 1 : parts - 1)) % parts);
}

static void open_box(weft_partition *partition, uint32_t block)
{
    const weft_topology *topology = partition->topology;
    const weft_lattice *lattice = &topology->lattice;
    weft_box *box = box_at(partition, block);
    uint32_t at[WEFT_DIMS_MAX];
    box->routers = 1;
    for (uint32_t d = lattice->dims; d-- > 0;) {
        uint32_t parts = partition->parts[d];
        at[d] = block % parts;
        block /= parts;
        box->edge[d] = (weft_edge){.origin = weft_part_start(lattice->size[d], parts, at[d]),
                                   .size = weft_part_size(lattice->size[d], parts, at[d]),
                                   .stride = box->routers};
        box->routers *= box->edge[d].size;
    }
    for (uint32_t p = 0; p < topology->ports && !lattice->full; p++) {
        uint32_t d = lattice->port_dim[p];
        fill_gate(&box->gate[p], &box->edge[d], lattice->size[d], partition->parts[d], at[d],
                  lattice->port_step[p] > 0);
    }
}

static void take_boxes(weft_partition *partition, uint32_t blocks, uint32_t slots)
{
    partition->blocks = blocks;
    partition->slots = blocks > 1 ? slots : 0;
    partition->stride = sizeof(weft_box) + sizeof(weft_gate) * partition->topology->ports;
    partition->boxes = weft_region_create(partition->stride * blocks);
}

/* Full lines: the slot of the next box along a dimension; dims: how many there are. */
static uint32_t first_slot(const weft_partition *partition, uint32_t dim)
{
    uint32_t slot = 0;
    for (uint32_t d = 0; d < dim; d++)
        slot += partition->parts[d] - 1;
    return slot;
}

static void init_boxes(weft_partition *partition, uint32_t blocks)
{
    const weft_lattice *lattice = &partition->topology->lattice;
    while (!factorise(lattice, blocks, partition->parts))
        blocks--;
    take_boxes(partition, blocks,
               lattice->full ? first_slot(partition, lattice->dims) : partition->topology->ports);
}

/* The rows of the topology; all routers one row if there are more blocks than routers in the
 * longest: then some block would have nothing. */
static void find_rows(weft_partition *partition, uint32_t blocks)
{
    const weft_topology *topology = partition->topology;
    const weft_topology_cut *cut = &topology->cut;
    uint32_t longest = 0;
    partition->rows = cut->n_rows ? cut->n_rows : 1;
    for (uint32_t s = 0; s < cut->n_rows; s++)
        partition->start[s] = cut->row[s];
    partition->start[partition->rows] = topology->routers;
    for (uint32_t s = 0; s < partition->rows; s++) {
        uint32_t length = partition->start[s + 1] - partition->start[s];
        longest = length > longest ? length : longest;
    }
    if (blocks <= longest)
        return;
    partition->rows = 1;
    partition->start[1] = topology->routers;
}

/* The end of a unit of the first row that is near enough to where block b would begin, of the
 * largest units that have one; 0: there is none. */
static uint32_t near_unit(const weft_partition *partition, uint32_t b)
{
    const weft_topology_cut *cut = &partition->topology->cut;
    uint64_t length = partition->start[1], blocks = partition->blocks;
    for (uint32_t i = 0; i < cut->n_units; i++) {
        uint64_t unit = cut->unit[i], exact = b * length; /* times blocks */
        uint64_t end = (exact / blocks + unit / 2) / unit * unit, at = end * blocks;
        uint64_t miss = at > exact ? at - exact : exact - at;
        if (end > 0 && end < length && miss * NEAR <= length)
            return (uint32_t)end;
    }
    return 0;
}

/* Where block b begins in every row. A unit has its share of all rows. */
static void begin_block(weft_partition *partition, uint32_t b)
{
    uint32_t blocks = partition->blocks, first = partition->start[1];
    uint32_t unit = b > 0 && b < blocks ? near_unit(partition, b) : 0;
    for (uint32_t s = 0; s < partition->rows; s++) {
        uint32_t start = partition->start[s], length = partition->start[s + 1] - start;
        partition->begin[(size_t)s * (blocks + 1) + b] =
            start +
            (unit ? weft_part_start(length, first, unit) : weft_part_start(length, blocks, b));
    }
}

/* Part of a row that a block has, and from where on in it. */
static uint32_t row_part(const weft_partition *partition, uint32_t s, uint32_t block,
                         uint32_t *from)
{
    const uint32_t *begin = partition->begin + (size_t)s * (partition->blocks + 1) + block;
    *from = begin[0];
    return begin[1] - begin[0];
}

static void order_routers(weft_partition *partition)
{
    const weft_topology *topology = partition->topology;
    if (partition->blocks == 1 || !topology->kind->cut_order)
        return;
    partition->order = weft_alloc(sizeof *partition->order * topology->routers);
    partition->where = weft_alloc(sizeof *partition->where * topology->routers);
    topology->kind->cut_order(topology, partition->order);
    for (uint32_t i = 0; i < topology->routers; i++)
        partition->where[partition->order[i]] = i;
}

/* What the router at a place of the first row may cost: the traffic of its endpoints, both ways,
 * and its share of what routers pass on. */
static uint64_t load_at(const weft_partition *partition, uint32_t at, double passed)
{
    uint32_t router = partition->order ? partition->order[at] : at;
    uint32_t hosts = router < partition->topology->edge_routers
                         ? weft_topology_hosts(partition->topology, router)
                         : 0;
    return 2 * (uint64_t)hosts + (uint64_t)passed + 1;
}

/* Where routers have different numbers of endpoints: blocks have the same load in the first row,
 * and at least one router of it if there are enough. */
static void even_out(weft_partition *partition)
{
    const weft_topology *topology = partition->topology;
    uint32_t blocks = partition->blocks, length = partition->start[1], at = 0;
    double passed = 0; /* other routers do it, if there are such */
    if (topology->edge_routers == topology->routers)
        passed = topology->kind->mean_distance(topology) * weft_topology_endpoints(topology) /
                 topology->routers;
    uint64_t all = 0, before = 0;
    for (uint32_t i = 0; i < length; i++)
        all += load_at(partition, i, passed);
    for (uint32_t b = 1; b < blocks; b++) {
        uint64_t wanted = all / blocks * b + all % blocks * b / blocks;
        uint32_t least = length >= blocks ? partition->begin[b - 1] + 1 : 0;
        uint32_t most = length >= blocks ? length - (blocks - b) : length;
        for (uint64_t next; at < most; at++, before = next) {
            next = before + load_at(partition, at, passed);
            if (at >= least && before + next >= 2 * wanted) /* nearer before than behind it */
                break;
        }
        partition->begin[b] = at;
    }
}

static void init_rows(weft_partition *partition, uint32_t blocks)
{
    find_rows(partition, blocks);
    take_boxes(partition, blocks, blocks);
    order_routers(partition);
    partition->begin = weft_alloc(sizeof(uint32_t) * partition->rows * ((size_t)blocks + 1));
    partition->shift = weft_alloc(sizeof(uint32_t) * partition->rows * blocks);
    for (uint32_t b = 0; b <= blocks; b++)
        begin_block(partition, b);
    if (partition->topology->first)
        even_out(partition);
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t s = 0, local = 0, from; s < partition->rows; s++) {
            uint32_t count = row_part(partition, s, b, &from);
            partition->shift[(size_t)b * partition->rows + s] = from - local;
            local += count;
        }
}

void weft_partition_init(weft_partition *partition, const weft_topology *topology, uint32_t blocks)
{
    *partition = (weft_partition){.topology = topology};
    if (blocks < 1)
        blocks = 1;
    if (blocks > topology->routers)
        blocks = topology->routers;
    if (topology->lattice.dims)
        init_boxes(partition, blocks);
    else
        init_rows(partition, blocks);
}

void weft_partition_join(weft_partition *partition)
{
    if (partition->topology->lattice.dims == 0 || partition->blocks == 1)
        return; /* they are */
    partition->anywhere = partition->slots;
    partition->slots += partition->blocks;
}

uint32_t weft_partition_fit(const weft_topology *topology, uint32_t least)
{
    uint32_t parts[WEFT_DIMS_MAX];
    if (topology->lattice.dims)
        while (least < topology->routers && !factorise(&topology->lattice, least, parts))
            least++;
    return least < topology->routers ? least : topology->routers;
}

void weft_partition_open(weft_partition *partition, uint32_t block)
{
    if (partition->topology->lattice.dims) {
        open_box(partition, block);
        return;
    }
    weft_box *box = box_at(partition, block);
    box->routers = 0;
    for (uint32_t s = 0; s < partition->rows; s++) {
        uint32_t from, count = row_part(partition, s, block, &from);
        box->edge[s] = (weft_edge){.origin = from, .size = count, .stride = box->routers};
        box->routers += count;
    }
}

uint32_t weft_partition_routers(const weft_partition *partition, uint32_t block)
{
    const weft_lattice *lattice = &partition->topology->lattice;
    uint32_t routers = lattice->dims > 0, from;
    for (uint32_t s = 0; s < partition->rows; s++)
        routers += row_part(partition, s, block, &from);
    for (uint32_t d = lattice->dims; d-- > 0; block /= partition->parts[d])
        routers *=
            weft_part_size(lattice->size[d], partition->parts[d], block % partition->parts[d]);
    return routers;
}

void weft_partition_done(weft_partition *partition)
{
    weft_region_destroy(partition->boxes, partition->stride * partition->blocks);
    partition->boxes = NULL;
    free(partition->begin);
    free(partition->shift);
    free(partition->order);
    free(partition->where);
    partition->begin = partition->shift = partition->order = partition->where = NULL;
}

/* The next multiple. */
static uint32_t whole(uint32_t number, uint32_t of)
{
    return (number + of - 1) / of * of;
}

/* The largest of so many boxes over the mean one; 2 if there cannot be so many. */
static double unevenness(const weft_topology *topology, uint32_t blocks)
{
    const weft_lattice *lattice = &topology->lattice;
    uint32_t parts[WEFT_DIMS_MAX];
    uint64_t largest = 1;
    if (blocks > topology->routers || (lattice->dims && !factorise(lattice, blocks, parts)))
        return 2;
    for (uint32_t d = 0; d < lattice->dims; d++)
        largest *= (lattice->size[d] + parts[d] - 1) / parts[d];
    return lattice->dims ? (double)largest * blocks / topology->routers : 1;
}

static uint32_t power_above(uint32_t number)
{
    uint32_t power = 1;
    while (power < number)
        power *= 2;
    return power;
}

uint32_t weft_partition_default(const weft_topology *topology, uint32_t ranks, uint32_t threads)
{
    uint32_t blocks = topology->routers / BOX_ROUTERS;
    bool one = threads <= 1 && topology->routers / ranks <= ONE_BLOCK;
    if (one && ranks > 1 && unevenness(topology, ranks) > UNEVEN)
        return weft_partition_fit(topology, power_above(8 * ranks));
    if (one)
        return ranks;
    if (threads > 1 && blocks < 4 * threads * ranks)
        blocks = 4 * threads * ranks;
    return whole(blocks ? blocks : 1, ranks * threads);
}

/* The row of a place; the first ones are asked for most. */
static uint32_t row_of(const weft_partition *partition, uint32_t at)
{
    uint32_t s = 0;
    while (at >= partition->start[s + 1])
        s++;
    return s;
}

/* Where a router is in the order of rows. */
static uint32_t place_of(const weft_partition *partition, uint32_t router)
{
    return partition->where ? partition->where[router] : router;
}

static weft_place find_place(const weft_partition *partition, uint32_t at)
{
    uint32_t s = row_of(partition, at), start = partition->start[s];
    const uint32_t *begin = partition->begin + (size_t)s * (partition->blocks + 1);
    weft_place place = {
        .block = weft_part_of(partition->start[s + 1] - start, partition->blocks, at - start)};
    while (at < begin[place.block]) /* a neighbour, where blocks end between units */
        place.block--;
    while (at >= begin[place.block + 1])
        place.block++;
    place.local = at - partition->shift[(size_t)place.block * partition->rows + s];
    return place;
}

weft_place weft_partition_place(const weft_partition *partition, uint32_t router)
{
    const weft_lattice *lattice = &partition->topology->lattice;
    weft_place place = {0};
    if (lattice->dims == 0)
        return find_place(partition, place_of(partition, router));
    uint32_t radix = 1, stride = 1;
    for (uint32_t d = lattice->dims; d-- > 0;) {
        uint32_t size = lattice->size[d], parts = partition->parts[d], at = router % size;
        uint32_t part = weft_part_of(size, parts, at);
        router /= size;
        place.block += radix * part;
        radix *= parts;
        place.local += (at - weft_part_start(size, parts, part)) * stride;
        stride *= weft_part_size(size, parts, part);
    }
    return place;
}

uint32_t weft_partition_router(const weft_partition *partition, uint32_t block, uint32_t local)
{
    const weft_lattice *lattice = &partition->topology->lattice;
    const weft_box *box = weft_partition_box(partition, block);
    if (partition->blocks == 1)
        return local;
    if (lattice->dims == 0) {
        uint32_t s = partition->rows - 1;
        while (local < box->edge[s].stride)
            s--;
        uint32_t at = box->edge[s].origin + (local - box->edge[s].stride);
        return partition->order ? partition->order[at] : at;
    }
    uint32_t router = 0;
    for (uint32_t d = 0; d < lattice->dims; d++) {
        const weft_edge *edge = &box->edge[d];
        uint32_t at = local / edge->stride;
        local -= at * edge->stride;
        router = router * lattice->size[d] + edge->origin + at;
    }
    return router;
}

uint32_t weft_partition_homes(const weft_partition *partition, uint32_t block)
{
    const weft_topology *topology = partition->topology;
    const weft_box *box = weft_partition_box(partition, block);
    if (topology->edge_routers == topology->routers)
        return box->routers;
    const weft_edge *edge = &box->edge[0]; /* its part of the first row; there are no coordinates */
    if (edge->origin >= topology->edge_routers)
        return 0;
    uint32_t homes = topology->edge_routers - edge->origin;
    return homes < edge->size ? homes : edge->size;
}

/* The block so many boxes further along a dimension. */
static uint32_t box_along(const weft_partition *partition, uint32_t block, uint32_t dim,
                          uint32_t further)
{
    uint32_t parts = partition->parts[dim], radix = 1;
    for (uint32_t d = dim + 1; d < partition->topology->lattice.dims; d++)
        radix *= partition->parts[d];
    uint32_t at = block / radix % parts;
    return block - at * radix + (at + further) % parts * radix;
}

uint32_t weft_partition_neighbour(const weft_partition *partition, uint32_t block, uint32_t slot)
{
    const weft_lattice *lattice = &partition->topology->lattice;
    if (lattice->dims == 0)
        return slot;
    if (partition->anywhere && slot >= partition->anywhere)
        return slot - partition->anywhere;
    if (lattice->full) {
        uint32_t dim = 0;
        for (; slot >= partition->parts[dim] - 1; dim++)
            slot -= partition->parts[dim] - 1;
        return box_along(partition, block, dim, slot + 1);
    }
    uint32_t dim = lattice->port_dim[slot], parts = partition->parts[dim];
    return box_along(partition, block, dim, lattice->port_step[slot] > 0 ? 1 : parts - 1);
}

weft_step weft_partition_reach(const weft_partition *partition, uint32_t block, uint32_t router)
{
    assert(partition->topology->lattice.dims == 0);
    if (partition->blocks == 1)
        return (weft_step){.slot = WEFT_INSIDE, .local = router};
    uint32_t at = place_of(partition, router);
    const weft_edge *edge = &weft_partition_box(partition, block)->edge[row_of(partition, at)];
    if (at - edge->origin < edge->size)
        return (weft_step){.slot = WEFT_INSIDE, .local = at - edge->origin + edge->stride};
    weft_place place = find_place(partition, at);
    return (weft_step){.slot = place.block, .local = place.local};
}

static weft_step step_range(const weft_partition *partition, uint32_t block, uint32_t local,
                            uint32_t port)
{
    const weft_topology *topology = partition->topology;
    weft_end end =
        topology->kind->peer(topology, weft_partition_router(partition, block, local), port);
    return weft_partition_reach(partition, block, end.router);
}

/* Along a full line: to any box of it. Strides of that box differ above this dimension only. */
static weft_step step_along(const weft_partition *partition, const weft_box *box, uint32_t local,
                            uint32_t port)
{
    const weft_lattice *lattice = &partition->topology->lattice;
    uint32_t dim = lattice->port_dim[port], size = lattice->size[dim];
    uint32_t parts = partition->parts[dim];
    const weft_edge *edge = &box->edge[dim];
    uint32_t above = local / edge->stride, low = local % edge->stride, rest = above / edge->size;
    uint32_t offset = (uint16_t)lattice->port_step[port];
    uint32_t to = edge->origin + above % edge->size + offset;
    to = to >= size ? to - size : to;
    if (to - edge->origin < edge->size) /* else it is below, a large number, or above */
        return (weft_step){.slot = WEFT_INSIDE,
                           .local = (rest * edge->size + to - edge->origin) * edge->stride + low};
    uint32_t mine = weft_part_of(size, parts, edge->origin), part = weft_part_of(size, parts, to);
    uint32_t at = to - weft_part_start(size, parts, part);
    uint32_t beyond = weft_part_size(size, parts, part);
    return (weft_step){.slot = first_slot(partition, dim) + (part + parts - mine) % parts - 1,
                       .local = (rest * beyond + at) * edge->stride + low};
}

uint32_t weft_partition_edges(const weft_box *box, uint32_t local, uint32_t ports)
{
    uint32_t edges = 0;
    for (uint32_t p = 0; p < ports && p < 32; p++) {
        const weft_gate *gate = &box->gate[p];
        edges |= (uint32_t)(local / gate->stride % gate->size == gate->last) << p;
    }
    return edges;
}

weft_step weft_partition_leave(const weft_partition *partition, uint32_t block, uint32_t local,
                               uint32_t port)
{
    if (partition->topology->lattice.dims == 0)
        return step_range(partition, block, local, port);
    if (partition->topology->lattice.full)
        return step_along(partition, weft_partition_box(partition, block), local, port);
    const weft_gate *gate = &weft_partition_box(partition, block)->gate[port];
    if (gate->beyond == 0)
        return (weft_step){.slot = WEFT_INSIDE, .local = local + gate->around};
    /* strides of the next box differ above this dimension only */
    uint32_t above = local / gate->stride, low = local % gate->stride, rest = above / gate->size;
    bool up = partition->topology->lattice.port_step[port] > 0;
    uint32_t to = up ? 0 : gate->beyond - 1;
    return (weft_step){.slot = port, .local = (rest * gate->beyond + to) * gate->stride + low};
}

uint32_t *weft_partition_table(const weft_partition *partition, uint32_t block, uint32_t routers)
{
    const weft_topology *topology = partition->topology;
    const weft_box *box = weft_partition_box(partition, block);
    uint32_t ports = topology->ports;
    if ((size_t)routers * ports > TABLE_LINKS)
        return NULL;
    uint32_t *table = weft_alloc(sizeof *table * routers * ports);
    for (uint32_t link = 0; link < routers * ports; link++) {
        uint32_t router = link / ports, port = link % ports;
        uint32_t id = weft_partition_router(partition, block, router);
        table[link] = WEFT_NOWHERE;
        if (topology->kind->peer(topology, id, port).router == WEFT_NOWHERE)
            continue;
        weft_step step = weft_partition_step(partition, box, block, router, port);
        if (step.slot == WEFT_INSIDE)
            table[link] = step.local;
    }
    return table;
}
