/* SPDX-License-Identifier: Apache-2.0 */
/* State of output-queued routers: when links and ports are free. The rules are in kind.c. */
#ifndef WEFT_SIM_ROUTER_OUTPUT_QUEUED_OUTPUT_QUEUED_H
#define WEFT_SIM_ROUTER_OUTPUT_QUEUED_OUTPUT_QUEUED_H

#include "net/topology/common/lattice.h"
#include "sim/router.h"

enum { WEFT_OQ_COIN, WEFT_OQ_CUTS, WEFT_OQ_STREAMS }; /* variants S2, S0 and VCT */
enum { WEFT_OQ_OUTPUT, WEFT_OQ_INPUT };               /* where packets wait */

typedef struct weft_oq_settings {
    weft_duration header;
    int variant, fifos;
} weft_oq_settings;

typedef struct weft_oq {  /* of one block; what a hop reads stands together */
    weft_time *link_free; /* router × ports: first tick at which the link can start a packet */
    int64_t *link_flits;  /* the same: ticks handed to it so far; NULL: not counted */
    /* the same: when the last packet that came by it will have left; NULL: not needed */
    weft_time *input_free;
    weft_time flit;   /* ticks per flit */
    weft_time header; /* start on a link → header read … */
    weft_time hop;    /* … at the next router, wire included */
    weft_time lead;   /* how long a header is before its packet can be sent on, less its flits */
    /* candidates are the first so many minimal ports of the topology at every router, for every
     * class; 0: the routing has to be called */
    unsigned straight;
    uint32_t ports, hosts;
    /* of a lattice in dimension order without anything special: by bit of the route header; NULL:
     * packets take the general way */
    const weft_lattice_field *field;
    /* then, of small blocks: the router behind each link, WEFT_NOWHERE: of another block */
    uint32_t *next;
    weft_time sync_point; /* weft_site_sync_point */
    bool coin;
    bool looks;   /* some selection depends on queues */
    bool history; /* cut-throughs are counted by those at the router before */
    /* … and counted by the links they came and left by: router × ports × ports ×
     * WEFT_COUNTER_COUNTS; NULL: not */
    int64_t *turned;
    bool special;                                  /* this, queues at inputs, or many ports */
    const weft_routing *routing[WEFT_CLASSES_MAX]; /* per traffic class */
    weft_time *reception; /* router × hosts: like link_free, for reception ports; NULL: unlimited */
    weft_time *injection; /* router × hosts: when an injection port is free; NULL: unlimited */
} weft_oq;

/* Start on a link → header read, and that with the wire: the lookahead. */
weft_time weft_oq_header(const weft_platform *platform);
weft_time weft_oq_lookahead(const weft_platform *platform);

/* The router family's functions. */
WEFT_MUST_USE weft_status weft_oq_check(const weft_platform *platform, weft_error *err);
void weft_oq_open(weft_site *site);
void weft_oq_close(weft_site *site);
int64_t weft_oq_bytes(const weft_platform *platform);
double weft_oq_zero_load(const weft_platform *platform, const weft_mean_path *path, double flits,
                         double packet);
/* By pairs of links: cut-throughs of packets that had cut through, or had been blocked, at the
 * router before. */
extern const weft_counter_quantity weft_oq_quantities[WEFT_COUNTER_COUNTS];
uint32_t weft_oq_counters(const weft_platform *platform);
void weft_oq_counter(const weft_site *site, uint32_t router, uint32_t number, weft_time now,
                     weft_counter *found);
int64_t weft_oq_link_busy(const weft_site *site, uint32_t router, uint32_t port, weft_time now);
void weft_oq_save(const weft_site *site, uint32_t router, weft_pack *pack);
void weft_oq_load(weft_site *site, uint32_t router, weft_time now, weft_unpack *from);

#endif
