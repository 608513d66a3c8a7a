/* SPDX-License-Identifier: Apache-2.0 */
#include "program/format_lines.h"

#include "base/numeric.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_blanks(weft_format_lines *lines)
{
    while (lines->word < lines->stop && is_blank(*lines->word))
        lines->word++;
}

bool weft_format_lines_next(weft_format_lines *lines)
{
    while (lines->at < lines->end) {
        const char *stop = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
        lines->word = lines->at;
        lines->stop = stop ? stop : lines->end;
        lines->at = stop ? stop + 1 : lines->end;
        lines->number++;
        skip_blanks(lines);
        if (lines->word < lines->stop && *lines->word != '#')
            return true;
    }
    return false;
}

weft_format_word weft_format_lines_word(weft_format_lines *lines)
{
    skip_blanks(lines);
    weft_format_word word = {.at = lines->word};
    while (lines->word < lines->stop && !is_blank(*lines->word))
        lines->word++;
    word.length = (size_t)(lines->word - word.at);
    return word;
}

size_t weft_format_lines_left(const weft_format_lines *lines)
{
    weft_format_lines rest = *lines;
    size_t count = 0;
    while (weft_format_lines_word(&rest).length > 0)
        count++;
    return count;
}

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool weft_format_word_is(weft_format_word word, const char *text)
{
    size_t i = 0;
    for (; i < word.length && text[i] && small(word.at[i]) == small(text[i]); i++)
        continue;
    return i == word.length && text[i] == '\0';
}

typedef struct decimal { /* digits · 10^power */
    uint64_t digits;
    int power;
} decimal;

#define DIGITS_MOST 100000000000000000u /* 10^17: of more digits the rest is dropped */
#define POWER_MOST  1000

/* Digits from *at on; each behind the point lowers the power. */
static size_t read_digits(const char **at, const char *end, bool behind, decimal *number)
{
    const char *start = *at;
    for (; *at < end && is_digit(**at); (*at)++) {
        bool dropped = number->digits >= DIGITS_MOST;
        if (!dropped)
            number->digits = 10 * number->digits + (uint64_t)(**at - '0');
        if (number->power > -POWER_MOST && number->power < POWER_MOST)
            number->power += dropped && !behind ? 1 : !dropped && behind ? -1 : 0;
    }
    return (size_t)(*at - start);
}

static bool read_power(const char **at, const char *end, decimal *number)
{
    int power = 0;
    bool negative = *at < end && **at == '-';
    if (*at < end && (**at == '-' || **at == '+'))
        (*at)++;
    if (*at == end)
        return false;
    for (; *at < end && is_digit(**at); (*at)++)
        power = power < POWER_MOST ? 10 * power + (**at - '0') : power;
    number->power += negative ? -power : power;
    return true;
}

static bool read_decimal(weft_format_word word, decimal *number)
{
    const char *at = word.at, *end = word.at + word.length;
    *number = (decimal){0};
    size_t digits = read_digits(&at, end, false, number);
    if (at < end && *at == '.') {
        at++;
        digits += read_digits(&at, end, true, number);
    }
    if (digits == 0)
        return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (!read_power(&at, end, number))
            return false;
    }
    return at == end;
}

bool weft_format_word_number(weft_format_word word, uint64_t by, uint64_t per, bool rounded,
                             uint64_t most, uint64_t *number)
{
    decimal d;
    *number = 0;
    if (!read_decimal(word, &d))
        return false;
    for (; d.power < -18; d.power++)
        d.digits /= 10;
    weft_u128 value = (weft_u128)d.digits * by, parts = per; /* below 2^124 each */
    for (; d.power < 0; d.power++)
        parts *= 10;
    for (; d.power > 0 && value > 0; d.power--) {
        if (value / parts > most)
            return false;
        if (value > ((weft_u128)1 << 123))
            return false;
        value *= 10;
    }
    if (rounded)
        value += parts / 2;
    value /= parts;
    *number = (uint64_t)value;
    return value <= most;
}

bool weft_format_word_whole(weft_format_word word, uint64_t most, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < word.length; i++) {
        uint64_t digit = (uint64_t)(word.at[i] - '0');
        if (!is_digit(word.at[i]) || digit > most || *number > (most - digit) / 10)
            return false;
        *number = 10 * *number + digit;
    }
    return word.length > 0;
}

weft_status weft_format_lines_fail(const weft_format_lines *lines, const char *wanted,
                                   weft_format_word found, weft_error *err)
{
    char shown[64];
    size_t length = found.length < sizeof shown - 1 ? found.length : sizeof shown - 1;
    if (found.length == 0)
        return weft_fail(err, WEFT_BAD_INPUT, "%.2000s:%lu: wanted %s, found the end of the line",
                         lines->file, lines->number, wanted);
    for (size_t i = 0; i < length; i++)
        shown[i] = found.at[i] >= ' ' && found.at[i] <= '~' ? found.at[i] : '?';
    shown[length] = '\0';
    return weft_fail(err, WEFT_BAD_INPUT, "%.2000s:%lu: wanted %s, found '%s'", lines->file,
                     lines->number, wanted, shown);
}

weft_status weft_format_lines_place(const weft_format_lines *lines, weft_error *err)
{
    if (!err)
        return WEFT_BAD_INPUT;
    weft_error why = *err;
    return weft_fail(err, WEFT_BAD_INPUT, "%.2000s:%lu: %s", lines->file, lines->number, why.text);
}
