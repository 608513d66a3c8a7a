/* SPDX-License-Identifier: Apache-2.0 */
/* Topology: which routers there are and how they are joined; pure and const once built.
 *
 * A regular kind tabulates nothing: neighbours, distances and routes are computed. A packet
 * carries a 32-bit *route word*. `aim` makes it, `ways` lists the minimal ports it allows at a
 * router and the word behind each; 0 means "here". A kind with coordinates holds in it the hops
 * that remain in each dimension; any other may as well hold the router the packet goes to (+ 1),
 * since `ways` is told where the packet is. */
#ifndef INTERWEFT_TOPOLOGY_H
#define INTERWEFT_TOPOLOGY_H

#include "interweft/component.h"
#include "interweft/random.h"
#include "interweft/status.h"

#define WEFT_NOWHERE           UINT32_MAX
#define WEFT_MINIMAL_PORTS_MAX 32
#define WEFT_PORTS_MAX \
    1024 /* of a level of a hierarchy; routers that are simulated have 64 at most */
#define WEFT_HEADERS_MAX 4096
#define WEFT_NO_DIM      UINT16_MAX

/* Classes of links, as the section links names them. */
typedef enum weft_link_class {
    WEFT_LINK_LOCAL,
    WEFT_LINK_GLOBAL,
    WEFT_LINK_HOST,
    WEFT_LINK_REGIONAL, /* between the two, in a hierarchy of three levels and more */
    WEFT_LINK_CLASSES
} weft_link_class;

typedef struct weft_end {
    uint32_t router; /* WEFT_NOWHERE: nothing is attached */
    uint32_t port;
} weft_end;

/* A productive port, the hops that remain in its direction (to the end, where there are no
 * directions), and the route word behind it. */
typedef struct weft_minimal_port {
    uint16_t port;
    uint16_t hops;
    uint32_t next_header;
    /* the dimension it serves, also on its way there inside a hierarchy; WEFT_NO_DIM: none */
    uint16_t dim;
} weft_minimal_port;

/* Coordinates, where the kind has them: router id is mixed radix, dimension 0 most significant (as
 * a person reads dims: [a, b]). A port moves by step along its dimension, past the end to the start
 * where that wraps.
 *
 * A dimension wraps if it is a ring: a cable of its own joins the last coordinate to 0. No
 * dimension of a mesh does, and none whose lines are full. All of a torus do. With size 2 such a
 * ring has one cable instead of two between the same routers, and every line of two routers, on a
 * mesh too, has the one port +1 that leads from either to the other.
 *
 * Where lines are full, all routers of a line are joined to each other: steps are 1 … size − 1,
 * past the end to the start. Filled by the kind; dims 0: no coordinates. */
typedef struct weft_lattice {
    uint32_t dims;
    uint32_t size[WEFT_DIMS_MAX];
    bool wraps[WEFT_DIMS_MAX];
    uint8_t port_dim[WEFT_PORTS_MAX];
    int16_t port_step[WEFT_PORTS_MAX]; /* +1, −1; of two routers +1 alone */
    bool full;                         /* all lines are */
} weft_lattice;

/* Ports that are down, or will be. */
typedef struct weft_fault {
    uint32_t router, port;
} weft_fault;

typedef struct weft_faults {
    uint32_t count;
    const weft_fault *at; /* by router, then port */
} weft_faults;

/* Routers of one size, up to the next span's first. Their links have ports 0 … ports − 1: any
 * other has no peer. */
typedef struct weft_tier {
    uint32_t first, ports;
    uint32_t concentration; /* endpoints of each of them: as many as of any, or 0 */
} weft_tier;

