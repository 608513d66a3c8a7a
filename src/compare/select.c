/* SPDX-License-Identifier: Apache-2.0 */
/* Selections: of the points of a results file those whose keys hold some values. */
#include "interweft/compare.h"

#include "base/arena.h"
#include "base/text.h"
#include "result/key.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct condition {
    const char *name, *value;
    size_t name_length, value_length;
} condition;

/* Is it the path's last components? */
static bool is_named(const weft_key_part *part, const condition *c)
{
    size_t rest = part->name_length - c->name_length;
    return part->name_length >= c->name_length &&
           memcmp(part->name + rest, c->name, c->name_length) == 0 &&
           (rest == 0 || part->name[rest - 1] == '.');
}

static bool is_text(const char *text, size_t length, const condition *c)
{
    return length == c->value_length && memcmp(text, c->value, length) == 0;
}

/* The kind of "{arity: 4, kind: fat-tree}"; 0: the value is no component. */
static size_t kind_of(const char *value, size_t length, const char **kind)
{
    static const char name[] = "kind: ";
    const size_t skip = sizeof name - 1;
    int depth = 0;
    for (size_t i = 0; i + skip < length; i++) {
        depth += (value[i] == '{' || value[i] == '[') - (value[i] == '}' || value[i] == ']');
        bool begins = i > 0 && (value[i - 1] == '{' || value[i - 1] == ' ');
        if (depth != 1 || !begins || memcmp(value + i, name, skip) != 0)
            continue;
        *kind = value + i + skip;
        size_t end = 0;
        while (i + skip + end < length && !strchr(",{}", (*kind)[end]))
            end++;
        return end;
    }
    return 0;
}

/* Its value, or the name of the component's kind. */
static bool has_value(const weft_key_part *part, const condition *c)
{
    const size_t length = part->value_length;
    const char *kind = NULL;
    size_t named = length > 0 && part->value[0] == '{' ? kind_of(part->value, length, &kind) : 0;
    return (named > 0 && is_text(kind, named, c)) ||
           weft_key_is_value(part, c->value, c->value_length);
}

static bool has_condition(const void *user, const char *key)
{
    weft_key_part part;
    for (const char *rest = key; weft_key_next(&rest, &part);)
        if (is_named(&part, user) && has_value(&part, user))
            return true;
    return false;
}

static weft_status refuse(const weft_result *result, const char *key, const condition *c,
                          weft_error *err)
{
    weft_key_part part;
    weft_text names;
    weft_text_init(&names);
    for (const char *rest = key; weft_key_next(&rest, &part);)
        weft_text_add(&names, "%s%.*s", names.length ? ", " : "",
                      (int)(part.name_length < 200 ? part.name_length : 200), part.name);
    weft_status status =
        weft_fail(err, WEFT_BAD_INPUT, "%s: no point has %.*s=%.*s; what varies is %.1000s",
                  weft_result_path(result), (int)c->name_length, c->name, (int)c->value_length,
                  c->value, names.length ? names.at : "nothing");
    weft_text_done(&names);
    return status;
}

static weft_status keep(weft_result *result, const condition *c, weft_error *err)
{
    char *key = weft_text_copy(weft_result_points(result) ? weft_result_key(result, 0) : "");
    weft_result_keep(result, has_condition, c);
    weft_status status = weft_result_points(result) ? WEFT_OK : refuse(result, key, c, err);
    free(key);
    return status;
}

weft_status weft_compare_select(weft_result *result, const char *selection, weft_error *err)
{
    assert(result && selection);
    for (const char *at = selection; *at;) {
        size_t length = strcspn(at, "@"), name = strcspn(at, "=");
        if (name == 0 || name >= length || length > 400)
            return weft_fail(err, WEFT_BAD_USAGE,
                             "points are selected by settings: %.200s@key=value, found '@%.64s'",
                             weft_result_path(result), at);
        condition c = {at, at + name + 1, name, length - name - 1};
        WEFT_TRY(keep(result, &c, err));
        at += length + (at[length] == '@');
    }
    return WEFT_OK;
}
