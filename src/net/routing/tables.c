/* SPDX-License-Identifier: Apache-2.0 */
/* Forwarding tables, as switches have them: which port leads to a destination. Read from a text file of lines
 *     router destination port
 * or from an imported fabric that has some. A word is the destination's router + 1. Every router with endpoints must reach
 * every other one; entries by which a packet would never arrive are forgotten. Whether the routes can stop each other is not
 * known here: `weft check` finds out. */
#include "base/memory.h"
#include "net/lanes.h"
#include "net/naming.h"
#include "net/routing.h"
#include "net/weftnet.h"

#include <stdlib.h>
#include <string.h>

#define NONE      WEFT_WEFTNET_NO_PORT
#define BYTES_MAX ((uint64_t)1 << 31) /* of the tables */

typedef struct settings {
    weft_file file;
} settings;

typedef struct tables {
    uint8_t *port;  /* [router × homes + destination], or NONE */
    double stretch; /* mean length of the routes ÷ that of minimal ones */
} tables;

static const weft_param params[] = {
    {.name = "file",
     .brief = "lines of `router destination port`; none: the tables of the imported fabric",
     .type = WEFT_PARAM_FILE,
     .offset = offsetof(settings, file),
     .fallback = "none"},
    {.name = NULL},
};

static weft_status check(const weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    const weft_weftnet *net = weft_weftnet_of(topology);
    uint64_t bytes = (uint64_t)topology->routers * topology->homes;
    if (!((const settings *)routing->settings)->file.text && !(net && net->table))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing.file must name the forwarding tables: %s has none of its own",
                         net ? "this fabric" : "this topology");
    if (topology->ports >= NONE || topology->exit > 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing tables works with links that lead both ways and routers of at "
                         "most %d ports",
                         NONE - 1);
    if (bytes > BYTES_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "forwarding tables from %u routers to %u take %.1f GiB; at most %.0f GiB "
                         "are used for them",
                         topology->routers, topology->homes, (double)bytes * 0x1p-30,
                         (double)BYTES_MAX * 0x1p-30);
    return WEFT_OK;
}

static uint32_t behind(const weft_topology *topology, uint32_t router, uint32_t port)
{
    return weft_topology_alive(topology, router, port)
               ? topology->kind->peer(topology, router, port).router
               : WEFT_NOWHERE;
}

static weft_status read_line(const weft_naming *naming, weft_lines *lines, void *user,
                             weft_error *err)
{
    tables *it = user;
    const weft_topology *topology = naming->topology;
    uint32_t router, to;
    uint64_t port;
    WEFT_TRY(weft_naming_read(naming, lines, "the first word", &router, err));
    WEFT_TRY(weft_naming_read(naming, lines, "the destination", &to, err));
    weft_word word = weft_lines_word(lines), more = weft_lines_word(lines);
    if (to >= topology->homes)
        return weft_lines_fail(lines, err,
                               "the destination must have endpoints, router %u has none", to);
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
    uint8_t *cell = &it->port[(size_t)router * topology->homes + to];
    if (*cell != NONE && *cell != port)
        return weft_lines_fail(lines, err,
                               "the table said port %d for this destination before, port %d now",
                               *cell, (int)port);
    *cell = (uint8_t)port;
    return WEFT_OK;
}

static weft_status read_text(const weft_routing *routing, tables *it, weft_error *err)
{
    const weft_file *file = &((const settings *)routing->settings)->file;
    return weft_naming_file(routing->topology, file, "a file of tables", read_line, it, err);
}

/* Follows the tables to one destination from everywhere; length[r]: hops from there, UINT32_MAX: it does not arrive. stack has room
 * for every router. */
