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
#include "net/routing/common/forwarding.h"
#include "net/routing/common/vc_plan.h"

#include <stdlib.h>
#include <string.h>

#define NONE WEFT_WEFTNET_NO_PORT

typedef struct settings {
    weft_file file;
} settings;

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

static weft_status check(const weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    const weft_weftnet *net = weft_weftnet_of(topology);
    if (!((const settings *)routing->settings)->file.text && !(net && net->table) &&
        !weft_forwarding_has_lft(topology))
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

/* What a file says, before its lines are one table. */
typedef struct reading {
    weft_forwarding *it; /* of routers */
    uint8_t *host;       /* [router × endpoints + endpoint]; NULL: no line has named an endpoint */
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
    WEFT_TRY(weft_forwarding_check_size(topology, endpoints, " endpoints", err));
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
static void join_lines(const weft_topology *topology, weft_forwarding *it, uint8_t *host)
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
    it->paths = 1;
}

static weft_status read_text(weft_routing *routing, weft_forwarding *it, weft_error *err)
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

static void done(weft_routing *routing)
{
    weft_forwarding_done(routing->self);
}

static void table_columns(const weft_routing *routing, uint32_t to, uint32_t count, uint8_t *out)
{
    weft_forwarding_columns(routing->self, routing->topology, to, count, out);
}

static weft_status build(weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    const weft_weftnet *net = weft_weftnet_of(topology);
    weft_forwarding *it = routing->self;
    size_t bytes = (size_t)topology->routers * topology->edge_routers;
    WEFT_TRY(weft_forwarding_check_size(topology, topology->edge_routers, "", err));
    it->width = topology->edge_routers;
    it->each = 1;
    it->paths = 1;
    weft_status status = WEFT_OK;
    if (((const settings *)routing->settings)->file.text) {
        it->port = it->own = weft_alloc(bytes);
        memset(it->own, NONE, bytes);
        status = read_text(routing, it, err);
    } else if (net->table) {
        it->port = net->table;
    } else {
        status = weft_forwarding_take_lft(it, topology, false, err);
        routing->by_host = true;
    }
    if (status == WEFT_OK)
        status = weft_forwarding_judge(it, topology, err);
    if (status != WEFT_OK)
        done(routing);
    return status;
}

static uint32_t initial_header(const weft_routing *routing, uint32_t from, uint32_t to,
                               weft_random *random)
{
    (void)from, (void)random;
    return to * ((const weft_forwarding *)routing->self)->each + 1;
}

static uint32_t header_for_host(const weft_routing *routing, uint32_t route, uint32_t host)
{
    uint32_t each = ((const weft_forwarding *)routing->self)->each;
    return (route - 1) / each * each + host + 1;
}

static uint8_t port_of(const weft_routing *routing, uint32_t router, uint32_t route)
{
    const weft_forwarding *it = routing->self;
    return it->port[(size_t)router * it->width + route - 1];
}

static bool header_valid(const weft_routing *routing, uint32_t router, uint32_t route)
{
    return route == 0 || (route <= ((const weft_forwarding *)routing->self)->width &&
                          port_of(routing, router, route) != NONE);
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    const weft_topology *topology = routing->topology;
    uint32_t target = (here->header - 1) / ((const weft_forwarding *)routing->self)->each;
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
    return minimal * ((const weft_forwarding *)routing->self)->stretch;
}

const weft_routing_kind weft_routing_tables = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "tables",
             .brief = "forwarding tables from a file or an imported fabric",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(weft_forwarding)},
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
