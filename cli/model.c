/* SPDX-License-Identifier: Apache-2.0 */
/* weft model: an analytic model as a table, as CSV, as a picture or as a results file; with the
 * simulation of the same quantity beside it. */
#include "cli/command.h"
#include "cli/terminal.h"
#include "interweft/model.h"
#include "report/model.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct model_flags {
    bool csv, simulate;
    const char *plot, *pdf, *of;
} model_flags;
#define AT(member) .offset = offsetof(model_flags, member)
#define PICTURES   4

static const weft_flag own[] = {
    {"--csv", NULL, "print CSV with all digits", WEFT_FLAG_SWITCH, AT(csv)},
    {"--plot", "FILE",
     "draw the first output over what varies, as SVG, PNG or PDF by the file's name",
     WEFT_FLAG_TEXT, AT(plot)},
    {"--pdf", "FILE", "write the picture as PDF", WEFT_FLAG_TEXT, AT(pdf)},
    {"--of", "NAME", "the output to be drawn", WEFT_FLAG_TEXT, AT(of)},
    {"--simulate", NULL, "run the scenario of the same quantity and print both", WEFT_FLAG_SWITCH,
     AT(simulate)},
    {.name = NULL},
};

typedef struct page {
    const weft_command *command;
    const model_flags *given;
    weft_model_sheet *model;
    weft_report_model view;
    const weft_point **points;
} page;

static weft_status list(weft_catalog *catalog, weft_error *err)
{
    char *text;
    WEFT_TRY(weft_catalog_list(catalog, "model", &text, err));
    weft_terminal_print(text, stdout);
    free(text);
    fputs("`weft describe model/NAME` shows the settings of one\n", stdout);
    return WEFT_OK;
}

static weft_status evaluate(page *p, weft_error *err)
{
    const weft_command *command = p->command;
    weft_display display;
    weft_display_init(&display, command->quiet);
    const weft_study_options how = weft_command_options(command, &display);
    weft_status status = weft_model_run(p->model, &how, err);
    p->view.n_points = status == WEFT_OK ? weft_model_points(p->model) : 0;
    p->points = calloc(p->view.n_points + 1, sizeof *p->points);
    if (!p->points)
        return weft_fail(err, WEFT_BAD_INPUT, "out of memory");
    for (size_t i = 0; i < p->view.n_points; i++)
        p->points[i] = weft_model_point(p->model, i);
    p->view.points = p->points;
    if (status == WEFT_OK && p->given->simulate) {
        weft_display_heed(); /* a model has no steps, nor is anything written before its end */
        status = weft_model_simulate(p->model, command->seed, &how, &p->view.agreements,
                                     &p->view.n_agreements, err);
    }
    weft_display_clear(&display);
    return status;
}

/* Values between those that were asked for, where the model has any there. */
static weft_status draw(const page *p, const char *path, weft_error *err)
{
    weft_report_model view = p->view;
    weft_model_sheet *fine = NULL;
    weft_error none;
    char axis[64];
    WEFT_TRY(weft_report_model_axis(&view, axis, err));
    if (weft_model_refine(p->model, axis, &fine, &none) == WEFT_OK && fine)
        view.n_between = weft_model_points(fine);
    const weft_point **between = calloc(view.n_between + 1, sizeof *between);
    if (!between)
        return weft_fail(err, WEFT_BAD_INPUT, "out of memory");
    for (size_t i = 0; i < view.n_between; i++)
        between[i] = weft_model_point(fine, i);
    view.between = between;
    weft_status status = weft_report_model_plot(&view, p->given->of, path, err);
    free(between);
    weft_model_close(fine);
    return status;
}

/* Files first: what fails leaves nothing on stdout. */
static weft_status show(const page *p, weft_error *err)
{
    const weft_command *command = p->command;
    const char *const pictures[PICTURES] = {p->given->plot, command->svg, command->png,
                                            p->given->pdf};
    const weft_model_trials trials = {p->view.agreements, p->view.n_agreements, command->seed};
    for (size_t i = 0; i < PICTURES; i++)
        if (pictures[i])
            WEFT_TRY(draw(p, pictures[i], err));
    if (command->out)
        WEFT_TRY(weft_model_save(p->model, command->out, command->fresh,
                                 p->given->simulate ? &trials : NULL, err));
    if (command->json)
        weft_report_model_json(&p->view, stdout);
    else if (p->given->csv)
        weft_report_model_csv(&p->view, stdout);
    else
        weft_report_model_table(&p->view, stdout, weft_display_width(WEFT_DISPLAY_WIDE));
    for (size_t i = 0; i < PICTURES; i++)
        if (pictures[i])
            weft_terminal_tell("wrote %s\n", pictures[i]);
    if (command->out)
        weft_terminal_tell("results in %s\n", command->out);
    return WEFT_OK;
}

static weft_status run_model(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    page p = {.command = command, .given = command->own};
    if (weft_context_rank(command->context) > 0)
        return WEFT_OK; /* milliseconds: rank 0 does it alone */
    if (!command->names[0])
        return list(catalog, err);
    WEFT_TRY(weft_model_open(command->names[0], command->settings, catalog, &p.model, err));
    p.view.name = command->names[0];
    p.view.title = weft_model_title(p.model);
    p.view.outputs = weft_model_outputs(p.model);
    weft_status status = evaluate(&p, err);
    if (status == WEFT_OK)
        status = show(&p, err);
    free(p.points);
    weft_model_close(p.model);
    return status;
}

const weft_verb weft_verb_model = {
    .name = "model",
    .arguments = "[NAME [key=value …]]",
    .brief = "an analytic model, at once; key=from/to/step gives a curve; without a name: which "
             "there are",
    .examples = "weft model                                       # which there are\n"
                "weft model mm1 lambda=0.8                        # one answer\n"
                "weft model mm1 lambda=0.1/0.9/0.1 --svg mm1.svg  # a curve\n"
                "weft model md1 lambda=0.5 --simulate             # and does it hold?\n",
    .flags = "--svg --png -o --json --new --seed --plugin --jobs --threads --memory --quiet",
    .own = own,
    .own_size = sizeof(model_flags),
    .most = 1,
    .settings = true,
    .run = run_model,
};
