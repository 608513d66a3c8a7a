/* SPDX-License-Identifier: Apache-2.0 */
#include "net/topology/common/subnet.h"

#include "base/memory.h"
#include "config/infiniband/link_speeds.h"

#include <stdlib.h>

enum { PART_LFT = 1, PART_SL2VL = 2, PART_PATHS = 4 };
enum { SWITCH_BYTES = 40, ADAPTER_BYTES = 32, HOST_BYTES = 20, RATE_BYTES = 2 };

const weft_subnet_speed weft_subnet_speeds[WEFT_SUBNET_SPEEDS] = {
#define SPEED(name, gbps, mbps) {name, gbps, mbps},
    WEFT_LINK_SPEEDS(SPEED)
#undef SPEED
};

void weft_subnet_done(weft_subnet *subnet)
{
    free(subnet->switches);
    free(subnet->adapters);
    free(subnet->hosts);
    free(subnet->rates);
    free(subnet->lids);
    free(subnet->lft);
    free(subnet->maps);
    free(subnet->map);
    free(subnet->map_start);
    free(subnet->path_sl);
    free(subnet->names);
    free(subnet->qos);
    *subnet = (weft_subnet){0};
}

size_t weft_subnet_start_maps(weft_subnet *subnet)
{
    size_t cells = 0;
    subnet->map_start = weft_alloc(sizeof *subnet->map_start * (subnet->n_switches + 1u));
    for (uint32_t s = 0; s < subnet->n_switches; s++) {
        subnet->map_start[s] = cells;
        cells += (size_t)subnet->switches[s].ports * (subnet->switches[s].ports + 1u);
    }
    return subnet->map_start[subnet->n_switches] = cells;
}

uint32_t weft_subnet_find_lid(const weft_subnet *subnet, uint32_t lid)
{
    uint32_t low = 0, high = subnet->n_lids;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (subnet->lids[middle] == lid)
            return middle;
        if (subnet->lids[middle] < lid)
            low = middle + 1;
        else
            high = middle;
    }
    return subnet->n_lids;
}

uint32_t weft_subnet_count_vls(const weft_subnet *subnet)
{
    uint32_t count = 1;
    for (uint32_t m = 0; subnet->map && m < subnet->n_maps; m++)
        for (uint32_t sl = 0; sl < 16; sl++) {
            uint32_t vl = weft_subnet_vl(subnet->maps[m], sl);
            count = vl < 15 && vl >= count ? vl + 1 : count;
        }
    return count;
}

uint32_t weft_subnet_hop_vl(const weft_subnet *subnet, uint32_t at, uint32_t in, uint32_t out,
                            uint32_t sl)
{
    uint32_t ports = subnet->switches[at].ports;
    uint16_t map = subnet->map && in <= ports && out > 0 && out <= ports
                       ? subnet->map[weft_subnet_map_at(subnet, at, in, out)]
                       : WEFT_SUBNET_NO_MAP;
    uint32_t vl = map == WEFT_SUBNET_NO_MAP ? 0 : weft_subnet_vl(subnet->maps[map], sl);
    return vl == 15 ? 0 : vl;
}

uint32_t *weft_subnet_count_rates(const weft_subnet *subnet, bool hosts)
{
    uint32_t *count = weft_alloc(sizeof *count * WEFT_SUBNET_RATES);
    for (uint32_t c = 0; !hosts && c < subnet->n_cables; c++)
        count[weft_subnet_rate_number(subnet->rates[c])]++;
    for (uint32_t h = 0; hosts && h < subnet->n_hosts; h++)
        count[weft_subnet_rate_number(subnet->hosts[h].rate)]++;
    return count;
}

weft_subnet_rate weft_subnet_usual_rate(const uint32_t *count)
{
    size_t best = 0;
    for (size_t i = 1; i < WEFT_SUBNET_RATES; i++)
        if (count[i] > count[best] || (count[i] == count[best] && count[i] > 0 &&
                                       weft_subnet_mbps(weft_subnet_nth_rate(i)) >
                                           weft_subnet_mbps(weft_subnet_nth_rate(best))))
            best = i;
    return weft_subnet_nth_rate(best);
}

