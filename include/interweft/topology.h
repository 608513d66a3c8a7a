/* SPDX-License-Identifier: Apache-2.0 */
/* Topology: the routers, their links, and minimal routes; pure functions, constant once built.
 *
 * A regular kind has no tables: neighbours, distances and routes are computed. A packet carries a
 * 32-bit *route header* that only its topology (or routing) reads. `make_header` makes it;
 * `minimal_ports` lists the productive ports at a router and the header behind each. Header 0 means
 * that the packet has arrived at its destination router. A kind with coordinates keeps the hops
 * left in each dimension in it; others keep the destination router + 1, since `minimal_ports` gets
 * the current router as an argument. */
#ifndef INTERWEFT_TOPOLOGY_H
#define INTERWEFT_TOPOLOGY_H

#include "interweft/component.h"
#include "interweft/random.h"
#include "interweft/status.h"

WEFT_DECLARATIONS

#define WEFT_NOWHERE           UINT32_MAX
#define WEFT_MINIMAL_PORTS_MAX 32
/* Ports of a router, and of a level of a hierarchy. */
#define WEFT_PORTS_MAX         1024
#define WEFT_HEADERS_MAX       4096
#define WEFT_NO_DIM            UINT16_MAX

/* Link classes, named as in the section `links`. */
typedef enum weft_link_class {
    WEFT_LINK_LOCAL,
    WEFT_LINK_GLOBAL,
    WEFT_LINK_HOST,
    WEFT_LINK_REGIONAL, /* between local and global, in hierarchies of three or more levels */
    WEFT_LINK_CLASSES
} weft_link_class;
/* Classes of single links follow: a pair of rate and latency each. */
#define WEFT_LINK_CLASSES_MAX 256

typedef struct weft_end {
    uint32_t router; /* WEFT_NOWHERE: nothing is attached */
    uint32_t port;
} weft_end;

/* A productive port, the hops left in its direction (without directions: to the destination), and
 * the route header behind it. */
typedef struct weft_minimal_port {
    uint16_t port;
    uint16_t hops;
    uint32_t next_header;
    /* Its dimension; inside a hierarchy, the dimension it leads to. WEFT_NO_DIM: none. */
    uint16_t dim;
} weft_minimal_port;

/* Coordinates, if the kind has them: the router id is mixed radix, dimension 0 most significant
 * (the order of dims: [a, b]). A port moves by step along its dimension, modulo its size where it
 * wraps.
 *
 * A dimension wraps if it is a ring: a cable of its own joins the last coordinate to 0. All
 * dimensions of a torus and of a hypercube wrap, no dimension of a mesh, and none with full lines.
 * A ring of size 2 has one cable instead of two between the same routers, and turn models may
 * treat it as a line. Every line of two routers, on a mesh too,
 * has a single port, +1, that leads from either router to the other.
 *
 * In full lines all routers of a line are joined to each other: steps are 1 … size − 1, modulo
 * size. Filled by the kind; dims 0: no coordinates. */
typedef struct weft_lattice {
    uint32_t dims;
    uint32_t size[WEFT_DIMS_MAX];
    bool wraps[WEFT_DIMS_MAX];
    uint8_t port_dim[WEFT_PORTS_MAX];
    /* +1, −1. In a line of two routers +1 alone: the sign does not tell the direction there;
     * compare coordinates. */
    int16_t port_step[WEFT_PORTS_MAX];
    bool full; /* all lines are */
} weft_lattice;

/* A port with a present or scheduled fault. */
typedef struct weft_fault {
    uint32_t router, port;
} weft_fault;

typedef struct weft_faults {
    uint32_t count;
    const weft_fault *at; /* by router, then port */
} weft_faults;

/* Routers of one radix: from `first` up to the first router of the next tier. Their links have
 * ports 0 … ports − 1; any other port has no peer. */
typedef struct weft_tier {
    uint32_t first, ports;
    uint32_t concentration; /* the topology's, or 0; fewer where it has hosts of its own */
} weft_tier;

/* A level of a fat tree, the leaf switches being level 0: every switch is one of the `twins` roots
 * of a subtree, number first + subtree × twins + twin. Up port j of twin t leads to twin
 * j × twins + t of the subtree of the next level around it, down port c to the inner subtree c. */
typedef struct weft_tree_level {
    uint32_t first, subtrees, twins;
    uint32_t leaves;   /* leaf switches of a subtree */
    uint32_t down, up; /* children and parents of a switch; endpoints are no children */
    uint32_t down_port, up_port;
} weft_tree_level;

/* Optional properties of a network that speed up deadlock proofs and bounds; leave unknown ones
 * out. A claim of a plug-in is printed as a claim; `weft check --thorough` verifies it. */
