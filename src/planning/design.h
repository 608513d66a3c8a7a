/* SPDX-License-Identifier: Apache-2.0 */
/* A family of fabrics proposes its members that suit what is wanted: every choice of its parameters
 * that has enough endpoints, not many too many, and fits the ports of the switch. It knows sizes
 * alone; networks are built from what it writes. */
#ifndef WEFT_PLANNING_DESIGN_H
#define WEFT_PLANNING_DESIGN_H

#include "config/planning/requirements.h"

typedef struct weft_design { /* texts belong to the list */
    const char *name;        /* for people: "hyperx 8x8x8 p=32" */
    const char *family;
    const char *topology; /* the section of a scenario: "{kind: hyperx, …}" */
    const char *routing;  /* likewise */
    uint32_t vcs;         /* that its routing needs */
    uint64_t endpoints, switches;
    uint32_t ports; /* of a switch in use, at most */
    /* Routers of the scenario from `folded` on stand `fold` together in one switch, which has ports
     * enough for them; fold 1: every router is a switch. */
    uint32_t folded, fold;
    /* Routers of a group, for group-adversarial traffic and for the floor plan, among the edge
     * routers; 1: none. */
    uint32_t group;
    /* Greater is better; of two proposals of a family with as many switches and endpoints. */
    double quality;
} weft_design;

typedef struct weft_design_list {
    weft_arena *arena;
    const weft_requirements *wanted;
    weft_design *fabrics;
    size_t n_fabrics, room;
    /* The largest that a family could build, if that is too few endpoints: for the message. */
    weft_design nearest;
} weft_design_list;

typedef struct weft_design_kind {
    weft_component base;
    void (*propose)(const void *settings, weft_design_list *list);
    /* Proposals of this family at most; the rest is thinned out. */
    size_t most;
} weft_design_kind;

#define WEFT_DESIGN_BASE(kind_name, kind_brief)                         \
    .base = {WEFT_ABI, sizeof(weft_design_kind), kind_name, kind_brief, \
             params,   sizeof(settings),         0,         false}

/* Adds a proposal if it has enough endpoints, not too many, and ports enough; its name and texts
 * are copied. */
void weft_design_propose(weft_design_list *list, const weft_design *fabric);
/* All proposals for what is wanted, family by family, without those that another of the same family
 * beats in switches and quality. */
void weft_design_find(weft_design_list *list, const weft_requirements *wanted, weft_arena *arena);
/* ⌈a / b⌉ */
static inline uint64_t weft_design_ceil(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

#endif
