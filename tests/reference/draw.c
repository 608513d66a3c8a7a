/* SPDX-License-Identifier: Apache-2.0 */
/* One network is a few dozen draws. The ranges are small on purpose: tight buffers, short
 * packets and few routers make most ties, stalls and wake-ups per simulated tick. How often a
 * feature is drawn is one table. Over 600 lines because all draws ask that table. */
#include "reference/draw_pen.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    LONGEST = 8,
    ROUTERS_MOST = 36,
    LINES_MOST = 64,
    WIDE_EVERY = 25,
    WIDE_MOST = 1024,
    MEGAFLY_PORTS = 11, /* of a router, at most: 3 leaves or spines, 2 links to each of 4 groups */
    GROUPED_EVERY = 20
};

/* Inputs of the routers of wide networks; every WIDE_EVERYth network is one. */
static const uint32_t widths[] = {65, 72, 100, 144, 72, 250, 65, 100, 144, 1024};

/* Features and how many networks in a hundred have them (where they can). A bare network has
 * none of the first ones: routers have code of their own for it. */
enum feature {
    STORE_AND_FORWARD,
    FIRST_FIT,
    VC_STAGE,
    INPUT_SPEEDUP,
    OUTPUT_BUFFER,
    SPEEDUP,
    OUTPUT_SPEEDUP,
    SHARED_POOL,
    IN_PACKETS,
    ADAPTIVE,
    ENDPOINT_PORTS,
    HOST_RATE,
    GLOBAL_RATE,
    LOCAL_RATE,
    SINGLE_LINKS,
    BARE,
    FABRIC,
    VOQ,
    ISLIP,
    OTHER_ARBITERS,
    GIVEN_CREDIT,
    LONG_DELAYS,
    PER_HOP,
    MESH,
    HYPERCUBE,
    BUTTERFLY,
    TWO_HOSTS,
    SEND_DELAY,
    SEVERAL_CLASSES,
    MIXED_LENGTHS,
    CUT_MESSAGES,
    HOT_SPOT,
    BACKLOG,
    LEVELS,
    VL_ARBITRATION,
    ADAPTER_TABLES,
    FEATURES
};
static const int share[FEATURES] = {
    [STORE_AND_FORWARD] = 15,
    [FIRST_FIT] = 30,
    [VC_STAGE] = 35, /* of those with FIFOs and dimension order */
    [INPUT_SPEEDUP] = 25,
    [OUTPUT_BUFFER] = 25,
    [SPEEDUP] = 50, /* of those with output buffers; so output speed-up */
    [OUTPUT_SPEEDUP] = 40,
    [SHARED_POOL] = 20,
    [IN_PACKETS] = 20,
    [ADAPTIVE] = 40, /* of those with several dimensions */
    [ENDPOINT_PORTS] = 20,
    [HOST_RATE] = 30,
    [GLOBAL_RATE] = 40,
    [LOCAL_RATE] = 25,
    [SINGLE_LINKS] = 30,
    [BARE] = 15,
    [FABRIC] = 15,
    [VOQ] = 50, /* of those with dimension order */
    [ISLIP] = 40,
    [OTHER_ARBITERS] = 25,
    [GIVEN_CREDIT] = 60,
    [LONG_DELAYS] = 10,
    [PER_HOP] = 40,
    [MESH] = 20,
    [HYPERCUBE] = 20,
    [BUTTERFLY] = 25,
    [TWO_HOSTS] = 25,
    [SEND_DELAY] = 40,
    [SEVERAL_CLASSES] = 25,
    [MIXED_LENGTHS] = 45,
    [CUT_MESSAGES] = 20,
    [HOT_SPOT] = 30,
    [BACKLOG] = 10,
    [LEVELS] = 50, /* of those with dimension order and no rings, and of fabrics */
    [VL_ARBITRATION] = 30,
    [ADAPTER_TABLES] = 15, /* of the others */
};

/* Compiled routers, in the order of run.c. */
enum {
    LATTICE_1,
    LATTICE_2,
    LATTICE_4,
    LATTICE_8,
    FIFO,
    PLAIN,
    WITH_VOQ,
    TREE_FIFO,
    TREE,
    INSTANCES
};
static const uint32_t known_vcs[] = {
    [LATTICE_1] = 1, [LATTICE_2] = 2, [LATTICE_4] = 4, [LATTICE_8] = 8};

