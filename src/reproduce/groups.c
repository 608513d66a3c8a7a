/* SPDX-License-Identifier: Apache-2.0 */
/* A point's key is taken apart into the figure's keys; points that differ only in their seed are
 * one group, with a sample of every metric that is claimed. */
#include "reproduce/groups.h"

#include "base/utf8.h"
#include "config/number.h"
#include "result/key.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const weft_figure_plan *figure;
    weft_arena *arena;
    weft_groups *groups;
    size_t seeds;
    weft_error *err;
} reader;

typedef struct parts { /* a point's settings, as texts */
    size_t count;
    weft_pin at[64];
    bool used[64];
} parts;

static weft_status take_apart(reader *r, const char *key, parts *p)
{
    weft_key_part part;
    const char *rest = key;
    for (p->count = 0; weft_key_next(&rest, &part); p->count++) {
        if (p->count == sizeof p->at / sizeof *p->at)
            return weft_fail(r->err, WEFT_BAD_INPUT, "the point '%.200s' has too many settings",
                             key);
        p->at[p->count] = (weft_pin){weft_arena_copy(r->arena, part.name, part.name_length),
                                     weft_arena_copy(r->arena, part.value, part.value_length)};
        p->used[p->count] = strcmp(p->at[p->count].name, "seed") == 0;
    }
    return WEFT_OK;
}

/* The value of a setting, which now counts as used; NULL if the grid does not vary it. */
static const char *use(parts *p, const char *setting)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->at[i].name, setting) == 0) {
            p->used[i] = true;
            return p->at[i].value;
        }
    return NULL;
}

static bool has_label(parts *p, const weft_label *label)
{
    bool fits = true;
    for (size_t i = 0; i < label->n_pins; i++) {
        const char *value = use(p, label->pins[i].name);
        fits = value && weft_value_same(value, label->pins[i].value) && fits;
    }
    return fits;
}

static void read_key(const weft_group_key *key, parts *p, const char **value, double *rank)
{
    *value = NULL;
    *rank = 0;
    if (key->setting) {
        *value = use(p, key->setting);
        size_t taken = *value ? weft_number_read(*value, 0, rank) : 0;
        if (taken == 0)
            *rank = 0;
        return;
    }
    for (size_t i = 0; i < key->n_labels; i++)
        if (has_label(p, &key->labels[i])) {
            *value = key->labels[i].name;
            *rank = (double)i;
        }
}

static weft_status read_values(reader *r, const char *point_key, weft_group *group)
{
    parts p;
    WEFT_TRY(take_apart(r, point_key, &p));
    for (size_t k = 0; k < r->figure->n_keys; k++) {
        const weft_group_key *key = &r->figure->keys[k];
        read_key(key, &p, &group->value[k], &group->rank[k]);
        if (!group->value[k])
            return weft_fail(r->err, WEFT_BAD_INPUT,
                             "figure %s: the point '%.200s' has no value for the key '%s'",
                             r->figure->shown.name, point_key, key->name);
    }
    for (size_t i = 0; i < p.count; i++)
        if (!p.used[i])
            return weft_fail(r->err, WEFT_BAD_INPUT,
                             "figure %s: its grid varies '%.100s', which none of its keys names",
                             r->figure->shown.name, p.at[i].name);
    return WEFT_OK;
}

/* Labels speak for themselves; numbers need the name of their key. */
static const char *where_of(reader *r, const weft_group *group)
{
    const char *where = "";
    for (size_t k = 0; k < r->figure->n_keys; k++) {
        const weft_group_key *key = &r->figure->keys[k];
        where = weft_arena_format(r->arena, "%s%s%s%s%.100s", where, k ? " " : "",
                                  key->setting ? key->name : "", key->setting ? "=" : "",
                                  group->value[k]);
    }
    char *text = weft_arena_copy(r->arena, where, strlen(where));
    weft_make_harmless(text);
    return text;
}

static bool same(const reader *r, const weft_group *a, const weft_group *b)
{
    for (size_t k = 0; k < r->figure->n_keys; k++)
        if (!weft_value_same(a->value[k], b->value[k]))
            return false;
    return true;
}

static weft_group *find_group(reader *r, const weft_group *like)
{
    weft_groups *groups = r->groups;
    for (size_t i = groups->count; i-- > 0;)
        if (same(r, &groups->at[i], like))
            return &groups->at[i];
    weft_group *added = &groups->at[groups->count++];
    *added = *like;
    added->where = where_of(r, added);
    added->samples = WEFT_TAKE(r->arena, weft_sample, r->figure->n_claims);
    added->others = WEFT_TAKE(r->arena, weft_sample, r->figure->n_claims);
    added->tallies = WEFT_TAKE(r->arena, weft_tallies, r->figure->n_claims);
    added->terms = WEFT_TAKE(r->arena, double *, r->figure->n_claims);
    return added;
}

static weft_status find_metric(reader *r, const weft_point *point, const weft_claim *like,
                               const weft_metric **metric)
{
    *metric = weft_point_metric(point, like->metric, like->class, like->by, like->index);
    if (*metric && (*metric)->value - (*metric)->value == 0)
        return WEFT_OK;
    return weft_fail(r->err, WEFT_BAD_INPUT,
                     "figure %s: the point '%.200s' has no metric %.60s%s%.60s%s%.60s %lld",
                     r->figure->shown.name, point->key, like->metric, *like->class ? " of " : "",
                     like->class, *like->by ? " by " : "", like->by, (long long)like->index);
}

