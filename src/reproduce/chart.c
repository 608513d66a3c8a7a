/* SPDX-License-Identifier: Apache-2.0 */
/* Claims against values of theirs as charts. Claims about the same metric share one; the axis is
 * the setting with the most numbers, or else the labels with the most numbers as codes. Where no
 * key has several numbers, claims about parts of a
 * metric (hops 1, hops 2 …) are put side by side. A distribution has a chart for every number of
 * that key. */
#include "reproduce/chart.h"

#include "config/number.h"
#include "reproduce/verdict.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct maker {
    const weft_figure_plan *figure;
    const weft_groups *groups;
    weft_arena *arena;
    weft_sketches *sketches;
    size_t axis; /* key; n_keys: none has several numbers */
    weft_error *err;
} maker;

/* ---- the axis ---- */

static bool is_number(const char *text, double *number)
{
    size_t taken = weft_number_read(text, 0, number);
    return taken > 0 && text[taken] == '\0';
}

/* The number that a value of a key stands for: its own, or its code in expected tables. */
static bool key_number(const weft_group_key *key, const char *value, double *number)
{
    for (size_t i = 0; i < key->n_labels; i++)
        if (strcmp(key->labels[i].name, value) == 0)
            return is_number(key->labels[i].code, number);
    return is_number(value, number);
}

/* Different numbers of a key; 0 if it has others. */
static size_t count_numbers(const weft_figure_plan *figure, const weft_groups *groups, size_t key)
{
    size_t count = 0;
    for (size_t i = 0; i < groups->count; i++) {
        bool seen = false;
        double number;
        if (!key_number(&figure->keys[key], groups->at[i].value[key], &number))
            return 0;
        for (size_t j = 0; j < i && !seen; j++)
            seen = groups->at[j].rank[key] == groups->at[i].rank[key];
        count += !seen;
    }
    return count;
}

static size_t choose_key(const weft_figure_plan *figure, const weft_groups *groups, bool labels)
{
    size_t best = figure->n_keys, most = 1;
    for (size_t k = 0; k < figure->n_keys; k++) {
        bool named = figure->keys[k].setting == NULL;
        size_t count = named == labels ? count_numbers(figure, groups, k) : 0;
        if (count > 1 && count >= most) {
            most = count;
            best = k;
        }
    }
    return best;
}

static size_t choose_axis(const weft_figure_plan *figure, const weft_groups *groups)
{
    size_t best = choose_key(figure, groups, false);
    return best < figure->n_keys ? best : choose_key(figure, groups, true);
}

static double place_of(const maker *m, const weft_group *group)
{
    double number = group->rank[m->axis];
    (void)key_number(&m->figure->keys[m->axis], group->value[m->axis], &number);
    return number;
}

/* ---- one chart ---- */

static const char *title_of(const maker *m, const weft_claim *claim, weft_along along)
{
    const char *part = "";
    if (claim->by[0] && along == WEFT_ALONG_INDEX)
        part = weft_arena_format(m->arena, " by %s", claim->by);
    else if (claim->by[0])
        part = weft_arena_format(m->arena, ", %s %lld", claim->by, (long long)claim->index);
    return weft_arena_format(m->arena, "%s%s%s%s", claim->metric, part,
                             claim->class[0] ? " of " : "", claim->class);
}

static weft_sketch *add_sketch(const maker *m, size_t c, weft_along along, size_t room)
{
    const weft_claim *claim = &m->figure->claims[c];
    size_t most = m->groups->count;
    weft_sketch *sketch = &m->sketches->at[m->sketches->count++];
    const char *axis = along == WEFT_ALONG_KEY ? m->figure->keys[m->axis].name : claim->by;
    *sketch = (weft_sketch){.along = along,
                            .axis = m->axis,
                            .claim = claim,
                            .groups = WEFT_TAKE(m->arena, const weft_group *, most),
                            .strands = WEFT_TAKE(m->arena, weft_strand, WEFT_STRANDS * most),
                            .room = room,
                            .shown = {.title = title_of(m, claim, along),
                                      .axis = axis,
                                      .value = claim->metric,
                                      .unit = m->groups->unit[c] ? m->groups->unit[c] : ""}};
    for (size_t t = 0; t < WEFT_STRANDS * most; t++)
        sketch->strands[t] = (weft_strand){.series = t / WEFT_STRANDS, .name = ""};
    return sketch;
}

static bool same_series(const maker *m, const weft_sketch *sketch, const weft_group *a,
                        const weft_group *b)
{
    for (size_t k = 0; k < m->figure->n_keys; k++)
        if ((k != sketch->axis || sketch->along == WEFT_ALONG_INDEX) &&
            !weft_value_same(a->value[k], b->value[k]))
            return false;
    return true;
}

