/* SPDX-License-Identifier: Apache-2.0 */
/* The router and how a run is measured. Without load a head that arrives at cycle t is routed by
 * t + routing_delay, has its channel a cycle later and the switch in that cycle; it is in the
 * next buffer 1 + st_prepare_delay + st_final_delay + wire cycles after that
 * (docs/howto/booksim.md). */
#include "interop/booksim.h"

#include <string.h>

static const char *cycles(const weft_booksim *set, int64_t count)
{
    return weft_arena_format(set->arena, "%lld cycle%s", (long long)count, count == 1 ? "" : "s");
}

static weft_status write_scheduler(const weft_booksim *set, weft_text *out)
{
    bool matrix = weft_booksim_is(set, "arb_type", "matrix");
    if (weft_booksim_is(set, "sw_allocator", "islip")) {
        weft_text_add(out, "  scheduler: {kind: islip, iterations: 1}\n");
        return WEFT_OK;
    }
    if (!weft_booksim_is(set, "sw_allocator", "separable_input_first"))
        return weft_booksim_refuse(set, "sw_allocator",
                                   "islip or separable_input_first would be right");
    if (!matrix && !weft_booksim_is(set, "arb_type", "round_robin"))
        return weft_booksim_refuse(set, "arb_type", "round_robin or matrix would be right");
    weft_text_add(out, "  scheduler: {kind: separable, input: %s, output: %s}\n",
                  matrix ? "matrix" : "round-robin", matrix ? "matrix" : "round-robin");
    return WEFT_OK;
}

static weft_status check_packets(const weft_booksim *set, const weft_booksim_net *net,
                                 int64_t buffer)
{
    if (net->longest > buffer)
        return weft_booksim_refuse(set, "vc_buf_size",
                                   "a packet of %lld flits does not fit; a channel must hold the "
                                   "longest packet",
                                   (long long)net->longest);
    if (net->longest > 1 && weft_booksim_is(set, "hold_switch_for_packet", "0"))
        return weft_booksim_refuse(
            set, "hold_switch_for_packet",
            "flits of several packets would take turns on a link; 1 would be "
            "right, here a link belongs to a packet until its tail");
    return WEFT_OK;
}

/* A stage of several cycles takes in nothing in BookSim while it is busy; here stages are
 * pipelined. */
static weft_status one_cycle(const weft_booksim *set, const char *key, const char *setting,
                             int64_t most, int64_t *delay)
{
    WEFT_TRY(weft_booksim_int(set, key, 0, 1000000, delay));
    if (*delay > most)
        return weft_booksim_refuse(set, key,
                                   "BookSim's stage takes in nothing new while it is busy, here "
                                   "stages are pipelined; import it with %lld and set `%s` in the "
                                   "scenario",
                                   (long long)most, setting);
    return WEFT_OK;
}

weft_status weft_booksim_router(const weft_booksim *set, const weft_booksim_net *net,
                                weft_text *out)
{
    int64_t buffer, speedup, route, prepare, final, credit;
    WEFT_TRY(weft_booksim_int(set, "vc_buf_size", 1, 1000000, &buffer));
    WEFT_TRY(check_packets(set, net, buffer));
    WEFT_TRY(weft_booksim_int(set, "input_speedup", 1, net->vcs, &speedup));
    WEFT_TRY(one_cycle(set, "routing_delay", "router.route", 1, &route));
    WEFT_TRY(one_cycle(set, "st_final_delay", "router.crossbar", 1, &final));
    WEFT_TRY(one_cycle(set, "st_prepare_delay", "router.crossbar", 1 - final, &prepare));
    if (prepare + final < 1)
        return weft_booksim_refuse(set, "st_final_delay", "BookSim needs one cycle here");
    WEFT_TRY(weft_booksim_int(set, "credit_delay", 0, 1000000, &credit));
    weft_text_add(out, "endpoint: {delay: 1 cycle}\nrouter:\n  kind: input-queued\n");
    weft_text_add(out, "  vcs: %lld\n  buffer: %lld flit%s\n", (long long)net->vcs,
                  (long long)buffer, buffer == 1 ? "" : "s");
    weft_text_add(out, "  receive: 0 cycles\n  route: %s\n  allocate: 0 cycles\n  refront: %s\n",
                  cycles(set, route), cycles(set, route));
    weft_text_add(out, "  crossbar: %s\n  vc-stage: true\n", cycles(set, 1 + prepare + final));
    if (credit > 0 && weft_booksim_is(set, "topology", "dragonflynew"))
        return weft_booksim_refuse(set, "credit_delay",
                                   "it adds to wires of 10 and of 100 cycles, `router.credit` is "
                                   "one time for all; 0 would be right");
    if (credit > 0)
        weft_text_add(out, "  credit: %s # of endpoints too\n",
                      cycles(set, net->wire + 1 + credit));
    if (speedup > 1)
        weft_text_add(out, "  input-speedup: %lld\n", (long long)speedup);
    return write_scheduler(set, out);
}

weft_status weft_booksim_measure(const weft_booksim *set, weft_text *out)
{
    int64_t warmup, period, samples, seed, count;
    if (!weft_booksim_is(set, "sim_type", "latency") &&
        !weft_booksim_is(set, "sim_type", "throughput"))
        return weft_booksim_refuse(set, "sim_type", "latency or throughput would be right");
    WEFT_TRY(weft_booksim_int(set, "warmup_periods", 0, 1000000, &warmup));
    WEFT_TRY(weft_booksim_int(set, "sample_period", 1, 1000000000, &period));
    WEFT_TRY(weft_booksim_int(set, "max_samples", 1, 1000000, &samples));
    WEFT_TRY(weft_booksim_int(set, "seed", 0, INT32_MAX, &seed));
    WEFT_TRY(weft_booksim_int(set, "sim_count", 1, 1000, &count));
    weft_text_add(out, "measure:\n  warmup: %s\n  limit: {time: %s}\n",
                  cycles(set, warmup * period), cycles(set, (warmup + samples) * period));
    weft_text_add(out, "seed: %lld\n", (long long)seed);
    if (count > 1)
        weft_text_add(out, "vary:\n  seed: {from: %lld, to: %lld, step: 1}\n", (long long)seed,
                      (long long)(seed + count - 1));
    return WEFT_OK;
}
