/* SPDX-License-Identifier: Apache-2.0 */
/* CSV for spreadsheets and statistics programs: one line per metric, the vary keys as columns. */
#include "base/digits.h"
#include "result/quoted_cell.h"
#include "result/export.h"
#include "result/key.h"
#include "result/store.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COLUMNS_MAX 256

typedef struct columns {
    size_t count;
    weft_key_part at[COLUMNS_MAX]; /* its name; the text lives in the entries */
} columns;

static bool same_name(const weft_key_part *a, const weft_key_part *b)
{
    return a->name_length == b->name_length && memcmp(a->name, b->name, a->name_length) == 0;
}

static size_t column_of(const columns *c, const weft_key_part *part)
{
    size_t i = 0;
    while (i < c->count && !same_name(&c->at[i], part))
        i++;
    return i;
}

static weft_status find_columns(const weft_result *result, columns *c, weft_error *err)
{
    for (size_t i = 0; i < result->n_entries; i++) {
        const char *rest = result->entries[i].key;
        weft_key_part part;
        while (weft_key_next(&rest, &part)) {
            if (column_of(c, &part) < c->count)
                continue;
            if (c->count == COLUMNS_MAX)
                return weft_fail(err, WEFT_BAD_INPUT, "%s varies more than %d settings",
                                 result->path, COLUMNS_MAX);
            c->at[c->count++] = part;
        }
    }
    return WEFT_OK;
}

static void add_cell(weft_out *out, const char *text)
{
    weft_quoted_cell(&out->text, text, strlen(text));
    weft_text_append(&out->text, ",", 1);
}

/* A value that is not known is an empty cell. */
static void add_real(weft_out *out, double value)
{
    char text[WEFT_DIGITS_TEXT];
    weft_out_add(out, "%s,", isnan(value) ? "" : weft_digits_short(text, value));
}

static const char fixed[] = "name,class,by,index,value,lo,hi,n,unit,method,verdict,saturated";

/* Is what varies named as one of the other columns? */
static bool is_fixed(const weft_key_part *part)
{
    for (const char *at = fixed; *at;
         at += at[strcspn(at, ",")] ? strcspn(at, ",") + 1 : strlen(at))
        if (strcspn(at, ",") == part->name_length && memcmp(at, part->name, part->name_length) == 0)
            return true;
    return false;
}

/* What varies under the name of another column is "key.value". */
static void add_header(weft_out *out, const columns *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (is_fixed(&c->at[i]))
            weft_text_append(&out->text, "key.", 4);
        if (c->at[i].name_length)
            weft_quoted_cell(&out->text, c->at[i].name, c->at[i].name_length);
        else
            weft_quoted_cell(&out->text, "key", 3);
        weft_text_append(&out->text, ",", 1);
    }
    weft_out_add(out, "%s\n", fixed);
}

/* The cells of the vary keys, each followed by a comma. */
static void add_key(weft_out *out, const columns *c, const char *key)
{
    weft_key_part values[COLUMNS_MAX], part;
    memset(values, 0, c->count * sizeof *values);
    for (const char *rest = key; weft_key_next(&rest, &part);) {
        size_t i = column_of(c, &part);
        if (i < c->count)
            values[i] = part;
    }
    for (size_t i = 0; i < c->count; i++) {
        if (values[i].value)
            weft_quoted_cell(&out->text, values[i].value, values[i].value_length);
        weft_text_append(&out->text, ",", 1);
    }
}

static void add_metric(weft_out *out, const weft_point *point, const weft_metric *m)
{
    add_cell(out, m->name);
    add_cell(out, m->of);
    add_cell(out, m->by);
    weft_out_add(out, "%" PRId64 ",", m->index);
    add_real(out, m->value);
    add_real(out, m->lo);
    add_real(out, m->hi);
    weft_out_add(out, "%" PRId64 ",", m->n);
    add_cell(out, m->unit);
    add_cell(out, m->method);
    add_cell(out, point->verdict);
    weft_out_add(out, "%d\n", point->saturated);
}

/* The lines of one file, each after its name if there are several. */
static weft_status add_file(weft_out *out, const columns *c, weft_result *result, const char *name)
{
    for (size_t i = 0; i < result->n_entries; i++) {
        const weft_point *point;
        WEFT_TRY(weft_result_read(result, i, &point, out->err));
        for (size_t m = 0; m < point->n_metrics; m++) {
            if (name)
                add_cell(out, name);
            add_key(out, c, point->key);
            add_metric(out, point, &point->metrics[m]);
            WEFT_TRY(weft_out_flush(out, false));
        }
    }
    return WEFT_OK;
}

weft_status weft_export_csv(weft_result *result, weft_out *out)
{
    columns c = {0};
    WEFT_TRY(find_columns(result, &c, out->err));
    add_header(out, &c);
    return add_file(out, &c, result, NULL);
}

weft_status weft_results_csv(weft_result *const *results, const char *const *names, size_t count,
                             weft_sink sink, void *to, weft_error *err)
{
    columns c = {0};
    weft_out out = {.sink = sink, .to = to, .err = err};
    for (size_t r = 0; r < count; r++)
        WEFT_TRY(find_columns(results[r], &c, err));
    weft_out_add(&out, "results,");
    add_header(&out, &c);
    weft_status status = WEFT_OK;
    for (size_t r = 0; r < count && status == WEFT_OK; r++)
        status = add_file(&out, &c, results[r], names[r]);
    if (status == WEFT_OK)
        status = weft_out_flush(&out, true);
    weft_text_done(&out.text);
    return status;
}
