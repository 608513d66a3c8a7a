/* SPDX-License-Identifier: Apache-2.0 */
/* One table of units. A value in the base unit is number × 10^shift × factor; the power of ten is
 * exact (number.c), factors are small integers or powers of two. Base units: ps or cycles, bytes
 * or flits or packets, bits per second or flits per cycle, hertz. */
#include "config/units.h"

#include "config/infiniband/link_speeds.h"
#include "config/number.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct unit {
    weft_param_type type;
    const char *name;
    int shift;
    double factor;
    int base;
    bool written; /* used when writing; smaller units first */
} unit;

#define TIME WEFT_PARAM_DURATION
#define SIZE WEFT_PARAM_SIZE
#define RATE WEFT_PARAM_RATE
#define FREQ WEFT_PARAM_FREQUENCY
#define PART WEFT_PARAM_FRACTION
#define ROOM WEFT_PARAM_ROOM /* takes the units of sizes too */

static const unit units[] = {
    {TIME, "cycles", 0, 1, WEFT_CYCLES, true},
    {TIME, "cycle", 0, 1, WEFT_CYCLES, false},
    {TIME, "ps", 0, 1, WEFT_PICOSECONDS, true},
    {TIME, "ns", 3, 1, WEFT_PICOSECONDS, true},
    {TIME, "us", 6, 1, WEFT_PICOSECONDS, true},
    {TIME, "\u00b5s", 6, 1, WEFT_PICOSECONDS, false},
    {TIME, "\u03bcs", 6, 1, WEFT_PICOSECONDS, false},
    {TIME, "ms", 9, 1, WEFT_PICOSECONDS, true},
    {TIME, "s", 12, 1, WEFT_PICOSECONDS, true},
    {TIME, "min", 13, 6, WEFT_PICOSECONDS, true},
    {TIME, "h", 14, 36, WEFT_PICOSECONDS, true},
    {SIZE, "flits", 0, 1, WEFT_FLITS, true},
    {SIZE, "flit", 0, 1, WEFT_FLITS, false},
    {SIZE, "B", 0, 1, WEFT_BYTES, true},
    {SIZE, "KiB", 0, 0x1p10, WEFT_BYTES, true},
    {SIZE, "MiB", 0, 0x1p20, WEFT_BYTES, true},
    {SIZE, "GiB", 0, 0x1p30, WEFT_BYTES, true},
    {SIZE, "kB", 3, 1, WEFT_BYTES, false},
    {SIZE, "KB", 3, 1, WEFT_BYTES, false},
    {SIZE, "MB", 6, 1, WEFT_BYTES, false},
    {SIZE, "GB", 9, 1, WEFT_BYTES, false},
    {ROOM, "packets", 0, 1, WEFT_PACKETS, true},
    {ROOM, "packet", 0, 1, WEFT_PACKETS, false},
    {RATE, "b/s", 0, 1, WEFT_BITS_PER_SECOND, true},
    {RATE, "kb/s", 3, 1, WEFT_BITS_PER_SECOND, true},
    {RATE, "Mb/s", 6, 1, WEFT_BITS_PER_SECOND, true},
    {RATE, "Gb/s", 9, 1, WEFT_BITS_PER_SECOND, true},
    {RATE, "Tb/s", 12, 1, WEFT_BITS_PER_SECOND, true},
    {RATE, "B/s", 0, 8, WEFT_BITS_PER_SECOND, false},
    {RATE, "kB/s", 3, 8, WEFT_BITS_PER_SECOND, false},
    {RATE, "MB/s", 6, 8, WEFT_BITS_PER_SECOND, false},
    {RATE, "GB/s", 9, 8, WEFT_BITS_PER_SECOND, false},
    {RATE, "TB/s", 12, 8, WEFT_BITS_PER_SECOND, false},
#define SPEED(name, gbps, mbps) {RATE, "x" name, 6, mbps, WEFT_BITS_PER_SECOND, false},
    WEFT_LINK_SPEEDS(SPEED) /* 4xHDR */
#undef SPEED
    {RATE, "flits/cycle", 0, 1, WEFT_FLITS_PER_CYCLE, true},
    {RATE, "flit/cycle", 0, 1, WEFT_FLITS_PER_CYCLE, false},
    {FREQ, "Hz", 0, 1, 0, true},
    {FREQ, "kHz", 3, 1, 0, true},
    {FREQ, "MHz", 6, 1, 0, true},
    {FREQ, "GHz", 9, 1, 0, true},
    {FREQ, "THz", 12, 1, 0, true},
    {PART, "%", -2, 1, 0, false},
};
#define UNITS (sizeof units / sizeof *units)

