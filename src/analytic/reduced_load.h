/* SPDX-License-Identifier: Apache-2.0 */
/* The blocking of connections in a network by the Erlang fixed point (reduced load approximation,
 * F. P. Kelly, Advances in Applied Probability 18, 1986): every link refuses on its own, by the
 * recursion of Kaufman and Roberts, and is offered what the other links of a path let through. An
 * approximation, but for a single link. */
#ifndef WEFT_ANALYTIC_REDUCED_LOAD_H
#define WEFT_ANALYTIC_REDUCED_LOAD_H

#include "analytic/kaufman_roberts.h"
#include "analytic/link_paths.h"

typedef struct weft_reduced_load {
    const weft_link_paths *paths;
    uint32_t classes;
    const weft_offered_class *offered; /* by all endpoints together, to uniform destinations */
    int64_t room, host_room;           /* what can be reserved of a link, and of an endpoint's */
    int64_t spare;                     /* what is never reserved of a link */
} weft_reduced_load;

typedef struct weft_reduced_answer {
    double *blocking;  /* of each class; the caller's */
    double mean, most; /* utilisation of the links that are used: their mean, the greatest */
    double links;      /* of a path, mean */
    uint32_t iterations;
    bool converged;
    bool sampled; /* there are more paths than were looked at */
} weft_reduced_answer;

void weft_reduced_load_solve(const weft_reduced_load *network, weft_reduced_answer *answer);

#endif
