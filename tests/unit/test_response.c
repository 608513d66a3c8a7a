/* SPDX-License-Identifier: Apache-2.0 */
/* Response laws: every number of d_response.csv and of the table beside it, and what every law
 * promises. */
#include "unit/test_model.h"

#include "contract/settings.h"
#include "net/traffic/response.h"

#define RATE_MAX (1e9 / 2068)

static void compare_law(table *t, size_t row, const char *law, const char *column)
{
    asked a;
    char name[40];
    double min = RATE_MAX / cell_value(t, row, "Rmin_div"), rate = cell_value(t, row, "r_pps");
    must_ask(&a, "response law=%s min=%.17g rate=%.17g", law, min, rate < min ? min : rate);
    snprintf(name, sizeof name, "%s_finc", column);
    compare_cell(t, row, name, 0, answer(&a, "increase"));
    snprintf(name, sizeof name, "%s_fdec", column);
    compare_cell(t, row, name, 0, answer(&a, "decrease"));
    ask_done(&a);
}

/* The unit MB/s of the file is RATE_MAX / 1000 packets/s, of which it has six digits only; rates
 * are exact powers of √2 of the minimum, likewise. */
static void rates_of_the_reference(void **state)
{
    (void)state;
    table t;
    table_open(&t, "d_response.csv");
    for (size_t row = 0; row < t.csv->rows; row++) {
        char law[100];
        double reference = cell_value(&t, row, "Rref_pps");
        if (fabs(reference - RATE_MAX / 1000) < 1e-6)
            reference = RATE_MAX / 1000;
        snprintf(law, sizeof law, "{kind:\tpipd,reference:\t%.17g}", reference);
        compare_law(&t, row, law, "PIPD");
        compare_law(&t, row, "fimd", "FIMD");
    }
    table_done(&t, 4 * t.csv->rows);
}

/* ACKs and time (µs) from the minimum to the maximum; f_inc(min) / max; f_dec(max) / min. */
static const struct {
    const char *law;
    double divisor, acks, time, jump, fall;
} climbs[] = {
    {"{kind:\tpipd,reference:\t1}", 256, 1, 529, 1, 1},
    {"{kind:\tpipd,reference:\t1}", 128, 1, 265, 1, 1},
    {"{kind:\tpipd,reference:\t483.559}", 256, 23, 621, .233, 1.44},
    {"{kind:\tpipd,reference:\t483.559}", 128, 1, 265, 1, 1},
    {"{kind:\tpipd,reference:\t944.45116}", 256, 34, 840, .031, 2.38},
    {"{kind:\tpipd,reference:\t944.45116}", 128, 9, 288, .5, 1.19},
    {"{kind:\tpipd,reference:\t1000}", 256, 35, 870, .026, 2.48},
    {"{kind:\tpipd,reference:\t1000}", 128, 10, 294, .421, 1.24},
    {"fimd", 256, 181, 2118, .016, 64},
    {"fimd", 128, 89, 927, .031, 32},
};

static void climbs_of_the_reference(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof climbs / sizeof *climbs; i++) {
        double min = RATE_MAX / climbs[i].divisor;
        asked a;
        must_ask(&a, "response law=%s min=%.17g rate=%.17g conditions=true", climbs[i].law, min,
                 min);
        assert_true(answer(&a, "ACKs to max") == climbs[i].acks);
        assert_true(fabs(answer(&a, "time to max") * 1e6 - climbs[i].time) <= 0.5);
        assert_true(fabs(answer(&a, "increase") / RATE_MAX - climbs[i].jump) <= 0.0005);
        double from = fmin(answer(&a, "condition 1 from"), RATE_MAX);
        assert_true(fabs(from / RATE_MAX - climbs[i].jump) <= 0.0005);
        ask_done(&a);
        must_ask(&a, "response law=%s min=%.17g", climbs[i].law, min);
        assert_true(fabs(answer(&a, "decrease") / min - climbs[i].fall) <= 0.005);
        ask_done(&a);
    }
}

/* Recovery takes 1 / min but for the rounding to whole ACKs: 1 … 1.15 (PIPD), 1 … 1.25 (FIMD). */
static void conditions_of_the_reference(void **state)
{
    (void)state;
    const struct {
        const char *law;
        double most;
    } laws[] = {{"fimd", 1.25}, {"pipd", 1.15}};
    for (int k = 0; k < 2; k++) {
        asked a;
        must_ask(&a, "response law=%s conditions=true", laws[k].law);
        double least = answer(&a, "condition 3 least"), most = answer(&a, "condition 3 greatest");
        assert_true(least >= 1 - 1e-9 && least < 1.001 && most <= laws[k].most);
        assert_true(answer(&a, "condition 2") <= most - 1 + 1e-9);
        double share = log(RATE_MAX / answer(&a, "condition 1 from")) / log(256);
        assert_true(fabs(answer(&a, "condition 1") - share) < 0.001);
        ask_done(&a);
    }
}

static void wrong_settings_are_named(void **state)
{
    (void)state;
    const char *const wrong[][2] = {
        {"response law={kind:\tpipd,reference:\t1889}", "law: the reference of pipd must be below"},
        {"response min=500000", "min must be below max"},
        {"response rate=1000", "rate must be 1888.90"},
        {"response law=pidp", "did you mean 'pipd'?"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        asked a;
        weft_error err;
        assert_int_equal(ask(&a, &err, wrong[i][0]), WEFT_BAD_INPUT);
        if (!strstr(err.text, wrong[i][1]))
            fail_msg("%s", err.text);
        ask_done(&a);
    }
}

/* Within the limits, never up by a mark nor down without one, and faster flows stay faster after a
 * mark. The rate whose decrease is the minimum is the one that the law names. */
static void every_law_keeps_its_promises(void **state)
{
    (void)state;
    for (const weft_component *const *kind = weft_response_kinds; *kind; kind++) {
        if (((const weft_response_kind *)(const void *)*kind)->reaction)
            continue; /* test_reaction.c */
        weft_response law = {.kind = (const weft_response_kind *)(const void *)*kind,
                             .settings = settings_make(*kind, ""),
                             .min = RATE_MAX / 256,
                             .max = RATE_MAX};
        double before = 0, to_min = weft_response_decrease(&law, law.kind->unclipped(&law));
        assert_true(fabs(to_min / law.min - 1) < 1e-12);
        for (double rate = law.min; rate <= law.max; rate *= 1.01) {
            double up = weft_response_increase(&law, rate);
            double down = weft_response_decrease(&law, rate);
            assert_true(up >= rate && up <= law.max && down <= rate && down >= law.min);
            assert_true(down >= before);
            before = down;
        }
        free((void *)law.settings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_of_the_reference),       cmocka_unit_test(climbs_of_the_reference),
        cmocka_unit_test(conditions_of_the_reference),  cmocka_unit_test(wrong_settings_are_named),
        cmocka_unit_test(every_law_keeps_its_promises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
