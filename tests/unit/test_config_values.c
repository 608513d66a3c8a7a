/* SPDX-License-Identifier: Apache-2.0 */
/* One value against one parameter of every type: the number that it becomes, at the bounds of its
 * range too, or the exact sentence that refuses it. */
#include "config/bind/bind.h"
#include "test_config_group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef union field {
    int64_t whole;
    double real;
    bool flag;
    const char *text;
    int choice;
    weft_duration duration;
    weft_size size;
    weft_rate rate;
    weft_ints ints;
    weft_reals reals;
    weft_file file;
    weft_hosts hosts;
    weft_kind_ref kind;
    weft_kinds kinds;
} field;

static const char *const colours[] = {"red", "green", NULL};

#define P(label, kind, low, high, ...)                                                 \
    {                                                                                  \
        .name = label, .type = WEFT_PARAM_##kind, .min = low, .max = high, __VA_ARGS__ \
    }
static const weft_param params[] = {
    P("int", INT, 2, 100, .fallback = "none"),
    P("any-int", INT, 0, 0, .fallback = NULL),
    P("endless", INT, 1, 1e18, .fallback = NULL),
    P("real", REAL, -0.5, 2, .fallback = "none"),
    P("any-real", REAL, 0, 0, .fallback = NULL),
    P("below", REAL, -1e18, 5, .fallback = NULL),
    P("fraction", FRACTION, 0.01, 1, .fallback = "none"),
    P("any-fraction", FRACTION, 0, 0, .fallback = NULL),
    P("flag", FLAG, 0, 0, .fallback = "none"),
    P("text", TEXT, 0, 0, .fallback = "none"),
    P("file", FILE, 0, 0, .fallback = "none"),
    P("choice", CHOICE, 0, 0, .choices = colours, .fallback = "none"),
    P("duration", DURATION, 10, 1000, .fallback = "none"),
    P("any-duration", DURATION, 0, 0, .fallback = NULL),
    P("size", SIZE, 1, 1e6, .fallback = "none"),
    P("any-size", SIZE, 0, 0, .fallback = NULL),
    P("room", ROOM, 1, 1e6, .fallback = "none"),
    P("rate", RATE, 1e9, 1e12, .fallback = "none"),
    P("frequency", FREQUENCY, 1e6, 1e12, .fallback = "none"),
    P("factor", FACTOR, 0, 0, .fallback = "none"),
    P("ints", INTS, 2, 65535, .fallback = "none"),
    P("any-ints", INTS, 0, 0, .fallback = "[7, 8, 9]"),
    P("reals", REALS, 0.5, 9, .fallback = "none"),
    P("hosts", HOSTS, 0, 0, .fallback = "none"),
    P("length", KIND, 0, 0, .family = "length", .fallback = "none"),
    P("pattern", KIND, 0, 0, .family = "pattern", .fallback = "uniform"),
    P("lost", KIND, 0, 0, .family = "nowhere"),
    P("lengths", KINDS, 0, 0, .family = "length", .fallback = "none"),
};

static const weft_param *param_named(const char *name)
{
    size_t i = 0;
    while (strcmp(params[i].name, name) != 0)
        i++;
    return &params[i];
}

/* Binds a text of YAML, NULL for none; the first line of the message, or "". */
static const char *bind(const char *name, const char *text, field *out, weft_arena *arena)
{
    weft_error err = {""};
    weft_binder binder = {.registry = &registry, .arena = arena, .err = &err};
    const weft_node *node = NULL;
    size_t nodes = 1000;
    memset(out, 0xA5, sizeof *out);
    if (text) {
        const weft_source *source = weft_source_of_text("t.yaml", text, strlen(text), false, arena);
        assert_int_equal(weft_tree_parse(source, 0, &nodes, arena, &node, &err), WEFT_OK);
    }
    weft_status status = weft_bind_value(&binder, "it", param_named(name), node, out);
    assert_int_equal(status, *err.text ? WEFT_BAD_INPUT : WEFT_OK);
    return weft_arena_copy(arena, err.text, strcspn(err.text, "\n"));
}

