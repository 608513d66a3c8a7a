/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of docs/theory/input-queued.md for one packet alone. From a link of period f it goes on to one of period f'
 * and latency W by a crossbar of period g after
 *     R + X + W + (L − 1) max(0, f − g)            (store-and-forward: R + X + W + (L − 1) f),
 * a tick later with a VC stage; of a message in several packets the last one's L counts. The host links at both ends, and the buses behind them, have their own. */
#include "sim/router/input_queued/quiet.h"

static double beyond(double period, double other)
{
    return period > other ? period - other : 0;
}

/* From a link of one class to the far end of one of another. */
static double step(const weft_iq_shape *shape, int from, int to, double last)
{
    const weft_fabric *fabric = shape->fabric;
    double came = (double)fabric->period[from], through = shape->class_through[to];
    double stored = weft_iq_has(shape, WEFT_IQ_STORED) ? came : beyond(came, through);
    return (double)shape->ready + shape->cross + (double)fabric->wire[to] + last * stored +
           (weft_iq_has(shape, WEFT_IQ_STAGED) ? 1 : 0);
}

double weft_iq_quiet(const weft_fabric *fabric, const weft_mean_path *path, double flits,
                     double packet)
{
    weft_iq_shape shape;
    weft_iq_shape_build(&shape, fabric);
    double rest = flits - 1, last = packet - 1, host = (double)fabric->period[WEFT_LINK_HOST],
           bus = (double)fabric->bus_period;
    double ticks =
        (double)fabric->dma + (double)fabric->send_delay + (double)fabric->wire[WEFT_LINK_HOST];
    for (int a = 0; a < WEFT_LINK_CLASSES; a++)
        for (int b = 0; b < WEFT_LINK_CLASSES; b++)
            if (path->link[a][b] > 0)
                ticks += path->link[a][b] * step(&shape, a, b, last);
    if (fabric->bus_period == 0)
        return ticks + rest * host;
    double both = 2 * (double)fabric->bus_latency; /* out and in */
    return ticks + both + last * (beyond(bus, host) + beyond(host, bus)) + rest * bus;
}
