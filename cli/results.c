/* SPDX-License-Identifier: Apache-2.0 */
/* weft report and weft export: results as pictures and as text. */
#include "cli/command.h"
#include "cli/terminal.h"
#include "report/evaluation/exhibit.h"
#include "report/figure/curve.h"
#include "report/save.h"
#include "report/html.h"
#include "report/figure/over.h"
#include "report/saturation.h"
#include "report/search.h"
#include "report/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static weft_status export_to(const char *path, weft_result *result, weft_format format,
                             weft_error *err)
{
    weft_save file;
    WEFT_TRY(weft_save_begin(&file, path, err));
    weft_status status = weft_result_export(result, format, weft_save_write, &file, err);
    return weft_save_end(&file, status, err);
}

/* The format of a file's ending, where it is one. */
static weft_format format_of(const char *path)
{
    const char *ending = path ? strrchr(path, '.') : NULL;
    return ending && strcmp(ending, ".json") == 0 ? WEFT_FORMAT_JSON : WEFT_FORMAT_CSV;
}

static weft_status export(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    weft_format format = format_of(command->out);
    weft_result *result;
    (void)catalog;
    if (command->format)
        WEFT_TRY(parse_format(command->format, &format, err));
    WEFT_TRY(weft_result_open(command->names[0], &result, err));
    weft_status status = command->out ? export_to(command->out, result, format, err)
                                      : weft_result_export(result, format, write_out, stdout, err);
    weft_result_close(result);
    return status;
}

static weft_status save_page(const weft_command *command, weft_result **results, const char *path,
                             weft_error *err)
{
    weft_report_page page = {
        .n_results = command->n_names, .results = results, .names = command->names};
    weft_save file;
    WEFT_TRY(weft_save_begin(&file, path, err));
    return weft_save_end(&file, weft_report_html(&page, weft_save_write, &file, err), err);
}

static weft_status save_csv(const weft_command *command, weft_result **results, weft_error *err)
{
    weft_save file;
    WEFT_TRY(weft_save_begin(&file, command->csv, err));
    weft_status status =
        command->n_names > 1
            ? weft_results_csv(results, command->names, command->n_names, weft_save_write, &file,
                               err)
            : weft_result_export(results[0], WEFT_FORMAT_CSV, weft_save_write, &file, err);
    return weft_save_end(&file, status, err);
}

static void say(const char *path)
{
    if (path)
        weft_terminal_tell("wrote %s\n", path);
}

#define AT(member) .type = WEFT_FLAG_TEXT, .offset = offsetof(weft_curves_request, member)

/* What is drawn, and how. */
static const weft_flag figure_flags[] = {
    {"--pdf", "FILE", "write the picture as PDF", AT(pdf)},
    {"--metric", "NAME",
     "what is drawn: mean (default), p99, accepted, hops …; CLASS.p99 of a class", AT(metric)},
    {"--x", "NAME", "over what: a setting that varies, or load, rho, rate, accepted", AT(x)},
    {"--curves", "LIST", "only curves whose names hold all words of an item, in this order",
     AT(curves)},
    {"--size", "WxH", "of the picture, such as 800x500 (pixels) or 8.5cmx6cm", AT(size)},
    {"--legend", "WHERE", "right, below or none; default: right if that takes a quarter at most",
     AT(legend)},
    {"--title", "TEXT", "over the picture; '' for none", AT(title)},
    {"--log", "AXES", "logarithmic: x, y, both or none; default: y where values are wide apart",
     AT(log)},
    {"--over", "NAME", "one point of all values of a setting, such as seed, with intervals",
     AT(over)},
    {.name = NULL},
};

static bool wants_picture(const weft_command *command, const weft_curves_request *figure)
{
    return command->svg || command->png || command->tex || figure->pdf;
}

static weft_status draw_figure(const weft_command *command, weft_result **results, weft_error *err)
{
    weft_curves_request figure = *(const weft_curves_request *)command->own;
    figure.svg = command->svg;
    figure.png = command->png;
    figure.tex = command->tex;
    WEFT_TRY(weft_save_check(figure.svg, err));
    WEFT_TRY(weft_save_check(figure.png, err));
    WEFT_TRY(weft_save_check(figure.pdf, err));
    WEFT_TRY(weft_curves_draw(results, command->names, command->n_names, &figure, err));
    say(figure.svg);
    say(figure.png);
    say(figure.pdf);
    say(figure.tex);
    return WEFT_OK;
}

/* The files that flags name. */
static weft_status save_files(const weft_command *command, weft_result **results, weft_error *err)
{
    if (command->html)
        WEFT_TRY(save_page(command, results, command->html, err));
    say(command->html);
    if (command->csv)
        WEFT_TRY(save_csv(command, results, err));
    say(command->csv);
    return wants_picture(command, command->own) ? draw_figure(command, results, err) : WEFT_OK;
}

static bool prints_no_table(const weft_command *command)
{
    return command->html || command->csv || wants_picture(command, command->own);
}

