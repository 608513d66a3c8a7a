/* SPDX-License-Identifier: Apache-2.0 */
/* Programs from files and collectives, for interweft/program.h. */
#include "base/file.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "program/collective.h"
#include "program/files.h"
#include "program/generate.h"
#include "program/goal/goal.h"
#include "program/replay.h"
#include "program/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MOST       ((size_t)1 << 36)   /* bytes */
#define JUDGED_WHOLE    ((uint64_t)1 << 24) /* bytes of which all are read to see the format */
#define OPERATIONS_MOST ((size_t)1 << 27)   /* of a trace whose collectives become messages */
#define PER_SECOND      1000000000          /* ticks and flops, where nothing is said */

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

/* ---- files ---- */

/* "allreduce=ring" */
static weft_status choose(const char *text, weft_format_options *options, weft_error *err)
{
    const char *sign = strchr(text, '=');
    char operation[64];
    if (!sign || (size_t)(sign - text) >= sizeof operation)
        return weft_fail(err, WEFT_BAD_USAGE, "wanted OPERATION=ALGORITHM, found '%.64s'", text);
    (void)snprintf(operation, sizeof operation, "%.*s", (int)(sign - text), text);
    const weft_collective_kind *kind = weft_collective_find(operation, sign + 1);
    if (!kind)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "'%.64s' is no algorithm of %s: `weft workload list` has them", sign + 1,
                         operation);
    options->algorithms[kind->operation] = kind;
    return WEFT_OK;
}

typedef struct reading { /* what is known of a file */
    weft_format_summary summary;
    const weft_format_kind *format; /* NULL: a collective, not a file */
} reading;

/* A file of a format that streams; its->format stays NULL if it is in none. A large one in no
 * format at all is refused by its beginning. */
static weft_status read_streamed(weft_format_input *trace, weft_program *program, reading *its,
                                 weft_error *err)
{
    weft_window window;
    weft_status status = WEFT_OK;
    bool known = false;
    WEFT_TRY(weft_window_open(trace->file, FILE_MOST, "a program", &window, err));
    trace->bytes = (weft_bytes){.at = window.at, .count = window.count};
    for (const weft_format_kind *const *kind = weft_formats; *kind && !known; kind++) {
        known = (*kind)->is(trace);
        if (known && (*kind)->streams) {
            its->format = *kind;
            trace->window = &window;
            status = (*kind)->read(trace, program, err);
            status = weft_window_status(&window, trace->file, status, err);
        }
    }
    if (!known && window.size > JUDGED_WHOLE)
        status = weft_format_unknown(trace, err);
    weft_window_close(&window);
    trace->window = NULL;
    trace->bytes = (weft_bytes){0};
    return status;
}

static weft_status read_file(const weft_program_choice *choice, weft_program_division *division,
                             weft_program *program, reading *its, weft_error *err)
{
    weft_format_options options = {
        .ticks_per_second = choice->ticks_per_second ? choice->ticks_per_second : PER_SECOND,
        .flops_per_second = choice->flops_per_second ? choice->flops_per_second : PER_SECOND,
        .groups = choice->groups,
        .operations_max = OPERATIONS_MOST};
    for (size_t i = 0; choice->algorithms && choice->algorithms[i]; i++)
        WEFT_TRY(choose(choice->algorithms[i], &options, err));
    weft_format_input trace = {.file = choice->file, .options = &options, .summary = &its->summary};
    its->summary.files = 1;
    trace.division = division;
    WEFT_TRY(read_streamed(&trace, program, its, err));
    if (its->format)
        return WEFT_OK;
    WEFT_TRY(weft_bytes_read(choice->file, FILE_MOST, "a program", &trace.bytes, err));
    weft_status status = weft_format_read(&trace, program, &its->format, err);
    free(trace.bytes.at);
    if (status != WEFT_OK || !division)
        return status;
    status = weft_program_divide(program, division, choice->file, err);
    if (status != WEFT_OK)
        weft_program_done(program);
    return status;
}

