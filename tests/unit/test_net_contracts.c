/* SPDX-License-Identifier: Apache-2.0 */
/* Topologies and routings that break one promise each, made of right ones: what a plug-in's author
 * is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/scenario.h"
#include "net/contract.h"

#define RING "topology: {kind: torus, dims: [5]}\n"
#define LINE "topology: {kind: mesh, dims: [3]}\n"
#define TREE "topology: {kind: leaf-spine, leaves: 3, spines: 2}\n"

static const weft_topology_kind *right; /* the kind that a topology is made of */

/* ---- topologies ---- */

typedef struct place { /* a copy that may be spoiled */
    weft_topology topology;
    weft_topology_kind kind;
} place;

static weft_end nowhere_near(const weft_topology *t, uint32_t router, uint32_t port)
{
    return router == 0 ? (weft_end){.router = 9, .port = 0} : right->peer(t, router, port);
}

static weft_end wrong_port(const weft_topology *t, uint32_t router, uint32_t port)
{
    return router == 0 ? (weft_end){.router = 1, .port = 2} : right->peer(t, router, port);
}

static weft_end wrong_end(const weft_topology *t, uint32_t router, uint32_t port)
{
    return router == 2 ? (weft_end){.router = 0, .port = port} : right->peer(t, router, port);
}

static weft_end first_end(const weft_topology *t, uint32_t router, uint32_t port)
{
    (void)t, (void)router, (void)port;
    return (weft_end){.router = 0, .port = 0};
}

static unsigned no_ports(const weft_topology *t, uint32_t router, uint32_t header, unsigned most,
                         weft_minimal_port *out)
{
    (void)t, (void)router, (void)header, (void)most, (void)out;
    return 0;
}

static unsigned port_two(const weft_topology *t, uint32_t router, uint32_t header, unsigned most,
                         weft_minimal_port *out)
{
    unsigned count = right->minimal_ports(t, router, header, most, out);
    out->port = 2;
    return count;
}

/* Over the end of a line. */
static unsigned port_out(const weft_topology *t, uint32_t router, uint32_t header, unsigned most,
                         weft_minimal_port *out)
{
    unsigned count = right->minimal_ports(t, router, header, most, out);
    out->port = router == 0 ? 1 : out->port;
    return count;
}

static uint32_t class_two(const weft_topology *t, uint32_t router, const weft_minimal_port *port)
{
    (void)t, (void)router, (void)port;
    return 2;
}

static uint32_t one_more(const weft_topology *t, uint32_t from, uint32_t to)
{
    return right->distance(t, from, to) + 1;
}

static uint32_t one_less(const weft_topology *t, uint32_t from, uint32_t to)
{
    return right->distance(t, from, to) - 1;
}

static uint32_t no_header(const weft_topology *t, uint32_t from, uint32_t to, weft_random *random)
{
    (void)t, (void)from, (void)to, (void)random;
    return 0;
}

static double more_in_the_mean(const weft_topology *t)
{
    return right->mean_distance(t) + 0.25;
}

static double less_in_the_mean(const weft_topology *t)
{
    return right->mean_distance(t) - 0.25;
}

static void same_order(const weft_topology *t, uint32_t *order)
{
    for (uint32_t r = 0; r < t->routers; r++)
        order[r] = r;
}

static void order_backwards(const weft_topology *t, uint32_t *order)
{
    for (uint32_t r = 0; r < t->routers; r++)
        order[r] = t->routers - 1 - r;
}

static void order_twice(const weft_topology *t, uint32_t *order)
{
    same_order(t, order);
    order[4] = 3;
}

#define SPOIL(name, ...)                  \
    static void name(place *p)            \
    {                                     \
        weft_topology *t = &p->topology;  \
        weft_topology_kind *k = &p->kind; \
        (void)t, (void)k;                 \
        __VA_ARGS__;                      \
    }
