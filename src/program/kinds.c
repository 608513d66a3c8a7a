/* SPDX-License-Identifier: Apache-2.0 */
/* The algorithms of collectives that are built in. */
#include "program/collective.h"

#include <string.h>

const weft_collective_kind *const weft_collective_kinds[] = {
#define KIND(name) &weft_collective_##name,
#include "program/list.def"
#undef KIND
    NULL};

const char *weft_collective_operation_name(weft_collective_operation operation)
{
    static const char *const names[WEFT_COLLECTIVE_OPERATIONS] = {
        [WEFT_COLLECTIVE_ALLREDUCE] = "allreduce",
        [WEFT_COLLECTIVE_REDUCE_SCATTER] = "reduce-scatter",
        [WEFT_COLLECTIVE_ALLGATHER] = "allgather",
        [WEFT_COLLECTIVE_ALL_TO_ALL] = "all-to-all",
        [WEFT_COLLECTIVE_BROADCAST] = "broadcast",
        [WEFT_COLLECTIVE_REDUCE] = "reduce",
        [WEFT_COLLECTIVE_GATHER] = "gather",
        [WEFT_COLLECTIVE_BARRIER] = "barrier",
        [WEFT_COLLECTIVE_HALO] = "halo"};
    return names[operation];
}

const weft_collective_kind *weft_collective_find(const char *operation, const char *algorithm)
{
    for (const weft_collective_kind *const *kind = weft_collective_kinds; *kind; kind++)
        if (strcmp(weft_collective_operation_name((*kind)->operation), operation) == 0 &&
            strcmp((*kind)->algorithm, algorithm) == 0)
            return *kind;
    return NULL;
}
