/* SPDX-License-Identifier: Apache-2.0 */
/* Panels side by side, two in a row where they fit, under a scale of colours. The half of a cable
 * at a switch has the colour of what that switch sends into it. */
#include "report/fabric/canvas.h"
#include "report/fabric/fabric.h"
#include "report/fabric/layout.h"
#include "report/fabric/rows.h"
#include "report/figure/gnuplot.h"
#include "report/plain.h"

#include <stdio.h>
#include <string.h>

#define WIDE  1800.0 /* at most, for two panels in a row */
#define SCALE 64.0   /* height of the scale of colours */
#define INK   "#222222"
#define FAINT "#777777"
#define GONE  "#c8c8c8"

typedef struct sheet {
    weft_canvas canvas;
    weft_arena arena;
    const weft_judgement *judgement;
    weft_judged_layout *layouts; /* [case] */
    double most;                 /* the greatest load of any link, or 2: a load below 1 is no red */
} sheet;

/* ---- colours ---- */

/* From pale over orange to dark red; an idle link is grey. */
static const char *colour_of(const sheet *s, double load, char text[8])
{
    static const double stops[][3] = {{253, 224, 140}, {253, 141, 60}, {189, 0, 38}, {90, 0, 30}};
    double place = 3 * load / s->most;
    int stop = place >= 3 ? 2 : (int)place;
    double part = place - stop;
    int rgb[3];
    for (int i = 0; i < 3; i++)
        rgb[i] = (int)(stops[stop][i] + part * (stops[stop + 1][i] - stops[stop][i]) + 0.5);
    if (load <= 0)
        return "#d4d8dc";
    (void)snprintf(text, 8, "#%02x%02x%02x", rgb[0] & 255, rgb[1] & 255, rgb[2] & 255);
    return text;
}

static void draw_scale(sheet *s)
{
    const weft_canvas_kind *kind = s->canvas.kind;
    char colour[8], number[32];
    double x = 14, y = 30, width = 4;
    for (int i = 0; i < 60; i++)
        kind->box(&s->canvas, (double[]){x + width * i, y}, (double[]){width, 10},
                  colour_of(s, s->most * (i + 0.5) / 60, colour),
                  colour_of(s, s->most * (i + 0.5) / 60, colour));
    kind->text(&s->canvas, (double[]){x, y - 12}, WEFT_CANVAS_START, 12, INK,
               "load of a link under uniform traffic; 1 is what a host sends. "
               "The half of a cable at a switch: what that switch sends");
    kind->text(&s->canvas, (double[]){x, y + 20}, WEFT_CANVAS_START, 11, INK, "0");
    (void)snprintf(number, sizeof number, "%.4g", s->most);
    kind->text(&s->canvas, (double[]){x + width * 60, y + 20}, WEFT_CANVAS_END, 11, INK, number);
}

/* ---- a panel ---- */

/* thin: of lines that are many. */
static void draw_line(sheet *s, const weft_judged_line *line, const double at[2], double thin)
{
    const weft_canvas_kind *kind = s->canvas.kind;
    double end[2][2], middle[2];
    char colour[8];
    for (int e = 0; e < 2; e++) {
        end[e][0] = at[0] + line->x[e];
        end[e][1] = at[1] + line->y[e];
    }
    for (int i = 0; i < 2; i++)
        middle[i] = (end[0][i] + end[1][i]) / 2;
    if (line->gone) {
        kind->line(&s->canvas, end[0], end[1], GONE, 1, true);
        return;
    }
    kind->begin(&s->canvas,
                weft_arena_format(
                    &s->arena, "%s load %.4g; %s load %.4g%s", line->names[0], line->load[0],
                    line->names[1], line->load[1],
                    line->n_cables > 1
                        ? weft_arena_format(&s->arena, "; the worst of %u cables", line->n_cables)
                        : ""));
    for (int e = 0; e < 2; e++)
        kind->line(&s->canvas, end[e], middle, colour_of(s, line->load[e], colour),
                   thin * (0.7 + 1.3 * line->load[e] / s->most), false);
    kind->end(&s->canvas);
}

static void draw_box(sheet *s, const weft_judged_layout *layout, const weft_judged_box *box,
                     const double at[2])
{
    const weft_canvas_kind *kind = s->canvas.kind;
    double x = at[0] + box->x, y = at[1] + box->y;
    const char *ink = box->gone ? GONE : INK;
    kind->begin(&s->canvas, box->hosts && !layout->circle
                                ? weft_arena_format(&s->arena, "%s: %s", box->name, box->hosts)
                                : box->name);
    kind->box(&s->canvas, (double[]){x - layout->box_width / 2, y - layout->box_height / 2},
              (double[]){layout->box_width, layout->box_height}, "#f4f6f8",
              box->gone ? GONE : FAINT);
    kind->text(&s->canvas, (double[]){x, y}, WEFT_CANVAS_MIDDLE, 11, ink, box->name);
    if (box->hosts && !layout->circle && box->level == 0)
        kind->text(&s->canvas, (double[]){x - layout->box_width / 2 - 6, y}, WEFT_CANVAS_END, 11,
                   box->gone ? GONE : FAINT, box->hosts);
    kind->end(&s->canvas);
}

