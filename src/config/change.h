/* SPDX-License-Identifier: Apache-2.0 */
/* In which settings do two scenarios as understood (weft_scenario.text) differ? */
#ifndef WEFT_CONFIG_CHANGE_H
#define WEFT_CONFIG_CHANGE_H

#include "base/arena.h"
#include "interweft/status.h"

typedef struct weft_change {
    const char *path;        /* "router.vcs" */
    const char *one, *other; /* its values; NULL: it has none there */
} weft_change;

/* The first `most` differences but for the title and overload, in the arena; *count: how many. A
 * part that only one of them has is one difference. */
WEFT_MUST_USE weft_status weft_change_find(const char *one, const char *other, weft_arena *arena,
                                           weft_change *found, size_t most, size_t *count,
                                           weft_error *err);

#endif
