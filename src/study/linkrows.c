/* SPDX-License-Identifier: Apache-2.0 */
#include "study/linkrows.h"

#include "net/naming.h"

bool weft_link_rows(const weft_network *network, const weft_simulation *simulation,
                    weft_arena *arena, weft_link_summary *links)
{
    const weft_topology *topology = &network->topology;
    const weft_link_loads *loads = weft_simulation_links(simulation);
    uint32_t ports = topology->ports;
    *links = (weft_link_summary){.span = loads->span, .count = loads->count};
    if (loads->span <= 0 || topology->links == 0)
        return false;
    links->rows = WEFT_TAKE(arena, weft_link_row, loads->count);
    for (size_t i = 0; i < loads->count; i++) {
        weft_link_row *row = &links->rows[i];
        *row = (weft_link_row){
            .index = loads->load[i].index, .busy = loads->load[i].busy, .span = loads->span};
        double share = (double)row->busy / (double)row->span;
        links->max = share > links->max ? share : links->max;
        char name[WEFT_LINK_NAME_BYTES];
        weft_naming_link(topology, (uint32_t)(row->index / ports), (uint32_t)(row->index % ports),
                         name);
        row->name = weft_arena_format(arena, "%s", name);
    }
    links->mean = (double)loads->total / ((double)loads->span * (double)topology->links);
    return true;
}
