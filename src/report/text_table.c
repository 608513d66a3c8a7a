/* SPDX-License-Identifier: Apache-2.0 */
/* Widths are counted in characters, two spaces stand between columns, units in their own line. */
#include "report/text_table.h"

#include "base/memory.h"
#include "report/plain.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define GAP        2
#define NAME_LEAST 8 /* characters to which a column's name may be cut */

void weft_text_table_init(weft_text_table *grid, weft_arena *arena)
{
    *grid = (weft_text_table){.arena = arena};
}

void weft_text_table_done(weft_text_table *grid)
{
    free(grid->cells);
    free(grid->marked);
    *grid = (weft_text_table){0};
}

size_t weft_text_table_add_column(weft_text_table *grid, const weft_text_table_column *column)
{
    if (grid->n_columns == WEFT_TEXT_TABLE_COLUMNS)
        return WEFT_TEXT_TABLE_COLUMNS - 1;
    grid->columns[grid->n_columns] = *column;
    return grid->n_columns++;
}

size_t weft_text_table_add_row(weft_text_table *grid)
{
    if (grid->n_rows == grid->row_capacity) {
        grid->row_capacity = grid->row_capacity ? 2 * grid->row_capacity : 32;
        grid->cells = weft_realloc(grid->cells, grid->row_capacity,
                                   WEFT_TEXT_TABLE_COLUMNS * sizeof *grid->cells);
        grid->marked = weft_realloc(grid->marked, grid->row_capacity, sizeof *grid->marked);
    }
    size_t row = grid->n_rows++;
    memset(grid->cells + row * WEFT_TEXT_TABLE_COLUMNS, 0,
           WEFT_TEXT_TABLE_COLUMNS * sizeof *grid->cells);
    grid->marked[row] = false;
    return row;
}

void weft_text_table_set(weft_text_table *grid, size_t row, size_t column, const char *text)
{
    assert(row < grid->n_rows && column < grid->n_columns);
    grid->cells[row * WEFT_TEXT_TABLE_COLUMNS + column] = text;
}