static weft_status check_figure(const weft_command *command, weft_error *err)
{
    const weft_curves_request *f = command->own;
    bool styled = f->metric || f->x || f->curves || f->size || f->legend || f->title || f->log;
    if (styled && !wants_picture(command, f))
        return weft_fail(
            err, WEFT_BAD_USAGE,
            "--metric, --x, --curves, --size, --legend, --log and --title are of a picture: "
            "name one with --svg, --png, --pdf or --tex");
    if (command->columns && prints_no_table(command))
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--columns is of the table, which is printed where no file is named");
    return WEFT_OK;
}

static bool is_of_study(const char *path)
{
    char head[1000];
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    size_t length = fread(head, 1, sizeof head, file);
    (void)fclose(file);
    return memmem(head, length, WEFT_EXHIBIT_GENERATOR, strlen(WEFT_EXHIBIT_GENERATOR)) != NULL;
}

/* "a/torus.weft" gives "a/torus.html"; of a study, whose page that is, "a/torus-points.html". */
static weft_status save_default_page(const weft_command *command, weft_result **results,
                                     weft_error *err)
{
    const char *name = command->names[0];
    size_t length = strlen(name);
    if (!weft_report_has_page()) {
        fprintf(stderr, "no page: this program was built without it (npm was missing)\n");
        return WEFT_OK;
    }
    if (length > 5 && strcmp(name + length - 5, ".weft") == 0)
        length -= 5;
    char *path = NULL;
    bool known = asprintf(&path, "%.*s.html", (int)length, name) >= 0;
    if (known && is_of_study(path)) {
        free(path);
        known = asprintf(&path, "%.*s-points.html", (int)length, name) >= 0;
    }
    if (!known)
        return weft_fail(err, WEFT_BAD_INPUT, "out of memory");
    weft_status status = save_page(command, results, path, err);
    if (status == WEFT_OK)
        say(path);
    free(path);
    return status;
}

static weft_status print_saturations(weft_result *result, bool *are, weft_error *err)
{
    weft_text text;
    weft_text_init(&text);
    weft_status status = weft_report_searches(result, &text, err);
    *are = status == WEFT_OK && text.length > 0;
    if (*are)
        weft_terminal_print(text.at, stdout);
    weft_text_done(&text);
    return status;
}

static weft_status print(const weft_command *command, weft_result *result, weft_error *err)
{
    bool search, is_saturation;
    WEFT_TRY(print_saturations(result, &is_saturation, err));
    if (is_saturation)
        return WEFT_OK;
    WEFT_TRY(weft_report_is_search(result, &search, err));
    return search ? weft_report_search(result, stdout, err)
                  : weft_report_table(result, stdout, weft_display_width(WEFT_TABLE_WIDTH),
                                      command->columns, err);
}

static weft_status draw(const weft_command *command, weft_result **results, weft_error *err)
{
    WEFT_TRY(check_figure(command, err));
    if (prints_no_table(command))
        return save_files(command, results, err);
    for (size_t i = 0; i < command->n_names; i++)
        WEFT_TRY(print(command, results[i], err));
    if (fflush(stdout) != 0)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot write the output");
    return save_default_page(command, results, err);
}

static weft_status combine(weft_result **result, const char *over, weft_error *err)
{
    weft_result *combined;
    WEFT_TRY(weft_curves_over(*result, over, &combined, err));
    weft_result_close(*result);
    *result = combined;
    return WEFT_OK;
}

static weft_status report(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    (void)catalog;
    weft_result **results = calloc(command->n_names, sizeof *results);
    if (!results)
        return weft_fail(err, WEFT_BAD_INPUT, "out of memory");
    const char *over = ((const weft_curves_request *)command->own)->over;
    weft_status status = WEFT_OK;
    size_t opened = 0;
    while (status == WEFT_OK && opened < command->n_names) {
        status = weft_result_open(command->names[opened], &results[opened], err);
        opened += status == WEFT_OK;
        if (status == WEFT_OK && over)
            status = combine(&results[opened - 1], over, err);
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
    .brief = "prints the table and writes an HTML report, or only the outputs named",
    .examples = "weft report torus.weft                            # the table, and a page to open "
                "or send\n"
                "weft report torus.weft --svg torus.svg --png torus.png  # pictures\n"
                "weft report torus.weft small.weft -o both.html    # two files on one page\n",
    .flags = "--columns --html --csv --tex --svg --png -o",
    .by_ending = true,
    .least = 1,
    .most = 64,
    .own = figure_flags,
    .own_size = sizeof(weft_curves_request),
    .run = report,
};

const weft_verb weft_verb_export = {
    .name = "export",
    .arguments = "RESULTS",
    .brief = "results as csv, json or canonical text",
    .examples = "weft export torus.weft                            # every metric as CSV\n"
                "weft export torus.weft --format json -o torus.json  # for other programs\n",
    .flags = "--format -o",
    .least = 1,
    .most = 1,
    .run = export,
};
