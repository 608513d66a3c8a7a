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
    {"hyperx", "dims=3,4 hosts=2"},
    {"flattened-butterfly", "dims=5,2,3 global=0 hosts=2"},
    {"flattened-butterfly", "dims=3,4,5"},
    {"flattened-butterfly", "dims=2,2,2,2,2"},
    {"flattened-butterfly", "dims=3,3,3,3 global=2,3"},
    {"hyperx", "dims=4 trunk=2"},
    {"hyperx", "dims=3,4 trunk=2,1 hosts=2"},
    {"hyperx", "dims=2,3,3 trunk=2,3,1 global=1"},
    {"fat-tree", "arity=2 levels=2"},
    {"fat-tree", "arity=2 levels=4"},
    {"fat-tree", "arity=3 levels=3"},
    {"fat-tree", "arity=4 levels=3 global=true"},
    {"fat-tree", "form=m-port arity=4 levels=3"},
    {"fat-tree", "form=m-port arity=6 levels=2 global=true"},
    {"fat-tree", "form=xgft down=3,2,4 up=1,2,3"},
    {"fat-tree", "form=xgft down=1,5,2 up=1,3,1"},
    {"fat-tree", "form=xgft down=2,3,2,3 up=1,1,4,2 global=true"},
    {"butterfly", "arity=2 stages=2"},
    {"butterfly", "arity=2 stages=4"},
    {"butterfly", "arity=3 stages=3"},
    {"butterfly", "arity=4 stages=3"},
    {"full", "routers=2 hosts=3"},
    {"full", "routers=5 order=absolute hosts=2"},
    {"full", "routers=6 order=palm-tree"},
    {"full", "routers=4 links=3"},
    {"full", "routers=33"},
    {"dragonfly", "groups=9 routers=4 hosts=2"},
    {"dragonfly", "groups=5 routers=4 arrangement=absolute"},
    {"dragonfly", "groups=3 routers=4 global=2 arrangement=palm-tree hosts=2"},
    {"dragonfly", "groups=4 routers=6 global=2 arrangement=absolute"},
    {"dragonfly", "groups=5 routers=3 global=2 arrangement=given attach=2,0,2,1"},
    {"dragonfly", "groups=33 routers=8 hosts=4"},
    {"hierarchy", "outer=torus(dims=3,3,3,3) inner=full(routers=4 hosts=2) attach=0,0,1,1,2,2,3,3"},
    {"hierarchy", "outer=torus(dims=3,4) inner=full(routers=4)"},
    {"hierarchy", "outer=torus(dims=3,3,3) inner=mesh(dims=2,3,2)"},
    {"hierarchy", "outer=torus(dims=3,4) inner=torus(dims=2,3,2) attach=5,5,3,3"},
    {"hierarchy", "outer=torus(dims=4,5) inner=mesh(dims=4) attach=3,3,2,0"},
    {"hierarchy", "outer=mesh(dims=3,2) inner=slim-fly(q=3 hosts=2)"},
    {"hierarchy", "outer=flattened-butterfly(dims=3,3) inner=full(routers=3) attach=0,1,2,2"},
    {"hierarchy", "outer=hypercube(dimensions=3) inner=mesh(dims=3) attach=2,0,2"},
    {"hierarchy", "outer=slim-fly(q=3) inner=full(routers=3)"},
    {"hierarchy", "outer=random-regular(routers=10 degree=3) inner=mesh(dims=3)"},
    {"hierarchy", "outer=full(routers=4 links=2 order=absolute) inner=mesh(dims=2,2)"},
    {"hierarchy", "outer=fat-tree(form=xgft down=1,3,2 up=1,2,1) inner=full(routers=3 hosts=2)"},
    {"hierarchy",
     "outer=full(routers=4) inner=hierarchy(outer=full(routers=3) inner=full(routers=2 hosts=2))"},
    {"hierarchy",
     "outer=hierarchy(outer=full(routers=3) inner=full(routers=2)) inner=full(routers=2)"},
    {"hierarchy",
     "outer=hierarchy(outer=torus(dims=4) inner=full(routers=3)) inner=full(routers=4)"},
    {"full", "routers=6 order=circulant"},
    {"full", "routers=7 order=circulant links=2"},
    {"dragonfly", "groups=9 routers=4 arrangement=circulant"},
    {"dragonfly", "groups=6 routers=3 global=3 arrangement=circulant hosts=2"},
    {"leaf-spine", "leaves=2 spines=1"},
    {"leaf-spine", "leaves=4 spines=3 hosts=2"},
    {"leaf-spine", "leaves=3 spines=5"},
    {"megafly", "groups=5 leaves=4 hosts=2"},
    {"megafly", "groups=2 leaves=2 spines=1"},
    {"megafly", "groups=4 leaves=3 spines=2 global=3 arrangement=absolute hosts=2"},
    {"megafly", "groups=9 leaves=4 global=2 arrangement=circulant hosts=4"},
    {"megafly", "groups=3 leaves=2 spines=4 links=3 arrangement=palm-tree inner-vcs=1"},
    {"megafly", "groups=4 leaves=2 spines=2 attach=3,0,2"},
    {"hierarchy", "outer=torus(dims=3,4) inner=leaf-spine(leaves=2 spines=2 hosts=2)"},
    {"hierarchy", "outer=full(routers=3) inner=megafly(groups=2 leaves=2 hosts=2) attach=4,6"},
    {"hierarchy", "outer=hierarchy(outer=full(routers=3) inner=full(routers=2)) "
                  "inner=leaf-spine(leaves=3 spines=2)"},
    {"slim-fly", "q=3"},
    {"slim-fly", "q=4 hosts=3"},
    {"slim-fly", "q=5 hosts=4"},
    {"slim-fly", "q=7"},
    {"slim-fly", "q=8"},
    {"slim-fly", "q=9"},
    {"random-regular", "routers=10 degree=3"},
    {"random-regular", "routers=31 degree=4 seed=7 hosts=2"},
    {"random-regular", "routers=12 degree=11"},
    {"random-regular", "routers=60 degree=5 seed=3"},
    {"file", "path=" WEFT_TEST_DATA "/fabrics/small.weftnet"},
    {"file", "hosts=3 path=" WEFT_TEST_DATA "/fabrics/small.weftnet"},
    {"file", "path=" WEFT_TEST_DATA "/fabrics/irregular.weftnet"},
    {"file", "path=" WEFT_TEST_DATA "/infiniband/torus-2QoS.weftnet"},
};
#define NETWORKS (sizeof network_examples / sizeof *network_examples)

