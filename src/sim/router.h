/* SPDX-License-Identifier: Apache-2.0 */
/* The router family: a kind is the kernel model of one block of routers with their endpoints. */
#ifndef WEFT_SIM_ROUTER_H
#define WEFT_SIM_ROUTER_H

#include "base/pack.h"
#include "interweft/component.h"
#include "sim/buffering.h"
#include "sim/site.h"

struct weft_plant;
typedef struct weft_router_kind {
    weft_component base;
    weft_model model; /* its state is a weft_site */
    /* Least time between a router's decision and its effect on another router, ticks. */
    weft_time (*lookahead)(const weft_fabric *fabric);
    /* Can a network have such routers? NULL: any can. */
    weft_status (*check)(const weft_fabric *fabric, weft_error *err);
    /* Takes and frees site->state. */
    void (*open)(weft_site *site);
    void (*close)(weft_site *site);
    /* Bytes of one router with its endpoints at rest. */
    int64_t (*bytes)(const weft_fabric *fabric);
    /* What its finite buffers mean; NULL: they are unbounded, and a hop takes the lookahead. */
    void (*buffering)(const weft_fabric *fabric, weft_buffering *buffering);
    /* What settings cost beyond the plain router, at most WEFT_EXTRAS_MAX − 1; returns how many. NULL: none do. */
    size_t (*extras)(const weft_fabric *fabric, weft_extra *extras);
    /* Ticks link (router, port) has carried flits up to `now`; only if links are counted. */
    int64_t (*link_busy)(const weft_site *site, uint32_t router, uint32_t port, weft_time now);
    /* Does everything add up, in a plant that is whole in this process, at a meeting? Asked in debug builds. NULL: yes. */
    bool (*audit)(const struct weft_plant *plant);
    /* Says which packets wait for each other, if nothing moves any more; an empty text: not known. NULL: cannot happen. */
    void (*knot)(const struct weft_plant *plant, char *text, size_t size);
    /* Packets that rest in its buffers; NULL: none do. */
    int64_t (*held)(const weft_site *site);
    /* The primary state of one router, packets in its buffers included, as bytes, and back at tick `now`; what
     * makes no sense fails the reader. */
    void (*save)(const weft_site *site, uint32_t router, weft_pack *pack);
    void (*load)(weft_site *site, uint32_t router, weft_time now, weft_unpack *from);
    /* A credit of a checkpoint that comes to a router, after its load, at tick `at`. False: it is to be put into the
     * wheel. What makes no sense fails the reader. NULL: there are none. */
    bool (*credit)(weft_site *site, uint32_t router, const weft_event *event, weft_time at,
                   weft_unpack *from);
    /* Puts what can be derived (wake-ups) into the wheel, before the first tick `now` and after a load. NULL: nothing. */
    void (*start)(weft_site *site, weft_block *block, weft_time now);
} weft_router_kind;

#define ROUTER(name) extern const weft_router_kind weft_router_##name;
#include "sim/router/list.def"
#undef ROUTER

/* Ends with NULL. */
extern const weft_component *const weft_router_kinds[];

#endif