SPOIL(nothing, (void)0)
SPOIL(no_routers, t->routers = 0)
SPOIL(no_endpoints, t->concentration = 0)
SPOIL(many_ports, t->ports = 1025)
SPOIL(many_edges, t->edge_routers = 6)
SPOIL(far_egress, t->egress_offset = 1)
SPOIL(many_classes, t->vc_classes[1] = 9)
SPOIL(wrong_class, t->port_class[1] = WEFT_LINK_CLASSES)
SPOIL(many_rows, t->cut.n_rows = WEFT_DIMS_MAX + 1)
SPOIL(many_units, t->cut.n_units = WEFT_DIMS_MAX + 1)
SPOIL(late_row, t->cut.n_rows = 1; t->cut.row[0] = 1)
SPOIL(same_row, t->cut.n_rows = 2; t->cut.row[0] = t->cut.row[1] = 0)
SPOIL(far_row, t->cut.n_rows = 2; t->cut.row[0] = 0; t->cut.row[1] = 5)
SPOIL(empty_unit, t->cut.n_units = 2; t->cut.unit[0] = 1; t->cut.unit[1] = 0)
SPOIL(edge_in_two_rows, t->cut.n_rows = 2; t->cut.row[0] = 0; t->cut.row[1] = 2)
SPOIL(two_rows, t->cut.n_rows = 2; t->cut.row[0] = 0; t->cut.row[1] = 3; k->cut_order = same_order)
SPOIL(row_of_another, t->cut.n_rows = 2; t->cut.row[0] = 0; t->cut.row[1] = 3;
      k->cut_order = order_backwards)
SPOIL(any_order, t->cut.n_rows = 1; t->cut.row[0] = 0; k->cut_order = order_backwards)
SPOIL(twice_in_order, t->cut.n_rows = 1; t->cut.row[0] = 0; k->cut_order = order_twice)
SPOIL(far_peer, k->peer = nowhere_near)
SPOIL(peer_without_port, k->peer = wrong_port)
SPOIL(peer_one_way, k->peer = wrong_end)
SPOIL(other_upstream, k->upstream = first_end)
SPOIL(not_uniform, t->uniform = true; t->peer_port[0] = 0)
SPOIL(more_links, t->links++)
SPOIL(fewer_links, t->links--)
SPOIL(no_minimal, k->minimal_ports = no_ports)
SPOIL(minimal_beyond, k->minimal_ports = port_two)
SPOIL(minimal_without_link, k->minimal_ports = port_out)
SPOIL(high_class, k->vc_class = class_two)
SPOIL(longer, k->distance = one_more)
SPOIL(shorter, k->distance = one_less)
SPOIL(without_header, k->make_header = no_header)
SPOIL(larger_mean, k->mean_distance = more_in_the_mean)
SPOIL(smaller_mean, k->mean_distance = less_in_the_mean)