static const char *cell(const weft_text_table *grid, size_t row, size_t column)
{
    const char *text = grid->cells[row * WEFT_TEXT_TABLE_COLUMNS + column];
    return text ? text : "";
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t total_width(const weft_text_table *grid)
{
    size_t width = 0;
    for (size_t c = 0; c < grid->n_columns; c++)
        if (!grid->columns[c].hidden)
            width += grid->columns[c].width + GAP;
    return width > GAP ? width - GAP : 0;
}

static void measure(weft_text_table *grid, size_t c)
{
    weft_text_table_column *column = &grid->columns[c];
    bool any = false;
    column->width = larger(weft_plain_width(column->name), weft_plain_width(column->unit));
    for (size_t row = 0; row < grid->n_rows; row++) {
        any = any || *cell(grid, row, c);
        column->width = larger(column->width, weft_plain_width(cell(grid, row, c)));
    }
    column->hidden = column->hidden || !any;
}

/* A group's name must fit over its columns: the last of them gives way. */
static void widen_groups(weft_text_table *grid)
{
    for (size_t c = 0; c < grid->n_columns;) {
        const char *group = grid->columns[c].group;
        size_t width = 0, last = grid->n_columns;
        for (; c < grid->n_columns && strcmp(grid->columns[c].group, group) == 0; c++)
            if (!grid->columns[c].hidden) {
                width += grid->columns[c].width + (last < grid->n_columns ? GAP : 0);
                last = c;
            }
        if (last < grid->n_columns && width < weft_plain_width(group))
            grid->columns[last].width += weft_plain_width(group) - width;
    }
}

bool weft_text_table_is_empty(const weft_text_table *grid, size_t column)
{
    for (size_t row = 0; row < grid->n_rows; row++)
        if (*cell(grid, row, column))
            return false;
    return true;
}

size_t weft_text_table_measure(weft_text_table *grid, size_t column)
{
    measure(grid, column);
    return grid->columns[column].hidden ? 0 : grid->columns[column].width + GAP;
}

void weft_text_table_order(weft_text_table *grid, const size_t *order)
{
    size_t bytes = WEFT_TEXT_TABLE_COLUMNS * sizeof *grid->cells;
    const char **cells = weft_realloc(NULL, grid->row_capacity, bytes);
    bool *marked = weft_realloc(NULL, grid->row_capacity, sizeof *marked);
    for (size_t row = 0; row < grid->n_rows; row++) {
        memcpy(cells + row * WEFT_TEXT_TABLE_COLUMNS,
               grid->cells + order[row] * WEFT_TEXT_TABLE_COLUMNS, bytes);
        marked[row] = grid->marked[order[row]];
    }
    free(grid->cells);
    free(grid->marked);
    grid->cells = cells;
    grid->marked = marked;
}

/* Hides columns less important than `most` until the rest fits. */
static void hide_until(weft_text_table *grid, size_t width, int most)
{
    while (total_width(grid) > width) {
        size_t least = grid->n_columns;
        for (size_t c = 0; c < grid->n_columns; c++) {
            const weft_text_table_column *column = &grid->columns[c];
            if (!column->hidden && column->importance > 0 && column->importance < most &&
                (least == grid->n_columns || column->importance <= grid->columns[least].importance))
                least = c;
        }
        if (least == grid->n_columns)
            return;
        grid->columns[least].hidden = true;
    }
}

/* Characters in which two texts agree from their start. */
static size_t agreement(const char *a, const char *b)
{
    size_t i = 0, characters = 0;
    for (; a[i] && a[i] == b[i]; i++)
        characters += ((unsigned char)a[i] & 0xc0) != 0x80;
    return characters;
}

/* The width to which a column may be cut: one character beyond what any two of its texts agree in,
 * and the ellipsis. */
static size_t shortest(const weft_text_table *grid, size_t c)
{
    size_t least = larger(grid->columns[c].least, weft_plain_width(grid->columns[c].name));
    for (size_t row = 1; row < grid->n_rows; row++) {
        const char *text = cell(grid, row, c);
        if (strcmp(text, cell(grid, row - 1, c)) == 0)
            continue;
        for (size_t other = 0; other < row; other++)
            if (strcmp(text, cell(grid, other, c)) != 0)
                least = larger(least, agreement(text, cell(grid, other, c)) + 2);
    }
    return least;
}

static void cut_column(weft_text_table *grid, size_t c, size_t width)
{
    for (size_t row = 0; row < grid->n_rows; row++) {
        const char *text = cell(grid, row, c);
        if (weft_plain_width(text) > width)
            weft_text_table_set(grid, row, c,
                                weft_plain_text(grid->arena, text, strlen(text), width));
    }
    measure(grid, c);
}

/* Takes characters from the widest column that may be cut until all fits. */
static void cut_until(weft_text_table *grid, size_t width)
{
    size_t least[WEFT_TEXT_TABLE_COLUMNS] = {0};
    for (size_t c = 0; c < grid->n_columns && total_width(grid) > width; c++)
        if (grid->columns[c].least > 0 && !grid->columns[c].hidden)
            least[c] = shortest(grid, c);
    while (total_width(grid) > width) {
        size_t widest = grid->n_columns;
        for (size_t c = 0; c < grid->n_columns; c++)
            if (least[c] > 0 && grid->columns[c].width > least[c] &&
                (widest == grid->n_columns || grid->columns[c].width > grid->columns[widest].width))
                widest = c;
        if (widest == grid->n_columns)
            return;
        cut_column(grid, widest, grid->columns[widest].width - 1);
    }
}

/* Could two names, of which one or both lack what an ellipsis stands for, be the same? */
static bool may_be_same(const char *a, const char *b)
{
    static const char ellipsis[] = "…";
    const char *cut_a = strstr(a, ellipsis), *cut_b = strstr(b, ellipsis);
    size_t head_a = cut_a ? (size_t)(cut_a - a) : strlen(a);
    size_t head_b = cut_b ? (size_t)(cut_b - b) : strlen(b);
    const char *tail_a = cut_a ? cut_a + sizeof ellipsis - 1 : a;
    const char *tail_b = cut_b ? cut_b + sizeof ellipsis - 1 : b;
    size_t head = head_a < head_b ? head_a : head_b;
    size_t tail = strlen(tail_a) < strlen(tail_b) ? strlen(tail_a) : strlen(tail_b);
    if ((!cut_a && head_a < head_b + strlen(tail_b)) ||
        (!cut_b && head_b < head_a + strlen(tail_a)))
        return false; /* what is whole is shorter than what is left of the other */
    return memcmp(a, b, head) == 0 &&
           memcmp(tail_a + strlen(tail_a) - tail, tail_b + strlen(tail_b) - tail, tail) == 0;
}

/* Would the name leave it open which of two columns this is? */
static bool is_taken(const weft_text_table *grid, size_t c, const char *name)
{
    for (size_t other = 0; other < grid->n_columns; other++)
        if (other != c && !grid->columns[other].hidden &&
            may_be_same(grid->columns[other].name, name))
            return true;
    return false;
}

/* A name that is one character shorter than the column is wide; NULL: there is none, or something
 * else needs the width. */
static const char *shorter_name(weft_text_table *grid, size_t c)
{
    weft_text_table_column *column = &grid->columns[c], whole = *column;
    if (column->hidden || column->width <= NAME_LEAST)
        return NULL;
    column->name = "";
    measure(grid, c);
    bool alone = column->width < whole.width;
    *column = whole;
    const char *name = alone ? weft_plain_name(grid->arena, whole.name, whole.width - 1) : NULL;
    return name && !is_taken(grid, c, name) ? name : NULL;
}

/* Takes characters from the names of the widest columns until all fits. */
static void cut_names(weft_text_table *grid, size_t width)
{
    while (total_width(grid) > width) {
        size_t widest = grid->n_columns;
        const char *name = NULL;
        for (size_t c = 0; c < grid->n_columns; c++) {
            bool wider =
                widest == grid->n_columns || grid->columns[c].width > grid->columns[widest].width;
            const char *tried = wider ? shorter_name(grid, c) : NULL;
            widest = tried ? c : widest;
            name = tried ? tried : name;
        }
        if (!name)
            return;
        grid->columns[widest].name = name;
        measure(grid, widest);
    }
}

void weft_text_table_fit(weft_text_table *grid, size_t width)
{
    for (size_t c = 0; c < grid->n_columns; c++)
        measure(grid, c);
    hide_until(grid, width, WEFT_TEXT_TABLE_KEPT);
    cut_until(grid, width);
    cut_names(grid, width);
    cut_until(grid, width);
    hide_until(grid, width, INT_MAX);
    widen_groups(grid);
}

static void pad(FILE *out, size_t count, const char *with)
{
    for (size_t i = 0; i < count; i++)
        (void)fputs(with, out);
}

static void put(FILE *out, const char *text, size_t width, bool left)
{
    size_t own = weft_plain_width(text), rest = width > own ? width - own : 0;
    pad(out, left ? 0 : rest, " ");
    (void)fputs(text, out);
    pad(out, left ? rest : 0, " ");
}

/* "── offered ──" over the columns of a group. */
static void put_group(FILE *out, const char *group, size_t width)
{
    size_t own = weft_plain_width(group);
    if (width < own + 4) {
        put(out, group, width, true);
        return;
    }
    size_t before = (width - own - 2) / 2;
    pad(out, before, "─");
    (void)fprintf(out, " %s ", group);
    pad(out, width - own - 2 - before, "─");
}

static void print_groups(const weft_text_table *grid, FILE *out)
{
    size_t blank = 0;
    for (size_t c = 0; c < grid->n_columns;) {
        const char *group = grid->columns[c].group;
        size_t width = 0;
        for (; c < grid->n_columns && strcmp(grid->columns[c].group, group) == 0; c++)
            if (!grid->columns[c].hidden)
                width += grid->columns[c].width + GAP;
        if (width > 0 && *group) {
            pad(out, blank, " ");
            put_group(out, group, width - GAP);
            blank = GAP;
        } else {
            blank += width;
        }
    }
    (void)fputc('\n', out);
}

static void print_line(const weft_text_table *grid, FILE *out, size_t row, int header)
{
    size_t blank = 0; /* kept back, so that no line ends with spaces */
    for (size_t c = 0; c < grid->n_columns; c++) {
        const weft_text_table_column *column = &grid->columns[c];
        if (column->hidden)
            continue;
        const char *text = header == 1   ? column->name
                           : header == 2 ? column->unit
                                         : cell(grid, row, c);
        size_t own = weft_plain_width(text), rest = column->width - own, bytes = strlen(text);
        while (bytes > 0 && text[bytes - 1] == ' ')
            bytes--;
        if (bytes == 0) {
            blank += column->width + GAP;
            continue;
        }
        pad(out, blank + (column->left ? 0 : rest), " ");
        (void)fwrite(text, 1, bytes, out);
        blank = strlen(text) - bytes + (column->left ? rest : 0) + GAP;
    }
}

void weft_text_table_print(const weft_text_table *grid, FILE *out, bool colour)
{
    bool groups = false, units = false;
    for (size_t c = 0; c < grid->n_columns; c++) {
        groups = groups || (!grid->columns[c].hidden && *grid->columns[c].group);
        units = units || (!grid->columns[c].hidden && *grid->columns[c].unit);
    }
    (void)fputs(colour ? "\033[1m" : "", out);
    if (groups)
        print_groups(grid, out);
    print_line(grid, out, 0, 1);
    (void)fputs(colour ? "\033[0m\n" : "\n", out);
    if (units) {
        (void)fputs(colour ? "\033[2m" : "", out);
        print_line(grid, out, 0, 2);
        (void)fputs(colour ? "\033[0m\n" : "\n", out);
    }
    for (size_t row = 0; row < grid->n_rows; row++) {
        bool mark = colour && grid->marked[row];
        (void)fputs(mark ? "\033[33m" : "", out);
        print_line(grid, out, row, 0);
        (void)fputs(mark ? "\033[0m\n" : "\n", out);
    }
}

void weft_text_table_print_row(const weft_text_table *grid, size_t row, FILE *out, bool colour)
{
    size_t width = 0;
    const char **names =
        (const char **)weft_arena_take(grid->arena, sizeof *names * WEFT_TEXT_TABLE_COLUMNS);
    for (size_t c = 0; c < grid->n_columns; c++) {
        const weft_text_table_column *column = &grid->columns[c];
        names[c] = weft_arena_format(grid->arena, "%s%s%s", column->group,
                                     *column->group ? " " : "", column->name);
        if (!column->hidden && *cell(grid, row, c))
            width = larger(width, weft_plain_width(names[c]));
    }
    for (size_t c = 0; c < grid->n_columns; c++) {
        const weft_text_table_column *column = &grid->columns[c];
        if (column->hidden || !*cell(grid, row, c))
            continue;
        bool mark = colour && grid->marked[row] && column->left;
        (void)fputs("  ", out);
        put(out, names[c], width, true);
        bool unit = *column->unit && strcmp(column->unit, WEFT_GRID_FRACTION) != 0;
        (void)fprintf(out, "  %s%s%s%s%s\n", mark ? "\033[33m" : "", cell(grid, row, c),
                      unit ? " " : "", unit ? column->unit : "", mark ? "\033[0m" : "");
    }
}