/* One line of a matrix. */
static weft_status add_distribution(reader *r, const weft_point *point, const weft_claim *claim,
                                    weft_tallies *to)
{
    const weft_array *found = NULL;
    for (size_t i = 0; i < point->n_arrays; i++) {
        const weft_array *array = &point->arrays[i];
        if (strcmp(array->table, "matrix") == 0 && strcmp(array->name, claim->metric) == 0 &&
            strcmp(array->of, claim->class) == 0)
            found = array;
    }
    size_t columns = found ? found->columns : 0, line = (size_t)claim->index;
    if (columns == 0 || line >= found->count / columns || (to->at && to->count != columns))
        return weft_fail(r->err, WEFT_BAD_INPUT,
                         "figure %s: the point '%.200s' has no matrix %.60s with a line %lld",
                         r->figure->shown.name, point->key, claim->metric, (long long)claim->index);
    if (!to->at)
        *to = (weft_tallies){.count = columns, .at = WEFT_TAKE(r->arena, double, columns)};
    assert(to->at);
    for (size_t i = 0; i < columns; i++) {
        to->at[i] += (double)found->y[line * columns + i];
        to->sum += (double)found->y[line * columns + i];
    }
    return WEFT_OK;
}

/* Runs are numbered by their seeds, so that those of two points can be paired. */
static size_t run_of(const char *key)
{
    weft_key_part part;
    double seed = 1;
    while (weft_key_next(&key, &part))
        if (part.name_length == 4 && memcmp(part.name, "seed", 4) == 0)
            (void)weft_number_read(part.value, 0, &seed);
    return seed >= 1 ? (size_t)seed - 1 : SIZE_MAX;
}

static weft_status add_terms(reader *r, const weft_point *point, const weft_claim *claim,
                             weft_group *group, size_t c)
{
    size_t run = run_of(point->key);
    const weft_metric *metric;
    if (run >= r->seeds)
        return weft_fail(r->err, WEFT_BAD_INPUT,
                         "figure %s: the point '%.200s' has no seed of ours", r->figure->shown.name,
                         point->key);
    if (!group->terms[c])
        group->terms[c] = WEFT_TAKE(r->arena, double, r->seeds * claim->n_terms);
    for (size_t t = 0; t < claim->n_terms; t++) {
        const weft_term *term = &claim->terms[t];
        weft_claim like = {
            .metric = term->metric, .class = term->class, .by = term->by, .index = term->index};
        if (*term->metric == '\0')
            continue;
        WEFT_TRY(find_metric(r, point, &like, &metric));
        group->terms[c][run * claim->n_terms + t] = metric->value;
        if (!r->groups->unit[c])
            r->groups->unit[c] = weft_arena_copy(r->arena, metric->unit, strlen(metric->unit));
    }
    return WEFT_OK;
}

static weft_status add_metrics(reader *r, const weft_point *point, weft_group *group)
{
    for (size_t c = 0; c < r->figure->n_claims; c++) {
        const weft_claim *claim = &r->figure->claims[c];
        const weft_metric *metric;
        if (claim->rule == WEFT_RULE_NONE)
            continue;
        if (claim->rule == WEFT_RULE_DISTRIBUTION) {
            WEFT_TRY(add_distribution(r, point, claim, &group->tallies[c]));
            continue;
        }
        if (claim->rule == WEFT_RULE_CONTRAST) {
            WEFT_TRY(add_terms(r, point, claim, group, c));
            continue;
        }
        WEFT_TRY(find_metric(r, point, claim, &metric));
        weft_sample_add(&group->samples[c], metric->value);
        if (!r->groups->unit[c])
            r->groups->unit[c] = weft_arena_copy(r->arena, metric->unit, strlen(metric->unit));
        if (!claim->adjust.metric)
            continue;
        weft_claim other = {.metric = claim->adjust.metric, .class = claim->class, .by = ""};
        WEFT_TRY(find_metric(r, point, &other, &metric));
        weft_sample_add(&group->others[c], metric->value);
    }
    group->runs++;
    group->saturated += point->saturated;
    return WEFT_OK;
}

static int by_rank(const void *a, const void *b)
{
    const weft_group *x = a, *y = b;
    for (size_t k = 0; k < WEFT_KEYS_OF_A_FIGURE; k++)
        if (x->rank[k] < y->rank[k] || x->rank[k] > y->rank[k])
            return x->rank[k] < y->rank[k] ? -1 : 1;
    return strcmp(x->where, y->where);
}

static weft_status check_runs(reader *r, int64_t seeds)
{
    for (size_t i = 0; i < r->groups->count; i++)
        if ((int64_t)r->groups->at[i].runs != seeds)
            return weft_fail(r->err, WEFT_BAD_INPUT,
                             "figure %s: %s has %zu runs, there must be %lld",
                             r->figure->shown.name, r->groups->at[i].where, r->groups->at[i].runs,
                             (long long)seeds);
    return WEFT_OK;
}

weft_status weft_groups_read(const weft_figure_plan *figure, int64_t seeds, weft_result *result,
                             weft_arena *arena, weft_groups *groups, weft_error *err)
{
    size_t points = weft_result_points(result);
    *groups = (weft_groups){.at = WEFT_TAKE(arena, weft_group, points + 1),
                            .unit = WEFT_TAKE(arena, const char *, figure->n_claims)};
    reader r = {figure, arena, groups, (size_t)seeds, err};
    for (size_t i = 0; i < points; i++) {
        const weft_point *point;
        weft_group like = {0};
        WEFT_TRY(weft_result_read(result, i, &point, err));
        WEFT_TRY(read_values(&r, point->key, &like));
        WEFT_TRY(add_metrics(&r, point, find_group(&r, &like)));
    }
    if (points == 0)
        return weft_fail(err, WEFT_BAD_INPUT, "figure %s: its results have no points",
                         figure->shown.name);
    assert(groups->count <= points);
    qsort(groups->at, groups->count, sizeof *groups->at, by_rank);
    return check_runs(&r, seeds);
}
