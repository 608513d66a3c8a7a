/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "report/figure/curve.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 150 /* pixels of a side */
#define MOST  5000

/* "8.5cm" in pixels; *text moves behind it. A unit that is left out is that of the other side. */
static bool read_length(const char **text, double *length, double *unit)
{
    static const struct {
        const char *name;
        double pixels;
    } units[] = {{"cm", 96 / 2.54}, {"mm", 9.6 / 2.54}, {"in", 96}, {"px", 1}};
    char *end;
    *length = strtod(*text, &end);
    if (end == *text)
        return false;
    end += strspn(end, " ");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strncmp(end, units[i].name, 2) == 0) {
            *unit = units[i].pixels;
            end += 2;
        }
    *text = end + strspn(end, " ");
    return true;
}

weft_status weft_curves_set_size(weft_plot *plot, const char *text, weft_error *err)
{
    double width, height = 0, wide = 0, high = 0;
    const char *at = text;
    bool good = text && read_length(&at, &width, &wide);
    if (!text)
        return WEFT_OK;
    good = good && (*at == 'x' || *at == ',');
    at += good;
    good = good && read_length(&at, &height, &high) && !*at;
    if (!good)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--size is width x height, such as 800x500 (pixels), 8.5cmx6cm or "
                         "3.5inx2.5in, found '%.60s'",
                         text);
    plot->width = width * (wide > 0 ? wide : high > 0 ? high : 1);
    plot->height = height * (high > 0 ? high : wide > 0 ? wide : 1);
    if (!(plot->width >= LEAST && plot->width <= MOST && plot->height >= LEAST &&
          plot->height <= MOST))
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--size: sides are 4 to 130 cm (%d to %d pixels), found '%.60s'", LEAST,
                         MOST, text);
    return WEFT_OK;
}

weft_status weft_curves_set_legend(weft_plot *plot, const char *text, weft_error *err)
{
    static const char *const names[] = {"auto", "right", "below", "none"};
    for (int i = 0; text && i < 4; i++)
        if (strcmp(names[i], text) == 0) {
            plot->where = (weft_legend_place)i;
            return WEFT_OK;
        }
    if (!text)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_USAGE, "--legend is auto, right, below or none, found '%.60s'",
                     text);
}

weft_status weft_curves_set_log(weft_plot *plot, const char *text, weft_error *err)
{
    bool both = text && strcmp(text, "both") == 0;
    bool x = both || (text && strcmp(text, "x") == 0), y = both || (text && strcmp(text, "y") == 0);
    if (!text || strcmp(text, "auto") == 0)
        return WEFT_OK;
    if (!x && !y && strcmp(text, "none") != 0)
        return weft_fail(err, WEFT_BAD_USAGE, "--log is auto, x, y, both or none, found '%.60s'",
                         text);
    plot->log_x = x;
    plot->y_scale = y ? WEFT_SCALE_LOG : x ? WEFT_SCALE_AUTO : WEFT_SCALE_LINEAR;
    return WEFT_OK;
}

/* Does the label hold every word of an item? */
static bool matches(const char *label, const char *item, size_t length)
{
    while (length > 0) {
        size_t skip = strspn(item, " ");
        size_t word = strcspn(item + skip, " ,");
        if (skip >= length)
            return true;
        word = word < length - skip ? word : length - skip;
        if (!memmem(label, strlen(label), item + skip, word))
            return false;
        item += skip + word;
        length -= skip + word;
    }
    return true;
}

static weft_status refuse(const weft_plot *plot, const char *item, size_t length, weft_error *err)
{
    char known[400] = "";
    for (size_t c = 0; c < plot->n_curves; c++) {
        size_t used = strlen(known);
        if (plot->curves[c].kind == WEFT_CURVE_MEASURED && used + 4 < sizeof known)
            (void)snprintf(known + used, sizeof known - used, "%s'%.60s'", used ? ", " : "",
                           plot->curves[c].label);
    }
    return weft_fail(err, WEFT_BAD_USAGE, "--curves: none holds '%.*s' (there are %s)",
                     (int)(length < 60 ? length : 60), item, known);
}

/* Moves the measured curves of one item, which are behind `*chosen`, to it. */
static bool take_item(weft_plot *plot, const char *item, size_t length, size_t *chosen)
{
    size_t before = *chosen;
    for (size_t c = *chosen; c < plot->n_curves; c++) {
        weft_curve curve = plot->curves[c];
        if (curve.kind != WEFT_CURVE_MEASURED || !matches(curve.label, item, length))
            continue;
        memmove(plot->curves + *chosen + 1, plot->curves + *chosen, (c - *chosen) * sizeof curve);
        plot->curves[(*chosen)++] = curve;
    }
    return *chosen > before;
}

/* Drops what was not chosen, and gives the rest the colours 0, 1, …. */
static void renumber(weft_plot *plot, size_t chosen)
{
    for (size_t c = plot->n_curves; c-- > chosen;) {
        bool kept = false;
        for (size_t i = 0; i < chosen; i++)
            kept = kept || (plot->curves[c].kind != WEFT_CURVE_MEASURED &&
                            plot->curves[i].colour == plot->curves[c].colour);
        if (!kept)
            weft_curves_drop(plot, c);
    }
    for (size_t c = chosen; c < plot->n_curves; c++)
        for (size_t i = 0; i < chosen; i++)
            if (plot->curves[i].colour == plot->curves[c].colour) {
                plot->curves[c].colour = i;
                break;
            }
    for (size_t i = 0; i < chosen; i++)
        plot->curves[i].colour = i;
}

weft_status weft_curves_select(weft_plot *plot, const char *list, weft_error *err)
{
    size_t chosen = 0;
    if (!list)
        return WEFT_OK;
    while (*list) {
        size_t length = strcspn(list, ",");
        if (!take_item(plot, list, length, &chosen))
            return refuse(plot, list, length, err);
        list += length + (list[length] == ',');
    }
    renumber(plot, chosen);
    return WEFT_OK;
}