static const struct {
    const char *name, *text, *message;
} refused[] = {
    {"int", "1", "t.yaml:1:1: it must be 2 … 100, found 1"},
    {"int", "101", "t.yaml:1:1: it must be 2 … 100, found 101"},
    {"int", "2x", "t.yaml:1:1: it must be a whole number, found '2x'"},
    {"int", "word", "t.yaml:1:1: it must be a whole number, found 'word'"},
    {"int", "2.5", "t.yaml:1:1: it must be a whole number, found '2.5'"},
    {"int", "1e30", "t.yaml:1:1: it must be a whole number, found '1e30', which is beyond 64 bits"},
    {"int", "-1e30",
     "t.yaml:1:1: it must be a whole number, found '-1e30', which is beyond 64 bits"},
    {"int", "[2]", "t.yaml:1:1: it must be a whole number, found a list"},
    {"int", "''", "t.yaml:1:2: it must be a whole number, found ''"},
    {"int", "~", "t.yaml:1:1: it must be a whole number, found nothing"},
    {"any-int", "9223372036854775808",
     "t.yaml:1:1: it must be a whole number, found '9223372036854775808', which is beyond 64 bits"},
    {"endless", "0", "t.yaml:1:1: it must be at least 1, found 0"},
    {"real", "-0.51", "t.yaml:1:1: it must be -0.5 … 2, found -0.51"},
    {"real", "2.01", "t.yaml:1:1: it must be -0.5 … 2, found 2.01"},
    {"real", "2 s", "t.yaml:1:1: it must be a number, found '2 s'"},
    {"real", "word", "t.yaml:1:1: it must be a number, found 'word'"},
    {"real", "1e999",
     "t.yaml:1:1: it must be a number, found '1e999', which is too large a number"},
    {"real", "{}", "t.yaml:1:1: it must be a number, found an empty map"},
    {"below", "5.5", "t.yaml:1:1: it must be at most 5, found 5.5"},
    {"below", "-2e18", "t.yaml:1:1: it must be -1e+18 … 5, found -2e18"},
    {"fraction", "0.001", "t.yaml:1:1: it must be 0.01 … 1, found 0.001"},
    {"fraction", "0", "t.yaml:1:1: it must be 0.01 … 1, found 0"},
    {"fraction", "20", "t.yaml:1:1: it must be 0.01 … 1, found 20; did you mean 20%?"},
    {"fraction", "101", "t.yaml:1:1: it must be 0.01 … 1, found 101"},
    {"fraction", "150%", "t.yaml:1:1: it must be 0.01 … 1, found 150%"},
    {"fraction", "0.5 s",
     "t.yaml:1:1: it must be a fraction such as 0.3 or 30%, found '0.5 s', whose unit 's' is not "
     "one of %"},
    {"fraction", "word", "t.yaml:1:1: it must be a fraction such as 0.3 or 30%, found 'word'"},
    {"flag", "yes", "t.yaml:1:1: it must be true or false, found 'yes'"},
    {"flag", "1", "t.yaml:1:1: it must be true or false, found '1'"},
    {"text", "[a]", "t.yaml:1:1: it must be text, found a list"},
    {"text", "~", "t.yaml:1:1: it must be text, found nothing"},
    {"file", "''", "t.yaml:1:2: it must be the name of a file, found ''"},
    {"file", "{a: 1}", "t.yaml:1:1: it must be the name of a file, found a map"},
    {"choice", "gren",
     "t.yaml:1:1: it must be one of red, green, found 'gren'; did you mean 'green'?"},
    {"choice", "blue", "t.yaml:1:1: it must be one of red, green, found 'blue'"},
    {"duration", "9 cycles", "t.yaml:1:1: it must be 10 cycles … 1000 cycles, found 9 cycles"},
    {"duration", "1001 cycles",
     "t.yaml:1:1: it must be 10 cycles … 1000 cycles, found 1001 cycles"},
    {"duration", "2 ns", "t.yaml:1:1: it must be 10 ps … 1 ns, found 2 ns"},
    {"duration", "20",
     "t.yaml:1:1: it must be a duration such as 2 cycles or 5 ns, found '20' without a unit "
     "(cycles, ps, ns, us, ms, s, min, h)"},
    {"duration", "20 parsec",
     "t.yaml:1:1: it must be a duration such as 2 cycles or 5 ns, found '20 parsec', whose unit "
     "'parsec' is not one of cycles, ps, ns, us, ms, s, min, h"},
    {"duration", "word",
     "t.yaml:1:1: it must be a duration such as 2 cycles or 5 ns, found 'word'"},
    {"duration", "1e999 s",
     "t.yaml:1:1: it must be a duration such as 2 cycles or 5 ns, found '1e999 s', which is too "
     "large a number"},
    {"any-duration", "-1 cycles", "t.yaml:1:1: it must be at least 0 cycles, found -1 cycles"},
    {"any-duration", "9.1e18 ps", "t.yaml:1:1: it must be at most 2500 h, found 9.1e18 ps"},
    {"size", "0 B", "t.yaml:1:1: it must be 1 B … 1000000 B, found 0 B"},
    {"size", "2 MB", "t.yaml:1:1: it must be 1 B … 1000000 B, found 2 MB"},
    {"size", "8 packets",
     "t.yaml:1:1: it must be a size such as 64 B or 64 flits, found '8 packets', whose unit "
     "'packets' is not one of flits, B, KiB, MiB, GiB, kB, MB, GB"},
    {"size", "8",
     "t.yaml:1:1: it must be a size such as 64 B or 64 flits, found '8' without a unit (flits, B, "
     "KiB, MiB, GiB, kB, MB, GB)"},
    {"any-size", "-1 B", "t.yaml:1:1: it must be 0 B … 1024 GiB, found -1 B"},
    {"any-size", "1025 GiB", "t.yaml:1:1: it must be 0 B … 1024 GiB, found 1025 GiB"},
    {"room", "8 s",
     "t.yaml:1:1: it must be a size such as 4 KiB, 64 flits or 4 packets, found '8 s', whose unit "
     "'s' is not one of flits, packets, B, KiB, MiB, GiB, kB, MB, GB"},
    {"rate", "1 Mb/s", "t.yaml:1:1: it must be 1 Gb/s … 1 Tb/s, found 1 Mb/s"},
    {"rate", "2 Tb/s", "t.yaml:1:1: it must be 1 Gb/s … 1 Tb/s, found 2 Tb/s"},
    {"rate", "0.0009 flits/cycle",
     "t.yaml:1:1: it must be 0.001 flits/cycle … 1000 flits/cycle, found 0.0009 flits/cycle"},
    {"rate", "1001 flits/cycle",
     "t.yaml:1:1: it must be 0.001 flits/cycle … 1000 flits/cycle, found 1001 flits/cycle"},
    {"rate", "3xHDR",
     "t.yaml:1:1: it must be a rate such as 400 Gb/s, 4xHDR or 0.5 flits/cycle, found '3xHDR', "
     "whose width is not one of 1x, 2x, 4x, 8x, 12x"},
    {"rate", "4xHRD",
     "t.yaml:1:1: it must be a rate such as 400 Gb/s, 4xHDR or 0.5 flits/cycle, found '4xHRD'; did "
     "you mean 4xHDR?"},
    {"rate", "4xQQQ",
     "t.yaml:1:1: it must be a rate such as 400 Gb/s, 4xHDR or 0.5 flits/cycle, found '4xQQQ'; did "
     "you mean 4xQDR?"},
    {"rate", "4 Gbps",
     "t.yaml:1:1: it must be a rate such as 400 Gb/s, 4xHDR or 0.5 flits/cycle, found '4 Gbps', "
     "whose unit 'Gbps' is not one of b/s, kb/s, Mb/s, Gb/s, Tb/s, B/s, kB/s, MB/s, GB/s, TB/s, "
     "flits/cycle, and 1x, 2x, 4x, 8x or 12x SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR, XDR "
     "(4xHDR); did you mean 'Gb/s'?"},
    {"rate", "8 flits",
     "t.yaml:1:1: it must be a rate such as 400 Gb/s, 4xHDR or 0.5 flits/cycle, found '8 flits', "
     "whose unit 'flits' is not one of b/s, kb/s, Mb/s, Gb/s, Tb/s, B/s, kB/s, MB/s, GB/s, TB/s, "
     "flits/cycle, and 1x, 2x, 4x, 8x or 12x SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR, XDR "
     "(4xHDR)"},
    {"frequency", "1 kHz", "t.yaml:1:1: it must be 1 MHz … 1 THz, found 1 kHz"},
    {"frequency", "10 THz", "t.yaml:1:1: it must be 1 MHz … 1 THz, found 10 THz"},
    {"frequency", "1 s",
     "t.yaml:1:1: it must be a frequency such as 1 GHz, found '1 s', whose unit 's' is not one of "
     "Hz, kHz, MHz, GHz, THz"},
    {"frequency", "5",
     "t.yaml:1:1: it must be a frequency such as 1 GHz, found '5' without a unit (Hz, kHz, MHz, "
     "GHz, THz)"},
    {"factor", "0", "t.yaml:1:1: it must be 1 … 64, found 0"},
    {"factor", "65", "t.yaml:1:1: it must be 1 … 64, found 65"},
    {"factor", "1.5", "t.yaml:1:1: it must be a whole number, found '1.5'"},
    {"ints", "[]", "t.yaml:1:1: it must have 1 … 256 entries, found 0"},
    {"ints", "7", "t.yaml:1:1: it must be a list of whole numbers such as [16, 16], found '7'"},
    {"ints", "[[7]]",
     "t.yaml:1:2: it must be a list of whole numbers such as [16, 16], found a list in it"},
    {"ints", "[1]", "t.yaml:1:2: it must be 2 … 65535, found 1"},
    {"ints", "[4, 65536]", "t.yaml:1:5: it must be 2 … 65535, found 65536"},
    {"ints", "[4, x]",
     "t.yaml:1:5: it must be a list of whole numbers such as [16, 16], found 'x' in it"},
    {"ints", "[4, 4x]",
     "t.yaml:1:5: it must be a list of whole numbers such as [16, 16], found '4x' in it"},
    {"ints", "[4, 2.5]",
     "t.yaml:1:5: it must be a list of whole numbers such as [16, 16], found '2.5' in it"},
    {"any-ints", "[2147483648]",
     "t.yaml:1:2: it must be -2147483648 … 2147483647, found 2147483648"},
    {"any-ints", "[-2147483649]",
     "t.yaml:1:2: it must be -2147483648 … 2147483647, found -2147483649"},
    {"reals", "[]", "t.yaml:1:1: it must have 1 … 256 entries, found 0"},
    {"reals", "7", "t.yaml:1:1: it must be a list of numbers such as [8, 16.5], found '7'"},
    {"reals", "[[7]]",
     "t.yaml:1:2: it must be a list of numbers such as [8, 16.5], found a list in it"},
    {"reals", "[0.4]", "t.yaml:1:2: it must be 0.5 … 9, found 0.4"},
    {"reals", "[9.5]", "t.yaml:1:2: it must be 0.5 … 9, found 9.5"},
    {"reals", "[1, x]", "t.yaml:1:5: it must be a list of numbers such as [8, 16.5], found 'x'"},
    {"reals", "[1, 1e999]",
     "t.yaml:1:5: it must be a list of numbers such as [8, 16.5], found '1e999', which is too "
     "large a number"},
    {"hosts", "[]",
     "t.yaml:1:1: it must have 1 … 256 entries, found 0; a longer list may be a file: 'file NAME'"},
    {"hosts", "{a: 1}",
     "t.yaml:1:1: it must be endpoints such as all, 0-15, 'router (3, *)', group 2 or file NAME, "
     "or a list of these, found a map"},
    {"hosts", "~",
     "t.yaml:1:1: it must be endpoints such as all, 0-15, 'router (3, *)', group 2 or file NAME, "
     "or a list of these, found nothing"},
    {"hosts", "''",
     "t.yaml:1:2: it must be endpoints such as all, 0-15, 'router (3, *)', group 2 or file NAME, "
     "or a list of these, found ''"},
    {"hosts", "[[a]]",
     "t.yaml:1:2: it must be endpoints such as all, 0-15, 'router (3, *)', group 2 or file NAME, "
     "or a list of these, found a list"},
    {"length", "~",
     "t.yaml:1:1: it must be a kind of length (fixed, exponential, bimodal), found nothing"},
    {"length", "[8]", "t.yaml:1:1: it.size must be a size such as 64 B or 64 flits, found a list"},
    {"length", "{mean: 8 flits}",
     "t.yaml:1:1: it lacks the setting 'kind' (one of fixed, exponential, bimodal)"},
    {"length", "{kind: [fixed]}",
     "t.yaml:1:8: it: kind must be one of fixed, exponential, bimodal, found a list"},
    {"length", "{kind: ~}",
     "t.yaml:1:8: it: kind must be one of fixed, exponential, bimodal, found nothing"},
    {"length", "{kind: fixd, size: 8 flits}",
     "t.yaml:1:8: it: there is no length 'fixd' (known: fixed, exponential, bimodal); did you mean "
     "'fixed'?"},
    {"length", "{kind: fixed, sise: 8 flits}",
     "t.yaml:1:15: it has no setting 'sise'; did you mean 'size'?"},
    {"length", "{kind: fixed}", "t.yaml:1:1: it lacks the setting 'size' (of every message)"},
    {"length", "fxed",
     "t.yaml:1:1: it: there is no length 'fxed' (known: fixed, exponential, bimodal); did you mean "
     "'fixed'?"},
    {"length", "''", "t.yaml:1:2: it.size must be a size such as 64 B or 64 flits, found ''"},
    {"pattern", "~", "t.yaml:1:1: it must be a kind of pattern (uniform, hot-spot), found nothing"},
    {"pattern", "[uniform]",
     "t.yaml:1:1: it must be a kind of pattern (uniform, hot-spot), found a list"},
    {"pattern", "5", "t.yaml:1:1: it: there is no pattern '5' (known: uniform, hot-spot)"},
    {"lost", "uniform", "t.yaml:1:1: it: there is no family 'nowhere'"},
    {"lengths", "fixed", "t.yaml:1:1: it must be a list of kinds of length, found 'fixed'"},
    {"lengths", "[]", "t.yaml:1:1: it must have 1 … 16 entries, found 0"},
    {"lengths", "[{size: 8 flits}]",
     "t.yaml:1:2: it.0 lacks the setting 'kind' (one of fixed, exponential, bimodal)"},
    {"lengths", "[~]",
     "t.yaml:1:2: it.0 must be a kind of length (fixed, exponential, bimodal), found nothing"},
};

