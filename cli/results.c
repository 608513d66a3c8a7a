/* SPDX-License-Identifier: Apache-2.0 */
/* weft report and weft export: results as pictures and as text. */
#include "cli/command.h"
#include "report/curve.h"
#include "report/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static weft_status write_out(void *to, const char *bytes, size_t count, weft_error *err)
{
    if (fwrite(bytes, 1, count, to) != count)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot write the output");
    return WEFT_OK;
}

static weft_status parse_format(const char *name, weft_format *format, weft_error *err)
{
    static const char *const names[] = {"canonical", "csv", "json"};
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], name) == 0) {
            *format = (weft_format)i;
            return WEFT_OK;
        }
    return weft_fail(err, WEFT_BAD_USAGE, "--format is csv, json or canonical, found '%.64s'",
                     name);
}

static weft_status export(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    weft_format format = WEFT_FORMAT_CSV;
    weft_result *result;
    (void)catalog;
    if (command->format)
        WEFT_TRY(parse_format(command->format, &format, err));
    WEFT_TRY(weft_result_open(command->names[0], &result, err));
    weft_status status = weft_result_export(result, format, write_out, stdout, err);
    weft_result_close(result);
    return status;
}

/* A picture replaces a file of its name, and nothing else: no device, pipe, link or directory. */
static weft_status check_target(const char *path, weft_error *err)
{
    struct stat info;
    if (path && lstat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return weft_fail(err, WEFT_BAD_INPUT, "cannot write %s: it is not a regular file", path);
    return WEFT_OK;
}

static weft_status draw(const weft_command *command, weft_result **results, weft_error *err)
{
    size_t count = command->name_count;
    WEFT_TRY(check_target(command->svg, err));
    WEFT_TRY(check_target(command->png, err));
    if (!command->svg && !command->png) {
        for (size_t i = 0; i < count; i++)
            WEFT_TRY(weft_report_table(results[i], stdout, weft_display_width(), err));
        return WEFT_OK;
    }
    WEFT_TRY(weft_report_curve(results, count, command->svg, command->png, err));
    if (command->svg)
        fprintf(stderr, "wrote %s\n", command->svg);
    if (command->png)
        fprintf(stderr, "wrote %s\n", command->png);
    return WEFT_OK;
}

static weft_status report(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    (void)catalog;
    weft_result **results = calloc(command->name_count, sizeof *results);
    if (!results)
        return weft_fail(err, WEFT_BAD_INPUT, "out of memory");
    weft_status status = WEFT_OK;
    size_t opened = 0;
    while (status == WEFT_OK && opened < command->name_count) {
        status = weft_result_open(command->names[opened], &results[opened], err);
        opened += status == WEFT_OK;
    }
    if (status == WEFT_OK)
        status = draw(command, results, err);
    while (opened > 0)
        weft_result_close(results[--opened]);
    free(results);
    return status;
}

const weft_verb weft_verb_report = {
    .name = "report",
    .arguments = "RESULTS…",
    .brief = "a latency–load picture (--svg, --png), or the table again",
    .flags = "--svg --png",
    .least = 1,
    .most = 64,
    .run = report,
};

const weft_verb weft_verb_export = {
    .name = "export",
    .arguments = "RESULTS",
    .brief = "results as csv, json or canonical text",
    .flags = "--format",
    .least = 1,
    .most = 1,
    .run = export,
};
