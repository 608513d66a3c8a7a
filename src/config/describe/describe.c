/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions for a terminal: one line that says what a setting means, one that says what it
 * takes. */
#include "config/describe/describe.h"

#include "base/text.h"
#include "config/evaluation/evaluation.h"
#include "config/number.h"
#include "config/planning/requirements.h"
#include "config/sections.h"
#include "base/suggest.h"
#include "config/units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ENDLESS 1e15

static const char *bound_text(const weft_param *param, double bound, weft_arena *arena)
{
    char out[WEFT_QUANTITY_CHARS];
    bool rate = param->type == WEFT_PARAM_RATE;
    if (rate || param->type == WEFT_PARAM_FREQUENCY)
        (void)weft_quantity_write(
            param->type, (weft_quantity){bound, rate ? (int)WEFT_BITS_PER_SECOND : 0}, out);
    else
        (void)weft_number_write(bound, out);
    return weft_arena_copy(arena, out, strlen(out));
}

const char *weft_param_range(const weft_param *param, weft_arena *arena)
{
    if (param->min == 0 && param->max == 0)
        return "";
    const char *of = param->type == WEFT_PARAM_DURATION ? " (ps or cycles)"
                     : param->type == WEFT_PARAM_SIZE   ? " (bytes or flits)"
                     : param->type == WEFT_PARAM_ROOM   ? " (bytes, flits or packets)"
                                                        : "";
    if (param->max >= ENDLESS)
        return weft_arena_format(arena, "at least %s%s", bound_text(param, param->min, arena), of);
    return weft_arena_format(arena, "%s … %s%s", bound_text(param, param->min, arena),
                             bound_text(param, param->max, arena), of);
}

static const char *default_text(const weft_param *param, weft_arena *arena)
{
    if (!param->fallback)
        return "required";
    if (strcmp(param->fallback, "none") == 0)
        return "may be left out";
    return weft_arena_format(arena, "default %s", *param->fallback ? param->fallback : "empty");
}

static int name_width(const weft_param *params)
{
    size_t width = 0;
    for (const weft_param *p = params; p && p->name; p++)
        width = strlen(p->name) > width ? strlen(p->name) : width;
    return (int)width;
}

static void add_param(weft_text *text, const weft_param *p, const char *indent, int width,
                      weft_arena *arena)
{
    const char *range = weft_param_range(p, arena);
    weft_text_add(text, "%s%-*s  %s\n", indent, width, p->name, p->brief);
    weft_text_add(text, "%s%-*s  %s%s%s; %s\n", indent, width, "", weft_bind_expects(p, arena),
                  *range ? "; " : "", range, default_text(p, arena));
}

static void add_params(weft_text *text, const weft_param *params, const char *indent,
                       weft_arena *arena)
{
    int width = name_width(params);
    for (const weft_param *p = params; p && p->name; p++)
        add_param(text, p, indent, width, arena);
}

static void add_names(weft_text *text, const char *label, const char *const *names)
{
    if (!names || !*names)
        return;
    weft_text_add(text, "%s", label);
    for (const char *const *name = names; *name; name++)
        weft_text_add(text, "%s%s", name == names ? "" : ", ", *name);
    weft_text_append(text, "\n", 1);
}

static void add_family(weft_text *text, const weft_family *family)
{
    size_t width = 0;
    for (size_t i = 0; i < family->n_kinds; i++)
        width = strlen(family->kinds[i]->name) > width ? strlen(family->kinds[i]->name) : width;
    weft_text_add(text, "%s: %s\n", family->name, family->brief);
    for (size_t i = 0; i < family->n_kinds; i++)
        weft_text_add(text, "  %-*s  %s\n", (int)width, family->kinds[i]->name,
                      family->kinds[i]->brief);
    add_names(text, "  not built yet: ", family->planned);
}

