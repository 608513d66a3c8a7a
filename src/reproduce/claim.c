/* SPDX-License-Identifier: Apache-2.0 */
/* One claim of a figure: which metric, by which rule, against which column of which table.
 * Columns and keys are looked up here, so that a mistake is found before anything is run. */
#include "reproduce/reproduce.h"

#include "config/bind/bind.h"
#include "config/number.h"

#include <assert.h>
#include <string.h>

#define IN(member) offsetof(weft_claim, member)
#define NO_MORE    NULL, NULL

static const char *const rules[] = {"z",        "digits",      "within",   "distribution",
                                    "shown",    "bracket",     "ordering", "trend",
                                    "contrast", "not-claimed", NULL};
static const char *const directions[] = {"rising", "falling", NULL};
static const char *const signs[] = {"above", "below", "zero", NULL};
const char *const weft_against_choices[] = {
    "document", "program", "reference-simulation", "exact-chain", "formula", "own-claim", NULL};

static const weft_param params[] = {
    {"rule", "how it is judged", WEFT_PARAM_CHOICE, IN(rule), NULL, 0, 0, rules, NULL},
    {"metric", "name of the metric in the results", WEFT_PARAM_TEXT, IN(metric), "", 0, 0, NO_MORE},
    {"class", "traffic class; default all", WEFT_PARAM_TEXT, IN(class), "", 0, 0, NO_MORE},
    {"by", "which part of the metric: hops, percentile …", WEFT_PARAM_TEXT, IN(by), "", 0, 0,
     NO_MORE},
    {"index", "which one of them", WEFT_PARAM_INT, IN(index), "0", 0, 0, NO_MORE},
    {"reason", "why it is not claimed, or only shown", WEFT_PARAM_TEXT, IN(reason), "", 0, 0,
     NO_MORE},
    {"against", "whose values or words", WEFT_PARAM_CHOICE, IN(against), "document", 0, 0,
     weft_against_choices, NULL},
    {"sentence", "the words of the document", WEFT_PARAM_TEXT, IN(sentence), "", 0, 0, NO_MORE},
    {"place", "where they are printed", WEFT_PARAM_TEXT, IN(place), "", 0, 0, NO_MORE},
    {"sure", "what checks the data they are judged by", WEFT_PARAM_TEXT, IN(sure), "", 0, 0,
     NO_MORE},
    {"table", "file with the expected values", WEFT_PARAM_TEXT, IN(file), "", 0, 0, NO_MORE},
    {"value", "its column with the values", WEFT_PARAM_TEXT, IN(value), "", 0, 0, NO_MORE},
    {"error", "its column with their errors", WEFT_PARAM_TEXT, IN(error), "", 0, 0, NO_MORE},
    {"at", "its column with the places of a distribution, 0, 1, …", WEFT_PARAM_TEXT, IN(at), "", 0,
     0, NO_MORE},
    {"divisor", "standard errors in an error", WEFT_PARAM_REAL, IN(divisor), "1", 1e-9, 1e9,
     NO_MORE},
    {"freedom", "degrees of freedom of the errors", WEFT_PARAM_REAL, IN(freedom), "1e6", 1, 1e6,
     NO_MORE},
    {"single", "theirs is a single run of the length of ours: it is as unsure as one of these",
     WEFT_PARAM_FLAG, IN(single), "false", 0, 0, NO_MORE},
    {"margin", "difference that is not held against us", WEFT_PARAM_REAL, IN(margin), "0", 0, 1e300,
     NO_MORE},
    {"margin-share", "the same, as a share of the expected value", WEFT_PARAM_FRACTION,
     IN(margin_share), "0", 0, 1, NO_MORE},
    {"digits", "significant digits that must be equal", WEFT_PARAM_INT, IN(digits), "3", 1, 15,
     NO_MORE},
    {"written", "as many digits must be equal as the table writes", WEFT_PARAM_FLAG, IN(written),
     "false", 0, 0, NO_MORE},
    {"share", "difference that is allowed, as a share of the expected value", WEFT_PARAM_FRACTION,
     IN(share), "0", 0, 1, NO_MORE},
    {"absolute", "difference that is allowed anyway", WEFT_PARAM_REAL, IN(absolute), "0", 0, 1e300,
     NO_MORE},
    {"stable", "greatest value of the key along which they are stable", WEFT_PARAM_REAL, IN(stable),
     "none", 0, 0, NO_MORE},
    {"unstable", "least value at which they are not; none: not known", WEFT_PARAM_REAL,
     IN(unstable), "none", 0, 0, NO_MORE},
    {"along", "the key along which ours are compared", WEFT_PARAM_TEXT, IN(along), "", 0, 0,
     NO_MORE},
    {"direction", "which way they go, in the order given", WEFT_PARAM_CHOICE, IN(direction),
     "falling", 0, 0, directions, NULL},
    {"sum", "what the sum of the terms is", WEFT_PARAM_CHOICE, IN(sign), "above", 0, 0, signs,
     NULL},
    {.name = NULL}};
static const char *const apart[] = {"where",  "order",  "known", "only",
                                    "adjust", "beside", "terms", NULL};
