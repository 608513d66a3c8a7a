/* SPDX-License-Identifier: Apache-2.0 */
/* Programs on hosts alone: who waits for whom where one cannot end, messages that are matched as
 * they come, limits of costs and times, and what is told of a program and of collectives. */
#include "interweft/program.h"
#include "program/collective.h"
#include "program/files.h"
#include "unit/test_program.h"

static void read_goal(const char *text, weft_program *program)
{
    weft_format_options options = PROGRAM_OPTIONS;
    weft_error err = {.text = ""};
    if (program_read(&weft_format_goal, text, strlen(text), &options, program, &err) != WEFT_OK)
        fail_msg("%s", err.text);
}

/* Replays a text with these costs, which must be refused. */
static void replay_fails(const char *text, const weft_host_costs *costs, weft_status wanted,
                         const char *sentence)
{
    weft_program program;
    weft_error err = {.text = ""};
    read_goal(text, &program);
    uint64_t *finish = calloc(program.n_ranks, sizeof *finish);
    weft_status status = weft_replay(&program, costs, NULL, finish, &err);
    if (status != wanted || strcmp(err.text, sentence) != 0)
        fail_msg("wanted %s\nfound  %s", sentence, status == WEFT_OK ? "an end" : err.text);
    free(finish);
    weft_program_done(&program);
}

static const weft_host_costs plain = {.latency = 1000, .gap = 1, .per_byte = 1, .eager = 100};

static void who_waits_for_whom_is_told(void **state)
{
    weft_text text, told;
    (void)state;
    /* whoever may send: no circle is known */
    replay_fails("num_ranks 2\n"
                 "rank 0 {\na: recv 1b from -1 tag -1\nb: send 1b to 1\nb requires a\n}\n"
                 "rank 1 {\na: recv 1b from -1 tag 7\nb: send 1b to 0\nb requires a\n}\n",
                 &plain, WEFT_BROKEN,
                 "the program cannot end: 2 of 2 ranks wait, since tick 0\n"
                 "  rank 0 waits at recv 1 B from any rank with any tag (operation 1 of rank 0)");
    replay_fails("num_ranks 2\n"
                 "rank 0 {\nrecv 1b from 1 tag 5\nrecv 1b from -1 tag 6\n}\n"
                 "rank 1 {\nsend 1b to 0 tag 6\nsend 1b to 0 tag 7\n}\n",
                 &plain, WEFT_BROKEN,
                 "the program cannot end: 1 of 2 ranks wait, since tick 1001\n"
                 "  rank 0 waits at recv 1 B from rank 1 with tag 5 (operation 1 of rank 0)\n"
                 "  rank 1 has nothing left to do for it");
    /* a circle of 13, of which 12 are shown */
    weft_text_init(&text);
    weft_text_init(&told);
    weft_text_add(&text, "num_ranks 13\n");
    weft_text_add(&told, "the program cannot end: 13 of 13 ranks wait, since tick 0");
    for (int r = 0; r < 13; r++) {
        weft_text_add(&text, "rank %d {\na: recv 1b from %d\nb: send 1b to %d\nb requires a\n}\n",
                      r, (r + 1) % 13, (r + 12) % 13);
        if (r < 12)
            weft_text_add(&told,
                          "\n  rank %d waits at recv 1 B from rank %d with tag 0 (operation 1 of "
                          "rank %d)",
                          r, r + 1, r);
    }
    weft_text_add(&told, "\n  and so on");
    replay_fails(text.at, &plain, WEFT_BROKEN, told.at);
    weft_text_done(&text);
    weft_text_done(&told);
}

static void times_and_costs_have_limits(void **state)
{
    static const char one[] = "num_ranks 1\nrank 0 {\ncalc 1\n}\n";
    static const char costs[] =
        "latency, overhead and gap are at most 2^32 ticks, ticks per byte at most 4096";
    uint64_t long_time = ((uint64_t)1 << 32) + 1;
    const weft_host_costs wrong[] = {{.latency = long_time},
                                     {.overhead = long_time},
                                     {.gap = long_time},
                                     {.per_byte = 4097},
                                     {.overhead_per_byte = 4097}};
    weft_text text;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        replay_fails(one, &wrong[i], WEFT_BAD_INPUT, costs);
    weft_text_init(&text);
    weft_text_add(&text, "num_ranks 1\nrank 0 {\n");
    for (int i = 0; i < 16385; i++)
        weft_text_add(&text, "calc 281474976710656\n");
    weft_text_add(&text, "}\n");
    replay_fails(text.at, &plain, WEFT_BAD_INPUT, "the program takes more than 2^62 ticks");
    text.length = 0;
    weft_text_add(&text, "num_ranks 20000\nrank 0 {\nsend 1b to 0 cpu 255 nic 255\nrecv 1b from 0 "
                         "\n}\n");
    for (int r = 1; r < 20000; r++)
        weft_text_add(&text, "rank %d {\n}\n", r);
    replay_fails(text.at, &plain, WEFT_BAD_INPUT,
                 "20000 ranks with 256 CPUs and 256 NICs each are too many for a replay");
    weft_text_done(&text);
}

