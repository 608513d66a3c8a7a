/* SPDX-License-Identifier: Apache-2.0 */
/* What a model says about a chart's series. The keys of a series become settings of the model,
 * the axis one that varies; curves that are the same for several series are drawn once. */
#include "reproduce/chart.h"
#include "study/model.h"

#include <assert.h>
#include <string.h>

#define STEPS     64 /* of an axis between whose numbers there are others */
#define PINS_MOST 64

typedef struct drawer {
    const weft_overlay *overlay;
    weft_sketch *sketch;
    const weft_registry *registry;
    const char *output;
    size_t n_places;
    double *places; /* where the model is asked; none: at a single point */
    weft_arena *arena;
    weft_error *err;
} drawer;

typedef struct pins { /* settings of the model, NULL-terminated */
    size_t count;
    const char *at[PINS_MOST + 1];
} pins;

static void pin(const drawer *d, pins *p, const char *setting, const char *value)
{
    if (p->count < PINS_MOST)
        p->at[p->count++] = weft_arena_format(d->arena, "%s=%s", setting, value);
}

/* The output that is the claim's metric; NULL: none. */
static const char *output_of(const weft_overlay *overlay, const weft_claim *claim)
{
    for (size_t i = 0; i < overlay->n_outputs; i++)
        if (strcmp(overlay->outputs[i].name, claim->metric) == 0)
            return overlay->outputs[i].value;
    return NULL;
}

/* ---- the axis ---- */

static bool is_whole(double x)
{
    return x > -1e15 && x < 1e15 && x == (double)(int64_t)x;
}

/* All numbers of ours; between numbers that are not whole, many more. */
static void find_places(drawer *d)
{
    const weft_sketch *sketch = d->sketch;
    double low = 0, high = 0;
    bool whole = true, any = false;
    size_t most = STEPS + 1;
    for (size_t t = 0; t < WEFT_STRANDS * sketch->shown.n_series; t++)
        most += sketch->strands[t].n_spots;
    d->places = WEFT_TAKE(d->arena, double, most);
    for (size_t t = 0; t < WEFT_STRANDS * sketch->shown.n_series; t++)
        for (size_t i = 0; i < sketch->strands[t].n_spots; i++) {
            double x = sketch->strands[t].spots[i].x;
            bool seen = false;
            for (size_t p = 0; p < d->n_places && !seen; p++)
                seen = d->places[p] == x;
            if (!seen)
                d->places[d->n_places++] = x;
            whole &= is_whole(x);
            low = !any || x < low ? x : low;
            high = !any || x > high ? x : high;
            any = true;
        }
    if (whole)
        return;
    d->n_places = STEPS + 1;
    for (size_t p = 0; p <= STEPS; p++)
        d->places[p] = low + (high - low) * (double)p / STEPS;
}

static void pin_places(const drawer *d, pins *p, const char *setting)
{
    const char *list = "";
    for (size_t i = 0; i < d->n_places; i++)
        list = weft_arena_format(d->arena, "%s%s%.17g", list, i ? ", " : "", d->places[i]);
    pin(d, p, setting, weft_arena_format(d->arena, "[%s]", list));
}

/* ---- settings ---- */

/* False: the model says nothing about this value. */
static bool pin_key(const drawer *d, const weft_overlay_key *key, const char *value, pins *p)
{
    if (key->setting) {
        pin(d, p, key->setting, value);
        return true;
    }
    for (size_t i = 0; i < key->n_labels; i++) {
        const weft_label *label = &key->labels[i];
        if (!weft_value_same(label->name, value))
            continue;
        for (size_t k = 0; k < label->n_pins; k++)
            pin(d, p, label->pins[k].name, label->pins[k].value);
        return true;
    }
    return false;
}

