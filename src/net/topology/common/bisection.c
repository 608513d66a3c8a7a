/* SPDX-License-Identifier: Apache-2.0 */
/* Recursive bisection. Routers of one row with as many endpoints are a class. A piece is a range of
 * every class; it is cut in the middle of each, so that halves have the same load, and the cut is
 * improved by exchanging routers of one class (Kernighan and Lin 1970) that are found in lists by
 * gain (Fiduccia and Mattheyses 1982): a pass exchanges each router once, the best
 * pair first even if it makes the cut worse, and keeps the exchanges up to the best cut seen.
 * Numbers are integers and ties have an order, so every process finds the same; METIS, which the
 * importer uses, draws from rand() of the C library and is not everywhere. */
#include "net/topology/common/bisection.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define PASSES      12
#define LEAST       8   /* smaller pieces are left as they are */
#define STALL       256 /* exchanges without a better cut after which a pass ends */
#define NONE        UINT32_MAX
#define CLASSES_MAX 64

enum { LEFT, RIGHT, OUTSIDE };

typedef struct piece { /* members lo … hi − 1 of every class */
    uint32_t lo[CLASSES_MAX], hi[CLASSES_MAX];
} piece;

typedef struct class
{
    uint32_t row, hosts;
} router_class;

struct search {
    uint32_t classes, degree; /* the greatest */
    router_class class[CLASSES_MAX];
    uint32_t *start, *to; /* the neighbours of r are to[start[r]] … */
    uint32_t *member;     /* routers, class by class */
    uint32_t *order;
    uint32_t next_of[WEFT_DIMS_MAX]; /* place of every row that is filled next */
    uint8_t *side, *class_of;
    bool *moved;
    int32_t *gain;         /* links cut less, if this router moves to the other side */
    uint32_t *next, *last; /* in its list */
    uint32_t *head;        /* [side × classes + class][gain + degree]: first of a list */
    int32_t *top;          /* no list above it has any */
    uint32_t *log;         /* routers in the order they moved */
};

/* A link is seen from both ends. */
static void link_up(struct search *it, const weft_topology *topology)
{
    uint32_t *next = it->start, routers = topology->routers;
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t r = 0; r < routers; r++)
            for (uint32_t p = 0; p < weft_topology_tier(topology, r).ports; p++) {
                uint32_t to = topology->kind->peer(topology, r, p).router;
                if (to == WEFT_NOWHERE || to == r)
                    continue;
                if (fill) {
                    it->to[--next[r]] = to;
                    it->to[--next[to]] = r;
                } else {
                    next[r]++;
                    next[to]++;
                }
            }
        if (fill)
            return;
        for (uint32_t r = 0; r < routers; r++)
            it->degree = next[r] > it->degree ? next[r] : it->degree;
        for (uint32_t r = 0; r < routers; r++) /* the end of each now, its start at last */
            next[r + 1] += next[r];
        it->to = weft_alloc(sizeof *it->to * next[routers] + 1);
    }
}

static uint32_t *list_of(const struct search *it, uint32_t router)
{
    size_t lists = (size_t)it->side[router] * it->classes + it->class_of[router];
    return it->head + lists * (2 * (size_t)it->degree + 1) + it->degree + it->gain[router];
}

static void put_in(struct search *it, uint32_t router)
{
    uint32_t *head = list_of(it, router);
    int32_t *top = &it->top[it->side[router] * it->classes + it->class_of[router]];
    it->next[router] = *head;
    it->last[router] = NONE;
    if (*head != NONE)
        it->last[*head] = router;
    *head = router;
    *top = it->gain[router] > *top ? it->gain[router] : *top;
}

static void take_out(struct search *it, uint32_t router)
{
    uint32_t next = it->next[router], last = it->last[router];
    if (last == NONE)
        *list_of(it, router) = next;
    else
        it->next[last] = next;
    if (next != NONE)
        it->last[next] = last;
}