/* Ranks 1 and 2 send to 0, which takes what comes. */
static void messages_are_matched_as_they_come(void **state)
{
    static const struct {
        const char *text, *ends;
    } cases[] = {
        /* long ones ask: requests at 1000 and 1001, data at 3000 and behind them */
        {"num_ranks 3\nrank 0 {\nrecv 200b from -1 tag -1\nrecv 200b from -1 tag 7\n}\n"
         "rank 1 {\nsend 200b to 0 tag 7\n}\nrank 2 {\nsend 200b to 0 tag 7\n}\n",
         "3399 2199 2200"},
        /* they come before they are asked for */
        {"num_ranks 3\nrank 0 {\na: calc 5000\nb: recv 10b from -1 tag 8\nb requires a\n"
         "c: recv 10b from 1 tag -1\nc requires b\n}\n"
         "rank 1 {\nsend 10b to 0 tag 7\n}\nrank 2 {\nsend 10b to 0 tag 8\n}\n",
         "5000 0 0"},
        /* a tag of any of the sender's */
        {"num_ranks 2\nrank 0 {\nrecv 10b from 1 tag 8\n}\nrank 1 {\nsend 10b to 0 tag -1\n}\n",
         "1009 0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_program program;
        weft_error err = {.text = ""};
        uint64_t finish[3] = {0};
        char found[100] = "";
        read_goal(cases[i].text, &program);
        assert_int_equal(weft_replay(&program, &plain, NULL, finish, &err), WEFT_OK);
        for (uint32_t r = 0, at = 0; r < program.n_ranks; r++)
            at += (uint32_t)snprintf(found + at, sizeof found - at, "%s%llu", r ? " " : "",
                                     (unsigned long long)finish[r]);
        assert_string_equal(found, cases[i].ends);
        weft_program_done(&program);
    }
}

static void programs_are_described(void **state)
{
    weft_program program;
    weft_text text;
    (void)state;
    read_goal("num_ranks 2\nrank 0 {\na: recv 3b from -1 cpu 1\nb: calc 2\nc: calc 2\nd: calc 2\n"
              "e: send 6b to 1 nic 2\ne requires a\ne requires b\ne irequires c\ne requires d\n"
              "f: recv 3b from 1 tag 9\nf requires e\n}\n"
              "rank 1 {\nsend 3b to 0\nrecv 6b from 0\nsend 3b to 0 tag 9\n}\n",
              &program);
    weft_text_init(&text);
    weft_program_describe(&program, &text);
    weft_program_steps(&program, 5, &text);
    assert_string_equal(text.at,
                        "ranks                  2\n"
                        "operations             9 (at most 6 of a rank)\n"
                        "dependencies           5\n"
                        "messages               3\n"
                        "sizes                  3 B to 6 B, 4 B on average, 12 B in all\n"
                        "calculations           3 of 6 ticks in all\n"
                        "of a rank              2 CPUs, 3 NICs\n"
                        "matching               1 ranks receive from any source or with any tag\n"
                        "rank 0, 5 of 6 operations\n"
                        "       1  recv from      any               3 B\n"
                        "       2  calc                             2 ticks\n"
                        "       3  calc                             2 ticks\n"
                        "       4  calc                             2 ticks\n"
                        "       5  send to          1               6 B  after 1, 2, the start of "
                        "3, …\n"
                        "rank 1, 3 of 3 operations\n"
                        "       1  send to          0               3 B\n"
                        "       2  recv from        0               6 B\n"
                        "       3  send to          0               3 B\n");
    text.length = 0;
    weft_program_name(&program, 7, &text);
    assert_string_equal(text.at, "recv 6 B from rank 0 with tag 0 (operation 2 of rank 1)");
    weft_text_done(&text);
    weft_program_done(&program);
}

/* ---- collectives and choices ---- */

static void told_of_progress(void *user, double share)
{
    double *last = user;
    assert_true(share > *last && share <= 1);
    *last = share;
}

static void long_replays_tell_their_progress(void **state)
{
    double last = 0;
    weft_replay_observer observer = {.progress = told_of_progress, .user = &last};
    weft_program_choice choice = {.file = "all-to-all/pairwise", .ranks = 600, .bytes = 600};
    weft_error err;
    uint64_t *finish;
    uint32_t ranks;
    (void)state;
    assert_int_equal(weft_program_time(&choice, &plain, &observer, &finish, &ranks, &err), WEFT_OK);
    assert_int_equal(ranks, 600);
    assert_true(last > 0.5);
    assert_int_equal(finish[0], 599 * 1000);
    free(finish);
}

static void wrong_choices_are_refused(void **state)
{
    static const char *const no_sign[] = {"ring", NULL}, *const no_kind[] = {"gather=ring", NULL};
    static const struct {
        weft_program_choice choice;
        const char *sentence;
    } cases[] = {
        {{.file = "allreduce/ring"}, "allreduce/ring needs ranks=NUMBER"},
        {{.file = "allreduce/ring", .ranks = 300000000},
         "ranks are 1 to 268435456, found 300000000"},
        {{.file = "allreduce/ring", .ranks = 4, .bytes = 281474976710657},
         "size is at most 2^48 bytes, sum at most 4096 ticks a byte"},
        {{.file = "allreduce/ring", .ranks = 4, .sum_per_byte = 4097},
         "size is at most 2^48 bytes, sum at most 4096 ticks a byte"},
        {{.file = "allgather/recursive-doubling", .ranks = 12},
         "allgather recursive-doubling works with 1, 2, 4, 8, … ranks, found 12"},
        {{.file = "allreduce/ring", .ranks = 100000},
         "allreduce ring on 100000 ranks has too many operations for a replay: some 39999600000"},
        {{.file = "ring", .ranks = 4},
         "'ring' is no collective operation: `weft workload list` has them"},
        {{.file = "a-name-that-is-longer-than-any-operation-of-a-collective-might-be/ring",
          .ranks = 4},
         "'a-name-that-is-longer-than-any-operation-of-a-collective-might-b' is no collective "
         "operation: `weft workload list` has them"},
        {{.file = "allreduce/rinf", .ranks = 4},
         "'allreduce/rinf' is no collective operation: `weft workload list` has them; did you mean "
         "'allreduce/ring'?"},
        {{.file = WEFT_TEST_DATA "/workloads/ping-1.goal", .algorithms = no_sign},
         "wanted OPERATION=ALGORITHM, found 'ring'"},
        {{.file = WEFT_TEST_DATA "/workloads/ping-1.goal", .algorithms = no_kind},
         "'ring' is no algorithm of gather: `weft workload list` has them"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = NULL;
        weft_error err = {.text = ""};
        if (weft_program_show(&cases[i].choice, &text, &err) == WEFT_OK ||
            strcmp(err.text, cases[i].sentence) != 0)
            fail_msg("wanted %s\nfound  %s", cases[i].sentence, err.text);
    }
    /* without a file of the name, a collective that is not generated */
    weft_collective collective;
    weft_error err = {.text = ""};
    weft_program_choice choice = {.file = "barrier/dissemination", .ranks = 4, .bytes = 77};
    assert_int_equal(weft_program_collective(&choice, &collective, &err), WEFT_OK);
    assert_int_equal(collective.bytes, 1);
    choice.file = "barrier/dissimination";
    assert_int_equal(weft_program_collective(&choice, &collective, &err), WEFT_BAD_USAGE);
    assert_non_null(strstr(err.text, "did you mean 'barrier/dissemination'?"));
    /* a replay that fails leaves nothing behind */
    weft_host_costs long_way = {.latency = (uint64_t)1 << 40};
    uint64_t *finish = (uint64_t *)&err;
    uint32_t ranks;
    choice.file = "barrier/dissemination";
    assert_int_equal(weft_program_time(&choice, &long_way, NULL, &finish, &ranks, &err),
                     WEFT_BAD_INPUT);
    assert_null(finish);
}

static void bus_factors_are_those_of_nccl(void **state)
{
    static const struct {
        const char *file;
        uint32_t ranks;
        double factor;
    } cases[] = {{"allreduce/ring", 4, 1.5},
                 {"allgather/ring", 4, 0.75},
                 {"reduce-scatter/ring", 8, 0.875},
                 {"all-to-all/linear", 2, 0.5},
                 {"broadcast/binomial", 4, 1},
                 {"barrier/dissemination", 4, 0},
                 {"halo/2d", 4, 0},
                 {"allreduce/ring", 0, 0},
                 {"x.goal", 4, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_program_choice choice = {.file = cases[i].file, .ranks = cases[i].ranks};
        assert_true(weft_program_bus_factor(&choice) == cases[i].factor);
    }
}

static void formats_and_algorithms_are_listed(void **state)
{
    char *text = weft_program_formats();
    size_t lines = 0;
    (void)state;
    for (const weft_format_kind *const *format = weft_formats; *format; format++, lines++)
        assert_non_null(strstr(text, (*format)->brief));
    assert_memory_equal(text, "goal           GOAL, text or binary", 35);
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines--;
    assert_int_equal(lines, 0);
    free(text);
    text = weft_program_list();
    assert_non_null(strstr(text, "allreduce/ring  "));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_waits_for_whom_is_told),
        cmocka_unit_test(times_and_costs_have_limits),
        cmocka_unit_test(messages_are_matched_as_they_come),
        cmocka_unit_test(programs_are_described),
        cmocka_unit_test(long_replays_tell_their_progress),
        cmocka_unit_test(wrong_choices_are_refused),
        cmocka_unit_test(bus_factors_are_those_of_nccl),
        cmocka_unit_test(formats_and_algorithms_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
