/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a study: figures and tables in the order of the file, without scripts and without a
 * network. Pictures are embedded whole, as images of their own: nothing in one reaches another. */
#include "base/memory.h"
#include "report/evaluation/exhibit.h"
#include "report/fabric/canvas.h"
#include "report/figure/curve.h"
#include "report/figure/gnuplot.h"
#include "report/save.h"
#include "report/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
    "style-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, "
    "initial-scale=1\">\n" WEFT_EXHIBIT_GENERATOR "\n";
static const char style[] =
    "<style>\n"
    "body { margin: 0 auto; max-width: 60rem; padding: 0 1.25rem 3rem; color: #222; "
    "background: #fff; font: 15px/1.5 system-ui, sans-serif; }\n"
    "figure { margin: 2rem 0; }\nfigure img { max-width: 100%; height: auto; }\n"
    "figcaption, p.caption { color: #444; }\n"
    "table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: 0.15rem 0.6rem; font-size: 13px; border-bottom: 1px solid #ddd; "
    "text-align: right; }\n"
    "th { background: #f4f6f8; vertical-align: bottom; }\n td.text { text-align: left; }\n"
    "tr.marked td { color: #a33; }\n p.missing { color: #a33; }\n"
    "div.wide { overflow-x: auto; }\n"
    "@media print { figure, tr { break-inside: avoid; } }\n"
    "</style>\n</head>\n<body>\n";

static const char *const logs[] = {"auto", "none", "x", "y", "both"};

weft_status weft_exhibit_draw(weft_result *combined, const weft_exhibit *figure, const char *svg,
                              weft_error *err)
{
    weft_result *points;
    weft_curves_request request = {.svg = svg,
                                   .metric = figure->y,
                                   .x = figure->x,
                                   .curves = figure->curves,
                                   .size = figure->size,
                                   .legend = figure->legend,
                                   .log = logs[figure->log],
                                   .title = ""};
    WEFT_TRY(weft_exhibit_select(combined, figure, &points, err));
    weft_status status =
        weft_result_points(points) > 0
            ? weft_curves_draw(&points, NULL, 1, &request, err)
            : weft_fail(err, WEFT_BAD_INPUT, "none of its points has been run yet");
    weft_result_close(points);
    return status;
}

/* A picture as an address that holds it. */
static weft_status add_image(weft_text *html, const char *path, const char *name, weft_error *err)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot read %.256s", path);
    weft_text_add(html, "<img alt=\"");
    weft_canvas_escape(html, name);
    weft_text_add(html, "\" src=\"data:image/svg+xml;charset=utf-8,");
    for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
        char one = (char)c;
        if (c < 0x20 || c > 0x7e || strchr("%#\"<>&\\^`{|}", c))
            weft_text_add(html, "%%%02X", (unsigned)c);
        else
            weft_text_append(html, &one, 1);
    }
    weft_text_add(html, "\">\n");
    bool whole = !ferror(file);
    (void)fclose(file);
    return whole ? WEFT_OK
                 : weft_fail(err, WEFT_BAD_INPUT, "cannot read %.256s: an I/O error", path);
}

static void add_title(weft_text *html, const char *what, size_t number, const weft_exhibit *e)
{
    weft_text_add(html, "<h2 id=\"");
    weft_canvas_escape(html, e->name);
    weft_text_add(html, "\">%s %zu: ", what, number);
    weft_canvas_escape(html, e->title ? e->title : e->name);
    weft_text_add(html, "</h2>\n");
}

static weft_status add_picture(weft_text *html, weft_result *combined, const weft_exhibit *figure,
                               const char *folder, weft_error *err)
{
    char *path = weft_text_format("%s/%s.svg", folder, figure->name);
    weft_status status = weft_exhibit_draw(combined, figure, path, err);
    if (status == WEFT_OK)
        status = add_image(html, path, figure->name, err);
    free(path);
    return status;
}

/* A figure that has nothing to show is told on the page; a file that cannot be written ends it. */
static weft_status add_figure(weft_text *html, weft_result *combined, const weft_exhibit *figure,
                              const char *folder, FILE *notes, weft_error *err)
{
    weft_text_add(html, "<figure>\n");
    weft_status status = weft_exhibit_draw(combined, figure, NULL, err);
    if (status == WEFT_OK)
        status = weft_gnuplot_find(err);
    if (status == WEFT_OK) {
        WEFT_TRY(add_picture(html, combined, figure, folder, err));
    } else {
        weft_text_add(html, "<p class=\"missing\">Not drawn: ");
        weft_canvas_escape(html, err->text);
        weft_text_add(html, "</p>\n");
        (void)fprintf(notes, "figure %s is not drawn: %s\n", figure->name, err->text);
        err->text[0] = '\0';
    }
    if (figure->caption)
        weft_canvas_tag(html, "figcaption", figure->caption);
    weft_text_add(html, "</figure>\n");
    return WEFT_OK;
}