/* The router of the greatest gain of a side in a class that has not moved; NONE: all have. */
static uint32_t best_of(struct search *it, uint32_t side, uint32_t class)
{
    int32_t *top = &it->top[side * it->classes + class], degree = (int32_t)it->degree;
    const uint32_t *head =
        it->head + ((size_t)side * it->classes + class) * (2 * (size_t)it->degree + 1) + it->degree;
    while (*top >= -degree && head[*top] == NONE)
        --*top;
    return *top >= -degree ? head[*top] : NONE;
}

/* To the other side, and not again in this pass; its neighbours gain or lose by it. */
static int32_t move(struct search *it, uint32_t router)
{
    int32_t gain = it->gain[router];
    take_out(it, router);
    it->moved[router] = true;
    it->side[router] = it->side[router] == LEFT ? RIGHT : LEFT;
    for (uint32_t i = it->start[router]; i < it->start[router + 1]; i++) {
        uint32_t other = it->to[i];
        if (it->side[other] == OUTSIDE || it->moved[other])
            continue;
        take_out(it, other);
        it->gain[other] += it->side[other] == it->side[router] ? -2 : 2;
        put_in(it, other);
    }
    return gain;
}

static void fill_lists(struct search *it, const piece *all)
{
    size_t lists = (size_t)2 * it->classes;
    memset(it->head, 0xff, sizeof *it->head * lists * (2 * (size_t)it->degree + 1));
    for (size_t i = 0; i < lists; i++)
        it->top[i] = -(int32_t)it->degree - 1;
    for (uint32_t s = 0; s < it->classes; s++)
        for (uint32_t i = all->lo[s]; i < all->hi[s]; i++) {
            uint32_t router = it->member[i];
            it->gain[router] = 0;
            it->moved[router] = false;
            for (uint32_t n = it->start[router]; n < it->start[router + 1]; n++)
                if (it->side[it->to[n]] != OUTSIDE)
                    it->gain[router] += it->side[it->to[n]] == it->side[router] ? -1 : 1;
            put_in(it, router);
        }
}

/* The class with the pair that promises most; NONE: none has a pair left. */
static uint32_t best_class(struct search *it)
{
    uint32_t best = NONE;
    int64_t most = INT64_MIN;
    for (uint32_t s = 0; s < it->classes; s++) {
        uint32_t a = best_of(it, LEFT, s), b = best_of(it, RIGHT, s);
        if (a == NONE || b == NONE || (int64_t)it->gain[a] + it->gain[b] <= most)
            continue;
        most = (int64_t)it->gain[a] + it->gain[b];
        best = s;
    }
    return best;
}

/* True if the cut became better. */
static bool improve(struct search *it, const piece *all)
{
    int64_t sum = 0, best = 0;
    uint32_t count = 0, kept = 0;
    fill_lists(it, all);
    for (uint32_t s = best_class(it); s != NONE && count - kept < 2 * STALL; s = best_class(it)) {
        for (uint32_t side = LEFT; side <= RIGHT; side++) {
            uint32_t router = best_of(it, side, s);
            it->log[count++] = router;
            sum += move(it, router);
        }
        if (sum > best) {
            best = sum;
            kept = count;
        }
    }
    while (count > kept) {
        uint8_t *side = &it->side[it->log[--count]];
        *side = *side == LEFT ? RIGHT : LEFT;
    }
    return best > 0;
}

/* Those of the left half first, each half in the order it had. log: room. */
static void part(struct search *it, uint32_t lo, uint32_t hi)
{
    uint32_t count = 0;
    for (int side = LEFT; side <= RIGHT; side++)
        for (uint32_t i = lo; i < hi; i++)
            if (it->side[it->member[i]] == side)
                it->log[count++] = it->member[i];
    memcpy(it->member + lo, it->log, sizeof *it->log * count);
}

/* Cuts every class in two; of a row's classes with an odd number, every second has one more on the
 * left. */
static uint32_t halve(const struct search *it, const piece *all, piece *left, piece *right)
{
    uint32_t routers = 0, odd = 0, row = 0;
    *left = *right = *all;
    for (uint32_t s = 0; s < it->classes; s++) {
        uint32_t count = all->hi[s] - all->lo[s];
        odd = it->class[s].row == row ? odd : 0;
        row = it->class[s].row;
        left->hi[s] = right->lo[s] = all->lo[s] + (count + (odd & 1)) / 2;
        odd += count & 1;
        routers += count;
    }
    return routers;
}