static void wrong_values_are_refused_with_what_would_be_right(void **state)
{
    (void)state;
    size_t different = 0;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        weft_arena arena;
        field out;
        weft_arena_init(&arena);
        const char *said = bind(refused[i].name, refused[i].text, &out, &arena);
        if (strcmp(said, refused[i].message) != 0) {
            print_error("%s: %s: %s\n", refused[i].name, refused[i].text, said);
            different++;
        }
        weft_arena_done(&arena);
    }
    assert_int_equal(different, 0);
}

/* As a number: a quantity in its base unit, of a list its last number. */
static double number_of(const weft_param *param, const field *it, int *unit)
{
    *unit = 0;
    switch (param->type) {
    case WEFT_PARAM_INT:
    case WEFT_PARAM_FACTOR:
        return (double)it->whole;
    case WEFT_PARAM_FLAG:
        return it->flag;
    case WEFT_PARAM_CHOICE:
        return it->choice;
    case WEFT_PARAM_DURATION:
        *unit = (int)it->duration.unit;
        return it->duration.value;
    case WEFT_PARAM_SIZE:
    case WEFT_PARAM_ROOM:
        *unit = (int)it->size.unit;
        return it->size.value;
    case WEFT_PARAM_RATE:
        *unit = (int)it->rate.unit;
        return it->rate.value;
    case WEFT_PARAM_INTS:
        *unit = it->ints.count;
        return it->ints.count ? it->ints.at[it->ints.count - 1] : 0;
    case WEFT_PARAM_REALS:
        *unit = it->reals.count;
        return it->reals.count ? it->reals.at[it->reals.count - 1] : 0;
    case WEFT_PARAM_HOSTS:
        return it->hosts.count;
    case WEFT_PARAM_KINDS:
        return it->kinds.count;
    case WEFT_PARAM_KIND:
        return it->kind.kind != NULL;
    case WEFT_PARAM_TEXT:
        return it->text != NULL;
    case WEFT_PARAM_FILE:
        return it->file.text != NULL;
    default:
        return it->real;
    }
}