static void follow(const weft_topology *topology, const tables *it, uint32_t to, uint32_t *length,
                   uint32_t *stack)
{
    const uint32_t unknown = UINT32_MAX - 1, lost = UINT32_MAX;
    for (uint32_t r = 0; r < topology->routers; r++)
        length[r] = unknown;
    length[to] = 0;
    for (uint32_t r = 0; r < topology->routers; r++) {
        uint32_t depth = 0, at = r;
        while (length[at] == unknown) {
            uint8_t port = it->port[(size_t)at * topology->homes + to];
            uint32_t next = port == NONE ? WEFT_NOWHERE : behind(topology, at, port);
            length[at] = lost; /* so a circle ends where it began */
            stack[depth++] = at;
            if (next == WEFT_NOWHERE)
                break;
            at = next;
        }
        uint32_t hops = length[at];
        while (depth > 0) {
            hops = hops == lost ? lost : hops + 1;
            length[stack[--depth]] = hops;
        }
    }
}

static weft_status miss(const weft_topology *topology, uint32_t from, uint32_t to, weft_error *err)
{
    char a[WEFT_NAME_BYTES], b[WEFT_NAME_BYTES];
    return weft_fail(err, WEFT_BAD_INPUT,
                     "the forwarding tables do not lead from router %s to router %s: an entry is "
                     "missing, a link is down, or they lead in a circle",
                     weft_naming_name(topology, from, a), weft_naming_name(topology, to, b));
}

static weft_status judge(const weft_topology *topology, tables *it, weft_error *err)
{
    uint32_t routers = topology->routers, homes = topology->homes;
    uint32_t *length = weft_alloc(2 * sizeof *length * routers);
    uint64_t sum = 0;
    weft_status status = WEFT_OK;
    for (uint32_t to = 0; to < homes && status == WEFT_OK; to++) {
        follow(topology, it, to, length, length + routers);
        for (uint32_t r = 0; r < routers; r++) {
            if (length[r] == UINT32_MAX || r == to)
                it->port[(size_t)r * homes + to] = NONE;
            if (r < homes && length[r] == UINT32_MAX && status == WEFT_OK)
                status = miss(topology, r, to, err);
            sum += r < homes && length[r] != UINT32_MAX ? length[r] : 0;
        }
    }
    free(length);
    double pairs = (double)homes * (homes - 1.0);
    double minimal = pairs > 0 ? topology->kind->mean_distance(topology) : 0;
    it->stretch = minimal > 0 ? (double)sum / pairs / minimal : 1;
    return status;
}

static void done(weft_routing *routing)
{
    tables *it = routing->self;
    free(it->port);
    it->port = NULL;
}

static weft_status build(weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    const weft_weftnet *net = weft_weftnet_of(topology);
    tables *it = routing->self;
    size_t bytes = (size_t)topology->routers * topology->homes;
    weft_status status = WEFT_OK;
    it->port = weft_alloc(bytes);
    memset(it->port, NONE, bytes);
    if (((const settings *)routing->settings)->file.text)
        status = read_text(routing, it, err);
    else
        memcpy(it->port, net->table, bytes);
    if (status == WEFT_OK)
        status = judge(topology, it, err);
    if (status != WEFT_OK)
        done(routing);
    return status;
}

static uint32_t start(const weft_routing *routing, uint32_t from, uint32_t to, weft_random *random)
{
    (void)routing, (void)from, (void)random;
    return to + 1;
}

static uint8_t port_of(const weft_routing *routing, uint32_t router, uint32_t route)
{
    const tables *it = routing->self;
    return it->port[(size_t)router * routing->topology->homes + route - 1];
}

static bool sound(const weft_routing *routing, uint32_t router, uint32_t route)
{
    return route == 0 ||
           (route <= routing->topology->homes && port_of(routing, router, route) != NONE);
}

static unsigned hops(const weft_routing *routing, const weft_here *here, weft_random *random,
                     weft_hop *out)
{
    const weft_topology *topology = routing->topology;
    uint8_t port = port_of(routing, here->router, here->route);
    uint32_t next = topology->kind->peer(topology, here->router, port).router;
    (void)random;
    *out = (weft_hop){.port = port,
                      .lanes = WEFT_LANES_OF(routing->plan.lanes),
                      .after = next == here->route - 1 ? 0 : here->route};
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
    .heeds_faults = true,
    .done = done,
    .start = start,
    .sound = sound,
    .ways_wanted = 1,
    .share = weft_lanes_share_whole,
    .hops = hops,
    .mean_hops = mean_hops,
    .blind = true,
    .addressed = true,
};