/* What a file had in it, as its format calls it. */
static void describe_file(const reading *its, weft_text *text)
{
    enum { WIDTH = 80, INDENT = 23 };
    const weft_format_summary *summary = &its->summary;
    weft_text_add(text, "%-22s %s", "format", its->format->name);
    if (summary->files > 1)
        weft_text_add(text, ", %u files", summary->files);
    weft_text_add(text, "\n");
    size_t used = WIDTH;
    for (size_t i = 0; i < summary->n_counts; i++) {
        char *part =
            weft_text_format("%llu %s%s", (unsigned long long)summary->counts[i].count,
                             summary->counts[i].name, i + 1 < summary->n_counts ? "," : "");
        if (used + 1 + strlen(part) > WIDTH) {
            weft_text_add(text, "%s%-22s", i ? "\n" : "", i ? "" : "in the file");
            used = INDENT - 1;
        }
        weft_text_add(text, " %s", part);
        used += 1 + strlen(part);
        free(part);
    }
    if (summary->n_counts > 0)
        weft_text_add(text, "\n");
}

char *weft_program_formats(void)
{
    weft_text text;
    weft_text_init(&text);
    for (const weft_format_kind *const *format = weft_formats; *format; format++)
        weft_text_add(&text, "%-14s %s\n", (*format)->name, (*format)->brief);
    return weft_text_take(&text);
}

/* ---- both ---- */

static weft_status collective_of(const weft_program_choice *choice,
                                 const weft_collective_kind *kind, weft_collective *collective,
                                 weft_error *err)
{
    if (choice->ranks == 0)
        return weft_fail(err, WEFT_BAD_USAGE, "%s needs ranks=NUMBER", choice->file);
    if (choice->bytes > WEFT_PROGRAM_SIZE_MAX || choice->sum_per_byte > 4096)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "size is at most 2^48 bytes, sum at most 4096 ticks a byte");
    *collective = (weft_collective){.kind = kind,
                                    .ranks = choice->ranks,
                                    .bytes = choice->bytes,
                                    .segments = choice->segments ? choice->segments : 1,
                                    .group = choice->group};
    if (kind->operation == WEFT_COLLECTIVE_BARRIER)
        collective->bytes = 1;
    return weft_collective_check(collective, err);
}

static weft_status generate(const weft_program_choice *choice, const weft_collective_kind *kind,
                            weft_program *program, weft_error *err)
{
    weft_collective collective;
    WEFT_TRY(collective_of(choice, kind, &collective, err));
    return weft_generate(&collective, choice->sum_per_byte, program, err);
}

static weft_status no_collective(const char *name, weft_error *err)
{
    weft_suggest suggest = {.word = name};
    char offered[64], best[64];
    for (const weft_collective_kind *const *kind = weft_collective_kinds; *kind; kind++) {
        (void)snprintf(offered, sizeof offered, "%s/%s",
                       weft_collective_operation_name((*kind)->operation), (*kind)->algorithm);
        weft_suggest_offer(&suggest, offered);
        if (suggest.best == offered)
            suggest.best = memcpy(best, offered, sizeof best);
    }
    return weft_fail(err, WEFT_BAD_USAGE,
                     "'%.64s' is no collective operation: `weft workload list` has them%s", name,
                     weft_suggest_text(&suggest));
}

static weft_status make(const weft_program_choice *choice, weft_program *program, reading *its,
                        weft_error *err)
{
    const weft_collective_kind *kind = kind_named(choice->file);
    if (kind)
        return generate(choice, kind, program, err);
    if (choice->ranks && access(choice->file, F_OK) == 0)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "ranks is of a collective operation, and %.1024s is a file, which has its "
                         "own",
                         choice->file);
    if (choice->ranks)
        return no_collective(choice->file, err);
    return read_file(choice, NULL, program, its, err);
}

weft_status weft_program_collective(const weft_program_choice *choice, weft_collective *collective,
                                    weft_error *err)
{
    const weft_collective_kind *kind = kind_named(choice->file);
    return kind ? collective_of(choice, kind, collective, err) : no_collective(choice->file, err);
}

weft_status weft_program_make(const weft_program_choice *choice, weft_program *program,
                              weft_error *err)
{
    reading its = {.format = NULL};
    return make(choice, program, &its, err);
}

static weft_status keep_one(void *user, uint32_t n_ranks, uint64_t **kept, weft_error *err)
{
    uint32_t rank = *(const uint32_t *)user;
    (void)err;
    *kept = weft_alloc(sizeof **kept * ((size_t)n_ranks / 64 + 1));
    (*kept)[rank / 64] = (uint64_t)1 << rank % 64;
    return WEFT_OK;
}

