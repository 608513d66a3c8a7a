/* SPDX-License-Identifier: Apache-2.0 */
/* Linear forwarding tables. A switch begins with one of
 *     Unicast lids [0-44] of switch Lid 2 guid 0x0000000000200000 ('leaf0'):
 *     dump_ucast_routes: Switch 0x0000000000200000
 * and has a line for each LID, the port behind it:
 *     0x0005 002 # Channel Adapter portguid …      opensm-lfts.dump
 *     0x0005 002 : (Channel Adapter portguid …     dump_lfts, ibroute
 *     0x0005 : 002  : 01   : yes                   opensm.fdbs */
#include "interop/infiniband/dumps.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct reading {
    weft_weftnet *net;
    weft_subnet *subnet;
    weft_ib_guids guids;
    const char *kind;
    bool *seen;    /* [switch]: it has a table */
    uint32_t at;   /* the switch in hand, or WEFT_IB_NOBODY */
    uint64_t last; /* the LID of its last line */
    uint32_t nth;  /* of that LID among all, to find the next one */
    bool closed;   /* "44 lids dumped" has ended it */
    uint64_t entries, strangers;
} reading;

/* Does the table in hand reach the last LID? A count of entries ends it too. */
static weft_status check_end(const reading *r, const weft_lines *place, weft_error *err)
{
    const weft_subnet *subnet = r->subnet;
    uint32_t greatest = subnet->n_lids > 0 ? subnet->lids[subnet->n_lids - 1] : 0;
    if (r->at == WEFT_IB_NOBODY || r->closed || r->last >= greatest)
        return WEFT_OK;
    return weft_lines_fail(place, err,
                           "the table of switch %s ends with LID %llu, the fabric has LIDs up to "
                           "%u: the file is cut off",
                           weft_weftnet_name(r->net, r->at), (unsigned long long)r->last, greatest);
}

static weft_status begin_switch(reading *r, weft_ib_line line, const char *kind, weft_error *err)
{
    uint64_t guid;
    weft_word rest = weft_ib_line_rest(line);
    WEFT_TRY(check_end(r, &line.place, err));
    if (!weft_ib_line_hex(&line, &guid))
        return weft_lines_fail(&line.place, err, "expected the GUID of a switch, found '%.*s'",
                               WEFT_WORD(rest));
    uint32_t at = weft_ib_guids_find(&r->guids, guid);
    if (at == WEFT_IB_NOBODY || at >= WEFT_IB_HOSTS)
        return weft_lines_fail(&line.place, err,
                               "no switch of the fabric has GUID 0x%llx: are both of one fabric?",
                               (unsigned long long)guid);
    if (r->seen[at])
        return weft_lines_fail(&line.place, err, "switch %s has a second table",
                               weft_weftnet_name(r->net, at));
    r->seen[at] = true;
    r->at = at;
    r->kind = kind;
    r->last = 0;
    r->nth = 0;
    r->closed = false;
    return WEFT_OK;
}

/* The number of a LID; lines come in ascending order, so it is mostly the next one. */
static uint32_t find_lid(reading *r, uint64_t lid)
{
    if (r->nth < r->subnet->n_lids && r->subnet->lids[r->nth] == lid)
        return r->nth++;
    uint32_t nth = lid <= WEFT_SUBNET_LID_MAX ? weft_subnet_find_lid(r->subnet, (uint32_t)lid)
                                              : r->subnet->n_lids;
    if (nth < r->subnet->n_lids)
        r->nth = nth + 1;
    return nth;
}

static weft_status put_port(reading *r, const weft_ib_line *line, uint64_t lid, uint64_t port,
                            weft_error *err)
{
    uint32_t nth = find_lid(r, lid), ports = r->subnet->switches[r->at].ports;
    if (nth == r->subnet->n_lids) {
        r->strangers++;
        return WEFT_OK;
    }
    uint8_t *cell = &r->subnet->lft[(size_t)r->at * r->subnet->n_lids + nth];
    if (port > ports && port != WEFT_SUBNET_NO_PORT)
        return weft_lines_fail(&line->place, err, "switch %s has ports 0 … %u, found port %llu",
                               weft_weftnet_name(r->net, r->at), ports, (unsigned long long)port);
    if (*cell != WEFT_SUBNET_NO_PORT && *cell != port)
        return weft_lines_fail(&line->place, err,
                               "switch %s has LID %llu twice, by port %d before and by port %llu "
                               "here",
                               weft_weftnet_name(r->net, r->at), (unsigned long long)lid, *cell,
                               (unsigned long long)port);
    r->entries += *cell == WEFT_SUBNET_NO_PORT && port != WEFT_SUBNET_NO_PORT;
    *cell = (uint8_t)port;
    return WEFT_OK;
}

