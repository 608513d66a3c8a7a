/* SPDX-License-Identifier: Apache-2.0 */
/* Does a description fit together? Every cable must be listed by both its nodes, every GUID and
 * every LID must be one port's. */
#include "interop/infiniband/fabric.h"

#include "base/memory.h"

#include <stdlib.h>

/* ibsim gives these to nodes whose file names no GUID, one after the other. */
#define FIRST_ADAPTER 0x100000u
#define FIRST_SWITCH  0x200000u

static int by_port(const void *a, const void *b)
{
    const weft_ib_plug *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->port != y->port)
        return x->port < y->port ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void number_guids(weft_ib_fabric *fabric)
{
    uint64_t adapter = FIRST_ADAPTER, next = FIRST_SWITCH;
    for (uint32_t n = 0; n < fabric->ids.n_routers; n++) {
        weft_ib_node *node = &fabric->nodes[n];
        if (node->kind == WEFT_IB_SWITCH && node->guid == 0)
            node->guid = next++;
        if (node->kind == WEFT_IB_ADAPTER && node->guid == 0) {
            node->guid = adapter;
            adapter += node->ports + 1;
        }
        node->system = node->system ? node->system : node->guid;
        node->port_guid = node->port_guid ? node->port_guid : node->guid;
    }
    for (uint32_t p = 0; p < fabric->n_plugs; p++) {
        weft_ib_plug *plug = &fabric->plugs[p];
        if (plug->guid == 0)
            plug->guid = fabric->nodes[plug->node].guid + plug->port;
    }
}

