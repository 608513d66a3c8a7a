/* SPDX-License-Identifier: Apache-2.0 */
/* Routes of every routing on small networks, as sums that may never change: results hang on them.
 * A sum is over all pairs of routers with endpoints and some draws: headers at the start, what
 * reroute makes of them under drawn queues, candidates hop by hop, which headers are valid, lengths
 * of paths, forwarding tables. A change that is meant changes its sum, and results with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "contract/scenario.h"

enum { DRAWS = 3, HOPS_MOST = 64 };

typedef struct walk {
    const weft_routing *routing;
    const weft_topology *topology;
    uint64_t sum, draw;
} walk;

static void fold(walk *w, uint64_t value)
{
    w->sum = (w->sum ^ value) * 1099511628211u;
    w->sum ^= w->sum >> 29;
}

static void fold_real(walk *w, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    fold(w, bits);
}

static void fold_header(void *user, uint32_t header)
{
    fold(user, header);
}

static uint32_t queue_at(const void *user, uint32_t router, uint32_t port, uint16_t vcs)
{
    const walk *w = user;
    weft_random random = weft_random_stream(w->draw, router, port, WEFT_FOR_ESTIMATE);
    return weft_random_below(&random, 40) + (vcs & 1);
}

static uint32_t queue(const void *user, uint32_t port, uint16_t vcs)
{
    return queue_at(user, 0, port, vcs);
}

/* What a packet that has come here goes on with. */
static void settle(walk *w, weft_route_context *here)
{
    const weft_routing_kind *kind = w->routing->kind;
    if (kind->proof.reroute_outcomes)
        fold(w, kind->proof.reroute_outcomes(w->routing, here, fold_header, w));
    if (!kind->reroute || !here->header)
        return;
    weft_random random = weft_random_stream(21, w->draw, here->header, WEFT_FOR_ESTIMATE);
    const weft_congestion_view view = {
        .user = w, .waiting = queue, .waiting_at = w->routing->sees_all ? queue_at : NULL};
    here->header = kind->reroute(w->routing, here, &view, &random);
    fold(w, here->header);
}

/* Headers of others, which a checkpoint may hold. */
static void try_headers(walk *w, const weft_route_context *here)
{
    const weft_routing_proof *proof = &w->routing->kind->proof;
    if (!proof->header_valid)
        return;
    assert_true(proof->header_valid(w->routing, here->router, here->header));
    for (uint32_t i = 0; i < 5; i++) {
        fold(w, proof->header_valid(w->routing, here->router, here->header + i));
        fold(w, proof->header_valid(w->routing, here->router, here->header ^ 1u << 5 * i));
    }
}

static weft_route_context step(walk *w, const weft_route_context *here)
{
    weft_candidate all[WEFT_MINIMAL_PORTS_MAX];
    weft_random random = weft_random_stream(22, w->draw, here->header, WEFT_FOR_ESTIMATE);
    unsigned count =
        weft_routing_candidates(w->routing, here, w->routing->draws ? &random : NULL, all);
    assert(count > 0);
    for (unsigned i = 0; i < count; i++) {
        fold(w, all[i].port);
        fold(w, w->routing->plan.n_vcs ? all[i].vcs + 65536u * all[i].escape : 0);
        fold(w, all[i].next_header);
    }
    const weft_candidate *hop = &all[w->draw % count];
    weft_end end = w->topology->kind->peer(w->topology, here->router, hop->port);
    assert_true(end.router != WEFT_NOWHERE);
    unsigned vc = w->routing->plan.n_vcs ? (unsigned)__builtin_ctz(hop->vcs) : 0;
    return (weft_route_context){.router = end.router,
                                .header = hop->next_header,
                                .port = w->routing->plan.n_vcs ? (uint16_t)end.port
                                                               : WEFT_FROM_ENDPOINT,
                                .vc = (uint16_t)vc};
}

