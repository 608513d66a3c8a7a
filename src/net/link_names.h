/* SPDX-License-Identifier: Apache-2.0 */
/* Links between routers by the names that a user gives them. */
#ifndef WEFT_NET_LINK_NAMES_H
#define WEFT_NET_LINK_NAMES_H

#include "interweft/status.h"
#include "interweft/topology.h"

typedef void weft_link_visit(void *user, uint32_t router, uint32_t port);

/* Visits the links that a text names, each as router and output port, and the way back of each; a
 * link may be visited twice. The text is
 *     leaf1 - spine2           all cables between routers of these names
 *     leaf1                    all cables of routers of this name
 *     leaf1:p7->spine2         cables by their own name (net/naming.h), in either direction
 * A name is that of an imported fabric, else a number or a displayed name; * is any text and ? any
 * character in it. Fails if it names nothing; `setting` is the start of the message. */
WEFT_MUST_USE weft_status weft_link_names_visit(const weft_topology *topology, const char *setting,
                                                const char *text, weft_link_visit *visit,
                                                void *user, weft_error *err);
/* Visits the routers whose name matches; returns their number. */
uint32_t weft_link_names_routers(const weft_topology *topology, const char *glob,
                                 void (*visit)(void *user, uint32_t router), void *user);
/* "; did you mean 'leaf1'?" among the names of an imported fabric, or "". */
const char *weft_link_names_nearest(const weft_topology *topology, const char *name, char out[160]);

#endif
