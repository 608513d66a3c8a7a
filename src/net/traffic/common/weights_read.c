/* SPDX-License-Identifier: Apache-2.0 */
/* Weights as comma-separated text: a matrix, one line per place and one number per column, or a
 * line "from,to,weight" per pair. An optional first line of names (from,to,weight) indicates the
 * second form; # begins a comment. The text is untrusted. */
#include "base/file.h"
#include "base/memory.h"
#include "config/lines.h"
#include "config/number.h"
#include "net/traffic/common/weights.h"

#include <stdlib.h>
#include <string.h>

#define FILE_MOST   ((size_t)64 << 20) /* bytes */
#define WEIGHT_MOST 1e15
#define FIELD_MOST  80

typedef struct reader {
    weft_lines lines;
    const weft_places *places;
    weft_triple *triples;
    size_t n_triples, room;
    bool more; /* a comma came last: there is another field */
    weft_error *err;
} reader;

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The text up to the next comma or the end of the line, without the blanks around it. */
static weft_word field(reader *r)
{
    const char *start = r->lines.at, *end;
    while (r->lines.at < r->lines.end && !memchr(",\n#", *r->lines.at, 3))
        r->lines.at++;
    end = r->lines.at;
    r->more = r->lines.at < r->lines.end && *r->lines.at == ',';
    r->lines.at += r->more;
    while (start < end && blank(*start))
        start++;
    while (end > start && blank(end[-1]))
        end--;
    return (weft_word){.at = start, .length = (size_t)(end - start)};
}

static weft_status read_weight(reader *r, weft_word word, double *weight)
{
    char text[FIELD_MOST + 1];
    size_t taken = 0;
    if (word.length > 0 && word.length <= FIELD_MOST) {
        memcpy(text, word.at, word.length);
        text[word.length] = '\0';
        taken = weft_number_read(text, 0, weight);
    }
    if (taken == 0 || taken != word.length || !(*weight >= 0 && *weight <= WEIGHT_MOST))
        return weft_lines_fail(&r->lines, r->err, "a weight is a number 0 … %g, found '%.*s'",
                               WEIGHT_MOST, WEFT_WORD(word));
    return WEFT_OK;
}

static weft_status read_place(reader *r, weft_word word, uint32_t *place)
{
    uint64_t number;
    if (!weft_word_number(word, r->places->count - 1, &number))
        return weft_lines_fail(&r->lines, r->err, "the %ss of %s are 0 … %u, found '%.*s'",
                               r->places->name, r->places->of, r->places->count - 1,
                               WEFT_WORD(word));
    *place = (uint32_t)number;
    return WEFT_OK;
}

static weft_status add(reader *r, uint32_t from, uint32_t to, double weight)
{
    if (weight == 0)
        return WEFT_OK;
    if (from == to && !r->places->loops)
        return weft_lines_fail(&r->lines, r->err, "%s %u cannot send to itself", r->places->name,
                               from);
    if (r->n_triples == WEFT_WEIGHTS_MAX)
        return weft_lines_fail(&r->lines, r->err,
                               "more than %zu weights that are not 0, the most there may be: make "
                               "small ones 0",
                               WEFT_WEIGHTS_MAX);
    if (r->n_triples == r->room) {
        r->room = r->room ? 2 * r->room : 1024;
        r->triples = weft_realloc(r->triples, r->room, sizeof *r->triples);
    }
    r->triples[r->n_triples++] =
        (weft_triple){.from = from, .to = to, .weight = weight, .line = r->lines.line};
    return WEFT_OK;
}

