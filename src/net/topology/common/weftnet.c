/* SPDX-License-Identifier: Apache-2.0 */
#include "net/topology/common/weftnet.h"

#include "base/crc32c.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <stdlib.h>

#define MAGIC        "WEFTNET\n"
#define VERSION      1u
#define HEADER       40u
#define CABLE_BYTES  16u
#define FILE_MOST    ((size_t)1 << 32)
#define TIMING_BYTES 24u
#define FASTEST      1e18 /* bits per second, and latencies */
enum { PART_RANKS = 1, PART_TABLES = 2, PART_SUBNET = 4, PART_TIMING = 8, PARTS_ALL = 15 };

typedef struct header {
    uint32_t parts, routers, homes, ports, cables;
    uint64_t text_bytes, subnet_bytes;
} header;

void weft_weftnet_done(weft_weftnet *net)
{
    free(net->hosts);
    free(net->cables);
    free(net->timing);
    free(net->rank);
    free(net->file ? net->file : net->table);
    free(net->text);
    free(net->name);
    if (net->subnet)
        weft_subnet_done(net->subnet);
    free(net->subnet);
    *net = (weft_weftnet){0};
}

/* ---- writing ---- */

static void put_u8(weft_pack *pack, uint32_t value)
{
    *weft_pack_claim(pack, 1) = (unsigned char)value;
}

static void pack_cable(weft_pack *pack, const weft_cable *cable)
{
    weft_pack_u32(pack, cable->end[0].router);
    weft_pack_u32(pack, cable->end[1].router);
    put_u8(pack, cable->end[0].port & 0xff);
    put_u8(pack, cable->end[1].port & 0xff);
    put_u8(pack, cable->class);
    put_u8(pack, cable->end[0].port >> 8 | cable->end[1].port >> 8 << 4);
    weft_pack_u32(pack, cable->latency);
}

static void pack_timing(weft_pack *pack, const weft_link_settings *timing)
{
    weft_pack_double(pack, timing->rate.value);
    weft_pack_double(pack, timing->latency.value);
    weft_pack_u32(pack, (uint32_t)timing->rate.unit);
    weft_pack_u32(pack, (uint32_t)timing->latency.unit);
}

void weft_weftnet_pack(const weft_weftnet *net, weft_pack *pack)
{
    size_t start = pack->count;
    weft_pack subnet = {0};
    if (net->subnet)
        weft_subnet_pack(net->subnet, &subnet);
    weft_pack_bytes(pack, MAGIC, 8);
    weft_pack_u32(pack, VERSION);
    weft_pack_u32(pack, (net->rank ? PART_RANKS : 0u) | (net->table ? PART_TABLES : 0u) |
                            (net->subnet ? PART_SUBNET : 0u) | (net->timing ? PART_TIMING : 0u));
    weft_pack_u32(pack, net->routers);
    weft_pack_u32(pack, net->homes);
    weft_pack_u32(pack, net->ports);
    weft_pack_u32(pack, net->n_cables);
    weft_pack_u64(pack, net->text_bytes);
    if (net->subnet)
        weft_pack_u64(pack, subnet.count);
    for (uint32_t h = 0; h < net->homes; h++)
        weft_pack_u32(pack, net->hosts[h]);
    for (uint32_t c = 0; c < net->n_cables; c++)
        pack_cable(pack, &net->cables[c]);
    for (uint32_t i = 0; net->timing && i < net->n_cables + net->homes; i++)
        pack_timing(pack, &net->timing[i]);
    for (uint32_t r = 0; net->rank && r < net->routers; r++)
        weft_pack_u32(pack, net->rank[r]);
    if (net->table)
        weft_pack_bytes(pack, net->table, (size_t)net->routers * net->homes);
    weft_pack_bytes(pack, net->text, net->text_bytes);
    weft_pack_bytes(pack, subnet.data, subnet.count);
    weft_pack_done(&subnet);
    weft_pack_u32(pack, weft_crc32c(0, pack->data + start, pack->count - start));
}

/* ---- reading ---- */

static weft_status wrong(const char *path, weft_error *err, const char *what)
{
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%.1024s is no sound .weftnet fabric: %s; `weft import` makes one", path,
                     what);
}

