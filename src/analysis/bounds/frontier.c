/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/bounds/frontier.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_LEAST 64

static size_t hash(const weft_spot *spot)
{
    uint64_t x = ((uint64_t)spot->router << 32 | spot->route) + (uint64_t)spot->came * 0x9e3779b9u;
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(x ^ x >> 29);
}

static bool same(const weft_spot *a, const weft_spot *b)
{
    return a->router == b->router && a->route == b->route && a->came == b->came;
}

/* The slot of a spot, or the free one it belongs to. */
static uint32_t *find(const weft_frontier *frontier, const weft_spot *spot)
{
    size_t mask = 4 * frontier->room - 1, at = hash(spot) & mask;
    while (frontier->slot[at] && !same(&frontier->spots[frontier->slot[at] - 1], spot))
        at = (at + 1) & mask;
    return &frontier->slot[at];
}

static void grow(weft_frontier *frontier)
{
    size_t room = frontier->room ? 2 * frontier->room : ROOM_LEAST;
    weft_spot *spot = weft_alloc(sizeof *spot * room);
    if (frontier->n_spots)
        memcpy(spot, frontier->spots, sizeof *spot * frontier->n_spots);
    free(frontier->spots);
    free(frontier->slot);
    frontier->spots = spot;
    frontier->room = room;
    frontier->slot = weft_alloc(sizeof *frontier->slot * 4 * room);
    for (size_t i = 0; i < frontier->n_spots; i++)
        *find(frontier, &spot[i]) = (uint32_t)i + 1;
}

void weft_frontier_add(weft_frontier *frontier, weft_spot spot)
{
    if (frontier->n_spots == frontier->room)
        grow(frontier);
    uint32_t *slot = find(frontier, &spot);
    if (*slot) {
        frontier->spots[*slot - 1].share += spot.share;
        return;
    }
    frontier->spots[frontier->n_spots++] = spot;
    *slot = (uint32_t)frontier->n_spots;
}

void weft_frontier_clear(weft_frontier *frontier)
{
    if (frontier->n_spots)
        memset(frontier->slot, 0, sizeof *frontier->slot * 4 * frontier->room);
    frontier->n_spots = 0;
}

void weft_frontier_done(weft_frontier *frontier)
{
    free(frontier->spots);
    free(frontier->slot);
    *frontier = (weft_frontier){0};
}
