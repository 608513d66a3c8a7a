/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture is drawn on: SVG, or a script for gnuplot, which makes pixels. Coordinates are
 * pixels from the upper left corner; colours are "#rrggbb". */
#ifndef WEFT_REPORT_FABRIC_CANVAS_H
#define WEFT_REPORT_FABRIC_CANVAS_H

#include "base/text.h"

#include <stdbool.h>

typedef enum weft_canvas_anchor {
    WEFT_CANVAS_START,
    WEFT_CANVAS_MIDDLE,
    WEFT_CANVAS_END
} weft_canvas_anchor;

typedef struct weft_canvas weft_canvas;

typedef struct weft_canvas_kind {
    void (*open)(weft_canvas *canvas, double width, double height);
    void (*line)(weft_canvas *canvas, const double from[2], const double to[2], const char *colour,
                 double width, bool dashed);
    void (*box)(weft_canvas *canvas, const double corner[2], const double size[2], const char *fill,
                const char *edge);
    void (*text)(weft_canvas *canvas, const double at[2], weft_canvas_anchor anchor, double size,
                 const char *colour, const char *text);
    /* What follows until end has this title, shown where the pointer is. */
    void (*begin)(weft_canvas *canvas, const char *title);
    void (*end)(weft_canvas *canvas);
    void (*close)(weft_canvas *canvas);
} weft_canvas_kind;

struct weft_canvas {
    const weft_canvas_kind *kind;
    weft_text *out;
    weft_text lines;   /* of gnuplot: kept until all is known */
    bool boxes_behind; /* of gnuplot, whose lines are else behind all boxes */
};

extern const weft_canvas_kind weft_canvas_svg, weft_canvas_gnuplot;

/* Text between tags of XML or HTML. */
void weft_canvas_escape(weft_text *out, const char *text);
/* <tag>text</tag>, escaped. */
void weft_canvas_tag(weft_text *out, const char *tag, const char *text);

#endif
