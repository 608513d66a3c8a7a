/* SPDX-License-Identifier: Apache-2.0 */
/* Uniform traffic on a fat tree. With d-mod-k a packet for endpoint e is always at the twin
 * e mod (w1 … w_i) of the subtrees of level i, whatever its source: the load of a link follows from
 * the number of endpoints with one remainder in a range. With ports drawn at random going up, all
 * twins of a subtree have the same load. */
#include "analysis/bounds/uniform.h"

#include "net/selection.h"

typedef struct tree_traffic { /* flits per tick from an endpoint to another */
    double by_rule, drawn;    /* of packets that take the first port up, and a random one */
} tree_traffic;

static bool draws_evenly(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    bool few = true; /* no more ports than a routing sees */
    for (uint32_t i = 0; i < topology->proof.n_tree_levels; i++)
        few = few && topology->proof.tree[i].up <= WEFT_MINIMAL_PORTS_MAX;
    return few && !routing->kind->initial_header && weft_walk_mode_of(routing) == WEFT_WALK_EVEN;
}

bool weft_uniform_tree_suits(const weft_network *network)
{
    const weft_topology *topology = &network->topology;
    if (topology->proof.n_tree_levels == 0 || topology->link_class || topology->first)
        return false;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        const weft_routing *routing = &network->traffic_classes[f].routing;
        if (!weft_uniform_takes_first(routing) && !draws_evenly(routing))
            return false;
    }
    return true;
}

/* Of the endpoints below `end`, those with this remainder. */
static double below(uint64_t end, uint32_t modulus, uint32_t remainder)
{
    return (double)(end > remainder ? (end - remainder - 1) / modulus + 1 : 0);
}

static double in_range(uint64_t first, uint64_t count, uint32_t modulus, uint32_t remainder)
{
    return below(first + count, modulus, remainder) - below(first, modulus, remainder);
}

static void put(weft_uniform *it, uint32_t router, uint32_t port, double flits)
{
    const weft_topology *topology = &it->network->topology;
    it->busy[(size_t)router * topology->ports + port] =
        flits * (double)it->network->timing.period[topology->port_class[port]];
}

static void add_up(weft_uniform *it, uint32_t i, uint32_t subtree, const tree_traffic *traffic)
{
    const weft_topology *topology = &it->network->topology;
    const weft_tree_level *at = &topology->proof.tree[i];
    uint64_t all = it->network->endpoints, own = (uint64_t)at->leaves * topology->concentration;
    uint32_t roots = at->twins * at->up;
    for (uint32_t root = 0; root < roots; root++) {
        double far = below(all, roots, root) - in_range(subtree * own, own, roots, root);
        double drawn = (double)(all - own) / roots;
        put(it, at->first + subtree * at->twins + root % at->twins, at->up_port + root / at->twins,
            (double)own * (traffic->by_rule * far + traffic->drawn * drawn));
    }
}

static void add_down(weft_uniform *it, uint32_t i, uint32_t child, const tree_traffic *traffic)
{
    const weft_topology *topology = &it->network->topology;
    const weft_tree_level *at = &topology->proof.tree[i];
    uint64_t all = it->network->endpoints, own = (uint64_t)at[-1].leaves * topology->concentration;
    for (uint32_t twin = 0; twin < at->twins; twin++) {
        double near = in_range(child * own, own, at->twins, twin);
        double drawn = (double)own / at->twins;
        put(it, at->first + child / at->down * at->twins + twin, at->down_port + child % at->down,
            (double)(all - own) * (traffic->by_rule * near + traffic->drawn * drawn));
    }
}

/* Paths that turn at level `top`, as many flits per tick. */
static void add_path(const weft_topology *topology, weft_mean_path *path, uint32_t top,
                     double flits)
{
    const weft_tree_level *tree = topology->proof.tree;
    uint32_t came = WEFT_LINK_HOST;
    for (uint32_t i = 0; i < 2 * top; i++) {
        uint32_t port = i < top ? tree[i].up_port : tree[2 * top - i].down_port;
        path->link[came][topology->port_class[port]] += flits;
        came = topology->port_class[port];
    }
    path->link[came][WEFT_LINK_HOST] += flits;
}

static void find_path(weft_uniform *it, uint32_t f)
{
    const weft_network *network = it->network;
    const weft_topology *topology = &network->topology;
    weft_mean_path *path = &it->load->path[f];
    bool self;
    double pair = weft_uniform_pair(network, f, &self), inner = self ? 0 : 1;
    for (uint32_t i = 0; i < topology->proof.n_tree_levels; i++) {
        double own = (double)topology->proof.tree[i].leaves * topology->concentration;
        add_path(topology, path, i, network->endpoints * pair * (own - inner));
        inner = own;
    }
    path->exact = true;
    weft_mean_path_average(network, path);
}

void weft_uniform_tree_find(weft_uniform *it)
{
    const weft_network *network = it->network;
    const weft_topology *topology = &network->topology;
    tree_traffic traffic = {0, 0};
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        bool self, first = weft_uniform_takes_first(&network->traffic_classes[f].routing);
        double pair = weft_uniform_pair(network, f, &self);
        traffic.by_rule += first ? pair : 0;
        traffic.drawn += first ? 0 : pair;
        find_path(it, f);
    }
    for (uint32_t i = 0; i < topology->proof.n_tree_levels; i++) {
        const weft_tree_level *at = &topology->proof.tree[i];
        for (uint32_t s = 0; s < at->subtrees && at->up; s++)
            add_up(it, i, s, &traffic);
        for (uint32_t c = 0; i > 0 && c < at[-1].subtrees; c++)
            add_down(it, i, c, &traffic);
    }
}
