/* SPDX-License-Identifier: Apache-2.0 */
/* What the self-test says of kinds that no plug-in file is needed for: results that depend on the
 * past, scenarios that all refuse, models; and where it writes. (tests/cli/test_selftest.sh has
 * broken promises of every family.) */
#include "interweft/interweft.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* after the headers above */
#include <cmocka.h>

#include "test_folder.h"

/* ---- the kinds ---- */

static uint32_t senders(const weft_pattern *pattern)
{
    return pattern->topology->edge_routers * pattern->topology->concentration;
}

static double mean_hops(const weft_pattern *pattern)
{
    return pattern->topology->kind->mean_distance(pattern->topology);
}

static uint32_t destination(const weft_pattern *pattern, uint32_t source, weft_random *random)
{
    (void)random;
    return (source + *(const uint32_t *)pattern->self) % senders(pattern);
}

static weft_status build_steady(weft_pattern *pattern, const void *settings, weft_error *err)
{
    (void)settings, (void)err;
    *(uint32_t *)pattern->self = 1;
    return WEFT_OK;
}

/* Every network that is built has other destinations. */
static weft_status build_moody(weft_pattern *pattern, const void *settings, weft_error *err)
{
    static uint32_t built;
    (void)settings, (void)err;
    *(uint32_t *)pattern->self = 1 + ++built % 7;
    return WEFT_OK;
}

#define PATTERN(text, function)                                                                   \
    {                                                                                             \
        .base = {.abi = WEFT_ABI,                                                                 \
                 .size = sizeof(weft_pattern_kind),                                               \
                 .name = text,                                                                    \
                 .brief = "-",                                                                    \
                 .instance_size = sizeof(uint32_t)},                                              \
        .build = function, .destination = destination, .mean_hops = mean_hops, .senders = senders \
    }

static const weft_pattern_kind steady = PATTERN("steady", build_steady),
                               moody = PATTERN("moody", build_moody);

typedef struct factor {
    double factor;
} factor;

static const weft_param params[] = {
    {.name = "factor",
     .brief = "of the answer",
     .type = WEFT_PARAM_REAL,
     .offset = offsetof(factor, factor),
     .fallback = "1",
     .min = 0,
     .max = 8},
    {.name = NULL},
};

static const weft_output outputs[] = {{.name = "answer", .unit = "packets", .brief = "-"}, {0}};

static weft_status evaluate(const void *settings, weft_answer *answer, weft_error *err)
{
    const factor *set = settings;
    if (set->factor > 4)
        return weft_fail(err, WEFT_BAD_INPUT, "factor must be at most 4, found %g", set->factor);
    weft_answer_put(answer, 0, 42 * set->factor);
    return WEFT_OK;
}

static const weft_model_kind model = {.base = {.abi = WEFT_ABI,
                                               .size = sizeof model,
                                               .name = "answer",
                                               .brief = "-",
                                               .params = params,
                                               .settings_size = sizeof(factor)},
                                      .outputs = outputs,
                                      .evaluate = evaluate};

/* ---- what is told of them ---- */

typedef struct told {
    size_t counts[WEFT_SELFTEST_FAILED + 1];
    char family[32], kind[32], scenario[256], text[512]; /* the last one that has failed … */
    char refused[512];                                   /* … and why the last one was refused */
} told;

static void note(void *user, const weft_selftest_case *trial)
{
    told *to = user;
    to->counts[trial->verdict]++;
    if (trial->verdict == WEFT_SELFTEST_REFUSED)
        (void)snprintf(to->refused, sizeof to->refused, "%s", trial->text);
    if (trial->verdict != WEFT_SELFTEST_FAILED)
        return;
    (void)snprintf(to->family, sizeof to->family, "%s", trial->family);
    (void)snprintf(to->kind, sizeof to->kind, "%s", trial->kind);
    (void)snprintf(to->scenario, sizeof to->scenario, "%s", trial->scenario);
    (void)snprintf(to->text, sizeof to->text, "%s", trial->text);
}

