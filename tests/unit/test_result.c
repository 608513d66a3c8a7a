/* SPDX-License-Identifier: Apache-2.0 */
/* The results file: what is committed is there, whole, whatever happens to the writer or the file.
 * Over 600 lines because all tests share the fixtures that make and damage files. */
#include "interweft/result.h"
#include "base/digits.h"
#include "base/memory.h"
#include "base/text.h"
#include "result/store.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define SCENARIO "interweft: 1\ntitle: a test\n"

typedef struct place {
    char folder[64];
    char file[96], lock[104], journal[112];
} place;

static int make_place(void **state)
{
    place *p = calloc(1, sizeof *p);
    assert_non_null(p);
    strcpy(p->folder, "/tmp/test_result.XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    (void)snprintf(p->file, sizeof p->file, "%s/r.weft", p->folder);
    (void)snprintf(p->lock, sizeof p->lock, "%s.lock", p->file);
    (void)snprintf(p->journal, sizeof p->journal, "%s-journal", p->file);
    *state = p;
    return 0;
}

static int remove_place(void **state)
{
    place *p = *state;
    (void)unlink(p->file);
    (void)unlink(p->lock);
    (void)unlink(p->journal);
    int left = rmdir(p->folder);
    free(p);
    return left; /* nothing else may have been left behind */
}

static const int64_t edges[] = {0, 1, 2, INT64_MAX}, counts[] = {5, 0, INT64_MIN, -1};

static const weft_metric two_metrics[] = {
    {"latency", "", "hops", 5, 126.25, 125.5, 127.0, 1000, "cycles", "batch means"},
    {"accepted", "", "", 0, 0.1, (double)NAN, (double)NAN, 7, "fraction", "exact"},
};
static const weft_array two_arrays[] = {
    {"series", "delivered", "", "cycles", 2, edges, counts, 0},
    {"histogram", "latency", "", "cycles", 4, edges, counts, 0},
};
static const weft_link_row two_links[] = {{"(0,1)+x", 4, 10, 20}, {"(0,0)+x", 0, 11, 20}};

static weft_point sample(const char *key)
{
    return (weft_point){.key = key,
                        .settings = "seed: 1\n",
                        .verdict = "converged",
                        .n_metrics = 2,
                        .n_arrays = 2,
                        .n_links = 2,
                        .metrics = two_metrics,
                        .arrays = two_arrays,
                        .links = two_links,
                        .wall_seconds = 1.5,
                        .peak_bytes = 4096};
}

static weft_result *created(const place *p, const char *scenario, bool fresh)
{
    weft_result *result;
    weft_error err;
    if (weft_result_create(p->file, "a test", scenario, fresh, &result, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    return result;
}

static weft_result *opened(const place *p)
{
    weft_result *result;
    weft_error err;
    if (weft_result_open(p->file, &result, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    return result;
}

static void commit(weft_result *result, const char *key)
{
    weft_point point = sample(key);
    weft_error err;
    if (weft_result_commit(result, &point, &err) != WEFT_OK)
        fail_msg("%s", err.text);
}

static weft_status into_text(void *to, const char *bytes, size_t count, weft_error *err)
{
    (void)err;
    weft_text_append(to, bytes, count);
    return WEFT_OK;
}

static char *exported(weft_result *result, weft_format format)
{
    weft_text text = {0};
    weft_error err;
    assert_int_equal(weft_result_export(result, format, into_text, &text, &err), WEFT_OK);
    return weft_text_take(&text);
}

static void check_sample(const weft_point *point)
{
    assert_int_equal(point->n_metrics, 2);
    assert_int_equal(point->n_arrays, 2);
    assert_int_equal(point->n_links, 2);
    const weft_metric *latency = weft_point_metric(point, "latency", "", "hops", 5);
    assert_non_null(latency);
    assert_true(latency->value == 126.25 && latency->lo == 125.5 && latency->hi == 127.0);
    assert_int_equal(latency->n, 1000);
    assert_string_equal(latency->unit, "cycles");
    const weft_metric *accepted = weft_point_metric(point, "accepted", "", "", 0);
    assert_true(accepted->value == 0.1 && isnan(accepted->lo) && isnan(accepted->hi));
    assert_null(weft_point_metric(point, "latency", "", "hops", 6));
    assert_string_equal(point->arrays[0].table, "histogram");
    assert_int_equal(point->arrays[0].count, 4);
    assert_memory_equal(point->arrays[0].x, edges, sizeof edges);
    assert_memory_equal(point->arrays[0].y, counts, sizeof counts);
    assert_string_equal(point->arrays[1].table, "series");
    assert_string_equal(point->links[0].name, "(0,0)+x");
    assert_int_equal(point->links[1].busy, 10);
    assert_true(point->wall_seconds == 1.5);
    assert_int_equal(point->peak_bytes, 4096);
}

static void point_comes_back_as_written(void **state)
{
    weft_result *result = created(*state, SCENARIO, false);
    commit(result, "rho=0.10");
    commit(result, "rho=0.9");
    commit(result, "rho=0.05");
    const weft_point *point;
    assert_int_equal(weft_result_read(result, 0, &point, NULL), WEFT_OK); /* the writer may read */
    check_sample(point);
    weft_result_close(result);
    result = opened(*state);
    assert_string_equal(weft_result_title(result), "a test");
    assert_int_equal(weft_result_points(result), 3);
    static const char *const keys[] = {"rho=0.05", "rho=0.10", "rho=0.9"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(weft_result_read(result, i, &point, NULL), WEFT_OK);
        assert_string_equal(point->key, keys[i]);
        assert_string_equal(point->settings, "seed: 1\n");
        assert_string_equal(point->verdict, "converged");
        assert_false(point->saturated);
        check_sample(point);
    }
    weft_result_close(result);
}

static void resumed_file_keeps_its_points(void **state)
{
    weft_result *result = created(*state, SCENARIO, false);
    commit(result, "a=1");
    weft_result_close(result);
    result = created(*state, SCENARIO, false);
    assert_true(weft_result_has(result, "a=1"));
    assert_false(weft_result_has(result, "a=2"));
    weft_point again = sample("a=1");
    weft_error err;
    assert_int_equal(weft_result_commit(result, &again, &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "holds the point 'a=1' already"));
    commit(result, "a=2");
    assert_int_equal(weft_result_points(result), 2);
    weft_result_close(result);
}

static void other_scenario_is_refused_unless_new(void **state)
{
    const place *p = *state;
    weft_result *result = created(p, SCENARIO, false);
    commit(result, "a=1");
    weft_result_close(result);
    weft_error err;
    assert_int_equal(weft_result_create(p->file, "t", "other", false, &result, &err),
                     WEFT_BAD_INPUT);
    assert_null(result);
    assert_non_null(strstr(err.text, "holds the results of another scenario; another name keeps "
                                     "both, --new starts it anew"));
    assert_int_equal(access(p->lock, F_OK), -1);
    result = created(p, "other", true);
    assert_int_equal(weft_result_points(result), 0);
    weft_result_close(result);
}

static void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *length = fread(bytes, 1, 1 << 20, file);
    assert_true(*length < 1 << 20);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

static void foreign_file_is_never_touched(void **state)
{
    const place *p = *state;
    weft_result *result;
    weft_error err;
    write_file(p->file, "precious", 8);
    for (int fresh = 0; fresh < 2; fresh++) {
        assert_int_equal(weft_result_create(p->file, "t", SCENARIO, fresh, &result, &err),
                         WEFT_BAD_INPUT);
        assert_non_null(strstr(err.text, "is not a results file of Interweft"));
    }
    assert_int_equal(weft_result_open(p->file, &result, &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "is not a results file of Interweft"));
    size_t length;
    char *bytes = read_file(p->file, &length);
    assert_int_equal(length, 8);
    assert_memory_equal(bytes, "precious", 8);
    free(bytes);
    assert_int_equal(unlink(p->file), 0);
    assert_int_equal(weft_result_open(p->file, &result, &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "there is no results file"));
    assert_int_equal(weft_result_open(p->folder, &result, &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "is not a file"));
}

static void newer_format_is_named(void **state)
{
    const place *p = *state;
    weft_result_close(created(p, SCENARIO, false));
    size_t length;
    char *bytes = read_file(p->file, &length);
    bytes[63] = 2; /* user_version, big-endian at 60 */
    write_file(p->file, bytes, length);
    free(bytes);
    weft_result *result;
    weft_error err;
    assert_int_equal(weft_result_open(p->file, &result, &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "has results format 2; this version of Interweft reads format "
                                     "1"));
}

static void living_lock_is_refused(void **state)
{
    const place *p = *state;
    weft_result *result = created(p, SCENARIO, false), *second;
    weft_error err;
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "is being written by process %d on host ", (int)getpid());
    assert_int_equal(weft_result_create(p->file, "t", SCENARIO, false, &second, &err),
                     WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, wanted));
    weft_result_close(result);
    write_file(p->lock, "elsewhere.example 17 5\n", 23);
    assert_int_equal(weft_result_create(p->file, "t", SCENARIO, false, &second, &err),
                     WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "is being written by process 17 on host elsewhere.example"));
    write_file(p->lock, "nonsense", 8);
    assert_int_equal(weft_result_create(p->file, "t", SCENARIO, false, &second, &err),
                     WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "does not say by whom"));
}

static void stale_lock_is_taken_over(void **state)
{
    const place *p = *state;
    char host[256] = "", text[320];
    assert_int_equal(gethostname(host, sizeof host - 1), 0);
    /* Our own pid, but started at another time: the process that wrote this is gone. */
    int length = snprintf(text, sizeof text, "%s %d 1\n", host, (int)getpid());
    write_file(p->lock, text, (size_t)length);
    weft_result_close(created(p, SCENARIO, false));
    assert_int_equal(access(p->lock, F_OK), -1);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    length = snprintf(text, sizeof text, "%s %d 1\n", host, (int)child);
    write_file(p->lock, text, (size_t)length);
    weft_result_close(created(p, SCENARIO, false));
    /* Nobody has written into it for some seconds: its maker was killed. It is waited for. */
    const struct timespec then[2] = {{.tv_sec = time(NULL) - 8}, {.tv_sec = time(NULL) - 8}};
    write_file(p->lock, "", 0);
    assert_int_equal(utimensat(AT_FDCWD, p->lock, then, 0), 0);
    weft_result_close(created(p, SCENARIO, false));
}

/* The child commits points 0, 1, … and tells after each; the parent kills it somewhere. */
static void commit_for_ever(const place *p, int tell)
{
    weft_result *result;
    if (weft_result_create(p->file, "a test", SCENARIO, false, &result, NULL) != WEFT_OK)
        _exit(1);
    for (int i = (int)weft_result_points(result);; i++) {
        char key[32];
        (void)snprintf(key, sizeof key, "i=%d", i);
        weft_point point = sample(key);
        if (weft_result_commit(result, &point, NULL) != WEFT_OK ||
            write(tell, &i, sizeof i) != sizeof i)
            _exit(1);
    }
}

static int last_told(int fd)
{
    int last = -1, i;
    while (read(fd, &i, sizeof i) == sizeof i)
        last = i;
    return last;
}

static void check_all(weft_result *result, int told)
{
    size_t points = weft_result_points(result);
    assert_true((int)points >= told + 1);
    for (size_t i = 0; i < points; i++) {
        const weft_point *point;
        assert_int_equal(weft_result_read(result, i, &point, NULL), WEFT_OK);
        check_sample(point);
    }
}

static void killed_writer_loses_nothing(void **state)
{
    const place *p = *state;
    int told = -1, journals = 0;
    srand(1);
    for (int round = 0; round < 20; round++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            (void)close(ends[0]);
            commit_for_ever(p, ends[1]);
        }
        (void)close(ends[1]);
        int first;
        assert_int_equal(read(ends[0], &first, sizeof first), sizeof first);
        (void)nanosleep(&(struct timespec){.tv_nsec = rand() % 20000000}, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        int last = last_told(ends[0]);
        told = last >= 0 ? last : first;
        (void)close(ends[0]);
        journals += access(p->journal, F_OK) == 0;
        weft_result *reader = opened(p); /* with the journal of the killed one still there */
        check_all(reader, told);
        weft_result_close(reader);
    }
    weft_result *writer = created(p, SCENARIO, false);
    check_all(writer, told);
    weft_result_close(writer);
    print_message("%d points, %d of 20 kills left a journal\n", told + 1, journals);
}

static void reader_sees_whole_points_while_written(void **state)
{
    const place *p = *state;
    int ends[2], first;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        commit_for_ever(p, ends[1]);
    }
    (void)close(ends[1]);
    assert_int_equal(read(ends[0], &first, sizeof first), sizeof first);
    int good = 0;
    for (int i = 0; i < 4; i++) {
        weft_result *reader;
        weft_error err;
        if (weft_result_open(p->file, &reader, &err) != WEFT_OK) {
            if (!strstr(err.text, "being written"))
                fail_msg("%s", err.text);
            continue;
        }
        const weft_point *point;
        if (weft_result_read(reader, 0, &point, &err) == WEFT_OK) {
            check_sample(point);
            good++;
        } else {
            assert_non_null(strstr(err.text, "being written"));
        }
        weft_result_close(reader);
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    (void)close(ends[0]);
    print_message("%d of 4 readings succeeded beside a writer that never rests\n", good);
}

static void fill_disk(const place *p)
{
    struct rlimit limit = {.rlim_cur = 96 * 1024, .rlim_max = 96 * 1024};
    (void)signal(SIGXFSZ, SIG_IGN);
    weft_result *result;
    weft_error err = {""};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 ||
        weft_result_create(p->file, "a test", SCENARIO, false, &result, &err) != WEFT_OK)
        _exit(1);
    int i = 0;
    for (weft_status status = WEFT_OK; status == WEFT_OK && i < 1000; i++) {
        char key[32];
        (void)snprintf(key, sizeof key, "i=%d", i);
        weft_point point = sample(key);
        status = weft_result_commit(result, &point, &err);
    }
    bool said = strstr(err.text, "cannot write") &&
                (strstr(err.text, strerror(EFBIG)) || strstr(err.text, "full"));
    if (!said)
        (void)fprintf(stderr, "%s\n", err.text);
    weft_result_close(result);
    _exit(said && i > 3 && i < 1000 ? 0 : 2);
}

