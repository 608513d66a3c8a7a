/* SPDX-License-Identifier: Apache-2.0 */
/* Programs from files and collectives, for interweft/program.h. */
#include "base/file.h"
#include "base/memory.h"
#include "program/collective.h"
#include "program/generate.h"
#include "program/goal.h"
#include "program/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MOST ((size_t)1 << 36) /* bytes */

char *weft_program_list(void)
{
    weft_text text;
    weft_text_init(&text);
    for (const weft_collective_kind *const *kind = weft_collective_kinds; *kind; kind++) {
        char *name = weft_text_format("%s/%s", weft_collective_operation_name((*kind)->operation),
                                      (*kind)->algorithm);
        weft_text_add(&text, "%-30s %s\n", name, (*kind)->brief);
        free(name);
    }
    return weft_text_take(&text);
}

/* "allreduce/ring"; NULL: there is no such algorithm. */
static const weft_collective_kind *kind_named(const char *name)
{
    char operation[64];
    const char *slash = strchr(name, '/');
    if (!slash || (size_t)(slash - name) >= sizeof operation)
        return NULL;
    (void)snprintf(operation, sizeof operation, "%.*s", (int)(slash - name), name);
    return weft_collective_find(operation, slash + 1);
}

static weft_status read_file(const char *file, weft_program *program, weft_error *err)
{
    weft_bytes bytes;
    WEFT_TRY(weft_bytes_read(file, FILE_MOST, "a GOAL schedule", &bytes, err));
    weft_status status = weft_goal_read(file, bytes.at, bytes.count, program, err);
    free(bytes.at);
    return status;
}

static weft_status generate(const weft_program_choice *choice, const weft_collective_kind *kind,
                            weft_program *program, weft_error *err)
{
    if (choice->ranks == 0)
        return weft_fail(err, WEFT_BAD_USAGE, "%s needs ranks=NUMBER", choice->file);
    if (choice->bytes > WEFT_PROGRAM_SIZE_MAX || choice->sum_per_byte > 4096)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "size is at most 2^48 bytes, sum at most 4096 ticks a byte");
    weft_collective collective = {.kind = kind,
                                  .ranks = choice->ranks,
                                  .bytes = choice->bytes,
                                  .segments = choice->segments ? choice->segments : 1};
    if (kind->operation == WEFT_COLLECTIVE_BARRIER)
        collective.bytes = 1;
    return weft_generate(&collective, choice->sum_per_byte, program, err);
}

static weft_status make(const weft_program_choice *choice, weft_program *program, weft_error *err)
{
    const weft_collective_kind *kind = kind_named(choice->file);
    if (kind)
        return generate(choice, kind, program, err);
    if (choice->ranks)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "'%.64s' is no collective operation: `weft workload list` has them",
                         choice->file);
    return read_file(choice->file, program, err);
}

weft_status weft_program_show(const weft_program_choice *choice, char **text, weft_error *err)
{
    weft_program program = {0};
    weft_text about;
    WEFT_TRY(make(choice, &program, err));
    weft_text_init(&about);
    weft_program_describe(&program, &about);
    *text = weft_text_take(&about);
    weft_program_done(&program);
    return WEFT_OK;
}

weft_status weft_program_time(const weft_program_choice *choice, const weft_host_costs *costs,
                              const weft_replay_observer *observer, uint64_t **finish,
                              uint32_t *n_ranks, weft_error *err)
{
    weft_program program = {0};
    WEFT_TRY(make(choice, &program, err));
    *n_ranks = program.n_ranks;
    *finish = weft_alloc(sizeof **finish * program.n_ranks);
    weft_status status = weft_replay(&program, costs, observer, *finish, err);
    weft_program_done(&program);
    if (status != WEFT_OK) {
        free(*finish);
        *finish = NULL;
    }
    return status;
}

double weft_program_bus_factor(const weft_program_choice *choice)
{
    static const double passes[WEFT_COLLECTIVE_OPERATIONS] = {[WEFT_COLLECTIVE_ALLREDUCE] = 2,
                                                              [WEFT_COLLECTIVE_REDUCE_SCATTER] = 1,
                                                              [WEFT_COLLECTIVE_ALLGATHER] = 1,
                                                              [WEFT_COLLECTIVE_ALL_TO_ALL] = 1};
    const weft_collective_kind *kind = kind_named(choice->file);
    if (!kind || kind->operation == WEFT_COLLECTIVE_BARRIER || choice->ranks == 0)
        return 0;
    if (passes[kind->operation] == 0)
        return 1;
    return passes[kind->operation] * (choice->ranks - 1) / choice->ranks;
}
