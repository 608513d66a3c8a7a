/* SPDX-License-Identifier: Apache-2.0 */
/* A program that embeds the library may have called setlocale: the thread is in the locale C for as
 * long as printf or strtod takes. */
#include "base/digits.h"

#include <assert.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct excursion {
    locale_t plain, before;
} excursion;

static excursion leave(void)
{
    excursion trip = {.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    trip.before = uselocale(trip.plain); /* as it was, if there is no memory for another */
    return trip;
}

static void come_back(excursion trip)
{
    (void)uselocale(trip.before);
    if (trip.plain)
        freelocale(trip.plain);
}

int weft_digits_vprint(char *out, size_t size, const char *format, va_list args)
{
    excursion trip = leave();
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, in weft_digits_print */
    int length = vsnprintf(out, size, format, args);
    come_back(trip);
    return length;
}

int weft_digits_print(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = weft_digits_vprint(out, size, format, args);
    va_end(args);
    return length;
}

double weft_digits_read(const char *text, char **end)
{
    excursion trip = leave();
    double value = strtod(text, end);
    come_back(trip);
    return value;
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
    int length = weft_digits_print(out, WEFT_DIGITS_TEXT, "%.17g", value);
    assert(length > 0 && length < WEFT_DIGITS_TEXT);
    (void)length;
    return out;
}

const char *weft_digits_short(char out[WEFT_DIGITS_TEXT], double value)
{
    if (!isfinite(value))
        return not_finite(out, value);
    for (int digits = 15; digits <= 17; digits++) {
        (void)weft_digits_print(out, WEFT_DIGITS_TEXT, "%.*g", digits, value);
        double back = weft_digits_read(out, NULL);
        if (!(back < value || back > value))
            break;
    }
    return out;
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
        (void)weft_digits_print(out, WEFT_DIGITS_TEXT, "%.0f", value);
    else
        (void)weft_digits_print(out, WEFT_DIGITS_TEXT, "%.*g", digits, value);
    return out;
}
