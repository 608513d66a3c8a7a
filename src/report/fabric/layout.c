/* SPDX-License-Identifier: Apache-2.0 */
#include "report/fabric/layout.h"

#include "base/numeric.h"
#include "base/text.h"
#include "report/plain.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MOST 48u /* switches of a level that are drawn one by one */
#define PITCH     18.0
#define HEAD      56.0 /* above the boxes: titles of the panel and of levels */
#define FOOT      16.0
#define GAP       190.0 /* between levels, for the lines; more for many */
#define CROWDED   200u
#define CHARACTER 6.6
#define SIDE      14.0
#define TURN      6.283185307179586

typedef struct maker {
    weft_judged_layout *layout;
    const weft_judge_case *it;
    weft_arena *arena;
    uint32_t *order; /* switches by level and name */
    uint32_t *box;   /* [switch] */
} maker;

/* ---- which switches share a box ---- */

static int by_level(const void *a, const void *b, void *user)
{
    const weft_judge_switch *all = user, *x = &all[*(const uint32_t *)a],
                            *y = &all[*(const uint32_t *)b];
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return weft_text_order(x->name, y->name);
}

/* A sum over the neighbours of a switch below it (of a leaf: above it), alike for switches with the
 * same ones. */
static uint64_t *find_kinship(const maker *m)
{
    const weft_judge_case *it = m->it;
    uint64_t *sum = WEFT_TAKE(m->arena, uint64_t, it->n_switches);
    for (size_t c = 0; c < it->n_cables; c++)
        for (int e = 0; e < 2; e++) {
            uint32_t a = it->cables[c].at[e], b = it->cables[c].at[1 - e];
            uint32_t level = it->switches[a].level, other = it->switches[b].level;
            if (level == 0 ? other > 0 : other < level)
                sum[a] += (b + 1) * UINT64_C(0x9E3779B97F4A7C15) ^ (b + 1) << 20;
        }
    return sum;
}

/* Switches first … last − 1 of the order are a level: gives them boxes, kin one together if there
 * are too many. */
static void box_level(maker *m, const uint64_t *kinship, uint32_t first, uint32_t last)
{
    weft_judged_layout *layout = m->layout;
    bool folds = last - first > ROWS_MOST;
    size_t start = layout->n_boxes;
    for (uint32_t i = first; i < last; i++) {
        uint32_t at = m->order[i];
        size_t b = folds ? start : layout->n_boxes;
        while (b < layout->n_boxes && kinship[m->order[layout->boxes[b].first]] != kinship[at])
            b++;
        weft_judged_box *box = &layout->boxes[b];
        if (b == layout->n_boxes) {
            *box = (weft_judged_box){.level = m->it->switches[at].level, .first = i};
            layout->n_boxes++;
        }
        box->last = i;
        box->n_switches++;
        box->n_gone += m->it->switches[at].gone;
        box->gone = box->n_gone == box->n_switches;
        m->box[at] = (uint32_t)b;
    }
}

static void find_boxes(maker *m)
{
    const weft_judge_case *it = m->it;
    uint32_t count = (uint32_t)it->n_switches, first = 0;
    const uint64_t *kinship = find_kinship(m);
    m->order = WEFT_TAKE(m->arena, uint32_t, count + 1u);
    m->box = WEFT_TAKE(m->arena, uint32_t, count + 1u);
    m->layout->boxes = WEFT_TAKE(m->arena, weft_judged_box, count + 1u);
    for (uint32_t i = 0; i < count; i++)
        m->order[i] = i;
    if (count > 1)
        qsort_r(m->order, count, sizeof *m->order, by_level, it->switches);
    for (uint32_t i = 1; i <= count; i++)
        if (i == count || it->switches[m->order[i]].level != it->switches[m->order[first]].level) {
            box_level(m, kinship, first, i);
            first = i;
        }
    m->layout->n_levels = count > 0 ? it->switches[m->order[count - 1]].level + 1 : 1;
}

/* ---- names ---- */

/* What a name does not share with another: "17" of "node17" beside "node1". */
static const char *own_part(const char *name, const char *other)
{
    size_t at = 0;
    while (name[at] && name[at] == other[at])
        at++;
    while (at > 0 && ((unsigned char)name[at] & 0xc0) == 0x80)
        at--;
    while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9')
        at--;
    return name + at;
}

static const char *range(weft_arena *arena, const char *first, const char *last)
{
    size_t most = WEFT_JUDGED_NAME_SHOWN;
    const char *from = weft_plain_text(arena, first, strlen(first), most);
    const char *to = own_part(last, first);
    if (strcmp(first, last) == 0)
        return from;
    return weft_arena_format(arena, "%s … %s", from,
                             weft_plain_text(arena, to, strlen(to), most / 2));
}

