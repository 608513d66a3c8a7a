/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of VL arbitration as settings, for everything that has them. */
#ifndef WEFT_SCHED_VL_TABLES_H
#define WEFT_SCHED_VL_TABLES_H

#include "interweft/component.h"
#include "interweft/status.h"
#include "sched/vl_arbitration.h"

typedef struct weft_vl_settings {
    weft_ints high_vls, high_weights, low_vls, low_weights;
    int64_t limit;
    int limit_unit;
} weft_vl_settings;

extern const char *const weft_vl_limit_units[]; /* "4 KiB", "packets" */

#define WEFT_VL_PARAM_LIST(owner, label, text, member, most)                                      \
    {                                                                                             \
        .name = label, .brief = text, .type = WEFT_PARAM_INTS, .offset = offsetof(owner, member), \
        .fallback = "none", .min = 0, .max = (most)                                               \
    }
/* The parameters of a settings struct `owner` with a member `vl` of these settings. */
#define WEFT_VL_PARAMS(owner)                                                                  \
    WEFT_VL_PARAM_LIST(owner, "low-vls", "VLs of the entries of the low-priority table",       \
                       vl.low_vls, WEFT_VL_MANAGEMENT - 1),                                    \
        WEFT_VL_PARAM_LIST(owner, "low-weights", "their weights, in units of 64 bytes",        \
                           vl.low_weights, WEFT_VL_WEIGHT_MAX),                                \
        WEFT_VL_PARAM_LIST(owner, "high-vls", "VLs of the entries of the high-priority table", \
                           vl.high_vls, WEFT_VL_MANAGEMENT - 1),                               \
        WEFT_VL_PARAM_LIST(owner, "high-weights", "their weights, in units of 64 bytes",       \
                           vl.high_weights, WEFT_VL_WEIGHT_MAX),                               \
        {.name = "limit",                                                                      \
         .brief = "limit of high priority; 0: one packet, 255: none",                          \
         .type = WEFT_PARAM_INT,                                                               \
         .offset = offsetof(owner, vl.limit),                                                  \
         .fallback = "0",                                                                      \
         .min = 0,                                                                             \
         .max = WEFT_VL_LIMIT_NONE},                                                           \
    {                                                                                          \
        .name = "limit-unit", .brief = "what the limit counts", .type = WEFT_PARAM_CHOICE,     \
        .offset = offsetof(owner, vl.limit_unit), .fallback = "4 KiB",                         \
        .choices = weft_vl_limit_units                                                         \
    }

/* Fails if a list has too few or too many entries. */
WEFT_MUST_USE weft_status weft_vl_tables_check(const weft_vl_settings *set, weft_error *err);
/* The settings passed the check. */
void weft_vl_tables_fill(const weft_vl_settings *set, weft_vl_tables *tables);
/* The VLs of entries with a weight, a bit each. */
uint32_t weft_vl_table_vls(const weft_vl_table *table);

#endif
