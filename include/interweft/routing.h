/* SPDX-License-Identifier: Apache-2.0 */
/* Routing: the output ports and virtual channels (VCs) that a packet may take at a router, best
 * first. A routing gets minimal ports and distances from the topology, so it works on any topology
 * that meets its requirements. A selection ranks the ports that the routing allows.
 *
 * A packet carries a 32-bit route header. By default it is the topology's; a routing with
 * `initial_header` makes its own. Header 0 means that the packet is at the router where it leaves
 * the network, for every kind.
 *
 * A minimal plug-in has `candidates`, and `assign_vcs` if it is for routers with VCs.
 * examples/03-own-routing is one. */
#ifndef INTERWEFT_ROUTING_H
#define INTERWEFT_ROUTING_H

#include "interweft/topology.h"

#include <string.h>

WEFT_DECLARATIONS

typedef struct weft_selection_kind {
    weft_component base;
    /* True if rank uses its random stream. */
    bool draws;
    /* Reorders ports[0 … count−1], given in dimension order, so that the first `wanted` are in
     * order of preference. NULL: dimension order is the preference. */
    void (*rank)(const void *settings, weft_minimal_port *ports, unsigned count, unsigned wanted,
                 weft_random *random);
    /* An output-queued router prefers the port with the shortest queue; rank orders ports with
     * equal queues. An input-queued router prefers the candidate with the most credits under every
     * selection, and asks its scheduler for that one alone. rank itself never sees queues; a
     * routing's reroute does. */
    bool looks;
} weft_selection_kind;

/* The place of a packet: its router and its input. */
#define WEFT_FROM_ENDPOINT UINT16_MAX
typedef struct weft_route_context {
    uint32_t router;
    uint32_t header;
    uint16_t port; /* input port; WEFT_FROM_ENDPOINT: from an endpoint */
    uint16_t vc;   /* input VC */
} weft_route_context;

/* A candidate: an output port and the VCs behind it that a packet may take. */
typedef struct weft_candidate {
    uint16_t port;
    uint8_t escape;       /* 1: taken only if no other candidate has room */
    uint16_t vcs;         /* one bit per VC, never 0 */
    uint32_t next_header; /* route header behind the port */
} weft_candidate;

/* The congestion known to a router when a packet arrives, for adaptive decisions. */
typedef struct weft_congestion_view {
    const void *user;
    /* Queue of an output on the given VCs (one bit each), in flits: flits that arrived before this
     * tick and wait for the output, plus flits sent whose credits have not returned. */
    uint32_t (*waiting)(const void *user, uint32_t port, uint16_t vcs);
    /* The same of an output of any router, in this tick, for a routing whose build has set
     * sees_all. NULL: other routers are not seen. */
    uint32_t (*waiting_at)(const void *user, uint32_t router, uint32_t port, uint16_t vcs);
} weft_congestion_view;

#define WEFT_PHASES_MAX     3
#define WEFT_VC_CLASSES_MAX 16 /* of a link, in a plan; one that has more has no row there */

/* The partition of a router's VCs into classes; filled by `assign_vcs`. For a routing without
 * classes weft_assign_all_vcs does it. */
typedef struct weft_vc_plan {
    uint32_t n_vcs;
    /* n_vcs is for the router; the rest is read by the kind's own candidates and, for estimates and
     * the claims of weft_routing_proof, by the program. weft_assign_phases fills it for a kind with
     * phases; weft_phase_vcs reads it. */
    uint16_t open; /* VCs that every packet may use at any time */
    /* VCs of the first phase on rings: packets that will cross the dateline, and the others. */
    uint16_t dateline[2];
    /* Data that assign_vcs computed for candidates; NULL: none. */
    const void *precomputed;
    /* VCs by [phase][C][c], where the link has C VC classes (topology.vc_classes) and c is the
     * class the packet needs. */
    uint16_t by_class[WEFT_PHASES_MAX][WEFT_VC_CLASSES_MAX + 1][WEFT_VC_CLASSES_MAX];
} weft_vc_plan;

/* A phase of a packet's path (for example: to the intermediate router, then home). Within a phase
 * the path is minimal, on the VCs of that phase, by the first minimal port at every hop. */
typedef struct weft_phase {
    uint8_t index; /* in weft_vc_plan.by_class */
    bool last;     /* by the last minimal port instead of the first */
    bool anew;     /* the header is made again at every hop */
    bool once;     /* at most one hop */
} weft_phase;

/* A routing ranks ports by its selection so, where rank is not NULL:
 *     routing->selection->rank(routing->selection_settings, ports, count, count, random); */
