/* SPDX-License-Identifier: Apache-2.0 */
/* Routing: for this packet here, which ports, best first. It asks the topology, so kinds of
 * routing and of topology add instead of multiplying. Selection ranks what routing allows.
 *
 * The 32 bits a packet carries are the routing's: the topology's route word, or (start) that
 * with more in it, as long as 0 means that the packet is where it leaves the network. */
#ifndef INTERWEFT_ROUTING_H
#define INTERWEFT_ROUTING_H

#include "interweft/topology.h"

typedef struct weft_selection_kind {
    weft_component base;
    bool draws; /* rank uses its random stream */
    /* Reorders ways[0 … count−1], which come in dimension order, so that the first `wanted`
     * stand in order of preference. NULL: dimension order is preferred. */
    void (*rank)(const void *settings, weft_minimal_port *ways, unsigned count, unsigned wanted,
                 weft_random *random);
    bool looks; /* routers prefer the port where the least waits; rank orders equals */
} weft_selection_kind;

/* Where a packet is, for routers with VCs (virtual channels). */
#define WEFT_FROM_ENDPOINT UINT16_MAX
typedef struct weft_route_context {
    uint32_t router;
    uint32_t header;
    uint16_t port; /* of this router it came in by; WEFT_FROM_ENDPOINT */
    uint16_t vc;   /* it came in by */
} weft_route_context;

/* One candidate of a packet: a port, and the VCs behind it that it may use. */
typedef struct weft_candidate {
    uint8_t port;
    uint8_t escape;       /* only if no other candidate can take it */
    uint16_t vcs;         /* a bit each, never 0 */
    uint32_t next_header; /* the route word behind it */
} weft_candidate;

/* What a router knows of itself when a packet has come, for routings that look. */
typedef struct weft_congestion_view {
    const void *user;
    /* The queue of an output on those of these VCs (a bit each) that there are, in flits: what
     * came to the router before this tick and waits for it, and what was sent and whose room
     * behind it has not come back yet. */
    uint32_t (*waiting)(const void *user, uint32_t port, uint16_t vcs);
} weft_congestion_view;

/* How a routing divides the VCs of a router among its own classes; filled by its `share`. VCs of
 * the first phase, of the second …, and in each, where a link has C VC classes (topology.VCs),
 * those of class c. */
#define WEFT_PHASES_MAX 3
typedef struct weft_vc_plan {
    uint32_t n_vcs;
    uint16_t open; /* VCs any packet may use at any time */
    /* of the first phase, where there are rings: packets that will cross a dateline, and the
     * others */
    uint16_t dateline[2];
    const void *precomputed; /* what share found to be quicker with; NULL: nothing */
    uint16_t by_class[WEFT_PHASES_MAX][16 + 1][16]; /* [phase][C][c] */
} weft_vc_plan;

/* A part of a packet's way, for verdicts on deadlock: minimal ways on the VCs of one phase
 * alone, of which the first is taken at every hop (`last`: the last one listed). anew: a packet
 * is aimed again at every hop. once: it has a single hop. */
typedef struct weft_phase {
    uint8_t index;
    bool last, anew, once;
} weft_phase;

typedef struct weft_routing {
    const struct weft_routing_kind *kind;
    const void *settings;
    void *self; /* kind->base.instance_size bytes, filled by its build; NULL: none */
    const weft_topology *topology;
    const weft_selection_kind *selection; /* NULL: the kind uses none */
    const void *selection_settings;
    bool draws;  /* candidates may use its random stream; else NULL is given */
    bool slow;   /* its tables are too large: answers are found when asked for */
    bool single; /* never more than one candidate: as its kind says, or its build */
    /* its own words tell the endpoints of a router apart (`mark`), as its build says */
    bool by_host;
    unsigned straight; /* its candidates are the topology's first so many ways as they come: engines
                          ask the topology itself (saves a tenth of a hop); 0: ask candidates */
    weft_vc_plan plan; /* only with a router that has VCs */
} weft_routing;

