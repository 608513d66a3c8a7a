/* SPDX-License-Identifier: Apache-2.0 */
/* Maximum weight matching: weights are the lengths of the queues served (longest queue first), or
 * the ages of their first cells (oldest cell first). Carries every admissible load; a reference for
 * comparison. By the Hungarian method, O(N³); ties go to the lowest numbers. N. McKeown,
 * A. Mekkittikul, V. Anantharam, J. Walrand, Achieving 100 % throughput in an input-queued switch,
 * IEEE Trans. Communications 47(8), 1999. */
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#include "sched/vc_state.h"

typedef struct settings {
    int weight;
} settings;

enum { AUTO, LENGTH, AGE };
static const char *const weights[] = {"auto", "length", "age", NULL};

static const weft_param params[] = {
    {.name = "weight",
     .brief =
         "of a queue: how many cells wait in it, or the age of the first one; auto: the former "
         "in the crossbar laboratory, the latter in routers, which do not count",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, weight),
     .fallback = "auto",
     .choices = weights},
    {.name = NULL},
};

static bool by_age(const weft_scheduler *scheduler)
{
    int weight = ((const settings *)scheduler->settings)->weight;
    return weight == AGE || (weight == AUTO && !scheduler->counts);
}

static weft_status build(weft_scheduler *scheduler, weft_error *err)
{
    const settings *set = scheduler->settings;
    if (set->weight == LENGTH && !scheduler->counts)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "scheduler max-weight: weight length needs the lengths of queues, which only "
            "the crossbar laboratory keeps; here weight must be age");
    if (scheduler->wide && by_age(scheduler))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "scheduler max-weight: weight must be length in a crossbar of more than "
                         "%d ports, found age",
                         WEFT_CROSSBAR_PORTS_MAX);
    scheduler->bytes = weft_vc_bytes(scheduler);
    scheduler->ages = by_age(scheduler);
    scheduler->lengths = true; /* a match depends on more than what asks */
    return WEFT_OK;
}

/* The queues of a crossbar as an n × n matrix of costs, minus the weight of each, and the
 * Hungarian method on it: potentials u, v with u[i] + v[j] ≤ cost[i][j]; a row is matched with
 * column j where they are equal. Rows enter one by one along a shortest augmenting path. Indices
 * are 1-based. */
typedef struct column {
    int64_t v, least;
    uint32_t row; /* 0: free */
    uint16_t from;
    bool used;
} column;

typedef struct hungarian {
    uint32_t n;
    int64_t *cost; /* (n + 1)², those of nobody's wish are 0 */
    int64_t *u;    /* n + 1 */
    column *at;    /* n + 1 */
} hungarian;

#define ROOM(n) (((n) + 1) * (((n) + 2) * sizeof(int64_t) + sizeof(column)))

static int64_t *cost_of(const hungarian *h, uint32_t i, uint32_t j)
{
    return h->cost + (size_t)i * (h->n + 1) + j;
}

/* Lays it out in ROOM(n) bytes, all costs 0. */
static void lay_out(hungarian *h, uint32_t n, void *room)
{
    size_t side = n + 1;
    h->n = n;
    h->cost = room;
    h->u = h->cost + side * side;
    h->at = (column *)(void *)(h->u + side);
    for (uint32_t i = 1; i <= n; i++)
        memset(cost_of(h, i, 1), 0, n * sizeof *h->cost);
    for (uint32_t k = 0; k <= n; k++) {
        h->u[k] = 0;
        h->at[k] = (column){.row = 0};
    }
}

/* Takes column `at` into the tree; returns the next column to go to. */
static uint32_t reach(hungarian *h, uint32_t at)
{
    column *columns = h->at;
    uint32_t n = h->n, i = columns[at].row, next = 0;
    int64_t *u = h->u, own = u[i], delta = INT64_MAX;
    const int64_t *cost = cost_of(h, i, 0);
    columns[at].used = true;
    for (uint32_t j = 1; j <= n; j++) {
        column *it = &columns[j];
        if (it->used)
            continue;
        int64_t slack = cost[j] - own - it->v;
        if (slack < it->least) {
            it->least = slack;
            it->from = (uint16_t)at;
        }
        if (it->least < delta) {
            delta = it->least;
            next = j;
        }
    }
    for (column *it = columns; delta && it <= columns + n; it++) {
        if (it->used) {
            u[it->row] += delta;
            it->v -= delta;
        } else {
            it->least -= delta;
        }
    }
    return next;
}