/* Bytes of a file with this header; its numbers are below 2^26, so nothing overflows. */
static uint64_t expected(const header *head)
{
    uint64_t bytes = HEADER + 4 * (uint64_t)head->homes + CABLE_BYTES * (uint64_t)head->cables + 4;
    if (head->parts & PART_TIMING)
        bytes += TIMING_BYTES * ((uint64_t)head->cables + head->homes);
    if (head->parts & PART_RANKS)
        bytes += 4 * (uint64_t)head->routers;
    if (head->parts & PART_TABLES)
        bytes += (uint64_t)head->routers * head->homes;
    if (head->parts & PART_SUBNET)
        bytes += 8 + head->subnet_bytes;
    return bytes + head->text_bytes;
}

static weft_status read_header(const char *path, weft_unpack *from, size_t bytes, header *head,
                               weft_error *err)
{
    const void *magic = weft_unpack_bytes(from, 8);
    if (!magic || memcmp(magic, MAGIC, 8) != 0)
        return wrong(path, err, "it does not begin like one");
    uint32_t version = weft_unpack_u32(from);
    if (version != VERSION)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.1024s is of version %u, this program reads version %u: import it again",
                         path, version, VERSION);
    head->parts = weft_unpack_u32(from);
    head->routers = weft_unpack_u32(from);
    head->homes = weft_unpack_u32(from);
    head->ports = weft_unpack_u32(from);
    head->cables = weft_unpack_u32(from);
    head->text_bytes = weft_unpack_u64(from);
    if (head->parts & PART_SUBNET)
        head->subnet_bytes = weft_unpack_u64(from);
    if (head->parts > PARTS_ALL || head->routers == 0 || head->routers > WEFT_WEFTNET_MOST ||
        head->homes == 0 || head->homes > head->routers || head->cables > WEFT_WEFTNET_MOST ||
        head->ports > WEFT_WEFTNET_PORTS_MAX || head->text_bytes > bytes ||
        head->subnet_bytes > bytes)
        return wrong(path, err, "its sizes make no sense");
    if (expected(head) != bytes)
        return wrong(path, err, "its length is not what its sizes say, it may be cut off");
    return WEFT_OK;
}

static weft_cable unpack_cable(weft_unpack *from)
{
    weft_cable cable = {.end[0].router = weft_unpack_u32(from),
                        .end[1].router = weft_unpack_u32(from)};
    uint32_t packed = weft_unpack_u32(from);
    cable.end[0].port = (packed & 0xFF) | (packed >> 24 & 0xF) << 8;
    cable.end[1].port = (packed >> 8 & 0xFF) | packed >> 28 << 8;
    cable.class = packed >> 16 & 0xFF;
    cable.latency = weft_unpack_u32(from);
    return cable;
}

/* False: it is none that a link can have. */
static bool read_timing(weft_unpack *from, weft_link_settings *timing)
{
    timing->rate.value = weft_unpack_double(from);
    timing->latency.value = weft_unpack_double(from);
    uint32_t rate_unit = weft_unpack_u32(from), latency_unit = weft_unpack_u32(from);
    if ((rate_unit != WEFT_NO_RATE && rate_unit != WEFT_BITS_PER_SECOND &&
         rate_unit != WEFT_FLITS_PER_CYCLE) ||
        (latency_unit != WEFT_NO_TIME && latency_unit != WEFT_CYCLES &&
         latency_unit != WEFT_PICOSECONDS))
        return false;
    timing->rate.unit = rate_unit;
    timing->latency.unit = latency_unit;
    bool rate_sound =
        rate_unit == WEFT_NO_RATE || (timing->rate.value > 0 && timing->rate.value <= FASTEST);
    bool latency_sound = latency_unit == WEFT_NO_TIME ||
                         (timing->latency.value >= 0 && timing->latency.value <= FASTEST);
    return rate_sound && latency_sound;
}

/* Where names start; false: there are not as many as routers. */
static bool find_names(weft_weftnet *net)
{
    size_t at = 0;
    net->name = weft_alloc(sizeof *net->name * net->routers);
    for (uint32_t r = 0; r < net->routers; r++) {
        const char *end = memchr(net->text + at, '\0', net->text_bytes - at);
        if (!end || at > UINT32_MAX)
            return false;
        net->name[r] = (uint32_t)at;
        at = (size_t)(end - net->text) + 1;
    }
    return at == net->text_bytes;
}

