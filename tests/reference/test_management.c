/* SPDX-License-Identifier: Apache-2.0 */
/* How long packets of VL 15 wait where the other VLs are saturated: at every port, that of the
 * endpoint included, not longer than the longest packet is on the wire. One source sends them, one
 * at a time, so they wait for nothing but data. */
#include "sim/packet.h"
#include "sim/simulation.h"
#include "sim/site.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "contract/scenario.h"

enum { PIPELINE = 2, CROSSBAR = 1, WIRE = 3, LONGEST = 40, LENGTH = 8, MANAGEMENT = 2 };

#define NETWORK                                                                     \
    "topology: {kind: mesh, dims: [3], hosts: 3}\n"                                 \
    "routing: {kind: dimension-order}\n"                                            \
    "links: {flit: 4 B, latency: 3 cycles}\n"                                       \
    "traffic:\n"                                                                    \
    "  a: {from: 0-5, to: 8, sl: 0, length: 40 flits, load: 0.9}\n"                 \
    "  b: {from: 0-5, to: 8, sl: 1, length: 40 flits, load: 0.9}\n"                 \
    "  m: {from: 0, to: 8, management: true, arrival: periodic, length: 8 flits,\n" \
    "      load: 0.0199}\n"                                                         \
    "measure: {warmup: 0 cycles, half-width: 0.0001%, limit: {time: 60000 cycles}}\n"

typedef struct waits {
    bool stored;
    int64_t ready;         /* of the packet that is under way: from when on it waits */
    int64_t longest;       /* wait at a port … */
    int64_t at_an_adapter; /* … and at that of the endpoint */
    int64_t ports, delivered;
} waits;

static void note_wait(int64_t *longest, int64_t wait)
{
    assert_true(wait >= 0);
    *longest = wait > *longest ? wait : *longest;
}

static void note(void *user, weft_trace_kind kind, const weft_event *event, uint32_t place,
                 uint32_t output, uint32_t vc, weft_time at)
{
    (void)place, (void)output, (void)vc;
    waits *of = user;
    if (weft_packet_traffic_class(event) != MANAGEMENT)
        return;
    int64_t last = of->stored ? LENGTH - 1 : 0;
    if (kind == WEFT_TRACE_INJECT) {
        note_wait(&of->at_an_adapter, (int64_t)weft_birth_age(weft_packet_birth(event), at));
        of->ready = at + WIRE + PIPELINE + last;
        of->ports++;
    } else if (kind == WEFT_TRACE_HOP) {
        note_wait(&of->longest, at - of->ready);
        of->ready = at + CROSSBAR + WIRE + PIPELINE + last;
        of->ports++;
    } else {
        of->delivered++;
    }
}

static waits run(const char *router, bool stored)
{
    char text[2048];
    stage it;
    weft_ending ending;
    weft_simulation *simulation = NULL;
    waits of = {.stored = stored};
    (void)snprintf(text, sizeof text, "%s%s", NETWORK, router);
    stage_open(&it, text);
    weft_trace trace = {.note = note, .user = &of};
    weft_simulation_options options = {.blocks = 1, .threads = 1, .trace = &trace};
    assert_int_equal(weft_simulation_create(&it.network, &options, &simulation, &it.err), WEFT_OK);
    assert_int_equal(weft_simulation_run(simulation, &ending, &it.err), WEFT_OK);
    weft_simulation_destroy(simulation);
    stage_close(&it);
    print_message("VL 15 waits at most %lld ticks at a router, %lld at the adapter, of %d: %lld "
                  "packets at %lld ports\n",
                  (long long)of.longest, (long long)of.at_an_adapter, LONGEST,
                  (long long)of.delivered, (long long)of.ports);
    assert_true(of.delivered > 100 && of.ports >= 4 * of.delivered);
    assert_in_range(of.longest, LONGEST / 2, LONGEST);
    assert_in_range(of.at_an_adapter, 0, LONGEST);
    return of;
}

#define ROUTER "router: {kind: input-queued, vcs: 2, buffer: 2 packets, route: 1 cycle, "

static void management_waits_for_one_packet(void **state)
{
    (void)state;
    waits found = run(ROUTER "scheduler: vl-arbitration}\n", false);
    assert_in_range(found.at_an_adapter, LONGEST / 2, LONGEST); /* its link is busy */
    run(ROUTER "queues: voq, scheduler: {kind: vl-arbitration, high-vls: [0, 1], "
               "high-weights: [200, 100], limit: 255}}\n",
        false);
    run(ROUTER "scheduler: separable}\n", false);
    run(ROUTER "queues: voq, scheduler: islip, switching: store-and-forward}\n", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(management_waits_for_one_packet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
