/* SPDX-License-Identifier: Apache-2.0 */
/* What an InfiniBand subnet has beyond a fabric: GUIDs, LIDs, width and speed of links, adapters
 * with names, linear forwarding tables (LFTs), SL2VL tables, SLs of paths, and the qos_* keys of
 * its subnet manager. It is the last part of a .weftnet file; port p of a switch is port p of its
 * router, so port 0 has no cable. Little endian:
 *     u32 adapters, u32 hosts, u32 LIDs, u32 maps, u32 parts (1: LFTs, 2: SL2VL, 4: SLs of
 *     paths), u32 bytes of names, u32 bytes of qos,
 *     switches × { u64 guid, u64 system, u64 port guid, u32 vendor, u32 device, u16 LID, u8 LMC,
 *                  u8 ports, u8 enhanced, 3 × u8 0 },
 *     adapters × { u64 guid, u64 system, u32 vendor, u32 device, u32 name, u8 ports, 3 × u8 0 },
 *     hosts × { u64 guid, u32 adapter, u16 LID, u8 LMC, u8 port, u8 port of its switch, u8 width,
 *               u8 speed, u8 0 }, by router and port of it,
 *     cables × { u8 width, u8 speed }, LIDs × u16, ascending,
 *     [switches × LIDs × u8 port], [maps × 8 × u8 with two VLs each, and by switch
 *     ports × (ports + 1) × u16 map: of output 1 … ports by input 0 … ports],
 *     [hosts × hosts × u8 SL], names with a \0 behind each, qos. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_SUBNET_H
#define WEFT_NET_TOPOLOGY_COMMON_SUBNET_H

#include "base/pack.h"

#define WEFT_SUBNET_NO_SL   UINT8_MAX
#define WEFT_SUBNET_NO_PORT UINT8_MAX
#define WEFT_SUBNET_NO_MAP  UINT16_MAX
#define WEFT_SUBNET_LID_MAX 0xBFFFu

typedef struct weft_subnet_switch {
    uint64_t guid, system, port_guid;
    uint32_t vendor, device;
    uint16_t lid; /* 0: not known */
    uint8_t lmc, ports;
    bool enhanced; /* its port 0 is */
} weft_subnet_switch;

typedef struct weft_subnet_adapter {
    uint64_t guid, system;
    uint32_t vendor, device;
    uint32_t name; /* where it begins in names */
    uint8_t ports;
} weft_subnet_adapter;

/* A rate is width × speed. */
typedef struct weft_subnet_rate {
    uint8_t width; /* 0: not known */
    uint8_t speed; /* of weft_subnet_speeds */
} weft_subnet_rate;

/* A host is a cabled port of an adapter. */
typedef struct weft_subnet_host {
    uint64_t guid;
    uint32_t adapter;
    uint16_t lid; /* 0: not known */
    uint8_t lmc, port, switch_port;
    weft_subnet_rate rate;
} weft_subnet_host;

typedef struct weft_subnet {
    uint32_t n_switches, n_adapters, n_hosts, n_cables, n_lids, n_maps;
    weft_subnet_switch *switches;
    weft_subnet_adapter *adapters;
    weft_subnet_host *hosts;
    weft_subnet_rate *rates; /* of cables */
    uint16_t *lids;
    uint8_t *lft;       /* [switch × n_lids + nth LID], or WEFT_SUBNET_NO_PORT; NULL: none */
    uint8_t (*maps)[8]; /* VLs of SLs 0 … 15, the even one in the upper half */
    uint16_t *map;      /* at weft_subnet_map_at, or WEFT_SUBNET_NO_MAP; NULL: none */
    size_t *map_start;  /* [n_switches + 1] */
    uint8_t *path_sl;   /* [from × n_hosts + to], or WEFT_SUBNET_NO_SL; NULL: none */
    char *names;        /* of adapters, a \0 behind each */
    size_t names_bytes;
    char *qos; /* lines `key value` of OpenSM, \0-terminated; NULL: none */
} weft_subnet;

