/* SPDX-License-Identifier: Apache-2.0 */
/* How much a scenario may have of something: the last that is taken, the first that is refused; and
 * files that include others, up to their bounds too. */
#include "config/change.h"
#include "config/include.h"
#include "config/tree.h"
#include "test_refusals.h"

#include <stdlib.h>
#include <sys/stat.h>

/* head, then `count` pieces that differ by their numbers (%d), then tail. */
static char *repeated(const char *head, const char *piece, int count, const char *tail)
{
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "%s", head);
    for (int i = 0; i < count; i++) {
        const char *mark = strstr(piece, "%d");
        assert_non_null(mark);
        weft_text_add(&text, "%.*s%d%s", (int)(mark - piece), piece, i, mark + 2);
    }
    weft_text_add(&text, "%s", tail);
    return weft_text_take(&text);
}

/* The first line of what a plan says about a text, "" if it is taken; free() it. */
static char *read_text(const char *text)
{
    weft_registry registry;
    weft_arena arena;
    weft_plan *plan;
    weft_error err = {""};
    weft_registry_init(&registry);
    weft_kinds_register(&registry);
    weft_arena_init(&arena);
    weft_status status =
        weft_plan_read_text("t.yaml", text, strlen(text), NULL, &registry, &arena, &plan, &err);
    assert_int_equal(status != WEFT_OK, *err.text != '\0');
    weft_arena_done(&arena);
    weft_registry_done(&registry);
    return strndup(err.text, strcspn(err.text, "\n"));
}

static const struct {
    const char *head, *piece, *tail;
    int most;
    const char *message;
} bounds[] = {
    {"interweft: 1\na:\n", " k%d: 1\n", "", 1024, "t.yaml:1027:2: a map has more than 1024 keys"},
    {"interweft: 1\na:\n", " - &k%d 1\n", "", 256, "t.yaml:259:10: more than 256 anchors"},
    {"interweft: 1\nvary:\n", " a%d: [1]\n", "", 64, "t.yaml:3:2: vary has more than 64 entries"},
    {"interweft: 1\nvary:\n together:\n  -\n", "   a%d: 1\n", "", 64,
     "t.yaml:5:4: vary.together is a list of maps from paths to values, such as [{seed: 1, "
     "traffic.all.rho: 0.3}]"},
};

static void the_last_is_taken_and_one_more_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        for (int more = 0; more < 2; more++) {
            char *text =
                repeated(bounds[i].head, bounds[i].piece, bounds[i].most + more, bounds[i].tail);
            char *said = read_text(text);
            assert_string_equal(said, more ? bounds[i].message : "");
            free(said);
            free(text);
        }
}

/* 1 MiB is taken; of text that is no file too. */
static void a_text_has_a_mebibyte(void **state)
{
    (void)state;
    size_t most = (size_t)1 << 20;
    char *text = malloc(most + 2);
    memset(text, '#', most + 1);
    memcpy(text, "interweft: 1\n", 13);
    text[most + 1] = '\0';
    char *said = read_text(text);
    assert_string_equal(said, "t.yaml is larger than 1 MiB, the limit of a scenario");
    free(said);
    text[most] = '\0';
    said = read_text(text);
    assert_string_equal(said, "");
    free(said);
    free(text);
}

