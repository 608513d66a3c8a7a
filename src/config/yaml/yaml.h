/* SPDX-License-Identifier: Apache-2.0 */
/* YAML as events with places in bytes. No other header stands before the library.
 *
 * One event at a time, so that the reader checks every limit before it asks for the next one. Text
 * of an event lives until the next is asked for. */
#ifndef WEFT_CONFIG_YAML_YAML_H
#define WEFT_CONFIG_YAML_YAML_H

#include "config/source.h"

typedef enum weft_yaml_type {
    WEFT_YAML_NOTHING, /* an end of a document, the begin of the text */
    WEFT_YAML_DOCUMENT,
    WEFT_YAML_SCALAR,
    WEFT_YAML_ALIAS,
    WEFT_YAML_LIST,
    WEFT_YAML_MAP,
    WEFT_YAML_CLOSE, /* of the last list or map that is open */
    WEFT_YAML_END
} weft_yaml_type;

typedef struct weft_yaml_event {
    weft_yaml_type type;
    /* Bytes of the source: behind anchor and tag, within quotes, an alias without its '*'. */
    size_t start, end;
    const char *text; /* a scalar's, not \0-terminated */
    size_t length;
    bool plain, quoted; /* how a scalar is written; neither: by '|' or '>' */
    const char *anchor; /* of a node, or the one an alias means; NULL: none */
    bool tagged;
    size_t tag; /* byte of the tag */
} weft_yaml_event;

typedef struct weft_yaml weft_yaml;

/* Reads a checked source from byte `from`. */
weft_yaml *weft_yaml_create(const weft_source *source, size_t from);
void weft_yaml_destroy(weft_yaml *yaml);
/* The next event; a text that is not YAML is refused with a sentence. */
WEFT_MUST_USE weft_status weft_yaml_next(weft_yaml *yaml, weft_yaml_event *event, weft_error *err);

/* What is wrong with a text at byte `at`, as the library names it, and where it began (`since`);
 * writes our sentence. */
weft_status weft_yaml_complain(weft_error *err, const weft_source *source, const char *problem,
                               size_t at, size_t since);

#endif
