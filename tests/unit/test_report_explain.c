/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines of jobs come from files: what is out of its range is not taken, the rest is told and
 * drawn. */
#include "report/explain/explain.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define NONE  ((double)NAN)
#define TIMES "ticks of 500 ps"

enum { OPERATIONS, PATH, WAITS, STATES, ENDS, ARRAYS };
enum { COMPLETION, BIN, LINK0, LINK1, METRICS = 9 };

typedef struct bench {
    int64_t operations[2][10], path[5][8], waits[5][2], states[4][2], ends[2];
    weft_array arrays[ARRAYS];
    weft_metric metrics[METRICS];
    weft_link_row links[3];
    weft_point point;
} bench;

/* A job j of two ranks, with everything that can be recorded; a tick is half a nanosecond. */
static void fill(bench *b)
{
    *b = (bench){
        .operations = {{0, 0, 0, 0, 0, 100, -1, 0, -1, -1},
                       {1, 0, 2, 0, 150, 160, 0, 64, 100, 150}},
        .path = {{WEFT_EXPLAIN_COMPUTE, 0, 0, 0, 100, 0, 0, -1},
                 {WEFT_EXPLAIN_OVERHEAD, 0, 1, 100, 110, 0, 0, -1},
                 {WEFT_EXPLAIN_INJECTION, 0, 1, 110, 120, 0, 0, -1},
                 {WEFT_EXPLAIN_NETWORK, 0, 1, 120, 180, 1, 0, 60},
                 {WEFT_EXPLAIN_NETWORK, 0, 1, 180, 400, 1, 64, 20}},
        .waits = {{-1, 0}, {-1, 0}, {-1, 0}, {-1, 0}, {1, 150}},
        .states = {{50, 0}, {0, 10}, {0, 20}, {5, 0}},
        .ends = {300, 400},
        .metrics = {{"completion", "j", "", 0, 200, NONE, NONE, 2, "ns", "exact"},
                    {"timeline bin", "j", "", 0, 100, NONE, NONE, 0, "ns", "setting"},
                    {"path wait", "j", "r0:p1", 0, 90, NONE, NONE, 1, "ns", "exact"},
                    {"path wait", "j", "r0:p2", 1, 75, NONE, NONE, 1, "ns", "exact"},
                    {"critical path", "j", "compute", 0, 50, NONE, NONE, 1, "ns", "exact"},
                    {"critical path", "j", "network", 0, 40, NONE, NONE, 2, "ns", "exact"},
                    {"critical path", "j", "waiting", 0, 100, NONE, NONE, 2, "ns", "exact"},
                    {"time share", "j", "compute", 0, 0.25, NONE, NONE, 0, "fraction", "exact"},
                    {"time share", "j", "messages", 0, 0.125, NONE, NONE, 0, "fraction", "exact"}},
        .links = {{"r0:p1", 1, 100, 500}, {"r0:p2", 2, 200, 500}, {"r0:p3", 3, 100, 500}}};
    b->arrays[OPERATIONS] =
        (weft_array){"matrix", "operations", "j", TIMES, 20, NULL, b->operations[0], 10};
    b->arrays[PATH] = (weft_array){"matrix", "critical path", "j", TIMES, 40, NULL, b->path[0], 8};
    b->arrays[WAITS] = (weft_array){"matrix", "path waits", "j", TIMES, 10, NULL, b->waits[0], 2};
    b->arrays[STATES] = (weft_array){"matrix", "rank states", "j", TIMES, 8, NULL, b->states[0], 2};
    b->arrays[ENDS] = (weft_array){"matrix", "rank end", "j", TIMES, 2, NULL, b->ends, 1};
    b->point = (weft_point){.key = "",
                            .settings = "\njobs: {j: 1}",
                            .verdict = "converged",
                            .n_metrics = METRICS,
                            .metrics = b->metrics,
                            .n_arrays = ARRAYS,
                            .arrays = b->arrays,
                            .n_links = 3,
                            .links = b->links};
}

