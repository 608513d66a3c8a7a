/* SPDX-License-Identifier: Apache-2.0 */
/* How flits move. In every tick: what is due arrives (settle), routers and endpoints decide
 * (flit_decide.c), flits whose turn it is leave their buffers (leave), and what takes no time at
 * all arrives too (settle again).
 *
 * Asserted: a flit that is to leave is there; a buffer never holds more than it may; a link that
 * is to carry a flit is free and, without output buffers, takes it at once; flits of a packet
 * stay in order; credits come back to full. */
#include "reference/flit_decide.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define STUCK 10000 /* ticks without any decision or delivery */

static void *room_for(void *at, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return at;
    *room = *room ? 2 * *room : 8;
    at = realloc(at, *room * size);
    assert(at);
    return at;
}

static void put(wire *on, item what)
{
    assert(on->first == on->end || on->at[on->end - 1].due <= what.due);
    if (on->end == on->room && on->first > on->room / 2) {
        memmove(on->at, on->at + on->first, (on->end - on->first) * sizeof *on->at);
        on->end -= on->first;
        on->first = 0;
    }
    on->at = room_for(on->at, on->end, &on->room, sizeof *on->at);
    on->at[on->end++] = what;
}

static bool take(wire *on, int64_t now, item *what)
{
    if (on->first == on->end || on->at[on->first].due > now)
        return false;
    *what = on->at[on->first++];
    return true;
}

static uint32_t held_in(const flit_state *state, const vc *of)
{
    uint32_t held = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        const resident *who = &of->at[i];
        bool some_here = who->left < state->packets[who->packet].flits;
        held += state->config->in_packets ? some_here : who->arrived - who->left;
    }
    return held;
}

/* Does the buffer of this input hold what it may? Each VC has its own part, what exceeds it is
 * in the pool. */
static void check_buffers(const flit_state *state, const input *in)
{
    int64_t pooled = 0;
    for (uint32_t v = 0; v < state->config->vcs - state->config->managed; v++) {
        uint32_t held = held_in(state, &in->vc[v]);
        if (held > state->config->buffer)
            pooled += held - state->config->buffer;
    }
    assert(pooled <= state->config->shared);
}

/* A flit comes into the buffer of its VC, behind the flits of its packet that are there. */
static void arrive(const flit_state *state, input *in, item flit)
{
    vc *into = &in->vc[flit.vc];
    if (flit.index == 0) {
        into->at = room_for(into->at, into->count, &into->room, sizeof *into->at);
        into->at[into->count++] = (resident){.packet = flit.packet,
                                             .head = flit.due,
                                             .tail = -1,
                                             .queue = state->config->voq ? FLIT_NONE : 0,
                                             .own = FLIT_NONE};
    }
    resident *who = into->at + into->count;
    do
        assert(who > into->at);
    while ((--who)->packet != flit.packet);
    assert(who->arrived == flit.index);
    who->arrived++;
    if (who->arrived == state->packets[flit.packet].flits)
        who->tail = flit.due;
    check_buffers(state, in);
}

/* The last flit of a packet has crossed: line, buffer and VC are free. */
static void finish(flit_state *state, router *at, uint32_t x)
{
    line *by = &at->x[x];
    input *in = &at->input[x / state->config->input_speedup];
    vc *from = &in->vc[by->vc];
    uint32_t i = 0;
    while (from->at[i].packet != by->packet)
        i++;
    assert(i < from->count && from->at[i].left == state->packets[by->packet].flits);
    from->vacated[from->at[i].queue] = by->slot_end;
    memmove(from->at + i, from->at + i + 1, (--from->count - i) * sizeof *from->at);
    if (by->output_vc != FLIT_NONE)
        at->output[by->y / state->config->output_speedup].owned[by->output_vc] = false;
    assert(at->y[by->y].busy);
    at->y[by->y].busy = false;
    by->busy = false;
}

static void settle_crossbar(flit_state *state, router *at)
{
    uint32_t lines = state->sides * state->config->input_speedup;
    for (uint32_t x = 0; x < lines; x++) {
        const line *by = &at->x[x];
        if (by->busy && by->sent == state->packets[by->packet].flits && state->now >= by->slot_end)
            finish(state, at, x);
    }
}

/* Flits that have crossed stand before the link, packet behind packet. */
static void cross(const flit_state *state, output *out)
{
    item flit;
    while (take(&out->inside, state->now, &flit)) {
        uint32_t i = 0;
        while (out->at[i].packet != flit.packet)
            i++;
        assert(i < out->count && out->at[i].entered == flit.index);
        out->at[i].entered++;
        uint32_t held = 0;
        for (i = 0; i < out->count; i++)
            held += out->at[i].entered - out->at[i].sent;
        assert(held <= (state->config->output_buffer ? state->config->output_buffer : 1));
    }
}

