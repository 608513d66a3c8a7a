/* SPDX-License-Identifier: Apache-2.0 */
/* weft check: settings as understood, bounds, memory and time; runs nothing. */
#include "cli/command.h"
#include "cli/facts.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    weft_study *study;
    weft_display display;
    weft_display_init(&display, true);
    WEFT_TRY(weft_command_study(command, catalog, &display, &study, err));
    char *text = NULL;
    weft_worst_options options = {.seed = (uint64_t)command->seed,
                                  .effort = (uint32_t)command->effort,
                                  .witness = command->witness};
    weft_status status = command->worst ? weft_study_worst(study, &options, &text, err)
                                        : weft_study_check(study, &text, err);
    bool speaks = status == WEFT_OK && weft_context_rank(command->context) == 0;
    if (speaks && command->json)
        weft_facts_print(text, stdout);
    else if (speaks)
        weft_terminal_print(text, stdout);
    free(text);
    weft_study_close(study);
    return status;
}

const weft_verb weft_verb_check = {
    .name = "check",
    .arguments = "FILE [key=value …]",
    .brief = "settings as understood, bounds, memory and time estimate; runs nothing",
    .flags = "--json --plugin --results -o --jobs --threads --ranks --mpi --blocks --memory "
             "--thorough --worst "
             "--seed --effort "
             "--witness",
    .least = 1,
    .most = 1,
    .settings = true,
    .run = run,
};
