/* SPDX-License-Identifier: Apache-2.0 */
/* Packed rows: what is packed is what arrives, bit by bit, and what is damaged does not. */
#include "result/packed_rows.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int64_t edges[] = {0, 1, 2, INT64_MAX}, counts[] = {5, 0, INT64_MIN, -1};

static const weft_metric metrics[] = {
    {"latency", "bulk", "hops", 5, 126.25, 125.5, 127.0, 1000, "cycles", "batch means"},
    {"accepted", "", "", INT64_MIN, 0.1, (double)NAN, (double)NAN, 7, "fraction", "exact"},
    {"odd", "", "", INT64_MAX, -0.0, (double)INFINITY, 0x1p-1074, -1, "µs", "count"},
};

static const weft_array arrays[] = {
    {"histogram", "latency", "", "ticks", 4, edges, counts, 0},
    {"series", "delivered", "ctl", "ticks", 0, NULL, NULL, 0},
    {"series", "injected", "", "ticks", 1, edges, counts, 0},
    {"matrix", "traffic", "", "packets", 4, NULL, counts, 2},
};

static const weft_link_row links[] = {
    {"(3,4)+x", 17, 1000, 2000},
    {"", 0, 0, INT64_MAX},
    {"a name as long as the row allows, which is sixty-three letters!", -1, 5, 6},
};

static weft_point full(void)
{
    return (weft_point){.key = "routing.selection=diagonal traffic.all.rho=0.3",
                        .settings = "interweft: 1\ntitle: \"µ\"\n",
                        .verdict = "limit packets",
                        .saturated = true,
                        .n_metrics = 3,
                        .n_arrays = 4,
                        .n_links = 3,
                        .metrics = metrics,
                        .arrays = arrays,
                        .links = links,
                        .wall_seconds = 0.1,
                        .peak_bytes = INT64_C(1) << 40};
}

static void assert_same_double(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void assert_same_metric(const weft_metric *a, const weft_metric *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->of, b->of);
    assert_string_equal(a->by, b->by);
    assert_true(a->index == b->index && a->n == b->n);
    assert_same_double(a->value, b->value);
    assert_same_double(a->lo, b->lo);
    assert_same_double(a->hi, b->hi);
    assert_string_equal(a->unit, b->unit);
    assert_string_equal(a->method, b->method);
}

static void assert_same_array(const weft_array *a, const weft_array *b)
{
    assert_string_equal(a->table, b->table);
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->of, b->of);
    assert_string_equal(a->unit, b->unit);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->columns, b->columns);
    for (size_t i = 0; i < a->count; i++)
        assert_true(a->columns ? !a->x && !b->x : a->x[i] == b->x[i]);
    for (size_t i = 0; i < a->count; i++)
        assert_true(a->y[i] == b->y[i]);
}

static void assert_same(const weft_point *a, const weft_point *b)
{
    assert_string_equal(a->key, b->key);
    assert_string_equal(a->settings, b->settings);
    assert_string_equal(a->verdict, b->verdict);
    assert_true(a->saturated == b->saturated);
    assert_int_equal(a->n_metrics, b->n_metrics);
    for (size_t i = 0; i < a->n_metrics; i++)
        assert_same_metric(&a->metrics[i], &b->metrics[i]);
    assert_int_equal(a->n_arrays, b->n_arrays);
    for (size_t i = 0; i < a->n_arrays; i++)
        assert_same_array(&a->arrays[i], &b->arrays[i]);
    assert_int_equal(a->n_links, b->n_links);
    for (size_t i = 0; i < a->n_links; i++) {
        assert_string_equal(a->links[i].name, b->links[i].name);
        assert_true(a->links[i].index == b->links[i].index &&
                    a->links[i].busy == b->links[i].busy && a->links[i].span == b->links[i].span);
    }
    assert_same_double(a->wall_seconds, b->wall_seconds);
    assert_true(a->peak_bytes == b->peak_bytes);
}

static void assert_arrives(const weft_point *sent)
{
    weft_arena arena;
    weft_error err = {0};
    weft_point got;
    size_t bytes = 0;
    void *data = weft_packed_rows_write(sent, &bytes);
    weft_arena_init(&arena);
    assert_int_equal(weft_packed_rows_read(data, bytes, &arena, &got, &err), WEFT_OK);
    free(data);
    assert_same(sent, &got);
    weft_arena_done(&arena);
}

static void packed_rows_arrives_as_it_was(void **state)
{
    (void)state;
    weft_point point = full();
    assert_arrives(&point);
}

static void packed_rows_may_be_empty(void **state)
{
    (void)state;
    weft_point point = {.key = "", .settings = "", .verdict = "", .wall_seconds = (double)NAN};
    assert_arrives(&point);
}

/* In a block of its own size, so that a sanitizer sees any read past the end. */
static weft_status read_copy(const void *data, size_t bytes, weft_error *err, size_t *used)
{
    weft_arena arena;
    weft_point got;
    void *copy = malloc(bytes ? bytes : 1);
    assert_non_null(copy);
    if (bytes)
        memcpy(copy, data, bytes);
    weft_arena_init(&arena);
    weft_status status = weft_packed_rows_read(copy, bytes, &arena, &got, err);
    *used = arena.used;
    weft_arena_done(&arena);
    free(copy);
    return status;
}

static void packed_rows_cut_anywhere_is_refused(void **state)
{
    (void)state;
    weft_point point = full();
    size_t bytes = 0, used;
    void *data = weft_packed_rows_write(&point, &bytes);
    for (size_t n = 0; n < bytes; n++) {
        weft_error err = {0};
        assert_int_equal(read_copy(data, n, &err, &used), WEFT_BROKEN);
        assert_non_null(strstr(err.text, "arrived damaged"));
    }
    free(data);
}

static void packed_rows_with_more_behind_it_is_refused(void **state)
{
    (void)state;
    weft_point point = full();
    size_t bytes = 0, used;
    unsigned char *data = weft_packed_rows_write(&point, &bytes);
    unsigned char *longer = calloc(1, bytes + 1);
    assert_non_null(longer);
    memcpy(longer, data, bytes);
    assert_int_equal(read_copy(longer, bytes + 1, NULL, &used), WEFT_BROKEN);
    free(longer);
    free(data);
}

/* Any flipped bit: refused, or another point, but no crash and no unbounded allocation. */
static void packed_rows_with_wrong_bits_does_no_harm(void **state)
{
    (void)state;
    weft_point point = full();
    size_t bytes = 0, refused = 0, used;
    unsigned char *data = weft_packed_rows_write(&point, &bytes);
    for (size_t bit = 0; bit < bytes * 8; bit++) {
        data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        refused += read_copy(data, bytes, NULL, &used) != WEFT_OK;
        data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_true(used <= 16 * bytes + 4096);
    }
    assert_true(refused > 0);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_rows_arrives_as_it_was),
        cmocka_unit_test(packed_rows_may_be_empty),
        cmocka_unit_test(packed_rows_cut_anywhere_is_refused),
        cmocka_unit_test(packed_rows_with_more_behind_it_is_refused),
        cmocka_unit_test(packed_rows_with_wrong_bits_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
