/* SPDX-License-Identifier: Apache-2.0 */
/* The page's own text, embedded when the program was built (cmake/report.cmake, report/). */
#ifndef WEFT_REPORT_PAGE_PARTS_H
#define WEFT_REPORT_PAGE_PARTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct weft_page_parts {
    const char *head, *tail; /* text before and after the data */
    size_t head_length, tail_length;
} weft_page_parts;

/* False if the program was built without them. */
bool weft_page_parts_get(weft_page_parts *parts);

#endif