static void settle_output(flit_state *state, output *out)
{
    cross(state, out);
    while (out->count > 0 && state->now >= out->link.slot_end) {
        leaving *front = out->at;
        if (front->sent == state->packets[front->packet].flits) {
            memmove(out->at, out->at + 1, --out->count * sizeof *out->at);
            continue;
        }
        if (front->entered == front->sent)
            return;
        put(&out->link.flits, (item){.due = state->now + out->latency,
                                     .packet = front->packet,
                                     .index = front->sent++,
                                     .vc = front->vc});
        out->link.slot_end = state->now + out->period;
    }
}

/* At the end of a tick: a packet whose link is idle has not begun (it never runs dry), and
 * without output buffers nothing waits before a link. */
static void check_output(const flit_state *state, const output *out)
{
    if (out->count > 0 && state->now >= out->link.slot_end)
        assert(out->at->sent == 0 || out->at->sent == state->packets[out->at->packet].flits);
    for (uint32_t i = 0; i < out->count && state->config->output_buffer == 0; i++)
        assert(out->at[i].entered == out->at[i].sent);
}

static void deliver(flit_state *state, item flit)
{
    if (flit.index + 1 < state->packets[flit.packet].flits)
        return;
    flit_history *history = &state->history[flit.packet];
    assert(history->delivered < 0);
    history->delivered = flit.due;
    state->delivered++;
    state->moved = state->now;
}

/* What has reached the far end of an output's link. */
static void settle_link(flit_state *state, const router *at, uint32_t o)
{
    const flit_config *config = state->config;
    item flit;
    while (take(&at->output[o].link.flits, state->now, &flit))
        if (o < config->ports) {
            flit_end end = config->peer[at->number * config->ports + o];
            arrive(state, &state->router[end.router].input[end.port], flit);
        } else {
            uint32_t host = (o - config->ports) / config->links;
            assert(state->packets[flit.packet].destination == at->number * config->hosts + host);
            deliver(state, flit);
        }
}

static sender *upstream(const flit_state *state, uint32_t number, uint32_t i)
{
    const flit_config *config = state->config;
    if (i >= config->ports)
        return &state->source[number * config->hosts * config->links + i - config->ports].link;
    flit_end end = config->peer[number * config->ports + i];
    return &state->router[end.router].output[end.port].link;
}

static void settle_credits(const flit_state *state, const router *at, uint32_t i)
{
    item credit;
    while (take(&at->input[i].credits, state->now, &credit)) {
        sender *to = upstream(state, at->number, i);
        to->credits[credit.vc]++;
        assert(to->credits[credit.vc] <= state->config->buffer);
    }
}

static void settle_pauses(const flit_state *state, const router *at, uint32_t i)
{
    item told;
    while (take(&at->input[i].pauses, state->now, &told))
        upstream(state, at->number, i)->paused[told.vc] = told.index;
}

/* At the end of a tick: what a buffer holds now is told to who sends here. */
static void tell_pauses(const flit_state *state, input *in)
{
    const flit_config *config = state->config;
    for (uint32_t v = 0; v < config->vcs; v++) {
        uint32_t held = held_in(state, &in->vc[v]);
        bool *pausing = &in->pausing[v];
        if (config->greatest && held > *config->greatest)
            *config->greatest = held;
        if (*pausing ? held > config->xon : held < config->xoff)
            continue;
        *pausing = !*pausing;
        put(&in->pauses, (item){.due = state->now + in->delay, .vc = v, .index = *pausing});
    }
}

static void settle_source(flit_state *state, uint32_t number)
{
    const flit_config *config = state->config;
    uint32_t ends = config->hosts * config->links;
    source *from = &state->source[number];
    item flit;
    if (from->busy && from->sent == state->packets[from->packet].flits &&
        state->now >= from->link.slot_end)
        from->busy = false;
    while (take(&from->link.flits, state->now, &flit))
        arrive(state, &state->router[number / ends].input[config->ports + number % ends], flit);
}

static uint32_t source_count(const flit_config *config)
{
    return config->routers * config->hosts * config->links;
}