/* What a network for a compiled router must have, and must not. */
static bool has_compiled(const pen *by, enum feature what, bool drawn)
{
    bool lattice = by->instance <= LATTICE_8;
    switch (what) {
    case FABRIC:
    case OTHER_ARBITERS:
    case LEVELS:
    case VL_ARBITRATION:
    case ADAPTER_TABLES:
        return false;
    case VOQ:
        return by->instance == WITH_VOQ;
    case ISLIP:
        return by->instance == PLAIN || by->instance == TREE || (drawn && by->instance == WITH_VOQ);
    case PER_HOP:
    case BUTTERFLY:
    case SEVERAL_CLASSES:
        return drawn && !lattice;
    case MESH: /* a ring needs two VCs */
        return drawn || by->instance == LATTICE_1;
    default:
        return drawn;
    }
}

static bool has(pen *by, enum feature what)
{
    bool drawn = between(by, 1, 100) <= (uint32_t)share[what];
    if (by->compiled && what > BARE)
        return has_compiled(by, what, drawn);
    return drawn && !(by->bare && what < BARE);
}

/* Ports of a router to others. */
static uint32_t ports_of(const flit_config *set)
{
    uint32_t ports = set->dims ? 0 : DRAW_CABLES; /* of a fabric, at most */
    for (uint32_t d = 0; d < set->dims; d++)
        ports += set->complete ? set->size[d] - 1 : set->size[d] == 2 ? 1 : 2;
    return ports;
}

static uint32_t routers_of(const flit_config *set)
{
    uint32_t routers = 1;
    for (uint32_t d = 0; d < set->dims; d++)
        routers *= set->size[d];
    return routers;
}

static void write_list(pen *by, const flit_config *set)
{
    for (uint32_t d = 0; d < set->dims; d++)
        write_text(by, "%s%u", d ? ", " : "[", set->size[d]);
    write_text(by, "]");
}

/* Rates as a person writes them, and the cycles of a flit. */
static const struct {
    const char *text;
    int cycles[2];
} rates[] = {{"1", {1, 1}},    {"0.5", {2, 1}}, {"0.333333333333", {3, 1}},
             {"0.25", {4, 1}}, {"2", {1, 2}},   {"0.75", {4, 3}}};

__attribute__((format(printf, 2, 3))) static void write_edge(draw *of, const char *format, ...)
{
    size_t used = strlen(of->edges);
    va_list args;
    va_start(args, format);
    int length = /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, in the line above */
        vsnprintf(of->edges + used, sizeof of->edges - used, format, args);
    va_end(args);
    assert(length >= 0 && used + (size_t)length < sizeof of->edges);
}

static void draw_cable_between(pen *by, uint32_t a, uint32_t b)
{
    draw_fabric *fabric = &by->of->fabric;
    draw_cable *cable = &fabric->cables[fabric->n_cables++];
    uint32_t rate = between(by, 0, 5);
    *cable = (draw_cable){.a = a, .b = b, .latency = between(by, 1, 9)};
    memcpy(cable->period, rates[rate].cycles, sizeof cable->period);
    write_edge(by->of, "s%u s%u class=local rate=%sflits/cycle latency=%d\n", a, b,
               rates[rate].text, (int)cable->latency);
}

/* A tree and some cables more; most switches have hosts. */
static void draw_fabric_of(pen *by)
{
    flit_config *set = &by->of->config;
    draw_fabric *fabric = &by->of->fabric;
    fabric->switches = between(by, 2, DRAW_SWITCHES);
    for (uint32_t s = 1; s < fabric->switches; s++)
        draw_cable_between(by, s, between(by, 0, s - 1));
    for (uint32_t more = between(by, 0, 6); more > 0; more--) {
        uint32_t a = between(by, 1, fabric->switches - 1);
        draw_cable_between(by, a, between(by, 0, a - 1));
    }
    for (uint32_t s = 0; s < fabric->switches; s++) {
        uint32_t rate = between(by, 0, 5);
        fabric->hosts[s] = s < 2 ? between(by, 1, 3) : between(by, 0, 3);
        memcpy(fabric->host_period[s], rates[rate].cycles, sizeof fabric->host_period[s]);
        if (fabric->hosts[s] > 0)
            write_edge(by->of, "host s%u %u rate=%sflits/cycle\n", s, fabric->hosts[s],
                       rates[rate].text);
        set->hosts = fabric->hosts[s] > set->hosts ? fabric->hosts[s] : set->hosts;
        by->endpoints += fabric->hosts[s];
    }
    by->of->global_dim = FLIT_NONE;
    write_text(by, "topology: {kind: file, path: %s}\n", by->of->path);
}

