/* SPDX-License-Identifier: Apache-2.0 */
/* Lines first, a colour for each class of links; then routers, those without endpoints open. Names
 * stand beside each other, or upright where fewer of them meet then. */
#include "report/network.h"

#include "base/numeric.h"
#include "report/figure/gnuplot.h"
#include "report/plain.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define LONG   1.5  /* times the shortest line: such are bent */
#define BEND   0.06 /* of their length */
#define PIECES 12
#define SHOWN  24 /* characters of a name */

/* Of the smaller sheet, that of SVG, in its pixels: what a unit of places takes, characters and
 * lines of names, and the way from a router to its name. */
#define ACROSS 620.0
#define DOWN   740.0
#define OFF    14.0
static const struct {
    int font;
    double character, line;
} letters[2] = {{12, 7.2, 15}, {9, 5.4, 11}}; /* of names side by side, and upright */

typedef struct labels {
    const char **names; /* [routers] */
    bool upright;
    double room; /* above and below the places of routers */
} labels;

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

/* "leaf1 (6)" is cut before its hosts. */
static const char *cut_name(weft_arena *arena, const char *name)
{
    size_t length = strlen(name), end = length;
    if (end > 0 && name[end - 1] == ')')
        end--;
    while (end > 0 && isdigit((unsigned char)name[end - 1]))
        end--;
    bool hosts = end > 2 && end + 1 < length && name[end - 1] == '(' && name[end - 2] == ' ';
    size_t own = hosts ? end - 2 : length;
    const char *cut = weft_plain_text(arena, name, own, SHOWN);
    return hosts ? weft_arena_format(arena, "%s%s", cut, name + own) : cut;
}

static bool is_below(const weft_drawing *drawing, uint32_t router)
{
    return drawing->place[router][1] < 0.5;
}

/* How much of the sheet a name of so many pixels leaves to the places of routers. */
static double room_for(double pixels)
{
    return pixels / (DOWN - 2 * pixels);
}

typedef struct box {
    double low[2], high[2];
} box;

/* Where a name stands. */
static box box_of(const weft_drawing *drawing, const labels *of, uint32_t router)
{
    double unit = of->upright ? DOWN / (1 + 2 * of->room) : ACROSS, way = OFF / unit;
    double length =
        letters[of->upright].character / unit * (double)weft_plain_width(of->names[router]);
    double line = letters[of->upright].line / unit, x = drawing->place[router][0],
           y = drawing->place[router][1] + (is_below(drawing, router) ? -way : way);
    if (!of->upright)
        return (box){{x - length / 2, y - line / 2}, {x + length / 2, y + line / 2}};
    return is_below(drawing, router) ? (box){{x - line / 2, y - length}, {x + line / 2, y}}
                                     : (box){{x - line / 2, y}, {x + line / 2, y + length}};
}

/* Names that run into each other, or off the sheet. */
static uint32_t count_meetings(const weft_drawing *drawing, const labels *of)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < drawing->routers; r++) {
        box a = box_of(drawing, of, r);
        count += a.low[0] < -0.12 || a.high[0] > 1.12;
        for (uint32_t other = 0; other < r; other++) {
            box b = box_of(drawing, of, other);
            count += a.low[0] < b.high[0] && b.low[0] < a.high[0] && a.low[1] < b.high[1] &&
                     b.low[1] < a.high[1];
        }
    }
    return count;
}

static labels find_labels(const weft_drawing *drawing, weft_arena *arena)
{
    labels of = {.room = 0.1};
    size_t widest = 0;
    if (!drawing->names)
        return of;
    of.names = WEFT_TAKE(arena, const char *, drawing->routers);
    for (uint32_t r = 0; r < drawing->routers; r++) {
        of.names[r] = cut_name(arena, drawing->names[r]);
        size_t width = weft_plain_width(of.names[r]);
        widest = width > widest ? width : widest;
    }
    labels upright = {.names = of.names,
                      .upright = true,
                      .room = room_for(2 * OFF + letters[true].character * (double)widest)};
    return count_meetings(drawing, &upright) < count_meetings(drawing, &of) ? upright : of;
}

/* Above a router, in the lower half below it. */
static void add_name(weft_text *script, const weft_drawing *drawing, const labels *of,
                     uint32_t router)
{
    bool below = is_below(drawing, router);
    weft_text_add(script, "set label ");
    weft_gnuplot_quote(script, of->names[router]);
    weft_text_add(script, " at %.5f,%.5f %s offset 0,%s front font ',%d'\n",
                  drawing->place[router][0], drawing->place[router][1],
                  !of->upright ? "center"
                  : below      ? "right rotate"
                               : "left rotate",
                  below ? "-0.9" : "0.9", letters[of->upright].font);
}

static void add_frame(weft_text *script, const weft_drawing *drawing, const labels *of,
                      weft_picture picture)
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
    weft_text_add(script, "set yrange [%.3g:%.3g]\n", -of->room, 1 + of->room);
}

void weft_report_network_script(const weft_drawing *drawing, weft_picture picture,
                                weft_text *script)
{
    double least = shortest(drawing), size = drawing->routers > 400 ? 0.5 : 1.4;
    double width = drawing->n_lines > 2000 ? 0.4 : 1.6;
    bool has[4];
    weft_arena arena;
    weft_arena_init(&arena);
    labels of = find_labels(drawing, &arena);
    add_frame(script, drawing, &of, picture);
    for (uint32_t r = 0; drawing->names && r < drawing->routers; r++)
        add_name(script, drawing, &of, r);
    weft_arena_done(&arena);
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
