/* SPDX-License-Identifier: Apache-2.0 */
/* The two schedulers of docs/theory/input-queued.md, "The decision": separable, input first, and
 * iSLIP. */
#include "reference/flit_decide.h"

#include <assert.h>
#include <string.h>

/* A packet's age at a router is counted from when its head (store-and-forward: its tail) could
 * be granted first. */
static int64_t waits_since(const flit_state *state, const resident *who)
{
    return state->config->ready + (state->config->store_and_forward ? who->tail : who->head);
}

/* The first of those that ask from a pointer on, the lowest, or the oldest (the first on ties). */
static uint32_t arbitrate(flit_arbiter arbiter, uint32_t n, uint32_t pointer, const bool *asking,
                          const int64_t *since)
{
    uint32_t best = FLIT_NONE;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = arbiter == FLIT_ROUND_ROBIN ? (pointer + k) % n : k;
        if (!asking[i])
            continue;
        if (best == FLIT_NONE || (arbiter == FLIT_AGE && since[i] < since[best]))
            best = i;
    }
    return best;
}

/* Candidates of the arbiter of an input line: VCs; voq: VC × output lines + the line a queue
 * would ask for. */
static uint32_t queues_of(const flit_state *state)
{
    const flit_config *config = state->config;
    return config->vcs * (config->voq ? state->sides * config->output_speedup : 1);
}

static uint32_t queue_number(const flit_state *state, const request *of, uint32_t y)
{
    uint32_t ys = state->sides * state->config->output_speedup;
    return state->config->voq ? of->vc * ys + y : of->vc;
}

/* The way a nominated packet asks for: the best VC behind it has the most credits; the first
 * link of an endpoint. */
const flit_way *flit_best_way(const flit_state *state, const router *at, const request *of)
{
    const flit_way *best = NULL;
    int64_t most = -1;
    for (unsigned i = 0; i < of->n_ways; i++) {
        const sender *link = &at->output[of->ways[i].port].link;
        int64_t credits = 0;
        for (uint32_t w = 0; w < state->config->vcs; w++)
            if (of->ways[i].vcs >> w & 1 && flit_credits(state, link, w) > credits)
                credits = flit_credits(state, link, w);
        if (credits > most) {
            most = credits;
            best = &of->ways[i];
        }
    }
    return best;
}

/* The request line x nominates, by its input arbiter. */
static const request *nominate(const flit_state *state, const router *at, uint32_t x,
                               const request *requests, uint32_t count)
{
    bool asking[FLIT_VCS * FLIT_PORTS];
    int64_t since[FLIT_VCS * FLIT_PORTS];
    const request *by[FLIT_VCS * FLIT_PORTS];
    uint32_t n = queues_of(state), first = 0;
    assert(n <= FLIT_VCS * FLIT_PORTS);
    while (first < count && requests[first].x != x)
        first++;
    if (first == count)
        return NULL;
    memset(asking, 0, n);
    for (uint32_t i = first; i < count; i++)
        if (requests[i].x == x) {
            uint32_t y = flit_free_line(state, at, x, requests[i].ways[0].port);
            uint32_t number = queue_number(state, &requests[i], y);
            asking[number] = true;
            since[number] = waits_since(state, requests[i].who);
            by[number] = &requests[i];
        }
    return by[arbitrate(state->config->input_arbiter, n, at->x[x].next, asking, since)];
}

static void match_separable(const flit_state *state, const router *at, const request *requests,
                            uint32_t count, pick *picks)
{
    const flit_config *config = state->config;
    uint32_t xs = state->sides * config->input_speedup, ys = state->sides * config->output_speedup;
    for (uint32_t x = 0; x < xs; x++) {
        const request *of = nominate(state, at, x, requests, count);
        if (!of)
            continue;
        const flit_way *way = flit_best_way(state, at, of);
        picks[x] = (pick){
            .of = of, .way = way, .y = flit_free_line(state, at, x, way->port), .first = true};
    }
    bool wanted[FLIT_LINES] = {false};
    for (uint32_t x = 0; x < xs; x++)
        if (picks[x].of)
            wanted[picks[x].y] = true;
    for (uint32_t y = 0; y < ys; y++) {
        if (!wanted[y])
            continue;
        bool asking[FLIT_LINES];
        int64_t since[FLIT_LINES];
        memset(asking, 0, xs);
        for (uint32_t x = 0; x < xs; x++)
            if (picks[x].of && picks[x].y == y) {
                asking[x] = true;
                since[x] = waits_since(state, picks[x].of->who);
            }
        uint32_t won = arbitrate(config->output_arbiter, xs, at->y[y].next, asking, since);
        for (uint32_t x = 0; x < xs; x++)
            if (asking[x] && x != won)
                picks[x].of = NULL;
    }
}

