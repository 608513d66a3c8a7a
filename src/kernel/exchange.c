/* SPDX-License-Identifier: Apache-2.0 */
/* Windows between processes. Every window, each pair of processes that share a border exchanges
 * one message each way, an empty one too: that it came proves that the other has finished the
 * window, and nothing else synchronises them.
 *
 * The message of window w leaves when all border blocks have finished w. Then they have also
 * taken what came for w − 1, so its buffer can receive w + 1. The other side sends w + 1 only
 * after it has our w. So two buffers a direction suffice, and so do two counters of unfinished
 * border blocks.
 *
 * The receiver must know how large a message may be: both sides derive the room of a buffer from
 * the messages it has held before. What does not fit follows in a second message. */
#include "kernel/exchange.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_LEAST ((size_t)4096)
enum { REQUEST_OUT, REQUEST_IN = 2, REQUEST_REST_OUT = 4, REQUEST_REST_IN, REQUESTS };

typedef struct header {
    uint32_t window, segments;
    uint64_t bytes; /* of the whole message, this header included */
} header;

struct segment { /* events to one block; those of all segments follow behind them */
    uint32_t block, count;
};

struct buffer {
    char *data;
    size_t room, taken; /* bytes: agreed with the other side, allocated */
};

typedef struct outlet {
    uint32_t block, slot;
} outlet;

struct peer {
    uint32_t rank, requests; /* first of its requests */
    uint32_t borders;        /* blocks of ours that border on it */
    uint32_t n_outlets;
    outlet *outlets;
    struct buffer out[2], in[2];
    uint64_t sent, asked;                   /* windows sent; messages asked for */
    _Alignas(128) _Atomic uint64_t arrived; /* messages that came */
    _Alignas(128) _Atomic uint32_t unfinished[2];
};

struct weft_exchange {
    weft_block *blocks; /* of this process, all of them */
    uint32_t n_blocks;
    bool timed;
    weft_comm *comm;
    uint32_t n_peers;
    struct peer *peers;
    uint64_t goal;
    _Alignas(128) atomic_flag busy; /* a thread is at it */
};

static struct peer *find_peer(weft_exchange *exchange, uint32_t rank)
{
    for (uint32_t p = 0; p < exchange->n_peers; p++)
        if (exchange->peers[p].rank == rank)
            return &exchange->peers[p];
    return NULL;
}

static bool knows(const weft_block *block, uint32_t p)
{
    for (uint32_t i = 0; i < block->n_peers; i++)
        if (block->peers[i] == p)
            return true;
    return false;
}

static void add_outlet(weft_exchange *exchange, uint32_t b, uint32_t slot, uint32_t rank)
{
    weft_block *block = &exchange->blocks[b];
    struct peer *peer = find_peer(exchange, rank);
    uint32_t p = (uint32_t)(peer - exchange->peers);
    peer->outlets = weft_realloc(peer->outlets, peer->n_outlets + 1, sizeof *peer->outlets);
    peer->outlets[peer->n_outlets++] = (outlet){.block = b, .slot = slot};
    if (knows(block, p))
        return;
    block->peers = weft_realloc(block->peers, block->n_peers + 1, sizeof *block->peers);
    block->peers[block->n_peers++] = p;
    peer->borders++;
}

/* How many others own a neighbour of ours; they are put into ranks (room for all), ascending. */
static uint32_t list_ranks(const weft_block *blocks, const weft_engine_plan *plan, uint32_t *ranks)
{
    bool *seen = weft_alloc(sizeof *seen * plan->comm->size);
    uint32_t count = 0;
    for (uint32_t b = 0; b < plan->n_blocks; b++)
        for (uint32_t s = 0; s < blocks[b].slots; s++)
            seen[plan->owner[blocks[b].neighbour[s]]] = true;
    for (uint32_t r = 0; r < plan->comm->size; r++)
        if (seen[r] && r != plan->comm->rank)
            ranks[count++] = r;
    free(seen);
    return count;
}

