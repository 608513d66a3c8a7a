/* SPDX-License-Identifier: Apache-2.0 */
/* The settings in the keys of the points of some results: which of them vary, which are numbers,
 * and the form of their values for people. */
#ifndef WEFT_REPORT_VARY_H
#define WEFT_REPORT_VARY_H

#include "base/arena.h"
#include "interweft/result.h"
#include "result/key.h"

#define WEFT_VARY_MAX 64

typedef struct weft_vary_value {
    const char *value, *text; /* as in the key; for people */
} weft_vary_value;

typedef struct weft_vary_setting {
    bool varies;      /* takes several values, or is not in every key */
    bool numeric;     /* numbers, all of one unit */
    const char *unit; /* of the numbers; "" */
    bool ordered;     /* not numeric, but times or sizes in several units */
    /* The values of a setting that is not numeric: times and sizes in their order, else that of
     * keys. */
    size_t n_values, capacity;
    weft_vary_value *values;
} weft_vary_setting;

typedef struct weft_vary {
    weft_arena arena;
    size_t n_settings, n_points;
    const char *paths[WEFT_VARY_MAX];
    weft_vary_setting settings[WEFT_VARY_MAX];
    size_t seen[WEFT_VARY_MAX]; /* points that have the setting */
} weft_vary;

weft_vary *weft_vary_create(weft_result *const *results, size_t count);
void weft_vary_destroy(weft_vary *vary);

/* The number of the setting of a part; n_settings if there is none. */
size_t weft_vary_find(const weft_vary *vary, const weft_key_part *part);
/* The part of setting i in a key; false if there is none. */
bool weft_vary_part(const weft_vary *vary, size_t i, const char *key, weft_key_part *part);
/* The place of a value: the number itself, or its index among the values. NaN: neither. */
double weft_vary_place(const weft_vary *vary, size_t i, const weft_key_part *part);
/* The text of a value, in the arena: a component by its kind, with its settings if kinds alone do
 * not distinguish the values; a number without the common unit. */
const char *weft_vary_text(const weft_vary *vary, size_t i, const weft_key_part *part,
                           weft_arena *arena);

#endif
