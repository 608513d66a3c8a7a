/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of SimGrid's time-independent traces: its state, and the actions. */
#ifndef WEFT_PROGRAM_FORMAT_TI_TI_H
#define WEFT_PROGRAM_FORMAT_TI_TI_H

#include "program/expand.h"

#define WEFT_TI_TAG_MAX    0x7fffffffu /* of a trace's own messages; collectives have the rest */
#define WEFT_TI_ANY_SOURCE "-555"      /* SimGrid's constants*/
#define WEFT_TI_ANY_TAG    "-444"

typedef struct weft_ti_request { /* of isend or irecv */
    uint32_t source, destination, tag, operation;
} weft_ti_request;

typedef struct weft_ti_rank {
    weft_course course;
    weft_ti_request *requests; /* open ones, the oldest first */
    uint32_t n_requests, request_room;
    uint32_t n_collectives;
    uint32_t element; /* bytes, where no type is given */
    uint32_t n_lines;
} weft_ti_rank;

typedef struct weft_ti_collective { /* the k-th of every rank is the same one */
    const struct weft_ti_action *action;
    uint32_t root, line;
    uint64_t bytes;
} weft_ti_collective;

typedef struct weft_ti {
    const weft_format_input *trace;
    weft_format_lines lines; /* the line in hand … */
    weft_ti_rank *rank;      /* … and its rank */
    weft_loose loose;
    uint32_t n_ranks;
    weft_ti_rank *ranks;
    weft_ti_collective *collectives;
    uint32_t n_collectives, collective_room;
    bool any_tag;
} weft_ti;

typedef struct weft_ti_action {
    const char *name, *arguments;
    weft_status (*read)(weft_ti *ti, const struct weft_ti_action *action, weft_error *err);
} weft_ti_action;

/* Ends with a NULL name. */
extern const weft_ti_action weft_ti_actions[], weft_ti_collectives[];

/* The next word of the line, as … */
WEFT_MUST_USE weft_status weft_ti_rank_number(weft_ti *ti, const char *wanted, uint32_t *rank,
                                              weft_error *err);
/* … a size in elements; −1 is 0. */
WEFT_MUST_USE weft_status weft_ti_size(weft_ti *ti, uint64_t *elements, weft_error *err);
/* … a type; the rank's own if the line has no more. */
WEFT_MUST_USE weft_status weft_ti_type(weft_ti *ti, uint32_t *bytes, weft_error *err);
/* … flops, as ticks. */
WEFT_MUST_USE weft_status weft_ti_flops(weft_ti *ti, uint64_t *ticks, weft_error *err);
/* elements · bytes, at most 2^48. */
WEFT_MUST_USE weft_status weft_ti_bytes(const weft_ti *ti, uint64_t elements, uint64_t bytes,
                                        uint64_t *size, weft_error *err);
WEFT_MUST_USE weft_status weft_ti_compute(weft_ti *ti, uint64_t ticks, weft_error *err);

#endif
