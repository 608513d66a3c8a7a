/* SPDX-License-Identifier: Apache-2.0 */
/* Megafly or Dragonfly+: groups of leaves with endpoints and of spines with global links, joined
 * with each other (M. Flajslik, E. Borch and M. A. Parker 2018; A. Shpiner et al. 2017). With l
 * leaves of p endpoints and s spines of h global ports, balanced is p = s = l = h. Considered are
 * groups of half as many, as many and twice as many leaves as spines. */
#include "planning/design.h"
#include "planning/kinds.h"

#include <stdio.h>

typedef struct settings {
    double taper;
} settings;

static const weft_param params[] = {
    {"taper",
     "endpoints of a group at most, as a multiple of its links to other groups, and of a leaf, as "
     "a multiple of its links to spines",
     WEFT_PARAM_REAL, offsetof(settings, taper), "4", 0.1, 1000, NULL, NULL},
    {.name = NULL}};

#define GROUPS_MOST 1025 /* of the topology, */
#define LINKS_MOST  32   /* and its links between two groups */

typedef struct shape {
    uint64_t hosts, leaves, spines, groups, global, links;
} shape;

static double least(double a, double b)
{
    return a < b ? a : b;
}

static void propose_shape(weft_design_list *list, const shape *s)
{
    char name[96], topology[200];
    uint64_t leaf = s->hosts + s->spines, spine = s->leaves + s->global;
    double endpoints = (double)(s->hosts * s->leaves);
    (void)snprintf(name, sizeof name, "megafly p%llu l%llu s%llu h%llu g%llu",
                   (unsigned long long)s->hosts, (unsigned long long)s->leaves,
                   (unsigned long long)s->spines, (unsigned long long)s->global,
                   (unsigned long long)s->groups);
    (void)snprintf(topology, sizeof topology,
                   "{kind: megafly, groups: %llu, leaves: %llu, spines: %llu, hosts: %llu, "
                   "global: %llu, links: %llu}",
                   (unsigned long long)s->groups, (unsigned long long)s->leaves,
                   (unsigned long long)s->spines, (unsigned long long)s->hosts,
                   (unsigned long long)s->global, (unsigned long long)s->links);
    double global = (double)(s->links * (s->groups - 1)) / endpoints;
    weft_design design = {.name = name,
                          .topology = topology,
                          .routing = "{kind: ugal}",
                          .vcs = 8,
                          .endpoints = s->hosts * s->leaves * s->groups,
                          .switches = (s->leaves + s->spines) * s->groups,
                          .ports = (uint32_t)(leaf > spine ? leaf : spine),
                          .fold = 1,
                          .group = (uint32_t)s->leaves,
                          .quality = least(least(1, global), (double)s->spines / (double)s->hosts)};
    weft_design_propose(list, &design);
}

/* As many groups as the ports of spines can join. */
static void propose_largest(weft_design_list *list, shape s)
{
    s.global = (uint64_t)list->wanted->with.ports - s.leaves;
    s.groups = s.spines * s.global + 1;
    s.groups = s.groups > GROUPS_MOST ? GROUPS_MOST : s.groups;
    s.links = 1;
    if (s.hosts * s.leaves * s.groups < (uint64_t)list->wanted->endpoints)
        propose_shape(list, &s);
}

/* Every number of links between two groups that the ports of spines allow. */
static void propose_links(const settings *set, weft_design_list *list, shape s)
{
    uint64_t ports = (uint64_t)list->wanted->with.ports, last = 0;
    s.groups = weft_design_ceil((uint64_t)list->wanted->endpoints, s.hosts * s.leaves);
    s.groups = s.groups < 3 ? 3 : s.groups;
    if (s.leaves >= ports)
        return;
    if (s.groups - 1 > s.spines * (ports - s.leaves) || s.groups > GROUPS_MOST) {
        propose_largest(list, s); /* for the message */
        return;
    }
    for (uint64_t links = 1; links <= LINKS_MOST; links++) {
        s.global = weft_design_ceil(links * (s.groups - 1), s.spines);
        s.links = s.spines * s.global / (s.groups - 1);
        s.links = s.links > LINKS_MOST ? LINKS_MOST : s.links;
        if (s.leaves + s.global > ports || s.spines * s.global > 2 * s.hosts * s.leaves)
            return;
        double over = (double)(s.hosts * s.leaves) / (double)(s.links * (s.groups - 1));
        if (s.global != last && over <= set->taper)
            propose_shape(list, &s);
        last = s.global;
    }
}

static void propose(const void *given, weft_design_list *list)
{
    const settings *set = given;
    uint64_t ports = (uint64_t)list->wanted->with.ports;
    for (uint64_t spines = 2; spines < ports; spines++)
        for (uint64_t hosts = spines; hosts + spines <= ports; hosts++) {
            if ((double)hosts > set->taper * (double)spines)
                break;
            for (uint64_t leaves = spines > 3 ? spines / 2 : 2; leaves <= 2 * spines;
                 leaves = leaves < spines       ? spines
                          : leaves < 2 * spines ? 2 * spines
                                                : leaves + 1)
                propose_links(set, list,
                              (shape){.hosts = hosts, .leaves = leaves, .spines = spines});
        }
}

const weft_design_kind weft_design_megafly = {
    WEFT_DESIGN_BASE("megafly", "Megaflies (Dragonfly+), with one or several links between two "
                                "groups"),
    .propose = propose,
    .most = 12,
};