static const struct {
    const char *name, *text; /* NULL: not given */
    double value;
    int unit; /* of a list: how many */
} taken[] = {
    {"int", "2", 2, 0},
    {"int", "100", 100, 0},
    {"int", "1e2", 100, 0},
    {"int", "none", (double)WEFT_NONE_INT, 0},
    {"int", NULL, (double)WEFT_NONE_INT, 0},
    {"any-int", "-9000000000000000000", -9e18, 0},
    {"endless", "1", 1, 0},
    {"real", "-0.5", -0.5, 0},
    {"real", "2", 2, 0},
    {"real", NULL, WEFT_NONE_REAL, 0},
    {"any-real", "-1.5e300", -1.5e300, 0},
    {"below", "5", 5, 0},
    {"fraction", "1%", 0.01, 0},
    {"fraction", "1", 1, 0},
    {"fraction", "none", WEFT_NONE_REAL, 0},
    {"any-fraction", "-3", -3, 0},
    {"flag", "true", 1, 0},
    {"flag", "false", 0, 0},
    {"flag", "none", 0, 0},
    {"text", "none", 0, 0},
    {"text", "'none'", 1, 0},
    {"file", NULL, 0, 0},
    {"choice", "red", 0, 0},
    {"choice", "green", 1, 0},
    {"choice", "none", -1, 0},
    {"duration", "10 cycles", 10, WEFT_CYCLES},
    {"duration", "1 ns", 1000, WEFT_PICOSECONDS},
    {"duration", "none", 0, WEFT_NO_TIME},
    {"any-duration", "0 cycles", 0, WEFT_CYCLES},
    {"any-duration", "9e18 ps", 9e18, WEFT_PICOSECONDS},
    {"size", "1 B", 1, WEFT_BYTES},
    {"size", "1e6 flits", 1e6, WEFT_FLITS},
    {"size", "none", 0, WEFT_NO_SIZE},
    {"any-size", "1024 GiB", 0x1p40, WEFT_BYTES},
    {"room", "3 packets", 3, WEFT_PACKETS},
    {"rate", "1 Gb/s", 1e9, WEFT_BITS_PER_SECOND},
    {"rate", "0.001 flits/cycle", 1e-3, WEFT_FLITS_PER_CYCLE},
    {"rate", "1000 flits/cycle", 1e3, WEFT_FLITS_PER_CYCLE},
    {"rate", "none", 0, WEFT_NO_RATE},
    {"frequency", "1 MHz", 1e6, 0},
    {"frequency", "none", WEFT_NONE_REAL, 0},
    {"factor", "1", 1, 0},
    {"factor", "64", 64, 0},
    {"factor", "none", (double)WEFT_NONE_INT, 0},
    {"ints", "[2]", 2, 1},
    {"ints", "[2, 65535]", 65535, 2},
    {"ints", "none", 0, 0},
    {"any-ints", "[-2147483648, 2147483647]", 2147483647, 2},
    {"any-ints", NULL, 9, 3},
    {"reals", "[0.5, 9]", 9, 2},
    {"reals", NULL, 0, 0},
    {"hosts", "0-15", 1, 0},
    {"hosts", "[all, file hosts.txt]", 2, 0},
    {"hosts", "none", 0, 0},
    {"length", "none", 0, 0},
    {"length", "8 flits", 1, 0},
    {"length", "{kind: exponential, mean: 8 flits}", 1, 0},
    {"pattern", "{}", 1, 0},
    {"pattern", NULL, 1, 0},
    {"lengths", "[8 flits, {kind: fixed, size: 9 flits}]", 2, 0},
    {"lengths", NULL, 0, 0},
};

