/* SPDX-License-Identifier: Apache-2.0 */
/* weft selftest: the kinds of plug-ins held to their contracts. */
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

typedef struct tally {
    size_t counts[WEFT_SELFTEST_FAILED + 1];
    size_t alike; /* refusals in a row for one reason */
    char reason[512];
} tally;

static void tell_refusals(tally *all)
{
    if (all->alike > 0)
        printf("refused  %zu scenario%s: %s\n", all->alike, all->alike == 1 ? "" : "s",
               all->reason);
    all->alike = 0;
}

static void add_refusal(tally *all, const char *reason)
{
    static const char place[] = "command line: ";
    if (strncmp(reason, place, strlen(place)) == 0)
        reason += strlen(place);
    size_t length = strcspn(reason, "\n");
    if (strncmp(reason, all->reason, length) != 0 || all->reason[length])
        tell_refusals(all);
    snprintf(all->reason, sizeof all->reason, "%.*s", (int)length, reason);
    all->alike++;
}

static void tell(void *user, const weft_selftest_case *trial)
{
    tally *all = user;
    all->counts[trial->verdict]++;
    if (trial->verdict == WEFT_SELFTEST_REFUSED) {
        add_refusal(all, trial->text);
        return;
    }
    tell_refusals(all);
    printf("%-8s %s %s%s%s\n", trial->verdict == WEFT_SELFTEST_OK ? "ok" : "FAILED", trial->family,
           trial->kind, trial->scenario[0] ? ", " : "", trial->scenario);
    if (trial->text[0])
        printf("         %.*s\n", (int)strcspn(trial->text, "\n"), trial->text);
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    tally all = {.counts = {0}};
    if (command->plugins.n_texts == 0)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "selftest needs a plug-in: weft selftest --plugin ./FILE.so");
    for (size_t i = 0; i < command->n_names; i++)
        WEFT_TRY(
            weft_selftest_file(catalog, command->names[i], command->settings, tell, &all, err));
    if (command->n_names == 0)
        WEFT_TRY(weft_selftest_run(catalog, command->settings, tell, &all, err));
    tell_refusals(&all);
    size_t ok = all.counts[WEFT_SELFTEST_OK], refused = all.counts[WEFT_SELFTEST_REFUSED];
    size_t failed = all.counts[WEFT_SELFTEST_FAILED];
    printf("%zu scenarios: %zu ok, %zu refused, %zu failed\n", ok + refused + failed, ok, refused,
           failed);
    if (failed == 0)
        return WEFT_OK;
    return weft_fail(err, WEFT_BROKEN, "%zu scenario%s failed", failed, failed == 1 ? "" : "s");
}

const weft_verb weft_verb_selftest = {
    .name = "selftest",
    .arguments = "--plugin FILE.so [SCENARIO …] [key=value …]",
    .brief = "hold the kinds of a plug-in to their contracts, in small scenarios or your own",
    .flags = "--plugin",
    .most = 64,
    .settings = true,
    .run = run,
};
