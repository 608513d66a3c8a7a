/* SPDX-License-Identifier: Apache-2.0 */
/* Rows are turned into columns: one metric over all points that have it. */
#include "report/page/data.h"

#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { POINT, VALUE, LO, HI, N, UNIT, METHOD, COLUMNS };

/* What makes two rows the same metric; no padding, for it is compared by its bytes. */
typedef struct identity {
    uint32_t name, of, by, zero;
    int64_t index;
} identity;

typedef struct gathered {
    weft_page_column columns[COLUMNS];
} gathered;

struct weft_page_metrics {
    weft_page_pools *pools;
    weft_intern identities;
    size_t capacity;
    gathered *at; /* by number of identity */
};

weft_page_metrics *weft_page_metrics_create(weft_page_pools *pools)
{
    weft_page_metrics *metrics = weft_alloc(sizeof *metrics);
    metrics->pools = pools;
    weft_intern_init(&metrics->identities);
    return metrics;
}

void weft_page_metrics_destroy(weft_page_metrics *metrics)
{
    for (size_t i = 0; i < metrics->identities.n_items; i++)
        for (size_t c = 0; c < COLUMNS; c++)
            weft_page_column_done(&metrics->at[i].columns[c]);
    free(metrics->at);
    weft_intern_done(&metrics->identities);
    free(metrics);
}

static gathered *metric_of(weft_page_metrics *metrics, const weft_metric *m)
{
    weft_intern *strings = &metrics->pools->strings;
    identity id = {.name = weft_intern_text(strings, m->name),
                   .of = weft_intern_text(strings, m->of),
                   .by = weft_intern_text(strings, m->by),
                   .index = m->index};
    uint32_t i = weft_intern_add(&metrics->identities, &id, sizeof id);
    if (i >= metrics->capacity) {
        size_t capacity = metrics->capacity ? 2 * metrics->capacity : 64;
        metrics->at = weft_realloc(metrics->at, capacity, sizeof *metrics->at);
        memset(metrics->at + metrics->capacity, 0,
               (capacity - metrics->capacity) * sizeof *metrics->at);
        metrics->capacity = capacity;
    }
    return &metrics->at[i];
}

void weft_page_metrics_add(weft_page_metrics *metrics, size_t i, const weft_point *point)
{
    weft_intern *strings = &metrics->pools->strings;
    for (size_t k = 0; k < point->n_metrics; k++) {
        const weft_metric *m = &point->metrics[k];
        weft_page_column *columns = metric_of(metrics, m)->columns;
        weft_page_column_add(&columns[POINT], (double)i);
        weft_page_column_add(&columns[VALUE], m->value);
        weft_page_column_add(&columns[LO], m->lo);
        weft_page_column_add(&columns[HI], m->hi);
        weft_page_column_add(&columns[N], (double)m->n);
        weft_page_column_add(&columns[UNIT], weft_intern_text(strings, m->unit));
        weft_page_column_add(&columns[METHOD], weft_intern_text(strings, m->method));
    }
}

void weft_page_metrics_write(weft_page_metrics *metrics, size_t point_count, weft_out *out)
{
    weft_text_append(&out->text, "[", 1);
    for (size_t i = 0; i < metrics->identities.n_items; i++) {
        identity id;
        weft_page_column *columns = metrics->at[i].columns;
        assert(metrics->identities.items[i].length == sizeof id);
        memcpy(&id, metrics->identities.items[i].bytes, sizeof id);
        weft_out_add(out, "%s[%u,%u,%u,%" PRId64, i ? ",\n" : "", id.name, id.of, id.by, id.index);
        bool all = columns[POINT].n_values == point_count; /* then null says which points */
        for (size_t c = 0; c < COLUMNS; c++) {
            uint32_t number = c == POINT && all
                                  ? 0
                                  : weft_page_columns_move(&metrics->pools->columns, &columns[c]);
            if (c == POINT && all)
                weft_out_add(out, ",null");
            else if (c == POINT)
                weft_out_add(out, ",[%u,%zu]", number, columns[VALUE].n_values);
            else
                weft_out_add(out, ",%u", number);
        }
        weft_out_add(out, "]");
    }
    weft_text_append(&out->text, "]", 1);
}
