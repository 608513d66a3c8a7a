/* SPDX-License-Identifier: Apache-2.0 */
/* Programs divided between two processes: each keeps its ranks as they are in the whole, with their
 * partners; both refuse the same with the same sentence, whoever has the rank. */
#include "program/files.h"
#include "program/goal/goal.h"
#include "test_folder.h"
#include "unit/test_program.h"

#include "base/file.h"

#include <dirent.h>
#include <unistd.h>

typedef struct process {
    uint32_t parity, visited;
    const char *rewrite; /* what the file becomes while it is read */
    bool fails;
} process;

static weft_status keep(void *user, uint32_t n_ranks, uint64_t **kept, weft_error *err)
{
    const process *p = user;
    if (p->fails)
        return weft_fail(err, WEFT_BAD_INPUT, "nobody keeps it");
    *kept = malloc(sizeof **kept * (n_ranks / 64 + 1));
    for (uint32_t i = 0; i <= n_ranks / 64; i++)
        (*kept)[i] = p->parity ? 0xaaaaaaaaaaaaaaaau : 0x5555555555555555u;
    if (p->rewrite)
        assert_int_equal(weft_bytes_write("f", p->rewrite, strlen(p->rewrite), err), WEFT_OK);
    return WEFT_OK;
}

static void visit(void *user, uint32_t rank, const weft_operation *operations, uint32_t count)
{
    process *p = user;
    assert_int_equal(rank, p->visited++);
    for (uint32_t i = 0; i < count; i++)
        assert_in_range(operations[i].kind, 0, 2);
}

static weft_status read_part(const char *file, process *p, bool answers, weft_program *program,
                             weft_error *err)
{
    weft_program_division by = {
        .most = 2, .answers = answers, .keep = keep, .visit = visit, .user = p};
    *program = (weft_program){0};
    return weft_program_read_part(file, &by, program, err);
}

static void compare(const weft_program *part, uint32_t parity, bool answers,
                    const weft_program *whole)
{
    assert_true(part->divided);
    assert_int_equal(part->n_operations, whole->n_operations);
    for (uint32_t r = 0; r < whole->n_ranks; r++) {
        assert_int_equal(part->first[r], whole->first[r]);
        if (r % 2 != parity) {
            assert_int_equal(part->at[r], WEFT_PROGRAM_NONE);
            continue;
        }
        for (uint32_t i = 0; i < whole->first[r + 1] - whole->first[r]; i++) {
            const weft_operation *a = &part->operations[part->at[r] + i],
                                 *b = &whole->operations[whole->first[r] + i];
            assert_int_equal(a->kind, b->kind);
            assert_int_equal(a[1].dependents - a->dependents, b[1].dependents - b->dependents);
            for (uint32_t d = 0; d < a[1].dependents - a->dependents; d++)
                assert_int_equal(part->dependents[a->dependents + d],
                                 whole->dependents[b->dependents + d]);
            if (a->kind == WEFT_OPERATION_CALC)
                continue;
            uint32_t partner = whole->partners[whole->first[r] + i];
            assert_int_equal(a->peer, b->peer);
            if (answers || a->kind == WEFT_OPERATION_RECV)
                assert_int_equal(a->tag, partner - whole->first[b->peer]);
            if (a->kind == WEFT_OPERATION_RECV)
                assert_true(weft_operation_size(a) ==
                            weft_operation_size(&whole->operations[partner]));
        }
    }
}

static bool is_wild(const weft_program *program)
{
    bool wild = false;
    for (uint32_t r = 0; r < program->n_ranks; r++)
        wild |= weft_program_wild(program, r);
    return wild;
}

