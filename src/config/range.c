/* SPDX-License-Identifier: Apache-2.0 */
/* Decimals as integers over a power of ten. A limit of 15 digits keeps every sum within 64 bits. */
#include "config/range.h"

#include "base/suggest.h"
#include "config/units.h"

#include <assert.h>
#include <string.h>

#define DIGITS_MAX 15
#define STEP_SLACK 1e-9 /* of a step: how near to `to` the last value must come */

typedef struct decimal {
    int64_t digits; /* times 10^−scale */
    int scale;
    const char *unit;
} decimal;

/* [+-]digits[.digits][unit], no exponent. */
static bool read_decimal(const char *text, decimal *out)
{
    bool negative = *text == '-';
    text += *text == '-' || *text == '+';
    *out = (decimal){0};
    int digits = 0;
    bool dot = false;
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !dot); text++) {
        if (*text == '.') {
            dot = true;
            continue;
        }
        out->digits = out->digits * 10 + (*text - '0');
        out->scale += dot;
        digits++;
        if (digits > DIGITS_MAX)
            return false;
    }
    if (negative)
        out->digits = -out->digits;
    out->unit = text + strspn(text, " ");
    return digits > 0 && *text != 'e' && *text != 'E';
}

static bool rescale(decimal *d, int scale)
{
    for (; d->scale < scale; d->scale++) {
        if (d->digits > INT64_MAX / 1000 || d->digits < INT64_MIN / 1000)
            return false;
        d->digits *= 10;
    }
    return true;
}

/* The common unit of two numbers: cycle and cycles are one, a plain 0 has any. NULL: they have
 * none. */
static const char *common_unit(const decimal *a, const decimal *b)
{
    bool swap = strlen(a->unit) > strlen(b->unit);
    const decimal *shorter = swap ? b : a, *longer = swap ? a : b;
    size_t length = strlen(shorter->unit);
    bool zero = length == 0 && shorter->digits == 0;
    bool begins = strncmp(longer->unit, shorter->unit, length) == 0;
    bool plural = length > 2 && strcmp(longer->unit + length, "s") == 0;
    bool same = begins && (longer->unit[length] == '\0' || plural);
    return zero || same ? longer->unit : NULL;
}

static weft_status check_keys(const weft_node *map, const char *path, weft_error *err)
{
    static const char *const keys[] = {"from", "to", "step"};
    for (size_t i = 0; i < map->n_values; i++) {
        weft_suggest suggest = {.word = map->keys[i]->text};
        bool known = false;
        for (size_t k = 0; k < 3; k++) {
            known = known || strcmp(keys[k], map->keys[i]->text) == 0;
            weft_suggest_offer(&suggest, keys[k]);
        }
        if (!known)
            return weft_node_complain(err, map->keys[i],
                                      "%s has no setting '%.60s' (a range is {from, to, step})%s",
                                      path, map->keys[i]->text, weft_suggest_text(&suggest));
    }
    for (size_t k = 0; k < 3; k++)
        if (!weft_node_get(map, keys[k]))
            return weft_node_complain(err, map, "%s lacks '%s'; a range is {from, to, step}", path,
                                      keys[k]);
    return WEFT_OK;
}

static weft_status read_part(const weft_node *map, const char *path, const char *key,
                             weft_arena *arena, decimal *out, weft_error *err)
{
    const weft_node *node = weft_node_get(map, key);
    if (node->type != WEFT_NODE_SCALAR || !read_decimal(node->text, out))
        return weft_node_complain(err, node,
                                  "%s.%s must be a decimal number of at most %d digits, with or "
                                  "without a unit, found %s",
                                  path, key, DIGITS_MAX, weft_node_found(node, arena));
    return WEFT_OK;
}

static weft_status read_parts(const weft_node *map, const char *path, weft_arena *arena,
                              decimal *from, decimal *to, decimal *step, weft_error *err)
{
    WEFT_TRY(check_keys(map, path, err));
    WEFT_TRY(read_part(map, path, "from", arena, from, err));
    WEFT_TRY(read_part(map, path, "to", arena, to, err));
    WEFT_TRY(read_part(map, path, "step", arena, step, err));
    assert(from->unit && to->unit && step->unit);
    if (!common_unit(from, to) || !common_unit(from, step) || !common_unit(to, step))
        return weft_node_complain(err, map, "%s: from, to and step must have the same unit", path);
    to->unit = common_unit(from, to);
    from->unit = common_unit(to, step);
    int scale = from->scale > to->scale ? from->scale : to->scale;
    scale = step->scale > scale ? step->scale : scale;
    if (!rescale(from, scale) || !rescale(to, scale) || !rescale(step, scale))
        return weft_node_complain(err, map, "%s: from, to and step have too many digits together",
                                  path);
    return WEFT_OK;
}

weft_status weft_range_read(const weft_node *map, const char *path, size_t most, weft_arena *arena,
                            weft_range *range, weft_error *err)
{
    decimal from = {0}, to = {0}, step = {0};
    WEFT_TRY(read_parts(map, path, arena, &from, &to, &step, err));
    const weft_node *at = weft_node_get(map, "step");
    if (step.digits == 0)
        return weft_node_complain(err, at, "%s.step must not be 0", path);
    if ((to.digits > from.digits && step.digits < 0) ||
        (to.digits < from.digits && step.digits > 0))
        return weft_node_complain(err, at, "%s: a step of %s never leads from %s to %s", path,
                                  at->text, weft_node_get(map, "from")->text,
                                  weft_node_get(map, "to")->text);
    double steps = ((double)to.digits - (double)from.digits) / (double)step.digits + STEP_SLACK;
    assert(steps >= 0);
    if (steps >= (double)most)
        return weft_node_complain(err, map, "%s gives more than %zu values, the limit of a grid",
                                  path, most);
    *range = (weft_range){.from = from.digits,
                          .step = step.digits,
                          .scale = from.scale,
                          .unit = from.unit,
                          .count = (size_t)steps + 1,
                          .at = map};
    return WEFT_OK;
}

const weft_node *weft_range_value(const weft_range *range, size_t i, weft_arena *arena)
{
    assert(i < range->count);
    int64_t value = range->from + (int64_t)i * range->step;
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value, unit = 1;
    for (int k = 0; k < range->scale; k++)
        unit *= 10;
    int places = range->scale;
    uint64_t whole = size / unit, part = size % unit;
    while (places > 0 && part % 10 == 0) {
        part /= 10;
        places--;
    }
    const char *text =
        weft_arena_format(arena, "%s%llu", value < 0 ? "-" : "", (unsigned long long)whole);
    if (places > 0)
        text = weft_arena_format(arena, "%s.%0*llu", text, places, (unsigned long long)part);
    if (*range->unit)
        text =
            weft_arena_format(arena, "%s%s%s", text, *range->unit == '%' ? "" : " ", range->unit);
    weft_node *node = WEFT_TAKE(arena, weft_node, 1);
    *node = *range->at;
    node->type = WEFT_NODE_SCALAR;
    node->plain = true;
    node->text = text;
    node->n_values = 0;
    return node;
}
