/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that are lines: time-independent traces, connections and flows. Every word matters, what
 * is wrong is named with its line, and actions take the time that they should. */
#include "program/expand.h"
#include "unit/test_program.h"

typedef struct wrong {
    const char *text, *sentence;
} wrong;

/* `line` at every one of three ranks, after "init" of each. */
static void everywhere(char *text, size_t room, const char *line)
{
    size_t at = 0;
    for (int r = 0; r < 3; r++)
        at += (size_t)snprintf(text + at, room - at, "%d init\n%d %s\n", r, r, line);
}

/* ---- time-independent traces ---- */

static const char *const collectives[] = {
    "bcast 1 2 1",
    "reduce 1 1 2 1",
    "allreduce 1 1 1",
    "alltoall 1 1 1",
    "allgather 1 1 1",
    "gather 1 1 2 1",
    "scatter 1 1 2 1",
    "gatherv 1 1 1 1 2 1",
    "scatterv 1 1 1 1 2 1",
    "allgatherv 1 1 1 1 1",
    "reducescatter 1 1 1 1 1",
    "alltoallv 1 1 1 1 1 1 1 1 1 1",
    "scan 1 1 1",
    "exscan 1 1 1",
};

static void every_word_of_an_action_matters(void **state)
{
    static const char *const alone[] = {
        "0 compute 1",     "0 sleep 1",       "0 send 1 1 1 1", "0 recv 1 1 1 1",
        "0 isend 1 1 1 1", "0 irecv 1 1 1 1", "0 wait 0 1 1",   "0 sendRecv 1 1 1 1 1 1"};
    (void)state;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        program_words(&weft_format_ti, alone[i], 2, "1 init\n");
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++) {
        char line[200];
        (void)snprintf(line, sizeof line, "0 %s", collectives[i]);
        program_words(&weft_format_ti, line, 2, "1 init\n2 init\n");
    }
}

/* 2^48 elements of four bytes, wherever a size stands. */
static void sizes_are_limited(void **state)
{
    weft_format_options options = PROGRAM_OPTIONS;
    (void)state;
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++) {
        unsigned large = 0;
        for (const char *at = strchr(collectives[i], ' '); at; at = strchr(at + 1, ' ')) {
            char text[400];
            weft_program program;
            weft_error err = {.text = ""};
            (void)snprintf(text, sizeof text, "0 %.*s 281474976710656%s\n1 init\n2 init\n",
                           (int)(at - collectives[i]), collectives[i], at + 2);
            assert_int_equal(
                program_read(&weft_format_ti, text, strlen(text), &options, &program, &err),
                WEFT_BAD_INPUT);
            assert_memory_equal(err.text, "x:", 2);
            large += strcmp(err.text, "x:1: a message has at most 2^48 bytes, found "
                                      "281474976710656 elements of 4 bytes") == 0;
        }
        if (large == 0)
            fail_msg("%s", collectives[i]);
    }
}

static void operations_of_a_trace_are_limited(void **state)
{
    char text[1000];
    (void)state;
    program_limited(&weft_format_ti, "0 compute 1\n0 isend 0 1 1\n0 irecv 0 1 1\n0 waitall\n"
                                     "0 isend 0 1 1\n0 irecv 0 1 1\n0 sendRecv 1 0 1 0\n0 sleep 1\n"
                                     "0 send 0 0 1\n0 recv 0 0 1\n");
    everywhere(text, sizeof text, "barrier");
    program_limited(&weft_format_ti, text);
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++) {
        everywhere(text, sizeof text, collectives[i]);
        program_limited(&weft_format_ti, text);
    }
}

