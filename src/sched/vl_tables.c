/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/vl_tables.h"

enum { UNIT_BYTES, UNIT_PACKETS };
const char *const weft_vl_limit_units[] = {"4 KiB", "packets", NULL};

static weft_status check(const weft_ints *vls, const weft_ints *weights, const char *name,
                         weft_error *err)
{
    if (vls->count != weights->count)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s-weights must have one number for each of the %d entries of %s-vls, "
                         "found %d",
                         name, vls->count, name, weights->count);
    if (vls->count > WEFT_VL_ENTRIES)
        return weft_fail(err, WEFT_BAD_INPUT, "%s-vls has %d entries; at most %d would be right",
                         name, vls->count, WEFT_VL_ENTRIES);
    return WEFT_OK;
}

weft_status weft_vl_tables_check(const weft_vl_settings *set, weft_error *err)
{
    WEFT_TRY(check(&set->high_vls, &set->high_weights, "high", err));
    return check(&set->low_vls, &set->low_weights, "low", err);
}

static void fill(const weft_ints *vls, const weft_ints *weights, weft_vl_table *table)
{
    table->count = (uint32_t)vls->count;
    for (int32_t i = 0; i < vls->count; i++)
        table->at[i] =
            (weft_vl_entry){.vl = (uint8_t)vls->at[i], .weight = (uint8_t)weights->at[i]};
}

void weft_vl_tables_fill(const weft_vl_settings *set, weft_vl_tables *tables)
{
    fill(&set->high_vls, &set->high_weights, &tables->high);
    fill(&set->low_vls, &set->low_weights, &tables->low);
    tables->limit = (uint32_t)set->limit;
    tables->limit_in_packets = set->limit_unit == UNIT_PACKETS;
}

uint32_t weft_vl_table_vls(const weft_vl_table *table)
{
    uint32_t vls = 0;
    for (uint32_t i = 0; i < table->count; i++)
        if (table->at[i].weight > 0)
            vls |= 1u << table->at[i].vl;
    return vls;
}