typedef struct weft_topology_proof {
    /* Every minimal route follows one order of the links (trees): no VC classes are needed. */
    bool acyclic;
    /* Routes go level by level (hierarchies): the distance is the length of the route by the first
     * minimal ports. It may exceed the graph distance, and routes by other ports may be longer. */
    bool hierarchical_minimal;
    /* minimal_ports depends on the header alone, not on the router. */
    bool header_self_contained;
    /* The VC class of a hop is the number of hops that remain after it, on every minimal route. */
    bool hop_indexed_vcs;
    /* Minimal routes go through stages in one order, follow one order of the links within each, and
     * have VC classes of their own in every stage. */
    bool stage_indexed_vcs;
    /* Every router sees the same network: an automorphism maps it to router 0 and keeps port
     * numbers and the order of minimal ports; VC classes may differ (datelines). */
    bool vertex_transitive;
    /* all_headers lists one header for every pair: there are no ties. */
    bool untied;
    /* The levels of a fat tree. Minimal routes go up, preferably by port ⌊endpoint / twins⌋ mod up
     * of a switch, then down. Owned by the kind; 0: it is none. */
    uint32_t n_tree_levels;
    const weft_tree_level *tree;
} weft_topology_proof;

/* Where parts of the network are cut from each other, for parallel simulation. Router numbers are
 * divided into rows (levels of a tree, stages, leaves and spines …), and a part is the same share
 * of every row, each time a range of numbers. So parts have equal load, and routers that belong
 * together should have about the same place in each row. Coordinates are cut along dimensions
 * instead. */
typedef struct weft_topology_cut {
    /* The first router of every row, row[0] = 0. None: a row of the edge routers and one of each
     * tier of other ones. */
    uint32_t n_rows;
    uint32_t row[WEFT_DIMS_MAX];
    /* Routers of the first row that should stay together with their share of the other rows
     * (subtrees, groups …), the most first: router r of it is in unit r / unit[i]. None: `nested`,
     * or `group`. */
    uint32_t n_units;
    uint32_t unit[WEFT_DIMS_MAX];
} weft_topology_cut;

typedef struct weft_topology {
    const struct weft_topology_kind *kind;
    void *self; /* kind->base.instance_size bytes */
    uint32_t routers;
    /* Endpoints per edge router; endpoint e is at router e / concentration. */
    uint32_t concentration;
    /* Where edge routers have different numbers of endpoints: the first endpoint of each, behind
     * them their number, and the router of every endpoint; concentration is the greatest number
     * then. Owned by the kind; NULL: all have as many. */
    const uint32_t *first, *home;
    /* Routers with endpoints: 0 … edge_routers − 1. If build leaves it 0 it becomes `routers`, so
     * that a routing never sees 0. */
    uint32_t edge_routers;
    /* Packets for endpoint e leave at router e / concentration + egress_offset; not 0 only where
     * links are unidirectional. */
    uint32_t egress_offset;
    uint32_t ports;       /* router-to-router ports of a router: 0 … ports − 1 */
    uint64_t links;       /* directed router-to-router links */
    uint32_t header_bits; /* all headers are below 1 << header_bits */
    /* Router r belongs to group r / group (racks, subtrees, groups of a dragonfly); 0: none. */
    uint32_t group;
    /* Groups inside of groups: routers of each, the smallest first. Router r belongs to group
     * r / nested[i]; `group` is one of them. */
    uint32_t n_nested;
    uint32_t nested[WEFT_DIMS_MAX];
    /* The network of groups (the outer level of a hierarchy), for distances between groups; owned
     * by the kind. NULL: none. */
    const struct weft_topology *outer;
    /* Distances do not fit into memory: they are computed on demand until build_tables. */
    bool slow;
    uint8_t port_class[WEFT_PORTS_MAX]; /* weft_link_class of every port, the same at all routers */
    /* Set after build where single links have a rate or latency of their own: the class of every
     * port's link [router × ports + port], alike in both directions, and of every endpoint's
     * [endpoint]. NULL: port_class, and WEFT_LINK_HOST. */
    const uint8_t *link_class, *host_class;
    /* The other end of port p has the same number at all routers: peer_port[p]. */
    bool uniform;
    uint16_t peer_port[WEFT_PORTS_MAX];
    /* VC classes of a port's link: 2 where rings close, 1 where none are needed, one per hop left
     * where classes count hops; at most 16. And the maximum over all ports. */
    uint32_t max_vc_classes;
    uint8_t vc_classes[WEFT_PORTS_MAX];
    weft_lattice lattice;
    const weft_faults *faults; /* set after build; NULL: none */
    /* Routers of different radix, by ascending `first`; 0: all are alike. Only without
     * coordinates. */
    uint32_t n_tiers;
    const weft_tier *tiers;
    weft_topology_proof proof;
    /* Groups that have routers without endpoints too: routers from first_core on, core_group of
     * them in each group, nested_core in each nested one; the routers before them are grouped by
     * `group` and `nested`. core_group 0: all routers are. See weft_topology_group_of. */
    uint32_t first_core, core_group;
    uint32_t nested_core[WEFT_DIMS_MAX];
    /* Routers without endpoints can be destinations too: of distance, make_header and
     * minimal_ports. */
    bool reaches_core;
    weft_topology_cut cut;
} weft_topology;

