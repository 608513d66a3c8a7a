/* SPDX-License-Identifier: Apache-2.0 */
/* GOAL as text, in memory and through a window wherever the window ends, and in binary form: what
 * is wrong is named with its place. */
#include "interweft/program.h"
#include "program/goal/goal.h"
#include "test_folder.h"
#include "unit/test_program.h"

#include "base/file.h"

#include <ctype.h>
#include <unistd.h>

typedef struct wrong {
    const char *text, *sentence;
} wrong;

/* Two messages' worth of everything that a text can have. */
static const char good[] = "num_ranks 2 // a remark\n"
                           "rank 0 {\n"
                           "a_1: send 10b to 1 tag 3 cpu 1 nic 2\n"
                           "b: calc 5 cpu 1\n"
                           "b requires a_1\n"
                           "c: calc 5 /* one\n"
                           "more */ \n"
                           "c irequires b\n"
                           "}\n"
                           "rank 1 {\n"
                           "recv 10b from 0 tag 3 }\n";

static void wrong_text_is_named(void **state)
{
#define ONE "num_ranks 1\nrank 0 {\n"
    static const wrong texts[] = {
        {"", "x:1: wanted num_ranks, found the end of the file"},
        {"\n\nranks 2", "x:3: wanted num_ranks, found 'ranks'"},
        {"num_ranks 0\n", "x:1: wanted the number of ranks, 1 to 268435456, found '0'"},
        {"num_ranks -1\n", "x:1: wanted the number of ranks, 1 to 268435456, found '-1'"},
        {"num_ranks\n", "x:1: wanted the number of ranks, 1 to 268435456, found the end of the "
                        "line"},
        {"num_ranks 1\nrang 0 {\n}\n", "x:2: wanted the word rank, found 'rang'"},
        {"num_ranks 1\nrank 1 {\n}\n", "x:2: wanted rank 0: ranks come in order, found '1'"},
        {"num_ranks 1\nrank x {\n}\n", "x:2: wanted rank 0: ranks come in order, found 'x'"},
        {"num_ranks 1\nrank 0 (\n}\n", "x:2: wanted {, found '('"},
        {ONE "calc 5 6\n}\n", "x:3: wanted the end of the line, found '6'"},
        {ONE "calc 5 tag 6\n}\n", "x:3: wanted the end of the line, found 'tag'"},
        {ONE "calc 5 nic 6\n}\n", "x:3: wanted the end of the line, found 'nic'"},
        {ONE "calc 5 \007\n}\n", "x:3: wanted the end of the line, found the byte 0x07"},
        {ONE "calc 5 \xff\n}\n", "x:3: wanted the end of the line, found the byte 0xff"},
        {ONE "calc -\n}\n", "x:3: wanted ticks, at most 2^48, found '-'"},
        {ONE "calc 5 /\n}\n", "x:3: wanted the end of the line, found '/'"},
        {ONE "calc 5 /* for\never", "x:4: wanted the end of the line, found the end of the "
                                    "file"},
        {ONE "calc", "x:3: wanted ticks, at most 2^48, found the end of the file"},
        {ONE "calc 281474976710657\n}\n", "x:3: wanted ticks, at most 2^48, found "
                                          "'281474976710657'"},
        {ONE "send 281474976710657b to 0\n}\n", "x:3: wanted bytes, at most 2^48, found "
                                                "'281474976710657'"},
        {ONE "a: fly 5\n}\n", "x:3: wanted calc, send or recv, found 'fly'"},
        {ONE "a fly b\n}\n", "x:3: wanted a colon, requires or irequires after a label, found "
                             "'fly'"},
        {ONE "5 requires a\n}\n", "x:3: wanted an operation, a label or }, found '5'"},
        {ONE "a: calc 1\na requires 5\n}\n", "x:4: wanted the label of an operation above, found "
                                             "'5'"},
        {ONE "a requires b\n}\n", "x:3: wanted the label of an operation above, found 'a'"},
        {ONE "send 1c to 0\n}\n", "x:3: wanted b after the number of bytes, found 'c'"},
        {ONE "send 1b from 0\n}\n", "x:3: wanted `to` and a rank, found 'from'"},
        {ONE "recv 1b to 0\n}\n", "x:3: wanted `from` and a rank, or -1 for any, found 'to'"},
        {ONE "recv 1b from -2\n}\n", "x:3: wanted the rank that sends, or -1 for any, found '-2'"},
        {ONE "send 1b to 4294967295\n}\n", "x:3: wanted the rank that receives, found "
                                           "'4294967295'"},
        {ONE "send 1b to -1\n}\n", "x:3: ranks are 0 to 0, found -1"},
        {ONE "recv 1b from 0 tag x\n}\n", "x:3: wanted a tag, 0 to 4294967294 or -1, found 'x'"},
        {ONE "recv 1b from 0 nic 256\n}\n", "x:3: wanted a NIC, 0 to 255, found '256'"},
        {ONE "calc 1 cpu x\n}\n", "x:3: wanted a CPU, 0 to 255, found 'x'"},
        {ONE "}\nrank 1 {\n}\n", "x:4: wanted the end of the file after the last rank, found "
                                 "'rank'"},
        {ONE "calc 1 // send\nrecv 1b from 0\n}\n",
         "x:4: recv 1 B from rank 0 with tag 0 (operation 2 of rank 0): that rank sends no such "
         "message"},
        {ONE "calc 1\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n",
         "x: rank 0: operation 3, which waits for 2, which waits for 3: none of them can start"},
        {ONE "recv 1b from -1\n}\n", "x: rank 0 has 1 receives, but 0 messages are sent to it"},
        {ONE "a: calc 1\nb: calc 1\nc: calc 1\nd: calc 1\ne: calc 1\nf: calc 1\ng: calc 1\n"
             "h: calc 1\ni: calc 1\na requires i\nb requires a\nc requires b\nd requires c\n"
             "e requires d\nf requires e\ng requires f\nh requires g\ni requires h\n}\n",
         "x: rank 0: operation 1, which waits for 9, which waits for 8, which waits for 7, which "
         "waits for 6, which waits for 5, which waits for 4, which waits for 3 …, and so on to 1: "
         "none of them can start"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        program_refused(&weft_format_goal, texts[i].text, texts[i].sentence);
}

/* Cut off anywhere, or with a sign in the place of a letter or number that is not a remark's, it
 * is refused, with a line. */
static void every_byte_of_a_text_matters(void **state)
{
    weft_format_options options = PROGRAM_OPTIONS;
    weft_program program;
    size_t end = strlen(good) - 1, remark = (size_t)(strstr(good, "//") - good),
           longer = (size_t)(strstr(good, "/*") - good);
    (void)state;
    for (size_t i = 0; i < end; i++) {
        weft_error err = {.text = ""};
        char text[sizeof good];
        assert_int_equal(program_read(&weft_format_goal, good, i, &options, &program, &err),
                         WEFT_BAD_INPUT);
        assert_memory_equal(err.text, "x:", 2);
        bool free_text = (i >= remark && i < remark + 11) || (i >= longer && i < longer + 14);
        if (free_text || !isalnum((unsigned char)good[i]))
            continue;
        memcpy(text, good, sizeof good);
        text[i] = '?';
        assert_int_equal(
            program_read(&weft_format_goal, text, strlen(text), &options, &program, &err),
            WEFT_BAD_INPUT);
        if (strncmp(err.text, "x:", 2) != 0 || !strstr(err.text, "wanted"))
            fail_msg("%s", err.text);
    }
}

/* ---- windows ---- */

enum { PIECE = 1 << 18 }; /* bytes that a window reads at a time */

/* A file whose first piece ends `before` bytes into a text. */
static void put_behind(const char *text, size_t before)
{
    size_t count = strlen(text), head = PIECE - before;
    char *bytes = malloc(head + count);
    weft_error err;
    assert_non_null(bytes);
    memset(bytes, 'x', head);
    memcpy(bytes, "/*\n", 3);
    memcpy(bytes + head - 2, "*/", 2);
    memcpy(bytes + head, text, count);
    assert_int_equal(weft_bytes_write("f", bytes, head + count, &err), WEFT_OK);
    free(bytes);
}

/* Wherever the first piece ends, the text is the same program. */
static void same_anywhere(const char *of, const char *step)
{
    weft_program_choice choice = {.file = "f", .steps = 9};
    weft_error err = {.text = ""};
    char *whole = NULL, *text = NULL;
    assert_int_equal(weft_bytes_write("f", of, strlen(of), &err), WEFT_OK);
    assert_int_equal(weft_program_import(&choice, NULL, &whole, &err), WEFT_OK);
    assert_non_null(strstr(whole, "format                 goal\nranks                  2\n"));
    assert_non_null(strstr(whole, step));
    for (size_t i = 0; i < strlen(of); i++) {
        put_behind(of, i);
        if (weft_program_import(&choice, NULL, &text, &err) != WEFT_OK)
            fail_msg("%zu: %s", i, err.text);
        assert_string_equal(text, whole);
        free(text);
    }
    free(whole);
}

static void windows_may_end_anywhere(void **state)
{
    weft_program_choice choice = {.file = "f"};
    weft_error err = {.text = ""};
    char *text = NULL;
    (void)state;
    same_anywhere(good,
                  "       3  calc                             5 ticks  after the start of 2\n");
    same_anywhere("num_ranks 2\nrank 0 { recv 1b from -1 }\nrank 1 { send 1b to 0 tag -1 }\n",
                  "       1  recv from      any               1 B\n");
    /* lines of what does not fit are found by reading once more */
    put_behind("num_ranks 1\nrank 0 {\ncalc 7\n\nsend 1b to 0\n}\n", 35);
    assert_int_equal(weft_program_import(&choice, NULL, &text, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text,
                        "f:6: send 1 B to rank 0 with tag 0 (operation 2 of rank 0): that "
                        "rank has no receive for this message");
}

/* ---- binary ---- */

static weft_bytes binary_of(const char *text)
{
    weft_format_options options = PROGRAM_OPTIONS;
    weft_program program;
    weft_error err = {.text = ""};
    if (program_read(&weft_format_goal, text, strlen(text), &options, &program, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    weft_bytes bytes = weft_goal_write(&program);
    weft_program_done(&program);
    return bytes;
}

static void put(weft_bytes bytes, size_t at, size_t count, uint64_t number)
{
    assert_true(at + count <= bytes.count);
    for (size_t i = 0; i < count; i++)
        bytes.at[at + i] = (char)(number >> 8 * i);
}

/* Operations of 39 bytes follow the head, the table of ranks and the roots of their rank. */
enum { TABLE = 14, PART = 46, FIRST = 58, SECOND = 97, DEPENDENTS = 175 };

static void wrong_binaries_are_named(void **state)
{
    static const struct {
        size_t at, count;
        uint64_t number;
        const char *sentence;
    } patches[] = {
        {0, 8, 2342, "x was used up by a run of LogGOPSim in place; convert the text again"},
        {8, 4, 0, "x: the table of ranks must lie inside the file, found 0 ranks in 234 bytes"},
        {8, 4, 14, "x: the table of ranks must lie inside the file, found 14 ranks in 234 bytes"},
        {8, 4, UINT32_MAX,
         "x: the table of ranks must lie inside the file, found 4294967295 ranks in 234 bytes"},
        {TABLE, 8, 1000, "x: rank 0: its part must lie inside the file, found 1000"},
        {TABLE + 8, 8, 227, "x: rank 0: its part must lie inside the file, found 38"},
        {TABLE + 8, 8, 45, "x: rank 0: its part must lie inside the file, found 38"},
        {PART, 4, 4, "x: rank 0: its operations must lie inside its part, found 4"},
        {PART + 4, 4, 1000, "x: rank 0: its operations must lie inside its part, found 3"},
        {FIRST + 4, 1, 0, "x: rank 0: an operation is 1 (send), 2 (recv) or 3 (calc), found 0"},
        {FIRST + 4, 1, 4, "x: rank 0: an operation is 1 (send), 2 (recv) or 3 (calc), found 4"},
        {FIRST + 5, 4, 7, "x: rank 0: ranks are 0 to 1, found 7"},
        {FIRST + 9, 8, 281474976710657, "x: rank 0: a size is at most 2^48, found 281474976710657"},
        {FIRST + 23, 4, 3, "x: rank 0: dependents must lie inside its part, found 0"},
        {FIRST + 27, 4, 9, "x: rank 0: dependents must lie inside its part, found 9"},
        {SECOND + 31, 4, 2, "x: rank 0: dependents must lie inside its part, found 1"},
        {DEPENDENTS, 4, 3, "x: rank 0: a dependent must be one of its operations, found 3"},
        {DEPENDENTS, 4, 0, "x: rank 0: operation 1, which waits for 1: none of them can start"},
        {FIRST + 17, 4, 9,
         "x: recv 10 B from rank 0 with tag 3 (operation 1 of rank 1): that rank "
         "sends no such message"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++) {
        weft_bytes bytes = binary_of(good);
        assert_int_equal(bytes.count, 234);
        put(bytes, patches[i].at, patches[i].count, patches[i].number);
        program_refused_bytes(&weft_format_goal, bytes.at, bytes.count, patches[i].sentence);
        free(bytes.at);
    }
    weft_bytes bytes = binary_of(good);
    program_refused_bytes(&weft_format_goal, bytes.at, 10,
                          "x: the table of ranks must lie inside the file, found 0 ranks in 10 "
                          "bytes");
    free(bytes.at);
}

/* What is in the file once may not be named again and again. */
static void parts_are_not_repeated(void **state)
{
    weft_text text;
    weft_text_init(&text);
    (void)state;
    weft_text_add(&text, "num_ranks 4\nrank 0 {\n");
    for (int i = 0; i < 20; i++)
        weft_text_add(&text, "calc 1\n");
    weft_text_add(&text, "}\nrank 1 {\n}\nrank 2 {\n}\nrank 3 {\n}\n");
    weft_bytes bytes = binary_of(text.at);
    for (size_t r = 1; r < 4; r++)
        memcpy(bytes.at + TABLE + 16 * r, bytes.at + TABLE, 16);
    program_refused_bytes(&weft_format_goal, bytes.at, bytes.count,
                          "x: rank 2: parts of ranks must not overlap, found 70");
    free(bytes.at);
    /* 60 times the last of 11 after the first; each of the ten before it shall name them all */
    text.length = 0;
    weft_text_add(&text, "num_ranks 2\nrank 0 {\na: calc 1\n");
    for (int i = 0; i < 9; i++)
        weft_text_add(&text, "calc 1\n");
    weft_text_add(&text, "z: calc 1\n");
    for (int i = 0; i < 60; i++)
        weft_text_add(&text, "z requires a\n");
    weft_text_add(&text, "}\nrank 1 {\n}\n");
    bytes = binary_of(text.at);
    size_t first = PART + 8 + 4 * 10;
    for (size_t i = 0; i < 10; i++) {
        put(bytes, first + 39 * i + 23, 4, 60);
        put(bytes, first + 39 * i + 27, 4, 0);
    }
    memcpy(bytes.at + TABLE + 16, bytes.at + TABLE, 16);
    program_refused_bytes(&weft_format_goal, bytes.at, bytes.count,
                          "x: all ranks must have fewer dependencies than the file has bytes, "
                          "found 1200");
    for (size_t i = 0; i < 10; i++) {
        put(bytes, first + 39 * i + 31, 4, 60);
        put(bytes, first + 39 * i + 35, 4, 0);
    }
    program_refused_bytes(&weft_format_goal, bytes.at, bytes.count,
                          "x: rank 0: it must have fewer dependencies than the file has bytes, "
                          "found 840");
    free(bytes.at);
    weft_text_done(&text);
}

/* A file that becomes shorter while it is read, where its table is and where its parts are. */
static void files_may_become_shorter(void **state)
{
    weft_text text;
    weft_text_init(&text);
    (void)state;
    weft_text_add(&text, "num_ranks 8000\nrank 0 {\n");
    for (int i = 0; i < 10000; i++)
        weft_text_add(&text, "calc 1\n");
    weft_text_add(&text, "}\n");
    for (int i = 1; i < 8000; i++)
        weft_text_add(&text, "rank %d {\n}\n", i);
    weft_bytes bytes = binary_of(text.at);
    for (int table = 0; table < 2; table++) {
        weft_window window;
        weft_program program = {0};
        weft_error err = {.text = ""};
        assert_int_equal(weft_bytes_write("f", bytes.at, bytes.count, &err), WEFT_OK);
        assert_int_equal(weft_window_open("f", UINT64_MAX, "a program", &window, &err), WEFT_OK);
        assert_int_equal(truncate("f", table ? 50000 : 200000), 0);
        weft_goal_source source = {.file = "f", .window = &window};
        assert_int_equal(weft_goal_read(&source, &program, &err), WEFT_BAD_INPUT);
        assert_string_equal(err.text, "f cannot be read to its end: an I/O error, or it became "
                                      "shorter");
        weft_window_close(&window);
    }
    free(bytes.at);
    weft_text_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_text_is_named),      cmocka_unit_test(every_byte_of_a_text_matters),
        cmocka_unit_test(windows_may_end_anywhere), cmocka_unit_test(wrong_binaries_are_named),
        cmocka_unit_test(parts_are_not_repeated),   cmocka_unit_test(files_may_become_shorter),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
