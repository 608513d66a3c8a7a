/* SPDX-License-Identifier: Apache-2.0 */
/* A file that cannot be written whole is said to be so, with the reason that is known, and what was
 * there before stays. */
#include "report/save.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { LIMIT = 4096 }; /* bytes that a file of this process may have */

static char folder[] = "/tmp/test_save.XXXXXX", path[64];
static struct rlimit before;

static int make_folder(void **state)
{
    (void)state;
    (void)signal(SIGXFSZ, SIG_IGN); /* a write fails instead */
    if (!mkdtemp(folder) || getrlimit(RLIMIT_FSIZE, &before) != 0)
        return 1;
    (void)snprintf(path, sizeof path, "%s/r.csv", folder);
    FILE *file = fopen(path, "w");
    return !file || fputs("old", file) < 0 || fclose(file) != 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(folder); /* no part of a file is left */
}

/* Writes so many bytes and looks at no return value, as those do who print. */
static weft_status save(size_t bytes, weft_error *err)
{
    weft_save file;
    assert_int_equal(weft_save_begin(&file, path, err), WEFT_OK);
    for (size_t i = 0; i < bytes; i++)
        (void)fputc('x', file.out);
    return weft_save_end(&file, WEFT_OK, err);
}

static size_t size_of_file(void)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file);
    (void)fclose(file);
    return size;
}

static void what_finds_no_room_is_said(void **state)
{
    (void)state;
    weft_error err = {""};
    char wanted[160];
    struct rlimit limit = {.rlim_cur = LIMIT, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    weft_status early = save(100 * LIMIT, &err);
    (void)snprintf(wanted, sizeof wanted, "cannot write all of %s: no room, or an I/O error", path);
    assert_string_equal(err.text, wanted);
    assert_int_equal(size_of_file(), 3);
    limit.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    weft_status late = save(10, &err); /* still in memory when it ends */
    (void)snprintf(wanted, sizeof wanted, "cannot write %s: File too large", path);
    assert_string_equal(err.text, wanted);
    assert_int_equal(size_of_file(), 3);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(early == WEFT_BAD_INPUT && late == WEFT_BAD_INPUT);
    assert_int_equal(save(10, &err), WEFT_OK);
    assert_int_equal(size_of_file(), 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_finds_no_room_is_said, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
