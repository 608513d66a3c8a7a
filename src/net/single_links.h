/* SPDX-License-Identifier: Apache-2.0 */
/* Rate and latency of single links. A link has those that the file of its fabric gives it, or else
 * those of its class; a class that the scenario gives a rate or latency by name (links.local) has
 * it for all its links, and links.where changes those it names. Every pair of rate and latency that
 * is not a class's becomes a class of its own. */
#ifndef WEFT_NET_SINGLE_LINKS_H
#define WEFT_NET_SINGLE_LINKS_H

#include "base/arena.h"
#include "net/timing.h"

/* Finds these classes and sets topology->link_class and host_class, which stay NULL where no link
 * differs from its class. */
WEFT_MUST_USE weft_status weft_single_links_find(weft_single_links *single, weft_topology *topology,
                                                 const weft_scenario *scenario, weft_arena *arena,
                                                 weft_error *err);

#endif
