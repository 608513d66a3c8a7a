/* SPDX-License-Identifier: Apache-2.0 */
/* A word of the command line → a setting of a model, or an axis of its grid. */
#include "config/edit.h"
#include "config/short_axis.h"
#include "study/model.h"

#include <assert.h>
#include <string.h>

static const weft_param *find_param(const weft_component *kind, const char *name)
{
    for (const weft_param *p = kind->params; p && p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

static bool is_list(const weft_param *param)
{
    return param && (param->type == WEFT_PARAM_INTS || param->type == WEFT_PARAM_REALS ||
                     param->type == WEFT_PARAM_KINDS);
}

static bool is_number(const weft_param *param)
{
    return param && (param->type == WEFT_PARAM_INT || param->type == WEFT_PARAM_REAL ||
                     param->type == WEFT_PARAM_FRACTION);
}

/* The axis a value means; NULL: it is a value. */
static const weft_node *axis_of(const weft_param *param, const weft_node *value, weft_arena *arena)
{
    if (value->type == WEFT_NODE_SCALAR) {
        const weft_node *range = is_number(param) ? weft_short_range(value, arena) : NULL;
        return range ? range : is_list(param) ? NULL : weft_short_list(value, arena);
    }
    if (value->type == WEFT_NODE_MAP)
        return weft_node_get(value, "from") ? value : NULL;
    bool lists = value->n_values > 0 && value->values[0]->type == WEFT_NODE_LIST;
    return is_list(param) && !lists ? NULL : value;
}

static weft_status parse(const char *override, weft_arena *arena, const weft_node **name,
                         const weft_node **value, weft_error *err)
{
    const char *equals = strchr(override, '=');
    size_t length = equals ? (size_t)(equals - override) : 0, nodes_left = 100000;
    if (length == 0) {
        (void)weft_fail(err, WEFT_BAD_USAGE,
                        "command line: '%.60s' is not a setting; write key=value, such as rho=0.3",
                        override);
        return WEFT_BAD_USAGE;
    }
    const weft_source *source =
        weft_source_of_text("command line", override, strlen(override), true, arena);
    WEFT_TRY(weft_source_check(source, err));
    weft_node *key = WEFT_TAKE(arena, weft_node, 1);
    *key = (weft_node){.type = WEFT_NODE_SCALAR,
                       .plain = true,
                       .height = 1,
                       .size = 1,
                       .width = (uint32_t)length,
                       .source = source,
                       .text = weft_arena_copy(arena, override, length)};
    *name = key;
    *value = NULL;
    WEFT_TRY(weft_tree_parse(source, length + 1, &nodes_left, arena, value, err));
    if (!*value)
        *value = weft_node_scalar(arena, key, "");
    return WEFT_OK;
}

weft_status weft_model_settings_apply(weft_model_settings *settings, const weft_component *kind,
                                      const char *override, weft_arena *arena, weft_error *err)
{
    const weft_node *name = NULL, *value = NULL;
    WEFT_TRY(parse(override, arena, &name, &value, err));
    assert(name && value);
    const weft_node *axis = axis_of(find_param(kind, name->text), value, arena);
    if (axis) {
        settings->fixed = weft_node_without(arena, settings->fixed, name->text);
        settings->varied = weft_node_with(arena, settings->varied, name, axis);
        return WEFT_OK;
    }
    settings->varied = weft_node_without(arena, settings->varied, name->text);
    return weft_node_assign(arena, settings->fixed, name, value, &settings->fixed, err);
}
