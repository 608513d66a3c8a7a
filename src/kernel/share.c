/* SPDX-License-Identifier: Apache-2.0 */
/* Members of a crew agree on how something ended, so that none waits for one that failed. */
#include "base/memory.h"
#include "kernel/crew.h"

#include <stdlib.h>

typedef struct word {
    int64_t status;
    weft_error error;
} word;

weft_status weft_crew_share(weft_crew *crew, weft_status status, weft_error *err)
{
    int64_t failed = status != WEFT_OK;
    if (weft_crew_size(crew) == 1)
        return status;
    crew->kind->sum(crew, &failed, 1);
    if (failed == 0)
        return WEFT_OK;
    word mine = {.status = status};
    if (status != WEFT_OK && err)
        mine.error = *err;
    size_t *sizes = weft_alloc(sizeof *sizes * crew->size);
    void *gathered;
    crew->kind->gather(crew, &mine, sizeof mine, &gathered, sizes);
    const word *all = gathered;
    for (uint32_t r = crew->size; all && r-- > 0;)
        if (all[r].status != WEFT_OK)
            mine = all[r];
    crew->kind->broadcast(crew, &mine, sizeof mine);
    free(gathered);
    free(sizes);
    if (err)
        *err = mine.error;
    return (weft_status)mine.status;
}