static const weft_table claim_table = {
    .name = "claims", .params = params, .apart = apart, .named = true};

typedef struct reader {
    const weft_reproduction *book;
    const char *path;
    const weft_node *map;
    const weft_figure_plan *figure;
    weft_arena *arena;
    weft_claim *claim;
    weft_error *err;
} reader;

static weft_status lacks(const reader *r, const char *what)
{
    return weft_node_complain(r->err, r->map, "%s lacks the setting '%s', which rule %s needs",
                              r->path, what, rules[r->claim->rule]);
}

const char *weft_against_name(int whom)
{
    static const char *const names[] = {"document",    "program", "reference simulation",
                                        "exact chain", "formula", "own claim"};
    assert((size_t)whom < sizeof names / sizeof *names);
    return names[whom];
}

static weft_status find_column(const reader *r, const weft_node *at, const char *name,
                               size_t *column)
{
    *column = weft_csv_column(r->claim->table, name);
    if (*column == r->claim->table->columns)
        return weft_node_complain(r->err, at, "%s: the table %.80s has no column '%.60s'", r->path,
                                  r->claim->file, name);
    return WEFT_OK;
}

/* The rows of the table that `where` lets through. */
static weft_status filter_rows(const reader *r)
{
    const weft_node *where = weft_node_get(r->map, "where");
    const weft_csv *table = r->claim->table;
    const weft_pin *pins = NULL;
    size_t count = 0;
    if (where)
        WEFT_TRY(weft_pins_read(weft_arena_format(r->arena, "%s.where", r->path), where, r->arena,
                                &pins, &count, r->err));
    size_t *columns = WEFT_TAKE(r->arena, size_t, count + 1);
    for (size_t p = 0; p < count; p++)
        WEFT_TRY(find_column(r, where->keys[p], pins[p].name, &columns[p]));
    size_t *rows = WEFT_TAKE(r->arena, size_t, table->rows + 1);
    for (size_t row = 0; row < table->rows; row++) {
        bool fits = true;
        for (size_t p = 0; p < count && fits; p++)
            fits = weft_value_same(weft_csv_cell(table, row, columns[p]), pins[p].value);
        if (fits)
            rows[r->claim->n_rows++] = row;
    }
    r->claim->rows = rows;
    if (r->claim->n_rows == 0)
        return weft_node_complain(r->err, where ? where : r->map,
                                  "%s: no row of the table %.80s is left", r->path, r->claim->file);
    return WEFT_OK;
}

/* Numbers where numbers are expected, now and not after the run. */
static weft_status check_numbers(const reader *r)
{
    const weft_claim *claim = r->claim;
    for (size_t i = 0; i < claim->n_rows; i++) {
        double number = 0;
        WEFT_TRY(
            weft_csv_number(claim->table, claim->rows[i], claim->value_column, &number, r->err));
        if (claim->error_column == claim->table->columns)
            continue;
        WEFT_TRY(
            weft_csv_number(claim->table, claim->rows[i], claim->error_column, &number, r->err));
        if (number < 0)
            return weft_complain(r->err, claim->table->source,
                                 claim->table->offsets[claim->rows[i]], 1,
                                 "an error cannot be negative");
    }
    return WEFT_OK;
}

/* The keys that `beside` names, which the table does not tell apart, have no column. */
static weft_status find_keys(const reader *r)
{
    const weft_node *beside = weft_node_get(r->map, "beside");
    if (beside && beside->type != WEFT_NODE_LIST)
        return weft_node_complain(r->err, beside, "%s.beside must be a list of keys, found %s",
                                  r->path, weft_node_found(beside, r->arena));
    bool left_out[WEFT_KEYS_OF_A_FIGURE] = {false};
    for (size_t i = 0; beside && i < beside->n_values; i++) {
        const weft_node *name = beside->values[i];
        size_t k = name->type == WEFT_NODE_SCALAR ? weft_figure_key(r->figure, name->text)
                                                  : r->figure->n_keys;
        if (k == r->figure->n_keys)
            return weft_node_complain(r->err, name, "%s.beside: %s is not a key of this figure",
                                      r->path, weft_node_found(name, r->arena));
        left_out[k] = true;
    }
    for (size_t k = 0; k < r->figure->n_keys; k++) {
        r->claim->key_columns[k] = r->claim->table->columns;
        if (!left_out[k])
            WEFT_TRY(find_column(r, r->map, r->figure->keys[k].column, &r->claim->key_columns[k]));
    }
    return WEFT_OK;
}

