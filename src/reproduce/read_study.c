/* SPDX-License-Identifier: Apache-2.0 */
/* study.yaml → a book of figures. The file is read as a scenario is: the same trees, tables and
 * messages; names that become parts of file names are held to a small alphabet. */
#include "reproduce/maker.h"

#include "stats/compare.h"

#include <assert.h>
#include <string.h>

#define SEEDS_MOST      1000
#define NAME_MOST       64
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789-_"
#define NO_MORE         0, 0, NULL, NULL

typedef struct bound_study {
    int64_t version;
    const char *title, *source, *note;
    int against;
} bound_study;

static const weft_param study_params[] = {
    {"interweft-study", "version of this language", WEFT_PARAM_INT, offsetof(bound_study, version),
     NULL, 1, 1, NULL, NULL},
    {"title", "of the document", WEFT_PARAM_TEXT, offsetof(bound_study, title), NULL, NO_MORE},
    {"source", "the document, as one would cite it", WEFT_PARAM_TEXT, offsetof(bound_study, source),
     NULL, NO_MORE},
    {"note", "what a reader must know about the comparison", WEFT_PARAM_TEXT,
     offsetof(bound_study, note), "", NO_MORE},
    {"against", "whose values claims are judged by, if they do not say", WEFT_PARAM_CHOICE,
     offsetof(bound_study, against), "document", 0, 0, weft_against_choices, NULL},
    {.name = NULL}};
static const char *const study_apart[] = {"figures", NULL};
static const weft_table study_table = {
    .name = "study", .params = study_params, .apart = study_apart};

typedef struct bound_figure {
    const char *title;
} bound_figure;

static const weft_param figure_params[] = {
    {"title", "what it shows", WEFT_PARAM_TEXT, offsetof(bound_figure, title), NULL, NO_MORE},
    {.name = NULL}};
static const char *const figure_apart[] = {"keys", "quick", "full", "claims", "overlay", NULL};
static const weft_param variant_params[] = {{"seeds", "runs of every point, with seeds 1, 2, …",
                                             WEFT_PARAM_INT, offsetof(weft_variant, seeds), "none",
                                             1, SEEDS_MOST, NULL, NULL},
                                            {.name = NULL}};
static const char *const variant_apart[] = {"settings", NULL};
static const weft_table variant_table = {
    .name = "variant", .params = variant_params, .apart = variant_apart};

typedef struct bound_key {
    const char *setting, *column;
} bound_key;

static const weft_param key_params[] = {
    {"setting", "path in the scenario", WEFT_PARAM_TEXT, offsetof(bound_key, setting), "none",
     NO_MORE},
    {"column", "column of expected tables; default: the key's name", WEFT_PARAM_TEXT,
     offsetof(bound_key, column), "none", NO_MORE},
    {.name = NULL}};
static const char *const key_apart[] = {"values", NULL};
static const weft_table key_table = {
    .name = "keys", .params = key_params, .apart = key_apart, .named = true};

typedef struct reader {
    weft_reproduction *book;
    weft_arena *arena;
    weft_error *err;
    weft_binder binder;
} reader;

/* A map of things with names of their own. */
static weft_status check_named(reader *r, const weft_node *parent, const char *path,
                               const weft_node *map)
{
    if (!map)
        return weft_node_complain(r->err, parent, "there is no '%s' here", path);
    if (map->type != WEFT_NODE_MAP)
        return weft_node_complain(r->err, map, "%s must be a map from names to settings, found %s",
                                  path, weft_node_found(map, r->arena));
    if (map->n_values == 0)
        return weft_node_complain(r->err, map, "%s is empty", path);
    return WEFT_OK;
}

static bool is_name(const char *name)
{
    size_t length = strlen(name);
    return length > 0 && length <= NAME_MOST && name[0] != '-' &&
           strspn(name, NAME_CHARACTERS) == length;
}

/* ---- keys ---- */

static weft_status read_label(reader *r, const char *path, const weft_node *name,
                              const weft_node *map, weft_label *label)
{
    WEFT_TRY(check_named(r, name, path, map));
    *label = (weft_label){.name = name->text, .code = name->text};
    weft_pin *pins = WEFT_TAKE(r->arena, weft_pin, map->n_values);
    for (size_t i = 0; i < map->n_values; i++) {
        const weft_node *value = map->values[i];
        if (value->type != WEFT_NODE_SCALAR || weft_node_is_null(value))
            return weft_node_complain(r->err, value, "%s.%.60s must be a value, found %s", path,
                                      map->keys[i]->text, weft_node_found(value, r->arena));
        if (strcmp(map->keys[i]->text, "code") == 0)
            label->code = value->text;
        else
            pins[label->n_pins++] = (weft_pin){map->keys[i]->text, value->text};
    }
    label->pins = pins;
    if (label->n_pins == 0)
        return weft_node_complain(r->err, map, "%s names no setting of the scenario", path);
    return WEFT_OK;
}

