/* SPDX-License-Identifier: Apache-2.0 */
#include "net/naming.h"

#include "base/memory.h"
#include "net/topology/common/weftnet.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b, void *net)
{
    return strcmp(weft_weftnet_name(net, *(const uint32_t *)a),
                  weft_weftnet_name(net, *(const uint32_t *)b));
}

void weft_naming_init(weft_naming *naming, const weft_topology *topology)
{
    const weft_weftnet *net = weft_weftnet_of(topology);
    *naming = (weft_naming){.topology = topology};
    if (!net)
        return;
    naming->sorted = weft_alloc(sizeof *naming->sorted * net->routers);
    for (uint32_t r = 0; r < net->routers; r++)
        naming->sorted[r] = r;
    qsort_r(naming->sorted, net->routers, sizeof *naming->sorted, by_name, (void *)(uintptr_t)net);
}

void weft_naming_done(weft_naming *naming)
{
    free(naming->sorted);
    *naming = (weft_naming){0};
}

/* Like strcmp of a word and a name. */
static int compare(weft_word word, const char *name)
{
    int order = strncmp(word.at, name, word.length);
    return order ? order : name[word.length] ? -1 : 0;
}

uint32_t weft_naming_find(const weft_naming *naming, weft_word word)
{
    const weft_weftnet *net = weft_weftnet_of(naming->topology);
    uint32_t low = 0, high = naming->topology->routers;
    uint64_t number;
    if (!naming->sorted)
        return weft_word_number(word, high - 1, &number) ? (uint32_t)number : WEFT_NOWHERE;
    if (memchr(word.at, '\0', word.length))
        return WEFT_NOWHERE;
    while (low < high) {
        uint32_t middle = (low + high) / 2, router = naming->sorted[middle];
        int order = compare(word, weft_weftnet_name(net, router));
        if (order == 0)
            return router;
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return WEFT_NOWHERE;
}

weft_status weft_naming_read(const weft_naming *naming, weft_lines *lines, const char *what,
                             uint32_t *router, weft_error *err)
{
    weft_word word = weft_lines_word(lines);
    *router = word.at ? weft_naming_find(naming, word) : WEFT_NOWHERE;
    if (*router != WEFT_NOWHERE)
        return WEFT_OK;
    if (!word.at)
        return weft_lines_fail(lines, err, "%s is missing; it is a router", what);
    if (naming->sorted)
        return weft_lines_fail(lines, err,
                               "%s must be the name of a router of this fabric, found "
                               "'%.*s'",
                               what, WEFT_WORD(word));
    return weft_lines_fail(lines, err, "%s must be a router, 0 … %u here, found '%.*s'", what,
                           naming->topology->routers - 1, WEFT_WORD(word));
}

const char *weft_naming_name(const weft_topology *topology, uint32_t router,
                             char text[WEFT_NAME_BYTES])
{
    const weft_weftnet *net = weft_weftnet_of(topology);
    if (net)
        return weft_weftnet_name(net, router);
    (void)snprintf(text, WEFT_NAME_BYTES, "%u", router);
    return text;
}

const char *weft_naming_host(const weft_topology *topology, uint32_t endpoint)
{
    const weft_weftnet *net = weft_weftnet_of(topology);
    uint32_t home = weft_topology_home(topology, endpoint), first = 0;
    uint32_t nth = weft_topology_host(topology, endpoint);
    if (!net || !net->subnet || home >= net->homes || nth >= net->hosts[home])
        return NULL;
    for (uint32_t h = 0; h < home; h++)
        first += net->hosts[h];
    return weft_subnet_host_name(net->subnet, first + nth);
}

void weft_naming_place(const weft_topology *topology, uint32_t router, char text[WEFT_NAME_BYTES])
{
    const weft_lattice *lattice = &topology->lattice;
    uint32_t stride = topology->routers;
    size_t at = 0;
    if (topology->kind->name)
        topology->kind->name(topology, router, text, WEFT_NAME_BYTES);
    else if (lattice->dims == 0)
        (void)snprintf(text, WEFT_NAME_BYTES, "%u", router);
    else
        for (uint32_t d = 0; d < lattice->dims && at < WEFT_NAME_BYTES; d++) {
            stride /= lattice->size[d];
            at += (size_t)snprintf(text + at, WEFT_NAME_BYTES - at, "%s%u%s", d ? ", " : "(",
                                   router / stride % lattice->size[d],
                                   d + 1 == lattice->dims ? ")" : "");
        }
}

weft_status weft_naming_file(const weft_topology *topology, const weft_file *file, const char *what,
                             weft_naming_line *line, void *user, weft_error *err)
{
    weft_bytes bytes;
    weft_naming naming;
    WEFT_TRY(weft_bytes_read(file->path, WEFT_LINES_BYTES, what, &bytes, err));
    weft_lines lines = weft_lines_of(file->text, bytes.at, bytes.count);
    weft_status status = WEFT_OK;
    weft_naming_init(&naming, topology);
    while (status == WEFT_OK && weft_lines_next(&lines))
        status = line(&naming, &lines, user, err);
    weft_naming_done(&naming);
    free(bytes.at);
    return status;
}

/* Names of links for people. */
static const char axis_names[] = "xyzw";

/* "(3,4)" behind the first `used` characters; returns how many there are then. Routers are fewer
 * than 2^32, so that 24 coordinates have fewer than 60 characters. */
static size_t add_place(const weft_lattice *lattice, uint32_t router, char *name, size_t room,
                        size_t used)
{
    uint32_t at[WEFT_DIMS_MAX];
    for (uint32_t d = lattice->dims; d-- > 0; router /= lattice->size[d])
        at[d] = router % lattice->size[d];
    for (uint32_t d = 0; d < lattice->dims; d++)
        used += (size_t)snprintf(name + used, room - used, "%s%u%s", d ? "," : "(", at[d],
                                 d + 1 < lattice->dims ? "" : ")");
    assert(used < room);
    return used;
}

/* "(3,4)->(3,7)". */
static void name_ends(const weft_topology *topology, uint32_t router, uint32_t port, char *name,
                      size_t room)
{
    const weft_lattice *lattice = &topology->lattice;
    size_t used = add_place(lattice, router, name, room, 0);
    used += (size_t)snprintf(name + used, room - used, "->");
    (void)add_place(lattice, topology->kind->peer(topology, router, port).router, name, room, used);
}

/* "(3,4)+x": a step along an axis; of more than four they have numbers. */
static void name_step(const weft_lattice *lattice, uint32_t router, uint32_t port, char *name,
                      size_t room)
{
    size_t used = add_place(lattice, router, name, room, 0);
    uint32_t dim = lattice->port_dim[port];
    char sign = lattice->port_step[port] > 0 ? '+' : '-';
    if (lattice->dims <= 4)
        (void)snprintf(name + used, room - used, "%c%c", sign, axis_names[dim]);
    else
        (void)snprintf(name + used, room - used, "%c%u", sign, dim);
}

/* "leaf1"; "r17" where routers have no names. */
static void name_router(const weft_topology *topology, uint32_t router, char name[WEFT_NAME_BYTES])
{
    if (topology->kind->name)
        topology->kind->name(topology, router, name, WEFT_NAME_BYTES);
    else
        (void)snprintf(name, WEFT_NAME_BYTES, "r%u", router);
}

/* "leaf1:p24->spine2"; "leaf1:p24" where no link leads on. */
static void name_ports(const weft_topology *topology, uint32_t router, uint32_t port, char *name,
                       size_t room)
{
    char from[WEFT_NAME_BYTES], to[WEFT_NAME_BYTES];
    uint32_t peer = topology->kind->peer(topology, router, port).router;
    name_router(topology, router, from);
    if (peer == WEFT_NOWHERE) {
        (void)snprintf(name, room, "%s:p%u", from, port);
        return;
    }
    name_router(topology, peer, to);
    (void)snprintf(name, room, "%s:p%u->%s", from, port, to);
}

/* Of several links between two routers of a line the second is "(3,4)->(3,7)#2". */
static void number_link(const weft_lattice *lattice, uint32_t port, char *name, size_t room)
{
    uint32_t before = 0;
    for (uint32_t p = 0; p < port; p++)
        before += lattice->port_dim[p] == lattice->port_dim[port] &&
                  lattice->port_step[p] == lattice->port_step[port];
    size_t used = strlen(name);
    if (before > 0)
        (void)snprintf(name + used, room - used, "#%u", before + 1);
}

void weft_naming_link(const weft_topology *topology, uint32_t router, uint32_t port,
                      char name[WEFT_LINK_NAME_BYTES])
{
    const weft_lattice *lattice = &topology->lattice;
    size_t room = WEFT_LINK_NAME_BYTES;
    if (lattice->dims == 0)
        name_ports(topology, router, port, name, room);
    else if (!lattice->full)
        name_step(lattice, router, port, name, room);
    else {
        name_ends(topology, router, port, name, room);
        number_link(lattice, port, name, room);
    }
}
