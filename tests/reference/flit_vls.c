/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduler vl-arbitration of docs/theory/input-queued.md. What a table has sent is written
 * down with the pick. */
#include "reference/flit_decide.h"

#include <assert.h>
#include <stdlib.h>

enum { HIGH, LOW, NEITHER };
enum { MANAGEMENT = 15 }; /* VL 15 goes first and is charged nothing */

void flit_start_turns(const flit_tables *by, turns *of)
{
    for (int t = HIGH; t <= LOW; t++)
        of->left[t] = by->table[t].count ? by->table[t].weight[0] : 0;
}

/* The VC behind the output, if the packet has no choice; else the one it is in. */
static uint32_t vl_of(const flit_config *config, const request *of, const flit_way *way)
{
    bool only = way->port < config->ports && !config->adaptive && !(way->vcs & (way->vcs - 1));
    for (uint32_t w = 0; only && w < config->vcs; w++)
        if (way->vcs >> w & 1)
            return flit_is_management(config, w) ? MANAGEMENT : w;
    return flit_is_management(config, of->vc) ? MANAGEMENT : of->vc;
}

/* The entry of a table that sends next; −1. */
static int find(const flit_table *table, const turns *now, int which, const bool *asking)
{
    for (int k = now->left[which] > 0 ? 0 : 1; k <= table->count && table->count; k++) {
        int entry = (now->entry[which] + k) % table->count;
        if (table->weight[entry] > 0 && asking[table->vl[entry]])
            return entry;
    }
    return -1;
}

static bool is_spent(const flit_tables *by, const turns *now)
{
    return by->limit >= 0 && now->sent > 0 && now->sent >= by->limit;
}

uint32_t flit_pick_vl(const flit_tables *by, const turns *now, const bool *asking, int *table,
                      int *entry)
{
    *table = NEITHER;
    if (asking[MANAGEMENT])
        return MANAGEMENT;
    int high = find(&by->table[HIGH], now, HIGH, asking);
    int low = find(&by->table[LOW], now, LOW, asking);
    *table = low >= 0 && (high < 0 || is_spent(by, now)) ? LOW : HIGH;
    *entry = *table == LOW ? low : high;
    assert(*entry >= 0);
    return (uint32_t)by->table[*table].vl[*entry];
}

void flit_charge(const flit_tables *by, turns *now, int table, int entry, int64_t bytes)
{
    if (table == NEITHER)
        return;
    if (now->entry[table] != entry || now->left[table] <= 0)
        now->left[table] = by->table[table].weight[entry];
    now->entry[table] = entry;
    now->left[table] -= (bytes + 63) / 64;
    if (table == LOW || is_spent(by, now))
        now->sent = 0;
    if (table == HIGH)
        now->sent += by->limit_in_packets ? 1 : bytes;
}

/* The pick of an output line among the lines x that are free; of NULL: nobody asks. */
static pick pick_for(const flit_state *state, const router *at, const pick *asks, uint32_t count,
                     uint32_t y, const bool *matched)
{
    const flit_config *config = state->config;
    uint32_t n = state->sides * config->input_speedup * config->vcs, least = FLIT_NONE;
    bool asking[FLIT_VCS] = {false}, any = false;
    pick found = {.of = NULL};
    for (uint32_t i = 0; i < count; i++)
        if (asks[i].y == y && !matched[asks[i].of->x])
            any = asking[asks[i].vl] = true;
    if (!any)
        return found;
    found.vl = flit_pick_vl(&config->tables, &at->y[y].turns, asking, &found.table, &found.entry);
    for (uint32_t i = 0; i < count; i++) {
        const request *of = asks[i].of;
        uint32_t after = (of->x * config->vcs + of->vc + n - at->y[y].next_queue[found.vl]) % n;
        if (asks[i].y == y && asks[i].vl == found.vl && !matched[of->x] && after < least) {
            least = after;
            found.of = of;
            found.way = asks[i].way;
            found.y = y;
        }
    }
    assert(found.of);
    return found;
}

/* One round of picks by outputs and choices by inputs; false: nobody asked. */
static bool play_round(const flit_state *state, const router *at, const pick *asks, uint32_t count,
                       bool *matched, bool *taken, pick *picks)
{
    uint32_t xs = state->sides * state->config->input_speedup;
    uint32_t ys = state->sides * state->config->output_speedup;
    bool any = false;
    for (uint32_t y = 0; y < ys; y++) {
        if (taken[y])
            continue;
        pick offer = pick_for(state, at, asks, count, y, matched);
        if (!offer.of)
            continue;
        uint32_t x = offer.of->x, next = at->x[x].next;
        if (!picks[x].of || (y + ys - next) % ys < (picks[x].y + ys - next) % ys)
            picks[x] = offer;
        any = true;
    }
    for (uint32_t x = 0; x < xs; x++)
        if (picks[x].of)
            matched[x] = taken[picks[x].y] = true;
    return any;
}

void flit_match_vls(const flit_state *state, const router *at, const request *requests,
                    uint32_t count, pick *picks)
{
    pick *asks = calloc(count, sizeof *asks);
    bool matched[FLIT_LINES] = {false}, taken[FLIT_LINES] = {false};
    assert(asks);
    for (uint32_t i = 0; i < count; i++) {
        const flit_way *way = flit_best_way(state, at, &requests[i]);
        asks[i] = (pick){.of = &requests[i],
                         .way = way,
                         .y = flit_free_line(state, at, requests[i].x, way->port),
                         .vl = vl_of(state->config, &requests[i], way)};
    }
    while (play_round(state, at, asks, count, matched, taken, picks))
        ;
    free(asks);
}

void flit_move_turns(const flit_state *state, router *at, uint32_t x, const pick *by)
{
    const flit_config *config = state->config;
    uint32_t xs = state->sides * config->input_speedup, ys = state->sides * config->output_speedup;
    int64_t bytes = state->packets[by->of->who->packet].flits * config->flit_bytes;
    at->x[x].next = (by->y + 1) % ys;
    at->y[by->y].next_queue[by->vl] = (x * config->vcs + by->of->vc + 1) % (xs * config->vcs);
    flit_charge(&config->tables, &at->y[by->y].turns, by->table, by->entry, bytes);
}
