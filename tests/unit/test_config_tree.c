/* SPDX-License-Identifier: Apache-2.0 */
/* Trees from text: places, sharing, limits, edits. */
#include "config/describe/print.h"
#include "config/edit.h"
#include "config/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static weft_arena arena;

static int setup(void **state)
{
    (void)state;
    weft_arena_init(&arena);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    weft_arena_done(&arena);
    return 0;
}

static weft_status parse(const char *text, const weft_node **root, weft_error *err)
{
    size_t nodes = WEFT_NODES_MAX;
    const weft_source *source = weft_source_of_text("t.yaml", text, strlen(text), false, &arena);
    WEFT_TRY(weft_source_check(source, err));
    return weft_tree_parse(source, 0, &nodes, &arena, root, err);
}

static const weft_node *tree_of(const char *text)
{
    weft_error err;
    const weft_node *root = NULL;
    if (parse(text, &root, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    return root;
}

static void assert_place(const weft_node *node, unsigned line, unsigned column)
{
    unsigned l, c;
    weft_source_position(node->source, node->offset, &l, &c);
    assert_int_equal(l, line);
    assert_int_equal(c, column);
}

static void assert_flow(const weft_node *node, const char *wanted)
{
    weft_text text;
    weft_text_init(&text);
    weft_print_flow(&text, node, false);
    assert_string_equal(text.at, wanted);
    weft_text_done(&text);
}

static void nodes_know_their_places(void **state)
{
    (void)state;
    const weft_node *root = tree_of("a: 1\nb: {c: é, d: [1, x y]}\n\ne:\n  f: \"q\"\n");
    const weft_node *b = weft_node_get(root, "b"), *d = weft_node_get(b, "d");
    assert_place(weft_node_key(root, "a"), 1, 1);
    assert_place(weft_node_get(root, "a"), 1, 4);
    assert_place(b, 2, 4);
    assert_place(weft_node_key(b, "d"), 2, 11); /* columns are characters */
    assert_place(d->values[1], 2, 18);
    assert_int_equal(d->values[1]->width, 3);
    assert_place(weft_node_get(weft_node_get(root, "e"), "f"), 5, 7);
    assert_null(weft_node_get(root, "z"));
}

static void aliases_share_their_anchor(void **state)
{
    (void)state;
    const weft_node *root = tree_of("a: &x {k: [1, 2]}\nb: *x\n");
    assert_ptr_equal(weft_node_get(root, "a"), weft_node_get(root, "b"));
    assert_int_equal(root->size, 1 + 2 + 2 * 5);
    assert_flow(root, "{a: {k: [1, 2]}, b: {k: [1, 2]}}");
}

/* Nothing, however it is written, is the word null; the same words in quotes are texts. */
static void nothing_is_printed_as_null(void **state)
{
    (void)state;
    assert_flow(tree_of("a:\nb: ~\nc: null\nd: [~]\n"), "{a: null, b: null, c: null, d: [null]}");
    assert_flow(tree_of("a: \"null\"\nb: \"\"\n"), "{a: \"null\", b: \"\"}");
}

static void assert_refused(const char *text, const char *wanted)
{
    weft_error err;
    const weft_node *root;
    assert_int_equal(parse(text, &root, &err), WEFT_BAD_INPUT);
    err.text[strcspn(err.text, "\n")] = '\0';
    assert_string_equal(err.text, wanted);
}

static void hostile_texts_are_refused(void **state)
{
    (void)state;
    assert_refused("a: &x [*x]\n",
                   "t.yaml:1:9: alias without an anchor that is complete before it");
    assert_refused("{[a]: 1}\n", "t.yaml:1:2: a key must be a word, found a list");
    assert_refused("a: 1\nb: 2\na: 3\n",
                   "t.yaml:3:1: key 'a' is given twice; the first is at line 1, column 1");
    assert_refused("a: \x01\n",
                   "t.yaml:1:4: control character U+0001; a scenario is a plain text file");
}

/* &b holds an alias to &a at its bottom: together deeper than any text is written. */
static void aliases_count_for_depth(void **state)
{
    (void)state;
    char text[512] = "a: &a ", *at = text + strlen(text);
    for (int i = 0; i < 20; i++)
        *at++ = '[';
    for (int i = 0; i < 20; i++)
        *at++ = ']';
    at = stpcpy(at, "\nb: ");
    for (int i = 0; i < 20; i++)
        *at++ = '[';
    at = stpcpy(at, "*a");
    for (int i = 0; i < 20; i++)
        *at++ = ']';
    *at = '\0';
    assert_refused(text, "t.yaml:1:7: nested deeper than 32 levels");
}

static void too_many_values_are_refused(void **state)
{
    (void)state;
    size_t bytes = 2 * 110000;
    char *text = malloc(bytes + 16), *at = text;
    *at++ = '[';
    for (size_t i = 0; i < 110000; i++) {
        *at++ = 'x';
        *at++ = ',';
    }
    memcpy(at, "x]\n", 4);
    assert_refused(text, "t.yaml:1:200000: more than 100000 values, the limit of a scenario");
    free(text);
    assert_true(arena.used < (size_t)12 << 20);
}

static void merging_is_deep_and_lists_replace(void **state)
{
    (void)state;
    const weft_node *base = tree_of("{a: {x: 1, y: [1, 2]}, b: 2}");
    const weft_node *over = tree_of("{a: {y: [3], z: 4}, c: 5}");
    assert_flow(weft_node_merge(&arena, base, over), "{a: {x: 1, y: [3], z: 4}, b: 2, c: 5}");
    assert_flow(base, "{a: {x: 1, y: [1, 2]}, b: 2}");
}

static void paths_are_set_without_touching_the_rest(void **state)
{
    (void)state;
    const weft_node *root = tree_of("{routing: minimal, traffic: {all: {rho: 1}}}"), *out;
    const weft_node *value = tree_of("7");
    weft_error err;
    const weft_node *key = weft_node_scalar(&arena, value, "routing.selection");
    assert_int_equal(weft_node_assign(&arena, root, key, value, &out, &err), WEFT_OK);
    assert_flow(out, "{routing: {kind: minimal, selection: 7}, traffic: {all: {rho: 1}}}");
    key = weft_node_scalar(&arena, value, "new.a.b");
    assert_int_equal(weft_node_assign(&arena, root, key, value, &out, &err), WEFT_OK);
    assert_flow(out, "{routing: minimal, traffic: {all: {rho: 1}}, new: {a: {b: 7}}}");
    key = weft_node_scalar(&arena, value, "a..b");
    assert_int_equal(weft_node_assign(&arena, root, key, value, &out, &err), WEFT_BAD_INPUT);
    key = weft_node_scalar(&arena, value, "traffic.al.rho");
    assert_int_equal(weft_node_assign(&arena, root, key, value, &out, &err), WEFT_BAD_INPUT);
}

static void texts_are_printed_so_that_they_read_back(void **state)
{
    (void)state;
    static const char *const texts[] = {"plain", "two words",    "",         "null",  "a: b", "- x",
                                        "#",     "\"q\" \\ 'r'", "\x1b[31m", "é\n\t", "`id`", "{a}",
                                        "*",     "&x",           "%",        "true"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        weft_text text;
        weft_text_init(&text);
        weft_text_append(&text, "k: ", 3);
        weft_print_text(&text, texts[i]);
        const weft_node *node = weft_node_get(tree_of(text.at), "k");
        assert_string_equal(node->text, texts[i]);
        weft_text_done(&text);
    }
}

/* Names of files may be anything; texts of a scenario are UTF-8. */
static void bytes_that_are_no_text_are_printed_as_question_marks(void **state)
{
    (void)state;
    weft_text text;
    weft_text_init(&text);
    weft_print_text(&text, "caf\xe9.yaml \xc3");
    assert_string_equal(text.at, "\"caf?.yaml ?\"");
    weft_text_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nodes_know_their_places, setup, teardown),
        cmocka_unit_test_setup_teardown(aliases_share_their_anchor, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_is_printed_as_null, setup, teardown),
        cmocka_unit_test_setup_teardown(hostile_texts_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(aliases_count_for_depth, setup, teardown),
        cmocka_unit_test_setup_teardown(too_many_values_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(merging_is_deep_and_lists_replace, setup, teardown),
        cmocka_unit_test_setup_teardown(paths_are_set_without_touching_the_rest, setup, teardown),
        cmocka_unit_test_setup_teardown(texts_are_printed_so_that_they_read_back, setup, teardown),
        cmocka_unit_test(bytes_that_are_no_text_are_printed_as_question_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
