/* SPDX-License-Identifier: Apache-2.0 */
/* SL2VL tables of switches: the VL of every service level, by input and output port.
 * opensm-sl2vl.dump:
 *     Switch 0x0000000000200000, base LID 2, "leaf0"
 *     3   1   : 2  3  2  3  2  3  2  3  6  7  6  7  6  7  6  7
 * and what ibdmchk reads, two VLs a number:
 *     0x0000000000200000 3 1 0x23 0x23 0x23 0x23 0x67 0x67 0x67 0x67
 * Tables of adapters are passed over. */
#include "interop/infiniband/dumps.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct reading {
    weft_weftnet *net;
    weft_subnet *subnet;
    weft_ib_guids guids;
    uint32_t at;     /* the switch in hand; WEFT_IB_NOBODY: none, or an adapter */
    uint32_t room;   /* of maps */
    uint32_t before; /* the map that was found last */
    uint64_t tables, adapters;
    bool pairs; /* lines are those of ibdmchk */
} reading;

/* The number of a map, a new one if there was none; UINT16_MAX: there are too many. */
static uint16_t number_map(reading *r, const uint8_t map[8])
{
    weft_subnet *subnet = r->subnet;
    if (r->before < subnet->n_maps && memcmp(subnet->maps[r->before], map, 8) == 0)
        return (uint16_t)r->before;
    uint32_t nth = 0;
    while (nth < subnet->n_maps && memcmp(subnet->maps[nth], map, 8) != 0)
        nth++;
    if (nth == subnet->n_maps) {
        if (nth == 4096)
            return WEFT_SUBNET_NO_MAP;
        if (nth == r->room) {
            r->room = r->room ? 2 * r->room : 16;
            subnet->maps = weft_realloc(subnet->maps, r->room, sizeof *subnet->maps);
        }
        memcpy(subnet->maps[subnet->n_maps++], map, 8);
    }
    r->before = nth;
    return (uint16_t)nth;
}

static weft_status put_map(reading *r, const weft_ib_line *line, uint64_t in, uint64_t out,
                           const uint8_t map[8], weft_error *err)
{
    uint32_t ports = r->subnet->switches[r->at].ports;
    if (in > ports || out > ports)
        return weft_lines_fail(&line->place, err,
                               "switch %s has ports 0 … %u, found ports %llu and %llu",
                               weft_weftnet_name(r->net, r->at), ports, (unsigned long long)in,
                               (unsigned long long)out);
    if (out == 0)
        return WEFT_OK; /* to the switch itself */
    uint16_t number = number_map(r, map);
    if (number == WEFT_SUBNET_NO_MAP)
        return weft_lines_fail(&line->place, err,
                               "there are more than 4096 different SL2VL tables");
    r->subnet->map[weft_subnet_map_at(r->subnet, r->at, (uint32_t)in, (uint32_t)out)] = number;
    r->tables++;
    return WEFT_OK;
}

static weft_status wrong(const weft_ib_line *line, weft_word rest, weft_error *err)
{
    return weft_lines_fail(&line->place, err,
                           "an SL2VL table is `in out : ` and 16 VLs 0 … 15, or `guid in out` "
                           "and 8 numbers such as 0x01, found '%.*s'",
                           WEFT_WORD(rest));
}

/* "3   1   : 2  3 …" */
static weft_status read_vls(reading *r, weft_ib_line line, weft_error *err)
{
    weft_word rest = weft_ib_line_rest(line);
    uint64_t in = 0, out = 0, vl;
    uint8_t map[8] = {0};
    bool good = weft_ib_line_number(&line, UINT8_MAX, &in);
    weft_ib_line_blanks(&line);
    good = good && weft_ib_line_number(&line, UINT8_MAX, &out);
    weft_ib_line_blanks(&line);
    good = good && weft_ib_line_skips(&line, ":");
    for (uint32_t sl = 0; sl < 16 && good; sl++) {
        weft_ib_line_blanks(&line);
        good = weft_ib_line_number(&line, 15, &vl);
        if (good)
            map[sl / 2] |= (uint8_t)(sl & 1 ? vl : vl << 4);
    }
    if (!good)
        return wrong(&line, rest, err);
    if (r->at == WEFT_IB_NOBODY) {
        r->adapters++;
        return WEFT_OK;
    }
    return put_map(r, &line, in, out, map, err);
}