/* Speeds of a link of width 1. */
typedef struct weft_subnet_speed {
    const char *name;
    const char *gbps;   /* as opensm-subnet.lst has it */
    uint32_t data_mbps; /* what remains of it without the line code */
} weft_subnet_speed;
#define WEFT_SUBNET_SPEEDS 9
extern const weft_subnet_speed weft_subnet_speeds[WEFT_SUBNET_SPEEDS];
static inline uint64_t weft_subnet_mbps(weft_subnet_rate rate)
{
    return (uint64_t)rate.width * weft_subnet_speeds[rate.speed].data_mbps;
}

/* Rates have numbers, by width, then speed. */
#define WEFT_SUBNET_RATES ((size_t)256 * WEFT_SUBNET_SPEEDS)
static inline size_t weft_subnet_rate_number(weft_subnet_rate rate)
{
    return (size_t)rate.width * WEFT_SUBNET_SPEEDS + rate.speed;
}
static inline weft_subnet_rate weft_subnet_nth_rate(size_t number)
{
    return (weft_subnet_rate){.width = (uint8_t)(number / WEFT_SUBNET_SPEEDS),
                              .speed = (uint8_t)(number % WEFT_SUBNET_SPEEDS)};
}
static inline bool weft_subnet_same_rate(weft_subnet_rate a, weft_subnet_rate b)
{
    return a.width == b.width && a.speed == b.speed;
}

void weft_subnet_pack(const weft_subnet *subnet, weft_pack *pack);
/* Reads a subnet of a fabric with so many routers and cables; false: it is not sound. Nothing is
 * allocated that the bytes do not hold. */
bool weft_subnet_unpack(weft_subnet *subnet, weft_unpack *from, uint32_t routers, uint32_t cables);
void weft_subnet_done(weft_subnet *subnet);

/* Fills map_start from the ports of the switches; returns the number of cells of map. */
size_t weft_subnet_start_maps(weft_subnet *subnet);
/* Where the map of an input (0 … ports) and an output (1 … ports) of a switch is. */
static inline size_t weft_subnet_map_at(const weft_subnet *subnet, uint32_t at, uint32_t in,
                                        uint32_t out)
{
    return subnet->map_start[at] + (size_t)(out - 1) * (subnet->switches[at].ports + 1u) + in;
}
static inline uint8_t weft_subnet_vl(const uint8_t map[8], uint32_t sl)
{
    return sl & 1 ? map[sl / 2] & 15 : map[sl / 2] >> 4;
}
/* The greatest VL that its maps name, + 1; 1 without maps. */
uint32_t weft_subnet_count_vls(const weft_subnet *subnet);
/* The SL of a path between two hosts; 0 where none is known. */
static inline uint32_t weft_subnet_path_sl(const weft_subnet *subnet, uint32_t from, uint32_t to)
{
    uint8_t sl = subnet->path_sl ? subnet->path_sl[(size_t)from * subnet->n_hosts + to] : 0;
    return sl == WEFT_SUBNET_NO_SL ? 0 : sl;
}
/* The VL of an SL from an input of a switch to an output. VL 15, or none, is taken as 0: no packet
 * is dropped. */
uint32_t weft_subnet_hop_vl(const weft_subnet *subnet, uint32_t at, uint32_t in, uint32_t out,
                            uint32_t sl);
/* The number of a LID among those of the subnet, or n_lids. */
uint32_t weft_subnet_find_lid(const weft_subnet *subnet, uint32_t lid);
static inline const char *weft_subnet_host_name(const weft_subnet *subnet, uint32_t host)
{
    return subnet->names + subnet->adapters[subnet->hosts[host].adapter].name;
}

/* How many links there are of each rate, between switches or to hosts; the caller frees it. */
uint32_t *weft_subnet_count_rates(const weft_subnet *subnet, bool hosts);
/* The most frequent rate by such counts, the fastest of several. */
weft_subnet_rate weft_subnet_usual_rate(const uint32_t *count);
/* The rate that most of these links have; kinds: the number of rates, or NULL. */
weft_subnet_rate weft_subnet_common_rate(const weft_subnet *subnet, bool hosts, uint32_t *kinds);

#endif
