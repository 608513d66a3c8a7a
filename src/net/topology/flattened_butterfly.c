/* SPDX-License-Identifier: Apache-2.0 */
/* A flattened butterfly (Kim, Dally and Abts 2007); with arbitrary sizes a HyperX (Ahn et al.
 * 2009): every two routers that differ in one coordinate are joined. Port base + o − 1 of a
 * dimension of size k leads to coordinate (own + o) mod k, o = 1 … k − 1. The route header holds,
 * per dimension, the offset left (0: done), so a dimension takes one hop.
 *
 * With a trunk of t links between every two routers of a dimension, link c of offset o is port
 * base + c (k − 1) + o − 1. A packet draws a number when its header is made, kept above the
 * offsets, and prefers link (number mod t) of every dimension, so that all links of a trunk share
 * the load. */
#include "net/topology.h"
#include "net/topology/common/grid.h"

#include <assert.h>

typedef struct settings {
    weft_ints dims;
    weft_ints global;
    int64_t hosts;
    weft_ints trunk;
} settings;

typedef struct butterfly {
    weft_grid grid; /* the first member: shared code sees it */
    uint32_t trunk[WEFT_DIMS_MAX];
    uint32_t numbers; /* that packets draw: a multiple of every trunk */
    uint32_t offsets; /* mask of the offsets in a header */
} butterfly;

#define NUMBERS_MAX 256u

static const weft_param params[] = {
    WEFT_GRID_DIMS(settings),
    WEFT_GRID_HOSTS(settings),
    WEFT_GRID_GLOBAL(settings),
    {.name = "trunk",
     .brief = "links between every two routers of a line, for each dimension; none: 1 in all",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, trunk),
     .fallback = "none",
     .min = 1,
     .max = WEFT_MINIMAL_PORTS_MAX},
    {.name = NULL},
};

static uint32_t trunk_of(const settings *set, int32_t dim)
{
    return set->trunk.count ? (uint32_t)set->trunk.at[dim] : 1;
}

/* The least common multiple of all trunks. */
static uint64_t count_numbers(const settings *set)
{
    uint64_t all = 1;
    for (int32_t d = 0; d < set->dims.count && all <= NUMBERS_MAX; d++) {
        uint64_t times = 1;
        while (all * times % trunk_of(set, d))
            times++;
        all *= times;
    }
    return all;
}

static weft_status check(const settings *set, weft_error *err)
{
    uint32_t bits = 0, ports = 0;
    WEFT_TRY(weft_grid_check(&set->dims, set->hosts, err));
    if (set->trunk.count && set->trunk.count != set->dims.count)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.trunk must have a number for each of %d dimensions, found %d",
                         set->dims.count, set->trunk.count);
    for (int32_t d = 0; d < set->dims.count; d++) {
        bits += weft_grid_bits((uint32_t)set->dims.at[d]);
        ports += ((uint32_t)set->dims.at[d] - 1) * trunk_of(set, d);
    }
    if (ports > WEFT_PORTS_MAX && !set->trunk.count)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.dims joins every router to %u others (size − 1 in each "
                         "dimension), a router has at most %d ports: use smaller sizes",
                         ports, WEFT_PORTS_MAX);
    if (ports > WEFT_PORTS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.dims and topology.trunk give every router %u ports "
                         "((size − 1) × trunk in each dimension), it has at most %d: use fewer",
                         ports, WEFT_PORTS_MAX);
    uint64_t numbers = count_numbers(set);
    if (numbers > NUMBERS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the least common multiple of topology.trunk must be at most %u, found "
                         "more: use numbers with common factors",
                         NUMBERS_MAX);
    return weft_grid_check_bits(bits + weft_grid_bits((uint32_t)numbers), err);
}

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    WEFT_TRY(check(set, err));
    butterfly *self = topology->self;
    weft_grid *grid = &self->grid;
    topology->lattice.full = true;
    for (int32_t d = 0; d < set->dims.count; d++) {
        uint32_t size = (uint32_t)set->dims.at[d];
        assert(size > 1);
        self->trunk[d] = trunk_of(set, d);
        const weft_grid_dimension *axis =
            weft_grid_add(topology, grid, size, weft_grid_bits(size), self->trunk[d] * (size - 1));
        for (uint32_t i = 0; i < self->trunk[d] * (size - 1); i++) {
            uint32_t first = axis->port + i / (size - 1) * (size - 1), o = i % (size - 1) + 1;
            topology->lattice.port_step[axis->port + i] = (int16_t)o;
            topology->peer_port[axis->port + i] = (uint16_t)(first + size - o - 1);
        }
    }
    WEFT_TRY(weft_grid_close(topology, grid, set->hosts, &set->global, err));
    self->numbers = (uint32_t)count_numbers(set);
    self->offsets = (uint32_t)(((uint64_t)1 << grid->bits) - 1);
    topology->header_bits = grid->bits + weft_grid_bits(self->numbers);
    topology->proof.untied = self->numbers == 1;
    topology->proof.vertex_transitive = true;
    topology->links = (uint64_t)topology->routers * topology->ports;
    return WEFT_OK;
}

static weft_end peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    const weft_grid_dimension *axis = weft_grid_axis(topology->self, port);
    uint32_t offset = (uint16_t)topology->lattice.port_step[port], back = axis->size - offset;
    bool round = weft_grid_coordinate(axis, router) >= back;
    assert(offset > 0 && offset < axis->size);
    return (weft_end){.router =
                          round ? router - back * axis->stride : router + offset * axis->stride,
                      .port = topology->peer_port[port]};
}

