/* SPDX-License-Identifier: Apache-2.0 */
/* Fabrics as files: routers with names and hosts, and the cables between their ports.
 *
 * A .weftnet file is made by `weft import` and read by topology file. All numbers are little
 * endian:
 *     "WEFTNET\n", u32 version 1, u32 parts (1: ranks, 2: tables, 4: an InfiniBand subnet,
 *     8: rates and latencies),
 *     u32 routers, u32 homes, u32 ports, u32 cables, u64 bytes of names, [u64 bytes of the subnet],
 *     homes × u32 hosts; routers 0 … homes − 1 have some, the others none,
 *     cables × { u32 router, u32 router, u8 port, u8 port, u8 class, u8 high bits of the first port
 *     and, times 16, of the second, u32 latency },
 *     [(cables + homes) × { f64 rate, f64 latency, u32 unit of each, 0: not known }],
 *     [routers × u32 rank], [routers × homes × u8 port, 255: none],
 *     the names with a \0 behind each,
 *     [the subnet, see subnet.h], u32 CRC-32C of all before it.
 * Read as hostile input: its size must be what the numbers say, so nothing is allocated that is
 * not in the file. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_WEFTNET_H
#define WEFT_NET_TOPOLOGY_COMMON_WEFTNET_H

#include "base/pack.h"
#include "config/scenario.h"
#include "interweft/topology.h"
#include "net/topology/common/subnet.h"

#define WEFT_WEFTNET_PORTS_MAX WEFT_PORTS_MAX
#define WEFT_WEFTNET_NO_PORT   UINT8_MAX
#define WEFT_WEFTNET_NAME_MAX  255        /* bytes */
#define WEFT_WEFTNET_MOST      (1u << 26) /* routers, cables */
#define WEFT_WEFTNET_HOSTS_MAX (1u << 16)

typedef struct weft_cable {
    weft_end end[2];
    uint32_t latency; /* in the unit of its source; 0: unknown */
    uint32_t class;   /* weft_link_class */
} weft_cable;

typedef struct weft_weftnet { /* every array has its own heap memory, but for a table in file */
    uint32_t routers, homes, ports, n_cables;
    uint32_t *hosts; /* [homes] */
    weft_cable *cables;
    /* [n_cables + homes], of cables and of the links of a router's hosts; NULL: not known */
    weft_link_settings *timing;
    /* [routers], lower is nearer to the root of up-down routing; NULL: unknown */
    uint32_t *rank;
    /* [router × homes + home]: the output port, or WEFT_WEFTNET_NO_PORT; NULL: no table */
    uint8_t *table;
    char *text; /* the name of router r is text + name[r] */
    size_t text_bytes;
    uint32_t *name;
    weft_subnet *subnet; /* of an InfiniBand fabric; NULL: none */
    uint32_t paths;      /* LIDs of a host that are in use; set by the topology, not in the file */
    void *file; /* the bytes of the file, where the table is part of them; NULL: it is not */
} weft_weftnet;

/* Reads a file, or its bytes; `path` names them in messages. */
WEFT_MUST_USE weft_status weft_weftnet_read(const char *path, weft_weftnet *net, weft_error *err);
WEFT_MUST_USE weft_status weft_weftnet_parse(const char *path, const void *data, size_t bytes,
                                             weft_weftnet *net, weft_error *err);
/* The bytes of a file. */
void weft_weftnet_pack(const weft_weftnet *net, weft_pack *pack);
void weft_weftnet_done(weft_weftnet *net);
/* Describes an inconsistency of the fabric; NULL if there is none. */
const char *weft_weftnet_flaw(const weft_weftnet *net);

/* The fabric behind a topology of kind file; NULL for any other. */
const weft_weftnet *weft_weftnet_of(const weft_topology *topology);
static inline const char *weft_weftnet_name(const weft_weftnet *net, uint32_t router)
{
    return net->text + net->name[router];
}
/* The LFTs of its subnet as a table of endpoints, `each` of every router with hosts, by `paths` of
 * their LIDs: out[router × homes × each × paths + endpoint × paths + path]. Endpoints beyond the
 * hosts of a router are reached like its first. */
void weft_weftnet_lft(const weft_weftnet *net, uint32_t each, uint32_t paths, uint8_t *out);
/* Rate and latency of a cable, and of the link of a host of a router, as far as the file has them:
 * of InfiniBand width × speed, a latency without a unit in cycles. */
weft_link_settings weft_weftnet_timing(const weft_weftnet *net, uint32_t cable);
weft_link_settings weft_weftnet_host_timing(const weft_weftnet *net, uint32_t home, uint32_t host);
/* How many hops every router is above the leaves, which are those with a fair part of the hosts; a
 * lone host at a spine makes no leaf of it. Routers that no cable joins to a leaf are leaves.
 * level[routers]; returns the number of levels. */
uint32_t weft_weftnet_levels(const weft_weftnet *net, uint32_t *level);
/* True if a router may have this name. */
bool weft_weftnet_name_sound(const char *name, size_t length);

#endif
