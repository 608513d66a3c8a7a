/* SPDX-License-Identifier: Apache-2.0 */
/* Template of a topology: a bidirectional ring. Copy it, rename `my-ring`, change the functions.
 *
 *     cc -std=c17 -O2 -ffp-contract=off -shared -fPIC -fvisibility=hidden -o topology.so topology.c
 *     weft selftest --plugin ./topology.so
 *     weft run ring.yaml --plugin ./topology.so
 *
 * A regular topology keeps no tables: neighbours, distances and routes are computed. Every function
 * but `build` is pure. */
#include <interweft/interweft.h>

typedef struct settings {
    int64_t routers, hosts;
} settings;

static const weft_param params[] = {
    {.name = "routers",
     .brief = "routers of the ring",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, routers),
     .fallback = "8",
     .min = 3,
     .max = 1 << 20},
    {.name = "hosts",
     .brief = "endpoints at every router",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, hosts),
     .fallback = "1",
     .min = 1,
     .max = 32},
    {.name = NULL},
};

enum { UP, DOWN, PORTS }; /* to the next router, to the one before */

/* Fills in the numbers. Tables of one's own would go to topology->self, which has
 * base.instance_size bytes; `done` frees what build allocated. */
static weft_status build(weft_topology *topology, const void *set, weft_error *err)
{
    const settings *given = set;
    (void)err;
    topology->routers = (uint32_t)given->routers;
    topology->concentration = (uint32_t)given->hosts;
    topology->ports = PORTS;
    topology->links = (uint64_t)PORTS * topology->routers; /* directed */
    topology->header_bits = 21; /* headers are the destination router + 1 */
    /* Minimal routes close a ring. A dateline in each direction breaks the cyclic dependency: VC
     * class 0 before it, class 1 behind it. */
    topology->max_vc_classes = 2;
    topology->vc_classes[UP] = topology->vc_classes[DOWN] = 2;
    /* A packet that leaves by UP comes in by the neighbour's port DOWN, at every router. */
    topology->uniform = true;
    topology->peer_port[UP] = DOWN;
    topology->peer_port[DOWN] = UP;
    return WEFT_OK;
}

static uint32_t step(const weft_topology *topology, uint32_t router, uint32_t port)
{
    uint32_t n = topology->routers;
    return (router + (port == UP ? 1 : n - 1)) % n;
}

/* The other end of a port. */
static weft_end peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    return (weft_end){step(topology, router, port), port == UP ? DOWN : UP};
}

static uint32_t hops_up(const weft_topology *topology, uint32_t from, uint32_t to)
{
    return (to + topology->routers - from) % topology->routers;
}

static uint32_t distance(const weft_topology *topology, uint32_t from, uint32_t to)
{
    uint32_t up = hops_up(topology, from, to), down = topology->routers - up;
    return up < down ? up : down;
}

/* Over all ordered pairs of different routers: n² / 4 of n − 1 others, rounded down. */
static double mean_distance(const weft_topology *topology)
{
    uint64_t n = topology->routers;
    return (double)(n * n / 4) / (double)(n - 1);
}

static uint32_t make_header(const weft_topology *topology, uint32_t from, uint32_t to,
                            weft_random *tie)
{
    (void)topology, (void)from, (void)tie;
    return to + 1;
}

/* The productive ports: one, or both if the destination is opposite. Header 0 means arrived. */
static unsigned minimal_ports(const weft_topology *topology, uint32_t router, uint32_t header,
                              unsigned most, weft_minimal_port *out)
{
    uint32_t to = header - 1, hops = distance(topology, router, to);
    unsigned count = 0;
    for (uint32_t port = UP; header != 0 && port < PORTS && count < most; port++) {
        uint32_t next = step(topology, router, port);
        if (distance(topology, next, to) < hops)
            out[count++] = (weft_minimal_port){.port = (uint16_t)port,
                                               .hops = (uint16_t)hops,
                                               .next_header = next == to ? 0 : header,
                                               .dim = WEFT_NO_DIM};
    }
    return count;
}

/* The dateline lies between routers n − 1 and 0. A packet is in class 0 as long as it has to cross
 * it; the hop across is the last in that class. */
static uint32_t vc_class(const weft_topology *topology, uint32_t router,
                         const weft_minimal_port *port)
{
    uint32_t n = topology->routers;
    bool crosses = port->port == UP ? router + port->hops >= n : router < port->hops;
    return crosses ? 0 : 1;
}

static const weft_topology_kind my_ring = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof my_ring,
             .name = "my-ring",
             .brief = "routers in a ring",
             .params = params,
             .settings_size = sizeof(settings)},
    .build = build,
    .peer = peer,
    .distance = distance,
    .mean_distance = mean_distance,
    .make_header = make_header,
    .minimal_ports = minimal_ports,
    .vc_class = vc_class,
};

static const weft_plugin_item items[] = {{"topology", &my_ring.base}, {NULL, NULL}};
static const weft_plugin plugin = {WEFT_ABI, sizeof plugin, "my-ring", items};

const weft_plugin *weft_plugin_get(void)
{
    return &plugin;
}