/* Many endpoints at few routers, or many routers that are joined to each other. */
static void widen(pen *by)
{
    flit_config *set = &by->of->config;
    if (set->complete && by->wide <= 100 && between(by, 0, 1)) {
        set->dims = 1;
        set->size[0] = by->wide - between(by, 0, 4);
    }
    uint32_t ports = ports_of(set);
    set->hosts = ports < by->wide ? by->wide - ports : 1;
}

/* Groups of leaves and spines. */
static void draw_megafly(pen *by)
{
    static const char *const arrangements[] = {"relative", "absolute", "palm-tree", "circulant"};
    flit_config *set = &by->of->config;
    uint32_t groups = between(by, 2, by->wide ? 2 : 4), leaves = between(by, 2, 3),
             spines = between(by, 1, 3), order = between(by, 0, 3);
    uint32_t most = WIDE_MOST - MEGAFLY_PORTS;
    set->hosts = !by->wide                  ? between(by, 1, 2)
                 : by->wide - spines < most ? by->wide - spines
                                            : most;
    set->rings = true; /* VCs are divided */
    by->of->global_dim = FLIT_NONE;
    write_text(by,
               "topology: {kind: megafly, groups: %u, leaves: %u, spines: %u, global: %u,\n"
               "           arrangement: %s, hosts: %u}\n",
               groups, leaves, spines, between(by, 1, 2) * groups, arrangements[order], set->hosts);
    by->endpoints = groups * leaves * set->hosts;
}

/* Fat trees of two forms; the library routes in them. */
static void draw_tree(pen *by)
{
    flit_config *set = &by->of->config;
    by->of->global_dim = FLIT_NONE;
    if (between(by, 0, 1)) {
        uint32_t arity = between(by, 2, 4), levels = between(by, 2, arity == 2 ? 4 : 2);
        set->hosts = arity;
        by->endpoints = arity;
        for (uint32_t l = 1; l < levels; l++)
            by->endpoints *= arity;
        write_text(by, "topology: {kind: fat-tree, arity: %u, levels: %u}\n", arity, levels);
        return;
    }
    uint32_t down = between(by, 2, 4), roots = between(by, 1, 3);
    set->hosts = between(by, 1, 4);
    by->endpoints = set->hosts * down;
    write_text(by, "topology: {kind: fat-tree, form: xgft, down: [%u, %u], up: [1, %u]}\n",
               set->hosts, down, roots);
}

static void draw_topology(pen *by)
{
    flit_config *set = &by->of->config;
    uint32_t most = by->wide ? 6 : ROUTERS_MOST;
    if (by->of->tree) {
        draw_tree(by);
        return;
    }
    if (by->of->grouped) {
        draw_megafly(by);
        return;
    }
    if (has(by, FABRIC)) {
        draw_fabric_of(by);
        return;
    }
    bool mesh = has(by, MESH), cube = has(by, HYPERCUBE), butterfly = has(by, BUTTERFLY);
    do {
        set->dims = between(by, 1, 3);
        for (uint32_t d = 0; d < set->dims; d++)
            set->size[d] = cube ? 2 : between(by, 2, 5);
    } while (routers_of(set) > most || (set->dims > 2 && routers_of(set) > 18));
    set->complete = butterfly && !cube;
    for (uint32_t d = 0; d < set->dims && !mesh && !cube && !butterfly; d++)
        set->rings |= set->size[d] > 2;
    set->hosts = has(by, TWO_HOSTS) ? between(by, 2, 3) : 1;
    if (by->wide)
        widen(by);
    by->of->global_dim = !cube && set->dims > 1 && has(by, GLOBAL_RATE) ? 1 : FLIT_NONE;
    if (cube) {
        write_text(by, "topology: {kind: hypercube, dimensions: %u", set->dims);
    } else {
        write_text(by, "topology: {kind: %s, dims: ",
                   set->complete ? "flattened-butterfly"
                   : mesh        ? "mesh"
                                 : "torus");
        write_list(by, set);
    }
    if (by->of->global_dim != FLIT_NONE)
        write_text(by, ", global: [%u]", by->of->global_dim);
    write_text(by, ", hosts: %u}\n", set->hosts);
    by->endpoints = routers_of(set) * set->hosts;
}

