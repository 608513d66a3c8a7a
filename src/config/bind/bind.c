/* SPDX-License-Identifier: Apache-2.0 */
/* Maps against tables: which keys there are, which are missing, which are not built yet. Values
 * are bound in bind_value.c, kinds of components in bind_kind.c. */
#include "config/bind/bind.h"

#include "base/digits.h"
#include "base/text.h"
#include "config/edit.h"
#include "base/suggest.h"
#include "base/utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINDINGS_SHOWN 24

static bool among(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static const weft_param *find_param(const weft_param *params, const char *name)
{
    for (; params && params->name; params++)
        if (strcmp(params->name, name) == 0)
            return params;
    return NULL;
}

static const weft_table *find_table(const weft_table *const *tables, const char *name)
{
    for (; tables && *tables; tables++)
        if (strcmp((*tables)->name, name) == 0)
            return *tables;
    return NULL;
}

/* " (known: lambda, mu, servers)" */
static const char *known_settings(const weft_table *table, weft_arena *arena)
{
    const char *text = "";
    for (const weft_param *p = table->params; p && p->name; p++)
        text = weft_arena_format(arena, "%s%s%s", text, *text ? ", " : " (known: ", p->name);
    for (const weft_table *const *t = table->tables; t && *t; t++)
        text = weft_arena_format(arena, "%s%s%s", text, *text ? ", " : " (known: ", (*t)->name);
    for (const char *const *a = table->apart; a && *a; a++)
        if (strcmp(*a, "kind") != 0)
            text = weft_arena_format(arena, "%s%s%s", text, *text ? ", " : " (known: ", *a);
    return *text ? weft_arena_format(arena, "%s)", text) : text;
}

/* The file that a table is of: "a scenario", or what its name says. */
static const char *whole_file(const weft_table *table)
{
    return table->name ? table->name : "a scenario";
}

static weft_status unknown_key(weft_binder *b, const char *path, const weft_node *key,
                               const weft_table *table)
{
    weft_suggest suggest = {.word = key->text};
    for (const weft_param *p = table->params; p && p->name; p++)
        weft_suggest_offer(&suggest, p->name);
    for (const weft_table *const *t = table->tables; t && *t; t++)
        weft_suggest_offer(&suggest, (*t)->name);
    for (const char *const *name = table->planned; name && *name; name++)
        weft_suggest_offer(&suggest, *name);
    for (const char *const *name = table->apart; name && *name; name++)
        weft_suggest_offer(&suggest, *name);
    const char *nearest = weft_suggest_text(&suggest);
    return weft_node_complain(b->err, key, "%s has no %s '%.60s'%s",
                              path ? path : whole_file(table), path ? "setting" : "section",
                              key->text, *nearest ? nearest : known_settings(table, b->arena));
}

static weft_status check_keys(weft_binder *b, const char *path, const weft_node *map,
                              const weft_table *table)
{
    for (size_t i = 0; i < map->n_values; i++) {
        const char *name = map->keys[i]->text;
        if (among(table->planned, name)) {
            assert(!path);
            weft_bind_find(b, map->keys[i], "section '%s' is not built yet", name);
        } else if (!find_param(table->params, name) && !find_table(table->tables, name) &&
                   !among(table->apart, name)) {
            return unknown_key(b, path, map->keys[i], table);
        }
    }
    return WEFT_OK;
}

static const char *join(weft_binder *b, const char *path, const char *name)
{
    return path ? weft_arena_format(b->arena, "%s.%s", path, name) : name;
}

static weft_status bind_params(weft_binder *b, const char *path, const weft_node *map,
                               const weft_table *table, char *settings)
{
    for (const weft_param *p = table->params; p && p->name; p++) {
        const weft_node *node = weft_node_get(map, p->name);
        if (!node && b->partial)
            continue;
        if (!node && !p->fallback)
            return weft_node_complain(b->err, map, "%s lacks the %s '%s' (%s)",
                                      path          ? path
                                      : table->name ? table->name
                                                    : "the scenario",
                                      path ? "setting" : "section", p->name, p->brief);
        WEFT_TRY(weft_bind_value(b, join(b, path, p->name), p, node, settings + p->offset));
    }
    return WEFT_OK;
}

weft_status weft_bind_table(weft_binder *binder, const char *path, const weft_node *map,
                            const weft_table *table, void *settings)
{
    assert(path || map->type == WEFT_NODE_MAP); /* a whole file is a map: weft_include_root */
    if (map->type != WEFT_NODE_MAP)
        return weft_node_complain(binder->err, map, "%s must be a map of settings, found %s", path,
                                  weft_node_found(map, binder->arena));
    WEFT_TRY(check_keys(binder, path, map, table));
    WEFT_TRY(bind_params(binder, path, map, table, settings));
    for (const weft_table *const *t = table->tables; t && *t; t++) {
        const weft_node *inner = weft_node_get(map, (*t)->name);
        if ((*t)->named || (!inner && binder->partial))
            continue;
        if (!inner)
            inner = weft_node_empty_map(binder->arena, map);
        WEFT_TRY(weft_bind_table(binder, join(binder, path, (*t)->name), inner, *t,
                                 (char *)settings + (*t)->offset));
    }
    return WEFT_OK;
}

weft_status weft_bind_where(weft_binder *binder, const char *path, const weft_node *where,
                            const weft_table *table, size_t settings_size)
{
    if (where->type != WEFT_NODE_MAP)
        return weft_node_complain(binder->err, where,
                                  "%s must be a map from names of devices to settings, found %s",
                                  path, weft_node_found(where, binder->arena));
    void *scratch = weft_arena_take(binder->arena, settings_size);
    bool partial = binder->partial;
    binder->partial = true;
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < where->n_values && status == WEFT_OK; i++) {
        const char *inner =
            weft_arena_format(binder->arena, "%s.%.60s", path, where->keys[i]->text);
        status = weft_bind_table(binder, inner, where->values[i], table, scratch);
    }
    binder->partial = partial;
    return status;
}

