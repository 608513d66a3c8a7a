/* SPDX-License-Identifier: Apache-2.0 */
/* A program on hosts alone: LogGOPS (Hoefler, Schneider and Lumsdaine, 2010) with causal rules,
 * over a network in which only links of hosts are shared. Times are ticks.
 *
 * calc d    takes its CPU for d
 * send s    takes its CPU for o + (s − 1)·O and the sending side of its NIC for g + (s − 1)·G; the
 *           first byte is at the receiver o + L later. Above `eager` bytes a request of one byte
 *           goes first, and the data follow the answer; this takes no CPU
 * recv      is posted as soon as it may be, and takes its CPU for o + (s − 1)·max(0, O − G) once
 *           the last byte is there
 * CPU       takes whatever has been ready longest; at equal ticks receives first, by source and
 *           number, then operations in the order of the file. A send whose NIC is busy lets others
 *           pass
 * receiver  its link takes messages in the order of their first bytes, each for g + (s − 1)·G */
#ifndef WEFT_PROGRAM_REPLAY_H
#define WEFT_PROGRAM_REPLAY_H

#include "interweft/program.h"
#include "program/program.h"

/* Where a replay differs from one pass over a network that is the same for all pairs. */
typedef struct weft_replay_plan {
    uint64_t flit;    /* bytes: costs.per_byte is for each of these */
    uint64_t calc;    /* ticks of a unit of calc */
    uint32_t repeats; /* of the program */
    /* A receiving link is busy with the flits alone, as those of a simulated network: g is between
     * sends only. */
    bool free_receivers;
    /* Latency of the first flit between two ranks; NULL: costs.latency. */
    uint64_t (*latency)(void *user, uint32_t from, uint32_t to);
    void *user;
} weft_replay_plan;

/* As weft_replay. */
WEFT_MUST_USE weft_status weft_replay_planned(const weft_program *program,
                                              const weft_host_costs *costs,
                                              const weft_replay_plan *plan,
                                              const weft_replay_observer *observer,
                                              uint64_t *finish, weft_error *err);
/* Fills finish[rank]: the tick in which its last operation is over. WEFT_BROKEN, with the ranks
 * that wait for each other, if the program cannot end. */
WEFT_MUST_USE weft_status weft_replay(const weft_program *program, const weft_host_costs *costs,
                                      const weft_replay_observer *observer, uint64_t *finish,
                                      weft_error *err);

#endif
