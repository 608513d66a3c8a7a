/* SPDX-License-Identifier: Apache-2.0 */
/* Forwarding tables of switches: the output port for each destination. Read from a text file of
 * lines
 *     router destination port
 * or from an imported fabric with tables. A destination is a router, or one of its endpoints,
 * `leaf1:h3`; a line for a router covers those of its endpoints without a line of their own. A
 * header is the destination + 1: its router, or its endpoint if any line names an endpoint. Every
 * edge router must reach every destination; entries by which a packet would never arrive are
 * dropped. Deadlock freedom is not checked here, but by `weft check`. */
#include "base/memory.h"
#include "net/naming.h"
#include "net/routing.h"
#include "net/routing/common/vc_plan.h"
#include "net/topology/common/weftnet.h"

#include <stdlib.h>
#include <string.h>

#define NONE      WEFT_WEFTNET_NO_PORT
#define BYTES_MAX ((uint64_t)1 << 31) /* of the tables */

typedef struct settings {
    weft_file file;
} settings;

typedef struct tables {
    const uint8_t *port; /* [router × width + destination], or NONE */
    uint8_t *own;        /* the same, if it is not the fabric's */
    uint32_t width;      /* destinations … */
    uint32_t each;       /* … of a router: 1, or its endpoints */
    double stretch;      /* mean length of the routes ÷ that of minimal ones */
} tables;

static const weft_param params[] = {
    {.name = "file",
     .brief =
         "lines of `router destination port`, a destination being a router or an endpoint of it, "
         "leaf1:h3; none: the tables of the imported fabric",
     .type = WEFT_PARAM_FILE,
     .offset = offsetof(settings, file),
     .fallback = "none"},
    {.name = NULL},
};

static bool has_lft(const weft_weftnet *net)
{
    return net->subnet && net->subnet->lft;
}

static weft_status check(const weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    const weft_weftnet *net = weft_weftnet_of(topology);
    if (!((const settings *)routing->settings)->file.text && !(net && (net->table || has_lft(net))))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing.file must name the forwarding tables: %s has none of its own",
                         net ? "this fabric" : "this topology");
    if (topology->ports >= NONE || topology->egress_offset > 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing tables needs links that lead both ways and routers of at most %d "
                         "ports: use routing dimension-order",
                         NONE - 1);
    return WEFT_OK;
}

/* Do the tables of so many destinations fit? */
static weft_status check_size(const weft_topology *topology, uint32_t width, const char *of,
                              weft_error *err)
{
    uint64_t bytes = (uint64_t)topology->routers * width;
    if (bytes <= BYTES_MAX)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "forwarding tables from %u routers to %u%s take %.1f GiB; at most %.0f GiB "
                     "are used for them",
                     topology->routers, width, of, (double)bytes * 0x1p-30,
                     (double)BYTES_MAX * 0x1p-30);
}

static uint32_t behind(const weft_topology *topology, uint32_t router, uint32_t port)
{
    return weft_topology_alive(topology, router, port)
               ? topology->kind->peer(topology, router, port).router
               : WEFT_NOWHERE;
}

/* What a file says, before its lines are one table. */
typedef struct reading {
    tables *it;    /* of routers */
    uint8_t *host; /* [router × endpoints + endpoint]; NULL: no line has named an endpoint */
} reading;

/* "leaf1:h3" as a router and one of its endpoints; *host stays WEFT_NOWHERE if only a router is
 * named. */
static weft_status read_destination(const weft_naming *naming, weft_lines *lines, uint32_t *router,
                                    uint32_t *host, weft_error *err)
{
    const weft_topology *topology = naming->topology;
    weft_lines ahead = *lines;
    weft_word word = weft_lines_word(&ahead);
    const char *colon = word.at ? memrchr(word.at, ':', word.length) : NULL;
    char name[WEFT_NAME_BYTES];
    uint64_t number;
    *host = WEFT_NOWHERE;
    if (colon && colon + 2 < word.at + word.length && colon[1] == 'h' &&
        weft_naming_find(naming, word) == WEFT_NOWHERE) {
        weft_word first = {.at = word.at, .length = (size_t)(colon - word.at)};
        weft_word digits = {.at = colon + 2, .length = word.length - first.length - 2};
        *router = weft_naming_find(naming, first);
        if (*router == WEFT_NOWHERE || *router >= topology->edge_routers ||
            !weft_word_number(digits, topology->concentration - 1, &number))
            return weft_lines_fail(lines, err,
                                   "the destination must be a router with endpoints, or one of its "
                                   "%u endpoints such as %s:h0, found '%.*s'",
                                   topology->concentration, weft_naming_name(topology, 0, name),
                                   WEFT_WORD(word));
        *host = (uint32_t)number;
        *lines = ahead;
        return WEFT_OK;
    }
    WEFT_TRY(weft_naming_read(naming, lines, "the destination", router, err));
    if (*router >= topology->edge_routers)
        return weft_lines_fail(lines, err,
                               "the destination must have endpoints, router %s has none",
                               weft_naming_name(topology, *router, name));
    return WEFT_OK;
}

