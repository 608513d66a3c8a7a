/* SPDX-License-Identifier: Apache-2.0 */
/* Chakra execution traces: what is wrong in JSON, in protobuf, in a node, in a group or among the
 * files of ranks is named with its place, and what is unusual is read. */
#include "interweft/program.h"
#include "test_folder.h"
#include "unit/test_program.h"

#include "base/file.h"

#include <unistd.h>

typedef struct wrong {
    const char *text, *sentence;
} wrong;

static void wrong_json_is_named(void **state)
{
    static const wrong texts[] = {
        {"{", "x:1: wanted the name of a member in quotes, found the end of the file"},
        {"{\n\t7", "x:2: wanted the name of a member in quotes, found '7'"},
        {"{\"a\":1 \"b\":2}", "x:1: wanted a comma or }, found '\"'"},
        {"{\"a\":}", "x:1: wanted a number, a text, true, false or null, found '}'"},
        {"{\"a\":\001}", "x:1: wanted a number, a text, true, false or null, found the byte 0x01"},
        {"{\"a\":\200}", "x:1: wanted a number, a text, true, false or null, found the byte 0x80"},
        {"{\"a\":\"b", "x:1: wanted a quote at the end of a text, found the end of the file"},
        {"{\"a\":\"b\\", "x:1: wanted a quote at the end of a text, found the end of the file"},
        {"{\"a\n\\\"b\":1\r\n2", "x:3: wanted a comma or }, found '2'"},
        {"[1]", "x:1: wanted a node {, found '1'"},
        {"[{\"a\":7}", "x:1: wanted a comma or ], found the end of the file"},
        {"[{\"a\":7},{\"a\"}]", "x:1: wanted a colon, found '}'"},
        {"{} x", "x:1: wanted nodes: { or [, found 'x'"},
        {"{\"workload_graph\":3}", "x:1: wanted nodes: { or [, found '3'"},
        {"{\"data_deps\":3}", "x:1: wanted a list of nodes, found '3'"},
        {"{\"data_deps\":[}", "x:1: wanted a number, a text, true, false or null, found '}'"},
        {"{\"ctrl_deps\":[x]}", "x:1: a node that is waited for must be a number, found 'x'"},
        {"{\"ctrlDeps\":[1 2]}", "x:1: wanted a comma or ], found '2'"},
        {"{\"attr\":3}", "x:1: wanted a list of attributes, found '3'"},
        {"{\"attr\":[3]}", "x:1: wanted an attribute {, found '3'"},
        {"{\"attr\":[{3}]}", "x:1: wanted the name of a member in quotes, found '3'"},
        {"{\"attr\":[{\"name\":]}]}",
         "x:1: wanted a number, a text, true, false or null, found ']'"},
        {"{\"attr\":[{\"x\":[\n", "x:2: wanted a number, a text, true, false or null, found the "
                                  "end of the file"},
        {"{\"attr\":[{\"x\":}]}", "x:1: wanted a number, a text, true, false or null, found '}'"},
        {"{\"attr\":[{\"x\":1 2}]}", "x:1: wanted a comma or }, found '2'"},
        {"{\"attr\":[{\"x\":1} 2]}", "x:1: wanted a comma or ], found '2'"},
        {"{\"attr\":[{\"name\":\"comm_size\",\"int64Val\":\"q\"}]}",
         "x:1: comm_size must be a number, found 'q'"},
        {"{\"comm_tag\":\"q\"}", "x:1: comm_tag must be a number, found 'q'"},
        {"{\"id\":\"q\"}", "x:1: the id of a node must be a number, found 'q'"},
        {"{\"type\":\"COMM_NODE\"}", "x:1: the type of a node must be a number, found 'COMM_NODE'"},
        {"{\"runtime\":\"long\"}", "x:1: the duration of a node must be a number, found 'long'"},
        {"{\"x\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
         "x:1: wanted at most 64 values within each other, found '['"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        program_refused(&weft_format_chakra, texts[i].text, texts[i].sentence);
}

static void wrong_nodes_are_named(void **state)
{
    static const wrong texts[] = {
        {"{\"id\":7,\"type\":0}", "x: node 1 (id 7): wanted a type, 1 to 7, found 0"},
        {"{\"id\":7,\"type\":99999999999}",
         "x: node 1 (id 7): wanted a type, 1 to 7, found 4294967295"},
        {"{\"id\":7,\"type\":4,\"runtime\":1e12}",
         "x: node 1 (id 7): wanted a duration of at most 2^48 ticks, in microseconds, found "
         "1000000000000"},
        {"{\"id\":7,\"type\":5,\"comm_dst\":-1}",
         "x: node 1 (id 7): wanted a comm_dst that has a file, found 18446744073709551615"},
        {"{\"id\":7,\"type\":6,\"comm_src\":1}",
         "x: node 1 (id 7): wanted a comm_src that has a file, found 1"},
        {"{\"id\":7,\"type\":5,\"comm_tag\":1073741824}",
         "x: node 1 (id 7): wanted a comm_tag below 2^30, found 1073741824"},
        {"{\"id\":7,\"type\":5,\"comm_size\":281474976710657}",
         "x: node 1 (id 7): wanted a comm_size of at most 2^48, found 281474976710657"},
        {"{\"id\":7,\"type\":7,\"comm_type\":10}",
         "x: node 1 (id 7): wanted a comm_type, 0 to 9, found 10"},
        {"{\"id\":7,\"type\":7,\"comm_size\":281474976710657}",
         "x: node 1 (id 7): wanted a comm_size of at most 2^48 for all ranks, found "
         "281474976710657"},
        {"{\"id\":7,\"type\":7,\"pg_name\":\"a group of its own\"}",
         "x: node 1 (id 7): the ranks of process group 'a group of its own' are not known: "
         "groups=FILE names them"},
        {"{\"id\":7,\"type\":5}\n", "x: send 0 B to rank 0 with tag 0 (operation 1 of rank 0): "
                                    "that rank has no receive for this message"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        program_refused(&weft_format_chakra, texts[i].text, texts[i].sentence);
}

/* A send and a receive of six bytes at one rank, then a microsecond and a half. */
#define PAIR                                                   \
    "[{\"id\":1,\"type\":\"COMM_SEND_NODE\",\"comm_size\":6}," \
    "{\"id\":2,\"type\":\"COMM_RECV_NODE\",\"comm_size\":\"6\",\"x\":[{\"y\":null}]},"

static void unusual_json_is_read(void **state)
{
    (void)state;
    program_ends(&weft_format_chakra,
                 PAIR "{\"Id\":3,\"type\":4,\"runtime\":1.5,\"dataDeps\":[2]}]", "2505");
    program_ends(&weft_format_chakra,
                 PAIR "{\"id\":3,\"type\":4,\"duration_micros\":\"\",\"ctrl_deps\":[2,1]}] {}",
                 "1005");
    /* true is one microsecond; what has no type is no node, and waits for nothing */
    program_ends(&weft_format_chakra,
                 "{\"type\":2,\"runtime\":true}{\"id\":5,\"data_deps\":[77]}"
                 "{\"id\":4,\"type\":3,\"runtime\":null,\"data_deps\":[0]}",
                 "1000");
    program_ends(&weft_format_chakra,
                 "{\"id\":1,\"type\":7,\"comm_type\":\"BARRIER\"}"
                 "{\"id\":2,\"type\":7,\"comm_type\":4}",
                 "0");
    /* identifiers of 64 bits that differ in their last digit */
    program_ends(&weft_format_chakra,
                 "{\"id\":18446744073709551615,\"type\":4,\"runtime\":2}"
                 "{\"id\":\"18446744073709551614\",\"type\":4,\"runtime\":3,"
                 "\"data_deps\":[18446744073709551615]}",
                 "5000");
    program_limited(&weft_format_chakra,
                    PAIR "{\"id\":3,\"type\":4},{\"id\":4,\"type\":1},{\"id\":5,\"type\":7}]");
}

static void dependencies_are_limited(void **state)
{
    static const char *const text =
        "{\"id\":1,\"type\":4}{\"id\":2,\"type\":4,\"data_deps\":[1]}"
        "{\"id\":3,\"type\":4,\"data_deps\":[1,2]}{\"id\":4,\"type\":4,\"data_deps\":[1,2,3,1,1]}";
    weft_format_options options = PROGRAM_OPTIONS;
    weft_program program;
    weft_error err = {.text = ""};
    (void)state;
    options.operations_max = 4;
    assert_int_equal(
        program_read(&weft_format_chakra, text, strlen(text), &options, &program, &err), WEFT_OK);
    assert_int_equal(program.n_dependents, 8);
    weft_program_done(&program);
    char *more = weft_text_format("%s%s", text, "{\"id\":0,\"type\":1,\"data_deps\":[4]}");
    char *last = strstr(more, "{\"id\":0");
    memcpy(last, "{\"id\":4", 7);
    program_refused(&weft_format_chakra, more,
                    "x: node 5 (id 4): wanted an id of its own, found 4");
    free(more);
    more = weft_text_format("%.*s,2]}", (int)strlen(text) - 2, text);
    assert_int_equal(
        program_read(&weft_format_chakra, more, strlen(more), &options, &program, &err),
        WEFT_BAD_INPUT);
    assert_string_equal(err.text, "x: the program has more than 8 dependencies");
    free(more);
}

/* ---- protobuf ---- */

#define METADATA "\003\012\0010"

static void wrong_protobuf_is_named(void **state)
{
    static const struct {
        const char *bytes;
        size_t count;
    } fields[] = {
#define BYTES(text) {METADATA text, sizeof METADATA text - 1}
        BYTES("\002\010\200"),                 /* a number that does not end */
        BYTES("\001\001"),                     /* field 0 */
        BYTES("\001\013"),                     /* a type that is none */
        BYTES("\002\071\001"),                 /* eight bytes, of which one is there */
        BYTES("\003\122\001\200"),             /* in an attribute */
        BYTES("\003\052\001\200"),             /* in dependencies */
        BYTES("\002\022\007"),                 /* a text longer than the node */
        BYTES("\006\210\200\200\200\020\001"), /* a field of more than 32 bits */
        BYTES("\014\010\377\377\377\377\377\377\377\377\377\377\001"), /* more than 64 bits */
    };
    (void)state;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        program_refused_bytes(&weft_format_chakra, fields[i].bytes, fields[i].count,
                              "x: byte 4: wanted the fields of node 1, found what is no field of "
                              "protobuf");
    program_refused_bytes(&weft_format_chakra, METADATA "\005\010", 6,
                          "x: byte 4: wanted a message of protobuf after its length, found one "
                          "that does not end in the file");
}

static void unusual_protobuf_is_read(void **state)
{
    /* 2 us in eight bytes, and an unknown field of four */
    static const char fixed[] = METADATA "\022\010\001\030\004\071\002\000\000\000\000\000\000\000"
                                         "\115\001\002\003\004";
    /* a send of six bytes, whose size is signed (zigzag), and a receive of seven, whose size is
     * signed and short, that waits for it by one number */
    static const char pair[] =
        METADATA "\024\010\001\030\005\122\016\012\011comm_size\210\001\014"
                 "\025\010\002\030\006\050\001\122\015\012\011comm_sizex\016";
    weft_format_options options = PROGRAM_OPTIONS;
    weft_program program;
    weft_error err = {.text = ""};
    (void)state;
    if (program_read(&weft_format_chakra, fixed, sizeof fixed - 1, &options, &program, &err) !=
        WEFT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(program.n_operations, 1);
    assert_int_equal(weft_operation_size(&program.operations[0]), 2000);
    weft_program_done(&program);
    if (program_read(&weft_format_chakra, pair, sizeof pair - 1, &options, &program, &err) !=
        WEFT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(program.n_operations, 2);
    assert_int_equal(weft_operation_size(&program.operations[0]), 6);
    assert_int_equal(weft_operation_size(&program.operations[1]), 7);
    assert_int_equal(program.n_dependents, 1);
    weft_program_done(&program);
}

/* Protobuf is known by its first two messages. */
static void protobuf_is_known(void **state)
{
    static const struct {
        const char *bytes;
        size_t count;
        bool is;
    } cases[] = {
        {METADATA "\002\010\001", 7, true},
        {METADATA, 4, false},
        {METADATA "\002\010", 6, false},
        {METADATA "\000", 5, false},
        {METADATA "\002\130\001", 7, false},    /* field 11 of a node */
        {"\002\030\001\002\010\001", 6, false}, /* field 3 of metadata */
        {"\000\002\010\001", 4, false},
        {"\003\012\0010\001\001", 6, false},
        {"", 0, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char bytes[16] = "";
        memcpy(bytes, cases[i].bytes, cases[i].count);
        weft_format_input input = {.bytes = {.at = bytes, .count = cases[i].count}};
        if (weft_format_chakra.is(&input) != cases[i].is)
            fail_msg("case %zu", i);
    }
}

/* ---- files ---- */

static void put_file(const char *name, const char *text)
{
    weft_error err;
    assert_int_equal(weft_bytes_write(name, text, strlen(text), &err), WEFT_OK);
}

static void import_is(const weft_program_choice *choice, weft_status wanted, const char *sentence)
{
    char *text = NULL;
    weft_error err = {.text = ""};
    weft_status status = weft_program_import(choice, NULL, &text, &err);
    const char *told = status == WEFT_OK ? text : err.text;
    if (status != wanted || strncmp(told, sentence, strlen(sentence)) != 0)
        fail_msg("wanted %s\nfound  %s", sentence, told);
    free(text);
}

static void files_of_ranks_belong_together(void **state)
{
    weft_program_choice choice = {.file = "run.1.json"};
    (void)state;
    put_file("run.1.json", "[]");
    import_is(&choice, WEFT_BAD_INPUT,
              "run.1.json: ranks are numbered from 0 and each has a file, "
              "found none of rank 0");
    put_file("run.0.json", "[]");
    import_is(&choice, WEFT_OK,
              "format                 chakra, 2 files\nranks                  2\n");
    put_file("run.1.json", "[{]");
    import_is(&choice, WEFT_BAD_INPUT,
              "run.1.json:1: wanted the name of a member in quotes, found ']'");
    put_file("run.0.json", "{\"id\":1,\"type\":7,\"comm_size\":8}");
    put_file("run.1.json", "{\"id\":1,\"type\":7,\"comm_size\":9}");
    import_is(&choice, WEFT_BAD_INPUT,
              "run.1.json: node 1 (id 1): collective 1 of group 0 must be "
              "ALL_REDUCE of 8 bytes, as at another rank");
    put_file("run.1.json", "{\"id\":1,\"type\":7,\"comm_size\":8,\"comm_type\":5}");
    import_is(&choice, WEFT_BAD_INPUT,
              "run.1.json: node 1 (id 1): collective 1 of group 0 must be "
              "ALL_REDUCE of 8 bytes, as at another rank");
    /* names without a rank are one file alone */
    static const char *const alone[] = {"7.json", "run.json", ".json", "run7.json", "json"};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        put_file(alone[i], "[]");
        import_is(&(weft_program_choice){.file = alone[i]}, WEFT_OK,
                  "format                 chakra\nranks                  1\n");
    }
}

static void groups_are_read(void **state)
{
    static const wrong texts[] = {
        {"", "groups:1: wanted {"},
        {" \t\r\n[", "groups:2: wanted {"},
        {"{", "groups:1: wanted the name of a group in quotes"},
        {"{7", "groups:1: wanted the name of a group in quotes"},
        {"{\"7", "groups:1: wanted a colon and a list of ranks"},
        {"{\"7\" [", "groups:1: wanted a colon and a list of ranks"},
        {"{\"7\": 1", "groups:1: wanted a colon and a list of ranks"},
        {"{\"0\": [1]}", "groups:1: wanted names that differ"},
        {"{\"7\": [1],\n\"7\": [0]}", "groups:2: wanted names that differ"},
        {"{\"7\": []}", "groups:1: wanted at least one rank"},
        {"{\"7\": [2]}", "groups:1: wanted a rank that has a file"},
        {"{\"7\": [0 1]}", "groups:1: wanted a comma or ]"},
        {"{\"7\": [0", "groups:1: wanted a comma or ]"},
        {"{\"7\": [0] \"8\": [1]}", "groups:1: wanted a comma or }"},
        {"{\"7\": [0],\n \"8\": [1]\n", "groups:3: wanted a comma or }"},
    };
    weft_program_choice choice = {.file = "run.0.json", .groups = "groups"};
    (void)state;
    put_file("run.0.json", "{\"id\":1,\"type\":7,\"comm_size\":8,\"pg_name\":\"7\"}");
    put_file("run.1.json", "{\"id\":1,\"type\":7,\"comm_size\":8,\"pg_name\":\"8\"}");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put_file("groups", texts[i].text);
        char *sentence =
            weft_text_format("%s; groups are {\"1\": [0, 1], \"2\": [2, 3]}", texts[i].sentence);
        import_is(&choice, WEFT_BAD_INPUT, sentence);
        free(sentence);
    }
    put_file("groups", "{\"7\" : [ 0, ] , \"8\" : [ 1 ] , }");
    import_is(&choice, WEFT_OK,
              "format                 chakra, 2 files\n"
              "in the file            2 coll\n");
    put_file("groups", "{\"7\":[1],\"8\":[1]}");
    import_is(&choice, WEFT_BAD_INPUT,
              "run.0.json: node 1 (id 1): rank 0 is not in process group 7");
    choice.groups = "nothing";
    import_is(&choice, WEFT_BAD_INPUT, "nothing cannot be read: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_json_is_named),     cmocka_unit_test(wrong_nodes_are_named),
        cmocka_unit_test(unusual_json_is_read),    cmocka_unit_test(dependencies_are_limited),
        cmocka_unit_test(wrong_protobuf_is_named), cmocka_unit_test(unusual_protobuf_is_read),
        cmocka_unit_test(protobuf_is_known),       cmocka_unit_test(files_of_ranks_belong_together),
        cmocka_unit_test(groups_are_read),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
