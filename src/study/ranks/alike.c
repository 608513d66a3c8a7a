/* SPDX-License-Identifier: Apache-2.0 */
#include "study/ranks/alike.h"

#include "study/portion/portion.h"

#include <stdio.h>
#include <string.h>

#define START 0xcbf29ce484222325u /* FNV-1a */
#define PRIME 0x100000001b3u

/* The byte behind the text ends it: "a", "bc" is not "ab", "c". */
static uint64_t add(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (unsigned char)*text) * PRIME;
    while (*text++);
    return hash;
}

uint64_t weft_alike_text(const char *text)
{
    return text ? add(START, text) : 0;
}

weft_status weft_alike_input(const weft_comm *comm, const char *file, weft_error *err)
{
    if (!file || strcmp(file, "-") != 0 || weft_comm_size(comm) == 1)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "with several processes a scenario is read from a file, not from standard "
                     "input");
}

static weft_status compare_options(const weft_study *study, weft_error *err)
{
    const weft_study_options *options = &study->options;
    const struct {
        const char *what;
        uint64_t value;
    } facts[] = {
        {"command", 2 * (uint64_t)options->one_load + (uint64_t)options->keep_going},
        {"--points", weft_alike_text(options->points)},
        {"--blocks", (uint64_t)options->blocks},
        {"--ranks", (uint64_t)options->ranks},
        {"--new", (uint64_t)options->fresh},
        {"--part", weft_alike_text(options->part)},
        {"results file", weft_alike_text(study->checkpoints)},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        char sentence[128];
        (void)snprintf(sentence, sizeof sentence,
                       "has another %s than process 0: all processes must be started alike",
                       facts[i].what);
        WEFT_TRY(weft_comm_same(study->comm, facts[i].value, sentence, err));
    }
    return WEFT_OK;
}

/* What the chosen points are: their settings as understood, and what the files hold that these
 * name. */
static weft_status identify(const weft_study *study, uint64_t *identity, weft_error *err)
{
    *identity = add(START, weft_plan_text(study->plan));
    for (size_t i = 0; i < weft_plan_points(study->plan); i++) {
        weft_arena arena;
        weft_scenario scenario;
        if (weft_portion_leaves_out(study, i))
            continue;
        weft_arena_init(&arena);
        weft_status status = weft_plan_point(study->plan, i, &arena, &scenario, err);
        if (status == WEFT_OK)
            *identity = add(add(*identity, scenario.key), scenario.identity);
        weft_arena_done(&arena);
        WEFT_TRY(status);
    }
    return WEFT_OK;
}

/* A point that no process can bind is for the command to refuse, as it does where one is alone;
 * what one of them alone cannot bind, for it has no such plug-in, it says. */
static weft_status compare_points(const weft_study *study, weft_error *err)
{
    char sentence[1024];
    uint64_t identity;
    weft_error said = {.text = ""};
    weft_status status = identify(study, &identity, &said);
    int64_t failed = status != WEFT_OK;
    study->comm->kind->sum(study->comm, &failed, 1);
    if (failed > 0 && failed < study->comm->size) {
        if (err)
            *err = said;
        return weft_comm_agree(study->comm, status, err);
    }
    (void)snprintf(sentence, sizeof sentence,
                   "reads another scenario than process 0: %.512s and the files that it names must "
                   "be the same everywhere",
                   study->options.file);
    return weft_comm_same(study->comm, failed ? 0 : identity, sentence, err);
}

weft_status weft_alike_study(const weft_study *study, weft_error *err)
{
    if (weft_comm_size(study->comm) == 1)
        return WEFT_OK;
    WEFT_TRY(compare_options(study, err));
    return compare_points(study, err);
}
