/* SPDX-License-Identifier: Apache-2.0 */
/* HyperX: all routers of a line joined along every dimension (J. H. Ahn et al., SC 2009). A
 * dimension of s routers has a bisection of s / 2p of the endpoints' bandwidth. */
#include "planning/design.h"
#include "planning/kinds.h"

#include <stdio.h>

typedef struct settings {
    weft_ints dims;
    double skew, taper;
} settings;

static const weft_param params[] = {
    {"dims", "numbers of dimensions to consider", WEFT_PARAM_INTS, offsetof(settings, dims),
     "[2, 3]", 1, 4, NULL, NULL},
    {"skew", "longest dimension at most, as a multiple of the shortest", WEFT_PARAM_REAL,
     offsetof(settings, skew), "1.5", 1, 1000, NULL, NULL},
    {"taper", "endpoints of half a dimension at most, as a multiple of its links to the other half",
     WEFT_PARAM_REAL, offsetof(settings, taper), "4", 0.1, 1000, NULL, NULL},
    {.name = NULL}};

#define DIMS_MOST 4

typedef struct shape {
    weft_design_list *list;
    double skew, taper;
    uint32_t dims;
    uint64_t size[DIMS_MOST];
} shape;

static void propose_shape(const shape *s)
{
    char name[96], topology[160], by[40] = "", list[48] = "";
    uint64_t routers = 1, degree = 0, group = 1;
    size_t used = 0, listed = 0;
    for (uint32_t d = 0; d < s->dims; d++) {
        routers *= s->size[d];
        group *= d ? s->size[d] : 1;
        degree += s->size[d] - 1;
        used += (size_t)snprintf(by + used, sizeof by - used, "%s%llu", d ? "x" : "",
                                 (unsigned long long)s->size[d]);
        listed += (size_t)snprintf(list + listed, sizeof list - listed, "%s%llu", d ? ", " : "",
                                   (unsigned long long)s->size[d]);
    }
    uint64_t ports = (uint64_t)s->list->wanted->with.ports;
    if (degree >= ports)
        return;
    uint64_t hosts = weft_design_ceil((uint64_t)s->list->wanted->endpoints, routers);
    hosts = hosts > ports - degree ? ports - degree : hosts;
    (void)snprintf(name, sizeof name, "hyperx %s p%llu", by, (unsigned long long)hosts);
    (void)snprintf(topology, sizeof topology,
                   "{kind: hyperx, dims: [%s], hosts: %llu, global: [0]}", list,
                   (unsigned long long)hosts);
    double quality = (double)s->size[0] / (2 * (double)hosts);
    if (quality * s->taper < 1)
        return;
    weft_design fabric = {.name = name,
                          .topology = topology,
                          .routing = "{kind: ugal}",
                          .vcs = 8,
                          .endpoints = routers * hosts,
                          .switches = routers,
                          .ports = (uint32_t)(degree + hosts),
                          .fold = 1,
                          .group = (uint32_t)group,
                          .quality = quality > 1 ? 1 : quality};
    weft_design_propose(s->list, &fabric);
}

/* Sizes of dimensions from number `at` on, none smaller than the one before. */
static void propose_sizes(shape *s, uint32_t at)
{
    uint64_t ports = (uint64_t)s->list->wanted->with.ports;
    if (at == s->dims) {
        propose_shape(s);
        return;
    }
    const weft_requirements *wanted = s->list->wanted;
    double most = wanted->constraints.largest * (double)wanted->endpoints;
    uint64_t from = at ? s->size[at - 1] : 2, routers = 1;
    for (uint32_t d = 0; d < at; d++)
        routers *= s->size[d];
    for (uint64_t size = from; size <= ports; size++) {
        if (at > 0 && (double)size > s->skew * (double)s->size[0])
            return;
        if ((double)(routers * size) > most) /* with one endpoint each it is too large */
            return;
        s->size[at] = size;
        propose_sizes(s, at + 1);
    }
}

static void propose(const void *given, weft_design_list *list)
{
    const settings *set = given;
    for (int32_t i = 0; i < set->dims.count; i++) {
        shape s = {.list = list,
                   .skew = set->skew,
                   .taper = set->taper,
                   .dims = (uint32_t)set->dims.at[i]};
        propose_sizes(&s, 0);
    }
}

const weft_design_kind weft_design_hyperx = {
    WEFT_DESIGN_BASE("hyperx", "HyperX of two and three dimensions of any widths"),
    .propose = propose,
    .most = 12,
};
