/* SPDX-License-Identifier: Apache-2.0 */
/* A growing array of families, each a growing array of borrowed records. */
#include "config/registry.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void weft_registry_init(weft_registry *registry)
{
    *registry = (weft_registry){0};
}

void weft_registry_done(weft_registry *registry)
{
    for (size_t i = 0; i < registry->n_families; i++)
        free(registry->families[i].kinds);
    free(registry->families);
    *registry = (weft_registry){0};
}

weft_family *weft_registry_family(weft_registry *registry, const char *name, const char *brief,
                                  const char *shorthand, const char *const *planned)
{
    assert(!weft_registry_find(registry, name));
    if (registry->n_families == registry->capacity) {
        registry->capacity = registry->capacity ? registry->capacity * 2 : 8;
        registry->families =
            weft_realloc(registry->families, registry->capacity, sizeof *registry->families);
    }
    weft_family *family = &registry->families[registry->n_families++];
    *family =
        (weft_family){.name = name, .brief = brief, .shorthand = shorthand, .planned = planned};
    return family;
}

const weft_family *weft_registry_find(const weft_registry *registry, const char *family)
{
    for (size_t i = 0; i < registry->n_families; i++)
        if (strcmp(registry->families[i].name, family) == 0)
            return &registry->families[i];
    return NULL;
}

const weft_component *weft_family_kind(const weft_family *family, const char *name)
{
    for (size_t i = 0; i < family->n_kinds; i++)
        if (strcmp(family->kinds[i]->name, name) == 0)
            return family->kinds[i];
    return NULL;
}

weft_status weft_registry_add(weft_registry *registry, const char *family,
                              const weft_component *kind, weft_error *err)
{
    weft_family *home = NULL;
    for (size_t i = 0; i < registry->n_families && !home; i++)
        if (strcmp(registry->families[i].name, family) == 0)
            home = &registry->families[i];
    if (!home)
        return weft_fail(err, WEFT_BAD_INPUT, "there is no family '%.60s' of components", family);
    if (kind->abi != WEFT_ABI || kind->size < sizeof *kind)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "a %s was built for interface %u of Interweft; this is interface %u",
                         family, kind->abi, WEFT_ABI);
    if (!kind->name || !*kind->name)
        return weft_fail(err, WEFT_BAD_INPUT, "a %s has no name", family);
    if (weft_family_kind(home, kind->name))
        return weft_fail(err, WEFT_BAD_INPUT, "there already is a %s '%.60s'", family, kind->name);
    if (home->n_kinds == home->capacity) {
        home->capacity = home->capacity ? home->capacity * 2 : 8;
        home->kinds = weft_realloc(home->kinds, home->capacity, sizeof *home->kinds);
    }
    home->kinds[home->n_kinds++] = kind;
    return WEFT_OK;
}
