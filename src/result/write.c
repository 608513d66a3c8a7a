/* SPDX-License-Identifier: Apache-2.0 */
/* Writing: one process under the lock file; one point, one transaction. Whatever happens in the
 * middle (a kill, a full disk), the points committed before are whole: SQLite's journal rolls the
 * rest back, at once or when the file is opened next. */
#include "base/file.h"
#include "base/memory.h"

#include "base/text.h"
#include "base/utf8.h"
#include "interweft/version.h"
#include "result/extend.h"
#include "result/lock.h"
#include "result/packed_rows.h"
#include "result/store.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(__clang__)
#define BUILD "clang " __clang_version__
#else
#define BUILD "gcc " __VERSION__
#endif

/* Values go to the parameters of a statement in order. */
typedef struct binder {
    sqlite3_stmt *stmt;
    int next;
    bool fits;     /* no text was longer than readers accept */
    bool harmless; /* no label is one that readers would change */
} binder;

/* Readers replace what must not reach a terminal. */
static bool is_harmless(const char *text, size_t length)
{
    char copy[WEFT_LABEL_MAX + 1];
    memcpy(copy, text, length + 1);
    weft_make_harmless(copy);
    return memcmp(copy, text, length + 1) == 0;
}

static void bind_text(binder *to, const char *text, size_t max)
{
    assert(text);
    size_t length = strlen(text);
    to->fits = to->fits && length <= max;
    if (max == WEFT_LABEL_MAX && length <= max)
        to->harmless = to->harmless && is_harmless(text, length);
    (void)sqlite3_bind_text64(to->stmt, to->next++, text, length, SQLITE_STATIC, SQLITE_UTF8);
}

static void bind_int(binder *to, int64_t value)
{
    (void)sqlite3_bind_int64(to->stmt, to->next++, value);
}

/* NaN is NULL; SQLite does not keep the sign of zero, so there is only one. */
static void bind_real(binder *to, double value)
{
    if (isnan(value))
        (void)sqlite3_bind_null(to->stmt, to->next++);
    else
        (void)sqlite3_bind_double(to->stmt, to->next++, value + 0.0);
}

/* Little-endian on every machine. */
static void bind_array(binder *to, const int64_t *values, size_t count)
{
    to->fits = to->fits && count <= WEFT_BLOB_MAX / 8;
    if (!to->fits)
        return;
    unsigned char *bytes = weft_alloc(8 * count);
    for (size_t i = 0; i < count; i++)
        for (unsigned b = 0; b < 8; b++)
            bytes[8 * i + b] = (unsigned char)((uint64_t)values[i] >> (8 * b));
    (void)sqlite3_bind_blob64(to->stmt, to->next++, bytes, 8 * count, free);
}

/* Runs the statement once its parameters are bound, and makes it ready for the next row. */
static weft_status insert(weft_result *result, binder *to, weft_error *err)
{
    if (!to->fits)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: a text or array of this point is too long",
                         result->path);
    if (!to->harmless)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: a label of this point has control characters or is not UTF-8",
                         result->path);
    assert(to->next == sqlite3_bind_parameter_count(to->stmt) + 1);
    if (sqlite3_step(to->stmt) != SQLITE_DONE)
        return weft_store_fail(result, "write this point (those before it are kept)", err);
    (void)sqlite3_reset(to->stmt);
    to->next = 1;
    return WEFT_OK;
}

static weft_status begin_insert(weft_result *result, const char *sql, binder *to, weft_error *err)
{
    *to = (binder){.next = 1, .fits = true, .harmless = true};
    return weft_store_prepare(result, sql, &to->stmt, err);
}

static weft_status write_metrics(weft_result *result, int64_t id, const weft_point *point,
                                 weft_error *err)
{
    binder to;
    WEFT_TRY(begin_insert(result, "INSERT INTO metric VALUES(?,?,?,?,?,?,?,?,?,?,?)", &to, err));
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < point->n_metrics && status == WEFT_OK; i++) {
        const weft_metric *m = &point->metrics[i];
        bind_int(&to, id);
        bind_text(&to, m->name, WEFT_LABEL_MAX);
        bind_text(&to, m->of, WEFT_LABEL_MAX);
        bind_text(&to, m->by, WEFT_LABEL_MAX);
        bind_int(&to, m->index);
        bind_real(&to, m->value);
        bind_real(&to, m->lo);
        bind_real(&to, m->hi);
        bind_int(&to, m->n);
        bind_text(&to, m->unit, WEFT_LABEL_MAX);
        bind_text(&to, m->method, WEFT_LABEL_MAX);
        status = insert(result, &to, err);
    }
    (void)sqlite3_finalize(to.stmt);
    return status;
}

