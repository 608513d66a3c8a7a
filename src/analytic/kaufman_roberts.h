/* SPDX-License-Identifier: Apache-2.0 */
/* The reserved bandwidth of a link that connections of several classes come to, by the recursion of
 * J. S. Kaufman (IEEE Transactions on Communications 29, 1981) and J. W. Roberts (1981). Classes
 * come as Poisson processes, whatever their holding times; one class of bandwidth 1 is Erlang B. */
#ifndef WEFT_ANALYTIC_KAUFMAN_ROBERTS_H
#define WEFT_ANALYTIC_KAUFMAN_ROBERTS_H

#include <stdint.h>

typedef struct weft_offered_class {
    int64_t bandwidth; /* of a connection */
    double load;       /* connections that would be there if none were refused */
} weft_offered_class;

/* The probabilities of 0 … room units reserved, in q[0 … room]. */
void weft_kaufman_roberts(const weft_offered_class *classes, uint32_t count, int64_t room,
                          double *q);
/* The probability that less than `bandwidth` is left. */
double weft_kaufman_roberts_blocking(const double *q, int64_t room, int64_t bandwidth);
/* That it is left; also where that is next to nothing, and 1 − blocking has no digits. */
double weft_kaufman_roberts_passing(const double *q, int64_t room, int64_t bandwidth);

#endif
