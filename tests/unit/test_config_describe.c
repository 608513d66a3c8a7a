/* SPDX-License-Identifier: Apache-2.0 */
/* Lists, descriptions, pages and the schema, all from the tables. */
#include "config/describe/describe.h"
#include "config/describe/schema.h"
#include "test_config_registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static weft_registry registry;

static void a_list_names_kinds_and_plans(void **state)
{
    (void)state;
    char *text;
    weft_error err;
    assert_int_equal(weft_describe_list(&registry, "topology", &text, &err), WEFT_OK);
    assert_string_equal(text, "topology: imitation\n"
                              "  torus  imitation of torus\n"
                              "  mesh   imitation of mesh\n"
                              "  not built yet: full, dragonfly, hierarchy, file\n");
    free(text);
    assert_int_equal(weft_describe_list(&registry, NULL, &text, &err), WEFT_OK);
    assert_non_null(strstr(text, "\nlength: imitation\n"));
    free(text);
    assert_int_equal(weft_describe_list(&registry, "topolgy", &text, &err), WEFT_BAD_USAGE);
    assert_string_equal(err.text, "there is no family 'topolgy'; did you mean 'topology'?");
}

static void a_kind_is_described_with_its_settings(void **state)
{
    (void)state;
    char *text;
    weft_error err;
    assert_int_equal(weft_describe_one(&registry, "topology/torus", &text, &err), WEFT_OK);
    assert_string_equal(text,
                        "topology torus: imitation of torus\n"
                        "  dims   routers along each dimension\n"
                        "         a list of whole numbers such as [16, 16]; 2 … 65535; required\n"
                        "  hosts  endpoints per router\n"
                        "         a whole number; 1 … 1024; default 1\n"
                        "  tie    direction at half a ring\n"
                        "         one of random, up; default random\n");
    free(text);
    assert_int_equal(weft_describe_one(&registry, "links", &text, &err), WEFT_OK);
    assert_non_null(strstr(text, "  flit     size of a flit"));
    assert_non_null(strstr(text, "  host: links between endpoints and routers\n"));
    free(text);
    assert_int_equal(weft_describe_one(&registry, "tours", &text, &err), WEFT_BAD_USAGE);
    assert_string_equal(err.text,
                        "there is no kind, family, section or key 'tours'; did you mean 'torus'?");
}

static void pages_show_every_table(void **state)
{
    (void)state;
    char *page = weft_describe_page(&registry, "topology");
    assert_non_null(strstr(page, "# topology\n"));
    assert_non_null(strstr(page, "| `hosts` | endpoints per router | a whole number | 1 … 1024 | "
                                 "`1` |\n"));
    free(page);
    page = weft_describe_page(&registry, NULL);
    assert_non_null(strstr(page, "### measure.limit\n"));
    assert_non_null(strstr(page, "`placement`"));
    free(page);
    assert_null(weft_describe_page(&registry, "weather"));
}

/* A walk over JSON: strings closed, brackets matched, no comma without something on each side. */
static bool is_balanced(const char *json)
{
    char open[256], before = '{';
    size_t depth = 0;
    for (; *json; json++) {
        if (*json == '\n')
            continue;
        bool starts = strchr("{[,:", before) != NULL, closes = strchr("}],", *json) != NULL;
        if (starts && closes &&
            !((before == '{' && *json == '}') || (before == '[' && *json == ']')))
            return false;
        before = *json;
        if (*json == '"') {
            for (json++; *json && *json != '"'; json++)
                json += *json == '\\';
            if (!*json)
                return false;
        } else if (*json == '{' || *json == '[') {
            open[depth++] = *json == '{' ? '}' : ']';
        } else if ((*json == '}' || *json == ']') && (depth == 0 || open[--depth] != *json)) {
            return false;
        }
        if (depth == sizeof open)
            return false;
    }
    return depth == 0;
}

static void the_schema_knows_every_kind(void **state)
{
    (void)state;
    char *schema = weft_schema_text(&registry);
    assert_true(is_balanced(schema));
    assert_non_null(strstr(schema, "https://json-schema.org/draft/2020-12/schema"));
    assert_non_null(strstr(schema, "{\"enum\":[\"torus\",\"mesh\"]}"));
    assert_non_null(strstr(schema, "{\"description\":\"not built yet\",\"enum\":[\"full\","));
    assert_non_null(strstr(schema, "\"half-width\":{"));
    free(schema);
}

static int setup(void **state)
{
    (void)state;
    fake_registry(&registry);
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
        cmocka_unit_test(a_list_names_kinds_and_plans),
        cmocka_unit_test(a_kind_is_described_with_its_settings),
        cmocka_unit_test(pages_show_every_table),
        cmocka_unit_test(the_schema_knows_every_kind),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
