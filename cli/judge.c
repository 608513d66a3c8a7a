/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/judge.h"

#include "base/text.h"
#include "cli/terminal.h"
#include "report/fabric/fabric.h"
#include "report/save.h"
#include "report/table.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool weft_command_judges(const weft_command *command)
{
    return command->n_names > 1 || command->without.n_texts > 0 || command->rates.n_texts > 0 ||
           command->html || command->svg || command->png;
}

static weft_status save(void (*write)(const weft_judgement *judgement, weft_text *text),
                        const weft_judgement *judgement, const char *path, weft_error *err)
{
    weft_save file;
    weft_text text;
    if (!path)
        return WEFT_OK;
    WEFT_TRY(weft_save_begin(&file, path, err));
    weft_text_init(&text);
    write(judgement, &text);
    weft_status status = weft_save_write(&file, text.at, text.length, err);
    weft_text_done(&text);
    WEFT_TRY(weft_save_end(&file, status, err));
    weft_terminal_tell("wrote %s\n", path);
    return WEFT_OK;
}

static weft_status save_all(const weft_command *command, const weft_judgement *judgement,
                            weft_error *err)
{
    WEFT_TRY(weft_save_check(command->png, err));
    WEFT_TRY(save(weft_judged_page, judgement, command->html, err));
    WEFT_TRY(save(weft_judged_svg, judgement, command->svg, err));
    if (!command->png)
        return WEFT_OK;
    WEFT_TRY(weft_judged_png(judgement, command->png, err));
    weft_terminal_tell("wrote %s\n", command->png);
    return WEFT_OK;
}

static void print(const weft_command *command, const weft_judgement *judgement)
{
    weft_text notes;
    if (command->json) {
        weft_judged_json(judgement, stdout);
        return;
    }
    if (judgement->change)
        printf("changed: %s\n\n", judgement->change);
    weft_judged_table(judgement, stdout, weft_display_width(WEFT_TABLE_WIDTH));
    weft_text_init(&notes);
    weft_judged_below(judgement, &notes);
    weft_terminal_print(notes.at, stdout);
    weft_text_done(&notes);
}

/* A word that is no file was to be a setting. */
static weft_status check_names(const weft_command *command, weft_error *err)
{
    if (command->worst)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--worst looks at one scenario as it is, without pictures");
    for (size_t i = 1; i < command->n_names; i++)
        if (!strchr(command->names[i], '.') && access(command->names[i], F_OK) != 0)
            return weft_fail(err, WEFT_BAD_USAGE,
                             "'%.64s' is one name too many for check; a setting is key=value",
                             command->names[i]);
    return WEFT_OK;
}

weft_status weft_command_judge(const weft_command *command, const weft_catalog *catalog,
                               weft_error *err)
{
    weft_judgement *judgement;
    if (weft_context_rank(command->context) > 0)
        return WEFT_OK;
    weft_judge_options options = {.n_files = command->n_names,
                                  .files = command->names,
                                  .overrides = command->settings,
                                  .without = command->without.texts,
                                  .rates = command->rates.texts,
                                  .thorough = command->thorough};
    WEFT_TRY(check_names(command, err));
    WEFT_TRY(weft_judgement_make(&options, catalog, &judgement, err));
    weft_status status = save_all(command, judgement, err);
    if (status == WEFT_OK)
        print(command, judgement);
    weft_judgement_destroy(judgement);
    return status;
}
