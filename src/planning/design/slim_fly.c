/* SPDX-License-Identifier: Apache-2.0 */
/* Slim Fly: 2 q² routers of degree (3 q − δ) / 2 for a prime power q = 4 w + δ, two hops apart at
 * most (M. Besta and T. Hoefler, SC 2014). */
#include "planning/design.h"
#include "planning/kinds.h"

#include <stdio.h>

typedef struct settings {
    double crowd;
} settings;

static const weft_param params[] = {
    {"crowd",
     "endpoints of a router at most, as a multiple of half its links to others, which "
     "uniform traffic would fill",
     WEFT_PARAM_REAL, offsetof(settings, crowd), "3", 0.1, 100, NULL, NULL},
    {.name = NULL}};

static bool is_prime_power(uint64_t q)
{
    uint64_t factor = 2;
    while (factor * factor <= q && q % factor != 0)
        factor++;
    if (factor * factor > q)
        return q > 1;
    while (q % factor == 0)
        q /= factor;
    return q == 1;
}

static void propose(const void *given, weft_design_list *list)
{
    const settings *set = given;
    uint64_t ports = (uint64_t)list->wanted->with.ports;
    for (uint64_t q = 3; 3 * q / 2 < ports + 2; q++) {
        uint64_t degree = q % 4 == 1 ? (3 * q - 1) / 2 : q % 4 == 3 ? (3 * q + 1) / 2 : 3 * q / 2;
        uint64_t routers = 2 * q * q;
        if (!is_prime_power(q) || q % 4 == 2 || degree >= ports)
            continue;
        uint64_t hosts = weft_design_ceil((uint64_t)list->wanted->endpoints, routers);
        uint64_t most = (uint64_t)(set->crowd * (double)degree / 2);
        most = most > ports - degree ? ports - degree : most;
        if (most == 0)
            continue;
        hosts = hosts > most ? most : hosts;
        char name[96], topology[96];
        (void)snprintf(name, sizeof name, "slim-fly q%llu p%llu", (unsigned long long)q,
                       (unsigned long long)hosts);
        (void)snprintf(topology, sizeof topology, "{kind: slim-fly, q: %llu, hosts: %llu}",
                       (unsigned long long)q, (unsigned long long)hosts);
        double quality = (double)degree / (2 * (double)hosts);
        weft_design fabric = {.name = name,
                              .topology = topology,
                              .routing = "{kind: ugal}",
                              .vcs = 8,
                              .endpoints = routers * hosts,
                              .switches = routers,
                              .ports = (uint32_t)(degree + hosts),
                              .fold = 1,
                              .group = 1,
                              .quality = quality > 1 ? 1 : quality};
        weft_design_propose(list, &fabric);
    }
}

const weft_design_kind weft_design_slim_fly = {
    WEFT_DESIGN_BASE("slim-fly", "Slim Flies of any prime power"),
    .propose = propose,
    .most = 6,
};
