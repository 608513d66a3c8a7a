/* SPDX-License-Identifier: Apache-2.0 */
/* A registry of all kinds, and the shared objects that were loaded into it. */
#include "study/catalog.h"

#include "base/memory.h"
#include "base/shared_object.h"
#include "config/describe/describe.h"
#include "config/describe/schema.h"
#include "study/kinds.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct weft_catalog {
    weft_registry registry;
    void **libraries;
    size_t n_libraries;
};

weft_catalog *weft_catalog_create(void)
{
    weft_catalog *catalog = weft_alloc(sizeof *catalog);
    weft_registry_init(&catalog->registry);
    weft_kinds_register(&catalog->registry);
    return catalog;
}

void weft_catalog_destroy(weft_catalog *catalog)
{
    if (!catalog)
        return;
    weft_registry_done(&catalog->registry);
    for (size_t i = 0; i < catalog->n_libraries; i++)
        dlclose(catalog->libraries[i]);
    free(catalog->libraries);
    free(catalog);
}

const weft_registry *weft_catalog_registry(const weft_catalog *catalog)
{
    return &catalog->registry;
}

weft_status weft_catalog_plug(weft_catalog *catalog, const weft_plugin *plugin, weft_error *err)
{
    if (!plugin || plugin->abi != WEFT_ABI)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the plug-in was built for another version of Interweft (it says ABI %u, "
                         "this is %u): rebuild it",
                         plugin ? plugin->abi : 0, WEFT_ABI);
    if (plugin->size != sizeof *plugin || !plugin->items)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the record of the plug-in has size %u and %s: set .size = sizeof of the "
                         "record, and .items",
                         plugin->size, plugin->items ? "items" : "no items");
    weft_registry *registry = &catalog->registry;
    const weft_plugin_item *items = plugin->items;
    weft_status status = WEFT_OK;
    size_t added = 0;
    for (; items[added].family; added++) {
        status = weft_registry_add_foreign(registry, items[added].family, items[added].kind, err);
        if (status != WEFT_OK)
            break;
    }
    while (status != WEFT_OK && added-- > 0) /* all of its kinds or none */
        weft_registry_remove_foreign(registry, items[added].family);
    return status;
}

weft_status weft_catalog_load(weft_catalog *catalog, const char *file, weft_error *err)
{
    /* a name without a slash would be searched for in the system's folders; a person means a
     * file */
    char *path = realpath(file, NULL);
    if (!path)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: no such plug-in", file);
    const char *flaw = weft_shared_object_flaw(path);
    if (flaw) {
        free(path);
        return weft_fail(err, WEFT_BAD_INPUT, "%s: not a plug-in: %s", file, flaw);
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    free(path);
    if (!library)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: not a plug-in: %s", file, dlerror());
    catalog->libraries = weft_realloc(catalog->libraries, catalog->n_libraries + 1, sizeof(void *));
    catalog->libraries[catalog->n_libraries++] = library;
    const weft_plugin *(*get)(void);
    void *symbol = dlsym(library, "weft_plugin_get");
    if (!symbol)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: not a plug-in: it does not export weft_plugin_get", file);
    memcpy(&get, &symbol, sizeof get); /* ISO C has no cast from object to function pointer */
    weft_error inner;
    weft_status status = weft_catalog_plug(catalog, get(), &inner);
    if (status != WEFT_OK)
        return weft_fail(err, status, "%s: %.3000s", file, inner.text);
    return WEFT_OK;
}

weft_status weft_catalog_list(const weft_catalog *catalog, const char *family, char **text,
                              weft_error *err)
{
    return weft_describe_list(&catalog->registry, family, text, err);
}

weft_status weft_catalog_describe(const weft_catalog *catalog, const char *name, char **text,
                                  weft_error *err)
{
    return weft_describe_one(&catalog->registry, name, text, err);
}

char *weft_catalog_words(const weft_catalog *catalog)
{
    return weft_describe_words(&catalog->registry);
}

char *weft_catalog_schema(const weft_catalog *catalog)
{
    return weft_schema_text(&catalog->registry);
}

char *weft_catalog_plan_schema(const weft_catalog *catalog)
{
    return weft_schema_plan(&catalog->registry);
}

char *weft_catalog_study_schema(const weft_catalog *catalog)
{
    (void)catalog;
    return weft_schema_study();
}

char *weft_catalog_page(const weft_catalog *catalog, const char *family)
{
    return weft_describe_page(&catalog->registry, family);
}