/* The hosts of all switches of a box. */
static const char *name_hosts(const maker *m, uint32_t b)
{
    const char *first = NULL, *last = NULL;
    uint32_t hosts = 0;
    for (size_t s = 0; s < m->it->n_switches; s++) {
        const weft_judge_switch *at = &m->it->switches[s];
        if (m->box[s] != b || at->hosts == 0)
            continue;
        hosts += at->hosts;
        first = !first || weft_text_order(at->first, first) < 0 ? at->first : first;
        last = !last || weft_text_order(at->last, last) > 0 ? at->last : last;
    }
    if (hosts == 0)
        return NULL;
    return weft_arena_format(m->arena, "%s (%u)", range(m->arena, first, last), hosts);
}

static void name_boxes(maker *m)
{
    for (uint32_t b = 0; b < m->layout->n_boxes; b++) {
        weft_judged_box *box = &m->layout->boxes[b];
        const char *name = range(m->arena, m->it->switches[m->order[box->first]].name,
                                 m->it->switches[m->order[box->last]].name);
        if (box->n_switches > 1 && box->n_gone > 0)
            name =
                weft_arena_format(m->arena, "%s (%u, %u gone)", name, box->n_switches, box->n_gone);
        else if (box->n_switches > 1)
            name = weft_arena_format(m->arena, "%s (%u)", name, box->n_switches);
        box->name = name;
        box->hosts = name_hosts(m, b);
    }
}

/* ---- places ---- */

static double widest(const maker *m, bool hosts)
{
    size_t most = 0;
    for (size_t b = 0; b < m->layout->n_boxes; b++) {
        const char *text = hosts ? m->layout->boxes[b].hosts : m->layout->boxes[b].name;
        size_t width = text ? weft_plain_width(text) : 0;
        most = width > most ? width : most;
    }
    return (double)most * CHARACTER;
}

static void place_columns(maker *m)
{
    weft_judged_layout *layout = m->layout;
    uint32_t *rows = WEFT_TAKE(m->arena, uint32_t, layout->n_levels);
    uint32_t *at = WEFT_TAKE(m->arena, uint32_t, layout->n_levels), most = 1;
    double left = SIDE + widest(m, true) + SIDE;
    double gap = m->it->n_cables > CROWDED && layout->n_levels == 2 ? 2 * GAP : GAP;
    for (size_t b = 0; b < layout->n_boxes; b++)
        rows[layout->boxes[b].level]++;
    for (uint32_t l = 0; l < layout->n_levels; l++) {
        most = rows[l] > most ? rows[l] : most;
        layout->level_x[l] = left + layout->box_width / 2 + l * (layout->box_width + gap);
    }
    for (size_t b = 0; b < layout->n_boxes; b++) {
        weft_judged_box *box = &layout->boxes[b];
        box->x = layout->level_x[box->level];
        box->y = HEAD + PITCH * most * (at[box->level]++ + 0.5) / rows[box->level];
    }
    layout->width = layout->level_x[layout->n_levels - 1] + layout->box_width / 2 + SIDE;
    layout->height = HEAD + PITCH * most + FOOT;
}

/* Sine of a part of a turn, well enough for a picture. */
static double sine(double part)
{
    double x, term, sum;
    while (part > 0.5)
        part -= 1;
    x = part * TURN;
    term = sum = x;
    for (int i = 2; i < 26; i += 2) {
        term *= -x * x / (i * (i + 1));
        sum += term;
    }
    return sum;
}

static void place_circle(maker *m)
{
    weft_judged_layout *layout = m->layout;
    double around = (double)layout->n_boxes * (layout->box_height + 6) * 2 / TURN;
    double radius = around > 150 ? around : 150, half = layout->box_width / 2;
    for (size_t b = 0; b < layout->n_boxes; b++) {
        double part = (double)b / (double)layout->n_boxes;
        layout->boxes[b].x = SIDE + half + radius * (1 + sine(part));
        layout->boxes[b].y = HEAD + layout->box_height + radius * (1 - sine(part + 0.25));
    }
    layout->width = 2 * (SIDE + half + radius);
    layout->height = HEAD + 2 * (layout->box_height + radius) + FOOT;
}

/* Are most cables between switches of one level? */
static bool is_flat(const weft_judge_case *it)
{
    size_t within = 0;
    for (size_t c = 0; c < it->n_cables; c++)
        within +=
            it->switches[it->cables[c].at[0]].level == it->switches[it->cables[c].at[1]].level;
    return 2 * within > it->n_cables || it->n_cables == 0;
}

/* ---- lines ---- */

