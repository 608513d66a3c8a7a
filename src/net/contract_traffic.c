/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts of selections, patterns, lengths and arrivals. */
#include <stdlib.h>
#include <string.h>

#include "net/contract.h"

enum { RANKED = 8, DRAWS = 4096, SOURCES = 4096 };

/* A mean that is off by more standard errors is a mistake: one in 10^8 of those that are right. */
#define SCORE_MOST 6

#define FAIL(...) weft_fail(err, WEFT_BROKEN, __VA_ARGS__)

static weft_random stream(uint64_t index, uint32_t entity)
{
    return weft_random_stream(2, index, entity, WEFT_FOR_ESTIMATE);
}

/* ---- selections ---- */

static int by_port(const void *a, const void *b)
{
    const weft_minimal_port *x = a, *y = b;
    return (x->port > y->port) - (x->port < y->port);
}

static void make_ports(uint64_t seed, weft_minimal_port *ports, unsigned count)
{
    weft_random random = stream(seed, count);
    memset(ports, 0, count * sizeof *ports);
    for (unsigned i = 0; i < count; i++)
        ports[i] = (weft_minimal_port){.port = (uint16_t)(2 * i + weft_random_below(&random, 2)),
                                       .hops = (uint16_t)(1 + weft_random_below(&random, 4)),
                                       .next_header = weft_random_below(&random, 1 << 30),
                                       .dim = (uint16_t)i};
}

static bool same_ports(const weft_minimal_port *a, const weft_minimal_port *b, unsigned count)
{
    bool same = true;
    for (unsigned i = 0; i < count; i++)
        same = same && a[i].port == b[i].port && a[i].hops == b[i].hops &&
               a[i].next_header == b[i].next_header && a[i].dim == b[i].dim;
    return same;
}

static weft_status check_rank(const weft_selection_kind *kind, const void *settings, uint64_t seed,
                              unsigned count, unsigned wanted, weft_error *err)
{
    weft_minimal_port given[RANKED], first[RANKED], again[RANKED];
    weft_random one = stream(seed, count), two = one;
    make_ports(seed, given, count);
    memcpy(first, given, sizeof given);
    memcpy(again, given, sizeof given);
    kind->rank(settings, first, count, wanted, kind->draws ? &one : NULL);
    kind->rank(settings, again, count, wanted, kind->draws ? &two : NULL);
    if (!same_ports(first, again, wanted))
        return FAIL("selection %s ranks the same %u ports differently with the same random stream",
                    kind->base.name, count);
    qsort(first, count, sizeof *first, by_port);
    if (!same_ports(first, given, count))
        return FAIL("selection %s loses or changes ports: rank has to reorder the %u it is given",
                    kind->base.name, count);
    return WEFT_OK;
}

weft_status weft_contract_selection(const weft_selection_kind *kind, const void *settings,
                                    weft_error *err)
{
    for (uint64_t seed = 0; kind->rank && seed < 64; seed++)
        for (unsigned count = 2; count <= RANKED; count++)
            for (unsigned wanted = 1; wanted <= count; wanted++)
                WEFT_TRY(check_rank(kind, settings, seed, count, wanted, err));
    return WEFT_OK;
}

/* ---- patterns ---- */

static void add_odds(void *user, uint32_t first, uint32_t count, double probability)
{
    (void)first;
    *(double *)user += count * probability;
}

