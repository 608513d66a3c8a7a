/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks over time: a row for each, or for a group of them where they are many. Rows are grey while
 * their ranks are at work, coloured where CPUs compute or handle messages; the critical path runs
 * over them in red, with a slanted line for every message. */
#include "report/explain/explain.h"

#include "report/explain/sheet.h"
#include "report/plain.h"

#include <math.h>
#include <string.h>

enum {
    WIDE = 960,
    LEFT = 92,
    RIGHT = 18,
    TOP = 62,
    BELOW = 44,
    ROWS_HIGH = 560,
    ROW_MOST = 18,
    HEAD = 20,
    BOXES_MOST = 4000,
    ROWS_MOST = 96, /* of bins: gnuplot takes long over many boxes */
    SHADES = 10,
    MESSAGES_MOST = 400
};

#define COMPUTE  "#0072B2"
#define OVERHEAD "#E69F00"
#define WAITING  "#E4E4E4"
#define MESSAGE  "#B0B0B0"
#define PATH     "#C00000"
#define INK      "#333333"

typedef struct sheet {
    weft_canvas canvas;
    weft_arena arena;
    const weft_explain_job *jobs;
    size_t n_jobs;
    const char *title;
    double end;    /* of the time shown, from 0, in the unit of all jobs */
    double row;    /* height of a row */
    uint32_t each; /* ranks of a row */
    bool boxes;    /* for every operation; else bins */
} sheet;

static const char *shade(weft_arena *arena, const int from[3], const int to[3], double share)
{
    int at[3];
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (int i = 0; i < 3; i++)
        at[i] = (int)(from[i] + (to[i] - from[i]) * share + 0.5);
    return weft_arena_format(arena, "#%02X%02X%02X", (unsigned)at[0], (unsigned)at[1],
                             (unsigned)at[2]);
}

static double x_of(const sheet *s, double time)
{
    return LEFT + time / s->end * (WIDE - LEFT - RIGHT);
}

static uint32_t rows_of(const sheet *s, const weft_explain_job *job)
{
    return (job->ranks + s->each - 1) / s->each;
}

static void box(sheet *s, double from, double until, double y, double high, const char *colour)
{
    const double corner[2] = {x_of(s, from), y}, size[2] = {x_of(s, until) - x_of(s, from), high};
    s->canvas.kind->box(&s->canvas, corner, size, colour, colour);
}

static void line(sheet *s, double x0, double y0, double x1, double y1, const char *colour,
                 double width)
{
    const double from[2] = {x0, y0}, to[2] = {x1, y1};
    s->canvas.kind->line(&s->canvas, from, to, colour, width, false);
}

static void text(sheet *s, double x, double y, weft_canvas_anchor anchor, double size,
                 const char *words)
{
    const double at[2] = {x, y};
    s->canvas.kind->text(&s->canvas, at, anchor, size, INK, words);
}

/* ---- the axis ---- */

/* 1, 2 or 5 times a power of ten, for about so many tics. */
static double tic_step(double span, double tics)
{
    double step = 1, rest;
    while (step * 10 * tics < span)
        step *= 10;
    while (step * tics > span)
        step /= 10;
    rest = span / (step * tics);
    return step * (rest > 5 ? 10 : rest > 2 ? 5 : rest > 1 ? 2 : 1);
}

static void draw_axis(sheet *s, double bottom)
{
    double step = tic_step(s->end, 7);
    for (int i = 0; i < 100 && i * step <= s->end * 1.0001; i++) {
        double x = x_of(s, i * step);
        line(s, x, TOP, x, bottom + 4, "#D0D0D0", 0.6);
        text(s, x, bottom + 18, WEFT_CANVAS_MIDDLE, 12,
             weft_arena_format(&s->arena, "%.6g", i * step));
    }
    text(s, WIDE / 2.0, bottom + 36, WEFT_CANVAS_MIDDLE, 12,
         weft_arena_format(&s->arena, "time, %s", s->jobs[0].unit));
}

static void draw_legend(sheet *s)
{
    static const struct {
        const char *colour, *name;
    } items[] = {{COMPUTE, "compute"},
                 {OVERHEAD, "CPU for messages"},
                 {WAITING, "waiting"},
                 {PATH, "critical path"}};
    double x = LEFT;
    text(s, LEFT, 22, WEFT_CANVAS_START, 15, s->title);
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        const double corner[2] = {x, 36}, size[2] = {14, 10};
        s->canvas.kind->box(&s->canvas, corner, size, items[i].colour, items[i].colour);
        text(s, x + 20, 45, WEFT_CANVAS_START, 12, items[i].name);
        x += 40 + 7.2 * (double)strlen(items[i].name);
    }
}

