/* SPDX-License-Identifier: Apache-2.0 */
/* A routing with VCs on an example network, and a packet's way through it: for the tests of what
 * routings promise to routers with finite buffers. */
#ifndef WEFT_TEST_VCS_H
#define WEFT_TEST_VCS_H

#include "net/routing.h"
#include "net/selection.h"

#include "contract/networks.h"

typedef struct vc_net {
    network net;
    weft_routing routing;
    void *settings, *selection;
} vc_net;

static inline weft_status vc_net_share(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    const weft_routing_kind *kind = routing->kind;
    if (kind->check)
        WEFT_TRY(kind->check(routing, err));
    routing->self = kind->base.instance_size ? calloc(1, kind->base.instance_size) : NULL;
    weft_status status = kind->build ? kind->build(routing, err) : WEFT_OK;
    if (status != WEFT_OK) { /* nothing is left to be done */
        free(routing->self);
        routing->self = NULL;
        return status;
    }
    return kind->assign_vcs(routing, vcs, err);
}

/* The status of check, build and share. selection: of kinds that have one. */
static inline weft_status vc_net_try(vc_net *it, const example *place, const char *kind,
                                     const char *settings, const char *selection, uint32_t vcs,
                                     weft_error *err)
{
    const weft_component *base = kind_named(weft_routing_kinds, kind);
    const weft_component *order = kind_named(weft_selection_kinds, selection);
    weft_routing *routing = &it->routing;
    *routing = (weft_routing){.kind = (const weft_routing_kind *)(const void *)base,
                              .topology = network_open(&it->net, place->kind, place->settings)};
    it->selection = settings_make(order, "");
    it->settings = settings_make(base, settings);
    routing->settings = it->settings;
    if (settings_selects(base, settings))
        settings_put_kind(base, it->settings, "selection",
                          (weft_kind_ref){.kind = order, .settings = it->selection});
    if (routing->kind->selection) {
        weft_kind_ref ref = routing->kind->selection(it->settings);
        routing->selection = (const weft_selection_kind *)(const void *)ref.kind;
        routing->selection_settings = ref.settings;
        routing->draws = routing->selection->draws;
    } else {
        routing->draws = routing->kind->draws;
    }
    return vc_net_share(routing, vcs, err);
}

static inline void vc_net_close(vc_net *it)
{
    if (it->routing.self && it->routing.kind->done)
        it->routing.kind->done(&it->routing);
    free(it->routing.self);
    network_close(&it->net);
    free(it->settings);
    free(it->selection);
}

/* draw: tells the streams of several questions apart. */
static inline unsigned vc_net_ask(const weft_routing *routing, const weft_route_context *here,
                                  uint64_t draw, weft_candidate *out)
{
    weft_random random = weft_random_stream(11, draw, here->header, WEFT_FOR_ESTIMATE);
    return routing->kind->candidates(routing, here, routing->draws ? &random : NULL, out);
}

/* Where a packet is after a hop on a VC. */
static inline weft_route_context vc_net_follow(const weft_topology *topology,
                                               const weft_route_context *here,
                                               const weft_candidate *hop, uint32_t vc)
{
    weft_end end = topology->kind->peer(topology, here->router, hop->port);
    assert(end.router != WEFT_NOWHERE);
    return (weft_route_context){.router = end.router,
                                .header = hop->next_header,
                                .port = (uint16_t)end.port,
                                .vc = (uint16_t)vc};
}

static inline weft_route_context vc_net_start(uint32_t router, uint32_t route)
{
    return (weft_route_context){.router = router, .header = route, .port = WEFT_FROM_ENDPOINT};
}

#endif