static const char *link_name(const maker *m, const weft_judge_cable *cable, int end)
{
    return weft_arena_format(m->arena, "%s:p%u->%s", m->it->switches[cable->at[end]].name,
                             cable->port[end], m->it->switches[cable->at[1 - end]].name);
}

static int by_boxes(const void *a, const void *b)
{
    const weft_judged_line *x = a, *y = b;
    for (int e = 0; e < 2; e++)
        if (x->box[e] != y->box[e])
            return x->box[e] < y->box[e] ? -1 : 1;
    return 0;
}

static double load_of(const weft_judged_line *line)
{
    double most = line->load[0] > line->load[1] ? line->load[0] : line->load[1];
    return line->gone ? -1 : most;
}

static int by_load(const void *a, const void *b)
{
    double x = load_of(a), y = load_of(b);
    return x < y ? -1 : x > y ? 1 : by_boxes(a, b);
}

/* The worst of two lines between the same boxes, each way. */
static void join(weft_judged_line *to, const weft_judged_line *from)
{
    for (int e = 0; e < 2; e++)
        if (from->load[e] > to->load[e]) {
            to->load[e] = from->load[e];
            to->names[e] = from->names[e];
        }
    to->n_cables += from->n_cables;
    to->gone = to->gone && from->gone;
}

/* Cables between boxes that stand for several switches are one line. */
static void fold_lines(maker *m)
{
    weft_judged_layout *layout = m->layout;
    size_t kept = 0;
    if (layout->n_lines > 1)
        qsort(layout->lines, layout->n_lines, sizeof *layout->lines, by_boxes);
    for (size_t l = 0; l < layout->n_lines; l++) {
        const weft_judged_line *line = &layout->lines[l];
        bool folded = layout->boxes[line->box[0]].n_switches > 1 ||
                      layout->boxes[line->box[1]].n_switches > 1;
        if (folded && kept > 0 && by_boxes(&layout->lines[kept - 1], line) == 0)
            join(&layout->lines[kept - 1], line);
        else
            layout->lines[kept++] = *line;
    }
    layout->n_lines = kept;
}

static void find_lines(maker *m)
{
    const weft_judge_case *it = m->it;
    weft_judged_layout *layout = m->layout;
    layout->lines = WEFT_TAKE(m->arena, weft_judged_line, it->n_cables + 1);
    for (size_t c = 0; c < it->n_cables; c++) {
        const weft_judge_cable *cable = &it->cables[c];
        int low = m->box[cable->at[0]] <= m->box[cable->at[1]] ? 0 : 1;
        weft_judged_line *line = &layout->lines[layout->n_lines++];
        *line = (weft_judged_line){.n_cables = 1, .gone = cable->gone};
        for (int e = 0; e < 2; e++) {
            int end = e ? 1 - low : low;
            line->box[e] = m->box[cable->at[end]];
            line->load[e] = cable->load[end];
            line->names[e] = link_name(m, cable, end);
        }
    }
    fold_lines(m);
}

/* Ends of lines are spread over the side of their box. */
static void place_lines(maker *m)
{
    weft_judged_layout *layout = m->layout;
    uint32_t *count = WEFT_TAKE(m->arena, uint32_t, 4 * layout->n_boxes + 1);
    for (int pass = 0; pass < 2; pass++)
        for (size_t l = 0; l < layout->n_lines; l++) {
            weft_judged_line *line = &layout->lines[l];
            for (int e = 0; e < 2; e++) {
                const weft_judged_box *box = &layout->boxes[line->box[e]];
                bool right = layout->boxes[line->box[1 - e]].x > box->x;
                uint32_t *of = &count[4 * line->box[e] + (right ? 2 : 0)];
                if (pass == 0) {
                    of[0]++;
                    continue;
                }
                double part = layout->circle ? 0 : (of[1]++ + 0.5) / of[0] - 0.5;
                double side = layout->circle ? 0 : right ? 0.5 : -0.5;
                line->x[e] = box->x + side * layout->box_width;
                line->y[e] = box->y + part * 0.8 * layout->box_height;
            }
        }
    if (layout->n_lines > 1)
        qsort(layout->lines, layout->n_lines, sizeof *layout->lines, by_load);
}

void weft_judged_layout_make(weft_judged_layout *layout, const weft_judge_case *it,
                             weft_arena *arena)
{
    maker m = {.layout = layout, .it = it, .arena = arena};
    *layout = (weft_judged_layout){.box_height = PITCH - 4, .circle = is_flat(it)};
    find_boxes(&m);
    name_boxes(&m);
    layout->level_x = WEFT_TAKE(arena, double, layout->n_levels);
    layout->box_width = widest(&m, false) + 12;
    if (layout->circle)
        place_circle(&m);
    else
        place_columns(&m);
    find_lines(&m);
    place_lines(&m);
}