static void follow(walk *w, uint32_t from, uint32_t header, uint32_t to)
{
    const weft_routing_proof *proof = &w->routing->kind->proof;
    weft_route_context here = {.router = from, .header = header, .port = WEFT_FROM_ENDPOINT};
    for (int hops = 0; hops < HOPS_MOST; hops++) {
        settle(w, &here);
        if (proof->hops_left)
            fold(w, proof->hops_left(w->routing, here.header));
        try_headers(w, &here);
        if (!here.header)
            break;
        here = step(w, &here);
    }
    assert_int_equal(here.header, 0);
    assert_int_equal(here.router, to);
}

static void add_pair(walk *w, uint32_t from, uint32_t to)
{
    const weft_routing_proof *proof = &w->routing->kind->proof;
    uint32_t egress = to + w->topology->egress_offset;
    if (proof->initial_headers)
        fold(w, proof->initial_headers(w->routing, from, egress, fold_header, w));
    if (proof->path_length)
        fold_real(w, proof->path_length(w->routing, from, egress));
    for (w->draw = 0; w->draw < DRAWS; w->draw++) {
        weft_random random = weft_random_stream(23, w->draw, from, WEFT_FOR_ESTIMATE);
        uint32_t header = weft_routing_initial_header(w->routing, from, egress, &random);
        uint32_t hosts = weft_routing_hosts(w->routing), host = (uint32_t)w->draw % hosts;
        if (hosts > 1 && host < weft_topology_hosts(w->topology, to))
            header = weft_routing_header_for_host(w->routing, header, host);
        if (w->routing->kind->header_from_host)
            header = w->routing->kind->header_from_host(w->routing, header, 0);
        fold(w, header);
        follow(w, from, header, egress);
    }
}

static void add_tables(walk *w)
{
    const weft_routing_proof *proof = &w->routing->kind->proof;
    if (!proof->table_columns)
        return;
    uint32_t homes = w->topology->edge_routers,
             count = homes < WEFT_TABLE_COLUMNS ? homes : WEFT_TABLE_COLUMNS;
    uint8_t *out = calloc(w->topology->routers, WEFT_TABLE_COLUMNS);
    proof->table_columns(w->routing, 0, count, out);
    for (uint32_t r = 0; r < w->topology->routers; r++)
        for (uint32_t n = 0; n < count; n++)
            fold(w, out[(size_t)r * WEFT_TABLE_COLUMNS + n]);
    free(out);
}

static uint64_t sum_of(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    walk w = {.routing = routing, .topology = topology, .sum = 14695981039346656037u};
    fold(&w, routing->plan.n_vcs);
    fold(&w, routing->plan.open);
    if (routing->kind->proof.max_hops)
        fold(&w, routing->kind->proof.max_hops(routing));
    if (routing->kind->proof.mean_hops)
        fold_real(&w,
                  routing->kind->proof.mean_hops(routing, topology->kind->mean_distance(topology)));
    add_tables(&w);
    for (uint32_t from = 0; from < topology->edge_routers; from++)
        for (uint32_t to = 0; to < topology->edge_routers; to++)
            if (from != to + topology->egress_offset)
                add_pair(&w, from, to);
    return w.sum;
}

#define VCS(n) "router: {kind: input-queued, vcs: " #n "}\n"
#define TORUS  "topology: {kind: torus, dims: [4, 5]}\n"
#define RING_OF_RINGS                                                                      \
    "topology: {kind: hierarchy, outer: {kind: torus, dims: [3, 3]}, inner: {kind: full, " \
    "routers: 2}}\n"
#define TREE         "topology: {kind: fat-tree, arity: 3, levels: 3}\n"
#define DRAGONFLY    "topology: {kind: dragonfly, groups: 5, routers: 4, hosts: 2}\n"
#define FABRIC(name) "topology: {kind: file, path: " WEFT_TEST_DATA "/" name "}\n"
#define CLOCK        "clock: 1 GHz\nlinks: {flit: 64 B}\n"
#define FAULT        "faults: {links: [0, 1]}\n"

