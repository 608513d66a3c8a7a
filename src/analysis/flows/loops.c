/* SPDX-License-Identifier: Apache-2.0 */
/* Every path is walked once and leaves its dependencies as bits; a search in depth then finds a
 * channel that is reached from itself. Where no SL2VL tables are, the hosts of a switch send
 * alike, and one stands for all. */
#include "analysis/flows/loops.h"

#include "base/memory.h"

#include <stdlib.h>

#define WORD 64u

typedef struct dependencies {
    const weft_flows *job;
    const weft_subnet *subnet;
    uint8_t *in;     /* [place of a link]: the port at its other end */
    uint32_t vls;    /* 1 without SL2VL tables */
    size_t channels; /* link × vls + VL */
    size_t words;    /* of the bits of a channel: port × vls + VL of the next */
    uint64_t *waits; /* [channel × words] */
} dependencies;

static void open_dependencies(dependencies *it, const weft_flows *job)
{
    const weft_topology *topology = job->topology;
    *it = (dependencies){.job = job, .subnet = weft_weftnet_of(topology)->subnet};
    it->vls = weft_subnet_count_vls(it->subnet);
    it->channels = job->n_links * it->vls;
    it->words = (topology->ports * it->vls + WORD - 1) / WORD;
    it->waits = weft_alloc(sizeof *it->waits * it->channels * it->words);
    it->in = weft_alloc(job->n_links);
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++)
            it->in[(size_t)r * topology->ports + p] =
                (uint8_t)topology->kind->peer(topology, r, p).port;
}

/* The packets of an endpoint, which enter its router by this port, to another one. */
static void walk(dependencies *it, uint32_t from, uint32_t in, uint32_t sl, uint32_t to)
{
    const weft_flows *job = it->job;
    uint32_t ports = job->topology->ports, router = from / job->each, home = to / job->each;
    size_t before = SIZE_MAX;
    while (router != home && router != WEFT_NOWHERE) {
        uint32_t out = weft_flows_port(job, router, from, to);
        size_t link = (size_t)router * ports + out;
        uint32_t vl = weft_subnet_hop_vl(it->subnet, router, in, out, sl), bit = out * it->vls + vl;
        if (job->next[link] == WEFT_NOWHERE)
            return;
        if (before != SIZE_MAX)
            it->waits[before * it->words + bit / WORD] |= (uint64_t)1 << bit % WORD;
        before = link * it->vls + vl;
        router = job->next[link];
        in = it->in[link];
    }
}

typedef struct host {
    uint32_t endpoint, number;
} host;

/* All hosts that are left; *count of them. */
static host *list_hosts(const weft_flows *job, uint32_t *count)
{
    const weft_weftnet *net = weft_weftnet_of(job->topology);
    host *hosts = weft_alloc(sizeof *hosts * net->subnet->n_hosts);
    uint32_t number = 0, each = job->each;
    *count = 0;
    for (uint32_t h = 0; h < net->homes; h++)
        for (uint32_t i = 0; i < net->hosts[h]; i++, number++)
            if (i < each && !job->parts->no_host[number])
                hosts[(*count)++] = (host){h * each + i, number};
    return hosts;
}

static void walk_all(dependencies *it)
{
    const weft_subnet *subnet = it->subnet;
    uint32_t count, each = it->job->each;
    host *hosts = list_hosts(it->job, &count);
    for (uint32_t f = 0; f < count; f++) {
        uint32_t home = hosts[f].endpoint / each;
        bool alike = !subnet->map && it->job->tables.paths == 1;
        if (alike && f > 0 && hosts[f - 1].endpoint / each == home)
            continue;
        for (uint32_t t = 0; t < count; t++)
            if (hosts[t].endpoint / each != home)
                walk(it, hosts[f].endpoint, subnet->hosts[hosts[f].number].switch_port,
                     weft_subnet_path_sl(subnet, hosts[f].number, hosts[t].number),
                     hosts[t].endpoint);
    }
    free(hosts);
}

/* ---- the search ---- */

enum { UNSEEN, OPEN, CLOSED };

typedef struct search {
    const dependencies *it;
    uint8_t *state; /* [channel] */
    uint32_t *bit;  /* [depth]: the next to be tried */
    size_t *at;     /* [depth] */
    size_t depth;
} search;

/* The channel behind a bit of another. */
static size_t behind(const dependencies *it, size_t channel, uint32_t bit)
{
    size_t next = it->job->next[channel / it->vls];
    return next * it->job->topology->ports * it->vls + bit;
}

/* Goes one channel deeper; SIZE_MAX, or the depth where a loop begins. */
static size_t step(search *s)
{
    const dependencies *it = s->it;
    size_t channel = s->at[s->depth - 1], bits = it->words * WORD;
    uint32_t *bit = &s->bit[s->depth - 1];
    const uint64_t *waits = it->waits + channel * it->words;
    while (*bit < bits && !(waits[*bit / WORD] >> *bit % WORD & 1))
        ++*bit;
    if (*bit == bits) {
        s->state[channel] = CLOSED;
        s->depth--;
        return SIZE_MAX;
    }
    size_t next = behind(it, channel, (*bit)++);
    if (s->state[next] == OPEN) {
        size_t from = 0;
        while (s->at[from] != next)
            from++;
        return from;
    }
    if (s->state[next] == UNSEEN) {
        s->state[next] = OPEN;
        s->at[s->depth] = next;
        s->bit[s->depth++] = 0;
    }
    return SIZE_MAX;
}

static weft_flows_channel *keep(const search *s, size_t from, uint32_t *count)
{
    uint32_t vls = s->it->vls;
    *count = (uint32_t)(s->depth - from);
    weft_flows_channel *loop = weft_alloc(sizeof *loop * *count);
    for (uint32_t i = 0; i < *count; i++)
        loop[i] = (weft_flows_channel){s->at[from + i] / vls, (uint32_t)(s->at[from + i] % vls)};
    return loop;
}

static weft_flows_channel *find(const dependencies *it, uint32_t *count)
{
    weft_flows_channel *loop = NULL;
    search s = {.it = it,
                .state = weft_alloc(it->channels),
                .bit = weft_alloc(sizeof *s.bit * it->channels),
                .at = weft_alloc(sizeof *s.at * it->channels)};
    for (size_t c = 0; c < it->channels && !loop; c++) {
        if (s.state[c] != UNSEEN)
            continue;
        s.state[c] = OPEN;
        s.at[0] = c;
        s.bit[0] = 0;
        for (s.depth = 1; s.depth > 0 && !loop;) {
            size_t from = step(&s);
            loop = from == SIZE_MAX ? NULL : keep(&s, from, count);
        }
    }
    free(s.state);
    free(s.bit);
    free(s.at);
    return loop;
}

weft_flows_channel *weft_flows_find_loop(const weft_flows *job, uint32_t *count)
{
    dependencies it;
    *count = 0;
    open_dependencies(&it, job);
    walk_all(&it);
    weft_flows_channel *loop = find(&it, count);
    free(it.waits);
    free(it.in);
    return loop;
}
