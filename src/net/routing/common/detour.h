/* SPDX-License-Identifier: Apache-2.0 */
/* Detours: shared code of routings that may send a packet to an intermediate router first (Valiant
 * 1982).
 *
 * The header of such a packet holds, from the lowest bit, the destination router (+ 1), the
 * intermediate router still to be visited (+ 1; 0: none; above the last router: one of the other
 * marks), and a tie bit. Every hop makes a new header of the topology and takes the first minimal
 * port, so the same code serves every topology. Where several headers are equally short (half a
 * ring away), the tie bit and the two routers of the header choose among them. The tie bit is drawn
 * for every packet and inverts every such choice, so each of two directions gets half of the
 * packets, in both phases, and a hop stays a pure function of router and header.
 *
 * A path has up to three phases: to the intermediate router, to the destination, and (par) a first
 * hop that the next router may still revise. Each has VCs of its own, with the VC classes of the
 * topology. Phases follow each other in one order only, and within a phase packets take the first
 * minimal port: the channel dependency graph is acyclic.
 *
 * With faults only headers of fault-free paths are drawn; build refuses a network in which a pair
 * has none. */
#ifndef WEFT_NET_ROUTING_COMMON_DETOUR_H
#define WEFT_NET_ROUTING_COMMON_DETOUR_H

#include "interweft/routing.h"

typedef enum weft_via { WEFT_VIA_ROUTER, WEFT_VIA_GROUP } weft_via;
typedef enum weft_information { WEFT_INFORMATION_LOCAL, WEFT_INFORMATION_GLOBAL } weft_information;
typedef enum weft_sense { WEFT_SENSE_PORT, WEFT_SENSE_HYBRID, WEFT_SENSE_VCS } weft_sense;

typedef struct weft_detour_settings {
    int via; /* −1: not given */
    /* Only kinds that choose by congestion. */
    int sense;
    int64_t threshold;
    int information;    /* −1: not given, local */
    int64_t candidates; /* detours drawn, of which the best is compared; WEFT_NONE_INT: 1 */
} weft_detour_settings;

/* Parameters of such kinds; their settings are a weft_detour_settings. */
extern const weft_param weft_detour_params[]; /* via */
extern const weft_param weft_choice_params[]; /* and sense, threshold, information, candidates */

typedef enum weft_detour_mark {
    WEFT_SETTLED,  /* the route is fixed by the header */
    WEFT_UNCHOSEN, /* at the first router, route not chosen yet */
    WEFT_TRIED,    /* sent on the minimal route, which the next router may still change */
    WEFT_MARKS
} weft_detour_mark;

enum { WEFT_PHASE_OUT, WEFT_PHASE_HOME, WEFT_PHASE_TRIED };

/* The phases of a route: to the intermediate router, to the destination. */
#define WEFT_DETOUR_LEGS 2
#define WEFT_DETOUR_OUT_AND_HOME               \
    {.index = WEFT_PHASE_OUT, .anew = true},   \
    {                                          \
        .index = WEFT_PHASE_HOME, .anew = true \
    }
extern const weft_phase weft_detour_legs[WEFT_DETOUR_LEGS];

typedef struct weft_detour { /* a decoded header */
    weft_detour_mark mark;   /* not WEFT_SETTLED: there is no mid */
    uint32_t mid;            /* intermediate router; WEFT_NOWHERE: goes to the destination */
    uint32_t to;
    uint32_t tie; /* 0 or 1 */
} weft_detour;

weft_detour weft_detour_read(const weft_routing *routing, uint32_t word);
uint32_t weft_detour_word(const weft_routing *routing, const weft_detour *detour);
/* The header of the minimal route. */
uint32_t weft_detour_direct(const weft_routing *routing, uint32_t to, uint32_t tie);

/* Fails unless such headers fit, and the network has what `via` needs. */
WEFT_MUST_USE weft_status weft_detour_check(const weft_routing *routing, weft_error *err);
/* `build` of kinds that draw, and of kinds that choose. With faults: fails unless every pair has a
 * fault-free path. */
WEFT_MUST_USE weft_status weft_detour_build(weft_routing *routing, weft_error *err);
WEFT_MUST_USE weft_status weft_detour_build_choice(weft_routing *routing, weft_error *err);

/* True if detours lead over a group instead of a router. */
bool weft_detour_by_group(const weft_routing *routing);

/* The header of a route over a random intermediate router: any edge router, or (by group) any
 * router in another group than `from`. The minimal header if the draw is one of the two ends, or in
 * the group of `to`. A draw with a fault on its path is repeated. */
uint32_t weft_detour_draw(const weft_routing *routing, uint32_t from, uint32_t to,
                          weft_random *random);
/* All headers that weft_detour_draw may return, equally likely; returns their number. */
uint32_t weft_detour_each(const weft_routing *routing, uint32_t from, uint32_t to,
                          void (*each)(void *user, uint32_t word), void *user);

/* The router behind a hop, and the header there. */
typedef struct weft_ahead {
    uint32_t router, word;
} weft_ahead;

/* The minimal port of a packet with this header (mark: not UNCHOSEN), in terms of the topology. */
weft_minimal_port weft_detour_way(const weft_routing *routing, uint32_t router, uint32_t word,
                                  weft_ahead *ahead);
/* Hops left to a packet from this router. */
uint32_t weft_detour_length(const weft_routing *routing, uint32_t router, uint32_t word);
/* True if a header with one of these marks (a bit each) is valid at this router. */
bool weft_detour_sound(const weft_routing *routing, uint32_t router, uint32_t word, unsigned marks);

/* Assigns VCs first … vcs − 1: the lower half to phase OUT, the rest to phase HOME. */
WEFT_MUST_USE weft_status weft_detour_share(weft_routing *routing, uint32_t first, uint32_t vcs,
                                            weft_error *err);
/* Writes the only candidate. */
unsigned weft_detour_candidates(const weft_routing *routing, const weft_route_context *here,
                                weft_random *random, weft_candidate *out);

/* UGAL's choice for a packet: the header of the minimal route, or of a random detour if
 *     q_min h_min > q h + threshold,
 * q: flits queued for the first port of each route, on the VCs it would use or on all; h: its hops.
 * With global information q is the greatest queue of any port of the route, wherever it is.
 * Of several detours drawn (candidates) it is the one with the least q h, the first of equals.
 * A route with a fault is not chosen. A packet marked TRIED keeps its tie bit: its minimal route is
 * the rest of the route it is on. */
uint32_t weft_detour_choose(const weft_routing *routing, uint32_t router, const weft_detour *now,
                            const weft_congestion_view *view, weft_random *random);
/* All headers that weft_detour_choose may return; returns their number. */
uint32_t weft_detour_choices(const weft_routing *routing, uint32_t router, const weft_detour *now,
                             void (*each)(void *user, uint32_t word), void *user);
/* `initial_header` and `initial_headers` of kinds that choose at a packet's first router. */
uint32_t weft_detour_unchosen(const weft_routing *routing, uint32_t from, uint32_t to,
                              weft_random *random);
uint32_t weft_detour_starts(const weft_routing *routing, uint32_t from, uint32_t to,
                            void (*each)(void *user, uint32_t word), void *user);

#endif
