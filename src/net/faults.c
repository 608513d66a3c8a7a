/* SPDX-License-Identifier: Apache-2.0 */
/* A packet in transit requests the same ports as one injected at its router: the rest of its route
 * is one of those that `initial_headers` lists. So it is enough to check packets injected at a
 * router with a failed port, to all destinations. Routings with tables have built them around the
 * faults. */
#include "net/faults.h"

#include "net/link_names.h"
#include "net/naming.h"
#include "net/routing.h"
#include "net/topology/common/weftnet.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct list {
    weft_fault *at;
    uint32_t count, room;
    weft_arena *arena;
} list;

static void add(list *to, uint32_t router, uint32_t port)
{
    if (to->count == to->room) {
        to->room = to->room ? 2 * to->room : 16;
        weft_fault *more = WEFT_TAKE(to->arena, weft_fault, to->room);
        if (to->count)
            memcpy(more, to->at, to->count * sizeof *more);
        to->at = more;
    }
    to->at[to->count++] = (weft_fault){router, port};
}

/* A link and the one back. */
static void add_cable(list *to, const weft_topology *topology, uint32_t router, uint32_t port)
{
    weft_end end = topology->kind->peer(topology, router, port);
    assert(end.router != WEFT_NOWHERE);
    add(to, router, port);
    if (end.port < topology->ports &&
        topology->kind->peer(topology, end.router, end.port).router == router)
        add(to, end.router, end.port);
}

/* All links between two routers; false: there are none. */
static bool add_between(list *to, const weft_topology *topology, uint32_t a, uint32_t b)
{
    uint32_t before = to->count;
    for (int turn = 0; turn < 2; turn++)
        for (uint32_t p = 0; p < topology->ports; p++)
            if (topology->kind->peer(topology, turn ? b : a, p).router == (turn ? a : b))
                add(to, turn ? b : a, p);
    return to->count > before;
}

static weft_status add_pair(list *to, const weft_topology *topology, int32_t a, int32_t b,
                            weft_error *err)
{
    uint32_t routers = topology->routers;
    if (a < 0 || (uint32_t)a >= routers || b < 0 || (uint32_t)b >= routers)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "faults.links names router %d, but routers are 0 … %u",
                         a < 0 || (uint32_t)a >= routers ? a : b, routers - 1);
    if (!add_between(to, topology, (uint32_t)a, (uint32_t)b))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "faults.links names the pair %d, %d, but no link joins these routers", a,
                         b);
    return WEFT_OK;
}

static weft_status add_router(list *to, const weft_topology *topology, int32_t router,
                              weft_error *err)
{
    if (router < 0 || (uint32_t)router >= topology->routers)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "faults.routers names router %d, but routers are 0 … %u", router,
                         topology->routers - 1);
    char name[WEFT_NAME_BYTES];
    if ((uint32_t)router < topology->edge_routers)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "faults names router %s, which has endpoints: only routers without "
                         "any can be down, %u of %u here%s",
                         weft_naming_name(topology, (uint32_t)router, name),
                         topology->routers - topology->edge_routers, topology->routers,
                         weft_weftnet_of(topology)
                             ? "; topology.without leaves a router out with its endpoints"
                             : "");
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            uint32_t other = topology->kind->peer(topology, r, p).router;
            if (other != WEFT_NOWHERE && (other == (uint32_t)router || r == (uint32_t)router))
                add(to, r, p);
        }
    return WEFT_OK;
}

typedef struct named { /* what a text names */
    list *to;
    const weft_topology *topology;
    weft_status status;
    weft_error *err;
} named;

static void add_named_link(void *user, uint32_t router, uint32_t port)
{
    add(((named *)user)->to, router, port);
}

static void add_named_router(void *user, uint32_t router)
{
    named *it = user;
    if (it->status == WEFT_OK)
        it->status = add_router(it->to, it->topology, (int32_t)router, it->err);
}

/* "spine1 leaf3", two names as words: as "spine1 - leaf3". */
static weft_status add_two(named *it, char *item)
{
    char *rest = NULL, *one = strtok_r(item, " ", &rest), *other = strtok_r(NULL, " ", &rest);
    if (!one || !other || strtok_r(NULL, " ", &rest))
        return weft_fail(it->err, WEFT_BAD_INPUT,
                         "faults.named lists routers, pairs of routers and cables, such as "
                         "'spine1 - leaf3, spine4, leaf1:p7->spine2'");
    const char *pair = weft_arena_format(it->to->arena, "%s - %s", one, other);
    return weft_link_names_visit(it->topology, "faults.named", pair, add_named_link, it, it->err);
}

