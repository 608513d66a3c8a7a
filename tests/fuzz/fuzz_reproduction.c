/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the study.yaml of a folder that `weft reproduce` reads, and as a table of expected
 * values: a message or a study, never a crash and never much memory. WEFT_READER=reproduction or
 * expected gives them to one reader alone. */
#include "fuzz_file.h"
#include "reproduce/expected_table.h"
#include "reproduce/reproduce.h"

#define ARENA_MAX ((size_t)64 << 20)

static void read_study(const uint8_t *data, size_t size)
{
    weft_error err;
    (void)fuzz_file("study.yaml", data, size);
    weft_reproduction book = {.folder = fuzz_folder(), .name = "fuzz"};
    weft_arena_init(&book.arena);
    if (weft_reproduction_read(&book, &err) == WEFT_OK && (!book.title || book.n_figures == 0))
        abort();
    if (book.arena.used > ARENA_MAX)
        abort();
    weft_arena_done(&book.arena);
}

static void read_table(const uint8_t *data, size_t size)
{
    weft_arena arena;
    weft_error err;
    const weft_csv *table;
    double number, sum = 0;
    weft_arena_init(&arena);
    if (weft_csv_read(fuzz_file("expected.csv", data, size), &arena, &table, &err) == WEFT_OK)
        for (size_t i = 0; i < table->rows * table->columns; i++) {
            size_t row = i / table->columns, column = i % table->columns;
            if (weft_csv_number(table, row, column, &number, &err) == WEFT_OK)
                sum += weft_csv_step(table, row, column);
            else if (!strstr(err.text, "expected.csv"))
                abort();
        }
    if (sum < 0 || arena.used > ARENA_MAX)
        abort();
    weft_arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (fuzz_wants("reproduction"))
        read_study(data, size);
    if (fuzz_wants("expected"))
        read_table(data, size);
    return 0;
}
