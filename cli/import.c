/* SPDX-License-Identifier: Apache-2.0 */
/* weft import: fabrics of other programs as .weftnet files, configurations of BookSim and subnets
 * of InfiniBand as scenarios, traces of programs as GOAL. */
#include "cli/command.h"

#include "base/file.h"
#include "base/suggest.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct import_flags {
    bool keys, nearest;
    const char *lft, *sl2vl, *path_sl, *qos;
} import_flags;

static const weft_flag own[] = {
    {"--nearest", NULL, "of booksim: the nearest scenario, with every difference as a comment",
     WEFT_FLAG_SWITCH, .offset = offsetof(import_flags, nearest)},
    {"--keys", NULL, "of booksim: what becomes of every key, as a page of Markdown",
     WEFT_FLAG_SWITCH, .offset = offsetof(import_flags, keys)},
    {"--lft", "FILE",
     "of infiniband: forwarding tables, opensm-lfts.dump, opensm.fdbs or ibroute's", WEFT_FLAG_TEXT,
     .offset = offsetof(import_flags, lft)},
    {"--sl2vl", "FILE", "of infiniband: opensm-sl2vl.dump", WEFT_FLAG_TEXT,
     .offset = offsetof(import_flags, sl2vl)},
    {"--path-sl", "FILE", "of infiniband: SLs of paths, in ibdmchk's lines `guid lid sl`",
     WEFT_FLAG_TEXT, .offset = offsetof(import_flags, path_sl)},
    {"--qos", "FILE", "of infiniband: opensm.conf, for its keys qos_…", WEFT_FLAG_TEXT,
     .offset = offsetof(import_flags, qos)},
    {.name = NULL}};

static weft_status check_order(const weft_command *command, bool *keep, weft_error *err)
{
    *keep = command->order && strcmp(command->order, "file") == 0;
    if (command->order && !*keep && strcmp(command->order, "metis") != 0)
        return weft_fail(err, WEFT_BAD_USAGE, "--order is metis or file, found '%.64s'",
                         command->order);
    return WEFT_OK;
}

/* ---- a configuration of BookSim ---- */

static weft_status write_scenario(const char *path, const char *text, uint32_t n_differences,
                                  weft_error *err)
{
    WEFT_TRY(weft_bytes_write(path, text, strlen(text), err));
    weft_terminal_tell("wrote %s", path);
    if (n_differences > 0)
        fprintf(stderr, "; %u difference%s from BookSim, see its comments", (unsigned)n_differences,
                n_differences == 1 ? "" : "s");
    fputc('\n', stderr);
    return WEFT_OK;
}

/* OUT.yaml has its fabric in OUT.weftnet. */
static void name_fabric(const char *out, char fabric[4096])
{
    const char *dot = strrchr(out, '.');
    int stem = dot && strcmp(dot, ".yaml") == 0 ? (int)(dot - out) : (int)strlen(out);
    (void)snprintf(fabric, 4096, "%.*s.weftnet", stem < 4000 ? stem : 4000, out);
}

static weft_status import_booksim(const weft_command *command, weft_error *err)
{
    char fabric[4096], *text = NULL;
    if (command->hosts > 0)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--hosts is not for booksim: its configuration names the endpoints");
    name_fabric(command->out ? command->out : "", fabric);
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

/* ---- a subnet of InfiniBand ---- */

static weft_status import_infiniband(const weft_command *command, weft_error *err)
{
    const import_flags *flags = command->own;
    char fabric[4096], *scenario = NULL, *text = NULL;
    if (!command->out)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "-o OUT.yaml is missing: weft import infiniband %s -o OUT.yaml",
                         command->names[1]);
    name_fabric(command->out, fabric);
    weft_infiniband_options options = {.file = command->names[1],
                                       .lft = flags->lft,
                                       .sl2vl = flags->sl2vl,
                                       .path_sl = flags->path_sl,
                                       .qos = flags->qos,
                                       .fabric = fabric};
    WEFT_TRY(check_order(command, &options.keep_order, err));
    if (command->hosts > 0)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--hosts is not for infiniband: its hosts have names");
    WEFT_TRY(weft_import_infiniband(&options, &scenario, &text, err));
    weft_status status = write_scenario(command->out, scenario, 0, err);
    if (status == WEFT_OK) {
        weft_terminal_tell("wrote %s\n", fabric);
        fputs(text, stdout);
    }
    free(scenario);
    free(text);
    return status;
}

