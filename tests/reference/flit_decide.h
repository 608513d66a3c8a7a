/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a decision: who is eligible (flit_decide.c), the match (flit_match.c), the VC
 * stage (flit_stage.c). */
#ifndef WEFT_TEST_FLIT_DECIDE_H
#define WEFT_TEST_FLIT_DECIDE_H

#include "reference/flit_state.h"

enum { FLIT_LINES = 1024 }; /* of a crossbar, on each side */

/* The front packet of a queue with those of its ways it is eligible for. */
typedef struct request {
    uint32_t input, vc, queue, x;
    resident *who;
    unsigned n_ways;
    flit_way ways[FLIT_WAYS];
} request;

/* What the scheduler has picked for an input line. */
typedef struct pick {
    const request *of; /* NULL: nothing */
    const flit_way *way;
    uint32_t y;
    bool first;       /* iSLIP: in the first iteration */
    uint32_t vl;      /* VL arbitration: its VL … */
    int table, entry; /* … and what sends it */
} pick;

/* Every way a packet has here; its VCs are 0 on an ejection link. */
unsigned flit_ways(const flit_state *state, const router *at, const request *of, flit_way *out);
/* Has its head come, or with store-and-forward its tail, and been routed? */
bool flit_has_arrived(const flit_state *state, const resident *who);
/* Rule 1, and where a packet finds its queue (voq). */
bool flit_head_ready(const flit_state *state, const router *at, const request *of);
/* Rule 2, towards output o. */
bool flit_never_dry(const flit_state *state, const router *at, const request *of, uint32_t o);
/* Rule 4: the line x would use to an output, the first free one from x mod u; FLIT_NONE. */
uint32_t flit_free_line(const flit_state *state, const router *at, uint32_t x, uint32_t o);
/* Calls each() for the front of every queue; one that is moving has none behind it. */
typedef void flit_visitor(flit_state *state, router *at, request *front, void *user);
void flit_each_front(flit_state *state, router *at, flit_visitor *each, void *user);

/* picks: one per input line, all empty. */
void flit_match(const flit_state *state, const router *at, const request *requests, uint32_t count,
                pick *picks);
/* What was picked for x has been granted: pointers move to one past it. */
void flit_move_pointers(const flit_state *state, router *at, uint32_t x, const pick *by);
/* The way a nominated packet asks for. */
const flit_way *flit_best_way(const flit_state *state, const router *at, const request *of);
/* The same of VL arbitration; the turns of all lines before the first tick. */
void flit_match_vls(const flit_state *state, const router *at, const request *requests,
                    uint32_t count, pick *picks);
void flit_move_turns(const flit_state *state, router *at, uint32_t x, const pick *by);
void flit_start_turns(const flit_tables *by, turns *of);
/* The VL that sends next of those that ask, and by which entry of which table. */
uint32_t flit_pick_vl(const flit_tables *by, const turns *now, const bool *asking, int *table,
                      int *entry);
/* It sends a packet of so many bytes. */
void flit_charge(const flit_tables *by, turns *now, int table, int entry, int64_t bytes);
/* VL 15: packets that have become ready and find no room are dropped; requests for what others
 * of VL 15 wait for are taken away, and the number of those left is returned. */
void flit_drop(flit_state *state, router *at);
uint32_t flit_give_way(flit_state *state, router *at, request *requests, uint32_t count);
/* The VC-allocation stage of one tick. */
void flit_allocate_vcs(flit_state *state, router *at);

#endif
