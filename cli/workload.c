/* SPDX-License-Identifier: Apache-2.0 */
/* weft workload list, show and time: message-passing programs, their contents, and their time on
 * hosts alone. */
#include "cli/command.h"
#include "cli/terminal.h"
#include "interweft/program.h"
#include "report/save.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ALGORITHMS_MOST = 16 };

typedef struct workload_settings {
    weft_host_costs costs;
    uint64_t ranks, size, segments, group, sum; /* of a collective */
    uint64_t steps;                             /* to be shown */
    uint64_t second, speed;                     /* of a trace */
    const char *groups;
    const char *algorithms[ALGORITHMS_MOST + 1]; /* of a trace's collectives, ended by NULL */
    size_t n_algorithms;
} workload_settings;

typedef struct setting {
    const char *key, *unit;
    size_t offset;
    uint64_t value; /* if it is not given: LogGOPSim's costs */
    uint64_t most;
} setting;
#define AT(member) offsetof(workload_settings, member)

static const setting settings[] = {
    {"latency", "ticks", AT(costs.latency), 2500, UINT64_MAX},
    {"overhead", "ticks", AT(costs.overhead), 1500, UINT64_MAX},
    {"gap", "ticks", AT(costs.gap), 1000, UINT64_MAX},
    {"per-byte", "ticks", AT(costs.per_byte), 6, UINT64_MAX},
    {"overhead-per-byte", "ticks", AT(costs.overhead_per_byte), 0, UINT64_MAX},
    {"eager", "bytes", AT(costs.eager), 65535, UINT64_MAX},
    {"ranks", "ranks", AT(ranks), 0, UINT32_MAX},
    {"size", "bytes", AT(size), 1024, UINT64_MAX},
    {"segments", "segments", AT(segments), 1, 1 << 20},
    {"group", "ranks", AT(group), 8, UINT32_MAX},
    {"sum", "ticks", AT(sum), 0, UINT64_MAX},
    {"steps", "operations", AT(steps), 0, UINT32_MAX},
    {"second", "ticks", AT(second), 1000000000, UINT64_MAX},
    {"speed", "flops a second", AT(speed), 1000000000, UINT64_MAX},
};
enum { N_SETTINGS = sizeof settings / sizeof settings[0] };

static uint64_t *value_at(workload_settings *given, const setting *which)
{
    return (uint64_t *)(void *)((char *)given + which->offset);
}

static weft_status read_number(const char *text, const setting *which, uint64_t *value,
                               weft_error *err)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || number > which->most)
        return weft_fail(err, WEFT_BAD_USAGE, "%s is a whole number of %s, found '%.64s'",
                         which->key, which->unit, text);
    *value = number;
    return WEFT_OK;
}

/* "allreduce=ring"; false: its key is no collective operation. */
static bool set_algorithm(const char *text, size_t length, workload_settings *given)
{
    static const char *const operations[] = {"allreduce",  "reduce-scatter", "allgather",
                                             "all-to-all", "broadcast",      "reduce",
                                             "gather",     "barrier"};
    bool known = false;
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        known |= strlen(operations[i]) == length && strncmp(text, operations[i], length) == 0;
    if (known && given->n_algorithms < ALGORITHMS_MOST)
        given->algorithms[given->n_algorithms++] = text;
    return known;
}

static weft_status set(const char *text, workload_settings *given, weft_error *err)
{
    size_t length = strcspn(text, "=");
    if (length == strlen("groups") && strncmp(text, "groups", length) == 0) {
        given->groups = text + length + 1;
        return WEFT_OK;
    }
    if (set_algorithm(text, length, given))
        return WEFT_OK;
    for (size_t i = 0; i < N_SETTINGS; i++)
        if (strlen(settings[i].key) == length && strncmp(text, settings[i].key, length) == 0)
            return read_number(text + length + 1, &settings[i], value_at(given, &settings[i]), err);
    return weft_fail(
        err, WEFT_BAD_USAGE,
        "'%.*s' is no setting of a workload: latency, overhead, gap, per-byte, "
        "overhead-per-byte, eager; of a collective: ranks, size, segments, group, sum; of a trace: "
        "second, speed, groups, and OPERATION=ALGORITHM as in `weft workload list`; to show "
        "operations: steps",
        (int)(length < 64 ? length : 64), text);
}