static told try_kind(const char *family, const weft_component *kind, const char *setting)
{
    const weft_plugin_item items[] = {{family, kind}, {NULL, NULL}};
    const weft_plugin plugin = {WEFT_ABI, sizeof plugin, "test", items};
    const char *overrides[] = {setting, NULL};
    weft_error err = {""};
    told found = {.text = ""};
    weft_catalog *catalog = weft_catalog_create();
    assert_int_equal(weft_catalog_plug(catalog, &plugin, &err), WEFT_OK);
    if (weft_selftest_run(catalog, overrides, note, &found, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    weft_catalog_destroy(catalog);
    return found;
}

static void results_that_depend_on_the_past_fail(void **state)
{
    (void)state;
    told found = try_kind("pattern", &moody.base, NULL);
    assert_true(found.counts[WEFT_SELFTEST_FAILED] > 0);
    assert_int_equal(found.counts[WEFT_SELFTEST_REFUSED], 0);
    assert_string_equal(found.kind, "moody");
    assert_string_equal(found.text, "one block and three have different results: the kind depends "
                                    "on more than its arguments");
}

static void a_kind_that_nothing_fits_fails(void **state)
{
    (void)state;
    told found = try_kind("pattern", &steady.base, "measure.half-width=10%");
    assert_int_equal(found.counts[WEFT_SELFTEST_OK], 18);
    found = try_kind("pattern", &steady.base, "endpoint.ports=0");
    assert_int_equal(found.counts[WEFT_SELFTEST_REFUSED], 18);
    assert_non_null(strstr(found.refused, "endpoint.ports must be "));
    assert_int_equal(found.counts[WEFT_SELFTEST_FAILED], 1);
    assert_string_equal(found.family, "pattern");
    assert_string_equal(found.kind, "steady");
    assert_string_equal(found.scenario, "all of them");
    assert_string_equal(found.text, "every scenario was refused: give its settings as key=value, "
                                    "or name a scenario file that fits");
}

static void a_model_is_evaluated(void **state)
{
    (void)state;
    told found = try_kind("model", &model.base, NULL);
    assert_int_equal(found.counts[WEFT_SELFTEST_OK], 1);
    assert_int_equal(found.counts[WEFT_SELFTEST_FAILED], 0);
    found = try_kind("model", &model.base, "factor=5");
    assert_string_equal(found.refused, "answer: factor must be at most 4, found 5");
    assert_int_equal(found.counts[WEFT_SELFTEST_REFUSED], 1);
    assert_int_equal(found.counts[WEFT_SELFTEST_FAILED], 1);
}

/* Batch systems give long names to the folder of a job. */
static void a_folder_with_a_long_name_is_used(void **state)
{
    (void)state;
    char path[PATH_MAX];
    weft_error err = {""};
    told found = {.text = ""};
    const char *long_name = "a-folder-of-temporary-files-with-a-name-of-64-characters-for-a-job";
    assert_int_equal(mkdir(long_name, 0777), 0);
    assert_non_null(realpath(long_name, path));
    assert_int_equal(setenv("TMPDIR", path, 1), 0);
    found = try_kind("model", &model.base, NULL);
    assert_int_equal(found.counts[WEFT_SELFTEST_OK], 1);
    assert_int_equal(rmdir(long_name), 0); /* nothing is left in it */

    weft_catalog *catalog = weft_catalog_create();
    assert_int_equal(weft_selftest_run(catalog, NULL, note, &found, &err), WEFT_BAD_INPUT);
    char *expected = weft_text_format("cannot make a directory in %s (TMPDIR)", path);
    assert_string_equal(err.text, expected);
    free(expected);
    weft_catalog_destroy(catalog);
    assert_int_equal(unsetenv("TMPDIR"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_that_depend_on_the_past_fail),
        cmocka_unit_test(a_kind_that_nothing_fits_fails),
        cmocka_unit_test(a_model_is_evaluated),
        cmocka_unit_test(a_folder_with_a_long_name_is_used),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
