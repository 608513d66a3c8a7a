/* SPDX-License-Identifier: Apache-2.0 */
/* Files read and written as a whole, windows over long ones, shared objects before they are loaded:
 * what is refused, and that nothing is left behind. */
#include "base/file.h"
#include "base/shared_object.h"
#include "base/window.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test_files.XXXXXX";
static int back;

static int enter(void **state)
{
    (void)state;
    (void)strcpy(folder, "/tmp/test_files.XXXXXX");
    back = open(".", O_RDONLY | O_DIRECTORY);
    return back < 0 || !mkdtemp(folder) || chdir(folder) != 0;
}

static int leave(void **state)
{
    (void)state;
    int failed = fchdir(back) != 0 || close(back) != 0;
    return failed || rmdir(folder) != 0; /* nothing may have been left behind */
}

static void put(const char *name, const void *bytes, size_t count)
{
    FILE *out = fopen(name, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, count, out), count);
    assert_int_equal(fclose(out), 0);
}

static void assert_holds(const char *name, const char *text)
{
    weft_bytes bytes;
    weft_error err = {""};
    assert_int_equal(weft_bytes_read(name, 1000, "a text", &bytes, &err), WEFT_OK);
    assert_int_equal(bytes.count, strlen(text));
    assert_string_equal(bytes.at, text);
    free(bytes.at);
}

/* Other writers step in between where this is not 0, first one and then the next. */
static int others;

/* In place of the C library's. */
int flock(int fd, int operation)
{
    if (others == 1) {
        others = 2;
        assert_int_equal(rename("file.part", "file"), 0);
        put("file.part", "second", 6);
    } else if (others == 2) {
        others = 3;
        assert_holds("file.part", "second");
        assert_int_equal(rename("file.part", "file"), 0);
        errno = EWOULDBLOCK;
        return -1;
    }
    return (int)syscall(SYS_flock, fd, operation);
}

