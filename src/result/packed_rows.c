/* SPDX-License-Identifier: Apache-2.0 */
/* Packed rows: the fields of a point in the order of its declaration, each list after its length.
 * What is allocated for a list never exceeds a few times the bytes that are there to fill it. */
#include "result/packed_rows.h"

#include "base/crc32c.h"
#include "base/pack.h"

#include <math.h>
#include <string.h>

#define MARK 0x32545057u /* "WPT2" */

/* The fewest bytes that one element takes. */
enum { METRIC_LEAST = 5 * 4 + 5 * 8, ARRAY_LEAST = 4 * 4 + 2 * 8, LINK_LEAST = 4 + 3 * 8 };

static void write_metric(weft_pack *to, const weft_metric *m)
{
    weft_pack_text(to, m->name);
    weft_pack_text(to, m->of);
    weft_pack_text(to, m->by);
    weft_pack_i64(to, m->index);
    weft_pack_double(to, m->value);
    weft_pack_double(to, m->lo);
    weft_pack_double(to, m->hi);
    weft_pack_i64(to, m->n);
    weft_pack_text(to, m->unit);
    weft_pack_text(to, m->method);
}

static void read_metric(weft_unpack *from, weft_arena *arena, weft_metric *m)
{
    m->name = weft_unpack_text(from, arena);
    m->of = weft_unpack_text(from, arena);
    m->by = weft_unpack_text(from, arena);
    m->index = weft_unpack_i64(from);
    m->value = weft_unpack_double(from);
    m->lo = weft_unpack_double(from);
    m->hi = weft_unpack_double(from);
    m->n = weft_unpack_i64(from);
    m->unit = weft_unpack_text(from, arena);
    m->method = weft_unpack_text(from, arena);
}

static void write_numbers(weft_pack *to, const int64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        weft_pack_i64(to, numbers[i]);
}

