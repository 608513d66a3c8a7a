/* SPDX-License-Identifier: Apache-2.0 */
/* `key = value;` with // comments, anywhere in the text. Values are numbers, names, or lists in
 * braces. */
#include "interop/booksim.h"

#include "config/lines.h"
#include "config/number.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SHOWN 60 /* characters of a value in messages */

typedef struct reader {
    weft_booksim *set;
    weft_lines at; /* line, and what is left */
} reader;

static size_t key_count(void)
{
    size_t count = 0;
    while (weft_booksim_keys[count].name)
        count++;
    return count;
}

/* key_count() if there is none. */
static size_t find(const char *name, size_t length)
{
    size_t i = 0;
    while (weft_booksim_keys[i].name && (strlen(weft_booksim_keys[i].name) != length ||
                                         memcmp(weft_booksim_keys[i].name, name, length) != 0))
        i++;
    return i;
}

void weft_booksim_init(weft_booksim *set, const char *file, weft_arena *arena, weft_error *err)
{
    size_t count = key_count();
    *set = (weft_booksim){.file = file, .arena = arena, .err = err};
    set->value = WEFT_TAKE(arena, weft_booksim_value, count);
    for (size_t i = 0; i < count; i++)
        set->value[i] = (weft_booksim_value){.text = weft_booksim_keys[i].fallback, .where = file};
}

static void skip(reader *r)
{
    while (r->at.at < r->at.end) {
        bool comment = r->at.end - r->at.at > 1 && r->at.at[0] == '/' && r->at.at[1] == '/';
        if (comment)
            while (r->at.at < r->at.end && *r->at.at != '\n')
                r->at.at++;
        else if (strchr(" \t\r\n", *r->at.at) && *r->at.at)
            r->at.line += *r->at.at++ == '\n';
        else
            return;
    }
}

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_-/.+(){},", c));
}

/* A name or a value; at NULL: something else stands here. */
static weft_word word(reader *r)
{
    skip(r);
    weft_word found = {.at = r->at.at};
    while (r->at.at < r->at.end && is_part(*r->at.at) &&
           !(r->at.end - r->at.at > 1 && r->at.at[0] == '/' && r->at.at[1] == '/'))
        r->at.at++;
    found.length = (size_t)(r->at.at - found.at);
    if (found.length == 0)
        found.at = NULL;
    return found;
}

static weft_status expect(reader *r, char sign, const char *behind)
{
    skip(r);
    if (r->at.at == r->at.end)
        return weft_lines_fail(&r->at, r->set->err, "'%c' must follow %s, the file ends", sign,
                               behind);
    if (*r->at.at != sign)
        return weft_lines_fail(&r->at, r->set->err, "'%c' must follow %s, found '%c'", sign, behind,
                               isprint((unsigned char)*r->at.at) ? *r->at.at : '?');
    r->at.at++;
    return WEFT_OK;
}

static bool is_number(const char *text, bool whole)
{
    double number;
    size_t used = weft_number_read(text, 0, &number);
    if (used == 0 || text[used] != '\0')
        return false;
    return !whole || (strpbrk(text, ".eE") == NULL && number >= -9e15 && number <= 9e15);
}

static weft_status check_type(reader *r, const weft_booksim_key *key, const char *value)
{
    if (key->type == WEFT_BOOKSIM_INT && !is_number(value, true))
        return weft_lines_fail(&r->at, r->set->err, "%s must be a whole number, found '%.*s'",
                               key->name, SHOWN, value);
    if (key->type == WEFT_BOOKSIM_REAL && !is_number(value, false))
        return weft_lines_fail(&r->at, r->set->err, "%s must be a number, found '%.*s'", key->name,
                               SHOWN, value);
    return WEFT_OK;
}

static weft_status read_one(reader *r, weft_word name)
{
    size_t i = find(name.at, name.length);
    if (!weft_booksim_keys[i].name)
        return weft_lines_fail(&r->at, r->set->err, "BookSim has no key '%.*s'", WEFT_WORD(name));
    const char *key = weft_booksim_keys[i].name;
    WEFT_TRY(expect(r, '=', key));
    weft_word value = word(r);
    if (!value.at)
        return weft_lines_fail(&r->at, r->set->err, "a value must follow %s =", key);
    const char *text = weft_arena_copy(r->set->arena, value.at, value.length);
    WEFT_TRY(check_type(r, &weft_booksim_keys[i], text));
    r->set->value[i] = (weft_booksim_value){text, r->at.line, r->at.name};
    return expect(r, ';', "a value");
}