/* A piece too small to cut: its routers are the next ones of their rows. */
static void settle(struct search *it, const piece *all)
{
    for (uint32_t s = 0; s < it->classes; s++)
        for (uint32_t i = all->lo[s]; i < all->hi[s]; i++)
            it->order[it->next_of[it->class[s].row]++] = it->member[i];
}

static void bisect(struct search *it, const piece *all)
{
    piece left, right;
    if (halve(it, all, &left, &right) < LEAST) {
        settle(it, all);
        return;
    }
    for (uint32_t s = 0; s < it->classes; s++)
        for (uint32_t i = all->lo[s]; i < all->hi[s]; i++)
            it->side[it->member[i]] = i < left.hi[s] ? LEFT : RIGHT;
    for (int pass = 0; pass < PASSES && improve(it, all); pass++)
        ;
    for (uint32_t s = 0; s < it->classes; s++) {
        part(it, all->lo[s], all->hi[s]);
        for (uint32_t i = all->lo[s]; i < all->hi[s]; i++)
            it->side[it->member[i]] = OUTSIDE;
    }
    bisect(it, &left);
    bisect(it, &right);
}

/* The class of a router of this row; beyond so many classes the last one has the rest of a row. */
static uint32_t find_class(struct search *it, uint32_t row, uint32_t hosts)
{
    uint32_t room = CLASSES_MAX - WEFT_DIMS_MAX;
    for (uint32_t s = it->classes; s-- > 0 && it->class[s].row == row;)
        if (it->class[s].hosts == hosts)
            return s;
    if (it->classes >= room && it->class[it->classes - 1].row == row)
        return it->classes - 1;
    it->class[it->classes] = (router_class){row, hosts};
    return it->classes++;
}

static void find_classes(struct search *it, const weft_topology *topology, piece *all)
{
    const weft_topology_cut *cut = &topology->cut;
    uint32_t row = 0, routers = topology->routers;
    for (uint32_t r = 0; r < routers; r++) {
        row += row + 1 < cut->n_rows && r >= cut->row[row + 1];
        uint32_t hosts = r < topology->edge_routers ? weft_topology_hosts(topology, r) : 0;
        it->class_of[r] = (uint8_t)find_class(it, row, hosts);
        all->hi[it->class_of[r]]++;
    }
    for (uint32_t s = 1; s < it->classes; s++)
        all->hi[s] += all->lo[s] = all->hi[s - 1];
    uint32_t next[CLASSES_MAX];
    memcpy(next, all->lo, sizeof next);
    for (uint32_t r = 0; r < routers; r++)
        it->member[next[it->class_of[r]]++] = r;
    memcpy(it->next_of, cut->row, sizeof it->next_of);
}

static void open_search(struct search *it, const weft_topology *topology, piece *all)
{
    uint32_t routers = topology->routers;
    it->start = weft_alloc(sizeof *it->start * ((size_t)routers + 1));
    link_up(it, topology);
    it->side = weft_alloc(routers);
    it->class_of = weft_alloc(routers);
    it->member = weft_alloc(sizeof *it->member * routers);
    find_classes(it, topology, all);
    it->moved = weft_alloc(sizeof *it->moved * routers);
    it->gain = weft_alloc(sizeof *it->gain * routers);
    it->next = weft_alloc(sizeof *it->next * routers);
    it->last = weft_alloc(sizeof *it->last * routers);
    it->log = weft_alloc(sizeof *it->log * routers);
    it->top = weft_alloc(sizeof *it->top * 2 * it->classes);
    it->head = weft_alloc(sizeof *it->head * 2 * it->classes * (2 * (size_t)it->degree + 1));
    memset(it->side, OUTSIDE, routers);
}

void weft_bisection_order(const weft_topology *topology, uint32_t *order)
{
    struct search it = {.order = order};
    piece all = {0};
    open_search(&it, topology, &all);
    bisect(&it, &all);
    void *const memory[] = {it.start, it.to,   it.side, it.class_of, it.member, it.moved,
                            it.gain,  it.next, it.last, it.log,      it.top,    it.head};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
}
