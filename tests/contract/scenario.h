/* SPDX-License-Identifier: Apache-2.0 */
/* A network from the text of a scenario, as `weft run` would build it. */
#ifndef WEFT_TEST_SCENARIO_H
#define WEFT_TEST_SCENARIO_H

#include "config/scenario.h"
#include "net/network.h"
#include "study/kinds.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

typedef struct stage {
    weft_registry registry;
    weft_arena arena;
    weft_plan *plan;
    weft_scenario scenario;
    weft_network network;
    weft_error err;
    bool built;
} stage;

/* The status of weft_network_build; the text itself must be a scenario. Line 1 is added. */
static inline weft_status stage_try(stage *it, const char *text)
{
    *it = (stage){0};
    weft_registry_init(&it->registry);
    weft_kinds_register(&it->registry);
    weft_arena_init(&it->arena);
    char *whole = weft_arena_format(&it->arena, "interweft: 1\n%s", text);
    weft_status status = weft_plan_read_text("test.yaml", whole, strlen(whole), NULL, &it->registry,
                                             &it->arena, &it->plan, &it->err);
    if (status == WEFT_OK)
        status = weft_plan_point(it->plan, 0, &it->arena, &it->scenario, &it->err);
    if (status != WEFT_OK)
        fprintf(stderr, "%s\n", it->err.text);
    assert(status == WEFT_OK);
    status = weft_network_build(&it->network, &it->scenario, &it->arena, &it->err);
    it->built = status == WEFT_OK;
    return status;
}

static inline const weft_network *stage_open(stage *it, const char *text)
{
    weft_status status = stage_try(it, text);
    if (status != WEFT_OK)
        fprintf(stderr, "%s\n", it->err.text);
    assert(status == WEFT_OK);
    return &it->network;
}

static inline void stage_close(stage *it)
{
    if (it->built)
        weft_network_done(&it->network);
    weft_arena_done(&it->arena);
    weft_registry_done(&it->registry);
}

#endif
