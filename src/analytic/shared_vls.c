/* SPDX-License-Identifier: Apache-2.0 */
/* States are numbered in the order in which they are found, from the empty port on: neighbours are
 * near each other. A state is one word, 12 bits for each class: packets, then shared VLs. */
#include "analytic/shared_vls.h"

#include "analytic/chain.h"
#include "analytic/ge_queue.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

#define STATES_MOST 40000
#define SLOTS       (1u << 17) /* of the hash table: over three times as many */
#define CLASS_BITS  12
#define VL_BITS     4

typedef struct place { /* a state, unpacked */
    uint32_t packets[WEFT_SHARED_CLASSES_MAX], vls[WEFT_SHARED_CLASSES_MAX];
} place;

typedef struct map {
    const weft_shared_vls *port;
    uint64_t *words; /* of the states found so far */
    uint32_t *slots; /* 1 + state, by the hash of its word; 0: empty */
    uint32_t count;
    weft_chain chain;
} map;

static uint64_t pack(const weft_shared_vls *port, const place *at)
{
    uint64_t word = 0;
    for (uint32_t c = 0; c < port->classes; c++)
        word |= (uint64_t)(at->packets[c] << VL_BITS | at->vls[c]) << (CLASS_BITS * c);
    return word;
}

static place unpack(const weft_shared_vls *port, uint64_t word)
{
    place at = {{0}, {0}};
    for (uint32_t c = 0; c < port->classes; c++) {
        uint32_t part = (uint32_t)(word >> (CLASS_BITS * c)) & ((1u << CLASS_BITS) - 1);
        at.packets[c] = part >> VL_BITS;
        at.vls[c] = part & ((1u << VL_BITS) - 1);
    }
    return at;
}

/* The number of a state, a new one if it was not known. Where there are too many it is that of the
 * empty port: the chain is refused then. */
static uint32_t number(map *m, const place *at)
{
    uint64_t word = pack(m->port, at);
    uint32_t slot = (uint32_t)(word * 0x9e3779b97f4a7c15u >> 40) & (SLOTS - 1);
    for (; m->slots[slot]; slot = (slot + 1) & (SLOTS - 1))
        if (m->words[m->slots[slot] - 1] == word)
            return m->slots[slot] - 1;
    if (m->count == STATES_MOST)
        return 0;
    m->words[m->count++] = word;
    m->slots[slot] = m->count;
    m->chain.states = m->count;
    return m->count - 1;
}

static uint32_t level(const weft_shared_vls *port, uint32_t packets)
{
    uint32_t reached = 0;
    while (reached < port->thresholds && packets >= port->threshold[reached])
        reached++;
    return reached;
}

static uint32_t kept(const weft_shared_vls *port, uint32_t packets, uint32_t vls)
{
    if (port->keep)
        return packets > 0 ? vls : 0;
    uint32_t reached = level(port, packets);
    return reached < vls ? reached : vls;
}

/* After a change: VLs are given back, and taken by those that wait. */
static void deal(const weft_shared_vls *port, place *at)
{
    uint32_t idle = port->shared;
    for (uint32_t c = 0; c < port->classes; c++) {
        at->vls[c] = kept(port, at->packets[c], at->vls[c]);
        idle -= at->vls[c];
    }
    for (uint32_t c = 0; c < port->classes; c++)
        for (; idle > 0 && at->vls[c] < level(port, at->packets[c]); idle--)
            at->vls[c]++;
}

static bool full(const weft_shared_vls *port, const place *at, uint32_t c)
{
    return at->packets[c] >= port->room * (at->vls[c] + 1);
}

/* The rate of batches of which a packet stays; those that need no service leave an empty server
 * at once. */
static double batches(const weft_shared_vls *port, const place *at, uint32_t c)
{
    double sigma = weft_ge_sigma(port->ca2[c]), r = weft_ge_sigma(port->cs2);
    double rate = sigma * port->lambda[c];
    return at->packets[c] > 0 ? rate : rate * r / (r * (1 - sigma) + sigma);
}

