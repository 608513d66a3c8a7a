/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of any kind from a short text, "dims=4,4 hosts=2 tie=wrap", through its parameter table:
 * contract tests know the names of a kind's parameters and nothing else of it. */
#ifndef WEFT_TEST_SETTINGS_H
#define WEFT_TEST_SETTINGS_H

#include "interweft/component.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline const weft_component *kind_named(const weft_component *const *kinds, const char *name)
{
    while (*kinds && strcmp((*kinds)->name, name) != 0)
        kinds++;
    assert(*kinds);
    return *kinds;
}

/* NULL: it has none of that name. */
static inline const weft_param *settings_find(const weft_component *kind, const char *name)
{
    const weft_param *param = kind->params;
    while (param && param->name && strcmp(param->name, name) != 0)
        param++;
    return param && param->name ? param : NULL;
}

static inline const weft_param *settings_param(const weft_component *kind, const char *name)
{
    const weft_param *param = settings_find(kind, name);
    assert(param);
    return param;
}

static inline double settings_number(const char *value, char **end)
{
    double number = strtod(value, end);
    assert(*end != value);
    return **end == '%' ? number / 100 : number;
}

static inline weft_ints settings_ints(const char *value)
{
    weft_ints list = {0};
    for (char *end; *value; value = *end == ',' ? end + 1 : end) {
        assert(list.count < WEFT_INTS_MAX);
        list.at[list.count++] = (int32_t)strtol(value, &end, 10);
        assert(end != value);
    }
    return list;
}

static inline int settings_choice(const weft_param *param, const char *value)
{
    int chosen = 0;
    while (param->choices[chosen] && strcmp(param->choices[chosen], value) != 0)
        chosen++;
    assert(param->choices[chosen]);
    return chosen;
}

/* The factor of a prefix such as k, M, n, u in front of `unit`; 0: it is another unit. */
static inline double settings_unit(const char *text, const char *unit)
{
    static const char prefixes[] = "pnumkMG";
    static const double factors[] = {1e-12, 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9};
    text += strspn(text, " ");
    if (strcmp(text, unit) == 0)
        return 1;
    const char *prefix = *text ? strchr(prefixes, *text) : NULL;
    return prefix && strcmp(text + 1, unit) == 0 ? factors[prefix - prefixes] : 0;
}

/* Numbers are plain; a size is in flits, or in B with a prefix (room also in packets), a duration
 * is in cycles, or in s with a prefix, a rate is in bits per second, or in b/s with a prefix. */
static inline void settings_put(const weft_param *param, void *settings, const char *value)
{
    void *field = (char *)settings + param->offset;
    char *end;
    switch (param->type) {
    case WEFT_PARAM_INT:
    case WEFT_PARAM_FACTOR:
        *(int64_t *)field = strtoll(value, &end, 10);
        break;
    case WEFT_PARAM_REAL:
    case WEFT_PARAM_FRACTION:
    case WEFT_PARAM_FREQUENCY:
        *(double *)field = settings_number(value, &end);
        break;
    case WEFT_PARAM_FLAG:
        *(bool *)field = strcmp(value, "true") == 0;
        break;
    case WEFT_PARAM_CHOICE:
        *(int *)field = settings_choice(param, value);
        break;
    case WEFT_PARAM_SIZE:
    case WEFT_PARAM_ROOM: {
        double number = settings_number(value, &end);
        double bytes = settings_unit(end, "B");
        *(weft_size *)field =
            (weft_size){bytes > 0 ? number * bytes : number, bytes > 0     ? WEFT_BYTES
                                                             : *end == 'p' ? WEFT_PACKETS
                                                                           : WEFT_FLITS};
        break;
    }
    case WEFT_PARAM_RATE: {
        double number = settings_number(value, &end);
        double bits = settings_unit(end, "b/s");
        *(weft_rate *)field = (weft_rate){bits > 0 ? number * bits : number, WEFT_BITS_PER_SECOND};
        break;
    }
    case WEFT_PARAM_DURATION: {
        double number = settings_number(value, &end);
        double seconds = settings_unit(end, "s");
        *(weft_duration *)field = seconds > 0
                                      ? (weft_duration){number * seconds * 1e12, WEFT_PICOSECONDS}
                                      : (weft_duration){number, WEFT_CYCLES};
        break;
    }
    case WEFT_PARAM_INTS:
        *(weft_ints *)field = settings_ints(value);
        break;
    case WEFT_PARAM_FILE:
        *(weft_file *)field = (weft_file){.text = value, .path = value};
        break;
    case WEFT_PARAM_TEXT:
        *(const char **)field = value;
        break;
    case WEFT_PARAM_KIND:
    case WEFT_PARAM_KINDS:
    case WEFT_PARAM_HOSTS:
    case WEFT_PARAM_REALS:
        assert(0 && "not a setting of these tests");
    }
}

/* What "none" leaves in a field, where that is not 0. */
static inline void settings_put_none(const weft_param *param, void *settings)
{
    void *field = (char *)settings + param->offset;
    if (param->type == WEFT_PARAM_INT)
        *(int64_t *)field = WEFT_NONE_INT;
    else if (param->type == WEFT_PARAM_REAL || param->type == WEFT_PARAM_FRACTION ||
             param->type == WEFT_PARAM_FREQUENCY)
        *(double *)field = WEFT_NONE_REAL;
    else if (param->type == WEFT_PARAM_CHOICE)
        *(int *)field = -1;
}

static inline void settings_put_default(const weft_param *param, void *settings)
{
    if (!param->fallback || param->type == WEFT_PARAM_KIND)
        return;
    if (strcmp(param->fallback, "none") == 0)
        settings_put_none(param, settings);
    else
        settings_put(param, settings, param->fallback);
}

/* Defaults, then the settings of `text`; free() it. Kinds inside (selection) are left empty. */
static inline void *settings_make(const weft_component *kind, const char *text)
{
    void *settings = calloc(1, kind->settings_size + strlen(text) + 1);
    char *copy = (char *)settings + kind->settings_size,
         *rest = copy; /* names of files stay there */
    assert(settings);
    for (const weft_param *p = kind->params; p && p->name; p++)
        settings_put_default(p, settings);
    memcpy(copy, text, strlen(text) + 1);
    for (char *word; (word = strsep(&rest, " ")) != NULL;) {
        char *value = strchr(word, '=');
        if (!value)
            continue;
        *value = '\0';
        settings_put(settings_param(kind, word), settings, value + 1);
    }
    return settings;
}

/* May these settings of a kind name a selection? One whose default is none goes with
 * adaptive=true. */
static inline bool settings_selects(const weft_component *kind, const char *text)
{
    const weft_param *param = settings_find(kind, "selection");
    return param && (strcmp(param->fallback, "none") != 0 || strstr(text, "adaptive=true"));
}

static inline void settings_put_kind(const weft_component *kind, void *settings, const char *name,
                                     weft_kind_ref value)
{
    const weft_param *param = settings_param(kind, name);
    assert(param->type == WEFT_PARAM_KIND);
    *(weft_kind_ref *)(void *)((char *)settings + param->offset) = value;
}

#endif
