/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/bounds/link_uses.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define ENDS_MOST   2048
#define USERS_MOST  ((size_t)1 << 25)
#define COVERED_ALL 4096 /* users of a link, up to which it is worth while to look closely */

typedef struct listing {
    weft_link_uses *uses;
    uint32_t *slot; /* number of a link's use, + 1 */
    uint32_t ports, pair;
    size_t total;
    bool fills; /* the second time round; before, it counts */
} listing;

static void pass(void *user, uint32_t router, uint32_t port, uint32_t came, double share)
{
    listing *l = user;
    weft_link_uses *uses = l->uses;
    uint32_t link = router * l->ports + port;
    (void)came;
    l->total++;
    if (!l->slot[link]) {
        uses->use[uses->links] = (weft_link_use){.link = link};
        l->slot[link] = ++uses->links;
    }
    weft_link_use *use = &uses->use[l->slot[link] - 1];
    weft_link_user *next = l->fills ? &uses->user[use->first + use->count] : NULL;
    if (next && use->count && next[-1].pair == l->pair) { /* by another of its routes */
        next[-1].share += (float)share;
        return;
    }
    if (next)
        *next = (weft_link_user){l->pair, (float)share};
    use->count++;
}

/* False: it has become too much. */
static bool follow_all(listing *l, weft_walk *walk)
{
    const weft_topology *topology = walk->routing->topology;
    uint32_t ends = l->uses->ends, hosts = weft_routing_hosts(walk->routing);
    for (uint32_t from = 0; from < ends; from++)
        for (uint32_t to = 0; to < ends; to++) {
            uint32_t home = from / hosts, exit = to / hosts + topology->egress_offset;
            l->pair = from * ends + to;
            if (from != to && !weft_walk_pair(walk, home, exit, to % hosts, 1))
                return false;
            if (l->total > USERS_MOST)
                return false;
        }
    return true;
}

static void make_room(listing *l)
{
    weft_link_uses *uses = l->uses;
    size_t at = 0;
    for (uint32_t i = 0; i < uses->links; i++) {
        uses->use[i].first = at;
        at += uses->use[i].count;
        uses->use[i].count = 0;
    }
    uses->user = weft_alloc(sizeof *uses->user * (at + 1));
    l->total = 0;
    l->fills = true;
}

/* What all senders, or all receivers, can bring at most. */
static double simple_bound(const weft_link_uses *uses, const weft_link_use *use, double *most)
{
    double sum[2] = {0, 0};
    memset(most, 0, sizeof *most * 2 * uses->ends);
    for (size_t i = use->first; i < use->first + use->count; i++) {
        uint32_t end[2] = {uses->user[i].pair / uses->ends,
                           uses->ends + uses->user[i].pair % uses->ends};
        double share = (double)uses->user[i].share;
        for (int side = 0; side < 2; side++)
            if (share > most[end[side]]) {
                sum[side] += share - most[end[side]];
                most[end[side]] = share;
            }
    }
    return sum[0] < sum[1] ? sum[0] : sum[1];
}

/* The end with the most that is left. */
static uint32_t heaviest(const double *weight, uint32_t count)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
        best = weight[i] > weight[best] ? i : best;
    return best;
}

/* Ends that together have a part in every use: no matching brings more than the greatest use of
 * each. The heaviest is taken first. */
static double cover_bound(const weft_link_uses *uses, const weft_link_use *use, double *weight)
{
    weft_link_user left[COVERED_ALL];
    size_t count = use->count;
    double bound = 0;
    if (uses->ends == 0 || count > COVERED_ALL)
        return use->most;
    memcpy(left, uses->user + use->first, sizeof *left * count);
    while (count > 0) {
        memset(weight, 0, sizeof *weight * 2 * uses->ends);
        for (size_t i = 0; i < count; i++) {
            weight[left[i].pair / uses->ends] += (double)left[i].share;
            weight[uses->ends + left[i].pair % uses->ends] += (double)left[i].share;
        }
        uint32_t end = heaviest(weight, 2 * uses->ends);
        double most = 0;
        size_t kept = 0;
        for (size_t i = 0; i < count; i++) {
            uint32_t mine = end < uses->ends ? left[i].pair / uses->ends
                                             : uses->ends + left[i].pair % uses->ends;
            if (mine != end)
                left[kept++] = left[i];
            else if ((double)left[i].share > most)
                most = (double)left[i].share;
        }
        bound += most;
        count = kept;
    }
    return bound;
}

static void find_bounds(weft_link_uses *uses)
{
    double *weight = weft_alloc(sizeof *weight * 2 * uses->ends);
    for (uint32_t i = 0; i < uses->links; i++) {
        weft_link_use *use = &uses->use[i];
        use->most = simple_bound(uses, use, weight);
        double cover = cover_bound(uses, use, weight);
        use->most = cover < use->most ? cover : use->most;
    }
    free(weight);
}

bool weft_link_uses_find(weft_link_uses *uses, weft_walk *walk)
{
    const weft_topology *topology = walk->routing->topology;
    size_t links = (size_t)topology->routers * topology->ports;
    weft_walk own = *walk;
    *uses = (weft_link_uses){.ends = topology->edge_routers * weft_routing_hosts(walk->routing)};
    if (uses->ends > ENDS_MOST)
        return false;
    listing l = {.uses = uses, .ports = topology->ports};
    uses->use = weft_alloc(sizeof *uses->use * links);
    l.slot = weft_alloc(sizeof *l.slot * links);
    walk->pass = pass;
    walk->user = &l;
    bool fits = follow_all(&l, walk);
    if (fits) {
        make_room(&l);
        fits = follow_all(&l, walk);
    }
    if (fits)
        find_bounds(uses);
    free(l.slot);
    walk->pass = own.pass;
    walk->user = own.user;
    if (!fits)
        weft_link_uses_done(uses);
    return fits;
}

void weft_link_uses_done(weft_link_uses *uses)
{
    free(uses->use);
    free(uses->user);
    *uses = (weft_link_uses){0};
}

static int by_rank(const void *one, const void *two)
{
    const weft_link_use *a = one, *b = two;
    if (a->rank < b->rank || a->rank > b->rank)
        return a->rank > b->rank ? -1 : 1;
    return a->link < b->link ? -1 : a->link > b->link;
}

void weft_link_uses_sort(weft_link_uses *uses)
{
    qsort(uses->use, uses->links, sizeof *uses->use, by_rank);
}

void weft_link_uses_matrix(const weft_link_uses *uses, const weft_link_use *use, double *matrix)
{
    memset(matrix, 0, sizeof *matrix * uses->ends * uses->ends);
    for (size_t i = use->first; i < use->first + use->count; i++)
        matrix[uses->user[i].pair] += (double)uses->user[i].share;
}
