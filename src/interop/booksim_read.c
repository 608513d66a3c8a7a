/* SPDX-License-Identifier: Apache-2.0 */
/* `key = value;` with // comments, anywhere in the text. Values are numbers, names, or lists in
 * braces. */
#include "interop/booksim.h"

#include "base/suggest.h"
#include "config/lines.h"
#include "config/number.h"

#include <assert.h>
#include <ctype.h>
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

void weft_booksim_init(weft_booksim *set, const char *file, weft_arena *arena, weft_error *err)
{
    size_t count = key_count();
    *set = (weft_booksim){.file = file, .arena = arena, .err = err};
    set->differences = WEFT_TAKE(arena, weft_booksim_differences, 1);
    *set->differences = (weft_booksim_differences){0};
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

/* What is wrong with the type of a value; NULL: nothing. */
static const char *wrong_type(const weft_booksim_key *key, const char *value)
{
    if (key->type == WEFT_BOOKSIM_INT && !is_number(value, true))
        return "it must be a whole number";
    if (key->type == WEFT_BOOKSIM_REAL && !is_number(value, false))
        return "it must be a number";
    return NULL;
}

static void keep(reader *r, size_t i, const char *text)
{
    const weft_booksim_key *key = &weft_booksim_keys[i];
    const char *wrong = key->name ? wrong_type(key, text) : NULL;
    if (!key->name)
        return;
    r->set->value[i] = (weft_booksim_value){text, r->at.line, r->at.name};
    if (wrong) {
        weft_booksim_refuse(r->set, key->name, "%s", wrong);
        r->set->value[i].text = key->fallback;
    }
}

/* A key that BookSim does not have is left out, one that is misspelled refused. */
static void stray_key(reader *r, unsigned long line, const char *key)
{
    weft_suggest suggest = {.word = key};
    for (size_t i = 0; weft_booksim_keys[i].name; i++)
        weft_suggest_offer(&suggest, weft_booksim_keys[i].name);
    const char *meant = weft_suggest_text(&suggest);
    weft_booksim_stray(
        r->set, r->at.name, line,
        weft_arena_format(r->set->arena, "BookSim has no key '%.*s'%s", SHOWN, key, meant));
    if (*meant)
        r->set->differences->refused = true;
}

static weft_status read_one(reader *r, weft_word name)
{
    size_t i = weft_booksim_find(name.at, name.length);
    const char *key = weft_arena_copy(r->set->arena, name.at, name.length);
    unsigned long line = r->at.line;
    WEFT_TRY(expect(r, '=', key));
    weft_word value = word(r);
    if (!value.at)
        return weft_lines_fail(&r->at, r->set->err, "a value must follow %.*s =", SHOWN, key);
    if (!weft_booksim_keys[i].name)
        stray_key(r, line, key);
    keep(r, i, weft_arena_copy(r->set->arena, value.at, value.length));
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

void weft_booksim_check(const weft_booksim *set)
{
    for (size_t i = 0; weft_booksim_keys[i].name; i++) {
        const weft_booksim_key *key = &weft_booksim_keys[i];
        if (key->fate == WEFT_BOOKSIM_FIXED && !same(set->value[i].text, key->fallback))
            weft_booksim_differ(set, key->name, key->fallback, "%s", key->text);
    }
}

int64_t weft_booksim_int(const weft_booksim *set, const char *key, int64_t least, int64_t most)
{
    double value = 0;
    (void)weft_number_read(weft_booksim_get(set, key)->text, 0, &value);
    if (least == most && (value < (double)least || value > (double)most))
        weft_booksim_differ(set, key, NULL, "it must be %lld", (long long)least);
    else if (value < (double)least || value > (double)most)
        weft_booksim_differ(set, key, NULL, "it must be %lld … %lld", (long long)least,
                            (long long)most);
    return value < (double)least ? least : value > (double)most ? most : (int64_t)value;
}

/* The place of a class's value in a list; NULL: there is none. */
static const char *in_list(const char *text, uint32_t class)
{
    for (text++; class > 0 && *text != '}'; class --) {
        text += strcspn(text, ",}");
        text += *text == ',';
    }
    return class > 0 || strcspn(text, ",}") == 0 ? NULL : text;
}

const char *weft_booksim_of_class(const weft_booksim *set, const char *key, uint32_t class)
{
    const char *text = weft_booksim_get(set, key)->text;
    size_t length = strlen(text);
    if (text[0] != '{')
        return text;
    if (text[length - 1] != '}' || strpbrk(text + 1, "{") || strcspn(text, "}") != length - 1) {
        weft_booksim_refuse(set, key,
                            "lists are {a,b,…}, a value for each class; several for one class are "
                            "not translated");
        return weft_booksim_keys[weft_booksim_find(key, strlen(key))].fallback;
    }
    const char *found = in_list(text, class);
    if (!found) {
        weft_booksim_refuse(set, key, "it has too few values for classes = %s",
                            weft_booksim_get(set, "classes")->text);
        return weft_booksim_keys[weft_booksim_find(key, strlen(key))].fallback;
    }
    return weft_arena_copy(set->arena, found, strcspn(found, ",}"));
}
