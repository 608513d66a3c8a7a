/* SPDX-License-Identifier: Apache-2.0 */
/* weft: one verb per file. Results on stdout, all else on stderr; exit status as in status.h. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const weft_verb *const weft_verbs[] = {
    &weft_verb_run,        &weft_verb_study,    &weft_verb_sensitivity,
    &weft_verb_status,     &weft_verb_cancel,   &weft_verb_saturate,
    &weft_verb_check,      &weft_verb_plan,     &weft_verb_compare,
    &weft_verb_model,      &weft_verb_crossbar, &weft_verb_topology,
    &weft_verb_workload,   &weft_verb_import,   &weft_verb_report,
    &weft_verb_explain,    &weft_verb_export,   &weft_verb_reproduce,
    &weft_verb_ts,         &weft_verb_list,     &weft_verb_describe,
    &weft_verb_schema,     &weft_verb_pages,    &weft_verb_selftest,
    &weft_verb_completion, &weft_verb_man,      NULL,
};

/* The sentence for the person, once. Lines of the scenario below it stay as they are. */
static void say(weft_status status, weft_error *err)
{
    int length = (int)strcspn(err->text, "\n");
    if (length > 0 && status != WEFT_OK) {
        char *sentence = weft_text_format("%s%.*s\n", status == WEFT_BAD_USAGE ? "weft: " : "",
                                          length, err->text);
        weft_terminal_print(sentence, stderr);
        fprintf(stderr, "%s%s", err->text[length] ? err->text + length + 1 : "",
                err->text[length] ? "\n" : "");
        free(sentence);
    }
    err->text[0] = '\0';
}

static weft_status perform(weft_command *command, weft_error *err)
{
    weft_catalog *catalog = weft_catalog_create();
    weft_status status = weft_context_open(command->mpi, &command->context, err);
    for (size_t i = 0; i < command->plugins.n_texts && status == WEFT_OK; i++)
        status = weft_catalog_load(catalog, command->plugins.texts[i], err);
    if (command->context) /* a plug-in may be missing on one machine alone */
        status = weft_context_agree(command->context, status, err);
    if (status == WEFT_OK)
        status = command->verb->run(command, catalog, err);
    weft_catalog_destroy(catalog);
    if (status != WEFT_OK && command->context && weft_context_rank(command->context) > 0)
        err->text[0] = '\0'; /* rank 0 says it … */
    say(status, err); /* … now: a launcher ends all as soon as one has ended with a failure */
    weft_context_close(command->context);
    return status;
}

/* Everything that was to be said has been said, or else the status says it was not. */
static int finish(weft_status status, weft_error *err)
{
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == WEFT_OK) {
        weft_display_quit_unread();
        status = weft_fail(err, WEFT_BAD_INPUT, "cannot write the output");
    }
    say(status, err);
    return (int)status;
}

/* Whatever a parent has left: how a child ends is asked for, and a write beyond the largest size of
 * a file fails with a message instead of ending the program. */
static void set_signals(void)
{
    (void)signal(SIGCHLD, SIG_DFL);
    (void)signal(SIGXFSZ, SIG_IGN);
}

int main(int argc, char **argv)
{
    weft_error err = {.text = ""};
    weft_command command;
    set_signals();
    if (argc < 2) {
        weft_command_help(stderr, weft_verbs, NULL);
        return WEFT_BAD_USAGE;
    }
    char help[] = "--help";
    if (strcmp(argv[1], "help") == 0 && argc > 2) { /* weft help run: weft run --help */
        argv[1] = argv[2];
        argv[2] = help;
        argc = 3;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        weft_command_help(stdout, weft_verbs, NULL);
        return finish(WEFT_OK, &err);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("weft %s\n", WEFT_VERSION);
        return finish(WEFT_OK, &err);
    }
    weft_status status = weft_command_parse(argc, argv, weft_verbs, &command, &err);
    if (status == WEFT_OK && command.help)
        weft_command_help(stdout, weft_verbs, command.verb);
    else if (status == WEFT_OK)
        status = perform(&command, &err);
    weft_command_done(&command);
    return finish(status, &err);
}