/* The table stays where it is if it may be kept. */
static uint8_t *read_table(weft_unpack *from, size_t cells, void *file)
{
    const unsigned char *at = weft_unpack_bytes(from, cells);
    if (file)
        return (uint8_t *)file + (at - (const unsigned char *)file);
    uint8_t *table = weft_alloc(cells);
    memcpy(table, at, cells);
    return table;
}

static bool read_subnet(weft_unpack *from, const header *head, weft_weftnet *net)
{
    weft_unpack part =
        weft_unpack_of(weft_unpack_bytes(from, (size_t)head->subnet_bytes), head->subnet_bytes);
    net->subnet = weft_alloc(sizeof *net->subnet);
    return weft_subnet_unpack(net->subnet, &part, net->routers, net->n_cables) &&
           weft_unpack_end(&part);
}

/* Everything between header and checksum, whose size is known to be right; returns a flaw. */
static const char *read_body(weft_unpack *from, const header *head, weft_weftnet *net, void *file)
{
    net->hosts = weft_alloc(sizeof *net->hosts * net->homes);
    for (uint32_t h = 0; h < net->homes; h++)
        net->hosts[h] = weft_unpack_u32(from);
    net->cables = weft_alloc(sizeof *net->cables * net->n_cables + 1);
    for (uint32_t c = 0; c < net->n_cables; c++)
        net->cables[c] = unpack_cable(from);
    if (head->parts & PART_TIMING)
        net->timing = weft_alloc(sizeof *net->timing * (net->n_cables + net->homes));
    for (uint32_t i = 0; net->timing && i < net->n_cables + net->homes; i++)
        if (!read_timing(from, &net->timing[i]))
            return "a link has a rate or latency that none can have";
    if (head->parts & PART_RANKS) {
        net->rank = weft_alloc(sizeof *net->rank * net->routers);
        for (uint32_t r = 0; r < net->routers; r++)
            net->rank[r] = weft_unpack_u32(from);
    }
    if (head->parts & PART_TABLES) {
        net->table = read_table(from, (size_t)net->routers * net->homes, file);
        net->file = file;
    }
    net->text = weft_alloc(net->text_bytes + 1);
    memcpy(net->text, weft_unpack_bytes(from, net->text_bytes), net->text_bytes);
    if (!find_names(net))
        return "names are missing";
    return !(head->parts & PART_SUBNET) || read_subnet(from, head, net) ? NULL
                                                                        : "its subnet is not whole";
}

/* file: the same bytes on the heap, which belong to *net once it has a file; NULL: they are
 * borrowed. */
static weft_status parse(const char *path, const void *data, size_t bytes, void *file,
                         weft_weftnet *net, weft_error *err)
{
    header head = {0};
    weft_unpack from = weft_unpack_of(data, bytes);
    *net = (weft_weftnet){0};
    WEFT_TRY(read_header(path, &from, bytes, &head, err));
    if (weft_crc32c(0, data, bytes - 4) != weft_get_u32((const unsigned char *)data + bytes - 4))
        return wrong(path, err, "its checksum differs");
    *net = (weft_weftnet){.routers = head.routers,
                          .homes = head.homes,
                          .ports = head.ports,
                          .n_cables = head.cables,
                          .text_bytes = (size_t)head.text_bytes};
    const char *flaw = read_body(&from, &head, net, file);
    if (!flaw)
        flaw = weft_weftnet_flaw(net);
    return flaw ? wrong(path, err, flaw) : WEFT_OK;
}

weft_status weft_weftnet_parse(const char *path, const void *data, size_t bytes, weft_weftnet *net,
                               weft_error *err)
{
    weft_status status = parse(path, data, bytes, NULL, net, err);
    if (status != WEFT_OK)
        weft_weftnet_done(net);
    return status;
}

weft_status weft_weftnet_read(const char *path, weft_weftnet *net, weft_error *err)
{
    weft_bytes bytes;
    *net = (weft_weftnet){0};
    WEFT_TRY(weft_bytes_read(path, FILE_MOST, "a .weftnet fabric", &bytes, err));
    weft_status status = parse(path, bytes.at, bytes.count, bytes.at, net, err);
    if (!net->file)
        free(bytes.at);
    if (status != WEFT_OK)
        weft_weftnet_done(net);
    return status;
}

/* ---- rates and latencies ---- */

