/* SPDX-License-Identifier: Apache-2.0 */
/* Dragonflies: g groups of a routers with p endpoints and h global ports each (J. Kim, W. J. Dally,
 * S. Scott and D. Abts, ISCA 2008). Balanced is a = 2p = 2h; considered are a from p to 4p and
 * any number of links between two groups that leaves h at most a little above p. */
#include "interweft/topology.h"
#include "planning/design.h"
#include "planning/kinds.h"

#include <stdio.h>

#define GROUPS_MOST 1025 /* of the topology */

typedef struct settings {
    int64_t links;
    double taper;
} settings;

static const weft_param params[] = {
    {"links", "links between two groups, exactly; none: any number", WEFT_PARAM_INT,
     offsetof(settings, links), "none", 1, WEFT_MINIMAL_PORTS_MAX, NULL, NULL},
    {"taper", "endpoints of a group at most, as a multiple of its links to other groups",
     WEFT_PARAM_REAL, offsetof(settings, taper), "4", 0.1, 1000, NULL, NULL},
    {.name = NULL}};

static double least(double a, double b)
{
    return a < b ? a : b;
}

static void propose_one(weft_design_list *list, uint64_t p, uint64_t a, uint64_t h, uint64_t groups)
{
    char name[96], topology[160];
    uint64_t links = a * h / (groups - 1);
    if (links > WEFT_MINIMAL_PORTS_MAX)
        return;
    double global = (double)(links * (groups - 1)) / (double)a;
    (void)snprintf(name, sizeof name, "dragonfly p%llu a%llu h%llu g%llu", (unsigned long long)p,
                   (unsigned long long)a, (unsigned long long)h, (unsigned long long)groups);
    (void)snprintf(topology, sizeof topology,
                   "{kind: dragonfly, groups: %llu, routers: %llu, hosts: %llu, global: %llu}",
                   (unsigned long long)groups, (unsigned long long)a, (unsigned long long)p,
                   (unsigned long long)h);
    weft_design fabric = {.name = name,
                          .topology = topology,
                          .routing = "{kind: ugal}",
                          .vcs = 8,
                          .endpoints = p * a * groups,
                          .switches = a * groups,
                          .ports = (uint32_t)(p + a - 1 + h),
                          .folded = 0,
                          .fold = 1,
                          .group = (uint32_t)a,
                          .quality =
                              least(least(1, global / (double)p), (double)a / (2 * (double)p))};
    weft_design_propose(list, &fabric);
}

/* Groups of `a` routers with p endpoints each, with every number of links between two groups that
 * needs other ports. */
static void propose_groups(const settings *set, weft_design_list *list, uint64_t p, uint64_t a)
{
    const weft_requirements *wanted = list->wanted;
    uint64_t ports = (uint64_t)wanted->with.ports;
    uint64_t groups = weft_design_ceil((uint64_t)wanted->endpoints, p * a);
    if (groups > GROUPS_MOST)
        return;
    groups = groups < 3 ? 3 : groups;
    bool large = (double)(p * a * groups) > wanted->constraints.largest * (double)wanted->endpoints;
    uint64_t links = set->links != WEFT_NONE_INT ? (uint64_t)set->links : 1;
    for (bool first = true;; first = false) {
        uint64_t h = weft_design_ceil(links * (groups - 1), a);
        if (p + a - 1 + h > ports || h > p + 1) {
            if (first && p + a - 1 < ports) { /* too few ports: the largest for the message */
                h = ports - (a - 1) - p;
                groups = a * h + 1 < groups ? a * h + 1 : groups;
                if (groups >= 3 && p * a * groups < (uint64_t)wanted->endpoints)
                    propose_one(list, p, a, h, groups);
            }
            return;
        }
        if (!large && (double)p <= set->taper * (double)h)
            propose_one(list, p, a, h, groups);
        if (large || set->links != WEFT_NONE_INT)
            return;
        links = h * a / (groups - 1) + 1; /* as many as h does not suffice for */
    }
}

static void propose(const void *given, weft_design_list *list)
{
    uint64_t ports = (uint64_t)list->wanted->with.ports;
    for (uint64_t p = 1; p < ports; p++)
        for (uint64_t a = p < 2 ? 2 : p; a <= 4 * p && p + a <= ports; a++)
            propose_groups(given, list, p, a);
}

const weft_design_kind weft_design_dragonfly = {
    WEFT_DESIGN_BASE("dragonfly", "dragonflies, balanced and nearly so, with one or several links "
                                  "between two groups"),
    .propose = propose,
    .most = 12,
};
