/* SPDX-License-Identifier: Apache-2.0 */
/* Hamiltonian cycles (Rexford & Shin, section 5.3): a packet stays on one of the four one-way
 * cycles of a k×k torus, the one with the fewest hops to its destination (ties are random). Packets
 * of one input link leave by one output link, so packets of different links never meet. With
 * `detour` cycles are used only where they are at most `detour` times as long as a minimal route;
 * other packets go in dimension order.
 *
 * A header with the highest bit set holds the cycle in the two bits below it and the hops left in
 * the rest; else it is the topology's. Every cycle is a ring with a dateline after its last place.
 * With finite buffers the two sorts of packets have VCs of their own, divided as those of any
 * ring. */
#include "net/topology/common/hamiltonian.h"

#include "net/routing.h"
#include "net/routing/common/vc_plan.h"

#include <assert.h>

enum { ON_CYCLE = 31, CYCLE = 29, K_MAX = 63, DIRECT = 0, ROUND = 1 };

typedef struct settings {
    double detour;
} settings;

typedef struct cycles {
    uint32_t k;
    uint8_t port[2][2]; /* dimension, backwards */
    uint32_t longest;
} cycles;

typedef struct choice { /* the shortest cycles between two routers */
    uint32_t hops, count, cycle[WEFT_CYCLES_OF_A_TORUS];
} choice;

static const weft_param params[] = {
    {.name = "detour",
     .brief = "packets whose cycle is more than so many times as long as a minimal route go in "
              "dimension order instead; none: all follow a cycle",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(settings, detour),
     .fallback = "none",
     .min = 1,
     .max = 1e6},
    {.name = NULL},
};

static bool mixes(const weft_routing *routing)
{
    return ((const settings *)routing->settings)->detour != WEFT_NONE_REAL;
}

static weft_status check(const weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    const weft_lattice *lattice = &topology->lattice;
    bool square = lattice->dims == 2 && !lattice->full && lattice->size[0] == lattice->size[1];
    bool closed = square && lattice->wraps[0] && lattice->wraps[1] && lattice->size[0] >= 3;
    if (!closed || lattice->size[0] > K_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing hamiltonian needs a torus of k × k routers, k from 3 to %d, as "
                         "topology: {kind: torus, dims: [16, 16]}",
                         (int)K_MAX);
    if (topology->faults)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing hamiltonian needs every link of its cycles: leave out faults, or "
                         "use routing up-down");
    return WEFT_OK;
}

static choice choose(const cycles *self, uint32_t from, uint32_t to)
{
    choice best = {.hops = UINT32_MAX};
    for (uint32_t c = 0; c < WEFT_CYCLES_OF_A_TORUS; c++) {
        uint32_t hops = weft_cycle_hops(self->k, c, from, to);
        if (hops < best.hops)
            best = (choice){.hops = hops};
        if (hops == best.hops)
            best.cycle[best.count++] = c;
    }
    return best;
}

/* Does a packet take a minimal route instead? */
static bool direct(const weft_routing *routing, uint32_t from, uint32_t to, const choice *best)
{
    const weft_topology *topology = routing->topology;
    double most = ((const settings *)routing->settings)->detour;
    return mixes(routing) && best->hops > most * topology->kind->distance(topology, from, to);
}

/* Ports of the four directions, and the longest of all routes (63⁴ at most). */
static weft_status build(weft_routing *routing, weft_error *err)
{
    cycles *self = routing->self;
    const weft_topology *topology = routing->topology;
    const weft_lattice *lattice = &topology->lattice;
    (void)err;
    self->k = lattice->size[0];
    for (uint32_t p = 0; p < topology->ports; p++)
        self->port[lattice->port_dim[p]][lattice->port_step[p] < 0] = (uint8_t)p;
    for (uint32_t from = 0; from < topology->routers; from++)
        for (uint32_t to = 0; to < topology->routers; to++) {
            uint32_t least = topology->kind->distance(topology, from, to);
            choice best = choose(self, from, to);
            uint32_t taken = direct(routing, from, to, &best) ? least : best.hops;
            self->longest = taken > self->longest ? taken : self->longest;
        }
    return WEFT_OK;
}

static uint32_t word_of(uint32_t cycle, uint32_t hops)
{
    return 1u << ON_CYCLE | cycle << CYCLE | hops;
}

static bool on_cycle(uint32_t word)
{
    return word >> ON_CYCLE;
}

static uint32_t cycle_of(uint32_t word)
{
    return word >> CYCLE & 3;
}

static uint32_t hops_of(uint32_t word)
{
    return word & ((1u << CYCLE) - 1);
}