const char *weft_quantity_unit(const char *text)
{
    double number;
    size_t taken = weft_number_read(text, 0, &number);
    return taken ? text + taken + strspn(text + taken, " \t") : NULL;
}

static bool takes_bare(weft_param_type type, double number)
{
    return type == PART || number == 0;
}

/* The base unit of a bare 0. */
static int base_of_nothing(weft_param_type type)
{
    return type == TIME                   ? (int)WEFT_CYCLES
           : type == SIZE || type == ROOM ? (int)WEFT_FLITS
           : type == RATE                 ? (int)WEFT_BITS_PER_SECOND
                                          : 0;
}

static bool serves(const unit *u, weft_param_type type)
{
    return u->type == type || (type == ROOM && u->type == SIZE);
}

/* The speed of an InfiniBand link, and a width that one can have. */
static bool is_speed(const unit *u)
{
    return u->type == RATE && u->name[0] == 'x';
}

static bool is_width(double number)
{
    return number == 1 || number == 2 || number == 4 || number == 8 || number == 12;
}

weft_quantity_verdict weft_quantity_read(weft_param_type type, const char *text,
                                         weft_quantity *quantity)
{
    const char *name = weft_quantity_unit(text);
    if (!name)
        return WEFT_QUANTITY_NO_NUMBER;
    double number;
    (void)weft_number_read(text, 0, &number);
    if (*name == '\0') {
        *quantity = (weft_quantity){number, base_of_nothing(type)};
        return takes_bare(type, number) ? WEFT_QUANTITY_OK : WEFT_QUANTITY_NO_UNIT;
    }
    for (size_t i = 0; i < UNITS; i++) {
        if (!serves(&units[i], type) || strcmp(units[i].name, name) != 0)
            continue;
        if (is_speed(&units[i]) && !is_width(number))
            return WEFT_QUANTITY_BAD_WIDTH;
        (void)weft_number_read(text, units[i].shift, &number);
        *quantity = (weft_quantity){number * units[i].factor, units[i].base};
        return WEFT_QUANTITY_OK;
    }
    return WEFT_QUANTITY_BAD_UNIT;
}

/* One spelling of a unit for all that people use: small letters but for bits and bytes, and short
 * words. */
static void plain_spelling(const char *name, char out[static WEFT_QUANTITY_CHARS])
{
    static const char *const endings[][2] = {
        {"bps", "b/s"}, {"Bps", "B/s"}, {"bit/s", "b/s"}, {"bits/s", "b/s"}, {"byte", "B"},
        {"bytes", "B"}, {"Byte", "B"},  {"Bytes", "B"},   {"sec", "s"},      {"secs", "s"}};
    size_t length = 0;
    for (; name[length] && length + 1 < WEFT_QUANTITY_CHARS; length++)
        out[length] = name[length] == 'B' ? 'B' : (char)tolower((unsigned char)name[length]);
    out[length] = '\0';
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i][0]);
        if (length >= ending && strcmp(out + length - ending, endings[i][0]) == 0) {
            memcpy(out + length - ending, endings[i][1], strlen(endings[i][1]) + 1);
            return;
        }
    }
}

const char *weft_quantity_meant(weft_param_type type, const char *name)
{
    char given[WEFT_QUANTITY_CHARS], known[WEFT_QUANTITY_CHARS];
    plain_spelling(name, given);
    for (size_t i = 0; i < UNITS; i++) {
        if (!serves(&units[i], type))
            continue;
        plain_spelling(units[i].name, known);
        if (strcmp(given, known) == 0)
            return units[i].name;
    }
    return NULL;
}

/* 1 cycle, 2 cycles */
static bool is_counted(const unit *u)
{
    return (u->type == TIME && u->base == (int)WEFT_CYCLES) ||
           ((u->type == SIZE || u->type == ROOM) && u->base != (int)WEFT_BYTES);
}

