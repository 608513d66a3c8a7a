/* SPDX-License-Identifier: Apache-2.0 */
/* What a run will need: memory counted from the structures and how full the forecast says they
 * are, time from what events cost.
 *
 * Measured constants: gcc 12, -O2, a Xeon of 2.1 GHz with 2 MiB of L2 a core, Linux 6 with 2 MiB
 * pages for the large regions. The times are between those of an idle machine (a quarter less)
 * and those of one whose other cores work on something else. */
#include "base/numeric.h"
#include "sim/forecast.h"
#include "sim/jobs/run_jobs_cost.h"
#include "sim/jobs/processes.h"
#include "sim/simulation.h"
#include "sim/watch/linkwatch.h"

#include <assert.h>
#include <string.h>

#define PAGE      4096.0
#define HUGE_PAGE (2.0 * (1 << 20))

/* Memory, bytes */
#define PROCESS_BYTES (5.8 * (1 << 20)) /* program, libraries, scenario; measured */
/* MPI's; measured: 11 with Open MPI 4.1, 16 with MPICH 4.0 */
#define RANK_BYTES    (13.5 * (1 << 20))
#define THREAD_BYTES  (96.0 * 1024) /* of all but the first: stack, heap; measured */
#define REGIONS       7             /* of a block, each of which ends within a page */
#define YOUNG_MARGIN  1.5  /* arrays of sizes that were wanted before or will be; measured … */
#define GROWN_MARGIN  1.2  /* … once the usual size is known; measured */
#define GROW_AT_ONCE  25.0 /* buckets that outgrow theirs when it becomes known; measured */
/* a packet of the first instants: its event and half of a doubled array */
#define SEGMENT       255.0 /* events of a segment */
#define FIRST_BYTES   64.0
#define LINK_BYTES    32.0 /* a link in the list of all links, while it is sorted */
#define BIN_BYTES     60.0 /* a bin of the time series: five numbers in arrays that double */
#define TAIL          6.0  /* longest latencies, in mean ones */
#define POOLED_BYTES  44.0 /* a packet in a finite buffer */
#define POOL_MARGIN   1.1  /* most of them at a time, to those at the end; measured */

/* Time, nanoseconds; measured */
#define PROCESS_NS  6e6
#define ROUTER_NS   200.0 /* to build it and take it down */
#define PACKET_NS   240.0 /* to draw it, let it enter, deliver and count it */
#define PORT_NS     60.0  /* the same through an injection port, more */
#define HOP_NS      14.0
#define BUSY_NS     8.0    /* more on a link that is always busy: events that come together … */
#define TIE_NS      6.0    /* … and more if all packets are equally long: ties */
#define SEVERAL_NS  20.0   /* more if a packet has several candidates, … */
#define RANKED_NS   35.0   /* … if the routing ranks them … */
#define DRAWN_NS    55.0   /* … or draws among them */
#define COUNTED_NS  3.0    /* more if links are counted */
#define PASS_NS     70.0   /* through a router with finite buffers … */
#define PRESS_NS    220.0  /* … and more, with the square of how busy links are … */
#define INPUT_NS    6.0    /* … and for every input beyond five */
#define VOQ_NS      80.0   /* more when busy, with VOQ */
#define CHOICE_NS   100.0  /* more if packets may have several candidates … */
#define CHOICES_NS  250.0  /* … when busy */
#define CREDIT_NS   90.0   /* more if credits are events */
#define STORE_NS    80.0   /* more with output buffers … */
#define STORES_NS   110.0  /* … when busy */
#define LISTED_NS   2200.0 /* a link of the list of all, into the results */
#define TICK_NS     60.0   /* a tick in which a block has events */
#define WINDOW_NS   40.0   /* a window of a block */
#define INTERVAL_NS 6e3    /* a sampling interval, for each histogram */
#define EXCHANGE_NS 6e3    /* a window's messages between ranks */
#define WHEEL_SEEN  0.3    /* part of the wheels that is in use at a time */
#define SLOWER      0.4    /* for every doubling of a core's state beyond its L2 */

/* How the kernel's buckets grow (kernel/wheel.c): log2 of sizes, and ticks ahead. */
enum { SIZE_LEAST = 2, SIZE_SMALL = 3, SIZE_MOST = 12, SIZES = 28, SOON = 32, NEAR = 100 };