/* The present line and all that follow, one per place. */
static weft_status read_matrix(reader *r)
{
    uint32_t places = r->places->count, from = 0;
    do {
        uint32_t to = 0;
        if (from == places)
            return weft_lines_fail(&r->lines, r->err,
                                   "%s has %u %ss, and a matrix for it as many lines",
                                   r->places->of, places, r->places->name);
        do {
            double weight = 0;
            weft_word word = field(r);
            if (to == places)
                return weft_lines_fail(&r->lines, r->err,
                                       "%s has %u %ss, found more weights in one line",
                                       r->places->of, places, r->places->name);
            WEFT_TRY(read_weight(r, word, &weight));
            WEFT_TRY(add(r, from, to++, weight));
        } while (r->more);
        if (to < places)
            return weft_lines_fail(&r->lines, r->err, "%s has %u %ss, found %u weights",
                                   r->places->of, places, r->places->name, to);
        from++;
    } while (weft_lines_next(&r->lines));
    if (from < places)
        return weft_lines_fail(&r->lines, r->err, "%s has %u %ss, found %u lines", r->places->of,
                               places, r->places->name, from);
    return WEFT_OK;
}

static weft_status read_flow(reader *r)
{
    uint32_t from = 0, to = 0;
    double weight = 1;
    WEFT_TRY(read_place(r, field(r), &from));
    if (!r->more)
        return weft_lines_fail(&r->lines, r->err,
                               "a line is from,to,weight (or from,to), found one field");
    WEFT_TRY(read_place(r, field(r), &to));
    if (r->more)
        WEFT_TRY(read_weight(r, field(r), &weight));
    if (r->more)
        return weft_lines_fail(&r->lines, r->err,
                               "a line is from,to,weight (or from,to), found more fields");
    return add(r, from, to, weight);
}

/* Is the present line "from,to" or "from,to,weight"? If not it is not taken. */
static bool take_names(reader *r)
{
    static const char *const names[] = {"from", "to", "weight"};
    weft_lines before = r->lines;
    size_t i = 0;
    bool same = true;
    do {
        weft_word word = field(r);
        same = i < 3 && weft_word_is(word, names[i++]);
    } while (same && r->more);
    if (!same || i < 2)
        r->lines = before;
    return same && i >= 2;
}

static weft_status read_all(reader *r, weft_weights_form form)
{
    bool some = weft_lines_next(&r->lines), flows = form == WEFT_WEIGHTS_FLOWS;
    if (some && take_names(r)) {
        flows = true;
        some = weft_lines_next(&r->lines);
    }
    if (!flows && some)
        return read_matrix(r);
    for (; some; some = weft_lines_next(&r->lines))
        WEFT_TRY(read_flow(r));
    return WEFT_OK;
}

/* Is there anything, and each pair once? */
static weft_status check(reader *r)
{
    if (r->n_triples == 0)
        return weft_fail(r->err, WEFT_BAD_INPUT,
                         "%.1000s: no weight is more than 0, so nobody sends", r->lines.name);
    weft_weights_sort(r->triples, r->n_triples);
    for (size_t i = 1; i < r->n_triples; i++) {
        const weft_triple *one = &r->triples[i - 1], *two = &r->triples[i];
        if (one->from != two->from || one->to != two->to)
            continue;
        r->lines.line = two->line;
        return weft_lines_fail(&r->lines, r->err, "%u to %u is already in line %lu", two->from,
                               two->to, one->line);
    }
    return WEFT_OK;
}

weft_status weft_weights_parse(weft_weights *weights, const char *name, const char *text,
                               size_t length, weft_weights_form form, const weft_places *places,
                               weft_error *err)
{
    reader r = {.lines = weft_lines_of(name, text, length), .places = places, .err = err};
    *weights = (weft_weights){0};
    weft_status status = read_all(&r, form);
    if (status == WEFT_OK)
        status = check(&r);
    if (status == WEFT_OK)
        weft_weights_build(weights, places->count, r.triples, r.n_triples);
    free(r.triples);
    return status;
}

weft_status weft_weights_read(weft_weights *weights, const weft_file *file, weft_weights_form form,
                              const weft_places *places, weft_error *err)
{
    weft_bytes bytes;
    *weights = (weft_weights){0};
    WEFT_TRY(weft_bytes_read(file->path, FILE_MOST, "a list of weights", &bytes, err));
    weft_status status =
        weft_weights_parse(weights, file->text, bytes.at, bytes.count, form, places, err);
    free(bytes.at);
    return status;
}
