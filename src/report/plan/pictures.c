/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures of a plan. Families have the colours of Okabe and Ito, which all people can tell. */
#include "report/plan/plan.h"

#include "report/fabric/canvas.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH  560.0
#define HEIGHT 380.0
#define LEFT   64.0
#define RIGHT  24.0
#define TOP    24.0
#define BOTTOM 52.0
#define INK    "#333333"
#define PALE   "#dddddd"

static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000"};
enum { N_COLOURS = sizeof colours / sizeof *colours };

typedef struct axis {
    double low, high, step;
    const char *label;
} axis;

typedef struct chart {
    weft_canvas canvas;
    axis x, y;
} chart;

/* The number of a fabric's family among those of the plan, in the order they appear. */
static size_t family_of(const weft_planning *plan, const char *family, size_t *last)
{
    const char *seen[N_COLOURS];
    size_t n_seen = 0, found = 0;
    for (size_t i = 0; i < weft_planning_count(plan); i++) {
        const weft_planned *p = weft_planning_fabric(plan, i);
        size_t k = 0;
        while (k < n_seen && strcmp(seen[k], p->family) != 0)
            k++;
        if (p->refused || (k == n_seen && n_seen == N_COLOURS))
            continue;
        if (k == n_seen)
            seen[n_seen++] = p->family;
        if (strcmp(seen[k], family) == 0)
            found = k;
    }
    *last = n_seen;
    return found;
}

/* A step of 1, 2 or 5 times a power of ten that divides a span into 4 to 10 parts; without a span,
 * as where all costs are 0, that of 1. */
static double step_of(double span)
{
    static const double steps[] = {1, 2, 5};
    double scale = 1;
    span = span > 0 ? span : 1;
    while (span / scale > 10 * 5)
        scale *= 10;
    while (span / scale < 4)
        scale /= 10;
    for (size_t i = 0; i < 3; i++)
        if (span / (steps[i] * scale) <= 8)
            return steps[i] * scale;
    return 10 * scale;
}

static double place_x(const chart *c, double value)
{
    return LEFT + (value - c->x.low) / (c->x.high - c->x.low) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const chart *c, double value)
{
    return HEIGHT - BOTTOM - (value - c->y.low) / (c->y.high - c->y.low) * (HEIGHT - TOP - BOTTOM);
}

static void line(chart *c, double x0, double y0, double x1, double y1, const char *colour,
                 double width, bool dashed)
{
    c->canvas.kind->line(&c->canvas, (double[]){x0, y0}, (double[]){x1, y1}, colour, width, dashed);
}

static void text(chart *c, double x, double y, weft_canvas_anchor anchor, double size,
                 const char *colour, const char *words)
{
    c->canvas.kind->text(&c->canvas, (double[]){x, y}, anchor, size, colour, words);
}

static void open_chart(chart *c, weft_text *svg)
{
    char number[32];
    c->canvas = (weft_canvas){.kind = &weft_canvas_svg, .out = svg};
    c->canvas.kind->open(&c->canvas, WIDTH, HEIGHT);
    for (double v = c->x.low; v <= c->x.high * (1 + 1e-9); v += c->x.step) {
        (void)snprintf(number, sizeof number, "%g", v < 1e-12 ? 0 : v);
        line(c, place_x(c, v), TOP, place_x(c, v), HEIGHT - BOTTOM, PALE, 1, false);
        text(c, place_x(c, v), HEIGHT - BOTTOM + 14, WEFT_CANVAS_MIDDLE, 11, INK, number);
    }
    for (double v = c->y.low; v <= c->y.high * (1 + 1e-9); v += c->y.step) {
        (void)snprintf(number, sizeof number, "%g", v < 1e-12 ? 0 : v);
        line(c, LEFT, place_y(c, v), WIDTH - RIGHT, place_y(c, v), PALE, 1, false);
        text(c, LEFT - 8, place_y(c, v), WEFT_CANVAS_END, 11, INK, number);
    }
    text(c, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, WEFT_CANVAS_MIDDLE, 12, INK, c->x.label);
    text(c, 8, 10, WEFT_CANVAS_START, 12, INK, c->y.label);
}

