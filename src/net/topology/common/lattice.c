/* SPDX-License-Identifier: Apache-2.0 */
#include "net/topology/common/lattice.h"

#include <string.h>

const char *const weft_tie_names[] = {"random", "positive", "negative", "wrap", NULL};

#define HOPS_MAX 2047u /* a packet counts its hops in 11 bits */

/* Farthest coordinate difference a minimal route takes along an axis. */
static uint32_t reach(uint32_t size, bool wraps)
{
    return wraps ? size / 2 : size - 1;
}

/* Of an axis' field in the route header. */
static unsigned field_bits(uint32_t size, bool wraps)
{
    return size == 2 ? 1 : weft_grid_bits(reach(size, wraps) + 1) + 1;
}

static weft_status check(const weft_lattice_plan *plan, weft_error *err)
{
    uint32_t bits = 0, diameter = 0;
    WEFT_TRY(weft_grid_check(plan->dims, plan->hosts, err));
    for (int32_t d = 0; d < plan->dims->count; d++) {
        bits += field_bits((uint32_t)plan->dims->at[d], plan->wraps);
        diameter += reach((uint32_t)plan->dims->at[d], plan->wraps);
    }
    WEFT_TRY(weft_grid_check_bits(bits, err));
    if (diameter > HOPS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the longest minimal path has %u hops, a packet can count %u", diameter,
                         HOPS_MAX);
    return WEFT_OK;
}

static void add_axis(weft_topology *topology, weft_lattice_self *self, uint32_t size, bool wraps)
{
    unsigned bits = field_bits(size, wraps);
    weft_grid_dimension *axis = weft_grid_add(topology, &self->grid, size, bits, size == 2 ? 1 : 2);
    axis->sign = size == 2 ? 2 : 1u << (bits - 1);
    axis->wraps = wraps;
    for (unsigned b = 0; b < bits; b++)
        self->field[axis->shift + b] =
            (weft_lattice_field){.all = axis->mask << axis->shift,
                                 .hops = (axis->mask & (axis->sign - 1)) << axis->shift,
                                 .one = 1u << axis->shift,
                                 .shift = (uint8_t)axis->shift,
                                 .dim = (uint8_t)(self->grid.dims - 1),
                                 .port = (uint8_t)axis->port,
                                 .ports = size == 2 ? 1 : 2};
    weft_lattice *lattice = &topology->lattice;
    lattice->wraps[self->grid.dims - 1] = wraps;
    lattice->port_step[axis->port] = 1;
    topology->peer_port[axis->port] = (uint16_t)axis->port;
    if (size > 2) {
        lattice->port_step[axis->port + 1] = -1;
        topology->peer_port[axis->port]++;
        topology->peer_port[axis->port + 1] = (uint16_t)axis->port;
    }
}

weft_status weft_lattice_build(weft_topology *topology, const weft_lattice_plan *plan,
                               weft_error *err)
{
    WEFT_TRY(check(plan, err));
    weft_lattice_self *self = topology->self;
    self->tie = plan->tie;
    for (int32_t d = 0; d < plan->dims->count; d++)
        add_axis(topology, self, (uint32_t)plan->dims->at[d], plan->wraps);
    WEFT_TRY(weft_grid_close(topology, &self->grid, plan->hosts, plan->global, err));
    topology->proof.vertex_transitive = plan->wraps;
    topology->proof.untied = true;
    for (uint32_t d = 0; d < self->grid.dims; d++) {
        uint64_t size = self->grid.axis[d].size, rings = topology->routers / size;
        topology->links += size == 2 ? 2 * rings : 2 * rings * (plan->wraps ? size : size - 1);
        if (size > 2 && plan->wraps)
            topology->max_vc_classes = 2;
        if (size > 2 && plan->wraps && size % 2 == 0 && plan->tie == WEFT_TIE_RANDOM)
            topology->proof.untied = false;
    }
    memset(topology->vc_classes, (int)topology->max_vc_classes, topology->ports);
    return WEFT_OK;
}

