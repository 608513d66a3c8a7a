/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints as files: what is written comes back, a crash leaves the one before, a full disk and
 * wrong files are told with their names, and no changed, missing or lost byte goes unnoticed. */
#include "base/crc32c.h"
#include "kernel/checkpoint.h"
#include "kernel/checkpoint_file.h"

#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD "the head"

/* ---- a folder for each test ---- */

typedef struct place {
    char root[64], folder[128];
} place;

static int make_place(void **state)
{
    place *here = calloc(1, sizeof *here);
    strcpy(here->root, "/tmp/weft-checkpoint-XXXXXX");
    if (!mkdtemp(here->root))
        return -1;
    (void)snprintf(here->folder, sizeof here->folder, "%s/run.checkpoint/1f", here->root);
    *state = here;
    return 0;
}

static int remove_place(void **state)
{
    char command[128];
    place *here = *state;
    (void)snprintf(command, sizeof command, "rm -rf '%s'", here->root);
    int status = system(command);
    free(here);
    return status;
}

static char *path_of(const place *here, const char *below)
{
    static char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", here->folder, below);
    return path;
}

static bool exists(const place *here, const char *below)
{
    return access(path_of(here, below), F_OK) == 0;
}

/* ---- writing and reading one ---- */

/* What chunk number k of a part holds: k = 2 nothing, k = 3 more than a piece of the buffer. */
static size_t content(uint32_t part, uint32_t k, size_t large, unsigned char **data)
{
    size_t bytes = k == 2 ? 0 : k == 3 ? large : 5 + part + k;
    *data = malloc(bytes + 1);
    for (size_t i = 0; i < bytes; i++)
        (*data)[i] = (unsigned char)(i * 7 + part * 31 + k);
    return bytes;
}

/* Box of a chunk: neighbouring parts share one, each has two chunks of its first, and later parts
 * have earlier boxes. */
static uint32_t box_of(uint32_t part, uint32_t k)
{
    return 3 * (2 - part) + (k > 0 ? k - 1 : 0);
}

static void write_part(const place *here, uint64_t generation, uint32_t part, size_t large)
{
    weft_checkpoint_part *writer;
    weft_error err;
    assert_int_equal(weft_checkpoint_part_open(here->folder, generation, part, &writer, &err), 0);
    for (uint32_t k = 0; k < 5; k++) {
        unsigned char *data;
        size_t bytes = content(part, k, large, &data);
        assert_int_equal(weft_checkpoint_part_add(writer, box_of(part, k), -(int64_t)k,
                                                  bytes ? data : NULL, bytes, &err),
                         0);
        free(data);
    }
    assert_int_equal(weft_checkpoint_part_close(writer, &err), 0);
}

static uint64_t write_parts(const place *here, uint32_t parts, size_t large)
{
    weft_error err;
    uint64_t generation = 0;
    assert_int_equal(weft_checkpoint_begin(here->folder, &generation, &err), 0);
    for (uint32_t part = parts; part-- > 0;) /* in any order */
        write_part(here, generation, part, large);
    return generation;
}

static uint64_t write_all(const place *here, uint32_t parts, size_t large, const char *head)
{
    weft_error err;
    uint64_t generation = write_parts(here, parts, large);
    assert_int_equal(weft_checkpoint_commit(here->folder, generation, parts, head,
                                            head ? strlen(head) : 0, &err),
                     0);
    return generation;
}

static void check_chunk(const weft_checkpoint *checkpoint, size_t i, size_t large)
{
    const weft_chunk *chunk = &checkpoint->chunks[i];
    unsigned char *expected;
    void *data;
    weft_error err;
    uint32_t k = (uint32_t)-chunk->cost;
    size_t bytes = content(chunk->part, k, large, &expected);
    assert_int_equal(chunk->box, box_of(chunk->part, k));
    assert_int_equal(chunk->bytes, bytes);
    assert_true(i == 0 || chunk[-1].box <= chunk->box);
    assert_int_equal(weft_checkpoint_read(checkpoint, i, &data, &err), 0);
    assert_memory_equal(data, expected, bytes);
    free(data);
    free(expected);
}

