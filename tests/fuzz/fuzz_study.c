/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a study file: a message or a plan, never a crash and never much memory. */
#include "../unit/test_config_registry.h"
#include "config/evaluation/evaluation.h"

#include <stdlib.h>
#include <string.h>

#define ARENA_MAX ((size_t)128 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Points have keys of their own plan, and settings that read back as the same text. */
static void check_point(const weft_plan *plan, size_t i, const weft_registry *registry)
{
    weft_arena arena;
    weft_arena_init(&arena);
    weft_scenario first, second;
    weft_plan *again;
    weft_error err;
    if (weft_plan_point(plan, i, &arena, &first, &err) == WEFT_OK) {
        if (strncmp(first.key, "scenario=", 9) != 0 ||
            strcmp(first.key, weft_plan_key(plan, i)) != 0 ||
            weft_plan_read_text("again", first.text, strlen(first.text), NULL, registry, &arena,
                                &again, &err) != WEFT_OK ||
            weft_plan_point(again, 0, &arena, &second, &err) != WEFT_OK ||
            strncmp(first.text, second.text, strlen(second.text)) != 0)
            abort();
    }
    weft_arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weft_registry registry;
    weft_arena arena;
    weft_evaluation_settings settings;
    weft_error err;
    fake_registry(&registry);
    weft_arena_init(&arena);
    if (memmem(data, size, "scenario: /", 11) == NULL && memmem(data, size, "..", 2) == NULL &&
        weft_evaluation_read_text("fuzz.yaml", (const char *)data, size, &registry, &arena,
                                  &settings, &err) == WEFT_OK)
        for (size_t i = 0; i < weft_plan_points(settings.plan) && i < 3; i++)
            check_point(settings.plan, i, &registry);
    if (arena.used > ARENA_MAX)
        abort();
    weft_arena_done(&arena);
    weft_registry_done(&registry);
    return 0;
}
