/* SPDX-License-Identifier: Apache-2.0 */
/* The tables, and how the file is opened: without SQLite's locks (the lock file does their work
 * on network file systems too), rollback journal, every commit on the disk before it counts. A
 * file is ours if its application id, its format and the very text of its tables are; a view or
 * trigger that somebody put into it is never run. The table of matrices is made when the first
 * one comes, so that versions which do not know it read every other file. */
#include "result/store.h"

#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const tables[] = {
    "CREATE TABLE run(id INTEGER PRIMARY KEY CHECK(id = 1), title TEXT NOT NULL, "
    "scenario TEXT NOT NULL) STRICT",
    "CREATE TABLE point(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, settings TEXT NOT NULL, "
    "verdict TEXT NOT NULL, saturated INTEGER NOT NULL) STRICT",
    "CREATE TABLE metric(point INTEGER NOT NULL REFERENCES point(id), name TEXT NOT NULL, "
    "class TEXT NOT NULL, \"by\" TEXT NOT NULL, \"index\" INTEGER NOT NULL, value REAL, lo REAL, "
    "hi REAL, n INTEGER NOT NULL, unit TEXT NOT NULL, method TEXT NOT NULL, "
    "PRIMARY KEY(point, name, class, \"by\", \"index\")) STRICT, WITHOUT ROWID",
    "CREATE TABLE histogram(point INTEGER NOT NULL REFERENCES point(id), name TEXT NOT NULL, "
    "class TEXT NOT NULL, unit TEXT NOT NULL, x BLOB NOT NULL, y BLOB NOT NULL, "
    "PRIMARY KEY(point, name, class)) STRICT, WITHOUT ROWID",
    "CREATE TABLE series(point INTEGER NOT NULL REFERENCES point(id), name TEXT NOT NULL, "
    "class TEXT NOT NULL, unit TEXT NOT NULL, x BLOB NOT NULL, y BLOB NOT NULL, "
    "PRIMARY KEY(point, name, class)) STRICT, WITHOUT ROWID",
    "CREATE TABLE links(point INTEGER NOT NULL REFERENCES point(id), \"index\" INTEGER NOT NULL, "
    "name TEXT NOT NULL, busy INTEGER NOT NULL, span INTEGER NOT NULL, "
    "PRIMARY KEY(point, \"index\")) STRICT, WITHOUT ROWID",
    "CREATE TABLE provenance(point INTEGER PRIMARY KEY REFERENCES point(id), finished TEXT NOT "
    "NULL, host TEXT NOT NULL, version TEXT NOT NULL, build TEXT NOT NULL, wall_seconds REAL, "
    "peak_bytes INTEGER NOT NULL) STRICT",
    "CREATE TABLE matrix(point INTEGER NOT NULL REFERENCES point(id), name TEXT NOT NULL, "
    "class TEXT NOT NULL, unit TEXT NOT NULL, columns INTEGER NOT NULL, y BLOB NOT NULL, "
    "PRIMARY KEY(point, name, class)) STRICT, WITHOUT ROWID",
};
#define TABLES (sizeof tables / sizeof *tables)
#define ALWAYS (TABLES - 1) /* the last one is made when it is needed */

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* SQLite's own header: magic, journal modes at 18 and 19, user_version at 60, application_id. */
static weft_status check_header(const char *path, const unsigned char *header, size_t length,
                                weft_error *err)
{
    if (length < 100 || memcmp(header, "SQLite format 3", 16) != 0 ||
        big_endian(header + 68) != WEFT_RESULT_APPLICATION)
        return weft_fail(err, WEFT_BAD_INPUT, "%s is not a results file of Interweft", path);
    uint32_t format = big_endian(header + 60);
    if (format != WEFT_RESULT_FORMAT)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s has results format %u; this version of Interweft reads format %d",
                         path, (unsigned)format, WEFT_RESULT_FORMAT);
    if (header[18] != 1 || header[19] != 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s was switched to another journal mode by another program; "
                         "'PRAGMA journal_mode=DELETE' in sqlite3 switches it back",
                         path);
    return WEFT_OK;
}