/* The way by which a request reaches output line y; NULL: it does not ask for it. */
static const flit_way *way_to(const flit_state *state, const router *at, const request *of,
                              uint32_t y)
{
    for (unsigned i = 0; i < of->n_ways; i++)
        if (of->ways[i].port == y / state->config->output_speedup && !at->y[y].busy)
            return &of->ways[i];
    return NULL;
}

/* Does x ask for y, with the packet of any of its VCs? */
static bool asks(const flit_state *state, const router *at, const request *requests, uint32_t count,
                 uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < count; i++)
        if (requests[i].x == x && way_to(state, at, &requests[i], y))
            return true;
    return false;
}

/* One iteration of iSLIP: adds to the match, which is y per x and x per y, FLIT_NONE where there
 * is none. */
static void iterate(const flit_state *state, const router *at, const request *requests,
                    uint32_t count, uint32_t *y_of, uint32_t *x_of)
{
    uint32_t xs = state->sides * state->config->input_speedup;
    uint32_t ys = state->sides * state->config->output_speedup;
    uint32_t grant[FLIT_LINES];
    for (uint32_t y = 0; y < ys; y++) {
        grant[y] = FLIT_NONE;
        for (uint32_t k = 0; k < xs && x_of[y] == FLIT_NONE && grant[y] == FLIT_NONE; k++) {
            uint32_t x = (at->y[y].next + k) % xs;
            if (y_of[x] == FLIT_NONE && asks(state, at, requests, count, x, y))
                grant[y] = x;
        }
    }
    for (uint32_t x = 0; x < xs; x++) {
        uint32_t accepted = FLIT_NONE;
        for (uint32_t k = 0; k < ys && accepted == FLIT_NONE; k++) {
            uint32_t y = (at->x[x].next + k) % ys;
            if (grant[y] == x)
                accepted = y;
        }
        if (accepted != FLIT_NONE) {
            y_of[x] = accepted;
            x_of[accepted] = x;
        }
    }
}

/* The packet x sends to y: of the first VC from x's pointer on that is eligible for it. */
static pick pick_vc(const flit_state *state, const router *at, const request *requests,
                    uint32_t count, uint32_t x, uint32_t y)
{
    uint32_t vcs = state->config->vcs, best = FLIT_NONE;
    pick found = {.y = y};
    for (uint32_t i = 0; i < count; i++) {
        const flit_way *way = way_to(state, at, &requests[i], y);
        uint32_t after = (requests[i].vc + vcs - at->x[x].next_vc) % vcs;
        if (requests[i].x == x && way && after < best) {
            best = after;
            found.of = &requests[i];
            found.way = way;
        }
    }
    assert(found.of);
    return found;
}

static void match_islip(const flit_state *state, const router *at, const request *requests,
                        uint32_t count, pick *picks)
{
    uint32_t y_of[FLIT_LINES], x_of[FLIT_LINES], before[FLIT_LINES];
    for (uint32_t i = 0; i < FLIT_LINES; i++)
        y_of[i] = x_of[i] = FLIT_NONE;
    for (uint32_t round = 0; round < state->config->iterations; round++) {
        for (uint32_t x = 0; x < FLIT_LINES; x++)
            before[x] = y_of[x];
        iterate(state, at, requests, count, y_of, x_of);
        for (uint32_t x = 0; x < state->sides * state->config->input_speedup; x++)
            if (before[x] != y_of[x]) {
                picks[x] = pick_vc(state, at, requests, count, x, y_of[x]);
                picks[x].first = round == 0;
            }
    }
}

void flit_match(const flit_state *state, const router *at, const request *requests, uint32_t count,
                pick *picks)
{
    if (state->config->scheduler == FLIT_SEPARABLE)
        match_separable(state, at, requests, count, picks);
    else if (state->config->scheduler == FLIT_VL_ARBITRATION)
        flit_match_vls(state, at, requests, count, picks);
    else
        match_islip(state, at, requests, count, picks);
}

void flit_move_pointers(const flit_state *state, router *at, uint32_t x, const pick *by)
{
    const flit_config *config = state->config;
    uint32_t xs = state->sides * config->input_speedup, ys = state->sides * config->output_speedup;
    if (config->scheduler == FLIT_VL_ARBITRATION) {
        flit_move_turns(state, at, x, by);
        return;
    }
    if (by->first)
        at->y[by->y].next = (x + 1) % xs;
    if (config->scheduler == FLIT_SEPARABLE)
        at->x[x].next = (queue_number(state, by->of, by->y) + 1) % queues_of(state);
    else if (by->first)
        at->x[x].next = (by->y + 1) % ys;
    at->x[x].next_vc = (by->of->vc + 1) % config->vcs;
}
