/* SPDX-License-Identifier: Apache-2.0 */
#include "net/lattice.h"

const char *const weft_tie_names[] = {"random", "positive", "negative", "wrap", NULL};

#define ROUTERS_MAX ((uint64_t)1 << 28)
#define HOPS_MAX    4095u /* a packet counts its hops in 12 bits */

static unsigned bits_for(uint32_t values)
{
    return values <= 1 ? 0 : 32u - (unsigned)__builtin_clz(values - 1);
}

static uint32_t coordinate(const weft_axis *axis, uint32_t router)
{
    uint32_t above = weft_divide(router, axis->by_stride);
    return above - weft_divide(above, axis->by_size) * axis->size;
}

/* Farthest coordinate difference a minimal route takes along an axis. */
static uint32_t reach(uint32_t size, bool wraps)
{
    return wraps ? size / 2 : size - 1;
}

static weft_status check(const weft_ints *dims, int64_t hosts, bool wraps, weft_error *err)
{
    uint64_t routers = 1;
    uint32_t bits = 0, diameter = 0;
    if (dims->count < 1 || dims->count > WEFT_DIMS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "topology.dims must list 1 to %d sizes, found %d",
                         WEFT_DIMS_MAX, dims->count);
    for (int32_t d = 0; d < dims->count; d++) {
        uint32_t size = (uint32_t)dims->at[d];
        if (dims->at[d] < 2 || dims->at[d] > 65535)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "every size in topology.dims must be 2 … 65535, found %d",
                             dims->at[d]);
        routers *= size;
        if (routers > ROUTERS_MAX)
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "topology.dims makes more than %llu routers (2^28), the most there can be",
                (unsigned long long)ROUTERS_MAX);
        bits += size == 2 ? 1 : bits_for(reach(size, wraps) + 1) + 1;
        diameter += reach(size, wraps);
    }
    if (bits > 32)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "topology.dims needs a route of %u bits, a packet has room for 32: use fewer "
            "or smaller dimensions",
            bits);
    if (diameter > HOPS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the longest minimal path has %u hops, a packet can count %u", diameter,
                         HOPS_MAX);
    if (routers * (uint64_t)hosts > UINT32_MAX - 1)
        return weft_fail(err, WEFT_BAD_INPUT, "more than 2^32 endpoints");
    return WEFT_OK;
}

static void add_axis(weft_topology *topology, weft_lattice_self *self, uint32_t size, bool wraps,
                     uint32_t *shift)
{
    uint32_t d = self->dims++;
    weft_axis *axis = &self->axis[d];
    unsigned bits = size == 2 ? 1 : bits_for(reach(size, wraps) + 1) + 1;
    *axis = (weft_axis){.size = size,
                        .by_size = weft_reciprocal_of(size),
                        .shift = *shift,
                        .bits = bits,
                        .mask = (uint32_t)(((uint64_t)1 << bits) - 1),
                        .sign = size == 2 ? 2 : 1u << (bits - 1),
                        .port = topology->ports,
                        .wraps = wraps};
    for (unsigned b = 0; b < bits; b++)
        self->bit_axis[*shift + b] = (uint8_t)d;
    *shift += bits;
    topology->lattice.size[d] = size;
    topology->lattice.wraps[d] = wraps || size == 2;
    for (int side = 0; side < (size == 2 ? 1 : 2); side++) {
        uint32_t port = topology->ports++;
        self->port_axis[port] = (uint8_t)d;
        topology->lattice.port_dim[port] = (uint8_t)d;
        topology->lattice.port_step[port] = side ? -1 : 1;
    }
}

weft_status weft_lattice_build(weft_topology *topology, const weft_ints *dims, int64_t hosts,
                               bool wraps, weft_tie tie, weft_error *err)
{
    WEFT_TRY(check(dims, hosts, wraps, err));
    weft_lattice_self *self = topology->self;
    self->tie = tie;
    uint32_t shift = 0;
    for (int32_t d = 0; d < dims->count; d++)
        add_axis(topology, self, (uint32_t)dims->at[d], wraps, &shift);
    topology->lattice.dims = self->dims;
    topology->routers = 1;
    for (uint32_t d = self->dims; d-- > 0;) {
        self->axis[d].stride = topology->routers;
        self->axis[d].by_stride = weft_reciprocal_of(topology->routers);
        topology->routers *= self->axis[d].size;
    }
    for (uint32_t d = 0; d < self->dims; d++) {
        uint64_t size = self->axis[d].size, rings = topology->routers / size;
        topology->links += size == 2 ? 2 * rings : 2 * rings * (wraps ? size : size - 1);
    }
    topology->hosts = (uint32_t)hosts;
    return WEFT_OK;
}