/* ---- a fabric ---- */

static weft_status import_fabric(const weft_command *command, weft_error *err)
{
    weft_import_options options = {.format = command->names[0],
                                   .file = command->names[1],
                                   .out = command->out,
                                   .hosts = command->hosts};
    char *text = NULL;
    if (!command->out)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "-o OUT.weftnet is missing: weft import %s %s -o OUT.weftnet",
                         command->names[0], command->names[1]);
    const char *ending = strrchr(command->out, '.');
    if (ending && strcmp(ending, ".yaml") == 0)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "%s would be a fabric by the name of a scenario: use -o %.*s.weftnet, "
                         "and topology: {kind: file, path: …} in a scenario",
                         command->out, (int)(ending - command->out), command->out);
    WEFT_TRY(check_order(command, &options.keep_order, err));
    WEFT_TRY(weft_import(&options, &text, err));
    fputs(text, stdout);
    free(text);
    weft_terminal_tell("wrote %s\n", command->out);
    return WEFT_OK;
}

static weft_status no_settings(const weft_command *command, weft_error *err)
{
    if (command->n_settings > 0)
        return weft_fail(err, WEFT_BAD_USAGE, "a fabric has no settings, found '%.80s'",
                         command->settings[0]);
    return WEFT_OK;
}

typedef struct import_format {
    const char *name;
    weft_status (*import)(const weft_command *command, weft_error *err);
    bool settings;
} import_format;

static const import_format formats[] = {
    {"edges", import_fabric, false},          {"graphml", import_fabric, false},
    {"anynet", import_fabric, false},         {"booksim", import_booksim, true},
    {"infiniband", import_infiniband, false}, {"workload", weft_workload_import, true}};

static weft_status find_format(const char *name, const import_format **format, weft_error *err)
{
    weft_suggest suggest = {.word = name};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        *format = &formats[i];
        if (strcmp(formats[i].name, name) == 0)
            return WEFT_OK;
        weft_suggest_offer(&suggest, formats[i].name);
    }
    const char *nearest = weft_suggest_text(&suggest);
    return weft_fail(err, WEFT_BAD_USAGE, "there is no format '%.64s'%s", name,
                     *nearest ? nearest
                              : "; it is edges, graphml, anynet, booksim, infiniband or workload");
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    const import_flags *flags = command->own;
    const import_format *format;
    (void)catalog;
    if (flags->keys)
        return show_keys(command, err);
    if (command->n_names < 2)
        return weft_fail(err, WEFT_BAD_USAGE, "import takes a format and a file: weft import %s",
                         weft_verb_import.arguments);
    WEFT_TRY(find_format(command->names[0], &format, err));
    WEFT_TRY(format->settings ? WEFT_OK : no_settings(command, err));
    if (flags->nearest && format->import != import_booksim)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--nearest is for booksim alone: weft import booksim FILE --nearest");
    if ((flags->lft || flags->sl2vl || flags->path_sl || flags->qos) &&
        format->import != import_infiniband)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--lft, --sl2vl, --path-sl and --qos are for infiniband alone");
    return format->import(command, err);
}

const weft_verb weft_verb_import = {
    .name = "import",
    .arguments = "FORMAT FILE [-o OUT]",
    .brief =
        "a fabric from edges, graphml or anynet, as a .weftnet file; a scenario from booksim or "
        "infiniband; a program from a workload's trace",
    .examples = "weft import edges cables.txt -o fabric.weftnet  # a fabric of your own\n"
                "weft import booksim torus.cfg -o torus.yaml     # a scenario of BookSim2\n"
                "weft import workload trace.ti -o trace.goal.bin # a program, checked\n",
    .flags = "-o --hosts --order",
    .own = own,
    .own_size = sizeof(import_flags),
    .least = 1,
    .most = 2,
    .settings = true,
    .run = run,
};