static void mark(chart *c, double x, double y, double size, const char *colour, bool full)
{
    c->canvas.kind->box(&c->canvas, (double[]){x - size / 2, y - size / 2}, (double[]){size, size},
                        full ? colour : "#ffffff", colour);
}

/* Colours and names of families, on the right below the top. */
static void add_legend(chart *c, const weft_planning *plan, double x, double y)
{
    size_t shown = 0, n_families;
    for (size_t i = 0; i < weft_planning_count(plan); i++) {
        const weft_planned *p = weft_planning_fabric(plan, i);
        size_t family = family_of(plan, p->family, &n_families);
        if (p->refused || family != shown)
            continue;
        mark(c, x, y + 16 * (double)shown, 9, colours[family], true);
        text(c, x + 10, y + 16 * (double)shown, WEFT_CANVAS_START, 11, INK, p->family);
        shown++;
    }
}

void weft_shortlist_front(const weft_planning *plan, weft_traffic_bound bound, weft_text *svg)
{
    static const char *const labels[WEFT_TRAFFIC_BOUNDS] = {
        "bound, uniform traffic", "bound, worst permutation", "bound, every group to the next"};
    double dearest = 0, last_x = 0, last_y = 0;
    size_t n_families, on = 0;
    for (size_t i = 0; i < weft_planning_count(plan); i++) {
        const weft_planned *p = weft_planning_fabric(plan, i);
        if (!p->refused && p->cost > dearest)
            dearest = p->cost;
    }
    double step = step_of(dearest);
    chart c = {
        .x = {0, (double)(long)(dearest / step + 1) * step, step, "cost, in the unit of prices"},
        .y = {0, 1, 0.2, labels[bound]}};
    open_chart(&c, svg);
    /* The front as steps: nothing is above and left of it. Fabrics are sorted by cost. */
    for (size_t i = 0; i < weft_planning_count(plan); i++) {
        const weft_planned *p = weft_planning_fabric(plan, i);
        if (!p->front[bound])
            continue;
        double x = place_x(&c, p->cost), y = place_y(&c, p->bound[bound]);
        if (on++ > 0) {
            line(&c, last_x, last_y, x, last_y, "#888888", 1.5, true);
            line(&c, x, last_y, x, y, "#888888", 1.5, true);
        }
        last_x = x;
        last_y = y;
    }
    for (size_t i = 0; i < weft_planning_count(plan); i++) {
        const weft_planned *p = weft_planning_fabric(plan, i);
        if (p->refused)
            continue;
        char title[160];
        double x = place_x(&c, p->cost), y = place_y(&c, p->bound[bound]);
        (void)snprintf(title, sizeof title, "%s: cost %.0f, bound %.3f", p->name, p->cost,
                       p->bound[bound]);
        c.canvas.kind->begin(&c.canvas, title);
        mark(&c, x, y, p->chosen ? 11 : 8, colours[family_of(plan, p->family, &n_families)],
             p->front[bound]);
        c.canvas.kind->end(&c.canvas);
    }
    add_legend(&c, plan, WIDTH - RIGHT - 100, HEIGHT - BOTTOM - 90);
    c.canvas.kind->close(&c.canvas);
}

/* ---- racks ---- */

#define FLOOR_WIDTH  560.0
#define FLOOR_MARGIN 12.0

