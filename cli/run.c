/* SPDX-License-Identifier: Apache-2.0 */
/* weft run: a scenario or its whole grid, then the table. */
#include "cli/slow.h"
#include "cli/slurm.h"
#include "cli/terminal.h"
#include "report/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_flags {
    const char *trace;
} run_flags;

static const weft_flag own[] = {
    {"--trace", "PACKET",
     "afterwards the journey of a packet (ENDPOINT:MESSAGE), of the slowest, or of N of these",
     WEFT_FLAG_TEXT, .offset = offsetof(run_flags, trace)},
    {.name = NULL},
};

/* The packets of the slowest point, in another run of it. */
static weft_status trace(const weft_command *command, const weft_study *study,
                         const weft_catalog *catalog, weft_display *display, weft_error *err)
{
    const run_flags *flags = command->own;
    weft_result *result;
    if (!flags->trace)
        return WEFT_OK;
    WEFT_TRY(weft_result_open(weft_study_results(study), &result, err));
    weft_study_keep(study, result);
    const char *file = command->names[0], *slash = strrchr(file, '/');
    char *folder = slash ? strndup(file, (size_t)(slash - file)) : strdup(".");
    weft_status status = weft_slow_trace(result, flags->trace, folder, catalog, display, err);
    free(folder);
    weft_result_close(result);
    return status;
}

static weft_status show(const char *path, const char *columns, weft_error *err)
{
    weft_result *result;
    WEFT_TRY(weft_result_open(path, &result, err));
    weft_status status =
        weft_report_table(result, stdout, weft_display_width(WEFT_TABLE_WIDTH), columns, err);
    weft_result_close(result);
    return status;
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    weft_study *study;
    weft_display display;
    bool complete, speaks = weft_context_rank(command->context) == 0;
    weft_display_init(&display, command->quiet);
    const run_flags *flags = command->own;
    WEFT_TRY(weft_report_table_check(command->columns, err));
    if (flags->trace)
        WEFT_TRY(weft_traced_check(flags->trace, err));
    weft_display_heed();
    weft_study_options options = weft_command_options(command, &display);
    options.file = command->names[0];
    options.overrides = command->settings;
    display.part = speaks ? command->part : NULL;
    WEFT_TRY(weft_cluster_options(command, &options, err));
    WEFT_TRY(weft_study_open(&options, catalog, &study, err));
    weft_status status = weft_cluster_run(command, study, &display, &complete, err);
    speaks = speaks && complete;
    if (status == WEFT_OK && speaks)
        status = show(weft_study_results(study), command->columns, err);
    if (status == WEFT_OK && speaks)
        weft_terminal_tell("results in %s\n", weft_study_results(study));
    if (status == WEFT_OK && speaks)
        status = trace(command, study, catalog, &display, err);
    weft_study_close(study);
    return status;
}

const weft_verb weft_verb_run = {
    .name = "run",
    .arguments = "FILE [key=value …]",
    .brief = "runs a scenario or its whole grid; the same command again resumes",
    .examples =
        "weft run torus.yaml                               # all points of its grid, on "
        "all free cores\n"
        "weft run torus.yaml traffic.all.rho=0.1/0.9/0.1   # a curve of nine loads\n"
        "weft run torus.yaml topology.dims=[8,8] -o small.weft  # another network, into "
        "another file\n"
        "weft run torus.yaml --slurm --partition main      # an array job of Slurm, followed "
        "and collected\n"
        "weft run vcs.yaml --trace slowest                 # and where its slowest packet "
        "waited\n"
        "mpirun -n 4 weft run torus.yaml                   # on four processes\n",
    .flags = "--plugin --results -o --new --slurm --no-wait --tasks --nodes --time --partition "
             "--account "
             "--slurm-options --points --part --columns --jobs --threads --ranks --mpi --blocks "
             "--memory "
             "--checkpoint "
             "--quiet",
    .least = 1,
    .most = 1,
    .settings = true,
    .out_is_results = true,
    .own = own,
    .own_size = sizeof(run_flags),
    .run = run,
};
