/* SPDX-License-Identifier: Apache-2.0 */
/* Arbitration among the virtual channels (VLs) of an InfiniBand port, at packet boundaries.
 *
 * Two tables, high and low, have up to 64 entries of a VL and a weight in units of 64 bytes; a VL
 * may be in several entries and in both tables. Within a table an entry keeps its turn while it has
 * weight left and its VL asks. A packet is sent whole and takes its size, rounded up to units, from
 * the weight, which may fall below 0; nothing is carried over. Then the next entry whose VL asks
 * has the turn. Entries of weight 0 and of VL 15 are skipped. VL 15 goes before all others.
 *
 * The high table goes first. The limit of high priority is how much it may send before the low
 * table has an opportunity: limit × 4,096 bytes, or so many packets; 0 is one packet, 255 no limit.
 * Once it is reached, one packet of the low table is sent if one asks; with or without, and after
 * every packet of the low table, the count starts anew.
 *
 * A VL asks if its packet has credits for its whole length. Like an arbiter's (interweft/
 * scheduler.h) the state changes by grants only and holds no addresses; the size of the packet is
 * what an arbiter is not told. (InfiniBand Architecture Specification, volume 1, 7.6.9.) */
#ifndef WEFT_SCHED_VL_ARBITRATION_H
#define WEFT_SCHED_VL_ARBITRATION_H

#include <stdbool.h>
#include <stdint.h>

#define WEFT_VLS                 16
#define WEFT_VL_MANAGEMENT       15
#define WEFT_VL_ENTRIES          64
#define WEFT_VL_WEIGHT_MAX       255
#define WEFT_VL_LIMIT_NONE       255
#define WEFT_VL_WEIGHT_BYTES     64
#define WEFT_VL_LIMIT_BYTES      4096
#define WEFT_VL_PACKET_BYTES_MAX 65536u

typedef struct weft_vl_entry {
    uint8_t vl, weight;
} weft_vl_entry;

typedef struct weft_vl_table {
    uint32_t count;
    weft_vl_entry at[WEFT_VL_ENTRIES];
} weft_vl_table;

typedef struct weft_vl_tables {
    weft_vl_table high, low;
    uint32_t limit; /* of high priority, 0 … 255 */
    bool limit_in_packets;
} weft_vl_tables;

typedef struct weft_vl_turn { /* of one table */
    int32_t entry, left;      /* left: weight; not above 0: the next entry has the turn */
} weft_vl_turn;

typedef struct weft_vl_state {
    weft_vl_turn high, low;
    uint32_t sent; /* bytes, or packets, of the high table since the low one had an opportunity */
} weft_vl_state;

void weft_vl_reset(const weft_vl_tables *tables, weft_vl_state *state);
/* The VL that sends next. asking: a bit for every VL with a packet and its credits. −1: none of
 * them has an entry. */
int32_t weft_vl_pick(const weft_vl_tables *tables, const weft_vl_state *state, uint32_t asking);
/* The VL that was picked sends a packet of so many bytes. */
void weft_vl_granted(const weft_vl_tables *tables, weft_vl_state *state, uint32_t vl,
                     uint32_t bytes);

#endif
