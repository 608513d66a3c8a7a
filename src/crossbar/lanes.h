/* SPDX-License-Identifier: Apache-2.0 */
/* Many switches at once: lane k is bit k of every word. One slot of a switch is a circuit of and,
 * or, not and exclusive or; on words it computes 64 switches, on vector registers 256 or 512. Every
 * lane stops as soon as its state recurs, and takes the next matrix.
 *
 * Only for schedulers with a pointer rule, a queue per output and periodic inputs of one common
 * period. Results equal those of weft_xbar_steady_run, to the last cell. */
#ifndef WEFT_CROSSBAR_LANES_H
#define WEFT_CROSSBAR_LANES_H

#include "crossbar/steady.h"

#define WEFT_LANES_SIDE   16  /* inputs and outputs, at most */
#define WEFT_LANES_PERIOD 512 /* slots, at most */
#define WEFT_LANES_CAP    ((uint64_t)1 << 24)

/* Number of switches computed at once. */
typedef enum weft_xbar_width {
    WEFT_WIDTH_BEST = 0,  /* the best of this processor */
    WEFT_WIDTH_64 = 64,   /* plain words */
    WEFT_WIDTH_256 = 256, /* AVX2 */
    WEFT_WIDTH_512 = 512  /* AVX-512 */
} weft_xbar_width;

typedef struct weft_xbar_lanes_job {
    uint32_t n, period;
    weft_pointer_rule rule;
    weft_xbar_steady_options steady; /* not WEFT_STOP_PAPER; a cap of at most WEFT_LANES_CAP */
    /* The next input, period × n outputs as in weft_xbar_arrivals, valid until the next call;
     * NULL: there is none. *id is passed to done with its result. */
    const weft_xbar_target *(*next)(void *user, uint64_t *id);
    /* Takes the throughput of one input; not in the order of next. */
    void (*done)(void *user, uint64_t id, const weft_xbar_steady *steady);
    void *user;
} weft_xbar_lanes_job;

/* True if lanes support this scheduler, period and stop rule. */
bool weft_xbar_lanes_suit(const weft_scheduler *scheduler, uint32_t period,
                          const weft_xbar_steady_options *steady);
/* True if this processor supports the width. */
bool weft_xbar_lanes_have(weft_xbar_width width);
/* Runs until next returns NULL. */
void weft_xbar_lanes_run(const weft_xbar_lanes_job *job, weft_xbar_width width);

/* The widths, each in its own file. */
void weft_xbar_lanes_run_64(const weft_xbar_lanes_job *job);
void weft_xbar_lanes_run_256(const weft_xbar_lanes_job *job);
void weft_xbar_lanes_run_512(const weft_xbar_lanes_job *job);

#endif