typedef struct outlook {
    const weft_forecast *forecast;
    const weft_network *network;
    double routers, blocks, ranks, threads;
} outlook;

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

static double log2_of(double x)
{
    return weft_log(x) / 0.6931471805599453;
}

/* log2 of the least power of two that holds so many. */
static unsigned size_for(double count, unsigned from)
{
    assert(count < 0x1p62);
    while ((double)((uint64_t)1 << from) < count)
        from++;
    return from;
}

/* Events of a packet: its hops, its arrival and its delivery, and two more at an injection port;
 * with finite buffers as many wake-ups as hops when links are busy. */
static double events_of(const weft_forecast *f)
{
    if (f->buffering.finite)
        return (f->hops + 1) * (1 + f->link + f->buffering.credit_events) + 2;
    return f->hops + 2 + (f->platform.injection_port ? 2 : 0);
}

/* Adds to n[t], t ticks ahead, the events that are emitted at a rate per tick and stay for
 * `sure` ticks, then leave at random after `mean` ticks more on average. Returns those beyond
 * the last tick. */
static double spread(double *n, double rate, double sure, double share, double mean)
{
    double stay = mean > 0 ? weft_exp(-1 / mean) : 0, left = rate * share;
    for (int t = 0; t < (int)WEFT_NEAR_TICKS; t++) {
        if (t < sure) {
            n[t] += rate;
            continue;
        }
        n[t] += left;
        left *= stay;
    }
    return left * mean + rate * most(sure - WEFT_NEAR_TICKS, 0);
}

/* Events of a block by how many ticks ahead they are; returns those the near wheel does not
 * reach. */
static double look_ahead(const weft_forecast *f, double packets, double *n)
{
    double far = 0, page = (double)((int64_t)1 << f->platform.page_shift);
    memset(n, 0, sizeof *n * WEFT_NEAR_TICKS);
    bool finite = f->buffering.finite; /* packets that wait are not in the wheel */
    double busy = finite ? 0 : least(f->link, 1), port = finite ? 0 : least(f->port, 1);
    double hops = least(f->hops, f->ticks / (f->hop + f->link_wait)); /* of the oldest packets */
    if (finite)
        far += spread(n, packets * (hops + 1), f->hop, 0, 0) +
               spread(n, packets * (hops + 1) * f->link, f->all.mean / 2, 0, 0);
    if (f->buffering.credit_events)
        far += spread(n, packets * (hops + 1), (double)f->buffering.credit, 0, 0);
    if (busy > 0)
        far += spread(n, packets * hops, f->hop, busy, f->link_wait / busy);
    if (port > 0)
        far += spread(n, packets, 0, port, f->port_wait / port);
    /* tails, at one end or both */
    for (uint32_t i = 0; i < f->platform.network->n_traffic_classes; i++) {
        const weft_lengths *l = &f->traffic_class[i];
        double fixed = most(1 - l->square, 0);
        double tails = packets * l->share * (f->platform.injection_port && !finite ? 2 : 1);
        far += spread(n, tails * fixed, l->mean, 0, 0);
        far += spread(n, tails * (1 - fixed), 0, 1, l->mean);
    }
    for (int t = 0; t < (int)WEFT_NEAR_TICKS && t < page; t++)
        n[t] += packets * (1 - t / page); /* messages of the page at hand */
    return far;
}

/* The size of a bucket at its first event, t ticks ahead. */
static unsigned first_size(unsigned usual, unsigned t)
{
    if (t < SOON || usual <= SIZE_SMALL)
        return usual;
    unsigned less = 27u - (unsigned)__builtin_clz(t);
    return usual > less + SIZE_SMALL ? usual - less : SIZE_SMALL;
}

/* Arrays by size that buckets so full take: one is made when its first event comes, the smaller the
 * earlier, and grows with the events. */
static void count_arrays(const double *n, unsigned usual, double *arrays)
{
    unsigned size = 0;
    memset(arrays, 0, sizeof *arrays * SIZES);
    for (unsigned t = WEFT_NEAR_TICKS; t-- > 0;) {
        if (size == 0 && n[t] >= 1)
            size = first_size(usual, t);
        while (size > 0 && size < SIZES - 1 && n[t] > (double)((uint64_t)1 << size))
            size = t < NEAR && size < usual ? usual : size + 1;
        arrays[size > 0 ? size : first_size(usual, t)] += 1 - weft_exp(-n[t]);
    }
}