/* False: the model has no curve for this series. */
static bool pin_all(const drawer *d, const weft_group *group, pins *p)
{
    const weft_overlay *overlay = d->overlay;
    const weft_sketch *sketch = d->sketch;
    bool along = sketch->along == WEFT_ALONG_PLACE;
    for (size_t i = 0; i < overlay->n_keys; i++) {
        const weft_overlay_key *key = &overlay->keys[i];
        if (sketch->along == WEFT_ALONG_KEY && key->key == sketch->axis && key->setting) {
            pin_places(d, p, key->setting);
            along = true;
        } else if (!pin_key(d, key, group->value[key->key], p)) {
            return false;
        }
    }
    if (overlay->index && sketch->along == WEFT_ALONG_INDEX) {
        pin_places(d, p, overlay->index);
        along = true;
    } else if (overlay->index) {
        pin(d, p, overlay->index,
            weft_arena_format(d->arena, "%lld", (long long)sketch->claim->index));
    }
    return along;
}

/* ---- curves ---- */

static void take_places(const drawer *d, const weft_model_sheet *model, weft_strand *strand)
{
    assert(weft_model_points(model) == d->n_places);
    strand->spots = WEFT_TAKE(d->arena, weft_chart_spot, d->n_places + 1);
    for (size_t i = 0; i < d->n_places; i++) {
        const weft_metric *m = weft_point_metric(weft_model_point(model, i), d->output, "", "", 0);
        if (m && m->value - m->value == 0)
            strand->spots[strand->n_spots++] =
                (weft_chart_spot){d->places[i], m->value, m->value, m->value};
    }
}

static void take_distribution(const drawer *d, const weft_point *point, weft_strand *strand)
{
    strand->spots = WEFT_TAKE(d->arena, weft_chart_spot, point->n_metrics + 1);
    for (size_t i = 0; i < point->n_metrics; i++) {
        const weft_metric *m = &point->metrics[i];
        if (strcmp(m->name, d->output) == 0 && m->by[0])
            strand->spots[strand->n_spots++] =
                (weft_chart_spot){(double)m->index, m->value, m->value, m->value};
    }
}

static weft_status evaluate(const drawer *d, const pins *p, weft_strand *strand)
{
    const weft_model_source source = {
        .name = d->overlay->model, .settings = d->overlay->settings, .overrides = p->at};
    weft_model_sheet *model;
    WEFT_TRY(weft_model_open_source(&source, d->registry, &model, d->err));
    weft_status status = weft_model_run(model, NULL, d->err);
    if (status == WEFT_OK && d->sketch->along == WEFT_ALONG_PLACE)
        take_distribution(d, weft_model_point(model, 0), strand);
    else if (status == WEFT_OK)
        take_places(d, model, strand);
    weft_model_close(model);
    return status;
}

/* But for rounding. */
static bool same(const weft_strand *a, const weft_strand *b)
{
    bool so = a->n_spots == b->n_spots;
    for (size_t i = 0; i < a->n_spots && so; i++) {
        double far = a->spots[i].y - b->spots[i].y, near = 1e-9 * a->spots[i].y;
        so = a->spots[i].x == b->spots[i].x && far * far <= near * near;
    }
    return so;
}

/* The same curve twice becomes one that belongs to no series. */
static void keep_once(const weft_sketch *sketch, size_t series, weft_strand *strand)
{
    for (size_t s = 0; s < series && strand->n_spots > 0; s++) {
        weft_strand *before = &sketch->strands[WEFT_STRANDS * s + WEFT_CHART_MODEL];
        if (!same(before, strand))
            continue;
        before->series = sketch->shown.n_series;
        strand->n_spots = 0;
    }
}

weft_status weft_sketch_overlay(const weft_overlay *overlay, weft_sketch *sketch,
                                const weft_registry *registry, weft_arena *arena, weft_error *err)
{
    drawer d = {.overlay = overlay,
                .sketch = sketch,
                .registry = registry,
                .output = output_of(overlay, sketch->claim),
                .arena = arena,
                .err = err};
    if (!d.output)
        return WEFT_OK;
    find_places(&d);
    for (size_t s = 0; s < sketch->shown.n_series; s++) {
        weft_strand *strand = &sketch->strands[WEFT_STRANDS * s + WEFT_CHART_MODEL];
        pins p = {0};
        if (!pin_all(&d, sketch->groups[s], &p))
            continue;
        WEFT_TRY(evaluate(&d, &p, strand));
        strand->name = overlay->name;
        keep_once(sketch, s, strand);
    }
    return WEFT_OK;
}
