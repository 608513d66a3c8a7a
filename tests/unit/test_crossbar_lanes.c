/* SPDX-License-Identifier: Apache-2.0 */
/* Many switches at once give what one at a time gives, to the last cell: random (matrix,
 * scheduler, iterations, input) cases through every width this processor has and through the
 * schedulers' objects. The number of cases may be given on the command line. */
#include "crossbar/lanes.h"

#include "contract/settings.h"
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CASES     100000
#define GROUP_MAX 2000 /* matrices of one scheduler and input */

static uint64_t cases_wanted = CASES;

typedef struct group { /* matrices that go through lanes together */
    uint32_t n, d, count, given;
    weft_scheduler scheduler;
    void *settings;
    weft_xbar_arrivals_options input;
    weft_xbar_draw draw;
    weft_xbar_steady_options steady;
    weft_xbar_arrivals arrivals;
    bool open;
    weft_xbar_steady by_lanes[GROUP_MAX];
    uint8_t seen[GROUP_MAX];
} group;

static void open_scheduler(group *g, weft_random *random)
{
    static const char *const kinds[] = {"islip", "rrm", "firm", "drrm1", "drrm2"};
    static const char *const later[] = {"neither", "offers", "accepts", "both"};
    const char *name = kinds[weft_random_below(random, 5)];
    const weft_component *kind = kind_named(weft_scheduler_kinds, name);
    char text[64];
    uint32_t iterations = 1 + weft_random_below(random, 2) * weft_random_below(random, 4);
    if (name[0] == 'd')
        snprintf(text, sizeof text, "iterations=%u again=%s", iterations,
                 weft_random_below(random, 2) ? "same" : "free");
    else
        snprintf(text, sizeof text, "iterations=%u later=%s", iterations,
                 later[weft_random_below(random, 4)]);
    weft_error err;
    g->settings = settings_make(kind, text);
    g->scheduler = (weft_scheduler){.kind = (const weft_scheduler_kind *)(const void *)kind,
                                    .settings = g->settings,
                                    .inputs = g->n,
                                    .outputs = g->n,
                                    .n_vcs = 1,
                                    .voq = true,
                                    .counts = true};
    assert_int_equal(g->scheduler.kind->build(&g->scheduler, &err), WEFT_OK);
}

static void open_group(group *g, uint32_t number, uint64_t left)
{
    weft_random random = weft_random_stream(7, number, 0, WEFT_FOR_ESTIMATE);
    static const uint32_t sides[] = {2, 3, 3, 4, 4, 4, 4, 5, 6, 8, 16};
    memset(g, 0, sizeof *g);
    g->n = sides[weft_random_below(&random, 11)];
    g->d = 1 + weft_random_below(&random, g->n > 6 ? 20 : 12);
    g->count = g->n > 8 ? 100 : g->n > 4 ? 500 : 1 + weft_random_below(&random, GROUP_MAX);
    g->count = g->count > left ? (uint32_t)left : g->count;
    g->input = (weft_xbar_arrivals_options){.input = (weft_xbar_input)weft_random_below(&random, 3),
                                            .burst = 1 + weft_random_below(&random, 3)};
    g->draw = (weft_xbar_draw){.rule = (weft_xbar_drawing_rule)(1 + weft_random_below(&random, 2)),
                               .n = g->n,
                               .d = g->d,
                               .seed = number};
    g->steady.cap = 100 + weft_random_below(&random, 4) * 700;
    g->steady.stop = weft_random_below(&random, 8) ? WEFT_STOP_EXACT : WEFT_STOP_CAP;
    open_scheduler(g, &random);
}

/* Every third group has a load below 1: a slot in five is idle. */
static uint32_t slots_of(const group *g)
{
    return g->draw.seed % 3 ? g->d : g->d + (g->d + 3) / 4;
}

