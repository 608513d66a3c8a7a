/* SPDX-License-Identifier: Apache-2.0 */
/* VL 15 of docs/theory/input-queued.md: no credits, so packets are dropped; and the reservation of
 * what a packet waits for. */
#include "reference/flit_decide.h"

#include <string.h>

static void drop_at(flit_state *state, vc *of)
{
    uint32_t waiting = 0, kept = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        resident *who = &of->at[i];
        if (!who->seen && flit_has_arrived(state, who)) {
            who->seen = true;
            if (waiting >= state->config->management_room) {
                who->dropped = true;
                state->delivered++;
                state->moved = state->now;
            }
        }
        waiting += who->seen && !who->moving && !who->dropped;
    }
    for (uint32_t i = 0; i < of->count; i++)
        if (!of->at[i].dropped || of->at[i].arrived < state->packets[of->at[i].packet].flits)
            of->at[kept++] = of->at[i];
    of->count = kept;
}

void flit_drop(flit_state *state, router *at)
{
    for (uint32_t in = 0; in < state->sides; in++)
        drop_at(state, &at->input[in].vc[state->config->vcs - 1]);
}

typedef struct reserved {
    bool output[FLIT_PORTS], line[FLIT_LINES];
} reserved;

static void reserve(flit_state *state, router *at, request *front, void *user)
{
    reserved *all = user;
    flit_way ways[FLIT_WAYS];
    if (!flit_is_management(state->config, front->vc) || !flit_head_ready(state, at, front))
        return;
    flit_ways(state, at, front, ways);
    if (!flit_never_dry(state, at, front, ways[0].port))
        return;
    all->output[ways[0].port] = true;
    all->line[front->x] = true;
}

/* Has a request something left to ask for? */
static bool remains(const flit_config *config, const reserved *all, request *of)
{
    unsigned kept = 0;
    if (flit_is_management(config, of->vc))
        return true;
    for (unsigned i = 0; i < of->n_ways; i++)
        if (!all->line[of->x] && !all->output[of->ways[i].port])
            of->ways[kept++] = of->ways[i];
    of->n_ways = kept;
    return kept > 0;
}

uint32_t flit_give_way(flit_state *state, router *at, request *requests, uint32_t count)
{
    static const reserved none;
    reserved all = none;
    uint32_t kept = 0;
    flit_each_front(state, at, reserve, &all);
    for (uint32_t i = 0; i < count; i++)
        if (remains(state->config, &all, &requests[i]))
            requests[kept++] = requests[i];
    return kept;
}
