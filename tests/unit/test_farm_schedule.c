/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules in estimated time: how wide points become, in which order they are dealt, and how
 * far the end of a grid is from the best there can be. */
#include "farm/schedule.h"

#include "farm/work_queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ITEMS_MOST 400
#define PLENTY     1e6 /* events a window */

typedef struct grid {
    uint32_t members;
    size_t n_items;
    weft_schedule_item items[ITEMS_MOST];
} grid;

static void add(grid *g, size_t count, double seconds, double events)
{
    while (count-- > 0)
        g->items[g->n_items++] =
            (weft_schedule_item){.seconds = seconds, .events_a_window = events, .bytes = 1 << 20};
}

static double plan(grid *g)
{
    weft_schedule_widths(&(weft_schedule_options){.members = g->members}, g->n_items, g->items);
    return weft_schedule_makespan(g->members, g->n_items, g->items);
}

/* No plan is shorter: the work shared evenly, and each item alone on the members it can use. */
static double least(const grid *g)
{
    double sum = 0, longest = 0;
    for (size_t i = 0; i < g->n_items; i++) {
        double best = weft_schedule_seconds(&g->items[i], 1);
        sum += best;
        for (uint32_t w = 2; w <= g->members && 1000.0 * w <= g->items[i].events_a_window; w++)
            if (weft_schedule_seconds(&g->items[i], w) < best)
                best = weft_schedule_seconds(&g->items[i], w);
        longest = best > longest ? best : longest;
    }
    return sum / g->members > longest ? sum / g->members : longest;
}

/* ---- widths ---- */

static void width_follows_memory(void **state)
{
    (void)state;
    const int64_t gib = INT64_C(1) << 30;
    weft_schedule_item items[] = {
        {.seconds = 1, .bytes = gib},           {.seconds = 1, .bytes = gib + 1},
        {.seconds = 1, .bytes = 3 * gib},       {.seconds = 1, .bytes = 100 * gib},
        {.seconds = 1, .bytes = INT64_MAX - 1}, {.seconds = 1, .bytes = 0},
    };
    weft_schedule_widths(&(weft_schedule_options){.members = 8, .memory = gib}, 6, items);
    const uint32_t wanted[] = {1, 2, 3, 8, 8, 1};
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(items[i].width, wanted[i]);
}

static void width_that_is_given_stays(void **state)
{
    (void)state;
    weft_schedule_item items[] = {
        {.seconds = 100, .events_a_window = PLENTY, .bytes = 100, .width = 1},
        {.seconds = 1, .events_a_window = PLENTY, .bytes = 100, .width = 3},
        {.seconds = 1, .events_a_window = PLENTY, .bytes = 1, .width = 99},
    };
    weft_schedule_widths(&(weft_schedule_options){.members = 4, .memory = 10}, 3, items);
    assert_int_equal(items[0].width, 1);
    assert_int_equal(items[1].width, 3);
    assert_int_equal(items[2].width, 4);
}

static uint32_t width_of_one(uint32_t members, double events)
{
    grid g = {.members = members};
    add(&g, 1, 100, events);
    (void)plan(&g);
    return g.items[0].width;
}

static void width_of_a_single_point_is_what_its_events_feed(void **state)
{
    (void)state;
    assert_int_equal(width_of_one(1, PLENTY), 1);
    assert_int_equal(width_of_one(2, PLENTY), 2);
    assert_int_equal(width_of_one(6, PLENTY), 6);
    assert_int_equal(width_of_one(64, PLENTY), 64);
    assert_int_equal(width_of_one(64, 5000), 4);
    assert_int_equal(width_of_one(64, 1999), 1);
    assert_int_equal(width_of_one(64, 0), 1);
}

static void width_without_estimates_is_one(void **state)
{
    (void)state;
    grid g = {.members = 4};
    add(&g, 10, 0, 0);
    assert_true(plan(&g) <= 0);
    for (size_t i = 0; i < g.n_items; i++)
        assert_int_equal(g.items[i].width, 1);
    weft_schedule_widths(&(weft_schedule_options){.members = 4}, 0, NULL);
}

/* ---- how long grids take ---- */

static void equal_points_keep_two_members_busy(void **state)
{
    (void)state;
    grid g = {.members = 2};
    add(&g, 200, 0.05, 500);
    assert_true(200 * 0.05 / 2 / plan(&g) >= 0.95);
}

/* Each way of assigning points that cannot be shared, by brute force. */
static double best_static(const double *seconds, size_t count, uint32_t members, double *loads)
{
    if (count == 0) {
        double longest = 0;
        for (uint32_t m = 0; m < members; m++)
            longest = loads[m] > longest ? loads[m] : longest;
        return longest;
    }
    double best = 1e300;
    for (uint32_t m = 0; m < members; m++) {
        loads[m] += seconds[0];
        double found = best_static(seconds + 1, count - 1, members, loads);
        loads[m] -= seconds[0];
        best = found < best ? found : best;
        if (loads[m] <= 0) /* the other empty ones are the same */
            break;
    }
    return best;
}