static weft_status read_table(const reader *r)
{
    weft_claim *claim = r->claim;
    const weft_node *file = weft_node_get(r->map, "table");
    if (!file || claim->file[0] == '\0')
        return lacks(r, "table");
    if (strchr(claim->file, '/'))
        return weft_node_complain(r->err, file, "%s.table is a file of the study's own folder",
                                  r->path);
    if (claim->value[0] == '\0')
        return lacks(r, "value");
    if (claim->written && weft_node_get(r->map, "digits"))
        return weft_node_complain(r->err, file, "%s: 'digits' and 'written' exclude each other",
                                  r->path);
    const char *path = weft_arena_format(r->arena, "%s/%s", r->book->folder, claim->file);
    WEFT_TRY(weft_csv_read(path, r->arena, &claim->table, r->err));
    WEFT_TRY(find_column(r, weft_node_get(r->map, "value"), claim->value, &claim->value_column));
    claim->error_column = claim->table->columns;
    if (claim->rule == WEFT_RULE_DISTRIBUTION && claim->at[0] == '\0')
        return lacks(r, "at");
    if (claim->at[0])
        WEFT_TRY(find_column(r, weft_node_get(r->map, "at"), claim->at, &claim->at_column));
    if (claim->error[0])
        WEFT_TRY(
            find_column(r, weft_node_get(r->map, "error"), claim->error, &claim->error_column));
    WEFT_TRY(find_keys(r));
    WEFT_TRY(filter_rows(r));
    return check_numbers(r);
}

static bool is_label(const weft_group_key *key, const char *name)
{
    for (size_t i = 0; i < key->n_labels; i++)
        if (strcmp(key->labels[i].name, name) == 0)
            return true;
    return key->setting != NULL;
}

static weft_status read_order(const reader *r, const weft_node *order)
{
    const weft_group_key *key = &r->figure->keys[r->claim->along_key];
    if (!order)
        return lacks(r, "order");
    if (order->type != WEFT_NODE_LIST || order->n_values < 2)
        return weft_node_complain(r->err, order, "%s.order must be a list of two values or more",
                                  r->path);
    const char **names = WEFT_TAKE(r->arena, const char *, order->n_values);
    for (size_t i = 0; i < order->n_values; i++) {
        const weft_node *value = order->values[i];
        if (value->type != WEFT_NODE_SCALAR || !is_label(key, value->text))
            return weft_node_complain(r->err, value, "%s.order: %s is not a value of the key '%s'",
                                      r->path, weft_node_found(value, r->arena), key->name);
        names[i] = value->text;
    }
    r->claim->order = names;
    r->claim->n_order = order->n_values;
    return WEFT_OK;
}

static weft_status read_along(const reader *r)
{
    weft_claim *claim = r->claim;
    const weft_node *along = weft_node_get(r->map, "along"),
                    *order = weft_node_get(r->map, "order");
    if (!along)
        return lacks(r, "along");
    claim->along_key = weft_figure_key(r->figure, claim->along);
    if (claim->along_key == r->figure->n_keys)
        return weft_node_complain(r->err, along, "%s.along: this figure has no key '%.60s'",
                                  r->path, claim->along);
    if (claim->rule == WEFT_RULE_ORDERING)
        return read_order(r, order);
    if (order)
        return weft_node_complain(r->err, order, "%s.order belongs to rule ordering", r->path);
    if (claim->rule == WEFT_RULE_BRACKET)
        return weft_node_get(r->map, "stable") ? WEFT_OK : lacks(r, "stable");
    return weft_node_get(r->map, "direction") ? WEFT_OK : lacks(r, "direction");
}

/* A printed sentence has a place, and nothing excuses it: its rule alone decides. */
static weft_status check_sentence(const reader *r)
{
    const weft_node *known = weft_node_get(r->map, "known");
    if (r->claim->sentence[0] == '\0') {
        bool own = r->claim->rule > WEFT_RULE_BRACKET; /* compares ours with ours */
        if (!weft_node_get(r->map, "against"))
            r->claim->against = own ? WEFT_AGAINST_OWN : r->book->against;
        return WEFT_OK;
    }
    if (r->claim->place[0] == '\0')
        return weft_node_complain(r->err, r->map, "%s: a sentence needs its 'place'", r->path);
    if (known)
        return weft_node_complain(r->err, known, "%s: a printed sentence has no known differences",
                                  r->path);
    return WEFT_OK;
}

weft_status weft_claim_read(const weft_reproduction *book, const char *path, const weft_node *map,
                            const weft_figure_plan *figure, weft_arena *arena, weft_claim *claim,
                            weft_error *err)
{
    assert(claim->name);
    weft_binder binder = {.arena = arena, .err = err};
    WEFT_TRY(weft_bind_table(&binder, path, map, &claim_table, claim));
    reader r = {book, path, map, figure, arena, claim, err};
    if (claim->rule == WEFT_RULE_NONE)
        return claim->reason[0] ? WEFT_OK : lacks(&r, "reason");
    if (claim->metric[0] == '\0')
        return lacks(&r, "metric");
    WEFT_TRY(check_sentence(&r));
    WEFT_TRY(weft_claim_known(path, map, figure, arena, claim, err));
    if (claim->rule == WEFT_RULE_SHOWN && claim->reason[0] == '\0')
        return lacks(&r, "reason");
    if (claim->rule <= WEFT_RULE_SHOWN)
        WEFT_TRY(read_table(&r));
    else if (claim->rule == WEFT_RULE_CONTRAST)
        WEFT_TRY(weft_claim_terms(path, map, figure, arena, claim, err));
    else
        WEFT_TRY(read_along(&r));
    return weft_claim_scope(path, map, figure, arena, claim, err);
}