static void draw_heads(sheet *s, const weft_judged_layout *layout, const char *title,
                       const double at[2])
{
    static const char *const levels[] = {"leaves", "spines", "cores"};
    const weft_canvas_kind *kind = s->canvas.kind;
    kind->text(&s->canvas, (double[]){at[0] + 14, at[1] + 14}, WEFT_CANVAS_START, 15, INK, title);
    for (uint32_t l = 0; l < layout->n_levels && !layout->circle; l++)
        kind->text(&s->canvas, (double[]){at[0] + layout->level_x[l], at[1] + 40},
                   WEFT_CANVAS_MIDDLE, 12, INK,
                   l < 3 ? levels[l] : weft_arena_format(&s->arena, "level %u", l + 1));
    if (!layout->circle)
        kind->text(&s->canvas,
                   (double[]){at[0] + layout->level_x[0] - layout->box_width / 2 - 6, at[1] + 40},
                   WEFT_CANVAS_END, 12, INK, "hosts");
}

static const char *title_of(sheet *s, const weft_judge_case *it)
{
    const char *name = weft_plain_text(&s->arena, it->name, strlen(it->name), 60);
    const char *change = s->judgement->change;
    if (!it->changed)
        return name;
    return weft_arena_format(&s->arena, "%s %s", name,
                             weft_plain_text(&s->arena, change, strlen(change), 60));
}

static void draw_panel(sheet *s, size_t nth, const double at[2])
{
    const weft_judged_layout *layout = &s->layouts[nth];
    draw_heads(s, layout, title_of(s, &s->judgement->cases[nth]), at);
    for (size_t l = 0; l < layout->n_lines; l++)
        draw_line(s, &layout->lines[l], at, layout->n_lines > 200 ? 0.45 : 1);
    for (size_t b = 0; b < layout->n_boxes; b++)
        draw_box(s, layout, &layout->boxes[b], at);
}

/* ---- the sheet ---- */

static void lay_out(sheet *s)
{
    const weft_judgement *judgement = s->judgement;
    s->layouts = WEFT_TAKE(&s->arena, weft_judged_layout, judgement->n_cases);
    s->most = 2;
    for (size_t i = 0; i < judgement->n_cases; i++) {
        const weft_judge_case *it = &judgement->cases[i];
        weft_judged_layout_make(&s->layouts[i], it, &s->arena);
        for (size_t w = 0; w < it->n_worst; w++)
            s->most = it->worst[w].load > s->most ? it->worst[w].load : s->most;
    }
}

/* Where panels stand; size: of the whole. */
static void place_panels(const sheet *s, double (*at)[2], double size[2])
{
    double y = SCALE, wide = 0;
    size_t in_a_row;
    size[0] = 720; /* for the line above the scale */
    for (size_t i = 0; i < s->judgement->n_cases; i++)
        wide = s->layouts[i].width > wide ? s->layouts[i].width : wide;
    in_a_row = 2 * wide <= WIDE ? 2 : 1;
    for (size_t i = 0; i < s->judgement->n_cases; i += in_a_row) {
        double x = 0, high = 0;
        for (size_t j = i; j < i + in_a_row && j < s->judgement->n_cases; j++) {
            at[j][0] = x;
            at[j][1] = y;
            x += s->layouts[j].width + 24;
            high = s->layouts[j].height > high ? s->layouts[j].height : high;
        }
        size[0] = x > size[0] ? x : size[0];
        y += high + 16;
    }
    size[1] = y;
}

static void draw(const weft_judgement *judgement, const weft_canvas_kind *kind, weft_text *out)
{
    sheet s = {.canvas = {.kind = kind, .out = out}, .judgement = judgement};
    double at[WEFT_JUDGED_CASES][2] = {{0}}, size[2] = {0};
    weft_arena_init(&s.arena);
    lay_out(&s);
    place_panels(&s, at, size);
    kind->open(&s.canvas, size[0], size[1]);
    draw_scale(&s);
    for (size_t i = 0; i < judgement->n_cases; i++)
        draw_panel(&s, i, at[i]);
    kind->close(&s.canvas);
    weft_arena_done(&s.arena);
}

void weft_judged_svg(const weft_judgement *judgement, weft_text *svg)
{
    draw(judgement, &weft_canvas_svg, svg);
}

weft_status weft_judged_png(const weft_judgement *judgement, const char *path, weft_error *err)
{
    weft_text script;
    weft_text_init(&script);
    draw(judgement, &weft_canvas_gnuplot, &script);
    weft_status status = weft_gnuplot_run(script.at, script.length, path, err);
    weft_text_done(&script);
    return status;
}
