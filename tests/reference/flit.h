/* SPDX-License-Identifier: Apache-2.0 */
/* The reference simulator of docs/theory/input-queued.md: every flit, every credit, every tick.
 * Small, slow and obvious; it shares no code with src/. What it says about a packet is what the
 * page says, and the router of src/sim must say the same.
 *
 * It stops with a failed assertion if a buffer overflows, a packet runs dry, two flits meet in
 * one slot, or a credit is missing when all packets have arrived. */
#ifndef WEFT_TEST_FLIT_H
#define WEFT_TEST_FLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FLIT_DIMS = 8,
    FLIT_PORTS = 1024,
    FLIT_VCS = 16,
    FLIT_WAYS = 32,
    FLIT_HOPS = 48,
    FLIT_CLASSES = 8,
    FLIT_ENTRIES = 64
};
#define FLIT_NONE UINT32_MAX

typedef struct flit_packet {
    uint32_t source, destination; /* endpoints; endpoint e sits at router e / hosts */
    uint32_t class;
    uint32_t message, number; /* of the message at its source and class, and of the packet in it */
    uint32_t flits;
    int64_t birth; /* of the message */
    /* hops that remain in each dimension, with their direction; flattened butterfly: the
     * distance that remains */
    int offset[FLIT_DIMS];
} flit_packet;

/* What a packet may take: a port and the VCs behind it; taking it leaves `step` less in
 * dimension `dim`. */
typedef struct flit_way {
    uint32_t port, vcs;
    bool escape;
    int dim, step;
} flit_way;

typedef struct flit_end {
    uint32_t router, port; /* router FLIT_NONE: nothing is attached */
} flit_end;

/* Where a packet waits. */
typedef struct flit_here {
    uint32_t router, vc;
    uint32_t port; /* it came in by; FLIT_NONE: from an endpoint */
} flit_here;

/* A link of its own rate and latency, ticks. */
typedef struct flit_link {
    int64_t period, latency;
} flit_link;

typedef enum flit_scheduler { FLIT_SEPARABLE, FLIT_ISLIP, FLIT_VL_ARBITRATION } flit_scheduler;
typedef enum flit_arbiter { FLIT_ROUND_ROBIN, FLIT_PRIORITY, FLIT_AGE } flit_arbiter;

typedef struct flit_table { /* of VL arbitration */
    int count, vl[FLIT_ENTRIES], weight[FLIT_ENTRIES];
} flit_table;

typedef struct flit_tables { /* of a port */
    flit_table table[2];     /* high and low priority … */
    int64_t limit;           /* … of high priority, bytes or packets, 0: one packet; −1: none */
    bool limit_in_packets;
} flit_tables;

typedef struct flit_config {
    uint32_t routers, ports, hosts; /* hosts of a router, ports between routers */
    const uint32_t *own_ports; /* per router: ports that count before its endpoints; NULL: all */
    uint32_t links;            /* of an endpoint, in each direction */
    uint32_t classes, vcs;
    const flit_end *peer;                            /* router × ports + port */
    int64_t period[FLIT_PORTS], latency[FLIT_PORTS]; /* of the link behind a port, ticks */
    int64_t host_period, host_latency;               /* of the links of endpoints */
    /* router × (ports + hosts) + port, or + ports + host: of every link; NULL: as above */
    const flit_link *single;
    int64_t ready, refront, crossbar, send; /* R, RF, X, D */
    int64_t credit;                         /* C; −1: latency of the link + 1 */
    uint32_t buffer, shared, output_buffer; /* output_buffer 0: none */
    bool in_packets;                        /* buffer and shared are */
    bool pause;         /* instead of credits, with thresholds in the unit of the buffer … */
    uint32_t xoff, xon; /* … */
    uint32_t *greatest; /* … and the most that any VC has held; NULL: nobody asks */
    bool voq, store_and_forward, first_fit, vc_stage;
    uint32_t input_speedup, output_speedup, speedup;
    flit_scheduler scheduler;
    uint32_t iterations;
    flit_arbiter input_arbiter, output_arbiter; /* separable */
    flit_tables tables;                         /* VL arbitration: of routers … */
    bool adapters;                              /* … and of injection links, which have it too: */
    flit_tables adapter_tables;
    int64_t flit_bytes;
    bool leveled; /* every class has one VL, a VC: */
    uint32_t vl[FLIT_CLASSES];
    bool managed; /* the last VC is VL 15; so many of its packets may wait at an input: */
    uint32_t management_room;
    /* The ways of a packet that is not at its router yet, in the order of preference. */
    unsigned (*route)(const struct flit_config *config, const flit_here *here,
                      const flit_packet *packet, flit_way *out);
    /* What `route` knows. */
    uint32_t dims, size[FLIT_DIMS]; /* dimension 0 is the most significant of a router's number */
    bool rings;    /* one of more than two routers closes: the VCs are of two classes */
    bool complete; /* every coordinate of a dimension is one hop away: flattened butterfly */
    bool per_hop;  /* dateline classes are recomputed at each hop */
    bool adaptive;
} flit_config;

typedef struct flit_hop {
    int64_t tick;
    uint32_t router, output, vc; /* of an ejection link the VC means nothing */
} flit_hop;

typedef struct flit_history {
    int64_t injected, delivered; /* −1: not yet */
    uint32_t link, vc;           /* of the injection */
    uint32_t n_hops;
    flit_hop hops[FLIT_HOPS];
} flit_history;

/* Sends the packets (sorted by source, class, message, number) and fills the history of each.
 * Returns the tick at which the last one was delivered; −1 if nothing has moved for 10,000
 * ticks, or after `most` ticks. */
int64_t flit_run(const flit_config *config, const flit_packet *packets, size_t count, int64_t most,
                 flit_history *histories);

#endif
