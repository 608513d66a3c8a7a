/* SPDX-License-Identifier: Apache-2.0 */
/* printf writes the locale's decimal point; it is replaced by '.'. */
#include "base/digits.h"

#include <assert.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *dot_decimal(char *text)
{
    const char *point = localeconv()->decimal_point;
    size_t length = strlen(point);
    char *at = length ? strstr(text, point) : NULL;
    if (at) {
        *at = '.';
        memmove(at + 1, at + length, strlen(at + length) + 1);
    }
    return text;
}

static const char *not_finite(char *out, double value)
{
    const char *text = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return memcpy(out, text, strlen(text) + 1);
}

const char *weft_digits_exact(char out[WEFT_DIGITS_TEXT], double value)
{
    if (!isfinite(value))
        return not_finite(out, value);
    int length = snprintf(out, WEFT_DIGITS_TEXT, "%.17g", value);
    assert(length > 0 && length < WEFT_DIGITS_TEXT);
    (void)length;
    return dot_decimal(out);
}

const char *weft_digits_short(char out[WEFT_DIGITS_TEXT], double value)
{
    if (!isfinite(value))
        return not_finite(out, value);
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(out, WEFT_DIGITS_TEXT, "%.*g", digits, value);
        double back = strtod(out, NULL);
        if (!(back < value || back > value))
            break;
    }
    return dot_decimal(out);
}

const char *weft_digits_plain(char out[WEFT_DIGITS_TEXT], double value, int digits)
{
    if (!isfinite(value))
        return not_finite(out, value);
    double least = 1;
    for (int i = 0; i < digits; i++)
        least *= 10;
    bool whole = fabs(value) >= least && fabs(value) < 1e15;
    if (whole)
        (void)snprintf(out, WEFT_DIGITS_TEXT, "%.0f", value);
    else
        (void)snprintf(out, WEFT_DIGITS_TEXT, "%.*g", digits, value);
    return dot_decimal(out);
}
