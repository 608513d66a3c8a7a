/* SPDX-License-Identifier: Apache-2.0 */
/* The connections of a link are an open hash table of twice as many slots at least; a removal moves
 * later ones of its run back, so there are no tombstones. */
#include "sched/admission.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

#define SLOTS_MIN 16

void weft_admission_init(weft_admission *admission, uint32_t n_links, bool inclusive)
{
    *admission = (weft_admission){.inclusive = inclusive,
                                  .n_links = n_links,
                                  .links = weft_alloc(sizeof *admission->links * n_links)};
}

void weft_admission_done(weft_admission *admission)
{
    for (uint32_t l = 0; l < admission->n_links; l++)
        free(admission->links[l].connections);
    free(admission->links);
    *admission = (weft_admission){0};
}

/* ---- connections of a link ---- */

static size_t home_of(const weft_admission_link *link, uint64_t number)
{
    return (size_t)(number * 0x9e3779b97f4a7c15u >> 32) & (link->n_slots - 1);
}

/* The slot of a connection, or the empty one where it would be. */
static size_t slot_of(const weft_admission_link *link, uint64_t number)
{
    size_t slot = home_of(link, number);
    while (link->connections[slot].number != 0 && link->connections[slot].number != number)
        slot = (slot + 1) & (link->n_slots - 1);
    return slot;
}

const weft_connection *weft_admission_find(const weft_admission_link *link, uint64_t number)
{
    if (link->n_slots == 0)
        return NULL;
    const weft_connection *found = &link->connections[slot_of(link, number)];
    return found->number == number ? found : NULL;
}

static void grow(weft_admission_link *link)
{
    weft_connection *old = link->connections;
    size_t n_old = link->n_slots;
    if (2 * (link->n_connections + 1) <= n_old)
        return;
    link->n_slots = n_old ? 2 * n_old : SLOTS_MIN;
    link->connections = weft_alloc(sizeof *link->connections * link->n_slots);
    for (size_t i = 0; i < n_old; i++)
        if (old[i].number != 0)
            link->connections[slot_of(link, old[i].number)] = old[i];
    free(old);
}

static void insert(weft_admission_link *link, const weft_connection *connection)
{
    grow(link);
    link->connections[slot_of(link, connection->number)] = *connection;
    link->n_connections++;
}

static void remove_slot(weft_admission_link *link, size_t hole)
{
    size_t mask = link->n_slots - 1;
    for (size_t i = (hole + 1) & mask; link->connections[i].number != 0; i = (i + 1) & mask) {
        size_t home = home_of(link, link->connections[i].number);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            link->connections[hole] = link->connections[i];
            hole = i;
        }
    }
    link->connections[hole] = (weft_connection){0};
    link->n_connections--;
}

/* ---- one link ---- */

static bool fits(bool inclusive, int64_t used, int64_t more, int64_t most)
{
    return inclusive ? more <= most - used : more < most - used;
}

static weft_admission_verdict judge(const weft_admission *admission,
                                    const weft_admission_link *link, const weft_connection *asked)
{
    if (asked->bandwidth <= 0 || asked->sl >= WEFT_SLS || asked->number == 0)
        return WEFT_REFUSED_INVALID;
    if (!fits(admission->inclusive, link->pool_used[asked->sl], asked->bandwidth,
              link->pool[asked->sl]))
        return WEFT_REFUSED_POOL;
    if (!fits(admission->inclusive, link->used, asked->bandwidth, link->capacity))
        return WEFT_REFUSED_LINK;
    return WEFT_ADMITTED;
}

static uint64_t weight_of(const weft_admission_link *link, int64_t bandwidth)
{
    return (uint64_t)((bandwidth - 1) / link->weight_unit + 1);
}

weft_admission_verdict weft_admission_reserve(weft_admission *admission, uint32_t at,
                                              const weft_connection *connection)
{
    assert(at < admission->n_links);
    weft_admission_link *link = &admission->links[at];
    weft_admission_verdict verdict = judge(admission, link, connection);
    if (verdict != WEFT_REFUSED_INVALID && weft_admission_find(link, connection->number))
        return WEFT_ADMITTED;
    if (verdict != WEFT_ADMITTED)
        return verdict;
    if (link->weight_unit > 0 && (connection->sl >= WEFT_VL_MANAGEMENT ||
                                  !weft_vl_filling_add(&link->filling, connection->sl,
                                                       weight_of(link, connection->bandwidth))))
        return WEFT_REFUSED_ENTRIES;
    link->used += connection->bandwidth;
    link->pool_used[connection->sl] += connection->bandwidth;
    insert(link, connection);
    return WEFT_ADMITTED;
}

bool weft_admission_release(weft_admission *admission, uint32_t at, uint64_t number)
{
    assert(at < admission->n_links);
    weft_admission_link *link = &admission->links[at];
    const weft_connection *found = weft_admission_find(link, number);
    if (!found)
        return false;
    link->used -= found->bandwidth;
    link->pool_used[found->sl] -= found->bandwidth;
    if (link->weight_unit > 0)
        weft_vl_filling_end(&link->filling, found->sl);
    remove_slot(link, (size_t)(found - link->connections));
    return true;
}

/* ---- messages ---- */

static bool turn_back(weft_admission_message *message)
{
    message->kind = WEFT_REFUSAL;
    if (message->at == 0)
        return false;
    message->at--;
    return true;
}

bool weft_admission_handle(weft_admission *admission, weft_admission_message *message)
{
    assert(message->at < message->length);
    uint32_t link = message->path[message->at];
    if (message->kind == WEFT_PROBE) {
        message->verdict = weft_admission_reserve(admission, link, &message->connection);
        if (message->verdict != WEFT_ADMITTED)
            return turn_back(message);
        return ++message->at < message->length;
    }
    weft_admission_release(admission, link, message->connection.number);
    if (message->kind == WEFT_REFUSAL)
        return turn_back(message);
    return ++message->at < message->length;
}

static weft_admission_verdict send(weft_admission *admission, weft_admission_kind kind,
                                   const weft_connection *connection, const uint32_t *path,
                                   uint32_t length)
{
    weft_admission_message message = {
        .kind = kind, .connection = *connection, .path = path, .length = length};
    while (weft_admission_handle(admission, &message))
        ;
    return message.verdict;
}

weft_admission_verdict weft_admission_request(weft_admission *admission,
                                              const weft_connection *connection,
                                              const uint32_t *path, uint32_t length)
{
    return send(admission, WEFT_PROBE, connection, path, length);
}

void weft_admission_end(weft_admission *admission, const weft_connection *connection,
                        const uint32_t *path, uint32_t length)
{
    (void)send(admission, WEFT_RELEASE, connection, path, length);
}
