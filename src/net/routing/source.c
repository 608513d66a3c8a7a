/* SPDX-License-Identifier: Apache-2.0 */
/* Source routing: the whole route of a packet is fixed at injection. Read from a text file of lines
 *     from to port port …
 *     from to via router router …      (the routers between; of parallel cables the first)
 * Several lines for one pair are equally likely. Every pair of edge routers needs one; a route has
 * at most 255 hops, all together at most 2³² − 2.
 *
 * All routes are stored in one array of hops; a packet's header is its index there, + 1. */
#include "base/memory.h"
#include "net/naming.h"
#include "net/routing.h"
#include "net/routing/common/vc_plan.h"

#include <stdlib.h>
#include <string.h>

#define HOPS_MAX  255u
#define BYTES_MAX ((uint64_t)1 << 32) /* of all hops and routes */

typedef struct settings {
    weft_file file;
} settings;

typedef struct step {
    uint32_t router; /* where the packet is, for words that nobody vouches for */
    uint16_t port;
    uint16_t last; /* behind it the packet has arrived */
} step;

typedef struct route {
    uint32_t from, to;
    uint32_t first; /* of its steps */
    uint32_t line;  /* keeps the order of the file */
} route;

typedef struct routes {
    step *steps;
    size_t n_steps, step_room;
    route *routes; /* by from, to and line */
    size_t n_routes, room;
    double stretch; /* mean length ÷ that of minimal routes */
} routes;

static const weft_param params[] = {
    {.name = "file",
     .brief = "lines of `from to port port …` or `from to via router router …`",
     .type = WEFT_PARAM_FILE,
     .offset = offsetof(settings, file)},
    {.name = NULL},
};

static weft_status check(const weft_routing *routing, weft_error *err)
{
    if (routing->topology->egress_offset > 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing source needs links that lead both ways, those of a %s lead one "
                         "way: use routing dimension-order",
                         routing->topology->kind->base.name);
    return WEFT_OK;
}

static void add_step(routes *it, uint32_t router, uint32_t port)
{
    if (it->n_steps == it->step_room) {
        it->step_room = it->step_room ? 2 * it->step_room : 1024;
        it->steps = weft_realloc(it->steps, it->step_room, sizeof *it->steps);
    }
    it->steps[it->n_steps++] = (step){.router = router, .port = (uint16_t)port};
}

static void add_route(routes *it, route one)
{
    if (it->n_routes == it->room) {
        it->room = it->room ? 2 * it->room : 256;
        it->routes = weft_realloc(it->routes, it->room, sizeof *it->routes);
    }
    it->routes[it->n_routes++] = one;
}

/* The first port that leads from one router to another; false: there is none. */
static bool find_port(const weft_topology *topology, uint32_t from, uint32_t to, uint32_t *port)
{
    for (*port = 0; *port < topology->ports; ++*port)
        if (topology->kind->peer(topology, from, *port).router == to &&
            weft_topology_alive(topology, from, *port))
            return true;
    return false;
}

/* A hop through a port that a word names; *at moves on. */
static weft_status take_port(const weft_topology *topology, weft_lines *lines, weft_word word,
                             routes *it, uint32_t *at, weft_error *err)
{
    uint64_t port;
    char name[WEFT_NAME_BYTES];
    if (topology->ports == 0 || !weft_word_number(word, topology->ports - 1, &port))
        return weft_lines_fail(lines, err,
                               "a route is made of ports, 0 … %d here (or of `via` and routers), "
                               "found '%.*s'",
                               (int)topology->ports - 1, WEFT_WORD(word));
    uint32_t next = topology->kind->peer(topology, *at, (uint32_t)port).router;
    if (next == WEFT_NOWHERE || !weft_topology_alive(topology, *at, (uint32_t)port))
        return weft_lines_fail(lines, err,
                               "nothing is attached to port %d of router %s, or its link is down",
                               (int)port, weft_naming_name(topology, *at, name));
    add_step(it, *at, (uint32_t)port);
    *at = next;
    return WEFT_OK;
}

