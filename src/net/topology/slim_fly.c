/* SPDX-License-Identifier: Apache-2.0 */
/* A Slim Fly (Besta and Hoefler 2014) on the graphs of McKay, Miller and Širáň (1998; Hafner 2004):
 * 2 q² routers, two hops at most, for prime powers q = 4 w + δ, δ = −1, 0 or 1, and (3 q − δ) / 2
 * ports.
 *
 * Router (s, x, y) is s q² + x q + y, s = 0 or 1, x and y in the field of q elements. With a set of
 * generators S₀, S₁ for each half, (s, x, y) is joined to (s, x, y + g) for g in Sₛ, and (0, x, y)
 * to (1, m, c) if y = m x + c. Ports: one for each generator, then one for each x of the other
 * half.
 *
 * The route header is the destination router + 1; the VC class is the number of hops after the next
 * one. */
#include "net/topology.h"
#include "net/topology/common/galois.h"
#include "net/topology/common/ways.h"

#include <assert.h>

typedef struct settings {
    int64_t q, hosts;
} settings;

static const weft_param params[] = {
    {.name = "q",
     .brief = "a prime power 3, 4, 5, 7, 8, 9, 11 …; there are 2 q² routers of about 1.5 q ports",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, q),
     .min = 3,
     .max = 680},
    {.name = "hosts",
     .brief = "endpoints at every router",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, hosts),
     .fallback = "1",
     .min = 1,
     .max = WEFT_PORTS_MAX},
    {.name = NULL},
};

#define NONE UINT16_MAX

typedef struct fly {
    weft_galois field;
    uint32_t q, n_generators;                /* of each half */
    uint16_t generators[2][WEFT_GALOIS_MAX]; /* of a port */
    uint16_t port[2][WEFT_GALOIS_MAX];       /* of an element; NONE: it is no generator */
} fly;

typedef struct place {
    uint32_t s, x, y;
} place;

static place split(const fly *self, uint32_t router)
{
    uint32_t line = router / self->q, s = line >= self->q;
    return (place){s, line - s * self->q, router - line * self->q};
}

static uint32_t join(const fly *self, place at)
{
    return (at.s * self->q + at.x) * self->q + at.y;
}

static void add_power(fly *self, uint32_t s, uint32_t exponent, uint32_t *count)
{
    uint16_t element = self->field.power[exponent % (self->q - 1)];
    self->port[s][element] = (uint16_t)*count;
    self->generators[s][(*count)++] = element;
}

/* Even powers of a primitive element for one half, odd ones for the other; where −1 is no even
 * power (δ = −1) the second half of the exponents is exchanged. */
static void set_generators(fly *self)
{
    uint32_t q = self->q, w = (q + 1) / 4;
    for (uint32_t s = 0; s < 2; s++) {
        uint32_t count = 0;
        for (uint32_t e = 0; e < q; e++)
            self->port[s][e] = NONE;
        if (q % 4 == 3) {
            for (uint32_t i = 0; i < w; i++)
                add_power(self, s, 2 * i + s, &count);
            for (uint32_t i = 0; i < w; i++)
                add_power(self, s, 2 * w - 1 + 2 * i + s, &count);
        } else {
            for (uint32_t i = 0; i < q / 2; i++)
                add_power(self, s, 2 * i + s, &count);
        }
        self->n_generators = count;
    }
}

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const settings *set = given;
    fly *self = topology->self;
    self->q = (uint32_t)set->q;
    if (!weft_galois_init(&self->field, self->q))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.q must be a prime or a power of one (3, 4, 5, 7, 8, 9, 11, 13, "
                         "16 …), found %u",
                         self->q);
    set_generators(self);
    topology->routers = 2 * self->q * self->q;
    topology->concentration = (uint32_t)set->hosts;
    topology->ports = self->n_generators + self->q;
    topology->links = (uint64_t)topology->routers * topology->ports;
    topology->header_bits = weft_ways_bits(topology->routers);
    topology->max_vc_classes = 2;
    topology->proof.hop_indexed_vcs = true;
    /* by x in both halves: a router's neighbours of its own half have its x, those of the other
     * half all values of it */
    topology->cut = (weft_topology_cut){
        .n_rows = 2, .row = {0, self->q * self->q}, .n_units = 1, .unit = {self->q}};
    return WEFT_OK;
}

/* The router joined to (s, x, y) that has x = to in the other half. */
static place opposite(const fly *self, place at, uint32_t to)
{
    uint32_t product = weft_galois_multiply(&self->field, at.x, to);
    return (place){1 - at.s, to,
                   at.s == 0 ? weft_galois_subtract(&self->field, at.y, product)
                             : weft_galois_add(&self->field, at.y, product)};
}