static weft_status write_arrays(weft_result *result, int64_t id, const weft_point *point,
                                const char *table, weft_error *err)
{
    binder to;
    char sql[80];
    (void)snprintf(sql, sizeof sql, "INSERT INTO %s VALUES(?,?,?,?,?,?)", table);
    WEFT_TRY(begin_insert(result, sql, &to, err));
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < point->n_arrays && status == WEFT_OK; i++) {
        const weft_array *a = &point->arrays[i];
        if (strcmp(a->table, table) != 0)
            continue;
        bind_int(&to, id);
        bind_text(&to, a->name, WEFT_LABEL_MAX);
        bind_text(&to, a->of, WEFT_LABEL_MAX);
        bind_text(&to, a->unit, WEFT_LABEL_MAX);
        bind_array(&to, a->x, a->count);
        bind_array(&to, a->y, a->count);
        status = insert(result, &to, err);
    }
    (void)sqlite3_finalize(to.stmt);
    return status;
}

static bool is_matrix(const weft_array *array)
{
    return strcmp(array->table, "matrix") == 0;
}

static weft_status write_matrices(weft_result *result, int64_t id, const weft_point *point,
                                  weft_error *err)
{
    binder to;
    WEFT_TRY(begin_insert(result, "INSERT INTO matrix VALUES(?,?,?,?,?,?)", &to, err));
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < point->n_arrays && status == WEFT_OK; i++) {
        const weft_array *a = &point->arrays[i];
        if (!is_matrix(a))
            continue;
        assert(a->columns > 0 && a->count > 0 && a->count % a->columns == 0);
        bind_int(&to, id);
        bind_text(&to, a->name, WEFT_LABEL_MAX);
        bind_text(&to, a->of, WEFT_LABEL_MAX);
        bind_text(&to, a->unit, WEFT_LABEL_MAX);
        bind_int(&to, (int64_t)a->columns);
        bind_array(&to, a->y, a->count);
        status = insert(result, &to, err);
    }
    (void)sqlite3_finalize(to.stmt);
    return status;
}

static weft_status write_links(weft_result *result, int64_t id, const weft_point *point,
                               weft_error *err)
{
    binder to;
    WEFT_TRY(begin_insert(result, "INSERT INTO links VALUES(?,?,?,?,?)", &to, err));
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < point->n_links && status == WEFT_OK; i++) {
        const weft_link_row *l = &point->links[i];
        bind_int(&to, id);
        bind_int(&to, l->index);
        bind_text(&to, l->name, WEFT_LABEL_MAX);
        bind_int(&to, l->busy);
        bind_int(&to, l->span);
        status = insert(result, &to, err);
    }
    (void)sqlite3_finalize(to.stmt);
    return status;
}

static weft_status write_provenance(weft_result *result, int64_t id, const weft_point *point,
                                    weft_error *err)
{
    binder to;
    char host[256] = "", finished[32] = "", build[sizeof BUILD + 32];
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        (void)strftime(finished, sizeof finished, "%Y-%m-%dT%H:%M:%SZ", &utc);
    (void)gethostname(host, sizeof host - 1);
    weft_make_harmless(host);
    (void)snprintf(build, sizeof build, "%s" WEFT_CHECKSUM_MARK "%016" PRIx64, BUILD,
                   weft_packed_rows_checksum(point));
    WEFT_TRY(begin_insert(result, "INSERT INTO provenance VALUES(?,?,?,?,?,?,?)", &to, err));
    bind_int(&to, id);
    bind_text(&to, finished, WEFT_LABEL_MAX);
    bind_text(&to, host, WEFT_LABEL_MAX);
    bind_text(&to, WEFT_VERSION, WEFT_LABEL_MAX);
    bind_text(&to, build, WEFT_LABEL_MAX);
    bind_real(&to, point->wall_seconds);
    bind_int(&to, point->peak_bytes);
    weft_status status = insert(result, &to, err);
    (void)sqlite3_finalize(to.stmt);
    return status;
}

static weft_status write_head(weft_result *result, const weft_point *point, int64_t *id,
                              weft_error *err)
{
    binder to;
    WEFT_TRY(begin_insert(
        result, "INSERT INTO point(key, settings, verdict, saturated) VALUES(?,?,?,?)", &to, err));
    bind_text(&to, point->key, WEFT_KEY_MAX);
    bind_text(&to, point->settings, WEFT_SCENARIO_MAX);
    bind_text(&to, point->verdict, WEFT_LABEL_MAX);
    bind_int(&to, point->saturated);
    weft_status status = insert(result, &to, err);
    *id = sqlite3_last_insert_rowid(result->db);
    (void)sqlite3_finalize(to.stmt);
    return status;
}

