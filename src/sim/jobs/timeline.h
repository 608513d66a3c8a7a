/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline of ranks (measure.timeline): what each did and when, brought to rank 0 at the
 * end. */
#ifndef WEFT_SIM_TIMELINE_H
#define WEFT_SIM_TIMELINE_H

#include "sim/jobs/processes_state.h"
#include "sim/run.h"

/* Begins the log of a set, if the scenario asks for one. */
void weft_timeline_open(const weft_network *network, const weft_job *job, weft_process_set *set);
/* Bytes of logs, and of what is made of them at the end; on all processes. */
double weft_timeline_estimate(const weft_network *network);
/* A message has come to a rank, in this tick. */
void weft_timeline_arrival(weft_ranks *ranks, uint32_t local, weft_ranks_message message);
/* True if every operation is kept, but for jobs in the background: asked for, and within the
 * limit. */
bool weft_timeline_lists_operations(const weft_network *network);
/* The bytes of all processes one after the other on rank 0, elsewhere NULL; of a single process its
 * own. */
void *weft_timeline_gather(const weft_simulation *simulation, const weft_pack *pack, size_t *bytes);
/* Fills simulation->timeline on rank 0; all processes together. */
void weft_timeline_collect(weft_simulation *simulation);

#endif
