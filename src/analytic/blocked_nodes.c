/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/blocked_nodes.h"

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Distributions of all nodes with x + y = sum: that of x begins at at[x * width]. */
typedef struct diagonal {
    weft_choice choice;
    double rho;
    uint32_t sum, width;
    double *at;
} diagonal;

static bool prefers_x(weft_choice choice, uint32_t x, uint32_t y)
{
    return choice == WEFT_CHOICE_DIMENSION_ORDER || x >= y;
}

/* Adds `weight` × the distribution of node x of `from`, with one more blocked node if `blocked`. */
static void add(const diagonal *from, uint32_t x, double weight, uint32_t blocked, double *into)
{
    for (uint32_t b = 0; b <= from->sum; b++)
        into[b + blocked] += weight * from->at[(size_t)x * from->width + b];
}

/* A node with one way on, to node x of `from`. */
static void pass_one_way(const diagonal *from, uint32_t x, double *into)
{
    add(from, x, 1 - from->rho, 0, into);
    add(from, x, from->rho, 1, into);
}

/* A node with two ways on; x is that of the way that is preferred. `blocks`: it can block, being no
 * source. */
static void pass_two_ways(const diagonal *from, uint32_t x, uint32_t other, double weight,
                          bool blocks, double *into)
{
    double rho = from->rho;
    add(from, x, weight * (1 - rho), 0, into);
    add(from, other, weight * rho * (1 - rho), 0, into);
    add(from, x, weight * rho * rho, blocks, into);
}

/* The node (x, y), from whose neighbours one hop nearer `from` has the distributions. */
static void pass(const diagonal *from, uint32_t x, uint32_t y, bool blocks, double *into)
{
    bool oblivious = from->choice == WEFT_CHOICE_OBLIVIOUS;
    if (x == 0 || y == 0 || oblivious) {
        if (blocks)
            pass_one_way(from, x ? x - 1 : 0, into);
        else
            add(from, x ? x - 1 : 0, 1, 0, into);
        return;
    }
    uint32_t along_x = x - 1, along_y = x; /* places on the next diagonal */
    if (from->choice == WEFT_CHOICE_RANDOM) {
        pass_two_ways(from, along_x, along_y, 0.5, blocks, into);
        pass_two_ways(from, along_y, along_x, 0.5, blocks, into);
    } else if (prefers_x(from->choice, x, y)) {
        pass_two_ways(from, along_x, along_y, 1, blocks, into);
    } else {
        pass_two_ways(from, along_y, along_x, 1, blocks, into);
    }
}

static double share_of(uint32_t x, uint32_t h, uint32_t k)
{
    return k ? weft_two_ways_nodes(x, h - x, k) : x < h;
}

void weft_blocked_nodes(weft_choice choice, double rho, uint32_t h, uint32_t k, double *probability)
{
    assert(h > 0 && (k == 0 || h <= 2 * (k / 2)));
    size_t width = h + 1, cells = width * width;
    double *room = weft_alloc(2 * cells * sizeof *room), all = 0;
    diagonal now = {choice, rho, 0, (uint32_t)width, room}, next = now;
    next.at = room + cells;
    now.at[0] = 1;
    for (; now.sum + 1 < h; now = next, next.at = now.at == room ? room + cells : room) {
        next.sum = now.sum + 1;
        memset(next.at, 0, cells * sizeof *next.at);
        for (uint32_t x = 0; x <= next.sum; x++)
            pass(&now, x, next.sum - x, true, next.at + x * width);
    }
    memset(next.at, 0, width * sizeof *next.at);
    for (uint32_t x = 0; x <= h; x++) {
        double share = share_of(x, h, k), *one = next.at;
        if (share == 0)
            continue;
        memset(one, 0, width * sizeof *one);
        pass(&now, x, h - x, false, one);
        all += share;
        for (uint32_t b = 0; b < h; b++)
            probability[b] = (all == share ? 0 : probability[b]) + share * one[b];
    }
    for (uint32_t b = 0; b < h; b++)
        probability[b] /= all;
    free(room);
}
