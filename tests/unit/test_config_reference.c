/* SPDX-License-Identifier: Apache-2.0 */
/* The pages and schemas of docs/reference are what the tables give, byte by byte; after a change of
 * a table `tools/docgen build/dev/weft` writes them again. */
#include "config/describe/describe.h"
#include "config/describe/schema.h"
#include "interweft/result.h"
#include "study/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static weft_registry registry;

/* The file holds this text, which is freed. */
static void assert_page(const char *name, char *text)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/docs/reference/%s", WEFT_SOURCE, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_non_null(text);
    size_t room = strlen(text) + 2;
    char *there = calloc(1, room);
    size_t count = fread(there, 1, room - 1, file);
    (void)fclose(file);
    size_t at = 0;
    while (at < count && there[at] == text[at])
        at++;
    if (count != strlen(text) || at < count)
        fail_msg("%s differs from byte %zu on: %.60s", name, at, text + at);
    free(there);
    free(text);
}

static void pages_are_what_the_tables_give(void **state)
{
    (void)state;
    static const char *const families[] = {
        "topology", "router", "scheduler", "arbiter", "routing", "selection",
        "pattern",  "scope",  "placement", "arrival", "length",  "marking",
        "response", "plan",   "study",     "fabric",  "scenario"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s.md", families[i]);
        assert_page(name, weft_describe_page(&registry, families[i]));
    }
    assert_page("scenario.md", weft_describe_page(&registry, NULL));
    assert_page("results.md", weft_result_page());
}

static void schemas_are_what_the_tables_give(void **state)
{
    (void)state;
    assert_page("scenario.schema.json", weft_schema_text(&registry));
    assert_page("plan.schema.json", weft_schema_plan(&registry));
    assert_page("study.schema.json", weft_schema_study());
}

static int setup(void **state)
{
    (void)state;
    weft_registry_init(&registry);
    weft_kinds_register(&registry);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    weft_registry_done(&registry);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_what_the_tables_give),
        cmocka_unit_test(schemas_are_what_the_tables_give),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