static void right_values_reach_their_fields(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        weft_arena arena;
        field out;
        int unit;
        weft_arena_init(&arena);
        const char *said = bind(taken[i].name, taken[i].text, &out, &arena);
        double value = number_of(param_named(taken[i].name), &out, &unit);
        if (*said || value != taken[i].value || unit != taken[i].unit)
            fail_msg("%s: %s: %.17g, unit %d %s", taken[i].name,
                     taken[i].text ? taken[i].text : "default", value, unit, said);
        weft_arena_done(&arena);
    }
}

static void files_lie_beside_the_file_that_names_them(void **state)
{
    (void)state;
    weft_arena arena;
    field out;
    weft_arena_init(&arena);
    assert_string_equal(bind("file", "a/b.weftnet", &out, &arena), "");
    assert_string_equal(out.file.text, "a/b.weftnet");
    assert_string_equal(out.file.path, "a/b.weftnet");
    assert_string_equal(bind("hosts", "[group 2, file a/hosts.txt]", &out, &arena), "");
    assert_string_equal(out.hosts.at[0].text, "group 2");
    assert_null(out.hosts.at[0].path);
    assert_string_equal(out.hosts.at[1].text, "file a/hosts.txt");
    assert_string_equal(out.hosts.at[1].path, "a/hosts.txt");
    weft_arena_done(&arena);
}

