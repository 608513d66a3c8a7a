/* SPDX-License-Identifier: Apache-2.0 */
/* The links at which the messages of a critical path waited. */
#ifndef WEFT_STUDY_PATH_LINKS_H
#define WEFT_STUDY_PATH_LINKS_H

#include "program/timeline/critical_path.h"
#include "study/outcome_rows.h"

typedef struct weft_path_link {
    const char *name;
    int64_t ticks;    /* sum over messages of the longest wait of a packet, where that was here */
    int64_t messages; /* of the path */
} weft_path_link;

typedef struct weft_path_links {
    uint32_t count; /* at most WEFT_PATH_LINKS: those with most ticks, in this order */
    weft_path_link *at;
    int64_t *steps; /* two for each step: place of the link, −1: none or another one; ticks */
} weft_path_links;

/* In the rows' arena. None if waits have not been recorded. */
weft_path_links weft_path_links_of(const weft_rows *rows, const weft_job *job,
                                   const weft_history *history, const weft_critical_path *path);

#endif
