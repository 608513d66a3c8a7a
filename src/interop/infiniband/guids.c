/* SPDX-License-Identifier: Apache-2.0 */
/* Ports by GUID and by LID. */
#include "interop/infiniband/dumps.h"

#include "base/memory.h"

#include <stdlib.h>

static int by_guid(const void *a, const void *b)
{
    const weft_ib_guid *x = a, *y = b;
    if (x->guid != y->guid)
        return x->guid < y->guid ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

void weft_ib_guids_init(weft_ib_guids *guids, const weft_subnet *subnet, bool by_node)
{
    size_t count = 0;
    guids->at = weft_alloc(sizeof *guids->at * ((size_t)subnet->n_switches + subnet->n_hosts) + 1);
    for (uint32_t s = 0; s < subnet->n_switches; s++)
        guids->at[count++] = (weft_ib_guid){subnet->switches[s].guid, s};
    for (uint32_t h = 0; h < subnet->n_hosts; h++) {
        const weft_subnet_host *host = &subnet->hosts[h];
        guids->at[count++] = (weft_ib_guid){
            by_node ? subnet->adapters[host->adapter].guid : host->guid, h + WEFT_IB_HOSTS};
    }
    if (count > 1)
        qsort(guids->at, count, sizeof *guids->at, by_guid);
    guids->count = count;
}

void weft_ib_guids_done(weft_ib_guids *guids)
{
    free(guids->at);
    *guids = (weft_ib_guids){0};
}

size_t weft_ib_guids_first(const weft_ib_guids *guids, uint64_t guid)
{
    size_t low = 0, high = guids->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (guids->at[middle].guid < guid)
            low = middle + 1;
        else
            high = middle;
    }
    return low < guids->count && guids->at[low].guid == guid ? low : guids->count;
}

uint32_t weft_ib_guids_find(const weft_ib_guids *guids, uint64_t guid)
{
    size_t first = weft_ib_guids_first(guids, guid);
    return first < guids->count ? guids->at[first].number : WEFT_IB_NOBODY;
}

/* ---- LIDs ---- */

static int by_lid(const void *a, const void *b)
{
    uint16_t x = *(const uint16_t *)a, y = *(const uint16_t *)b;
    return x < y ? -1 : x > y;
}

static void add_lids(weft_subnet *subnet, uint32_t lid, uint32_t lmc)
{
    for (uint32_t i = 0; lid > 0 && i < 1u << lmc; i++)
        subnet->lids[subnet->n_lids++] = (uint16_t)(lid + i);
}

void weft_ib_lids_list(weft_subnet *subnet)
{
    size_t room = 1;
    uint32_t kept = 0;
    for (uint32_t s = 0; s < subnet->n_switches; s++)
        room += (size_t)1 << subnet->switches[s].lmc;
    for (uint32_t h = 0; h < subnet->n_hosts; h++)
        room += (size_t)1 << subnet->hosts[h].lmc;
    free(subnet->lids);
    subnet->lids = weft_alloc(sizeof *subnet->lids * room);
    subnet->n_lids = 0;
    for (uint32_t s = 0; s < subnet->n_switches; s++)
        add_lids(subnet, subnet->switches[s].lid, subnet->switches[s].lmc);
    for (uint32_t h = 0; h < subnet->n_hosts; h++)
        add_lids(subnet, subnet->hosts[h].lid, subnet->hosts[h].lmc);
    if (subnet->n_lids > 1)
        qsort(subnet->lids, subnet->n_lids, sizeof *subnet->lids, by_lid);
    for (uint32_t l = 0; l < subnet->n_lids; l++)
        if (kept == 0 || subnet->lids[l] != subnet->lids[kept - 1])
            subnet->lids[kept++] = subnet->lids[l];
    subnet->n_lids = kept;
}

typedef struct learning {
    weft_subnet *subnet;
    weft_ib_guids guids;
} learning;

/* "0x0005 002 # Channel Adapter portguid 0x0000000000100003: 'H-1'" */
static weft_status learn_line(void *user, weft_ib_line line, weft_error *err)
{
    learning *it = user;
    uint64_t lid, guid;
    (void)err;
    if (line.end - line.at < 2 || line.at[0] != '0' || !weft_ib_line_hex(&line, &lid) || lid == 0 ||
        lid > WEFT_SUBNET_LID_MAX || !weft_ib_line_finds(&line, "portguid ") ||
        !weft_ib_line_hex(&line, &guid))
        return WEFT_OK;
    uint32_t number = weft_ib_guids_find(&it->guids, guid);
    if (number == WEFT_IB_NOBODY)
        return WEFT_OK;
    uint16_t *known = number < WEFT_IB_HOSTS ? &it->subnet->switches[number].lid
                                             : &it->subnet->hosts[number - WEFT_IB_HOSTS].lid;
    *known = *known ? *known : (uint16_t)lid;
    return WEFT_OK;
}

weft_status weft_ib_lids_learn(weft_weftnet *net, const weft_ib_source *source, weft_error *err)
{
    learning it = {.subnet = net->subnet};
    weft_ib_guids_init(&it.guids, net->subnet, false);
    weft_status status =
        weft_ib_source_read(source, "a dump of forwarding tables", learn_line, &it, NULL, err);
    weft_ib_guids_done(&it.guids);
    WEFT_TRY(status);
    weft_ib_lids_list(net->subnet);
    if (net->subnet->n_lids > 0)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%.1024s names LIDs, but neither it nor the description of the fabric says "
                     "whose they are: import the output of ibnetdiscover, or opensm-subnet.lst",
                     source->file);
}
