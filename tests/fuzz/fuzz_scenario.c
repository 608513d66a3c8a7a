/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a scenario: a message or settings, never a crash and never much memory. Settings
 * that were understood must read back as the same text. WEFT_READER says what the bytes are:
 *
 *     scenario    the text of a scenario of a few imitation components
 *     settings    the same, of the components of the program
 *     include     a file with that text, which may include itself
 *     override    lines "key=value" as on a command line, for a small scenario */
#include "../unit/test_config_registry.h"
#include "config/scenario.h"
#include "fuzz_file.h"
#include "study/catalog.h"

#define ARENA_MAX     ((size_t)64 << 20)
#define OVERRIDES_MAX 32

static const char base[] = "interweft: 1\n"
                           "topology: {kind: torus, dims: [4, 4]}\n"
                           "router: {kind: input-queued, vcs: 4}\n"
                           "routing: {kind: minimal-adaptive, selection: random}\n"
                           "traffic: {all: {pattern: uniform, length: 8 flits, load: 0.3}}\n"
                           "vary: {traffic.all.load: [0.1, 0.2]}\n";

static void check_point(const weft_plan *plan, size_t i, const weft_registry *registry)
{
    weft_arena arena;
    weft_arena_init(&arena);
    weft_scenario first, second;
    weft_plan *again;
    weft_error err;
    if (weft_plan_point(plan, i, &arena, &first, &err) == WEFT_OK) {
        if (weft_plan_read_text("again", first.text, strlen(first.text), NULL, registry, &arena,
                                &again, &err) != WEFT_OK ||
            weft_plan_point(again, 0, &arena, &second, &err) != WEFT_OK ||
            strcmp(first.text, second.text) != 0)
            abort();
    }
    if (arena.used > ARENA_MAX)
        abort();
    weft_arena_done(&arena);
}

static void check(weft_status status, const weft_plan *plan, weft_arena *arena,
                  const weft_registry *registry)
{
    for (size_t i = 0; status == WEFT_OK && i < weft_plan_points(plan) && i < 3; i++)
        check_point(plan, i, registry);
    if (arena->used > ARENA_MAX)
        abort();
    weft_arena_done(arena);
}

static void read_text(const uint8_t *data, size_t size, const weft_registry *registry)
{
    weft_arena arena;
    weft_plan *plan;
    weft_error err;
    weft_arena_init(&arena);
    weft_status status = weft_plan_read_text("fuzz.yaml", (const char *)data, size, NULL, registry,
                                             &arena, &plan, &err);
    check(status, plan, &arena, registry);
}

static void read_file(const uint8_t *data, size_t size, const weft_registry *registry)
{
    weft_arena arena;
    weft_plan *plan;
    weft_error err;
    weft_arena_init(&arena);
    const char *path = fuzz_file("fuzz.yaml", data, size);
    weft_status status = weft_plan_read(path, NULL, registry, &arena, &plan, &err);
    check(status, plan, &arena, registry);
}

static void read_overrides(const uint8_t *data, size_t size, const weft_registry *registry)
{
    weft_arena arena;
    weft_plan *plan;
    weft_error err;
    char *words[OVERRIDES_MAX + 1];
    weft_arena_init(&arena);
    (void)fuzz_words(data, size, words, OVERRIDES_MAX);
    weft_status status = weft_plan_read_text(
        "base.yaml", base, strlen(base), (const char *const *)words, registry, &arena, &plan, &err);
    check(status, plan, &arena, registry);
    free(words[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static weft_registry imitation;
    static weft_catalog *catalog;
    if (!catalog) {
        fake_registry(&imitation);
        catalog = weft_catalog_create();
    }
    const weft_registry *whole = weft_catalog_registry(catalog);
    if (fuzz_wants("scenario"))
        read_text(data, size, &imitation);
    if (fuzz_wants("settings"))
        read_text(data, size, whole);
    if (fuzz_wants("include"))
        read_file(data, size, whole);
    if (fuzz_wants("override"))
        read_overrides(data, size, whole);
    return 0;
}