weft_status weft_store_probe(const char *path, bool *empty, int64_t *bytes, weft_error *err)
{
    *empty = true;
    *bytes = 0;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return WEFT_OK;
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) {
        weft_status status =
            weft_fail(err, WEFT_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
        if (fd >= 0)
            (void)close(fd);
        return status;
    }
    unsigned char header[100];
    bool regular = S_ISREG(info.st_mode);
    ssize_t length = regular ? pread(fd, header, sizeof header, 0) : -1;
    int why = errno;
    (void)close(fd);
    if (!regular)
        return weft_fail(err, WEFT_BAD_INPUT, "%s is not a file", path);
    if (length < 0)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot read %s: %s", path, strerror(why));
    *empty = length == 0;
    *bytes = info.st_size;
    return *empty ? WEFT_OK : check_header(path, header, (size_t)length, err);
}

/* SQLite tries once more to open for reading a journal that it could not make, and tells why that
 * failed. Why none can be made: asked again; 0 if one can be made now. */
static int journal_trouble(const weft_result *result)
{
    char *journal = weft_text_format("%s-journal", result->path);
    int fd = open(journal, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int why = fd >= 0 || errno == EEXIST ? 0 : errno;
    if (fd >= 0) {
        (void)close(fd);
        (void)unlink(journal);
    }
    free(journal);
    return why;
}

/* SQLite says "disk I/O error" where the system's reason got lost on the way, and that a file is
 * malformed where the disk could not read it. */
static const char *reason(const weft_result *result)
{
    int code = sqlite3_errcode(result->db), system = sqlite3_system_errno(result->db);
    if (code == SQLITE_FULL)
        return "the disk is full; with room again the same command goes on";
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        return "it is damaged, or the disk has an I/O error; a copy of it replaces it, --new "
               "starts "
               "it anew";
    if (code != SQLITE_IOERR && code != SQLITE_CANTOPEN)
        return sqlite3_errmsg(result->db);
    if (code == SQLITE_CANTOPEN && system == ENOENT && result->writing && !result->in_memory)
        system = journal_trouble(result);
    if (system)
        return strerror(system);
    return code == SQLITE_CANTOPEN ? "its journal could not be made (no room, or an I/O error)"
           : sqlite3_extended_errcode(result->db) == SQLITE_IOERR_WRITE
               ? "the disk takes no more (full, an I/O error, or a limit on the size of files); "
                 "mended, the same command goes on"
               : "the disk has an I/O error, or no room; mended, the same command goes on";
}

weft_status weft_store_fail(const weft_result *result, const char *doing, weft_error *err)
{
    return weft_fail(err, WEFT_BAD_INPUT, "%s: cannot %s: %s", result->path, doing, reason(result));
}

weft_status weft_store_damaged(const weft_result *result, const char *what, weft_error *err)
{
    return weft_fail(err, WEFT_BAD_INPUT, "%s is damaged: %s", result->path, what);
}

weft_status weft_store_run(weft_result *result, const char *sql, weft_error *err)
{
    if (sqlite3_exec(result->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return weft_store_fail(result, result->writing ? "write" : "read", err);
    return WEFT_OK;
}

weft_status weft_store_prepare(weft_result *result, const char *sql, sqlite3_stmt **stmt,
                               weft_error *err)
{
    *stmt = NULL;
    if (sqlite3_prepare_v2(result->db, sql, -1, stmt, NULL) != SQLITE_OK)
        return weft_store_fail(result, "read its tables", err);
    return WEFT_OK;
}

static weft_status open_database(weft_result *result, const char *file, int flags, weft_error *err)
{
    int code = sqlite3_open_v2(file, &result->db, flags | SQLITE_OPEN_NOMUTEX, "unix-none");
    return code == SQLITE_OK ? WEFT_OK : weft_store_fail(result, "open it", err);
}

/* What SQLite cannot open for writing it opens for reading, and forgets why. */
static weft_status open_again(weft_result *result, const char *file, int flags, weft_error *err)
{
    int fd = open(file, O_RDWR | O_CLOEXEC | (flags & SQLITE_OPEN_CREATE ? O_CREAT : 0), 0666);
    int why = errno;
    if (fd < 0)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot write %s: %s", result->path, strerror(why));
    (void)close(fd);
    (void)sqlite3_close(result->db);
    result->db = NULL;
    WEFT_TRY(open_database(result, file, flags, err));
    if (sqlite3_db_readonly(result->db, "main") == 1)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot write %s: it opens for reading alone",
                         result->path);
    return WEFT_OK;
}

weft_status weft_store_connect(weft_result *result, const char *file, int flags, weft_error *err)
{
    assert(!result->db);
    WEFT_TRY(open_database(result, file, flags, err));
    if (flags & SQLITE_OPEN_READWRITE && sqlite3_db_readonly(result->db, "main") == 1)
        WEFT_TRY(open_again(result, file, flags, err));
    sqlite3_limit(result->db, SQLITE_LIMIT_LENGTH, (int)(2 * WEFT_BLOB_MAX + WEFT_SCENARIO_MAX));
    sqlite3_db_config(result->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(result->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(result->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(result->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    WEFT_TRY(weft_store_run(result,
                            "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; "
                            "PRAGMA temp_store=MEMORY",
                            err));
    /* It reads the file, whose writer may be at work: readers do that where they try again. */
    return flags & SQLITE_OPEN_READWRITE ? weft_store_run(result, "PRAGMA synchronous=FULL", err)
                                         : WEFT_OK;
}

static weft_status insert_run(weft_result *result, const char *title, const char *scenario,
                              weft_error *err)
{
    sqlite3_stmt *stmt;
    WEFT_TRY(weft_store_prepare(result, "INSERT INTO run VALUES(1, ?, ?)", &stmt, err));
    (void)sqlite3_bind_text(stmt, 1, title, -1, SQLITE_STATIC);
    (void)sqlite3_bind_text(stmt, 2, scenario, -1, SQLITE_STATIC);
    (void)sqlite3_step(stmt);
    if (sqlite3_finalize(stmt) != SQLITE_OK)
        return weft_store_fail(result, "write", err);
    return WEFT_OK;
}

static weft_status make_tables(weft_result *result, const char *title, const char *scenario,
                               weft_error *err)
{
    WEFT_TRY(weft_store_run(result, "BEGIN IMMEDIATE", err));
    for (size_t i = 0; i < ALWAYS; i++)
        WEFT_TRY(weft_store_run(result, tables[i], err));
    char *sql = sqlite3_mprintf("PRAGMA application_id=%d; PRAGMA user_version=%d",
                                WEFT_RESULT_APPLICATION, WEFT_RESULT_FORMAT);
    weft_status status = weft_store_run(result, sql, err);
    sqlite3_free(sql);
    WEFT_TRY(status);
    WEFT_TRY(insert_run(result, title, scenario, err));
    return weft_store_run(result, "COMMIT", err);
}

weft_status weft_store_add_matrices(weft_result *result, weft_error *err)
{
    assert(result->writing && !result->matrices);
    return weft_store_run(result, tables[ALWAYS], err);
}

weft_status weft_store_init(weft_result *result, const char *title, const char *scenario,
                            weft_error *err)
{
    if (strlen(title) > WEFT_KEY_MAX || strlen(scenario) > WEFT_SCENARIO_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: a title of %zu bytes or a scenario of %zu is too long", result->path,
                         strlen(title), strlen(scenario));
    WEFT_TRY(weft_store_run(result, "PRAGMA journal_mode=DELETE", err));
    weft_status status = make_tables(result, title, scenario, err);
    if (status != WEFT_OK)
        (void)sqlite3_exec(result->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* Compares the tables one by one; SQLite's own indices have no text. */
static weft_status check_tables(weft_result *result, size_t *found, weft_error *err)
{
    sqlite3_stmt *stmt;
    *found = 0;
    WEFT_TRY(
        weft_store_prepare(result, "SELECT sql FROM sqlite_schema ORDER BY rowid", &stmt, err));
    bool same = true;
    int code = sqlite3_step(stmt);
    for (int rows = 0; same && code == SQLITE_ROW; code = sqlite3_step(stmt), rows++) {
        const char *sql = (const char *)sqlite3_column_text(stmt, 0);
        if (sql)
            same = *found < TABLES && strcmp(sql, tables[(*found)++]) == 0;
        same = same && rows < 64;
    }
    bool done = code == SQLITE_DONE;
    int failed = sqlite3_finalize(stmt);
    if (same && (!done || failed))
        return weft_store_fail(result, "read its tables", err);
    if (!same || (*found && *found < ALWAYS))
        return weft_store_damaged(result, "its tables are not those of a results file", err);
    return WEFT_OK;
}

weft_status weft_store_check(weft_result *result, bool *empty, weft_error *err)
{
    size_t found;
    WEFT_TRY(check_tables(result, &found, err));
    *empty = found == 0;
    result->matrices = found == TABLES;
    return WEFT_OK;
}
