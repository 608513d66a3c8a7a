/* SPDX-License-Identifier: Apache-2.0 */
/* Two passes over the keys: the first finds the settings and which are numeric, the second collects
 * the values of those that are not. Only these have texts of their own, so a grid of many loads
 * costs no more than its keys. */
#include "report/vary.h"

#include "base/memory.h"
#include "report/plain.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 48 /* characters of a value, where that tells the values apart */

/* "20 ns" is 20 and "ns"; "0.3" has no unit. */
static bool split_number(const weft_key_part *part, double *number, const char **unit,
                         size_t *unit_length)
{
    size_t length = part->value_length, digits = 0;
    *unit = "";
    *unit_length = 0;
    if (weft_key_number(part->value, length, number))
        return true;
    while (digits < length && part->value[digits] != ' ')
        digits++;
    if (digits == 0 || digits + 1 >= length || !weft_key_number(part->value, digits, number))
        return false;
    *unit = part->value + digits + 1;
    *unit_length = length - digits - 1;
    return true;
}

/* What times and sizes count in; 0: another unit. Sizes are negative to be told from times. */
static double unit_factor(const char *unit, size_t length)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"ps", 1e-3}, {"ns", 1},         {"us", 1e3},  {"µs", 1e3},
                 {"ms", 1e6},  {"s", 1e9},        {"B", -1},    {"KiB", -1024},
                 {"kB", -1e3}, {"MiB", -1048576}, {"MB", -1e6}, {"GiB", -1073741824},
                 {"GB", -1e9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == length && memcmp(units[i].name, unit, length) == 0)
            return units[i].factor;
    return 0;
}

/* A time in ns, or a size in bytes as a negative number of them; false: it is neither. */
static bool quantity_of(const char *value, double *quantity)
{
    weft_key_part part = {.value = value, .value_length = strlen(value)};
    const char *unit;
    size_t length;
    double number;
    if (!split_number(&part, &number, &unit, &length) || unit_factor(unit, length) == 0)
        return false;
    *quantity = number * unit_factor(unit, length);
    return true;
}

/* Times and sizes by what they are, all else as keys are ordered. */
static int compare_values(const char *a, const char *b)
{
    double x, y;
    if (!quantity_of(a, &x) || !quantity_of(b, &y) || (x < 0) != (y < 0) || x == y)
        return weft_key_compare(a, b);
    return (x < y) == (x >= 0) ? -1 : 1;
}

static bool is_equal(const char *text, const char *other, size_t length)
{
    return strlen(text) == length && memcmp(text, other, length) == 0;
}

size_t weft_vary_find(const weft_vary *vary, const weft_key_part *part)
{
    size_t i = 0;
    while (i < vary->n_settings && !is_equal(vary->paths[i], part->name, part->name_length))
        i++;
    return i;
}

bool weft_vary_part(const weft_vary *vary, size_t i, const char *key, weft_key_part *part)
{
    while (weft_key_next(&key, part))
        if (weft_vary_find(vary, part) == i)
            return true;
    return false;
}

/* The value where a setting was met first is kept as its first value. */
static void note_part(weft_vary *vary, const weft_key_part *part)
{
    size_t i = weft_vary_find(vary, part), unit_length;
    weft_vary_setting *s = &vary->settings[i];
    const char *unit;
    double number;
    if (i == WEFT_VARY_MAX)
        return;
    bool numeric = split_number(part, &number, &unit, &unit_length);
    if (i == vary->n_settings) {
        vary->paths[vary->n_settings++] =
            weft_arena_copy(&vary->arena, part->name, part->name_length);
        s->numeric = numeric;
        s->unit = weft_arena_copy(&vary->arena, unit, unit_length);
        s->values = weft_alloc(sizeof *s->values);
        s->capacity = 1;
        s->values[0].value = weft_arena_copy(&vary->arena, part->value, part->value_length);
    }
    vary->seen[i]++;
    s->numeric = s->numeric && numeric && is_equal(s->unit, unit, unit_length);
    s->varies = s->varies || !is_equal(s->values[0].value, part->value, part->value_length);
}

static size_t value_of(const weft_vary_setting *s, const weft_key_part *part)
{
    size_t v = 0;
    while (v < s->n_values && !is_equal(s->values[v].value, part->value, part->value_length))
        v++;
    return v;
}

static void collect_value(weft_vary *vary, const weft_key_part *part)
{
    size_t i = weft_vary_find(vary, part);
    weft_vary_setting *s = &vary->settings[i];
    if (i == vary->n_settings || s->numeric || value_of(s, part) < s->n_values)
        return;
    if (s->n_values == s->capacity) {
        s->capacity *= 2;
        s->values = weft_realloc(s->values, s->capacity, sizeof *s->values);
    }
    const char *value = weft_arena_copy(&vary->arena, part->value, part->value_length);
    size_t v = s->n_values++;
    for (; v > 0 && compare_values(s->values[v - 1].value, value) > 0; v--)
        s->values[v] = s->values[v - 1];
    s->values[v].value = value;
}

#define KIND "kind: "

