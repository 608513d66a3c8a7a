/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of waits: the outputs where most waits end, and who waits for whom. */
#include "study/why/why.h"

#include <string.h>

static void name_output(const weft_waitwatch *s, uint32_t output, char name[160])
{
    weft_why_output_name(s->network, output / s->outs, output % s->outs, name);
}

/* The heaviest roots; the first of equals. */
static size_t choose_roots(const weft_waitwatch *s, uint32_t roots[WEFT_WHY_ROOTS])
{
    size_t count = 0;
    for (uint32_t o = 0; o < s->n_outputs; o++) {
        double weight = weft_waitwatch_weight(s, o);
        size_t place = count;
        while (place > 0 && weight > weft_waitwatch_weight(s, roots[place - 1]))
            place--;
        if (weight <= 0 || place == WEFT_WHY_ROOTS)
            continue;
        count += count < WEFT_WHY_ROOTS;
        memmove(roots + place + 1, roots + place, (count - place - 1) * sizeof *roots);
        roots[place] = o;
    }
    return count;
}

static void add_root(const weft_waitwatch *s, uint32_t output, weft_why *why)
{
    weft_why_root *root = &why->roots[why->n_roots++];
    double half = weft_why_busy_half_width(s, output);
    root->packets = weft_waitwatch_weight(s, output);
    root->busy = weft_why_busy(s, output);
    root->lo = root->busy > half ? root->busy - half : 0;
    root->hi = root->busy + half < 1 ? root->busy + half : 1;
    name_output(s, output, root->name);
}

void weft_why_tree(const weft_waitwatch *s, weft_why *why)
{
    uint32_t roots[WEFT_WHY_ROOTS];
    size_t count = choose_roots(s, roots);
    for (size_t i = 0; i < count; i++)
        add_root(s, roots[i], why);
    for (size_t i = 0; i < s->n_edges && i < WEFT_WHY_WAITS; i++) {
        weft_why_wait *wait = &why->waits[why->n_waits++];
        name_output(s, s->edges[i].from, wait->from);
        name_output(s, s->edges[i].to, wait->to);
        wait->packets = s->edges[i].packets;
    }
}