static void draw_link(pen *by, int class, const char *name, bool slow, uint32_t least)
{
    uint32_t rate = slow ? between(by, 1, 5) : 0;
    by->of->latency[class] = between(by, least, by->longest_wire);
    memcpy(by->of->period[class], rates[rate].cycles, sizeof by->of->period[class]);
    write_text(by, "%s: {latency: %d cycles, rate: %s flits/cycle}", name,
               (int)by->of->latency[class], rates[rate].text);
}

static void draw_delays(pen *by)
{
    flit_config *set = &by->of->config;
    for (int i = 0; i < 3; i++)
        set->ready += by->stage[i] = between(by, 0, 1);
    set->refront = between(by, 0, 3);
    if (by->compiled)
        set->refront = 0;
    set->crossbar = between(by, 0, 2);
    by->longest_wire = has(by, LONG_DELAYS) ? 30 : 4;
    set->credit = has(by, GIVEN_CREDIT) ? (int64_t)between(by, 1, by->longest_wire + 3) : -1;
}

/* Whose links: an endpoint's, a router's, or those between a router and the next. */
static void draw_where_name(pen *by, uint32_t kind, draw_where *where)
{
    const flit_config *set = &by->of->config;
    uint32_t routers = routers_of(set), last = set->size[set->dims - 1];
    where->a = between(by, 0, routers - 1);
    where->b = where->host = FLIT_NONE;
    if (kind == 0) {
        where->host = between(by, 0, by->endpoints - 1);
        write_text(by, "'host %u'", where->host);
    } else if (kind == 1 && where->a % last + 1 < last) {
        where->b = where->a + 1;
        write_text(by, "'%u - %u'", where->a, where->b);
    } else {
        write_text(by, kind == 1 ? "'%u - *'" : "'%u'", where->a);
    }
}

static void draw_wheres(pen *by, uint32_t least)
{
    int count = (int)between(by, 1, DRAW_WHERES), first = (int)between(by, 0, DRAW_WHERES - 1);
    write_text(by, ", where: {");
    for (int i = 0; i < count; i++) {
        draw_where *where = &by->of->where[i];
        uint32_t rate = between(by, 0, 5);
        write_text(by, "%s", i ? ", " : "");
        draw_where_name(by, (uint32_t)(first + i) % DRAW_WHERES, where);
        where->latency = between(by, 0, 2) ? (int64_t)between(by, least, by->longest_wire) : -1;
        memcpy(where->period, rates[rate].cycles, sizeof where->period);
        write_text(by, ": {rate: %s flits/cycle", rates[rate].text);
        if (where->latency >= 0)
            write_text(by, ", latency: %d cycles", (int)where->latency);
        write_text(by, "}");
    }
    by->of->n_wheres = count;
    write_text(by, "}");
}

/* Something on the way from one decision to the next must take time. */
static void draw_links(pen *by)
{
    bool global = by->of->global_dim != FLIT_NONE || (by->of->grouped && !by->of->tree);
    const flit_config *set = &by->of->config;
    if (by->of->fabric.switches) { /* the file has all of it but the wires of hosts */
        by->of->latency[2] = 1;
        by->of->period[2][0] = by->of->period[2][1] = 1;
        write_text(by, "links: {flit: %d B, latency: 1 cycles}\n", (int)set->flit_bytes);
        return;
    }
    uint32_t least = set->ready > 0 || (set->crossbar > 0 && set->send > 0) ? 0 : 1;
    write_text(by, "links: {flit: %d B, ", (int)set->flit_bytes);
    draw_link(by, 0, "local", has(by, LOCAL_RATE), least);
    write_text(by, ", ");
    draw_link(by, 1, "global", global, least);
    write_text(by, ", ");
    draw_link(by, 2, "host", has(by, HOST_RATE), least);
    if (has(by, SINGLE_LINKS) && !by->of->grouped)
        draw_wheres(by, least);
    write_text(by, "}\n");
}

