/* SPDX-License-Identifier: Apache-2.0 */
/* A registry of imitation components for the tests of config: the names and parameters of the
 * built-in ones, without what they do. */
#ifndef WEFT_TEST_CONFIG_REGISTRY_H
#define WEFT_TEST_CONFIG_REGISTRY_H

#include "config/registry.h"

#include <assert.h>

typedef struct fake_torus {
    weft_ints dims;
    int64_t hosts;
    int tie;
} fake_torus;

typedef struct fake_router {
    weft_duration header;
    int variant;
} fake_router;

typedef struct fake_buffered {
    int64_t vcs, speedup;
    weft_size buffer, pool;
} fake_buffered;

typedef struct fake_routing {
    weft_kind_ref selection;
} fake_routing;

typedef struct fake_pattern {
    int64_t node;
    double share;
    bool self;
} fake_pattern;

typedef struct fake_length {
    weft_size first, second;
    double share;
} fake_length;

#define FAKE_END     \
    {                \
        .name = NULL \
    }

static const char *const fake_ties[] = {"random", "up", NULL};
static const char *const fake_variants[] = {"S2", "S0", NULL};

static const weft_param fake_torus_params[] = {
    {"dims", "routers along each dimension", WEFT_PARAM_INTS, offsetof(fake_torus, dims), NULL, 2,
     65535, NULL, NULL},
    {"hosts", "endpoints per router", WEFT_PARAM_INT, offsetof(fake_torus, hosts), "1", 1, 1024,
     NULL, NULL},
    {"tie", "direction at half a ring", WEFT_PARAM_CHOICE, offsetof(fake_torus, tie), "random", 0,
     0, fake_ties, NULL},
    FAKE_END};
static const weft_param fake_router_params[] = {
    {"header", "time to route a header", WEFT_PARAM_DURATION, offsetof(fake_router, header),
     "1 cycle", 1, 1000000, NULL, NULL},
    {"variant", "which idealisation", WEFT_PARAM_CHOICE, offsetof(fake_router, variant), "S2", 0, 0,
     fake_variants, NULL},
    FAKE_END};
static const weft_param fake_buffered_params[] = {
    {"vcs", "virtual channels", WEFT_PARAM_INT, offsetof(fake_buffered, vcs), "4", 1, 16, NULL,
     NULL},
    {"buffer", "of every one", WEFT_PARAM_ROOM, offsetof(fake_buffered, buffer), "64 flits", 1, 1e6,
     NULL, NULL},
    {"pool", "beside them", WEFT_PARAM_ROOM, offsetof(fake_buffered, pool), "none", 0, 0, NULL,
     NULL},
    {"speedup", "of the crossbar", WEFT_PARAM_FACTOR, offsetof(fake_buffered, speedup), "1", 0, 0,
     NULL, NULL},
    FAKE_END};
static const weft_param fake_routing_params[] = {
    {"selection", "order of candidates", WEFT_PARAM_KIND, offsetof(fake_routing, selection),
     "dimension-order", 0, 0, NULL, "selection"},
    FAKE_END};
static const weft_param fake_hot_spot_params[] = {
    {"node", "the hot endpoint", WEFT_PARAM_INT, offsetof(fake_pattern, node), "0", 0, 1e9, NULL,
     NULL},
    {"share", "of messages that go there", WEFT_PARAM_FRACTION, offsetof(fake_pattern, share),
     "10%", 0, 1, NULL, NULL},
    {"self", "whether it sends to itself", WEFT_PARAM_FLAG, offsetof(fake_pattern, self), "false",
     0, 0, NULL, NULL},
    FAKE_END};
static const weft_param fake_fixed_params[] = {{"size", "of every message", WEFT_PARAM_SIZE,
                                                offsetof(fake_length, first), NULL, 1, 1e9, NULL,
                                                NULL},
                                               FAKE_END};
static const weft_param fake_exponential_params[] = {
    {"mean", "size", WEFT_PARAM_SIZE, offsetof(fake_length, first), NULL, 1, 1e9, NULL, NULL},
    FAKE_END};
static const weft_param fake_bimodal_params[] = {
    {"short", "size of short messages", WEFT_PARAM_SIZE, offsetof(fake_length, first), NULL, 1, 1e9,
     NULL, NULL},
    {"long", "size of long messages", WEFT_PARAM_SIZE, offsetof(fake_length, second), NULL, 1, 1e9,
     NULL, NULL},
    {"share", "of long messages", WEFT_PARAM_FRACTION, offsetof(fake_length, share), "50%", 0, 1,
     NULL, NULL},
    FAKE_END};