static void full_disk_is_said_and_points_stay(void **state)
{
    const place *p = *state;
    pid_t child = fork();
    if (child == 0)
        fill_disk(p);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    weft_result *result = created(p, SCENARIO, false);
    assert_true(weft_result_points(result) > 2);
    check_all(result, 1);
    commit(result, "after=1");
    weft_result_close(result);
}

static weft_status nowhere(void *to, const char *bytes, size_t count, weft_error *err)
{
    (void)bytes, (void)err;
    *(size_t *)to += count;
    return WEFT_OK;
}

/* Reads whatever can be read. */
static bool survives(const char *path)
{
    weft_result *result;
    weft_error err;
    size_t bytes = 0;
    if (weft_result_open(path, &result, &err) != WEFT_OK) {
        assert_true(strlen(err.text) > 0);
        return false;
    }
    bool good = true;
    for (int format = WEFT_FORMAT_CANONICAL; format <= WEFT_FORMAT_JSON; format++)
        good = weft_result_export(result, (weft_format)format, nowhere, &bytes, &err) == WEFT_OK &&
               good;
    weft_result_close(result);
    return good;
}

static void damaged_file_never_crashes(void **state)
{
    const place *p = *state;
    weft_result *result = created(p, SCENARIO, false);
    commit(result, "a=1");
    commit(result, "a=2");
    weft_result_close(result);
    size_t length;
    char *bytes = read_file(p->file, &length), *bad = malloc(length);
    assert_non_null(bad);
    srand(2);
    int read_well = 0;
    for (int variant = 0; variant < 500; variant++) {
        memcpy(bad, bytes, length);
        for (int flips = 1 + rand() % 8; flips > 0; flips--) {
            size_t at = (size_t)rand() % length;
            while (at >= 100 && bytes[at] == 0 && rand() % 8) /* rather where something stands */
                at = (size_t)rand() % length;
            bad[at] = (char)rand();
        }
        write_file(p->file, bad, variant % 10 ? length : (size_t)rand() % length);
        read_well += survives(p->file);
    }
    free(bad);
    free(bytes);
    print_message("%d of 500 damaged files could still be read\n", read_well);
}

