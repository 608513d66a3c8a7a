/* SPDX-License-Identifier: Apache-2.0 */
/* The hosts of a job on the forwarding tables of a job, and what the links carry for them. A
 * flow goes from one host to another; links between switches are counted, those of hosts are not.
 *
 * In a shift every host sends to the one so many places behind it in the order of names, as the
 * steps of most collective operations do. In a pairing half of the hosts, drawn, send to the other
 * half; a flow gets the reciprocal of the flows on the worst link of its path, and the mean of that
 * over flows and pairings is the effective bisection bandwidth (Hoefler, Schneider, Lumsdaine
 * 2008). */
#ifndef WEFT_ANALYSIS_FLOWS_FLOWS_H
#define WEFT_ANALYSIS_FLOWS_FLOWS_H

#include "interweft/traffic.h"
#include "net/routing/common/forwarding.h"

#define WEFT_FLOWS_HOPS 64 /* longer paths are counted together */

typedef struct weft_flows {
    const weft_topology *topology;
    weft_forwarding tables;
    uint32_t *next;  /* [router × ports + port]: the router behind it */
    uint32_t *hosts; /* endpoints, in the order of their names */
    uint32_t n_hosts;
    size_t n_links; /* places of links: router × ports + port */
} weft_flows;

typedef struct weft_flows_pairs {          /* all ordered pairs of hosts */
    uint64_t *flows;                       /* [place of a link] */
    uint64_t lengths[WEFT_FLOWS_HOPS + 1]; /* pairs by hops between switches */
} weft_flows_pairs;

typedef struct weft_flows_shifts {
    uint32_t looked_at;   /* shifts, evenly spaced */
    uint32_t free;        /* of these, with one flow on every link at most */
    double mean;          /* flows on the worst link of a shift */
    uint32_t most, worst; /* the most of them, and the first shift that has them */
} weft_flows_shifts;

typedef struct weft_flows_bisection {
    uint32_t pairings;
    double mean, error; /* of the share of its rate that a flow gets; its standard error */
} weft_flows_bisection;

/* The hosts that may send by this pattern, by the LFTs of their job. */
WEFT_MUST_USE weft_status weft_flows_open(weft_flows *job, const weft_topology *topology,
                                          const weft_pattern *pattern, weft_error *err);
void weft_flows_close(weft_flows *job);

/* flows is malloc'ed. */
weft_flows_pairs weft_flows_all_pairs(const weft_flows *job);
/* At most so many shifts. */
weft_flows_shifts weft_flows_all_shifts(const weft_flows *job, uint32_t most);
weft_flows_bisection weft_flows_bisect(const weft_flows *job, uint64_t seed, uint32_t pairings);

#endif