typedef struct weft_routing_kind {
    weft_component base;
    /* Can it route on this topology? Says what would be right if not. NULL: on any. */
    weft_status (*check)(const weft_routing *routing, weft_error *err);
    /* Fills routing->self (zeroed) with what it tabulates, after check; where it fails it leaves
     * nothing to free. done frees what build took. NULL: nothing. */
    weft_status (*build)(weft_routing *routing, weft_error *err);
    void (*done)(weft_routing *routing);
    /* Which selection a settings struct names; NULL: none. */
    weft_kind_ref (*selection)(const void *settings);
    /* The word of a new packet between different routers. NULL: the topology's. */
    uint32_t (*initial_header)(const weft_routing *routing, uint32_t from, uint32_t to,
                               weft_random *random);
    /* May a packet at this router carry this word? NULL: as the topology says. */
    bool (*header_valid)(const weft_routing *routing, uint32_t router, uint32_t route);
    /* All words that start may draw, each as likely as another, one after the other: calls
     * `each` for all of them and returns how many there were. NULL: as the topology says. */
    uint32_t (*initial_headers)(const weft_routing *routing, uint32_t from, uint32_t to,
                                void (*each)(void *user, uint32_t word), void *user);
    /* Candidate ports for route (not 0), best first; at least one. An output-queued router takes
     * the first idle one, or waits for the first. NULL: those of `hops`, which has to be blind
     * then: routers without virtual channels know neither the port nor the channel a packet came in
     * by. */
    unsigned (*port_candidates)(const weft_routing *routing, uint32_t router, uint32_t route,
                                weft_random *random, weft_minimal_port *out);
    /* Ways wanted at a hop, if candidates are the topology's ways ranked by the selection; 1:
     * never more than one candidate; 0: other. */
    unsigned ports_wanted;
    /* Divides the VCs of the routers so that finite buffers cannot stop each other; fails if
     * they are too few, or the settings cannot be made safe. NULL: this kind needs unbounded
     * buffers. */
    weft_status (*assign_vcs)(weft_routing *routing, uint32_t vcs, weft_error *err);
    /* The candidates of a packet whose route is not 0, in the order of preference; at least one,
     * at most WEFT_MINIMAL_PORTS_MAX; a pure function of its arguments. */
    unsigned (*candidates)(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out);
    /* The word a packet goes on with from here: asked once at every router it comes to, in the
     * tick it comes, after all events of that tick. Only for routers with VCs. NULL: that it
     * came with. */
    uint32_t (*reroute)(const weft_routing *routing, const weft_route_context *here,
                        const weft_congestion_view *view, weft_random *random);
    /* All words that settle may return here, whatever it sees and draws, one after the other:
     * calls `each` for all of them and returns how many there were. NULL: settle returns the
     * word a packet came with (a verdict on deadlock asks this). */
    uint32_t (*reroute_outcomes)(const weft_routing *routing, const weft_route_context *here,
                                 void (*each)(void *user, uint32_t word), void *user);
    bool draws; /* hops or settle use their random stream (a kind with a selection: if that does) */
    /* For verdicts on deadlock, where they save time; blind also for routers without virtual
     * channels (candidates). blind: hops looks neither at the port nor at the VC a packet came
     * by. by_dimension: on a lattice, or where groups are the routers of one, its candidates, or
     * the escape ones where some are, are the first way that is left, on VCs that follow from the
     * coordinate and the hops left along that dimension alone (and those it came by in the same
     * one); elsewhere it is blind. */
    bool input_independent, dimension_ordered;
    /* alike: candidates, or the escape ones where some are, are minimal ways as the topology
     * lists them, on VCs of the class it gives them (plan.of); nothing else is looked at, so
     * packets go alike from routers that see the same network. ordered: links have an order that
     * every route follows, on any network. */
    bool translation_invariant, globally_ordered;
    /* Its packets go in legs, one after the other as listed, but each may be left out; 0: they
     * do not. */
    uint32_t n_phases;
    const weft_phase *phases;
    /* Forwarding tables: of a kind with one candidate and the same VCs at every hop, whose words
     * are the router a packet goes to + 1 all the way, the ports by which packets for routers to
     * … to + count − 1 leave every router, at out[router × WEFT_TABLE_COLUMNS + nth]; UINT8_MAX:
     * none does, or they are there. count is WEFT_TABLE_COLUMNS at most. NULL: hops says it. */
    void (*table_columns)(const weft_routing *routing, uint32_t to, uint32_t count, uint8_t *out);
    /* Tabulates what a run asks for and a look beforehand does not, if that is much; fails if it
     * is too much. dry: only says whether it would. NULL: nothing. */
    weft_status (*build_tables)(const weft_routing *routing, bool dry, weft_error *err);
    /* Expected hops of a packet, if those of minimal routes are known. NULL: the same. */
    double (*mean_hops)(const weft_routing *routing, double minimal);
    /* Expected hops of a packet from one router to another, if that is quickly told; asked
     * instead of mean_hops. */
    double (*path_length)(const weft_routing *routing, uint32_t from, uint32_t to);
    /* Are all its routes minimal ones? */
    bool always_minimal;
    /* Hops of its longest route. NULL: of minimal ones, or up to three times as many. */
    uint32_t (*max_hops)(const weft_routing *routing);
    /* Hops that are left with this word, where words are the routing's own. NULL: the word does
     * not say. */
    uint32_t (*hops_left)(const weft_routing *routing, uint32_t route);
    /* Does build know what is down, and refuse pairs that are cut off? Else it is looked for. */
    bool handles_faults;
    /* The word of a packet for this endpoint of the router it goes to, of a kind with `start`
     * whose build has set by_host. */
    uint32_t (*header_for_host)(const weft_routing *routing, uint32_t route, uint32_t host);
} weft_routing_kind;

#define WEFT_TABLE_COLUMNS 64u

/* The candidates of a packet that are not down; 0: all are. */
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

/* The word of a new packet. */
static inline uint32_t weft_routing_initial_header(const weft_routing *routing, uint32_t from,
                                                   uint32_t to, weft_random *random)
{
    const weft_topology *topology = routing->topology;
    return routing->kind->initial_header ? routing->kind->initial_header(routing, from, to, random)
                                         : topology->kind->make_header(topology, from, to, random);
}

/* Endpoints of a router that routes tell apart: all of them, or 1 if they do not. */
static inline uint32_t weft_routing_hosts(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    bool apart =
        routing->kind->initial_header ? routing->by_host : topology->kind->header_for_host != NULL;
    return apart ? topology->concentration : 1;
}

/* The same for a packet to one of the endpoints of the router it goes to: their number there. */
static inline uint32_t weft_routing_header_for_host(const weft_routing *routing, uint32_t word,
                                                    uint32_t host)
{
    const weft_topology *topology = routing->topology;
    if (routing->kind->initial_header)
        return routing->by_host ? routing->kind->header_for_host(routing, word, host) : word;
    return topology->kind->header_for_host ? topology->kind->header_for_host(topology, word, host)
                                           : word;
}

/* May a packet at this router carry this word? */
static inline bool weft_routing_header_valid(const weft_routing *routing, uint32_t router,
                                             uint32_t route)
{
    const weft_topology *topology = routing->topology;
    if (routing->kind->header_valid)
        return routing->kind->header_valid(routing, router, route);
    return !topology->kind->header_valid || topology->kind->header_valid(topology, router, route);
}

#endif
