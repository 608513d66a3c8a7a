/* SPDX-License-Identifier: Apache-2.0 */
/* weft check: settings as understood, bounds, memory and time; runs nothing. Several scenarios, or
 * one less some of its parts, are fabrics whose forwarding tables are compared. */
#include "cli/command.h"
#include "cli/judge.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    weft_study *study;
    weft_display display;
    if (weft_command_judges(command))
        return weft_command_judge(command, catalog, err);
    weft_display_init(&display, true);
    bool leads = weft_context_rank(command->context) == 0;
    WEFT_TRY(weft_command_study(command, catalog, &display, &study, err));
    char *text = NULL;
    weft_worst_options options = {.seed = (uint64_t)command->seed,
                                  .effort = (uint32_t)command->effort,
                                  .witness = command->witness};
    if (leads)
        weft_display_wait();
    weft_status status = command->worst ? weft_study_worst(study, &options, &text, err)
                                        : weft_study_check(study, &text, err);
    if (leads)
        weft_display_waited();
    bool speaks = status == WEFT_OK && leads;
    if (speaks && command->json)
        weft_command_print_facts(text);
    else if (speaks)
        weft_terminal_print(text, stdout);
    free(text);
    weft_study_close(study);
    return status;
}

const weft_verb weft_verb_check = {
    .name = "check",
    .arguments = "FILE [key=value …]",
    .brief = "settings as understood, bounds, memory and time estimate; runs nothing. Several "
             "InfiniBand fabrics: their forwarding tables side by side",
    .examples = "weft check torus.yaml                             # are the settings what was "
                "meant, will it fit?\n"
                "weft check torus.yaml --thorough                  # the verdict on deadlock, "
                "however long it takes\n"
                "weft check torus.yaml routing.kind=dimension-order --worst  # the worst "
                "permutation of a fixed routing\n",
    .flags = "--json --plugin --results -o --jobs --threads --ranks --mpi --blocks --memory "
             "--thorough --worst "
             "--seed --effort "
             "--witness --without --rate --html --svg --png",
    .least = 1,
    .most = WEFT_JUDGE_FILES,
    .settings = true,
    .out_is_results = true,
    .run = run,
};
