/* SPDX-License-Identifier: Apache-2.0 */
/* A kind of a family: `uniform`, `{kind: uniform, …}`, or a bare value that sets the first
 * parameter of the family's short form (`length: 64 flits`). In a list of kinds a map that names
 * none is of the kind that has the name of one of its keys (`{within: group, share: 70%}`). */
#include "config/bind/bind.h"

#include "config/edit.h"
#include "base/suggest.h"

#include <assert.h>
#include <string.h>

static const char *built(const weft_family *family, weft_arena *arena)
{
    const char *text = "";
    for (size_t i = 0; i < family->n_kinds; i++)
        text = weft_arena_format(arena, "%s%s%s", text, i ? ", " : "", family->kinds[i]->name);
    return text;
}

static bool is_planned(const weft_family *family, const char *name)
{
    for (const char *const *p = family->planned; p && *p; p++)
        if (strcmp(*p, name) == 0)
            return true;
    return false;
}

static weft_status unknown_kind(weft_binder *b, const weft_family *family, const char *path,
                                const weft_node *node)
{
    weft_suggest suggest = {.word = node->text};
    for (size_t i = 0; i < family->n_kinds; i++)
        weft_suggest_offer(&suggest, family->kinds[i]->name);
    for (const char *const *p = family->planned; p && *p; p++)
        weft_suggest_offer(&suggest, *p);
    const char *suggestion = weft_suggest_text(&suggest);
    bool same = strcmp(path, family->name) == 0; /* topology: there is no topology … */
    return weft_node_complain(b->err, node, "%s%sthere is no %s %s (known: %s)%s", same ? "" : path,
                              same ? "" : ": ", family->name, weft_node_found(node, b->arena),
                              built(family, b->arena), suggestion);
}

static weft_status bind_settings(weft_binder *b, const char *path, const weft_component *kind,
                                 const weft_node *map, weft_kind_ref *ref)
{
    static const char *const apart[] = {"kind", NULL};
    weft_table table = {.params = kind->params, .apart = apart};
    void *settings = weft_arena_take(b->arena, kind->settings_size);
    WEFT_TRY(weft_bind_table(b, path, map, &table, settings));
    *ref = (weft_kind_ref){kind, settings};
    return WEFT_OK;
}

/* A name as kind: finds it, or says why not. *kind NULL: it is planned, and noted. */
static weft_status look_up(weft_binder *b, const weft_family *family, const char *path,
                           const weft_node *name, const weft_component **kind)
{
    if (name->type != WEFT_NODE_SCALAR || weft_node_is_null(name))
        return weft_node_complain(b->err, name, "%s: kind must be one of %s, found %s", path,
                                  built(family, b->arena), weft_node_found(name, b->arena));
    *kind = weft_family_kind(family, name->text);
    if (*kind)
        return WEFT_OK;
    if (!is_planned(family, name->text))
        return unknown_kind(b, family, path, name);
    weft_bind_find(b, name, "%s '%s' is not built yet (built: %s)", family->name, name->text,
                   built(family, b->arena));
    return WEFT_OK;
}

/* The kind that has the name of a key of this map; NULL: there is none. */
static const weft_component *kind_by_key(const weft_family *family, const weft_node *map)
{
    const weft_component *kind = NULL;
    for (size_t i = 0; i < map->n_values && !kind; i++)
        kind = weft_family_kind(family, map->keys[i]->text);
    return kind;
}

/* Are kinds of this family known by a key of their own, as {within: group}? */
static bool has_keys(const weft_family *family)
{
    const weft_component *first = family->n_kinds > 0 ? family->kinds[0] : NULL;
    return first && first->params && first->params->name &&
           strcmp(first->params->name, first->name) == 0;
}

static weft_status bind_map(weft_binder *b, const weft_family *family, const char *path,
                            const weft_param *param, const weft_node *map, weft_kind_ref *ref)
{
    const weft_node *name = weft_node_get(map, "kind");
    const weft_component *kind = NULL;
    if (name)
        WEFT_TRY(look_up(b, family, path, name, &kind));
    else if (param->type == WEFT_PARAM_KINDS)
        kind = kind_by_key(family, map);
    else if (param->fallback)
        kind = weft_family_kind(family, param->fallback);
    if (!name && !kind && param->type == WEFT_PARAM_KINDS && has_keys(family))
        return weft_node_complain(b->err, map, "%s must have one of the settings %s", path,
                                  built(family, b->arena));
    if (!name && !kind)
        return weft_node_complain(b->err, map, "%s lacks the setting 'kind' (one of %s)", path,
                                  built(family, b->arena));
    return kind ? bind_settings(b, path, kind, map, ref) : WEFT_OK;
}

/* {kind: shorthand, first parameter: node} */
static weft_status bind_short(weft_binder *b, const weft_family *family, const char *path,
                              const weft_node *node, weft_kind_ref *ref)
{
    const weft_component *kind = weft_family_kind(family, family->shorthand);
    assert(kind && kind->params);
    const weft_node *map = weft_node_empty_map(b->arena, node);
    map =
        weft_node_with(b->arena, map, weft_node_scalar(b->arena, node, kind->params[0].name), node);
    return bind_settings(b, path, kind, map, ref);
}

static bool looks_like_value(const weft_node *node)
{
    return node->type == WEFT_NODE_LIST || strchr("+-.0123456789", node->text[0]) != NULL;
}

weft_status weft_bind_kind(weft_binder *binder, const char *path, const weft_param *param,
                           const weft_node *node, weft_kind_ref *ref)
{
    const weft_family *family = weft_registry_find(binder->registry, param->family);
    *ref = (weft_kind_ref){0};
    if (!family)
        return weft_node_complain(binder->err, node, "%s: there is no family '%s'", path,
                                  param->family);
    if (node->type == WEFT_NODE_MAP)
        return bind_map(binder, family, path, param, node, ref);
    bool nothing = weft_node_is_null(node);
    if (!nothing && family->shorthand && looks_like_value(node))
        return bind_short(binder, family, path, node, ref);
    if (nothing || node->type == WEFT_NODE_LIST)
        return weft_node_complain(binder->err, node, "%s must be a kind of %s (%s), found %s", path,
                                  family->name, built(family, binder->arena),
                                  weft_node_found(node, binder->arena));
    const weft_component *kind = NULL;
    WEFT_TRY(look_up(binder, family, path, node, &kind));
    if (!kind)
        return WEFT_OK;
    return bind_settings(binder, path, kind, weft_node_empty_map(binder->arena, node), ref);
}
