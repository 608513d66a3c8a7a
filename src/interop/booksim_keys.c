/* SPDX-License-Identifier: Apache-2.0 */
/* Every key of BookSim 2 (commit 28f43299) with its default and its fate. This table is what the
 * translator goes by and what docs/reference/booksim.md shows. */
#include "interop/booksim.h"

#include "interweft/interop.h"

#include <assert.h>
#include <string.h>

#define INT(name, fallback, fate, text)                             \
    {                                                               \
        name, WEFT_BOOKSIM_INT, fallback, WEFT_BOOKSIM_##fate, text \
    }
#define REAL(name, fallback, fate, text)                             \
    {                                                                \
        name, WEFT_BOOKSIM_REAL, fallback, WEFT_BOOKSIM_##fate, text \
    }
#define TEXT(name, fallback, fate, text)                             \
    {                                                                \
        name, WEFT_BOOKSIM_TEXT, fallback, WEFT_BOOKSIM_##fate, text \
    }
#define LIST(name, fallback, fate, text)                             \
    {                                                                \
        name, WEFT_BOOKSIM_LIST, fallback, WEFT_BOOKSIM_##fate, text \
    }

#define POLICY   "a detail of buffer policies other than private"
#define READING  "a detail of use_read_write = 1"
#define SPECULAR "a detail of speculative = 1"
#define BATCH    "a detail of sim_type = batch"
#define PRINTS   "what BookSim prints and writes; `weft report` and `weft export` show results"
#define POWER    "a detail of sim_power = 1"
#define OWN_STOP "runs end by the interval of `measure` or its limit"

