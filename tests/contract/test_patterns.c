/* SPDX-License-Identifier: Apache-2.0 */
/* What every pattern promises on every network it accepts. */
#include "contract/pattern.h"

static void every_kind_has_examples(void **state)
{
    (void)state;
    for (const weft_component *const *kind = weft_pattern_kinds; *kind; kind++) {
        size_t found = 0;
        for (size_t i = 0; i < PATTERNS; i++)
            found += strcmp(pattern_examples[i].kind, (*kind)->name) == 0;
        assert_true(found > 0);
        assert_int_equal((*kind)->size, sizeof(weft_pattern_kind));
    }
}

static void patterns_keep_their_promises(void **state)
{
    (void)state;
    for (size_t p = 0; p < PATTERNS; p++) {
        size_t accepted = 0;
        for (size_t i = 0; i < NETWORKS; i++) {
            traffic it;
            weft_error err = {0};
            const weft_topology *topology = network_example(&it.net, i);
            bool built = pattern_build(&it, topology, &pattern_examples[p], &err) == WEFT_OK;
            if (built) {
                check_pattern(&it.pattern);
                assert_non_null(it.pattern.kind->odds);
                check_odds(&it.pattern);
            } else {
                assert_true(strlen(err.text) > 0);
            }
            accepted += built;
            pattern_free(&it, built);
            network_close(&it.net);
        }
        assert_true(accepted > 0);
    }
}

static char folder[64];

static int open_folder(void **state)
{
    (void)state;
    pattern_folder_open(folder);
    return 0;
}

static int close_folder(void **state)
{
    (void)state;
    pattern_folder_close(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_examples),
        cmocka_unit_test(patterns_keep_their_promises),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
