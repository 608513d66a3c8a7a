/* SPDX-License-Identifier: Apache-2.0 */
/* Repeated substitution, half of the way at a time, from no blocking on. Routes are all pairs of
 * endpoints with one path each, or a sample where there are too many pairs or paths are drawn. */
#include "analytic/reduced_load.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ROUTES_MOST   40000
#define DRAWS         64 /* paths of a pair at most, where paths are drawn */
#define ROUNDS_MOST   500
#define PRECISION     1e-10
#define PASSING_LEAST 1e-6 /* 1 − B that the precision leaves digits of */

typedef struct work {
    const weft_reduced_load *net;
    uint32_t *first, *links; /* of route r: links[first[r] … first[r + 1] − 1] */
    size_t taken;            /* entries of links */
    uint32_t routes;
    double *blocking, *load; /* [link × classes + class] */
    double *q;
} work;

static void add_route(work *w, const uint32_t *links, uint32_t count)
{
    size_t needed = (size_t)w->first[w->routes] + count + 1;
    if (needed > w->taken) {
        w->taken = needed + needed / 2;
        w->links = weft_realloc(w->links, w->taken, sizeof *w->links);
    }
    assert(w->links);
    for (uint32_t i = 0; i < count; i++)
        w->links[w->first[w->routes] + i] = links[i];
    w->first[w->routes + 1] = w->first[w->routes] + count;
    w->routes++;
}

/* Is route r the same as the one before it? */
static bool repeats(const work *w, uint32_t r)
{
    uint32_t length = w->first[r + 1] - w->first[r];
    return r > 0 && w->first[r] - w->first[r - 1] == length &&
           memcmp(&w->links[w->first[r]], &w->links[w->first[r - 1]], length * sizeof *w->links) ==
               0;
}

/* True: a sample. */
static bool find_routes(work *w)
{
    const weft_link_paths *paths = w->net->paths;
    uint32_t ends = paths->endpoints, path[WEFT_LINK_PATH_MAX];
    uint64_t pairs = (uint64_t)ends * (ends - 1), draws = weft_link_paths_drawn(paths) ? DRAWS : 1;
    while (draws > 1 && pairs * draws > ROUTES_MOST)
        draws /= 2;
    bool all = pairs * draws <= ROUTES_MOST;
    uint64_t routes = all ? pairs * draws : ROUTES_MOST;
    bool sampled = !all;
    w->first = weft_alloc((routes + 1) * sizeof *w->first);
    for (uint64_t i = 0; i < routes; i++) {
        weft_random random = weft_random_stream(1, i, 0, WEFT_FOR_ESTIMATE);
        uint64_t pair = all ? i / draws : i * pairs / routes;
        uint32_t from = (uint32_t)(pair / (ends - 1)), to = (uint32_t)(pair % (ends - 1));
        if (!all)
            to = weft_random_below(&random, ends - 1);
        uint32_t count = weft_link_paths_find(paths, from, to + (to >= from), &random, path);
        if (count == UINT32_MAX)
            continue;
        add_route(w, path, count);
        sampled = sampled || (i % draws > 0 && !repeats(w, w->routes - 1));
    }
    return sampled;
}

static double passes(const work *w, uint32_t route, uint32_t k)
{
    double part = 1;
    for (uint32_t i = w->first[route]; i < w->first[route + 1]; i++)
        part *= 1 - w->blocking[w->links[i] * w->net->classes + k];
    return part;
}

/* What every link is offered: the others of the path have let it through. */
static void add_loads(work *w)
{
    uint32_t classes = w->net->classes;
    for (size_t i = 0; i < (size_t)w->net->paths->links * classes; i++)
        w->load[i] = 0;
    for (uint32_t r = 0; r < w->routes; r++)
        for (uint32_t k = 0; k < classes; k++) {
            double part = passes(w, r, k) * w->net->offered[k].load / w->routes;
            for (uint32_t i = w->first[r]; i < w->first[r + 1]; i++) {
                size_t at = (size_t)w->links[i] * classes + k;
                w->load[at] += w->blocking[at] < 1 ? part / (1 - w->blocking[at]) : 0;
            }
        }
}

