/* SPDX-License-Identifier: Apache-2.0 */
#include "config/lines.h"

#include "base/digits.h"
#include "base/utf8.h"
#include "config/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

weft_lines weft_lines_of(const char *name, const char *text, size_t length)
{
    bool marked = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0; /* byte order mark */
    return (weft_lines){.name = name, .at = text + (marked ? 3 : 0), .end = text + length};
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* To the next word of the line; false: there is none. */
static bool skip(weft_lines *lines)
{
    while (lines->at < lines->end && is_space(*lines->at))
        lines->at++;
    return lines->at < lines->end && *lines->at != '\n' && *lines->at != '#';
}

static void skip_line(weft_lines *lines)
{
    const char *end = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    lines->at = end ? end + 1 : lines->end;
}

bool weft_lines_next(weft_lines *lines)
{
    if (lines->line > 0 && lines->at < lines->end)
        skip_line(lines);
    for (lines->line++; lines->at < lines->end; lines->line++) {
        if (skip(lines))
            return true;
        skip_line(lines);
    }
    return false;
}

weft_word weft_lines_word(weft_lines *lines)
{
    if (!skip(lines))
        return (weft_word){0};
    bool quoted = *lines->at == '"';
    const char *start = lines->at += quoted;
    while (lines->at < lines->end && *lines->at != '\n' &&
           (quoted ? *lines->at != '"' : !is_space(*lines->at)))
        lines->at++;
    weft_word word = {.at = start, .length = (size_t)(lines->at - start), .quoted = quoted};
    if (quoted && lines->at < lines->end && *lines->at == '"')
        lines->at++;
    return word;
}

bool weft_word_is(weft_word word, const char *text)
{
    return word.at && word.length == strlen(text) && memcmp(word.at, text, word.length) == 0;
}

bool weft_word_number(weft_word word, uint64_t most, uint64_t *number)
{
    *number = 0;
    if (!word.at || word.length == 0 || word.length > 19)
        return false;
    for (size_t i = 0; i < word.length; i++) {
        if (word.at[i] < '0' || word.at[i] > '9')
            return false;
        *number = 10 * *number + (uint64_t)(word.at[i] - '0');
    }
    return *number <= most;
}

weft_status weft_lines_fail(const weft_lines *lines, weft_error *err, const char *format, ...)
{
    char sentence[3000];
    va_list arguments;
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, in the line above */
    (void)weft_digits_vprint(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    weft_status status =
        weft_fail(err, WEFT_BAD_INPUT, "%.1000s:%lu: %s", lines->name, lines->line, sentence);
    if (err)
        weft_make_harmless(err->text);
    return status;
}