/* ---- a job ---- */

/* When the last rank ends; 0: not known. */
static double end_of(const weft_explain_job *job)
{
    int64_t last = 0;
    for (uint32_t r = 0; job->ends && r < job->ranks; r++)
        last = job->ends[r] > last ? job->ends[r] : last;
    return (double)last * job->tick;
}

static double start_of(const weft_explain_job *job)
{
    double began =
        job->n_steps ? (double)job->steps[0].from * job->tick : end_of(job) - job->completion;
    return began > 0 ? began : 0;
}

static void draw_waiting(sheet *s, const weft_explain_job *job, double top)
{
    double began = start_of(job);
    for (uint32_t row = 0; row < rows_of(s, job); row++) {
        double last = 0;
        for (uint32_t r = row * s->each; r < (row + 1) * s->each && r < job->ranks; r++)
            if (job->ends && (double)job->ends[r] * job->tick > last)
                last = (double)job->ends[r] * job->tick;
        if (last > began)
            box(s, began, last, top + row * s->row, s->row * (s->row > 4 ? 0.8 : 1), WAITING);
    }
}

/* Every operation has its box. */
static void draw_operations(sheet *s, const weft_explain_job *job, double top)
{
    size_t messages = 0;
    for (size_t i = 0; i < job->n_operations; i++) {
        const weft_explain_operation *op = &job->operations[i];
        if (op->until > op->run)
            box(s, (double)op->run * job->tick, (double)op->until * job->tick,
                top + (double)op->rank * s->row, s->row * 0.8, op->kind ? OVERHEAD : COMPUTE);
        messages += op->kind == 2;
    }
    for (size_t i = 0; messages <= MESSAGES_MOST && i < job->n_operations; i++) {
        const weft_explain_operation *op = &job->operations[i];
        if (op->kind == 2 && op->peer >= 0)
            line(s, x_of(s, (double)op->sent * job->tick), top + ((double)op->peer + 0.4) * s->row,
                 x_of(s, (double)op->arrived * job->tick), top + ((double)op->rank + 0.4) * s->row,
                 MESSAGE, 0.7);
    }
}

/* How busy the CPUs of a row are in a bin, as shades: 0 none, then of messages, then of
 * calculations. */
static int shade_of(const sheet *s, const weft_explain_job *job, uint32_t row, size_t bin)
{
    double busy[2] = {0, 0}, ranks = 0;
    for (uint32_t r = row * s->each; r < (row + 1) * s->each && r < job->ranks; r++, ranks++) {
        busy[0] += (double)job->states[(size_t)r * 2 * job->n_bins + bin];
        busy[1] += (double)job->states[((size_t)r * 2 + 1) * job->n_bins + bin];
    }
    double whole = ranks * job->bin / job->tick, all = busy[0] + busy[1];
    if (!(all > 0) || !(whole > 0))
        return 0;
    int level = (int)(all / whole * SHADES) + 1;
    level = level < SHADES ? level : SHADES;
    return busy[0] >= busy[1] ? SHADES + level : level;
}

/* Bins, as dark as their CPUs are busy; neighbours of one shade are one box. */
static void draw_states(sheet *s, const weft_explain_job *job, double top)
{
    static const int grey[3] = {0xE4, 0xE4, 0xE4}, blue[3] = {0x00, 0x72, 0xB2},
                     orange[3] = {0xE6, 0x9F, 0x00};
    for (uint32_t row = 0; row < rows_of(s, job); row++)
        for (size_t b = 0, next; b < job->n_bins; b = next) {
            int level = shade_of(s, job, row, b);
            for (next = b + 1; next < job->n_bins && shade_of(s, job, row, next) == level;)
                next++;
            if (level == 0)
                continue;
            double until = (double)next * job->bin;
            box(s, (double)b * job->bin, until < s->end ? until : s->end, top + row * s->row,
                s->row * (s->row > 4 ? 0.8 : 1),
                shade(&s->arena, grey, level > SHADES ? blue : orange,
                      (double)((level - 1) % SHADES + 1) / SHADES));
        }
}

