/* SPDX-License-Identifier: Apache-2.0 */
/* Results files that no crash leaves, but somebody can make: rows that lie in the file many times
 * over, values of another type than the tables say, tables without a meaning. And what callers may
 * do: labels that cannot be read, another folder meanwhile. */
#include "interweft/result.h"

#include <sqlite3.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGE = 65536, TIMES = 4000, VALUES = 500, LABEL = 1024 };

static char folder[] = "/tmp/test_crafted.XXXXXX", file[64];

static int make_folder(void **state)
{
    (void)state;
    (void)strcpy(folder, "/tmp/test_crafted.XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    (void)snprintf(file, sizeof file, "%s/r.weft", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(file);
    return rmdir(folder);
}

/* A file of one point with one long row of each of the tables metric and series. */
static void make_file(void)
{
    static char label[LABEL + 1];
    static int64_t numbers[VALUES];
    weft_result *result;
    weft_error err;
    memset(label, 'x', LABEL);
    const weft_metric metric = {label, label, label, 0, 1, 1, 1, 1, label, label};
    const weft_array array = {"series", "delivered", "", "cycles", VALUES, numbers, numbers, 0};
    const weft_point point = {.key = "a=1",
                              .settings = "",
                              .verdict = "converged",
                              .n_metrics = 1,
                              .metrics = &metric,
                              .n_arrays = 1,
                              .arrays = &array};
    if (weft_result_create(file, "a test", "s", true, &result, &err) != WEFT_OK ||
        weft_result_commit(result, &point, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    weft_result_close(result);
}

static void run_sql(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* What opening and reading the point gives behind the name of the file; "": it can be read. */
static const char *said(weft_error *err)
{
    weft_result *result;
    const weft_point *point;
    err->text[0] = '\0';
    if (weft_result_open(file, &result, err) == WEFT_OK) {
        assert_true(weft_result_read(result, 0, &point, err) == WEFT_OK || *err->text);
        weft_result_close(result);
    }
    if (*err->text)
        assert_int_equal(strncmp(err->text, file, strlen(file)), 0);
    return *err->text ? err->text + strlen(file) : "";
}

/* On the page with this text, which has a single cell (its number is behind three bytes of the
 * page, its place behind eight), the cell is said to be there many times. */
static void repeat_cell(const char *text)
{
    FILE *in = fopen(file, "r+b");
    unsigned char *page = malloc(PAGE);
    bool found = false;
    assert_true(in && page);
    for (long at = PAGE; !found && fseek(in, at, SEEK_SET) == 0 && fread(page, 1, PAGE, in) == PAGE;
         at += PAGE) {
        found = page[0] == 10 && page[3] == 0 && page[4] == 1 &&
                memmem(page, PAGE, text, strlen(text)) != NULL;
        if (!found)
            continue;
        page[3] = TIMES >> 8;
        page[4] = TIMES & 255;
        for (int i = 1; i < TIMES; i++)
            memcpy(page + 8 + 2 * i, page + 8, 2);
        assert_int_equal(fseek(in, at, SEEK_SET), 0);
        assert_int_equal(fwrite(page, 1, PAGE, in), PAGE);
    }
    assert_true(found);
    assert_int_equal(fclose(in), 0);
    free(page);
}

/* A row of 5 or 8 KB that a page of 64 KiB holds 4000 times. */
static void rows_that_lie_there_often_do_not_fill_the_memory(void **state)
{
    (void)state;
    static const struct {
        const char *text, *table;
    } rows[] = {{"delivered", "series"}, {"xxxxxxxx", "metric"}};
    for (size_t i = 0; i < 2; i++) {
        weft_error err;
        char begin[64];
        make_file();
        run_sql("PRAGMA page_size=65536; VACUUM");
        assert_string_equal(said(&err), "");
        repeat_cell(rows[i].text);
        const char *text = said(&err);
        (void)snprintf(begin, sizeof begin, " is damaged: table %s, row ", rows[i].table);
        assert_int_equal(strncmp(text, begin, strlen(begin)), 0);
        assert_non_null(strstr(text, ": more than the file can hold"));
    }
}

/* Tables that take any value for a while. */
static void values_have_the_type_of_their_column(void **state)
{
    (void)state;
    weft_error err;
    make_file();
    run_sql("PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, "
            "'STRICT, WITHOUT', 'WITHOUT') WHERE name = 'series'");
    run_sql("UPDATE series SET y = 'text'");
    run_sql("PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, "
            "'WITHOUT', 'STRICT, WITHOUT') WHERE name = 'series'");
    assert_string_equal(said(&err), " is damaged: table series, row 0: an array is missing");
}

static void tables_that_mean_nothing_are_refused(void **state)
{
    (void)state;
    weft_error err;
    make_file();
    run_sql("PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'CREATE' WHERE name = "
            "'links'");
    assert_string_equal(said(&err), ": cannot read its tables: it is damaged, or the disk has an "
                                    "I/O error; a copy of it replaces it, --new starts it anew");
}

/* What a reader would not give back as it was written looked like damage. */
static void labels_are_read_as_they_are_written(void **state)
{
    (void)state;
    static const char *const labels[] = {"two\nlines", "\033[31m", "\xff", "cut \xc3"};
    weft_result *result;
    weft_error err;
    assert_int_equal(weft_result_create(file, "a test", "s", true, &result, &err), WEFT_OK);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        const weft_metric metric = {
            .name = labels[i], .of = "", .by = "", .unit = "", .method = ""};
        const weft_link_row link = {.name = labels[i]};
        weft_point point = {.key = "k", .settings = "", .verdict = "exact"};
        point.metrics = &metric;
        point.n_metrics = 1;
        assert_int_equal(weft_result_commit(result, &point, &err), WEFT_BAD_INPUT);
        assert_string_equal(err.text + strlen(file),
                            ": a label of this point has control characters or is not UTF-8");
        point.n_metrics = 0;
        point.links = &link;
        point.n_links = 1;
        assert_int_equal(weft_result_commit(result, &point, &err), WEFT_BAD_INPUT);
    }
    const weft_array array = {.table = "histogramm", .name = "", .of = "", .unit = ""};
    const weft_point odd = {
        .key = "k", .settings = "", .verdict = "exact", .arrays = &array, .n_arrays = 1};
    assert_int_equal(weft_result_commit(result, &odd, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text + strlen(file),
                        ": arrays are a histogram, a series or a matrix, found 'histogramm'");
    /* the verdict of a point that failed is an error, which may be cut */
    const weft_point failed = {.key = "k", .settings = "", .verdict = "failed: two\nlines \xc3"};
    assert_int_equal(weft_result_commit(result, &failed, &err), WEFT_OK);
    weft_result_close(result);
    const weft_point *read;
    assert_int_equal(weft_result_open(file, &result, &err), WEFT_OK);
    assert_int_equal(weft_result_points(result), 1);
    assert_int_equal(weft_result_read(result, 0, &read, &err), WEFT_OK);
    assert_string_equal(read->verdict, "failed: two lines ?");
    weft_result_close(result);
}

/* A program may change its folder while it writes. */
static void the_lock_is_found_again(void **state)
{
    (void)state;
    weft_result *result;
    weft_error err;
    char lock[72], *before = getcwd(NULL, 0);
    assert_non_null(before);
    (void)snprintf(lock, sizeof lock, "%s.lock", file);
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(weft_result_create("r.weft", "a test", "s", true, &result, &err), WEFT_OK);
    assert_int_equal(access(lock, F_OK), 0);
    assert_int_equal(chdir(before), 0);
    weft_result_close(result);
    assert_int_not_equal(access(lock, F_OK), 0);
    free(before);
}

/* One file is written by one process, by whatever name. */
static void a_link_to_results_is_the_results(void **state)
{
    (void)state;
    weft_result *result, *second;
    weft_error err;
    char link_name[72], other[72], there[72];
    (void)snprintf(link_name, sizeof link_name, "%s/link.weft", folder);
    (void)snprintf(other, sizeof other, "%s/other.weft", folder);
    (void)snprintf(there, sizeof there, "%s/there", folder);
    assert_int_equal(symlink("there", link_name), 0); /* leads nowhere yet */
    assert_int_equal(symlink(link_name, other), 0);
    assert_int_equal(weft_result_create(other, "a test", "s", true, &result, &err), WEFT_OK);
    assert_string_equal(weft_result_path(result), other);
    assert_int_equal(access(there, F_OK), 0);
    const char *const names[] = {there, link_name, other};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(weft_result_create(names[i], "a test", "s", false, &second, &err),
                         WEFT_BAD_INPUT);
        assert_non_null(strstr(err.text, "/there is being written by process"));
    }
    weft_result_close(result);
    /* begun anew, the link stays */
    assert_int_equal(weft_result_create(link_name, "a test", "s2", true, &result, &err), WEFT_OK);
    weft_result_close(result);
    assert_int_equal(weft_result_open(there, &result, &err), WEFT_OK);
    weft_result_close(result);
    assert_int_equal(unlink(other), 0);
    assert_int_equal(link(there, other), 0);
    assert_int_equal(weft_result_create(other, "a test", "s2", false, &result, &err),
                     WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "/other.weft has 2 names (hard links), under each of which"));
    assert_int_equal(unlink(there), 0);
    assert_int_equal(unlink(link_name), 0);
    assert_int_equal(weft_result_create(other, "a test", "s2", false, &result, &err), WEFT_OK);
    weft_result_close(result);
    /* a circle of links */
    assert_int_equal(unlink(other), 0);
    assert_int_equal(symlink("link.weft", other), 0);
    assert_int_equal(symlink("other.weft", link_name), 0);
    assert_int_equal(weft_result_create(other, "a test", "s", false, &result, &err),
                     WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "Too many levels of symbolic links"));
    assert_int_equal(unlink(other), 0);
    assert_int_equal(unlink(link_name), 0);
}

#define HERE(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HERE(rows_that_lie_there_often_do_not_fill_the_memory),
        HERE(values_have_the_type_of_their_column),
        HERE(tables_that_mean_nothing_are_refused),
        HERE(labels_are_read_as_they_are_written),
        HERE(the_lock_is_found_again),
        HERE(a_link_to_results_is_the_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