static void reserve(struct buffer *buffer, size_t bytes)
{
    if (buffer->taken >= bytes)
        return;
    buffer->data = weft_realloc(buffer->data, bytes, 1);
    buffer->taken = bytes;
}

static void open_peer(struct peer *peer, uint32_t rank, uint32_t number)
{
    *peer = (struct peer){.rank = rank, .requests = number * REQUESTS};
    for (int p = 0; p < 2; p++) {
        peer->out[p].room = peer->in[p].room = ROOM_LEAST;
        reserve(&peer->out[p], ROOM_LEAST);
        reserve(&peer->in[p], ROOM_LEAST);
    }
    atomic_init(&peer->arrived, 0);
}

weft_exchange *weft_exchange_create(weft_block *blocks, const weft_engine_plan *plan)
{
    weft_exchange *exchange = weft_region_create(sizeof *exchange);
    uint32_t *ranks = weft_alloc(sizeof *ranks * plan->comm->size);
    *exchange = (weft_exchange){
        .blocks = blocks, .n_blocks = plan->n_blocks, .timed = plan->timed, .comm = plan->comm};
    exchange->n_peers = list_ranks(blocks, plan, ranks);
    exchange->peers = weft_region_create(sizeof *exchange->peers * exchange->n_peers);
    for (uint32_t p = 0; p < exchange->n_peers; p++)
        open_peer(&exchange->peers[p], ranks[p], p);
    for (uint32_t b = 0; b < plan->n_blocks; b++)
        for (uint32_t s = 0; s < blocks[b].slots; s++) {
            uint32_t rank = plan->owner[blocks[b].neighbour[s]];
            if (rank != plan->comm->rank)
                add_outlet(exchange, b, s, rank);
        }
    for (uint32_t p = 0; p < exchange->n_peers; p++)
        for (int parity = 0; parity < 2; parity++)
            atomic_init(&exchange->peers[p].unfinished[parity], exchange->peers[p].borders);
    exchange->comm->kind->requests(exchange->comm, exchange->n_peers * REQUESTS);
    free(ranks);
    return exchange;
}

void weft_exchange_destroy(weft_exchange *exchange)
{
    if (!exchange)
        return;
    for (uint32_t p = 0; p < exchange->n_peers; p++) {
        struct peer *peer = &exchange->peers[p];
        for (int parity = 0; parity < 2; parity++) {
            free(peer->out[parity].data);
            free(peer->in[parity].data);
        }
        free(peer->outlets);
    }
    weft_region_destroy(exchange->peers, sizeof *exchange->peers * exchange->n_peers);
    weft_region_destroy(exchange, sizeof *exchange);
}

const _Atomic uint64_t *weft_exchange_arrived(const weft_exchange *exchange, uint32_t p)
{
    return &exchange->peers[p].arrived;
}

int64_t weft_exchange_bytes(const weft_exchange *exchange)
{
    size_t bytes = sizeof *exchange;
    for (uint32_t p = 0; p < exchange->n_peers; p++)
        for (int parity = 0; parity < 2; parity++)
            bytes += exchange->peers[p].out[parity].taken + exchange->peers[p].in[parity].taken;
    return (int64_t)bytes;
}

/* The room of a buffer after a message of so many bytes; the same on both sides. */
static size_t next_room(size_t room, size_t bytes)
{
    while (room < bytes + bytes / 4)
        room *= 2;
    return room;
}

/* Asks for the message of the next window before the sync point, once the last one has come (its
 * rest must not be taken for the next) and its buffer has been read. */
static void ask(weft_exchange *exchange, struct peer *peer)
{
    uint64_t arrived = atomic_load_explicit(&peer->arrived, memory_order_relaxed);
    if (peer->asked == exchange->goal || peer->asked > arrived || peer->asked > peer->sent)
        return;
    uint32_t parity = (uint32_t)(peer->asked & 1);
    struct buffer *in = &peer->in[parity];
    reserve(in, in->room);
    exchange->comm->kind->receive(exchange->comm, peer->requests + REQUEST_IN + parity, peer->rank,
                                  in->data, in->room);
    peer->asked++;
}