static void assign(hungarian *h)
{
    column *columns = h->at;
    for (uint32_t i = 1; i <= h->n; i++) {
        uint32_t at = 0;
        columns[0].row = i;
        for (uint32_t j = 0; j <= h->n; j++) {
            columns[j].least = INT64_MAX;
            columns[j].used = false;
        }
        do
            at = reach(h, at);
        while (columns[at].row);
        for (; at; at = columns[at].from)
            columns[at].row = columns[columns[at].from].row;
    }
}

/* What input x asks for: the heaviest VC of every output, which is noted. */
static void weigh(const weft_scheduler *scheduler, const weft_requests *requests, uint32_t x,
                  hungarian *h, uint8_t *heaviest)
{
    bool ages = by_age(scheduler);
    for (uint32_t vc = 0; vc < scheduler->n_vcs; vc++) {
        uint64_t wants = requests->wants[(size_t)x * scheduler->n_vcs + vc];
        for (; wants; wants &= wants - 1) {
            uint32_t y = weft_lowest(wants);
            int64_t weight = ages ? 1 + (int64_t)requests->age(requests->user, x, vc, y)
                                  : (int64_t)requests->length(requests->user, x, vc, y);
            int64_t *cost = cost_of(h, x + 1, y + 1);
            assert(weight > 0);
            if (-weight < *cost) {
                *cost = -weight;
                heaviest[y] = (uint8_t)vc;
            }
        }
    }
}

static uint32_t side(const weft_scheduler *scheduler)
{
    return scheduler->inputs > scheduler->outputs ? scheduler->inputs : scheduler->outputs;
}

static void match(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *found)
{
    (void)state;
    uint64_t room[ROOM(WEFT_CROSSBAR_PORTS_MAX) / sizeof(uint64_t)];
    uint8_t vc[WEFT_CROSSBAR_PORTS_MAX][WEFT_CROSSBAR_PORTS_MAX];
    hungarian h;
    lay_out(&h, side(scheduler), room);
    for (uint64_t left = requests->asking; left; left &= left - 1)
        weigh(scheduler, requests, weft_lowest(left), &h, vc[weft_lowest(left)]);
    assign(&h);
    found->inputs = 0;
    for (uint32_t j = 1; j <= h.n; j++) {
        uint32_t i = h.at[j].row;
        if (*cost_of(&h, i, j) == 0)
            continue; /* nobody asks for it */
        found->output[i - 1] = (uint8_t)(j - 1);
        found->vc[i - 1] = vc[i - 1][j - 1];
        found->inputs |= weft_bit(i - 1);
    }
    found->first = found->inputs;
}

static size_t room(const weft_scheduler *scheduler)
{
    return ROOM((size_t)side(scheduler));
}

static void match_wide(const weft_scheduler *scheduler, void *state,
                       const weft_wide_requests *requests, weft_wide_match *found)
{
    (void)state;
    uint32_t words = requests->words, end = 64 * words;
    hungarian h;
    lay_out(&h, side(scheduler), requests->room);
    for (uint32_t x = 0; x < scheduler->inputs; x++) {
        const uint64_t *wants = requests->wants + (size_t)x * words;
        for (uint32_t y = weft_set_next(words, wants, 0); y < end;
             y = weft_set_next(words, wants, y + 1))
            *cost_of(&h, x + 1, y + 1) = -(int64_t)requests->length(requests->user, x, 0, y);
    }
    assign(&h);
    weft_set_clear(words, found->inputs);
    for (uint32_t j = 1; j <= h.n; j++)
        if (*cost_of(&h, h.at[j].row, j) != 0)
            weft_pair(&(weft_pairs){.wide = found}, h.at[j].row - 1, j - 1);
}

const weft_scheduler_kind weft_scheduler_max_weight = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_scheduler_kind),
             .name = "max-weight",
             .brief = "the heaviest match, by age or by length of queues; for comparison",
             .params = params,
             .settings_size = sizeof(settings)},
    .several = true,
    .build = build,
    .reset = weft_vc_reset,
    .match = match,
    .granted = weft_vc_granted,
    .sound = weft_vc_sound,
    .match_wide = match_wide,
    .room = room,
};
