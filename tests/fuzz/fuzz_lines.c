/* SPDX-License-Identifier: Apache-2.0 */
/* Forwarding tables and source routes of any bytes, on a small mesh: reading them never
 * crashes, and what is taken leads every packet to its destination. WEFT_READER=tables or
 * source-routes gives them to one reader alone. */
#include "fuzz_file.h"
#include "net/routing.h"
#include "net/topology.h"

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

/* A mesh of 3 routers with an endpoint each, made once. */
static weft_topology *mesh(void)
{
    static weft_topology topology = {.kind = &weft_topology_mesh};
    char set[4096] = {0};
    weft_error err;
    if (topology.self)
        return &topology;
    if (topology.kind->base.settings_size > sizeof set)
        abort();
    for (const weft_param *p = topology.kind->base.params; p->name; p++)
        if (strcmp(p->name, "dims") == 0)
            *(weft_ints *)(void *)(set + p->offset) = (weft_ints){.count = 1, .at = {3}};
        else if (strcmp(p->name, "hosts") == 0)
            *(int64_t *)(void *)(set + p->offset) = 1;
    topology.self = calloc(1, topology.kind->base.instance_size + 1);
    if (!topology.self || weft_topology_build(&topology, set, &err) != WEFT_OK)
        abort();
    return &topology;
}

static void read_by(const weft_routing_kind *kind, const char *path)
{
    char self[4096] = {0};
    weft_error err;
    if (kind->base.instance_size > sizeof self)
        abort();
    weft_file file = {.text = "fuzz", .path = path}; /* the only setting of both */
    weft_routing routing = {.kind = kind, .settings = &file, .self = self, .topology = mesh()};
    if (kind->build(&routing, &err) == WEFT_OK) {
        follow(&routing);
        kind->done(&routing);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file("lines", data, size);
    if (fuzz_wants("tables"))
        read_by(&weft_routing_tables, path);
    if (fuzz_wants("source-routes"))
        read_by(&weft_routing_source, path);
    return 0;
}