static void canonical_bytes_are_pinned(void **state)
{
    weft_result *result = created(*state, SCENARIO, false);
    commit(result, "a=10");
    weft_point bare = {
        .key = "a=9 t=\"x\ty\"", .settings = "", .verdict = "saturated", .saturated = true};
    assert_int_equal(weft_result_commit(result, &bare, NULL), WEFT_OK);
    char *text = exported(result, WEFT_FORMAT_CANONICAL);
    weft_result_close(result);
    assert_string_equal(
        text,
        "interweft results 1\n"
        "\"a=10\" histogram \"latency\" \"\" 0 5 \"cycles\"\n"
        "\"a=10\" histogram \"latency\" \"\" 2 -9223372036854775808 \"cycles\"\n"
        "\"a=10\" histogram \"latency\" \"\" 9223372036854775807 -1 \"cycles\"\n"
        "\"a=10\" links 0 \"(0,0)+x\" 11 20\n"
        "\"a=10\" links 4 \"(0,1)+x\" 10 20\n"
        "\"a=10\" metric \"accepted\" \"\" \"\" 0 0.10000000000000001 nan nan 7 \"fraction\" "
        "\"exact\"\n"
        "\"a=10\" metric \"latency\" \"\" \"hops\" 5 126.25 125.5 127 1000 \"cycles\" \"batch "
        "means\"\n"
        "\"a=10\" point \"converged\" 0 \"seed: 1\\n\"\n"
        "\"a=10\" series \"delivered\" \"\" 0 5 \"cycles\"\n"
        "\"a=10\" series \"delivered\" \"\" 1 0 \"cycles\"\n"
        "\"a=9 t=\\\"x\\ty\\\"\" point \"saturated\" 1 \"\"\n");
    free(text);
}

