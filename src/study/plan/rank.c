/* SPDX-License-Identifier: Apache-2.0 */
/* What no other beats: the Pareto front of cost against each bound, and which are simulated. */
#include "study/plan/plan.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const weft_planned *x = &((const weft_planning_entry *)a)->planned;
    const weft_planned *y = &((const weft_planning_entry *)b)->planned;
    if (!x->refused != !y->refused)
        return x->refused ? 1 : -1;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* x is at least as good in both and better in one. */
static bool beats(const weft_planned *x, const weft_planned *y, int bound)
{
    double more = x->bound[bound] - y->bound[bound], close = 1e-9 * y->bound[bound];
    return x->cost <= y->cost && more >= -close && (x->cost < y->cost || more > close);
}

static void mark_front(weft_planning *plan, int bound)
{
    for (size_t i = 0; i < plan->n_entries; i++) {
        weft_planned *p = &plan->entries[i].planned;
        p->front[bound] = !p->refused;
        for (size_t k = 0; k < plan->n_entries && p->front[bound]; k++)
            if (!plan->entries[k].planned.refused && beats(&plan->entries[k].planned, p, bound))
                p->front[bound] = false;
    }
}

static bool on_front(const weft_planned *p)
{
    for (int b = 0; b < WEFT_TRAFFIC_BOUNDS; b++)
        if (p->front[b])
            return true;
    return false;
}

/* Cost of a unit of the bound of permutations. */
static double value_of(const weft_planned *p)
{
    return p->cost / (p->bound[WEFT_TRAFFIC_PERMUTATION] * p->endpoints);
}

static bool has_chosen(const weft_planning *plan, const char *family)
{
    for (size_t i = 0; i < plan->n_entries; i++)
        if (plan->entries[i].planned.chosen && strcmp(plan->entries[i].planned.family, family) == 0)
            return true;
    return false;
}

/* The best of every family by cost per unit of permutation bound comes first, so that all families
 * can be compared, then the others of the fronts. */
static void choose(weft_planning *plan)
{
    for (int64_t left = plan->wanted.simulate; left > 0; left--) {
        weft_planned *best = NULL;
        bool best_new = false;
        for (size_t i = 0; i < plan->n_entries; i++) {
            weft_planned *p = &plan->entries[i].planned;
            bool new = !p->refused && !has_chosen(plan, p->family);
            if (p->refused || p->chosen || (!new && (best_new || !on_front(p))))
                continue;
            if (!best || (new && !best_new) || value_of(p) < value_of(best))
                best = p;
            best_new = best_new || new;
        }
        if (best)
            best->chosen = true;
    }
}

void weft_planning_rank(weft_planning *plan)
{
    qsort(plan->entries, plan->n_entries, sizeof *plan->entries, compare);
    for (int b = 0; b < WEFT_TRAFFIC_BOUNDS; b++)
        mark_front(plan, b);
    choose(plan);
}