/* "0x0005 002 …" or "0x0005 : 002 …" */
static weft_status read_entry(reading *r, weft_ib_line line, weft_error *err)
{
    weft_word rest = weft_ib_line_rest(line);
    uint64_t lid, port = WEFT_SUBNET_NO_PORT;
    bool good = weft_ib_line_hex(&line, &lid);
    weft_ib_line_blanks(&line);
    if (weft_ib_line_skips(&line, ":"))
        weft_ib_line_blanks(&line);
    good = good && (weft_ib_line_skips(&line, "UNREACHABLE") ||
                    weft_ib_line_number(&line, UINT8_MAX, &port));
    if (!good)
        return weft_lines_fail(&line.place, err,
                               "an entry is a LID and a port, `0x0005 002`, found '%.*s'",
                               WEFT_WORD(rest));
    if (r->at == WEFT_IB_NOBODY)
        return weft_lines_fail(&line.place, err, "an entry comes before any switch");
    r->last = lid;
    return put_port(r, &line, lid, port, err);
}

static weft_status read_line(void *user, weft_ib_line line, weft_error *err)
{
    reading *r = user;
    if (line.end - line.at > 2 && line.at[0] == '0' && line.at[1] == 'x')
        return read_entry(r, line, err);
    if (weft_ib_line_skips(&line, "Unicast lids ")) {
        weft_ib_line ahead = line;
        bool hex = weft_ib_line_skips(&ahead, "[0x");
        return weft_ib_line_finds(&line, " guid ")
                   ? begin_switch(r, line, hex ? "dump_lfts or ibroute" : "opensm-lfts.dump", err)
                   : weft_lines_fail(&line.place, err,
                                     "this line should name a switch by its guid");
    }
    if (weft_ib_line_skips(&line, "dump_ucast_routes: Switch "))
        return begin_switch(r, line, "opensm.fdbs", err);
    r->closed = r->closed || weft_ib_line_finds(&line, "lids dumped");
    return WEFT_OK;
}

/* ---- is it whole? ---- */

static weft_status check_whole(const reading *r, const char *file, unsigned long lines,
                               weft_error *err)
{
    weft_lines place = {.name = file, .line = lines};
    const weft_subnet *subnet = r->subnet;
    if (r->at == WEFT_IB_NOBODY)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.1024s has no forwarding tables: it should be opensm-lfts.dump, "
                         "opensm.fdbs, or the text of dump_lfts or ibroute",
                         file);
    WEFT_TRY(check_end(r, &place, err));
    uint32_t without = subnet->n_switches, count = 0;
    for (uint32_t s = subnet->n_switches; s-- > 0;) {
        count += r->seen[s];
        without = r->seen[s] ? without : s;
    }
    if (without < subnet->n_switches)
        return weft_lines_fail(&place, err,
                               "the file ends without a forwarding table for switch %s, GUID "
                               "0x%llx; %u of %u switches have one: it is cut off, or of another "
                               "fabric",
                               weft_weftnet_name(r->net, without),
                               (unsigned long long)subnet->switches[without].guid, count,
                               subnet->n_switches);
    return WEFT_OK;
}

weft_status weft_ib_lft_read(weft_weftnet *net, const weft_ib_source *source, weft_text *found,
                             weft_error *err)
{
    weft_subnet *subnet = net->subnet;
    reading r = {.net = net, .subnet = subnet, .at = WEFT_IB_NOBODY};
    unsigned long lines = 0;
    size_t cells;
    if (subnet->n_lids == 0)
        WEFT_TRY(weft_ib_lids_learn(net, source, err));
    cells = (size_t)subnet->n_switches * subnet->n_lids;
    subnet->lft = weft_alloc(cells + 1);
    memset(subnet->lft, WEFT_SUBNET_NO_PORT, cells);
    r.seen = weft_alloc(subnet->n_switches);
    weft_ib_guids_init(&r.guids, subnet, false);
    weft_status status =
        weft_ib_source_read(source, "a dump of forwarding tables", read_line, &r, &lines, err);
    if (status == WEFT_OK)
        status = check_whole(&r, source->file, lines, err);
    free(r.seen);
    weft_ib_guids_done(&r.guids);
    WEFT_TRY(status);
    weft_text_add(found, "%-22s %u switches, %llu entries, of %s\n", "forwarding tables",
                  subnet->n_switches, (unsigned long long)r.entries, r.kind);
    if (r.entries < cells)
        weft_text_add(found, "%-22s %llu more are missing, or lead nowhere\n", "",
                      (unsigned long long)(cells - r.entries));
    if (r.strangers > 0)
        weft_text_add(found, "%-22s %llu entries are for LIDs of no port here: left out\n", "",
                      (unsigned long long)r.strangers);
    return WEFT_OK;
}
