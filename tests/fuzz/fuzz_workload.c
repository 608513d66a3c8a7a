/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a program in one of the formats that are read: a message, or a program whose replay
 * ends or says who waits, and that is the same when written as binary GOAL and read again.
 * WEFT_READER=ti, or another name of `weft import workload`, gives them to one reader alone. */
#include "program/format.h"
#include "program/goal/goal.h"
#include "program/replay.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Operations that are read of most inputs, and of one in sixteen. A program of more ranks, for
 * which one large number in a line is enough, is only read: writing, reading again and replaying a
 * million takes over a second. */
enum { MOST = 1 << 11, MOST_OF_SOME = 1 << 16 };

/* Is the program the same after a round trip? */
static void examine(const weft_program *program)
{
    weft_program again;
    weft_error err;
    weft_bytes bytes = weft_goal_write(program);
    if (weft_goal_read(&(weft_goal_source){.file = "fuzz", .data = bytes.at, .length = bytes.count},
                       &again, &err) != WEFT_OK)
        abort();
    if (again.n_operations != program->n_operations ||
        again.n_dependents != program->n_dependents ||
        memcmp(again.partners, program->partners, sizeof *again.partners * program->n_operations) !=
            0)
        abort();
    weft_program_done(&again);
    free(bytes.at);
}

static void replay(const weft_program *program, bool rendezvous)
{
    weft_error err;
    uint64_t *finish = calloc(program->n_ranks, sizeof *finish);
    weft_host_costs costs = {
        .latency = 10, .overhead = 2, .gap = 3, .per_byte = 1, .eager = rendezvous ? 100 : 65535};
    weft_status status = weft_replay(program, &costs, NULL, finish, &err);
    if (status != WEFT_OK && status != WEFT_BROKEN && status != WEFT_BAD_INPUT)
        abort();
    free(finish);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *reader = getenv("WEFT_READER");
    const uint64_t most = size % 16 == 0 ? MOST_OF_SOME : MOST;
    weft_format_options options = {.ticks_per_second = 1000000000,
                                   .flops_per_second = 1000000000,
                                   .operations_max = most,
                                   .alone = true};
    weft_format_summary summary = {0};
    char *copy = malloc(size + 1);
    memcpy(copy, data, size);
    copy[size] = '\0';
    weft_format_input input = {.file = "fuzz",
                               .bytes = {.at = copy, .count = size},
                               .options = &options,
                               .summary = &summary};
    weft_program program = {0};
    weft_error err;
    const weft_format_kind *format = NULL;
    weft_status status = reader ? weft_format_find(reader)->read(&input, &program, &err)
                                : weft_format_read(&input, &program, &format, &err);
    if (status == WEFT_OK && program.n_ranks <= most) {
        examine(&program);
        replay(&program, size % 2);
    }
    weft_program_done(&program);
    free(copy);
    return 0;
}
