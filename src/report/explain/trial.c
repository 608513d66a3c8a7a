/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that were tried, as text. */
#include "report/explain/why.h"

#include "base/digits.h"

#include <math.h>
#include <string.h>

static void print_change(const weft_why_trial *trial, const weft_why_change *c, FILE *out)
{
    char latency[WEFT_DIGITS_TEXT] = "-", p99[WEFT_DIGITS_TEXT] = "-", gain[64] = "";
    if (isfinite(c->latency) && !c->saturated)
        (void)weft_digits_plain(latency, c->latency, 5);
    if (isfinite(c->p99) && !c->saturated)
        (void)weft_digits_plain(p99, c->p99, 5);
    if (c != &trial->base)
        (void)snprintf(gain, sizeof gain, "%+.1f (%+.1f to %+.1f)", 100 * c->gain, 100 * c->lo,
                       100 * c->hi);
    fprintf(out, "  %9.4g %9s %9s %26s  %s\n", c->accepted, latency, p99, gain, c->change);
}

void weft_explain_trial(const weft_why_trial *trial, FILE *out)
{
    size_t run = 0;
    fprintf(out, "\n  one change at a time; gain of %s\n",
            trial->by_load ? "accepted load" : "99 % latency that is saved");
    fprintf(out, "  %9s %9s %9s %26s\n", "accepted", trial->unit, "p99", "gain, %");
    print_change(trial, &trial->base, out);
    for (; run < trial->n_changes && !*trial->changes[run].refused; run++)
        print_change(trial, &trial->changes[run], out);
    if (run < trial->n_changes)
        fprintf(out, "\n  not possible here\n");
    for (size_t i = run; i < trial->n_changes; i++) {
        const weft_why_change *c = &trial->changes[i];
        fprintf(out, "  %s: %.*s\n", c->change, (int)strcspn(c->refused, "\n"), c->refused);
    }
}
