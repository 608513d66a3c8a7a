/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of a scope is named by its key: {within: group, share: 70%}. */
#include "net/traffic/common/scope.h"

#define SHARE                                                                                   \
    {                                                                                           \
        .name = "share", .brief = "of the messages that go there", .type = WEFT_PARAM_FRACTION, \
        .offset = offsetof(weft_scope, share), .min = 0, .max = 1                               \
    }

#define SCOPE(id, about)                     \
    const weft_component weft_scope_##id = { \
        .abi = WEFT_ABI,                     \
        .size = sizeof(weft_component),      \
        .name = #id,                         \
        .brief = about,                      \
        .params = id##_params,               \
        .settings_size = sizeof(weft_scope), \
    }

static const char *const parts[] = {"router", "group", "inner", NULL};

static const weft_param within_params[] = {
    {.name = "within",
     .brief =
         "what the destination shares with the source; group and inner (of a hierarchy) mean the "
         "same",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_scope, within),
     .choices = parts},
    SHARE,
    {.name = NULL},
};

static const weft_param hops_params[] = {
    {.name = "hops",
     .brief = "least and greatest distance: of routers, in a hierarchy of groups (one number: that "
              "distance alone)",
     .type = WEFT_PARAM_INTS,
     .offset = offsetof(weft_scope, hops),
     .min = 0,
     .max = 65535},
    SHARE,
    {.name = NULL},
};

static const weft_param beyond_params[] = {
    {.name = "beyond",
     .brief = "the distance is greater than this: of routers, in a hierarchy of groups",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_scope, beyond),
     .min = 0,
     .max = 65535},
    SHARE,
    {.name = NULL},
};

SCOPE(within, "the rest of the source's router or group");
SCOPE(hops, "so many hops away");
SCOPE(beyond, "further away than so many hops");

const weft_component *const weft_scope_kinds[] = {&weft_scope_within, &weft_scope_hops,
                                                  &weft_scope_beyond, NULL};
