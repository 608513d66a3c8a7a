/* SPDX-License-Identifier: Apache-2.0 */
/* The match of the greatest sum of weights: of the lengths of the queues that are served (longest
 * queue first), or of the ages of their first cells (oldest cell first). Carries every admissible load;
 * the ideal to compare with. By the Hungarian method, O(N³); ties go to the lowest numbers.
 * N. McKeown, A. Mekkittikul, V. Anantharam, J. Walrand, Achieving 100 % throughput in an input-queued
 * switch, IEEE Trans. Communications 47(8), 1999. */
#include "sched/scheduler.h"

#include "sched/lane_state.h"

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
    scheduler->bytes = scheduler->inputs;
    scheduler->ages = by_age(scheduler);
    scheduler->lengths = true; /* a match depends on more than what asks */
    return WEFT_OK;
}

/* The queues of a crossbar as an n × n matrix of costs, 1-based: minus the weight of the heaviest lane. */
typedef struct costs {
    uint32_t n;
    int64_t cost[WEFT_LINES_MAX + 1][WEFT_LINES_MAX + 1];
    uint8_t lane[WEFT_LINES_MAX][WEFT_LINES_MAX];
} costs;

static void weigh(const weft_scheduler *scheduler, const weft_requests *requests, uint32_t x,
                  costs *all)
{
    bool ages = by_age(scheduler);
    for (uint32_t lane = 0; lane < scheduler->lanes; lane++) {
        uint64_t wants = requests->wants[(size_t)x * scheduler->lanes + lane];
        for (; wants; wants &= wants - 1) {
            uint32_t y = weft_lowest(wants);
            int64_t weight = ages ? 1 + (int64_t)requests->age(requests->user, x, lane, y)
                                  : (int64_t)requests->length(requests->user, x, lane, y);
            assert(weight > 0);
            if (-weight < all->cost[x + 1][y + 1]) {
                all->cost[x + 1][y + 1] = -weight;
                all->lane[x][y] = (uint8_t)lane;
            }
        }
    }
}

static void fill(const weft_scheduler *scheduler, const weft_requests *requests, costs *all)
{
    all->n = scheduler->inputs > scheduler->outputs ? scheduler->inputs : scheduler->outputs;
    for (uint32_t i = 1; i <= all->n; i++)
        for (uint32_t j = 1; j <= all->n; j++)
            all->cost[i][j] = 0;
    for (uint64_t left = requests->asking; left; left &= left - 1)
        weigh(scheduler, requests, weft_lowest(left), all);
}

/* The Hungarian method: potentials u, v with u[i] + v[j] ≤ cost[i][j]; row[j] is matched with column j
 * where they are equal. Rows enter one by one along a shortest augmenting path. */
typedef struct hungarian {
    int64_t u[WEFT_LINES_MAX + 1], v[WEFT_LINES_MAX + 1], least[WEFT_LINES_MAX + 1];
    uint32_t row[WEFT_LINES_MAX + 1], from[WEFT_LINES_MAX + 1];
    bool used[WEFT_LINES_MAX + 1];
} hungarian;

/* Takes column `at` into the tree; returns the next column to go to. */
static uint32_t reach(const costs *all, hungarian *h, uint32_t at)
{
    uint32_t i = h->row[at], next = 0;
    int64_t delta = INT64_MAX;
    h->used[at] = true;
    for (uint32_t j = 1; j <= all->n; j++) {
        if (h->used[j])
            continue;
        int64_t slack = all->cost[i][j] - h->u[i] - h->v[j];
        if (slack < h->least[j]) {
            h->least[j] = slack;
            h->from[j] = at;
        }
        if (h->least[j] < delta) {
            delta = h->least[j];
            next = j;
        }
    }
    for (uint32_t j = 0; j <= all->n; j++) {
        if (h->used[j]) {
            h->u[h->row[j]] += delta;
            h->v[j] -= delta;
        } else {
            h->least[j] -= delta;
        }
    }
    return next;
}

static void assign(const costs *all, hungarian *h)
{
    *h = (hungarian){.row = {0}};
    for (uint32_t i = 1; i <= all->n; i++) {
        uint32_t at = 0;
        h->row[0] = i;
        for (uint32_t j = 0; j <= all->n; j++) {
            h->least[j] = INT64_MAX;
            h->used[j] = false;
        }
        do
            at = reach(all, h, at);
        while (h->row[at]);
        for (; at; at = h->from[at])
            h->row[at] = h->row[h->from[at]];
    }
}

static void match(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *found)
{
    (void)state;
    costs all;
    hungarian h;
    fill(scheduler, requests, &all);
    assign(&all, &h);
    found->inputs = 0;
    for (uint32_t j = 1; j <= all.n; j++) {
        uint32_t i = h.row[j];
        if (all.cost[i][j] == 0)
            continue; /* nobody asks for it */
        found->output[i - 1] = (uint8_t)(j - 1);
        found->lane[i - 1] = all.lane[i - 1][j - 1];
        found->inputs |= weft_bit(i - 1);
    }
    found->first = found->inputs;
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
    .reset = weft_lane_reset,
    .match = match,
    .granted = weft_lane_granted,
    .sound = weft_lane_sound,
};
