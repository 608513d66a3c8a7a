/* SPDX-License-Identifier: Apache-2.0 */
/* A dragonfly (Kim, Dally, Scott and Abts 2008): a complete graph of groups, each of which is a
 * complete graph of routers. It is a plain hierarchy of the two; where there are enough ports,
 * groups are joined by several links. */
#include "net/topology.h"
#include "net/topology/common/full.h"
#include "net/topology/common/hierarchy/hierarchy.h"

enum { GIVEN = WEFT_FULL_CIRCULANT + 1 };
static const char *const arrangements[] = {"relative",  "absolute", "palm-tree",
                                           "circulant", "given",    NULL};

typedef struct settings {
    int64_t groups, routers, hosts, global;
    int arrangement;
    weft_ints attach;
} settings;

static const weft_param params[] = {
    {.name = "groups",
     .brief = "number of groups",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, groups),
     .min = 2,
     .max = WEFT_PORTS_MAX + 1},
    {.name = "routers",
     .brief = "routers of a group",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, routers),
     .min = 2,
     .max = WEFT_PORTS_MAX + 1},
    {.name = "hosts",
     .brief = "endpoints at every router",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, hosts),
     .fallback = "1",
     .min = 1,
     .max = WEFT_PORTS_MAX},
    {.name = "global",
     .brief = "ports of a router to other groups; none: as few as join every two groups",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, global),
     .fallback = "none",
     .min = 1,
     .max = WEFT_PORTS_MAX},
    {.name = "arrangement",
     .brief = WEFT_FULL_ORDER_BRIEF "; given: relative, with attach",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, arrangement),
     .fallback = "relative",
     .choices = arrangements},
    {.name = "attach",
     .brief = "arrangement given: the router of the group that each of its ports hangs on; none: "
              "evenly, in order",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, attach),
     .fallback = "none",
     .min = 0,
     .max = WEFT_PORTS_MAX},
    {.name = NULL},
};

static weft_status check(const settings *set, int64_t global, weft_error *err)
{
    if (set->routers * global < set->groups - 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.global must be at least %lld, so that the ports of %lld routers "
                         "reach %lld other groups, found %lld",
                         (long long)((set->groups + set->routers - 2) / set->routers),
                         (long long)set->routers, (long long)(set->groups - 1), (long long)global);
    if ((set->arrangement == GIVEN) != (set->attach.count > 0))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.attach and topology.arrangement: given belong together, found "
                         "arrangement %s and %d numbers in attach",
                         arrangements[set->arrangement], set->attach.count);
    int64_t links = set->routers * global / (set->groups - 1);
    if (links > WEFT_MINIMAL_PORTS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.global %lld gives every two groups %lld links, of which %d can "
                         "be used: use less, fewer topology.routers, or more topology.groups",
                         (long long)global, (long long)links, WEFT_MINIMAL_PORTS_MAX);
    return WEFT_OK;
}

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    int64_t others = set->groups - 1, global = set->global;
    if (global == WEFT_NONE_INT)
        global = (others + set->routers - 1) / set->routers;
    WEFT_TRY(check(set, global, err));
    weft_full_settings outer = {.routers = set->groups,
                                .hosts = 1,
                                .links = set->routers * global / others,
                                .order = set->arrangement == GIVEN ? WEFT_FULL_RELATIVE
                                                                   : set->arrangement};
    weft_full_settings inner = {
        .routers = set->routers, .hosts = set->hosts, .links = 1, .order = WEFT_FULL_RELATIVE};
    weft_hierarchy_plan plan = {.outer = {&weft_topology_full.base, &outer},
                                .inner = {&weft_topology_full.base, &inner},
                                .attach = &set->attach,
                                .inner_vcs = WEFT_NONE_INT};
    return weft_hierarchy_build(topology, &plan, err);
}

WEFT_HIERARCHY_KIND(dragonfly, "dragonfly",
                    "groups of routers, every two routers of a group and every two groups joined");