static int64_t room_of(const work *w, uint32_t link)
{
    return link < w->net->paths->host_links ? w->net->room : w->net->host_room;
}

/* The greatest change. */
static double block_links(work *w)
{
    uint32_t classes = w->net->classes;
    double most = 0;
    weft_offered_class *offered = weft_alloc(classes * sizeof *offered);
    for (uint32_t l = 0; l < w->net->paths->links; l++) {
        double any = 0;
        for (uint32_t k = 0; k < classes; k++) {
            double load = w->load[(size_t)l * classes + k];
            offered[k] = (weft_offered_class){w->net->offered[k].bandwidth, load};
            any += load;
        }
        if (any == 0)
            continue;
        weft_kaufman_roberts(offered, classes, room_of(w, l), w->q);
        for (uint32_t k = 0; k < classes; k++) {
            double *b = &w->blocking[(size_t)l * classes + k];
            double next = weft_kaufman_roberts_blocking(w->q, room_of(w, l), offered[k].bandwidth);
            double change = next > *b ? next - *b : *b - next;
            most = change > most ? change : most;
            *b += (next - *b) / 2;
        }
    }
    free(offered);
    return most;
}

/* What a link carries of its class k. Where nearly all is refused, 1 − B is what halving has left
 * of the start: the link's own distribution tells. */
static double carried_by(const work *w, uint32_t link, uint32_t k)
{
    uint32_t classes = w->net->classes;
    size_t at = (size_t)link * classes;
    int64_t room = room_of(w, link), bandwidth = w->net->offered[k].bandwidth;
    double passing = 1 - w->blocking[at + k];
    if (passing < PASSING_LEAST && w->load[at + k] > 0) {
        weft_offered_class *offered = weft_alloc(classes * sizeof *offered);
        for (uint32_t c = 0; c < classes; c++)
            offered[c] = (weft_offered_class){w->net->offered[c].bandwidth, w->load[at + c]};
        weft_kaufman_roberts(offered, classes, room, w->q);
        passing = weft_kaufman_roberts_passing(w->q, room, bandwidth);
        free(offered);
    }
    return w->load[at + k] * passing * (double)bandwidth;
}

static void measure(const work *w, weft_reduced_answer *answer)
{
    const weft_reduced_load *net = w->net;
    double used = 0;
    for (uint32_t k = 0; k < net->classes; k++) {
        double part = 0;
        for (uint32_t r = 0; r < w->routes; r++)
            part += passes(w, r, k);
        answer->blocking[k] = 1 - part / w->routes;
    }
    answer->mean = answer->most = 0;
    for (uint32_t l = 0; l < net->paths->links; l++) {
        double carried = 0;
        for (uint32_t k = 0; k < net->classes; k++)
            carried += carried_by(w, l, k);
        double share = carried / (double)(room_of(w, l) + net->spare);
        used += carried > 0 ? (double)(room_of(w, l) + net->spare) : 0;
        answer->mean += carried;
        answer->most = share > answer->most ? share : answer->most;
    }
    answer->mean = used > 0 ? answer->mean / used : 0;
    answer->links = w->routes ? (double)w->first[w->routes] / w->routes : 0;
}

void weft_reduced_load_solve(const weft_reduced_load *network, weft_reduced_answer *answer)
{
    size_t cells = (size_t)network->paths->links * network->classes;
    int64_t most = network->room > network->host_room ? network->room : network->host_room;
    work w = {.net = network,
              .blocking = weft_alloc((cells + 1) * sizeof *w.blocking),
              .load = weft_alloc((cells + 1) * sizeof *w.load),
              .q = weft_alloc(((size_t)most + 1) * sizeof *w.q)};
    answer->sampled = find_routes(&w);
    double change = 1;
    for (answer->iterations = 0; answer->iterations < ROUNDS_MOST && change > PRECISION;
         answer->iterations++) {
        add_loads(&w);
        change = block_links(&w);
    }
    answer->converged = change <= PRECISION;
    add_loads(&w);
    measure(&w, answer);
    free(w.first);
    free(w.links);
    free(w.blocking);
    free(w.load);
    free(w.q);
}
