/* SPDX-License-Identifier: Apache-2.0 */
/* strtod rounds correctly, so a power of ten goes into the exponent rather than into a product:
 * 2.3 ns is "2.3e3" picoseconds, exactly 2300. */
#include "config/number.h"

#include "base/digits.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANTISSA_MAX 64

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits(const char *text)
{
    size_t n = 0;
    while (digit(text[n]))
        n++;
    return n;
}

/* Characters of the part before the exponent; 0: none. */
static size_t mantissa(const char *text)
{
    size_t sign = text[0] == '+' || text[0] == '-';
    size_t whole = digits(text + sign), n = sign + whole, part = 0;
    if (text[n] == '.') {
        part = digits(text + n + 1);
        n += 1 + part;
    }
    return whole + part == 0 || n > MANTISSA_MAX ? 0 : n;
}

size_t weft_number_read(const char *text, int shift, double *value)
{
    size_t n = mantissa(text), taken = n;
    if (n == 0)
        return 0;
    long exponent = 0;
    if (text[n] == 'e' || text[n] == 'E') {
        size_t sign = text[n + 1] == '+' || text[n + 1] == '-', m = digits(text + n + 1 + sign);
        if (m > 0) {
            taken = n + 1 + sign + m;
            exponent = m > 6 ? 1000000 : strtol(text + n + 1 + sign, NULL, 10);
            if (text[n + 1] == '-')
                exponent = -exponent;
        }
    }
    char buffer[MANTISSA_MAX + 24];
    (void)snprintf(buffer, sizeof buffer, "%.*se%ld", (int)n, text, exponent + shift);
    *value = weft_digits_read(buffer, NULL);
    return taken;
}

bool weft_integer_read(const char *text, int64_t *value)
{
    size_t sign = text[0] == '+' || text[0] == '-', n = digits(text + sign);
    if (n > 0 && text[sign + n] == '\0') {
        errno = 0;
        *value = strtoll(text, NULL, 10);
        return errno == 0;
    }
    double real;
    size_t taken = weft_number_read(text, 0, &real);
    if (taken == 0 || text[taken] != '\0' || !(real >= -0x1p53 && real <= 0x1p53))
        return false;
    *value = (int64_t)real;
    return (double)*value == real;
}

/* Lays out `count` significant digits of which the first stands at 10^exponent. */
static void lay_out(char *out, size_t room, bool negative, const char *figures, int count,
                    int exponent)
{
    const char *sign = negative ? "-" : "";
    int used;
    if (exponent < -6 || exponent > 17)
        used = snprintf(out, room, "%s%.1s%s%se%+d", sign, figures, count > 1 ? "." : "",
                        figures + 1, exponent);
    else if (exponent < 0)
        used = snprintf(out, room, "%s0.%.*s%s", sign, -exponent - 1, "000000", figures);
    else if (count <= exponent + 1)
        used = snprintf(out, room, "%s%s%.*s", sign, figures, exponent + 1 - count,
                        "00000000000000000");
    else
        used =
            snprintf(out, room, "%s%.*s.%s", sign, exponent + 1, figures, figures + exponent + 1);
    assert(used > 0 && (size_t)used < room);
    (void)used;
}

char *weft_number_write(double value, char out[static WEFT_NUMBER_CHARS])
{
    assert(value - value == 0); /* finite */
    bool negative = value < 0;
    double size = negative ? -value : value;
    for (int precision = 0; precision <= 16; precision++) {
        char text[64], figures[24];
        (void)weft_digits_print(text, sizeof text, "%.*e", precision, size);
        const char *e = strchr(text, 'e');
        int count = 0;
        for (const char *at = text; at < e && count < 17; at++)
            if (digit(*at))
                figures[count++] = *at;
        while (count > 1 && figures[count - 1] == '0')
            count--;
        figures[count] = '\0';
        lay_out(out, WEFT_NUMBER_CHARS, negative, figures, count, atoi(e + 1));
        if (weft_digits_read(out, NULL) == value)
            break;
    }
    return out;
}
