/* SPDX-License-Identifier: Apache-2.0 */
/* Where the switches and cables of a case stand in its panel, in pixels from its upper left corner.
 * Levels are columns, leaves on the left with the number of their hosts. A level of more switches
 * than fit is folded: those with the same neighbours become one box, and their cables one line. A
 * fabric without levels, such as a torus, stands on a circle. */
#ifndef WEFT_REPORT_FABRIC_LAYOUT_H
#define WEFT_REPORT_FABRIC_LAYOUT_H

#include "base/arena.h"
#include "interweft/judge.h"

typedef struct weft_judged_box {
    double x, y; /* of its centre */
    const char *name;
    const char *hosts; /* "node1 … node18 (18)"; NULL: none */
    uint32_t n_switches, level;
    uint32_t first, last; /* switches in the order of names */
    uint32_t n_gone;      /* of them */
    bool gone;            /* all are */
} weft_judged_box;

typedef struct weft_judged_line {
    uint32_t box[2];
    double x[2], y[2];
    double load[2]; /* of the link that leaves this end, the greatest of several */
    uint32_t n_cables;
    const char *names[2]; /* of the links with these loads, from each end */
    bool gone;
} weft_judged_line;

typedef struct weft_judged_layout {
    double width, height;
    double box_width, box_height;
    bool circle;
    uint32_t n_levels;
    double *level_x; /* [n_levels] */
    size_t n_boxes, n_lines;
    weft_judged_box *boxes;
    weft_judged_line *lines; /* the least loaded first, those that are gone before all */
} weft_judged_layout;

#define WEFT_JUDGED_NAME_SHOWN 24 /* characters of a name */

void weft_judged_layout_make(weft_judged_layout *layout, const weft_judge_case *it,
                             weft_arena *arena);

#endif
