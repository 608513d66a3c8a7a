/* SPDX-License-Identifier: Apache-2.0 */
#include "net/traffic/common/traffic_table.h"

#include "net/traffic/common/spread.h"

const char *const weft_traffic_table_places[] = {"endpoints", "routers", "groups", NULL};

static const weft_traffic_table *of(const weft_pattern *pattern)
{
    return pattern->self;
}

/* The place of an endpoint: where senders and receivers are one set, its rank. */
static uint32_t place_of(const weft_pattern *pattern, uint32_t endpoint)
{
    if (pattern->to)
        return weft_host_set_below(pattern->to, endpoint);
    return endpoint / of(pattern)->each;
}

/* The first endpoint of a place. */
static uint32_t first_of(const weft_pattern *pattern, uint32_t place)
{
    return pattern->to ? weft_host_set_at(pattern->to, place) : place * of(pattern)->each;
}

weft_status weft_traffic_table_build(weft_pattern *pattern, const weft_file *file,
                                     weft_weights_form form, int what, weft_error *err)
{
    static const char *const names[] = {"endpoint", "router", "group"};
    const weft_topology *topology = pattern->topology;
    weft_traffic_table *self = pattern->self;
    uint32_t routers = what == WEFT_OF_GROUPS ? topology->group : 1;
    if (routers == 0 || topology->edge_routers % routers ||
        (topology->first && what != WEFT_OF_ENDPOINTS))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern %s: of must be endpoints%s, for %s is not made of equal "
                         "%s",
                         pattern->kind->base.name, topology->first ? "" : " or routers",
                         topology->kind->base.name, topology->first ? "routers" : "groups");
    self->each = what == WEFT_OF_ENDPOINTS ? 1 : routers * topology->concentration;
    if (pattern->to && what != WEFT_OF_ENDPOINTS)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "pattern %s: of must be endpoints where not all receive (to)",
                         pattern->kind->base.name);
    uint32_t ends = pattern->to ? pattern->to->count : weft_endpoints(topology);
    weft_places places = {.count = ends / self->each,
                          .of = pattern->to ? "this set" : "this network",
                          .name = names[what],
                          .loops = self->each > 1};
    return weft_weights_read(&self->weights, file, form, &places, err);
}

void weft_traffic_table_done(weft_pattern *pattern)
{
    weft_weights_done(&((weft_traffic_table *)pattern->self)->weights);
}

uint32_t weft_traffic_table_destination(const weft_pattern *pattern, uint32_t source,
                                        weft_random *random)
{
    const weft_traffic_table *self = of(pattern);
    uint32_t each = self->each, from = place_of(pattern, source);
    if (self->weights.row[from] == self->weights.row[from + 1])
        return WEFT_NOWHERE;
    uint32_t place = weft_weights_draw(&self->weights, from, random);
    uint32_t first = first_of(pattern, place);
    if (each == 1)
        return first;
    if (place != from)
        return first + weft_random_below(random, each);
    uint32_t to = first + weft_random_below(random, each - 1);
    return to < source ? to : to + 1;
}

/* Hops from one router to all endpoints of a place together. */
static uint64_t hops_to(const weft_topology *topology, uint32_t from, uint32_t first,
                        uint32_t count)
{
    uint64_t hops = 0;
    for (uint32_t e = first, next; e < first + count; e = next) {
        next = weft_topology_first(topology, weft_topology_home(topology, e) + 1);
        uint32_t here = (next < first + count ? next : first + count) - e;
        hops += (uint64_t)here *
                topology->kind->distance(topology, from, weft_topology_egress(topology, e));
    }
    return hops;
}

/* Mean hops of what one endpoint sends. */
static double hops_of(const weft_pattern *pattern, uint32_t source)
{
    const weft_topology *topology = pattern->topology;
    const weft_traffic_table *self = of(pattern);
    uint32_t place = source / self->each, from = weft_topology_home(topology, source);
    double mean = 0;
    for (uint32_t i = self->weights.row[place]; i < self->weights.row[place + 1]; i++) {
        const weft_weight *entry = &self->weights.entry[i];
        uint64_t hops = hops_to(topology, from, entry->to * self->each, self->each);
        uint32_t ends = self->each;
        if (entry->to == place) { /* not to itself */
            hops -=
                topology->kind->distance(topology, from, weft_topology_egress(topology, source));
            ends--;
        }
        mean += entry->share * ((double)hops / ends);
    }
    return mean;
}

double weft_traffic_table_mean_hops(const weft_pattern *pattern)
{
    const weft_traffic_table *self = of(pattern);
    uint32_t endpoints = weft_endpoints(pattern->topology);
    double sum = 0;
    for (uint32_t e = 0; e < endpoints; e++)
        sum += self->weights.sum[e / self->each] * hops_of(pattern, e);
    return sum / (self->weights.total * self->each);
}

uint32_t weft_traffic_table_senders(const weft_pattern *pattern)
{
    return of(pattern)->weights.senders * of(pattern)->each;
}

void weft_traffic_table_odds(const weft_pattern *pattern, uint32_t source, weft_odds_visitor each,
                             void *user)
{
    const weft_traffic_table *self = of(pattern);
    uint32_t place = place_of(pattern, source), ends = self->each;
    for (uint32_t i = self->weights.row[place]; i < self->weights.row[place + 1]; i++) {
        const weft_weight *entry = &self->weights.entry[i];
        uint32_t first = first_of(pattern, entry->to);
        if (entry->to != place) {
            each(user, first, ends, entry->share / ends);
            continue;
        }
        each(user, first, source - first, entry->share / (ends - 1));
        each(user, source + 1, first + ends - source - 1, entry->share / (ends - 1));
    }
}

double weft_traffic_table_weight(const weft_pattern *pattern, uint32_t source)
{
    const weft_weights *weights = &of(pattern)->weights;
    return weights->sum[place_of(pattern, source)] / (weights->total / weights->senders);
}