static weft_status put_port(uint8_t *cell, uint64_t port, const weft_lines *lines, weft_error *err)
{
    if (*cell != NONE && *cell != port)
        return weft_lines_fail(lines, err,
                               "the table said port %d for this destination before, port %d now",
                               *cell, (int)port);
    *cell = (uint8_t)port;
    return WEFT_OK;
}

/* Room for a table of endpoints. */
static weft_status make_room(reading *r, const weft_topology *topology, weft_error *err)
{
    uint32_t endpoints = topology->edge_routers * topology->concentration;
    if (r->host)
        return WEFT_OK;
    WEFT_TRY(check_size(topology, endpoints, " endpoints", err));
    r->host = weft_alloc((size_t)topology->routers * endpoints);
    memset(r->host, NONE, (size_t)topology->routers * endpoints);
    return WEFT_OK;
}

static weft_status read_line(const weft_naming *naming, weft_lines *lines, void *user,
                             weft_error *err)
{
    reading *r = user;
    const weft_topology *topology = naming->topology;
    uint32_t router, to, host;
    uint64_t port;
    WEFT_TRY(weft_naming_read(naming, lines, "the first word", &router, err));
    WEFT_TRY(read_destination(naming, lines, &to, &host, err));
    weft_word word = weft_lines_word(lines), more = weft_lines_word(lines);
    if (topology->ports == 0 || !weft_word_number(word, topology->ports - 1, &port))
        return weft_lines_fail(lines, err,
                               "the third word must be a port, 0 … %d here, found '%.*s'",
                               (int)topology->ports - 1, WEFT_WORD(word));
    if (more.at)
        return weft_lines_fail(lines, err,
                               "three words are `router destination port`, found '%.*s' after them",
                               WEFT_WORD(more));
    if (topology->kind->peer(topology, router, (uint32_t)port).router == WEFT_NOWHERE)
        return weft_lines_fail(lines, err, "nothing is attached to port %d of this router",
                               (int)port);
    if (host == WEFT_NOWHERE)
        return put_port(&r->it->own[(size_t)router * topology->edge_routers + to], port, lines,
                        err);
    WEFT_TRY(make_room(r, topology, err));
    size_t endpoints = (size_t)topology->edge_routers * topology->concentration;
    return put_port(&r->host[router * endpoints + (size_t)to * topology->concentration + host],
                    port, lines, err);
}

/* What is said of routers holds for their endpoints. */
static void join_lines(const weft_topology *topology, tables *it, uint8_t *host)
{
    size_t endpoints = (size_t)topology->edge_routers * topology->concentration;
    for (size_t r = 0; r < topology->routers; r++)
        for (size_t e = 0; e < endpoints; e++)
            if (host[r * endpoints + e] == NONE)
                host[r * endpoints + e] =
                    it->own[r * topology->edge_routers + e / topology->concentration];
    free(it->own);
    it->port = it->own = host;
    it->width = (uint32_t)endpoints;
    it->each = topology->concentration;
}

static weft_status read_text(weft_routing *routing, tables *it, weft_error *err)
{
    const weft_file *file = &((const settings *)routing->settings)->file;
    reading r = {.it = it};
    weft_status status =
        weft_naming_file(routing->topology, file, "a file of tables", read_line, &r, err);
    if (status == WEFT_OK && r.host) {
        join_lines(routing->topology, it, r.host);
        routing->by_host = true;
    } else {
        free(r.host);
    }
    return status;
}

static void table_columns(const weft_routing *routing, uint32_t to, uint32_t count, uint8_t *out)
{
    const weft_topology *topology = routing->topology;
    const tables *it = routing->self;
    for (size_t r = 0; r < topology->routers; r++)
        memcpy(out + r * WEFT_TABLE_COLUMNS, it->port + r * it->width + to, count);
}

/* Routes to some destinations, from everywhere. */
typedef struct routes {
    const weft_topology *topology;
    uint32_t to, count;
    uint32_t each;    /* destinations of a router */
    uint32_t *behind; /* [router × ports + port] */
    uint8_t *port;    /* [router × WEFT_TABLE_COLUMNS + nth destination] */
    uint16_t *length; /* the same: hops from there … */
    uint32_t *stack;  /* room for every router */
} routes;

