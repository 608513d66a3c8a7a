/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of endpoints from the words of a scenario. */
#ifndef WEFT_NET_HOSTS_H
#define WEFT_NET_HOSTS_H

#include "base/arena.h"
#include "interweft/component.h"
#include "interweft/hosts.h"
#include "interweft/topology.h"

/* Finds the endpoints named by the words of `setting` ("traffic.all.from", the start of error
 * messages); *set: NULL for all endpoints. A word is
 *     all
 *     3, 0-15, 0-60/4          endpoints by number, every fourth
 *     router 3, router 4-7     all endpoints of these routers, by number …
 *     router (3, *)            … or by displayed name; * is any text, ? any character
 *     group 2, group 0-3       all endpoints of these groups
 *     node17, rack3-*          hosts of a fabric of InfiniBand by name …
 *     node17/P2                … and one port of an adapter with several
 *     file NAME                a file with one of these per line */
WEFT_MUST_USE weft_status weft_hosts_read(const weft_hosts *hosts, const weft_topology *topology,
                                          const char *setting, weft_arena *arena,
                                          const weft_host_set **set, weft_error *err);
/* The same endpoints in the order in which the words name them. Fails if one is named twice. */
WEFT_MUST_USE weft_status weft_hosts_list(const weft_hosts *hosts, const weft_topology *topology,
                                          const char *setting, weft_arena *arena,
                                          const uint32_t **list, uint32_t *count, weft_error *err);
bool weft_host_set_same(const weft_host_set *a, const weft_host_set *b);
/* Number of endpoints in the union of the sets; a set that is NULL is all `endpoints`. */
uint32_t weft_host_set_union(const weft_host_set *const *sets, uint32_t count, uint32_t endpoints);

#endif
