/* SPDX-License-Identifier: Apache-2.0 */
/* weft ts: the options and the output of the torus simulator ts, to the letter of its spelling. */
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ts_flags {
    int64_t d, k, cht, bl, maxst, dbg, seed;
    double lambda;
    const char *rule;
    bool scenario;
} ts_flags;
#define AT(member) .offset = offsetof(ts_flags, member)

static const weft_flag own[] = {
    {"--d", "N", "dimensions", WEFT_FLAG_WHOLE, AT(d), .fallback = "3"},
    {"--k", "N", "routers along each of them", WEFT_FLAG_WHOLE, AT(k), .fallback = "4"},
    {"--r", "RULE",
     "switching rule: a first dimension, b random, c random by distance, d to f the same among "
     "free ports",
     WEFT_FLAG_TEXT, AT(rule), .fallback = "a"},
    {"--cht", "MTU", "time of a packet on a channel", WEFT_FLAG_WHOLE, AT(cht), .fallback = "100"},
    {"--bl", "N", "packets that may wait at a router", WEFT_FLAG_WHOLE, AT(bl),
     .fallback = "10000"},
    {"--lambda", "RATE", "packets per mtu and router", WEFT_FLAG_NUMBER, AT(lambda),
     .fallback = "0.01"},
    {"--maxst", "MTU", "simulation time", WEFT_FLAG_WHOLE, AT(maxst), .fallback = "1000000"},
    {"--dbg", "LEVEL",
     "1: a line for every event of a packet, 2: with queues, 3 and above: ts' own lines",
     WEFT_FLAG_WHOLE, AT(dbg), .fallback = "0"},
    {"--seed", "N", "random seed", WEFT_FLAG_WHOLE, AT(seed), .fallback = "1"},
    {"--scenario", NULL, "print the scenario for weft run instead of running it", WEFT_FLAG_SWITCH,
     AT(scenario)},
    {.name = NULL},
};

static weft_status read_options(const weft_command *command, weft_ts_options *options,
                                weft_error *err)
{
    const ts_flags *given = command->own;
    if (strlen(given->rule) != 1 || *given->rule < 'a' || *given->rule > 'f')
        return weft_fail(err, WEFT_BAD_USAGE, "--r takes a rule from a to f, found '%.64s'",
                         given->rule);
    options->rule = *given->rule;
    options->d = given->d;
    options->k = given->k;
    options->cht = given->cht;
    options->bl = given->bl;
    options->maxst = given->maxst;
    options->dbg = given->dbg;
    options->seed = given->seed;
    options->lambda = given->lambda;
    options->threads = command->threads;
    options->blocks = command->blocks;
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
    if (puts(text) < 0)
        weft_display_quit_unread();
}

static weft_status simulate(const weft_command *command, const weft_catalog *catalog,
                            weft_ts_options *options, weft_error *err)
{
    weft_display display;
    weft_ts_statistics found;
    weft_display_init(&display, command->quiet);
    weft_display_heed();
    options->line = print_line;
    options->request = weft_display_request;
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
    char *text;
    WEFT_TRY(read_options(command, &options, err));
    WEFT_TRY(weft_ts_scenario(&options, &text, err)); /* says what is out of range */
    weft_status status = WEFT_OK;
    bool speaks = weft_context_rank(command->context) == 0; /* it is run by one process */
    if (speaks && ((const ts_flags *)command->own)->scenario)
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
    .examples = "weft ts --d=2 --k=8 --lambda=0.01  # an 8×8 torus\n",
    .flags = "--threads --blocks --quiet",
    .settings = false,
    .own = own,
    .own_size = sizeof(ts_flags),
    .run = run,
};