static void few_points_end_like_the_best_static_plan(void **state)
{
    (void)state;
    unsigned seed = 5;
    double worst = 1;
    for (int trial = 0; trial < 30; trial++) {
        grid g = {.members = 3};
        double seconds[9], loads[3] = {0};
        for (size_t i = 0; i < 9; i++) {
            seconds[i] = 1 + rand_r(&seed) % 100;
            add(&g, 1, seconds[i], 100);
        }
        double ratio = plan(&g) / best_static(seconds, 9, 3, loads);
        worst = ratio > worst ? ratio : worst;
    }
    print_message("9 points on 3 members, worst of 30 grids: %.3f of the best static plan\n",
                  worst);
    assert_true(worst <= 1.15);
}

/* 20 small and 2 large points on 4 members, from equal to a thousand times as large. Whatever
 * the best static plan is, it takes at least `least`. */
static void small_and_large_points_end_near_the_best_static_plan(void **state)
{
    (void)state;
    const double events[] = {100, 2500, 5000, 20000, PLENTY};
    for (size_t e = 0; e < 5; e++) {
        double worst = 0;
        for (double large = 1; large < 1001; large *= 1.1) {
            grid g = {.members = 4};
            add(&g, 10, 1, 300);
            add(&g, 2, large, events[e]);
            add(&g, 10, 1, 300);
            double ratio = plan(&g) / least(&g);
            worst = ratio > worst ? ratio : worst;
        }
        print_message("20 small, 2 large with %.0f events a window: at most %.3f of the bound\n",
                      events[e], worst);
        assert_true(worst <= 1.15);
    }
}

static void random_grids_end_near_their_bounds(void **state)
{
    (void)state;
    unsigned seed = 1;
    double worst = 0, sum = 0;
    const int trials = 300;
    for (int trial = 0; trial < trials; trial++) {
        grid g = {.members = 1 + (uint32_t)rand_r(&seed) % 16};
        int count = 1 + rand_r(&seed) % 100;
        for (int i = 0; i < count; i++) {
            double large = rand_r(&seed) % 10 == 0 ? 50 : 1;
            double seconds = large * (1 + rand_r(&seed) % 100);
            add(&g, 1, seconds, large * 300 * (1 + rand_r(&seed) % 10));
        }
        double ratio = plan(&g) / least(&g);
        sum += ratio;
        worst = ratio > worst ? ratio : worst;
        for (size_t i = 0; i < g.n_items; i++)
            assert_in_range(g.items[i].width, 1, g.members);
    }
    print_message("random grids: %.3f of the bound on average, %.3f at worst\n", sum / trials,
                  worst);
    assert_true(sum / trials < 1.1);
    assert_true(worst < 1.5);
}

/* ---- the work queue ---- */

static void assert_deals(weft_work_queue *d, double now, size_t item, uint32_t count,
                         uint32_t first)
{
    weft_assignment assignment;
    assert_true(weft_work_queue_next(d, now, &assignment));
    assert_int_equal(assignment.item, item);
    assert_int_equal(assignment.n_ranks, count);
    assert_int_equal(assignment.ranks[0], first);
}

static void assert_deals_nothing(weft_work_queue *d, double now)
{
    weft_assignment assignment;
    assert_false(weft_work_queue_next(d, now, &assignment));
}

static void work_queue_begins_with_wide_then_long_items(void **state)
{
    (void)state;
    const weft_farm_item items[] = {{1, 1}, {5, 1}, {1, 2}, {5, 1}, {9, 2}};
    weft_work_queue *d = weft_work_queue_create(4, 5, items, true);
    assert_deals(d, 0, 4, 2, 2);
    assert_deals(d, 0, 2, 2, 0);
    assert_deals_nothing(d, 0);
    weft_work_queue_done(d, 1);
    assert_deals(d, 1, 1, 1, 1);
    weft_work_queue_done(d, 0);
    weft_work_queue_done(d, 3);
    assert_deals(d, 1, 3, 1, 3);
    assert_int_equal(weft_work_queue_left(d), 1);
    assert_deals(d, 1, 0, 1, 0);
    assert_deals_nothing(d, 1);
    weft_work_queue_destroy(d);
}

/* Members 1 and 2 are wanted for item 1 at 10 s: member 2 may do the short one, not the long
 * one. */
static void work_queue_keeps_members_for_a_wide_item(void **state)
{
    (void)state;
    const weft_farm_item items[] = {{20, 2}, {15, 3}, {11, 1}, {9, 1}, {8, 1}, {0, 1}};
    weft_work_queue *d = weft_work_queue_create(3, 6, items, true);
    assert_deals(d, 0, 0, 2, 0);
    assert_deals(d, 0, 3, 1, 2);
    assert_deals_nothing(d, 0);
    weft_work_queue_done(d, 2);
    assert_deals_nothing(d, 9);
    weft_work_queue_done(d, 0);
    assert_deals_nothing(d, 11);
    weft_work_queue_done(d, 1);
    assert_deals(d, 11, 1, 3, 0);
    assert_deals_nothing(d, 11);
    weft_work_queue_destroy(d);
}

