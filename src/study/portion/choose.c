/* SPDX-License-Identifier: Apache-2.0 */
/* The points of a part, by their numbers in the grid. */
#include "study/portion/portion.h"

#include <errno.h>
#include <stdlib.h>

/* Reads one number or range, "7-9", and the comma behind it. */
static bool read_range(const char **at, uint64_t *from, uint64_t *to)
{
    char *end;
    errno = 0;
    if (**at < '0' || **at > '9')
        return false;
    *from = *to = strtoull(*at, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        *to = strtoull(end + 1, &end, 10);
    bool more = end[0] == ',' && end[1];
    if (errno || (*end && !more))
        return false;
    *at = end + more;
    return true;
}

weft_status weft_portion_choose(weft_study *study, const char *list, weft_error *err)
{
    size_t points = weft_plan_points(study->plan);
    bool *left_out = WEFT_TAKE(&study->arena, bool, points);
    for (size_t i = 0; i < points; i++)
        left_out[i] = true;
    const char *at = list;
    do {
        uint64_t from, to;
        if (!read_range(&at, &from, &to))
            return weft_fail(err, WEFT_BAD_USAGE,
                             "--points takes numbers from 1 such as 1,4,7-9, found '%.64s'", list);
        if (from < 1 || to > points || from > to)
            return weft_fail(err, WEFT_BAD_USAGE,
                             "--points: the grid has points 1 to %zu, found '%.64s'", points, list);
        for (uint64_t i = from; i <= to; i++)
            left_out[i - 1] = false;
    } while (*at);
    study->left_out = left_out;
    return WEFT_OK;
}

size_t weft_portion_points(const weft_study *study)
{
    size_t count = 0;
    for (size_t i = 0; i < weft_plan_points(study->plan); i++)
        count += !weft_portion_leaves_out(study, i);
    return count;
}
