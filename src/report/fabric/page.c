/* SPDX-License-Identifier: Apache-2.0 */
#include "report/fabric/canvas.h"
#include "report/fabric/fabric.h"
#include "report/fabric/rows.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>Interweft: forwarding tables</title>\n<style>\n"
    "body { margin: 0 auto; max-width: 90rem; padding: 0 1.25rem 3rem; color: #222; "
    "background: #fff; font: 16px/1.45 system-ui, sans-serif; }\n"
    "table { border-collapse: collapse; margin: 1rem 0; }\n"
    "th, td { padding: 0.25rem 0.9rem; border-bottom: 1px solid #ddd; text-align: right; "
    "vertical-align: top; }\n"
    "th { background: #f4f6f8; }\n"
    "th:first-child, td:first-child, table.notes td { text-align: left; }\n"
    "figure { margin: 1rem 0; }\nfigure svg { max-width: 100%; height: auto; }\n"
    "</style>\n</head>\n<body>\n";

static void add_table(weft_text *html, const weft_judgement *judgement, weft_arena *arena)
{
    weft_judged_rows *rows = WEFT_TAKE(arena, weft_judged_rows, 1);
    weft_judged_rows_fill(rows, judgement, arena);
    weft_text_add(html, "<table>\n<tr><th></th>");
    for (size_t i = 0; i < judgement->n_cases; i++)
        weft_canvas_tag(html, "th", weft_judged_case_name(&judgement->cases[i], arena));
    weft_text_add(html, "</tr>\n");
    for (size_t r = 0; r < rows->count; r++) {
        weft_text_add(html, "<tr>");
        weft_canvas_tag(html, "td", rows->at[r].label);
        for (size_t i = 0; i < judgement->n_cases; i++)
            weft_canvas_tag(html, "td", rows->at[r].cells[i]);
        weft_text_add(html, "</tr>\n");
    }
    weft_text_add(html, "</table>\n");
}

static void add_notes(weft_text *html, const weft_judge_case *it, weft_arena *arena)
{
    weft_judged_note notes[WEFT_JUDGED_NOTES];
    size_t count = weft_judged_notes(it, arena, notes);
    weft_canvas_tag(html, "h2", weft_judged_case_name(it, arena));
    weft_text_add(html, "\n<table class=\"notes\">\n");
    for (size_t n = 0; n < count; n++) {
        weft_text_add(html, "<tr>");
        weft_canvas_tag(html, "td", notes[n].name);
        weft_canvas_tag(html, "td", notes[n].text);
        weft_text_add(html, "</tr>\n");
    }
    weft_text_add(html, "</table>\n");
}

void weft_judged_page(const weft_judgement *judgement, weft_text *html)
{
    weft_arena arena;
    weft_arena_init(&arena);
    weft_text_append(html, head, sizeof head - 1);
    weft_text_add(html, "<h1>Forwarding tables, judged</h1>\n");
    if (judgement->change)
        weft_canvas_tag(html, "p", weft_arena_format(&arena, "Changed: %s", judgement->change));
    add_table(html, judgement, &arena);
    weft_text_add(html, "<figure>\n");
    weft_judged_svg(judgement, html);
    weft_text_add(html, "</figure>\n");
    for (size_t i = 0; i < judgement->n_cases; i++)
        add_notes(html, &judgement->cases[i], &arena);
    weft_text_add(html, "<p>Made by <code>weft check</code>. Loads are multiples of what a host "
                        "sends at full rate.</p>\n</body>\n</html>\n");
    weft_arena_done(&arena);
}
