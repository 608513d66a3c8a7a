/* SPDX-License-Identifier: Apache-2.0 */
/* A single-server queue on the kernel, as analytic models know it: endpoints of one router send
 * to it, a packet waits, is served and has arrived. Services have a mean and a squared
 * coefficient of variation (generalised exponential: none at all with some probability, else
 * exponential), whatever a packet's length.
 *
 * From threshold T_i on (packets held, with that in service) the server works at rate i + 1 of
 * the list. Four meanings: the rate *follows* the number of packets at once; or a service is
 * *frozen* at the rate it began with; or a VC that has reached a threshold takes an idle VC of the
 * router, and waits if none is idle: it *shares* it, until it is below the threshold again, or
 * *borrows* it, until its packets are gone. Some VCs may have no traffic of their own: only they
 * are taken then. docs/theory/simulated-queues.md has the details. */
#ifndef WEFT_SIM_ROUTER_QUEUE_QUEUE_H
#define WEFT_SIM_ROUTER_QUEUE_QUEUE_H

#include "sim/router.h"
#include "sim/router/common/wait_queue.h"

#define WEFT_QUEUE_VCS_MAX 16
#define WEFT_QUEUE_LONGEST ((weft_time)1 << 39) /* ticks of a service; beyond it, it is cut */

enum { WEFT_QUEUE_FOLLOW, WEFT_QUEUE_FROZEN, WEFT_QUEUE_BORROW, WEFT_QUEUE_SHARE };

typedef struct weft_queue_settings {
    weft_duration service;
    double scv;
    int64_t capacity, vcs, shared;
    weft_ints thresholds;
    weft_reals rates;
    int semantics;
} weft_queue_settings;

typedef struct weft_queue_vc { /* a queue with its server; the first packet is the one served */
    double left, speed;        /* work left at `since`, ticks at the first rate; rate of work */
    weft_time since, end;      /* end: of this service */
    weft_time counted;         /* its time at work is in the tally up to here */
    uint64_t asked; /* its number in the order of requests for an idle VC; 0: no request */
    weft_wait_queue wait_queue;
    uint32_t serving;
    uint32_t borrowed; /* VCs it has taken */
    uint32_t lent;     /* 1 + the VC that has taken this one; 0: none */
} weft_queue_vc;

typedef struct weft_queue { /* one block */
    weft_queue_vc *vcs;     /* router × VCs */
    uint64_t *sequence;     /* per router: VCs that have asked so far */
    double service, scv;    /* ticks */
    uint32_t capacity, n_vcs;
    uint32_t n_shared; /* the last ones, without traffic of their own; 0: any idle VC is taken */
    int semantics;
    bool takes;       /* VCs take others beyond thresholds */
    uint32_t regions; /* thresholds */
    uint32_t threshold[WEFT_INTS_MAX];
    double speed[WEFT_INTS_MAX + 1]; /* relative to the first rate */
} weft_queue;

/* Number of thresholds that `held` packets have reached. */
static inline uint32_t weft_queue_level(const weft_queue *q, uint32_t held)
{
    uint32_t level = 0;
    while (level < q->regions && held >= q->threshold[level])
        level++;
    return level;
}

void weft_queue_put(weft_queue_vc *vc, const weft_event *packet);
/* The packet being served. */
static inline const weft_waiter *weft_queue_first(const weft_queue_vc *vc)
{
    return &vc->wait_queue.at[vc->wait_queue.first];
}
void weft_queue_wake(weft_block *block, uint32_t router, uint32_t vc, weft_time at);

/* Functions of the router kind. */
extern const weft_param weft_queue_params[];
weft_status weft_queue_check(const weft_platform *platform, weft_error *err);
weft_time weft_queue_lookahead(const weft_platform *platform);
int64_t weft_queue_bytes(const weft_platform *platform);
double weft_queue_zero_load(const weft_platform *platform, const weft_mean_path *path, double flits,
                            double packet);
uint32_t weft_queue_servers(const weft_platform *platform);
int64_t weft_queue_link_busy(const weft_site *site, uint32_t router, uint32_t port, weft_time now);
void weft_queue_open(weft_site *site);
void weft_queue_close(weft_site *site);
void weft_queue_rest(void *site, weft_time now);
int64_t weft_queue_held(const weft_site *site);
int64_t weft_queue_stored(const weft_site *site);
void weft_queue_save(const weft_site *site, uint32_t router, weft_pack *pack);
void weft_queue_load(weft_site *site, uint32_t router, weft_time now, weft_unpack *from);
void weft_queue_start(weft_site *site, weft_block *block, weft_time now);

#endif
