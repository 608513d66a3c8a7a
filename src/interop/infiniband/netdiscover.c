/* SPDX-License-Identifier: Apache-2.0 */
/* What ibnetdiscover prints and ibsim reads:
 *     switchguid=0x200007(200007)
 *     Switch  8 "S-0000000000200007"  # "leaf7" base port 0 lid 12 lmc 0
 *     [5]     "S-0000000000200008"[8]  # "spine0" lid 13 4xEDR
 *     caguid=0x100000
 *     Ca      1 "H-0000000000100000"  # "node0"
 *     [1](100001)  "S-0000000000200007"[1]  # lid 1 lmc 0 "leaf7" lid 12 4xEDR
 * Names, LIDs and rates stand in comments; a file written by hand may leave them out. */
#include "interop/infiniband/fabric.h"

#include <string.h>

#define NO_NODE UINT32_MAX

typedef struct reading {
    weft_ib_fabric *fabric;
    weft_ib_node next; /* what was said of the node that comes next */
    uint32_t node;     /* whose ports are listed; NO_NODE: none */
} reading;

/* "key=0x12"; true if the line is one. */
static bool read_key(reading *r, weft_ib_line line)
{
    uint64_t number;
    if (weft_ib_line_skips(&line, "vendid=") && weft_ib_line_hex(&line, &number))
        r->next.vendor = (uint32_t)number;
    else if (weft_ib_line_skips(&line, "devid=") && weft_ib_line_hex(&line, &number))
        r->next.device = (uint32_t)number;
    else if (weft_ib_line_skips(&line, "sysimgguid=") && weft_ib_line_hex(&line, &number))
        r->next.system = number;
    else if ((weft_ib_line_skips(&line, "switchguid=") || weft_ib_line_skips(&line, "caguid=")) &&
             weft_ib_line_hex(&line, &number)) {
        r->next.guid = number;
        if (weft_ib_line_skips(&line, "(") && weft_ib_line_hex(&line, &number))
            r->next.port_guid = number;
    } else {
        return false;
    }
    return true;
}

/* "H-0000000000100000" has its GUID in its id. */
static uint64_t guid_of(weft_word id)
{
    weft_ib_line line = {.at = id.at, .end = id.at + id.length};
    uint64_t guid = 0;
    if (id.length == 18 && id.at[1] == '-') {
        line.at += 2;
        if (!weft_ib_line_hex(&line, &guid) || line.at < line.end)
            guid = 0;
    }
    return guid;
}

/* " lid 12 lmc 0" in what is left of a comment. */
static weft_status read_lid(weft_ib_line *line, uint32_t *lid, uint32_t *lmc, weft_error *err)
{
    weft_word rest = weft_ib_line_rest(*line);
    uint64_t number;
    if (!weft_ib_line_finds(line, "lid "))
        return WEFT_OK;
    if (!weft_ib_line_number(line, WEFT_SUBNET_LID_MAX, &number))
        return weft_lines_fail(&line->place, err, "a LID is a number 0 … %u, found '%.*s'",
                               WEFT_SUBNET_LID_MAX, WEFT_WORD(rest));
    *lid = (uint32_t)number;
    if (!weft_ib_line_skips(line, " lmc "))
        return WEFT_OK;
    if (!weft_ib_line_number(line, 7, &number) || *lid + (1u << number) - 1 > WEFT_SUBNET_LID_MAX)
        return weft_lines_fail(&line->place, err, "an LMC is a number 0 … 7, found '%.*s'",
                               WEFT_WORD(rest));
    *lmc = (uint32_t)number;
    return WEFT_OK;
}

/* An id in quotes, to the next quote. */
static bool read_id(weft_ib_line *line, weft_word *id)
{
    const char *end;
    if (!weft_ib_line_skips(line, "\"") ||
        !(end = memchr(line->at, '"', (size_t)(line->end - line->at))))
        return false;
    *id = (weft_word){.at = line->at, .length = (size_t)(end - line->at), .quoted = true};
    line->at = end + 1;
    return true;
}

/* Behind "Switch" or "Ca". */
static weft_status read_node(reading *r, weft_ib_line line, weft_ib_kind kind, weft_error *err)
{
    weft_word id, name = {.at = ""}, rest = weft_ib_line_rest(line);
    weft_ib_node node = r->next;
    uint64_t ports;
    weft_ib_line_blanks(&line);
    bool good = weft_ib_line_number(&line, UINT8_MAX - 1, &ports);
    weft_ib_line_blanks(&line);
    if (!good || !read_id(&line, &id))
        return weft_lines_fail(&line.place, err,
                               "a node is `Switch 36 \"NAME\"` or `Ca 1 \"NAME\"` with at most %d "
                               "ports, found '%.*s'",
                               UINT8_MAX - 1, WEFT_WORD(rest));
    if (weft_ib_line_finds(&line, "#") && weft_ib_line_quoted(&line, &name)) {
        weft_ib_line comment = line;
        node.enhanced = weft_ib_line_finds(&comment, "enhanced port 0");
        WEFT_TRY(read_lid(&line, &node.lid, &node.lmc, err));
    }
    node.kind = kind;
    node.ports = (uint32_t)ports;
    node.guid = node.guid ? node.guid : guid_of(id);
    WEFT_TRY(weft_ib_fabric_node(r->fabric, &line.place, id, &r->node, err));
    r->next = (weft_ib_node){0};
    return weft_ib_fabric_describe(r->fabric, &line.place, r->node, node, name, err);
}