static weft_status check_tables(const weft_result *result, const weft_point *point, weft_error *err)
{
    for (size_t i = 0; i < point->n_arrays; i++) {
        const char *table = point->arrays[i].table;
        if (strcmp(table, "histogram") != 0 && strcmp(table, "series") != 0 &&
            !is_matrix(&point->arrays[i]))
            return weft_fail(err, WEFT_BAD_INPUT,
                             "%s: arrays are a histogram, a series or a matrix, found '%.60s'",
                             result->path, table);
    }
    return WEFT_OK;
}

static bool has_matrix(const weft_point *point)
{
    bool any = false;
    for (size_t i = 0; i < point->n_arrays; i++)
        any = any || is_matrix(&point->arrays[i]);
    return any;
}

/* Removes the rows of a point. */
static weft_status erase(weft_result *result, int64_t id, weft_error *err)
{
    static const char *const tables[] = {"metric", "histogram",  "series",
                                         "links",  "provenance", "matrix"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables - !result->matrices; i++) {
        char *sql = sqlite3_mprintf("DELETE FROM %s WHERE point = %lld", tables[i], (long long)id);
        weft_status status = weft_store_run(result, sql, err);
        sqlite3_free(sql);
        WEFT_TRY(status);
    }
    char *sql = sqlite3_mprintf("DELETE FROM point WHERE id = %lld", (long long)id);
    weft_status status = weft_store_run(result, sql, err);
    sqlite3_free(sql);
    return status;
}

/* old: the point in whose place it comes; 0: none. */
static weft_status write_point(weft_result *result, const weft_point *point, int64_t old,
                               int64_t *id, weft_error *err)
{
    bool matrices = has_matrix(point);
    WEFT_TRY(check_tables(result, point, err));
    WEFT_TRY(weft_store_run(result, "BEGIN IMMEDIATE", err));
    if (old)
        WEFT_TRY(erase(result, old, err));
    if (matrices && !result->matrices)
        WEFT_TRY(weft_store_add_matrices(result, err));
    WEFT_TRY(write_head(result, point, id, err));
    WEFT_TRY(write_metrics(result, *id, point, err));
    WEFT_TRY(write_arrays(result, *id, point, "histogram", err));
    WEFT_TRY(write_arrays(result, *id, point, "series", err));
    if (matrices)
        WEFT_TRY(write_matrices(result, *id, point, err));
    WEFT_TRY(write_links(result, *id, point, err));
    WEFT_TRY(write_provenance(result, *id, point, err));
    WEFT_TRY(weft_store_run(result, "COMMIT", err));
    result->matrices = result->matrices || matrices;
    return WEFT_OK;
}

static void measure_file(weft_result *result)
{
    if (result->in_memory)
        return;
    struct stat info;
    if (stat(result->path, &info) == 0)
        result->file_bytes = info.st_size;
}

/* Writes a point, in place of entry i unless that is none. A verdict may be an error of several
 * lines, and be cut within a character: it is written as it will be read. */
static weft_status commit(weft_result *result, const weft_point *point, size_t i, weft_error *err)
{
    bool replaces = i < result->n_entries;
    int64_t id, old = replaces ? result->entries[i].id : 0;
    weft_point written = *point;
    char *verdict = weft_text_copy(point->verdict);
    weft_make_harmless(verdict);
    written.verdict = verdict;
    weft_status status = write_point(result, &written, old, &id, err);
    free(verdict);
    if (status != WEFT_OK) {
        (void)sqlite3_exec(result->db, "ROLLBACK", NULL, NULL, NULL);
        return status;
    }
    if (replaces)
        result->entries[i].id = id;
    else
        weft_store_insert(result, id, point->key);
    measure_file(result);
    return WEFT_OK;
}

weft_status weft_result_commit(weft_result *result, const weft_point *point, weft_error *err)
{
    assert(result->writing);
    if (weft_result_has(result, point->key))
        return weft_fail(err, WEFT_BAD_INPUT, "%s holds the point '%s' already", result->path,
                         point->key);
    return commit(result, point, result->n_entries, err);
}

weft_status weft_result_replace(weft_result *result, const weft_point *point, weft_error *err)
{
    assert(result->writing);
    return commit(result, point, weft_store_find(result, point->key), err);
}

bool weft_result_has(const weft_result *result, const char *key)
{
    return weft_store_find(result, key) < result->n_entries;
}

size_t weft_result_find(const weft_result *result, const char *key)
{
    return weft_store_find(result, key);
}

