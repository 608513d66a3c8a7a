/* SPDX-License-Identifier: Apache-2.0 */
/* A router with one queue for all packets, store-and-forward. docs/theory/ts.md defines
 * it.
 *
 * Outputs are the ports to other routers and, with reception ports, one to each endpoint. While
 * packets wait at a router, a wake-up lies in the wheel for the first tick in which an output they
 * wait for becomes free. Wake-ups only make sure that the router is looked at; they are derived and
 * not in checkpoints. Where no packet waits, a hop is one event.
 *
 * In one tick, outputs that become free come first by default, then arrivals, then generations.
 * With order: event-list all three come by precedence (sim/precedence.h). An event's turn is its
 * precedence above 6 bits: of an output, the starts before its own in the tick it started; of a
 * packet that enters, all ones, so an output of the same precedence is free for it. An arriving
 * packet has its precedence in the key of its event, in the place of port, class, endpoint and
 * cut-throughs.
 *
 * Shared by the files of the kind; otherwise only study/ts needs it. */
#ifndef WEFT_SIM_ROUTER_SHARED_QUEUE_SHARED_QUEUE_H
#define WEFT_SIM_ROUTER_SHARED_QUEUE_SHARED_QUEUE_H

#include "net/topology/common/lattice.h"
#include "sim/precedence.h"
#include "sim/router.h"
#include "sim/router/common/wait_queue.h"

#define WEFT_SQ_OUTPUTS_MAX 64

enum { WEFT_SQ_DROP, WEFT_SQ_WAIT };                /* a packet that finds no room */
enum { WEFT_SQ_SUITABLE, WEFT_SQ_CHOSEN };          /* packets that may take a free output */
enum { WEFT_SQ_WAITING, WEFT_SQ_ALL };              /* packets that count towards the room */
enum { WEFT_SQ_RELEASE_FIRST, WEFT_SQ_EVENT_LIST }; /* order of simultaneous events */

typedef struct weft_sq_settings {
    weft_ints queue;
    int holds, full, extraction, order;
    weft_duration credit;
} weft_sq_settings;

#define WEFT_SQ_NEVER INT64_MAX

enum { /* turns in a tick and keys of arriving packets, with order: event-list */
       WEFT_SQ_TURN_BITS = 6,
       WEFT_SQ_TURN_LAST = (1 << WEFT_SQ_TURN_BITS) - 1,
       WEFT_SQ_KEY_SHIFT = 3,
};

/* Of outputs and the ticks in which they become free, the least comes first. What happens at an
 * output cannot be foreseen, so it is computed without branches. */
typedef uint64_t weft_sq_end;
#define WEFT_SQ_END_BITS 6 /* of an output */
#define WEFT_SQ_NO_END   UINT64_MAX
_Static_assert(1 << WEFT_SQ_END_BITS == WEFT_SQ_OUTPUTS_MAX, "an output has so many bits");

/* counts: else it comes last. */
static inline weft_sq_end weft_sq_end_of(weft_time free, uint32_t output, bool counts)
{
    return ((uint64_t)free << WEFT_SQ_END_BITS | output) | ((uint64_t)counts - 1);
}

static inline weft_sq_end weft_sq_sooner(weft_sq_end a, weft_sq_end b)
{
    return a < b ? a : b;
}

static inline weft_time weft_sq_end_tick(weft_sq_end end)
{
    return (weft_time)(end >> WEFT_SQ_END_BITS);
}

static inline uint32_t weft_sq_end_output(weft_sq_end end)
{
    return end & (WEFT_SQ_OUTPUTS_MAX - 1);
}

typedef struct weft_sq_choice { /* the outputs that may take a packet */
    unsigned n_ways;
    bool idle;         /* one of them is */
    weft_sq_end first; /* of those that become free later, the first */
    uint64_t outputs;  /* all, a bit each */
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
} weft_sq_choice;

