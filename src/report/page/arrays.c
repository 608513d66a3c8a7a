/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms, series, matrices and link loads. A page has to open in a browser: past a number of
 * values the rest stays in the results file, and the page says so. */
#include "report/page/data.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_VALUES_MAX 1500000
#define LINK_LOADS_MAX   1000000

struct weft_page_arrays {
    weft_page_pools *pools;
    weft_intern names; /* of links */
    weft_page_column scratch;
    weft_out arrays, loads; /* their text; no sink */
    size_t values, link_loads, arrays_left, links_left;
};

weft_page_arrays *weft_page_arrays_create(weft_page_pools *pools)
{
    weft_page_arrays *arrays = weft_alloc(sizeof *arrays);
    arrays->pools = pools;
    weft_intern_init(&arrays->names);
    return arrays;
}

void weft_page_arrays_destroy(weft_page_arrays *arrays)
{
    weft_intern_done(&arrays->names);
    weft_page_column_done(&arrays->scratch);
    weft_text_done(&arrays->arrays.text);
    weft_text_done(&arrays->loads.text);
    free(arrays);
}

/* The differences of x from one to the next, which are short, or y as it is. */
static uint32_t add_numbers(weft_page_arrays *to, const int64_t *numbers, size_t count, bool steps)
{
    for (size_t i = 0; i < count; i++)
        weft_page_column_add(&to->scratch,
                             (double)numbers[i] - (steps && i ? (double)numbers[i - 1] : 0));
    return weft_page_columns_move(&to->pools->columns, &to->scratch);
}

static void add_array(weft_page_arrays *to, size_t i, const weft_array *a)
{
    weft_intern *strings = &to->pools->strings;
    size_t known = to->pools->columns.n_items;
    if (a->count > ARRAY_VALUES_MAX || to->values > ARRAY_VALUES_MAX - a->count) {
        to->arrays_left++;
        return;
    }
    weft_out_add(&to->arrays, "%s[%zu,%u,%u,%u,%u,%zu,%zu,", to->arrays.text.length ? ",\n" : "", i,
                 weft_intern_text(strings, a->table), weft_intern_text(strings, a->name),
                 weft_intern_text(strings, a->of), weft_intern_text(strings, a->unit), a->columns,
                 a->count);
    if (a->x)
        weft_out_add(&to->arrays, "%u,", add_numbers(to, a->x, a->count, true));
    else
        weft_out_add(&to->arrays, "null,");
    weft_out_add(&to->arrays, "%u]", add_numbers(to, a->y, a->count, false));
    to->values +=
        (to->pools->columns.n_items - known) * a->count; /* what was there before is free */
}

/* Which links (null if they are all known ones in order), how many, busy ticks, span. */
static void add_links(weft_page_arrays *to, size_t i, const weft_point *point)
{
    size_t count = point->n_links;
    if (count > LINK_LOADS_MAX || to->link_loads > LINK_LOADS_MAX - count) {
        to->links_left++;
        return;
    }
    to->link_loads += count;
    bool in_order = true;
    for (size_t k = 0; k < count; k++) {
        uint32_t link = weft_intern_text(&to->names, point->links[k].name);
        in_order = in_order && link == k;
        weft_page_column_add(&to->scratch, link);
    }
    weft_out_add(&to->loads, "%s[%zu,%zu,", to->loads.text.length ? ",\n" : "", i, count);
    if (in_order)
        weft_out_add(&to->loads, "null");
    else
        weft_out_add(&to->loads, "%u", weft_page_columns_move(&to->pools->columns, &to->scratch));
    to->scratch.n_values = 0;
    for (size_t k = 0; k < count; k++)
        weft_page_column_add(&to->scratch, (double)point->links[k].busy);
    weft_out_add(&to->loads, ",%u", weft_page_columns_move(&to->pools->columns, &to->scratch));
    for (size_t k = 0; k < count; k++)
        weft_page_column_add(&to->scratch, (double)point->links[k].span);
    weft_out_add(&to->loads, ",%u]", weft_page_columns_move(&to->pools->columns, &to->scratch));
}

void weft_page_arrays_add(weft_page_arrays *arrays, size_t i, const weft_point *point)
{
    for (size_t a = 0; a < point->n_arrays; a++)
        add_array(arrays, i, &point->arrays[a]);
    if (point->n_links)
        add_links(arrays, i, point);
}

static void add_text(weft_out *out, const weft_text *text)
{
    if (text->length)
        weft_text_append(&out->text, text->at, text->length);
}

weft_status weft_page_arrays_write(weft_page_arrays *arrays, weft_out *out)
{
    weft_out_add(out, "\"arrays\":[");
    add_text(out, &arrays->arrays.text);
    weft_out_add(out, "],\n\"links\":{\"names\":");
    WEFT_TRY(weft_page_strings_write(&arrays->names, out));
    weft_out_add(out, ",\n\"loads\":[");
    add_text(out, &arrays->loads.text);
    weft_out_add(out, "]},\n\"left\":[%zu,%zu]", arrays->arrays_left, arrays->links_left);
    return weft_out_flush(out, false);
}
