/* SPDX-License-Identifier: Apache-2.0 */
/* CPU quotas of control groups, from trees like those that Linux shows. */
#include "base/cores.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
/* after the headers above */
#include <cmocka.h>

static char root[] = "cores-XXXXXX";

static void put(const char *name, const char *text)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void folder(const char *name)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(mkdir(path, 0755), 0);
}

static unsigned quota(void)
{
    char groups[256];
    (void)snprintf(groups, sizeof groups, "%s/groups", root);
    return weft_cores_quota(groups, root);
}

static void the_least_quota_on_the_way_up_counts(void **state)
{
    (void)state;
    assert_int_equal(quota(), 0); /* no such file */
    folder("job");
    folder("job/step");
    put("groups", "0::/job/step\n");
    assert_int_equal(quota(), 0);
    put("job/step/cpu.max", "max 100000\n");
    assert_int_equal(quota(), 0);
    put("job/cpu.max", "250000 100000\n");
    assert_int_equal(quota(), 3);
    put("job/step/cpu.max", "50000 100000\n");
    assert_int_equal(quota(), 1);
    put("groups", "0::/elsewhere/on/the/host\n"); /* a container sees its own root alone */
    put("cpu.max", "200000 100000\n");
    assert_int_equal(quota(), 2);
}

static void version_one_has_a_tree_for_each_controller(void **state)
{
    (void)state;
    folder("cpu");
    folder("cpu/job");
    put("cpu.max", "max 100000\n");
    put("groups", "5:cpuset:/job\n4:cpu,cpuacct:/job\n1:memory:/job\n");
    put("cpu/cpu.cfs_quota_us", "-1\n");
    put("cpu/cpu.cfs_period_us", "100000\n");
    assert_int_equal(quota(), 0);
    put("cpu/job/cpu.cfs_quota_us", "400000\n");
    put("cpu/job/cpu.cfs_period_us", "100000\n");
    assert_int_equal(quota(), 4);
    put("groups", "5:cpuset:/job\n");
    assert_int_equal(quota(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_quota_on_the_way_up_counts),
        cmocka_unit_test(version_one_has_a_tree_for_each_controller),
    };
    if (!mkdtemp(root))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
