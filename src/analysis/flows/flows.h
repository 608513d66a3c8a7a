/* SPDX-License-Identifier: Apache-2.0 */
/* The hosts of a job on the forwarding tables of their fabric, and what the links carry for them. A
 * flow goes from one host to another; links between switches are counted, those of hosts are not.
 * The load of a link is its flows by what a host can send: a link of half a host's rate has twice
 * the load.
 *
 * Parts of the fabric can be gone: the tables stay as they are, and a flow whose path leads over
 * what is gone is lost and loads no link.
 *
 * In a shift every host sends to the one so many places behind it in the order of names, as the
 * steps of most collective operations do. In a pairing half of the hosts, drawn, send to the other
 * half; a flow gets the reciprocal of the load of the worst link of its path, and the mean of that
 * over flows and pairings is the effective bisection bandwidth (Hoefler, Schneider, Lumsdaine
 * 2008). */
#ifndef WEFT_ANALYSIS_FLOWS_FLOWS_H
#define WEFT_ANALYSIS_FLOWS_FLOWS_H

#include "interweft/traffic.h"
#include "net/parts.h"
#include "net/routing/common/forwarding.h"

#define WEFT_FLOWS_HOPS 64 /* longer paths are counted together */

typedef struct weft_flows {
    const weft_topology *topology;
    const weft_parts *parts;
    weft_forwarding tables;
    uint32_t each;      /* endpoints of a router, as tables number them */
    uint32_t *next;     /* [router × ports + port]: the router behind it */
    double *weight;     /* [the same]: the rate of a host ÷ that of the link */
    uint32_t *hosts;    /* endpoints, in the order of their names … */
    const char **names; /* … and these */
    uint32_t n_hosts;
    bool cut;       /* flows may be lost */
    size_t n_links; /* places of links: router × ports + port */
} weft_flows;

typedef struct weft_flows_pairs {          /* all ordered pairs of hosts */
    uint64_t *flows;                       /* [place of a link] */
    uint64_t lengths[WEFT_FLOWS_HOPS + 1]; /* pairs by hops between switches */
    uint64_t lost;                         /* pairs whose flow does not arrive */
} weft_flows_pairs;

typedef struct weft_flows_shifts {
    uint32_t looked_at; /* shifts, evenly spaced */
    uint32_t free;      /* of these, with a load of 1 on every link at most, and nothing lost */
    double mean, most;  /* load of the worst link of a shift */
    uint32_t worst;     /* the first shift that has the most */
} weft_flows_shifts;

typedef struct weft_flows_bisection {
    uint32_t pairings;
    double mean, error; /* of the share of its rate that a flow gets (0: it is lost); its standard
                           error */
} weft_flows_bisection;

/* The hosts that may send by this pattern, by the LFTs of their fabric, as far as it is there. */
WEFT_MUST_USE weft_status weft_flows_open(weft_flows *job, const weft_parts *parts,
                                          const weft_pattern *pattern, weft_error *err);
void weft_flows_close(weft_flows *job);

/* The output port of a router for what goes from one endpoint to another. */
static inline uint32_t weft_flows_port(const weft_flows *job, uint32_t router, uint32_t from,
                                       uint32_t to)
{
    return job->tables
        .port[(size_t)router * job->tables.width + weft_forwarding_column(&job->tables, from, to)];
}
/* Does the flow between two endpoints arrive? */
bool weft_flows_arrives(const weft_flows *job, uint32_t from, uint32_t to);
/* The load of a link with so many flows. */
static inline double weft_flows_load(const weft_flows *job, size_t link, double flows)
{
    return flows * job->weight[link];
}

/* flows is malloc'ed. */
weft_flows_pairs weft_flows_all_pairs(const weft_flows *job);
/* At most so many shifts. */
weft_flows_shifts weft_flows_all_shifts(const weft_flows *job, uint32_t most);
weft_flows_bisection weft_flows_bisect(const weft_flows *job, uint64_t seed, uint32_t pairings);

#endif
