/* SPDX-License-Identifier: Apache-2.0 */
/* A plan as one page to show others: without scripts and without a network. */
#include "report/fabric/canvas.h"
#include "report/plan/plan.h"

#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>Interweft: choosing a fabric</title>\n<style>\n"
    "body { margin: 0 auto; max-width: 88rem; padding: 0 1.25rem 3rem; color: #222; "
    "background: #fff; font: 15px/1.45 system-ui, sans-serif; }\n"
    "table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: 0.15rem 0.5rem; font-size: 13px; border-bottom: 1px solid #ddd; text-align: "
    "right; }\n"
    "th { background: #f4f6f8; vertical-align: bottom; }\n"
    "th:first-child, td:first-child, table.notes td { text-align: left; }\n"
    "td:first-child { white-space: nowrap; }\n"
    "tr.chosen td { font-weight: 600; }\n td.front { background: #e3f1e3; }\n"
    ".row { display: flex; flex-wrap: wrap; gap: 1rem; }\nfigure { margin: 0; max-width: 36rem; }\n"
    "figure svg { max-width: 100%; height: auto; }\nfigcaption { font-weight: 600; }\n"
    "@media print { figure, tr { break-inside: avoid; } }\n"
    "</style>\n</head>\n<body>\n";

static void add_row(weft_text *html, const weft_planned *p)
{
    uint64_t cables = p->by_medium[WEFT_MEDIUM_COPPER] + p->by_medium[WEFT_MEDIUM_OPTICS];
    weft_text_add(html, "<tr%s>", p->chosen ? " class=\"chosen\"" : "");
    weft_canvas_tag(html, "td", p->name);
    weft_text_add(html, "<td>%u</td><td>%u</td><td>%u</td><td>%llu</td><td>%llu</td>", p->endpoints,
                  p->switches, p->racks, (unsigned long long)cables,
                  (unsigned long long)p->by_medium[WEFT_MEDIUM_OPTICS]);
    weft_text_add(html, "<td>%.0f</td><td>%.2f</td><td>%.1f</td><td>%u</td><td>%.2f</td>", p->cost,
                  p->cost / p->endpoints, p->power / p->endpoints, p->diameter, p->mean_hops);
    weft_text_add(html, "<td>%.2f</td>", p->bisection);
    for (int b = 0; b < WEFT_TRAFFIC_BOUNDS; b++)
        weft_text_add(html, "<td%s>%.3f</td><td>%.2f</td>", p->front[b] ? " class=\"front\"" : "",
                      p->bound[b], p->bound[b] > 0 ? p->cost / (p->endpoints * p->bound[b]) : 0);
    weft_text_add(html, "</tr>\n");
}

static void add_table(weft_text *html, const weft_planning *plan)
{
    weft_text_add(
        html,
        "<table>\n<tr><th rowspan=2>fabric</th><th rowspan=2>end-<br>points</th><th "
        "rowspan=2>switches</th><th rowspan=2>racks</th><th rowspan=2>cables</th><th "
        "rowspan=2>of these<br>optical</th><th rowspan=2>cost</th><th rowspan=2>cost /<br>endpoint"
        "</th><th rowspan=2>W /<br>endpoint</th><th rowspan=2>dia-<br>meter</th><th rowspan=2>mean"
        "<br>hops</th><th rowspan=2>bi-<br>section</th><th colspan=2>uniform</th><th colspan=2>"
        "permutation</th><th colspan=2>group</th></tr>\n<tr><th>bound</th><th>cost / unit</th>"
        "<th>bound</th><th>cost / unit</th><th>bound</th><th>cost / unit</th></tr>\n");
    for (size_t i = 0; i < weft_planning_count(plan); i++)
        if (!weft_planning_fabric(plan, i)->refused)
            add_row(html, weft_planning_fabric(plan, i));
    weft_text_add(
        html,
        "</table>\n<p>Bounds are loads of every endpoint, as fractions of its bandwidth, that no "
        "routing exceeds: uniform traffic; the worst permutation that cuts and distances show; "
        "every group to the next one. A green bound is on the front: no fabric that costs no more "
        "has a greater one. Cost per unit is of an endpoint, by the bound. Bold: simulated.</p>\n");
}

