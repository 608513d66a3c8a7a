/* SPDX-License-Identifier: Apache-2.0 */
/* Every setting of a scenario as a word of the command line, for shells that complete it. */
#include "config/describe/describe.h"

#include "base/text.h"
#include "config/sections.h"

#include <string.h>

#define NESTING 3 /* kinds within kinds that are followed */

typedef struct writer {
    const weft_registry *registry;
    weft_arena *arena;
    weft_text *text; /* lines, between line ends */
} writer;

static void add_word(const writer *w, const char *path, const char *value)
{
    const char *line = weft_arena_format(w->arena, "\n%s=%s\n", path, value);
    if (!strstr(w->text->at, line))
        weft_text_add(w->text, "%s", line + 1);
}

static void add_params(const writer *w, const char *path, const weft_param *params,
                       unsigned nesting);

/* path.kind=NAME of every kind, and the settings that any of them has. */
static void add_kinds(const writer *w, const char *path, const char *name, unsigned nesting)
{
    const weft_family *family = weft_registry_find(w->registry, name);
    for (size_t i = 0; family && i < family->n_kinds; i++) {
        add_word(w, weft_arena_format(w->arena, "%s.kind", path), family->kinds[i]->name);
        if (nesting < NESTING)
            add_params(w, path, family->kinds[i]->params, nesting + 1);
    }
}

static void add_params(const writer *w, const char *path, const weft_param *params,
                       unsigned nesting)
{
    for (const weft_param *p = params; p && p->name; p++) {
        const char *own = *path ? weft_arena_format(w->arena, "%s.%s", path, p->name) : p->name;
        if (p->type == WEFT_PARAM_KIND)
            add_kinds(w, own, p->family, nesting);
        else if (p->type == WEFT_PARAM_CHOICE)
            for (const char *const *choice = p->choices; *choice; choice++)
                add_word(w, own, *choice);
        else if (p->type == WEFT_PARAM_FLAG)
            add_word(w, own,
                     strcmp(p->fallback ? p->fallback : "", "true") == 0 ? "false" : "true");
        else
            add_word(w, own, "");
    }
}

static void add_table(const writer *w, const char *path, const weft_table *table)
{
    add_params(w, path, table->params, 0);
    for (const weft_table *const *t = table->tables; t && *t; t++)
        add_table(w,
                  weft_arena_format(w->arena, "%s%s%s%s", path, *path ? "." : "", (*t)->name,
                                    (*t)->named && *path ? ".all" : ""),
                  *t);
}

char *weft_describe_words(const weft_registry *registry)
{
    weft_arena arena;
    weft_text text;
    weft_arena_init(&arena);
    weft_text_init(&text);
    weft_text_append(&text, "\n", 1);
    const writer w = {registry, &arena, &text};
    add_table(&w, "", &weft_table_scenario);
    add_table(&w, "offered", &weft_table_offered);
    add_table(&w, "traffic.all", &weft_table_traffic);
    add_table(&w, "jobs.all", &weft_table_jobs);
    weft_arena_done(&arena);
    char *words = weft_text_copy(text.at + 1);
    weft_text_done(&text);
    return words;
}