/* Everything of it is read: did anything fail? The data that came without failure is right. */
static bool reads_well(const place *here, uint64_t generation, weft_error *err)
{
    weft_checkpoint *checkpoint;
    weft_status status = weft_checkpoint_open(here->folder, generation, &checkpoint, err);
    if (status != WEFT_OK) {
        assert_int_equal(status, WEFT_BAD_INPUT);
        assert_null(checkpoint);
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < checkpoint->n_chunks; i++) {
        void *data;
        status = weft_checkpoint_read(checkpoint, i, &data, err);
        assert_true(status == WEFT_OK || (status == WEFT_BAD_INPUT && !data));
        good &= status == WEFT_OK;
        free(data);
    }
    weft_checkpoint_close(checkpoint);
    return good;
}

static void assert_says(const weft_error *err, const char *what)
{
    if (!strstr(err->text, what))
        fail_msg("\"%s\" does not say \"%s\"", err->text, what);
}

/* ---- the checksum ---- */

static void crc32c_gives_published_values(void **state)
{
    (void)state;
    unsigned char bytes[32]; /* RFC 3720, B.4 */
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(weft_crc32c(0, bytes, sizeof bytes), 0x8a9136aa);
    memset(bytes, 0xff, sizeof bytes);
    assert_int_equal(weft_crc32c(0, bytes, sizeof bytes), 0x62a8ab43);
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)i;
    assert_int_equal(weft_crc32c(0, bytes, sizeof bytes), 0x46dd794e);
    assert_int_equal(weft_crc32c(0, "123456789", 9), 0xe3069283);
    assert_int_equal(weft_crc32c(0, NULL, 0), 0);
}

static void crc32c_is_the_same_in_plain_c_and_in_pieces(void **state)
{
    (void)state;
    unsigned char bytes[300];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * i + 3);
    for (size_t start = 0; start < 9; start++)
        for (size_t count = 0; count + start <= sizeof bytes; count++) {
            uint32_t crc = weft_crc32c(0, bytes + start, count);
            assert_int_equal(weft_crc32c_plain(0, bytes + start, count), crc);
            uint32_t half = weft_crc32c_plain(0, bytes + start, count / 2);
            assert_int_equal(weft_crc32c(half, bytes + start + count / 2, count - count / 2), crc);
        }
}

/* ---- the good days ---- */

static void checkpoint_comes_back(void **state)
{
    const size_t large = 3000000;
    weft_checkpoint *checkpoint;
    weft_error err;
    const place *here = *state;
    assert_int_equal(weft_checkpoint_newest(here->folder, UINT64_MAX), 0);
    assert_int_equal(write_all(here, 3, large, HEAD), 1);
    assert_int_equal(weft_checkpoint_newest(here->folder, UINT64_MAX), 1);
    assert_int_equal(weft_checkpoint_open(here->folder, 1, &checkpoint, &err), 0);
    assert_int_equal(checkpoint->generation, 1);
    assert_int_equal(checkpoint->parts, 3);
    assert_int_equal(checkpoint->n_chunks, 15);
    assert_int_equal(checkpoint->head_bytes, strlen(HEAD));
    assert_memory_equal(checkpoint->head, HEAD, strlen(HEAD));
    for (size_t i = 0; i < checkpoint->n_chunks; i++) {
        assert_true(i == 0 || checkpoint->chunks[i - 1].box <= checkpoint->chunks[i].box);
        check_chunk(checkpoint, i, large);
    }
    weft_checkpoint_close(checkpoint);
    weft_checkpoint_close(NULL);
}

