/* SPDX-License-Identifier: Apache-2.0 */
/* The shape of an input-queued router: all numbers that are the same at every router of a fabric, and where
 * in a router's record its parts lie. Const once built. */
#ifndef WEFT_SIM_INPUT_QUEUED_SHAPE_H
#define WEFT_SIM_INPUT_QUEUED_SHAPE_H

#include "interweft/scheduler.h"
#include "sim/input_queued.h"
#include "sim/site.h"

typedef struct weft_iq_shape {
    const weft_fabric *fabric;
    weft_routing routing; /* with its lanes divided */
    uint32_t ports;       /* to other routers */
    uint32_t hosts, flows;
    uint32_t ends; /* injection links, and ejection links: hosts × links of each */
    uint32_t each; /* links of one endpoint */
    uint32_t ins;  /* ports + ends: inputs, and outputs */
    uint32_t vcs;
    uint32_t in_speed, out_speed;
    uint32_t in_lines, out_lines; /* of the crossbar */
    int32_t capacity, pool;       /* of a VC, and shared by those of a port: flits or packets */
    uint32_t out_room;            /* flits of an output buffer; 0: none */
    bool by_packet, voq, stored, stage, first_fit;
    bool one_way; /* routing has one candidate */
    bool several; /* the scheduler takes all of them */
    bool direct;  /* credits are written straight into a router of the same block */
    bool uniform; /* the other end of a port has the same number everywhere: peer */
    uint16_t all_lanes;
    uint32_t ready, refront, cross;   /* R, RF, X */
    uint32_t ramps;                   /* room for so many behind every output */
    uint32_t period[WEFT_LINES_MAX];  /* of a link, by input or output */
    uint32_t through[WEFT_LINES_MAX]; /* of the crossbar towards an output */
    uint32_t wire[WEFT_LINES_MAX];    /* latency of a link */
    uint32_t credit[WEFT_LINES_MAX];  /* delay of credits from an input back to whoever feeds it */
    uint8_t class[WEFT_LINES_MAX];    /* of a link */
    uint32_t class_through[WEFT_LINK_CLASSES];
    uint8_t peer[WEFT_LINES_MAX];
    weft_scheduler scheduler;
    /* offsets in a record, bytes */
    uint32_t out_free, end_free, end_next, front, present, tails, left, outs, link_free, parcels,
        claims, state, flits;
    uint32_t out_bytes; /* of one weft_iq_out with its credits and ramps */
    uint32_t bytes;     /* of a record */
} weft_iq_shape;

/* VOQ with refront: entries of `left`. */
static inline uint32_t weft_iq_lefts(const weft_iq_shape *shape)
{
    return shape->voq && shape->refront ? shape->ins * shape->vcs * shape->ins : 0;
}

/* Can there be such a router? Says what would be right if not. */
WEFT_MUST_USE weft_status weft_iq_shape_check(const weft_fabric *fabric, weft_error *err);
/* Of a fabric that passed the check. */
void weft_iq_shape_build(weft_iq_shape *shape, const weft_fabric *fabric);
unsigned weft_iq_shape_mode(const weft_iq_shape *shape); /* weft_iq_mode */
/* Least delay between two routers, ticks. */
weft_time weft_iq_shape_lookahead(const weft_fabric *fabric);

#endif