static const struct {
    const char *text;
    uint64_t sum;
} rows[] = {
    {TORUS "routing: minimal\n", UINT64_C(0xd08b7dd894bb3034)},
    {TORUS VCS(2) "routing: minimal\n", UINT64_C(0xd4e7732d8b996dc4)},
    {TORUS "routing: dimension-order\n", UINT64_C(0xea310972ef999838)},
    {TORUS VCS(4) "routing: dimension-order\n", UINT64_C(0xd3cb769c9305ad7c)},
    {TORUS VCS(4) "routing: {kind: dimension-order, dateline: per-hop}\n",
     UINT64_C(0x0869f0981056b48f)},
    {TORUS VCS(2) "routing: {kind: dimension-order, dateline: none}\n",
     UINT64_C(0x337ceca06785d14f)},
    {TORUS VCS(3) "routing: {kind: dimension-order, dateline: shared}\n",
     UINT64_C(0xafe52ccb41f9938f)},
    {RING_OF_RINGS VCS(4) "routing: dimension-order\n", UINT64_C(0x4789c8e40e6bdad9)},
    {"topology: {kind: butterfly, arity: 3, stages: 2}\nrouting: dimension-order\n",
     UINT64_C(0xdca9b4a0fff69ad7)},
    {TORUS "routing: {kind: minimal-oblivious, selection: random}\n", UINT64_C(0x77496c294b1ccdce)},
    {TORUS VCS(3) "routing: minimal-oblivious\n", UINT64_C(0x96a52145e1826598)},
    {TORUS "routing: {kind: minimal-oblivious, selection: diagonal}\n",
     UINT64_C(0x175deae1517283b3)},
    {TORUS "routing: {kind: minimal-adaptive, selection: proportional}\n",
     UINT64_C(0x0833b3b3c55825fa)},
    {TORUS VCS(4) "routing: {kind: minimal-adaptive, selection: random}\n",
     UINT64_C(0xdc15fb643c3c0eb8)},
    {TREE VCS(2) "routing: minimal-adaptive\n", UINT64_C(0x341d46c287733778)},
    {"topology: {kind: mesh, dims: [3, 4]}\n" VCS(3) "routing: minimal-adaptive\n",
     UINT64_C(0x30088e3b1b0d9ef9)},
    {TREE "routing: d-mod-k\n", UINT64_C(0xa8fa72d4a1a11540)},
    {TREE VCS(2) "routing: d-mod-k\n", UINT64_C(0xf294f8efe6a524ae)},
    {TORUS "routing: valiant\n", UINT64_C(0xb0e3a6e529650d33)},
    {TORUS VCS(5) "routing: valiant\n", UINT64_C(0x342f65f5668111ec)},
    {DRAGONFLY VCS(6) "routing: valiant\n", UINT64_C(0x0fd4f3698c7493ac)},
    {DRAGONFLY VCS(6) "routing: {kind: valiant, via: router}\n", UINT64_C(0x03f860d85876007f)},
    {TREE VCS(2) "routing: valiant\n", UINT64_C(0x1b98f7149da21739)},
    {FABRIC("fabrics/uneven.weftnet") VCS(8) "routing: valiant\n", UINT64_C(0x34da4b3bd3563412)},
    {DRAGONFLY VCS(6) "routing: ugal\n", UINT64_C(0xb9c4a5e34441f0f7)},
    {DRAGONFLY VCS(6) "routing: {kind: ugal, via: router, sense: vcs, threshold: 5}\n",
     UINT64_C(0x6898776711ab58bd)},
    {DRAGONFLY VCS(6) "routing: {kind: ugal, sense: hybrid, candidates: 3}\n",
     UINT64_C(0xea163867ef4814c2)},
    {DRAGONFLY VCS(6) "routing: {kind: ugal, information: global}\n", UINT64_C(0x123794b07f97c346)},
    {TORUS VCS(6) "routing: {kind: ugal, candidates: 2}\n", UINT64_C(0x6d8eaf6fb301e193)},
    {DRAGONFLY VCS(8) "routing: par\n", UINT64_C(0xd78429ba7b473b8e)},
    {DRAGONFLY VCS(8) "routing: {kind: par, via: router, sense: vcs}\n",
     UINT64_C(0x69ab0f4c62214c72)},
    {DRAGONFLY VCS(8) "routing: {kind: par, information: global, candidates: 2}\n",
     UINT64_C(0x209197cf8728efcf)},
    {TORUS VCS(4) "routing: o1turn\n", UINT64_C(0xe8faaab8b96daa53)},
    {"topology: {kind: mesh, dims: [3, 4]}\nrouting: o1turn\n", UINT64_C(0x26d5cee128c20db2)},
    {TORUS "routing: {kind: zone, order: fixed}\n", UINT64_C(0x71f53e5964aeca8f)},
    {TORUS VCS(4) "routing: zone\n", UINT64_C(0xfae417a4c61f98b5)},
    {TORUS VCS(4) "routing: {kind: zone, masks: AB, order: longest-first, hints: true}\n",
     UINT64_C(0x4f36289b101f6f0f)},
    {"topology: {kind: torus, dims: [3, 4, 3]}\n" VCS(
         5) "routing: {kind: zone, masks: AB>C/C>AB, order: random, escape: 2}\n",
     UINT64_C(0xea5f117033f7f722)},
    {RING_OF_RINGS VCS(6) "routing: {kind: zone, order: masked}\n", UINT64_C(0x7bc68157cf9d9797)},
    {TORUS "routing: up-down\n", UINT64_C(0x6aec1b11e7b03a8e)},
    {TORUS VCS(2) "routing: {kind: up-down, root: 7}\n", UINT64_C(0x8f0a3e5e1008001c)},
    {TORUS VCS(2) "routing: {kind: up-down, adaptive: true}\n", UINT64_C(0xb09d906f4e1282c1)},
    {TORUS VCS(2) "routing: {kind: up-down, adaptive: true, selection: dimension-order}\n" FAULT,
     UINT64_C(0xa2fc07a1f6d5e737)},
    {TREE VCS(1) "routing: {kind: up-down, adaptive: true}\n", UINT64_C(0x8fc6445d974dde6b)},
    {DRAGONFLY VCS(1) "routing: up-down\n", UINT64_C(0xaaf619ade351ea46)},
    {FABRIC("fabrics/irregular.weftnet") VCS(1) "routing: up-down\n", UINT64_C(0x3c42ddcc4084340a)},
    {FABRIC("fabrics/irregular.weftnet") VCS(1) "routing: {kind: up-down, adaptive: true}\n",
     UINT64_C(0xdd61aa5dcd936728)},
    {FABRIC("fabrics/uneven.weftnet") "routing: up-down\n", UINT64_C(0xb1345510935a9230)},
    {FABRIC("infiniband/torus-2QoS.weftnet") CLOCK VCS(1) "routing: up-down\n",
     UINT64_C(0x56ada4ff4d498362)},
    {FABRIC("infiniband/torus-2QoS.weftnet") CLOCK VCS(8) "routing: infiniband\n",
     UINT64_C(0x57db124d4f2f5dd7)},
    {FABRIC("infiniband/torus-2QoS.weftnet") CLOCK VCS(2) "routing: tables\n",
     UINT64_C(0x07dc6aaa7103b690)},
    {"topology: {kind: mesh, dims: [3, 3]}\n"
     "routing: {kind: tables, file: " WEFT_TEST_DATA "/routes/mesh-3x3.tables}\n",
     UINT64_C(0x9897a625731eabc4)},
    {"topology: {kind: mesh, dims: [3, 3]}\n" VCS(2) "routing: {kind: tables, file: " WEFT_TEST_DATA
                                                     "/routes/mesh-3x3.tables}\n",
     UINT64_C(0xad84329b12ef5479)},
    {"topology: {kind: mesh, dims: [3, 3]}\n"
     "routing: {kind: source, file: " WEFT_TEST_DATA "/routes/mesh-3x3.source}\n",
     UINT64_C(0xdd3bbe5698482a60)},
    {"topology: {kind: mesh, dims: [3, 3]}\n" VCS(2) "routing: {kind: source, file: " WEFT_TEST_DATA
                                                     "/routes/mesh-3x3.source}\n",
     UINT64_C(0xba95c4b7c8d79f83)},
    {"topology: {kind: torus, dims: [5, 5]}\nrouting: hamiltonian\n", UINT64_C(0xc534a308f61f998c)},
    {"topology: {kind: torus, dims: [4, 4]}\n" VCS(2) "routing: hamiltonian\n",
     UINT64_C(0x25bd47a556f0a1b1)},
    {"topology: {kind: torus, dims: [5, 5]}\n" VCS(4) "routing: {kind: hamiltonian, detour: 2}\n",
     UINT64_C(0x14705e1f572b9c02)},
    {"topology: {kind: slim-fly, q: 5}\n" VCS(6) "routing: ugal\n", UINT64_C(0x699083e5ebfc13c7)},
    {"topology: {kind: hyperx, dims: [3, 4], trunk: [2, 1]}\n" VCS(6) "routing: par\n",
     UINT64_C(0x01b753a0162c234a)},
    {"topology: {kind: torus, dims: [9, 8]}\n" VCS(1) "routing: up-down\n",
     UINT64_C(0x586f0938a016b2b2)},
    {"topology: {kind: leaf-spine, leaves: 70, spines: 3}\nrouting: up-down\n",
     UINT64_C(0x1c11e280662d1645)},
    {"topology: {kind: random-regular, routers: 80, degree: 3}\n" VCS(
         1) "routing: {kind: up-down, adaptive: true}\n",
     UINT64_C(0xde033d2566879052)},
    {"topology: {kind: mesh, dims: [3, 3], hosts: 2}\n" VCS(
         2) "routing: {kind: tables, file: " WEFT_TEST_DATA "/routes/mesh-3x3.tables}\n",
     UINT64_C(0xad84329b12ef5479)},
    {"topology: {kind: megafly, groups: 5, leaves: 2, hosts: 2}\n" VCS(6) "routing: valiant\n",
     UINT64_C(0x586838c4ccd3817b)},
    {"topology: {kind: megafly, groups: 5, leaves: 2, hosts: 2}\n" VCS(
         6) "routing: {kind: ugal, threshold: 1}\n",
     UINT64_C(0xca11588199286019)},
    {"topology: {kind: hypercube, dimensions: 4}\n" VCS(
         3) "routing: {kind: zone, order: longest-first}\n",
     UINT64_C(0x9550af929f646185)},
    {"topology: {kind: flattened-butterfly, dims: [3, 4]}\n" VCS(3) "routing: o1turn\n",
     UINT64_C(0xc6182009c114f5e1)},
    {"topology: {kind: mesh, dims: [3, 3], hosts: 2}\n" VCS(
         2) "routing: {kind: tables, file: " WEFT_TEST_DATA "/routes/mesh-3x3-hosts.tables}\n",
     UINT64_C(0x24c8e3f5b6ed3141)},
    {"topology: {kind: mesh, dims: [3, 3], hosts: 2}\nrouting: {kind: tables, file: " WEFT_TEST_DATA
     "/routes/mesh-3x3-hosts.tables}\n",
     UINT64_C(0x8a04c193f5dfbf48)},
    {"topology: {kind: torus, dims: [3, 3]}\n" VCS(2) "routing: hamiltonian\n",
     UINT64_C(0xcbefbaf67e7df81e)},
};

static void routes_are_the_same_for_ever(void **state)
{
    (void)state;
    size_t different = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        stage it;
        char text[1024];
        (void)snprintf(text, sizeof text, "%straffic: {all: {length: 8 flits, load: 0.1}}\n",
                       rows[i].text);
        if (stage_try(&it, text) != WEFT_OK)
            fail_msg("%s", it.err.text);
        uint64_t sum = sum_of(&it.network.routing);
        if (sum != rows[i].sum) {
            print_error("row %zu: 0x%016llx\n%s", i, (unsigned long long)sum, rows[i].text);
            different++;
        }
        stage_close(&it);
    }
    assert_int_equal(different, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_are_the_same_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
