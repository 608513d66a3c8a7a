/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of waits as a picture: roots at the left, what waits for them to their right. */
#include "report/explain/wait_tree.h"

#include "base/digits.h"
#include "base/numeric.h"
#include "base/text.h"
#include "report/explain/sheet.h"

enum { COLUMN = 240, BOX = 186, ROW = 40, TALL = 30, TOP = 74, LEFT = 16 };

#define INK  "#222222"
#define PALE "#fff4ec"
#define LINE "#c0562a"

static void place(const weft_wait_tree *tree, size_t node, double at[2])
{
    at[0] = LEFT + (double)tree->nodes[node].depth * COLUMN;
    at[1] = TOP + (double)node * ROW;
}

static void draw_wait(weft_canvas *canvas, const weft_wait_tree *tree, size_t node, double most)
{
    double from[2], to[2];
    place(tree, tree->nodes[node].parent, from);
    place(tree, node, to);
    double width = 1 + 7 * weft_sqrt(tree->nodes[node].packets / most);
    double bend = from[0] + BOX / 2.0;
    canvas->kind->line(canvas, (double[]){bend, from[1] + TALL},
                       (double[]){bend, to[1] + TALL / 2.0}, LINE, width, false);
    canvas->kind->line(canvas, (double[]){bend, to[1] + TALL / 2.0},
                       (double[]){to[0], to[1] + TALL / 2.0}, LINE, width, false);
}

static void draw_node(weft_canvas *canvas, const weft_wait_tree *tree, size_t number)
{
    const weft_wait_node *node = &tree->nodes[number];
    double at[2];
    char text[200], packets[WEFT_DIGITS_TEXT];
    weft_digits_plain(packets, node->packets, 4);
    place(tree, number, at);
    bool full = node->root && node->root->busy >= 0.85;
    canvas->kind->begin(canvas, node->name);
    canvas->kind->box(canvas, at, (double[]){BOX, TALL}, full ? LINE : PALE, LINE);
    canvas->kind->text(canvas, (double[]){at[0] + BOX / 2.0, at[1] + 9}, WEFT_CANVAS_MIDDLE, 11,
                       full ? "#ffffff" : INK, node->name);
    if (node->root)
        (void)snprintf(text, sizeof text, "busy %.0f %%, root of %s packets",
                       100 * node->root->busy, packets);
    else
        (void)snprintf(text, sizeof text, "%s packets", packets);
    canvas->kind->text(canvas, (double[]){at[0] + BOX / 2.0, at[1] + 22}, WEFT_CANVAS_MIDDLE, 10,
                       full ? "#ffffff" : INK, text);
    canvas->kind->end(canvas);
}

typedef struct sheet {
    const weft_wait_tree *tree;
    const char *title;
    const weft_why *why;
} sheet;

static void draw(void *of, const weft_canvas_kind *kind, weft_text *out)
{
    const sheet *s = of;
    const weft_wait_tree *tree = s->tree;
    weft_canvas canvas = {.kind = kind, .out = out};
    unsigned deep = 0;
    double most = 0;
    char text[300];
    for (size_t i = 0; i < tree->count; i++) {
        deep = tree->nodes[i].depth > deep ? tree->nodes[i].depth : deep;
        if (tree->nodes[i].depth)
            most = tree->nodes[i].packets > most ? tree->nodes[i].packets : most;
    }
    double width = LEFT + (double)deep * COLUMN + BOX + LEFT;
    kind->open(&canvas, width > 640 ? width : 640, TOP + (double)tree->count * ROW + LEFT);
    kind->text(&canvas, (double[]){LEFT, 20}, WEFT_CANVAS_START, 15, INK, s->title);
    (void)snprintf(text, sizeof text,
                   "%s%spackets in the network wait for the output at their left; filled: busy "
                   "85 %% of the time or more",
                   s->why->key, *s->why->key ? ": " : "");
    kind->text(&canvas, (double[]){LEFT, 44}, WEFT_CANVAS_START, 11, INK, text);
    for (size_t i = 0; i < tree->count; i++)
        if (tree->nodes[i].depth)
            draw_wait(&canvas, tree, i, most);
    for (size_t i = 0; i < tree->count; i++)
        draw_node(&canvas, tree, i);
    kind->close(&canvas);
}

weft_status weft_wait_tree_draw(const weft_why *why, const char *title, const char *svg,
                                const char *png, weft_error *err)
{
    weft_wait_tree tree;
    weft_wait_tree_make(why, &tree);
    if (tree.count == 0)
        return weft_fail(err, WEFT_BAD_INPUT, "no packet waits in the network: nothing to draw");
    sheet s = {.tree = &tree, .title = title, .why = why};
    return weft_sheet_save(&(weft_sheet){.draw = draw, .of = &s}, svg, png, err);
}
