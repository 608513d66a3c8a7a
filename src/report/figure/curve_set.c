/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "report/figure/curve.h"

#include <stdlib.h>
#include <string.h>

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

weft_curve *weft_curves_find(weft_plot *plot, weft_curve_kind kind, const char *label,
                             const char *note, size_t colour)
{
    for (size_t i = 0; i < plot->n_curves; i++) {
        weft_curve *curve = &plot->curves[i];
        bool same = curve->kind == kind && is_same_text(curve->label, label) &&
                    is_same_text(curve->note, note);
        if (same && (label || curve->colour == colour))
            return curve;
    }
    if (plot->n_curves == plot->capacity) {
        plot->capacity = plot->capacity ? 2 * plot->capacity : 8;
        plot->curves = weft_realloc(plot->curves, plot->capacity, sizeof *plot->curves);
    }
    plot->curves[plot->n_curves] =
        (weft_curve){.label = label, .kind = kind, .colour = colour, .note = note};
    return &plot->curves[plot->n_curves++];
}

void weft_curves_add_dot(weft_curve *curve, weft_dot dot)
{
    if (curve->n_dots == curve->capacity) {
        curve->capacity = curve->capacity ? 2 * curve->capacity : 32;
        curve->dots = weft_realloc(curve->dots, curve->capacity, sizeof *curve->dots);
    }
    size_t i = curve->n_dots++;
    for (; i > 0 && curve->dots[i - 1].x > dot.x; i--)
        curve->dots[i] = curve->dots[i - 1];
    curve->dots[i] = dot;
}

void weft_curves_drop(weft_plot *plot, size_t index)
{
    free(plot->curves[index].dots);
    memmove(plot->curves + index, plot->curves + index + 1,
            (--plot->n_curves - index) * sizeof *plot->curves);
}

void weft_curves_done(weft_plot *plot)
{
    while (plot->n_curves > 0)
        weft_curves_drop(plot, plot->n_curves - 1);
    free(plot->curves);
}
