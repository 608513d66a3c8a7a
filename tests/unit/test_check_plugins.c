/* SPDX-License-Identifier: Apache-2.0 */
/* What weft check says of deadlock where a plug-in's word is all there is: what it claims and what
 * is proven are told apart. The routing takes the first minimal port and any virtual channel, which
 * is free of deadlock on a mesh and not on a torus. */
#include "interweft/interweft.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after the headers above */
#include <cmocka.h>

#include "sanitized.h"

static weft_status assign_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    (void)err;
    routing->plan = (weft_vc_plan){.n_vcs = vcs, .open = (uint16_t)((1u << vcs) - 1)};
    return WEFT_OK;
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *at,
                           weft_random *random, weft_candidate *out)
{
    (void)random;
    weft_minimal_port port = {0};
    (void)routing->topology->kind->minimal_ports(routing->topology, at->router, at->header, 1,
                                                 &port);
    out[0] = (weft_candidate){port.port, 0, routing->plan.open, port.next_header};
    return 1;
}

static uint32_t reroute(const weft_routing *routing, const weft_route_context *at,
                        const weft_congestion_view *view, weft_random *random)
{
    (void)routing, (void)view, (void)random;
    return at->header;
}

static const weft_routing_kind silent = {
    .base = {.abi = WEFT_ABI, .size = sizeof silent, .name = "first", .brief = "-"},
    .assign_vcs = assign_vcs,
    .candidates = candidates,
    .always_minimal = true,
    .proof.input_independent = true};

/* What weft check says of deadlock for a routing on a network with these dimensions. */
static void check(const weft_routing_kind *routing, const char *topology, char said[256])
{
    const weft_plugin_item items[] = {{"routing", &routing->base}, {NULL, NULL}};
    const weft_plugin plugin = {WEFT_ABI, sizeof plugin, "test", items};
    const char *overrides[] = {topology, NULL};
    weft_error err = {""};
    weft_study *study;
    weft_study_options options = {
        .text = "interweft: 1\n"
                "router: {kind: input-queued, vcs: 1, buffer: 16 flits}\n"
                "routing: {kind: first}\n"
                "traffic: {all: {pattern: neighbour, length: 4 flits, load: 0.1}}\n",
        .overrides = overrides,
        .results = WEFT_IN_MEMORY,
        .memory = (int64_t)1 << 50}; /* nothing is run */
    char *text = NULL;
    weft_catalog *catalog = weft_catalog_create();
    assert_int_equal(weft_catalog_plug(catalog, &plugin, &err), WEFT_OK);
    if (weft_study_open(&options, catalog, &study, &err) != WEFT_OK ||
        weft_study_check(study, &text, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    const char *at = strstr(text, "\ndeadlock               ");
    assert_non_null(at);
    at += strlen("\ndeadlock               ");
    (void)snprintf(said, 256, "%.*s", (int)strcspn(at, "\n"), at);
    free(text);
    weft_study_close(study);
    weft_catalog_destroy(catalog);
}

static void headers_that_are_not_listed_are_not_examined(void **state)
{
    (void)state;
    char said[256];
    weft_routing_kind quiet = silent;
    quiet.reroute = reroute;
    check(&quiet, "topology={kind: mesh, dims: [4, 4]}", said);
    assert_string_equal(said, "not examined: routing first does not list its headers "
                              "(proof.reroute_outcomes)");
}

static void a_small_network_is_proven_whatever_is_claimed(void **state)
{
    (void)state;
    char said[256];
    weft_routing_kind bold = silent;
    bold.proof.globally_ordered = true;
    check(&bold, "topology={kind: mesh, dims: [8, 8]}", said);
    assert_string_equal(said, "none possible: the channel dependency graph is acyclic (224 "
                              "channels, 14 levels)");
    check(&bold, "topology={kind: torus, dims: [8, 8]}", said);
    assert_string_equal(said, "possible: 8 packets can form a cyclic wait");
}

/* The steps of a sanitized program take too long. */
static void beyond_what_can_be_followed_a_claim_is_a_claim(void **state)
{
    (void)state;
    char said[256];
    weft_routing_kind bold = silent;
    bold.proof.globally_ordered = true;
    check(&bold, "topology={kind: mesh, dims: [72, 72]}", said);
    assert_string_equal(said, "not verified; routing first claims, and --thorough verifies: all "
                              "routes follow one order of the links, by construction (too large "
                              "to enumerate)");
}

/* All minimal ports of a square: packets could wait for each other all round it. */
static unsigned all_candidates(const weft_routing *routing, const weft_route_context *at,
                               weft_random *random, weft_candidate *out)
{
    (void)random;
    weft_minimal_port ports[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = routing->topology->kind->minimal_ports(
        routing->topology, at->router, at->header, WEFT_MINIMAL_PORTS_MAX, ports);
    for (unsigned i = 0; i < count; i++)
        out[i] = (weft_candidate){ports[i].port, 0, routing->plan.open, ports[i].next_header};
    return count;
}

static weft_status assign_drawn(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    routing->draws = true;
    return assign_vcs(routing, vcs, err);
}

/* At router 0 one of them is drawn, elsewhere it is the first. */
static unsigned drawn_candidates(const weft_routing *routing, const weft_route_context *at,
                                 weft_random *random, weft_candidate *out)
{
    unsigned count = all_candidates(routing, at, random, out);
    if (at->router == 0 && count > 1)
        out[0] = out[weft_random_word(random) >> 31];
    return 1;
}

static void what_was_not_seen_is_not_proven(void **state)
{
    (void)state;
    char said[256];
    weft_routing_kind kind = silent;
    kind.ports_wanted = WEFT_MINIMAL_PORTS_MAX;
    kind.candidates = all_candidates;
    check(&kind, "topology={kind: mesh, dims: [4, 4]}", said);
    assert_string_equal(said,
                        "not proven: no acyclic escape path was found; the shortest cycle follows");
    kind.assign_vcs = assign_drawn;
    kind.candidates = drawn_candidates;
    check(&kind, "topology={kind: mesh, dims: [4, 4]}", said);
    assert_string_equal(said, "not proven: routing first draws its candidates, and only some draws "
                              "were examined; it should draw in initial_header or reroute");
    check(&silent, "topology={kind: flattened-butterfly, dims: [128, 128], trunk: [4, 4]}", said);
    assert_string_equal(said, "not examined completely: no cycle among packets to 0 of 16384 "
                              "destinations; --thorough goes on");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_that_are_not_listed_are_not_examined),
        cmocka_unit_test(a_small_network_is_proven_whatever_is_claimed),
        cmocka_unit_test(what_was_not_seen_is_not_proven),
        cmocka_unit_test(beyond_what_can_be_followed_a_claim_is_a_claim),
    };
    return SANITIZED ? _cmocka_run_group_tests("small", tests, 3, NULL, NULL)
                     : cmocka_run_group_tests(tests, NULL, NULL);
}
