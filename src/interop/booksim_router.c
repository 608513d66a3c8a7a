/* SPDX-License-Identifier: Apache-2.0 */
/* The router and how a run is measured. Without load a head that arrives at cycle t is routed by
 * t + routing_delay, has its channel a cycle later and the switch in that cycle; it is in the
 * next buffer 1 + st_prepare_delay + st_final_delay + wire cycles after that
 * (docs/howto/booksim.md). */
#include "interop/booksim.h"

#include "config/number.h"

#include <string.h>

#define OUTPUT_FLITS 1024 /* of an output buffer, at most */

static const char *cycles(const weft_booksim *set, int64_t count)
{
    return weft_arena_format(set->arena, "%lld cycle%s", (long long)count, count == 1 ? "" : "s");
}

/* Allocators of the switch and their schedulers. */
static const struct {
    const char *name, *becomes;
    bool iterates; /* alloc_iters is for it */
} schedulers[] = {
    {"islip", "islip", true},          {"separable_input_first", "separable", false},
    {"select", "islip", true},         {"separable_output_first", "islip", false},
    {"loa", "islip", false},           {"pim", "pim", true},
    {"wavefront", "wavefront", false}, {"rr_wavefront", "wavefront", false},
    {"max_size", "max-size", false},
};

/* islip of one iteration for one that BookSim has not either. */
static size_t find_scheduler(const weft_booksim *set, const char *key)
{
    size_t i = 0, count = sizeof schedulers / sizeof *schedulers;
    while (i < count && !weft_booksim_is(set, key, schedulers[i].name))
        i++;
    return i < count ? i : 0;
}

static void write_separable(const weft_booksim *set, weft_text *out)
{
    bool matrix = weft_booksim_is(set, "arb_type", "matrix");
    if (!matrix && !weft_booksim_is(set, "arb_type", "round_robin"))
        weft_booksim_differ(set, "arb_type", "round_robin", "round_robin or matrix is translated");
    weft_text_add(out, "  scheduler: {kind: separable, input: %s, output: %s}\n",
                  matrix ? "matrix" : "round-robin", matrix ? "matrix" : "round-robin");
}

static void write_scheduler(const weft_booksim *set, weft_text *out)
{
    size_t i = find_scheduler(set, "sw_allocator");
    bool same = weft_booksim_is(set, "sw_allocator", "islip") ||
                weft_booksim_is(set, "sw_allocator", "separable_input_first");
    if (!same)
        weft_booksim_differ(set, "sw_allocator", NULL,
                            "islip or separable_input_first would be right; scheduler %s is the "
                            "nearest",
                            schedulers[i].becomes);
    if (strcmp(schedulers[i].becomes, "separable") == 0)
        write_separable(set, out);
    else if (schedulers[i].iterates)
        weft_text_add(out, "  scheduler: {kind: %s, iterations: %lld}\n", schedulers[i].becomes,
                      (long long)weft_booksim_int(set, "alloc_iters", 1, 16));
    else
        weft_text_add(out, "  scheduler: %s\n", schedulers[i].becomes);
}

/* With one channel behind every output a packet asks for one, and a channel takes requesters round
 * robin whatever the allocator is. */
static void check_vc_allocator(const weft_booksim *set, const weft_booksim_net *net)
{
    bool islip = weft_booksim_is(set, "vc_allocator", "islip");
    bool in_turn =
        islip || (weft_booksim_is(set, "arb_type", "round_robin") &&
                  strncmp(weft_booksim_get(set, "vc_allocator")->text, "separable_", 10) == 0);
    if (in_turn && net->vcs == 1)
        return;
    if (!islip)
        weft_booksim_differ(set, "vc_allocator", "islip",
                            "`router.vc-stage`: channels take requesters, requesters accept, once");
    else if (!weft_booksim_is(set, "alloc_iters", "1"))
        weft_booksim_differ(set, "alloc_iters", NULL,
                            "channels are allocated in one round, only the switch in several; 1 "
                            "would be right");
}

/* At least the longest packet. */
static int64_t buffer_of(const weft_booksim *set, const weft_booksim_net *net)
{
    int64_t buffer = weft_booksim_int(set, "vc_buf_size", 1, 1000000);
    if (net->longest > buffer)
        weft_booksim_differ(set, "vc_buf_size", NULL,
                            "a packet of %lld flits does not fit; a channel must hold the longest "
                            "packet",
                            (long long)net->longest);
    if (net->longest > 1 && weft_booksim_is(set, "hold_switch_for_packet", "0"))
        weft_booksim_differ(set, "hold_switch_for_packet", "1",
                            "flits of several packets would take turns on a link, here a link "
                            "belongs to a packet until its tail");
    return net->longest > buffer ? net->longest : buffer;
}

/* A stage of several cycles takes in nothing in BookSim while it is busy; here stages are
 * pipelined. */
static int64_t stage(const weft_booksim *set, const char *key, const char *setting, int64_t most)
{
    int64_t delay = weft_booksim_int(set, key, 0, 1000000);
    if (delay > most)
        weft_booksim_differ(set, key, NULL,
                            "BookSim's stage takes in nothing new while it is busy, here stages "
                            "are pipelined (`%s`); %lld would be right",
                            setting, (long long)most);
    return delay;
}