/* Neighbours if there are any, else whoever is idle. */
static void work_queue_prefers_neighbours(void **state)
{
    (void)state;
    const weft_farm_item items[] = {{9, 1}, {8, 1}, {7, 1}, {6, 1}, {5, 1}, {4, 1}};
    weft_farm_item pair = {1, 2}, all[7];
    memcpy(all, items, sizeof items);
    all[6] = pair;
    weft_work_queue *d = weft_work_queue_create(6, 7, all, false);
    assert_deals(d, 0, 6, 2, 4);
    for (uint32_t m = 4; m-- > 0;)
        assert_deals(d, 0, 3 - m, 1, m);
    weft_work_queue_destroy(d);
    const weft_farm_item wide[] = {{9, 3}, {8, 2}, {1, 2}};
    d = weft_work_queue_create(5, 3, wide, false);
    assert_deals(d, 0, 0, 3, 0);
    assert_deals(d, 0, 1, 2, 3);
    weft_work_queue_done(d, 0);
    weft_work_queue_done(d, 4);
    weft_assignment assignment;
    assert_true(weft_work_queue_next(d, 1, &assignment));
    assert_int_equal(assignment.ranks[0], 0);
    assert_int_equal(assignment.ranks[1], 4);
    weft_work_queue_destroy(d);
}

static void work_queue_hands_out_ahead_only_while_many_are_left(void **state)
{
    (void)state;
    weft_farm_item items[20];
    for (size_t i = 0; i < 20; i++)
        items[i] = (weft_farm_item){1, 1};
    weft_work_queue *d = weft_work_queue_create(2, 20, items, true);
    assert_deals(d, 0, 0, 1, 1);
    assert_deals(d, 0, 1, 1, 0);
    assert_deals(d, 0, 2, 1, 1); /* ahead; rank 0 needs none */
    assert_deals_nothing(d, 0);
    weft_assignment assignment;
    double now = 0;
    uint32_t held[2] = {1, 2};
    size_t before = weft_work_queue_left(d);
    for (uint32_t m = 1; before > 0; m = held[1 - m] ? 1 - m : m) {
        now += 0.5;
        held[m]--;
        weft_work_queue_done(d, m);
        while (weft_work_queue_next(d, now, &assignment)) {
            assert_true(held[assignment.ranks[0]] == 0 || (assignment.ranks[0] == 1 && before > 8));
            held[assignment.ranks[0]]++;
            before = weft_work_queue_left(d);
        }
    }
    weft_work_queue_destroy(d);
}

/* A short item must not wait behind a long one. */
static void work_queue_hands_nothing_out_behind_a_long_item(void **state)
{
    (void)state;
    weft_farm_item items[30];
    for (size_t i = 0; i < 30; i++)
        items[i] = (weft_farm_item){i < 2 ? 100 : 1, 1};
    weft_work_queue *d = weft_work_queue_create(2, 30, items, true);
    assert_deals(d, 0, 0, 1, 1);
    assert_deals(d, 0, 1, 1, 0);
    assert_deals_nothing(d, 0);
    weft_work_queue_destroy(d);
}

static void threads_need_events(void **state)
{
    (void)state;
    assert_int_equal(weft_schedule_threads(8, 10, 1e6), 1);
    assert_int_equal(weft_schedule_threads(8, 1e9, 1e6), 8);
    assert_int_equal(weft_schedule_threads(1, 1e9, 1e6), 1);
    assert_int_equal(weft_schedule_threads(8, 1e9, 100), 1);
    for (double events = 1; events < 1e6; events *= 2)
        assert_true(weft_schedule_threads(64, events, events) <=
                    weft_schedule_threads(64, 2 * events, events));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(width_follows_memory),
        cmocka_unit_test(width_that_is_given_stays),
        cmocka_unit_test(width_of_a_single_point_is_what_its_events_feed),
        cmocka_unit_test(width_without_estimates_is_one),
        cmocka_unit_test(equal_points_keep_two_members_busy),
        cmocka_unit_test(few_points_end_like_the_best_static_plan),
        cmocka_unit_test(small_and_large_points_end_near_the_best_static_plan),
        cmocka_unit_test(random_grids_end_near_their_bounds),
        cmocka_unit_test(work_queue_begins_with_wide_then_long_items),
        cmocka_unit_test(work_queue_keeps_members_for_a_wide_item),
        cmocka_unit_test(work_queue_prefers_neighbours),
        cmocka_unit_test(work_queue_hands_out_ahead_only_while_many_are_left),
        cmocka_unit_test(work_queue_hands_nothing_out_behind_a_long_item),
        cmocka_unit_test(threads_need_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
