/* SPDX-License-Identifier: Apache-2.0 */
/* The algorithms of collectives that are built in. */
#include "program/collective.h"

#include <string.h>

const weft_collective_kind *const weft_collective_kinds[] = {
#define KIND(name) &weft_collective_##name,
#include "program/list.def"
#undef KIND
    NULL};

const weft_collective_kind *weft_collective_find(const char *operation, const char *algorithm)
{
    for (const weft_collective_kind *const *kind = weft_collective_kinds; *kind; kind++)
        if (strcmp(weft_collective_operation_name((*kind)->operation), operation) == 0 &&
            strcmp((*kind)->algorithm, algorithm) == 0)
            return *kind;
    return NULL;
}
