/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes for the program itself, a line for each word: none crashes it. WEFT_READER says what
 * they are:
 *
 *     command    a command line, taken apart but not run
 *     ts         the options of `weft ts`, up to the scenario of its run
 *     running    the file beside the results of a study that is being run */
#include "cli/running.h"
#include "fuzz_file.h"

#define WORDS_MAX 64

static weft_status parse(char **words, size_t n_words, weft_command *command, weft_error *err)
{
    return weft_command_parse((int)n_words, words, weft_verbs, command, err);
}

static void read_command(const uint8_t *data, size_t size)
{
    char program[] = "weft", *words[WORDS_MAX + 2] = {program};
    weft_command command;
    weft_error err;
    size_t n_words = 1 + fuzz_words(data, size, words + 1, WORDS_MAX);
    if (parse(words, n_words, &command, &err) != WEFT_OK && !*err.text)
        abort();
    weft_command_done(&command);
    free(words[1]);
}

static void read_ts(const uint8_t *data, size_t size)
{
    static weft_catalog *catalog;
    static weft_context *context;
    char program[] = "weft", verb[] = "ts", shown[] = "--scenario";
    char *words[WORDS_MAX + 4] = {program, verb, shown};
    weft_command command;
    weft_error err;
    if (!catalog) {
        catalog = weft_catalog_create();
        if (weft_context_open(false, &context, &err) != WEFT_OK ||
            !freopen("/dev/null", "w", stdout))
            abort();
    }
    size_t n_words = 3 + fuzz_words(data, size, words + 3, WORDS_MAX);
    weft_status status = parse(words, n_words, &command, &err);
    if (status == WEFT_OK && !command.help) {
        command.context = context;
        status = command.verb->run(&command, catalog, &err);
    }
    if (status != WEFT_OK && !*err.text)
        abort();
    weft_command_done(&command);
    free(words[3]);
}

static void read_running(const uint8_t *data, size_t size)
{
    char *results = strdup(fuzz_file("results.running", data, size));
    weft_running running;
    if (!results)
        abort();
    results[strlen(results) - strlen(".running")] = '\0';
    (void)weft_running_read(&running, results);
    for (size_t i = 0; i < running.n_rows; i++)
        if (!(running.rows[i].share >= 0 && running.rows[i].share <= 1))
            abort();
    weft_running_done(&running);
    free(results);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (fuzz_wants("command"))
        read_command(data, size);
    if (fuzz_wants("ts"))
        read_ts(data, size);
    if (fuzz_wants("running"))
        read_running(data, size);
    return 0;
}
