/* SPDX-License-Identifier: Apache-2.0 */
#include "net/routing/common/tag.h"

#include "net/topology/common/grid.h"

weft_status weft_tag_check(const weft_routing *routing, uint32_t tags, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    unsigned bits = weft_grid_bits(tags);
    if (topology->header_bits + bits <= 32 && topology->header_bits < 32)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "routing %s needs %u bits of a packet beside the %u of its route on this %s, "
                     "and there are 32: use smaller sizes",
                     routing->kind->base.name, bits, topology->header_bits,
                     topology->kind->base.name);
}

uint32_t weft_tag_draw(const weft_routing *routing, uint32_t tags, uint32_t from, uint32_t to,
                       weft_random *random)
{
    const weft_topology *topology = routing->topology;
    uint32_t route = topology->kind->make_header(topology, from, to, random);
    return tags > 1 ? weft_random_below(random, tags) << topology->header_bits | route : route;
}

uint32_t weft_tag_starts(const weft_routing *routing, uint32_t tags, uint32_t from, uint32_t to,
                         void (*each)(void *user, uint32_t word), void *user)
{
    const weft_topology *topology = routing->topology;
    uint32_t words[WEFT_HEADERS_MAX];
    unsigned count = 1;
    if (topology->kind->all_headers)
        count = topology->kind->all_headers(topology, from, to, words);
    else
        words[0] = topology->kind->make_header(topology, from, to, NULL);
    for (unsigned i = 0; i < count; i++)
        for (uint32_t tag = 0; tag < tags; tag++)
            each(user, tag << topology->header_bits | words[i]);
    return count * tags;
}

bool weft_tag_sound(const weft_routing *routing, uint32_t tags, uint32_t router, uint32_t word)
{
    const weft_topology *topology = routing->topology;
    uint32_t route = weft_tag_route(routing, word);
    if (route == 0)
        return word == 0;
    return weft_tag_of(routing, word) < tags &&
           (!topology->kind->header_valid || topology->kind->header_valid(topology, router, route));
}
