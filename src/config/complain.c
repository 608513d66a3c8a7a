/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences about a place in a source: what a person sees when a scenario is wrong.
 *
 *     torus.yaml:4:35: router has no setting 'headr'; did you mean 'header'?
 *     router:   {kind: output-queued, headr: 1 cycle}
 *                                     ^~~~~
 */
#include "config/source.h"

#include "base/digits.h"
#include "base/utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define EXCERPT_MAX 100 /* characters of a line that are shown */
#define BEFORE_MAX  60  /* characters shown before the place */

const char *weft_source_prefix(const weft_source *source, size_t offset, weft_arena *arena)
{
    char *prefix;
    if (source->unplaced) {
        prefix = weft_arena_format(arena, "%s: ", source->name);
    } else {
        unsigned line, column;
        weft_source_position(source, offset, &line, &column);
        prefix = weft_arena_format(arena, "%s:%u:%u: ", source->name, line, column);
    }
    weft_make_harmless(prefix);
    return prefix;
}

typedef struct excerpt {
    size_t from, to; /* bytes of the line that are shown */
    size_t before;   /* characters of it before the place */
    bool cut;        /* the line began earlier */
} excerpt;

static bool starts(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

static bool ends_line(char byte)
{
    return byte == '\n' || byte == '\r';
}

static excerpt find_excerpt(const weft_source *source, size_t offset)
{
    const char *text = source->text;
    excerpt e = {.from = offset, .to = offset};
    while (e.from > 0 && !ends_line(text[e.from - 1]) && e.before < BEFORE_MAX) {
        e.from--;
        e.before += starts(text[e.from]);
    }
    e.cut = e.from > 0 && !ends_line(text[e.from - 1]);
    for (size_t shown = e.before; e.to < source->length && !ends_line(text[e.to]); e.to++)
        if (starts(text[e.to]) && shown++ == EXCERPT_MAX)
            break;
    return e;
}

/* Appends the line and the caret to the `used` characters of err->text. */
static void add_excerpt(weft_error *err, size_t used, const weft_source *source, size_t offset,
                        size_t width)
{
    excerpt e = find_excerpt(source, offset);
    if (e.from == e.to)
        return;
    size_t tail = 0;
    for (size_t i = offset + 1; i < offset + width && i < e.to; i++)
        tail += starts(source->text[i]);
    char line[EXCERPT_MAX * 4 + 8], tildes[EXCERPT_MAX + 1];
    (void)snprintf(line, sizeof line, "%.*s", (int)(e.to - e.from), source->text + e.from);
    weft_make_harmless(line);
    memset(tildes, '~', sizeof tildes);
    (void)snprintf(err->text + used, sizeof err->text - used, "\n%s%s\n%*s^%.*s", e.cut ? "…" : "",
                   line, (int)(e.before + e.cut), "",
                   (int)(tail < EXCERPT_MAX ? tail : EXCERPT_MAX), tildes);
}

static size_t put_prefix(char *text, size_t room, const weft_source *source, size_t offset)
{
    unsigned line, column;
    weft_source_position(source, offset, &line, &column);
    int used = source->unplaced
                   ? snprintf(text, room, "%.1024s: ", source->name)
                   : snprintf(text, room, "%.1024s:%u:%u: ", source->name, line, column);
    return used < 0 ? 0 : (size_t)used;
}

weft_status weft_complain(weft_error *err, const weft_source *source, size_t offset, size_t width,
                          const char *format, ...)
{
    assert(source);
    if (!err)
        return WEFT_BAD_INPUT;
    if (offset > source->length)
        offset = source->length;
    size_t used = put_prefix(err->text, sizeof err->text, source, offset);
    va_list args;
    va_start(args, format);
    (void)weft_digits_vprint(err->text + used, sizeof err->text - used, format, args);
    va_end(args);
    weft_make_harmless(err->text);
    add_excerpt(err, strlen(err->text), source, offset, width);
    return WEFT_BAD_INPUT;
}
