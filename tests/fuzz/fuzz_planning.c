/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the file of `weft plan`: a message or what is wanted, never a crash and never much
 * memory. */
#include "config/planning/requirements.h"
#include "fuzz_file.h"
#include "study/catalog.h"

#define ARENA_MAX ((size_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static weft_catalog *catalog;
    weft_requirements wanted;
    weft_arena arena;
    weft_error err;
    if (!catalog)
        catalog = weft_catalog_create();
    weft_arena_init(&arena);
    if (weft_requirements_read(fuzz_file("plan.yaml", data, size), NULL,
                               weft_catalog_registry(catalog), &arena, &wanted, &err) == WEFT_OK) {
        const weft_assumption *list;
        if (weft_requirements_assumptions(&wanted, &arena, &list) == 0 || wanted.endpoints < 1)
            abort();
    }
    if (arena.used > ARENA_MAX)
        abort();
    weft_arena_done(&arena);
    return 0;
}
