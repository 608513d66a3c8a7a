/* SPDX-License-Identifier: Apache-2.0 */
/* What an InfiniBand port gives its VLs while all of them have packets: the arbiter runs
 * until its state repeats, so shares are exact. */
#include "analytic/model.h"
#include "sched/vl_arbitration.h"

#include <string.h>

typedef struct settings {
    weft_ints high_vls, high_weights, low_vls, low_weights, bytes;
    int64_t limit;
    int unit;
} settings;

enum { UNIT_BYTES, UNIT_PACKETS };
static const char *const units[] = {"4 KiB", "packets", NULL};

#define VLS(label, text, member)                                                      \
    {                                                                                 \
        .name = label, .brief = text, .type = WEFT_PARAM_INTS,                        \
        .offset = offsetof(settings, member), .fallback = "none", .min = 0, .max = 14 \
    }
#define WEIGHTS(label, text, member)                                        \
    {                                                                       \
        .name = label, .brief = text, .type = WEFT_PARAM_INTS,              \
        .offset = offsetof(settings, member), .fallback = "none", .min = 0, \
        .max = WEFT_VL_WEIGHT_MAX                                           \
    }

static const weft_param params[] = {
    VLS("low-vls", "VLs of the entries of the low-priority table", low_vls),
    WEIGHTS("low-weights", "their weights, in units of 64 bytes", low_weights),
    VLS("high-vls", "VLs of the entries of the high-priority table", high_vls),
    WEIGHTS("high-weights", "their weights, in units of 64 bytes", high_weights),
    {.name = "limit",
     .brief = "limit of high priority; 0: one packet, 255: none",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, limit),
     .fallback = "0",
     .min = 0,
     .max = WEFT_VL_LIMIT_NONE},
    {.name = "limit-unit",
     .brief = "what the limit counts",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, unit),
     .fallback = "4 KiB",
     .choices = units},
    {.name = "bytes",
     .brief = "packet sizes of VL 0, 1, …; the last one holds for the others",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(settings, bytes),
     .fallback = "[2068]",
     .min = 1,
     .max = WEFT_VL_PACKET_BYTES_MAX},
    {.name = NULL}};

enum { HIGH, SHARE, PACKETS };
static const weft_output outputs[] = {
    {.name = "high priority",
     .unit = "fraction",
     .brief = "part of the bytes that VLs of the high-priority table send"},
    {.name = "share", .unit = "fraction", .by = "VL", .brief = "part of the bytes that a VL sends"},
    {.name = "packet share",
     .unit = "fraction",
     .by = "VL",
     .brief = "part of the packets that a VL sends"},
    {.name = NULL}};

static weft_status fill(weft_vl_table *table, const weft_ints *vls, const weft_ints *weights,
                        const char *name, weft_error *err)
{
    if (vls->count != weights->count)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s-weights must have one number for each of the %d entries of %s-vls, "
                         "found %d",
                         name, vls->count, name, weights->count);
    if (vls->count > WEFT_VL_ENTRIES)
        return weft_fail(err, WEFT_BAD_INPUT, "%s-vls has %d entries; at most %d would be right",
                         name, vls->count, WEFT_VL_ENTRIES);
    for (int32_t i = 0; i < vls->count; i++)
        table->at[table->count++] =
            (weft_vl_entry){.vl = (uint8_t)vls->at[i], .weight = (uint8_t)weights->at[i]};
    return WEFT_OK;
}

static uint32_t asking_of(const weft_vl_table *table)
{
    uint32_t asking = 0;
    for (uint32_t i = 0; i < table->count; i++)
        if (table->at[i].weight > 0)
            asking |= 1u << table->at[i].vl;
    return asking;
}

typedef struct port {
    weft_vl_tables tables;
    uint32_t asking;
    uint32_t bytes[WEFT_VLS];
    uint64_t packets[WEFT_VLS]; /* sent */
} port;

static void step(port *it, weft_vl_state *state)
{
    uint32_t vl = (uint32_t)weft_vl_pick(&it->tables, state, it->asking);
    weft_vl_granted(&it->tables, state, vl, it->bytes[vl]);
    it->packets[vl]++;
}

/* Runs one period of the arbiter: Brent's search for a state that comes again. Packets are counted
 * from the state that is waited for. */
static void run_period(port *it)
{
    weft_vl_state now, wanted;
    weft_vl_reset(&it->tables, &now);
    for (uint64_t most = 1;; most *= 2) {
        wanted = now;
        memset(it->packets, 0, sizeof it->packets);
        for (uint64_t i = 0; i < most; i++) {
            step(it, &now);
            if (memcmp(&now, &wanted, sizeof now) == 0)
                return;
        }
    }
}

static void put_shares(const port *it, weft_answer *answer)
{
    double bytes = 0, packets = 0, high = 0;
    for (uint32_t vl = 0; vl < WEFT_VLS; vl++) {
        double sent = (double)it->packets[vl] * it->bytes[vl];
        packets += (double)it->packets[vl];
        bytes += sent;
        high += asking_of(&it->tables.high) >> vl & 1 ? sent : 0;
    }
    weft_answer_put(answer, HIGH, high / bytes);
    for (uint32_t vl = 0; vl < WEFT_VLS; vl++)
        if (it->asking >> vl & 1) {
            double sent = (double)it->packets[vl];
            weft_answer_put_at(answer, SHARE, vl, sent * it->bytes[vl] / bytes);
            weft_answer_put_at(answer, PACKETS, vl, sent / packets);
        }
}

static weft_status evaluate(const void *given, weft_answer *answer, weft_error *err)
{
    const settings *set = given;
    port it = {
        .tables = {.limit = (uint32_t)set->limit, .limit_in_packets = set->unit == UNIT_PACKETS}};
    WEFT_TRY(fill(&it.tables.high, &set->high_vls, &set->high_weights, "high", err));
    WEFT_TRY(fill(&it.tables.low, &set->low_vls, &set->low_weights, "low", err));
    it.asking = asking_of(&it.tables.high) | asking_of(&it.tables.low);
    if (it.asking == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "low-vls: no table has an entry with a weight above 0; low-vls=[0, 1] "
                         "low-weights=[30, 10] would be right");
    for (int32_t vl = 0; vl < WEFT_VLS; vl++)
        it.bytes[vl] = (uint32_t)set->bytes.at[vl < set->bytes.count ? vl : set->bytes.count - 1];
    run_period(&it);
    put_shares(&it, answer);
    return WEFT_OK;
}

const weft_model_kind weft_model_vl_arbitration = {
    WEFT_MODEL_BASE("vl-arbitration", "InfiniBand VL arbitration with packets in every VL"),
    .outputs = outputs,
    .evaluate = evaluate,
};
