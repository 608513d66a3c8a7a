/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/flags.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct unit {
    const char *name;
    double factor;
} unit;

const weft_flag *weft_flags_find(const weft_flag *table, const char *argument)
{
    size_t length = strcspn(argument, "=");
    for (const weft_flag *flag = table; flag && flag->name; flag++)
        if (strlen(flag->name) == length && strncmp(flag->name, argument, length) == 0)
            return flag;
    return NULL;
}

static bool is_bounded(const weft_flag *flag)
{
    return flag->min != 0 || flag->max != 0;
}

static weft_status set_whole(const weft_flag *flag, const char *text, int64_t *number,
                             weft_error *err)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    bool whole = end != text && !*end && !errno;
    if (whole &&
        (!is_bounded(flag) || ((double)value >= flag->min && (double)value <= flag->max))) {
        *number = value;
        return WEFT_OK;
    }
    if (!is_bounded(flag))
        return weft_fail(err, WEFT_BAD_USAGE, "%s takes a whole number, found '%.64s'", flag->name,
                         text);
    return weft_fail(err, WEFT_BAD_USAGE,
                     "%s takes a whole number from %.0f to %.0f, found '%.64s'", flag->name,
                     flag->min, flag->max, text);
}

static weft_status set_number(const weft_flag *flag, const char *text, double *number,
                              weft_error *err)
{
    char *end;
    *number = strtod(text, &end);
    bool number_found = end != text && !*end;
    if (number_found && (!is_bounded(flag) || (*number >= flag->min && *number <= flag->max)))
        return WEFT_OK;
    if (!is_bounded(flag))
        return weft_fail(err, WEFT_BAD_USAGE, "%s takes a number, found '%.64s'", flag->name, text);
    return weft_fail(err, WEFT_BAD_USAGE, "%s takes a number from %g to %g, found '%.64s'",
                     flag->name, flag->min, flag->max, text);
}

/* A number below `most` with one of the units behind it, blanks between them allowed. */
static bool read_quantity(const char *text, const unit *units, double most, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || !(number >= 0 && number < most))
        return false;
    end += strspn(end, " ");
    for (; units->name; units++)
        if (strcmp(end, units->name) == 0) {
            *value = number * units->factor;
            return true;
        }
    return false;
}

static weft_status set_bytes(const weft_flag *flag, const char *text, int64_t *bytes,
                             weft_error *err)
{
    static const unit units[] = {{"", 1},          {"B", 1},           {"KiB", 1024},
                                 {"MiB", 1 << 20}, {"GiB", 1 << 30},   {"KB", 1000},
                                 {"MB", 1000000},  {"GB", 1000000000}, {NULL, 0}};
    double value;
    if (!read_quantity(text, units, 1e15, &value) || !(value >= 1 && value < 0x1p62))
        return weft_fail(err, WEFT_BAD_USAGE, "%s takes a size such as 4GiB, found '%.64s'",
                         flag->name, text);
    *bytes = (int64_t)value;
    return WEFT_OK;
}

static weft_status set_time(const weft_flag *flag, const char *text, double *seconds,
                            weft_error *err)
{
    static const unit units[] = {{"s", 1}, {"min", 60}, {"h", 3600}, {NULL, 0}};
    static const unit none[] = {{"", 1}, {NULL, 0}};
    if (read_quantity(text, units, 1e9, seconds) ||
        (read_quantity(text, none, 1e9, seconds) && *seconds == 0))
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_USAGE, "%s takes a time such as 90s, 30min or 2h, found '%.64s'",
                     flag->name, text);
}

/* Of two files one would not be written. */
static weft_status set_text(const weft_flag *flag, const char *text, const char **at,
                            weft_error *err)
{
    if (*at && strcmp(flag->value, "FILE") == 0 && strcmp(*at, text) != 0)
        return weft_fail(err, WEFT_BAD_USAGE, "%s is given twice: %.256s and %.256s", flag->name,
                         *at, text);
    *at = text;
    return WEFT_OK;
}

weft_status weft_flag_set(const weft_flag *flag, const char *value, void *into, weft_error *err)
{
    void *at = (char *)into + flag->offset;
    switch (flag->type) {
    case WEFT_FLAG_SWITCH:
        *(bool *)at = true;
        return WEFT_OK;
    case WEFT_FLAG_TEXT:
        return set_text(flag, value, at, err);
    case WEFT_FLAG_TEXTS: {
        weft_texts *list = at;
        list->texts[list->n_texts++] = value;
        return WEFT_OK;
    }
    case WEFT_FLAG_WHOLE:
        return set_whole(flag, value, at, err);
    case WEFT_FLAG_NUMBER:
        return set_number(flag, value, at, err);
    case WEFT_FLAG_BYTES:
        return set_bytes(flag, value, at, err);
    case WEFT_FLAG_TIME:
        return set_time(flag, value, at, err);
    }
    return WEFT_OK;
}
