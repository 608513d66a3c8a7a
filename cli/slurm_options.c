/* SPDX-License-Identifier: Apache-2.0 */
/* Which flags go with --slurm, and which do not go without. */
#include "cli/slurm.h"

#include <string.h>

static weft_status check_usage(const weft_command *command, weft_error *err)
{
    if (weft_context_size(command->context) > 1)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--slurm starts processes itself: run it without mpirun or srun");
    if (command->part || command->points || command->fresh || strcmp(command->names[0], "-") == 0)
        return weft_fail(err, WEFT_BAD_USAGE, "--slurm does not go with %s",
                         command->part     ? "--part"
                         : command->points ? "--points"
                         : command->fresh  ? "--new: remove the results file, or name another"
                                           : "a scenario from standard input");
    return WEFT_OK;
}

/* What is said to Slurm alone. */
static weft_status check_without(const weft_command *command, weft_error *err)
{
    const char *flag = command->no_wait         ? "--no-wait"
                       : command->tasks         ? "--tasks"
                       : command->nodes         ? "--nodes"
                       : command->time_s > 0    ? "--time"
                       : command->partition     ? "--partition"
                       : command->account       ? "--account"
                       : command->slurm_options ? "--slurm-options"
                                                : NULL;
    return flag ? weft_fail(err, WEFT_BAD_USAGE, "%s is for --slurm, which is not given", flag)
                : WEFT_OK;
}

weft_status weft_cluster_options(const weft_command *command, weft_study_options *options,
                                 weft_error *err)
{
    if (!command->slurm)
        return check_without(command, err);
    options->threads = command->threads ? command->threads : 1;
    options->begins = NULL;
    return check_usage(command, err);
}
