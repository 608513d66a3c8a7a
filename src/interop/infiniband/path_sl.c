/* SPDX-License-Identifier: Apache-2.0 */
/* Service levels of paths, as ibdmchk reads them: lines
 *     0x0000000000100000 5 0
 * of the GUID of the adapter that sends, the LID of the destination, and the SL. */
#include "interop/infiniband/dumps.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define HOSTS_MAX 65536u

typedef struct reading {
    weft_subnet *subnet;
    weft_ib_guids guids;
    uint32_t *host_of; /* [nth LID]: its host, or WEFT_IB_NOBODY */
} reading;

/* Paths of switches are of no use here. */
static void put(reading *r, uint64_t guid, uint32_t nth, uint64_t sl)
{
    uint32_t to = r->host_of[nth];
    size_t at = weft_ib_guids_first(&r->guids, guid);
    if (to == WEFT_IB_NOBODY || r->guids.at[at].number < WEFT_IB_HOSTS)
        return;
    for (; at < r->guids.count && r->guids.at[at].guid == guid; at++) {
        size_t from = r->guids.at[at].number - WEFT_IB_HOSTS;
        r->subnet->path_sl[from * r->subnet->n_hosts + to] = (uint8_t)sl;
    }
}

static weft_status read_line(void *user, weft_ib_line line, weft_error *err)
{
    reading *r = user;
    weft_word rest = weft_ib_line_rest(line);
    uint64_t guid = 0, lid = 0, sl = 0;
    if (rest.length == 0 || *line.at == '#')
        return WEFT_OK;
    bool good = weft_ib_line_hex(&line, &guid);
    weft_ib_line_blanks(&line);
    good = good && weft_ib_line_number(&line, WEFT_SUBNET_LID_MAX, &lid);
    weft_ib_line_blanks(&line);
    if (!good || !weft_ib_line_number(&line, 15, &sl))
        return weft_lines_fail(&line.place, err,
                               "a path is the GUID of an adapter, a LID and an SL 0 … 15, such as "
                               "0x100000 5 0, found '%.*s'",
                               WEFT_WORD(rest));
    uint32_t nth = weft_subnet_find_lid(r->subnet, (uint32_t)lid);
    if (weft_ib_guids_find(&r->guids, guid) == WEFT_IB_NOBODY)
        return weft_lines_fail(&line.place, err, "no adapter of the fabric has GUID 0x%llx",
                               (unsigned long long)guid);
    if (nth == r->subnet->n_lids)
        return weft_lines_fail(&line.place, err, "no port of the fabric has LID %llu",
                               (unsigned long long)lid);
    put(r, guid, nth, sl);
    return WEFT_OK;
}

static void find_hosts(reading *r)
{
    const weft_subnet *subnet = r->subnet;
    r->host_of = weft_alloc(sizeof *r->host_of * subnet->n_lids + 1);
    for (uint32_t l = 0; l < subnet->n_lids; l++)
        r->host_of[l] = WEFT_IB_NOBODY;
    for (uint32_t h = 0; h < subnet->n_hosts; h++)
        for (uint32_t i = 0; subnet->hosts[h].lid > 0 && i < 1u << subnet->hosts[h].lmc; i++) {
            uint32_t nth = weft_subnet_find_lid(subnet, subnet->hosts[h].lid + i);
            if (nth < subnet->n_lids)
                r->host_of[nth] = h;
        }
}

/* Paths between different hosts. A line is one path for every port of its adapter. */
static void add_counts(const weft_subnet *subnet, weft_text *found)
{
    unsigned long long hosts = subnet->n_hosts, paths = 0;
    unsigned levels = 0; /* a bit for each SL */
    for (size_t from = 0; from < hosts; from++)
        for (size_t to = 0; to < hosts; to++) {
            uint8_t sl = subnet->path_sl[from * hosts + to];
            if (from == to || sl == WEFT_SUBNET_NO_SL)
                continue;
            paths++;
            levels |= 1u << sl;
        }
    weft_text_add(found, "%-22s %llu paths between hosts, on %d SLs\n", "path SLs", paths,
                  __builtin_popcount(levels));
    if (paths < hosts * hosts - hosts)
        weft_text_add(found, "%-22s %llu paths are not listed, and have SL 0\n", "",
                      hosts * hosts - hosts - paths);
}

weft_status weft_ib_path_sl_read(weft_weftnet *net, const weft_ib_source *source, weft_text *found,
                                 weft_error *err)
{
    weft_subnet *subnet = net->subnet;
    reading r = {.subnet = subnet};
    size_t pairs = (size_t)subnet->n_hosts * subnet->n_hosts;
    if (subnet->n_lids == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.1024s names LIDs, but the fabric has none: give its forwarding tables "
                         "too (--lft)",
                         source->file);
    if (subnet->n_hosts > HOSTS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "SLs of paths are kept for at most %u hosts, this fabric has %u: leave "
                         "%.1024s out, and all packets have SL 0",
                         HOSTS_MAX, subnet->n_hosts, source->file);
    subnet->path_sl = weft_alloc(pairs + 1);
    memset(subnet->path_sl, WEFT_SUBNET_NO_SL, pairs);
    weft_ib_guids_init(&r.guids, subnet, true);
    find_hosts(&r);
    weft_status status =
        weft_ib_source_read(source, "a list of SLs of paths", read_line, &r, NULL, err);
    weft_ib_guids_done(&r.guids);
    free(r.host_of);
    WEFT_TRY(status);
    add_counts(subnet, found);
    return WEFT_OK;
}
