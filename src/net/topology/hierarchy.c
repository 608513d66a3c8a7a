/* SPDX-License-Identifier: Apache-2.0 */
/* A network of networks, any kind inside any kind: see
 * net/topology/common/hierarchy/hierarchy.h. */
#include "net/topology/common/hierarchy/hierarchy.h"

#include "net/topology.h"

typedef struct settings {
    weft_kind_ref outer, inner;
    weft_ints attach;
    int64_t inner_vcs;
} settings;

static const weft_param params[] = {
    {.name = "outer",
     .brief = "the network each router of which is an inner one",
     .type = WEFT_PARAM_KIND,
     .offset = offsetof(settings, outer),
     .family = "topology"},
    {.name = "inner",
     .brief = "the network inside; its hosts are the endpoints",
     .type = WEFT_PARAM_KIND,
     .offset = offsetof(settings, inner),
     .family = "topology"},
    {.name = "attach",
     .brief = "the inner router that each outer port hangs on; none: evenly, in order",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, attach),
     .fallback = "none",
     .min = 0,
     .max = 1 << 20},
    {.name = "inner-vcs",
     .brief =
         "classes of virtual channels on inner links: 1, 2 (before the last outer hop and after "
         "it), or more by class or dimension of the next outer hop; none: as few as are safe",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, inner_vcs),
     .fallback = "none",
     .min = 1,
     .max = 255},
    {.name = NULL},
};

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    weft_hierarchy_plan plan = {.outer = set->outer,
                                .inner = set->inner,
                                .attach = &set->attach,
                                .inner_vcs = set->inner_vcs};
    return weft_hierarchy_build(topology, &plan, err);
}

WEFT_HIERARCHY_KIND(hierarchy, "hierarchy",
                    "a network of networks: any kind inside any kind, nested");
