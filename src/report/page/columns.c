/* SPDX-License-Identifier: Apache-2.0 */
/* A constant column keeps one value and a mark behind it, so that its length does not matter. */
#include "report/page/columns.h"

#include "base/memory.h"
#include "base/digits.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRACE 4                  /* values that may be long before a list is given up */
#define EXACT 9007199254740992.0 /* 2^53 */

void weft_page_column_add(weft_page_column *column, double value)
{
    if (column->n_values == column->capacity) {
        column->capacity = column->capacity ? 2 * column->capacity : 64;
        column->values = weft_realloc(column->values, column->capacity, sizeof *column->values);
    }
    column->values[column->n_values++] = isnan(value) ? (double)NAN : value; /* one NaN for all */
}

void weft_page_column_done(weft_page_column *column)
{
    free(column->values);
    *column = (weft_page_column){0};
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Bit by bit: NaN equals NaN, and 0 is not −0. */
static bool is_constant(const double *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (bits_of(values[i]) != bits_of(values[0]))
            return false;
    return count > 0 && !isinf(values[0]);
}

uint32_t weft_page_columns_add(weft_intern *columns, const double *values, size_t count)
{
    if (!is_constant(values, count))
        return weft_intern_add(columns, values, count * sizeof *values);
    unsigned char marked[sizeof *values + 1] = {0};
    memcpy(marked, values, sizeof *values);
    return weft_intern_add(columns, marked, sizeof marked);
}

uint32_t weft_page_columns_move(weft_intern *columns, weft_page_column *column)
{
    uint32_t number = weft_page_columns_add(columns, column->values, column->n_values);
    column->n_values = 0;
    return number;
}

void weft_page_number(weft_out *out, double value)
{
    char text[WEFT_DIGITS_TEXT];
    if (!isfinite(value))
        weft_text_append(&out->text, "null", 4);
    else if (value > -EXACT && value < EXACT && (double)(int64_t)value == value &&
             !(value == 0 && signbit(value)))
        weft_out_add(out, "%" PRId64, (int64_t)value);
    else
        weft_out_add(out, "%s", weft_digits_short(text, value));
}

static void add_base64(weft_out *out, const double *values, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char four[4];
    uint32_t three = 0;
    size_t bytes = 0;
    weft_text_append(&out->text, "\"", 1);
    for (size_t i = 0; i < count; i++) {
        uint64_t word = bits_of(values[i]);
        for (unsigned b = 0; b < 64; b += 8) {
            three = three << 8 | (uint32_t)(word >> b & 255);
            if (++bytes % 3 != 0)
                continue;
            for (unsigned d = 0; d < 4; d++)
                four[d] = digits[three >> (18 - 6 * d) & 63];
            weft_text_append(&out->text, four, 4);
            three = 0;
        }
    }
    if (bytes % 3 != 0) {
        three <<= bytes % 3 == 1 ? 16 : 8;
        for (unsigned d = 0; d < 4; d++)
            four[d] = d > bytes % 3 ? '=' : digits[three >> (18 - 6 * d) & 63];
        weft_text_append(&out->text, four, 4);
    }
    weft_text_append(&out->text, "\"", 1);
}

/* As a list, unless that promises to be longer than base64 or cannot say an infinity. */
static void add_varying(weft_out *out, const double *values, size_t count)
{
    size_t start = out->text.length;
    bool fits = true;
    weft_text_append(&out->text, "[", 1);
    for (size_t i = 0; i < count && fits; i++) {
        if (i)
            weft_text_append(&out->text, ",", 1);
        weft_page_number(out, values[i]);
        fits = !isinf(values[i]) && (out->text.length - start) * 3 < (i + GRACE) * 8 * 4;
    }
    weft_text_append(&out->text, "]", 1);
    if (fits)
        return;
    out->text.length = start;
    add_base64(out, values, count);
}

weft_status weft_page_columns_write(const weft_intern *columns, weft_out *out)
{
    weft_text_append(&out->text, "[", 1);
    for (size_t i = 0; i < columns->n_items; i++) {
        const weft_intern_item *item = &columns->items[i];
        if (i)
            weft_text_append(&out->text, ",\n", 2);
        double first = 0;
        bool constant = item->length % sizeof first != 0;
        if (constant)
            memcpy(&first, item->bytes, sizeof first);
        if (constant)
            weft_page_number(out, first);
        else
            add_varying(out, item->bytes, item->length / sizeof first);
        WEFT_TRY(weft_out_flush(out, false));
    }
    weft_text_append(&out->text, "]", 1);
    return WEFT_OK;
}

weft_status weft_page_strings_write(const weft_intern *strings, weft_out *out)
{
    weft_text_append(&out->text, "[", 1);
    for (size_t i = 0; i < strings->n_items; i++) {
        if (i)
            weft_text_append(&out->text, ",", 1);
        weft_out_string(out, strings->items[i].bytes);
        WEFT_TRY(weft_out_flush(out, false));
    }
    weft_text_append(&out->text, "]", 1);
    return WEFT_OK;
}