/* Closed forms of quantities that are otherwise found by search. */
typedef struct weft_topology_closed_form {
    /* The greatest distance between edge routers. */
    uint32_t (*diameter)(const weft_topology *topology);
    /* Directed links between the halves of the best bisection known. */
    uint64_t (*bisection)(const weft_topology *topology);
} weft_topology_closed_form;

typedef struct weft_topology_kind {
    weft_component base;

    /* -- required -- */
    /* Fills *topology (self is zeroed). */
    weft_status (*build)(weft_topology *topology, const void *settings, weft_error *err);
    /* The other end of a port; router WEFT_NOWHERE: nothing attached (the edge of a mesh). On a
     * unidirectional link end.port is the number of the input, 0 … ports − 1 as well; an input has
     * one link. A link may lead back to its own router. */
    weft_end (*peer)(const weft_topology *topology, uint32_t router, uint32_t port);
    /* Hops of a minimal route, by the ports of minimal_ports. */
    uint32_t (*distance)(const weft_topology *topology, uint32_t from, uint32_t to);
    /* Mean distance of all ordered pairs of different edge routers (to t + egress_offset),
     * exact. */
    double (*mean_distance)(const weft_topology *topology);
    /* Header of a packet between any two routers. tie NULL: takes the first of equal choices. A
     * routing that makes headers again on the way keeps the direction of ties in a header of its
     * own; with NULL all ties of even rings go one way. */
    uint32_t (*make_header)(const weft_topology *topology, uint32_t from, uint32_t to,
                            weft_random *tie);
    /* Writes the minimal ports at a router in dimension order, at most `most`
     * (≤ WEFT_MINIMAL_PORTS_MAX); returns their number, 0 only for header 0. */
    unsigned (*minimal_ports)(const weft_topology *topology, uint32_t router, uint32_t header,
                              unsigned most, weft_minimal_port *out);

    /* -- optional -- */
    /* Frees the memory of build. */
    void (*done)(weft_topology *topology);
    /* Builds tables that only a simulation needs; fails if they are too large. dry_run: only
     * report. */
    weft_status (*build_tables)(const weft_topology *topology, bool dry_run, weft_error *err);
    /* The output that leads to an input; router WEFT_NOWHERE: none. NULL: links are bidirectional
     * and `peer` is used. */
    weft_end (*upstream)(const weft_topology *topology, uint32_t router, uint32_t in);
    /* The header for one endpoint of the destination router, if routes depend on the endpoint
     * (d-mod-k); then make_header draws the endpoint. NULL: routes do not depend on it. */
    uint32_t (*header_for_host)(const weft_topology *topology, uint32_t header, uint32_t host);
    /* VC class, 0 … vc_classes[port->port] − 1, of a packet that leaves this router by `port` in
     * dimension order. NULL: 0. */
    uint32_t (*vc_class)(const weft_topology *topology, uint32_t router,
                         const weft_minimal_port *port);
    /* Every header that make_header may draw, all equally likely, at most WEFT_HEADERS_MAX; returns
     * their number. NULL: make_header draws nothing. */
    unsigned (*all_headers)(const weft_topology *topology, uint32_t from, uint32_t to,
                            uint32_t *out);
    /* True if a packet at this router may carry this header; for headers from a file. NULL: any
     * header is safe. */
    bool (*header_valid)(const weft_topology *topology, uint32_t router, uint32_t header);
    /* Name of a router for people, "(3, 0)" or "group 2 router 5". NULL: its coordinates, or its
     * number. */
    void (*name)(const weft_topology *topology, uint32_t router, char *text, size_t size);
    weft_topology_closed_form closed_form;
    /* The textbook's name of the route by the first minimal port at every router ("d-mod-k"), which
     * routing `minimal` takes. NULL: "dimension order" where there are coordinates, else "a
     * shortest path". */
    const char *minimal;
    /* Writes all routers in an order that the rows and units of `cut` follow instead of their
     * numbers; every row keeps its routers. The same in all processes. NULL: by number. */
    void (*cut_order)(const weft_topology *topology, uint32_t *order);
} weft_topology_kind;

/* True if no present or scheduled fault affects this port. */
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

/* True if some pair has several headers. */
static inline bool weft_topology_has_ties(const weft_topology *topology)
{
    return topology->kind->all_headers && !topology->proof.untied;
}