/* number × unit as text; true if it reads back as the same value. */
static bool write_with(const unit *u, weft_quantity quantity, char out[static WEFT_QUANTITY_CHARS])
{
    double scale = u->factor, number = quantity.value;
    for (int i = 0; i < u->shift; i++)
        scale *= 10;
    number /= scale;
    if (number != 0 && (number < 1 || number >= 1e15) && scale > 1)
        return false;
    char digits[WEFT_NUMBER_CHARS];
    size_t letters = strlen(u->name) - (is_counted(u) && number == 1 ? 1 : 0);
    (void)snprintf(out, WEFT_QUANTITY_CHARS, "%s %.*s", weft_number_write(number, digits),
                   (int)letters, u->name);
    weft_quantity back;
    return weft_quantity_read(u->type, out, &back) == WEFT_QUANTITY_OK &&
           back.value == quantity.value;
}

/* A short number with a large unit beats a long one with a small unit. */
char *weft_quantity_write(weft_param_type type, weft_quantity quantity,
                          char out[static WEFT_QUANTITY_CHARS])
{
    char best[WEFT_QUANTITY_CHARS] = "";
    for (size_t i = 0; i < UNITS; i++) {
        const unit *u = &units[i];
        if (!serves(u, type) || !u->written || u->base != quantity.base)
            continue;
        char attempt[WEFT_QUANTITY_CHARS];
        if (*best && quantity.value == 0)
            break; /* nothing of the smallest unit */
        if (write_with(u, quantity, attempt) && (!*best || strlen(attempt) <= strlen(best)))
            memcpy(best, attempt, sizeof best);
    }
    if (!*best)
        (void)weft_number_write(quantity.value, best); /* fractions have no written unit */
    return memcpy(out, best, sizeof best);
}

const char *weft_quantity_units(weft_param_type type)
{
    switch (type) {
    case WEFT_PARAM_DURATION:
        return "cycles, ps, ns, us, ms, s, min, h";
    case WEFT_PARAM_SIZE:
        return "flits, B, KiB, MiB, GiB, kB, MB, GB";
    case WEFT_PARAM_ROOM:
        return "flits, packets, B, KiB, MiB, GiB, kB, MB, GB";
    case WEFT_PARAM_RATE:
        return "b/s, kb/s, Mb/s, Gb/s, Tb/s, B/s, kB/s, MB/s, GB/s, TB/s, flits/cycle, and 1x, 2x, "
               "4x, 8x or 12x SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR, XDR (4xHDR)";
    case WEFT_PARAM_FREQUENCY:
        return "Hz, kHz, MHz, GHz, THz";
    default:
        return "%";
    }
}

const char *weft_quantity_pattern(weft_param_type type)
{
    switch (type) {
    case WEFT_PARAM_DURATION:
        return "cycles?|[pnuµμm]?s|min|h";
    case WEFT_PARAM_SIZE:
        return "flits?|[KMG]iB|[kKMG]?B";
    case WEFT_PARAM_ROOM:
        return "flits?|packets?|[KMG]iB|[kKMG]?B";
    case WEFT_PARAM_RATE:
        return "[kMGT]?[bB]/s|flits?/cycle|x([SDQEHNX]DR|FDR(10)?)";
    case WEFT_PARAM_FREQUENCY:
        return "[kMGT]?Hz";
    default:
        return "%";
    }
}

void weft_quantity_offer_units(weft_param_type type, weft_suggest *suggest)
{
    for (size_t i = 0; i < UNITS; i++)
        if (serves(&units[i], type))
            weft_suggest_offer(suggest, units[i].name);
}

static bool known_unit(const char *name)
{
    for (size_t i = 0; i < UNITS; i++)
        if (strcmp(units[i].name, name) == 0)
            return true;
    return false;
}

bool weft_quantity_canonical(const char *text, char out[static WEFT_QUANTITY_CHARS])
{
    int64_t whole;
    double number;
    size_t taken = weft_number_read(text, 0, &number);
    if (taken == 0 || number - number != 0)
        return false;
    const char *name = weft_quantity_unit(text);
    if (*name == '\0' && weft_integer_read(text, &whole)) {
        (void)snprintf(out, WEFT_QUANTITY_CHARS, "%lld", (long long)whole);
        return text[taken] == '\0';
    }
    if ((*name == '\0' && text[taken] != '\0') || (*name && !known_unit(name)))
        return false;
    char digits[WEFT_NUMBER_CHARS];
    bool tight = *name == '\0' || *name == '%' || *name == 'x';
    (void)snprintf(out, WEFT_QUANTITY_CHARS, "%s%s%s", weft_number_write(number, digits),
                   tight ? "" : " ", name);
    return true;
}