static void checkpoint_may_be_empty(void **state)
{
    const place *here = *state;
    weft_checkpoint *checkpoint;
    weft_checkpoint_part *writer;
    weft_error err;
    uint64_t generation;
    assert_int_equal(weft_checkpoint_begin(here->folder, &generation, &err), 0);
    assert_int_equal(weft_checkpoint_part_open(here->folder, generation, 0, &writer, &err), 0);
    assert_int_equal(weft_checkpoint_part_close(writer, &err), 0);
    assert_int_equal(weft_checkpoint_commit(here->folder, generation, 1, NULL, 0, &err), 0);
    assert_int_equal(weft_checkpoint_open(here->folder, generation, &checkpoint, &err), 0);
    assert_int_equal(checkpoint->n_chunks, 0);
    assert_int_equal(checkpoint->head_bytes, 0);
    weft_checkpoint_close(checkpoint);
}

static void checkpoint_keeps_two_generations(void **state)
{
    const place *here = *state;
    weft_error err;
    for (uint64_t i = 1; i <= 4; i++)
        assert_int_equal(write_all(here, 2, 9, HEAD), i);
    assert_false(exists(here, "1") || exists(here, "2"));
    assert_int_equal(weft_checkpoint_newest(here->folder, UINT64_MAX), 4);
    assert_int_equal(weft_checkpoint_newest(here->folder, 4), 3);
    assert_int_equal(weft_checkpoint_newest(here->folder, 3), 0);
    assert_true(reads_well(here, 3, &err) && reads_well(here, 4, &err));
}