static void add_fronts(weft_text *html, const weft_planning *plan)
{
    weft_text_add(html, "<h2>Cost against throughput</h2>\n<p>Full marks are on the front, which "
                        "the broken line follows; large ones are simulated.</p>\n"
                        "<div class=\"row\">\n");
    for (int b = 0; b < WEFT_TRAFFIC_BOUNDS; b++) {
        weft_text_add(html, "<figure>\n");
        weft_shortlist_front(plan, (weft_traffic_bound)b, html);
        weft_text_add(html, "</figure>\n");
    }
    weft_text_add(html, "</div>\n");
}

/* Cables by length and medium, of the fabrics that stand out. */
static void add_cables(weft_text *html, const weft_planning *plan)
{
    const double *lengths;
    size_t n_lengths = weft_planning_lengths(plan, &lengths);
    weft_text_add(html, "<h2>Cables</h2>\n<table>\n<tr><th>fabric</th><th>medium</th>");
    for (size_t i = 0; i < n_lengths; i++)
        weft_text_add(html, "<th>≤ %g m</th>", lengths[i]);
    weft_text_add(html, "<th>longer</th><th>all</th></tr>\n");
    for (size_t f = 0; f < weft_planning_count(plan); f++) {
        const weft_planned *p = weft_planning_fabric(plan, f);
        for (int medium = 0; medium < WEFT_MEDIA && p->chosen; medium++) {
            weft_text_add(html, "<tr>");
            weft_canvas_tag(html, "td", medium ? "" : p->name);
            weft_canvas_tag(html, "td", medium ? "optics" : "copper");
            for (size_t i = 0; i <= n_lengths; i++)
                weft_text_add(html, "<td>%llu</td>", (unsigned long long)p->cables[i][medium]);
            weft_text_add(html, "<td>%llu</td></tr>\n", (unsigned long long)p->by_medium[medium]);
        }
    }
    weft_text_add(html, "</table>\n");
}

static void add_floors(weft_text *html, const weft_planning *plan)
{
    weft_text_add(html, "<h2>Floor plans</h2>\n<div class=\"row\">\n");
    for (size_t f = 0; f < weft_planning_count(plan); f++) {
        const weft_planned *p = weft_planning_fabric(plan, f);
        if (!p->chosen)
            continue;
        weft_text_add(html, "<figure>\n");
        weft_canvas_tag(html, "figcaption", p->name);
        weft_shortlist_floor(p, html);
        weft_text_add(html, "</figure>\n");
    }
    weft_text_add(html, "</div>\n");
}

static void add_simulated(weft_text *html, const weft_planning *plan, weft_arena *arena)
{
    bool some = false;
    for (size_t f = 0; f < weft_planning_count(plan); f++) {
        const weft_planned *p = weft_planning_fabric(plan, f);
        const weft_simulated *s = p->simulated;
        if (!s || s->n_loads == 0)
            continue;
        if (!some)
            weft_text_add(html,
                          "<h2>Simulated</h2>\n<table>\n<tr><th>fabric</th><th>accepted at<br>"
                          "greatest load</th><th>latency at<br>least load, ns</th><th>random<br>"
                          "permutation</th><th>others during<br>an incast</th><th>allreduce<br>bus "
                          "bandwidth</th><th>all-to-all<br>bus bandwidth</th></tr>\n");
        some = true;
        weft_text_add(html, "<tr>");
        weft_canvas_tag(html, "td", p->name);
        weft_canvas_tag(html, "td",
                        weft_shortlist_value(&s->loads[s->n_loads - 1].accepted, 3, arena));
        weft_canvas_tag(html, "td", weft_shortlist_value(&s->loads[0].latency, 0, arena));
        for (size_t e = 0; e < WEFT_EXPERIMENTS; e++)
            weft_canvas_tag(html, "td", weft_shortlist_value(&s->of[e], 3, arena));
        weft_text_add(html, "</tr>\n");
    }
    if (!some)
        return;
    weft_text_add(
        html,
        "</table>\n<p>95 %% intervals: batch means of a run; of collectives, Student's t over runs "
        "with other placements. Fractions are of an endpoint's bandwidth; of the incast, of what "
        "the others offer (load 0.3) while 32 endpoints send to one. The allreduce is "
        "Rabenseifner's, of 128 KiB on all endpoints; the all-to-all is extrapolated from its "
        "first steps.</p>\n");
    weft_text curves;
    weft_text_init(&curves);
    weft_shortlist_curves(plan, &curves);
    if (curves.length) /* runs that saturate at once have no latency */
        weft_text_add(html,
                      "<figure>\n%s<figcaption>Open marks are saturated.</figcaption></figure>\n",
                      curves.at);
    weft_text_done(&curves);
}

