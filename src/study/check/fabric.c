/* SPDX-License-Identifier: Apache-2.0 */
#include "study/check/fabric.h"

#include "analysis/flows/flows.h"
#include "base/memory.h"
#include "net/naming.h"

#include <inttypes.h>
#include <stdlib.h>

#define WORST    10
#define PAIRINGS 1000
#define STEPS    ((uint64_t)1 << 26) /* flows that are followed in some seconds */
#define NORMAL   1.96                /* 95 % of a thousand pairings */

/* Hops between switches of all ordered pairs of hosts. */
static void add_lengths(weft_text *text, const weft_flows_pairs *pairs)
{
    const char *between = "";
    weft_text_add(text, "%-22s ", "path lengths");
    for (uint32_t h = 0; h <= WEFT_FLOWS_HOPS; h++)
        if (pairs->lengths[h] > 0) {
            weft_text_add(text, "%s%u hop%s %" PRIu64, between, h, h == 1 ? "" : "s",
                          pairs->lengths[h]);
            between = ", ";
        }
    weft_text_add(text, " pairs of hosts\n");
}

typedef struct link_flows {
    uint64_t flows;
    size_t link;
} link_flows;

static int most_first(const void *a, const void *b)
{
    const link_flows *x = a, *y = b;
    if (x->flows != y->flows)
        return x->flows > y->flows ? -1 : 1;
    return x->link < y->link ? -1 : x->link > y->link;
}

/* The links that carry most of uniform traffic, by name. A host sends 1, to all others alike. */
static void add_worst(weft_text *text, const weft_flows *job, const weft_flows_pairs *pairs)
{
    uint32_t ports = job->topology->ports;
    link_flows *sorted = weft_alloc(sizeof *sorted * job->n_links);
    size_t count = 0;
    for (size_t l = 0; l < job->n_links; l++)
        if (pairs->flows[l] > 0)
            sorted[count++] = (link_flows){pairs->flows[l], l};
    qsort(sorted, count, sizeof *sorted, most_first);
    double others = job->n_hosts - 1.0;
    if (count > 0)
        weft_text_add(text,
                      "%-22s the worst link carries %.4g times what a host sends: load %.4g at "
                      "most\n",
                      "uniform traffic", (double)sorted[0].flows / others,
                      others > (double)sorted[0].flows ? 1 : others / (double)sorted[0].flows);
    for (size_t i = 0; i < count && i < WORST; i++) {
        char name[WEFT_LINK_NAME_BYTES];
        weft_naming_link(job->topology, (uint32_t)(sorted[i].link / ports),
                         (uint32_t)(sorted[i].link % ports), name);
        weft_text_add(text, "%-22s %.4g  %s\n", i ? "" : "worst links",
                      (double)sorted[i].flows / others, name);
    }
    free(sorted);
}

static void add_shifts(weft_text *text, const weft_flows *job, uint32_t most)
{
    weft_flows_shifts shifts = weft_flows_all_shifts(job, most);
    weft_text_add(text,
                  "%-22s %u of %u%s without contention; on the worst link flows %.4g in the mean, "
                  "%u at most (shift %u)\n",
                  "shifts", shifts.free, shifts.looked_at,
                  shifts.looked_at < job->n_hosts - 1 ? " looked at" : "", shifts.mean, shifts.most,
                  shifts.worst);
}

static void add_bisection(weft_text *text, const weft_flows *job, uint64_t seed)
{
    weft_flows_bisection bisection = weft_flows_bisect(job, seed, PAIRINGS);
    weft_text_add(text, "%-22s %.4f ± %.4f of the rate of a link, over %u random pairings\n",
                  "effective bisection", bisection.mean, NORMAL * bisection.error,
                  bisection.pairings);
}

/* The rate that most cables have. */
static weft_subnet_rate usual_rate(const weft_subnet *subnet)
{
    weft_subnet_rate usual = {0};
    uint32_t most = 0;
    for (uint32_t c = 0; c < subnet->n_cables; c++) {
        uint32_t count = 0;
        for (uint32_t d = 0; d < subnet->n_cables; d++)
            count += subnet->rates[d].width == subnet->rates[c].width &&
                     subnet->rates[d].speed == subnet->rates[c].speed;
        if (count > most) {
            most = count;
            usual = subnet->rates[c];
        }
        if (2 * (uint64_t)most > subnet->n_cables)
            break;
    }
    return usual;
}

/* Cables whose width or speed is not that of most. */
static void add_unlike(weft_text *text, const weft_topology *topology)
{
    const weft_weftnet *net = weft_weftnet_of(topology);
    const weft_subnet *subnet = net->subnet;
    weft_subnet_rate usual = usual_rate(subnet);
    uint32_t unlike = 0;
    for (uint32_t c = 0; c < subnet->n_cables; c++) {
        weft_subnet_rate rate = subnet->rates[c];
        if (rate.width == usual.width && rate.speed == usual.speed)
            continue;
        char name[WEFT_LINK_NAME_BYTES];
        weft_end end = net->cables[c].end[0];
        weft_naming_link(topology, end.router, end.port, name);
        if (unlike++ < WORST)
            weft_text_add(text, "%-22s %ux%s instead of %ux%s  %s\n",
                          unlike == 1 ? "unlike cables" : "", rate.width,
                          weft_subnet_speeds[rate.speed].name, usual.width,
                          weft_subnet_speeds[usual.speed].name, name);
    }
    if (unlike > WORST)
        weft_text_add(text, "%-22s and %u more\n", "", unlike - WORST);
}

weft_status weft_check_fabric(weft_text *text, const weft_network *network, bool thorough,
                              weft_error *err)
{
    const weft_topology *topology = &network->topology;
    if (!weft_forwarding_has_lft(topology))
        return WEFT_OK;
    weft_flows job;
    WEFT_TRY(weft_flows_open(&job, topology, &network->traffic_classes[0].traffic.pattern, err));
    weft_text_add(text, "\n# forwarding tables\n%-22s %u\n", "hosts", job.n_hosts);
    uint64_t square = (uint64_t)job.n_hosts * job.n_hosts;
    if (job.n_hosts > 1 && (thorough || square <= STEPS)) {
        weft_flows_pairs pairs = weft_flows_all_pairs(&job);
        add_lengths(text, &pairs);
        add_worst(text, &job, &pairs);
        free(pairs.flows);
    } else if (job.n_hosts > 1) {
        weft_text_add(text, "%-22s not looked at: %u × %u pairs; --thorough does\n", "all pairs",
                      job.n_hosts, job.n_hosts);
    }
    if (job.n_hosts > 1) {
        add_shifts(text, &job,
                   thorough || square <= STEPS ? job.n_hosts : (uint32_t)(STEPS / job.n_hosts));
        add_bisection(text, &job, network->seed);
    }
    add_unlike(text, topology);
    weft_flows_close(&job);
    return WEFT_OK;
}