/* The plug of a port; NULL: none is listed. */
static const weft_ib_plug *find_plug(const weft_ib_fabric *fabric, uint32_t node, uint32_t port)
{
    weft_ib_plug key = {.node = node, .port = port};
    size_t low = 0, high = fabric->n_plugs;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (by_port(&fabric->plugs[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const weft_ib_plug *at = fabric->plugs + low;
    return low < fabric->n_plugs && at->node == node && at->port == port ? at : NULL;
}

static weft_status check_port(const weft_ib_fabric *fabric, const weft_ib_plug *plug,
                              const weft_ib_plug *next, const weft_lines *place, weft_error *err)
{
    const char *name = weft_ib_fabric_name(fabric, plug->node);
    uint32_t ports = fabric->nodes[plug->node].ports;
    if (plug->port > ports)
        return weft_lines_fail(place, err, "%s has ports 1 … %u, found port %u", name, ports,
                               plug->port);
    if (next && next->node == plug->node && next->port == plug->port)
        return weft_lines_fail(place, err, "port %u of %s is listed twice, here and in line %lu",
                               plug->port, name, next->line);
    return WEFT_OK;
}

/* Do both sides of a cable say the same? */
static weft_status check_cable(const weft_ib_fabric *fabric, const weft_ib_plug *plug,
                               const weft_lines *place, weft_error *err)
{
    const char *name = weft_ib_fabric_name(fabric, plug->node);
    const char *to = weft_ib_fabric_name(fabric, plug->to);
    const weft_ib_plug *back = find_plug(fabric, plug->to, plug->to_port);
    if (fabric->nodes[plug->to].kind == WEFT_IB_UNKNOWN)
        return weft_lines_fail(
            place, err,
            "port %u of %s leads to '%s', which the file does not describe: it may be "
            "cut off",
            plug->port, name, to);
    if (!back)
        return weft_lines_fail(place, err,
                               "port %u of %s leads to port %u of %s, which does not list this "
                               "cable; both sides must",
                               plug->port, name, plug->to_port, to);
    if (back->to != plug->node || back->to_port != plug->port)
        return weft_lines_fail(place, err,
                               "port %u of %s leads to port %u of %s here, which leads to port %u "
                               "of %s in line %lu",
                               plug->port, name, plug->to_port, to, back->to_port,
                               weft_ib_fabric_name(fabric, back->to), back->line);
    if (plug->node == plug->to)
        return weft_lines_fail(place, err, "a cable joins two different nodes, found %s twice",
                               name);
    if (fabric->nodes[plug->node].kind == WEFT_IB_ADAPTER &&
        fabric->nodes[plug->to].kind == WEFT_IB_ADAPTER)
        return weft_lines_fail(place, err, "adapter %s is joined to adapter %s, without a switch",
                               name, to);
    return WEFT_OK;
}

static weft_status check_plugs(const weft_ib_fabric *fabric, weft_error *err)
{
    weft_lines place = {.name = fabric->file};
    for (uint32_t p = 0; p < fabric->n_plugs; p++) {
        const weft_ib_plug *plug = &fabric->plugs[p];
        place.line = plug->line;
        WEFT_TRY(check_port(fabric, plug, p + 1 < fabric->n_plugs ? plug + 1 : NULL, &place, err));
        WEFT_TRY(check_cable(fabric, plug, &place, err));
    }
    return WEFT_OK;
}

/* ---- every number once ---- */

typedef struct owner {
    uint64_t number;
    uint32_t node;
    unsigned long line;
} owner;

static int by_number(const void *a, const void *b)
{
    const owner *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static weft_status check_once(const weft_ib_fabric *fabric, owner *owners, size_t count,
                              const char *what, weft_error *err)
{
    if (count > 1)
        qsort(owners, count, sizeof *owners, by_number);
    for (size_t i = 1; i < count; i++)
        if (owners[i].number == owners[i - 1].number) {
            weft_lines place = {.name = fabric->file, .line = owners[i].line};
            return weft_lines_fail(&place, err, what, (unsigned long long)owners[i].number,
                                   weft_ib_fabric_name(fabric, owners[i].node),
                                   weft_ib_fabric_name(fabric, owners[i - 1].node),
                                   owners[i - 1].line);
        }
    return WEFT_OK;
}

static weft_status check_guids(const weft_ib_fabric *fabric, weft_error *err)
{
    owner *owners = weft_alloc(sizeof *owners * fabric->ids.n_routers + 1);
    for (uint32_t n = 0; n < fabric->ids.n_routers; n++)
        owners[n] = (owner){fabric->nodes[n].guid, n, fabric->nodes[n].line};
    weft_status status =
        check_once(fabric, owners, fabric->ids.n_routers,
                   "GUID 0x%llx is that of %s here and of %s in line %lu; every node "
                   "has its own",
                   err);
    free(owners);
    return status;
}

/* The LIDs of a port: 2^LMC that follow each other. */
static size_t add_lids(owner *owners, size_t count, uint32_t lid, uint32_t lmc, owner whose)
{
    for (uint32_t i = 0; lid > 0 && i < 1u << lmc; i++) {
        whose.number = lid + i;
        owners[count++] = whose;
    }
    return count;
}

static size_t lids_of(uint32_t lid, uint32_t lmc)
{
    return lid > 0 ? (size_t)1 << lmc : 0;
}

static weft_status check_lids(const weft_ib_fabric *fabric, weft_error *err)
{
    size_t room = 1, count = 0;
    for (uint32_t n = 0; n < fabric->ids.n_routers; n++)
        room += lids_of(fabric->nodes[n].lid, fabric->nodes[n].lmc);
    for (uint32_t p = 0; p < fabric->n_plugs; p++)
        room += lids_of(fabric->plugs[p].lid, fabric->plugs[p].lmc);
    owner *owners = weft_alloc(sizeof *owners * room);
    for (uint32_t n = 0; n < fabric->ids.n_routers; n++)
        count = add_lids(owners, count, fabric->nodes[n].lid, fabric->nodes[n].lmc,
                         (owner){.node = n, .line = fabric->nodes[n].line});
    for (uint32_t p = 0; p < fabric->n_plugs; p++)
        count = add_lids(owners, count, fabric->plugs[p].lid, fabric->plugs[p].lmc,
                         (owner){.node = fabric->plugs[p].node, .line = fabric->plugs[p].line});
    weft_status status = check_once(
        fabric, owners, count,
        "LID %llu is that of %s here and of %s in line %lu; every port has its own", err);
    free(owners);
    return status;
}

weft_status weft_ib_fabric_check(weft_ib_fabric *fabric, weft_error *err)
{
    number_guids(fabric);
    if (fabric->n_plugs > 1)
        qsort(fabric->plugs, fabric->n_plugs, sizeof *fabric->plugs, by_port);
    WEFT_TRY(check_plugs(fabric, err));
    WEFT_TRY(check_guids(fabric, err));
    return check_lids(fabric, err);
}
