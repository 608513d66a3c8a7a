/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/bounds/mean_path.h"

static bool hosts_are_alike(const weft_topology *topology)
{
    uint32_t endpoints = topology->host_class ? weft_topology_endpoints(topology) : 0;
    for (uint32_t e = 0; e < endpoints; e++)
        if (topology->host_class[e] != WEFT_LINK_HOST)
            return false;
    return true;
}

void weft_mean_path_average(const weft_network *network, weft_mean_path *path)
{
    double packets = 0;
    for (int a = 0; a < WEFT_PATH_CLASSES; a++)
        packets += path->link[a][WEFT_LINK_HOST];
    for (int a = 0; a < WEFT_PATH_CLASSES; a++)
        for (int b = 0; b < WEFT_PATH_CLASSES && packets > 0; b++)
            path->link[a][b] /= packets;
    path->known = packets > 0 && network->timing.classes <= WEFT_PATH_CLASSES &&
                  hosts_are_alike(&network->topology);
}
