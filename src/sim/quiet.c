/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/quiet.h"

#include "sim/router.h"

weft_bounds_plan weft_quiet_plan(const weft_platform *platform, uint64_t budget)
{
    double link = (double)platform->period[WEFT_LINK_HOST] / platform->endpoint_ports;
    double bus = (double)platform->bus_period, both = link > bus ? link : bus;
    return (weft_bounds_plan){.sending = platform->injection_port ? both : 0,
                              .receiving = platform->reception_port ? both : 0,
                              .budget = budget};
}

weft_quiet weft_quiet_flow(const weft_platform *platform, const weft_bounds *bounds, uint32_t flow)
{
    const weft_mean_path *path = &bounds->load.path[flow];
    if (!path->known || !platform->router->quiet)
        return (weft_quiet){0};
    double flits = platform->network->flows[flow].mean_flits;
    bool whole = !weft_platform_cuts(platform, flow); /* else its last packet has a flit or more */
    bool in_row = whole || platform->endpoint_ports == 1;
    return (weft_quiet){
        .ticks = platform->router->quiet(platform, path, in_row ? flits : 1, whole ? flits : 1),
        .exact = path->exact && whole,
        .sampled = !path->exact};
}

weft_quiet weft_quiet_all(const weft_platform *platform, const weft_bounds *bounds)
{
    const weft_network *network = platform->network;
    weft_quiet all = {.exact = true};
    double messages = 0;
    for (uint32_t f = 0; f < network->n_flows; f++) {
        weft_quiet one = weft_quiet_flow(platform, bounds, f);
        double share = network->flows[f].per_tick * network->flows[f].senders;
        if (one.ticks <= 0)
            return (weft_quiet){0};
        all.ticks += share * one.ticks;
        all.exact = all.exact && one.exact;
        all.sampled = all.sampled || one.sampled;
        messages += share;
    }
    all.ticks /= messages;
    return all;
}
