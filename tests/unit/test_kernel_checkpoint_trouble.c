/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints that somebody else meddles with while they are written or read, and systems that have
 * no file descriptor or no memory left: each is a message that names the file. */
#include "base/pack.h"
#include "kernel/checkpoint.h"
#include "kernel/checkpoint_file.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "sanitized.h"
#include "unit/test_folder.h"

#define DATA "some bytes"

static void add(weft_checkpoint_part *writer, uint32_t box, int64_t cost, size_t bytes)
{
    weft_error err;
    assert_int_equal(weft_checkpoint_part_add(writer, box, cost, DATA, bytes, &err), WEFT_OK);
}

/* A generation that is not yet committed: one part with three chunks, two of them empty. */
static uint64_t begin(const char *name)
{
    weft_checkpoint_part *writer;
    weft_error err;
    uint64_t generation;
    assert_int_equal(weft_checkpoint_begin(name, &generation, &err), WEFT_OK);
    assert_int_equal(weft_checkpoint_part_open(name, generation, 0, &writer, &err), WEFT_OK);
    add(writer, 7, 3, 0);
    add(writer, 7, 1, 0);
    add(writer, 7, 2, sizeof DATA);
    assert_int_equal(weft_checkpoint_part_close(writer, &err), WEFT_OK);
    return generation;
}

static weft_checkpoint *written(const char *name)
{
    weft_checkpoint *checkpoint;
    weft_error err;
    uint64_t generation = begin(name);
    assert_int_equal(weft_checkpoint_commit(name, generation, 1, NULL, 0, &err), WEFT_OK);
    assert_int_equal(weft_checkpoint_open(name, generation, &checkpoint, &err), WEFT_OK);
    return checkpoint;
}

/* Whatever sorts them: empty ones lie where the next one starts. */
static void chunks_of_one_place_have_an_order(void **state)
{
    (void)state;
    weft_checkpoint *checkpoint = written("order");
    assert_int_equal(checkpoint->n_chunks, 3);
    assert_true(checkpoint->chunks[0].bytes == 0 && checkpoint->chunks[0].cost == 1);
    assert_true(checkpoint->chunks[1].bytes == 0 && checkpoint->chunks[1].cost == 3);
    assert_true(checkpoint->chunks[2].bytes == sizeof DATA && checkpoint->chunks[2].cost == 2);
    assert_int_equal(checkpoint->chunks[0].offset, checkpoint->chunks[2].offset);
    weft_checkpoint_close(checkpoint);
}

static void a_part_that_shrinks_later_is_named(void **state)
{
    (void)state;
    weft_checkpoint *checkpoint = written("shrinks");
    weft_error err;
    void *data;
    assert_int_equal(truncate("shrinks/1/part-00000", WEFT_PART_HEADER + 3), 0);
    assert_int_equal(weft_checkpoint_read(checkpoint, 2, &data, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "shrinks/1/part-00000: became shorter after it was opened");
    assert_null(data);
    weft_checkpoint_close(checkpoint);
}

static void reading_stops_where_a_file_ends_or_fails(void **state)
{
    (void)state;
    weft_checkpoint_file file;
    weft_error err;
    char data[sizeof DATA];
    assert_int_equal(mkdir("1", 0777), 0);
    int fd = open("1/part-00000", O_WRONLY | O_CREAT, 0666);
    assert_int_equal(write(fd, DATA, sizeof DATA), sizeof DATA);
    assert_int_equal(close(fd), 0);
    assert_int_equal(weft_file_open(".", 1, false, "part-00000", &file, &err), WEFT_OK);
    assert_int_equal(truncate("1/part-00000", 4), 0);
    assert_int_equal(weft_file_read(&file, 0, data, sizeof data, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "./1/part-00000: became shorter while it was read");
    assert_int_equal(close(file.fd), 0);
    file.fd = open(".", O_RDONLY);
    assert_int_equal(weft_file_read(&file, 0, data, sizeof data, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "./1/part-00000: cannot read: Is a directory");
    weft_file_close(&file);
}

/* Its header says that it has 8 GiB, and so it has: a hole. */
static void a_hole_takes_no_memory(void **state)
{
    (void)state;
    const uint64_t head = UINT64_C(8) << 30;
    unsigned char header[WEFT_MANIFEST_HEADER] = WEFT_MANIFEST_MAGIC;
    weft_checkpoint *checkpoint;
    weft_error err;
    struct rlimit before, limit;
    if (SANITIZED)
        skip(); /* they take the whole address space */
    weft_put_u32(header + 8, WEFT_CHECKPOINT_FORMAT);
    weft_put_u64(header + 16, 1);
    weft_put_u64(header + 24, head);
    assert_int_equal(mkdir("hole", 0777) | mkdir("hole/1", 0777), 0);
    int fd = open("hole/1/manifest", O_WRONLY | O_CREAT, 0666);
    assert_int_equal(write(fd, header, sizeof header), sizeof header);
    assert_int_equal(ftruncate(fd, (off_t)(sizeof header + head + WEFT_CRC_BYTES)), 0);
    assert_int_equal(close(fd), 0);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
    limit.rlim_cur = (rlim_t)1 << 32;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    weft_status status = weft_checkpoint_open("hole", 1, &checkpoint, &err);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(status, WEFT_BAD_INPUT);
    assert_string_equal(err.text, "hole/1/manifest: no memory for 8589934628 bytes of it");
}

static void a_folder_that_cannot_be_listed_is_named(void **state)
{
    (void)state;
    weft_error err;
    uint64_t generation;
    struct rlimit before, limit;
    assert_int_equal(mkdir("listed", 0777), 0);
    int fd = open(".", O_RDONLY);
    assert_int_equal(close(fd), 0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    limit = before;
    limit.rlim_cur = (rlim_t)fd;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    weft_status status = weft_checkpoint_begin("listed", &generation, &err);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(status, WEFT_STOPPED);
    assert_string_equal(err.text, "listed: cannot read this folder: Too many open files");
}

/* Of another run, which wrote the same generation meanwhile. */
static void a_name_that_is_taken_stops_the_commit(void **state)
{
    (void)state;
    weft_error err;
    uint64_t generation = begin("taken");
    assert_int_equal(mkdir("taken/1", 0777) | mkdir("taken/1/theirs", 0777), 0);
    assert_int_equal(weft_checkpoint_commit("taken", generation, 1, NULL, 0, &err), WEFT_STOPPED);
    assert_string_equal(err.text, "taken/1.new: cannot rename to taken/1: Directory not empty");
    assert_int_equal(access("taken/1.new", F_OK), -1);
    assert_int_equal(access("taken/1/theirs", F_OK), 0);
}

static void what_is_gone_already_can_be_abandoned(void **state)
{
    (void)state;
    weft_checkpoint_close(written("gone"));
    uint64_t generation = begin("gone");
    assert_int_equal(rename("gone/2.new", "gone/away"), 0);
    weft_checkpoint_abandon("gone", generation);
    assert_int_equal(access("gone/away/part-00000", F_OK), 0);
    assert_int_equal(weft_checkpoint_newest("gone", UINT64_MAX), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_of_one_place_have_an_order),
        cmocka_unit_test(a_part_that_shrinks_later_is_named),
        cmocka_unit_test(reading_stops_where_a_file_ends_or_fails),
        cmocka_unit_test(a_hole_takes_no_memory),
        cmocka_unit_test(a_folder_that_cannot_be_listed_is_named),
        cmocka_unit_test(a_name_that_is_taken_stops_the_commit),
        cmocka_unit_test(what_is_gone_already_can_be_abandoned),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
