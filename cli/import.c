/* SPDX-License-Identifier: Apache-2.0 */
/* weft import: fabrics of other programs as .weftnet files. */
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    weft_import_options options = {.format = command->names[0],
                                   .file = command->names[1],
                                   .out = command->out,
                                   .hosts = command->hosts,
                                   .keep_order =
                                       command->order && strcmp(command->order, "file") == 0};
    char *text = NULL;
    (void)catalog;
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

const weft_verb weft_verb_import = {
    .name = "import",
    .arguments = "FORMAT FILE -o OUT",
    .brief = "a fabric from edges, graphml or anynet, as a .weftnet file",
    .flags = "-o --hosts --order",
    .least = 2,
    .most = 2,
    .run = run,
};
