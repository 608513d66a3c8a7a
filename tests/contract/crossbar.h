/* SPDX-License-Identifier: Apache-2.0 */
/* A crossbar with a scheduler, its state between two guards, and random requests for it. */
#ifndef WEFT_TEST_CROSSBAR_H
#define WEFT_TEST_CROSSBAR_H

#include "contract/settings.h"
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#define GUARD 0xa5

/* What it is: texts as in settings.h; arbiters only for kinds that have some. */
typedef struct crossbar_plan {
    const char *kind, *settings;
    const char *arbiter[2], *arbiter_settings[2];
    uint32_t inputs, outputs, vcs;
    bool voq;
} crossbar_plan;

typedef struct crossbar {
    weft_scheduler scheduler;
    void *settings, *arbiter_settings[2];
    uint64_t *memory; /* 8 guard bytes, the state, 8 guard bytes */
    void *state;
    uint64_t wants[WEFT_CROSSBAR_PORTS_MAX * WEFT_VCS_MAX];
    weft_requests requests;
    weft_match match;
    weft_random random;
} crossbar;

/* Some ages, equal ones too, that change with the tick. */
static inline uint32_t crossbar_age(const void *user, uint32_t input, uint32_t vc, uint32_t output)
{
    const crossbar *it = user;
    return (input * 7 + vc * 13 + output * 5 + (uint32_t)it->requests.occasion.tick * 3) % 23;
}

/* Some lengths, likewise. */
static inline uint32_t crossbar_length(const void *user, uint32_t input, uint32_t vc,
                                       uint32_t output)
{
    return 1 + crossbar_age(user, input, vc, output) % 9;
}

static inline void crossbar_take_arbiters(crossbar *it, const crossbar_plan *plan)
{
    int next = 0;
    const weft_component *kind = &it->scheduler.kind->base;
    for (const weft_param *p = kind->params; p && p->name; p++)
        if (p->type == WEFT_PARAM_KIND) {
            assert(next < 2 && strcmp(p->family, "arbiter") == 0 && plan->arbiter[next]);
            const char *text = plan->arbiter_settings[next];
            const weft_component *arbiter = kind_named(weft_arbiter_kinds, plan->arbiter[next]);
            it->arbiter_settings[next] = settings_make(arbiter, text ? text : "");
            settings_put_kind(kind, it->settings, p->name,
                              (weft_kind_ref){arbiter, it->arbiter_settings[next]});
            next++;
        }
}

static inline weft_status crossbar_try(crossbar *it, const crossbar_plan *plan, weft_error *err)
{
    *it = (crossbar){.random = weft_random_stream(21, 0, 0, WEFT_FOR_ESTIMATE)};
    const weft_component *kind = kind_named(weft_scheduler_kinds, plan->kind);
    it->settings = settings_make(kind, plan->settings ? plan->settings : "");
    it->scheduler = (weft_scheduler){.kind = (const weft_scheduler_kind *)(const void *)kind,
                                     .settings = it->settings,
                                     .inputs = plan->inputs,
                                     .outputs = plan->outputs,
                                     .n_vcs = plan->vcs,
                                     .counts = true,
                                     .voq = plan->voq};
    crossbar_take_arbiters(it, plan);
    weft_status status = it->scheduler.kind->build(&it->scheduler, err);
    if (status != WEFT_OK)
        return status;
    it->memory = calloc(1, it->scheduler.bytes + 16);
    assert(it->memory);
    it->state = it->memory + 1;
    memset(it->memory, GUARD, it->scheduler.bytes + 16);
    it->scheduler.kind->reset(&it->scheduler, it->state);
    it->requests = (weft_requests){.age = crossbar_age,
                                   .length = crossbar_length,
                                   .occasion = {.seed = 0x123456789abcdefu, .crossbar = 77}};
    return status;
}

static inline void crossbar_open(crossbar *it, const crossbar_plan *plan)
{
    weft_error err;
    weft_status status = crossbar_try(it, plan, &err);
    assert(status == WEFT_OK);
    (void)status;
}

static inline void crossbar_close(crossbar *it)
{
    free(it->settings);
    free(it->arbiter_settings[0]);
    free(it->arbiter_settings[1]);
    free(it->memory);
}

static inline bool crossbar_guards_stand(const crossbar *it)
{
    const unsigned char *memory = (const void *)it->memory;
    for (size_t i = 0; i < 8; i++)
        if (memory[i] != GUARD || memory[8 + it->scheduler.bytes + i] != GUARD)
            return false;
    return true;
}

/* A request of (input, vc) for an output, as if nothing else of them were known. */
static inline void crossbar_ask(crossbar *it, uint32_t input, uint32_t vc, uint32_t output)
{
    assert(input < it->scheduler.inputs && output < it->scheduler.outputs);
    it->wants[input * it->scheduler.n_vcs + vc] |= (uint64_t)1 << output;
    it->requests.asking |= (uint64_t)1 << input;
}

static inline void crossbar_clear(crossbar *it)
{
    memset(it->wants, 0, sizeof it->wants);
    it->requests.asking = 0;
}

/* Random requests of the next tick: vcs ask with so many percent, for one output or several. */
static inline void crossbar_ask_randomly(crossbar *it, uint32_t percent)
{
    const weft_scheduler *of = &it->scheduler;
    crossbar_clear(it);
    it->requests.occasion.tick++;
    for (uint32_t x = 0; x < of->inputs; x++)
        for (uint32_t vc = 0; vc < of->n_vcs; vc++) {
            if (weft_random_below(&it->random, 100) >= percent)
                continue;
            uint32_t more = of->voq || of->kind->several ? of->outputs : 1;
            for (uint32_t k = weft_random_below(&it->random, more) + 1; k; k--)
                crossbar_ask(it, x, vc, weft_random_below(&it->random, of->outputs));
        }
}

static inline bool crossbar_wants(const crossbar *it, uint32_t input, uint32_t vc, uint32_t output)
{
    return it->wants[input * it->scheduler.n_vcs + vc] >> output & 1;
}

static inline void crossbar_match(crossbar *it)
{
    memset(&it->match, GUARD, sizeof it->match);
    it->requests.wants = it->wants;
    it->requests.user = it;
    it->scheduler.kind->match(&it->scheduler, it->state, &it->requests, &it->match);
}

static inline void crossbar_grant(crossbar *it, uint32_t input)
{
    it->scheduler.kind->granted(&it->scheduler, it->state, input, it->match.vc[input],
                                it->match.output[input], it->match.first >> input & 1);
    if (it->scheduler.kind->sent)
        it->scheduler.kind->sent(&it->scheduler, it->state,
                                 &(weft_crossing){.input = input,
                                                  .vc = it->match.vc[input],
                                                  .output = it->match.output[input],
                                                  .next_vc = it->match.vc[input],
                                                  .bytes = 1 + 700 * (input % 3)});
}

/* Grants all of the match, or all but some of it. */
static inline void crossbar_grant_all(crossbar *it, bool drop_some)
{
    for (uint32_t x = 0; x < it->scheduler.inputs; x++)
        if (it->match.inputs >> x & 1 && !(drop_some && weft_random_below(&it->random, 8) == 0))
            crossbar_grant(it, x);
    if (it->scheduler.kind->learn)
        it->scheduler.kind->learn(&it->scheduler, it->state, &it->match);
}

#endif