/* 4096 bytes are taken, one more is refused. */
static void texts_have_a_longest(void **state)
{
    (void)state;
    static const char *const names[] = {"text", "hosts", "file"};
    for (size_t i = 0; i < 3; i++) {
        weft_arena arena;
        field out;
        char text[4098];
        weft_arena_init(&arena);
        memset(text, 'x', sizeof text);
        text[4096] = '\0';
        assert_string_equal(bind(names[i], text, &out, &arena), "");
        text[4096] = 'x';
        text[4097] = '\0';
        assert_string_equal(bind(names[i], text, &out, &arena),
                            "t.yaml:1:1: it is longer than 4096 bytes");
        weft_arena_done(&arena);
    }
}

/* 256 entries are taken, 257 refused; of kinds 16 and 17. */
static void lists_have_a_most(void **state)
{
    (void)state;
    static const struct {
        const char *name, *entry;
        int most;
        const char *more;
    } lists[] = {{"ints", "2,", 256, ""},
                 {"reals", "2,", 256, ""},
                 {"hosts", "2,", 256, "; a longer list may be a file: 'file NAME'"},
                 {"lengths", "2 flits,", 16, ""}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        weft_arena arena;
        field out;
        weft_arena_init(&arena);
        const char *text = "[";
        for (int k = 0; k < lists[i].most; k++)
            text = weft_arena_format(&arena, "%s%s", text, lists[i].entry);
        assert_string_equal(
            bind(lists[i].name, weft_arena_format(&arena, "%s]", text), &out, &arena), "");
        text = weft_arena_format(&arena, "%s%s]", text, lists[i].entry);
        char *wanted =
            weft_arena_format(&arena, "t.yaml:1:1: it must have 1 … %d entries, found %d%s",
                              lists[i].most, lists[i].most + 1, lists[i].more);
        assert_string_equal(bind(lists[i].name, text, &out, &arena), wanted);
        weft_arena_done(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_values_are_refused_with_what_would_be_right),
        cmocka_unit_test(right_values_reach_their_fields),
        cmocka_unit_test(files_lie_beside_the_file_that_names_them),
        cmocka_unit_test(texts_have_a_longest),
        cmocka_unit_test(lists_have_a_most),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
