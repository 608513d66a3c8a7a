/* SPDX-License-Identifier: Apache-2.0 */
/* Texts made to exhaust a reader are refused within a second of a core and 100 MB. Each is read in
 * a process of its own, whose time and memory the system counts. */
#include "config/scenario.h"
#include "test_config_registry.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define MEBIBYTE ((size_t)1 << 20)
#define GIGABYTE 1000000000L

static char file[] = "hostile-XXXXXX";

/* In the child: 0 if the file is refused with a message that holds `wanted`. */
static int refused(const char *wanted)
{
    weft_registry registry;
    weft_arena arena;
    weft_plan *plan;
    weft_error err = {""};
    fake_registry(&registry);
    weft_arena_init(&arena);
    weft_status status = weft_plan_read(file, NULL, &registry, &arena, &plan, &err);
    weft_arena_done(&arena);
    weft_registry_done(&registry);
    if (status == WEFT_BAD_INPUT && strstr(err.text, wanted))
        return 0;
    fprintf(stderr, "status %d: %s\n", (int)status, err.text);
    return 1;
}

static void assert_refused_cheaply(const char *wanted)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(refused(wanted));
    int status;
    struct rusage used;
    assert_int_equal(wait4(child, &status, 0, &used), child);
    assert_int_equal(status, 0);
    double seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                     1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    if (seconds > 1.0 || used.ru_maxrss > 100000)
        fail_msg("%s: %.2f s, %ld kB", wanted, seconds, used.ru_maxrss);
}

static int setup(void **state)
{
    (void)state;
    (void)strcpy(file, "hostile-XXXXXX");
    int fd = mkstemp(file);
    return fd < 0 ? 1 : close(fd);
}

static int teardown(void **state)
{
    (void)state;
    return unlink(file);
}

/* head, then `part` as often as it fits into a mebibyte, then tail. */
static void write_repeated(const char *head, const char *part, const char *tail)
{
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    size_t bytes = strlen(head) + strlen(tail);
    (void)fputs(head, out);
    for (; bytes + strlen(part) <= MEBIBYTE; bytes += strlen(part))
        (void)fputs(part, out);
    (void)fputs(tail, out);
    assert_int_equal(fclose(out), 0);
}

static void deep_nesting(void **state)
{
    (void)state;
    static const char *const parts[] = {"[", "{a: ", "- ", "[{a: "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        write_repeated("", parts[i], "");
        assert_refused_cheaply("nested deeper than 32 levels");
    }
    write_repeated("", "? ", "");
    assert_refused_cheaply("a key must be a word, found a map");
}

static void alias_bombs(void **state)
{
    (void)state;
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    (void)fputs("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n", out);
    for (int i = 1; i < 30; i++) {
        (void)fprintf(out, "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++)
            (void)fprintf(out, "%s*a%d", k ? ", " : "", i - 1);
        (void)fputs("]\n", out);
    }
    assert_int_equal(fclose(out), 0);
    assert_refused_cheaply("nothing was expanded");
    write_repeated("a: &a [", "x,", "]\n");
    assert_refused_cheaply("more than 100000 values");
    write_repeated("a: &a [x]\nb: [", "*a,", "]\n");
    assert_refused_cheaply("more than 100000 values");
}

static void long_texts(void **state)
{
    (void)state;
    write_repeated("a: \"x\n", " y\n", "b: 1\n");
    assert_refused_cheaply("this quote is never closed");
    write_repeated("", "&a ", "x\n");
    assert_refused_cheaply("not valid YAML");
    write_repeated("a: [", "'y\n ',", "]\n");
    assert_refused_cheaply("more than 100000 values");
    write_repeated("a: ", "é", ": b\n");
    assert_refused_cheaply("not valid YAML");
    write_repeated("", "#é\n", "[");
    assert_refused_cheaply("the text ends where a value is missing");
}

/* A file with a hole: large on paper, and nothing on the disk. */
static void a_gigabyte(void **state)
{
    (void)state;
    assert_int_equal(truncate(file, GIGABYTE), 0);
    assert_refused_cheaply("is larger than 1 MiB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(deep_nesting, setup, teardown),
        cmocka_unit_test_setup_teardown(alias_bombs, setup, teardown),
        cmocka_unit_test_setup_teardown(long_texts, setup, teardown),
        cmocka_unit_test_setup_teardown(a_gigabyte, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