static void draw_lengths(pen *by, char *out, size_t room, double *mean)
{
    bool cut = by->of->mtu > 0;
    uint32_t most = cut ? 20 : LONGEST;
    uint32_t a = between(by, 1, most), b = between(by, 1, most);
    if (has(by, MIXED_LENGTHS) && a != b) {
        uint32_t low = a < b ? a : b, high = a < b ? b : a;
        uint32_t percent = between(by, 10, 90);
        snprintf(out, room, "{kind: bimodal, short: %u flits, long: %u flits, share: %u%%}", low,
                 high, percent);
        *mean = low + (high - low) * (percent / 100.0);
        a = high;
    } else {
        snprintf(out, room, "%u flits", a);
        *mean = a;
    }
    uint32_t packet = cut && a > by->of->mtu ? by->of->mtu : a;
    if (packet > by->longest)
        by->longest = packet;
    uint32_t least = cut && a > packet && a % packet ? a % packet : packet;
    if (*mean < a) /* some are shorter */
        least = 1;
    if (by->shortest == 0 || least < by->shortest)
        by->shortest = least;
}

/* Messages of one packet. */
static void draw_manager(pen *by, char *out, size_t room, double *mean)
{
    uint32_t flits = between(by, 1, by->of->mtu ? by->of->mtu : LONGEST);
    snprintf(out, room, "%u flits", flits);
    *mean = flits;
    by->longest = flits > by->longest ? flits : by->longest;
}

static void draw_traffic(pen *by)
{
    flit_config *set = &by->of->config;
    set->classes = has(by, SEVERAL_CLASSES) ? between(by, 2, 3) : 1;
    if (set->leveled)
        set->classes = draw_levels(by);
    double load = between(by, 5, 100) / 100.0 / set->classes;
    double wanted = between(by, 100, 500) / (double)set->classes; /* messages of a class */
    write_text(by, "traffic:\n");
    for (uint32_t c = 0; c < set->classes; c++) {
        char length[128], pattern[64] = "uniform";
        double mean;
        draw_lengths(by, length, sizeof length, &mean);
        if (by->manager == c)
            draw_manager(by, length, sizeof length, &mean);
        uint32_t node = between(by, 0, by->endpoints - 1),
                 percent = between(by, 10, 60) / (by->wide ? 10 : 1);
        if (has(by, HOT_SPOT))
            snprintf(pattern, sizeof pattern, "{kind: hot-spot, node: %u, share: %u%%}", node,
                     percent);
        double flit = (double)by->of->period[2][0] / by->of->period[2][1] / set->links;
        double stop = wanted * mean * flit / (load * by->endpoints);
        double least = by->wide ? 3 : 20;
        stop = stop < least ? least : stop > 1500 ? 1500 : stop;
        write_text(
            by, "  c%u: {pattern: %s, length: %s,\n       arrival: %s, load: %.4f, stop: %d cycles",
            c, pattern, length, between(by, 0, 3) ? "poisson" : "periodic", load, (int)stop);
        if (by->manager == c)
            write_text(by, ", management: true");
        else if (set->leveled && by->sl[c] != FLIT_NONE)
            write_text(by, ", sl: %u", by->sl[c]);
        write_text(by, "}\n");
    }
}

static void draw_endpoint(pen *by)
{
    flit_config *set = &by->of->config;
    uint32_t ports = by->of->grouped ? MEGAFLY_PORTS : ports_of(set);
    set->links = has(by, ENDPOINT_PORTS) ? between(by, 2, 3) : 1;
    if (by->wide && ports + set->hosts * set->links > WIDE_MOST)
        set->links = 1;
    set->send = has(by, SEND_DELAY) ? between(by, 1, 3) : 0;
    by->of->mtu = has(by, CUT_MESSAGES) ? between(by, 1, LONGEST) : 0;
    by->backlog = has(by, BACKLOG) ? between(by, 1, 8) : 0;
    by->lines = ports + set->hosts * set->links;
}

