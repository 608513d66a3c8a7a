/* SPDX-License-Identifier: Apache-2.0 */
/* Grants name the winner only. That is enough to find its entry again: the first one of the winner
 * from the present turn on is the one that was picked, since an earlier one would have been. With
 * the limit not reached a winner in the high table came from there; with the limit reached one in
 * the low table came from there, since the low table goes first then. */
#include "sched/vl_arbitration.h"

#include <assert.h>

static void start(const weft_vl_table *table, weft_vl_turn *turn)
{
    *turn = (weft_vl_turn){.entry = 0, .left = table->count ? table->at[0].weight : 0};
}

void weft_vl_reset(const weft_vl_tables *tables, weft_vl_state *state)
{
    start(&tables->high, &state->high);
    start(&tables->low, &state->low);
    state->sent = 0;
}

static bool serves(const weft_vl_entry *entry, uint32_t asking)
{
    return entry->weight > 0 && entry->vl < WEFT_VL_MANAGEMENT && asking >> entry->vl & 1;
}

/* The entry that sends next if these VLs ask; −1: none. */
static int32_t find(const weft_vl_table *table, const weft_vl_turn *turn, uint32_t asking)
{
    int32_t count = (int32_t)table->count;
    if (count == 0)
        return -1;
    assert(turn->entry < count);
    if (turn->left > 0 && serves(&table->at[turn->entry], asking))
        return turn->entry;
    for (int32_t i = 1; i <= count; i++) {
        int32_t entry = (turn->entry + i) % count;
        if (serves(&table->at[entry], asking))
            return entry;
    }
    return -1;
}

/* Charges a packet to the entry that sends it. */
static void charge(const weft_vl_table *table, weft_vl_turn *turn, int32_t entry, uint32_t bytes)
{
    if (entry != turn->entry || turn->left <= 0)
        *turn = (weft_vl_turn){.entry = entry, .left = table->at[entry].weight};
    turn->left -= (int32_t)((bytes + WEFT_VL_WEIGHT_BYTES - 1) / WEFT_VL_WEIGHT_BYTES);
}

/* Has the high table sent all it may? */
static bool exhausted(const weft_vl_tables *tables, const weft_vl_state *state)
{
    uint32_t unit = tables->limit_in_packets ? 1 : WEFT_VL_LIMIT_BYTES;
    return tables->limit < WEFT_VL_LIMIT_NONE && state->sent > 0 &&
           state->sent >= tables->limit * unit;
}

int32_t weft_vl_pick(const weft_vl_tables *tables, const weft_vl_state *state, uint32_t asking)
{
    if (asking >> WEFT_VL_MANAGEMENT & 1)
        return WEFT_VL_MANAGEMENT;
    int32_t high = find(&tables->high, &state->high, asking);
    int32_t low = find(&tables->low, &state->low, asking);
    if (low >= 0 && (high < 0 || exhausted(tables, state)))
        return tables->low.at[low].vl;
    return high >= 0 ? tables->high.at[high].vl : -1;
}

void weft_vl_granted(const weft_vl_tables *tables, weft_vl_state *state, uint32_t vl,
                     uint32_t bytes)
{
    assert(vl < WEFT_VLS && bytes > 0 && bytes <= WEFT_VL_PACKET_BYTES_MAX);
    if (vl == WEFT_VL_MANAGEMENT)
        return;
    uint32_t asks = 1u << vl;
    int32_t high = find(&tables->high, &state->high, asks);
    int32_t low = find(&tables->low, &state->low, asks);
    bool spent = exhausted(tables, state);
    assert(high >= 0 || low >= 0);
    if (low >= 0 && (high < 0 || spent)) {
        charge(&tables->low, &state->low, low, bytes);
        state->sent = 0;
        return;
    }
    charge(&tables->high, &state->high, high, bytes);
    if (tables->limit < WEFT_VL_LIMIT_NONE)
        state->sent = (spent ? 0 : state->sent) + (tables->limit_in_packets ? 1 : bytes);
}
