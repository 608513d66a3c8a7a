/* SPDX-License-Identifier: Apache-2.0 */
/* The Hungarian method with potentials (Kuhn 1955, in the form of Jonker and Volgenant 1987):
 * rows are added one by one, each by a shortest augmenting path in the reduced costs. Paths begin
 * at row and column 0. */
#include "analysis/bounds/matching.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define FAR 1e300

typedef struct solver {
    const double *weight;
    uint32_t n;
    double *row, *column; /* potentials */
    double *gap;          /* least reduced cost of a column seen from the tree … */
    uint32_t *way;        /* … and the column before it */
    uint32_t *owner;      /* row of a column, from 1; 0: none */
    char *seen;
} solver;

/* Looks from the row that owns a column at all columns outside the tree; returns the nearest. */
static uint32_t reach(solver *s, uint32_t column, double *least)
{
    uint32_t row = s->owner[column], nearest = 0;
    const double *weight = s->weight + (size_t)(row - 1) * s->n;
    *least = FAR;
    for (uint32_t c = 1; c <= s->n; c++) {
        if (s->seen[c])
            continue;
        double cost = -weight[c - 1] - s->row[row] - s->column[c];
        if (cost < s->gap[c]) {
            s->gap[c] = cost;
            s->way[c] = column;
        }
        if (s->gap[c] < *least) {
            *least = s->gap[c];
            nearest = c;
        }
    }
    return nearest;
}

static void shift(solver *s, double by)
{
    for (uint32_t c = 0; c <= s->n; c++) {
        if (s->seen[c]) {
            s->row[s->owner[c]] += by;
            s->column[c] -= by;
        } else {
            s->gap[c] -= by;
        }
    }
}

static void add_row(solver *s, uint32_t row)
{
    uint32_t column = 0;
    s->owner[0] = row;
    memset(s->seen, 0, s->n + 1);
    for (uint32_t c = 0; c <= s->n; c++)
        s->gap[c] = FAR;
    do {
        double least;
        s->seen[column] = 1;
        uint32_t next = reach(s, column, &least);
        shift(s, least);
        column = next;
    } while (s->owner[column]);
    for (; column; column = s->way[column])
        s->owner[column] = s->owner[s->way[column]];
}

double weft_matching_find(const double *weight, uint32_t n, uint32_t *to)
{
    size_t count = (size_t)n + 1;
    solver s = {.weight = weight,
                .n = n,
                .row = weft_alloc(sizeof *s.row * count),
                .column = weft_alloc(sizeof *s.column * count),
                .gap = weft_alloc(sizeof *s.gap * count),
                .way = weft_alloc(sizeof *s.way * count),
                .owner = weft_alloc(sizeof *s.owner * count),
                .seen = weft_alloc(count)};
    double sum = 0;
    for (uint32_t row = 1; row <= n; row++)
        add_row(&s, row);
    for (uint32_t c = 1; c <= n; c++) {
        to[s.owner[c] - 1] = c - 1;
        sum += weight[(size_t)(s.owner[c] - 1) * n + c - 1];
    }
    free(s.row);
    free(s.column);
    free(s.gap);
    free(s.way);
    free(s.owner);
    free(s.seen);
    return sum;
}
