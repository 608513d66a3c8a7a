/* SPDX-License-Identifier: Apache-2.0 */
/* Every measured curve gets lines of its own for its models and bounds; those that say the same of
 * several curves become one, in grey. A bound of the accepted load is a wall where the axis is a
 * load, and stands only where its own curve has points on both sides. */
#include "report/figure/curve.h"
#include "report/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOTE_MAX 48
#define NEAR     0.01 /* lines nearer than this are one to the eye */

static bool is_near(double a, double b)
{
    double gap = a < b ? b - a : a - b, size = a < 0 ? -a : a;
    return gap <= NEAR * size;
}

/* "bound: channel load" is "throughput bound: channel load"; "bound: zero load, about" is
 * "zero-load latency". */
static const char *note_of(weft_arena *arena, const weft_metric *m)
{
    const char *colon = strstr(m->method, ": "), *name = colon ? colon + 2 : m->method;
    if (strcmp(m->by, "bound") == 0 && strncmp(name, "zero load", 9) == 0)
        return "zero-load latency";
    const char *plain = weft_plain_text(arena, name, strlen(name), NOTE_MAX);
    return weft_arena_format(arena, "%s: %s",
                             strcmp(m->by, "model") == 0        ? "model"
                             : strcmp(m->name, "accepted") == 0 ? "throughput bound"
                                                                : "bound",
                             plain);
}

/* Where a load stands on the axis, if that grows in proportion to the load of its points. */
static double place_of_load(const weft_point *point, double x, double load)
{
    const weft_metric *offered = weft_point_metric(point, "offered load", "", "", 0);
    return offered && offered->value > 0 ? x * (load / offered->value) : (double)NAN;
}

static void add_wall(weft_plot *plot, const weft_curves_theory *theory, const weft_point *point,
                     const weft_metric *m, double x, size_t colour)
{
    double at = place_of_load(point, x, m->value);
    if (!isfinite(at))
        return;
    weft_curve *wall =
        weft_curves_find(plot, WEFT_CURVE_WALL, NULL, note_of(theory->arena, m), colour);
    if (wall->n_dots == 0 || !is_near(wall->dots[0].x, at))
        weft_curves_add_dot(wall, (weft_dot){.x = at});
}

void weft_curves_add_theory(weft_plot *plot, const weft_curves_theory *theory,
                            const weft_point *point, double x, size_t colour)
{
    for (size_t i = 0; i < point->n_metrics; i++) {
        const weft_metric *m = &point->metrics[i];
        bool model = strcmp(m->by, "model") == 0, bound = strcmp(m->by, "bound") == 0;
        if ((!model && !bound) || strcmp(m->of, theory->of) != 0 || !isfinite(m->value))
            continue;
        bool accepted = strcmp(m->name, "accepted") == 0;
        weft_curve_kind kind = model      ? WEFT_CURVE_MODEL
                               : accepted ? WEFT_CURVE_CEILING
                                          : WEFT_CURVE_BOUND;
        if (strcmp(m->name, theory->metric) == 0 && !(accepted && model))
            weft_curves_add_dot(
                weft_curves_find(plot, kind, NULL, note_of(theory->arena, m), colour),
                (weft_dot){.x = x, .y = m->value, .lo = m->value, .hi = m->value});
        else if (accepted && bound && strcmp(theory->metric, "latency") == 0)
            add_wall(plot, theory, point, m, x, colour);
    }
}

/* Do both say the same at every place they have in common, and have they any? */
static bool says_the_same(const weft_curve *a, const weft_curve *b)
{
    bool common = false;
    if (a->kind == WEFT_CURVE_WALL)
        return a->n_dots == 1 && b->n_dots == 1 && is_near(a->dots[0].x, b->dots[0].x);
    for (size_t i = 0; i < a->n_dots; i++)
        for (size_t j = 0; j < b->n_dots; j++)
            if (is_near(a->dots[i].x, b->dots[j].x)) {
                common = true;
                if (!is_near(a->dots[i].y, b->dots[j].y))
                    return false;
            }
    return common;
}

static bool is_within(const weft_plot *plot, const weft_curve *wall)
{
    for (size_t c = 0; c < plot->n_curves; c++) {
        const weft_curve *own = &plot->curves[c];
        if (own->kind == WEFT_CURVE_MEASURED && own->colour == wall->colour)
            return wall->n_dots == 1 && wall->dots[0].x >= own->dots[0].x &&
                   wall->dots[0].x <= own->dots[own->n_dots - 1].x;
    }
    return false;
}

static void take_dots(weft_curve *into, const weft_curve *from)
{
    for (size_t i = 0; i < from->n_dots && into->kind != WEFT_CURVE_WALL; i++)
        weft_curves_add_dot(into, from->dots[i]);
    into->shared = true;
}

void weft_curves_merge_theory(weft_plot *plot)
{
    for (size_t a = plot->n_curves; a-- > 0;)
        if (plot->curves[a].kind == WEFT_CURVE_WALL && !is_within(plot, &plot->curves[a]))
            weft_curves_drop(plot, a);
    for (size_t a = 0; a < plot->n_curves; a++)
        for (size_t b = plot->n_curves; --b > a;) {
            weft_curve *one = &plot->curves[a], *two = &plot->curves[b];
            if (one->label || two->label || one->kind != two->kind ||
                strcmp(one->note, two->note) != 0 || !says_the_same(one, two))
                continue;
            take_dots(one, two);
            weft_curves_drop(plot, b);
        }
}
