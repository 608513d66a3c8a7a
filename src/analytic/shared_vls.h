/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of traffic at a port: each has a normal VL with its server, and takes a shared VL at
 * every threshold it reaches. A shared VL adds its room and changes the rate of the class.
 *
 * A class that finds no shared VL idle waits for one and loses what it has no room for. A shared
 * VL serves one class until that gives it back: below the threshold, or, with `keep`, when the
 * packets of the class are gone. Of several classes that wait the first in the list is given
 * the next VL. Arrivals and services are generalised exponential as in analytic/ge_queue.h.
 *
 * The state is (packets, shared VLs) of every class; the chain of the states that can be reached
 * is solved exactly. */
#ifndef WEFT_ANALYTIC_SHARED_VLS_H
#define WEFT_ANALYTIC_SHARED_VLS_H

#include "interweft/status.h"

#include <stdbool.h>
#include <stdint.h>

#define WEFT_SHARED_CLASSES_MAX    4
#define WEFT_SHARED_THRESHOLDS_MAX 7
#define WEFT_SHARED_ROOM_MAX       255 /* packets of a class, in all VLs it can have */

typedef struct weft_shared_vls {
    uint32_t classes, shared, thresholds;
    uint32_t room; /* packets of one VL */
    bool keep;
    double lambda[WEFT_SHARED_CLASSES_MAX], ca2[WEFT_SHARED_CLASSES_MAX], cs2;
    double mu[WEFT_SHARED_THRESHOLDS_MAX + 1]; /* by the number of shared VLs */
    uint32_t threshold[WEFT_SHARED_THRESHOLDS_MAX];
} weft_shared_vls;

typedef struct weft_shared_class {
    double packets;     /* mean number */
    double utilisation; /* P(not empty) */
    double loss;        /* fraction of arrivals */
    double served;      /* packets per unit of time */
    double waits;       /* P(it has reached a threshold and has no VL for it) */
    double holds;       /* mean number of shared VLs */
} weft_shared_class;

/* Fails if there are too many states. `states` is set to their number. */
WEFT_MUST_USE weft_status weft_shared_vls_solve(const weft_shared_vls *port,
                                                weft_shared_class *found, uint32_t *states,
                                                weft_error *err);

#endif