/* A batch comes packet by packet; `left` is the rate of those that have come so far. Each ends a
 * batch with probability σ; once one is lost so is the rest. Returns the packets lost per unit of
 * time. m: NULL if only these are asked for. */
static double add_batches(map *m, const weft_shared_vls *port, uint32_t from, place at, uint32_t c)
{
    double sigma = weft_ge_sigma(port->ca2[c]), left = batches(port, &at, c);
    while (!full(port, &at, c) && left > 0) {
        at.packets[c]++;
        deal(port, &at);
        double ends = full(port, &at, c) ? left : sigma * left;
        if (m)
            weft_chain_add(&m->chain, from, number(m, &at), ends);
        left -= sigma * left;
    }
    return left / sigma;
}

/* One leaves, and those behind it that need no service. */
static void add_departures(map *m, uint32_t from, place at, uint32_t c)
{
    const weft_shared_vls *port = m->port;
    double r = weft_ge_sigma(port->cs2), left = r * port->mu[at.vls[c]];
    uint32_t vls[WEFT_SHARED_CLASSES_MAX];
    for (uint32_t k = 0; k < port->classes; k++)
        vls[k] = at.vls[k];
    while (at.packets[c] > 0 && left > 0) {
        place after = at;
        after.packets[c] = --at.packets[c];
        for (uint32_t k = 0; k < port->classes; k++)
            after.vls[k] = vls[k];
        deal(port, &after);
        double stays = at.packets[c] > 0 ? r * left : left;
        weft_chain_add(&m->chain, from, number(m, &after), stays);
        left -= stays;
    }
}

static weft_status explore(map *m, weft_error *err)
{
    const weft_shared_vls *port = m->port;
    const place empty = {{0}, {0}};
    (void)number(m, &empty);
    for (uint32_t from = 0; from < m->count && m->count < STATES_MOST; from++) {
        place at = unpack(port, m->words[from]);
        for (uint32_t c = 0; c < port->classes; c++) {
            (void)add_batches(m, port, from, at, c);
            if (at.packets[c] > 0)
                add_departures(m, from, at, c);
        }
    }
    if (m->count < STATES_MOST)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "room: the chain would have %d states or more; take less room, fewer classes "
                     "or fewer thresholds",
                     STATES_MOST);
}

static void measure(const map *m, const double *p, weft_shared_class *found)
{
    const weft_shared_vls *port = m->port;
    for (uint32_t s = 0; s < m->count; s++) {
        place at = unpack(port, m->words[s]);
        for (uint32_t c = 0; c < port->classes; c++) {
            bool busy = at.packets[c] > 0;
            found[c].packets += p[s] * at.packets[c];
            found[c].utilisation += busy ? p[s] : 0;
            found[c].served += busy ? p[s] * port->mu[at.vls[c]] : 0;
            found[c].waits += level(port, at.packets[c]) > at.vls[c] ? p[s] : 0;
            found[c].holds += p[s] * at.vls[c];
            found[c].loss += p[s] * add_batches(NULL, port, s, at, c) / port->lambda[c];
        }
    }
}

weft_status weft_shared_vls_solve(const weft_shared_vls *port, weft_shared_class *found,
                                  uint32_t *states, weft_error *err)
{
    assert(port->classes > 0 && port->classes <= WEFT_SHARED_CLASSES_MAX);
    assert(port->room * (port->thresholds + 1) <= WEFT_SHARED_ROOM_MAX);
    map m = {.port = port,
             .words = weft_alloc(STATES_MOST * sizeof *m.words),
             .slots = weft_alloc(SLOTS * sizeof *m.slots)};
    weft_chain_init(&m.chain, 1);
    weft_status status = explore(&m, err);
    double *p = weft_alloc(m.count * sizeof *p);
    for (uint32_t c = 0; c < port->classes; c++)
        found[c] = (weft_shared_class){.packets = 0};
    if (status == WEFT_OK)
        status = weft_chain_solve(&m.chain, WEFT_CHAIN_AUTO, p, err);
    if (status == WEFT_OK)
        measure(&m, p, found);
    *states = m.count;
    free(p);
    free(m.words);
    free(m.slots);
    weft_chain_done(&m.chain);
    return status;
}
