/* SPDX-License-Identifier: Apache-2.0 */
/* Reference pages in Markdown. */
#include "config/describe/describe.h"

#include "base/text.h"
#include "config/evaluation/evaluation.h"
#include "config/planning/requirements.h"
#include "config/sections.h"

#include <assert.h>
#include <string.h>

static void add_table(weft_text *text, const weft_param *params, weft_arena *arena)
{
    if (!params || !params->name)
        return;
    weft_text_add(text, "| setting | meaning | takes | range | default |\n|---|---|---|---|---|\n");
    for (const weft_param *p = params; p->name; p++) {
        const char *fallback = !p->fallback                       ? "required"
                               : strcmp(p->fallback, "none") == 0 ? "–"
                               : *p->fallback == '\0'
                                   ? "empty"
                                   : weft_arena_format(arena, "`%s`", p->fallback);
        const char *takes = weft_bind_expects(p, arena);
        if (p->type == WEFT_PARAM_KIND)
            takes = weft_arena_format(arena, "a kind of [%s](%s.md)", p->family, p->family);
        if (p->type == WEFT_PARAM_KINDS)
            takes =
                weft_arena_format(arena, "a list of kinds of [%s](%s.md)", p->family, p->family);
        weft_text_add(text, "| `%s` | %s | %s | %s | %s |\n", p->name, p->brief, takes,
                      weft_param_range(p, arena), fallback);
    }
    weft_text_append(text, "\n", 1);
}

static void add_names(weft_text *text, const char *const *names)
{
    if (!names || !*names)
        return;
    weft_text_add(text, "Known but not built yet: ");
    for (const char *const *name = names; *name; name++)
        weft_text_add(text, "%s`%s`", name == names ? "" : ", ", *name);
    weft_text_add(text, ".\n\n");
}

static void add_apart(weft_text *text, const char *const *names)
{
    for (const char *const *name = names; name && *name; name++)
        weft_text_add(text, "`%s`: %s.\n\n", *name, weft_sections_apart_brief(*name));
}

static void add_family(weft_text *text, const weft_family *family, weft_arena *arena)
{
    weft_text_add(text, "# %s\n\n%s.\n\n", family->name, family->brief);
    if (family->shorthand)
        weft_text_add(text, "A bare value is the first setting of `%s`.\n\n", family->shorthand);
    for (size_t i = 0; i < family->n_kinds; i++) {
        weft_text_add(text, "## %s\n\n%s.\n\n", family->kinds[i]->name, family->kinds[i]->brief);
        add_table(text, family->kinds[i]->params, arena);
    }
    add_names(text, family->planned);
}

static void add_section(weft_text *text, const weft_table *table, weft_arena *arena)
{
    weft_text_add(text, "## %s\n\n%s.\n\n", table->name, table->brief);
    add_table(text, table->params, arena);
    for (const weft_table *const *t = table->tables; t && *t; t++) {
        weft_text_add(text, "### %s.%s\n\n%s.\n\n", table->name, (*t)->name, (*t)->brief);
        add_table(text, (*t)->params, arena);
    }
    add_apart(text, table->apart);
    add_names(text, table->planned);
}

/* A kind of file: its settings, then its sections. */
static void add_file(weft_text *text, const char *title, const weft_table *file, weft_arena *arena)
{
    weft_text_add(text, "# %s\n\n", title);
    add_table(text, file->params, arena);
    add_apart(text, file->apart);
    add_names(text, file->planned);
    for (const weft_table *const *t = file->tables; *t; t++)
        add_section(text, *t, arena);
}

char *weft_describe_page(const weft_registry *registry, const char *family)
{
    assert(registry);
    bool scenario = !family || strcmp(family, "scenario") == 0;
    bool plan = !scenario && strcmp(family, "plan") == 0;
    bool study = !scenario && strcmp(family, "study") == 0;
    bool file = scenario || plan || study;
    const weft_family *found = file ? NULL : weft_registry_find(registry, family);
    if (!file && !found)
        return NULL;
    weft_arena arena;
    weft_arena_init(&arena);
    weft_text text;
    weft_text_init(&text);
    if (scenario)
        add_file(&text, "Scenario files", &weft_table_scenario, &arena);
    else if (plan)
        add_file(&text, "Files of weft plan", &weft_table_requirements, &arena);
    else if (study)
        add_file(&text, "Files of weft study", &weft_table_evaluation, &arena);
    else
        add_family(&text, found, &arena);
    weft_arena_done(&arena);
    while (text.length > 1 && text.at[text.length - 2] == '\n')
        text.at[--text.length] = '\0'; /* one line end at the end */
    return weft_text_take(&text);
}
