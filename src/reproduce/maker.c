/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce/maker.h"

#include <assert.h>
#include <string.h>

const weft_figure_maker *const weft_figure_makers[] = {
    &weft_figure_maker_scenario, &weft_figure_maker_model, &weft_figure_maker_crossbar,
    &weft_figure_maker_measured, NULL};

const char *const *weft_figure_maker_keys(const char *const *fixed, weft_arena *arena)
{
    size_t count = 0, most = 1;
    for (const char *const *f = fixed; *f; f++)
        most++;
    for (const weft_figure_maker *const *e = weft_figure_makers; *e; e++) {
        most++;
        for (const char *const *a = (*e)->also; a && *a; a++)
            most++;
    }
    const char **keys = WEFT_TAKE(arena, const char *, most);
    for (const char *const *f = fixed; *f; f++)
        keys[count++] = *f;
    for (const weft_figure_maker *const *e = weft_figure_makers; *e; e++) {
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
    for (const weft_figure_maker *const *e = weft_figure_makers; *e; e++)
        known = weft_arena_format(source->arena, "%s%s'%s' (%s)", known, *known ? " or " : "",
                                  (*e)->key, (*e)->brief);
    return weft_node_complain(err, source->map, "%s lacks what is to be run: %s", source->path,
                              known);
}

/* Does another maker read this key too? */
static bool shares(const weft_figure_maker *maker, const char *key)
{
    for (const char *const *a = maker->also; a && *a; a++)
        if (strcmp(*a, key) == 0)
            return true;
    return false;
}

/* A key of a maker that is not this figure's. */
static weft_status check_foreign(const weft_figure_source *source, const weft_figure_maker *own,
                                 weft_error *err)
{
    for (const weft_figure_maker *const *e = weft_figure_makers; *e; e++) {
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

weft_status weft_figure_maker_read(const weft_figure_source *source, weft_figure_plan *figure,
                                   weft_error *err)
{
    for (const weft_figure_maker *const *e = weft_figure_makers; *e && !figure->maker; e++)
        if (weft_node_key(source->map, (*e)->key))
            figure->maker = *e;
    if (!figure->maker)
        return none_named(source, err);
    WEFT_TRY(check_foreign(source, figure->maker, err));
    return figure->maker->read(source, &figure->input, err);
}