weft_end weft_lattice_peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    const weft_lattice_self *self = topology->self;
    const weft_grid_dimension *axis = weft_grid_axis(&self->grid, port);
    uint32_t at = weft_grid_coordinate(axis, router), base = router - at * axis->stride;
    if (axis->size == 2)
        return (weft_end){.router = base + (1 - at) * axis->stride, .port = port};
    bool up = port == axis->port;
    uint32_t last = axis->size - 1;
    if (!axis->wraps && at == (up ? last : 0))
        return (weft_end){.router = WEFT_NOWHERE, .port = 0};
    uint32_t to = up ? (at == last ? 0 : at + 1) : (at == 0 ? last : at - 1);
    return (weft_end){.router = base + to * axis->stride, .port = up ? port + 1 : port - 1};
}

/* Hops along an axis by the shorter way. */
static uint32_t gap(const weft_grid_dimension *axis, uint32_t from, uint32_t to)
{
    uint32_t direct = from < to ? to - from : from - to;
    return axis->wraps && axis->size - direct < direct ? axis->size - direct : direct;
}

uint32_t weft_lattice_distance(const weft_topology *topology, uint32_t from, uint32_t to)
{
    const weft_lattice_self *self = topology->self;
    uint32_t hops = 0;
    for (uint32_t d = 0; d < self->grid.dims; d++)
        hops += gap(&self->grid.axis[d], weft_grid_coordinate(&self->grid.axis[d], from),
                    weft_grid_coordinate(&self->grid.axis[d], to));
    return hops;
}

double weft_lattice_mean_distance(const weft_topology *topology)
{
    const weft_lattice_self *self = topology->self;
    double mean = 0; /* over all pairs, equal ones included */
    for (uint32_t d = 0; d < self->grid.dims; d++) {
        double k = self->grid.axis[d].size;
        bool ring = self->grid.axis[d].wraps || self->grid.axis[d].size == 2;
        if (!ring)
            mean += (k * k - 1) / (3 * k);
        else
            mean += self->grid.axis[d].size % 2 ? (k * k - 1) / (4 * k) : k / 4;
    }
    double n = topology->routers;
    return mean * n / (n - 1);
}

/* Is the −1 direction taken when both are equally long? */
static bool tie_goes_down(weft_tie rule, uint32_t from, uint32_t to, weft_random *random)
{
    switch (rule) {
    case WEFT_TIE_POSITIVE:
        return false;
    case WEFT_TIE_NEGATIVE:
        return true;
    case WEFT_TIE_WRAP:
        return to > from;
    case WEFT_TIE_RANDOM:
        break;
    }
    return random && (weft_random_word(random) & 1);
}

/* Where both directions are equally long. */
static __attribute__((noinline)) uint32_t aim_tied(const weft_lattice_self *self,
                                                   const weft_grid_dimension *axis, uint32_t a,
                                                   uint32_t b, weft_random *tie)
{
    uint32_t hops = axis->size / 2;
    return tie_goes_down(self->tie, a, b, tie) ? hops | axis->sign : hops;
}

/* The field of one dimension's way from a to b; 0 if they are the same. Which way is shorter cannot
 * be foreseen, so it is computed without branches. */
static inline uint32_t aim_along(const weft_lattice_self *self, const weft_grid_dimension *axis,
                                 uint32_t a, uint32_t b, weft_random *tie)
{
    if (axis->size == 2)
        return a != b;
    uint32_t up = b - a, down = a - b;
    if (axis->wraps) {
        up += axis->size & -(uint32_t)(b < a);
        down = axis->size - up;
        if (__builtin_expect(up == down, 0))
            return aim_tied(self, axis, a, b, tie);
    }
    uint32_t back = down | axis->sign;
    return down < up ? back : up;
}