static weft_status read_settings(const weft_command *command, workload_settings *given,
                                 weft_error *err)
{
    *given = (workload_settings){.groups = NULL};
    for (size_t i = 0; i < N_SETTINGS; i++)
        *value_at(given, &settings[i]) = settings[i].value;
    for (size_t i = 0; i < command->n_settings; i++)
        WEFT_TRY(set(command->settings[i], given, err));
    if (given->second == 0 || given->speed == 0)
        return weft_fail(err, WEFT_BAD_USAGE, "second and speed are at least 1, found 0");
    return WEFT_OK;
}

static weft_program_choice choice_of(const weft_command *command, const workload_settings *given)
{
    return (weft_program_choice){.file = command->names[1],
                                 .ranks = (uint32_t)given->ranks,
                                 .bytes = given->size,
                                 .segments = (uint32_t)given->segments,
                                 .group = (uint32_t)given->group,
                                 .sum_per_byte = given->sum,
                                 .ticks_per_second = given->second,
                                 .flops_per_second = given->speed,
                                 .algorithms = given->algorithms,
                                 .groups = given->groups,
                                 .steps = (uint32_t)given->steps};
}

static weft_status save_ranks(const char *path, const uint64_t *finish, uint32_t n_ranks,
                              weft_error *err)
{
    weft_save file;
    weft_status status;
    char line[64];
    WEFT_TRY(weft_save_begin(&file, path, err));
    status = weft_save_write(&file, "rank,ticks\n", strlen("rank,ticks\n"), err);
    for (uint32_t r = 0; r < n_ranks && status == WEFT_OK; r++) {
        int length = snprintf(line, sizeof line, "%u,%llu\n", r, (unsigned long long)finish[r]);
        status = weft_save_write(&file, line, (size_t)length, err);
    }
    WEFT_TRY(weft_save_end(&file, status, err));
    weft_terminal_tell("wrote %s\n", path);
    return WEFT_OK;
}

static void print_costs(const weft_host_costs *given)
{
    printf("%-22s L %llu, o %llu, g %llu, G %llu, O %llu ticks; S %llu B\n", "costs",
           (unsigned long long)given->latency, (unsigned long long)given->overhead,
           (unsigned long long)given->gap, (unsigned long long)given->per_byte,
           (unsigned long long)given->overhead_per_byte, (unsigned long long)given->eager);
}

static void print_times(const uint64_t *finish, uint32_t n_ranks)
{
    uint32_t last = 0, first = 0;
    double sum = 0;
    for (uint32_t r = 0; r < n_ranks; r++) {
        last = finish[r] > finish[last] ? r : last;
        first = finish[r] < finish[first] ? r : first;
        sum += (double)finish[r];
    }
    printf("%-22s %u\n", "ranks", n_ranks);
    printf("%-22s %llu ticks (rank %u)\n", "end", (unsigned long long)finish[last], last);
    printf("%-22s %.10g ticks\n", "mean end of a rank", sum / n_ranks);
    printf("%-22s %llu ticks (rank %u)\n", "first end", (unsigned long long)finish[first], first);
}

static void tell(void *display, double share)
{
    const weft_display *to = display;
    if (!to->quiet && to->terminal)
        fprintf(stderr, "\r%3.0f %% of the operations", 100 * share);
}

/* Bandwidths as nccl-tests print them; nothing for a file. */
static void print_bandwidth(const weft_program_choice *choice, const uint64_t *finish,
                            uint32_t n_ranks)
{
    double factor = weft_program_bus_factor(choice);
    uint64_t end = 0;
    for (uint32_t r = 0; r < n_ranks; r++)
        end = finish[r] > end ? finish[r] : end;
    if (factor == 0 || end == 0)
        return;
    double bandwidth = (double)choice->bytes / (double)end;
    printf("%-22s %.6g B a tick\n", "algorithm bandwidth", bandwidth);
    printf("%-22s %.6g B a tick\n", "bus bandwidth", factor * bandwidth);
}

