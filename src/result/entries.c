/* SPDX-License-Identifier: Apache-2.0 */
/* What an open results file holds in memory: the list of its points, sorted by key, and the point
 * read last. */
#include "base/memory.h"
#include "base/text.h"
#include "result/key.h"
#include "result/store.h"

#include <stdlib.h>
#include <string.h>

/* First entry that does not stand before key. */
static size_t lower_bound(const weft_result *result, const char *key)
{
    size_t from = 0, to = result->n_entries;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (weft_key_compare(result->entries[middle].key, key) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

size_t weft_store_find(const weft_result *result, const char *key)
{
    size_t i = lower_bound(result, key);
    bool found = i < result->n_entries && strcmp(result->entries[i].key, key) == 0;
    return found ? i : result->n_entries;
}

void weft_store_insert(weft_result *result, int64_t id, const char *key)
{
    if (result->n_entries == result->capacity) {
        result->capacity = result->capacity ? 2 * result->capacity : 64;
        result->entries = weft_realloc(result->entries, result->capacity, sizeof *result->entries);
    }
    size_t i = lower_bound(result, key);
    memmove(&result->entries[i + 1], &result->entries[i],
            (result->n_entries - i) * sizeof *result->entries);
    result->entries[i] = (weft_entry){id, weft_text_copy(key)};
    result->n_entries++;
}

void weft_store_forget_entries(weft_result *result)
{
    for (size_t i = 0; i < result->n_entries; i++)
        free(result->entries[i].key);
    result->n_entries = 0;
}

void weft_store_forget_point(weft_result *result)
{
    weft_arena_done(&result->arena);
    weft_arena_init(&result->arena);
    free(result->metrics);
    free(result->arrays);
    free(result->links);
    result->metrics = NULL;
    result->arrays = NULL;
    result->links = NULL;
    result->point = (weft_point){0};
}