static void open_arrivals(group *g, uint64_t index)
{
    uint32_t cell[WEFT_LANES_SIDE * WEFT_LANES_SIDE];
    weft_xbar_workload workload = {g->n, slots_of(g), cell};
    weft_error err;
    if (g->open)
        weft_xbar_arrivals_done(&g->arrivals);
    weft_xbar_draw_matrix(&g->draw, index, cell);
    assert_int_equal(weft_xbar_arrivals_init(&g->arrivals, &workload, &g->input, &err), WEFT_OK);
    g->open = true;
}

static const weft_xbar_target *next(void *user, uint64_t *id)
{
    group *g = user;
    if (g->given == g->count)
        return NULL;
    *id = g->given++;
    open_arrivals(g, *id);
    return g->arrivals.at;
}

static void done(void *user, uint64_t id, const weft_xbar_steady *steady)
{
    group *g = user;
    assert_true(id < g->count && !g->seen[id]);
    g->seen[id] = 1;
    g->by_lanes[id] = *steady;
}

static void run_lanes(group *g, weft_xbar_width width)
{
    open_arrivals(g, 0);
    weft_xbar_lanes_job job = {.n = g->n,
                               .period = g->arrivals.period,
                               .rule = g->scheduler.rule,
                               .steady = g->steady,
                               .next = next,
                               .done = done,
                               .user = g};
    assert_true(weft_xbar_lanes_suit(&g->scheduler, g->arrivals.period, &g->steady));
    memset(g->seen, 0, sizeof g->seen);
    g->given = 0;
    weft_xbar_lanes_run(&job, width);
}

static void compare(group *g)
{
    weft_xbar_switch it;
    weft_xbar_switch_init(&it, &g->scheduler, 1);
    for (uint32_t k = 0; k < g->count; k++) {
        weft_xbar_steady steady;
        assert_true(g->seen[k]);
        open_arrivals(g, k);
        weft_xbar_steady_run(&it, &g->arrivals, &g->steady, &steady);
        assert_memory_equal(&steady, &g->by_lanes[k], sizeof steady);
    }
    weft_xbar_switch_done(&it);
}

static void lanes_and_objects_agree(void **state)
{
    (void)state;
    static const weft_xbar_width widths[] = {WEFT_WIDTH_512, WEFT_WIDTH_256, WEFT_WIDTH_64,
                                             WEFT_WIDTH_BEST};
    group *g = malloc(sizeof *g);
    uint64_t left = cases_wanted;
    for (uint32_t number = 0; left > 0; number++) {
        open_group(g, number, left);
        if (weft_xbar_lanes_have(widths[number % 4])) {
            run_lanes(g, widths[number % 4]);
            compare(g);
            left -= g->count;
        }
        weft_xbar_arrivals_done(&g->arrivals);
        free(g->settings);
    }
    free(g);
}

static void what_lanes_cannot_do_is_told(void **state)
{
    (void)state;
    weft_scheduler scheduler = {.inputs = 4, .outputs = 4, .n_vcs = 1, .voq = true};
    weft_xbar_steady_options steady = {.cap = 20000};
    assert_false(weft_xbar_lanes_suit(&scheduler, 8, &steady)); /* no rule */
    scheduler.rule = (weft_pointer_rule){.form = WEFT_POINTERS_OFFER, .iterations = 1};
    assert_true(weft_xbar_lanes_suit(&scheduler, 8, &steady));
    assert_false(weft_xbar_lanes_suit(&scheduler, WEFT_LANES_PERIOD + 1, &steady));
    steady.stop = WEFT_STOP_PAPER;
    assert_false(weft_xbar_lanes_suit(&scheduler, 8, &steady));
    steady.stop = WEFT_STOP_EXACT;
    scheduler.voq = false;
    assert_false(weft_xbar_lanes_suit(&scheduler, 8, &steady));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_and_objects_agree),
        cmocka_unit_test(what_lanes_cannot_do_is_told),
    };
    if (argc > 1)
        cases_wanted = strtoull(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
