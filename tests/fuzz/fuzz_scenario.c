/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a scenario: a message or settings, never a crash and never much memory. Settings
 * that were understood must read back as the same text. */
#include "../unit/test_config_registry.h"
#include "config/scenario.h"

#include <stdlib.h>
#include <string.h>

#define ARENA_MAX ((size_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weft_registry registry;
    weft_arena arena;
    weft_plan *plan;
    weft_error err;
    fake_registry(&registry);
    weft_arena_init(&arena);
    if (weft_plan_read_text("fuzz.yaml", (const char *)data, size, NULL, &registry, &arena, &plan,
                            &err) == WEFT_OK)
        for (size_t i = 0; i < weft_plan_points(plan) && i < 3; i++)
            check_point(plan, i, &registry);
    if (arena.used > ARENA_MAX)
        abort();
    weft_arena_done(&arena);
    weft_registry_done(&registry);
    return 0;
}