static void settle(flit_state *state)
{
    for (uint32_t r = 0; r < state->config->routers; r++) {
        router *at = &state->router[r];
        settle_crossbar(state, at);
        for (uint32_t o = 0; o < state->sides; o++) {
            settle_output(state, &at->output[o]);
            settle_link(state, at, o);
            settle_credits(state, at, o); /* of the input of the same number … */
            settle_pauses(state, at, o);  /* … and so these */
        }
    }
    for (uint32_t s = 0; s < source_count(state->config); s++)
        settle_source(state, s);
}

/* The next flit of the packet that crosses by this line leaves its buffer, and its room becomes
 * a credit. */
static void leave(const flit_state *state, router *at, uint32_t x)
{
    line *by = &at->x[x];
    input *in = &at->input[x / state->config->input_speedup];
    output *out = &at->output[by->y / state->config->output_speedup];
    uint32_t flits = state->packets[by->packet].flits;
    if (!by->busy || by->sent == flits || state->now < by->slot_end)
        return;
    resident *who = in->vc[by->vc].at;
    while (who->packet != by->packet)
        who++;
    assert(who->arrived > who->left); /* no under-run */
    who->left++;
    put(&out->inside, (item){.due = state->now + state->config->crossbar,
                             .packet = by->packet,
                             .index = by->sent++});
    by->slot_end = state->now + flit_crossbar_period(state, out);
    bool whole = !state->config->in_packets || by->sent == flits;
    if (whole && !flit_is_management(state->config, by->vc))
        put(&in->credits, (item){.due = state->now + in->delay, .vc = by->vc});
}

/* The link of a port, or behind all ports that of a host. */
static flit_link link_at(const flit_config *config, uint32_t number, uint32_t i)
{
    if (config->single)
        return config->single[number * (config->ports + config->hosts) + i];
    return i < config->ports ? (flit_link){config->period[i], config->latency[i]}
                             : (flit_link){config->host_period, config->host_latency};
}

static void send(const flit_state *state, source *from)
{
    const flit_config *config = state->config;
    if (!from->busy || from->sent == state->packets[from->packet].flits ||
        state->now < from->link.slot_end)
        return;
    uint32_t endpoint = (uint32_t)(from - state->source) / config->links;
    flit_link link =
        link_at(config, endpoint / config->hosts, config->ports + endpoint % config->hosts);
    put(&from->link.flits, (item){.due = state->now + config->send + link.latency,
                                  .packet = from->packet,
                                  .index = from->sent++,
                                  .vc = from->vc});
    from->link.slot_end = state->now + link.period;
}

static void tick(flit_state *state)
{
    const flit_config *config = state->config;
    settle(state);
    for (uint32_t r = 0; r < config->routers; r++)
        flit_decide_router(state, &state->router[r]);
    for (uint32_t e = 0; e < config->routers * config->hosts; e++)
        flit_decide_endpoint(state, e);
    for (uint32_t r = 0; r < config->routers; r++)
        for (uint32_t x = 0; x < state->sides * config->input_speedup; x++)
            leave(state, &state->router[r], x);
    for (uint32_t s = 0; s < source_count(config); s++)
        send(state, &state->source[s]);
    settle(state);
    for (uint32_t r = 0; r < config->routers; r++)
        for (uint32_t o = 0; o < state->sides; o++) {
            check_output(state, &state->router[r].output[o]);
            if (config->pause)
                tell_pauses(state, &state->router[r].input[o]);
        }
}

static void fill(const flit_state *state, sender *link)
{
    for (uint32_t v = 0; v < state->config->vcs; v++)
        link->credits[v] = state->config->buffer;
    link->slot_end = INT64_MIN;
}

static void open_side(const flit_state *state, router *at, uint32_t i)
{
    const flit_config *config = state->config;
    input *in = &at->input[i];
    output *out = &at->output[i];
    bool inner = i < config->ports;
    uint32_t place = inner ? i : config->ports + (i - config->ports) / config->links;
    flit_link link = link_at(config, at->number, place);
    out->period = in->period = link.period;
    out->latency = link.latency;
    in->delay = config->credit >= 0 ? config->credit : out->latency + 1;
    assert(in->delay >= 1 && out->period % config->speedup == 0);
    fill(state, &out->link);
    for (uint32_t v = 0; v < config->vcs; v++) {
        in->vc[v].vacated = malloc(state->sides * sizeof(int64_t));
        assert(in->vc[v].vacated);
        for (uint32_t q = 0; q < state->sides; q++)
            in->vc[v].vacated[q] = INT64_MIN / 2;
    }
}

static void *zeroed(size_t count, size_t size)
{
    void *at = calloc(count ? count : 1, size);
    assert(at);
    return at;
}

