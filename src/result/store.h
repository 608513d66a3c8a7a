/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of result/ share: the open results file and the limits on what it may hold.
 *
 * A file being read is not trusted. It must have exactly our tables; texts have greatest lengths;
 * and because a file of b bytes cannot hold more than b/8 rows, and a damaged one could still say
 * so, rows and bytes taken for one point are limited by the size of the file. */
#ifndef WEFT_RESULT_STORE_H
#define WEFT_RESULT_STORE_H

#include "base/arena.h"
#include "interweft/result.h"

#include <sqlite3.h>

#define WEFT_RESULT_APPLICATION 0x57656674 /* "Weft", SQLite's application_id */
#define WEFT_RESULT_FORMAT      1          /* SQLite's user_version */

#define WEFT_LABEL_MAX    ((size_t)1024)     /* names, classes, units, methods, verdicts */
#define WEFT_KEY_MAX      ((size_t)65536)    /* point keys and the title */
#define WEFT_SCENARIO_MAX ((size_t)16 << 20) /* settings and the scenario */
#define WEFT_BLOB_MAX     ((size_t)256 << 20)

/* What stands behind the compiler's name in a point's provenance, then 16 hexadecimal digits. It is
 * there, and not in a table of its own, so that older versions read the file. */
#define WEFT_CHECKSUM_MARK "; checksum "

/* One committed point: where it is and what it is called. */
typedef struct weft_entry {
    int64_t id;
    char *key;
} weft_entry;

struct weft_result {
    sqlite3 *db;
    char *name;       /* as it was opened */
    char *path;       /* the same, but of a link the file that it stands for */
    char *whole_path; /* while we write: for the lock, wherever the program goes meanwhile */
    char *title, *scenario;
    bool writing;   /* we hold path.lock, if there is a file */
    bool in_memory; /* there is none */
    bool watched;   /* read where it lies: somebody may write while we read */
    bool matrices;  /* it has the table that holds them */
    int64_t file_bytes;
    weft_entry *entries; /* in order of weft_key_compare */
    size_t n_entries, capacity;
    /* the point read last */
    weft_arena arena;
    weft_point point;
    weft_metric *metrics;
    weft_array *arrays;
    weft_link_row *links;
};

/* Schema and connection (schema.c). */
/* Is there a results file of ours at path, by its first bytes? *empty: nothing is there yet. */
WEFT_MUST_USE weft_status weft_store_probe(const char *path, bool *empty, int64_t *bytes,
                                           weft_error *err);
/* Opens file (path or a private copy of it) without SQLite's locks; nothing is read yet. */
WEFT_MUST_USE weft_status weft_store_connect(weft_result *result, const char *file, int flags,
                                             weft_error *err);
/* Makes the tables in one transaction. */
WEFT_MUST_USE weft_status weft_store_init(weft_result *result, const char *title,
                                          const char *scenario, weft_error *err);
/* Checks format and tables; *empty: it has none. Notes in result whether it has matrices. */
WEFT_MUST_USE weft_status weft_store_check(weft_result *result, bool *empty, weft_error *err);
/* Adds the table of matrices, within a transaction. */
WEFT_MUST_USE weft_status weft_store_add_matrices(weft_result *result, weft_error *err);
WEFT_MUST_USE weft_status weft_store_run(weft_result *result, const char *sql, weft_error *err);
WEFT_MUST_USE weft_status weft_store_prepare(weft_result *result, const char *sql,
                                             sqlite3_stmt **stmt, weft_error *err);
/* "path: cannot …: why" from SQLite's last error. */
weft_status weft_store_fail(const weft_result *result, const char *doing, weft_error *err);
weft_status weft_store_damaged(const weft_result *result, const char *what, weft_error *err);

/* Files that are being written (snapshot.c). */
typedef struct weft_stamp {
    int64_t size, seconds, nanoseconds;
    int64_t journal_size; /* -1: no journal */
    int64_t journal_seconds, journal_nanoseconds;
    unsigned char counter[4];
} weft_stamp;

weft_stamp weft_stamp_take(const char *path);
bool weft_stamp_same(const weft_stamp *a, const weft_stamp *b);
void weft_stamp_pause(void);
/* Refuses a journal that names a further one: rolling it back could delete foreign files. */
WEFT_MUST_USE weft_status weft_journal_check(const char *path, weft_error *err);
/* Connects to a private copy in which an interrupted commit has been rolled back. */
WEFT_MUST_USE weft_status weft_snapshot_connect(weft_result *result, weft_error *err);

/* Was the file begun with this scenario, and with the same contents of the files that it names?
 * (same.c) */
WEFT_MUST_USE weft_status weft_store_same(const weft_result *result, const char *scenario,
                                          weft_error *err);

/* The name of a file, *length bytes, of which both texts of a scenario tell, with other contents;
 * NULL: there is none. */
const char *weft_store_changed(const char *before, const char *scenario, int *length);
/* Have the files that both name the same contents? */
WEFT_MUST_USE weft_status weft_store_same_files(const weft_result *result, const char *scenario,
                                                weft_error *err);
/* The scenario, with what the result tells of files that it does not name; to be freed. */
char *weft_store_with_files(const weft_result *result, const char *scenario);

/* Rows (rows.c). */
/* Title, scenario and the list of points. */
WEFT_MUST_USE weft_status weft_store_load(weft_result *result, weft_error *err);
/* Key, settings and verdict of point i into result->point. */
WEFT_MUST_USE weft_status weft_store_read_head(weft_result *result, size_t i, weft_error *err);
/* Point i into result->point, metrics, arrays, links. */
WEFT_MUST_USE weft_status weft_store_read(weft_result *result, size_t i, weft_error *err);

/* The list of points (read.c). */
void weft_store_forget_point(weft_result *result);
void weft_store_forget_entries(weft_result *result);
void weft_store_insert(weft_result *result, int64_t id, const char *key);
/* Where key stands; count if it is absent. */
size_t weft_store_find(const weft_result *result, const char *key);

#endif