/* "{arity: 4, kind: fat-tree}" has the kind "fat-tree"; 0: the value is no component. */
static size_t kind_of(const char *value, const char **kind)
{
    int depth = 0;
    *kind = value;
    if (*value != '{')
        return 0;
    for (const char *c = value; *c; c++) {
        depth += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
        bool begins = *c == '{' || *c == ' ';
        if (depth == 1 && begins && strncmp(c + 1, KIND, strlen(KIND)) == 0) {
            *kind = c + 1 + strlen(KIND);
            return strcspn(*kind, ",{}");
        }
    }
    return 0;
}

/* Whether no other value of the setting has the same kind. */
static bool is_only_of_kind(const weft_vary_setting *s, size_t v)
{
    const char *kind, *other;
    size_t length = kind_of(s->values[v].value, &kind);
    for (size_t i = 0; i < s->n_values; i++)
        if (i != v && kind_of(s->values[i].value, &other) == length &&
            memcmp(kind, other, length) == 0)
            return false;
    return true;
}

/* "ugal", or "ugal via group" where there are several of that kind. */
static const char *component_text(weft_vary *vary, const weft_vary_setting *s, size_t v)
{
    const char *value = s->values[v].value, *kind;
    size_t length = kind_of(value, &kind);
    if (length == 0)
        return value;
    if (is_only_of_kind(s, v))
        return weft_arena_copy(&vary->arena, kind, length);
    const char *before = value + 1, *after = kind + length + strspn(kind + length, ", ");
    size_t first = (size_t)(kind - strlen(KIND) - before), last = strlen(after);
    if (last <= 1) /* the kind stood last, behind a comma */
        first -= first > 2 ? 2 : first;
    char *text = weft_arena_format(&vary->arena, "%.*s %.*s%.*s", (int)length, kind, (int)first,
                                   before, (int)(last ? last - 1 : 0), after);
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ':')
            *to++ = *from;
    to -= to[-1] == ' '; /* the kind was all */
    *to = '\0';
    return text;
}

static bool has_text(const weft_vary_setting *s, size_t before, const char *text)
{
    for (size_t v = 0; v < before; v++)
        if (strcmp(s->values[v].text, text) == 0)
            return true;
    return false;
}

/* A long value is cut, but not to one that is there already. */
static void write_texts(weft_vary *vary, weft_vary_setting *s)
{
    for (size_t v = 0; v < s->n_values; v++) {
        const char *text = component_text(vary, s, v);
        size_t length = strlen(text);
        s->values[v].text = weft_plain_text(&vary->arena, text, length, TEXT_MAX);
        if (has_text(s, v, s->values[v].text))
            s->values[v].text = weft_plain_text(&vary->arena, text, length, length + 1);
    }
}

/* Whether all values are times, or all sizes. */
static bool is_ordered(const weft_vary_setting *s)
{
    double first, quantity;
    if (s->numeric || s->n_values == 0 || !quantity_of(s->values[0].value, &first))
        return false;
    for (size_t v = 1; v < s->n_values; v++)
        if (!quantity_of(s->values[v].value, &quantity) || (quantity < 0) != (first < 0))
            return false;
    return true;
}

static void each_part(weft_vary *vary, weft_result *const *results, size_t count,
                      void (*take)(weft_vary *, const weft_key_part *))
{
    weft_key_part part;
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < weft_result_points(results[r]); i++)
            for (const char *rest = weft_result_key(results[r], i); weft_key_next(&rest, &part);)
                take(vary, &part);
}

weft_vary *weft_vary_create(weft_result *const *results, size_t count)
{
    assert(results && count > 0);
    weft_vary *vary = weft_alloc(sizeof *vary);
    weft_arena_init(&vary->arena);
    for (size_t r = 0; r < count; r++)
        vary->n_points += weft_result_points(results[r]);
    each_part(vary, results, count, note_part);
    each_part(vary, results, count, collect_value);
    for (size_t i = 0; i < vary->n_settings; i++) {
        vary->settings[i].varies = vary->settings[i].varies || vary->seen[i] < vary->n_points;
        vary->settings[i].ordered = is_ordered(&vary->settings[i]);
        write_texts(vary, &vary->settings[i]);
    }
    return vary;
}

void weft_vary_destroy(weft_vary *vary)
{
    if (!vary)
        return;
    for (size_t i = 0; i < vary->n_settings; i++)
        free(vary->settings[i].values);
    weft_arena_done(&vary->arena);
    free(vary);
}

double weft_vary_place(const weft_vary *vary, size_t i, const weft_key_part *part)
{
    const weft_vary_setting *s = &vary->settings[i];
    const char *unit;
    size_t unit_length, v = value_of(s, part);
    double number;
    if (!s->numeric)
        return v < s->n_values ? (double)v : (double)NAN;
    return split_number(part, &number, &unit, &unit_length) ? number : (double)NAN;
}

const char *weft_vary_text(const weft_vary *vary, size_t i, const weft_key_part *part,
                           weft_arena *arena)
{
    const weft_vary_setting *s = &vary->settings[i];
    size_t v = value_of(s, part), unit = s->numeric ? strlen(s->unit) : 0;
    if (v < s->n_values)
        return s->values[v].text;
    size_t length = part->value_length - (unit > 0 ? unit + 1 : 0);
    return weft_plain_text(arena, part->value, length, TEXT_MAX);
}
