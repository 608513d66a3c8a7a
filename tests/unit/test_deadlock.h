/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of the verdict on deadlock share: questions about one routing, packets that follow it,
 * and certificates checked hop by hop. */
#ifndef WEFT_TEST_DEADLOCK_H
#define WEFT_TEST_DEADLOCK_H

#include "analysis/deadlock/deadlock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/vcs.h"
#include "net/routing.h"

/* With so many VCs and one kind of packets. */
static inline weft_deadlock_question question_of(const weft_routing *routing, uint32_t vcs)
{
    return (weft_deadlock_question){
        .topology = routing->topology, .traffic_classes = 1, .routing = {routing}, .vcs = vcs};
}

/* Does a packet come through `at` and then wait for `next`? Of routings with one candidate and
 * no draws. */
static inline bool comes_through(const weft_routing *routing, const weft_deadlock_packet *packet)
{
    weft_route_context here = vc_net_start(
        packet->from, weft_routing_initial_header(routing, packet->from, packet->to, NULL));
    bool held = false;
    while (here.header) {
        weft_candidate hop;
        assert_int_equal(routing->kind->candidates(routing, &here, NULL, &hop), 1);
        if (held)
            return hop.port == packet->next.port && (hop.vcs >> packet->next.vc & 1) &&
                   here.router == packet->next.router;
        held = here.router == packet->at.router && hop.port == packet->at.port;
        here = vc_net_follow(routing->topology, &here, &hop,
                             held ? packet->at.vc : (uint32_t)__builtin_ctz(hop.vcs));
    }
    return false;
}

/* Headers of forwarding tables. */
static inline uint32_t address(const weft_routing *routing, uint32_t from, uint32_t to,
                               weft_random *random)
{
    (void)routing, (void)from, (void)random;
    return to + 1;
}

/* A packet that goes from one router to another has at every hop an alternative that comes
 * before where it is. */
typedef struct proof {
    const weft_routing *routing;
    const weft_deadlock *found;
    uint32_t from;
    uint64_t hops;
} proof;

static inline void check_hop(proof *p, const weft_route_context *here, weft_channel at, bool held)
{
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
    if (here->header == 0)
        return;
    unsigned count = vc_net_ask(p->routing, here, 0, hops), before = 0;
    uint32_t level = held ? weft_deadlock_level(p->found, at) : UINT32_MAX;
    assert_true(level > 0);
    for (unsigned i = 0; i < count; i++)
        for (uint32_t vcs = hops[i].vcs; vcs; vcs &= vcs - 1) {
            weft_channel next = {here->router, hops[i].port, (uint16_t)__builtin_ctz(vcs)};
            before += weft_deadlock_level(p->found, next) < level;
        }
    assert_true(before > 0);
    p->hops++;
    for (unsigned i = 0; i < count; i++) {
        weft_channel next = {here->router, hops[i].port, (uint16_t)__builtin_ctz(hops[i].vcs)};
        weft_route_context there = vc_net_follow(p->routing->topology, here, &hops[i], next.vc);
        check_hop(p, &there, next, true);
    }
}

static inline void check_word(void *user, uint32_t word)
{
    proof *p = user;
    weft_route_context here = vc_net_start(p->from, word);
    check_hop(p, &here, (weft_channel){0}, false);
}

/* Every packet between some pairs of routers. */
static inline void check_pairs(const weft_routing *routing, const weft_deadlock *found,
                               uint64_t seed)
{
    const weft_topology *topology = routing->topology;
    proof p = {.routing = routing, .found = found};
    weft_random draw = weft_random_stream(3, seed, 0, WEFT_FOR_ESTIMATE);
    for (int pair = 0; pair < 4000 && p.hops < 100000; pair++) {
        p.from = (uint32_t)(weft_random_word(&draw) % topology->routers);
        uint32_t to = (uint32_t)(weft_random_word(&draw) % topology->routers);
        if (to != p.from && topology->kind->distance(topology, p.from, to) <= 12)
            (void)weft_routing_starts(routing, p.from, to, check_word, &p);
    }
    assert_true(p.hops > 1000);
}

#endif