void weft_bind_note_file(weft_binder *binder, weft_file file)
{
    weft_named_file *one = WEFT_TAKE(binder->arena, weft_named_file, 1);
    *one = (weft_named_file){.file = file, .next = binder->files};
    binder->files = one;
    binder->n_files++;
}

void weft_bind_find(weft_binder *binder, const weft_node *at, const char *format, ...)
{
    char sentence[512];
    va_list args;
    va_start(args, format);
    (void)weft_digits_vprint(sentence, sizeof sentence, format, args);
    va_end(args);
    weft_make_harmless(sentence);
    weft_finding *finding = WEFT_TAKE(binder->arena, weft_finding, 1);
    *finding =
        (weft_finding){.at = at,
                       .sentence = weft_arena_copy(binder->arena, sentence, strlen(sentence)),
                       .next = binder->findings};
    binder->findings = finding;
    binder->n_findings++;
}

static int by_place(const void *a, const void *b)
{
    const weft_node *x = (*(const weft_finding *const *)a)->at;
    const weft_node *y = (*(const weft_finding *const *)b)->at;
    int files = strcmp(x->source->name, y->source->name);
    return files ? files : (x->offset > y->offset) - (x->offset < y->offset);
}

weft_status weft_bind_findings(const weft_binder *binder)
{
    if (binder->n_findings == 0)
        return WEFT_OK;
    const weft_finding **all = WEFT_TAKE(binder->arena, const weft_finding *, binder->n_findings);
    size_t count = 0;
    for (const weft_finding *f = binder->findings; f; f = f->next)
        all[count++] = f;
    assert(count == binder->n_findings);
    qsort(all, count, sizeof *all, by_place);
    weft_text text;
    weft_text_init(&text);
    for (size_t i = 0; i < count && i < FINDINGS_SHOWN; i++)
        weft_text_add(&text, "%s%s%s", i ? "\n" : "",
                      weft_source_prefix(all[i]->at->source, all[i]->at->offset, binder->arena),
                      all[i]->sentence);
    if (count > FINDINGS_SHOWN)
        weft_text_add(&text, "\n… and %zu more that are not built yet", count - FINDINGS_SHOWN);
    weft_status status = weft_fail(binder->err, WEFT_BAD_INPUT, "%s", text.at);
    weft_text_done(&text);
    return status;
}

weft_status weft_bind_name(const weft_binder *binder, const weft_node *key, const char *what)
{
    const char *name = key->text;
    bool right = strlen(name) <= 40 && strchr("0123456789-_", name[0]) == NULL;
    for (const char *at = name; *at && right; at++)
        right = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                (*at >= '0' && *at <= '9') || *at == '-' || *at == '_';
    if (right)
        return WEFT_OK;
    return weft_node_complain(binder->err, key,
                              "%s is named by a letter and at most 39 letters, "
                              "digits, - and _; found %s",
                              what, weft_node_found(key, binder->arena));
}
