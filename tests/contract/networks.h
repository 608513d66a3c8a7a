/* SPDX-License-Identifier: Apache-2.0 */
/* Examples of every topology kind, small enough to look at every pair of routers. A new kind adds
 * its lines here; test_topologies.c complains if it has none. */
#ifndef WEFT_TEST_NETWORKS_H
#define WEFT_TEST_NETWORKS_H

#include "net/topology.h"

#include "contract/settings.h"

typedef struct example {
    const char *kind, *settings;
} example;

static const example network_examples[] = {
    {"torus", "dims=2"},
    {"torus", "dims=3"},
    {"torus", "dims=4 tie=wrap"},
    {"torus", "dims=5"},
    {"torus", "dims=16 hosts=2"},
    {"torus", "dims=2,2 hosts=3"},
    {"torus", "dims=3,4"},
    {"torus", "dims=4,3 hosts=2 tie=negative"},
    {"torus", "dims=5,5"},
    {"torus", "dims=2,7"},
    {"torus", "dims=8,8 tie=positive"},
    {"torus", "dims=16,16"},
    {"torus", "dims=6,2,3 hosts=2 tie=wrap"},
    {"torus", "dims=4,4,4"},
    {"torus", "dims=3,3,3,3"},
    {"torus", "dims=2,3,4,5 hosts=3"},
    {"torus", "dims=2,2,2,2,2"},
    {"torus", "dims=3,2,4,2,3 tie=wrap"},
    {"mesh", "dims=2"},
    {"mesh", "dims=7"},
    {"mesh", "dims=3,5 hosts=2"},
    {"mesh", "dims=4,4"},
    {"mesh", "dims=2,6 hosts=3"},
    {"mesh", "dims=3,4,2"},
    {"mesh", "dims=3,2,3,2"},
    {"mesh", "dims=2,2,3,2,2 hosts=2"},
    {"hypercube", "dimensions=1"},
    {"hypercube", "dimensions=2 hosts=3"},
    {"hypercube", "dimensions=3"},
    {"hypercube", "dimensions=4 hosts=2"},
    {"hypercube", "dimensions=5"},
    {"hypercube", "dimensions=7"},
    {"torus", "dims=4,5 global=1"},
    {"mesh", "dims=3,2,3 global=0,2"},
    {"hypercube", "dimensions=3 global=1"},
    {"flattened-butterfly", "dims=2"},
    {"flattened-butterfly", "dims=3 hosts=2"},
    {"flattened-butterfly", "dims=12 hosts=4"},
    {"flattened-butterfly", "dims=4,4 hosts=4"},
    {"flattened-butterfly", "dims=5,2,3 global=0 hosts=2"},
    {"flattened-butterfly", "dims=3,4,5"},
    {"flattened-butterfly", "dims=2,2,2,2,2"},
    {"flattened-butterfly", "dims=3,3,3,3 global=2,3"},
};
#define NETWORKS (sizeof network_examples / sizeof *network_examples)

typedef struct network {
    weft_topology topology;
    void *settings;
} network;

static inline weft_status network_try(network *net, const char *kind, const char *settings,
                                      weft_error *err)
{
    const weft_component *base = kind_named(weft_topology_kinds, kind);
    *net = (network){.settings = settings_make(base, settings)};
    net->topology.kind = (const weft_topology_kind *)(const void *)base;
    net->topology.self = calloc(1, base->instance_size + 1);
    return net->topology.kind->build(&net->topology, net->settings, err);
}

static inline void network_close(network *net)
{
    if (net->topology.kind->done)
        net->topology.kind->done(&net->topology);
    free(net->topology.self);
    free(net->settings);
}

/* &net->topology, built. */
static inline const weft_topology *network_open(network *net, const char *kind,
                                                const char *settings)
{
    weft_error err = {0};
    weft_status status = network_try(net, kind, settings, &err);
    if (status != WEFT_OK)
        fprintf(stderr, "%s %s: %s\n", kind, settings, err.text);
    assert(status == WEFT_OK);
    return &net->topology;
}

static inline const weft_topology *network_example(network *net, size_t i)
{
    return network_open(net, network_examples[i].kind, network_examples[i].settings);
}

/* Coordinate of a router along a dimension, from the definition: mixed radix, dimension 0 most
 * significant. */
static inline uint32_t network_coordinate(const weft_lattice *lattice, uint32_t router,
                                          uint32_t dim)
{
    for (uint32_t d = lattice->dims; --d > dim;)
        router /= lattice->size[d];
    return router % lattice->size[dim];
}

#endif
