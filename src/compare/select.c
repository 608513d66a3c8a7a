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

/* The same text, the same number, or the name of a kind without settings. */
static bool has_value(const weft_key_part *part, const condition *c)
{
    static const char before[] = "{kind: ";
    const size_t skip = sizeof before - 1, length = part->value_length;
    double ours, theirs;
    if (weft_key_number(part->value, length, &ours) &&
        weft_key_number(c->value, c->value_length, &theirs))
        return ours == theirs;
    if (length > skip + 1 && memcmp(part->value, before, skip) == 0 &&
        is_text(part->value + skip, length - skip - 1, c))
        return true;
    return is_text(part->value, length, c);
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
