/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of a leaf-spine network, for kinds composed of such networks. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_LEAF_SPINE_H
#define WEFT_NET_TOPOLOGY_COMMON_LEAF_SPINE_H

#include <stdint.h>

typedef struct weft_leaf_spine_settings { /* of weft_topology_leaf_spine */
    int64_t leaves, spines, hosts;
} weft_leaf_spine_settings;

#endif
