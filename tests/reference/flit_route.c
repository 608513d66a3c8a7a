/* SPDX-License-Identifier: Apache-2.0 */
/* A packet carries what remains of its way in every dimension. On a ring those that will still
 * pass the end of the coordinates (class 0) and those that will not (class 1) use different
 * VCs, so no cycle of waiting closes. */
#include "reference/flit_route.h"

#include <assert.h>

/* How far apart two routers' numbers are that differ by 1 in this coordinate. */
static uint32_t stride(const flit_config *config, uint32_t dim)
{
    uint32_t routers = 1;
    for (uint32_t d = dim + 1; d < config->dims; d++)
        routers *= config->size[d];
    return routers;
}

uint32_t flit_coordinate(const flit_config *config, uint32_t router, uint32_t dim)
{
    return router / stride(config, dim) % config->size[dim];
}

/* The port that leads to another coordinate of the same dimension. */
static uint32_t port_to(const flit_config *config, uint32_t router, uint32_t dim, uint32_t to)
{
    uint32_t from = flit_coordinate(config, router, dim);
    uint32_t there = router + (to - from) * stride(config, dim);
    uint32_t p = 0;
    while (config->peer[router * config->ports + p].router != there) {
        p++;
        assert(p < config->ports);
    }
    return p;
}

static bool came_along(const flit_config *config, const flit_here *here, uint32_t dim)
{
    if (here->port == FLIT_NONE)
        return false;
    uint32_t from = config->peer[here->router * config->ports + here->port].router;
    return flit_coordinate(config, from, dim) != flit_coordinate(config, here->router, dim);
}

/* 0: the packet will still pass the end of this dimension's coordinates; 1: it will not. */
static uint32_t class_of(const flit_config *config, const flit_here *here,
                         const flit_packet *packet, uint32_t dim)
{
    int end = (int)flit_coordinate(config, here->router, dim) + packet->offset[dim];
    return end < 0 || end >= (int)config->size[dim] ? 0 : 1;
}

/* The one hop in a dimension in which something remains. */
static flit_way way_along(const flit_config *config, const flit_here *here,
                          const flit_packet *packet, uint32_t dim)
{
    int left = packet->offset[dim], size = (int)config->size[dim];
    int step = config->complete ? left : left > 0 ? 1 : -1;
    int to = ((int)flit_coordinate(config, here->router, dim) + step + size) % size;
    return (flit_way){
        .port = port_to(config, here->router, dim, (uint32_t)to), .dim = (int)dim, .step = step};
}

static uint32_t first_dimension(const flit_packet *packet)
{
    uint32_t dim = 0;
    while (packet->offset[dim] == 0) {
        dim++;
        assert(dim < FLIT_DIMS);
    }
    return dim;
}

static unsigned dimension_order(const flit_config *config, const flit_here *here,
                                const flit_packet *packet, flit_way *out)
{
    uint32_t dim = first_dimension(packet), all = (1u << config->vcs) - 1;
    uint32_t lower = config->vcs / 2; /* VCs of class 0 */
    *out = way_along(config, here, packet, dim);
    out->vcs = config->leveled ? 1u << config->vl[packet->class] : all;
    if (config->rings) {
        uint32_t class = class_of(config, here, packet, dim);
        if (!config->per_hop && came_along(config, here, dim))
            class = here->vc < lower ? 0 : 1;
        uint32_t crossing = (1u << lower) - 1;
        out->vcs = class == 0 ? crossing : all & ~crossing;
    }
    return 1;
}

static unsigned minimal_adaptive(const flit_config *config, const flit_here *here,
                                 const flit_packet *packet, flit_way *out)
{
    uint32_t escapes = config->rings ? 2 : 1, count = 0;
    for (uint32_t d = 0; d < config->dims; d++)
        if (packet->offset[d] != 0) {
            out[count] = way_along(config, here, packet, d);
            out[count++].vcs = ((1u << config->vcs) - 1) & ~((1u << escapes) - 1);
        }
    uint32_t dim = first_dimension(packet);
    out[count] = way_along(config, here, packet, dim);
    out[count].escape = true;
    out[count].vcs = 1u << (config->rings ? class_of(config, here, packet, dim) : 0);
    return count + 1;
}

unsigned flit_route(const flit_config *config, const flit_here *here, const flit_packet *packet,
                    flit_way *out)
{
    return config->adaptive ? minimal_adaptive(config, here, packet, out)
                            : dimension_order(config, here, packet, out);
}