weft_status weft_describe_list(const weft_registry *registry, const char *family, char **text,
                               weft_error *err)
{
    weft_suggest suggest = {.word = family ? family : ""};
    weft_text out;
    weft_text_init(&out);
    for (size_t i = 0; i < registry->n_families; i++) {
        const weft_family *f = &registry->families[i];
        weft_suggest_offer(&suggest, f->name);
        if (!family || strcmp(f->name, family) == 0) {
            weft_text_append(&out, "\n", out.length ? 1 : 0);
            add_family(&out, f);
        }
    }
    if (!out.length && family) {
        weft_text_done(&out);
        return weft_fail(err, WEFT_BAD_USAGE, "there is no family '%.60s'%s", family,
                         weft_suggest_text(&suggest));
    }
    *text = weft_text_take(&out);
    return WEFT_OK;
}

static void add_kind(weft_text *text, const weft_family *family, const weft_component *kind,
                     weft_arena *arena)
{
    weft_text_add(text, "%s%s %s: %s\n", text->length ? "\n" : "", family->name, kind->name,
                  kind->brief);
    add_params(text, kind->params, "  ", arena);
}

/* of: "", or the kind of file that has this section if it is no scenario. */
static void add_table(weft_text *text, const weft_table *table, const char *of, weft_arena *arena)
{
    weft_text_add(text, "%s%ssection %s: %s\n", text->length ? "\n" : "", of, table->name,
                  table->brief);
    add_params(text, table->params, "  ", arena);
    for (const weft_table *const *t = table->tables; t && *t; t++) {
        weft_text_add(text, "  %s: %s\n", (*t)->name, (*t)->brief);
        add_params(text, (*t)->params, "    ", arena);
    }
    for (const char *const *key = table->apart; key && *key; key++)
        weft_text_add(text, "  %s: %s\n", *key, weft_sections_apart_brief(*key));
    add_names(text, "  not built yet: ", table->planned);
}

static void add_section(weft_text *text, const char *name, weft_arena *arena)
{
    const weft_table *scenario = &weft_table_scenario;
    for (const weft_param *p = scenario->params; p->name; p++)
        if (strcmp(p->name, name) == 0) {
            weft_text_add(text, "section %s: %s\n", p->name, p->brief);
            weft_text_add(text, "  %s; %s\n", weft_bind_expects(p, arena), default_text(p, arena));
        }
    for (const weft_table *const *t = scenario->tables; *t; t++)
        if (strcmp((*t)->name, name) == 0)
            add_table(text, *t, "", arena);
    for (const char *const *key = scenario->apart; *key; key++)
        if (strcmp(*key, name) == 0)
            weft_text_add(text, "section %s: %s\n", *key, weft_sections_apart_brief(*key));
    for (const char *const *key = scenario->planned; *key; key++)
        if (strcmp(*key, name) == 0)
            weft_text_add(text, "section %s: not built yet\n", *key);
}

/* Files of other languages than that of scenarios. */
typedef struct other_file {
    const char *name;
    const weft_table *table;
} other_file;

static const other_file others[] = {{"plan", &weft_table_requirements},
                                    {"study", &weft_table_evaluation}};
enum { N_OTHERS = sizeof others / sizeof *others };

/* Such a file, or one of its sections. */
static void add_other(weft_text *text, const other_file *file, const char *name, weft_arena *arena)
{
    bool all = strcmp(name, file->name) == 0;
    if (all) {
        weft_text_add(text, "%s: %s\n", file->name, file->table->brief);
        add_params(text, file->table->params, "  ", arena);
        for (const char *const *key = file->table->apart; key && *key; key++)
            weft_text_add(text, "  %s: %s\n", *key, weft_sections_apart_brief(*key));
    }
    for (const weft_table *const *t = file->table->tables; *t; t++)
        if (all || strcmp((*t)->name, name) == 0)
            add_table(text, *t, weft_arena_format(arena, "%s, ", file->name), arena);
}

static void add_matches(weft_text *text, const weft_registry *registry, const char *name,
                        weft_arena *arena)
{
    const char *slash = strchr(name, '/');
    const char *kind_name = slash ? slash + 1 : name;
    for (size_t i = 0; i < registry->n_families; i++) {
        const weft_family *family = &registry->families[i];
        size_t length = slash ? (size_t)(slash - name) : 0;
        if (slash && (strlen(family->name) != length || strncmp(family->name, name, length) != 0))
            continue;
        const weft_component *kind = weft_family_kind(family, kind_name);
        if (kind)
            add_kind(text, family, kind, arena);
        for (const char *const *p = family->planned; p && *p; p++)
            if (strcmp(*p, kind_name) == 0)
                weft_text_add(text, "%s%s %s: not built yet\n", text->length ? "\n" : "",
                              family->name, *p);
        if (!slash && strcmp(family->name, name) == 0) {
            weft_text_append(text, "\n", text->length ? 1 : 0);
            add_family(text, family);
        }
    }
}