static weft_status take_router(const weft_topology *topology, const weft_lines *lines,
                               uint32_t next, routes *it, uint32_t *at, weft_error *err)
{
    uint32_t port;
    char a[WEFT_NAME_BYTES], b[WEFT_NAME_BYTES];
    if (!find_port(topology, *at, next, &port))
        return weft_lines_fail(lines, err, "no link that is up leads from router %s to router %s",
                               weft_naming_name(topology, *at, a),
                               weft_naming_name(topology, next, b));
    add_step(it, *at, port);
    *at = next;
    return WEFT_OK;
}

/* The routers after `via`, and the last hop. */
static weft_status read_via(const weft_naming *naming, weft_lines *lines, uint32_t to, routes *it,
                            uint32_t *at, weft_error *err)
{
    weft_lines ahead = *lines;
    while (weft_lines_word(&ahead).at) {
        uint32_t next;
        WEFT_TRY(weft_naming_read(naming, lines, "what comes after `via`", &next, err));
        WEFT_TRY(take_router(naming->topology, lines, next, it, at, err));
        ahead = *lines;
    }
    return take_router(naming->topology, lines, to, it, at, err);
}

static weft_status read_hops(const weft_naming *naming, weft_lines *lines, uint32_t to, routes *it,
                             uint32_t *at, weft_error *err)
{
    weft_word word = weft_lines_word(lines);
    if (weft_word_is(word, "via"))
        return read_via(naming, lines, to, it, at, err);
    for (; word.at; word = weft_lines_word(lines))
        WEFT_TRY(take_port(naming->topology, lines, word, it, at, err));
    return WEFT_OK;
}

static weft_status read_line(const weft_naming *naming, weft_lines *lines, void *user,
                             weft_error *err)
{
    routes *it = user;
    const weft_topology *topology = naming->topology;
    uint32_t from, to;
    size_t first = it->n_steps;
    char here[WEFT_NAME_BYTES], there[WEFT_NAME_BYTES];
    WEFT_TRY(weft_naming_read(naming, lines, "the first word", &from, err));
    WEFT_TRY(weft_naming_read(naming, lines, "the second word", &to, err));
    if (from == to || from >= topology->edge_routers || to >= topology->edge_routers)
        return weft_lines_fail(lines, err, "a route joins two different routers with endpoints");
    uint32_t at = from;
    WEFT_TRY(read_hops(naming, lines, to, it, &at, err));
    if (at != to)
        return weft_lines_fail(lines, err, "this route ends at router %s, not at router %s",
                               weft_naming_name(topology, at, here),
                               weft_naming_name(topology, to, there));
    if (it->n_steps - first > HOPS_MAX)
        return weft_lines_fail(lines, err, "a route has at most %u hops, found %zu", HOPS_MAX,
                               it->n_steps - first);
    if (it->n_steps * sizeof(step) + it->n_routes * sizeof(route) > BYTES_MAX)
        return weft_lines_fail(lines, err, "up to here routes take %.0f GiB, the most they may",
                               (double)BYTES_MAX * 0x1p-30);
    it->steps[it->n_steps - 1].last = 1;
    add_route(
        it,
        (route){.from = from, .to = to, .first = (uint32_t)first, .line = (uint32_t)lines->line});
    return WEFT_OK;
}

static weft_status read_text(const weft_routing *routing, routes *it, weft_error *err)
{
    const weft_file *file = &((const settings *)routing->settings)->file;
    return weft_naming_file(routing->topology, file, "a file of routes", read_line, it, err);
}

