/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/contract.h"

#include <stdlib.h>

#include "base/memory.h"
#include "interweft/random.h"

enum { ROUNDS = 256 };

#define FAIL(...) weft_fail(err, WEFT_BROKEN, __VA_ARGS__)

/* ---- schedulers ---- */

typedef struct demand { /* random requests of one tick */
    uint64_t wants[WEFT_CROSSBAR_PORTS_MAX * WEFT_VCS_MAX];
    weft_requests requests;
} demand;

static uint32_t some_number(const void *user, uint32_t input, uint32_t vc, uint32_t output)
{
    (void)user;
    return 1 + (input * 7 + vc * 3 + output * 5) % 11;
}

/* A queue asks for at most one output, unless it keeps them apart. */
static void make_demand(const weft_scheduler *s, uint32_t round, demand *of)
{
    weft_random random = weft_random_stream(3, round, s->inputs, WEFT_FOR_ESTIMATE);
    bool several = s->voq || s->kind->several;
    *of = (demand){.requests = {.wants = of->wants,
                                .age = some_number,
                                .length = some_number,
                                .occasion = {.seed = 1, .tick = round, .crossbar = 1}}};
    for (uint32_t i = 0; i < s->inputs; i++)
        for (uint32_t v = 0; v < s->n_vcs; v++) {
            uint64_t *wants = &of->wants[i * s->n_vcs + v];
            for (uint32_t k = 0; k < (several ? 3u : 1u); k++)
                if (weft_random_below(&random, 2))
                    *wants |= UINT64_C(1) << weft_random_below(&random, s->outputs);
            of->requests.asking |= (uint64_t)(*wants != 0) << i;
        }
}

static weft_status check_match(const weft_scheduler *s, const demand *of, const weft_match *match,
                               weft_error *err)
{
    const char *name = s->kind->base.name;
    uint64_t taken = 0;
    if (match->inputs & ~of->requests.asking)
        return FAIL("scheduler %s matches inputs that ask for nothing", name);
    for (uint32_t i = 0; i < s->inputs; i++) {
        if (!(match->inputs >> i & 1))
            continue;
        uint32_t vc = match->vc[i], output = match->output[i];
        if (vc >= s->n_vcs || output >= s->outputs || !(of->wants[i * s->n_vcs + vc] >> output & 1))
            return FAIL("scheduler %s matches VC %u of input %u to output %u, which it did not ask "
                        "for",
                        name, vc, i, output);
        if (taken >> output & 1)
            return FAIL("scheduler %s matches output %u to two inputs", name, output);
        taken |= UINT64_C(1) << output;
    }
    return WEFT_OK;
}

static bool same_match(const weft_match *a, const weft_match *b)
{
    bool same = a->inputs == b->inputs;
    for (uint32_t i = 0; same && i < WEFT_CROSSBAR_PORTS_MAX; i++)
        same = !(a->inputs >> i & 1) || (a->vc[i] == b->vc[i] && a->output[i] == b->output[i]);
    return same;
}

static weft_status check_round(const weft_scheduler *s, void *state, uint32_t round, demand *of,
                               weft_error *err)
{
    weft_match match = {0}, again = {0};
    make_demand(s, round, of);
    if (!of->requests.asking)
        return WEFT_OK;
    s->kind->match(s, state, &of->requests, &match);
    s->kind->match(s, state, &of->requests, &again);
    WEFT_TRY(check_match(s, of, &match, err));
    if (!same_match(&match, &again))
        return FAIL("scheduler %s gives two matches for the same state, requests and occasion",
                    s->kind->base.name);
    for (uint32_t i = 0; i < s->inputs; i++) {
        if (!(match.inputs >> i & 1))
            continue;
        s->kind->granted(s, state, i, match.vc[i], match.output[i], match.first >> i & 1);
        weft_crossing crossing = {.input = i,
                                  .vc = match.vc[i],
                                  .output = match.output[i],
                                  .next_vc = match.vc[i],
                                  .bytes = 1 + 97 * (round % 5)};
        if (s->kind->sent)
            s->kind->sent(s, state, &crossing);
    }
    if (s->kind->learn)
        s->kind->learn(s, state, &match);
    if (s->kind->sound && !s->kind->sound(s, state))
        return FAIL("scheduler %s finds its own state not valid after %u ticks", s->kind->base.name,
                    round + 1);
    return WEFT_OK;
}

weft_status weft_sched_check_scheduler(const weft_scheduler *scheduler, weft_error *err)
{
    void *state = weft_alloc(scheduler->bytes + 8);
    demand *of = weft_alloc(sizeof *of);
    weft_status status = WEFT_OK;
    scheduler->kind->reset(scheduler, state);
    for (uint32_t round = 0; status == WEFT_OK && round < ROUNDS; round++)
        status = check_round(scheduler, state, round, of, err);
    free(of);
    free(state);
    return status;
}

/* ---- arbiters ---- */

static weft_status check_pick(const weft_arbiter_kind *kind, const void *settings, uint32_t n,
                              void *state, uint32_t round, weft_error *err)
{
    uint64_t asking[WEFT_CANDIDATES_MAX / 64] = {0};
    uint32_t age[WEFT_CANDIDATES_MAX];
    weft_random random = weft_random_stream(4, round, n, WEFT_FOR_ESTIMATE);
    weft_occasion occasion = {.seed = 1, .tick = round, .crossbar = 1};
    weft_arbiter_input input = {
        .asking = asking, .age = kind->ages ? age : NULL, .occasion = &occasion};
    uint32_t sure = weft_random_below(&random, n);
    for (uint32_t i = 0; i < n; i++) {
        age[i] = weft_random_below(&random, 100);
        asking[i / 64] |= (uint64_t)(i == sure || weft_random_below(&random, 2)) << i % 64;
    }
    uint32_t winner = kind->pick(settings, n, state, &input);
    if (winner >= n || !(asking[winner / 64] >> winner % 64 & 1))
        return FAIL("arbiter %s picks %u of %u inputs, which does not ask", kind->base.name, winner,
                    n);
    if (kind->pick(settings, n, state, &input) != winner)
        return FAIL("arbiter %s picks two inputs for the same state and occasion", kind->base.name);
    kind->granted(settings, n, state, winner);
    if (kind->sound && !kind->sound(settings, n, state))
        return FAIL("arbiter %s finds its own state not valid after %u grants", kind->base.name,
                    round + 1);
    return WEFT_OK;
}

weft_status weft_sched_check_arbiter(const weft_arbiter_kind *kind, const void *settings,
                                     uint32_t n, weft_error *err)
{
    void *state = weft_alloc(kind->bytes(settings, n) + 8);
    weft_status status = WEFT_OK;
    kind->reset(settings, n, state);
    for (uint32_t round = 0; status == WEFT_OK && round < ROUNDS; round++)
        status = check_pick(kind, settings, n, state, round, err);
    free(state);
    return status;
}
