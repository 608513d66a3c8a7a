/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/vl_filling.h"

#include <assert.h>

void weft_vl_filling_reset(weft_vl_filling *filling, uint32_t entries)
{
    assert(entries <= WEFT_VL_ENTRIES);
    *filling = (weft_vl_filling){.table = {.count = entries}};
}

static bool takes(const weft_vl_entry *entry, uint32_t vl)
{
    return entry->weight == 0 || (entry->vl == vl && entry->weight < WEFT_VL_WEIGHT_MAX);
}

/* Weight that the VL can still get. */
static uint64_t room_for(const weft_vl_table *table, uint32_t vl)
{
    uint64_t room = 0;
    for (uint32_t i = 0; i < table->count; i++)
        if (takes(&table->at[i], vl))
            room += WEFT_VL_WEIGHT_MAX - table->at[i].weight;
    return room;
}

/* Fills an entry as far as it goes; the weight that is left. */
static uint64_t pour(weft_vl_entry *entry, uint32_t vl, uint64_t weight)
{
    uint64_t room = (uint64_t)(WEFT_VL_WEIGHT_MAX - entry->weight);
    uint64_t poured = weight < room ? weight : room;
    if (poured > 0)
        *entry = (weft_vl_entry){.vl = (uint8_t)vl, .weight = (uint8_t)(entry->weight + poured)};
    return weight - poured;
}

bool weft_vl_filling_add(weft_vl_filling *filling, uint32_t vl, uint64_t weight)
{
    weft_vl_table *table = &filling->table;
    assert(vl < WEFT_VL_MANAGEMENT && weight > 0);
    if (weight > room_for(table, vl))
        return false;
    for (uint32_t i = 0; i < table->count; i++) /* its own entry first */
        if (table->at[i].weight > 0 && takes(&table->at[i], vl))
            weight = pour(&table->at[i], vl, weight);
    for (uint32_t i = 0; i < table->count; i++)
        if (takes(&table->at[i], vl))
            weight = pour(&table->at[i], vl, weight);
    assert(weight == 0);
    filling->connections[vl]++;
    return true;
}

void weft_vl_filling_end(weft_vl_filling *filling, uint32_t vl)
{
    assert(vl < WEFT_VL_MANAGEMENT && filling->connections[vl] > 0);
    if (--filling->connections[vl] > 0)
        return;
    for (uint32_t i = 0; i < filling->table.count; i++)
        if (filling->table.at[i].vl == vl)
            filling->table.at[i] = (weft_vl_entry){0};
}