typedef struct weft_topology {
    const struct weft_topology_kind *kind;
    void *self; /* kind->base.instance_size bytes */
    uint32_t routers;
    /* endpoints of a router that has any; endpoint e sits at router e / hosts */
    uint32_t concentration;
    uint32_t edge_routers; /* routers with endpoints: 0 … homes − 1 */
    /* packets for endpoint e leave at router e / hosts + exit; not 0 only where links lead one
     * way */
    uint32_t egress_offset;
    uint32_t ports;       /* router-to-router ports of a router: 0 … ports−1 */
    uint64_t links;       /* directed router-to-router links that exist */
    uint32_t header_bits; /* of the route word: all words are below 1 << bits */
    /* router r belongs to group r / group (racks, subtrees, dragonfly's groups); 0: there are
     * none */
    uint32_t group;
    /* groups as routers of a network of their own: distances between groups (the outer level of
     * a hierarchy; the kind's own); NULL: there is none */
    const struct weft_topology *outer;
    /* links come in an order that every minimal way follows (trees): no VCs are needed */
    bool acyclic;
    /* routes go level by level (hierarchies): distance is that along the first ways, which may
     * be more than the fewest hops there are, and other ways may be longer still */
    bool hierarchical_minimal;
    bool header_self_contained; /* a route word says all: `ways` does not look at the router */
    /* a hop's VC class is the number of hops behind it, on every minimal way */
    bool hop_indexed_vcs;
    bool slow; /* distances are too many to be kept: they are found when asked for, until `ready` */
    /* every router sees the same network: some automorphism takes it to router 0, and keeps the
     * numbers of ports and the order of ways; VC classes may differ (datelines) */
    bool vertex_transitive;
    uint8_t port_class[WEFT_PORTS_MAX]; /* weft_link_class of every port, the same at all routers */
    bool uniform; /* the other end of port p has the same number at all routers: */
    uint16_t peer_port[WEFT_PORTS_MAX];
    uint32_t max_vc_classes; /* the greatest of: */
    /* VCs of this port's link are divided in so many classes: 2 where rings close; 1: not at all */
    uint8_t vc_classes[WEFT_PORTS_MAX];
    weft_lattice lattice;
    const weft_faults *faults; /* filled in after build; NULL: none */
    uint32_t n_tiers;          /* of routers that differ in size; 0: they do not */
    const weft_tier *tiers;    /* by ascending first; only where there are no coordinates */
    /* Groups inside of groups: routers of each, from the smallest on. Router r belongs to group
     * r / nested[i]; `group` is one of them. */
    uint32_t n_nested;
    uint32_t nested[WEFT_DIMS_MAX];
    /* `aims` lists one word for every pair: nothing is half a ring away, or a rule decides. */
    bool untied;
} weft_topology;