static const struct {
    const char *base;
    void (*spoil)(place *p);
    const char *said;
} topologies[] = {
    {RING, nothing, ""},
    {LINE, nothing, ""},
    {TREE, nothing, ""},
    {RING, no_routers, "topology torus has 0 routers of 1 endpoints: build has to set both"},
    {RING, no_endpoints, "topology torus has 5 routers of 0 endpoints: build has to set both"},
    {RING, many_ports, "topology torus has 1025 ports; at most 1024"},
    {RING, many_edges, "topology torus has 6 edge routers from router 0 on, of 5 routers"},
    {RING, far_egress, "topology torus has 5 edge routers from router 1 on, of 5 routers"},
    {RING, many_classes, "topology torus: vc_classes or port_class of port 1 is out of range"},
    {RING, wrong_class, "topology torus: vc_classes or port_class of port 1 is out of range"},
    {RING, many_rows, "topology torus: cut has 25 rows and 0 units; at most 24"},
    {RING, many_units, "topology torus: cut has 1 rows and 25 units; at most 24"},
    {RING, late_row, "topology torus: cut.row has to begin with 0 and ascend, found 1 at 0"},
    {RING, same_row, "topology torus: cut.row has to begin with 0 and ascend, found 0 at 1"},
    {RING, far_row, "topology torus: cut.row has to begin with 0 and ascend, found 5 at 1"},
    {RING, empty_unit, "topology torus: cut.unit 1 has no routers"},
    {TREE, edge_in_two_rows,
     "topology leaf-spine: the first row of cut ends at router 2, but 3 have endpoints"},
    {RING, two_rows, ""},
    {RING, row_of_another,
     "topology torus: cut_order puts router 4 at place 0, which is there twice or belongs to "
     "another row"},
    {RING, any_order, ""},
    {RING, twice_in_order,
     "topology torus: cut_order puts router 3 at place 4, which is there twice or belongs to "
     "another row"},
    {RING, far_peer,
     "topology torus: port 0 of router 0 leads to port 0 of router 9, which is not there"},
    {RING, peer_without_port,
     "topology torus: port 0 of router 0 leads to port 2 of router 1, which is not there"},
    {RING, peer_one_way,
     "topology torus: port 0 of router 1 leads to port 1 of router 2, but the other end of that is "
     "port 1 of router 0"},
    {RING, other_upstream,
     "topology torus: port 1 of router 0 leads to port 0 of router 4, but upstream of that is port "
     "0 of router 0"},
    {RING, not_uniform, "topology torus is not uniform: port 0 of router 0 leads to port 1, not 0"},
    {RING, more_links, "topology torus has 10 links, but says 11"},
    {RING, fewer_links, "topology torus has 10 links, but says 9"},
    {RING, no_minimal,
     "topology torus has no minimal port at router 0 for header 1, on the way from router 0 to 1"},
    {RING, minimal_beyond,
     "topology torus has no minimal port at router 0 for header 1, on the way from router 0 to 1"},
    {LINE, minimal_without_link, "topology mesh: minimal port 1 of router 0 has no link"},
    {RING, high_class, "topology torus: vc_class at router 0, port 0 is not below its 2 classes"},
    {RING, longer,
     "topology torus: distance from router 0 to 1 is 2, but minimal ports lead to router 1 in 1 "
     "hops, with header 0"},
    {RING, shorter,
     "topology torus: distance from router 0 to 1 is 0, but minimal ports lead to router 0 in 0 "
     "hops, with header 1"},
    {RING, without_header,
     "topology torus: distance from router 0 to 1 is 1, but minimal ports lead to router 0 in 0 "
     "hops, with header 0"},
    {RING, larger_mean,
     "topology torus: mean_distance is 1.75, but the mean over all pairs is 1.5"},
    {RING, smaller_mean,
     "topology torus: mean_distance is 1.25, but the mean over all pairs is 1.5"},
};

static void topologies_are_told_what_they_break(void **state)
{
    (void)state;
    size_t different = 0;
    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++) {
        stage it;
        char text[256];
        (void)snprintf(text, sizeof text, "%straffic: {all: {length: 8 flits, load: 0.1}}\n",
                       topologies[i].base);
        const weft_network *network = stage_open(&it, text);
        place p = {.topology = network->topology, .kind = *network->topology.kind};
        weft_error err = {""};
        right = network->topology.kind;
        p.topology.kind = &p.kind;
        topologies[i].spoil(&p);
        weft_status status = weft_contract_topology(&p.topology, &err);
        assert_int_equal(status, *err.text ? WEFT_BROKEN : WEFT_OK);
        if (strcmp(err.text, topologies[i].said) != 0) {
            print_error("row %zu: %s\n", i, err.text);
            different++;
        }
        stage_close(&it);
    }
    assert_int_equal(different, 0);
}

/* ---- routings ---- */

static const weft_routing_kind *right_way;

static unsigned ask(const weft_routing *r, const weft_route_context *at, weft_random *random,
                    weft_candidate *out)
{
    return right_way->candidates(r, at, r->draws ? random : NULL, out);
}

static unsigned none_at_two(const weft_routing *r, const weft_route_context *at,
                            weft_random *random, weft_candidate *out)
{
    return at->router == 2 ? 0 : ask(r, at, random, out);
}

static unsigned too_many(const weft_routing *r, const weft_route_context *at, weft_random *random,
                         weft_candidate *out)
{
    (void)ask(r, at, random, out);
    return WEFT_MINIMAL_PORTS_MAX + 1;
}

static unsigned beyond_ports(const weft_routing *r, const weft_route_context *at,
                             weft_random *random, weft_candidate *out)
{
    unsigned count = ask(r, at, random, out);
    out->port = 2;
    return count;
}