static weft_status find_switch(reading *r, const weft_ib_line *line, uint64_t guid, weft_error *err)
{
    r->at = weft_ib_guids_find(&r->guids, guid);
    if (r->at != WEFT_IB_NOBODY && r->at < WEFT_IB_HOSTS)
        return WEFT_OK;
    return weft_lines_fail(&line->place, err,
                           "no switch of the fabric has GUID 0x%llx: are both of one fabric?",
                           (unsigned long long)guid);
}

/* "0x0000000000200000 3 1 0x23 …" */
static weft_status read_pairs(reading *r, weft_ib_line line, weft_error *err)
{
    weft_word rest = weft_ib_line_rest(line);
    uint64_t guid = 0, in = 0, out = 0, pair;
    uint8_t map[8] = {0};
    bool good = weft_ib_line_hex(&line, &guid);
    weft_ib_line_blanks(&line);
    good = good && weft_ib_line_number(&line, UINT8_MAX, &in);
    weft_ib_line_blanks(&line);
    good = good && weft_ib_line_number(&line, UINT8_MAX, &out);
    for (uint32_t i = 0; i < 8 && good; i++) {
        weft_ib_line_blanks(&line);
        good = weft_ib_line_hex(&line, &pair) && pair <= UINT8_MAX;
        map[i] = good ? (uint8_t)pair : 0;
    }
    if (!good)
        return wrong(&line, rest, err);
    r->pairs = true;
    WEFT_TRY(find_switch(r, &line, guid, err));
    return put_map(r, &line, in, out, map, err);
}

static weft_status read_line(void *user, weft_ib_line line, weft_error *err)
{
    reading *r = user;
    weft_word rest = weft_ib_line_rest(line);
    uint64_t guid;
    if (rest.length == 0 || *line.at == '#')
        return WEFT_OK;
    if (weft_ib_line_skips(&line, "Channel Adapter ")) {
        r->at = WEFT_IB_NOBODY;
        return WEFT_OK;
    }
    if (weft_ib_line_skips(&line, "Switch "))
        return weft_ib_line_hex(&line, &guid) ? find_switch(r, &line, guid, err)
                                              : wrong(&line, rest, err);
    if (rest.length > 2 && rest.at[0] == '0' && rest.at[1] == 'x')
        return read_pairs(r, line, err);
    return read_vls(r, line, err);
}

/* Has every switch a table between its cabled ports? Those of one are looked at: OpenSM writes all
 * of a switch, or none. */
static weft_status check_whole(const reading *r, const char *file, weft_error *err)
{
    const weft_subnet *subnet = r->subnet;
    if (r->tables == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.1024s has no SL2VL tables of switches: it should be opensm-sl2vl.dump "
                         "(opensm writes it with QoS on)",
                         file);
    for (uint32_t s = 0; s < subnet->n_switches; s++)
        if (subnet->switches[s].ports > 0 &&
            subnet->map[subnet->map_start[s + 1] - 1] == WEFT_SUBNET_NO_MAP)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "%.1024s has no SL2VL table for switch %s, from port %u to port %u: "
                             "it is cut off, or of another fabric",
                             file, weft_weftnet_name(r->net, s), subnet->switches[s].ports,
                             subnet->switches[s].ports);
    return WEFT_OK;
}

weft_status weft_ib_sl2vl_read(weft_weftnet *net, const weft_ib_source *source, weft_text *found,
                               weft_error *err)
{
    weft_subnet *subnet = net->subnet;
    reading r = {.net = net, .subnet = subnet, .at = WEFT_IB_NOBODY};
    size_t cells = weft_subnet_start_maps(subnet);
    subnet->map = weft_alloc(sizeof *subnet->map * cells + 1);
    memset(subnet->map, 0xFF, sizeof *subnet->map * cells);
    subnet->maps = weft_alloc(1);
    weft_ib_guids_init(&r.guids, subnet, false);
    weft_status status =
        weft_ib_source_read(source, "a dump of SL2VL tables", read_line, &r, NULL, err);
    weft_ib_guids_done(&r.guids);
    WEFT_TRY(status);
    WEFT_TRY(check_whole(&r, source->file, err));
    weft_text_add(found, "%-22s %llu pairs of ports of switches, %u different, of %s\n",
                  "SL2VL tables", (unsigned long long)r.tables, subnet->n_maps,
                  r.pairs ? "ibdmchk's lines" : "opensm-sl2vl.dump");
    return WEFT_OK;
}