#define FAKE_KIND(id, label, table, struct_size)                                               \
    static const weft_component fake_##id##_kind = {                                           \
        WEFT_ABI, sizeof(weft_component), label, "imitation of " label, table, struct_size, 0, \
        false}
FAKE_KIND(torus, "torus", fake_torus_params, sizeof(fake_torus));
FAKE_KIND(mesh, "mesh", fake_torus_params, sizeof(fake_torus));
FAKE_KIND(output_queued, "output-queued", fake_router_params, sizeof(fake_router));
FAKE_KIND(buffered, "buffered", fake_buffered_params, sizeof(fake_buffered));
FAKE_KIND(oblivious, "minimal-oblivious", fake_routing_params, sizeof(fake_routing));
FAKE_KIND(adaptive, "minimal-adaptive", fake_routing_params, sizeof(fake_routing));
FAKE_KIND(dimension_order, "dimension-order", NULL, 0);
FAKE_KIND(random, "random", NULL, 0);
FAKE_KIND(diagonal, "diagonal", NULL, 0);
FAKE_KIND(uniform, "uniform", NULL, 0);
FAKE_KIND(hot_spot, "hot-spot", fake_hot_spot_params, sizeof(fake_pattern));
FAKE_KIND(poisson, "poisson", NULL, 0);
FAKE_KIND(periodic, "periodic", NULL, 0);
FAKE_KIND(fixed, "fixed", fake_fixed_params, sizeof(fake_length));
FAKE_KIND(exponential, "exponential", fake_exponential_params, sizeof(fake_length));
FAKE_KIND(bimodal, "bimodal", fake_bimodal_params, sizeof(fake_length));

static void fake_add(weft_registry *registry, const char *family, const weft_component *kind)
{
    weft_error err;
    weft_status status = weft_registry_add(registry, family, kind, &err);
    assert(status == WEFT_OK);
    (void)status;
}

static void fake_family(weft_registry *registry, const char *name, const char *shorthand,
                        const char *const *planned)
{
    static const weft_required nothing[] = {{NULL, 0, 0}};
    weft_registry_family(registry, &(weft_family){.name = name,
                                                  .brief = "imitation",
                                                  .shorthand = shorthand,
                                                  .planned = planned,
                                                  .required = nothing,
                                                  .record_size = sizeof(weft_component)});
}

static void fake_registry(weft_registry *registry)
{
    static const char *const topologies[] = {"full", "dragonfly", "hierarchy", "file", NULL};
    static const char *const routers[] = {"input-queued", "shared-queue", NULL};
    static const char *const routings[] = {"zone", "valiant", "ugal", NULL};
    static const char *const selections[] = {"least-occupied", NULL};
    static const char *const patterns[] = {"locality", "group-adversarial", NULL};
    weft_registry_init(registry);
    fake_family(registry, "topology", NULL, topologies);
    fake_family(registry, "router", NULL, routers);
    fake_family(registry, "routing", NULL, routings);
    fake_family(registry, "selection", NULL, selections);
    fake_family(registry, "pattern", NULL, patterns);
    fake_family(registry, "arrival", NULL, NULL);
    fake_family(registry, "length", "fixed", NULL);
    fake_add(registry, "topology", &fake_torus_kind);
    fake_add(registry, "topology", &fake_mesh_kind);
    fake_add(registry, "router", &fake_output_queued_kind);
    fake_add(registry, "router", &fake_buffered_kind);
    fake_add(registry, "routing", &fake_oblivious_kind);
    fake_add(registry, "routing", &fake_adaptive_kind);
    fake_add(registry, "selection", &fake_dimension_order_kind);
    fake_add(registry, "selection", &fake_random_kind);
    fake_add(registry, "selection", &fake_diagonal_kind);
    fake_add(registry, "pattern", &fake_uniform_kind);
    fake_add(registry, "pattern", &fake_hot_spot_kind);
    fake_add(registry, "arrival", &fake_poisson_kind);
    fake_add(registry, "arrival", &fake_periodic_kind);
    fake_add(registry, "length", &fake_fixed_kind);
    fake_add(registry, "length", &fake_exponential_kind);
    fake_add(registry, "length", &fake_bimodal_kind);
}

#endif
