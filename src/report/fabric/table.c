/* SPDX-License-Identifier: Apache-2.0 */
#include "report/fabric/fabric.h"
#include "report/fabric/rows.h"
#include "report/plain.h"
#include "report/text_table.h"

#include <string.h>
#include <unistd.h>

#define NAME_SHOWN 24

static void add_columns(weft_text_table *grid, const weft_judgement *judgement)
{
    weft_text_table_add_column(
        grid, &(weft_text_table_column){.group = "", .name = "", .unit = "", .left = true});
    for (size_t i = 0; i < judgement->n_cases; i++) {
        const weft_judge_case *it = &judgement->cases[i];
        const char *name = weft_plain_text(grid->arena, it->name, strlen(it->name), NAME_SHOWN);
        weft_text_table_add_column(grid,
                                   &(weft_text_table_column){.group = judgement->change ? name : "",
                                                             .name = !judgement->change ? name
                                                                     : it->changed      ? "changed"
                                                                                   : "as it is",
                                                             .unit = ""});
    }
}

void weft_judged_table(const weft_judgement *judgement, FILE *out, size_t width)
{
    weft_arena arena;
    weft_text_table grid;
    weft_arena_init(&arena);
    weft_text_table_init(&grid, &arena);
    weft_judged_rows *rows = WEFT_TAKE(&arena, weft_judged_rows, 1);
    weft_judged_rows_fill(rows, judgement, &arena);
    add_columns(&grid, judgement);
    for (size_t r = 0; r < rows->count; r++) {
        size_t row = weft_text_table_add_row(&grid);
        weft_text_table_set(&grid, row, 0, rows->at[r].label);
        for (size_t i = 0; i < judgement->n_cases; i++)
            weft_text_table_set(&grid, row, i + 1, rows->at[r].cells[i]);
    }
    weft_text_table_fit(&grid, width);
    weft_text_table_print(&grid, out, isatty(fileno(out)) == 1);
    weft_text_table_done(&grid);
    weft_arena_done(&arena);
}

void weft_judged_below(const weft_judgement *judgement, weft_text *text)
{
    weft_arena arena;
    weft_judged_note notes[WEFT_JUDGED_NOTES];
    weft_arena_init(&arena);
    for (size_t i = 0; i < judgement->n_cases; i++) {
        const weft_judge_case *it = &judgement->cases[i];
        size_t count = weft_judged_notes(it, &arena, notes);
        weft_text_add(text, "\n# %s\n", weft_judged_case_name(it, &arena));
        for (size_t n = 0; n < count; n++)
            weft_text_add(text, "%-22s %s\n", notes[n].name, notes[n].text);
    }
    weft_arena_done(&arena);
}
