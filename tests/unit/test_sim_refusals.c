/* SPDX-License-Identifier: Apache-2.0 */
/* Routers that cannot be what is asked of them in their network: what is wrong, and what would be
 * right. */
#include "test_refusals.h"

#include "sim/platform.h"

/* The message about a scenario's routers; its network itself must be right. */
static const char *routers(const char *text, const weft_registry *registry, weft_arena *arena)
{
    static const char torus[] = "topology: {kind: torus, dims: [4, 4]}\n";
    static const char light[] = "traffic: {all: {length: 8 flits, load: 0.1}}\n";
    weft_plan *plan;
    weft_scenario scenario;
    weft_network network;
    weft_platform platform;
    weft_error *err = WEFT_TAKE(arena, weft_error, 1);
    const char *whole = weft_arena_format(arena, "interweft: 1\n%s\n%s%s", text,
                                          refusals_has(text, "topology:") ? "" : torus,
                                          refusals_has(text, "traffic:") ? "" : light);
    assert_int_equal(
        weft_plan_read_text("t.yaml", whole, strlen(whole), NULL, registry, arena, &plan, err), 0);
    assert_int_equal(weft_plan_point(plan, 0, arena, &scenario, err), 0);
    assert_int_equal(weft_network_build(&network, &scenario, arena, err), 0);
    weft_platform_init(&platform, &network);
    weft_status status = weft_platform_check(&platform, err);
    weft_network_done(&network);
    assert_int_equal(status, *err->text != '\0' ? WEFT_BAD_INPUT : WEFT_OK);
    return err->text;
}

#define IQ "router: {kind: input-queued, vcs: 2, "

/* Ticks of 1 ps, and messages of 64000 flits. */
#define PICOSECONDS "clock: 1 GHz\nlinks: {rate: 8 Gb/s, flit: 1 B, latency: 1.001 ns, "
#define LONG        "traffic: {all: {length: 64000 B, load: 0.001}}"

static const refusal of_any_kind[] = {
    {"topology: {kind: torus, dims: [4, 4], global: [0]}\n"
     "links: {latency: 1 cycle, global: {latency: 1073741824 cycles}}",
     "t.yaml:3:45: links.global.latency: a wire takes 1.07374e+09 cycles, 1073741824 ticks of 1 "
     "cycles; less than 2^30 (1.074e+09 cycles) can be simulated: round rates and times, so that "
     "their greatest common divisor, the tick, is longer"},
    {PICOSECONDS "host: {rate: 100 Mb/s}}\n" LONG,
     "t.yaml:3:66: links.host.rate: the longest packet takes 5.12e+06 ns, 5120000000 ticks of "
     "0.001 ns; less than 2^30 (1.074e+06 ns) can be simulated: round rates and times, so that "
     "their greatest common divisor, the tick, is longer"},
    {PICOSECONDS "where: {'0 - 1': {rate: 100 Mb/s}}}\n" LONG,
     "t.yaml:3:8: links.where, or the file of the topology: the longest packet takes 5.12e+06 ns, "
     "5120000000 ticks of 0.001 ns; less than 2^30 (1.074e+06 ns) can be simulated: round rates "
     "and times, so that their greatest common divisor, the tick, is longer"},
    {"topology: {kind: mesh, dims: [70], hosts: 512}\n"
     "router: {kind: input-queued, vcs: 1, buffer: 8 flits}",
     "t.yaml:3:9: paths may have 69 hops; with routers of 514 ports and 512 endpoints at most 63 "
     "can be simulated: use fewer ports or a smaller network"},
    {"topology: {kind: full, routers: 1, hosts: 2}\n"
     "router: {kind: queue, service: 5 cycles}\n"
     "traffic: {all: {length: 1 flits, load: 0.1}}\n"
     "measure: {devices: ports}",
     "t.yaml:5:20: measure.devices: router queue counts nothing by devices: use input-queued or "
     "output-queued, or off"},
    {"topology: {kind: full, routers: 3, hosts: 65}\nmeasure: {by: history}",
     "t.yaml:3:15: measure.by history needs at most 64 endpoints at a router, found 65: use hops"},
    {"measure: {series: 100 cycles, rates: 0-2}",
     "t.yaml:2:38: measure.rates: routers of kind output-queued do not count what flows send: use "
     "input-queued"},
};

