/* SPDX-License-Identifier: Apache-2.0 */
/* Links and reception ports are taken for independent M/G/1 queues that start empty and are all
 * as busy as the mean one. A run that ends at its half-width is as long as the variance of such
 * queues' waiting times wants it, and as the stop rule of stats/control.c wants at least. Not
 * seen: links much busier than the mean one, and bursts.
 *
 * Finite buffers with virtual channels let links carry only a part of what they could: such
 * links are taken for queues that are full there, messages beyond wait outside, and no more
 * packets are under way than buffers hold.
 *
 * Measured constants are from converged runs on tori of 16 to 512 routers at rho 0.05 … 0.9,
 * with fixed and with exponential lengths; the lengths of such runs scatter by a factor of 2
 * with the seed. */
#include "sim/forecast.h"

#include "base/numeric.h"
#include "sim/interval.h"

#include <assert.h>

#define SAMPLES          1024 /* lengths drawn for their variance */
#define BUSY_MOST        0.98 /* a run closer to saturation does not end by its half-width */
#define NEARLY           1e-3 /* less drift than this is none */
#define EVER             1e15 /* ticks */
#define INTERVALS_LEAST  96   /* two checks */
#define CROSSINGS_LEAST  32   /* of the empty network before anything counts as settled */
#define RELAXATIONS      500  /* relaxation times until 32 batches are independent; measured */
#define STOP_MARGIN      2.5  /* reached twice in a row, widened for correlation; measured */
/* of a wait is met again a hop later, if links are not mostly idle … */
#define ALONG_PATH       0.15
#define ALONG_LENGTHS    0.35 /* … and more behind long packets; measured */
#define MOSTLY_IDLE      0.25
#define BESIDE           0.7  /* of a wait's variance is left with several candidates; measured */
#define GROWTH_INTERVALS 192  /* five checks until a saturated run is known for one … */
#define GROWTH_CROSSINGS 560  /* … the first after 256 crossings of the empty network */
#define CARRIED          0.92 /* of its capacity, by a network that saturates; measured */
#define LOST             0.45 /* of a link's capacity behind one FIFO of four packets; measured … */
#define VOQ_WORTH        1.5  /* … and in how many more FIFOs' place others stand */
#define LINES_WORTH      0.5  /* a further line into the crossbar */
#define SPEEDUP_WORTH    1.0  /* a crossbar that is once more as fast */
#define CHOICE_WORTH     4.0  /* several candidates */
#define PORT_CARRIED     0.96 /* of a port's capacity; measured */
#define FILLED           0.25 /* of the buffers between routers of a saturated network; measured */
#define SPARE            0.28 /* of that loss, not met until buffers are full; measured */

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* Mean and variance of the lengths of a flow's packets, from a sample; returns packets per
 * message. */
static double look_at_traffic_class(const weft_forecast *f, uint32_t i, weft_lengths *lengths)
{
    const weft_traffic_class *traffic_class = &f->platform.network->traffic_classes[i];
    const weft_length *length = &traffic_class->traffic.length;
    weft_random random = weft_random_stream(1, 0, i, WEFT_FOR_ESTIMATE);
    double sum = 0, squares = 0, mtu = f->platform.mtu;
    int64_t packets = 0;
    for (int draw = 0; draw < SAMPLES; draw++) {
        uint32_t flits = length->kind->flits(length, &random);
        uint32_t full = (flits - 1) / f->platform.mtu; /* … and the last one */
        double last = flits - full * mtu;
        packets += full + 1;
        sum += flits;
        squares += full * mtu * mtu + last * last;
    }
    double each = (double)packets / SAMPLES;
    lengths->square = (double)packets * squares / (sum * sum) - 1;
    lengths->mean = traffic_class->mean_flits * (double)f->platform.flit / each;
    return each;
}

/* The lengths of each flow's packets and of all together; messages per tick become packets. */
static void look_at_lengths(weft_forecast *f)
{
    const weft_network *network = f->platform.network;
    double second = 0, packets = 0;
    for (uint32_t i = 0; i < network->n_traffic_classes; i++) {
        const weft_traffic_class *traffic_class = &network->traffic_classes[i];
        f->traffic_class[i].share = look_at_traffic_class(f, i, &f->traffic_class[i]) *
                                    traffic_class->per_tick * traffic_class->senders;
        packets += f->traffic_class[i].share;
    }
    f->all = (weft_lengths){.share = 1,
                            .mean = network->mean_flits * (double)f->platform.flit *
                                    (f->packets / packets)};
    for (uint32_t i = 0; i < network->n_traffic_classes; i++) {
        weft_lengths *l = &f->traffic_class[i];
        l->share /= packets;
        second += l->share * l->mean * l->mean * (1 + l->square);
    }
    f->packets = packets;
    f->all.square = most(second / (f->all.mean * f->all.mean) - 1, 0);
}

