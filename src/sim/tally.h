/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of messages and packets by one thread, and the columns they become at the end of a
 * sampling interval. All are integers: merging threads in any order gives the same sums. */
#ifndef WEFT_SIM_TALLY_H
#define WEFT_SIM_TALLY_H

#include "base/time.h"
#include "stats/series.h"

/* Columns of one traffic class (or of all of them), in this order. */
typedef enum weft_column {
    WEFT_COL_GENERATED, /* messages that arrived at their sources */
    WEFT_COL_DELIVERED, /* messages completely received */
    WEFT_COL_FLITS,     /* of the packets received */
    WEFT_COL_LATENCY,   /* of the messages delivered, ticks */
    WEFT_COL_SQUARE,    /* ticks² */
    WEFT_COL_HOPS,      /* of the packets received, as the following */
    WEFT_COL_FLIT_HOPS,
    WEFT_COL_CUTS,       /* cut-throughs at intermediate routers … */
    WEFT_COL_CHANCES,    /* … and their opportunities */
    WEFT_COL_POPULATION, /* ∫ messages in the system dt, message ticks */
    WEFT_COL_PACKETS,    /* received */
    WEFT_COL_LOST,       /* messages dropped by rule */
    WEFT_COL_GONE,       /* messages delivered or lost */
    WEFT_COL_BUSY,       /* ticks servers were at work */
    WEFT_COL_PER_HOP,    /* with hop counts: Σ latency / hops, in 1/65536 of a tick */
    WEFT_COL_IN_TIME,    /* messages delivered within the deadline of their class */
    WEFT_COL_KEPT,       /* intervals in which the class got what it was promised */
    WEFT_COLUMNS
} weft_column;

/* Columns of one hop count follow. A message counts under the hops of the packet that completed
 * it. */
typedef enum weft_hop_column {
    WEFT_HOP_PACKETS,
    WEFT_HOP_MESSAGES,
    WEFT_HOP_LATENCY,
    WEFT_HOP_SQUARE,
    WEFT_HOP_CUTS,
    WEFT_HOP_CHANCES,
    WEFT_HOP_COLUMNS
} weft_hop_column;

/* With history: columns of the packets of each hop count at an intermediate router, blocked or cut
 * through, given the same at the router before; of hop count 0: all packets. */
typedef enum weft_pair_column {
    WEFT_PAIR_CUT_CUT,     /* cut through after a cut-through … */
    WEFT_PAIR_AFTER_CUT,   /* … and their opportunities */
    WEFT_PAIR_BLOCKED_CUT, /* cut through after having been blocked … */
    WEFT_PAIR_AFTER_BLOCKED,
    WEFT_PAIR_COLUMNS
} weft_pair_column;

typedef struct weft_tally_hop {
    int64_t packets, messages, latency, cuts;
    weft_u128 square;
} weft_tally_hop;

typedef struct weft_tally_traffic_class {
    int64_t generated, delivered, packets, flits, latency, hops, flit_hops, cuts, chances;
    int64_t came, left; /* Σ (tick − since) of generations, and of deliveries and losses */
    int64_t made;       /* packets, by sources */
    int64_t lost;       /* messages, of one packet each */
    int64_t busy;       /* ticks */
    int64_t in_time;    /* messages delivered within the deadline */
    uint64_t longest;   /* no latency in bins is longer */
    weft_u128 square;
    uint64_t deadline; /* ticks; 0: there is none */
    double promised;   /* flits per tick; 0: none */
    weft_histogram *bins;
    weft_tally_hop *by_hops; /* 0 … hops_max; NULL: not asked for */
    /* pairs of every hop count, then for h = 1, 2, … the packets of h hops with 0 … h − 1
     * cut-throughs; NULL: not asked for */
    int64_t *history;
} weft_tally_traffic_class;

typedef struct weft_tally {
    weft_time since; /* start of the interval */
    uint32_t n_traffic_classes, hops_max;
    bool by_hops, history;
    weft_tally_traffic_class *traffic_classes;
} weft_tally;

/* by: weft_breakdown */
void weft_tally_init(weft_tally *tally, uint32_t traffic_classes, uint32_t hops_max, int by);
/* What a class was promised: a deadline in ticks, and flits per tick; 0: nothing. */
void weft_tally_promise(weft_tally *tally, uint32_t traffic_class, uint64_t deadline,
                        double promised);
void weft_tally_done(weft_tally *tally);
/* Adds `from` and clears it. */
void weft_tally_merge(weft_tally *into, weft_tally *from);
void weft_tally_clear(weft_tally *tally, weft_time since);

/* The tally as words that are summed over processes, and their number. */
size_t weft_tally_words(const weft_tally *tally);
void weft_tally_write(const weft_tally *tally, int64_t *words);
void weft_tally_read(weft_tally *tally, const int64_t *words);

