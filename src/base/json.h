/* SPDX-License-Identifier: Apache-2.0 */
/* JSON output: strings and numbers in the one format of the program, and a growing text of objects
 * and lists. */
#ifndef WEFT_BASE_JSON_H
#define WEFT_BASE_JSON_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

#define WEFT_JSON_DEPTH 16

/* Appends a string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void weft_json_string(weft_text *text, const char *string);
/* Appends the fewest digits that read back as the same double; NaN and infinities are null. */
void weft_json_number(weft_text *text, double value);

typedef struct weft_json {
    weft_text text;
    unsigned depth;
    char closing[WEFT_JSON_DEPTH];
    bool any[WEFT_JSON_DEPTH]; /* an element precedes at this depth */
} weft_json;

void weft_json_init(weft_json *json);
void weft_json_done(weft_json *json);
/* name: the member's name in an object; NULL in a list and at top level. */
void weft_json_object(weft_json *json, const char *name);
void weft_json_list(weft_json *json, const char *name);
void weft_json_end(weft_json *json); /* closes the innermost object or list */
void weft_json_text(weft_json *json, const char *name, const char *value);
void weft_json_real(weft_json *json, const char *name, double value);
void weft_json_whole(weft_json *json, const char *name, int64_t value);
void weft_json_flag(weft_json *json, const char *name, bool value);

#endif
