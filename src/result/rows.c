/* SPDX-License-Identifier: Apache-2.0 */
/* Rows into points. Every column is checked for its type and length before it is used; what a point
 * takes is limited by the size of the file (store.h), so that a damaged one cannot ask for more. */
#include "base/memory.h"
#include "base/utf8.h"

#include "base/text.h"
#include "result/packed_rows.h"
#include "result/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rows of one statement on their way into a result. */
typedef struct reader {
    weft_result *result;
    sqlite3_stmt *stmt;
    const char *table;
    size_t rows, capacity;
    weft_error *err;
} reader;

typedef weft_status (*row_reader)(reader *in);

/* The file could not hold as much as has been taken. */
static bool beyond_file(const reader *in, size_t more)
{
    size_t limit = 16 * (size_t)in->result->file_bytes + ((size_t)1 << 20);
    return more > limit || in->result->arena.used > limit - more;
}

static weft_status wrong(reader *in, const char *what)
{
    return weft_fail(in->err, WEFT_BAD_INPUT, "%s is damaged: table %s, row %zu: %s",
                     in->result->path, in->table, in->rows, what);
}

static weft_status get_text(reader *in, int column, size_t max, const char **text)
{
    if (sqlite3_column_type(in->stmt, column) != SQLITE_TEXT)
        return wrong(in, "a text is missing");
    const char *bytes = (const char *)sqlite3_column_text(in->stmt, column);
    size_t length = (size_t)sqlite3_column_bytes(in->stmt, column);
    if (!bytes || length > max || memchr(bytes, 0, length))
        return wrong(in, length > max ? "a text is too long" : "a text holds a zero byte");
    if (beyond_file(in, length))
        return wrong(in, "more than the file can hold");
    char *copy = weft_arena_copy(&in->result->arena, bytes, length);
    if (max == WEFT_LABEL_MAX) /* for terminals and pages */
        weft_make_harmless(copy);
    *text = copy;
    return WEFT_OK;
}

static weft_status get_int(reader *in, int column, int64_t *value)
{
    if (sqlite3_column_type(in->stmt, column) != SQLITE_INTEGER)
        return wrong(in, "a whole number is missing");
    *value = sqlite3_column_int64(in->stmt, column);
    return WEFT_OK;
}

static weft_status get_real(reader *in, int column, double *value)
{
    int type = sqlite3_column_type(in->stmt, column);
    if (type != SQLITE_FLOAT && type != SQLITE_NULL)
        return wrong(in, "a number is missing");
    *value = type == SQLITE_NULL ? (double)NAN : sqlite3_column_double(in->stmt, column);
    return WEFT_OK;
}

static weft_status get_blob(reader *in, int column, const int64_t **values, size_t *count)
{
    if (sqlite3_column_type(in->stmt, column) != SQLITE_BLOB)
        return wrong(in, "an array is missing");
    const unsigned char *bytes = sqlite3_column_blob(in->stmt, column);
    size_t length = (size_t)sqlite3_column_bytes(in->stmt, column);
    if (length % 8 != 0 || length > WEFT_BLOB_MAX || (length && !bytes))
        return wrong(in, "an array has a wrong size");
    if (beyond_file(in, length))
        return wrong(in, "more than the file can hold");
    *count = length / 8;
    int64_t *out = WEFT_TAKE(&in->result->arena, int64_t, *count);
    for (size_t i = 0; i < *count; i++) {
        uint64_t word = 0;
        for (unsigned b = 0; b < 8; b++)
            word |= (uint64_t)bytes[8 * i + b] << (8 * b);
        memcpy(&out[i], &word, sizeof word);
    }
    *values = out;
    return WEFT_OK;
}

/* Room for one more item after count. */
static void *grown(reader *in, void *items, size_t count, size_t size)
{
    if (count < in->capacity)
        return items;
    in->capacity = in->capacity ? 2 * in->capacity : 64;
    return weft_realloc(items, in->capacity, size);
}

static weft_status metric_row(reader *in)
{
    weft_result *result = in->result;
    size_t i = result->point.n_metrics;
    result->metrics = grown(in, result->metrics, i, sizeof *result->metrics);
    weft_metric *m = &result->metrics[i];
    WEFT_TRY(get_text(in, 0, WEFT_LABEL_MAX, &m->name));
    WEFT_TRY(get_text(in, 1, WEFT_LABEL_MAX, &m->of));
    WEFT_TRY(get_text(in, 2, WEFT_LABEL_MAX, &m->by));
    WEFT_TRY(get_int(in, 3, &m->index));
    WEFT_TRY(get_real(in, 4, &m->value));
    WEFT_TRY(get_real(in, 5, &m->lo));
    WEFT_TRY(get_real(in, 6, &m->hi));
    WEFT_TRY(get_int(in, 7, &m->n));
    WEFT_TRY(get_text(in, 8, WEFT_LABEL_MAX, &m->unit));
    WEFT_TRY(get_text(in, 9, WEFT_LABEL_MAX, &m->method));
    result->point.n_metrics++;
    return WEFT_OK;
}