typedef struct weft_routing {
    const struct weft_routing_kind *kind;
    const void *settings;
    void *self; /* kind->base.instance_size bytes, filled by build; NULL: none */
    const weft_topology *topology;
    const weft_selection_kind *selection; /* NULL: the kind uses none */
    const void *selection_settings;
    bool draws;  /* candidates use their random stream; otherwise NULL is passed */
    bool slow;   /* tables are too large: answers are computed on demand */
    bool single; /* never more than one candidate; set by the program, or by build */
    /* Headers tell the endpoints of a router apart (header_for_host); set by build. */
    bool by_host;
    /* The SL of all packets, for a kind with maps_sl; has_sl false: those of its own tables. */
    bool has_sl : 1;
    /* reroute looks at queues of other routers too; set by build. One process runs all routers
     * then, in one block: only there all of them are at the same tick. */
    bool sees_all : 1;
    uint8_t sl;
    /* Candidates are the topology's first minimal ports, this number of them, in its order: engines
     * ask the topology directly. 0: engines call candidates. */
    uint16_t straight;
    weft_vc_plan plan; /* only with a router that has VCs */
} weft_routing;

/* Optional: claims and functions that only the deadlock proof and the estimates use. Of a plug-in's
 * claims nothing is believed where all packets can be followed in seconds; on larger networks they
 * are printed as claims, and `weft check --thorough` verifies them. A kind with initial_header or
 * reroute needs initial_headers or reroute_outcomes, or its packets are "not examined". What these
 * two leave out is not examined either: a sample is compared with what initial_header and reroute
 * return, and a header that is not listed is an error. */
typedef struct weft_routing_proof {
    /* Candidates depend neither on the input port nor on the input VC. */
    bool input_independent;
    /* On a lattice (or where groups form one) candidates, or the escape candidates if there are
     * any, are the first minimal port, on VCs that depend only on the coordinate and the hops left
     * in that dimension and on the input VC within the same dimension. */
    bool dimension_ordered;
    /* Candidates, or the escape candidates if there are any, are minimal ports as the topology
     * lists them, on VCs of the class it gives them (plan.by_class), and nothing else matters:
     * routers that see the same network route alike. */
    bool translation_invariant;
    /* The links of any network have an order that every route follows. */
    bool globally_ordered;
    /* Packets pass through these phases in this order; each may be skipped. */
    uint32_t n_phases;
    const weft_phase *phases;
    /* Forwarding tables, for a kind with one candidate, the same VCs at every hop, and headers that
     * are the destination router + 1 on the whole path: the ports by which packets for routers
     * to … to + count − 1 leave every router, at out[router × WEFT_TABLE_COLUMNS + nth].
     * UINT8_MAX: none. count ≤ WEFT_TABLE_COLUMNS. */
    void (*table_columns)(const weft_routing *routing, uint32_t to, uint32_t count, uint8_t *out);
    /* True if a packet at this router may carry this header; for headers from a checkpoint that
     * somebody else wrote. NULL: as the topology says. */
    bool (*header_valid)(const weft_routing *routing, uint32_t router, uint32_t header);
    /* Calls `each` for every header that initial_header may draw, all equally likely; returns their
     * number. NULL: as the topology says. */
    uint32_t (*initial_headers)(const weft_routing *routing, uint32_t from, uint32_t to,
                                void (*each)(void *user, uint32_t header), void *user);
    /* Calls `each` for every header that reroute may return here, for any congestion and draw;
     * returns their number. NULL: reroute returns the header that the packet carries. */
    uint32_t (*reroute_outcomes)(const weft_routing *routing, const weft_route_context *at,
                                 void (*each)(void *user, uint32_t header), void *user);
    /* Expected hops of a packet, given those of minimal routes. NULL: the same. */
    double (*mean_hops)(const weft_routing *routing, double minimal);
    /* Expected hops from one router to another, if cheap; used instead of mean_hops, which is asked
     * for uniform traffic only then. Called only while a network is built. */
    double (*path_length)(const weft_routing *routing, uint32_t from, uint32_t to);
    /* Hops of the longest route. NULL: the diameter, or three times the diameter unless
     * always_minimal. */
    uint32_t (*max_hops)(const weft_routing *routing);
    /* Hops left with this header, where headers are the routing's own. NULL: not known. */
    uint32_t (*hops_left)(const weft_routing *routing, uint32_t header);
} weft_routing_proof;

