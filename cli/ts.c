/* SPDX-License-Identifier: Apache-2.0 */
/* weft ts: the options and the output of the torus simulator ts, to the letter of its spelling. */
#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { D, K, RULE, CHT, BL, LAMBDA, MAXST, DBG, SEED, SCENARIO };

static const weft_own_flag own[] = {
    [D] = {"--d", "N", "dimensions; default 3"},
    [K] = {"--k", "N", "routers along each of them; default 4"},
    [RULE] = {"--r", "RULE",
              "switching rule: a first dimension, b random, c random by distance, d to "
              "f the same among free ports; default a"},
    [CHT] = {"--cht", "MTU", "time of a packet on a channel; default 100"},
    [BL] = {"--bl", "N", "packets that may wait at a router; default 10000"},
    [LAMBDA] = {"--lambda", "RATE", "packets per mtu and router; default 0.01"},
    [MAXST] = {"--maxst", "MTU", "simulation time; default 1000000"},
    [DBG] = {"--dbg", "LEVEL",
             "1: a line for every event of a packet, 2: with queues, 3 and above: ts' own lines; "
             "default 0"},
    [SEED] = {"--seed", "N", "of all draws; default 1"},
    [SCENARIO] = {"--scenario", NULL, "print the scenario for weft run instead of running it"},
    {NULL, NULL, NULL},
};

static weft_status read_whole(const weft_command *command, int flag, int64_t *into, weft_error *err)
{
    const char *text = command->own[flag];
    char *end;
    if (!text)
        return WEFT_OK;
    errno = 0;
    *into = strtoll(text, &end, 10);
    if (end == text || *end || errno)
        return weft_fail(err, WEFT_BAD_USAGE, "%s takes a whole number, found '%.64s'",
                         own[flag].name, text);
    return WEFT_OK;
}

static weft_status read_options(const weft_command *command, weft_ts_options *options,
                                weft_error *err)
{
    const char *rule = command->own[RULE], *lambda = command->own[LAMBDA];
    char *end = NULL;
    WEFT_TRY(read_whole(command, D, &options->d, err));
    WEFT_TRY(read_whole(command, K, &options->k, err));
    WEFT_TRY(read_whole(command, CHT, &options->cht, err));
    WEFT_TRY(read_whole(command, BL, &options->bl, err));
    WEFT_TRY(read_whole(command, MAXST, &options->maxst, err));
    WEFT_TRY(read_whole(command, DBG, &options->dbg, err));
    WEFT_TRY(read_whole(command, SEED, &options->seed, err));
    if (rule && (strlen(rule) != 1 || *rule < 'a' || *rule > 'f'))
        return weft_fail(err, WEFT_BAD_USAGE, "--r takes a rule from a to f, found '%.64s'", rule);
    if (rule)
        options->rule = *rule;
    if (lambda)
        options->lambda = strtod(lambda, &end);
    if (lambda && (end == lambda || *end))
        return weft_fail(err, WEFT_BAD_USAGE, "--lambda takes a rate, found '%.64s'", lambda);
    return WEFT_OK;
}

static void print_input(const weft_ts_options *options)
{
    printf("***** Input information *****\n");
    printf("torus dimensions d=%lld, size k=%lld\n", (long long)options->d, (long long)options->k);
    printf("lambda=%e, cht=%lld, bl=%lld\n", options->lambda, (long long)options->cht,
           (long long)options->bl);
    printf("switching rule %c\n\nsimulating...\n\n", options->rule);
}

static void print_statistics(const weft_ts_statistics *found)
{
    printf("***** Simulation Statistics *****\n");
    printf("simulation time: %lld (mtu)\n", (long long)found->time);
    printf("generated packets: %lld\n", (long long)found->generated);
    printf("delevered packets: %lld\n", (long long)found->delivered);
    printf("queued packets: %lld\n", (long long)found->queued);
    printf("dropped packets: %lld (%e %%)\n", (long long)found->dropped,
           (double)found->dropped / (double)found->delivered * 100);
    printf("torus performanse: %e (pkt/mtu)\n", found->performance);
    printf("torus load: %e (%%)\n", found->load);
    printf("average hops per packet: %e\n", found->hops);
    printf("average packet channel time: %e (mtu)\n", found->channel_time);
}

static void print_line(void *user, const char *text)
{
    (void)user;
    puts(text);
}

static weft_status simulate(const weft_command *command, const weft_catalog *catalog,
                            weft_ts_options *options, weft_error *err)
{
    weft_display display;
    weft_ts_statistics found;
    weft_display_init(&display, command->quiet);
    weft_display_heed();
    options->line = print_line;
    options->wish = weft_display_wish;
    options->progress = weft_display_progress;
    options->user = &display;
    print_input(options);
    fflush(stdout);
    weft_status status = weft_ts_run(options, catalog, &found, err);
    weft_display_clear(&display);
    if (status == WEFT_OK)
        print_statistics(&found);
    return status;
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    weft_ts_options options = weft_ts_defaults();
    options.threads = command->threads;
    options.blocks = command->blocks;
    char *text;
    WEFT_TRY(read_options(command, &options, err));
    WEFT_TRY(weft_ts_scenario(&options, &text, err)); /* says what is out of range */
    weft_status status = WEFT_OK;
    bool speaks = weft_context_rank(command->context) == 0; /* it is run by one process */
    if (speaks && command->own[SCENARIO])
        fputs(text, stdout);
    else if (speaks)
        status = simulate(command, catalog, &options, err);
    free(text);
    return status;
}

const weft_verb weft_verb_ts = {
    .name = "ts",
    .arguments = "[--d=N --k=N …]",
    .brief = "the options and the output of the torus simulator ts",
    .flags = "--threads --blocks --quiet",
    .settings = false,
    .own = own,
    .run = run,
};
