/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/common/line.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

#define ROOM_LEAST 8

bool weft_line_grow(weft_line *line)
{
    if (line->end < line->room)
        return false;
    if (line->waiting > line->room / 2 || line->room == 0) {
        assert(line->room <= UINT32_MAX / 2);
        line->room = line->room ? 2 * line->room : ROOM_LEAST;
        line->at = weft_realloc(line->at, line->room, sizeof *line->at);
        return false;
    }
    uint32_t kept = 0;
    for (uint32_t i = line->first; i < line->end; i++)
        if (line->at[i].outputs)
            line->at[kept++] = line->at[i];
    line->first = 0;
    line->end = kept;
    return true;
}

void weft_line_done(weft_line *line)
{
    free(line->at);
    *line = (weft_line){0};
}
