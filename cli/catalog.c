/* SPDX-License-Identifier: Apache-2.0 */
/* weft list, describe, schema, pages: everything there is, from the parameter tables. */
#include "cli/command.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static weft_status print(char *text)
{
    fputs(text, stdout);
    free(text);
    return WEFT_OK;
}

static weft_status print_folded(char *text)
{
    weft_terminal_print(text, stdout);
    free(text);
    return WEFT_OK;
}

static weft_status list(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    char *text;
    WEFT_TRY(weft_catalog_list(catalog, command->names[0], &text, err));
    return print_folded(text);
}

static weft_status describe(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    char *text;
    WEFT_TRY(weft_catalog_describe(catalog, command->names[0], &text, err));
    return print_folded(text);
}

static weft_status schema(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    const char *name = command->names[0];
    if (name && strcmp(name, "plan") == 0)
        return print(weft_catalog_plan_schema(catalog));
    if (name && strcmp(name, "study") == 0)
        return print(weft_catalog_study_schema(catalog));
    if (name && strcmp(name, "scenario") != 0)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "schema is of a scenario, a plan or a study, found '%.64s'", name);
    return print(weft_catalog_schema(catalog));
}

static weft_status page(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    bool results = command->names[0] && strcmp(command->names[0], "results") == 0;
    char *text = results ? weft_result_page() : weft_catalog_page(catalog, command->names[0]);
    if (!text)
        return weft_fail(err, WEFT_BAD_USAGE, "there is no family '%s'; `weft list` shows them all",
                         command->names[0]);
    return print(text);
}

const weft_verb weft_verb_list = {
    .name = "list",
    .arguments = "[FAMILY]",
    .brief = "every family and kind of component",
    .examples = "weft list          # all of them\n"
                "weft list routing  # those of one family\n",
    .flags = "--plugin",
    .most = 1,
    .run = list,
};

const weft_verb weft_verb_describe = {
    .name = "describe",
    .arguments = "KIND | SECTION",
    .brief = "one component or section of a scenario, with all its settings",
    .examples = "weft describe torus            # a kind\n"
                "weft describe measure          # a section of the scenario\n"
                "weft describe pattern/uniform  # a kind, by its family\n",
    .flags = "--plugin",
    .least = 1,
    .most = 1,
    .run = describe,
};

const weft_verb weft_verb_schema = {
    .name = "schema",
    .arguments = "[scenario | plan | study]",
    .brief = "JSON Schema of scenario files, of plans or of studies, for editors",
    .examples = "weft schema > scenario.schema.json  # for an editor that checks YAML\n"
                "weft schema plan                    # of the files of weft plan\n",
    .flags = "--plugin",
    .most = 1,
    .run = schema,
};

const weft_verb weft_verb_pages = {
    .name = "page",
    .arguments = "[FAMILY | plan | study | results]",
    .brief = "reference page of a family, of results, or of the sections, in Markdown",
    .examples = "weft page topology  # the family as Markdown\n"
                "weft page results   # what a results file holds\n",
    .flags = "--plugin",
    .most = 1,
    .run = page,
};
