/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of the topology one after the other, those with the most free endpoints first: a job
 * shares as few groups with others as it can. Of equally empty groups the first is taken. */
#include "base/memory.h"
#include "net/allocation.h"

#include <stdlib.h>
#include <string.h>

typedef struct group {
    uint32_t first, count; /* its endpoints in the list of free ones, where they are neighbours */
} group;

static int emptiest_first(const void *a, const void *b)
{
    const group *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static uint32_t find_groups(const weft_allocation *allocation, group *groups)
{
    const weft_topology *topology = allocation->topology;
    uint32_t count = 0, last = 0;
    for (uint32_t i = 0; i < allocation->count; i++) {
        uint32_t number = weft_topology_home(topology, allocation->free[i]) / topology->group;
        if (count == 0 || number != last)
            groups[count++] = (group){.first = i};
        groups[count - 1].count++;
        last = number;
    }
    return count;
}

static weft_status order(weft_allocation *allocation, weft_error *err)
{
    if (allocation->topology->group == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "placement by-group needs a topology with groups, as dragonflies and fat "
                         "trees have; use contiguous or round-robin");
    size_t room = (size_t)allocation->count + 1;
    group *groups = weft_alloc(sizeof *groups * room);
    uint32_t *ordered = weft_alloc(sizeof *ordered * room), count = 0;
    uint32_t n_groups = find_groups(allocation, groups);
    qsort(groups, n_groups, sizeof *groups, emptiest_first);
    for (uint32_t g = 0; g < n_groups; g++)
        for (uint32_t i = 0; i < groups[g].count; i++)
            ordered[count++] = allocation->free[groups[g].first + i];
    memcpy(allocation->free, ordered, sizeof *ordered * count);
    free(ordered);
    free(groups);
    return WEFT_OK;
}

const weft_allocation_kind weft_allocation_by_group = {.name = "by-group", .order = order};