static void checkpoint_counts_only_plain_numbers(void **state)
{
    const place *here = *state;
    uint64_t generation;
    weft_error err;
    assert_int_equal(write_all(here, 1, 9, HEAD), 1);
    static const char *const others[] = {"007", "0",    "9x",    "12.new.new",           "-3",
                                         "+4",  "0x10", "8.old", "99999999999999999999", "٣"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(mkdir(path_of(here, others[i]), 0777), 0);
    assert_int_equal(symlink("1", path_of(here, "20")), 0);
    assert_int_equal(weft_checkpoint_newest(here->folder, UINT64_MAX), 1);
    assert_int_equal(weft_checkpoint_begin(here->folder, &generation, &err), 0);
    assert_int_equal(generation, 21); /* that name is taken */
    weft_checkpoint_abandon(here->folder, generation);
    assert_int_equal(mkdir(path_of(here, "9999999999999999999"), 0777), 0);
    assert_int_equal(weft_checkpoint_begin(here->folder, &generation, &err), WEFT_STOPPED);
    assert_says(&err, "no number is left");
}

static void checkpoint_can_be_removed(void **state)
{
    const place *here = *state;
    (void)write_all(here, 2, 9, HEAD);
    (void)write_all(here, 2, 9, HEAD);
    (void)write_parts(here, 1, 9);
    weft_checkpoint_remove(here->folder);
    assert_false(exists(here, "") || exists(here, ".."));
    weft_checkpoint_remove(here->folder); /* nothing there: nothing done */
    assert_int_equal(write_all(here, 1, 9, HEAD), 1);
    int fd = open(path_of(here, "1/mine"), O_WRONLY | O_CREAT, 0666);
    assert_int_equal(close(fd), 0);
    weft_checkpoint_remove(here->folder);
    assert_true(exists(here, "1.new/mine")); /* not a checkpoint's file */
    assert_false(exists(here, "1.new/manifest"));
}

/* ---- crashes and full disks ---- */

static void crash_before_commit_leaves_the_last_one(void **state)
{
    const place *here = *state;
    weft_error err;
    assert_int_equal(write_all(here, 2, 9, HEAD), 1);
    assert_int_equal(write_parts(here, 2, 9), 2); /* and no commit */
    assert_int_equal(weft_checkpoint_newest(here->folder, UINT64_MAX), 1);
    assert_true(reads_well(here, 1, &err));
    assert_true(exists(here, "2.new/part-00001"));
    assert_int_equal(write_all(here, 2, 9, HEAD), 3);
    assert_false(exists(here, "2.new"));
    assert_true(reads_well(here, 1, &err) && reads_well(here, 3, &err));
}

static void abandon_removes_what_was_written(void **state)
{
    const place *here = *state;
    weft_error err;
    assert_int_equal(write_all(here, 1, 9, HEAD), 1);
    uint64_t generation = write_parts(here, 2, 9);
    weft_checkpoint_abandon(here->folder, generation);
    assert_false(exists(here, "2.new"));
    assert_true(reads_well(here, 1, &err));
}

static void commit_wants_all_parts(void **state)
{
    const place *here = *state;
    weft_error err;
    assert_int_equal(write_all(here, 2, 9, HEAD), 1);
    uint64_t generation = write_parts(here, 2, 9);
    assert_int_equal(weft_checkpoint_commit(here->folder, generation, 3, NULL, 0, &err),
                     WEFT_STOPPED);
    assert_says(&err, "/2.new/part-00002: cannot open: No such file");
    assert_false(exists(here, "2.new") || exists(here, "2"));
    generation = write_parts(here, 2, 9);
    assert_int_equal(truncate(path_of(here, "2.new/part-00001"), 60), 0);
    assert_int_equal(weft_checkpoint_commit(here->folder, generation, 2, NULL, 0, &err),
                     WEFT_STOPPED);
    assert_says(&err, "/2.new/part-00001: its trailer is damaged");
    assert_int_equal(weft_checkpoint_newest(here->folder, UINT64_MAX), 1);
}

static void folder_that_cannot_be_made_is_named(void **state)
{
    const place *here = *state;
    char path[128];
    weft_error err;
    uint64_t generation;
    (void)snprintf(path, sizeof path, "%s/run.checkpoint", here->root);
    int fd = open(path, O_WRONLY | O_CREAT, 0666);
    assert_int_equal(close(fd), 0);
    assert_int_equal(weft_checkpoint_begin(here->folder, &generation, &err), WEFT_STOPPED);
    assert_says(&err, "run.checkpoint/1f: cannot make this folder: Not a directory");
    assert_int_equal(weft_checkpoint_begin(path, &generation, &err), WEFT_STOPPED);
    assert_says(&err, "run.checkpoint: cannot make this folder: a file of this name is there");
    weft_checkpoint_part *writer;
    assert_int_equal(weft_checkpoint_part_open(path, 1, 0, &writer, &err), WEFT_STOPPED);
    assert_null(writer);
}

/* Adds 64 KiB chunks until it fails or 8 MiB are written, then closes. */
static weft_status write_much(const place *here, uint64_t generation, weft_error *err)
{
    static const unsigned char data[65536];
    weft_checkpoint_part *writer;
    weft_error last;
    WEFT_TRY(weft_checkpoint_part_open(here->folder, generation, 0, &writer, err));
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < 128 && status == WEFT_OK; i++)
        status = weft_checkpoint_part_add(writer, i, 0, data, sizeof data, err);
    weft_status again = weft_checkpoint_part_close(writer, &last);
    assert_int_equal(again, status);
    if (status != WEFT_OK)
        assert_string_equal(last.text, err->text);
    return status;
}

