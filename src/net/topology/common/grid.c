/* SPDX-License-Identifier: Apache-2.0 */
#include "net/topology/common/grid.h"

#include <assert.h>
#include <string.h>

#define ROUTERS_MAX ((uint64_t)1 << 28)

weft_status weft_grid_check(const weft_ints *dims, int64_t hosts, weft_error *err)
{
    uint64_t routers = 1;
    if (dims->count < 1 || dims->count > WEFT_DIMS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "topology.dims must list 1 to %d sizes, found %d",
                         WEFT_DIMS_MAX, dims->count);
    for (int32_t d = 0; d < dims->count; d++) {
        if (dims->at[d] < 2 || dims->at[d] > 65535)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "every size in topology.dims must be 2 … 65535, found %d",
                             dims->at[d]);
        routers *= (uint32_t)dims->at[d];
        if (routers > ROUTERS_MAX)
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "topology.dims makes more than %llu routers (2^28), the most there can be",
                (unsigned long long)ROUTERS_MAX);
    }
    if (routers * (uint64_t)hosts > UINT32_MAX - 1)
        return weft_fail(err, WEFT_BAD_INPUT, "more than 2^32 endpoints");
    return WEFT_OK;
}

weft_status weft_grid_check_bits(uint32_t bits, weft_error *err)
{
    if (bits <= 32)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "topology.dims needs a route of %u bits, a packet has room for 32: use fewer "
                     "or smaller dimensions",
                     bits);
}

weft_grid_dimension *weft_grid_add(weft_topology *topology, weft_grid *grid, uint32_t size,
                                   unsigned bits, uint32_t ports)
{
    uint32_t d = grid->dims++;
    weft_grid_dimension *axis = &grid->axis[d];
    assert(d < WEFT_DIMS_MAX && grid->bits + bits <= 32);
    *axis = (weft_grid_dimension){.size = size,
                                  .by_size = weft_reciprocal_of(size),
                                  .shift = grid->bits,
                                  .mask = (uint32_t)(((uint64_t)1 << bits) - 1),
                                  .port = topology->ports};
    for (unsigned b = 0; b < bits; b++)
        grid->bit_axis[grid->bits++] = (uint8_t)d;
    for (uint32_t p = 0; p < ports; p++) {
        assert(topology->ports < WEFT_PORTS_MAX);
        grid->port_axis[topology->ports] = (uint8_t)d;
        topology->lattice.port_dim[topology->ports] = (uint8_t)d;
        topology->port_class[topology->ports++] = WEFT_LINK_LOCAL;
    }
    topology->lattice.size[d] = size;
    topology->lattice.dims = grid->dims;
    return axis;
}

static weft_status set_classes(weft_topology *topology, const weft_grid *grid,
                               const weft_ints *global, weft_error *err)
{
    bool named[WEFT_DIMS_MAX] = {false};
    for (int32_t i = 0; i < global->count; i++) {
        int32_t d = global->at[i];
        if (d < 0 || (uint32_t)d >= grid->dims)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "topology.global must list dimensions 0 … %u, found %d",
                             grid->dims - 1, d);
        if (named[d])
            return weft_fail(err, WEFT_BAD_INPUT, "topology.global names dimension %d twice", d);
        named[d] = true;
    }
    for (uint32_t p = 0; p < topology->ports; p++)
        if (named[grid->port_axis[p]])
            topology->port_class[p] = WEFT_LINK_GLOBAL;
    return WEFT_OK;
}

weft_status weft_grid_close(weft_topology *topology, weft_grid *grid, int64_t hosts,
                            const weft_ints *global, weft_error *err)
{
    topology->routers = 1;
    topology->concentration = (uint32_t)hosts;
    topology->max_vc_classes = 1;
    topology->header_bits = grid->bits;
    memset(topology->vc_classes, 1, topology->ports);
    topology->uniform = true;
    for (uint32_t d = grid->dims; d-- > 0;) {
        grid->axis[d].stride = topology->routers;
        grid->axis[d].by_stride = weft_reciprocal_of(topology->routers);
        topology->routers *= grid->axis[d].size;
    }
    topology->edge_routers = topology->routers;
    topology->proof.header_self_contained = true;
    return set_classes(topology, grid, global, err);
}
