/* SPDX-License-Identifier: Apache-2.0 */
/* "The VC-allocation stage" of docs/theory/input-queued.md: fronts without an output VC ask for
 * those nobody owns, every VC takes one requester, every requester accepts one VC. */
#include "reference/flit_decide.h"

#include <assert.h>
#include <stdlib.h>

typedef struct bid {
    resident *who;
    uint32_t input, vc, output, vcs, taken; /* VCs it asks for, and those that took it */
} bid;
typedef struct bids {
    bid *at;
    uint32_t count, room;
} bids;

/* A front that is ready and has no output VC asks for those nobody owns; what leaves here needs
 * none and waits a tick. */
static void ask_for_vc(flit_state *state, router *at, request *front, void *user)
{
    bids *all = user;
    flit_way ways[FLIT_WAYS];
    if (front->who->staged || !flit_head_ready(state, at, front))
        return;
    flit_ways(state, at, front, ways);
    if (!flit_never_dry(state, at, front, ways[0].port))
        return;
    if (ways[0].port >= state->config->ports) {
        front->who->staged = true;
        return;
    }
    if (all->count == all->room) {
        all->room = all->room ? 2 * all->room : 16;
        all->at = realloc(all->at, all->room * sizeof *all->at);
        assert(all->at);
    }
    bid who = {.who = front->who, .input = front->input, .vc = front->vc, .output = ways[0].port};
    for (uint32_t w = 0; w < state->config->vcs; w++)
        if (ways[0].vcs >> w & 1 && !at->output[who.output].owned[w])
            who.vcs |= 1u << w;
    all->at[all->count++] = who;
}

/* An output VC takes one of those that ask for it. */
static void take_bid(const flit_state *state, const router *at, const bids *all, uint32_t o,
                     uint32_t w)
{
    uint32_t vcs = state->config->vcs, n = state->sides * vcs, best = FLIT_NONE;
    bid *won = NULL;
    for (uint32_t i = 0; i < all->count; i++) {
        bid *who = &all->at[i];
        uint32_t after = (who->input * vcs + who->vc + n - at->output[o].stage_next[w]) % n;
        if (who->output == o && who->vcs >> w & 1 && after < best) {
            best = after;
            won = who;
        }
    }
    if (won)
        won->taken |= 1u << w;
}

static void accept_vc(const flit_state *state, router *at, const bid *who)
{
    uint32_t vcs = state->config->vcs;
    vc *from = &at->input[who->input].vc[who->vc];
    uint32_t w = from->stage_next;
    assert(vcs > 0 && state->sides > 0 && who->taken);
    while (!(who->taken >> w & 1))
        w = (w + 1) % vcs;
    output *out = &at->output[who->output];
    assert(!out->owned[w]);
    out->owned[w] = true;
    out->stage_next[w] = (who->input * vcs + who->vc + 1) % (state->sides * vcs);
    from->stage_next = (w + 1) % vcs;
    who->who->own = w;
    who->who->staged = true;
}

void flit_allocate_vcs(flit_state *state, router *at)
{
    bids all = {0};
    flit_each_front(state, at, ask_for_vc, &all);
    for (uint32_t o = 0; o < state->config->ports; o++)
        for (uint32_t w = 0; w < state->config->vcs; w++)
            take_bid(state, at, &all, o, w);
    for (uint32_t i = 0; i < all.count; i++)
        if (all.at[i].taken)
            accept_vc(state, at, &all.at[i]);
    free(all.at);
}