void weft_shortlist_floor(const weft_planned *p, weft_text *svg)
{
    double wide = 0.6, deep = 1.2, far_x = 0, far_y = 0;
    for (uint32_t i = 0; i < p->racks; i++) {
        far_x = p->at[i].x > far_x ? p->at[i].x : far_x;
        far_y = p->at[i].y > far_y ? p->at[i].y : far_y;
    }
    for (uint32_t i = 1; i < p->racks; i++) /* racks are as wide as they stand apart */
        if (p->at[i].x > 0 && (i == 1 || p->at[i].x < wide))
            wide = p->at[i].x;
    double scale = (FLOOR_WIDTH - 2 * FLOOR_MARGIN) / (far_x + wide);
    scale = scale > 40 ? 40 : scale;
    weft_canvas canvas = {.kind = &weft_canvas_svg, .out = svg};
    canvas.kind->open(&canvas, FLOOR_WIDTH, (far_y + deep) * scale + 2 * FLOOR_MARGIN + 18);
    for (uint32_t i = 0; i < p->racks; i++) {
        const weft_planned_rack *rack = &p->at[i];
        char title[96];
        (void)snprintf(title, sizeof title, "rack %u: %u %s", i, rack->devices,
                       rack->network ? "switches" : "endpoints");
        canvas.kind->begin(&canvas, title);
        canvas.kind->box(&canvas,
                         (double[]){FLOOR_MARGIN + rack->x * scale, FLOOR_MARGIN + rack->y * scale},
                         (double[]){wide * scale * 0.92, deep * scale},
                         rack->network ? "#e69f00" : "#bcd9ee", "#666666");
        canvas.kind->end(&canvas);
    }
    char size[160];
    (void)snprintf(size, sizeof size, "%.0f m × %.0f m, %u racks%s", far_x + wide, far_y + deep,
                   p->racks, p->network_racks ? ", orange: switches alone" : "");
    canvas.kind->text(&canvas,
                      (double[]){FLOOR_MARGIN, (far_y + deep) * scale + 2 * FLOOR_MARGIN + 4},
                      WEFT_CANVAS_START, 12, INK, size);
    canvas.kind->close(&canvas);
}

/* ---- curves ---- */

#define CURVE_TOP 4.0 /* times the least latency: beyond it a curve is cut */

static double least_latency(const weft_planning *plan)
{
    double least = 0;
    for (size_t i = 0; i < weft_planning_count(plan); i++) {
        const weft_simulated *s = weft_planning_fabric(plan, i)->simulated;
        for (size_t k = 0; s && k < s->n_loads; k++)
            if (!(least > 0) || s->loads[k].latency.value < least) /* it may be NaN */
                least = s->loads[k].latency.value;
    }
    return least;
}

/* One curve over accepted load, with its intervals. */
static void add_curve(chart *c, const weft_simulated *s, const char *colour)
{
    double last_x = 0, last_y = 0;
    for (size_t k = 0; k < s->n_loads; k++) {
        const weft_simulated_load *at = &s->loads[k];
        double latency = at->latency.value;
        bool high = !(latency < c->y.high);
        double x = place_x(c, at->accepted.value), y = place_y(c, high ? c->y.high : latency);
        if (k > 0)
            line(c, last_x, last_y, x, y, colour, 2, at->saturated);
        if (high)
            return;
        if (at->latency.hi == at->latency.hi)
            line(c, x, place_y(c, at->latency.lo), x,
                 place_y(c, at->latency.hi < c->y.high ? at->latency.hi : c->y.high), colour, 1.5,
                 false);
        mark(c, x, y, 7, colour, !at->saturated);
        last_x = x;
        last_y = y;
    }
}

void weft_shortlist_curves(const weft_planning *plan, weft_text *svg)
{
    double least = least_latency(plan);
    if (!(least > 0))
        return;
    double step = step_of(CURVE_TOP * least);
    size_t n_families, shown = 0;
    chart c = {
        .x = {0, 1, 0.2, "accepted load, uniform traffic"},
        .y = {0, (double)(long)(CURVE_TOP * least / step + 1) * step, step, "mean latency, ns"}};
    open_chart(&c, svg);
    for (size_t i = 0; i < weft_planning_count(plan); i++) {
        const weft_planned *p = weft_planning_fabric(plan, i);
        if (!p->simulated)
            continue;
        const char *colour = colours[family_of(plan, p->family, &n_families)];
        c.canvas.kind->begin(&c.canvas, p->name);
        add_curve(&c, p->simulated, colour);
        c.canvas.kind->end(&c.canvas);
        mark(&c, LEFT + 14, TOP + 12 + 16 * (double)shown, 9, colour, true);
        text(&c, LEFT + 24, TOP + 12 + 16 * (double)shown, WEFT_CANVAS_START, 11, INK, p->name);
        shown++;
    }
    c.canvas.kind->close(&c.canvas);
}
