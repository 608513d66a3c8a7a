/* SPDX-License-Identifier: Apache-2.0 */
/* Service levels and tables of VL arbitration, from the second stream. */
#include "reference/draw_pen.h"

uint32_t draw_levels(pen *by)
{
    flit_config *set = &by->of->config;
    switch_stream(by);
    uint32_t classes = between(by, 1, 4), vls = set->vcs < 15 ? set->vcs : 15;
    by->mapped = between(by, 0, 3);
    for (uint32_t sl = 0; sl < 16; sl++)
        by->sl2vl[sl] = by->mapped ? between(by, 0, vls - 1) : sl % vls;
    for (uint32_t c = 0; c < classes; c++) {
        by->sl[c] = between(by, 0, 15);
        if (by->mapped && between(by, 0, 5) == 0)
            by->sl[c] = FLIT_NONE;
        set->vl[c] = by->sl2vl[by->sl[c] == FLIT_NONE ? 0 : by->sl[c]];
    }
    by->manager = !by->paused && set->links == 1 && set->vcs < 16 && between(by, 0, 1) == 0
                      ? between(by, 0, classes - 1)
                      : FLIT_NONE;
    if (by->manager != FLIT_NONE) {
        set->management_room = between(by, 0, 2) ? between(by, 1, 3) : 16;
        set->vl[by->manager] = set->vcs;
    }
    switch_stream(by);
    return classes;
}

void draw_map(pen *by)
{
    if (by->manager != FLIT_NONE && by->of->config.management_room != 16)
        write_text(by, "         management-buffer: %u,\n", by->of->config.management_room);
    if (!by->mapped)
        return;
    write_text(by, "         sl2vl: ");
    for (uint32_t sl = 0; sl < 16; sl++)
        write_text(by, "%s%u", sl ? ", " : "[", by->sl2vl[sl]);
    write_text(by, "],\n");
}

static void write_table(pen *by, const char *name, const flit_table *table)
{
    if (table->count == 0)
        return;
    write_text(by, ",\n           %s-vls: [", name);
    for (int i = 0; i < table->count; i++)
        write_text(by, "%s%d", i ? ", " : "", table->vl[i]);
    write_text(by, "], %s-weights: [", name);
    for (int i = 0; i < table->count; i++)
        write_text(by, "%s%d", i ? ", " : "", table->weight[i]);
    write_text(by, "]");
}

/* Some entries for some VLs, one for each at least; VLs that are not there, and no weights too. */
static void draw_tables(pen *by, flit_tables *out)
{
    int least = by->of->config.vcs < 15 ? (int)by->of->config.vcs : 15;
    for (int vl = 0, extra = (int)between(by, 0, 5); vl < least + extra; vl++) {
        flit_table *table = &out->table[between(by, 0, 2) ? 1 : 0];
        table->vl[table->count] = vl < least ? vl : (int)between(by, 0, 14);
        table->weight[table->count++] = (int)between(by, vl < least, between(by, 0, 3) ? 20 : 255);
    }
    for (int i = out->table[1].count - 1; i > 0; i--) { /* in any order */
        flit_table *table = &out->table[1];
        int j = (int)between(by, 0, (uint32_t)i), vl = table->vl[i], weight = table->weight[i];
        table->vl[i] = table->vl[j];
        table->weight[i] = table->weight[j];
        table->vl[j] = vl;
        table->weight[j] = weight;
    }
}

/* The scheduler with tables of its own. */
static void draw_scheduler_of(pen *by, flit_tables *out)
{
    draw_tables(by, out);
    uint32_t limit = between(by, 0, 4) ? between(by, 0, 5) : 255;
    out->limit_in_packets = between(by, 0, 1);
    out->limit = limit == 255 ? -1 : out->limit_in_packets ? limit : 4096 * (int64_t)limit;
    write_text(by, "scheduler: {kind: vl-arbitration, limit: %u, limit-unit: %s", limit,
               out->limit_in_packets ? "packets" : "4 KiB");
    write_table(by, "high", &out->table[0]);
    write_table(by, "low", &out->table[1]);
    write_text(by, "}");
}

void draw_arbitration(pen *by)
{
    switch_stream(by);
    write_text(by, ",\n         ");
    draw_scheduler_of(by, &by->of->config.tables);
    switch_stream(by);
}

void draw_adapters(pen *by)
{
    flit_config *set = &by->of->config;
    if (!set->adapters)
        return;
    set->adapter_tables = set->tables;
    switch_stream(by);
    if (set->scheduler != FLIT_VL_ARBITRATION || between(by, 0, 1)) {
        set->adapter_tables = (flit_tables){.limit = 0};
        write_text(by, ",\n           ");
        draw_scheduler_of(by, &set->adapter_tables);
    }
    switch_stream(by);
}