weft_subnet_rate weft_subnet_common_rate(const weft_subnet *subnet, bool hosts, uint32_t *kinds)
{
    uint32_t *count = weft_subnet_count_rates(subnet, hosts);
    weft_subnet_rate usual = weft_subnet_usual_rate(count);
    if (kinds) {
        *kinds = 0;
        for (size_t i = 0; i < WEFT_SUBNET_RATES; i++)
            *kinds += count[i] > 0;
    }
    free(count);
    return usual;
}

/* ---- writing ---- */

static void put_u8(weft_pack *pack, uint32_t value)
{
    *weft_pack_claim(pack, 1) = (unsigned char)value;
}

static void put_u16(weft_pack *pack, uint32_t value)
{
    put_u8(pack, value & 0xFF);
    put_u8(pack, value >> 8);
}

static void pack_switch(weft_pack *pack, const weft_subnet_switch *one)
{
    weft_pack_u64(pack, one->guid);
    weft_pack_u64(pack, one->system);
    weft_pack_u64(pack, one->port_guid);
    weft_pack_u32(pack, one->vendor);
    weft_pack_u32(pack, one->device);
    put_u16(pack, one->lid);
    put_u8(pack, one->lmc);
    put_u8(pack, one->ports);
    weft_pack_u32(pack, one->enhanced);
}

static void pack_adapter(weft_pack *pack, const weft_subnet_adapter *one)
{
    weft_pack_u64(pack, one->guid);
    weft_pack_u64(pack, one->system);
    weft_pack_u32(pack, one->vendor);
    weft_pack_u32(pack, one->device);
    weft_pack_u32(pack, one->name);
    weft_pack_u32(pack, one->ports);
}

static void pack_host(weft_pack *pack, const weft_subnet_host *one)
{
    weft_pack_u64(pack, one->guid);
    weft_pack_u32(pack, one->adapter);
    put_u16(pack, one->lid);
    put_u8(pack, one->lmc);
    put_u8(pack, one->port);
    put_u8(pack, one->switch_port);
    put_u8(pack, one->rate.width);
    put_u8(pack, one->rate.speed);
    put_u8(pack, 0);
}

static void pack_tables(const weft_subnet *subnet, weft_pack *pack)
{
    if (subnet->lft)
        weft_pack_bytes(pack, subnet->lft, (size_t)subnet->n_switches * subnet->n_lids);
    if (subnet->map) {
        weft_pack_bytes(pack, subnet->maps, (size_t)subnet->n_maps * sizeof *subnet->maps);
        for (size_t i = 0; i < subnet->map_start[subnet->n_switches]; i++)
            put_u16(pack, subnet->map[i]);
    }
    if (subnet->path_sl)
        weft_pack_bytes(pack, subnet->path_sl, (size_t)subnet->n_hosts * subnet->n_hosts);
}

void weft_subnet_pack(const weft_subnet *subnet, weft_pack *pack)
{
    size_t qos = subnet->qos ? strlen(subnet->qos) : 0;
    weft_pack_u32(pack, subnet->n_adapters);
    weft_pack_u32(pack, subnet->n_hosts);
    weft_pack_u32(pack, subnet->n_lids);
    weft_pack_u32(pack, subnet->n_maps);
    weft_pack_u32(pack, (subnet->lft ? PART_LFT : 0u) | (subnet->map ? PART_SL2VL : 0u) |
                            (subnet->path_sl ? PART_PATHS : 0u));
    weft_pack_u32(pack, (uint32_t)subnet->names_bytes);
    weft_pack_u32(pack, (uint32_t)qos);
    for (uint32_t s = 0; s < subnet->n_switches; s++)
        pack_switch(pack, &subnet->switches[s]);
    for (uint32_t a = 0; a < subnet->n_adapters; a++)
        pack_adapter(pack, &subnet->adapters[a]);
    for (uint32_t h = 0; h < subnet->n_hosts; h++)
        pack_host(pack, &subnet->hosts[h]);
    for (uint32_t c = 0; c < subnet->n_cables; c++)
        put_u16(pack, subnet->rates[c].width | (uint32_t)subnet->rates[c].speed << 8);
    for (uint32_t l = 0; l < subnet->n_lids; l++)
        put_u16(pack, subnet->lids[l]);
    pack_tables(subnet, pack);
    weft_pack_bytes(pack, subnet->names, subnet->names_bytes);
    weft_pack_bytes(pack, subnet->qos, qos);
}

