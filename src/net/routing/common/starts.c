/* SPDX-License-Identifier: Apache-2.0 */
#include "net/routing/common/starts.h"

uint32_t weft_starts(const weft_routing *routing, uint32_t from, uint32_t to,
                     void (*each)(void *user, uint32_t word), void *user)
{
    const weft_topology *topology = routing->topology;
    if (routing->kind->starts)
        return routing->kind->starts(routing, from, to, each, user);
    uint32_t words[WEFT_AIMS_MAX];
    unsigned count = 1;
    if (routing->kind->start)
        words[0] = routing->kind->start(routing, from, to, NULL);
    else if (topology->kind->aims && !topology->kind->mark) /* else it is the host that is drawn */
        count = topology->kind->aims(topology, from, to, words);
    else
        words[0] = topology->kind->aim(topology, from, to, NULL);
    for (unsigned i = 0; i < count; i++)
        each(user, words[i]);
    return count;
}
