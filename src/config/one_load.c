/* SPDX-License-Identifier: Apache-2.0 */
#include "config/one_load.h"

#include "config/edit.h"

#include <string.h>

static bool is_load(const char *name)
{
    return strcmp(name, "load") == 0 || strcmp(name, "rho") == 0 || strcmp(name, "rate") == 0;
}

/* Do all classes share what the section `offered` says? */
static bool all_share(const weft_node *traffic)
{
    for (size_t i = 0; i < traffic->n_values; i++)
        if (!weft_node_get(traffic->values[i], "share"))
            return false;
    return true;
}

/* Does the setting at a path scale all traffic alike? It is that of the only class, or of
 * `offered`. */
static bool scales_all(const weft_node *tree, const char *path)
{
    const weft_node *traffic = weft_node_get(tree, "traffic");
    const char *name = strrchr(path, '.');
    if (!traffic || traffic->type != WEFT_NODE_MAP || !name || !is_load(name + 1))
        return false;
    if (strncmp(path, "offered.", strlen("offered.")) == 0)
        return all_share(traffic);
    size_t class_end = (size_t)(name - path), start = strlen("traffic.");
    return traffic->n_values == 1 && strncmp(path, "traffic.", start) == 0 &&
           strlen(traffic->keys[0]->text) == class_end - start &&
           strncmp(traffic->keys[0]->text, path + start, class_end - start) == 0;
}

const weft_node *weft_one_load(const weft_node *tree, const weft_node *vary, const weft_sweep *grid,
                               weft_arena *arena)
{
    weft_setting settings[WEFT_SETTINGS_MAX];
    size_t count = weft_sweep_settings(grid, 0, arena, settings);
    for (size_t i = 0; i < count; i++) {
        const weft_node *key = weft_node_key(vary, settings[i].path->text);
        if (key && scales_all(tree, key->text))
            vary = weft_node_with(arena, vary, key, weft_node_only(arena, settings[i].value));
    }
    return vary;
}