static const int64_t *read_numbers(weft_unpack *from, weft_arena *arena, size_t count)
{
    int64_t *numbers = WEFT_TAKE(arena, int64_t, count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = weft_unpack_i64(from);
    return numbers;
}

/* The length of a list whose elements take at least so many bytes each; 0 and failure if that is
 * more than there is. */
static size_t read_count(weft_unpack *from, size_t least)
{
    uint64_t count = weft_unpack_u64(from);
    if (count <= weft_unpack_left(from) / least)
        return (size_t)count;
    weft_unpack_fail(from);
    return 0;
}

static void write_array(weft_pack *to, const weft_array *a)
{
    weft_pack_text(to, a->table);
    weft_pack_text(to, a->name);
    weft_pack_text(to, a->of);
    weft_pack_text(to, a->unit);
    weft_pack_u64(to, a->columns);
    weft_pack_u64(to, a->count);
    if (!a->columns)
        write_numbers(to, a->x, a->count);
    write_numbers(to, a->y, a->count);
}

static void read_array(weft_unpack *from, weft_arena *arena, weft_array *a)
{
    a->table = weft_unpack_text(from, arena);
    a->name = weft_unpack_text(from, arena);
    a->of = weft_unpack_text(from, arena);
    a->unit = weft_unpack_text(from, arena);
    a->columns = (size_t)weft_unpack_u64(from);
    a->count = read_count(from, (a->columns ? 1 : 2) * sizeof(int64_t));
    if (a->columns && (a->count == 0 || a->count % a->columns != 0))
        weft_unpack_fail(from);
    if (!a->columns)
        a->x = read_numbers(from, arena, a->count);
    a->y = read_numbers(from, arena, a->count);
}

static void write_link(weft_pack *to, const weft_link_row *l)
{
    weft_pack_text(to, l->name);
    weft_pack_i64(to, l->index);
    weft_pack_i64(to, l->busy);
    weft_pack_i64(to, l->span);
}

static void read_link(weft_unpack *from, weft_arena *arena, weft_link_row *l)
{
    l->name = weft_unpack_text(from, arena);
    l->index = weft_unpack_i64(from);
    l->busy = weft_unpack_i64(from);
    l->span = weft_unpack_i64(from);
}

void *weft_packed_rows_write(const weft_point *point, size_t *bytes)
{
    weft_pack to = {0};
    weft_pack_u32(&to, MARK);
    weft_pack_text(&to, point->key);
    weft_pack_text(&to, point->settings);
    weft_pack_text(&to, point->verdict);
    weft_pack_u32(&to, point->saturated);
    weft_pack_u64(&to, point->n_metrics);
    for (size_t i = 0; i < point->n_metrics; i++)
        write_metric(&to, &point->metrics[i]);
    weft_pack_u64(&to, point->n_arrays);
    for (size_t i = 0; i < point->n_arrays; i++)
        write_array(&to, &point->arrays[i]);
    weft_pack_u64(&to, point->n_links);
    for (size_t i = 0; i < point->n_links; i++)
        write_link(&to, &point->links[i]);
    weft_pack_double(&to, point->wall_seconds);
    weft_pack_i64(&to, point->peak_bytes);
    *bytes = to.count;
    return to.data;
}

static void read_lists(weft_unpack *from, weft_arena *arena, weft_point *point)
{
    point->n_metrics = read_count(from, METRIC_LEAST);
    weft_metric *metrics = WEFT_TAKE(arena, weft_metric, point->n_metrics);
    for (size_t i = 0; i < point->n_metrics; i++)
        read_metric(from, arena, &metrics[i]);
    point->n_arrays = read_count(from, ARRAY_LEAST);
    weft_array *arrays = WEFT_TAKE(arena, weft_array, point->n_arrays);
    for (size_t i = 0; i < point->n_arrays; i++)
        read_array(from, arena, &arrays[i]);
    point->n_links = read_count(from, LINK_LEAST);
    weft_link_row *links = WEFT_TAKE(arena, weft_link_row, point->n_links);
    for (size_t i = 0; i < point->n_links; i++)
        read_link(from, arena, &links[i]);
    point->metrics = metrics;
    point->arrays = arrays;
    point->links = links;
}

weft_status weft_packed_rows_read(const void *data, size_t bytes, weft_arena *arena,
                                  weft_point *point, weft_error *err)
{
    weft_unpack from = weft_unpack_of(data, bytes);
    *point = (weft_point){0};
    if (weft_unpack_u32(&from) != MARK)
        weft_unpack_fail(&from);
    point->key = weft_unpack_text(&from, arena);
    point->settings = weft_unpack_text(&from, arena);
    point->verdict = weft_unpack_text(&from, arena);
    uint32_t saturated = weft_unpack_u32(&from);
    if (saturated > 1)
        weft_unpack_fail(&from);
    point->saturated = saturated == 1;
    read_lists(&from, arena, point);
    point->wall_seconds = weft_unpack_double(&from);
    point->peak_bytes = weft_unpack_i64(&from);
    if (weft_unpack_end(&from))
        return WEFT_OK;
    return weft_fail(err, WEFT_BROKEN,
                     "the result of a point arrived damaged (%zu bytes): do all processes run the "
                     "same program?",
                     bytes);
}

/* ---- checksum ---- */

/* A number as a results file gives it back: one NaN, one zero. */
static double kept(double value)
{
    return isnan(value) ? (double)NAN : value + 0.0;
}

/* The row that was packed last; the pack is empty again. */
static uint64_t row_sum(weft_pack *row)
{
    uint32_t crc = weft_crc32c(0, row->data, row->count);
    row->count = 0;
    return crc;
}

uint64_t weft_packed_rows_checksum(const weft_point *point)
{
    weft_pack row = {0};
    weft_pack_text(&row, point->key);
    weft_pack_text(&row, point->settings);
    weft_pack_text(&row, point->verdict);
    weft_pack_u32(&row, point->saturated);
    weft_pack_double(&row, kept(point->wall_seconds));
    weft_pack_i64(&row, point->peak_bytes);
    uint64_t sum = row_sum(&row);
    for (size_t i = 0; i < point->n_metrics; i++) {
        weft_metric m = point->metrics[i];
        m.value = kept(m.value);
        m.lo = kept(m.lo);
        m.hi = kept(m.hi);
        write_metric(&row, &m);
        sum += row_sum(&row);
    }
    for (size_t i = 0; i < point->n_arrays; i++) {
        write_array(&row, &point->arrays[i]);
        sum += row_sum(&row);
    }
    for (size_t i = 0; i < point->n_links; i++) {
        write_link(&row, &point->links[i]);
        sum += row_sum(&row);
    }
    weft_pack_done(&row);
    return sum;
}