static void write_file(const char *name, const char *text)
{
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

/* The tree of a file with its includes as one line, or the message; from the arena. */
static const char *included(const char *name, weft_arena *arena)
{
    weft_registry registry;
    weft_plan *plan;
    weft_error err = {""};
    weft_registry_init(&registry);
    const char *said = NULL;
    if (weft_plan_read(name, NULL, &registry, arena, &plan, &err) == WEFT_OK) {
        char *all = weft_arena_format(arena, "%s", weft_plan_text(plan));
        for (char *end = all; (end = strchr(end, '\n'));)
            *end = '|';
        said = all;
    } else {
        said = weft_arena_copy(arena, err.text, strcspn(err.text, "\n"));
    }
    weft_registry_done(&registry);
    return said;
}

static const struct {
    const char *text, *said; /* of main.yaml, beside a.yaml and b.yaml */
} includes[] = {
    {"include: a.yaml\n", "interweft: 1|x: {kind: k, p: 1}|y: [1, 2]|"},
    {"include: [a.yaml, b.yaml]\n", "interweft: 1|x: {kind: k, p: 1}|y: [3]|z: {b: 2}|"},
    {"include: a.yaml\nx: {p: 2, q: 3}\n", "interweft: 1|x: {kind: k, p: 2, q: 3}|y: [1, 2]|"},
    {"include: b.yaml\nz: {c: 3}\ninterweft: 1\n", "y: [3]|z: {b: 2, c: 3}|interweft: 1|"},
    {"include: b.yaml\nz: 5\ninterweft: 1\n", "y: [3]|z: 5|interweft: 1|"},
    {"include: b.yaml\ny: {c: 3}\ninterweft: 1\n", "y: {c: 3}|z: {b: 2}|interweft: 1|"},
    {"include: s.yaml\nx: {c: 3}\ninterweft: 1\n", "x: {kind: word, c: 3}|n: null|interweft: 1|"},
    {"include: s.yaml\nn: {c: 3}\ninterweft: 1\n", "x: word|n: {c: 3}|interweft: 1|"},
    {"include: []\ninterweft: 1\n", "interweft: 1|"},
    {"include: ~\n", "main.yaml:1:10: include must name a file or a list of files, found nothing"},
    {"include: ''\n", "main.yaml:1:11: include must name a file or a list of files, found ''"},
    {"include: {a: b}\n",
     "main.yaml:1:10: include must name a file or a list of files, found a map"},
    {"include: [[a.yaml]]\n",
     "main.yaml:1:11: include must name a file or a list of files, found a list"},
    {"include: c.yaml\n",
     "main.yaml:1:10: the included file 'c.yaml' cannot be read: No such file or directory"},
    {"include: folder\n", "main.yaml:1:10: the included file 'folder' is not a regular file"},
    {"include: main.yaml\n",
     "main.yaml:1:10: these files include each other: main.yaml → main.yaml"},
    {"include: folder/../main.yaml\n",
     "main.yaml:1:10: these files include each other: main.yaml → folder/../main.yaml"},
};

static void files_are_merged_in_their_order(void **state)
{
    (void)state;
    refusals_folder folder;
    refusals_enter(&folder);
    write_file("a.yaml", "interweft: 1\nx: {kind: k, p: 1}\ny: [1, 2]\n");
    write_file("b.yaml", "\xEF\xBB\xBFy: [3]\nz: {b: 2}\n");
    write_file("s.yaml", "x: word\nn: ~\n");
    assert_int_equal(mkdir("folder", 0700), 0);
    for (size_t i = 0; i < sizeof includes / sizeof *includes; i++) {
        weft_arena arena;
        weft_arena_init(&arena);
        write_file("main.yaml", includes[i].text);
        const char *said = included("main.yaml", &arena);
        if (strcmp(said, includes[i].said) != 0)
            fail_msg("%s gives %s", includes[i].text, said);
        weft_arena_done(&arena);
    }
    static const char *const names[] = {"a.yaml", "b.yaml", "s.yaml", "main.yaml"};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(unlink(names[i]), 0);
    assert_int_equal(rmdir("folder"), 0);
    refusals_leave(&folder);
}

/* 16 files one in the other and 64 in all, the first one counted. */
static void includes_have_their_bounds(void **state)
{
    (void)state;
    static const char refused[] = "more than 64 files, or includes nested deeper than 16";
    refusals_folder folder;
    refusals_enter(&folder);
    for (int depth = 16; depth <= 17; depth++) {
        weft_arena arena;
        weft_arena_init(&arena);
        for (int i = 0; i < depth; i++)
            write_file(weft_arena_format(&arena, "deep%d.yaml", i),
                       i + 1 < depth ? weft_arena_format(&arena, "include: deep%d.yaml\n", i + 1)
                                     : "interweft: 1\n");
        const char *said = included("deep0.yaml", &arena);
        if (depth == 16)
            assert_string_equal(said, "interweft: 1|");
        else
            assert_string_equal(said, weft_arena_format(&arena, "deep15.yaml:1:10: %s", refused));
        for (int i = 0; i < depth; i++)
            assert_int_equal(unlink(weft_arena_format(&arena, "deep%d.yaml", i)), 0);
        weft_arena_done(&arena);
    }
    write_file("wide.yaml", "interweft: 1\n");
    for (int files = 63; files <= 64; files++) {
        weft_arena arena;
        weft_arena_init(&arena);
        char *text = repeated("include:\n", "- wide.yaml #%d\n", files, "");
        write_file("main.yaml", text);
        free(text);
        const char *said = included("main.yaml", &arena);
        if (files == 63)
            assert_string_equal(said, "interweft: 1|");
        else
            assert_string_equal(said, weft_arena_format(&arena, "main.yaml:65:3: %s", refused));
        weft_arena_done(&arena);
    }
    assert_int_equal(unlink("wide.yaml"), 0);
    assert_int_equal(unlink("main.yaml"), 0);
    refusals_leave(&folder);
}

static const struct {
    const char *one, *other, *said;
} changes[] = {
    {"a: 1", "a: 1", ""},
    {"a: 1", "a:  1 # the same", ""},
    {"a: 1", "a: 2", "a 1 2;"},
    {"a: 1", "b: 2", "a 1 -;b - 2;"},
    {"a: {b: 1, c: 2}", "a: {c: 3, d: 4}", "a.b 1 -;a.c 2 3;a.d - 4;"},
    {"a: {b: 1}", "a: 5", "a {b: 1} 5;"},
    {"a: 5", "a: {b: 1}", "a 5 {b: 1};"},
    {"title: x", "title: y", ""},
    {"a: {title: x}", "a: {title: y}", "a.title x y;"},
    {"overload: 1", "overload: 2", "overload 1 2;"},
    {"offered: {overload: 1}", "offered: {overload: 2}", ""},
    {"traffic: {a: {overload: 1}}", "traffic: {a: {overload: 2}}", ""},
    {"traffic: {a: {overload: 1}}", "traffic: {a: {load: 2}}", "traffic.a.load - 2;"},
    {"a: 1\nb: 1\nc: 1\nd: 1", "a: 2\nb: 2\nc: 2\nd: 2", "a 1 2;b 1 2;c 1 2;"},
    {"a: [", "a: 1", "settings:1:5: not valid YAML: the text ends where a value is missing"},
    {"a: 1", "a: [", "settings:1:5: not valid YAML: the text ends where a value is missing"},
    {"a: \x01", "a: 1", "settings:1:4: control character U+0001; a scenario is a plain text file"},
};

/* The first three differences. */
static void settings_that_differ_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        weft_arena arena;
        weft_change found[3];
        weft_error err = {""};
        size_t count;
        weft_arena_init(&arena);
        weft_status status =
            weft_change_find(changes[i].one, changes[i].other, &arena, found, 3, &count, &err);
        const char *said =
            weft_arena_format(&arena, "%.*s", (int)strcspn(err.text, "\n"), err.text);
        for (size_t k = 0; status == WEFT_OK && k < count; k++)
            said = weft_arena_format(&arena, "%s%s %s %s;", said, found[k].path,
                                     found[k].one ? found[k].one : "-",
                                     found[k].other ? found[k].other : "-");
        if (strcmp(said, changes[i].said) != 0)
            fail_msg("%s against %s gives %s", changes[i].one, changes[i].other, said);
        weft_arena_done(&arena);
    }
}

