/* SPDX-License-Identifier: Apache-2.0 */
/* An InfiniBand fabric while its description is read: nodes, and what each says of the cables at
 * its ports. weft_ib_fabric_check joins what both sides say; weft_ib_fabric_finish makes a .weftnet
 * fabric of it, whose order does not depend on that of the file. */
#ifndef WEFT_INTEROP_INFINIBAND_FABRIC_H
#define WEFT_INTEROP_INFINIBAND_FABRIC_H

#include "interop/import_graph.h"
#include "interop/infiniband/source.h"

typedef enum weft_ib_kind { WEFT_IB_UNKNOWN, WEFT_IB_SWITCH, WEFT_IB_ADAPTER } weft_ib_kind;

typedef struct weft_ib_node {
    weft_ib_kind kind;                /* unknown: cables lead to it, but it is not described */
    uint64_t guid, system, port_guid; /* 0: not given */
    uint32_t vendor, device, lid, ports;
    uint32_t lmc;
    bool enhanced;
    size_t name; /* in names */
    unsigned long line;
} weft_ib_node;

/* One side of a cable, as its node says. */
typedef struct weft_ib_plug {
    uint32_t node, port, to, to_port;
    weft_subnet_rate rate;
    uint32_t lid, lmc; /* of the port; switches have theirs as nodes */
    uint64_t guid;
    unsigned long line;
} weft_ib_plug;

typedef struct weft_ib_fabric {
    const char *file;
    weft_import_graph ids; /* the names that the file uses for its nodes, by number of node */
    weft_ib_node *nodes;
    uint32_t node_room, n_plugs, plug_room;
    weft_ib_plug *plugs; /* by node and port, after the check */
    weft_text names;
} weft_ib_fabric;

void weft_ib_fabric_init(weft_ib_fabric *fabric, const char *file);
void weft_ib_fabric_done(weft_ib_fabric *fabric);
/* The node that a file calls so, a new one if there was none. */
WEFT_MUST_USE weft_status weft_ib_fabric_node(weft_ib_fabric *fabric, const weft_lines *place,
                                              weft_word id, uint32_t *node, weft_error *err);
/* Describes a node; its name is `name`, or its id if that is empty. */
WEFT_MUST_USE weft_status weft_ib_fabric_describe(weft_ib_fabric *fabric, const weft_lines *place,
                                                  uint32_t node, weft_ib_node what, weft_word name,
                                                  weft_error *err);
WEFT_MUST_USE weft_status weft_ib_fabric_plug(weft_ib_fabric *fabric, const weft_lines *place,
                                              weft_ib_plug plug, weft_error *err);
static inline const char *weft_ib_fabric_name(const weft_ib_fabric *fabric, uint32_t node)
{
    return fabric->names.at + fabric->nodes[node].name;
}

/* Read a description. */
WEFT_MUST_USE weft_status weft_ib_netdiscover_read(weft_ib_fabric *fabric,
                                                   const weft_ib_source *source, weft_error *err);
WEFT_MUST_USE weft_status weft_ib_subnet_read(weft_ib_fabric *fabric, const weft_ib_source *source,
                                              weft_error *err);

/* Numbers what has no GUID as ibsim does, sorts plugs, and refuses what does not fit together. */
WEFT_MUST_USE weft_status weft_ib_fabric_check(weft_ib_fabric *fabric, weft_error *err);
/* Makes a fabric with its subnet of a checked one. */
WEFT_MUST_USE weft_status weft_ib_fabric_finish(weft_ib_fabric *fabric, bool keep_order,
                                                weft_weftnet *net, weft_error *err);

#endif