typedef struct weft_routing_kind {
    weft_component base;

    /* -- required -- */
    /* The candidates of a packet with a header other than 0, in order of preference: at least one,
     * at most WEFT_MINIMAL_PORTS_MAX. A pure function of its arguments. In routers without VCs
     * plan.n_vcs is 0, the input is WEFT_FROM_ENDPOINT at every router, and a candidate's `vcs` and
     * `escape` mean nothing; an output-queued router takes the first idle candidate, or waits for
     * the first. An input-queued router decides anew in every tick: with scheduler separable it
     * asks for the candidate with the most credits, the first of equals; others get all candidates
     * that have room. */
    unsigned (*candidates)(const weft_routing *routing, const weft_route_context *at,
                           weft_random *random, weft_candidate *out);

    /* -- required with routers that have VCs -- */
    /* Partitions the VCs into classes so that the channel dependency graph is acyclic; fills
     * routing->plan. Fails with a message if there are too few. NULL: unbounded buffers only. */
    weft_status (*assign_vcs)(weft_routing *routing, uint32_t vcs, weft_error *err);

    /* -- optional -- */
    /* Fails with a message if this kind cannot route on this topology. NULL: any topology. */
    weft_status (*check)(const weft_routing *routing, weft_error *err);
    /* Fills routing->self (zeroed) after check; on failure nothing is left to free. done frees
     * the memory of build. */
    weft_status (*build)(weft_routing *routing, weft_error *err);
    void (*done)(weft_routing *routing);
    /* The selection that a settings struct names. NULL: the kind uses none. */
    weft_kind_ref (*selection)(const void *settings);
    /* Header of a new packet between different routers. NULL: the topology's make_header. */
    uint32_t (*initial_header)(const weft_routing *routing, uint32_t from, uint32_t to,
                               weft_random *random);
    /* The header for one endpoint of the destination router, where build has set by_host. */
    uint32_t (*header_for_host)(const weft_routing *routing, uint32_t header, uint32_t host);
    /* The header of a packet from one endpoint of its first router. NULL: they are not told
     * apart. */
    uint32_t (*header_from_host)(const weft_routing *routing, uint32_t header, uint32_t host);
    /* The ports of candidates depend on the input port or VC (their VCs always may). Such a kind
     * needs routers with VCs: others do not know the input. */
    bool ports_by_input;
    /* 1: never more than one candidate, which routers decide on once, when a packet arrives,
     * instead of in every tick. More: candidates are the topology's minimal ports ranked by the
     * selection, and so many of them. 0: none of this. */
    unsigned ports_wanted;
    /* Decides again in transit (UGAL, PAR): returns the header to go on with. Called once at every
     * router a packet arrives at, its first included (input port WEFT_FROM_ENDPOINT), after all
     * events of that tick. Only for routers with VCs. */
    uint32_t (*reroute)(const weft_routing *routing, const weft_route_context *at,
                        const weft_congestion_view *view, weft_random *random);
    /* candidates use their random stream (reroute always has one). A kind with a selection leaves
     * it out: the stream is passed if the selection draws. Draws that change more than the order
     * of candidates cannot be listed for the deadlock proof: draw in initial_header or reroute
     * instead and keep the outcome in the header. */
    bool draws;
    /* Finds the VL of an SL by tables of its own, by input and output. */
    bool maps_sl;
    /* All routes are minimal. */
    bool always_minimal;
    /* build handles the faults and refuses disconnected pairs. Otherwise these are searched for. */
    bool handles_faults;
    /* Builds tables that only a simulation needs; fails if they are too large. dry_run: only
     * report. */
    weft_status (*build_tables)(const weft_routing *routing, bool dry_run, weft_error *err);

    weft_routing_proof proof;
} weft_routing_kind;

#define WEFT_TABLE_COLUMNS 64u

/* `assign_vcs` of a routing without classes: every packet may use every VC (plan.open). */
static inline weft_status weft_assign_all_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    uint16_t all = (uint16_t)((1u << vcs) - 1);
    (void)err;
    memset(&routing->plan, 0, sizeof routing->plan);
    routing->plan.n_vcs = vcs;
    routing->plan.open = routing->plan.dateline[0] = routing->plan.dateline[1] = all;
    return WEFT_OK;
}

/* Assigns VCs first … first + count − 1 to one phase and divides them among the VC classes of the
 * links (plan.by_class): on rings, the lower half for packets that will cross a dateline, the rest
 * for the others. count: at least topology.max_vc_classes. */