static void only_regular_files_of_their_size_are_read(void **state)
{
    (void)state;
    weft_bytes bytes;
    weft_error err = {""};
    assert_int_equal(weft_bytes_read("none", 5, "a text", &bytes, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "none cannot be read: No such file or directory");
    assert_null(bytes.at);
    assert_int_equal(weft_bytes_read(".", 5, "a text", &bytes, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, ". is not a regular file; a text is one");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(weft_bytes_read("pipe", 5, "a text", &bytes, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "pipe is not a regular file; a text is one");
    assert_int_equal(unlink("pipe"), 0);
    put("five", "12345", 5);
    assert_int_equal(weft_bytes_read("five", 4, "a text", &bytes, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "five has 0 MiB, more than the 0 MiB that a text may have");
    assert_int_equal(weft_bytes_read("five", 5, "a text", &bytes, &err), WEFT_OK);
    assert_string_equal(bytes.at, "12345");
    free(bytes.at);
    assert_int_equal(unlink("five"), 0);
    assert_string_equal(weft_bytes_name("a/b/c"), "c");
    assert_string_equal(weft_bytes_name("c"), "c");
}

static void a_file_is_there_whole_or_not_at_all(void **state)
{
    (void)state;
    weft_error err = {""};
    assert_int_equal(weft_bytes_write("file", "one", 3, &err), WEFT_OK);
    assert_holds("file", "one");
    assert_int_equal(weft_bytes_write("file", "", 0, &err), WEFT_OK);
    assert_holds("file", "");
    assert_int_equal(access("file.part", F_OK), -1);
    assert_int_equal(mkdir("taken", 0700), 0);
    assert_int_equal(weft_bytes_write("taken", "x", 1, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "cannot write taken: it is not a regular file");
    assert_int_equal(rmdir("taken"), 0);
    assert_int_equal(symlink("file", "link"), 0);
    assert_int_equal(weft_bytes_write("link", "x", 1, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "cannot write link: it is not a regular file");
    assert_int_equal(unlink("link"), 0);
    assert_int_equal(weft_bytes_write("nowhere/file", "x", 1, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "cannot write nowhere/file: No such file or directory");
    assert_int_equal(weft_bytes_write("/dev/full/x", "x", 1, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "cannot write /dev/full/x: Not a directory");
    assert_int_equal(mkdir("file2.part", 0700), 0);
    assert_int_equal(weft_bytes_write("file2", "x", 1, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "cannot write file2: Is a directory");
    assert_int_equal(rmdir("file2.part"), 0);
    assert_int_equal(unlink("file"), 0);
}

/* A link to a file of somebody's, by the name of the part, is removed and not followed. */
static void what_lies_in_the_way_of_a_part_is_removed(void **state)
{
    (void)state;
    weft_error err = {""};
    put("victim", "precious", 8);
    assert_int_equal(symlink("victim", "file.part"), 0);
    assert_int_equal(weft_bytes_write("file", "new", 3, &err), WEFT_OK);
    assert_holds("victim", "precious");
    assert_holds("file", "new");
    assert_int_equal(link("victim", "file.part"), 0);
    assert_int_equal(weft_bytes_write("file", "newer", 5, &err), WEFT_OK);
    assert_holds("victim", "precious");
    assert_holds("file", "newer");
    put("file.part", "left over by one that was killed", 32);
    assert_int_equal(weft_bytes_write("file", "newest", 6, &err), WEFT_OK);
    assert_holds("file", "newest");
    assert_int_equal(unlink("victim"), 0);
    assert_int_equal(unlink("file"), 0);
}

/* Two seconds of patience. */
static void a_part_that_another_writes_is_waited_for(void **state)
{
    (void)state;
    weft_error err = {""};
    put("file.part", "", 0);
    int fd = open("file.part", O_RDWR);
    assert_true(fd >= 0);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_int_equal(weft_bytes_write("file", "x", 1, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "cannot write file: another process writes it; try again when "
                                  "that has ended");
    assert_int_equal(close(fd), 0);
    assert_int_equal(access("file", F_OK), -1);
    assert_int_equal(unlink("file.part"), 0);
}

/* Between the opening and the locking of a part its writer has finished, and another has begun. */
static void a_part_of_the_next_writer_is_left_alone(void **state)
{
    (void)state;
    weft_error err = {""};
    put("file.part", "first", 5);
    others = 1;
    assert_int_equal(weft_bytes_write("file", "third", 5, &err), WEFT_OK);
    assert_int_equal(others, 3);
    assert_holds("file", "third");
    assert_int_equal(access("file.part", F_OK), -1);
    others = 0;
    assert_int_equal(unlink("file"), 0);
}

static void the_nearest_name_is_offered(void **state)
{
    (void)state;
    char text[WEFT_NEAREST_CHARS];
    put("torus.yaml", "", 0);
    put(".tours.yaml", "", 0);
    assert_string_equal(weft_bytes_nearest("tours.yaml", text), "; did you mean 'torus.yaml'?");
    assert_string_equal(weft_bytes_nearest("./tours.yaml", text), "; did you mean 'torus.yaml'?");
    assert_string_equal(weft_bytes_nearest("mesh.yaml", text), "");
    assert_string_equal(weft_bytes_nearest("nowhere/tours.yaml", text), "");
    assert_int_equal(unlink("torus.yaml"), 0);
    assert_int_equal(unlink(".tours.yaml"), 0);
}

/* Of a file of 600,000 bytes, more than is read at a time. */
static void a_window_moves_over_a_long_file(void **state)
{
    (void)state;
    enum { BYTES = 600000, PIECE = 1 << 18 };
    weft_window window;
    weft_error err = {""};
    char *bytes = malloc(BYTES);
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (char)('a' + i % 23);
    put("long", bytes, BYTES);
    assert_int_equal(weft_window_open("none", BYTES, "a trace", &window, &err), WEFT_BAD_INPUT);
    assert_int_equal(weft_window_open("long", BYTES - 1, "a trace", &window, &err), WEFT_BAD_INPUT);
    assert_int_equal(weft_window_open("long", BYTES, "a trace", &window, &err), WEFT_OK);
    assert_int_equal(window.size, BYTES);
    assert_int_equal(window.count, PIECE);
    assert_true(weft_window_move(&window, PIECE - 10));
    assert_int_equal(window.count, PIECE + 10);
    assert_memory_equal(window.at, bytes + PIECE - 10, PIECE + 10);
    assert_int_equal(window.at[window.count], '\0');
    assert_true(weft_window_move(&window, window.count));
    assert_int_equal(window.count, BYTES - 2 * PIECE);
    assert_false(weft_window_move(&window, window.count));
    assert_int_equal(window.count, 0);
    assert_int_equal(weft_window_status(&window, "long", WEFT_OK, &err), WEFT_OK);
    assert_int_equal(weft_window_status(&window, "long", WEFT_BROKEN, &err), WEFT_BROKEN);
    const char *part = weft_window_part(&window, 1000, 500000);
    assert_non_null(part);
    assert_memory_equal(part, bytes + 1000, 500000);
    assert_non_null(weft_window_part(&window, BYTES - 1, 1));
    assert_int_equal(weft_window_status(&window, "long", WEFT_OK, &err), WEFT_OK);
    assert_int_equal(truncate("long", 2000), 0);
    assert_null(weft_window_part(&window, 1000, 1001));
    assert_int_equal(weft_window_status(&window, "long", WEFT_OK, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text,
                        "long cannot be read to its end: an I/O error, or it became shorter");
    weft_window_close(&window);
    weft_window_close(&window);
    free(bytes);
    assert_int_equal(unlink("long"), 0);
}

static void a_shared_object_that_is_cut_short_is_told(void **state)
{
    (void)state;
    struct {
        ElfW(Ehdr) head;
        ElfW(Phdr) part[2];
        char code[16];
    } file = {
        .head = {.e_phentsize = sizeof(ElfW(Phdr)), .e_phnum = 2, .e_phoff = sizeof(ElfW(Ehdr))},
        .part = {{.p_type = PT_NOTE, .p_offset = 9999, .p_filesz = 9999}, {.p_type = PT_LOAD}}};
    memcpy(file.head.e_ident, ELFMAG, SELFMAG);
    assert_null(weft_shared_object_flaw("none")); /* the loader says so */
    assert_string_equal(weft_shared_object_flaw("."), "it is not a regular file");
    put("it.so", "no ELF file", 11);
    assert_null(weft_shared_object_flaw("it.so"));
    file.part[1].p_filesz = sizeof file;
    put("it.so", &file, sizeof file);
    assert_null(weft_shared_object_flaw("it.so"));
    file.part[1].p_filesz = sizeof file + 1;
    put("it.so", &file, sizeof file);
    assert_string_equal(weft_shared_object_flaw("it.so"), "it is cut short");
    file.part[1].p_filesz = 0;
    file.part[1].p_offset = sizeof file + 1;
    put("it.so", &file, sizeof file);
    assert_string_equal(weft_shared_object_flaw("it.so"), "it is cut short");
    put("it.so", &file, sizeof file.head + sizeof *file.part + 8);
    assert_string_equal(weft_shared_object_flaw("it.so"), "it is cut short");
    file.head.e_phoff = 99999;
    put("it.so", &file, sizeof file);
    assert_string_equal(weft_shared_object_flaw("it.so"), "it is cut short");
    file.head.e_phentsize++; /* of another machine */
    put("it.so", &file, sizeof file);
    assert_null(weft_shared_object_flaw("it.so"));
    assert_int_equal(unlink("it.so"), 0);
}

#define HERE(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HERE(only_regular_files_of_their_size_are_read),
        HERE(a_file_is_there_whole_or_not_at_all),
        HERE(what_lies_in_the_way_of_a_part_is_removed),
        HERE(a_part_that_another_writes_is_waited_for),
        HERE(a_part_of_the_next_writer_is_left_alone),
        HERE(the_nearest_name_is_offered),
        HERE(a_window_moves_over_a_long_file),
        HERE(a_shared_object_that_is_cut_short_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