/* ---- reading ---- */

typedef struct header {
    uint32_t parts, names_bytes, qos_bytes;
} header;

static uint32_t get_u16(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8;
}

static weft_subnet_switch switch_of(const unsigned char *at)
{
    return (weft_subnet_switch){.guid = weft_get_u64(at),
                                .system = weft_get_u64(at + 8),
                                .port_guid = weft_get_u64(at + 16),
                                .vendor = weft_get_u32(at + 24),
                                .device = weft_get_u32(at + 28),
                                .lid = (uint16_t)get_u16(at + 32),
                                .lmc = at[34],
                                .ports = at[35],
                                .enhanced = at[36]};
}

static weft_subnet_adapter adapter_of(const unsigned char *at)
{
    return (weft_subnet_adapter){.guid = weft_get_u64(at),
                                 .system = weft_get_u64(at + 8),
                                 .vendor = weft_get_u32(at + 16),
                                 .device = weft_get_u32(at + 20),
                                 .name = weft_get_u32(at + 24),
                                 .ports = at[28]};
}

static weft_subnet_host host_of(const unsigned char *at)
{
    return (weft_subnet_host){.guid = weft_get_u64(at),
                              .adapter = weft_get_u32(at + 8),
                              .lid = (uint16_t)get_u16(at + 12),
                              .lmc = at[14],
                              .port = at[15],
                              .switch_port = at[16],
                              .rate = {.width = at[17], .speed = at[18]}};
}

/* Are the bytes of `count` records there? They, or NULL. */
static const unsigned char *records(weft_unpack *from, uint64_t count, uint64_t bytes)
{
    uint64_t all = count * bytes;
    if (all == 0)
        return from->at;
    return all <= weft_unpack_left(from) ? weft_unpack_bytes(from, (size_t)all) : NULL;
}

#define LMC_MOST 7

static bool read_nodes(weft_subnet *subnet, weft_unpack *from)
{
    const unsigned char *switches = records(from, subnet->n_switches, SWITCH_BYTES);
    const unsigned char *adapters =
        switches ? records(from, subnet->n_adapters, ADAPTER_BYTES) : NULL;
    const unsigned char *hosts = adapters ? records(from, subnet->n_hosts, HOST_BYTES) : NULL;
    if (!hosts)
        return false;
    subnet->switches = weft_alloc(sizeof *subnet->switches * subnet->n_switches + 1);
    subnet->adapters = weft_alloc(sizeof *subnet->adapters * subnet->n_adapters + 1);
    subnet->hosts = weft_alloc(sizeof *subnet->hosts * subnet->n_hosts + 1);
    for (size_t s = 0; s < subnet->n_switches; s++) {
        subnet->switches[s] = switch_of(switches + s * SWITCH_BYTES);
        if (weft_get_u32(switches + s * SWITCH_BYTES + 36) > 1)
            return false;
    }
    for (size_t a = 0; a < subnet->n_adapters; a++) {
        subnet->adapters[a] = adapter_of(adapters + a * ADAPTER_BYTES);
        if (weft_get_u32(adapters + a * ADAPTER_BYTES + 28) > UINT8_MAX)
            return false;
    }
    for (size_t h = 0; h < subnet->n_hosts; h++) {
        subnet->hosts[h] = host_of(hosts + h * HOST_BYTES);
        if (hosts[h * HOST_BYTES + 19] || subnet->hosts[h].adapter >= subnet->n_adapters ||
            subnet->hosts[h].rate.speed >= WEFT_SUBNET_SPEEDS || subnet->hosts[h].lmc > LMC_MOST)
            return false;
    }
    return true;
}

static bool read_rates(weft_subnet *subnet, weft_unpack *from)
{
    const unsigned char *rates = records(from, subnet->n_cables, RATE_BYTES);
    const unsigned char *lids = rates ? records(from, subnet->n_lids, 2) : NULL;
    if (!lids)
        return false;
    subnet->rates = weft_alloc(sizeof *subnet->rates * subnet->n_cables + 1);
    subnet->lids = weft_alloc(sizeof *subnet->lids * subnet->n_lids + 1);
    for (size_t c = 0; c < subnet->n_cables; c++) {
        subnet->rates[c] = (weft_subnet_rate){rates[2 * c], rates[2 * c + 1]};
        if (subnet->rates[c].speed >= WEFT_SUBNET_SPEEDS)
            return false;
    }
    for (size_t l = 0; l < subnet->n_lids; l++) {
        subnet->lids[l] = (uint16_t)get_u16(lids + 2 * l);
        if (subnet->lids[l] == 0 || (l > 0 && subnet->lids[l] <= subnet->lids[l - 1]))
            return false;
    }
    return true;
}

