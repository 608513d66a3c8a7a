/* SPDX-License-Identifier: Apache-2.0 */
/* Which process has which endpoints, known before a network is built on it. */
#ifndef WEFT_SIM_OWNERSHIP_H
#define WEFT_SIM_OWNERSHIP_H

#include "net/jobs/job_programs.h"

/* Blocks of a network on so many processes; wanted 0: as many as suit it. */
uint32_t weft_ownership_blocks(const weft_topology *topology, uint32_t ranks, uint32_t threads,
                               uint32_t wanted);
/* weft_job_part.find */
void weft_ownership_find(const weft_job_part *part, const weft_topology *topology, bool *own);

#endif