/* Cycles of the crossbar, with the one to the wire. */
static int64_t crossbar_of(const weft_booksim *set)
{
    int64_t final = stage(set, "st_final_delay", "router.crossbar", 1);
    int64_t prepare = stage(set, "st_prepare_delay", "router.crossbar", final < 1 ? 1 - final : 0);
    if (prepare + final < 1)
        weft_booksim_differ(set, "st_final_delay", "1", "BookSim needs one cycle here");
    return prepare + final < 1 ? 2 : 1 + prepare + final;
}

/* Credits wait for the wire and a cycle; more only where all wires are alike. */
static void write_credit(const weft_booksim *set, const weft_booksim_net *net, weft_text *out)
{
    int64_t credit = weft_booksim_int(set, "credit_delay", 0, 1000000);
    if (credit > 0 && weft_booksim_is(set, "topology", "dragonflynew"))
        weft_booksim_differ(set, "credit_delay", "0",
                            "it adds to wires of 10 and of 100 cycles, `router.credit` is one time "
                            "for all");
    else if (credit > 0)
        weft_text_add(out, "  credit: %s # of endpoints too\n",
                      cycles(set, net->wire + 1 + credit));
}

/* A crossbar that is faster than its links: its nearest whole number. Of packets with several flits
 * a part would have to be there before they start over it, which BookSim's flits do not wait for:
 * these have a crossbar as fast as its links. */
static int64_t speedup_of(const weft_booksim *set, const weft_booksim_net *net)
{
    double internal = 1;
    (void)weft_number_read(weft_booksim_get(set, "internal_speedup")->text, 0, &internal);
    if (internal < 1 || internal > 1)
        weft_booksim_differ(set, "internal_speedup", net->longest > 1 ? "1.0" : NULL,
                            "`router.speedup` is a whole number and needs a finite output buffer%s",
                            net->longest > 1 ? "" : "; 1.0 would be right");
    return internal < 1.5 || net->longest > 1 ? 1 : internal > 16 ? 16 : (int64_t)(internal + 0.5);
}

/* BookSim's output buffers have no end; here they have at most 1024 flits. */
static void write_speedups(const weft_booksim *set, const weft_booksim_net *net, weft_text *out)
{
    int64_t input = weft_booksim_int(set, "input_speedup", 1, net->vcs);
    int64_t output = weft_booksim_int(set, "output_speedup", 1, 16),
            crossbar = speedup_of(set, net);
    if (output > 1)
        weft_booksim_differ(set, "output_speedup", NULL,
                            "`router.output-speedup` needs a finite output buffer; 1 would be "
                            "right");
    if (input > 1)
        weft_text_add(out, "  input-speedup: %lld\n", (long long)input);
    if (net->longest > OUTPUT_FLITS || (output == 1 && crossbar == 1))
        return;
    if (output > 1)
        weft_text_add(out, "  output-speedup: %lld\n", (long long)output);
    if (crossbar > 1)
        weft_text_add(out, "  speedup: %lld\n", (long long)crossbar);
    weft_text_add(out, "  output-buffer: %d flits\n", OUTPUT_FLITS);
}

void weft_booksim_router(const weft_booksim *set, const weft_booksim_net *net, weft_text *out)
{
    int64_t buffer = buffer_of(set, net);
    int64_t route = stage(set, "routing_delay", "router.route", 1), crossbar = crossbar_of(set);
    weft_text_add(out, "endpoint: {delay: 1 cycle}\nrouter:\n  kind: input-queued\n");
    weft_text_add(out, "  vcs: %lld\n  buffer: %lld flit%s\n", (long long)net->vcs,
                  (long long)buffer, buffer == 1 ? "" : "s");
    weft_text_add(out, "  receive: 0 cycles\n  route: %s\n  allocate: 0 cycles\n  refront: %s\n",
                  cycles(set, route), cycles(set, route));
    weft_text_add(out, "  crossbar: %s\n  vc-stage: %s\n", cycles(set, crossbar),
                  net->several ? "false" : "true");
    check_vc_allocator(set, net);
    write_credit(set, net, out);
    write_speedups(set, net, out);
    write_scheduler(set, out);
}

void weft_booksim_measure(const weft_booksim *set, weft_text *out)
{
    if (!weft_booksim_is(set, "sim_type", "latency") &&
        !weft_booksim_is(set, "sim_type", "throughput"))
        weft_booksim_differ(set, "sim_type", "latency", "latency or throughput is translated");
    int64_t warmup = weft_booksim_int(set, "warmup_periods", 0, 1000000);
    int64_t period = weft_booksim_int(set, "sample_period", 1, 1000000000);
    int64_t samples = weft_booksim_int(set, "max_samples", 1, 1000000);
    int64_t seed = weft_booksim_int(set, "seed", 0, INT32_MAX);
    int64_t count = weft_booksim_int(set, "sim_count", 1, 1000);
    weft_text_add(out, "measure:\n  warmup: %s\n  limit: {time: %s}\n",
                  cycles(set, warmup * period), cycles(set, (warmup + samples) * period));
    weft_text_add(out, "seed: %lld\n", (long long)seed);
    if (count > 1)
        weft_text_add(out, "vary:\n  seed: {from: %lld, to: %lld, step: 1}\n", (long long)seed,
                      (long long)(seed + count - 1));
}