static void add_faults(weft_text *html, const weft_planning *plan, weft_arena *arena)
{
    uint32_t cables, switches, draws = weft_planning_faults(plan, &cables, &switches);
    weft_text_add(html, "<h2>Faults and spares</h2>\n");
    if (draws > 0)
        weft_text_add(html,
                      "<p>Bounds of the cuts that are left, and pairs of endpoints that reach each "
                      "other, with %u cables and %u switches down: means of %u random draws with "
                      "95 %% intervals.</p>\n",
                      cables, switches, draws);
    weft_text_add(html,
                  "<table>\n<tr><th>fabric</th>%s<th>spare cables</th><th>spare switches</th>"
                  "</tr>\n",
                  draws ? "<th>uniform</th><th>permutation</th><th>reachable</th>" : "");
    for (size_t f = 0; f < weft_planning_count(plan); f++) {
        const weft_planned *p = weft_planning_fabric(plan, f);
        if (p->refused || (!p->chosen && draws == 0))
            continue;
        weft_text_add(html, "<tr%s>", p->chosen ? " class=\"chosen\"" : "");
        weft_canvas_tag(html, "td", p->name);
        if (p->outage) {
            weft_canvas_tag(html, "td", weft_shortlist_value(&p->outage->uniform, 3, arena));
            weft_canvas_tag(html, "td", weft_shortlist_value(&p->outage->permutation, 3, arena));
            weft_canvas_tag(html, "td", weft_shortlist_value(&p->outage->reachable, 4, arena));
        }
        weft_text_add(html, "<td>%u</td><td>%u</td></tr>\n", p->spare_cables, p->spare_switches);
    }
    weft_text_add(html, "</table>\n<p>Spares: as many as suffice while new parts are on their way, "
                        "if parts fail as often as the settings below say.</p>\n");
}

static void add_assumptions(weft_text *html, const weft_planning *plan)
{
    const weft_assumption *list;
    size_t count = weft_planning_assumptions(plan, &list);
    weft_text_add(html,
                  "<h2>What it rests on</h2>\n<p>Prices and powers that nobody gave are round "
                  "figures, relative to a copper cable: assumptions, no offers.</p>\n"
                  "<table class=\"notes\">\n<tr><th>setting</th><th>value</th><th></th><th>"
                  "meaning</th></tr>\n");
    for (size_t i = 0; i < count; i++) {
        weft_text_add(html, "<tr>");
        weft_canvas_tag(html, "td", list[i].key);
        weft_canvas_tag(html, "td", list[i].value);
        weft_canvas_tag(html, "td", list[i].assumed ? "assumed" : "given");
        weft_canvas_tag(html, "td", list[i].brief);
        weft_text_add(html, "</tr>\n");
    }
    weft_text_add(html, "</table>\n");
}

static void add_refused(weft_text *html, const weft_planning *plan)
{
    bool some = false;
    for (size_t f = 0; f < weft_planning_count(plan); f++) {
        const weft_planned *p = weft_planning_fabric(plan, f);
        if (!p->refused)
            continue;
        if (!some)
            weft_text_add(html, "<h2>Left out</h2>\n<table class=\"notes\">\n");
        some = true;
        weft_text_add(html, "<tr>");
        weft_canvas_tag(html, "td", p->name);
        weft_canvas_tag(html, "td", p->refused);
        weft_text_add(html, "</tr>\n");
    }
    if (some)
        weft_text_add(html, "</table>\n");
}

void weft_shortlist_page(const weft_planning *plan, weft_text *html)
{
    weft_arena arena;
    weft_arena_init(&arena);
    weft_text_append(html, head, sizeof head - 1);
    weft_canvas_tag(html, "h1",
                    *weft_planning_title(plan) ? weft_planning_title(plan) : "Choosing a fabric");
    weft_text_add(html, "\n<p>Fabrics for %u endpoints, by cost.</p>\n",
                  weft_planning_endpoints(plan));
    add_table(html, plan);
    add_fronts(html, plan);
    add_simulated(html, plan, &arena);
    add_cables(html, plan);
    add_floors(html, plan);
    add_faults(html, plan, &arena);
    add_assumptions(html, plan);
    add_refused(html, plan);
    weft_text_add(html, "<p>Made by <code>weft plan</code> of Interweft.</p>\n</body>\n</html>\n");
    weft_arena_done(&arena);
}
