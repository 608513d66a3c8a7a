/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes, packets and ports as ts prints them. */
#ifndef WEFT_STUDY_TS_TS_TEXT_H
#define WEFT_STUDY_TS_TS_TEXT_H

#include "base/text.h"
#include "net/topology.h"
#include "sim/packet.h"

typedef struct weft_ts_node {
    uint32_t at[WEFT_DIMS_MAX]; /* coordinates */
} weft_ts_node;

weft_ts_node weft_ts_node_of(const weft_lattice *lattice, uint32_t router);
/* The destination of a packet at this router. */
weft_ts_node weft_ts_destination(const weft_topology *topology, uint32_t router,
                                 const weft_event *packet);
/* Of dimension m 2m towards lower coordinates, 2m + 1 towards higher ones. */
uint32_t weft_ts_port(const weft_lattice *lattice, uint32_t router, uint32_t port);

/* "(0,1)" */
void weft_ts_add_node(weft_text *text, const weft_lattice *lattice, const weft_ts_node *node);
/* "from (0,1) to (2,3)" */
void weft_ts_add_packet(weft_text *text, const weft_lattice *lattice, const weft_event *packet,
                        const weft_ts_node *destination);

#endif
