/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of wrong texts, each with the first line of its message: a test reads every one of them
 * and names all that say something else. */
#ifndef WEFT_TEST_REFUSALS_H
#define WEFT_TEST_REFUSALS_H

#include "config/scenario.h"
#include "net/network.h"
#include "study/kinds.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define REFUSED_FILE "refused.txt"

typedef struct refusal {
    const char *text, *message;
} refusal;

/* The message about a text, from the arena; "" if nothing is wrong with it. */
typedef const char *(*refusal_reader)(const char *text, const weft_registry *registry,
                                      weft_arena *arena);

#define REFUSED(rows, reader) refusals_check(rows, sizeof(rows) / sizeof *(rows), reader)

/* Files are written in a folder of its own, so that tests can run side by side. */
typedef struct refusals_folder {
    char name[24];
    int back;
} refusals_folder;

static inline void refusals_enter(refusals_folder *folder)
{
    (void)strcpy(folder->name, "/tmp/refusals-XXXXXX");
    folder->back = open(".", O_RDONLY | O_DIRECTORY);
    assert_true(folder->back >= 0);
    assert_non_null(mkdtemp(folder->name));
    assert_int_equal(chdir(folder->name), 0);
}

static inline void refusals_leave(const refusals_folder *folder)
{
    assert_int_equal(fchdir(folder->back), 0);
    assert_int_equal(close(folder->back), 0);
    assert_int_equal(rmdir(folder->name), 0);
}

static inline void refusals_check(const refusal *rows, size_t count, refusal_reader reader)
{
    size_t different = 0;
    weft_registry registry;
    refusals_folder folder;
    refusals_enter(&folder);
    weft_registry_init(&registry);
    weft_kinds_register(&registry);
    for (size_t i = 0; i < count; i++) {
        weft_arena arena;
        weft_arena_init(&arena);
        const char *said = reader(rows[i].text, &registry, &arena);
        said = weft_arena_copy(&arena, said, strcspn(said, "\n"));
        if (strcmp(said, rows[i].message) != 0) {
            print_error("row %zu: %s\n", i, said);
            different++;
        }
        weft_arena_done(&arena);
    }
    weft_registry_done(&registry);
    refusals_leave(&folder);
    assert_int_equal(different, 0);
}

/* Is there a line that begins with this word? */
static inline bool refusals_has(const char *text, const char *word)
{
    const char *at = text;
    while (at && strncmp(at, word, strlen(word)) != 0) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return at != NULL;
}

/* A scenario behind "interweft: 1": what it lacks, a small torus with light traffic, comes behind
 * it. Points are bound one after the other, and networks are built of them. */
static inline const char *refusals_scenario(const char *text, const weft_registry *registry,
                                            weft_arena *arena)
{
    static const char torus[] = "topology: {kind: torus, dims: [4, 4]}\n";
    static const char light[] = "traffic: {all: {length: 8 flits, load: 0.1}}\n";
    weft_plan *plan;
    weft_scenario scenario;
    weft_error *err = WEFT_TAKE(arena, weft_error, 1);
    bool sends = refusals_has(text, "traffic:") || refusals_has(text, "jobs:");
    const char *whole =
        weft_arena_format(arena, "interweft: 1\n%s\n%s%s", text,
                          refusals_has(text, "topology:") ? "" : torus, sends ? "" : light);
    weft_status status =
        weft_plan_read_text("t.yaml", whole, strlen(whole), NULL, registry, arena, &plan, err);
    for (size_t i = 0; status == WEFT_OK && i < weft_plan_points(plan); i++) {
        weft_network network;
        status = weft_plan_point(plan, i, arena, &scenario, err);
        if (status == WEFT_OK)
            status = weft_network_build(&network, &scenario, arena, err);
        if (status == WEFT_OK)
            weft_network_done(&network);
    }
    assert_int_equal(status != WEFT_OK, *err->text != '\0');
    return err->text;
}

/* A scenario, and behind a line === the file refused.txt that it names. */
static inline const char *refusals_with_file(const char *text, const weft_registry *registry,
                                             weft_arena *arena)
{
    static const char mark[] = "\n===\n";
    const char *end = strstr(text, mark);
    if (!end)
        return refusals_scenario(text, registry, arena);
    FILE *out = fopen(REFUSED_FILE, "w");
    assert_non_null(out);
    assert_true(fputs(end + strlen(mark), out) >= 0);
    assert_int_equal(fclose(out), 0);
    const char *said =
        refusals_scenario(weft_arena_copy(arena, text, (size_t)(end - text)), registry, arena);
    assert_int_equal(unlink(REFUSED_FILE), 0);
    return said;
}

#endif