uint32_t weft_lattice_aim(const weft_topology *topology, uint32_t from, uint32_t to,
                          weft_random *tie)
{
    const weft_lattice_self *self = topology->self;
    uint32_t route = 0;
    for (uint32_t d = self->grid.dims; d-- > 0;) {
        const weft_grid_dimension *axis = &self->grid.axis[d];
        uint32_t from_above = weft_divide(from, axis->by_size);
        uint32_t to_above = weft_divide(to, axis->by_size);
        uint32_t a = from - from_above * axis->size, b = to - to_above * axis->size;
        route |= aim_along(self, axis, a, b, tie) << axis->shift;
        from = from_above;
        to = to_above;
    }
    return route;
}

unsigned weft_lattice_aims(const weft_topology *topology, uint32_t from, uint32_t to, uint32_t *out)
{
    const weft_lattice_self *self = topology->self;
    unsigned count = 1;
    out[0] = weft_lattice_aim(topology, from, to, NULL);
    for (uint32_t d = 0; d < self->grid.dims && self->tie == WEFT_TIE_RANDOM; d++) {
        const weft_grid_dimension *axis = &self->grid.axis[d];
        uint32_t hops = (out[0] >> axis->shift) & axis->mask;
        if (axis->size <= 2 || !axis->wraps || 2 * hops != axis->size)
            continue;
        for (unsigned i = 0; i < count && count + i < WEFT_HEADERS_MAX; i++)
            out[count + i] = out[i] | axis->sign << axis->shift;
        count = 2 * count < WEFT_HEADERS_MAX ? 2 * count : WEFT_HEADERS_MAX;
    }
    return count;
}

static __attribute__((noinline)) unsigned many_ways(const weft_lattice_self *self, uint32_t route,
                                                    unsigned most, weft_minimal_port *out)
{
    unsigned count = 0;
    for (uint32_t rest = route; rest && count < most; count++) {
        const weft_lattice_field *field = &self->field[__builtin_ctz(rest)];
        out[count] = weft_lattice_way(field, route);
        rest &= ~field->all;
    }
    return count;
}

unsigned weft_lattice_ways(const weft_topology *topology, uint32_t router, uint32_t route,
                           unsigned most, weft_minimal_port *out)
{
    (void)router;
    const weft_lattice_self *self = topology->self;
    if (most != 1 || !route)
        return many_ways(self, route, most, out);
    /* the lowest dimension alone, what dimension order asks for at every hop: its field holds the
     * lowest bit that is set */
    *out = weft_lattice_way(&self->field[__builtin_ctz(route)], route);
    return 1;
}

uint32_t weft_lattice_vc(const weft_topology *topology, uint32_t router,
                         const weft_minimal_port *way)
{
    const weft_lattice_self *self = topology->self;
    const weft_grid_dimension *axis = weft_grid_axis(&self->grid, way->port);
    bool passes = weft_lattice_passes(self, &self->field[axis->shift], router, way);
    return passes ? 0 : topology->vc_classes[way->port] - 1u;
}

static bool sound_along(const weft_grid_dimension *axis, uint32_t at, uint32_t field)
{
    uint32_t hops = field & (axis->sign - 1);
    if (hops == 0 || hops > reach(axis->size, axis->wraps || axis->size == 2))
        return false;
    if (axis->wraps || axis->size == 2)
        return true;
    return hops == field ? at + hops < axis->size : hops <= at;
}

bool weft_lattice_sound(const weft_topology *topology, uint32_t router, uint32_t route)
{
    const weft_lattice_self *self = topology->self;
    for (uint32_t d = 0; d < self->grid.dims; d++) {
        const weft_grid_dimension *axis = &self->grid.axis[d];
        uint32_t field = (route >> axis->shift) & axis->mask;
        if (field && !sound_along(axis, weft_grid_coordinate(axis, router), field))
            return false;
        route &= ~(axis->mask << axis->shift);
    }
    return route == 0;
}