static size_t series_of(const maker *m, weft_sketch *sketch, const weft_group *group)
{
    size_t s = 0;
    while (s < sketch->shown.n_series && !same_series(m, sketch, sketch->groups[s], group))
        s++;
    if (s == sketch->shown.n_series) {
        sketch->shown.n_series++;
        sketch->groups[s] = group;
    }
    return s;
}

/* Labels speak for themselves; numbers need the name of their key. */
static const char *series_name(const maker *m, const weft_sketch *sketch, const weft_group *group)
{
    const char *name = "";
    for (size_t k = 0; k < m->figure->n_keys; k++) {
        const weft_group_key *key = &m->figure->keys[k];
        if (k != sketch->axis || sketch->along == WEFT_ALONG_INDEX)
            name = weft_arena_format(m->arena, "%s%s%s%s%.100s", name, *name ? " " : "",
                                     key->setting ? key->name : "", key->setting ? "=" : "",
                                     group->value[k]);
    }
    return name;
}

static void add_spot(const maker *m, const weft_sketch *sketch, weft_strand *strand,
                     weft_chart_spot spot)
{
    if (spot.x - spot.x != 0 || spot.y - spot.y != 0)
        return;
    if (!strand->spots)
        strand->spots = WEFT_TAKE(m->arena, weft_chart_spot, sketch->room);
    for (size_t i = 0; i < strand->n_spots; i++)
        if (strand->spots[i].x == spot.x) /* another claim about the same point */
            return;
    assert(strand->n_spots < sketch->room);
    strand->spots[strand->n_spots++] = spot;
}

/* ---- claims ---- */

static bool alike(const weft_claim *a, const weft_claim *b, weft_along along)
{
    return strcmp(a->metric, b->metric) == 0 && strcmp(a->class, b->class) == 0 &&
           strcmp(a->by, b->by) == 0 && (along == WEFT_ALONG_INDEX || a->index == b->index);
}

static weft_sketch *sketch_of(const maker *m, size_t c, weft_along along)
{
    const weft_claim *claim = &m->figure->claims[c];
    for (size_t i = 0; i < m->sketches->count; i++)
        if (m->sketches->at[i].along == along && alike(m->sketches->at[i].claim, claim, along))
            return &m->sketches->at[i];
    return add_sketch(m, c, along, m->groups->count + m->figure->n_claims);
}

static void draw_claim(const maker *m, size_t c, const weft_claim_result *result)
{
    const weft_claim *claim = &m->figure->claims[c];
    weft_along along = m->axis < m->figure->n_keys ? WEFT_ALONG_KEY : WEFT_ALONG_INDEX;
    if (result->n_cells == 0 || (along == WEFT_ALONG_INDEX && !claim->by[0]))
        return;
    weft_sketch *sketch = sketch_of(m, c, along);
    size_t i = 0;
    for (size_t g = 0; g < m->groups->count; g++) {
        const weft_group *group = &m->groups->at[g];
        if (!weft_verdict_counts(claim, group))
            continue;
        assert(i < result->n_cells);
        const weft_cell *cell = &result->cells[i++];
        weft_strand *strands = &sketch->strands[WEFT_STRANDS * series_of(m, sketch, group)];
        double x = along == WEFT_ALONG_KEY ? place_of(m, group) : (double)claim->index;
        add_spot(m, sketch, &strands[WEFT_CHART_OURS],
                 (weft_chart_spot){x, cell->ours, cell->lo, cell->hi});
        add_spot(m, sketch, &strands[WEFT_CHART_THEIRS],
                 (weft_chart_spot){x, cell->theirs, cell->theirs, cell->theirs});
    }
}

/* ---- distributions ---- */

static weft_sketch *distribution_of(const maker *m, size_t c, const weft_group *group)
{
    const weft_claim *claim = &m->figure->claims[c];
    bool keyed = m->axis < m->figure->n_keys;
    for (size_t i = 0; i < m->sketches->count; i++) {
        weft_sketch *sketch = &m->sketches->at[i];
        if (sketch->along == WEFT_ALONG_PLACE && sketch->claim == claim &&
            (!keyed || sketch->groups[0]->rank[m->axis] == group->rank[m->axis]))
            return sketch;
    }
    weft_sketch *sketch = add_sketch(m, c, WEFT_ALONG_PLACE, group->tallies[c].count);
    const char *by = strstr(claim->metric, " by ");
    size_t length = by ? (size_t)(by - claim->metric) : strlen(claim->metric);
    sketch->shown.axis = weft_arena_copy(m->arena, claim->metric, length);
    sketch->shown.title =
        keyed ? weft_arena_format(m->arena, "%s, %s=%.40s", claim->name,
                                  m->figure->keys[m->axis].name, group->value[m->axis])
              : claim->name;
    sketch->shown.value = "share";
    return sketch;
}

