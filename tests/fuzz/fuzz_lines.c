/* SPDX-License-Identifier: Apache-2.0 */
/* Forwarding tables and source routes of any bytes, on a small torus: reading them never
 * crashes, and what is taken leads every packet to its destination. */
#include "base/file.h"
#include "net/routing.h"
#include "net/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Follows every packet; none is longer under way than any table allows. */
static void follow(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    for (uint32_t from = 0; from < topology->edge_routers; from++)
        for (uint32_t to = 0; to < topology->edge_routers; to++) {
            if (from == to)
                continue;
            weft_route_context here = {
                .router = from, .header = routing->kind->initial_header(routing, from, to, NULL)};
            for (int hops = 0; here.header; hops++) {
                weft_candidate hop;
                if (hops > 255 ||
                    !routing->kind->proof.header_valid(routing, here.router, here.header) ||
                    routing->kind->candidates(routing, &here, NULL, &hop) != 1)
                    abort();
                here.router = topology->kind->peer(topology, here.router, hop.port).router;
                here.header = hop.next_header;
            }
            if (here.router != to)
                abort();
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64], self[4096] = {0}, set[4096] = {0};
    weft_error err;
    if (size == 0)
        return 0;
    const weft_routing_kind *kind = data[0] & 1 ? &weft_routing_tables : &weft_routing_source;
    weft_topology topology = {.kind = &weft_topology_mesh};
    if (kind->base.instance_size > sizeof self || topology.kind->base.settings_size > sizeof set)
        abort();
    for (const weft_param *p = topology.kind->base.params; p->name; p++)
        if (strcmp(p->name, "dims") == 0)
            *(weft_ints *)(void *)(set + p->offset) = (weft_ints){.count = 1, .at = {3}};
        else if (strcmp(p->name, "hosts") == 0)
            *(int64_t *)(void *)(set + p->offset) = 1;
    topology.self = calloc(1, topology.kind->base.instance_size + 1);
    if (!topology.self || weft_topology_build(&topology, set, &err) != WEFT_OK)
        abort();
    (void)snprintf(path, sizeof path, "/tmp/fuzz_lines.%d", (int)getpid());
    if (weft_bytes_write(path, data + 1, size - 1, &err) != WEFT_OK)
        abort();
    weft_file file = {.text = "fuzz", .path = path}; /* the only setting of both */
    weft_routing routing = {.kind = kind, .settings = &file, .self = self, .topology = &topology};
    if (kind->build(&routing, &err) == WEFT_OK) {
        follow(&routing);
        kind->done(&routing);
    }
    (void)unlink(path);
    if (topology.kind->done)
        topology.kind->done(&topology);
    free(topology.self);
    return 0;
}