void weft_exchange_begin(weft_exchange *exchange, uint64_t goal)
{
    exchange->goal = goal;
    for (uint32_t p = 0; p < exchange->n_peers; p++)
        ask(exchange, &exchange->peers[p]);
}

static void wait_request(weft_exchange *exchange, uint32_t request)
{
    while (!exchange->comm->kind->finished(exchange->comm, request))
        ;
}

/* Packs the outboxes that lead to this peer and leaves them empty; returns the bytes. */
static size_t pack(weft_exchange *exchange, struct peer *peer, uint32_t parity)
{
    weft_block *blocks = exchange->blocks;
    size_t events = 0, segments = 0;
    for (uint32_t o = 0; o < peer->n_outlets; o++) {
        uint32_t count =
            blocks[peer->outlets[o].block].outbox[parity][peer->outlets[o].slot].n_events;
        events += count;
        segments += count > 0;
    }
    struct buffer *out = &peer->out[parity];
    size_t bytes = sizeof(header) + segments * sizeof(struct segment) + events * sizeof(weft_event);
    reserve(out, bytes);
    *(header *)(void *)out->data =
        (header){.window = (uint32_t)peer->sent, .segments = (uint32_t)segments, .bytes = bytes};
    struct segment *segment = (struct segment *)(void *)(out->data + sizeof(header));
    char *at = (char *)(segment + segments);
    for (uint32_t o = 0; segments && o < peer->n_outlets; o++) {
        weft_block *block = &blocks[peer->outlets[o].block];
        weft_outbox *box = &block->outbox[parity][peer->outlets[o].slot];
        if (box->n_events == 0)
            continue;
        *segment++ = (struct segment){.block = block->neighbour[peer->outlets[o].slot],
                                      .count = box->n_events};
        memcpy(at, box->events, sizeof(weft_event) * box->n_events);
        at += sizeof(weft_event) * box->n_events;
        box->n_events = 0;
    }
    return bytes;
}

/* Sends the window all border blocks have finished. */
static size_t send(weft_exchange *exchange, struct peer *peer)
{
    const weft_comm_kind *kind = exchange->comm->kind;
    uint32_t parity = (uint32_t)(peer->sent & 1), request = peer->requests + REQUEST_OUT + parity;
    struct buffer *out = &peer->out[parity];
    wait_request(exchange,
                 request); /* it was finished when our peer took the window before the last */
    size_t bytes = pack(exchange, peer, parity), first = bytes < out->room ? bytes : out->room;
    kind->send(exchange->comm, request, peer->rank, out->data, first);
    if (first < bytes) {
        wait_request(exchange, peer->requests + REQUEST_REST_OUT);
        kind->send(exchange->comm, peer->requests + REQUEST_REST_OUT, peer->rank, out->data + first,
                   bytes - first);
    }
    out->room = next_room(out->room, bytes);
    atomic_store_explicit(&peer->unfinished[parity], peer->borders, memory_order_relaxed);
    peer->sent++;
    return bytes;
}

static void deliver(weft_post *post, const weft_event *events, uint32_t count)
{
    if (post->n_bundles == post->room) {
        post->room = post->room ? 2 * post->room : 8;
        post->bundles = weft_realloc(post->bundles, post->room, sizeof *post->bundles);
    }
    post->bundles[post->n_bundles++] = (weft_bundle){.events = events, .n_events = count};
}