weft_status weft_booksim_read(weft_booksim *set, const char *where, const char *text, size_t length)
{
    reader r = {set, {.name = where, .at = text, .end = text + length, .line = 1}};
    for (skip(&r); r.at.at < r.at.end; skip(&r)) {
        weft_word name = word(&r);
        if (!name.at)
            return weft_lines_fail(&r.at, set->err, "expected `key = value;`, found '%c'",
                                   isprint((unsigned char)*r.at.at) ? *r.at.at : '?');
        WEFT_TRY(read_one(&r, name));
    }
    return WEFT_OK;
}

const weft_booksim_value *weft_booksim_get(const weft_booksim *set, const char *key)
{
    size_t i = find(key, strlen(key));
    assert(weft_booksim_keys[i].name);
    return &set->value[i];
}

bool weft_booksim_is(const weft_booksim *set, const char *key, const char *value)
{
    return strcmp(weft_booksim_get(set, key)->text, value) == 0;
}

weft_status weft_booksim_refuse(const weft_booksim *set, const char *key, const char *format, ...)
{
    const weft_booksim_value *value = weft_booksim_get(set, key);
    char place[32] = "", text[600];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (value->line)
        (void)snprintf(place, sizeof place, ":%lu", value->line);
    return weft_fail(set->err, WEFT_BAD_INPUT, "%.200s%s: %s = %.*s%s: %s", value->where, place,
                     key, SHOWN, *value->text ? value->text : "(empty)",
                     value->line ? "" : " (BookSim's default)", text);
}

/* The same value, written otherwise: 1 and 1.0. */
static bool same(const char *a, const char *b)
{
    double x, y;
    if (!is_number(a, false) || !is_number(b, false))
        return strcmp(a, b) == 0;
    (void)weft_number_read(a, 0, &x);
    (void)weft_number_read(b, 0, &y);
    return x <= y && x >= y;
}

weft_status weft_booksim_check(const weft_booksim *set)
{
    for (size_t i = 0; weft_booksim_keys[i].name; i++) {
        const weft_booksim_key *key = &weft_booksim_keys[i];
        if (key->fate == WEFT_BOOKSIM_FIXED && !same(set->value[i].text, key->fallback))
            return weft_booksim_refuse(set, key->name, "%s; %s would be right", key->text,
                                       key->fallback);
    }
    return WEFT_OK;
}

weft_status weft_booksim_int(const weft_booksim *set, const char *key, int64_t least, int64_t most,
                             int64_t *number)
{
    double value = 0;
    (void)weft_number_read(weft_booksim_get(set, key)->text, 0, &value);
    if (value < (double)least || value > (double)most)
        return weft_booksim_refuse(set, key, "it must be %lld … %lld", (long long)least,
                                   (long long)most);
    *number = (int64_t)value;
    return WEFT_OK;
}

weft_status weft_booksim_real(const weft_booksim *set, const char *key, double least, double most,
                              double *number)
{
    (void)weft_number_read(weft_booksim_get(set, key)->text, 0, number);
    if (!(*number >= least && *number <= most))
        return weft_booksim_refuse(set, key, "it must be %g … %g", least, most);
    return WEFT_OK;
}

weft_status weft_booksim_of_class(const weft_booksim *set, const char *key, uint32_t class,
                                  const char **value)
{
    const char *text = weft_booksim_get(set, key)->text;
    *value = text;
    if (text[0] != '{')
        return WEFT_OK;
    size_t length = strlen(text);
    if (text[length - 1] != '}' || strpbrk(text + 1, "{") || strcspn(text, "}") != length - 1)
        return weft_booksim_refuse(set, key,
                                   "lists are {a,b,…}, a value for each class; several for one "
                                   "class are not translated");
    for (text++; class > 0 && *text != '}'; class --) {
        text += strcspn(text, ",}");
        text += *text == ',';
    }
    size_t used = strcspn(text, ",}");
    if (class > 0 || used == 0)
        return weft_booksim_refuse(set, key, "it has too few values for classes = %s",
                                   weft_booksim_get(set, "classes")->text);
    *value = weft_arena_copy(set->arena, text, used);
    return WEFT_OK;
}
