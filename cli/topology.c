/* SPDX-License-Identifier: Apache-2.0 */
/* weft topology show, export and path: the network of a scenario, of a .weftnet file or of settings
 * alone. */
#include "cli/command.h"
#include "cli/terminal.h"
#include "report/network.h"
#include "report/save.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static weft_status save_picture(const weft_drawing *drawing, weft_picture picture, const char *path,
                                weft_error *err)
{
    if (!path)
        return WEFT_OK;
    WEFT_TRY(weft_save_check(path, err));
    WEFT_TRY(weft_report_network_picture(drawing, picture, path, err));
    weft_terminal_tell("wrote %s\n", path);
    return WEFT_OK;
}

static weft_status draw(const weft_command *command, const weft_catalog *catalog,
                        const weft_topology_choice *choice, weft_error *err)
{
    weft_drawing drawing;
    WEFT_TRY(weft_topology_draw(catalog, choice, &drawing, err));
    weft_status status = save_picture(&drawing, WEFT_PICTURE_SVG, command->svg, err);
    if (status == WEFT_OK)
        status = save_picture(&drawing, WEFT_PICTURE_PNG, command->png, err);
    weft_drawing_done(&drawing);
    return status;
}

static weft_status show(const weft_command *command, const weft_catalog *catalog,
                        const weft_topology_choice *choice, weft_error *err)
{
    char *text = NULL;
    WEFT_TRY(weft_topology_show(catalog, choice, &text, err));
    if (command->json)
        weft_command_print_facts(text);
    else
        weft_terminal_print(text, stdout);
    free(text);
    return command->svg || command->png ? draw(command, catalog, choice, err) : WEFT_OK;
}

static weft_status save_text(const char *text, const char *path, weft_error *err)
{
    weft_save file;
    WEFT_TRY(weft_save_begin(&file, path, err));
    weft_status status = weft_save_write(&file, text, strlen(text), err);
    WEFT_TRY(weft_save_end(&file, status, err));
    weft_terminal_tell("wrote %s\n", path);
    return WEFT_OK;
}

static weft_status export(const weft_command *command, const weft_catalog *catalog,
                          const weft_topology_choice *choice, weft_error *err)
{
    char *text = NULL;
    weft_status status = WEFT_OK;
    if (!command->format)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--format is missing: edges, graphml, dot or ibnetdiscover");
    WEFT_TRY(weft_topology_export(catalog, choice, command->format, &text, err));
    if (command->out)
        status = save_text(text, command->out, err);
    else
        fputs(text, stdout);
    free(text);
    return status;
}

/* path [FILE] FROM TO */
static weft_status path(const weft_command *command, const weft_catalog *catalog,
                        const weft_topology_choice *choice, weft_error *err)
{
    const char *const *ends = command->names + command->n_names - 2;
    char *text = NULL;
    if (command->json || command->svg || command->png || command->format || command->out)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "a path is printed as text: --json, --svg, --png, --format and -o are for "
                         "show and export");
    WEFT_TRY(weft_topology_path(catalog, choice, ends[0], ends[1], &text, err));
    weft_terminal_print(text, stdout);
    free(text);
    return WEFT_OK;
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    const char *action = command->names[0];
    size_t ends = strcmp(action, "path") == 0 ? 2 : 0;
    weft_topology_choice choice = {.overrides = command->settings,
                                   .without = command->without.texts,
                                   .rates = command->rates.texts};
    if (ends && command->n_names < (command->n_settings ? 3 : 4))
        return weft_fail(err, WEFT_BAD_USAGE,
                         "name both ends of a path: weft topology path FILE FROM TO");
    if (command->n_names > 2 + ends)
        return weft_fail(err, WEFT_BAD_USAGE, "'%.64s' is one name too many",
                         command->names[2 + ends]);
    choice.file = command->n_names == 2 + ends ? command->names[1] : NULL;
    if (!choice.file && command->n_settings == 0)
        return weft_fail(
            err, WEFT_BAD_USAGE,
            "name a scenario, a .weftnet file, or settings such as topology.kind=torus "
            "topology.dims=[8,8]");
    if (strcmp(action, "show") == 0)
        return show(command, catalog, &choice, err);
    if (strcmp(action, "export") == 0)
        return export(command, catalog, &choice, err);
    if (ends)
        return path(command, catalog, &choice, err);
    return weft_fail(err, WEFT_BAD_USAGE, "weft topology show, export or path, found '%.64s'",
                     action);
}

const weft_verb weft_verb_topology = {
    .name = "topology",
    .arguments = "show|export|path [FILE] [FROM TO] [key=value …]",
    .brief = "a network's numbers and picture; its cables as edges, graphml, dot or ibnetdiscover; "
             "a path hop by hop",
    .examples =
        "weft topology show topology.kind=torus topology.dims=[8,8]  # its numbers\n"
        "weft topology show torus.yaml --svg torus-network.svg  # with a picture\n"
        "weft topology export topology.kind=mesh topology.dims=[3,3] --format dot  # its cables\n",
    .flags = "--json --plugin --svg --png --format --without --rate -o",
    .least = 1,
    .most = 4,
    .settings = true,
    .run = run,
};