/* The same in segments (kernel/wheel.h): all events, and the bucket at hand once more; for every
 * bucket that has some half a segment, and a segment's worth of the small arrays it grew
 * through. */
static double segment_bytes(const double *n, double far)
{
    double room = n[0] * 9 / 8;
    for (unsigned t = 0; t < WEFT_NEAR_TICKS; t++)
        room += n[t] + least(1.7 * n[t], 1.5 * SEGMENT);
    return sizeof(weft_event) * (room + far * 33 / 32);
}

/* A block's wheel. Until it has gone round, buckets grow by doubling; then they get the size
 * that has proved usual, and arrays of the old sizes stay where they are no longer wanted. */
static double wheel_bytes(const outlook *o)
{
    const weft_forecast *f = o->forecast;
    double n[WEFT_NEAR_TICKS], young[SIZES], grown[SIZES], room = 0;
    double packets = f->packets / o->blocks, events = packets * events_of(f);
    double far = look_ahead(f, packets, n);
    if (f->buffering.finite)
        return segment_bytes(n, far);
    double a_tick = events > 1e-6 ? events / (1 - weft_exp(-events)) : 1; /* that has any */
    count_arrays(n, SIZE_LEAST, young);
    memset(grown, 0, sizeof grown);
    if (f->ticks > WEFT_NEAR_TICKS) {
        unsigned usual = size_for(least(1.25 * a_tick, 1 << SIZE_MOST), SIZE_LEAST);
        count_arrays(n, usual, grown);
        grown[usual] = most(grown[usual], GROW_AT_ONCE * (1 - weft_exp(-n[SOON])));
    }
    for (unsigned size = 0; size < SIZES; size++)
        room += most(YOUNG_MARGIN * young[size], GROWN_MARGIN * grown[size]) *
                (double)((uint64_t)1 << size);
    return sizeof(weft_event) * (room + far * 33 / 32 + 16 * least(far, 64));
}

/* Events that leave a part of the network of so many routers through one of its sides, per
 * window; *sides is how many there are. */
static double crossing(const outlook *o, double parts, double *sides)
{
    const weft_topology *topology = &o->network->topology;
    const weft_forecast *f = o->forecast;
    double dims = topology->lattice.dims, each = f->packets * f->hops * f->window / parts;
    *sides = least(topology->ports, 2 * log2_of(parts));
    double edge = dims > 0 ? weft_pow(o->routers / parts, 1 / dims) : 1;
    return topology->ports ? each / topology->ports / edge : 0;
}

/* What blocks send to blocks, and ranks to ranks; of one process. */
static double border_bytes(const outlook *o)
{
    double sides, bytes = 0, event = sizeof(weft_event);
    assert(o->blocks >= o->ranks && o->ranks >= 1);
    if (o->blocks > 1) {
        double a_side = crossing(o, o->blocks, &sides);
        double room = (double)((uint64_t)1 << size_for(a_side + 3 * weft_sqrt(a_side), 4));
        bytes = o->blocks / o->ranks * sides * 2 * room * event;
    }
    if (o->ranks > 1) {
        double a_side = crossing(o, o->ranks, &sides);
        bytes += sides * 4 * (PAGE + 2 * a_side * event);
    }
    return bytes;
}

/* Of a region of which each of `parts` pieces is touched at its beginning: large regions get huge
 * pages wherever a whole one fits, and one touch takes all of it. */
static double sparse_bytes(double parts, double piece, double touched, double used)
{
    double whole = parts * piece, reached = used * piece, huge = 0;
    if (whole >= HUGE_PAGE && reached > HUGE_PAGE / 2)
        huge = least(reached, whole - HUGE_PAGE);
    double rest = most(reached - huge, least(reached, HUGE_PAGE / 2));
    return huge + rest * least(1, (touched + PAGE) / piece);
}