/* A type of four bytes has the number 1. */
static void actions_take_their_time(void **state)
{
    static const wrong right[] = {
        {"0 compute 1e3\n0 sleep 1.5e-6\n0 sleep 0.0000000004\n", "2500"},
        {"0 sendRecv 100 1 200 1\n1 sendRecv 200 0 100 0\n", "1199 1099"},
        {"0 sendRecv 100 1 200 1 1 1\n1 sendRecv 200 0 100 0 1 1\n", "1799 1399"},
        {"0 init x\n0 send 1 0 10\n1 init x\n1 recv 0 0 10\n", "0 1079"},
        {"0 irecv -555 7 10\n0 compute 2000\n0 wait -1 0 7\n1 send 0 7 10\n", "2000 0"},
        {"0 irecv 1 -444 10\n0 wait 1 0 -1\n1 send 0 7 10\n", "1009 0"},
        {"0 recv -1 -1 10\n1 send 0 7 -1\n", "1000 0"},
        /* rank 1 is the root: both messages share its link */
        {"0 gatherv 10 10 20 30 1\n1 gatherv 20 10 20 30 1\n2 gatherv 30 10 20 30 1\n", "0 1039 0"},
        {"0 scatterv 10 20 30 10 1\n1 scatterv 10 20 30 20 1\n2 scatterv 10 20 30 30 1\n",
         "1009 10 1039"},
        {"0 allgatherv 10 10 20 30\n1 allgatherv 20 10 20 30\n2 allgatherv 30 10 20 30\n",
         "2038 2058 2018"},
        {"0 scan 100 5\n1 scan 100 5\n2 scan 100 5\n", "1204 1104 2203"},
        {"0 gatherv 10 10\n0 scatter 5 5\n0 allgather 5 5\n", "0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        program_ends(&weft_format_ti, right[i].text, right[i].sentence);
}

static void wrong_traces_are_named(void **state)
{
    static const wrong texts[] = {
        {"0 send x 0 1\n", "x:1: wanted the rank that receives, found 'x'"},
        {"0 recv x 0 1\n", "x:1: wanted the rank that sends, found 'x'"},
        {"0 send 0 -1 1\n", "x:1: wanted a tag, 0 to 2147483647, found '-1'"},
        {"0 send 0 2147483648 1\n", "x:1: wanted a tag, 0 to 2147483647, found '2147483648'"},
        {"0 send 0 0 281474976710656 0\n", "x:1: a message has at most 2^48 bytes, found "
                                           "281474976710656 elements of 8 bytes"},
        {"0 send 0 0 281474976710657\n",
         "x:1: wanted a size, at most 2^48, found '281474976710657'"},
        {"0 alltoall 281474976710656 1\n1 init\n",
         "x:1: a message has at most 2^48 bytes, found 281474976710656 elements of 2 bytes"},
        {"0 sleep 1e6\n", "x:1: wanted seconds, at most 2^48 ticks, found '1e6'"},
        {"0 sleep 1e\n", "x:1: wanted seconds, at most 2^48 ticks, found '1e'"},
        {"0 sleep 1e-\n", "x:1: wanted seconds, at most 2^48 ticks, found '1e-'"},
        {"0 sleep .\n", "x:1: wanted seconds, at most 2^48 ticks, found '.'"},
        {"0 sleep 1.5.\n", "x:1: wanted seconds, at most 2^48 ticks, found '1.5.'"},
        {"0 sleep\n", "x:1: wanted seconds, at most 2^48 ticks, found the end of the line"},
        {"0 sleep \001\177\n", "x:1: wanted seconds, at most 2^48 ticks, found '\?\?'"},
        {"0 init\n2 init\n2 init\n",
         "x: rank 1 has no line: ranks are numbered from 0, found 2 as the last"},
        {"0 barrier\n0 recv -1 -1 1\n0 send 0 0 1\n",
         "x: a receive with any tag could take a message of a collective operation: give it a tag"},
        {"0 isend 0 3 1\n0 irecv 0 3 1\n0 wait -555 0 -444\n",
         "x:3: rank 0 has no open isend or irecv from rank -1 to rank 0 with tag -1"},
        {"0 init\n\n# a remark\n  0 wait 0 1 0\n", "x:4: ranks are 0 to 0, found 1"},
        {"0 barrier\n1 bcast 1\n", "x:2: collective operation 1 of rank 1 must be barrier of 1 "
                                   "bytes with root 0, as line 1 says for another rank"},
        {"0 bcast 9\n1 bcast 8\n", "x:2: collective operation 1 of rank 1 must be bcast of 9 "
                                   "bytes with root 0, as line 1 says for another rank"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        program_refused(&weft_format_ti, texts[i].text, texts[i].sentence);
}

/* An algorithm for powers of two alone; a name of another file, where none may be named. */
static void traces_have_their_limits(void **state)
{
    char text[200];
    weft_format_options options = PROGRAM_OPTIONS;
    weft_program program;
    weft_error err = {.text = ""};
    (void)state;
    options.algorithms[WEFT_COLLECTIVE_ALLGATHER] = &weft_collective_allgather_recursive_doubling;
    everywhere(text, sizeof text, "allgather 1 1");
    assert_int_equal(program_read(&weft_format_ti, text, strlen(text), &options, &program, &err),
                     WEFT_BAD_INPUT);
    assert_string_equal(err.text, "x:2: allgather recursive-doubling works with 1, 2, 4, 8, … "
                                  "ranks, found 3");
    program_refused(&weft_format_ti, "rank0.txt\n", "x:1: x names another file");
}

/* MPICH's choice of an algorithm by ranks and bytes, at its limits. */
static void algorithms_are_chosen_by_size(void **state)
{
    static const struct {
        weft_collective_operation operation;
        uint32_t ranks;
        uint64_t bytes;
        const char *algorithm;
    } cases[] = {
        {WEFT_COLLECTIVE_ALLREDUCE, 5, 2047, "recursive-doubling"},
        {WEFT_COLLECTIVE_ALLREDUCE, 5, 2048, "rabenseifner"},
        {WEFT_COLLECTIVE_BROADCAST, 8, 12287, "binomial"},
        {WEFT_COLLECTIVE_BROADCAST, 7, 12288, "binomial"},
        {WEFT_COLLECTIVE_BROADCAST, 8, 12288, "scatter-allgather"},
        {WEFT_COLLECTIVE_ALLGATHER, 8, 524287, "recursive-doubling"},
        {WEFT_COLLECTIVE_ALLGATHER, 8, 524288, "ring"},
        {WEFT_COLLECTIVE_ALLGATHER, 7, 81920, "bruck"},
        {WEFT_COLLECTIVE_ALLGATHER, 7, 81921, "ring"},
        {WEFT_COLLECTIVE_ALL_TO_ALL, 8, 8 * 255, "bruck"},
        {WEFT_COLLECTIVE_ALL_TO_ALL, 7, 7 * 255, "linear"},
        {WEFT_COLLECTIVE_ALL_TO_ALL, 8, 8 * 256, "linear"},
        {WEFT_COLLECTIVE_ALL_TO_ALL, 8, 8 * 32767, "linear"},
        {WEFT_COLLECTIVE_ALL_TO_ALL, 8, 8 * 32768, "pairwise"},
        {WEFT_COLLECTIVE_REDUCE, 8, 1, "binomial"},
        {WEFT_COLLECTIVE_REDUCE_SCATTER, 8, 1, "ring"},
        {WEFT_COLLECTIVE_GATHER, 8, 1, "binomial"},
        {WEFT_COLLECTIVE_BARRIER, 8, 1, "dissemination"},
    };
    weft_format_options options = PROGRAM_OPTIONS;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const weft_collective_kind *kind =
            weft_expand_choose(&options, cases[i].operation, cases[i].ranks, cases[i].bytes);
        assert_int_equal(kind->operation, cases[i].operation);
        assert_string_equal(kind->algorithm, cases[i].algorithm);
    }
    options.algorithms[WEFT_COLLECTIVE_BARRIER] = &weft_collective_barrier_recursive_doubling;
    assert_ptr_equal(weft_expand_choose(&options, WEFT_COLLECTIVE_BARRIER, 8, 1),
                     &weft_collective_barrier_recursive_doubling);
}

/* Decimals: what is behind 18 digits is dropped, and whatever power is refused or rounded. */
static void decimals_are_exact(void **state)
{
    static const struct {
        const char *text;
        bool is;
        uint64_t number;
    } cases[] = {
        {"18446744073709551615", true, 18446744073709551600u}, /* 18 digits */
        {"0.00000000000000000000000000000000000000001e41", true, 1},
        {"123456789012345678901234567890e-20", true, 1234567890},
        {"0.000000000000000000000000000000000000000000000000000001", true, 0},
        {"1e-99999999999999999999", true, 0},
        {"0e99999999999999999999", true, 0},
        {"1e99999999999999999999", false, 0},
        {"1e+3", true, 1000},
        {"2.5E1", true, 25},
        {"1e3x", false, 0},
        {"e3", false, 0},
        {"", false, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t number = 0;
        weft_format_word word = {cases[i].text, strlen(cases[i].text)};
        bool is = weft_format_word_number(word, 1, 1, false, UINT64_MAX, &number);
        if (is != cases[i].is || (is && number != cases[i].number))
            fail_msg("%s: %d, %llu", cases[i].text, is, (unsigned long long)number);
    }
}

/* ---- connections ---- */

#define MATRIX                                                              \
    "Nodes 3\nConnections 4\n0->1 start 1000 size 10 recv_done_trigger 1\n" \
    "1->2 size 20 send_done_trigger 1\n0->2 trigger 1 size 30\n2->0 trigger 1 size 40\n"

static void triggers_start_connections(void **state)
{
    (void)state;
    /* the receive at 1, of tick 1010, starts that of 0 by a message of a byte; the send of 1 that
     * of 2, by one that leaves after its 20 bytes */
    program_ends(&weft_format_connections, MATRIX "trigger id 1 multishot\n", "2059 1010 3039");
    /* the source of the first that starts, 0, collects both and tells 2 */
    program_ends(&weft_format_connections, MATRIX "trigger id 1 barrier count 2\n",
                 "4079 1010 3040");
    program_ends(&weft_format_connections,
                 "Nodes 2\nConnections 1\nFailures 1\nfailure switch 0\n0->1 prio 1 size 10\n",
                 "0 1009");
    program_limited(&weft_format_connections, MATRIX "trigger id 1 barrier count 2\n");
    program_limited(&weft_format_connections, MATRIX "trigger id 1 multishot\n");
}

static void wrong_connections_are_named(void **state)
{
    static const wrong texts[] = {
        {"Nodes 0\n", "x:1: wanted nodes, 1 to 1048576, found 0"},
        {"Nodes\n", "x:1: wanted the number of nodes, at most 1048576, found the end of the line"},
        {"Nodes 2\nConnections x\n", "x:2: wanted the number of connections, found 'x'"},
        {"Nodes 2\nTriggers x\n", "x:2: wanted their number, found 'x'"},
        {"Nodes 2\nFailures x\n", "x:2: wanted their number, found 'x'"},
        {"Nodes 2\nhello\n", "x:2: wanted Connections, Triggers, Failures, a connection a->b, "
                             "trigger or failure, found 'hello'"},
        {"Nodes 2\nConnections 1\n0->1 size 1\n1->0 size 1\n",
         "x:4: the file promises 1 connections, found another"},
        {"Nodes 2\nConnections 1\n0-1 size 1\n", "x:3: wanted Connections, Triggers, Failures, a "
                                                 "connection a->b, trigger or failure, found "
                                                 "'0-1'"},
        {"Nodes 2\nConnections 1\nx->1 size 1\n", "x:3: wanted a host, 0 to 1, found 'x'"},
        {"Nodes 2\nConnections 1\n0-> size 1\n",
         "x:3: wanted a host, 0 to 1, found the end of the line"},
        {"Nodes 2\ntrigger 7\n", "x:2: wanted `id` and the number of the trigger, found '7'"},
        {"Nodes 2\ntrigger id x\n", "x:2: wanted the number of the trigger, found 'x'"},
        {"Nodes 2\ntrigger id 7 often\n",
         "x:2: wanted oneshot, multishot or barrier, found 'often'"},
        {"Nodes 2\ntrigger id 7 barrier\n", "x:2: wanted `count` and how often the barrier is "
                                            "named, found the end of the line"},
        {"Nodes 2\ntrigger id 7 barrier count x\n",
         "x:2: wanted how often a barrier is named, found 'x'"},
        {"Nodes 2\nConnections 1\n0->1 trigger 1 size 1\ntrigger id 1 oneshot\n",
         "x:4: trigger 1 must be named by the end of 1 connections, found 0"},
        {"Nodes 2\nConnections 1\n0->1 trigger 1 size 1\ntrigger id 1 multishot\n",
         "x:4: trigger 1 must be named by the end of 1 connections, found 0"},
        {"Nodes 2\nConnections 1\n0->1 send_done_trigger 1 size 1\n",
         "x:3: trigger 1 has no line 'trigger id 1 …'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        program_refused(&weft_format_connections, texts[i].text, texts[i].sentence);
    static const char *const keys[] = {
        "start", "size", "trigger", "send_done_trigger", "recv_done_trigger", "id", "prio"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char text[100], end[40];
        weft_format_options options = PROGRAM_OPTIONS;
        weft_program program;
        weft_error err = {.text = ""};
        (void)snprintf(text, sizeof text, "Nodes 2\nConnections 1\n0->1 %s q\n", keys[i]);
        (void)snprintf(end, sizeof end, ", found 'q'");
        assert_int_equal(
            program_read(&weft_format_connections, text, strlen(text), &options, &program, &err),
            WEFT_BAD_INPUT);
        assert_non_null(strstr(err.text, end));
    }
}

/* ---- flows ---- */

static void flows_start_when_they_say(void **state)
{
    (void)state;
    program_ends(&weft_format_flows, "3\n0 1 3 100 10 0\n0 1 3 100 20 0.000001\n0 2 3 100 5 1e-6\n",
                 "1020 2019 2024");
    program_ends(&weft_format_flows, "0\n", "0");
    program_limited(&weft_format_flows, "3\n0 1 3 100 10 1\n0 1 3 100 20 2\n0 2 3 100 5 0\n");
    program_words(&weft_format_flows, "1", 0, "0 1 3 100 10 0\n");
}

static void wrong_flows_are_named(void **state)
{
    static const wrong texts[] = {
        {"1\nx 1 3 100 10 0\n", "x:2: wanted a host, 0 to 1048575, found 'x'"},
        {"1\n0 x 3 100 10 0\n", "x:2: wanted a host, 0 to 1048575, found 'x'"},
        {"1\n0 1 x 100 10 0\n", "x:2: wanted a priority group, found 'x'"},
        {"1\n0 1 3 x 10 0\n", "x:2: wanted a port, found 'x'"},
        {"1\n0 1 3 100 x 0\n", "x:2: wanted bytes, at most 2^48, found 'x'"},
        {"1\n0 1 3 100 10\n",
         "x:2: wanted a start in seconds, at most 2^48 ticks, found the end of the line"},
        {"1\n0 1 3 100 10 0 7\n", "x:2: wanted the end of the line, found '7'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        program_refused(&weft_format_flows, texts[i].text, texts[i].sentence);
}

/* Which of the formats a text is in, by its content. */
static void formats_are_told_apart(void **state)
{
    static const wrong texts[] = {
        {"num_ranks 1\nrank 0 {\n}\n", "goal"},
        {"// a remark\n\nnum_ranks 1\nrank 0 {\n}\n", "goal"},
        {"# a remark\n\n0 compute 3\n", "ti"},
        {"Nodes 1\nConnections 0\n", "connections"},
        {"0\n", "flows"},
        {"1\n0 0 1 1 1 1\n", "flows"},
        {" [\n]\n", "chakra"},
        {"1\n0 0 1 1 1\n", NULL},
        {"1\nx 0 1 1 1 1\n", NULL},
        {"1 2\n", NULL},
        {"x\n", NULL},
        {"0 fly\n", NULL},
        {"# nothing\n", NULL},
        {"", NULL},
    };
    weft_format_options options = PROGRAM_OPTIONS;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        weft_format_summary summary = {0};
        char *copy = strdup(texts[i].text);
        weft_format_input input = {.file = "x",
                                   .bytes = {.at = copy, .count = strlen(copy)},
                                   .options = &options,
                                   .summary = &summary};
        weft_program program = {0};
        const weft_format_kind *format = NULL;
        weft_error err = {.text = ""};
        weft_status status = weft_format_read(&input, &program, &format, &err);
        if (!texts[i].sentence) {
            assert_int_equal(status, WEFT_BAD_INPUT);
            assert_memory_equal(err.text, "x is in no format that is known:\n  goal ", 40);
        } else {
            assert_int_equal(status, WEFT_OK);
            assert_ptr_equal(format, weft_format_find(texts[i].sentence));
        }
        weft_program_done(&program);
        free(copy);
    }
    assert_null(weft_format_find("gaol"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_of_an_action_matters),
        cmocka_unit_test(sizes_are_limited),
        cmocka_unit_test(operations_of_a_trace_are_limited),
        cmocka_unit_test(actions_take_their_time),
        cmocka_unit_test(wrong_traces_are_named),
        cmocka_unit_test(traces_have_their_limits),
        cmocka_unit_test(algorithms_are_chosen_by_size),
        cmocka_unit_test(decimals_are_exact),
        cmocka_unit_test(triggers_start_connections),
        cmocka_unit_test(wrong_connections_are_named),
        cmocka_unit_test(flows_start_when_they_say),
        cmocka_unit_test(wrong_flows_are_named),
        cmocka_unit_test(formats_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