/* Mean wait for something this busy so many ticks after it was empty: the mean of reflected
 * Brownian motion (J. Abate and W. Whitt, Advances in Applied Probability 19, 1987), its first
 * moment's distribution function fitted to 1 %. In the long run it is the mean wait of M/G/1. */
static double wait_for(const weft_forecast *f, double busy, double ticks)
{
    if (!(busy > 0))
        return 0;
    double variance = busy * f->all.mean * (1 + f->all.square), drift = busy - 1;
    double slope = most(drift < 0 ? -drift : drift, NEARLY);
    double scaled = ticks * slope * slope / variance;
    double filled = 1 - weft_exp(-1.596 * weft_sqrt(scaled) - 0.3 * scaled);
    return filled * variance / (2 * slope) + (drift > 0 ? drift * ticks : 0);
}

/* Variance of the mean wait of n packets, times n: that of M/M/1 (W. Whitt, Management Science
 * 35, 1989), for other lengths by their variance as in heavy traffic. */
static double wait_variance(const weft_forecast *f, double busy)
{
    double idle = 1 - busy, part = (1 + f->all.square) / 2;
    return f->all.mean * f->all.mean * part * part * part * busy *
           (2 + busy * (5 - busy * (4 - busy))) / (idle * idle * idle * idle);
}

/* Through the network when it is empty. */
static double crossing(const weft_forecast *f)
{
    return f->all.mean + f->hops * f->hop;
}

/* The part of its capacity that the mean link carries when finite buffers are full. */
static double carried(const weft_forecast *f)
{
    const weft_buffering *b = &f->buffering;
    double packets =
        (double)(b->capacity + b->shared) / (b->by_packet ? 1 : most(f->all.mean / f->period, 1));
    double fifos = (double)b->vcs / (b->classes ? 2 : 1);
    fifos *= least(most(weft_sqrt(packets / 4), 0.5), 1.3);
    fifos *= b->voq ? VOQ_WORTH : b->several ? CHOICE_WORTH : 1;
    fifos *= 1 + LINES_WORTH * (b->lines - 1) + SPEEDUP_WORTH * (b->speedup - 1);
    return 1 - LOST / weft_sqrt(most(fifos, 0.5));
}

/* Until the mean latency is known to the half-width. */
static double ticks_precise(const weft_forecast *f, double link, double port)
{
    const weft_network *network = f->platform.network;
    const weft_measure *measure = &network->scenario->measure;
    double dims = network->topology.lattice.dims ? network->topology.lattice.dims : 1;
    double hop = f->hop + wait_for(f, link, EVER);
    double latency = f->all.mean + f->hops * hop + wait_for(f, port, EVER);
    double path =
        f->hops * f->hops / (3 * dims) * hop * hop; /* distances: uniform in each dimension */
    double again = (ALONG_PATH + ALONG_LENGTHS * f->all.square) * least(link / MOSTLY_IDLE, 1);
    double along = 1 + again * most(f->hops - 1, 0);
    double links = (f->buffering.several ? BESIDE : 1) * along * wait_variance(f, link);
    double variance = path + f->all.mean * f->all.mean * f->all.square + f->hops * links +
                      wait_variance(f, port) / 2;
    double z = weft_normal_quantile(0.5 + 0.5 * measure->confidence) / measure->half_width;
    return STOP_MARGIN * z * z * variance / (latency * latency) / f->packets;
}

static double ticks_wanted(const weft_forecast *f)
{
    double link = least(f->link, BUSY_MOST), port = least(f->port, BUSY_MOST);
    double busy = most(link, port), idle = 1 - busy;
    if (f->saturated)
        return most(GROWTH_INTERVALS * f->interval,
                    GROWTH_CROSSINGS * (f->all.mean + f->hops * f->window));
    double settled = most(INTERVALS_LEAST * f->interval, CROSSINGS_LEAST * crossing(f));
    double relaxed = RELAXATIONS * busy * f->all.mean * (1 + f->all.square) / (idle * idle);
    return most(most(settled, relaxed), ticks_precise(f, link, port));
}

static double ticks_run(const weft_forecast *f)
{
    const weft_measure *measure = &f->platform.network->scenario->measure;
    double ticks = ticks_wanted(f), busy = most(f->link, f->port);
    if (f->saturated && measure->warmup.unit != WEFT_NO_TIME &&
        measure->limit_time.unit != WEFT_NO_TIME)
        ticks = EVER; /* the span is given */
    if (measure->limit_packets != WEFT_NONE_INT)
        ticks =
            least(ticks, crossing(f) + (double)measure->limit_packets / f->packets * most(busy, 1));
    if (measure->limit_time.unit != WEFT_NO_TIME)
        ticks = least(ticks,
                      (double)weft_timing_span(&f->platform.network->timing, measure->limit_time));
    return most(ticks, 1);
}

