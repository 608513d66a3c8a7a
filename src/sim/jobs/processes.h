/* SPDX-License-Identifier: Apache-2.0 */
/* Processes of message-passing programs (MPI ranks) at the endpoints of a site: program/ranks.h on
 * the simulated network. A message that has been delivered reaches its rank in the same tick, after
 * all events of the tick and before routers decide about what it sends: a rank's decisions depend
 * on what has arrived up to this tick, and on nothing else. */
#ifndef WEFT_SIM_PROCESSES_H
#define WEFT_SIM_PROCESSES_H

#include "base/pack.h"
#include "sim/site.h"

/* Takes and frees site->processes, if the network has jobs. */
void weft_processes_open(weft_site *site);
void weft_processes_close(weft_site *site);
/* Bytes of all jobs before they run, on all processes; 0 without jobs. */
double weft_processes_estimate(const weft_network *network);
/* Bytes held now. */
int64_t weft_processes_bytes(const weft_site *site);
/* Schedules the first tick of ranks, from `now` on, also after a load. */
void weft_processes_start(weft_site *site, weft_block *block, weft_time now);

/* A message of a program has been delivered completely; packet: one of its packets. */
void weft_processes_arrive(weft_site *site, uint32_t router, const weft_event *packet, uint64_t age,
                           weft_time now);
/* Runs the ranks that have something to do in this tick. Sources listed now have a message that
 * they had not before: sources[0 … returned − 1]. */
uint32_t weft_processes_tick(weft_site *site, weft_block *block, weft_time now,
                             const uint32_t **sources);
/* A source's message has been taken: its cursor moves to the next one that waits, if any. */
void weft_processes_next(weft_site *site, uint32_t source);

/* How long messages of one size class took from when they were handed to the network. */
typedef struct weft_process_times {
    int64_t count, sum; /* ticks */
    weft_histogram bins;
} weft_process_times;
/* By job × WEFT_SIZE_CLASSES: adds those of messages that came here. */
void weft_processes_flows(const weft_site *site, weft_process_times *flows);

/* True if this traffic class is that of the programs. */
static inline bool weft_processes_send(const weft_site *site, uint32_t traffic_class)
{
    return site->processes && traffic_class + 1 == site->platform->network->n_traffic_classes;
}

/* Messages that wait for their endpoint's link. */
int64_t weft_processes_waiting(const weft_site *site);
/* Ranks that have not finished, of jobs that are not in the background; of each job: added to
 * left[job]. */
int64_t weft_processes_left(const weft_site *site);
void weft_processes_left_of(const weft_site *site, int64_t *left);
/* The ranks of a job begin at tick `at`; said at tick `now`, while no window runs. */
void weft_processes_begin(weft_site *site, uint32_t job, weft_time at, weft_time now);
/* True if no rank of a job that is not in the background will do anything before a message
 * arrives. */
bool weft_processes_idle(const weft_site *site);
/* Beside jobs in the background: messages that other jobs have handed over here less those that
 * have arrived here. */
int64_t weft_processes_under_way(const weft_site *site);
/* Writes into arrays by the number of a rank among those of all jobs: the tick at which it has
 * finished; that at which it was half way, if only some of its steps are run; the repetitions that
 * it has finished; the operation at which it waits, + 1. */
void weft_processes_finish(const weft_site *site, int64_t *finish);
void weft_processes_half(const weft_site *site, int64_t *half);
void weft_processes_repetitions(const weft_site *site, int64_t *repetitions);
void weft_processes_waits(const weft_site *site, int64_t *waits);
/* Of the operation at which a rank of a stored program waits: peer, size × 4 + kind, tag. */
void weft_processes_wait_peers(const weft_site *site, int64_t *peers);
void weft_processes_wait_sizes(const weft_site *site, int64_t *sizes);
void weft_processes_wait_tags(const weft_site *site, int64_t *tags);

/* By job × WEFT_SPENT_KINDS: adds what the CPUs of its ranks have spent. By job and step: raises to
 * the tick at which the last rank here ended it. */
void weft_processes_spent(const weft_site *site, int64_t *spent);
void weft_processes_steps(const weft_site *site, int64_t *ends);

/* The ranks of one router's endpoints, written and read. */
void weft_processes_save(const weft_site *site, uint32_t router, weft_pack *pack);
void weft_processes_load(weft_site *site, uint32_t router, weft_time now, weft_unpack *from);

#endif
