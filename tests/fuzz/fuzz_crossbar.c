/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes for the crossbar laboratory: a message or what they say, never a crash and never much
 * memory. WEFT_READER says what they are:
 *
 *     crossbar          lines "key=value" as on a command line
 *     crossbar-matrix   a matrix as CSV
 *     crossbar-search   the state of an unfinished search; its checksum is mended */
#include "base/crc32c.h"
#include "base/pack.h"
#include "fuzz_file.h"
#include "study/catalog.h"
#include "study/crossbar/crossbar.h"

#define ARENA_MAX ((size_t)256 << 20)
#define WORDS_MAX 32
#define MAGIC     0x77656674786c6232u /* crossbar_state.c */

static const weft_registry *registry(void)
{
    static weft_catalog *catalog;
    if (!catalog)
        catalog = weft_catalog_create();
    return weft_catalog_registry(catalog);
}

static void read_settings(const char *const *words)
{
    weft_crossbar *lab;
    weft_error err;
    const weft_crossbar_source source = {.overrides = words};
    if (weft_crossbar_open_source(&source, registry(), &lab, &err) != WEFT_OK)
        return;
    for (size_t i = 0; i < lab->points && i < 3; i++) {
        weft_arena arena;
        weft_xbar_laboratory bound;
        const char *settings;
        weft_arena_init(&arena);
        if (weft_crossbar_point(lab, i, &arena, &bound, &settings, &err) == WEFT_OK &&
            (bound.n < 1 || bound.n > WEFT_SIDE_MAX || !settings))
            abort();
        if (arena.used > ARENA_MAX)
            abort();
        weft_arena_done(&arena);
    }
    weft_crossbar_close(lab);
}

static void read_lines(const uint8_t *data, size_t size)
{
    char *words[WORDS_MAX + 1];
    (void)fuzz_words(data, size, words, WORDS_MAX);
    read_settings((const char *const *)words);
    free(words[0]);
}

static void read_matrix(const uint8_t *data, size_t size)
{
    char word[600];
    (void)snprintf(word, sizeof word, "matrix=%s", fuzz_file("matrix.csv", data, size));
    read_settings((const char *const[]){word, "scheduler=islip", NULL});
}

/* Two points of a search, of 3 and of 2 parts. */
static void read_state(const uint8_t *data, size_t size)
{
    weft_error err;
    uint8_t done[2][3] = {{0}}, *rows[] = {done[0], done[1]}, *copy = malloc(size + 1);
    weft_xbar_spread spread[2] = {{.n = 0}, {.n = 0}};
    weft_crossbar_search_state state = {.identity = 7,
                                        .points = 2,
                                        .parts = (const size_t[]){3, 2},
                                        .totals = (const uint64_t[]){21, 20},
                                        .sizes = (const uint64_t[]){10, 10},
                                        .side = (const uint32_t[]){3, 4},
                                        .keep = (const uint32_t[]){2, 2},
                                        .done = rows,
                                        .spread = spread};
    if (!copy)
        abort();
    if (size > 0)
        memcpy(copy, data, size);
    if (size >= 20) {
        weft_put_u64(copy, MAGIC);
        weft_put_u64(copy + 8, state.identity);
        weft_put_u32(copy + size - 4, weft_crc32c(0, copy, size - 4));
    }
    if (weft_crossbar_search_state_read(&state, fuzz_file("search", copy, size), &err) != WEFT_OK &&
        !strstr(err.text, "search"))
        abort();
    for (int i = 0; i < 2; i++) {
        weft_xbar_spread_summary summary;
        if (spread[i].rows) {
            if (spread[i].n != state.side[i] || spread[i].used == 0)
                abort();
            for (uint32_t k = 0; k < spread[i].n_worst; k++)
                if (spread[i].worst[k].index >= state.totals[i])
                    abort();
            weft_xbar_spread_sort(&spread[i]);
            weft_xbar_spread_sum_up(&spread[i], &summary);
        }
        weft_xbar_spread_done(&spread[i]);
    }
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (fuzz_wants("crossbar"))
        read_lines(data, size);
    if (fuzz_wants("crossbar-matrix"))
        read_matrix(data, size);
    if (fuzz_wants("crossbar-search"))
        read_state(data, size);
    return 0;
}