/* The group of a router (topology.group is not 0), and its nested group of number i. */
static inline uint32_t weft_topology_group_of(const weft_topology *topology, uint32_t router)
{
    return topology->core_group && router >= topology->first_core
               ? (router - topology->first_core) / topology->core_group
               : router / topology->group;
}

static inline uint32_t weft_topology_nested_of(const weft_topology *topology, uint32_t i,
                                               uint32_t router)
{
    return topology->core_group && router >= topology->first_core
               ? (router - topology->first_core) / topology->nested_core[i]
               : router / topology->nested[i];
}

/* Routers of a nested group. */
static inline uint32_t weft_topology_nested_size(const weft_topology *topology, uint32_t i)
{
    return topology->nested[i] + (topology->core_group ? topology->nested_core[i] : 0);
}

static inline uint32_t weft_topology_endpoints(const weft_topology *topology)
{
    return topology->first ? topology->first[topology->edge_routers]
                           : topology->edge_routers * topology->concentration;
}

/* The first endpoint of an edge router, and how many it has. */
static inline uint32_t weft_topology_first(const weft_topology *topology, uint32_t router)
{
    return topology->first ? topology->first[router] : router * topology->concentration;
}

static inline uint32_t weft_topology_hosts(const weft_topology *topology, uint32_t router)
{
    return topology->first ? topology->first[router + 1] - topology->first[router]
                           : topology->concentration;
}

/* The router of an endpoint, and its number there. */
static inline uint32_t weft_topology_home(const weft_topology *topology, uint32_t endpoint)
{
    return topology->home ? topology->home[endpoint] : endpoint / topology->concentration;
}

static inline uint32_t weft_topology_host(const weft_topology *topology, uint32_t endpoint)
{
    return topology->home ? endpoint - topology->first[topology->home[endpoint]]
                          : endpoint % topology->concentration;
}

/* The tier of a router: its ports and endpoints. */
static inline weft_tier weft_topology_tier(const weft_topology *topology, uint32_t router)
{
    uint32_t i = topology->n_tiers;
    while (i > 0 && router < topology->tiers[i - 1].first)
        i--;
    weft_tier tier = {0, topology->ports, topology->concentration};
    if (i > 0)
        tier = topology->tiers[i - 1];
    if (topology->first && router < topology->edge_routers)
        tier.concentration = weft_topology_hosts(topology, router);
    return tier;
}

/* The first router behind those of the tier of this one that follow it and have as many
 * endpoints. */
static inline uint32_t weft_topology_tier_end(const weft_topology *topology, uint32_t router)
{
    uint32_t end = topology->routers;
    for (uint32_t i = topology->n_tiers; i-- > 0 && topology->tiers[i].first > router;)
        end = topology->tiers[i].first;
    for (uint32_t r = router + 1; topology->first && router < topology->edge_routers && r < end;
         r++)
        if (r == topology->edge_routers ||
            weft_topology_hosts(topology, r) != weft_topology_hosts(topology, router))
            return r;
    return end;
}

/* The output that leads to an input. */
static inline weft_end weft_topology_upstream(const weft_topology *topology, uint32_t router,
                                              uint32_t in)
{
    return topology->kind->upstream ? topology->kind->upstream(topology, router, in)
                                    : topology->kind->peer(topology, router, in);
}

/* True if every link has its opposite direction on the same ports; visits all ports. (A kind with
 * bidirectional links may have `upstream` too.) */
static inline bool weft_topology_bidirectional(const weft_topology *topology)
{
    if (topology->egress_offset > 0)
        return false;
    for (uint32_t r = 0; topology->kind->upstream && r < topology->routers; r++)
        for (uint32_t p = 0; p < weft_topology_tier(topology, r).ports; p++) {
            weft_end to = topology->kind->peer(topology, r, p);
            weft_end from = topology->kind->upstream(topology, r, p);
            if (to.router != from.router || (to.router != WEFT_NOWHERE && to.port != from.port))
                return false;
        }
    return true;
}

/* The class of a port's link: a weft_link_class, or that of a single link. */
static inline uint32_t weft_topology_link_class(const weft_topology *topology, uint32_t router,
                                                uint32_t port)
{
    return topology->link_class ? topology->link_class[(size_t)router * topology->ports + port]
                                : topology->port_class[port];
}

/* … and of an endpoint's. */
static inline uint32_t weft_topology_host_class(const weft_topology *topology, uint32_t endpoint)
{
    return topology->host_class ? topology->host_class[endpoint] : (uint32_t)WEFT_LINK_HOST;
}

/* The router at which packets for this endpoint leave the network. */
static inline uint32_t weft_topology_egress(const weft_topology *topology, uint32_t endpoint)
{
    return weft_topology_home(topology, endpoint) + topology->egress_offset;
}

WEFT_DECLARATIONS_END

#endif