/* A row has one group for all classes together and, with several classes, one for each. */
uint32_t weft_tally_groups(const weft_tally *tally);
uint32_t weft_tally_width(const weft_tally *tally); /* columns of a group */
/* First column of group g; hop columns of h follow at weft_tally_hop_column. */
static inline uint32_t weft_tally_hop_column(uint32_t group_start, uint32_t hops)
{
    return group_start + WEFT_COLUMNS + hops * WEFT_HOP_COLUMNS;
}
/* The same for history: pairs of hop count h, packets by their number of cut-throughs. */
static inline uint32_t weft_tally_pair_word(uint32_t hops)
{
    return hops * WEFT_PAIR_COLUMNS;
}
static inline uint32_t weft_tally_cuts_word(const weft_tally *tally, uint32_t hops, uint32_t cuts)
{
    return weft_tally_pair_word(tally->hops_max + 1) + hops * (hops - 1) / 2 + cuts;
}
/* Words of the history of a class. */
static inline uint32_t weft_tally_history(const weft_tally *tally)
{
    return tally->history ? weft_tally_cuts_word(tally, tally->hops_max + 1, 0) : 0;
}
static inline uint32_t weft_tally_history_column(const weft_tally *tally, uint32_t group_start)
{
    return weft_tally_hop_column(group_start, tally->hops_max + 1);
}
/* Writes the row of an interval of `ticks`; population[f] is the number of messages in the system
 * at its start and is updated to its end. Returns a histogram per group: bins, which has room for
 * them, or those of the tally. */
const weft_histogram *weft_tally_row(const weft_tally *tally, weft_time ticks, int64_t *population,
                                     weft_i128 *row, weft_histogram *bins);

/* Counting, for handlers. */
static inline void weft_tally_generate(weft_tally *tally, uint32_t traffic_class, weft_time at)
{
    tally->traffic_classes[traffic_class].generated++;
    tally->traffic_classes[traffic_class].came += at - tally->since;
}

static inline weft_tally_hop *weft_tally_hops(const weft_tally *tally, uint32_t traffic_class,
                                              uint32_t hops)
{
    return &tally->traffic_classes[traffic_class]
                .by_hops[hops < tally->hops_max ? hops : tally->hops_max];
}

/* A packet has been received. */
static inline void weft_tally_receive(weft_tally *tally, uint32_t traffic_class, uint32_t flits,
                                      uint32_t hops, uint32_t cuts)
{
    weft_tally_traffic_class *sum = &tally->traffic_classes[traffic_class];
    sum->packets++;
    sum->flits += flits;
    sum->hops += hops;
    sum->flit_hops += (int64_t)flits * hops;
    sum->cuts += cuts;
    sum->chances += hops > 0 ? hops - 1 : 0;
    if (sum->by_hops) {
        weft_tally_hop *part = weft_tally_hops(tally, traffic_class, hops);
        part->packets++;
        part->cuts += cuts;
        if (sum->history && hops > 0 && hops <= tally->hops_max)
            sum->history[weft_tally_cuts_word(tally, hops, cuts)]++;
    }
}

/* A packet of `hops` hops in all (0: that is not known) has come to an intermediate router, not
 * its first, and cut through or not; before: true if it cut through at the last one. */
static inline void weft_tally_pair(weft_tally *tally, uint32_t traffic_class, uint32_t hops,
                                   bool before, bool cut)
{
    for (uint32_t h = hops;; h = 0) {
        int64_t *pair = tally->traffic_classes[traffic_class].history +
                        weft_tally_pair_word(h < tally->hops_max ? h : tally->hops_max);
        pair[before ? WEFT_PAIR_CUT_CUT : WEFT_PAIR_BLOCKED_CUT] += cut;
        pair[before ? WEFT_PAIR_AFTER_CUT : WEFT_PAIR_AFTER_BLOCKED]++;
        if (h == 0)
            return;
    }
}

/* A message is complete, by a packet of so many hops. */
static inline void weft_tally_complete(weft_tally *tally, uint32_t traffic_class, weft_time at,
                                       uint64_t latency, uint32_t hops)
{
    weft_tally_traffic_class *sum = &tally->traffic_classes[traffic_class];
    weft_u128 square = (weft_u128)latency * latency;
    sum->delivered++;
    sum->latency += (int64_t)latency;
    sum->square += square;
    sum->left += at - tally->since;
    sum->in_time += latency <= sum->deadline;
    sum->longest = latency > sum->longest ? latency : sum->longest;
    weft_histogram_add(sum->bins, latency);
    if (sum->by_hops) {
        weft_tally_hop *part = weft_tally_hops(tally, traffic_class, hops);
        part->messages++;
        part->latency += (int64_t)latency;
        part->square += square;
    }
}

/* A message of one packet is dropped. */
static inline void weft_tally_lose(weft_tally *tally, uint32_t traffic_class, weft_time at)
{
    tally->traffic_classes[traffic_class].lost++;
    tally->traffic_classes[traffic_class].left += at - tally->since;
}

/* A message of one packet. */
static inline void weft_tally_deliver(weft_tally *tally, uint32_t traffic_class, weft_time at,
                                      uint64_t latency, uint32_t flits, uint32_t hops,
                                      uint32_t cuts)
{
    weft_tally_receive(tally, traffic_class, flits, hops, cuts);
    weft_tally_complete(tally, traffic_class, at, latency, hops);
}

#endif
