/* SPDX-License-Identifier: Apache-2.0 */
/* Comma-separated values with a header line and RFC 4180 quotes. A quoted field may not go over
 * a line's end: tables of numbers have no use for it, and messages can then name a line. */
#include "reproduce/expected_table.h"

#include "config/number.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

typedef struct cursor {
    const weft_source *source;
    const char *at;
    weft_arena *arena;
    weft_error *err;
} cursor;

static bool ends_line(char c)
{
    return c == '\n' || c == '\r' || c == '\0';
}

static weft_status wrong(const cursor *c, const char *what)
{
    return weft_complain(c->err, c->source, (size_t)(c->at - c->source->text), 1, "%s", what);
}

static weft_status quoted_field(cursor *c, const char **field)
{
    const char *from = ++c->at;
    while (!ends_line(*c->at) && (*c->at != '"' || c->at[1] == '"'))
        c->at += *c->at == '"' ? 2 : 1;
    if (*c->at != '"')
        return wrong(c, "this line ends inside quotes");
    char *text = weft_arena_copy(c->arena, from, (size_t)(c->at - from)), *to = text;
    for (const char *in = text; *in; in++) {
        in += in[0] == '"' && in[1] == '"';
        *to++ = *in;
    }
    *to = '\0';
    c->at++;
    *field = text;
    return *c->at == ',' || ends_line(*c->at) ? WEFT_OK
                                              : wrong(c, "a comma must follow closing quotes");
}

static weft_status next_field(cursor *c, const char **field)
{
    if (*c->at == '"')
        return quoted_field(c, field);
    size_t length = strcspn(c->at, ",\r\n");
    *field = weft_arena_copy(c->arena, c->at, length);
    c->at += length;
    return WEFT_OK;
}

static size_t count_fields(const char *line)
{
    size_t count = 1;
    bool quoted = false;
    for (; !ends_line(*line); line++) {
        quoted ^= *line == '"';
        count += *line == ',' && !quoted;
    }
    return count;
}

static size_t count_lines(const char *text)
{
    size_t count = 1;
    for (; *text; text++)
        count += ends_line(*text);
    return count;
}

static void skip_line_end(cursor *c)
{
    c->at += *c->at == '\r';
    c->at += *c->at == '\n';
}

/* Lines at the start that begin with '#'. */
static void skip_remarks(cursor *c)
{
    while (*c->at == '#') {
        c->at += strcspn(c->at, "\r\n");
        skip_line_end(c);
    }
}

static weft_status read_line(cursor *c, size_t columns, const char **fields)
{
    size_t found = count_fields(c->at);
    if (found != columns)
        return weft_complain(c->err, c->source, (size_t)(c->at - c->source->text), 1,
                             "this line has %zu fields, the first one has %zu", found, columns);
    for (size_t i = 0; i < columns; i++) {
        WEFT_TRY(next_field(c, &fields[i]));
        bool last = i + 1 == columns;
        if (last ? !ends_line(*c->at) : *c->at != ',')
            return wrong(c, "quotes stand around a whole field or not at all");
        c->at += !last;
    }
    skip_line_end(c);
    return WEFT_OK;
}

static weft_status check_header(const weft_csv *table, weft_error *err)
{
    for (size_t i = 0; i < table->columns; i++)
        if (table->header[i][0] == '\0' || weft_csv_column(table, table->header[i]) != i)
            return weft_complain(err, table->source, 0, 1,
                                 "the first line must name every column differently, found '%.60s'",
                                 table->header[i]);
    return WEFT_OK;
}

weft_status weft_csv_read(const char *file, weft_arena *arena, const weft_csv **table,
                          weft_error *err)
{
    const char *why;
    const weft_source *source = weft_source_read(file, arena, &why);
    if (!source)
        return weft_fail(err, WEFT_BAD_INPUT, "%s %s", file, why);
    WEFT_TRY(weft_source_check(source, err));
    cursor c = {source, source->text, arena, err};
    skip_remarks(&c);
    weft_csv *read = WEFT_TAKE(arena, weft_csv, 1);
    size_t lines = count_lines(source->text);
    *read = (weft_csv){.source = source, .columns = count_fields(c.at)};
    if (ends_line(*c.at) || lines * read->columns > WEFT_SOURCE_MAX)
        return wrong(&c, "a table of expected values begins with a line that names its columns");
    const char **header = WEFT_TAKE(arena, const char *, read->columns);
    const char **cells = WEFT_TAKE(arena, const char *, lines * read->columns);
    size_t *offsets = WEFT_TAKE(arena, size_t, lines);
    WEFT_TRY(read_line(&c, read->columns, header));
    read->header = header;
    WEFT_TRY(check_header(read, err));
    while (*c.at) {
        assert(read->rows < lines);
        offsets[read->rows] = (size_t)(c.at - source->text);
        WEFT_TRY(read_line(&c, read->columns, cells + read->rows * read->columns));
        read->rows++;
    }
    read->cells = cells;
    read->offsets = offsets;
    *table = read;
    return WEFT_OK;
}

size_t weft_csv_column(const weft_csv *table, const char *name)
{
    size_t i = 0;
    while (i < table->columns && strcmp(table->header[i], name) != 0)
        i++;
    return i;
}

const char *weft_csv_cell(const weft_csv *table, size_t row, size_t column)
{
    assert(row < table->rows && column < table->columns);
    return table->cells[row * table->columns + column];
}

weft_status weft_csv_number(const weft_csv *table, size_t row, size_t column, double *number,
                            weft_error *err)
{
    const char *text = weft_csv_cell(table, row, column);
    size_t taken = weft_number_read(text, 0, number);
    if (taken == 0 || text[taken] != '\0' || *number - *number != 0)
        return weft_complain(err, table->source, table->offsets[row], 1,
                             "column %.60s must be a number, found '%.60s'", table->header[column],
                             text);
    return WEFT_OK;
}

/* All digits before the last one become 0, that one becomes 1. */
double weft_csv_step(const weft_csv *table, size_t row, size_t column)
{
    static const char digits[] = "0123456789";
    char text[64];
    double step = 0;
    (void)snprintf(text, sizeof text, "%s", weft_csv_cell(table, row, column));
    size_t mantissa = strcspn(text, "eE"), last = 0;
    for (size_t i = 0; i < mantissa; i++) {
        if (!strchr(digits, text[i]))
            continue;
        text[i] = '0';
        last = i;
    }
    text[last] = '1';
    size_t taken = weft_number_read(text[0] == '-' ? text + 1 : text, 0, &step);
    assert(taken > 0);
    (void)taken;
    return step;
}