/* Places behind the last that anything is in are not drawn. */
static size_t used_places(const weft_tallies *ours, const double *theirs)
{
    size_t count = ours->count;
    while (count > 0 && !(ours->at[count - 1] > 0) && !(theirs[count - 1] > 0))
        count--;
    return count;
}

static weft_status draw_distribution(const maker *m, size_t c)
{
    const weft_claim *claim = &m->figure->claims[c];
    for (size_t g = 0; g < m->groups->count; g++) {
        const weft_group *group = &m->groups->at[g];
        const weft_tallies *ours = &group->tallies[c];
        double *theirs = WEFT_TAKE(m->arena, double, ours->count + 1);
        if (!weft_verdict_counts(claim, group) || !(ours->sum > 0))
            continue;
        WEFT_TRY(weft_verdict_places(m->figure, claim, group, ours->count, theirs, m->err));
        weft_sketch *sketch = distribution_of(m, c, group);
        weft_strand *strands = &sketch->strands[WEFT_STRANDS * series_of(m, sketch, group)];
        size_t used = used_places(ours, theirs);
        for (size_t i = 0; i < used; i++) {
            double x = (double)i, y = ours->at[i] / ours->sum;
            add_spot(m, sketch, &strands[WEFT_CHART_OURS], (weft_chart_spot){x, y, y, y});
            add_spot(m, sketch, &strands[WEFT_CHART_THEIRS],
                     (weft_chart_spot){x, theirs[i], theirs[i], theirs[i]});
        }
    }
    return WEFT_OK;
}

/* ---- all of them ---- */

static int by_place(const void *a, const void *b)
{
    const weft_chart_spot *x = a, *y = b;
    return (x->x > y->x) - (x->x < y->x);
}

static void finish(const maker *m, weft_sketch *sketch)
{
    const char **names = WEFT_TAKE(m->arena, const char *, sketch->shown.n_series + 1);
    for (size_t s = 0; s < sketch->shown.n_series; s++)
        names[s] = series_name(m, sketch, sketch->groups[s]);
    sketch->shown.series = names;
    for (size_t t = 0; t < WEFT_STRANDS * sketch->shown.n_series; t++)
        if (sketch->strands[t].n_spots > 1)
            qsort(sketch->strands[t].spots, sketch->strands[t].n_spots, sizeof(weft_chart_spot),
                  by_place);
}

/* A point is no curve. */
static bool is_curve(const weft_sketch *sketch)
{
    for (size_t t = 0; t < WEFT_STRANDS * sketch->shown.n_series; t++)
        if (sketch->strands[t].n_spots > 1)
            return true;
    return false;
}

weft_status weft_sketches_make(const weft_figure_plan *figure, const weft_groups *groups,
                               const weft_claim_result *claims, weft_arena *arena,
                               weft_sketches *sketches, weft_error *err)
{
    size_t most = figure->n_claims * (groups->count + 1), kept = 0;
    *sketches = (weft_sketches){.at = WEFT_TAKE(arena, weft_sketch, most)};
    const maker m = {figure, groups, arena, sketches, choose_axis(figure, groups), err};
    for (size_t c = 0; c < figure->n_claims; c++) {
        if (figure->claims[c].rule == WEFT_RULE_DISTRIBUTION)
            WEFT_TRY(draw_distribution(&m, c));
        else if (figure->claims[c].rule <= WEFT_RULE_SHOWN)
            draw_claim(&m, c, &claims[c]);
    }
    for (size_t i = 0; i < sketches->count; i++) {
        finish(&m, &sketches->at[i]);
        if (is_curve(&sketches->at[i]))
            sketches->at[kept++] = sketches->at[i];
    }
    sketches->count = kept;
    return WEFT_OK;
}

static weft_chart_trace trace_of(const weft_strand *strand, size_t kind)
{
    return (weft_chart_trace){.kind = (weft_chart_kind)kind,
                              .series = strand->series,
                              .name = strand->name,
                              .n_spots = strand->n_spots,
                              .spots = strand->spots};
}

const weft_chart *weft_sketches_show(const weft_sketches *sketches, weft_arena *arena)
{
    weft_chart *charts = WEFT_TAKE(arena, weft_chart, sketches->count + 1);
    for (size_t i = 0; i < sketches->count; i++) {
        const weft_sketch *sketch = &sketches->at[i];
        size_t all = WEFT_STRANDS * sketch->shown.n_series, count = 0;
        weft_chart_trace *traces = WEFT_TAKE(arena, weft_chart_trace, all + 1);
        for (size_t t = 0; t < all; t++)
            if (sketch->strands[t].n_spots > 0)
                traces[count++] = trace_of(&sketch->strands[t], t % WEFT_STRANDS);
        charts[i] = sketch->shown;
        charts[i].traces = traces;
        charts[i].n_traces = count;
    }
    return charts;
}
