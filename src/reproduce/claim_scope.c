/* SPDX-License-Identifier: Apache-2.0 */
/* Which points of a figure a claim is about (`only`), and what is taken off theirs because their
 * sample differs from ours in something that is known of both (`adjust`). */
#include "reproduce/reproduce.h"

#include "config/bind/bind.h"

#include <assert.h>

#define NO_MORE NULL, NULL

static const weft_param range_params[] = {
    {"from", "least value", WEFT_PARAM_REAL, offsetof(weft_only, from), "-1e300", 0, 0, NO_MORE},
    {"to", "greatest value", WEFT_PARAM_REAL, offsetof(weft_only, to), "1e300", 0, 0, NO_MORE},
    {.name = NULL}};
static const weft_table range_table = {.name = "range", .params = range_params};

static const weft_param adjust_params[] = {
    {"metric", "metric of ours", WEFT_PARAM_TEXT, offsetof(weft_adjust, metric), NULL, 0, 0,
     NO_MORE},
    {"column", "column of the table with the same of theirs", WEFT_PARAM_TEXT,
     offsetof(weft_adjust, column), NULL, 0, 0, NO_MORE},
    {"slope", "by how much the value changes with it", WEFT_PARAM_REAL,
     offsetof(weft_adjust, slope), NULL, 0, 0, NO_MORE},
    {"less", "by how much the column exceeds the metric", WEFT_PARAM_REAL,
     offsetof(weft_adjust, less), "0", 0, 0, NO_MORE},
    {.name = NULL}};
static const weft_table adjust_table = {.name = "adjust", .params = adjust_params};

typedef struct reader {
    weft_binder binder;
    const char *path;
    const weft_figure_plan *figure;
    weft_claim *claim;
} reader;

/* A value, or a list of values. */
static weft_status read_values(reader *r, const char *path, const weft_node *node, weft_only *only)
{
    bool list = node->type == WEFT_NODE_LIST;
    only->n_values = list ? node->n_values : 1;
    const char **values = WEFT_TAKE(r->binder.arena, const char *, only->n_values + 1);
    for (size_t i = 0; i < only->n_values; i++) {
        const weft_node *value = list ? node->values[i] : node;
        if (value->type != WEFT_NODE_SCALAR || weft_node_is_null(value))
            return weft_node_complain(r->binder.err, value, "%s: a value belongs here, found %s",
                                      path, weft_node_found(value, r->binder.arena));
        values[i] = value->text;
    }
    only->values = values;
    if (only->n_values == 0)
        return weft_node_complain(r->binder.err, node, "%s is empty", path);
    return WEFT_OK;
}

static weft_status read_only_one(reader *r, const weft_node *name, const weft_node *node,
                                 weft_only *only)
{
    const char *path = weft_arena_format(r->binder.arena, "%s.only.%.60s", r->path, name->text);
    only->key = weft_figure_key(r->figure, name->text);
    if (only->key == r->figure->n_keys)
        return weft_node_complain(r->binder.err, name, "%s.only: this figure has no key '%.60s'",
                                  r->path, name->text);
    if (node->type != WEFT_NODE_MAP)
        return read_values(r, path, node, only);
    if (!r->figure->keys[only->key].setting)
        return weft_node_complain(r->binder.err, node,
                                  "%s: the key '%s' has names, not numbers; give one of them", path,
                                  r->figure->keys[only->key].name);
    return weft_bind_table(&r->binder, path, node, &range_table, only);
}

static weft_status read_choice(reader *r, const weft_node *map, size_t choice, weft_only *only)
{
    if (map->type != WEFT_NODE_MAP || map->n_values == 0)
        return weft_node_complain(r->binder.err, map,
                                  "%s.only must be a map from keys to values or {from, to}, "
                                  "found %s",
                                  r->path, weft_node_found(map, r->binder.arena));
    for (size_t i = 0; i < map->n_values; i++) {
        only[i].choice = choice;
        WEFT_TRY(read_only_one(r, map->keys[i], map->values[i], &only[i]));
    }
    return WEFT_OK;
}

/* A map, or a list of maps of which one must hold. */
static weft_status read_only(reader *r, const weft_node *node)
{
    bool list = node->type == WEFT_NODE_LIST && node->n_values > 0;
    size_t choices = list ? node->n_values : 1, most = 0;
    for (size_t i = 0; i < choices; i++)
        most += list ? node->values[i]->n_values : node->n_values;
    weft_only *only = WEFT_TAKE(r->binder.arena, weft_only, most + 1);
    r->claim->only = only;
    for (size_t i = 0; i < choices; i++) {
        const weft_node *map = list ? node->values[i] : node;
        WEFT_TRY(read_choice(r, map, i, only + r->claim->n_only));
        r->claim->n_only += map->n_values;
    }
    return WEFT_OK;
}

static weft_status read_adjust(reader *r, const weft_node *map)
{
    weft_claim *claim = r->claim;
    const char *path = weft_arena_format(r->binder.arena, "%s.adjust", r->path);
    if (!claim->table)
        return weft_node_complain(r->binder.err, map, "%s needs a table of theirs", path);
    WEFT_TRY(weft_bind_table(&r->binder, path, map, &adjust_table, &claim->adjust));
    claim->adjust.at = weft_csv_column(claim->table, claim->adjust.column);
    if (claim->adjust.at == claim->table->columns)
        return weft_node_complain(r->binder.err, weft_node_get(map, "column"),
                                  "%s: the table %.80s has no column '%.60s'", path, claim->file,
                                  claim->adjust.column);
    for (size_t i = 0; i < claim->n_rows; i++) {
        double number;
        WEFT_TRY(weft_csv_number(claim->table, claim->rows[i], claim->adjust.at, &number,
                                 r->binder.err));
    }
    return WEFT_OK;
}

weft_status weft_claim_scope(const char *path, const weft_node *map, const weft_figure_plan *figure,
                             weft_arena *arena, weft_claim *claim, weft_error *err)
{
    reader r = {{.arena = arena, .err = err}, path, figure, claim};
    const weft_node *only = weft_node_get(map, "only"), *adjust = weft_node_get(map, "adjust");
    assert(claim->rule != WEFT_RULE_NONE);
    if (only)
        WEFT_TRY(read_only(&r, only));
    return adjust ? read_adjust(&r, adjust) : WEFT_OK;
}
