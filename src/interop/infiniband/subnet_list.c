/* SPDX-License-Identifier: Apache-2.0 */
/* opensm-subnet.lst: a line for each direction of each cable,
 *     { SW Ports:08 SystemGUID:… NodeGUID:… PortGUID:… VenID:000000 DevID:0000 Rev:000000A1 {leaf0}
 *     LID:0002 PN:01 } { CA Ports:01 … } PHY=4x LOG=ACT SPD=25 */
#include "interop/infiniband/fabric.h"

#include <stdio.h>

typedef struct side {
    weft_ib_node node;
    weft_word name;
    uint64_t port_guid, lid, port;
} side;

static bool hex_after(weft_ib_line *line, const char *key, uint64_t *number)
{
    return weft_ib_line_finds(line, key) && weft_ib_line_hex(line, number);
}

/* "{ SW Ports:08 … PN:01 }" */
static bool read_side(weft_ib_line *line, side *it)
{
    uint64_t ports, vendor, device;
    weft_ib_line_blanks(line);
    if (!weft_ib_line_skips(line, "{ "))
        return false;
    if (weft_ib_line_skips(line, "SW"))
        it->node.kind = WEFT_IB_SWITCH;
    else if (weft_ib_line_skips(line, "CA"))
        it->node.kind = WEFT_IB_ADAPTER;
    else
        return false;
    if (!hex_after(line, " Ports:", &ports) || ports >= UINT8_MAX ||
        !hex_after(line, " SystemGUID:", &it->node.system) ||
        !hex_after(line, " NodeGUID:", &it->node.guid) ||
        !hex_after(line, " PortGUID:", &it->port_guid) || !hex_after(line, " VenID:", &vendor) ||
        !hex_after(line, " DevID:", &device) || !weft_ib_line_finds(line, " {"))
        return false;
    it->node.ports = (uint32_t)ports;
    it->node.vendor = (uint32_t)vendor;
    it->node.device = (uint32_t)device;
    it->name.at = line->at;
    if (!hex_after(line, "} LID:", &it->lid) || it->lid > WEFT_SUBNET_LID_MAX)
        return false;
    weft_ib_line back = {.at = it->name.at, .end = line->at};
    (void)weft_ib_line_finds(&back, "} LID:");
    it->name.length = (size_t)(back.at - it->name.at) - 6;
    return hex_after(line, " PN:", &it->port) && it->port > 0 && it->port < UINT8_MAX &&
           weft_ib_line_skips(line, " }");
}

/* "PHY=4x LOG=ACT SPD=25" */
static weft_subnet_rate read_rate(weft_ib_line line)
{
    uint64_t width;
    if (!weft_ib_line_finds(&line, "PHY=") || !weft_ib_line_number(&line, 64, &width) ||
        !weft_ib_line_finds(&line, "SPD="))
        return (weft_subnet_rate){0};
    weft_word word = weft_ib_line_rest(line);
    while (word.length > 0 && word.at[word.length - 1] == ' ')
        word.length--;
    for (uint8_t s = 0; s < WEFT_SUBNET_SPEEDS; s++)
        if (weft_word_is(word, weft_subnet_speeds[s].gbps) ||
            weft_word_is(word, weft_subnet_speeds[s].name))
            return (weft_subnet_rate){.width = (uint8_t)width, .speed = s};
    return (weft_subnet_rate){0};
}

static weft_status add_side(weft_ib_fabric *fabric, const weft_lines *place, side *it,
                            uint32_t *node, weft_error *err)
{
    char id[24];
    bool adapter = it->node.kind == WEFT_IB_ADAPTER;
    int length = snprintf(id, sizeof id, "%c-%016llx", adapter ? 'H' : 'S',
                          (unsigned long long)it->node.guid);
    WEFT_TRY(weft_ib_fabric_node(fabric, place, (weft_word){.at = id, .length = (size_t)length},
                                 node, err));
    if (fabric->nodes[*node].kind != WEFT_IB_UNKNOWN)
        return WEFT_OK;
    if (!adapter) {
        it->node.lid = (uint32_t)it->lid;
        it->node.port_guid = it->port_guid;
    }
    return weft_ib_fabric_describe(fabric, place, *node, it->node, it->name, err);
}

static weft_status read_line(void *user, weft_ib_line line, weft_error *err)
{
    weft_ib_fabric *fabric = user;
    weft_word rest = weft_ib_line_rest(line);
    side from = {0}, to = {0};
    weft_ib_plug plug = {0};
    if (rest.length == 0)
        return WEFT_OK;
    if (!read_side(&line, &from) || !read_side(&line, &to))
        return weft_lines_fail(&line.place, err,
                               "a line is `{ SW … PN:01 } { CA … PN:01 } PHY=4x LOG=ACT SPD=25`, "
                               "found '%.*s'",
                               WEFT_WORD(rest));
    WEFT_TRY(add_side(fabric, &line.place, &from, &plug.node, err));
    WEFT_TRY(add_side(fabric, &line.place, &to, &plug.to, err));
    plug.port = (uint32_t)from.port;
    plug.to_port = (uint32_t)to.port;
    plug.rate = read_rate(line);
    if (from.node.kind == WEFT_IB_ADAPTER) {
        plug.guid = from.port_guid;
        plug.lid = (uint32_t)from.lid;
    }
    return weft_ib_fabric_plug(fabric, &line.place, plug, err);
}

weft_status weft_ib_subnet_read(weft_ib_fabric *fabric, const weft_ib_source *source,
                                weft_error *err)
{
    return weft_ib_source_read(source, "opensm-subnet.lst", read_line, fabric, NULL, err);
}
