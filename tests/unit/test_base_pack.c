/* SPDX-License-Identifier: Apache-2.0 */
/* base/pack: the bytes are the same everywhere, everything comes back, and nothing is read past the
 * end, wherever the end is. */
#include "base/pack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void pack_writes_little_endian(void **state)
{
    (void)state;
    static const unsigned char expected[] = {
        0x04, 0x03, 0x02, 0x01,                         /* u32 */
        0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, /* u64 */
        0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, /* −2 */
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf8, 0xbf, /* −1.5 */
        0x02, 0x00, 0x00, 0x00, 'h',  'i',  'x',  'y',  'z',
    };
    weft_pack out = {0};
    weft_pack_u32(&out, 0x01020304);
    weft_pack_u64(&out, 0x0102030405060708);
    weft_pack_i64(&out, -2);
    weft_pack_double(&out, -1.5);
    weft_pack_text(&out, "hi");
    weft_pack_bytes(&out, "xyz", 3);
    weft_pack_bytes(&out, NULL, 0);
    assert_int_equal(out.count, sizeof expected);
    assert_memory_equal(out.data, expected, sizeof expected);
    weft_pack_done(&out);
    assert_int_equal(out.count, 0);
}

static void pack_and_unpack_give_back_everything(void **state)
{
    (void)state;
    static const uint64_t words[] = {0, 1, 255, 256, UINT32_MAX, INT64_MAX, 1ull << 63, UINT64_MAX};
    static const double reals[] = {0.0, -0.0, 1.0 / 3, 1e308, 5e-324};
    weft_pack out = {0};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        weft_pack_u32(&out, (uint32_t)words[i]);
        weft_pack_u64(&out, words[i]);
        weft_pack_i64(&out, (int64_t)words[i]);
    }
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        weft_pack_double(&out, reals[i]);
    weft_unpack in = weft_unpack_of(out.data, out.count);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        assert_true(weft_unpack_u32(&in) == (uint32_t)words[i]);
        assert_true(weft_unpack_u64(&in) == words[i]);
        assert_true(weft_unpack_i64(&in) == (int64_t)words[i]);
    }
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        double real = weft_unpack_double(&in);
        assert_memory_equal(&real, &reals[i], sizeof real);
    }
    assert_true(weft_unpack_end(&in));
    weft_pack_done(&out);
}

static void pack_grows_as_far_as_needed(void **state)
{
    (void)state;
    weft_pack out = {0};
    for (uint32_t i = 0; i < 100000; i++)
        weft_pack_u32(&out, i * 2654435761u);
    unsigned char *large = calloc(1000000, 1);
    weft_pack_bytes(&out, large, 1000000);
    free(large);
    assert_int_equal(out.count, 1400000);
    weft_unpack in = weft_unpack_of(out.data, out.count);
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(weft_unpack_u32(&in), i * 2654435761u);
    assert_int_equal(weft_unpack_left(&in), 1000000);
    weft_pack_done(&out);
}

/* A record of every kind of field, read from the first `bytes` bytes in a block of just that size,
 * so that a sanitizer sees every byte too many. */
static bool read_record(const weft_pack *record, size_t bytes)
{
    unsigned char *exact = malloc(bytes ? bytes : 1);
    if (bytes > 0)
        memcpy(exact, record->data, bytes);
    weft_arena arena;
    weft_arena_init(&arena);
    weft_unpack in = weft_unpack_of(exact, bytes);
    (void)weft_unpack_u32(&in);
    (void)weft_unpack_text(&in, &arena);
    const char *three = weft_unpack_bytes(&in, 3);
    double real = weft_unpack_double(&in);
    int64_t last = weft_unpack_i64(&in);
    bool whole = weft_unpack_end(&in);
    if (bytes == record->count)
        assert_true(three && memcmp(three, "xyz", 3) == 0 && real == 2.5 && last == -7);
    else
        assert_true(in.failed ? last == 0 && weft_unpack_left(&in) == 0 : !whole);
    weft_arena_done(&arena);
    free(exact);
    return whole;
}

static void unpack_fails_on_every_truncation(void **state)
{
    (void)state;
    weft_pack out = {0};
    weft_pack_u32(&out, 1);
    weft_pack_text(&out, "a text");
    weft_pack_bytes(&out, "xyz", 3);
    weft_pack_double(&out, 2.5);
    weft_pack_i64(&out, -7);
    for (size_t bytes = 0; bytes < out.count; bytes++)
        assert_false(read_record(&out, bytes));
    assert_true(read_record(&out, out.count));
    weft_pack_u32(&out, 0);
    weft_unpack in = weft_unpack_of(out.data, out.count);
    (void)weft_unpack_bytes(&in, out.count - 4);
    assert_false(weft_unpack_end(&in)); /* four bytes too many */
    weft_pack_done(&out);
}

static void unpack_stays_failed(void **state)
{
    (void)state;
    static const unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    weft_unpack in = weft_unpack_of(bytes, sizeof bytes);
    assert_null(weft_unpack_bytes(&in, 9));
    assert_int_equal(weft_unpack_u32(&in), 0); /* though four bytes are there */
    assert_null(weft_unpack_bytes(&in, 0));
    assert_false(weft_unpack_end(&in));
    in = weft_unpack_of(bytes, sizeof bytes);
    assert_null(weft_unpack_bytes(&in, SIZE_MAX));
    assert_true(in.failed);
}

static void unpack_of_nothing_is_at_its_end(void **state)
{
    (void)state;
    weft_unpack in = weft_unpack_of(NULL, 0);
    assert_true(weft_unpack_end(&in));
    assert_non_null(weft_unpack_bytes(&in, 0));
    assert_true(weft_unpack_end(&in));
    assert_int_equal(weft_unpack_u32(&in), 0);
    assert_false(weft_unpack_end(&in));
}

static void unpack_text_takes_only_texts(void **state)
{
    (void)state;
    weft_arena arena;
    weft_arena_init(&arena);
    weft_pack out = {0};
    weft_pack_text(&out, "");
    weft_pack_text(&out, "wéft");
    weft_pack_u32(&out, 3);
    weft_pack_bytes(&out, "a\0b", 3);
    weft_unpack in = weft_unpack_of(out.data, out.count);
    assert_string_equal(weft_unpack_text(&in, &arena), "");
    assert_string_equal(weft_unpack_text(&in, &arena), "wéft");
    assert_string_equal(weft_unpack_text(&in, &arena), "");
    assert_true(in.failed);
    static const unsigned char huge[] = {0xff, 0xff, 0xff, 0xff, 'a'};
    in = weft_unpack_of(huge, sizeof huge);
    assert_string_equal(weft_unpack_text(&in, &arena), "");
    assert_true(in.failed);
    weft_pack_done(&out);
    weft_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pack_writes_little_endian),
        cmocka_unit_test(pack_and_unpack_give_back_everything),
        cmocka_unit_test(pack_grows_as_far_as_needed),
        cmocka_unit_test(unpack_fails_on_every_truncation),
        cmocka_unit_test(unpack_stays_failed),
        cmocka_unit_test(unpack_of_nothing_is_at_its_end),
        cmocka_unit_test(unpack_text_takes_only_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