static place behind(const fly *self, place at, uint32_t port)
{
    if (port >= self->n_generators)
        return opposite(self, at, port - self->n_generators);
    return (place){at.s, at.x, weft_galois_add(&self->field, at.y, self->generators[at.s][port])};
}

/* The port that leads from one router to another; NONE: no port does. */
static uint32_t port_to(const fly *self, place from, place to)
{
    if (from.s != to.s)
        return opposite(self, from, to.x).y == to.y ? self->n_generators + to.x : NONE;
    if (from.x != to.x)
        return NONE;
    return self->port[from.s][weft_galois_subtract(&self->field, to.y, from.y)];
}

static weft_end peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    const fly *self = topology->self;
    place at = split(self, router), to = behind(self, at, port);
    return (weft_end){.router = join(self, to), .port = port_to(self, to, at)};
}

static uint32_t distance(const weft_topology *topology, uint32_t from, uint32_t to)
{
    const fly *self = topology->self;
    if (from == to)
        return 0;
    return port_to(self, split(self, from), split(self, to)) != NONE ? 1 : 2;
}

static double mean_distance(const weft_topology *topology)
{
    return 2 - topology->ports / (topology->routers - 1.0);
}

static uint32_t make_header(const weft_topology *topology, uint32_t from, uint32_t to,
                            weft_random *tie)
{
    (void)topology, (void)tie; /* ways share the load instead */
    return from == to ? 0 : to + 1;
}

/* The ports of the first of two hops, ascending; returns their number. Within a half lines of one x
 * are joined by the router of the other half on both of them; from half to half the second
 * coordinate is wrong by a generator of one of the two. */
static unsigned list_ways(const fly *self, place at, place to, uint16_t *ports)
{
    const weft_galois *field = &self->field;
    unsigned found = 0;
    if (at.s == to.s && at.x != to.x) {
        uint32_t rise = at.s == 0 ? weft_galois_subtract(field, at.y, to.y)
                                  : weft_galois_subtract(field, to.y, at.y);
        uint32_t run = weft_galois_subtract(field, at.x, to.x);
        ports[found++] = (uint16_t)(self->n_generators + weft_galois_divide(field, rise, run));
        return found;
    }
    uint32_t y = at.s == to.s ? at.y : opposite(self, at, to.x).y;
    uint32_t wrong = weft_galois_subtract(field, to.y, y);
    for (uint32_t p = 0; at.s == to.s && p < self->n_generators; p++)
        if (self->port[at.s][weft_galois_subtract(field, wrong, self->generators[at.s][p])] != NONE)
            ports[found++] = (uint16_t)p;
    if (at.s != to.s && self->port[at.s][wrong] != NONE)
        ports[found++] = self->port[at.s][wrong];
    if (at.s != to.s && self->port[to.s][wrong] != NONE)
        ports[found++] = (uint16_t)(self->n_generators + to.x);
    return found;
}

static unsigned minimal_ports(const weft_topology *topology, uint32_t router, uint32_t route,
                              unsigned most, weft_minimal_port *out)
{
    const fly *self = topology->self;
    uint16_t ports[WEFT_PORTS_MAX];
    if (route == 0)
        return 0;
    place at = split(self, router), to = split(self, route - 1);
    uint32_t direct = port_to(self, at, to);
    if (direct != NONE) {
        ports[0] = (uint16_t)direct;
        return weft_ways_put(ports, 1, 0, 1, route, most, out);
    }
    unsigned found = list_ways(self, at, to, ports);
    assert(found > 0);
    return weft_ways_put(ports, found, (router + route) % found, 2, route, most, out);
}

static bool header_valid(const weft_topology *topology, uint32_t router, uint32_t route)
{
    return weft_ways_sound(topology->routers, router, route);
}

static uint32_t diameter(const weft_topology *topology)
{
    (void)topology;
    return 2;
}

const weft_topology_kind weft_topology_slim_fly = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_topology_kind),
             .name = "slim-fly",
             .brief =
                 "as many routers as two hops can join, nearly (McKay, Miller and Širáň's graphs)",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(fly)},
    .build = build,
    .peer = peer,
    .distance = distance,
    .mean_distance = mean_distance,
    .make_header = make_header,
    .minimal_ports = minimal_ports,
    .vc_class = weft_ways_vc,
    .header_valid = header_valid,
    .closed_form.diameter = diameter,
};
