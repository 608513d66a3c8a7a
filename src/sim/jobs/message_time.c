/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/jobs/message_time.h"

#include "analysis/bounds/channel_load.h"
#include "analysis/bounds/walk.h"
#include "net/jobs/jobs.h"
#include "sim/platform.h"
#include "sim/router.h"

#define STEPS_MOST 100000

typedef struct route {
    const weft_topology *topology;
    weft_mean_path path;
} route;

static void pass(void *user, uint32_t router, uint32_t port, uint32_t came, double share)
{
    route *its = user;
    uint32_t class = weft_topology_link_class(its->topology, router, port);
    its->path.known = its->path.known && came < WEFT_PATH_CLASSES && class < WEFT_PATH_CLASSES;
    if (its->path.known)
        its->path.link[came][class] += share;
}

static void arrive(void *user, uint32_t came, double share)
{
    route *its = user;
    if (came < WEFT_PATH_CLASSES)
        its->path.link[came][WEFT_LINK_HOST] += share;
}

/* Follows the route of a message; false: none is found. */
static bool follow(const weft_network *network, uint32_t from, uint32_t to, route *its)
{
    const weft_topology *topology = &network->topology;
    const weft_routing *routing = &network->traffic_classes[network->n_traffic_classes - 1].routing;
    weft_walk walk;
    *its = (route){.topology = topology, .path = {.known = true, .exact = true}};
    weft_walk_init(&walk, routing, weft_walk_mode_of(routing), STEPS_MOST);
    walk.pass = pass;
    walk.arrive = arrive;
    walk.user = its;
    bool arrived =
        weft_walk_pair(&walk, weft_topology_home(topology, from), weft_topology_home(topology, to),
                       weft_topology_host(topology, to), 1);
    weft_walk_done(&walk);
    return arrived && its->path.known && network->timing.classes <= WEFT_PATH_CLASSES;
}

double weft_message_time(const weft_network *network, uint32_t from, uint32_t to, uint64_t size)
{
    weft_platform platform;
    route its;
    weft_platform_init(&platform, network);
    if (!platform.router->estimate.zero_load || !follow(network, from, to, &its))
        return 0;
    uint64_t flit = network->jobs->flit, flits = size > 1 ? (size - 1) / flit + 1 : 1;
    uint64_t last = (flits - 1) % platform.mtu + 1;
    return platform.router->estimate.zero_load(&platform, &its.path, (double)flits, (double)last);
}
