/* SPDX-License-Identifier: Apache-2.0 */
/* weft saturate: the greatest load that every point of a scenario can carry. What was found and
 * every probe are kept in a results file; points that are there already are not searched again. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "report/saturation.h"

#include <stdio.h>

typedef struct search {
    const weft_command *command;
    weft_study *study;
    weft_result *results; /* of rank 0 */
    weft_json json;
    weft_display *display;
    bool speaks;
} search;

static void add_probes(weft_json *json, const weft_saturation *found)
{
    weft_json_list(json, "probes");
    for (size_t i = 0; i < found->n_probes; i++) {
        const weft_saturation_probe *probe = &found->probes[i];
        weft_json_object(json, NULL);
        weft_json_real(json, "load", probe->load);
        weft_json_text(json, "verdict", probe->verdict);
        weft_json_real(json, "accepted", probe->accepted);
        weft_json_real(json, "lo", probe->lo);
        weft_json_real(json, "hi", probe->hi);
        weft_json_whole(json, "packets", probe->packets);
        weft_json_end(json);
    }
    weft_json_end(json);
}

static void add_json(weft_json *json, const char *key, const weft_saturation *found)
{
    weft_json_object(json, NULL);
    weft_json_text(json, "key", key);
    weft_json_real(json, "load", found->load);
    weft_json_real(json, "unstable", found->unstable);
    weft_json_real(json, "rho", found->rho);
    weft_json_flag(json, "always_stable", found->always_stable);
    weft_json_real(json, "bound", found->bound > 0 ? found->bound : __builtin_nan(""));
    weft_json_real(json, "from_empty",
                   found->from_empty > 0 ? found->from_empty : __builtin_nan(""));
    weft_json_real(json, "accepted", found->accepted);
    weft_json_real(json, "accepted_lo", found->accepted_lo);
    weft_json_real(json, "accepted_hi", found->accepted_hi);
    weft_json_flag(json, "accepted_steady", found->accepted_steady);
    weft_json_text(json, "wide_because", found->why);
    add_probes(json, found);
    weft_json_end(json);
}

static void show(search *s, const char *key, const weft_saturation *found)
{
    if (s->command->json) {
        add_json(&s->json, key, found);
        return;
    }
    weft_text text;
    weft_text_init(&text);
    weft_report_saturation(key, found, &text);
    weft_terminal_print(text.at, stdout);
    fflush(stdout);
    weft_text_done(&text);
}

static void show_point(void *user, size_t i, const weft_saturation *found)
{
    search *s = user;
    weft_display_clear(s->display);
    show(s, weft_study_point_key(s->study, i), found);
}

static weft_status search_all(search *s, weft_error *err)
{
    weft_json_init(&s->json);
    weft_json_list(&s->json, NULL);
    weft_status status =
        weft_study_saturate_all(s->study, s->command->tolerance, s->results, show_point, s, err);
    weft_display_clear(s->display);
    weft_json_end(&s->json);
    if (status == WEFT_OK && s->speaks && s->command->json)
        fputs(s->json.text.at, stdout);
    if (status == WEFT_OK && s->speaks)
        weft_terminal_tell("results in %s\n", weft_result_path(s->results));
    weft_json_done(&s->json);
    return status;
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    search s = {.command = command, .speaks = weft_context_rank(command->context) == 0};
    weft_display display;
    weft_display_init(&display, command->quiet);
    weft_display_heed();
    s.display = &display;
    weft_study_options options = weft_command_options(command, &display);
    options.file = command->names[0];
    options.overrides = command->settings;
    options.one_load = true;
    WEFT_TRY(weft_study_open(&options, catalog, &s.study, err));
    weft_status status = weft_saturation_open(s.study, weft_command_results(command),
                                              command->tolerance, command->fresh, &s.results, err);
    if (status == WEFT_OK)
        status = search_all(&s, err);
    weft_result_close(s.results);
    weft_study_close(s.study);
    return status;
}

const weft_verb weft_verb_saturate = {
    .name = "saturate",
    .arguments = "FILE [key=value …]",
    .brief = "finds the saturation load by bisection",
    .examples =
        "weft saturate torus.yaml                          # the greatest load that is carried\n"
        "weft saturate torus.yaml routing.selection=random,diagonal --tolerance 0.02  # for two "
        "selections\n",
    .flags = "--json --results -o --new --plugin --jobs --threads --mpi --blocks --memory --quiet "
             "--tolerance",
    .least = 1,
    .most = 1,
    .settings = true,
    .out_is_results = true,
    .run = run,
};