static void csv_has_vary_columns_and_no_formulas(void **state)
{
    weft_result *result = created(*state, SCENARIO, false);
    static const weft_metric odd = {"=cmd()", "", "", 0, -1.5, -2, -1, 3, "a,\"b\"", "exact"};
    weft_point point = {.key = "m={kind: torus, dims: [4, 4]} x=-5",
                        .settings = "",
                        .verdict = "@x",
                        .n_metrics = 1,
                        .metrics = &odd};
    assert_int_equal(weft_result_commit(result, &point, NULL), WEFT_OK);
    point.key = "s=-evil x=2";
    assert_int_equal(weft_result_commit(result, &point, NULL), WEFT_OK);
    char *text = exported(result, WEFT_FORMAT_CSV);
    weft_result_close(result);
    assert_string_equal(text,
                        "m,x,s,name,class,by,index,value,lo,hi,n,unit,method,verdict,saturated\n"
                        "\"{kind: torus, dims: [4, 4]}\",-5,,'=cmd(),,,0,-1.5,-2,-1,3,"
                        "\"a,\"\"b\"\"\",exact,'@x,0\n"
                        ",2,'-evil,'=cmd(),,,0,-1.5,-2,-1,3,\"a,\"\"b\"\"\",exact,'@x,0\n");
    free(text);
}

