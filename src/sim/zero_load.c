/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/zero_load.h"

#include "sim/router.h"

weft_bounds_plan weft_zero_load_plan(const weft_platform *platform, uint64_t budget)
{
    double link = (double)platform->period[WEFT_LINK_HOST] / platform->endpoint_ports;
    double bus = (double)platform->bus_period, both = link > bus ? link : bus;
    return (weft_bounds_plan){.sending = platform->injection_port ? both : 0,
                              .receiving = platform->reception_port ? both : 0,
                              .budget = budget};
}

weft_zero_load weft_zero_load_traffic_class(const weft_platform *platform,
                                            const weft_bounds *bounds, uint32_t traffic_class)
{
    const weft_mean_path *path = &bounds->load.path[traffic_class];
    if (!path->known || !platform->router->estimate.zero_load)
        return (weft_zero_load){0};
    double flits = platform->network->traffic_classes[traffic_class].mean_flits;
    /* else its last packet has a flit or more */
    bool whole = !weft_platform_cuts(platform, traffic_class);
    bool in_row = whole || platform->endpoint_ports == 1;
    return (weft_zero_load){.ticks = platform->router->estimate.zero_load(
                                platform, path, in_row ? flits : 1, whole ? flits : 1),
                            .exact = path->exact && whole,
                            .sampled = !path->exact};
}

weft_zero_load weft_zero_load_all(const weft_platform *platform, const weft_bounds *bounds)
{
    const weft_network *network = platform->network;
    weft_zero_load all = {.exact = true};
    double messages = 0;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        weft_zero_load one = weft_zero_load_traffic_class(platform, bounds, f);
        double share = network->traffic_classes[f].per_tick * network->traffic_classes[f].senders;
        if (one.ticks <= 0)
            return (weft_zero_load){0};
        all.ticks += share * one.ticks;
        all.exact = all.exact && one.exact;
        all.sampled = all.sampled || one.sampled;
        messages += share;
    }
    all.ticks /= messages;
    return all;
}
