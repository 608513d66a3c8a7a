/* SPDX-License-Identifier: Apache-2.0 */
/* A key is compared as a row of tokens, each one number or one byte; numbers stand before other
 * bytes. Every string is cut into tokens without looking at the other one, so the order is total.
 * Numbers are read here and not by strtod, whose decimal point depends on the locale. */
#include "result/key.h"

#include <assert.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Greatest exponent looked at: beyond it a double is 0 or infinite anyway. */
#define EXPONENT_MAX 400
#define DECIMALS_MAX 18

static const char *read_exponent(const char *at, const char *end, int *exponent)
{
    const char *p = at;
    if (p == end || (*p != 'e' && *p != 'E'))
        return at;
    bool minus = ++p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || !is_digit(*p))
        return at;
    int value = 0;
    for (; p < end && is_digit(*p); p++)
        value = value < EXPONENT_MAX ? value * 10 + (*p - '0') : value;
    *exponent += minus ? -value : value;
    return p;
}

/* Digits after the point; those beyond a double's precision are passed over. */
static const char *read_decimals(const char *p, const char *end, double *value, int *exponent)
{
    for (; p < end && is_digit(*p); p++)
        if (*exponent > -DECIMALS_MAX) {
            *value = *value * 10 + (*p - '0');
            --*exponent;
        }
    return p;
}

/* Reads an unsigned decimal; returns where it ends (at itself: there is none). */
static const char *read_number(const char *at, const char *end, double *number)
{
    const char *p = at;
    double value = 0;
    int exponent = 0;
    for (; p < end && is_digit(*p); p++)
        value = value * 10 + (*p - '0');
    if (p == at)
        return at;
    if (p + 1 < end && *p == '.' && is_digit(p[1]))
        p = read_decimals(p + 1, end, &value, &exponent);
    p = read_exponent(p, end, &exponent);
    double power = 1;
    for (int i = exponent < 0 ? -exponent : exponent; i > 0; i--)
        power *= 10; /* at last infinite */
    *number = value == 0 ? 0 : exponent < 0 ? value / power : value * power;
    return p;
}

/* One token of a key; sign only where a value starts. */
static const char *read_token(const char *start, const char *at, bool *is_number, double *value)
{
    const char *end = at + strlen(at);
    bool opens = at == start || strchr("= [,:", at[-1]) != NULL;
    bool minus = opens && *at == '-' && is_digit(at[1]);
    const char *after = read_number(at + minus, end, value);
    *is_number = after != at + minus;
    if (!*is_number) {
        *value = (unsigned char)*at;
        return at + 1;
    }
    if (minus)
        *value = -*value;
    return after;
}

int weft_key_compare(const char *a, const char *b)
{
    const char *p = a, *q = b;
    while (*p && *q) {
        bool p_number, q_number;
        double x, y;
        p = read_token(a, p, &p_number, &x);
        q = read_token(b, q, &q_number, &y);
        if (p_number != q_number)
            return p_number ? -1 : 1;
        if (x < y || x > y)
            return x < y ? -1 : 1;
    }
    if (*p || *q)
        return *p ? 1 : -1;
    return strcmp(a, b);
}

/* Does a path and '=' stand here? */
static bool opens_part(const char *at)
{
    size_t length = strcspn(at, " =,{}[]:\"'");
    return length > 0 && at[length] == '=';
}

static const char *part_end(const char *at)
{
    int depth = 0;
    char quote = 0;
    for (; *at; at++) {
        if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '"' || (*at == '\'' && depth == 0 && at[-1] == '='))
            quote = *at;
        else if (*at == '{' || *at == '[')
            depth++;
        else if (*at == '}' || *at == ']')
            depth -= depth > 0;
        else if (*at == ' ' && depth == 0 && opens_part(at + 1))
            return at;
    }
    return at;
}

bool weft_key_next(const char **rest, weft_key_part *part)
{
    assert(rest && *rest && part);
    const char *at = *rest + strspn(*rest, " ");
    if (!*at)
        return false;
    size_t name = opens_part(at) ? strcspn(at, "=") : 0;
    const char *value = at + name + (name > 0);
    const char *end = name ? part_end(value) : at + strlen(at);
    *part = (weft_key_part){at, value, name, (size_t)(end - value)};
    *rest = end;
    return true;
}

bool weft_key_is_value(const weft_key_part *part, const char *value, size_t length)
{
    double ours, theirs;
    const char *unit = memchr(part->value, ' ', part->value_length);
    size_t digits = unit ? (size_t)(unit - part->value) : part->value_length;
    if (weft_key_number(part->value, digits, &ours) && weft_key_number(value, length, &theirs))
        return ours == theirs;
    return part->value_length == length && memcmp(part->value, value, length) == 0;
}

bool weft_key_number(const char *value, size_t length, double *number)
{
    const char *end = value + length;
    bool minus = length > 0 && *value == '-';
    const char *digits = value + (minus || (length > 0 && *value == '+'));
    const char *after = read_number(digits, end, number);
    if (after == digits)
        return false;
    if (minus)
        *number = -*number;
    if (after + 1 == end && *after == '%') {
        *number /= 100;
        return true;
    }
    return after == end;
}