static weft_status add_item(named *it, char *item)
{
    bool link = strstr(item, " - ") || strstr(item, "->");
    if (!link && weft_link_names_routers(it->topology, item, add_named_router, it) > 0)
        return it->status;
    if (!link && strchr(item, ' ') && item[0] != '(')
        return add_two(it, item);
    return weft_link_names_visit(it->topology, "faults.named", item, add_named_link, it, it->err);
}

/* The length of the first item: up to a comma that is not inside parentheses. */
static size_t item_length(const char *text)
{
    size_t length = 0;
    for (int depth = 0; text[length] && (text[length] != ',' || depth > 0); length++)
        depth += text[length] == '(' ? 1 : text[length] == ')' ? -1 : 0;
    return length;
}

static weft_status add_named(list *to, const weft_topology *topology, const char *text,
                             weft_error *err)
{
    named it = {.to = to, .topology = topology, .err = err};
    while (*text) {
        size_t length = item_length(text), from = strspn(text, " "), end = length;
        while (end > from && text[end - 1] == ' ')
            end--;
        if (end <= from)
            return weft_fail(err, WEFT_BAD_INPUT, "faults.named: a name is missing in '%.80s'",
                             text);
        WEFT_TRY(add_item(&it, weft_arena_copy(to->arena, text + from, end - from)));
        text += length + (text[length] == ',');
    }
    return WEFT_OK;
}

static int by_place(const void *a, const void *b)
{
    const weft_fault *x = a, *y = b;
    if (x->router != y->router)
        return x->router < y->router ? -1 : 1;
    return x->port < y->port ? -1 : x->port > y->port;
}

static bool listed(const list *in, uint32_t router, uint32_t port)
{
    for (uint32_t i = 0; i < in->count; i++)
        if (in->at[i].router == router && in->at[i].port == port)
            return true;
    return false;
}

/* The places of the cables that are still up, each at its first end. */
static list cables_up(const list *down, const weft_topology *topology)
{
    list up = {.arena = down->arena}, sorted = {.arena = down->arena};
    for (uint32_t i = 0; i < down->count; i++)
        add(&sorted, down->at[i].router, down->at[i].port);
    if (sorted.count)
        qsort(sorted.at, sorted.count, sizeof *sorted.at, by_place);
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            weft_fault here = {r, p};
            weft_end end = topology->kind->peer(topology, r, p);
            if (end.router == WEFT_NOWHERE ||
                (sorted.count &&
                 bsearch(&here, sorted.at, sorted.count, sizeof *sorted.at, by_place)))
                continue;
            weft_fault there = {end.router, end.port};
            weft_end back = {.router = WEFT_NOWHERE};
            if (end.port < topology->ports)
                back = topology->kind->peer(topology, end.router, end.port);
            if (back.router != r || back.port != p || by_place(&here, &there) < 0)
                add(&up, r, p);
        }
    return up;
}

/* So many cables that are still up. Places are drawn among all ports until one has a cable; where
 * few have, those are listed and the rest is drawn among them. */
static weft_status add_random(list *to, const weft_topology *topology, int64_t count, int64_t seed,
                              weft_error *err)
{
    weft_random random = weft_random_stream((uint64_t)seed, 0, 0, WEFT_FOR_FAULT);
    uint64_t tries = topology->ports ? 64 * (uint64_t)count + 1024 : 0;
    int64_t left = count;
    for (; left > 0 && tries > 0; tries--) {
        uint32_t router = weft_random_below(&random, topology->routers);
        uint32_t port = weft_random_below(&random, topology->ports);
        if (topology->kind->peer(topology, router, port).router == WEFT_NOWHERE ||
            listed(to, router, port))
            continue;
        add_cable(to, topology, router, port);
        left--;
    }
    if (left == 0)
        return WEFT_OK;
    list up = cables_up(to, topology);
    long long most = count - left + up.count;
    if (up.count < left)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "faults.random must be at most %lld, the cables between routers that are "
                         "still up, found %lld",
                         most, (long long)count);
    for (; left > 0; left--) {
        uint32_t nth = weft_random_below(&random, up.count);
        add_cable(to, topology, up.at[nth].router, up.at[nth].port);
        up.at[nth] = up.at[--up.count];
    }
    return WEFT_OK;
}

static uint32_t drop_doubles(weft_fault *at, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || by_place(&at[kept - 1], &at[i]) != 0)
            at[kept++] = at[i];
    return kept;
}