static weft_rate rate_of(weft_subnet_rate rate)
{
    return (weft_rate){.value = 1e6 * (double)weft_subnet_mbps(rate),
                       .unit = rate.width ? WEFT_BITS_PER_SECOND : WEFT_NO_RATE};
}

weft_link_settings weft_weftnet_timing(const weft_weftnet *net, uint32_t cable)
{
    weft_link_settings timing = {.rate.unit = WEFT_NO_RATE, .latency.unit = WEFT_NO_TIME};
    if (net->timing)
        timing = net->timing[cable];
    if (net->subnet)
        timing.rate = rate_of(net->subnet->rates[cable]);
    if (timing.latency.unit == WEFT_NO_TIME && net->cables[cable].latency > 0)
        timing.latency = (weft_duration){(double)net->cables[cable].latency, WEFT_CYCLES};
    return timing;
}

weft_link_settings weft_weftnet_host_timing(const weft_weftnet *net, uint32_t home, uint32_t host)
{
    weft_link_settings timing = {.rate.unit = WEFT_NO_RATE, .latency.unit = WEFT_NO_TIME};
    if (net->timing)
        timing = net->timing[net->n_cables + home];
    if (net->subnet)
        timing.rate = rate_of(net->subnet->hosts[host].rate);
    return timing;
}

/* ---- hosts of a subnet ---- */

/* The column of a host's LID for every router; a port without a cable is no port. */
static void copy_column(const weft_weftnet *net, uint32_t host, uint32_t path, uint8_t *out,
                        size_t width)
{
    const weft_subnet *subnet = net->subnet;
    uint32_t lids = 1u << subnet->hosts[host].lmc;
    uint32_t nth = weft_subnet_find_lid(subnet, subnet->hosts[host].lid + path % lids);
    for (size_t r = 0; r < net->routers; r++) {
        uint8_t port =
            nth < subnet->n_lids ? subnet->lft[r * subnet->n_lids + nth] : WEFT_WEFTNET_NO_PORT;
        out[r * width] = port < net->ports ? port : WEFT_WEFTNET_NO_PORT;
    }
}

void weft_weftnet_lft(const weft_weftnet *net, uint32_t each, uint32_t paths, uint8_t *out)
{
    size_t width = (size_t)net->homes * each * paths;
    uint32_t first = 0;
    for (size_t home = 0; home < net->homes; first += net->hosts[home++])
        for (uint32_t e = 0; e < each; e++)
            for (uint32_t p = 0; p < paths; p++)
                copy_column(net, first + (e < net->hosts[home] ? e : 0), p,
                            out + (home * each + e) * paths + p, width);
}

/* ---- levels ---- */

uint32_t weft_weftnet_levels(const weft_weftnet *net, uint32_t *level)
{
    uint32_t most = 0, levels = 1;
    for (uint32_t h = 0; h < net->homes; h++)
        most = net->hosts[h] > most ? net->hosts[h] : most;
    for (uint32_t r = 0; r < net->routers; r++)
        level[r] = r < net->homes && 4 * (uint64_t)net->hosts[r] >= most ? 0 : UINT32_MAX;
    for (bool found = true; found; levels += found) {
        found = false;
        for (uint32_t l = 0; l < 2 * net->n_cables; l++) {
            uint32_t from = net->cables[l / 2].end[l % 2].router;
            uint32_t to = net->cables[l / 2].end[1 - l % 2].router;
            if (level[from] == levels - 1 && level[to] == UINT32_MAX) {
                level[to] = levels;
                found = true;
            }
        }
    }
    for (uint32_t r = 0; r < net->routers; r++)
        level[r] = level[r] == UINT32_MAX ? 0 : level[r];
    return levels;
}

/* ---- does it make sense? ---- */

bool weft_weftnet_name_sound(const char *name, size_t length)
{
    if (length == 0 || length > WEFT_WEFTNET_NAME_MAX)
        return false;
    for (size_t i = 0, bytes; i < length; i += bytes) {
        uint32_t code;
        bytes = weft_utf8_next(name + i, length - i, &code);
        if (bytes == 0 || weft_utf8_is_control(code))
            return false;
    }
    return true;
}

static bool has_cable(const uint64_t *used, uint32_t port)
{
    return used[port / 64] >> port % 64 & 1;
}