static unsigned no_link(const weft_routing *r, const weft_route_context *at, weft_random *random,
                        weft_candidate *out)
{
    unsigned count = ask(r, at, random, out);
    out->port = at->router == 0 ? 1 : out->port;
    return count;
}

static unsigned no_vc(const weft_routing *r, const weft_route_context *at, weft_random *random,
                      weft_candidate *out)
{
    unsigned count = ask(r, at, random, out);
    out->vcs = 0;
    return count;
}

static unsigned vc_four(const weft_routing *r, const weft_route_context *at, weft_random *random,
                        weft_candidate *out)
{
    unsigned count = ask(r, at, random, out);
    out->vcs = 1u << 4;
    return count;
}

/* A packet that has come in goes on to where it came from. */
static unsigned by_input(const weft_routing *r, const weft_route_context *at, weft_random *random,
                         weft_candidate *out)
{
    unsigned count = ask(r, at, random, out);
    out->port = at->port == WEFT_FROM_ENDPOINT ? out->port : at->port;
    return count;
}

static unsigned one_more_from_endpoints(const weft_routing *r, const weft_route_context *at,
                                        weft_random *random, weft_candidate *out)
{
    unsigned count = ask(r, at, random, out);
    out[count] = out[0];
    return count + (at->port == WEFT_FROM_ENDPOINT && at->router == 2);
}

static unsigned same_header(const weft_routing *r, const weft_route_context *at,
                            weft_random *random, weft_candidate *out)
{
    unsigned count = ask(r, at, random, out);
    out->next_header = at->header;
    return count;
}

static unsigned leave_at_once(const weft_routing *r, const weft_route_context *at,
                              weft_random *random, weft_candidate *out)
{
    unsigned count = ask(r, at, random, out);
    out->next_header = 0;
    return count;
}

static uint32_t starting(const weft_routing *r, uint32_t from, uint32_t to, weft_random *random)
{
    return r->topology->kind->make_header(r->topology, from, to, random);
}

static uint32_t one_start(const weft_routing *r, uint32_t from, uint32_t to,
                          void (*each)(void *user, uint32_t header), void *user)
{
    each(user, r->topology->kind->make_header(r->topology, from, to, NULL));
    return 1;
}

static uint32_t other_start(const weft_routing *r, uint32_t from, uint32_t to,
                            void (*each)(void *user, uint32_t header), void *user)
{
    each(user, r->topology->kind->make_header(r->topology, from, to, NULL) + 1);
    return 1;
}

static uint32_t stay(const weft_routing *r, const weft_route_context *at,
                     const weft_congestion_view *view, weft_random *random)
{
    (void)r, (void)random;
    assert_true(view->waiting(view->user, 0, 1) < 64);
    return at->header;
}

static uint32_t stays(const weft_routing *r, const weft_route_context *at,
                      void (*each)(void *user, uint32_t header), void *user)
{
    (void)r;
    each(user, at->header + 1);
    each(user, at->header);
    return 2;
}

static uint32_t changes(const weft_routing *r, const weft_route_context *at,
                        void (*each)(void *user, uint32_t header), void *user)
{
    (void)r;
    each(user, at->header + 1);
    return 1;
}

static uint32_t one_hop(const weft_routing *r)
{
    (void)r;
    return 1;
}

#define ASTRAY(name, ...)                  \
    static void name(weft_routing_kind *k) \
    {                                      \
        (void)k;                           \
        __VA_ARGS__;                       \
    }
ASTRAY(not_astray, (void)0)
ASTRAY(no_candidate, k->candidates = none_at_two)
ASTRAY(many_candidates, k->candidates = too_many)
ASTRAY(candidate_beyond, k->candidates = beyond_ports)
ASTRAY(candidate_without_link, k->candidates = no_link)
ASTRAY(candidate_without_vc, k->candidates = no_vc)
ASTRAY(candidate_of_vc_four, k->candidates = vc_four)
ASTRAY(candidate_by_input, k->candidates = by_input)
ASTRAY(more_candidates_by_input, k->candidates = one_more_from_endpoints)
ASTRAY(never_arrives, k->candidates = same_header)
ASTRAY(leaves_at_once, k->candidates = leave_at_once)
ASTRAY(listed_start, k->initial_header = starting; k->proof.initial_headers = one_start)
ASTRAY(start_without_list, k->initial_header = starting; k->proof.initial_headers = NULL)
ASTRAY(other_list_of_starts, k->initial_header = starting; k->proof.initial_headers = other_start)
ASTRAY(listed_reroute, k->reroute = stay; k->proof.reroute_outcomes = stays)
ASTRAY(reroute_without_list, k->reroute = stay; k->proof.reroute_outcomes = NULL)
ASTRAY(other_list_of_reroutes, k->reroute = stay; k->proof.reroute_outcomes = changes)
ASTRAY(short_way, k->proof.max_hops = one_hop)

