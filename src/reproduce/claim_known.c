/* SPDX-License-Identifier: Apache-2.0 */
/* Known differences of a claim: where ours differs from theirs, why, and the range in which ours
 * must lie. A value outside of its range disagrees, so a difference that grows is seen. */
#include "reproduce/reproduce.h"

#include "config/number.h"

#include <assert.h>

typedef struct reader {
    const char *path;
    const weft_figure_plan *figure;
    weft_arena *arena;
    weft_error *err;
} reader;

static bool is_number(const weft_node *node, double *number)
{
    size_t taken = node->type == WEFT_NODE_SCALAR ? weft_number_read(node->text, 0, number) : 0;
    return taken > 0 && node->text[taken] == '\0';
}

/* [from, to] */
static weft_status read_range(const reader *r, const weft_node *node, weft_known *known)
{
    bool pair = node->type == WEFT_NODE_LIST && node->n_values == 2;
    double *const ends[] = {&known->from, &known->to};
    for (size_t i = 0; i < 2 && pair; i++)
        pair = is_number(node->values[i], ends[i]);
    if (!pair || known->from > known->to)
        return weft_node_complain(r->err, node,
                                  "%s.between must be two numbers in order, [from, to], found %s",
                                  r->path, weft_node_found(node, r->arena));
    return WEFT_OK;
}

static weft_status read_entry(const reader *r, const weft_node *name, const weft_node *node,
                              weft_known *known, weft_pin *pins)
{
    bool plain = node->type == WEFT_NODE_SCALAR && !weft_node_is_null(node);
    bool tried = strcmp(name->text, "unexplained") == 0;
    if (strcmp(name->text, "between") == 0)
        return read_range(r, node, known);
    if (!plain)
        return weft_node_complain(r->err, node, "%s.%.60s must be a value, found %s", r->path,
                                  name->text, weft_node_found(node, r->arena));
    if (tried || strcmp(name->text, "reason") == 0) {
        known->reason = node->text;
        known->unexplained |= tried;
        return WEFT_OK;
    }
    if (weft_figure_key(r->figure, name->text) == r->figure->n_keys)
        return weft_node_complain(r->err, name,
                                  "%s: '%.60s' is neither a key of this figure nor 'reason', "
                                  "'unexplained' or 'between'",
                                  r->path, name->text);
    pins[known->n_pins++] = (weft_pin){name->text, node->text};
    return WEFT_OK;
}

/* {key: value, …, reason: text, between: [from, to]} */
static weft_status read_one(const reader *r, const weft_node *map, weft_known *known)
{
    if (map->type != WEFT_NODE_MAP)
        return weft_node_complain(r->err, map, "%s must be a map from names to values, found %s",
                                  r->path, weft_node_found(map, r->arena));
    weft_pin *pins = WEFT_TAKE(r->arena, weft_pin, map->n_values);
    known->pins = pins;
    for (size_t i = 0; i < map->n_values; i++)
        WEFT_TRY(read_entry(r, map->keys[i], map->values[i], known, pins));
    if (!known->reason)
        return weft_node_complain(r->err, map, "%s lacks the reason", r->path);
    if (!weft_node_get(map, "between"))
        return weft_node_complain(r->err, map, "%s lacks 'between: [from, to]', the range of ours",
                                  r->path);
    return WEFT_OK;
}

weft_status weft_claim_known(const char *path, const weft_node *map, const weft_figure_plan *figure,
                             weft_arena *arena, weft_claim *claim, weft_error *err)
{
    const weft_node *list = weft_node_get(map, "known");
    const reader r = {weft_arena_format(arena, "%s.known", path), figure, arena, err};
    assert(claim->n_known == 0);
    if (!list)
        return WEFT_OK;
    if (list->type != WEFT_NODE_LIST)
        return weft_node_complain(err, list, "%s must be a list of known differences, found %s",
                                  r.path, weft_node_found(list, arena));
    weft_known *known = WEFT_TAKE(arena, weft_known, list->n_values);
    for (size_t i = 0; i < list->n_values; i++)
        WEFT_TRY(read_one(&r, list->values[i], &known[i]));
    claim->known = known;
    claim->n_known = list->n_values;
    return WEFT_OK;
}
