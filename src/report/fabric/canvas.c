/* SPDX-License-Identifier: Apache-2.0 */
#include "report/fabric/canvas.h"

#include "base/utf8.h"
#include "report/figure/gnuplot.h"

#include <stdlib.h>
#include <string.h>

/* ---- SVG ---- */

void weft_canvas_escape(weft_text *out, const char *text)
{
    static const char *const named[] = {"<&lt;", ">&gt;", "&&amp;", "\"&quot;"};
    for (size_t left = strlen(text), bytes; left; left -= bytes, text += bytes) {
        uint32_t code;
        bytes = weft_utf8_next(text, left, &code);
        bool shown = bytes && !weft_utf8_is_control(code);
        bytes += !bytes;
        size_t i = 0;
        while (i < sizeof named / sizeof *named && named[i][0] != *text)
            i++;
        if (i < sizeof named / sizeof *named)
            weft_text_add(out, "%s", named[i] + 1);
        else
            weft_text_append(out,
                             shown                         ? text
                             : (unsigned char)*text < 0x80 ? " "
                                                           : "?",
                             shown ? bytes : 1);
    }
}

static void svg_open(weft_canvas *canvas, double width, double height)
{
    weft_text_add(canvas->out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                  "width=\"%.0f\" height=\"%.0f\" font-family=\"DejaVu Sans,Helvetica,Arial,"
                  "sans-serif\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                  width, height, width, height);
}

static void svg_line(weft_canvas *canvas, const double from[2], const double to[2],
                     const char *colour, double width, bool dashed)
{
    weft_text_add(
        canvas->out, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" stroke-width=\"%.1f\"%s/>\n",
        from[0], from[1], to[0], to[1], colour, width, dashed ? " stroke-dasharray=\"3 3\"" : "");
}

static void svg_box(weft_canvas *canvas, const double corner[2], const double size[2],
                    const char *fill, const char *edge)
{
    weft_text_add(canvas->out,
                  "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%d\" "
                  "fill=\"%s\" stroke=\"%s\"/>\n",
                  corner[0], corner[1], size[0], size[1], size[0] > 12 ? 3 : 0, fill, edge);
}

static const char *const svg_anchors[] = {"start", "middle", "end"};

static void svg_text(weft_canvas *canvas, const double at[2], weft_canvas_anchor anchor,
                     double size, const char *colour, const char *text)
{
    weft_text_add(canvas->out,
                  "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%.0f\" "
                  "fill=\"%s\">",
                  at[0], at[1] + size * 0.36, svg_anchors[anchor], size, colour);
    weft_canvas_escape(canvas->out, text);
    weft_text_add(canvas->out, "</text>\n");
}

static void svg_begin(weft_canvas *canvas, const char *title)
{
    weft_text_add(canvas->out, "<g><title>");
    weft_canvas_escape(canvas->out, title);
    weft_text_add(canvas->out, "</title>\n");
}

static void svg_end(weft_canvas *canvas)
{
    weft_text_add(canvas->out, "</g>\n");
}

static void svg_close(weft_canvas *canvas)
{
    weft_text_add(canvas->out, "</svg>\n");
}

const weft_canvas_kind weft_canvas_svg = {.open = svg_open,
                                          .line = svg_line,
                                          .box = svg_box,
                                          .text = svg_text,
                                          .begin = svg_begin,
                                          .end = svg_end,
                                          .close = svg_close};

/* ---- gnuplot ---- */

/* Twice as many pixels, and never more than a picture can have. */
#define FACTOR      2.0
#define PIXELS_MOST 16000.0

static void plot_open(weft_canvas *canvas, double width, double height)
{
    double most = width > height ? width : height;
    double factor = most * FACTOR > PIXELS_MOST ? PIXELS_MOST / most : FACTOR;
    weft_text_init(&canvas->lines);
    weft_text_add(canvas->out,
                  "set terminal pngcairo noenhanced size %.0f,%.0f fontscale %.3f linewidth %.3f "
                  "background '#ffffff'\nset encoding utf8\n"
                  "unset border\nunset tics\nunset key\nset margins 0,0,0,0\n"
                  "set xrange [0:%.1f]\nset yrange [%.1f:0]\n",
                  width * factor, height * factor, factor, factor, width, height);
}

/* Dashed lines cannot change their colour line by line: they are arrows. */
static void plot_line(weft_canvas *canvas, const double from[2], const double to[2],
                      const char *colour, double width, bool dashed)
{
    if (dashed)
        weft_text_add(canvas->out,
                      "set arrow from %.1f,%.1f to %.1f,%.1f nohead back dashtype 2 linewidth %.1f "
                      "linecolor '%s'\n",
                      from[0], from[1], to[0], to[1], width, colour);
    else
        weft_text_add(&canvas->lines, "%.1f %.1f %.1f %.1f %ld %.2f\n", from[0], from[1],
                      to[0] - from[0], to[1] - from[1], strtol(colour + 1, NULL, 16), width);
}

static void plot_box(weft_canvas *canvas, const double corner[2], const double size[2],
                     const char *fill, const char *edge)
{
    weft_text_add(canvas->out,
                  "set object rectangle from %.1f,%.1f to %.1f,%.1f %s fillcolor '%s' "
                  "fillstyle solid border linecolor '%s'\n",
                  corner[0], corner[1], corner[0] + size[0], corner[1] + size[1],
                  canvas->boxes_behind ? "behind" : "front", fill, edge);
}

static void plot_text(weft_canvas *canvas, const double at[2], weft_canvas_anchor anchor,
                      double size, const char *colour, const char *text)
{
    static const char *const anchors[] = {"left", "center", "right"};
    weft_text_add(canvas->out, "set label ");
    weft_gnuplot_quote(canvas->out, text);
    /* pngcairo counts points of 1/72 inch at 96 pixels an inch */
    weft_text_add(canvas->out, " at %.1f,%.1f %s front font 'DejaVu Sans,%.1f' textcolor '%s'\n",
                  at[0], at[1], anchors[anchor], size * 0.75, colour);
}

static void plot_begin(weft_canvas *canvas, const char *title)
{
    (void)canvas;
    (void)title;
}

static void plot_end(weft_canvas *canvas)
{
    (void)canvas;
}

static void plot_close(weft_canvas *canvas)
{
    weft_text_add(canvas->out, "$lines << EOD\n%s-1 -1 0 0 0 0\nEOD\n",
                  canvas->lines.at ? canvas->lines.at : "");
    weft_text_add(canvas->out, "plot");
    for (int i = 0; i < 4; i++) /* a width for each of four ranges of them */
        weft_text_add(
            canvas->out,
            "%s $lines using ($6 >= %g && $6 < %g ? $1 : NaN):2:3:4:5 with vectors nohead "
            "linewidth %g linecolor rgb variable",
            i ? "," : "", 0.5 * i, i < 3 ? 0.5 * (i + 1) : 99, 0.25 + 0.5 * i);
    weft_text_append(canvas->out, "\n", 1);
    weft_text_done(&canvas->lines);
}

const weft_canvas_kind weft_canvas_gnuplot = {.open = plot_open,
                                              .line = plot_line,
                                              .box = plot_box,
                                              .text = plot_text,
                                              .begin = plot_begin,
                                              .end = plot_end,
                                              .close = plot_close};

void weft_canvas_tag(weft_text *out, const char *tag, const char *text)
{
    weft_text_add(out, "<%s>", tag);
    weft_canvas_escape(out, text);
    weft_text_add(out, "</%s>", tag);
}