typedef struct checker {
    const weft_weftnet *net;
    uint32_t words; /* … of a set of ports */
    uint64_t *used; /* of every router: ports with a cable, a bit each */
    uint8_t class[WEFT_WEFTNET_PORTS_MAX];
    bool seen[WEFT_WEFTNET_PORTS_MAX];
} checker;

/* NULL: this end of a cable is fine. */
static const char *check_end(checker *it, weft_end end, uint32_t class)
{
    if (end.router >= it->net->routers || end.port >= it->net->ports)
        return "a cable ends where nothing is";
    uint64_t *used = it->used + (size_t)end.router * it->words;
    if (has_cable(used, end.port))
        return "two cables share a port";
    used[end.port / 64] |= (uint64_t)1 << end.port % 64;
    if (it->seen[end.port] && it->class[end.port] != class)
        return "ports of one number have links of several classes";
    it->seen[end.port] = true;
    it->class[end.port] = (uint8_t) class;
    return NULL;
}

static const char *check_cables(checker *it)
{
    for (uint32_t c = 0; c < it->net->n_cables; c++) {
        const weft_cable *cable = &it->net->cables[c];
        if (cable->class >= WEFT_LINK_CLASSES || cable->class == WEFT_LINK_HOST)
            return "a link is of an unknown class";
        if (cable->end[0].router == cable->end[1].router)
            return "a cable leads from a router to itself";
        for (int e = 0; e < 2; e++) {
            const char *what = check_end(it, cable->end[e], cable->class);
            if (what)
                return what;
        }
    }
    return NULL;
}

/* Does a router's table name only ports it uses? */
static bool check_table(const uint8_t *table, const weft_weftnet *net, const uint64_t *used)
{
    uint8_t wrong_port[UINT8_MAX + 1], any = 0;
    for (unsigned p = 0; p <= UINT8_MAX; p++)
        wrong_port[p] = p != WEFT_WEFTNET_NO_PORT && (p >= net->ports || !has_cable(used, p));
    for (uint32_t h = 0; h < net->homes; h++)
        any |= wrong_port[table[h]];
    return !any;
}

static const char *check_routers(const checker *it)
{
    const weft_weftnet *net = it->net;
    uint64_t endpoints = 0;
    for (uint32_t h = 0; h < net->homes; h++) {
        if (net->hosts[h] == 0 || net->hosts[h] > WEFT_WEFTNET_HOSTS_MAX)
            return "a router has no hosts, or too many";
        endpoints += net->hosts[h];
    }
    if (endpoints > (uint64_t)1 << 31)
        return "there are more endpoints than can be simulated";
    for (uint32_t r = 0; r < net->routers; r++) {
        const char *name = weft_weftnet_name(net, r);
        if (!weft_weftnet_name_sound(name, strlen(name)))
            return "a router's name is no text of 1 … 255 bytes";
    }
    for (uint32_t r = 0; net->table && r < net->routers; r++)
        if (!check_table(net->table + (size_t)r * net->homes, net,
                         it->used + (size_t)r * it->words))
            return "a table names a port at which there is no cable";
    return NULL;
}

/* Are the hosts of the subnet those of the fabric? */
static const char *check_subnet(const weft_weftnet *net)
{
    const weft_subnet *subnet = net->subnet;
    uint64_t hosts = 0;
    for (uint32_t h = 0; h < net->homes; h++)
        hosts += net->hosts[h];
    if (hosts != subnet->n_hosts)
        return "its subnet has other hosts than its routers";
    for (uint32_t h = 0, home = 0, left = net->hosts[0]; h < subnet->n_hosts; h++, left--) {
        const char *name = weft_subnet_host_name(subnet, h);
        if (!weft_weftnet_name_sound(name, strlen(name)))
            return "a host's name is no text of 1 … 255 bytes";
        if (left == 0)
            left = net->hosts[++home];
        if (subnet->hosts[h].switch_port > subnet->switches[home].ports)
            return "a host is at a port that its switch does not have";
    }
    return NULL;
}

const char *weft_weftnet_flaw(const weft_weftnet *net)
{
    checker it = {.net = net, .words = (net->ports + 63) / 64};
    it.used = weft_alloc(sizeof(uint64_t) * it.words * net->routers + 1);
    const char *flaw = check_cables(&it);
    if (!flaw)
        flaw = check_routers(&it);
    if (!flaw && net->subnet)
        flaw = check_subnet(net);
    free(it.used);
    return flaw;
}
