/* SPDX-License-Identifier: Apache-2.0 */
#include "report/verdicts.h"

static void add_cell(weft_json *json, const weft_cell *cell)
{
    weft_json_object(json, NULL);
    weft_json_text(json, "where", cell->where);
    weft_json_real(json, "ours", cell->ours);
    weft_json_real(json, "lo", cell->lo);
    weft_json_real(json, "hi", cell->hi);
    weft_json_real(json, "theirs", cell->theirs);
    weft_json_real(json, "their_error", cell->their_error);
    weft_json_real(json, "score", cell->score);
    weft_json_text(json, "verdict", weft_verdict_name(cell->verdict));
    weft_json_text(json, "reason", cell->reason);
    weft_json_end(json);
}

static void add_claim(weft_json *json, const weft_claim_result *claim)
{
    weft_json_object(json, NULL);
    weft_json_text(json, "name", claim->name);
    weft_json_text(json, "metric", claim->metric);
    weft_json_text(json, "unit", claim->unit);
    weft_json_text(json, "rule", claim->rule);
    weft_json_text(json, "against", claim->against);
    weft_json_text(json, "sentence", claim->sentence);
    weft_json_text(json, "place", claim->place);
    weft_json_text(json, "sure", claim->sure);
    weft_json_text(json, "summary", claim->summary);
    weft_json_text(json, "verdict", weft_verdict_name(claim->verdict));
    weft_json_text(json, "reason", claim->reason);
    weft_json_list(json, "cells");
    for (size_t i = 0; i < claim->n_cells; i++)
        add_cell(json, &claim->cells[i]);
    weft_json_end(json);
    weft_json_end(json);
}

void weft_report_verdicts_json(const weft_comparison *comparison, const char *name,
                               const char *results, weft_json *json)
{
    weft_json_object(json, NULL);
    weft_json_text(json, "figure", name);
    weft_json_text(json, "title", comparison->figure->title);
    weft_json_text(json, "note", comparison->note);
    weft_json_text(json, "effort", comparison->effort == WEFT_QUICK ? "quick" : "full");
    weft_json_whole(json, "points", (int64_t)comparison->points);
    weft_json_whole(json, "seeds", (int64_t)comparison->seeds);
    weft_json_text(json, "results", results);
    weft_json_text(json, "verdict", weft_verdict_name(comparison->verdict));
    weft_json_list(json, "claims");
    for (size_t i = 0; i < comparison->n_claims; i++)
        add_claim(json, &comparison->claims[i]);
    weft_json_end(json);
    weft_json_end(json);
}