static int by_pair(const void *a, const void *b)
{
    const route *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* The first route of a pair or of one behind it. */
static size_t find(const routes *it, uint32_t from, uint32_t to)
{
    size_t low = 0, high = it->n_routes;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const route *one = &it->routes[middle];
        if (one->from < from || (one->from == from && one->to < to))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The routes of a pair: how many, and from which on. */
static size_t alternatives(const routes *it, uint32_t from, uint32_t to, size_t *first)
{
    size_t count = 0;
    *first = find(it, from, to);
    while (*first + count < it->n_routes && it->routes[*first + count].from == from &&
           it->routes[*first + count].to == to)
        count++;
    return count;
}

static uint32_t length_of(const routes *it, const route *one)
{
    uint32_t hops = 1;
    while (!it->steps[one->first + hops - 1].last)
        hops++;
    return hops;
}

static weft_status judge(const weft_topology *topology, routes *it, weft_error *err)
{
    double sum = 0, pairs = (double)topology->edge_routers * (topology->edge_routers - 1.0);
    size_t at = 0;
    if (it->n_routes > 0)
        qsort(it->routes, it->n_routes, sizeof *it->routes, by_pair);
    for (uint32_t from = 0; from < topology->edge_routers; from++)
        for (uint32_t to = 0; to < topology->edge_routers; to++) {
            char a[WEFT_NAME_BYTES], b[WEFT_NAME_BYTES];
            double hops = 0;
            size_t count = 0;
            for (; at < it->n_routes && it->routes[at].from == from && it->routes[at].to == to;
                 at++) {
                hops += length_of(it, &it->routes[at]);
                count++;
            }
            if (from != to && count == 0)
                return weft_fail(err, WEFT_BAD_INPUT,
                                 "routing.file has no route from router %s to router %s; every "
                                 "pair of routers with endpoints needs one",
                                 weft_naming_name(topology, from, a),
                                 weft_naming_name(topology, to, b));
            sum += from != to ? hops / (double)count : 0;
        }
    double minimal = pairs > 0 ? topology->kind->mean_distance(topology) : 0;
    it->stretch = minimal > 0 ? sum / pairs / minimal : 1;
    return WEFT_OK;
}

static void done(weft_routing *routing)
{
    routes *it = routing->self;
    free(it->steps);
    free(it->routes);
    *it = (routes){0};
}

static weft_status build(weft_routing *routing, weft_error *err)
{
    routes *it = routing->self;
    weft_status status = read_text(routing, it, err);
    if (status == WEFT_OK)
        status = judge(routing->topology, it, err);
    if (status != WEFT_OK)
        done(routing);
    return status;
}

static uint32_t initial_header(const weft_routing *routing, uint32_t from, uint32_t to,
                               weft_random *random)
{
    const routes *it = routing->self;
    size_t first, count = alternatives(it, from, to, &first);
    size_t chosen = random && count > 1 ? weft_random_below(random, (uint32_t)count) : 0;
    return it->routes[first + chosen].first + 1;
}

static uint32_t initial_headers(const weft_routing *routing, uint32_t from, uint32_t to,
                                void (*each)(void *user, uint32_t word), void *user)
{
    const routes *it = routing->self;
    size_t first, count = alternatives(it, from, to, &first);
    for (size_t i = 0; i < count; i++)
        each(user, it->routes[first + i].first + 1);
    return (uint32_t)count;
}

static bool header_valid(const weft_routing *routing, uint32_t router, uint32_t word)
{
    const routes *it = routing->self;
    return word == 0 || (word <= it->n_steps && it->steps[word - 1].router == router);
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    const step *at = &((const routes *)routing->self)->steps[here->header - 1];
    (void)random;
    *out = (weft_candidate){.port = at->port,
                            .vcs = WEFT_VCS_OF(routing->plan.n_vcs),
                            .next_header = at->last ? 0 : here->header + 1};
    return 1;
}

static double mean_hops(const weft_routing *routing, double minimal)
{
    return minimal * ((const routes *)routing->self)->stretch;
}

const weft_routing_kind weft_routing_source = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "source",
             .brief = "the routes of a file, known when a packet starts",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(routes)},
    .check = check,
    .build = build,
    .handles_faults = true,
    .done = done,
    .initial_header = initial_header,
    .proof.header_valid = header_valid,
    .proof.initial_headers = initial_headers,
    .ports_wanted = 1,
    .assign_vcs = weft_assign_all_vcs,
    .candidates = candidates,
    .proof.input_independent = true,
    .proof.mean_hops = mean_hops,
};