/* No output takes the place of the program. */
static weft_status check_output(const weft_command *command, const char *path, weft_error *err)
{
    struct stat output, program;
    if (path && stat(path, &output) == 0 && stat(command->names[1], &program) == 0 &&
        output.st_dev == program.st_dev && output.st_ino == program.st_ino)
        return weft_fail(err, WEFT_BAD_USAGE, "%.1024s is the program itself: name another file",
                         path);
    return weft_save_check(path, err);
}

static weft_status time_it(const weft_command *command, weft_error *err)
{
    workload_settings given;
    weft_display display;
    uint64_t *finish = NULL;
    uint32_t n_ranks;
    weft_display_init(&display, command->quiet);
    weft_replay_observer observer = {.progress = tell, .user = &display};
    WEFT_TRY(read_settings(command, &given, err));
    WEFT_TRY(check_output(command, command->csv, err));
    weft_program_choice choice = choice_of(command, &given);
    WEFT_TRY(weft_program_time(&choice, &given.costs, &observer, &finish, &n_ranks, err));
    if (display.terminal && !display.quiet)
        fputs("\r\033[K", stderr);
    print_costs(&given.costs);
    print_times(finish, n_ranks);
    print_bandwidth(&choice, finish, n_ranks);
    weft_status status = command->csv ? save_ranks(command->csv, finish, n_ranks, err) : WEFT_OK;
    free(finish);
    return status;
}

static weft_status show(const weft_command *command, weft_error *err)
{
    workload_settings given;
    char *text;
    WEFT_TRY(read_settings(command, &given, err));
    weft_program_choice choice = choice_of(command, &given);
    WEFT_TRY(weft_program_show(&choice, &text, err));
    weft_terminal_print(text, stdout);
    free(text);
    return WEFT_OK;
}

weft_status weft_workload_import(const weft_command *command, weft_error *err)
{
    workload_settings given;
    char *text = NULL;
    WEFT_TRY(read_settings(command, &given, err));
    WEFT_TRY(check_output(command, command->out, err));
    weft_program_choice choice = choice_of(command, &given);
    WEFT_TRY(weft_program_import(&choice, command->out, &text, err));
    weft_terminal_print(text, stdout);
    free(text);
    if (command->out)
        weft_terminal_tell("wrote %s\n", command->out);
    return WEFT_OK;
}

static weft_status list(const weft_command *command, weft_error *err)
{
    (void)command;
    (void)err;
    char *text = weft_program_list();
    weft_terminal_print(text, stdout);
    free(text);
    return WEFT_OK;
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    static const struct {
        const char *name;
        size_t names;
        weft_status (*run)(const weft_command *command, weft_error *err);
    } actions[] = {{"list", 1, list}, {"show", 2, show}, {"time", 2, time_it}};
    (void)catalog;
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        if (strcmp(command->names[0], actions[i].name) != 0)
            continue;
        if (command->n_names != actions[i].names)
            return weft_fail(err, WEFT_BAD_USAGE, "weft workload %s takes %s", actions[i].name,
                             actions[i].names == 1 ? "nothing more"
                                                   : "a file or a collective operation");
        return actions[i].run(command, err);
    }
    return weft_fail(err, WEFT_BAD_USAGE, "weft workload list, show or time, found '%.64s'",
                     command->names[0]);
}

const weft_verb weft_verb_workload = {
    .name = "workload",
    .arguments = "list|show|time [FILE|OPERATION/ALGORITHM] [key=value …]",
    .brief =
        "a message-passing program (GOAL, a trace, or a collective): its contents, or its time "
        "on hosts alone",
    .examples = "weft workload list                                # collective operations\n"
                "weft workload time allreduce/ring ranks=64 size=65536  # on hosts alone\n",
    .flags = "--csv --quiet",
    .least = 1,
    .most = 2,
    .settings = true,
    .run = run,
};
