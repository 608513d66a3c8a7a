/* SPDX-License-Identifier: Apache-2.0 */
/* Who goes in a tick: the sections "Who may be granted", "Credits" and "The decision" of
 * docs/theory/input-queued.md, in their order and words. Requests are collected, matched
 * (flit_match.c), and the picks granted in the order of x. */
#include "reference/flit_decide.h"

#include <assert.h>
#include <stdlib.h>

static uint32_t lowest(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

int64_t flit_credits(const flit_state *state, const sender *link, uint32_t w)
{
    int64_t pool = state->config->shared;
    if (state->config->pause)
        return link->paused[w] ? 0 : INT64_MAX;
    for (uint32_t v = 0; v < state->config->vcs; v++)
        if (link->credits[v] < 0)
            pool += link->credits[v];
    assert(pool >= 0);
    return (link->credits[w] > 0 ? link->credits[w] : 0) + pool;
}

uint32_t flit_choose_vc(const flit_state *state, const sender *link, uint32_t vcs, int64_t need)
{
    uint32_t best = FLIT_NONE, last = state->config->vcs - 1;
    if (state->config->managed && vcs >> last & 1)
        return last; /* VL 15 has no credits */
    for (uint32_t w = 0; w < state->config->vcs; w++) {
        if (!(vcs >> w & 1) || flit_credits(state, link, w) < need)
            continue;
        if (best == FLIT_NONE || (!state->config->first_fit &&
                                  flit_credits(state, link, w) > flit_credits(state, link, best)))
            best = w;
    }
    return best;
}

unsigned flit_ways(const flit_state *state, const router *at, const request *of, flit_way *out)
{
    const flit_config *config = state->config;
    const flit_packet *packet = &state->now_at[of->who->packet];
    flit_here here = {.router = at->number,
                      .vc = of->vc,
                      .port = of->input < config->ports ? of->input : FLIT_NONE};
    if (packet->destination / config->hosts != at->number)
        return config->route(config, &here, packet, out);
    uint32_t first = config->ports + packet->destination % config->hosts * config->links;
    for (uint32_t k = 0; k < config->links; k++)
        out[k] = (flit_way){.port = first + k};
    return config->links;
}

bool flit_has_arrived(const flit_state *state, const resident *who)
{
    int64_t from = state->config->store_and_forward ? who->tail : who->head;
    return from >= 0 && state->now >= from + state->config->ready;
}

bool flit_head_ready(const flit_state *state, const router *at, const request *of)
{
    const vc *in = &at->input[of->input].vc[of->vc];
    return flit_has_arrived(state, of->who) &&
           state->now >= in->vacated[of->queue] + state->config->refront;
}

bool flit_never_dry(const flit_state *state, const router *at, const request *of, uint32_t o)
{
    int64_t slower = at->input[of->input].period - flit_crossbar_period(state, &at->output[o]);
    int64_t flits = state->packets[of->who->packet].flits;
    int64_t wait = slower > 0 ? (flits - 1) * slower : 0; /* (L − 1) max(0, f_in − g) */
    return state->config->store_and_forward ||
           state->now >= of->who->head + state->config->ready + wait;
}

uint32_t flit_free_line(const flit_state *state, const router *at, uint32_t x, uint32_t o)
{
    const flit_config *config = state->config;
    uint32_t u = config->output_speedup, first = x;
    if (config->own_ports && x / config->input_speedup >= config->ports)
        first -= (config->ports - config->own_ports[at->number]) * config->input_speedup;
    for (uint32_t k = 0; k < u; k++)
        if (!at->y[o * u + (first + k) % u].busy)
            return o * u + (first + k) % u;
    return FLIT_NONE;
}

/* Rule 6. */
static bool has_room(const flit_state *state, const output *out, uint32_t packet)
{
    uint32_t held = 0;
    if (state->config->output_buffer == 0)
        return true;
    for (uint32_t i = 0; i < out->count; i++)
        held += state->packets[out->at[i].packet].flits;
    return held + state->packets[packet].flits <= state->config->output_buffer;
}

/* Rules 5 and 6. */
static bool fits(const flit_state *state, const router *at, uint32_t packet, const flit_way *way)
{
    const output *out = &at->output[way->port];
    bool ejects = way->port >= state->config->ports;
    return has_room(state, out, packet) &&
           (ejects ||
            flit_choose_vc(state, &out->link, way->vcs, flit_need(state, packet)) != FLIT_NONE);
}

/* The ways a packet may use at all: of a VOQ those of its port, after the VC stage the VC it
 * owns. */
static unsigned own_ways(const flit_state *state, const router *at, const request *of,
                         flit_way *out)
{
    const flit_config *config = state->config;
    unsigned count = flit_ways(state, at, of, out), kept = 0;
    if (config->vc_stage) {
        if (!of->who->staged)
            return 0;
        if (of->who->own != FLIT_NONE) {
            out[0].vcs = 1u << of->who->own;
            return 1;
        }
    }
    for (unsigned i = 0; i < count; i++)
        if (!config->voq || out[i].port == of->queue)
            out[kept++] = out[i];
    return kept;
}

/* Leaves the ways the packet is eligible for now; escape ways only if there is no other. */
static bool eligible(const flit_state *state, const router *at, request *of)
{
    flit_way ways[FLIT_WAYS];
    bool other = false;
    if (at->x[of->x].busy || !flit_head_ready(state, at, of))
        return false;
    unsigned count = own_ways(state, at, of, ways);
    of->n_ways = 0;
    for (unsigned i = 0; i < count; i++)
        if (flit_never_dry(state, at, of, ways[i].port) &&
            flit_free_line(state, at, of->x, ways[i].port) != FLIT_NONE &&
            fits(state, at, of->who->packet, &ways[i])) {
            of->ways[of->n_ways++] = ways[i];
            other |= !ways[i].escape;
        }
    unsigned kept = 0;
    for (unsigned i = 0; i < of->n_ways; i++)
        if (!other || !of->ways[i].escape)
            of->ways[kept++] = of->ways[i];
    of->n_ways = kept;
    return kept > 0;
}

/* A packet of a VOQ finds its queue when its head becomes ready: the first port of its
 * candidates. */
static void find_queue(const flit_state *state, const router *at, const request *front)
{
    if (front->who->queue == FLIT_NONE && flit_has_arrived(state, front->who)) {
        flit_way ways[FLIT_WAYS] = {{.port = FLIT_NONE}};
        flit_ways(state, at, front, ways);
        assert(ways[0].port < state->sides);
        front->who->queue = ways[0].port;
    }
}

void flit_each_front(flit_state *state, router *at, flit_visitor *each, void *user)
{
    uint32_t s = state->config->input_speedup;
    for (uint32_t in = 0; in < state->sides; in++)
        for (uint32_t v = 0; v < state->config->vcs; v++) {
            const vc *of = &at->input[in].vc[v];
            bool seen[FLIT_PORTS]; /* queues */
            for (uint32_t q = 0; of->count && q < state->sides; q++)
                seen[q] = false;
            for (uint32_t i = 0; i < of->count; i++) {
                request front = {.input = in, .vc = v, .x = in * s + v % s, .who = &of->at[i]};
                if (front.who->dropped)
                    continue;
                find_queue(state, at, &front);
                front.queue = front.who->queue;
                if (front.queue == FLIT_NONE || seen[front.queue])
                    continue;
                seen[front.queue] = true;
                if (s > state->config->vcs - state->config->managed) /* lines are for outputs */
                    front.x = in * s + front.queue % s;
                if (!front.who->moving)
                    each(state, at, &front, user);
            }
        }
}

static void collect(flit_state *state, router *at, request *front, void *user)
{
    uint32_t *count = user;
    if (!eligible(state, at, front))
        return;
    if (*count == state->request_room) {
        state->request_room = state->request_room ? 2 * state->request_room : 64;
        state->request = realloc(state->request, state->request_room * sizeof *state->request);
        assert(state->request);
    }
    state->request[(*count)++] = *front;
}

static void note_hop(flit_state *state, const router *at, uint32_t packet, uint32_t o, uint32_t w)
{
    flit_history *history = &state->history[packet];
    assert(history->n_hops < FLIT_HOPS);
    history->hops[history->n_hops++] =
        (flit_hop){.tick = state->now, .router = at->number, .output = o, .vc = w};
    state->moved = state->now;
}

/* Grants a pick if its packet still finds a VC and room; what was granted before it in this tick
 * has taken its part. */
static void grant(flit_state *state, router *at, uint32_t x, const pick *by)
{
    const flit_way *way = by->way;
    uint32_t packet = by->of->who->packet, w = FLIT_NONE;
    output *out = &at->output[way->port];
    if (!fits(state, at, packet, way))
        return;
    if (way->port < state->config->ports) {
        w = flit_choose_vc(state, &out->link, way->vcs, flit_need(state, packet));
        if (!flit_is_management(state->config, w))
            out->link.credits[w] -= flit_need(state, packet);
        state->now_at[packet].offset[way->dim] -= way->step;
    }
    by->of->who->moving = true;
    assert(!at->x[x].busy && !at->y[by->y].busy);
    at->y[by->y].busy = at->x[x].busy = true;
    at->x[x].packet = packet;
    at->x[x].vc = by->of->vc;
    at->x[x].y = by->y;
    at->x[x].output_vc = w;
    at->x[x].sent = 0;
    at->x[x].slot_end = state->now;
    if (out->count == out->room) {
        out->room = out->room ? 2 * out->room : 8;
        out->at = realloc(out->at, out->room * sizeof *out->at);
        assert(out->at);
    }
    out->at[out->count++] = (leaving){.packet = packet, .vc = w};
    flit_move_pointers(state, at, x, by);
    note_hop(state, at, packet, way->port, w);
}

void flit_decide_router(flit_state *state, router *at)
{
    uint32_t count = 0;
    pick picks[FLIT_LINES] = {{.of = NULL}};
    assert(state->sides * state->config->input_speedup <= FLIT_LINES);
    if (state->config->managed)
        flit_drop(state, at);
    flit_each_front(state, at, collect, &count);
    if (state->config->managed)
        count = flit_give_way(state, at, state->request, count);
    if (count > 0)
        flit_match(state, at, state->request, count, picks);
    if (state->config->vc_stage) /* before anything is granted, from the same state */
        flit_allocate_vcs(state, at);
    for (uint32_t x = 0; count > 0 && x < state->sides * state->config->input_speedup; x++)
        if (picks[x].of)
            grant(state, at, x, &picks[x]);
}

/* The VCs that packets of a class may take from their endpoint. */
static uint32_t class_vcs(const flit_config *config, uint32_t class)
{
    return config->leveled ? 1u << config->vl[class] : (1u << config->vcs) - 1;
}

/* The next packet of a class at an endpoint, if it waits and finds a VC of a link; FLIT_NONE. */
static uint32_t find_waiting(const flit_state *state, uint32_t endpoint, uint32_t c,
                             const sender *link, uint32_t *w)
{
    const flit_config *config = state->config;
    size_t i = state->next[endpoint * config->classes + c];
    const flit_packet *who = &state->packets[lowest((uint32_t)i, (uint32_t)state->count - 1)];
    if (i >= state->count || who->source != endpoint || who->class != c || who->birth > state->now)
        return FLIT_NONE;
    *w = flit_choose_vc(state, link, class_vcs(config, c), flit_need(state, (uint32_t)i));
    return *w == FLIT_NONE ? FLIT_NONE : (uint32_t)i;
}

/* The class whose next packet an injection link takes: the longest waiting one that finds a VC, or
 * one of a given VC; FLIT_NONE. */
static uint32_t choose_class(const flit_state *state, uint32_t endpoint, const sender *link,
                             uint32_t vl)
{
    uint32_t best = FLIT_NONE, w;
    int64_t oldest = INT64_MAX;
    for (uint32_t c = 0; c < state->config->classes; c++) {
        uint32_t packet = find_waiting(state, endpoint, c, link, &w);
        if (packet != FLIT_NONE && (vl == FLIT_NONE || w == vl) &&
            state->packets[packet].birth < oldest) {
            best = c;
            oldest = state->packets[packet].birth;
        }
    }
    return best;
}

/* The same where links arbitrate among VLs, the VCs that packets would take. */
static uint32_t arbitrate(const flit_state *state, uint32_t endpoint, source *from)
{
    const flit_tables *by = &state->config->adapter_tables;
    bool asking[FLIT_VCS] = {false}, any = false;
    uint32_t w;
    int table, entry;
    for (uint32_t c = 0; c < state->config->classes; c++)
        if (find_waiting(state, endpoint, c, &from->link, &w) != FLIT_NONE)
            any = asking[w] = true;
    if (!any)
        return FLIT_NONE;
    uint32_t vl = flit_pick_vl(by, &from->turns, asking, &table, &entry);
    uint32_t c = choose_class(state, endpoint, &from->link, vl);
    uint32_t packet = (uint32_t)state->next[endpoint * state->config->classes + c];
    flit_charge(by, &from->turns, table, entry,
                state->packets[packet].flits * state->config->flit_bytes);
    return c;
}

static uint32_t take_class(const flit_state *state, uint32_t endpoint, source *from)
{
    if (from->busy)
        return FLIT_NONE;
    uint32_t management = state->config->managed ? state->config->vcs - 1 : FLIT_NONE;
    uint32_t first =
        state->config->managed ? choose_class(state, endpoint, &from->link, management) : FLIT_NONE;
    if (first != FLIT_NONE)
        return first;
    return state->config->adapters ? arbitrate(state, endpoint, from)
                                   : choose_class(state, endpoint, &from->link, FLIT_NONE);
}

void flit_decide_endpoint(flit_state *state, uint32_t endpoint)
{
    const flit_config *config = state->config;
    for (uint32_t k = 0; k < config->links; k++) {
        source *from = &state->source[endpoint * config->links + k];
        uint32_t c = take_class(state, endpoint, from);
        if (c == FLIT_NONE)
            continue;
        uint32_t packet = (uint32_t)state->next[endpoint * config->classes + c]++;
        int64_t need = flit_need(state, packet);
        uint32_t w = flit_choose_vc(state, &from->link, class_vcs(config, c), need);
        if (!flit_is_management(config, w))
            from->link.credits[w] -= need;
        from->busy = true;
        from->packet = packet;
        from->vc = w;
        from->sent = 0;
        from->link.slot_end = state->now;
        state->history[packet].injected = state->now;
        state->history[packet].link = k;
        state->history[packet].vc = w;
        state->injected++;
        state->moved = state->now;
    }
}
