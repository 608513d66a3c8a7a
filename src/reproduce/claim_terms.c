/* SPDX-License-Identifier: Apache-2.0 */
/* The terms of a contrast: {times: −1, metric: latency, at: {routing: random}}. A term is a metric
 * of ours (by default the claim's), the value of a key, or a constant. */
#include "reproduce/reproduce.h"

#include "config/bind/bind.h"

#include <assert.h>

#define IN(member) offsetof(bound_term, member)
#define NO_MORE    NULL, NULL

typedef struct bound_term {
    double times, constant;
    const char *metric, *class, *by, *key;
    int64_t index;
} bound_term;

static const weft_param params[] = {
    {"times", "factor", WEFT_PARAM_REAL, IN(times), "1", 0, 0, NO_MORE},
    {"constant", "a number in the place of a metric", WEFT_PARAM_REAL, IN(constant), "none", 0, 0,
     NO_MORE},
    {"metric", "name of the metric; default: the claim's", WEFT_PARAM_TEXT, IN(metric), "", 0, 0,
     NO_MORE},
    {"class", "traffic class; default: the claim's", WEFT_PARAM_TEXT, IN(class), "", 0, 0, NO_MORE},
    {"by", "which part of the metric; default: the claim's", WEFT_PARAM_TEXT, IN(by), "", 0, 0,
     NO_MORE},
    {"key", "a key whose value stands in the place of a metric", WEFT_PARAM_TEXT, IN(key), "", 0, 0,
     NO_MORE},
    {"index", "which part; default: the claim's", WEFT_PARAM_INT, IN(index), "none", 0, 0, NO_MORE},
    {.name = NULL}};
static const char *const apart[] = {"at", NULL};
static const weft_table term_table = {.name = "terms", .params = params, .apart = apart};

typedef struct reader {
    weft_binder binder;
    const char *path;
    const weft_figure_plan *figure;
    const weft_claim *claim;
} reader;

static weft_status find_key(const reader *r, const weft_node *at, const char *name, size_t *key)
{
    *key = weft_figure_key(r->figure, name);
    if (*key < r->figure->n_keys)
        return WEFT_OK;
    return weft_node_complain(r->binder.err, at, "%s: this figure has no key '%.60s'", r->path,
                              name);
}

static weft_status read_key(const reader *r, const weft_node *map, weft_term *term)
{
    WEFT_TRY(find_key(r, map, term->key, &term->key_at));
    if (!r->figure->keys[term->key_at].setting)
        return weft_node_complain(r->binder.err, map, "%s: the key '%s' has names, not numbers",
                                  r->path, term->key);
    return WEFT_OK;
}

static weft_status read_term(reader *r, const weft_node *map, weft_term *term)
{
    bound_term bound = {0};
    const weft_node *at = weft_node_get(map, "at");
    WEFT_TRY(weft_bind_table(&r->binder, r->path, map, &term_table, &bound));
    bool constant = bound.constant != WEFT_NONE_REAL;
    *term = (weft_term){.times = constant ? bound.times * bound.constant : bound.times,
                        .metric = *bound.metric ? bound.metric : r->claim->metric,
                        .class = *bound.class ? bound.class : r->claim->class,
                        .by = *bound.by ? bound.by : r->claim->by,
                        .key = bound.key,
                        .index = bound.index != WEFT_NONE_INT ? bound.index : r->claim->index};
    if ((constant || *bound.key) && (*bound.metric || (constant && *bound.key)))
        return weft_node_complain(r->binder.err, map, "%s: a term is a metric, a key or a constant",
                                  r->path);
    if (constant || *bound.key)
        term->metric = "";
    if (*bound.key)
        WEFT_TRY(read_key(r, map, term));
    if (!at)
        return WEFT_OK;
    WEFT_TRY(weft_pins_read(weft_arena_format(r->binder.arena, "%s.at", r->path), at,
                            r->binder.arena, &term->pins, &term->n_pins, r->binder.err));
    for (size_t i = 0; i < term->n_pins; i++) {
        size_t key;
        WEFT_TRY(find_key(r, at->keys[i], term->pins[i].name, &key));
    }
    return WEFT_OK;
}

weft_status weft_claim_terms(const char *path, const weft_node *map, const weft_figure_plan *figure,
                             weft_arena *arena, weft_claim *claim, weft_error *err)
{
    const weft_node *list = weft_node_get(map, "terms");
    reader r = {
        {.arena = arena, .err = err}, weft_arena_format(arena, "%s.terms", path), figure, claim};
    assert(claim->rule == WEFT_RULE_CONTRAST);
    if (!list || list->type != WEFT_NODE_LIST || list->n_values == 0)
        return weft_node_complain(err, list ? list : map, "%s must be a list of terms", r.path);
    weft_term *terms = WEFT_TAKE(arena, weft_term, list->n_values);
    for (size_t i = 0; i < list->n_values; i++)
        WEFT_TRY(read_term(&r, list->values[i], &terms[i]));
    if (terms[0].metric[0] == '\0')
        return weft_node_complain(err, list, "%s: the first term must be a metric", r.path);
    claim->terms = terms;
    claim->n_terms = list->n_values;
    return WEFT_OK;
}
