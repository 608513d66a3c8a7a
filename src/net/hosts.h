/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of endpoints from the words of a scenario. */
#ifndef WEFT_NET_HOSTS_H
#define WEFT_NET_HOSTS_H

#include "base/arena.h"
#include "interweft/component.h"
#include "interweft/hosts.h"
#include "interweft/topology.h"

/* The endpoints that the words of `setting` ("traffic.all.from", with which complaints begin)
 * name; *set: NULL if these are all. A word is
 *     all
 *     3, 0-15, 0-60/4          endpoints by number, every fourth
 *     router 3, router 4-7     all endpoints of these routers, by number …
 *     router (3, *)            … or by name, as people are shown it; * is any text, ? any character
 *     group 2, group 0-3       all endpoints of these groups
 *     file NAME                one of these a line */
WEFT_MUST_USE weft_status weft_hosts_read(const weft_hosts *hosts, const weft_topology *topology,
                                          const char *setting, weft_arena *arena,
                                          const weft_host_set **set, weft_error *err);
bool weft_host_set_same(const weft_host_set *a, const weft_host_set *b);
/* Endpoints that are in some of the sets; NULL among them: all `endpoints`. */
uint32_t weft_host_set_union(const weft_host_set *const *sets, uint32_t count, uint32_t endpoints);
/* Does a text match a pattern with * and ? in it? */
bool weft_glob_matches(const char *glob, const char *text);

#endif