static weft_status add_table(weft_text *html, weft_result *combined, const weft_exhibit *table,
                             weft_error *err)
{
    weft_result *points;
    WEFT_TRY(weft_exhibit_select(combined, table, &points, err));
    weft_text_add(html, "<div class=\"wide\">\n");
    weft_status status = weft_report_table_html(points, table->columns, html, err);
    weft_text_add(html, "</div>\n");
    if (table->caption) {
        weft_text_add(html, "<p class=\"caption\">");
        weft_canvas_escape(html, table->caption);
        weft_text_add(html, "</p>\n");
    }
    weft_result_close(points);
    return status;
}

/* What was run, and what its intervals are. */
static weft_status add_runs(weft_text *html, weft_evaluation *evaluation, weft_error *err)
{
    weft_study *study = weft_evaluation_study(evaluation);
    size_t points = weft_study_points(study), done = 0, failed = 0;
    weft_point_survey *survey = weft_alloc(points * sizeof *survey);
    weft_status status = weft_study_survey(study, survey, err);
    for (size_t i = 0; i < points && status == WEFT_OK; i++) {
        done += survey[i].state == WEFT_POINT_DONE;
        failed += survey[i].state == WEFT_POINT_FAILED;
    }
    weft_text_add(html,
                  "<h2>Runs</h2>\n<p>%zu of %zu points have been run%s. Intervals are of "
                  "95 %%: Student's t over the runs with different seeds where there are "
                  "several, else batch means of the run. Points of one seed have common "
                  "random numbers.</p>\n",
                  done, points, done == points ? "" : "; the same command goes on");
    if (failed > 0)
        weft_text_add(html, "<table>\n<tr><th>point that failed</th><th>why</th></tr>\n");
    for (size_t i = 0; i < points && failed > 0; i++) {
        if (survey[i].state != WEFT_POINT_FAILED)
            continue;
        weft_text_add(html, "<tr><td class=\"text\">");
        weft_canvas_escape(html, weft_study_point_key(study, i));
        weft_text_add(html, "</td><td class=\"text\">");
        weft_canvas_escape(html, survey[i].why);
        weft_text_add(html, "</td></tr>\n");
    }
    weft_text_add(html, failed > 0 ? "</table>\n" : "");
    free(survey);
    return status;
}

static weft_status add_exhibits(weft_text *html, weft_evaluation *evaluation, weft_result *combined,
                                const char *folder, FILE *notes, weft_error *err)
{
    static const weft_exhibit all = {.name = "all", .title = "All points"};
    const weft_exhibit *figures, *tables;
    size_t n_figures = weft_evaluation_figures(evaluation, &figures);
    size_t n_tables = weft_evaluation_tables(evaluation, &tables);
    if (n_tables == 0) {
        tables = &all;
        n_tables = 1;
    }
    for (size_t i = 0; i < n_figures; i++) {
        add_title(html, "Figure", i + 1, &figures[i]);
        WEFT_TRY(add_figure(html, combined, &figures[i], folder, notes, err));
    }
    for (size_t i = 0; i < n_tables; i++) {
        add_title(html, "Table", i + 1, &tables[i]);
        WEFT_TRY(add_table(html, combined, &tables[i], err));
    }
    return WEFT_OK;
}

weft_status weft_exhibit_page(weft_evaluation *evaluation, weft_result *combined,
                              const char *folder, weft_text *html, FILE *notes, weft_error *err)
{
    const char *title = weft_evaluation_title(evaluation);
    weft_text_append(html, head, sizeof head - 1);
    weft_canvas_tag(html, "title", *title ? title : "Evaluation");
    weft_text_append(html, style, sizeof style - 1);
    weft_canvas_tag(html, "h1", *title ? title : "Evaluation");
    if (weft_evaluation_about(evaluation)) {
        weft_text_add(html, "\n<p>");
        weft_canvas_escape(html, weft_evaluation_about(evaluation));
        weft_text_add(html, "</p>\n");
    }
    WEFT_TRY(add_exhibits(html, evaluation, combined, folder, notes, err));
    WEFT_TRY(add_runs(html, evaluation, err));
    weft_text_add(html, "<p>Made by <code>weft study</code> of Interweft.</p>\n</body>\n</html>\n");
    return WEFT_OK;
}
