/* SPDX-License-Identifier: Apache-2.0 */
/* Channel adapters: injection links that arbitrate among their VLs (VCs) by the scheduler of
 * endpoints. Every VL with a packet that has credits asks; of the classes with the same VL the
 * packet that has waited longest stands for it. A link is a crossbar of one input and one
 * output. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_ADAPTER_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_ADAPTER_H

#include "sim/router/input_queued/record.h"

/* The scheduler of injection links, not built; kind NULL: they have none. */
weft_scheduler weft_iq_adapter_of(const weft_platform *platform);
/* Refuses one that cannot be, and packets that are too long for whoever looks at sizes. */
WEFT_MUST_USE weft_status weft_iq_adapter_check(const weft_platform *platform, weft_error *err);

typedef struct weft_iq_offers { /* what a link could start now */
    uint32_t asking;            /* VLs */
    uint32_t source[WEFT_VCS_MAX];
} weft_iq_offers;

static inline void *weft_iq_adapter(const weft_iq_layout *layout, char *record, uint32_t link)
{
    return record + layout->adapters + (link - layout->ports) * weft_iq_adapter_bytes(layout);
}

/* The source that an injection link takes; WEFT_IQ_NONE: nothing was offered. */
uint32_t weft_iq_adapter_pick(const weft_iq_layout *layout, char *record, uint32_t link,
                              const weft_iq_offers *offers);
/* The link starts a packet of this VL. */
void weft_iq_adapter_sent(const weft_iq_layout *layout, char *record, uint32_t link, uint32_t vl,
                          uint32_t flits);
/* All links of a router: their first states, and into a checkpoint and out of it. */
void weft_iq_adapters_reset(const weft_iq_layout *layout, char *record);
void weft_iq_adapters_save(const weft_iq_layout *layout, char *record, weft_pack *pack);
void weft_iq_adapters_load(const weft_iq_layout *layout, char *record, weft_unpack *from);

#endif