static void open_router(const flit_state *state, uint32_t number)
{
    router *at = &state->router[number];
    *at = (router){
        .number = number,
        .input = zeroed(state->sides, sizeof *at->input),
        .output = zeroed(state->sides, sizeof *at->output),
        .x = zeroed(state->sides * state->config->input_speedup, sizeof *at->x),
        .y = zeroed(state->sides * state->config->output_speedup, sizeof *at->y),
    };
    for (uint32_t i = 0; i < state->sides; i++)
        open_side(state, at, i);
    for (uint32_t y = 0; y < state->sides * state->config->output_speedup; y++)
        flit_start_turns(&state->config->tables, &at->y[y].turns);
}

/* Where every source's and class's packets begin among all of them. */
static void find_first(flit_state *state)
{
    const flit_config *config = state->config;
    size_t i = 0;
    for (uint32_t e = 0; e < config->routers * config->hosts; e++)
        for (uint32_t c = 0; c < config->classes; c++) {
            state->next[e * config->classes + c] = i;
            while (i < state->count && state->packets[i].source == e &&
                   state->packets[i].class == c)
                i++;
        }
    assert(i == state->count);
}

static void open_state(flit_state *state)
{
    const flit_config *config = state->config;
    uint32_t endpoints = config->routers * config->hosts;
    assert(config->vcs <= FLIT_VCS && config->ports <= FLIT_PORTS);
    state->sides = config->ports + config->hosts * config->links;
    state->router = zeroed(config->routers, sizeof *state->router);
    state->source = zeroed(source_count(config), sizeof *state->source);
    state->next = zeroed((size_t)endpoints * config->classes, sizeof *state->next);
    state->now_at = zeroed(state->count, sizeof *state->now_at);
    if (state->count)
        memcpy(state->now_at, state->packets, state->count * sizeof *state->now_at);
    for (uint32_t r = 0; r < config->routers; r++)
        open_router(state, r);
    for (uint32_t s = 0; s < source_count(config); s++) {
        fill(state, &state->source[s].link);
        flit_start_turns(&state->config->adapter_tables, &state->source[s].turns);
    }
    for (size_t i = 0; i < state->count; i++)
        state->history[i] = (flit_history){.injected = -1, .delivered = -1};
    find_first(state);
}

static void close_router(const flit_state *state, const router *at)
{
    for (uint32_t i = 0; i < state->sides; i++) {
        for (uint32_t v = 0; v < state->config->vcs; v++) {
            free(at->input[i].vc[v].at);
            free(at->input[i].vc[v].vacated);
        }
        free(at->input[i].credits.at);
        free(at->input[i].pauses.at);
        free(at->output[i].inside.at);
        free(at->output[i].link.flits.at);
        free(at->output[i].at);
    }
    free(at->input);
    free(at->output);
    free(at->x);
    free(at->y);
}

static void close_state(flit_state *state)
{
    for (uint32_t r = 0; r < state->config->routers; r++)
        close_router(state, &state->router[r]);
    for (uint32_t s = 0; s < source_count(state->config); s++)
        free(state->source[s].link.flits.at);
    free(state->router);
    free(state->source);
    free(state->next);
    free(state->now_at);
    free(state->request);
}

/* All packets have arrived: nothing is left anywhere, and every credit has come back. */
static void check_drained(flit_state *state)
{
    const flit_config *config = state->config;
    state->now = INT64_MAX / 2;
    settle(state);
    for (uint32_t r = 0; r < config->routers; r++)
        for (uint32_t i = 0; i < state->sides; i++)
            for (uint32_t v = 0; v < config->vcs; v++) {
                assert(state->router[r].input[i].vc[v].count == 0);
                assert(state->router[r].output[i].link.credits[v] == config->buffer);
                assert(!state->router[r].output[i].owned[v]);
            }
    for (uint32_t s = 0; s < source_count(config); s++)
        for (uint32_t v = 0; v < config->vcs; v++)
            assert(state->source[s].link.credits[v] == config->buffer);
}

int64_t flit_run(const flit_config *config, const flit_packet *packets, size_t count, int64_t most,
                 flit_history *histories)
{
    flit_state state = {.config = config, .packets = packets, .count = count, .history = histories};
    open_state(&state);
    int64_t last = -1;
    while (state.delivered < count && state.now <= most && state.now - state.moved < STUCK) {
        tick(&state);
        last = state.now++;
        if (state.injected == state.delivered) /* nobody waits for anything but the next message */
            state.moved = state.now;
    }
    bool drained = state.delivered == count;
    if (drained)
        check_drained(&state);
    close_state(&state);
    return drained ? last : -1;
}
