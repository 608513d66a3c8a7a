/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of the time that a job takes, without a simulation. */
#ifndef WEFT_SIM_JOBS_IDEAL_H
#define WEFT_SIM_JOBS_IDEAL_H

#include "net/network.h"

typedef struct weft_ideal {
    /* On its hosts over a network in which messages take the time that they take alone and share
     * only the links of hosts (LogGP with the latency of every pair); 0: not known. */
    double ticks;
    bool drawn; /* latencies are those of routes that were drawn */
    /* Until the busiest link has carried all of its messages; 0: not known, or routes adapt. */
    double channel;
    /* Of a collective, rounds · α + bytes · β (program/collective.h) with the least latency of its
     * messages; 0: it has no such form. */
    double form;
} weft_ideal;

/* Mean ticks of the messages of each size class, each alone in the network; 0: not known. */
void weft_ideal_messages(const weft_network *network, uint32_t job,
                         double ticks[WEFT_SIZE_CLASSES]);
/* Its closed form alone, likewise. */
double weft_ideal_form(const weft_network *network, uint32_t job);
weft_ideal weft_ideal_find(const weft_network *network, uint32_t job);

#endif
