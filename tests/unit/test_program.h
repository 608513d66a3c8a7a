/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of readers of programs share: texts that are refused with a sentence, and texts
 * whose ranks end at given ticks. Messages call a text "x". */
#ifndef WEFT_TEST_PROGRAM_H
#define WEFT_TEST_PROGRAM_H

#include "program/format.h"
#include "program/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PROGRAM_OPTIONS                                                                            \
    {                                                                                              \
        .ticks_per_second = 1000000000, .flops_per_second = 1000000000, .operations_max = 1 << 20, \
        .alone = true                                                                              \
    }

/* Reads bytes that have no room behind them but for the \0. */
static inline weft_status program_read(const weft_format_kind *format, const char *bytes,
                                       size_t count, const weft_format_options *options,
                                       weft_program *program, weft_error *err)
{
    weft_format_summary summary = {0};
    char *copy = malloc(count + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, count);
    copy[count] = '\0';
    weft_format_input input = {.file = "x",
                               .bytes = {.at = copy, .count = count},
                               .options = options,
                               .summary = &summary};
    *program = (weft_program){0};
    weft_status status = format->read(&input, program, err);
    free(copy);
    return status;
}

static inline void program_refused_bytes(const weft_format_kind *format, const char *bytes,
                                         size_t count, const char *sentence)
{
    weft_format_options options = PROGRAM_OPTIONS;
    weft_program program;
    weft_error err = {.text = ""};
    weft_status status = program_read(format, bytes, count, &options, &program, &err);
    if (status != WEFT_BAD_INPUT || strcmp(err.text, sentence) != 0)
        fail_msg("%.*s\nwanted %s\nfound  %s", (int)count, bytes, sentence,
                 status == WEFT_OK ? "a program" : err.text);
}

static inline void program_refused(const weft_format_kind *format, const char *text,
                                   const char *sentence)
{
    program_refused_bytes(format, text, strlen(text), sentence);
}

/* ends: "0 1099", where a message of s bytes takes 999 + s ticks. */
static inline void program_ends(const weft_format_kind *format, const char *text, const char *ends)
{
    weft_format_options options = PROGRAM_OPTIONS;
    weft_host_costs costs = {.latency = 1000, .gap = 1, .per_byte = 1, .eager = 1 << 20};
    weft_program program;
    weft_error err = {.text = ""};
    char found[1000] = "";
    if (program_read(format, text, strlen(text), &options, &program, &err) != WEFT_OK)
        fail_msg("%s\n%s", text, err.text);
    uint64_t *finish = calloc(program.n_ranks, sizeof *finish);
    if (weft_replay(&program, &costs, NULL, finish, &err) != WEFT_OK)
        fail_msg("%s\n%s", text, err.text);
    for (uint32_t r = 0, at = 0; r < program.n_ranks; r++)
        at += (uint32_t)snprintf(found + at, sizeof found - at, "%s%llu", r ? " " : "",
                                 (unsigned long long)finish[r]);
    if (strcmp(found, ends) != 0)
        fail_msg("%s\nends at %s, not at %s", text, found, ends);
    free(finish);
    weft_program_done(&program);
}

/* A program that fits is refused where fewer operations are allowed. */
static inline void program_limited(const weft_format_kind *format, const char *text)
{
    weft_format_options options = PROGRAM_OPTIONS;
    weft_program program;
    weft_error err = {.text = ""};
    if (program_read(format, text, strlen(text), &options, &program, &err) != WEFT_OK)
        fail_msg("%s\n%s", text, err.text);
    uint32_t count = program.n_operations;
    weft_program_done(&program);
    for (uint32_t most = 0; most < count; most++) {
        char few[100], many[100];
        options.operations_max = most;
        weft_status status = program_read(format, text, strlen(text), &options, &program, &err);
        (void)snprintf(few, sizeof few, "x: the program has more than %u operations", most);
        (void)snprintf(many, sizeof many, "operations, more than %u", most);
        if (status != WEFT_BAD_INPUT || !(strstr(err.text, few) || strstr(err.text, many)))
            fail_msg("%s\nof %u operations: %s", text, most,
                     status == WEFT_OK ? "a program" : err.text);
    }
}

/* Each word of the first line from the first-th on is needed as it is: another one is refused with
 * the place and the word. `rest`: further lines. */
static inline void program_words(const weft_format_kind *format, const char *line, size_t first,
                                 const char *rest)
{
    weft_format_options options = PROGRAM_OPTIONS;
    for (size_t at = 0, word = 0; line[at]; word++) {
        size_t length = strcspn(line + at, " ");
        char text[2000];
        weft_program program;
        weft_error err = {.text = ""};
        (void)snprintf(text, sizeof text, "%.*s?!%s\n%s", (int)at, line, line + at + length, rest);
        if (word >= first) {
            weft_status status = program_read(format, text, strlen(text), &options, &program, &err);
            if (status != WEFT_BAD_INPUT || strncmp(err.text, "x:1: wanted ", 12) != 0 ||
                !strstr(err.text, ", found '?!'"))
                fail_msg("%s\n%s", text, status == WEFT_OK ? "a program" : err.text);
        }
        at += length + (line[at + length] == ' ');
    }
}

#endif