weft_status weft_faults_find(const weft_topology *topology, const weft_fault_settings *set,
                             weft_arena *arena, const weft_faults **faults, weft_error *err)
{
    list found = {.arena = arena};
    *faults = NULL;
    if (set->links.count % 2)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "faults.links must list pairs of routers, found %d numbers",
                         set->links.count);
    for (int32_t i = 0; i < set->links.count; i += 2)
        WEFT_TRY(add_pair(&found, topology, set->links.at[i], set->links.at[i + 1], err));
    for (int32_t i = 0; i < set->routers.count; i++)
        WEFT_TRY(add_router(&found, topology, set->routers.at[i], err));
    if (set->named)
        WEFT_TRY(add_named(&found, topology, set->named, err));
    WEFT_TRY(add_random(&found, topology, set->random, set->seed, err));
    if (found.count == 0)
        return WEFT_OK;
    qsort(found.at, found.count, sizeof *found.at, by_place);
    found.count = drop_doubles(found.at, found.count);
    weft_faults *made = WEFT_TAKE(arena, weft_faults, 1);
    *made = (weft_faults){.count = found.count, .at = found.at};
    *faults = made;
    return WEFT_OK;
}

typedef struct visit { /* of one router's packets to one destination */
    const weft_routing *routing;
    uint32_t from, hosts; /* endpoints of the destination that headers tell apart */
    bool stuck;
} visit;

/* True if a packet with this header has a candidate that is up. One port that a selection draws may
 * be any of the topology's: all have to be up. */
static bool has_candidate(const weft_routing *routing, uint32_t from, uint32_t word)
{
    const weft_topology *topology = routing->topology;
    const weft_routing_kind *kind = routing->kind;
    bool any = kind->ports_wanted == 1 && routing->draws && !kind->initial_header;
    weft_random random = weft_random_stream(0, word, from, WEFT_FOR_FAULT);
    weft_route_context here = {.router = from, .header = word, .port = WEFT_FROM_ENDPOINT};
    weft_candidate candidates[WEFT_MINIMAL_PORTS_MAX];
    if (!any)
        return weft_routing_candidates(routing, &here, routing->draws ? &random : NULL,
                                       candidates) > 0;
    weft_minimal_port ports[WEFT_MINIMAL_PORTS_MAX];
    unsigned count =
        topology->kind->minimal_ports(topology, from, word, WEFT_MINIMAL_PORTS_MAX, ports);
    for (unsigned i = 0; i < count; i++)
        if (!weft_topology_alive(topology, from, ports[i].port))
            return false;
    return true;
}

/* At a packet with a word that it goes on with. */
static void look_at(void *user, uint32_t word)
{
    visit *at = user;
    at->stuck = at->stuck || !has_candidate(at->routing, at->from, word);
}

/* At a packet that starts: a routing may change its word before the first hop. */
static void look_at_start(visit *at, uint32_t word)
{
    const weft_routing *routing = at->routing;
    weft_route_context here = {.router = at->from, .header = word, .port = WEFT_FROM_ENDPOINT};
    if (routing->kind->proof.reroute_outcomes)
        (void)routing->kind->proof.reroute_outcomes(routing, &here, look_at, at);
    else
        look_at(at, word);
}

/* At the packets to all endpoints of the destination. */
static void look(void *user, uint32_t word)
{
    visit *at = user;
    for (uint32_t host = 0; host < at->hosts && !at->stuck; host++)
        look_at_start(at, weft_routing_header_for_host(at->routing, word, host));
}

static weft_status check_router(const weft_routing *routing, uint32_t from, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    char a[WEFT_NAME_BYTES], b[WEFT_NAME_BYTES];
    for (uint32_t home = 0; home < topology->edge_routers; home++) {
        uint32_t to = home + topology->egress_offset;
        uint32_t hosts = weft_topology_hosts(topology, home), apart = weft_routing_hosts(routing);
        visit at = {.routing = routing, .from = from, .hosts = hosts < apart ? hosts : apart};
        if (to == from)
            continue;
        weft_routing_starts(routing, from, to, look, &at);
        if (at.stuck)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "faults cut off router %s from router %s: routing %s has no way past "
                             "them; up-down finds one wherever routers are still joined",
                             weft_naming_name(topology, from, a), weft_naming_name(topology, to, b),
                             routing->kind->base.name);
    }
    return WEFT_OK;
}

weft_status weft_faults_check(const weft_routing *routing, weft_error *err)
{
    const weft_faults *faults = routing->topology->faults;
    if (routing->kind->handles_faults)
        return WEFT_OK;
    for (uint32_t i = 0; faults && i < faults->count; i++)
        if (i == 0 || faults->at[i].router != faults->at[i - 1].router)
            WEFT_TRY(check_router(routing, faults->at[i].router, err));
    return WEFT_OK;
}
