/* SPDX-License-Identifier: Apache-2.0 */
/* A judgement as rows of text, one cell for every case: what the terminal's table and the page
 * show. Texts live in the arena. */
#ifndef WEFT_REPORT_FABRIC_ROWS_H
#define WEFT_REPORT_FABRIC_ROWS_H

#include "base/arena.h"
#include "interweft/judge.h"

#define WEFT_JUDGED_ROWS  (WEFT_JUDGE_HOPS + 32)
#define WEFT_JUDGED_CASES ((size_t)2 * WEFT_JUDGE_FILES)

typedef struct weft_judged_row {
    const char *label;
    const char *cells[WEFT_JUDGED_CASES];
} weft_judged_row;

typedef struct weft_judged_rows {
    size_t count;
    weft_judged_row at[WEFT_JUDGED_ROWS];
} weft_judged_rows;

void weft_judged_rows_fill(weft_judged_rows *rows, const weft_judgement *judgement,
                           weft_arena *arena);

/* What stands below the table: a name and a text. */
typedef struct weft_judged_note {
    const char *name, *text;
} weft_judged_note;
/* The worst links, the hosts that are cut off, the credit loop and the unlike links of a case;
 * returns their number. */
#define WEFT_JUDGED_NOTES (WEFT_JUDGE_WORST + 8)
size_t weft_judged_notes(const weft_judge_case *it, weft_arena *arena,
                         weft_judged_note notes[WEFT_JUDGED_NOTES]);
/* "minhop", or "minhop, changed". */
const char *weft_judged_case_name(const weft_judge_case *it, weft_arena *arena);

#endif
