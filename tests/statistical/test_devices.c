/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of ports against what a witness of every packet's moves has seen, to the last flit,
 * from the empty start until all has arrived; stalls where they can be told beforehand;
 * occupancy = arrival rate × time in the buffer (Little's law) in steady state; fairness of
 * sources that send as often as they are told to. */
#include "statistical/support.h"

#include "net/traffic/common/size.h"
#include "sim/packet.h"
#include "sim/site.h"

enum { BUSY, HELD, FLITS, STALLED, QUANTITIES };
enum { INDEX_MOST = 4096, ROUTERS_MOST = 64 };

typedef struct where { /* the head of a packet reached the router it is in */
    weft_time at;
    weft_time period; /* of the link it came by */
} where;

typedef struct witness {
    const trial *run;
    where *packet; /* (source × flows + flow) × INDEX_MOST + index */
    int64_t held[ROUTERS_MOST], flits[ROUTERS_MOST], busy[ROUTERS_MOST];
    weft_time cross, delay;
} witness;

static where *find(const witness *w, const weft_event *packet)
{
    uint32_t source =
        packet->data[0] * w->run->network.n_traffic_classes + weft_packet_traffic_class(packet);
    assert_true(packet->data[1] < INDEX_MOST);
    return &w->packet[(size_t)source * INDEX_MOST + packet->data[1]];
}

static void note(void *user, weft_trace_kind kind, const weft_event *packet, uint32_t place,
                 uint32_t output, uint32_t vc, weft_time at)
{
    witness *w = user;
    const weft_network *network = &w->run->network;
    const weft_timing *timing = &network->timing;
    (void)vc;
    if (kind == WEFT_TRACE_DELIVER)
        return;
    where *is = find(w, packet);
    if (kind == WEFT_TRACE_INJECT) {
        *is = (where){.at = at + w->delay + timing->wire[WEFT_LINK_HOST],
                      .period = timing->period[WEFT_LINK_HOST]};
        return;
    }
    int64_t flits = weft_packet_flits(packet);
    bool on = output < network->topology.ports;
    weft_link_class class = on ? network->topology.port_class[output] : WEFT_LINK_HOST;
    weft_time period = timing->period[class];
    for (int64_t i = 0; i < flits; i++) /* flit by flit */
        w->held[place] += at + i * period - (is->at + i * is->period);
    w->flits[place] += flits;
    w->busy[place] += flits * period;
    *is = (where){.at = at + w->cross + timing->wire[class], .period = period};
}

static int64_t sum_of_router(const trial *run, int quantity, uint32_t router)
{
    const weft_device_loads *devices = weft_simulation_devices(run->simulation);
    int64_t sum = 0;
    for (size_t c = 0; c < devices->columns; c++)
        sum += devices->load[quantity][router * devices->columns + c];
    return sum;
}

static const char *const networks[] = {
    "topology: {kind: torus, dims: [6, 4]}\nrouting: {kind: dimension-order}\n"
    "router: {kind: input-queued, vcs: 4, buffer: 32 flits}\n",
    "topology: {kind: mesh, dims: [5, 4], hosts: 2}\nrouting: {kind: dimension-order}\n"
    "router: {kind: input-queued, vcs: 2, buffer: 2 packets, queues: voq, scheduler: islip}\n"
    "links: {latency: 3 cycles}\n",
    "topology: {kind: torus, dims: [4, 4, 3]}\nrouting: {kind: minimal-adaptive, selection: "
    "random}\n"
    "router: {kind: input-queued, vcs: 3, buffer: 16 flits, input-speedup: 3, refront: 2 cycles}\n",
    "topology: {kind: hypercube, dimensions: 5}\nrouting: {kind: dimension-order}\n"
    "router: {kind: input-queued, vcs: 3, buffer: 16 flits, vc-stage: true, switching: "
    "store-and-forward}\nlinks: {host: {rate: 0.5 flits/cycle}}\n",
    "topology: {kind: flattened-butterfly, dims: [4, 4], hosts: 2, global: [1]}\n"
    "routing: {kind: minimal-adaptive}\nrouter: {kind: input-queued, vcs: 2, buffer: 40 flits, "
    "crossbar: 2 "
    "cycles}\nlinks: {global: {rate: 0.75 flits/cycle, latency: 9 cycles}}\nendpoint: {delay: 3 "
    "cycles}\n",
    "topology: {kind: torus, dims: [8, 4]}\nrouting: {kind: dimension-order}\n"
    "router: {kind: input-queued, vcs: 4, buffer: 8 flits, shared: 16 flits}\n",
};

static void watch(witness *w, trial *run, int seed, const char *text)
{
    weft_trace trace = {.note = note, .user = w};
    *w = (witness){.run = run, .packet = calloc((size_t)256 * INDEX_MOST, sizeof *w->packet)};
    w->cross = strstr(text, "crossbar: 2") ? 2 : 1;
    w->delay = strstr(text, "delay: 3") ? 3 : 0;
    if (strstr(text, "0.75")) { /* ticks of a third of a cycle */
        w->cross *= 3;
        w->delay *= 3;
    }
    trial_run_as(run, seed, &(weft_simulation_options){.trace = &trace}, text);
    free(w->packet);
}

/* Every router's counters are what was seen there. */
static void gauges_are_exact_when_all_has_arrived(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        for (int mode = 0; mode < 6; mode++) {
            int step = mode / 2;
            trial run;
            witness w;
            char text[2048];
            (void)snprintf(
                text, sizeof text,
                "interweft: 1\n%straffic:\n"
                "  long: {load: %g, length: {kind: bimodal, short: 3 flits, long: 8 flits, share: "
                "40%%}, stop: 1500 cycles}\n"
                "  short: {load: 0.1, length: 1 flits, arrival: periodic, stop: 1000 cycles}\n"
                "measure: {devices: %s, warmup: 0 cycles, half-width: 0.0001%%, limit: {time: "
                "40000 cycles}}\n",
                networks[i], 0.1 + 0.4 * step, mode % 2 ? "vcs" : "ports");
            watch(&w, &run, (int)i * 10 + mode, text);
            assert_int_equal(run.census.delivered, run.census.generated);
            assert_true(run.network.topology.routers <= ROUTERS_MOST);
            for (uint32_t r = 0; r < run.network.topology.routers; r++) {
                assert_int_equal(sum_of_router(&run, FLITS, r), w.flits[r]);
                assert_int_equal(sum_of_router(&run, BUSY, r), w.busy[r]);
                assert_int_equal(sum_of_router(&run, HELD, r), w.held[r]);
            }
            trial_done(&run);
        }
}

/* No port is busy or stalled, and no buffer held, for longer than there was time. */
static void check_bounds(const trial *run, double buffer)
{
    const weft_device_loads *devices = weft_simulation_devices(run->simulation);
    for (size_t i = 0; i < run->network.topology.routers * devices->columns; i++) {
        assert_true(devices->load[BUSY][i] + devices->load[STALLED][i] <= devices->span);
        assert_true((double)devices->load[HELD][i] <= buffer * (double)devices->span * 1.01);
    }
}

/* A source that always has a packet, behind a link whose credits come back late: while the link
 * carries nothing it is stalled. A flit's room is free again after 1 + 10 + 2 ticks to the next
 * router and 11 back, that of a packet of 8 flits after 31. With room for one packet at the
 * injection link as well, the next one is ready only 2 ticks after the link was free. */
static void stalls_are_what_credits_take(void **state)
{
    (void)state;
    const struct {
        int buffer;
        double load, idle;
    } cases[] = {{8, 8.0 / 31, 2.0 / 31}, {16, 16.0 / 31, 0}, {40, 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run;
        trial_run(
            &run, 1,
            "interweft: 1\ntopology: {kind: mesh, dims: [2]}\nrouting: {kind: dimension-order}\n"
            "links: {local: {latency: 10 cycles}}\nrouter: {kind: input-queued, vcs: 1, buffer: "
            "%d flits}\n"
            "traffic:\n  all: {load: 1.0, length: 8 flits, arrival: periodic, pattern: "
            "complement}\n"
            "endpoint: {backlog: 1000}\n"
            "measure: {devices: ports, warmup: 500 cycles, limit: {time: 4500 cycles}}\n",
            cases[i].buffer);
        const weft_device_loads *devices = weft_simulation_devices(run.simulation);
        double busy = (double)devices->load[BUSY][0] / (double)devices->span;
        double stalled = (double)devices->load[STALLED][0] / (double)devices->span;
        print_message("buffer %2d: busy %.4f, stalled %.4f\n", cases[i].buffer, busy, stalled);
        assert_true(fabs(busy - cases[i].load) < 0.01);
        assert_true(fabs(busy + stalled + cases[i].idle - 1) < 0.01);
        check_bounds(&run, cases[i].buffer);
        trial_done(&run);
    }
}

/* In steady state: the mean number of flits in all buffers is the rate at which they come times
 * the mean time they stay, as seen by the witness; within what the ends of the measurement can
 * do. */
static void occupancy_is_rate_times_time(void **state)
{
    (void)state;
    for (int load = 1; load <= 4; load++) {
        trial run;
        witness w;
        char text[1024];
        (void)snprintf(
            text, sizeof text,
            "interweft: 1\n%straffic:\n  all: {load: 0.%d, length: 5 flits}\n"
            "measure: {devices: ports, warmup: 0 cycles, limit: {time: 12000 cycles}, half-width: "
            "0.01%%}\n",
            networks[0], load);
        watch(&w, &run, load, text);
        double span = (double)weft_simulation_devices(run.simulation)->span, held = 0, flits = 0,
               stayed = 0;
        for (uint32_t r = 0; r < run.network.topology.routers; r++) {
            held += (double)sum_of_router(&run, HELD, r);
            flits += (double)w.flits[r];
            stayed += (double)w.held[r];
        }
        double occupancy = held / span, rate = flits / span, time = stayed / flits;
        print_message("load 0.%d: %.4f flits = %.4f flits/cycle × %.4f cycles\n", load, occupancy,
                      rate, time);
        assert_true(fabs(occupancy - rate * time) < 0.005 * occupancy);
        assert_true(fabs(trial_metric(&run, "buffer occupancy", "mean", 0)->value * 24 * 5 -
                         occupancy) < 1e-9 * occupancy);
        check_bounds(&run, 4 * 32);
        trial_done(&run);
    }
}

/* Below saturation every source gets what it offers; weights are kept. */
static void sources_get_their_shares(void **state)
{
    (void)state;
    trial run;
    trial_run(
        &run, 3,
        "interweft: 1\ntopology: {kind: torus, dims: [4, 4]}\nrouting: {kind: dimension-order}\n"
        "router: {kind: input-queued, vcs: 4, buffer: 32 flits}\n"
        "traffic:\n  all: {load: 0.2, length: 4 flits, arrival: periodic}\n"
        "measure: {limit: {time: 20000 cycles}, warmup: 1000 cycles}\n");
    double span = 19000 / 20.0; /* messages of a source */
    assert_true(fabs(trial_metric(&run, "accepted per source", "least", 0)->value - 0.2) <
                0.4 / span);
    assert_true(fabs(trial_metric(&run, "accepted per source", "greatest", 0)->value - 0.2) <
                0.4 / span);
    assert_true(fabs(trial_value(&run, "fairness") - 1) < 1e-5);
    trial_done(&run);

    FILE *file = fopen("test-devices.csv", "w");
    assert_non_null(file);
    fprintf(file, "0,5,3\n1,6,1\n2,7,2\n");
    fclose(file);
    trial_run(
        &run, 3,
        "interweft: 1\ntopology: {kind: torus, dims: [4, 4]}\nrouting: {kind: dimension-order}\n"
        "router: {kind: input-queued, vcs: 4, buffer: 32 flits}\n"
        "traffic:\n  all: {load: 0.05, length: 4 flits, arrival: periodic, pattern: {kind: flows, "
        "file: test-devices.csv}}\n"
        "measure: {limit: {time: 20000 cycles}, warmup: 1000 cycles}\n");
    (void)remove("test-devices.csv");
    /* 0.05 × 16 = 0.8 of load in parts 3 : 1 : 2; Jain's index 36 / (3 × 14) */
    assert_true(fabs(trial_metric(&run, "accepted per source", "greatest", 0)->value - 0.4) <
                0.002);
    assert_true(fabs(trial_metric(&run, "accepted per source", "least", 0)->value - 0.8 / 6) <
                0.002);
    assert_true(fabs(trial_value(&run, "fairness") - 36 / 42.0) < 0.002);
    assert_int_equal(trial_metric(&run, "fairness", "", 0)->n, 3);
    trial_done(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gauges_are_exact_when_all_has_arrived),
        cmocka_unit_test(stalls_are_what_credits_take),
        cmocka_unit_test(occupancy_is_rate_times_time),
        cmocka_unit_test(sources_get_their_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