const weft_booksim_key weft_booksim_keys[] = {
    /* network */
    TEXT("topology", "torus", USED, "`topology` and `links`; the table below says which"),
    INT("k", "8", USED, "`topology`: routers of a dimension, arity; dragonflynew: hosts"),
    INT("n", "2", USED, "`topology`: dimensions, stages or levels"),
    INT("c", "1", USED, "`topology.hosts`, of cmesh and flatfly"),
    TEXT("routing_function", "none", USED, "`routing`; the table below says which"),
    INT("use_noc_latency", "1", USED,
        "`links.local.latency`: 2 cycles on a torus or cmesh, else 1"),
    INT("x", "8", USED, "cmesh: must be k; flatfly: rows of so many routers"),
    INT("y", "8", USED, "cmesh and flatfly: must be x"),
    INT("xr", "1", USED, "cmesh and flatfly: xr × yr must be c; tornado and neighbor: must be 1"),
    INT("yr", "1", USED, "cmesh and flatfly: xr × yr must be c"),
    TEXT("network_file", "", USED, "`topology.path`: the anynet file becomes a .weftnet file"),
    TEXT("channel_file", "", IDLE, "BookSim does not read it"),
    INT("in_ports", "5", IDLE, "BookSim does not read it"),
    INT("out_ports", "5", IDLE, "BookSim does not read it"),
    INT("subnets", "1", FIXED, "there is one network; run one scenario for each"),
    INT("link_failures", "0", FIXED, "write the cables that are down into `faults`"),
    TEXT("fail_seed", "", IDLE, "a detail of link_failures"),
    /* router */
    TEXT("router", "iq", FIXED, "only the input-queued router is translated"),
    INT("num_vcs", "16", USED, "`router.vcs`"),
    INT("vc_buf_size", "8", USED, "`router.buffer` in flits; at least the longest packet"),
    INT("buf_size", "-1", FIXED, "give vc_buf_size"),
    TEXT("buffer_policy", "private", FIXED,
         "only private buffers are translated; see `router.shared`"),
    INT("private_bufs", "-1", IDLE, POLICY),
    LIST("private_buf_size", "1", IDLE, POLICY),
    LIST("private_buf_start_vc", "-1", IDLE, POLICY),
    LIST("private_buf_end_vc", "-1", IDLE, POLICY),
    INT("max_held_slots", "-1", IDLE, POLICY),
    INT("feedback_aging_scale", "1", IDLE, POLICY),
    INT("feedback_offset", "0", IDLE, POLICY),
    INT("wait_for_tail_credit", "0", FIXED,
        "a channel is free again as soon as its packet's tail has left"),
    INT("vc_busy_when_full", "0", FIXED, "a channel without credits may be taken"),
    INT("vc_prioritize_empty", "0", FIXED, "channels are taken round robin"),
    INT("vc_priority_donation", "0", FIXED, "packets have no priorities"),
    INT("vc_shuffle_requests", "0", FIXED, "requesters are numbered input by input"),
    INT("hold_switch_for_packet", "0", USED,
        "must be 1 where packets have several flits: a link belongs to a packet until its tail"),
    INT("input_speedup", "1", USED, "`router.input-speedup`"),
    INT("output_speedup", "1", USED, "must be 1: `router.output-speedup` needs a finite buffer"),
    REAL("internal_speedup", "1.0", USED,
         "must be 1.0: `router.speedup` is a whole number and needs a finite output buffer"),
    INT("output_buffer_size", "-1", FIXED, "without speed-ups nothing waits behind the crossbar"),
    INT("noq", "0", FIXED, "channels are not tied to the next output"),
    INT("routing_delay", "1", USED,
        "`router.route`, 0 or 1 cycle; more is not pipelined in BookSim"),
    INT("vc_alloc_delay", "1", FIXED, "`router.vc-stage` takes one cycle"),
    INT("sw_alloc_delay", "1", FIXED, "the switch is allocated in one cycle"),
    INT("st_prepare_delay", "0", USED,
        "`router.crossbar`: one cycle with st_final_delay, and one to the wire"),
    INT("st_final_delay", "1", USED, "the same"),
    INT("credit_delay", "0", USED, "`router.credit`: with the wire, and a cycle"),
    INT("output_delay", "0", IDLE, "BookSim does not read it"),
    INT("vct", "0", IDLE, "a detail of router = event"),
    TEXT("vc_allocator", "islip", USED,
         "`router.vc-stage`: channels take requesters, requesters accept, once; with num_vcs = 1 "
         "separable_input_first and separable_output_first are the same"),
    TEXT("sw_allocator", "islip", USED,
         "`router.scheduler`: islip, or separable for separable_input_first"),
    TEXT("arb_type", "round_robin", USED,
         "arbiters of a separable scheduler: round_robin or matrix; islip has none"),
    INT("alloc_iters", "1", USED,
        "`router.scheduler.iterations`; channels are allocated in one round, so with more than one "
        "of them it must be 1"),
    INT("speculative", "0", FIXED, "a packet has its channel before it asks for the switch"),
    INT("spec_check_elig", "1", IDLE, SPECULAR),
    INT("spec_check_cred", "1", IDLE, SPECULAR),
    INT("spec_mask_by_reqs", "0", IDLE, SPECULAR),
    TEXT("spec_sw_allocator", "prio", IDLE, SPECULAR),
    /* traffic */
    INT("classes", "1", USED, "classes of `traffic`; the longest waiting packet goes first"),
    LIST("traffic", "uniform", USED, "`pattern`; the table below says which"),
    LIST("injection_rate", "0.1", USED, "`load` = rate × packet_size, unless it counts flits"),
    INT("injection_rate_uses_flits", "0", USED, "1: `load` is the rate itself"),
    LIST("packet_size", "1", USED, "`length` in flits"),
    LIST("packet_size_rate", "1", IDLE,
         "a detail of several packet sizes in a class, which are refused"),
    LIST("injection_process", "bernoulli", USED, "`arrival`: bernoulli; on_off is refused"),
    REAL("burst_alpha", "0.5", IDLE, "a detail of injection_process = on_off"),
    REAL("burst_beta", "0.5", IDLE, "a detail of injection_process = on_off"),
    REAL("burst_r1", "-1.0", IDLE, "a detail of injection_process = on_off"),
    INT("perm_seed", "0", USED, "`pattern.seed` of random-permutation"),
    TEXT("priority", "none", FIXED, "packets have no priorities"),
    LIST("class_priority", "0", IDLE, "a detail of priority = class"),
    LIST("use_read_write", "0", FIXED, "requests with replies are not built yet"),
    LIST("write_fraction", "0.5", IDLE, READING),
    LIST("read_request_size", "1", IDLE, READING),
    LIST("write_request_size", "1", IDLE, READING),
    LIST("read_reply_size", "1", IDLE, READING),
    LIST("write_reply_size", "1", IDLE, READING),
    INT("read_request_begin_vc", "0", IDLE, READING),
    INT("read_request_end_vc", "5", IDLE, READING),
    INT("write_request_begin_vc", "2", IDLE, READING),
    INT("write_request_end_vc", "7", IDLE, READING),
    INT("read_reply_begin_vc", "8", IDLE, READING),
    INT("read_reply_end_vc", "13", IDLE, READING),
    INT("write_reply_begin_vc", "10", IDLE, READING),
    INT("write_reply_end_vc", "15", IDLE, READING),
    INT("read_request_subnet", "0", IDLE, READING),
    INT("read_reply_subnet", "0", IDLE, READING),
    INT("write_request_subnet", "0", IDLE, READING),
    INT("write_reply_subnet", "0", IDLE, READING),
    /* simulation */
    TEXT("sim_type", "latency", USED, "latency or throughput: a run gives both; batch is refused"),
    INT("warmup_periods", "3", USED, "`measure.warmup` = warmup_periods × sample_period"),
    INT("sample_period", "1000", USED, "`measure.warmup` and `measure.limit.time`"),
    INT("max_samples", "10", USED,
        "`measure.limit.time` = (warmup_periods + max_samples) × sample_period"),
    INT("sim_count", "1", USED, "`vary.seed`: so many seeds, from seed on"),
    INT("seed", "0", USED, "`seed`"),
    INT("include_queuing", "1", FIXED, "latency counts from the message's arrival at its source"),
    LIST("measure_stats", "1", IDLE, PRINTS),
    INT("pair_stats", "0", IDLE, PRINTS),
    LIST("latency_thres", "500.0", IDLE, "saturation is found by its own test"),
    LIST("warmup_thres", "0.05", IDLE, OWN_STOP),
    LIST("acc_warmup_thres", "0.05", IDLE, OWN_STOP),
    LIST("stopping_thres", "0.05", IDLE, OWN_STOP),
    LIST("acc_stopping_thres", "0.05", IDLE, OWN_STOP),
    INT("batch_size", "1000", IDLE, BATCH),
    INT("batch_count", "1", IDLE, BATCH),
    INT("max_outstanding_requests", "0", IDLE, BATCH),
    TEXT("sent_packets_out", "", IDLE, BATCH),
    INT("print_activity", "0", IDLE, PRINTS),
    INT("print_csv_results", "0", IDLE, PRINTS),
    INT("deadlock_warn_timeout", "256", IDLE, "`weft check` foretells a deadlock, a run finds it"),
    INT("viewer_trace", "0", IDLE, PRINTS),
    TEXT("watch_file", "", IDLE, PRINTS),
    TEXT("watch_flits", "", IDLE, PRINTS),
    TEXT("watch_packets", "", IDLE, PRINTS),
    TEXT("watch_transactions", "", IDLE, PRINTS),
    TEXT("watch_out", "", IDLE, PRINTS),
    TEXT("stats_out", "", IDLE, PRINTS),
    TEXT("injected_flits_out", "", IDLE, PRINTS),
    TEXT("received_flits_out", "", IDLE, PRINTS),
    TEXT("stored_flits_out", "", IDLE, PRINTS),
    TEXT("sent_flits_out", "", IDLE, PRINTS),
    TEXT("outstanding_credits_out", "", IDLE, PRINTS),
    TEXT("ejected_flits_out", "", IDLE, PRINTS),
    TEXT("active_packets_out", "", IDLE, PRINTS),
    TEXT("used_credits_out", "", IDLE, PRINTS),
    TEXT("free_credits_out", "", IDLE, PRINTS),
    TEXT("max_credits_out", "", IDLE, PRINTS),
    INT("sim_power", "0", FIXED, "power is not modelled"),
    TEXT("power_output_file", "pwr_tmp", IDLE, POWER),
    TEXT("tech_file", "", IDLE, POWER),
    INT("channel_width", "128", IDLE, POWER),
    INT("channel_sweep", "0", IDLE, POWER),
    {.name = NULL},
};

size_t weft_booksim_find(const char *name, size_t length)
{
    size_t i = 0;
    while (weft_booksim_keys[i].name && (strlen(weft_booksim_keys[i].name) != length ||
                                         memcmp(weft_booksim_keys[i].name, name, length) != 0))
        i++;
    return i;
}

const weft_booksim_value *weft_booksim_get(const weft_booksim *set, const char *key)
{
    size_t i = weft_booksim_find(key, strlen(key));
    assert(weft_booksim_keys[i].name);
    return &set->value[i];
}

bool weft_booksim_is(const weft_booksim *set, const char *key, const char *value)
{
    return strcmp(weft_booksim_get(set, key)->text, value) == 0;
}