/* Counts, series and histograms of one process (sim/tally.h, stats/series.h). */
static double statistics_bytes(const outlook *o)
{
    const weft_forecast *f = o->forecast;
    const weft_measure *measure = &o->network->scenario->measure;
    double traffic_classes = o->network->n_traffic_classes,
           groups = traffic_classes > 1 ? traffic_classes + 1 : 1;
    double by_hops = measure->by ? weft_platform_hops_max(o->network) + 1.0 : 0;
    double history = measure->by == WEFT_BY_HISTORY ? by_hops * (by_hops + 7) / 2 : 0;
    double histogram = sizeof(weft_histogram), wide = sizeof(weft_i128);
    double tally = traffic_classes * (sizeof(weft_tally_traffic_class) + histogram +
                                      by_hops * sizeof(weft_tally_hop) + history * sizeof(int64_t));
    double row = groups * (WEFT_COLUMNS + by_hops * WEFT_HOP_COLUMNS + history) * wide;
    double latency = f->all.mean + f->hops * (f->hop + f->link_wait) + f->port_wait;
    if (f->buffering.finite && f->saturated)
        latency = f->ticks / TAIL; /* from a message's birth, outside */
    double cells = least(f->ticks / f->interval, WEFT_CELLS_MAX);
    double touched = 8.0 * (1 + weft_histogram_bin((uint64_t)least(TAIL * latency, 1e15)));
    double bytes = tally * (o->threads + (o->ranks > 1)) + row * (cells + 2) + groups * histogram +
                   sparse_bytes(WEFT_CELLS_MAX * groups, histogram, touched, cells * groups);
    double bin = (double)weft_timing_span(&o->network->timing, measure->series);
    if (measure->series.unit != WEFT_NO_TIME && bin >= 1)
        bytes += BIN_BYTES * least(f->ticks / bin, 1 << 20);
    if (weft_linkwatch_lists_all(o->network))
        bytes += LINK_BYTES * (double)o->network->topology.links / o->ranks;
    return bytes;
}

/* Of one process, before and beside all packets. */
static double process_bytes(const outlook *o)
{
    return PROCESS_BYTES + (o->ranks > 1 ? RANK_BYTES : 0) + (o->threads - 1) * THREAD_BYTES +
           statistics_bytes(o) + o->blocks / o->ranks * REGIONS * PAGE / 2;
}

/* How much longer everything takes when the state does not fit a core's cache. */
static double slower(double state)
{
    return 1 + SLOWER * log2_of(1 + state / HUGE_PAGE);
}

/* To move packets through output-queued routers. */
static double moving_ns(const outlook *o, double state)
{
    const weft_forecast *f = o->forecast;
    const weft_routing *routing = &o->network->routing;
    double packet = PACKET_NS + (f->platform.injection_port ? PORT_NS : 0);
    double busy = BUSY_NS + TIE_NS * most(1 - f->all.square, 0);
    double hop = HOP_NS + busy * least(f->link, 1) + (f->platform.count_links ? COUNTED_NS : 0);
    if (routing->straight != 1)
        hop += routing->straight ? SEVERAL_NS : routing->draws ? DRAWN_NS : RANKED_NS;
    double moving = packet * f->packets * f->ticks + hop * weft_forecast_hops(f);
    return moving * slower(state);
}

/* To move packets through routers with finite buffers: one that is busy is looked at more often,
 * and what is looked at more often leaves the cache; but a state larger than that is missed by
 * few packets too. */
static double pressing_ns(const outlook *o, double state)
{
    const weft_forecast *f = o->forecast;
    const weft_buffering *b = &f->buffering;
    double busy = most(f->link, f->port), packets = f->packets * f->ticks;
    double pass = PASS_NS + (f->platform.count_links ? COUNTED_NS : 0);
    double press = PRESS_NS + INPUT_NS * most(f->ports + f->ends - 5.0, 0) + (b->voq ? VOQ_NS : 0);
    pass += b->credit_events ? CREDIT_NS : 0;
    pass += (b->several ? CHOICE_NS : 0) + (b->buffered ? STORE_NS : 0);
    press += (b->several ? CHOICES_NS : 0) + (b->buffered ? STORES_NS : 0);
    double moving =
        PACKET_NS * packets + (pass + press * busy * busy) * (weft_forecast_hops(f) + packets);
    return moving * (1 + weft_sqrt(least(busy, 1)) * (slower(state) - 1));
}

/* Processor time of the whole run, if its state is spread over all cores. */
static double work_ns(const outlook *o, double state)
{
    const weft_forecast *f = o->forecast;
    double moving = f->buffering.finite ? pressing_ns(o, state) : moving_ns(o, state);
    double events = f->packets * events_of(f) / o->blocks;
    double ticks = TICK_NS * f->ticks * o->blocks * (1 - weft_exp(-events));
    double windows = o->blocks > 1 ? WINDOW_NS * o->blocks * f->ticks / f->window : 0;
    double listed = weft_linkwatch_lists_all(o->network) ? LISTED_NS : 0;
    return moving + ticks + windows + ROUTER_NS * o->routers +
           listed * (double)o->network->topology.links;
}