static void json_is_complete(void **state)
{
    weft_result *result = created(*state, SCENARIO, false);
    weft_point point = sample("a=0.5 b=\xff\"x\"");
    assert_int_equal(weft_result_commit(result, &point, NULL), WEFT_OK);
    char *text = exported(result, WEFT_FORMAT_JSON);
    weft_result_close(result);
    assert_non_null(strstr(text, "\"vary\": {\"a\": 0.5, \"b\": \"\\ufffd\\\"x\\\"\"}, "));
    assert_non_null(strstr(text, "\"value\": 0.1, \"lo\": null, \"hi\": null, \"n\": 7, "));
    assert_non_null(strstr(text, "\"bins\": [[0, 5], [2, -9223372036854775808], "
                                 "[9223372036854775807, -1]]}"));
    assert_non_null(strstr(text, "\"name\": \"(0,1)+x\", \"busy\": 10, \"span\": 20}"));
    free(text);
}

static weft_status refuse_bytes(void *to, const char *bytes, size_t count, weft_error *err)
{
    (void)to, (void)bytes, (void)count;
    return weft_fail(err, WEFT_BAD_INPUT, "no room");
}

static void failing_sink_stops_the_export(void **state)
{
    weft_result *result = created(*state, SCENARIO, false);
    commit(result, "a=1");
    weft_error err;
    assert_int_equal(weft_result_export(result, WEFT_FORMAT_JSON, refuse_bytes, NULL, &err),
                     WEFT_BAD_INPUT);
    assert_string_equal(err.text, "no room");
    weft_result_close(result);
}

