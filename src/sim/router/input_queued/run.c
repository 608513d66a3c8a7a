/* SPDX-License-Identifier: Apache-2.0 */
/* Most of a simulation's time is spent in the tick of a router, so its code is compiled for what is
 * known of the routers of a run, and one of the instances is chosen once: for routers with FIFOs of
 * 1, 2, 4 or 8 VCs and dimension order on a lattice; for those with FIFOs, with VOQs, and of fat
 * trees; and for any others, for any where routers are of several layouts, and for any where they
 * have more than 64 ports (layout.h explains how). */
#include "sim/router/input_queued/run.h"

#include "sim/router/input_queued/run_impl.h"

#ifndef WEFT_IQ_TRACED /* a test compiles the instances with a trace */
#define WEFT_IQ_TRACED 0
#endif

/* What the compiler knows of a lattice's routers, but for their VCs. */
#define LATTICE (WEFT_IQ_PLAIN | WEFT_IQ_POINTERS | WEFT_IQ_ON_LATTICE | WEFT_IQ_ONE_CLASS)

/* Instances of which all features are known. The first that fits is taken. */
#define INSTANCES(INSTANCE)                              \
    INSTANCE(lattice_1, LATTICE | WEFT_IQ_VCS(1))        \
    INSTANCE(lattice_2, LATTICE | WEFT_IQ_VCS(2))        \
    INSTANCE(lattice_4, LATTICE | WEFT_IQ_VCS(4))        \
    INSTANCE(lattice_8, LATTICE | WEFT_IQ_VCS(8))        \
    INSTANCE(fifo, WEFT_IQ_PLAIN | WEFT_IQ_POINTERS)     \
    INSTANCE(plain, WEFT_IQ_PLAIN)                       \
    INSTANCE(voq, WEFT_IQ_QUEUE_EACH)                    \
    INSTANCE(tree_fifo, WEFT_IQ_TREE | WEFT_IQ_POINTERS) \
    INSTANCE(tree, WEFT_IQ_TREE)

/* Features of which some are known to the compiler. */
WEFT_HOT weft_iq_traits any_features(const weft_iq *iq)
{
    return iq->layout.features & ~(weft_iq_traits)(WEFT_IQ_UNLIKE | WEFT_IQ_WIDE);
}

WEFT_HOT weft_iq_traits unlike_features(const weft_iq *iq)
{
    return (iq->layout.features | WEFT_IQ_UNLIKE) & ~(weft_iq_traits)WEFT_IQ_WIDE;
}

WEFT_HOT weft_iq_traits wide_features(const weft_iq *iq)
{
    return iq->layout.features | WEFT_IQ_UNLIKE | WEFT_IQ_WIDE;
}

/* The kernel does this where records are all alike. */
static void fetch_ahead(const weft_iq *iq, const weft_batch *batch)
{
    for (uint32_t i = 0; iq->bytes > WEFT_IQ_CACHED && i < batch->n_events; i++)
        __builtin_prefetch(weft_iq_record(iq, batch->events[i].to), 1);
}

/* An instance: of grant and of run. What grant is given fits into registers, which a pointer to
 * the caller's context would not let it keep. */
#define GRANT(name, mode)                                                                          \
    static __attribute__((noinline)) bool grant_##name(weft_iq *iq, uint32_t router, char *record, \
                                                       uint32_t line, uint32_t v, uint32_t y_vc)   \
    {                                                                                              \
        const weft_iq_context ctx =                                                                \
            weft_iq_context_by(mode, iq, iq->block, router, record, iq->now);                      \
        return grant(mode, &ctx, line, v, y_vc & 0xffff, y_vc >> 16);                              \
    }
#define DECIDE(name, mode)                                                                       \
    static                                                                                       \
        __attribute__((noinline)) void decide_##name(weft_iq *iq, uint32_t router, char *record) \
    {                                                                                            \
        const weft_iq_context ctx =                                                              \
            weft_iq_context_by(mode, iq, iq->block, router, record, iq->now);                    \
        decide(mode, &ctx);                                                                      \
    }
#define TAKE(name, mode)                                                         \
    static __attribute__((noinline)) bool take_##name(weft_iq *iq, char *record, \
                                                      const weft_event *event)   \
    {                                                                            \
        const weft_iq_context ctx =                                              \
            weft_iq_context_by(mode, iq, iq->block, event->to, record, iq->now); \
        return take(mode, &ctx, event);                                          \
    }