/* 1 if a file was divided, in both parts and both ways. */
static int check_file(const char *file, bool streams)
{
    weft_program whole = {0}, part;
    weft_error err = {.text = ""};
    if (weft_program_make(&(weft_program_choice){.file = file}, &whole, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    int divided = whole.n_operations > 2 && !is_wild(&whole);
    for (uint32_t i = 0; i < 4 && divided; i++) {
        bool answers = i / 2 || !streams;
        process p = {.parity = i % 2};
        if (read_part(file, &p, answers, &part, &err) != WEFT_OK)
            fail_msg("%s", err.text);
        assert_int_equal(p.visited, whole.n_ranks);
        compare(&part, p.parity, answers, &whole);
        assert_true(weft_program_bytes(&part) > 0);
        weft_program_done(&part);
    }
    weft_program_done(&whole);
    return divided;
}

static void parts_are_those_of_the_whole(void **state)
{
    static const char *const folders[] = {WEFT_TEST_DATA "/workloads",
                                          WEFT_TEST_DATA "/workloads/ti"};
    int divided = 0;
    (void)state;
    for (int i = 0; i < 2; i++) {
        DIR *open = opendir(folders[i]);
        assert_non_null(open);
        for (const struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
            const char *ending = strrchr(entry->d_name, '.');
            if (!ending || strcmp(ending, i ? ".ti" : ".goal") != 0)
                continue;
            char *path = weft_text_format("%s/%s", folders[i], entry->d_name);
            divided += check_file(path, !i);
            free(path);
        }
        closedir(open);
    }
    print_message("%d programs\n", divided);
    assert_true(divided > 50);
}

/* ---- refusals ---- */

static void put_file(const char *bytes, size_t count)
{
    weft_error err;
    assert_int_equal(weft_bytes_write("f", bytes, count, &err), WEFT_OK);
}

static void both_refuse(const char *sentence)
{
    for (uint32_t i = 0; i < 4; i++) {
        process p = {.parity = i % 2};
        weft_program part;
        weft_error err = {.text = ""};
        weft_status status = read_part("f", &p, i / 2, &part, &err);
        if (status != WEFT_BAD_INPUT || strcmp(err.text, sentence) != 0)
            fail_msg("process %u of %u: wanted %s\nfound  %s", i % 2, i / 2, sentence,
                     status == WEFT_OK ? "a program" : err.text);
    }
}

#define MORE "num_ranks 2\nrank 0 {\nsend 1b to 1\nsend 1b to 1 tag 7\n}\nrank 1 {\n"

static void both_name_what_does_not_fit(void **state)
{
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {MORE "recv 1b from 0\ncalc 1\n}\n",
         "f:4: send 1 B to rank 1 with tag 7 (operation 2 of rank 0): that rank has no receive for "
         "this message"},
        {MORE "recv 1b from 0\nrecv 9b from 0 tag 7\nrecv 2b from 0 tag 8\n}\n",
         "f:9: recv 2 B from rank 0 with tag 8 (operation 3 of rank 1): that rank sends no such "
         "message"},
        {MORE "recv 1b from 0\nrecv 9b from 0 tag 7\nsend 2b to 0\n}\n",
         "f:9: send 2 B to rank 0 with tag 0 (operation 3 of rank 1): that rank has no receive for "
         "this message"},
        {MORE "recv 1b from -1\nrecv 1b from -1\n}\n",
         "f: rank 1 receives from any source or with any tag, and a program of more than 2 "
         "operations is divided between processes; with measure.ideal-limit: 4 every process keeps "
         "all of it"},
        {"0 recv -1 0 1\n1 send 0 0 1\n0 compute 1\n",
         "f: rank 0 receives from any source or with any tag, and a program of more than 2 "
         "operations is divided between processes; with measure.ideal-limit: 3 every process keeps "
         "all of it"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_file(cases[i].text, strlen(cases[i].text));
        both_refuse(cases[i].sentence);
    }
}

static void binaries_are_divided_too(void **state)
{
    weft_program program = {0};
    weft_error err = {.text = ""};
    (void)state;
    const char *text = MORE "recv 1b from 0\nrecv 9b from 0 tag 7\n}\n";
    put_file(text, strlen(text));
    assert_int_equal(check_file("f", true), 1);
    assert_int_equal(weft_program_make(&(weft_program_choice){.file = "f"}, &program, &err),
                     WEFT_OK);
    weft_bytes bytes = weft_goal_write(&program);
    weft_program_done(&program);
    put_file(bytes.at, bytes.count);
    assert_int_equal(check_file("f", true), 1);
    /* the tag of the last receive, which is all that is behind but CPU, NIC and dependents */
    bytes.at[bytes.count - 39 + 17] = 9;
    put_file(bytes.at, bytes.count);
    both_refuse(
        "f: send 1 B to rank 1 with tag 7 (operation 2 of rank 0): that rank has no receive "
        "for this message");
    free(bytes.at);
}

static void files_may_change(void **state)
{
    process p = {.parity = 0, .rewrite = MORE "recv 1b from 0\nrecv 9b from 0 tag 7\n}\n"};
    const char *wrong = MORE "recv 1b from 0\n}\n";
    weft_program part;
    weft_error err = {.text = ""};
    (void)state;
    put_file(wrong, strlen(wrong));
    assert_int_equal(read_part("f", &p, true, &part, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "f has changed while it was read");
    p = (process){.fails = true};
    assert_int_equal(read_part("f", &p, true, &part, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "nobody keeps it");
    const char *trace = "0 compute 1\n0 compute 1\n0 compute 1\n";
    put_file(trace, strlen(trace));
    assert_int_equal(read_part("f", &p, true, &part, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "nobody keeps it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_those_of_the_whole),
        cmocka_unit_test(both_name_what_does_not_fit),
        cmocka_unit_test(binaries_are_divided_too),
        cmocka_unit_test(files_may_change),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
