/* SPDX-License-Identifier: Apache-2.0 */
/* Lines first, a colour for each class of links; then routers, those without endpoints open. */
#include "report/network.h"

#include "base/numeric.h"
#include "report/figure/gnuplot.h"

#include <math.h>
#include <string.h>

#define LONG    1.5  /* times the shortest line: such are bent */
#define BEND    0.06 /* of their length */
#define PIECES  12
#define CROWDED 24u /* routers whose names stand beside each other */

static const char *const classes[] = {"local", "global", "host", "regional"};

static double length_of(const weft_drawing *drawing, const weft_drawing_line *line)
{
    const double *a = drawing->place[line->from], *b = drawing->place[line->to];
    double x = b[0] - a[0], y = b[1] - a[1];
    return weft_sqrt(x * x + y * y);
}

static double shortest(const weft_drawing *drawing)
{
    double least = INFINITY;
    for (size_t l = 0; l < drawing->n_lines; l++) {
        double length = length_of(drawing, &drawing->lines[l]);
        least = length < least ? length : least;
    }
    return least;
}

/* The points of a line, bent to its left if wished. */
static void add_line(weft_text *script, const weft_drawing *drawing, const weft_drawing_line *line,
                     bool bent)
{
    const double *a = drawing->place[line->from], *b = drawing->place[line->to];
    unsigned pieces = bent ? PIECES : 1;
    for (unsigned i = 0; i <= pieces; i++) {
        double t = (double)i / pieces, off = bent ? 4 * BEND * t * (1 - t) : 0;
        weft_text_add(script, "%.5f %.5f\n", a[0] + t * (b[0] - a[0]) - off * (b[1] - a[1]),
                      a[1] + t * (b[1] - a[1]) + off * (b[0] - a[0]));
    }
    weft_text_append(script, "\n", 1);
}

/* A block of data for the lines of a class; false: there are none. */
static bool add_lines(weft_text *script, const weft_drawing *drawing, uint32_t class, double least)
{
    size_t count = 0;
    for (size_t l = 0; l < drawing->n_lines; l++) {
        const weft_drawing_line *line = &drawing->lines[l];
        if (line->link_class != class)
            continue;
        if (count++ == 0)
            weft_text_add(script, "$links%u << EOD\n", class);
        add_line(script, drawing, line, drawing->bends && length_of(drawing, line) > LONG * least);
    }
    if (count > 0)
        weft_text_add(script, "EOD\n");
    return count > 0;
}

/* Routers from … to − 1. */
static void add_routers(weft_text *script, const weft_drawing *drawing, const char *name,
                        uint32_t from, uint32_t to)
{
    weft_text_add(script, "$%s << EOD\n", name);
    for (uint32_t r = from; r < to; r++)
        weft_text_add(script, "%.5f %.5f\n", drawing->place[r][0], drawing->place[r][1]);
    weft_text_add(script, "EOD\n");
}

/* Above a router, in the lower half below it; upright where there are many. */
static void add_name(weft_text *script, const weft_drawing *drawing, uint32_t router)
{
    bool many = drawing->routers > CROWDED, below = drawing->place[router][1] < 0.5;
    weft_text_add(script, "set label ");
    weft_gnuplot_quote(script, drawing->names[router]);
    weft_text_add(script, " at %.5f,%.5f %s offset 0,%s front font ',%d'\n",
                  drawing->place[router][0], drawing->place[router][1],
                  !many   ? "center"
                  : below ? "right rotate"
                          : "left rotate",
                  below ? "-0.9" : "0.9", many ? 9 : 12);
}

static void add_frame(weft_text *script, const weft_drawing *drawing, weft_picture picture)
{
    weft_text_add(script, picture == WEFT_PICTURE_PNG
                              ? "set terminal pngcairo noenhanced size 1600,1700 font 'DejaVu "
                                "Sans,20' background '#ffffff'\n"
                              : "set terminal svg noenhanced size 800,850 dynamic font 'DejaVu "
                                "Sans,Helvetica,Arial,sans-serif,13' background '#ffffff'\n");
    weft_text_add(script, "set encoding utf8\nset title ");
    weft_gnuplot_quote(script, drawing->title);
    weft_text_add(script, "\nunset border\nunset tics\nset size ratio -1\n"
                          "set key outside bottom center horizontal\n"
                          "set xrange [-0.1:1.1]\n");
    weft_text_add(script, drawing->names && drawing->routers > CROWDED ? "set yrange [-0.25:1.25]\n"
                                                                       : "set yrange [-0.1:1.1]\n");
}

void weft_report_network_script(const weft_drawing *drawing, weft_picture picture,
                                weft_text *script)
{
    double least = shortest(drawing), size = drawing->routers > 400 ? 0.5 : 1.4;
    double width = drawing->n_lines > 2000 ? 0.4 : 1.6;
    bool has[4];
    add_frame(script, drawing, picture);
    for (uint32_t r = 0; drawing->names && r < drawing->routers; r++)
        add_name(script, drawing, r);
    for (uint32_t c = 0; c < 4; c++)
        has[c] = add_lines(script, drawing, c, least);
    add_routers(script, drawing, "homes", 0, drawing->homes);
    if (drawing->homes < drawing->routers)
        add_routers(script, drawing, "others", drawing->homes, drawing->routers);
    weft_text_add(script, "plot ");
    for (uint32_t c = 0; c < 4; c++)
        if (has[c])
            weft_text_add(script,
                          "$links%u with lines linewidth %g linecolor '%s' title '%s links', ", c,
                          width, weft_plot_colours[c == 0 ? 5 : c], classes[c]);
    if (drawing->homes < drawing->routers)
        weft_text_add(script,
                      "$others with points pointtype 6 pointsize %g linecolor '#000000' "
                      "title 'routers without endpoints', ",
                      size);
    weft_text_add(script,
                  "$homes with points pointtype 7 pointsize %g linecolor '#000000' title "
                  "'routers'\n",
                  size);
}

weft_status weft_report_network_picture(const weft_drawing *drawing, weft_picture picture,
                                        const char *path, weft_error *err)
{
    weft_text script;
    weft_text_init(&script);
    weft_report_network_script(drawing, picture, &script);
    weft_status status = weft_gnuplot_run(script.at, script.length, path, err);
    weft_text_done(&script);
    return status;
}