static const refusal of_input_queued_routers[] = {
    {IQ "buffer: 600000000 flits, shared: 600000000 flits}",
     "t.yaml:2:46: router.buffer of 1.2e+09 is more than can be counted"},
    {IQ "buffer: 8 flits, credit: 0 cycles}",
     "t.yaml:2:63: router.credit must be at least one tick, found 0"},
    {IQ "buffer: 8 flits, crossbar: 0 cycles, route: 0 cycles, allocate: 0 cycles}\n"
        "links: {latency: 0 cycles, host: {latency: 1 cycle}}",
     "t.yaml:2:9: nothing between two routers takes time: a head needs at least one tick in "
     "router.crossbar, links.latency or the router's stages"},
    {IQ "buffer: 8 flits, crossbar: 1 cycle, route: 0 cycles, allocate: 0 cycles}\n"
        "links: {latency: 1 cycle, host: {latency: 0 cycles}}",
     "t.yaml:2:9: nothing between an endpoint and its router takes time: give endpoint.delay, "
     "links.host.latency or a stage of the router at least one tick"},
    {"router: {kind: input-queued, vcs: 3, buffer: 8 flits, vc-stage: true}\nrouting: {kind: "
     "minimal-adaptive, escape: 2}",
     "t.yaml:2:65: router.vc-stage needs a routing with one port per packet (dimension-order), "
     "found minimal-adaptive"},
    {IQ "buffer: 8 flits, marking: full}\nendpoint: {ports: 2}",
     "t.yaml:2:64: router.marking with endpoint.ports above 1 needs router.queues: voq"},
    {IQ "buffer: 8 flits, marking: full}\nmeasure: {by: history}",
     "t.yaml:2:64: router.marking and measure.by history do not go together: use by hops"},
    {IQ "buffer: 8 flits, marking: full}\n"
        "topology: {kind: full, routers: 3, hosts: 65}",
     "t.yaml:2:64: router.marking needs at most 64 endpoints at a router, found 65"},
    {"router: {kind: input-queued, vcs: 1, buffer: 8 flits}\n"
     "topology: {kind: full, routers: 600, hosts: 600}\n",
     "t.yaml:2:9: a router has 1199 ports, those of its endpoints included; times speed-up at most "
     "1024 can be simulated: use fewer dimensions, topology.hosts or endpoint.ports"},
    {IQ "buffer: 8 flits, scheduler: islip}\n"
        "topology: {kind: full, routers: 3, hosts: 65}",
     "t.yaml:2:66: router.scheduler islip is for routers of at most 64 ports, those of their "
     "endpoints included and times speed-up; here some have more: use separable"},
    {"router: {kind: input-queued, vcs: 15, buffer: 8 flits, queues: voq, "
     "scheduler: {kind: separable, input: matrix, output: matrix}}\n"
     "topology: {kind: full, routers: 3, hosts: 1000}",
     "t.yaml:2:80: router.scheduler: its state at a router of 1002 ports and 15 virtual channels "
     "takes 27123 MiB, at most 1024 can be simulated: use other arbiters"},
    {IQ "buffer: 60 flits, flow-control: pause}\n"
        "traffic:\n  all: {length: 8 flits, load: 0.1}\n"
        "  sm: {length: 1 flits, load: 0.1, management: true}",
     "t.yaml:2:9: management (VL 15) is InfiniBand's, whose links have credits: "
     "router.flow-control must be credits, found pause"},
    {"router: {kind: input-queued, vcs: 3, buffer: 8 flits}\nrouting: {kind: minimal-adaptive, "
     "escape: 2}\n"
     "traffic:\n  all: {length: 8 flits, load: 0.1}\n"
     "  sm: {length: 1 flits, load: 0.1, management: true, routing: dimension-order}",
     "t.yaml:5:8: traffic.all: beside management (VL 15) packets need one port each; routing "
     "minimal-adaptive has several: use dimension-order or tables"},
    {"router: {kind: input-queued, vcs: 8, buffer: 60 flits, flow-control: pause}\n"
     "topology: {kind: dragonfly, groups: 5, routers: 2}\n"
     "routing: {kind: par}",
     "t.yaml:2:9: routing par decides by credits, which flow-control: pause has not: use another "
     "routing, or credits"},
    {IQ "buffer: 900000 flits, flow-control: pause}\n"
        "links: {latency: 100000 cycles}\n"
        "traffic: {all: {length: 1 flits, load: 0.1}}",
     "t.yaml:2:9: flow-control: pause follows packets on a link; here there may be 200005, at most "
     "65535 can be simulated: use larger flits or shorter links"},
};

static const refusal of_other_routers[] = {
    {"topology: {kind: torus, dims: [4, 4], global: [0]}\n"
     "links: {latency: 1 cycle, global: {latency: 2 cycles}}",
     "t.yaml:3:35: links.global must have the rate and the latency of links.local: routers of kind "
     "output-queued join links of one kind"},
    {"topology: {kind: torus, dims: [4, 4], global: [0]}\n"
     "links: {global: {rate: 0.5 flits/cycle}}",
     "t.yaml:3:17: links.global must have the rate and the latency of links.local: routers of kind "
     "output-queued join links of one kind"},
    {"topology: {kind: full, routers: 1, hosts: 2}\n"
     "router: {kind: queue, service: 5 cycles}\n"
     "endpoint: {delay: 1 cycle}\n"
     "traffic: {all: {length: 1 flits, load: 0.1}}",
     "t.yaml:3:9: section endpoint must be left out: messages join a queue at once"},
    {"router: shared-queue\n"
     "links: {where: {'0 - 1': {latency: 9 cycles}}}",
     "t.yaml:2:9: links have rates or latencies of their own (links.where, or the file of the "
     "topology): routers of kind shared-queue have them by class; use input-queued"},
    {"topology: {kind: full, routers: 3, hosts: 70}\nrouter: shared-queue\n"
     "endpoint: {reception: one-port}",
     "t.yaml:3:9: a router of kind shared-queue has at most 64 outputs, here 72: use fewer "
     "endpoints at a router, or endpoint.reception unlimited"},
};

static void routers_say_what_does_not_go(void **state)
{
    (void)state;
    REFUSED(of_any_kind, routers);
    REFUSED(of_input_queued_routers, routers);
    REFUSED(of_other_routers, routers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(routers_say_what_does_not_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