static weft_status array_row(reader *in)
{
    weft_result *result = in->result;
    size_t i = result->point.n_arrays, other = 0;
    if (in->rows == 0)
        in->capacity = i; /* series follow the histograms */
    result->arrays = grown(in, result->arrays, i, sizeof *result->arrays);
    weft_array *a = &result->arrays[i];
    *a = (weft_array){.table = in->table};
    WEFT_TRY(get_text(in, 0, WEFT_LABEL_MAX, &a->name));
    WEFT_TRY(get_text(in, 1, WEFT_LABEL_MAX, &a->of));
    WEFT_TRY(get_text(in, 2, WEFT_LABEL_MAX, &a->unit));
    WEFT_TRY(get_blob(in, 3, &a->x, &a->count));
    WEFT_TRY(get_blob(in, 4, &a->y, &other));
    if (a->count != other)
        return wrong(in, "two arrays differ in size");
    result->point.n_arrays++;
    return WEFT_OK;
}

static weft_status matrix_row(reader *in)
{
    weft_result *result = in->result;
    size_t i = result->point.n_arrays;
    int64_t columns = 0;
    if (in->rows == 0)
        in->capacity = i; /* matrices follow the series */
    result->arrays = grown(in, result->arrays, i, sizeof *result->arrays);
    weft_array *a = &result->arrays[i];
    *a = (weft_array){.table = in->table};
    WEFT_TRY(get_text(in, 0, WEFT_LABEL_MAX, &a->name));
    WEFT_TRY(get_text(in, 1, WEFT_LABEL_MAX, &a->of));
    WEFT_TRY(get_text(in, 2, WEFT_LABEL_MAX, &a->unit));
    WEFT_TRY(get_int(in, 3, &columns));
    WEFT_TRY(get_blob(in, 4, &a->y, &a->count));
    if (columns < 1 || a->count == 0 || a->count % (uint64_t)columns != 0)
        return wrong(in, "a matrix has a wrong number of columns");
    a->columns = (size_t)columns;
    result->point.n_arrays++;
    return WEFT_OK;
}

static weft_status link_row(reader *in)
{
    weft_result *result = in->result;
    size_t i = result->point.n_links;
    result->links = grown(in, result->links, i, sizeof *result->links);
    weft_link_row *l = &result->links[i];
    WEFT_TRY(get_int(in, 0, &l->index));
    WEFT_TRY(get_text(in, 1, WEFT_LABEL_MAX, &l->name));
    WEFT_TRY(get_int(in, 2, &l->busy));
    WEFT_TRY(get_int(in, 3, &l->span));
    result->point.n_links++;
    return WEFT_OK;
}

static weft_status point_row(reader *in)
{
    weft_point *point = &in->result->point;
    int64_t saturated = 0;
    WEFT_TRY(get_text(in, 0, WEFT_KEY_MAX, &point->key));
    WEFT_TRY(get_text(in, 1, WEFT_SCENARIO_MAX, &point->settings));
    WEFT_TRY(get_text(in, 2, WEFT_LABEL_MAX, &point->verdict));
    WEFT_TRY(get_int(in, 3, &saturated));
    point->saturated = saturated != 0;
    return WEFT_OK;
}

static weft_status provenance_row(reader *in)
{
    weft_point *point = &in->result->point;
    WEFT_TRY(get_real(in, 0, &point->wall_seconds));
    WEFT_TRY(get_int(in, 1, &point->peak_bytes));
    WEFT_TRY(get_text(in, 2, WEFT_LABEL_MAX, &point->finished));
    WEFT_TRY(get_text(in, 3, WEFT_LABEL_MAX, &point->host));
    WEFT_TRY(get_text(in, 4, WEFT_LABEL_MAX, &point->version));
    return get_text(in, 5, WEFT_LABEL_MAX, &point->build);
}

static weft_status run_row(reader *in)
{
    const char *title, *scenario;
    WEFT_TRY(get_text(in, 0, WEFT_KEY_MAX, &title));
    WEFT_TRY(get_text(in, 1, WEFT_SCENARIO_MAX, &scenario));
    free(in->result->title);
    free(in->result->scenario);
    in->result->title = weft_text_copy(title);
    in->result->scenario = weft_text_copy(scenario);
    return WEFT_OK;
}

static weft_status entry_row(reader *in)
{
    weft_result *result = in->result;
    int64_t id = 0;
    const char *key;
    WEFT_TRY(get_int(in, 0, &id));
    WEFT_TRY(get_text(in, 1, WEFT_KEY_MAX, &key));
    if (weft_store_find(result, key) < result->n_entries)
        return wrong(in, "a point stands there twice");
    weft_store_insert(result, id, key);
    return WEFT_OK;
}

