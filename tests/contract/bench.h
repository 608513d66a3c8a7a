/* SPDX-License-Identifier: Apache-2.0 */
/* A switch of the crossbar laboratory with a scheduler and what arrives at it. */
#ifndef WEFT_TEST_BENCH_H
#define WEFT_TEST_BENCH_H

#include "contract/settings.h"
#include "crossbar/steady.h"
#include "interweft/scheduler.h"
#include "sched/kinds.h"

typedef struct bench {
    void *settings;
    weft_scheduler scheduler;
    weft_xbar_arrivals arrivals;
    weft_xbar_switch it;
} bench;

typedef struct trial {
    const char *kind, *settings;
    bool fifo;
    uint32_t n, d;
    const uint32_t *cell;
    weft_xbar_arrivals_options input;
    bool wide; /* although there are few lines */
} trial;

/* Round robin for those that have arbiters. */
static inline void bench_take_arbiters(const weft_component *kind, void *settings)
{
    for (const weft_param *p = kind->params; p && p->name; p++)
        if (p->type == WEFT_PARAM_KIND)
            settings_put_kind(kind, settings, p->name,
                              (weft_kind_ref){&weft_arbiter_round_robin.base, NULL});
}

static inline void open_bench(bench *b, const trial *t)
{
    const weft_component *kind = kind_named(weft_scheduler_kinds, t->kind);
    weft_xbar_arrivals_options input = t->input;
    weft_error err = {""};
    input.burst = input.burst ? input.burst : 1;
    b->settings = settings_make(kind, t->settings ? t->settings : "");
    bench_take_arbiters(kind, b->settings);
    b->scheduler = (weft_scheduler){.kind = (const weft_scheduler_kind *)(const void *)kind,
                                    .settings = b->settings,
                                    .inputs = t->n,
                                    .outputs = t->n,
                                    .n_vcs = 1,
                                    .voq = !t->fifo,
                                    .wide = t->wide || t->n > WEFT_CROSSBAR_PORTS_MAX,
                                    .counts = true};
    assert_int_equal(b->scheduler.kind->build(&b->scheduler, &err), WEFT_OK);
    weft_xbar_workload workload = {t->n, t->d, t->cell};
    assert_int_equal(weft_xbar_arrivals_init(&b->arrivals, &workload, &input, &err), WEFT_OK);
    weft_xbar_switch_init(&b->it, &b->scheduler, 1);
}

static inline void close_bench(bench *b)
{
    weft_xbar_switch_done(&b->it);
    weft_xbar_arrivals_done(&b->arrivals);
    free(b->settings);
}

static inline weft_xbar_steady run_trial(const trial *t, uint64_t cap)
{
    bench b;
    weft_xbar_steady steady;
    open_bench(&b, t);
    weft_xbar_steady_run(&b.it, &b.arrivals, &(weft_xbar_steady_options){.cap = cap}, &steady);
    close_bench(&b);
    return steady;
}

#endif