#define VCS "router: {kind: input-queued, vcs: 4}\n"

static const struct {
    const char *base;
    void (*spoil)(weft_routing_kind *kind);
    const char *said;
} routings[] = {
    {RING, not_astray, ""},
    {RING VCS, not_astray, ""},
    {RING, no_candidate,
     "routing dimension-order gives 0 candidates at router 2 for header 1; at least one, at most "
     "32"},
    {RING, many_candidates,
     "routing dimension-order gives 33 candidates at router 0 for header 1; at least one, at most "
     "32"},
    {RING, candidate_beyond,
     "routing dimension-order gives port 2 at router 0 for header 1: there is no link"},
    {LINE, candidate_without_link,
     "routing dimension-order gives port 1 at router 0 for header 1: there is no link"},
    {RING VCS, candidate_without_vc,
     "routing dimension-order gives VCs 0x0 at router 0 for header 1: one bit for each VC, of 4"},
    {RING, candidate_without_vc, ""},
    {RING VCS, candidate_of_vc_four,
     "routing dimension-order gives VCs 0x10 at router 0 for header 1: one bit for each VC, of 4"},
    {RING, candidate_by_input,
     "routing dimension-order gives a packet that came in by port 1 of router 1 other ports than "
     "one from an endpoint, but says it does not: set ports_by_input, and use routers with virtual "
     "channels"},
    {RING, more_candidates_by_input,
     "routing dimension-order gives a packet that came in by port 1 of router 2 other ports than "
     "one from an endpoint, but says it does not: set ports_by_input, and use routers with virtual "
     "channels"},
    {RING, never_arrives,
     "routing dimension-order: a packet from router 0 to 1 has not arrived after 4096 hops"},
    {RING, leaves_at_once,
     "routing dimension-order: a packet from router 0 to 2 has header 0, and would leave the "
     "network, at router 1"},
    {LINE, listed_start, ""},
    {LINE, start_without_list, ""},
    {LINE, other_list_of_starts,
     "routing dimension-order: initial_header returns header 1 from router 0 to 1, which "
     "initial_headers does not list"},
    {RING VCS, listed_reroute, ""},
    {RING VCS, reroute_without_list, ""},
    {RING VCS, other_list_of_reroutes,
     "routing dimension-order: reroute returns header 1 at router 0 for header 1, which "
     "reroute_outcomes does not list"},
    {RING, short_way,
     "routing dimension-order: a packet from router 0 to 2 has not arrived after 1 hops"},
};

static void routings_are_told_what_they_break(void **state)
{
    (void)state;
    size_t different = 0;
    for (size_t i = 0; i < sizeof routings / sizeof *routings; i++) {
        stage it;
        char text[256];
        (void)snprintf(text, sizeof text,
                       "%srouting: dimension-order\n"
                       "traffic: {all: {length: 8 flits, load: 0.1}}\n",
                       routings[i].base);
        weft_routing routing = stage_open(&it, text)->routing;
        weft_routing_kind kind = *routing.kind;
        weft_error err = {""};
        right_way = routing.kind;
        routing.kind = &kind;
        routings[i].spoil(&kind);
        weft_status status = weft_contract_routing(&routing, &err);
        assert_int_equal(status, *err.text ? WEFT_BROKEN : WEFT_OK);
        if (strcmp(err.text, routings[i].said) != 0) {
            print_error("row %zu: %s\n", i, err.text);
            different++;
        }
        stage_close(&it);
    }
    assert_int_equal(different, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topologies_are_told_what_they_break),
        cmocka_unit_test(routings_are_told_what_they_break),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
