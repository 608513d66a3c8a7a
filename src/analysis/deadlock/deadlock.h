/* SPDX-License-Identifier: Apache-2.0 */
/* Can packets wait for each other in a circle? Found from topology, routings and VCs alone,
 * before any run.
 *
 * A channel is a VC of a link with the buffer behind it. A packet at the front of a channel's
 * buffer has *alternatives*: the channels it may go on by. Buffers hold whole packets (virtual
 * cut-through), so a packet that waits holds one channel. A *knot* is a set of channels, each
 * with a packet that can stand in it all of whose alternatives are in the set: filled with these
 * packets none ever moves. Without a knot there is an order of channels in which every packet
 * has an alternative before the channel it is in (Dally and Seitz 1987 where there is one
 * alternative, Duato 1996 where these are the escape path): the certificate.
 *
 * All traffic is assumed possible, from everywhere to everywhere, and that packets which have
 * arrived leave. */
#ifndef WEFT_ANALYSIS_DEADLOCK_DEADLOCK_H
#define WEFT_ANALYSIS_DEADLOCK_DEADLOCK_H

#include "net/network.h"

typedef enum weft_deadlock_verdict {
    WEFT_DEADLOCK_FREE,  /* there is no knot */
    WEFT_DEADLOCK_FOUND, /* one candidate at every hop, and a knot */
    /* several candidates, and a knot: nobody knows whether packets come into it */
    WEFT_DEADLOCK_UNPROVEN,
    WEFT_DEADLOCK_UNKNOWN /* no knot in the part that was examined */
} weft_deadlock_verdict;

/* Why nothing had to be examined. */
typedef enum weft_deadlock_reason {
    WEFT_DEADLOCK_EXAMINED, /* it was */
    WEFT_DEADLOCK_BY_TREE,  /* all minimal ways of the topology follow an order of its links */
    WEFT_DEADLOCK_BY_HOPS,  /* the VC class of a hop is the number of hops behind it */
    WEFT_DEADLOCK_BY_LINKS  /* the routing follows an order of links on any network */
} weft_deadlock_reason;

typedef struct weft_channel {
    uint32_t router; /* that sends */
    uint16_t port, vc;
} weft_channel;

typedef struct weft_deadlock_packet { /* of a circle */
    weft_channel at, next; /* it is in the buffer behind the one and waits for the other */
    uint32_t traffic_class;
    uint32_t from, to; /* routers */
} weft_deadlock_packet;

typedef struct weft_deadlock_question {
    const weft_topology *topology;
    uint32_t traffic_classes; /* kinds of packets that share the VCs */
    const weft_routing *routing[WEFT_CLASSES_MAX];
    uint32_t vc[WEFT_CLASSES_MAX]; /* the first that is its own */
    uint32_t vcs;                  /* of a link */
    bool committed;                /* a packet takes a VC before there is room for it there */
    uint64_t budget;               /* steps of packets to look at; 0: the usual number */
    bool whole;                    /* looks at everything, also where a part says as much … */
    bool parts;                    /* … or at a part, also where everything is little */
} weft_deadlock_question;

typedef struct weft_deadlock {
    weft_deadlock_verdict verdict;
    bool several;                /* some packet has several candidates */
    bool escape;                 /* the certificate is of the escape candidates alone */
    bool by_lines;               /* found line by line, dimensions come in order */
    bool by_planes;              /* found in planes of two dimensions, whose likes are alike */
    bool by_symmetry;            /* packets from `sources` routers stand for all */
    bool by_legs;                /* legs of packets were looked at one by one */
    uint32_t sources;            /* routers whose packets were looked at */
    weft_deadlock_reason reason; /* FREE by construction: too large to be enumerated */
    uint32_t levels;   /* FREE: places in the order, of a line or leg where it was found by these */
    uint64_t channels; /* that are used, and examined */
    uint32_t destinations, examined;
    uint32_t length;              /* of the shortest circle found … */
    weft_deadlock_packet *circle; /* … and its packets */
    uint64_t packets;             /* with all others that a knot around it needs */
    struct weft_cdg *graph;
    uint32_t merged; /* VCs that one stands for in the graph */
    struct {
        uint8_t behind;  /* legs that come behind the one this VC is of … */
        bool last, once; /* … and what that is like */
    } vc[16];
} weft_deadlock;

/* Of all classes of traffic of a network whose routers have VCs. */
void weft_deadlock_ask(weft_deadlock_question *question, const weft_network *network,
                       bool committed);
void weft_deadlock_init(weft_deadlock *deadlock, const weft_deadlock_question *question);
void weft_deadlock_done(weft_deadlock *deadlock);

/* FREE, and not by construction: the place of a channel in the order, from 1 on; 0: nobody uses
 * it. */
uint32_t weft_deadlock_level(const weft_deadlock *deadlock, weft_channel channel);
/* Can a packet in one channel wait for the other? Not of what was found by lines or legs. */
bool weft_deadlock_waits(const weft_deadlock *deadlock, weft_channel at, weft_channel next);

#endif
