/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce/maker.h"

#include <assert.h>
#include <string.h>

const weft_engine *const weft_engines[] = {&weft_engine_scenario, &weft_engine_model,
                                           &weft_engine_crossbar, NULL};

const char *const *weft_engine_keys(const char *const *fixed, weft_arena *arena)
{
    size_t count = 0, most = 1;
    for (const char *const *f = fixed; *f; f++)
        most++;
    for (const weft_engine *const *e = weft_engines; *e; e++) {
        most++;
        for (const char *const *a = (*e)->also; a && *a; a++)
            most++;
    }
    const char **keys = WEFT_TAKE(arena, const char *, most);
    for (const char *const *f = fixed; *f; f++)
        keys[count++] = *f;
    for (const weft_engine *const *e = weft_engines; *e; e++) {
        keys[count++] = (*e)->key;
        for (const char *const *a = (*e)->also; a && *a; a++)
            keys[count++] = *a;
    }
    assert(count < most);
    return keys;
}

static weft_status none_named(const weft_figure_source *source, weft_error *err)
{
    const char *known = "";
    for (const weft_engine *const *e = weft_engines; *e; e++)
        known = weft_arena_format(source->arena, "%s%s'%s' (%s)", known, *known ? " or " : "",
                                  (*e)->key, (*e)->brief);
    return weft_node_complain(err, source->map, "%s lacks what is to be run: %s", source->path,
                              known);
}

/* Does another engine read this key too? */
static bool shares(const weft_engine *engine, const char *key)
{
    for (const char *const *a = engine->also; a && *a; a++)
        if (strcmp(*a, key) == 0)
            return true;
    return false;
}

/* A key of an engine that is not this figure's. */
static weft_status check_foreign(const weft_figure_source *source, const weft_engine *own,
                                 weft_error *err)
{
    for (const weft_engine *const *e = weft_engines; *e; e++) {
        if (*e == own)
            continue;
        const weft_node *key = weft_node_key(source->map, (*e)->key);
        for (const char *const *a = (*e)->also; a && *a && !key; a++)
            key = shares(own, *a) ? NULL : weft_node_key(source->map, *a);
        if (key)
            return weft_node_complain(err, key, "%s: '%s' does not go with '%s'", source->path,
                                      key->text, own->key);
    }
    return WEFT_OK;
}

weft_status weft_engine_read(const weft_figure_source *source, weft_figure_plan *figure,
                             weft_error *err)
{
    for (const weft_engine *const *e = weft_engines; *e && !figure->engine; e++)
        if (weft_node_key(source->map, (*e)->key))
            figure->engine = *e;
    if (!figure->engine)
        return none_named(source, err);
    WEFT_TRY(check_foreign(source, figure->engine, err));
    return figure->engine->read(source, &figure->input, err);
}