static double wall_seconds(const outlook *o, double state)
{
    const weft_forecast *f = o->forecast;
    double cores = o->ranks * o->threads,
           groups = o->network->n_traffic_classes > 1 ? o->network->n_traffic_classes + 1 : 1;
    double alone = PROCESS_NS + INTERVAL_NS * groups * (f->ticks / f->interval);
    double exchange = o->ranks > 1 ? EXCHANGE_NS * f->ticks / f->window : 0;
    return 1e-9 * (alone + exchange + work_ns(o, state / cores) / cores);
}

static int64_t whole(double bytes)
{
    return bytes < 9e18 ? (int64_t)bytes : INT64_MAX;
}

static double first_packets(const weft_forecast *f)
{
    const weft_network *network = f->platform.network;
    double backlog = (double)network->scenario->endpoint.backlog * network->endpoints *
                     network->n_traffic_classes;
    double first = f->packets * f->interval + (f->platform.injection_port ? 0 : backlog);
    return f->buffering.finite ? least(first, f->in_flight) : first;
}

/* Packets in buffers: those in flight that are not on a wire, whose packets are in their events. */
static double at_rest(const weft_forecast *f)
{
    double wires = f->packets * f->hops * f->hop;
    return most(f->in_flight - wires, f->in_flight / 4);
}

static void count_memory(const outlook *o, weft_cost *cost)
{
    const weft_platform *platform = &o->forecast->platform;
    uint32_t ports = cost->blocks > 1 ? o->network->topology.ports : 0;
    double block = (double)weft_engine_idle_bytes(0, 0, ports) + sizeof(weft_site);
    double router = (double)(weft_platform_bytes(platform) + weft_engine_idle_bytes(1, 0, 0) -
                             weft_engine_idle_bytes(0, 0, 0));
    double rest = router * o->routers + block * o->blocks + weft_processes_estimate(o->network);
    double beside = process_bytes(o) * o->ranks;
    double start = beside + rest + FIRST_BYTES * first_packets(o->forecast);
    double running = beside + rest + wheel_bytes(o) * o->blocks + border_bytes(o) * o->ranks +
                     weft_run_jobs_beside(o->forecast);
    if (o->forecast->buffering.finite)
        running += POOL_MARGIN * POOLED_BYTES * at_rest(o->forecast);
    if (o->network->scenario->endpoint.backlog > 0)
        running = most(running, start);
    cost->bytes_per_router = whole(rest / o->routers);
    cost->bytes_at_rest = whole(rest);
    cost->bytes_at_start = whole(start);
    cost->bytes_running = whole(running);
    cost->bytes_a_process = whole(running / o->ranks);
    cost->seconds = wall_seconds(o, rest + WHEEL_SEEN * (running - beside - rest));
}

weft_cost weft_simulation_cost(const weft_network *network, const weft_cost_plan *plan)
{
    weft_forecast forecast = weft_forecast_make(network);
    weft_run_jobs_calm(&forecast);
    uint32_t ranks = plan->ranks ? plan->ranks : 1, threads = plan->threads ? plan->threads : 1;
    uint32_t blocks =
        plan->blocks ? plan->blocks : weft_partition_default(&network->topology, ranks, threads);
    if (blocks < ranks)
        blocks = ranks;
    weft_cost cost = {.blocks = blocks,
                      .ranks = ranks,
                      .threads = threads,
                      .packets = weft_forecast_packets(&forecast),
                      .packet_hops = weft_forecast_hops(&forecast),
                      .events_a_window = forecast.packets * events_of(&forecast) * forecast.window};
    outlook o = {.forecast = &forecast,
                 .network = network,
                 .routers = network->topology.routers,
                 .blocks = blocks,
                 .ranks = ranks,
                 .threads = threads};
    count_memory(&o, &cost);
    weft_duration wall = network->scenario->measure.limit_wall;
    if (wall.unit != WEFT_NO_TIME && cost.seconds > wall.value * 1e-12) {
        double part = wall.value * 1e-12 / cost.seconds;
        cost.packets *= part;
        cost.packet_hops *= part;
        cost.seconds *= part;
    }
    return cost;
}
