/* SPDX-License-Identifier: Apache-2.0 */
/* The bare limit of the machine: the least code that does the same kind of work. Rates of Interweft
 * are compared with these, measured in the same program on the same machine. */
#ifndef WEFT_BENCH_BARE_H
#define WEFT_BENCH_BARE_H

#include <stdint.h>

/* A torus of `dims` ≤ 4 dimensions of 2^bits routers each, dimension order, uniform Poisson traffic
 * at link utilisation rho, exponential packets of 64 flits: one event per hop. Runs until so many
 * packets have arrived; returns their hops. */
uint64_t weft_bare_torus(unsigned dims, unsigned bits, double rho, uint64_t packets);

/* The hold model: every event becomes an event for a random entity, 10 + Exp(90) ticks later.
 * Runs until so many events are done; returns how many were. */
uint64_t weft_bare_hold(uint32_t entities, uint64_t events);

#endif