/* Which of its parts the job has: a letter for each. */
static const char *taken(const bench *b)
{
    static char letters[8];
    size_t count, at = 0;
    weft_arena arena;
    weft_arena_init(&arena);
    const weft_explain_job *job = weft_explain_jobs(&b->point, &arena, &count);
    assert_int_equal(count, 1);
    if (job->operations)
        letters[at++] = 'o';
    if (job->steps)
        letters[at++] = 'p';
    if (job->waits)
        letters[at++] = 'w';
    if (job->states)
        letters[at++] = 's';
    if (job->ends)
        letters[at++] = 'e';
    letters[at] = '\0';
    weft_arena_done(&arena);
    return letters;
}

static void what_is_out_of_range_is_not_taken(void **state)
{
    bench *b = *state;
    fill(b);
    assert_string_equal(taken(b), "opwse");
    const struct {
        int64_t *word, value;
        const char *left;
    } words[] = {
        {&b->operations[1][0], 2, "pwse"},
        {&b->operations[1][0], -1, "pwse"},
        {&b->operations[1][2], 3, "pwse"},
        {&b->operations[1][2], -1, "pwse"},
        {&b->operations[1][6], 2, "pwse"},
        {&b->operations[1][6], -2, "pwse"},
        {&b->operations[1][4], 161, "pwse"},
        {&b->path[4][0], WEFT_EXPLAIN_WAITING, "ose"},
        {&b->path[4][0], -1, "ose"},
        {&b->path[4][1], 2, "ose"},
        {&b->path[4][5], 2, "ose"},
        {&b->path[4][3], 401, "ose"},
        {&b->path[4][3], INT64_MIN, "ose"},
        {&b->waits[4][0], 2, "opse"},
        {&b->waits[4][0], -2, "opse"},
        {&b->metrics[COMPLETION].n, 3, "opw"},
        {&b->metrics[COMPLETION].n, 0, ""},
        {&b->metrics[COMPLETION].n, INT64_MAX, ""},
        {&b->metrics[LINK1].index, 2, "opse"},
        {&b->metrics[LINK0].index, 64, "opse"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        fill(b);
        *words[i].word = words[i].value;
        assert_string_equal(taken(b), words[i].left);
    }
    const struct {
        size_t array, columns, count;
        const char *left;
    } shapes[] = {{OPERATIONS, 9, 18, "pwse"}, {OPERATIONS, 10, 0, "pwse"}, {PATH, 7, 35, "ose"},
                  {PATH, 8, 32, "opse"},       {WAITS, 1, 5, "opse"},       {STATES, 0, 8, "opwe"},
                  {STATES, 1, 8, "opwe"},      {ENDS, 1, 1, "opws"}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        fill(b);
        b->arrays[shapes[i].array].columns = shapes[i].columns;
        b->arrays[shapes[i].array].count = shapes[i].count;
        assert_string_equal(taken(b), shapes[i].left);
    }
    fill(b);
    b->metrics[BIN].name = "other";
    assert_string_equal(taken(b), "opwe");
}

static void ticks_have_the_size_their_unit_says(void **state)
{
    static const struct {
        const char *unit;
        double tick;
    } units[] = {{"ticks of 40 ps", 0.04},
                 {"ticks of 1/4 cycle", 0.25},
                 {"ns", 1},
                 {"ticks of 1/0 cycle", 1},
                 {"ticks of x", 1},
                 {"ticks of -3 ps", 1}};
    bench *b = *state;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t count;
        weft_arena arena;
        weft_arena_init(&arena);
        fill(b);
        b->arrays[STATES].unit = units[i].unit;
        assert_true(fabs(weft_explain_jobs(&b->point, &arena, &count)->tick - units[i].tick) <
                    1e-12);
        weft_arena_done(&arena);
    }
}