/* Reads all rows of a statement; point is its parameter. */
static weft_status each_row(weft_result *result, const char *table, const char *sql, int64_t point,
                            row_reader row, weft_error *err)
{
    reader in = {.result = result, .table = table, .err = err};
    WEFT_TRY(weft_store_prepare(result, sql, &in.stmt, err));
    if (sqlite3_bind_parameter_count(in.stmt) > 0)
        (void)sqlite3_bind_int64(in.stmt, 1, point);
    weft_status status = WEFT_OK;
    int code = sqlite3_step(in.stmt);
    for (; status == WEFT_OK && code == SQLITE_ROW; code = sqlite3_step(in.stmt)) {
        status = row(&in);
        if (++in.rows > (size_t)result->file_bytes / 8 + 16 && status == WEFT_OK)
            status = wrong(&in, "more rows than the file can hold");
    }
    if (status == WEFT_OK && code != SQLITE_DONE)
        status = weft_store_fail(result, "read", err);
    (void)sqlite3_finalize(in.stmt);
    return status;
}

/* Every point has its row in provenance: there is none too few, and none too many. */
static weft_status count_row(reader *in)
{
    int64_t count = 0;
    WEFT_TRY(get_int(in, 0, &count));
    if ((uint64_t)count != in->result->n_entries)
        return wrong(in, "points are missing, or there are too many");
    return WEFT_OK;
}

weft_status weft_store_load(weft_result *result, weft_error *err)
{
    weft_store_forget_point(result);
    weft_store_forget_entries(result);
    WEFT_TRY(
        each_row(result, "run", "SELECT title, scenario FROM run WHERE id = 1", 0, run_row, err));
    if (!result->title)
        return weft_store_damaged(result, "it does not say which scenario it is of", err);
    weft_status status =
        each_row(result, "point", "SELECT id, key FROM point ORDER BY id", 0, entry_row, err);
    if (status == WEFT_OK)
        status =
            each_row(result, "provenance", "SELECT count(*) FROM provenance", 0, count_row, err);
    weft_store_forget_point(result);
    return status;
}

weft_status weft_store_read_head(weft_result *result, size_t i, weft_error *err)
{
    weft_store_forget_point(result);
    weft_point *point = &result->point;
    point->finished = point->host = point->version = point->build = "";
    WEFT_TRY(each_row(result, "point",
                      "SELECT key, settings, verdict, saturated FROM point WHERE id = ?",
                      result->entries[i].id, point_row, err));
    if (!point->key || strcmp(point->key, result->entries[i].key) != 0)
        return weft_store_damaged(result, "a point is not where it was", err);
    return WEFT_OK;
}

/* Is the point what was written? Older versions wrote no checksum. The name of the compiler is left
 * without it. */
static weft_status check_sum(weft_result *result, weft_error *err)
{
    weft_point *point = &result->point;
    if (!*point->build)
        return weft_store_damaged(result, "it does not say where a point comes from", err);
    const char *mark = strstr(point->build, WEFT_CHECKSUM_MARK);
    if (!mark)
        return WEFT_OK;
    const char *digits = mark + strlen(WEFT_CHECKSUM_MARK);
    char *end;
    uint64_t written = strtoull(digits, &end, 16), found = weft_packed_rows_checksum(point);
    if (end - digits != 16 || *end || written != found)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s is damaged: the point '%.512s' is not what was written (checksum "
                         "%016" PRIx64 ", expected %.32s); a copy of the file replaces it, --new "
                         "starts it anew",
                         result->path, point->key, found, digits);
    point->build = weft_arena_copy(&result->arena, point->build, (size_t)(mark - point->build));
    return WEFT_OK;
}

weft_status weft_store_read(weft_result *result, size_t i, weft_error *err)
{
    int64_t id = result->entries[i].id;
    WEFT_TRY(weft_store_read_head(result, i, err));
    WEFT_TRY(each_row(result, "metric",
                      "SELECT name, class, \"by\", \"index\", value, lo, hi, n, unit, method FROM "
                      "metric WHERE point = ? ORDER BY name, class, \"by\", \"index\"",
                      id, metric_row, err));
    WEFT_TRY(each_row(result, "histogram",
                      "SELECT name, class, unit, x, y FROM histogram WHERE point = ? "
                      "ORDER BY name, class",
                      id, array_row, err));
    WEFT_TRY(each_row(result, "series",
                      "SELECT name, class, unit, x, y FROM series WHERE point = ? "
                      "ORDER BY name, class",
                      id, array_row, err));
    if (result->matrices)
        WEFT_TRY(each_row(result, "matrix",
                          "SELECT name, class, unit, columns, y FROM matrix WHERE point = ? "
                          "ORDER BY name, class",
                          id, matrix_row, err));
    WEFT_TRY(each_row(result, "links",
                      "SELECT \"index\", name, busy, span FROM links WHERE point = ? "
                      "ORDER BY \"index\"",
                      id, link_row, err));
    WEFT_TRY(each_row(result, "provenance",
                      "SELECT wall_seconds, peak_bytes, finished, host, version, build FROM "
                      "provenance WHERE point = ?",
                      id, provenance_row, err));
    result->point.metrics = result->metrics;
    result->point.arrays = result->arrays;
    result->point.links = result->links;
    return check_sum(result, err);
}