static uint32_t distance(const weft_topology *topology, uint32_t from, uint32_t to)
{
    const weft_grid *grid = topology->self;
    uint32_t hops = 0;
    for (uint32_t d = 0; d < grid->dims; d++)
        hops +=
            weft_grid_coordinate(&grid->axis[d], from) != weft_grid_coordinate(&grid->axis[d], to);
    return hops;
}

static double mean_distance(const weft_topology *topology)
{
    const weft_grid *grid = topology->self;
    double mean = 0, n = topology->routers; /* over all pairs, equal ones included */
    for (uint32_t d = 0; d < grid->dims; d++)
        mean += (grid->axis[d].size - 1.0) / grid->axis[d].size;
    return mean * n / (n - 1);
}

static uint32_t make_header(const weft_topology *topology, uint32_t from, uint32_t to,
                            weft_random *tie)
{
    const butterfly *self = topology->self;
    const weft_grid *grid = &self->grid;
    uint32_t route = 0;
    for (uint32_t d = grid->dims; d-- > 0;) {
        const weft_grid_dimension *axis = &grid->axis[d];
        uint32_t from_above = weft_divide(from, axis->by_size);
        uint32_t to_above = weft_divide(to, axis->by_size);
        uint32_t a = from - from_above * axis->size, b = to - to_above * axis->size;
        route |= (b >= a ? b - a : b + axis->size - a) << axis->shift;
        from = from_above;
        to = to_above;
    }
    if (route && tie && self->numbers > 1)
        route |= weft_random_below(tie, self->numbers) << grid->bits;
    return route;
}

static unsigned all_headers(const weft_topology *topology, uint32_t from, uint32_t to,
                            uint32_t *out)
{
    const butterfly *self = topology->self;
    unsigned count = from == to ? 1 : self->numbers;
    uint32_t route = make_header(topology, from, to, NULL);
    for (unsigned i = 0; i < count; i++)
        out[i] = route | (i ? i << self->grid.bits : 0);
    return count;
}

/* All links of a trunk, that of the packet's number first; returns their number. */
static unsigned put_trunk(const butterfly *self, const weft_minimal_port *first, uint32_t number,
                          unsigned most, weft_minimal_port *out)
{
    uint32_t trunk = self->trunk[first->dim], c = number % trunk;
    unsigned count = trunk < most ? trunk : most;
    for (unsigned i = 0; i < count; i++, c = c + 1 < trunk ? c + 1 : 0) {
        out[i] = *first;
        out[i].port = (uint16_t)(first->port + c * (self->grid.axis[first->dim].size - 1));
    }
    return count;
}

static unsigned minimal_ports(const weft_topology *topology, uint32_t router, uint32_t route,
                              unsigned most, weft_minimal_port *out)
{
    const butterfly *self = topology->self;
    const weft_grid *grid = &self->grid;
    (void)router; /* all are alike */
    unsigned count = 0;
    uint32_t left = route & self->offsets;
    for (uint32_t rest = left; rest && count < most;) {
        uint8_t dim = grid->bit_axis[__builtin_ctz(rest)];
        const weft_grid_dimension *axis = &grid->axis[dim];
        uint32_t field = rest & (axis->mask << axis->shift);
        rest -= field;
        weft_minimal_port way = {.port = (uint16_t)(axis->port + (field >> axis->shift) - 1),
                                 .hops = 1,
                                 .next_header = left == field ? 0 : route - field,
                                 .dim = dim};
        if (self->numbers == 1)
            out[count++] = way;
        else
            count += put_trunk(self, &way, route >> grid->bits, most - count, out + count);
    }
    return count;
}

static bool header_valid(const weft_topology *topology, uint32_t router, uint32_t route)
{
    const butterfly *self = topology->self;
    const weft_grid *grid = &self->grid;
    (void)router; /* all are alike */
    if (self->numbers > 1) {
        if (route >> grid->bits >= self->numbers || (route && !(route & self->offsets)))
            return false;
        route &= self->offsets;
    }
    for (uint32_t d = 0; d < grid->dims; d++) {
        const weft_grid_dimension *axis = &grid->axis[d];
        if (((route >> axis->shift) & axis->mask) >= axis->size)
            return false;
        route &= ~(axis->mask << axis->shift);
    }
    return route == 0;
}

#define KIND(id, called, about)                       \
    const weft_topology_kind weft_topology_##id = {   \
        .base = {.abi = WEFT_ABI,                     \
                 .size = sizeof(weft_topology_kind),  \
                 .name = called,                      \
                 .brief = about,                      \
                 .params = params,                    \
                 .settings_size = sizeof(settings),   \
                 .instance_size = sizeof(butterfly)}, \
        .build = build,                               \
        .peer = peer,                                 \
        .distance = distance,                         \
        .mean_distance = mean_distance,               \
        .make_header = make_header,                   \
        .minimal_ports = minimal_ports,               \
        .header_valid = header_valid,                 \
        .all_headers = all_headers,                   \
    }

KIND(flattened_butterfly, "flattened-butterfly",
     "all routers of a line joined, along every dimension");
KIND(hyperx, "hyperx", "another name of flattened-butterfly");