#define RUN(name, mode)                                                              \
    static __attribute__((noinline)) void run_##name(weft_iq *iq, weft_block *block, \
                                                     const weft_batch *batch)        \
    {                                                                                \
        if (((mode)&WEFT_IQ_UNLIKE) && iq->n_groups > 1)                             \
            fetch_ahead(iq, batch);                                                  \
        run(mode, iq, block, batch);                                                 \
    }
#define GRANT_KNOWN(name, mode)  GRANT(name, (mode) | WEFT_IQ_TRACED)
#define DECIDE_KNOWN(name, mode) DECIDE(name, (mode) | WEFT_IQ_TRACED)
#define TAKE_KNOWN(name, mode)   TAKE(name, (mode) | WEFT_IQ_TRACED)
#define RUN_KNOWN(name, mode)    RUN(name, (mode) | WEFT_IQ_TRACED)
INSTANCES(GRANT_KNOWN)
GRANT(any, any_features(iq))
GRANT(unlike, unlike_features(iq))
GRANT(wide, wide_features(iq))

#define PICK_GRANT(name, mode)                                                   \
    if (__builtin_constant_p(features) && features == ((mode) | WEFT_IQ_TRACED)) \
        return grant_##name(ctx->iq, ctx->router, ctx->record, line, v, y | vc << 16);
WEFT_HOT bool grant_by(weft_iq_traits features, const weft_iq_context *ctx, uint32_t line,
                       uint32_t v, uint32_t y, uint32_t vc)
{
    INSTANCES(PICK_GRANT)
    return (features & WEFT_IQ_WIDE ? grant_wide
            : features & WEFT_IQ_UNLIKE
                ? grant_unlike
                : grant_any)(ctx->iq, ctx->router, ctx->record, line, v, y | vc << 16);
}

INSTANCES(DECIDE_KNOWN)
DECIDE(any, any_features(iq))
DECIDE(unlike, unlike_features(iq))
DECIDE(wide, wide_features(iq))

#define PICK_DECIDE(name, mode)                                                    \
    if (__builtin_constant_p(features) && features == ((mode) | WEFT_IQ_TRACED)) { \
        decide_##name(ctx->iq, ctx->router, ctx->record);                          \
        return;                                                                    \
    }
WEFT_HOT void decide_by(weft_iq_traits features, const weft_iq_context *ctx)
{
    INSTANCES(PICK_DECIDE)
    (features & WEFT_IQ_WIDE     ? decide_wide
     : features & WEFT_IQ_UNLIKE ? decide_unlike
                                 : decide_any)(ctx->iq, ctx->router, ctx->record);
}

INSTANCES(TAKE_KNOWN)
TAKE(any, any_features(iq))
TAKE(unlike, unlike_features(iq))
TAKE(wide, wide_features(iq))

#define PICK_TAKE(name, mode)                                                    \
    if (__builtin_constant_p(features) && features == ((mode) | WEFT_IQ_TRACED)) \
        return take_##name(iq, record, event);
WEFT_HOT bool take_by(weft_iq_traits features, weft_iq *iq, char *record, const weft_event *event)
{
    INSTANCES(PICK_TAKE)
    return (features & WEFT_IQ_WIDE     ? take_wide
            : features & WEFT_IQ_UNLIKE ? take_unlike
                                        : take_any)(iq, record, event);
}

INSTANCES(RUN_KNOWN)
RUN(any, any_features(iq))
RUN(unlike, unlike_features(iq))
RUN(wide, wide_features(iq))

/* Does an instance fit? It knows all features, and nothing that is not so. */
static bool fits(const weft_iq_layout *layout, weft_iq_traits mode)
{
    const weft_trace *trace = layout->platform->trace;
    uint32_t vcs = WEFT_IQ_KNOWN_VCS(mode);
    weft_iq_traits known = mode & WEFT_IQ_KNOWN;
    return layout->features == ((mode & WEFT_IQ_FEATURES) | WEFT_IQ_TRACED) &&
           !(trace && trace->general) && (layout->known & known) == known &&
           (!vcs || vcs == layout->n_vcs);
}

#define CHOOSE(name, mode)         \
    if (fits(&iq->layout, (mode))) \
        return run_##name;
weft_iq_runner weft_iq_choose_run(const weft_iq *iq)
{
    INSTANCES(CHOOSE)
    return iq->layout.features & WEFT_IQ_WIDE     ? run_wide
           : iq->layout.features & WEFT_IQ_UNLIKE ? run_unlike
                                                  : run_any;
}

void weft_iq_run(weft_iq *iq, weft_block *block, const weft_batch *batch)
{
    iq->block = block;
    iq->now = batch->now;
    if (iq->layout.topology->faults)
        iq->down = batch->now >= iq->layout.platform->network->faults_at;
    iq->run(iq, block, batch);
}