static void journal_that_names_another_is_refused(void **state)
{
    const place *p = *state;
    weft_result_close(created(p, SCENARIO, false));
    char journal[1024] = {0};
    memcpy(journal + sizeof journal - 8, "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
    write_file(p->journal, journal, sizeof journal);
    weft_result *result;
    weft_error err;
    assert_int_equal(weft_result_open(p->file, &result, &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "is not a journal that Interweft wrote"));
    assert_int_equal(weft_result_create(p->file, "t", SCENARIO, false, &result, &err),
                     WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "is not a journal that Interweft wrote"));
}

/* A writer may begin between the look at the journal and this: what reads the file comes later,
 * where it is tried again. */
static void connecting_to_read_reads_nothing(void **state)
{
    const place *p = *state;
    weft_result_close(created(p, SCENARIO, false));
    char hot[512] = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
    write_file(p->journal, hot, sizeof hot);
    weft_result *result = weft_alloc(sizeof *result);
    weft_error err;
    result->path = weft_text_copy(p->file);
    assert_int_equal(weft_store_connect(result, p->file, SQLITE_OPEN_READONLY, &err), WEFT_OK);
    assert_int_equal(weft_store_run(result, "SELECT 1 FROM sqlite_schema", &err), WEFT_BAD_INPUT);
    weft_result_close(result);
}

static void numbers_read_back(void **state)
{
    (void)state;
    char text[WEFT_DIGITS_TEXT];
    assert_string_equal(weft_digits_exact(text, 0.1), "0.10000000000000001");
    assert_string_equal(weft_digits_short(text, 0.1), "0.1");
    assert_string_equal(weft_digits_short(text, 1.0 / 3), "0.3333333333333333");
    assert_string_equal(weft_digits_exact(text, (double)NAN), "nan");
    assert_string_equal(weft_digits_exact(text, -(double)INFINITY), "-inf");
    assert_string_equal(weft_digits_exact(text, 1e6), "1000000");
}

#define HERE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HERE(point_comes_back_as_written),
        HERE(resumed_file_keeps_its_points),
        HERE(other_scenario_is_refused_unless_new),
        HERE(foreign_file_is_never_touched),
        HERE(newer_format_is_named),
        HERE(living_lock_is_refused),
        HERE(stale_lock_is_taken_over),
        HERE(killed_writer_loses_nothing),
        HERE(reader_sees_whole_points_while_written),
        HERE(full_disk_is_said_and_points_stay),
        HERE(damaged_file_never_crashes),
        HERE(canonical_bytes_are_pinned),
        HERE(csv_has_vary_columns_and_no_formulas),
        HERE(json_is_complete),
        HERE(failing_sink_stops_the_export),
        HERE(journal_that_names_another_is_refused),
        HERE(connecting_to_read_reads_nothing),
        cmocka_unit_test(numbers_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
