/* SPDX-License-Identifier: Apache-2.0 */
/* Deliveries: a packet has been received completely by its endpoint. Counts it, and, with the
 * last packet of its message (they may come in any order), the message. */
#ifndef WEFT_SIM_ASSEMBLY_H
#define WEFT_SIM_ASSEMBLY_H

#include "base/pack.h"
#include "sim/site.h"

/* Takes and frees site->assembly, if messages may have several packets. */
void weft_assembly_open(weft_site *site);
void weft_assembly_close(weft_site *site);
/* weft_assembly_deliver where messages may have several packets. */
void weft_assembly_take(weft_site *site, uint32_t router, const weft_event *packet, weft_time now);

/* Counts a packet that has left the network at this router of the site. */
static inline void weft_assembly_deliver(weft_site *site, uint32_t router, const weft_event *packet,
                                         weft_time now)
{
    if (site->assembly)
        weft_assembly_take(site, router, packet, now);
    else
        weft_tally_deliver(site->tally, weft_packet_traffic_class(packet), now,
                           weft_packet_age(packet, now), weft_packet_flits(packet),
                           weft_packet_hops(packet), weft_packet_cuts(site->platform->key, packet));
}

/* Messages of which some packets have come. */
int64_t weft_assembly_count(const weft_site *site);
/* Bytes held now. */
int64_t weft_assembly_bytes(const weft_site *site);
/* The incomplete messages of one router's endpoints, written and read. */
void weft_assembly_save(const weft_site *site, uint32_t router, weft_pack *pack);
void weft_assembly_load(weft_site *site, uint32_t router, weft_unpack *from);

#endif