static void file_limit_stops_the_part(void **state)
{
    const place *here = *state;
    struct rlimit before, limit;
    weft_error err;
    assert_int_equal(write_all(here, 1, 9, HEAD), 1);
    uint64_t generation;
    assert_int_equal(weft_checkpoint_begin(here->folder, &generation, &err), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    limit = before;
    limit.rlim_cur = 3355443; /* 3.2 MiB */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    weft_status status = write_much(here, generation, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(status, WEFT_STOPPED);
    assert_says(&err,
                "/2.new/part-00000: cannot write: File too large (wrote 3.2 MiB of this file)");
    weft_checkpoint_abandon(here->folder, generation);
    assert_true(reads_well(here, 1, &err));
}

/* In a process of its own, whose mounts nobody else sees: 77 if it may not mount, 0 if all was
 * as it should be. */
static int fill_a_disk(const place *here)
{
    weft_error err;
    uint64_t generation;
    char whole[128];
    (void)snprintf(whole, sizeof whole, "%s/run.checkpoint", here->root);
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mkdir(whole, 0777) != 0 || mount("none", whole, "tmpfs", 0, "size=4m") != 0)
        return 77;
    if (write_all(here, 1, 9, HEAD) != 1 ||
        weft_checkpoint_begin(here->folder, &generation, &err) != WEFT_OK)
        return 1;
    if (write_much(here, generation, &err) != WEFT_STOPPED ||
        !strstr(err.text, "/2.new/part-00000: cannot write: No space left on device (wrote "))
        return 2;
    weft_checkpoint_abandon(here->folder, generation);
    if (weft_checkpoint_newest(here->folder, UINT64_MAX) != 1 || !reads_well(here, 1, &err))
        return 3;
    return write_all(here, 1, 9, HEAD) == 2 ? 0 : 4; /* the space is free again */
}

static void full_disk_stops_the_part(void **state)
{
    pid_t child = fork();
    if (child == 0)
        _exit(fill_a_disk(*state));
    int status = 0;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- wrong files ---- */

static const char *const files[] = {"1/manifest", "1/part-00000", "1/part-00001"};

static size_t load(const char *path, unsigned char bytes[4096])
{
    int fd = open(path, O_RDONLY);
    ssize_t count = read(fd, bytes, 4096);
    assert_true(fd >= 0 && count > 0 && count < 4096 && close(fd) == 0);
    return (size_t)count;
}

static void store(const char *path, const unsigned char *bytes, size_t count)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(fd >= 0 && write(fd, bytes, count) == (ssize_t)count && close(fd) == 0);
}

static void every_changed_byte_is_found(void **state)
{
    const place *here = *state;
    weft_error err;
    unsigned char bytes[4096];
    assert_int_equal(write_all(here, 2, 40, HEAD), 1);
    for (size_t f = 0; f < 3; f++) {
        const char *path = path_of(here, files[f]);
        size_t count = load(path, bytes);
        for (size_t i = 0; i < 3 * count; i++) {
            unsigned char flip = (unsigned char)(i % 3 == 0 ? 1 : i % 3 == 1 ? 0x80 : 0xff);
            bytes[i / 3] ^= flip;
            store(path, bytes, count);
            bytes[i / 3] ^= flip;
            if (reads_well(here, 1, &err))
                fail_msg("byte %zu of %s", i / 3, files[f]);
            assert_says(&err, files[f]);
        }
        store(path, bytes, count);
    }
    assert_true(reads_well(here, 1, &err));
}

static void every_truncation_is_found(void **state)
{
    const place *here = *state;
    weft_error err;
    unsigned char bytes[4096];
    assert_int_equal(write_all(here, 2, 40, HEAD), 1);
    for (size_t f = 0; f < 3; f++) {
        const char *path = path_of(here, files[f]);
        size_t count = load(path, bytes);
        for (size_t length = 0; length < count; length++) {
            store(path, bytes, length);
            assert_false(reads_well(here, 1, &err));
            assert_says(&err, files[f]);
        }
        bytes[count] = 0;
        store(path, bytes, count + 1);
        assert_false(reads_well(here, 1, &err));
        store(path, bytes, count);
    }
    assert_true(reads_well(here, 1, &err));
}

static void wrong_file_is_explained(void **state)
{
    const place *here = *state;
    weft_error err;
    unsigned char bytes[4096];
    char wanted[200];
    assert_int_equal(write_all(here, 2, 40, HEAD), 1);
    const char *path = path_of(here, "1/part-00001");
    size_t count = load(path, bytes);
    bytes[WEFT_PART_HEADER + 1] ^= 4; /* of the first chunk */
    store(path, bytes, count);
    assert_false(reads_well(here, 1, &err));
    assert_says(&err, "/1/part-00001: chunk of box 3 is damaged (checksum ");
    store(path, bytes, count - 10);
    assert_false(reads_well(here, 1, &err));
    (void)snprintf(wanted, sizeof wanted,
                   "/1/part-00001: shorter than its manifest says (%zu bytes, expected %zu)",
                   count - 10, count);
    assert_says(&err, wanted);
    bytes[8] = 9;
    store(path, bytes, count);
    assert_false(reads_well(here, 1, &err));
    assert_says(&err, "/1/part-00001: format 9, this program reads 1");
    store(path, (const unsigned char *)"short", 5);
    assert_false(reads_well(here, 1, &err));
    path = path_of(here, "1/manifest");
    store(path, (const unsigned char *)"a manifest of something quite different", 39);
    assert_false(reads_well(here, 1, &err));
    assert_says(&err, "/1/manifest: not a manifest of a checkpoint");
    assert_int_equal(unlink(path), 0);
    assert_false(reads_well(here, 1, &err));
    assert_says(&err, "/1/manifest: cannot open: No such file or directory");
}

static void parts_are_not_mixed_up(void **state)
{
    const place *here = *state;
    weft_error err;
    unsigned char first[4096], second[4096];
    assert_int_equal(write_all(here, 2, 40, HEAD), 1);
    assert_int_equal(write_all(here, 2, 40, HEAD), 2);
    size_t count = load(path_of(here, "1/part-00001"), first);
    assert_int_equal(load(path_of(here, "2/part-00001"), second), count);
    store(path_of(here, "2/part-00001"), first, count);
    assert_false(reads_well(here, 2, &err));
    assert_says(&err, "is part 1 of generation 1, expected part 1 of generation 2");
    assert_int_equal(unlink(path_of(here, "2/part-00001")), 0);
    assert_false(reads_well(here, 2, &err));
    assert_says(&err, "/2/part-00001: cannot open: No such file or directory");
    assert_true(reads_well(here, 1, &err));
}

static void only_regular_files_are_read(void **state)
{
    const place *here = *state;
    weft_error err;
    assert_int_equal(write_all(here, 2, 40, HEAD), 1);
    char to[256];
    (void)snprintf(to, sizeof to, "%s/kept", here->folder);
    assert_int_equal(rename(path_of(here, "1/part-00001"), to), 0);
    assert_int_equal(symlink(to, path_of(here, "1/part-00001")), 0);
    assert_false(reads_well(here, 1, &err));
    assert_says(&err, "/1/part-00001: cannot open: it is a symbolic link");
    assert_int_equal(unlink(path_of(here, "1/part-00001")), 0);
    assert_int_equal(mkfifo(path_of(here, "1/part-00001"), 0666), 0);
    assert_false(reads_well(here, 1, &err));
    assert_says(&err, "/1/part-00001: not a regular file");
    assert_int_equal(unlink(path_of(here, "1/part-00001")), 0);
    assert_int_equal(mkdir(path_of(here, "1/part-00001"), 0777), 0);
    assert_false(reads_well(here, 1, &err));
    assert_says(&err, "/1/part-00001: not a regular file");
}

#define PLACED(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crc32c_gives_published_values),
        cmocka_unit_test(crc32c_is_the_same_in_plain_c_and_in_pieces),
        PLACED(checkpoint_comes_back),
        PLACED(checkpoint_may_be_empty),
        PLACED(checkpoint_keeps_two_generations),
        PLACED(checkpoint_counts_only_plain_numbers),
        PLACED(checkpoint_can_be_removed),
        PLACED(crash_before_commit_leaves_the_last_one),
        PLACED(abandon_removes_what_was_written),
        PLACED(commit_wants_all_parts),
        PLACED(folder_that_cannot_be_made_is_named),
        PLACED(file_limit_stops_the_part),
        PLACED(full_disk_stops_the_part),
        PLACED(every_changed_byte_is_found),
        PLACED(every_truncation_is_found),
        PLACED(wrong_file_is_explained),
        PLACED(parts_are_not_mixed_up),
        PLACED(only_regular_files_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