static inline void weft_assign_phase(weft_routing *routing, unsigned phase, uint32_t first,
                                     uint32_t count)
{
    weft_vc_plan *plan = &routing->plan;
    uint32_t classes = routing->topology->max_vc_classes;
    for (uint32_t all = 1; all <= count; all++)
        for (uint32_t c = 0; c < all; c++) {
            uint32_t from = c * count / all, to = (c + 1) * count / all;
            plan->by_class[phase][all][c] =
                (uint16_t)((((1u << to) - 1) & ~((1u << from) - 1)) << first);
        }
    if (phase > 0)
        return;
    plan->dateline[0] = plan->by_class[0][classes > 1 ? 2 : 1][0];
    plan->dateline[1] = classes > 1 ? plan->by_class[0][2][1] : plan->dateline[0];
}

/* Divides all VCs evenly among phases (Valiant has two), for `assign_vcs`; fails with a sentence
 * if there are too few. */
static inline weft_status weft_assign_phases(weft_routing *routing, uint32_t vcs, uint32_t n_phases,
                                             weft_error *err)
{
    uint32_t classes = routing->topology->max_vc_classes;
    if (n_phases > WEFT_PHASES_MAX || vcs < n_phases * classes)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.vcs must be at least %u here (%u phases of %u classes), found %u",
                         n_phases * classes, n_phases, classes, vcs);
    memset(&routing->plan, 0, sizeof routing->plan);
    routing->plan.n_vcs = vcs;
    for (uint32_t p = 0; p < n_phases; p++)
        weft_assign_phase(routing, p, vcs * p / n_phases,
                          vcs * (p + 1) / n_phases - vcs * p / n_phases);
    return WEFT_OK;
}

/* The VCs behind a minimal port of this router that a packet in this phase may take. */
static inline uint16_t weft_phase_vcs(const weft_routing *routing, unsigned phase, uint32_t router,
                                      const weft_minimal_port *port)
{
    const weft_topology *topology = routing->topology;
    uint32_t needed =
        topology->kind->vc_class ? topology->kind->vc_class(topology, router, port) : 0;
    return routing->plan.by_class[phase][topology->vc_classes[port->port]][needed];
}

/* The candidates of a packet without those behind faults; 0: none is left. */
static inline unsigned weft_routing_candidates(const weft_routing *routing,
                                               const weft_route_context *here, weft_random *random,
                                               weft_candidate *out)
{
    unsigned count = routing->kind->candidates(routing, here, random, out), kept = 0;
    if (!routing->topology->faults)
        return count;
    for (unsigned i = 0; i < count; i++)
        if (weft_topology_alive(routing->topology, here->router, out[i].port))
            out[kept++] = out[i];
    return kept;
}

/* Header of a new packet. */
static inline uint32_t weft_routing_initial_header(const weft_routing *routing, uint32_t from,
                                                   uint32_t to, weft_random *random)
{
    const weft_topology *topology = routing->topology;
    return routing->kind->initial_header ? routing->kind->initial_header(routing, from, to, random)
                                         : topology->kind->make_header(topology, from, to, random);
}

/* Number of endpoints of a router that headers tell apart; 1: they do not. */
static inline uint32_t weft_routing_hosts(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    bool apart =
        routing->kind->initial_header ? routing->by_host : topology->kind->header_for_host != NULL;
    return apart ? topology->concentration : 1;
}

/* Header for one endpoint of the destination router. */
static inline uint32_t weft_routing_header_for_host(const weft_routing *routing, uint32_t header,
                                                    uint32_t host)
{
    const weft_topology *topology = routing->topology;
    if (routing->kind->initial_header)
        return routing->by_host ? routing->kind->header_for_host(routing, header, host) : header;
    return topology->kind->header_for_host ? topology->kind->header_for_host(topology, header, host)
                                           : header;
}

/* Header of a packet that this endpoint sends to one endpoint of the destination router. A kind
 * with header_from_host has header_for_host too. */
static inline uint32_t weft_routing_header_between(const weft_routing *routing, uint32_t header,
                                                   uint32_t endpoint, uint32_t host)
{
    const weft_topology *topology = routing->topology;
    if (routing->kind->initial_header) {
        if (!routing->by_host)
            return header;
        header = routing->kind->header_for_host(routing, header, host);
        return routing->kind->header_from_host
                   ? routing->kind->header_from_host(routing, header,
                                                     weft_topology_host(topology, endpoint))
                   : header;
    }
    return topology->kind->header_for_host ? topology->kind->header_for_host(topology, header, host)
                                           : header;
}

/* True if a packet at this router may carry this header. */
static inline bool weft_routing_header_valid(const weft_routing *routing, uint32_t router,
                                             uint32_t header)
{
    const weft_topology *topology = routing->topology;
    if (routing->kind->proof.header_valid)
        return routing->kind->proof.header_valid(routing, router, header);
    return !topology->kind->header_valid || topology->kind->header_valid(topology, router, header);
}

WEFT_DECLARATIONS_END

#endif
