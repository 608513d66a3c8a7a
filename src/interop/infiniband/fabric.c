/* SPDX-License-Identifier: Apache-2.0 */
#include "interop/infiniband/fabric.h"

#include "base/memory.h"

#include <stdlib.h>

void weft_ib_fabric_init(weft_ib_fabric *fabric, const char *file)
{
    *fabric = (weft_ib_fabric){.file = file};
    weft_import_graph_init(&fabric->ids, file);
    weft_text_init(&fabric->names);
}

void weft_ib_fabric_done(weft_ib_fabric *fabric)
{
    weft_import_graph_done(&fabric->ids);
    weft_text_done(&fabric->names);
    free(fabric->nodes);
    free(fabric->plugs);
    *fabric = (weft_ib_fabric){0};
}

static size_t add_name(weft_ib_fabric *fabric, const char *name, size_t length)
{
    size_t at = fabric->names.length;
    weft_text_append(&fabric->names, name, length);
    weft_text_append(&fabric->names, "", 1);
    return at;
}

weft_status weft_ib_fabric_node(weft_ib_fabric *fabric, const weft_lines *place, weft_word id,
                                uint32_t *node, weft_error *err)
{
    uint32_t before = fabric->ids.n_routers;
    WEFT_TRY(weft_import_graph_router_of(&fabric->ids, place, id, node, err));
    if (fabric->ids.n_routers == before)
        return WEFT_OK;
    if (before == fabric->node_room) {
        fabric->node_room = before ? 2 * before : 64;
        fabric->nodes = weft_realloc(fabric->nodes, fabric->node_room, sizeof *fabric->nodes);
    }
    fabric->nodes[before] =
        (weft_ib_node){.name = add_name(fabric, id.at, id.length), .line = place->line};
    return WEFT_OK;
}

weft_status weft_ib_fabric_describe(weft_ib_fabric *fabric, const weft_lines *place, uint32_t node,
                                    weft_ib_node what, weft_word name, weft_error *err)
{
    weft_ib_node *it = &fabric->nodes[node];
    if (it->kind != WEFT_IB_UNKNOWN)
        return weft_lines_fail(place, err, "%s is described twice, in line %lu and here",
                               weft_ib_fabric_name(fabric, node), it->line);
    if (name.length > 0 && !weft_weftnet_name_sound(name.at, name.length))
        return weft_lines_fail(place, err,
                               "the name of a node is a text of 1 … %d bytes, found '%.*s'",
                               WEFT_WEFTNET_NAME_MAX, WEFT_WORD(name));
    what.name = name.length > 0 ? add_name(fabric, name.at, name.length) : it->name;
    what.line = place->line;
    *it = what;
    return WEFT_OK;
}

weft_status weft_ib_fabric_plug(weft_ib_fabric *fabric, const weft_lines *place, weft_ib_plug plug,
                                weft_error *err)
{
    if (fabric->n_plugs == WEFT_WEFTNET_MOST)
        return weft_lines_fail(place, err, "there are more than %u ports", WEFT_WEFTNET_MOST);
    if (fabric->n_plugs == fabric->plug_room) {
        fabric->plug_room = fabric->plug_room ? 2 * fabric->plug_room : 64;
        fabric->plugs = weft_realloc(fabric->plugs, fabric->plug_room, sizeof *fabric->plugs);
    }
    plug.line = place->line;
    fabric->plugs[fabric->n_plugs++] = plug;
    return WEFT_OK;
}
