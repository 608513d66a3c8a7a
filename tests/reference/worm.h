/* SPDX-License-Identifier: Apache-2.0 */
/* A second reference, of a router that src/sim does not have: the crossbar is given away flit by
 * flit, so flits of different VCs take turns on a link, and a packet starts with a single credit
 * (wormhole). It is the input-queued router of BookSim2, stage by stage, with endpoints like its
 * own; `hold` keeps the crossbar for a packet while its flits come without a gap. Where BookSim2
 * and this one agree, and the packet-level router is elsewhere, the rule is the reason.
 *
 * A head that arrives at tick t is routed at t, asks for an output VC from t + 1 on and for the
 * crossbar from the tick after it has one; a body flit asks as it arrives. A flit that crosses
 * at t is in the next buffer at t + 2 + wire, its credit can be used upstream from t + 1 + wire
 * on. VCs and the crossbar are matched by iSLIP, once a tick. Ejection links have VCs like any
 * other. */
#ifndef WEFT_TEST_WORM_H
#define WEFT_TEST_WORM_H

#include <stdbool.h>
#include <stdint.h>

typedef enum worm_pattern { WORM_UNIFORM, WORM_TRANSPOSE, WORM_TORNADO } worm_pattern;

typedef struct worm_config {
    uint32_t dims, size; /* a mesh or torus of size^dims routers, an endpoint each */
    bool torus;          /* two classes of VCs, found on entry into a ring; ties at random */
    uint32_t vcs, buffer, flits, wire;
    bool hold;
    worm_pattern pattern; /* uniform includes oneself */
    double load;          /* flits per endpoint and tick; a coin per tick decides on a packet */
    uint64_t seed;
    int64_t warmup, measure; /* ticks; packets born in `measure` count */
} worm_config;

typedef struct worm_result {
    uint64_t packets;
    double latency, hops; /* means: birth to the last flit's delivery; links between routers */
    bool drained;         /* false: given up while packets that count were under way */
} worm_result;

worm_result worm_run(const worm_config *config);

#endif