static weft_status read_labels(reader *r, const char *path, const weft_node *map,
                               const weft_node *values, weft_group_key *key)
{
    path = weft_arena_format(r->arena, "%s.values", path);
    WEFT_TRY(check_named(r, map, path, values));
    weft_label *labels = WEFT_TAKE(r->arena, weft_label, values->n_values);
    for (size_t i = 0; i < values->n_values; i++)
        WEFT_TRY(read_label(r, weft_arena_format(r->arena, "%s.%.60s", path, values->keys[i]->text),
                            values->keys[i], values->values[i], &labels[i]));
    key->labels = labels;
    key->n_labels = values->n_values;
    return WEFT_OK;
}

/* `rho: traffic.all.rho` is short for `rho: {setting: traffic.all.rho}`. */
static weft_status read_key(reader *r, const char *path, const weft_node *name,
                            const weft_node *node, weft_group_key *key)
{
    bound_key bound = {NULL, NULL};
    *key = (weft_group_key){.name = name->text, .column = name->text};
    if (node->type == WEFT_NODE_SCALAR && !weft_node_is_null(node)) {
        key->setting = node->text;
        return WEFT_OK;
    }
    WEFT_TRY(weft_bind_table(&r->binder, path, node, &key_table, &bound));
    const weft_node *values = weft_node_get(node, "values");
    key->setting = bound.setting;
    key->column = bound.column ? bound.column : key->column;
    if (!bound.setting == !values)
        return weft_node_complain(r->err, node, "%s needs either 'setting' or 'values'", path);
    return values ? read_labels(r, path, node, values, key) : WEFT_OK;
}

static weft_status read_keys(reader *r, const char *path, const weft_node *map,
                             weft_figure_plan *figure)
{
    const weft_node *keys = weft_node_get(map, "keys");
    path = weft_arena_format(r->arena, "%s.keys", path);
    WEFT_TRY(check_named(r, map, path, keys));
    if (keys->n_values > WEFT_KEYS_OF_A_FIGURE)
        return weft_node_complain(r->err, keys, "%s: at most %d keys", path, WEFT_KEYS_OF_A_FIGURE);
    weft_group_key *made = WEFT_TAKE(r->arena, weft_group_key, keys->n_values);
    for (size_t i = 0; i < keys->n_values; i++)
        WEFT_TRY(read_key(r, weft_arena_format(r->arena, "%s.%.60s", path, keys->keys[i]->text),
                          keys->keys[i], keys->values[i], &made[i]));
    figure->keys = made;
    figure->n_keys = keys->n_values;
    return WEFT_OK;
}

/* ---- quick and full ---- */

/* Where points are drawn, each needs seeds; where they are not, it is evaluated once. */
static weft_status read_seeds(reader *r, const char *path, const weft_node *node,
                              const weft_figure_maker *maker, weft_variant *variant)
{
    bool given = variant->seeds != WEFT_NONE_INT;
    if (maker->seeds && !given)
        return weft_node_complain(r->err, node, "%s lacks the setting 'seeds' (%s)", path,
                                  variant_params[0].brief);
    if (!maker->seeds && given)
        return weft_node_complain(r->err, weft_node_get(node, "seeds"),
                                  "%s.seeds: nothing is drawn where a figure says '%s'", path,
                                  maker->key);
    variant->seeds = given ? variant->seeds : 1;
    return WEFT_OK;
}

static weft_status read_overrides(reader *r, const char *path, const weft_node *settings,
                                  bool seeds, weft_variant *variant)
{
    if (settings && settings->type != WEFT_NODE_LIST)
        return weft_node_complain(r->err, settings,
                                  "%s.settings must be a list such as "
                                  "[measure.limit.packets=1000], found %s",
                                  path, weft_node_found(settings, r->arena));
    size_t count = settings ? settings->n_values : 0;
    const char **overrides = WEFT_TAKE(r->arena, const char *, count + 2);
    for (size_t i = 0; i < count; i++) {
        const weft_node *one = settings->values[i];
        if (one->type != WEFT_NODE_SCALAR || !strchr(one->text, '='))
            return weft_node_complain(r->err, one, "%s.settings: write key=value, found %s", path,
                                      weft_node_found(one, r->arena));
        overrides[i] = one->text;
    }
    if (seeds)
        overrides[count] = weft_arena_format(r->arena, "vary.seed={from: 1, to: %lld, step: 1}",
                                             (long long)variant->seeds);
    variant->overrides = overrides;
    return WEFT_OK;
}

/* Where nothing is drawn, quick and full may be left out. */
static weft_status read_variant(reader *r, const char *path, const weft_node *map, const char *name,
                                const weft_figure_maker *maker, weft_variant *variant)
{
    const weft_node *node = weft_node_get(map, name);
    path = weft_arena_format(r->arena, "%s.%s", path, name);
    if (!node && !maker->seeds) {
        variant->seeds = 1;
        return read_overrides(r, path, NULL, false, variant);
    }
    WEFT_TRY(check_named(r, map, path, node));
    WEFT_TRY(weft_bind_table(&r->binder, path, node, &variant_table, variant));
    WEFT_TRY(read_seeds(r, path, node, maker, variant));
    return read_overrides(r, path, weft_node_get(node, "settings"), maker->seeds, variant);
}

