/* SPDX-License-Identifier: Apache-2.0 */
/* What comes from a file is shown, never obeyed; what is estimated is rounded by its interval. */
#include "report/plain.h"

#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

const char *weft_plain_text(weft_arena *arena, const char *text, size_t length, size_t max)
{
    assert(max > 0);
    char *out = weft_arena_take(arena, length + 4), *to = out, *cut = out;
    size_t columns = 0;
    for (size_t i = 0, bytes; i < length; i += bytes) {
        uint32_t code;
        bytes = weft_utf8_next(text + i, length - i, &code);
        bool shown = bytes && !weft_utf8_is_control(code);
        columns += shown ? weft_utf8_columns(code) : 1;
        if (columns > max) {
            memcpy(cut, "…", sizeof "…");
            return out;
        }
        if (shown)
            memcpy(to, text + i, bytes);
        else
            *to = bytes ? ' ' : '?';
        to += shown ? bytes : 1;
        bytes += !bytes;
        if (columns < max)
            cut = to;
    }
    return out;
}

const char *weft_plain_value(weft_arena *arena, const char *text, size_t length, size_t max)
{
    static const char before[] = "{kind: ";
    size_t skip = sizeof before - 1;
    if (length > skip + 1 && memcmp(text, before, skip) == 0 && text[length - 1] == '}' &&
        !memchr(text + skip, ',', length - skip) && !memchr(text + skip, '{', length - skip))
        return weft_plain_text(arena, text + skip, length - skip - 1, max);
    return weft_plain_text(arena, text, length, max);
}

const char *weft_plain_name(weft_arena *arena, const char *name, size_t max)
{
    const char *dot = strrchr(name, '.');
    size_t tail = dot ? weft_plain_width(dot) : 0;
    if (!dot || weft_plain_width(name) <= max || tail + 2 > max)
        return weft_plain_text(arena, name, strlen(name), max);
    return weft_arena_format(arena, "%s%s",
                             weft_plain_text(arena, name, (size_t)(dot - name), max - tail),
                             weft_plain_text(arena, dot, strlen(dot), tail));
}

size_t weft_plain_width(const char *text)
{
    size_t width = 0;
    for (size_t left = strlen(text), bytes; left; left -= bytes, text += bytes) {
        uint32_t code;
        bytes = weft_utf8_next(text, left, &code);
        width += bytes ? weft_utf8_columns(code) : 1;
        bytes += !bytes;
    }
    return width;
}

double weft_half_width(const weft_metric *metric)
{
    return (metric->hi - metric->lo) / 2;
}

/* Digits after the point that a half-width supports. */
static int decimals(double half_width)
{
    int digits = 0;
    while (half_width < 0.95 && digits < 12) {
        half_width *= 10;
        digits++;
    }
    return digits + (half_width < 1.95 && digits < 12);
}

const char *weft_plain_half(weft_arena *arena, double half_width)
{
    return weft_arena_format(arena, "%.*f", decimals(half_width), half_width);
}

const char *weft_plain_number(weft_arena *arena, double value, double half_width)
{
    if (isnan(value))
        return "–";
    double size = value < 0 ? -value : value;
    if (size > 1e15)
        return weft_arena_format(arena, "%.4g", value);
    if (half_width > 0 && isfinite(half_width))
        return weft_arena_format(arena, "%.*f", decimals(half_width), value);
    return weft_arena_format(arena, size >= 1000 ? "%.0f" : "%.4g", value);
}

static bool ends_with(const char *path, const char *tail)
{
    size_t length = strlen(path), end = strlen(tail);
    return length >= end && strcmp(path + length - end, tail) == 0 &&
           (length == end || path[length - end - 1] == '.');
}

/* One component more; the path itself at its start. */
static const char *longer(const char *path, const char *tail)
{
    if (tail > path)
        tail--;
    while (tail > path && tail[-1] != '.')
        tail--;
    return tail;
}

const char *weft_plain_path(const char *const *paths, size_t count, size_t i)
{
    assert(i < count);
    const char *path = paths[i], *tail = longer(path, path + strlen(path));
    if (strcmp(tail, "kind") == 0)
        tail = longer(path, tail);
    for (size_t j = 0; j < count && tail > path; j++)
        while (j != i && tail > path && ends_with(paths[j], tail))
            tail = longer(path, tail);
    return tail;
}