/* A message has come: its events are shown to their blocks. */
static void take(weft_exchange *exchange, struct peer *peer, uint64_t window)
{
    uint32_t parity = (uint32_t)(window & 1);
    struct buffer *in = &peer->in[parity];
    size_t bytes = ((const header *)(const void *)in->data)->bytes;
    if (bytes > in->room) {
        uint32_t request = peer->requests + REQUEST_REST_IN;
        reserve(in, bytes);
        exchange->comm->kind->receive(exchange->comm, request, peer->rank, in->data + in->room,
                                      bytes - in->room);
        wait_request(exchange, request);
    }
    in->room = next_room(in->room, bytes);
    const header *head = (const header *)(const void *)in->data;
    assert(head->window == (uint32_t)window);
    const struct segment *segment = (const struct segment *)(const void *)(in->data + sizeof *head);
    const weft_event *events = (const weft_event *)(const void *)(segment + head->segments);
    for (uint32_t s = 0; s < head->segments; s++) {
        uint32_t b = weft_block_find(exchange->blocks, exchange->n_blocks, segment[s].block);
        assert(b < exchange->n_blocks);
        deliver(&exchange->blocks[b].post[parity], events, segment[s].count);
        events += segment[s].count;
    }
    atomic_store_explicit(&peer->arrived, window + 1, memory_order_release);
}

void weft_exchange_finished(weft_exchange *exchange, const weft_block *block, uint64_t w)
{
    for (uint32_t i = 0; i < block->n_peers; i++)
        atomic_fetch_sub_explicit(&exchange->peers[block->peers[i]].unfinished[w & 1], 1,
                                  memory_order_acq_rel);
}

static size_t serve(weft_exchange *exchange, struct peer *peer)
{
    size_t sent = 0;
    uint64_t arrived = atomic_load_explicit(&peer->arrived, memory_order_relaxed);
    if (peer->sent < exchange->goal &&
        atomic_load_explicit(&peer->unfinished[peer->sent & 1], memory_order_acquire) == 0)
        sent = send(exchange, peer);
    if (arrived < peer->asked &&
        exchange->comm->kind->finished(exchange->comm,
                                       peer->requests + REQUEST_IN + (uint32_t)(arrived & 1)))
        take(exchange, peer, arrived);
    ask(exchange, peer);
    return sent;
}

void weft_exchange_progress(weft_exchange *exchange, weft_engine_times *times)
{
    if (atomic_flag_test_and_set_explicit(&exchange->busy, memory_order_acquire))
        return;
    double began = exchange->timed ? weft_clock() : 0;
    for (uint32_t p = 0; p < exchange->n_peers; p++)
        times->sent_bytes += serve(exchange, &exchange->peers[p]);
    if (exchange->timed)
        times->exchange_s += weft_clock() - began;
    atomic_flag_clear_explicit(&exchange->busy, memory_order_release);
}

static bool quiet(weft_exchange *exchange)
{
    for (uint32_t p = 0; p < exchange->n_peers; p++) {
        struct peer *peer = &exchange->peers[p];
        if (peer->sent < exchange->goal ||
            atomic_load_explicit(&peer->arrived, memory_order_relaxed) < exchange->goal)
            return false;
        for (uint32_t parity = 0; parity < 2; parity++)
            if (!exchange->comm->kind->finished(exchange->comm,
                                                peer->requests + REQUEST_OUT + parity))
                return false;
        if (!exchange->comm->kind->finished(exchange->comm, peer->requests + REQUEST_REST_OUT))
            return false;
    }
    return true;
}

void weft_exchange_drain(weft_exchange *exchange, weft_engine_times *times)
{
    while (!quiet(exchange))
        weft_exchange_progress(exchange, times);
}

weft_time weft_exchange_least(weft_exchange *exchange, weft_time number)
{
    weft_comm *comm = exchange->comm;
    int64_t *all = weft_alloc(sizeof *all * comm->size);
    all[comm->rank] = number;
    comm->kind->sum(comm, all, comm->size);
    weft_time least = number;
    for (uint32_t r = 0; r < comm->size; r++)
        least = all[r] < least ? all[r] : least;
    free(all);
    return least;
}
