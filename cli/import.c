/* SPDX-License-Identifier: Apache-2.0 */
/* weft import: fabrics of other programs as .weftnet files, and configurations of BookSim as
 * scenarios. */
#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct import_flags {
    bool keys, nearest;
} import_flags;

static const weft_flag own[] = {
    {"--nearest", NULL, "of booksim: the nearest scenario, with every difference as a comment",
     WEFT_FLAG_SWITCH, .offset = offsetof(import_flags, nearest)},
    {"--keys", NULL, "of booksim: what becomes of every key, as a page of Markdown",
     WEFT_FLAG_SWITCH, .offset = offsetof(import_flags, keys)},
    {.name = NULL}};

/* ---- a configuration of BookSim ---- */

static weft_status write_scenario(const char *path, const char *text, uint32_t n_differences,
                                  weft_error *err)
{
    FILE *file = fopen(path, "w");
    bool whole = file && fputs(text, file) >= 0;
    if (!file || fclose(file) != 0 || !whole)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot write %.2000s: %s", path, strerror(errno));
    fprintf(stderr, "wrote %s", path);
    if (n_differences > 0)
        fprintf(stderr, "; %u difference%s from BookSim, see its comments", (unsigned)n_differences,
                n_differences == 1 ? "" : "s");
    fputc('\n', stderr);
    return WEFT_OK;
}

/* OUT.yaml has its fabric, if it needs one, in OUT.weftnet. */
static weft_status import_booksim(const weft_command *command, weft_error *err)
{
    const char *dot = command->out ? strrchr(command->out, '.') : NULL;
    int stem = !command->out                      ? 0
               : dot && strcmp(dot, ".yaml") == 0 ? (int)(dot - command->out)
                                                  : (int)strlen(command->out);
    char fabric[4096], *text = NULL;
    (void)snprintf(fabric, sizeof fabric, "%.*s.weftnet", stem < 4000 ? stem : 4000,
                   command->out ? command->out : "");
    weft_booksim_options options = {.file = command->names[1],
                                    .overrides = command->settings,
                                    .fabric = command->out ? fabric : NULL,
                                    .nearest = ((const import_flags *)command->own)->nearest};
    uint32_t n_differences = 0;
    WEFT_TRY(weft_import_booksim(&options, &text, &n_differences, err));
    weft_status status = WEFT_OK;
    if (command->out)
        status = write_scenario(command->out, text, n_differences, err);
    else
        fputs(text, stdout);
    free(text);
    return status;
}

static weft_status show_keys(const weft_command *command, weft_error *err)
{
    if (command->n_names != 1 || strcmp(command->names[0], "booksim") != 0)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--keys is for booksim alone: weft import booksim --keys");
    char *page = weft_booksim_page();
    fputs(page, stdout);
    free(page);
    return WEFT_OK;
}

/* ---- a fabric ---- */

static weft_status import_fabric(const weft_command *command, weft_error *err)
{
    weft_import_options options = {.format = command->names[0],
                                   .file = command->names[1],
                                   .out = command->out,
                                   .hosts = command->hosts,
                                   .keep_order =
                                       command->order && strcmp(command->order, "file") == 0};
    char *text = NULL;
    if (!command->out)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "-o OUT.weftnet is missing: weft import %s %s -o OUT.weftnet",
                         command->names[0], command->names[1]);
    if (command->order && !options.keep_order && strcmp(command->order, "metis") != 0)
        return weft_fail(err, WEFT_BAD_USAGE, "--order is metis or file, found '%.64s'",
                         command->order);
    WEFT_TRY(weft_import(&options, &text, err));
    fputs(text, stdout);
    free(text);
    fprintf(stderr, "wrote %s\n", command->out);
    return WEFT_OK;
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    (void)catalog;
    if (((const import_flags *)command->own)->keys)
        return show_keys(command, err);
    if (command->n_names < 2)
        return weft_fail(err, WEFT_BAD_USAGE, "import takes a format and a file: weft import %s",
                         weft_verb_import.arguments);
    if (strcmp(command->names[0], "booksim") == 0)
        return import_booksim(command, err);
    if (((const import_flags *)command->own)->nearest)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--nearest is for booksim alone: weft import booksim FILE --nearest");
    if (command->n_settings > 0)
        return weft_fail(err, WEFT_BAD_USAGE, "a fabric has no settings, found '%.80s'",
                         command->settings[0]);
    return import_fabric(command, err);
}

const weft_verb weft_verb_import = {
    .name = "import",
    .arguments = "FORMAT FILE [-o OUT]",
    .brief = "a fabric from edges, graphml or anynet, as a .weftnet file; a scenario from booksim",
    .flags = "-o --hosts --order",
    .own = own,
    .own_size = sizeof(import_flags),
    .least = 1,
    .most = 2,
    .settings = true,
    .run = run,
};
