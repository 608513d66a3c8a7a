/* SPDX-License-Identifier: Apache-2.0 */
/* One network in both simulators, the library and the flit-stepped reference. */
#ifndef WEFT_TESTS_REFERENCE_BOTH_H
#define WEFT_TESTS_REFERENCE_BOTH_H

#include "base/pack.h"
#include "contract/scenario.h"
#include "reference/draw.h"

typedef struct both {
    draw draw;
    stage stage;
    flit_end *peer;
    flit_link *single;
    uint32_t *own_ports;
    flit_packet *packet;
    size_t count, room;
    size_t *first; /* source × classes + class, then message: its first packet */
    size_t *messages;
    size_t n_messages, message_room;
    flit_history *reference, *library;
    weft_pack measured; /* by the last run of the library */
    bool odd;           /* the library told of a packet or a hop that cannot be */
} both;

/* Describes the library's network to the reference: from cycles to ticks, and the links from the
 * topology. */
void both_set_config(both *on);

#endif