static void write_endpoint(pen *by)
{
    const flit_config *set = &by->of->config;
    write_text(by, "endpoint: {ports: %u, delay: %d cycles", set->links, (int)set->send);
    if (by->of->mtu)
        write_text(by, ", mtu: %u flits", by->of->mtu);
    if (by->backlog)
        write_text(by, ", backlog: %u", by->backlog);
    draw_adapters(by);
    write_text(by, "}\n");
}

/* Who has service levels, and whose outputs arbitrate VLs. */
static void draw_vls(pen *by)
{
    static const uint32_t bytes[] = {1, 4, 16, 64, 64, 100, 600};
    flit_config *set = &by->of->config;
    switch_stream(by);
    set->leveled = !set->rings && !set->adaptive && !by->bare && has(by, LEVELS);
    if (set->leveled)
        set->vcs = between(by, 0, 5) ? between(by, 1, 5) : between(by, 6, 16);
    set->flit_bytes = 1;
    if (!by->bare && has(by, VL_ARBITRATION)) {
        set->scheduler = FLIT_VL_ARBITRATION;
        set->flit_bytes = bytes[between(by, 0, 6)];
        set->adapters = true;
    } else if (!by->bare && has(by, ADAPTER_TABLES)) {
        set->flit_bytes = bytes[between(by, 0, 6)];
        set->adapters = true;
    }
    switch_stream(by);
}

static void draw_routing(pen *by)
{
    flit_config *set = &by->of->config;
    if (by->of->fabric.switches) {
        write_text(by, "routing: {kind: up-down}\n");
        set->vcs = between(by, 1, 4);
        draw_vls(by);
        return;
    }
    if (by->of->tree) {
        write_text(by, "routing: {kind: d-mod-k}\n");
        set->vcs = between(by, 1, 4);
        draw_vls(by);
        return;
    }
    if (by->of->grouped) {
        bool detours = between(by, 0, 1);
        write_text(by, "routing: {kind: %s}\n", detours ? "valiant" : "minimal");
        set->vcs = between(by, detours ? 4 : 2, detours ? 6 : 4);
        draw_vls(by);
        return;
    }
    set->adaptive = set->dims > 1 && has(by, ADAPTIVE);
    set->per_hop = set->rings && !set->adaptive && has(by, PER_HOP);
    if (set->adaptive)
        write_text(by,
                   "routing: {kind: minimal-adaptive, selection: dimension-order, escape: %d}\n",
                   set->rings ? 2 : 1);
    else
        write_text(by, "routing: {kind: dimension-order, dateline: %s}\n",
                   set->per_hop ? "per-hop" : "on-entry");
    uint32_t least = (set->rings ? 2u : 1u) + set->adaptive;
    set->vcs = between(by, least, least > 4 ? least : 4);
    if (by->compiled && by->instance <= LATTICE_8)
        set->vcs = known_vcs[by->instance];
    draw_vls(by);
}

static void draw_buffers(pen *by)
{
    flit_config *set = &by->of->config;
    set->in_packets = has(by, IN_PACKETS);
    const char *unit = set->in_packets ? "packets" : "flits";
    uint32_t least = set->in_packets ? 1 : by->longest;
    set->buffer = between(by, least, set->in_packets ? 4 : 3 * by->longest + 2);
    set->shared = has(by, SHARED_POOL) ? between(by, 1, 2 * least) : 0;
    if (has(by, OUTPUT_BUFFER) && by->manager == FLIT_NONE)
        set->output_buffer = between(by, by->longest, 3 * by->longest);
    write_text(by, "         output-buffer: %u flits", set->output_buffer);
    draw_pause(by, unit);
}

static void draw_crossbar(pen *by)
{
    flit_config *set = &by->of->config;
    uint32_t most = (by->wide ? WIDE_MOST : LINES_MOST) / by->lines;
    set->input_speedup = set->output_speedup = set->speedup = 1;
    uint32_t lines = set->voq && set->in_packets ? set->vcs + 2 : set->vcs; /* more: for outputs */
    if (has(by, INPUT_SPEEDUP) && most >= 2 && lines >= 2)
        set->input_speedup = between(by, 2, most < lines ? most : lines);
    if (set->output_buffer && has(by, SPEEDUP))
        set->speedup = between(by, 2, 3);
    if (set->output_buffer && has(by, OUTPUT_SPEEDUP) && most >= 2)
        set->output_speedup = between(by, 2, most < 3 ? most : 3);
    write_text(by, ",\n         input-speedup: %u, output-speedup: %u, speedup: %u",
               set->input_speedup, set->output_speedup, set->speedup);
}