static void draw_path(sheet *s, const weft_explain_job *job, double top)
{
    for (size_t i = 0; i < job->n_steps; i++) {
        const weft_explain_step *step = &job->steps[i];
        int64_t row = step->rank / s->each, other = step->to / s->each;
        double from = top + ((double)row + 0.4) * s->row,
               to =
                   step->part == WEFT_EXPLAIN_NETWORK ? top + ((double)other + 0.4) * s->row : from;
        line(s, x_of(s, (double)step->from * job->tick), from,
             x_of(s, (double)step->until * job->tick), to, PATH, s->row > 6 ? 2 : 1.2);
    }
}

static void draw_names(sheet *s, const weft_explain_job *job, double top)
{
    double step = tic_step(job->ranks, rows_of(s, job) * s->row / 24);
    const char *name = weft_plain_text(&s->arena, job->name, strlen(job->name), 60);
    text(s, LEFT, top - 9, WEFT_CANVAS_START, 12,
         weft_arena_format(&s->arena, "%s: %u ranks, %.6g %s", name, job->ranks, job->completion,
                           job->unit));
    step = step < 1 ? 1 : step;
    for (double r = 0; r < job->ranks; r += step)
        text(s, LEFT - 8, top + (r / s->each + 0.4) * s->row + 4, WEFT_CANVAS_END, 11,
             weft_arena_format(&s->arena, r > 0 ? "%.0f" : "rank %.0f", r));
}

static void draw_job(sheet *s, const weft_explain_job *job, double top)
{
    draw_names(s, job, top);
    draw_waiting(s, job, top);
    if (s->boxes)
        draw_operations(s, job, top);
    else if (job->states)
        draw_states(s, job, top);
    draw_path(s, job, top);
}

/* ---- all of them ---- */

static double lay_out(sheet *s)
{
    double ranks = 0, rows = 0, boxes = 0;
    s->end = 0;
    for (size_t j = 0; j < s->n_jobs; j++) {
        const weft_explain_job *job = &s->jobs[j];
        ranks += job->ranks;
        s->end = end_of(job) > s->end ? end_of(job) : s->end;
    }
    s->end = s->end > 0 ? s->end : 1;
    for (size_t j = 0; j < s->n_jobs; j++)
        boxes += (double)s->jobs[j].n_operations;
    s->boxes = boxes > 0 && boxes <= BOXES_MOST && ranks <= ROWS_HIGH;
    s->each = s->boxes || ranks <= ROWS_MOST ? 1 : (uint32_t)((ranks + ROWS_MOST - 1) / ROWS_MOST);
    for (size_t j = 0; j < s->n_jobs; j++)
        rows += rows_of(s, &s->jobs[j]);
    s->row = ROWS_HIGH / rows < ROW_MOST ? ROWS_HIGH / rows : ROW_MOST;
    return rows * s->row + (double)s->n_jobs * HEAD;
}

static void draw(void *of, const weft_canvas_kind *kind, weft_text *out)
{
    sheet *s = of;
    s->canvas = (weft_canvas){.kind = kind, .out = out, .boxes_behind = true};
    double high = lay_out(s), top = TOP;
    kind->open(&s->canvas, WIDE, TOP + high + BELOW);
    draw_legend(s);
    draw_axis(s, TOP + high);
    for (size_t j = 0; j < s->n_jobs; j++) {
        draw_job(s, &s->jobs[j], top + HEAD);
        top += HEAD + rows_of(s, &s->jobs[j]) * s->row;
    }
    kind->close(&s->canvas);
}

weft_status weft_explain_draw(weft_result *result, const char *svg, const char *png,
                              weft_error *err)
{
    const weft_point *point;
    sheet s = {.each = 1};
    weft_status status = WEFT_OK;
    if (weft_result_points(result) == 0)
        return weft_fail(err, WEFT_BAD_INPUT, "%s has no points", weft_result_path(result));
    WEFT_TRY(weft_result_read(result, 0, &point, err));
    weft_arena_init(&s.arena);
    s.jobs = weft_explain_jobs(point, &s.arena, &s.n_jobs);
    const char *title = weft_result_title(result);
    s.title = weft_plain_text(&s.arena, title, strlen(title), 90);
    bool recorded = false;
    for (size_t j = 0; j < s.n_jobs; j++)
        recorded = recorded || s.jobs[j].states || s.jobs[j].operations;
    if (!recorded)
        status = weft_fail(err, WEFT_BAD_INPUT,
                           "%s has no timeline of ranks: record it with measure.timeline=states "
                           "or operations, in a run whose jobs end",
                           weft_result_path(result));
    else
        status = weft_sheet_save(&(weft_sheet){.draw = draw, .of = &s}, svg, png, err);
    weft_arena_done(&s.arena);
    return status;
}
