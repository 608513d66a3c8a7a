/* SPDX-License-Identifier: Apache-2.0 */
/* Lists, descriptions, pages and the schema, all from the tables. */
#include "config/describe/describe.h"
#include "config/describe/schema.h"
#include "test_config_group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void the_schema_of_a_study_has_its_sections(void **state)
{
    (void)state;
    char *schema = weft_schema_study();
    assert_true(is_balanced(schema));
    assert_non_null(strstr(schema, "\"interweft-study\":{"));
    assert_non_null(strstr(schema, "\"scenario\":{\"description\":\"the name of a scenario file"));
    assert_non_null(strstr(schema, "\"type\":[\"string\",\"object\"]}"));
    assert_non_null(strstr(schema, "\"only\":{\"description\":\"values by path"));
    free(schema);
}

/* Sections, files of other commands, families and keys by their names. */
static void everything_with_a_name_is_described(void **state)
{
    (void)state;
    static const struct {
        const char *name, *holds;
    } names[] = {
        {"seed", "section seed: "},
        {"title", "section title: "},
        {"vary", "section vary: "},
        {"include", "section include: "},
        {"topology", "\ntopology: imitation\n  torus  imitation of torus\n"},
        {"length/fixed", "length fixed: imitation of fixed\n  size  of every message\n"},
        {"dragonfly", "topology dragonfly: not built yet\n"},
        {"placement", "section placement: not built yet\n"},
        {"study", "study: the file of weft study\n  interweft-study  version of this language\n"},
        {"study", "\n  series: settings by path that belong together"},
        {"study", "\nstudy, section figures: what is drawn"},
        {"plan", "plan: the file of weft plan\n"},
        {"plan", "\nplan, section cables: "},
        {"cables", "plan, section cables: "},
        {"figures", "  only: values by path"},
        {"hosts", "in topology torus\n  hosts  endpoints per router\n"},
        {"torus.hosts", "in topology torus\n  hosts  endpoints per router\n"},
        {"topology.hosts", "\nin topology mesh\n  hosts  endpoints per router\n"},
        {"half-width", "in measure\n  half-width  of the interval"},
        {"limit.packets", "in measure limit\n  packets  packets delivered"},
        {"flit", "a size such as 64 B or 64 flits; 1 … 65536 (bytes or flits); default 1 B\n"},
        {"caption", "in figures\n  caption  text below it\n"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = NULL;
        weft_error err = {""};
        if (weft_describe_one(&registry, names[i].name, &text, &err) != WEFT_OK)
            fail_msg("%s", err.text);
        if (!strstr(text, names[i].holds))
            fail_msg("%s gives\n%s", names[i].name, text);
        free(text);
    }
    static const char *const unknown[] = {"torus.vcs", "tor.hosts", "topolog/torus",
                                          "topology/hosts", "x.seed"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        char *text = NULL;
        weft_error err = {""};
        assert_int_equal(weft_describe_one(&registry, unknown[i], &text, &err), WEFT_BAD_USAGE);
        assert_non_null(strstr(err.text, unknown[i]));
    }
    char *text = NULL;
    weft_error err = {""};
    assert_int_equal(weft_describe_one(&registry, "torus.hosts", &text, &err), WEFT_OK);
    assert_null(strstr(text, "mesh"));
    free(text);
}

static void pages_of_the_other_files(void **state)
{
    (void)state;
    char *page = weft_describe_page(&registry, "study");
    assert_true(strncmp(page, "# Files of weft study\n", 22) == 0);
    assert_non_null(strstr(page, "| `seeds` | runs of every point"));
    free(page);
    page = weft_describe_page(&registry, "plan");
    assert_true(strncmp(page, "# Files of weft plan\n", 21) == 0);
    assert_non_null(strstr(page, "`lengths`"));
    free(page);
    page = weft_describe_page(&registry, "length");
    assert_non_null(strstr(page, "A bare value is the first setting of `fixed`.\n"));
    assert_true(page[strlen(page) - 1] == '\n' && page[strlen(page) - 2] != '\n');
    free(page);
    page = weft_describe_page(&registry, "scenario");
    assert_non_null(strstr(page, "### measure.limit\n"));
    free(page);
}

/* Lines of key=value for the completion of shells, each once; an empty value where any may be. */
static void words_are_keys_with_their_values(void **state)
{
    (void)state;
    static const char *const lines[] = {"topology.kind=torus\n",
                                        "topology.dims=\n",
                                        "topology.tie=up\n",
                                        "routing.selection.kind=random\n",
                                        "traffic.all.length.kind=fixed\n",
                                        "traffic.all.pattern.self=true\n",
                                        "measure.early=true\n",
                                        "measure.limit.time=\n",
                                        "offered.rho=\n",
                                        "jobs.all.collective=\n",
                                        "traffic.all.overload=true\n",
                                        "seed=\n"};
    char *words = weft_describe_words(&registry);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *at = strstr(words, lines[i]);
        if (!at || (at != words && at[-1] != '\n'))
            fail_msg("%s is missing in\n%s", lines[i], words);
    }
    const char *first = strstr(words, "topology.hosts=\n");
    assert_non_null(first);
    assert_null(strstr(first + 1, "\ntopology.hosts=\n"));
    assert_null(strstr(words, "=false\n"));
    free(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_names_kinds_and_plans),
        cmocka_unit_test(a_kind_is_described_with_its_settings),
        cmocka_unit_test(pages_show_every_table),
        cmocka_unit_test(the_schema_knows_every_kind),
        cmocka_unit_test(everything_with_a_name_is_described),
        cmocka_unit_test(pages_of_the_other_files),
        cmocka_unit_test(words_are_keys_with_their_values),
        cmocka_unit_test(the_schema_of_a_study_has_its_sections),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
