/* SPDX-License-Identifier: Apache-2.0 */
/* What an InfiniBand port gives its VLs while all of them have packets: the arbiter runs
 * until its state repeats, so shares are exact. */
#include "analytic/model.h"
#include "sched/vl_tables.h"

#include <string.h>

typedef struct settings {
    weft_vl_settings vl;
    weft_ints bytes;
} settings;

static const weft_param params[] = {
    WEFT_VL_PARAMS(settings),
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
        high += weft_vl_table_vls(&it->tables.high) >> vl & 1 ? sent : 0;
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
    port it = {.asking = 0};
    WEFT_TRY(weft_vl_tables_check(&set->vl, err));
    weft_vl_tables_fill(&set->vl, &it.tables);
    it.asking = weft_vl_table_vls(&it.tables.high) | weft_vl_table_vls(&it.tables.low);
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
