/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and quantities: exact reading, shortest writing. */
#include "config/number.h"
#include "config/units.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void check_read(weft_param_type type, const char *text, double value, int base)
{
    weft_quantity quantity;
    assert_int_equal(weft_quantity_read(type, text, &quantity), WEFT_QUANTITY_OK);
    assert_true(quantity.value == value);
    assert_int_equal(quantity.base, base);
}

static void quantities_read_exactly(void **state)
{
    (void)state;
    check_read(WEFT_PARAM_DURATION, "2.3 ns", 2300, WEFT_PICOSECONDS);
    check_read(WEFT_PARAM_DURATION, "0.001ns", 1, WEFT_PICOSECONDS);
    check_read(WEFT_PARAM_DURATION, "1 µs", 1e6, WEFT_PICOSECONDS);
    check_read(WEFT_PARAM_DURATION, "1.5 h", 5.4e15, WEFT_PICOSECONDS);
    check_read(WEFT_PARAM_DURATION, "2 min", 1.2e14, WEFT_PICOSECONDS);
    check_read(WEFT_PARAM_DURATION, "1 cycle", 1, WEFT_CYCLES);
    check_read(WEFT_PARAM_DURATION, "0", 0, WEFT_CYCLES);
    check_read(WEFT_PARAM_SIZE, "4 KiB", 4096, WEFT_BYTES);
    check_read(WEFT_PARAM_SIZE, "4 KB", 4000, WEFT_BYTES);
    check_read(WEFT_PARAM_SIZE, "64 flits", 64, WEFT_FLITS);
    check_read(WEFT_PARAM_ROOM, "64 flits", 64, WEFT_FLITS);
    check_read(WEFT_PARAM_ROOM, "4 KiB", 4096, WEFT_BYTES);
    check_read(WEFT_PARAM_ROOM, "1 packet", 1, WEFT_PACKETS);
    check_read(WEFT_PARAM_ROOM, "0", 0, WEFT_FLITS);
    check_read(WEFT_PARAM_RATE, "400 Gb/s", 4e11, WEFT_BITS_PER_SECOND);
    check_read(WEFT_PARAM_RATE, "1xSDR", 2e9, WEFT_BITS_PER_SECOND);
    check_read(WEFT_PARAM_RATE, "12xDDR", 48e9, WEFT_BITS_PER_SECOND);
    check_read(WEFT_PARAM_RATE, "4xQDR", 32e9, WEFT_BITS_PER_SECOND);
    check_read(WEFT_PARAM_RATE, "4xFDR10", 40e9, WEFT_BITS_PER_SECOND);
    check_read(WEFT_PARAM_RATE, "4xFDR", 54.544e9, WEFT_BITS_PER_SECOND);
    check_read(WEFT_PARAM_RATE, "4xEDR", 100e9, WEFT_BITS_PER_SECOND);
    check_read(WEFT_PARAM_RATE, "2xHDR", 100e9, WEFT_BITS_PER_SECOND);
    check_read(WEFT_PARAM_RATE, "4xNDR", 400e9, WEFT_BITS_PER_SECOND);
    check_read(WEFT_PARAM_RATE, "8xXDR", 1600e9, WEFT_BITS_PER_SECOND);
    check_read(WEFT_PARAM_RATE, "1.1 GB/s", 8.8e9, WEFT_BITS_PER_SECOND);
    check_read(WEFT_PARAM_RATE, "0.5 flits/cycle", 0.5, WEFT_FLITS_PER_CYCLE);
    check_read(WEFT_PARAM_RATE, "1 flit/cycle", 1, WEFT_FLITS_PER_CYCLE);
    check_read(WEFT_PARAM_FREQUENCY, "1.2 GHz", 1.2e9, 0);
    check_read(WEFT_PARAM_FRACTION, "95%", 0.95, 0);
    check_read(WEFT_PARAM_FRACTION, "0.3", 0.3, 0);
}

static void quantities_refuse_what_they_are_not(void **state)
{
    (void)state;
    weft_quantity q;
    assert_int_equal(weft_quantity_read(WEFT_PARAM_DURATION, "5", &q), WEFT_QUANTITY_NO_UNIT);
    assert_int_equal(weft_quantity_read(WEFT_PARAM_DURATION, "5 B", &q), WEFT_QUANTITY_BAD_UNIT);
    assert_int_equal(weft_quantity_read(WEFT_PARAM_DURATION, "5 nsx", &q), WEFT_QUANTITY_BAD_UNIT);
    assert_int_equal(weft_quantity_read(WEFT_PARAM_SIZE, "some B", &q), WEFT_QUANTITY_NO_NUMBER);
    assert_int_equal(weft_quantity_read(WEFT_PARAM_SIZE, "4 packets", &q), WEFT_QUANTITY_BAD_UNIT);
    assert_int_equal(weft_quantity_read(WEFT_PARAM_RATE, "2 flits", &q), WEFT_QUANTITY_BAD_UNIT);
    assert_int_equal(weft_quantity_read(WEFT_PARAM_RATE, "nan Gb/s", &q), WEFT_QUANTITY_NO_NUMBER);
    assert_int_equal(weft_quantity_read(WEFT_PARAM_RATE, "3xHDR", &q), WEFT_QUANTITY_BAD_WIDTH);
    assert_int_equal(weft_quantity_read(WEFT_PARAM_RATE, "4xHRD", &q), WEFT_QUANTITY_BAD_UNIT);
    assert_int_equal(weft_quantity_read(WEFT_PARAM_SIZE, "4xHDR", &q), WEFT_QUANTITY_BAD_UNIT);
    assert_int_equal(weft_quantity_read(WEFT_PARAM_RATE, "", &q), WEFT_QUANTITY_NO_NUMBER);
    assert_int_equal(weft_quantity_read(WEFT_PARAM_FREQUENCY, "0x10 Hz", &q),
                     WEFT_QUANTITY_BAD_UNIT);
}