#define NETWORK_LEVELS 8

typedef struct network {
    weft_topology topology;
    void *settings;
    void *inside[NETWORK_LEVELS]; /* settings of kinds inside */
    size_t levels;
} network;

/* The end of a word: a space that is not in brackets. */
static inline size_t network_word(const char *text)
{
    size_t length = 0;
    for (int depth = 0; text[length] && (depth || text[length] != ' '); length++)
        depth += (text[length] == '(') - (text[length] == ')');
    return length;
}

/* As settings_make, with kinds inside and their settings in brackets: "outer=full(routers=9)
 * inner=torus(dims=3,3 hosts=2)". */
static inline void *network_settings(network *net, const weft_component *base, const char *text)
{
    char plain[1024] = "", word[1024], kind[64];
    size_t at = 0, length;
    for (const char *t = text; *t; t += length + (t[length] == ' ')) {
        length = network_word(t);
        if (!memchr(t, '(', length))
            at += (size_t)snprintf(plain + at, sizeof plain - at, "%.*s ", (int)length, t);
    }
    void *settings = settings_make(base, plain);
    for (const char *t = text; *t; t += length + (t[length] == ' ')) {
        length = network_word(t);
        (void)snprintf(word, sizeof word, "%.*s", (int)length, t);
        char *name = strchr(word, '='), *own = strchr(word, '(');
        if (!own)
            continue;
        *name = *own = word[length - 1] = '\0';
        (void)snprintf(kind, sizeof kind, "%s", name + 1);
        const weft_component *inside = kind_named(weft_topology_kinds, kind);
        assert(net->levels < NETWORK_LEVELS);
        void *given = network_settings(net, inside, own + 1);
        net->inside[net->levels++] = given;
        settings_put_kind(base, settings, word, (weft_kind_ref){.kind = inside, .settings = given});
    }
    return settings;
}

static inline weft_status network_try(network *net, const char *kind, const char *settings,
                                      weft_error *err)
{
    const weft_component *base = kind_named(weft_topology_kinds, kind);
    *net = (network){.levels = 0};
    net->settings = network_settings(net, base, settings);
    net->topology.kind = (const weft_topology_kind *)(const void *)base;
    net->topology.self = calloc(1, base->instance_size + 1);
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): network_close frees it all */
    return weft_topology_build(&net->topology, net->settings, err);
}

/* Its settings. */
static inline void network_forget(network *net)
{
    free(net->settings);
    while (net->levels > 0)
        free(net->inside[--net->levels]);
}

static inline void network_close(network *net)
{
    if (net->topology.kind->done)
        net->topology.kind->done(&net->topology);
    free(net->topology.self);
    network_forget(net);
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

/* Is it refused with these words? */
static inline bool network_refuses(const char *kind, const char *settings, const char *message)
{
    network net;
    weft_error err = {0};
    bool same =
        network_try(&net, kind, settings, &err) == WEFT_BAD_INPUT && strcmp(err.text, message) == 0;
    if (!same)
        fprintf(stderr, "%s %s: %s\n", kind, settings, err.text);
    network_close(&net);
    return same;
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
