/* SPDX-License-Identifier: Apache-2.0 */
/* A matrix as people write it: a list of rows, the name of a pattern, or a CSV file. */
#include "crossbar/laboratory.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

#define CELL_MAX       1000000
#define FILE_MAX_BYTES ((size_t)1 << 23)

static weft_status read_cell(const char *text, uint32_t *cell)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *text == '-' || value > CELL_MAX)
        return WEFT_BAD_INPUT;
    while (*end == ' ' || *end == '\r' || *end == '\t')
        end++;
    *cell = (uint32_t)value;
    return *end ? WEFT_BAD_INPUT : WEFT_OK;
}

weft_status weft_xbar_matrix_rows(const weft_node *node, const char *path, uint32_t *n,
                                  weft_arena *arena, uint32_t **cell, weft_error *err)
{
    if (node->type != WEFT_NODE_LIST || node->n_values < 1 || node->n_values > WEFT_SIDE_MAX)
        return weft_node_complain(
            err, node, "%s must be a list of 1 … %d rows, such as [[1, 2], [2, 1]], found %s", path,
            WEFT_SIDE_MAX, weft_node_found(node, arena));
    *n = node->n_values;
    *cell = WEFT_TAKE(arena, uint32_t, (size_t)*n * *n);
    for (uint32_t i = 0; i < *n; i++) {
        const weft_node *row = node->values[i];
        if (row->type != WEFT_NODE_LIST || row->n_values != *n)
            return weft_node_complain(err, row, "%s: row %u must be a list of %u numbers", path, i,
                                      *n);
        for (uint32_t j = 0; j < *n; j++) {
            const weft_node *one = row->values[j];
            if (one->type != WEFT_NODE_SCALAR ||
                read_cell(one->text, &(*cell)[i * *n + j]) != WEFT_OK)
                return weft_node_complain(
                    err, one, "%s: row %u must hold whole numbers from 0 to %d, found %s", path, i,
                    CELL_MAX, weft_node_found(one, arena));
        }
    }
    return WEFT_OK;
}

/* One line of a CSV file into a row; returns how many cells it has, WEFT_SIDE_MAX + 1 if too
 * many or one of them is no number. */
static uint32_t read_line(char *line, uint32_t *row)
{
    uint32_t count = 0;
    for (char *rest = line, *word; (word = strsep(&rest, ",")) != NULL;)
        if (count >= WEFT_SIDE_MAX || read_cell(word, &row[count++]) != WEFT_OK)
            return WEFT_SIDE_MAX + 1;
    return count;
}

static weft_status parse_csv(const char *path, char *text, uint32_t *n, weft_arena *arena,
                             uint32_t **cell, weft_error *err)
{
    uint32_t rows = 0, number = 0, row[WEFT_SIDE_MAX];
    *n = 0;
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        number++;
        if (*line == '\0' || *line == '\r' || *line == '#')
            continue;
        uint32_t count = read_line(line, row);
        *n = rows ? *n : count;
        if (count > WEFT_SIDE_MAX || count != *n || rows == *n)
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "%s:%u: a matrix is as many lines as a line has whole numbers, separated "
                "by commas, at most %d",
                path, number, WEFT_SIDE_MAX);
        if (rows == 0)
            *cell = WEFT_TAKE(arena, uint32_t, (size_t)*n * *n);
        memcpy(*cell + (size_t)rows++ * *n, row, *n * sizeof *row);
    }
    if (rows == 0 || rows != *n)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: has %u lines of numbers, needs %u", path, rows,
                         *n ? *n : 1);
    return WEFT_OK;
}

static weft_status read_csv(const weft_node *node, uint32_t *n, weft_arena *arena, uint32_t **cell,
                            weft_error *err)
{
    weft_bytes bytes;
    const char *path = weft_source_beside(node->source, node->text, arena);
    WEFT_TRY(weft_bytes_read(path, FILE_MAX_BYTES, "a matrix as CSV", &bytes, err));
    weft_status status =
        strlen(bytes.at) < bytes.count
            ? weft_fail(err, WEFT_BAD_INPUT, "%s: holds a NUL byte, this is no text", path)
            : parse_csv(path, bytes.at, n, arena, cell, err);
    free(bytes.at);
    return status;
}

static bool is_file(const char *text)
{
    const char *dot = strrchr(text, '.');
    return dot && strcmp(dot, ".csv") == 0;
}

weft_status weft_xbar_matrix_read(const weft_xbar_matrix_source *source, weft_arena *arena,
                                  uint32_t *n, uint32_t *d, const uint32_t **cell, weft_error *err)
{
    const weft_node *node = source->node;
    uint32_t *made = NULL;
    if (node->type != WEFT_NODE_SCALAR) {
        WEFT_TRY(weft_xbar_matrix_rows(node, "matrix", n, arena, &made, err));
    } else if (is_file(node->text)) {
        WEFT_TRY(read_csv(node, n, arena, &made, err));
    } else {
        *n = source->n;
        if (*n == 0)
            return weft_node_complain(err, node, "a named matrix needs n, such as n=4");
        made = WEFT_TAKE(arena, uint32_t, (size_t)*n * *n);
        weft_error inner;
        *cell = made;
        if (weft_xbar_matrix_pattern(node->text, *n, source->per_mille, made, d, &inner) != WEFT_OK)
            return weft_node_complain(err, node, "%.1000s", inner.text);
        return WEFT_OK;
    }
    weft_error inner;
    *cell = made;
    if (weft_xbar_matrix_check(*n, made, d, &inner) != WEFT_OK)
        return weft_node_complain(err, node, "%.1000s", inner.text);
    return WEFT_OK;
}