static uint8_t *copy_bytes(weft_unpack *from, uint64_t count)
{
    const unsigned char *at = records(from, count, 1);
    if (!at)
        return NULL;
    uint8_t *copy = weft_alloc((size_t)count + 1);
    memcpy(copy, at, (size_t)count);
    return copy;
}

static bool read_maps(weft_subnet *subnet, weft_unpack *from)
{
    size_t cells = weft_subnet_start_maps(subnet);
    const unsigned char *maps = records(from, subnet->n_maps, sizeof *subnet->maps);
    const unsigned char *at = maps ? records(from, cells, 2) : NULL;
    if (!at)
        return false;
    subnet->maps = weft_alloc((size_t)subnet->n_maps * sizeof *subnet->maps + 1);
    memcpy(subnet->maps, maps, (size_t)subnet->n_maps * sizeof *subnet->maps);
    subnet->map = weft_alloc(sizeof *subnet->map * cells + 1);
    for (size_t i = 0; i < cells; i++) {
        subnet->map[i] = (uint16_t)get_u16(at + 2 * i);
        if (subnet->map[i] != WEFT_SUBNET_NO_MAP && subnet->map[i] >= subnet->n_maps)
            return false;
    }
    return true;
}

static bool read_tables(weft_subnet *subnet, weft_unpack *from, const header *head)
{
    if (head->parts & PART_LFT) {
        subnet->lft = copy_bytes(from, (uint64_t)subnet->n_switches * subnet->n_lids);
        if (!subnet->lft)
            return false;
    }
    if (head->parts & PART_SL2VL && !read_maps(subnet, from))
        return false;
    if (!(head->parts & PART_SL2VL) && subnet->n_maps > 0)
        return false;
    if (head->parts & PART_PATHS) {
        uint64_t pairs = (uint64_t)subnet->n_hosts * subnet->n_hosts;
        subnet->path_sl = copy_bytes(from, pairs);
        for (uint64_t i = 0; subnet->path_sl && i < pairs; i++)
            if (subnet->path_sl[i] > 15 && subnet->path_sl[i] != WEFT_SUBNET_NO_SL)
                return false;
        return subnet->path_sl != NULL;
    }
    return true;
}

/* Every adapter's name begins where it says and ends with a \0. */
static bool read_texts(weft_subnet *subnet, weft_unpack *from, const header *head)
{
    subnet->names = (char *)copy_bytes(from, head->names_bytes);
    subnet->names_bytes = head->names_bytes;
    if (!subnet->names || (head->names_bytes > 0 && subnet->names[head->names_bytes - 1]))
        return false;
    for (uint32_t a = 0; a < subnet->n_adapters; a++)
        if (subnet->adapters[a].name >= head->names_bytes)
            return false;
    if (head->qos_bytes == 0)
        return true;
    subnet->qos = (char *)copy_bytes(from, head->qos_bytes);
    return subnet->qos && strlen(subnet->qos) == head->qos_bytes;
}

bool weft_subnet_unpack(weft_subnet *subnet, weft_unpack *from, uint32_t routers, uint32_t cables)
{
    *subnet = (weft_subnet){.n_switches = routers,
                            .n_cables = cables,
                            .n_adapters = weft_unpack_u32(from),
                            .n_hosts = weft_unpack_u32(from),
                            .n_lids = weft_unpack_u32(from),
                            .n_maps = weft_unpack_u32(from)};
    header head = {.parts = weft_unpack_u32(from),
                   .names_bytes = weft_unpack_u32(from),
                   .qos_bytes = weft_unpack_u32(from)};
    return head.parts <= 7 && read_nodes(subnet, from) && read_rates(subnet, from) &&
           read_tables(subnet, from, &head) && read_texts(subnet, from, &head);
}