static uint32_t initial_header(const weft_routing *routing, uint32_t from, uint32_t to,
                               weft_random *random)
{
    const weft_topology *topology = routing->topology;
    choice best = choose(routing->self, from, to);
    if (direct(routing, from, to, &best))
        return topology->kind->make_header(topology, from, to, random);
    uint32_t which = best.count > 1 && random ? weft_random_below(random, best.count) : 0;
    return word_of(best.cycle[which], best.hops);
}

static uint32_t initial_headers(const weft_routing *routing, uint32_t from, uint32_t to,
                                void (*each)(void *user, uint32_t word), void *user)
{
    const weft_topology *topology = routing->topology;
    choice best = choose(routing->self, from, to);
    if (!direct(routing, from, to, &best)) {
        for (uint32_t i = 0; i < best.count; i++)
            each(user, word_of(best.cycle[i], best.hops));
        return best.count;
    }
    uint32_t words[WEFT_HEADERS_MAX];
    unsigned count = topology->kind->all_headers(topology, from, to, words);
    for (unsigned i = 0; i < count; i++)
        each(user, words[i]);
    return count;
}

static bool header_valid(const weft_routing *routing, uint32_t router, uint32_t word)
{
    const cycles *self = routing->self;
    const weft_topology *topology = routing->topology;
    if (on_cycle(word))
        return hops_of(word) >= 1 && hops_of(word) < self->k * self->k;
    if (word != 0 && !mixes(routing))
        return false;
    return !topology->kind->header_valid || topology->kind->header_valid(topology, router, word);
}

static uint32_t hops_left(const weft_routing *routing, uint32_t word)
{
    weft_minimal_port ways[2];
    if (on_cycle(word))
        return hops_of(word);
    unsigned count = routing->topology->kind->minimal_ports(routing->topology, 0, word, 2, ways);
    return (count > 0 ? ways[0].hops : 0u) + (count > 1 ? ways[1].hops : 0u);
}

static uint32_t max_hops(const weft_routing *routing)
{
    return ((const cycles *)routing->self)->longest;
}

static double path_length(const weft_routing *routing, uint32_t from, uint32_t to)
{
    const weft_topology *topology = routing->topology;
    choice best = choose(routing->self, from, to);
    return direct(routing, from, to, &best) ? topology->kind->distance(topology, from, to)
                                            : best.hops;
}

/* The way on, as the topology says it for packets that go minimally. */
static weft_minimal_port find(const weft_routing *routing, uint32_t router, uint32_t word)
{
    const cycles *self = routing->self;
    const weft_topology *topology = routing->topology;
    weft_minimal_port way;
    if (!on_cycle(word)) {
        (void)topology->kind->minimal_ports(topology, router, word, 1, &way);
        return way;
    }
    weft_cycle_step next = weft_cycle_next(self->k, cycle_of(word), router);
    uint32_t hops = hops_of(word);
    return (weft_minimal_port){.port = self->port[next.dim][next.step < 0],
                               .hops = (uint16_t)hops,
                               .next_header = hops > 1 ? word - 1 : 0,
                               .dim = (uint16_t)next.dim};
}

static weft_status assign_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    uint32_t parts = mixes(routing) ? 2 : 1, least = 2 * parts;
    assert(routing->topology->max_vc_classes == 2);
    if (vcs < least)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.vcs must be at least %u for routing hamiltonian%s (packets that "
                         "will pass the dateline of a cycle and those that will not use different "
                         "ones), found %u",
                         least, parts > 1 ? " with detour" : "", vcs);
    routing->plan = (weft_vc_plan){.n_vcs = vcs};
    weft_assign_phase(routing, ROUND, 0, vcs / parts);
    if (parts > 1)
        weft_assign_phase(routing, DIRECT, vcs / parts, vcs - vcs / parts);
    return WEFT_OK;
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    const cycles *self = routing->self;
    weft_minimal_port way = find(routing, here->router, here->header);
    (void)random;
    if (!on_cycle(here->header)) {
        weft_vcs_put(&way, weft_phase_vcs(routing, DIRECT, here->router, &way), out);
        return 1;
    }
    uint32_t place = weft_cycle_place(self->k, cycle_of(here->header), here->router);
    bool passes = place + way.hops >= self->k * self->k;
    weft_vcs_put(&way, routing->plan.by_class[ROUND][2][passes ? 0 : 1], out);
    return 1;
}

const weft_routing_kind weft_routing_hamiltonian = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "hamiltonian",
             .brief = "along the shortest of the four Hamiltonian cycles of a k×k torus",
             .params = params,
             .settings_size = sizeof(settings),
             .instance_size = sizeof(cycles)},
    .check = check,
    .build = build,
    .initial_header = initial_header,
    .proof.initial_headers = initial_headers,
    .proof.header_valid = header_valid,
    .proof.hops_left = hops_left,
    .proof.max_hops = max_hops,
    .proof.path_length = path_length,
    .ports_wanted = 1,
    .assign_vcs = assign_vcs,
    .candidates = candidates,
    .proof.input_independent = true,
};