weft_status weft_program_read_part(const char *file, weft_program_division *division,
                                   weft_program *program, weft_error *err)
{
    weft_program_choice choice = {.file = file};
    reading its = {.format = NULL};
    weft_status status = read_file(&choice, division, program, &its, err);
    if (status == WEFT_OK || division->unmatched == 0)
        return status;
    /* The rank that does not fit is another process's: it is read once more for the sentence. */
    uint32_t rank = division->unmatched - 1;
    weft_program_division again = {.most = division->most, .keep = keep_one, .user = &rank};
    its = (reading){.format = NULL};
    status = read_file(&choice, &again, program, &its, err);
    if (status != WEFT_OK)
        return status;
    weft_program_done(program);
    return weft_fail(err, WEFT_BAD_INPUT, "%.2000s has changed while it was read", file);
}

static char *describe(const weft_program *program, const reading *its, bool format, uint32_t steps)
{
    weft_text text;
    weft_text_init(&text);
    if (its->format && (format || its->summary.n_counts > 0))
        describe_file(its, &text);
    weft_program_describe(program, &text);
    if (steps > 0)
        weft_program_steps(program, steps, &text);
    return weft_text_take(&text);
}

weft_status weft_program_show(const weft_program_choice *choice, char **text, weft_error *err)
{
    weft_program program = {0};
    reading its = {.format = NULL};
    WEFT_TRY(make(choice, &program, &its, err));
    *text = describe(&program, &its, false, choice->steps);
    weft_program_done(&program);
    return WEFT_OK;
}

/* A replay whose failure names the file, or the collective. */
static weft_status replay(const char *file, const weft_program *program,
                          const weft_host_costs *costs, const weft_replay_observer *observer,
                          uint64_t *finish, weft_error *err)
{
    weft_error why;
    weft_status status = weft_replay(program, costs, observer, finish, &why);
    return status == WEFT_OK ? WEFT_OK : weft_fail(err, status, "%.1000s: %s", file, why.text);
}

/* Without costs, and with every message sent at once, only a circle of receives holds it up. */
static weft_status check_end(const char *file, const weft_program *program, weft_error *err)
{
    weft_host_costs costs = {.eager = UINT64_MAX};
    uint64_t *finish = weft_alloc(sizeof *finish * program->n_ranks);
    weft_status status = replay(file, program, &costs, NULL, finish, err);
    free(finish);
    return status;
}

static weft_status write_goal(const weft_program *program, const char *out, weft_error *err)
{
    if (!out)
        return WEFT_OK;
    weft_bytes bytes = weft_goal_write(program);
    weft_status status = weft_bytes_write(out, bytes.at, bytes.count, err);
    free(bytes.at);
    return status;
}

weft_status weft_program_import(const weft_program_choice *choice, const char *out, char **text,
                                weft_error *err)
{
    weft_program program = {0};
    reading its = {.format = NULL};
    WEFT_TRY(make(choice, &program, &its, err));
    weft_status status = check_end(choice->file, &program, err);
    if (status == WEFT_OK)
        status = write_goal(&program, out, err);
    if (status == WEFT_OK)
        *text = describe(&program, &its, true, choice->steps);
    weft_program_done(&program);
    return status;
}

weft_status weft_program_time(const weft_program_choice *choice, const weft_host_costs *costs,
                              const weft_replay_observer *observer, uint64_t **finish,
                              uint32_t *n_ranks, weft_error *err)
{
    weft_program program = {0};
    reading its = {.format = NULL};
    WEFT_TRY(make(choice, &program, &its, err));
    *n_ranks = program.n_ranks;
    *finish = weft_alloc(sizeof **finish * program.n_ranks);
    weft_status status = replay(choice->file, &program, costs, observer, *finish, err);
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
                                                              [WEFT_COLLECTIVE_ALL_TO_ALL] = 1,
                                                              [WEFT_COLLECTIVE_GATHER] = 1};
    const weft_collective_kind *kind = kind_named(choice->file);
    if (!kind || kind->operation == WEFT_COLLECTIVE_BARRIER ||
        kind->operation == WEFT_COLLECTIVE_HALO || choice->ranks == 0)
        return 0;
    if (passes[kind->operation] == 0)
        return 1;
    return passes[kind->operation] * (choice->ranks - 1) / choice->ranks;
}