/* A new start: the file first, then its journal, which SQLite ignores beside an empty file. */
static weft_status remove_old(weft_result *result, weft_error *err)
{
    char *journal = weft_text_format("%s-journal", result->path);
    bool gone =
        (unlink(result->path) == 0 || errno == ENOENT) && (unlink(journal) == 0 || errno == ENOENT);
    int why = errno;
    free(journal);
    if (!gone)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot remove the old %s: %s", result->path,
                         strerror(why));
    return WEFT_OK;
}

/* What we have written ourselves may be of any size. */
static weft_status open_in_memory(weft_result *result, const char *title, const char *scenario,
                                  weft_error *err)
{
    result->writing = result->in_memory = true;
    result->file_bytes = (int64_t)1 << 40;
    WEFT_TRY(weft_store_connect(result, result->path, SQLITE_OPEN_READWRITE, err));
    WEFT_TRY(weft_store_init(result, title, scenario, err));
    return weft_store_load(result, err);
}

static char *whole_path(const char *path)
{
    char *here = *path == '/' ? NULL : getcwd(NULL, 0);
    char *whole = here ? weft_text_format("%s/%s", here, path) : weft_text_copy(path);
    free(here);
    return whole;
}

/* The lock and SQLite's journal have the name of the file: of two names each has its own. */
static weft_status check_names(const weft_result *result, weft_error *err)
{
    struct stat info;
    if (stat(result->path, &info) != 0 || info.st_nlink < 2)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s has %llu names (hard links), under each of which it could be written at "
                     "the same time: use a copy (cp), or remove the other names",
                     result->path, (unsigned long long)info.st_nlink);
}

static weft_status open_writing(weft_result *result, const char *title, const char *scenario,
                                bool fresh, weft_error *err)
{
    bool empty;
    WEFT_TRY(weft_lock_take(result->path, err));
    result->writing = true;
    result->whole_path = whole_path(result->path);
    WEFT_TRY(weft_store_probe(result->path, &empty, &result->file_bytes, err));
    WEFT_TRY(weft_journal_check(result->path, err));
    WEFT_TRY(fresh ? remove_old(result, err) : check_names(result, err));
    WEFT_TRY(
        weft_store_connect(result, result->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err));
    WEFT_TRY(weft_store_check(result, &empty, err));
    if (empty)
        WEFT_TRY(weft_store_init(result, title, scenario, err));
    measure_file(result);
    return weft_store_load(result, err);
}

weft_status weft_result_extend(const char *path, const char *title, const char *scenario,
                               bool fresh, weft_result **out, weft_error *err)
{
    assert(path && title && scenario && out);
    *out = NULL;
    if (!*path)
        return weft_fail(err, WEFT_BAD_INPUT, "results need the name of a file, found ''");
    weft_result *result = weft_alloc(sizeof *result);
    bool in_memory = strcmp(path, WEFT_IN_MEMORY) == 0;
    result->name = weft_text_copy(path);
    result->path = in_memory ? weft_text_copy(path) : weft_bytes_follow(path);
    weft_status status = in_memory ? open_in_memory(result, title, scenario, err)
                                   : open_writing(result, title, scenario, fresh, err);
    if (status != WEFT_OK) {
        weft_result_close(result);
        result = NULL;
    }
    *out = result;
    return status;
}

weft_status weft_result_create(const char *path, const char *title, const char *scenario,
                               bool fresh, weft_result **out, weft_error *err)
{
    WEFT_TRY(weft_result_extend(path, title, scenario, fresh, out, err));
    weft_status status = weft_store_same(*out, scenario, err);
    if (status != WEFT_OK) {
        weft_result_close(*out);
        *out = NULL;
    }
    return status;
}

static weft_status update_run(weft_result *result, weft_error *err)
{
    binder to;
    WEFT_TRY(begin_insert(result, "UPDATE run SET title = ?, scenario = ? WHERE id = 1", &to, err));
    bind_text(&to, result->title, WEFT_KEY_MAX);
    bind_text(&to, result->scenario, WEFT_SCENARIO_MAX);
    weft_status status = insert(result, &to, err);
    (void)sqlite3_finalize(to.stmt);
    return status;
}

weft_status weft_result_adopt(weft_result *result, const char *title, const char *scenario,
                              weft_error *err)
{
    WEFT_TRY(weft_store_same_files(result, scenario, err));
    char *whole = weft_store_with_files(result, scenario);
    free(result->title);
    free(result->scenario);
    result->title = weft_text_copy(title);
    result->scenario = whole;
    return update_run(result, err);
}
