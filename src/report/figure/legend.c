/* SPDX-License-Identifier: Apache-2.0 */
/* gnuplot's own legend loses entries that do not fit and covers curves, so the picture is laid out
 * here. To the right of the frame a legend takes at most a quarter of the width; else it stands
 * below, in as many columns as there is room for, and a picture of no given height grows with
 * it. */
#include "report/figure/legend.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH      800
#define HEIGHT     500
#define FRAME_PART 0.45 /* of a given height that the frame keeps */
#define FONT       12
#define SMALL_FONT 9.5 /* of pictures below SMALL, a column of a paper */
#define SMALL      450
#define LEAST_FONT 7
#define LINE       1.45 /* of the font */
#define EDGE       14   /* around the picture */
#define LEFT       6.3  /* numbers and name of the y axis, of the font */
#define BELOW      5.2  /* numbers and name of the x axis */
#define TITLE      30
#define COLUMN_GAP 18

double weft_legend_text_width(const char *text, double font)
{
    static const char thin[] = "ijlI.,:;'|! ", narrow[] = "()[]ftr-/", wide[] = "mwMW@%";
    double ems = 0;
    for (; *text; text++) {
        if (((unsigned char)*text & 0xc0) == 0x80)
            continue;
        ems += strchr(thin, *text)     ? 0.34
               : strchr(narrow, *text) ? 0.43
               : strchr(wide, *text)   ? 0.99
                                       : 0.66;
    }
    return ems * font;
}

double weft_legend_fit_font(const char *text, double font, double room)
{
    double width = weft_legend_text_width(text, font);
    double fitting = width > room ? font * room / width : font;
    return fitting < font / 2 ? font / 2 : fitting;
}

static bool has_saturated(const weft_curve *curve)
{
    for (size_t i = 0; i < curve->n_dots; i++)
        if (curve->dots[i].saturated)
            return true;
    return false;
}

static bool has_unconverged(const weft_curve *curve)
{
    for (size_t i = 0; i < curve->n_dots; i++)
        if (curve->dots[i].unconverged && !curve->dots[i].saturated)
            return true;
    return false;
}

static void add_entry(weft_legend *legend, weft_legend_sample sample, const weft_curve *curve,
                      const char *text)
{
    for (size_t i = 0; i < legend->n_entries; i++)
        if (curve && !curve->label && legend->entries[i].curve &&
            strcmp(legend->entries[i].text, text) == 0)
            return;
    legend->entries[legend->n_entries++] =
        (weft_legend_entry){.sample = sample, .curve = curve, .text = text};
}

/* What is measured, then theory, then what marks mean. */
static void collect(weft_legend *legend, const weft_plot *plot)
{
    bool saturated = false, unconverged = false;
    legend->entries = weft_alloc((plot->n_curves + 2) * sizeof *legend->entries);
    for (int theory = 0; theory < 2; theory++)
        for (size_t c = 0; c < plot->n_curves; c++) {
            const weft_curve *curve = &plot->curves[c];
            const char *text = curve->label ? curve->label : curve->note;
            if ((curve->kind != WEFT_CURVE_MEASURED) != theory)
                continue;
            saturated = saturated || has_saturated(curve);
            unconverged = unconverged || has_unconverged(curve);
            add_entry(legend, WEFT_SAMPLE_CURVE, curve, *text ? text : "simulated");
        }
    if (saturated)
        add_entry(legend, WEFT_SAMPLE_SATURATED, NULL, "saturated");
    if (unconverged)
        add_entry(legend, WEFT_SAMPLE_UNCONVERGED, NULL, "not converged");
    const char *label = plot->curves[0].label;
    bool alone = legend->n_entries == 1 && label && !*label;
    legend->n_entries = alone ? 0 : legend->n_entries;
}

static double widest(const weft_legend *legend, double font)
{
    double most = 0;
    for (size_t i = 0; i < legend->n_entries; i++) {
        double width = weft_legend_text_width(legend->entries[i].text, font);
        most = width > most ? width : most;
    }
    return most + WEFT_LEGEND_SAMPLE + WEFT_LEGEND_GAP;
}

static double widest_place(const weft_plot *plot, double font)
{
    double most = 0;
    for (size_t i = 0; i < plot->n_places; i++) {
        double width = weft_legend_text_width(plot->places[i], font);
        most = width > most ? width : most;
    }
    return most;
}

