/* SPDX-License-Identifier: Apache-2.0 */
/* A tag: a small number above the topology's route header, drawn when a packet starts and kept
 * until it has arrived. For routings that choose once in which order a packet may take its minimal
 * ports. */
#ifndef WEFT_NET_ROUTING_COMMON_TAG_H
#define WEFT_NET_ROUTING_COMMON_TAG_H

#include "interweft/routing.h"

/* Fails unless tags 0 … tags − 1 fit above the header. */
WEFT_MUST_USE weft_status weft_tag_check(const weft_routing *routing, uint32_t tags,
                                         weft_error *err);
/* The topology's header with a random tag, all equally likely. */
uint32_t weft_tag_draw(const weft_routing *routing, uint32_t tags, uint32_t from, uint32_t to,
                       weft_random *random);
uint32_t weft_tag_starts(const weft_routing *routing, uint32_t tags, uint32_t from, uint32_t to,
                         void (*each)(void *user, uint32_t word), void *user);
bool weft_tag_sound(const weft_routing *routing, uint32_t tags, uint32_t router, uint32_t word);

static inline uint32_t weft_tag_of(const weft_routing *routing, uint32_t word)
{
    return word >> routing->topology->header_bits;
}

/* The topology's header, without the tag. */
static inline uint32_t weft_tag_route(const weft_routing *routing, uint32_t word)
{
    return word & ((1u << routing->topology->header_bits) - 1);
}

/* The same tag with another header; 0 stays 0. */
static inline uint32_t weft_tag_after(const weft_routing *routing, uint32_t word, uint32_t route)
{
    return route ? (word ^ weft_tag_route(routing, word)) | route : 0;
}

#endif
