/* SPDX-License-Identifier: Apache-2.0 */
/* A Megafly (Flajslik, Borch and Parker 2018), or Dragonfly+ (Shpiner et al. 2017): a complete
 * graph of groups, each of which is a complete bipartite graph of leaves, which have the endpoints,
 * and spines, which have the links to other groups. It is a plain hierarchy of the two. A minimal
 * route between groups goes leaf, spine, (global link), spine, leaf. */
#include "net/topology.h"
#include "net/topology/common/full.h"
#include "net/topology/common/hierarchy/hierarchy.h"
#include "net/topology/common/leaf_spine.h"

typedef struct settings {
    int64_t groups, leaves, spines, hosts, global, links;
    int arrangement;
    weft_ints attach;
    int64_t inner_vcs;
} settings;

static const weft_param params[] = {
    {.name = "groups",
     .brief = "number of groups",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, groups),
     .min = 2,
     .max = WEFT_PORTS_MAX + 1},
    {.name = "leaves",
     .brief = "leaves of a group, the routers with endpoints",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, leaves),
     .min = 2,
     .max = WEFT_PORTS_MAX},
    {.name = "spines",
     .brief = "spines of a group, the routers with links to other groups; none: as many as leaves",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, spines),
     .fallback = "none",
     .min = 1,
     .max = WEFT_PORTS_MAX},
    {.name = "hosts",
     .brief = "endpoints at every leaf",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, hosts),
     .fallback = "1",
     .min = 1,
     .max = WEFT_PORTS_MAX},
    {.name = "global",
     .brief = "ports of a spine to other groups; none: as few as join every two groups",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, global),
     .fallback = "none",
     .min = 1,
     .max = WEFT_PORTS_MAX},
    {.name = "links",
     .brief = "links between every two groups; none: as many as the global ports allow",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, links),
     .fallback = "none",
     .min = 1,
     .max = WEFT_MINIMAL_PORTS_MAX},
    {.name = "arrangement",
     .brief = WEFT_FULL_ORDER_BRIEF,
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, arrangement),
     .fallback = "relative",
     .choices = weft_full_order_names},
    {.name = "attach",
     .brief =
         "the router of the group that each of its ports hangs on, leaves before spines; none: "
         "evenly on the spines, in order",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, attach),
     .fallback = "none",
     .min = 0,
     .max = 2 * WEFT_PORTS_MAX},
    {.name = "inner-vcs",
     .brief =
         "classes of virtual channels on links inside of groups: 2 (before the last global hop "
         "and after it), or 1, which is enough for minimal routes and for via: router",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, inner_vcs),
     .fallback = "none",
     .min = 1,
     .max = 2},
    {.name = NULL},
};

/* Ports of a spine and links between two groups that follow from the settings. */
static weft_status find_links(const settings *set, int64_t spines, int64_t *links, weft_error *err)
{
    int64_t others = set->groups - 1, wanted = set->links == WEFT_NONE_INT ? 1 : set->links;
    int64_t least = (others * wanted + spines - 1) / spines;
    int64_t global = set->global == WEFT_NONE_INT ? least : set->global;
    if (global < least)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.global must be at least %lld, so that the ports of %lld spines "
                         "have %lld links to each of %lld other groups, found %lld",
                         (long long)least, (long long)spines, (long long)wanted, (long long)others,
                         (long long)global);
    *links = set->links == WEFT_NONE_INT ? spines * global / others : set->links;
    if (*links > WEFT_MINIMAL_PORTS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.global gives every two groups %lld links, of which %d can be "
                         "used: use topology.links: %d, or fewer",
                         (long long)*links, WEFT_MINIMAL_PORTS_MAX, WEFT_MINIMAL_PORTS_MAX);
    return WEFT_OK;
}

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    int64_t spines = set->spines == WEFT_NONE_INT ? set->leaves : set->spines, links = 1;
    WEFT_TRY(find_links(set, spines, &links, err));
    weft_full_settings outer = {
        .routers = set->groups, .hosts = 1, .links = links, .order = set->arrangement};
    weft_leaf_spine_settings inner = {.leaves = set->leaves, .spines = spines, .hosts = set->hosts};
    weft_hierarchy_plan plan = {.outer = {&weft_topology_full.base, &outer},
                                .inner = {&weft_topology_leaf_spine.base, &inner},
                                .attach = &set->attach,
                                .inner_vcs = set->inner_vcs};
    return weft_hierarchy_build(topology, &plan, err);
}

WEFT_HIERARCHY_KIND(megafly, "megafly",
                    "groups of leaves and spines, every two groups joined at spines (Dragonfly+)");