/* "4xEDR"; a rate that is not known stays unknown. */
static weft_subnet_rate read_rate(weft_ib_line line)
{
    uint64_t width;
    weft_ib_line_blanks(&line);
    if (!weft_ib_line_number(&line, 64, &width) || !weft_ib_line_skips(&line, "x"))
        return (weft_subnet_rate){0};
    const char *end = line.at;
    while (end < line.end && *end != ' ' && *end != '\t')
        end++;
    weft_word word = {.at = line.at, .length = (size_t)(end - line.at)};
    for (uint8_t s = 0; s < WEFT_SUBNET_SPEEDS; s++)
        if (weft_word_is(word, weft_subnet_speeds[s].name))
            return (weft_subnet_rate){.width = (uint8_t)width, .speed = s};
    return (weft_subnet_rate){0};
}

/* [lid 1 lmc 0] "name" lid 2 4xEDR */
static weft_status read_comment(weft_ib_line line, weft_ib_plug *plug, weft_error *err)
{
    weft_word name;
    uint64_t number;
    weft_ib_line_blanks(&line);
    if (line.at < line.end && *line.at == 'l')
        WEFT_TRY(read_lid(&line, &plug->lid, &plug->lmc, err));
    if (!weft_ib_line_quoted(&line, &name))
        return WEFT_OK;
    weft_ib_line_blanks(&line);
    if (weft_ib_line_skips(&line, "lid "))
        (void)weft_ib_line_number(&line, WEFT_SUBNET_LID_MAX, &number);
    plug->rate = read_rate(line);
    return WEFT_OK;
}

/* "[5]" and, if it is there, "(100001)". */
static bool read_port(weft_ib_line *line, uint32_t *port, uint64_t *guid)
{
    uint64_t number;
    if (!weft_ib_line_skips(line, "[") || !weft_ib_line_number(line, UINT8_MAX - 1, &number) ||
        number == 0 || !weft_ib_line_skips(line, "]"))
        return false;
    *port = (uint32_t)number;
    if (weft_ib_line_skips(line, "("))
        return weft_ib_line_hex(line, guid) && weft_ib_line_skips(line, ")");
    return true;
}

static weft_status read_plug(reading *r, weft_ib_line line, weft_error *err)
{
    weft_word id, rest = weft_ib_line_rest(line);
    weft_ib_plug plug = {.node = r->node};
    uint64_t guid = 0;
    bool good = read_port(&line, &plug.port, &plug.guid);
    weft_ib_line_blanks(&line);
    if (!good || !read_id(&line, &id) || !read_port(&line, &plug.to_port, &guid))
        return weft_lines_fail(&line.place, err,
                               "a port is `[5] \"NAME\"[8]` with numbers 1 … %d, found '%.*s'",
                               UINT8_MAX - 1, WEFT_WORD(rest));
    if (r->node == NO_NODE)
        return weft_lines_fail(&line.place, err, "a port comes before any Switch or Ca");
    if (weft_ib_line_finds(&line, "#"))
        WEFT_TRY(read_comment(line, &plug, err));
    WEFT_TRY(weft_ib_fabric_node(r->fabric, &line.place, id, &plug.to, err));
    return weft_ib_fabric_plug(r->fabric, &line.place, plug, err);
}

static weft_status read_line(void *user, weft_ib_line line, weft_error *err)
{
    reading *r = user;
    weft_ib_line_blanks(&line);
    if (line.at == line.end || *line.at == '#' || read_key(r, line))
        return WEFT_OK;
    if (*line.at == '[')
        return read_plug(r, line, err);
    weft_word rest = weft_ib_line_rest(line);
    if (weft_ib_line_skips(&line, "Switch"))
        return read_node(r, line, WEFT_IB_SWITCH, err);
    if (weft_ib_line_skips(&line, "Ca") || weft_ib_line_skips(&line, "Hca"))
        return read_node(r, line, WEFT_IB_ADAPTER, err);
    return weft_lines_fail(&line.place, err,
                           "expected Switch, Ca, a port such as [5] or a key such as "
                           "switchguid=0x…, found '%.*s'",
                           WEFT_WORD(rest));
}

weft_status weft_ib_netdiscover_read(weft_ib_fabric *fabric, const weft_ib_source *source,
                                     weft_error *err)
{
    reading r = {.fabric = fabric, .node = NO_NODE};
    return weft_ib_source_read(source, "ibnetdiscover's text", read_line, &r, NULL, err);
}