/* One message of a source; *sends: it is not silent. */
static weft_status check_destination(const weft_pattern *pattern, uint32_t source,
                                     uint32_t endpoints, bool *sends, weft_error *err)
{
    const char *name = pattern->kind->base.name;
    weft_random one = stream(source, 0), two = one;
    uint32_t to = pattern->kind->destination(pattern, source, &one);
    *sends = to != WEFT_NOWHERE;
    if (*sends && to >= endpoints)
        return FAIL("pattern %s: endpoint %u sends to %u, of %u endpoints", name, source, to,
                    endpoints);
    if (pattern->kind->destination(pattern, source, &two) != to)
        return FAIL("pattern %s: destination of endpoint %u depends on more than its random stream",
                    name, source);
    double odds = 0;
    if (pattern->kind->odds)
        pattern->kind->odds(pattern, source, add_odds, &odds);
    if (pattern->kind->odds && !(odds - *sends < 1e-6 && *sends - odds < 1e-6))
        return FAIL("pattern %s: probabilities of the destinations of endpoint %u have sum %g, not "
                    "%d",
                    name, source, odds, *sends);
    return WEFT_OK;
}

weft_status weft_contract_pattern(const weft_pattern *pattern, weft_error *err)
{
    const weft_topology *topology = pattern->topology;
    uint32_t endpoints = weft_topology_endpoints(topology), sending = 0;
    uint32_t tried = endpoints < SOURCES ? endpoints : SOURCES;
    for (uint32_t i = 0; i < tried; i++) {
        bool sends;
        uint32_t source = (uint32_t)((uint64_t)i * endpoints / tried);
        WEFT_TRY(check_destination(pattern, source, endpoints, &sends, err));
        sending += sends;
    }
    bool all = tried == endpoints && !pattern->from && !pattern->to && pattern->kind->senders;
    if (all && pattern->kind->senders(pattern) != sending)
        return FAIL("pattern %s: senders is %u, but %u endpoints send", pattern->kind->base.name,
                    pattern->kind->senders(pattern), sending);
    return WEFT_OK;
}

/* ---- lengths and arrivals ---- */

weft_status weft_contract_length(const weft_length *length, weft_error *err)
{
    const weft_length_kind *kind = length->kind;
    uint32_t most = kind->most ? kind->most(length) : UINT32_MAX;
    double sum = 0, squares = 0, mean = kind->mean(length);
    for (uint32_t i = 0; i < DRAWS; i++) {
        weft_random random = stream(i, 1);
        uint32_t flits = kind->flits(length, &random);
        if (flits == 0 || flits > most)
            return FAIL("length %s draws %u flits; at least 1, at most %u", kind->base.name, flits,
                        most);
        sum += flits;
        squares += (double)flits * flits;
    }
    double found = sum / DRAWS, off = found - mean;
    double variance = squares / DRAWS - found * found; /* of one draw; of their mean / DRAWS */
    double allowed = SCORE_MOST * SCORE_MOST * (variance > 0 ? variance : 0) / DRAWS;
    if (!(off * off <= allowed + 1e-18 * found * found))
        return FAIL("length %s: mean is %g flits, but %d draws have mean %g", kind->base.name, mean,
                    DRAWS, found);
    return WEFT_OK;
}

/* The interval before a message, with the memory left by the one before. */
static weft_fine_time gap_of(const weft_arrival *arrival, uint32_t index, uint32_t *memory,
                             weft_random random)
{
    if (arrival->kind->interval_with_memory)
        return arrival->kind->interval_with_memory(arrival, index, memory, &random);
    return arrival->kind->interval(arrival, index, &random);
}

weft_status weft_contract_arrival(const weft_arrival *arrival, weft_error *err)
{
    uint32_t memory = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        uint32_t again = memory;
        weft_fine_time found = gap_of(arrival, i, &memory, stream(i, 2));
        if (gap_of(arrival, i, &again, stream(i, 2)) != found || memory != again)
            return FAIL("arrival %s: the interval before message %u depends on more than its "
                        "random stream",
                        arrival->kind->base.name, i);
        if (found > weft_fine_time_of(0x1p46))
            return FAIL("arrival %s: the interval before message %u is beyond 2^46 ticks",
                        arrival->kind->base.name, i);
        if (memory > WEFT_ARRIVAL_MEMORY_MAX)
            return FAIL("arrival %s: the memory after message %u is beyond 31 bits",
                        arrival->kind->base.name, i);
    }
    return WEFT_OK;
}
