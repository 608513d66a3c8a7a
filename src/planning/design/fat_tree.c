/* SPDX-License-Identifier: Apache-2.0 */
/* Fat trees of two and three levels as XGFTs. A leaf has d endpoints and u uplinks, d = t u for a
 * taper of t : 1; the switches above may be tapered again. Where a switch of the highest level
 * would use few of its ports, several of them are one switch: with parallel cables between two
 * switches that is the same network (a PGFT), since no packet turns from one of its parts to
 * another. */
#include "planning/design.h"
#include "planning/kinds.h"

#include <stdio.h>

typedef struct settings {
    weft_ints levels, taper;
} settings;

static const weft_param params[] = {{"levels", "levels of switches: 2, 3 or both", WEFT_PARAM_INTS,
                                     offsetof(settings, levels), "[2, 3]", 2, 3, NULL, NULL},
                                    {"taper", "tapers t : 1 to consider at a level; 1 is none",
                                     WEFT_PARAM_INTS, offsetof(settings, taper), "[1, 2, 3, 4]", 1,
                                     64, NULL, NULL},
                                    {.name = NULL}};

#define TAPER_MOST 8.0 /* of two levels together */

static uint32_t fold_of(uint64_t ports, uint64_t used)
{
    if (used == 0 || used > ports)
        return 1;
    return (uint32_t)(ports / used);
}

static void propose_two(weft_design_list *list, uint64_t taper)
{
    uint64_t ports = (uint64_t)list->wanted->with.ports, up = ports / (taper + 1);
    uint64_t down = up * taper;
    if (up == 0)
        return;
    uint64_t leaves = weft_design_ceil((uint64_t)list->wanted->endpoints, down);
    bool few = leaves > ports; /* as large as it gets, for the message */
    leaves = few ? ports : leaves < 2 ? 2 : leaves;
    uint32_t fold = fold_of(ports, leaves);
    char name[96], topology[160];
    (void)snprintf(name, sizeof name, "fat-tree 2 levels %llu:1", (unsigned long long)taper);
    (void)snprintf(topology, sizeof topology,
                   "{kind: fat-tree, form: xgft, down: [%llu, %llu], up: [1, %llu], global: true}",
                   (unsigned long long)down, (unsigned long long)leaves, (unsigned long long)up);
    weft_design fabric = {.name = name,
                          .topology = topology,
                          .routing = "{kind: minimal-adaptive, selection: random}",
                          .vcs = 8,
                          .endpoints = down * leaves,
                          .switches = leaves + weft_design_ceil(up, fold),
                          .ports =
                              (uint32_t)(down + up > leaves * fold ? down + up : leaves * fold),
                          .folded = (uint32_t)leaves,
                          .fold = fold,
                          .group = 1,
                          .quality = 1.0 / (double)taper};
    weft_design_propose(list, &fabric);
}

static void propose_three(weft_design_list *list, uint64_t taper, uint64_t upper)
{
    uint64_t ports = (uint64_t)list->wanted->with.ports, up = ports / (taper + 1);
    uint64_t down = up * taper, most = ports / (upper + 1) * upper;
    if (up == 0 || most == 0)
        return;
    uint64_t leaves = weft_design_ceil((uint64_t)list->wanted->endpoints, down);
    uint64_t pods = weft_design_ceil(leaves, most);
    if (pods > ports)
        pods = ports;
    if (pods < 2)
        return;
    uint64_t each = weft_design_ceil(leaves, pods);
    each = each > most ? most : each;
    uint64_t parents = weft_design_ceil(each, upper);
    uint32_t fold = fold_of(ports, pods);
    uint64_t used = down + up > each + parents ? down + up : each + parents;
    char name[96], topology[160], above[24] = "";
    if (upper > 1)
        (void)snprintf(above, sizeof above, " %llu:1", (unsigned long long)upper);
    (void)snprintf(name, sizeof name, "fat-tree 3 levels %llu:1%s", (unsigned long long)taper,
                   above);
    (void)snprintf(topology, sizeof topology,
                   "{kind: fat-tree, form: xgft, down: [%llu, %llu, %llu], up: [1, %llu, %llu], "
                   "global: true}",
                   (unsigned long long)down, (unsigned long long)each, (unsigned long long)pods,
                   (unsigned long long)up, (unsigned long long)parents);
    weft_design fabric = {.name = name,
                          .topology = topology,
                          .routing = "{kind: minimal-adaptive, selection: random}",
                          .vcs = 8,
                          .endpoints = down * each * pods,
                          .switches = (each + up) * pods + weft_design_ceil(up * parents, fold),
                          .ports = (uint32_t)(used > pods * fold ? used : pods * fold),
                          .folded = (uint32_t)((each + up) * pods),
                          .fold = fold,
                          .group = (uint32_t)each,
                          .quality = (double)parents / (double)(taper * each)};
    weft_design_propose(list, &fabric);
}

static void propose(const void *given, weft_design_list *list)
{
    const settings *set = given;
    for (int32_t l = 0; l < set->levels.count; l++)
        for (int32_t t = 0; t < set->taper.count; t++) {
            uint64_t taper = (uint64_t)set->taper.at[t];
            if (set->levels.at[l] == 2)
                propose_two(list, taper);
            for (int32_t i = 0; set->levels.at[l] == 3 && i < set->taper.count; i++)
                if ((double)taper * set->taper.at[i] <= TAPER_MOST)
                    propose_three(list, taper, (uint64_t)set->taper.at[i]);
        }
}

const weft_design_kind weft_design_fat_tree = {
    WEFT_DESIGN_BASE("fat-tree", "fat trees of two and three levels, tapered or not"),
    .propose = propose,
    .most = 12,
};
