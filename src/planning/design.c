/* SPDX-License-Identifier: Apache-2.0 */
#include "planning/design.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char *copy(weft_arena *arena, const char *text)
{
    return weft_arena_copy(arena, text, strlen(text));
}

void weft_design_propose(weft_design_list *list, const weft_design *fabric)
{
    const weft_requirements *wanted = list->wanted;
    double most = wanted->constraints.largest * (double)wanted->endpoints;
    weft_design kept = *fabric;
    bool few = fabric->endpoints < (uint64_t)wanted->endpoints;
    if (fabric->ports > wanted->with.ports || (double)fabric->endpoints > most)
        return;
    if (few && fabric->endpoints <= list->nearest.endpoints)
        return;
    kept.name = copy(list->arena, fabric->name);
    if (few) {
        list->nearest = kept;
        return;
    }
    kept.topology = copy(list->arena, fabric->topology);
    kept.routing = copy(list->arena, fabric->routing);
    if (list->n_fabrics == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        weft_design *more = WEFT_TAKE(list->arena, weft_design, list->room);
        if (list->n_fabrics)
            memcpy(more, list->fabrics, sizeof *more * list->n_fabrics);
        list->fabrics = more;
    }
    list->fabrics[list->n_fabrics++] = kept;
}

/* By switches, then by falling quality, then by name. */
static int compare(const void *a, const void *b)
{
    const weft_design *x = a, *y = b;
    if (x->switches != y->switches)
        return x->switches < y->switches ? -1 : 1;
    if (x->quality != y->quality)
        return x->quality > y->quality ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Keeps of the fabrics from `first` on those that none with fewer switches equals in quality, and
 * at most `most` of them, evenly. */
static void thin(weft_design_list *list, size_t first, size_t most)
{
    size_t kept = 0, count = list->n_fabrics - first;
    if (count == 0)
        return;
    weft_design *at = list->fabrics + first;
    qsort(at, count, sizeof *at, compare);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || at[i].quality > at[kept - 1].quality * (1 + 1e-9))
            at[kept++] = at[i];
    for (size_t i = 0; kept > most && i < most; i++)
        at[i] = at[most > 1 ? i * (kept - 1) / (most - 1) : 0];
    list->n_fabrics = first + (kept < most ? kept : most);
}

void weft_design_find(weft_design_list *list, const weft_requirements *wanted, weft_arena *arena)
{
    *list = (weft_design_list){.arena = arena, .wanted = wanted};
    for (int32_t i = 0; i < wanted->fabrics.count; i++) {
        const weft_kind_ref *ref = &wanted->fabrics.at[i];
        const weft_design_kind *kind = (const weft_design_kind *)(const void *)ref->kind;
        size_t first = list->n_fabrics;
        kind->propose(ref->settings, list);
        for (size_t k = first; k < list->n_fabrics; k++)
            list->fabrics[k].family = kind->base.name;
        thin(list, first, kind->most);
    }
}
