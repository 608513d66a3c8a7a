/* SPDX-License-Identifier: Apache-2.0 */
/* Answers that are lines "name   value" under headings, as JSON. */
#include "base/digits.h"
#include "base/json.h"
#include "base/memory.h"
#include "interweft/study.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NAME_WIDTH 22 /* of the column of names */

typedef struct fact {
    char name[NAME_WIDTH + 1];
    weft_text text;
} fact;

typedef struct facts { /* under one heading */
    fact *at;
    size_t count, room;
} facts;

/* Behind the words that qualify a number. */
static const char *skip_hedge(const char *text)
{
    static const char *const hedges[] = {"about ", "at most ", "at least "};
    for (size_t i = 0; i < sizeof hedges / sizeof *hedges; i++)
        if (strncmp(text, hedges[i], strlen(hedges[i])) == 0)
            return text + strlen(hedges[i]);
    return text;
}

/* The unit that a word is; NULL: none. */
static const char *unit_of(const char *word, size_t length)
{
    static const char *const units[] = {"hops", "flits", "cycle", "cycles", "links", "B",
                                        "MiB",  "GiB",   "ps",    "ns",     "us",    "ms",
                                        "s",    "min",   "h",     "ticks"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i]) == length && strncmp(word, units[i], length) == 0)
            return units[i];
    return NULL;
}

static void add_unit(weft_json *json, const char *text)
{
    text += strspn(text, " ");
    const char *unit = unit_of(text, strcspn(text, " ,;:(\n"));
    if (unit)
        weft_json_text(json, "unit", unit);
}

static bool is_name(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)word[i]) && !strchr("-_/.", word[i]))
            return false;
    return true;
}

/* "rho 0.2" or "64 host" between commas. */
static void add_part(weft_json *json, const char *part, size_t length)
{
    char name[NAME_WIDTH + 1], *end;
    const char *blank = memchr(part, ' ', length), *after = blank ? blank + 1 : part + length;
    bool first = isalpha((unsigned char)part[0]);
    const char *word = first ? part : after;
    size_t size = (size_t)(first ? after - 1 - part : part + length - after);
    if (!blank || size == 0 || size > NAME_WIDTH || !is_name(word, size) || unit_of(word, size))
        return;
    double value = weft_digits_read(first ? after : part, &end);
    if (end != (first ? part + length : blank))
        return;
    memcpy(name, word, size);
    name[size] = '\0';
    weft_json_real(json, name, value);
}

static void add_parts(weft_json *json, const char *text)
{
    for (const char *part = text; *part;) {
        size_t length = strcspn(part, ",");
        add_part(json, part, length);
        part += length;
        part += strspn(part, ", ");
    }
}

static void add_fact(weft_json *json, const fact *f, bool named)
{
    const char *text = f->text.at ? f->text.at : "", *start = skip_hedge(text);
    char *end;
    double value = weft_digits_read(start, &end);
    bool number = end > start && isdigit((unsigned char)*start);
    weft_json_object(json, named ? f->name : NULL);
    weft_json_text(json, "text", text);
    if (number)
        weft_json_real(json, "value", value);
    if (number)
        add_unit(json, end);
    if (!number || strchr(text, ','))
        add_parts(json, text);
    weft_json_end(json);
}

/* The next fact of this name from i on; the number of facts: there is none. */
static size_t next_of(const facts *all, const char *name, size_t i)
{
    while (i < all->count && strcmp(all->at[i].name, name) != 0)
        i++;
    return i;
}

/* The facts under a heading; those of one name, such as of several jobs, are a list. */
static void add_facts(weft_json *json, facts *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const char *name = all->at[i].name;
        if (next_of(all, name, 0) < i)
            continue;
        bool several = next_of(all, name, i + 1) < all->count;
        if (several)
            weft_json_list(json, name);
        for (size_t k = i; k < all->count; k = next_of(all, name, k + 1))
            add_fact(json, &all->at[k], !several);
        if (several)
            weft_json_end(json);
    }
    for (size_t i = 0; i < all->count; i++)
        weft_text_done(&all->at[i].text);
    all->count = 0;
}

static void open_fact(facts *all, const char *line, size_t length)
{
    if (all->count == all->room) {
        all->room = all->room ? 2 * all->room : 32;
        all->at = weft_realloc(all->at, all->room, sizeof *all->at);
    }
    fact *f = &all->at[all->count++];
    size_t name = length < NAME_WIDTH ? length : NAME_WIDTH;
    size_t start = length > NAME_WIDTH ? NAME_WIDTH + 1 : length;
    while (name > 0 && line[name - 1] == ' ')
        name--;
    memcpy(f->name, line, name);
    f->name[name] = '\0';
    weft_text_init(&f->text);
    weft_text_append(&f->text, line + start, length - start);
}

/* "# settings as understood, first point" is settings, "# worst pattern for …" is worst pattern. */
static size_t heading_length(const char *heading, size_t length)
{
    static const char *const ends[] = {" as ", " for "};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *at = memmem(heading, length, ends[i], strlen(ends[i]));
        length = at ? (size_t)(at - heading) : length;
    }
    return length;
}

static const char *add_settings(weft_json *json, const char *text)
{
    const char *end = strstr(text, "\n\n");
    char *copy = weft_text_copy_part(text, end ? (size_t)(end + 1 - text) : strlen(text));
    weft_json_text(json, "settings", copy);
    free(copy);
    return end ? end + 1 : text + strlen(text);
}

static const char *add_heading(weft_json *json, const char *line, size_t length, bool *nested)
{
    char *name = weft_text_copy_part(line + 2, heading_length(line + 2, length - 2));
    const char *next = line + length + (line[length] == '\n');
    if (*nested)
        weft_json_end(json);
    *nested = strcmp(name, "settings") != 0;
    if (*nested)
        weft_json_object(json, name);
    else
        next = add_settings(json, next);
    free(name);
    return next;
}

char *weft_facts_json(const char *text)
{
    weft_json json;
    facts all = {.count = 0};
    bool nested = false;
    weft_json_init(&json);
    weft_json_object(&json, NULL);
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        const char *next = line + length + (line[length] == '\n');
        if (*line == ' ' && all.count > 0) {
            size_t blank = strspn(line, " ");
            weft_text_add(&all.at[all.count - 1].text, "\n%.*s", (int)(length - blank),
                          line + blank);
        } else if (strncmp(line, "# ", 2) == 0) {
            add_facts(&json, &all);
            next = add_heading(&json, line, length, &nested);
        } else if (length > 0) {
            open_fact(&all, line, length);
        }
        line = next;
    }
    add_facts(&json, &all);
    free(all.at);
    if (nested)
        weft_json_end(&json);
    weft_json_end(&json);
    return weft_text_take(&json.text);
}
