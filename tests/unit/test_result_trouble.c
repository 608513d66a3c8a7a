/* SPDX-License-Identifier: Apache-2.0 */
/* Results that cannot go on: a sink that fails at any piece, texts that are too long, locks and
 * journals that are none, rows that another program has changed. */
#include "base/memory.h"
#include "interweft/result.h"
#include "result/extend.h"
#include "result/lock.h"
#include "result/store.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define SCENARIO "interweft: 1\ntitle: a test\n"

static char folder[] = "/tmp/test_trouble.XXXXXX";
static char file[64], lock[72], journal[72];

static int make_folder(void **state)
{
    (void)state;
    (void)strcpy(folder, "/tmp/test_trouble.XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    (void)snprintf(file, sizeof file, "%s/r.weft", folder);
    (void)snprintf(lock, sizeof lock, "%s.lock", file);
    (void)snprintf(journal, sizeof journal, "%s-journal", file);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(file);
    (void)unlink(lock);
    (void)unlink(journal);
    return rmdir(folder); /* nothing else may have been left behind */
}

/* The part of a message behind the name of the file. */
static const char *behind(const char *name, const weft_error *err)
{
    assert_true(strncmp(err->text, name, strlen(name)) == 0);
    return err->text + strlen(name);
}

static weft_result *created(void)
{
    weft_result *result;
    weft_error err;
    if (weft_result_create(file, "a test", SCENARIO, false, &result, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    return result;
}

/* ---- exports ---- */

enum { MANY = 3000 };

/* Everything of a point in thousands. */
static void commit_much(weft_result *result)
{
    static weft_metric metrics[MANY];
    static weft_link_row links[MANY];
    static int64_t x[MANY], y[MANY];
    for (int i = 0; i < MANY; i++) {
        metrics[i] = (weft_metric){"latency", "", "hops", i, i, 0, 0, i, "cycles", "exact"};
        links[i] = (weft_link_row){"(0,1)+x", i, i, 2 * i + 1};
        x[i] = i;
        y[i] = 1000000000 + i;
    }
    const weft_array arrays[] = {
        {"histogram", "latency", "", "cycles", MANY, x, y, 0},
        {"series", "delivered", "", "cycles", MANY, x, y, 0},
        {"matrix", "packets", "", "packets", MANY, NULL, y, 30},
    };
    const weft_point point = {.key = "a=1",
                              .settings = "seed: 1\n",
                              .verdict = "converged",
                              .n_metrics = MANY,
                              .n_arrays = 3,
                              .n_links = MANY,
                              .metrics = metrics,
                              .arrays = arrays,
                              .links = links};
    weft_error err;
    if (weft_result_commit(result, &point, &err) != WEFT_OK)
        fail_msg("%s", err.text);
}

typedef struct sink {
    int pieces, fails_at; /* -1: never */
} sink;

static weft_status take_piece(void *to, const char *bytes, size_t count, weft_error *err)
{
    sink *s = to;
    assert_true(bytes && count > 0);
    return s->pieces++ == s->fails_at ? weft_fail(err, WEFT_BAD_INPUT, "no room") : WEFT_OK;
}

/* Whichever piece a sink refuses, it is the last one that it gets. */
static void exports_stop_where_a_sink_fails(void **state)
{
    (void)state;
    static const weft_format formats[] = {WEFT_FORMAT_CANONICAL, WEFT_FORMAT_CSV, WEFT_FORMAT_JSON};
    weft_result *result = created();
    commit_much(result);
    for (int f = 0; f < 3; f++) {
        weft_error err = {""};
        sink all = {.fails_at = -1};
        assert_int_equal(weft_result_export(result, formats[f], take_piece, &all, &err), WEFT_OK);
        assert_true(all.pieces >= 3);
        for (int i = 0; i < all.pieces; i++) {
            sink some = {.fails_at = i};
            assert_int_equal(weft_result_export(result, formats[f], take_piece, &some, &err),
                             WEFT_BAD_INPUT);
            assert_string_equal(err.text, "no room");
            assert_int_equal(some.pieces, i + 1);
        }
    }
    weft_result_close(result);
}

/* 256 columns are taken, one more is refused, in a file of several too. */
static void csv_has_its_bound_of_columns(void **state)
{
    (void)state;
    weft_result *result = created();
    char key[4096];
    for (int columns = 256; columns <= 257; columns++) {
        size_t at = 0;
        for (int i = 0; i < columns; i++)
            at += (size_t)snprintf(key + at, sizeof key - at, "%sk%d=1", i ? " " : "", i);
        const weft_point point = {.key = key, .settings = "", .verdict = "converged"};
        weft_error err = {""};
        sink s = {.fails_at = -1};
        assert_int_equal(weft_result_commit(result, &point, &err), WEFT_OK);
        weft_status status = weft_result_export(result, WEFT_FORMAT_CSV, take_piece, &s, &err);
        weft_status several = weft_results_csv((weft_result *const[]){result},
                                               (const char *const[]){"r"}, 1, take_piece, &s, &err);
        assert_int_equal(status, columns == 256 ? WEFT_OK : WEFT_BAD_INPUT);
        assert_int_equal(several, status);
        if (columns > 256)
            assert_string_equal(behind(file, &err), " varies more than 256 settings");
    }
    weft_result_close(result);
}

/* ---- what is too long ---- */

/* Names of 1024 bytes are taken; what is longer is refused, and the file is as before. */
static void texts_that_are_too_long_are_refused(void **state)
{
    (void)state;
    weft_result *result = created();
    static const char *const keys[] = {"a=1", "a=2", "a=3", "a=4", "a=5",
                                       "b=1", "b=2", "b=3", "b=4", "b=5"};
    char *name = malloc(1026);
    for (int length = 1024; length <= 1025; length++) {
        memset(name, 'x', 1025);
        name[length] = '\0';
        const weft_metric metric = {name, "", "", 0, 1, 1, 1, 1, "cycles", "exact"};
        const int64_t one = 1;
        const weft_array array = {"series", name, "", "cycles", 1, &one, &one, 0};
        const weft_array matrix = {"matrix", name, "", "cycles", 1, NULL, &one, 1};
        const weft_link_row link = {name, 0, 1, 1};
        const weft_point points[] = {
            {.verdict = name},
            {.n_metrics = 1, .metrics = &metric},
            {.n_arrays = 1, .arrays = &array},
            {.n_arrays = 1, .arrays = &matrix},
            {.n_links = 1, .links = &link},
        };
        for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
            weft_point point = points[i];
            weft_error err = {""};
            point.settings = "";
            point.key = keys[i + (length > 1024 ? 5 : 0)];
            point.verdict = point.verdict ? point.verdict : "converged";
            weft_status status = weft_result_commit(result, &point, &err);
            assert_int_equal(status, length == 1024 ? WEFT_OK : WEFT_BAD_INPUT);
            if (length > 1024)
                assert_string_equal(behind(file, &err),
                                    ": a text or array of this point is too long");
        }
        assert_int_equal(weft_result_points(result), 5);
    }
    free(name);
    weft_result_close(result);
    weft_error err = {""};
    char *title = malloc(65538);
    memset(title, 'x', 65537);
    title[65537] = '\0';
    assert_int_equal(unlink(file), 0);
    assert_int_equal(weft_result_create(file, title, SCENARIO, false, &result, &err),
                     WEFT_BAD_INPUT);
    assert_string_equal(behind(file, &err), ": a title of 65537 bytes or a scenario of 27 is too "
                                            "long");
    title[65536] = '\0';
    assert_int_equal(weft_result_create(file, title, SCENARIO, true, &result, &err), WEFT_OK);
    weft_result_close(result);
    free(title);
}

/* ---- locks ---- */

static void write_text(const char *name, const char *text)
{
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static const struct {
    const char *text, *said; /* NULL: it is taken over; %s in the text is this host */
} locks[] = {
    {"%s 999999999 5\n", NULL},
    {"%s 1 1\n", NULL}, /* started at another time */
    {"elsewhere.example 17 5\n", " is being written by process 17 on host elsewhere.example; wait "
                                 "until it has finished\n"},
    {"%s 999999999 5", " is locked, but its lock file "},
    {"%s 999999999 5 6\n", " is locked, but its lock file "},
    {"%s 0 5\n", " is locked, but its lock file "},
    {"%s -5 5\n", " is locked, but its lock file "},
    {"%s x 5\n", " is locked, but its lock file "},
    {"%s 17\n", " is locked, but its lock file "},
};

static void locks_are_taken_over_or_refused(void **state)
{
    (void)state;
    char host[256] = "";
    assert_int_equal(gethostname(host, sizeof host - 1), 0);
    for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) {
        char text[320];
        weft_error err = {""};
        const char *mark = strstr(locks[i].text, "%s");
        (void)snprintf(text, sizeof text, "%s%s", mark ? host : "",
                       mark ? mark + 2 : locks[i].text);
        write_text(lock, text);
        weft_status status = weft_lock_take(file, &err);
        if (locks[i].said) {
            assert_int_equal(status, WEFT_BAD_INPUT);
            assert_true(strncmp(behind(file, &err), locks[i].said, strlen(locks[i].said)) == 0);
            weft_lock_release(file); /* it is not ours: it stays */
            assert_int_equal(access(lock, F_OK), 0);
        } else {
            assert_int_equal(status, WEFT_OK);
            weft_lock_release(file);
            assert_int_equal(access(lock, F_OK), -1);
        }
    }
}

static void locks_that_are_no_files_are_refused(void **state)
{
    (void)state;
    weft_error err = {""};
    assert_int_equal(mkdir(lock, 0700), 0);
    assert_int_equal(weft_lock_take(file, &err), WEFT_BAD_INPUT);
    assert_string_equal(behind(lock, &err), ": cannot open the lock file: Is a directory");
    weft_lock_release(file);
    assert_int_equal(rmdir(lock), 0);
    assert_int_equal(symlink("nowhere", lock), 0);
    assert_int_equal(weft_lock_take(file, &err), WEFT_BAD_INPUT);
    assert_string_equal(behind(lock, &err),
                        ": cannot open the lock file: Too many levels of symbolic links");
    weft_lock_release(file);
    assert_int_equal(unlink(lock), 0);
    assert_int_equal(weft_lock_take("/nowhere/at/all", &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "/nowhere/at/all.lock: cannot create the lock file: No such "
                                  "file or directory; --results FILE writes elsewhere");
}

/* Somebody looks at a lock that is left over, for as long as we try. */
static void a_lock_that_another_looks_at_is_waited_for(void **state)
{
    (void)state;
    weft_error err = {""};
    write_text(lock, "somewhere 1 1\n");
    int fd = open(lock, O_RDWR);
    assert_true(fd >= 0);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_int_equal(weft_lock_take(file, &err), WEFT_BAD_INPUT);
    assert_string_equal(behind(lock, &err), ": the lock file changes all the time; try again");
    assert_int_equal(close(fd), 0);
}

/* ---- journals and copies ---- */

static void journals_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char magic[] = "xxxxxxxx\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
    weft_error err = {""};
    weft_result_close(created());
    assert_int_equal(weft_journal_check(file, &err), WEFT_OK);
    write_text(journal, "short");
    assert_int_equal(weft_journal_check(file, &err), WEFT_OK);
    write_text(journal, "a journal without another name at its end");
    assert_int_equal(weft_journal_check(file, &err), WEFT_OK);
    write_text(journal, magic);
    assert_int_equal(weft_journal_check(file, &err), WEFT_BAD_INPUT);
    assert_string_equal(behind(journal, &err), " is not a journal that Interweft wrote; remove it");
    assert_int_equal(unlink(journal), 0);
    assert_int_equal(symlink("nowhere", journal), 0);
    assert_int_equal(weft_journal_check(file, &err), WEFT_BAD_INPUT);
    assert_string_equal(behind(journal, &err), " is not a journal that Interweft wrote; remove it");
    assert_int_equal(unlink(journal), 0);
    assert_int_equal(mkdir(journal, 0700), 0);
    weft_result *result;
    assert_int_equal(weft_result_open(file, &result, &err), WEFT_BAD_INPUT);
    assert_string_equal(behind(journal, &err), " is not a journal that Interweft wrote; remove it");
    assert_int_equal(rmdir(journal), 0);
    assert_int_equal(weft_journal_check("/etc/passwd/x", &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text,
                        "/etc/passwd/x-journal: cannot read this journal: Not a directory");
}

/* SQLite loses the reason why it cannot make a journal; it is found out again. */
static void a_folder_that_goes_away_is_told(void **state)
{
    (void)state;
    char gone[sizeof folder + 8];
    weft_error err = {""};
    const weft_point point = {.key = "a=1", .settings = "seed: 1\n", .verdict = "converged"};
    weft_result *result = created();
    (void)snprintf(gone, sizeof gone, "%s.gone", folder);
    assert_int_equal(rename(folder, gone), 0);
    assert_int_equal(weft_result_commit(result, &point, &err), WEFT_BAD_INPUT);
    assert_int_equal(rename(gone, folder), 0);
    assert_string_equal(behind(file, &err),
                        ": cannot write this point (those before it are kept): No such "
                        "file or directory");
    weft_result_close(result);
}

/* A file with a journal is read from a copy, which needs a folder. */
static void a_copy_needs_a_folder(void **state)
{
    (void)state;
    static const char wanted[] = "cannot make the directory /nowhere/at/all/interweft-";
    static const char *const folders[] = {"", "/tmp", "/nowhere/at/all"};
    const char *before = getenv("TMPDIR");
    char *kept = before ? strdup(before) : NULL;
    weft_result_close(created());
    write_text(journal, "left over");
    for (int i = 0; i < 3; i++) {
        weft_result *result = NULL;
        weft_error err = {""};
        assert_int_equal(setenv("TMPDIR", folders[i], 1), 0);
        weft_status status = weft_result_open(file, &result, &err);
        assert_int_equal(status, i < 2 ? WEFT_OK : WEFT_BAD_INPUT);
        if (i == 2)
            assert_true(strncmp(err.text, wanted, strlen(wanted)) == 0);
        weft_result_close(result);
    }
    assert_int_equal(kept ? setenv("TMPDIR", kept, 1) : unsetenv("TMPDIR"), 0);
    free(kept);
}

/* Neither the copy nor its folder is left behind. */
static void a_copy_needs_room(void **state)
{
    (void)state;
    weft_result *result = created();
    weft_error err = {""};
    struct rlimit before, limit;
    const char *place = getenv("TMPDIR");
    char *kept = place ? strdup(place) : NULL, begin[160];
    commit_much(result);
    weft_result_close(result);
    write_text(journal, "left over");
    (void)snprintf(begin, sizeof begin, ": cannot copy it to %s/interweft-", folder);
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    limit = (struct rlimit){.rlim_cur = 10000, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    weft_status status = weft_result_open(file, &result, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(kept ? setenv("TMPDIR", kept, 1) : unsetenv("TMPDIR"), 0);
    free(kept);
    assert_int_equal(status, WEFT_BAD_INPUT);
    assert_int_equal(strncmp(behind(file, &err), begin, strlen(begin)), 0);
    assert_non_null(strstr(err.text, "/copy: File too large"));
}

static void stamps_differ_in_anything(void **state)
{
    (void)state;
    const weft_stamp one = weft_stamp_take("/nowhere/at/all");
    weft_stamp others[7] = {one, one, one, one, one, one, one};
    assert_int_equal(one.size, -1);
    assert_int_equal(one.journal_size, -1);
    others[0].size++;
    others[1].seconds++;
    others[2].nanoseconds++;
    others[3].journal_size++;
    others[4].journal_seconds++;
    others[5].journal_nanoseconds++;
    others[6].counter[0]++;
    assert_true(weft_stamp_same(&one, &one));
    for (int i = 0; i < 7; i++)
        assert_false(weft_stamp_same(&one, &others[i]));
}

/* ---- rows that another program has changed ---- */

static void run_sql(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static const struct {
    const char *sql, *said;
} changed[] = {
    {"UPDATE point SET key = 'b' || char(0)", "table point, row 0: a text holds a zero byte"},
    {"UPDATE point SET verdict = char(0)", "table point, row 0: a text holds a zero byte"},
    {"UPDATE point SET settings = char(0)", "table point, row 0: a text holds a zero byte"},
    {"UPDATE run SET title = char(0)", "table run, row 0: a text holds a zero byte"},
    {"UPDATE run SET scenario = char(0)", "table run, row 0: a text holds a zero byte"},
    {"DELETE FROM run", "it does not say which scenario it is of"},
    {"DELETE FROM provenance", "table provenance, row 0: points are missing, or there are too "
                               "many"},
    {"INSERT INTO provenance(point, wall_seconds, peak_bytes, finished, host, version, build) "
     "SELECT 77, wall_seconds, peak_bytes, finished, host, version, build "
     "FROM provenance",
     "table provenance, row 0: points are missing, or there are too many"},
    {"UPDATE provenance SET point = 77", "it does not say where a point comes from"},
    {"UPDATE provenance SET build = ''", "it does not say where a point comes from"},
    {"UPDATE provenance SET finished = char(0)",
     "table provenance, row 0: a text holds a zero byte"},
    {"UPDATE provenance SET version = char(0)", "table provenance, row 0: a text holds a zero "
                                                "byte"},
    {"UPDATE metric SET name = hex(zeroblob(513)) WHERE \"index\" = 0",
     "table metric, row 0: a text is too long"},
    {"UPDATE matrix SET columns = 0", "table matrix, row 0: a matrix has a wrong number of "
                                      "columns"},
    {"UPDATE matrix SET columns = 7", "table matrix, row 0: a matrix has a wrong number of "
                                      "columns"},
    {"UPDATE matrix SET y = x''", "table matrix, row 0: a matrix has a wrong number of columns"},
    {"UPDATE matrix SET y = x'00'", "table matrix, row 0: an array has a wrong size"},
    {"UPDATE matrix SET unit = char(0)", "table matrix, row 0: a text holds a zero byte"},
    {"UPDATE links SET name = char(0) WHERE \"index\" = 1",
     "table links, row 1: a text holds a zero byte"},
    {"UPDATE series SET x = zeroblob(8)", "table series, row 0: two arrays differ in size"},
    {"UPDATE histogram SET y = zeroblob(9)", "table histogram, row 0: an array has a wrong size"},
    {"CREATE TABLE more(a)", "its tables are not those of a results file"},
    {"CREATE VIEW more AS SELECT 1", "its tables are not those of a results file"},
    {"DROP TABLE links", "its tables are not those of a results file"},
    {"UPDATE provenance SET build = replace(build, 'checksum ', 'checksum 0')",
     "the point 'a=1' is not what was written (checksum "},
    {"UPDATE links SET busy = busy + 1 WHERE \"index\" = 7",
     "the point 'a=1' is not what was written (checksum "},
};

static void rows_that_were_changed_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        weft_result *result = created();
        const weft_point *point;
        weft_error err = {""};
        commit_much(result);
        weft_result_close(result);
        run_sql(changed[i].sql);
        weft_status status = weft_result_open(file, &result, &err);
        if (status == WEFT_OK)
            status = weft_result_read(result, 0, &point, &err);
        assert_int_equal(status, WEFT_BAD_INPUT);
        const char *said = behind(file, &err);
        if (strncmp(said, " is damaged: ", 13) != 0 ||
            strncmp(said + 13, changed[i].said, strlen(changed[i].said)) != 0)
            fail_msg("%s gives %s", changed[i].sql, said);
        weft_result_close(result);
        assert_int_equal(unlink(file), 0);
    }
}

/* ---- what changes while it is read ---- */

static void a_point_that_moves_is_told(void **state)
{
    (void)state;
    weft_result *result = created();
    const weft_point *point;
    weft_error err = {""};
    commit_much(result);
    weft_result_close(result);
    assert_int_equal(weft_result_open(file, &result, &err), WEFT_OK);
    assert_int_equal(weft_result_read(result, 0, &point, &err), WEFT_OK);
    assert_int_equal(point->n_metrics, MANY);
    run_sql("UPDATE point SET key = 'b=1'");
    assert_int_equal(weft_result_head(result, 0, &point, &err), WEFT_BAD_INPUT);
    assert_string_equal(behind(file, &err), " is damaged: a point is not where it was");
    run_sql("DELETE FROM point");
    assert_int_equal(weft_result_read(result, 0, &point, &err), WEFT_BAD_INPUT);
    assert_string_equal(behind(file, &err), " is damaged: a point is not where it was");
    /* two seconds of patience */
    write_text(journal, "of a writer that was stopped");
    assert_int_equal(weft_result_read(result, 0, &point, &err), WEFT_BAD_INPUT);
    assert_string_equal(behind(file, &err), " is being written, or its writer has just been "
                                            "stopped; read it again");
    weft_result_close(result);
}

/* Files that a scenario names, with their checksums, are remembered by the results. */
static void files_of_a_scenario_are_kept(void **state)
{
    (void)state;
    static const char begun[] = SCENARIO "# file a.csv crc32c 00000001\n"
                                         "# file b.csv crc32c 00000002\n";
    weft_result *result;
    weft_error err = {""};
    assert_int_equal(weft_result_extend(file, "t", begun, false, &result, &err), WEFT_OK);
    assert_int_equal(
        weft_result_adopt(result, "u", "interweft: 1\n# file a.csv crc32c 00000003\n", &err),
        WEFT_BAD_INPUT);
    assert_string_equal(behind(file, &err),
                        ": the file a.csv has changed since these results were begun; --results "
                        "FILE starts others beside them, --new starts them anew");
    assert_int_equal(weft_result_adopt(result, "u",
                                       "interweft: 1\n# file b.csv crc32c 00000002\n"
                                       "# file c.csv crc32c 00000004\n",
                                       &err),
                     WEFT_OK);
    weft_result_close(result);
    assert_int_equal(weft_result_open(file, &result, &err), WEFT_OK);
    assert_string_equal(weft_result_title(result), "u");
    assert_string_equal(weft_result_scenario(result), "interweft: 1\n"
                                                      "# file b.csv crc32c 00000002\n"
                                                      "# file c.csv crc32c 00000004\n"
                                                      "# file a.csv crc32c 00000001\n");
    weft_result_close(result);
    assert_int_equal(weft_result_create(file, "u", "interweft: 1\nseed: 2\n", false, &result, &err),
                     WEFT_BAD_INPUT);
    assert_string_equal(behind(file, &err), " holds the results of another scenario; another name "
                                            "keeps both, --new starts it anew");
    assert_int_equal(weft_result_create(file, "u", "interweft: 1\n# file c.csv crc32c 00000005\n",
                                        false, &result, &err),
                     WEFT_BAD_INPUT);
    assert_int_equal(weft_result_create(file, "u", "interweft: 1\n# file d.csv crc32c 00000005\n",
                                        false, &result, &err),
                     WEFT_OK);
    weft_result_close(result);
}

#define HERE(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HERE(exports_stop_where_a_sink_fails),
        HERE(csv_has_its_bound_of_columns),
        HERE(texts_that_are_too_long_are_refused),
        HERE(locks_are_taken_over_or_refused),
        HERE(locks_that_are_no_files_are_refused),
        HERE(a_lock_that_another_looks_at_is_waited_for),
        HERE(journals_that_are_none_are_refused),
        HERE(a_folder_that_goes_away_is_told),
        HERE(a_copy_needs_a_folder),
        HERE(a_copy_needs_room),
        cmocka_unit_test(stamps_differ_in_anything),
        HERE(rows_that_were_changed_are_refused),
        HERE(a_point_that_moves_is_told),
        HERE(files_of_a_scenario_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
