/* SPDX-License-Identifier: Apache-2.0 */
/* weft run: a scenario or its whole grid, then the table. */
#include "cli/command.h"
#include "report/table.h"

#include <stdio.h>

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
    weft_display_init(&display, command->quiet);
    WEFT_TRY(weft_report_table_check(command->columns, err));
    weft_display_heed();
    WEFT_TRY(weft_command_study(command, catalog, &display, &study, err));
    weft_status status = weft_study_run(study, err);
    bool speaks = weft_context_rank(command->context) == 0;
    weft_display_clear(&display);
    if (status == WEFT_OK && speaks)
        status = show(weft_study_results(study), command->columns, err);
    if (status == WEFT_OK && speaks)
        fprintf(stderr, "results in %s\n", weft_study_results(study));
    weft_study_close(study);
    return status;
}

const weft_verb weft_verb_run = {
    .name = "run",
    .arguments = "FILE [key=value …]",
    .brief = "runs a scenario or its whole grid; the same command again resumes",
    .examples = "weft run torus.yaml                               # all points of its grid, on "
                "all free cores\n"
                "weft run torus.yaml traffic.all.rho=0.1/0.9/0.1   # a curve of nine loads\n"
                "weft run torus.yaml topology.dims=[8,8] -o small.weft  # another network, into "
                "another file\n"
                "mpirun -n 4 weft run torus.yaml                   # on four processes\n",
    .flags =
        "--plugin --results -o --new --columns --jobs --threads --ranks --mpi --blocks --memory "
        "--checkpoint "
        "--quiet",
    .least = 1,
    .most = 1,
    .settings = true,
    .run = run,
};