/* A key of a kind or a section: `refront`, or `router.refront`. */
typedef struct wanted_key {
    const char *name;
    const char *of;   /* the family, kind or section that must have it */
    size_t of_length; /* 0: any */
} wanted_key;

static bool is_of(const wanted_key *key, const char *owner)
{
    return strlen(owner) == key->of_length && strncmp(owner, key->of, key->of_length) == 0;
}

static void add_key(weft_text *text, const wanted_key *key, const weft_param *params,
                    const char *owner, const char *kind, weft_arena *arena)
{
    if (key->of_length > 0 && !is_of(key, owner) && !is_of(key, kind))
        return;
    for (const weft_param *p = params; p && p->name; p++)
        if (strcmp(p->name, key->name) == 0) {
            weft_text_add(text, "%sin %s%s%s\n", text->length ? "\n" : "", owner, *kind ? " " : "",
                          kind);
            add_param(text, p, "  ", (int)strlen(p->name), arena);
        }
}

static void add_keys_of_table(weft_text *text, const wanted_key *key, const weft_table *table,
                              weft_arena *arena)
{
    add_key(text, key, table->params, table->name, "", arena);
    for (const weft_table *const *t = table->tables; t && *t; t++)
        add_key(text, key, (*t)->params, table->name, (*t)->name, arena);
}

static void add_keys(weft_text *text, const weft_registry *registry, const char *name,
                     weft_arena *arena)
{
    const char *dot = strrchr(name, '.');
    wanted_key key = {
        .name = dot ? dot + 1 : name, .of = name, .of_length = dot ? (size_t)(dot - name) : 0};
    for (const weft_table *const *t = weft_table_scenario.tables; *t; t++)
        add_keys_of_table(text, &key, *t, arena);
    for (size_t i = 0; i < registry->n_families; i++)
        for (size_t k = 0; k < registry->families[i].n_kinds; k++) {
            const weft_component *kind = registry->families[i].kinds[k];
            add_key(text, &key, kind->params, registry->families[i].name, kind->name, arena);
        }
    for (int f = 0; f < N_OTHERS; f++)
        for (const weft_table *const *t = others[f].table->tables; *t; t++)
            add_keys_of_table(text, &key, *t, arena);
}

static weft_status nothing_found(const weft_registry *registry, const char *name, weft_error *err)
{
    weft_suggest suggest = {.word = name};
    for (size_t i = 0; i < registry->n_families; i++) {
        weft_suggest_offer(&suggest, registry->families[i].name);
        for (size_t k = 0; k < registry->families[i].n_kinds; k++)
            weft_suggest_offer(&suggest, registry->families[i].kinds[k]->name);
    }
    for (const weft_table *const *t = weft_table_scenario.tables; *t; t++)
        weft_suggest_offer(&suggest, (*t)->name);
    for (int f = 0; f < N_OTHERS; f++)
        for (const weft_table *const *t = others[f].table->tables; *t; t++)
            weft_suggest_offer(&suggest, (*t)->name);
    return weft_fail(err, WEFT_BAD_USAGE, "there is no kind, family, section or key '%.60s'%s",
                     name, weft_suggest_text(&suggest));
}

weft_status weft_describe_one(const weft_registry *registry, const char *name, char **text,
                              weft_error *err)
{
    assert(name);
    weft_arena arena;
    weft_arena_init(&arena);
    weft_text out;
    weft_text_init(&out);
    add_section(&out, name, &arena);
    for (int f = 0; f < N_OTHERS; f++)
        add_other(&out, &others[f], name, &arena);
    add_matches(&out, registry, name, &arena);
    if (!out.length)
        add_keys(&out, registry, name, &arena);
    weft_arena_done(&arena);
    if (!out.length) {
        weft_text_done(&out);
        return nothing_found(registry, name, err);
    }
    *text = weft_text_take(&out);
    return WEFT_OK;
}
