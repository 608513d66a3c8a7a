/* SPDX-License-Identifier: Apache-2.0 */
/* Which endpoints a job gets, of those that are free. A kind puts the free endpoints in order; the
 * job's ranks take the first ones. */
#ifndef WEFT_NET_ALLOCATION_H
#define WEFT_NET_ALLOCATION_H

#include "config/scenario.h"
#include "interweft/topology.h"

typedef struct weft_allocation {
    const weft_topology *topology;
    uint32_t *free; /* endpoints, ascending at first */
    uint32_t count;
    uint32_t wanted;      /* of them, at most count */
    const uint32_t *list; /* those that the job names, in its order; all of them are free */
    uint32_t n_list;
    uint64_t seed;
    uint32_t job;
} weft_allocation;

typedef struct weft_allocation_kind {
    const char *name;
    bool last; /* jobs with it are placed after all others, by their starts */
    /* Fails where the topology has nothing of the kind. */
    weft_status (*order)(weft_allocation *allocation, weft_error *err);
} weft_allocation_kind;

#define ALLOCATION(placement, name) extern const weft_allocation_kind weft_allocation_##name;
#include "net/allocation/list.def"
#undef ALLOCATION

/* The kind of a setting. */
const weft_allocation_kind *weft_allocation_of(int placement);

#endif
