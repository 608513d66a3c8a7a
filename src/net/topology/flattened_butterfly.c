/* SPDX-License-Identifier: Apache-2.0 */
/* A flattened butterfly (Kim, Dally and Abts 2007); with arbitrary sizes a HyperX (Ahn et al.
 * 2009): every two routers that differ in one coordinate are joined. Port base + o − 1 of a
 * dimension of size k leads to coordinate (own + o) mod k, o = 1 … k − 1. The route header holds,
 * per dimension, the offset left (0: done), so a dimension takes one hop. */
#include "net/topology.h"
#include "net/topology/common/grid.h"

#include <assert.h>

typedef struct settings {
    weft_ints dims;
    weft_ints global;
    int64_t hosts;
} settings;

static const weft_param params[] = {
    WEFT_GRID_DIMS(settings),
    WEFT_GRID_HOSTS(settings),
    WEFT_GRID_GLOBAL(settings),
    {.name = NULL},
};

static weft_status check(const settings *set, weft_error *err)
{
    uint32_t bits = 0, ports = 0;
    WEFT_TRY(weft_grid_check(&set->dims, set->hosts, err));
    for (int32_t d = 0; d < set->dims.count; d++) {
        bits += weft_grid_bits((uint32_t)set->dims.at[d]);
        ports += (uint32_t)set->dims.at[d] - 1;
    }
    if (ports > WEFT_PORTS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.dims joins every router to %u others (size − 1 in each "
                         "dimension), a router has at most %d ports: use smaller sizes",
                         ports, WEFT_PORTS_MAX);
    return weft_grid_check_bits(bits, err);
}

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    WEFT_TRY(check(set, err));
    weft_grid *grid = topology->self;
    topology->lattice.full = true;
    for (int32_t d = 0; d < set->dims.count; d++) {
        uint32_t size = (uint32_t)set->dims.at[d];
        const weft_grid_dimension *axis =
            weft_grid_add(topology, grid, size, weft_grid_bits(size), size - 1);
        for (uint32_t o = 1; o < size; o++) {
            topology->lattice.port_step[axis->port + o - 1] = (int16_t)o;
            topology->peer_port[axis->port + o - 1] = (uint16_t)(axis->port + size - o - 1);
        }
    }
    WEFT_TRY(weft_grid_close(topology, grid, set->hosts, &set->global, err));
    topology->proof.vertex_transitive = true;
    topology->links = (uint64_t)topology->routers * topology->ports;
    return WEFT_OK;
}

static weft_end peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    const weft_grid_dimension *axis = weft_grid_axis(topology->self, port);
    uint32_t offset = port - axis->port + 1, back = axis->size - offset;
    bool round = weft_grid_coordinate(axis, router) >= back;
    assert(offset < axis->size);
    return (weft_end){.router =
                          round ? router - back * axis->stride : router + offset * axis->stride,
                      .port = axis->port + back - 1};
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
    const weft_grid *grid = topology->self;
    uint32_t route = 0;
    (void)tie; /* there are none */
    for (uint32_t d = grid->dims; d-- > 0;) {
        const weft_grid_dimension *axis = &grid->axis[d];
        uint32_t from_above = weft_divide(from, axis->by_size);
        uint32_t to_above = weft_divide(to, axis->by_size);
        uint32_t a = from - from_above * axis->size, b = to - to_above * axis->size;
        route |= (b >= a ? b - a : b + axis->size - a) << axis->shift;
        from = from_above;
        to = to_above;
    }
    return route;
}

static unsigned minimal_ports(const weft_topology *topology, uint32_t router, uint32_t route,
                              unsigned most, weft_minimal_port *out)
{
    const weft_grid *grid = topology->self;
    (void)router; /* all are alike */
    unsigned count = 0;
    for (uint32_t rest = route; rest && count < most;) {
        uint8_t dim = grid->bit_axis[__builtin_ctz(rest)];
        const weft_grid_dimension *axis = &grid->axis[dim];
        uint32_t field = rest & (axis->mask << axis->shift);
        rest -= field;
        out[count++] =
            (weft_minimal_port){.port = (uint16_t)(axis->port + (field >> axis->shift) - 1),
                                .hops = 1,
                                .next_header = route - field,
                                .dim = dim};
    }
    return count;
}

static bool header_valid(const weft_topology *topology, uint32_t router, uint32_t route)
{
    const weft_grid *grid = topology->self;
    (void)router; /* all are alike */
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
                 .instance_size = sizeof(weft_grid)}, \
        .build = build,                               \
        .peer = peer,                                 \
        .distance = distance,                         \
        .mean_distance = mean_distance,               \
        .make_header = make_header,                   \
        .minimal_ports = minimal_ports,               \
        .header_valid = header_valid,                 \
    }

KIND(flattened_butterfly, "flattened-butterfly",
     "all routers of a line joined, along every dimension");
KIND(hyperx, "hyperx", "another name of flattened-butterfly");