#define UNKNOWN (UINT16_MAX - 1)
#define LOST    UINT16_MAX /* … or it does not arrive, or later than can be counted */

static void routes_open(routes *it, const weft_topology *topology, uint32_t each)
{
    size_t links = (size_t)topology->routers * topology->ports;
    size_t cells = (size_t)topology->routers * WEFT_TABLE_COLUMNS;
    *it = (routes){.topology = topology,
                   .each = each,
                   .behind = weft_alloc(sizeof *it->behind * (links + 1)),
                   .port = weft_alloc(cells),
                   .length = weft_alloc(sizeof *it->length * cells),
                   .stack = weft_alloc(sizeof *it->stack * topology->routers)};
    for (size_t i = 0; i < links; i++)
        it->behind[i] =
            behind(topology, (uint32_t)(i / topology->ports), (uint32_t)(i % topology->ports));
}

static void routes_close(routes *it)
{
    free(it->behind);
    free(it->port);
    free(it->length);
    free(it->stack);
}

/* Follows one of them until it comes to what is known. */
static void follow(routes *it, uint32_t router, uint32_t nth)
{
    uint32_t depth = 0, at = router, ports = it->topology->ports;
    uint16_t *length = it->length + nth;
    const uint8_t *port = it->port + nth;
    while (length[(size_t)at * WEFT_TABLE_COLUMNS] == UNKNOWN) {
        uint8_t by = port[(size_t)at * WEFT_TABLE_COLUMNS];
        uint32_t next = by == NONE ? WEFT_NOWHERE : it->behind[(size_t)at * ports + by];
        length[(size_t)at * WEFT_TABLE_COLUMNS] = LOST; /* so a circle ends where it began */
        it->stack[depth++] = at;
        if (next == WEFT_NOWHERE)
            break;
        at = next;
    }
    uint16_t hops = length[(size_t)at * WEFT_TABLE_COLUMNS];
    while (depth > 0) {
        hops = hops >= UNKNOWN - 1 ? LOST : (uint16_t)(hops + 1);
        length[(size_t)it->stack[--depth] * WEFT_TABLE_COLUMNS] = hops;
    }
}

static void routes_find(routes *it, const weft_routing *routing, uint32_t to, uint32_t count)
{
    uint32_t routers = it->topology->routers;
    it->to = to;
    it->count = count;
    table_columns(routing, to, count, it->port);
    for (size_t i = 0; i < (size_t)routers * WEFT_TABLE_COLUMNS; i++)
        it->length[i] = UNKNOWN;
    for (uint32_t nth = 0; nth < count; nth++)
        it->length[(size_t)((to + nth) / it->each) * WEFT_TABLE_COLUMNS + nth] = 0;
    for (uint32_t r = 0; r < routers; r++)
        for (uint32_t nth = 0; nth < count; nth++)
            if (it->length[(size_t)r * WEFT_TABLE_COLUMNS + nth] == UNKNOWN)
                follow(it, r, nth);
}

static weft_status miss(const weft_topology *topology, uint32_t from, uint32_t to, weft_error *err)
{
    char a[WEFT_NAME_BYTES], b[WEFT_NAME_BYTES];
    return weft_fail(err, WEFT_BAD_INPUT,
                     "the forwarding tables do not lead from router %s to router %s: an entry is "
                     "missing, a link is down, or they lead in a circle",
                     weft_naming_name(topology, from, a), weft_naming_name(topology, to, b));
}

/* Forgets an entry; the fabric keeps its own. */
static void forget(const weft_topology *topology, tables *it, size_t cell)
{
    size_t bytes = (size_t)topology->routers * it->width;
    if (it->port[cell] == NONE)
        return;
    if (!it->own) {
        it->own = weft_alloc(bytes);
        memcpy(it->own, it->port, bytes);
        it->port = it->own;
    }
    it->own[cell] = NONE;
}

typedef struct judgement {
    uint64_t sum;      /* of the lengths of all routes */
    bool lost;         /* some lead nowhere: */
    uint32_t from, to; /* the first of them, by destination */
} judgement;

/* Of one router: forgets entries that lead nowhere, adds up the lengths of what it sends. */
static void judge_router(const routes *found, tables *it, uint32_t router, judgement *sum)
{
    const weft_topology *topology = found->topology;
    const uint16_t *length = found->length + (size_t)router * WEFT_TABLE_COLUMNS;
    for (uint32_t nth = 0; nth < found->count; nth++) {
        uint32_t to = found->to + nth;
        if (length[nth] == LOST || length[nth] == 0)
            forget(topology, it, (size_t)router * it->width + to);
        if (router >= topology->edge_routers)
            continue;
        if (length[nth] != LOST) {
            sum->sum += length[nth];
        } else if (!sum->lost || to < sum->to) {
            *sum = (judgement){.sum = sum->sum, .lost = true, .from = router, .to = to};
        }
    }
}