static bool fits_beside(const weft_legend *legend, const weft_plot *plot)
{
    if (plot->where == WEFT_LEGEND_BELOW || widest(legend, legend->font) + EDGE > legend->width / 4)
        return false;
    double room = (plot->height > 0 ? plot->height : HEIGHT) - TITLE - BELOW * legend->text;
    return (double)legend->n_entries * legend->line <= room;
}

static void lay_beside(weft_legend *legend)
{
    legend->place = WEFT_LEGEND_RIGHT;
    legend->columns = 1;
    legend->rows = legend->n_entries;
    legend->column_width = widest(legend, legend->font);
    legend->right -= legend->column_width + EDGE;
}

static void count_rows(weft_legend *legend, double room)
{
    legend->line = legend->font * LINE;
    legend->column_width = widest(legend, legend->font) + COLUMN_GAP;
    double columns = (room + COLUMN_GAP) / legend->column_width;
    legend->columns = columns >= 1 ? (size_t)columns : 1;
    if (legend->columns > legend->n_entries)
        legend->columns = legend->n_entries;
    legend->rows = (legend->n_entries + legend->columns - 1) / legend->columns;
    legend->columns = (legend->n_entries + legend->rows - 1) / legend->rows;
}

/* Text shrinks if one column is too wide, or if the legend takes too much of a given height. */
static void lay_below(weft_legend *legend, const weft_plot *plot)
{
    double room = legend->width - 2 * EDGE;
    double most = plot->height > 0 ? (1 - FRAME_PART) * plot->height - legend->top : INFINITY;
    legend->place = WEFT_LEGEND_BELOW;
    count_rows(legend, room);
    while (legend->font > LEAST_FONT &&
           (legend->column_width - COLUMN_GAP > room ||
            (double)legend->rows * legend->line + BELOW * legend->text > most)) {
        legend->font -= 0.5;
        count_rows(legend, room);
    }
}

/* Long names of places are tilted. */
static double below_frame(weft_legend *legend, const weft_plot *plot)
{
    double name = widest_place(plot, legend->text), room = legend->right - legend->left;
    if (plot->n_places == 0 || name + legend->text < room / (double)plot->n_places)
        return BELOW * legend->text;
    legend->tilt = 30;
    return BELOW * legend->text + name / 2;
}

/* Entries go down the columns. */
static void place_entries(weft_legend *legend)
{
    bool beside = legend->place == WEFT_LEGEND_RIGHT;
    double frame = (legend->top + legend->bottom) / 2, rows = (double)legend->rows;
    double total = (double)legend->columns * legend->column_width - (beside ? 0 : COLUMN_GAP);
    double x = beside ? legend->right + EDGE : (legend->width - total) / 2;
    double y = beside ? frame - rows * legend->line / 2 : legend->bottom + legend->foot;
    for (size_t i = 0; i < legend->n_entries; i++) {
        size_t column = i / legend->rows;
        legend->entries[i].x = x + (double)column * legend->column_width;
        legend->entries[i].y = y + ((double)(i % legend->rows) + 0.5) * legend->line;
    }
}

void weft_legend_init(weft_legend *legend, const weft_plot *plot)
{
    assert(plot->n_curves > 0);
    *legend = (weft_legend){.place = WEFT_LEGEND_NONE};
    legend->width = plot->width > 0 ? plot->width : WIDTH;
    legend->text = legend->font = legend->width < SMALL ? SMALL_FONT : FONT;
    legend->line = legend->font * LINE;
    legend->left = LEFT * legend->text;
    legend->right = legend->width - EDGE - 4;
    legend->top = *plot->title ? TITLE + EDGE / 2 : EDGE;
    collect(legend, plot);
    if (plot->where == WEFT_LEGEND_NONE)
        legend->n_entries = 0;
    bool beside = legend->n_entries > 0 && fits_beside(legend, plot);
    if (beside)
        lay_beside(legend);
    else if (legend->n_entries > 0)
        lay_below(legend, plot);
    legend->foot = below_frame(legend, plot);
    double foot = legend->foot + (beside ? 0 : (double)legend->rows * legend->line + EDGE / 2.0);
    double frame = HEIGHT - legend->top - BELOW * FONT - 3 * FONT * LINE;
    if (plot->height > 0) {
        double rest = plot->height - legend->top - foot, least = FRAME_PART * plot->height;
        frame = rest > least ? rest : least;
    } else if (legend->top + frame + foot < HEIGHT) {
        frame = HEIGHT - legend->top - foot;
    }
    legend->bottom = legend->top + frame;
    legend->height = legend->bottom + foot;
    place_entries(legend);
}

void weft_legend_done(weft_legend *legend)
{
    free(legend->entries);
    *legend = (weft_legend){0};
}