weft_end weft_lattice_peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    const weft_lattice_self *self = topology->self;
    const weft_axis *axis = &self->axis[self->port_axis[port]];
    uint32_t at = coordinate(axis, router), base = router - at * axis->stride;
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
static uint32_t gap(const weft_axis *axis, uint32_t from, uint32_t to)
{
    uint32_t direct = from < to ? to - from : from - to;
    return axis->wraps && axis->size - direct < direct ? axis->size - direct : direct;
}

uint32_t weft_lattice_distance(const weft_topology *topology, uint32_t from, uint32_t to)
{
    const weft_lattice_self *self = topology->self;
    uint32_t hops = 0;
    for (uint32_t d = 0; d < self->dims; d++)
        hops +=
            gap(&self->axis[d], coordinate(&self->axis[d], from), coordinate(&self->axis[d], to));
    return hops;
}

double weft_lattice_mean_distance(const weft_topology *topology)
{
    const weft_lattice_self *self = topology->self;
    double mean = 0; /* over all pairs, equal ones included */
    for (uint32_t d = 0; d < self->dims; d++) {
        double k = self->axis[d].size;
        bool ring = self->axis[d].wraps || self->axis[d].size == 2;
        if (!ring)
            mean += (k * k - 1) / (3 * k);
        else
            mean += self->axis[d].size % 2 ? (k * k - 1) / (4 * k) : k / 4;
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
    return weft_random_word(random) & 1;
}

/* The field of one dimension's way from a to b (a ≠ b). */
static uint32_t aim_along(const weft_lattice_self *self, uint32_t d, uint32_t a, uint32_t b,
                          weft_random *tie)
{
    const weft_axis *axis = &self->axis[d];
    if (axis->size == 2)
        return 1;
    uint32_t direct = a < b ? b - a : a - b, around = axis->size - direct;
    bool down = b < a;
    if (!axis->wraps || direct < around)
        return down ? direct | axis->sign : direct;
    down = direct == around ? tie_goes_down(self->tie, a, b, tie) : !down;
    return down ? around | axis->sign : around;
}

uint32_t weft_lattice_aim(const weft_topology *topology, uint32_t from, uint32_t to,
                          weft_random *tie)
{
    const weft_lattice_self *self = topology->self;
    uint32_t route = 0;
    for (uint32_t d = self->dims; d-- > 0;) {
        const weft_axis *axis = &self->axis[d];
        uint32_t from_above = weft_divide(from, axis->by_size);
        uint32_t to_above = weft_divide(to, axis->by_size);
        uint32_t a = from - from_above * axis->size, b = to - to_above * axis->size;
        if (a != b)
            route |= aim_along(self, d, a, b, tie) << axis->shift;
        from = from_above;
        to = to_above;
    }
    return route;
}

static weft_way way_along(const weft_axis *axis, uint32_t route, uint32_t field)
{
    uint32_t hops = field & (axis->sign - 1);
    uint32_t step = hops > 1 ? 1 : field; /* the last hop clears the direction too */
    return (weft_way){.port = (uint16_t)(axis->port + (hops != field)),
                      .hops = (uint16_t)hops,
                      .after = route - (step << axis->shift)};
}

static __attribute__((noinline)) unsigned many_ways(const weft_axis *axis, uint32_t route,
                                                    unsigned most, weft_way *out)
{
    unsigned count = 0;
    uint32_t field;
    for (uint32_t rest = route; rest && count < most; rest >>= axis->bits, axis++)
        if ((field = rest & axis->mask) != 0)
            out[count++] = way_along(axis, route, field);
    return count;
}

unsigned weft_lattice_ways(const weft_topology *topology, uint32_t route, unsigned most,
                           weft_way *out)
{
    const weft_lattice_self *self = topology->self;
    const weft_axis *axis = self->axis;
    if (most != 1 || !route)
        return many_ways(axis, route, most, out);
    /* the way of the lowest dimension alone, what dimension order asks for at every hop: its field
     * holds the lowest bit that is set */
    axis += self->bit_axis[__builtin_ctz(route)];
    uint32_t field = (route >> axis->shift) & axis->mask;
    *out = way_along(axis, route, field);
    return 1;
}

static bool sound_along(const weft_axis *axis, uint32_t at, uint32_t field)
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
    for (uint32_t d = 0; d < self->dims; d++) {
        const weft_axis *axis = &self->axis[d];
        uint32_t field = (route >> axis->shift) & axis->mask;
        if (field && !sound_along(axis, coordinate(axis, router), field))
            return false;
        route &= ~(axis->mask << axis->shift);
    }
    return route == 0;
}