/* Time through the network at the end, if waits are those of links as busy as packets of this
 * latency let them be: those under way, half of `latency` old, have not yet been everywhere. */
static double latency_with(weft_forecast *f, double latency)
{
    double there = 1 - latency / (2 * f->ticks);
    f->link_wait = wait_for(f, f->link * there, f->ticks);
    f->port_wait = wait_for(f, f->port * there, f->ticks);
    return crossing(f) + f->hops * f->link_wait + f->port_wait;
}

static double find_latency(weft_forecast *f)
{
    double low = 0, high = f->ticks;
    for (int i = 0; i < 20; i++) {
        double middle = (low + high) / 2;
        if (latency_with(f, middle) > middle)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Little's law; but of what waits, no more than what the busiest links have not let through.
 * Waits are made to agree with it. */
static void count_in_flight(weft_forecast *f)
{
    double busy = most(f->link, f->port), latency = find_latency(f);
    double moving = f->packets * crossing(f), waiting = f->packets * latency - moving;
    double kept = busy > 1 ? f->packets * f->ticks * (1 - CARRIED / busy) : waiting;
    if (waiting > kept) {
        f->link_wait *= kept / waiting;
        f->port_wait *= kept / waiting;
        waiting = kept;
    }
    f->entered = f->packets * f->ticks;
    if (f->buffering.finite)
        waiting = least(f->saturated ? f->excess * f->ticks : waiting, f->room);
    if (f->buffering.finite && f->saturated)
        f->entered += waiting;
    f->in_flight = least(f->entered, moving + most(waiting, 0));
}

/* Inputs of the mean router. */
static void count_inputs(weft_forecast *f)
{
    const weft_topology *topology = &f->platform.network->topology;
    uint32_t end;
    for (uint32_t r = 0; r < topology->routers; r = end) {
        weft_tier span = weft_topology_tier(topology, r);
        end = weft_topology_tier_end(topology, r);
        double share = (double)(end - r) / topology->routers;
        f->ports += share * span.ports;
        f->ends += share * span.concentration * f->platform.endpoint_ports;
    }
}

/* What finite buffers can hold and let through; messages beyond wait outside and cost nothing. */
static void look_at_buffers(weft_forecast *f)
{
    const weft_buffering *b = &f->buffering;
    const weft_network *network = f->platform.network;
    if (!b->finite)
        return;
    double flits = most(f->all.mean / f->period, 1);
    double input = (double)(b->vcs * b->capacity + b->shared) / (b->by_packet ? 1 : flits);
    f->room = (FILLED * f->ports + f->ends) * input * network->topology.routers +
              (double)network->endpoints * network->n_traffic_classes;
    double full = carried(f), busy = most(f->link / full, f->port / PORT_CARRIED);
    f->saturated = busy >= 1;
    if (!f->saturated) {
        f->link /= full + SPARE * (1 - full);
        return;
    }
    f->excess = f->packets * (1 - 1 / busy);
    f->packets /= busy;
    f->link /= full * busy;
    f->port /= PORT_CARRIED * busy;
}

weft_forecast weft_forecast_make(const weft_network *network)
{
    weft_forecast f = {.packets = weft_interval_messages(network),
                       .hops = network->mean_hops,
                       .link = network->rho,
                       .port = weft_network_reception(network),
                       .interval = (double)weft_interval_choose(network)};
    weft_platform_init(&f.platform, network);
    weft_buffering_look(&f.buffering, &f.platform);
    f.window = (double)f.platform.router->lookahead(&f.platform);
    f.hop = (double)f.buffering.hop;
    f.period = (double)f.platform.flit;
    look_at_lengths(&f);
    count_inputs(&f);
    if (f.platform.injection_port &&
        network->load > 1) { /* the rest waits outside and costs nothing */
        f.packets /= network->load;
        f.link /= network->load;
        f.port /= network->load;
    }
    if (!f.platform.reception_port)
        f.port = 0;
    f.saturated = most(f.link, f.port) >= 1;
    look_at_buffers(&f);
    f.ticks = ticks_run(&f);
    count_in_flight(&f);
    assert(f.in_flight >= 0);
    return f;
}

double weft_forecast_packets(const weft_forecast *forecast)
{
    return most(forecast->entered - forecast->in_flight, 0);
}

double weft_forecast_hops(const weft_forecast *forecast)
{
    double age = forecast->ticks / 2 / (forecast->hop + forecast->link_wait);
    return weft_forecast_packets(forecast) * forecast->hops +
           forecast->in_flight * least(forecast->hops / 2, age);
}
