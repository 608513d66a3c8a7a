/* SPDX-License-Identifier: Apache-2.0 */
/* What a subnet manager computed for a fabric: LIDs, forwarding tables, SL2VL tables, SLs of paths
 * and its qos_* keys, read into the subnet of a .weftnet fabric. */
#ifndef WEFT_INTEROP_INFINIBAND_DUMPS_H
#define WEFT_INTEROP_INFINIBAND_DUMPS_H

#include "base/text.h"
#include "interop/infiniband/source.h"
#include "net/topology/common/weftnet.h"

/* Ports by GUID. */
typedef struct weft_ib_guid {
    uint64_t guid;
    uint32_t number; /* of a switch, or of a host + WEFT_IB_HOSTS */
} weft_ib_guid;
#define WEFT_IB_HOSTS  0x80000000u
#define WEFT_IB_NOBODY UINT32_MAX

typedef struct weft_ib_guids {
    weft_ib_guid *at;
    size_t count;
} weft_ib_guids;

/* Switches by node GUID, hosts by port GUID, or (by_node) by that of their adapter. */
void weft_ib_guids_init(weft_ib_guids *guids, const weft_subnet *subnet, bool by_node);
void weft_ib_guids_done(weft_ib_guids *guids);
/* Where the first with a GUID is, or count; those alike follow. */
size_t weft_ib_guids_first(const weft_ib_guids *guids, uint64_t guid);
/* The number of a GUID, or WEFT_IB_NOBODY. */
uint32_t weft_ib_guids_find(const weft_ib_guids *guids, uint64_t guid);

/* Fills the list of LIDs of the subnet; those that a description leaves out are learned from what
 * forwarding tables say of their destinations. */
void weft_ib_lids_list(weft_subnet *subnet);
WEFT_MUST_USE weft_status weft_ib_lids_learn(weft_weftnet *net, const weft_ib_source *source,
                                             weft_error *err);

/* Forwarding tables: opensm-lfts.dump, opensm.fdbs, or the text of dump_lfts and ibroute. found:
 * which, and how much. */
WEFT_MUST_USE weft_status weft_ib_lft_read(weft_weftnet *net, const weft_ib_source *source,
                                           weft_text *found, weft_error *err);
/* opensm-sl2vl.dump, or lines of ibdmchk: guid in out and 8 numbers 0x01. */
WEFT_MUST_USE weft_status weft_ib_sl2vl_read(weft_weftnet *net, const weft_ib_source *source,
                                             weft_text *found, weft_error *err);
/* Lines of ibdmchk: GUID of an adapter, LID of the destination, SL. */
WEFT_MUST_USE weft_status weft_ib_path_sl_read(weft_weftnet *net, const weft_ib_source *source,
                                               weft_text *found, weft_error *err);
/* The keys qos_… of opensm.conf. */
WEFT_MUST_USE weft_status weft_ib_qos_read(weft_weftnet *net, const weft_ib_source *source,
                                           weft_text *found, weft_error *err);

#endif
