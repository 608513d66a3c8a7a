/* SPDX-License-Identifier: Apache-2.0 */
/* Detours: what routings share that may send a packet to an intermediate router first (Valiant
 * 1982).
 *
 * The header of such a packet has, from the lowest bit, the router it goes to (+ 1), the
 * intermediate router it still goes to before (+ 1; 0: none, above the last router: one of the
 * other marks), and a bit for ties. At every hop a header of the topology is made anew and the
 * first minimal port taken, so the same code serves every topology. Where several headers are
 * equally short (half a ring away), the bit and the two routers of the header choose among them.
 * The bit is drawn for every packet and inverts every such choice, so each of two directions has
 * half of the packets, in both phases, and a hop stays a pure function of router and header.
 *
 * A packet's path has up to three phases, each on virtual channels of its own and there divided as
 * the topology wants it: to the intermediate router, to the destination, and (par) a first hop that
 * may still be regretted. Phases follow each other in one order only and within a phase paths are
 * minimal, first ports: no cycle can close.
 *
 * With faults only headers are drawn whose whole path is up; build refuses a network in which a
 * pair has none. */
#ifndef WEFT_NET_ROUTING_COMMON_DETOUR_H
#define WEFT_NET_ROUTING_COMMON_DETOUR_H

#include "interweft/routing.h"

typedef enum weft_via { WEFT_VIA_ROUTER, WEFT_VIA_GROUP } weft_via;
typedef enum weft_sense { WEFT_SENSE_PORT, WEFT_SENSE_HYBRID, WEFT_SENSE_VCS } weft_sense;

typedef struct weft_detour_settings {
    int via;   /* −1: not given */
    int sense; /* of kinds that choose: */
    int64_t threshold;
} weft_detour_settings;

/* Parameters that such kinds have; their settings are a weft_detour_settings. */
extern const weft_param weft_detour_params[]; /* via */
extern const weft_param weft_choice_params[]; /* and sense, threshold */

typedef enum weft_detour_mark {
    WEFT_SETTLED,  /* it goes as the word says */
    WEFT_UNCHOSEN, /* at its first router: which way is not chosen yet */
    WEFT_TRIED,    /* sent by the minimal way, which the next router may still change */
    WEFT_MARKS
} weft_detour_mark;

enum { WEFT_PHASE_OUT, WEFT_PHASE_HOME, WEFT_PHASE_TRIED };

/* The legs of a way: out and home. */
#define WEFT_DETOUR_LEGS 2
#define WEFT_DETOUR_OUT_AND_HOME               \
    {.index = WEFT_PHASE_OUT, .anew = true},   \
    {                                          \
        .index = WEFT_PHASE_HOME, .anew = true \
    }
extern const weft_phase weft_detour_legs[WEFT_DETOUR_LEGS];

typedef struct weft_detour { /* a word, read */
    weft_detour_mark mark;   /* not WEFT_SETTLED: there is no mid */
    uint32_t mid;            /* WEFT_NOWHERE: it goes to the destination */
    uint32_t to;
    uint32_t tie; /* 0 or 1 */
} weft_detour;

weft_detour weft_detour_read(const weft_routing *routing, uint32_t word);
uint32_t weft_detour_word(const weft_routing *routing, const weft_detour *detour);
/* The word of the minimal way. */
uint32_t weft_detour_direct(const weft_routing *routing, uint32_t to, uint32_t tie);

/* Is there room for such words, and what `via` asks for? */
WEFT_MUST_USE weft_status weft_detour_check(const weft_routing *routing, weft_error *err);
/* With faults: has every pair a path that is up? The build of kinds that draw, and of those that
 * choose. */
WEFT_MUST_USE weft_status weft_detour_build(weft_routing *routing, weft_error *err);
WEFT_MUST_USE weft_status weft_detour_build_choice(weft_routing *routing, weft_error *err);

/* Is what is in between a group? */
bool weft_detour_by_group(const weft_routing *routing);

/* The word of a way over an intermediate router drawn at random: any router with endpoints, or (by
 * group) any in another group than `from`; the minimal word if the draw leads nowhere else: to one
 * of the two ends, or into the group of `to`. One that is down is drawn again. */
uint32_t weft_detour_draw(const weft_routing *routing, uint32_t from, uint32_t to,
                          weft_random *random);
/* All words that it may draw, each as likely as another; returns how many. */
uint32_t weft_detour_each(const weft_routing *routing, uint32_t from, uint32_t to,
                          void (*each)(void *user, uint32_t word), void *user);

/* Where a hop leads, and the word there. */
typedef struct weft_ahead {
    uint32_t router, word;
} weft_ahead;

/* The way of a packet with this word (mark: not UNCHOSEN), as the topology says it. */
weft_minimal_port weft_detour_way(const weft_routing *routing, uint32_t router, uint32_t word,
                                  weft_ahead *ahead);
/* Routers that a packet goes through from here on. */
uint32_t weft_detour_length(const weft_routing *routing, uint32_t router, uint32_t word);
/* Is a word with one of these marks (a bit each) safe at this router? */
bool weft_detour_sound(const weft_routing *routing, uint32_t router, uint32_t word, unsigned marks);

/* VCs first … VCs − 1: the lower half for ways out, the rest for ways home. */
WEFT_MUST_USE weft_status weft_detour_share(weft_routing *routing, uint32_t first, uint32_t vcs,
                                            weft_error *err);
/* The one candidate. */
unsigned weft_detour_candidates(const weft_routing *routing, const weft_route_context *here,
                                weft_random *random, weft_candidate *out);

/* The choice of UGAL for a packet: the word of the minimal way, or of another drawn at random if
 *     q_min h_min > q h + threshold,
 * q: flits waiting behind the first port of each way, on the VCs it would use or on all, h: its
 * hops. Of two ways one that is down is not taken. A packet that was tried keeps its tie bit: its
 * minimal way is the rest of the one it is on. */
uint32_t weft_detour_choose(const weft_routing *routing, uint32_t router, const weft_detour *now,
                            const weft_congestion_view *view, weft_random *random);
/* All words that it may return; returns how many. */
uint32_t weft_detour_choices(const weft_routing *routing, uint32_t router, const weft_detour *now,
                             void (*each)(void *user, uint32_t word), void *user);
/* The start of kinds that choose at a packet's first router. */
uint32_t weft_detour_unchosen(const weft_routing *routing, uint32_t from, uint32_t to,
                              weft_random *random);
uint32_t weft_detour_starts(const weft_routing *routing, uint32_t from, uint32_t to,
                            void (*each)(void *user, uint32_t word), void *user);

#endif
