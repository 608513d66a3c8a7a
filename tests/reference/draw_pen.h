/* SPDX-License-Identifier: Apache-2.0 */
/* What writes a random network: two streams of draws and the text so far. For draw*.c only. */
#ifndef WEFT_TEST_DRAW_PEN_H
#define WEFT_TEST_DRAW_PEN_H

#include "reference/draw.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct pen { /* writes a network */
    draw *of;
    uint64_t random, other; /* other: a second stream, for VLs alone */
    size_t length;
    uint32_t endpoints, lines; /* lines: inputs of a router */
    uint32_t longest;          /* packet, flits … */
    uint32_t shortest;         /* … or 1 where lengths differ */
    uint32_t stage[3];         /* receive, route, allocate; cycles */
    uint32_t longest_wire;     /* cycles */
    uint32_t backlog;          /* of endpoints; 0: none */
    bool bare;
    bool compiled;                        /* for a compiled router … */
    uint32_t instance;                    /* … weft_iq's number of it (run.c) */
    bool paused;                          /* all have pause that can */
    uint32_t wide;                        /* inputs of a router; 0: a few */
    bool mapped;                          /* there is a map from SLs to VLs … */
    uint32_t sl2vl[16], sl[FLIT_CLASSES]; /* … and a class may have an SL, or FLIT_NONE */
    uint32_t manager;                     /* the class on VL 15; FLIT_NONE */
} pen;

static inline uint64_t next(pen *by)
{
    uint64_t z = by->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* From low to high, both included. */
static inline uint32_t between(pen *by, uint32_t low, uint32_t high)
{
    assert(low <= high);
    return low + (uint32_t)(next(by) % (high - low + 1));
}

/* To the second stream, and back. */
static inline void switch_stream(pen *by)
{
    uint64_t random = by->random;
    by->random = by->other;
    by->other = random;
}

__attribute__((format(printf, 2, 3))) static inline void write_text(pen *by, const char *format,
                                                                    ...)
{
    va_list args;
    va_start(args, format);
    int length = /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, in the line above */
        vsnprintf(by->of->text + by->length, sizeof by->of->text - by->length, format, args);
    va_end(args);
    assert(length >= 0 && by->length + (size_t)length < sizeof by->of->text);
    by->length += (size_t)length;
}

/* The SLs of classes, the map to VLs, and who manages; returns the number of classes. */
uint32_t draw_levels(pen *by);
/* Writes the map, if there is one. */
void draw_map(pen *by);
/* Writes the buffers, with pause if it is drawn, or wanted by the caller. */
void draw_pause(pen *by, const char *unit);
/* Writes the scheduler vl-arbitration with tables. */
void draw_arbitration(pen *by);
/* Writes that of injection links, where they have tables of their own; after the routers'. */
void draw_adapters(pen *by);

#endif