static weft_status check_seeds(reader *r, const char *path, const weft_node *map,
                               const weft_figure_plan *figure)
{
    static const char *const names[] = {"quick", "full"};
    bool scored = false;
    for (size_t i = 0; i < figure->n_claims; i++)
        scored |= figure->claims[i].rule == WEFT_RULE_Z;
    if (scored && !figure->maker->seeds)
        return weft_node_complain(r->err, weft_node_get(map, "claims"),
                                  "%s.claims: the z rules need seeds, and nothing is drawn where a "
                                  "figure says '%s'; use rule digits",
                                  path, figure->maker->key);
    for (int v = 0; v < 2 && scored; v++)
        if (figure->variant[v].seeds < WEFT_Z_SEEDS)
            return weft_node_complain(r->err, weft_node_get(weft_node_get(map, names[v]), "seeds"),
                                      "%s.%s.seeds must be at least %d for the z rules", path,
                                      names[v], WEFT_Z_SEEDS);
    return WEFT_OK;
}

/* ---- figures ---- */

static weft_status read_claims(reader *r, const char *path, const weft_node *map,
                               weft_figure_plan *figure)
{
    const weft_node *claims = weft_node_get(map, "claims");
    path = weft_arena_format(r->arena, "%s.claims", path);
    WEFT_TRY(check_named(r, map, path, claims));
    weft_claim *made = WEFT_TAKE(r->arena, weft_claim, claims->n_values);
    for (size_t i = 0; i < claims->n_values; i++) {
        made[i].name = claims->keys[i]->text;
        WEFT_TRY(weft_claim_read(r->book,
                                 weft_arena_format(r->arena, "%s.%.60s", path, made[i].name),
                                 claims->values[i], figure, r->arena, &made[i], r->err));
    }
    figure->claims = made;
    figure->n_claims = claims->n_values;
    return WEFT_OK;
}

static weft_status read_figure(reader *r, const weft_node *name, const weft_node *map,
                               weft_figure_plan *figure)
{
    bound_figure bound = {NULL};
    if (!is_name(name->text))
        return weft_node_complain(r->err, name,
                                  "a figure's name is made of small letters, digits, - and _");
    const char *path = weft_arena_format(r->arena, "figures.%s", name->text);
    const weft_table table = {.name = "figures",
                              .params = figure_params,
                              .apart = weft_figure_maker_keys(figure_apart, r->arena)};
    const weft_figure_source source = {r->book, path, map, &r->binder, r->arena};
    WEFT_TRY(weft_bind_table(&r->binder, path, map, &table, &bound));
    figure->shown = (weft_figure){name->text, bound.title};
    WEFT_TRY(weft_figure_maker_read(&source, figure, r->err));
    WEFT_TRY(read_keys(r, path, map, figure));
    const weft_figure_maker *maker = figure->maker;
    WEFT_TRY(read_variant(r, path, map, "quick", maker, &figure->variant[WEFT_QUICK]));
    WEFT_TRY(read_variant(r, path, map, "full", maker, &figure->variant[WEFT_FULL]));
    WEFT_TRY(read_claims(r, path, map, figure));
    WEFT_TRY(weft_overlay_read(path, map, figure, r->arena, &figure->overlay, r->err));
    return check_seeds(r, path, map, figure);
}

static weft_status read_tree(reader *r, const weft_source *source, const weft_node *root)
{
    bound_study bound = {.version = 0};
    if (!root)
        return weft_complain(r->err, source, 0, 1,
                             "no settings here; a study begins with 'interweft-study: 1'");
    WEFT_TRY(weft_bind_table(&r->binder, "study", root, &study_table, &bound));
    const weft_node *figures = weft_node_get(root, "figures");
    WEFT_TRY(check_named(r, root, "figures", figures));
    r->book->against = bound.against;
    weft_figure_plan *made = WEFT_TAKE(r->arena, weft_figure_plan, figures->n_values);
    for (size_t i = 0; i < figures->n_values; i++)
        WEFT_TRY(read_figure(r, figures->keys[i], figures->values[i], &made[i]));
    r->book->title = bound.title;
    r->book->source = bound.source;
    r->book->note = bound.note;
    r->book->figures = made;
    r->book->n_figures = figures->n_values;
    return WEFT_OK;
}

weft_status weft_reproduction_read(weft_reproduction *book, weft_error *err)
{
    weft_arena *arena = &book->arena;
    reader r = {book, arena, err, {.arena = arena, .err = err}};
    const char *file = weft_arena_format(arena, "%s/study.yaml", book->folder), *why;
    size_t nodes_left = WEFT_NODES_MAX;
    const weft_node *root = NULL;
    if (!is_name(book->name))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: a study's name is made of small letters, digits, - and _",
                         book->folder);
    const weft_source *source = weft_source_read(file, arena, &why);
    if (!source)
        return weft_fail(err, WEFT_BAD_INPUT, "%s %s", file, why);
    WEFT_TRY(weft_source_check(source, err));
    WEFT_TRY(weft_tree_parse(source, 0, &nodes_left, arena, &root, err));
    return read_tree(&r, source, root);
}
