/* SPDX-License-Identifier: Apache-2.0 */
/* A routing with words of its own on an example network, and a packet's way through it: what an
 * engine does, without one. */
#ifndef WEFT_TEST_ROUTED_H
#define WEFT_TEST_ROUTED_H

#include "analysis/deadlock/deadlock.h"
#include "net/routing.h"

#include "contract/networks.h"

#include <math.h>

typedef struct routed {
    network net;
    weft_routing routing;
    void *settings;
} routed;

/* The status of check, build and share, as network.c asks for them. */
static inline weft_status routed_try(routed *it, const example *place, const char *kind,
                                     const char *settings, uint32_t vcs, weft_error *err)
{
    const weft_component *base = kind_named(weft_routing_kinds, kind);
    weft_routing *routing = &it->routing;
    it->settings = settings_make(base, settings);
    *routing = (weft_routing){.kind = (const weft_routing_kind *)(const void *)base,
                              .topology = network_open(&it->net, place->kind, place->settings),
                              .settings = it->settings,
                              .self = calloc(1, base->instance_size + 1)};
    routing->draws = routing->kind->draws;
    if (routing->kind->check)
        WEFT_TRY(routing->kind->check(routing, err));
    if (routing->kind->build)
        WEFT_TRY(routing->kind->build(routing, err));
    return routing->kind->assign_vcs(routing, vcs, err);
}

static inline void routed_close(routed *it)
{
    network_close(&it->net);
    free(it->routing.self);
    free(it->settings);
}

/* &it->routing, with the fewest VCs that are allowed. */
static inline const weft_routing *routed_open(routed *it, const example *place, const char *kind,
                                              const char *settings)
{
    weft_error err = {0};
    for (uint32_t vcs = 1; vcs <= 16; vcs++) {
        if (routed_try(it, place, kind, settings, vcs, &err) == WEFT_OK)
            return &it->routing;
        routed_close(it);
    }
    fprintf(stderr, "%s %s on %s %s: %s\n", kind, settings, place->kind, place->settings, err.text);
    assert(0);
    return NULL;
}

/* Says what is wrong with it. */
static inline void routed_refused(const example *place, const char *kind, const char *settings,
                                  uint32_t vcs, const char *because)
{
    routed it;
    weft_error err = {0};
    weft_status status = routed_try(&it, place, kind, settings, vcs, &err);
    if (status == WEFT_OK || !strstr(err.text, because))
        fprintf(stderr, "%s %s on %s %s: '%s' is not about '%s'\n", kind, settings, place->kind,
                place->settings, err.text, because);
    assert(status == WEFT_BAD_INPUT && strstr(err.text, because));
    routed_close(&it);
}

/* What a router sees: queues by port, drawn. */
static inline uint32_t routed_queue(const void *user, uint32_t port, uint16_t vcs)
{
    assert(vcs);
    weft_random random = weft_random_stream(*(const uint64_t *)user, port, 0, WEFT_FOR_ESTIMATE);
    return weft_random_below(&random, 40);
}

/* The word a packet that has come here goes on with. */
static inline uint32_t routed_settle(const weft_routing *routing, const weft_route_context *here,
                                     uint64_t draw)
{
    if (!routing->kind->reroute || !here->header)
        return here->header;
    weft_random random = weft_random_stream(21, draw, here->header, WEFT_FOR_ESTIMATE);
    weft_congestion_view view = {.user = &draw, .waiting = routed_queue};
    return routing->kind->reroute(routing, here, &view, &random);
}

static inline unsigned routed_ask(const weft_routing *routing, const weft_route_context *here,
                                  uint64_t draw, weft_candidate *out)
{
    weft_random random = weft_random_stream(22, draw, here->header, WEFT_FOR_ESTIMATE);
    return routing->kind->candidates(routing, here, routing->draws ? &random : NULL, out);
}

static inline weft_route_context routed_follow(const weft_topology *topology,
                                               const weft_route_context *here,
                                               const weft_candidate *hop)
{
    weft_end end = topology->kind->peer(topology, here->router, hop->port);
    assert(end.router != WEFT_NOWHERE && hop->vcs);
    return (weft_route_context){.router = end.router,
                                .header = hop->next_header,
                                .port = (uint16_t)end.port,
                                .vc = (uint16_t)__builtin_ctz(hop->vcs)};
}

static inline weft_route_context routed_start(const weft_routing *routing, uint32_t from,
                                              uint32_t to, weft_random *random)
{
    return (weft_route_context){.router = from,
                                .header = weft_routing_initial_header(routing, from, to, random),
                                .port = WEFT_FROM_ENDPOINT};
}

/* Words, as many as there are. */
typedef struct words {
    uint32_t count, room, *at;
} words;

static inline void words_add(void *user, uint32_t word)
{
    words *list = user;
    if (list->count == list->room) {
        list->room = 2 * list->room + 64;
        list->at = realloc(list->at, list->room * sizeof *list->at);
        assert(list->at);
    }
    list->at[list->count++] = word;
}

static inline void words_done(words *list)
{
    free(list->at);
    *list = (words){0};
}

static inline bool words_have(const words *list, uint32_t word)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i] == word)
            return true;
    return false;
}

/* Do the words of `start` come as often as `starts` names them? By chi-square, four deviations. */
static inline bool routed_starts_evenly(const weft_routing *routing, uint32_t from, uint32_t to)
{
    words all = {0}, drawn = {0};
    uint32_t count = routing->kind->proof.initial_headers(routing, from, to, words_add, &all);
    double chi = 0, cells = 0;
    assert(count == all.count && count > 0);
    for (uint32_t i = 0; i < 50 * count; i++) {
        weft_random random = weft_random_stream(23, i, from, WEFT_FOR_ESTIMATE);
        words_add(&drawn, routing->kind->initial_header(routing, from, to, &random));
    }
    bool known = true;
    for (uint32_t i = 0; i < drawn.count; i++)
        known = known && words_have(&all, drawn.at[i]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t named = 0, came = 0;
        for (uint32_t j = 0; j < count; j++)
            named += all.at[j] == all.at[i];
        for (uint32_t j = 0; j < drawn.count; j++)
            came += drawn.at[j] == all.at[i];
        double expected = 50.0 * named, off = came - expected;
        chi += off * off / expected / named; /* a word named twice is met twice here */
        cells += 1.0 / named;
    }
    words_done(&all);
    words_done(&drawn);
    return known && (cells <= 1.5 ? chi < 1e-9 : chi < cells - 1 + 4 * sqrt(2 * (cells - 1)));
}

static inline weft_deadlock_verdict routed_verdict(const weft_routing *routing)
{
    weft_deadlock_question question = {.topology = routing->topology,
                                       .traffic_classes = 1,
                                       .routing = {routing},
                                       .vcs = routing->plan.n_vcs,
                                       .whole = true};
    weft_deadlock deadlock;
    weft_deadlock_init(&deadlock, &question);
    weft_deadlock_verdict verdict = deadlock.verdict;
    weft_deadlock_done(&deadlock);
    return verdict;
}

#endif
