/* SPDX-License-Identifier: Apache-2.0 */
/* A pool that the virtual channels of a port share: no VC can take another's private part. The
 * router's own arithmetic is played against a naive count of what each VC holds, with VCs whose
 * packets never leave. */
#include "sim/platform.h"
#include "sim/router/input_queued/credit_impl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "contract/scenario.h"

enum { VCS = 4, OUT = 1 };

typedef struct port { /* one output of a router, and the buffers behind it */
    stage stage;
    weft_platform platform;
    weft_iq_layout layout;
    weft_iq_traits features;
    char *record;
    /* flits that are there or on their way, or whose credits have not come back */
    int32_t held[VCS];
    uint32_t now;
} port;

static void open_port(port *it, int buffer, int shared)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "topology: {kind: torus, dims: [4, 4]}\n"
                   "routing: {kind: dimension-order}\n"
                   "router: {kind: input-queued, vcs: %d, buffer: %d flits, shared: %d flits}\n"
                   "traffic: {all: {length: 2 flits, load: 0.1}}\n",
                   VCS, buffer, shared);
    *it = (port){0};
    weft_platform_init(&it->platform, stage_open(&it->stage, text));
    weft_iq_layout_build(&it->layout, &it->platform);
    it->features = it->layout.features;
    assert_true(it->features & WEFT_IQ_POOLED);
    it->record = calloc(1, it->layout.bytes);
    assert_non_null(it->record);
    for (uint32_t v = 0; v < VCS; v++)
        weft_iq_port_at(&it->layout, it->record, OUT)->credits[v] = buffer;
}

static void close_port(port *it)
{
    free(it->record);
    stage_close(&it->stage);
}

static int32_t room(port *it, uint32_t vc)
{
    return weft_iq_room_at(it->features, &it->layout, it->record, OUT, vc, it->now);
}

/* What is left to a VC: of its own part, and of the pool. */
static int32_t expected(const port *it, uint32_t vc)
{
    int32_t own = it->layout.capacity - it->held[vc], pool = it->layout.pool;
    for (uint32_t v = 0; v < VCS; v++)
        if (it->held[v] > it->layout.capacity)
            pool -= it->held[v] - it->layout.capacity;
    return (own > 0 ? own : 0) + pool;
}

static void send(port *it, uint32_t vc, int32_t flits)
{
    weft_iq_port_at(&it->layout, it->record, OUT)->credits[vc] -= flits;
    it->held[vc] += flits;
}

/* A packet leaves; its credits come one by one, and here nobody sends before all of them are
 * there. */
static void give_back(port *it, uint32_t vc, int32_t flits)
{
    weft_iq_credit_burst credit_burst = {
        .start = it->now + 1, .units = (uint16_t)flits, .vc = (uint8_t)vc};
    weft_iq_add_credit_burst(it->features, &it->layout,
                             weft_iq_port_at(&it->layout, it->record, OUT), credit_burst, it->now);
    for (int32_t i = 0; i < flits; i++) {
        it->now++;
        it->held[vc]--;
        assert_int_equal(room(it, vc), expected(it, vc));
    }
}

/* One VC takes all it can get and keeps it for ever. */
static void a_blocked_vc_leaves_the_others_their_own(void **state)
{
    (void)state;
    for (int32_t shared = 1; shared <= 20; shared += 3) {
        port it;
        open_port(&it, 6, shared);
        while (room(&it, 0) > 0)
            send(&it, 0, 1);
        assert_int_equal(it.held[0], 6 + shared);
        for (uint32_t v = 1; v < VCS; v++)
            assert_int_equal(room(&it, v), 6);
        for (int round = 0; round < 50; round++) { /* the others go on with what is theirs */
            send(&it, 1, 6);
            assert_int_equal(room(&it, 1), 0);
            assert_int_equal(room(&it, 2), 6);
            give_back(&it, 1, 6);
        }
        assert_int_equal(room(&it, 0), 0);
        close_port(&it);
    }
}

static uint32_t draw(uint64_t *random, uint32_t below)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 33) % below;
}

/* Whatever three VCs do, of which one never gives anything back, the fourth has its part. */
static void no_history_costs_a_vc_its_own(void **state)
{
    (void)state;
    uint64_t random = 42;
    for (int plan = 0; plan < 50; plan++) {
        port it;
        int32_t buffer = 2 + (int32_t)draw(&random, 12), shared = 1 + (int32_t)draw(&random, 30);
        open_port(&it, buffer, shared);
        for (int step = 0; step < 400; step++) {
            uint32_t vc = draw(&random, VCS - 1);
            int32_t most = room(&it, vc) < buffer ? room(&it, vc) : buffer;
            if (most > 0 && draw(&random, 2))
                send(&it, vc, 1 + (int32_t)draw(&random, (uint32_t)most));
            else if (vc > 0 && it.held[vc] > 0)
                give_back(&it, vc, 1 + (int32_t)draw(&random, (uint32_t)it.held[vc]));
            for (uint32_t v = 0; v < VCS; v++)
                assert_int_equal(room(&it, v), expected(&it, v));
            assert_true(room(&it, VCS - 1) >= buffer);
        }
        close_port(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blocked_vc_leaves_the_others_their_own),
        cmocka_unit_test(no_history_costs_a_vc_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
