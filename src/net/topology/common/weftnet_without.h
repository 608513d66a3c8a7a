/* SPDX-License-Identifier: Apache-2.0 */
/* A fabric without some of its routers: their cables, hosts and rows of tables are gone too. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_WEFTNET_WITHOUT_H
#define WEFT_NET_TOPOLOGY_COMMON_WEFTNET_WITHOUT_H

#include "net/topology/common/weftnet.h"

/* Leaves out the routers that a text names, 'leaf7, rack3-*'; fails if it names none, or if no
 * router with hosts is left. */
WEFT_MUST_USE weft_status weft_weftnet_without(weft_weftnet *net, const char *names,
                                               weft_error *err);

#endif