static const char *const arbiters[] = {
    [FLIT_ROUND_ROBIN] = "round-robin", [FLIT_PRIORITY] = "priority", [FLIT_AGE] = "age"};

static void draw_scheduler(pen *by)
{
    flit_config *set = &by->of->config;
    set->iterations = 1;
    if (set->scheduler == FLIT_VL_ARBITRATION) {
        draw_arbitration(by);
        return;
    }
    if (has(by, ISLIP) && !by->wide) {
        set->scheduler = FLIT_ISLIP;
        set->iterations = between(by, 1, 3);
        write_text(by, ",\n         scheduler: {kind: islip, iterations: %u}", set->iterations);
    } else if (has(by, OTHER_ARBITERS)) {
        set->input_arbiter = (flit_arbiter)between(by, FLIT_ROUND_ROBIN, FLIT_AGE);
        set->output_arbiter = (flit_arbiter)between(by, FLIT_ROUND_ROBIN, FLIT_AGE);
        write_text(by, ",\n         scheduler: {kind: separable, input: %s, output: %s}",
                   arbiters[set->input_arbiter], arbiters[set->output_arbiter]);
    }
}

static void draw_router(pen *by)
{
    flit_config *set = &by->of->config;
    set->voq = !set->adaptive && has(by, VOQ);
    set->store_and_forward = has(by, STORE_AND_FORWARD);
    set->first_fit = has(by, FIRST_FIT);
    set->vc_stage = !set->adaptive && !set->voq && has(by, VC_STAGE);
    set->vc_stage = set->vc_stage && by->manager == FLIT_NONE;
    write_text(by, "router: {kind: input-queued, vcs: %u, queues: %s, switching: %s,\n", set->vcs,
               set->voq ? "voq" : "fifo",
               set->store_and_forward ? "store-and-forward" : "cut-through");
    write_text(by, "         receive: %u cycles, route: %u cycles, allocate: %u cycles,",
               by->stage[0], by->stage[1], by->stage[2]);
    write_text(by, " refront: %d cycles, crossbar: %d cycles,\n", (int)set->refront,
               (int)set->crossbar);
    if (set->credit >= 0)
        write_text(by, "         credit: %d cycles,\n", (int)set->credit);
    write_text(by, "         vc-choice: %s, vc-stage: %s,\n",
               set->first_fit ? "first-fit" : "most-credits", set->vc_stage ? "true" : "false");
    draw_map(by);
    draw_buffers(by);
    draw_crossbar(by);
    draw_scheduler(by);
    write_text(by, "}\n");
}

void draw_network(draw *of, uint64_t seed, const char *path, draw_aim aim)
{
    pen by = {.of = of,
              .paused = aim == DRAW_PAUSED,
              .compiled = aim == DRAW_COMPILED,
              .instance = (uint32_t)(seed % INSTANCES),
              .random = seed * 0xd1342543de82ef95u + 1,
              .other = seed * 0xaf251af3b0f025b5u + 2,
              .manager = FLIT_NONE};
    *of = (draw){.seed = seed, .path = path};
    if (seed % WIDE_EVERY == WIDE_EVERY / 2 && !by.compiled)
        by.wide = widths[seed / WIDE_EVERY % (sizeof widths / sizeof *widths)];
    of->tree = by.compiled && by.instance >= TREE_FIFO;
    of->grouped = by.compiled ? of->tree : seed % GROUPED_EVERY == 7;
    of->bare = by.bare = has(&by, BARE) || by.compiled;
    write_text(&by, "seed: %llu\n", (unsigned long long)(seed % 1000000));
    draw_topology(&by);
    draw_endpoint(&by);
    draw_routing(&by);
    draw_delays(&by);
    draw_links(&by);
    draw_traffic(&by);
    draw_router(&by);
    write_endpoint(&by);
    of->longest = by.longest;
    of->shortest = by.shortest;
    of->config.managed = by.manager != FLIT_NONE;
    of->config.vcs += of->config.managed; /* the last one */
    write_text(&by, "measure: {half-width: 0.0001%%, links: off, limit: {time: 1000000 cycles}}\n");
}