static const struct {
    const char *text;
    size_t points; /* that are left */
} loads[] = {
    {"traffic: {a: {load: 0.1}}\nvary: {traffic.a.load: [0.1, 0.2], seed: [1, 2, 3]}", 3},
    {"traffic: {a: {load: 0.1}}\nvary: {traffic.a.rho: [0.1, 0.2]}", 1},
    {"traffic: {a: {load: 0.1}}\nvary: {traffic.a.rate: [0.1, 0.2]}", 1},
    {"traffic: {a: {load: 0.1}}\nvary: {traffic.a.length: [1, 2]}", 2},
    {"traffic: {a: {load: 0.1}}\nvary: {traffic.b.load: [0.1, 0.2]}", 2},
    {"traffic: {ab: {load: 0.1}}\nvary: {traffic.a.load: [0.1, 0.2]}", 2},
    {"traffic: {a: {load: 0.1}}\nvary: {other.a.load: [0.1, 0.2]}", 2},
    {"traffic: {a: {load: 0.1}, b: {load: 0.1}}\nvary: {traffic.a.load: [0.1, 0.2]}", 2},
    {"traffic: {a: {share: 0.5}, b: {share: 0.5}}\nvary: {offered.load: [0.1, 0.2]}", 1},
    {"traffic: {a: {share: 0.5}, b: {load: 0.5}}\nvary: {offered.load: [0.1, 0.2]}", 2},
    {"traffic: {a: {share: 0.5}}\nvary: {load: [0.1, 0.2]}", 2},
    {"traffic: 5\nvary: {traffic.a.load: [0.1, 0.2]}", 2},
    {"vary: {traffic.a.load: [0.1, 0.2]}", 2},
    {"traffic: {a: {load: 0.1}}\nvary: {together: [{traffic.a.load: 1}, {traffic.a.load: 2}]}", 2},
    {"traffic: {a: {load: 0.1}}", 1},
};

/* Of an axis that scales all traffic alike the first value is left. */
static void one_load_is_enough_for_a_search(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        weft_registry registry;
        weft_arena arena;
        weft_plan *plan;
        weft_error err = {""};
        weft_registry_init(&registry);
        weft_arena_init(&arena);
        const char *text = weft_arena_format(&arena, "interweft: 1\n%s\n", loads[i].text);
        assert_int_equal(
            weft_plan_read_text("t.yaml", text, strlen(text), NULL, &registry, &arena, &plan, &err),
            WEFT_OK);
        assert_int_equal(weft_plan_keep_one_load(plan, &err), WEFT_OK);
        if (weft_plan_points(plan) != loads[i].points)
            fail_msg("%s: %zu points", loads[i].text, weft_plan_points(plan));
        weft_arena_done(&arena);
        weft_registry_done(&registry);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_is_taken_and_one_more_refused),
        cmocka_unit_test(a_text_has_a_mebibyte),
        cmocka_unit_test(files_are_merged_in_their_order),
        cmocka_unit_test(includes_have_their_bounds),
        cmocka_unit_test(settings_that_differ_are_found),
        cmocka_unit_test(one_load_is_enough_for_a_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