typedef struct weft_sq_output {
    weft_time free; /* first tick at which it can start a packet */
    int64_t busy;   /* ticks handed to it so far */
    uint32_t order; /* number of its last packet at the router; or the turn of its end */
    uint32_t from;  /* no packet before this place in the queue waits for it */
} weft_sq_output;

typedef struct weft_sq_node {   /* one router */
    weft_time next;             /* first tick in which an output that is waited for becomes free */
    uint64_t armed;             /* outputs for whose end a wake-up lies in the wheel, a bit each */
    weft_wait_queue wait_queue; /* packets that wait */
    uint32_t sent;              /* packets so far, mod 2^32 */
    uint32_t room;              /* packets it may hold */
    uint32_t credits;           /* room left in the next router of a chain */
    uint32_t stalled;           /* its link is wanted and free, but has no credits … */
    weft_time since;            /* … from here on */
    weft_sq_output output[];
} weft_sq_node;

typedef struct weft_sq_birth { /* with order: event-list, of one router */
    weft_time at;              /* of the last packet generated */
    weft_precedence precedence;
    uint32_t salt; /* of the router, always */
} weft_sq_birth;

typedef struct weft_sq_meter { /* one output, where devices are counted */
    int64_t sent, stalled;
} weft_sq_meter;

typedef struct weft_sq {  /* one block */
    char *nodes;          /* records of the routers … */
    size_t stride;        /* … so many bytes apart */
    weft_sq_meter *meter; /* router × outputs; NULL: devices are not counted */
    int64_t *came;        /* per router, with meters: Σ ticks of packets that came … */
    int64_t *left;        /* … and of the ends of those that were started */
    weft_sq_birth *birth; /* per router; NULL: outputs that become free come first */
    uint32_t turn;        /* of the event in hand; by default after that of any output */
    uint32_t starts;      /* of the router in hand in this tick */
    weft_precedence_scale scale;
    uint32_t ports, outputs, hosts;
    const weft_lattice_self *lattice;   /* NULL: ways are asked for */
    uint32_t *next;                     /* weft_partition_table, or NULL */
    uint8_t shift[WEFT_SQ_OUTPUTS_MAX]; /* there: of a port's dimension in the route header */
    bool suitable, counts_all, chain;
    bool draws[WEFT_CLASSES_MAX];  /* lengths, anew at every hop */
    bool ranked[WEFT_CLASSES_MAX]; /* its routing ranks the minimal ports of the route header … */
    bool every[WEFT_CLASSES_MAX];  /* … and all of them may take a packet that waits */
    bool single[WEFT_CLASSES_MAX]; /* its routing takes its favourite only, free or not */
    bool sorts[WEFT_CLASSES_MAX];  /* its selection does not keep the topology's order … */
    bool random[WEFT_CLASSES_MAX]; /* … and draws */
    weft_time period[WEFT_SQ_OUTPUTS_MAX], wire[WEFT_SQ_OUTPUTS_MAX];
    weft_time credit;
    uint32_t up, down; /* ports of a chain, away from its first router and back */
} weft_sq;

static inline weft_sq_node *weft_sq_at(const weft_sq *q, uint32_t router)
{
    return (weft_sq_node *)(void *)(q->nodes + router * q->stride);
}

/* A wake-up when the output becomes free. */
void weft_sq_alarm(const weft_sq *q, weft_block *block, uint32_t router, uint32_t output);
/* The same, if the router is not woken before. */
static inline void weft_sq_wake(const weft_sq *q, weft_block *block, uint32_t router,
                                uint32_t output)
{
    const weft_sq_node *node = weft_sq_at(q, router);
    if (node->output[output].free < node->next)
        weft_sq_alarm(q, block, router, output);
}

/* Wakes the router when the first output that a packet waits for becomes free, after this tick. */
void weft_sq_watch(const weft_sq *q, weft_block *block, uint32_t router, weft_time after);

