/* SPDX-License-Identifier: Apache-2.0 */
#include "net/rated.h"

#include "net/hosts.h"

#define RATED_MAX 256 /* flows: a page shows no more lines */

/* Does an endpoint send in a class? In that of jobs, if it has a rank. */
static bool sends(const weft_network *network, uint32_t endpoint, uint32_t traffic_class)
{
    if (network->jobs && traffic_class == network->n_traffic_classes - 1)
        return network->jobs->rank_at[endpoint] != WEFT_NOWHERE;
    const weft_host_set *from = network->traffic_classes[traffic_class].traffic.pattern.from;
    return !from || weft_host_set_has(from, endpoint);
}

static weft_status find(weft_network *network, weft_arena *arena, weft_error *err)
{
    const weft_measure *measure = &network->scenario->measure;
    const weft_host_set *set;
    if (measure->rates.count == 0)
        return WEFT_OK;
    if (measure->series.unit == WEFT_NO_TIME)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "measure.rates needs measure.series, the width of a bin, such as series: "
                         "10 us");
    WEFT_TRY(
        weft_hosts_read(&measure->rates, &network->topology, "measure.rates", arena, &set, err));
    weft_rated *rated = WEFT_TAKE(arena, weft_rated, RATED_MAX);
    uint32_t count = 0;
    for (uint32_t e = 0; e < network->endpoints; e++)
        for (uint32_t f = 0; f < network->n_traffic_classes && (!set || weft_host_set_has(set, e));
             f++) {
            if (!sends(network, e, f))
                continue;
            if (count < RATED_MAX)
                rated[count] = (weft_rated){.endpoint = e, .traffic_class = f};
            count++;
        }
    if (count == 0 || count > RATED_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "measure.rates: 1 to %d flows can be followed (an endpoint and a class it "
                         "sends in), found %u: name other endpoints",
                         RATED_MAX, count);
    network->rated = rated;
    network->n_rated = count;
    return WEFT_OK;
}

weft_status weft_rated_build(weft_network *network, weft_arena *arena, weft_error *err)
{
    weft_status status = find(network, arena, err);
    return weft_scenario_locate(network->scenario, "measure.rates", status, err);
}