typedef struct weft_topology_kind {
    weft_component base;
    /* Fills *topology (self is zeroed); done frees what build took, NULL: nothing. */
    weft_status (*build)(weft_topology *topology, const void *settings, weft_error *err);
    void (*done)(weft_topology *topology);
    /* Tabulates what a run asks for and a look beforehand does not, if that is much; fails if it
     * is too much. dry: only says whether it would. NULL: nothing. */
    weft_status (*build_tables)(const weft_topology *topology, bool dry, weft_error *err);
    /* The other end of a port; router WEFT_NOWHERE where nothing is attached (the edge of a
     * mesh). A link that leads one way has no port at its far end to go back by: end.port is
     * then the number of the input alone. */
    weft_end (*peer)(const weft_topology *topology, uint32_t router, uint32_t port);
    /* Which router's output leads to an input; router WEFT_NOWHERE: none. NULL: links lead both
     * ways, it is peer. */
    weft_end (*upstream)(const weft_topology *topology, uint32_t router, uint32_t in);
    /* Hops of a minimal route, or of the shortest of those that `ways` allows. */
    uint32_t (*distance)(const weft_topology *topology, uint32_t from, uint32_t to);
    /* Mean of it over all ordered pairs of different homes (from home f to home t + exit);
     * exact. */
    double (*mean_distance)(const weft_topology *topology);
    /* The word of a packet from one router to another. tie: NULL takes the first of equally good
     * choices. */
    uint32_t (*make_header)(const weft_topology *topology, uint32_t from, uint32_t to,
                            weft_random *tie);
    /* The word of a packet for this endpoint of the router it goes to, where ways depend on it
     * (trees: d-mod-k). aim draws the endpoint then. NULL: they do not. */
    uint32_t (*header_for_host)(const weft_topology *topology, uint32_t route, uint32_t host);
    /* Writes the minimal ways at a router in dimension order, `most` of them (≤
     * WEFT_MINIMAL_PORTS_MAX) if there are more; returns how many, 0 only for route 0. */
    unsigned (*minimal_ports)(const weft_topology *topology, uint32_t router, uint32_t route,
                              unsigned most, weft_minimal_port *out);
    /* The VC class, 0 … VCs[way->port] − 1, that a packet at this router has to use if it goes
     * on by `way` in dimension order. NULL: 0. */
    uint32_t (*vc_class)(const weft_topology *topology, uint32_t router,
                         const weft_minimal_port *way);
    /* May a packet at this router carry this route word? For words from a file that nobody
     * vouches for. NULL: any word is safe. */
    bool (*header_valid)(const weft_topology *topology, uint32_t router, uint32_t route);
    /* All words that aim may draw, each as likely as another, at most WEFT_HEADERS_MAX; returns
     * how many. NULL: aim draws nothing. */
    unsigned (*all_headers)(const weft_topology *topology, uint32_t from, uint32_t to,
                            uint32_t *out);
    /* Directed links between the halves of the best halving known in closed form; NULL: not
     * known. */
    uint64_t (*bisection)(const weft_topology *topology);
    /* The greatest distance between homes. NULL: it has to be looked for. */
    uint32_t (*diameter)(const weft_topology *topology);
    /* A router's name for people, as "(3, 0)" or "group 2 router 5". NULL: its coordinates, or
     * its number. */
    void (*name)(const weft_topology *topology, uint32_t router, char *text, size_t size);
} weft_topology_kind;

/* Is (or will be) nothing wrong with a port? */
static inline bool weft_topology_alive(const weft_topology *topology, uint32_t router,
                                       uint32_t port)
{
    uint32_t low = 0, high = topology->faults ? topology->faults->count : 0;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const weft_fault *fault = &topology->faults->at[middle];
        if (fault->router == router && fault->port == port)
            return false;
        if (fault->router < router || (fault->router == router && fault->port < port))
            low = middle + 1;
        else
            high = middle;
    }
    return true;
}

/* May `aims` list several words for a pair? */
static inline bool weft_topology_has_ties(const weft_topology *topology)
{
    return topology->kind->all_headers && !topology->untied;
}

/* How many ports and endpoints a router has room for; first: the first of those like it. */
static inline weft_tier weft_topology_tier(const weft_topology *topology, uint32_t router)
{
    uint32_t i = topology->n_tiers;
    while (i > 0 && router < topology->tiers[i - 1].first)
        i--;
    return i > 0 ? topology->tiers[i - 1]
                 : (weft_tier){.ports = topology->ports, .concentration = topology->concentration};
}

/* The router behind the last one of those like it. */
static inline uint32_t weft_topology_tier_end(const weft_topology *topology, uint32_t router)
{
    for (uint32_t i = 0; i < topology->n_tiers; i++)
        if (topology->tiers[i].first > router)
            return topology->tiers[i].first;
    return topology->routers;
}

/* Which router's output leads to an input. */
static inline weft_end weft_topology_upstream(const weft_topology *topology, uint32_t router,
                                              uint32_t in)
{
    return topology->kind->upstream ? topology->kind->upstream(topology, router, in)
                                    : topology->kind->peer(topology, router, in);
}

/* The router a packet for this endpoint leaves the network at. */
static inline uint32_t weft_topology_egress(const weft_topology *topology, uint32_t endpoint)
{
    return endpoint / topology->concentration + topology->egress_offset;
}

#endif
