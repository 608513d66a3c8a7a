/* SPDX-License-Identifier: Apache-2.0 */
/* weft selftest: the kinds of plug-ins held to their contracts. */
#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { REASONS_MOST = 64, REASON_BYTES = 512 };

typedef struct tally {
    size_t counts[WEFT_SELFTEST_FAILED + 1];
    size_t n_reasons; /* different ones of refusals, and how often each was given */
    size_t given[REASONS_MOST];
    char reasons[REASONS_MOST][REASON_BYTES];
} tally;

/* The first line, without the place of settings that the test itself has made. */
static void cut(const char *text, char *line)
{
    static const char place[] = "command line: ";
    if (strncmp(text, place, strlen(place)) == 0)
        text += strlen(place);
    snprintf(line, REASON_BYTES, "%.*s", (int)strcspn(text, "\n"), text);
}

static void add_refusal(tally *all, const char *reason)
{
    size_t i = 0;
    while (i < all->n_reasons && strcmp(all->reasons[i], reason) != 0)
        i++;
    if (i == REASONS_MOST)
        return;
    if (i == all->n_reasons)
        snprintf(all->reasons[all->n_reasons++], REASON_BYTES, "%s", reason);
    all->given[i]++;
}

static void tell(void *user, const weft_selftest_case *trial)
{
    static const char *const words[] = {"ok", "DEADLOCK", "refused", "FAILED"};
    tally *all = user;
    char line[REASON_BYTES];
    cut(trial->text, line);
    all->counts[trial->verdict]++;
    if (trial->verdict == WEFT_SELFTEST_REFUSED) {
        add_refusal(all, line);
        return;
    }
    printf("%-8s %s %s%s%s\n", words[trial->verdict], trial->family, trial->kind,
           trial->scenario[0] ? ", " : "", trial->scenario);
    if (line[0])
        printf("         %s\n", line);
}

static weft_status sum_up(const tally *all, weft_error *err)
{
    size_t ok = all->counts[WEFT_SELFTEST_OK], unsafe = all->counts[WEFT_SELFTEST_DEADLOCK];
    size_t refused = all->counts[WEFT_SELFTEST_REFUSED], failed = all->counts[WEFT_SELFTEST_FAILED];
    size_t total = ok + unsafe + refused + failed;
    for (size_t i = 0; i < all->n_reasons; i++)
        printf("refused  %zu scenario%s: %s\n", all->given[i], all->given[i] == 1 ? "" : "s",
               all->reasons[i]);
    printf("%zu scenario%s: %zu ok, %zu can deadlock, %zu refused, %zu failed\n", total,
           total == 1 ? "" : "s", ok, unsafe, refused, failed);
    if (failed + unsafe == 0 && ok == 0)
        return weft_fail(err, WEFT_BAD_INPUT, "no scenario has been tried: all are refused");
    if (failed + unsafe == 0)
        return WEFT_OK;
    return weft_fail(err, WEFT_BROKEN,
                     failed ? "a promise is broken"
                            : "packets can deadlock; `weft check` of such a "
                              "scenario shows the cycle");
}

/* A network that a kind refuses is no failure; a file that is not there is one. */
static weft_status check_files(const weft_command *command, weft_error *err)
{
    for (size_t i = 0; i < command->n_names; i++)
        if (strcmp(command->names[i], "-") != 0 && access(command->names[i], R_OK) != 0)
            return weft_fail(err, WEFT_BAD_INPUT, "%s cannot be read: %s", command->names[i],
                             strerror(errno));
    return WEFT_OK;
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    static const tally none;
    tally all = none;
    if (command->plugins.n_texts == 0)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "selftest needs a plug-in: weft selftest --plugin ./FILE.so");
    WEFT_TRY(check_files(command, err));
    for (size_t i = 0; i < command->n_names; i++)
        WEFT_TRY(
            weft_selftest_file(catalog, command->names[i], command->settings, tell, &all, err));
    if (command->n_names == 0)
        WEFT_TRY(weft_selftest_run(catalog, command->settings, tell, &all, err));
    return sum_up(&all, err);
}

const weft_verb weft_verb_selftest = {
    .name = "selftest",
    .arguments = "--plugin FILE.so [SCENARIO …] [key=value …]",
    .brief = "hold the kinds of a plug-in to their contracts, in small scenarios or your own",
    .examples =
        "weft selftest --plugin ./routing.so            # its kinds, in scenarios of their own\n"
        "weft selftest --plugin ./routing.so mesh.yaml  # and in yours\n",
    .flags = "--plugin",
    .most = 64,
    .settings = true,
    .run = run,
};