static void check_write(weft_param_type type, const char *text, const char *wanted)
{
    weft_quantity quantity;
    char out[WEFT_QUANTITY_CHARS];
    assert_int_equal(weft_quantity_read(type, text, &quantity), WEFT_QUANTITY_OK);
    assert_string_equal(weft_quantity_write(type, quantity, out), wanted);
}

static void quantities_are_written_shortly(void **state)
{
    (void)state;
    check_write(WEFT_PARAM_DURATION, "1000 ns", "1 us");
    check_write(WEFT_PARAM_DURATION, "1500 ns", "1.5 us");
    check_write(WEFT_PARAM_DURATION, "90 s", "90 s");
    check_write(WEFT_PARAM_DURATION, "1 cycles", "1 cycle");
    check_write(WEFT_PARAM_DURATION, "0.5 ps", "0.5 ps");
    check_write(WEFT_PARAM_DURATION, "0 ns", "0 ps");
    check_write(WEFT_PARAM_SIZE, "4096 B", "4 KiB");
    check_write(WEFT_PARAM_SIZE, "1 flits", "1 flit");
    check_write(WEFT_PARAM_SIZE, "1500 B", "1500 B");
    check_write(WEFT_PARAM_ROOM, "1 packets", "1 packet");
    check_write(WEFT_PARAM_ROOM, "4 packets", "4 packets");
    check_write(WEFT_PARAM_ROOM, "8192 B", "8 KiB");
    check_write(WEFT_PARAM_ROOM, "1 flit", "1 flit");
    check_write(WEFT_PARAM_RATE, "12.5 GB/s", "100 Gb/s");
    check_write(WEFT_PARAM_RATE, "1 Gb/s", "1 Gb/s");
    check_write(WEFT_PARAM_RATE, "4xHDR", "200 Gb/s");
    check_write(WEFT_PARAM_RATE, "0.50 flits/cycle", "0.5 flits/cycle");
    check_write(WEFT_PARAM_FREQUENCY, "1333 MHz", "1333 MHz");
    check_write(WEFT_PARAM_FRACTION, "30%", "0.3");
}

static void check_number(double value, const char *wanted)
{
    char out[WEFT_NUMBER_CHARS];
    double back;
    assert_string_equal(weft_number_write(value, out), wanted);
    assert_int_equal(weft_number_read(out, 0, &back), strlen(out));
    assert_true(back == value);
}

static void numbers_are_written_shortly(void **state)
{
    (void)state;
    check_number(0, "0");
    check_number(-0.25, "-0.25");
    check_number(0.1, "0.1");
    check_number(0.1 + 0.2, "0.30000000000000004");
    check_number(1e6, "1000000");
    check_number(1.5e17, "150000000000000000");
    check_number(1e18, "1e+18");
    check_number(123456.789, "123456.789");
    check_number(1e-6, "0.000001");
    check_number(2.5e-7, "2.5e-7");
    check_number(1.7976931348623157e308, "1.7976931348623157e+308");
    check_number(5e-324, "5e-324");
}

static void numbers_do_not_follow_the_locale(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        skip();
    check_number(0.25, "0.25");
    setlocale(LC_NUMERIC, "C");
}

static void integers_read_exactly(void **state)
{
    (void)state;
    int64_t value;
    assert_true(weft_integer_read("9007199254740993", &value));
    assert_int_equal(value, 9007199254740993);
    assert_true(weft_integer_read("-7", &value));
    assert_int_equal(value, -7);
    assert_true(weft_integer_read("5e6", &value));
    assert_int_equal(value, 5000000);
    assert_false(weft_integer_read("1.5", &value));
    assert_false(weft_integer_read("99999999999999999999", &value));
    assert_false(weft_integer_read("1e30", &value));
    assert_false(weft_integer_read("", &value));
    assert_false(weft_integer_read("0x10", &value));
}

static void canonical_forms_are_unique(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"0.30", "0.3"},          {"+5", "5"},      {"007", "7"},
                                           {"5.0ns", "5 ns"},        {"30.0%", "30%"}, {"1.0", "1"},
                                           {"64  flits", "64 flits"}};
    char out[WEFT_QUANTITY_CHARS];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_true(weft_quantity_canonical(pairs[i][0], out));
        assert_string_equal(out, pairs[i][1]);
    }
    assert_false(weft_quantity_canonical("16x16", out));
    assert_false(weft_quantity_canonical("diagonal", out));
    assert_false(weft_quantity_canonical("1e999", out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_read_exactly),
        cmocka_unit_test(quantities_refuse_what_they_are_not),
        cmocka_unit_test(quantities_are_written_shortly),
        cmocka_unit_test(numbers_are_written_shortly),
        cmocka_unit_test(numbers_do_not_follow_the_locale),
        cmocka_unit_test(integers_read_exactly),
        cmocka_unit_test(canonical_forms_are_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
