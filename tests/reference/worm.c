/* SPDX-License-Identifier: Apache-2.0 */
/* In every tick what is due arrives, endpoints deliver and send a flit each, then routers
 * decide. Asserted: no buffer overflows, every packet ends where it should. */
#include "reference/worm_state.h"

#include <assert.h>
#include <stdlib.h>

#define GIVE_UP 40 /* draining may take so many times as long as measuring */

uint64_t worm_draw(worm_state *state)
{
    uint64_t z = state->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint32_t coordinate(const worm_state *state, uint32_t router, uint32_t dim)
{
    for (uint32_t d = 0; d < dim; d++)
        router /= state->set->size;
    return router % state->set->size;
}

static uint32_t neighbour(const worm_state *state, uint32_t router, uint32_t port)
{
    uint32_t size = state->set->size, stride = 1;
    for (uint32_t d = 0; d < port / 2; d++)
        stride *= size;
    uint32_t at = router / stride % size, to = (at + (port & 1 ? size - 1 : 1)) % size;
    return router + (to - at) * stride;
}

/* Dimension by dimension; the class of VCs on a ring is found on entry. */
static uint32_t route(worm_state *state, uint32_t at, uint32_t by, worm_packet *who)
{
    uint32_t size = state->set->size;
    for (uint32_t d = 0; d < state->set->dims; d++) {
        uint32_t here = coordinate(state, at, d), to = coordinate(state, who->to, d);
        if (here == to)
            continue;
        if (!state->set->torus)
            return 2 * d + (to < here);
        if (by / 2 == d && by + 1 < state->ports)
            return by ^ 1;
        uint32_t up = (to + size - here) % size;
        bool down = 2 * up > size || (2 * up == size && worm_draw(state) & 1);
        who->class = down ? to > here : to < here;
        return 2 * d + down;
    }
    return state->ports - 1;
}

static uint32_t destination(worm_state *state, uint32_t from)
{
    uint32_t size = state->set->size, to = 0;
    if (state->set->pattern == WORM_UNIFORM)
        return (uint32_t)(worm_draw(state) % state->n_routers);
    if (state->set->pattern == WORM_TRANSPOSE)
        return from % size * size + from / size;
    for (uint32_t d = state->set->dims; d-- > 0;)
        to = to * size + (coordinate(state, from, d) + (size + 1) / 2 - 1) % size;
    return to;
}

void worm_front(worm_state *state, uint32_t at, uint32_t port, worm_queue *q, int64_t routed)
{
    worm_packet *who = &state->packets[q->at[q->first].packet];
    uint32_t half = state->set->vcs / 2;
    q->out = route(state, at, port, who);
    bool ring = state->set->torus && q->out + 1 < state->ports;
    q->low = ring && who->class ? half : 0;
    q->high = ring && !who->class ? half : state->set->vcs;
    q->stage = WORM_WANTS_VC;
    q->from = routed + 1;
}

void worm_cross(worm_state *state, uint32_t at, uint32_t i, uint32_t v)
{
    worm_router *r = &state->routers[at];
    worm_queue *q = &r->in[i][v];
    uint32_t last = state->ports - 1, o = q->out;
    worm_slot on = {q->at[q->first], (uint8_t)q->vc};
    int64_t there = state->now + WORM_CROSS, back = state->now + 1;
    q->first = (q->first + 1) % state->set->buffer;
    q->count--;
    r->credits[o][q->vc]--;
    if (o == last)
        state->source[at].wire[(there + 1) % WORM_SPAN] = on;
    else
        state->routers[neighbour(state, at, o)]
            .wire[o ^ 1][(there + state->set->wire) % WORM_SPAN] = on;
    if (i == last)
        state->source[at].back[(back + 1) % WORM_SPAN] = (uint8_t)v;
    else
        state->routers[neighbour(state, at, i)].back[i ^ 1][(back + state->set->wire) % WORM_SPAN] =
            (uint8_t)v;
    state->packets[on.what.packet].hops += on.what.index == 0;
    bool tail = on.what.index + 1 == state->set->flits;
    bool holds = state->set->hold && !tail && q->count > 0;
    r->held_vc[i] = holds ? v : WORM_NONE;
    r->held_by[o] = holds ? i : WORM_NONE;
    q->from = state->now + 1;
    if (!tail)
        return;
    r->owned[o][q->vc] = false;
    q->stage = WORM_IDLE;
    if (q->count > 0)
        worm_front(state, at, i, q, state->now + 1);
}

static void arrive(worm_state *state, uint32_t at)
{
    worm_router *r = &state->routers[at];
    for (uint32_t p = 0; p < state->ports; p++) {
        worm_slot *due = &r->wire[p][state->now % WORM_SPAN];
        uint8_t *credit = &r->back[p][state->now % WORM_SPAN];
        if (due->vc != WORM_NONE) {
            worm_queue *q = &r->in[p][due->vc];
            assert(q->count < state->set->buffer);
            q->at[(q->first + q->count++) % state->set->buffer] = due->what;
            if (q->stage == WORM_IDLE)
                worm_front(state, at, p, q, state->now);
            due->vc = WORM_NONE;
        }
        if (*credit != WORM_NONE)
            r->credits[p][*credit]++;
        *credit = WORM_NONE;
    }
}

static bool counts(const worm_state *state, int64_t birth)
{
    return birth >= state->set->warmup && birth < state->set->warmup + state->set->measure;
}

static void deliver(worm_state *state, uint32_t at)
{
    worm_slot *due = &state->source[at].wire[state->now % WORM_SPAN];
    if (due->vc == WORM_NONE)
        return;
    state->routers[at].back[state->ports - 1][(state->now + 2) % WORM_SPAN] = due->vc;
    due->vc = WORM_NONE;
    const worm_packet *who = &state->packets[due->what.packet];
    assert(who->to == at);
    if (due->what.index + 1 < state->set->flits || !counts(state, who->birth))
        return;
    state->latency += (double)(state->now - who->birth);
    state->hops += who->hops - 1; /* the last router's crossbar leads to no other */
    state->done++;
}

static void *grow(void *at, size_t bytes)
{
    void *grown = realloc(at, bytes);
    assert(grown);
    return grown;
}

static void bear(worm_state *state, uint32_t at)
{
    worm_source *s = &state->source[at];
    double coin = (double)(worm_draw(state) >> 11) * 0x1p-53;
    if (coin >= state->set->load / state->set->flits)
        return;
    if (state->n_packets == state->room)
        state->packets = grow(state->packets, (state->room *= 2) * sizeof *state->packets);
    if (s->count == s->room) { /* what has wrapped round moves behind the rest */
        s->waiting = grow(s->waiting, 2 * s->room * sizeof *s->waiting);
        for (uint32_t i = 0; i < s->first; i++)
            s->waiting[s->room + i] = s->waiting[i];
        s->room *= 2;
    }
    state->packets[state->n_packets] =
        (worm_packet){.birth = state->now, .to = destination(state, at)};
    s->waiting[(s->first + s->count++) % s->room] = state->n_packets++;
    state->counted += counts(state, state->now);
}

/* A packet takes the next VC in turn that has a credit, a flit a credit of its packet's VC. */
static void inject(worm_state *state, uint32_t at)
{
    worm_source *s = &state->source[at];
    uint32_t vcs = state->set->vcs;
    if (s->sent == 0) {
        s->vc = WORM_NONE;
        for (uint32_t i = 1; i <= vcs && s->vc == WORM_NONE; i++)
            if (s->credits[(s->last + i) % vcs] > 0)
                s->vc = (s->last + i) % vcs;
    }
    if (s->count == 0 || s->vc == WORM_NONE || s->credits[s->vc] == 0)
        return;
    s->credits[s->vc]--;
    s->last = s->vc;
    state->routers[at].wire[state->ports - 1][(state->now + 2) % WORM_SPAN] =
        (worm_slot){{s->waiting[s->first], s->sent}, (uint8_t)s->vc};
    if (++s->sent == state->set->flits) {
        s->sent = 0;
        s->first = (s->first + 1) % s->room;
        s->count--;
    }
}

static void serve(worm_state *state, uint32_t at)
{
    worm_source *s = &state->source[at];
    uint8_t *credit = &s->back[state->now % WORM_SPAN];
    deliver(state, at);
    if (*credit != WORM_NONE)
        s->credits[*credit]++;
    *credit = WORM_NONE;
    bear(state, at);
    inject(state, at);
}

static void open_one(worm_state *state, worm_router *r, worm_source *s)
{
    const worm_config *set = state->set;
    s->room = 8;
    s->waiting = grow(NULL, s->room * sizeof *s->waiting);
    s->last = set->vcs - 1;
    for (uint32_t t = 0; t < WORM_SPAN; t++)
        s->back[t] = s->wire[t].vc = WORM_NONE;
    for (uint32_t l = 0; l < set->vcs; l++)
        s->credits[l] = set->buffer;
    for (uint32_t p = 0; p < state->ports; p++) {
        r->held_vc[p] = r->held_by[p] = WORM_NONE;
        for (uint32_t t = 0; t < WORM_SPAN; t++)
            r->wire[p][t].vc = r->back[p][t] = WORM_NONE;
        for (uint32_t l = 0; l < set->vcs; l++) {
            r->credits[p][l] = set->buffer;
            r->in[p][l].at = grow(NULL, set->buffer * sizeof(worm_flit));
        }
    }
}

static void open_state(worm_state *state)
{
    const worm_config *set = state->set;
    state->ports = 2 * set->dims + 1;
    assert(state->ports <= WORM_PORTS && set->vcs <= WORM_VCS && set->vcs > 0);
    assert(set->wire + WORM_CROSS < WORM_SPAN);
    state->n_routers = 1;
    for (uint32_t d = 0; d < set->dims; d++)
        state->n_routers *= set->size;
    state->routers = calloc(state->n_routers, sizeof *state->routers);
    state->source = calloc(state->n_routers, sizeof *state->source);
    state->room = 1024;
    state->packets = grow(NULL, state->room * sizeof *state->packets);
    assert(state->routers && state->source);
    for (uint32_t i = 0; i < state->n_routers; i++)
        open_one(state, &state->routers[i], &state->source[i]);
}

static void close_state(worm_state *state)
{
    for (uint32_t i = 0; i < state->n_routers; i++) {
        free(state->source[i].waiting);
        for (uint32_t p = 0; p < state->ports; p++)
            for (uint32_t l = 0; l < state->set->vcs; l++)
                free(state->routers[i].in[p][l].at);
    }
    free(state->routers);
    free(state->source);
    free(state->packets);
}

worm_result worm_run(const worm_config *set)
{
    worm_state state = {.set = set, .random = set->seed * 0x2545f4914f6cdd1du + 99};
    int64_t end = set->warmup + set->measure, most = end + GIVE_UP * set->measure;
    open_state(&state);
    for (; (state.now < end || state.done < state.counted) && state.now < most; state.now++) {
        for (uint32_t r = 0; r < state.n_routers; r++)
            arrive(&state, r);
        for (uint32_t r = 0; r < state.n_routers; r++)
            serve(&state, r);
        for (uint32_t r = 0; r < state.n_routers; r++)
            worm_decide(&state, r);
    }
    double packets = state.done ? (double)state.done : 1;
    worm_result result = {.packets = state.done,
                          .latency = state.latency / packets,
                          .hops = state.hops / packets,
                          .drained = state.done == state.counted};
    close_state(&state);
    return result;
}
