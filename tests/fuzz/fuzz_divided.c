/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the file of a program that is divided between two processes: each keeps the ranks
 * of its parity, both say the same if it is refused, and the partners of operations are those that
 * they have in the whole. */
#include "fuzz_file.h"
#include "program/files.h"

static weft_status keep(void *user, uint32_t n_ranks, uint64_t **kept, weft_error *err)
{
    (void)err;
    uint64_t mask = *(const int *)user ? 0xaaaaaaaaaaaaaaaau : 0x5555555555555555u;
    *kept = malloc(sizeof **kept * (n_ranks / 64 + 1));
    for (uint32_t i = 0; i <= n_ranks / 64; i++)
        (*kept)[i] = mask;
    return WEFT_OK;
}

static weft_status read_part(const char *file, uint64_t most, int parity, weft_program *program,
                             weft_error *err)
{
    weft_program_division by = {.most = most, .answers = true, .keep = keep, .user = &parity};
    memset(program, 0, sizeof *program);
    return weft_program_read_part(file, &by, program, err);
}

/* Has a part the operations of its ranks, as they are in the whole? */
static void compare(const weft_program *part, int parity, const weft_program *whole)
{
    for (uint32_t r = 0; r < whole->n_ranks; r++) {
        bool here = r % 2 == (uint32_t)parity;
        if (part->first[r] != whole->first[r] || here != (part->at[r] != WEFT_PROGRAM_NONE))
            abort();
        for (uint32_t i = 0; here && i < whole->first[r + 1] - whole->first[r]; i++) {
            const weft_operation *a = &part->operations[part->at[r] + i],
                                 *b = &whole->operations[whole->first[r] + i];
            uint32_t partner = whole->partners[whole->first[r] + i];
            if (a->kind != b->kind ||
                (b->kind != WEFT_OPERATION_CALC &&
                 (a->peer != b->peer || a->tag != partner - whole->first[b->peer])))
                abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *file = fuzz_file("program", data, size);
    weft_program part[2], whole;
    weft_error err[2], other;
    weft_status status[2];
    for (int i = 0; i < 2; i++)
        status[i] = read_part(file, 2, i, &part[i], &err[i]);
    weft_status once = read_part(file, UINT64_MAX, 0, &whole, &other);
    if (status[0] != status[1] || (status[0] != WEFT_OK && strcmp(err[0].text, err[1].text) != 0))
        abort();
    if (status[0] == WEFT_OK && once != WEFT_OK)
        abort();
    for (int i = 0; i < 2 && status[0] == WEFT_OK && part[0].divided; i++)
        compare(&part[i], i, &whole);
    for (int i = 0; i < 2; i++)
        weft_program_done(&part[i]);
    weft_program_done(&whole);
    return 0;
}
