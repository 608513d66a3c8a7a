/* SPDX-License-Identifier: Apache-2.0 */
/* The result bytes: what has to be the same for any ranks, threads, blocks and compilers.
 *
 *     interweft results 1
 *     "key" histogram "name" "class" x count "unit"        empty bins are left out
 *     "key" links index "name" busy span
 *     "key" matrix "name" "class" row column value "unit"
 *     "key" metric "name" "class" "by" index value lo hi n "unit" "method"
 *     "key" point "verdict" saturated "settings"
 *     "key" series "name" "class" x value "unit"
 *
 * Keys are in byte order (not in the order for people), tables in alphabetical order, rows in the
 * byte order of their names. No provenance. */
#include "base/memory.h"
#include "base/digits.h"
#include "result/export.h"
#include "result/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct place {
    const char *key;
    size_t i;
} place;

static int by_bytes(const void *a, const void *b)
{
    return strcmp(((const place *)a)->key, ((const place *)b)->key);
}

static void start_row(weft_out *out, const weft_text *key, const char *table)
{
    weft_text_append(&out->text, key->at, key->length);
    weft_out_add(out, " %s", table);
}

static void add_string(weft_out *out, const char *text)
{
    weft_text_append(&out->text, " ", 1);
    weft_out_string(out, text);
}

static void add_real(weft_out *out, double value)
{
    char text[WEFT_DIGITS_TEXT];
    weft_out_add(out, " %s", weft_digits_exact(text, value));
}

static weft_status add_array(weft_out *out, const weft_text *key, const weft_array *array)
{
    bool bins = strcmp(array->table, "histogram") == 0;
    for (size_t i = 0; i < array->count; i++) {
        if (bins && array->y[i] == 0)
            continue;
        start_row(out, key, array->table);
        add_string(out, array->name);
        add_string(out, array->of);
        weft_out_add(out, " %" PRId64 " %" PRId64, array->x[i], array->y[i]);
        add_string(out, array->unit);
        weft_out_add(out, "\n");
        WEFT_TRY(weft_out_flush(out, false));
    }
    return WEFT_OK;
}

static weft_status add_matrix(weft_out *out, const weft_text *key, const weft_array *array)
{
    for (size_t i = 0; i < array->count; i++) {
        start_row(out, key, array->table);
        add_string(out, array->name);
        add_string(out, array->of);
        weft_out_add(out, " %zu %zu %" PRId64, i / array->columns, i % array->columns, array->y[i]);
        add_string(out, array->unit);
        weft_out_add(out, "\n");
        WEFT_TRY(weft_out_flush(out, false));
    }
    return WEFT_OK;
}

static weft_status add_arrays(weft_out *out, const weft_text *key, const weft_point *point,
                              const char *table)
{
    for (size_t i = 0; i < point->n_arrays; i++)
        if (strcmp(point->arrays[i].table, table) == 0)
            WEFT_TRY(
                (point->arrays[i].columns ? add_matrix : add_array)(out, key, &point->arrays[i]));
    return WEFT_OK;
}

static weft_status add_links(weft_out *out, const weft_text *key, const weft_point *point)
{
    for (size_t i = 0; i < point->n_links; i++) {
        const weft_link_row *link = &point->links[i];
        start_row(out, key, "links");
        weft_out_add(out, " %" PRId64, link->index);
        add_string(out, link->name);
        weft_out_add(out, " %" PRId64 " %" PRId64 "\n", link->busy, link->span);
        WEFT_TRY(weft_out_flush(out, false));
    }
    return WEFT_OK;
}

static weft_status add_metrics(weft_out *out, const weft_text *key, const weft_point *point)
{
    for (size_t i = 0; i < point->n_metrics; i++) {
        const weft_metric *m = &point->metrics[i];
        start_row(out, key, "metric");
        add_string(out, m->name);
        add_string(out, m->of);
        add_string(out, m->by);
        weft_out_add(out, " %" PRId64, m->index);
        add_real(out, m->value);
        add_real(out, m->lo);
        add_real(out, m->hi);
        weft_out_add(out, " %" PRId64, m->n);
        add_string(out, m->unit);
        add_string(out, m->method);
        weft_out_add(out, "\n");
        WEFT_TRY(weft_out_flush(out, false));
    }
    return WEFT_OK;
}

static weft_status add_point(weft_out *out, const weft_text *key, const weft_point *point)
{
    WEFT_TRY(add_arrays(out, key, point, "histogram"));
    WEFT_TRY(add_links(out, key, point));
    WEFT_TRY(add_arrays(out, key, point, "matrix"));
    WEFT_TRY(add_metrics(out, key, point));
    start_row(out, key, "point");
    add_string(out, point->verdict);
    weft_out_add(out, " %d", point->saturated);
    add_string(out, point->settings);
    weft_out_add(out, "\n");
    return add_arrays(out, key, point, "series");
}

static weft_status add_one(weft_result *result, size_t i, weft_out *out)
{
    const weft_point *point;
    WEFT_TRY(weft_result_read(result, i, &point, out->err));
    weft_out quoted = {0};
    weft_out_string(&quoted, point->key);
    weft_status status = add_point(out, &quoted.text, point);
    weft_text_done(&quoted.text);
    return status;
}

weft_status weft_export_canonical(weft_result *result, weft_out *out)
{
    place *order = weft_alloc(result->n_entries * sizeof *order);
    for (size_t i = 0; i < result->n_entries; i++)
        order[i] = (place){result->entries[i].key, i};
    qsort(order, result->n_entries, sizeof *order, by_bytes);
    weft_out_add(out, "interweft results %d\n", WEFT_RESULT_FORMAT);
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < result->n_entries && status == WEFT_OK; i++)
        status = add_one(result, order[i].i, out);
    free(order);
    return status;
}