static weft_status judge(const weft_routing *routing, tables *it, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    judgement sum = {0};
    routes found;
    routes_open(&found, topology, it->each);
    for (uint32_t to = 0; to < it->width && !sum.lost; to += WEFT_TABLE_COLUMNS) {
        uint32_t left = it->width - to;
        routes_find(&found, routing, to, left < WEFT_TABLE_COLUMNS ? left : WEFT_TABLE_COLUMNS);
        for (uint32_t r = 0; r < topology->routers; r++)
            judge_router(&found, it, r, &sum);
    }
    routes_close(&found);
    if (sum.lost)
        return miss(topology, sum.from, sum.to / it->each, err);
    double pairs = (double)it->width * (topology->edge_routers - 1.0);
    double minimal = pairs > 0 ? topology->kind->mean_distance(topology) : 0;
    it->stretch = minimal > 0 ? (double)sum.sum / pairs / minimal : 1;
    return WEFT_OK;
}

/* The tables of an InfiniBand subnet. */
static weft_status read_lft(weft_routing *routing, tables *it, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    it->width = topology->edge_routers * topology->concentration;
    it->each = topology->concentration;
    routing->by_host = true;
    WEFT_TRY(check_size(topology, it->width, " endpoints", err));
    it->port = it->own = weft_alloc((size_t)topology->routers * it->width);
    weft_weftnet_lft(weft_weftnet_of(topology), it->each, it->own);
    return WEFT_OK;
}

static void done(weft_routing *routing)
{
    tables *it = routing->self;
    free(it->own);
    it->port = it->own = NULL;
}

static weft_status build(weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    const weft_weftnet *net = weft_weftnet_of(topology);
    tables *it = routing->self;
    size_t bytes = (size_t)topology->routers * topology->edge_routers;
    WEFT_TRY(check_size(topology, topology->edge_routers, "", err));
    it->width = topology->edge_routers;
    it->each = 1;
    weft_status status = WEFT_OK;
    if (((const settings *)routing->settings)->file.text) {
        it->port = it->own = weft_alloc(bytes);
        memset(it->own, NONE, bytes);
        status = read_text(routing, it, err);
    } else if (net->table) {
        it->port = net->table;
    } else {
        status = read_lft(routing, it, err);
    }
    if (status == WEFT_OK)
        status = judge(routing, it, err);
    if (status != WEFT_OK)
        done(routing);
    return status;
}

static uint32_t initial_header(const weft_routing *routing, uint32_t from, uint32_t to,
                               weft_random *random)
{
    (void)from, (void)random;
    return to * ((const tables *)routing->self)->each + 1;
}

static uint32_t header_for_host(const weft_routing *routing, uint32_t route, uint32_t host)
{
    uint32_t each = ((const tables *)routing->self)->each;
    return (route - 1) / each * each + host + 1;
}

static uint8_t port_of(const weft_routing *routing, uint32_t router, uint32_t route)
{
    const tables *it = routing->self;
    return it->port[(size_t)router * it->width + route - 1];
}

static bool header_valid(const weft_routing *routing, uint32_t router, uint32_t route)
{
    return route == 0 || (route <= ((const tables *)routing->self)->width &&
                          port_of(routing, router, route) != NONE);
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    const weft_topology *topology = routing->topology;
    uint32_t target = (here->header - 1) / ((const tables *)routing->self)->each;
    uint8_t port = port_of(routing, here->router, here->header);
    uint32_t next = topology->kind->peer(topology, here->router, port).router;
    (void)random;
    *out = (weft_candidate){.port = port,
                            .vcs = WEFT_VCS_OF(routing->plan.n_vcs),
                            .next_header = next == target ? 0 : here->header};
    return 1;
}

static double mean_hops(const weft_routing *routing, double minimal)
{
    return minimal * ((const tables *)routing->self)->stretch;
}

const weft_routing_kind weft_routing_tables = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "tables",
             .brief = "forwarding tables from a file or an imported fabric",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(tables)},
    .check = check,
    .build = build,
    .handles_faults = true,
    .done = done,
    .initial_header = initial_header,
    .header_for_host = header_for_host,
    .proof.header_valid = header_valid,
    .ports_wanted = 1,
    .assign_vcs = weft_assign_all_vcs,
    .candidates = candidates,
    .proof.mean_hops = mean_hops,
    .proof.input_independent = true,
    .proof.table_columns = table_columns,
};
