/* SPDX-License-Identifier: Apache-2.0 */
/* An open results file: opening for reading, reading one point. A file read where it lies may
 * change under us: then the point is read again. */
#include "base/memory.h"

#include "base/file.h"
#include "base/text.h"
#include "result/extend.h"
#include "result/lock.h"
#include "result/store.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ATTEMPTS 100

/* Calls read until nothing was written meanwhile. */
static weft_status read_quietly(weft_result *result, size_t i,
                                weft_status (*act)(weft_result *, size_t, weft_error *),
                                weft_error *err)
{
    if (!result->watched)
        return act(result, i, err);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        weft_stamp before = weft_stamp_take(result->path);
        weft_status status = WEFT_BAD_INPUT;
        if (before.journal_size < 0) {
            result->file_bytes = before.size;
            status = act(result, i, err);
        }
        weft_stamp after = weft_stamp_take(result->path);
        if (before.journal_size < 0 && weft_stamp_same(&before, &after))
            return status;
        weft_stamp_pause();
    }
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s is being written, or its writer has just been stopped; read it again",
                     result->path);
}

static weft_status load_checked(weft_result *result, size_t i, weft_error *err)
{
    (void)i;
    bool empty;
    WEFT_TRY(weft_store_check(result, &empty, err));
    if (empty)
        return weft_fail(err, WEFT_BAD_INPUT, "%s " WEFT_RESULT_EMPTY, result->path);
    return weft_store_load(result, err);
}

static weft_status open_reading(weft_result *result, weft_error *err)
{
    bool empty;
    WEFT_TRY(weft_store_probe(result->path, &empty, &result->file_bytes, err));
    weft_stamp stamp = weft_stamp_take(result->path);
    if (stamp.size < 0 && !empty)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot read %s: %s", result->path, strerror(errno));
    if (stamp.size < 0)
        return weft_fail(err, WEFT_BAD_INPUT, "there is no results file %s%s", result->path,
                         weft_bytes_nearest(result->path, (char[WEFT_NEAREST_CHARS]){""}));
    if (empty)
        return weft_fail(err, WEFT_BAD_INPUT, "%s " WEFT_RESULT_EMPTY, result->path);
    result->watched = stamp.journal_size < 0;
    if (result->watched)
        WEFT_TRY(weft_store_connect(result, result->path, SQLITE_OPEN_READONLY, err));
    else
        WEFT_TRY(weft_snapshot_connect(result, err));
    return read_quietly(result, 0, load_checked, err);
}

weft_status weft_result_open(const char *path, weft_result **out, weft_error *err)
{
    assert(path && out);
    weft_result *result = weft_alloc(sizeof *result);
    result->name = weft_text_copy(path);
    result->path = weft_bytes_follow(path);
    weft_status status = open_reading(result, err);
    if (status != WEFT_OK) {
        weft_result_close(result);
        result = NULL;
    }
    *out = result;
    return status;
}

void weft_result_close(weft_result *result)
{
    if (!result)
        return;
    (void)sqlite3_close_v2(result->db);
    if (result->writing && !result->in_memory)
        weft_lock_release(result->whole_path);
    weft_store_forget_point(result);
    weft_store_forget_entries(result);
    free(result->entries);
    free(result->title);
    free(result->scenario);
    free(result->name);
    free(result->path);
    free(result->whole_path);
    free(result);
}

const char *weft_result_title(const weft_result *result)
{
    return result->title;
}

const char *weft_result_scenario(const weft_result *result)
{
    return result->scenario;
}

const char *weft_result_key(const weft_result *result, size_t i)
{
    assert(i < result->n_entries);
    return result->entries[i].key;
}

size_t weft_result_points(const weft_result *result)
{
    return result->n_entries;
}

const char *weft_result_path(const weft_result *result)
{
    return result->name;
}

void weft_result_keep(weft_result *result, bool (*wanted)(const void *user, const char *key),
                      const void *user)
{
    size_t kept = 0;
    assert(!result->writing);
    for (size_t i = 0; i < result->n_entries; i++)
        if (wanted(user, result->entries[i].key))
            result->entries[kept++] = result->entries[i];
        else
            free(result->entries[i].key);
    result->n_entries = kept;
}

weft_status weft_result_read(weft_result *result, size_t i, const weft_point **point,
                             weft_error *err)
{
    assert(i < result->n_entries);
    WEFT_TRY(read_quietly(result, i, weft_store_read, err));
    *point = &result->point;
    return WEFT_OK;
}

weft_status weft_result_head(weft_result *result, size_t i, const weft_point **point,
                             weft_error *err)
{
    assert(i < result->n_entries);
    WEFT_TRY(read_quietly(result, i, weft_store_read_head, err));
    *point = &result->point;
    return WEFT_OK;
}

const weft_metric *weft_point_metric(const weft_point *point, const char *name, const char *of,
                                     const char *by, int64_t index)
{
    for (size_t i = 0; i < point->n_metrics; i++) {
        const weft_metric *m = &point->metrics[i];
        if (m->index == index && strcmp(m->name, name) == 0 && strcmp(m->of, of) == 0 &&
            strcmp(m->by, by) == 0)
            return m;
    }
    return NULL;
}