static weft_result *made(const weft_point *points, size_t count)
{
    weft_result *result;
    weft_error err;
    if (weft_result_create(WEFT_IN_MEMORY, "Two ranks", "s", true, &result, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < count; i++)
        if (weft_result_commit(result, &points[i], &err) != WEFT_OK)
            fail_msg("%s", err.text);
    return result;
}

/* What is printed of points; NULL: refused, with err. */
static char *told(const weft_point *points, size_t count, weft_error *err)
{
    weft_result *result = made(points, count);
    FILE *out = tmpfile();
    assert_non_null(out);
    weft_status status = weft_explain_print(result, 3, out, err);
    size_t length = (size_t)ftell(out);
    char *text = calloc(1, length + 1);
    assert_non_null(text);
    rewind(out);
    assert_int_equal(fread(text, 1, length, out), length);
    (void)fclose(out);
    assert_int_equal(weft_explain_has_jobs(result), count > 0 && strstr(points->settings, "jobs"));
    weft_result_close(result);
    if (status == WEFT_OK)
        return text;
    free(text);
    return NULL;
}

static void path_is_told(void **state)
{
    bench *b = *state;
    weft_error err;
    fill(b);
    b->links[1].busy = 450; /* longer than the job: there was other traffic */
    char *text = told(&b->point, 1, &err);
    assert_non_null(text);
    assert_string_equal(
        text,
        "Two ranks\n\n"
        "job j: 2 ranks, 200 ns\n\n"
        "  critical path                          ns       %    steps\n"
        "  compute                                50    25.0        1\n"
        "  overhead of messages                    0     0.0        0\n"
        "  injection behind others                 0     0.0        0\n"
        "  network at zero load                   40    20.0        2\n"
        "  waiting in the network                100    50.0\n\n"
        "  messages of this path that waited longest, in ns\n"
        "    from     to      bytes      sent at       took  zero load     waited longest at\n"
        "       0      1         64           90        110         10        100         75 at "
        "2\n\n"
        "  links at which packets of the messages of this path waited longest\n"
        "                 ns  messages\n"
        "   1             90         1  r0:p1\n"
        "   2             75         1  r0:p2\n\n"
        "  the last 3 of 5 steps\n"
        "            at         took  what, in ns\n"
        "            55            5  rank 0 sends earlier bytes\n"
        "            60           30  request or answer from rank 0 to rank 1\n"
        "            90          110  message of 64 B from rank 0 to rank 1\n\n"
        "  the mean rank computes for 25.0 % of this time, handles messages for 12.5 %\n\n"
        "busiest links, of the whole run\n"
        "  r0:p2                                     90.0 %\n"
        "  r0:p1                                     20.0 %\n"
        "  r0:p3                                     20.0 %\n");
    free(text);
}

/* Of seven messages that waited five are listed, the longest first and the earlier of equals. */
static void the_longest_waits_are_listed(void **state)
{
    enum { MESSAGES = 7 };
    static const int64_t waits[MESSAGES] = {10, 30, 20, 50, 20, 40, 20};
    bench *b = *state;
    int64_t path[MESSAGES][8];
    weft_error err;
    fill(b);
    for (int64_t i = 0; i < MESSAGES; i++) {
        const int64_t step[] = {WEFT_EXPLAIN_NETWORK,    0, i, 100 * i,
                                100 * i + 10 + waits[i], 1, 8, 10};
        memcpy(path[i], step, sizeof step);
    }
    b->arrays[PATH].y = path[0];
    b->arrays[PATH].count = MESSAGES * 8;
    char *text = told(&b->point, 1, &err);
    assert_non_null(text);
    assert_non_null(strstr(
        text, "    from     to      bytes      sent at       took  zero load     waited\n"
              "       0      1          8          150         30          5         25\n"
              "       0      1          8          250         25          5         20\n"
              "       0      1          8           50         20          5         15\n"
              "       0      1          8          100         15          5         10\n"
              "       0      1          8          200         15          5         10\n\n"));
    free(text);
}

/* Of points that are told apart by what varies. */
static void what_is_missing_is_said(void **state)
{
    bench *b = *state;
    weft_error err;
    fill(b);
    weft_point points[] = {b->point, b->point, b->point};
    points[0].key = "jobs.j.size=1 KiB links.latency=20 ns router.arbiter={kind: round-robin}";
    points[1].key = "jobs.j.size=2 KiB links.latency=30 ns router.arbiter={kind: oldest-first}";
    points[1].n_metrics = 0;
    points[1].verdict = "limit time: job j has not ended";
    points[2].key = "jobs.j.size=4 KiB links.latency=30 ns router.arbiter={kind: oldest-first}";
    points[2].n_arrays = 0;
    points[2].n_metrics = 1;
    char *text = told(points, 3, &err);
    assert_non_null(text);
    assert_non_null(strstr(text, "\nsize 1 KiB, latency 20 ns, arbiter round-robin\n\njob j: 2 "));
    assert_non_null(strstr(text, "\nsize 2 KiB, latency 30 ns, arbiter oldest-first\n"
                                 "no job has completed: limit time: job j has not ended\n"));
    assert_non_null(strstr(text, "job j: 2 ranks, 200 ns\n\n  no critical path: record it with "
                                 "measure.timeline=operations, and a\n"));
    free(text);
    points[1].settings = "traffic: {}";
    assert_null(told(&points[1], 1, &err));
    assert_string_equal(err.text, ":memory: has no completed jobs: weft explain tells what "
                                  "decided their ends");
    weft_result *none = made(NULL, 0), *bare = made(&points[2], 1);
    assert_int_equal(weft_explain_draw(none, "no.svg", NULL, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, ":memory: has no points");
    assert_int_equal(weft_explain_draw(bare, "no.svg", NULL, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, ":memory: has no timeline of ranks: record it with "
                                  "measure.timeline=states or operations, in a run whose jobs end");
    weft_result_close(none);
    weft_result_close(bare);
}

/* A job of 0.4 ns has tics of tenths. */
static void short_times_have_tics(void **state)
{
    bench *b = *state;
    char path[] = "/tmp/test_report_explain.XXXXXX", text[65536] = "";
    weft_error err;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    fill(b);
    for (size_t i = 0; i < ARRAYS; i++)
        b->arrays[i].unit = "ticks of 1 ps";
    weft_result *result = made(&b->point, 1);
    if (weft_explain_draw(result, path, NULL, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    (void)fclose(file);
    static const char *const tics[] = {">0</text>", ">0.1</text>", ">0.2</text>", ">0.3</text>",
                                       ">0.4</text>"};
    for (size_t i = 0; i < sizeof tics / sizeof *tics; i++)
        assert_non_null(strstr(text, tics[i]));
    assert_null(strstr(text, ">0.05</text>"));
    assert_null(strstr(text, ">0.5</text>"));
    weft_result_close(result);
    (void)close(fd);
    (void)unlink(path);
}

/* Operations as boxes; without them the states of ranks; tics of any length of time. */
static void ranks_are_drawn(void **state)
{
    bench *b = *state;
    for (int64_t scale = 1; scale < 1000000000000; scale *= 37)
        for (int states = 0; states < 2; states++) {
            char path[] = "/tmp/test_report_explain.XXXXXX", text[65536] = "";
            weft_error err;
            int fd = mkstemp(path);
            assert_true(fd >= 0);
            fill(b);
            b->ends[1] *= scale;
            if (states)
                b->arrays[OPERATIONS].name = "none";
            weft_result *result = made(&b->point, 1);
            if (weft_explain_draw(result, path, NULL, &err) != WEFT_OK)
                fail_msg("%s", err.text);
            FILE *file = fopen(path, "rb");
            assert_non_null(file);
            assert_true(fread(text, 1, sizeof text - 1, file) > 0);
            (void)fclose(file);
            assert_non_null(strstr(text, "j: 2 ranks, 200 ns"));
            size_t boxes = 0;
            for (const char *at = text; (at = strstr(at, "<rect")) != NULL; at++)
                boxes++;
            assert_true(boxes > 2 && boxes < 40);
            weft_result_close(result);
            (void)close(fd);
            (void)unlink(path);
        }
}

static int make_bench(void **state)
{
    *state = calloc(1, sizeof(bench));
    return *state == NULL;
}

static int remove_bench(void **state)
{
    free(*state);
    return 0;
}

#define WITH(test) cmocka_unit_test_setup_teardown(test, make_bench, remove_bench)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(what_is_out_of_range_is_not_taken),
        WITH(ticks_have_the_size_their_unit_says),
        WITH(path_is_told),
        WITH(the_longest_waits_are_listed),
        WITH(what_is_missing_is_said),
        WITH(short_times_have_tics),
        WITH(ranks_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
