/* SPDX-License-Identifier: Apache-2.0 */
/* Who gets a VC and who crosses in a tick, both from the state before either. */
#include "reference/worm_state.h"

typedef struct plan {
    uint32_t asking[WORM_PORTS * WORM_VCS], bids; /* input VCs that want an output VC */
    uint32_t took[WORM_PORTS][WORM_VCS];          /* by an output VC: an input VC */
    uint32_t won[WORM_PORTS][WORM_VCS];           /* by an input VC: an output VC */
    uint32_t crosses[WORM_PORTS];                 /* the VC of an input */
} plan;

/* How far behind a pointer something stands, of n. */
static uint32_t behind(uint32_t what, uint32_t pointer, uint32_t n)
{
    return (what + n - pointer) % n;
}

static void find_bids(const worm_state *state, const worm_router *r, plan *p)
{
    uint32_t vcs = state->set->vcs, all = state->ports * vcs;
    p->bids = 0;
    for (uint32_t who = 0; who < all; who++) {
        const worm_queue *q = &r->in[who / vcs][who % vcs];
        p->won[who / vcs][who % vcs] = p->took[who / vcs][who % vcs] = all;
        if (q->stage == WORM_WANTS_VC && q->from <= state->now)
            p->asking[p->bids++] = who;
    }
}

/* Every free VC takes a requester, every requester accepts a VC. */
static void plan_vcs(const worm_state *state, const worm_router *r, plan *p)
{
    uint32_t vcs = state->set->vcs, all = state->ports * vcs;
    find_bids(state, r, p);
    for (uint32_t a = 0; a < p->bids; a++) {
        uint32_t who = p->asking[a];
        const worm_queue *q = &r->in[who / vcs][who % vcs];
        for (uint32_t l = q->low; l < q->high; l++) {
            uint32_t *took = &p->took[q->out][l], next = r->vc_next[q->out][l];
            if (!r->owned[q->out][l] &&
                (*took == all || behind(who, next, all) < behind(*took, next, all)))
                *took = who;
        }
    }
    for (uint32_t a = 0; a < p->bids; a++) {
        uint32_t who = p->asking[a], *won = &p->won[who / vcs][who % vcs];
        const worm_queue *q = &r->in[who / vcs][who % vcs];
        for (uint32_t l = q->low; l < q->high; l++)
            if (p->took[q->out][l] == who &&
                (*won == all ||
                 behind(q->out * vcs + l, q->next, all) < behind(*won, q->next, all)))
                *won = q->out * vcs + l;
    }
}

/* The VC of an input that asks for an output, round robin; WORM_NONE. */
static uint32_t bid(const worm_state *state, const worm_router *r, uint32_t i, uint32_t o)
{
    for (uint32_t k = 0; k < state->set->vcs; k++) {
        uint32_t v = (r->queue_next[i] + k) % state->set->vcs;
        const worm_queue *q = &r->in[i][v];
        if (q->stage == WORM_ACTIVE && q->from <= state->now && q->count > 0 && q->out == o &&
            r->credits[o][q->vc] > 0)
            return v;
    }
    return WORM_NONE;
}

static bool is_zero_load(const worm_state *state, const worm_router *r)
{
    for (uint32_t i = 0; i < state->ports; i++)
        for (uint32_t v = 0; v < state->set->vcs; v++)
            if (r->in[i][v].stage == WORM_ACTIVE && r->in[i][v].count > 0)
                return false;
    return true;
}

static void plan_crossbar(const worm_state *state, const worm_router *r, plan *p)
{
    uint32_t ports = state->ports, granted[WORM_PORTS];
    for (uint32_t i = 0; i < ports; i++)
        p->crosses[i] = WORM_NONE;
    if (is_zero_load(state, r))
        return;
    for (uint32_t o = 0; o < ports; o++) {
        granted[o] = WORM_NONE;
        for (uint32_t k = 0; k < ports && granted[o] == WORM_NONE && r->held_by[o] == WORM_NONE;
             k++) {
            uint32_t i = (r->grant_next[o] + k) % ports;
            if (r->held_vc[i] == WORM_NONE && bid(state, r, i, o) != WORM_NONE)
                granted[o] = i;
        }
    }
    for (uint32_t i = 0; i < ports; i++)
        for (uint32_t k = 0; k < ports && p->crosses[i] == WORM_NONE; k++) {
            uint32_t o = (r->accept_next[i] + k) % ports;
            if (granted[o] == i)
                p->crosses[i] = bid(state, r, i, o);
        }
}

static void take_vcs(const worm_state *state, worm_router *r, const plan *p)
{
    uint32_t vcs = state->set->vcs, all = state->ports * vcs;
    for (uint32_t a = 0; a < p->bids; a++) {
        uint32_t who = p->asking[a], won = p->won[who / vcs][who % vcs];
        worm_queue *q = &r->in[who / vcs][who % vcs];
        if (won == all)
            continue;
        q->vc = won % vcs;
        q->next = (won + 1) % all;
        q->stage = WORM_ACTIVE;
        q->from = state->now + 1;
        r->vc_next[q->out][q->vc] = (who + 1) % all;
        r->owned[q->out][q->vc] = true;
    }
}

/* An input that is held goes on if it can, and is let go if not. */
static void go_on(worm_state *state, uint32_t at, uint32_t i)
{
    worm_router *r = &state->routers[at];
    uint32_t v = r->held_vc[i];
    worm_queue *q = &r->in[i][v];
    if (q->count > 0 && r->credits[q->out][q->vc] > 0) {
        worm_cross(state, at, i, v);
        return;
    }
    r->held_by[q->out] = r->held_vc[i] = WORM_NONE;
    q->from = state->now + 1;
}

void worm_decide(worm_state *state, uint32_t at)
{
    worm_router *r = &state->routers[at];
    plan p;
    plan_vcs(state, r, &p);
    plan_crossbar(state, r, &p);
    take_vcs(state, r, &p);
    for (uint32_t i = 0; i < state->ports; i++) {
        uint32_t v = p.crosses[i];
        if (r->held_vc[i] != WORM_NONE) {
            go_on(state, at, i);
        } else if (v != WORM_NONE) {
            uint32_t o = r->in[i][v].out;
            r->grant_next[o] = (i + 1) % state->ports;
            r->accept_next[i] = (o + 1) % state->ports;
            r->queue_next[i] = (v + 1) % state->set->vcs;
            worm_cross(state, at, i, v);
        }
    }
}
