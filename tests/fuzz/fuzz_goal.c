/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a GOAL schedule, text or binary: a message, or a program whose replay ends or says
 * who waits. */
#include "program/goal.h"
#include "program/replay.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weft_program program;
    weft_error err;
    if (weft_goal_read("fuzz", (const char *)data, size, &program, &err) != WEFT_OK)
        return 0;
    uint64_t *finish = calloc(program.n_ranks, sizeof *finish);
    weft_host_costs costs = {
        .latency = 10, .overhead = 2, .gap = 3, .per_byte = 1, .eager = size % 2 ? 100 : 65535};
    weft_status status = weft_replay(&program, &costs, NULL, finish, &err);
    if (status != WEFT_OK && status != WEFT_BROKEN && status != WEFT_BAD_INPUT)
        abort();
    free(finish);
    weft_program_done(&program);
    return 0;
}
