/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as CSV, to be kept beside the study. Numbers have seven digits: more than any of
 * them is known to, and the same on every machine, for the results behind them are. */
#include "base/text.h"
#include "interweft/reproduce.h"
#include "interweft/version.h"
#include "result/quoted_cell.h"

#include <stdlib.h>
#include <string.h>

#define HEADING                                                                              \
    "version,date,claim,rule,metric,unit,where,ours,error,theirs,their_error,score,verdict," \
    "reason,against,sentence,place,sure,lo,hi\n"

static void add_text(weft_text *out, const char *text)
{
    weft_quoted_cell(out, text, strlen(text));
    weft_text_append(out, ",", 1);
}

/* Nothing where there is no number. */
static void add_number(weft_text *out, double number)
{
    if (number == number)
        weft_text_add(out, "%.7g,", number);
    else
        weft_text_append(out, ",", 1);
}

static void begin_line(weft_text *out, const char *date, const weft_claim_result *claim,
                       const char *where)
{
    const char *texts[] = {WEFT_VERSION,  date,        claim->name, claim->rule,
                           claim->metric, claim->unit, where};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add_text(out, texts[i]);
}

static void end_line(weft_text *out)
{
    out->at[out->length - 1] = '\n'; /* for the last comma */
}

static void add_claim(weft_text *out, const char *date, const weft_claim_result *claim)
{
    begin_line(out, date, claim, "");
    weft_text_add(out, ",,,,,");
    char *reason = weft_text_format("%s%s%s", claim->summary,
                                    *claim->summary && *claim->reason ? ": " : "", claim->reason);
    const char *texts[] = {weft_verdict_name(claim->verdict),
                           reason,
                           claim->against,
                           claim->sentence,
                           claim->place,
                           claim->sure};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add_text(out, texts[i]);
    weft_text_add(out, ",,");
    end_line(out);
    free(reason);
    for (size_t i = 0; i < claim->n_cells; i++) {
        const weft_cell *cell = &claim->cells[i];
        begin_line(out, date, claim, cell->where);
        const double numbers[] = {cell->ours, cell->error, cell->theirs, cell->their_error,
                                  cell->score};
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            add_number(out, numbers[n]);
        add_text(out, weft_verdict_name(cell->verdict));
        add_text(out, cell->reason);
        weft_text_add(out, ",,,,"); /* told once, with the claim */
        add_number(out, cell->lo);
        add_number(out, cell->hi);
        end_line(out);
    }
}

weft_status weft_comparison_export(const weft_comparison *comparison, const char *date,
                                   weft_sink sink, void *to, weft_error *err)
{
    weft_text out;
    weft_text_init(&out);
    weft_text_add(&out, HEADING);
    for (size_t i = 0; i < comparison->n_claims; i++)
        add_claim(&out, date, &comparison->claims[i]);
    weft_status status = sink(to, out.at, out.length, err);
    weft_text_done(&out);
    return status;
}