/* All minimal ways of a packet that has not arrived; id: the router's number in the network. */
static inline unsigned weft_sq_every(const weft_sq *q, const weft_topology *topology, uint32_t id,
                                     uint32_t route, weft_minimal_port *ways)
{
    if (!q->lattice)
        return topology->kind->minimal_ports(topology, id, route, WEFT_MINIMAL_PORTS_MAX, ways);
    unsigned count = 0;
    for (uint32_t rest = route; rest; count++) {
        const weft_lattice_field *field = &q->lattice->field[__builtin_ctz(rest)];
        ways[count] = weft_lattice_way(field, route);
        rest &= ~field->all;
    }
    return count;
}

/* Outputs that may take a packet, as the kind queues it. A route of 0: the endpoint's own. */
void weft_sq_ways(const weft_site *site, uint32_t router, const weft_event *packet,
                  weft_sq_choice *all);
/* Appends a packet that waits for these outputs to the queue. */
void weft_sq_put(const weft_site *site, uint32_t router, const weft_event *packet,
                 uint64_t outputs);
/* The packet at a place in a router's queue; false: it has gone. */
bool weft_sq_look(const weft_site *site, uint32_t router, uint32_t place, weft_event *packet);
/* One past the last place. */
uint32_t weft_sq_places(const weft_site *site, uint32_t router);
/* Packets an output has sent to its end by `now`, if all take `ticks`; only if links are
 * counted. */
int64_t weft_sq_done(const weft_site *site, uint32_t router, uint32_t output, weft_time ticks,
                     weft_time now);
/* The way by one of them. */
weft_minimal_port weft_sq_pick(const weft_site *site, uint32_t router, const weft_event *packet,
                               uint32_t output);
static inline weft_minimal_port weft_sq_way(const weft_site *site, uint32_t router,
                                            const weft_event *packet, uint32_t output)
{
    const weft_sq *q = site->state;
    return q->lattice && output < q->ports && q->ranked[weft_packet_traffic_class(packet)]
               ? weft_lattice_way(&q->lattice->field[q->shift[output]], weft_packet_header(packet))
               : weft_sq_pick(site, router, packet, output);
}
/* With order: event-list: the turn of a router's next generation, if that is at tick `at`. */
uint32_t weft_sq_generation_turn(const weft_site *site, uint32_t router, weft_time at);
/* Packets of a router being sent at `now`. */
uint32_t weft_sq_sending(const weft_sq *q, uint32_t router, weft_time now);

/* The events of a tick with order: event-list. */
void weft_sq_tick_listed(weft_site *site, weft_block *block, const weft_batch *batch);

/* Functions of the router kind. */
extern const weft_param weft_sq_params[];
weft_status weft_sq_check(const weft_platform *platform, weft_error *err);
weft_time weft_sq_lookahead(const weft_platform *platform);
int64_t weft_sq_bytes(const weft_platform *platform);
double weft_sq_zero_load(const weft_platform *platform, const weft_mean_path *path, double flits,
                         double packet);
void weft_sq_open(weft_site *site);
void weft_sq_close(weft_site *site);
int64_t weft_sq_held(const weft_site *site);
void weft_sq_plain(const weft_platform *platform, weft_event *event);
int64_t weft_sq_stored(const weft_site *site);
int64_t weft_sq_link_busy(const weft_site *site, uint32_t router, uint32_t port, weft_time now);
uint32_t weft_sq_counters(const weft_platform *platform);
void weft_sq_counter(const weft_site *site, uint32_t router, uint32_t number, weft_time now,
                     weft_counter *counter);
void weft_sq_save(const weft_site *site, uint32_t router, weft_pack *pack);
void weft_sq_load(weft_site *site, uint32_t router, weft_time now, weft_unpack *from);
bool weft_sq_credit(weft_site *site, uint32_t router, const weft_event *event, weft_time at,
                    weft_time now, weft_unpack *from);
void weft_sq_start(weft_site *site, weft_block *block, weft_time now);

#endif
