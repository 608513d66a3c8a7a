/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of models share: a model evaluated from a line of settings, and tables of
 * numbers. */
#ifndef WEFT_TEST_MODEL_H
#define WEFT_TEST_MODEL_H

#include "interweft/model.h"
#include "reproduce/expected_table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct asked { /* a model that has answered */
    weft_catalog *catalog;
    weft_model_sheet *sheet;
    const weft_point *point; /* the first */
} asked;

#define WORDS_MOST 20

/* Opens "name key=value key=value …" and evaluates it. */
static inline weft_status ask(asked *a, weft_error *err, const char *line)
{
    static char words[1000];
    const char *settings[WORDS_MOST + 1] = {NULL};
    size_t count = 0;
    snprintf(words, sizeof words, "%s", line);
    char *rest = words, *name = strsep(&rest, " ");
    while (rest && count < WORDS_MOST)
        settings[count++] = strsep(&rest, " ");
    *a = (asked){.catalog = weft_catalog_create()};
    weft_status status = weft_model_open(name, settings, a->catalog, &a->sheet, err);
    if (status == WEFT_OK)
        status = weft_model_run(a->sheet, NULL, err);
    if (status == WEFT_OK)
        a->point = weft_model_point(a->sheet, 0);
    return status;
}

static inline void ask_done(asked *a)
{
    weft_model_close(a->sheet);
    weft_catalog_destroy(a->catalog);
}

/* The same, which must work. */
__attribute__((format(printf, 2, 3))) static inline void must_ask(asked *a, const char *format, ...)
{
    char line[1000];
    weft_error err;
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (ask(a, &err, line) != WEFT_OK)
        fail_msg("%s: %s", line, err.text);
}

static inline double answer_at(const asked *a, const char *name, const char *by, int64_t index)
{
    const weft_metric *m = weft_point_metric(a->point, name, "", by, index);
    if (!m)
        fail_msg("there is no %s by '%s' %lld", name, by, (long long)index);
    return m ? m->value : 0;
}

static inline double answer(const asked *a, const char *name)
{
    return answer_at(a, name, "", 0);
}

/* ---- tables ---- */

typedef struct table {
    weft_arena arena;
    const weft_csv *csv;
    const char *file;
    size_t compared;
    double worst; /* of what was compared, in tolerances */
} table;

static inline void table_open(table *t, const char *file)
{
    weft_error err;
    char path[1000];
    *t = (table){.file = file};
    weft_arena_init(&t->arena);
    snprintf(path, sizeof path, "%s/queueing/%s", WEFT_TEST_DATA, file);
    if (weft_csv_read(path, &t->arena, &t->csv, &err) != WEFT_OK)
        fail_msg("%s", err.text);
}

static inline void table_done(table *t, size_t least)
{
    print_message("%s: %zu numbers, the worst %.2g of its tolerance\n", t->file, t->compared,
                  t->worst);
    assert_true(t->compared >= least);
    weft_arena_done(&t->arena);
}

static inline const char *cell_text(const table *t, size_t row, const char *column)
{
    size_t c = weft_csv_column(t->csv, column);
    if (c == t->csv->columns)
        fail_msg("%s has no column %s", t->file, column);
    return weft_csv_cell(t->csv, row, c);
}

static inline double cell_value(const table *t, size_t row, const char *column)
{
    return strtod(cell_text(t, row, column), NULL);
}

/* Half a unit of the last digit that is written. */
static inline double half_digit(const char *text)
{
    const char *point = strchr(text, '.'), *power = strchr(text, 'e');
    double unit = 1;
    if (point)
        for (const char *c = point + 1; *c >= '0' && *c <= '9'; c++)
            unit /= 10;
    if (power)
        unit *= pow(10, strtod(power + 1, NULL));
    return unit / 2;
}

/* A number of ours against a cell: 1e-9 relative, or half a unit of its last digit if that is
 * coarser. A file that writes so many significant digits leaves out zeros at the end, so
 * `digits` (0: as written) says how many there are. */
static inline void compare_cell(table *t, size_t row, const char *column, int digits, double ours)
{
    const char *text = cell_text(t, row, column);
    double theirs = strtod(text, NULL), tolerance = half_digit(text);
    if (digits > 0)
        tolerance =
            theirs == 0 ? 1e-15 : 0.5000001 * pow(10, floor(log10(fabs(theirs))) - digits + 1);
    if (tolerance < 1e-9 * fabs(theirs))
        tolerance = 1e-9 * fabs(theirs);
    double off = fabs(ours - theirs) / tolerance;
    t->compared++;
    t->worst = off <= t->worst ? t->worst : off;
    if (!(off <= 1.000001))
        fail_msg("%s row %zu: %s is %s, ours %.17g", t->file, row + 2, column, text, ours);
}

#endif
