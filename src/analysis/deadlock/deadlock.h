/* SPDX-License-Identifier: Apache-2.0 */
/* Proof of deadlock freedom, or a cyclic channel dependency, from topology, routings and VCs alone,
 * without a simulation.
 *
 * A channel is a VC of a link with the buffer behind it. A packet at the front of a channel's
 * buffer has *alternatives*: the channels it may take next. Buffers hold whole packets (virtual
 * cut-through), so a waiting packet holds one channel. A *knot* is a set of channels, each with a
 * possible packet all of whose alternatives are in the set: filled with these packets, none ever
 * moves. Without a knot there is an order of channels in which every packet has an alternative
 * before its own channel (Dally and Seitz 1987 for one alternative, Duato 1996 for the alternatives
 * of an escape path): the certificate.
 *
 * Assumptions: all pairs of endpoints may communicate, and packets that have arrived are
 * consumed. */
#ifndef WEFT_ANALYSIS_DEADLOCK_DEADLOCK_H
#define WEFT_ANALYSIS_DEADLOCK_DEADLOCK_H

#include "net/network.h"

typedef enum weft_deadlock_verdict {
    WEFT_DEADLOCK_FREE,  /* there is no knot */
    WEFT_DEADLOCK_FOUND, /* one candidate at every hop, and a knot */
    /* Several candidates, and a knot: unknown whether packets can fill it. */
    WEFT_DEADLOCK_UNPROVEN,
    WEFT_DEADLOCK_UNKNOWN /* no knot in the part examined */
} weft_deadlock_verdict;

/* Reasons why no examination is needed. */
typedef enum weft_deadlock_reason {
    WEFT_DEADLOCK_EXAMINED,  /* none: it was examined */
    WEFT_DEADLOCK_BY_TREE,   /* all minimal routes of the topology follow an order of its links */
    WEFT_DEADLOCK_BY_HOPS,   /* the VC class of a hop is the number of hops after it */
    WEFT_DEADLOCK_BY_STAGES, /* VC classes tell the stages of routes, acyclic in themselves */
    WEFT_DEADLOCK_BY_LINKS   /* the routing follows an order of links on any network */
} weft_deadlock_reason;

typedef struct weft_channel {
    uint32_t router; /* upstream */
    uint16_t port, vc;
} weft_channel;

typedef struct weft_deadlock_packet { /* of a cycle */
    weft_channel at, next;            /* the channel it holds, and the one it waits for */
    uint32_t traffic_class;
    uint32_t from, to; /* routers */
} weft_deadlock_packet;

typedef struct weft_deadlock_question {
    const weft_topology *topology;
    uint32_t traffic_classes; /* classes that share the VCs */
    const weft_routing *routing[WEFT_CLASSES_MAX];
    uint32_t vc[WEFT_CLASSES_MAX]; /* first VC of each class */
    uint32_t vcs;                  /* of a link */
    bool committed;                /* a packet takes a VC before that has room for it */
    uint64_t budget;               /* steps of packets to examine; 0: the default */
    bool whole;                    /* examine everything, even where a part suffices … */
    bool parts;                    /* … or a part, even of a small network */
} weft_deadlock_question;

typedef struct weft_deadlock {
    weft_deadlock_verdict verdict;
    bool several;                /* some packet has several candidates */
    bool drawn;                  /* candidates depend on draws, which are sampled */
    bool escape;                 /* the certificate covers the escape candidates alone */
    bool by_lines;               /* examined line by line: dimensions are taken in order */
    bool by_planes;              /* examined in planes of two dimensions, which stand for all */
    bool by_symmetry;            /* packets from `sources` routers stand for all */
    bool by_legs;                /* examined phase by phase */
    uint32_t sources;            /* routers whose packets were examined */
    weft_deadlock_reason reason; /* FREE by construction: too large to be enumerated */
    /* FREE: levels of the order; of one line or phase if examined by these. */
    uint32_t levels;
    /* Channels that are used and examined. */
    uint64_t channels;
    uint32_t destinations, examined;
    uint32_t length;              /* of the shortest cycle found … */
    weft_deadlock_packet *circle; /* … and its packets */
    uint64_t packets;             /* of a knot around the cycle, its own included */
    struct weft_cdg *graph;
    uint32_t merged; /* VCs represented by one VC of the graph */
    struct {
        uint8_t behind;  /* phases after the phase of this VC … */
        bool last, once; /* … and the properties of its phase (weft_phase) */
    } vc[16];
} weft_deadlock;

/* Fills a question for all traffic classes of a network whose routers have VCs. */
void weft_deadlock_ask(weft_deadlock_question *question, const weft_network *network,
                       bool committed);
void weft_deadlock_init(weft_deadlock *deadlock, const weft_deadlock_question *question);
void weft_deadlock_done(weft_deadlock *deadlock);

/* FREE, and not by construction: the level of a channel in the order, from 1; 0: unused. */
uint32_t weft_deadlock_level(const weft_deadlock *deadlock, weft_channel channel);
/* True if a packet in one channel can wait for the other. Not for results by lines or phases. */
bool weft_deadlock_waits(const weft_deadlock *deadlock, weft_channel at, weft_channel next);

#endif
